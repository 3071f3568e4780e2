//! Reads the definitions of a file, before references between prefabs are resolved.

use std::collections::BTreeMap;

use super::error::{DEEPEST_CHILD, hint, known_instead, syntax_problem, too_deep, value_problem};
use super::ron_text::{Fragment, RonText, Span};
use crate::error::PrefabError;
use crate::steps::count;

/// Something with a name and the place of the name.
#[derive(Clone, Debug)]
pub(super) struct Named<T> {
    pub(super) name: String,
    pub(super) key: Fragment,
    pub(super) what: T,
}

/// The definition of a prefab or a child.
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// The prefabs that it varies, the lowest first.
    pub(super) like: Vec<Named<()>>,
    pub(super) components: Vec<Named<Fragment>>,
    pub(super) without: Vec<Named<()>>,
    pub(super) children: Vec<Named<Body>>,
    pub(super) without_children: Vec<Named<()>>,
    pub(super) requires: Vec<Requirement>,
}

/// The name of a component, and what an entity that has it must have as well.
pub(super) type Requirement = Named<Vec<Named<Fragment>>>;

const FIELDS: [&str; 6] = ["like", "components", "without", "children", "without_children", "requires"];

/// The prefabs of a file, in order.
pub(super) fn read_file(source: &RonText) -> Result<Vec<Named<Body>>, PrefabError> {
    let prefabs = named(Span::whole(source), "the prefabs of a file", "prefab")?;
    prefabs.into_iter().map(|prefab| read_body(prefab, "prefab", 0)).collect()
}

fn read_body(prefab: Named<Span<'_>>, what: &str, depth: usize) -> Result<Named<Body>, PrefabError> {
    if depth > DEEPEST_CHILD {
        return Err(prefab.error(too_deep()));
    }
    let Named { name, key, what: text } = prefab;
    let fields = text
        .fields("")
        .map_err(|(code, location)| location.error_of(&code, format!("{what} `{name}` {}", value_problem(&code))))?;
    let mut body = Body {
        like: Vec::new(),
        components: Vec::new(),
        without: Vec::new(),
        children: Vec::new(),
        without_children: Vec::new(),
        requires: Vec::new(),
    };
    let mut met = Vec::new();
    for (field, value) in fields {
        if met.contains(&field.text) {
            return Err(field.error(format!("{what} `{name}` has the field `{}` twice", field.text)));
        }
        met.push(field.text);
        let of = format!("`{}` of {what} `{name}`", field.text);
        match field.text {
            "like" if value.is_list() => body.like = names(value, &of)?,
            "like" => body.like = vec![Named { name: value.string(&of)?, key: value.keep(), what: () }],
            "components" => {
                let components = named(value, &of, "component")?;
                body.components = components.into_iter().map(|one| one.map(Span::keep)).collect();
            }
            "children" => {
                let children = named(value, &of, "child")?;
                body.children =
                    children.into_iter().map(|child| read_body(child, "child", depth + 1)).collect::<Result<_, _>>()?;
            }
            "without" => body.without = names(value, &of)?,
            "without_children" => body.without_children = names(value, &of)?,
            "requires" => {
                let requirements = named(value, &of, "component")?;
                body.requires = requirements.into_iter().map(read_requirement).collect::<Result<_, _>>()?;
            }
            unknown => {
                return Err(field.error(format!(
                    "{what} `{name}` has no field `{unknown}`, must be {}",
                    known_instead(unknown, &FIELDS)
                )));
            }
        }
    }
    Ok(Named { name, key, what: body })
}

fn read_requirement(requirement: Named<Span<'_>>) -> Result<Requirement, PrefabError> {
    let Named { name, key, what } = requirement;
    let needed = named(what, &format!("what `{name}` requires"), "component")?;
    Ok(Named { name, key, what: needed.into_iter().map(|one| one.map(Span::keep)).collect() })
}

impl<T> Named<T> {
    fn map<R>(self, change: impl FnOnce(T) -> R) -> Named<R> {
        Named { name: self.name, key: self.key, what: change(self.what) }
    }

    /// An error at the name.
    pub(super) fn error(&self, problem: impl Into<String>) -> PrefabError {
        self.key.span().error(problem)
    }

    /// The error that the name is unknown.
    pub(super) fn unknown<'a>(&self, what: &str, known: impl Iterator<Item = &'a str>) -> PrefabError {
        self.error(format!("unknown {what} `{}`: {}", self.name, hint(&self.name, known)))
    }
}

/// The entries of a map by name.
fn named<'a>(map: Span<'a>, what: &str, of: &str) -> Result<Vec<Named<Span<'a>>>, PrefabError> {
    let mut all: Vec<Named<Span<'a>>> = Vec::new();
    let mut places = BTreeMap::new();
    for (key, value) in map.entries(what)? {
        count(1);
        let name = key.string(&format!("the name of a {of}"))?;
        check_name(&name, key, of)?;
        if let Some(first) = places.insert(name.clone(), key) {
            let place = first.place();
            return Err(key.error(format!("there are two of the {of} `{name}`, the first is at {place}")));
        }
        all.push(Named { name, key: key.keep(), what: value });
    }
    Ok(all)
}

/// Names are used in paths such as `turret/barrel`.
fn check_name(name: &str, key: Span<'_>, of: &str) -> Result<(), PrefabError> {
    if name.is_empty() || name.contains('/') {
        return Err(key.error(format!("`{name}` cannot be the name of a {of}: it must not be empty and have no `/`")));
    }
    Ok(())
}

fn names(list: Span<'_>, of: &str) -> Result<Vec<Named<()>>, PrefabError> {
    let elements = list.elements().map_err(|(code, location)| match code {
        ron::Error::ExpectedArray => location.error_of(&code, format!("{of} must be a list in `[…]`")),
        code => location.error_of(&code, syntax_problem(&code)),
    })?;
    let mut all: Vec<Named<()>> = Vec::new();
    for element in elements {
        let name = element.string(&format!("what is in {of}"))?;
        if all.iter().any(|other| other.name == name) {
            return Err(element.error(format!("{of} has `{name}` twice")));
        }
        all.push(Named { name, key: element.keep(), what: () });
    }
    Ok(all)
}
