//! How an AI gets to a place, past somebody, or about: each yields an intent, as a keyboard does.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use super::perception::Threat;
use crate::data::arena::{Pose, forward, wrapped_delta};
use crate::data::config::AiProfile;
use crate::data::input::Intent;

/// From this sine of the bearing on (about 20°) an AI turns as hard as it may; below, in proportion.
const HARD_TURN_SINE: f32 = 1.0 / 3.0;
/// Headings that differ from opposite or equal ones by less than this cosine (60°) meet head-on, or follow each other.
const ALIGNED_COSINE: f32 = 0.5;
/// Speed while somebody crosses, as a share of the top speed: a little backwards, to let it through.
const CROSSING_DRIVE: f32 = -0.2;
/// Speed that is lost in front of somebody who is about to touch, as a share of the top speed: above 1 it is a retreat.
const BRAKING: f32 = 1.5;
/// What of the last turn is kept when wandering, so that the nose does not tremble; the course is the same on average.
const WANDER_INERTIA: f32 = 0.8;

/// What a collector is able to do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agility {
    /// Top speed.
    pub max_speed_mps: f32,
    /// Top turning speed.
    pub max_turn_radps: f32,
}

/// Goes to a place by the short way around the world.
///
/// Full speed ahead when it lies dead ahead, the slower the more it lies aside; a place astern is turned to on the spot.
/// Near a place that lies within the turning circle it goes slower still, for at speed it would circle it in a long spiral.
#[must_use]
pub fn seek(profile: &AiProfile, agility: Agility, me: Pose, target: Vec2, half_extent_m: f32) -> Intent {
    let delta = wrapped_delta(me.position, target, half_extent_m);
    let distance_m = delta.length();
    let ahead = forward(me.heading);
    let sine = ahead.perp_dot(delta) / distance_m;
    if !sine.is_finite() {
        return Intent::IDLE;
    }
    if ahead.dot(delta) < 0.0 {
        return Intent { drive: 0.0, turn: side(sine) * profile.target_steering };
    }
    // The circle that touches the own heading and runs through the target has the radius distance / (2 · sine).
    let turn_radps = profile.target_steering * agility.max_turn_radps;
    let circling_mps = turn_radps * distance_m / (2.0 * sine.abs());
    let drive = (1.0 - sine.abs()).min(circling_mps / agility.max_speed_mps);
    Intent { drive, turn: (sine / HARD_TURN_SINE).clamp(-1.0, 1.0) * profile.target_steering }.clamped()
}

/// Keeps clear of the nearest threat, the first of them in a tie; `None` if there is none.
///
/// | the other one | turn | speed |
/// |---|---|---|
/// | comes head-on | hard to the right, as it does too | the slower the nearer, backwards at last |
/// | goes the same way, or stands so | to the left, the harder the nearer | the same |
/// | crosses | hard to where it comes from, to pass behind it | a little backwards |
#[must_use]
pub fn avoid(profile: &AiProfile, me: Pose, threats: &[Threat], half_extent_m: f32) -> Option<Intent> {
    let mut nearest: Option<(f32, f32)> = None;
    for threat in threats {
        let distance_m = wrapped_delta(me.position, threat.position, half_extent_m).length();
        if distance_m.is_finite() && threat.heading.is_finite() && nearest.is_none_or(|(least, _)| distance_m < least) {
            nearest = Some((distance_m, threat.heading));
        }
    }
    let (distance_m, heading) = nearest?;
    let (mine, theirs) = (forward(me.heading), forward(heading));
    let urgency = (1.0 - distance_m / profile.avoider_range_m).clamp(0.0, 1.0);
    let cosine = mine.dot(theirs);
    let braked = 1.0 - BRAKING * urgency;
    let (drive, turn) = if cosine <= -ALIGNED_COSINE {
        (braked, -1.0)
    } else if cosine >= ALIGNED_COSINE {
        (braked, urgency)
    } else {
        (CROSSING_DRIVE, -side(mine.perp_dot(theirs)))
    };
    Some(Intent { drive, turn: turn * profile.avoid_steering }.clamped())
}

/// Goes on at full speed in a random curve: `is_left` is a new draw for each step, `last_turn` the turn of the last.
#[must_use]
pub fn wander(profile: &AiProfile, last_turn: f32, is_left: bool) -> Intent {
    let wanted = if is_left { profile.wander_steering } else { -profile.wander_steering };
    Intent { drive: 1.0, turn: WANDER_INERTIA * last_turn + (1.0 - WANDER_INERTIA) * wanted }.clamped()
}

/// 1 for what lies to the left, −1 for what lies to the right, or exactly ahead or astern.
fn side(sine: f32) -> f32 {
    if sine > 0.0 { 1.0 } else { -1.0 }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::{FRAC_PI_2, PI};

    use super::super::test_world::{AGILITY, profile};
    use super::*;

    const ME: Pose = Pose::new(Vec2::ZERO, 0.0);

    fn seek_at(x: f32, y: f32) -> Intent {
        seek(&profile(), AGILITY, ME, Vec2::new(x, y), 75.0)
    }

    /// What an AI at the origin that faces +y does about one at `(x, y)` with a heading.
    fn avoid_one(x: f32, y: f32, heading: f32) -> Intent {
        avoid(&profile(), ME, &[Threat { key: 1, position: Vec2::new(x, y), heading }], 75.0).unwrap()
    }

    #[test]
    fn dead_ahead_is_full_speed_and_no_turn() {
        assert_eq!(seek_at(0.0, 20.0), Intent { drive: 1.0, turn: 0.0 });
        assert_eq!(seek_at(0.0, 0.5), Intent { drive: 1.0, turn: 0.0 });
    }

    #[test]
    fn the_more_a_target_lies_aside_the_slower_and_the_harder_the_turn() {
        let [near_ahead, aside, abeam] = [(1.0, 20.0), (15.0, 20.0), (20.0, 0.0)].map(|(x, y)| seek_at(x, y));
        assert!(near_ahead.drive > aside.drive && aside.drive > abeam.drive);
        assert!(0.0 > near_ahead.turn && near_ahead.turn > aside.turn);
        assert_eq!((aside.turn, abeam), (-1.0, Intent { drive: 0.0, turn: -1.0 }));
        assert_eq!(seek_at(-15.0, 20.0), Intent { turn: 1.0, ..aside });
    }

    #[test]
    fn what_is_dead_astern_is_turned_to() {
        assert_eq!(seek_at(0.0, -20.0), Intent { drive: 0.0, turn: -1.0 });
        assert_eq!(seek_at(-0.1, -20.0), Intent { drive: 0.0, turn: 1.0 });
    }

    #[test]
    fn steering_ratios_scale_the_turns() {
        let gentle = AiProfile { target_steering: 0.5, avoid_steering: 0.25, ..profile() };
        assert_eq!(seek(&gentle, AGILITY, ME, Vec2::new(-20.0, 0.0), 75.0).turn, 0.5);
        let head_on = Threat { key: 1, position: Vec2::new(0.0, 10.0), heading: PI };
        assert_eq!(avoid(&gentle, ME, &[head_on], 75.0).unwrap().turn, -0.25);
    }

    #[test]
    fn the_way_leads_across_the_edge_when_that_is_shorter() {
        let me = Pose::new(Vec2::new(0.0, 70.0), 0.0);
        assert_eq!(seek(&profile(), AGILITY, me, Vec2::new(0.0, -70.0), 75.0), Intent { drive: 1.0, turn: 0.0 });
        let threat = Threat { key: 1, position: Vec2::new(0.0, -70.0), heading: PI };
        let across = avoid(&profile(), me, &[threat], 75.0).unwrap();
        assert_eq!(across, avoid_one(0.0, 10.0, PI));
    }

    #[test]
    fn head_on_both_turn_hard_right_and_brake_the_more_the_nearer() {
        for heading in [PI, PI - 0.9, PI + 0.9] {
            let [far, near, close] = [18.0, 10.0, 3.0].map(|distance_m| avoid_one(0.3, distance_m, heading));
            assert_eq!([far.turn, near.turn, close.turn], [-1.0; 3]);
            assert!(far.drive > near.drive && near.drive > 0.0 && close.drive < 0.0);
        }
    }

    #[test]
    fn who_crosses_is_let_through_and_passed_behind_without_a_dead_stop() {
        assert_eq!(avoid_one(0.0, 10.0, FRAC_PI_2), Intent { drive: -0.2, turn: -1.0 });
        assert_eq!(avoid_one(0.0, 10.0, -FRAC_PI_2), Intent { drive: -0.2, turn: 1.0 });
    }

    #[test]
    fn who_is_followed_closely_is_backed_off_from_to_the_left() {
        let [far, near, close] = [18.0, 10.0, 3.0].map(|distance_m| avoid_one(0.0, distance_m, 0.2));
        assert!(far.drive > near.drive && near.drive > 0.0 && close.drive < 0.0);
        assert!(0.0 < far.turn && far.turn < near.turn && near.turn < close.turn);
    }

    #[test]
    fn the_nearest_threat_counts_and_the_first_of_a_tie() {
        let threat = |x, y, heading| Threat { key: 0, position: Vec2::new(x, y), heading };
        let turn = |threats: &[Threat]| avoid(&profile(), ME, threats, 75.0).map(|intent| intent.turn);
        let (from_right, from_left) = (threat(0.0, 9.0, FRAC_PI_2), threat(0.0, 9.0, -FRAC_PI_2));
        assert_eq!(turn(&[threat(0.0, 15.0, -FRAC_PI_2), from_right]), Some(-1.0));
        assert_eq!(turn(&[from_right, from_left]), Some(-1.0));
        assert_eq!(turn(&[from_left, from_right]), Some(1.0));
        assert_eq!(turn(&[threat(f32::NAN, 1.0, 0.0), threat(0.0, 1.0, f32::NAN)]), None);
        assert_eq!(turn(&[]), None);
    }

    #[test]
    fn nonsense_never_leaves_the_range_of_an_intent() {
        for x in [f32::NAN, f32::INFINITY, f32::MAX, 0.0, 1e-30] {
            let intent = seek_at(x, 0.0);
            assert!(intent == intent.clamped(), "{x}: {intent:?}");
        }
        assert_eq!(seek_at(0.0, 0.0), Intent::IDLE);
    }

    #[test]
    fn wandering_is_fast_and_turns_gently_to_both_sides() {
        let mut turn = 0.0;
        let turns = [true; 40].into_iter().chain([false; 40]).map(|is_left| {
            let intent = wander(&profile(), turn, is_left);
            assert_eq!(intent.drive, 1.0);
            assert!((intent.turn - turn).abs() <= 0.21, "no sudden turns");
            turn = intent.turn;
            turn
        });
        let turns: Vec<f32> = turns.collect();
        assert!((turns[39] - 0.5).abs() < 0.01 && (turns[79] + 0.5).abs() < 0.01, "{turns:?}");
    }
}
