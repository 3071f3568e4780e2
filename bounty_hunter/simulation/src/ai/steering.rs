//! Steering: seeking a position, avoiding collectors, wandering. Each yields an intent.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use super::perception::Threat;
use crate::data::arena::{Pose, forward, wrapped_delta};
use crate::data::config::AiProfile;
use crate::data::input::Intent;

/// Sine of the bearing (about 20°) from which an AI turns at full rate; below, in proportion.
const HARD_TURN_SINE: f32 = 1.0 / 3.0;
/// Cosine (60°) from which two headings count as opposite or equal.
const ALIGNED_COSINE: f32 = 0.5;
/// Speed while a collector crosses, as a share of the top speed: slowly backwards, to let it through.
const CROSSING_DRIVE: f32 = -0.2;
/// Loss of speed before a collector about to touch, as a share of the top speed; above 1 it retreats.
const BRAKING: f32 = 1.5;
/// Share of the last turn kept while wandering, which smooths the heading.
const WANDER_INERTIA: f32 = 0.8;

/// The top speeds of a collector.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agility {
    /// Top speed.
    pub max_speed_mps: f32,
    /// Top turning speed.
    pub max_turn_radps: f32,
}

/// Seeks a position by the shortest way around the world.
///
/// Full speed straight ahead, slower to the side; turns on the spot to a position behind. Inside the turning circle it
/// slows down further, since it would circle the position otherwise.
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
    // The circle tangent to the heading through the target has the radius distance / (2 · sine).
    let turn_radps = profile.target_steering * agility.max_turn_radps;
    let circling_mps = turn_radps * distance_m / (2.0 * sine.abs());
    let drive = (1.0 - sine.abs()).min(circling_mps / agility.max_speed_mps);
    Intent { drive, turn: (sine / HARD_TURN_SINE).clamp(-1.0, 1.0) * profile.target_steering }.clamped()
}

/// Avoids the nearest threat, the first one of a tie; `None` without a threat.
///
/// | the threat | turn | speed |
/// |---|---|---|
/// | comes head-on | hard right, as it does too | braked with proximity, at last backwards |
/// | has the same heading | left, harder with proximity | as above |
/// | crosses | hard towards where it comes from, to pass behind it | slowly backwards |
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

/// Wanders at full speed in a random curve: `is_left` is drawn in each step, `last_turn` is the turn of the last step.
#[must_use]
pub fn wander(profile: &AiProfile, last_turn: f32, is_left: bool) -> Intent {
    let wanted = if is_left { profile.wander_steering } else { -profile.wander_steering };
    Intent { drive: 1.0, turn: WANDER_INERTIA * last_turn + (1.0 - WANDER_INERTIA) * wanted }.clamped()
}

/// 1 to the left; −1 to the right, exactly ahead or behind.
fn side(sine: f32) -> f32 {
    if sine > 0.0 { 1.0 } else { -1.0 }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::{FRAC_PI_2, PI};

    use super::super::original::{AGILITY, profile};
    use super::*;
    use crate::data::arena::wrap;

    const ME: Pose = Pose::new(Vec2::ZERO, 0.0);

    fn seek_at(x: f32, y: f32) -> Intent {
        seek(&profile(), AGILITY, ME, Vec2::new(x, y), 75.0)
    }

    /// The reaction of an AI at the origin facing +y to a threat at `(x, y)`.
    fn avoid_one(x: f32, y: f32, heading: f32) -> Intent {
        avoid(&profile(), ME, &[Threat { position: Vec2::new(x, y), heading }], 75.0).unwrap()
    }

    #[test]
    fn target_ahead_is_sought_at_full_speed() {
        assert_eq!(seek_at(0.0, 20.0), Intent { drive: 1.0, turn: 0.0 });
        assert_eq!(seek_at(0.0, 0.5), Intent { drive: 1.0, turn: 0.0 });
    }

    #[test]
    fn target_aside_is_sought_slower_and_with_a_harder_turn() {
        let [near_ahead, aside, abeam] = [(1.0, 20.0), (15.0, 20.0), (20.0, 0.0)].map(|(x, y)| seek_at(x, y));
        assert!(near_ahead.drive > aside.drive && aside.drive > abeam.drive);
        assert!(0.0 > near_ahead.turn && near_ahead.turn > aside.turn);
        assert_eq!((aside.turn, abeam), (-1.0, Intent { drive: 0.0, turn: -1.0 }));
        assert_eq!(seek_at(-15.0, 20.0), Intent { turn: 1.0, ..aside });
    }

    #[test]
    fn target_behind_is_turned_to_on_the_spot() {
        assert_eq!(seek_at(0.0, -20.0), Intent { drive: 0.0, turn: -1.0 });
        assert_eq!(seek_at(-0.1, -20.0), Intent { drive: 0.0, turn: 1.0 });
    }

    #[test]
    fn position_is_reached_from_every_direction_at_any_steering() {
        const STEP_SECONDS: f32 = 1.0 / 60.0;
        for target_steering in [1.0, 0.5, 0.2] {
            let profile = AiProfile { target_steering, ..profile() };
            for (i, distance_m) in (0..360).flat_map(|i| [0.8, 3.0, 6.0, 12.0, 25.0].map(|distance_m| (i, distance_m)))
            {
                let mut me = Pose::new(Vec2::new(74.0, -74.0), (i as f32).to_radians());
                let target = Vec2::new(74.0, -74.0 + distance_m);
                let steps = (0..60 * 20).take_while(|_| {
                    let intent = seek(&profile, AGILITY, me, target, 75.0);
                    me.position += forward(me.heading) * intent.drive * AGILITY.max_speed_mps * STEP_SECONDS;
                    me.position = wrap(me.position, 75.0).unwrap_or(me.position);
                    me.heading += intent.turn * AGILITY.max_turn_radps * STEP_SECONDS;
                    wrapped_delta(me.position, target, 75.0).length() > 0.57
                });
                let seconds = steps.count() as f32 * STEP_SECONDS;
                let most = distance_m / AGILITY.max_speed_mps + 0.8 / target_steering;
                assert!(seconds < most, "{seconds} s for {distance_m} m at {i} degrees, steering {target_steering}");
            }
        }
    }

    #[test]
    fn steering_ratios_scale_the_turns() {
        let gentle = AiProfile { target_steering: 0.5, avoid_steering: 0.25, ..profile() };
        assert_eq!(seek(&gentle, AGILITY, ME, Vec2::new(-20.0, 0.0), 75.0).turn, 0.5);
        let head_on = Threat { position: Vec2::new(0.0, 10.0), heading: PI };
        assert_eq!(avoid(&gentle, ME, &[head_on], 75.0).unwrap().turn, -0.25);
    }

    #[test]
    fn shortest_way_may_cross_the_edge() {
        let me = Pose::new(Vec2::new(0.0, 70.0), 0.0);
        assert_eq!(seek(&profile(), AGILITY, me, Vec2::new(0.0, -70.0), 75.0), Intent { drive: 1.0, turn: 0.0 });
        let threat = Threat { position: Vec2::new(0.0, -70.0), heading: PI };
        let across = avoid(&profile(), me, &[threat], 75.0).unwrap();
        assert_eq!(across, avoid_one(0.0, 10.0, PI));
    }

    #[test]
    fn head_on_threat_turns_right_and_brakes_with_proximity() {
        for heading in [PI, PI - 0.9, PI + 0.9] {
            let [far, near, close] = [18.0, 10.0, 3.0].map(|distance_m| avoid_one(0.3, distance_m, heading));
            assert_eq!([far.turn, near.turn, close.turn], [-1.0; 3]);
            assert!(far.drive > near.drive && near.drive > 0.0 && close.drive < 0.0);
        }
    }

    #[test]
    fn crossing_threat_is_passed_behind() {
        assert_eq!(avoid_one(0.0, 10.0, FRAC_PI_2), Intent { drive: -0.2, turn: -1.0 });
        assert_eq!(avoid_one(0.0, 10.0, -FRAC_PI_2), Intent { drive: -0.2, turn: 1.0 });
    }

    #[test]
    fn followed_collector_is_passed_on_the_left() {
        let [far, near, close] = [18.0, 10.0, 3.0].map(|distance_m| avoid_one(0.0, distance_m, 0.2));
        assert!(far.drive > near.drive && near.drive > 0.0 && close.drive < 0.0);
        assert!(0.0 < far.turn && far.turn < near.turn && near.turn < close.turn);
    }

    #[test]
    fn nearest_threat_counts_and_first_of_a_tie() {
        let threat = |x, y, heading| Threat { position: Vec2::new(x, y), heading };
        let turn = |threats: &[Threat]| avoid(&profile(), ME, threats, 75.0).map(|intent| intent.turn);
        let (from_right, from_left) = (threat(0.0, 9.0, FRAC_PI_2), threat(0.0, 9.0, -FRAC_PI_2));
        assert_eq!(turn(&[threat(0.0, 15.0, -FRAC_PI_2), from_right]), Some(-1.0));
        assert_eq!(turn(&[from_right, from_left]), Some(-1.0));
        assert_eq!(turn(&[from_left, from_right]), Some(1.0));
        assert_eq!(turn(&[threat(f32::NAN, 1.0, 0.0), threat(0.0, 1.0, f32::NAN)]), None);
        assert_eq!(turn(&[]), None);
    }

    #[test]
    fn invalid_positions_yield_valid_intents() {
        for x in [f32::NAN, f32::INFINITY, f32::MAX, 0.0, 1e-30] {
            let intent = seek_at(x, 0.0);
            assert!(intent == intent.clamped(), "{x}: {intent:?}");
        }
        assert_eq!(seek_at(0.0, 0.0), Intent::IDLE);
    }

    #[test]
    fn wandering_is_fast_and_turns_smoothly() {
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
