//! Parents and children: making them, and walking up and down.

use std::slice::Iter;
#[cfg(feature = "prefabs")]
use std::sync::Arc;

use super::World;
use crate::component::Bundle;
use crate::entity::{EntityId, NoSuchEntity};
use crate::error::CommandFailure;
use crate::relation::{ChildOf, Children, LinkedFrom, Links, Parent, Relation};

/// Hierarchies: see [`hierarchy`](crate::hierarchy). Disabled entities are included.
impl World {
    /// The parent of `child`, if it has one. O(1).
    ///
    /// # Example
    /// See [`World::descendants`].
    #[must_use]
    pub fn parent(&self, child: EntityId) -> Option<EntityId> {
        self.get::<ChildOf>(child).map(ChildOf::parent)
    }

    /// The children of `parent`, in order. O(1).
    ///
    /// # Example
    /// See [`World::descendants`].
    #[must_use]
    pub fn children(&self, parent: EntityId) -> &[EntityId] {
        self.get::<Children>(parent).map_or(&[], |children| children)
    }

    /// The child of `parent` with this name in its prefab. O(number of children).
    ///
    /// # Example
    /// ```
    /// # #[cfg(feature = "prefabs")]
    /// # {
    /// # use ecs::Engine;
    /// use ecs::hierarchy::ChildOf;
    /// use ecs::prefab::Prefabs;
    ///
    /// let mut prefabs = Prefabs::default();
    /// prefabs.load("tank.ron", r#"{ "tank": (children: { "turret": () }) }"#).unwrap();
    /// let mut engine = Engine::new();
    /// engine.insert_resource(prefabs);
    /// let tank = engine.spawn_prefab("tank").unwrap();
    /// let turret = engine.child_named(tank, "turret").unwrap();
    /// assert_eq!(engine.get::<ChildOf>(turret).unwrap().name(), Some("turret"));
    /// # }
    /// ```
    #[must_use]
    pub fn child_named(&self, parent: EntityId, name: &str) -> Option<EntityId> {
        named(self.children(parent), name, |child| self.get::<ChildOf>(child))
    }

    /// The parent of `entity`, the parent of that one, and so on up to the root.
    ///
    /// # Example
    /// See [`World::descendants`].
    pub fn ancestors(&self, entity: EntityId) -> impl Iterator<Item = EntityId> {
        std::iter::successors(self.parent(entity), |entity| self.parent(*entity))
    }

    /// All entities below `entity`, depth first, children in order: each parent comes before its children.
    ///
    /// # Example
    /// ```
    /// let mut engine = ecs::Engine::new();
    /// let tank = engine.spawn(("tank",));
    /// let turret = engine.spawn_child(tank, ("turret",))?;
    /// engine.spawn_child(tank, ("hatch",))?;
    /// let barrel = engine.spawn_child(turret, ("barrel",))?;
    /// let names: Vec<&str> = engine.descendants(tank).map(|entity| *engine.get::<&str>(entity).unwrap()).collect();
    /// assert_eq!(names, ["turret", "barrel", "hatch"]);
    /// assert!(engine.ancestors(barrel).eq([turret, tank]));
    /// # Ok::<(), ecs::NoSuchEntity>(())
    /// ```
    pub fn descendants(&self, entity: EntityId) -> impl Iterator<Item = EntityId> {
        Descendants::new(entity, |entity| self.children(entity))
    }
}

/// Relations: see [`Relation`]. Disabled entities are included.
impl World {
    /// The targets of the links from `source` with their data, in the order in which they were made.
    ///
    /// # Example
    /// See [`Engine::relate`](crate::Engine::relate).
    pub fn related<R: Relation>(&self, source: EntityId) -> impl Iterator<Item = (EntityId, &R)> {
        self.get::<Links<R>>(source).into_iter().flat_map(Links::iter)
    }

    /// The sources of the links to `target`, in the order in which they were made. O(1).
    ///
    /// # Example
    /// See [`Engine::relate`](crate::Engine::relate).
    #[must_use]
    pub fn related_to<R: Relation>(&self, target: EntityId) -> &[EntityId] {
        self.get::<LinkedFrom<R>>(target).map_or(&[], |linked_from| linked_from)
    }

    /// The data of the link from `source` to `target`, if there is one. O(number of links from `source`).
    ///
    /// # Example
    /// See [`World::relation_mut`].
    #[must_use]
    pub fn relation<R: Relation>(&self, source: EntityId, target: EntityId) -> Option<&R> {
        self.get::<Links<R>>(source)?.get(target)
    }

    /// The data of the link from `source` to `target` for writing. O(number of links from `source`).
    ///
    /// # Example
    /// ```
    /// # use ecs::relation::Relation;
    /// struct DockedAt { berth: u8 }
    /// impl Relation for DockedAt {}
    ///
    /// let mut engine = ecs::Engine::new();
    /// let (ship, port) = (engine.spawn(()), engine.spawn(()));
    /// engine.relate(ship, port, DockedAt { berth: 1 })?;
    /// engine.relation_mut::<DockedAt>(ship, port).unwrap().berth = 7;
    /// assert_eq!(engine.relation::<DockedAt>(ship, port).unwrap().berth, 7);
    /// # Ok::<(), ecs::CommandFailure>(())
    /// ```
    pub fn relation_mut<R: Relation>(&mut self, source: EntityId, target: EntityId) -> Option<&mut R> {
        self.components.link_mut::<Links<R>>(source)?.get_mut(target)
    }
}

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

pub(crate) fn named<'a>(
    children: &[EntityId],
    name: &str,
    child_of: impl Fn(EntityId) -> Option<&'a ChildOf>,
) -> Option<EntityId> {
    children.iter().copied().find(|child| child_of(*child).is_some_and(|child_of| child_of.name() == Some(name)))
}

/// Levels of a hierarchy that are walked without an allocation.
const INLINE: usize = 16;

/// A walk over all descendants, depth first.
pub(crate) struct Descendants<'a, F> {
    children: F,
    /// For each level from the top, the children that are not visited yet.
    levels: [Iter<'a, EntityId>; INLINE],
    deeper: Vec<Iter<'a, EntityId>>,
    depth: usize,
}

impl<'a, F: Fn(EntityId) -> &'a [EntityId]> Descendants<'a, F> {
    pub(crate) fn new(entity: EntityId, children: F) -> Self {
        let levels = std::array::from_fn(|_| [].iter());
        let mut walk = Self { children, levels, deeper: Vec::new(), depth: 0 };
        walk.enter(entity);
        walk
    }

    fn enter(&mut self, entity: EntityId) {
        let children = (self.children)(entity).iter();
        match self.levels.get_mut(self.depth) {
            Some(level) => *level = children,
            None => self.deeper.push(children),
        }
        self.depth += 1;
    }
}

impl<'a, F: Fn(EntityId) -> &'a [EntityId]> Iterator for Descendants<'a, F> {
    type Item = EntityId;

    fn next(&mut self) -> Option<EntityId> {
        while self.depth > 0 {
            let level = self.deeper.last_mut().unwrap_or_else(|| &mut self.levels[self.depth - 1]);
            if let Some(entity) = level.next().copied() {
                self.enter(entity);
                return Some(entity);
            }
            self.deeper.pop();
            self.depth -= 1;
        }
        None
    }
}
