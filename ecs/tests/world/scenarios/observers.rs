//! Plain functions that listen: to all events, to those of one entity, and to those of entities that match a filter.

use std::time::Duration;

use ecs::event::EntityEvent;
use ecs::prelude::*;
use ecs::{CommandFailure, Error, NoSuchEntity};

#[derive(Clone, Copy)]
pub(super) struct Hit {
    pub(super) target: EntityId,
    pub(super) damage: u32,
}

impl EntityEvent for Hit {
    fn entity(&self) -> EntityId {
        self.target
    }
}

/// What listeners heard, in order.
#[derive(Clone, Default)]
pub(super) struct Heard(Vec<String>);

impl Heard {
    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.0.push(text.into());
    }
}

pub(super) struct Player;

pub(super) fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.insert_resource(Heard::default());
    engine
}

pub(super) fn frame(engine: &mut Engine) {
    engine.update(Duration::from_millis(10)).unwrap();
}

/// What was heard since the last call.
pub(super) fn heard(engine: &mut Engine) -> Vec<String> {
    std::mem::take(&mut engine.resource_mut::<Heard>().unwrap().0)
}

pub(super) fn note_damage(hit: &Hit, mut heard: ResMut<Heard>) {
    heard.note(hit.damage.to_string());
}

#[test]
fn listening_function_gets_each_event_once_until_it_is_cancelled() {
    let mut engine = engine();
    let target = engine.spawn(());
    engine.send(Hit { target, damage: 1 });
    let id = engine.listen(note_damage).unwrap();
    engine.send(Hit { target, damage: 2 });
    frame(&mut engine);
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["1", "2"], "also events that waited when it was added");
    engine.disable_function(id).unwrap();
    engine.send(Hit { target, damage: 3 });
    frame(&mut engine);
    engine.enable_function(id).unwrap();
    engine.send(Hit { target, damage: 4 });
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["4"]);
    engine.send(Hit { target, damage: 5 });
    assert!(engine.cancel(id) && !engine.cancel(id));
    frame(&mut engine);
    assert!(heard(&mut engine).is_empty() && engine.systems().is_empty());
}

struct Armour;

impl System for Armour {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|_: &mut Self, _: &Hit, mut heard: ResMut<Heard>| heard.note("armour"));
    }
}

#[test]
fn listening_functions_are_ordered_as_systems_are() {
    let mut engine = engine();
    let low = |_: &Hit, mut heard: ResMut<Heard>| heard.note("low");
    let high = |_: &Hit, mut heard: ResMut<Heard>| heard.note("high");
    let first = |_: &Hit, mut heard: ResMut<Heard>| heard.note("before armour");
    engine.add(low.priority(Priority::LOW)).unwrap();
    engine.add(high.priority(Priority::HIGH).after_type::<Armour>()).unwrap();
    engine.add(Armour).unwrap();
    engine.add(first.before_type::<Armour>()).unwrap();
    engine.listen(|_: &Hit, mut heard: ResMut<Heard>| heard.note("normal")).unwrap();
    let target = engine.spawn(());
    engine.send(Hit { target, damage: 1 });
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["before armour", "armour", "high", "normal", "low"]);
}

#[test]
fn observer_hears_of_its_entity_only_and_goes_with_it() {
    let mut engine = engine();
    let (left, right) = (engine.spawn(()), engine.spawn(()));
    for (entity, name) in [(left, "left"), (right, "right")] {
        engine
            .observe(entity, move |hit: &Hit, mut heard: ResMut<Heard>| {
                heard.note(format!("{name} {}", hit.damage));
            })
            .unwrap();
    }
    engine.observe(left, |_: &Despawned, mut heard: ResMut<Heard>| heard.note("left is gone")).unwrap();
    engine.send(Hit { target: right, damage: 1 });
    engine.send(Hit { target: left, damage: 2 });
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["right 1", "left 2"], "event by event");
    engine.despawn(left).unwrap();
    assert_eq!(engine.systems().len(), 3, "its events wait");
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["left is gone"]);
    assert_eq!(engine.systems().len(), 1);
    let reborn = engine.spawn(());
    assert_ne!(reborn, left);
    engine.send(Hit { target: reborn, damage: 3 });
    engine.send(Hit { target: left, damage: 4 });
    frame(&mut engine);
    assert!(heard(&mut engine).is_empty());
    let gone = Error::NoSuchEntity(NoSuchEntity { entity: left });
    assert_eq!(engine.observe(left, note_damage).unwrap_err(), gone);
}

#[test]
fn event_reaches_the_observers_of_its_entity_after_the_listeners_to_all() {
    for threads in [1, 2, 4] {
        let mut engine = Engine::builder().threads(threads).build();
        engine.insert_resource(Heard::default());
        let entities: Vec<EntityId> = (0..3_000).map(|_| engine.spawn(())).collect();
        for (n, entity) in entities.iter().enumerate() {
            engine
                .observe(*entity, move |hit: &Hit, mut heard: ResMut<Heard>| heard.note(format!("{n} {}", hit.damage)))
                .unwrap();
        }
        engine.listen(note_damage).unwrap();
        let again = |hit: &Hit, mut heard: ResMut<Heard>| heard.note(format!("again {}", hit.damage));
        engine.observe(entities[7], again).unwrap();
        for (target, damage) in [(7, 1), (2_999, 2), (7, 3)] {
            engine.send(Hit { target: entities[target], damage });
        }
        frame(&mut engine);
        let expected = ["1", "2", "3", "7 1", "again 1", "2999 2", "7 3", "again 3"];
        assert_eq!(heard(&mut engine), expected, "{threads} threads");
        let id = engine.observe(entities[9], note_damage).unwrap();
        entities.iter().step_by(2).for_each(|entity| engine.despawn(*entity).unwrap());
        frame(&mut engine);
        assert_eq!(engine.systems().len(), 1_503);
        assert!(engine.cancel(id));
        engine.send(Hit { target: entities[8], damage: 4 });
        engine.send(Hit { target: entities[9], damage: 5 });
        frame(&mut engine);
        assert_eq!(heard(&mut engine), ["4", "5", "9 5"]);
        assert_eq!(engine.systems().len(), 1_502);
    }
}

#[test]
fn observers_hear_of_components_and_switches() {
    let mut engine = engine();
    let (entity, other) = (engine.spawn(()), engine.spawn(()));
    engine.observe(entity, |_: &Added<u8>, mut heard: ResMut<Heard>| heard.note("added")).unwrap();
    engine
        .observe(entity, |event: &Removed<u8>, mut heard: ResMut<Heard>| {
            heard.note(format!("removed {}", event.value.unwrap()))
        })
        .unwrap();
    engine.observe(entity, |_: &Disabled, mut heard: ResMut<Heard>| heard.note("disabled")).unwrap();
    engine.observe(entity, |_: &Enabled, mut heard: ResMut<Heard>| heard.note("enabled")).unwrap();
    for entity in [entity, other] {
        engine.insert(entity, (7_u8,)).unwrap();
        engine.disable(entity).unwrap();
        engine.enable(entity).unwrap();
        engine.remove::<u8>(entity).unwrap();
    }
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["added", "disabled", "enabled", "removed 7"]);
    engine.insert(entity, (8_u8,)).unwrap();
    engine.despawn(entity).unwrap();
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["added", "removed 8"]);
}

#[test]
fn lifecycle_events_are_no_longer_sent_when_the_last_listener_is_gone() {
    let mut engine = engine();
    let id = engine.listen(|_: &Spawned, mut heard: ResMut<Heard>| heard.note("spawned")).unwrap();
    engine.spawn(());
    assert_eq!(engine.events().waiting(), 1);
    engine.cancel(id);
    engine.spawn(());
    assert_eq!(engine.events().waiting(), 1);
}

#[test]
fn filter_is_checked_when_the_event_is_delivered() {
    let mut engine = engine();
    engine.listen_filtered::<With<Player>, _, _>(note_damage).unwrap();
    engine
        .listen_filtered::<(Without<Player>, Without<u8>), _, _>(|_: &Hit, mut heard: ResMut<Heard>| {
            heard.note("neither")
        })
        .unwrap();
    let (player, wolf) = (engine.spawn((Player,)), engine.spawn(()));
    engine.send(Hit { target: player, damage: 1 });
    engine.send(Hit { target: wolf, damage: 2 });
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["1", "neither"]);
    engine.send(Hit { target: wolf, damage: 3 });
    engine.insert(wolf, (Player,)).unwrap();
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["3"]);
    engine.disable(wolf).unwrap();
    engine.send(Hit { target: wolf, damage: 4 });
    engine.despawn(player).unwrap();
    engine.send(Hit { target: player, damage: 5 });
    frame(&mut engine);
    assert!(heard(&mut engine).is_empty(), "neither a disabled entity nor one that is gone matches");
}

/// A system with a listener for hits of players and one for all hits. It counts the former.
#[derive(Default)]
struct Nurse(Vec<u32>);

impl Nurse {
    fn on_hit(&mut self, hit: &Hit, mut heard: ResMut<Heard>) -> Result<(), String> {
        self.0.push(hit.damage);
        heard.note(format!("nurse {}", hit.damage));
        if hit.damage < 9 { Ok(()) } else { Err("too much".into()) }
    }
}

impl System for Nurse {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen_filtered::<With<Player>, _>(Self::on_hit);
        setup.listen(|_: &mut Self, hit: &Hit, mut heard: ResMut<Heard>| heard.note(format!("all {}", hit.damage)));
    }
}

#[test]
fn listener_of_a_system_is_called_for_what_matches_its_filter() {
    let mut engine = engine();
    engine.add(Nurse::default()).unwrap();
    let (player, wolf) = (engine.spawn((Player,)), engine.spawn(()));
    for (target, damage) in [(player, 1), (wolf, 2)] {
        engine.send(Hit { target, damage });
    }
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["nurse 1", "all 1", "all 2"]);
    engine.disable(player).unwrap();
    engine.send(Hit { target: player, damage: 3 });
    frame(&mut engine);
    assert_eq!((heard(&mut engine), &engine.system::<Nurse>().unwrap().0), (vec!["all 3".to_owned()], &vec![1]));
    // Its errors name the method.
    engine.enable(player).unwrap();
    engine.send(Hit { target: player, damage: 9 });
    frame(&mut engine);
    let errors: Vec<String> = engine.system_errors().iter().map(ToString::to_string).collect();
    assert!(errors.len() == 1 && errors[0].contains("too much"), "{errors:?}");
}

#[test]
fn wrong_listeners_are_refused_in_words() {
    let mut engine = engine();
    let twice = |_: &Hit, _: Query<&mut u8>, _: Query<&u8>| {};
    let refused = engine.listen(twice).unwrap_err().to_string();
    assert!(refused.starts_with("function ") && refused.contains("cannot be called"), "{refused}");
    engine.listen(|_: &Hit, _: Res<u16>| {}).unwrap();
    let missing = engine.update(Duration::ZERO).unwrap_err().to_string();
    assert!(missing.contains("needs the resource u16"), "{missing}");
}

/// Spawns a guard in its first frame, and lets commands of functions loose in the second.
#[derive(Clone, Default)]
struct Camp {
    guard: Option<EntityId>,
}

impl System for Camp {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::live).listen(Self::on_hit);
    }
}

impl Camp {
    fn live(&mut self, mut spawner: Spawner, mut commands: Commands) {
        if self.guard.is_none() {
            let guard = spawner.spawn(());
            self.guard = Some(guard);
            commands.observe(guard, |hit: &Hit, mut commands: Commands, mut heard: ResMut<Heard>| {
                heard.note("guard was hit");
                commands.despawn(hit.target);
            });
            commands.listen(note_damage);
            commands.after(Duration::from_millis(15), |mut heard: ResMut<Heard>| heard.note("later"));
            commands.every(Duration::from_millis(20), |mut heard: ResMut<Heard>| heard.note("again"));
        }
    }

    fn on_hit(&mut self, hit: &Hit, mut commands: Commands) {
        let damage = hit.damage;
        commands.spawn((1_u8,));
        commands.run(
            move |ones: Query<&u8>, mut heard: ResMut<Heard>, mut spawned: Commands, mut hits: Sender<Echo>| {
                heard.note(format!("{} before {damage}", ones.count()));
                spawned.spawn((1_u8,));
                hits.send(Echo);
            },
        );
        commands.spawn((1_u8,));
    }
}

#[derive(Clone, Copy)]
struct Echo;

#[test]
fn functions_by_command_take_part_from_the_next_frame_on() {
    let mut engine = engine();
    engine.add(Camp::default()).unwrap();
    frame(&mut engine);
    assert!(engine.command_errors().is_empty(), "{:?}", engine.command_errors());
    let guard = engine.system::<Camp>().unwrap().guard.unwrap();
    engine.send(Hit { target: guard, damage: 6 });
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["6", "guard was hit", "1 before 6"]);
    assert!(!engine.contains(guard));
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["later", "again"]);
    assert_eq!(engine.systems().len(), 3, "the system, a listener and a repeated function");
}

#[test]
fn run_takes_its_place_among_the_commands_and_its_own_come_last() {
    let mut engine = engine();
    engine.add(Camp::default()).unwrap();
    engine
        .listen(|_: &Echo, ones: Query<&u8>, mut heard: ResMut<Heard>| heard.note(format!("echo, {}", ones.count())))
        .unwrap();
    let target = engine.spawn(());
    for damage in 1..=2 {
        engine.send(Hit { target, damage });
    }
    frame(&mut engine);
    // Each hit asks for one spawn, the function, and one spawn more. The spawns of the functions come after their
    // echoes.
    assert_eq!(heard(&mut engine), ["1 before 1", "3 before 2", "echo, 4", "echo, 4"]);
    assert_eq!(engine.query::<&u8>().count(), 6);
}

#[test]
fn functions_of_commands_end_themselves() {
    let mut engine = engine();
    let entity = engine.spawn(());
    engine
        .run(move |mut commands: Commands| {
            commands.listen(|hit: &Hit, mut heard: ResMut<Heard>, mut commands: Commands| {
                heard.note(format!("listener {}", hit.damage));
                commands.cancel_self();
            });
            commands.observe(entity, |hit: &Hit, mut heard: ResMut<Heard>, mut commands: Commands| {
                heard.note(format!("observer {}", hit.damage));
                if hit.damage == 2 {
                    commands.cancel_self();
                }
            });
            commands.every(Duration::ZERO, |time: ecs::Time, mut heard: ResMut<Heard>, mut commands: Commands| {
                heard.note("every");
                if time.frame() == 2 {
                    commands.cancel_self();
                    commands.cancel_self();
                }
            });
        })
        .unwrap();
    for damage in 1..=4 {
        engine.send(Hit { target: entity, damage });
        frame(&mut engine);
        assert!(engine.command_errors().is_empty());
    }
    assert_eq!(heard(&mut engine), ["listener 1", "observer 1", "every", "observer 2", "every"]);
    assert!(engine.systems().is_empty());
    let refused = engine.run(|mut commands: Commands| commands.cancel_self());
    assert!(refused.is_err(), "it runs once anyway");
}

#[test]
fn system_that_cancels_itself_is_removed() {
    struct Fuse;
    impl System for Fuse {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(|_: &mut Self, mut heard: ResMut<Heard>, mut commands: Commands| {
                heard.note("fuse");
                commands.cancel_self();
            });
        }
    }
    let mut engine = engine();
    engine.add(Fuse).unwrap();
    frame(&mut engine);
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["fuse"]);
    assert!(engine.systems().is_empty());
}

/// Its drop panics while it is armed.
#[derive(Clone)]
struct Grenade(std::sync::Arc<std::sync::atomic::AtomicBool>);

impl Drop for Grenade {
    fn drop(&mut self) {
        assert!(!self.0.load(std::sync::atomic::Ordering::Relaxed), "the grenade goes off");
    }
}

#[test]
fn observers_whose_values_panic_in_drop_are_removed_after_their_own_event() {
    for threads in [1, 2] {
        let mut engine = Engine::builder().threads(threads).build();
        engine.insert_resource(Heard::default());
        let is_armed = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let guard = engine.spawn(());
        for name in ["first", "second"] {
            let grenade = Grenade(is_armed.clone());
            let observer = move |hit: &Hit, mut commands: Commands, mut heard: ResMut<Heard>| {
                let _ = &grenade;
                heard.note(format!("{name} {}", hit.damage));
                commands.despawn(hit.target);
            };
            engine.observe(guard, observer).unwrap();
        }
        engine.listen(note_damage).unwrap();
        engine.observe(guard, |_: &Despawned, mut heard: ResMut<Heard>| heard.note("gone")).unwrap();
        engine.send(Hit { target: guard, damage: 4 });
        is_armed.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(crate::panics(|| engine.update(Duration::ZERO)), "the values are dropped");
        is_armed.store(false, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(heard(&mut engine), ["4", "first 4", "second 4", "gone"]);
        assert!(!engine.contains(guard));
        assert_eq!(engine.systems().len(), 1, "all observers are removed, also those behind the panic");
        engine.send(Hit { target: guard, damage: 5 });
        frame(&mut engine);
        assert_eq!(heard(&mut engine), ["5"]);
    }
}

#[test]
fn functions_by_command_fail_in_words() {
    let mut engine = engine();
    let gone = engine.spawn(());
    engine.despawn(gone).unwrap();
    engine
        .after(Duration::ZERO, move |mut commands: Commands| {
            commands.run(|_: Res<u16>| {});
            commands.run(|_: Query<&mut u8>, _: Query<&u8>| {});
            commands.observe(gone, note_damage);
        })
        .unwrap();
    frame(&mut engine);
    let errors: Vec<_> =
        engine.command_errors().iter().map(|error| (error.command, error.failure.to_string())).collect();
    assert_eq!((errors[0].0, errors[1].0, errors[2].0), ("run a function", "run a function", "observe"));
    assert!(errors[0].1.contains("needs the resource u16"), "{}", errors[0].1);
    assert!(errors[1].1.contains("cannot be called"), "{}", errors[1].1);
    assert_eq!(engine.command_errors()[2].failure, CommandFailure::NoSuchEntity(NoSuchEntity { entity: gone }));
}

#[test]
fn engine_run_applies_calls_at_once() {
    let mut engine = engine();
    let target = engine.spawn(());
    engine
        .run(move |mut commands: Commands, mut hits: Sender<Hit>| {
            commands.observe(target, note_damage);
            commands.run(|mut hits: Sender<Echo>, mut commands: Commands| {
                hits.send(Echo);
                commands.spawn((3_u8,));
            });
            hits.send(Hit { target, damage: 9 });
        })
        .unwrap();
    assert_eq!((engine.query::<&u8>().count(), engine.events().waiting(), engine.systems().len()), (1, 2, 1));
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["9"]);
    assert!(engine.run(|mut commands: Commands| commands.run(|_: Res<u16>| {})).is_err());
}

#[test]
fn event_that_panics_in_one_listener_reaches_the_others_once() {
    let mut engine = engine();
    let target = engine.spawn(());
    engine
        .observe(target, |hit: &Hit, mut heard: ResMut<Heard>| {
            heard.note(format!("first {}", hit.damage));
            assert_ne!(hit.damage, 1, "as wanted");
        })
        .unwrap();
    engine.observe(target, |hit: &Hit, mut heard: ResMut<Heard>| heard.note(format!("second {}", hit.damage))).unwrap();
    for damage in 0..3 {
        engine.send(Hit { target, damage });
    }
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| engine.update(Duration::ZERO))).unwrap_err();
    frame(&mut engine);
    assert_eq!(heard(&mut engine), ["first 0", "second 0", "first 1", "second 1", "second 2", "first 2"]);
}

/// Spawns sentries, observes them, hits and despawns them, by a random sequence of its own.
#[derive(Clone)]
struct Siege {
    random: u64,
    log: Vec<u64>,
}

impl System for Siege {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::attack).listen(Self::on_report).types(|types| {
            types.system_by::<Self>("siege", |siege, hash| _ = hash.add(&siege.random).add(&siege.log))?;
            types.component::<Sentry>("sentry")?.event::<Report>("report")?.event_by::<Hit>("hit", |hit, hash| {
                hash.add(&hit.target).add(&hit.damage);
            })
        });
    }
}

#[derive(Clone)]
struct Sentry(u32);

impl ecs::snapshot::StableHash for Sentry {
    fn stable_hash(&self, hash: &mut ecs::snapshot::StateHasher) {
        hash.add(&self.0);
    }
}

#[derive(Clone, Copy)]
struct Report(u64);

impl ecs::snapshot::StableHash for Report {
    fn stable_hash(&self, hash: &mut ecs::snapshot::StateHasher) {
        hash.add(&self.0);
    }
}

impl Siege {
    fn next(&mut self, below: u64) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) % below
    }

    fn attack(
        &mut self,
        sentries: Query<(EntityId, &Sentry)>,
        mut spawner: Spawner,
        mut commands: Commands,
        mut hits: Sender<Hit>,
    ) {
        for _ in 0..self.next(3) {
            let sentry = spawner.spawn((Sentry(0),));
            let number = self.next(1000);
            // It counts by itself what it has seen: snapshots copy that, too.
            let mut seen = 0;
            commands.observe(
                sentry,
                move |hit: &Hit, mut sentries: Query<&mut Sentry>, mut reports: Sender<Report>| {
                    seen += 1;
                    sentries.get_mut(hit.target).unwrap().0 += hit.damage;
                    reports.send(Report(number * 1000 + seen));
                },
            );
            commands.observe(sentry, move |_: &Despawned, mut commands: Commands, mut reports: Sender<Report>| {
                reports.send(Report(number));
                commands.run(|sentries: Query<&Sentry>, mut reports: Sender<Report>| {
                    reports.send(Report(sentries.count() as u64))
                });
            });
        }
        for (entity, _) in &sentries {
            match self.next(8) {
                0 => commands.despawn(entity),
                1..4 => hits.send(Hit { target: entity, damage: 1 }),
                _ => {}
            }
        }
    }

    fn on_report(&mut self, report: &Report) {
        self.log.push(report.0);
    }
}

fn siege(threads: usize) -> Engine {
    let mut engine = Engine::builder().threads(threads).parallel_threshold(0).build();
    engine.add(Siege { random: 7, log: Vec::new() }).unwrap();
    engine
}

#[test]
fn run_with_observers_is_the_same_at_any_number_of_threads_and_after_restoring() {
    let mut engine = siege(1);
    let mut hashes = Vec::new();
    let mut snapshots = Vec::new();
    for _ in 0..60 {
        snapshots.push(engine.snapshot().unwrap());
        frame(&mut engine);
        assert!(engine.command_errors().is_empty(), "{:?}", engine.command_errors());
        hashes.push(engine.state_hash().unwrap());
    }
    assert!(engine.system::<Siege>().unwrap().log.len() > 100 && engine.systems().len() > 5);
    for threads in [2, 4] {
        let mut other = siege(threads);
        for hash in &hashes {
            frame(&mut other);
            assert_eq!(other.state_hash().unwrap(), *hash, "{threads} threads");
        }
    }
    // Observers that are gone come back, and later ones go, in this engine and in one that never had them.
    for from in [50, 11, 40, 0, 59] {
        for engine in [&mut engine, &mut siege(2)] {
            engine.restore(&snapshots[from]).unwrap();
            for hash in &hashes[from..] {
                frame(engine);
                assert_eq!(engine.state_hash().unwrap(), *hash, "from {from}");
            }
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn saves_contain_functions_without_captures_and_refuse_the_others() {
    let set_up = || {
        let mut engine = engine();
        engine.types_mut().leave_out_resource::<Heard>();
        engine.listen(note_damage).unwrap();
        engine
    };
    let mut engine = set_up();
    let target = engine.spawn(());
    let mut bytes = Vec::new();
    engine.save(&mut bytes).unwrap();
    let mut loaded = set_up();
    loaded.load(&mut &*bytes).unwrap();
    loaded.send(Hit { target, damage: 5 });
    frame(&mut loaded);
    assert_eq!(heard(&mut loaded), ["5"]);
    let unknown = Engine::new().load(&mut &*bytes).unwrap_err().to_string();
    assert!(unknown.contains("note_damage"), "{unknown}");
    let id = engine.observe(target, note_damage).unwrap();
    let refused = engine.save(&mut Vec::new()).unwrap_err().to_string();
    assert!(refused.contains("observer note_damage of entity 1v1 cannot be saved"), "{refused}");
    engine.cancel(id);
    let captured = 3;
    engine.listen(move |_: &Hit, mut heard: ResMut<Heard>| heard.note(captured.to_string())).unwrap();
    let refused = engine.save(&mut Vec::new()).unwrap_err().to_string();
    assert!(refused.contains("captures values"), "{refused}");
}
