//! A pool borrowed for many single changes.

use super::manager::PoolEvents;
use super::owning_groups::OwningGroups;
use super::pool::TypedPool;
use super::ticks::Ticks;
use super::{Component, ComponentId, ComponentManager};
use crate::entity::{EntityId, EntityManager, NoSuchEntity};
use crate::error::CommandFailure;
use crate::event::{Added, EventBuffer, Removed};
use crate::ids::MaskBit;
use crate::type_map::short_name;

/// The pool of a component type, borrowed for inserting, removing and writing: made by [`Engine::pool_mut`].
///
/// Each change does what [`Engine::insert`] and [`Engine::remove`] do, including groups and events. It looks the pool up once and not
/// for each entity, which makes it the fastest way to change many entities one by one.
///
/// [`Engine::pool_mut`]: crate::Engine::pool_mut
/// [`Engine::insert`]: crate::Engine::insert
/// [`Engine::remove`]: crate::Engine::remove
pub struct PoolMut<'w, T: Component> {
    bit: MaskBit,
    pool: TypedPool<'w, T>,
    groups: OwningGroups<'w>,
    events: PoolEvents,
    /// The ticks, if changes are tracked, and the tick of changes made here.
    ticks: Option<(&'w mut Ticks, u64)>,
    /// Whether groups, listeners or ticks need to know of insertions.
    tells_of_added: bool,
    /// Whether groups or listeners need to know of removals.
    tells_of_removed: bool,
    entities: &'w mut EntityManager,
    buffer: &'w EventBuffer,
}

impl<'w, T: Component> PoolMut<'w, T> {
    /// `id` is the id of `T`.
    #[inline]
    pub(crate) fn new(
        id: ComponentId,
        components: &'w mut ComponentManager,
        entities: &'w mut EntityManager,
        buffer: &'w EventBuffer,
    ) -> Self {
        let tick = components.raise_tick();
        let (pool, events, groups) = OwningGroups::of(id, &mut components.pools, &mut components.groups);
        let (pool, ticks) = pool.typed_with_ticks();
        let is_in_groups = !groups.is_empty();
        Self {
            bit: MaskBit::new(id),
            pool,
            tells_of_added: is_in_groups || events.added.is_some() || ticks.is_some(),
            tells_of_removed: is_in_groups || events.removed.is_some(),
            groups,
            events,
            ticks: ticks.map(|ticks| (ticks, tick)),
            entities,
            buffer,
        }
    }

    /// Inserts the component of `entity` or replaces it. O(1).
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if the entity is gone; the component was dropped.
    #[inline(always)]
    pub fn insert(&mut self, entity: EntityId, component: T) -> Result<(), NoSuchEntity> {
        let record = self.entities.get_mut(entity)?;
        let is_enabled = record.is_enabled();
        record.mask.insert_bit(self.bit);
        let is_new = self.pool.insert(entity, component, is_enabled).is_none();
        if self.tells_of_added {
            self.notify_added(entity, is_enabled, is_new);
        }
        Ok(())
    }

    #[inline]
    fn notify_added(&mut self, entity: EntityId, is_enabled: bool, is_new: bool) {
        if let Some((ticks, tick)) = &mut self.ticks {
            ticks.insert(entity, is_new, *tick);
        }
        if !is_new {
            return;
        }
        if let Some(event_type) = self.events.added {
            self.buffer.push(event_type, Added::<T>::new(entity));
        }
        if is_enabled && !self.groups.is_empty() {
            self.join_groups(entity);
        }
    }

    #[inline(never)]
    fn join_groups(&mut self, entity: EntityId) {
        let Self { pool, groups, .. } = self;
        // A component that was just inserted enabled is the last enabled one.
        groups.join(entity, pool.index.active() - 1, |a, b| pool.swap(a, b));
    }

    #[inline(never)]
    fn leave_groups(&mut self, entity: EntityId) {
        let Self { pool, groups, .. } = self;
        if let Some(row) = pool.index.position(entity) {
            groups.leave(row, |a, b| pool.swap(a, b));
        }
    }

    /// Removes the component of `entity` and drops it. O(1).
    ///
    /// # Errors
    /// - [`CommandFailure::NoSuchEntity`] if the entity is gone.
    /// - [`CommandFailure::NoSuchComponent`] if it has none.
    #[inline(always)]
    pub fn remove(&mut self, entity: EntityId) -> Result<(), CommandFailure> {
        let record = self.entities.get_mut(entity)?;
        if !record.mask.remove_bit(self.bit) {
            return Err(no_such_component::<T>(entity));
        }
        if self.tells_of_removed {
            self.remove_and_tell(entity);
        } else {
            self.pool.remove(entity);
        }
        Ok(())
    }

    #[inline]
    fn remove_and_tell(&mut self, entity: EntityId) {
        if !self.groups.is_empty() {
            self.leave_groups(entity);
        }
        let value = self.pool.remove(entity);
        if let (Some(event_type), Some(value)) = (self.events.removed, value) {
            // There is a listener, so `Removed<T>` is an event and `T` is `Copy`: nothing is left to drop.
            self.buffer.push(event_type, Removed { entity, value });
        }
    }

    /// The component of `entity`, disabled or not; `None` if it has none or is gone. O(1).
    #[must_use]
    #[inline]
    pub fn get(&self, entity: EntityId) -> Option<&T> {
        self.pool.values.get(self.pool.index.position(entity)?)
    }

    /// The component of `entity` for writing, disabled or not; `None` if it has none or is gone. O(1).
    #[inline]
    pub fn get_mut(&mut self, entity: EntityId) -> Option<&mut T> {
        let position = self.pool.index.position(entity)?;
        if let Some((ticks, tick)) = &self.ticks {
            ticks.mark(entity, *tick);
        }
        self.pool.values.get_mut(position)
    }

    /// The number of components, disabled ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pool.index.len()
    }

    /// Whether there is no component, disabled ones included.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The failure to find a component of type `T`.
#[cold]
pub(crate) fn no_such_component<T: Component>(entity: EntityId) -> CommandFailure {
    CommandFailure::NoSuchComponent { entity, component: short_name::<T>() }
}
