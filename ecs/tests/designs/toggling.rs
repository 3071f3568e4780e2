//! What is disabled shows where an entity is printed.

use ecs::{Engine, Entities, EntityId};

struct Position;
struct Ghost;

#[test]
fn entity_is_printed_with_what_of_it_is_disabled() {
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
fn entity_without_components_says_so_and_one_that_is_gone_is_not_printed() {
    let mut engine = Engine::new();
    let entity = engine.spawn(());
    assert_eq!(engine.inspect(entity).unwrap().to_string(), "1v1: no components");
    engine.despawn(entity).unwrap();
    assert_eq!(engine.inspect(entity), None);
    assert_eq!(engine.inspect(EntityId::default()), None);
}

#[test]
fn systems_print_entities_too() {
    fn print(entities: Entities) -> Vec<String> {
        let everybody = ecs::query::MaskQuery::default().include_disabled();
        entities.matching(&everybody).filter_map(|entity| Some(entities.inspect(entity)?.to_string())).collect()
    }
    let mut engine = Engine::new();
    let first = engine.spawn((Position,));
    engine.spawn((Ghost,));
    engine.disable(first).unwrap();
    assert_eq!(engine.run(print).unwrap(), ["1v1 (disabled): Position", "2v1: Ghost"]);
}
