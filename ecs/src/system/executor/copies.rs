//! What the executor keeps from frame to frame, in and out of snapshots.

use super::{Executor, RecordedCommands};
use crate::system::Switch;
use crate::time::Time;

/// The part of an executor that decides what happens next.
#[derive(Debug, Default)]
pub(crate) struct ExecutorCopy {
    pub(crate) time: Time,
    pub(crate) recorded: Vec<(usize, usize)>,
    pub(crate) switches: Vec<Switch>,
}

impl Executor {
    pub(crate) fn copy_out(&self, into: &mut ExecutorCopy) {
        into.time = self.time;
        into.recorded.clear();
        into.recorded.extend(self.recorded.iter().map(|recorded| (recorded.system, recorded.count)));
        into.switches.clone_from(&self.switches);
    }

    /// Takes over a copy. The errors of the last frame are forgotten.
    pub(crate) fn copy_in(&mut self, from: &ExecutorCopy) {
        self.time = from.time;
        self.recorded.clear();
        let recorded = |&(system, count)| RecordedCommands { system, count, cause: None };
        self.recorded.extend(from.recorded.iter().map(recorded));
        self.switches.clone_from(&from.switches);
        self.command_errors.clear();
        self.is_applying = false;
    }

    /// How many entries there are of commands that wait.
    pub(crate) fn recorded(&self) -> usize {
        self.recorded.len()
    }

    /// Forgets what waits.
    pub(crate) fn clear(&mut self) {
        self.recorded.clear();
        self.switches.clear();
        self.is_applying = false;
    }
}
