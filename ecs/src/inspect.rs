//! Reads and changes an engine by names, in any format of serde (feature `inspect`): for editors, debuggers and
//! servers. The package `lockstep_ecs_studio` is one.

mod blame;
mod compare;
mod edit;
mod error;
mod question;
mod state_dump;

use std::sync::Arc;

use serde::{Deserializer, Serializer};

pub use self::blame::{BlameRequest, Origin, WhyValue};
pub use self::compare::{ComparedRun, Comparison, Folding};
pub use self::edit::Edit;
pub use self::error::InspectError;
pub use self::question::{Breach, Found, Invariants, Question, QuestionError};
pub use self::state_dump::{FieldDifference, StateDump};
pub use crate::causal_trace::{CausedBy, ChangeTrace, EventTrace};
use crate::component::ComponentMask;
use crate::engine::Engine;
use crate::entity::{EntityComponent, EntityId, NoSuchEntity};
use crate::error::{Error, SnapshotError, TypeKind};
use crate::panic::told;
use crate::query::MaskQuery;
use crate::snapshot::{FrameInputs, WaitingEvents};
use crate::system::StateReaders;
pub use crate::system::{Blame, Field, FieldValue, Suspect, ValueChange, WhyNot, Write, WriteKind, Writer};
use crate::types::{AnyComponentType, AnyResourceType, Codec, ComponentOperations, Show, TypeRegistry};
use crate::world::World;

/// A component of an entity, as [`Inspector::components`] lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InspectedComponent {
    /// The stable name; `None` if the type is not registered.
    pub name: Option<Arc<str>>,
    /// Name of the Rust type.
    pub rust_name: &'static str,
    /// Whether the component itself is enabled.
    pub is_enabled: bool,
}

/// Reads and changes an engine by the stable names of its types; [`Engine::inspector`] makes it.
///
/// Types are known by [`TypeRegistry`], and their values if they are registered for saving with [`TypeRegistry::save`]
/// or [`TypeRegistry::save_with_text`]. Changes take effect at once, like all changes between frames.
///
/// # Example
/// ```
/// use ecs::Engine;
///
/// #[derive(Clone, serde::Serialize, serde::Deserialize)]
/// struct Health { points: u32 }
///
/// let mut engine = Engine::new();
/// engine.types_mut().component_by::<Health>("health", |health, hash| {
///     hash.add(&health.points);
/// })?.save::<Health>(1)?;
/// let player = engine.spawn((Health { points: 7 },));
///
/// let mut inspector = engine.inspector();
/// let mut health = inspector.component(player, "health", serde_json::value::Serializer)?;
/// assert_eq!(health.to_string(), r#"{"points":7}"#);
/// health["points"] = 9.into();
/// inspector.set_component(player, "health", health)?;
/// assert_eq!(engine.get::<Health>(player).unwrap().points, 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Inspector<'e> {
    engine: &'e mut Engine,
}

/// Inspecting (feature `inspect`).
impl Engine {
    /// Reads and changes this engine by names.
    ///
    /// # Example
    /// See [`Inspector`].
    pub fn inspector(&mut self) -> Inspector<'_> {
        Inspector { engine: self }
    }
}

/// Names.
impl Inspector<'_> {
    /// The engine.
    #[must_use]
    pub fn engine(&mut self) -> &mut Engine {
        self.engine
    }

    /// The world of the engine, to read.
    #[must_use]
    pub fn world(&self) -> &World {
        self.engine
    }

    /// The stable names of all registered component types, sorted.
    pub fn component_names(&self) -> impl Iterator<Item = &str> {
        self.engine.types().components.by_name().map(|entry| &*entry.name)
    }

    /// The stable names of all registered resource types, sorted.
    pub fn resource_names(&self) -> impl Iterator<Item = &str> {
        self.engine.types().resources.by_name().map(|entry| &*entry.name)
    }

    /// The components of an entity; `None` if it does not exist.
    #[must_use]
    pub fn components(&self, entity: EntityId) -> Option<Vec<InspectedComponent>> {
        let components = self.engine.components();
        let info = components.info_of(entity)?;
        let component = |component: EntityComponent| InspectedComponent {
            name: components
                .find(component.id)
                .and_then(|pool| Some(self.engine.types().components.of(pool.value_type())?.name.clone())),
            rust_name: component.name,
            is_enabled: component.is_enabled,
        };
        Some(info.components.into_iter().map(component).collect())
    }

    /// The entities that have all of these components, enabled or disabled. O(number of the rarest one).
    ///
    /// # Errors
    /// - [`InspectError::UnknownName`] for the first name that is not registered.
    pub fn entities_with<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Result<Vec<EntityId>, InspectError> {
        let components = self.engine.components();
        let mut mask = ComponentMask::default();
        for name in names {
            let entry = self.engine.types().components.named(name).ok_or_else(|| unknown(TypeKind::Component, name))?;
            // A type without an id was never used.
            let Some(id) = components.id_by_type(entry.type_id) else { return Ok(Vec::new()) };
            mask.insert(id);
        }
        match mask.is_empty() {
            true => Ok(self.engine.entities().iter().collect()),
            false => Ok(self.engine.matching(&MaskQuery::new(mask).include_disabled())),
        }
    }
}

/// Questions.
impl Inspector<'_> {
    /// Reads a question, as [`Question::new`].
    ///
    /// # Errors
    /// As [`Question::new`].
    pub fn question(&self, text: &str) -> Result<Question, QuestionError> {
        Question::new(text, self.engine)
    }

    /// The entities with the components that a question needs to hold, by their ids.
    #[must_use]
    pub fn may_hold(&self, question: &Question) -> Vec<EntityId> {
        question.candidates(self.engine)
    }

    /// Whether a question holds for an entity, as [`Question::holds_for`].
    #[must_use]
    pub fn holds(&self, question: &Question, entity: EntityId) -> bool {
        question.holds_for(self.engine, entity)
    }
}

/// Values.
impl Inspector<'_> {
    /// Serializes a component of an entity, enabled or disabled.
    ///
    /// # Errors
    /// - [`InspectError::UnknownName`] and [`InspectError::NotSaved`] for the name.
    /// - [`InspectError::NoSuchEntity`], and [`InspectError::Missing`] if the entity lacks the component.
    /// - [`InspectError::Value`] if the serializer fails.
    pub fn component<S: Serializer>(&self, entity: EntityId, name: &str, to: S) -> Result<S::Ok, InspectError> {
        if !self.engine.contains(entity) {
            return Err(InspectError::NoSuchEntity(NoSuchEntity { entity }));
        }
        let types = self.engine.types();
        let (what, codec) = component_type(types, name)?;
        written(to, |show| what.show_component(codec, self.engine, entity, show))
    }

    /// Replaces a component of an entity by a value that is read, or inserts it.
    ///
    /// # Errors
    /// - [`InspectError::UnknownName`] and [`InspectError::NotSaved`] for the name.
    /// - [`InspectError::OnlyRead`] for links between entities.
    /// - [`InspectError::NoSuchEntity`], and [`InspectError::Value`] if the value does not fit.
    ///
    /// An error changes nothing.
    pub fn set_component<'de, D: Deserializer<'de>>(
        &mut self,
        entity: EntityId,
        name: &str,
        value: D,
    ) -> Result<(), InspectError> {
        let (what, codec) = component_type(self.engine.types(), name)?;
        let set = what.read_component(codec, &mut <dyn erased_serde::Deserializer<'_>>::erase(value))?;
        Ok(set(self.engine, entity)?)
    }

    /// Reads a value of a component type without using it: tells whether [`Inspector::set_component`] would take it.
    ///
    /// # Errors
    /// As [`Inspector::set_component`]; the type's own `Deserialize` often names what it expects instead.
    ///
    /// # Example
    /// ```
    /// # let mut engine = ecs::Engine::new();
    /// #[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
    /// enum Light { Red, Green }
    ///
    /// let types = engine.types_mut();
    /// types.component_by::<Light>("light", |light, hash| _ = hash.printed(light))?.save::<Light>(1)?;
    /// let error = engine.inspector().check_component("light", serde_json::json!("Blue")).unwrap_err();
    /// assert!(error.to_string().contains("expected `Red` or `Green`"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_component<'de, D: Deserializer<'de>>(&self, name: &str, value: D) -> Result<(), InspectError> {
        let (what, codec) = component_type(self.engine.types(), name)?;
        let _set = what.read_component(codec, &mut <dyn erased_serde::Deserializer<'_>>::erase(value))?;
        Ok(())
    }

    /// A component of an entity in the bytes of a save, which keep every bit; `None` if the entity lacks it.
    ///
    /// # Errors
    /// As [`Inspector::component`].
    ///
    /// # Example
    /// ```
    /// # let mut engine = ecs::Engine::new();
    /// # engine.types_mut().component::<f32>("height")?.save::<f32>(1)?;
    /// let kite = engine.spawn((f32::NAN,));
    /// let mut inspector = engine.inspector();
    /// let bytes = inspector.component_bytes(kite, "height")?.unwrap();
    /// inspector.set_component(kite, "height", serde_json::json!(7.0))?;
    /// inspector.set_component_bytes(kite, "height", &bytes)?;
    /// assert_eq!(engine.get::<f32>(kite).unwrap().to_bits(), f32::NAN.to_bits());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn component_bytes(&self, entity: EntityId, name: &str) -> Result<Option<Vec<u8>>, InspectError> {
        let (what, codec) = component_type(self.engine.types(), name)?;
        what.component_bytes(codec, self.engine, entity).transpose().map_err(|problem| InspectError::Value { problem })
    }

    /// As [`Inspector::set_component`], from the bytes of a save.
    ///
    /// # Errors
    /// As [`Inspector::set_component`].
    pub fn set_component_bytes(&mut self, entity: EntityId, name: &str, bytes: &[u8]) -> Result<(), InspectError> {
        let (what, codec) = component_type(self.engine.types(), name)?;
        let set = what.read_component_bytes(codec, bytes)?;
        Ok(set(self.engine, entity)?)
    }

    /// Removes a component of an entity.
    ///
    /// # Errors
    /// - [`InspectError::UnknownName`] for the name.
    /// - [`InspectError::Command`] as [`Engine::remove`].
    pub fn remove_component(&mut self, entity: EntityId, name: &str) -> Result<(), InspectError> {
        let operations = self.operations(name)?;
        Ok((operations.remove)(self.engine, entity)?)
    }

    /// Enables or disables a component of an entity.
    ///
    /// # Errors
    /// As [`Inspector::remove_component`].
    pub fn enable_component(&mut self, entity: EntityId, name: &str, is_enabled: bool) -> Result<(), InspectError> {
        let ComponentOperations { enable, disable, .. } = self.operations(name)?;
        Ok(if is_enabled { enable } else { disable }(self.engine, entity)?)
    }

    fn operations(&self, name: &str) -> Result<ComponentOperations, InspectError> {
        let entry = self.engine.types().components.named(name).ok_or_else(|| unknown(TypeKind::Component, name))?;
        Ok(entry.what.operations())
    }

    /// Serializes a resource.
    ///
    /// # Errors
    /// As [`Inspector::component`].
    pub fn resource<S: Serializer>(&self, name: &str, to: S) -> Result<S::Ok, InspectError> {
        let (what, codec) = resource_type(self.engine.types(), name)?;
        written(to, |show| what.show_resource(codec, self.engine, show))
    }

    /// Serializes the state of a system, by the name of its registered type or that in
    /// [`Engine::systems`](crate::Engine::systems); the second one of a name is `name 2`. A system with `Local`
    /// parameters in its methods and conditions is a map of these by the names of their types, and its own state is the
    /// field `state`. What is not registered for saving is a number, a flag or a text if it is one and
    /// [`TypeRegistry::show`](crate::snapshot::TypeRegistry::show) was called for its type; otherwise a text, as
    /// `Debug` writes it if `show` was called, and with its hash if not.
    ///
    /// # Errors
    /// - [`InspectError::UnknownSystem`].
    /// - [`InspectError::Missing`] if it has no state, or one whose type is not registered.
    /// - [`InspectError::Value`] if a `Serialize` fails or panics.
    ///
    /// # Example
    /// ```
    /// use std::time::Duration;
    /// use ecs::prelude::*;
    ///
    /// fn count(mut frames: Local<u32>) {
    ///     *frames += 1;
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.types_mut().local::<u32>("frames")?.show::<u32>()?;
    /// engine.add(count)?;
    /// engine.update(Duration::ZERO)?;
    /// let state = engine.inspector().system("count", serde_json::value::Serializer)?;
    /// assert_eq!(state, serde_json::json!({ "frames": 1 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn system<S: Serializer>(&self, name: &str, to: S) -> Result<S::Ok, InspectError> {
        let readers = StateReaders::of(self.engine.types());
        let systems = self.engine.systems();
        match readers.find(name, systems) {
            Some(node) => written(to, |show| readers.show(node, show)),
            None if systems.nodes.iter().any(|node| node.name == name) => Err(InspectError::Missing),
            None => Err(InspectError::UnknownSystem { name: name.to_owned() }),
        }
    }

    /// The names by which [`Inspector::system`] and [`Inspector::field`] find the states of the systems, in the order
    /// of [`Engine::explain`](crate::Engine::explain); `None` for one without a state that can be shown.
    #[must_use]
    pub fn state_names(&self) -> Vec<Option<String>> {
        let systems = self.engine.systems();
        let named = StateReaders::of(self.engine.types()).named(systems);
        let name = |at: usize| named.iter().find(|(_, node)| std::ptr::eq(*node, &raw const systems.nodes[at]));
        systems.in_order().map(|at| name(at).map(|(name, _)| name.clone())).collect()
    }

    /// As [`Inspector::component_bytes`], of a resource.
    ///
    /// # Errors
    /// As [`Inspector::component`].
    pub fn resource_bytes(&self, name: &str) -> Result<Option<Vec<u8>>, InspectError> {
        let (what, codec) = resource_type(self.engine.types(), name)?;
        what.resource_bytes(codec, self.engine).transpose().map_err(|problem| InspectError::Value { problem })
    }

    /// As [`Inspector::set_resource`], from the bytes of a save.
    ///
    /// # Errors
    /// As [`Inspector::set_component`].
    pub fn set_resource_bytes(&mut self, name: &str, bytes: &[u8]) -> Result<(), InspectError> {
        let (what, codec) = resource_type(self.engine.types(), name)?;
        let set = what.read_resource_bytes(codec, bytes)?;
        set(self.engine);
        Ok(())
    }

    /// Replaces a resource by a value that is read, or inserts it.
    ///
    /// # Errors
    /// As [`Inspector::set_component`].
    pub fn set_resource<'de, D: Deserializer<'de>>(&mut self, name: &str, value: D) -> Result<(), InspectError> {
        let (what, codec) = resource_type(self.engine.types(), name)?;
        let set = what.read_resource(codec, &mut <dyn erased_serde::Deserializer<'_>>::erase(value))?;
        set(self.engine);
        Ok(())
    }

    /// As [`Inspector::check_component`], for [`Inspector::set_resource`].
    ///
    /// # Errors
    /// As [`Inspector::set_component`].
    pub fn check_resource<'de, D: Deserializer<'de>>(&self, name: &str, value: D) -> Result<(), InspectError> {
        let (what, codec) = resource_type(self.engine.types(), name)?;
        let _set = what.read_resource(codec, &mut <dyn erased_serde::Deserializer<'_>>::erase(value))?;
        Ok(())
    }
}

/// Order.
impl Inspector<'_> {
    /// Shuffles the systems among which no order was declared, by `seed`; `None` brings back the order of registration.
    /// Declared orders and priorities hold. Restoring a snapshot keeps the order.
    ///
    /// # Errors
    /// As [`Engine::order`].
    ///
    /// # Example
    /// ```
    /// # use ecs::Engine;
    /// # let mut engine = Engine::new();
    /// fn eat() {}
    /// fn sleep() {}
    /// engine.add((eat, sleep))?;
    /// let mut first = |seed| -> Result<&str, ecs::Error> {
    ///     engine.inspector().shuffle_order(seed)?;
    ///     Ok(engine.explain()?.systems[0].system)
    /// };
    /// let by_registration = first(None)?;
    /// assert!((0..20).any(|seed| first(Some(seed)).unwrap() != by_registration));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn shuffle_order(&mut self, seed: Option<u64>) -> Result<(), Error> {
        self.engine.shuffle_order(seed)
    }

    /// Brings the rows of all entities, and so the order in which queries visit them, into an order drawn from `seed`.
    /// No value changes, nothing is sent, and no component counts as changed; the hash of the state does change, since
    /// the order of rows is a part of the state. A program that then does something else depends on the order in which
    /// its entities came and went.
    ///
    /// # Example
    /// ```
    /// use ecs::{Engine, EntityId};
    ///
    /// let mut engine = Engine::new();
    /// engine.spawn_many((0..20_u32).map(|number| (number,)));
    /// let numbers = |engine: &Engine| engine.read::<&u32>().iter().copied().collect::<Vec<u32>>();
    /// let before = numbers(&engine);
    /// engine.inspector().shuffle_rows(7);
    /// let mut after = numbers(&engine);
    /// assert_ne!(after, before);
    /// after.sort_unstable();
    /// assert_eq!(after, before);
    /// ```
    pub fn shuffle_rows(&mut self, seed: u64) {
        self.engine.shuffle_rows(seed);
    }
}

/// Events and causes.
impl Inspector<'_> {
    /// Traces the events, with their values, and the commands of the next frames, beside what the program traces by
    /// [`trace_causes`](crate::EngineBuilder::trace_causes). 0 frames end it. Costs time and memory for each event and
    /// command; does not affect the run. Restoring a snapshot forgets what was traced.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::{Engine, inspect::CausedBy};
    /// # let mut engine = Engine::new();
    /// engine.types_mut().event::<u32>("score")?.save::<u32>(1)?;
    /// engine.inspector().trace(60);
    /// engine.send(7_u32);
    /// engine.update(Duration::ZERO)?;
    /// let inspector = engine.inspector();
    /// let event = inspector.traced_events(0).next().unwrap();
    /// assert_eq!((event.event, event.cause), ("u32", CausedBy::Outside));
    /// assert_eq!(inspector.event(event.number, serde_json::value::Serializer)?, 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn trace(&mut self, frames: usize) {
        self.engine.trace_for_inspector(frames);
    }

    /// A copy of the events that wait for the next frame; `None` if there are none.
    ///
    /// # Errors
    /// - [`SnapshotError::NotRegistered`] if the type of one is not registered.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::Engine;
    /// # let mut engine = Engine::new();
    /// engine.insert_resource(0_u32);
    /// engine.types_mut().event::<u32>("points")?.resource::<u32>("score")?;
    /// engine.listen(|points: &u32, mut score: ecs::ResMut<u32>| *score += points)?;
    /// let before = engine.snapshot()?;
    /// engine.send(7_u32);
    /// let inputs = engine.inspector().waiting_events()?.expect("one waits");
    /// engine.update(Duration::ZERO)?;
    ///
    /// // The frame runs again with the same events.
    /// engine.restore(&before)?;
    /// engine.inspector().set_waiting_events(&inputs)?;
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn waiting_events(&mut self) -> Result<Option<WaitingEvents>, SnapshotError> {
        self.engine.waiting_events()
    }

    /// Lets these events wait for the next frame, in place of those that wait now. The engine must be in the state in
    /// which they were copied, except for events. Forgets what was traced.
    ///
    /// # Errors
    /// As [`Engine::order`].
    pub fn set_waiting_events(&mut self, events: &WaitingEvents) -> Result<(), Error> {
        self.engine.set_waiting_events(events)
    }

    /// Begins or ends to record what each frame is run with; returns what was recorded until now. Inputs that the
    /// program sends between two frames of one call, as [`StepLoop`](crate::StepLoop) does, belong to their frame.
    pub fn record_frames(&mut self, are_recorded: bool) -> Vec<FrameInputs> {
        self.engine.record_frames(are_recorded)
    }

    /// Whether [`EventReader`](crate::event::EventReader)s get the events of the frames that run next: not while frames
    /// run again of which they have had the events.
    pub fn feed_readers(&mut self, are_fed: bool) {
        self.engine.feed_readers(are_fed);
    }

    /// The traced events of the frames after one, in the order of sending.
    pub fn traced_events(&self, after_frame: u64) -> impl Iterator<Item = EventTrace> + '_ {
        self.engine.causal_trace().into_iter().flat_map(move |trace| trace.events_after(after_frame))
    }

    /// The traced commands of the frames after one, in the order in which they were applied.
    pub fn traced_changes(&self, after_frame: u64) -> impl Iterator<Item = ChangeTrace> + '_ {
        self.engine.causal_trace().into_iter().flat_map(move |trace| trace.changes_after(after_frame))
    }

    /// Serializes a traced event.
    ///
    /// # Errors
    /// - [`InspectError::Missing`] if no event with this number was traced with its value.
    /// - [`InspectError::NotSaved`] if its type is not registered for saving.
    /// - [`InspectError::Value`] if the serializer fails.
    pub fn event<S: Serializer>(&self, number: u64, to: S) -> Result<S::Ok, InspectError> {
        let traced = self.engine.causal_trace().and_then(|trace| trace.value(number));
        let (event_type, copied) = traced.ok_or(InspectError::Missing)?;
        let entry = self.engine.types().events.of(event_type).ok_or(InspectError::NotSaved)?;
        let codec = entry.codec().map_err(|_| InspectError::NotSaved)?;
        let (events, at) = copied.ok_or(InspectError::Missing)?;
        written(to, |show| {
            entry.what.show_event(codec, &**events, at, show);
            true
        })
    }
}

type ComponentEntry<'t> = (&'t dyn AnyComponentType, &'t Codec);

fn component_type<'t>(types: &'t TypeRegistry, name: &str) -> Result<ComponentEntry<'t>, InspectError> {
    let entry = types.components.named(name).ok_or_else(|| unknown(TypeKind::Component, name))?;
    Ok((&*entry.what, entry.codec().map_err(|_| InspectError::NotSaved)?))
}

fn resource_type<'t>(
    types: &'t TypeRegistry,
    name: &str,
) -> Result<(&'t dyn AnyResourceType, &'t Codec), InspectError> {
    let entry = types.resources.named(name).ok_or_else(|| unknown(TypeKind::Resource, name))?;
    Ok((&*entry.what, entry.codec().map_err(|_| InspectError::NotSaved)?))
}

fn unknown(kind: TypeKind, name: &str) -> InspectError {
    InspectError::UnknownName { kind, name: name.to_owned() }
}

/// Writes the value that `show` passes on; `show` returns whether there is one.
fn written<S: Serializer>(to: S, show: impl FnOnce(Show<'_>) -> bool) -> Result<S::Ok, InspectError> {
    let mut to = Some(to);
    let mut written = Err(InspectError::NotSaved);
    let is_there = show(&mut |value| {
        if let (Some(value), Some(to)) = (value, to.take()) {
            let value = told("its `Serialize` panicked", || {
                erased_serde::serialize(value, to).map_err(|error| error.to_string())
            });
            written = value.flatten().map_err(|problem| InspectError::Value { problem });
        }
    });
    if is_there { written } else { Err(InspectError::Missing) }
}
