//! Delivers events to listeners, first in, first out, with a budget for the events that listeners send.

use std::cell::Cell;

use super::Executor;
use super::conditions::all_hold;
use super::panic::Panics;
use crate::event::{
    CascadeError, Cause, EventManager, EventType, EventTypeId, OUTSIDE, QueuePosition, Run, Segment, Subscriber,
    cascade,
};
use crate::panic::{Payload, catch, is_limit};
use crate::system::SystemManager;
use crate::system::blame::Method;
use crate::system::node::SystemNode;
use crate::system::param::RunContext;
use crate::system::work::{Delivery, FIRST_LISTENER, Piece};
use crate::thread_pool::ThreadPool;
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

/// A window takes a run if it has fewer events than this, at any number of threads, measured and traced or not.
const WINDOW_EVENTS: u64 = 1 << 14;

/// Whether a window that began at `window` takes another run.
pub(super) fn has_room(window: &QueuePosition, events: &EventManager) -> bool {
    events.delivered.sequence < window.sequence + WINDOW_EVENTS
}

/// Runs on their way to their listeners, one after the other.
///
/// They form windows: a run that must be delivered in line is one, and others in a row are one, as far as there is
/// room. A panic ends the frame when its window has ended, so that the same events were delivered whether they came in
/// line or in lanes.
struct Line {
    /// The last batch to deliver.
    end: usize,
    /// No window begins once listeners have sent this event.
    last: u64,
    /// Lanes deliver the windows that need not come in line.
    leaves_lanes: bool,
    /// Where the window begins; `None` before the first one.
    window: Option<QueuePosition>,
    /// The window has one run, which must be delivered in line.
    is_single: bool,
    /// What the last segment was, if a run of plain listeners may go on behind it.
    plain: Option<(EventTypeId, usize)>,
    run: Option<Run>,
    /// The first listener that has not received the run.
    from: usize,
    call: Call,
    /// The listeners that panicked in the run.
    broken_off: Vec<usize>,
    /// What panicked in earlier runs of the window.
    broken: Broken,
}

/// What panicked in a window, and receives the rest of it in the next frame.
#[derive(Default)]
pub(super) struct Broken {
    /// All listeners of these lanes.
    pub(super) lanes: Vec<u32>,
    /// Listeners of the only run of a window in line.
    listeners: Vec<usize>,
}

impl Broken {
    fn is_any(&self) -> bool {
        !self.lanes.is_empty() || !self.listeners.is_empty()
    }

    fn has(&self, listener: usize, subscriber: &Subscriber) -> bool {
        self.lanes.contains(&subscriber.lane) || self.listeners.contains(&listener)
    }
}

impl Line {
    /// Whether the next run, which is before the end, goes into the window if it need not come in line.
    fn has_room(&self, events: &EventManager) -> bool {
        let goes_on = |(event_type, sender)| events.continues(events.delivered, event_type, sender);
        let Some(window) = &self.window else { return false };
        !self.is_single && (has_room(window, events) || self.plain.is_some_and(goes_on))
    }

    /// The next run, of this window or of the next one.
    fn next(&mut self, events: &mut EventManager) -> Option<Run> {
        if events.delivered.batch >= self.end {
            return None;
        }
        if self.has_room(events)
            && let Some(run) = events.next_run_if(self.end, |event_type| !event_type.is_in_line)
        {
            return Some(run);
        }
        self.begin_window(events).then(|| events.next_run(self.end))
    }

    /// Begins the next window, unless it must wait.
    fn begin_window(&mut self, events: &EventManager) -> bool {
        self.is_single = events.event_type(events.next_type()).is_in_line;
        self.window = Some(events.delivered);
        self.plain = None;
        let is_for_lanes = self.leaves_lanes && !self.is_single;
        !is_for_lanes && !self.broken.is_any() && events.collected() <= self.last
    }

    /// Notes the last segment that a plain listener received, with its batch.
    fn note_plain(&mut self, last: Option<(EventTypeId, usize)>, events: &EventManager) {
        if let Some((event_type, batch)) = last {
            self.plain = Some((event_type, events.queue[batch].sender));
        }
    }

    /// Whether the listener gets the run.
    fn reaches(&self, listener: usize, run: &Run, events: &EventManager) -> bool {
        let subscriber = &events.event_type(run.event_type).subscribers[listener];
        !self.broken_off.contains(&listener) && !self.broken.lanes.contains(&subscriber.lane)
    }

    /// Every listener has received the run. The lanes of those that panicked have ended.
    fn end_run(&mut self, events: &EventManager) {
        if let Some(run) = self.run.take() {
            let subscribers = &events.event_type(run.event_type).subscribers;
            if self.is_single {
                self.broken.listeners.append(&mut self.broken_off);
            } else {
                self.broken.lanes.extend(self.broken_off.drain(..).map(|listener| subscribers[listener].lane));
            }
        }
        self.from = 0;
        self.plain = None;
    }
}

impl Executor {
    /// Delivers events until the queue is empty; events that listeners send join its end.
    ///
    /// # Errors
    /// If that takes more rounds, or listeners send more events, than the budget. The rest is dropped.
    ///
    /// # Panics
    /// If a listener panics: after all that do not wait for it have received the window.
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

    /// Delivers the events before the batch `end`, until listeners have sent the event number `last`.
    ///
    /// # Panics
    /// If listeners panicked: with the first panic, after all listeners that do not wait for them have received the
    /// window. Those that panicked, and those that wait for them, receive the rest in the next frame.
    fn deliver_round(&mut self, end: usize, last: u64, systems: &mut SystemManager, world: &mut World) {
        let is_traced = tracing::span_enabled!(target: "ecs::event", tracing::Level::TRACE, "deliver", system);
        let is_watched = is_traced || self.meters.is_some() || self.causal_trace.is_some();
        let has_lanes = !is_watched && systems.lanes.len > 1;
        let thread_pool = world.thread_pool.clone().filter(|_| has_lanes);
        while world.events.delivered.batch < end && world.events.collected() <= last {
            // Lanes pay if two of them have enough to do: events may have several listeners.
            let has_much = |pool: &&ThreadPool| world.events.queued() >= pool.parallel_threshold;
            let thread_pool = thread_pool.as_deref().filter(has_much);
            if !thread_pool.is_some_and(|pool| self.deliver_in_lanes(pool, end, systems, world)) {
                self.deliver_in_line(end, last, is_watched, thread_pool.is_some(), systems, world);
            }
        }
    }

    /// Delivers windows run by run, up to the next one that lanes can deliver, if they shall.
    ///
    /// One catch serves all runs up to the first panic, since catching costs as much as delivering an event.
    fn deliver_in_line(
        &mut self,
        end: usize,
        last: u64,
        is_watched: bool,
        leaves_lanes: bool,
        systems: &mut SystemManager,
        world: &mut World,
    ) {
        let mut line = Line {
            end,
            last,
            leaves_lanes,
            window: None,
            is_single: false,
            plain: None,
            run: None,
            from: 0,
            call: Call { is_watched, index: 0, sequence: 0 },
            broken_off: Vec::new(),
            broken: Broken::default(),
        };
        let caught = catch(|| self.deliver_runs(&mut line, systems, world));
        if let Err(payload) = caught {
            self.end_line(line, payload, systems, world);
        }
    }

    fn deliver_runs(&mut self, line: &mut Line, systems: &mut SystemManager, world: &mut World) {
        loop {
            if !line.call.is_watched && line.run.is_none() {
                self.deliver_plain(line, systems, world);
            }
            let Some(run) = line.run.or_else(|| line.next(&mut world.events)) else { return };
            line.run = Some(run);
            self.deliver(&run, line, systems, world);
            line.end_run(&world.events);
        }
    }

    /// Fast path: delivers segments of the window to single plain listeners, up to the first one with other listeners.
    #[inline]
    fn deliver_plain(&self, line: &mut Line, systems: &mut SystemManager, world: &mut World) {
        let is_open = !line.is_single && !line.broken.is_any();
        let Some(window) = line.window.filter(|_| is_open) else { return };
        let mut last = None;
        line.call.index = 0;
        while world.events.delivered.batch < line.end {
            let QueuePosition { batch, sequence, .. } = world.events.delivered;
            line.call.sequence = sequence;
            if !has_room(&window, &world.events) {
                line.note_plain(last.take(), &world.events);
                if !line.has_room(&world.events) {
                    return;
                }
            }
            let Some(segment) = world.events.take_plain() else { break };
            last = Some((segment.event_type, batch));
            let subscriber = &world.events.event_type(segment.event_type).subscribers[0];
            let SystemNode { buffer, commands, work, run_state, tick, .. } = &mut systems.nodes[subscriber.system];
            let piece = Piece { segment, sequence, tick: *world.components.tick(), run: 0, index: 0 };
            if !run_state.is_enabled() {
                subscriber.set_next(piece.end());
                continue;
            }
            let has_query = subscriber.has_query;
            let delivery = Some(Delivery { pieces: &[piece], sequence: Cell::new(sequence), subscriber });
            let context = RunContext { world, buffer, commands, time: &self.time, delivery, tick };
            work.run(FIRST_LISTENER + subscriber.listener, &context);
            if has_query {
                world.components.set_tick(tick.get());
            }
            world.events.event_type_mut(segment.event_type).counters.delivered += segment.len() as u64;
        }
        line.note_plain(last, &world.events);
    }

    /// Ends the window in which a listener panicked, then the frame.
    #[cold]
    fn end_line(&mut self, mut line: Line, payload: Payload, systems: &mut SystemManager, world: &mut World) {
        let window = line.window.expect("listeners are called in a window");
        if line.run.is_none() {
            // The whole run, however it is divided into segments.
            let behind = std::mem::replace(&mut world.events.delivered, window).sequence;
            line.run =
                std::iter::from_fn(|| Some(world.events.next_run(line.end))).find(|run| run.end_sequence >= behind);
        }
        let panics = Panics::default();
        let mut caught = Err(payload);
        while let Err(payload) = caught {
            let (run, call) = (line.run.expect("listeners are called with a run"), line.call);
            self.end_call(run.event_type, call, Some(run.cause()), Some(call.sequence), systems, world);
            let event_type = world.events.event_type(run.event_type);
            let system = event_type.subscribers[call.index].system;
            // One that reached a limit goes on with its next event, as a method of a phase does.
            let goes_on = is_limit(&payload);
            panics.note_in_listener(system, systems.nodes[system].name, event_type.name, payload);
            line.from = call.index;
            if !goes_on {
                line.broken_off.push(call.index);
                line.from += 1;
            }
            caught = catch(|| self.deliver_runs(&mut line, systems, world));
        }
        self.is_concern_unknown = false;
        self.end_window(&window, line.end, &line.broken, panics, systems, world);
    }

    /// Ends the frame with the panics of a window. What it still has for the `broken` listeners waits; the others
    /// receive no event twice, since each one records its next event.
    #[cold]
    pub(super) fn end_window(
        &mut self,
        window: &QueuePosition,
        end: usize,
        broken: &Broken,
        panics: Panics,
        systems: &mut SystemManager,
        world: &mut World,
    ) {
        let behind = std::mem::replace(&mut world.events.delivered, *window);
        let mut first_waiting = None;
        while world.events.delivered.sequence < behind.sequence {
            let run = world.events.next_run(end);
            let subscribers = world.events.event_type(run.event_type).subscribers.iter().enumerate();
            for (listener, subscriber) in subscribers.filter(|(_, subscriber)| subscriber.next() < run.end_sequence) {
                if !systems.nodes[subscriber.system].run_state.is_enabled() {
                    // It receives no event that is delivered while it is disabled, also if this one comes again.
                    subscriber.set_next(run.end_sequence);
                } else if subscriber.is_subscribed() && broken.has(listener, subscriber) {
                    first_waiting.get_or_insert(run.start);
                }
            }
        }
        world.events.delivered = first_waiting.unwrap_or(behind);
        self.raise(panics, systems);
    }

    /// Delivers a run to one listener after the other, beginning with the one at `line.from`, and to those that are
    /// subscribed meanwhile.
    fn deliver(&mut self, run: &Run, line: &mut Line, systems: &mut SystemManager, world: &mut World) {
        let mut next = line.from;
        let mut is_rest = next > 0;
        loop {
            let changes = world.events.subscription_changes();
            while next < world.events.event_type(run.event_type).listeners() {
                if line.reaches(next, run, &world.events) {
                    line.call.index = next;
                    self.deliver_to(run, &mut line.call, systems, world);
                }
                next += 1;
            }
            if next < world.events.event_type(run.event_type).subscribers.len() {
                self.deliver_to_observers(run, line, systems, world);
            }
            if world.events.subscription_changes() == changes && !is_rest {
                break;
            }
            (next, is_rest) = (0, false);
        }
    }

    /// Delivers each event of a run to the observers of its entities, without a look at all others.
    #[inline(never)]
    fn deliver_to_observers(&mut self, run: &Run, line: &mut Line, systems: &mut SystemManager, world: &mut World) {
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
                    line.call.index = world.events.event_type(run.event_type).listeners();
                    std::panic::resume_unwind(payload);
                }
                for &entity in &concerned {
                    let Some(first) = world.events.event_type(run.event_type).first_observer(entity) else { continue };
                    let mut next = first;
                    while let Some(index) = world.events.event_type(run.event_type).observer(entity, next) {
                        if line.reaches(index, &run, &world.events) {
                            line.call.index = index;
                            self.deliver_to(&run, &mut line.call, systems, world);
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
        let Call { sequence, index, .. } = call;
        let piece = Piece { segment, sequence, tick: *world.components.tick(), run: 0, index: index as u32 };
        let delivery = Some(Delivery { pieces: &[piece], sequence: Cell::new(sequence), subscriber });
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
