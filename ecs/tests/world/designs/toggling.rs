//! `inspect` shows which components of an entity are disabled.

use ecs::{Engine, Entities, EntityId};

struct Position;
struct Ghost;

#[test]
fn inspect_marks_disabled_components() {
    let mut engine = Engine::new();
    let entity = engine.spawn((Position, Ghost, 1.5_f32));
    let printed = |engine: &Engine| engine.inspect(entity).unwrap().to_string();
    assert_eq!(printed(&engine), "1v1: Position, Ghost, f32");
    engine.disable_component::<Ghost>(entity).unwrap();
    assert_eq!(printed(&engine), "1v1: Position, Ghost (disabled), f32");
    engine.disable(entity).unwrap();
    assert_eq!(printed(&engine), "1v1 (disabled): Position, Ghost (disabled), f32");
    engine.enable_component::<Ghost>(entity).unwrap();
    assert_eq!(printed(&engine), "1v1 (disabled): Position, Ghost, f32");
    assert_eq!(format!("{:?}", engine.inspect(entity).unwrap()), printed(&engine));
}

#[test]
fn inspect_of_an_empty_entity_says_so_and_of_a_despawned_one_is_none() {
    let mut engine = Engine::new();
    let entity = engine.spawn(());
    assert_eq!(engine.inspect(entity).unwrap().to_string(), "1v1: no components");
    engine.despawn(entity).unwrap();
    assert_eq!(engine.inspect(entity), None);
    assert_eq!(engine.inspect(EntityId::default()), None);
}

#[test]
fn inspect_prints_the_values_of_shown_types_and_the_names_of_others() {
    let mut engine = Engine::new();
    engine.show::<f32>();
    let entity = engine.spawn((Position, 1.5_f32));
    assert_eq!(engine.inspect(entity).unwrap().to_string(), "1v1: f32 = 1.5, Position");
}

#[test]
fn systems_can_inspect_entities() {
    fn print(entities: Entities) -> Vec<String> {
        let all = ecs::query::MaskQuery::default().include_disabled();
        entities.matching(&all).filter_map(|entity| Some(entities.inspect(entity)?.to_string())).collect()
    }
    let mut engine = Engine::new();
    let first = engine.spawn((Position,));
    engine.spawn((Ghost,));
    engine.disable(first).unwrap();
    assert_eq!(engine.run(print).unwrap(), ["1v1 (disabled): Position", "2v1: Ghost"]);
}
