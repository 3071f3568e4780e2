//! Changes of structure from outside of a frame: entities and components come and go at once.

use std::fmt;

use super::Engine;
use crate::component::{Bundle, Columns, Component, PoolMut, Removal};
use crate::entity::{EntityId, NoSuchEntity};
use crate::entity_lists::EntityLists;
use crate::error::{CommandFailure, Error};

/// Entities and components; every change takes effect at once.
impl Engine {
    /// Spawns an entity with the components of `bundle`; returns its id. O(number of components).
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// struct Name(&'static str);
    /// struct Age(u32);
    ///
    /// let mut engine = Engine::new();
    /// let ada = engine.spawn((Name("Ada"), Age(36)));
    /// let ship = engine.spawn((Name("Argo"),));
    /// assert!(engine.has::<Age>(ada) && !engine.has::<Age>(ship));
    /// ```
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> EntityId {
        self.world.spawn(bundle)
    }

    /// Despawns an entity and drops its components; its descendants are despawned after it, depth first. Its links
    /// end. O(number of components and links).
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if it was already gone.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// let first = engine.spawn(("first",));
    /// engine.despawn(first)?;
    /// let second = engine.spawn(("second",)); // It may use the place of the first one.
    /// assert_eq!(engine.get::<&str>(first), None);
    /// assert!(engine.despawn(first).is_err() && engine.contains(second));
    /// # Ok::<(), ecs::NoSuchEntity>(())
    /// ```
    pub fn despawn(&mut self, entity: EntityId) -> Result<(), NoSuchEntity> {
        self.world.despawn(entity)
    }

    /// Inserts the components of `bundle`; existing components of these types are replaced.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if the entity is gone; the bundle was dropped.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// let door = engine.spawn((1_u32,));
    /// engine.insert(door, (2_u32, "open"))?; // Replaces the number, adds the text.
    /// assert_eq!(engine.get(door), Some(&2_u32));
    /// engine.remove::<u32>(door)?;
    /// assert!(!engine.has::<u32>(door) && engine.has::<&str>(door));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert<B: Bundle>(&mut self, entity: EntityId, bundle: B) -> Result<(), NoSuchEntity> {
        self.world.insert(entity, bundle)
    }

    /// Removes and drops the component of type `T`. O(1).
    ///
    /// # Errors
    /// - [`CommandFailure::NoSuchEntity`] if the entity is gone.
    /// - [`CommandFailure::NoSuchComponent`] if it has no `T`.
    ///
    /// # Example
    /// See [`Engine::insert`].
    pub fn remove<T: Component>(&mut self, entity: EntityId) -> Result<(), CommandFailure> {
        self.world.remove::<T>(entity)
    }

    /// From now on, an entity that gets a `T` by any way gets an `R` too, by `make`, if it has none; those that have a
    /// `T` get it now.
    ///
    /// What is required comes after the bundle, in the order of the declarations, and what that requires right after
    /// it. It is announced by `Added` as if it had been inserted by hand. A restore or a load inserts nothing: they
    /// bring what was there. An `R` cannot be removed while its entity has a `T`.
    ///
    /// # Errors
    /// - [`SetupError::Requirement`](crate::system::SetupError::Requirement) if it is declared already, or if one of
    ///   the two is a component of links.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// struct Burning;
    /// #[derive(Debug, PartialEq)]
    /// struct Health(u32);
    ///
    /// let mut engine = Engine::new();
    /// engine.require::<Burning, _>(|| Health(100))?;
    /// let log = engine.spawn((Burning,));
    /// let troll = engine.spawn((Burning, Health(7)));
    /// assert_eq!((engine.get(log), engine.get(troll)), (Some(&Health(100)), Some(&Health(7))));
    ///
    /// let refused = engine.remove::<Health>(troll).unwrap_err();
    /// assert!(refused.to_string().ends_with("its Burning needs it, so remove that first"));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn require<T: Component, R: Component>(
        &mut self,
        make: impl Fn() -> R + Send + Sync + 'static,
    ) -> Result<&mut Self, Error> {
        self.world.require::<T, R>(make)?;
        Ok(self)
    }

    /// Calls `hook` with each component of type `T` that leaves its entity, at once, in the order in which they leave:
    /// so what a value stands for, such as a body of a physics engine or a picture on the graphics card, can be
    /// released.
    ///
    /// It is called once for each value: when it is removed, when another one is inserted over it, when its entity is
    /// despawned, when [`Engine::restore`] or [`Engine::load`] replaces it, and when it was inserted into an entity
    /// that was gone or by a command that was refused. It is not called for values that [`Engine::take`] returns, that
    /// [`Engine::move_component`] moves, or that are in the engine when that is dropped. What it does to resources in
    /// [`Engine::restore`] is overwritten, if they are in the snapshot.
    ///
    /// A type has one hook, which stays. If several types have one, a despawn calls them in the order in which the
    /// engine met the types. A hook that panics is like a value that panics when it is dropped: the others are called.
    ///
    /// # Errors
    /// - [`SetupError::Hook`](crate::system::SetupError::Hook) if `T` has a hook, or is a component of links.
    ///
    /// # Example
    /// ```
    /// # use ecs::component::Removal;
    /// # use ecs::prelude::*;
    /// /// The number of a body.
    /// struct Body(u32);
    /// #[derive(Default)]
    /// struct Physics { removed: Vec<u32> }
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(Physics::default());
    /// engine.on_remove(|it: Removal<Body>| {
    ///     if let Some(mut physics) = it.resource_mut::<Physics>() {
    ///         physics.removed.push(it.value.0);
    ///     }
    /// })?;
    /// let ship = engine.spawn((Body(1),));
    /// engine.insert(ship, (Body(2),))?;
    /// engine.despawn(ship)?;
    /// assert_eq!(engine.resource::<Physics>().unwrap().removed, [1, 2]);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn on_remove<T: Component>(
        &mut self,
        hook: impl Fn(Removal<'_, T>) + Send + Sync + 'static,
    ) -> Result<&mut Self, Error> {
        self.world.components.set_hook(Box::new(hook))?;
        Ok(self)
    }

    /// Removes the component of type `T` and returns it. O(1).
    ///
    /// # Errors
    /// - As [`Engine::remove`].
    /// - [`CommandFailure::OnlyRead`] for a component of links, such as [`ChildOf`](crate::hierarchy::ChildOf).
    ///
    /// # Example
    /// ```
    /// struct Name(String);
    ///
    /// let mut engine = ecs::Engine::new();
    /// let hero = engine.spawn((Name("Ada".to_owned()),));
    /// let Name(name) = engine.take(hero)?;
    /// assert_eq!(name, "Ada");
    /// assert!(!engine.has::<Name>(hero) && engine.take::<Name>(hero).is_err());
    /// # Ok::<(), ecs::CommandFailure>(())
    /// ```
    pub fn take<T: Component>(&mut self, entity: EntityId) -> Result<T, CommandFailure> {
        self.world.take(entity)
    }

    /// Moves the component of type `T` from one entity to another, where it replaces one of its type and is enabled.
    /// Nothing is cloned. O(1).
    ///
    /// # Errors
    /// - As [`Engine::take`] for `from`, and [`CommandFailure::NoSuchEntity`] if `to` is gone. Nothing was changed.
    ///
    /// # Example
    /// ```
    /// struct Inventory(Vec<&'static str>);
    ///
    /// let mut engine = ecs::Engine::new();
    /// let (hero, heir) = (engine.spawn((Inventory(vec!["sword"]),)), engine.spawn(()));
    /// engine.move_component::<Inventory>(hero, heir)?;
    /// assert!(!engine.has::<Inventory>(hero));
    /// assert_eq!(engine.get::<Inventory>(heir).unwrap().0, ["sword"]);
    /// # Ok::<(), ecs::CommandFailure>(())
    /// ```
    pub fn move_component<T: Component>(&mut self, from: EntityId, to: EntityId) -> Result<(), CommandFailure> {
        self.world.move_component::<T>(from, to)
    }

    /// The pool of `T`, for inserting and removing the components of many entities one by one. Each change equals
    /// [`Engine::insert`] or [`Engine::remove`] and is several times as fast, because the pool is looked up once.
    ///
    /// # Example
    /// ```
    /// struct Burning(u32);
    ///
    /// let mut engine = ecs::Engine::new();
    /// let trees = engine.spawn_many((0..100).map(|n| (n,)));
    /// let mut burning = engine.pool_mut::<Burning>();
    /// for tree in trees.iter().step_by(10) {
    ///     burning.insert(*tree, Burning(3))?;
    /// }
    /// burning.remove(trees[50])?;
    /// assert_eq!(engine.query::<&Burning>().count(), 9);
    /// # Ok::<(), ecs::CommandFailure>(())
    /// ```
    ///
    /// # Panics
    /// As [`World::get_mut`](crate::World::get_mut).
    pub fn pool_mut<T: Component>(&mut self) -> PoolMut<'_, T> {
        self.world.components.check_writer::<T>();
        self.world.pool_mut()
    }

    /// Enables an entity: queries find it again.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if it is gone.
    ///
    /// # Example
    /// See [`Engine::disable`].
    pub fn enable(&mut self, entity: EntityId) -> Result<(), NoSuchEntity> {
        self.world.set_enabled(entity, true).map(drop)
    }

    /// Disables an entity: queries skip it unless they ask for disabled entities. It keeps its components.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if it is gone.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// let ghost = engine.spawn((5_u32,));
    /// engine.disable(ghost)?;
    /// assert!(engine.query::<&u32>().is_empty()); // Queries do not see it,
    /// assert_eq!(engine.get(ghost), Some(&5_u32)); // but it keeps its components.
    /// engine.enable(ghost)?;
    /// assert_eq!(engine.query::<&u32>().count(), 1);
    /// # Ok::<(), ecs::NoSuchEntity>(())
    /// ```
    pub fn disable(&mut self, entity: EntityId) -> Result<(), NoSuchEntity> {
        self.world.set_enabled(entity, false).map(drop)
    }

    /// Enables the component of type `T` of an entity. O(1).
    ///
    /// # Errors
    /// As [`Engine::remove`].
    ///
    /// # Example
    /// See [`Engine::disable_component`].
    pub fn enable_component<T: Component>(&mut self, entity: EntityId) -> Result<(), CommandFailure> {
        self.world.enable_component::<T>(entity)
    }

    /// Disables the component of type `T` of an entity: queries treat it as absent. O(1).
    ///
    /// # Errors
    /// As [`Engine::remove`].
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// let robot = engine.spawn((5_u32, "robot"));
    /// engine.disable_component::<u32>(robot)?;
    /// assert_eq!(engine.query::<&u32>().count(), 0);
    /// assert_eq!(engine.query::<&&str>().count(), 1);
    /// engine.enable_component::<u32>(robot)?;
    /// assert_eq!(engine.query::<(&u32, &&str)>().count(), 1);
    /// # Ok::<(), ecs::CommandFailure>(())
    /// ```
    pub fn disable_component<T: Component>(&mut self, entity: EntityId) -> Result<(), CommandFailure> {
        self.world.disable_component::<T>(entity)
    }
}

/// Changes of many entities at once, with the same result as one call for each, in one pass over each pool.
///
/// Two calls still go from entity to entity: insertion, and despawning while [`Removed`](crate::Removed) events have
/// listeners or some of the entities have children. If a component panics in `drop`, the call ends: with the entity at
/// fault in these two cases, otherwise after removing everything that the call had begun.
impl Engine {
    /// Spawns an entity for each bundle; returns their ids in the order of the bundles.
    ///
    /// # Example
    /// ```
    /// let mut engine = ecs::Engine::new();
    /// let ids = engine.spawn_many((0..100).map(|n| (n as f32, "a star")));
    /// assert_eq!(engine.get::<f32>(ids[42]), Some(&42.0));
    /// ```
    pub fn spawn_many<B: Bundle>(&mut self, bundles: impl IntoIterator<Item = B>) -> Vec<EntityId> {
        let mut ids = Vec::new();
        self.world.spawn_many(bundles.into_iter(), &mut ids);
        ids
    }

    /// Spawns an entity for each row of `columns`, a tuple of `Vec`s whose memory is copied in one piece. Returns the
    /// ids in the order of the rows.
    ///
    /// # Errors
    /// - [`UnequalColumns`] if the columns differ in length; nothing was spawned, the columns were dropped.
    ///
    /// # Example
    /// ```
    /// let mut engine = ecs::Engine::new();
    /// let ids = engine.spawn_columns((vec![1.0_f32, 2.0], vec!["near", "far"]))?;
    /// assert_eq!(engine.get::<&str>(ids[1]), Some(&"far"));
    /// # Ok::<(), ecs::engine::UnequalColumns>(())
    /// ```
    pub fn spawn_columns<C: Columns>(&mut self, columns: C) -> Result<Vec<EntityId>, UnequalColumns> {
        let lengths = columns.lengths();
        match lengths.first() {
            Some(count) if lengths.iter().all(|length| length == count) => {
                Ok(self.world.spawn_columns(columns, *count))
            }
            _ => Err(UnequalColumns { lengths }),
        }
    }

    /// Despawns entities and drops their components.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] with the first one that was already gone; the others were despawned.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// let crowd = engine.spawn_many((0..100).map(|n: u32| (n,)));
    /// let (left, right) = crowd.split_at(60);
    /// engine.despawn_many(left.iter().copied())?;
    /// assert_eq!(engine.query::<&u32>().count(), right.len());
    /// # Ok::<(), ecs::NoSuchEntity>(())
    /// ```
    pub fn despawn_many(&mut self, entities: impl IntoIterator<Item = EntityId>) -> Result<(), NoSuchEntity> {
        self.world.despawn_many(entities.into_iter())
    }

    /// Inserts a bundle into each entity; existing components are replaced.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] with the first one that is gone, whose bundle was dropped; the other bundles were inserted.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// let crowd = engine.spawn_many((0..100).map(|n: u32| (n,)));
    /// engine.insert_many(crowd.iter().map(|person| (*person, ("hat",))))?;
    /// assert_eq!(engine.query::<(&u32, &&str)>().count(), 100);
    /// engine.remove_many::<&str>(crowd)?;
    /// assert!(engine.query::<&&str>().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert_many<B: Bundle>(
        &mut self,
        bundles: impl IntoIterator<Item = (EntityId, B)>,
    ) -> Result<(), NoSuchEntity> {
        self.world.insert_many(bundles.into_iter())
    }

    /// Removes and drops the component of type `T` of each entity.
    ///
    /// # Errors
    /// As [`Engine::remove`], for the first entity that failed; the others were changed.
    ///
    /// # Example
    /// See [`Engine::insert_many`].
    pub fn remove_many<T: Component>(
        &mut self,
        entities: impl IntoIterator<Item = EntityId>,
    ) -> Result<(), CommandFailure> {
        self.world.remove_many::<T>(entities.into_iter())
    }
}

/// Columns that differ in length.
#[derive(Clone, PartialEq, Eq)]
pub struct UnequalColumns {
    /// The length of each column.
    pub lengths: Vec<usize>,
}

impl fmt::Display for UnequalColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the columns are of lengths {:?}: every row needs a value in each of them", self.lengths)
    }
}

crate::sentence::impl_error!(UnequalColumns);

/// Named lists of entities, and unique tags: see [`EntityLists`].
impl Engine {
    /// All entity lists, for reading.
    ///
    /// # Example
    /// See [`Engine::join`].
    #[must_use]
    pub fn entity_lists(&self) -> EntityLists<'_> {
        EntityLists::new(&self.world.entity_lists)
    }

    /// Appends `entity` to an entity list; returns `false` if it was a member already, which keeps its place.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if it is gone.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// let (wolf, hen) = (engine.spawn(("wolf",)), engine.spawn(("hen",)));
    /// engine.join("hungry", wolf)?;
    /// engine.join("hungry", hen)?;
    /// engine.leave("hungry", wolf)?;
    /// assert!(engine.entity_lists().members("hungry").eq([hen]));
    /// # Ok::<(), ecs::NoSuchEntity>(())
    /// ```
    pub fn join(&mut self, entity_list: &str, entity: EntityId) -> Result<bool, NoSuchEntity> {
        self.world.join(entity_list, entity)
    }

    /// Takes `entity` out of an entity list; returns whether it was a member.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if it is gone.
    ///
    /// # Example
    /// See [`Engine::join`].
    pub fn leave(&mut self, entity_list: &str, entity: EntityId) -> Result<bool, NoSuchEntity> {
        self.world.leave(entity_list, entity)
    }

    /// Gives a tag to `entity` and takes it from all others. O(number of entities with the tag).
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if it is gone.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// let (first, second) = (engine.spawn(("Ada",)), engine.spawn(("Bo",)));
    /// engine.tag("leader", first)?;
    /// engine.tag("leader", second)?; // Only one entity has the tag.
    /// assert_eq!(engine.entity_lists().tagged("leader"), Some(second));
    /// # Ok::<(), ecs::NoSuchEntity>(())
    /// ```
    pub fn tag(&mut self, tag: &str, entity: EntityId) -> Result<(), NoSuchEntity> {
        self.world.tag(tag, entity)
    }
}
