//! [`Field`]: a component of an entity, a resource or the state of a system, or a part of one, and how its value is
//! read while a frame runs.

use std::any::{Any, TypeId};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::state::{StateReaders, SystemKey, Systems};
use super::{ValueChange, WriteKind, of_entity};
use crate::entity::EntityId;
use crate::panic::told;
use crate::system::SystemManager;
use crate::type_map::TypeMap;
use crate::types::{Leaf, Show, ShowComponent, ShowEvent, ShowResource, TypeRegistry, Walker, in_path};
use crate::world::World;

/// Values of a field that are compared and told one by one; the others are compared by a hash.
const MOST_LEAVES: usize = 1_000;
/// Changes of values that one write tells.
const MOST_CHANGES: usize = 20;

/// A component of an entity, a resource or the state of a system, or a part of one;
/// [`Inspector::field`](crate::inspect::Inspector::field) makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub(crate) owner: Owner,
    /// The stable name of the type, or the name of the system.
    pub(crate) name: Arc<str>,
    pub(crate) path: Box<[Box<str>]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Component(EntityId, TypeId),
    Resource(TypeId),
    System(SystemKey),
}

impl Field {
    /// The entity; `None` for a resource or a system.
    #[must_use]
    pub fn entity(&self) -> Option<EntityId> {
        match self.owner {
            Owner::Component(entity, _) => Some(entity),
            Owner::Resource(_) | Owner::System(_) => None,
        }
    }

    /// The name of the system whose state it is; `None` for a component or a resource.
    #[must_use]
    pub fn system(&self) -> Option<&str> {
        matches!(self.owner, Owner::System(_)).then_some(&*self.name)
    }

    /// The name with a path, which begins with that of the field.
    fn name_with(&self, path: &str) -> String {
        let dot = if path.is_empty() { "" } else { "." };
        format!("{}{dot}{path}", in_path(&self.name))
    }

    /// The name with the path, as questions have it: `pocket.carried`.
    #[must_use]
    pub fn text(&self) -> String {
        self.name_with(&self.path_text())
    }

    fn path_text(&self) -> String {
        let path: Vec<_> = self.path.iter().map(|step| in_path(step)).collect();
        path.join(".")
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let owner = match self.owner {
            Owner::Component(entity, _) => of_entity(entity),
            Owner::Resource(_) => " (resource)".to_owned(),
            Owner::System(_) => " (system)".to_owned(),
        };
        write!(f, "{}{owner}", self.text())
    }
}

/// The value of a field at a moment; [`Inspector::field_value`](crate::inspect::Inspector::field_value) makes it.
#[derive(Clone, PartialEq)]
pub struct FieldValue(Seen);

impl FieldValue {
    pub(crate) fn of(field: &Field, types: &TypeRegistry, world: &World, systems: &SystemManager) -> Self {
        Self(Seen::of(field, &Readers::of_field(field, types), world, Systems::All(systems)))
    }
}

/// How values of all registered types are shown, without the registry, which frames have no access to.
pub(crate) struct Readers {
    pub(super) components: TypeMap<(Arc<str>, ShowComponent)>,
    pub(super) resources: TypeMap<(Arc<str>, ShowResource)>,
    events: TypeMap<ShowEvent>,
    pub(crate) states: StateReaders,
}

impl Readers {
    pub(crate) fn of(types: &TypeRegistry) -> Self {
        let components = types.components.by_name();
        let resources = types.resources.by_name();
        let events = types.events.by_name();
        Self {
            components: components
                .map(|entry| (entry.type_id, (entry.name.clone(), entry.what.shower(entry.codec.as_deref()))))
                .collect(),
            resources: resources
                .map(|entry| (entry.type_id, (entry.name.clone(), entry.what.shower(entry.codec.as_deref()))))
                .collect(),
            events: events
                .filter_map(|entry| Some((entry.type_id, entry.what.shower(entry.codec.as_deref()?)?)))
                .collect(),
            states: StateReaders::of(types),
        }
    }

    /// The stable name of a component, and how one is shown.
    pub(crate) fn component(&self, component: TypeId) -> Option<&(Arc<str>, ShowComponent)> {
        self.components.get(&component)
    }

    /// The stable name of a resource, and how it is shown.
    pub(crate) fn resource(&self, resource: TypeId) -> Option<&(Arc<str>, ShowResource)> {
        self.resources.get(&resource)
    }

    /// How values of the type of a field are shown.
    fn of_field(field: &Field, types: &TypeRegistry) -> Self {
        let mut readers = Self {
            components: TypeMap::default(),
            resources: TypeMap::default(),
            events: TypeMap::default(),
            states: StateReaders::default(),
        };
        match field.owner {
            Owner::Component(_, component) => {
                let entry = types.components.of(component);
                let shower = entry.map(|entry| (entry.name.clone(), entry.what.shower(entry.codec.as_deref())));
                readers.components.extend(shower.map(|shower| (component, shower)));
            }
            Owner::Resource(resource) => {
                let entry = types.resources.of(resource);
                let shower = entry.map(|entry| (entry.name.clone(), entry.what.shower(entry.codec.as_deref())));
                readers.resources.extend(shower.map(|shower| (resource, shower)));
            }
            Owner::System(_) => readers.states = StateReaders::of(types),
        }
        readers
    }

    /// Passes on the leaves of a traced event.
    pub(super) fn walk_event(&self, event_type: TypeId, copied: &dyn Any, at: usize, leaf: &mut dyn FnMut(&str, Leaf)) {
        if let Some(show) = self.events.get(&event_type) {
            show(copied, at, &mut walking(&[], leaf));
        }
    }
}

/// What receives a value, and passes on the leaves of a part of it.
pub(crate) fn walking<'a>(
    path: &'a [Box<str>],
    leaf: &'a mut dyn FnMut(&str, Leaf),
) -> impl FnMut(Option<&dyn erased_serde::Serialize>) + 'a {
    move |value| {
        // What panics or fails in user code has no leaves.
        _ = told("its `Serialize` panicked", || {
            value.map(|value| erased_serde::serialize(value, &mut Walker::new(path, leaf)))
        });
    }
}

/// Whether there is a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    NoEntity,
    /// The entity lacks the component, or there is no such resource or system.
    Absent,
    There {
        is_enabled: bool,
    },
}

/// A value of a field at a moment.
#[derive(Clone, PartialEq)]
pub(super) struct Seen {
    pub(super) presence: Presence,
    leaves: Vec<(String, Leaf)>,
    /// The leaves behind the first ones.
    others: (u64, u64),
}

impl Seen {
    pub(super) fn of(field: &Field, readers: &Readers, world: &World, systems: Systems<'_>) -> Self {
        let (mut leaves, mut others) = (Vec::new(), (0, 0));
        let mut leaf = |path: &str, leaf: Leaf| {
            if leaves.len() < MOST_LEAVES {
                leaves.push((path.to_owned(), leaf));
                return;
            }
            let mut hash = DefaultHasher::new();
            (others, path, leaf.to_string()).hash(&mut hash);
            others = (others.0 + 1, hash.finish());
        };
        let mut walk = walking(&field.path, &mut leaf);
        let show: Show<'_> = &mut walk;
        let presence = match field.owner {
            Owner::Resource(resource) => match readers.resources.get(&resource) {
                Some((_, shower)) if shower(world, show) => Presence::There { is_enabled: true },
                _ => Presence::Absent,
            },
            Owner::System(key) => match systems.find(key) {
                Some(node) if readers.states.show(node, show) => Presence::There { is_enabled: true },
                _ => Presence::Absent,
            },
            Owner::Component(entity, component) => {
                let is_there =
                    readers.components.get(&component).is_some_and(|(_, shower)| shower(world, entity, show));
                match world.entities().is_enabled(entity) {
                    None => Presence::NoEntity,
                    Some(_) if !is_there => Presence::Absent,
                    // Disabling is told of the component only, not of each of its fields.
                    Some(_) if !field.path.is_empty() => Presence::There { is_enabled: true },
                    Some(is_enabled) => {
                        let id = world.components().id_by_type(component);
                        let info = world.components().info_of(entity);
                        let own = info.iter().flat_map(|info| &info.components).find(|own| Some(own.id) == id);
                        Presence::There { is_enabled: is_enabled && own.is_some_and(|own| own.is_enabled) }
                    }
                }
            }
        };
        drop(walk);
        Self { presence, leaves, others }
    }

    pub(super) fn is_there(&self) -> bool {
        matches!(self.presence, Presence::There { .. })
    }

    /// The value as people read it; `None` if it is not there.
    pub(super) fn text(&self, field: &Field) -> Option<String> {
        if !self.is_there() {
            return None;
        }
        let whole = field.path_text();
        match self.leaves.as_slice() {
            [] => Some("without this part".to_owned()),
            [(path, leaf)] if *path == whole => Some(leaf.to_string()),
            leaves => {
                let more = leaves.len() + self.others.0 as usize;
                let shown: Vec<_> =
                    leaves.iter().take(MOST_CHANGES).map(|(path, leaf)| format!("{path} {leaf}")).collect();
                let rest = more - shown.len();
                let rest = if rest > 0 { format!(" and {rest} more values") } else { String::new() };
                Some(format!("({}{rest})", shown.join(", ")))
            }
        }
    }

    /// What a write did that led from this value to another one.
    pub(super) fn kind(&self, after: &Self) -> WriteKind {
        match (self.presence, after.presence) {
            (Presence::NoEntity, Presence::There { .. }) => WriteKind::Spawned,
            (Presence::Absent, Presence::There { .. }) => WriteKind::Inserted,
            (Presence::There { .. }, Presence::Absent) => WriteKind::Removed,
            (Presence::There { .. }, Presence::NoEntity) => WriteKind::Despawned,
            (Presence::There { is_enabled: false }, Presence::There { is_enabled: true }) => WriteKind::Enabled,
            (Presence::There { is_enabled: true }, Presence::There { is_enabled: false }) => WriteKind::Disabled,
            _ => WriteKind::Changed,
        }
    }

    /// The values that differ, and the only one that is new.
    pub(super) fn changes(&self, after: &Self, field: &Field) -> (Vec<ValueChange>, Option<Leaf>) {
        let (mut changes, mut new) = (Vec::new(), None);
        let mut count = 0;
        let mut add = |path: &str, before: Option<&Leaf>, after: Option<&Leaf>| {
            if before == after {
                return;
            }
            count += 1;
            new = after.filter(|_| count == 1).cloned();
            if changes.len() < MOST_CHANGES {
                let [before, after] = [before, after].map(|leaf| leaf.map(Leaf::to_string));
                changes.push(ValueChange { name: field.name_with(path), before, after });
            }
        };
        if self.leaves.iter().map(|(path, _)| path).eq(after.leaves.iter().map(|(path, _)| path)) {
            for ((path, before), (_, after)) in self.leaves.iter().zip(&after.leaves) {
                add(path, Some(before), Some(after));
            }
        } else {
            let find =
                |all: &Self, path: &str| all.leaves.iter().find(|(own, _)| own == path).map(|(_, leaf)| leaf.clone());
            for (path, leaf) in &self.leaves {
                add(path, Some(leaf), find(after, path).as_ref());
            }
            for (path, leaf) in &after.leaves {
                if find(self, path).is_none() {
                    add(path, None, Some(leaf));
                }
            }
        }
        (changes, new)
    }
}
