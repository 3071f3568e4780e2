//! Seats that change hands during a match: a person takes over the seat of an AI, and the AI gets it back.

use ecs::Engine;

use crate::control::ai_controller::AiController;
use crate::control::player_control::SeatIntents;
use crate::data::input::Intent;
use crate::gameplay::player::{Players, Seat};
use crate::objects::collector::Controls;

/// Lets [`Inputs::intents`](crate::data::input::Inputs::intents) drive a player; does nothing if the match has no such
/// player.
pub fn take(engine: &mut Engine, player: u32) {
    hand_over(engine, player, Seat::Script);
}

/// Returns the control of a player to `seat`, its seat in the match set-up; does nothing if the match has no such
/// player.
pub fn release(engine: &mut Engine, player: u32, seat: &Seat) {
    hand_over(engine, player, seat.clone());
}

fn hand_over(engine: &mut Engine, player: u32, seat: Seat) {
    let is_ai = matches!(seat, Seat::Ai { .. });
    let Some(players) = engine.resource_mut::<Players>() else { return };
    let Some(place) = players.0.get_mut(player as usize) else { return };
    place.seat = seat;
    let collector = place.collector;
    if let Some(SeatIntents(intents)) = engine.resource_mut()
        && let Some(intent) = intents.get_mut(player as usize)
    {
        *intent = Intent::IDLE;
    }
    if let Some(ai_controller) = engine.get_mut::<AiController>(collector) {
        ai_controller.is_relieved = !is_ai;
    }
    if let Some(controls) = engine.get_mut::<Controls>(collector) {
        controls.intent = Intent::IDLE;
    }
}

#[cfg(test)]
mod tests {
    use crate::assets::Assets;
    use crate::data::input::{Command, Inputs, Intent};
    use crate::gameplay::player::{Players, Seat};
    use crate::simulation::view::{GameState, PlayerView};
    use crate::simulation::{MatchSetup, Simulation};

    fn running() -> Simulation {
        let mut simulation = Simulation::new(&Assets::built_in(), &MatchSetup::of_ais(7, 3, "normal")).unwrap();
        while simulation.step(&Inputs::none()).state != GameState::Running {}
        simulation
    }

    fn place(simulation: &Simulation, player: u32) -> glam::Vec2 {
        simulation.view().collectors.iter().find(|collector| collector.player == player).unwrap().position
    }

    #[test]
    fn taken_seat_obeys_intents_until_it_is_released() {
        let mut simulation = running();
        simulation.step(&Inputs::none().with(Command::TakeSeat(1)));
        (0..30).for_each(|_| _ = simulation.step(&Inputs::none()));
        let stands = place(&simulation, 1);
        (0..30).for_each(|_| _ = simulation.step(&Inputs::none()));
        assert_eq!(place(&simulation, 1), stands, "its AI no longer drives it");
        simulation.step(&Inputs::none().intent(1, Intent { drive: 1.0, turn: 0.0 }));
        (0..10).for_each(|_| _ = simulation.step(&Inputs::none()));
        assert_ne!(place(&simulation, 1), stands);
        simulation.step(&Inputs::none().with(Command::ReleaseSeat(1)));
        let seat = simulation.engine().resource::<Players>().unwrap().0[1].seat.clone();
        assert_eq!(seat, Seat::Ai { profile: "normal".into() });
        let given_back = place(&simulation, 1);
        (0..120).for_each(|_| _ = simulation.step(&Inputs::none()));
        assert_ne!(place(&simulation, 1), given_back, "its AI drives it again");
    }

    #[test]
    fn taken_seat_is_that_of_a_person_at_another_screen_and_a_script_is_nobody() {
        let mut simulation = running();
        let seen = |simulation: &Simulation| {
            let players = simulation.view().players;
            assert!(players.iter().all(|player| !player.is_here()));
            players.iter().map(PlayerView::is_person).collect::<Vec<_>>()
        };
        assert_eq!(seen(&simulation), [false; 3]);
        simulation.step(&Inputs::none().with(Command::TakeSeat(1)));
        assert_eq!(seen(&simulation), [false, true, false]);
        simulation.step(&Inputs::none().with(Command::ReleaseSeat(1)));
        assert_eq!(seen(&simulation), [false; 3]);
        let mut setup = MatchSetup::of_ais(7, 3, "normal");
        setup.seats[1] = Seat::Script;
        let mut simulation = Simulation::new(&Assets::built_in(), &setup).unwrap();
        while simulation.step(&Inputs::none()).state != GameState::Running {}
        assert_eq!(seen(&simulation), [false; 3]);
    }

    #[test]
    fn seats_that_do_not_exist_change_nothing() {
        let mut simulation = running();
        let mut untouched = running();
        let strange = [Command::TakeSeat(3), Command::ReleaseSeat(u32::MAX)];
        simulation.step(&strange.into_iter().fold(Inputs::none(), Inputs::with));
        untouched.step(&Inputs::none());
        assert_eq!(simulation.state_hash(), untouched.state_hash());
    }
}
