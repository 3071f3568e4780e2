//! The announcement of entities that are about to go.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ecs::event::Despawning;
use ecs::prelude::*;
use ecs::{CommandFailure, Error};

struct Name(&'static str);

/// What listeners saw, in order.
#[derive(Default)]
struct Seen(Vec<String>);

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.insert_resource(Seen::default());
    engine
        .listen(|event: &Despawning, names: Query<&Name>, mut seen: ResMut<Seen>| {
            seen.0.push(format!("{} goes", names.get(event.entity).map_or("?", |name| name.0)));
        })
        .unwrap();
    engine
        .listen(|event: &Despawned, entities: Entities, mut seen: ResMut<Seen>| {
            assert!(!entities.contains(event.entity));
            seen.0.push("gone".to_owned());
        })
        .unwrap();
    engine
}

fn seen(engine: &mut Engine) -> Vec<String> {
    std::mem::take(&mut engine.resource_mut::<Seen>().unwrap().0)
}

fn run(engine: &mut Engine, function: impl FnOnce(Spawner, Commands) + Send + 'static) {
    engine.after(Duration::ZERO, |spawner: Spawner, commands: Commands| function(spawner, commands)).unwrap();
    engine.update(Duration::ZERO).unwrap();
}

#[test]
fn each_entity_that_goes_is_announced_once_while_it_is_whole() {
    let mut engine = engine();
    let (a, b, c) = (engine.spawn((Name("a"),)), engine.spawn((Name("b"),)), engine.spawn((Name("c"),)));
    let gone = engine.spawn(());
    engine.despawn(gone).unwrap();
    engine.update(Duration::ZERO).unwrap();
    assert_eq!(seen(&mut engine), ["gone"], "nothing is announced between frames");
    run(&mut engine, move |mut spawner, mut commands| {
        let short_lived = spawner.spawn((Name("short-lived"),));
        commands.remove::<Name>(b);
        commands.despawn(a);
        commands.despawn(a);
        commands.despawn(gone);
        commands.despawn_many([b, a, c, c]);
        commands.despawn(short_lived);
        commands.spawn((Name("new"),));
    });
    assert_eq!(seen(&mut engine), ["a goes", "? goes", "c goes", "short-lived goes", "gone", "gone", "gone", "gone"]);
    assert_eq!(engine.query::<&Name>().count(), 1);
    let counters = engine.events().counters::<Despawning>().unwrap();
    assert_eq!((counters.sent, counters.delivered), (4, 4));
}

#[test]
fn commands_of_its_listeners_find_the_entity_gone() {
    let mut engine = engine();
    let a = engine.spawn((Name("a"),));
    engine
        .observe(a, |event: &Despawning, mut commands: Commands| {
            commands.insert(event.entity, (1_u8,));
            commands.spawn((2_u8,));
        })
        .unwrap();
    run(&mut engine, move |_, mut commands| commands.despawn(a));
    assert_eq!(engine.query::<&u8>().iter().copied().collect::<Vec<_>>(), [2]);
    assert!(matches!(engine.command_errors(), [error] if matches!(error.failure, CommandFailure::NoSuchEntity(_))));
}

#[test]
fn panic_of_a_listener_does_not_keep_the_entity() {
    let mut engine = engine();
    let (a, b) = (engine.spawn((Name("a"),)), engine.spawn((Name("b"),)));
    let clumsy = engine.listen(|_: &Despawning| panic!("as wanted")).unwrap();
    engine.after(Duration::ZERO, move |mut commands: Commands| commands.despawn_many([a, b])).unwrap();
    let panic = catch_unwind(AssertUnwindSafe(|| engine.update(Duration::ZERO))).unwrap_err();
    let text = panic.downcast_ref::<String>().unwrap();
    assert!(text.contains("panicked in its listener for Despawning: as wanted"), "{text}");
    assert!(!engine.contains(a) && !engine.contains(b));
    engine.cancel(clumsy);
    engine.update(Duration::ZERO).unwrap();
    assert_eq!(seen(&mut engine), ["a goes", "b goes", "gone", "gone"]);
}

#[test]
fn endless_functions_by_command_are_an_error() {
    fn again(mut commands: Commands) {
        commands.run(again);
    }
    let mut engine = Engine::builder().dispatch_rounds(10).build();
    engine.after(Duration::ZERO, again).unwrap();
    let Err(Error::Cascade(endless)) = engine.update(Duration::ZERO) else { panic!("it must end") };
    assert_eq!((endless.cycle.as_slice(), endless.is_circle), (&["again"][..], true));

    let mut engine = Engine::builder().dispatch_rounds(10).build();
    engine
        .listen(|_: &Despawning, mut spawner: Spawner, mut commands: Commands| {
            let next = spawner.spawn(());
            commands.despawn(next);
        })
        .unwrap();
    let first = engine.spawn(());
    engine.after(Duration::ZERO, move |mut commands: Commands| commands.despawn(first)).unwrap();
    assert!(matches!(engine.update(Duration::ZERO), Err(Error::Cascade(_))));
}

#[test]
fn descendants_are_announced_too() {
    let mut engine = engine();
    let tree = engine.spawn((Name("tree"),));
    let branch = engine.spawn_child(tree, (Name("branch"),)).unwrap();
    engine.spawn_child(branch, (Name("leaf"),)).unwrap();
    engine.spawn_child(tree, (Name("fruit"),)).unwrap();
    run(&mut engine, move |_, mut commands| commands.despawn(tree));
    let announced = ["tree goes", "branch goes", "leaf goes", "fruit goes", "gone", "gone", "gone", "gone"];
    assert_eq!(seen(&mut engine), announced);
}
