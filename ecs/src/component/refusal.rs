//! Types that get into bundles by mistake, and that no query would find: they are refused when they are met for the
//! first time.
//!
//! On stable Rust nothing sees at compile time what a generic type is: neither `type_name` nor the comparison of
//! `TypeId`s is `const`. So the name and the size of a type decide, once per type.

use std::any::{TypeId, type_name};

use crate::type_map::without_path;

/// A type of a bundle.
#[doc(hidden)]
pub struct Part {
    type_id: TypeId,
    path: &'static str,
    bytes: usize,
}

impl Part {
    pub(super) fn of<T: 'static>() -> Self {
        Self { type_id: TypeId::of::<T>(), path: type_name::<T>(), bytes: size_of::<T>() }
    }

    // Not generic, so that it is compiled once.
    fn refusal(&self) -> Option<String> {
        let name = without_path(self.path);
        let (what, way_out) = match Mistake::find(self.path, self.bytes)? {
            Mistake::Unit => ("the unit ()".to_owned(), "leave it out, or name a tag: `struct Tag;`"),
            Mistake::Tuple => {
                (format!("the tuple {name}"), "write its parts into the bundle itself, or give it a name as a struct")
            }
            Mistake::Option => (name.to_owned(), "insert the value if there is one, or put the option into a struct"),
            Mistake::Result => (name.to_owned(), "handle the error first, or put the result into a struct"),
            Mistake::Constructor => {
                let of = without_path(self.path.trim_end_matches(CONSTRUCTOR));
                (format!("the constructor of {of}"), "give it its values, as a call")
            }
            Mistake::Closure => (format!("the closure {name}"), "call it, or put it into a struct"),
            Mistake::Function => {
                (format!("the function {name}"), "call it (if it is a type, let its name begin with a capital)")
            }
        };
        Some(format!("{what} cannot be a component: {way_out}"))
    }
}

/// Why a bundle of these types is refused.
pub(super) fn bundle_refusal(parts: &[Part]) -> Option<String> {
    parts.iter().find_map(Part::refusal).or_else(|| {
        let again = |(at, part): (usize, &Part)| parts[..at].iter().any(|earlier| earlier.type_id == part.type_id);
        let (twice, _) = parts.iter().enumerate().find(|place| again(*place))?;
        let names: Vec<_> = parts.iter().map(|part| without_path(part.path)).collect();
        let (name, names) = (names[twice], names.join(", "));
        Some(format!("the bundle ({names}) has {name} twice: an entity has one component of a type, so leave one out"))
    })
}

/// Why `T` cannot be a component; `None` if it can.
pub(crate) fn refusal<T: 'static>() -> Option<String> {
    Part::of::<T>().refusal()
}

const CONSTRUCTOR: &str = "::{{constructor}}";

#[derive(Debug, PartialEq)]
enum Mistake {
    Unit,
    Tuple,
    Option,
    Result,
    Constructor,
    Closure,
    Function,
}

impl Mistake {
    /// The mistake that a type path indicates, if any. A function has size 0 and a name in lower case, which no type
    /// has.
    fn find(path: &str, bytes: usize) -> Option<Self> {
        match path {
            "()" => Some(Self::Unit),
            _ if path.starts_with('(') => Some(Self::Tuple),
            _ if path.ends_with("::{{closure}}") => Some(Self::Closure),
            _ if path.ends_with(CONSTRUCTOR) => Some(Self::Constructor),
            _ if path.starts_with("core::option::Option<") => Some(Self::Option),
            _ if path.starts_with("core::result::Result<") => Some(Self::Result),
            _ if bytes == 0 && last_segment(path).starts_with(char::is_lowercase) => Some(Self::Function),
            _ => None,
        }
    }
}

/// What follows the last `::` outside of angle brackets: `collect<u8>` of `<a::B as c::D>::collect<u8>`.
fn last_segment(path: &str) -> &str {
    let (mut depth, mut start, mut before) = (0, 0, ' ');
    for (at, letter) in path.char_indices() {
        match letter {
            '<' | '[' | '(' => depth += 1,
            // The arrow of `fn() -> u8` is no bracket.
            '>' if before == '-' => {}
            '>' | ']' | ')' => depth -= 1,
            ':' if depth == 0 => start = at + 1,
            _ => {}
        }
        before = letter;
    }
    &path[start..]
}

#[cfg(test)]
mod tests {
    use std::marker::PhantomData;

    use super::*;

    struct Position(#[allow(dead_code)] f32);
    struct Tag;
    struct Of<T>(#[allow(dead_code)] T);
    enum Shape {
        Circle(#[allow(dead_code)] f32),
    }
    impl Of<u8> {
        fn method(&self) {}
    }
    trait Named {
        fn name() -> u8;
    }
    impl Named for Tag {
        fn name() -> u8 {
            1
        }
    }
    fn free<T>() {}

    fn mistake_of<T: 'static>(_: T) -> Option<Mistake> {
        Mistake::find(type_name::<T>(), size_of::<T>())
    }

    #[test]
    fn mistakes_are_found() {
        let captured = 3;
        assert_eq!(mistake_of(()), Some(Mistake::Unit));
        assert_eq!(mistake_of((Position(1.0), Tag)), Some(Mistake::Tuple));
        assert_eq!(mistake_of(Some(Tag)), Some(Mistake::Option));
        assert_eq!(mistake_of(Ok::<Tag, u8>(Tag)), Some(Mistake::Result));
        for constructor in
            [mistake_of(Position), mistake_of(Of::<u8>), mistake_of(Shape::Circle), mistake_of(Some::<Tag>)]
        {
            assert_eq!(constructor, Some(Mistake::Constructor));
        }
        assert_eq!(mistake_of(|n: u8| n), Some(Mistake::Closure));
        assert_eq!(mistake_of(move || captured), Some(Mistake::Closure));
        let functions = [
            mistake_of(free::<(u8, Tag)>),
            mistake_of(free::<fn(u8) -> Tag>),
            mistake_of(Of::method),
            mistake_of(Tag::name),
            mistake_of(<u8 as Default>::default),
            mistake_of(size_of::<Vec<Tag>>),
        ];
        assert!(functions.iter().all(|found| *found == Some(Mistake::Function)), "{functions:?}");
    }

    #[test]
    fn ordinary_types_are_no_mistakes() {
        fn inner() -> Option<Mistake> {
            struct Local;
            let closure = |local| mistake_of(Of(local));
            mistake_of(Local).or(closure(Local))
        }
        assert_eq!(inner(), None);
        assert_eq!(mistake_of(Tag), None);
        assert_eq!(mistake_of(Of(())), None);
        assert_eq!(mistake_of(PhantomData::<fn() -> u8>), None);
        assert_eq!(mistake_of(PhantomData::<(u8, Tag)>), None);
        assert_eq!(mistake_of([(); 3]), None);
        assert_eq!(mistake_of([0_u8; 0]), None);
        assert_eq!(mistake_of([(1.0_f32, 2_u8); 3]), None);
        assert_eq!(mistake_of(("a", 1_u8).0), None);
        assert_eq!(mistake_of(1.0_f32), None);
        assert_eq!(mistake_of(String::new()), None);
        assert_eq!(mistake_of(vec![Some((1, 2))]), None);
        assert_eq!(mistake_of(free::<u8> as fn()), None);
        assert_eq!(mistake_of(Box::new(|n: u8| n) as Box<dyn Fn(u8) -> u8 + Send + Sync>), None);
        assert_eq!(mistake_of(std::sync::Arc::new(Some(1))), None);
    }
}
