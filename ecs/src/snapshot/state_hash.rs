//! The hash of an engine's state, part by part.

use std::fmt;
use std::sync::Arc;

use super::{PoolCopy, Snapshot, SnapshotError, Snapshots, SystemCopy, TypeKind};
use crate::component::{TickCopy, unmarked};
use crate::entity::{EntityTable, GlobalIds};
use crate::entity_lists::EntityListTable;
use crate::event::WaitingRun;
use crate::panic::within;
use crate::query::QueryStats;
use crate::random::RandomCopy;
use crate::stable_hash::StateHasher;
use crate::store::SharedCopy;
use crate::system::{Executor, SystemManager, Timer};
use crate::world::World;

/// The hash of all values of one type, or of a part of the engine itself, such as its entities.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HashPart {
    /// The kind of the type; `None` for a part of the engine itself.
    pub kind: Option<TypeKind>,
    /// The registered name of the type, or "entities", "entity lists", "global ids", "time", "timers", "events" or
    /// "changes".
    #[cfg_attr(feature = "serde", serde(serialize_with = "write_name", deserialize_with = "read_name"))]
    pub name: Arc<str>,
    /// The hash.
    pub hash: u64,
}

#[cfg(feature = "serde")]
fn write_name<S: serde::Serializer>(name: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(name)
}

#[cfg(feature = "serde")]
fn read_name<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Arc<str>, D::Error> {
    <String as serde::Deserialize>::deserialize(deserializer).map(Arc::from)
}

impl fmt::Display for HashPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Some(kind) => write!(f, "{kind} \"{}\"", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// The hash of a whole state, with one part for each type; see [`Engine::state_hash`](crate::Engine::state_hash).
///
/// It is the same on every platform, at any number of threads, and in any engine whose types are registered under the
/// same names; [`StateHasher`] defines the function. Equal states have equal hashes; different states have different
/// ones, up to collisions. The order of rows in a pool counts. Not hashed: priorities, subscriptions, the list of
/// functions and how they catch up, and the order of free ids. Where only these differ, a later frame shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StateHash {
    /// The hash of all parts.
    pub whole: u64,
    /// First the parts of the engine itself, then components, resources and systems by name. Types without values have
    /// no part.
    pub parts: Vec<HashPart>,
}

impl StateHash {
    /// The first part that differs.
    #[must_use]
    pub fn first_difference<'a>(&'a self, other: &'a Self) -> Option<&'a HashPart> {
        let differing = self.parts.iter().zip(&other.parts).find(|(own, others)| own != others);
        let common = self.parts.len().min(other.parts.len());
        match differing {
            // Where both have different parts, the one that sorts first is missing in the other.
            Some((own, others)) if (own.kind, &own.name) > (others.kind, &others.name) => Some(others),
            Some((own, _)) => Some(own),
            None => self.parts.get(common).or_else(|| other.parts.get(common)),
        }
    }

    /// All parts that differ, then those that only `other` has.
    pub fn differing_parts<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a HashPart> {
        let same = |parts: &'a [HashPart], part: &HashPart| {
            parts.iter().find(|known| (known.kind, &known.name) == (part.kind, &part.name))
        };
        let own = self.parts.iter().filter(move |part| same(&other.parts, part) != Some(part));
        own.chain(other.parts.iter().filter(move |part| same(&self.parts, part).is_none()))
    }

    pub(super) fn add(&mut self, kind: Option<TypeKind>, name: &Arc<str>, hash: &StateHasher) {
        self.parts.push(HashPart { kind, name: name.clone(), hash: hash.finish() });
    }

    /// Computes the hash of all parts.
    pub(super) fn sum_up(&mut self) {
        let mut whole = StateHasher::default();
        for HashPart { kind, name, hash } in &self.parts {
            whole.number(kind.map_or(0, |kind| kind as u64 + 1)).add(&**name).number(*hash);
        }
        self.whole = whole.finish();
    }
}

/// The names of the parts without a type, made once.
pub(super) struct OwnParts {
    names: [Arc<str>; 6],
    random: Arc<str>,
    changes: Arc<str>,
    resource_changes: Arc<str>,
}

impl Default for OwnParts {
    fn default() -> Self {
        let names = ["entities", "entity lists", "global ids", "time", "timers", "events"].map(Arc::from);
        Self {
            names,
            random: "random numbers".into(),
            changes: "changes".into(),
            resource_changes: "changes of resources".into(),
        }
    }
}

impl Snapshots {
    /// Hashes the state of an engine whose systems are in order, by a snapshot of it.
    ///
    /// # Errors
    /// As [`Snapshots::take`].
    pub(crate) fn hash(
        &mut self,
        into: &mut StateHash,
        world: &mut World,
        systems: &mut SystemManager,
        executor: &Executor,
    ) -> Result<(), SnapshotError> {
        let mut snapshot = self.hashed.take().unwrap_or_default();
        let taken = self.take(&mut snapshot, world, systems, executor);
        let hashed = taken.and_then(|()| self.hash_parts(into, &snapshot));
        self.hashed = Some(snapshot);
        hashed
    }

    /// Hashes a snapshot that could be restored into the engine, except that functions may be missing there.
    ///
    /// # Errors
    /// As [`Engine::restore`](crate::Engine::restore).
    pub(crate) fn hash_recorded(
        &mut self,
        snapshot: &Snapshot,
        systems: &SystemManager,
    ) -> Result<StateHash, SnapshotError> {
        self.check(snapshot, systems)?;
        let mut own = snapshot.systems.iter().filter(|copy| copy.function.is_none());
        let is_missing = |copy: &&SystemCopy| systems.find(copy.system).is_none() && !self.comes_back(copy, snapshot);
        if let Some(missing) = own.find(is_missing) {
            return Err(SnapshotError::MissingSystem { system: missing.rust_name });
        }
        let mut into = StateHash::default();
        self.hash_parts(&mut into, snapshot)?;
        Ok(into)
    }

    fn hash_parts(&mut self, into: &mut StateHash, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        into.parts.clear();
        let entities: &EntityTable = copy_of(snapshot.entities.as_ref());
        let entity_lists: &EntityListTable = copy_of(snapshot.entity_lists.as_ref());
        let ids: &GlobalIds = copy_of(snapshot.global_ids.as_ref());
        let own = [
            hash_by(|hash| {
                let is_enabled = |location| entities.is_enabled_at(location);
                entities.iter().for_each(|(entity, location)| _ = hash.add(&entity).add(&is_enabled(location)));
            }),
            hash_by(|hash| entity_lists.hash(hash)),
            hash_by(|hash| ids.hash(hash)),
            hash_by(|hash| _ = hash.number(snapshot.time.frame()).add(&snapshot.time.elapsed())),
            hash_by(|hash| {
                snapshot.systems.iter().for_each(|copy| hash_timer(copy.is_enabled, copy.timing.timer, hash));
            }),
            self.hash_events(snapshot)?,
        ];
        self.own_parts.names.iter().zip(&own).for_each(|(name, hash)| into.add(None, name, hash));
        let random: &RandomCopy = copy_of(snapshot.random.as_ref());
        if !random.is_unused() {
            into.add(None, &self.own_parts.random, &hash_by(|hash| random.hash(hash)));
        }
        if snapshot.systems.iter().any(|copy| !copy.queries.is_empty()) {
            into.add(None, &self.own_parts.changes, &self.hash_changes(snapshot));
        }
        if snapshot.all_asked().any(|asked| asked.revision != 0) {
            let hash = hash_by(|hash| snapshot.hash_resource_changes(hash));
            into.add(None, &self.own_parts.resource_changes, &hash);
        }
        self.hash_types(into, snapshot);
        into.sum_up();
        Ok(())
    }

    fn hash_events(&mut self, snapshot: &Snapshot) -> Result<StateHasher, SnapshotError> {
        let mut hash = StateHasher::default();
        self.taken.clear();
        self.taken.resize(snapshot.lists.len(), 0);
        let in_runs = first_of_runs(snapshot.waiting.iter().map(|(_, run)| *run));
        for ((list, run), in_run) in snapshot.waiting.iter().zip(in_runs) {
            let events = &snapshot.lists[*list];
            let known = self.types.events.meant(&events.name, events.event)?;
            if let Some(count) = in_run {
                hash.add(&*known.name).number(count as u64);
            }
            let range = self.taken[*list]..self.taken[*list] + run.count;
            self.taken[*list] = range.end;
            hashing(TypeKind::Event, &known.name, || known.what.hash(&*events.events, range, &mut hash));
        }
        Ok(hash)
    }

    /// Adds what each query of a system will see as added and changed. The ticks themselves are not hashed: they also
    /// count what was asked from outside, which has no influence on the state.
    fn hash_changes(&self, snapshot: &Snapshot) -> StateHasher {
        let mut hash = StateHasher::default();
        for known in self.types.components.by_name() {
            let Some(place) = snapshot.pools.iter().position(|copy| copy.component == known.type_id) else { continue };
            let PoolCopy { ticks: Some(ticks), .. } = &snapshot.pools[place] else { continue };
            let (Some((rows, _)), ticks): (_, &TickCopy) = (snapshot.rows(place), copy_of(Some(ticks))) else {
                continue;
            };
            let sees = |stats: &QueryStats| stats.tracked.iter().any(|id| id.index() == place);
            let queries = snapshot.systems.iter().flat_map(|copy| &copy.queries);
            for query in queries.filter(|query| query.stats.as_deref().is_some_and(sees)) {
                hash.add(&known.name[..]);
                for row in rows.iter() {
                    let (added, changed) = ticks.of(row.owner);
                    hash.add(&(unmarked(added) > query.last_run, unmarked(changed) > query.last_run));
                    if added.max(changed) != unmarked(added.max(changed)) {
                        // What the query sees once the component is enabled.
                        hash.add(&(added == unmarked(added), changed == unmarked(changed)));
                    }
                }
            }
        }
        hash
    }

    fn hash_types(&self, into: &mut StateHash, snapshot: &Snapshot) {
        let types = &self.types;
        for known in types.components.by_name() {
            let Some(place) = snapshot.pools.iter().position(|copy| copy.component == known.type_id) else { continue };
            let Some(rows) = snapshot.rows(place).filter(|(rows, _)| rows.len() > 0) else { continue };
            let hash = hash_by(|hash| hashing(TypeKind::Component, &known.name, || known.what.hash(rows, hash)));
            into.add(Some(TypeKind::Component), &known.name, &hash);
        }
        for known in types.resources.by_name().filter(|known| !types.is_left_out(known.type_id)) {
            let copy = snapshot.resources.iter().find(|copy| copy.resource == known.type_id);
            let Some(value) = copy.and_then(|copy| copy.value.as_ref()) else { continue };
            let mut hash = StateHasher::default();
            if hashing(TypeKind::Resource, &known.name, || known.what.hash(value, &mut hash)) {
                into.add(Some(TypeKind::Resource), &known.name, &hash);
            }
        }
        for known in types.systems.by_name().filter(|known| !types.is_left_out(known.type_id)) {
            let is_of = |copy: &&SystemCopy| copy.system == known.type_id && copy.function.is_none();
            let copy = snapshot.systems.iter().find(is_of);
            let Some(state) = copy.and_then(|copy| copy.state.as_ref()) else { continue };
            let add = |hash: &mut StateHasher| known.what.hash(&**state, hash);
            let hash = hash_by(|hash| hashing(TypeKind::System, &known.name, || add(hash)));
            into.add(Some(TypeKind::System), &known.name, &hash);
        }
        for known in types.locals.by_name() {
            let mut hash = StateHasher::default();
            let mut is_any = false;
            for (place, copy) in snapshot.systems.iter().enumerate() {
                for local in copy.locals.iter().filter(|local| local.value_type == known.type_id) {
                    let Some(value) = &local.value else { continue };
                    hash.number(place as u64);
                    hashing(TypeKind::Local, &known.name, || known.what.hash(&**value, &mut hash));
                    is_any = true;
                }
            }
            if is_any {
                into.add(Some(TypeKind::Local), &known.name, &hash);
            }
        }
    }
}

/// Calls code of users that hashes values of a type; a panic goes on with the name of the type.
fn hashing<R>(kind: TypeKind, name: &str, act: impl FnOnce() -> R) -> R {
    within(format_args!("the state hash of {kind} \"{name}\" panicked"), act)
}

fn copy_of<T: 'static>(image: Option<&SharedCopy>) -> &T {
    image.and_then(|image| image.downcast_ref()).expect("the snapshot is whole")
}

/// For each segment of waiting events, the length of its whole run if it is the run's first segment. How a run is
/// divided into segments must not change the hash.
fn first_of_runs(segments: impl Iterator<Item = WaitingRun> + Clone) -> impl Iterator<Item = Option<usize>> {
    let (mut segments, mut left) = (segments, 0);
    std::iter::from_fn(move || {
        let first = segments.next()?;
        let is_first = left == 0;
        if is_first {
            let is_same = |next: &WaitingRun| (next.event_type, next.sender) == (first.event_type, first.sender);
            left = first.count + segments.clone().take_while(is_same).map(|next| next.count).sum::<usize>();
        }
        let in_run = is_first.then_some(left);
        left -= first.count;
        Some(in_run)
    })
}

fn hash_by(add: impl FnOnce(&mut StateHasher)) -> StateHasher {
    let mut hash = StateHasher::default();
    add(&mut hash);
    hash
}

/// Adds whether a system is enabled, and when it is due.
fn hash_timer(is_enabled: bool, timer: Timer, hash: &mut StateHasher) {
    hash.number(u64::from(is_enabled));
    match timer {
        Timer::EveryFrame => hash.number(0),
        Timer::Every { interval, waited, since_last_run } => {
            hash.number(1).add(&interval).add(&waited).add(&since_last_run)
        }
        Timer::OnceAfter { left, waited } => hash.number(2).add(&left).add(&waited),
    };
}
