//! Runs the phases of a frame: on one thread system by system, on several threads wave by wave.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::panic::Panics;
use super::{Executor, RecordedCommands};
use crate::event::Cause;
use crate::panic::{Payload, catch};
use crate::system::SystemManager;
use crate::system::blame::Method;
use crate::system::node::{Phase, PhaseEntry, PhaseMethods, SystemNode};
use crate::system::param::RunContext;
use crate::system::timer::Due;
use crate::thread_pool::{Kind, ThreadPool};
use crate::time::{Meters, Time};
use crate::world::World;

/// One phase of a frame, as its systems need it.
#[derive(Clone, Copy)]
struct PhaseRun<'a> {
    phase: Phase,
    time: Time,
    meters: Meters,
    panics: &'a Panics,
}

impl Executor {
    /// Runs one phase of every system that is due, and moves the output of the systems to the queues in execution
    /// order.
    ///
    /// # Panics
    /// If systems panicked: with the first one in execution order, when all others have run.
    pub(crate) fn run_phase(&mut self, phase: Phase, systems: &mut SystemManager, world: &mut World) {
        self.phases_begun = phase as usize + 1;
        if systems.phases[phase as usize].is_empty() {
            return;
        }
        let panics = Panics::default();
        let run = PhaseRun { phase, time: self.time, meters: self.meters, panics: &panics };
        // Waves cost more than they save where no system has enough rows.
        let has_work = |pool: &Arc<ThreadPool>| world.components.longest_pool() >= pool.parallel_threshold;
        if let Some(thread_pool) = world.thread_pool.clone().filter(has_work) {
            self.run_waves(&run, systems, world, &thread_pool);
            let mut panics = panics;
            panics.sort(&systems.phases[phase as usize]);
            return self.end_phase(panics, systems, world);
        }
        self.run_in_order(&run, systems, world);
        self.end_phase(panics, systems, world);
    }

    fn end_phase(&mut self, panics: Panics, systems: &mut SystemManager, world: &mut World) {
        self.note_causes(systems, world, None);
        self.raise(panics, systems);
    }

    /// Runs systems one after the other. One catch serves all systems up to the next panic, since catching costs as
    /// much as calling a small system.
    fn run_in_order(&mut self, run: &PhaseRun<'_>, systems: &mut SystemManager, world: &mut World) {
        let SystemManager { nodes, phases, .. } = systems;
        let order = phases[run.phase as usize].as_slice();
        // Checked once in a phase: even a span without a subscriber has its price for a small system.
        let is_traced = tracing::span_enabled!(target: "ecs::system", tracing::Level::TRACE, "run", system, phase);
        let is_watched = is_traced || run.meters.is_some() || self.watcher.is_on();
        let mut place = 0;
        while place < order.len() {
            let caught = catch(|| {
                let (mut next, nodes) = (place, &mut *nodes);
                while let Some(&PhaseEntry { system, methods }) = order.get(next) {
                    next += 1;
                    place = next;
                    let node = &mut nodes[system];
                    match node.run_state.due() {
                        Some(Due::InFrame) if !is_watched && !methods.exclusive => {
                            if methods.with_queries > 0 {
                                node.reserve_ticks(run.phase, Due::InFrame, &mut world.components);
                            }
                            run.call_once(&run.time, node, world);
                            if methods.fills_buffers {
                                Self::collect_output(&mut self.recorded, system, node, world, None);
                            }
                        }
                        Some(due) => self.run_system(run, system, node, due, world),
                        None => {}
                    }
                }
            });
            if caught.is_err() {
                let system = order[place - 1].system;
                run.note(caught, system, &nodes[system]);
                Self::collect_output(&mut self.recorded, system, &mut nodes[system], world, None);
            }
        }
    }

    /// Runs all phases of one system outside of a frame, whether it is due or not; nothing is measured.
    ///
    /// # Panics
    /// If the system does.
    pub(crate) fn run_by_hand(&mut self, system: usize, systems: &mut SystemManager, world: &mut World) {
        // No system is deferred if this one panics.
        self.phases_begun = Phase::ALL.len();
        for phase in Phase::ALL {
            let panics = Panics::default();
            let run = PhaseRun { phase, time: self.time, meters: Meters::default(), panics: &panics };
            self.run_system(&run, system, &mut systems.nodes[system], Due::once(Duration::ZERO), world);
            self.raise(panics, systems);
        }
    }

    /// Runs one phase of one system and moves its output to the queues, also if it panics. Each time that the system is
    /// due, its methods that share the world come first, and then its exclusive ones.
    ///
    /// It is not inlined, so that the loop over the usual systems stays short.
    #[inline(never)]
    fn run_system(&mut self, run: &PhaseRun<'_>, system: usize, node: &mut SystemNode, due: Due, world: &mut World) {
        let PhaseMethods { exclusive, .. } = node.methods[run.phase as usize];
        let (runs, each) = match due {
            Due::Timed { runs, delta } if exclusive => (runs, Due::once(delta)),
            due => (1, due),
        };
        for _ in 0..runs {
            node.reserve_ticks(run.phase, each, &mut world.components);
            self.begin_unit(run.phase, system, node, world);
            let mut succeeded = run.shared(system, node, each, world);
            Self::collect_output(&mut self.recorded, system, node, world, None);
            if exclusive && succeeded {
                succeeded = run.exclusive(system, node, world);
                world.events.collect_outside(system, None);
                Self::collect_output(&mut self.recorded, system, node, world, None);
            }
            self.end_unit(run.phase, node, world);
            if !succeeded {
                break;
            }
        }
    }

    /// Tells the watcher that a system runs next.
    fn begin_unit(&mut self, phase: Phase, system: usize, node: &SystemNode, world: &World) {
        if self.watcher.is_on() {
            let trace = self.causal_trace.as_deref();
            self.watcher.before_method((system, node), Method::Phase(phase), None, world, trace);
        }
    }

    fn end_unit(&mut self, phase: Phase, node: &SystemNode, world: &World) {
        if self.watcher.is_on() {
            let trace = self.causal_trace.as_deref();
            self.watcher.after_method(node, Method::Phase(phase), None, world, trace);
        }
    }

    /// Runs the waves one after the other, the systems of a wave side by side. Output is collected in execution order
    /// all the same.
    fn run_waves(
        &mut self,
        run: &PhaseRun<'_>,
        systems: &mut SystemManager,
        world: &mut World,
        thread_pool: &ThreadPool,
    ) {
        let SystemManager { nodes, phases, plans, .. } = systems;
        let (order, waves) = (phases[run.phase as usize].as_slice(), &plans[run.phase as usize]);
        let mut collected = 0;
        reserve_ticks(run.phase, order, nodes, world);
        for wave in waves {
            self.due.clear();
            self.due.extend(wave.systems.iter().copied().filter(|system| nodes[*system].run_state.due().is_some()));
            if wave.is_exclusive {
                // It is alone in its wave, and all systems before it in execution order are in earlier waves.
                let Some(&system) = wave.systems.first() else { continue };
                let place = order.iter().position(|entry| entry.system == system).unwrap_or(order.len());
                if let Some(due) = nodes[system].run_state.due() {
                    self.collect_outputs(&order[collected..place], nodes, world);
                    collected = place + 1;
                    self.run_system(run, system, &mut nodes[system], due, world);
                }
                reserve_ticks(run.phase, order.get(place + 1..).unwrap_or_default(), nodes, world);
                continue;
            }
            let run_shared = |system: usize, node: &mut SystemNode, world: &World| {
                if let Some(due) = node.run_state.due() {
                    run.shared(system, node, due, world);
                }
            };
            // What belongs to this thread comes first, and the others share the rest.
            self.due.retain(|system| {
                let node = &mut nodes[*system];
                if node.is_pinned {
                    run_shared(*system, node, world);
                }
                !node.is_pinned
            });
            // Waking a thread pays only if at least two systems have enough to do.
            let has_much = |system: &&usize| {
                let access = &nodes[**system].phase_access[run.phase as usize];
                let touched = access.reads.iter().chain(access.writes.iter());
                let most_rows = touched.map(|id| world.components.len_of(id)).max();
                most_rows.unwrap_or(0) >= thread_pool.parallel_threshold
            };
            if self.due.iter().filter(has_much).nth(1).is_some() {
                let world: &World = world;
                thread_pool
                    .for_each_of(Kind::Systems, nodes, &self.due, |system, node| run_shared(system, node, world));
            } else {
                self.due.iter().for_each(|system| run_shared(*system, &mut nodes[*system], world));
            }
        }
        self.collect_outputs(&order[collected.min(order.len())..], nodes, world);
    }

    /// Moves the events of a system to the queue and notes how many commands it recorded.
    #[inline]
    pub(super) fn collect_output(
        recorded: &mut VecDeque<RecordedCommands>,
        system: usize,
        node: &mut SystemNode,
        world: &mut World,
        cause: Option<Cause>,
    ) {
        if !node.buffer.is_empty() {
            world.events.collect(&mut node.buffer, system, cause);
        }
        let waiting = node.commands.get_mut();
        let count = waiting.take_count_of_new();
        if count > 0 {
            recorded.push_back(RecordedCommands { system, count, cause });
        }
    }

    fn collect_outputs(&mut self, order: &[PhaseEntry], nodes: &mut [SystemNode], world: &mut World) {
        for &PhaseEntry { system, .. } in order {
            Self::collect_output(&mut self.recorded, system, &mut nodes[system], world, None);
        }
    }
}

/// Reserves the ticks of the systems that are due, up to the first exclusive one, which takes its ticks while it runs.
/// So the ticks are those of a run on one thread.
fn reserve_ticks(phase: Phase, order: &[PhaseEntry], nodes: &[SystemNode], world: &mut World) {
    for entry in order.iter().take_while(|entry| !entry.methods.exclusive) {
        let node = &nodes[entry.system];
        if let Some(due) = node.run_state.due() {
            node.reserve_ticks(phase, due, &mut world.components);
        }
    }
}

impl PhaseRun<'_> {
    /// Calls the methods that share the world, as often as the system is due. It catches and measures nothing.
    fn call(&self, node: &mut SystemNode, due: Due, world: &World) {
        match due {
            Due::InFrame => self.call_once(&self.time, node, world),
            Due::Timed { runs, delta } => {
                let time = Time { delta, ..self.time };
                (0..runs).for_each(|_| self.call_once(&time, node, world));
            }
        }
    }

    #[inline]
    fn call_once(&self, time: &Time, node: &mut SystemNode, world: &World) {
        let SystemNode { buffer, commands, work, tick, .. } = node;
        work.run(self.phase as usize, &RunContext { world, buffer, commands, time, delivery: None, tick });
    }

    /// As [`PhaseRun::call`], but caught and measured. Returns whether it did not panic.
    fn shared(&self, system: usize, node: &mut SystemNode, due: Due, world: &World) -> bool {
        let (name, phase) = (node.name, self.phase.name());
        let _span = tracing::trace_span!(target: "ecs::system", "run", system = name, phase).entered();
        let started = self.meters.start();
        let caught = catch(|| self.call(node, due, world));
        if let Some(measured) = started.end() {
            node.times.runs += 1;
            node.times.running += measured.time;
            node.times.allocations += measured.allocations;
        }
        self.note(caught, system, node)
    }

    /// Calls the methods that take the whole world. Returns whether none panicked.
    fn exclusive(&self, system: usize, node: &mut SystemNode, world: &mut World) -> bool {
        let started = self.meters.start();
        let caught = catch(|| node.work.system_mut().run_exclusive(world, node.commands.get_mut()));
        if let Some(measured) = started.end() {
            node.times.running += measured.time;
            node.times.allocations += measured.allocations;
        }
        self.note(caught, system, node)
    }

    fn note(&self, caught: Result<(), Payload>, system: usize, node: &SystemNode) -> bool {
        let Err(payload) = caught else { return true };
        let (name, phase) = (node.name, self.phase.name());
        self.panics.note(system, format_args!("system {name} panicked in {phase}"), payload);
        false
    }
}
