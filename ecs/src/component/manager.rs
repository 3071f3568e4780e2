//! The component types of an engine, each with its pool.

mod copies;

use std::any::TypeId;

use super::bundle::{Announce, BundleInfo};
use super::group::{self, Group};
use super::pool::{Pool, PoolRef};
use super::refusal::refusal;
use super::{Bundle, BundleWriter, Component, ComponentId, ComponentMask, InsertConflict, InsertConflicts};
use crate::entity::{EntityComponent, EntityId, EntityInfo, EntityManager, EntityRecord};
use crate::error::GroupError;
use crate::event::{Added, EventBuffer, EventTypeId, Removed};
use crate::relation::{is_link, only_read};
use crate::steps::count;
use crate::type_map::{FixedMap, TypeHints, TypeMap, short_name};

pub(super) struct PoolEntry {
    pub(super) pool: Pool,
    /// The groups that own the pool, smaller ones first.
    pub(super) groups: Vec<usize>,
    pub(super) events: PoolEvents,
    pub(super) name: &'static str,
    /// The name with the path of its module.
    pub(super) path: &'static str,
    pub(super) value_bytes: usize,
    /// Only the engine writes it: a component of links.
    is_link: bool,
    added_type: TypeId,
    removed_type: TypeId,
}

/// The events of a component type; `None` without listeners.
#[derive(Clone, Copy)]
pub(super) struct PoolEvents {
    pub(super) added: Option<EventTypeId>,
    pub(super) removed: Option<EventTypeId>,
}

/// A component type, as [`ComponentManager::iter`] lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComponentInfo {
    /// The id of the type in this engine.
    pub id: ComponentId,
    /// Name of the Rust type.
    pub name: &'static str,
    /// The number of components.
    pub len: usize,
    /// The number of enabled components.
    pub enabled: usize,
    /// Size of one value.
    pub value_bytes: usize,
    /// Most components at any time.
    pub peak: usize,
    /// Bytes on the heap for the values, spare capacity included.
    pub value_bytes_held: usize,
    /// Bytes on the heap for the index and for change detection, spare capacity included.
    pub index_bytes_held: usize,
}

/// All component types that an engine knows, each with its pool. The first use of a type registers it.
#[derive(Default)]
pub struct ComponentManager {
    pub(super) pools: Vec<PoolEntry>,
    ids: TypeMap<ComponentId>,
    hints: TypeHints,
    bundles: Vec<BundleInfo>,
    bundle_ids: TypeMap<usize>,
    bundle_hints: TypeHints,
    /// A bundle for each set of components, by its first word if it has no other.
    shapes: FixedMap<u64, usize>,
    /// The last entry that was looked up in `shapes`.
    last_shape: (u64, Option<usize>),
    pub(super) groups: Vec<Group>,
    /// The event types that have listeners.
    heard: TypeMap<EventTypeId>,
    /// The component types by the types of their events.
    by_event: TypeMap<ComponentId>,
    /// The last tick that was given to a run or a change; it orders them.
    tick: u64,
    /// The tick before the last frame began.
    frame_tick: u64,
}

impl ComponentManager {
    /// The id of a component type; `None` if the engine does not know it. O(1).
    #[must_use]
    #[inline]
    pub fn id_of<T: Component>(&self) -> Option<ComponentId> {
        let guess = self.hints.guess(TypeId::of::<T>());
        match self.pools.get(guess) {
            Some(entry) if entry.pool.value_type() == TypeId::of::<T>() => Some(ComponentId(guess as u32)),
            _ => self.look_up(TypeId::of::<T>()),
        }
    }

    #[cold]
    fn look_up(&self, component: TypeId) -> Option<ComponentId> {
        let id = self.ids.get(&component).copied()?;
        self.hints.note(component, id.index());
        Some(id)
    }

    /// The id of a component type by its Rust type.
    #[cfg(feature = "inspect")]
    pub(crate) fn id_by_type(&self, component: TypeId) -> Option<ComponentId> {
        self.ids.get(&component).copied()
    }

    /// The pool of a component type; `None` if the engine does not know it. O(1).
    #[must_use]
    pub fn pool<T: Component>(&self) -> Option<PoolRef<'_, T>> {
        PoolRef::new(self.find(self.id_of::<T>()?)?)
    }

    /// All component types in the order of registration.
    pub fn iter(&self) -> impl Iterator<Item = ComponentInfo> + '_ {
        self.pools.iter().enumerate().map(|(index, entry)| ComponentInfo {
            id: ComponentId(index as u32),
            name: entry.name,
            len: entry.pool.index().len(),
            enabled: entry.pool.index().active(),
            value_bytes: entry.value_bytes,
            peak: entry.pool.index().peak(),
            value_bytes_held: entry.pool.value_bytes_held(entry.value_bytes),
            index_bytes_held: entry.pool.index_bytes_held(),
        })
    }

    /// The ids of all component types.
    pub(crate) fn ids(&self) -> impl ExactSizeIterator<Item = ComponentId> + use<> {
        (0..self.pools.len() as u32).map(ComponentId)
    }

    /// The name of a component type.
    #[must_use]
    pub fn name(&self, id: ComponentId) -> &'static str {
        self.pools.get(id.index()).map_or("unknown component", |entry| entry.name)
    }

    /// The components of an entity, without their values; `None` if it is gone.
    pub(crate) fn info_of(&self, entity: EntityId, entities: &EntityManager) -> Option<EntityInfo> {
        let record = entities.get(entity)?;
        let component = |id| EntityComponent {
            id,
            name: self.name(id),
            is_enabled: self.find(id).is_some_and(|pool| !pool.index().is_off(entity)),
            value: None,
        };
        let components = record.mask.iter().map(component).collect();
        Some(EntityInfo { entity, is_enabled: record.is_enabled(), components })
    }

    /// # Panics
    /// If `T` is refused as a component.
    pub(crate) fn register<T: Component>(&mut self) -> ComponentId {
        if let Some(id) = self.id_of::<T>() {
            return id;
        }
        if let Some(refusal) = refusal::<T>() {
            panic!("{refusal}");
        }
        let (added_type, removed_type) = (TypeId::of::<Added<T>>(), TypeId::of::<Removed<T>>());
        self.register_pool(
            TypeId::of::<T>(),
            PoolEntry {
                pool: Pool::of::<T>(),
                groups: Vec::new(),
                events: self.events_of(added_type, removed_type),
                name: short_name::<T>(),
                path: std::any::type_name::<T>(),
                value_bytes: size_of::<T>(),
                is_link: is_link::<T>(),
                added_type,
                removed_type,
            },
        )
    }

    fn register_pool(&mut self, component: TypeId, entry: PoolEntry) -> ComponentId {
        let id = ComponentId(u32::try_from(self.pools.len()).expect("fewer than 2^32 component types"));
        tracing::debug!(target: "ecs::component", component = entry.name, id = id.0, "new component type");
        count(1);
        self.by_event.insert(entry.added_type, id);
        self.by_event.insert(entry.removed_type, id);
        self.pools.push(entry);
        self.ids.insert(component, id);
        id
    }

    /// Sets the event types that have listeners.
    pub(crate) fn announce_to(&mut self, heard: TypeMap<EventTypeId>) {
        self.heard = heard;
        for at in 0..self.pools.len() {
            self.pools[at].events = self.events_of(self.pools[at].added_type, self.pools[at].removed_type);
        }
        for bundle in &mut self.bundles {
            bundle.note_pools(&self.pools);
        }
    }

    /// Notes that an event type has listeners.
    pub(crate) fn announce(&mut self, event: TypeId, id: EventTypeId) {
        self.heard.insert(event, id);
        let Some(pool) = self.by_event.get(&event).copied() else { return };
        let entry = &self.pools[pool.index()];
        self.pools[pool.index()].events = self.events_of(entry.added_type, entry.removed_type);
        for bundle in &mut self.bundles {
            bundle.note_pools(&self.pools);
        }
    }

    fn events_of(&self, added_type: TypeId, removed_type: TypeId) -> PoolEvents {
        let event_type = |event| self.heard.get(&event).copied();
        PoolEvents { added: event_type(added_type), removed: event_type(removed_type) }
    }

    /// The number of components in the largest pool.
    pub(crate) fn longest_pool(&self) -> usize {
        self.pools.iter().map(|entry| entry.pool.index().len()).max().unwrap_or(0)
    }

    /// The number of components of a type, disabled ones included.
    pub(crate) fn len_of(&self, id: ComponentId) -> usize {
        self.pools.get(id.index()).map_or(0, |entry| entry.pool.index().len())
    }

    pub(crate) fn find(&self, id: ComponentId) -> Option<&Pool> {
        self.pools.get(id.index()).map(|entry| &entry.pool)
    }

    /// # Panics
    /// If only the engine writes components of this type.
    pub(crate) fn get_mut<T: Component>(&mut self, entity: EntityId) -> Option<&mut T> {
        let id = self.id_of::<T>()?;
        let entry = self.pools.get_mut(id.index())?;
        if entry.is_link {
            panic!("{}", only_read(entry.name));
        }
        entry.pool.get_mut(entity, &mut self.tick)
    }

    /// As [`ComponentManager::get_mut`], for the engine.
    pub(crate) fn link_mut<T: Component>(&mut self, entity: EntityId) -> Option<&mut T> {
        let id = self.id_of::<T>()?;
        self.pools.get_mut(id.index())?.pool.get_mut(entity, &mut self.tick)
    }

    pub(crate) fn pool_of_mut<T: Component>(&mut self) -> Option<&mut Pool> {
        let id = self.id_of::<T>()?;
        let entry = self.pools.get_mut(id.index())?;
        if entry.is_link {
            panic!("{}", only_read(entry.name));
        }
        Some(&mut entry.pool)
    }

    /// # Panics
    /// If only the engine writes components of this type.
    pub(crate) fn check_writer<T: Component>(&mut self) {
        let id = self.register::<T>();
        if let Some(problem) = self.refuses_writers(id) {
            panic!("{problem}");
        }
    }

    /// Whether only the engine writes components of a type.
    pub(crate) fn is_link(&self, id: ComponentId) -> bool {
        self.pools.get(id.index()).is_some_and(|entry| entry.is_link)
    }

    /// The message that users cannot write components of a type, if only the engine does.
    pub(crate) fn refuses_writers(&self, id: ComponentId) -> Option<String> {
        self.pools.get(id.index()).filter(|entry| entry.is_link).map(|entry| only_read(entry.name))
    }

    /// The id of an event type if it has listeners.
    pub(crate) fn heard<E: 'static>(&self) -> Option<EventTypeId> {
        self.heard.get(&TypeId::of::<E>()).copied()
    }

    /// Inserts the components of a bundle and replaces existing ones.
    #[inline]
    pub(crate) fn insert<B: Bundle>(
        &mut self,
        entity: EntityId,
        record: &mut EntityRecord,
        bundle: B,
        buffer: &EventBuffer,
    ) {
        let (info, pools, groups, tick) = self.bundle_parts::<B>();
        if info.is_tracked {
            info.mark(pools, entity, tick);
        }
        record.mask.insert_all(&info.mask);
        let (is_entity_enabled, ids) = (record.is_enabled(), &*info.ids);
        let replaced = bundle.unpack(BundleWriter { entity, is_entity_enabled, ids, pools, buffer });
        if !info.is_plain {
            Self::tell::<B>(info, pools, groups, entity, &replaced, buffer);
        }
        drop(replaced);
    }

    /// Tells listeners and groups of the components of a bundle that were inserted and replaced none.
    #[cold]
    fn tell<B: Bundle>(
        info: &BundleInfo,
        pools: &mut [PoolEntry],
        groups: &mut [Group],
        entity: EntityId,
        replaced: &B::Replaced,
        buffer: &EventBuffer,
    ) {
        if info.is_heard {
            B::announce(BundleWriter::new(entity, &info.ids, pools, buffer), replaced);
        }
        info.join(groups, pools, entity);
    }

    /// Spawns an entity with the components of a bundle.
    #[inline]
    pub(crate) fn spawn<B: Bundle>(
        &mut self,
        bundle: B,
        entities: &mut EntityManager,
        announce: Announce<'_>,
    ) -> EntityId {
        let (info, pools, groups, tick) = self.bundle_parts::<B>();
        let (entity, buffer) = (entities.spawn(&info.mask), announce.buffer);
        if info.is_tracked {
            info.mark(pools, entity, tick);
        }
        bundle.unpack_new(BundleWriter::new(entity, &info.ids, pools, buffer));
        if !info.is_plain {
            Self::tell::<B>(info, pools, groups, entity, &B::Replaced::default(), buffer);
        }
        announce.spawned(entity);
        entity
    }

    /// The cached description of a bundle type, with the pools, the groups and the tick.
    #[inline]
    pub(super) fn bundle_parts<B: Bundle>(&mut self) -> (&BundleInfo, &mut [PoolEntry], &mut [Group], &mut u64) {
        let guess = self.bundle_hints.guess(TypeId::of::<B>());
        let at = match self.bundles.get(guess) {
            Some(bundle) if bundle.bundle_type == TypeId::of::<B>() => guess,
            _ => self.look_up_bundle::<B>(),
        };
        (&self.bundles[at], &mut self.pools, &mut self.groups, &mut self.tick)
    }

    #[cold]
    fn look_up_bundle<B: Bundle>(&mut self) -> usize {
        let known = self.bundle_ids.get(&TypeId::of::<B>()).copied();
        let at = known.unwrap_or_else(|| self.register_bundle::<B>());
        self.bundle_hints.note(TypeId::of::<B>(), at);
        at
    }

    /// Records that a command inserts the components of a bundle.
    #[inline]
    pub(crate) fn record_insert<B: Bundle>(
        &mut self,
        entity: EntityId,
        conflicts: &mut InsertConflicts,
    ) -> Result<(), InsertConflict> {
        conflicts.record_insert(entity, &self.bundle_parts::<B>().0.with_values)
    }

    /// The component types of a bundle.
    pub(crate) fn mask_of<B: Bundle>(&mut self) -> ComponentMask {
        B::register(self).iter().copied().collect()
    }

    /// Registers a bundle.
    ///
    /// # Panics
    /// If it is refused.
    #[cfg(feature = "prefabs")]
    pub(crate) fn check_bundle<B: Bundle>(&mut self) {
        self.bundle_parts::<B>();
    }

    /// # Panics
    /// If the bundle is refused.
    fn register_bundle<B: Bundle>(&mut self) -> usize {
        if let Some(refusal) = B::refusal() {
            panic!("{refusal}");
        }
        let ids = B::register(self);
        self.note_bundle(TypeId::of::<B>(), ids, B::remove)
    }

    // Not generic, so that it is compiled once.
    fn note_bundle(&mut self, bundle_type: TypeId, ids: Box<[ComponentId]>, remove: fn(BundleWriter<'_>)) -> usize {
        if let Some(problem) = ids.iter().find_map(|id| self.refuses_writers(*id)) {
            panic!("{problem}");
        }
        let at = self.bundles.len();
        let info = BundleInfo::new(bundle_type, ids, remove, &self.groups, &self.pools);
        if let Some(word) = info.mask.without_memory() {
            self.shapes.entry(word).or_insert(at);
        }
        self.last_shape = (0, None);
        self.bundles.push(info);
        self.bundle_ids.insert(bundle_type, at);
        at
    }

    /// A bundle that has the components of a mask.
    fn shape_of(&mut self, mask: &ComponentMask) -> Option<usize> {
        let word = mask.without_memory()?;
        if self.last_shape.0 != word {
            self.last_shape = (word, self.shapes.get(&word).copied());
        }
        self.last_shape.1
    }

    /// Removes all components of an entity, which are those of `mask`. Each leaves the mask before it is dropped.
    pub(crate) fn remove_all(&mut self, mask: &mut ComponentMask, entity: EntityId, buffer: &EventBuffer) {
        if let Some(at) = self.shape_of(mask)
            && let BundleInfo { remove: Some(remove), ids, .. } = &self.bundles[at]
        {
            mask.clear();
            return remove(BundleWriter::new(entity, ids, &mut self.pools, buffer));
        }
        self.remove_each(mask, entity, buffer);
    }

    /// As [`ComponentManager::remove_all`], for a mask of no bundle.
    #[inline(never)]
    fn remove_each(&mut self, mask: &mut ComponentMask, entity: EntityId, buffer: &EventBuffer) {
        while let Some(id) = mask.pop_first() {
            self.remove(id, entity, buffer);
        }
    }

    /// Removes a component and sends its event or drops it.
    #[inline]
    pub(crate) fn remove(&mut self, id: ComponentId, entity: EntityId, buffer: &EventBuffer) {
        group::leave(&mut self.groups, &mut self.pools, id, entity);
        let entry = &mut self.pools[id.index()];
        entry.pool.remove(entity, entry.events.removed.map(|event_type| (event_type, buffer)));
    }

    /// As [`ComponentManager::remove`], faster because the type is known.
    #[inline]
    pub(crate) fn remove_one<T: Component>(&mut self, id: ComponentId, entity: EntityId, buffer: &EventBuffer) {
        if !self.pools[id.index()].groups.is_empty() {
            group::leave(&mut self.groups, &mut self.pools, id, entity);
        }
        let entry = &mut self.pools[id.index()];
        let value = entry.pool.typed::<T>().remove(entity);
        if let (Some(event_type), Some(value)) = (entry.events.removed, value) {
            // There is a listener, so `Removed<T>` is an event and `T` is `Copy`: nothing is left to drop.
            buffer.push(event_type, Removed { entity, value });
        }
    }

    /// As [`ComponentManager::remove_one`], and returns the value.
    pub(crate) fn take_one<T: Component>(
        &mut self,
        id: ComponentId,
        entity: EntityId,
        buffer: &EventBuffer,
    ) -> Option<T> {
        if !self.pools[id.index()].groups.is_empty() {
            group::leave(&mut self.groups, &mut self.pools, id, entity);
        }
        let entry = &mut self.pools[id.index()];
        entry.pool.typed::<T>().take(entity, entry.events.removed.map(|event_type| (event_type, buffer)))
    }

    /// Moves the component across the enabled/disabled boundary after its entity was enabled or disabled.
    pub(crate) fn follow_entity(&mut self, id: ComponentId, entity: EntityId, is_entity_enabled: bool) {
        self.change_place(id, entity, is_entity_enabled, |pool| pool.follow_entity(entity, is_entity_enabled));
    }

    /// Enables or disables a component itself. It counts as enabled if its entity is enabled, too. Returns whether there is one.
    pub(crate) fn switch<T: Component>(&mut self, entity: EntityId, on: bool, is_entity_enabled: bool) -> bool {
        let Some(id) = self.id_of::<T>() else { return false };
        self.change_place(id, entity, on, |pool| pool.typed::<T>().switch(entity, on, is_entity_enabled))
    }

    /// Applies `change`, which enables or disables a component. Its entity leaves groups before or joins them afterwards.
    #[inline]
    fn change_place<R>(
        &mut self,
        id: ComponentId,
        entity: EntityId,
        on: bool,
        change: impl FnOnce(&mut Pool) -> R,
    ) -> R {
        let is_grouped = !self.pools[id.index()].groups.is_empty();
        if is_grouped && !on {
            group::leave(&mut self.groups, &mut self.pools, id, entity);
        }
        let pool = &mut self.pools[id.index()].pool;
        let was_enabled = pool.is_tracked_enabled(entity);
        let result = change(pool);
        if let (Some(was), Some(is)) = (was_enabled, pool.is_tracked_enabled(entity))
            && was != is
        {
            self.tick += 1;
            pool.note_switch(entity, is, self.tick, self.frame_tick);
        }
        if is_grouped && on {
            group::join(&mut self.groups, &mut self.pools, id, entity);
        }
        result
    }
}

/// Change detection.
impl ComponentManager {
    /// Begins to track when components of a type are added and changed, if it does not yet.
    pub(crate) fn track(&mut self, id: ComponentId) {
        let entry = &mut self.pools[id.index()];
        if entry.pool.ticks().is_some() {
            return;
        }
        tracing::debug!(target: "ecs::component", component = entry.name, "changes are tracked");
        self.tick += 1;
        entry.pool.track(self.tick);
        self.bundles.iter_mut().for_each(|bundle| bundle.note_pools(&self.pools));
    }

    /// Whether changes of a component of a bundle are tracked.
    pub(crate) fn tracks<B: Bundle>(&mut self) -> bool {
        self.bundle_parts::<B>().0.is_tracked
    }

    /// The last tick that was given to a run or a change.
    #[inline]
    pub(crate) fn tick(&self) -> &u64 {
        &self.tick
    }

    /// The tick before the last frame began.
    pub(crate) fn frame_tick(&self) -> &u64 {
        &self.frame_tick
    }

    /// A new tick, later than all others.
    #[inline]
    pub(crate) fn raise_tick(&mut self) -> u64 {
        self.tick += 1;
        self.tick
    }

    /// Reserves ticks for runs; returns the tick before the first of them.
    #[inline]
    pub(crate) fn reserve_ticks(&mut self, count: u64) -> u64 {
        let before = self.tick;
        self.tick = before.wrapping_add(count);
        before
    }

    /// Notes the last tick of some runs.
    #[inline]
    pub(crate) fn set_tick(&mut self, tick: u64) {
        self.tick = tick;
    }

    pub(crate) fn begin_frame(&mut self) {
        self.frame_tick = self.tick;
    }

    /// Restores the tick and the tick before the last frame.
    pub(crate) fn put_ticks_back(&mut self, (tick, frame_tick): (u64, u64)) {
        (self.tick, self.frame_tick) = (tick, frame_tick);
    }
}

/// Groups.
impl ComponentManager {
    /// The declared groups with their numbers of members, in the order of declaration.
    pub fn groups(&self) -> impl Iterator<Item = (&str, usize)> + '_ {
        self.groups.iter().map(|group| (&*group.name, group.len))
    }

    /// Declares a group: keeps the pools of the components of `B` in one order from now on.
    pub(crate) fn group<B: Bundle>(&mut self) -> Result<(), GroupError> {
        if let Some(reason) = B::refusal() {
            return Err(GroupError::Refused { reason });
        }
        let ids = B::register(self).into_vec();
        self.declare_group(ids)
    }

    fn declare_group(&mut self, mut ids: Vec<ComponentId>) -> Result<(), GroupError> {
        let names: Vec<_> = ids.iter().map(|id| self.name(*id)).collect();
        let name = format!("({})", names.join(", "));
        ids.sort_unstable();
        if ids.len() < 2 {
            return Err(GroupError::TooSmall { group: name });
        }
        let mask: ComponentMask = ids.iter().copied().collect();
        let mut len = 0;
        for declared in &self.groups {
            if declared.mask == mask {
                return Ok(());
            }
            let shared = ids.iter().find(|id| declared.mask.contains(**id));
            match shared {
                None => {}
                // The members of a group with more components come first, so this group has at least as many members.
                Some(_) if mask.is_subset(&declared.mask) => len = len.max(declared.len),
                Some(_) if declared.mask.is_subset(&mask) => {}
                Some(id) => {
                    let component = self.name(*id);
                    return Err(GroupError::Conflict { group: name, declared: declared.name.clone(), component });
                }
            }
        }
        let mut group = Group { name, ids: ids.into(), mask, len };
        group::gather(&mut group, &mut self.pools);
        tracing::debug!(target: "ecs::component", group = group.name, members = group.len, "new group");
        let at = self.groups.len();
        for id in &group.ids {
            let entry = &mut self.pools[id.index()];
            entry.groups.push(at);
            entry.pool.note_new_group();
        }
        self.groups.push(group);
        for entry in &mut self.pools {
            entry.groups.sort_by_key(|&at| self.groups[at].ids.len());
        }
        // The groups of each bundle are computed again on its next use.
        self.bundles.clear();
        self.bundle_ids.clear();
        self.shapes.clear();
        self.last_shape = (0, None);
        Ok(())
    }

    /// The components of each group.
    pub(crate) fn group_masks(&self) -> Vec<ComponentMask> {
        self.groups.iter().map(|group| group.mask.clone()).collect()
    }

    /// The group to iterate over for entities that have all of `required`: the one with the fewest members, and of those the one
    /// that owns the most pools.
    #[inline]
    pub(crate) fn group_within(&self, required: &ComponentMask) -> Option<&Group> {
        if self.groups.is_empty() {
            return None;
        }
        let candidates = self.groups.iter().filter(|group| group.mask.is_subset(required));
        candidates.min_by_key(|group| (group.len, std::cmp::Reverse(group.ids.len())))
    }
}
