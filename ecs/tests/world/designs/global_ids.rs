//! Entities keep their global ids when engines trade them.

use std::collections::BTreeMap;

use ecs::{
    Engine, Entities, EntityId, Setup, System,
    entity::{GlobalId, GlobalIdError},
};
use proptest::prelude::*;

use super::FRAME;

fn global(site: u32, serial: u32) -> GlobalId {
    GlobalId { site, serial }
}

#[test]
fn entity_gets_one_global_id_and_is_found_by_it() {
    let mut engine = Engine::builder().site(7).first_serial(41).build();
    let (first, second) = (engine.spawn(()), engine.spawn(()));
    assert_eq!(engine.assigned_global_id(second), None);
    assert_eq!(engine.global_id(second), Ok(global(7, 41)));
    assert_eq!(engine.global_id(first).unwrap().to_string(), "7:42");
    assert_eq!(engine.global_id(second), Ok(global(7, 41)));
    assert_eq!(engine.assigned_global_id(second), Some(global(7, 41)));
    assert_eq!(engine.entity_by_global_id(global(7, 42)), Some(first));
    assert_eq!(engine.next_serial(), 43);
}

#[test]
fn site_is_in_the_high_half_of_the_bits() {
    assert_eq!(global(7, 42).bits(), 7 << 32 | 42);
    assert_eq!(GlobalId::from_bits(7 << 32 | 42), global(7, 42));
}

#[test]
fn traded_entity_keeps_its_global_id_which_is_not_assigned_again() {
    let mut engine = Engine::new();
    let (alone, crowd) = (engine.spawn(()), engine.spawn_many((0..3).map(|_| (1_u8,))));
    let gone: Vec<_> =
        std::iter::once(alone).chain(crowd.iter().copied()).map(|entity| engine.global_id(entity).unwrap()).collect();
    engine.despawn(alone).unwrap();
    engine.despawn_many(crowd).unwrap();
    assert!(gone.iter().all(|name| engine.entity_by_global_id(*name).is_none()));
    let again = engine.spawn(());
    assert_eq!(engine.assigned_global_id(again), None);
    assert_eq!(engine.global_id(again), Ok(global(0, 4)));
    assert!(matches!(engine.global_id(alone), Err(GlobalIdError::NoSuchEntity(_))));
}

#[test]
fn conflicting_global_ids_are_refused_with_the_reason() {
    let mut engine = Engine::builder().site(7).build();
    let (first, second) = (engine.spawn(()), engine.spawn(()));
    engine.adopt_global_id(first, global(8, 1)).unwrap();
    engine.adopt_global_id(first, global(8, 1)).unwrap();
    let refused =
        |engine: &mut Engine, entity, global_id| engine.adopt_global_id(entity, global_id).unwrap_err().to_string();
    assert_eq!(
        refused(&mut engine, second, global(8, 1)),
        format!("global id 8:1 is that of entity {first}: despawn it before another one adopts its name")
    );
    assert_eq!(
        refused(&mut engine, first, global(8, 2)),
        format!("entity {first} has the global id 8:1 already: let a new entity adopt the other one")
    );
    assert_eq!(
        refused(&mut engine, second, global(7, 0)),
        "global id 7:0 is of this engine's own site, which will assign 0 next: build the engine with a first serial above those in use"
    );
    assert_eq!(engine.assigned_global_id(second), None, "a refused id changes nothing");
}

#[test]
fn site_without_free_serials_is_an_error() {
    let mut engine = Engine::builder().site(7).first_serial(u32::MAX - 1).build();
    let (last, none) = (engine.spawn(()), engine.spawn(()));
    assert_eq!(engine.global_id(last), Ok(global(7, u32::MAX - 1)));
    let error = engine.global_id(none).unwrap_err();
    assert_eq!(error, GlobalIdError::Exhausted { site: 7 });
    assert_eq!(error.to_string(), "site 7 has assigned all its serials: build the engine with another site");
    assert_eq!(engine.global_id(last), Ok(global(7, u32::MAX - 1)), "assigned ids stay");
}

struct Lookup {
    wanted: GlobalId,
    found: Option<EntityId>,
}

impl System for Lookup {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::look_up);
    }
}

impl Lookup {
    fn look_up(&mut self, entities: Entities) {
        self.found = entities.by_global_id(self.wanted);
        assert_eq!(self.found.and_then(|entity| entities.assigned_global_id(entity)), Some(self.wanted));
    }
}

#[test]
fn systems_look_up_global_ids() {
    let mut engine = Engine::new();
    let entity = engine.spawn(());
    let wanted = engine.global_id(entity).unwrap();
    engine.add(Lookup { wanted, found: None }).unwrap().update(FRAME).unwrap();
    assert_eq!(engine.system::<Lookup>().unwrap().found, Some(entity));
}

#[test]
fn shrink_frees_memory_of_despawned_entities_and_keeps_global_ids() {
    let mut engine = Engine::new();
    let all = engine.spawn_many((0..1_000).map(|_| ()));
    let names: Vec<_> = all.iter().map(|entity| engine.global_id(*entity).unwrap()).collect();
    let full = engine.memory().other_bytes_held;
    engine.despawn_many(all[3..].iter().copied()).unwrap();
    engine.shrink();
    let shrunk = engine.memory().other_bytes_held;
    assert!(shrunk * 20 < full, "{full} bytes became {shrunk}");
    for (entity, name) in all.iter().zip(&names) {
        assert_eq!(engine.entity_by_global_id(*name), engine.contains(*entity).then_some(*entity));
    }
    let successor = engine.spawn(());
    assert_eq!(engine.global_id(successor).unwrap().serial, 1_000, "no id is assigned twice");
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Spawn(usize),
    Name(usize),
    Despawn(usize),
    /// Sends an entity to another engine.
    Trade(usize, usize),
    /// Makes an entity adopt the id of another one.
    Steal(usize, usize),
    Shrink(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let (engine, entity) = (0_usize..3, 0_usize..60);
    prop_oneof![
        4 => engine.clone().prop_map(Step::Spawn),
        4 => entity.clone().prop_map(Step::Name),
        1 => entity.clone().prop_map(Step::Despawn),
        1 => engine.clone().prop_map(Step::Shrink),
        4 => (entity.clone(), engine).prop_map(|(entity, engine)| Step::Trade(entity, engine)),
        1 => (entity.clone(), entity).prop_map(|(one, other)| Step::Steal(one, other)),
    ]
}

#[test]
fn restored_engine_assigns_the_same_global_ids_unless_the_serial_is_raised() {
    let (mut harbour, mut island) = (Engine::builder().site(7).build(), Engine::builder().site(8).build());
    let before = harbour.snapshot().unwrap();
    let ship = harbour.spawn(());
    let name = harbour.global_id(ship).unwrap();
    let arrived = island.spawn(());
    island.adopt_global_id(arrived, name).unwrap();
    let next = harbour.next_serial();
    harbour.restore(&before).unwrap();
    let again = harbour.spawn(());
    assert_eq!(harbour.global_id(again), Ok(name), "the run is the same as before");
    harbour.restore(&before).unwrap();
    harbour.raise_next_serial(next);
    harbour.raise_next_serial(0);
    let successor = harbour.spawn(());
    assert_eq!(harbour.global_id(successor), Ok(global(7, 1)));
    harbour.restore(&before).unwrap();
    assert_eq!(harbour.next_serial(), 0);
}

proptest! {
    #[test]
    fn global_ids_are_unique_across_trading_engines(steps in prop::collection::vec(step(), 0..300)) {
        let mut engines: Vec<_> = (0..3).map(|site| Engine::builder().site(site).build()).collect();
        // The engine of each entity, and its global id.
        let mut entities: Vec<Option<(usize, EntityId, Option<GlobalId>)>> = Vec::new();
        let mut named = [0; 3];
        for step in steps {
            match step {
                Step::Shrink(site) => engines[site].shrink(),
                Step::Spawn(site) => entities.push(Some((site, engines[site].spawn(()), None))),
                Step::Name(at) => {
                    let Some(Some((site, entity, name))) = entities.get_mut(at) else { continue };
                    let given = engines[*site].global_id(*entity).unwrap();
                    let expected = name.unwrap_or_else(|| {
                        named[*site] += 1;
                        global(*site as u32, named[*site] - 1)
                    });
                    prop_assert_eq!(given, expected);
                    *name = Some(given);
                }
                Step::Despawn(at) => {
                    let Some(Some((site, entity, _))) = entities.get_mut(at).map(Option::take) else { continue };
                    engines[site].despawn(entity).unwrap();
                }
                Step::Trade(at, to) => {
                    let Some(Some((site, entity, name))) = entities.get_mut(at) else { continue };
                    engines[*site].despawn(*entity).unwrap();
                    (*site, *entity) = (to, engines[to].spawn(()));
                    if let Some(name) = name {
                        engines[to].adopt_global_id(*entity, *name).unwrap();
                    }
                }
                Step::Steal(thief, victim) => {
                    let (Some(Some((site, entity, own))), Some(Some((home, _, Some(name))))) = (entities.get(thief), entities.get(victim)) else { continue };
                    if site == home && own != &Some(*name) {
                        prop_assert!(engines[*site].adopt_global_id(*entity, *name).is_err());
                    }
                }
            }
        }
        let mut names = BTreeMap::new();
        for (site, entity, name) in entities.into_iter().flatten() {
            prop_assert_eq!(engines[site].assigned_global_id(entity), name);
            if let Some(name) = name {
                prop_assert_eq!(names.insert(name, (site, entity)), None);
            }
        }
        for name in (0..3).flat_map(|site| (0..100).map(move |serial| global(site, serial))) {
            for (site, engine) in engines.iter().enumerate() {
                let expected = names.get(&name).filter(|(home, _)| *home == site).map(|(_, entity)| *entity);
                prop_assert_eq!(engine.entity_by_global_id(name), expected);
            }
        }
    }
}
