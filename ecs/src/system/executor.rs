//! Carries out one frame: runs the phases, delivers events, applies commands. Everything is written to the lane of the
//! system that runs, and lanes are joined in work order, so that running side by side changes nothing.

#[cfg(feature = "parallel")]
mod side_by_side;

use std::any::TypeId;
use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;
use std::time::Duration;

use super::SystemManager;
use super::node::{Delivery, Phase, SystemNode};
use super::param::RunContext;
use crate::commands::{Applied, CommandError, CommandFailure};
use crate::event::{EventManager, Queued};
use crate::time::Time;
use crate::world::{World, WorldMark};

/// Sender number of what comes from outside of the systems.
pub(crate) const OUTSIDE: usize = usize::MAX;

/// Listeners kept answering events with events until the budget was spent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CascadeError {
    /// The event types that caused each other: each one was sent by a listener to the one before.
    pub cycle: Vec<&'static str>,
    /// Whether the first one was sent by a listener to the last. If not, this is the whole chain of causes.
    pub is_circle: bool,
    /// Rounds that were dispatched.
    pub rounds: usize,
    /// Events that listeners sent meanwhile.
    pub sent: u64,
    /// Events that were not delivered to anybody.
    pub dropped: usize,
}

impl fmt::Display for CascadeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rounds, sent, dropped, .. } = self;
        write!(f, "listeners kept sending events, {sent} in {rounds} rounds: {}", self.cycle.join(" → "))?;
        if let (true, Some(first)) = (self.is_circle, self.cycle.first()) {
            write!(f, " → {first}")?;
        }
        write!(f, "; {dropped} of them were dropped: let a listener stop, or raise the budget of a dispatch")
    }
}

impl std::error::Error for CascadeError {}

/// What a frame needs besides systems and world, kept from frame to frame so that nothing is allocated.
pub(crate) struct Executor {
    /// The world that the systems were made for.
    pub(crate) mark: WorldMark,
    /// Rounds that one dispatch may take.
    pub(crate) rounds: usize,
    /// Events that listeners may send in one dispatch.
    pub(crate) caused_events: u64,
    /// Tells how long listeners take; the engine itself reads no clock.
    pub(crate) clock: Option<fn() -> Duration>,
    pub(crate) time: Time,
    pub(crate) command_errors: Vec<CommandError>,
    /// Systems that recorded commands, in the order of recording, with the number of commands.
    recorded: VecDeque<(usize, usize)>,
    /// Systems that are enabled or disabled when the frame is over.
    switches: Vec<(TypeId, bool)>,
    /// A system that touches fewer components than this is not worth waking a thread for.
    #[cfg(feature = "parallel")]
    pub(crate) rows_worth_a_thread: usize,
    /// Systems of the wave that is running, kept for its memory.
    #[cfg(feature = "parallel")]
    due: Vec<usize>,
}

impl Executor {
    pub(crate) fn new(mark: WorldMark) -> Self {
        Self {
            mark,
            rounds: 64,
            caused_events: 1 << 24,
            clock: None,
            time: Time::default(),
            command_errors: Vec::new(),
            recorded: VecDeque::new(),
            switches: Vec::new(),
            #[cfg(feature = "parallel")]
            rows_worth_a_thread: 1024,
            #[cfg(feature = "parallel")]
            due: Vec::new(),
        }
    }

    /// Moves on to the next frame.
    pub(crate) fn begin_frame(&mut self, delta: Duration) {
        let elapsed = self.time.elapsed.saturating_add(delta);
        self.time = Time { delta, elapsed, frame: self.time.frame + 1 };
        self.command_errors.clear();
    }

    /// Runs one phase of every system that is due.
    pub(crate) fn run_phase(&mut self, phase: Phase, systems: &mut SystemManager, world: &mut World) {
        #[cfg(feature = "parallel")]
        if world.has_threads {
            self.run_waves(phase, systems, world);
            return;
        }
        let SystemManager { nodes, phases, .. } = systems;
        for &system in &phases[phase as usize] {
            let node = &mut nodes[system];
            if let Some(delta) = node.due {
                self.run_system(phase, system, Time { delta, ..self.time }, node, world);
            }
        }
    }

    /// Runs one phase of one system and takes over what it sent and asked for.
    pub(crate) fn run_system(
        &mut self,
        phase: Phase,
        system: usize,
        time: Time,
        node: &mut SystemNode,
        world: &mut World,
    ) {
        run_methods(phase, time, node, world);
        Self::take_over(&mut self.recorded, system, node, world, None);
        if node.methods[phase as usize].exclusive {
            node.work.run_exclusive(phase, world);
            self.mark.check(world);
            world.events.collect_outside(system);
        }
    }

    /// Moves what a system sent to the queue and notes how many commands it recorded.
    fn take_over(
        recorded: &mut VecDeque<(usize, usize)>,
        system: usize,
        node: &mut SystemNode,
        world: &mut World,
        cause: Option<u32>,
    ) {
        if !node.lane.is_empty() {
            world.events.collect(&mut node.lane, system, cause);
        }
        let waiting = node.commands.get_mut();
        let new = waiting.take_count_of_new();
        if new > 0 {
            recorded.push_back((system, new));
        }
    }

    /// Delivers what waits, first in, first out, until nothing is left; what listeners send joins the end.
    ///
    /// # Errors
    /// If that takes more rounds, or listeners send more events, than the budget; the rest is dropped.
    pub(crate) fn dispatch(&mut self, systems: &mut SystemManager, world: &mut World) -> Result<(), CascadeError> {
        world.events.collect_outside(OUTSIDE);
        let before = world.events.collected();
        let _span = tracing::trace_span!(target: "ecs::event", "dispatch").entered();
        let (mut rounds, mut round_end) = (0, world.events.delivered);
        while world.events.delivered < world.events.queue.len() {
            let sent = world.events.collected() - before;
            let is_new_round = world.events.delivered == round_end;
            if sent > self.caused_events || (is_new_round && rounds == self.rounds) {
                return Err(cascade(rounds, sent, world));
            }
            if is_new_round {
                rounds += 1;
                round_end = world.events.queue.len();
            }
            let run = next_run(round_end, world);
            world.events.delivered = run.end;
            self.deliver(run, systems, world);
        }
        Ok(())
    }

    /// Delivers a run to every listener in turn, and to those who begin to listen meanwhile.
    fn deliver(&mut self, run: Range<usize>, systems: &mut SystemManager, world: &mut World) {
        let event_type = world.events.queue[run.start].segment.event_type;
        let last = &world.events.queue[run.end - 1];
        let end_sequence = last.first_sequence + last.segment.count as u64;
        let started = self.clock.map(|clock| clock());
        let mut delivered = 0;
        loop {
            let changes = world.events.subscription_changes();
            for index in 0..world.events.event_type(event_type).subscribers.len() {
                delivered += self.deliver_to(index, run.clone(), end_sequence, systems, world);
            }
            if world.events.subscription_changes() == changes {
                break;
            }
        }
        let counters = &mut world.events.event_type_mut(event_type).counters;
        counters.delivered += delivered;
        if let (Some(clock), Some(started)) = (self.clock, started) {
            counters.handler_time += clock().saturating_sub(started);
        }
    }

    fn deliver_to(
        &mut self,
        index: usize,
        run: Range<usize>,
        end_sequence: u64,
        systems: &mut SystemManager,
        world: &mut World,
    ) -> u64 {
        let event_type = world.events.queue[run.start].segment.event_type;
        let subscriber = &world.events.event_type(event_type).subscribers[index];
        let (system, listener) = (subscriber.system, subscriber.listener);
        let node = &mut systems.nodes[system];
        if !node.is_enabled {
            return 0;
        }
        let Some(begin) = subscriber.take(end_sequence) else { return 0 };
        let _span = tracing::trace_span!(target: "ecs::event", "deliver", system = node.name).entered();
        let mut delivered = 0;
        {
            let context = RunContext {
                world,
                lane: &node.lane,
                commands: &node.commands,
                time: self.time,
                sequence: Cell::new(None),
            };
            for queued in &world.events.queue[run.clone()] {
                let skip = begin.saturating_sub(queued.first_sequence).min(queued.segment.count as u64) as usize;
                if skip < queued.segment.count && subscriber.is_subscribed() {
                    let first_sequence = queued.first_sequence;
                    let delivery = Delivery { segment: queued.segment, skip, first_sequence, subscriber };
                    delivered += node.work.deliver(listener, &delivery, &context);
                }
            }
        }
        Self::take_over(&mut self.recorded, system, node, world, u32::try_from(run.start).ok());
        delivered
    }

    /// Applies all commands in the order in which they were recorded.
    pub(crate) fn apply_commands(&mut self, systems: &mut SystemManager, world: &mut World) {
        let _span = tracing::trace_span!(target: "ecs::commands", "apply").entered();
        // A component that is dropped may panic: what stands in `recorded` always agrees with the lanes.
        while let Some((system, count)) = self.recorded.front_mut() {
            let system = *system;
            if *count == 0 {
                self.recorded.pop_front();
                continue;
            }
            *count -= 1;
            let node = &mut systems.nodes[system];
            let asked_by = node.name;
            let failed = match node.commands.get_mut().apply_first(world) {
                None | Some(Applied::Done) => None,
                Some(Applied::Failed(command, failure)) => Some((command, failure)),
                Some(Applied::SetSystem { system, name, .. }) if systems.find(system).is_none() => {
                    Some(("switch a system", CommandFailure::NoSuchSystem { system: name }))
                }
                Some(Applied::SetSystem { system, enabled, .. }) => {
                    self.switches.push((system, enabled));
                    None
                }
            };
            if let Some((command, failure)) = failed {
                let error = CommandError { system: asked_by, command, failure };
                tracing::warn!(target: "ecs::commands", %error, "command not applied");
                self.command_errors.push(error);
            }
        }
    }

    /// Enables and disables the systems that commands asked for: at the end of the frame, so that a system which lacks a
    /// resource is found before it works.
    pub(crate) fn switch_systems(&mut self, systems: &mut SystemManager) {
        for (system, enabled) in self.switches.drain(..) {
            systems.set_enabled(system, enabled);
        }
    }

    /// Forgets the queue and rewinds all lanes; their memory is kept.
    pub(crate) fn reset(&mut self, systems: &mut SystemManager, world: &mut World) {
        self.switch_systems(systems);
        world.events.end_frame();
        for node in &mut systems.nodes {
            node.lane.rewind();
        }
        world.events.outside_lane().rewind();
    }
}

/// Runs those methods of a phase that share the world with others.
fn run_methods(phase: Phase, time: Time, node: &mut SystemNode, world: &World) {
    let _span = tracing::trace_span!(target: "ecs::system", "run", system = node.name, phase = phase.name()).entered();
    if node.methods[phase as usize].shared {
        let context = RunContext { world, lane: &node.lane, commands: &node.commands, time, sequence: Cell::new(None) };
        node.work.run(phase, &context);
    }
}

/// The next events of one type from one sender. Where a lane needed several chunks they are several segments, but one run
/// all the same: what listeners see must not depend on sizes of memory.
fn next_run(round_end: usize, world: &World) -> Range<usize> {
    let EventManager { queue, delivered, .. } = &world.events;
    let first = &queue[*delivered];
    let same =
        |at: &usize| queue[*at].segment.event_type == first.segment.event_type && queue[*at].sender == first.sender;
    *delivered..(*delivered + 1..round_end).find(|at| !same(at)).unwrap_or(round_end)
}

/// Drops what waits and names what kept it coming.
fn cascade(rounds: usize, sent: u64, world: &mut World) -> CascadeError {
    let EventManager { queue, delivered, .. } = &world.events;
    let dropped = queue[*delivered..].iter().map(|queued| queued.segment.count).sum();
    let mut chain = Vec::new();
    let mut is_circle = false;
    let mut current = Some(*delivered as u32);
    while let Some(at) = current {
        let Queued { segment, cause, .. } = queue[at as usize];
        if let Some(start) = chain.iter().position(|&seen| seen == segment.event_type) {
            chain.drain(..start);
            is_circle = true;
            break;
        }
        chain.push(segment.event_type);
        current = cause;
    }
    // Causes were followed backwards.
    chain.reverse();
    let mut cycle: Vec<_> = chain.into_iter().map(|id| world.events.event_type(id).name).collect();
    if is_circle {
        // Begin with the first by name, so that the same circle always reads the same.
        let first = (0..cycle.len()).min_by_key(|&at| cycle[at]).unwrap_or(0);
        cycle.rotate_left(first);
    }
    world.events.delivered = queue.len();
    CascadeError { cycle, is_circle, rounds, sent, dropped }
}
