//! The moment between the end of a match and its result: a spotlight on the winner, or on all players on the first
//! place.

use glam::Vec2;
use macroquad::color::Color;
use macroquad::math::Vec2 as Point;
use macroquad::models::{Mesh, Vertex, draw_mesh};

use crate::client::drawing::camera::Camera;
use crate::client::drawing::layout::Layout;
use crate::client::drawing::theme::{self, faded};
use crate::client::hud::standings::standings;
use bounty_hunter_simulation::simulation::view::{GameState, View};

/// How long it takes, unless something is seen again meanwhile.
const SECONDS: f32 = 1.8;
/// The radius of the spotlight, and the width of its soft edge, in units of the layout.
const RADIUS: f32 = 90.0;
const EDGE: f32 = 70.0;
/// How dark the rest is.
const DARKNESS: f32 = 0.72;
/// The side of the squares between whose corners the darkness is even, pixels.
const SQUARE_PX: f32 = 16.0;
/// The most spotlights that are drawn, of a draw of many players.
const MAX_SPOTLIGHTS: usize = 8;

/// How much of the moment has passed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finale {
    seconds: f32,
    length_seconds: f32,
}

impl Default for Finale {
    fn default() -> Self {
        Self { seconds: 0.0, length_seconds: SECONDS }
    }
}

impl Finale {
    /// Follows a frame. Returns whether the moment has just begun.
    pub(crate) fn follow(&mut self, state: GameState, frame_seconds: f32) -> bool {
        if state != GameState::GameOver {
            *self = Self::default();
            return false;
        }
        let begins = self.seconds == 0.0;
        self.seconds += frame_seconds.max(f32::MIN_POSITIVE);
        begins
    }

    /// Takes so long for this match.
    pub(crate) fn take(&mut self, seconds: f32) {
        self.length_seconds = seconds;
    }

    /// Ends at once, and does not come back for this match.
    pub(crate) fn end(&mut self) {
        self.seconds = self.length_seconds;
    }

    /// Whether the result waits.
    pub(crate) fn is_on(&self, state: GameState) -> bool {
        state == GameState::GameOver && self.seconds < self.length_seconds
    }

    /// Darkens all but the first ones of a result, as they are in a view.
    pub(crate) fn draw(&self, layout: &Layout, camera: &Camera, result: &View, view: &View) {
        let scale = layout.scale;
        let lit: Vec<Vec2> = first_ones(result).filter_map(|player| place_of(view, player)).collect();
        let lit: Vec<Point> = lit.into_iter().map(|place| camera.point(place)).take(MAX_SPOTLIGHTS).collect();
        let darkness = DARKNESS * (self.seconds / 0.4).min(1.0);
        if !lit.is_empty() {
            darken(Point::new(layout.world.w, layout.world.h), |point| {
                let nearest = lit.iter().map(|center| center.distance(point)).fold(f32::INFINITY, f32::min);
                darkness * ((nearest / scale - RADIUS) / EDGE).clamp(0.0, 1.0)
            });
        }
    }
}

/// The winner of a finished match.
pub(crate) fn winner(view: &View) -> Option<u32> {
    view.result.as_ref().and_then(|result| result.winner)
}

/// The winner of a finished match, or all players of its team, or for a draw all players on the first place.
fn first_ones(view: &View) -> impl Iterator<Item = u32> + '_ {
    let tied = if winner(view).is_none() { standings(&view.players) } else { Vec::new() };
    let tied = tied.into_iter().filter(|standing| standing.rank == 1).map(|standing| standing.index as u32);
    let winners = view.players.iter().map(|player| player.index).filter(|player| view.has_won(*player));
    winners.chain(tied)
}

/// The place of a player's collector, or else of its stash.
fn place_of(view: &View, player: u32) -> Option<Vec2> {
    let collector = view.collectors.iter().find(|collector| collector.player == player);
    let stash = view.stashes.iter().find(|stash| stash.player == player);
    collector.map(|collector| collector.position).or(stash.map(|stash| stash.position))
}

/// Darkens the window: `darkness` is asked for at the corners of small squares.
fn darken(window: Point, darkness: impl Fn(Point) -> f32) {
    let (columns, rows) = ((window.x / SQUARE_PX).ceil() as u16, (window.y / SQUARE_PX).ceil() as u16);
    let vertex = |column: u16, row: u16| {
        let point = Point::new(f32::from(column), f32::from(row)) * SQUARE_PX;
        let color: Color = faded(theme::BACKGROUND, darkness(point));
        Vertex::new(point.x, point.y, 0.0, 0.0, 0.0, color)
    };
    let mut strip = Mesh { vertices: Vec::new(), indices: Vec::new(), texture: None };
    for row in 0..rows {
        strip.vertices.clear();
        strip.indices.clear();
        strip.vertices.extend((0..=columns).flat_map(|column| [vertex(column, row), vertex(column, row + 1)]));
        let square = |column: u16| [0, 1, 2, 1, 3, 2].map(|corner| 2 * column + corner);
        strip.indices.extend((0..columns).flat_map(square));
        draw_mesh(&strip);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::sample::player;
    use bounty_hunter_simulation::simulation::view::{Ending, MatchResult, PlayerView};

    #[test]
    fn spotlight_is_on_the_winner_or_on_all_who_share_the_first_place() {
        let stashed = |index: u32| PlayerView { stashed: if index == 2 { 3.0 } else { 9.0 }, ..player(index) };
        let over = |winner| {
            let result = Some(MatchResult { ending: Ending::Time, winner });
            View { players: (0..4).map(stashed).collect(), result, ..View::empty() }
        };
        assert_eq!(first_ones(&over(Some(3))).collect::<Vec<_>>(), [3]);
        assert_eq!(first_ones(&over(None)).collect::<Vec<_>>(), [0, 1, 3]);
    }

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
        finale.follow(GameState::Running, 0.1);
        assert!(finale.follow(GameState::GameOver, 0.1));
        finale.take(2.4);
        (0..20).for_each(|_| _ = finale.follow(GameState::GameOver, 0.1));
        assert!(finale.is_on(GameState::GameOver), "something is seen again");
    }
}
