//! Delivers runs that are for one listener alone, who sends and asks for nothing. Where types are sent in turn each event is such
//! a run, so as little as can be is written down for it.

use std::cell::Cell;

use super::{Current, Executor};
use crate::event::Run;
use crate::system::SystemManager;
use crate::system::node::{Delivery, SystemNode};
use crate::system::param::RunContext;
use crate::world::World;

impl Executor {
    /// Delivers such runs until another one comes, or the last one of a batch: that may go on in the next. Nothing is caught; if
    /// the listener panics, `is_on_its_way` stays set, and the run is still the next one that the queue gives.
    #[inline]
    pub(super) fn deliver_to_one(
        &self,
        is_on_its_way: &Cell<bool>,
        current: &Current,
        systems: &mut SystemManager,
        world: &mut World,
    ) {
        while let Some((segment, behind)) = world.events.next_run_within_batch() {
            let first_sequence = world.events.delivered.sequence;
            let event_type = world.events.event_type(segment.event_type);
            let [subscriber] = &*event_type.subscribers else { return };
            let SystemNode { buffer, commands, work, turn, .. } = &mut systems.nodes[subscriber.system];
            if !event_type.has_one_plain_listener || !turn.is_enabled() || !subscriber.hears_all_from(first_sequence) {
                return;
            }
            subscriber.stop_before(behind.sequence);
            current.next.set(first_sequence);
            is_on_its_way.set(true);
            let context = RunContext { world, buffer, commands, time: &self.time, sequence: Cell::new(None) };
            let delivery = Delivery { segment, skip: 0, first_sequence, next: &current.next, subscriber };
            work.deliver(subscriber.listener, &delivery, &context);
            is_on_its_way.set(false);
            world.events.note_delivered(segment, behind);
        }
    }
}

impl Current {
    /// Takes over a run at which the only listener panicked.
    pub(super) fn take_up(&self, run: &Run) {
        self.index.set(0);
        self.begin.set(run.start.sequence);
    }
}
