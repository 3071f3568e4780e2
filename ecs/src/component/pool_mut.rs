//! A pool borrowed for many single changes.

use super::homes::kind_of;
use super::hooks::Effects;
use super::manager::{PoolEntry, PoolEvents};
use super::{Component, ComponentId, ComponentManager};
use crate::entity::{EntityId, NoSuchEntity};
use crate::error::CommandFailure;
use crate::event::Added;
use crate::panic::FirstPanic;
use crate::type_map::short_name;

/// The pool of a component type, borrowed for inserting, removing and writing: made by [`Engine::pool_mut`].
///
/// Each change does what [`Engine::insert`] and [`Engine::remove`] do, including events. It looks the pool up once and
/// not for each entity, which makes it the fastest way to change many entities one by one.
///
/// [`Engine::pool_mut`]: crate::Engine::pool_mut
/// [`Engine::insert`]: crate::Engine::insert
/// [`Engine::remove`]: crate::Engine::remove
pub struct PoolMut<'w, T: Component> {
    id: ComponentId,
    components: &'w mut ComponentManager,
    events: PoolEvents,
    /// The tick of changes made here.
    tick: u64,
    is_tracked: bool,
    has_requirements: bool,
    effects: Effects<'w>,
    values: std::marker::PhantomData<&'w mut T>,
}

impl<'w, T: Component> PoolMut<'w, T> {
    /// `id` is the id of `T`.
    #[inline]
    pub(crate) fn new(id: ComponentId, components: &'w mut ComponentManager, effects: Effects<'w>) -> Self {
        let tick = components.raise_tick();
        let entry = &components.pools[id.index()];
        let (events, is_tracked) = (entry.events, entry.pool.ticks().is_some());
        let has_requirements = entry.has_requirements();
        Self { id, components, events, tick, is_tracked, has_requirements, effects, values: std::marker::PhantomData }
    }

    /// Inserts the component of `entity` or replaces it. O(1).
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if the entity is gone; the component was dropped.
    #[inline(always)]
    pub fn insert(&mut self, entity: EntityId, component: T) -> Result<(), NoSuchEntity> {
        let ComponentManager { entities, pools, .. } = &mut *self.components;
        let location = match entities.locate(entity) {
            Ok(location) => location,
            Err(gone) => {
                self.entry().pool.release(component, entity, self.entry().on_discard(self.effects));
                return Err(gone);
            }
        };
        if entities.is_bare(entity, location) {
            self.insert_first(entity, component);
            return Ok(());
        }
        let is_enabled = entities.table().is_enabled_at(location);
        let replaced = pools[self.id.index()].pool.typed().insert(entity, location, component, is_enabled);
        if replaced.is_none() {
            entities.add_extra(entity, location, self.id);
        }
        if self.is_tracked || self.events.added.is_some() {
            self.notify_added(entity, replaced.is_none());
        }
        if let Some(replaced) = replaced {
            self.entry().pool.release(replaced, entity, self.entry().on_replacement(self.effects));
        } else if self.has_requirements {
            self.add_required(entity);
        }
        Ok(())
    }

    #[cold]
    fn add_required(&mut self, entity: EntityId) {
        let mut panics = FirstPanic::default();
        self.components.add_required(self.id, entity, self.effects, &mut panics);
        panics.raise();
    }

    fn entry(&self) -> &PoolEntry {
        &self.components.pools[self.id.index()]
    }

    /// Inserts the component of an entity that has none of any type.
    #[inline(never)]
    fn insert_first(&mut self, entity: EntityId, component: T) {
        let ComponentManager { entities, pools, masks: [mask, _], .. } = &mut *self.components;
        mask.clear();
        mask.insert(self.id);
        let kind = kind_of(mask, entities, pools);
        let Ok(location) = entities.locate(entity) else { return };
        let is_enabled = entities.table().is_enabled_at(location);
        match entities.place_bare(entity, location, kind, mask) {
            Some((kind, new)) => _ = pools[self.id.index()].pool.typed().push_row(kind, new, component),
            None => {
                entities.add_extra(entity, location, self.id);
                pools[self.id.index()].pool.typed().insert(entity, location, component, is_enabled);
            }
        }
        self.notify_added(entity, true);
        if self.has_requirements {
            self.add_required(entity);
        }
    }

    #[inline]
    fn notify_added(&mut self, entity: EntityId, is_new: bool) {
        if self.is_tracked {
            self.components.pools[self.id.index()].pool.mark_insertion(entity, is_new, self.tick);
        }
        if let (true, Some(event_type)) = (is_new, self.events.added) {
            self.effects.buffer.push(event_type, Added::<T>::new(entity));
        }
    }

    /// Removes the component of `entity` and drops it. O(1) for a component that was inserted after its entity was
    /// spawned; O(number of its components) for one that it was spawned with.
    ///
    /// # Errors
    /// - [`CommandFailure::NoSuchEntity`] if the entity is gone.
    /// - [`CommandFailure::NoSuchComponent`] if it has none.
    /// - [`CommandFailure::Needed`] if another component of it needs this one.
    #[inline(always)]
    pub fn remove(&mut self, entity: EntityId) -> Result<(), CommandFailure> {
        let location = self.components.entities.locate(entity)?;
        self.components.check_not_needed(self.id, entity)?;
        match self.components.remove_one::<T>(self.id, entity, location, self.effects) {
            true => Ok(()),
            false => Err(no_such_component::<T>(entity)),
        }
    }

    /// The component of `entity`, disabled or not; `None` if it has none or is gone. O(1).
    #[must_use]
    #[inline]
    pub fn get(&self, entity: EntityId) -> Option<&T> {
        let location = self.components.entities.locate(entity).ok()?;
        let pool = &self.components.pools[self.id.index()].pool;
        pool.get(entity, location)
    }

    /// The component of `entity` for writing, disabled or not; `None` if it has none or is gone. O(1).
    #[inline]
    pub fn get_mut(&mut self, entity: EntityId) -> Option<&mut T> {
        let ComponentManager { entities, pools, .. } = &mut *self.components;
        let location = entities.locate(entity).ok()?;
        pools[self.id.index()].pool.get_mut_at(entity, location, self.tick)
    }

    /// The number of components, disabled ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.components.pools[self.id.index()].pool.len()
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
