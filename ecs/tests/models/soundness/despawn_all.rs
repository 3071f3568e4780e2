//! Ids that are collected in the same call that changes the engine.

use ecs::{Engine, EntityId};

#[test]
fn all_entities_are_despawned_in_one_expression() {
    let mut engine = Engine::new();
    engine.spawn_many((0..10_u32).map(|n| (n,)));
    engine.despawn_many(engine.entities().iter().collect::<Vec<EntityId>>()).unwrap();
    assert_eq!(engine.entities().len(), 0);
}
