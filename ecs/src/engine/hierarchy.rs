//! Changes of hierarchies and relations from outside of a frame.

use super::Engine;
use crate::component::Bundle;
use crate::entity::{EntityId, NoSuchEntity};
use crate::error::CommandFailure;
use crate::relation::Relation;

/// Parents and children: see [`hierarchy`](crate::hierarchy).
impl Engine {
    /// Makes `child` the last child of `parent`; it leaves its previous parent. A child that has this parent already
    /// keeps its place.
    ///
    /// O(siblings of before), and O(depth of `parent`) if the child has children of its own.
    ///
    /// # Errors
    /// - [`CommandFailure::NoSuchEntity`] if one of the two is gone.
    /// - [`CommandFailure::Cycle`] if `parent` is the child itself or one of its descendants.
    ///
    /// # Example
    /// ```
    /// let mut engine = ecs::Engine::new();
    /// let (tank, turret) = (engine.spawn(()), engine.spawn(()));
    /// engine.set_parent(turret, tank)?;
    /// assert_eq!(engine.parent(turret), Some(tank));
    /// assert!(engine.set_parent(tank, turret).is_err(), "that would be a cycle");
    /// engine.despawn(tank)?;
    /// assert!(!engine.contains(turret));
    /// # Ok::<(), ecs::CommandFailure>(())
    /// ```
    pub fn set_parent(&mut self, child: EntityId, parent: EntityId) -> Result<(), CommandFailure> {
        self.world.set_parent(child, parent)
    }

    /// Detaches `child` from its parent; both stay. O(siblings).
    ///
    /// # Errors
    /// - [`CommandFailure::NoSuchEntity`] if the child is gone.
    /// - [`CommandFailure::NoSuchComponent`] if it has no parent.
    ///
    /// # Example
    /// ```
    /// let mut engine = ecs::Engine::new();
    /// let tank = engine.spawn(());
    /// let turret = engine.spawn_child(tank, ())?;
    /// engine.remove_parent(turret)?;
    /// engine.despawn(tank)?;
    /// assert!(engine.contains(turret), "it stays");
    /// # Ok::<(), ecs::CommandFailure>(())
    /// ```
    pub fn remove_parent(&mut self, child: EntityId) -> Result<(), CommandFailure> {
        self.world.remove_parent(child)
    }

    /// Spawns an entity with the components of `bundle` as the last child of `parent`; returns its id.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if the parent is gone; nothing was spawned, the bundle was dropped.
    ///
    /// # Example
    /// See [`Engine::remove_parent`].
    pub fn spawn_child<B: Bundle>(&mut self, parent: EntityId, bundle: B) -> Result<EntityId, NoSuchEntity> {
        self.world.spawn_child(parent, bundle)
    }
}

/// Relations: see [`Relation`].
impl Engine {
    /// Links `source` to `target`. If they are linked already, `relation` replaces the data of the link, which keeps
    /// its place. A link of an [exclusive](Relation::EXCLUSIVE) relation replaces the one to another target.
    ///
    /// # Errors
    /// - [`CommandFailure::NoSuchEntity`] if one of the two is gone; `relation` was dropped.
    /// - [`CommandFailure::Cycle`], as [`Engine::set_parent`], if the relation is [`Parent`](crate::hierarchy::Parent).
    ///
    /// # Example
    /// ```
    /// # use ecs::relation::Relation;
    /// struct Likes(u8);
    /// impl Relation for Likes {}
    ///
    /// let mut engine = ecs::Engine::new();
    /// let [anna, berta, carl] = [(); 3].map(|()| engine.spawn(()));
    /// engine.relate(anna, berta, Likes(3))?;
    /// engine.relate(anna, carl, Likes(5))?;
    /// engine.relate(berta, carl, Likes(1))?;
    /// assert_eq!(engine.related::<Likes>(anna).map(|(target, likes)| (target, likes.0)).collect::<Vec<_>>(), [(berta, 3), (carl, 5)]);
    /// assert_eq!(engine.related_to::<Likes>(carl), [anna, berta]);
    /// engine.despawn(anna)?;
    /// assert_eq!(engine.related_to::<Likes>(carl), [berta]);
    /// # Ok::<(), ecs::CommandFailure>(())
    /// ```
    pub fn relate<R: Relation>(
        &mut self,
        source: EntityId,
        target: EntityId,
        relation: R,
    ) -> Result<(), CommandFailure> {
        self.world.relate(source, target, relation)?;
        Ok(())
    }

    /// Ends the link from `source` to `target`. O(links of the source and of the target).
    ///
    /// # Errors
    /// - [`CommandFailure::NoSuchEntity`] if one of the two is gone.
    /// - [`CommandFailure::NotRelated`] if there is no such link.
    ///
    /// # Example
    /// ```
    /// # use ecs::relation::Relation;
    /// struct Likes(u8);
    /// impl Relation for Likes {}
    ///
    /// let mut engine = ecs::Engine::new();
    /// let (anna, berta) = (engine.spawn(()), engine.spawn(()));
    /// engine.relate(anna, berta, Likes(3))?;
    /// engine.unrelate::<Likes>(anna, berta)?;
    /// assert!(engine.related_to::<Likes>(berta).is_empty());
    /// assert!(engine.unrelate::<Likes>(anna, berta).is_err(), "there is no link any more");
    /// # Ok::<(), ecs::CommandFailure>(())
    /// ```
    pub fn unrelate<R: Relation>(&mut self, source: EntityId, target: EntityId) -> Result<(), CommandFailure> {
        self.world.unrelate::<R>(source, target)
    }
}
