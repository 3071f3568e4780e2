//! Divides a snapshot into its parts.

use std::any::TypeId;

use super::error::SaveError;
use super::limits;
use super::part::{
    Part, SavedEntityLists, SavedEvents, SavedFrame, SavedGlobalIds, SavedGroup, SavedPool, SavedType, SavedValue,
};
use super::slots::SavedSlots;
use super::{Blob, Form, Source};
use crate::component::SparseIndex;
use crate::entity::{EntitySlots, GlobalIds};
use crate::entity_lists::EntityListTable;
use crate::event::OUTSIDE;
use crate::snapshot::{Snapshot, SnapshotError, TypeKind, TypeRegistry};
use crate::type_map::TypeMap;

/// The numbers of the types that were referred to so far.
pub(crate) struct Table<'a> {
    pub(crate) types: &'a TypeRegistry,
    pub(crate) form: Form,
    numbers: TypeMap<Vec<(TypeKind, u32)>>,
    count: u32,
    /// Types that no part has listed yet.
    new: Vec<SavedType>,
}

pub(super) const WHOLE: &str = "the snapshot is whole";

impl Table<'_> {
    /// The number of a type.
    pub(crate) fn number(&mut self, kind: TypeKind, of: TypeId, name: &str, version: u32) -> u32 {
        let known = self.numbers.entry(of).or_default();
        if let Some((_, number)) = known.iter().find(|(known, _)| *known == kind) {
            return *number;
        }
        let number = self.count;
        known.push((kind, number));
        self.count += 1;
        self.new.push(SavedType { kind, name: name.to_owned(), version });
        number
    }

    /// The number of a component type.
    ///
    /// # Errors
    /// If it is not registered for saving.
    pub(crate) fn component(&mut self, component: TypeId) -> Result<u32, SaveError> {
        let types = self.types;
        let kind = TypeKind::Component;
        let known = types.components.of(component);
        let known = known.ok_or(SaveError::Snapshot(SnapshotError::Incomplete.into()))?;
        let version = known.what.versions().ok_or_else(|| SaveError::not_saved(kind, known, self.form))?.saved();
        Ok(self.number(kind, component, &known.name, version))
    }

    pub(super) fn failed(&self, kind: TypeKind, name: &str, problem: &str) -> SaveError {
        SaveError::part(&format!("{kind} \"{name}\""), self.form, problem)
    }
}

type Emit<'a> = dyn FnMut(Part) -> Result<(), SaveError> + 'a;

/// Passes all parts of a snapshot to `emit`, in order.
pub(super) fn parts(snapshot: &Snapshot, source: Source<'_>, form: Form, emit: &mut Emit<'_>) -> Result<(), SaveError> {
    if !snapshot.is_whole {
        return Err(SaveError::Snapshot(SnapshotError::Incomplete.into()));
    }
    let mut table = Table { types: source.types, form, numbers: TypeMap::default(), count: 0, new: Vec::new() };
    let mut put = |table: &mut Table<'_>, part| {
        if !table.new.is_empty() {
            emit(Part::Types(std::mem::take(&mut table.new)))?;
        }
        emit(part)
    };
    put(&mut table, Part::Frame(frame(snapshot)?))?;
    put(&mut table, Part::Entities(entities(snapshot)))?;
    for pool in 0..snapshot.pools.len() {
        if let Some(pool) = save_pool(snapshot, pool, &mut table)? {
            put(&mut table, Part::Pool(pool))?;
        }
    }
    let groups = groups(snapshot, &mut table)?;
    put(&mut table, Part::Groups(groups))?;
    let entity_lists: &EntityListTable =
        snapshot.entity_lists.as_ref().and_then(|image| image.downcast_ref()).expect(WHOLE);
    let (entity_lists, of_entities) = entity_lists.save();
    put(&mut table, Part::EntityLists(SavedEntityLists { entity_lists, entities: of_entities }))?;
    let ids: &GlobalIds = snapshot.global_ids.as_ref().and_then(|image| image.downcast_ref()).expect(WHOLE);
    let (site, next, ids) = ids.save();
    put(&mut table, Part::GlobalIds(SavedGlobalIds { site, next, ids }))?;
    for at in 0..snapshot.resources.len() {
        if let Some(resource) = save_resource(snapshot, at, &mut table)? {
            snapshot.resources[at]
                .value
                .iter()
                .try_for_each(|copy| limits::check_steps(source.systems.sets.steps_in_copy(&**copy)))?;
            put(&mut table, Part::Resource(resource))?;
        }
    }
    let systems = super::systems::save(snapshot, &mut table)?;
    put(&mut table, Part::Identities(super::systems::save_identities(snapshot, &source)))?;
    put(&mut table, Part::Systems(systems))?;
    let events = events(snapshot, &mut table)?;
    put(&mut table, Part::Events(events))?;
    match super::changes::save(snapshot, &mut table)? {
        Some(changes) => put(&mut table, Part::Changes(changes)),
        None => Ok(()),
    }
}

fn frame(snapshot: &Snapshot) -> Result<SavedFrame, SaveError> {
    let (time, numbers) = (snapshot.time, snapshot.numbers);
    let frame = SavedFrame {
        frame: time.frame,
        delta: time.delta,
        elapsed: time.elapsed,
        delivered: numbers.delivered,
        counted: numbers.counted,
    };
    limits::check_frame(&frame)?;
    Ok(frame)
}

fn entities(snapshot: &Snapshot) -> SavedSlots<crate::EntityId, bool> {
    let entities: &EntitySlots = snapshot.entities.as_ref().and_then(|image| image.downcast_ref()).expect(WHOLE);
    SavedSlots::of_entities(entities)
}

fn save_pool(snapshot: &Snapshot, at: usize, table: &mut Table<'_>) -> Result<Option<SavedPool>, SaveError> {
    let copy = &snapshot.pools[at];
    let (Some(index), Some(values)) = (&copy.index, &copy.values) else { return Ok(None) };
    let index: &SparseIndex = index.downcast_ref().expect(WHOLE);
    if index.len() == 0 {
        return Ok(None);
    }
    let of = table.component(copy.component)?;
    let known = table.types.components.of(copy.component).expect("its number was just found");
    let values = known.what.save(values, table.form);
    Ok(Some(SavedPool {
        of,
        owners: index.owners().to_vec(),
        enabled: index.active() as u32,
        off: index.owners().iter().copied().filter(|owner| index.is_off(*owner)).collect(),
        values: values.map_err(|problem| table.failed(TypeKind::Component, &known.name, &problem))?,
    }))
}

fn groups(snapshot: &Snapshot, table: &mut Table<'_>) -> Result<Vec<SavedGroup>, SaveError> {
    let mut groups = Vec::new();
    for group in snapshot.groups.iter().filter(|group| group.len > 0) {
        let of = group.pools.iter().map(|pool| table.component(snapshot.pools[*pool].component));
        groups.push(SavedGroup { of: of.collect::<Result<_, _>>()?, members: group.len as u32 });
    }
    Ok(groups)
}

fn save_resource(snapshot: &Snapshot, at: usize, table: &mut Table<'_>) -> Result<Option<SavedValue>, SaveError> {
    let copy = &snapshot.resources[at];
    let Some(image) = copy.value.as_ref().filter(|_| !table.types.stays_when_loaded(copy.resource)) else {
        return Ok(None);
    };
    let kind = TypeKind::Resource;
    let known =
        table.types.resources.known(copy.resource, "resource").map_err(|error| SaveError::Snapshot(error.into()))?;
    let version = known.what.versions().ok_or_else(|| SaveError::not_saved(kind, known, table.form))?.saved();
    let value = known.what.save(image, table.form).map_err(|problem| table.failed(kind, &known.name, &problem))?;
    let name = known.name.clone();
    Ok(Some(SavedValue { of: table.number(kind, copy.resource, &name, version), value }))
}

fn events(snapshot: &Snapshot, table: &mut Table<'_>) -> Result<SavedEvents, SaveError> {
    let kind = TypeKind::Event;
    limits::check_waiting(snapshot.lists.iter().map(|list| list.events.len() as u64))?;
    let mut numbers = vec![0; snapshot.lists.len()];
    let mut lists: Vec<(u32, u64, Blob)> = Vec::new();
    for (at, list) in snapshot.lists.iter().enumerate().filter(|(_, list)| list.events.len() > 0) {
        let known = table.types.events.known(list.event, "event").map_err(|error| SaveError::Snapshot(error.into()))?;
        let version = known.what.versions().ok_or_else(|| SaveError::not_saved(kind, known, table.form))?.saved();
        let events = known.what.save(&*list.events, table.form);
        let events = events.map_err(|problem| table.failed(kind, &known.name, &problem))?;
        numbers[at] = lists.len() as u32;
        let name = known.name.clone();
        lists.push((table.number(kind, list.event, &name, version), list.events.len() as u64, events));
    }
    let sender = |sender: usize| (sender != OUTSIDE).then_some(sender as u32);
    let runs = snapshot.waiting.iter().map(|(list, run)| (numbers[*list], run.count as u64, sender(run.sender)));
    Ok(SavedEvents { lists, runs: runs.collect() })
}
