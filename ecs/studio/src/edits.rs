//! [`Edits`]: changes by hand, which can be undone and redone.

use std::collections::VecDeque;

use ecs::EntityId;
use ecs::inspect::{InspectError, Inspector};
use serde_json::Value;

use crate::values::limited;

/// What an edit changed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    /// A component, with whether it is enabled.
    Component(EntityId, String),
    EntityEnabled(EntityId),
    Resource(String),
    SystemEnabled(String),
}

/// The new content of a place.
pub(crate) enum Change<'a> {
    Value(&'a Value),
    Enabled(bool),
    Removed,
}

/// The exact content of a place.
#[derive(Clone, Debug, PartialEq)]
enum Content {
    Absent,
    /// The bytes of a save, and for a component whether it is enabled.
    Value(Vec<u8>, bool),
    Enabled(bool),
}

struct Edit {
    place: Place,
    before: Content,
    after: Content,
}

/// Limits of what can be undone.
const MOST_EDITS: usize = 1_000;
const MOST_BYTES: usize = 1 << 24;

#[derive(Default)]
pub(crate) struct Edits {
    done: VecDeque<Edit>,
    undone: Vec<Edit>,
}

impl Edits {
    /// Changes the content of a place.
    pub(crate) fn make(
        &mut self,
        inspector: &mut Inspector<'_>,
        place: Place,
        change: Change<'_>,
    ) -> Result<(), String> {
        let before = content(inspector, &place)?;
        // What cannot be put back is not changed: links between entities, for example.
        put(inspector, &place, &before)?;
        apply(inspector, &place, change)?;
        let after = content(inspector, &place)?;
        self.undone.clear();
        self.done.push_back(Edit { place, before, after });
        while self.done.len() > MOST_EDITS || self.bytes() > MOST_BYTES {
            self.done.pop_front();
        }
        Ok(())
    }

    /// Changes one part of a value; an empty path is the whole. The other parts keep their values, also those that a client
    /// cannot represent, such as integers of 64 bits in JavaScript.
    pub(crate) fn set(
        &mut self,
        inspector: &mut Inspector<'_>,
        place: Place,
        path: &str,
        part: Value,
    ) -> Result<(), String> {
        if path.is_empty() {
            return self.make(inspector, place, Change::Value(&part));
        }
        let whole = match &place {
            Place::Component(entity, name) => limited(|to| inspector.component(*entity, name, to)),
            Place::Resource(name) => limited(|to| inspector.resource(name, to)),
            Place::EntityEnabled(_) | Place::SystemEnabled(_) => Err(InspectError::Missing),
        };
        let mut whole = whole.map_err(|error| error.to_string())?;
        *whole.pointer_mut(path).ok_or_else(|| format!("the value has no part {path:?}"))? = part;
        self.make(inspector, place, Change::Value(&whole))
    }

    /// Takes back the last edit.
    pub(crate) fn undo(&mut self, inspector: &mut Inspector<'_>) -> Result<(), String> {
        let edit = self.done.back().ok_or("there is nothing to undo")?;
        put(inspector, &edit.place, &edit.before)?;
        self.undone.extend(self.done.pop_back());
        Ok(())
    }

    /// Makes the last edit again that was taken back.
    pub(crate) fn redo(&mut self, inspector: &mut Inspector<'_>) -> Result<(), String> {
        let edit = self.undone.last().ok_or("there is nothing to redo")?;
        put(inspector, &edit.place, &edit.after)?;
        self.done.extend(self.undone.pop());
        Ok(())
    }

    /// How many edits can be undone and redone.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.done.len(), self.undone.len())
    }

    /// Forgets all edits, since another moment goes on.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    fn bytes(&self) -> usize {
        let of = |content: &Content| if let Content::Value(bytes, _) = content { bytes.len() } else { 0 };
        self.done.iter().map(|edit| of(&edit.before) + of(&edit.after)).sum()
    }
}

fn gone(entity: EntityId) -> String {
    format!("entity {entity} is gone")
}

fn content(inspector: &mut Inspector<'_>, place: &Place) -> Result<Content, String> {
    match place {
        Place::Component(entity, name) => {
            let components = inspector.components(*entity).ok_or_else(|| gone(*entity))?;
            let bytes = inspector.component_bytes(*entity, name).map_err(|error| error.to_string())?;
            let known = components.iter().find(|known| known.name.as_deref() == Some(name));
            Ok(bytes.zip(known).map_or(Content::Absent, |(bytes, known)| Content::Value(bytes, known.is_enabled)))
        }
        Place::Resource(name) => {
            let bytes = inspector.resource_bytes(name).map_err(|error| error.to_string())?;
            Ok(bytes.map_or(Content::Absent, |bytes| Content::Value(bytes, true)))
        }
        Place::EntityEnabled(entity) => {
            let is_enabled = inspector.world().entities().is_enabled(*entity);
            Ok(Content::Enabled(is_enabled.ok_or_else(|| gone(*entity))?))
        }
        Place::SystemEnabled(name) => {
            let mut systems = inspector.engine().systems().iter();
            let system = systems.find(|system| system.name == name);
            Ok(Content::Enabled(system.ok_or_else(|| format!("there is no system {name:?}"))?.is_enabled))
        }
    }
}

/// Puts back what [`content`] returned.
fn put(inspector: &mut Inspector<'_>, place: &Place, content: &Content) -> Result<(), String> {
    let refused = |error: InspectError| error.to_string();
    match (place, content) {
        (Place::Component(entity, name), Content::Value(bytes, is_enabled)) => {
            inspector.set_component_bytes(*entity, name, bytes).map_err(refused)?;
            inspector.enable_component(*entity, name, *is_enabled).map_err(refused)
        }
        (Place::Component(entity, name), Content::Absent) => match inspector.component_bytes(*entity, name) {
            Ok(Some(_)) => inspector.remove_component(*entity, name).map_err(refused),
            Ok(None) => Ok(()),
            Err(error) => Err(refused(error)),
        },
        (Place::Resource(name), Content::Value(bytes, _)) => inspector.set_resource_bytes(name, bytes).map_err(refused),
        (Place::Resource(name), Content::Absent) => match inspector.resource_bytes(name) {
            Ok(Some(_)) => Err(format!("resource {name:?} was absent, and cannot be removed again")),
            Ok(None) => Ok(()),
            Err(error) => Err(refused(error)),
        },
        (_, Content::Enabled(is_enabled)) => apply(inspector, place, Change::Enabled(*is_enabled)),
        (Place::EntityEnabled(_) | Place::SystemEnabled(_), _) => Ok(()),
    }
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
        (Place::EntityEnabled(entity), Change::Enabled(is_enabled)) => {
            let engine = inspector.engine();
            let switched = if is_enabled { engine.enable(*entity) } else { engine.disable(*entity) };
            switched.map_err(|error| error.to_string())
        }
        (Place::SystemEnabled(name), Change::Enabled(is_enabled)) => {
            let engine = inspector.engine();
            let state = engine.work_state().with_named(name, is_enabled);
            let state = state.ok_or_else(|| format!("there is no system {name:?}"))?;
            engine.set_work_state(&state).map_err(|error| error.to_string())
        }
        (Place::Resource(_) | Place::EntityEnabled(_) | Place::SystemEnabled(_), _) => {
            Err("it cannot be changed in this way".to_owned())
        }
    }
}
