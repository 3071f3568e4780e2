//! Ids of entities that are valid across engines.

mod copies;

use std::fmt;

use slotmap::SecondaryMap;

use super::{EntityId, NoSuchEntity, compacted};
use crate::type_map::{FixedMap, map_bytes_held};

/// Identifies an entity across engines: the site that assigned the id, and a serial number of that site. It prints as
/// `7:42`.
///
/// An [`EntityId`] is valid only in its own engine. An entity that moves to another engine keeps its global id: the
/// other engine [adopts](crate::World::adopt_global_id) it. Global ids are unique if all engines have different
/// [sites](crate::EngineBuilder::site) and none is restored alone: a restored snapshot also sets the next serial back.
/// Restore all peers together, or call [`World::raise_next_serial`](crate::World::raise_next_serial) on the one that
/// was restored.
///
/// # Example
/// Two engines trade an entity:
/// ```
/// use ecs::Engine;
///
/// let (mut harbour, mut island) = (Engine::builder().site(7).build(), Engine::builder().site(8).build());
/// let ship = harbour.spawn((1.5_f32,));
/// let name = harbour.global_id(ship)?;
/// assert_eq!(name.to_string(), "7:0");
///
/// let cargo = *harbour.get::<f32>(ship).unwrap();
/// harbour.despawn(ship)?;
/// let arrived = island.spawn((cargo,));
/// island.adopt_global_id(arrived, name)?;
/// assert_eq!(island.entity_by_global_id(name), Some(arrived));
/// assert_eq!(harbour.entity_by_global_id(name), None);
/// # Ok::<(), ecs::entity::GlobalIdError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GlobalId {
    /// The site of the engine that assigned the id.
    pub site: u32,
    /// The number of the id within its site.
    pub serial: u32,
}

impl GlobalId {
    /// The id as 64 bits for sending or storing: the site in the high half, the serial in the low half.
    #[must_use]
    pub fn bits(self) -> u64 {
        u64::from(self.site) << 32 | u64::from(self.serial)
    }

    /// Restores an id from its [`GlobalId::bits`].
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        Self { site: (bits >> 32) as u32, serial: (bits & 0xFFFF_FFFF) as u32 }
    }
}

impl fmt::Display for GlobalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.site, self.serial)
    }
}

/// Why an entity cannot have a global id.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum GlobalIdError {
    /// Forgets a despawned entity.
    NoSuchEntity(NoSuchEntity),
    /// Another entity of this engine has the global id.
    Taken {
        /// The id to adopt.
        global_id: GlobalId,
        /// The entity that has it.
        by: EntityId,
    },
    /// The entity has another global id, which it keeps.
    AlreadyNamed {
        /// The entity.
        entity: EntityId,
        /// Its global id.
        global_id: GlobalId,
    },
    /// The global id is of this engine's own site, which has not assigned that serial yet.
    NotYetAssigned {
        /// The id to adopt.
        global_id: GlobalId,
        /// The next serial.
        next: u32,
    },
    /// The site has assigned all its serials.
    Exhausted {
        /// The site of the engine.
        site: u32,
    },
}

impl fmt::Display for GlobalIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchEntity(error) => error.fmt(f),
            Self::Taken { global_id, by } => {
                write!(f, "global id {global_id} is that of entity {by}: despawn it before another one adopts its name")
            }
            Self::AlreadyNamed { entity, global_id } => {
                write!(f, "entity {entity} has the global id {global_id} already: let a new entity adopt the other one")
            }
            Self::NotYetAssigned { global_id, next } => write!(
                f,
                "global id {global_id} is of this engine's own site, which will assign {next} next: build the engine with a \
                 first serial above those in use"
            ),
            Self::Exhausted { site } => {
                write!(f, "site {site} has assigned all its serials: build the engine with another site")
            }
        }
    }
}

crate::sentence::impl_error!(GlobalIdError);

impl From<NoSuchEntity> for GlobalIdError {
    fn from(error: NoSuchEntity) -> Self {
        Self::NoSuchEntity(error)
    }
}

/// The global ids of the entities of an engine, looked up both ways.
#[derive(Clone, Debug, Default)]
pub(crate) struct GlobalIds {
    pub(crate) site: u32,
    /// The next serial. The highest number is never assigned: it means that none are left.
    pub(crate) next: u32,
    by_entity: SecondaryMap<EntityId, GlobalId>,
    by_global_id: FixedMap<GlobalId, EntityId>,
    /// Whether anything may differ from the last snapshot.
    is_changed: bool,
}

impl GlobalIds {
    pub(crate) fn of(&self, entity: EntityId) -> Option<GlobalId> {
        self.by_entity.get(entity).copied()
    }

    pub(crate) fn entity(&self, global_id: GlobalId) -> Option<EntityId> {
        self.by_global_id.get(&global_id).copied()
    }

    /// The global id of an entity that exists, assigned if it has none.
    pub(crate) fn assign(&mut self, entity: EntityId) -> Result<GlobalId, GlobalIdError> {
        if let Some(known) = self.of(entity) {
            return Ok(known);
        }
        let Self { site, next, .. } = *self;
        self.next = next.checked_add(1).ok_or(GlobalIdError::Exhausted { site })?;
        let global_id = GlobalId { site, serial: next };
        self.set(entity, global_id);
        Ok(global_id)
    }

    /// Gives an entity that exists a global id from elsewhere.
    pub(crate) fn adopt(&mut self, entity: EntityId, global_id: GlobalId) -> Result<(), GlobalIdError> {
        if let Some(known) = self.of(entity) {
            let is_same = known == global_id;
            return is_same.then_some(()).ok_or(GlobalIdError::AlreadyNamed { entity, global_id: known });
        }
        if let Some(by) = self.entity(global_id) {
            return Err(GlobalIdError::Taken { global_id, by });
        }
        if global_id.site == self.site && global_id.serial >= self.next {
            return Err(GlobalIdError::NotYetAssigned { global_id, next: self.next });
        }
        self.set(entity, global_id);
        Ok(())
    }

    /// Assigns nothing below `least` from now on.
    pub(crate) fn raise_next(&mut self, least: u32) {
        self.is_changed |= least > self.next;
        self.next = self.next.max(least);
    }

    fn set(&mut self, entity: EntityId, global_id: GlobalId) {
        self.is_changed = true;
        self.by_entity.insert(entity, global_id);
        self.by_global_id.insert(global_id, entity);
    }

    /// Forgets a despawned entity.
    #[inline]
    pub(crate) fn forget(&mut self, entity: EntityId) {
        if self.by_entity.is_empty() {
            return;
        }
        if let Some(global_id) = self.by_entity.remove(entity) {
            self.is_changed = true;
            self.by_global_id.remove(&global_id);
        }
    }

    pub(crate) fn shrink(&mut self) {
        self.by_entity = compacted(&self.by_entity);
        self.by_global_id.shrink_to_fit();
    }

    /// Bytes on the heap.
    pub(crate) fn held_bytes(&self) -> usize {
        self.by_entity.capacity() * size_of::<(u32, GlobalId)>() + map_bytes_held(&self.by_global_id)
    }
}
