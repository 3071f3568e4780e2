//! Names of entities that hold across engines.

mod copies;

use std::fmt;

use slotmap::SecondaryMap;

use super::{EntityId, NoSuchEntity, without_gaps};
use crate::type_map::{FixedMap, map_bytes_held};

/// Names an entity across engines: the site that named it first, and a serial number of that site. It prints as `7:42`.
///
/// An [`EntityId`] means something in its own engine only. A global id stays with the entity when it goes to another engine,
/// which [adopts](crate::World::adopt_global_id) it. It is unique as long as no two engines are built with the same
/// [site](crate::EngineBuilder::site), and none goes back in time by itself: a snapshot that is put back takes the next serial
/// back, too, since what comes then is to be what came before. All who trade are put back together, or the one who was calls
/// [`World::raise_next_serial`](crate::World::raise_next_serial).
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
    /// The engine that named the entity first.
    pub site: u32,
    /// Its number among all that this engine named.
    pub serial: u32,
}

impl GlobalId {
    /// The id as 64 bits, to be sent or stored: the site in the high half, the serial in the low one.
    #[must_use]
    pub fn bits(self) -> u64 {
        u64::from(self.site) << 32 | u64::from(self.serial)
    }

    /// The id whose [`GlobalId::bits`] these are.
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

/// Why an entity can not have a global id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalIdError {
    /// The entity is gone.
    NoSuchEntity(NoSuchEntity),
    /// Another entity of this engine has the global id.
    Taken {
        /// What was to be adopted.
        global_id: GlobalId,
        /// Who has it.
        by: EntityId,
    },
    /// The entity has another global id, which it keeps.
    AlreadyNamed {
        /// The entity.
        entity: EntityId,
        /// What it is called.
        global_id: GlobalId,
    },
    /// The global id is of this engine's own site, which has not come to that serial.
    NotYetAssigned {
        /// What was to be adopted.
        global_id: GlobalId,
        /// The serial that is assigned next.
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

impl std::error::Error for GlobalIdError {}

impl From<NoSuchEntity> for GlobalIdError {
    fn from(error: NoSuchEntity) -> Self {
        Self::NoSuchEntity(error)
    }
}

/// The global ids of the entities of an engine, looked up both ways.
#[derive(Clone, Debug, Default)]
pub(crate) struct GlobalIds {
    pub(crate) site: u32,
    /// What is assigned next. The highest number is never assigned: it says that there are none left.
    pub(crate) next: u32,
    by_entity: SecondaryMap<EntityId, GlobalId>,
    by_global_id: FixedMap<GlobalId, EntityId>,
    /// Something may differ from the last snapshot.
    is_changed: bool,
}

impl GlobalIds {
    pub(crate) fn of(&self, entity: EntityId) -> Option<GlobalId> {
        self.by_entity.get(entity).copied()
    }

    pub(crate) fn entity(&self, global_id: GlobalId) -> Option<EntityId> {
        self.by_global_id.get(&global_id).copied()
    }

    /// The global id of an entity that exists, which gets one if it has none.
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

    /// Gives an entity that exists a name that it had elsewhere.
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

    /// The entity is gone.
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

    /// Gives back the memory that is not used.
    pub(crate) fn shrink(&mut self) {
        self.by_entity = without_gaps(&self.by_entity);
        self.by_global_id.shrink_to_fit();
    }

    /// Bytes on the heap.
    pub(crate) fn held_bytes(&self) -> usize {
        self.by_entity.capacity() * size_of::<(u32, GlobalId)>() + map_bytes_held(&self.by_global_id)
    }
}
