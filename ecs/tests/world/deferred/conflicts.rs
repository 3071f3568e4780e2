//! Two systems that insert the same component into the same entity in one frame.

use std::sync::Arc;
use std::time::Duration;

use ecs::{CommandFailure, Commands, Engine, EntityId, Setup, Spawned, Spawner, System};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Colour(&'static str);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Weight(u32);

/// A zero-sized component.
struct Wet;

/// Runs the given closure in update.
struct Painter<const N: usize>(Box<dyn FnMut(Commands) + Send + Sync>);

impl<const N: usize> Painter<N> {
    fn new(paint: impl FnMut(Commands) + Send + Sync + 'static) -> Self {
        Self(Box::new(paint))
    }
}

impl<const N: usize> System for Painter<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::paint);
    }
}

impl<const N: usize> Painter<N> {
    fn paint(&mut self, commands: Commands) {
        (self.0)(commands);
    }
}

/// An engine with one entity and two painters, after one frame.
fn after_both(
    mut first: impl FnMut(EntityId, Commands) + Send + Sync + 'static,
    mut second: impl FnMut(EntityId, Commands) + Send + Sync + 'static,
) -> (Engine, EntityId) {
    let mut engine = Engine::new();
    let wall = engine.spawn(());
    engine.add(Painter::<1>::new(move |commands| first(wall, commands))).unwrap();
    engine.add(Painter::<2>::new(move |commands| second(wall, commands))).unwrap();
    frame(&mut engine);
    (engine, wall)
}

fn frame(engine: &mut Engine) {
    engine.update(Duration::ZERO).expect("the systems fit");
}

fn errors(engine: &Engine) -> Vec<String> {
    engine.command_errors().iter().map(ToString::to_string).collect()
}

#[test]
fn second_insert_fails_with_the_names_of_both_systems() {
    let (engine, wall) = after_both(
        |wall, mut commands| commands.insert(wall, (Colour("red"),)),
        |wall, mut commands| commands.insert(wall, (Weight(3), Colour("blue"))),
    );
    assert_eq!(
        errors(&engine),
        [
            "Painter<2> asked to insert: Painter<1> inserted Colour into entity 1v1 in the same frame: let one of the two do \
          it, or let them do it in different frames"
        ]
    );
    let error = &engine.command_errors()[0];
    assert_eq!((error.system, error.command), ("Painter<2>", "insert"));
    assert_eq!(error.failure, CommandFailure::Conflict { entity: wall, component: "Colour", other: "Painter<1>" });
    assert_eq!(engine.get::<Colour>(wall), Some(&Colour("red")), "the first insert wins");
    assert!(!engine.has::<Weight>(wall), "nothing of the second bundle was inserted");
}

#[test]
fn refused_bundle_is_dropped_and_causes_no_later_conflict() {
    let token = Arc::new(());
    let held = Arc::clone(&token);
    let mut engine = Engine::new();
    let wall = engine.spawn(());
    engine.add(Painter::<1>::new(move |mut commands| commands.insert(wall, (Colour("red"),)))).unwrap();
    engine
        .add(Painter::<2>::new(move |mut commands| {
            commands.insert(wall, (Weight(2), Colour("blue"), Arc::clone(&held)));
        }))
        .unwrap();
    engine.add(Painter::<3>::new(move |mut commands| commands.insert(wall, (Weight(3),)))).unwrap();
    frame(&mut engine);
    assert_eq!(errors(&engine).len(), 1);
    assert_eq!(engine.get::<Weight>(wall), Some(&Weight(3)), "a refused bundle causes no conflict");
    drop(engine);
    assert_eq!(Arc::strong_count(&token), 1);
}

#[test]
fn last_of_two_inserts_by_one_system_wins() {
    let (engine, wall) = after_both(
        |wall, mut commands| {
            commands.insert(wall, (Colour("red"),));
            commands.insert(wall, (Colour("pink"), Weight(1)));
        },
        |wall, mut commands| commands.enable(wall),
    );
    assert_eq!(errors(&engine), [""; 0]);
    assert_eq!(engine.get::<Colour>(wall), Some(&Colour("pink")));
}

#[test]
fn zero_sized_components_never_conflict() {
    let wet = |wall, mut commands: Commands| commands.insert(wall, (Wet,));
    let (engine, wall) = after_both(wet, wet);
    assert_eq!(errors(&engine), [""; 0]);
    assert!(engine.has::<Wet>(wall));
}

#[test]
fn inserts_of_other_components_or_entities_do_not_conflict() {
    let mut engine = Engine::new();
    let (wall, door) = (engine.spawn(()), engine.spawn(()));
    engine
        .add(Painter::<1>::new(move |mut commands| {
            commands.insert(wall, (Colour("red"),));
            commands.insert(door, (Weight(1),));
        }))
        .unwrap();
    engine
        .add(Painter::<2>::new(move |mut commands| {
            commands.insert(door, (Colour("blue"),));
            commands.insert(wall, (Weight(2),));
        }))
        .unwrap();
    frame(&mut engine);
    assert_eq!(errors(&engine), [""; 0]);
    assert_eq!(engine.get::<Colour>(door), Some(&Colour("blue")));
    assert_eq!(engine.get::<Weight>(wall), Some(&Weight(2)));
}

#[test]
fn removal_between_two_inserts_does_not_resolve_the_conflict() {
    let (engine, wall) = after_both(
        |wall, mut commands| {
            commands.insert(wall, (Colour("red"),));
            commands.remove::<Colour>(wall);
        },
        |wall, mut commands| commands.insert(wall, (Colour("blue"),)),
    );
    assert_eq!(errors(&engine).len(), 1);
    assert!(!engine.has::<Colour>(wall));
}

#[test]
fn inserts_in_two_frames_do_not_conflict() {
    let mut engine = Engine::new();
    let wall = engine.spawn(());
    let every_other = move |colour: &'static str, mut is_my_turn: bool| {
        move |mut commands: Commands| {
            if is_my_turn {
                commands.insert(wall, (Colour(colour),));
            }
            // A second source of commands, so conflicts are tracked.
            commands.enable(wall);
            is_my_turn = !is_my_turn;
        }
    };
    engine.add(Painter::<1>::new(every_other("red", true))).unwrap();
    engine.add(Painter::<2>::new(every_other("blue", false))).unwrap();
    for colour in ["red", "blue", "red", "blue"] {
        frame(&mut engine);
        assert_eq!(errors(&engine), [""; 0]);
        assert_eq!(engine.get::<Colour>(wall), Some(&Colour(colour)));
    }
}

#[test]
fn reused_index_does_not_conflict_with_the_despawned_entity() {
    let mut engine = Engine::new();
    let wall = engine.spawn(());
    engine
        .add(Painter::<1>::new(move |mut commands| {
            commands.insert(wall, (Colour("red"),));
            commands.despawn(wall);
            commands.spawn(());
        }))
        .unwrap();
    // The new entity reuses the index of the despawned one, so this is its id.
    let successor = EntityId::from_bits(wall.bits() + (2 << 32));
    engine.add(Painter::<2>::new(move |mut commands| commands.insert(successor, (Colour("blue"),)))).unwrap();
    frame(&mut engine);
    assert_eq!(errors(&engine), [""; 0]);
    assert_eq!(engine.get::<Colour>(successor), Some(&Colour("blue")));
}

/// Inserts a weight into each spawned entity.
struct Echo<const N: usize>;

impl<const N: usize> System for Echo<N> {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_spawned);
    }
}

impl<const N: usize> Echo<N> {
    fn on_spawned(&mut self, event: &Spawned, mut commands: Commands) {
        commands.insert(event.entity, (Weight(N as u32),));
    }
}

#[test]
fn listeners_conflict_within_one_application_of_commands() {
    let mut engine = Engine::new();
    engine.add(Echo::<1>).unwrap().add(Echo::<2>).unwrap();
    engine.order().unwrap();
    let wall = engine.spawn(());
    frame(&mut engine);
    assert_eq!(errors(&engine).len(), 1);
    assert_eq!(engine.get::<Weight>(wall), Some(&Weight(1)));
    // The painter inserts in the first application of the frame, the listeners in the second, so only the latter
    // conflict.
    engine.add(Painter::<3>::new(|mut commands| commands.spawn((Weight(7),)))).unwrap();
    frame(&mut engine);
    assert_eq!(errors(&engine).len(), 1);
    assert!(engine.query::<&Weight>().iter().all(|weight| *weight == Weight(1)), "the first listener replaces the 7");
}

#[test]
fn components_of_a_spawn_can_be_replaced_in_the_same_frame() {
    struct Builder(EntityId);
    impl System for Builder {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(Self::build);
        }
    }
    impl Builder {
        fn build(&mut self, mut spawner: Spawner) {
            assert_eq!(spawner.spawn((Colour("grey"),)), self.0);
        }
    }
    let mut engine = Engine::new();
    let wall = engine.spawn(());
    let next = EntityId::from_bits(wall.bits() + 1);
    engine.add(Builder(next)).unwrap();
    engine.add(Painter::<1>::new(move |mut commands| commands.insert(next, (Colour("red"),)))).unwrap();
    frame(&mut engine);
    assert_eq!(errors(&engine), [""; 0]);
    assert_eq!(engine.get::<Colour>(next), Some(&Colour("red")));
}

#[test]
fn timed_functions_conflict_and_engine_run_does_not() {
    let mut engine = Engine::new();
    let wall = engine.spawn(());
    let paint = move |colour| move |mut commands: Commands| commands.insert(wall, (Colour(colour),));
    engine.every(Duration::ZERO, paint("red")).unwrap();
    engine.every(Duration::ZERO, paint("blue")).unwrap();
    frame(&mut engine);
    assert_eq!(errors(&engine).len(), 1);
    engine.run(paint("green")).unwrap();
    engine.run(paint("white")).unwrap();
    assert_eq!(engine.get::<Colour>(wall), Some(&Colour("white")), "each run is applied at once");
}
