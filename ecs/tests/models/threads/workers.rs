//! Systems of every kind that read, write, send, listen and record commands, depending on the values that they read.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::{self, ThreadId};
use std::time::Duration;

use ecs::{
    Added, Commands, Despawned, Disabled, Enabled, Engine, EntityId, IncludeDisabled, Priority, Query, Removed, Res,
    ResMut, Sender, Setup, Spawned, Spawner, System, Time, With, Without, World, system::CatchUp,
};

/// A number, and the visits of split queries. Values of three numbers are visited four at a time.
#[derive(Clone, Copy)]
pub(crate) struct C<const N: usize>(pub(crate) u64, pub(crate) [u64; 2]);

pub(crate) fn c<const N: usize>(value: u64) -> C<N> {
    C(value, [0; 2])
}

#[derive(Clone, Copy)]
pub(crate) struct Sent<const N: usize> {
    pub(crate) by: u64,
    pub(crate) value: u64,
}

#[derive(Clone, Copy)]
pub(crate) struct Shared<const N: usize>(pub(crate) u64);

pub(crate) fn mix(a: u64, b: u64) -> u64 {
    (a ^ b.rotate_left(17)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Counts work on other threads than the calling one. It differs from run to run and is not compared.
pub(crate) struct Elsewhere {
    caller: ThreadId,
    /// Methods of systems.
    runs: AtomicU64,
    /// Rows of split queries.
    rows: AtomicU64,
}

impl Elsewhere {
    /// Counts on all threads except this one.
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { caller: thread::current().id(), runs: AtomicU64::new(0), rows: AtomicU64::new(0) })
    }

    pub(crate) fn assert_at_least(&self, runs: u64, rows: u64) {
        let noted = (self.runs.load(Relaxed), self.rows.load(Relaxed));
        assert!(noted.0 >= runs && noted.1 >= rows, "helpers had {} runs and {} rows", noted.0, noted.1);
    }

    /// Counts work on another thread, and sometimes, at random, yields to other threads.
    fn note(&self, counter: &AtomicU64, chance: u64, of: u64) {
        if thread::current().id() != self.caller {
            counter.fetch_add(1, Relaxed);
        }
        if chance.is_multiple_of(of) {
            thread::yield_now();
        }
    }
}

/// The declared order relative to [`Middle`], which overrides priorities.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    Before,
    After,
    Any,
}

/// The random settings of a worker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) priority: u16,
    pub(crate) interval_ms: Option<u64>,
    pub(crate) runs_each_interval: bool,
    pub(crate) side: Side,
    pub(crate) membership: Membership,
    pub(crate) has_condition: bool,
}

impl Settings {
    pub(crate) const NONE: Self = Self {
        priority: 0,
        interval_ms: None,
        runs_each_interval: false,
        side: Side::Any,
        membership: Membership::None,
        has_condition: false,
    };
}

/// The set of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Membership {
    None,
    Conditional,
    /// In a set in the conditional one.
    Inner,
}

/// A set with a condition.
pub(crate) struct Conditional;

/// A set in [`Conditional`].
pub(crate) struct Inner;

thread_local! {
    /// The settings of the worker that is being added, since `setup` has no arguments for them.
    static ADDED: Cell<Settings> = const { Cell::new(Settings::NONE) };
}

/// Writes component `W`, reads component `R`, sends events, and does more by its kind `K`.
#[derive(Clone)]
pub(crate) struct Worker<const W: usize, const R: usize, const K: usize>(u64, Arc<Elsewhere>);

impl<const W: usize, const R: usize, const K: usize> System for Worker<W, R, K> {
    fn setup(setup: &mut Setup<Self>) {
        let settings = ADDED.get();
        match settings.side {
            Side::Before => _ = setup.before_type::<Middle>(),
            Side::After => _ = setup.after_type::<Middle>(),
            Side::Any => {}
        }
        match settings.membership {
            Membership::None => {}
            Membership::Conditional => _ = setup.in_set::<Conditional>(),
            Membership::Inner => _ = setup.in_set::<Inner>(),
        }
        if settings.has_condition {
            setup
                .run_if(|shared: Res<Shared<W>>, all: Query<&C<R>>| shared.0.wrapping_add(all.count() as u64) % 4 != 1);
        }
        if settings.runs_each_interval {
            setup.catch_up(CatchUp::EachInterval);
        }
        setup.types(|types| {
            types.system_by(&format!("worker {W} {R} {K}"), |worker: &Self, hash| _ = hash.number(worker.0))
        });
        match K {
            0 => setup.update(Self::compute).update(Self::send),
            1 => setup.update(Self::compute).post_update(Self::command),
            2 => setup.pre_update(Self::spawn).update(Self::compute),
            3 => setup.update(Self::use_resource).listen(Self::on_sent),
            4 => setup.update(Self::split),
            5 => setup.update(Self::send).update_exclusive(Self::take_all),
            6 => setup.pre_update(Self::command_many).post_update(Self::compute),
            7 => setup.update(Self::toggle).post_update(Self::compare),
            _ => setup.listen(Self::command_when_sent).update(Self::count_disabled),
        };
    }
}

impl<const W: usize, const R: usize, const K: usize> Worker<W, R, K> {
    fn note_run(&self) {
        self.1.note(&self.1.runs, self.0, 16);
    }

    fn compute(&mut self, time: Time, mut query: Query<(&mut C<W>, &C<R>)>) {
        self.0 = mix(self.0, time.delta().as_nanos() as u64);
        self.note_run();
        for (written, read) in &mut query {
            written.0 = mix(written.0, read.0);
            self.0 = mix(self.0, written.0);
        }
    }

    fn send(&mut self, query: Query<(EntityId, &C<R>)>, mut sender: Sender<Sent<R>>, mut other: Sender<Sent<W>>) {
        self.note_run();
        for (entity, read) in &query {
            match read.0 % 5 {
                0 => sender.send(Sent { by: entity.bits(), value: read.0 }),
                1 => other.send(Sent { by: self.0, value: read.0 }),
                _ => {}
            }
        }
    }

    fn command(&mut self, query: Query<(EntityId, &C<R>)>, mut commands: Commands) {
        self.note_run();
        for (entity, read) in &query {
            match read.0 % 23 {
                0 => commands.despawn(entity),
                1 => commands.spawn((c::<W>(read.0), c::<R>(self.0))),
                2 => commands.insert(entity, (c::<W>(read.0),)),
                3 => commands.disable(entity),
                4 => commands.remove::<C<R>>(entity),
                _ => {}
            }
        }
    }

    fn command_many(&mut self, query: Query<(EntityId, &C<R>)>, mut commands: Commands) {
        self.note_run();
        let own = self.0;
        let picked = |divisor| query.iter().filter(move |(_, read)| read.0 % divisor == 0);
        commands.spawn_many(picked(13).map(|(entity, read)| (c::<W>(mix(own, read.0)), c::<R>(entity.bits()))));
        commands.despawn_many(picked(17).map(|(entity, _)| entity));
        commands.insert_many(picked(11).map(|(entity, read)| (entity, (c::<W>(mix(own, read.0)),))));
        commands.remove_many::<C<R>>(picked(29).map(|(entity, _)| entity));
    }

    fn toggle(&mut self, query: Query<(EntityId, &C<R>), IncludeDisabled>, mut commands: Commands) {
        self.note_run();
        for (entity, read) in &query {
            match (read.0 ^ self.0) % 19 {
                0 => commands.disable_component::<C<W>>(entity),
                1 => commands.enable_component::<C<W>>(entity),
                2 => commands.disable(entity),
                3 => commands.enable(entity),
                _ => {}
            }
        }
        self.0 = mix(self.0, 1);
    }

    fn compare(&mut self, alone: Query<&C<R>, Without<C<W>>>, query: Query<(&C<R>, Option<&C<W>>)>) {
        self.note_run();
        for read in &alone {
            self.0 = mix(self.0, read.0);
        }
        for (read, written) in &query {
            self.0 = mix(self.0, mix(read.0, written.map_or(7, |written| written.0)));
        }
    }

    fn command_when_sent(&mut self, event: &Sent<R>, mut commands: Commands) {
        self.0 = mix(self.0, mix(event.by, event.value));
        if event.value.is_multiple_of(7) {
            commands.spawn((c::<W>(event.value),));
        }
    }

    fn count_disabled(&mut self, all: Query<&C<W>, IncludeDisabled>, enabled: Query<&C<W>>, shared: Res<Shared<W>>) {
        self.note_run();
        self.0 = mix(self.0, mix((all.iter().count() - enabled.iter().count()) as u64, shared.0));
    }

    fn spawn(&mut self, query: Query<&C<R>>, mut spawner: Spawner, mut sender: Sender<Sent<W>>) {
        self.note_run();
        for read in query.slices().flatten().filter(|read| read.0 % 11 == 0) {
            let entity = spawner.spawn((c::<W>(read.0),));
            sender.send(Sent { by: entity.bits(), value: self.0 });
        }
    }

    fn use_resource(&mut self, query: Query<&C<R>, With<C<W>>>, mut shared: ResMut<Shared<R>>) {
        self.note_run();
        for read in &query {
            shared.0 = mix(shared.0, read.0);
        }
        self.0 = mix(self.0, shared.0);
    }

    fn on_sent(&mut self, event: &Sent<W>, mut sender: Sender<Sent<R>>) {
        self.0 = mix(self.0, mix(event.by, event.value));
        if W != R && event.value.is_multiple_of(3) {
            sender.send(Sent { by: self.0, value: event.value / 2 + 1 });
        }
    }

    fn split(&mut self, mut query: Query<(&mut C<W>, &C<R>)>) {
        self.note_run();
        let elsewhere = &*self.1;
        query.par_for_each(|(written, read)| {
            elsewhere.note(&elsewhere.rows, read.0, 128);
            written.0 = mix(written.0, read.0 + 1);
            written.1[(read.0 % 2) as usize] += 1;
        });
    }

    fn take_all(&mut self, world: &mut World) {
        for (written, read) in &mut world.query::<(&mut C<W>, &C<R>)>() {
            written.0 = mix(read.0, written.0);
            self.0 = mix(self.0, written.0);
        }
        let shared = world.resource_mut::<Shared<R>>().expect("it is put in when the engine is made");
        shared.0 = mix(shared.0, self.0);
        world.send(Sent::<W> { by: self.0, value: self.0 % 64 });
    }
}

/// Some workers run before it, others after it.
pub(crate) struct Middle;

impl System for Middle {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self, time: Time, mut sender: Sender<Sent<3>>| {
            sender.send(Sent { by: time.frame(), value: 3 });
        });
    }
}

/// Receives all events, in the order of delivery.
#[derive(Clone)]
pub(crate) struct Witness(pub(crate) u64);

impl System for Witness {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(Self::on::<0>)
            .listen(Self::on::<1>)
            .listen(Self::on::<2>)
            .listen(Self::on::<3>)
            .listen(Self::on_spawned)
            .listen(Self::on_despawned)
            .listen(Self::on_added)
            .listen(Self::on_removed)
            .listen(Self::on_disabled)
            .listen(Self::on_enabled)
            .types(|types| types.system_by("witness", |witness: &Self, hash| _ = hash.number(witness.0)));
    }
}

impl Witness {
    fn on<const N: usize>(&mut self, event: &Sent<N>) {
        self.0 = mix(self.0, mix(N as u64, mix(event.by, event.value)));
    }

    fn on_spawned(&mut self, event: &Spawned) {
        self.0 = mix(self.0, event.entity.bits());
    }

    fn on_despawned(&mut self, event: &Despawned) {
        self.0 = mix(self.0, event.entity.bits() + 1);
    }

    fn on_added(&mut self, event: &Added<C<2>>) {
        self.0 = mix(self.0, event.entity.bits() + 2);
    }

    fn on_removed(&mut self, event: &Removed<C<1>>) {
        self.0 = mix(self.0, mix(event.entity.bits() + 3, event.value.as_ref().map_or(0, |c| c.0)));
    }

    fn on_disabled(&mut self, event: &Disabled) {
        self.0 = mix(self.0, event.entity.bits() + 4);
    }

    fn on_enabled(&mut self, event: &Enabled) {
        self.0 = mix(self.0, event.entity.bits() + 5);
    }
}

macro_rules! workers {
    ($(($w:literal, $r:literal, $k:literal))+) => {
        /// A function for each kind of worker that adds it.
        pub(crate) const WORKERS: &[fn(&mut Engine, Settings, &Arc<Elsewhere>)] =
            &[$(add::<$w, $r, $k>),+];
    };
}

workers! {
    (0, 1, 0) (1, 2, 0) (2, 3, 0) (3, 0, 0) (0, 2, 0)
    (0, 1, 1) (1, 0, 1) (2, 3, 1) (3, 2, 1)
    (0, 1, 2) (1, 2, 2) (3, 1, 2)
    (0, 1, 3) (1, 2, 3) (2, 0, 3) (3, 2, 3)
    (0, 3, 4) (1, 3, 4) (2, 0, 4) (3, 1, 4)
    (1, 3, 5) (2, 1, 5)
    (0, 2, 6) (3, 1, 6)
    (1, 0, 7) (2, 3, 7)
    (0, 1, 8) (3, 2, 8)
}

fn add<const W: usize, const R: usize, const K: usize>(
    engine: &mut Engine,
    settings: Settings,
    elsewhere: &Arc<Elsewhere>,
) {
    ADDED.set(settings);
    engine.add(Worker::<W, R, K>(1, elsewhere.clone())).unwrap();
    engine.set_priority::<Worker<W, R, K>>(Priority(settings.priority)).unwrap();
    if let Some(interval_ms) = settings.interval_ms {
        engine.run_every::<Worker<W, R, K>>(Duration::from_millis(interval_ms)).unwrap();
    }
}
