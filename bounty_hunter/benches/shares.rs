//! What a step of the game is spent on: rapier, each system, its listeners, and the framework itself.
//!
//! `cargo bench -p bounty_hunter --bench shares`, with other numbers of players after `--`; fails where the framework
//! takes more than its limit.
//!
//! A match is played twice, alternately, once by an engine without a clock and once by one that measures. The shares
//! are those of the second; the first says how long a step really takes.
//!
//! Reading the clock takes time itself. Of the two readings around a piece of work, the second half of the first and
//! the first half of the second are measured as part of the work; the other two halves are measured as part of its
//! caller: for systems and listeners that is the framework. So readings are counted, and their cost is subtracted.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::physics::Physics;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::GameState;
use ecs::Engine;

/// Steps of all players together that are measured, so that each size takes about as long.
const PLAYER_STEPS: usize = 1_000_000;
/// Steps of a running match before the measured ones: by then bounties have come and gone, and collectors have met.
const WARM_UP_STEPS: usize = 300;

/// Steps that one engine takes before the other one continues, so that each works with warm caches.
const STEPS_OF_A_TURN: usize = 50;

/// The most that the framework may take of a step, in percent. It takes 2.7 µs of a step of 16 players, of which the
/// rest takes 23 µs.
const LIMIT_OF_THE_FRAMEWORK: f64 = 15.0;

/// How often the clock was looked at.
static LOOKS: AtomicU64 = AtomicU64::new(0);

/// The clock of the engine that measures.
fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    LOOKS.fetch_add(1, Ordering::Relaxed);
    START.elapsed()
}

/// Seconds that a look at the clock takes.
fn seconds_of_a_look() -> f64 {
    const LOOKS_AT_ONCE: u32 = 100_000;
    let best = (0..20).map(|_| {
        let started = Instant::now();
        (0..LOOKS_AT_ONCE).for_each(|_| _ = black_box(now()));
        started.elapsed()
    });
    best.min().unwrap_or_default().as_secs_f64() / f64::from(LOOKS_AT_ONCE)
}

/// Seconds by what took them.
type Seconds = BTreeMap<String, f64>;

const RAPIER: &str = "rapier's step";
const FRAMEWORK: &str = "the framework";
const LOOKING: &str = "looks at the clock";

/// What one size of match comes to.
struct Column {
    players: usize,
    steps: usize,
    /// What the frames were spent on, altogether.
    parts: Seconds,
    /// Seconds of the step in the middle, by the engine without a clock and by the one with it.
    usual_step: f64,
    measured_step: f64,
}

fn start(players: usize, has_clock: bool) -> Simulation {
    let mut assets = Assets::built_in();
    // A match that neither ends nor stands still while it is measured.
    let vast = r#"{ "vast": (like: "stash", components: { "capacity": (points: 1000000.0) }) }"#;
    assets.prefabs.load("vast.ron", vast).expect("the variant has no mistake");
    assets.game.kinds.stash = "vast".to_owned();
    assets.game.countdown_seconds = 0.1;
    let setup = MatchSetup { play_seconds: Some(86_400.0), ..MatchSetup::of_ais(1, players, "normal") };
    let engine = if has_clock { Engine::builder().clock(now) } else { Engine::builder() };
    let mut simulation = Simulation::with_engine(&assets, &setup, engine).expect("the match can be set up");
    while simulation.step(&Inputs::none()).state != GameState::Running {}
    if has_clock {
        simulation.engine_mut().resource_mut::<Physics>().expect("the match has a physics").measure(now);
    }
    for _ in 0..WARM_UP_STEPS {
        simulation.step(&Inputs::none());
    }
    simulation
}

/// What the frames so far were spent on, with the looks at the clock still in it.
fn spent(simulation: &Simulation) -> Seconds {
    let engine = simulation.engine();
    let rapier = engine.resource::<Physics>().expect("the match has a physics").step_time();
    let mut parts = Seconds::from([(RAPIER.to_owned(), rapier.as_secs_f64())]);
    let mut framework = engine.frame_times().total;
    for system in engine.systems().iter() {
        framework -= system.run_time + system.listen_time;
        let own = if system.name == "Motion" { system.run_time - rapier } else { system.run_time };
        parts.insert(system.name.to_owned(), own.as_secs_f64());
        parts.insert(format!("{}, listening", system.name), system.listen_time.as_secs_f64());
    }
    parts.insert(FRAMEWORK.to_owned(), framework.as_secs_f64());
    parts
}

/// Takes steps and notes how long each takes.
fn take_steps(simulation: &mut Simulation, steps: usize, seconds: &mut Vec<f64>) {
    for _ in 0..steps {
        let started = Instant::now();
        simulation.step(&Inputs::none());
        seconds.push(started.elapsed().as_secs_f64());
    }
}

fn middle(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

fn measure(players: usize, seconds_of_a_look: f64) -> Column {
    let turns = (PLAYER_STEPS / players / STEPS_OF_A_TURN).clamp(2, 400);
    let steps = turns * STEPS_OF_A_TURN;
    let (mut usual, mut measuring) = (start(players, false), start(players, true));
    let (mut usual_seconds, mut measured_seconds) = (Vec::new(), Vec::new());
    let (before, looks_before) = (spent(&measuring), LOOKS.load(Ordering::Relaxed));
    for _ in 0..turns {
        take_steps(&mut usual, STEPS_OF_A_TURN, &mut usual_seconds);
        take_steps(&mut measuring, STEPS_OF_A_TURN, &mut measured_seconds);
    }
    assert_eq!(usual.state_hash(), measuring.state_hash(), "measuring must change nothing");
    let looks = LOOKS.load(Ordering::Relaxed) - looks_before;

    let mut parts = spent(&measuring);
    parts.iter_mut().for_each(|(part, seconds)| *seconds -= before[part]);
    // Two of the looks in a step are around the frame, where one of them counts, and two around rapier's step.
    let in_the_framework = (looks / 2 - 2 * steps as u64) as f64 * seconds_of_a_look;
    *parts.entry(FRAMEWORK.to_owned()).or_default() -= in_the_framework;
    parts.insert(LOOKING.to_owned(), in_the_framework);
    Column { players, steps, parts, usual_step: middle(usual_seconds), measured_step: middle(measured_seconds) }
}

/// A row of a Markdown table.
fn row(name: &str, columns: &[Column], cell: impl Fn(&Column) -> String) {
    let cells: String = columns.iter().map(|column| format!(" {:>14} |", cell(column))).collect();
    println!("| {name:<26} |{cells}");
}

fn main() -> ExitCode {
    let sizes: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![16, 1_000, 10_000] } else { sizes };
    let look = seconds_of_a_look();
    let columns: Vec<Column> = sizes.into_iter().map(|players| measure(players, look)).collect();

    let share = |column: &Column, is_wanted: &dyn Fn(&str) -> bool| {
        let wanted = column.parts.iter().filter(|(part, _)| is_wanted(part)).map(|(_, seconds)| seconds).sum::<f64>();
        100.0 * wanted / column.parts.values().sum::<f64>()
    };
    let share_row = |name: &str, is_wanted: &dyn Fn(&str) -> bool| {
        row(name, &columns, |column| format!("{:.2} %", share(column, is_wanted)));
    };
    let is_listening = |part: &str| part.ends_with(", listening");
    let is_shown = |part: &&str| columns.iter().any(|column| share(column, &|other| other == *part) >= 0.005);
    let parts = || columns.iter().take(1).flat_map(|column| column.parts.keys()).map(String::as_str);
    let is_system = |part: &&str| ![RAPIER, FRAMEWORK, LOOKING].contains(part) && !is_listening(part);

    row("part of a frame", &columns, |column| format!("{} players", column.players));
    println!("|{}|{}", "-".repeat(28), "---------------:|".repeat(columns.len()));
    share_row(RAPIER, &|part| part == RAPIER);
    for part in parts().filter(is_system).filter(is_shown) {
        share_row(part, &|other| other == part);
    }
    share_row("all listeners", &is_listening);
    for part in parts().filter(|part| is_listening(part)).filter(is_shown) {
        share_row(&format!("- {}", part.trim_end_matches(", listening")), &|other| other == part);
    }
    share_row(FRAMEWORK, &|part| part == FRAMEWORK);
    share_row(LOOKING, &|part| part == LOOKING);
    let microseconds = |seconds: f64| format!("{:.1} µs", seconds * 1e6);
    row("step, with the clock", &columns, |column| microseconds(column.measured_step));
    row("step, without it", &columns, |column| microseconds(column.usual_step));
    row("steps measured", &columns, |column| column.steps.to_string());
    println!(
        "\nSystems stand there without rapier's step, but with whatever else they ask of rapier and of the framework."
    );
    println!(
        "A look at the clock takes {:.0} ns. What looks add to the framework stands in a row of its own; about as much",
        look * 1e9
    );
    println!("is still in systems and listeners. The time of a step is that of the one in the middle.");

    let mut exit = ExitCode::SUCCESS;
    for column in &columns {
        let own = share(column, &|part| part == FRAMEWORK);
        // No steps, no share.
        if own.is_nan() || own > LIMIT_OF_THE_FRAMEWORK {
            eprintln!(
                "error: with {} players the framework takes {own:.2} % of a step, and may take at most {LIMIT_OF_THE_FRAMEWORK} %",
                column.players
            );
            exit = ExitCode::FAILURE;
        }
    }
    exit
}
