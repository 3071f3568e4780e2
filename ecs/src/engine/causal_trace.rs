//! Asking why things happened.

use std::any::TypeId;

use super::Engine;
use crate::causal_trace::Why;
use crate::entity::EntityId;
use crate::event::Event;
use crate::type_map::short_name;

/// CausalTrace, if [`EngineBuilder::trace_causes`](crate::EngineBuilder::trace_causes) asked for them.
impl Engine {
    /// What commands did to an entity in the traced frames, also if it is gone, and what led to that. What is done between frames is
    /// no command.
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
        let causal_trace = self.executor.causal_trace.as_ref();
        causal_trace
            .map_or_else(|| Why::nothing(format!("entity {entity}")), |causal_trace| causal_trace.of_entity(entity))
    }

    /// What led to the last event of a type in the traced frames.
    #[must_use]
    pub fn why_event<E: Event>(&self) -> Why {
        let (event, name) = (TypeId::of::<E>(), short_name::<E>());
        let causal_trace = self.executor.causal_trace.as_ref();
        causal_trace.map_or_else(|| Why::nothing(name.to_owned()), |causal_trace| causal_trace.of_event(event, name))
    }
}
