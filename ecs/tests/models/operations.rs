//! Random public operations against a plain model: structure, toggling, bulk changes, commands,
//! lifecycle events, snapshots, and queries of several shapes in systems and outside of them.
//!
//! [`check_operations`] reads the operations from bytes, for a fuzzer (`tests/fuzz`) and for the test below.

// The paths are given because the fuzzer includes this file from elsewhere.
#[path = "operations/model.rs"]
#[macro_use]
mod model;
#[path = "operations/queries.rs"]
mod queries;

use std::time::Duration;

use ecs::{
    Bundle, Commands, Despawned, Engine, EntityId, IncludeDisabled, Removed, Setup, Snapshot, Spawned, Spawner,
    StateHash, System, With,
};

use self::model::*;
use self::queries::{Check, Found, Seen, Walk, check_shared, checks, shape};

const FRAME: Duration = Duration::from_millis(1);

/// Counts lifecycle events, and logs the other events.
#[derive(Default)]
struct EventLog {
    events: LifecycleEvents,
    seen: Vec<EntityId>,
}

impl System for EventLog {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(|log: &mut Self, event: &Spawned| log.events.spawned.push(event.entity))
            .listen(|log: &mut Self, event: &Despawned| log.events.despawned.push(event.entity))
            .listen(|log: &mut Self, event: &Seen| log.seen.push(event.0));
    }
}

/// Logs removals of `A`. Without this system, despawning takes another path.
#[derive(Default)]
struct RemovalEar(Vec<EntityId>);

impl System for RemovalEar {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|log: &mut Self, event: &Removed<A>| log.0.push(event.entity));
    }
}

/// Records commands.
#[derive(Default)]
struct Commander(Vec<Change>);

impl System for Commander {
    fn setup(setup: &mut Setup<Self>) {
        setup.post_update(|commander: &mut Self, mut commands: Commands, mut spawner: Spawner| {
            for change in commander.0.drain(..) {
                let (_, is_done) = make_change!(commands, spawner, change);
                assert!(is_done, "commands report errors later");
            }
        });
    }
}

/// The operations of a run. With few kinds of them, pools stay in an order that makes fast paths likely.
#[derive(Clone, Copy, Debug)]
struct Settings {
    threads: usize,
    hears_removals: bool,
    mixes_bundles: bool,
    takes_away: bool,
    toggles: bool,
    is_bulk: bool,
    /// A few entities are inserted into until each has much, in orders of their own.
    is_small: bool,
}

/// A snapshot, and the state of the model after its restore.
struct Taken {
    snapshot: Snapshot,
    model: Model,
    hash: StateHash,
}

/// The engine, its model, and the values that operations refer to.
struct Run {
    engine: Engine,
    model: Model,
    checks: Vec<Check>,
    /// All ids so far, stale ones too.
    born: Vec<EntityId>,
    snapshots: [Option<Taken>; 2],
    next_number: u64,
    settings: Settings,
    /// The visible results of the run, which must be equal at any number of threads.
    log: Vec<(EntityId, Numbers)>,
}

impl Run {
    fn new(settings: Settings) -> Self {
        let mut engine = Engine::builder().threads(settings.threads).parallel_threshold(0).build();
        let checks = checks();
        checks.iter().for_each(|check| (check.add_walker)(&mut engine));
        engine.add(EventLog::default()).unwrap().add(Commander::default()).unwrap();
        let types = engine.types_mut();
        if settings.hears_removals {
            types.leave_out_system::<RemovalEar>();
        }
        types.leave_out_system::<EventLog>().leave_out_system::<Commander>().leave_out_resource::<Walk>();
        types.event_by("seen", |seen: &Seen, hash| _ = hash.add(&seen.0)).unwrap();
        for kind in 0..KINDS {
            with_kind!(kind, T => types.component_by(&kind.to_string(), |value: &T, hash| _ = hash.number(value.number())))
                .unwrap();
        }
        if settings.hears_removals {
            engine.add(RemovalEar::default()).unwrap();
        }
        Self {
            engine,
            model: Model::default(),
            checks,
            born: Vec::new(),
            snapshots: [None, None],
            next_number: 0,
            settings,
            log: Vec::new(),
        }
    }

    /// A living entity, or sometimes any entity that was ever spawned.
    fn id(&self, choice: u8) -> EntityId {
        let choice = usize::from(choice);
        if choice < 224 {
            let alive = &self.model.alive;
            alive.keys().nth(choice % alive.len().max(1)).copied().unwrap_or_default()
        } else {
            self.born.get(choice % self.born.len().max(1)).copied().unwrap_or_default()
        }
    }

    fn number(&mut self) -> u64 {
        self.next_number += 1000;
        self.next_number
    }

    fn change(&mut self, [kind, a, b, c]: [u8; 4]) -> Change {
        let Settings { mixes_bundles, takes_away, toggles, is_bulk, is_small, .. } = self.settings;
        let (bundle, other) = if mixes_bundles { (b % 8, c % 8) } else { (b % 4, c % 4) };
        let (bundle, other, component, on) = (bundle.into(), other.into(), usize::from(b) % KINDS, c & 8 == 0);
        let id = self.id(a);
        let some: Vec<_> = (0..c % 9).map(|n| self.id(a.wrapping_add(n * (b / 8 % 4)))).collect();
        match kind % 16 {
            0..3 if !is_small || self.model.alive.len() < 7 => {
                Change::Spawn(bundle, if on { 0 } else { other }, self.number())
            }
            3 if is_bulk && !is_small => Change::SpawnMany(bundle, (0..c % 12).map(|_| self.number()).collect()),
            4 if is_bulk => Change::InsertMany(some.into_iter().map(|id| (id, self.number())).collect(), bundle),
            5 if is_bulk && takes_away => Change::DespawnMany(some),
            6 if is_bulk && takes_away => Change::RemoveMany(some, component),
            7 if takes_away => Change::Despawn(id),
            8 | 9 if takes_away => Change::Remove(id, component),
            10 | 11 if toggles => Change::Toggle(id, component, on),
            12 if toggles => Change::Enable(id, on),
            13 if takes_away => Change::Move(id, self.id(c), component),
            _ => Change::Insert(id, bundle, self.number()),
        }
    }

    fn operate(&mut self, [operation, a, b, c]: [u8; 4]) {
        match operation % 32 {
            0..16 => {
                let change = self.change([operation, a, b, c]);
                self.change_now(&change);
            }
            16 if self.settings.takes_away => self.change_pool(a, usize::from(b) % KINDS, c),
            17..20 => {
                (0..a % 4).for_each(|n| self.frame(n, Vec::new()));
                self.frame(c, Vec::new());
            }
            20 => self.take_snapshot(usize::from(a) % 2),
            21 => self.restore(usize::from(a) % 2),
            22 if a.is_multiple_of(2) => self.engine.shrink(),
            22 => with_bundle!(usize::from(b) % 8, make => reserve(&mut self.engine, make, usize::from(c))),
            23 => self.check_slices(),
            24 => self.check_outside(),
            25..28 => {
                let plan: Vec<_> = [a, b, c].map(|n| self.change([n, b ^ n, c.wrapping_add(n), a ^ n])).into();
                self.frame(operation / 32, plan);
            }
            _ => (0..a % 4 + 1).for_each(|n| self.frame(b.wrapping_add(n), Vec::new())),
        }
    }

    fn change_now(&mut self, change: &Change) {
        let engine = &mut self.engine;
        let (ids, is_done) = make_change!(engine, engine, change);
        assert_eq!(self.model.apply(change, &mut ids.iter().copied()), is_done, "{change:?}");
        self.born.extend(ids);
    }

    /// Inserts into one pool and removes from it.
    fn change_pool(&mut self, a: u8, kind: usize, count: u8) {
        let changes: Vec<_> = (0..count % 9).map(|n| (self.id(a.wrapping_add(n)), n % 3 != 2, self.number())).collect();
        with_kind!(kind, T => {
            let mut pool = self.engine.pool_mut::<T>();
            for (id, inserts, number) in changes {
                let is_done = if inserts { pool.insert(id, T::new(number)).is_ok() } else { pool.remove(id).is_ok() };
                let expected = match inserts {
                    true => self.model.alive.get_mut(&id).map(|entity| entity.insert(kind, number)).is_some(),
                    false => self.model.remove(id, kind),
                };
                assert_eq!(is_done, expected);
            }
        });
    }

    fn take_snapshot(&mut self, slot: usize) {
        let (snapshot, hash) = (self.engine.snapshot().unwrap(), self.engine.state_hash().unwrap());
        let taken = Taken { snapshot, model: self.model.clone(), hash };
        self.snapshots[slot] = Some(taken);
    }

    fn restore(&mut self, slot: usize) {
        let Some(taken) = &self.snapshots[slot] else { return };
        self.engine.restore(&taken.snapshot).unwrap();
        self.model = taken.model.clone();
        assert_eq!(self.engine.state_hash().unwrap(), taken.hash);
    }

    /// A frame in which every walker iterates, and some changes are made by command.
    fn frame(&mut self, how: u8, plan: Vec<Change>) {
        let walk = [Walk::For, Walk::ForEach, Walk::Both, Walk::Parallel][usize::from(how) % 4];
        self.engine.insert_resource(walk);
        self.engine.system_mut::<Commander>().unwrap().0.clone_from(&plan);
        self.engine.update(FRAME).unwrap();
        let mut seen = Vec::new();
        for check in &self.checks {
            let (found, expected) = ((check.found)(&self.engine), self.model.rows(&check.shape));
            assert_eq!(found.sorted(), expected, "{walk:?} {:?}", check.shape);
            seen.extend(found.rows.iter().map(|(id, _)| *id));
            self.model.bump(&check.shape);
            match walk {
                Walk::Parallel => self.log.extend(found.sorted()),
                _ => self.log.extend(&found.rows),
            }
        }
        let EventLog { mut events, seen: heard } = std::mem::take(self.engine.system_mut().unwrap());
        assert_eq!(heard, seen, "each event is delivered once, in execution order");
        let born = &events.spawned[self.model.events.spawned.len()..];
        self.born.extend(born);
        let (mut ids, mut refused) = (born.iter().copied(), 0);
        for change in &plan {
            refused += usize::from(!self.model.apply(change, &mut ids));
        }
        assert_eq!(self.engine.command_errors().len(), refused, "{plan:?} {:?}", self.engine.command_errors());
        let mut expected = std::mem::take(&mut self.model.events);
        if self.settings.hears_removals {
            events.removed = std::mem::take(&mut self.engine.system_mut::<RemovalEar>().unwrap().0);
            events.removed.sort_unstable();
            expected.removed.sort_unstable();
        } else {
            expected.removed.clear();
        }
        assert_eq!(events, expected);
    }

    fn check_slices(&mut self) {
        let mut found = Found::default();
        let mut query = self.engine.query::<(EntityId, &mut A, &B)>();
        for (ids, a, b) in query.slices_mut() {
            assert!(ids.len() == a.len() && a.len() == b.len());
            ids.iter().zip(a.iter()).zip(b).for_each(|((id, a), b)| found.note((*id, a, b)));
        }
        assert_eq!(found.sorted(), self.model.rows(&shape::<(EntityId, &A, &B), ()>()));
        let mut found = Found::default();
        for (c, e, ids, d) in self.engine.query::<(&C, &mut E, EntityId, &D)>().slices_mut() {
            assert!(ids.len() == c.len() && c.len() == d.len() && d.len() == e.len());
            (0..ids.len()).for_each(|row| found.note((ids[row], &c[row], &d[row], &e[row])));
        }
        assert_eq!(found.sorted(), self.model.rows(&shape::<(EntityId, &C, &D, &E), ()>()));
        let mut found = Found::default();
        for (ids, b) in self.engine.query::<(EntityId, &mut B)>().slices_mut() {
            ids.iter().zip(b.iter()).for_each(|(id, b)| found.note((*id, b)));
        }
        assert_eq!(found.sorted(), self.model.rows(&shape::<(EntityId, &B), ()>()));
    }

    fn check_outside(&mut self) {
        let Self { engine, model, checks, born, .. } = self;
        checks.iter().for_each(|check| (check.check_outside)(engine, model, born));
        check_shared::<(EntityId, &A, &B), ()>(engine);
        check_shared::<(EntityId, &E, Option<&D>), (With<C>, IncludeDisabled)>(engine);
        assert_eq!(engine.entities().len(), model.alive.len());
        for id in born.iter() {
            let entity = model.alive.get(id);
            assert_eq!(engine.entities().is_enabled(*id), entity.map(|entity| entity.is_enabled));
            for kind in 0..KINDS {
                let expected = entity.and_then(|entity| entity.components[kind]).map(|(number, _)| number);
                with_kind!(kind, T => assert_eq!(engine.get::<T>(*id).map(T::number), expected));
            }
        }
        for (a, b) in born.iter().zip(born.iter().rev()) {
            let mut query = engine.query::<(EntityId, &mut A)>();
            let pair = query.get_many_mut([*a, *b]).ok().map(|[(a, _), (b, _)]| (a, b));
            let has = |id| model.row(id, &shape::<(EntityId, &A), ()>()).is_some();
            assert_eq!(pair, (a != b && has(*a) && has(*b)).then_some((*a, *b)));
        }
    }
}

/// Reserves memory for the bundles of `make`.
fn reserve<T: Bundle>(engine: &mut Engine, _make: impl Fn(u64) -> T, additional: usize) {
    engine.reserve::<T>(additional);
}

/// Runs operations that are read from bytes, and compares everything with a naive model.
///
/// # Panics
/// If the engine and the model differ, or runs on one thread and on several.
pub(crate) fn check_operations(bytes: &[u8]) {
    let Some(([base, a, b], operations)) = bytes.split_first_chunk() else { return };
    // Each kind of operation is in one run of four.
    let has = |bit: u8| (a & b) >> bit & 1 == 1;
    let settings = Settings {
        threads: usize::from(base % 3) + 1,
        hears_removals: has(0),
        mixes_bundles: has(1),
        takes_away: has(2),
        toggles: has(3),
        is_bulk: has(4),
        is_small: a >> 7 == 1,
    };
    let run = |settings| {
        let mut run = Run::new(settings);
        operations.chunks_exact(4).for_each(|operation| run.operate(operation.try_into().unwrap()));
        run.check_slices();
        run.check_outside();
        run.frame(*base, Vec::new());
        (run.engine.state_hash().unwrap(), run.log)
    };
    let outcome = run(settings);
    if settings.threads > 1 {
        assert_eq!(outcome, run(Settings { threads: 1, ..settings }), "the run is the same at any number of threads");
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    /// The number of random sequences: `OPERATIONS=10000 cargo test`.
    fn cases() -> u32 {
        let default = if cfg!(miri) { 2 } else { 400 };
        std::env::var("OPERATIONS").map_or(default, |number| number.parse().expect("OPERATIONS is a number"))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases()))]

        #[test]
        fn random_operations_behave_like_the_model(
            settings: u8,
            operations in prop::collection::vec(any::<[u8; 4]>(), 1..if cfg!(miri) { 30 } else { 120 }),
        ) {
            let mut bytes = operations.concat();
            bytes.insert(0, settings);
            super::check_operations(&bytes);
        }
    }
}
