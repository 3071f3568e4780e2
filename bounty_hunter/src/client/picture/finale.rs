//! The moment between the end of a match and its result: a spotlight on the winner.

use glam::Vec2;
use macroquad::color::Color;
use macroquad::models::{Mesh, Vertex, draw_mesh};

use crate::client::drawing::camera::Camera;
use crate::client::drawing::layout::Layout;
use crate::client::drawing::theme::{self, faded};
use bounty_hunter_simulation::simulation::view::{GameState, View};

/// How long it takes.
const SECONDS: f32 = 1.8;
/// The radius of the spotlight, and the width of its soft edge, in units of the layout.
const RADIUS: f32 = 90.0;
const EDGE: f32 = 70.0;
/// How dark the rest is.
const DARKNESS: f32 = 0.72;
/// The corners of its circle.
const CORNERS: u16 = 48;

/// How much of the moment has passed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Finale {
    seconds: f32,
}

impl Finale {
    /// Follows a frame. Returns whether the moment has just begun.
    pub(crate) fn follow(&mut self, state: GameState, frame_seconds: f32) -> bool {
        if state != GameState::GameOver {
            self.seconds = 0.0;
            return false;
        }
        let begins = self.seconds == 0.0;
        self.seconds += frame_seconds.max(f32::MIN_POSITIVE);
        begins
    }

    /// Ends at once, and does not come back for this match.
    pub(crate) fn end(&mut self) {
        self.seconds = SECONDS;
    }

    /// Whether the result waits.
    pub(crate) fn is_on(&self, state: GameState) -> bool {
        state == GameState::GameOver && self.seconds < SECONDS
    }

    /// Darkens all but the winner. Without one, nothing.
    pub(crate) fn draw(&self, layout: &Layout, camera: &Camera, view: &View) {
        let Some(place) = winner(view).and_then(|winner| place_of(view, winner)) else { return };
        let darkness = DARKNESS * (self.seconds / 0.4).min(1.0);
        let center = camera.point(place);
        let far = 2.0 * (layout.world.w + layout.world.h);
        let radii = [RADIUS, RADIUS + EDGE, far / layout.scale].map(|radius| radius * layout.scale);
        draw_rings(Vec2::new(center.x, center.y), radii, [0.0, darkness, darkness]);
    }
}

/// The winner of a finished match.
pub(crate) fn winner(view: &View) -> Option<u32> {
    view.result.as_ref().and_then(|result| result.winner)
}

/// The place of a player's collector, or else of its stash.
fn place_of(view: &View, player: u32) -> Option<Vec2> {
    let collector = view.collectors.iter().find(|collector| collector.player == player);
    let stash = view.stashes.iter().find(|stash| stash.player == player);
    collector.map(|collector| collector.position).or(stash.map(|stash| stash.position))
}

/// Draws rings around a point that darken from circle to circle.
fn draw_rings(center: Vec2, radii: [f32; 3], darkness: [f32; 3]) {
    let mut mesh = Mesh { vertices: Vec::new(), indices: Vec::new(), texture: None };
    for (radius, darkness) in radii.into_iter().zip(darkness) {
        let color: Color = faded(theme::BACKGROUND, darkness);
        for corner in 0..CORNERS {
            let angle = std::f32::consts::TAU * f32::from(corner) / f32::from(CORNERS);
            let place = center + Vec2::new(libm::cosf(angle), libm::sinf(angle)) * radius;
            mesh.vertices.push(Vertex::new(place.x, place.y, 0.0, 0.0, 0.0, color));
        }
    }
    for ring in 0..2 {
        for corner in 0..CORNERS {
            let next = (corner + 1) % CORNERS;
            let inner = |corner: u16| ring * CORNERS + corner;
            let outer = |corner: u16| (ring + 1) * CORNERS + corner;
            mesh.indices.extend([inner(corner), outer(corner), outer(next), inner(corner), outer(next), inner(next)]);
        }
    }
    draw_mesh(&mesh);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_waits_for_the_winner_and_a_person_can_end_the_wait() {
        let mut finale = Finale::default();
        assert!(!finale.follow(GameState::Running, 0.1) && !finale.is_on(GameState::Running));
        assert!(finale.follow(GameState::GameOver, 0.1) && finale.is_on(GameState::GameOver));
        assert!(!finale.follow(GameState::GameOver, 0.1), "it begins once");
        (0..20).for_each(|_| _ = finale.follow(GameState::GameOver, 0.1));
        assert!(!finale.is_on(GameState::GameOver));
        finale.follow(GameState::Running, 0.1);
        assert!(finale.follow(GameState::GameOver, 0.1), "the next match has its own");
        finale.end();
        assert!(!finale.is_on(GameState::GameOver));
    }
}
