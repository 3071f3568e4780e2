//! Delivers events to listeners that do not wait for each other, on several threads.
//!
//! A window of waiting events is divided among the lanes, each of which gets its part in the order of sending. What the
//! listeners send and record is put in order afterwards, by the run and the listener that caused it. So the result is
//! that of delivery in line.

use std::cell::Cell;
use std::collections::VecDeque;

use super::dispatch::{Broken, has_room};
use super::panic::Panics;
use super::{Executor, RecordedCommands};
use crate::event::{Batch, Cause, Cursor, EventManager, EventType, EventTypeId, Run, Segment, Subscriber};
use crate::panic::{Payload, catch, is_limit};
use crate::system::SystemManager;
use crate::system::node::SystemNode;
use crate::system::param::RunContext;
use crate::system::work::{Delivery, FIRST_LISTENER, Piece};
use crate::thread_pool::{Kind, Owned, ThreadPool};
use crate::time::Time;
use crate::world::World;

/// The runs that are delivered together.
#[derive(Default)]
pub(crate) struct LaneWork {
    /// By the number of the lane.
    lanes: Vec<Lane>,
    /// The lanes with events, ascending.
    busy: Vec<usize>,
    /// For each run what it is to the events that it causes.
    causes: Vec<Cause>,
    outputs: Vec<Output>,
}

/// What the listeners of a lane receive.
#[derive(Default)]
struct Lane {
    pieces: Vec<Piece>,
    events: usize,
    outputs: Vec<Output>,
    stops: Vec<Stop>,
}

/// What a listener sent and recorded while it received a run.
#[derive(Clone, Copy)]
struct Output {
    run: u32,
    index: u32,
    /// The number of the first event of the piece.
    sequence: u64,
    system: usize,
    events: Cursor,
    commands: usize,
}

/// A listener that panicked.
struct Stop {
    run: u32,
    index: u32,
    event_type: EventTypeId,
    payload: Payload,
}

impl Executor {
    /// Delivers a window of the events before the batch `end`, unless it must be delivered in line. Returns whether it
    /// did.
    ///
    /// # Panics
    /// If listeners panicked: with the first one in the order of delivery, after all other lanes have received the
    /// window.
    pub(super) fn deliver_in_lanes(
        &mut self,
        thread_pool: &ThreadPool,
        end: usize,
        systems: &mut SystemManager,
        world: &mut World,
    ) -> bool {
        let work = &mut self.lane_work;
        let window = world.events.delivered;
        work.begin(systems.lanes.len);
        let mut tick = *world.components.tick();
        while world.events.delivered.batch < end && has_room(&window, &world.events) {
            let Some(run) = world.events.next_run_if(end, |event_type| !event_type.is_in_line) else { break };
            work.divide(&run, &mut tick, &systems.nodes, &mut world.events);
        }
        if work.causes.is_empty() {
            return false;
        }
        work.busy.sort_unstable();
        let thread_pool = Some(thread_pool).filter(|pool| work.is_for_threads(pool));
        let (shared, time) = (&*world, &self.time);
        ThreadPool::for_each_owner(
            thread_pool,
            Kind::Systems,
            (&mut work.lanes, &work.busy),
            (&mut systems.nodes, &systems.lanes.of_systems),
            |lane, nodes| lane.deliver(nodes, shared, time),
        );
        world.components.set_tick(tick);
        work.collect(&mut self.recorded, &mut world.events);
        if work.busy.iter().any(|lane| !work.lanes[*lane].stops.is_empty()) {
            let (panics, broken) = work.take_stops(&systems.nodes, &mut world.events);
            self.end_window(&window, end, &broken, panics, systems, world);
        }
        true
    }
}

impl LaneWork {
    /// Bytes on the heap.
    pub(crate) fn held_bytes(&self) -> usize {
        let of_lane =
            |lane: &Lane| lane.pieces.capacity() * size_of::<Piece>() + lane.outputs.capacity() * size_of::<Output>();
        self.lanes.iter().map(of_lane).sum::<usize>()
            + self.lanes.capacity() * size_of::<Lane>()
            + self.busy.capacity() * size_of::<usize>()
            + self.causes.capacity() * size_of::<Cause>()
            + self.outputs.capacity() * size_of::<Output>()
    }

    pub(crate) fn shrink(&mut self) {
        *self = Self::default();
    }

    /// Forgets the runs before, for so many lanes.
    fn begin(&mut self, lanes: usize) {
        self.busy.drain(..).for_each(|lane| self.lanes[lane].clear());
        self.causes.clear();
        self.outputs.clear();
        if self.lanes.len() < lanes {
            self.lanes.resize_with(lanes, Lane::default);
        }
    }

    /// Divides a run among the lanes of its listeners. `tick` counts the calls of those with queries.
    fn divide(&mut self, run: &Run, tick: &mut u64, nodes: &[SystemNode], events: &mut EventManager) {
        let number = self.causes.len() as u32;
        self.causes.push(run.cause());
        let EventType { layout, subscribers, .. } = events.event_type(run.event_type);
        let mut delivered = 0;
        for (index, subscriber) in subscribers.iter().enumerate() {
            let next = subscriber.next();
            if !subscriber.is_subscribed() || next >= run.end_sequence {
                continue;
            }
            if !nodes[subscriber.system].run_state.is_enabled() {
                subscriber.set_next(run.end_sequence);
                continue;
            }
            let lane = &mut self.lanes[subscriber.lane as usize];
            if lane.pieces.is_empty() {
                self.busy.push(subscriber.lane as usize);
            }
            let mut count = 0;
            let (mut segment, mut place) = run.first;
            loop {
                let sequence = place.sequence - segment.len() as u64;
                let piece = Piece { segment, sequence, tick: 0, run: number, index: index as u32 };
                // It has received the others, before another listener panicked.
                if let Some(piece) = piece.behind(next, *layout) {
                    lane.pieces.push(Piece { tick: *tick + count, ..piece });
                    count += piece.segment.len() as u64;
                }
                if place.sequence >= run.end_sequence {
                    break;
                }
                segment = events.next_segment(&mut place);
            }
            lane.events += count as usize;
            delivered += count;
            *tick += if subscriber.has_query { count } else { 0 };
        }
        events.event_type_mut(run.event_type).counters.delivered += delivered;
    }

    /// Whether at least two lanes have enough to do, so that waking a thread pays.
    fn is_for_threads(&self, thread_pool: &ThreadPool) -> bool {
        let has_much = |lane: &&usize| self.lanes[**lane].events >= thread_pool.parallel_threshold;
        self.busy.iter().filter(has_much).nth(1).is_some()
    }

    /// Moves what the listeners sent and recorded to the queues, in the order in which delivery in line would have.
    fn collect(&mut self, recorded: &mut VecDeque<RecordedCommands>, events: &mut EventManager) {
        let Self { lanes, busy, causes, outputs, .. } = self;
        busy.iter().for_each(|lane| outputs.append(&mut lanes[*lane].outputs));
        if busy.len() > 1 {
            outputs.sort_unstable_by_key(|output| (output.run, output.index, output.sequence));
        }
        for Output { run, system, events: sent, commands, .. } in outputs.drain(..) {
            let cause = Some(causes[run as usize]);
            events.enqueue(Batch { sender: system, events: sent, cause });
            if commands > 0 {
                recorded.push_back(RecordedCommands { system, count: commands, cause });
            }
        }
    }

    /// The panics in the order of delivery, and the lanes that they ended.
    #[cold]
    fn take_stops(&mut self, nodes: &[SystemNode], events: &mut EventManager) -> (Panics, Broken) {
        let (mut stops, mut broken) = (Vec::new(), Broken::default());
        for &number in &self.busy {
            let lane = &mut self.lanes[number];
            if lane.stops.iter().any(|stop| !is_limit(&stop.payload)) {
                broken.lanes.push(number as u32);
                for piece in &lane.pieces {
                    let EventType { subscribers, counters, .. } = events.event_type_mut(piece.segment.event_type);
                    let received = subscribers[piece.index as usize].next().clamp(piece.sequence, piece.end());
                    counters.delivered -= piece.end() - received;
                }
            }
            stops.append(&mut lane.stops);
        }
        stops.sort_by_key(|stop| (stop.run, stop.index));
        let panics = Panics::default();
        for Stop { index, event_type, payload, .. } in stops {
            let event_type = events.event_type(event_type);
            let system = event_type.subscribers[index as usize].system;
            panics.note_in_listener(system, nodes[system].name, event_type.name, payload);
        }
        (panics, broken)
    }
}

impl Lane {
    fn clear(&mut self) {
        self.pieces.clear();
        self.events = 0;
        // They are empty, unless something unwound.
        self.outputs.clear();
        self.stops.clear();
    }

    /// Calls the listeners. One catch serves all calls up to the first panic, since catching costs as much as
    /// delivering an event.
    fn deliver(&mut self, nodes: &mut Owned<'_, SystemNode>, world: &World, time: &Time) {
        let Self { pieces, outputs, stops, .. } = self;
        let mut calls = Calls { nodes, world, time, outputs };
        let mut rest = &pieces[..];
        let caught = catch(|| {
            while !rest.is_empty() {
                let count = calls.stretch(rest);
                calls.call(&rest[..count]);
                rest = &rest[count..];
            }
        });
        if let Err(payload) = caught {
            calls.go_on(rest, payload, stops);
        }
    }
}

/// What calls of listeners need.
struct Calls<'a, 'n> {
    nodes: &'a mut Owned<'n, SystemNode>,
    world: &'a World,
    time: &'a Time,
    outputs: &'a mut Vec<Output>,
}

impl<'a> Calls<'a, '_> {
    fn subscriber(&self, piece: &Piece) -> &'a Subscriber {
        &self.world.events.event_type(piece.segment.event_type).subscribers[piece.index as usize]
    }

    /// How many of the first pieces go to one listener in one call. What one sends or records is collected for each
    /// piece, as delivery in line does.
    #[inline]
    fn stretch(&self, pieces: &[Piece]) -> usize {
        let first = &pieces[0];
        let is_same =
            |piece: &&Piece| piece.index == first.index && piece.segment.event_type == first.segment.event_type;
        if self.subscriber(first).fills_buffers { 1 } else { pieces.iter().take_while(is_same).count() }
    }

    /// Calls a listener with all its pieces. If it panics, [`Calls::go_on`] must follow.
    #[inline]
    fn call(&mut self, pieces: &[Piece]) {
        let (first, subscriber) = (pieces[0], self.subscriber(&pieces[0]));
        let (world, time) = (self.world, self.time);
        let SystemNode { buffer, commands, work, tick, .. } = self.nodes.get_mut(subscriber.system);
        let delivery = Some(Delivery { pieces, sequence: Cell::new(first.sequence), subscriber });
        work.run(FIRST_LISTENER + subscriber.listener, &RunContext { world, buffer, commands, time, delivery, tick });
        if subscriber.fills_buffers {
            self.collect(subscriber.system, first);
        }
    }

    /// Takes what a listener sent and recorded while it received a piece.
    fn collect(&mut self, system: usize, piece: Piece) {
        let node = self.nodes.get_mut(system);
        let commands = node.commands.get_mut().take_count_of_new();
        if commands > 0 || !node.buffer.is_empty() {
            let Piece { run, index, sequence, .. } = piece;
            self.outputs.push(Output { run, index, sequence, system, events: node.buffer.collect(), commands });
        }
    }

    /// Goes on behind a panic in the call of the first of `pieces`. A listener that reached a limit goes on with its
    /// next event; after another panic the other listeners receive the rest of the run, and then the lane ends.
    #[cold]
    fn go_on(&mut self, pieces: &[Piece], payload: Payload, stops: &mut Vec<Stop>) {
        // The listener has received the event at which it panicked, and all before it.
        let next = self.subscriber(&pieces[0]).next();
        let first = pieces.iter().position(|piece| piece.end() >= next).unwrap_or(0);
        let mut caught = Err(payload);
        let (mut broken_run, mut broken_off) = (None, Vec::new());
        for piece in &pieces[first..] {
            loop {
                if let Err(payload) = std::mem::replace(&mut caught, Ok(())) {
                    let Piece { run, index, segment: Segment { event_type, .. }, .. } = *piece;
                    self.collect(self.subscriber(piece).system, *piece);
                    if !is_limit(&payload) {
                        broken_run = Some(run);
                        broken_off.push(index);
                    }
                    stops.push(Stop { run, index, event_type, payload });
                }
                let is_due = broken_run.is_none_or(|run| run == piece.run) && !broken_off.contains(&piece.index);
                let layout = self.world.events.event_type(piece.segment.event_type).layout;
                let left = piece.behind(self.subscriber(piece).next(), layout);
                let Some(left) = left.filter(|_| is_due) else { break };
                caught = catch(|| self.call(&[left]));
            }
        }
    }
}
