//! Carries out one frame: runs the phases, delivers events, applies commands.
//!
//! Each system writes events and commands to buffers of its own. The executor collects them in work order, so the result does
//! not depend on which systems run side by side.

mod commands;
mod conditions;
mod dispatch;
mod panic;
mod phases;

use std::collections::VecDeque;
use std::time::Duration;

use self::panic::Panics;
use super::SystemManager;
use super::node::Phase;
use crate::causal_trace::CausalTrace;
use crate::commands::{CommandError, Switch};
use crate::component::InsertConflicts;
use crate::event::{Cause, OUTSIDE};
use crate::time::{FrameTimes, Started, Stopwatch, Time};
use crate::world::World;

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
    pub(crate) clock: Stopwatch,
    pub(crate) frame_times: FrameTimes,
    /// When the running frame began.
    started: Option<Started>,
    pub(crate) time: Time,
    /// Frames that this engine has begun, including frames that a restored snapshot took back.
    pub(crate) frames_begun: u64,
    /// Phases of the frame that have begun.
    phases_begun: usize,
    pub(crate) command_errors: Vec<CommandError>,
    /// The commands that wait, in the order of recording.
    recorded: VecDeque<RecordedCommands>,
    /// The commands are being applied, or one of them panicked.
    is_applying: bool,
    /// Which system inserted which component, where several systems recorded commands.
    pub(crate) conflicts: InsertConflicts,
    /// `None` unless causes are traced.
    pub(crate) causal_trace: Option<Box<CausalTrace>>,
    /// Switches of systems and functions that take effect at the end of the frame.
    switches: Vec<Switch>,
    /// Systems of the running wave, kept for its memory.
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
            conflicts: InsertConflicts::default(),
            causal_trace: None,
            switches: Vec::new(),
            #[cfg(feature = "parallel")]
            due: Vec::new(),
        }
    }
}

impl Executor {
    /// Begins the next frame, whose measurement `started` already.
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

    /// Adds the frame to the measured times.
    pub(crate) fn end_frame(&mut self) {
        if let Some(elapsed) = self.started.take().and_then(Started::elapsed) {
            self.frame_times.frames += 1;
            self.frame_times.total += elapsed;
        }
    }

    /// Ends the frame with the first of `panics`, if there is one.
    fn raise(&mut self, mut panics: Panics, systems: &mut SystemManager) {
        if !panics.is_empty() {
            if self.phases_begun == 0 {
                // The frame ends before its timers have advanced.
                systems.hold_conditional();
                systems.tick(self.time.delta);
            }
            systems.defer(self.phases_begun);
            self.end_frame();
            panics.raise();
        }
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
        !self.recorded.is_empty() || !self.switches.is_empty()
    }

    /// Continues from `time`, without commands and errors.
    pub(crate) fn restart(&mut self, time: Time) {
        self.time = time;
        self.recorded.clear();
        self.switches.clear();
        self.command_errors.clear();
        self.is_applying = false;
    }

    /// Carries out the switches that commands asked for. At the end of the frame, so that the check of resources at the
    /// beginning of the next one covers the systems that were enabled.
    pub(crate) fn switch_systems(&mut self, systems: &mut SystemManager) {
        for switch in self.switches.drain(..) {
            // A function may have been cancelled meanwhile, which is no error.
            systems.switch(switch);
        }
    }

    /// Ends the frame: carries out switches, clears the queue and rewinds all buffers, whose memory is kept.
    pub(crate) fn reset(&mut self, systems: &mut SystemManager, world: &mut World) {
        self.switch_systems(systems);
        // The queue must not be readable once its buffers are rewound.
        let mut queue = std::mem::take(&mut world.events.queue);
        world.events.end_frame();
        if let Some(causal_trace) = &mut self.causal_trace {
            causal_trace.forget_queue();
        }
        // The queue names every buffer that holds events; the outside has no node.
        for batch in queue.drain(..) {
            if let Some(node) = systems.nodes.get_mut(batch.sender) {
                node.buffer.rewind();
            }
        }
        world.events.queue = queue;
        world.events.outside_buffer().rewind();
        self.forget_functions(systems, world);
    }

    /// Removes the functions that have ended, except those whose events or commands wait because a frame panicked.
    ///
    /// The systems behind a function move up, so their places in queue and commands are adjusted. While commands wait behind one that
    /// panicked, all functions stay: insert conflicts name systems by their places.
    pub(crate) fn forget_functions(&mut self, systems: &mut SystemManager, world: &mut World) {
        if self.is_applying || !systems.has_functions() {
            return;
        }
        let queue = &mut world.events.queue;
        for system in (0..systems.nodes.len()).rev() {
            let has_output = || {
                queue.iter().any(|queued| queued.sender == system)
                    || self.recorded.iter().any(|recorded| recorded.system == system)
            };
            if !systems.nodes[system].has_ended() || has_output() {
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
