//! [`StateDump`]: the state of an engine as texts, by the names of its types.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::Inspector;
use super::blame::SYSTEM;
use crate::entity::EntityId;
use crate::error::{Error, TypeKind};
use crate::hierarchy::ChildOf;
use crate::snapshot::StateHash;
use crate::system::{Readers, steps, walking};
use crate::types::{Leaf, Walker, different_field, in_path};

/// The component of entities that a prefab made.
const FROM_PREFAB: &str = "ecs from prefab";
/// The part of a hash that random streams have.
const RANDOM_NUMBERS: &str = "random numbers";

/// Paths and texts of the values without parts, in their order.
type Values = Vec<(String, String)>;

/// The state of an engine between two frames as texts, by the stable names of its types; [`Inspector::dump`] makes it.
///
/// It can be written in any format of serde, and compared with that of another run, process or build of the program,
/// whose types may have other fields.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateDump {
    /// [`Time::frame`](crate::Time::frame).
    pub frame: u64,
    /// The hash of the state.
    pub hash: StateHash,
    /// All registered components, resources and systems.
    types: BTreeSet<(TypeKind, String)>,
    /// In the order of their ids.
    entities: Vec<DumpedEntity>,
    resources: BTreeMap<String, Values>,
    systems: BTreeMap<String, Values>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct DumpedEntity {
    id: EntityId,
    label: String,
    is_enabled: bool,
    components: BTreeMap<String, DumpedComponent>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct DumpedComponent {
    is_enabled: bool,
    values: Values,
}

/// A value that two states do not have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldDifference {
    /// The kind of the type; `None` for an entity that only one state has, and for a part of the engine itself.
    pub kind: Option<TypeKind>,
    /// The stable name of the type, or as in [`HashPart`](crate::snapshot::HashPart); "entity" for an entity.
    pub name: String,
    /// The owner of a component.
    pub entity: Option<EntityId>,
    /// As [`Inspector::label`], of the owner.
    pub label: String,
    /// The field, such as `speed.x`; empty for a value as a whole.
    pub path: String,
    /// The value in each state; `None` if it is not there. Both are `None` where no value shows the difference: parts
    /// of the engine, equal components in another order, and what a hash has beside the fields.
    pub values: [Option<String>; 2],
}

impl FieldDifference {
    /// The part of the state whose hash shows it.
    pub(super) fn part(&self) -> (Option<TypeKind>, &str) {
        (self.kind, &self.name)
    }

    /// Whether it has values to compare.
    #[must_use]
    pub fn has_values(&self) -> bool {
        self.values.iter().any(Option::is_some)
    }

    /// How far two floating point numbers are apart; `None` for other values, since whole numbers may be ids.
    #[must_use]
    pub fn distance(&self) -> Option<f64> {
        let [one, other] = self.values.each_ref().map(|text| number(text.as_deref()?));
        Some((one? - other?).abs())
    }

    /// Whether it says little: the state of random streams, or two floating point numbers that
    /// are at most `bound` apart.
    #[must_use]
    pub fn is_noise(&self, bound: f64) -> bool {
        self.part() == (None, RANDOM_NUMBERS) || self.distance().is_some_and(|distance| distance <= bound)
    }

    /// The name and the path, as [`Inspector::field`] reads them.
    #[must_use]
    pub fn field(&self) -> String {
        let system = if self.kind == Some(TypeKind::System) { SYSTEM } else { "" };
        let name = format!("{system}{}", in_path(&self.name));
        if self.path.is_empty() { name } else { format!("{name}.{}", self.path) }
    }
}

/// Such as `pocket.carried of entity 24v0: 1.5 | 2`.
impl fmt::Display for FieldDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, other] = self.texts();
        write!(f, "{}: {one} | {other}", self.place())
    }
}

/// Parts of the text.
impl FieldDifference {
    /// What has the value, such as "entity 24v0 (collector)".
    #[must_use]
    pub fn owner(&self) -> String {
        match (self.kind, self.entity) {
            (_, Some(entity)) if self.label.is_empty() => format!("entity {entity}"),
            (_, Some(entity)) => format!("entity {entity} ({})", self.label),
            (Some(TypeKind::Component) | None, None) => self.name.clone(),
            (Some(kind), None) => format!("{kind} {}", in_path(&self.name)),
        }
    }

    /// The field of the owner, such as "pocket.carried"; empty for the owner itself.
    #[must_use]
    pub fn subject(&self) -> String {
        match (self.kind, self.entity) {
            (Some(TypeKind::Component), Some(_)) => self.field(),
            _ => self.path.clone(),
        }
    }

    /// The field and its owner, such as `pocket.carried of entity 24v0`.
    #[must_use]
    pub fn place(&self) -> String {
        match self.subject() {
            subject if subject.is_empty() => self.owner(),
            subject => format!("{subject} of {}", self.owner()),
        }
    }

    /// The field and its values, such as `pocket.carried: 1.5 | 2`.
    pub(super) fn value(&self) -> String {
        let ([one, other], subject) = (self.texts(), self.subject());
        let colon = if subject.is_empty() { "" } else { ": " };
        format!("{subject}{colon}{one} | {other}")
    }

    fn texts(&self) -> [&str; 2] {
        let none = if self.has_values() { "not there" } else { "not shown" };
        self.values.each_ref().map(|text| text.as_deref().unwrap_or(none))
    }
}

/// The whole state, and the labels in it.
impl Inspector<'_> {
    /// The name of an entity below its parent, or of its prefab; empty if it has neither.
    #[must_use]
    pub fn label(&self, entity: EntityId) -> String {
        if let Some(name) = self.world().get::<ChildOf>(entity).and_then(ChildOf::name) {
            return name.to_owned();
        }
        let mut label = String::new();
        let mut keep = |path: &str, leaf: Leaf| {
            if let ("prefab", Leaf::Text(text)) = (path, leaf) {
                label = text.into();
            }
        };
        // It may have no such component.
        _ = self.component(entity, FROM_PREFAB, &mut Walker::new(&[], &mut keep));
        label
    }

    /// The whole state as texts. O(values).
    ///
    /// # Errors
    /// As [`Engine::state_hash`](crate::Engine::state_hash).
    ///
    /// # Example
    /// ```
    /// use ecs::Engine;
    ///
    /// let mut engine = Engine::new();
    /// engine.types_mut().component::<u32>("health")?.save::<u32>(1)?;
    /// let player = engine.spawn((7_u32,));
    /// let before = engine.inspector().dump()?;
    /// *engine.get_mut::<u32>(player).unwrap() = 9;
    /// let after = engine.inspector().dump()?;
    /// assert_eq!(before.differences(&after)[0].to_string(), format!("health of entity {player}: 7 | 9"));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn dump(&mut self) -> Result<StateDump, Error> {
        let hash = self.engine.state_hash()?;
        let (types, world) = (self.engine.types(), self.world());
        let readers = Readers::of(types);
        let entity = |id: EntityId| DumpedEntity {
            id,
            label: self.label(id),
            is_enabled: world.entities().is_enabled(id) == Some(true),
            components: self.dumped_components(id, &readers),
        };
        let mut entities: Vec<_> = world.entities().iter().map(entity).collect();
        entities.sort_unstable_by_key(|entity| entity.id);
        let resources = types.resources.by_name().filter(|entry| !types.is_left_out(entry.type_id));
        let resources = resources.filter_map(|entry| {
            let (name, show) = readers.resource(entry.type_id)?;
            let mut values = Vec::new();
            let is_there =
                show(world, &mut walking(&[], &mut |path, leaf| values.push((path.to_owned(), exact(&leaf)))));
            is_there.then(|| (name.to_string(), values))
        });
        let mut systems = BTreeMap::new();
        for (name, node) in readers.states.named(self.engine.systems()) {
            let mut values = Vec::new();
            let mut keep = |path: &str, leaf: Leaf| values.push((path.to_owned(), exact(&leaf)));
            readers.states.show(node, &mut walking(&[], &mut keep));
            systems.insert(name, values);
        }
        let names = {
            let components = types.components.by_name().map(|entry| (TypeKind::Component, entry.name.to_string()));
            let resources = types.resources.by_name().map(|entry| (TypeKind::Resource, entry.name.to_string()));
            let systems = types.systems.by_name().map(|entry| (TypeKind::System, entry.name.to_string()));
            components.chain(resources).chain(systems).collect()
        };
        Ok(StateDump {
            frame: self.engine.time().frame(),
            hash,
            types: names,
            resources: resources.collect(),
            systems,
            entities,
        })
    }

    fn dumped_components(&self, entity: EntityId, readers: &Readers) -> BTreeMap<String, DumpedComponent> {
        let components = self.world().components();
        let own = components.info_of(entity).into_iter().flat_map(|info| info.components);
        own.filter_map(|own| {
            let (name, show) = readers.component(components.find(own.id)?.value_type())?;
            let mut values = Vec::new();
            let mut keep = |path: &str, leaf: Leaf| values.push((path.to_owned(), exact(&leaf)));
            show(self.world(), entity, &mut walking(&[], &mut keep));
            Some((name.to_string(), DumpedComponent { is_enabled: own.is_enabled, values }))
        })
        .collect()
    }
}

impl StateDump {
    /// All that differs: entities and their components in the order of their ids, resources, systems, and then the
    /// parts of the hash that differ while no value does. Types that only one of the programs knows are left out.
    /// O(values).
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<FieldDifference> {
        let mut found = Found { both: [self, other], differences: Vec::new() };
        let (mut own, mut others) = (self.entities.iter().peekable(), other.entities.iter().peekable());
        loop {
            let next = [own.peek(), others.peek()].map(|entity| entity.map(|entity| entity.id));
            let first = match next {
                [Some(one), Some(other)] => one.min(other),
                [Some(one), None] => one,
                [None, Some(other)] => other,
                [None, None] => break,
            };
            found.entity([own.next_if(|entity| entity.id == first), others.next_if(|entity| entity.id == first)]);
        }
        let names: BTreeSet<&String> = self.resources.keys().chain(other.resources.keys()).collect();
        for name in names {
            let values = [self, other].map(|dump| dump.resources.get(name));
            found.values(Part { kind: TypeKind::Resource, name, entity: None, label: "" }, values);
        }
        let names: BTreeSet<&String> = self.systems.keys().chain(other.systems.keys()).collect();
        for name in names {
            let values = [self, other].map(|dump| dump.systems.get(name));
            found.values(Part { kind: TypeKind::System, name, entity: None, label: "" }, values);
        }
        found.parts();
        found.differences
    }

    /// Types that `other` does not know, as "component `shield`".
    #[must_use]
    pub fn types_unknown_to(&self, other: &Self) -> Vec<String> {
        self.types.difference(&other.types).map(|(kind, name)| format!("{kind} `{name}`")).collect()
    }

    /// The parts that the hashes of these types have.
    pub(super) fn types_not_of<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (Option<TypeKind>, String)> + 'a {
        self.types.difference(&other.types).map(|(kind, name)| (Some(*kind), name.clone()))
    }
}

/// A value of a type.
#[derive(Clone, Copy)]
struct Part<'a> {
    kind: TypeKind,
    name: &'a str,
    entity: Option<EntityId>,
    label: &'a str,
}

struct Found<'a> {
    both: [&'a StateDump; 2],
    differences: Vec<FieldDifference>,
}

impl<'a> Found<'a> {
    fn is_known_to_both(&self, kind: TypeKind, name: &str) -> bool {
        let [one, other] = self.both.map(|dump| dump.types.contains(&(kind, name.to_owned())));
        // A function is known by its name in Rust.
        one && other || kind == TypeKind::System && !one && !other
    }

    fn add(&mut self, Part { kind, name, entity, label }: Part<'_>, path: &str, values: [Option<String>; 2]) {
        let (name, label, path) = (name.to_owned(), label.to_owned(), path.to_owned());
        self.differences.push(FieldDifference { kind: Some(kind), name, entity, label, path, values });
    }

    fn entity(&mut self, both: [Option<&'a DumpedEntity>; 2]) {
        let [Some(one), Some(other)] = both else {
            let Some(there) = both[0].or(both[1]) else { return };
            let components = |entity: &DumpedEntity| {
                let names: Vec<_> = entity.components.keys().map(String::as_str).collect();
                format!("with {}", if names.is_empty() { "nothing".to_owned() } else { names.join(", ") })
            };
            self.differences.push(FieldDifference {
                kind: None,
                name: "entity".to_owned(),
                entity: Some(there.id),
                label: there.label.clone(),
                path: String::new(),
                values: both.map(|entity| entity.map(components)),
            });
            return;
        };
        if one.is_enabled != other.is_enabled {
            self.differences.push(FieldDifference {
                kind: None,
                name: "entity".to_owned(),
                entity: Some(one.id),
                label: one.label.clone(),
                path: String::new(),
                values: [one, other].map(|entity| Some(enabled(entity.is_enabled))),
            });
        }
        let names: BTreeSet<&String> = one.components.keys().chain(other.components.keys()).collect();
        for name in names {
            let part = Part { kind: TypeKind::Component, name, entity: Some(one.id), label: &one.label };
            let components = [one, other].map(|entity| entity.components.get(name));
            if let [Some(one), Some(other)] = components
                && one.is_enabled != other.is_enabled
            {
                self.add(part, "", [one, other].map(|component| Some(enabled(component.is_enabled))));
            }
            self.values(part, components.map(|component| component.map(|component| &component.values)));
        }
    }

    fn values(&mut self, part: Part<'_>, both: [Option<&Values>; 2]) {
        if both[0] == both[1] || !self.is_known_to_both(part.kind, part.name) {
            return;
        }
        let [Some(one), Some(other)] = both else {
            return self.add(part, "", both.map(|values| values.map(whole)));
        };
        if one.iter().map(|(path, _)| path).eq(other.iter().map(|(path, _)| path)) {
            for ((path, one), (_, other)) in one.iter().zip(other).filter(|(one, other)| one != other) {
                // The state of a system may be one text.
                let is_debug = part.kind == TypeKind::System && !one.starts_with('"');
                let texts = match different_field(one, other).filter(|_| is_debug) {
                    Some((field, one, other)) => [one, other].map(|text| Some(format!("{field} {text}"))),
                    None => [Some(one.clone()), Some(other.clone())],
                };
                self.add(part, path, texts);
            }
            return;
        }
        let texts = [one, other]
            .map(|values| values.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<BTreeMap<_, _>>());
        let added = other.iter().filter(|(path, _)| !texts[0].contains_key(path.as_str()));
        for (path, _) in one.iter().chain(added) {
            let values = [&texts[0], &texts[1]].map(|texts| texts.get(path.as_str()).map(|text| (*text).to_owned()));
            if values[0] != values[1] {
                self.add(part, path, values);
            }
        }
    }

    /// Parts of the hashes that differ though no value does.
    fn parts(&mut self) {
        for part in self.both[0].hash.differing_parts(&self.both[1].hash) {
            let is_shown = match part.kind {
                None if part.name.as_ref() == "entities" => self.differences.iter().any(|other| other.name == "entity"),
                Some(TypeKind::Local) => {
                    let mut of_systems = self.differences.iter().filter(|other| other.kind == Some(TypeKind::System));
                    of_systems.any(|other| is_private_state(&other.path, &part.name))
                }
                kind => self.differences.iter().any(|other| other.part() == (kind, &*part.name)),
            };
            let is_known = match part.kind {
                Some(kind @ (TypeKind::Component | TypeKind::Resource | TypeKind::System)) => {
                    self.is_known_to_both(kind, &part.name)
                }
                _ => true,
            };
            if !is_shown && is_known {
                self.differences.push(FieldDifference {
                    kind: part.kind,
                    name: part.name.to_string(),
                    entity: None,
                    label: String::new(),
                    path: String::new(),
                    values: [None, None],
                });
            }
        }
    }
}

fn enabled(is_enabled: bool) -> String {
    if is_enabled { "enabled".to_owned() } else { "disabled".to_owned() }
}

/// Whether a path leads to private state of a type: `hits`, or `hits 2` for the second one.
fn is_private_state(path: &str, name: &str) -> bool {
    let steps = steps(path);
    let Some(behind) = steps.first().and_then(|step| step.strip_prefix(name)) else { return false };
    behind.is_empty() || behind.strip_prefix(' ').is_some_and(|number| number.parse::<u32>().is_ok())
}

/// A value as one text.
fn whole(values: &Values) -> String {
    let text = |(path, text): &(String, String)| match path.is_empty() {
        true => text.clone(),
        false => format!("{path} {text}"),
    };
    let texts: Vec<_> = values.iter().map(text).collect();
    match texts.as_slice() {
        [] => "there".to_owned(),
        [text] => text.clone(),
        texts => format!("({})", texts.join(", ")),
    }
}

/// A leaf as a text that differs where the leaves do.
fn exact(leaf: &Leaf) -> String {
    match leaf {
        Leaf::Single(number) if number.is_nan() => format!("NaN {:08x}", number.to_bits()),
        Leaf::Double(number) if number.is_nan() => format!("NaN {:016x}", number.to_bits()),
        // With a point, so that whole numbers are told apart.
        Leaf::Single(number) => format!("{number:?}"),
        Leaf::Double(number) => format!("{number:?}"),
        Leaf::Bytes(bytes) => format!("{bytes:02x?}"),
        leaf => leaf.to_string(),
    }
}

/// A number with a point or an exponent: whole ones may be ids, and variants may be called `Infinity`.
fn number(text: &str) -> Option<f64> {
    let is_number = text.starts_with(|first: char| first.is_ascii_digit() || first == '-');
    (is_number && text.contains(['.', 'e'])).then(|| text.parse().ok())?
}
