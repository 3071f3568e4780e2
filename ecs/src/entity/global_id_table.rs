//! From global ids to entities: a table with open addresses, since a map of the standard library has no order of its own and a
//! sorted one is not O(1).

use super::{EntityId, GlobalId};

/// Places of the smallest table that is not empty.
const FEWEST_PLACES: usize = 16;

/// Entries lie at the place that their key says, or behind it without a gap between. At most half of the places are taken.
#[derive(Clone, Debug, Default)]
pub(super) struct GlobalIdTable {
    /// A power of two of places, or none.
    places: Vec<Option<(GlobalId, EntityId)>>,
    len: usize,
}

impl GlobalIdTable {
    pub(super) fn find(&self, global_id: GlobalId) -> Option<EntityId> {
        self.place(global_id).and_then(|at| self.places[at]).map(|(_, entity)| entity)
    }

    /// Adds an entry whose key is not there.
    pub(super) fn insert(&mut self, global_id: GlobalId, entity: EntityId) {
        if (self.len + 1) * 2 > self.places.len() {
            self.resize((self.places.len() * 2).max(FEWEST_PLACES));
        }
        self.put(global_id, entity);
        self.len += 1;
    }

    pub(super) fn remove(&mut self, global_id: GlobalId) {
        let Some(mut gap) = self.place(global_id) else { return };
        self.len -= 1;
        let mut at = gap;
        loop {
            at = self.next(at);
            let Some((behind, _)) = self.places[at] else { break };
            // What does not lie where its key says moves up, unless that would put it before this place.
            let last = self.places.len() - 1;
            if at.wrapping_sub(self.home(behind)) & last >= at.wrapping_sub(gap) & last {
                self.places[gap] = self.places[at];
                gap = at;
            }
        }
        self.places[gap] = None;
    }

    /// Takes over the entries of another table, in memory that is there already.
    pub(super) fn copy_from(&mut self, from: &Self) {
        self.places.clone_from(&from.places);
        self.len = from.len;
    }

    /// Gives back the memory that is not used.
    pub(super) fn shrink(&mut self) {
        let needed = (self.len * 2).next_power_of_two().max(FEWEST_PLACES);
        if self.len == 0 {
            self.places = Vec::new();
        } else if needed < self.places.len() {
            self.resize(needed);
        }
    }

    /// Moves all entries to so many new places: a power of two, at least twice as many as there are entries.
    fn resize(&mut self, places: usize) {
        let entries = std::mem::replace(&mut self.places, vec![None; places]);
        entries.into_iter().flatten().for_each(|(global_id, entity)| self.put(global_id, entity));
    }

    /// Bytes on the heap.
    pub(super) fn held_bytes(&self) -> usize {
        self.places.capacity() * size_of::<Option<(GlobalId, EntityId)>>()
    }

    fn put(&mut self, global_id: GlobalId, entity: EntityId) {
        let mut at = self.home(global_id);
        while self.places[at].is_some() {
            at = self.next(at);
        }
        self.places[at] = Some((global_id, entity));
    }

    fn place(&self, global_id: GlobalId) -> Option<usize> {
        if self.len == 0 {
            return None;
        }
        let mut at = self.home(global_id);
        while let Some((key, _)) = self.places[at] {
            if key == global_id {
                return Some(at);
            }
            at = self.next(at);
        }
        None
    }

    /// Where the key belongs. Sites and serials may follow any pattern, so each bit of both has to reach each bit of the place: the
    /// finalizer of SplitMix64 (Steele, Lea and Flood 2014).
    fn home(&self, global_id: GlobalId) -> usize {
        let mut bits = global_id.bits();
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (bits ^ bits >> 31) as usize & (self.places.len() - 1)
    }

    fn next(&self, at: usize) -> usize {
        (at + 1) & (self.places.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_any_pattern_lie_near_their_places() {
        let entity = EntityId::from_bits(1 << 32 | 1);
        let patterns: [fn(u32) -> GlobalId; 4] = [
            |n| GlobalId { site: 1, serial: n },
            |n| GlobalId { site: n, serial: 1 },
            |n| GlobalId { site: n << 16, serial: 1 },
            |n| GlobalId { site: 1, serial: n << 16 },
        ];
        for pattern in patterns {
            let mut table = GlobalIdTable::default();
            (0..10_000).for_each(|n| table.insert(pattern(n), entity));
            let last = table.places.len() - 1;
            let taken = table.places.iter().enumerate().filter_map(|(at, place)| Some((at, (*place)?.0)));
            let furthest = taken.map(|(at, key)| at.wrapping_sub(table.home(key)) & last).max();
            assert!(furthest < Some(64), "{furthest:?} places behind its own");
        }
    }
}
