//! The components of a type with their owners, in the order of every iteration.

use super::{Component, Pool, SparseIndex, Values};
use crate::component::ComponentId;
use crate::entity::{EntityId, EntityManager, EntityTable};

/// Where a component of a pool is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Home { kind: usize, row: usize },
    Extra(usize),
}

/// The owners of the components of a type, of a pool or of its copy in a snapshot.
#[derive(Clone, Copy)]
pub(crate) struct PoolRows<'a> {
    pub(crate) table: &'a EntityTable,
    pub(crate) id: ComponentId,
    pub(crate) extras: &'a SparseIndex,
}

/// The owner of a component.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) owner: EntityId,
    pub(crate) place: Place,
    /// Whether the component and its entity are enabled.
    pub(crate) is_enabled: bool,
    /// Whether the component itself is disabled.
    pub(crate) is_off: bool,
}

impl<'a> PoolRows<'a> {
    /// Kind by kind, then the extras; disabled ones included.
    pub(crate) fn iter(self) -> impl Iterator<Item = Row> + 'a {
        let Self { table, id, extras } = self;
        let kinds = table.kinds().order().iter().map(|kind| *kind as usize);
        let kinds = kinds.filter(move |kind| table.kinds().get(*kind).mask.contains(id));
        let at_home = kinds.flat_map(move |kind| {
            let of_kind = table.kinds().get(kind);
            of_kind.owners.iter().enumerate().map(move |(row, owner)| Row {
                owner: *owner,
                place: Place::Home { kind, row },
                is_enabled: row < of_kind.enabled,
                is_off: false,
            })
        });
        let extras = extras.owners().iter().enumerate().map(move |(at, owner)| Row {
            owner: *owner,
            place: Place::Extra(at),
            is_enabled: at < extras.active(),
            is_off: extras.is_off(*owner),
        });
        at_home.chain(extras)
    }

    /// The number of components, disabled ones included.
    pub(crate) fn len(self) -> usize {
        let kinds = self.table.kinds().order().iter().map(|kind| self.table.kinds().get(*kind as usize));
        let at_home = kinds.filter(|kind| kind.mask.contains(self.id)).map(|kind| kind.owners.len());
        at_home.sum::<usize>() + self.extras.len()
    }

    /// The number of components that are enabled, as their entities.
    pub(crate) fn enabled(self) -> usize {
        let kinds = self.table.kinds().order().iter().map(|kind| self.table.kinds().get(*kind as usize));
        let at_home = kinds.filter(|kind| kind.mask.contains(self.id)).map(|kind| kind.enabled);
        at_home.sum::<usize>() + self.extras.active()
    }
}

impl<T> Values<T> {
    pub(crate) fn at(&self, place: Place) -> &T {
        match place {
            Place::Home { kind, row } => &self.homes[kind][row],
            Place::Extra(at) => &self.extras[at],
        }
    }

    pub(in crate::component) fn at_mut(&mut self, place: Place) -> &mut T {
        match place {
            Place::Home { kind, row } => &mut self.homes[kind][row],
            Place::Extra(at) => &mut self.extras[at],
        }
    }
}

/// The pool of a component type, borrowed for reading.
pub struct PoolRef<'w, T> {
    rows: PoolRows<'w>,
    values: &'w Values<T>,
}

impl<'w, T: Component> PoolRef<'w, T> {
    /// `None` if `T` is not the type of the pool. The caller has the pool from a shared world, so no system writes to
    /// it (see `world/peek.rs`).
    pub(crate) fn new(pool: &'w Pool, id: ComponentId, entities: &'w EntityManager) -> Option<Self> {
        let rows = PoolRows { table: entities.table(), id, extras: &pool.index };
        Some(Self { rows, values: pool.peek()? })
    }

    /// The number of components, disabled ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no component, disabled ones included.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The enabled components with their entities, in the order of a query over them.
    pub fn iter(&self) -> impl Iterator<Item = (EntityId, &'w T)> {
        let values = self.values;
        self.rows.iter().filter(|row| row.is_enabled).map(|row| (row.owner, values.at(row.place)))
    }

    /// The component of `entity`, disabled or not. O(1).
    #[must_use]
    pub fn get(&self, entity: EntityId) -> Option<&'w T> {
        self.values.get(self.rows.extras, entity, self.rows.table.location(entity)?)
    }

    /// Whether the component of `entity` and its entity are enabled; `None` if it has none. O(1).
    #[must_use]
    pub fn is_enabled(&self, entity: EntityId) -> Option<bool> {
        let location = self.rows.table.location(entity)?;
        if self.rows.table.kinds().get(location.kind).mask.contains(self.rows.id) {
            return Some(self.rows.table.is_enabled_at(location));
        }
        let at = if location.has_extras { self.rows.extras.position(entity)? } else { return None };
        Some(at < self.rows.extras.active())
    }
}
