//! Saves and loads change detection: when components and resources were added and changed, and when queries last ran
//! and parameters last asked.

use std::any::TypeId;
use std::sync::Arc;

use super::error::{LoadError, SaveError};
use super::limits;
use super::load::Loading;
use super::part::{SavedChanges, SavedResourceChanges, SavedTicks};
use super::save::{Table, WHOLE};
use crate::component::{TickCopy, unmarked};
use crate::error::TypeKind;
use crate::resources::Revisions;
use crate::snapshot::resource_changes::{AskedCopy, SetAsked};
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

/// `None` if no parameter has asked whether its resource changed.
pub(super) fn save_resource_changes(snapshot: &Snapshot, table: &mut Table<'_>) -> Option<SavedResourceChanges> {
    if snapshot.all_asked().all(|asked| asked.revision == 0) {
        return None;
    }
    let types = table.types;
    let is_saved = |resource: &TypeId| !types.stays_when_loaded(*resource);
    let mut number = |resource: TypeId| {
        let known = types.resources.of(resource).filter(|_| is_saved(&resource))?;
        let version = known.codec.as_ref()?.version();
        Some(table.number(TypeKind::Resource, resource, &known.name, version))
    };
    let resources = snapshot.resources.iter().filter_map(|copy| Some((number(copy.resource)?, copy.revisions)));
    let resources = resources.collect();
    let mut asked = |all: &[AskedCopy]| {
        let save = |asked: &AskedCopy| match asked.revision {
            0 => None,
            revision => Some((number(asked.resource)?, revision)),
        };
        all.iter().map(save).collect()
    };
    let systems = snapshot.systems.iter().map(|copy| asked(&copy.asked)).collect();
    let sets = snapshot.sets_asked.iter().map(|set| (set.name.to_owned(), asked(&set.asked))).collect();
    Some(SavedResourceChanges { resources, systems, sets })
}

impl Loading<'_> {
    pub(super) fn take_resource_changes(&mut self, saved: &SavedResourceChanges) -> Result<(), LoadError> {
        let invalid = |problem: &str| LoadError::invalid("changes of resources", problem.to_owned());
        let SavedResourceChanges { resources, systems, sets } = saved;
        if systems.len() != self.places.len() {
            return Err(invalid("they do not fit the systems"));
        }
        for (of, revisions) in resources {
            let Revisions { inserted, changed } = *revisions;
            if inserted == 0 || inserted > changed || changed > limits::MOST {
                return Err(invalid("its numbers are out of their limits"));
            }
            let Some(resource) = self.known(*of, TypeKind::Resource)?.type_id else { continue };
            let copy = self.snapshot.resources.iter_mut().find(|copy| copy.resource == resource);
            copy.ok_or_else(|| invalid("a resource is missing"))?.revisions = *revisions;
        }
        let load = |asked: &Option<(u32, u64)>| {
            let Some((of, revision)) = *asked else { return Ok(AskedCopy::NEVER) };
            if revision > limits::MOST {
                return Err(invalid("its numbers are out of their limits"));
            }
            let resource = self.known(of, TypeKind::Resource)?.type_id;
            Ok(resource.map_or(AskedCopy::NEVER, |resource| AskedCopy { resource, revision }))
        };
        let asked = |all: &[Option<(u32, u64)>]| all.iter().map(load).collect::<Result<Vec<_>, LoadError>>();
        let mut own: Vec<_> = self.source.systems.sets.last_asked().map(|(set, name, _)| (set, name)).collect();
        let mut sets_asked = Vec::new();
        for (name, all) in sets {
            let asked = asked(all)?;
            // Sets that are gone are dropped. Names lack their path, so several may share one.
            if let Some(place) = own.iter().position(|(_, own)| own == name) {
                let (set, name) = own.remove(place);
                sets_asked.push(SetAsked { set, name, asked });
            }
        }
        let systems = systems.iter().map(|all| asked(all)).collect::<Result<Vec<_>, _>>()?;
        self.snapshot.sets_asked = sets_asked;
        for (place, asked) in self.places.iter().zip(systems) {
            if let Some(place) = place {
                self.snapshot.systems[*place].asked = asked;
            }
        }
        Ok(())
    }

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
