//! The hash of an engine's state, part by part.

use std::fmt;
use std::sync::Arc;

use super::hash::StateHasher;
use super::{SnapshotError, Snapshots, TypeKind};
use crate::entity::EntitySlots;
use crate::event::WaitingRun;
use crate::system::{Executor, OUTSIDE, SystemManager, Timer};
use crate::time::Time;
use crate::world::World;

/// The hash of one type's share in a state, or of what is of no type.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HashPart {
    /// What it is; `None` for what the engine keeps by itself.
    pub kind: Option<TypeKind>,
    /// The name under which the type is registered, or what it is: "entities", "entity lists", "global ids", "time", "timers", "events".
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

/// The hash of a whole state, and of each type's share in it; [`Engine::state_hash`](crate::Engine::state_hash) works it out.
///
/// It is the same on every platform, at any number of threads, and in any engine whose types are registered under the same
/// names: [`StateHasher`] says how it is made. Equal states have equal hashes, and the other way round but for chance, as
/// far as they are hashed: values, entities, entity lists, timers, and what waits. The order of rows in a pool is part of that.
/// Not hashed are priorities, who is subscribed to what, which functions are known and how they catch up, and which free id
/// is given out next: where only these differ, a later frame shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StateHash {
    /// The hash of all parts.
    pub whole: u64,
    /// The parts: what the engine keeps, then components, resources and systems by name. What is not there has no part.
    pub parts: Vec<HashPart>,
}

impl StateHash {
    /// The first part that is not the same in both.
    #[must_use]
    pub fn first_difference<'a>(&'a self, other: &'a Self) -> Option<&'a HashPart> {
        let differing = self.parts.iter().zip(&other.parts).find(|(own, others)| own != others);
        let common = self.parts.len().min(other.parts.len());
        match differing {
            // One that the other has not is named where both have different ones.
            Some((own, others)) if (own.kind, &own.name) > (others.kind, &others.name) => Some(others),
            Some((own, _)) => Some(own),
            None => self.parts.get(common).or_else(|| other.parts.get(common)),
        }
    }

    pub(super) fn add(&mut self, kind: Option<TypeKind>, name: &Arc<str>, hash: &StateHasher) {
        self.parts.push(HashPart { kind, name: name.clone(), hash: hash.finish() });
    }

    /// Works out the hash of all parts.
    pub(super) fn sum_up(&mut self) {
        let mut whole = StateHasher::default();
        for HashPart { kind, name, hash } in &self.parts {
            whole.number(kind.map_or(0, |kind| kind as u64 + 1)).add(&**name).number(*hash);
        }
        self.whole = whole.finish();
    }
}

/// The names of the parts that are of no type, made once.
pub(super) struct OwnParts {
    names: [Arc<str>; 6],
}

impl Default for OwnParts {
    fn default() -> Self {
        Self { names: ["entities", "entity lists", "global ids", "time", "timers", "events"].map(Arc::from) }
    }
}

impl OwnParts {
    /// Adds the hashes of what the engine keeps, in the order of the names.
    pub(super) fn add(&self, into: &mut StateHash, hashes: &[StateHasher; 6]) {
        self.names.iter().zip(hashes).for_each(|(name, hash)| into.add(None, name, hash));
    }
}

impl Snapshots {
    /// Hashes the state of an engine, whose systems are in order.
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
        into.parts.clear();
        if executor.has_commands() {
            return Err(SnapshotError::CommandsWait);
        }
        world.events.collect_outside(OUTSIDE, None);
        let own = [
            hash_by(|hash| hash_entities(world.entities_mut().slots(), hash)),
            hash_by(|hash| world.entity_lists.hash(hash)),
            hash_by(|hash| world.global_ids.hash(hash)),
            hash_time(executor.time),
            hash_timers(systems.nodes.iter().map(|node| (node.turn.is_enabled(), node.turn.timer()))),
            self.hash_events(world)?,
        ];
        self.own_parts.add(into, &own);
        self.hash_components(into, world)?;
        self.hash_resources(into, world)?;
        self.hash_systems(into, systems)?;
        into.sum_up();
        Ok(())
    }

    fn hash_components(&self, into: &mut StateHash, world: &mut World) -> Result<(), SnapshotError> {
        for (pool, rust_name) in world.components.pools_for_copy().filter(|(pool, _)| pool.index().len() > 0) {
            self.types.components.known(pool.value_type(), rust_name)?;
        }
        for known in self.types.components.by_name() {
            let pool = world.components.pools_for_copy().find(|(pool, _)| pool.value_type() == known.type_id);
            let Some((pool, _)) = pool.filter(|(pool, _)| pool.index().len() > 0) else { continue };
            let mut hash = StateHasher::default();
            known.what.hash(pool, &mut hash);
            into.add(Some(TypeKind::Component), &known.name, &hash);
        }
        Ok(())
    }

    fn hash_resources(&self, into: &mut StateHash, world: &mut World) -> Result<(), SnapshotError> {
        for number in 0..world.resources.len() {
            let Some((resource, rust_name)) = world.resources.present(number) else { continue };
            if !self.types.is_left_out(resource) {
                self.types.resources.known(resource, rust_name)?;
            }
        }
        for known in self.types.resources.by_name().filter(|known| !self.types.is_left_out(known.type_id)) {
            let mut hash = StateHasher::default();
            if known.what.hash(&mut world.resources, &mut hash) {
                into.add(Some(TypeKind::Resource), &known.name, &hash);
            }
        }
        Ok(())
    }

    fn hash_systems(&self, into: &mut StateHash, systems: &SystemManager) -> Result<(), SnapshotError> {
        for node in &systems.nodes {
            if size_of_val(node.work.state()) > 0 && !self.types.is_left_out(node.system) {
                if node.function.is_some() && self.types.systems.of(node.system).is_none() {
                    return Err(SnapshotError::Function { function: node.name });
                }
                self.types.systems.known(node.system, node.name)?;
            }
        }
        for known in self.types.systems.by_name().filter(|known| !self.types.is_left_out(known.type_id)) {
            let Some((_, node)) = systems.find(known.type_id) else { continue };
            let mut hash = StateHasher::default();
            known.what.hash(node.work.state(), &mut hash);
            into.add(Some(TypeKind::System), &known.name, &hash);
        }
        Ok(())
    }

    fn hash_events(&self, world: &World) -> Result<StateHasher, SnapshotError> {
        let mut hash = StateHasher::default();
        let events = &world.events;
        let in_runs = first_of_runs(events.waiting_segments().map(|segment| segment.run));
        for (segment, in_run) in events.waiting_segments().zip(in_runs) {
            let event_type = events.event_type(segment.run.event_type);
            let known = self.types.events.known(event_type.type_id, event_type.name)?;
            if let Some(count) = in_run {
                hash.add(&*known.name).number(count as u64);
            }
            known.what.hash(events, segment, &mut hash);
        }
        Ok(hash)
    }
}

pub(super) fn hash_entities(entities: &EntitySlots, hash: &mut StateHasher) {
    entities.iter().for_each(|(entity, record)| _ = hash.add(&entity).add(&record.is_enabled()));
}

/// For each segment of what waits, how many events its whole run has, if it is the first one of the run: a run is the same
/// wherever the memory of its events lies.
pub(super) fn first_of_runs(segments: impl Iterator<Item = WaitingRun> + Clone) -> impl Iterator<Item = Option<usize>> {
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

pub(super) fn hash_by(add: impl FnOnce(&mut StateHasher)) -> StateHasher {
    let mut hash = StateHasher::default();
    add(&mut hash);
    hash
}

pub(super) fn hash_time(time: Time) -> StateHasher {
    let mut hash = StateHasher::default();
    hash.number(time.frame()).add(&time.elapsed());
    hash
}

/// Whether systems are enabled, and when they are due.
pub(super) fn hash_timers(systems: impl Iterator<Item = (bool, Timer)>) -> StateHasher {
    let mut hash = StateHasher::default();
    for (is_enabled, timer) in systems {
        hash.number(u64::from(is_enabled));
        match timer {
            Timer::EveryFrame => hash.number(0),
            Timer::Every { interval, waited, since_last_run } => {
                hash.number(1).add(&interval).add(&waited).add(&since_last_run)
            }
            Timer::OnceAfter { left, waited } => hash.number(2).add(&left).add(&waited),
        };
    }
    hash
}
