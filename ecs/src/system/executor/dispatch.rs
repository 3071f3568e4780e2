//! Delivers what waits to whoever listens: first in, first out, with a budget for what listeners send meanwhile.

use std::cell::Cell;
use std::fmt;
use std::ops::Range;

use super::panic::{Panics, catch};
use super::{Executor, OUTSIDE};
use crate::event::{EventManager, Queued};
use crate::system::SystemManager;
use crate::system::node::Delivery;
use crate::system::param::RunContext;
use crate::world::World;

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

impl Executor {
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
    ///
    /// A listener that panics hears nothing more for now: what is left of the run, it hears in the next frame.
    ///
    /// # Panics
    /// If listeners panicked: with the first one, when all others have heard the run.
    fn deliver(&mut self, run: Range<usize>, systems: &mut SystemManager, world: &mut World) {
        let event_type = world.events.queue[run.start].segment.event_type;
        let last = &world.events.queue[run.end - 1];
        let end_sequence = last.first_sequence + last.segment.count as u64;
        let panics = Panics::default();
        let mut broken_off = Vec::new();
        loop {
            let changes = world.events.subscription_changes();
            for index in 0..world.events.event_type(event_type).subscribers.len() {
                let next = self.deliver_to(index, run.clone(), end_sequence, systems, world, &panics);
                broken_off.extend(next.map(|next| (index, next)));
            }
            if world.events.subscription_changes() == changes {
                break;
            }
        }
        for (index, next) in broken_off {
            world.events.event_type(event_type).subscribers[index].stop_before(next);
            if next < end_sequence {
                // Nobody else takes anything from the run again, since each listener notes how far it came.
                world.events.delivered = run.start;
            }
        }
        self.raise(panics);
    }

    /// Returns where a listener that panicked is to go on.
    fn deliver_to(
        &mut self,
        index: usize,
        run: Range<usize>,
        end_sequence: u64,
        systems: &mut SystemManager,
        world: &mut World,
        panics: &Panics,
    ) -> Option<u64> {
        let event_type = world.events.queue[run.start].segment.event_type;
        let subscriber = &world.events.event_type(event_type).subscribers[index];
        let (system, listener) = (subscriber.system, subscriber.listener);
        let node = &mut systems.nodes[system];
        let begin = subscriber.take(end_sequence)?;
        if !node.is_enabled {
            return None;
        }
        let begin = begin.max(world.events.queue[run.start].first_sequence);
        let _span = tracing::trace_span!(target: "ecs::event", "deliver", system = node.name).entered();
        let next = Cell::new(begin);
        let started = self.clock.start();
        let caught = {
            let context = RunContext {
                world,
                lane: &node.lane,
                commands: &node.commands,
                time: self.time,
                sequence: Cell::new(None),
            };
            catch(|| {
                for queued in &world.events.queue[run.clone()] {
                    let skip = begin.saturating_sub(queued.first_sequence).min(queued.segment.count as u64) as usize;
                    if skip < queued.segment.count && subscriber.is_subscribed() {
                        let first_sequence = queued.first_sequence;
                        let delivery =
                            Delivery { segment: queued.segment, skip, first_sequence, next: &next, subscriber };
                        node.work.deliver(listener, &delivery, &context);
                    }
                }
            })
        };
        let broken_off = match caught {
            Ok(()) => None,
            Err(payload) => {
                let event = world.events.event_type(event_type).name;
                panics.note(system, format_args!("system {} panicked as it heard {event}", node.name), payload);
                Some(next.get())
            }
        };
        let counters = &mut world.events.event_type_mut(event_type).counters;
        counters.delivered += next.get() - begin;
        if let Some(elapsed) = started.elapsed() {
            counters.handler_time += elapsed;
            node.times.listening += elapsed;
        }
        Self::take_over(&mut self.recorded, system, node, world, u32::try_from(run.start).ok());
        broken_off
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
