//! Prefabs that change while entities live.

use ecs::{
    Engine, EntityId,
    hierarchy::{ChildOf, Children},
    prefab::{Prefab, Reloaded},
};

use crate::prefabs::kit::{Pocket, Position, Shape, Solid, Speed, engine, part};

const BEFORE: &str = r#"{
    "collector": (
        components: { "speed": (mps: 25, radps: 3), "pocket": (capacity: 100), "solid": () },
        children: { "radar": (components: { "speed": (mps: 0, radps: 1) }), "hat": (components: { "solid": () }) },
    ),
    "ghost": (like: "collector", components: { "speed": (mps: 40) }),
    "wall": (components: { "solid": () }),
}"#;

fn reload(engine: &mut Engine, text: &str) -> Reloaded {
    engine.reload_prefabs([("test.ron", text)]).unwrap()
}

fn set_capacity(engine: &mut Engine, entity: EntityId, capacity: u32) {
    engine.get_mut::<Pocket>(entity).unwrap().capacity = capacity;
}

#[test]
fn reload_changes_only_living_entities_of_changed_prefabs() {
    let mut engine = engine(BEFORE);
    let collector = engine.spawn_prefab("collector").unwrap();
    let ghost = engine.spawn_prefab("ghost").unwrap();
    let wall = engine.spawn_prefab("wall").unwrap();
    let bystander = engine.spawn((Speed { mps: 7.0, radps: 7.0 },));
    set_capacity(&mut engine, ghost, 55);
    let reloaded = reload(&mut engine, &BEFORE.replace("radps: 3", "radps: 6"));
    assert_eq!(reloaded, Reloaded { prefabs: vec!["collector".into(), "ghost".into()], entities: 2 });
    assert_eq!(engine.get(collector), Some(&Speed { mps: 25.0, radps: 6.0 }));
    assert_eq!(
        engine.get(ghost),
        Some(&Speed { mps: 40.0, radps: 6.0 }),
        "a variant follows the prefab that it extends"
    );
    assert_eq!(engine.get(ghost), Some(&Pocket { capacity: 55 }), "its text has not changed");
    assert_eq!(engine.get(bystander), Some(&Speed { mps: 7.0, radps: 7.0 }));
    assert!(engine.has::<Solid>(wall));
    let next = engine.spawn_prefab("collector").unwrap();
    assert_eq!(engine.get(next), Some(&Speed { mps: 25.0, radps: 6.0 }));
}

#[test]
fn whitespace_and_comments_change_nothing() {
    let mut engine = engine(BEFORE);
    let collector = engine.spawn_prefab("collector").unwrap();
    engine.get_mut::<Speed>(collector).unwrap().mps = 1.0;
    let text = BEFORE.replace("mps: 25, radps: 3", "// in m/s\n mps:25,\n radps : 3");
    assert_eq!(reload(&mut engine, &text), Reloaded::default());
    assert_eq!(engine.get(collector), Some(&Speed { mps: 1.0, radps: 3.0 }));
}

#[test]
fn file_with_an_error_is_refused_and_the_old_one_stays() {
    let mut engine = engine(BEFORE);
    let collector = engine.spawn_prefab("collector").unwrap();
    let text = BEFORE.replace("mps: 25", "mps: 26").replace("mps: 40", "mph: 40");
    let error = engine.reload_prefabs([("test.ron", text)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "test.ron:6:58: `speed` has no field `mph`, must be `mps` or `radps`: `mps` may be meant"
    );
    assert_eq!(engine.get(collector), Some(&Speed { mps: 25.0, radps: 3.0 }));
    let next = engine.spawn_prefab("ghost").unwrap();
    assert_eq!(engine.get(next), Some(&Speed { mps: 40.0, radps: 3.0 }));
}

#[test]
fn overrides_of_the_spawn_stay() {
    let mut engine = engine(BEFORE);
    let typed = engine.spawn_prefab(Prefab::named("collector").with((Pocket { capacity: 1 },))).unwrap();
    let text = Prefab::named("collector").with_ron("speed", "(mps: 2)").with_ron("radar/speed", "(mps: 3)");
    let text = engine.spawn_prefab(text).unwrap();
    let mut changed = BEFORE.replace("mps: 25", "mps: 26").replace("100", "200").replace("mps: 0", "mps: 9");
    reload(&mut engine, &changed);
    assert_eq!(engine.get(typed), Some(&Pocket { capacity: 1 }));
    assert_eq!(engine.get(typed), Some(&Speed { mps: 26.0, radps: 3.0 }));
    assert_eq!(engine.get(text), Some(&Speed { mps: 2.0, radps: 3.0 }));
    assert_eq!(engine.get(text), Some(&Pocket { capacity: 200 }));
    assert_eq!(engine.get(part(&engine, text, "radar")), Some(&Speed { mps: 3.0, radps: 1.0 }));
    assert_eq!(engine.get(part(&engine, typed, "radar")), Some(&Speed { mps: 9.0, radps: 1.0 }));
    changed = changed.replace("\"pocket\": (capacity: 200), ", "");
    reload(&mut engine, &changed);
    assert_eq!(engine.get(typed), Some(&Pocket { capacity: 1 }), "it is the entity's own");
    assert!(!engine.has::<Pocket>(text));
}

#[test]
fn reload_inserts_and_removes_components() {
    let mut engine = engine(BEFORE);
    let collector = engine.spawn_prefab("collector").unwrap();
    let own = engine.spawn_prefab("collector").unwrap();
    engine.insert(own, (Shape::Triangle(9.0), Position { x_m: 1.0 })).unwrap();
    reload(&mut engine, &BEFORE.replace("\"pocket\": (capacity: 100)", "\"shape\": Circle"));
    assert_eq!(engine.get(collector), Some(&Shape::Circle));
    assert!(!engine.has::<Pocket>(collector));
    assert_eq!(engine.get(own), Some(&Shape::Triangle(9.0)), "it has one already");
    assert!(engine.has::<Position>(own));
}

#[test]
fn reload_does_not_insert_a_component_that_was_removed() {
    let mut engine = engine(BEFORE);
    let collector = engine.spawn_prefab("collector").unwrap();
    engine.remove::<Pocket>(collector).unwrap();
    reload(&mut engine, &BEFORE.replace("100", "200"));
    assert!(!engine.has::<Pocket>(collector));
}

#[test]
fn reload_changes_adds_and_removes_children() {
    let mut engine = engine(BEFORE);
    let collector = engine.spawn_prefab("collector").unwrap();
    let (radar, hat) = (part(&engine, collector, "radar"), part(&engine, collector, "hat"));
    let text = BEFORE
        .replace("(mps: 0, radps: 1)", "(mps: 0, radps: 2)")
        .replace("\"hat\": (components: { \"solid\": () })", "\"horn\": (components: { \"shape\": Circle })");
    let reloaded = reload(&mut engine, &text);
    assert_eq!(reloaded.entities, 4, "the parent, the radar, the hat and the horn");
    assert_eq!(engine.get(radar), Some(&Speed { mps: 0.0, radps: 2.0 }));
    assert!(!engine.contains(hat));
    let name = |child: &EntityId| engine.get::<ChildOf>(*child).unwrap().name().unwrap();
    let names: Vec<&str> = engine.children(collector).iter().map(name).collect();
    assert_eq!(names, ["radar", "horn"]);
    assert_eq!(engine.get(part(&engine, collector, "horn")), Some(&Shape::Circle));
    engine.despawn(collector).unwrap();
    assert!(engine.entities().is_empty());
}

#[test]
fn entity_that_lost_its_last_child_has_no_children_component() {
    let mut engine = engine(r#"{ "a": (children: { "x": (components: { "solid": () }) }) }"#);
    let whole = engine.spawn_prefab("a").unwrap();
    reload(&mut engine, r#"{ "a": () }"#);
    assert!(!engine.has::<Children>(whole) && engine.entities().len() == 1);
    reload(&mut engine, r#"{ "a": (children: { "x": (components: { "solid": () }) }) }"#);
    assert!(engine.contains(part(&engine, whole, "x")));
}

#[test]
fn reload_does_not_respawn_a_despawned_child() {
    let mut engine = engine(BEFORE);
    let collector = engine.spawn_prefab("collector").unwrap();
    engine.despawn(part(&engine, collector, "radar")).unwrap();
    let before = engine.entities().len();
    reload(&mut engine, &BEFORE.replace("(mps: 0, radps: 1)", "(mps: 0, radps: 2)"));
    assert_eq!(engine.entities().len(), before);
}

#[test]
fn files_can_be_added_and_prefabs_removed() {
    let mut engine = engine(BEFORE);
    let wall = engine.spawn_prefab("wall").unwrap();
    let reloaded = engine.reload_prefabs([("new.ron", r#"{ "fence": (like: "wall") }"#)]).unwrap();
    assert_eq!(reloaded, Reloaded { prefabs: vec!["fence".into()], entities: 0 });
    let move_wall = [("new.ron", r#"{ "wall": (components: { "shape": Circle }) }"#), ("test.ron", "{}")];
    let reloaded = engine.reload_prefabs(move_wall).unwrap();
    assert_eq!(reloaded.prefabs, ["collector", "fence", "ghost", "wall"]);
    assert!(!engine.has::<Solid>(wall) && engine.has::<Shape>(wall));
    assert!(engine.spawn_prefab("ghost").is_err());
}

#[test]
fn prefab_that_returns_updates_its_entities() {
    let mut engine = engine(BEFORE);
    let collector = engine.spawn_prefab("collector").unwrap();
    let radar = part(&engine, collector, "radar");
    reload(&mut engine, "{}");
    assert_eq!(engine.get(collector), Some(&Pocket { capacity: 100 }), "it is unchanged");
    set_capacity(&mut engine, collector, 55);
    let reloaded = reload(&mut engine, &BEFORE.replace("mps: 25", "mps: 26"));
    assert_eq!(reloaded.entities, 1);
    assert_eq!(engine.get(collector), Some(&Speed { mps: 26.0, radps: 3.0 }));
    assert_eq!(engine.get(collector), Some(&Pocket { capacity: 55 }));
    assert_eq!(part(&engine, collector, "radar"), radar);
}

#[test]
fn reload_without_the_resource_is_an_error() {
    let error = Engine::new().reload_prefabs([("a.ron", "{}")]).unwrap_err();
    assert_eq!(error.to_string(), "reloading needs the resource Prefabs, which is not there: insert it");
}
