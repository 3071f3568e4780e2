//! A stick on the screen: it appears under a finger, wherever that is, and goes when the finger does.

use glam::Vec2;
use macroquad::math::Vec2 as Point;

use bounty_hunter_simulation::input::Intent;

/// How far the tip can be pushed, in pixels of a finger's size.
pub(crate) const RADIUS_PX: f32 = 46.0;
/// Pushes below this share of the radius do not count.
const DEAD_SHARE: f32 = 0.2;
/// From this share on, the push is a whole one.
const WHOLE_SHARE: f32 = 0.7;
/// The share of the top turning speed for each radian that is left to turn.
const TURN_PER_RAD: f32 = 3.0;
/// Steps in which the shares of an intent change: a recording has a line for each change.
const STEPS: f32 = 16.0;

/// The finger on the stick, and where it has begun and is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stick {
    finger: u64,
    base: Point,
    tip: Point,
}

impl Stick {
    /// A stick at rest under a finger.
    pub(crate) fn new(finger: u64, place: Point) -> Self {
        Self { finger, base: place, tip: place }
    }

    pub(crate) fn is_of(&self, finger: u64) -> bool {
        self.finger == finger
    }

    /// Moves the tip to the finger. The base follows one that goes farther than the radius, so that the way back is
    /// short.
    pub(crate) fn follow(&mut self, place: Point) {
        self.tip = place;
        let way = self.tip - self.base;
        let beyond_px = way.length() - RADIUS_PX;
        if beyond_px > 0.0 && beyond_px.is_finite() {
            self.base += way.normalize_or_zero() * beyond_px;
        }
    }

    pub(crate) fn base(&self) -> Point {
        self.base
    }

    pub(crate) fn tip(&self) -> Point {
        self.tip
    }

    /// The direction in the arena, where +y is up, with a length of 0 to 1.
    pub(crate) fn push(&self) -> Vec2 {
        let way = self.tip - self.base;
        let share = (way.length() / RADIUS_PX - DEAD_SHARE) / (WHOLE_SHARE - DEAD_SHARE);
        let direction = way.normalize_or_zero();
        Vec2::new(direction.x, -direction.y) * share.clamp(0.0, 1.0)
    }
}

/// What leads a collector with this heading into the direction of a push: it turns there the shorter way, and drives as
/// far as it looks there.
pub(crate) fn steered(push: Vec2, heading: f32) -> Intent {
    let share = push.length();
    if share.is_nan() || share <= 0.0 {
        return Intent::IDLE;
    }
    let ahead = Vec2::new(libm::cosf(heading), libm::sinf(heading));
    let left_rad = libm::atan2f(ahead.perp_dot(push), ahead.dot(push));
    let stepped = |share: f32| (share * STEPS).round() / STEPS;
    let drive = share * (ahead.dot(push) / share).max(0.0);
    Intent { drive: stepped(drive), turn: stepped(left_rad * TURN_PER_RAD) }.clamped()
}

#[cfg(test)]
mod tests {
    use std::f32::consts::{FRAC_PI_2, PI};

    use super::*;

    fn pushed(x: f32, y: f32) -> Stick {
        let mut stick = Stick::new(7, Point::new(100.0, 100.0));
        stick.follow(Point::new(100.0 + x, 100.0 + y));
        stick
    }

    #[test]
    fn stick_is_at_rest_where_the_finger_begins_and_up_is_up() {
        assert_eq!((pushed(0.0, 0.0).push(), pushed(5.0, 5.0).push()), (Vec2::ZERO, Vec2::ZERO));
        assert_eq!(pushed(0.0, -RADIUS_PX).push(), Vec2::new(0.0, 1.0));
        let half = pushed(0.45 * RADIUS_PX, 0.0).push();
        assert!((half - Vec2::new(0.5, 0.0)).length() < 1e-4, "{half}");
        assert!(pushed(1.0, 1.0).is_of(7) && !pushed(1.0, 1.0).is_of(8));
    }

    #[test]
    fn base_follows_a_finger_that_goes_far_so_that_it_turns_around_at_once() {
        let mut stick = pushed(500.0, 0.0);
        assert_eq!((stick.push(), stick.tip().distance(stick.base())), (Vec2::X, RADIUS_PX));
        stick.follow(Point::new(600.0 - 2.0 * RADIUS_PX, 100.0));
        assert_eq!(stick.push(), Vec2::NEG_X);
    }

    #[test]
    fn collector_turns_the_shorter_way_and_drives_as_far_as_it_looks_there() {
        assert_eq!(steered(Vec2::X, 0.0), Intent { drive: 1.0, turn: 0.0 });
        assert_eq!(steered(Vec2::Y, 0.0), Intent { drive: 0.0, turn: 1.0 });
        assert_eq!(steered(Vec2::NEG_Y, 0.0), Intent { drive: 0.0, turn: -1.0 });
        assert_eq!(steered(Vec2::X, 2.0 * PI + 0.1).turn, -0.3125, "after any number of turns");
        let behind = steered(Vec2::new(-1.0, 0.1), 0.0);
        assert_eq!(behind, Intent { drive: 0.0, turn: 1.0 });
        assert_eq!(steered(0.5 * Vec2::Y, FRAC_PI_2), Intent { drive: 0.5, turn: 0.0 });
    }

    #[test]
    fn no_push_is_no_intent_whatever_the_numbers_are() {
        for push in [Vec2::ZERO, Vec2::NAN, Vec2::new(f32::NAN, 1.0)] {
            assert_eq!(steered(push, 1.0), Intent::IDLE);
        }
        let odd = steered(Vec2::X, f32::NAN);
        assert_eq!((odd.drive, odd.turn), (0.0, 0.0));
    }
}
