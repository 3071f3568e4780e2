//! A run that moves from engine to engine by saves, at random frames, equals the uninterrupted run: with state
//! machines, toggled components, functions, and listeners that are enabled and disabled and that are declared in
//! another order in every second engine.

use std::time::Duration;

use ecs::{
    Added, Commands, Despawned, Engine, EntityId, IncludeDisabled, Query, Removed, Res, ResMut, Sender, Setup, Spawned,
    Spawner, Subscriptions, System,
    prelude::Configure,
    state_machine::{Next, State, StateMachine},
    system::{CatchUp, FunctionId},
};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use super::world::{Dice, FRAME};

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Place(f32);
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Pace(f32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Mood {
    Calm,
    Cross,
    Asleep,
}
use Mood::{Asleep, Calm, Cross};

impl State for Mood {
    const TRANSITIONS: &'static [(Self, Self)] = &[(Calm, Cross), (Cross, Calm), (Calm, Asleep), (Cross, Asleep)];
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Moods(StateMachine<Mood, 2>);

/// An entity changed its mood.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Changed {
    entity: EntityId,
    to: Mood,
}

#[derive(Clone, Default, Serialize, Deserialize)]
struct Heard(Vec<String>);
/// The functions that have been added.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Chores(Vec<FunctionId>);

/// Steps the moods; a sleeping entity has no pace.
#[derive(Clone, Serialize, Deserialize)]
struct Tempers(Dice);

impl System for Tempers {
    fn setup(setup: &mut Setup<Self>) {
        setup.every(Duration::from_millis(15)).catch_up(CatchUp::EachInterval).update(Self::step);
    }
}

impl Tempers {
    fn step(&mut self, mut all: Query<(EntityId, &mut Moods)>, mut changes: Sender<Changed>, mut commands: Commands) {
        for (entity, moods) in &mut all {
            let next = [Next::Change(Cross), Next::Change(Calm), Next::Push(Asleep), Next::Pop, Next::Stay];
            // A forbidden step is ignored.
            let _ = moods.0.step(next[self.0.roll(5) as usize]);
            let to = moods.0.current();
            match to {
                Asleep => commands.disable_component::<Pace>(entity),
                _ => commands.enable_component::<Pace>(entity),
            }
            changes.send(Changed { entity, to });
        }
    }
}

/// Logs the events that it receives, and records commands late in the frame, so that they wait.
#[derive(Clone, Serialize, Deserialize)]
struct Historian<const IS_REVERSED: bool>(Dice);

impl<const IS_REVERSED: bool> System for Historian<IS_REVERSED> {
    fn setup(setup: &mut Setup<Self>) {
        if IS_REVERSED {
            setup.listen(Self::on_despawned).listen(Self::on_removed).listen_later(Self::on_added);
            setup.listen(Self::on_spawned).listen(Self::on_changed);
        } else {
            setup.listen(Self::on_changed).listen(Self::on_spawned).listen_later(Self::on_added);
            setup.listen(Self::on_removed).listen(Self::on_despawned);
        }
    }
}

impl<const IS_REVERSED: bool> Historian<IS_REVERSED> {
    fn on_changed(&mut self, changed: &Changed, mut heard: ResMut<Heard>, mut subscriptions: Subscriptions) {
        heard.0.push(format!("{changed:?}"));
        match self.0.roll(8) {
            0 => _ = subscriptions.subscribe::<Self, Added<Pace>>(),
            1 => _ = subscriptions.unsubscribe::<Self, Added<Pace>>(),
            2 => _ = subscriptions.unsubscribe::<Self, Removed<Moods>>(),
            3 => _ = subscriptions.subscribe::<Self, Removed<Moods>>(),
            _ => {}
        }
    }

    fn on_spawned(&mut self, spawned: &Spawned, chores: Res<Chores>, mut commands: Commands, mut spawner: Spawner) {
        let entity = spawned.entity;
        match self.0.roll(9) {
            0 => commands.insert(entity, (Pace(0.5), Moods(StateMachine::new(Cross)))),
            1 => commands.insert(entity, (Place(4.0), Pace(1.0))),
            2 => _ = spawner.spawn((Place(7.0), Moods(StateMachine::new(Calm)))),
            3 => commands.despawn(entity),
            4 => commands.join("new", entity),
            5 => commands.disable(entity),
            6 => chores.0.iter().take(2).for_each(|chore| commands.disable_function(*chore)),
            7 => chores.0.last().into_iter().for_each(|chore| commands.cancel(*chore)),
            _ => commands.spawn_many((0..2_u8).map(|n| (Place(f32::from(n)), Pace(2.0)))),
        }
    }

    fn on_added(&mut self, added: &Added<Pace>, mut heard: ResMut<Heard>, mut commands: Commands) {
        heard.0.push(format!("pace of {}", added.entity));
        commands.tag("latest", added.entity);
    }

    fn on_removed(&mut self, removed: &Removed<Moods>, mut heard: ResMut<Heard>) {
        heard.0.push(format!("{removed:?}"));
    }

    fn on_despawned(&mut self, despawned: &Despawned, mut heard: ResMut<Heard>) {
        heard.0.push(format!("{despawned:?}"));
    }
}

fn chore(mut heard: ResMut<Heard>, mut commands: Commands, sleepers: Query<&Moods, IncludeDisabled>) {
    heard.0.push(format!("{} moods", sleepers.iter().count()));
    commands.spawn((Place(-3.0),));
}

fn empty<const IS_REVERSED: bool>(seed: u64, compact: bool) -> Engine {
    let mut engine = Engine::new();
    engine.add(Historian::<IS_REVERSED>(Dice(seed))).unwrap().add(Tempers(Dice(seed + 1))).unwrap();
    engine.insert_resource(Heard::default());
    engine.insert_resource(Chores::default());
    let types = engine.types_mut();
    types.component_by("place", |place: &Place, hash| _ = hash.add(&place.0)).unwrap();
    types.component_by("pace", |pace: &Pace, hash| _ = hash.add(&pace.0)).unwrap();
    types.component_by("moods", |moods: &Moods, hash| _ = hash.printed(&moods.0)).unwrap();
    types.event_by("changed", |changed: &Changed, hash| _ = hash.printed(changed)).unwrap();
    types.resource_by("heard", |heard: &Heard, hash| _ = hash.add(&heard.0)).unwrap();
    types.resource_by("chores", |chores: &Chores, hash| _ = hash.printed(&chores.0)).unwrap();
    types.system_by("tempers", |own: &Tempers, hash| _ = hash.printed(&own.0)).unwrap();
    types.system_by("historian", |own: &Historian<IS_REVERSED>, hash| _ = hash.printed(&own.0)).unwrap();
    types.function("chore", chore).unwrap();
    types
        .save_with_text::<Heard>(1)
        .unwrap()
        .save_with_text::<Chores>(1)
        .unwrap()
        .save_with_text::<Tempers>(1)
        .unwrap();
    types.save_with_text::<Historian<IS_REVERSED>>(1).unwrap();
    match compact {
        true => types.save::<Place>(1).unwrap().save::<Pace>(1).unwrap().save::<Moods>(1).unwrap().save::<Changed>(1),
        false => {
            types.save_with_text::<Place>(1).unwrap().save_with_text::<Pace>(1).unwrap().save_with_text::<Moods>(1)
        }
    }
    .unwrap();
    types.save_with_text::<Changed>(1).unwrap();
    engine.order().unwrap();
    engine
}

fn disturb(engine: &mut Engine, dice: &mut Dice) {
    let ids: Vec<_> = engine.entities().iter().collect();
    for _ in 0..dice.roll(4) {
        let entity = ids.get(dice.roll(ids.len().max(1) as u64) as usize).copied().unwrap_or_default();
        let millis = |dice: &mut Dice| Duration::from_millis(dice.roll(40));
        match dice.roll(12) {
            0..3 => _ = engine.spawn((Place(1.0), Pace(2.0), Moods(StateMachine::new(Calm)))),
            3 => _ = engine.despawn(entity),
            4 => _ = engine.remove::<Moods>(entity),
            5 => _ = engine.disable_component::<Place>(entity),
            6 => _ = engine.enable_component::<Place>(entity),
            7 => _ = engine.enable(entity),
            8 => engine.send(Changed { entity, to: Asleep }),
            9 => _ = engine.insert(entity, (Pace(9.0),)),
            10 => {
                let chores = engine.every(millis(dice), chore).unwrap();
                engine.resource_mut::<Chores>().unwrap().0.push(chores);
            }
            _ => {
                let often = chore.every(millis(dice)).catch_up(CatchUp::EachInterval);
                engine.add(often.after_type::<Tempers>()).unwrap();
                let chores = engine.systems().ids_of(chore).last().unwrap();
                engine.resource_mut::<Chores>().unwrap().0.push(chores);
            }
        }
    }
}

/// The visible state, and the number of failed commands.
fn seen(engine: &mut Engine) -> (ecs::StateHash, Vec<String>, usize, usize) {
    let heard = engine.resource::<Heard>().unwrap().0.clone();
    let failed = engine.command_errors().len();
    (engine.state_hash().unwrap(), heard, failed, engine.events().waiting())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, ..ProptestConfig::default() })]

    #[test]
    fn relayed_run_equals_the_uninterrupted_run(
        seed in any::<u32>(),
        script in any::<u32>(),
        relay in prop::collection::vec(prop::sample::select(vec!["", "", "bytes", "compact", "text"]), 1..14),
    ) {
        let (mut alone, mut handed_on) = (empty::<false>(seed.into(), false), empty::<false>(seed.into(), false));
        let mut dice = Dice(script.into());
        let mut is_reversed = false;
        for how in relay {
            let mut same = dice;
            disturb(&mut alone, &mut dice);
            disturb(&mut handed_on, &mut same);
            if !how.is_empty() {
                is_reversed = !is_reversed;
                let make = if is_reversed { empty::<true> } else { empty::<false> };
                let mut next = make(99, how == "compact");
                match how {
                    // An engine without texts loads and saves bytes only; nothing is lost.
                    "compact" => {
                        let mut bytes = Vec::new();
                        handed_on.save(&mut bytes).unwrap();
                        next.load(&mut bytes.as_slice()).unwrap();
                        bytes.clear();
                        next.save(&mut bytes).unwrap();
                        next = make(98, false);
                        next.load(&mut bytes.as_slice()).unwrap();
                    }
                    "bytes" => {
                        let mut bytes = Vec::new();
                        handed_on.save(&mut bytes).unwrap();
                        next.load(&mut bytes.as_slice()).unwrap();
                    }
                    _ => _ = next.load_text(&handed_on.save_text().unwrap()).unwrap(),
                }
                handed_on = next;
                prop_assert_eq!(alone.state_hash().unwrap(), handed_on.state_hash().unwrap());
            }
            alone.update(FRAME).unwrap();
            handed_on.update(FRAME).unwrap();
            prop_assert_eq!(seen(&mut alone), seen(&mut handed_on));
        }
        let ids = |engine: &mut Engine| (0..9).map(|_| engine.spawn(()).to_string()).collect::<Vec<_>>();
        prop_assert_eq!(ids(&mut alone), ids(&mut handed_on));
    }
}
