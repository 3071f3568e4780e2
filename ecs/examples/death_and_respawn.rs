//! A game object that dies, is announced by an event, and comes back after a while.
//!
//! The poison only sends a wish, one system grants it and says so, and others listen. The dead are disabled, not destroyed.
//!
//! `cargo run -p lockstep_ecs --example death_and_respawn`

use std::time::Duration;

use ecs::{Commands, Engine, EntityId, Error, IncludeDisabled, Query, Sender, Setup, System, Time, With};

const FRAME: Duration = Duration::from_millis(100);

/// Somebody should die. Wishes are not facts: only [`GameObjects`] decides.
#[derive(Clone, Copy)]
struct KillGameObject(EntityId);

/// Somebody has died.
#[derive(Clone, Copy)]
struct GameObjectKilled(EntityId);

/// Somebody has come back to life.
#[derive(Clone, Copy)]
struct GameObjectSpawned(EntityId);

struct GameObject {
    is_alive: bool,
}

struct Health(f32);

/// Comes back so long after its death.
struct Respawn {
    after: Duration,
    is_due_at: Option<Duration>,
}

/// Takes health from everybody who is there.
struct Poison;

impl System for Poison {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::work);
    }
}

impl Poison {
    fn work(&mut self, time: Time, mut healths: Query<(EntityId, &mut Health)>, mut kills: Sender<KillGameObject>) {
        for (entity, health) in &mut healths {
            health.0 -= time.delta_seconds();
            if health.0 <= 0.0 {
                kills.send(KillGameObject(entity));
            }
        }
    }
}

/// Grants wishes to kill, each object once.
struct GameObjects;

impl System for GameObjects {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_kill);
    }
}

impl GameObjects {
    fn on_kill(
        &mut self,
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
}

/// Brings back what has a [`Respawn`], when its time has come.
struct Respawns;

impl System for Respawns {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_killed).update(Self::bring_back);
    }
}

impl Respawns {
    fn on_killed(&mut self, event: &GameObjectKilled, time: Time, mut respawns: Query<&mut Respawn, IncludeDisabled>) {
        if let Some(respawn) = respawns.get_mut(event.0) {
            respawn.is_due_at = Some(time.elapsed() + respawn.after);
        }
    }

    fn bring_back(
        &mut self,
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
}

/// Writes down what was announced.
#[derive(Default)]
struct Chronicle(Vec<String>);

impl System for Chronicle {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|it: &mut Self, event: &GameObjectKilled, time: Time| it.note(event.0, "died", time));
        setup.listen(|it: &mut Self, event: &GameObjectSpawned, time: Time| it.note(event.0, "came back", time));
    }
}

impl Chronicle {
    fn note(&mut self, entity: EntityId, what: &str, time: Time) {
        self.0.push(format!("{:?}: {entity} {what}", time.elapsed()));
    }
}

pub(crate) fn main() -> Result<(), Error> {
    let mut engine = Engine::new();
    engine.add(Poison)?.add(GameObjects)?.add(Respawns)?.add(Chronicle::default())?;
    let respawn = Respawn { after: Duration::from_millis(500), is_due_at: None };
    let hero = engine.spawn((GameObject { is_alive: true }, Health(0.95), respawn));
    let mortal = engine.spawn((GameObject { is_alive: true }, Health(1.95)));
    for _ in 0..22 {
        engine.update(FRAME)?;
    }
    let lines = engine.system::<Chronicle>().expect("it was added").0.join(", ");
    println!("{lines}");
    assert_eq!(lines, format!("1s: {hero} died, 1.5s: {hero} came back, 2s: {mortal} died"));
    let alive = engine.query_filtered::<&Health, With<GameObject>>().iter().count();
    assert_eq!(alive, 1, "the dead are there for nobody who does not ask for them");
    assert!(engine.contains(mortal));
    Ok(())
}
