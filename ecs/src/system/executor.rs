//! Carries out one frame: runs the phases, delivers events, applies commands.
//!
//! Each system writes events and commands to buffers of its own. The executor collects them in execution order, so the
//! result does not depend on which systems run side by side.

mod commands;
mod conditions;
mod despawning;
mod dispatch;
mod panic;
mod phases;
mod removal;
mod side_by_side;
mod transitions;

use std::collections::VecDeque;
use std::time::Duration;

use self::commands::CommandRounds;
use self::panic::Panics;
pub(crate) use self::side_by_side::LaneWork;
use super::node::Phase;
use super::{FieldWatcher, Pending, SetupError, SystemChange, SystemError, SystemManager, SystemNode, Systems};
use crate::causal_trace::CausalTrace;
use crate::commands::Switch;
use crate::component::InsertConflicts;
use crate::entity::EntityId;
use crate::error::{CommandError, CommandFailure, Error};
use crate::event::{Cause, EventBuffer};
use crate::limits::LimitError;
use crate::panic::{FirstPanic, drop_each};
use crate::store::HeldControls;
use crate::time::{FrameTimes, Meters, Started, Time};
use crate::types::TypeRegistry;
use crate::world::{DespawnSet, World};

/// Commands that one system recorded in a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordedCommands {
    pub(crate) system: usize,
    pub(crate) count: usize,
    /// The events that were being delivered to the system when it recorded them.
    cause: Option<Cause>,
}

/// The state of frames apart from systems and world, kept from frame to frame so that a frame allocates nothing.
pub(crate) struct Executor {
    /// Rounds that one dispatch may take.
    pub(crate) rounds: usize,
    /// Events that listeners may send in one dispatch.
    pub(crate) caused_events: u64,
    /// Measures systems, listeners and frames.
    pub(crate) meters: Meters,
    pub(crate) frame_times: FrameTimes,
    /// When the running frame began.
    started: Option<Started>,
    pub(crate) time: Time,
    /// The controls that a [`StepLoop`](crate::StepLoop) has told this state are held.
    pub(crate) controls: Option<HeldControls>,
    /// Frames that this engine has begun, including frames that a restored snapshot took back.
    pub(crate) frames_begun: u64,
    /// When the running listener began, if it is measured.
    listening: Option<Started>,
    /// Phases of the frame that have begun.
    phases_begun: usize,
    pub(crate) command_errors: Vec<CommandError>,
    /// The errors that methods returned.
    pub(crate) system_errors: Vec<SystemError>,
    /// The first limit that was reached in the frame.
    limit: Option<LimitError>,
    pub(crate) error_policy: ErrorPolicy,
    /// The commands that wait, in the order of recording.
    recorded: VecDeque<RecordedCommands>,
    /// The commands are being applied, or one of them panicked.
    is_applying: bool,
    pub(crate) command_rounds: CommandRounds,
    /// Which system inserted which component, where several systems recorded commands.
    pub(crate) conflicts: InsertConflicts,
    /// `None` unless causes are traced.
    pub(crate) causal_trace: Option<Box<CausalTrace>>,
    /// Watches a field, if an inspector asks for it. Causes are traced then.
    pub(crate) watcher: FieldWatcher,
    /// Changes of the systems that take effect at the end of the frame.
    pending: Pending,
    /// Waiting events of systems that were removed.
    buffers_of_removed: Vec<EventBuffer>,
    going: DespawnSet,
    /// The last announced despawn, which does not go through the queue.
    staged: EventBuffer,
    /// What listeners in lanes receive next, kept for its memory.
    pub(crate) lane_work: LaneWork,
    /// Systems of the running wave, kept for its memory.
    due: Vec<usize>,
    /// The entities of the event that is delivered to observers, kept for its memory.
    concerned: Vec<EntityId>,
    /// An event of the run panicked when it was asked for them.
    is_concern_unknown: bool,
}

impl Default for Executor {
    fn default() -> Self {
        Self {
            rounds: 64,
            caused_events: 1 << 24,
            meters: Meters::default(),
            frame_times: FrameTimes::default(),
            started: None,
            listening: None,
            time: Time::default(),
            controls: None,
            frames_begun: 0,
            phases_begun: Phase::ALL.len(),
            command_errors: Vec::new(),
            system_errors: Vec::new(),
            limit: None,
            error_policy: ErrorPolicy::default(),
            recorded: VecDeque::new(),
            is_applying: false,
            command_rounds: CommandRounds::default(),
            conflicts: InsertConflicts::default(),
            causal_trace: None,
            watcher: FieldWatcher::default(),
            pending: Pending::default(),
            buffers_of_removed: Vec::new(),
            going: DespawnSet::default(),
            staged: EventBuffer::new(),
            lane_work: LaneWork::default(),
            due: Vec::new(),
            concerned: Vec::new(),
            is_concern_unknown: false,
        }
    }
}

impl Executor {
    /// Begins the next frame, whose measurement `started` already.
    pub(crate) fn begin_frame(&mut self, delta: Duration, started: Started) {
        self.started = Some(started);
        self.phases_begun = 0;
        let elapsed = self.time.elapsed.saturating_add(delta);
        self.time = Time { delta, elapsed, frame: self.time.frame + 1, ..Time::default() };
        self.frames_begun += 1;
        if let Some(causal_trace) = &mut self.causal_trace {
            causal_trace.begin_frame(self.time.frame);
        }
    }

    pub(crate) fn clear_errors(&mut self) {
        self.command_errors.clear();
        self.system_errors.clear();
        self.limit = None;
    }

    /// The first limit that was reached, or the first error that a method returned, if the policy is to stop.
    pub(crate) fn stop_at_error(&self) -> Result<(), Error> {
        match (&self.limit, self.error_policy, self.system_errors.first()) {
            (Some(error), ..) => Err(error.clone().into()),
            (None, ErrorPolicy::Stop, Some(error)) => Err(error.clone().into()),
            _ => Ok(()),
        }
    }

    /// Adds the frame to the measured times.
    pub(crate) fn end_frame(&mut self) {
        if let Some(measured) = self.started.take().and_then(Started::end) {
            self.frame_times.frames += 1;
            self.frame_times.total += measured.time;
        }
    }

    /// Ends the frame with the first of `panics`, if there is one. With a limit that was reached the frame goes on.
    fn raise(&mut self, mut panics: Panics, systems: &mut SystemManager) {
        if panics.is_empty() {
            return;
        }
        self.note_limits(&mut panics);
        if !panics.is_empty() {
            if self.phases_begun == 0 {
                // The frame ends before its timers have advanced.
                systems.hold_conditional();
                // The panic is raised instead of the error.
                _ = systems.tick(self.time.delta);
            }
            systems.defer(self.phases_begun);
            self.end_frame();
            panics.raise();
        }
    }

    /// Notes the first limit of the frame that was reached.
    #[cold]
    fn note_limits(&mut self, panics: &mut Panics) {
        let reached = panics.take_limits();
        self.limit = self.limit.take().or(reached);
    }

    /// Notes the causes of the events and commands since the last call, if causes are traced.
    pub(crate) fn note_causes(&mut self, systems: &SystemManager, world: &World, heard: Option<u64>) {
        if let Some(causal_trace) = &mut self.causal_trace {
            let asked = self.recorded.iter().map(|recorded| recorded.system);
            let name = |system: usize| systems.nodes.get(system).map(|node| node.name);
            causal_trace.note(&world.events, asked, name, heard);
        }
    }

    /// Whether commands wait, because a panic ended the frame that recorded them.
    pub(crate) fn has_commands(&self) -> bool {
        !self.recorded.is_empty() || !self.pending.is_empty()
    }

    /// Drops the events of systems that were removed. The queue must be cleared.
    pub(crate) fn drop_events_of_removed(&mut self, panics: &mut FirstPanic) {
        panics.catch(|| self.buffers_of_removed.clear());
    }

    /// Continues from `time`, without commands and errors.
    pub(crate) fn restart(&mut self, time: Time) {
        self.time = time;
        self.recorded.clear();
        self.pending.clear();
        self.clear_errors();
        self.is_applying = false;
    }

    /// Carries out the changes of the systems that commands asked for, in their order. At the end of the frame, so that
    /// the check of resources at the beginning of the next one covers the systems that were enabled.
    ///
    /// Returns the systems that were removed: they are dropped last, since a state may panic then. A panic in the
    /// set-up of a system leaves the other changes as they are.
    #[must_use]
    pub(crate) fn switch_systems(
        &mut self,
        systems: &mut SystemManager,
        world: &mut World,
        types: &mut TypeRegistry,
        panics: &mut FirstPanic,
    ) -> Vec<SystemNode> {
        let mut removed = Vec::new();
        let mut pending = self.pending.take();
        for (change, by) in pending.drain(..) {
            let command = change.command();
            let changed = panics.catch(|| self.change_systems(change, systems, world, types, &mut removed));
            if let Some(Err(failure)) = changed {
                self.note_failure(CommandError { system: by, command, failure });
            }
        }
        self.pending.give_back(pending);
        removed
    }

    /// Carries out a change of the systems.
    ///
    /// # Errors
    /// If a system cannot be removed, or systems cannot be added.
    pub(crate) fn change_systems(
        &mut self,
        change: SystemChange,
        systems: &mut SystemManager,
        world: &mut World,
        types: &mut TypeRegistry,
        removed: &mut Vec<SystemNode>,
    ) -> Result<(), CommandFailure> {
        match change {
            SystemChange::Switch(switch) => removed.extend(self.switch(switch, systems, world)?),
            SystemChange::Function(function) => _ = systems.add_function(*function, world),
            SystemChange::Add(added) => self.add_systems(added, systems, world, types, removed)?,
        }
        Ok(())
    }

    /// Adds systems that come and go with snapshots: all of them, or none if they are wrong or have no place in the
    /// order. Then they are among the `removed` ones.
    ///
    /// # Errors
    /// As [`Engine::add`](crate::Engine::add) and [`Engine::order`](crate::Engine::order).
    fn add_systems(
        &mut self,
        added: Systems,
        systems: &mut SystemManager,
        world: &mut World,
        types: &mut TypeRegistry,
        removed: &mut Vec<SystemNode>,
    ) -> Result<(), SetupError> {
        let first = systems.nodes.len();
        systems.add(added, world, types, |_, _| Ok(()))?;
        systems.nodes[first..].iter_mut().for_each(|node| node.is_by_command = node.function.is_none());
        let checked = systems.checked_schedule().map(drop);
        if checked.is_err() {
            let places: Vec<_> = (first..systems.nodes.len()).collect();
            removed.extend(self.remove_nodes(&places, systems, world));
        }
        checked
    }

    /// Carries out a switch; returns the system that it removes.
    ///
    /// # Errors
    /// If the system cannot be removed. A function may have been cancelled meanwhile, which is no error.
    pub(crate) fn switch(
        &mut self,
        switch: Switch,
        systems: &mut SystemManager,
        world: &mut World,
    ) -> Result<Option<SystemNode>, CommandFailure> {
        if let Switch::Remove { system, name } = switch {
            return Ok(Some(self.remove_by_type(system, name, systems, world)?));
        }
        systems.switch(switch);
        Ok(None)
    }

    fn note_failure(&mut self, error: CommandError) {
        let CommandError { system, command, failure } = &error;
        tracing::warn!(target: "ecs::commands", system, command, %failure, "command not applied");
        self.command_errors.push(error);
    }

    /// Ends the frame: drops the events, rewinds all buffers, whose memory is kept, and carries out switches.
    pub(crate) fn reset(
        &mut self,
        systems: &mut SystemManager,
        world: &mut World,
        types: &mut TypeRegistry,
        panics: &mut FirstPanic,
    ) {
        self.watcher.end_frame(systems, world);
        if world.events.hand_over(self.time.frame, panics) {
            systems.note_listeners(world);
        }
        // The queue must not be readable once its buffers are rewound.
        let mut queue = std::mem::take(&mut world.events.queue);
        world.events.end_frame();
        if let Some(causal_trace) = &mut self.causal_trace {
            causal_trace.forget_queue();
        }
        // The queue names every buffer that holds events; the outside has no node.
        for batch in queue.drain(..) {
            if let Some(node) = systems.nodes.get_mut(batch.sender) {
                node.buffer.rewind(panics);
            }
        }
        world.events.queue = queue;
        world.events.outside_buffer().rewind(panics);
        self.drop_events_of_removed(panics);
        let removed = self.switch_systems(systems, world, types, panics);
        if systems.has_functions() {
            systems.cancel_observers(world);
        }
        panics.catch(|| self.forget_functions(systems, world));
        self.watcher.after_changes_of_systems(systems, world);
        panics.catch(|| drop_each(removed));
    }
}

/// What an engine does when a method of a system, or a function that it calls, returns an error. The rest of the frame
/// runs in any case: the other systems, the commands and the events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorPolicy {
    /// The error is logged and listed in [`Engine::system_errors`](crate::Engine::system_errors).
    #[default]
    Report,
    /// As `Report`; and [`Engine::update`](crate::Engine::update) returns the first error of the frame.
    Stop,
}
