//! Observers: functions that listen, to all events, to those of one entity, and to those of entities that match a
//! filter. A mine field: each mine is observed on its own, and functions run once, later or at their place among the
//! commands.
//!
//! `cargo run -p lockstep_ecs --example observers`

use std::time::Duration;

use ecs::Error;
use ecs::event::EntityEvent;
use ecs::prelude::*;

const FRAME: Duration = Duration::from_millis(100);

/// An entity was stepped on.
#[derive(Clone, Copy)]
struct SteppedOn {
    mine: EntityId,
    by: EntityId,
}

impl EntityEvent for SteppedOn {
    fn entity(&self) -> EntityId {
        self.mine
    }
}

#[derive(Clone, Copy)]
struct Health(i32);

struct Soldier;

/// What happened, in order.
#[derive(Default)]
struct Report(Vec<String>);

fn report(report: &mut ResMut<Report>, line: impl Into<String>) {
    report.0.push(line.into());
}

/// Lays a mine that goes off when it is stepped on.
fn lay_mine(engine: &mut Engine, damage: i32) -> Result<EntityId, Error> {
    let mine = engine.spawn(());
    // The function captures the damage of this mine. It is removed with the mine.
    engine.observe(mine, move |step: &SteppedOn, mut healths: Query<&mut Health>, mut commands: Commands| {
        if let Some(health) = healths.get_mut(step.by) {
            health.0 -= damage;
        }
        commands.despawn(step.mine);
        // Half a second later.
        commands.after(5 * FRAME, |mut lines: ResMut<Report>| report(&mut lines, "the smoke is gone"));
    })?;
    Ok(mine)
}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    engine.insert_resource(Report::default());

    // Listens to every step, before the mines: its priority is higher.
    let click = |_: &SteppedOn, mut lines: ResMut<Report>| report(&mut lines, "click");
    engine.add(click.priority(Priority::HIGH))?;
    // Listens to removed healths, but only those of soldiers.
    engine.listen_filtered::<With<Soldier>, _, _>(|_: &Removed<Health>, mut lines: ResMut<Report>| {
        report(&mut lines, "a soldier lost its health");
    })?;

    let light = lay_mine(&mut engine, 3)?;
    let heavy = lay_mine(&mut engine, 50)?;
    let (scout, tank) = (engine.spawn((Soldier, Health(10))), engine.spawn((Health(200),)));
    engine.observe(tank, |_: &Despawned, mut lines: ResMut<Report>| report(&mut lines, "the tank is gone"))?;

    engine.send(SteppedOn { mine: light, by: scout });
    engine.update(FRAME)?;
    assert!(!engine.contains(light) && engine.contains(heavy));
    assert_eq!(engine.get::<Health>(scout).unwrap().0, 7);

    // The mine is gone, so this step does nothing but click.
    engine.send(SteppedOn { mine: light, by: tank });
    engine.send(SteppedOn { mine: heavy, by: tank });
    engine.update(FRAME)?;
    assert_eq!(engine.get::<Health>(tank).unwrap().0, 150);

    engine.remove::<Health>(scout)?;
    engine.despawn(tank)?;
    for _ in 0..6 {
        engine.update(FRAME)?;
    }
    let lines = &engine.resource::<Report>().unwrap().0;
    println!("{}", lines.join("\n"));
    assert_eq!(
        *lines,
        [
            "click",
            "click",
            "click",
            "a soldier lost its health",
            "the tank is gone",
            "the smoke is gone",
            "the smoke is gone",
        ]
    );
    // The observers of mines and tank went with them; the two listeners stay.
    assert_eq!(engine.systems().len(), 2);
    Ok(())
}
