//! Which component types an engine knows, and the pool of each.

use std::any::{Any, TypeId};

use super::pool::{Pool, PoolRef};
use super::{Bundle, Component, ComponentId, ComponentMask, Unpack};
use crate::entity::{EntityId, EntityRecord};
use crate::event::{Added, EventTypeId, Lane, Removed};
use crate::type_map::{TypeMap, short_name};

/// What can be done to a pool without knowing its component type.
pub(super) trait AnyPool: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    fn count(&self) -> usize;
    fn enabled_count(&self) -> usize;
    fn remove(&mut self, entity: EntityId, announce: Option<(EventTypeId, &Lane)>);
    fn follow_entity(&mut self, entity: EntityId, is_entity_enabled: bool);
}

impl<T: Component> AnyPool for Pool<T> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn count(&self) -> usize {
        self.index().len()
    }

    fn enabled_count(&self) -> usize {
        self.index().active()
    }

    fn remove(&mut self, entity: EntityId, announce: Option<(EventTypeId, &Lane)>) {
        if let (Some(value), Some((event_type, lane))) = (Pool::remove(self, entity), announce) {
            // Somebody listens to `Removed<T>`, which only compiles if it is an event: nothing is left to drop.
            lane.push(event_type, Removed { entity, value });
        }
    }

    fn follow_entity(&mut self, entity: EntityId, is_entity_enabled: bool) {
        Pool::follow_entity(self, entity, is_entity_enabled);
    }
}

pub(super) struct PoolEntry {
    name: &'static str,
    value_bytes: usize,
    pool: Box<dyn AnyPool>,
    added_type: TypeId,
    removed_type: TypeId,
    /// The event to send when a component is added or removed; `None` while nobody listens.
    pub(super) added: Option<EventTypeId>,
    removed: Option<EventTypeId>,
}

impl PoolEntry {
    /// # Panics
    /// If `T` is not the type of the pool, which would be a mistake of this module: ids are looked up by type.
    #[inline]
    pub(super) fn pool_mut<T: Component>(&mut self) -> &mut Pool<T> {
        let pool = self.pool.as_any_mut().downcast_mut();
        pool.unwrap_or_else(|| panic!("a pool of {} was taken for one of {}", self.name, short_name::<T>()))
    }
}

/// The components that a type of bundle consists of.
struct BundleInfo {
    ids: Box<[ComponentId]>,
    mask: ComponentMask,
}

/// What [`ComponentManager::iter`] tells of a component type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComponentInfo {
    /// The id of the type in this engine.
    pub id: ComponentId,
    /// Name of the Rust type.
    pub name: &'static str,
    /// How many components exist.
    pub len: usize,
    /// How many of them are enabled.
    pub enabled: usize,
    /// Size of one value.
    pub value_bytes: usize,
}

/// All component types that an engine has met, each with its pool. A type is met when it is first used.
#[derive(Default)]
pub struct ComponentManager {
    pools: Vec<PoolEntry>,
    ids: TypeMap<ComponentId>,
    bundles: TypeMap<BundleInfo>,
    /// `Added<T>` and `Removed<T>` events that somebody listens to.
    heard: TypeMap<EventTypeId>,
}

impl ComponentManager {
    /// The id of a component type; `None` if the engine has not met it. O(1).
    #[must_use]
    pub fn id_of<T: Component>(&self) -> Option<ComponentId> {
        self.ids.get(&TypeId::of::<T>()).copied()
    }

    /// The pool of a component type; `None` if the engine has not met it. O(1).
    ///
    /// # Panics
    /// If called from a system while another one writes to the pool; outside of a frame it never does.
    #[must_use]
    pub fn pool<T: Component>(&self) -> Option<PoolRef<'_, T>> {
        self.find(self.id_of::<T>()?).map(PoolRef::new)
    }

    /// All component types in the order in which the engine met them.
    pub fn iter(&self) -> impl Iterator<Item = ComponentInfo> + '_ {
        self.pools.iter().enumerate().map(|(index, entry)| ComponentInfo {
            id: ComponentId(index as u32),
            name: entry.name,
            len: entry.pool.count(),
            enabled: entry.pool.enabled_count(),
            value_bytes: entry.value_bytes,
        })
    }

    /// The name of a component type.
    #[must_use]
    pub fn name(&self, id: ComponentId) -> &'static str {
        self.pools.get(id.index()).map_or("unknown component", |entry| entry.name)
    }

    pub(crate) fn register<T: Component>(&mut self) -> ComponentId {
        if let Some(id) = self.id_of::<T>() {
            return id;
        }
        let id = ComponentId(u32::try_from(self.pools.len()).expect("fewer than 2^32 component types"));
        let (added_type, removed_type) = (TypeId::of::<Added<T>>(), TypeId::of::<Removed<T>>());
        self.pools.push(PoolEntry {
            name: short_name::<T>(),
            value_bytes: size_of::<T>(),
            pool: Box::new(Pool::<T>::default()),
            added_type,
            removed_type,
            added: self.heard.get(&added_type).copied(),
            removed: self.heard.get(&removed_type).copied(),
        });
        self.ids.insert(TypeId::of::<T>(), id);
        tracing::debug!(target: "ecs::component", component = short_name::<T>(), id = id.0, "new component type");
        id
    }

    /// Notes which `Added<T>` and `Removed<T>` events have listeners: `heard` holds every event type that has one.
    pub(crate) fn announce_to(&mut self, heard: TypeMap<EventTypeId>) {
        for entry in &mut self.pools {
            entry.added = heard.get(&entry.added_type).copied();
            entry.removed = heard.get(&entry.removed_type).copied();
        }
        self.heard = heard;
    }

    /// The number of components in the largest pool.
    #[cfg(feature = "parallel")]
    pub(crate) fn longest_pool(&self) -> usize {
        self.pools.iter().map(|entry| entry.pool.count()).max().unwrap_or(0)
    }

    /// How many components of a type there are, disabled ones included.
    #[cfg(feature = "parallel")]
    pub(crate) fn len_of(&self, id: ComponentId) -> usize {
        self.pools.get(id.index()).map_or(0, |entry| entry.pool.count())
    }

    pub(crate) fn find<T: Component>(&self, id: ComponentId) -> Option<&Pool<T>> {
        self.pools.get(id.index())?.pool.as_any().downcast_ref()
    }

    pub(crate) fn pool_mut<T: Component>(&mut self, id: ComponentId) -> Option<&mut Pool<T>> {
        self.pools.get_mut(id.index())?.pool.as_any_mut().downcast_mut()
    }

    /// Inserts the components of a bundle, replacing those that are there.
    #[inline]
    pub(crate) fn insert<B: Bundle>(&mut self, entity: EntityId, record: &mut EntityRecord, bundle: B, lane: &Lane) {
        if !self.bundles.contains_key(&TypeId::of::<B>()) {
            self.register_bundle::<B>();
        }
        let info = &self.bundles[&TypeId::of::<B>()];
        record.mask.insert_all(&info.mask);
        let (is_entity_enabled, ids) = (record.is_enabled(), info.ids.iter());
        bundle.unpack(&mut Unpack { entity, is_entity_enabled, ids, pools: &mut self.pools, lane });
    }

    #[cold]
    fn register_bundle<B: Bundle>(&mut self) {
        let ids = B::register(self);
        let mask = ids.iter().copied().collect();
        self.bundles.insert(TypeId::of::<B>(), BundleInfo { ids, mask });
    }

    /// Takes the component of one type out; it is announced and dropped.
    pub(crate) fn remove(&mut self, id: ComponentId, entity: EntityId, lane: &Lane) {
        let entry = &mut self.pools[id.index()];
        entry.pool.remove(entity, entry.removed.map(|event_type| (event_type, lane)));
    }

    pub(crate) fn follow_entity(&mut self, id: ComponentId, entity: EntityId, is_entity_enabled: bool) {
        self.pools[id.index()].pool.follow_entity(entity, is_entity_enabled);
    }
}
