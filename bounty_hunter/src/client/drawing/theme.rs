//! The colours without a player.

use macroquad::color::Color;

pub(crate) const BACKGROUND: Color = Color::new(0.027, 0.035, 0.063, 1.0);
pub(crate) const GROUND: Color = Color::new(0.043, 0.055, 0.098, 1.0);
/// The lines on the ground.
pub(crate) const GRID: Color = Color::new(0.30, 0.42, 0.75, 0.13);
/// Every fifth line on the ground.
pub(crate) const GRID_STRONG: Color = Color::new(0.30, 0.42, 0.75, 0.26);
/// The edge of the world.
pub(crate) const BORDER: Color = Color::new(0.42, 0.56, 0.95, 0.9);
/// Boxes behind text.
pub(crate) const PANEL: Color = Color::new(0.055, 0.071, 0.122, 1.0);
/// Boxes over the arena.
pub(crate) const OVERLAY: Color = Color::new(0.035, 0.047, 0.086, 0.93);
/// The empty part of a bar.
pub(crate) const TROUGH: Color = Color::new(1.0, 1.0, 1.0, 0.09);
pub(crate) const TEXT: Color = Color::new(0.90, 0.93, 1.0, 1.0);
/// Less important text.
pub(crate) const FAINT: Color = Color::new(0.53, 0.59, 0.74, 1.0);
/// Selected options, and the name of the game.
pub(crate) const ACCENT: Color = Color::new(1.0, 0.80, 0.27, 1.0);
/// Power-ups and ghosts.
pub(crate) const GHOST: Color = Color::new(0.62, 0.95, 1.0, 1.0);
pub(crate) const HEALTH: Color = Color::new(0.45, 0.90, 0.50, 1.0);
pub(crate) const PURGE: Color = Color::new(1.0, 0.62, 0.20, 1.0);
pub(crate) const STRIKE: Color = Color::new(1.0, 0.33, 0.42, 1.0);
pub(crate) const MAGNET: Color = Color::new(0.72, 0.56, 1.0, 1.0);
/// Urgent text.
pub(crate) const SUCCESS: Color = Color::new(0.45, 0.90, 0.50, 1.0);
pub(crate) const ALARM: Color = Color::new(1.0, 0.36, 0.30, 1.0);

/// Multiplies the opacity.
pub(crate) fn faded(color: Color, opacity: f32) -> Color {
    Color { a: color.a * opacity.clamp(0.0, 1.0), ..color }
}

pub(crate) fn mixed(from: Color, to: Color, share: f32) -> Color {
    let mix = |a: f32, b: f32| a + (b - a) * share;
    Color::new(mix(from.r, to.r), mix(from.g, to.g), mix(from.b, to.b), mix(from.a, to.a))
}

/// The colour of health, from red (0) to green (1).
pub(crate) fn health(share: f32) -> Color {
    mixed(ALARM, HEALTH, share.clamp(0.0, 1.0))
}

/// The colour of a bounty by its worth, from yellow (0) to red (1).
pub(crate) fn bounty(worth: f32) -> Color {
    let worth = worth.clamp(0.0, 1.0);
    Color::new(1.0, 0.88 - 0.70 * worth, 0.25 - 0.05 * worth, 1.0)
}
