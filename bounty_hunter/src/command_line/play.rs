//! `bounty_hunter play`, and `replay` without `--verify`: hand the options over to the window.

use std::cell::RefCell;
use std::error::Error;
use std::rc::Rc;

use bounty_hunter::assets::Assets;
use bounty_hunter::client::{self, Game, MatchHistory, MatchPurpose, ModeChoice};
use bounty_hunter::level::Level;
use bounty_hunter::mode::Mode;
use bounty_hunter::replay::Recorder;
use bounty_hunter::simulation::Simulation;
use ecs::Engine;
#[cfg(feature = "saves")]
use ecs::EngineBuilder;

use super::Failure;
use super::arguments::{PlayOptions, ReplayArguments};
use super::replay;
use super::session::{Session, SharedSession};
#[cfg(feature = "saves")]
use super::{
    archive::{self, Archive},
    match_history::ArchivedMatches,
    session::Storage,
};

/// Lengths of a match to choose from, seconds; the configured one is added.
const PLAY_SECONDS_CHOICES: [f32; 4] = [45.0, 90.0, 180.0, 300.0];

/// Plays in a window until it is closed.
pub(crate) fn play(assets: Assets, options: &PlayOptions) -> Result<(), Failure> {
    let mut ai_profiles: Vec<String> = assets.ai.keys().cloned().collect();
    ai_profiles.sort_by_key(|name| *name != assets.game.ai);
    let mut modes: Vec<_> = assets.modes.iter().map(|(name, mode)| mode_choice(name, mode, &assets)).collect();
    modes.sort_by_key(|mode| mode.name != options.mode);
    let mut play_seconds_choices = PLAY_SECONDS_CHOICES.to_vec();
    play_seconds_choices.push(assets.game.play_seconds);
    play_seconds_choices.sort_by(f32::total_cmp);
    play_seconds_choices.dedup();
    let client_options = client::PlayOptions {
        seed: options.seed.unwrap_or_else(seed_of_the_moment),
        modes,
        players: options.players,
        humans: options.humans,
        ai_profiles,
        play_seconds: assets.game.play_seconds,
        play_seconds_choices,
        demo: options.is_demo,
        #[cfg(feature = "saves")]
        skip_title: options.load.is_some(),
        #[cfg(not(feature = "saves"))]
        skip_title: false,
        frames: options.frames.map(|frames| u32::try_from(frames).unwrap_or(u32::MAX)),
        screenshot: options.screenshot.clone(),
        keymap: assets.keymap.clone(),
    };
    let engine = Engine::builder().threads(options.threads);
    #[cfg(feature = "saves")]
    let (load, mut storage) = (options.load.clone(), storage(&assets, options, engine)?);
    #[cfg(feature = "saves")]
    let match_history: Option<Box<dyn MatchHistory>> =
        Some(Box::new(ArchivedMatches::new(options.data.as_deref(), assets.clone(), engine)));
    #[cfg(not(feature = "saves"))]
    let match_history: Option<Box<dyn MatchHistory>> = None;
    let (record, options_rewind) = (options.record.clone(), options.can_rewind);
    let session: Rc<RefCell<Option<Session>>> = Rc::default();
    let slot = Rc::clone(&session);
    #[cfg(feature = "hot-reload")]
    let watched = options.watched.clone();
    let factory = move |purpose, mode: &str, setup: &_| {
        // Only what is saved is moved out of here.
        #[cfg_attr(not(feature = "saves"), allow(unused_mut))]
        let mut make = || -> Result<Box<dyn Game>, Box<dyn Error>> {
            let can_rewind = options_rewind || assets.modes.get(mode).is_some_and(|mode| mode.rewind);
            let assets = assets.clone().in_mode(mode)?;
            let simulation = Simulation::with_engine(&assets, setup, engine)?;
            #[cfg(feature = "hot-reload")]
            if let Some(directory) = &watched {
                return Ok(Box::new(super::watch::WatchedGame::following(simulation, directory)?));
            }
            if purpose == MatchPurpose::Title {
                return Ok(Box::new(simulation));
            }
            let recorder = Recorder::new(mode, &assets, setup)?;
            let session = Session::new(simulation, recorder, can_rewind);
            #[cfg(feature = "saves")]
            let session = session.with_storage(storage.take()).loading(load.as_deref())?;
            *slot.borrow_mut() = Some(session);
            Ok(Box::new(SharedSession(Rc::clone(&slot))))
        };
        make().map_err(|error| error.to_string())
    };
    let outcome =
        client::play(client_options, factory, match_history).map_err(|error| Failure::BadInput(error.to_string()));
    // What was played is kept even if the window ended badly.
    let Some(session) = &mut *session.borrow_mut() else { return outcome };
    let recorded = record.map_or(Ok(()), |file| replay::write(&file, &session.replay()));
    let stored = session.keep_what_waits();
    recorded.and(stored.map_err(Failure::BadInput)).and(outcome)
}

/// Where matches are saved. Without --data, what nobody plays leaves nothing behind, and a platform that has no place for saves
/// keeps nobody from playing.
#[cfg(feature = "saves")]
fn storage(assets: &Assets, options: &PlayOptions, engine: EngineBuilder) -> Result<Option<Storage>, Failure> {
    let is_asked_for = options.data.is_some() || options.load.is_some();
    if !is_asked_for && (options.is_demo || options.frames.is_some()) {
        return Ok(None);
    }
    let opened = archive::directory(options.data.as_deref())
        .and_then(|directory| Archive::open(&directory).map_err(|error| error.to_string()));
    match opened {
        Ok(archive) => {
            let (slot, can_rewind) = (options.slot.clone(), options.can_rewind);
            Ok(Some(Storage { archive, slot, assets: assets.clone(), engine, can_rewind }))
        }
        Err(error) if is_asked_for => Err(Failure::BadInput(error)),
        Err(error) => {
            tracing::warn!(target: "bounty_hunter::play", "matches are not saved: {error}");
            Ok(None)
        }
    }
}

/// Shows a replay in a window.
pub(crate) fn watch(assets: &Assets, arguments: &ReplayArguments) -> Result<(), Failure> {
    let playback = replay::playback(assets, arguments)?;
    let options = client::WatchOptions {
        frames: arguments.frames.map(|frames| u32::try_from(frames).unwrap_or(u32::MAX)),
        screenshot: arguments.screenshot.clone(),
    };
    client::watch(options, playback).map_err(|error| Failure::BadInput(error.to_string()))
}

/// A mode as the title screen offers it.
fn mode_choice(name: &str, mode: &Mode, assets: &Assets) -> ModeChoice {
    let game = &mode.game;
    let places = assets.levels.get(&game.level).and_then(Level::most_players);
    ModeChoice {
        name: name.to_owned(),
        title: mode.title.clone(),
        description: mode.description.clone(),
        players: game.players,
        most_players: places.map(|places| u32::try_from(places).unwrap_or(u32::MAX)),
        ai: game.ai.clone(),
        play_seconds: game.play_seconds,
    }
}

/// A seed that is another one each time. The clock is read here, in the program, and never in the simulation.
fn seed_of_the_moment() -> u64 {
    let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since_1970.map_or(0, |time| time.as_nanos() as u64)
}
