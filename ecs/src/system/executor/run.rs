//! Runs the methods of one system in one phase, whether others run beside it or not.

use std::cell::Cell;

use super::panic::Panics;
use crate::panic::{Payload, catch};
use crate::system::node::{Phase, PhaseMethods, SystemNode};
use crate::system::param::RunContext;
use crate::system::timer::Due;
use crate::time::{Stopwatch, Time};
use crate::world::World;

/// What all systems of a phase run with.
pub(super) struct PhaseRun<'a> {
    phase: Phase,
    time: Time,
    clock: Stopwatch,
    panics: &'a Panics,
    /// Somebody wants to know of every run, or how long it takes. Found out once in a phase: for a system with little to do
    /// even a span that nobody wants has its price.
    is_watched: bool,
}

impl<'a> PhaseRun<'a> {
    pub(super) fn new(phase: Phase, time: Time, clock: Stopwatch, panics: &'a Panics) -> Self {
        let is_traced = tracing::span_enabled!(target: "ecs::system", tracing::Level::TRACE, "run", system, phase);
        Self { phase, time, clock, panics, is_watched: is_traced || clock.0.is_some() }
    }

    pub(super) fn methods(&self, node: &SystemNode) -> PhaseMethods {
        node.methods[self.phase as usize]
    }

    /// Runs those methods that share the world with others. Returns whether they came to their end.
    #[inline]
    pub(super) fn shared(&self, system: usize, node: &mut SystemNode, due: Due, world: &World) -> bool {
        let caught =
            if self.is_watched { self.watched(node, due, world) } else { catch(|| self.call(node, due, world)) };
        self.note(caught, system, node.name)
    }

    #[cold]
    fn watched(&self, node: &mut SystemNode, due: Due, world: &World) -> Result<(), Payload> {
        let (name, phase) = (node.name, self.phase.name());
        let _span = tracing::trace_span!(target: "ecs::system", "run", system = name, phase).entered();
        let started = self.clock.start();
        let caught = catch(|| self.call(node, due, world));
        if let Some(elapsed) = started.elapsed() {
            node.times.runs += 1;
            node.times.running += elapsed;
        }
        caught
    }

    /// Whether somebody wants to know of every run.
    pub(super) fn is_watched(&self) -> bool {
        self.is_watched
    }

    /// Calls those methods that share the world with others, as often as the system is due, and catches nothing.
    fn call(&self, node: &mut SystemNode, due: Due, world: &World) {
        match due {
            Due::InFrame => self.call_in_frame(node, world),
            Due::Timed { runs, delta } => {
                let time = Time { delta, ..self.time };
                (0..runs).for_each(|_| self.call_at(&time, node, world));
            }
        }
    }

    /// [`PhaseRun::call`] of a system that is due as most are.
    #[inline]
    pub(super) fn call_in_frame(&self, node: &mut SystemNode, world: &World) {
        self.call_at(&self.time, node, world);
    }

    #[inline]
    fn call_at(&self, time: &Time, node: &mut SystemNode, world: &World) {
        let SystemNode { buffer, commands, work, .. } = node;
        work.run(self.phase, &RunContext { world, buffer, commands, time, sequence: Cell::new(None) });
    }

    /// Runs those methods that take the whole world. Returns whether they came to their end.
    pub(super) fn exclusive(&self, system: usize, node: &mut SystemNode, world: &mut World) -> bool {
        let started = self.clock.start();
        let work = &mut node.work;
        let caught = catch(|| work.run_exclusive(world));
        if let Some(elapsed) = started.elapsed() {
            node.times.running += elapsed;
        }
        self.note(caught, system, node.name)
    }

    #[inline]
    pub(super) fn note(&self, caught: Result<(), Payload>, system: usize, name: &str) -> bool {
        let Err(payload) = caught else { return true };
        self.panics.note(system, format_args!("system {name} panicked in {}", self.phase.name()), payload);
        false
    }
}
