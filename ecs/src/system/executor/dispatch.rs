//! Delivers what waits to whoever listens: first in, first out, with a budget for what listeners send meanwhile.

mod alone;

use std::cell::Cell;
use std::fmt;

use super::panic::Panics;
use super::{Executor, OUTSIDE};
use crate::event::{EventManager, Run, Segment, Subscriber};
use crate::panic::{Payload, catch};
use crate::system::SystemManager;
use crate::system::node::{AnyWork, Delivery, SystemNode};
use crate::system::param::RunContext;
use crate::time::Time;
use crate::world::World;

/// Listeners kept causing events, by sending them or by commands, until the budget was spent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CascadeError {
    /// The event types that caused each other: a listener to one sent the next, or recorded a command that did.
    pub cycle: Vec<&'static str>,
    /// Whether the last one caused the first. If not, this is the whole chain of causes.
    pub is_circle: bool,
    /// Rounds that were dispatched.
    pub rounds: usize,
    /// Events that listeners caused meanwhile.
    pub sent: u64,
    /// Events that were not delivered.
    pub dropped: usize,
}

impl fmt::Display for CascadeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rounds, sent, dropped, .. } = self;
        write!(f, "listeners kept causing events, {sent} in {rounds} rounds: {}", self.cycle.join(" → "))?;
        if let (true, Some(first)) = (self.is_circle, self.cycle.first()) {
            write!(f, " → {first}")?;
        }
        write!(f, "; {dropped} of them were dropped: let a listener stop, or raise the budget of a dispatch")
    }
}

impl std::error::Error for CascadeError {}

/// How much of its budget a dispatch has spent.
#[derive(Default)]
struct Spent {
    rounds: usize,
    /// Number of the first event that counts.
    before: Option<u64>,
}

/// The listener that events are being delivered to: its number among those of the type, the first event that it gets and the
/// one behind the last event that it was called with.
#[derive(Default)]
pub(super) struct Current {
    index: Cell<usize>,
    begin: Cell<u64>,
    next: Cell<u64>,
}

impl Executor {
    /// Delivers what waits, first in, first out, until nothing is left; what listeners send joins the end.
    ///
    /// # Errors
    /// If that takes more rounds, or listeners send more events, than the budget; the rest is dropped.
    ///
    /// # Panics
    /// If listeners panicked: with the first one, when all others have heard the run.
    pub(crate) fn dispatch(&mut self, systems: &mut SystemManager, world: &mut World) -> Result<(), CascadeError> {
        self.dispatch_within(&mut Spent::default(), systems, world)
    }

    /// Applies the commands and delivers the events that this causes, again and again until no command waits. All of this is
    /// one dispatch to the budget.
    ///
    /// # Errors
    /// As [`Executor::dispatch`]. The commands that wait then are applied, and the events that they cause are dropped with the
    /// rest.
    ///
    /// # Panics
    /// As [`Executor::apply_commands`] and [`Executor::dispatch`]; the commands behind it wait for the next frame.
    pub(crate) fn apply_and_dispatch(
        &mut self,
        systems: &mut SystemManager,
        world: &mut World,
    ) -> Result<(), CascadeError> {
        let mut spent = Spent::default();
        loop {
            self.apply_commands(systems, world);
            if let Err(mut error) = self.dispatch_within(&mut spent, systems, world) {
                self.apply_commands(systems, world);
                self.note_causes(systems, world, None);
                error.dropped += world.events.queued();
                world.events.drop_queued();
                return Err(error);
            }
            if self.recorded.is_empty() {
                return Ok(());
            }
        }
    }

    fn dispatch_within(
        &mut self,
        spent: &mut Spent,
        systems: &mut SystemManager,
        world: &mut World,
    ) -> Result<(), CascadeError> {
        world.events.collect_outside(OUTSIDE, None);
        if self.causal_trace.is_some() {
            self.note_causes(systems, world, None);
        }
        let before = *spent.before.get_or_insert(world.events.collected());
        let last = before.saturating_add(self.caused_events);
        let _span = tracing::trace_span!(target: "ecs::event", "dispatch").entered();
        let mut round_end = world.events.delivered.batch;
        while world.events.delivered.batch < world.events.queue.len() {
            let collected = world.events.collected();
            let is_new_round = world.events.delivered.batch == round_end;
            if collected > last || (is_new_round && spent.rounds == self.rounds) {
                return Err(cascade(spent.rounds, collected - before, world));
            }
            if is_new_round {
                spent.rounds += 1;
                round_end = world.events.queue.len();
            }
            self.deliver_round(round_end, last, systems, world);
        }
        Ok(())
    }

    /// Delivers run by run, up to the batch `end` and until listeners have sent the event number `last`.
    fn deliver_round(&mut self, end: usize, last: u64, systems: &mut SystemManager, world: &mut World) {
        let is_traced = tracing::span_enabled!(target: "ecs::event", tracing::Level::TRACE, "deliver", system);
        let is_watched = is_traced || self.clock.0.is_some() || self.causal_trace.is_some();
        while world.events.delivered.batch < end && world.events.collected() <= last {
            let (mut unfinished, current) = (None, Current::default());
            let is_on_its_way = Cell::new(false);
            // Catching costs as much as delivering an event: one catch serves for all up to the next panic.
            let caught = catch(|| {
                while world.events.delivered.batch < end && world.events.collected() <= last {
                    if !is_watched {
                        self.deliver_to_one(&is_on_its_way, &current, systems, world);
                    }
                    // Filled in place: reading it back as a whole would wait for its parts to be written.
                    let run = &*unfinished.insert(world.events.next_run(end));
                    if is_watched || world.events.event_type(run.event_type()).switches_listeners {
                        return;
                    }
                    self.deliver_plain(run, &current, systems, world);
                    unfinished = None;
                }
            });
            if is_on_its_way.get() {
                current.take_up(unfinished.insert(world.events.next_run(end)));
            }
            let Some(run) = unfinished else { return };
            let (panics, mut broken_off) = (Panics::default(), Vec::new());
            if caught.is_err() {
                broken_off.extend(self.settle(&run, &current, caught, systems, world, &panics));
            }
            self.deliver(&run, panics, broken_off, systems, world);
        }
    }

    /// Delivers a run to every listener in turn. None of them can switch another one, and none is watched or caught.
    #[inline]
    fn deliver_plain(&mut self, run: &Run, current: &Current, systems: &mut SystemManager, world: &mut World) {
        for index in 0..world.events.event_type(run.event_type()).subscribers.len() {
            let subscriber = &world.events.event_type(run.event_type()).subscribers[index];
            let node = &mut systems.nodes[subscriber.system];
            if !current.begin(run, index, subscriber, node) {
                continue;
            }
            current.call(run, subscriber, node, world, &self.time);
            let fills_buffers = subscriber.fills_buffers;
            world.events.event_type_mut(run.event_type()).counters.delivered += current.heard();
            if fills_buffers {
                let system = world.events.event_type(run.event_type()).subscribers[index].system;
                Self::collect_output(&mut self.recorded, system, node, world, Some(run.as_cause()));
            }
        }
    }

    /// Delivers a run to every listener in turn, and to those who begin to listen meanwhile.
    ///
    /// A listener that panics hears nothing more for now: what is left of the run, it hears in the next frame. Those who did so
    /// already are `broken_off`, with the event that is next for them.
    ///
    /// # Panics
    /// If listeners panicked: with the first one, when all others have heard the run.
    fn deliver(
        &mut self,
        run: &Run,
        panics: Panics,
        mut broken_off: Vec<(usize, u64)>,
        systems: &mut SystemManager,
        world: &mut World,
    ) {
        loop {
            let changes = world.events.subscription_changes();
            for index in 0..world.events.event_type(run.event_type()).subscribers.len() {
                broken_off.extend(self.deliver_to(index, run, systems, world, &panics));
            }
            if world.events.subscription_changes() == changes {
                break;
            }
        }
        for (index, next) in broken_off {
            world.events.event_type(run.event_type()).subscribers[index].stop_before(next);
            if next < run.end_sequence {
                // Nobody else takes anything from the run again, since each listener notes how far it came.
                world.events.delivered = run.start;
            }
        }
        self.raise(panics, systems);
    }

    /// Returns which listener panicked, if it did, and where it is to go on.
    fn deliver_to(
        &mut self,
        index: usize,
        run: &Run,
        systems: &mut SystemManager,
        world: &mut World,
        panics: &Panics,
    ) -> Option<(usize, u64)> {
        if self.causal_trace.is_some() {
            return self.deliver_each_to(index, run, systems, world, panics);
        }
        let subscriber = &world.events.event_type(run.event_type()).subscribers[index];
        let node = &mut systems.nodes[subscriber.system];
        let current = Current::default();
        if !current.begin(run, index, subscriber, node) {
            return None;
        }
        let _span = tracing::trace_span!(target: "ecs::event", "deliver", system = node.name).entered();
        let started = self.clock.start();
        let caught = catch(|| current.call(run, subscriber, node, world, &self.time));
        if let Some(elapsed) = started.elapsed() {
            node.times.listening += elapsed;
            world.events.event_type_mut(run.event_type()).counters.handler_time += elapsed;
        }
        self.settle(run, &current, caught, systems, world, panics)
    }

    /// Counts what a listener heard and takes over what it sent and asked for, also if it panicked. Returns where it is to
    /// go on in that case.
    pub(super) fn settle(
        &mut self,
        run: &Run,
        current: &Current,
        caught: Result<(), Payload>,
        systems: &mut SystemManager,
        world: &mut World,
        panics: &Panics,
    ) -> Option<(usize, u64)> {
        let (index, next) = (current.index.get(), current.next.get());
        let event_type = world.events.event_type_mut(run.event_type());
        event_type.counters.delivered += current.heard();
        let system = event_type.subscribers[index].system;
        let node = &mut systems.nodes[system];
        let broken_off = caught.err().map(|payload| {
            let event = event_type.name;
            panics.note(system, format_args!("system {} panicked as it heard {event}", node.name), payload);
            (index, next)
        });
        Self::collect_output(&mut self.recorded, system, node, world, Some(run.as_cause()));
        broken_off
    }
}

impl Current {
    /// Takes a run for a listener. Returns whether there is something in it that the listener is to hear.
    #[inline]
    pub(super) fn begin(&self, run: &Run, index: usize, subscriber: &Subscriber, node: &SystemNode) -> bool {
        let Some(begin) = subscriber.take(run.end_sequence) else { return false };
        let begin = begin.max(run.start.sequence);
        self.index.set(index);
        self.begin.set(begin);
        self.next.set(begin);
        node.turn.is_enabled()
    }

    /// The number of the first event that the listener is to hear.
    pub(super) fn first(&self) -> u64 {
        self.begin.get()
    }

    /// Calls the listener with one event, and catches nothing.
    pub(super) fn call_one(
        &self,
        number: u64,
        event: Segment,
        subscriber: &Subscriber,
        node: &mut SystemNode,
        world: &World,
        time: &Time,
    ) {
        self.begin.set(number);
        self.next.set(number);
        let SystemNode { buffer, commands, work, .. } = node;
        let context = RunContext { world, buffer, commands, time, sequence: Cell::new(None) };
        self.call_with(event, number, subscriber, work, &context);
    }

    /// How many events the listener was called with.
    #[inline]
    fn heard(&self) -> u64 {
        self.next.get() - self.begin.get()
    }

    /// Calls the listener with what it takes of the run, and catches nothing.
    #[inline]
    fn call(&self, run: &Run, subscriber: &Subscriber, node: &mut SystemNode, world: &World, time: &Time) {
        let SystemNode { buffer, commands, work, .. } = node;
        let context = RunContext { world, buffer, commands, time, sequence: Cell::new(None) };
        self.call_with(run.segment, run.start.sequence, subscriber, work, &context);
        let mut first_sequence = run.start.sequence + run.segment.len() as u64;
        if first_sequence < run.end_sequence {
            for segment in world.events.other_segments(*run) {
                self.call_with(segment, first_sequence, subscriber, work, &context);
                first_sequence += segment.len() as u64;
            }
        }
    }

    #[inline]
    fn call_with(
        &self,
        segment: Segment,
        first_sequence: u64,
        subscriber: &Subscriber,
        work: &mut Box<dyn AnyWork>,
        context: &RunContext<'_>,
    ) {
        let skip = self.begin.get().saturating_sub(first_sequence).min(segment.len() as u64) as usize;
        if skip < segment.len() && subscriber.is_subscribed() {
            let delivery = Delivery { segment, skip, first_sequence, next: &self.next, subscriber };
            work.deliver(subscriber.listener, &delivery, context);
        }
    }
}

/// Drops what waits, of which there is some, and names what kept it coming.
fn cascade(rounds: usize, sent: u64, world: &mut World) -> CascadeError {
    let EventManager { queue, delivered, .. } = &world.events;
    let dropped = world.events.queued();
    let mut chain = Vec::new();
    let mut is_circle = false;
    let mut current = Some((world.events.next_type(), delivered.batch));
    while let Some((event_type, batch)) = current {
        if let Some(start) = chain.iter().position(|&seen| seen == event_type) {
            chain.drain(..start);
            is_circle = true;
            break;
        }
        chain.push(event_type);
        current = queue[batch].cause.map(|cause| (cause.event_type, cause.batch));
    }
    // CausalTrace were followed backwards.
    chain.reverse();
    let mut cycle: Vec<_> = chain.into_iter().map(|id| world.events.event_type(id).name).collect();
    if is_circle {
        // Begin with the first by name, so that the same circle always reads the same.
        let first = (0..cycle.len()).min_by_key(|&at| cycle[at]).unwrap_or(0);
        cycle.rotate_left(first);
    }
    world.events.drop_queued();
    CascadeError { cycle, is_circle, rounds, sent, dropped }
}
