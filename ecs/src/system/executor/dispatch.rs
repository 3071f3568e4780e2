//! Delivers events to listeners, first in, first out, with a budget for the events that listeners send.

use std::cell::Cell;

use super::Executor;
use super::conditions::all_hold;
use super::panic::Panics;
use crate::event::{
    CascadeError, Cause, EventType, EventTypeId, OUTSIDE, QueuePosition, Run, Segment, Subscriber, cascade,
};
use crate::panic::{Payload, catch};
use crate::system::SystemManager;
use crate::system::blame::Method;
use crate::system::node::SystemNode;
use crate::system::param::RunContext;
use crate::system::work::{Delivery, FIRST_LISTENER};
use crate::time::Started;
use crate::world::World;

/// The part of its budget that a dispatch has spent.
#[derive(Default)]
pub(super) struct Spent {
    pub(super) rounds: usize,
    /// Number of the first event that listeners may have caused.
    before: Option<u64>,
}

/// A call of a listener.
#[derive(Clone, Copy)]
pub(super) struct Call {
    /// It is measured or traced.
    pub(super) is_watched: bool,
    /// The listener among those of the event type.
    pub(super) index: usize,
    /// Number of the first event.
    pub(super) sequence: u64,
}

impl Executor {
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

    /// As [`Executor::dispatch`]; several calls can share a budget.
    pub(super) fn dispatch_within(
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
    ///
    /// One catch serves all runs up to the first panic, since catching costs as much as delivering an event.
    ///
    /// # Panics
    /// If listeners panicked in a run: with the first panic, after all other listeners have received the run. A
    /// listener that panics receives the rest of the run in the next frame.
    fn deliver_round(&mut self, end: usize, last: u64, systems: &mut SystemManager, world: &mut World) {
        let is_traced = tracing::span_enabled!(target: "ecs::event", tracing::Level::TRACE, "deliver", system);
        let is_watched = is_traced || self.meters.is_some() || self.causal_trace.is_some();
        let begin = world.events.delivered;
        let mut call = Call { is_watched, index: 0, sequence: 0 };
        let caught = catch(|| {
            while world.events.delivered.batch < end && world.events.collected() <= last {
                if is_watched || !self.deliver_plain(end, &mut call, systems, world) {
                    let run = world.events.next_run(end);
                    self.deliver(&run, 0, &[], &mut call, systems, world);
                }
            }
        });
        if let Err(payload) = caught {
            self.end_run(begin, end, call, payload, systems, world);
        }
    }

    /// Fast path: delivers segments to single plain listeners, up to the first one with other listeners. Returns
    /// whether there was one.
    #[inline]
    fn deliver_plain(&self, end: usize, call: &mut Call, systems: &mut SystemManager, world: &mut World) -> bool {
        let begin = world.events.delivered.sequence;
        call.index = 0;
        while world.events.delivered.batch < end {
            call.sequence = world.events.delivered.sequence;
            let Some(segment) = world.events.take_plain() else { break };
            let subscriber = &world.events.event_type(segment.event_type).subscribers[0];
            let SystemNode { buffer, commands, work, run_state, tick, .. } = &mut systems.nodes[subscriber.system];
            if !run_state.is_enabled() {
                subscriber.set_next(call.sequence + segment.len() as u64);
                continue;
            }
            let has_query = subscriber.has_query;
            if has_query {
                tick.set(*world.components.tick());
            }
            let delivery = Some(Delivery { segment, sequence: Cell::new(call.sequence), subscriber });
            let context = RunContext { world, buffer, commands, time: &self.time, delivery, tick };
            work.run(FIRST_LISTENER + subscriber.listener, &context);
            if has_query {
                world.components.set_tick(tick.get());
            }
            world.events.event_type_mut(segment.event_type).counters.delivered += segment.len() as u64;
        }
        world.events.delivered.sequence > begin
    }

    /// Ends the run in which a listener panicked, then the frame.
    #[cold]
    fn end_run(
        &mut self,
        begin: QueuePosition,
        end: usize,
        mut call: Call,
        payload: Payload,
        systems: &mut SystemManager,
        world: &mut World,
    ) {
        // The whole run, however it is divided into segments.
        let behind = std::mem::replace(&mut world.events.delivered, begin).sequence;
        let run = loop {
            let run = world.events.next_run(end);
            if run.end_sequence >= behind {
                break run;
            }
        };
        let panics = Panics::default();
        let mut broken_off = Vec::new();
        let mut caught = Err(payload);
        while let Err(payload) = caught {
            self.end_call(run.event_type, call, Some(run.cause()), Some(call.sequence), systems, world);
            let event_type = world.events.event_type(run.event_type);
            let system = event_type.subscribers[call.index].system;
            let (name, event) = (systems.nodes[system].name, event_type.name);
            panics.note(system, format_args!("system {name} panicked in its listener for {event}"), payload);
            broken_off.push(call.index);
            caught = catch(|| self.deliver(&run, call.index + 1, &broken_off, &mut call, systems, world));
        }
        self.is_concern_unknown = false;
        let subscribers = &world.events.event_type(run.event_type).subscribers;
        if broken_off.iter().any(|index| subscribers[*index].next() < run.end_sequence) {
            // The other listeners receive no event twice, since each one records its next event.
            world.events.delivered = run.start;
        }
        self.raise(panics, systems);
    }

    /// Delivers a run to one listener after the other, beginning with the one at `from`, and to those that are
    /// subscribed meanwhile.
    fn deliver(
        &mut self,
        run: &Run,
        from: usize,
        broken_off: &[usize],
        call: &mut Call,
        systems: &mut SystemManager,
        world: &mut World,
    ) {
        let mut next = from;
        let mut is_rest = from > 0;
        loop {
            let changes = world.events.subscription_changes();
            while next < world.events.event_type(run.event_type).listeners() {
                if !broken_off.contains(&next) {
                    call.index = next;
                    self.deliver_to(run, call, systems, world);
                }
                next += 1;
            }
            if next < world.events.event_type(run.event_type).subscribers.len() {
                self.deliver_to_observers(run, broken_off, call, systems, world);
            }
            if world.events.subscription_changes() == changes && !is_rest {
                break;
            }
            (next, is_rest) = (0, false);
        }
    }

    /// Delivers each event of a run to the observers of its entities, without a look at all others.
    #[inline(never)]
    fn deliver_to_observers(
        &mut self,
        run: &Run,
        broken_off: &[usize],
        call: &mut Call,
        systems: &mut SystemManager,
        world: &mut World,
    ) {
        if self.is_concern_unknown {
            return;
        }
        let (mut rest, mut place) = run.first;
        loop {
            while rest.len() > 0 {
                let event = rest.take(1, world.events.event_type(run.event_type).layout);
                let mut behind = place;
                behind.sequence -= rest.len() as u64;
                let run = Run { first: (event, behind), end_sequence: behind.sequence, ..*run };
                // The observers of one that is named twice have received the event at the second time.
                let mut concerned = std::mem::take(&mut self.concerned);
                concerned.clear();
                if let Err(payload) = catch(|| world.events.entities_of(event, &mut concerned)) {
                    // Asked again, it would panic again. The first observer is named.
                    self.is_concern_unknown = true;
                    call.index = world.events.event_type(run.event_type).listeners();
                    std::panic::resume_unwind(payload);
                }
                for &entity in &concerned {
                    let Some(first) = world.events.event_type(run.event_type).first_observer(entity) else { continue };
                    let mut next = first;
                    while let Some(index) = world.events.event_type(run.event_type).observer(entity, next) {
                        if !broken_off.contains(&index) {
                            call.index = index;
                            self.deliver_to(&run, call, systems, world);
                        }
                        next += 1;
                    }
                }
                self.concerned = concerned;
            }
            if place.sequence >= run.end_sequence {
                return;
            }
            rest = world.events.next_segment(&mut place);
        }
    }

    /// Delivers the part of a run that a listener has not received. Where causes are traced, it does so event by event.
    fn deliver_to(&mut self, run: &Run, call: &mut Call, systems: &mut SystemManager, world: &mut World) {
        let subscriber = &world.events.event_type(run.event_type).subscribers[call.index];
        let first = subscriber.next();
        if !subscriber.is_subscribed() || first >= run.end_sequence {
            return;
        }
        let node = &systems.nodes[subscriber.system];
        if !node.run_state.is_enabled() {
            subscriber.set_next(run.end_sequence);
            return;
        }
        let (system, event) = (node.name, world.events.event_type(run.event_type).name);
        let span = || tracing::trace_span!(target: "ecs::event", "deliver", system).entered();
        let _span = call.is_watched.then(span);
        let (mut rest, mut place) = run.first;
        loop {
            call.sequence = place.sequence - rest.len() as u64;
            if first > call.sequence {
                let received = (first - call.sequence).min(rest.len() as u64);
                rest.take(received as usize, world.events.event_type(run.event_type).layout);
                call.sequence += received;
            }
            while rest.len() > 0 {
                let is_conditional = world.events.event_type(run.event_type).subscribers[call.index].is_conditional;
                let count = if self.causal_trace.is_some() || is_conditional { 1 } else { rest.len() };
                let segment = rest.take(count, world.events.event_type(run.event_type).layout);
                if call.is_watched {
                    let (count, sequence) = (segment.len(), call.sequence);
                    tracing::trace!(target: "ecs::event", event, count, sequence, system, "delivered");
                }
                self.call_listener(segment, *call, Some(run.cause()), Some(call.sequence), systems, world);
                call.sequence += segment.len() as u64;
                if !world.events.event_type(run.event_type).subscribers[call.index].is_subscribed() {
                    return;
                }
            }
            if place.sequence >= run.end_sequence {
                return;
            }
            rest = world.events.next_segment(&mut place);
        }
    }

    /// Delivers a segment to a listener of its type, if its conditions hold: one with conditions gets one event at a
    /// time. If it panics, [`Executor::end_call`] must follow.
    #[inline]
    pub(super) fn call_listener(
        &mut self,
        segment: Segment,
        call: Call,
        cause: Option<Cause>,
        heard: Option<u64>,
        systems: &mut SystemManager,
        world: &mut World,
    ) {
        let event_type = segment.event_type;
        let subscriber = &world.events.event_type(event_type).subscribers[call.index];
        if call.is_watched {
            self.listening = Some(self.meters.start());
        }
        let SystemNode { buffer, commands, tick, checks, .. } = &mut systems.nodes[subscriber.system];
        if subscriber.has_query {
            tick.set(*world.components.tick());
        }
        if subscriber.is_conditional {
            // Also if a condition panics.
            subscriber.set_next(call.sequence + 1);
            let context = RunContext { world, buffer, commands, time: &self.time, delivery: None, tick };
            let holds = all_hold(checks, &context);
            self.watcher.after_conditions(systems, world);
            if !holds {
                self.listening = None;
                self.watcher.skip_listener(subscriber.system, subscriber.listener);
                return;
            }
        }
        if self.watcher.is_on() {
            let (of, trace) = (subscriber.system, self.causal_trace.as_deref());
            let (node, method) = (&systems.nodes[of], Method::Listener(subscriber.listener));
            self.watcher.before_method((of, node), method, heard, world, trace);
        }
        let SystemNode { buffer, commands, work, tick, .. } = &mut systems.nodes[subscriber.system];
        let delivery = Some(Delivery { segment, sequence: Cell::new(call.sequence), subscriber });
        work.run(
            FIRST_LISTENER + subscriber.listener,
            &RunContext { world, buffer, commands, time: &self.time, delivery, tick },
        );
        self.end_call(event_type, call, cause, heard, systems, world);
    }

    /// Counts what a listener has received, and collects what it sent and recorded.
    #[inline]
    pub(super) fn end_call(
        &mut self,
        event_type: EventTypeId,
        call: Call,
        cause: Option<Cause>,
        heard: Option<u64>,
        systems: &mut SystemManager,
        world: &mut World,
    ) {
        let EventType { subscribers, counters, .. } = world.events.event_type_mut(event_type);
        let Subscriber { system, listener, has_query, fills_buffers, .. } = subscribers[call.index];
        counters.delivered += subscribers[call.index].next().saturating_sub(call.sequence);
        let node = &mut systems.nodes[system];
        if call.is_watched
            && let Some(measured) = self.listening.take().and_then(Started::end)
        {
            node.times.listening += measured.time;
            node.times.allocations += measured.allocations;
            counters.handler_time += measured.time;
        }
        if has_query {
            world.components.set_tick(node.tick.get());
        }
        if fills_buffers {
            Self::collect_output(&mut self.recorded, system, node, world, cause);
        }
        if call.is_watched {
            self.note_causes(systems, world, heard);
            if self.watcher.is_on() {
                let (node, trace) = (&systems.nodes[system], self.causal_trace.as_deref());
                // `Despawning` has no number: what is heard then is the event behind the command.
                let number = heard.filter(|_| world.events.lifecycle.despawning != Some(event_type));
                let heard = Some((event_type, number));
                self.watcher.after_method(node, Method::Listener(listener), heard, world, trace);
            }
        }
    }
}
