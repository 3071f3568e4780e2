//! Collectors, bounties and other objects, as large as their hit boxes.

use glam::Vec2;
use macroquad::color::Color;
use macroquad::math::{Rect, Vec2 as Point, vec2};
use macroquad::shapes::{draw_circle, draw_circle_lines, draw_line, draw_triangle};

use super::{faces, ghosts};
use crate::client::drawing::camera::{Camera, placed};
use crate::client::drawing::circles::{self, Arc};
use crate::client::drawing::gauges::{draw_bar, line_px, share};
use crate::client::drawing::palette::{self, Mark, Palette};
use crate::client::drawing::theme::{self, faded, mixed};
use bounty_hunter_simulation::arena::Pose;
use bounty_hunter_simulation::simulation::view::{BountyView, CollectorView, HUNGRY_SECONDS, ObjectView};

/// Radii of the discs of the glow around a bounty, in shares of its half extent. Together they fade outwards.
const GLOW_RADII: [f32; 5] = [3.4, 2.9, 2.4, 2.0, 1.6];

/// The radius of the arc of a load, in shares of the half extent of its collector.
const LOAD_RADIUS: f32 = 2.3;

/// Draws a collector: a triangle in the colour of its player, filled from the base like the pocket. Ghosts are
/// translucent.
pub(crate) fn draw_collector(camera: &Camera, collector: &CollectorView) {
    let opacity = ghosts::opacity(collector.ghost_seconds);
    let color = faded(camera.palette.color(collector.player), opacity);
    if let Some(face) = collector.face {
        faces::draw_hull(camera, collector, face.hull);
    }
    let corner = |x: f32, y: f32| corner(camera, collector, x, y);
    let corners = [corner(-1.0, -1.0), corner(0.0, 1.0), corner(1.0, -1.0)];
    draw_triangle(corners[0], corners[1], corners[2], mixed(faded(theme::GROUND, opacity), color, 0.42));
    let filled = collector.fullness.clamp(0.0, 1.0);
    if filled > 0.0 {
        // The sides of the triangle lie at x = ±(1 − y) / 2.
        let (y, x) = (2.0 * filled - 1.0, 1.0 - filled);
        let (upper_left, upper_right) = (corner(-x, y), corner(x, y));
        draw_triangle(corners[0], upper_left, corners[2], color);
        draw_triangle(upper_left, upper_right, corners[2], color);
    }
    draw_outline(&corners, camera.px(collector.half_extent * 0.2).max(1.5), color);
    let sign = if filled > 0.3 { theme::BACKGROUND } else { theme::TEXT };
    draw_mark_of(camera, collector, sign);
    if let Some(face) = collector.face {
        faces::draw_eyes(camera, collector, face);
    }
}

/// Draws the whole triangle of a collector in its colour.
pub(crate) fn draw_silhouette(camera: &Camera, collector: &CollectorView, opacity: f32) {
    let color = faded(camera.palette.color(collector.player), opacity * ghosts::opacity(collector.ghost_seconds));
    let corner = |x: f32, y: f32| corner(camera, collector, x, y);
    draw_triangle(corner(-1.0, -1.0), corner(0.0, 1.0), corner(1.0, -1.0), color);
}

pub(crate) fn draw_mark_of(camera: &Camera, collector: &CollectorView, color: Color) {
    let (center, size) = (corner(camera, collector, 0.0, -0.38), camera.px(collector.half_extent) * 0.3);
    draw_mark(camera.palette.mark(collector.player), center, size, collector.heading, color);
}

/// Draws the load of a collector of a person at this screen as an arc around it, from the front to both sides.
pub(crate) fn draw_load(camera: &Camera, collector: &CollectorView) {
    let radius = camera.px(collector.half_extent) * LOAD_RADIUS;
    let (filled, width_px) = (collector.fullness.clamp(0.0, 1.0), (radius * 0.13).max(2.5));
    let arc = |share: f32, color| {
        // Degrees from +x, clockwise on the screen.
        let front = -90.0 - collector.heading.to_degrees();
        let arc = Arc { sides: 56, from_degrees: front - 180.0 * share, degrees: 360.0 * share, width_px };
        circles::arc(camera, collector.position, radius, arc, color);
    };
    arc(1.0, faded(theme::WHITE, 0.10));
    if filled > 0.0 {
        arc(filled, mixed(theme::ACCENT, theme::ALARM, filled * filled));
    }
}

/// Draws the health as a level bar below the collector.
pub(crate) fn draw_health(camera: &Camera, collector: &CollectorView) {
    let Some(share) = collector.health else { return };
    let center = camera.point(collector.position);
    let (width, height) = (camera.px(collector.half_extent) * 2.2, (camera.px(collector.half_extent) * 0.26).max(2.0));
    let below = camera.px(collector.half_extent) * 1.6;
    let area = Rect::new(center.x - width / 2.0, center.y + below, width, height);
    draw_bar(area, share, faded(theme::health(share), ghosts::opacity(collector.ghost_seconds)));
}

/// Draws what is left of the last seconds before the collector starves, as an arc around it.
pub(crate) fn draw_hunger(camera: &Camera, collector: &CollectorView) {
    let Some(share) = collector.starves_in_seconds.map(|seconds| seconds / HUNGRY_SECONDS) else { return };
    if share < 1.0 {
        let radius = camera.px(collector.half_extent) * 1.9;
        let arc = Arc { sides: 48, from_degrees: -90.0, degrees: 360.0 * share.max(0.0), width_px: line_px(2.5) };
        circles::arc(camera, collector.position, radius, arc, theme::ALARM);
    }
}

/// Draws the crown of the leader, level, this many pixels above the collector.
pub(crate) fn draw_crown(camera: &Camera, collector: &CollectorView, above_px: f32) {
    let size = camera.px(collector.half_extent).max(5.0);
    let top = camera.point(collector.position + Vec2::new(0.0, collector.half_extent * 1.5));
    let middle = top - vec2(0.0, above_px + 0.6 * size);
    draw_crown_at(middle, size, faded(theme::ACCENT, ghosts::opacity(collector.ghost_seconds)));
}

/// Draws a crown around a point; `size` is about half its width in pixels.
pub(crate) fn draw_crown_at(middle: Point, size: f32, color: Color) {
    let at = |x: f32, y: f32| middle + vec2(x, -y) * size;
    fill_quad([at(-0.8, -0.4), at(0.8, -0.4), at(0.8, -0.1), at(-0.8, -0.1)], color);
    for (left, point, right) in [(-0.8, -0.8, -0.2), (-0.4, 0.0, 0.4), (0.2, 0.8, 0.8)] {
        draw_triangle(at(left, -0.15), at(point, 0.55), at(right, -0.15), color);
    }
}

/// Draws a bounty: a square in the colour of its worth or of its kind, fading with age. Its heart is the brighter the
/// nearer its value is to the best one.
pub(crate) fn draw_bounty(camera: &Camera, bounty: &BountyView, best_value: f32) {
    let color = Color { a: 1.0, ..bounty_color(bounty) };
    let (heart, side) = theme::bounty_heart(color, share(bounty.value, best_value));
    draw_core(camera, bounty);
    fill_quad(bounty_corners(camera, bounty, side), faded(heart, bounty.alpha));
}

/// Draws the halo of a bounty where there is no light.
pub(crate) fn draw_halo(camera: &Camera, bounty: &BountyView) {
    let (center, color) = (camera.point(bounty.position), bounty_color(bounty));
    for radius in GLOW_RADII {
        draw_circle(center.x, center.y, camera.px(bounty.half_extent) * radius, faded(color, 0.055));
    }
}

/// Draws what of a bounty shines.
pub(crate) fn draw_core(camera: &Camera, bounty: &BountyView) {
    fill_quad(bounty_corners(camera, bounty, 1.0), bounty_color(bounty));
}

fn bounty_color(bounty: &BountyView) -> Color {
    faded(bounty.color.map_or(theme::bounty(bounty.worth), palette::of_kind), bounty.alpha)
}

/// The corners of a bounty, made smaller by a share.
fn bounty_corners(camera: &Camera, bounty: &BountyView, share: f32) -> [Point; 4] {
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| {
        let local = Vec2::new(x, y) * bounty.half_extent * share;
        camera.point(placed(bounty.position, bounty.heading, local))
    })
}

/// Draws the mark of a player, turned by `heading`; `size` is half its extent in pixels.
pub(crate) fn draw_mark(mark: Mark, center: Point, size: f32, heading: f32, color: Color) {
    let thickness = (size * 0.42).max(1.2);
    let across = vec2(libm::cosf(heading), -libm::sinf(heading)) * size;
    let along = vec2(-across.y, across.x);
    let line = |from: Point, to: Point| draw_line(from.x, from.y, to.x, to.y, thickness, color);
    let bar = |offset: f32| line(center - across + along * offset, center + across + along * offset);
    match mark {
        Mark::None => {}
        Mark::Dot => draw_circle(center.x, center.y, size * 0.6, color),
        Mark::Bar => bar(0.0),
        Mark::Ring => draw_circle_lines(center.x, center.y, size * 0.75, thickness, color),
        Mark::TwoBars => [-0.5, 0.5].into_iter().for_each(bar),
        Mark::Cross => {
            line(center - across - along, center + across + along);
            line(center - across + along, center + across - along);
        }
        Mark::Spine => line(center - along, center + along),
        Mark::ThreeBars => [-0.85, 0.0, 0.85].into_iter().for_each(bar),
    }
}

/// Draws the badge of a player in a list: a triangle with the mark.
pub(crate) fn draw_badge(palette: &Palette, player: u32, center: Point, size: f32) {
    let color = palette.color(player);
    let (left, nose, right) = (center + vec2(-size, size), center + vec2(0.0, -size), center + vec2(size, size));
    draw_triangle(left, nose, right, color);
    draw_mark(palette.mark(player), center + vec2(0.0, size * 0.4), size * 0.34, 0.0, theme::BACKGROUND);
}

/// A corner of the triangle of a collector, in shares of the half extent.
pub(super) fn corner(camera: &Camera, collector: &CollectorView, x: f32, y: f32) -> Point {
    camera.point(placed(collector.position, collector.heading, Vec2::new(x, y) * collector.half_extent))
}

/// Draws an outline inside a convex shape.
fn draw_outline(corners: &[Point], thickness: f32, color: Color) {
    let center = corners.iter().copied().sum::<Point>() / corners.len() as f32;
    let inner = |point: Point| {
        let inwards = center - point;
        point + inwards * (thickness / inwards.length().max(thickness)).min(1.0) * 1.4
    };
    for (index, from) in corners.iter().enumerate() {
        let to = corners[(index + 1) % corners.len()];
        draw_triangle(*from, to, inner(*from), color);
        draw_triangle(to, inner(to), inner(*from), color);
    }
}

/// Draws any other object: its shape in the colour of its kind, or in grey.
pub(crate) fn draw_object(camera: &Camera, object: &ObjectView) {
    let color = faded(object.color.map_or(theme::FAINT, palette::of_kind), object.alpha);
    let corners = object.shape.corners(Pose::new(object.position, object.heading)).map(|corner| camera.point(corner));
    fill_quad(corners, mixed(faded(theme::GROUND, object.alpha), color, 0.7));
    let last = if corners[3] == corners[2] { 3 } else { 4 };
    draw_outline(&corners[..last], 2.0, color);
}

fn fill_quad(corners: [Point; 4], color: Color) {
    draw_triangle(corners[0], corners[1], corners[2], color);
    draw_triangle(corners[0], corners[2], corners[3], color);
}
