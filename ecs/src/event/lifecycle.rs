//! The events that the engine sends when entities and components change.
//!
//! They are sent when the change is applied, and only if a system listens. Within a frame they are delivered in its
//! last dispatch; commands that are recorded there are applied in the same frame.

use std::marker::PhantomData;

use super::Event;
use crate::entity::EntityId;
use crate::ids::Component;
use crate::stable_hash::{StableHash, StateHasher};

/// Whether the engine itself sends events of type `E`. For reports only: it compares the names of types.
pub(super) fn is_lifecycle<E>() -> bool {
    std::any::type_name::<E>().strip_prefix(module_path!()).is_some_and(|rest| rest.starts_with("::"))
}

/// An event that concerns an entity, or several, so that it can be observed there
/// ([`Engine::observe`](crate::Engine::observe)) or filtered by components
/// ([`Engine::listen_filtered`](crate::Engine::listen_filtered)).
///
/// # Example
/// ```
/// use ecs::EntityId;
/// use ecs::event::EntityEvent;
///
/// #[derive(Clone, Copy)]
/// struct Hit { target: EntityId, damage: u32 }
///
/// impl EntityEvent for Hit {
///     fn entity(&self) -> EntityId {
///         self.target
///     }
/// }
///
/// #[derive(Clone, Copy)]
/// struct Collision { one: EntityId, other: EntityId }
///
/// impl EntityEvent for Collision {
///     fn entity(&self) -> EntityId {
///         self.one
///     }
///
///     fn entities(&self) -> impl IntoIterator<Item = EntityId> {
///         [self.one, self.other]
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which entity it concerns",
    label = "implement `ecs::event::EntityEvent` for it, or listen to all of these events with `Engine::listen`"
)]
pub trait EntityEvent: Event {
    /// The entity that the event concerns, the first if it concerns several.
    fn entity(&self) -> EntityId;

    /// All entities that the event concerns, always the same for one event: by default
    /// [`entity`](EntityEvent::entity). Observers of each of them hear the event, in this order and each once.
    fn entities(&self) -> impl IntoIterator<Item = EntityId> {
        [self.entity()]
    }
}

/// An entity was spawned; all its components are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spawned {
    /// The new entity.
    pub entity: EntityId,
}

/// An entity was despawned, and its id is stale. The last values of its components are in [`Removed`], sent just
/// before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Despawned {
    /// The id that the entity had.
    pub entity: EntityId,
}

/// An entity is about to be despawned by a command, and still has all its components.
///
/// Its listeners are called in step 6, right before the command despawns the entity and its descendants: once for each
/// entity that goes, and for no other. It is too late to keep the entity. Commands of the listeners are applied when
/// step 6 repeats, when the entity is gone; their events are delivered in step 7. A despawn between frames, as by
/// [`Engine::despawn`](crate::Engine::despawn) or [`Engine::run`](crate::Engine::run), sends no such event, because
/// listeners are called within frames only: the caller has the entity at hand.
///
/// # Example
/// ```
/// # use std::time::Duration;
/// # use ecs::{Commands, Engine, EntityId, Query, With};
/// # use ecs::event::Despawning;
/// struct Monster;
/// struct Loot(Vec<&'static str>);
/// struct Dropped(&'static str);
///
/// let mut engine = Engine::new();
/// engine.listen_filtered::<With<Monster>, _, _>(|it: &Despawning, mut loot: Query<&mut Loot>, mut commands: Commands| {
///     if let Some(loot) = loot.get_mut(it.entity) {
///         loot.0.drain(..).for_each(|item| commands.spawn((Dropped(item),)));
///     }
/// })?;
/// let troll = engine.spawn((Monster, Loot(vec!["club", "gold"])));
/// engine.after(Duration::ZERO, move |mut commands: Commands| commands.despawn(troll))?;
/// engine.update(Duration::ZERO)?;
/// assert!(!engine.contains(troll));
/// assert_eq!(engine.query::<&Dropped>().count(), 2);
/// # Ok::<(), ecs::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Despawning {
    /// The entity.
    pub entity: EntityId,
}

/// A disabled entity was enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Enabled {
    /// The entity.
    pub entity: EntityId,
}

/// An enabled entity was disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Disabled {
    /// The entity.
    pub entity: EntityId,
}

/// A component was inserted into an entity that did not have it. Replacing one sends [`Replaced`].
///
/// `Added<T>` is also a filter of queries, which finds the entities whose `T` was inserted since this method of the
/// system last ran; see [`Changed`](crate::Changed). Of a component that was removed and inserted again, the event
/// tells each time, the filter once.
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = ""))]
pub struct Added<T> {
    /// The entity.
    pub entity: EntityId,
    #[cfg_attr(feature = "serde", serde(skip))]
    component: PhantomData<fn(T)>,
}

impl<T> Added<T> {
    pub(crate) fn new(entity: EntityId) -> Self {
        Self { entity, component: PhantomData }
    }
}

impl<T> Clone for Added<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Added<T> {}

/// A component was removed, by itself or with its entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Removed<T> {
    /// The entity; its id is stale if it was despawned.
    pub entity: EntityId,
    /// The last value of the component; `None` if [`Engine::take`](crate::Engine::take) returned it, or
    /// [`Engine::move_component`](crate::Engine::move_component) gave it to another entity.
    pub value: Option<T>,
}

/// A component was replaced by another one, which was inserted into the same entity. What is written by `&mut` is not
/// replaced: see [`Changed`](crate::Changed).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Replaced<T> {
    /// The entity. It may have yet another value by now.
    pub entity: EntityId,
    /// The value that was replaced.
    pub old: T,
}

// Events of any component, also one that pins itself.
impl<T> Unpin for Removed<T> {}
impl<T> Unpin for Replaced<T> {}

macro_rules! entity_events {
    ($($name:ty),*) => {
        $(impl EntityEvent for $name {
            fn entity(&self) -> EntityId {
                self.entity
            }
        })*
    };
}

entity_events!(Spawned, Despawning, Despawned, Enabled, Disabled);

impl<T: 'static> EntityEvent for Added<T> {
    fn entity(&self) -> EntityId {
        self.entity
    }
}

impl<T: Component> EntityEvent for Removed<T> {
    fn entity(&self) -> EntityId {
        self.entity
    }
}

impl<T: Component> EntityEvent for Replaced<T> {
    fn entity(&self) -> EntityId {
        self.entity
    }
}

/// A link of relation `R` was made. Replacing the data of a link sends no event.
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = ""))]
pub struct Related<R> {
    /// The entity with the component [`Links<R>`](crate::relation::Links).
    pub source: EntityId,
    /// The entity with the component [`LinkedFrom<R>`](crate::relation::LinkedFrom).
    pub target: EntityId,
    #[cfg_attr(feature = "serde", serde(skip))]
    relation: PhantomData<fn(R)>,
}

/// A link of relation `R` ended: it was removed or replaced, or one of its entities was despawned, whose id is then
/// stale.
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = ""))]
pub struct Unrelated<R> {
    /// The source of the link.
    pub source: EntityId,
    /// The target of the link.
    pub target: EntityId,
    #[cfg_attr(feature = "serde", serde(skip))]
    relation: PhantomData<fn(R)>,
}

macro_rules! link_event {
    ($($event:ident)*) => {
        $(
            impl<R> $event<R> {
                pub(crate) fn new(source: EntityId, target: EntityId) -> Self {
                    Self { source, target, relation: PhantomData }
                }
            }

            impl<R> Clone for $event<R> {
                fn clone(&self) -> Self {
                    *self
                }
            }

            impl<R> Copy for $event<R> {}

            /// It concerns the source.
            impl<R: 'static> EntityEvent for $event<R> {
                fn entity(&self) -> EntityId {
                    self.source
                }
            }
        )*
    };
}

link_event!(Related Unrelated);

macro_rules! lifecycle {
    ($($event:ident)+) => {
        $(impl StableHash for $event {
            fn stable_hash(&self, hash: &mut StateHasher) {
                self.entity.stable_hash(hash);
            }
        })+
    };
}

lifecycle!(Spawned Despawned Enabled Disabled);

impl<T> StableHash for Added<T> {
    fn stable_hash(&self, hash: &mut StateHasher) {
        self.entity.stable_hash(hash);
    }
}

impl<R> StableHash for Related<R> {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(&self.source).add(&self.target);
    }
}

impl<R> StableHash for Unrelated<R> {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(&self.source).add(&self.target);
    }
}

impl<T: StableHash> StableHash for Removed<T> {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(&self.entity).add(&self.value);
    }
}

impl<T: StableHash> StableHash for Replaced<T> {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(&self.entity).add(&self.old);
    }
}
