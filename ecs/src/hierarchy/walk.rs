//! Walking up and down: the methods of [`World`], and the parameter [`Hierarchy`].

use std::slice::Iter;

use super::{ChildOf, Children};
use crate::entity::EntityId;
use crate::query::{IncludeDisabled, Query};
use crate::relation::{LinkedFrom, Links, Relation};
use crate::system::{Access, Param, RunContext};
use crate::world::World;

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

/// Walks up and down hierarchies; a parameter of systems and listeners. Disabled entities are included.
///
/// It reads [`ChildOf`] and [`Children`], which nothing writes during a frame, so it conflicts with no system.
///
/// # Example
/// ```
/// use ecs::prelude::*;
///
/// struct Mass(f32);
///
/// let mut engine = Engine::new();
/// let tank = engine.spawn((Mass(9.0),));
/// let turret = engine.spawn_child(tank, (Mass(2.0),))?;
/// engine.spawn_child(turret, (Mass(1.0),))?;
/// let total = engine.run(move |hierarchy: Hierarchy, masses: Query<&Mass>| {
///     let mass = |entity| masses.get(entity).map_or(0.0, |mass| mass.0);
///     mass(tank) + hierarchy.descendants(tank).map(mass).sum::<f32>()
/// })?;
/// assert_eq!(total, 12.0);
///
/// engine.run(move |hierarchy: Hierarchy| {
///     let barrel = hierarchy.children(turret)[0];
///     assert_eq!(hierarchy.parent(barrel), Some(turret));
///     assert!(hierarchy.ancestors(barrel).eq([turret, tank]));
///     assert_eq!(hierarchy.child_named(tank, "turret"), None, "only prefabs name their children");
/// })?;
/// # Ok::<(), ecs::Error>(())
/// ```
pub struct Hierarchy<'w> {
    child_of: Query<'w, &'static ChildOf, IncludeDisabled>,
    children: Query<'w, &'static Children, IncludeDisabled>,
}

impl Hierarchy<'_> {
    /// As [`World::parent`].
    ///
    /// # Example
    /// See [`Hierarchy`].
    #[must_use]
    pub fn parent(&self, child: EntityId) -> Option<EntityId> {
        self.child_of.get(child).map(ChildOf::parent)
    }

    /// As [`World::children`].
    ///
    /// # Example
    /// See [`Hierarchy`].
    #[must_use]
    pub fn children(&self, parent: EntityId) -> &[EntityId] {
        self.children.get(parent).map_or(&[], |children| children)
    }

    /// As [`World::child_named`].
    ///
    /// # Example
    /// See [`Hierarchy`].
    #[must_use]
    pub fn child_named(&self, parent: EntityId, name: &str) -> Option<EntityId> {
        named(self.children(parent), name, |child| self.child_of.get(child))
    }

    /// As [`World::ancestors`].
    ///
    /// # Example
    /// See [`Hierarchy`].
    pub fn ancestors(&self, entity: EntityId) -> impl Iterator<Item = EntityId> {
        std::iter::successors(self.parent(entity), |entity| self.parent(*entity))
    }

    /// As [`World::descendants`].
    ///
    /// # Example
    /// See [`Hierarchy`].
    pub fn descendants(&self, entity: EntityId) -> impl Iterator<Item = EntityId> {
        Descendants::new(entity, |entity| self.children(entity))
    }
}

type HierarchyQueries =
    (Query<'static, &'static ChildOf, IncludeDisabled>, Query<'static, &'static Children, IncludeDisabled>);

impl Param for Hierarchy<'_> {
    type State = <HierarchyQueries as Param>::State;
    type Guard<'w> = <HierarchyQueries as Param>::Guard<'w>;
    type Item<'g> = Hierarchy<'g>;

    fn prepare(world: &mut World, access: &mut Access) -> Self::State {
        HierarchyQueries::prepare(world, access)
    }

    fn guard<'w>(state: &'w Self::State, context: &'w RunContext<'w>) -> Self::Guard<'w> {
        HierarchyQueries::guard(state, context)
    }

    fn item<'g>(guard: &'g mut Self::Guard<'_>) -> Hierarchy<'g> {
        let (child_of, children) = HierarchyQueries::item(guard);
        Hierarchy { child_of, children }
    }
}

fn named<'a>(
    children: &[EntityId],
    name: &str,
    child_of: impl Fn(EntityId) -> Option<&'a ChildOf>,
) -> Option<EntityId> {
    children.iter().copied().find(|child| child_of(*child).is_some_and(|child_of| child_of.name() == Some(name)))
}

/// Levels of a hierarchy that are walked without an allocation.
const INLINE: usize = 16;

/// A walk over all descendants, depth first.
struct Descendants<'a, F> {
    children: F,
    /// For each level from the top, the children that are not visited yet.
    levels: [Iter<'a, EntityId>; INLINE],
    deeper: Vec<Iter<'a, EntityId>>,
    depth: usize,
}

impl<'a, F: Fn(EntityId) -> &'a [EntityId]> Descendants<'a, F> {
    fn new(entity: EntityId, children: F) -> Self {
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
