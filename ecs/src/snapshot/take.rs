//! Taking a snapshot.

use std::any::TypeId;
use std::sync::Arc;

use super::{
    EventList, LatestPool, LocalCopy, PoolCopy, QueryCopy, ResourceCopy, Snapshot, SnapshotError, Snapshots,
    SystemCopy, TypeKind, resource_changes,
};
use crate::event::EventManager;
use crate::event::OUTSIDE;
use crate::panic::within;
use crate::resources::Resources;
use crate::store::CopyCache;
use crate::system::{Executor, SystemManager, SystemNode};
use crate::world::World;

/// The item at a position of a list whose memory is reused; a new one if the item there does not fit.
pub(super) fn at<T>(list: &mut Vec<T>, place: usize, fits: impl FnOnce(&T) -> bool, new: impl FnOnce() -> T) -> &mut T {
    match list.get(place) {
        Some(known) if fits(known) => {}
        Some(_) => list[place] = new(),
        None => list.push(new()),
    }
    &mut list[place]
}

impl Snapshots {
    /// Copies the state of an engine, whose systems are in order, into `snapshot`.
    ///
    /// # Errors
    /// [`SnapshotError::NotRegistered`] and [`SnapshotError::CommandsWait`]; the snapshot is then incomplete.
    pub(crate) fn take(
        &mut self,
        snapshot: &mut Snapshot,
        world: &mut World,
        systems: &mut SystemManager,
        executor: &Executor,
    ) -> Result<(), SnapshotError> {
        snapshot.is_whole = false;
        snapshot.is_from_save = false;
        snapshot.stays.clear();
        if executor.has_commands() {
            return Err(SnapshotError::CommandsWait);
        }
        // Events from outside come after the waiting ones, as at the start of the next frame.
        world.events.collect_outside(OUTSIDE, None);
        self.entities.take(world.entities_mut(), &mut snapshot.entities);
        self.entity_lists.take(&mut world.entity_lists, &mut snapshot.entity_lists);
        self.global_ids.take(&mut world.global_ids, &mut snapshot.global_ids);
        self.random.take(&mut world.random, &mut snapshot.random);
        let taken = self.take_pools(snapshot, world).and_then(|()| self.take_resources(snapshot, world));
        let taken = taken.and_then(|()| self.take_systems(snapshot, systems, &world.resources));
        match taken.and_then(|()| self.take_events(snapshot, &world.events)) {
            Err(SnapshotError::NotRegistered { .. }) => return Err(self.all_unregistered(world, systems)),
            taken => taken?,
        }
        snapshot.time = executor.time;
        snapshot.controls.clone_from(&executor.controls);
        snapshot.ticks = (*world.components.tick(), *world.components.frame_tick());
        snapshot.is_whole = true;
        Ok(())
    }

    /// Says what has no name yet and needs one to be taken back: what [`Snapshots::take`] would refuse, and functions
    /// that will have ended by then. O(number of types and systems).
    pub(crate) fn check_names(&self, world: &mut World, systems: &SystemManager) -> Result<(), SnapshotError> {
        match self.all_unregistered(world, systems) {
            SnapshotError::NotRegistered { types } if types.is_empty() => {}
            error => return Err(error),
        }
        let is_nameless = |node: &&SystemNode| {
            node.is_by_command && (self.types.is_left_out(node.system) || self.types.systems.of(node.system).is_none())
        };
        if let Some(nameless) = systems.nodes.iter().find(is_nameless) {
            return Err(SnapshotError::by_command(nameless.name));
        }
        let mut functions = systems.nodes.iter().filter(|node| node.function.is_some() && node.own_type.is_none());
        let nameless = functions.find(|node| {
            let is_named = self.types.is_left_out(node.system) || self.types.systems.of(node.system).is_some();
            !is_named && (size_of_val(node.work.system().state()) > 0 || node.run_state.timer().is_once())
        });
        nameless.map_or(Ok(()), |node| Err(SnapshotError::Function { function: node.name }))
    }

    /// All types of values that exist and are not registered, for one error instead of one after the other.
    fn all_unregistered(&self, world: &mut World, systems: &SystemManager) -> SnapshotError {
        let named = &self.types;
        let mut types = Vec::new();
        for (pool, rust_name) in world.components.pools_for_copy() {
            if pool.len() > 0 && named.components.of(pool.value_type()).is_none() {
                types.push((TypeKind::Component, rust_name));
            }
        }
        for number in 0..world.resources.len() {
            let Some((resource, rust_name)) = world.resources.present(number) else { continue };
            if !named.is_left_out(resource) && named.resources.of(resource).is_none() {
                types.push((TypeKind::Resource, rust_name));
            }
        }
        for node in systems.nodes.iter().filter(|node| node.function.is_none()) {
            let has_state = size_of_val(node.work.system().state()) > 0;
            if has_state && !named.is_left_out(node.system) && named.systems.of(node.system).is_none() {
                types.push((TypeKind::System, node.name));
            }
        }
        for local in systems.nodes.iter().flat_map(SystemNode::locals) {
            let unregistered = (TypeKind::Local, local.name());
            if named.locals.of(local.value_type()).is_none() && !types.contains(&unregistered) {
                types.push(unregistered);
            }
        }
        for waiting in world.events.waiting_segments() {
            let event_type = world.events.event_type(waiting.run.event_type);
            let unregistered = (TypeKind::Event, event_type.name);
            if named.events.of(event_type.type_id).is_none() && !types.contains(&unregistered) {
                types.push(unregistered);
            }
        }
        SnapshotError::NotRegistered { types }
    }

    fn take_pools(&mut self, snapshot: &mut Snapshot, world: &mut World) -> Result<(), SnapshotError> {
        let Self { types, pools: latest, .. } = self;
        let mut count = 0;
        for (place, (pool, rust_name)) in world.components.pools_for_copy().enumerate() {
            let component = pool.value_type();
            let copy = at(
                &mut snapshot.pools,
                place,
                |known| known.component == component,
                || PoolCopy { component, name: None, index: None, values: None, ticks: None },
            );
            let known = types.components.of(component);
            if known.is_none() && pool.len() > 0 {
                return Err(SnapshotError::not_registered(TypeKind::Component, rust_name));
            }
            if latest.len() <= place {
                latest.resize_with(place + 1, LatestPool::default);
            }
            let latest = &mut latest[place];
            copy.name = known.map(|known| known.name.clone());
            if let Some(known) = known {
                if pool.ticks().is_some() {
                    let mut is_changed = pool.are_ticks_changed();
                    latest.ticks.copy_out(&mut is_changed, &mut copy.ticks, |copy| pool.copy_ticks_to(copy));
                } else {
                    copy.ticks = None;
                }
                cloning(TypeKind::Component, &known.name, || {
                    known.what.copy_out(pool, &mut latest.values, &mut copy.values);
                });
                latest.index.take(pool, &mut copy.index);
            }
            count = place + 1;
        }
        snapshot.pools.truncate(count);
        Ok(())
    }

    fn take_resources(&mut self, snapshot: &mut Snapshot, world: &mut World) -> Result<(), SnapshotError> {
        let Self { types, resources: latest, .. } = self;
        let resources = &mut world.resources;
        latest.resize_with(resources.len().max(latest.len()), CopyCache::default);
        let mut count = 0;
        for number in 0..resources.len() {
            let Some((resource, rust_name)) = resources.present(number) else { continue };
            if types.is_left_out(resource) {
                continue;
            }
            let known = types.resources.known(resource, rust_name)?;
            let revisions = resources.revisions(number);
            let fits = |copy: &ResourceCopy| copy.resource == resource;
            let new = || ResourceCopy { resource, name: known.name.clone(), value: None, revisions };
            let copy = at(&mut snapshot.resources, count, fits, new);
            copy.name = known.name.clone();
            copy.revisions = revisions;
            cloning(TypeKind::Resource, &known.name, || known.what.copy_out(resources, latest, &mut copy.value));
            count += 1;
        }
        snapshot.resources.truncate(count);
        Ok(())
    }

    fn take_systems(
        &mut self,
        snapshot: &mut Snapshot,
        systems: &mut SystemManager,
        resources: &Resources,
    ) -> Result<(), SnapshotError> {
        let types = &self.types;
        resource_changes::take_sets(&mut snapshot.sets_asked, &systems.sets, &snapshot.resources, resources);
        for (place, node) in systems.nodes.iter_mut().enumerate() {
            let system = node.system;
            let is_of = |copy: &SystemCopy| copy.is_of(node) && copy.has_settings_of(node);
            let copy = at(&mut snapshot.systems, place, is_of, || SystemCopy::of(node));
            let known = types.systems.of(system);
            copy.name = known.map(|known| known.name.clone());
            (copy.timing.priority, copy.timing.timer) = (node.priority, node.run_state.timer());
            copy.is_enabled = node.run_state.is_enabled();
            copy.is_of_setup = node.is_of_setup;
            (copy.is_by_command, copy.has_more_settings) = (node.is_by_command, node.has_more_settings);
            copy.queries.clear();
            copy.queries.extend(
                node.tracking_queries()
                    .map(|stats| QueryCopy { last_run: stats.last_run(), stats: Some(Arc::clone(stats)) }),
            );
            resource_changes::take(&mut copy.asked, node.last_asked(), &snapshot.resources, resources);
            let mut count = 0;
            for local in node.locals() {
                let value_type = local.value_type();
                let new = || LocalCopy {
                    value_type,
                    #[cfg(feature = "serde")]
                    rust_name: local.name(),
                    value: None,
                };
                let copy = at(&mut copy.locals, count, |copy| copy.value_type == value_type, new);
                let known = types.locals.known(value_type, local.name())?;
                cloning(TypeKind::Local, &known.name, || {
                    local.look(&mut |value| known.what.copy_out(value, &mut copy.value));
                });
                count += 1;
            }
            copy.locals.truncate(count);
            let state = node.work.system().state();
            match known.map(|known| &*known.what).or(node.own_type.as_deref()) {
                _ if node.is_by_command && (types.is_left_out(system) || known.is_none()) => {
                    return Err(SnapshotError::by_command(node.name));
                }
                _ if types.is_left_out(system) => copy.state = None,
                Some(known) => {
                    let name = copy.name.as_deref().unwrap_or(node.name);
                    cloning(TypeKind::System, name, || known.copy_out(state, &mut copy.state));
                }
                None if size_of_val(state) == 0 => copy.state = None,
                None if node.function.is_some() => return Err(SnapshotError::Function { function: node.name }),
                None => return Err(SnapshotError::not_registered(TypeKind::System, node.name)),
            }
        }
        snapshot.systems.truncate(systems.nodes.len());
        snapshot.functions.clone_from(systems.functions());
        Ok(())
    }

    fn take_events(&mut self, snapshot: &mut Snapshot, events: &EventManager) -> Result<(), SnapshotError> {
        let systems = &mut snapshot.systems;
        systems.iter_mut().for_each(|system| system.listeners.clear());
        for subscriber in events.subscribers() {
            let listeners = &mut systems[subscriber.system].listeners;
            listeners.resize(listeners.len().max(subscriber.listener + 1), None);
            listeners[subscriber.listener] = Some(subscriber.state());
        }
        self.take_waiting(snapshot, events)
    }

    /// Copies the events of the queue that wait, and their numbers.
    pub(super) fn take_waiting(&self, snapshot: &mut Snapshot, events: &EventManager) -> Result<(), SnapshotError> {
        let Snapshot { lists, waiting, .. } = snapshot;
        lists.iter_mut().for_each(|list| list.events.clear());
        waiting.clear();
        for segment in events.waiting_segments() {
            let event_type = events.event_type(segment.run.event_type);
            let known = self.types.events.known(event_type.type_id, event_type.name)?;
            let list = list_of(lists, event_type.type_id, || EventList {
                event: event_type.type_id,
                name: known.name.clone(),
                events: known.what.new_list(),
            });
            let into = &mut *lists[list].events;
            cloning(TypeKind::Event, &known.name, || known.what.copy_out(events, segment, into));
            waiting.push((list, segment.run));
        }
        snapshot.numbers = events.numbers();
        Ok(())
    }
}

/// Calls code of users that copies values of a type; a panic goes on with the name of the type.
pub(super) fn cloning<R>(kind: TypeKind, name: &str, act: impl FnOnce() -> R) -> R {
    within(format_args!("the `Clone` of {kind} \"{name}\" panicked"), act)
}

fn list_of(lists: &mut Vec<EventList>, event: TypeId, new: impl FnOnce() -> EventList) -> usize {
    lists.iter().position(|list| list.event == event).unwrap_or_else(|| {
        lists.push(new());
        lists.len() - 1
    })
}
