//! The component types of an engine, each with its pool.

mod copies;

use std::any::TypeId;
use std::sync::Arc;

use super::bundle::{Announce, BundleInfo};
use super::homes::kind_of;
use super::hooks::Effects;
use super::pool::{Pool, PoolRef, PoolRows};
use super::refusal::refusal;
use super::requirements::Needs;
use super::{
    Bundle, BundleNews, BundleWriter, Component, ComponentId, ComponentMask, InsertConflict, InsertConflicts,
    StableNames, Tuples,
};
use crate::entity::{EntityComponent, EntityId, EntityInfo, EntityManager, Location, NoSuchEntity, are_changes_logged};
use crate::event::{Added, EventTypeId, Removed, Replaced};
use crate::panic::FirstPanic;
use crate::relation::{is_link, only_read};
use crate::steps::count;
use crate::type_map::{TypeHints, TypeMap, short_name};

/// Logs what happened to a component, where [`are_changes_logged`].
#[cold]
pub(super) fn log_change(what: &'static str, entity: EntityId, component: &'static str) {
    tracing::debug!(target: "ecs::component", %entity, component, "{what}");
}

pub(super) struct PoolEntry {
    pub(super) pool: Pool,
    pub(super) events: PoolEvents,
    pub(super) name: &'static str,
    /// The name with the path of its module.
    pub(super) path: &'static str,
    pub(super) value_bytes: usize,
    /// Only the engine writes it: a component of links.
    pub(super) is_link: bool,
    pub(super) is_hooked: bool,
    /// What it needs, and what needs it. Boxed, because most pools have none.
    pub(super) needs: Option<Box<Needs>>,
    /// The types of `Added`, `Removed` and `Replaced`.
    event_types: fn() -> [TypeId; 3],
}

impl PoolEntry {
    /// Looks up which of its events have listeners.
    fn note_events(&mut self, heard: &TypeMap<EventTypeId>) {
        let [added, removed, replaced] = (self.event_types)().map(|event| heard.get(&event).copied());
        self.events = PoolEvents { added, removed, replaced };
    }
}

/// The events of a component type; `None` without listeners.
#[derive(Clone, Copy, Default)]
pub(super) struct PoolEvents {
    pub(super) added: Option<EventTypeId>,
    pub(super) removed: Option<EventTypeId>,
    pub(super) replaced: Option<EventTypeId>,
}

fn event_types<T: Component>() -> [TypeId; 3] {
    [TypeId::of::<Added<T>>(), TypeId::of::<Removed<T>>(), TypeId::of::<Replaced<T>>()]
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
    /// The entities, and in which rows of their kinds their components are.
    pub(crate) entities: EntityManager,
    pub(super) pools: Vec<PoolEntry>,
    ids: TypeMap<ComponentId>,
    hints: TypeHints,
    pub(crate) stable_names: StableNames,
    pub(super) bundles: Vec<BundleInfo>,
    bundle_ids: TypeMap<usize>,
    bundle_hints: TypeHints,
    /// Reused memory for sets.
    pub(super) masks: [ComponentMask; 2],
    /// The event types that have listeners.
    heard: TypeMap<EventTypeId>,
    /// The component types by the types of their events.
    by_event: TypeMap<ComponentId>,
    /// The last tick that was given to a run or a change; it orders them.
    pub(super) tick: u64,
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
    pub(crate) fn id_by_type(&self, component: TypeId) -> Option<ComponentId> {
        self.ids.get(&component).copied()
    }

    /// The pool of a component type; `None` if the engine does not know it. O(1).
    #[must_use]
    pub fn pool<T: Component>(&self) -> Option<PoolRef<'_, T>> {
        let id = self.id_of::<T>()?;
        PoolRef::new(self.find(id)?, id, &self.entities)
    }

    /// The owners of the components of a type.
    pub(crate) fn rows(&self, id: ComponentId) -> Option<PoolRows<'_>> {
        Some(PoolRows { table: self.entities.table(), id, extras: self.find(id)?.index() })
    }

    /// All component types in the order of registration.
    pub fn iter(&self) -> impl Iterator<Item = ComponentInfo> + '_ {
        self.pools.iter().enumerate().map(|(index, entry)| ComponentInfo {
            id: ComponentId(index as u32),
            name: entry.name,
            len: entry.pool.len(),
            enabled: self.rows(ComponentId(index as u32)).map_or(0, PoolRows::enabled),
            value_bytes: entry.value_bytes,
            peak: entry.pool.peak(),
            value_bytes_held: entry.pool.value_bytes_held(entry.value_bytes),
            index_bytes_held: entry.pool.index_bytes_held(),
        })
    }

    /// The ids of all component types.
    pub(crate) fn ids(&self) -> impl ExactSizeIterator<Item = ComponentId> + use<> {
        (0..self.pools.len() as u32).map(ComponentId)
    }

    /// The name under which a type is registered; `None` if it is not.
    pub(super) fn stable_name(&self, id: ComponentId) -> Option<Arc<str>> {
        self.stable_names.of(self.find(id)?.value_type())
    }

    /// Uses the names that a registry gives.
    pub(crate) fn name_by(&mut self, names: StableNames) {
        self.stable_names = names;
    }

    /// The name of the Rust type of a component.
    #[must_use]
    pub fn name(&self, id: ComponentId) -> &'static str {
        self.pools.get(id.index()).map_or("unknown component", |entry| entry.name)
    }

    /// The components of an entity, without their values; `None` if it is gone.
    pub(crate) fn info_of(&self, entity: EntityId) -> Option<EntityInfo> {
        let table = self.entities.table();
        let location = table.location(entity)?;
        let component = |id| EntityComponent {
            id,
            name: self.name(id),
            is_enabled: self.find(id).is_some_and(|pool| pool.is_home(location.kind) || !pool.index().is_off(entity)),
            value: None,
        };
        let components = table.mask_at(entity, location).iter().map(component).collect();
        Some(EntityInfo { entity, is_enabled: table.is_enabled_at(location), components })
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
        self.register_pool(
            TypeId::of::<T>(),
            PoolEntry {
                pool: Pool::of::<T>(),
                events: PoolEvents::default(),
                name: short_name::<T>(),
                path: std::any::type_name::<T>(),
                value_bytes: size_of::<T>(),
                is_link: is_link::<T>(),
                is_hooked: false,
                needs: None,
                event_types: event_types::<T>,
            },
        )
    }

    /// Logs that the components of a bundle were inserted.
    #[cold]
    fn log_bundle(&self, entity: EntityId, bundle: usize) {
        self.bundles[bundle].ids.iter().for_each(|id| log_change("inserted", entity, self.name(*id)));
    }

    fn register_pool(&mut self, component: TypeId, mut entry: PoolEntry) -> ComponentId {
        let id = ComponentId(u32::try_from(self.pools.len()).expect("fewer than 2^32 component types"));
        tracing::debug!(target: "ecs::component", component = entry.name, id = id.0, "new component type");
        count(1);
        entry.note_events(&self.heard);
        (entry.event_types)().into_iter().for_each(|event| _ = self.by_event.insert(event, id));
        self.entities.note_component(entry.name);
        self.pools.push(entry);
        self.ids.insert(component, id);
        id
    }

    /// Sets the event types that have listeners.
    pub(crate) fn announce_to(&mut self, heard: TypeMap<EventTypeId>) {
        self.heard = heard;
        self.pools.iter_mut().for_each(|entry| entry.note_events(&self.heard));
        self.note_bundles();
    }

    /// Tells the bundles which of their components have listeners, hooks and ticks.
    pub(super) fn note_bundles(&mut self) {
        self.bundles.iter_mut().for_each(|bundle| bundle.note_pools(&self.pools));
    }

    /// Notes that an event type has listeners.
    pub(crate) fn announce(&mut self, event: TypeId, id: EventTypeId) {
        self.heard.insert(event, id);
        let Some(pool) = self.by_event.get(&event).copied() else { return };
        self.pools[pool.index()].note_events(&self.heard);
        self.note_bundles();
    }

    /// The number of components in the largest pool.
    pub(crate) fn longest_pool(&self) -> usize {
        self.pools.iter().map(|entry| entry.pool.len()).max().unwrap_or(0)
    }

    /// The number of components of a type, disabled ones included.
    pub(crate) fn len_of(&self, id: ComponentId) -> usize {
        self.pools.get(id.index()).map_or(0, |entry| entry.pool.len())
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
        entry.pool.get_mut(entity, self.entities.locate(entity).ok()?, &mut self.tick)
    }

    /// As [`ComponentManager::get_mut`], for the engine.
    pub(crate) fn link_mut<T: Component>(&mut self, entity: EntityId) -> Option<&mut T> {
        let id = self.id_of::<T>()?;
        let location = self.entities.locate(entity).ok()?;
        self.pools.get_mut(id.index())?.pool.get_mut(entity, location, &mut self.tick)
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

    /// Inserts the components of a bundle and replaces existing ones. If the entity has no components at all, they
    /// become its kind.
    #[inline]
    pub(crate) fn insert<B: Bundle>(
        &mut self,
        entity: EntityId,
        bundle: B,
        effects: Effects<'_>,
    ) -> Result<(), NoSuchEntity> {
        self.put(entity, bundle, effects, true)
    }

    /// As [`ComponentManager::insert`]; `brings_needs` says whether what the components need is added, too.
    #[inline(always)]
    pub(crate) fn put<B: Bundle>(
        &mut self,
        entity: EntityId,
        bundle: B,
        effects: Effects<'_>,
        brings_needs: bool,
    ) -> Result<(), NoSuchEntity> {
        let (bundle, place) = (bundle.into_tuples(), self.bundle_place::<B::Tuples>());
        let Self { bundles, pools, entities, tick, .. } = self;
        let info = &bundles[place];
        let location = match entities.locate(entity) {
            Ok(location) => location,
            Err(gone) => {
                self.discard(entity, bundle, effects);
                return Err(gone);
            }
        };
        let had = entities.table().mask_at(entity, location);
        if info.is_tracked {
            info.mark(pools, entity, had, tick);
        }
        let (is_entity_enabled, is_covered) = (entities.table().is_enabled_at(location), info.mask.is_subset(had));
        let mut writer = BundleWriter { entity, location, is_entity_enabled, ids: &info.ids, pools };
        let replaced = match entities.place_bare(entity, location, info.kind, &info.mask) {
            Some((kind, new)) => {
                writer.location.kind = kind;
                bundle.unpack_new(writer);
                if !new.is_last {
                    info.swap_last(pools, kind, new.row, entities.kinds().get(kind).owners.len() - 1);
                }
                <B::Tuples as Tuples>::Replaced::default()
            }
            None => {
                if !is_covered {
                    entities.add_extras(entity, location, &info.mask);
                }
                bundle.unpack(writer)
            }
        };
        let brings_needs = brings_needs && info.has_requirements;
        let is_heard = info.is_heard;
        if are_changes_logged() {
            self.log_bundle(entity, place);
        }
        if is_heard || brings_needs || std::mem::needs_drop::<<B::Tuples as Tuples>::Replaced>() {
            self.tell::<B::Tuples>(place, entity, replaced, effects, brings_needs);
        }
        Ok(())
    }

    /// Tells listeners of the components of a bundle that were inserted and replaced none, and hooks of those that were
    /// replaced, which are dropped; then adds what the bundle needs, even if one of these panics.
    #[cold]
    fn tell<B: Tuples>(
        &mut self,
        place: usize,
        entity: EntityId,
        replaced: B::Replaced,
        effects: Effects<'_>,
        brings_needs: bool,
    ) {
        let (info, pools) = (&self.bundles[place], &*self.pools);
        let news = BundleNews { entity, ids: &info.ids, pools, effects, is_replacement: true };
        let mut panics = FirstPanic::default();
        if info.is_heard {
            B::announce(news, &replaced);
        }
        B::discard(news, replaced, &mut panics);
        if brings_needs {
            for at in 0..info.ids.len() {
                self.add_required(self.bundles[place].ids[at], entity, effects, &mut panics);
            }
        }
        panics.raise();
    }

    /// Spawns an entity with the components of a bundle.
    #[inline]
    pub(crate) fn spawn<B: Bundle>(&mut self, bundle: B, announce: Announce<'_>) -> EntityId {
        let (bundle, place) = (bundle.into_tuples(), self.bundle_place::<B::Tuples>());
        let Self { bundles, pools, entities, tick, .. } = self;
        let info = &bundles[place];
        let Some(kind) = info.kind.filter(|_| !info.has_requirements) else {
            return self.spawn_one_by_one(bundle, announce);
        };
        let (entity, new) = entities.spawn(kind);
        if info.is_tracked {
            info.mark(pools, entity, &ComponentMask::default(), tick);
        }
        let location = Location { kind, row: new.row, has_extras: false };
        bundle.unpack_new(BundleWriter { entity, location, is_entity_enabled: true, ids: &info.ids, pools });
        if !new.is_last {
            info.swap_last(pools, kind, new.row, entities.kinds().get(kind).owners.len() - 1);
        }
        let is_heard = info.is_heard;
        if are_changes_logged() {
            self.log_bundle(entity, place);
        }
        if is_heard {
            self.tell::<B::Tuples>(place, entity, Default::default(), announce.effects, false);
        }
        announce.spawned(entity);
        entity
    }

    /// As [`ComponentManager::spawn`], if all numbers of kinds are in use, so that the components are extras; or if one
    /// needs others.
    #[cold]
    fn spawn_one_by_one<B: Bundle>(&mut self, bundle: B, announce: Announce<'_>) -> EntityId {
        let (entity, _) = self.entities.spawn(0);
        let mut panics = FirstPanic::default();
        let inserted = panics.catch(|| self.insert(entity, bundle, announce.effects));
        debug_assert!(inserted.is_none_or(|inserted| inserted.is_ok()), "an entity that was just spawned exists");
        self.make_whole(entity);
        announce.spawned(entity);
        panics.raise();
        entity
    }

    /// The place of the cached description of a bundle type, whose kind is up to date.
    #[inline]
    pub(super) fn bundle_place<B: Tuples>(&mut self) -> usize {
        let guess = self.bundle_hints.guess(TypeId::of::<B>());
        match self.bundles.get(guess) {
            Some(bundle)
                if bundle.bundle_type == TypeId::of::<B>()
                    && bundle.kind.is_some()
                    && bundle.kinds_version == self.entities.kinds().version() =>
            {
                guess
            }
            _ => self.look_up_bundle::<B>(),
        }
    }

    #[cold]
    fn look_up_bundle<B: Tuples>(&mut self) -> usize {
        let known = self.bundle_ids.get(&TypeId::of::<B>()).copied();
        let at = known.unwrap_or_else(|| self.register_bundle::<B>());
        self.bundle_hints.note(TypeId::of::<B>(), at);
        let Self { bundles, pools, entities, .. } = self;
        let info = &mut bundles[at];
        info.kind = kind_of(&info.mask, entities, pools);
        info.kinds_version = entities.kinds().version();
        at
    }

    /// Records that a command inserts the components of a bundle.
    #[inline]
    pub(crate) fn record_insert<B: Bundle>(
        &mut self,
        entity: EntityId,
        conflicts: &mut InsertConflicts,
    ) -> Result<(), InsertConflict> {
        let place = self.bundle_place::<B::Tuples>();
        conflicts.record_insert(entity, &self.bundles[place].with_values)
    }

    /// The component types of a bundle.
    pub(crate) fn mask_of<B: Bundle>(&mut self) -> ComponentMask {
        B::Tuples::register(self).iter().copied().collect()
    }

    /// Registers a bundle.
    ///
    /// # Panics
    /// If it is refused.
    #[cfg(feature = "prefabs")]
    pub(crate) fn check_bundle<B: Bundle>(&mut self) {
        self.bundle_place::<B::Tuples>();
    }

    /// # Panics
    /// If the bundle is refused.
    fn register_bundle<B: Tuples>(&mut self) -> usize {
        if let Some(refusal) = B::refusal() {
            panic!("{refusal}");
        }
        let ids = B::register(self);
        self.note_bundle(TypeId::of::<B>(), ids)
    }

    // Not generic, so that it is compiled once.
    fn note_bundle(&mut self, bundle_type: TypeId, ids: Box<[ComponentId]>) -> usize {
        if let Some(problem) = ids.iter().find_map(|id| self.refuses_writers(*id)) {
            panic!("{problem}");
        }
        let at = self.bundles.len();
        self.bundles.push(BundleInfo::new(bundle_type, ids, &self.pools));
        self.bundle_ids.insert(bundle_type, at);
        at
    }

    /// The component of an entity at a location, which is removed: at home its entity moves to the kind without it.
    ///
    /// `None` if it has none.
    #[inline]
    pub(crate) fn detach<T: Component>(&mut self, id: ComponentId, entity: EntityId, location: Location) -> Option<T> {
        let Self { entities, pools, .. } = self;
        if location.has_extras
            && let Some(value) = pools[id.index()].pool.typed::<T>().remove_extra(entity)
        {
            entities.remove_extra(entity, id);
            self.log_removal(entity, id);
            return Some(value);
        }
        self.detach_from_home(id, entity, location)
    }

    #[inline(always)]
    fn log_removal(&self, entity: EntityId, id: ComponentId) {
        if are_changes_logged() {
            log_change("removed", entity, self.name(id));
        }
    }

    #[inline(never)]
    fn detach_from_home<T: Component>(&mut self, id: ComponentId, entity: EntityId, from: Location) -> Option<T> {
        if !self.pools[id.index()].pool.is_home(from.kind) {
            return None;
        }
        let moved = self.leave_home(id, entity, from, false);
        self.log_removal(entity, id);
        Some(self.pools[id.index()].pool.take_home(moved.from, moved.gap))
    }

    /// Removes a component, shows it to its hook, and sends its event or drops it; returns whether there is one.
    #[inline]
    pub(crate) fn remove_one<T: Component>(
        &mut self,
        id: ComponentId,
        entity: EntityId,
        location: Location,
        effects: Effects<'_>,
    ) -> bool {
        let Some(value) = self.detach::<T>(id, entity, location) else { return false };
        let entry = &self.pools[id.index()];
        entry.pool.release(value, entity, entry.on_removal(effects));
        true
    }

    /// As [`ComponentManager::remove_one`], and returns the value, which no hook sees.
    pub(crate) fn take_one<T: Component>(
        &mut self,
        id: ComponentId,
        entity: EntityId,
        location: Location,
        effects: Effects<'_>,
    ) -> Option<T> {
        let value = self.detach::<T>(id, entity, location)?;
        if let Some(event_type) = self.pools[id.index()].events.removed {
            effects.buffer.push(event_type, Removed::<T> { entity, value: None });
        }
        Some(value)
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
        let indices = self.entities.iter().map(|entity| entity.index() + 1).max().unwrap_or(0);
        entry.pool.track(indices, self.tick);
        self.note_bundles();
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
