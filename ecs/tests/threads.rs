//! The same run, bit for bit, at any number of threads: random systems in random schedules over random worlds.
#![cfg(feature = "parallel")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ecs::{
    Added, Commands, Despawned, Engine, EntityId, Priority, Query, ResMut, Sender, Setup, Spawned, Spawner, System,
    With,
};
use proptest::prelude::*;

/// A number, and how often walks that are split came by: values of three numbers are visited four at a time.
#[derive(Clone, Copy)]
struct C<const N: usize>(u64, [u64; 2]);

fn c<const N: usize>(value: u64) -> C<N> {
    C(value, [0; 2])
}

#[derive(Clone, Copy)]
struct Sent<const N: usize> {
    by: u64,
    value: u64,
}

struct Shared<const N: usize>(u64);

fn mix(a: u64, b: u64) -> u64 {
    (a ^ b.rotate_left(17)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Writes component `W`, reads component `R`, sends, and does more by its kind `K`.
struct Worker<const W: usize, const R: usize, const K: usize>(u64);

impl<const W: usize, const R: usize, const K: usize> System for Worker<W, R, K> {
    fn setup(setup: &mut Setup<Self>) {
        setup.priority(Priority((W * 7 + R * 3 + K) as u16));
        match K {
            0 => setup.update(Self::compute).update(Self::send),
            1 => setup.update(Self::compute).post_update(Self::command),
            2 => setup.pre_update(Self::spawn).update(Self::compute),
            3 => setup.update(Self::use_resource).listen(Self::on_sent),
            _ => setup.update(Self::split),
        };
    }
}

impl<const W: usize, const R: usize, const K: usize> Worker<W, R, K> {
    fn compute(&mut self, mut query: Query<(&mut C<W>, &C<R>)>) {
        for (written, read) in &mut query {
            written.0 = mix(written.0, read.0);
            self.0 = mix(self.0, written.0);
        }
    }

    fn send(&mut self, query: Query<(EntityId, &C<R>)>, mut sender: Sender<Sent<R>>, mut other: Sender<Sent<W>>) {
        for (entity, read) in &query {
            match read.0 % 5 {
                0 => sender.send(Sent { by: entity.bits(), value: read.0 }),
                1 => other.send(Sent { by: self.0, value: read.0 }),
                _ => {}
            }
        }
    }

    fn command(&mut self, query: Query<(EntityId, &C<R>)>, mut commands: Commands) {
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

    fn spawn(&mut self, query: Query<&C<R>>, mut spawner: Spawner, mut sender: Sender<Sent<W>>) {
        for read in query.values().iter().filter(|read| read.0 % 11 == 0) {
            let entity = spawner.spawn((c::<W>(read.0),));
            sender.send(Sent { by: entity.bits(), value: self.0 });
        }
    }

    fn use_resource(&mut self, query: Query<&C<R>, With<C<W>>>, mut shared: ResMut<Shared<R>>) {
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
        query.par_for_each(|(written, read)| {
            written.0 = mix(written.0, read.0 + 1);
            written.1[(read.0 % 2) as usize] += 1;
        });
    }
}

/// Hears everything, in the order of delivery.
struct Witness(u64);

impl System for Witness {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(Self::on::<0>)
            .listen(Self::on::<1>)
            .listen(Self::on::<2>)
            .listen(Self::on::<3>)
            .listen(Self::on_spawned)
            .listen(Self::on_despawned)
            .listen(Self::on_added);
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
}

macro_rules! workers {
    ($(($w:literal, $r:literal, $k:literal))+) => {
        /// One way to add each kind of worker.
        const WORKERS: &[fn(&mut Engine)] = &[$(|engine| {
            engine.add(Worker::<$w, $r, $k>(1)).unwrap();
        }),+];
    };
}

workers! {
    (0, 1, 0) (1, 2, 0) (2, 3, 0) (3, 0, 0) (0, 2, 0)
    (0, 1, 1) (1, 0, 1) (2, 3, 1) (3, 2, 1)
    (0, 1, 2) (1, 2, 2) (3, 1, 2)
    (0, 1, 3) (1, 2, 3) (2, 0, 3) (3, 2, 3)
    (0, 3, 4) (1, 3, 4) (2, 0, 4) (3, 1, 4)
}

fn engine(threads: usize, workers: &[usize], entities: u64) -> Engine {
    let mut engine = Engine::builder().threads(threads).rows_worth_a_thread(0).dispatch_rounds(200).build();
    engine.insert_resource(Shared::<0>(0));
    engine.insert_resource(Shared::<1>(0));
    engine.insert_resource(Shared::<2>(0));
    engine.insert_resource(Shared::<3>(0));
    engine.add(Witness(0)).unwrap();
    for &worker in workers {
        WORKERS[worker](&mut engine);
    }
    for index in 0..entities {
        let value = mix(index, 12345);
        match value % 4 {
            0 => engine.spawn((c::<0>(value), c::<1>(index))),
            1 => engine.spawn((c::<0>(value), c::<1>(index), c::<2>(value / 3), c::<3>(value / 7))),
            2 => engine.spawn((c::<2>(value), c::<3>(index))),
            _ => engine.spawn((c::<3>(value), c::<0>(index))),
        };
    }
    engine
}

/// Everything that can be seen of a run: components with their owners in the order of their pools, what the witness
/// heard, the ids that come next.
fn trace(threads: usize, workers: &[usize], entities: u64, frames: usize) -> Vec<u64> {
    fn pool<const N: usize>(engine: &Engine, trace: &mut Vec<u64>) {
        engine
            .read::<(EntityId, &C<N>)>()
            .for_each(|(entity, component)| trace.extend([entity.bits(), component.0, component.1[0], component.1[1]]));
    }
    let mut engine = engine(threads, workers, entities);
    let mut trace = Vec::new();
    for _ in 0..frames {
        engine.update(Duration::from_millis(16)).unwrap();
        trace.push(engine.system::<Witness>().unwrap().0);
        trace.push(engine.command_errors().len() as u64);
    }
    pool::<0>(&engine, &mut trace);
    pool::<1>(&engine, &mut trace);
    pool::<2>(&engine, &mut trace);
    pool::<3>(&engine, &mut trace);
    trace.push(engine.spawn(()).bits());
    trace
}

/// How many random schedules are tried: fewer where each step is checked, `SCHEDULES=50 cargo test`.
fn schedules() -> u32 {
    std::env::var("SCHEDULES").map_or(1000, |number| number.parse().expect("SCHEDULES is a number"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(schedules()))]

    #[test]
    fn any_number_of_threads_gives_the_same_run(
        workers in prop::sample::subsequence((0..WORKERS.len()).collect::<Vec<_>>(), 1..=WORKERS.len()).prop_shuffle(),
        entities in 0_u64..40,
    ) {
        let serial = trace(1, &workers, entities, 3);
        for threads in [2, 4, 16] {
            prop_assert_eq!(&trace(threads, &workers, entities, 3), &serial, "{} threads", threads);
        }
    }
}

#[test]
fn a_large_world_is_the_same_on_threads() {
    let workers: Vec<_> = (0..WORKERS.len()).collect();
    let serial = trace(1, &workers, 6_000, 3);
    assert!(serial.len() > 10_000, "the world is not empty");
    assert!(trace(2, &workers, 6_000, 3) == serial);
    assert!(trace(4, &workers, 6_000, 3) == serial);
}

const EXPECTED: &str = "it was too much";

/// What other threads print is not captured as the output of a test.
fn keep_quiet_about_expected_panics() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !panic.payload_as_str().is_some_and(|message| message.contains(EXPECTED)) {
                loud(panic);
            }
        }));
    });
}

/// Works on a component of its own, sends and asks for something, and panics in some frames.
struct Unsteady<const W: usize>;

impl<const W: usize> System for Unsteady<W> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::stumble).post_update(Self::compute).listen(Self::on_sent);
    }
}

impl<const W: usize> Unsteady<W> {
    fn stumble(
        &mut self,
        time: ecs::Time,
        mut query: Query<(EntityId, &mut C<W>)>,
        mut sender: Sender<Sent<W>>,
        mut commands: Commands,
    ) {
        for (entity, component) in &mut query {
            component.0 = mix(component.0, time.frame());
            sender.send(Sent { by: entity.bits(), value: component.0 });
            match component.0 % 256 {
                0 => commands.despawn(entity),
                2 => panic!("{EXPECTED}, in frame {}", time.frame()),
                _ => {}
            }
        }
    }

    fn compute(&mut self, mut query: Query<&mut C<W>>) {
        query.iter_mut().for_each(|component| component.0 = mix(component.0, 7));
    }

    fn on_sent(&mut self, event: &Sent<W>, mut sender: Sender<Sent<0>>) {
        if event.value % 300 == 5 {
            sender.send(Sent { by: event.by, value: 0 });
            panic!("{EXPECTED}, at {}", event.value);
        }
    }
}

/// What each frame panicked with and left behind, and who in the phase panicked in how many frames.
fn trace_of_panics(threads: usize) -> Vec<String> {
    let mut engine = engine(threads, &[4, 9], 0);
    engine.add(Unsteady::<0>).unwrap().add(Unsteady::<1>).unwrap().add(Unsteady::<2>).unwrap();
    engine.add(Unsteady::<3>).unwrap();
    for value in 0..24 {
        engine.spawn((c::<0>(value), c::<1>(value + 100), c::<2>(value + 200), c::<3>(value + 300)));
    }
    let mut trace = Vec::new();
    for _ in 0..100 {
        let frame = AssertUnwindSafe(|| engine.update(Duration::from_millis(16)));
        let end = match catch_unwind(frame) {
            Ok(result) => format!("{result:?}"),
            Err(payload) => *payload.downcast::<String>().expect("panics of systems are named"),
        };
        let mut components = Vec::new();
        engine.read::<(EntityId, &C<0>, &C<1>, &C<2>, &C<3>)>().for_each(|(id, a, b, c, d)| {
            components.push(mix(mix(mix(mix(id.bits(), a.0), b.0), c.0), d.0));
        });
        let heard = engine.system::<Witness>().unwrap().0;
        trace.push(format!("{end}; {} waiting; heard {heard}; {components:?}", engine.events().waiting()));
    }
    trace
}

#[test]
fn panics_are_the_same_on_threads_and_so_is_what_they_leave_behind() {
    keep_quiet_about_expected_panics();
    let traces: Vec<_> = [1, 2, 4, 16].into_iter().map(trace_of_panics).collect();
    let frames_with = |text: &str| traces[0].iter().filter(|frame| frame.contains(text)).count();
    let counts = ["panicked in update", "panicked as it heard", "Ok(())"].map(frames_with);
    assert!(counts.iter().all(|count| *count >= 5), "the frames are not mixed: {counts:?}");
    for trace in &traces[1..] {
        assert!(trace == &traces[0]);
    }
}

/// Panics in its update if it is told to; each writes a component of its own, so that all may run at once.
struct Faulty<const W: usize>(bool);

impl<const W: usize> System for Faulty<W> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|faulty: &mut Self, mut query: Query<&mut C<W>>| {
            query.iter_mut().for_each(|component| component.0 += 1);
            assert!(!faulty.0, "{EXPECTED}");
        });
    }
}

#[test]
fn first_of_several_panics_in_work_order_is_raised_at_any_number_of_threads() {
    keep_quiet_about_expected_panics();
    for threads in [1, 2, 4, 16] {
        for _ in 0..20 {
            let mut engine = engine(threads, &[], 0);
            let entity = engine.spawn((c::<0>(0), c::<1>(0), c::<2>(0), c::<3>(0)));
            engine.add(Faulty::<0>(false)).unwrap().add(Faulty::<3>(true)).unwrap();
            engine.add(Faulty::<1>(true)).unwrap().add(Faulty::<2>(true)).unwrap();
            engine.set_priority::<Faulty<2>>(Priority::HIGH).unwrap();
            let frame = catch_unwind(AssertUnwindSafe(|| engine.update(Duration::from_millis(16))));
            let message = frame.unwrap_err().downcast::<String>().unwrap();
            assert_eq!(*message, format!("system Faulty<2> panicked in update: {EXPECTED}"));
            let counts =
                engine.query::<(&C<0>, &C<1>, &C<2>, &C<3>)>().get(entity).map(|(a, b, c, d)| [a.0, b.0, c.0, d.0]);
            assert_eq!(counts, Some([1; 4]), "everybody has run once");
        }
    }
}

#[test]
fn systems_that_do_not_conflict_are_shown_side_by_side() {
    let mut engine = engine(2, &[0, 2, 5], 0);
    let explanation = engine.explain().unwrap().to_string();
    assert!(explanation.contains("may run beside"), "{explanation}");
}
