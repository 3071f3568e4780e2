//! The data of an engine.

mod bulk;
mod copier;
mod descendants;
mod global_ids;
mod hierarchy;
mod links;
mod masks;
#[cfg(feature = "prefabs")]
mod overridden;
mod peek;
mod query_cache;
mod relations;

pub(crate) use self::copier::EntityCopier;
pub(crate) use self::descendants::DespawnSet;

pub(crate) use self::hierarchy::{Descendants, named};
pub(crate) use self::query_cache::QueryCache;
use self::relations::Relations;
use crate::component::{
    Announce, Bundle, Component, ComponentId, ComponentManager, Effects, InsertConflict, InsertConflicts, PoolMut,
    Scratch, no_such_component,
};
use crate::entity::{EntityId, EntityManager, GlobalIds, NoSuchEntity};
use crate::entity_lists::EntityListTable;
use crate::error::{CommandFailure, SetupError};
use crate::event::{Disabled, Enabled, Event, EventManager, Lifecycle};
use crate::limits::Limits;
use crate::random::RandomStreams;
use crate::resources::{ResourceRef, Resources};

/// The data of an engine: entities, components, resources and events.
///
/// [`Engine`](crate::Engine) dereferences to its world, and an exclusive system method takes `&mut World`. The public
/// methods read and write values; only the engine and [`Commands`](crate::Commands) change the structure.
///
/// The type is unsized (`Tail` is always `[()]`), so safe code cannot move a world: `std::mem::swap` on the worlds of
/// two engines does not compile. The engine relies on this, since ids and waiting events are valid in one world only.
pub struct World<Tail: ?Sized = [()]> {
    /// With the entities.
    pub(crate) components: ComponentManager,
    pub(crate) resources: Resources,
    pub(crate) events: EventManager,
    pub(crate) global_ids: GlobalIds,
    pub(crate) random: RandomStreams,
    pub(crate) entity_lists: EntityListTable,
    scratch: Scratch,
    /// Entities of which commands may say more before all are applied.
    fresh: Vec<EntityId>,
    /// How the values of components are shown.
    shown: Vec<(ComponentId, ShowValue)>,
    pub(crate) queries: QueryCache,
    pub(crate) relations: Relations,
    #[cfg(feature = "prefabs")]
    pub(crate) overridden: self::overridden::OverriddenSets,
    /// How many names prefabs and the registry of types had when no component had two names.
    #[cfg(feature = "prefabs")]
    pub(crate) names_checked: (usize, usize),
    pub(crate) limits: Limits,
    /// Set during frames with enough work for threads.
    pub(crate) thread_pool: Option<std::sync::Arc<crate::thread_pool::ThreadPool>>,
    _tail: Tail,
}

/// The value of a component of an entity as text.
type ShowValue = fn(&World, EntityId) -> Option<String>;

impl World {
    pub(crate) fn new() -> Box<Self> {
        Box::new(World {
            components: ComponentManager::default(),
            resources: Resources::default(),
            events: EventManager::default(),
            global_ids: GlobalIds::default(),
            random: RandomStreams::default(),
            entity_lists: EntityListTable::default(),
            scratch: Scratch::default(),
            fresh: Vec::new(),
            shown: Vec::new(),
            queries: QueryCache::default(),
            relations: Relations::default(),
            #[cfg(feature = "prefabs")]
            overridden: self::overridden::OverriddenSets::default(),
            #[cfg(feature = "prefabs")]
            names_checked: (0, 0),
            thread_pool: None,
            limits: Limits::default(),
            _tail: [],
        })
    }
}

impl World {
    /// The registered component types and their pools.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// engine.spawn_many([("a", 1_u32), ("b", 2)]);
    /// let rows: Vec<usize> = engine.components().iter().map(|component| component.len).collect();
    /// assert_eq!(rows, [2, 2]);
    /// ```
    #[must_use]
    pub fn components(&self) -> &ComponentManager {
        &self.components
    }

    /// The registered event types and their counters.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// #[derive(Clone, Copy)]
    /// struct Pressed(char);
    ///
    /// # let mut engine = Engine::new();
    /// engine.send(Pressed('a'));
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.events().counters::<Pressed>().unwrap().sent, 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    #[must_use]
    pub fn events(&self) -> &EventManager {
        &self.events
    }

    /// The seed of the random numbers that systems draw by [`Random`](crate::Random).
    ///
    /// # Example
    /// See [`World::set_seed`].
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.random.seed()
    }

    /// Sets the seed of all random numbers and restarts all streams.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// use ecs::random::Purpose;
    ///
    /// struct Dice;
    /// impl Purpose for Dice {
    ///     const NAME: &'static str = "dice";
    /// }
    ///
    /// let throw = |mut dice: Random<Dice>| 1 + dice.below(6);
    /// let mut engine = Engine::builder().seed(42).build();
    /// let throws = [engine.run(throw)?, engine.run(throw)?, engine.run(throw)?];
    /// let seed = engine.seed();
    /// engine.set_seed(seed);
    /// assert_eq!([engine.run(throw)?, engine.run(throw)?, engine.run(throw)?], throws);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn set_seed(&mut self, seed: u64) {
        self.random.set_seed(seed);
    }

    /// The component of `entity` for writing, enabled or disabled; `None` if the entity is gone or lacks it. O(1).
    ///
    /// # Panics
    /// If `T` is a component of links ([`ChildOf`](crate::hierarchy::ChildOf), [`Links`](crate::relation::Links) and
    /// their other ends).
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// let ada = engine.spawn((36_u32,));
    /// *engine.get_mut::<u32>(ada).unwrap() += 1;
    /// assert_eq!(engine.get(ada), Some(&37_u32));
    /// ```
    pub fn get_mut<T: Component>(&mut self, entity: EntityId) -> Option<&mut T> {
        self.components.get_mut(entity)
    }

    /// Whether `entity` has a component of type `T`, enabled or disabled. O(1).
    ///
    /// # Example
    /// See [`Engine::spawn`](crate::Engine::spawn).
    #[must_use]
    pub fn has<T: Component>(&self, entity: EntityId) -> bool {
        let id = self.components.id_of::<T>();
        id.is_some_and(|id| self.entities().mask(entity).is_some_and(|mask| mask.contains(id)))
    }

    /// The resource of type `T`, if there is one.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// struct Score(u32);
    ///
    /// # let mut engine = Engine::new();
    /// engine.insert_resource(Score(1));
    /// engine.resource_mut::<Score>().unwrap().0 += 6;
    /// assert_eq!(engine.resource::<Score>().unwrap().0, 7);
    /// ```
    #[must_use]
    pub fn resource<T: Send + Sync + 'static>(&self) -> Option<ResourceRef<'_, T>> {
        self.resources.find()
    }

    /// The resource of type `T` for writing, if there is one.
    ///
    /// # Example
    /// See [`World::resource`].
    pub fn resource_mut<T: Send + Sync + 'static>(&mut self) -> Option<&mut T> {
        self.resources.get_mut()
    }

    /// Sends an event. Between frames it is delivered in step 1 of the next frame; from an exclusive system, in step 5
    /// of this frame.
    ///
    /// # Example
    /// See [`Setup::listen`](crate::Setup::listen).
    pub fn send<E: Event>(&mut self, event: E) {
        let id = self.events.register::<E>();
        self.events.event_type_mut(id).comes_from_outside = true;
        self.events.outside_buffer().push(id, event);
    }

    pub(crate) fn entities_mut(&mut self) -> &mut EntityManager {
        &mut self.components.entities
    }
}

/// Changes of structure, by the engine and by commands when they are applied.
impl World {
    #[inline]
    pub(crate) fn spawn<B: Bundle>(&mut self, bundle: B) -> EntityId {
        let (components, announce) = self.components_and_announce();
        components.spawn(bundle, announce)
    }

    /// Spawns an entity without components. Its event is sent by [`World::announce_spawned`].
    pub(crate) fn spawn_bare(&mut self) -> EntityId {
        self.components.entities.spawn(0).0
    }

    /// Notes a new entity of which later commands may say more: until [`World::make_whole`], it is not a whole.
    pub(crate) fn note_fresh(&mut self, entity: EntityId) {
        self.fresh.push(entity);
    }

    /// Gives the entities that the last commands made and filled their kinds.
    pub(crate) fn make_whole(&mut self) {
        let Self { components, fresh, .. } = self;
        fresh.drain(..).for_each(|entity| components.make_whole(entity));
    }

    /// The components, and what their changes reach.
    #[inline]
    fn components_and_effects(&mut self) -> (&mut ComponentManager, Effects<'_>) {
        let Self { components, events, resources, .. } = self;
        (components, Effects { buffer: events.outside_buffer(), resources })
    }

    /// The components, and where the events of new entities go.
    #[inline]
    fn components_and_announce(&mut self) -> (&mut ComponentManager, Announce<'_>) {
        let spawned = self.events.lifecycle.spawned;
        let (components, effects) = self.components_and_effects();
        (components, Announce { spawned, effects })
    }

    /// Calls `fill`, which gives components to a new entity, and sends its event.
    pub(crate) fn fill_new<R>(&mut self, entity: EntityId, fill: impl FnOnce(&mut Self) -> R) -> R {
        let filled = fill(self);
        self.announce_spawned(entity);
        filled
    }

    /// Sends the event of a new entity, which has all its components now: they become its kind.
    pub(crate) fn announce_spawned(&mut self, entity: EntityId) {
        self.components.make_whole(entity);
        self.components_and_announce().1.spawned(entity);
    }

    /// From now on, an entity that gets a `T` gets an `R` too.
    pub(crate) fn require<T: Component, R: Component>(
        &mut self,
        make: impl Fn() -> R + Send + Sync + 'static,
    ) -> Result<(), SetupError> {
        let (components, effects) = self.components_and_effects();
        components.require::<T, R>(make, effects)
    }

    /// Drops a bundle that found no entity, after the hooks of its components were called.
    pub(crate) fn discard<B: Bundle>(&mut self, entity: EntityId, bundle: B) {
        let (components, effects) = self.components_and_effects();
        components.discard(entity, bundle, effects);
    }

    #[inline]
    pub(crate) fn insert<B: Bundle>(&mut self, entity: EntityId, bundle: B) -> Result<(), NoSuchEntity> {
        let (components, effects) = self.components_and_effects();
        components.insert(entity, bundle, effects)
    }

    /// As [`World::insert`], of a part of what an entity gets: what it needs besides is added by [`World::add_needs`].
    pub(crate) fn give<B: Bundle>(&mut self, entity: EntityId, bundle: B) -> Result<(), NoSuchEntity> {
        let (components, effects) = self.components_and_effects();
        components.put(entity, bundle, effects, false)
    }

    /// Adds what the components of an entity need and it lacks.
    pub(crate) fn add_needs(&mut self, entity: EntityId) {
        let (components, effects) = self.components_and_effects();
        components.add_needs(entity, effects);
    }

    /// Records that a command inserts a bundle, unless the entity is gone.
    #[inline]
    pub(crate) fn record_insert<B: Bundle>(
        &mut self,
        entity: EntityId,
        conflicts: &mut InsertConflicts,
    ) -> Result<(), InsertConflict> {
        if self.components.entities.contains(entity) {
            self.components.record_insert::<B>(entity, conflicts)
        } else {
            Ok(())
        }
    }

    pub(crate) fn despawn(&mut self, entity: EntityId) -> Result<(), NoSuchEntity> {
        if self.is_linked(entity) {
            return self.despawn_linked(entity);
        }
        self.despawn_one(entity)
    }

    pub(crate) fn despawn_one(&mut self, entity: EntityId) -> Result<(), NoSuchEntity> {
        let Self { components, events, resources, global_ids, entity_lists, .. } = self;
        let (location, gap) = components.entities.despawn(entity)?;
        global_ids.forget(entity);
        entity_lists.forget(entity);
        let despawned = events.lifecycle.despawned;
        let effects = Effects { buffer: events.outside_buffer(), resources };
        components.remove_all(entity, location, gap, despawned, effects);
        Ok(())
    }

    /// The pool of `T`, for many single changes.
    #[inline]
    pub(crate) fn pool_mut<T: Component>(&mut self) -> PoolMut<'_, T> {
        let (components, effects) = self.components_and_effects();
        let id = components.id_of::<T>().unwrap_or_else(|| components.register::<T>());
        PoolMut::new(id, components, effects)
    }

    /// Removes a component and sends its event or drops it. With a component of links, the links end.
    pub(crate) fn remove<T: Component>(&mut self, entity: EntityId) -> Result<(), CommandFailure> {
        if !self.relations.is_empty()
            && let Some(id) = self.components.id_of::<T>()
            && self.relations.contains(id)
            && self.entities().mask(entity).is_some_and(|mask| mask.contains(id))
        {
            self.end_links(id, entity);
            return Ok(());
        }
        self.remove_one::<T>(entity)
    }

    /// As [`World::remove`], for a component without links.
    pub(crate) fn remove_one<T: Component>(&mut self, entity: EntityId) -> Result<(), CommandFailure> {
        let (components, effects) = self.components_and_effects();
        let location = components.entities.locate(entity)?;
        let id = components.id_of::<T>();
        id.map_or(Ok(()), |id| components.check_not_needed(id, entity))?;
        match id.is_some_and(|id| components.remove_one::<T>(id, entity, location, effects)) {
            true => Ok(()),
            false => Err(no_such_component::<T>(entity)),
        }
    }

    /// As [`World::remove_one`], also of a component that another one needs: [`World::add_needs`] comes later. Does
    /// nothing if there is none.
    #[cfg(feature = "prefabs")]
    pub(crate) fn take_away<T: Component>(&mut self, entity: EntityId) {
        let (components, effects) = self.components_and_effects();
        if let (Ok(location), Some(id)) = (components.entities.locate(entity), components.id_of::<T>()) {
            components.remove_one::<T>(id, entity, location, effects);
        }
    }

    /// As [`World::remove`], and returns the value.
    pub(crate) fn take<T: Component>(&mut self, entity: EntityId) -> Result<T, CommandFailure> {
        let (components, effects) = self.components_and_effects();
        let location = components.entities.locate(entity)?;
        let id = components.id_of::<T>();
        if let Some(id) = id.filter(|id| components.is_link(*id)) {
            return Err(CommandFailure::OnlyRead { component: components.name(id) });
        }
        id.map_or(Ok(()), |id| components.check_not_needed(id, entity))?;
        let value = id.and_then(|id| components.take_one(id, entity, location, effects));
        value.ok_or_else(|| no_such_component::<T>(entity))
    }

    /// Moves a component to another entity, where it replaces one of its type.
    pub(crate) fn move_component<T: Component>(&mut self, from: EntityId, to: EntityId) -> Result<(), CommandFailure> {
        self.check_exists(to)?;
        if from == to && self.has::<T>(from) {
            return Ok(());
        }
        let value = self.take::<T>(from)?;
        Ok(self.insert(to, (value,))?)
    }

    /// Enables or disables an entity; returns whether that changed anything.
    pub(crate) fn set_enabled(&mut self, entity: EntityId, enabled: bool) -> Result<bool, NoSuchEntity> {
        let Self { components, events, .. } = self;
        if !components.set_enabled(entity, enabled)? {
            return Ok(false);
        }
        let Lifecycle { enabled: on, disabled: off, .. } = events.lifecycle;
        let buffer = events.outside_buffer();
        match (enabled, on, off) {
            (true, Some(id), _) => buffer.push(id, Enabled { entity }),
            (false, _, Some(id)) => buffer.push(id, Disabled { entity }),
            _ => {}
        }
        Ok(true)
    }

    pub(crate) fn enable_component<T: Component>(&mut self, entity: EntityId) -> Result<(), CommandFailure> {
        self.switch_component::<T>(entity, true)
    }

    pub(crate) fn disable_component<T: Component>(&mut self, entity: EntityId) -> Result<(), CommandFailure> {
        self.switch_component::<T>(entity, false)
    }

    fn switch_component<T: Component>(&mut self, entity: EntityId, on: bool) -> Result<(), CommandFailure> {
        match self.components.switch(self.components.id_of::<T>(), entity, on)? {
            true => Ok(()),
            false => Err(no_such_component::<T>(entity)),
        }
    }
}

/// Changes of entity lists.
impl World {
    pub(crate) fn join(&mut self, entity_list: &str, entity: EntityId) -> Result<bool, NoSuchEntity> {
        self.check_exists(entity)?;
        Ok(self.entity_lists.join(entity_list, entity))
    }

    pub(crate) fn leave(&mut self, entity_list: &str, entity: EntityId) -> Result<bool, NoSuchEntity> {
        self.check_exists(entity)?;
        Ok(self.entity_lists.leave(entity_list, entity))
    }

    pub(crate) fn tag(&mut self, tag: &str, entity: EntityId) -> Result<(), NoSuchEntity> {
        self.check_exists(entity)?;
        self.entity_lists.tag(tag, entity);
        Ok(())
    }
}
