//! A world with something of every kind, whose systems act by random numbers, and a dump of it through the public API.

use std::fmt::Write;
use std::time::Duration;

#[cfg(feature = "serde")]
use ecs::snapshot::{SnapshotError, TypeRegistry};
use ecs::{
    Added, Commands, Despawned, Disabled, Enabled, Engine, EntityId, Error, IncludeDisabled, Priority, Query, Removed,
    ResMut, Sender, Setup, Spawned, Spawner, Subscriptions, System, Time,
    entity::GlobalId,
    prelude::Configure,
    system::{CatchUp, Function, FunctionId, RepeatableFunction},
};
use serde::{Deserialize, Serialize};

pub(crate) const FRAME: Duration = Duration::from_millis(10);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Position(pub(crate) f32);
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Speed(pub(crate) f32);
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Label(pub(crate) String);
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Marked;

#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub(crate) struct Bumped {
    #[allow(dead_code)]
    pub(crate) entity: EntityId,
    pub(crate) depth: u32,
}
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Rang(pub(crate) u64);

/// The log of listeners, one line each.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Heard(pub(crate) Vec<String>);

/// A pseudo-random number generator.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

struct Movement;

impl System for Movement {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::advance);
    }
}

impl Movement {
    fn advance(&mut self, time: Time, mut movers: Query<(&mut Position, &Speed)>) {
        for (position, speed) in &mut movers {
            position.0 += speed.0 * time.delta_seconds();
        }
    }
}

/// Records commands of every kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RandomCommands(Dice);

impl System for RandomCommands {
    fn setup(setup: &mut Setup<Self>) {
        setup.after_type::<Movement>().update(Self::record).pre_update(Self::hatch);
    }
}

impl RandomCommands {
    fn record(&mut self, all: Query<(EntityId, Option<&Position>)>, mut commands: Commands, mut bumps: Sender<Bumped>) {
        let ids: Vec<_> = all.iter().map(|(entity, _)| entity).collect();
        let Self(dice) = self;
        for _ in 0..dice.roll(5) {
            let value = dice.roll(100) as f32;
            commands.spawn((Position(value), Speed(1.0)));
            let Some(&entity) = ids.get(dice.roll(ids.len().max(1) as u64) as usize) else { continue };
            match dice.roll(18) {
                0 => commands.despawn(entity),
                1 => commands.insert(entity, (Label(format!("l{value}")),)),
                2 => commands.remove::<Speed>(entity),
                3 => commands.disable(entity),
                4 => commands.enable(entity),
                5 => commands.disable_component::<Position>(entity),
                6 => commands.enable_component::<Position>(entity),
                7 => commands.spawn_many((0..3).map(|n| (Position(n as f32), Marked))),
                8 => commands.despawn_many(ids.iter().copied().take(2)),
                9 => commands.disable_system::<Ringing>(),
                10 => commands.enable_system::<Ringing>(),
                11 => commands.join(ENTITY_LISTS[dice.roll(3) as usize], entity),
                12 => commands.leave(ENTITY_LISTS[dice.roll(3) as usize], entity),
                13 => commands.tag("it", entity),
                14 => commands.insert_many(ids.iter().step_by(3).map(|id| (*id, (Speed(value), Marked)))),
                15 => commands.remove_many::<Speed>(ids.iter().copied().step_by(4)),
                16 => commands.move_component::<Speed>(entity, ids[0]),
                _ => commands.insert(entity, (Speed(value), Marked)),
            }
            bumps.send(Bumped { entity, depth: 0 });
        }
    }

    fn hatch(&mut self, mut spawner: Spawner, mut bumps: Sender<Bumped>) {
        if self.0.roll(4) == 0 {
            let entity = spawner.spawn((Label("hatched".to_owned()), Position(0.5)));
            bumps.send(Bumped { entity, depth: 1 });
        }
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ringing {
    rung: u64,
}

impl System for Ringing {
    fn setup(setup: &mut Setup<Self>) {
        setup.every(Duration::from_millis(25)).post_update(Self::ring);
    }
}

impl Ringing {
    fn ring(&mut self, time: Time, mut rings: Sender<Rang>) {
        self.rung += 1;
        rings.send(Rang(time.delta().as_nanos() as u64));
    }
}

/// Logs the events that it receives, answers, and records commands in the last dispatch of a frame.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Listening(Dice);

impl System for Listening {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(Self::on_bumped)
            .listen_later(Self::on_rang)
            .listen(Self::on_spawned)
            .listen(Self::on_despawned)
            .listen(Self::on_added)
            .listen(Self::on_removed)
            .listen(|_: &mut Self, event: &Enabled, mut heard: ResMut<Heard>| heard.0.push(format!("{event:?}")))
            .listen(|_: &mut Self, event: &Disabled, mut heard: ResMut<Heard>| heard.0.push(format!("{event:?}")));
    }
}

impl Listening {
    fn on_bumped(
        &mut self,
        bumped: &Bumped,
        mut heard: ResMut<Heard>,
        mut bumps: Sender<Bumped>,
        mut subscriptions: Subscriptions,
    ) {
        heard.0.push(format!("{bumped:?}"));
        if bumped.depth < 3 && self.0.roll(2) == 0 {
            bumps.send(Bumped { depth: bumped.depth + 1, ..*bumped });
        }
        match self.0.roll(6) {
            0 => _ = subscriptions.subscribe::<Self, Rang>(),
            1 => _ = subscriptions.unsubscribe::<Self, Rang>(),
            _ => {}
        }
    }

    fn on_rang(&mut self, rang: &Rang, mut heard: ResMut<Heard>) {
        heard.0.push(format!("{rang:?}"));
    }

    fn on_spawned(&mut self, spawned: &Spawned, mut heard: ResMut<Heard>, mut commands: Commands, mut ids: Spawner) {
        heard.0.push(format!("{spawned:?}"));
        match self.0.roll(8) {
            0 => commands.insert(spawned.entity, (Label("late".to_owned()), Speed(-1.0))),
            1 => commands.despawn(spawned.entity),
            2 => _ = ids.spawn((Position(9.0),)),
            3 => commands.despawn_many([spawned.entity]),
            4 => commands.insert_many([(spawned.entity, (Label("later".to_owned()), Marked))]),
            5 => commands.remove_many::<Position>([spawned.entity]),
            _ => {}
        }
    }

    fn on_despawned(&mut self, despawned: &Despawned, mut heard: ResMut<Heard>) {
        heard.0.push(format!("{despawned:?}"));
    }

    fn on_added(&mut self, added: &Added<Label>, mut heard: ResMut<Heard>) {
        heard.0.push(format!("label of {}", added.entity));
    }

    fn on_removed(&mut self, removed: &Removed<Position>, mut heard: ResMut<Heard>) {
        heard.0.push(format!("{removed:?}"));
    }
}

const ENTITY_LISTS: [&str; 3] = ["guards", "idle", "guests"];

/// The functions that were added, and whether they may own values.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub(crate) struct Functions(Vec<FunctionId>, bool);

fn blow(mut heard: ResMut<Heard>, mut commands: Commands) {
    heard.0.push("wind".to_owned());
    commands.spawn((Label("leaf".to_owned()),));
}

type Whistle = fn(ResMut<'static, Heard>);

/// Owns the number of its calls.
fn whistle(
    pitch: u64,
) -> impl FnMut(ResMut<Heard>) + RepeatableFunction<Whistle, Output = ()> + Function<Whistle, Output = ()> + Clone + Sync
{
    let mut called = 0;
    move |mut heard: ResMut<Heard>| {
        called += 1;
        heard.0.push(format!("whistle at {pitch}, {called}"));
    }
}

/// The options of a world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    /// Such functions cannot be saved.
    pub(crate) functions_own_values: bool,
    pub(crate) traced_frames: usize,
}

/// An empty engine with all systems and stable names.
pub(crate) fn empty(settings: Settings) -> Engine {
    #[cfg_attr(not(feature = "serde"), allow(unused_mut))]
    let mut engine = unsaved(settings);
    #[cfg(feature = "serde")]
    save_all(engine.types_mut()).unwrap();
    engine
}

/// As [`empty`], but nothing is registered for saving.
pub(crate) fn unsaved(settings: Settings) -> Engine {
    let Settings { seed, threads, functions_own_values, traced_frames } = settings;
    let builder = Engine::builder().threads(threads).parallel_threshold(0);
    let mut engine = builder.trace_causes(traced_frames).build();
    engine.add(Movement).unwrap().add(Listening(Dice(seed))).unwrap();
    engine.add(Ringing::default()).unwrap().add(RandomCommands(Dice(seed + 1))).unwrap();
    engine.insert_resource(Heard::default());
    engine.insert_resource(Functions(Vec::new(), functions_own_values));
    engine.every(Duration::from_millis(35), blow).unwrap();
    let types = engine.types_mut();
    types.component_by("position", |position: &Position, hash| _ = hash.add(&position.0)).unwrap();
    types.component_by("speed", |speed: &Speed, hash| _ = hash.add(&speed.0)).unwrap();
    types.component_by("label", |label: &Label, hash| _ = hash.add(&label.0)).unwrap();
    types.component_by("marked", |_: &Marked, _| {}).unwrap();
    types.resource_by("heard", |heard: &Heard, hash| _ = hash.add(&heard.0)).unwrap();
    types.resource_by("functions", |functions: &Functions, hash| _ = hash.printed(functions)).unwrap();
    types.function("blow", blow).unwrap().function("whistle", whistle(0)).unwrap();
    types.event_by("bumped", |bumped: &Bumped, hash| _ = hash.printed(bumped)).unwrap();
    types.event_by("rang", |rang: &Rang, hash| _ = hash.add(&rang.0)).unwrap();
    types.system_by("commands", |system: &RandomCommands, hash| _ = hash.printed(system)).unwrap();
    types.system_by("ringing", |system: &Ringing, hash| _ = hash.printed(system)).unwrap();
    types.system_by("listening", |system: &Listening, hash| _ = hash.printed(system)).unwrap();
    // Snapshots sort the systems as well; nothing can be unsubscribed before.
    engine.order().unwrap();
    engine
}

#[cfg(feature = "serde")]
fn save_all(types: &mut TypeRegistry) -> Result<(), SnapshotError> {
    types.save_with_text::<Position>(1)?.save_with_text::<Speed>(1)?.save_with_text::<Label>(1)?;
    types.save_with_text::<Marked>(1)?.save_with_text::<Heard>(1)?.save_with_text::<Functions>(1)?;
    types.save_with_text::<Bumped>(1)?.save_with_text::<Rang>(1)?;
    types.save_with_text::<RandomCommands>(1)?.save_with_text::<Ringing>(1)?.save_with_text::<Listening>(1)?;
    Ok(())
}

fn add_function(engine: &mut Engine, add: impl FnOnce(&mut Engine) -> Result<FunctionId, Error>) {
    let function = add(engine).unwrap();
    engine.resource_mut::<Functions>().unwrap().0.push(function);
}

/// Changes the engine from outside by random numbers.
pub(crate) fn disturb(engine: &mut Engine, dice: &mut Dice) {
    let ids: Vec<_> = engine.entities().iter().collect();
    let owns = engine.resource::<Functions>().unwrap().1;
    let some = |dice: &mut Dice| ids.get(dice.roll(ids.len().max(1) as u64) as usize).copied().unwrap_or_default();
    for _ in 0..dice.roll(4) {
        let entity = some(dice);
        match dice.roll(30) {
            0 => _ = engine.spawn((Position(1.0), Speed(2.0), Label("outside".to_owned()))),
            1 => _ = engine.despawn(entity),
            2 => _ = engine.spawn_many((0..5).map(|n| (Position(n as f32), Speed(0.5)))),
            3 => _ = engine.despawn_many(ids.iter().copied().step_by(3)),
            4 => _ = engine.remove_many::<Speed>(ids.iter().copied().step_by(4)),
            5 => _ = engine.insert_many(ids.iter().step_by(2).map(|entity| (*entity, (Marked, Speed(3.0))))),
            6 => _ = engine.disable(entity),
            7 => _ = engine.enable(entity),
            8 => _ = engine.disable_component::<Speed>(entity),
            9 => _ = engine.enable_component::<Speed>(entity),
            10 => engine.send(Bumped { entity, depth: 2 }),
            11 => engine.get_mut::<Position>(entity).into_iter().for_each(|position| position.0 -= 1.0),
            12 => engine.run_every::<Movement>(Duration::from_millis(dice.roll(30))).unwrap(),
            13 => engine.run_once_after::<Ringing>(Duration::from_millis(dice.roll(50))).unwrap(),
            14 => engine.set_priority::<Listening>(Priority(dice.roll(5) as u16 * 100)).unwrap(),
            15 => _ = engine.subscribe::<Listening, Rang>(),
            17 => _ = engine.join(ENTITY_LISTS[dice.roll(3) as usize], entity),
            18 => _ = engine.leave(ENTITY_LISTS[dice.roll(3) as usize], entity),
            19 => _ = engine.tag("it", entity),
            20 => _ = engine.global_id(entity),
            21 => _ = engine.adopt_global_id(entity, GlobalId { site: 9, serial: dice.roll(5) as u32 }),
            22 => add_function(engine, |engine| engine.after(Duration::from_millis(12), blow)),
            23..26 if !owns => add_function(engine, |engine| engine.every(Duration::from_millis(dice.roll(40)), blow)),
            23 => add_function(engine, |engine| engine.every(Duration::from_millis(15), whistle(1))),
            24 => add_function(engine, |engine| engine.after(Duration::from_millis(25), whistle(2))),
            25 => {
                let often = whistle(3).every(Duration::from_millis(4)).catch_up(CatchUp::EachInterval);
                engine.add(often.after_type::<Movement>().priority(Priority::HIGH)).unwrap();
                add_function(engine, |engine| Ok(engine.systems().ids_of(whistle(3)).last().unwrap()));
            }
            26 => {
                let functions = engine.resource::<Functions>().unwrap().0.clone();
                if let Some(function) = functions.get(dice.roll(functions.len().max(1) as u64) as usize) {
                    engine.cancel(*function);
                }
            }
            16 => _ = engine.unsubscribe::<Listening, Bumped>(),
            27 => _ = engine.take::<Label>(entity),
            28 => _ = engine.move_component::<Label>(entity, some(dice)),
            _ => engine.run(|mut bumps: Sender<Bumped>| bumps.send(Bumped { entity, depth: 0 })).unwrap(),
        }
    }
    if dice.roll(6) == 0 {
        engine.subscribe::<Listening, Bumped>();
    }
}

/// All visible state of an engine that must be equal after a restore.
pub(crate) fn dump(engine: &mut Engine) -> String {
    let mut text = String::new();
    writeln!(text, "{:?} waiting {}", engine.time(), engine.events().waiting()).unwrap();
    for entity in engine.entities().iter() {
        write!(text, "{entity} {:?} ", engine.entities().is_enabled(entity)).unwrap();
    }
    macro_rules! pools {
        ($($component:ty)+) => {
            // A missing pool equals an empty one.
            $(if let Some(pool) = engine.components().pool::<$component>().filter(|pool| !pool.is_empty()) {
                write!(text, "\n{:?} {:?}: ", pool.len(), pool.iter().collect::<Vec<_>>()).unwrap();
                let mut all: Vec<_> = Vec::new();
                engine.read_filtered::<(EntityId, &$component), IncludeDisabled>().for_each(|(entity, value)| {
                    all.push(format!("{entity} {value:?} {:?}", pool.is_enabled(entity)));
                });
                write!(text, "{all:?}").unwrap();
            })+
        };
    }
    pools!(Position Speed Label Marked);
    let entity_lists = engine.entity_lists();
    for name in entity_lists.names() {
        write!(text, "\n{name}: {:?}", entity_lists.members(name).collect::<Vec<_>>()).unwrap();
    }
    for entity in engine.entities().iter() {
        let (names, global_id) = (entity_lists.of(entity).collect::<Vec<_>>(), engine.assigned_global_id(entity));
        if !names.is_empty() || global_id.is_some() {
            let back = global_id.and_then(|global_id| engine.entity_by_global_id(global_id));
            write!(text, "\n{entity} {names:?} {global_id:?} {back:?}").unwrap();
        }
    }
    write!(text, "\nnext serial {}", engine.next_serial()).unwrap();
    let order: Vec<_> =
        engine.systems().iter().map(|system| (system.name, system.priority, system.is_enabled)).collect();
    write!(text, "\n{order:?}").unwrap();
    write!(text, "\n{:?}{:?}", engine.system::<RandomCommands>(), engine.system::<Listening>()).unwrap();
    write!(text, "\n{:?}\n{:?}", engine.system::<Ringing>(), *engine.resource::<Heard>().unwrap()).unwrap();
    text
}

/// Dumps of an engine after each of `frames` frames, with random disturbances, and the ids that it assigns at the end.
pub(crate) fn run(engine: &mut Engine, frames: u32, mut dice: Dice) -> Vec<String> {
    let mut dumps = Vec::new();
    for _ in 0..frames {
        disturb(engine, &mut dice);
        engine.update(FRAME).unwrap();
        dumps.push(dump(engine));
    }
    dumps.push((0..20).map(|_| engine.spawn(()).to_string()).collect());
    let entity = engine.spawn(());
    dumps.push(format!("{} {:?}", engine.global_id(entity).unwrap(), engine.every(FRAME, blow).unwrap()));
    dumps
}
