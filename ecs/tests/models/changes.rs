//! Change detection compared with a map of ticks: random changes of every kind, at several numbers of threads, with
//! snapshots and saves in between.

use std::collections::BTreeMap;
use std::time::Duration;

use ecs::query::Mut;
use ecs::{
    Added, Changed, Engine, EntityId, IncludeDisabled, Query, Res, ResMut, Setup, Snapshot, System, With,
    snapshot::{StableHash, StateHasher},
};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Value(u32);
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Marker;
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Ask;

impl StableHash for Value {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(&self.0);
    }
}

/// What the systems write in the next frame.
#[derive(Clone, Debug, Default)]
struct Script {
    entities: Vec<EntityId>,
    walks: bool,
    is_exact: bool,
}

/// Sorted lists of entities, one for each run and filter.
type Lists = Vec<Vec<EntityId>>;

#[derive(Default)]
struct Seen<const N: usize>(Lists);

struct Reader<const N: usize>;

impl<const N: usize> System for Reader<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::read).listen(Self::on_ask);
    }
}

fn sorted(found: impl Iterator<Item = EntityId>) -> Vec<EntityId> {
    let mut found: Vec<_> = found.collect();
    found.sort_unstable();
    found
}

impl<const N: usize> Reader<N> {
    fn read(
        &mut self,
        changed: Query<EntityId, Changed<Value>>,
        added: Query<EntityId, (Added<Value>, IncludeDisabled)>,
        mut seen: ResMut<Seen<N>>,
    ) {
        let mut folded = Vec::new();
        changed.iter().for_each(|id| folded.push(id));
        assert_eq!(folded, changed.iter().take(usize::MAX).collect::<Vec<_>>());
        seen.0.extend([sorted(folded.into_iter()), sorted(added.iter())]);
    }

    fn on_ask(&mut self, _: &Ask, changed: Query<EntityId, (Changed<Value>, With<Marker>)>, mut seen: ResMut<Seen<N>>) {
        seen.0.push(sorted(changed.iter()));
    }
}

macro_rules! writers {
    ($($writer:ident $write:item)+) => {
        $(
            struct $writer;

            impl System for $writer {
                fn setup(setup: &mut Setup<Self>) {
                    setup.update(Self::write);
                }
            }

            impl $writer {
                $write
            }
        )+
    };
}

writers! {
    Single fn write(&mut self, script: Res<Script>, mut values: Query<&mut Value>) {
        for id in &script.entities {
            if let Some(value) = values.get_mut(*id) {
                value.0 += 1;
            }
        }
    }

    Walk fn write(&mut self, script: Res<Script>, mut values: Query<(&mut Value, &Marker)>) {
        if script.walks {
            values.par_for_each(|(value, _)| value.0 += 1);
        }
    }

    Exact fn write(&mut self, script: Res<Script>, mut values: Query<Mut<Value>>) {
        if script.is_exact {
            values.par_for_each(|mut value| {
                if value.0.is_multiple_of(3) {
                    value.0 += 1;
                }
            });
        }
    }
}

fn empty(threads: usize) -> Engine {
    let mut engine = Engine::builder().threads(threads).parallel_threshold(0).build();
    let types = engine.types_mut();
    types.component::<Value>("value").unwrap().component_by::<Marker>("marker", |_, _| {}).unwrap();
    types.event_by::<Ask>("ask", |_, _| {}).unwrap();
    types.leave_out_resource::<Script>();
    types.leave_out_resource::<Seen<0>>().leave_out_resource::<Seen<1>>().leave_out_resource::<Seen<2>>();
    #[cfg(feature = "serde")]
    types.save::<Value>(1).unwrap().save::<Marker>(1).unwrap().save::<Ask>(1).unwrap();
    engine.insert_resource(Script::default());
    engine.insert_resource(Seen::<0>::default());
    engine.insert_resource(Seen::<1>::default());
    engine.insert_resource(Seen::<2>::default());
    engine.add(Reader::<0>).unwrap().add(Single).unwrap().add(Walk).unwrap();
    engine.add(Reader::<1>).unwrap().add(Exact).unwrap().add(Reader::<2>).unwrap();
    engine
}

/// What the readers have seen since the last call.
fn seen(engine: &mut Engine) -> [Lists; 3] {
    fn of<const N: usize>(engine: &mut Engine) -> Lists {
        std::mem::take(&mut engine.resource_mut::<Seen<N>>().unwrap().0)
    }
    [of::<0>(engine), of::<1>(engine), of::<2>(engine)]
}

/// An entity of the model.
#[derive(Clone, Default)]
struct Entity {
    value: Option<u32>,
    added: u64,
    changed: u64,
    has_marker: bool,
    is_enabled: bool,
    is_value_enabled: bool,
    /// Whether it was added, and changed, before it was hidden, so that all readers saw it.
    was_seen: [bool; 2],
}

impl Entity {
    fn is_visible(&self) -> bool {
        self.is_enabled && self.is_value_enabled && self.value.is_some()
    }
}

#[derive(Clone, Default)]
struct Model {
    entities: BTreeMap<EntityId, Entity>,
    now: u64,
    /// The tick before the last frame.
    frame_began: u64,
    /// For each reader: its update, its listener.
    last_runs: [[u64; 2]; 3],
    asked: usize,
    seen: [Lists; 3],
}

impl Model {
    fn set(&mut self, id: EntityId, value: u32) {
        self.now += 1;
        let entity = self.entities.get_mut(&id).expect("the entity exists");
        if entity.value.is_none() {
            entity.added = self.now;
            entity.is_value_enabled = true;
            entity.was_seen[0] = false;
        }
        (entity.value, entity.changed) = (Some(value), self.now);
        entity.was_seen[1] = false;
    }

    /// Enables or disables an entity or its value: what happens to a hidden value is seen once it is visible.
    fn switch(&mut self, id: EntityId, switch: impl FnOnce(&mut Entity)) {
        let entity = self.entities.get_mut(&id).expect("the entity exists");
        let was_visible = entity.is_visible();
        switch(entity);
        match (was_visible, entity.is_visible()) {
            (true, false) => entity.was_seen = [entity.added, entity.changed].map(|tick| tick <= self.frame_began),
            (false, true) => {
                self.now += 1;
                entity.added = if entity.was_seen[0] { entity.added } else { self.now };
                entity.changed = if entity.was_seen[1] { entity.changed } else { self.now };
            }
            _ => {}
        }
    }

    fn write(&mut self, writes: impl Fn(&EntityId, &Entity) -> bool) {
        self.now += 1;
        for (id, entity) in &mut self.entities {
            if entity.is_visible() && writes(id, entity) {
                entity.changed = self.now;
                entity.value = entity.value.map(|value| value + 1);
            }
        }
    }

    fn found(&self, passes: impl Fn(&Entity) -> bool) -> Vec<EntityId> {
        self.entities.iter().filter(|(_, entity)| passes(entity)).map(|(id, _)| *id).collect()
    }

    fn read(&mut self, reader: usize) {
        self.now += 1;
        let since = std::mem::replace(&mut self.last_runs[reader][0], self.now);
        let changed = self.found(|entity| entity.is_visible() && entity.changed > since);
        let added = self.found(|entity| entity.value.is_some() && entity.added > since);
        self.seen[reader].extend([changed, added]);
    }

    fn frame(&mut self, script: &Script) {
        self.seen = Default::default();
        self.frame_began = self.now;
        for reader in 0..3 {
            for _ in 0..self.asked {
                self.now += 1;
                let since = std::mem::replace(&mut self.last_runs[reader][1], self.now);
                let is_seen = |entity: &Entity| entity.is_visible() && entity.has_marker && entity.changed > since;
                let found = self.found(is_seen);
                self.seen[reader].push(found);
            }
        }
        self.asked = 0;
        self.read(0);
        // An entity may be in the script more than once.
        for id in &script.entities {
            self.write(|other, _| other == id);
        }
        if script.walks {
            self.write(|_, entity| entity.has_marker);
        }
        self.read(1);
        if script.is_exact {
            self.write(|_, entity| entity.value.is_some_and(|value| value.is_multiple_of(3)));
        }
        self.read(2);
    }
}

#[derive(Clone, Debug)]
enum Change {
    Spawn(u8, u32),
    SpawnMany(u8),
    Insert(usize, u32),
    InsertInPool(usize, u32),
    Remove(usize),
    Mark(usize),
    Despawn(usize),
    SetEnabled(usize, bool),
    SetValueEnabled(usize, bool),
    Write(usize),
    WriteInPool(usize),
    WriteAll,
    WriteSome(usize),
    WriteSlice,
    Ask,
    Frame(Vec<usize>, bool, bool),
    Remember,
    Rewind,
    /// Continues in another engine with this number of threads.
    Move(usize),
    Save(usize),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    use Change as C;
    let at = 0..40_usize;
    let change = prop_oneof![
        4 => (0..4_u8, 0..9_u32).prop_map(|(kind, value)| C::Spawn(kind, value)),
        1 => (0..20_u8).prop_map(C::SpawnMany),
        3 => (at.clone(), 0..9_u32).prop_map(|(at, value)| C::Insert(at, value)),
        2 => (at.clone(), 0..9_u32).prop_map(|(at, value)| C::InsertInPool(at, value)),
        2 => at.clone().prop_map(C::Remove),
        2 => at.clone().prop_map(C::Mark),
        1 => at.clone().prop_map(C::Despawn),
        1 => (at.clone(), any::<bool>()).prop_map(|(at, on)| C::SetEnabled(at, on)),
        1 => (at.clone(), any::<bool>()).prop_map(|(at, on)| C::SetValueEnabled(at, on)),
        2 => at.clone().prop_map(C::Write),
        2 => at.clone().prop_map(C::WriteInPool),
        1 => Just(C::WriteAll),
        1 => (0..4_usize).prop_map(C::WriteSome),
        1 => Just(C::WriteSlice),
        2 => Just(C::Ask),
        8 => (prop::collection::vec(at, 0..4), any::<bool>(), any::<bool>()).prop_map(|(at, a, b)| C::Frame(at, a, b)),
        1 => Just(C::Remember),
        1 => Just(C::Rewind),
        1 => (1..5_usize).prop_map(C::Move),
        1 => (1..5_usize).prop_map(C::Save),
    ];
    prop::collection::vec(change, 1..60)
}

struct Run {
    engine: Engine,
    model: Model,
    ids: Vec<EntityId>,
    remembered: Option<(Snapshot, Model)>,
}

impl Run {
    fn new(threads: usize) -> Self {
        let (engine, model) = (empty(threads), Model::default());
        Self { engine, model, ids: Vec::new(), remembered: None }
    }

    fn alive(&self, at: usize) -> Option<EntityId> {
        self.ids.get(at).copied().filter(|id| self.model.entities.contains_key(id))
    }

    fn note_spawned(&mut self, id: EntityId, value: Option<u32>, has_marker: bool) {
        self.ids.push(id);
        self.model.entities.insert(id, Entity { has_marker, is_enabled: true, ..Entity::default() });
        value.into_iter().for_each(|value| self.model.set(id, value));
    }

    fn apply(&mut self, change: &Change) {
        let engine = &mut self.engine;
        match change {
            &Change::Spawn(kind, value) => {
                let id = match kind {
                    0 => engine.spawn(()),
                    1 => engine.spawn((Value(value),)),
                    2 => engine.spawn((Marker,)),
                    _ => engine.spawn((Value(value), Marker)),
                };
                self.note_spawned(id, (kind % 2 == 1).then_some(value), kind > 1);
            }
            &Change::SpawnMany(count) => {
                let ids = engine.spawn_many((0..count).map(|n| (Marker, Value(n.into()))));
                (0..count).zip(ids).for_each(|(n, id)| self.note_spawned(id, Some(n.into()), true));
            }
            Change::Ask => {
                engine.send(Ask);
                self.model.asked += 1;
            }
            Change::WriteAll => {
                engine.query::<&mut Value>().iter_mut().for_each(|value| value.0 += 1);
                self.model.write(|_, _| true);
            }
            &Change::WriteSome(count) => {
                let mut query = engine.query::<(EntityId, &mut Value, &Marker)>();
                let mut written = Vec::new();
                for (id, value, _) in query.iter_mut().take(count) {
                    value.0 += 1;
                    written.push(id);
                }
                self.model.write(|id, _| written.contains(id));
            }
            Change::WriteSlice => {
                engine.query::<&mut Value>().slices_mut().flatten().for_each(|value| value.0 += 1);
                self.model.write(|_, _| true);
            }
            Change::Frame(at, walks, is_exact) => {
                let entities = at.iter().filter_map(|at| self.ids.get(*at).copied()).collect();
                let script = Script { entities, walks: *walks, is_exact: *is_exact };
                self.frame(script);
            }
            Change::Remember => {
                self.remembered = Some((engine.snapshot().unwrap(), self.model.clone()));
            }
            Change::Rewind => {
                let Some((snapshot, model)) = &self.remembered else { return };
                engine.restore(snapshot).unwrap();
                self.model = model.clone();
            }
            &Change::Move(threads) => {
                let mut other = self.other(threads);
                let snapshot = self.engine.snapshot().unwrap();
                other.restore(&snapshot).unwrap();
                assert_eq!(other.state_hash().unwrap(), self.engine.state_hash().unwrap());
                self.engine = other;
            }
            &Change::Save(threads) => {
                #[cfg(feature = "serde")]
                {
                    let mut other = self.other(threads);
                    let mut saved = Vec::new();
                    self.engine.save(&mut saved).unwrap();
                    other.load(&mut saved.as_slice()).unwrap();
                    assert_eq!(other.state_hash().unwrap(), self.engine.state_hash().unwrap());
                    let mut again = Vec::new();
                    other.save(&mut again).unwrap();
                    assert_eq!(saved, again);
                    self.engine = other;
                }
                _ = threads;
            }
            single => self.apply_to_one(single),
        }
    }

    /// An engine that has done something else before.
    fn other(&self, threads: usize) -> Engine {
        let mut other = empty(threads);
        other.spawn_many((0..5).map(|n| (Value(n), Marker)));
        (0..3).for_each(|_| other.update(Duration::ZERO).unwrap());
        seen(&mut other);
        other
    }

    fn apply_to_one(&mut self, change: &Change) {
        let (Change::Insert(at, _)
        | Change::InsertInPool(at, _)
        | Change::Remove(at)
        | Change::Mark(at)
        | Change::Despawn(at)
        | Change::SetEnabled(at, _)
        | Change::SetValueEnabled(at, _)
        | Change::Write(at)
        | Change::WriteInPool(at)) = change
        else {
            return;
        };
        let Some(id) = self.alive(*at) else { return };
        let engine = &mut self.engine;
        let entity = self.model.entities.get_mut(&id).unwrap();
        match *change {
            Change::Insert(_, value) => {
                engine.insert(id, (Value(value),)).unwrap();
                self.model.set(id, value);
            }
            Change::InsertInPool(_, value) => {
                engine.pool_mut::<Value>().insert(id, Value(value)).unwrap();
                self.model.set(id, value);
            }
            Change::Remove(_) => {
                assert_eq!(engine.remove::<Value>(id).is_ok(), entity.value.take().is_some());
            }
            Change::Mark(_) => {
                engine.insert(id, (Marker,)).unwrap();
                entity.has_marker = true;
            }
            Change::Despawn(_) => {
                engine.despawn(id).unwrap();
                self.model.entities.remove(&id);
            }
            Change::SetEnabled(_, on) => {
                if on {
                    engine.enable(id).unwrap()
                } else {
                    engine.disable(id).unwrap()
                }
                self.model.switch(id, |entity| entity.is_enabled = on);
            }
            Change::SetValueEnabled(_, on) => {
                let done =
                    if on { engine.enable_component::<Value>(id) } else { engine.disable_component::<Value>(id) };
                if done.is_ok() {
                    self.model.switch(id, |entity| entity.is_value_enabled = on);
                }
            }
            _ => {
                let value = match change {
                    Change::Write(_) => engine.get_mut::<Value>(id).map(|value| {
                        value.0 += 1;
                        value.0
                    }),
                    _ => engine.pool_mut::<Value>().get_mut(id).map(|value| {
                        value.0 += 1;
                        value.0
                    }),
                };
                assert_eq!(value, entity.value.map(|value| value + 1));
                value.into_iter().for_each(|value| self.model.set(id, value));
            }
        }
    }

    fn frame(&mut self, script: Script) {
        let engine = &mut self.engine;
        *engine.resource_mut::<Script>().unwrap() = script.clone();
        engine.update(Duration::ZERO).unwrap();
        let seen = seen(engine);
        self.model.frame(&script);
        assert_eq!(seen, self.model.seen);
        let mut values: Vec<(EntityId, u32)> = Vec::new();
        let query = engine.read_filtered::<(EntityId, &Value), IncludeDisabled>();
        query.for_each(|(id, value)| values.push((id, value.0)));
        values.sort_unstable();
        let expected: Vec<_> =
            self.model.entities.iter().filter_map(|(id, entity)| Some((*id, entity.value?))).collect();
        assert_eq!(values, expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn systems_see_the_changes_of_a_map_of_ticks(changes in changes()) {
        let mut hashes = Vec::new();
        for threads in [1, 2, 4] {
            let mut run = Run::new(threads);
            changes.iter().for_each(|change| run.apply(change));
            run.frame(Script::default());
            let hash = run.engine.state_hash().unwrap();
            #[cfg(feature = "serde")]
            {
                let mut saved = Vec::new();
                run.engine.save(&mut saved).unwrap();
                hashes.push((hash, saved));
            }
            #[cfg(not(feature = "serde"))]
            hashes.push((hash, Vec::<u8>::new()));
        }
        prop_assert!(hashes.iter().all(|hash| *hash == hashes[0]));
    }
}
