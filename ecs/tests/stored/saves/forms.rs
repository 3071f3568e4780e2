//! A value is saved only if loading gives it back: whatever form its type has in serde, a save is refused in one
//! sentence, or loaded exactly.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Debug;

use ecs::{Engine, component::Component};
use proptest::prelude::*;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};

mod generated;

/// An engine that saves components `T`, all of which counts in their hash.
fn engine<T: Component + Clone + Debug + Serialize + DeserializeOwned>() -> Engine {
    let mut engine = Engine::new();
    let types = engine.types_mut();
    types.component_by("value", |value: &T, hash| _ = hash.printed(value)).unwrap();
    types.save_with_text::<T>(1).unwrap();
    engine
}

/// Saves values, and loads what was saved.
///
/// # Errors
/// Why it was not saved.
fn through_bytes<T>(values: &[T]) -> Result<Vec<T>, String>
where
    T: Component + Clone + Debug + Serialize + DeserializeOwned,
{
    let (mut engine, mut loaded, mut bytes) = (engine::<T>(), engine::<T>(), Vec::new());
    engine.spawn_many(values.iter().map(|value| (value.clone(),)));
    engine.save(&mut bytes).map_err(|error| error.to_string())?;
    loaded.load(&mut bytes.as_slice()).unwrap();
    assert_eq!(loaded.state_hash().unwrap(), engine.state_hash().unwrap());
    Ok(loaded.query::<&T>().iter().cloned().collect())
}

/// As [`through_bytes`], as text.
fn through_text<T>(values: &[T]) -> Result<Vec<T>, String>
where
    T: Component + Clone + Debug + Serialize + DeserializeOwned,
{
    let (mut engine, mut loaded) = (engine::<T>(), engine::<T>());
    engine.spawn_many(values.iter().map(|value| (value.clone(),)));
    let text = engine.save_text().map_err(|error| error.to_string())?;
    loaded.load_text(&text).unwrap();
    assert_eq!(loaded.state_hash().unwrap(), engine.state_hash().unwrap());
    Ok(loaded.query::<&T>().iter().cloned().collect())
}

/// The law for one value. Returns whether it was saved as bytes.
fn is_saved_exactly<T>(value: &T) -> bool
where
    T: Component + Clone + Debug + Serialize + DeserializeOwned,
{
    let values = [value.clone(), value.clone()];
    let saved = [through_bytes(&values), through_text(&values)].map(|result| match result {
        Ok(loaded) => {
            assert_eq!(format!("{loaded:?}"), format!("{values:?}"));
            true
        }
        Err(problem) => {
            assert!(problem.contains("would not be loaded as it was saved: "), "{problem}");
            assert!(problem.starts_with("component \"value\": ") && !problem.ends_with('.'), "{problem}");
            false
        }
    });
    saved[0]
}

/// Where another form may stand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Within<T> {
    Nothing,
    Alone(T),
    Pair(u8, T, u8),
    Fields { before: u16, value: T, after: Option<u8> },
    Deep(Box<Within<T>>),
    Optional(Option<T>),
    List(Vec<T>),
    Map(BTreeMap<String, T>),
    Tuple((bool, T), [u8; 2]),
}

fn in_place<T: Clone>(value: T, place: u8, number: u8) -> Within<T> {
    match place {
        0 => Within::Nothing,
        1 => Within::Alone(value),
        2 => Within::Pair(number, value, 7),
        3 => Within::Fields { before: 9, value, after: Some(number) },
        4 => Within::Optional(Some(value)),
        5 => Within::List(vec![value; usize::from(number)]),
        6 => Within::Map((0..number).map(|key| (key.to_string(), value.clone())).collect()),
        7 => Within::Tuple((true, value), [number; 2]),
        _ => Within::Deep(Box::new(in_place(value, number + 2, 2))),
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Plain {
    number: u32,
    text: String,
    signed: i64,
    letter: char,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct SkippedIf {
    first: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nick: Option<u32>,
    #[serde(default, skip_serializing_if = "is_zero")]
    last: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct NotRead {
    #[serde(skip_deserializing)]
    cache: u32,
    first: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Skipped {
    #[serde(skip)]
    cache: u32,
    first: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Number(u32),
    Text(String),
    Fields { first: u32 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Tagged {
    One { first: u32 },
    Other,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "of")]
enum Adjacent {
    One(u32),
    Other { first: u32 },
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Flattened {
    first: u32,
    #[serde(flatten)]
    rest: Plain,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Defaulted {
    first: u32,
    #[serde(rename = "other", alias = "third")]
    second: Option<u32>,
}

impl Default for Defaulted {
    fn default() -> Self {
        Self { first: 7, second: Some(1) }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Partly {
    Plain(u32),
    #[serde(skip_deserializing)]
    NotRead(u32),
    #[serde(untagged)]
    Untagged(u32, u32),
}

/// Skips a field in one variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum SkippedInVariant {
    One {
        #[serde(default, skip_serializing_if = "is_zero")]
        first: u32,
        second: u32,
    },
    Other(u32),
}

/// Writes two numbers, and reads one.
#[derive(Clone, Debug, PartialEq)]
struct ByHand(u32);

impl Serialize for ByHand {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (self.0, 1).serialize(to)
    }
}

impl<'de> Deserialize<'de> for ByHand {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        u32::deserialize(from).map(Self)
    }
}

/// Is written with two digits.
#[derive(Clone, Debug, PartialEq)]
struct Rounded(f64);

impl Serialize for Rounded {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        ((self.0 * 100.0).round() as i64).serialize(to)
    }
}

impl<'de> Deserialize<'de> for Rounded {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        i64::deserialize(from).map(|hundredths| Self(hundredths as f64 / 100.0))
    }
}

fn few() -> impl Strategy<Value = u32> + Clone {
    prop_oneof![Just(0), Just(1), any::<u32>()]
}

fn any_plain() -> impl Strategy<Value = Plain> {
    (any::<u32>(), ".{0,5}", any::<i64>(), any::<char>()).prop_map(|(number, text, signed, letter)| Plain {
        number,
        text,
        signed,
        letter,
    })
}

/// A value of one of these types.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Form {
    Plain(Plain),
    Defaulted(Defaulted),
    SkippedIf(SkippedIf),
    NotRead(NotRead),
    Skipped(Skipped),
    Untagged(Untagged),
    Tagged(Tagged),
    Adjacent(Adjacent),
    Flattened(Flattened),
    Partly(Partly),
    SkippedInVariant(SkippedInVariant),
    ByHand(ByHand),
    Rounded(Rounded),
}

fn any_form() -> impl Strategy<Value = Form> {
    (0_u8..20, any_plain(), few(), few(), prop::option::of(few()), -9.0_f64..9.0).prop_map(
        |(kind, plain, first, second, nick, float)| match kind {
            0 => Form::Plain(plain),
            1 => Form::Defaulted(Defaulted { first, second: nick }),
            2 => Form::SkippedIf(SkippedIf { first, nick, last: second }),
            3 => Form::NotRead(NotRead { cache: first, first: second }),
            4 => Form::Skipped(Skipped { cache: first, first: second }),
            5 => Form::Untagged(Untagged::Number(first)),
            6 => Form::Untagged(Untagged::Text(plain.text)),
            7 => Form::Untagged(Untagged::Fields { first }),
            8 => Form::Tagged(Tagged::One { first }),
            9 => Form::Tagged(Tagged::Other),
            10 => Form::Adjacent(Adjacent::One(first)),
            11 => Form::Adjacent(Adjacent::Other { first }),
            12 => Form::Adjacent(Adjacent::Nothing),
            13 => Form::Flattened(Flattened { first, rest: plain }),
            14 => Form::Partly(Partly::Plain(first)),
            15 => Form::Partly(Partly::NotRead(first)),
            16 => Form::Partly(Partly::Untagged(first, second)),
            17 => Form::SkippedInVariant(SkippedInVariant::One { first, second }),
            18 => Form::ByHand(ByHand(first)),
            _ => Form::Rounded(Rounded(float)),
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn derived_form_is_refused_or_loaded_exactly_at_any_depth(form in any_form(), place in 0_u8..9, count in 0_u8..3) {
        let is_plain = matches!(form, Form::Plain(_) | Form::Defaulted(_));
        let place = in_place(form, place, count);
        prop_assert!(is_saved_exactly(&place) || !is_plain, "a type whose form is plain is saved");
    }
}

/// Numbers of 128 bits wherever they may stand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Wide {
    Newtype(WideNumber),
    Pair(u128, i128),
    Fields { number: u128, perhaps: Option<i128> },
    Keys(BTreeMap<i128, u128>),
    NewtypeKeys(BTreeMap<WideNumber, Vec<i128>>),
    Deep(Box<Within<(WideNumber, i128)>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct WideNumber(u128);

fn any_wide() -> impl Strategy<Value = Wide> {
    let number = || prop_oneof![any::<u128>(), any::<u64>().prop_map(u128::from), Just(0), Just(u128::MAX)];
    let signed = || prop_oneof![any::<i128>(), any::<i64>().prop_map(i128::from), Just(i128::MIN), Just(i128::MAX)];
    let wide = || number().prop_map(WideNumber);
    let some = || prop::collection::vec(signed(), 0..3);
    prop_oneof![
        wide().prop_map(Wide::Newtype),
        (number(), signed()).prop_map(|(number, signed)| Wide::Pair(number, signed)),
        (number(), prop::option::of(signed())).prop_map(|(number, perhaps)| Wide::Fields { number, perhaps }),
        prop::collection::btree_map(signed(), number(), 0..4).prop_map(Wide::Keys),
        prop::collection::btree_map(wide(), some(), 0..4).prop_map(Wide::NewtypeKeys),
        ((wide(), signed()), 0_u8..9, 0_u8..3)
            .prop_map(|(value, place, count)| Wide::Deep(Box::new(in_place(value, place, count)))),
    ]
}

proptest! {
    #[test]
    fn numbers_of_128_bits_are_loaded_exactly_in_both_forms(values in prop::collection::vec(any_wide(), 0..4)) {
        prop_assert_eq!(&through_bytes(&values).unwrap(), &values);
        prop_assert_eq!(&through_text(&values).unwrap(), &values);
    }
}

/// Lists and maps without an order, at any depth.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Unordered {
    Map(HashMap<u32, u32>),
    Set(HashSet<u32>),
    Deep(Vec<(u8, Within<HashMap<String, ()>>)>),
    Optional { number: u8, set: Option<HashSet<String>> },
    Both(HashMap<u32, HashSet<u32>>),
}

/// The rule must not depend on chance, nor on what a program happens to have put in.
#[test]
fn maps_and_sets_without_order_are_refused_at_every_size() {
    for count in [0, 1, 2, 3, 30] {
        let numbers = 0..count;
        let words = || (0..count).map(|number| number.to_string());
        let all = [
            Unordered::Map(numbers.clone().map(|number| (number, number)).collect()),
            Unordered::Set(numbers.clone().collect()),
            Unordered::Deep(vec![(1, in_place(words().map(|word| (word, ())).collect(), 4, 0))]),
            Unordered::Optional { number: 1, set: Some(words().collect()) },
            Unordered::Both(numbers.map(|number| (number, HashSet::new())).collect()),
        ];
        for value in all {
            let kind = if matches!(value, Unordered::Set(_) | Unordered::Optional { .. }) { "Set" } else { "Map" };
            let reason = format!(
                "Unordered would not be loaded as it was saved: it has a Hash{kind}, which has no order: take a BTree{kind};"
            );
            let values = [value];
            for problem in [through_bytes(&values), through_text(&values)].map(Result::unwrap_err) {
                assert!(problem.contains(&reason), "{count}: {problem}");
            }
        }
    }
    let without = [Unordered::Optional { number: 1, set: None }, Unordered::Deep(Vec::new())];
    assert!(through_bytes(&without).is_ok() && through_text(&without).is_ok());
}

fn refusal<T: Component + Clone + Debug + Serialize + DeserializeOwned>(value: T) -> String {
    through_bytes(&[value]).expect_err("it cannot be loaded")
}

#[test]
fn refusal_names_the_type_and_the_field_or_the_reason() {
    const SUFFIX: &str = "; write and read the same fields in the same order, if need be by a type of their own and #[serde(from, into)]";
    let begin = |name: &str| {
        format!("component \"value\": it cannot be written as bytes: {name} would not be loaded as it was saved: ")
    };
    assert_eq!(
        refusal(SkippedIf { first: 1, nick: None, last: 2 }),
        begin("SkippedIf") + "field `nick` is left out (skip_serializing_if), and bytes name no fields" + SUFFIX
    );
    assert_eq!(
        refusal(Tagged::Other),
        begin("Tagged")
            + "it is not read back: it asks what comes next, as by `untagged`, `tag` or `flatten`, and bytes do not tell"
            + SUFFIX
    );
    assert_eq!(
        refusal(Flattened { first: 1, rest: Plain { number: 1, text: String::new(), signed: 2, letter: 'a' } }),
        begin("Flattened") + "a map or a list is written before its length is known, as by `flatten`" + SUFFIX
    );
    assert_eq!(
        refusal(NotRead { cache: 1, first: 2 }),
        begin("NotRead") + "it is not read back: 1 bytes are left over" + SUFFIX
    );
    assert_eq!(
        refusal(Skipped { cache: 1, first: 2 }),
        begin("Skipped") + "it is read back with another state hash, so a field that counts is not saved" + SUFFIX
    );
    let numbers: HashMap<u32, u32> = (0..100).map(|number| (number, number)).collect();
    assert_eq!(
        refusal(numbers),
        begin("HashMap<u32, u32>") + "it has a HashMap, which has no order: take a BTreeMap" + SUFFIX
    );
}

#[test]
fn refusal_of_deep_values_and_of_those_that_check_themselves_is_plain() {
    #[derive(Clone, Debug, Serialize, Deserialize)]
    enum Nested {
        Leaf,
        Node(Box<Nested>),
    }
    #[derive(Clone, Debug, Serialize, Deserialize)]
    #[serde(try_from = "u32", into = "u32")]
    struct Small(u32);
    impl TryFrom<u32> for Small {
        type Error = &'static str;

        fn try_from(number: u32) -> Result<Self, &'static str> {
            if number < 10 { Ok(Self(number)) } else { Err("it is too large") }
        }
    }
    impl From<Small> for u32 {
        fn from(small: Small) -> Self {
            small.0
        }
    }
    for depth in [100, 140, 2_000] {
        let value = (0..depth).fold(Nested::Leaf, |inner, _| Nested::Node(Box::new(inner)));
        through_bytes(std::slice::from_ref(&value)).unwrap();
        let problem = through_text(&[value]).unwrap_err();
        assert!(problem.contains("it is nested too deeply for a text"), "{problem}");
        assert!(!problem.contains("recursion_limit"), "{problem}");
    }
    assert!(refusal(Small(30)).contains("it is not read back: its `Deserialize` refuses it; "));
}

#[test]
fn field_that_does_not_count_may_be_left_out_of_both_directions() {
    let mut engine = Engine::new();
    let types = engine.types_mut();
    types.component_by("value", |value: &Skipped, hash| _ = hash.add(&value.first)).unwrap();
    types.save_with_text::<Skipped>(1).unwrap();
    engine.spawn((Skipped { cache: 5, first: 3 },));
    engine.save(&mut Vec::new()).unwrap();
    engine.save_text().unwrap();
}

#[test]
fn values_that_are_not_components_are_checked_too() {
    /// A resource, an event and the state of a system.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    struct Small {
        #[serde(default, skip_serializing_if = "is_zero")]
        first: u32,
    }
    impl ecs::System for Small {
        fn setup(setup: &mut ecs::Setup<Self>) {
            setup.update(|_: &mut Self| {});
        }
    }
    let save = |change: fn(&mut Engine)| {
        let mut engine = Engine::new();
        change(&mut engine);
        engine.types_mut().save::<Small>(1).unwrap();
        engine.save(&mut Vec::new()).expect_err("it cannot be loaded").to_string()
    };
    let resource = save(|engine| {
        engine.types_mut().resource_by("small", |small: &Small, hash| _ = hash.add(&small.first)).unwrap();
        engine.insert_resource(Small { first: 0 });
    });
    let event = save(|engine| {
        engine.types_mut().event_by("small", |small: &Small, hash| _ = hash.add(&small.first)).unwrap();
        engine.send(Small { first: 0 });
    });
    let system = save(|engine| {
        engine.add(Small { first: 0 }).unwrap();
        engine.types_mut().system_by("small", |small: &Small, hash| _ = hash.add(&small.first)).unwrap();
    });
    for (kind, problem) in [("resource", resource), ("event", event), ("system", system)] {
        assert!(problem.starts_with(&format!("{kind} \"small\": ")) && problem.contains("field `first`"), "{problem}");
    }
}

#[test]
fn removed_component_and_the_data_of_a_link_are_checked_too() {
    #[derive(Clone, Debug, Serialize, Deserialize)]
    struct Bond {
        #[serde(default, skip_serializing_if = "is_zero")]
        strength: u32,
    }
    impl ecs::relation::Relation for Bond {}
    impl ecs::snapshot::StableHash for Bond {
        fn stable_hash(&self, hash: &mut ecs::snapshot::StateHasher) {
            hash.add(&self.strength);
        }
    }
    let mut engine = Engine::new();
    engine.types_mut().relation::<Bond>("bond").unwrap().save_relation::<Bond>(1).unwrap();
    let [one, other] = [(); 2].map(|()| engine.spawn(()));
    engine.relate(one, other, Bond { strength: 0 }).unwrap();
    let problem = engine.save(&mut Vec::new()).unwrap_err().to_string();
    assert!(problem.contains("component \"bond\": ") && problem.contains("field `strength`"), "{problem}");

    struct Watching;
    impl ecs::System for Watching {
        fn setup(setup: &mut ecs::Setup<Self>) {
            setup.listen(|_: &mut Self, removed: &ecs::Removed<SkippedIf>, mut last: ecs::ResMut<u32>| {
                *last = removed.value.as_ref().unwrap().first;
            });
        }
    }
    let mut engine = self::engine::<SkippedIf>();
    engine.types_mut().resource::<u32>("last").unwrap().save::<u32>(1).unwrap();
    engine.insert_resource(0_u32);
    engine.add(Watching).unwrap();
    let lost = engine.spawn((SkippedIf { first: 1, nick: None, last: 2 },));
    engine.remove::<SkippedIf>(lost).unwrap();
    let problem = engine.save(&mut Vec::new()).unwrap_err().to_string();
    assert!(problem.contains("field `nick`"), "{problem}");
}
