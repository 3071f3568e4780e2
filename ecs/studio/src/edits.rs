//! [`Edits`]: changes of values by hand, which can be undone and redone.

use std::collections::VecDeque;

use ecs::EntityId;
use ecs::inspect::{Edit, InspectError, Inspector};
use serde_json::Value;

use crate::history::Position;
use crate::values::limited;

/// What is changed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    /// A component, with whether it is enabled.
    Component(EntityId, String),
    Entity(EntityId),
    Resource(String),
    System(String),
}

impl Place {
    /// Its value, if it is there and its fields are known.
    pub(crate) fn value(&self, inspector: &Inspector<'_>) -> Option<Value> {
        match self {
            Self::Component(entity, name) => limited(|to| inspector.component(*entity, name, to)).ok(),
            Self::Resource(name) => limited(|to| inspector.resource(name, to)).ok(),
            Self::System(name) => limited(|to| inspector.system(name, to)).ok(),
            Self::Entity(_) => None,
        }
    }
}

/// The new content of a place.
pub(crate) enum Change<'a> {
    Value(&'a Value),
    Enabled(bool),
    Removed,
}

/// A change, and what takes it back.
enum Step {
    /// `before` is `None` for a resource that was absent, since resources are not removed.
    Value { before: Option<Edit>, after: Edit, frame: u64 },
    /// An entity was spawned or despawned.
    Entity(EntityStep),
}

/// The spawn or the despawn of an entity.
#[derive(Clone)]
pub(crate) struct EntityStep {
    pub(crate) edit: Edit,
    /// The entity that was spawned.
    pub(crate) spawned: Option<EntityId>,
    /// The frame after which it was made.
    pub(crate) frame: u64,
    /// The branch and the place before it, if they are kept.
    pub(crate) at: Option<(u64, Position)>,
}

/// Limits of what can be undone.
const MAX_STEPS: usize = 1_000;
const MAX_BYTES: usize = 1 << 24;

#[derive(Default)]
pub(crate) struct Edits {
    done: VecDeque<Step>,
    undone: Vec<Step>,
}

impl Edits {
    /// Changes the content of a place; returns the change.
    pub(crate) fn make(
        &mut self,
        inspector: &mut Inspector<'_>,
        place: &Place,
        change: Change<'_>,
    ) -> Result<Edit, String> {
        let before = content(inspector, place)?;
        // What cannot be put back is not changed: links between entities, for example.
        before.as_ref().map_or(Ok(()), |before| put(inspector, before))?;
        apply(inspector, place, change)?;
        let after = content(inspector, place)?.ok_or("it cannot be changed in this way")?;
        self.undone.clear();
        let frame = inspector.engine().time().frame();
        self.push(Step::Value { before, after: after.clone(), frame });
        Ok(after)
    }

    /// Notes a spawn or a despawn that was made.
    pub(crate) fn add_entity_step(&mut self, step: EntityStep, is_redone: bool) {
        match is_redone {
            true => _ = self.undone.pop(),
            false => self.undone.clear(),
        }
        self.push(Step::Entity(step));
    }

    /// The last change, if it is a spawn or a despawn.
    pub(crate) fn last_entity_step(&self) -> Option<EntityStep> {
        self.done.back().and_then(Step::entity)
    }

    /// The change that was taken back last, if it is a spawn or a despawn.
    pub(crate) fn next_entity_step(&self) -> Option<EntityStep> {
        self.undone.last().and_then(Step::entity)
    }

    /// Notes that the last change was taken back; it can be made again only if the state is that of before.
    pub(crate) fn note_undone(&mut self, can_be_redone: bool) {
        let step = self.done.pop_back();
        match can_be_redone {
            true => self.undone.extend(step),
            false => self.undone.clear(),
        }
    }

    fn push(&mut self, step: Step) {
        self.done.push_back(step);
        while self.done.len() > MAX_STEPS || self.bytes() > MAX_BYTES {
            self.done.pop_front();
        }
    }

    /// Changes one part of a value; an empty path is the whole. The other parts keep their values, also those that a
    /// client cannot represent, such as integers of 64 bits in JavaScript.
    pub(crate) fn set(
        &mut self,
        inspector: &mut Inspector<'_>,
        place: &Place,
        path: &str,
        part: Value,
    ) -> Result<Edit, String> {
        if path.is_empty() {
            return self.make(inspector, place, Change::Value(&part));
        }
        let whole = match place {
            Place::Component(entity, name) => limited(|to| inspector.component(*entity, name, to)),
            Place::Resource(name) => limited(|to| inspector.resource(name, to)),
            Place::Entity(_) | Place::System(_) => Err(InspectError::Missing),
        };
        let mut whole = whole.map_err(|error| error.to_string())?;
        *whole.pointer_mut(path).ok_or_else(|| format!("the value has no part {path:?}"))? = part;
        self.make(inspector, place, Change::Value(&whole))
    }

    /// Takes back the last change; returns the change that does it. One that cannot be taken back is dropped, so that
    /// it does not stand in the way of older ones.
    pub(crate) fn undo(&mut self, inspector: &mut Inspector<'_>) -> Result<Edit, String> {
        let Some(Step::Value { before, .. }) = self.done.back() else {
            return Err("there is nothing to undo".to_owned());
        };
        let before = before.clone();
        let step = self.done.pop_back();
        let before = before.ok_or("the resource was absent, and cannot be removed again: its change stays")?;
        put(inspector, &before).map_err(|problem| format!("{problem}: the change is not undone"))?;
        self.undone.extend(step);
        Ok(before)
    }

    /// Makes the last change again that was taken back.
    pub(crate) fn redo(&mut self, inspector: &mut Inspector<'_>) -> Result<Edit, String> {
        let Some(Step::Value { after, .. }) = self.undone.last() else {
            return Err("there is nothing to redo".to_owned());
        };
        let after = after.clone();
        let step = self.undone.pop();
        put(inspector, &after).map_err(|problem| format!("{problem}: the change is not made again"))?;
        self.done.extend(step);
        Ok(after)
    }

    /// How many changes can be undone and redone.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.done.len(), self.undone.len())
    }

    /// Forgets the changes that were made after a frame, which goes on in another way.
    pub(crate) fn forget_after(&mut self, frame: u64) {
        self.done.retain(|step| step.frame() <= frame);
        self.undone.clear();
    }

    /// Forgets all changes, since another moment goes on.
    pub(crate) fn clear(&mut self) {
        (self.done, self.undone) = (VecDeque::new(), Vec::new());
    }

    fn bytes(&self) -> usize {
        let of_step = |step: &Step| match step {
            Step::Value { before, after, .. } => before.as_ref().map_or(0, Edit::value_bytes) + after.value_bytes(),
            Step::Entity(_) => 0,
        };
        self.done.iter().map(of_step).sum()
    }
}

impl Step {
    /// The frame after which it was made.
    fn frame(&self) -> u64 {
        match self {
            Self::Value { frame, .. } => *frame,
            Self::Entity(step) => step.frame,
        }
    }

    fn entity(&self) -> Option<EntityStep> {
        match self {
            Self::Entity(step) => Some(step.clone()),
            Self::Value { .. } => None,
        }
    }
}

/// The content of a place, as the change that puts it there; `None` for a resource that is absent.
fn content(inspector: &mut Inspector<'_>, place: &Place) -> Result<Option<Edit>, String> {
    let refused = |error: InspectError| error.to_string();
    match place {
        Place::Component(entity, name) => {
            let components = inspector.components(*entity).ok_or_else(|| gone(*entity))?;
            let bytes = inspector.component_bytes(*entity, name).map_err(refused)?;
            let known = components.iter().find(|known| known.name.as_deref() == Some(name));
            let (entity, name) = (*entity, name.clone());
            Ok(Some(match bytes.zip(known) {
                Some((bytes, known)) => Edit::Component { entity, name, bytes, is_enabled: known.is_enabled },
                None => Edit::NoComponent { entity, name },
            }))
        }
        Place::Resource(name) => {
            let bytes = inspector.resource_bytes(name).map_err(refused)?;
            Ok(bytes.map(|bytes| Edit::Resource { name: name.clone(), bytes }))
        }
        Place::Entity(entity) => {
            let is_enabled = inspector.world().entities().is_enabled(*entity).ok_or_else(|| gone(*entity))?;
            Ok(Some(Edit::Entity { entity: *entity, is_enabled }))
        }
        Place::System(name) => {
            let mut systems = inspector.engine().systems().iter();
            let system = systems.find(|system| system.name == name);
            let is_enabled = system.ok_or_else(|| format!("there is no system {name:?}"))?.is_enabled;
            Ok(Some(Edit::System { name: name.clone(), is_enabled }))
        }
    }
}

fn gone(entity: EntityId) -> String {
    format!("entity {entity} is gone")
}

/// Makes an edit that spawns nothing.
fn put(inspector: &mut Inspector<'_>, edit: &Edit) -> Result<(), String> {
    inspector.make(edit).map(|_| ()).map_err(|error| error.to_string())
}

fn apply(inspector: &mut Inspector<'_>, place: &Place, change: Change<'_>) -> Result<(), String> {
    let refused = |error: InspectError| error.to_string();
    match (place, change) {
        (Place::Component(entity, name), Change::Value(value)) => {
            inspector.set_component(*entity, name, value).map_err(refused)
        }
        (Place::Component(entity, name), Change::Enabled(is_enabled)) => {
            inspector.enable_component(*entity, name, is_enabled).map_err(refused)
        }
        (Place::Component(entity, name), Change::Removed) => inspector.remove_component(*entity, name).map_err(refused),
        (Place::Resource(name), Change::Value(value)) => inspector.set_resource(name, value).map_err(refused),
        (Place::Entity(entity), Change::Enabled(is_enabled)) => {
            put(inspector, &Edit::Entity { entity: *entity, is_enabled })
        }
        (Place::System(name), Change::Enabled(is_enabled)) => {
            put(inspector, &Edit::System { name: name.clone(), is_enabled })
        }
        (Place::Resource(_) | Place::Entity(_) | Place::System(_), _) => {
            Err("it cannot be changed in this way".to_owned())
        }
    }
}
