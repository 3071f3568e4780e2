//! Divides a snapshot into its parts.

use std::any::{Any, TypeId};

use super::error::SaveError;
use super::part::{
    Part, SavedComponents, SavedControls, SavedEntityLists, SavedEvents, SavedFrame, SavedGlobalIds, SavedKind,
    SavedOwners, SavedType, SavedValue,
};
use super::{Source, limits};
use crate::entity::{EntityId, EntityTable, GlobalIds};
use crate::entity_lists::EntityListTable;
use crate::error::{SnapshotError, TypeKind};
use crate::event::OUTSIDE;
use crate::random::RandomCopy;
use crate::snapshot::Snapshot;
use crate::stable_hash::StateHasher;
use crate::type_map::TypeMap;
use crate::types::{Blob, Form, PoolToSave, TypeRegistry};

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
        let version = known.codec.as_ref().ok_or_else(|| SaveError::not_saved(kind, known, self.form))?.version();
        Ok(self.number(kind, component, &known.name, version))
    }

    pub(super) fn failed(&self, kind: TypeKind, name: &str, problem: &str) -> SaveError {
        failed(kind, name, self.form, problem)
    }
}

fn failed(kind: TypeKind, name: &str, form: Form, problem: &str) -> SaveError {
    SaveError::part(&format!("{kind} \"{name}\""), form, problem)
}

/// Takes a part and, if its values are to follow it, what appends them.
pub(super) type Emit<'a> = dyn FnMut(Part, Option<&Append<'_>>) -> Result<(), SaveError> + 'a;
pub(super) type Append<'a> = dyn Fn(Vec<u8>) -> Result<Vec<u8>, SaveError> + 'a;

/// Passes all parts of a snapshot to `emit`, in order.
pub(super) fn parts(snapshot: &Snapshot, source: Source<'_>, form: Form, emit: &mut Emit<'_>) -> Result<(), SaveError> {
    if !snapshot.is_whole {
        return Err(SaveError::Snapshot(SnapshotError::Incomplete.into()));
    }
    let mut table = Table { types: source.types, form, numbers: TypeMap::default(), count: 0, new: Vec::new() };
    let mut put = |table: &mut Table<'_>, part, values: Option<&Append<'_>>| {
        if !table.new.is_empty() {
            emit(Part::Types(std::mem::take(&mut table.new)), None)?;
        }
        emit(part, values)
    };
    put(&mut table, Part::Frame(frame(snapshot)?), None)?;
    let entities: &EntityTable = snapshot.entities.as_ref().and_then(|image| image.downcast_ref()).expect(WHOLE);
    put(&mut table, Part::Entities(entities.to_parts()), None)?;
    // Pools are loaded in the order in which their types are listed.
    for (place, copy) in snapshot.pools.iter().enumerate() {
        if snapshot.rows(place).is_some_and(|(rows, _)| rows.len() > 0) {
            table.component(copy.component)?;
        }
    }
    let kinds = kinds(snapshot, &mut table)?;
    put(&mut table, Part::Kinds(kinds), None)?;
    let mut lists: Vec<&[EntityId]> = Vec::new();
    for (place, copy) in snapshot.pools.iter().enumerate() {
        let (Some((rows, _)), Some(values)) = (snapshot.rows(place), &copy.values) else { continue };
        let index = rows.extras;
        if rows.len() == 0 {
            continue;
        }
        let of = table.component(copy.component)?;
        let list = lists.iter().position(|list| *list == index.owners()).unwrap_or(lists.len());
        if list == lists.len() {
            put(&mut table, Part::Owners(owners(index.owners())), None)?;
            lists.push(index.owners());
        }
        let known = source.types.components.of(copy.component).expect("its number was just found");
        let failed = |problem: String| failed(TypeKind::Component, &known.name, form, &problem);
        let codec = || known.codec().map_err(failed);
        let hash = |value: &dyn Any, hash: &mut StateHasher| known.what.hash_value(value, hash);
        let all = entities.kinds();
        let kinds = all.order().iter().map(|kind| *kind as usize).filter(|kind| all.get(*kind).mask.contains(rows.id));
        let to_save = PoolToSave { values: values.clone(), kinds: kinds.collect() };
        let append = |bytes| codec()?.append(&to_save, bytes, &hash).map_err(failed);
        let (values, append): (_, Option<&Append<'_>>) = match form {
            Form::Bytes => (Blob::Bytes(Vec::new()), Some(&append)),
            Form::Text => (codec()?.save(&to_save, form, &hash).map_err(failed)?, None),
        };
        let off = index.owners().iter().copied().filter(|owner| index.is_off(*owner)).collect();
        let components = SavedComponents { of, owners: list as u32, enabled: index.active() as u32, off, values };
        put(&mut table, Part::Components(components), append)?;
    }
    let entity_lists: &EntityListTable =
        snapshot.entity_lists.as_ref().and_then(|image| image.downcast_ref()).expect(WHOLE);
    let (entity_lists, of_entities) = entity_lists.save();
    put(&mut table, Part::EntityLists(SavedEntityLists { entity_lists, entities: of_entities }), None)?;
    let ids: &GlobalIds = snapshot.global_ids.as_ref().and_then(|image| image.downcast_ref()).expect(WHOLE);
    let (site, next, ids) = ids.save();
    put(&mut table, Part::GlobalIds(SavedGlobalIds { site, next, ids }), None)?;
    let random: &RandomCopy = snapshot.random.as_ref().and_then(|image| image.downcast_ref()).expect(WHOLE);
    if !random.is_unused() {
        limits::check_streams(random.streams.len())?;
        put(&mut table, Part::Random(random.clone()), None)?;
    }
    for at in 0..snapshot.resources.len() {
        if let Some(resource) = save_resource(snapshot, at, &mut table)? {
            put(&mut table, Part::Resource(resource), None)?;
        }
    }
    let systems = super::systems::save(snapshot, &mut table)?;
    put(&mut table, Part::Identities(super::systems::save_identities(snapshot, &source)), None)?;
    let ended = source.systems.ended_functions();
    if !ended.is_empty() {
        put(&mut table, Part::EndedFunctions(ended.into_iter().map(str::to_owned).collect()), None)?;
    }
    put(&mut table, Part::Systems(systems), None)?;
    let events = events(snapshot, &mut table)?;
    put(&mut table, Part::Events(events), None)?;
    if let Some(changes) = super::changes::save(snapshot, &mut table)? {
        put(&mut table, Part::Changes(changes), None)?;
    }
    if let Some(changes) = super::changes::save_resource_changes(snapshot, &mut table) {
        put(&mut table, Part::ResourceChanges(changes), None)?;
    }
    if let Some(held) = &snapshot.controls {
        let (of, presses) = save_events(held.event, &*held.presses, &mut table)?;
        let controls = SavedControls { of, count: held.count as u64, presses };
        put(&mut table, Part::Controls(controls), None)?;
    }
    Ok(())
}

/// Events of a type, or inputs that press controls, with the number of their type.
fn save_events(
    (event, rust_name): (TypeId, &'static str),
    events: &dyn Any,
    table: &mut Table<'_>,
) -> Result<(u32, Blob), SaveError> {
    let kind = TypeKind::Event;
    let known = table.types.events.known(event, rust_name).map_err(|error| SaveError::Snapshot(error.into()))?;
    let codec = known.codec.as_ref().ok_or_else(|| SaveError::not_saved(kind, known, table.form))?;
    let hash = |event: &dyn Any, hash: &mut StateHasher| known.what.hash_value(event, hash);
    let saved = codec.save(events, table.form, &hash);
    let saved = saved.map_err(|problem| table.failed(kind, &known.name, &problem))?;
    Ok((table.number(kind, event, &known.name, codec.version()), saved))
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

/// A list of owners, as few ranges of ids.
fn owners(owners: &[EntityId]) -> Vec<SavedOwners> {
    let follows = |entity: &EntityId, next: &EntityId| entity.bits() + 1 == next.bits();
    let ranges = owners.chunk_by(follows).map(|range| SavedOwners { first: range[0], count: range.len() as u32 });
    ranges.collect()
}

/// The kinds with rows, in order.
fn kinds(snapshot: &Snapshot, table: &mut Table<'_>) -> Result<Vec<SavedKind>, SaveError> {
    let all = snapshot.table().kinds();
    let mut kinds = Vec::with_capacity(all.order().len());
    for kind in all.order() {
        let kind = all.get(*kind as usize);
        let of = kind.ids.iter().map(|id| table.component(snapshot.pools[id.index()].component));
        let of = of.collect::<Result<_, _>>()?;
        kinds.push(SavedKind { of, owners: owners(&kind.owners), enabled: kind.enabled as u32 });
    }
    Ok(kinds)
}

fn save_resource(snapshot: &Snapshot, at: usize, table: &mut Table<'_>) -> Result<Option<SavedValue>, SaveError> {
    let copy = &snapshot.resources[at];
    let Some(image) = copy.value.as_ref().filter(|_| !table.types.stays_when_loaded(copy.resource)) else {
        return Ok(None);
    };
    let kind = TypeKind::Resource;
    let known =
        table.types.resources.known(copy.resource, "resource").map_err(|error| SaveError::Snapshot(error.into()))?;
    let codec = known.codec.as_ref().ok_or_else(|| SaveError::not_saved(kind, known, table.form))?;
    let hash = |value: &dyn Any, hash: &mut StateHasher| known.what.hash_value(value, hash);
    let value = codec.save(&**image, table.form, &hash).map_err(|problem| table.failed(kind, &known.name, &problem))?;
    let name = known.name.clone();
    Ok(Some(SavedValue { of: table.number(kind, copy.resource, &name, codec.version()), value }))
}

fn events(snapshot: &Snapshot, table: &mut Table<'_>) -> Result<SavedEvents, SaveError> {
    limits::check_waiting(snapshot.lists.iter().map(|list| list.events.len() as u64))?;
    let mut numbers = vec![0; snapshot.lists.len()];
    let mut lists: Vec<(u32, u64, Blob)> = Vec::new();
    for (at, list) in snapshot.lists.iter().enumerate().filter(|(_, list)| list.events.len() > 0) {
        let (of, events) = save_events((list.event, "event"), &*list.events, table)?;
        numbers[at] = lists.len() as u32;
        lists.push((of, list.events.len() as u64, events));
    }
    let sender = |sender: usize| (sender != OUTSIDE).then_some(sender as u32);
    let runs = snapshot.waiting.iter().map(|(list, run)| (numbers[*list], run.count as u64, sender(run.sender)));
    Ok(SavedEvents { lists, runs: runs.collect() })
}
