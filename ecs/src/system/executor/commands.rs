//! Applies the commands that systems recorded.

use super::{Executor, RecordedCommands};
use crate::commands::{Applied, CommandError, CommandFailure, TracedCommand};
use crate::component::InsertConflict;
use crate::event::OUTSIDE;
use crate::panic::{FirstPanic, catch};
use crate::system::SystemManager;
use crate::system::executor::panic::Panics;
use crate::world::World;

impl Executor {
    /// Applies all commands in the order in which they were recorded.
    ///
    /// # Panics
    /// If one of them does, for example because it drops a component; the commands behind it wait for the next frame.
    pub(crate) fn apply_commands(&mut self, systems: &mut SystemManager, world: &mut World) {
        let caught = catch(|| self.apply_all(systems, world));
        // `recorded` always agrees with the buffers: its front names the system of the command that panicked.
        if let (Err(payload), Some(RecordedCommands { system, .. })) = (caught, self.recorded.front()) {
            let panics = Panics::default();
            panics.note(*system, format_args!("a command of system {} panicked", systems.nodes[*system].name), payload);
            self.raise(panics, systems, world);
        }
    }

    fn apply_all(&mut self, systems: &mut SystemManager, world: &mut World) {
        let _span = tracing::trace_span!(target: "ecs::commands", "apply").entered();
        // The commands of a single system cannot conflict.
        let first = self.recorded.front().map(|recorded| recorded.system);
        let mut are_several = self.recorded.iter().any(|recorded| Some(recorded.system) != first);
        // The commands behind one that panicked belong to those that were applied before it.
        if std::mem::replace(&mut self.is_applying, true) {
            are_several = true;
        } else {
            self.conflicts.begin();
        }
        while let Some(RecordedCommands { system, count, cause }) = self.recorded.front_mut() {
            let system = *system;
            if *count == 0 {
                // Lifecycle events have the cause of their commands, so that a cycle through them is found.
                world.events.collect_outside(OUTSIDE, *cause);
                self.recorded.pop_front();
                if let Some(causal_trace) = &mut self.causal_trace {
                    causal_trace.end_of_entry();
                }
                continue;
            }
            *count -= 1;
            self.conflicts.ask_for(system);
            let failed = match self.apply_first(system, are_several, systems, world) {
                None | Some(Applied::Done) => None,
                Some(Applied::Failed(command, failure)) => Some((command, failure)),
                Some(Applied::Conflict(InsertConflict { entity, component, by })) => {
                    let (component, other) = (world.components.name(component), systems.nodes[by].name);
                    Some(("insert", CommandFailure::Conflict { entity, component, other }))
                }
                Some(Applied::Switch(switch)) => match systems.check_switch(switch) {
                    Ok(()) => {
                        self.switches.push(switch);
                        None
                    }
                    Err(failure) => Some((switch.name(), failure)),
                },
            };
            if let Some((command, failure)) = failed {
                let error = CommandError { system: systems.nodes[system].name, command, failure };
                tracing::warn!(target: "ecs::commands", %error, "command not applied");
                self.command_errors.push(error);
            }
        }
        self.is_applying = false;
    }

    /// Applies the first command of a system. Where causes are traced, notes what it did, also if it panics.
    #[inline]
    fn apply_first(
        &mut self,
        system: usize,
        may_conflict: bool,
        systems: &mut SystemManager,
        world: &mut World,
    ) -> Option<Applied> {
        let conflicts = may_conflict.then_some(&mut self.conflicts);
        let commands = systems.nodes[system].commands.get_mut();
        let Some(causal_trace) = &mut self.causal_trace else { return commands.apply_first(world, conflicts) };
        let before = world.events.outside_buffer().count();
        let (mut command, mut panics) = (TracedCommand::default(), FirstPanic::default());
        let applied = panics.catch(|| commands.apply_first_traced(world, conflicts, &mut command));
        causal_trace.note_command(command, world.events.outside_buffer().count() - before);
        panics.raise();
        applied.flatten()
    }
}
