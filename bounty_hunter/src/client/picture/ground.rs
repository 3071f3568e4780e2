//! The ground with its edge, the walls and the stashes.

use glam::Vec2;
use macroquad::color::Color;
use macroquad::math::Rect;
use macroquad::shapes::{draw_circle_lines, draw_line, draw_rectangle, draw_rectangle_lines};

use super::bodies::draw_mark;
use super::crowd::is_small;
use crate::client::drawing::camera::Camera;
use crate::client::drawing::circles;
use crate::client::drawing::gauges::line_px;
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, Ground, faded, mixed};
use bounty_hunter_simulation::simulation::view::{StashView, View};

/// Grid lines on each side of the middle.
const GRID_LINES: i32 = 15;

/// Draws the grid and the edge of the world, and darkens what is beyond it. With `is_plain`, the ground itself is
/// drawn, which is there otherwise.
pub(crate) fn draw_ground(camera: &Camera, half_extent_m: f32, ground: &Ground, is_plain: bool) {
    let world = square(camera, Vec2::ZERO, half_extent_m);
    if is_plain {
        draw_rectangle(world.x, world.y, world.w, world.h, mixed(ground.base, ground.glow, 0.4));
    }
    for line in 1 - GRID_LINES..GRID_LINES {
        let offset = half_extent_m * line as f32 / GRID_LINES as f32;
        let color = if line % 5 == 0 { ground.grid_strong } else { ground.grid };
        let (x, y) = (camera.point(Vec2::new(offset, 0.0)).x, camera.point(Vec2::new(0.0, offset)).y);
        draw_line(x, world.y, x, world.bottom(), line_px(1.0), color);
        draw_line(world.x, y, world.right(), y, line_px(1.0), color);
    }
    let beyond = faded(theme::BACKGROUND, 0.82);
    let far = 8.0 * world.w;
    draw_rectangle(world.x - far, world.y - far, far, 2.0 * far + world.h, beyond);
    draw_rectangle(world.right(), world.y - far, far, 2.0 * far + world.h, beyond);
    draw_rectangle(world.x, world.y - far, world.w, far, beyond);
    draw_rectangle(world.x, world.bottom(), world.w, far, beyond);
    draw_edge(camera, half_extent_m, ground);
}

/// Draws the edge of the world, which shines.
pub(crate) fn draw_edge(camera: &Camera, half_extent_m: f32, ground: &Ground) {
    let world = square(camera, Vec2::ZERO, half_extent_m);
    for (thickness, opacity) in [(14.0, 0.06), (8.0, 0.10), (2.5, 0.9)] {
        frame(world, thickness, faded(ground.border, opacity));
    }
}

/// Draws the solid walls.
pub(crate) fn draw_walls(camera: &Camera, view: &View, ground: &Ground) {
    for wall in view.walls.iter().filter(|wall| wall.is_solid) {
        let (center, half) = (camera.point(wall.position), wall.half_extents);
        let (x, y) = (camera.px(half.x), camera.px(half.y));
        let area = Rect::new(center.x - x, center.y - y, 2.0 * x, 2.0 * y);
        draw_rectangle(area.x, area.y, area.w, area.h, mixed(theme::GROUND, ground.border, 0.45));
        frame(area, 3.0, ground.border);
    }
}

/// Draws the stashes that are not small, with their levels.
pub(crate) fn draw_stashes(camera: &Camera, view: &View) {
    let is_shown =
        |stash: &&StashView| !is_small(camera, stash.half_extent) && camera.sees(stash.position, stash.half_extent);
    for stash in view.stashes.iter().filter(is_shown) {
        draw_stash(camera, stash);
    }
}

fn draw_stash(camera: &Camera, stash: &StashView) {
    let color = camera.palette.color(stash.player);
    let area = square(camera, stash.position, stash.half_extent);
    draw_rectangle(area.x, area.y, area.w, area.h, faded(color, 0.16));
    let level = area.h * stash.fullness.clamp(0.0, 1.0);
    draw_rectangle(area.x, area.bottom() - level, area.w, level, faded(color, 0.62));
    if stash.fullness > 0.0 {
        draw_line(area.x, area.bottom() - level, area.right(), area.bottom() - level, line_px(2.0), color);
    }
    frame(area, 4.0, color);
    let sign = mixed(color, Color::new(1.0, 1.0, 1.0, 1.0), 0.25);
    draw_mark(camera.palette.mark(stash.player), area.center(), area.w * 0.2, 0.0, sign);
}

/// Draws what marks the stash of a person: a ring, and while the person has something to unload, another that runs in
/// towards it once a second of the clock, which stands still in a pause.
pub(crate) fn draw_call(camera: &Camera, stash: &StashView, is_calling: bool, clock_seconds: f32) {
    const RADIUS: f32 = 1.75;
    let (place, color) = (stash.position, camera.palette.color(stash.player));
    let radius = (camera.px(stash.half_extent) * RADIUS).max(7.0);
    circles::ring(camera, place, radius, 2.0, faded(color, 0.8));
    if is_calling {
        let rest = clock_seconds.fract();
        circles::ring(camera, place, radius * (1.0 + 0.8 * rest), 2.0, faded(color, 0.8 * (1.0 - rest)));
    }
}

/// Draws the seconds until a collector appears at its stash; nothing while it is alive.
pub(crate) fn draw_wait(camera: &Camera, stash: &StashView, seconds: f32) {
    if seconds <= 0.0 {
        return;
    }
    let (center, height) = (camera.point(stash.position), camera.px(stash.half_extent) * 1.1);
    let style = Style::new(height.max(9.0), theme::TEXT).align(Align::Center).weight(1.2);
    let number = format!("{:.0}", seconds.ceil());
    text::draw(&number, center.x, center.y, Style { color: faded(theme::BACKGROUND, 0.9), weight: 2.6, ..style });
    text::draw(&number, center.x, center.y, style);
    let radius = camera.px(stash.half_extent) * (1.75 + 0.8 * seconds.fract());
    circles::ring(camera, stash.position, radius, 2.0, faded(camera.palette.color(stash.player), 0.8));
}

/// Draws a ring around the object that an inspector has marked.
pub(crate) fn draw_mark_of_inspector(camera: &Camera, place: Vec2, half_extent_m: f32) {
    let center = camera.point(place);
    draw_circle_lines(center.x, center.y, (1.6 * camera.px(half_extent_m)).max(10.0), line_px(2.5), theme::ACCENT);
}

/// Draws an outline inside the rectangle.
fn frame(area: Rect, thickness: f32, color: Color) {
    draw_rectangle_lines(area.x, area.y, area.w, area.h, line_px(thickness), color);
}

fn square(camera: &Camera, center: Vec2, half_extent_m: f32) -> Rect {
    let (center, half) = (camera.point(center), camera.px(half_extent_m));
    Rect::new(center.x - half, center.y - half, 2.0 * half, 2.0 * half)
}
