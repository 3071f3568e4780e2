//! [`Edits`]: changes by hand, which can be undone and redone.

use ecs::EntityId;
use ecs::inspect::{InspectError, Inspector};
use serde_json::Value;

use crate::values::limited;

/// What an edit changed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    /// The value of a component; `None` where there is none.
    Component(EntityId, String),
    /// Whether a component is enabled.
    ComponentEnabled(EntityId, String),
    EntityEnabled(EntityId),
    Resource(String),
    SystemEnabled(String),
}

/// The value at a place before and after an edit. Whether something is enabled is a boolean.
struct Edit {
    place: Place,
    before: Option<Value>,
    after: Option<Value>,
}

/// Limit of edits that can be undone.
const MOST_EDITS: usize = 1_000;

#[derive(Default)]
pub(crate) struct Edits {
    done: Vec<Edit>,
    undone: Vec<Edit>,
}

impl Edits {
    /// Changes the value at a place; `None` removes a component.
    pub(crate) fn make(
        &mut self,
        inspector: &mut Inspector<'_>,
        place: Place,
        after: Option<Value>,
    ) -> Result<(), String> {
        let before = read(inspector, &place)?;
        write(inspector, &place, after.as_ref())?;
        self.undone.clear();
        if self.done.len() == MOST_EDITS {
            self.done.remove(0);
        }
        self.done.push(Edit { place, before, after });
        Ok(())
    }

    /// Changes one part of a value; an empty path is the whole. The other parts keep their exact values, also those that a client
    /// cannot represent, such as integers of 64 bits in JavaScript.
    pub(crate) fn set(
        &mut self,
        inspector: &mut Inspector<'_>,
        place: Place,
        path: &str,
        part: Value,
    ) -> Result<(), String> {
        if path.is_empty() {
            return self.make(inspector, place, Some(part));
        }
        let mut whole = read(inspector, &place)?.ok_or("there is no such value")?;
        *whole.pointer_mut(path).ok_or_else(|| format!("the value has no part {path:?}"))? = part;
        self.make(inspector, place, Some(whole))
    }

    /// Takes back the last edit.
    pub(crate) fn undo(&mut self, inspector: &mut Inspector<'_>) -> Result<(), String> {
        let edit = self.done.pop().ok_or("there is nothing to undo")?;
        let outcome = write(inspector, &edit.place, edit.before.as_ref());
        self.undone.push(edit);
        outcome
    }

    /// Makes the last edit again that was taken back.
    pub(crate) fn redo(&mut self, inspector: &mut Inspector<'_>) -> Result<(), String> {
        let edit = self.undone.pop().ok_or("there is nothing to redo")?;
        let outcome = write(inspector, &edit.place, edit.after.as_ref());
        self.done.push(edit);
        outcome
    }

    /// How many edits can be undone and redone.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.done.len(), self.undone.len())
    }

    /// Forgets all edits, since another moment was restored.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

fn read(inspector: &mut Inspector<'_>, place: &Place) -> Result<Option<Value>, String> {
    let present = |value: Result<Value, InspectError>| match value {
        Ok(value) => Ok(Some(value)),
        Err(InspectError::Missing) => Ok(None),
        Err(error) => Err(error.to_string()),
    };
    match place {
        Place::Component(entity, name) => present(limited(|to| inspector.component(*entity, name, to))),
        Place::Resource(name) => present(limited(|to| inspector.resource(name, to))),
        Place::ComponentEnabled(entity, name) => {
            let components = inspector.components(*entity).ok_or_else(|| format!("entity {entity} is gone"))?;
            let component = components.iter().find(|known| known.name.as_deref() == Some(name));
            let component = component.ok_or_else(|| format!("entity {entity} has no component {name:?}"))?;
            Ok(Some(component.is_enabled.into()))
        }
        Place::EntityEnabled(entity) => {
            let is_enabled = inspector.engine().entities().is_enabled(*entity);
            Ok(Some(is_enabled.ok_or_else(|| format!("entity {entity} is gone"))?.into()))
        }
        Place::SystemEnabled(name) => {
            let mut systems = inspector.engine().systems().iter();
            let system = systems.find(|system| system.name == name);
            Ok(Some(system.ok_or_else(|| format!("there is no system {name:?}"))?.is_enabled.into()))
        }
    }
}

fn write(inspector: &mut Inspector<'_>, place: &Place, value: Option<&Value>) -> Result<(), String> {
    let is_enabled = value == Some(&Value::Bool(true));
    let refused = |error: InspectError| error.to_string();
    match (place, value) {
        (Place::Component(entity, name), Some(value)) => inspector.set_component(*entity, name, value).map_err(refused),
        (Place::Component(entity, name), None) => inspector.remove_component(*entity, name).map_err(refused),
        (Place::ComponentEnabled(entity, name), _) => {
            inspector.enable_component(*entity, name, is_enabled).map_err(refused)
        }
        (Place::EntityEnabled(entity), _) => {
            let engine = inspector.engine();
            let switched = if is_enabled { engine.enable(*entity) } else { engine.disable(*entity) };
            switched.map_err(|error| error.to_string())
        }
        (Place::Resource(name), Some(value)) => inspector.set_resource(name, value).map_err(refused),
        (Place::Resource(name), None) => Err(format!("resource {name:?} was absent, and cannot be removed again")),
        (Place::SystemEnabled(name), _) => {
            let engine = inspector.engine();
            let state = engine.work_state().with_named(name, is_enabled);
            let state = state.map_err(|_| format!("there is no system {name:?}"))?;
            engine.set_work_state(&state).map_err(|error| error.to_string())
        }
    }
}
