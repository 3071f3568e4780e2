//! Bars, boxes and rings.

use macroquad::color::Color;
use macroquad::math::{Rect, Vec2};
use macroquad::shapes::{draw_circle, draw_poly_lines, draw_rectangle, draw_rectangle_lines};
use macroquad::window::screen_height;

use super::theme::{self, faded};

/// A thickness in a window that is 720 pixels high; it grows with larger ones.
pub(crate) fn line_px(thickness: f32) -> f32 {
    thickness * (screen_height() / 720.0).max(1.0)
}

/// Draws a bar, filled from the left.
pub(crate) fn draw_bar(area: Rect, share: f32, color: Color) {
    draw_rectangle(area.x, area.y, area.w, area.h, theme::TROUGH);
    draw_rectangle(area.x, area.y, area.w * share.clamp(0.0, 1.0), area.h, color);
}

/// Draws a box with an outline.
pub(crate) fn draw_box(area: Rect, fill: Color, edge: Color, thickness: f32) {
    draw_rectangle(area.x, area.y, area.w, area.h, fill);
    draw_rectangle_lines(area.x, area.y, area.w, area.h, line_px(thickness * 2.0), edge);
}

/// Draws a dotted line between two rows of a table, where other rows are left out.
pub(crate) fn draw_gap(left: f32, right: f32, y: f32, scale: f32) {
    const DOTS: u16 = 24;
    let apart = (right - left) / f32::from(DOTS);
    for dot in 0..DOTS {
        draw_circle(left + (f32::from(dot) + 0.5) * apart, y, 1.2 * scale, faded(theme::FAINT, 0.8));
    }
}

/// Draws a circle with enough sides for its size.
pub(crate) fn draw_ring(center: Vec2, radius: f32, thickness: f32, color: Color) {
    let sides = (8.0 + radius).min(20.0 + radius * 0.2).min(96.0) as u8;
    draw_poly_lines(center.x, center.y, sides, radius, 0.0, line_px(thickness), color);
}

/// The share of a whole, 0 to 1; 0 if the whole is 0.
pub(crate) fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 0.0 }
}
