//! Entity ids: a stale id never names another entity.

use ecs::{CommandFailure, Engine, EntityId, NoSuchEntity, query::GetManyError};

#[derive(Debug, PartialEq)]
struct Health(u32);

#[test]
fn stale_id_finds_nothing_after_thousands_of_reuses_of_its_index() {
    let mut engine = Engine::new();
    let stale = engine.spawn((Health(1),));
    engine.despawn(stale).unwrap();
    for round in 0..5_000 {
        let next = engine.spawn((Health(round),));
        assert_eq!(index_of(next), index_of(stale), "the index is reused");
        engine.despawn(next).unwrap();
    }
    let living = engine.spawn((Health(7),));
    assert_eq!(index_of(living), index_of(stale));

    let gone = NoSuchEntity { entity: stale };
    assert!(!engine.contains(stale));
    assert_eq!(engine.get::<Health>(stale), None);
    assert_eq!(engine.get_mut::<Health>(stale), None);
    assert!(!engine.has::<Health>(stale));
    assert_eq!(engine.entities().is_enabled(stale), None);
    assert!(engine.entities().mask(stale).is_none());
    assert_eq!(engine.despawn(stale), Err(gone));
    assert_eq!(engine.insert(stale, (Health(2),)), Err(gone));
    assert_eq!(engine.remove::<Health>(stale), Err(CommandFailure::NoSuchEntity(gone)));
    assert_eq!(engine.enable(stale), Err(gone));
    assert_eq!(engine.disable(stale), Err(gone));
    assert_eq!(engine.enable_component::<Health>(stale), Err(gone.into()));
    assert_eq!(engine.disable_component::<Health>(stale), Err(gone.into()));
    assert_eq!(engine.query::<&Health>().get(stale), None);
    assert_eq!(engine.query::<&mut Health>().get_mut(stale), None);
    assert_eq!(engine.query::<EntityId>().get(stale), None);
    assert_eq!(engine.query::<Option<&Health>>().get(stale), None);
    let error = GetManyError::NoMatch(stale);
    assert_eq!(engine.query::<&mut Health>().get_many_mut([living, stale]), Err(error));
    assert_eq!(engine.get_many_mut::<Health, 2>([living, stale]), Err(error));
    assert_eq!(engine.components().pool::<Health>().unwrap().get(stale), None);
    assert_eq!(engine.components().pool::<Health>().unwrap().is_enabled(stale), None);
    assert_eq!(engine.get::<Health>(living), Some(&Health(7)), "the living entity is unchanged");
}

fn index_of(entity: EntityId) -> String {
    entity.to_string().split('v').next().unwrap().to_owned()
}

#[test]
fn despawning_twice_is_an_error_that_names_the_entity() {
    let mut engine = Engine::new();
    let entity = engine.spawn((Health(1),));
    engine.despawn(entity).unwrap();
    let error = engine.despawn(entity).unwrap_err();
    assert_eq!(error.to_string(), "entity 1v1 does not exist: it was despawned, or belongs to another engine");
}

#[test]
fn default_id_and_forged_bits_find_nothing() {
    let mut engine = Engine::new();
    let first = engine.spawn((Health(1),));
    let forged = [0, 1, first.bits() - (1 << 32), first.bits() + (1 << 32), u64::MAX].map(EntityId::from_bits);
    for id in forged.into_iter().chain([EntityId::default()]) {
        assert!(!engine.contains(id), "{id}");
        assert_eq!(engine.get::<Health>(id), None);
        assert_eq!(engine.query::<&mut Health>().get_mut(id), None);
    }
}

#[test]
fn id_survives_conversion_to_bits() {
    let mut engine = Engine::new();
    for _ in 0..100 {
        let entity = engine.spawn(());
        assert_eq!(EntityId::from_bits(entity.bits()), entity);
    }
}

#[test]
fn entity_count_and_list_include_disabled_entities() {
    let mut engine = Engine::new();
    assert!(engine.entities().is_empty());
    let all: Vec<_> = (0..4).map(|n| engine.spawn((Health(n),))).collect();
    engine.disable(all[1]).unwrap();
    engine.despawn(all[2]).unwrap();
    assert_eq!(engine.entities().len(), 3);
    assert_eq!(engine.entities().iter().collect::<Vec<_>>(), [all[0], all[1], all[3]]);
    assert_eq!(engine.entities().is_enabled(all[1]), Some(false));
}

#[test]
fn mask_holds_the_components_of_an_entity() {
    let mut engine = Engine::new();
    let entity = engine.spawn((Health(1), 'x'));
    engine.disable_component::<char>(entity).unwrap();
    let health = engine.components().id_of::<Health>().unwrap();
    let letter = engine.components().id_of::<char>().unwrap();
    assert_eq!(engine.entities().mask(entity).unwrap().iter().collect::<Vec<_>>(), [health, letter]);
    engine.remove::<Health>(entity).unwrap();
    assert_eq!(engine.entities().mask(entity).unwrap().iter().collect::<Vec<_>>(), [letter]);
}

#[test]
fn many_entities_are_spawned_and_despawned() {
    let mut engine = Engine::builder().entities(10_000).build();
    let all: Vec<_> = (0..10_000).map(|n| engine.spawn((Health(n),))).collect();
    for entity in all.iter().step_by(2) {
        engine.despawn(*entity).unwrap();
    }
    for (n, entity) in all.iter().enumerate() {
        let expected = (n % 2 == 1).then_some(Health(n as u32));
        assert_eq!(engine.get::<Health>(*entity), expected.as_ref());
    }
    assert_eq!(engine.entities().len(), 5_000);
}
