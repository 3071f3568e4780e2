//! The input of one person in one step, as it is sent.

use ggrs::InputPredictor;
use serde::{Deserialize, Serialize};

use bounty_hunter_simulation::input::Intent;
use bounty_hunter_simulation::spell::Spell;

/// A whole share of [`Intent`].
const WHOLE: f32 = 127.0;
const PAUSE: u8 = 1;
const RESTART: u8 = 2;

/// The input of one person in one step: 4 bytes. Any bytes are a valid input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetInput {
    drive: i8,
    turn: i8,
    /// One bit for each spell.
    casts: u8,
    requests: u8,
}

impl NetInput {
    /// The input that drives by `intent`, in steps of 1/127.
    #[must_use]
    pub fn driving(intent: Intent) -> Self {
        let Intent { drive, turn } = intent.clamped();
        Self { drive: (drive * WHOLE) as i8, turn: (turn * WHOLE) as i8, ..Self::default() }
    }

    /// Adds a request for a spell.
    #[must_use]
    pub fn casting(self, spell: Spell) -> Self {
        Self { casts: self.casts | 1 << spell.index(), ..self }
    }

    /// Adds a request to pause, or to end a pause.
    #[must_use]
    pub fn pausing(self) -> Self {
        Self { requests: self.requests | PAUSE, ..self }
    }

    /// Adds a request to begin the match again, which is granted to the host in a pause or after the end.
    #[must_use]
    pub fn restarting(self) -> Self {
        Self { requests: self.requests | RESTART, ..self }
    }

    /// Adds what the earlier input `missed` requested and no step has taken.
    pub(super) fn catching_up(self, missed: Self) -> Self {
        Self { casts: self.casts | missed.casts, requests: self.requests | missed.requests, ..self }
    }

    /// The bytes, as `ggrs` writes them.
    pub(super) fn to_bytes(self) -> [u8; 4] {
        [self.drive as u8, self.turn as u8, self.casts, self.requests]
    }

    pub(super) fn intent(self) -> Intent {
        Intent { drive: f32::from(self.drive) / WHOLE, turn: f32::from(self.turn) / WHOLE }.clamped()
    }

    pub(super) fn casts(self) -> impl Iterator<Item = Spell> {
        Spell::ALL.into_iter().filter(move |spell| self.casts & 1 << spell.index() != 0)
    }

    pub(super) fn pauses(self) -> bool {
        self.requests & PAUSE != 0
    }

    pub(super) fn restarts(self) -> bool {
        self.requests & RESTART != 0
    }
}

/// Guesses that a person goes on driving as before and presses nothing new.
pub(super) struct KeepDriving;

impl InputPredictor<NetInput> for KeepDriving {
    fn predict(previous: NetInput) -> NetInput {
        NetInput { casts: 0, requests: 0, ..previous }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intents_survive_the_wire_within_a_127th() {
        for drive in [-2.0, -1.0, -0.5, 0.0, 0.3, 1.0, f32::NAN] {
            let intent = Intent { drive, turn: -drive };
            let received = NetInput::driving(intent).intent();
            assert!((received.drive - intent.clamped().drive).abs() <= 1.0 / WHOLE, "{drive} is {received:?}");
        }
        let strange = NetInput { drive: -128, turn: -128, casts: 255, requests: 255 };
        assert_eq!(strange.intent(), Intent { drive: -1.0, turn: -1.0 });
        assert_eq!(strange.casts().count(), Spell::COUNT);
    }

    #[test]
    fn guesses_repeat_the_driving_only() {
        let input = NetInput::driving(Intent { drive: 1.0, turn: 0.5 }).casting(Spell::Strike).pausing().restarting();
        let guess = KeepDriving::predict(input);
        assert_eq!(guess.intent(), input.intent());
        assert!(guess.casts().next().is_none() && !guess.pauses() && !guess.restarts());
    }

    #[test]
    fn requests_that_no_step_has_taken_are_kept() {
        let missed = NetInput::driving(Intent { drive: 1.0, turn: 0.0 }).casting(Spell::Purge);
        let input = NetInput::default().pausing().catching_up(missed);
        assert!(input.pauses() && input.casts().eq([Spell::Purge]) && input.intent() == Intent::IDLE);
    }
}
