//! `bounty_hunter explore`: looks for inputs that break a match.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use bounty_hunter::assets::Assets;
use bounty_hunter::collector::Collector;
use bounty_hunter::config::MatchRules;
use bounty_hunter::game_object::{Life, Transform};
use bounty_hunter::input::{Cheat, Command, Inputs, Intent};
use bounty_hunter::player::Seat;
use bounty_hunter::replay::Recorder;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::spell::Spell;
use bounty_hunter::wall::SolidWalls;
use ecs::random::RandomStream;
use ecs::{Engine, EngineBuilder};
use ecs_prove::{Explored, explore};

use super::Failure;
use super::arguments::ExploreArguments;
use super::asserted::invariants_text;
use super::prove::Match;

/// What must hold in each step of any match.
const INVARIANTS: &str = include_str!("explore_invariants.txt");
/// What a search must see, or it has shown little.
const SOMETIMES: [(&str, &str); 4] = [
    ("two collectors crash", "sent(`collision begin`) > 0 and sent(`game object killed`) > 1"),
    ("a stash takes in a load", "sent(`bounty stashed`) > 0"),
    ("the match is over", "`game flow`.result and `game flow`.clock_ticks <= 0"),
    ("a pocket is nearly full", "pocket.carried >= 0.8 * capacity.points"),
];
/// Metres that an object may be beyond the edge of the world, before it comes back at the other side.
const BEYOND_THE_EDGE_M: f32 = 5.0;
/// Metres that a collector may be pushed into a wall by others.
const WITHIN_A_WALL_M: f32 = 0.5;

/// Explores a match; returns what was found, as text.
///
/// # Errors
/// - [`Failure::BadInput`] if a file cannot be read or written.
/// - [`Failure::Broken`] if something was found.
pub(crate) fn explore_match(assets: &Assets, arguments: &ExploreArguments) -> Result<String, Failure> {
    let players = arguments.players.unwrap_or(assets.game.players) as usize;
    let mut setup = MatchSetup::of_ais(arguments.seed, players, "normal");
    let seats = u32::from(arguments.seats).min(players as u32);
    setup.seats[..seats as usize].fill(Seat::Script);
    setup.play_seconds = arguments.seconds.map(|seconds| seconds as f32);
    let make = |engine: EngineBuilder| Simulation::with_engine(assets, &setup, engine).map(Match);
    let step = |game: &mut Match, inputs: &Inputs| -> Result<(), ecs::Error> {
        game.0.step(inputs);
        Ok(())
    };
    let mut explorer = explore(make, step, move |random: &mut RandomStream| draw(random, seats))
        .invariants(INVARIANTS)
        .check("nobody is lost", |game| nobody_is_lost(game.0.engine_mut()))
        .check("nobody is in a wall", |game| nobody_is_in_a_wall(game.0.engine_mut()))
        .simpler(simpler)
        .steps(arguments.steps)
        .seed(arguments.seed)
        .workers(arguments.workers.into())
        .inevitable(arguments.inevitable);
    for (name, question) in SOMETIMES {
        explorer = explorer.sometimes(name, question);
    }
    if let Some(file) = &arguments.invariants {
        explorer = explorer.invariants(&invariants_text(file).map_err(Failure::BadInput)?);
    }
    if let Some(file) = &arguments.seeds {
        explorer = explorer.seeds(file);
    }
    let explored: Explored<Inputs> = explorer.run().map_err(|refuted| Failure::BadInput(refuted.to_string()))?;
    let Some(finding) = explored.findings.first() else { return Ok(explored.to_string()) };
    write_replay(&arguments.record, arguments.game.mode(), assets, &setup, &finding.inputs)?;
    let file = arguments.record.display();
    let steps = finding.inputs.len();
    let told = explored.to_string().replace("\n ", ";").replace('\n', "; ");
    Err(Failure::Broken(format!("{told}; open it: bounty_hunter replay {file} --at {steps} --studio")))
}

/// Intents and spells of each explored seat, and in 2 of 100 draws a command, such as a pause or a cheat.
fn draw(random: &mut RandomStream, seats: u32) -> Inputs {
    let mut inputs = Inputs::none();
    for seat in 0..seats {
        let share = |random: &mut RandomStream| [-1.0, 0.0, 1.0, random.between(-1.0, 1.0)][random.below(4) as usize];
        inputs.intents.push((seat, Intent { drive: share(random), turn: share(random) }));
        if random.chance(0.05) {
            inputs.casts.push((seat, Spell::ALL[random.below(Spell::COUNT as u32) as usize]));
        }
    }
    let commands = [
        Command::Pause,
        Command::Resume,
        Command::Restart,
        Command::Cheat(Cheat::KillCollectors),
        Command::Cheat(Cheat::KillBounties),
        Command::TakeSeat(seats),
        Command::ReleaseSeat(seats),
    ];
    if random.chance(0.02)
        && let Some(command) = random.pick(&commands)
    {
        inputs.commands.push(*command);
    }
    inputs
}

/// No input; no command or spell; one seat alone.
fn simpler(inputs: &Inputs) -> Vec<Inputs> {
    let mut all = vec![Inputs::none()];
    all.extend((0..inputs.commands.len()).map(|command| Inputs::none().with(inputs.commands[command])));
    all.extend(inputs.casts.iter().map(|(seat, spell)| Inputs::none().cast(*seat, *spell)));
    all.extend(inputs.intents.iter().map(|(seat, intent)| Inputs::none().intent(*seat, *intent)));
    all.push(Inputs { commands: Vec::new(), casts: Vec::new(), ..inputs.clone() });
    let size = |inputs: &Inputs| inputs.commands.len() + inputs.casts.len() + inputs.intents.len();
    all.retain(|simpler| size(simpler) < size(inputs));
    all
}

fn nobody_is_lost(engine: &mut Engine) -> Result<(), String> {
    let Some(half_extent_m) = engine.resource::<MatchRules>().map(|rules| rules.world_half_extent_m) else {
        return Ok(());
    };
    let mut lost = Ok(());
    engine.read::<(ecs::EntityId, &Transform)>().for_each(|(entity, transform)| {
        let position = transform.pose.position;
        let is_inside = position.abs().max_element() <= half_extent_m + BEYOND_THE_EDGE_M;
        if !is_inside {
            lost = Err(format!("entity {entity} is at {position}, and the world ends at {half_extent_m} m"));
        }
    });
    lost
}

fn nobody_is_in_a_wall(engine: &mut Engine) -> Result<(), String> {
    let Some(mut walls) = engine.resource::<SolidWalls>().map(|walls| walls.clone()) else { return Ok(()) };
    walls.clearance_m = -WITHIN_A_WALL_M;
    let mut stuck = Ok(());
    engine.read::<(ecs::EntityId, &Collector, &Transform, &Life)>().for_each(|(entity, _, transform, life)| {
        let position = transform.pose.position;
        if life.is_alive && !walls.leave_room_at(position) {
            stuck = Err(format!("collector {entity} is at {position}, which is in a wall"));
        }
    });
    stuck
}

/// Writes the replay of these inputs.
fn write_replay(
    file: &Path,
    mode: &str,
    assets: &Assets,
    setup: &MatchSetup,
    inputs: &[Inputs],
) -> Result<(), Failure> {
    let failed = |problem: String| Failure::Machine(format!("{} cannot be written: {problem}", file.display()));
    let mut recorder = Recorder::new(mode, assets, setup).map_err(|error| failed(error.to_string()))?;
    let mut simulation = Simulation::new(assets, setup).map_err(|error| failed(error.to_string()))?;
    for inputs in inputs {
        // The last step may panic. It has run as well, and a file is read only with the hash of the state after it.
        _ = catch_unwind(AssertUnwindSafe(|| simulation.step(inputs)));
        recorder.note(inputs, &mut simulation);
    }
    let replay = recorder.replay(&mut simulation);
    fs::write(file, replay.to_bytes()).map_err(|error| failed(error.to_string()))
}
