//! Makes the requested transitions of state machines when a frame begins.

use std::time::Duration;

use super::Executor;
use super::panic::Panics;
use crate::error::Error;
use crate::event::OUTSIDE;
use crate::panic::{FirstPanic, catch};
use crate::steps::count;
use crate::system::SystemManager;
use crate::system::blame::Method;
use crate::system::node::{Phase, SystemNode};
use crate::system::param::RunContext;
use crate::system::states::Machine;
use crate::system::work::FIRST_LISTENER;
use crate::time::Time;
use crate::types::TypeRegistry;
use crate::world::World;

impl Executor {
    /// Makes the transition that is requested of each state machine, calls the methods of systems for it, and applies
    /// their commands.
    ///
    /// # Errors
    /// [`Error::Transition`] with the first request that was refused, or [`Error::Cascade`] if commands kept recording
    /// commands: the last ones were dropped.
    ///
    /// # Panics
    /// If a method does, when all others were called. The transition is made, and the commands wait for step 6.
    pub(crate) fn make_transitions(
        &mut self,
        systems: &mut SystemManager,
        world: &mut World,
        types: &mut TypeRegistry,
    ) -> Result<(), Error> {
        if systems.machines.all.is_empty() {
            return Ok(());
        }
        // Dropped last, since a state may panic then.
        let mut removed = Vec::new();
        let mut result = Ok(());
        for place in 0..systems.machines.all.len() {
            let Machine { name, step, .. } = systems.machines.all[place];
            let panics = Panics::default();
            let mut has_called = false;
            let made = step(world, &mut |hook, world| {
                if !std::mem::replace(&mut has_called, true) {
                    // Events that wait come before those of the methods.
                    world.events.collect_outside(OUTSIDE, None);
                }
                self.watcher.after_transition(name, world);
                self.call_state_methods(place, hook, &panics, systems, world);
            });
            self.watcher.after_transition(name, world);
            result = result.and(made.map_err(|problem| Error::Transition { states: name, problem }));
            if has_called {
                // No system is deferred if a method panicked.
                self.phases_begun = Phase::ALL.len();
                self.note_causes(systems, world, None);
                self.raise(panics, systems);
                result = result.and(self.apply_all_commands(systems, world, types).map_err(Error::Cascade));
                let mut panics = FirstPanic::default();
                removed.extend(self.switch_systems(systems, world, types, &mut panics));
                panics.raise();
            }
        }
        result
    }

    /// Calls the methods of all enabled systems for a hook of a machine, in execution order.
    fn call_state_methods(
        &mut self,
        machine: usize,
        hook: &dyn std::any::Any,
        panics: &Panics,
        systems: &mut SystemManager,
        world: &mut World,
    ) {
        let time = Time { delta: Duration::ZERO, ..self.time };
        for at in 0..systems.state_systems(machine).len() {
            count(1);
            let system = systems.state_systems(machine)[at];
            let node = &mut systems.nodes[system];
            let first = FIRST_LISTENER + node.listens.len();
            for method in 0..node.state_methods.len() {
                if !node.run_state.is_enabled() || !node.state_methods[method].is_called_for(hook) {
                    continue;
                }
                if self.watcher.is_on() {
                    let trace = self.causal_trace.as_deref();
                    self.watcher.before_method((system, node), Method::Transition(method), None, world, trace);
                }
                let SystemNode { buffer, commands, work, tick, .. } = node;
                tick.set(*world.components.tick());
                let context = RunContext { world, buffer, commands, time: &time, delivery: None, tick };
                let caught = catch(|| work.run(first + method, &context));
                world.components.set_tick(node.tick.get());
                if let Err(payload) = caught {
                    let place = format_args!("system {} panicked in a transition", node.name);
                    panics.note(system, place, payload);
                }
                Self::collect_output(&mut self.recorded, system, node, world, None);
                if self.watcher.is_on() {
                    let trace = self.causal_trace.as_deref();
                    self.watcher.after_method(node, Method::Transition(method), None, world, trace);
                }
            }
        }
    }
}
