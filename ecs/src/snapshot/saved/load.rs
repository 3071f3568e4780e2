//! Builds a snapshot from its parts. Everything is checked: saves may be forged.

use std::any::TypeId;
use std::sync::Arc;

use super::error::LoadError;
use super::limits;
use super::part::SavedValue;
use super::part::{
    Part, SavedEntityLists, SavedEvents, SavedFrame, SavedGlobalIds, SavedGroup, SavedIdentities, SavedPool, SavedType,
};
use super::{Source, pools};
use crate::component::SparseIndex;
use crate::entity::{EntityId, EntitySlots, GlobalId, GlobalIds};
use crate::entity_lists::EntityListTable;
use crate::event::{EventNumbers, EventTypeId, OUTSIDE, WaitingRun};
use crate::snapshot::{EventList, GroupCopy, PoolCopy, ResourceCopy, Snapshot, TypeKind, TypeRegistry};
use crate::time::Time;

/// The report of a load.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loaded {
    /// Values that were left out because their type is [gone](crate::snapshot::TypeRegistry::removed).
    pub dropped: Vec<Dropped>,
    /// Values of older versions of their types.
    pub converted: Vec<Converted>,
    /// Names of systems that the save does not know; they do not change.
    pub new_systems: Vec<&'static str>,
}

/// Values that were left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The kind of their type.
    pub kind: TypeKind,
    /// The name of their type.
    pub name: String,
    /// Their number.
    pub count: usize,
}

/// Values that were converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// The kind of their type.
    pub kind: TypeKind,
    /// The name of their type.
    pub name: String,
    /// The saved version.
    pub from: u32,
}

/// An entry of the table of types.
pub(crate) struct Known {
    pub(super) kind: TypeKind,
    pub(super) name: String,
    pub(crate) version: u32,
    /// `None` if the type is gone.
    pub(crate) type_id: Option<TypeId>,
}

pub(crate) struct Loading<'a> {
    pub(crate) types: &'a TypeRegistry,
    pub(super) source: Source<'a>,
    pub(super) snapshot: Snapshot,
    pub(super) loaded: Loaded,
    table: Vec<Known>,
    pub(super) entities: EntitySlots,
    /// The unique parts read so far.
    seen: Vec<&'static str>,
    pub(super) identities: SavedIdentities,
    /// The new position of each saved system; `None` if it is gone.
    pub(super) places: Vec<Option<usize>>,
}

impl<'a> Loading<'a> {
    pub(super) fn new(source: Source<'a>) -> Self {
        Self {
            types: source.types,
            source,
            snapshot: Snapshot::new(),
            loaded: Loaded::default(),
            table: Vec::new(),
            entities: EntitySlots::default(),
            seen: Vec::new(),
            identities: SavedIdentities::default(),
            places: Vec::new(),
        }
    }

    pub(super) fn take(&mut self, part: Part) -> Result<(), LoadError> {
        let name = part.name();
        if !matches!(part, Part::Types(_) | Part::Pool(_) | Part::Resource(_)) {
            if self.seen.contains(&name) {
                return Err(LoadError::invalid(name, "it comes twice"));
            }
            self.seen.push(name);
        }
        let needed = match part {
            Part::Pool(_) | Part::Groups(_) | Part::EntityLists(_) | Part::GlobalIds(_) => "entities",
            Part::Systems(_) => "identities",
            Part::Events(_) | Part::Changes(_) => "systems",
            _ => "",
        };
        if !needed.is_empty() && !self.seen.contains(&needed) {
            return Err(LoadError::invalid(name, format!("the {needed} must come first")));
        }
        match part {
            Part::Frame(frame) => self.take_frame(&frame),
            Part::Types(types) => types.into_iter().try_for_each(|known| self.take_type(known)),
            Part::Entities(slots) => {
                let slots = slots.load_entities().map_err(|problem| LoadError::invalid(name, problem))?;
                self.entities = slots;
                Ok(())
            }
            Part::Pool(pool) => self.take_pool(&pool),
            Part::Groups(groups) => groups.iter().try_for_each(|group| self.take_group(group)),
            Part::EntityLists(entity_lists) => self.take_entity_lists(&entity_lists),
            Part::GlobalIds(ids) => self.take_global_ids(&ids),
            Part::Resource(value) => self.take_resource(&value),
            Part::Identities(identities) => {
                self.identities = identities;
                Ok(())
            }
            Part::Systems(systems) => self.take_systems(systems),
            Part::Events(events) => self.take_events(&events),
            Part::Changes(changes) => self.take_changes(&changes),
        }
    }

    pub(super) fn finish(mut self) -> Result<(Snapshot, Loaded), LoadError> {
        let all = ["frame", "entities", "groups", "entity lists", "global ids", "systems", "events"];
        if let Some(missing) = all.iter().find(|part| !self.seen.contains(*part)) {
            return Err(LoadError::invalid(*missing, "it is missing"));
        }
        for relation in &self.types.relations {
            (relation.check)(&self.snapshot).map_err(|problem| LoadError::invalid("relations", problem))?;
        }
        self.snapshot.entities = Some(Arc::new(self.entities));
        self.snapshot.stays = self.types.staying_when_loaded();
        self.snapshot.is_from_save = true;
        self.snapshot.is_whole = true;
        Ok((self.snapshot, self.loaded))
    }

    /// An entry of the table of types.
    pub(crate) fn known(&self, of: u32, kind: TypeKind) -> Result<&Known, LoadError> {
        let known = self.table.get(of as usize).filter(|known| known.kind == kind);
        known.ok_or_else(|| LoadError::invalid("types", format!("number {of} is no {kind}")))
    }

    pub(crate) fn drop_all(&mut self, of: u32, count: usize) {
        let Some(Known { kind, name, .. }) = self.table.get(of as usize) else { return };
        self.note_dropped(*kind, name.clone(), count);
    }

    pub(super) fn note_dropped(&mut self, kind: TypeKind, name: String, count: usize) {
        match self.loaded.dropped.iter_mut().find(|dropped| dropped.kind == kind && dropped.name == name) {
            Some(dropped) => dropped.count += count,
            None => self.loaded.dropped.push(Dropped { kind, name, count }),
        }
    }

    pub(crate) fn invalid_value(known: &Known, problem: String) -> LoadError {
        LoadError::invalid(format!("{} \"{}\"", known.kind, known.name), problem)
    }

    fn take_frame(&mut self, frame: &SavedFrame) -> Result<(), LoadError> {
        limits::check_frame(frame)?;
        let SavedFrame { frame, delta, elapsed, delivered, counted } = *frame;
        self.snapshot.time = Time { delta, elapsed, frame };
        self.snapshot.numbers = EventNumbers { delivered, counted };
        Ok(())
    }

    fn take_type(&mut self, SavedType { kind, name, version }: SavedType) -> Result<(), LoadError> {
        let found = self.types.find_saved(kind, &name, version);
        let type_id = match found {
            Some((type_id, known, true)) => {
                if version != known {
                    self.loaded.converted.push(Converted { kind, name: name.clone(), from: version });
                }
                Some(type_id)
            }
            Some((_, known, false)) => return Err(LoadError::UnknownVersion { kind, name, found: version, known }),
            None if self.types.is_gone(kind, &name) => None,
            None => return Err(LoadError::UnknownType { kind, name }),
        };
        self.table.push(Known { kind, name, version, type_id });
        Ok(())
    }

    fn take_pool(&mut self, pool: &SavedPool) -> Result<(), LoadError> {
        let known = self.known(pool.of, TypeKind::Component)?;
        let Some(component) = known.type_id else {
            self.drop_all(pool.of, pool.owners.len());
            return Ok(());
        };
        if self.snapshot.pools.iter().any(|other| other.component == component) {
            return Err(Self::invalid_value(known, "it has two pools".to_owned()));
        }
        let index = match self.same_index(pool) {
            Some(same) => same,
            None => pools::index(pool, &known.name, &self.entities)?,
        };
        let entry = self.types.components.of(component).expect("the table was made of it");
        let values = entry.what.load(known.version, &pool.values, pool.owners.len());
        let values = values.map_err(|problem| Self::invalid_value(known, problem))?;
        let name = Some(entry.name.clone());
        let place = self.snapshot.pools.len();
        self.entities.note_owners(index.owners(), place);
        let (index, values) = (Some(Arc::new(index) as _), Some(values));
        self.snapshot.pools.push(PoolCopy { component, name, index, values, ticks: None });
        Ok(())
    }

    /// A copy of the index of the pool before, if both have the same owners and all components are enabled.
    fn same_index(&self, pool: &SavedPool) -> Option<SparseIndex> {
        let before = self.index_of(self.snapshot.pools.len().checked_sub(1)?);
        let is_same = pool.off.is_empty()
            && [pool.enabled as usize, before.active()].iter().all(|enabled| *enabled == pool.owners.len())
            && before.owners() == pool.owners;
        is_same.then(|| {
            let mut index = SparseIndex::default();
            index.copy_from(before);
            index
        })
    }

    fn take_group(&mut self, group: &SavedGroup) -> Result<(), LoadError> {
        let mut places = Vec::new();
        let mut names = Vec::new();
        for of in &group.of {
            let known = self.known(*of, TypeKind::Component)?;
            // A group with a component that is gone is dropped.
            let Some(component) = known.type_id else { return Ok(()) };
            let place = self.snapshot.pools.iter().position(|pool| pool.component == component);
            let place = place.ok_or_else(|| Self::invalid_value(known, "its group has no pool".to_owned()))?;
            if places.contains(&place) {
                return Err(Self::invalid_value(known, "its group has it twice".to_owned()));
            }
            places.push(place);
            names.push(known.name.clone());
        }
        let indices: Vec<&SparseIndex> = places.iter().map(|place| self.index_of(*place)).collect();
        let name = format!("({})", names.join(", "));
        if self.snapshot.groups.iter().any(|other| other.pools == places) {
            return Err(LoadError::invalid("groups", format!("group {name} is there twice")));
        }
        if !pools::is_group(&indices, group.members as usize) {
            return Err(LoadError::invalid("groups", format!("group {name} is not in order")));
        }
        self.snapshot.groups.push(GroupCopy { name, pools: places, len: group.members as usize });
        Ok(())
    }

    pub(super) fn index_of(&self, place: usize) -> &SparseIndex {
        let index = self.snapshot.pools[place].index.as_ref().and_then(|index| index.downcast_ref());
        index.expect("every loaded pool has an index")
    }

    fn check_entity(&self, part: &str, entity: EntityId) -> Result<(), LoadError> {
        let is_there = self.entities.is_enabled(entity).map(|_| ());
        is_there.ok_or_else(|| LoadError::invalid(part, format!("entity {entity} does not exist")))
    }

    fn take_entity_lists(&mut self, saved: &SavedEntityLists) -> Result<(), LoadError> {
        let SavedEntityLists { entity_lists, entities } = saved;
        for (entity, _) in entities {
            self.check_entity("entity lists", *entity)?;
        }
        let table = EntityListTable::load(entity_lists, entities);
        self.snapshot.entity_lists =
            Some(Arc::new(table.map_err(|problem| LoadError::invalid("entity lists", problem))?));
        Ok(())
    }

    fn take_global_ids(&mut self, saved: &SavedGlobalIds) -> Result<(), LoadError> {
        let mut ids = GlobalIds::new(saved.site, saved.next);
        for (entity, site, serial) in &saved.ids {
            self.check_entity("global ids", *entity)?;
            let adopted = ids.adopt(*entity, GlobalId { site: *site, serial: *serial });
            adopted.map_err(|error| LoadError::invalid("global ids", error.to_string()))?;
        }
        self.snapshot.global_ids = Some(Arc::new(ids));
        Ok(())
    }

    fn take_resource(&mut self, SavedValue { of, value }: &SavedValue) -> Result<(), LoadError> {
        let known = self.known(*of, TypeKind::Resource)?;
        let Some(resource) = known.type_id else {
            self.drop_all(*of, 1);
            return Ok(());
        };
        if self.snapshot.resources.iter().any(|other| other.resource == resource) {
            return Err(Self::invalid_value(known, "it comes twice".to_owned()));
        }
        let entry = self.types.resources.of(resource).expect("the table was made of it");
        let value = entry.what.load(known.version, value).map_err(|problem| Self::invalid_value(known, problem))?;
        limits::check_steps(self.source.systems.sets.steps_in_copy(&*value))?;
        let name = entry.name.clone();
        self.snapshot.resources.push(ResourceCopy { resource, name, value: Some(value) });
        Ok(())
    }

    fn take_events(&mut self, SavedEvents { lists, runs }: &SavedEvents) -> Result<(), LoadError> {
        let mut counts = Vec::new();
        let mut places = Vec::new();
        // The counts of the runs bound the number of events to read.
        let mut sums = vec![0_u64; lists.len()];
        for (list, count, _) in runs {
            let sum = sums.get_mut(*list as usize);
            let sum = sum.ok_or_else(|| LoadError::invalid("events", format!("there is no list {list}")))?;
            *sum = sum.saturating_add(*count);
        }
        limits::check_waiting(sums.iter().copied())?;
        for (at, (of, count, events)) in lists.iter().enumerate() {
            let known = self.known(*of, TypeKind::Event)?;
            let sum = sums[at];
            if sum != *count {
                return Err(Self::invalid_value(known, format!("{count} wait, and {sum} are delivered")));
            }
            let count = *count as usize;
            counts.push(count);
            let Some(event) = known.type_id else {
                self.drop_all(*of, count);
                places.push(None);
                continue;
            };
            let entry = self.types.events.of(event).expect("the table was made of it");
            let events = entry.what.load(known.version, events, count);
            let events = events.map_err(|problem| Self::invalid_value(known, problem))?;
            places.push(Some(self.snapshot.lists.len()));
            self.snapshot.lists.push(EventList { event, name: entry.name.clone(), events });
        }
        for (list, count, sender) in runs {
            let known = places.get(*list as usize).copied();
            let list = known.ok_or_else(|| LoadError::invalid("events", format!("there is no list {list}")))?;
            let sender = match sender {
                None => OUTSIDE,
                // Events of a system that is gone count as sent from outside.
                Some(sender) => self.place(*sender)?.unwrap_or(OUTSIDE),
            };
            if let Some(list) = list {
                let run = WaitingRun { event_type: EventTypeId::NONE, count: *count as usize, sender };
                self.snapshot.waiting.push((list, run));
            }
        }
        Ok(())
    }

    /// The new position of a saved system; `None` if it is gone.
    pub(super) fn place(&self, saved: u32) -> Result<Option<usize>, LoadError> {
        let place = self.places.get(saved as usize).copied();
        place.ok_or_else(|| LoadError::invalid("systems", format!("there is no system {saved}")))
    }
}
