//! Parents and children: a [`Relation`] that is exclusive, has no cycles, and despawns the children with their parent.
//!
//! [`Engine::set_parent`](crate::Engine::set_parent) attaches a child or moves it to another parent,
//! [`Engine::remove_parent`](crate::Engine::remove_parent) detaches it, [`Engine::spawn_child`](crate::Engine::spawn_child) spawns it with
//! its parent; [`Commands`](crate::Commands) have the same methods. Queries read the components [`ChildOf`] and [`Children`]. Systems walk up
//! and down with the parameter [`Hierarchy`]; other code calls the methods of [`World`].
//!
//! Despawning a parent despawns its descendants after it, depth first, in order, with all their events. Removing the component [`ChildOf`]
//! detaches the child; removing [`Children`] detaches all children, which stay. Enabling and disabling a parent does not affect its
//! descendants: disable each of [`World::descendants`] if they are to follow.
//!
//! [`Related<Parent>`](crate::relation::Related) and [`Unrelated<Parent>`](crate::relation::Unrelated) announce each child that gained or lost
//! a parent.

mod walk;

use std::sync::Arc;

pub use self::walk::Hierarchy;
use crate::component::Bundle;
use crate::entity::{EntityId, NoSuchEntity};
use crate::error::CommandFailure;
use crate::relation::{Cleanup, LinkedFrom, Links, Relation};
use crate::stable_hash::{StableHash, StateHasher};
use crate::world::World;

/// The relation of a child, the source, to its parent, the target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(from = "String", into = "String"))]
pub struct Parent {
    /// The name of the child in its prefab; empty without one.
    name: Option<Arc<str>>,
}

impl Relation for Parent {
    const EXCLUSIVE: bool = true;
    const ON_TARGET_DESPAWN: Cleanup = Cleanup::DespawnSource;
}

#[cfg(feature = "serde")]
impl From<String> for Parent {
    fn from(name: String) -> Self {
        Self { name: (!name.is_empty()).then(|| name.into()) }
    }
}

#[cfg(feature = "serde")]
impl From<Parent> for String {
    fn from(parent: Parent) -> Self {
        parent.name.as_deref().unwrap_or_default().to_owned()
    }
}

impl StableHash for Parent {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(self.name.as_deref().unwrap_or_default());
    }
}

/// Component of each child: its parent.
pub type ChildOf = Links<Parent>;

impl ChildOf {
    /// The parent.
    ///
    /// # Example
    /// ```
    /// use ecs::hierarchy::ChildOf;
    ///
    /// let mut engine = ecs::Engine::new();
    /// let tank = engine.spawn(("tank",));
    /// let turret = engine.spawn_child(tank, ("turret",))?;
    /// let child_of = engine.get::<ChildOf>(turret).unwrap();
    /// assert_eq!((child_of.parent(), child_of.name()), (tank, None));
    /// # Ok::<(), ecs::NoSuchEntity>(())
    /// ```
    #[must_use]
    pub fn parent(&self) -> EntityId {
        self.first().0
    }

    /// The name of the child in the prefab that it was spawned from; `None` without one, and after it moved to another parent.
    ///
    /// # Example
    /// See [`World::child_named`].
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.first().1.name.as_deref()
    }
}

/// Component of each entity with children: the children, in the order in which they were attached. It reads like a slice.
///
/// # Example
/// ```
/// use ecs::prelude::*;
///
/// fn largest(parents: Query<(EntityId, &Children)>) -> Option<EntityId> {
///     parents.iter().max_by_key(|(_, children)| children.len()).map(|(parent, _)| parent)
/// }
///
/// let mut engine = Engine::new();
/// let [small, large] = [1, 3].map(|count| {
///     let parent = engine.spawn(());
///     (0..count).for_each(|_| _ = engine.spawn_child(parent, ()));
///     parent
/// });
/// assert_eq!(largest(engine.query()), Some(large));
/// engine.despawn(large)?;
/// assert_eq!(largest(engine.query()), Some(small));
/// # Ok::<(), ecs::NoSuchEntity>(())
/// ```
pub type Children = LinkedFrom<Parent>;

impl World {
    pub(crate) fn set_parent(&mut self, child: EntityId, parent: EntityId) -> Result<(), CommandFailure> {
        self.check_exists(child)?;
        self.check_exists(parent)?;
        if self.parent(child) == Some(parent) {
            return Ok(());
        }
        self.relate(child, parent, Parent::default())?;
        Ok(())
    }

    /// # Errors
    /// [`CommandFailure::Cycle`] if `parent` is the child itself or one of its descendants.
    pub(crate) fn check_no_cycle(&self, child: EntityId, parent: EntityId) -> Result<(), CommandFailure> {
        // Only an entity with children can be an ancestor.
        if child == parent || self.has::<Children>(child) && self.ancestors(parent).any(|ancestor| ancestor == child) {
            return Err(CommandFailure::Cycle { child, parent });
        }
        Ok(())
    }

    pub(crate) fn remove_parent(&mut self, child: EntityId) -> Result<(), CommandFailure> {
        self.remove::<ChildOf>(child)
    }

    pub(crate) fn spawn_child<B: Bundle>(&mut self, parent: EntityId, bundle: B) -> Result<EntityId, NoSuchEntity> {
        self.check_exists(parent)?;
        let child = self.spawn_bare();
        self.fill_child(child, parent, |world| world.insert(child, bundle));
        Ok(child)
    }

    /// Attaches a new entity, gives it its components by `fill`, and announces it, even if `fill` panics.
    pub(crate) fn fill_child<R>(
        &mut self,
        child: EntityId,
        parent: EntityId,
        fill: impl FnOnce(&mut Self) -> Result<R, NoSuchEntity>,
    ) {
        self.fill_new(child, |world| {
            world.link(child, parent, Parent::default()); // The caller checked that the parent exists.
            let filled = fill(world);
            debug_assert!(filled.is_ok(), "an entity that was just spawned exists");
        });
    }
}

/// Children of prefabs.
#[cfg(feature = "prefabs")]
impl World {
    /// Gives a new entity its parent, which has it among its children already.
    pub(crate) fn put_child_of(&mut self, child: EntityId, parent: EntityId, name: Arc<str>) {
        self.add_link(child, parent, Parent { name: Some(name) });
    }

    /// The children of a parent with their names.
    pub(crate) fn named_children(&self, parent: EntityId) -> Vec<(Option<Arc<str>>, EntityId)> {
        let name = |child: &EntityId| self.get::<ChildOf>(*child)?.first().1.name.clone();
        self.children(parent).iter().map(|child| (name(child), *child)).collect()
    }
}
