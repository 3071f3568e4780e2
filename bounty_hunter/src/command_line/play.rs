//! `bounty_hunter play`: hands the options over to the window.

use bounty_hunter::assets::Assets;

use super::arguments::PlayOptions;
#[cfg(feature = "client")]
use bounty_hunter::{client::ModeChoice, level::Level, mode::Mode};

/// Lengths of a match to choose from, seconds; the configured one is added.
#[cfg(feature = "client")]
const PLAY_SECONDS_CHOICES: [f32; 4] = [45.0, 90.0, 180.0, 300.0];

/// Plays in a window until it is closed.
#[cfg(feature = "client")]
pub(crate) fn play(assets: Assets, options: &PlayOptions) -> Result<(), String> {
    use bounty_hunter::client;
    use bounty_hunter::simulation::Simulation;
    use ecs::Engine;

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
        skip_title: false,
        frames: options.frames.map(|frames| u32::try_from(frames).unwrap_or(u32::MAX)),
        screenshot: options.screenshot.clone(),
        keymap: assets.keymap.clone(),
    };
    let engine = Engine::builder().threads(options.threads);
    let factory = move |mode: &str, setup: &_| {
        let assets = assets.clone().in_mode(mode).map_err(|error| error.to_string())?;
        let simulation = Simulation::with_engine(&assets, setup, engine).map_err(|error| error.to_string())?;
        Ok(Box::new(simulation) as Box<dyn client::Game>)
    };
    client::play(client_options, factory).map_err(|error| error.to_string())
}

/// A mode as the title screen offers it.
#[cfg(feature = "client")]
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
        steps_per_second: game.steps_per_second,
    }
}

/// A seed that is another one each time. The clock is read here, in the program, and never in the simulation.
#[cfg(feature = "client")]
fn seed_of_the_moment() -> u64 {
    let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since_1970.map_or(0, |time| time.as_nanos() as u64)
}

/// Says that there is no window.
#[cfg(not(feature = "client"))]
pub(crate) fn play(_assets: Assets, _options: &PlayOptions) -> Result<(), String> {
    Err("this build has no window, build it with the feature `client` or run `bounty_hunter simulate`".to_owned())
}
