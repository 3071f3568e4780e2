//! Two systems that insert the same component into the same entity in one frame.

use std::sync::Arc;
use std::time::Duration;

use ecs::{CommandFailure, Commands, Engine, EntityId, Setup, Spawned, Spawner, System};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Colour(&'static str);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Weight(u32);

/// A component without a value.
struct Wet;

/// Asks for whatever it is told, in update.
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

/// An engine with one entity and two painters of it, after a frame.
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
fn second_system_is_refused_and_the_error_names_both_the_component_and_the_entity() {
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
    assert_eq!(engine.get::<Colour>(wall), Some(&Colour("red")), "the first one stays");
    assert!(!engine.has::<Weight>(wall), "nothing of the second bundle was inserted");
}

#[test]
fn refused_bundle_is_dropped_and_claims_nothing() {
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
    assert_eq!(engine.get::<Weight>(wall), Some(&Weight(3)), "what was refused is in nobody's way");
    drop(engine);
    assert_eq!(Arc::strong_count(&token), 1);
}

#[test]
fn one_system_may_insert_again_and_the_last_one_stays() {
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
fn components_without_a_value_never_conflict() {
    let wet = |wall, mut commands: Commands| commands.insert(wall, (Wet,));
    let (engine, wall) = after_both(wet, wet);
    assert_eq!(errors(&engine), [""; 0]);
    assert!(engine.has::<Wet>(wall));
}

#[test]
fn other_components_and_other_entities_are_no_conflict() {
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
fn removing_in_between_does_not_settle_it() {
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
fn next_frame_is_another_matter() {
    let mut engine = Engine::new();
    let wall = engine.spawn(());
    let every_other = move |colour: &'static str, mut is_my_turn: bool| {
        move |mut commands: Commands| {
            if is_my_turn {
                commands.insert(wall, (Colour(colour),));
            }
            // Asks for something else, so that there are always two who do.
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
fn entity_that_took_the_place_of_another_is_another_one() {
    let mut engine = Engine::new();
    let wall = engine.spawn(());
    engine
        .add(Painter::<1>::new(move |mut commands| {
            commands.insert(wall, (Colour("red"),));
            commands.despawn(wall);
            commands.spawn(());
        }))
        .unwrap();
    // The newcomer gets the index of the one that is gone, so this is its id.
    let newcomer = EntityId::from_bits(wall.bits() + (2 << 32));
    engine.add(Painter::<2>::new(move |mut commands| commands.insert(newcomer, (Colour("blue"),)))).unwrap();
    frame(&mut engine);
    assert_eq!(errors(&engine), [""; 0]);
    assert_eq!(engine.get::<Colour>(newcomer), Some(&Colour("blue")));
}

/// Gives a weight to whoever is born.
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
fn listeners_conflict_as_systems_do_each_time_that_commands_are_applied() {
    let mut engine = Engine::new();
    engine.add(Echo::<1>).unwrap().add(Echo::<2>).unwrap();
    engine.order().unwrap();
    let wall = engine.spawn(());
    frame(&mut engine);
    assert_eq!(errors(&engine).len(), 1);
    assert_eq!(engine.get::<Weight>(wall), Some(&Weight(1)));
    // The painter inserts in the first application of the frame, the listeners in the second: only the latter conflict.
    engine.add(Painter::<3>::new(|mut commands| commands.spawn((Weight(7),)))).unwrap();
    frame(&mut engine);
    assert_eq!(errors(&engine).len(), 1);
    assert!(engine.query::<&Weight>().iter().all(|weight| *weight == Weight(1)), "the first listener replaces the 7");
}

#[test]
fn what_an_entity_is_spawned_with_can_be_replaced_in_the_same_frame() {
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
fn functions_conflict_as_systems_do_and_a_run_by_hand_does_not() {
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
