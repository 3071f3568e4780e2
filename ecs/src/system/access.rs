//! What a system touches, collected from the parameters of its methods.

use std::sync::Arc;

use crate::component::{ComponentId, ComponentMask};
use crate::event::EventTypeId;
use crate::query::QueryTally;
use crate::resources::ResourceId;
use crate::world::World;

/// What the parameters of one method touch.
#[derive(Clone, Debug, Default)]
pub struct Access {
    pub(crate) reads: ComponentMask,
    pub(crate) writes: ComponentMask,
    pub(crate) resource_reads: Vec<ResourceId>,
    pub(crate) resource_writes: Vec<ResourceId>,
    pub(crate) sends: Vec<EventTypeId>,
    /// What its queries require.
    pub(crate) queries: Vec<Arc<QueryTally>>,
    /// Asks for changes of structure.
    pub(crate) commands: bool,
    /// Hands out ids, which nobody else may do or look at meanwhile.
    pub(crate) spawns: bool,
    pub(crate) reads_entities: bool,
    pub(crate) changes_subscriptions: bool,
    /// Takes the whole world.
    pub(crate) is_exclusive: bool,
    conflict: Option<String>,
}

impl Access {
    /// What a method touches that takes the whole world.
    pub(crate) fn exclusive() -> Self {
        Self { is_exclusive: true, ..Self::default() }
    }

    /// What two parameters of the same method can not have at once, in words.
    pub(crate) fn conflict(&self) -> Option<&str> {
        self.conflict.as_deref()
    }

    fn note(&mut self, is_conflict: bool, kind: &str, name: &str) {
        if is_conflict && self.conflict.is_none() {
            self.conflict = Some(format!(
                "it asks for {kind} {name} for writing and a second time: join the two into one parameter"
            ));
        }
    }

    pub(crate) fn read_component(&mut self, id: ComponentId, name: &str) {
        self.note(self.writes.contains(id), "component", name);
        self.reads.insert(id);
    }

    pub(crate) fn write_component(&mut self, id: ComponentId, name: &str) {
        self.note(self.writes.contains(id) || self.reads.contains(id), "component", name);
        self.writes.insert(id);
    }

    pub(crate) fn read_resource(&mut self, id: ResourceId, name: &str) {
        self.note(self.resource_writes.contains(&id), "resource", name);
        self.resource_reads.push(id);
    }

    pub(crate) fn write_resource(&mut self, id: ResourceId, name: &str) {
        self.note(self.resource_writes.contains(&id) || self.resource_reads.contains(&id), "resource", name);
        self.resource_writes.push(id);
    }

    pub(crate) fn read_entities(&mut self) {
        self.reads_entities = true;
        self.note_entities();
    }

    pub(crate) fn spawn(&mut self) {
        self.note(self.spawns, "the", "Spawner");
        self.spawns = true;
        self.note_entities();
    }

    fn note_entities(&mut self) {
        if self.spawns && self.reads_entities && self.conflict.is_none() {
            self.conflict = Some(
                "it has a Spawner and looks at all entities: let its query require a component, or use `Commands`"
                    .to_owned(),
            );
        }
    }

    /// Whether something may wait in the lanes of the system after the method.
    pub(crate) fn fills_lanes(&self) -> bool {
        self.commands || self.spawns || !self.sends.is_empty()
    }

    /// Adds what another method of the same phase touches.
    pub(crate) fn join(&mut self, other: &Self) {
        self.reads.insert_all(&other.reads);
        self.writes.insert_all(&other.writes);
        self.resource_reads.extend(&other.resource_reads);
        self.resource_writes.extend(&other.resource_writes);
        self.sends.extend(&other.sends);
        self.queries.extend(other.queries.iter().cloned());
        self.commands |= other.commands;
        self.spawns |= other.spawns;
        self.reads_entities |= other.reads_entities;
        self.changes_subscriptions |= other.changes_subscriptions;
        self.is_exclusive |= other.is_exclusive;
    }

    /// All that keeps two systems from running side by side; empty if nothing does.
    pub(crate) fn clashes(&self, other: &Self) -> Vec<Clash> {
        if self.is_exclusive || other.is_exclusive {
            return vec![Clash::World];
        }
        let written = self.writes.iter().filter(|id| other.writes.contains(*id) || other.reads.contains(*id));
        let read = other.writes.iter().filter(|id| self.reads.contains(*id) && !self.writes.contains(*id));
        let mut clashes: Vec<_> = written.chain(read).map(Clash::Component).collect();
        let touches = |access: &Self, id| access.resource_reads.contains(id) || access.resource_writes.contains(id);
        let written = self.resource_writes.iter().filter(|id| touches(other, id));
        let read = other.resource_writes.iter().filter(|id| touches(self, id));
        for clash in written.chain(read).map(|id| Clash::Resource(*id)) {
            // Methods of one phase may name the same resource, each for itself.
            if !clashes.contains(&clash) {
                clashes.push(clash);
            }
        }
        let entities = |access: &Self| access.spawns || access.reads_entities;
        if (self.spawns && entities(other)) || (other.spawns && entities(self)) {
            clashes.push(Clash::Entities);
        }
        if self.changes_subscriptions && other.changes_subscriptions {
            clashes.push(Clash::Subscriptions);
        }
        clashes
    }
}

/// What two systems can not have at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clash {
    Component(ComponentId),
    Resource(ResourceId),
    Entities,
    Subscriptions,
    World,
    /// Nothing that they touch: one was declared to run after the other.
    Order,
}

impl Clash {
    /// What it is, in words.
    pub(crate) fn describe(self, world: &World) -> String {
        match self {
            Self::Component(id) => format!("component {}", world.components.name(id)),
            Self::Resource(id) => format!("resource {}", world.resources.name(id)),
            Self::Entities => "handing out ids".to_owned(),
            Self::Subscriptions => "switching subscriptions".to_owned(),
            Self::World => "the whole world".to_owned(),
            Self::Order => "the declared order".to_owned(),
        }
    }
}
