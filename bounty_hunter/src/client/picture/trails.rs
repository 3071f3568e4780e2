//! The fading trails behind collectors.

use glam::Vec2;
use macroquad::color::{Color, hsl_to_rgb};
use macroquad::math::Vec2 as Point;
use macroquad::shapes::{draw_circle, draw_line};

use crate::client::drawing::camera::Camera;
use crate::client::drawing::theme::{self, faded};
use crate::client::unlocks::TrailShape;
use bounty_hunter_simulation::simulation::view::{CollectorView, View};

/// Number of places in a trail, one per step, and of those that are drawn of a usual one.
const LENGTH: usize = 44;
const USUAL_LENGTH: usize = 22;
/// The beads of a full load, and their places in a trail.
const MAX_BEADS: f32 = 6.0;
/// The beads of the longest chain are so many times as large as those of a load without one.
const MAX_BEAD_GROWTH: f32 = 1.8;
const STEPS_TO_FIRST_BEAD: usize = 5;
const STEPS_BETWEEN_BEADS: usize = 3;
/// With more players, there are trails only for the first ones.
const MAX_PLAYERS: usize = 100;

/// The recent places of each collector.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trails {
    by_player: Vec<Trail>,
}

#[derive(Clone, Debug, Default)]
struct Trail {
    places: Vec<Vec2>,
    /// The number of places since the beginning.
    steps: u64,
    is_alive: bool,
}

impl Trails {
    /// Records the places after a step.
    pub(crate) fn record(&mut self, view: &View) {
        self.by_player.resize_with(view.players.len().min(MAX_PLAYERS), Trail::default);
        for trail in &mut self.by_player {
            trail.is_alive = false;
        }
        for collector in &view.collectors {
            if let Some(trail) = self.by_player.get_mut(collector.player as usize) {
                trail.is_alive = true;
                if collector.teleported {
                    trail.places.clear();
                }
                if trail.places.len() == LENGTH {
                    trail.places.remove(0);
                }
                trail.places.push(collector.position);
                trail.steps += 1;
            }
        }
        for trail in self.by_player.iter_mut().filter(|trail| !trail.is_alive) {
            trail.places.clear();
        }
    }

    /// Draws all trails, thinner and fainter towards their ends, each in the shape of its player.
    pub(crate) fn draw(&self, camera: &Camera, half_extent_m: f32, shape_of: impl Fn(u32) -> TrailShape) {
        let widest = camera.px(half_extent_m) * 0.9;
        for (player, trail) in (0_u32..).zip(&self.by_player) {
            let (color, shape) = (camera.palette.color(player), shape_of(player));
            let length = if shape == TrailShape::Comet { USUAL_LENGTH } else { LENGTH };
            // The collector is drawn between the last two places, so the trail ends before the newest one.
            let places = trail.places.get(..trail.places.len().saturating_sub(1)).unwrap_or_default();
            let first = places.len().saturating_sub(length);
            for (index, pair) in places.windows(2).enumerate().skip(first) {
                let freshness = (index + 1 + length - places.len()) as f32 / length as f32;
                let link = Link {
                    from: camera.point(pair[0]),
                    to: camera.point(pair[1]),
                    freshness,
                    step: trail.steps - trail.places.len() as u64 + index as u64,
                };
                link.draw(shape, widest, color);
            }
        }
    }
}

/// A part of a trail, of one step.
struct Link {
    from: Point,
    to: Point,
    /// From 0, at the end of the trail, to 1.
    freshness: f32,
    /// The number of its step, which does not change while it is seen.
    step: u64,
}

impl Link {
    fn draw(&self, shape: TrailShape, widest: f32, color: Color) {
        let (from, to, freshness) = (self.from, self.to, self.freshness);
        let line = |from: Point, to: Point, width: f32, color| draw_line(from.x, from.y, to.x, to.y, width, color);
        let along = (to - from).normalize_or_zero();
        let across = Point::new(-along.y, along.x) * widest;
        let strong = faded(color, 0.65 * freshness);
        match shape {
            TrailShape::Comet => line(from, to, widest * freshness, faded(color, 0.20 * freshness)),
            TrailShape::Twin => {
                for side in [-0.75, 0.75] {
                    line(from + across * side, to + across * side, (widest * 0.16).max(1.0), strong);
                }
            }
            TrailShape::Dots if self.step.is_multiple_of(3) => {
                draw_circle(to.x, to.y, (widest * 0.42 * freshness).max(1.0), strong);
            }
            TrailShape::Wave => {
                let bent = |step: u64| across * (0.9 * libm::sinf(step as f32 * 0.7));
                line(from + bent(self.step), to + bent(self.step + 1), (widest * 0.2).max(1.0), strong);
            }
            TrailShape::Sparks if self.step.is_multiple_of(2) => {
                // Beside the way, and always at the same place.
                let side = (self.step.wrapping_mul(0x9E37_79B9) >> 4) % 16;
                let (center, size) = (to + across * (side as f32 / 8.0 - 0.94), widest * 0.45 * freshness);
                line(center - Point::X * size, center + Point::X * size, 1.5, strong);
                line(center - Point::Y * size, center + Point::Y * size, 1.5, strong);
            }
            TrailShape::Dots | TrailShape::Sparks => {}
            TrailShape::Rainbow => {
                let hue = (self.step % 30) as f32 / 30.0;
                line(from, to, widest * 0.7 * freshness, faded(hsl_to_rgb(hue, 0.9, 0.6), 0.55 * freshness));
            }
        }
    }
}

impl Trails {
    /// Draws the load of a collector as beads that follow it, larger with each link of a chain.
    pub(crate) fn draw_load(&self, camera: &Camera, collector: &CollectorView) {
        let Some(trail) = self.by_player.get(collector.player as usize) else { return };
        let radius = camera.px(collector.half_extent) * 0.3 * collector.chain_factor.min(MAX_BEAD_GROWTH);
        let places = trail.places.iter().rev().skip(STEPS_TO_FIRST_BEAD).step_by(STEPS_BETWEEN_BEADS);
        let beads = (collector.fullness.clamp(0.0, 1.0) * MAX_BEADS).ceil() as usize;
        for place in places.take(beads) {
            let point = camera.point(*place);
            draw_circle(point.x, point.y, radius, theme::ACCENT);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::sample::{collector, player};

    fn view(x: f32, teleported: bool) -> View {
        let collector = CollectorView { position: Vec2::new(x, 0.0), teleported, ..collector(1) };
        View { players: vec![player(0)], collectors: vec![collector], ..View::empty() }
    }

    #[test]
    fn trail_has_a_limited_length() {
        let mut trails = Trails::default();
        (0..100).for_each(|step| trails.record(&view(step as f32, false)));
        let places = &trails.by_player[0].places;
        assert_eq!((places.len(), places[0].x, places[LENGTH - 1].x), (LENGTH, (100 - LENGTH) as f32, 99.0));
    }

    #[test]
    fn parts_of_a_trail_keep_their_numbers_while_they_are_seen() {
        let mut trails = Trails::default();
        let number_of = |trails: &Trails, x: f32| {
            let trail = &trails.by_player[0];
            let index = trail.places.iter().position(|place| place.x == x).expect("it is in the trail");
            trail.steps - trail.places.len() as u64 + index as u64
        };
        (0..50).for_each(|step| trails.record(&view(step as f32, false)));
        let before = number_of(&trails, 45.0);
        (50..60).for_each(|step| trails.record(&view(step as f32, false)));
        assert_eq!(number_of(&trails, 45.0), before);
    }

    #[test]
    fn trail_does_not_cross_the_arena_when_its_collector_jumps_or_dies() {
        let mut trails = Trails::default();
        trails.record(&view(74.0, false));
        trails.record(&view(-74.0, true));
        assert_eq!(trails.by_player[0].places, [Vec2::new(-74.0, 0.0)]);
        trails.record(&View { collectors: Vec::new(), ..view(0.0, false) });
        assert!(trails.by_player[0].places.is_empty());
    }
}
