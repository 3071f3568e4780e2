//! The hash of a snapshot, part by part as that of an engine, without putting it back.

use super::state_hash::{StateHash, first_of_runs, hash_by, hash_entities, hash_time, hash_timers};
use super::{Snapshot, SnapshotError, Snapshots, TypeKind};
use crate::component::SparseIndex;
use crate::entity::{EntitySlots, GlobalIds};
use crate::entity_lists::EntityListTable;
use crate::system::SystemManager;
use crate::world::World;

const WHOLE: &str = "the snapshot is whole";

impl Snapshots {
    /// Hashes the state of a snapshot that could be put into the engine, but for functions that it could not make.
    ///
    /// # Errors
    /// As [`Engine::restore`](crate::Engine::restore).
    pub(crate) fn hash_recorded(
        &self,
        snapshot: &Snapshot,
        world: &World,
        systems: &SystemManager,
    ) -> Result<StateHash, SnapshotError> {
        self.check(snapshot, world, systems)?;
        let mut own = snapshot.systems.iter().filter(|copy| copy.function.is_none());
        if let Some(missing) = own.find(|copy| systems.find(copy.system).is_none()) {
            return Err(SnapshotError::MissingSystem { system: missing.rust_name });
        }
        let entities: &EntitySlots = snapshot.entities.as_ref().and_then(|image| image.downcast_ref()).expect(WHOLE);
        let entity_lists: &EntityListTable =
            snapshot.entity_lists.as_ref().and_then(|image| image.downcast_ref()).expect(WHOLE);
        let ids: &GlobalIds = snapshot.global_ids.as_ref().and_then(|image| image.downcast_ref()).expect(WHOLE);
        let own = [
            hash_by(|hash| hash_entities(entities, hash)),
            hash_by(|hash| entity_lists.hash(hash)),
            hash_by(|hash| ids.hash(hash)),
            hash_time(snapshot.time),
            hash_timers(snapshot.systems.iter().map(|copy| (copy.is_enabled, copy.timing.timer))),
            self.hash_recorded_events(snapshot)?,
        ];
        let mut into = StateHash::default();
        self.own_parts.add(&mut into, &own);
        self.add_recorded_types(&mut into, snapshot);
        into.sum_up();
        Ok(into)
    }

    fn hash_recorded_events(&self, snapshot: &Snapshot) -> Result<super::StateHasher, SnapshotError> {
        let mut hash = super::StateHasher::default();
        let mut taken = vec![0; snapshot.lists.len()];
        let in_runs = first_of_runs(snapshot.waiting.iter().map(|(_, run)| *run));
        for ((list, run), in_run) in snapshot.waiting.iter().zip(in_runs) {
            let events = &snapshot.lists[*list];
            let known = self.types.events.meant(&events.name, events.event)?;
            if let Some(count) = in_run {
                hash.add(&*known.name).number(count as u64);
            }
            let range = taken[*list]..taken[*list] + run.count;
            taken[*list] = range.end;
            known.what.hash_list(&*events.events, range, &mut hash);
        }
        Ok(hash)
    }

    fn add_recorded_types(&self, into: &mut StateHash, snapshot: &Snapshot) {
        for known in self.types.components.by_name() {
            let Some(copy) = snapshot.pools.iter().find(|copy| copy.component == known.type_id) else { continue };
            let index = copy.index.as_ref().and_then(|index| index.downcast_ref::<SparseIndex>());
            let (Some(index), Some(values)) = (index.filter(|index| index.len() > 0), &copy.values) else { continue };
            into.add(
                Some(TypeKind::Component),
                &known.name,
                &hash_by(|hash| known.what.hash_copy((index, values), hash)),
            );
        }
        for known in self.types.resources.by_name().filter(|known| !self.types.is_left_out(known.type_id)) {
            let copy = snapshot.resources.iter().find(|copy| copy.resource == known.type_id);
            let Some(value) = copy.and_then(|copy| copy.value.as_ref()) else { continue };
            let mut hash = super::StateHasher::default();
            if known.what.hash_copy(value, &mut hash) {
                into.add(Some(TypeKind::Resource), &known.name, &hash);
            }
        }
        for known in self.types.systems.by_name().filter(|known| !self.types.is_left_out(known.type_id)) {
            let is_of = |copy: &&super::SystemCopy| copy.system == known.type_id && copy.function.is_none();
            let copy = snapshot.systems.iter().find(is_of);
            let Some(state) = copy.and_then(|copy| copy.state.as_ref()) else { continue };
            into.add(Some(TypeKind::System), &known.name, &hash_by(|hash| known.what.hash(&**state, hash)));
        }
    }
}
