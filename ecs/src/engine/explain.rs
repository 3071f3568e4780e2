//! Reports: the schedule, the event graph, and causes of changes.

use std::any::TypeId;
use std::fmt;

use super::Engine;
use crate::causal_trace::Why;
use crate::component::Component;
use crate::entity::EntityId;
use crate::error::{CommandError, Error, SystemError};
use crate::event::{Event, EventGraph};
#[cfg(feature = "inspect")]
use crate::system::{Blame, Field, Readers, Request};
use crate::system::{Explanation, FrameTimes};
use crate::type_map::short_name;
#[cfg(feature = "inspect")]
use crate::types::Leaf;

/// Reports.
impl Engine {
    /// The order of systems with the reason for each place; `Display` prints it.
    ///
    /// # Errors
    /// As [`Engine::order`].
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # struct Ai;
    /// # struct Physics;
    /// # impl System for Ai {
    /// #     fn setup(setup: &mut Setup<Self>) {
    /// #         setup.update(|_: &mut Self| {}).before_type::<Physics>();
    /// #     }
    /// # }
    /// # impl System for Physics {
    /// #     fn setup(setup: &mut Setup<Self>) {
    /// #         setup.update(|_: &mut Self| {});
    /// #     }
    /// # }
    /// let mut engine = Engine::new();
    /// engine.add(Physics)?.add(Ai)?; // `Ai` declares that it runs before `Physics`.
    /// let text = engine.explain()?.to_string();
    /// assert!(text.find("Ai").unwrap() < text.find("Physics").unwrap());
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn explain(&mut self) -> Result<Explanation, Error> {
        self.order()?;
        Ok(self.systems.explain(&self.world))
    }

    /// The senders and listeners of each event type; `Display` prints it, [`EventGraph::issues`] finds events without a
    /// sender or without a listener.
    ///
    /// # Errors
    /// As [`Engine::order`].
    ///
    /// # Example
    /// See [`Engine::declare_external`].
    pub fn event_graph(&mut self) -> Result<EventGraph, Error> {
        self.order()?;
        Ok(EventGraph::of(&self.world.events, |system| self.systems.nodes[system].name))
    }

    /// The commands of the last frame that failed, each with the system that recorded it.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// let ship = engine.spawn(("ship",));
    /// let sink = move |mut commands: Commands| {
    ///     commands.despawn(ship);
    ///     commands.despawn(ship);
    /// };
    /// engine.after(Duration::ZERO, sink)?;
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.command_errors().len(), 1); // The second one found no ship.
    /// # Ok::<(), ecs::Error>(())
    /// ```
    #[must_use]
    pub fn command_errors(&self) -> &[CommandError] {
        &self.executor.command_errors
    }

    /// The errors that methods of systems returned in the last frame, in the order in which they happened: phase by
    /// phase in execution order, then the listeners. They are equal at any number of threads, and logged as well.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::{Engine, Query, Setup, System};
    /// struct Score(String);
    /// struct Adding { sum: u32 }
    ///
    /// impl System for Adding {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.update(Self::add);
    ///     }
    /// }
    ///
    /// impl Adding {
    ///     fn add(&mut self, scores: Query<&Score>) -> Result<(), std::num::ParseIntError> {
    ///         for score in &scores {
    ///             self.sum += score.0.parse::<u32>()?;
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.add(Adding { sum: 0 })?;
    /// engine.spawn((Score("seven".to_owned()),));
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.system_errors()[0].to_string(), "system Adding failed in update: invalid digit found in string");
    /// # Ok::<(), ecs::Error>(())
    /// ```
    #[must_use]
    pub fn system_errors(&self) -> &[SystemError] {
        &self.executor.system_errors
    }

    /// The durations of frames, if the engine was built with a [clock](crate::EngineBuilder::clock).
    /// [`SystemManager::iter`](crate::SystemManager::iter) has the share of each system.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::Engine;
    /// // The library reads no clock, so the application lends it one; this one stands still.
    /// let mut engine = Engine::builder().clock(|| Duration::ZERO).build();
    /// engine.update(Duration::from_millis(16))?;
    /// let times = engine.frame_times();
    /// assert_eq!((times.frames, times.total), (1, Duration::ZERO));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    #[must_use]
    pub fn frame_times(&self) -> FrameTimes {
        self.executor.frame_times
    }

    /// What commands did to an entity in the traced frames, and what caused each of them; also for an entity that is
    /// gone. Empty unless the engine was built with [`trace_causes`](crate::EngineBuilder::trace_causes). It tells of
    /// commands only: changes between frames are not traced, and for events there is [`why_event`](Self::why_event).
    ///
    /// # Example
    /// ```
    /// # use ecs::{Commands, Engine, EntityId, Setup, System};
    /// # use std::time::Duration;
    /// #[derive(Clone, Copy)]
    /// struct Struck(EntityId);
    ///
    /// struct Burial;
    ///
    /// impl System for Burial {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.listen(|_: &mut Self, struck: &Struck, mut commands: Commands| commands.despawn(struck.0));
    ///     }
    /// }
    ///
    /// let mut engine = Engine::builder().trace_causes(60).build();
    /// engine.add(Burial)?;
    /// let victim = engine.spawn(());
    /// engine.send(Struck(victim));
    /// engine.update(Duration::from_millis(10))?;
    /// let why = engine.why(victim).to_string();
    /// assert_eq!(why, format!("entity {victim}: Struck (frame 1) → despawn (Burial, frame 1)"));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    #[must_use]
    pub fn why(&self, entity: EntityId) -> Why {
        match &self.executor.causal_trace {
            Some(causal_trace) => causal_trace.of_entity(entity),
            None => Why::nothing(format!("entity {entity}")),
        }
    }

    /// What caused the last event of a type in the traced frames.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// #[derive(Clone, Copy)]
    /// struct Pressed;
    /// #[derive(Clone, Copy)]
    /// struct Fired;
    ///
    /// struct Gun;
    ///
    /// impl System for Gun {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.listen(|_: &mut Self, _: &Pressed, mut fired: Sender<Fired>| fired.send(Fired));
    ///     }
    /// }
    ///
    /// let mut engine = Engine::builder().trace_causes(60).build();
    /// engine.add(Gun)?;
    /// engine.listen(|_: &Fired| {})?;
    /// engine.send(Pressed);
    /// engine.update(Duration::ZERO)?;
    /// assert!(engine.why_event::<Fired>().to_string().contains("Pressed (frame 1) → Fired"));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    #[must_use]
    pub fn why_event<E: Event>(&self) -> Why {
        let name = short_name::<E>();
        match &self.executor.causal_trace {
            Some(causal_trace) => causal_trace.of_event(TypeId::of::<E>(), name),
            None => Why::nothing(name.to_owned()),
        }
    }

    #[cfg(feature = "inspect")]
    pub(crate) fn causal_trace(&self) -> Option<&crate::causal_trace::CausalTrace> {
        self.executor.causal_trace.as_deref()
    }

    /// As [`Inspector::shuffle_order`](crate::inspect::Inspector::shuffle_order).
    #[cfg(feature = "inspect")]
    pub(crate) fn shuffle_order(&mut self, seed: Option<u64>) -> Result<(), Error> {
        self.systems.shuffle_order(seed);
        self.order()
    }

    /// As [`Inspector::shuffle_rows`](crate::inspect::Inspector::shuffle_rows).
    #[cfg(feature = "inspect")]
    pub(crate) fn shuffle_rows(&mut self, seed: u64) {
        self.world.components.shuffle_rows(&mut crate::random::RandomStream::new(seed, "rows"));
    }

    /// Traces causes and values of events for an inspector, beside what the program asked for; 0 frames end it.
    #[cfg(feature = "inspect")]
    pub(crate) fn trace_for_inspector(&mut self, frames: usize) {
        let mut trace = self.executor.causal_trace.take().unwrap_or_else(|| {
            let mut trace = crate::causal_trace::CausalTrace::default();
            trace.restart(&self.world.events);
            Box::new(trace)
        });
        self.executor.causal_trace = trace.inspect(frames).then_some(trace);
    }

    /// As [`Inspector::begin_blame`](crate::inspect::Inspector::begin_blame).
    #[cfg(feature = "inspect")]
    pub(crate) fn begin_blame(&mut self, field: Field, scan: Option<(u64, Leaf)>) {
        let before = self.executor.watcher.end(&self.world, &self.systems).map(|(_, frames)| frames);
        let traced = || self.executor.causal_trace.as_ref().map_or(0, |trace| trace.inspected_frames());
        let traced_frames = before.unwrap_or_else(traced);
        self.trace_for_inspector(traced_frames.max(1));
        let readers = Readers::of(&self.snapshots.types);
        self.executor.watcher.begin(Request { field, scan, traced_frames }, readers, &self.world, &self.systems);
    }

    /// As [`Inspector::end_blame`](crate::inspect::Inspector::end_blame).
    #[cfg(feature = "inspect")]
    pub(crate) fn end_blame(&mut self) -> Option<Blame> {
        let (blame, traced_frames) = self.executor.watcher.end(&self.world, &self.systems)?;
        self.trace_for_inspector(traced_frames);
        Some(blame)
    }

    /// Shows the values of component `T` by `Debug`: in [`World::inspect`](crate::World::inspect), and in
    /// [`Difference`](crate::snapshot::Difference) if the type is registered. Calling it again does nothing.
    ///
    /// # Example
    /// ```
    /// #[derive(Debug)]
    /// struct Health { points: u32 }
    /// struct Ghost;
    ///
    /// let mut engine = ecs::Engine::new();
    /// engine.show::<Health>().show::<f32>();
    /// let entity = engine.spawn((Health { points: 7 }, 1.5_f32, Ghost));
    /// assert_eq!(engine.inspect(entity).unwrap().to_string(), "1v1: Health { points: 7 }, f32 = 1.5, Ghost");
    /// ```
    pub fn show<T: Component + fmt::Debug>(&mut self) -> &mut Self {
        self.world.show::<T>();
        // A type without a name has no differences.
        let _ = self.snapshots.types.show::<T>();
        self
    }
}
