//! `replay --studio`: a replay that is inspected while it is played.

use std::rc::Rc;
use std::time::{Duration, Instant};

use bounty_hunter::assets::Assets;
use bounty_hunter::client::{self, Game};
use bounty_hunter::input::Inputs;
use bounty_hunter::replay::{Playback, Recorder};

use super::{GameStudio, StudioGame, drafts_folder, measured};
use crate::command_line::Failure;
use crate::command_line::arguments::ReplayArguments;
use crate::command_line::pace::wait_until;
use crate::command_line::{play, replay};

/// Shows a replay in a window, or without one, and serves the studio.
pub(crate) fn show(assets: &Assets, arguments: &ReplayArguments, address: &str) -> Result<(), Failure> {
    let engine = measured(ecs::Engine::builder().threads(arguments.threads.count()));
    let studio = Rc::new(GameStudio::new(arguments.assets.as_deref(), drafts_folder().as_deref(), engine)?);
    let recorded = replay::read(&arguments.file)?;
    let make = {
        let (studio, all, at) = (Rc::clone(&studio), assets.clone(), arguments.at);
        move || {
            let playback = Playback::new(recorded.clone(), &all, engine).map_err(|error| error.to_string())?;
            game(playback, &all, at, Rc::clone(&studio))
        }
    };
    // What does not fit is said before anything opens.
    let mut first = Some(make().map_err(|error| replay::refuse(&arguments.file, &error))?);
    let token = arguments.studio.studio_token.as_deref();
    if arguments.headless {
        studio.wait("the replay waits: let it run");
        studio.listen(address, token)?;
        play_headless(first.as_mut().expect("it was just made"));
        return Ok(());
    }
    studio.listen(address, token)?;
    let options =
        client::PlayOptions { demo: true, skip_title: true, ..play::usual_options(assets, &arguments.frames) };
    let factory = move |_, _: &str, _: &_| {
        let game = first.take().map_or_else(&make, Ok)?;
        Ok(Box::new(game) as Box<dyn Game>)
    };
    client::play(options, factory, None).map_err(|error| Failure::BadInput(error.to_string()))
}

/// A match with the inputs of a replay, after its first steps.
pub(super) fn game(
    playback: Playback,
    assets: &Assets,
    at: Option<u64>,
    studio: Rc<GameStudio>,
) -> Result<StudioGame, String> {
    let (about, mut simulation, inputs) = playback.into_parts();
    let of_match = assets.clone().in_level(&about.level).map_err(|error| error.to_string())?;
    let of_match = of_match.in_mode(&about.mode).map_err(|error| error.to_string())?;
    let mut recorder = Recorder::new(&about.mode, &of_match, &about.setup).map_err(|error| error.to_string())?;
    let none = Inputs::none();
    while simulation.tick() < at.unwrap_or(0).min(about.steps) {
        let inputs = inputs.get(&(simulation.tick() + 1)).unwrap_or(&none);
        simulation.step(inputs);
        recorder.note(inputs, &mut simulation);
    }
    if at.is_some() {
        studio.wait("the replay waits at the step that was asked for");
    }
    Ok(StudioGame::new(simulation, recorder, studio).replaying(inputs, about.steps))
}

/// Takes the steps of a replay in real time. Ends when the page is closed after the last step.
fn play_headless(game: &mut StudioGame) {
    let step = Duration::from_secs_f64(1.0 / f64::from(game.steps_per_second()));
    let mut due = Instant::now();
    let mut was_watched = false;
    loop {
        game.step(&Inputs::none());
        let is_watched = game.is_watched();
        was_watched |= is_watched;
        if was_watched && !is_watched && game.is_at_the_end() {
            return;
        }
        due += step;
        wait_until(due);
    }
}
