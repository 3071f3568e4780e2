//! A warm steady frame allocates nothing.

use std::time::Duration;

use ecs::{
    Added, Changed, Commands, Despawned, Disabled, Engine, EntityId, IncludeDisabled, Query, Removed, Res, ResMut,
    Sender, Setup, Spawned, Spawner, StepClock, Subscriptions, System, Time, With, Without, World,
    event::{Despawning, EntityEvent},
    prelude::{Condition, Configure, Local},
    state_machine::{State, StateMachine},
    system::condition::{any_with, in_state, not},
    system::{CatchUp, CurrentState, NextState},
};

use super::{FRAME, touches_after};

/// Heap operations in 50 calls of `frame`, after 10 calls.
fn touches(mut frame: impl FnMut()) -> u64 {
    touches_after(10, |_| frame())
}

#[derive(Clone, Copy)]
struct Ping(u32);
#[derive(Clone, Copy)]
struct Pong(#[allow(dead_code)] [u64; 9]);
#[derive(Clone, Copy)]
struct Signal;

/// Sends bursts of varying length, none longer than the first ones, and answers them.
#[derive(Default)]
struct Chatter {
    received: u64,
}

impl System for Chatter {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::send).listen(Self::on_ping).listen(Self::on_pong).listen(Self::on_signal);
    }
}

impl Chatter {
    fn send(&mut self, time: Time, mut pings: Sender<Ping>, mut pongs: Sender<Pong>, mut signals: Sender<Signal>) {
        let burst = if time.frame() < 5 { 5_000 } else { 1_000 + time.frame() as u32 * 37 % 3_000 };
        for n in 0..burst {
            pings.send(Ping(n));
            if n % 3 == 0 {
                pongs.send(Pong([0; 9]));
                signals.send(Signal);
            }
        }
    }

    fn on_ping(&mut self, ping: &Ping, mut pongs: Sender<Pong>) {
        if ping.0.is_multiple_of(2) {
            pongs.send(Pong([1; 9]));
        }
    }

    fn on_pong(&mut self, _: &Pong) {
        self.received += 1;
    }

    fn on_signal(&mut self, _: &Signal, mut subscriptions: Subscriptions) {
        subscriptions.unsubscribe::<Self, Ping>();
        subscriptions.subscribe::<Self, Ping>();
    }
}

/// Owns data that is shared, so that making one allocates nothing.
struct Said(#[allow(dead_code)] std::sync::Arc<str>);

#[test]
fn events_that_own_data_and_their_readers_allocate_nothing() {
    let mut engine = Engine::new();
    let text: std::sync::Arc<str> = "hello".into();
    let own = text.clone();
    engine
        .add(move |time: Time, mut said: Sender<Said>, mut pings: Sender<Ping>| {
            // No burst is longer than the first ones.
            for n in 0..if time.frame() < 5 { 500 } else { time.frame() as u32 % 400 } {
                said.send(Said(own.clone()));
                if n % 7 == 0 {
                    pings.send(Ping(n));
                }
            }
        })
        .unwrap();
    engine.listen(|_: &Said| {}).unwrap();
    let (mut said, mut pings) = (engine.reader::<Said>().unwrap(), engine.reader::<Ping>().unwrap());
    let mut frame = 0;
    let touched = touches(|| {
        engine.update(FRAME).unwrap();
        frame += 1;
        // Two frames between two looks.
        if frame % 2 == 0 {
            assert_eq!(said.drain().count() > 0, pings.drain().count() > 0);
        }
    });
    assert_eq!(touched, 0);
}

#[test]
fn bursts_of_events_allocate_nothing() {
    let mut engine = Engine::new();
    engine.add(Chatter::default()).unwrap();
    let touched = touches(|| {
        (0..100).for_each(|n| engine.send(Ping(n)));
        engine.update(FRAME).unwrap();
    });
    assert_eq!(touched, 0);
    assert!(engine.system::<Chatter>().unwrap().received > 10_000);
}

#[derive(Clone, Copy)]
struct Body(f32);
#[derive(Clone, Copy)]
struct Bounty(#[allow(dead_code)] u32);
struct Marked;
struct Shade(#[allow(dead_code)] u32);

/// Spawns, despawns, inserts, removes and toggles in every frame, and listens to the events of it.
#[derive(Default)]
struct Nature {
    born: u64,
    died: u64,
    removed: u64,
}

impl System for Nature {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .pre_update(Self::despawn)
            .update(Self::spawn)
            .post_update(Self::change)
            .listen(Self::on_spawned)
            .listen(Self::on_despawned)
            .listen(Self::on_added)
            .listen(Self::on_removed)
            .listen(Self::on_disabled);
    }
}

/// Inserts and removes in bulk, beside another system that inserts.
struct Clouds;

impl System for Clouds {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::pass).post_update(Self::clear);
    }
}

impl Clouds {
    fn pass(&mut self, bodies: Query<EntityId, (With<Body>, IncludeDisabled)>, mut commands: Commands) {
        commands.insert_many(bodies.iter().step_by(2).map(|body| (body, (Shade(1),))));
    }

    fn clear(&mut self, shaded: Query<(EntityId, &Shade)>, mut commands: Commands, mut cleared: ResMut<[u32; 2]>) {
        commands.remove_many::<Shade>(shaded.iter().step_by(2).map(|(entity, _)| entity));
        cleared[1] += shaded.iter().count() as u32;
    }
}

impl Nature {
    fn despawn(&mut self, bodies: Query<EntityId, (With<Body>, IncludeDisabled)>, mut commands: Commands) {
        bodies.iter().step_by(3).for_each(|body| commands.despawn(body));
        commands.despawn_many(bodies.iter().skip(1).step_by(3));
    }

    fn spawn(&mut self, mut spawner: Spawner, mut commands: Commands, sizes: Res<[u32; 2]>) {
        for n in 0..sizes[0] {
            let entity = spawner.spawn((Body(1.0), Bounty(n)));
            commands.insert(entity, (Marked,));
            commands.spawn((Body(2.0),));
        }
        commands.spawn_many((0..sizes[0]).map(|n| (Body(3.0), Bounty(n))));
    }

    fn change(&mut self, bodies: Query<(EntityId, &Body, Option<&Marked>)>, mut commands: Commands) {
        for (entity, body, marked) in &bodies {
            match (marked.is_some(), body.0 > 1.5) {
                (true, _) => commands.remove::<Marked>(entity),
                (false, true) => commands.disable(entity),
                (false, false) => commands.disable_component::<Bounty>(entity),
            }
        }
    }

    fn on_spawned(&mut self, _: &Spawned) {
        self.born += 1;
    }

    fn on_despawned(&mut self, _: &Despawned) {
        self.died += 1;
    }

    fn on_added(&mut self, added: &Added<Marked>, mut commands: Commands) {
        commands.disable_component::<Marked>(added.entity);
    }

    fn on_removed(&mut self, _: &Removed<Bounty>) {
        self.removed += 1;
    }

    fn on_disabled(&mut self, disabled: &Disabled, mut commands: Commands) {
        commands.enable(disabled.entity);
    }
}

#[test]
fn structural_changes_allocate_nothing() {
    let mut engine = Engine::new();
    engine.insert_resource([300_u32, 0]);
    engine.add(Nature::default()).unwrap().add(Clouds).unwrap();
    (0..5).for_each(|_| engine.update(FRAME).unwrap());
    engine.resource_mut::<[u32; 2]>().unwrap()[0] = 100;
    let mut frame = 0;
    let touched = touches(|| {
        frame += 1;
        engine.resource_mut::<[u32; 2]>().unwrap()[0] = 50 + frame * 7 % 50;
        engine.update(FRAME).unwrap();
    });
    assert_eq!(touched, 0);
    let nature = engine.system::<Nature>().unwrap();
    assert!(engine.resource::<[u32; 2]>().unwrap()[1] > 1_000);
    assert!(nature.born > 6_000 && nature.died > 6_000 && nature.removed > 2_000);
}

/// Queries of every kind, resources, an exclusive method, and commands that fail.
struct Reader(EntityId);

impl System for Reader {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::read).update_exclusive(Self::whole).every(FRAME * 2);
    }
}

impl Reader {
    fn read(
        &mut self,
        all: Query<EntityId>,
        bare: Query<EntityId, Without<Body>>,
        mut bodies: Query<&mut Body, IncludeDisabled>,
        mut sum: ResMut<f32>,
        mut commands: Commands,
    ) {
        bodies.slices_mut().flatten().for_each(|body| body.0 += 1.0);
        *sum = (all.count() + bare.count() + bodies.iter().count()) as f32;
        commands.despawn(self.0);
        commands.disable_system::<Self>();
        commands.enable_system::<Self>();
    }

    fn whole(&mut self, world: &mut World) {
        *world.resource_mut::<f32>().unwrap() += world.query::<(EntityId, &mut Body)>().count() as f32;
        world.send(Signal);
    }
}

#[test]
fn reading_and_failing_commands_allocate_nothing() {
    let mut engine = Engine::new();
    engine.insert_resource(0.0_f32);
    let gone = engine.spawn(());
    engine.despawn(gone).unwrap();
    for n in 0..100 {
        engine.spawn((Body(n as f32),));
    }
    engine.spawn((Marked,));
    engine.add(Reader(gone)).unwrap();
    assert_eq!(touches(|| engine.update(FRAME).unwrap()), 0);
    assert_eq!(engine.resource::<f32>().as_deref(), Some(&302.0));
    assert_eq!(engine.command_errors().len(), 1);
}

#[test]
fn conflicting_inserts_of_several_systems_allocate_nothing() {
    let mut engine = Engine::new();
    (0..1_000).for_each(|_| _ = engine.spawn((Body(1.0),)));
    for start in [0, 1] {
        let deal = move |time: Time, bodies: Query<(EntityId, Option<&Bounty>), With<Body>>, mut commands: Commands| {
            // Each system inserts into its half, and in every fourth frame both insert into the first half.
            let first = if time.frame().is_multiple_of(4) { 0 } else { start };
            for (body, bounty) in bodies.iter().skip(first).step_by(2) {
                match bounty {
                    None => commands.insert(body, (Bounty(7),)),
                    Some(_) => commands.remove::<Bounty>(body),
                }
            }
        };
        engine.every(Duration::ZERO, deal).unwrap();
    }
    let mut conflicts = 0;
    let touched = touches(|| {
        engine.update(FRAME).unwrap();
        conflicts += engine.command_errors().len();
    });
    assert_eq!(touched, 0);
    assert!(conflicts > 5_000, "{conflicts}");
}

struct Late<const N: usize>;

#[test]
fn timed_functions_and_catching_up_allocate_nothing() {
    let mut engine = Engine::new();
    engine.insert_resource(0_u64);
    let step = |mut sum: ResMut<u64>, mut signals: Sender<Signal>, mut commands: Commands| {
        *sum += 1;
        signals.send(Signal);
        commands.spawn((Marked,));
    };
    engine.add(step.every(FRAME / 3).catch_up(CatchUp::EachInterval)).unwrap();
    engine
        .every(FRAME * 2, |marked: Query<EntityId, With<Marked>>, mut commands: Commands| {
            commands.despawn_many(marked.iter());
        })
        .unwrap();
    assert_eq!(touches(|| engine.update(FRAME).unwrap()), 0);
    assert_eq!(engine.resource::<u64>().as_deref(), Some(&180));
}

/// More than 64 component types, so masks need heap memory.
struct Renewal;

impl System for Renewal {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::renew);
    }
}

impl Renewal {
    fn renew(&mut self, all: Query<EntityId, With<Late<79>>>, mut commands: Commands, mut spawner: Spawner) {
        all.iter().for_each(|entity| commands.despawn(entity));
        for _ in 0..20 {
            spawner.spawn((Late::<79>, Late::<3>));
            commands.spawn((Late::<78>, Late::<79>));
        }
    }
}

#[test]
fn structural_changes_with_many_component_types_allocate_nothing() {
    fn register<const N: usize>(engine: &mut Engine) {
        engine.spawn((Late::<N>,));
    }
    macro_rules! register_all {
        ($engine:ident; $($n:literal)*) => { $(register::<$n>(&mut $engine);)* };
    }
    let mut engine = Engine::new();
    register_all!(engine; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39);
    register_all!(engine; 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78);
    engine.add(Renewal).unwrap();
    assert_eq!(touches(|| engine.update(FRAME).unwrap()), 0);
    assert_eq!(engine.query::<&Late<79>>().count(), 40);
}

#[cfg(feature = "prefabs")]
#[test]
fn spawning_prefabs_of_plain_values_allocates_nothing() {
    use ecs::prefab::{Prefab, Prefabs};

    #[derive(Clone, serde::Deserialize)]
    struct Spark {
        left: u8,
    }

    struct Place;

    /// Spawns sparks in every frame and despawns them after three.
    struct Sparks;

    impl System for Sparks {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(Self::fly);
        }
    }

    impl Sparks {
        fn fly(&mut self, mut sparks: Query<(EntityId, &mut Spark)>, mut commands: Commands) {
            commands.spawn_prefab("spark");
            commands.spawn_prefab(Prefab::named("long spark").with((Place,)));
            for (entity, spark) in &mut sparks {
                match spark.left.checked_sub(1) {
                    Some(left) => spark.left = left,
                    None => commands.despawn(entity),
                }
            }
        }
    }

    let mut prefabs = Prefabs::default();
    let text = r#"{ "spark": (components: { "spark": (left: 3) }), "long spark": (like: "spark") }"#;
    prefabs.register::<Spark>("spark").unwrap().load("sparks.ron", text).unwrap();
    let mut engine = Engine::new();
    engine.insert_resource(prefabs);
    engine.add(Sparks).unwrap();
    assert_eq!(touches(|| engine.update(FRAME).unwrap()), 0);
    assert!(engine.command_errors().is_empty());
    assert_eq!(engine.entities().len(), 8);
}

/// Writes tracked components in every way, and spawns and despawns.
struct Tracked {
    seen: usize,
}

impl System for Tracked {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::write).post_update(Self::look).listen(Self::on_ping);
    }
}

impl Tracked {
    fn write(&mut self, mut all: Query<(EntityId, &mut Pong)>, mut pings: Sender<Ping>, mut commands: Commands) {
        all.iter_mut().for_each(|(_, pong)| pong.0[0] += 1);
        let (first, pong) = all.iter_mut().next().expect("there are entities");
        pong.0[1] += 1;
        pings.send(Ping(1));
        commands.despawn(first);
        commands.spawn((Pong([0; 9]),));
    }

    fn look(&mut self, mut added: Query<ecs::query::Mut<Pong>, Added<Pong>>, changed: Query<EntityId, Changed<Pong>>) {
        added.iter_mut().for_each(|mut pong| pong.0[2] += 1);
        self.seen += changed.count();
    }

    fn on_ping(&mut self, _: &Ping, changed: Query<&Pong, Changed<Pong>>) {
        self.seen += changed.count();
    }
}

#[test]
fn change_detection_allocates_nothing() {
    let mut engine = Engine::new();
    engine.spawn_many((0..1_000).map(|_| (Pong([0; 9]),)));
    engine.add(Tracked { seen: 0 }).unwrap();
    assert_eq!(touches(|| engine.update(FRAME).unwrap()), 0);
    assert!(engine.system::<Tracked>().unwrap().seen > 100_000);
}

#[derive(Clone, Copy)]
struct Bell(EntityId);

impl EntityEvent for Bell {
    fn entity(&self) -> EntityId {
        self.0
    }
}

#[test]
fn listening_functions_and_announcements_allocate_nothing() {
    let mut engine = Engine::new();
    let tower = engine.spawn((1_u64,));
    engine
        .every(
            Duration::ZERO,
            move |all: Query<EntityId, With<u32>>, mut bells: Sender<Bell>, mut commands: Commands| {
                (0..100).for_each(|_| bells.send(Bell(tower)));
                commands.despawn_many(&all);
                (0..20_u32).for_each(|n| commands.spawn((n,)));
            },
        )
        .unwrap();
    engine.listen(|_: &Bell, mut counts: Query<&mut u64>| counts.single_mut().map_or((), |count| *count += 1)).unwrap();
    engine.observe(tower, |_: &Bell, mut pings: Sender<Ping>| pings.send(Ping(1))).unwrap();
    engine.listen_filtered::<With<u32>, _, _>(|_: &Despawning, mut pings: Sender<Ping>| pings.send(Ping(2))).unwrap();
    assert_eq!(touches(|| engine.update(FRAME).unwrap()), 0);
    assert!(*engine.get::<u64>(tower).unwrap() > 5_000);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weather {
    Calm,
    Storm,
}

impl State for Weather {
    const TRANSITIONS: &'static [(Self, Self)] = &[(Self::Calm, Self::Storm), (Self::Storm, Self::Calm)];
}

/// A set with a condition.
struct Sailing;

/// Changes the weather in every frame.
struct Sailor {
    steps: u32,
    storms: u32,
}

impl System for Sailor {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .in_set::<Sailing>()
            .run_if(not(any_with::<Pong>))
            .on_enter(Weather::Storm, |sailor: &mut Self| sailor.storms += 1)
            .update(|sailor: &mut Self| sailor.steps += 1);
    }
}

#[test]
fn conditions_steps_and_transitions_allocate_nothing() {
    let mut engine = Engine::new();
    engine.add_state_machine(StateMachine::new(Weather::Calm)).unwrap();
    engine.configure_set::<Sailing>(|set| set.run_if(|time: Time| time.frame() > 1)).unwrap();
    engine.add(Sailor { steps: 0, storms: 0 }).unwrap();
    let change = |mut next: ResMut<NextState<Weather>>, current: Res<CurrentState<Weather>>| {
        next.change(if current.current() == Weather::Calm { Weather::Storm } else { Weather::Calm });
    };
    fn is_odd(mut calls: Local<u32>) -> bool {
        *calls += 1;
        *calls % 2 == 1
    }
    fn note(mut noted: Local<[u32; 4]>, mut signals: Sender<Signal>) {
        noted[0] += 1;
        signals.send(Signal);
    }
    fn hear(_: &Signal, mut heard: Local<u32>) {
        *heard += 1;
    }
    engine.add(change.run_if(not(in_state(Weather::Storm)))).unwrap();
    engine.add(change.run_if(in_state(Weather::Storm))).unwrap();
    engine.add((note, hear, note.run_if(is_odd.or(not(any_with::<Pong>))), hear).chain()).unwrap();
    engine.add((note, note).chain().on_enter(Weather::Storm)).unwrap();
    let draw = |time: Time, pongs: Query<&Pong>, mut drawn: ResMut<f32>| {
        *drawn += time.overstep_fraction() + pongs.count() as f32;
    };
    engine.insert_resource(0.0_f32);
    engine.presentation().add(draw.run_if(not(in_state(Weather::Storm)))).unwrap();
    let mut clock = StepClock::new(FRAME / 3);
    assert_eq!(touches(|| _ = engine.advance(&mut clock, FRAME, |_| {}).unwrap()), 0);
    let sailor = engine.system::<Sailor>().unwrap();
    assert!(sailor.steps >= 150 && sailor.storms >= 25, "{} steps, {} storms", sailor.steps, sailor.storms);
}

#[test]
fn components_that_need_others_allocate_nothing() {
    struct Hot;
    struct Heat(#[allow(dead_code)] u32);
    let mut engine = Engine::new();
    engine.require::<Hot, _>(|| Heat(1)).unwrap();
    let entity = engine.spawn((1_u8,));
    let touched = touches(|| {
        engine.insert(entity, (Hot,)).unwrap();
        engine.remove::<Hot>(entity).unwrap();
        engine.remove::<Heat>(entity).unwrap();
        let born = engine.spawn((Hot, 2_u8));
        engine.despawn(born).unwrap();
    });
    assert_eq!(touched, 0);
}

/// A log of warnings, which a usual frame has not.
struct Warnings;

impl tracing::Subscriber for Warnings {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        *metadata.level() <= tracing::Level::WARN
    }

    fn max_level_hint(&self) -> Option<tracing::level_filters::LevelFilter> {
        Some(tracing::level_filters::LevelFilter::WARN)
    }

    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        panic!("no span is as important as a warning")
    }

    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn enter(&self, _: &tracing::span::Id) {}
    fn exit(&self, _: &tracing::span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        panic!("a usual frame warns of nothing, but: {event:?}")
    }
}

#[test]
fn changes_below_the_level_of_the_log_allocate_nothing() {
    let touched = tracing::subscriber::with_default(Warnings, || {
        let mut engine = Engine::new();
        engine.add(Chatter::default()).unwrap();
        let entity = engine.spawn((1_u8,));
        touches(|| {
            engine.insert(entity, (2_u16,)).unwrap();
            engine.remove::<u16>(entity).unwrap();
            engine.disable(entity).unwrap();
            engine.enable(entity).unwrap();
            let born = engine.spawn((1_u8,));
            engine.despawn(born).unwrap();
            engine.update(FRAME).unwrap();
        })
    });
    assert_eq!(touched, 0);
}
