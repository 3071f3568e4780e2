//! What learned players choose between: goals, which the game steers to, or a drive and a turn.

use super::observation::{BOUNTIES, BOUNTY, FIRST_BOUNTY, HOME, WAY_UNIT_M};
use crate::data::input::Intent;

/// The drives of a choice without a goal, as shares of the top speed.
pub const DRIVES: [f32; 4] = [1.0, 0.5, 0.0, -0.5];

/// The turns of a choice without a goal, as shares of the top turning speed; positive is left.
pub const TURNS: [f32; 7] = [-1.0, -0.4, -0.12, 0.0, 0.12, 0.4, 1.0];

/// The manoeuvres among the goals: drive and turn.
const MANOEUVRES: [(f32, f32); 5] = [(1.0, 0.0), (1.0, 1.0), (1.0, -1.0), (0.0, 0.0), (-0.5, 0.0)];
const MANOEUVRE_NAMES: [&str; 5] = ["ahead", "ahead to the left", "ahead to the right", "stand", "back"];

/// The number of goals: the bounties of an observation, the own stash, and the manoeuvres.
pub const GOALS: usize = BOUNTIES + 1 + MANOEUVRES.len();

/// The angle that a collector turns in 1/15 s at the usual top turning speed: it faces a goal within this angle after
/// one decision.
const TURN_OF_A_DECISION_RAD: f32 = 0.42;
/// The radius of the circle of a collector at the usual top speeds.
const TURNING_CIRCLE_M: f32 = 4.0;

/// The intent of a drive and a turn by their indices; `None` if there is no such index.
#[must_use]
pub fn intent_of_choice(drive: usize, turn: usize) -> Option<Intent> {
    Some(Intent { drive: *DRIVES.get(drive)?, turn: *TURNS.get(turn)? })
}

/// The name of each goal.
#[must_use]
pub fn goal_names() -> Vec<String> {
    let bounties = (0..BOUNTIES).map(|bounty| format!("bounty {bounty}"));
    bounties.chain(["own stash".to_owned()]).chain(MANOEUVRE_NAMES.map(String::from)).collect()
}

/// The intent of a goal by its index, on an observation; `None` if there is no such index. A bounty that is not there
/// is like *ahead*.
#[must_use]
pub fn intent_of_goal(goal: usize, observation: &[f32]) -> Option<Intent> {
    let way = match goal {
        ..BOUNTIES => FIRST_BOUNTY + goal * BOUNTY,
        BOUNTIES => HOME,
        _ => {
            let (drive, turn) = *MANOEUVRES.get(goal - BOUNTIES - 1)?;
            return Some(Intent { drive, turn });
        }
    };
    let &[cosine, sine, length, ..] = observation.get(way..)? else { return None };
    Some(intent_towards(cosine, sine, length * WAY_UNIT_M))
}

/// Drives towards a place: on the spot if it is behind, slower if it is to the side or inside the turning circle.
fn intent_towards(cosine: f32, sine: f32, length_m: f32) -> Intent {
    if cosine == 0.0 && sine == 0.0 {
        return Intent { drive: 1.0, turn: 0.0 };
    }
    let turn = libm::atan2f(sine, cosine) / TURN_OF_A_DECISION_RAD;
    let circling = length_m / (2.0 * TURNING_CIRCLE_M * sine.abs().max(0.01));
    let drive = if cosine < 0.0 { 0.0 } else { cosine.min(circling) };
    Intent { drive, turn }.clamped()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ai::learned::OBSERVATION_LENGTH;

    fn towards(way: usize, cosine: f32, sine: f32, length_m: f32) -> [f32; OBSERVATION_LENGTH] {
        let mut observation = [0.0; OBSERVATION_LENGTH];
        observation[way..way + 3].copy_from_slice(&[cosine, sine, length_m / WAY_UNIT_M]);
        observation
    }

    #[test]
    fn every_goal_has_a_name_and_an_intent() {
        assert_eq!(goal_names().len(), GOALS);
        assert!((0..GOALS).all(|goal| intent_of_goal(goal, &[0.5; OBSERVATION_LENGTH]).is_some()));
        assert_eq!(intent_of_goal(GOALS, &[0.5; OBSERVATION_LENGTH]), None);
    }

    #[test]
    fn goal_is_steered_to() {
        let second = FIRST_BOUNTY + BOUNTY;
        let intent = |observation: [f32; OBSERVATION_LENGTH]| intent_of_goal(1, &observation).unwrap();
        assert_eq!(intent(towards(second, 1.0, 0.0, 30.0)), Intent { drive: 1.0, turn: 0.0 });
        assert_eq!(intent(towards(second, -0.6, 0.8, 30.0)), Intent { drive: 0.0, turn: 1.0 }, "behind to the left");
        let aside = intent(towards(second, 0.8, -0.6, 30.0));
        assert!(aside.turn == -1.0 && (aside.drive - 0.8).abs() < 1e-6);
        assert!(intent(towards(second, 0.6, 0.8, 2.0)).drive < 0.4, "inside the turning circle");
        assert_eq!(intent_of_goal(BOUNTIES, &towards(HOME, 1.0, 0.0, 9.0)), Some(Intent { drive: 1.0, turn: 0.0 }));
        assert_eq!(intent([0.0; OBSERVATION_LENGTH]), Intent { drive: 1.0, turn: 0.0 }, "nothing there");
    }
}
