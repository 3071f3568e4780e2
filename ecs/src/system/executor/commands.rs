//! Applies the commands that systems recorded.

use std::panic::resume_unwind;

use super::dispatch::Spent;
use super::{Executor, RecordedCommands};
use crate::commands::{Applied, Call, CallContext, TracedCommand};
use crate::component::InsertConflict;
use crate::error::{CommandError, CommandFailure};
use crate::event::{CascadeError, Cause, OUTSIDE};
use crate::panic::{FirstPanic, catch};
use crate::system::SystemChange;
use crate::system::executor::panic::Panics;
use crate::system::{SystemManager, SystemNode};
use crate::world::{EntityCopier, World};

/// The rounds of applying commands that commands have recorded, with the budget of one dispatch: without it a function
/// that records itself would run for ever.
#[derive(Default)]
pub(crate) struct CommandRounds {
    /// What recorded the commands of each round: the first function that ran, or the first system.
    chain: Vec<&'static str>,
    /// The number of commands in all rounds.
    recorded: u64,
    /// The first function that ran in this round.
    pub(crate) called: Option<&'static str>,
    /// The first function of each of the last rounds, as far back as one ran in each, also where they caused events.
    functions: Vec<&'static str>,
}

impl CommandRounds {
    pub(crate) fn begin(&mut self) {
        self.chain.clear();
        self.functions.clear();
        (self.recorded, self.called) = (0, None);
    }

    /// Notes the function of a round that ends.
    fn note_function(&mut self) {
        match self.called {
            Some(function) => self.functions.push(function),
            None => self.functions.clear(),
        }
    }

    /// Begins a round with `count` commands.
    ///
    /// # Errors
    /// If the budget of rounds or commands is spent.
    pub(crate) fn next(
        &mut self,
        by: &'static str,
        count: usize,
        rounds: usize,
        most: u64,
    ) -> Result<(), CascadeError> {
        self.chain.push(self.called.take().unwrap_or(by));
        self.recorded += count as u64;
        if self.chain.len() <= rounds && self.recorded <= most {
            return Ok(());
        }
        Err(CascadeError { cycle: cycle(&self.chain), is_circle: true, rounds: self.chain.len(), sent: 0, dropped: 0 })
    }

    /// If functions kept recording each other, and listeners did not cause the events: names them instead.
    fn explain(&self, error: &mut CascadeError) {
        let repeats = self.functions.split_last().is_some_and(|(last, before)| before.contains(last));
        if repeats && !error.is_circle {
            (error.cycle, error.is_circle, error.sent) = (cycle(&self.functions), true, 0);
        }
    }
}

/// The names between the last one and its repetition, beginning with the first by name, so that the same cycle always
/// reads the same.
fn cycle(chain: &[&'static str]) -> Vec<&'static str> {
    let mut backwards = chain.iter().rev();
    let Some(last) = backwards.next() else { return Vec::new() };
    let others = backwards.take_while(|name| *name != last);
    let mut cycle: Vec<_> = [last].into_iter().chain(others).copied().collect();
    cycle.reverse();
    let first = (0..cycle.len()).min_by_key(|&at| cycle[at]).unwrap_or(0);
    cycle.rotate_left(first);
    cycle
}

impl Executor {
    /// Applies all commands in the order in which they were recorded.
    ///
    /// # Panics
    /// If one of them does, for example because it drops a component; the commands behind it wait for the next frame.
    pub(crate) fn apply_commands(&mut self, systems: &mut SystemManager, world: &mut World, copier: &dyn EntityCopier) {
        // Commands that are recorded meanwhile wait until step 6 repeats.
        let mut left = self.recorded.len();
        loop {
            world.entities_mut().is_caught = true;
            let caught = catch(|| self.apply_all(&mut left, systems, world, copier));
            world.entities_mut().is_caught = false;
            world.make_whole();
            // `recorded` always agrees with the buffers: its front names the system of the command that panicked.
            let (Err(payload), Some(RecordedCommands { system, .. })) = (caught, self.recorded.front()) else { return };
            let name = systems.nodes[*system].name;
            if self.watcher.is_on() {
                self.watcher.after_command(name, world, self.causal_trace.as_deref());
            }
            let panics = Panics::default();
            panics.note(*system, format_args!("a command of system {name} panicked"), payload);
            // After a limit, the commands behind the one that failed are carried out.
            self.raise(panics, systems);
        }
    }

    /// As [`Executor::apply_commands`], again while commands record commands.
    ///
    /// # Errors
    /// If the budget is spent: the last commands are dropped.
    pub(crate) fn apply_all_commands(
        &mut self,
        systems: &mut SystemManager,
        world: &mut World,
        copier: &dyn EntityCopier,
    ) -> Result<(), CascadeError> {
        self.command_rounds.begin();
        loop {
            self.apply_commands(systems, world, copier);
            if self.recorded.is_empty() {
                return Ok(());
            }
            self.next_round(systems, world)?;
        }
    }

    /// Begins a round of the commands that wait; drops them if the budget is spent.
    fn next_round(&mut self, systems: &mut SystemManager, world: &mut World) -> Result<(), CascadeError> {
        let by = self.recorded.front().map_or("", |recorded| systems.nodes[recorded.system].name);
        let count = self.recorded.iter().map(|recorded| recorded.count).sum();
        let next = self.command_rounds.next(by, count, self.rounds, self.caused_events);
        next.map_err(|error| CascadeError { dropped: self.drop_commands(systems, world), ..error })
    }

    /// Drops the commands that wait; returns how many they were.
    ///
    /// # Panics
    /// If values in them panic in `drop`: with the first panic, after all have been dropped.
    fn drop_commands(&mut self, systems: &mut SystemManager, world: &mut World) -> usize {
        let (mut dropped, mut panics) = (0, FirstPanic::default());
        for RecordedCommands { system, count, .. } in self.recorded.drain(..) {
            dropped += count;
            systems.nodes[system].commands.get_mut().cancel(world, &mut panics);
            if let Some(causal_trace) = &mut self.causal_trace {
                causal_trace.end_of_entry();
            }
        }
        panics.raise();
        dropped
    }

    /// Applies commands and delivers the events that this causes, until no command waits. The budget is that of one
    /// dispatch.
    ///
    /// # Errors
    /// As [`Executor::dispatch`]. The commands that wait are applied; the events and commands that they cause are
    /// dropped. If functions that run by command kept recording commands without events, the last ones are dropped.
    ///
    /// # Panics
    /// As [`Executor::apply_commands`] and [`Executor::dispatch`].
    pub(crate) fn apply_and_dispatch(
        &mut self,
        systems: &mut SystemManager,
        world: &mut World,
        copier: &dyn EntityCopier,
    ) -> Result<(), CascadeError> {
        let mut spent = Spent::default();
        self.command_rounds.begin();
        loop {
            let rounds = spent.rounds;
            self.apply_commands(systems, world, copier);
            self.command_rounds.note_function();
            if let Err(mut error) = self.dispatch_within(&mut spent, systems, world) {
                self.command_rounds.explain(&mut error);
                self.apply_commands(systems, world, copier);
                self.note_causes(systems, world, None);
                error.dropped += world.events.queued() + self.drop_commands(systems, world);
                world.events.drop_queued();
                return Err(error);
            }
            if self.recorded.is_empty() {
                return Ok(());
            }
            // Functions that run by command may record the next one each time, without an event.
            match spent.rounds == rounds {
                true => self.next_round(systems, world)?,
                false => self.command_rounds.called = None,
            }
        }
    }

    /// Applies the commands of the next `left` entries.
    fn apply_all(
        &mut self,
        left: &mut usize,
        systems: &mut SystemManager,
        world: &mut World,
        copier: &dyn EntityCopier,
    ) {
        let _span = tracing::trace_span!(target: "ecs::commands", "apply").entered();
        // The commands behind one that panicked belong to those that were applied before it.
        let are_rest = std::mem::replace(&mut self.is_applying, true);
        if !are_rest {
            self.conflicts.begin();
        }
        // The commands of a single system cannot conflict.
        let first = self.recorded.front().map(|recorded| recorded.system);
        let are_several = are_rest || self.recorded.iter().any(|recorded| Some(recorded.system) != first);
        let despawning = world.events.lifecycle.despawning;
        while *left > 0
            && let Some(RecordedCommands { system, count, cause }) = self.recorded.front_mut()
        {
            let (system, cause) = (*system, *cause);
            if *count == 0 {
                *left -= 1;
                // Lifecycle events have the cause of their commands, so that a cycle through them is found.
                world.events.collect_outside(OUTSIDE, cause);
                self.recorded.pop_front();
                if let Some(causal_trace) = &mut self.causal_trace {
                    causal_trace.end_of_entry();
                }
                continue;
            }
            *count -= 1;
            let panics =
                despawning.and_then(|event_type| self.announce_despawning(event_type, system, cause, systems, world));
            self.conflicts.ask_for(system);
            let failed = match self.apply_first(system, are_several, systems, world) {
                None | Some(Applied::Done | Applied::Nothing) => None,
                Some(Applied::Failed(command, failure)) => Some((command, failure)),
                Some(Applied::Conflict(InsertConflict { entity, component, by })) => {
                    let (component, other) = (world.components.name(component), systems.nodes[by].name);
                    Some(("insert", CommandFailure::Conflict { entity, component, other }))
                }
                Some(Applied::Call(call)) => {
                    let name = call.name;
                    self.call(call, system, cause, systems, world, copier).err().map(|failure| (name, failure))
                }
                Some(Applied::Switch(switch)) => match systems.check_switch(switch, Some(system), &self.pending) {
                    Ok(switch) => {
                        self.pending.push(SystemChange::Switch(switch), systems.nodes[system].name);
                        None
                    }
                    Err(failure) => Some((switch.name(), failure)),
                },
                Some(Applied::MethodFailed(failure)) => {
                    let error = failure.of(systems.nodes[system].name);
                    tracing::error!(
                        target: "ecs::system", system = error.system, place = error.place, error = error.message, "failed"
                    );
                    self.system_errors.push(error);
                    None
                }
            };
            if self.watcher.is_on() {
                self.watcher.after_command(systems.nodes[system].name, world, self.causal_trace.as_deref());
            }
            if let Some((command, failure)) = failed {
                let error = CommandError { system: systems.nodes[system].name, command, failure };
                self.note_failure(error);
            }
            if let Some(mut panics) = panics {
                self.note_limits(&mut panics);
                panics.raise();
            }
        }
        self.is_applying = false;
    }

    /// Carries out a command with a function. Its events follow those of the commands before it, and its commands wait
    /// until step 6 repeats, also if it panics.
    fn call(
        &mut self,
        call: Call,
        system: usize,
        cause: Option<Cause>,
        systems: &mut SystemManager,
        world: &mut World,
        copier: &dyn EntityCopier,
    ) -> Result<(), CommandFailure> {
        world.events.collect_outside(OUTSIDE, cause);
        self.command_rounds.called.get_or_insert(call.function);
        let node = &mut systems.nodes[system];
        let SystemNode { buffer, commands, .. } = &*node;
        let time = &self.time;
        let (first, pending) = (self.pending.len(), &mut self.pending);
        let caught = catch(|| (call.make)(CallContext { world: &mut *world, buffer, commands, time, copier, pending }));
        self.pending.name_from(first, node.name);
        Self::collect_output(&mut self.recorded, system, node, world, cause);
        let heard = self.causal_trace.as_ref().and_then(|causal_trace| causal_trace.heard_by_command());
        self.note_causes(systems, world, heard);
        caught.unwrap_or_else(|panic| resume_unwind(panic))
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
