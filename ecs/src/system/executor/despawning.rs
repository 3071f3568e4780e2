//! Announces entities that a command is about to despawn, while they are whole.
//!
//! [`Despawning`] does not go through the queue: its listeners are called in step 6, right before the command. So each
//! entity that goes by a command is announced once, also one that was spawned in the same step, and no entity that
//! stays.

use super::Executor;
use super::dispatch::Call;
use super::panic::Panics;
use crate::entity::EntityId;
use crate::event::{Cause, Despawning, EventTypeId, OUTSIDE};
use crate::panic::catch;
use crate::system::SystemManager;
use crate::world::World;

impl Executor {
    /// If the next command of a system despawns entities, calls the listeners of [`Despawning`] for each entity that
    /// goes. Their events join the queue, and their commands wait until step 6 repeats.
    ///
    /// Returns their panics, to be raised after the command.
    pub(super) fn announce_despawning(
        &mut self,
        event_type: EventTypeId,
        system: usize,
        cause: Option<Cause>,
        systems: &mut SystemManager,
        world: &mut World,
    ) -> Option<Panics> {
        let mut going = std::mem::take(&mut self.going);
        systems.nodes[system].commands.get_mut().first_despawned(&mut going.entities);
        if going.entities.is_empty() {
            self.going = going;
            return None;
        }
        let panics = Panics::default();
        world.add_descendants(&mut going);
        // Lifecycle events of the commands before this one come first.
        world.events.collect_outside(OUTSIDE, cause);
        for entity in going.entities.drain(..) {
            self.announce(entity, event_type, cause, &panics, systems, world);
        }
        self.going = going;
        Some(panics)
    }

    /// Calls the listeners of one entity. All of them are called, even if some panic.
    fn announce(
        &mut self,
        entity: EntityId,
        event_type: EventTypeId,
        cause: Option<Cause>,
        panics: &Panics,
        systems: &mut SystemManager,
        world: &mut World,
    ) {
        let segment = self.staged.stage(event_type, Despawning { entity });
        world.events.event_type_mut(event_type).counters.sent += 1;
        // A listener that is subscribed meanwhile gets all events that are sent from now on.
        let sequence = world.events.collected().saturating_sub(1);
        let heard = self.causal_trace.as_ref().and_then(|causal_trace| causal_trace.heard_by_command());
        let mut subscribers = 0..;
        while let Some(index) = subscribers.next().and_then(|n| world.events.event_type(event_type).nth_for(entity, n))
        {
            let subscriber = &world.events.event_type(event_type).subscribers[index];
            let place = subscriber.system;
            if !subscriber.is_subscribed() || !systems.nodes[place].run_state.is_enabled() {
                continue;
            }
            let next = subscriber.next();
            let call = Call { is_watched: true, index, sequence };
            if let Err(payload) = catch(|| self.call_listener(segment, call, cause, heard, systems, world)) {
                self.end_call(event_type, call, cause, heard, systems, world);
                let name = systems.nodes[place].name;
                panics.note(place, format_args!("system {name} panicked in its listener for Despawning"), payload);
            }
            // The event has no number of its own.
            world.events.event_type(event_type).subscribers[index].set_next(next);
        }
    }
}
