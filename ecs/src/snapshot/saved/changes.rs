//! Saves and loads change detection: when components were added and changed, and when queries last ran.

use std::sync::Arc;

use super::error::{LoadError, SaveError};
use super::limits;
use super::load::Loading;
use super::part::{SavedChanges, SavedTicks};
use super::save::{Table, WHOLE};
use crate::component::{TickCopy, unmarked};
use crate::error::TypeKind;
use crate::snapshot::{PoolCopy, QueryCopy, Snapshot};

/// `None` if no changes are tracked.
pub(super) fn save(snapshot: &Snapshot, table: &mut Table<'_>) -> Result<Option<SavedChanges>, SaveError> {
    let mut pools = Vec::new();
    for (place, copy) in snapshot.pools.iter().enumerate() {
        let (PoolCopy { ticks: Some(ticks), .. }, Some((rows, _))) = (copy, snapshot.rows(place)) else { continue };
        let ticks: &TickCopy = ticks.downcast_ref().expect(WHOLE);
        if rows.len() > 0 {
            let ticks = rows.iter().map(|row| ticks.of(row.owner)).collect();
            pools.push(SavedTicks { of: table.component(copy.component)?, ticks });
        }
    }
    let last_runs = snapshot.systems.iter().map(|copy| copy.queries.iter().map(|query| query.last_run).collect());
    let last_runs: Vec<Vec<u64>> = last_runs.collect();
    if pools.is_empty() && last_runs.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    let (tick, frame_tick) = snapshot.ticks;
    Ok(Some(SavedChanges { tick, frame_tick, pools, last_runs }))
}

impl Loading<'_> {
    pub(super) fn take_changes(&mut self, saved: &SavedChanges) -> Result<(), LoadError> {
        let SavedChanges { tick, frame_tick, pools, last_runs } = saved;
        let is_past = |past: &u64| past <= tick;
        let mut all = last_runs.iter().flatten().chain([frame_tick]);
        if *tick > limits::MOST || !all.all(is_past) {
            return Err(LoadError::invalid("changes", "its numbers are too large"));
        }
        self.snapshot.ticks = (*tick, *frame_tick);
        for SavedTicks { of, ticks } in pools {
            let known = self.known(*of, TypeKind::Component)?;
            let Some(component) = known.type_id else { continue };
            let place = self.snapshot.pools.iter().position(|copy| copy.component == component);
            let place = place.filter(|place| self.snapshot.pools[*place].ticks.is_none());
            let owners = place.map(|place| self.owners_of(place)).unwrap_or_default();
            let is_valid = |(added, changed): &(u64, u64)| is_past(&unmarked(*added)) && is_past(&unmarked(*changed));
            let place = place.filter(|_| ticks.len() == owners.len() && ticks.iter().all(is_valid));
            let Some(place) = place else {
                return Err(Self::invalid_value(known, "its changes do not fit its pool".to_owned()));
            };
            let indices = owners.iter().map(|owner| owner.index() + 1).max().unwrap_or(0);
            let mut copy = TickCopy::with_room(indices);
            owners.iter().zip(ticks).for_each(|(owner, ticks)| copy.set(*owner, *ticks));
            self.snapshot.pools[place].ticks = Some(Arc::new(copy));
        }
        if last_runs.len() != self.places.len() {
            return Err(LoadError::invalid("changes", "they do not fit the systems"));
        }
        for (place, last_runs) in self.places.iter().zip(last_runs) {
            if let Some(place) = place {
                let queries = last_runs.iter().map(|last_run| QueryCopy { last_run: *last_run, stats: None });
                self.snapshot.systems[*place].queries = queries.collect();
            }
        }
        Ok(())
    }
}
