//! Matches whose numbers are drawn anywhere within their limits: each is refused in a sentence, or can be played and
//! saved.

use bounty_hunter::assets::{AssetTexts, Assets};
use bounty_hunter::input::{Cheat, Command, Inputs, Intent};
use bounty_hunter::simulation::{MatchSetup, PLAY_SECONDS, Seat, Simulation};
use bounty_hunter::spell::Spell;
use ecs::prefab::{PrefabError, RonPart, RonText};

/// Numbers that are changed in a match.
const CHANGES: usize = 12;
/// The most objects of a match that is played; more would take too long.
const MAX_DEALT: u32 = 150;
/// The steps that are taken: as many seconds, but at most so many steps.
const SECONDS: f32 = 3.0;
const MAX_STEPS: u32 = 300;

/// Draws from 0 to 1.
pub type Draw<'d> = &'d mut dyn FnMut() -> f32;

fn pick<'t, T>(draw: Draw<'_>, from: &'t [T]) -> &'t T {
    &from[((draw() * from.len() as f32) as usize).min(from.len() - 1)]
}

/// A number in a file: the path of the file, its path in the file, and whether it is whole.
struct Number {
    file: String,
    path: String,
    is_whole: bool,
}

/// The numbers of all files that a match is made of.
fn numbers(texts: &AssetTexts) -> Vec<Number> {
    fn list(part: &RonPart, within: &str, file: &str, numbers: &mut Vec<Number>) {
        let path = if within.is_empty() { part.step.clone() } else { format!("{within}.{}", part.step) };
        if part.parts.is_empty() && part.text.parse::<f64>().is_ok() {
            numbers.push(Number { file: file.to_owned(), path: path.clone(), is_whole: !part.text.contains('.') });
        }
        part.parts.iter().for_each(|part| list(part, &path, file, numbers));
    }

    let mut numbers = Vec::new();
    for file in texts.paths().filter(|path| *path != "keymap.ron" && *path != "sounds.ron") {
        let parts = texts.get(file).map(RonText::parts).unwrap_or_default();
        parts.iter().for_each(|part| list(part, "", file, &mut numbers));
    }
    numbers
}

/// The texts with another value of a number.
fn with(texts: &AssetTexts, number: &Number, value: f64) -> Result<AssetTexts, PrefabError> {
    let value = if number.is_whole { format!("{value:.0}") } else { format!("{value:?}") };
    let mut changed = texts.clone();
    let text = texts.get(&number.file).expect("the number is in this file").with(&number.path, &value)?;
    changed.replace(&number.file, text)?;
    Ok(changed)
}

/// A value at a limit, which a sentence about a value beyond it names; `None` if it names none.
fn limit(texts: &AssetTexts, number: &Number, beyond: f64) -> Option<f64> {
    let error = with(texts, number, beyond).and_then(|texts| Assets::from_texts(&texts)).err()?;
    let sentence = error.to_string();
    let (_, limit) = sentence.split_once("must be at most ").or_else(|| sentence.split_once("must be at least "))?;
    limit.split([' ', ',']).next()?.parse().ok()
}

/// Changes a number to one at its limits, or to one of any order of magnitude; it stays as it is if that is refused.
fn change(texts: &mut AssetTexts, draw: Draw<'_>, number: &Number) {
    let value = match (draw() * 4.0) as u32 {
        0 => limit(texts, number, 4e9),
        1 => limit(texts, number, if number.is_whole { 0.0 } else { 1e-9 }),
        _ => Some(f64::from((draw() * 21.0 - 7.0).exp())),
    };
    let Some(changed) = value.and_then(|value| with(texts, number, value).ok()) else { return };
    match Assets::from_texts(&changed) {
        Ok(_) => *texts = changed,
        Err(error) => assert_sentence(&error.to_string()),
    }
}

fn inputs(draw: Draw<'_>) -> Inputs {
    match (draw() * 12.0) as u32 {
        0..6 => {
            let intent = Intent { drive: draw() * 2.0 - 1.0, turn: draw() * 2.0 - 1.0 };
            Inputs::none().intent((draw() * 6.0) as u32, intent)
        }
        6 | 8 => {
            Inputs::none().with(Command::Cheat(*pick(draw, &[Cheat::Next, Cheat::KillCollectors, Cheat::KillBounties])))
        }
        7 => Inputs::none().cast((draw() * 6.0) as u32, *pick(draw, &Spell::ALL)),
        _ => Inputs::none(),
    }
}

/// Draws a match within its limits and plays it for a while.
///
/// # Panics
/// If it is neither refused in a sentence nor can be played, saved and loaded.
pub fn play_within_limits(draw: Draw<'_>) {
    let built_in = AssetTexts::built_in();
    // Networks have no limits that matter here, and take long to read.
    let is_read = |path: &&str| !path.starts_with("policies/") && !path.starts_with("languages/");
    let file = |path: &str| (path.to_owned(), built_in.get(path).expect("it is listed").clone());
    let mut texts: AssetTexts = built_in.paths().filter(is_read).map(file).collect();
    let numbers = numbers(&texts);
    for _ in 0..CHANGES {
        let number = pick(draw, &numbers);
        change(&mut texts, draw, number);
    }

    let assets = Assets::from_texts(&texts).expect("each change was accepted");
    let modes: Vec<String> = assets.modes.keys().cloned().collect();
    let levels: Vec<String> = assets.levels.keys().cloned().collect();
    let ais: Vec<String> = assets.ai_names().cloned().collect();
    let mut assets = assets.in_mode(pick::<String>(draw, &modes)).expect("it is there");
    if draw() < 0.5 {
        assets = assets.in_level(pick::<String>(draw, &levels)).expect("it is there");
    }
    let game = &mut assets.game;
    // The match begins at once.
    game.countdown_seconds = game.countdown_seconds.min(2.0 / game.steps_per_second as f32);
    let players = 1 + (draw() * 6.0) as u32;
    let seat = |_| match draw() < 0.3 {
        true => Seat::Script,
        false => Seat::Ai { profile: pick(draw, &ais).clone() },
    };
    let seats = (0..players).map(seat).collect();
    let play_seconds = (draw() < 0.5).then(|| *pick(draw, &[PLAY_SECONDS[0], 1.0, 600.0, PLAY_SECONDS[1]]));
    let setup = MatchSetup { seed: (draw() * 1e6) as u64, seats, play_seconds };
    let dealt = game.bounty_count(players) + game.deals.iter().map(|deal| deal.count(players)).sum::<u32>();
    let power_ups = game.rules.power_ups.as_ref().map_or(0, |power_ups| power_ups.count(players));
    if dealt + power_ups > MAX_DEALT {
        return;
    }
    match Simulation::new(&assets, &setup) {
        Err(error) => assert_sentence(&error.to_string()),
        Ok(simulation) => play(simulation, &assets, &setup, draw),
    }
}

fn play(mut simulation: Simulation, assets: &Assets, setup: &MatchSetup, draw: Draw<'_>) {
    let steps = (SECONDS * simulation.steps_per_second() as f32) as u32;
    for _ in 0..steps.clamp(8, MAX_STEPS) {
        simulation.step(&inputs(draw));
    }
    let _ = simulation.view();
    let saved = simulation.save().expect("a match can be saved");
    let mut loaded = Simulation::new(assets, setup).expect("it was set up before");
    loaded.load(&saved).expect("what was saved can be loaded");
    assert_eq!(loaded.state_hash(), simulation.state_hash());
}

fn assert_sentence(text: &str) {
    assert!(!text.is_empty() && !text.ends_with('.') && !text.contains('\n'), "{text}");
}
