//! Functions that run once for each entity that matches a query.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ecs::{
    CommandFailure, Commands, Engine, Entities, EntityId, Error, Query, Res, ResMut, Sender, Setup, Spawner, System,
    With, Without, query::MaskQuery, system::SetupError,
};

#[derive(Debug, PartialEq)]
struct Health(i32);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Loot(u32);

struct Monster;

struct Asleep;

#[derive(Clone, Copy)]
struct Hit(EntityId);

/// Logs the events that it receives.
#[derive(Default)]
struct Scribe(Vec<EntityId>);

impl System for Scribe {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|scribe: &mut Self, hit: &Hit| scribe.0.push(hit.0));
    }
}

/// An engine with three monsters and one other entity.
fn dungeon() -> (Engine, [EntityId; 3]) {
    let mut engine = Engine::new();
    engine.spawn((Health(100),));
    let monsters = [1, 2, 3].map(|n| engine.spawn((Monster, Health(n * 10), Loot(n as u32))));
    (engine, monsters)
}

fn monsters(engine: &mut Engine) -> MaskQuery {
    engine.mask_query::<EntityId, With<Monster>>()
}

fn frame(engine: &mut Engine) {
    engine.update(Duration::ZERO).expect("the systems fit");
}

#[test]
fn function_is_called_once_per_matching_entity_in_query_order() {
    let (mut engine, [first, second, third]) = dungeon();
    // The last monster takes the row of the removed one.
    engine.remove::<Monster>(first).unwrap();
    engine.insert(first, (Monster,)).unwrap();
    let query = monsters(&mut engine);
    let mut called = Vec::new();
    let count = engine.run_for_each(&query, |monster: EntityId| called.push(monster)).unwrap();
    assert_eq!((count, &*called), (3, &[third, second, first][..]));
    assert_eq!(called, engine.matching(&query));
}

#[test]
fn calls_take_system_parameters_and_see_earlier_writes() {
    let (mut engine, monsters_there) = dungeon();
    engine.insert_resource(5_i32);
    engine.insert_resource(Vec::<i32>::new());
    let query = monsters(&mut engine);
    let weaken = |monster: EntityId, mut healths: Query<&mut Health>, by: Res<i32>, mut seen: ResMut<Vec<i32>>| {
        healths.get_mut(monster).expect("it matched").0 -= *by;
        seen.push(healths.iter().map(|health| health.0).sum());
    };
    assert_eq!(engine.run_for_each(&query, weaken), Ok(3));
    assert_eq!(engine.resource::<Vec<i32>>().as_deref(), Some(&vec![155, 150, 145]));
    assert_eq!(engine.get::<Health>(monsters_there[0]), Some(&Health(5)));
}

#[test]
fn commands_are_applied_after_the_last_call_in_call_order() {
    let (mut engine, [first, second, third]) = dungeon();
    let query = monsters(&mut engine);
    let mut there = Vec::new();
    let slay = |monster: EntityId, all: Entities, loot: Query<&Loot>, mut commands: Commands| {
        commands.spawn((*loot.get(monster).expect("it has loot"),));
        commands.despawn(monster);
        there.push([first, second, third].map(|monster| all.contains(monster)));
    };
    assert_eq!(engine.run_for_each(&query, slay), Ok(3));
    assert_eq!(there, [[true; 3]; 3], "all entities stay until the last call");
    assert!(engine.matching(&query).is_empty());
    // The first command filled no free slot, so its entity has a new index; the others reuse indices.
    let first_spawned = EntityId::from_bits(third.bits() + 1);
    assert_eq!(engine.get::<Loot>(first_spawned), Some(&Loot(1)));
    assert_eq!(engine.query::<&Loot>().iter().map(|loot| loot.0).collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn entity_despawned_by_an_earlier_call_still_has_its_call_but_its_commands_fail() {
    let (mut engine, [first, second, third]) = dungeon();
    let query = monsters(&mut engine);
    let mut called = Vec::new();
    // Each call despawns the next monster and names its own.
    let duel = |monster: EntityId, mut commands: Commands| {
        called.push(monster);
        if monster == first {
            commands.despawn(second);
        }
        commands.insert(monster, ("called",));
    };
    let error = engine.run_for_each(&query, duel).unwrap_err();
    assert!(matches!(&error, Error::Command(CommandFailure::NoSuchEntity(gone)) if gone.entity == second), "{error}");
    assert_eq!(called, [first, second, third]);
    assert!(!engine.contains(second));
    assert!(engine.has::<&'static str>(first) && engine.has::<&'static str>(third), "the other commands were applied");
}

#[test]
fn entities_spawned_or_changed_by_calls_get_no_call() {
    let (mut engine, _) = dungeon();
    let query = monsters(&mut engine);
    let breed = |_: EntityId, mut commands: Commands, mut spawner: Spawner| {
        commands.spawn((Monster,));
        spawner.spawn((Monster,));
    };
    assert_eq!(engine.run_for_each(&query, breed), Ok(3));
    assert_eq!(engine.matching(&query).len(), 9);
}

#[test]
fn events_of_calls_are_delivered_in_the_next_frame_in_call_order() {
    let (mut engine, monsters_there) = dungeon();
    engine.add(Scribe::default()).unwrap();
    let query = monsters(&mut engine);
    let other = EntityId::default();
    engine.send(Hit(other));
    engine.run_for_each(&query, |monster: EntityId, mut hits: Sender<Hit>| hits.send(Hit(monster))).unwrap();
    engine.send(Hit(other));
    assert!(engine.system::<Scribe>().unwrap().0.is_empty());
    frame(&mut engine);
    let [first, second, third] = monsters_there;
    assert_eq!(engine.system::<Scribe>().unwrap().0, [other, first, second, third, other]);
}

#[test]
fn mask_query_decides_about_disabled_and_excluded_components() {
    let (mut engine, [first, second, _]) = dungeon();
    engine.disable(first).unwrap();
    engine.insert(second, (Asleep,)).unwrap();
    let all = monsters(&mut engine);
    let awake = engine.mask_query::<&Monster, Without<Asleep>>();
    let mut count = |query: &MaskQuery| engine.run_for_each(query, |_: EntityId| {}).unwrap();
    assert_eq!((count(&all), count(&awake), count(&all.clone().include_disabled())), (2, 1, 3));
    assert_eq!(count(&MaskQuery::default()), 3, "without required components, all enabled entities");
}

#[test]
fn mask_query_can_be_built_from_names_at_run_time() {
    let (mut engine, [first, ..]) = dungeon();
    let query = MaskQuery::new(engine.components().mask_by_names(["Monster", "Loot"]).unwrap());
    engine.remove::<Loot>(first).unwrap();
    assert_eq!(engine.run_for_each(&query, |_: EntityId| {}), Ok(2));
}

#[test]
fn functions_can_be_stored_in_a_table() {
    type Spell = fn(&mut Engine, EntityId) -> Result<usize, Error>;
    let mut spells: BTreeMap<u8, Spell> = BTreeMap::new();
    spells.insert(1, |engine, caster| {
        let query = engine.mask_query::<EntityId, With<Health>>();
        engine.run_for_each(&query, move |victim: EntityId, mut commands: Commands| {
            if victim != caster {
                commands.despawn(victim);
            }
        })
    });
    let (mut engine, [first, ..]) = dungeon();
    assert_eq!(spells[&1](&mut engine, first), Ok(4));
    assert_eq!(engine.matching(&MaskQuery::default()), [first]);
}

#[test]
fn parameters_are_checked_even_if_no_entity_matches() {
    fn lacks(_: EntityId, _: Res<u8>) {}
    fn conflicts(_: EntityId, _: Query<&mut Health>, _: Query<&Health>) {}
    let mut engine = Engine::new();
    let none = monsters(&mut engine);
    assert_eq!(engine.run_for_each(&none, |_: EntityId| panic!("none is there")), Ok(0));
    assert_eq!(engine.run_for_each(&none, lacks), Err(Error::MissingResource { system: "lacks", resource: "u8" }));
    let error = engine.run_for_each(&none, conflicts).unwrap_err();
    assert!(matches!(error, Error::Setup(SetupError::Conflict { system: "conflicts", .. })), "{error}");
}

#[test]
fn panic_ends_the_calls_and_earlier_commands_take_effect() {
    let (mut engine, [first, second, third]) = dungeon();
    engine.add(Scribe::default()).unwrap();
    let query = monsters(&mut engine);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        engine.run_for_each(&query, |monster: EntityId, mut commands: Commands, mut hits: Sender<Hit>| {
            commands.despawn(monster);
            hits.send(Hit(monster));
            if monster == second {
                std::panic::resume_unwind(Box::new("out of mana"));
            }
        })
    }));
    assert_eq!(outcome.unwrap_err().downcast_ref(), Some(&"out of mana"));
    assert!(!engine.contains(first) && !engine.contains(second) && engine.contains(third));
    frame(&mut engine);
    assert_eq!(engine.system::<Scribe>().unwrap().0, [first, second]);
}

#[test]
fn same_engine_makes_the_same_calls() {
    let run = || {
        let (mut engine, [_, second, _]) = dungeon();
        let query = monsters(&mut engine);
        let split = |monster: EntityId, healths: Query<&Health>, mut spawner: Spawner| {
            let half = healths.get(monster).expect("it matched").0 / 2;
            spawner.spawn((Monster, Health(half)));
        };
        for _ in 0..4 {
            engine.run_for_each(&query, split).unwrap();
            engine.despawn(second).ok();
        }
        engine.query::<(EntityId, &Health)>().iter().map(|(entity, health)| (entity, health.0)).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
    assert_eq!(run().len(), 1 + (3 * 2 - 1) * 2 * 2 * 2, "all have split four times, except the despawned one");
}
