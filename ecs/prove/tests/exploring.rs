//! A dungeon with 20 planted bugs, each behind more doors than the one before: what the explorer finds, and what random
//! play without branches finds in the same number of steps.

use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

use ecs::EngineBuilder;
use ecs::prelude::*;
use ecs::random::RandomStream;
use ecs_prove::{Explored, Explorer, FindingKind, Refuted, explore};

type Anything = Box<dyn std::error::Error + Send + Sync>;

const ROOMS: u32 = 12;
const BUGS: u32 = 20;
const TORCH: &str = "the torch is lit twice";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    Rest,
    Left,
    Right,
    Pull,
    Take,
}

const ACTS: [Act; 5] = [Act::Rest, Act::Left, Act::Right, Act::Pull, Act::Take];

#[derive(Clone, serde::Serialize, serde::Deserialize)]
struct Hero {
    room: u32,
    keys: i32,
    health: i32,
    weight_kg: f32,
}

/// A door is opened by two acts, one after the other.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
struct Door {
    room: u32,
    progress: u32,
    is_open: bool,
}

/// The coins of the dungeon: those in rooms and those of the hero are always as many.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
struct Coins {
    lying: u32,
    carried: u32,
}

#[derive(Clone)]
struct Planted(Option<u32>);

#[derive(Clone, Copy)]
struct Acted(Act);

#[derive(Clone, Copy)]
struct Opened(u32);

/// The two acts that open the door of a room.
fn code(room: u32) -> [Act; 2] {
    [[Act::Pull, Act::Take], [Act::Rest, Act::Pull], [Act::Take, Act::Rest]][room as usize % 3]
}

fn act(
    &Acted(act): &Acted,
    mut hero: ResMut<Hero>,
    mut coins: ResMut<Coins>,
    mut doors: Query<&mut Door>,
    mut opened: Sender<Opened>,
) {
    let here = hero.room;
    for door in doors.iter_mut().filter(|door| door.room == here && !door.is_open) {
        door.progress = if act == code(here)[door.progress as usize] { door.progress + 1 } else { 0 };
        if door.progress == 2 {
            (door.is_open, door.progress) = (true, 0);
            opened.send(Opened(here));
        }
    }
    match act {
        Act::Left => hero.room = here.saturating_sub(1),
        Act::Right if here < ROOMS => match doors.iter().all(|door| door.room != here || door.is_open) {
            true => hero.room += 1,
            // The guard wakes up, and throws the hero out.
            false => hero.room = 0,
        },
        Act::Take if coins.lying > 0 && here % 4 == 3 => {
            (coins.lying, coins.carried) = (coins.lying - 1, coins.carried + 1)
        }
        _ => {}
    }
}

/// One of the bugs: in its room, behind an act of its own.
fn misbehave(
    &Acted(act): &Acted,
    planted: Res<Planted>,
    mut hero: ResMut<Hero>,
    mut coins: ResMut<Coins>,
    mut commands: Commands,
) {
    let Some(bug) = planted.0.filter(|bug| hero.room == room_of(*bug) && act == act_of(*bug)) else { return };
    match bug % 5 {
        0 => panic!("{TORCH}"),
        1 => hero.keys -= 1,
        2 => hero.weight_kg = f32::NAN,
        3 => coins.carried += 1,
        _ => commands.spawn((Door { room: ROOMS + 1, progress: 0, is_open: false },)),
    }
}

/// The room in which a bug shows.
fn room_of(bug: u32) -> u32 {
    2 + bug / 2
}

fn act_of(bug: u32) -> Act {
    [Act::Rest, Act::Pull, Act::Take][bug as usize % 3]
}

/// The least number of acts that show a bug: two for each door, one to go through, and its own.
fn shortest(bug: u32) -> usize {
    let room = room_of(bug);
    // The hero begins in the first room. An act that opens a door may be that of the bug: then one less may do.
    (room + 2 * (room - 1) + 1) as usize
}

fn make(engine: EngineBuilder, planted: Option<u32>) -> Result<Engine, Anything> {
    let mut engine = engine.build();
    let types = engine.types_mut();
    types.resource_by::<Hero>("hero", |hero, hash| {
        _ = hash.add(&hero.room).add(&hero.keys).add(&hero.health).add(&hero.weight_kg)
    })?;
    types.resource_by::<Coins>("coins", |coins, hash| _ = hash.add(&coins.lying).add(&coins.carried))?;
    types.save::<Hero>(1)?.save::<Coins>(1)?;
    types
        .component_by::<Door>("door", |door, hash| _ = hash.add(&door.room).add(&door.progress).add(&door.is_open))?
        .save::<Door>(1)?;
    types.resource_by::<Planted>("planted", |_, _| {})?;
    types
        .event_by::<Acted>("acted", |_, _| {})?
        .event_by::<Opened>("opened", |opened, hash| _ = hash.add(&opened.0))?;
    engine.insert_resource(Hero { room: 0, keys: 0, health: 3, weight_kg: 70.0 });
    engine.insert_resource(Coins { lying: 20, carried: 0 });
    engine.insert_resource(Planted(planted));
    for room in 1..ROOMS {
        engine.spawn((Door { room, progress: 0, is_open: false },));
    }
    engine.add((act, misbehave.after(act)))?;
    Ok(engine)
}

const INVARIANTS: &str = "
no debts: hero.keys >= 0
weighed: hero.weight_kg >= 0
coins are conserved: coins.lying + coins.carried = 20
doors are in rooms: door.room <= 12
";

fn step(engine: &mut Engine, act: &Act) -> Result<(), ecs::Error> {
    engine.send(Acted(*act));
    engine.update(Duration::from_millis(16))
}

/// The panic of a bug is no news.
fn quiet() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if info.payload_as_str() != Some(TORCH) {
                tell(info);
            }
        }));
    });
}

fn draw(random: &mut RandomStream) -> Act {
    *random.pick(&ACTS).unwrap()
}

/// Searches for one bug.
fn search(bug: Option<u32>, steps: u64, branches: bool) -> Explored<Act> {
    let explorer = explore(move |builder| make(builder, bug), step, draw);
    let explorer = explorer.invariants(INVARIANTS).states("hero.room").held(1).steps(steps).longest(400);
    let explorer = if branches { explorer } else { explorer.without_branches() };
    explorer.run().unwrap()
}

#[test]
fn deep_bugs_are_found_sooner_than_by_random_play_and_shrunk() {
    quiet();
    const STEPS: u64 = 20_000;
    let mut played = [0; 2];
    let mut found = [0; 2];
    let mut took = [Duration::ZERO; 2];
    for bug in 0..BUGS {
        for (way, branches) in [true, false].into_iter().enumerate() {
            let begun = Instant::now();
            let explored = search(Some(bug), STEPS, branches);
            took[way] += begun.elapsed();
            played[way] += explored.steps;
            found[way] += explored.findings.len();
            for finding in &explored.findings {
                let (steps, known) = (finding.inputs.len(), shortest(bug));
                println!("bug {bug}, branches {branches}: after {} steps, {steps} inputs of {known}", explored.steps);
                assert!(steps <= 2 * known, "bug {bug}: {steps} inputs, by hand {known}");
                let kind = if bug % 5 == 0 { FindingKind::Panic } else { FindingKind::Broken };
                assert_eq!(finding.kind, kind, "bug {bug}");
            }
        }
    }
    let rate = |way: usize| f64::from(u32::try_from(found[way]).unwrap()) / played[way] as f64;
    println!("found {found:?} in {played:?} steps and {took:?}: {:.1} times as many a step", rate(0) / rate(1));
    assert!(found[0] >= 19, "{} of {BUGS}", found[0]);
    assert!(rate(0) >= 5.0 * rate(1));
}

#[test]
fn a_program_without_bugs_is_left_in_peace_and_all_of_it_is_seen() {
    let explorer =
        explore(|builder| make(builder, None), step, draw).invariants(INVARIANTS).states("hero.room").held(1);
    let explorer = explorer.sometimes("the end", &format!("hero.room = {ROOMS}")).sometimes("never", "hero.keys > 3");
    let explorer = explorer.sometimes("rich", "coins.carried >= 18").longest(600).steps(60_000);
    let explored = explorer.run().unwrap();
    assert!(explored.findings.is_empty(), "{explored}");
    assert_eq!(explored.never_seen, ["never"], "{explored}");
    assert!(explored.to_string().ends_with("nothing found\nnever seen: never"), "{explored}");
}

/// Invariants that compare with the frame before know it wherever a run goes on.
#[test]
fn what_invariants_remember_goes_with_each_state() {
    let make = |builder: EngineBuilder| -> Result<Engine, Anything> {
        let mut engine = make(builder, None)?;
        engine.add(|&Acted(act): &Acted, mut hero: ResMut<Hero>| {
            let change = if act == Act::Take && hero.room == 1 { 10 } else { 1 };
            hero.keys = (hero.keys + change) % 300;
            hero.health = if hero.keys > 250 && act == Act::Left { -1 } else { 3 };
        })?;
        Ok(engine)
    };
    for seed in 0..6 {
        let explorer = explore(make, step, draw).invariants("no jump: delta(hero.keys) <= 5\nalive: hero.health > 0");
        let explored = explorer.held(1).seed(seed).findings(4).steps(6_000).run().unwrap();
        assert!(!explored.findings.is_empty());
        let wrong = explored.findings.iter().find(|finding| finding.kind != FindingKind::Broken);
        assert!(wrong.is_none(), "seed {seed}: {explored}");
    }
}

#[test]
fn the_same_seed_finds_the_same_and_workers_stop_each_other() {
    let of = |seed: u64, workers: usize| -> Explored<Act> {
        let explorer = explore(|builder| make(builder, Some(6)), step, draw).invariants(INVARIANTS).held(1);
        explorer.states("hero.room").seed(seed).workers(workers).steps(200_000).run().unwrap()
    };
    let told = |explored: &Explored<Act>| (explored.steps, explored.findings[0].inputs.clone());
    assert_eq!(told(&of(3, 1)), told(&of(3, 1)));
    assert_ne!(told(&of(3, 1)).0, told(&of(4, 1)).0);
    let by_three = of(3, 3);
    assert_eq!(by_three.findings.len(), 1);
    assert!(by_three.steps < 200_000);
}

#[test]
fn what_was_reached_is_kept_in_a_file_and_gone_on_from() {
    let file = std::env::temp_dir().join(format!("ecs_prove_seeds_{}", std::process::id()));
    let of = |bug: u32, steps: u64| {
        let explorer = explore(move |builder| make(builder, Some(bug)), step, draw).invariants(INVARIANTS).held(1);
        explorer.states("hero.room").seeds(&file).steps(steps).run().unwrap()
    };
    // A shallow search with a bug that shows at the very end.
    quiet();
    let first = of(99, 30_000);
    assert!(first.findings.is_empty());
    let again = of(BUGS - 1, 60_000);
    let alone = search(Some(BUGS - 1), 60_000, true);
    assert_eq!(again.findings.len(), 1, "{again}");
    println!("with seeds after {} steps, alone after {}", again.steps, alone.steps);
    // What is kept leads farther than the steps would that are left.
    let few = |seeds: bool| {
        let explorer = explore(|builder| make(builder, None), step, draw).states("hero.room").held(1).steps(2_000);
        let explorer = explorer.sometimes("far", "hero.room >= 8");
        if seeds { explorer.seeds(&file) } else { explorer }.run().unwrap().never_seen
    };
    assert_eq!((few(false), few(true)), (vec!["far".to_owned()], vec![]));
    // What there was no time for is kept.
    let lines = || std::fs::read_to_string(&file).unwrap().lines().count();
    let before = lines();
    of(99, 10);
    assert!(lines() >= before, "{} lines of {before}", lines());
    std::fs::write(&file, "12:4 zz:1\n").unwrap();
    let explorer = explore(|builder| make(builder, None), step, draw).seeds(&file);
    let refused = explorer.run().unwrap_err().to_string();
    std::fs::remove_file(&file).unwrap();
    assert!(refused.ends_with("line 1 is not a list of seeds and steps, such as `1f:16 9c:4`"), "{refused}");
}

/// A candle is lit long before the powder in the last room explodes: nothing helps any more.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
struct Fuse {
    left: Option<u32>,
}

#[test]
fn step_at_which_a_failure_became_inevitable_is_told() {
    let make = |builder: EngineBuilder| -> Result<Engine, Anything> {
        let mut engine = builder.build();
        engine.types_mut().resource_by::<Fuse>("fuse", |fuse, hash| _ = hash.printed(&fuse.left))?.save::<Fuse>(1)?;
        engine.types_mut().event_by::<Acted>("acted", |_, _| {})?;
        engine.types_mut().local::<u32>("pulled")?;
        engine.insert_resource(Fuse { left: None });
        engine.add(|&Acted(act): &Acted, mut fuse: ResMut<Fuse>, mut pulled: Local<u32>| {
            *pulled = if act == Act::Pull { *pulled + 1 } else { 0 };
            fuse.left = match fuse.left {
                None => (*pulled == 3).then_some(40),
                Some(left) => Some(left.saturating_sub(1)),
            };
        })?;
        Ok(engine)
    };
    let explorer = explore(make, step, draw).invariants("no fire: not (fuse.left = 0)").held(1).inevitable(40);
    let explored = explorer.steps(50_000).run().unwrap();
    let finding = &explored.findings[0];
    assert_eq!(finding.inputs.len(), 43, "{finding}");
    assert_eq!(finding.inputs[..3], [Act::Pull; 3]);
    let [before, after] = finding.turning_point().unwrap();
    assert_eq!((before.step, after.step, after.share), (2, 3, 1.0), "{finding}");
    assert!(finding.to_string().contains("look at step 3: there it became likely"), "{finding}");
}

#[test]
fn inputs_are_made_simpler_and_errors_and_differences_are_told() {
    let failing = |builder: EngineBuilder| make(builder, None);
    let step_or_fail = |engine: &mut Engine, number: &u32| match number % 7 {
        3 => Err(format!("{number} is refused")),
        _ => engine.update(Duration::from_millis(16)).map_err(|error| error.to_string()),
    };
    let explorer = explore(failing, step_or_fail, |random: &mut RandomStream| random.below(1_000));
    let explored = explorer.simpler(|number| (0..*number.min(&10)).collect()).run().unwrap();
    let finding = &explored.findings[0];
    assert_eq!((finding.kind, &finding.inputs[..]), (FindingKind::Error, &[3][..]), "{finding}");
    assert_eq!(finding.sentence, "3 is refused");
    // State outside of the engine.
    let counted = |builder: EngineBuilder| -> Result<Engine, Anything> {
        let mut engine = make(builder, None)?;
        engine.add(|mut hero: ResMut<Hero>| {
            static CALLS: AtomicI32 = AtomicI32::new(0);
            hero.health = CALLS.fetch_add(1, Ordering::Relaxed) / 100;
        })?;
        Ok(engine)
    };
    let explored = explore(counted, step, draw).held(1).steps(20_000).run().unwrap();
    assert_eq!(explored.findings[0].kind, FindingKind::Difference, "{explored}");
    assert!(explored.findings[0].sentence.contains("hero"), "{explored}");
}

#[test]
fn what_cannot_be_asked_is_one_sentence() {
    let explorer = || explore(|builder| make(builder, None), step, draw);
    let refused = |explorer: Explorer<'_, Engine, Act>| -> String {
        let outcome: Result<_, Refuted> = explorer.run();
        outcome.unwrap_err().to_string()
    };
    assert!(
        refused(explorer().invariants("a: haro.room = 1"))
            .starts_with("cannot read the invariants: line 1: column 1: no component")
    );
    assert_eq!(
        refused(explorer().sometimes("rich", "count(door)")),
        "cannot see \"rich\" sometimes: this is a value and no condition"
    );
    assert!(refused(explorer().states("count(")).starts_with("cannot ask `count(`: column"));
    // A field that is not there is no invariant that holds.
    let fields = "has no field `rooom`: it has room, keys, health, weight_kg";
    assert_eq!(refused(explorer().states("hero.rooom")), format!("cannot ask `hero.rooom`: `hero` {fields}"));
    let told = refused(explorer().invariants("a: hero.rooom >= 0"));
    assert_eq!(told, format!("cannot read the invariants: line 1: `hero` {fields}"));
}

#[cfg(feature = "proptest")]
#[test]
fn strategies_of_proptest_draw_inputs() {
    use proptest::prelude::*;
    let strategy = prop_oneof![3 => Just(Act::Pull), 1 => Just(Act::Take), 1 => Just(Act::Right), 1 => Just(Act::Rest)];
    let of = |seed: u64| {
        let explorer = explore(|builder| make(builder, Some(9)), step, ecs_prove::drawn_by(strategy.clone()));
        explorer.invariants(INVARIANTS).held(1).seed(seed).run().unwrap()
    };
    quiet();
    let explored = of(1);
    assert_eq!(explored.findings.len(), 1, "{explored}");
    assert!(explored.findings[0].inputs.iter().all(|act| *act != Act::Left));
    assert_eq!(of(1).steps, explored.steps, "the same seed finds the same");
}
