//! `replay --studio`: a replay that is inspected while it is played.

use std::io::{Write, stderr};
use std::rc::Rc;
use std::thread::park_timeout;
use std::time::Instant;

use bounty_hunter::assets::Assets;
use bounty_hunter::client::{self, Game};
use bounty_hunter::input::Inputs;
use bounty_hunter::replay::{Playback, Recorder};

use super::{GameStudio, StudioGame, drafts_folder, measured};
use crate::command_line::Failure;
use crate::command_line::arguments::{ReplayArguments, Speed};
use crate::command_line::pace::{BETWEEN_LOOKS, Pace};
use crate::command_line::{play, replay};

/// Shows a replay in a window, or without one, and serves the studio.
pub(crate) fn show(assets: &Assets, arguments: &ReplayArguments, address: &str) -> Result<(), Failure> {
    let engine = measured(ecs::Engine::builder().threads(arguments.threads.count()));
    let studio = Rc::new(GameStudio::new(arguments.assets.as_deref(), drafts_folder().as_deref(), engine)?);
    let recorded = replay::read(&arguments.file)?;
    let play = if arguments.edits { Playback::with_edits } else { Playback::new };
    let make = {
        let (studio, all, at) = (Rc::clone(&studio), assets.clone(), arguments.at);
        move || {
            let playback = play(recorded.clone(), &all, engine).map_err(|error| error.to_string())?;
            game(playback, &all, at, Rc::clone(&studio))
        }
    };
    // What does not fit is said before anything opens.
    let mut first = Some(make().map_err(|error| replay::refuse(&arguments.file, &error))?);
    let token = arguments.studio.studio_token.as_deref();
    arguments.studio.history_bytes().into_iter().for_each(|bytes| studio.limit_history(bytes));
    if !arguments.headless && (arguments.beside.wait || arguments.beside.speed.is_some()) {
        let remedy = "--wait and --speed are for a replay without a window: add --headless, or leave them out";
        return Err(Failure::BadInput(remedy.to_owned()));
    }
    if arguments.headless {
        if arguments.beside.wait {
            studio.wait("the replay waits: let it run");
        }
        studio.listen(address, token)?;
        let speed = arguments.beside.speed.unwrap_or(Speed::Times(1.0));
        play_headless(first.as_mut().expect("it was just made"), speed);
        return Ok(());
    }
    studio.listen(address, token)?;
    let options =
        client::PlayOptions { demo: true, skip_title: true, ..play::usual_options(assets, &arguments.frames) };
    let factory = move |_, _: &str, _: Option<&str>, _: &_| {
        let game = first.take().map_or_else(&make, Ok)?;
        Ok(Box::new(game) as Box<dyn Game>)
    };
    Ok(client::play(options, factory, None, None)?)
}

/// A match with the inputs of a replay, after its first steps.
pub(super) fn game(
    playback: Playback,
    assets: &Assets,
    at: Option<u64>,
    studio: Rc<GameStudio>,
) -> Result<StudioGame, String> {
    let (about, simulation, inputs) = playback.into_parts();
    let of_match = assets.clone().in_level(&about.level).map_err(|error| error.to_string())?;
    let of_match = of_match.in_mode(&about.mode).map_err(|error| error.to_string())?;
    let recorder = Recorder::new(&about.mode, &of_match, &about.setup).map_err(|error| error.to_string())?;
    let mut game = StudioGame::new(simulation, recorder, studio).replaying(inputs, about.steps);
    if let Some(at) = at {
        game.play_until(at.min(about.steps));
        game.studio.wait("the replay waits at the step that was asked for");
    }
    Ok(game)
}

/// Takes the steps of a replay, and waits at its end until the page ends it.
fn play_headless(game: &mut StudioGame, speed: Speed) {
    let mut pace = speed.step(game.steps_per_second()).map(|step| Pace::new(step, Instant::now()));
    let mut has_said = false;
    loop {
        if let Some(pace) = &mut pace {
            pace.wait_and(|| game.serve());
        }
        let before = game.tick();
        game.step(&Inputs::none());
        if game.is_at_the_end() {
            game.wait_at_the_end();
            if !std::mem::replace(&mut has_said, true) {
                _ = writeln!(stderr(), "the replay has ended and waits: \"End\" on the page ends it");
            }
        }
        if game.is_ended() {
            return;
        }
        if game.tick() == before {
            park_timeout(BETWEEN_LOOKS);
        }
    }
}
