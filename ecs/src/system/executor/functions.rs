//! Takes functions out of the list of systems that have run for the last time or were cancelled.

use super::{Executor, OUTSIDE};
use crate::system::SystemManager;
use crate::world::World;

impl Executor {
    /// Drops the functions that are over, but those of which something still waits: what a frame that broke off has left is
    /// delivered and applied in the next one.
    ///
    /// The systems behind a function move up, so all that counts them by place is told.
    pub(crate) fn forget_functions(&mut self, systems: &mut SystemManager, world: &mut World) {
        if !systems.has_functions() {
            return;
        }
        let queue = &mut world.events.queue;
        for system in (0..systems.nodes.len()).rev() {
            let is_waited_for = || {
                queue.iter().any(|queued| queued.sender == system)
                    || self.recorded.iter().any(|recorded| recorded.system == system)
            };
            if !systems.nodes[system].has_ended() || is_waited_for() {
                continue;
            }
            for queued in queue.iter_mut().filter(|queued| queued.sender != OUTSIDE && queued.sender > system) {
                queued.sender -= 1;
            }
            for recorded in self.recorded.iter_mut().filter(|recorded| recorded.system > system) {
                recorded.system -= 1;
            }
            systems.remove_function(system);
        }
    }
}
