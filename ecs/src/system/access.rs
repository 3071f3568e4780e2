//! What a system touches, collected from the parameters of its methods.

use crate::component::{ComponentId, ComponentMask};
use crate::event::EventTypeId;
use crate::resources::ResourceId;

/// What the parameters of one method touch.
#[derive(Clone, Debug, Default)]
pub struct Access {
    pub(crate) reads: ComponentMask,
    pub(crate) writes: ComponentMask,
    pub(crate) resource_reads: Vec<ResourceId>,
    pub(crate) resource_writes: Vec<ResourceId>,
    pub(crate) sends: Vec<EventTypeId>,
    /// Hands out ids, which nobody else may do or look at meanwhile.
    pub(crate) spawns: bool,
    pub(crate) reads_entities: bool,
    pub(crate) changes_subscriptions: bool,
    conflict: Option<String>,
}

impl Access {
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
            self.conflict =
                Some("it has a Spawner and a query without a required component: let the query require one".to_owned());
        }
    }
}
