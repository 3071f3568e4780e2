//! The fading trails behind collectors.

use glam::Vec2;
use macroquad::shapes::{draw_circle, draw_line};

use crate::client::drawing::camera::Camera;
use crate::client::drawing::theme::{self, faded};
use bounty_hunter_simulation::simulation::view::{CollectorView, View};

/// Number of places in a trail, one per step.
const LENGTH: usize = 22;
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
            }
        }
        for trail in self.by_player.iter_mut().filter(|trail| !trail.is_alive) {
            trail.places.clear();
        }
    }

    /// Draws all trails, thinner and fainter towards their ends.
    pub(crate) fn draw(&self, camera: &Camera, half_extent_m: f32) {
        let widest = camera.px(half_extent_m) * 0.9;
        for (player, trail) in self.by_player.iter().enumerate() {
            let color = camera.palette.color(player as u32);
            // The collector is drawn between the last two places, so the trail ends before the newest one.
            let places = trail.places.get(..trail.places.len().saturating_sub(1)).unwrap_or_default();
            for (index, pair) in places.windows(2).enumerate() {
                let freshness = (index + 1 + LENGTH - places.len()) as f32 / LENGTH as f32;
                let (from, to) = (camera.point(pair[0]), camera.point(pair[1]));
                draw_line(from.x, from.y, to.x, to.y, widest * freshness, faded(color, 0.20 * freshness));
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
    fn trail_does_not_cross_the_arena_when_its_collector_jumps_or_dies() {
        let mut trails = Trails::default();
        trails.record(&view(74.0, false));
        trails.record(&view(-74.0, true));
        assert_eq!(trails.by_player[0].places, [Vec2::new(-74.0, 0.0)]);
        trails.record(&View { collectors: Vec::new(), ..view(0.0, false) });
        assert!(trails.by_player[0].places.is_empty());
    }
}
