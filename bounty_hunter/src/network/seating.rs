//! The seats of a round, and how the inputs of their players become those of a step.

use serde::{Deserialize, Serialize};

use super::net_input::NetInput;
use super::packet::MAX_MEMBERS;
use bounty_hunter_simulation::input::{Command, Inputs};
use bounty_hunter_simulation::player::{Players, Seat};
use bounty_hunter_simulation::player_control::SeatIntents;
use bounty_hunter_simulation::simulation::Simulation;
use bounty_hunter_simulation::spell::Spell;

/// The most commands of a step that are no changes of seats: a pause or its end, and a restart.
const MAX_REQUESTS: usize = 2;

/// A member that plays a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seated {
    /// The id of the member.
    pub(super) member: u8,
    /// The player.
    pub(super) seat: u32,
}

/// The inputs of the next step of `simulation`, made from those of the people in `seated`. Whether a seat changes hands
/// follows from the state alone, so every peer makes the same inputs.
pub(super) fn inputs_of_step(simulation: &Simulation, seated: &[Seated], host: u8, inputs: &[NetInput]) -> Inputs {
    let mut result = Inputs::none();
    let engine = simulation.engine();
    let Some(players) = engine.resource::<Players>() else { return result };
    for (seat, player) in (0..).zip(&players.0) {
        let is_person = seated.iter().any(|seated| seated.seat == seat);
        match &player.seat {
            Seat::Ai { .. } if is_person => result.commands.push(Command::TakeSeat(seat)),
            Seat::Script if !is_person => result.commands.push(Command::ReleaseSeat(seat)),
            _ => {}
        }
    }
    let present = engine.resource::<SeatIntents>();
    for (seated, input) in seated.iter().zip(inputs) {
        let intent = input.intent();
        let before = present.as_ref().and_then(|intents| intents.0.get(seated.seat as usize));
        if before.is_some_and(|before| *before != intent) {
            result.intents.push((seated.seat, intent));
        }
        result.casts.extend(input.casts().map(|spell| (seated.seat, spell)));
    }
    if inputs.iter().any(|input| input.pauses()) {
        result.commands.push(if simulation.state().is_match() { Command::Pause } else { Command::Resume });
    }
    if seated.iter().zip(inputs).any(|(seated, input)| seated.member == host && input.restarts()) {
        result.commands.push(Command::Restart);
    }
    result
}

/// Whether the inputs of a step may come from [`inputs_of_step`] in a match of so many players: everything else, and
/// more of it, is from an enemy.
pub(super) fn may_be_of_a_step(inputs: &Inputs, players: u32) -> bool {
    let is_usual = |command: &Command| match *command {
        Command::TakeSeat(seat) | Command::ReleaseSeat(seat) => seat < players,
        Command::Pause | Command::Resume | Command::Restart => true,
        Command::Quit | Command::Close | Command::Cheat(_) => false,
    };
    inputs.edits.is_empty()
        && inputs.commands.len() <= players as usize + MAX_REQUESTS
        && inputs.commands.iter().all(is_usual)
        && inputs.intents.len() <= MAX_MEMBERS
        && inputs.intents.iter().all(|(seat, intent)| *seat < players && *intent == intent.clamped())
        && inputs.casts.len() <= Spell::ALL.len() * MAX_MEMBERS
        && inputs.casts.iter().all(|(seat, _)| *seat < players)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bounty_hunter_simulation::input::{Cheat, Intent};

    #[test]
    fn only_what_peers_make_of_a_step_is_taken() {
        let may = |inputs: Inputs| may_be_of_a_step(&inputs, 4);
        let mut usual = Inputs::none().with(Command::TakeSeat(3)).with(Command::ReleaseSeat(0));
        usual.commands.extend([Command::Pause, Command::Restart]);
        usual.intents.push((3, Intent { drive: 1.0, turn: -1.0 }));
        usual.casts.push((0, Spell::ALL[0]));
        assert!(may(Inputs::none()) && may(usual.clone()));
        let changed = |change: fn(&mut Inputs)| {
            let mut inputs = usual.clone();
            change(&mut inputs);
            inputs
        };
        let bad = [
            changed(|inputs| inputs.edits.push(vec![1])),
            changed(|inputs| inputs.commands.push(Command::TakeSeat(4))),
            changed(|inputs| inputs.commands.push(Command::Cheat(Cheat::KillCollectors))),
            changed(|inputs| inputs.commands.extend([Command::TakeSeat(1); 900])),
            changed(|inputs| inputs.intents.push((4, Intent::IDLE))),
            changed(|inputs| inputs.intents.push((1, Intent { drive: f32::NAN, turn: 0.0 }))),
            changed(|inputs| inputs.intents.extend([(1, Intent::IDLE); 9])),
            changed(|inputs| inputs.casts.extend([(1, Spell::ALL[0]); 25])),
        ];
        for (case, inputs) in bad.into_iter().enumerate() {
            assert!(!may(inputs), "case {case}");
        }
    }
}
