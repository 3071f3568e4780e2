//! Restoring a snapshot.

use super::take::cloning;
use super::{
    AnySystemType, EventList, PoolCopy, Snapshot, SnapshotError, Snapshots, SystemCopy, TypeKind, resource_changes,
};
use crate::component::ComponentId;
use crate::error::Error;
use crate::event::{EventBuffer, EventManager, EventNumbers, WaitingRun};
use crate::panic::FirstPanic;
use crate::resources::Resources;
use crate::store::{SharedCopy, Store};
use crate::system::{Executor, Origin, SystemManager, SystemNode, make_function, make_system};
use crate::type_map::TypeMap;
use crate::types::Recipe;
use crate::world::World;

/// The engine that a snapshot is restored into.
pub(crate) struct Target<'a> {
    pub(crate) world: &'a mut World,
    pub(crate) systems: &'a mut SystemManager,
    pub(crate) executor: &'a mut Executor,
    pub(crate) function_buffers: &'a mut Vec<EventBuffer>,
    /// The values of each pool of the snapshot, if they are to be moved.
    pub(crate) values: Vec<Option<SharedCopy>>,
}

impl Target<'_> {
    /// Removes all entities, events and commands, after a panic left half a state.
    fn empty(&mut self, panics: &mut FirstPanic) {
        forget_events(self, EventNumbers::default(), panics);
        self.world.events.subscribers().for_each(|subscriber| subscriber.resume_at(0));
        self.executor.restart(self.executor.time);
        for node in &mut self.systems.nodes {
            node.commands.get_mut().clear(panics);
            node.tracking_queries().for_each(|query| query.set_last_run(0));
        }
        self.systems.forget_resource_changes();
        self.world.components.clear(panics);
        self.world.entities_mut().clear();
        // The kinds may already be those of the snapshot.
        self.world.components.note_kinds();
        self.world.entity_lists.clear();
        self.world.global_ids.clear();
    }
}

const WHOLE: &str = "the snapshot is whole";

impl Snapshots {
    /// Checks that the snapshot can be restored into the engine.
    ///
    /// # Errors
    /// As [`Engine::restore`](crate::Engine::restore).
    pub(crate) fn check(&self, snapshot: &Snapshot, systems: &SystemManager) -> Result<(), SnapshotError> {
        let Self { types, .. } = self;
        if !snapshot.is_whole {
            return Err(SnapshotError::Incomplete);
        }
        for pool in &snapshot.pools {
            pool.name.as_ref().map(|name| types.components.meant(name, pool.component)).transpose()?;
        }
        for resource in &snapshot.resources {
            types.resources.meant(&resource.name, resource.resource)?;
        }
        for list in snapshot.lists.iter().filter(|list| list.events.len() > 0) {
            types.events.meant(&list.name, list.event)?;
        }
        for copy in &snapshot.systems {
            if let Some(name) = &copy.name {
                types.systems.meant(name, copy.system)?;
            }
        }
        // Fast path: it usually has the place that it had.
        let is_there = |(place, node): &(usize, &SystemNode)| {
            let is_same = snapshot.systems.get(*place).is_some_and(|copy| copy.is_of(node));
            is_same || snapshot.systems.iter().any(|copy| copy.is_of(node))
        };
        let comes_and_goes = |node: &SystemNode| node.function.is_some() || node.is_by_command;
        let mut own = systems.nodes.iter().enumerate().filter(|(_, node)| !comes_and_goes(node));
        if let Some((_, extra)) = own.find(|own| !is_there(own)).filter(|_| !snapshot.is_from_save) {
            return Err(SnapshotError::ExtraSystem { system: extra.name });
        }
        Ok(())
    }

    /// Clones each value that [`put_back`](Self::put_back) will clone, if values of components are moved. Events are
    /// `Copy`.
    ///
    /// # Panics
    /// If a `Clone` panics; nothing was changed.
    #[cfg(feature = "serde")]
    pub(crate) fn try_clones(&self, snapshot: &Snapshot) {
        let Self { types, .. } = self;
        for copy in &snapshot.resources {
            if let (Some(known), Some(value)) = (types.resources.of(copy.resource), &copy.value) {
                cloning(TypeKind::Resource, &known.name, || known.what.try_clone(value));
            }
        }
        for copy in &snapshot.systems {
            if let (Some(known), Some(state)) = (self.system_type(copy), &copy.state) {
                cloning(TypeKind::System, copy.called(), || known.copy_out(&**state, &mut None));
            }
        }
        for list in &snapshot.lists {
            if let Some(known) = types.events.of(list.event) {
                cloning(TypeKind::Event, &known.name, || known.what.try_clone(&*list.events));
            }
        }
    }

    /// Brings the systems that come and go, and the order of all, into the state of the snapshot. The execution order
    /// must be computed next. Returns the functions and systems that the snapshot does not have. Waiting events may be
    /// in their buffers: drop them after [`put_back`](Self::put_back).
    ///
    /// # Errors
    /// - [`SnapshotError::MissingSystem`]
    /// - [`SetupError`](crate::system::SetupError) if there is no execution order.
    ///
    /// Nothing is changed then.
    pub(crate) fn arrange(
        &self,
        snapshot: &Snapshot,
        world: &mut World,
        systems: &mut SystemManager,
    ) -> Result<Vec<SystemNode>, Error> {
        let nodes = &systems.nodes;
        let has_own_keys = snapshot.systems.iter().any(|copy| copy.own_key.is_some());
        let is_same = nodes.len() == snapshot.systems.len()
            && !has_own_keys
            && nodes.iter().zip(&snapshot.systems).all(|(node, copy)| copy.is_of(node));
        if is_same {
            systems.put_functions_back(&snapshot.functions);
            return Ok(Vec::new());
        }
        let functions = systems.function_places();
        let mut origins = Vec::with_capacity(snapshot.systems.len());
        for copy in &snapshot.systems {
            let place = match copy.function {
                Some(function) => functions.get(&copy.own_key.unwrap_or(function)).copied(),
                None => systems.find(copy.system).map(|(place, _)| place),
            };
            let origin = match place.filter(|place| copy.is_of(&systems.nodes[*place])) {
                Some(place) => Origin::Here(place),
                None => {
                    let made = self.made_again(copy, snapshot, world);
                    let mut made = made.ok_or(SnapshotError::MissingSystem { system: copy.rust_name })?;
                    made.function = copy.function;
                    Origin::Made(Box::new(made))
                }
            };
            origins.push(origin);
        }
        // Systems that a save does not know come last.
        let known = snapshot.systems.iter().filter(|copy| copy.function.is_none());
        let known: TypeMap<()> = known.map(|copy| (copy.system, ())).collect();
        let own = systems.nodes.iter().enumerate();
        let own = own.filter(|(_, node)| node.function.is_none() && !node.is_by_command);
        let new = own.filter(|(_, node)| !known.contains_key(&node.system));
        origins.extend(new.map(|(place, _)| Origin::Here(place)));
        systems.check_arranged(&origins)?;
        let left_out = systems.arrange(origins.into_iter(), &snapshot.functions);
        if has_own_keys {
            let copies = snapshot.systems.iter().enumerate();
            let keys = copies.filter_map(|(place, copy)| copy.own_key.and(copy.function).map(|key| (place, key)));
            systems.rekey(&keys.collect::<Vec<_>>());
        }
        systems.note_listeners(world);
        Ok(left_out)
    }

    /// Restores a checked snapshot. If a value panics when it is cloned, or one other than an event when it is dropped,
    /// the engine is left empty.
    pub(crate) fn put_back(&mut self, snapshot: &Snapshot, mut target: Target<'_>, panics: &mut FirstPanic) {
        // Rewind buffers first: nothing may read the old events any more.
        forget_events(&mut target, snapshot.numbers, panics);
        target.world.events.take_back(snapshot.time.frame(), panics);
        if panics.catch(|| self.exchange(snapshot, &mut target)).is_none() {
            target.empty(panics);
        }
    }

    fn exchange(&mut self, snapshot: &Snapshot, target: &mut Target<'_>) {
        target.world.components.put_ticks_back(snapshot.ticks);
        self.meet_types(snapshot, target.world);
        self.show_to_hooks(snapshot, target);
        self.put_entities(snapshot, target.world);
        self.put_pools(snapshot, target);
        target.world.components.note_kinds();
        self.types.note_relations(target.world);
        self.put_tables(snapshot, target.world);
        self.put_resources(snapshot, target.world);
        self.put_systems(snapshot, target.systems);
        self.put_asked(snapshot, target.systems, &target.world.resources);
        self.put_events(snapshot, target.world);
        target.executor.restart(snapshot.time);
        target.executor.controls.clone_from(&snapshot.controls);
    }

    /// Notes the component ids of the pools of the snapshot.
    fn meet_types(&mut self, snapshot: &Snapshot, world: &mut World) {
        let Self { types, ids, .. } = self;
        let components = &mut world.components;
        ids.clear();
        for copy in &snapshot.pools {
            let known = types.components.of(copy.component).filter(|_| copy.name.is_some());
            ids.push(known.map(|known| known.what.meet(components)));
        }
    }

    /// Shows the hooks all components that are replaced next.
    fn show_to_hooks(&self, snapshot: &Snapshot, Target { world, values: moved, .. }: &mut Target<'_>) {
        let World { components, resources, .. } = &mut **world;
        let mut panics = FirstPanic::default();
        for id in components.ids() {
            if !components.is_hooked(id) {
                continue;
            }
            let copy = self.ids.iter().position(|known| *known == Some(id));
            let stays = copy.is_some_and(|place| {
                let pool = components.pool_for_copy(id);
                let latest = self.pools.get(id.index());
                let is_moved = moved.get(place).is_some_and(Option::is_some);
                let values = snapshot.pools[place].values.as_ref();
                !is_moved
                    && latest
                        .zip(values)
                        .is_some_and(|(latest, values)| latest.values.equals(*pool.are_values_changed(), values))
            });
            if !stays {
                components.show_all(id, resources, &mut panics);
            }
        }
        panics.raise();
    }

    fn put_pools(&mut self, snapshot: &Snapshot, Target { world, values: moved, .. }: &mut Target<'_>) {
        let Self { types, pools: latest, ids, .. } = self;
        let components = &mut world.components;
        if latest.len() < components.ids().len() {
            latest.resize_with(components.ids().len(), Default::default);
        }
        for (place, id) in components.ids().enumerate() {
            if !ids.contains(&Some(id)) {
                let mut panics = FirstPanic::default();
                components.pool_for_copy(id).clear(&mut panics);
                panics.raise();
                latest[place] = Default::default();
            }
        }
        for (place, (copy, id)) in snapshot.pools.iter().zip(&*ids).enumerate() {
            let (Some(id), Some(index)) = (id, &copy.index) else { continue };
            if copy.ticks.is_some() {
                components.track(*id);
            }
            let latest = &mut latest[id.index()];
            let pool = components.pool_for_copy(*id);
            let are_ticks_changed = pool.are_ticks_changed();
            let known = types.components.of(copy.component).expect("its pool was just found by it");
            match (moved.get_mut(place).and_then(Option::take), &copy.values) {
                (Some(values), _) => known.what.move_in(pool, values),
                (None, Some(values)) if !latest.values.equals(*pool.are_values_changed(), values) => {
                    cloning(TypeKind::Component, &known.name, || known.what.copy_in(pool, values));
                    latest.values.set(values);
                    *pool.are_values_changed() = false;
                }
                _ => {}
            }
            latest.index.put_back(pool, index);
            match &copy.ticks {
                Some(ticks) if latest.ticks.equals(are_ticks_changed, ticks) => {}
                Some(ticks) => {
                    pool.copy_ticks_from(ticks.downcast_ref().expect(WHOLE));
                    latest.ticks.set(ticks);
                }
                // They were not tracked then, so all components count as changed.
                None if pool.ticks().is_some() => components.reset_ticks(*id),
                None => {}
            }
        }
    }

    fn put_entities(&mut self, snapshot: &Snapshot, world: &mut World) {
        let image = snapshot.entities.as_ref().expect(WHOLE);
        // Kinds without rows may have types that are not registered.
        let is_same = |(at, (id, copy)): (usize, (&Option<ComponentId>, &PoolCopy))| match id {
            Some(id) => id.index() == at,
            None => world.components.find(ComponentId::at(at)).is_some_and(|pool| pool.value_type() == copy.component),
        };
        let is_same_order = self.ids.iter().zip(&snapshot.pools).enumerate().all(is_same);
        let entities = world.entities_mut();
        if is_same_order {
            return self.entities.put_back(entities, image);
        }
        entities.copy_from(image.downcast_ref().expect(WHOLE));
        entities.translate_masks(&self.ids);
    }

    fn put_resources(&mut self, snapshot: &Snapshot, world: &mut World) {
        let Self { types, resources: latest, .. } = self;
        let is_in_snapshot = |resource| snapshot.resources.iter().any(|copy| copy.resource == resource);
        let stays = |resource| types.is_left_out(resource) || snapshot.stays.contains(&resource);
        world.resources.retain(|resource| stays(resource) || is_in_snapshot(resource));
        for copy in &snapshot.resources {
            if let (Some(known), Some(value)) = (types.resources.of(copy.resource), &copy.value) {
                cloning(TypeKind::Resource, &known.name, || known.what.copy_in(&mut world.resources, latest, value));
                world.resources.set_revisions(copy.resource, copy.revisions);
            }
        }
    }

    /// What the parameters of systems know of resources.
    fn put_asked(&self, snapshot: &Snapshot, systems: &SystemManager, resources: &Resources) {
        let stays = |resource| self.types.is_left_out(resource) || snapshot.stays.contains(&resource);
        for (place, node) in systems.nodes.iter().enumerate() {
            let copies = snapshot.systems.get(place).map_or(&[][..], |copy| &copy.asked);
            resource_changes::put(copies, node.last_asked(), stays, resources);
        }
        resource_changes::put_sets(&snapshot.sets_asked, &systems.sets, stays, resources);
    }

    /// How the system is copied and recreated, if that is known.
    fn system_type<'a>(&'a self, copy: &'a SystemCopy) -> Option<&'a dyn AnySystemType> {
        self.types.systems.of(copy.system).map(|known| &*known.what).or(copy.own_type.as_deref())
    }

    /// Whether a system that the engine does not have would be made again.
    pub(super) fn comes_back(&self, copy: &SystemCopy, snapshot: &Snapshot) -> bool {
        let recipe = self.system_type(copy).and_then(AnySystemType::recipe);
        (copy.is_by_command || !snapshot.is_from_save)
            && copy.state.is_some()
            && matches!(recipe, Some(Recipe::System(_)))
    }

    /// A function or system that the engine does not have; `None` if nothing says how it is made.
    fn made_again(&self, copy: &SystemCopy, snapshot: &Snapshot, world: &mut World) -> Option<SystemNode> {
        let known = self.system_type(copy)?;
        if copy.function.is_some() {
            return make_function(known, copy.timing.clone(), world).map(|mut made| {
                made.is_of_setup = copy.is_of_setup;
                made
            });
        }
        let state = copy.state.as_ref().filter(|_| self.comes_back(copy, snapshot))?;
        // A save holds no sets and no conditions.
        let (timing, is_whole) = (copy.timing.clone(), !snapshot.is_from_save);
        let made = cloning(TypeKind::System, copy.called(), || make_system(known, &**state, timing, is_whole, world));
        made.map(|mut made| {
            (made.is_by_command, made.has_more_settings) = (copy.is_by_command, copy.has_more_settings);
            made
        })
    }

    fn put_systems(&mut self, snapshot: &Snapshot, systems: &mut SystemManager) {
        for (place, copy) in snapshot.systems.iter().enumerate() {
            let node = &mut systems.nodes[place];
            if let (Some(known), Some(state)) = (self.system_type(copy), &copy.state) {
                let own = node.work.system_mut().state_mut();
                cloning(TypeKind::System, copy.called(), || known.copy_in(own, &**state));
            }
            systems.put_back(place, copy.timing.priority, copy.timing.timer, copy.is_enabled);
        }
        self.put_locals(snapshot, systems);
        // A query of another program or of a new system has not run: it sees everything.
        for (place, node) in systems.nodes.iter().enumerate() {
            let queries = snapshot.systems.get(place).map_or(&[][..], |copy| &copy.queries);
            let is_known = queries.len() == node.tracking_queries().count();
            for (at, query) in node.tracking_queries().enumerate() {
                query.set_last_run(if is_known { queries[at].last_run } else { 0 });
            }
        }
        // A panic may have left commands, which belong to another state.
        let mut panics = FirstPanic::default();
        for node in &mut systems.nodes {
            node.commands.get_mut().clear(&mut panics);
        }
        panics.raise();
    }

    /// What is not in the snapshot begins with its default.
    fn put_locals(&self, snapshot: &Snapshot, systems: &SystemManager) {
        for (place, node) in systems.nodes.iter().enumerate() {
            let copies = snapshot.systems.get(place).map_or(&[][..], |copy| &copy.locals);
            for (at, local) in node.locals().enumerate() {
                let copy = copies.get(at).filter(|copy| copy.value_type == local.value_type());
                match copy.and_then(|copy| Some((self.types.locals.of(copy.value_type)?, copy.value.as_ref()?))) {
                    Some((known, copy)) => cloning(TypeKind::Local, &known.name, || {
                        local.change(&mut |value| known.what.copy_in(value, &**copy));
                    }),
                    None => local.reset(),
                }
            }
        }
    }

    fn put_tables(&mut self, snapshot: &Snapshot, world: &mut World) {
        self.entity_lists.put_back(&mut world.entity_lists, snapshot.entity_lists.as_ref().expect(WHOLE));
        self.global_ids.put_back(&mut world.global_ids, snapshot.global_ids.as_ref().expect(WHOLE));
        self.random.put_back(&mut world.random, snapshot.random.as_ref().expect(WHOLE));
    }

    fn put_events(&mut self, snapshot: &Snapshot, world: &mut World) {
        for subscriber in world.events.subscribers() {
            let copy = snapshot.systems.get(subscriber.system);
            match copy.and_then(|copy| copy.listeners.get(subscriber.listener).copied().flatten()) {
                Some(state) => subscriber.set_state(state),
                // A new listener receives the waiting events; its counter may come from an engine that has sent more.
                None => subscriber.resume_at(snapshot.numbers.delivered),
            }
        }
        self.send_waiting(snapshot, &mut world.events);
    }

    /// Puts the waiting events of a snapshot into the queue.
    pub(super) fn send_waiting(&mut self, snapshot: &Snapshot, events: &mut EventManager) {
        let Self { types, taken, .. } = self;
        taken.clear();
        taken.resize(snapshot.lists.len(), 0);
        for (list, run) in &snapshot.waiting {
            let EventList { event, events: from, .. } = &snapshot.lists[*list];
            let range = taken[*list]..taken[*list] + run.count;
            taken[*list] = range.end;
            let Some(known) = types.events.of(*event) else { continue };
            let run = WaitingRun { event_type: known.what.meet(events), ..*run };
            cloning(TypeKind::Event, &known.name, || known.what.copy_in(&**from, range, run, events));
        }
    }
}

impl SystemCopy {
    /// Its registered name; without one, that of its type.
    fn called(&self) -> &str {
        self.name.as_deref().unwrap_or(self.rust_name)
    }

    /// Whether it is a copy of this system or function. The key of a function is used again if an earlier snapshot is
    /// restored, so functions must also agree in the settings that never change; a system that comes and goes may have
    /// been replaced.
    pub(super) fn is_of(&self, node: &SystemNode) -> bool {
        let has_fixed_settings = self.function.is_some() || self.is_by_command || node.is_by_command;
        (self.system, self.own_key.or(self.function)) == (node.system, node.function)
            && (!has_fixed_settings || self.has_settings_of(node))
    }

    /// Whether the settings agree that never change.
    pub(super) fn has_settings_of(&self, node: &SystemNode) -> bool {
        (self.timing.catch_up, self.timing.phase, self.timing.ends_with)
            == (node.run_state.catch_up(), node.first_phase(), node.ends_with)
            && (&self.timing.after, &self.timing.before) == (&node.after, &node.before)
            && (&self.timing.sets, &self.timing.conditions) == (&node.sets, &node.conditions)
            && (self.timing.is_pinned, self.timing.hook.as_ref()) == (node.is_pinned, node.hook())
    }
}

/// Drops all events and rewinds all buffers. Readers get what a frame that panicked delivered.
pub(super) fn forget_events(target: &mut Target<'_>, numbers: EventNumbers, panics: &mut FirstPanic) {
    if target.world.events.hand_over(target.executor.time.frame(), panics) {
        target.systems.note_listeners(target.world);
    }
    target.world.events.forget(numbers);
    target.world.events.outside_buffer().rewind(panics);
    target.systems.nodes.iter_mut().for_each(|node| node.buffer.rewind(panics));
    target.executor.drop_events_of_removed(panics);
    panics.catch(|| target.function_buffers.clear());
}
