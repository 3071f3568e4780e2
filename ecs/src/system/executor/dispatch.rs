//! Delivers events to listeners, first in, first out, with a budget for the events that listeners send.

use std::cell::Cell;
use std::collections::VecDeque;

use super::panic::Panics;
use super::{Executor, RecordedCommands};
use crate::event::{Cause, EventManager, OUTSIDE, Run, Segment};
use crate::panic::{Payload, catch};
use crate::system::node::SystemNode;
use crate::system::param::RunContext;
use crate::system::work::Delivery;
use crate::system::{CascadeError, SystemManager};
use crate::world::World;

/// The part of its budget that a dispatch has spent.
#[derive(Default)]
struct Spent {
    rounds: usize,
    /// Number of the first event that listeners may have caused.
    before: Option<u64>,
}

impl Executor {
    /// Moves the events of a system to the queue and notes how many commands it recorded.
    #[inline]
    pub(super) fn collect_output(
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

    /// Delivers events until the queue is empty; events that listeners send join its end.
    ///
    /// # Errors
    /// If that takes more rounds, or listeners send more events, than the budget. The rest is dropped.
    ///
    /// # Panics
    /// If a listener panics: after all other listeners have received the run.
    pub(crate) fn dispatch(&mut self, systems: &mut SystemManager, world: &mut World) -> Result<(), CascadeError> {
        self.dispatch_within(&mut Spent::default(), systems, world)
    }

    /// Applies commands and delivers the events that this causes, until no command waits. The budget is that of one dispatch.
    ///
    /// # Errors
    /// As [`Executor::dispatch`]. The commands that wait are applied, and the events that they cause are dropped. If functions that run
    /// by command kept recording commands without events, the last ones wait for the next frame.
    ///
    /// # Panics
    /// As [`Executor::apply_commands`] and [`Executor::dispatch`].
    pub(crate) fn apply_and_dispatch(
        &mut self,
        systems: &mut SystemManager,
        world: &mut World,
    ) -> Result<(), CascadeError> {
        let mut spent = Spent::default();
        let (mut rounds, mut repetitions) = (0, 0);
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
            // Functions that run by command may record the next one each time.
            if std::mem::replace(&mut rounds, spent.rounds) == spent.rounds {
                repetitions += 1;
                if repetitions > self.rounds {
                    let mut systems = self.recorded.iter().map(|recorded| systems.nodes[recorded.system].name);
                    let cycle = systems.next().into_iter().collect();
                    return Err(CascadeError { cycle, is_circle: true, rounds: repetitions, sent: 0, dropped: 0 });
                }
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
        self.note_causes(systems, world, None);
        let before = *spent.before.get_or_insert(world.events.collected());
        let last = before.saturating_add(self.caused_events);
        let _span = tracing::trace_span!(target: "ecs::event", "dispatch").entered();
        let mut round_end = world.events.delivered.batch;
        while world.events.delivered.batch < world.events.queue.len() {
            let collected = world.events.collected();
            let is_new_round = world.events.delivered.batch == round_end;
            if collected > last || (is_new_round && spent.rounds == self.rounds) {
                return Err(cascade(spent.rounds, collected - before, &mut world.events));
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
            if is_watched || !self.deliver_plain(end, systems, world) {
                let run = world.events.next_run(end);
                self.deliver(&run, None, systems, world);
            }
        }
    }

    /// Fast path: delivers segments whose type has one plain listener, until another one comes. Returns whether there was one.
    ///
    /// Such a listener sends nothing, so delivering a run in several parts changes nothing. One catch serves all segments,
    /// since catching costs as much as delivering an event.
    fn deliver_plain(&mut self, end: usize, systems: &mut SystemManager, world: &mut World) -> bool {
        let begin = world.events.delivered;
        let caught = catch(|| {
            let mut place = world.events.delivered;
            while place.batch < end {
                let sequence = place.sequence;
                let segment = world.events.next_segment(&mut place);
                let event_type = world.events.event_type(segment.event_type);
                let [subscriber] = &*event_type.subscribers else { return };
                let SystemNode { buffer, commands, work, run_state, tick, .. } = &mut systems.nodes[subscriber.system];
                let hears_all = run_state.is_enabled() && subscriber.is_subscribed() && subscriber.next() <= sequence;
                if !event_type.has_one_plain_listener || !hears_all {
                    return;
                }
                tick.set(*world.components.tick());
                let context = RunContext { world, buffer, commands, time: &self.time, sequence: Cell::new(None), tick };
                work.deliver(subscriber.listener, &Delivery { segment, sequence, subscriber }, &context);
                world.components.set_tick(tick.get());
                world.events.note_delivered(segment.event_type, place);
                world.events.event_type_mut(segment.event_type).counters.delivered += segment.len() as u64;
            }
        });
        if let Err(payload) = caught {
            // The whole run is broken off, however it is divided into segments: those before the panic were delivered already.
            let delivered = std::mem::replace(&mut world.events.delivered, begin).sequence;
            let run = loop {
                let run = world.events.next_run(end);
                if run.end_sequence > delivered {
                    break run;
                }
            };
            let event_type = world.events.event_type_mut(run.event_type);
            let subscriber = &event_type.subscribers[0];
            event_type.counters.delivered += subscriber.next().saturating_sub(delivered);
            world.components.set_tick(systems.nodes[subscriber.system].tick.get());
            self.deliver(&run, Some(payload), systems, world);
        }
        world.events.delivered.sequence > begin.sequence
    }

    /// Delivers a run to one listener after the other, and to those that are subscribed meanwhile. The first listener may have
    /// `panicked` already.
    ///
    /// A listener that panics receives the rest of the run in the next frame.
    ///
    /// # Panics
    /// If listeners panicked: with the first panic, after all other listeners have received the run.
    fn deliver(&mut self, run: &Run, panicked: Option<Payload>, systems: &mut SystemManager, world: &mut World) {
        let panics = Panics::default();
        let mut broken_off = Vec::new();
        if let Some(payload) = panicked {
            note_panic(&panics, run, 0, payload, systems, world);
            broken_off.push(0);
        }
        loop {
            let changes = world.events.subscription_changes();
            for index in 0..world.events.event_type(run.event_type).subscribers.len() {
                if broken_off.contains(&index) {
                    continue;
                }
                if let Err(payload) = self.deliver_to(index, run, systems, world) {
                    note_panic(&panics, run, index, payload, systems, world);
                    broken_off.push(index);
                }
            }
            if world.events.subscription_changes() == changes {
                break;
            }
        }
        let subscribers = &world.events.event_type(run.event_type).subscribers;
        if broken_off.iter().any(|index| subscribers[*index].next() < run.end_sequence) {
            // The other listeners receive no event twice, since each one records its next event.
            world.events.delivered = run.start;
        }
        self.raise(panics, systems, world);
    }

    /// Delivers the part of a run that a listener has not received, and collects its events and commands, also if it panics.
    /// Where causes are traced, it does so event by event.
    fn deliver_to(
        &mut self,
        index: usize,
        run: &Run,
        systems: &mut SystemManager,
        world: &mut World,
    ) -> Result<(), Payload> {
        let event_type = world.events.event_type(run.event_type);
        let (subscriber, layout) = (&event_type.subscribers[index], event_type.layout);
        let (system, first) = (subscriber.system, subscriber.next());
        if !subscriber.is_subscribed() || first >= run.end_sequence {
            return Ok(());
        }
        let node = &systems.nodes[system];
        if !node.run_state.is_enabled() {
            subscriber.set_next(run.end_sequence);
            return Ok(());
        }
        let _span = tracing::trace_span!(target: "ecs::event", "deliver", system = node.name).entered();
        let mut place = run.start;
        while place.sequence < run.end_sequence {
            let start = place.sequence;
            let mut rest = world.events.next_segment(&mut place);
            rest.take(first.saturating_sub(start).min(rest.len() as u64) as usize, layout);
            while rest.len() > 0 {
                let sequence = place.sequence - rest.len() as u64;
                let segment = rest.take(if self.causal_trace.is_some() { 1 } else { rest.len() }, layout);
                let subscriber = &world.events.event_type(run.event_type).subscribers[index];
                if !subscriber.is_subscribed() {
                    return Ok(());
                }
                let cause = Cause { batch: run.start.batch, event_type: run.event_type };
                let caught = self.call_listener(index, segment, sequence, Some(cause), systems, world);
                self.note_causes(systems, world, Some(sequence));
                caught?;
            }
        }
        Ok(())
    }

    /// Delivers a segment, whose first event has the number `sequence`, to a subscriber of its type, and collects what the listener sends
    /// and records, also if it panics.
    #[inline]
    pub(super) fn call_listener(
        &mut self,
        index: usize,
        segment: Segment,
        sequence: u64,
        cause: Option<Cause>,
        systems: &mut SystemManager,
        world: &mut World,
    ) -> Result<(), Payload> {
        let subscriber = &world.events.event_type(segment.event_type).subscribers[index];
        let system = subscriber.system;
        let node = &mut systems.nodes[system];
        let started = self.clock.start();
        let SystemNode { buffer, commands, work, tick, .. } = node;
        tick.set(*world.components.tick());
        let context = RunContext { world, buffer, commands, time: &self.time, sequence: Cell::new(None), tick };
        let delivery = Delivery { segment, sequence, subscriber };
        let caught = catch(|| work.deliver(subscriber.listener, &delivery, &context));
        let delivered = subscriber.next().saturating_sub(sequence);
        world.components.set_tick(node.tick.get());
        let counters = &mut world.events.event_type_mut(segment.event_type).counters;
        counters.delivered += delivered;
        if let Some(elapsed) = started.elapsed() {
            node.times.listening += elapsed;
            counters.handler_time += elapsed;
        }
        Self::collect_output(&mut self.recorded, system, node, world, cause);
        caught
    }
}

/// Records the panic of a listener, to be raised later.
fn note_panic(panics: &Panics, run: &Run, index: usize, payload: Payload, systems: &SystemManager, world: &World) {
    let event_type = world.events.event_type(run.event_type);
    let system = event_type.subscribers[index].system;
    let (name, event) = (systems.nodes[system].name, event_type.name);
    panics.note(system, format_args!("system {name} panicked in its listener for {event}"), payload);
}

/// Drops the events that wait, of which there is at least one, and names the event types that caused each other.
pub(crate) fn cascade(rounds: usize, sent: u64, events: &mut EventManager) -> CascadeError {
    let EventManager { queue, delivered, .. } = &*events;
    let dropped = events.queued();
    let mut chain = Vec::new();
    let mut is_circle = false;
    let mut current = Some((events.next_type(), delivered.batch));
    while let Some((event_type, batch)) = current {
        if let Some(start) = chain.iter().position(|&seen| seen == event_type) {
            chain.drain(..start);
            is_circle = true;
            break;
        }
        chain.push(event_type);
        current = queue[batch].cause.map(|cause| (cause.event_type, cause.batch));
    }
    // The causes were followed backwards.
    chain.reverse();
    let mut cycle: Vec<_> = chain.into_iter().map(|id| events.event_type(id).name).collect();
    if is_circle {
        // Begin with the first by name, so that the same cycle always reads the same.
        let first = (0..cycle.len()).min_by_key(|&at| cycle[at]).unwrap_or(0);
        cycle.rotate_left(first);
    }
    events.drop_queued();
    CascadeError { cycle, is_circle, rounds, sent, dropped }
}
