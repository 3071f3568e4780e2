//! Builds a snapshot from its parts. Everything is checked: saves may be forged.

use std::any::TypeId;
use std::sync::Arc;

use super::error::LoadError;
use super::part::SavedValue;
use super::part::{
    Part, SavedComponents, SavedControls, SavedEntityLists, SavedEvents, SavedFrame, SavedGlobalIds, SavedIdentities,
    SavedKind, SavedOwners, SavedType,
};
use super::{Source, limits, pools};
use crate::component::{ComponentId, ComponentMask, RowPlace, SparseIndex};
use crate::entity::{EntityId, EntityTable, GlobalId, GlobalIds, SlotParts};
use crate::entity_lists::EntityListTable;
use crate::error::TypeKind;
use crate::event::{EventNumbers, EventTypeId, OUTSIDE, WaitingRun};
use crate::ids::FunctionKey;
use crate::random::RandomCopy;
use crate::resources::Revisions;
use crate::snapshot::{EventList, PoolCopy, ResourceCopy, Snapshot};
use crate::store::{HeldControls, SharedCopy};
use crate::time::Time;
use crate::type_map::FixedMap;
use crate::types::{Blob, SavedValues, TypeRegistry};

/// The report of a load.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loaded {
    /// Values that were left out because their type is [gone](crate::snapshot::TypeRegistry::removed).
    pub dropped: Vec<Dropped>,
    /// Values of older versions of their types.
    pub converted: Vec<Converted>,
    /// Names of systems, and of functions of the set-up, that the save does not know; they do not change.
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

/// A list of owners of extras.
struct OwnerList {
    owners: Box<[EntityId]>,
    /// The index of a pool whose extras all belong to them, enabled.
    index: Option<SharedCopy>,
}

/// A kind of the save: its rows, and the component types whose values it has.
struct LoadedKind {
    owners: Vec<EntityId>,
    /// The numbers of the types.
    of: Vec<u32>,
}

pub(crate) struct Loading<'a> {
    pub(crate) types: &'a TypeRegistry,
    pub(super) source: Source<'a>,
    pub(super) snapshot: Snapshot,
    pub(super) loaded: Loaded,
    table: Vec<Known>,
    pub(super) entities: EntityTable,
    /// The entities that are disabled.
    disabled: Vec<EntityId>,
    kinds: Vec<LoadedKind>,
    owners: Vec<OwnerList>,
    /// The unique parts read so far.
    seen: Vec<&'static str>,
    pub(super) identities: SavedIdentities,
    /// The functions that had ended when the save was written.
    pub(super) ended_functions: Vec<String>,
    /// The new position of each saved system; `None` if it is gone.
    pub(super) places: Vec<Option<usize>>,
    /// The places of the functions that the engine has.
    pub(super) functions: FixedMap<FunctionKey, usize>,
    /// The key of the engine's own function for each saved function.
    pub(super) own_functions: Vec<Option<FunctionKey>>,
    /// The systems and functions that were loaded so far, and their positions.
    pub(super) taken: FixedMap<(TypeId, Option<FunctionKey>), usize>,
}

impl<'a> Loading<'a> {
    pub(super) fn new(source: Source<'a>) -> Self {
        Self {
            types: source.types,
            source,
            snapshot: Snapshot::new(),
            loaded: Loaded::default(),
            table: Vec::new(),
            entities: EntityTable::default(),
            disabled: Vec::new(),
            kinds: Vec::new(),
            owners: Vec::new(),
            seen: Vec::new(),
            identities: SavedIdentities::default(),
            ended_functions: Vec::new(),
            places: Vec::new(),
            functions: FixedMap::default(),
            own_functions: Vec::new(),
            taken: FixedMap::default(),
        }
    }

    /// Takes a part, and the values behind it.
    pub(super) fn take(&mut self, part: Part, values: &[u8]) -> Result<(), LoadError> {
        let name = part.name();
        let is_repeated = matches!(part, Part::Types(_) | Part::Owners(_) | Part::Components(_) | Part::Resource(_));
        if !is_repeated {
            if self.seen.contains(&name) {
                return Err(LoadError::invalid(name, "it comes twice"));
            }
            self.seen.push(name);
        }
        let needed = match part {
            Part::Kinds(_) | Part::EntityLists(_) | Part::GlobalIds(_) => "entities",
            Part::Owners(_) => "kinds",
            Part::Systems(_) => "identities",
            Part::Events(_) | Part::Changes(_) | Part::ResourceChanges(_) => "systems",
            _ => "",
        };
        if !needed.is_empty() && !self.seen.contains(&needed) {
            return Err(LoadError::invalid(name, format!("the {needed} must come first")));
        }
        match part {
            Part::Frame(frame) => self.take_frame(&frame),
            Part::Types(types) => types.into_iter().try_for_each(|known| self.take_type(known)),
            Part::Entities(slots) => self.take_slots(&slots),
            Part::Owners(ranges) => self.take_owners(&ranges),
            Part::Components(components) => {
                let values = match &components.values {
                    Blob::Bytes(none) if none.is_empty() => SavedValues::Bytes(values),
                    Blob::Bytes(_) => return Err(LoadError::invalid(name, "its values are not behind it")),
                    text => text.values(),
                };
                self.take_components(&components, values)
            }
            Part::Kinds(kinds) => self.take_kinds(kinds),
            Part::EntityLists(entity_lists) => self.take_entity_lists(&entity_lists),
            Part::GlobalIds(ids) => self.take_global_ids(&ids),
            Part::Random(random) => {
                limits::check_streams(random.streams.len())?;
                self.snapshot.random = Some(Arc::new(random));
                Ok(())
            }
            Part::Resource(value) => self.take_resource(&value),
            Part::Identities(identities) => {
                self.identities = identities;
                Ok(())
            }
            Part::EndedFunctions(names) => {
                self.ended_functions = names;
                Ok(())
            }
            Part::Systems(systems) => self.take_systems(systems),
            Part::Events(events) => self.take_events(&events),
            Part::Controls(controls) => self.take_controls(&controls),
            Part::Changes(changes) => self.take_changes(&changes),
            Part::ResourceChanges(changes) => self.take_resource_changes(&changes),
        }
    }

    pub(super) fn finish(mut self) -> Result<(Snapshot, Loaded), LoadError> {
        let all = ["frame", "entities", "kinds", "entity lists", "global ids", "systems", "events"];
        if let Some(missing) = all.iter().find(|part| !self.seen.contains(*part)) {
            return Err(LoadError::invalid(*missing, "it is missing"));
        }
        if let Some(pool) = self.snapshot.pools.iter().find(|pool| pool.values.is_none()) {
            let name = pool.name.as_deref().unwrap_or_default();
            return Err(LoadError::invalid(format!("component \"{name}\""), "its values are missing"));
        }
        let (pools, table) = (&self.snapshot.pools, &self.entities);
        let rows = |component| {
            let place = pools.iter().position(|pool| pool.component == component)?;
            pools[place].rows(place, table)
        };
        for relation in &self.types.relations {
            (relation.check)(&rows).map_err(|problem| LoadError::invalid("relations", problem))?;
        }
        self.snapshot.entities = Some(Arc::new(self.entities));
        self.snapshot.stays = self.types.staying_when_loaded();
        self.snapshot.is_from_save = true;
        self.snapshot.random.get_or_insert_with(|| Arc::new(RandomCopy::default()));
        self.snapshot.is_whole = true;
        Ok((self.snapshot, self.loaded))
    }

    /// An entry of the table of types.
    pub(crate) fn known(&self, of: u32, kind: TypeKind) -> Result<&Known, LoadError> {
        let known = self.table.get(of as usize).filter(|known| known.kind == kind);
        known.ok_or_else(|| LoadError::invalid("types", format!("number {of} is no {kind}")))
    }

    /// Whether a number of the table, which was checked, is that of a type.
    fn is_number_of(&self, of: u32, component: TypeId) -> bool {
        self.table[of as usize].type_id == Some(component)
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
        self.snapshot.time = Time { delta, elapsed, frame, ..Time::default() };
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

    fn take_slots(&mut self, slots: &SlotParts) -> Result<(), LoadError> {
        let entities = EntityTable::from_parts(slots);
        let (table, mut disabled) = entities.map_err(|problem| LoadError::invalid("entities", problem))?;
        disabled.sort_unstable();
        (self.entities, self.disabled) = (table, disabled);
        Ok(())
    }

    fn take_owners(&mut self, ranges: &[SavedOwners]) -> Result<(), LoadError> {
        let owners = self.entities_of(ranges, "owners")?;
        self.owners.push(OwnerList { owners: owners.into(), index: None });
        Ok(())
    }

    /// The entities of some ranges.
    fn entities_of(&self, ranges: &[SavedOwners], part: &str) -> Result<Vec<EntityId>, LoadError> {
        let mut owners = Vec::new();
        for SavedOwners { first, count } in ranges {
            // Counts may be forged. Each entity is in a list once.
            let count = *count as usize;
            if count > self.entities.len() - owners.len().min(self.entities.len()) {
                return Err(LoadError::invalid(part, "there are more owners than entities"));
            }
            owners.extend((0..count as u64).map(|at| EntityId::from_bits(first.bits().wrapping_add(at))));
        }
        Ok(owners)
    }

    fn take_components(&mut self, saved: &SavedComponents, values: SavedValues<'_>) -> Result<(), LoadError> {
        let list = self.owners.get(saved.owners as usize);
        let list = list.ok_or_else(|| LoadError::invalid("owners", format!("there is no list {}", saved.owners)))?;
        let known = self.known(saved.of, TypeKind::Component)?;
        let Some(component) = known.type_id else {
            let kinds = self.kinds.iter().filter(|kind| kind.of.contains(&saved.of));
            let count = list.owners.len() + kinds.map(|kind| kind.owners.len()).sum::<usize>();
            self.drop_all(saved.of, count);
            return Ok(());
        };
        if self.snapshot.pools.iter().any(|other| other.component == component && other.values.is_some()) {
            return Err(Self::invalid_value(known, "it has two pools".to_owned()));
        }
        let place = self.pool_place(component);
        let list = &self.owners[saved.owners as usize];
        let (table, id) = (&self.entities, ComponentId::at(place));
        let is_home = |owner: EntityId| {
            let location = table.location(owner);
            location.is_some_and(|location| table.kinds().get(location.kind).mask.contains(id))
        };
        // Pools whose extras have the same owners share an index if all are enabled and no owner has the type at home.
        let is_common = saved.off.is_empty() && saved.enabled as usize == list.owners.len();
        let known_index = list.index.clone().filter(|_| is_common && !list.owners.iter().any(|owner| is_home(*owner)));
        let known = self.known(saved.of, TypeKind::Component)?;
        let index = match known_index {
            Some(index) => index,
            None => Arc::new(pools::index(&list.owners, saved, &known.name, table, is_home)?),
        };
        // Forged saves may give the type several numbers.
        let kinds = self.kinds.iter().filter(|kind| kind.of.iter().any(|of| self.is_number_of(*of, component)));
        let at_home = kinds.flat_map(|kind| kind.owners.iter().filter_map(|owner| table.location(*owner)));
        let at_home = at_home.map(|location| RowPlace::Home { kind: location.kind, row: location.row });
        let places: Vec<RowPlace> = at_home.chain((0..list.owners.len()).map(RowPlace::Extra)).collect();
        let entry = self.types.components.of(component).expect("the table was made of it");
        let values =
            entry.codec().and_then(|codec| (codec.copies.load_components)(codec, known.version, values, places.len()));
        let values = values.map_err(|problem| Self::invalid_value(known, problem))?;
        let values = entry.what.arrange(values, &places, table.kinds().all().len());
        for owner in &list.owners {
            self.entities.note_extra(*owner, id);
        }
        if is_common {
            self.owners[saved.owners as usize].index = Some(index.clone());
        }
        let pool = &mut self.snapshot.pools[place];
        (pool.index, pool.values) = (Some(index), Some(values));
        Ok(())
    }

    /// The place of a pool in the snapshot, which is made if needed.
    fn pool_place(&mut self, component: TypeId) -> usize {
        let pools = &mut self.snapshot.pools;
        pools.iter().position(|pool| pool.component == component).unwrap_or_else(|| {
            let name = self.types.components.of(component).map(|entry| entry.name.clone());
            pools.push(PoolCopy { component, name, index: None, values: None, ticks: None });
            pools.len() - 1
        })
    }

    fn take_kinds(&mut self, kinds: Vec<SavedKind>) -> Result<(), LoadError> {
        let components = self.table.iter().filter(|known| known.kind == TypeKind::Component);
        let components: Vec<TypeId> = components.filter_map(|known| known.type_id).collect();
        components.into_iter().for_each(|component| _ = self.pool_place(component));
        for SavedKind { of, owners, enabled } in kinds {
            let owners = self.entities_of(&owners, "kinds")?;
            let mut mask = ComponentMask::default();
            for number in &of {
                // A component that is gone leaves the kind.
                if let Some(component) = self.known(*number, TypeKind::Component)?.type_id {
                    mask.insert(ComponentId::at(self.pool_place(component)));
                }
            }
            let is_on = |entity: &EntityId| self.disabled.binary_search(entity).is_err();
            let enabled = enabled as usize;
            let sides = owners.iter().enumerate().all(|(row, owner)| is_on(owner) == (row < enabled));
            if !sides || enabled > owners.len() {
                return Err(LoadError::invalid("kinds", "an entity is on the wrong side"));
            }
            self.entities.load_rows(mask, &owners, enabled).map_err(|problem| LoadError::invalid("kinds", problem))?;
            self.kinds.push(LoadedKind { owners, of });
        }
        match self.entities.without_kind().first() {
            Some(entity) => Err(LoadError::invalid("kinds", format!("entity {entity} is in none"))),
            None => Ok(()),
        }
    }

    /// The owners of all components of a pool, in the order in which they are saved.
    pub(super) fn owners_of(&self, place: usize) -> Vec<EntityId> {
        let pool = &self.snapshot.pools[place];
        let kinds = self.kinds.iter().filter(|kind| kind.of.iter().any(|of| self.is_number_of(*of, pool.component)));
        let at_home = kinds.flat_map(|kind| kind.owners.iter().copied());
        let extras = pool.index.as_ref().and_then(|index| index.downcast_ref::<SparseIndex>());
        at_home.chain(extras.into_iter().flat_map(|extras| extras.owners().iter().copied())).collect()
    }

    fn check_entity(&self, part: &str, entity: EntityId) -> Result<(), LoadError> {
        let is_there = self.entities.knows(entity).then_some(());
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
        let value =
            entry.codec().and_then(|codec| (codec.copies.load_resource)(codec, known.version, value.values(), 1));
        let value = value.map_err(|problem| Self::invalid_value(known, problem))?;
        let name = entry.name.clone();
        self.snapshot.resources.push(ResourceCopy { resource, name, value: Some(value), revisions: Revisions::FIRST });
        Ok(())
    }

    fn take_controls(&mut self, saved: &SavedControls) -> Result<(), LoadError> {
        let known = self.known(saved.of, TypeKind::Event)?;
        limits::check_waiting([saved.count].into_iter())?;
        let count = saved.count as usize;
        let Some(event) = known.type_id else { return Ok(()) };
        let entry = self.types.events.of(event).expect("the table was made of it");
        let presses = entry
            .codec()
            .and_then(|codec| (codec.copies.load_components)(codec, known.version, saved.presses.values(), count));
        let presses = presses.map_err(|problem| Self::invalid_value(known, problem))?;
        self.snapshot.controls = Some(HeldControls { event: (event, entry.rust_name), count, presses });
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
            let events = entry
                .codec()
                .and_then(|codec| (codec.copies.load_events)(codec, known.version, events.values(), count));
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
