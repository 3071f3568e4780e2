//! `bounty_hunter play`, and `replay` without `--verify`: opens the window.

#[cfg_attr(target_arch = "wasm32", path = "play/page.rs")]
mod machine;
mod purpose;
mod session;
#[cfg_attr(not(feature = "studio"), path = "play/no_studio.rs")]
mod studio;
#[cfg_attr(not(feature = "hot-reload"), path = "play/no_watch.rs")]
mod watch;

use std::cell::RefCell;
use std::error::Error;
use std::fs;
use std::io::{Write, stderr};
use std::rc::Rc;

use bounty_hunter::assets::Assets;
use bounty_hunter::client::{self, Game, LevelChoice, MatchPurpose, ModeChoice};
use bounty_hunter::level::Level;
use bounty_hunter::mode::Mode;
use bounty_hunter::replay::Recorder;
use bounty_hunter::seeded_level::seed_in;
use bounty_hunter::simulation::{MatchSetup, Simulation, check_match};
use ecs::Engine;

use self::purpose::for_purpose;
use self::session::{Session, SharedSession, Storage};
use self::studio::GameStudio;
use super::Failure;
use super::arguments::{Frames, PlayArguments, ReplayArguments};
use super::replay;
use super::together;
use super::tries::Tries;

/// Lengths of a match to choose from, besides the configured one.
const PLAY_SECONDS_CHOICES: [f32; 4] = [45.0, 90.0, 180.0, 300.0];

/// The loudness of a sound in a file.
const SOUNDTRACK_EFFECTS: f32 = 0.8;
const SOUNDTRACK_MUSIC: f32 = 0.5;

/// Plays in a window until it is closed.
pub(crate) fn play(assets: Assets, arguments: PlayArguments, players: u32, humans: u32) -> Result<(), Failure> {
    let client_options = client_options(&assets, &arguments, players, humans);
    let mut engine = Engine::builder().threads(arguments.threads.count());
    let studio = GameStudio::of(&arguments, &mut engine)?;
    let match_history = session::match_history(&assets, &arguments, engine);
    let mut storage = Storage::open(&assets, &arguments, engine)?;
    let mut load = arguments.load.clone();
    let (record, tells_memory) = (arguments.record.clone(), arguments.memory);
    let inspected = studio.clone();
    if arguments.begins_daily
        && let Some(tries) = daily_tries(&arguments)
    {
        tries.refuse_if_used()?;
    }
    let (network, played) = together::of_the_window(&assets, &arguments);
    let played_before = played.clone();
    let session: Rc<RefCell<Option<Session>>> = Rc::default();
    let slot = Rc::clone(&session);
    let films = machine::films(arguments.data.as_deref());
    let factory = move |purpose, mode: &str, level: Option<&str>, setup: &_| {
        let mut make = || -> Result<Box<dyn Game>, Box<dyn Error>> {
            let assets = studio.as_ref().map_or_else(|| assets.clone(), |studio| studio.assets(&assets));
            let assets = level.map_or_else(|| Ok(assets.clone()), |level| assets.clone().in_level(level))?;
            let of_mode = for_purpose(assets.clone().in_mode(mode)?, purpose);
            let simulation = Simulation::with_engine(&of_mode, setup, engine)?;
            if let Some(directory) = arguments.game.assets.as_deref().filter(|_| arguments.watch) {
                return Ok(watch::following(simulation, directory)?);
            }
            if matches!(purpose, MatchPurpose::Title | MatchPurpose::Tutorial) {
                return Ok(Box::new(simulation));
            }
            let recorder = Recorder::new(mode, &of_mode, setup)?;
            if let Some(studio) = &studio {
                return Ok(studio.game(simulation, recorder));
            }
            // First what can be refused: the session of the match before has results that are still to be stored.
            let daily_try = match purpose {
                MatchPurpose::Daily => {
                    let tries = daily_tries(&arguments).ok_or("this machine keeps no tries")?;
                    Some(tries.begin()?)
                }
                _ => None,
            };
            played_before.forget();
            let before = slot.borrow_mut().take();
            let storage = before.map_or_else(|| storage.take(), Session::into_storage);
            if let Some(daily_try) = daily_try {
                let session = Session::new(simulation, recorder, &assets, false).with_storage(storage);
                *slot.borrow_mut() = Some(session.of_the_day(daily_try));
                return Ok(Box::new(SharedSession { session: Rc::clone(&slot), assets, engine, films: films.clone() }));
            }
            let session = Session::new(simulation, recorder, &assets, arguments.rewind).with_storage(storage);
            // Only the first match goes on with a save.
            *slot.borrow_mut() = Some(session.loading(load.take().as_deref())?);
            Ok(Box::new(SharedSession { session: Rc::clone(&slot), assets, engine, films: films.clone() }))
        };
        make().map_err(|error| error.to_string())
    };
    let outcome = client::play(client_options, factory, match_history, network).map_err(Failure::from);
    if let Some(studio) = inspected {
        let recorded = record.map_or(Ok(()), |file| replay::write(&file, &studio.replay()?));
        return recorded.and(outcome);
    }
    // The match is recorded and stored even if the window failed.
    let mut session = session.borrow_mut();
    if let Some(session) = session.as_mut().filter(|_| tells_memory) {
        // Standard output is for results.
        _ = write!(stderr(), "{}", session.memory());
    }
    let recorded = record.map_or(Ok(()), |file| {
        let last = played.last().or_else(|| session.as_mut().map(|session| Ok(session.replay())));
        last.map_or(Ok(()), |last| replay::write(&file, &last?))
    });
    let Some(session) = &mut *session else { return recorded.and(outcome) };
    let stored = session.store_results();
    recorded.and(stored.map_err(Failure::BadInput)).and(outcome)
}

/// The options of the window.
pub(crate) fn client_options(
    assets: &Assets,
    arguments: &PlayArguments,
    players: u32,
    humans: u32,
) -> client::PlayOptions {
    let usual = usual_options(assets, &arguments.frames);
    let mut modes = usual.modes;
    modes.sort_by_key(|mode| mode.name != arguments.game.mode());
    client::PlayOptions {
        seed: arguments.seed.unwrap_or_else(machine::seed),
        modes,
        players,
        humans,
        ai_profiles: with_ai(usual.ai_profiles, arguments.ai.as_ref()),
        ai: arguments.ai.clone().unwrap_or(usual.ai),
        keeps_choices: arguments.leave_choices_to_title(),
        demo: arguments.demo,
        skip_title: arguments.load.is_some(),
        daily: daily_tries(arguments).and_then(|tries| tries.daily_match(assets)),
        begins_daily: arguments.begins_daily,
        devices: client::DeviceOptions { feats: known_feats(assets, arguments), ..usual.devices },
        ..usual
    }
}

/// The names of the feats that people have achieved. A demonstration is the same for everybody.
fn known_feats(assets: &Assets, arguments: &PlayArguments) -> Vec<String> {
    if arguments.demo || arguments.frames.frames.is_some() {
        return Vec::new();
    }
    let history = session::match_history(assets, arguments, Engine::builder());
    let feats = history.and_then(|history| history.feats().ok()).unwrap_or_default();
    feats.into_iter().map(|record| record.feat).collect()
}

/// The tries of today; `None` with other assets, and where none are kept.
fn daily_tries(arguments: &PlayArguments) -> Option<Tries> {
    let game = &arguments.game;
    let is_usual = game.assets.is_none() && game.level.is_none() && arguments.studio.studio.is_none();
    is_usual.then(|| Tries::of_today(arguments.data.as_deref())).flatten()
}

/// The levels of AIs, and behind them one that is none of them.
fn with_ai(mut levels: Vec<String>, ai: Option<&String>) -> Vec<String> {
    levels.extend(ai.filter(|ai| !levels.contains(ai)).cloned());
    levels
}

/// The options of a window for a match of AIs.
pub(crate) fn usual_options(assets: &Assets, frames: &Frames) -> client::PlayOptions {
    client::PlayOptions {
        seed: 0,
        modes: assets.modes.iter().map(|(name, mode)| mode_choice(name, mode, assets)).collect(),
        players: assets.game.players,
        humans: 0,
        ai_profiles: with_ai(assets.ai_levels(), Some(&assets.game.ai)),
        ai: assets.game.ai.clone(),
        play_seconds: assets.game.play_seconds,
        play_seconds_choices: PLAY_SECONDS_CHOICES.to_vec(),
        keeps_choices: false,
        demo: false,
        skip_title: false,
        daily: None,
        begins_daily: false,
        frames: frames.frames,
        screenshot: frames.screenshot.clone(),
        keymap: assets.keymap.clone(),
        devices: devices(assets, frames),
    }
}

/// Shows a replay in a window, or writes its sound.
pub(crate) fn watch(assets: &Assets, arguments: &ReplayArguments) -> Result<(), Failure> {
    let mut playback = replay::playback(assets, arguments)?;
    if let Some(file) = &arguments.sound {
        let (sounds, steps) = (&assets.sounds, playback.about().steps);
        let wav = client::soundtrack(&mut playback, sounds, steps, SOUNDTRACK_EFFECTS, SOUNDTRACK_MUSIC);
        let refuse = |error| Failure::Machine(format!("the sound {} cannot be written: {error}", file.display()));
        return fs::write(file, wav).map_err(refuse);
    }
    #[cfg(not(target_arch = "wasm32"))]
    if let Some(file) = &arguments.highlight {
        return Ok(client::film_highlight(playback, devices(assets, &arguments.frames), file)?);
    }
    let options =
        client::WatchOptions { frames: arguments.frames.frames, screenshot: arguments.frames.screenshot.clone() };
    Ok(client::watch(options, devices(assets, &arguments.frames), playback)?)
}

pub(crate) fn devices(assets: &Assets, frames: &Frames) -> client::DeviceOptions {
    client::DeviceOptions {
        window_size_px: frames.window_size_px,
        sounds: assets.sounds.clone(),
        languages: assets.languages.clone(),
        mode_titles: assets.modes.iter().map(|(name, mode)| (name.clone(), mode.title.clone())).collect(),
        camera_keys: assets.keymap.camera.clone(),
        feats: Vec::new(),
        settings: machine::settings("settings.ron"),
    }
}

/// Whether a match of a mode can be played in a level, by two players if it has places for them.
fn fits(assets: &Assets, mode: &str, level: &str) -> bool {
    let assets = assets.clone().in_level(level).and_then(|assets| assets.in_mode(mode));
    let players = |assets: &Assets| assets.levels[level].most_players().map_or(2, |most| most.min(2));
    assets.is_ok_and(|assets| check_match(&assets, &MatchSetup::of_ais(0, players(&assets), &assets.game.ai)).is_ok())
}

/// A mode for the title screen.
fn mode_choice(name: &str, mode: &Mode, assets: &Assets) -> ModeChoice {
    let game = &mode.game;
    let most_players = |level: &str| {
        let places = assets.levels.get(level).and_then(Level::most_players);
        places.map(|places| u32::try_from(places).unwrap_or(u32::MAX))
    };
    let others = assets.levels.keys().filter(|level| **level != game.level && seed_in(level).is_none());
    let others = others.filter(|level| fits(assets, name, level));
    let levels = others.map(|level| LevelChoice { name: level.clone(), most_players: most_players(level) });
    ModeChoice {
        name: name.to_owned(),
        title: mode.title.clone(),
        description: mode.description.clone(),
        players: game.players,
        level: game.level.clone(),
        most_players: most_players(&game.level),
        levels: levels.collect(),
        ai: game.ai.clone(),
        play_seconds: game.play_seconds,
        has_spells: game.rules.spells.is_some(),
    }
}
