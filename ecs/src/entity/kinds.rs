//! The kinds of entities: sets of components with which entities were made, and which entity is in which row of its
//! kind.
//!
//! # Invariants
//! 1. An entity is in one row of one kind, and its record says which. Rows from `enabled` on are those of disabled
//!    entities.
//! 2. `order` has the kinds with rows, each once, in the order in which they got their first row since they had none.
//!    So the order is a function of the history alone, and kinds without rows have no influence on anything.
//! 3. Kind 0 has no components. No two kinds have the same set.

use super::EntityId;
use super::slots::{EntitySlots, MOST_KINDS};
use crate::ids::{ComponentId, ComponentMask};
use crate::type_map::FixedMap;

/// The set of components with which entities were made, and those entities.
#[derive(Debug, Default)]
pub(crate) struct Kind {
    pub(crate) mask: ComponentMask,
    /// The components, ascending.
    pub(crate) ids: Vec<ComponentId>,
    pub(crate) owners: Vec<EntityId>,
    /// The number of rows of enabled entities.
    pub(crate) enabled: usize,
}

impl Kind {
    fn of(mask: ComponentMask) -> Self {
        Self { ids: mask.iter().collect(), mask, ..Self::default() }
    }

    /// The number of rows that a query sees.
    #[inline]
    pub(crate) fn visible(&self, with_disabled: bool) -> usize {
        if with_disabled { self.owners.len() } else { self.enabled }
    }
}

impl Clone for Kind {
    fn clone(&self) -> Self {
        Self { mask: self.mask.clone(), ids: self.ids.clone(), owners: self.owners.clone(), enabled: self.enabled }
    }

    /// Reuses the memory.
    fn clone_from(&mut self, source: &Self) {
        self.mask.clone_from(&source.mask);
        self.ids.clone_from(&source.ids);
        self.owners.clone_from(&source.owners);
        self.enabled = source.enabled;
    }
}

/// How the values of a kind follow a row that is removed: swap the value with that at `gap`, then move the last one
/// there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    pub(crate) value: usize,
    pub(crate) gap: usize,
}

impl Gap {
    #[inline]
    pub(crate) fn take_from<T>(self, values: &mut Vec<T>) -> T {
        if self.value != self.gap {
            values.swap(self.value, self.gap);
        }
        values.swap_remove(self.gap)
    }
}

/// A row that was added. Its values are pushed to the end, and swapped with those at `row` if that is not the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NewRow {
    pub(crate) row: usize,
    pub(crate) is_last: bool,
}

/// All kinds of a world.
#[derive(Debug)]
pub(crate) struct Kinds {
    list: Vec<Kind>,
    order: Vec<u32>,
    by_mask: FixedMap<ComponentMask, u32>,
    /// Rises when the number of a kind may have got another meaning.
    version: u64,
}

impl Default for Kinds {
    fn default() -> Self {
        let mut by_mask = FixedMap::default();
        by_mask.insert(ComponentMask::default(), 0);
        Self { list: vec![Kind::default()], order: Vec::new(), by_mask, version: 0 }
    }
}

impl Clone for Kinds {
    fn clone(&self) -> Self {
        Self {
            list: self.list.clone(),
            order: self.order.clone(),
            by_mask: self.by_mask.clone(),
            version: self.version,
        }
    }

    /// Reuses the memory.
    fn clone_from(&mut self, source: &Self) {
        let is_same = self.list.len() == source.list.len()
            && self.list.iter().zip(&source.list).all(|(own, other)| own.mask == other.mask);
        self.list.clone_from(&source.list);
        self.order.clone_from(&source.order);
        self.make_room_for_order();
        // If sets are equal, the one with rows counts.
        if !is_same || self.by_mask.len() < self.list.len() {
            self.index_masks();
        }
    }
}

/// A new kind, or one whose number got another meaning.
pub(crate) struct MadeKind {
    pub(crate) kind: usize,
    /// The components that it had before.
    pub(crate) before: Vec<ComponentId>,
}

impl Kinds {
    #[inline]
    pub(crate) fn get(&self, kind: usize) -> &Kind {
        &self.list[kind]
    }

    /// All kinds, those without rows too.
    pub(crate) fn all(&self) -> &[Kind] {
        &self.list
    }

    /// The kinds with rows, in order.
    #[inline]
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// While it is unchanged, the number of a kind means the same set.
    #[inline]
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    pub(crate) fn find(&self, mask: &ComponentMask) -> Option<usize> {
        self.by_mask.get(mask).map(|kind| *kind as usize)
    }

    /// Makes a kind, which must not be there yet. If there are no numbers left, a kind without rows loses its number.
    /// `None` if all have rows.
    pub(crate) fn make(&mut self, mask: ComponentMask) -> Option<MadeKind> {
        let mut before = Vec::new();
        let kind = if self.list.len() < MOST_KINDS {
            self.list.push(Kind::of(mask.clone()));
            self.list.len() - 1
        } else {
            let bare = usize::from(!self.list[0].owners.is_empty());
            if self.order.len() - bare == self.list.len() - 1 {
                return None;
            }
            let unused = (1..self.list.len()).find(|kind| self.list[*kind].owners.is_empty())?;
            let old = std::mem::replace(&mut self.list[unused], Kind::of(mask.clone()));
            self.by_mask.remove(&old.mask);
            before = old.ids;
            self.version += 1;
            unused
        };
        self.by_mask.insert(mask, kind as u32);
        self.make_room_for_order();
        Some(MadeKind { kind, before })
    }

    /// All kinds can have rows, so that the first row of one allocates nothing but the row.
    fn make_room_for_order(&mut self) {
        self.order.reserve(self.list.len() - self.order.len());
    }

    /// Adds an entity to a kind; returns its row. The caller sets its record.
    #[inline(always)]
    pub(super) fn push(&mut self, kind: usize, entity: EntityId, is_enabled: bool, slots: &mut EntitySlots) -> NewRow {
        let Kind { owners, enabled, .. } = &mut self.list[kind];
        let last = owners.len();
        owners.push(entity);
        if last == 0 {
            self.order.push(kind as u32);
        }
        if !is_enabled {
            return NewRow { row: last, is_last: true };
        }
        let row = *enabled;
        *enabled += 1;
        if row == last {
            return NewRow { row, is_last: true };
        }
        owners.swap(row, last);
        slots.set_row(owners[last], last);
        NewRow { row, is_last: false }
    }

    /// Adds entities that are enabled to a kind without disabled ones.
    pub(super) fn push_many(&mut self, kind: usize, entities: &[EntityId]) {
        let Kind { owners, enabled, .. } = &mut self.list[kind];
        debug_assert!(*enabled == owners.len(), "enabled rows come before the disabled ones");
        if owners.is_empty() && !entities.is_empty() {
            self.order.push(kind as u32);
        }
        owners.extend_from_slice(entities);
        *enabled = owners.len();
    }

    /// Removes a row. One or two entities take over other rows.
    #[inline]
    pub(super) fn remove(&mut self, kind: usize, row: usize, slots: &mut EntitySlots) -> Gap {
        let Kind { owners, enabled, .. } = &mut self.list[kind];
        let mut gap = row;
        if row < *enabled {
            *enabled -= 1;
            if *enabled + 1 < owners.len() {
                gap = *enabled;
                if gap != row {
                    owners.swap(row, gap);
                    slots.set_row(owners[row], row);
                }
            }
        }
        owners.swap_remove(gap);
        match owners.get(gap) {
            Some(moved) => slots.set_row(*moved, gap),
            None if owners.is_empty() => self.forget_order(kind),
            None => {}
        }
        Gap { value: row, gap }
    }

    #[cold]
    fn forget_order(&mut self, kind: usize) {
        self.order.retain(|other| *other != kind as u32);
    }

    /// Moves a row across the border of the enabled entities; returns the two rows whose values are swapped.
    pub(super) fn switch(
        &mut self,
        kind: usize,
        row: usize,
        is_enabled: bool,
        slots: &mut EntitySlots,
    ) -> (usize, usize) {
        let Kind { owners, enabled, .. } = &mut self.list[kind];
        let to = match (is_enabled, row < *enabled) {
            (true, false) => {
                *enabled += 1;
                *enabled - 1
            }
            (false, true) => {
                *enabled -= 1;
                *enabled
            }
            _ => return (row, row),
        };
        owners.swap(row, to);
        slots.set_row(owners[row], row);
        slots.set_row(owners[to], to);
        (row, to)
    }

    /// Removes all rows.
    pub(super) fn clear(&mut self) {
        for kind in &mut self.list {
            kind.owners.clear();
            kind.enabled = 0;
        }
        self.order.clear();
    }

    /// Changes the ids of the components in all sets; `translate` gives none for types that are unknown here.
    pub(super) fn translate(&mut self, translate: impl Fn(ComponentId) -> Option<ComponentId>) {
        for kind in &mut self.list {
            // The order of `ids` is that of the old numbers, so it is made again.
            let mask: ComponentMask = kind.ids.iter().filter_map(|id| translate(*id)).collect();
            kind.ids = mask.iter().collect();
            kind.mask = mask;
        }
        self.index_masks();
    }

    /// Finds the kinds by their sets again. Of equal sets, which only kinds without rows can have, the first one
    /// counts.
    fn index_masks(&mut self) {
        self.version += 1;
        self.by_mask.clear();
        let Self { list, by_mask, .. } = self;
        let with_rows = |kind: &&(usize, &Kind)| !kind.1.owners.is_empty();
        let kinds = || list.iter().enumerate();
        for (at, kind) in kinds().filter(|kind| with_rows(&kind)).chain(kinds()) {
            by_mask.entry(kind.mask.clone()).or_insert(at as u32);
        }
    }

    pub(super) fn held_bytes(&self) -> usize {
        let kinds = self.list.iter().map(|kind| {
            kind.owners.capacity() * size_of::<EntityId>()
                + kind.ids.capacity() * size_of::<ComponentId>()
                + kind.mask.held_bytes()
        });
        kinds.sum::<usize>()
            + self.list.capacity() * size_of::<Kind>()
            + self.order.capacity() * size_of::<u32>()
            + self.by_mask.capacity() * size_of::<(ComponentMask, u32)>()
    }

    pub(super) fn reserve(&mut self, kind: usize, additional: usize) {
        self.list[kind].owners.reserve(additional);
    }

    pub(super) fn shrink(&mut self) {
        self.list.iter_mut().for_each(|kind| kind.owners.shrink_to_fit());
    }
}
