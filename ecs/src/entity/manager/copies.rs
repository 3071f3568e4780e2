//! Entities in snapshots.

use super::{EntityManager, EntityTable};
#[cfg(feature = "serde")]
use crate::entity::slots::{EntitySlots, SlotParts};
#[cfg(feature = "serde")]
use crate::entity::{EntityId, Location};
use crate::ids::ComponentId;
#[cfg(feature = "serde")]
use crate::ids::ComponentMask;
use crate::store::Store;

/// Tables in saves. A table that is loaded has its kinds before its entities get extras.
#[cfg(feature = "serde")]
impl EntityTable {
    pub(crate) fn to_parts(&self) -> SlotParts {
        self.slots.to_parts(|entity| self.is_enabled(entity) != Some(false))
    }

    /// A table of these slots, whose entities are in no kind yet, and the entities that are disabled.
    ///
    /// # Errors
    /// A sentence about the first contradiction.
    pub(crate) fn from_parts(parts: &SlotParts) -> Result<(Self, Vec<EntityId>), String> {
        let (mut slots, disabled) = EntitySlots::from_parts(parts)?;
        let entities: Vec<EntityId> = slots.iter().map(|(entity, _)| entity).collect();
        for entity in entities {
            if let Some(record) = slots.get_mut(entity) {
                record.set_location(Location { kind: crate::entity::slots::MOST_KINDS, ..Location::NONE });
            }
        }
        Ok((Self { slots, ..Self::default() }, disabled))
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is an entity with this id, in a kind or not.
    pub(crate) fn knows(&self, entity: EntityId) -> bool {
        self.slots.get(entity).is_some()
    }

    /// Adds rows to the kind with a set, the first `enabled` of which are enabled.
    ///
    /// # Errors
    /// A sentence if there are too many kinds, or an entity does not exist or is in another row already.
    pub(crate) fn load_rows(&mut self, mask: ComponentMask, owners: &[EntityId], enabled: usize) -> Result<(), String> {
        let Self { slots, kinds, .. } = self;
        let kind = match kinds.find(&mask) {
            Some(kind) => kind,
            None => kinds.make(mask).ok_or_else(|| "there are too many kinds".to_owned())?.kind,
        };
        for (at, entity) in owners.iter().enumerate() {
            let record = slots.get(*entity).ok_or_else(|| format!("entity {entity} does not exist"))?;
            if !record.is_reserved() {
                return Err(format!("entity {entity} is in two rows"));
            }
            let new = kinds.push(kind, *entity, at < enabled, slots);
            if let Some(record) = slots.get_mut(*entity) {
                record.set_location(Location { kind, row: new.row, has_extras: false });
            }
        }
        Ok(())
    }

    /// The entities that are in no kind yet, in the order of their indices.
    pub(crate) fn without_kind(&self) -> Vec<EntityId> {
        self.slots.iter().filter(|(_, record)| record.is_reserved()).map(|(entity, _)| entity).collect()
    }

    /// Notes an extra of an entity that is in a row.
    pub(crate) fn note_extra(&mut self, entity: EntityId, id: ComponentId) {
        if let Some(location) = self.location(entity) {
            self.mask_with_extras(entity, location).insert(id);
        }
    }
}

impl Store for EntityManager {
    type Copy = EntityTable;

    fn is_changed(&self) -> bool {
        !self.is_unchanged
    }

    fn note_copy(&mut self) {
        self.is_unchanged = true;
    }

    fn copy_to(&self, copy: &mut EntityTable) {
        debug_assert!(self.waiting == 0, "no entity waits to be spawned where no command waits");
        copy.clone_from(&self.table);
    }

    fn copy_from(&mut self, copy: &EntityTable) {
        self.is_unchanged = false;
        self.peak = self.peak();
        self.table.clone_from(copy);
        (self.waiting, *self.reserved.get_mut()) = (0, 0);
    }
}

impl EntityManager {
    /// Translates the component ids in all sets from those of another engine; `ids` is by their index there.
    pub(crate) fn translate_masks(&mut self, ids: &[Option<ComponentId>]) {
        self.is_unchanged = false;
        let translate = |id: ComponentId| ids.get(id.index()).copied().flatten();
        self.table.kinds.translate(translate);
        for mask in &mut self.table.masks {
            *mask = mask.iter().filter_map(translate).collect();
        }
    }

    /// Despawns all entities and makes every id stale.
    pub(crate) fn clear(&mut self) {
        self.settle();
        self.table.slots.clear();
        self.table.kinds.clear();
        self.waiting = 0;
    }
}
