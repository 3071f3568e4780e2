//! Where entities stand in long lists of links, so that links end in any order without a search.

use std::mem::take;
use std::sync::{Mutex, OnceLock, PoisonError};

use slotmap::SparseSecondaryMap;

use crate::entity::EntityId;
use crate::steps;

/// Links at most so far from an end of a list are searched for: what comes and goes in order, or in reverse, is found
/// soon, and most lists are short.
pub(super) const SEARCHED: usize = 32;

/// The place of an element near an end of a list; `None` if it is further away, or not there.
pub(super) fn find_near_ends(count: usize, is_it: impl Fn(usize) -> bool) -> Option<usize> {
    let pairs = (0..count.div_ceil(2).min(SEARCHED)).inspect(|_| steps::count(1));
    pairs.flat_map(|at| [at, count - 1 - at]).find(|at| is_it(*at))
}

/// Each entity of a list with its place.
pub(super) type Places = SparseSecondaryMap<EntityId, usize>;

/// Reads all places again.
pub(super) fn renew(places: &mut Places, entities: impl Iterator<Item = EntityId>) {
    places.clear();
    entities.enumerate().for_each(|(place, entity)| {
        steps::count(1);
        places.insert(entity, place);
    });
}

/// The holes of a list of entities: null entities where one is gone, at most as many as are left. They are closed
/// together, so that each costs O(1).
pub(super) struct Holes {
    places: Places,
    count: usize,
    /// The list without holes, once it is read.
    closed: OnceLock<Vec<EntityId>>,
    /// The memory for the next one.
    spare: Mutex<Vec<EntityId>>,
}

impl Holes {
    pub(super) fn new(entities: &[EntityId]) -> Self {
        let mut places = Places::new();
        renew(&mut places, entities.iter().copied());
        Self { places, count: 0, closed: OnceLock::new(), spare: Mutex::default() }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn contains(&self, entity: EntityId) -> bool {
        self.places.contains_key(entity)
    }

    pub(super) fn push(&mut self, entities: &mut Vec<EntityId>, entity: EntityId) {
        self.places.insert(entity, entities.len());
        entities.push(entity);
        if let Some(closed) = self.closed.get_mut() {
            closed.push(entity);
        }
    }

    pub(super) fn remove(&mut self, entities: &mut Vec<EntityId>, entity: EntityId) {
        let Some(place) = self.places.remove(entity) else { return };
        steps::count(1);
        entities[place] = EntityId::default();
        self.count += 1;
        if let Some(closed) = self.closed.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = closed;
        }
        if self.count > entities.len() - self.count {
            entities.retain(|entity| *entity != EntityId::default());
            renew(&mut self.places, entities.iter().copied());
            self.count = 0;
        }
    }

    /// The list without its holes. O(1) until the next one is removed, unless it is read for the first time.
    pub(super) fn closed<'a>(&'a self, entities: &'a [EntityId]) -> &'a [EntityId] {
        if self.count == 0 {
            return entities;
        }
        self.closed.get_or_init(|| {
            let mut closed = take(&mut *self.spare.lock().unwrap_or_else(PoisonError::into_inner));
            closed.clear();
            closed.extend(entities.iter().filter(|entity| **entity != EntityId::default()));
            closed
        })
    }
}
