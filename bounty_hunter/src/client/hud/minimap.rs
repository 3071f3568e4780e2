//! The minimap: the whole arena, while the camera shows a part of it.

use glam::Vec2;
use macroquad::math::{Rect, Vec2 as Point};
use macroquad::shapes::{draw_circle, draw_rectangle, draw_rectangle_lines};

use crate::client::drawing::camera::Camera;
use crate::client::drawing::gauges::{draw_box, line_px};
use crate::client::drawing::layout::Layout;
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, faded};
use crate::client::picture::camera_rig::CameraRig;
use bounty_hunter_simulation::simulation::view::View;

/// The side as a share of the arena's square.
const SIDE_SHARE: f32 = 0.24;
/// Limit of the collectors on it.
const MAX_COLLECTORS: usize = 2_000;

/// Draws the minimap with the camera's view, unless the camera shows the whole arena.
pub(crate) fn draw(layout: &Layout, rig: &CameraRig, view: &View) {
    let Some((center, half_m)) = rig.part(view) else { return };
    let area = area(layout);
    draw_box(area, theme::OVERLAY, faded(theme::BORDER, 0.8), 1.5);
    let camera = Camera::new(area, view.world_half_extent, layout.palette);
    for stash in &view.stashes {
        let (point, half) = (camera.point(stash.position), camera.px(stash.half_extent).max(1.5));
        let color = faded(layout.palette.color(stash.player), 0.5);
        draw_rectangle(point.x - half, point.y - half, 2.0 * half, 2.0 * half, color);
    }
    for collector in view.collectors.iter().take(MAX_COLLECTORS) {
        let radius = if view.is_here(collector.player) { 3.5 } else { 2.0 } * layout.scale;
        let point = camera.point(collector.position);
        draw_circle(point.x, point.y, radius, layout.palette.color(collector.player));
    }
    let (top_left, side) = (camera.point(center + Vec2::new(-half_m, half_m)), camera.px(2.0 * half_m));
    draw_rectangle_lines(top_left.x, top_left.y, side, side, line_px(3.0), theme::TEXT);
    if let Some(label) = rig.label(view) {
        let style = Style::new(9.0 * layout.scale, theme::TEXT).align(Align::Right);
        let label = text::fitting(&label, 9.0 * layout.scale, area.w);
        text::draw(label, area.right(), area.y - 10.0 * layout.scale, style);
    }
}

/// A press on the minimap looks there; one on the arena grabs it.
pub(crate) fn take_press(rig: &mut CameraRig, layout: &Layout, view: &View, pointer: Point) {
    let area = area(layout);
    if rig.part(view).is_some() && area.contains(pointer) {
        rig.look_at(Camera::new(area, view.world_half_extent, layout.palette).place(pointer), view);
    } else {
        rig.grab(pointer, layout.world);
    }
}

/// In the lower right corner of the arena.
pub(super) fn area(layout: &Layout) -> Rect {
    let (world, side) = (layout.world, layout.world.w * SIDE_SHARE);
    let margin = 12.0 * layout.scale;
    Rect::new(world.right() - side - margin, world.bottom() - side - margin, side, side)
}
