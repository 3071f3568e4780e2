//! Carries out one frame: runs the phases, delivers events, applies commands. Serial; everything is written to the lane of
//! the system that runs, and lanes are joined in work order, so that running side by side changes nothing.

#[cfg(feature = "parallel")]
mod side_by_side;

use std::cell::Cell;
use std::fmt;
use std::ops::Range;
use std::time::Duration;

use super::SystemManager;
use super::node::{Delivery, Phase, SystemNode};
use super::param::RunContext;
use crate::commands::{Applied, CommandError, CommandFailure};
use crate::time::Time;
use crate::world::World;

/// Sender number of what comes from outside of the systems.
pub(crate) const OUTSIDE: usize = usize::MAX;

/// Listeners kept answering events with events until the budget was spent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CascadeError {
    /// The circle of event types: each one is sent by a listener to the one before, the first by a listener to the last.
    /// If no type caused itself, the whole chain of causes.
    pub cycle: Vec<&'static str>,
    /// Rounds that were dispatched.
    pub rounds: usize,
    /// Events that were not delivered to anybody.
    pub dropped: usize,
}

impl fmt::Display for CascadeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "listeners kept sending events for {} rounds: ", self.rounds)?;
        for event in &self.cycle {
            write!(f, "{event} → ")?;
        }
        let first = self.cycle.first().copied().unwrap_or_default();
        write!(f, "{first}; {} events were dropped: let a listener stop, or raise the budget of rounds", self.dropped)
    }
}

impl std::error::Error for CascadeError {}

/// What a frame needs besides systems and world, kept from frame to frame so that nothing is allocated.
pub(crate) struct Executor {
    /// Rounds that one dispatch may take.
    pub(crate) budget: usize,
    /// Tells how long listeners take; the engine itself reads no clock.
    pub(crate) clock: Option<fn() -> Duration>,
    pub(crate) time: Time,
    pub(crate) command_errors: Vec<CommandError>,
    /// Systems that recorded commands, in the order of recording, with the number of commands.
    recorded: Vec<(usize, usize)>,
    /// Events before this place of the queue were delivered.
    delivered: usize,
    /// A system that touches fewer components than this is not worth waking a thread for.
    #[cfg(feature = "parallel")]
    pub(crate) rows_worth_a_thread: usize,
    /// The frame runs in a pool of threads.
    #[cfg(feature = "parallel")]
    pub(crate) has_threads: bool,
    /// Systems of the wave that is running, kept for its memory.
    #[cfg(feature = "parallel")]
    due: Vec<usize>,
}

impl Default for Executor {
    fn default() -> Self {
        Self {
            budget: 64,
            clock: None,
            time: Time::default(),
            command_errors: Vec::new(),
            recorded: Vec::new(),
            delivered: 0,
            #[cfg(feature = "parallel")]
            rows_worth_a_thread: 1024,
            #[cfg(feature = "parallel")]
            has_threads: false,
            #[cfg(feature = "parallel")]
            due: Vec::new(),
        }
    }
}

impl Executor {
    /// Moves on to the next frame.
    pub(crate) fn begin_frame(&mut self, delta: Duration) {
        let elapsed = self.time.elapsed.saturating_add(delta);
        self.time = Time { delta, elapsed, frame: self.time.frame + 1 };
        self.command_errors.clear();
    }

    /// Runs one phase of every system that is due.
    pub(crate) fn run_phase(&mut self, phase: Phase, systems: &mut SystemManager, world: &mut World) {
        #[cfg(feature = "parallel")]
        if self.has_threads {
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
            world.collect_outside(system, None);
        }
    }

    /// Moves what a system sent to the queue and notes how many commands it recorded.
    fn take_over(
        recorded: &mut Vec<(usize, usize)>,
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
            recorded.push((system, new));
        }
    }

    /// Delivers what waits, first in, first out, until nothing is left; what listeners send joins the end.
    ///
    /// # Errors
    /// If that takes more rounds than the budget; the rest is dropped.
    pub(crate) fn dispatch(&mut self, systems: &mut SystemManager, world: &mut World) -> Result<(), CascadeError> {
        world.collect_outside(OUTSIDE, None);
        let _span = tracing::trace_span!(target: "ecs::event", "dispatch").entered();
        let (mut rounds, mut round_end) = (0, self.delivered);
        while self.delivered < world.events.queue.len() {
            if self.delivered == round_end {
                if rounds == self.budget {
                    return Err(self.cascade(rounds, world));
                }
                rounds += 1;
                round_end = world.events.queue.len();
            }
            let run = self.next_run(round_end, world);
            self.delivered = run.end;
            self.deliver(run, systems, world);
        }
        Ok(())
    }

    /// The next events of one type from one sender. Where a lane needed several chunks they are several segments, but one
    /// run all the same: what listeners see must not depend on sizes of memory.
    fn next_run(&self, round_end: usize, world: &World) -> Range<usize> {
        let queue = &world.events.queue;
        let first = &queue[self.delivered];
        let same =
            |at: &usize| queue[*at].segment.event_type == first.segment.event_type && queue[*at].sender == first.sender;
        self.delivered..(self.delivered + 1..round_end).find(|at| !same(at)).unwrap_or(round_end)
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
            subscriber.pass(end_sequence);
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

    /// Drops what waits and names the circle that kept it coming.
    fn cascade(&mut self, rounds: usize, world: &World) -> CascadeError {
        let queue = &world.events.queue;
        let dropped = queue[self.delivered..].iter().map(|queued| queued.segment.count).sum();
        let name = |at: usize| world.events.event_type(queue[at].segment.event_type).name;
        let mut chain = Vec::new();
        let mut current = Some(self.delivered as u32);
        while let Some(at) = current {
            if let Some(start) = chain.iter().position(|&seen| seen == name(at as usize)) {
                chain.drain(..start);
                break;
            }
            chain.push(name(at as usize));
            current = queue[at as usize].cause;
        }
        // Causes were followed backwards; begin with the first by name, so that the same circle always reads the same.
        chain.reverse();
        let first = (0..chain.len()).min_by_key(|&at| chain[at]).unwrap_or(0);
        chain.rotate_left(first);
        self.delivered = queue.len();
        CascadeError { cycle: chain, rounds, dropped }
    }

    /// Applies all commands in the order in which they were recorded.
    pub(crate) fn apply_commands(&mut self, systems: &mut SystemManager, world: &mut World) {
        let _span = tracing::trace_span!(target: "ecs::commands", "apply").entered();
        let mut recorded = std::mem::take(&mut self.recorded);
        for (system, count) in recorded.drain(..) {
            for _ in 0..count {
                let node = &mut systems.nodes[system];
                let asked_by = node.name;
                let applied = node.commands.get_mut().apply_first(world);
                let failed = match applied {
                    None | Some(Applied::Done) => None,
                    Some(Applied::Failed(command, failure)) => Some((command, failure)),
                    Some(Applied::SetSystem { system, name, enabled }) => (!systems.set_enabled(system, enabled))
                        .then_some(("switch a system", CommandFailure::NoSuchSystem { system: name })),
                };
                if let Some((command, failure)) = failed {
                    let error = CommandError { system: asked_by, command, failure };
                    tracing::warn!(target: "ecs::commands", %error, "command not applied");
                    self.command_errors.push(error);
                }
            }
        }
        self.recorded = recorded;
    }

    /// Forgets the queue and rewinds all lanes; their memory is kept.
    pub(crate) fn reset(&mut self, systems: &mut SystemManager, world: &mut World) {
        world.events.end_frame();
        self.delivered = 0;
        for node in &mut systems.nodes {
            node.lane.rewind();
        }
        world.outside_lane().rewind();
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
