//! `bounty_hunter play`, and `replay` without `--verify`: opens the window.

use std::cell::RefCell;
use std::error::Error;
use std::fs;
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
use super::arguments::{Frames, PlayArguments, ReplayArguments};
use super::replay;
#[cfg(target_arch = "wasm32")]
use super::session::Storage;
use super::session::{Session, SharedSession};
#[cfg(feature = "saves")]
use super::{
    archive::{self, Archive},
    match_history::ArchivedMatches,
    session::{Results, Storage},
};

/// Lengths of a match to choose from, besides the configured one.
const PLAY_SECONDS_CHOICES: [f32; 4] = [45.0, 90.0, 180.0, 300.0];

/// The loudness of a sound in a file.
const SOUNDTRACK_EFFECTS: f32 = 0.8;
const SOUNDTRACK_MUSIC: f32 = 0.5;

/// Plays in a window until it is closed.
pub(crate) fn play(assets: Assets, arguments: PlayArguments, players: u32, humans: u32) -> Result<(), Failure> {
    let client_options = client_options(&assets, &arguments, players, humans);
    let engine = Engine::builder().threads(arguments.threads.count());
    #[cfg(feature = "studio")]
    let (studio, engine) = match arguments.studio.studio.as_deref() {
        Some(address) => {
            let engine = super::studio::measured(engine);
            let studio =
                super::studio::GameStudio::new(arguments.game.assets.as_deref(), drafts_folder().as_deref(), engine)?;
            studio.listen(address, arguments.studio.studio_token.as_deref())?;
            (Some(Rc::new(studio)), engine)
        }
        None => (None, engine),
    };
    #[cfg(feature = "saves")]
    let (mut storage, match_history) = {
        let archived = ArchivedMatches::new(arguments.data.as_deref(), assets.clone(), engine);
        (storage(&assets, &arguments, engine)?, Some(Box::new(archived) as Box<dyn MatchHistory>))
    };
    #[cfg(not(feature = "saves"))]
    let match_history: Option<Box<dyn MatchHistory>> = None;
    #[cfg(feature = "saves")]
    let mut load = arguments.load.clone();
    let record = arguments.record.clone();
    #[cfg(feature = "studio")]
    let inspected = studio.clone();
    let session: Rc<RefCell<Option<Session>>> = Rc::default();
    let slot = Rc::clone(&session);
    let factory = move |purpose, mode: &str, setup: &_| {
        // Only `storage` and `load` change here.
        #[cfg_attr(not(feature = "saves"), allow(unused_mut))]
        let mut make = || -> Result<Box<dyn Game>, Box<dyn Error>> {
            let can_rewind = arguments.rewind || assets.modes.get(mode).is_some_and(|mode| mode.rewind);
            #[cfg(feature = "studio")]
            let assets = studio.as_ref().map_or_else(|| assets.clone(), |studio| studio.assets(&assets));
            let of_mode = assets.clone().in_mode(mode)?;
            let simulation = Simulation::with_engine(&of_mode, setup, engine)?;
            #[cfg(feature = "hot-reload")]
            if let Some(directory) = arguments.game.assets.as_deref().filter(|_| arguments.watch) {
                return Ok(Box::new(super::watch::WatchedGame::following(simulation, directory)?));
            }
            if purpose == MatchPurpose::Title {
                return Ok(Box::new(simulation));
            }
            #[cfg(feature = "studio")]
            if let Some(studio) = &studio {
                let recorder = Recorder::new(mode, &of_mode, setup)?;
                let studio = Rc::clone(studio);
                return Ok(Box::new(super::studio::StudioGame::new(simulation, recorder, studio)));
            }
            let recorder = Recorder::new(mode, &of_mode, setup)?;
            let session = Session::new(simulation, recorder, can_rewind);
            #[cfg(feature = "saves")]
            let session = {
                let before = slot.borrow_mut().take();
                let storage = before.map_or_else(|| storage.take(), Session::into_storage);
                // Only the first match goes on with a save.
                session.with_storage(storage).loading(load.take().as_deref())?
            };
            #[cfg(target_arch = "wasm32")]
            let session =
                session.with_storage(Some(Storage { assets: assets.clone(), engine, can_rewind: arguments.rewind }));
            *slot.borrow_mut() = Some(session);
            Ok(Box::new(SharedSession { session: Rc::clone(&slot), assets: assets.clone(), engine }))
        };
        make().map_err(|error| error.to_string())
    };
    let outcome =
        client::play(client_options, factory, match_history).map_err(|error| Failure::BadInput(error.to_string()));
    #[cfg(feature = "studio")]
    if let Some(studio) = inspected {
        let recorded = record.map_or(Ok(()), |file| replay::write(&file, &studio.replay()?));
        return recorded.and(outcome);
    }
    // The match is recorded and stored even if the window failed.
    let Some(session) = &mut *session.borrow_mut() else { return outcome };
    let recorded = record.map_or(Ok(()), |file| replay::write(&file, &session.replay()));
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
    modes.sort_by_key(|mode| mode.name != arguments.game.mode);
    client::PlayOptions {
        seed: arguments.seed.unwrap_or_else(seed_from_the_clock),
        modes,
        players,
        humans,
        demo: arguments.demo,
        #[cfg(feature = "saves")]
        skip_title: arguments.load.is_some(),
        ..usual
    }
}

/// The options of a window for a match of AIs.
pub(crate) fn usual_options(assets: &Assets, frames: &Frames) -> client::PlayOptions {
    let mut ai_profiles: Vec<String> = assets.ai_names().cloned().collect();
    ai_profiles.sort_by_key(|name| *name != assets.game.ai);
    client::PlayOptions {
        seed: 0,
        modes: assets.modes.iter().map(|(name, mode)| mode_choice(name, mode, assets)).collect(),
        players: assets.game.players,
        humans: 0,
        ai_profiles,
        play_seconds: assets.game.play_seconds,
        play_seconds_choices: PLAY_SECONDS_CHOICES.to_vec(),
        demo: false,
        skip_title: false,
        frames: frames.frames,
        screenshot: frames.screenshot.clone(),
        keymap: assets.keymap.clone(),
        devices: devices(assets),
    }
}

/// The place for saves and results. Without `--data`, a demonstration stores nothing, and the game also runs on a platform
/// without a place for data.
#[cfg(feature = "saves")]
fn storage(assets: &Assets, arguments: &PlayArguments, engine: EngineBuilder) -> Result<Option<Storage>, Failure> {
    let is_asked_for = arguments.data.is_some() || arguments.load.is_some();
    if !is_asked_for && (arguments.demo || arguments.frames.frames.is_some()) {
        return Ok(None);
    }
    let opened = archive::directory(arguments.data.as_deref())
        .and_then(|directory| Archive::open(&directory).map_err(|error| error.to_string()));
    match opened {
        Ok(archive) => {
            let (slot, can_rewind) = (arguments.slot.clone(), arguments.rewind);
            Ok(Some(Storage { archive, slot, assets: assets.clone(), engine, can_rewind, results: Results::default() }))
        }
        Err(error) if is_asked_for => Err(Failure::BadInput(error)),
        Err(error) => {
            tracing::warn!(target: "bounty_hunter::play", "matches are not saved: {error}");
            Ok(None)
        }
    }
}

/// Shows a replay in a window, or writes its sound.
pub(crate) fn watch(assets: &Assets, arguments: &ReplayArguments) -> Result<(), Failure> {
    let mut playback = replay::playback(assets, arguments)?;
    if let Some(file) = &arguments.sound {
        let (sounds, steps) = (&assets.sounds, playback.about().steps);
        let wav = client::soundtrack(&mut playback, sounds, steps, SOUNDTRACK_EFFECTS, SOUNDTRACK_MUSIC);
        let refuse = |error| Failure::BadInput(format!("the sound {} cannot be written: {error}", file.display()));
        return fs::write(file, wav).map_err(refuse);
    }
    let options =
        client::WatchOptions { frames: arguments.frames.frames, screenshot: arguments.frames.screenshot.clone() };
    client::watch(options, devices(assets), playback).map_err(|error| Failure::BadInput(error.to_string()))
}

/// The folder of drafts of the built-in assets.
#[cfg(feature = "studio")]
pub(crate) fn drafts_folder() -> Option<std::path::PathBuf> {
    directories::ProjectDirs::from("", "", "bounty_hunter").map(|places| places.data_dir().join("drafts"))
}

pub(crate) fn devices(assets: &Assets) -> client::DeviceOptions {
    const SETTINGS: &str = "settings.ron";
    // In a browser it is a key of the storage.
    #[cfg(target_arch = "wasm32")]
    let settings = Some(SETTINGS.into());
    #[cfg(not(target_arch = "wasm32"))]
    let settings =
        directories::ProjectDirs::from("", "", "bounty_hunter").map(|places| places.config_dir().join(SETTINGS));
    client::DeviceOptions {
        sounds: assets.sounds.clone(),
        languages: assets.languages.clone(),
        mode_titles: assets.modes.iter().map(|(name, mode)| (name.clone(), mode.title.clone())).collect(),
        camera_keys: assets.keymap.camera.clone(),
        settings,
    }
}

/// A mode for the title screen.
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
        has_spells: game.rules.spells.is_some(),
    }
}

/// A different seed each time. Only the program reads the clock, never the simulation.
fn seed_from_the_clock() -> u64 {
    #[cfg(target_arch = "wasm32")]
    return bounty_hunter::browser::milliseconds();
    #[cfg(not(target_arch = "wasm32"))]
    {
        let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since_1970.map_or(0, |time| time.as_nanos() as u64)
    }
}
