//! Carries out one frame: runs the phases, delivers events, applies commands. Everything is written to the buffer of the
//! system that runs, and buffers are joined in work order, so that running side by side changes nothing.

mod causal_trace;
mod dispatch;
mod panic;
mod run;
#[cfg(feature = "parallel")]
mod side_by_side;

use std::collections::VecDeque;
use std::time::Duration;

pub use self::dispatch::CascadeError;
use self::panic::Panics;
use self::run::PhaseRun;
use super::node::{Phase, PhaseEntry, SystemNode};
use super::timer::Due;
use super::{Switch, SystemManager};
use crate::causal_trace::CausalTrace;
use crate::commands::{Applied, CommandError, CommandFailure};
use crate::component::{InsertConflict, InsertConflicts};
use crate::event::Cause;
use crate::panic::catch;
use crate::time::{FrameTimes, Started, Stopwatch, Time};
use crate::world::World;

/// Sender number of what comes from outside of the systems.
pub(crate) const OUTSIDE: usize = usize::MAX;

/// Commands that one system recorded in a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordedCommands {
    pub(crate) system: usize,
    pub(crate) count: usize,
    /// The events that the system heard when it recorded them.
    cause: Option<Cause>,
}

/// What a frame needs besides systems and world, kept from frame to frame so that nothing is allocated.
pub(crate) struct Executor {
    /// Rounds that one dispatch may take.
    pub(crate) rounds: usize,
    /// Events that listeners may send in one dispatch.
    pub(crate) caused_events: u64,
    /// Tells how long systems, listeners and frames take.
    pub(crate) clock: Stopwatch,
    pub(crate) frame_times: FrameTimes,
    /// When the frame began that is running.
    started: Option<Started>,
    pub(crate) time: Time,
    /// Frames that this engine has begun, those included that were taken back.
    pub(crate) frames_begun: u64,
    /// How many phases of the frame have begun.
    phases_begun: usize,
    pub(crate) command_errors: Vec<CommandError>,
    /// The commands that wait, in the order of recording.
    recorded: VecDeque<RecordedCommands>,
    /// The commands are being applied, or one of them panicked.
    is_applying: bool,
    /// Who inserted what, where several ask for it.
    pub(crate) claims: InsertConflicts,
    /// What led to what, if that is traced.
    pub(crate) causal_trace: Option<Box<CausalTrace>>,
    /// What is enabled, disabled or cancelled when the frame is over.
    switches: Vec<Switch>,
    /// Systems of the wave that is running, kept for its memory.
    #[cfg(feature = "parallel")]
    due: Vec<usize>,
}

impl Default for Executor {
    fn default() -> Self {
        Self {
            rounds: 64,
            caused_events: 1 << 24,
            clock: Stopwatch::default(),
            frame_times: FrameTimes::default(),
            started: None,
            time: Time::default(),
            frames_begun: 0,
            phases_begun: Phase::ALL.len(),
            command_errors: Vec::new(),
            recorded: VecDeque::new(),
            is_applying: false,
            claims: InsertConflicts::default(),
            causal_trace: None,
            switches: Vec::new(),
            #[cfg(feature = "parallel")]
            due: Vec::new(),
        }
    }
}

impl Executor {
    /// Moves on to the next frame, which `started` some time ago.
    pub(crate) fn begin_frame(&mut self, delta: Duration, started: Started) {
        self.started = Some(started);
        self.phases_begun = 0;
        let elapsed = self.time.elapsed.saturating_add(delta);
        self.time = Time { delta, elapsed, frame: self.time.frame + 1 };
        self.frames_begun += 1;
        self.command_errors.clear();
        if let Some(causal_trace) = &mut self.causal_trace {
            causal_trace.begin_frame(self.time.frame);
        }
    }

    /// Notes how long the frame took.
    pub(crate) fn end_frame(&mut self) {
        if let Some(elapsed) = self.started.take().and_then(Started::elapsed) {
            self.frame_times.frames += 1;
            self.frame_times.total += elapsed;
        }
    }

    /// Runs one phase of every system that is due.
    ///
    /// # Panics
    /// If systems panicked: with the first one in work order, when all others have run.
    pub(crate) fn run_phase(&mut self, phase: Phase, systems: &mut SystemManager, world: &mut World) {
        self.phases_begun = phase as usize + 1;
        if systems.phases[phase as usize].is_empty() {
            return;
        }
        #[cfg(feature = "parallel")]
        if let Some(thread_pool) = world.thread_pool.clone() {
            let panics = self.run_waves(phase, systems, world, &thread_pool);
            self.end_phase(panics, systems, world);
            return;
        }
        let panics = Panics::default();
        let run = PhaseRun::new(phase, self.time, self.clock, &panics);
        let SystemManager { nodes, phases, .. } = systems;
        let order = phases[phase as usize].as_slice();
        let is_watched = run.is_watched();
        let mut place = 0;
        // Catching costs as much as the call of a small system: one catch serves for all up to the next panic.
        while place < order.len() {
            let caught = catch(|| {
                let (mut next, nodes) = (place, nodes.as_mut_slice());
                while let Some(&PhaseEntry { system, methods }) = order.get(next) {
                    next += 1;
                    place = next;
                    let node = &mut nodes[system];
                    let due = node.turn.due();
                    let is_plain = !methods.exclusive && !is_watched;
                    if is_plain && due == Some(Due::InFrame) {
                        run.call_in_frame(node, world);
                        if methods.fills_buffers {
                            Self::collect_output(&mut self.recorded, system, node, world, None);
                        }
                    } else if let Some(due) = due {
                        self.run_system(&run, system, node, due, world);
                    }
                }
            });
            if caught.is_err() {
                let system = order[place - 1].system;
                run.note(caught, system, nodes[system].name);
                Self::collect_output(&mut self.recorded, system, &mut nodes[system], world, None);
            }
        }
        self.end_phase(panics, systems, world);
    }

    fn end_phase(&mut self, panics: Panics, systems: &mut SystemManager, world: &World) {
        if self.causal_trace.is_some() {
            self.note_causes(systems, world, None);
        }
        self.raise(panics, systems);
    }

    /// Runs all phases of one system outside of a frame; nothing of it is measured.
    ///
    /// # Panics
    /// If the system does.
    pub(crate) fn run_by_hand(&mut self, system: usize, systems: &mut SystemManager, world: &mut World) {
        // It does so whether it is due or not, so nothing is put off if it panics.
        self.phases_begun = Phase::ALL.len();
        for phase in Phase::ALL {
            let panics = Panics::default();
            let run = PhaseRun::new(phase, self.time, Stopwatch::default(), &panics);
            self.run_system(&run, system, &mut systems.nodes[system], Due::once(Duration::ZERO), world);
            self.raise(panics, systems);
        }
    }

    /// Runs one phase of one system and takes over what it sent and asked for, also if it panicked.
    #[inline]
    fn run_system(&mut self, run: &PhaseRun<'_>, system: usize, node: &mut SystemNode, due: Due, world: &mut World) {
        if run.methods(node).exclusive {
            self.run_with_exclusive(run, system, node, due, world);
        } else {
            run.shared(system, node, due, world);
            if run.methods(node).fills_buffers {
                Self::collect_output(&mut self.recorded, system, node, world, None);
            }
        }
    }

    /// Runs a phase that has methods of both kinds: as often as the system is due, first those that share the world, then
    /// those that take it.
    fn run_with_exclusive(
        &mut self,
        run: &PhaseRun<'_>,
        system: usize,
        node: &mut SystemNode,
        due: Due,
        world: &mut World,
    ) {
        let (runs, each) = match due {
            Due::InFrame => (1, due),
            Due::Timed { runs, delta } => (runs, Due::once(delta)),
        };
        for _ in 0..runs {
            let came_to_its_end = run.shared(system, node, each, world);
            if run.methods(node).fills_buffers {
                Self::collect_output(&mut self.recorded, system, node, world, None);
            }
            if !came_to_its_end || !self.run_exclusive(run, system, node, world) {
                break;
            }
        }
    }

    fn run_exclusive(&self, run: &PhaseRun<'_>, system: usize, node: &mut SystemNode, world: &mut World) -> bool {
        let came_to_its_end = run.exclusive(system, node, world);
        world.events.collect_outside(system, None);
        came_to_its_end
    }

    /// Ends the frame with the first of `panics`, if there is one.
    fn raise(&mut self, mut panics: Panics, systems: &mut SystemManager) {
        if !panics.is_empty() {
            systems.defer(self.phases_begun);
            self.end_frame();
            panics.raise();
        }
    }

    /// Moves what a system sent to the queue and notes how many commands it recorded.
    fn collect_output(
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

    /// Applies all commands in the order in which they were recorded.
    ///
    /// # Panics
    /// If one of them does, for example because it drops a component; those behind it wait for the next frame.
    pub(crate) fn apply_commands(&mut self, systems: &mut SystemManager, world: &mut World) {
        let caught = match self.causal_trace {
            None => catch(|| self.apply_all::<false>(systems, world)),
            Some(_) => catch(|| self.apply_all::<true>(systems, world)),
        };
        // What stands in `recorded` always agrees with the buffers, and its front is who asked for the last command.
        if let (Err(payload), Some(RecordedCommands { system, .. })) = (caught, self.recorded.front()) {
            let panics = Panics::default();
            panics.note(*system, format_args!("a command of system {} panicked", systems.nodes[*system].name), payload);
            self.raise(panics, systems);
        }
    }

    /// With or without tracing what the commands do.
    fn apply_all<const IS_TRACED: bool>(&mut self, systems: &mut SystemManager, world: &mut World) {
        let _span = tracing::trace_span!(target: "ecs::commands", "apply").entered();
        // Who is the only one to ask for anything is in nobody's way.
        let first = self.recorded.front().map(|recorded| recorded.system);
        let mut are_several = self.recorded.iter().any(|recorded| Some(recorded.system) != first);
        // What was left by a command that panicked belongs to those that were applied before it.
        if std::mem::replace(&mut self.is_applying, true) {
            are_several = true;
        } else {
            self.claims.begin();
        }
        while let Some(RecordedCommands { system, count, cause }) = self.recorded.front_mut() {
            let system = *system;
            if *count == 0 {
                // What the commands announce has the cause that they have, so that a circle through them is found.
                world.events.collect_outside(OUTSIDE, *cause);
                self.recorded.pop_front();
                if IS_TRACED && let Some(causal_trace) = &mut self.causal_trace {
                    causal_trace.end_of_entry();
                }
                continue;
            }
            *count -= 1;
            let node = &mut systems.nodes[system];
            let asked_by = node.name;
            self.claims.ask_for(system);
            let claims = are_several.then_some(&mut self.claims);
            let applied = match IS_TRACED {
                true => Self::apply_first_traced(self.causal_trace.as_deref_mut(), node, world, claims),
                false => node.commands.get_mut().apply_first(world, claims),
            };
            let failed = match applied {
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
                let error = CommandError { system: asked_by, command, failure };
                tracing::warn!(target: "ecs::commands", %error, "command not applied");
                self.command_errors.push(error);
            }
        }
        self.is_applying = false;
    }

    /// Whether commands wait, because a panic broke off the frame or the run that recorded them.
    pub(crate) fn has_commands(&self) -> bool {
        !self.recorded.is_empty() || !self.switches.is_empty()
    }

    /// Goes on from `time`, with no commands and no errors.
    pub(crate) fn restart(&mut self, time: Time) {
        self.time = time;
        self.recorded.clear();
        self.switches.clear();
        self.command_errors.clear();
        self.is_applying = false;
    }

    /// Enables, disables and cancels what commands asked for: at the end of the frame, so that a system which lacks a
    /// resource is found before it works.
    pub(crate) fn switch_systems(&mut self, systems: &mut SystemManager) {
        for switch in self.switches.drain(..) {
            // A function may have been cancelled meanwhile, which is no mistake of who wanted to switch it.
            systems.switch(switch);
        }
    }

    /// Forgets the queue and rewinds all buffers; their memory is kept.
    pub(crate) fn reset(&mut self, systems: &mut SystemManager, world: &mut World) {
        self.switch_systems(systems);
        // Taken out, so that nobody can read it any more, and put back for its memory.
        let mut queue = std::mem::take(&mut world.events.queue);
        world.events.end_frame();
        if let Some(causal_trace) = &mut self.causal_trace {
            causal_trace.forget_queue();
        }
        // All that is in a buffer is in the queue, too; the outside has no node. To rewind twice is nothing.
        for batch in queue.drain(..) {
            if let Some(node) = systems.nodes.get_mut(batch.sender) {
                node.buffer.rewind();
            }
        }
        world.events.queue = queue;
        world.events.outside_buffer().rewind();
        self.forget_functions(systems, world);
    }

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
