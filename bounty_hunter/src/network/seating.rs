//! The seats of a round, and how the inputs of their players become those of a step.

use serde::{Deserialize, Serialize};

use super::net_input::NetInput;
use crate::control::player_control::ScriptedIntents;
use crate::data::config::Keymap;
use crate::data::input::{InputEvent, Inputs, Key};
use crate::gameplay::player::{Players, Seat};
use crate::simulation::Simulation;

/// A member that plays a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seated {
    /// The id of the member.
    pub(super) member: u8,
    /// The player.
    pub(super) seat: u32,
}

/// The inputs of the next step of `simulation`, made from those of the people in `seated`. Whether a seat changes hands follows from
/// the state alone, so every peer makes the same inputs.
pub(super) fn inputs_of_step(simulation: &Simulation, seated: &[Seated], host: u8, inputs: &[NetInput]) -> Inputs {
    let mut result = Inputs::none();
    let engine = simulation.engine();
    let (Some(players), Some(keymap)) = (engine.resource::<Players>(), engine.resource::<Keymap>()) else {
        return result;
    };
    for (seat, player) in (0..).zip(&players.0) {
        let is_person = seated.iter().any(|seated| seated.seat == seat);
        match &player.seat {
            Seat::Ai { .. } if is_person => result.events.push(InputEvent::SeatTaken(seat)),
            Seat::Script if !is_person => result.events.push(InputEvent::SeatReleased(seat)),
            _ => {}
        }
    }
    let present = engine.resource::<ScriptedIntents>();
    for (seated, input) in seated.iter().zip(inputs) {
        let intent = input.intent();
        let before = present.as_ref().and_then(|intents| intents.0.get(seated.seat as usize));
        if before.is_some_and(|before| *before != intent) {
            result.intents.push((seated.seat, intent));
        }
        result.casts.extend(input.casts().map(|spell| (seated.seat, spell)));
    }
    if inputs.iter().any(|input| input.pauses()) {
        tap(&mut result, &keymap.pause);
    }
    if seated.iter().zip(inputs).any(|(seated, input)| seated.member == host && input.restarts()) {
        tap(&mut result, &keymap.restart);
    }
    result
}

fn tap(inputs: &mut Inputs, keys: &[Key]) {
    if let Some(&key) = keys.first() {
        inputs.events.extend([InputEvent::KeyDown(key), InputEvent::KeyUp(key)]);
    }
}
