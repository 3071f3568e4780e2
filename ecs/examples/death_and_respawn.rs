//! Death and respawn with events: a function asks for a death, one decides and announces it, others react.
//! A dead object is disabled, not despawned, so it keeps its components. Prints the time of each death and each return.
//!
//! `cargo run -p lockstep_ecs --example death_and_respawn`

use std::time::Duration;

use ecs::Error;
use ecs::prelude::*;

const FRAME: Duration = Duration::from_millis(100);

/// A request to kill an object. Only [`kill`] decides whether it dies.
#[derive(Clone, Copy)]
struct KillGameObject(EntityId);

/// An object died.
#[derive(Clone, Copy)]
struct GameObjectKilled(EntityId);

/// An object came back to life.
#[derive(Clone, Copy)]
struct GameObjectSpawned(EntityId);

struct GameObject {
    is_alive: bool,
}

struct Health(f32);

/// The object comes back `after` its death.
struct Respawn {
    after: Duration,
    is_due_at: Option<Duration>,
}

/// Drains the health of all enabled objects.
fn poison(time: Time, mut healths: Query<(EntityId, &mut Health)>, mut kills: Sender<KillGameObject>) {
    for (entity, health) in &mut healths {
        health.0 -= time.delta_seconds();
        if health.0 <= 0.0 {
            kills.send(KillGameObject(entity));
        }
    }
}

/// Kills objects on request, each at most once.
fn kill(
    event: &KillGameObject,
    mut objects: Query<&mut GameObject>,
    mut killed: Sender<GameObjectKilled>,
    mut commands: Commands,
) {
    if let Some(object) = objects.get_mut(event.0).filter(|object| object.is_alive) {
        object.is_alive = false;
        killed.send(GameObjectKilled(event.0));
        commands.disable(event.0);
    }
}

/// Brings back objects that have a [`Respawn`], when it is due.
fn plan_return(event: &GameObjectKilled, time: Time, mut respawns: Query<&mut Respawn, IncludeDisabled>) {
    if let Some(respawn) = respawns.get_mut(event.0) {
        respawn.is_due_at = Some(time.elapsed() + respawn.after);
    }
}

fn bring_back(
    time: Time,
    mut waiting: Query<(EntityId, &mut Respawn, &mut GameObject, &mut Health), IncludeDisabled>,
    mut spawned: Sender<GameObjectSpawned>,
    mut commands: Commands,
) {
    for (entity, respawn, object, health) in &mut waiting {
        if respawn.is_due_at.take_if(|due| *due <= time.elapsed()).is_some() {
            object.is_alive = true;
            health.0 = 1.0;
            spawned.send(GameObjectSpawned(entity));
            commands.enable(entity);
        }
    }
}

/// Logs deaths and respawns.
#[derive(Default)]
struct Log(Vec<String>);

impl System for Log {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|log: &mut Self, event: &GameObjectKilled, time: Time| log.note(event.0, "died", time));
        setup.listen(|log: &mut Self, event: &GameObjectSpawned, time: Time| log.note(event.0, "came back", time));
    }
}

impl Log {
    fn note(&mut self, entity: EntityId, what: &str, time: Time) {
        self.0.push(format!("{:?}: {entity} {what}", time.elapsed()));
    }
}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    engine.add((poison, kill, plan_return, bring_back))?.add(Log::default())?;
    let respawn = Respawn { after: Duration::from_millis(500), is_due_at: None };
    let hero = engine.spawn((GameObject { is_alive: true }, Health(0.95), respawn));
    let mortal = engine.spawn((GameObject { is_alive: true }, Health(1.95)));
    for _ in 0..22 {
        engine.update(FRAME)?;
    }
    let lines = engine.system::<Log>().expect("it was added").0.join(", ");
    println!("{lines}");
    assert_eq!(lines, format!("1s: {hero} died, 1.5s: {hero} came back, 2s: {mortal} died"));
    let alive = engine.query_filtered::<&Health, With<GameObject>>().iter().count();
    assert_eq!(alive, 1, "a query does not see disabled objects unless it asks for them");
    assert!(engine.contains(mortal));
    Ok(())
}
