//! [`Fields`]: shows and reads values of one type in any format of serde.

use std::any::Any;

use erased_serde::{Deserializer, Serialize};
use serde::de::DeserializeOwned;

use super::component_type::{AnyComponentType, ComponentType};
use super::different_values::shown;
use super::event_type::EventKind;
use super::registry::TypeRegistry;
use super::resource_type::{AnyResourceType, ResourceType};
use super::saved::{Codec, SavedValues};
use super::system_type::{AnySystemType, SystemType};
use crate::component::Component;
use crate::entity::{EntityId, NoSuchEntity};
use crate::error::CommandFailure;
use crate::event::{CopyEvents, EventManager};
use crate::panic::told;
use crate::stable_hash::StateHasher;
use crate::world::World;

/// Shows values of a type, and reads new ones.
pub(crate) struct Fields<T> {
    show: fn(&T) -> &dyn Serialize,
    /// `None` for values that only the engine may change, such as links between entities.
    read: Option<ReadValue<T>>,
}

type ReadValue<T> = fn(&mut dyn Deserializer<'_>) -> Result<T, erased_serde::Error>;

impl<T> Clone for Fields<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Fields<T> {}

/// The fields of values that only the engine may change.
pub(super) fn fields_of_engine<T: serde::Serialize>() -> Fields<T> {
    Fields { show: |value| value, read: None }
}

/// The fields of values that may be replaced.
pub(super) fn editable_fields<T: serde::Serialize + DeserializeOwned>() -> Fields<T> {
    Fields { read: Some(|from| erased_serde::deserialize(from)), ..fields_of_engine() }
}

impl Codec {
    /// How values are shown and edited.
    fn fields<T: 'static>(&self) -> Option<&Fields<T>> {
        self.fields.as_ref().map(|fields| fields.downcast_ref().expect("codecs are found by their type"))
    }
}

/// Receives a value; `None` if the fields of its type are unknown.
pub(crate) type Show<'a> = &'a mut dyn FnMut(Option<&dyn Serialize>);

/// As [`InspectComponents::show_component`], without the registry; a value whose fields are unknown is shown as one
/// text.
pub(crate) type ShowComponent = Box<dyn Fn(&World, EntityId, Show<'_>) -> bool + Send>;

/// As [`ShowComponent`], of a resource.
pub(crate) type ShowResource = Box<dyn Fn(&World, Show<'_>) -> bool + Send>;

/// Shows one of several events that were copied from a run: a `Vec<E>`.
pub(crate) type ShowEvent = Box<dyn Fn(&dyn Any, usize, Show<'_>) + Send>;

/// Shows the state of a system, or private state: a value of the type for which it was made.
pub(crate) type ShowState = Box<dyn Fn(&dyn Any, Show<'_>) + Send + Sync>;

/// Sets a component that was read.
pub(crate) type SetComponent = Box<dyn FnOnce(&mut World, EntityId) -> Result<(), NoSuchEntity>>;

/// Sets a resource that was read.
pub(crate) type SetResource = Box<dyn FnOnce(&mut World)>;

type ChangeComponent = fn(&mut World, EntityId) -> Result<(), CommandFailure>;

/// Changes of a component by its type.
pub(crate) struct ComponentOperations {
    pub(crate) remove: ChangeComponent,
    pub(crate) enable: ChangeComponent,
    pub(crate) disable: ChangeComponent,
}

/// Why a value was not read.
pub(crate) enum ReadError {
    OnlyRead,
    Value(String),
}

/// Shows a value by the fields of its type.
pub(crate) fn show_value<T: 'static>(codec: &Codec, value: &T, to: Show<'_>) {
    to(codec.fields::<T>().map(|fields| (fields.show)(value)));
}

pub(crate) fn read_value<T: 'static>(codec: &Codec, from: &mut dyn Deserializer<'_>) -> Result<T, ReadError> {
    let read = codec.fields::<T>().and_then(|fields| fields.read).ok_or(ReadError::OnlyRead)?;
    let read = told("its `Deserialize` panicked", || read(from).map_err(|error| error.to_string()));
    read.flatten().map_err(ReadError::Value)
}

/// Reads a value that [`Codec::append`] wrote.
pub(crate) fn read_value_bytes<T: 'static>(codec: &Codec, bytes: &[u8]) -> Result<T, ReadError> {
    // A type without a reader is read-only.
    codec.fields::<T>().and_then(|fields| fields.read).ok_or(ReadError::OnlyRead)?;
    codec.load_one(codec.version(), SavedValues::Bytes(bytes)).map_err(ReadError::Value)
}

/// The part of `AnyComponentType` that shows and edits values.
pub(crate) trait InspectComponents {
    /// Shows the component of an entity; returns whether the entity has one.
    fn show_component(&self, codec: &Codec, world: &World, entity: EntityId, to: Show<'_>) -> bool;
    /// Reads a value that is then set as a component.
    fn read_component(&self, codec: &Codec, from: &mut dyn Deserializer<'_>) -> Result<SetComponent, ReadError>;
    /// The component of an entity in the bytes of a save.
    fn component_bytes(&self, codec: &Codec, world: &World, entity: EntityId) -> Option<Result<Vec<u8>, String>>;
    /// Reads a component from the bytes of a save.
    fn read_component_bytes(&self, codec: &Codec, bytes: &[u8]) -> Result<SetComponent, ReadError>;
    fn operations(&self) -> ComponentOperations;
    /// Shows components without the registry.
    fn shower(&self, codec: Option<&Codec>) -> ShowComponent;
}

impl<T: Component> InspectComponents for ComponentType<T> {
    fn show_component(&self, codec: &Codec, world: &World, entity: EntityId, to: Show<'_>) -> bool {
        world.get::<T>(entity).map(|value| show_value(codec, value, to)).is_some()
    }

    fn read_component(&self, codec: &Codec, from: &mut dyn Deserializer<'_>) -> Result<SetComponent, ReadError> {
        read_value(codec, from).map(set_component::<T>)
    }

    fn component_bytes(&self, codec: &Codec, world: &World, entity: EntityId) -> Option<Result<Vec<u8>, String>> {
        world.get::<T>(entity).map(|value| codec.append(value, Vec::new(), &|value, hash| self.hash_value(value, hash)))
    }

    fn read_component_bytes(&self, codec: &Codec, bytes: &[u8]) -> Result<SetComponent, ReadError> {
        read_value_bytes(codec, bytes).map(set_component::<T>)
    }

    fn operations(&self) -> ComponentOperations {
        ComponentOperations {
            remove: World::remove::<T>,
            enable: World::enable_component::<T>,
            disable: World::disable_component::<T>,
        }
    }

    fn shower(&self, codec: Option<&Codec>) -> ShowComponent {
        let (fields, debug, hash) = (codec.and_then(Codec::fields::<T>).copied(), self.show, self.hash);
        Box::new(move |world, entity, to| {
            let Some(value) = world.get::<T>(entity) else { return false };
            match fields {
                Some(fields) => to(Some((fields.show)(value))),
                None => to(Some(&shown(value, debug, hash))),
            }
            true
        })
    }
}

/// Sets a component to a value, or inserts it.
fn set_component<T: Component>(value: T) -> SetComponent {
    Box::new(move |world, entity| match world.get_mut(entity) {
        Some(component) => {
            *component = value;
            Ok(())
        }
        None => world.insert(entity, (value,)),
    })
}

/// The part of `AnyResourceType` that shows and edits values.
pub(crate) trait InspectResource {
    /// Shows the resource; returns whether it is present.
    fn show_resource(&self, codec: &Codec, world: &World, to: Show<'_>) -> bool;
    /// Reads a value that then replaces the resource.
    fn read_resource(&self, codec: &Codec, from: &mut dyn Deserializer<'_>) -> Result<SetResource, ReadError>;
    /// The resource in the bytes of a save.
    fn resource_bytes(&self, codec: &Codec, world: &World) -> Option<Result<Vec<u8>, String>>;
    /// Reads the resource from the bytes of a save.
    fn read_resource_bytes(&self, codec: &Codec, bytes: &[u8]) -> Result<SetResource, ReadError>;
    /// Shows the resource without the registry.
    fn shower(&self, codec: Option<&Codec>) -> ShowResource;
}

impl<T: Send + Sync + 'static> InspectResource for ResourceType<T> {
    fn show_resource(&self, codec: &Codec, world: &World, to: Show<'_>) -> bool {
        world.resource::<T>().map(|value| show_value(codec, &*value, to)).is_some()
    }

    fn read_resource(&self, codec: &Codec, from: &mut dyn Deserializer<'_>) -> Result<SetResource, ReadError> {
        read_value(codec, from).map(set_resource::<T>)
    }

    fn resource_bytes(&self, codec: &Codec, world: &World) -> Option<Result<Vec<u8>, String>> {
        world
            .resource::<T>()
            .map(|value| codec.append(&*value, Vec::new(), &|value, hash| self.hash_value(value, hash)))
    }

    fn read_resource_bytes(&self, codec: &Codec, bytes: &[u8]) -> Result<SetResource, ReadError> {
        read_value_bytes(codec, bytes).map(set_resource::<T>)
    }

    fn shower(&self, codec: Option<&Codec>) -> ShowResource {
        let (fields, debug, hash) = (codec.and_then(Codec::fields::<T>).copied(), self.show, self.hash);
        Box::new(move |world, to| {
            let Some(value) = world.resource::<T>() else { return false };
            match fields {
                Some(fields) => to(Some((fields.show)(&value))),
                None => to(Some(&shown(&*value, debug, hash))),
            }
            true
        })
    }
}

fn set_resource<T: Send + Sync + 'static>(value: T) -> SetResource {
    Box::new(move |world| _ = world.resources.replace(Some(value)))
}

/// The part of `AnySystemType` that shows values.
pub(crate) trait InspectState {
    /// Shows states without the registry; `None` for functions, whose captured values have no names.
    fn shower(&self, codec: Option<&Codec>) -> Option<ShowState>;
    /// Whether the fields of the type are known.
    fn has_fields(&self, codec: Option<&Codec>) -> bool;
}

impl<S: Send + 'static> InspectState for SystemType<S> {
    fn shower(&self, codec: Option<&Codec>) -> Option<ShowState> {
        if self.is_function() {
            return None;
        }
        let (fields, debug, hash) = (codec.and_then(Codec::fields::<S>).copied(), self.show, self.hash);
        Some(Box::new(move |state, to| match (fields, state.downcast_ref::<S>()) {
            (Some(fields), Some(state)) => to(Some((fields.show)(state))),
            (None, Some(value)) => {
                let shown = debug.and_then(|_| without_parts(state));
                to(Some(shown.unwrap_or(&DebugText { value, debug, hash })));
            }
            (_, None) => {}
        }))
    }

    fn has_fields(&self, codec: Option<&Codec>) -> bool {
        codec.and_then(Codec::fields::<S>).is_some()
    }
}

/// A value of a type that has no parts.
fn without_parts(value: &dyn Any) -> Option<&dyn Serialize> {
    macro_rules! one_of {
        ($($known:ty)*) => {
            None$(.or_else(|| value.downcast_ref::<$known>().map(|value| value as &dyn Serialize)))*
        };
    }
    one_of!(bool i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 char String EntityId)
}

/// The name of the newtype around a text that `Debug` wrote.
pub(super) const DEBUG_TEXT: &str = "ecs debug text";

/// A value as `Debug` writes it, or its hash.
struct DebugText<'a, T> {
    value: &'a T,
    debug: Option<fn(&T) -> String>,
    hash: fn(&T, &mut StateHasher),
}

impl<T> serde::Serialize for DebugText<'_, T> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_newtype_struct(DEBUG_TEXT, &shown(self.value, self.debug, self.hash))
    }
}

/// The part of `AnyEventType` that shows and edits values.
pub(crate) trait InspectEvents {
    /// Shows one of several events that were copied from a run: a `Vec<E>`.
    fn show_event(&self, codec: &Codec, copied: &dyn Any, at: usize, to: Show<'_>);
    /// How traced events are copied.
    fn copier(&self) -> CopyEvents;
    /// Shows copied events without the registry; `None` if the fields of the type are unknown.
    fn shower(&self, codec: &Codec) -> Option<ShowEvent>;
}

impl TypeRegistry {
    /// Lets events of registered types be traced with their values.
    pub(crate) fn note_copiers(&self, events: &mut EventManager) {
        for event_type in events.types.iter_mut().filter(|event_type| event_type.copy.is_none()) {
            event_type.copy = self.events.of(event_type.type_id).map(|known| known.what.copier());
        }
    }
}

impl<E: Clone + Send + 'static> InspectEvents for EventKind<E> {
    fn show_event(&self, codec: &Codec, copied: &dyn Any, at: usize, to: Show<'_>) {
        let copied: &Vec<E> = copied.downcast_ref().expect("events are copied by their type");
        show_value(codec, &copied[at], to);
    }

    fn copier(&self) -> CopyEvents {
        |events, waiting| Box::new(waiting.events::<E>(events).to_vec())
    }

    fn shower(&self, codec: &Codec) -> Option<ShowEvent> {
        let show = codec.fields::<E>()?.show;
        Some(Box::new(move |copied, at, to| {
            if let Some(event) = copied.downcast_ref::<Vec<E>>().and_then(|copied| copied.get(at)) {
                to(Some(show(event)));
            }
        }))
    }
}
