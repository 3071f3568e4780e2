//! Runs the methods of one system in one phase, whether others run beside it or not.

use std::cell::Cell;

use super::panic::{Panics, Payload, catch};
use crate::system::node::{Phase, SystemNode};
use crate::system::param::RunContext;
use crate::system::run_time::Stopwatch;
use crate::time::Time;
use crate::world::World;

/// What all systems of a phase run with.
#[derive(Clone, Copy)]
pub(super) struct PhaseRun<'a> {
    pub(super) phase: Phase,
    pub(super) time: Time,
    pub(super) clock: Stopwatch,
    pub(super) panics: &'a Panics,
}

impl PhaseRun<'_> {
    /// Runs those methods that share the world with others. Returns whether they came to their end.
    pub(super) fn shared(self, system: usize, node: &mut SystemNode, world: &World) -> bool {
        let Self { phase, time, .. } = self;
        let delta = node.due.unwrap_or_default();
        let (lane, commands) = (&node.lane, &node.commands);
        let started = self.clock.start();
        let _span =
            tracing::trace_span!(target: "ecs::system", "run", system = node.name, phase = phase.name()).entered();
        let mut came_to_its_end = true;
        if node.methods[phase as usize].shared {
            let time = Time { delta, ..time };
            let context = RunContext { world, lane, commands, time, sequence: Cell::new(None) };
            let work = &mut node.work;
            let caught = catch(|| work.run(phase, &context));
            came_to_its_end = caught.is_ok();
            self.note(caught, system, node.name);
        }
        if let Some(elapsed) = started.elapsed() {
            node.times.runs += 1;
            node.times.running += elapsed;
        }
        came_to_its_end
    }

    /// Runs those methods that take the whole world.
    pub(super) fn exclusive(self, system: usize, node: &mut SystemNode, world: &mut World) {
        let started = self.clock.start();
        let work = &mut node.work;
        let caught = catch(|| work.run_exclusive(self.phase, world));
        self.note(caught, system, node.name);
        if let Some(elapsed) = started.elapsed() {
            node.times.running += elapsed;
        }
    }

    fn note(self, caught: Result<(), Payload>, system: usize, name: &str) {
        if let Err(payload) = caught {
            self.panics.note(system, format_args!("system {name} panicked in {}", self.phase.name()), payload);
        }
    }
}
