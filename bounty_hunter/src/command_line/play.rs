//! `bounty_hunter play`: hands the options over to the window.

use bounty_hunter::assets::Assets;

use super::arguments::PlayOptions;

/// Lengths of a match to choose from, seconds; the configured one is added.
#[cfg(feature = "client")]
const PLAY_SECONDS_CHOICES: [f32; 4] = [45.0, 90.0, 180.0, 300.0];

/// The AI that is chosen at first.
#[cfg(feature = "client")]
const AI_PROFILE: &str = "normal";

/// Plays in a window until it is closed.
#[cfg(feature = "client")]
pub(crate) fn play(assets: Assets, options: &PlayOptions) -> Result<(), String> {
    use bounty_hunter::client;
    use bounty_hunter::simulation::Simulation;
    use ecs::Engine;

    let mut ai_profiles: Vec<String> = assets.ai.keys().cloned().collect();
    ai_profiles.sort_by_key(|name| name != AI_PROFILE);
    let mut play_seconds_choices = PLAY_SECONDS_CHOICES.to_vec();
    play_seconds_choices.push(assets.game.play_seconds);
    play_seconds_choices.sort_by(f32::total_cmp);
    play_seconds_choices.dedup();
    let client_options = client::PlayOptions {
        seed: options.seed.unwrap_or_else(seed_of_the_moment),
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
        steps_per_second: assets.game.steps_per_second,
    };
    let engine = Engine::builder().threads(options.threads);
    let factory = move |setup: &_| {
        let simulation = Simulation::with_engine(&assets, setup, engine).map_err(|error| error.to_string())?;
        Ok(Box::new(simulation) as Box<dyn client::Game>)
    };
    client::play(client_options, factory).map_err(|error| error.to_string())
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
