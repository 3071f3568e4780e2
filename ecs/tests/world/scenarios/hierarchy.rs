//! Parents and children at run time.

use std::time::Duration;

use ecs::hierarchy::{ChildOf, Children, Hierarchy, Parent};
use ecs::relation::{Related, Unrelated};
use ecs::{
    Added, CommandFailure, Commands, Despawned, Engine, EntityId, Error, IncludeDisabled, Query, Removed, Res, ResMut,
    Setup, Spawned, Spawner, System, Without, query::MaskQuery,
};

use super::log::{Log, engine, frame, index};
use crate::panics;

/// A chain of entities, each the child of the one before.
fn chain(engine: &mut Engine, count: usize) -> Vec<EntityId> {
    let all: Vec<EntityId> = (0..count).map(|_| engine.spawn(())).collect();
    all.windows(2).for_each(|pair| engine.set_parent(pair[1], pair[0]).unwrap());
    all
}

/// Logs what happens to entities; numbers are their indices.
struct Listener;

impl System for Listener {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|_: &mut Self, event: &Spawned, mut log: ResMut<Log>| {
            log.note(format!("+{}", index(event.entity)))
        });
        setup.listen(|_: &mut Self, event: &Despawned, mut log: ResMut<Log>| {
            log.note(format!("-{}", index(event.entity)))
        });
        setup.listen(|_: &mut Self, event: &Removed<u8>, mut log: ResMut<Log>| {
            log.note(format!("u8={}", event.value.unwrap()))
        });
        setup.listen(|_: &mut Self, event: &Added<ChildOf>, mut log: ResMut<Log>| {
            log.note(format!("child:{}", index(event.entity)));
        });
        setup.listen(|_: &mut Self, event: &Added<Children>, mut log: ResMut<Log>| {
            log.note(format!("parent:{}", index(event.entity)));
        });
        setup.listen(|_: &mut Self, event: &Related<Parent>, mut log: ResMut<Log>| {
            log.note(format!("{}->{}", index(event.source), index(event.target)));
        });
        setup.listen(|_: &mut Self, event: &Unrelated<Parent>, mut log: ResMut<Log>| {
            log.note(format!("{}x{}", index(event.source), index(event.target)));
        });
    }
}

#[test]
fn children_are_attached_moved_and_detached_in_order() {
    let mut engine = Engine::new();
    let [tank, jeep, turret, hatch, flag] = [(); 5].map(|()| engine.spawn(()));
    for child in [turret, hatch, flag] {
        engine.set_parent(child, tank).unwrap();
    }
    assert_eq!(engine.children(tank), [turret, hatch, flag]);
    assert_eq!(engine.parent(hatch), Some(tank));
    engine.set_parent(turret, tank).unwrap();
    assert_eq!(engine.children(tank), [turret, hatch, flag], "it is there already and keeps its place");
    engine.set_parent(hatch, jeep).unwrap();
    assert_eq!((engine.children(tank), engine.children(jeep)), (&[turret, flag][..], &[hatch][..]));
    engine.remove_parent(flag).unwrap();
    engine.set_parent(flag, tank).unwrap();
    engine.remove_parent(turret).unwrap();
    assert_eq!((engine.children(tank), engine.parent(turret)), (&[flag][..], None));
    engine.remove_parent(flag).unwrap();
    assert!(!engine.has::<Children>(tank) && !engine.has::<ChildOf>(flag));
    assert!(matches!(
        engine.remove_parent(flag),
        Err(CommandFailure::NoSuchComponent { component: "ChildOf", entity }) if entity == flag
    ));
}

#[test]
fn cycles_and_entities_that_are_gone_are_refused() {
    let mut engine = Engine::new();
    let all = chain(&mut engine, 4);
    let message = |result: Result<(), CommandFailure>| result.unwrap_err().to_string();
    assert_eq!(message(engine.set_parent(all[1], all[1])), "entity 2v1 cannot be its own parent");
    assert_eq!(
        message(engine.set_parent(all[0], all[3])),
        "entity 4v1 cannot be the parent of 1v1, because it is a descendant of 1v1: move it elsewhere first"
    );
    engine.despawn(all[3]).unwrap();
    assert!(matches!(engine.set_parent(all[0], all[3]), Err(CommandFailure::NoSuchEntity(_))));
    assert!(matches!(engine.set_parent(all[3], all[0]), Err(CommandFailure::NoSuchEntity(_))));
    assert!(engine.spawn_child(all[3], (1_u8,)).is_err());
    assert_eq!(engine.query::<&u8>().count(), 0);
    assert!(engine.ancestors(all[2]).eq([all[1], all[0]]), "nothing changed");
}

#[test]
fn parents_that_are_set_as_a_relation_make_no_cycle() {
    let mut engine = Engine::new();
    let all = chain(&mut engine, 3);
    let cycle = engine.relate(all[0], all[2], Parent::default());
    assert!(matches!(cycle, Err(CommandFailure::Cycle { child, parent }) if (child, parent) == (all[0], all[2])));
    assert!(engine.relate(all[1], all[1], Parent::default()).is_err());
    let (first, last) = (all[0], all[2]);
    assert!(engine.run(move |mut commands: Commands| commands.relate(first, last, Parent::default())).is_err());
    engine.relate(all[2], all[0], Parent::default()).unwrap();
    assert_eq!((engine.children(all[0]), engine.children(all[1]).len()), (&all[1..], 0));
}

#[test]
fn despawning_a_parent_announces_its_descendants_depth_first() {
    let mut engine = engine();
    engine.add(Listener).unwrap();
    let root = engine.spawn((1_u8,));
    let left = engine.spawn_child(root, (2_u8,)).unwrap();
    engine.spawn_child(root, (3_u8,)).unwrap();
    engine.spawn_child(left, (4_u8,)).unwrap();
    assert_eq!(frame(&mut engine), "+1 child:2 2->1 parent:1 +2 child:3 3->1 +3 child:4 4->2 parent:2 +4");
    engine.run(move |mut commands: Commands| commands.despawn(root)).unwrap();
    assert_eq!(frame(&mut engine), "u8=1 -1 2x1 u8=2 -2 4x2 u8=4 -4 3x1 u8=3 -3");
    assert!(engine.entities().is_empty());
}

#[test]
fn despawning_many_takes_descendants_along_once() {
    let mut engine = Engine::new();
    let trees: Vec<Vec<EntityId>> = (0..5).map(|_| chain(&mut engine, 4)).collect();
    let bystander = engine.spawn(());
    // Children before and after their parents in the list.
    let ids = [trees[0][2], trees[0][0], trees[1][0], trees[2][3]];
    engine.despawn_many(ids).unwrap();
    let left: Vec<EntityId> = engine.entities().iter().collect();
    let expected = [&trees[2][..3], &trees[3], &trees[4], &[bystander]].concat();
    assert_eq!(left, expected);
    assert!(!engine.has::<Children>(trees[2][2]));
}

#[test]
fn chains_of_any_depth_are_built_walked_and_despawned() {
    let mut engine = Engine::new();
    let all = chain(&mut engine, 200_000);
    assert!(engine.descendants(all[0]).eq(all[1..].iter().copied()));
    assert_eq!(engine.ancestors(all[199_999]).last(), Some(all[0]));
    assert!(matches!(engine.set_parent(all[0], all[199_999]), Err(CommandFailure::Cycle { .. })));
    engine.despawn(all[0]).unwrap();
    assert!(engine.entities().is_empty());
}

#[test]
fn removing_a_component_detaches_and_despawns_nothing() {
    let mut engine = Engine::new();
    let all = chain(&mut engine, 4);
    let other = engine.spawn_child(all[1], ()).unwrap();
    engine.remove::<Children>(all[1]).unwrap();
    assert_eq!((engine.parent(all[2]), engine.parent(other), engine.children(all[1]).len()), (None, None, 0));
    engine.remove::<ChildOf>(all[3]).unwrap();
    assert!(!engine.has::<Children>(all[2]));
    engine.remove_many::<ChildOf>([all[1], all[0]]).unwrap_err();
    assert!(!engine.has::<Children>(all[0]));
    assert_eq!(engine.entities().len(), 5);
}

#[test]
fn only_the_engine_writes_the_components() {
    struct Writer;
    impl System for Writer {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(|_: &mut Self, _: Query<&mut ChildOf>| {});
        }
    }
    let mut engine = Engine::new();
    let all = chain(&mut engine, 2);
    let error = engine.add(Writer).err().unwrap().to_string();
    assert_eq!(
        error,
        "a closure of system Writer cannot be called: ChildOf can only be read, since both ends of a link must agree: use \
         `set_parent` and `remove_parent`, or `relate` and `unrelate`; a query writes the data of links by `LinksMut`"
    );
    assert!(panics(|| engine.query::<&mut Children>().count()));
    assert!(panics(|| _ = engine.get_mut::<ChildOf>(all[1])));
    assert!(panics(|| _ = engine.pool_mut::<ChildOf>()));
    assert!(panics(|| _ = engine.get_many_mut::<ChildOf, 1>([all[1]])));
    assert!(matches!(engine.take::<ChildOf>(all[1]), Err(CommandFailure::OnlyRead { component: "ChildOf" })));
    engine.move_component::<Children>(all[0], all[1]).unwrap_err();
    assert!(panics(|| Engine::new().query::<Option<&mut ChildOf>>().count()), "before anything has a parent, too");
    // Everything that reads is allowed.
    let children: MaskQuery = engine.mask_of::<(ChildOf,)>().into();
    assert_eq!(engine.matching(&children), [all[1]]);
    assert_eq!(engine.query::<(&ChildOf, EntityId)>().single().unwrap().1, all[1]);
    assert_eq!(engine.inspect(all[1]).unwrap().to_string(), "2v1: ChildOf");
    engine.reserve::<(ChildOf, Children)>(10);
}

#[test]
fn disabled_entities_keep_their_place_and_do_not_disable_their_children() {
    let mut engine = Engine::new();
    let all = chain(&mut engine, 3);
    engine.disable(all[1]).unwrap();
    engine.disable_component::<ChildOf>(all[2]).unwrap();
    assert!(engine.descendants(all[0]).eq([all[1], all[2]]));
    assert_eq!(engine.query::<&ChildOf>().count(), 0);
    assert_eq!(engine.query_filtered::<&ChildOf, IncludeDisabled>().count(), 2);
    assert_eq!(engine.entities().is_enabled(all[2]), Some(true));
    // A program that wants it says so.
    let below: Vec<EntityId> = engine.descendants(all[0]).collect();
    below.into_iter().for_each(|entity| engine.disable(entity).unwrap());
    engine.despawn(all[0]).unwrap();
    assert!(engine.entities().is_empty());
}

/// Metres from the parent, or from the origin.
struct Offset(f32);
/// Metres from the origin.
#[derive(Debug, PartialEq)]
struct Place(f32);

fn follow(
    hierarchy: Hierarchy,
    roots: Query<EntityId, (ecs::With<Place>, Without<ChildOf>)>,
    mut places: Query<(&Offset, &mut Place)>,
) {
    for root in roots.iter() {
        for entity in std::iter::once(root).chain(hierarchy.descendants(root)) {
            let from = hierarchy.parent(entity).and_then(|parent| Some(places.get(parent)?.1.0)).unwrap_or(0.0);
            if let Some((offset, place)) = places.get_mut(entity) {
                place.0 = from + offset.0;
            }
        }
    }
}

#[test]
fn systems_walk_down_from_the_roots() {
    let mut engine = Engine::new();
    let tank = engine.spawn((Offset(100.0), Place(0.0)));
    let turret = engine.spawn_child(tank, (Offset(10.0), Place(0.0))).unwrap();
    let barrel = engine.spawn_child(turret, (Offset(1.0), Place(0.0))).unwrap();
    engine.run(follow).unwrap();
    assert_eq!(engine.get(barrel), Some(&Place(111.0)));
    engine.remove_parent(turret).unwrap();
    engine.run(follow).unwrap();
    assert_eq!(engine.get(barrel), Some(&Place(11.0)));
}

struct Family {
    root: EntityId,
}

/// Builds a family by commands: in one frame, in the order of recording.
fn build(family: Res<Family>, mut spawner: Spawner, mut commands: Commands) {
    let first = spawner.spawn_child(family.root, ("first",));
    spawner.spawn_child(first, ("grandchild",));
    commands.spawn_child(family.root, ("second",));
    let third = spawner.spawn(("third",));
    commands.set_parent(third, family.root);
    let gone = spawner.spawn(("gone",));
    commands.set_parent(gone, third);
    commands.remove_parent(gone);
    commands.set_parent(family.root, first);
}

#[test]
fn commands_build_hierarchies_at_any_number_of_threads() {
    let names = |threads| {
        let mut engine = Engine::builder().threads(threads).parallel_threshold(0).build();
        let root = engine.spawn(("root",));
        engine.insert_resource(Family { root });
        engine.after(Duration::ZERO, build).unwrap();
        engine.update(Duration::ZERO).unwrap();
        let errors: Vec<String> = engine.command_errors().iter().map(ToString::to_string).collect();
        assert!(errors[0].contains("cannot be the parent of"), "{errors:?}");
        engine.descendants(root).map(|entity| *engine.get::<&str>(entity).unwrap()).collect::<Vec<_>>()
    };
    for threads in [1, 2, 4] {
        assert_eq!(names(threads), ["first", "grandchild", "second", "third"]);
    }
}

#[test]
fn child_of_a_parent_that_is_gone_is_not_spawned() {
    let mut engine = engine();
    engine.add(Listener).unwrap();
    let parent = engine.spawn(());
    engine.despawn(parent).unwrap();
    frame(&mut engine);
    let child = engine.run(move |mut spawner: Spawner| spawner.spawn_child(parent, (1_u8,)));
    assert!(matches!(child, Err(Error::Command(_))));
    let many = engine.run(move |mut commands: Commands| commands.spawn_child(parent, (1_u8,)));
    assert!(matches!(many, Err(Error::Command(_))));
    assert_eq!((frame(&mut engine).as_str(), engine.entities().len()), ("", 0));
    assert_eq!(index(engine.spawn(())), index(parent), "ids that were reserved are free again");
}

#[test]
fn two_systems_that_set_the_parent_of_one_child_conflict() {
    struct Claims<const N: usize>;
    impl<const N: usize> System for Claims<N> {
        fn setup(setup: &mut Setup<Self>) {
            setup.update(|_: &mut Self, all: Res<Vec<EntityId>>, mut commands: Commands| {
                commands.set_parent(all[0], all[3]);
                commands.set_parent(all[0], all[N]);
            });
        }
    }
    let mut engine = Engine::new();
    let all: Vec<EntityId> = (0..4).map(|_| engine.spawn(())).collect();
    engine.insert_resource(all.clone());
    engine.add(Claims::<1>).unwrap().add(Claims::<2>).unwrap();
    engine.update(Duration::ZERO).unwrap();
    assert_eq!(engine.parent(all[0]), Some(all[1]));
    let failures: Vec<_> = engine.command_errors().iter().map(|error| &error.failure).collect();
    assert!(matches!(
        failures[..],
        [CommandFailure::Conflict { component: "ChildOf", .. }, CommandFailure::Conflict { .. }]
    ));
}

#[test]
fn all_descendants_are_despawned_even_if_components_panic() {
    struct Mine;
    impl Drop for Mine {
        fn drop(&mut self) {
            panic!("bang");
        }
    }
    let mut engine = Engine::new();
    let all = chain(&mut engine, 5);
    for entity in &all[1..4] {
        engine.insert(*entity, (Mine,)).unwrap();
    }
    assert!(panics(|| engine.despawn(all[0])));
    assert!(engine.entities().is_empty());
}
