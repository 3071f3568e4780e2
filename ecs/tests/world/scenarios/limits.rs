//! Limits of memory: what would go beyond one is not done, the error says why, and nothing that was there is lost.

use ecs::engine::Limits;
use ecs::prelude::*;
use ecs::{Component, Error, Spawner};

use super::log::FRAME;
use super::panics::message_of;

struct Bullet;

struct Rang(u64);

/// The numbers that were heard.
#[derive(Default)]
struct Heard(Vec<u64>);

impl System for Heard {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|heard: &mut Self, rang: &Rang| heard.0.push(rang.0));
    }
}

fn limited(limits: Limits, threads: usize) -> Engine {
    Engine::builder().limits(limits).threads(threads).parallel_threshold(0).build()
}

fn of_entities(entities: usize) -> Engine {
    limited(Limits { entities, ..Limits::default() }, 0)
}

/// The sentence of a frame that reached a limit.
#[track_caller]
fn limit_of_frame(engine: &mut Engine) -> String {
    match engine.update(FRAME) {
        Err(Error::Limit(error)) => error.message,
        other => panic!("a limit was to be reached: {other:?}"),
    }
}

fn count<T: Component>(engine: &mut Engine) -> usize {
    engine.query::<&T>().count()
}

fn despawn_all<T: Component>(engine: &mut Engine) {
    let all: Vec<_> = engine.query::<(EntityId, &T)>().iter().map(|(entity, _)| entity).collect();
    engine.despawn_many(all).unwrap();
}

#[test]
fn commands_behind_the_ones_that_find_no_room_are_carried_out() {
    let mut engine = of_entities(10);
    let old = engine.spawn((0_u8,));
    fn shoot(mut commands: Commands) {
        (0..30).for_each(|_| commands.spawn((Bullet,)));
    }
    engine.add(shoot).unwrap();
    engine.add(move |mut commands: Commands| commands.try_despawn(old)).unwrap();
    let told = limit_of_frame(&mut engine);
    assert_eq!(
        told,
        "a command of system shoot was stopped: the limit of 10 entities is reached, 9 of (Bullet), 1 of (u8)"
    );
    assert!(!engine.contains(old), "the command of the other function was carried out");
    assert_eq!(count::<Bullet>(&mut engine), 9);
    // The next frame begins without old commands: there is room for one.
    limit_of_frame(&mut engine);
    assert_eq!(count::<Bullet>(&mut engine), 10);
    despawn_all::<Bullet>(&mut engine);
    limit_of_frame(&mut engine);
    assert_eq!(count::<Bullet>(&mut engine), 10, "slots of despawned entities are used again");
}

#[test]
fn many_at_once_come_whole_or_not_at_all() {
    let mut engine = of_entities(10);
    let spawn = |mut commands: Commands| {
        commands.spawn_many((0..6).map(|_| (Bullet,)));
        commands.spawn_many((0..6).map(|_| (Bullet,)));
        commands.spawn_many((0..4).map(|_| (1_u8, "of another kind")));
    };
    let Err(Error::Limit(error)) = engine.run(spawn) else { panic!("12 bullets have no room") };
    assert!(error.message.ends_with("was stopped: the limit of 10 entities is reached, 6 of (Bullet)"), "{error}");
    assert_eq!((count::<Bullet>(&mut engine), count::<u8>(&mut engine)), (6, 4));
}

#[test]
fn direct_calls_panic_and_change_nothing() {
    let mut engine = of_entities(2);
    let first = engine.spawn((1_u8, 'a'));
    let message = message_of(|| _ = engine.spawn_many([(2_u8,), (3,)]));
    assert_eq!(message, "the limit of 2 entities is reached, 1 of (u8, char)");
    let second = engine.spawn((2_u8,));
    message_of(|| _ = engine.spawn(()));
    assert_eq!(engine.entities().iter().collect::<Vec<_>>(), [first, second]);
    engine.despawn(first).unwrap();
    engine.spawn((4_u8,));
    assert_eq!(count::<u8>(&mut engine), 2);
}

#[test]
fn spawner_hands_out_no_id_beyond_the_limit() {
    let mut engine = of_entities(3);
    let mut spawned = Vec::new();
    let outcome = engine.run(|mut spawner: Spawner| {
        loop {
            spawned.push(spawner.spawn(("bird",)));
        }
    });
    let Err(Error::Limit(error)) = outcome else { panic!("the loop would not end") };
    assert!(error.message.contains("the limit of 3 entities is reached"), "{error}");
    assert_eq!(engine.entities().iter().collect::<Vec<_>>(), spawned);
    assert_eq!(spawned.iter().filter(|bird| engine.get(**bird) == Some(&"bird")).count(), 3);
}

#[test]
fn refused_child_takes_no_id() {
    let mut engine = Engine::new();
    let parent = engine.spawn(());
    message_of(|| {
        _ = engine.run(|mut spawner: Spawner| _ = spawner.spawn_child(parent, (1_u8, 2_u8)));
    });
    assert_eq!(engine.entities().peak(), 1);
    engine.update(FRAME).unwrap();
    let bits = |entity: EntityId| entity.bits();
    assert_eq!(bits(engine.spawn(())), bits(parent) + 1, "the next id follows");
}

#[test]
fn events_before_the_limit_are_delivered_once() {
    let mut engine = limited(Limits { event_bytes: 64 << 10, ..Limits::default() }, 0);
    engine.add(Heard::default()).unwrap();
    fn ring_for_ever(mut frames: Local<u32>, mut bells: Sender<Rang>) {
        *frames += 1;
        // Once it sends for ever, then little.
        let last = if *frames == 1 { u64::MAX } else { 2 };
        (0..last).for_each(|n| bells.send(Rang(n)));
    }
    engine.add(ring_for_ever).unwrap();
    let told = limit_of_frame(&mut engine);
    let begins =
        "system ring_for_ever was stopped in update: the limit of 65536 bytes of events in a frame is reached, ";
    assert!(told.starts_with(begins) && told.ends_with(" events wait, and the next is Rang"), "{told}");
    engine.update(FRAME).unwrap();
    let heard = std::mem::take(&mut engine.system_mut::<Heard>().unwrap().0);
    let sent = heard.len() as u64 - 2;
    assert!((7_000..=8_192).contains(&sent), "{sent} events of 8 bytes");
    assert!(heard.into_iter().eq((0..sent).chain(0..2)), "each event once, in order");
    let memory = engine.memory();
    let held = memory.buffers.iter().map(|buffer| buffer.event_bytes_held).max().unwrap();
    assert!(held <= 160 << 10, "{held} bytes");
}

#[test]
fn full_limit_can_be_used_in_each_frame() {
    // A large first chunk, small ones, and a limit that is no power of two.
    let mut engine = limited(Limits { event_bytes: 100_000, ..Limits::default() }, 0);
    engine.add(Heard::default()).unwrap();
    let ring = |mut round: Local<u64>, mut bells: Sender<Rang>| {
        *round += 1;
        let count = [1, 12_000, 3_000, 12_000, 12_000][(*round % 5) as usize];
        (0..count).for_each(|n| bells.send(Rang(n)));
    };
    engine.add(ring).unwrap();
    for _ in 0..40 {
        engine.update(FRAME).unwrap();
    }
    assert_eq!(engine.system::<Heard>().unwrap().0.len(), 8 * (1 + 12_000 + 3_000 + 12_000 + 12_000));
}

#[test]
fn waiting_commands_are_limited() {
    let mut engine = limited(Limits { commands: 100, ..Limits::default() }, 0);
    fn spawn_for_ever(mut frames: Local<u32>, mut commands: Commands) {
        *frames += 1;
        let count = if *frames == 1 { u64::MAX } else { 0 };
        (0..count).for_each(|_| commands.spawn((Bullet,)));
    }
    engine.add(spawn_for_ever).unwrap();
    let told = limit_of_frame(&mut engine).replace("world::scenarios::limits::", "");
    assert_eq!(
        told,
        "system spawn_for_ever was stopped in update: the limit of 100 commands that wait is reached, with 100 of (Bullet,)"
    );
    assert_eq!(count::<Bullet>(&mut engine), 100, "the commands before the limit are carried out, in the same frame");
    engine.update(FRAME).unwrap();
}

#[test]
fn systems_beside_the_one_at_the_limit_run_at_any_number_of_threads() {
    let run = |threads| {
        let mut engine = limited(Limits { event_bytes: 4096, entities: 64, commands: 1_000 }, threads);
        engine.spawn_many((0..8_u64).map(|n| (n,)));
        engine.add(Heard::default()).unwrap();
        engine.add(|mut bells: Sender<Rang>| (0..u64::MAX).for_each(|n| bells.send(Rang(n)))).unwrap();
        engine.add(|mut numbers: Query<&mut u64>| numbers.iter_mut().for_each(|number| *number += 1)).unwrap();
        engine.add(|mut commands: Commands| (0..40).for_each(|_| commands.spawn((Bullet,)))).unwrap();
        let told: Vec<_> = (0..3).map(|_| limit_of_frame(&mut engine)).collect();
        let numbers: Vec<_> = engine.query::<&u64>().iter().copied().collect();
        let heard = std::mem::take(&mut engine.system_mut::<Heard>().unwrap().0);
        (told, numbers, heard, count::<Bullet>(&mut engine))
    };
    let alone = run(0);
    assert_eq!(alone.1, [3, 4, 5, 6, 7, 8, 9, 10]);
    assert_eq!(run(2), alone);
}

#[test]
fn snapshots_are_restored_whatever_the_limit() {
    let mut engine = of_entities(4);
    engine.types_mut().component::<u8>("number").unwrap();
    engine.spawn_many([(1_u8,), (2,), (3,), (4,)]);
    let snapshot = engine.snapshot().unwrap();
    despawn_all::<u8>(&mut engine);
    engine.restore(&snapshot).unwrap();
    assert_eq!(count::<u8>(&mut engine), 4);
    assert!(message_of(|| _ = engine.spawn(())).contains("the limit of 4 entities"));
}

struct Ping(u64);

#[test]
fn listener_at_the_limit_gets_its_other_events_and_so_do_others() {
    let mut engine = limited(Limits { event_bytes: 8192, ..Limits::default() }, 0);
    engine.add(Heard::default()).unwrap();
    fn echo(ping: &Ping, mut bells: Sender<Rang>) {
        // Two of five pings are answered for ever.
        let answers = if ping.0 % 2 == 1 { u64::MAX } else { 1 };
        (0..answers).for_each(|_| bells.send(Rang(ping.0)));
    }
    engine.listen(echo).unwrap();
    engine.insert_resource(0_u64);
    engine.listen(|_: &Ping, mut pings: ResMut<u64>| *pings += 1).unwrap();
    (0..5).for_each(|n| engine.send(Ping(n)));
    let told = limit_of_frame(&mut engine);
    assert!(told.starts_with("system echo was stopped in its listener for Ping: the limit of 8192 bytes"), "{told}");
    assert_eq!(*engine.resource::<u64>().unwrap(), 5, "the other listener heard each one once");
    let heard = std::mem::take(&mut engine.system_mut::<Heard>().unwrap().0);
    assert!(heard.len() > 900 && heard[0] == 0 && heard.iter().is_sorted(), "{} events", heard.len());
    engine.send(Ping(6));
    engine.update(FRAME).unwrap();
    assert_eq!(engine.system::<Heard>().unwrap().0, [6], "the next frame has all the room again");
}

#[test]
fn chunks_of_a_parallel_iteration_are_limited() {
    let mut engine = limited(Limits { event_bytes: 8192, ..Limits::default() }, 2);
    engine.spawn_many((0..5_000_u64).map(|n| (n,)));
    engine.add(Heard::default()).unwrap();
    fn ring(mut frames: Local<u32>, mut numbers: Query<&u64>, mut bells: Sender<Rang>) {
        *frames += 1;
        let first = *frames == 1;
        numbers.par_for_each_with(&mut bells, |bells, number| {
            let count = if first && *number == 2_500 { u64::MAX } else { u64::from(*number % 500 == 0) };
            (0..count).for_each(|_| bells.send(Rang(*number)));
        });
    }
    engine.add(ring).unwrap();
    let told = limit_of_frame(&mut engine);
    assert!(told.starts_with("system ring was stopped in update: the limit of 8192 bytes of events"), "{told}");
    let heard = std::mem::take(&mut engine.system_mut::<Heard>().unwrap().0);
    assert_eq!(heard[..5], [0, 500, 1_000, 1_500, 2_000], "what a thread alone would have done before");
    engine.update(FRAME).unwrap();
    let heard = std::mem::take(&mut engine.system_mut::<Heard>().unwrap().0);
    assert!(heard.into_iter().eq((0..10).map(|n| n * 500)), "nothing of the frame before is left");
}

#[test]
fn several_systems_at_the_limit_give_one_error() {
    let mut engine = limited(Limits { event_bytes: 4096, ..Limits::default() }, 0);
    engine.add(Heard::default()).unwrap();
    let ring = |mut bells: Sender<Rang>| (0..u64::MAX).for_each(|n| bells.send(Rang(n)));
    engine.add((ring, ring, ring)).unwrap();
    engine.listen(|_: &Ping, mut bells: Sender<Rang>| (0..u64::MAX).for_each(|n| bells.send(Rang(n)))).unwrap();
    engine.listen(|_: &Ping, mut bells: Sender<Rang>| (0..u64::MAX).for_each(|n| bells.send(Rang(n)))).unwrap();
    for frames in 1..4 {
        engine.send(Ping(0));
        let told = limit_of_frame(&mut engine);
        assert!(told.contains("the limit of 4096 bytes"), "{told}");
        assert_eq!(engine.time().frame(), frames);
        let heard = std::mem::take(&mut engine.system_mut::<Heard>().unwrap().0);
        assert_eq!(heard.iter().filter(|n| **n == 0).count(), 5, "each of the five sent what fitted");
    }
}

#[test]
fn commands_behind_a_failed_one_find_their_own_components() {
    for traced in [0, 4] {
        let limits = Limits { entities: 2, ..Limits::default() };
        let mut engine = Engine::builder().limits(limits).trace_causes(traced).build();
        let (parent, other) = (engine.spawn((0_u32,)), engine.spawn((0_u32,)));
        let spawn = move |mut commands: Commands| {
            commands.spawn_child(parent, (1_u32,));
            commands.spawn((2_u32,));
            commands.insert(other, (3_u32,));
        };
        engine.add(spawn).unwrap();
        limit_of_frame(&mut engine);
        assert_eq!(engine.query::<&u32>().iter().copied().collect::<Vec<_>>(), [0, 3]);
        assert!(engine.children(parent).is_empty());
    }
}

/// Records itself again, and asks for an entity that has no room.
fn again(mut commands: Commands, mut spawner: Spawner) {
    commands.run(again);
    spawner.spawn((Bullet,));
}

#[test]
fn functions_that_record_themselves_end_at_the_limit_too() {
    let mut engine = of_entities(100);
    engine
        .add(|mut frames: Local<u32>, mut commands: Commands| {
            *frames += 1;
            if *frames == 1 {
                commands.run(again);
            }
        })
        .unwrap();
    let error = engine.update(FRAME).unwrap_err();
    assert!(matches!(error, Error::Cascade(_)), "{error}");
    despawn_all::<Bullet>(&mut engine);
    for _ in 0..200 {
        assert!(engine.run(again).is_err());
        despawn_all::<Bullet>(&mut engine);
    }
    assert_eq!(engine.entities().len(), 0);
    engine.spawn_many((0..100).map(|_| (Bullet,)));
}

#[test]
fn empty_engine_has_a_limit_too() {
    let mut engine = of_entities(10);
    let message = message_of(|| _ = engine.spawn_many((0..1_000_u32).map(|n| (n,))));
    assert_eq!(message, "the limit of 10 entities is reached, and none exists");
    assert_eq!(engine.entities().len(), 0);
    let mut none = of_entities(0);
    message_of(|| _ = none.spawn(()));
    assert!(none.run(|mut spawner: Spawner| _ = spawner.spawn(())).is_err());
    assert!(none.entities().is_empty());
}

struct Big(#[expect(dead_code, reason = "it only takes room")] [u64; 37_500]);

#[test]
fn what_fits_does_not_depend_on_earlier_frames() {
    let mut engine = limited(Limits { event_bytes: 1 << 20, ..Limits::default() }, 0);
    engine.add(|mut bells: Sender<Big>| (0..3).for_each(|_| bells.send(Big([0; 37_500])))).unwrap();
    engine.listen(|_: &Big| ()).unwrap();
    (0..6).for_each(|_| engine.update(FRAME).unwrap());

    let mut engine = limited(Limits { event_bytes: 1024, ..Limits::default() }, 0);
    engine.insert_resource(1_u32);
    let ring = |count: Res<u32>, mut bells: Sender<u32>| (0..*count).for_each(|n| bells.send(n));
    engine.add(ring).unwrap();
    engine.listen(|_: &u32| ()).unwrap();
    let mut fits = |count| {
        *engine.resource_mut::<u32>().unwrap() = count;
        [(); 4].map(|()| engine.update(FRAME).is_ok())
    };
    for count in [240, 1, 250, 3, 254, 9, 250] {
        assert_eq!(fits(count), [true; 4], "{count} events of 4 bytes");
    }
    assert_eq!(fits(260), [false; 4]);
    assert_eq!(fits(254), [true; 4]);
}

#[test]
fn chunks_of_parallel_iterations_are_counted_together() {
    for threads in [0, 2] {
        let mut engine = limited(Limits { event_bytes: 8192, commands: 3_000, ..Limits::default() }, threads);
        engine.spawn_many((0..5_000_u64).map(|n| (n,)));
        engine.listen(|_: &Rang| ()).unwrap();
        let ring = |mut numbers: Query<&u64>, mut bells: Sender<Rang>| {
            numbers.par_for_each_with(&mut bells, |bells, number| bells.send(Rang(*number)));
        };
        let Err(Error::Limit(error)) = engine.run(ring) else { panic!("5,000 events of 8 bytes are too many") };
        assert!(error.message.contains("the limit of 8192 bytes"), "{error}");
        let record = |mut numbers: Query<(EntityId, &u64)>, mut commands: Commands| {
            numbers.par_for_each_with(&mut commands, |commands, (entity, _)| commands.try_insert(entity, ('a',)));
        };
        let Err(Error::Limit(error)) = engine.run(record) else { panic!("5,000 commands are too many") };
        assert!(error.message.contains("the limit of 3000 commands"), "{error}");
    }
}
