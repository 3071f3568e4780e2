//! Parents and children: a [`Relation`](crate::relation::Relation) that is exclusive, has no cycles, and despawns the
//! children with their parent.
//!
//! [`Engine::set_parent`](crate::Engine::set_parent) attaches a child or moves it to another parent,
//! [`Engine::remove_parent`](crate::Engine::remove_parent) detaches it,
//! [`Engine::spawn_child`](crate::Engine::spawn_child) spawns it with its parent; [`Commands`](crate::Commands) have
//! the same methods. Queries read the components [`ChildOf`] and [`Children`]. Systems walk up and down with the
//! parameter [`Hierarchy`]; other code calls the methods of [`World`].
//!
//! Despawning a parent despawns its descendants after it, depth first, in order, with all their events. Removing the
//! component [`ChildOf`] detaches the child; removing [`Children`] detaches all children, which stay. Enabling and
//! disabling a parent does not affect its descendants: disable each of [`World::descendants`] if they are to follow.
//!
//! [`Related<Parent>`](crate::relation::Related) and [`Unrelated<Parent>`](crate::relation::Unrelated) announce each
//! child that gained or lost a parent.

use crate::entity::EntityId;
use crate::query::{Access, IncludeDisabled, Query};
#[doc(inline)]
pub use crate::relation::{ChildOf, Children, Parent};
use crate::system::{Param, RunContext};
use crate::world::{Descendants, World, named};

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
    const HAS_QUERY: bool = HierarchyQueries::HAS_QUERY;

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
