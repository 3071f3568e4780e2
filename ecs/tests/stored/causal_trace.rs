//! Causal traces: chains of events, systems and commands over the last frames. Tracing changes nothing else.

mod panics;
#[allow(dead_code)]
use crate::snapshots::world;

use std::time::Duration;

use proptest::prelude::*;

use ecs::{Commands, Despawned, Engine, EntityId, Query, Sender, Setup, Spawned, System};

const FRAME: Duration = Duration::from_millis(10);

#[derive(Clone, Copy)]
struct KeyPressed;
#[derive(Clone, Copy)]
struct Collision(EntityId);
#[derive(Clone, Copy)]
struct Killed(EntityId);
#[derive(Clone, Copy)]
struct Mourned;

/// A component of entities that can be hit.
struct Target;
struct Doomed(u32);

struct Driving;

impl System for Driving {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(
            |_: &mut Self,
             _: &KeyPressed,
             targets: Query<EntityId, ecs::With<Target>>,
             mut sender: Sender<Collision>| {
                targets.iter().for_each(|target| sender.send(Collision(target)));
            },
        );
    }
}

struct Fighting;

impl System for Fighting {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(|_: &mut Self, collision: &Collision, mut sender: Sender<Killed>| sender.send(Killed(collision.0)));
    }
}

struct Burial;

impl System for Burial {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(|_: &mut Self, killed: &Killed, mut commands: Commands| commands.despawn(killed.0))
            .listen(|_: &mut Self, _: &Despawned, mut sender: Sender<Mourned>| sender.send(Mourned));
    }
}

/// Spawns in its phase, and despawns doomed entities some frames later.
struct Fate;

impl System for Fate {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|_: &mut Self, mut doomed: Query<(EntityId, &mut Doomed)>, mut commands: Commands| {
            for (entity, doomed) in &mut doomed {
                doomed.0 -= 1;
                if doomed.0 == 0 {
                    commands.despawn(entity);
                }
            }
        });
    }
}

struct Nursery;

impl System for Nursery {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|_: &mut Self, _: &KeyPressed, mut commands: Commands| {
            commands.spawn((Doomed(2),));
            commands.spawn_many((0..2).map(|_| (Target,)));
        });
    }
}

fn engine(frames: usize, threads: usize) -> Engine {
    let builder = Engine::builder().threads(threads).parallel_threshold(0);
    let mut engine = builder.trace_causes(frames).build();
    engine.add(Driving).unwrap().add(Fighting).unwrap().add(Burial).unwrap().add(Fate).unwrap().add(Nursery).unwrap();
    engine
}

#[test]
fn chain_leads_from_the_key_press_to_the_despawn_at_any_number_of_threads() {
    for threads in [1, 2] {
        let mut engine = engine(10, threads);
        let [first, second] = [(); 2].map(|()| engine.spawn((Target,)));
        engine.update(FRAME).unwrap();
        engine.send(KeyPressed);
        engine.update(FRAME).unwrap();
        for entity in [first, second] {
            assert_eq!(
                engine.why(entity).to_string(),
                format!(
                    "entity {entity}: KeyPressed (frame 2) → Collision (Driving, frame 2) → Killed (Fighting, frame 2) → despawn \
                     (Burial, frame 2)"
                )
            );
        }
        assert_eq!(
            engine.why_event::<Mourned>().to_string(),
            "Mourned: KeyPressed (frame 2) → Collision (Driving, frame 2) → Killed (Fighting, frame 2) → despawn (Burial, \
             frame 2) → Despawned (frame 2) → Mourned (Burial, frame 2)"
        );
    }
}

#[test]
fn entity_spawned_by_command_has_chains_of_its_spawn_and_its_despawn() {
    let mut engine = engine(10, 1);
    engine.send(KeyPressed);
    engine.update(FRAME).unwrap();
    let born: Vec<EntityId> = engine.entities().iter().collect();
    assert_eq!(born.len(), 3);
    let birth = |entity| format!("entity {entity}: KeyPressed (frame 1) → spawn (Nursery, frame 1)");
    for entity in &born {
        assert_eq!(engine.why(*entity).to_string(), birth(*entity));
    }
    engine.update(FRAME).unwrap();
    engine.update(FRAME).unwrap();
    // A phase has no cause, so the chain begins with the system.
    let doomed = born[0];
    assert!(!engine.contains(doomed));
    assert_eq!(engine.why(doomed).to_string(), format!("{}\nentity {doomed}: despawn (Fate, frame 3)", birth(doomed)));
    assert_eq!(engine.why(doomed).chains[1][0].system, Some("Fate"));
}

/// Marks entities, and takes something from some. There are several.
struct Marking<const N: u32>(Vec<EntityId>);

impl<const N: u32> System for Marking<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|own: &mut Self, mut commands: Commands| {
            commands.insert_many(own.0.iter().map(|entity| (*entity, (Doomed(9),))));
            commands.remove_many::<Target>(own.0.iter().copied());
            commands.despawn_many(own.0.drain(..).skip(3));
        });
    }
}

#[test]
fn bulk_change_is_traced_for_each_changed_entity_only() {
    let mut engine = engine(10, 1);
    let gone = engine.spawn(());
    engine.despawn(gone).unwrap();
    let [plain, contested] = [(); 2].map(|()| engine.spawn(()));
    let target = engine.spawn((Target,));
    let dying = engine.spawn((Target,));
    engine.add(Marking::<1>(vec![contested])).unwrap();
    engine.add(Marking::<2>(vec![gone, plain, contested, target, dying, gone])).unwrap();
    engine.update(FRAME).unwrap();
    assert_eq!(engine.command_errors().len(), 4, "{:?}", engine.command_errors());
    let chains = |entity| engine.why(entity).to_string().lines().map(str::to_owned).collect::<Vec<_>>();
    let by = |entity, change: &str, n: u32| format!("entity {entity}: {change} (Marking<{n}>, frame 1)");
    assert_eq!(chains(plain), [by(plain, "insert", 2)]);
    assert_eq!(chains(contested), [by(contested, "insert", 1)], "the second insertion was refused");
    assert_eq!(chains(target), [by(target, "insert", 2), by(target, "remove", 2), by(target, "despawn", 2)]);
    assert_eq!(chains(dying), [by(dying, "insert", 2), by(dying, "remove", 2), by(dying, "despawn", 2)]);
    assert!(chains(gone)[0].contains("no command changed it"));
}

#[test]
fn old_frames_are_forgotten_and_shorten_chains() {
    let mut engine = engine(2, 1);
    let target = engine.spawn((Target,));
    engine.send(KeyPressed);
    engine.update(FRAME).unwrap();
    assert_eq!(engine.why(target).chains.len(), 1);
    engine.update(FRAME).unwrap();
    assert_eq!(engine.why(target).chains.len(), 1);
    engine.update(FRAME).unwrap();
    assert_eq!(engine.why(target).to_string(), format!("entity {target}: no command changed it in the last 2 frames"));
    assert_eq!(engine.why_event::<Killed>().to_string(), "Killed: no such event was sent in the last 2 frames");
}

#[test]
fn engine_without_tracing_says_how_to_enable_it() {
    let mut engine = engine(0, 1);
    let target = engine.spawn((Target,));
    assert_eq!(
        engine.why(target).to_string(),
        format!("entity {target}: causes are not traced; build the engine with Engine::builder().trace_causes(…)")
    );
    assert!(engine.why_event::<Killed>().to_string().starts_with("Killed: causes are not traced"));
}

/// Logs all events that it receives, and disables and enables itself.
#[derive(Default)]
struct Log(Vec<String>);

impl System for Log {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(|own: &mut Self, _: &KeyPressed| own.0.push("key".to_owned()))
            .listen(|own: &mut Self, hit: &Collision| own.0.push(format!("collision {}", hit.0)))
            .listen(|own: &mut Self, killed: &Killed, mut subscriptions: ecs::Subscriptions| {
                own.0.push(format!("killed {}", killed.0));
                if own.0.len().is_multiple_of(3) {
                    subscriptions.unsubscribe::<Self, Killed>();
                }
            })
            .listen(|own: &mut Self, spawned: &Spawned, mut subscriptions: ecs::Subscriptions| {
                own.0.push(format!("spawned {}", spawned.entity));
                subscriptions.subscribe::<Self, Killed>();
            })
            .listen(|own: &mut Self, gone: &Despawned| own.0.push(format!("gone {}", gone.entity)));
    }
}

#[test]
fn tracing_does_not_change_the_run() {
    let run = |frames: usize| {
        let mut engine = engine(frames, 1);
        engine.add(Log::default()).unwrap();
        for frame in 0..20 {
            (0..frame % 3).for_each(|_| engine.send(KeyPressed));
            engine.update(FRAME).unwrap();
        }
        (engine.system::<Log>().unwrap().0.clone(), engine.events().iter().collect::<Vec<_>>())
    };
    let (plain, counters) = run(0);
    assert!(plain.len() > 100, "{plain:?}");
    assert_eq!(run(5), (plain, counters));
}

#[test]
fn restored_snapshot_has_no_causes() {
    let mut engine = engine(10, 1);
    let types = engine.types_mut();
    types.component_by("target", |_: &Target2, _| {}).unwrap();
    let empty = engine.snapshot().unwrap();
    engine.send(KeyPressed);
    engine.update(FRAME).unwrap();
    let born = engine.entities().iter().next().unwrap();
    assert_eq!(engine.why(born).chains.len(), 1);
    engine.restore(&empty).unwrap();
    assert_eq!(engine.why(born).chains.len(), 0);
    engine.send(KeyPressed);
    engine.update(FRAME).unwrap();
    assert_eq!(engine.why(born).to_string(), format!("entity {born}: KeyPressed (frame 1) → spawn (Nursery, frame 1)"));
}

#[derive(Clone)]
struct Target2;

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn random_worlds_run_equally_with_and_without_tracing(
        seed in any::<u32>(),
        script in any::<u32>(),
        threads in 1_usize..3,
        frames in 1_u32..15,
    ) {
        let dumps = |traced_frames| {
            let seed = seed.into();
            let settings = world::Settings { seed, threads, functions_own_values: true, traced_frames };
            let mut engine = world::empty(settings);
            let dumps = world::run(&mut engine, frames, world::Dice(script.into()));
            // The causes of entities that were spawned by command in the last frames are known.
            let known = engine.entities().iter().filter(|entity| !engine.why(*entity).chains.is_empty()).count();
            (dumps, engine.state_hash().unwrap(), known)
        };
        let (plain, hash, none) = dumps(0);
        let (traced, traced_hash, _) = dumps(4);
        prop_assert_eq!(none, 0);
        prop_assert_eq!(traced, plain);
        prop_assert_eq!(traced_hash, hash);
    }
}

#[test]
fn memory_report_counts_traced_causes_until_they_are_forgotten() {
    let after_frames = |frames: usize| {
        let mut engine = engine(frames, 1);
        engine.spawn((Target,));
        (0..100).for_each(|_| engine.send(KeyPressed));
        engine.update(FRAME).unwrap();
        let traced = engine.memory().other_bytes_held;
        (0..4).for_each(|_| engine.update(FRAME).unwrap());
        engine.shrink();
        (traced, engine.memory().other_bytes_held)
    };
    let ((traced, shrunk), (untraced, shrunk_untraced)) = (after_frames(2), after_frames(0));
    assert!(traced > untraced + 100 * size_of::<&str>(), "{traced} bytes, {untraced} without causes");
    assert!(shrunk < shrunk_untraced + 1_000, "{shrunk} bytes, {shrunk_untraced} without causes");
}
