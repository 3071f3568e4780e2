//! The relation of children to their parent.

use std::sync::Arc;

use super::{Cleanup, LinkedFrom, Links, Relation};
use crate::entity::EntityId;
use crate::stable_hash::{StableHash, StateHasher};

/// The relation of a child, the source, to its parent, the target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(from = "String", into = "String"))]
pub struct Parent {
    /// The name of the child in its prefab; empty without one.
    pub(crate) name: Option<Arc<str>>,
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

    /// The name of the child in the prefab that it was spawned from; `None` without one, and after it moved to another
    /// parent.
    ///
    /// # Example
    /// See [`World::child_named`](crate::World::child_named).
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.first().1.name.as_deref()
    }
}

/// Component of each entity with children: the children, in the order in which they were attached. It reads like a
/// slice.
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
