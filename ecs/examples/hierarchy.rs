//! Hierarchies: a barrel on a turret on a tank. The parts keep their places on their parents; a system computes where
//! they are in the world. Then the turret moves to another tank, and a tank is despawned with all that it carries.
//!
//! `cargo run -p lockstep_ecs --example hierarchy`

use std::time::Duration;

use ecs::Error;
use ecs::prelude::*;

/// Where an entity is on its parent, or in the world if it has none.
#[derive(Clone, Copy)]
struct Offset {
    x_m: f32,
    y_m: f32,
    turned_rad: f32,
}

/// Where an entity is in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Global {
    x_m: f32,
    y_m: f32,
    turned_rad: f32,
}

impl Global {
    /// The place of a part that is at `offset` on an entity that is here.
    fn of_part(self, offset: Offset) -> Self {
        let (sin, cos) = self.turned_rad.sin_cos();
        Self {
            x_m: self.x_m + cos * offset.x_m - sin * offset.y_m,
            y_m: self.y_m + sin * offset.x_m + cos * offset.y_m,
            turned_rad: self.turned_rad + offset.turned_rad,
        }
    }
}

struct TurnsAt {
    radps: f32,
}

/// Turns turrets.
fn turn(time: Time, mut turning: Query<(&TurnsAt, &mut Offset)>) {
    for (turns, offset) in &mut turning {
        offset.turned_rad += turns.radps * time.delta_seconds();
    }
}

/// Computes where entities are, parents first.
fn follow(
    hierarchy: Hierarchy,
    roots: Query<EntityId, (With<Global>, Without<ChildOf>)>,
    mut places: Query<(&Offset, &mut Global)>,
) {
    for root in roots.iter() {
        for entity in std::iter::once(root).chain(hierarchy.descendants(root)) {
            let parent = hierarchy.parent(entity).and_then(|parent| places.get(parent));
            let on = parent.map_or_else(Global::default, |(_, global)| *global);
            if let Some((offset, global)) = places.get_mut(entity) {
                *global = on.of_part(*offset);
            }
        }
    }
}

fn part(x_m: f32) -> (Offset, Global) {
    (Offset { x_m, y_m: 0.0, turned_rad: 0.0 }, Global::default())
}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    engine.add((turn, follow).chain())?;

    let tank = engine.spawn(part(100.0));
    let turret = engine.spawn_child(tank, part(1.0))?;
    let barrel = engine.spawn_child(turret, part(3.0))?;
    engine.insert(turret, (TurnsAt { radps: std::f32::consts::FRAC_PI_2 },))?;

    let show = |engine: &Engine| {
        let Global { x_m, y_m, .. } = engine.get::<Global>(barrel).copied().unwrap_or_default();
        println!("the barrel is at {x_m:.1} m, {y_m:.1} m");
        (x_m.round(), y_m.round())
    };
    engine.update(Duration::from_secs(1))?;
    assert_eq!(show(&engine), (101.0, 3.0), "the turret turned by a quarter, and the barrel with it");

    // The turret moves to another tank, with its barrel.
    let wreck = engine.spawn(part(-50.0));
    engine.set_parent(turret, wreck)?;
    engine.update(Duration::from_secs(1))?;
    assert_eq!(show(&engine), (-52.0, 0.0));
    assert!(engine.children(tank).is_empty());
    assert!(engine.ancestors(barrel).eq([turret, wreck]));
    assert!(engine.set_parent(wreck, barrel).is_err(), "nothing can be its own ancestor");

    // Whatever the wreck carries goes with it.
    engine.despawn(wreck)?;
    println!("{} entity is left", engine.entities().len());
    assert!(engine.contains(tank) && !engine.contains(barrel));
    Ok(())
}
