//! Runs the waves of a phase: the systems of a wave side by side, the waves one after the other.

use std::collections::VecDeque;

use super::{Executor, run_methods};
use crate::system::SystemManager;
use crate::system::access::Access;
use crate::system::node::{Phase, SystemNode};
use crate::system::run_time::Stopwatch;
use crate::time::Time;
use crate::world::World;

impl Executor {
    /// Runs one phase of every system that is due, wave by wave. What they sent and asked for is taken over in work order,
    /// whatever the waves.
    pub(super) fn run_waves(&mut self, phase: Phase, systems: &mut SystemManager, world: &mut World) {
        let SystemManager { nodes, phases, plans, .. } = systems;
        let order = &phases[phase as usize];
        let run = SharedRun { phase, time: self.time, clock: self.clock };
        let mut taken_over = 0;
        for wave in &plans[phase as usize].waves {
            self.due.clear();
            self.due.extend(wave.systems.iter().copied().filter(|system| nodes[*system].due.is_some()));
            if wave.is_exclusive {
                // Whoever is earlier in work order has run in an earlier wave, and nobody else has.
                for &system in &self.due {
                    let place = order.iter().position(|other| *other == system).unwrap_or(order.len());
                    Self::take_over_all(&mut self.recorded, &order[taken_over..place], nodes, world);
                    taken_over = place + 1;
                    let node = &mut nodes[system];
                    run.run(node, world);
                    Self::take_over(&mut self.recorded, system, node, world, None);
                    self.run_exclusive(phase, system, node, world, self.clock);
                }
            } else if self.due.len() > 1 && is_worthwhile(self.rows_worth_a_thread, phase, &self.due, nodes, world) {
                run.side_by_side(nodes, 0, &self.due, world);
            } else {
                for &system in &self.due {
                    run.run(&mut nodes[system], world);
                }
            }
        }
        Self::take_over_all(&mut self.recorded, &order[taken_over.min(order.len())..], nodes, world);
    }

    /// Takes over from systems in work order.
    fn take_over_all(
        recorded: &mut VecDeque<(usize, usize)>,
        order: &[usize],
        nodes: &mut [SystemNode],
        world: &mut World,
    ) {
        for &system in order {
            Self::take_over(recorded, system, &mut nodes[system], world, None);
        }
    }
}

/// What all systems of a phase run with.
#[derive(Clone, Copy)]
struct SharedRun {
    phase: Phase,
    time: Time,
    clock: Stopwatch,
}

impl SharedRun {
    /// Runs a system if it is due.
    fn run(self, node: &mut SystemNode, world: &World) {
        if let Some(delta) = node.due {
            run_methods(self.phase, Time { delta, ..self.time }, node, world, self.clock);
        }
    }

    /// Runs `due`, places in `nodes` that count from `first`, in ascending order: halves the list until each thread has one.
    fn side_by_side(self, nodes: &mut [SystemNode], first: usize, due: &[usize], world: &World) {
        match due {
            [] => {}
            [system] => self.run(&mut nodes[system - first], world),
            _ => {
                let (left, right) = due.split_at(due.len() / 2);
                let (left_nodes, right_nodes) = nodes.split_at_mut(right[0] - first);
                rayon::join(
                    || self.side_by_side(left_nodes, first, left, world),
                    || self.side_by_side(right_nodes, right[0], right, world),
                );
            }
        }
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
