//! Runs the waves of a phase: the systems of a wave side by side, the waves one after the other.

use std::collections::VecDeque;

use super::panic::Panics;
use super::run::PhaseRun;
use super::{Executor, RecordedCommands};
use crate::system::SystemManager;
use crate::system::access::Access;
use crate::system::node::{Phase, PhaseEntry, SystemNode};
use crate::thread_pool::{Kind, ThreadPool};
use crate::world::World;

impl Executor {
    /// Runs one phase of every system that is due, wave by wave. What they sent and asked for is taken over in work order,
    /// whatever the waves, and so are the panics that are returned.
    pub(super) fn run_waves(
        &mut self,
        phase: Phase,
        systems: &mut SystemManager,
        world: &mut World,
        thread_pool: &ThreadPool,
    ) -> Panics {
        let mut panics = Panics::default();
        let SystemManager { nodes, phases, plans, .. } = systems;
        let order = &phases[phase as usize];
        let run = PhaseRun::new(phase, self.time, self.clock, &panics);
        let mut taken_over = 0;
        for wave in &plans[phase as usize].waves {
            self.due.clear();
            self.due.extend(wave.systems.iter().copied().filter(|system| nodes[*system].turn.due().is_some()));
            if wave.is_exclusive {
                // Whoever is earlier in work order has run in an earlier wave, and nobody else has.
                for at in 0..self.due.len() {
                    let system = self.due[at];
                    let place = order.iter().position(|entry| entry.system == system).unwrap_or(order.len());
                    Self::take_over_all(&mut self.recorded, &order[taken_over..place], nodes, world);
                    taken_over = place + 1;
                    let node = &mut nodes[system];
                    if let Some(due) = node.turn.due() {
                        self.run_system(&run, system, node, due, world);
                    }
                }
            } else if self.due.len() > 1
                && is_worthwhile(thread_pool.parallel_threshold, phase, &self.due, nodes, world)
            {
                let world: &World = world;
                thread_pool
                    .for_each_of(Kind::Systems, nodes, &self.due, |system, node| run_shared(&run, system, node, world));
            } else {
                for &system in &self.due {
                    run_shared(&run, system, &mut nodes[system], world);
                }
            }
        }
        Self::take_over_all(&mut self.recorded, &order[taken_over.min(order.len())..], nodes, world);
        panics.sort(order);
        panics
    }

    /// Takes over from systems in work order.
    fn take_over_all(
        recorded: &mut VecDeque<RecordedCommands>,
        order: &[PhaseEntry],
        nodes: &mut [SystemNode],
        world: &mut World,
    ) {
        for &PhaseEntry { system, .. } in order {
            Self::collect_output(recorded, system, &mut nodes[system], world, None);
        }
    }
}

/// Runs a system of a wave for what it is due for.
fn run_shared(run: &PhaseRun<'_>, system: usize, node: &mut SystemNode, world: &World) {
    if let Some(due) = node.turn.due() {
        run.shared(system, node, due, world);
    }
}

/// Whether at least two of the systems have enough to do.
fn is_worthwhile(enough: usize, phase: Phase, due: &[usize], nodes: &[SystemNode], world: &World) -> bool {
    let has_much = |system: &&usize| rows(&nodes[**system].phase_access[phase as usize], world) >= enough;
    due.iter().filter(has_much).nth(1).is_some()
}

/// The number of components in the largest pool that a system touches.
fn rows(access: &Access, world: &World) -> usize {
    let touched = access.reads.iter().chain(access.writes.iter());
    touched.map(|id| world.components.len_of(id)).max().unwrap_or(0)
}
