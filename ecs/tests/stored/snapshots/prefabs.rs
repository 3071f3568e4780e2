//! After a restore, entities still follow the prefabs that they were spawned from.

use ecs::{
    Engine, EntityId,
    hierarchy::ChildOf,
    prefab::{Prefab, Prefabs},
};

#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
struct Speed(f32);
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
struct Pocket(u32);

fn text(speed: f32, pocket: u32) -> String {
    format!(
        r#"{{ "ghost": (components: {{ "speed": ({speed:?}), "pocket": ({pocket}) }}, children: {{ "radar": (components: {{ "speed": ({speed:?}) }}) }}) }}"#
    )
}

fn empty() -> Engine {
    let mut engine = Engine::new();
    let mut prefabs = Prefabs::default();
    prefabs.register::<Speed>("speed").unwrap().register::<Pocket>("pocket").unwrap();
    prefabs.load("ghosts.ron", text(1.0, 1)).unwrap();
    engine.insert_resource(prefabs);
    let types = engine.types_mut();
    types.component_by("speed", |speed: &Speed, hash| _ = hash.add(&speed.0)).unwrap();
    types.component_by("pocket", |pocket: &Pocket, hash| _ = hash.add(&pocket.0)).unwrap();
    engine
}

fn dump(engine: &mut Engine) -> Vec<String> {
    let all: Vec<EntityId> = engine.entities().iter().collect();
    let show = |entity| {
        let own = format!("{:?} {:?}", engine.get::<Speed>(entity).cloned(), engine.get::<Pocket>(entity).cloned());
        format!("{entity} {own} {:?} {:?}", engine.children(entity), engine.get::<ChildOf>(entity))
    };
    all.into_iter().map(show).collect()
}

#[test]
fn entities_follow_their_prefab_after_a_restore() {
    let mut engine = empty();
    engine.spawn_prefab("ghost").unwrap();
    engine.spawn_prefab(Prefab::named("ghost").with((Pocket(9),))).unwrap();
    let snapshot = engine.snapshot().unwrap();
    let before = dump(&mut engine);
    assert_eq!(engine.reload_prefabs([("ghosts.ron", text(2.0, 2))]).unwrap().entities, 4);
    let after = dump(&mut engine);

    engine.restore(&snapshot).unwrap();
    assert_eq!(dump(&mut engine), before);
    engine.reload_prefabs([("ghosts.ron", text(2.0, 2))]).unwrap();
    assert_eq!(dump(&mut engine), after, "the reloaded text differs from the text of the snapshot");

    // Types have other ids here; overrides of the second ghost must not be matched by id.
    let mut fresh = empty();
    fresh.spawn((1_u8, Pocket(0)));
    fresh.restore(&snapshot).unwrap();
    assert_eq!(dump(&mut fresh), before);
    fresh.reload_prefabs([("ghosts.ron", text(2.0, 2))]).unwrap();
    assert_eq!(dump(&mut fresh), after);
    let whole = fresh.entities().iter().next().unwrap();
    fresh.despawn(whole).unwrap();
    assert_eq!(fresh.entities().len(), 2, "its child was despawned with it");
}
