//! Mines: those of others have spikes and a cross once they are armed, own ones are open rings. Shapes alone tell what
//! is dangerous.

use macroquad::color::Color;
use macroquad::math::{Vec2 as Point, vec2};
use macroquad::shapes::{
    draw_circle, draw_circle_lines, draw_line, draw_rectangle, draw_rectangle_lines, draw_triangle,
};

use crate::client::drawing::camera::Camera;
use crate::client::drawing::gauges::line_px;
use crate::client::drawing::theme::{self, faded};
use bounty_hunter_simulation::arena::forward;
use bounty_hunter_simulation::simulation::view::{CollectorView, MineView};

/// A mine is never drawn smaller than this, half its side, pixels.
const MIN_PX: f32 = 5.0;
/// It fades in its last seconds.
const FADING_SECONDS: f32 = 2.0;
/// Length of a blink of an armed mine, and the part of it that is bright, seconds.
const BLINK_SECONDS: f32 = 0.8;
const BRIGHT_SECONDS: f32 = 0.4;
/// The directions of the spikes, from the corners and the sides.
const SPIKES: [(f32, f32); 8] =
    [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];

/// Draws a mine: the square that is hit. `is_own`: no person at this screen can hit it.
pub(crate) fn draw(camera: &Camera, mine: &MineView, is_own: bool) {
    let opacity = opacity(mine);
    let (center, half) = (camera.point(mine.position), half_px(camera, mine));
    let owner = faded(camera.palette.color(mine.owner), opacity);
    let square = |half: f32, color: Color| {
        draw_rectangle(center.x - half, center.y - half, 2.0 * half, 2.0 * half, color);
    };
    let edge = |color: Color| {
        draw_rectangle_lines(center.x - half, center.y - half, 2.0 * half, 2.0 * half, line_px(3.0), color);
    };
    if is_own {
        square(half, faded(theme::BACKGROUND, 0.45 * opacity));
        edge(faded(owner, 0.8));
        draw_circle_lines(center.x, center.y, half * 0.55, line_px(1.5), owner);
        return;
    }
    let is_armed = mine.arms_in_seconds <= 0.0;
    square(half, faded(theme::BACKGROUND, opacity));
    if !is_armed {
        edge(faded(theme::FAINT, 0.8 * opacity));
        draw_circle(center.x, center.y, half * 0.4, faded(owner, 0.7));
        return;
    }
    let alarm = faded(theme::ALARM, opacity);
    SPIKES.iter().for_each(|(x, y)| draw_spike(center, vec2(*x, *y), half, alarm));
    edge(alarm);
    let bright = if is_bright(mine.left_seconds) { theme::WHITE } else { theme::ALARM };
    let arm = half * 0.5;
    for side in [1.0, -1.0] {
        let width = (half * 0.3).max(1.5);
        draw_line(
            center.x - arm,
            center.y - arm * side,
            center.x + arm,
            center.y + arm * side,
            width,
            faded(bright, opacity),
        );
    }
    draw_circle(center.x, center.y, half * 0.3, owner);
}

/// Draws what of a mine shines: others that are armed, each time that they blink.
pub(crate) fn draw_shining(camera: &Camera, mine: &MineView) {
    if mine.arms_in_seconds <= 0.0 && is_bright(mine.left_seconds) {
        let (center, half) = (camera.point(mine.position), half_px(camera, mine));
        draw_circle(center.x, center.y, half, faded(theme::ALARM, 0.8 * opacity(mine)));
    }
}

/// Draws the mine that a collector carries, as a small square behind it.
pub(crate) fn draw_carried(camera: &Camera, collector: &CollectorView) {
    if !collector.carries_mine {
        return;
    }
    let behind = -forward(collector.heading) * (collector.half_extent * 1.7);
    let (center, half) = (camera.point(collector.position + behind), (camera.px(collector.half_extent) * 0.4).max(2.5));
    draw_rectangle(center.x - half, center.y - half, 2.0 * half, 2.0 * half, theme::ALARM);
    let core = 0.45 * half;
    draw_rectangle(center.x - core, center.y - core, 2.0 * core, 2.0 * core, theme::BACKGROUND);
}

fn draw_spike(center: Point, direction: Point, half: f32, color: Color) {
    let (root, along) = (center + direction * half * 0.92, direction.normalize() * half * 0.55);
    let across = vec2(-along.y, along.x) * 0.45;
    draw_triangle(root + across, root + along, root - across, color);
}

fn half_px(camera: &Camera, mine: &MineView) -> f32 {
    camera.px(mine.half_extent).max(MIN_PX)
}

fn opacity(mine: &MineView) -> f32 {
    (mine.left_seconds / FADING_SECONDS).clamp(0.0, 1.0)
}

/// Whether an armed mine is bright when it has so long left. It stands still with the clock.
fn is_bright(left_seconds: f32) -> bool {
    left_seconds.rem_euclid(BLINK_SECONDS) < BRIGHT_SECONDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::sample::mine;

    #[test]
    fn mine_is_opaque_until_its_last_seconds_and_blinks() {
        let left = |left_seconds| MineView { left_seconds, ..mine(1) };
        assert_eq!([20.0, 2.0, 1.0, 0.0].map(|seconds| opacity(&left(seconds))), [1.0, 1.0, 0.5, 0.0]);
        let bright = (0..160).filter(|step| is_bright(*step as f32 / 100.0)).count();
        assert!((75..=85).contains(&bright), "{bright} of 160");
    }
}
