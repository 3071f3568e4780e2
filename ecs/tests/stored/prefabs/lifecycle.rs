//! Lifecycle events of entities that are spawned from prefabs.

use std::time::Duration;

use ecs::{Added, Despawned, Engine, EntityId, Query, Removed, ResMut, Setup, Spawned, System, prefab::Prefab};

use crate::prefabs::kit::{Pocket, Position, Speed, engine, part};

#[derive(Default)]
struct Log(Vec<String>);

struct Listener;

impl System for Listener {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_spawned).listen(Self::on_speed).listen(Self::on_pocket).listen(Self::on_position);
        setup.listen(Self::on_despawned).listen(Self::on_pocket_removed);
    }
}

impl Listener {
    fn on_spawned(&mut self, event: &Spawned, mut log: ResMut<Log>, speeds: Query<&Speed>) {
        log.0.push(format!("spawned {} {}", event.entity, speeds.get(event.entity).is_some()));
    }

    fn on_speed(&mut self, event: &Added<Speed>, mut log: ResMut<Log>) {
        log.0.push(format!("speed {}", event.entity));
    }

    fn on_pocket(&mut self, event: &Added<Pocket>, mut log: ResMut<Log>) {
        log.0.push(format!("pocket {}", event.entity));
    }

    fn on_position(&mut self, event: &Added<Position>, mut log: ResMut<Log>) {
        log.0.push(format!("position {}", event.entity));
    }

    fn on_despawned(&mut self, event: &Despawned, mut log: ResMut<Log>) {
        log.0.push(format!("despawned {}", event.entity));
    }

    fn on_pocket_removed(&mut self, event: &Removed<Pocket>, mut log: ResMut<Log>) {
        log.0.push(format!("lost {} {}", event.value.as_ref().unwrap().capacity, event.entity));
    }
}

fn listened() -> (Engine, EntityId, EntityId) {
    let mut engine = engine(
        r#"{ "tank": (
            components: { "speed": (mps: 1), "pocket": (capacity: 2) },
            children: { "turret": (components: { "pocket": (capacity: 3), "speed": (mps: 4) }) },
        ) }"#,
    );
    engine.insert_resource(Log::default());
    engine.add(Listener).unwrap();
    let tank = engine.spawn_prefab(Prefab::named("tank").with((Position { x_m: 0.0 },))).unwrap();
    let turret = part(&engine, tank, "turret");
    (engine, tank, turret)
}

fn received(engine: &mut Engine) -> Vec<String> {
    engine.update(Duration::from_millis(10)).unwrap();
    std::mem::take(&mut engine.resource_mut::<Log>().unwrap().0)
}

#[test]
fn each_entity_is_announced_once_after_all_its_components() {
    let (mut engine, tank, turret) = listened();
    let expected = [
        format!("position {tank}"),
        format!("speed {tank}"),
        format!("pocket {tank}"),
        format!("spawned {tank} true"),
        format!("pocket {turret}"),
        format!("speed {turret}"),
        format!("spawned {turret} true"),
    ];
    assert_eq!(received(&mut engine), expected);
}

#[test]
fn children_are_announced_as_despawned_after_their_parent() {
    for many in [false, true] {
        let (mut engine, tank, turret) = listened();
        received(&mut engine);
        if many {
            engine.despawn_many([tank]).unwrap()
        } else {
            engine.despawn(tank).unwrap()
        }
        let expected = [
            format!("lost 2 {tank}"),
            format!("despawned {tank}"),
            format!("lost 3 {turret}"),
            format!("despawned {turret}"),
        ];
        assert_eq!(received(&mut engine), expected);
    }
}
