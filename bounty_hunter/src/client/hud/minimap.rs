//! The minimap: the whole arena, while the camera shows a part of it.

use macroquad::math::{Rect, Vec2 as Point};
use macroquad::shapes::{draw_circle, draw_rectangle, draw_rectangle_lines};

use crate::client::drawing::camera::Camera;
use crate::client::drawing::gauges::{draw_box, line_px};
use crate::client::drawing::layout::{Layout, MARGIN};
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, faded};
use crate::client::hud::touch_buttons;
use crate::client::input::hand::Hand;
use crate::client::picture::camera_rig::CameraRig;
use crate::client::picture::gold;
use bounty_hunter_simulation::simulation::view::View;

/// The side as a share of the shorter side of the window.
const SIDE_SHARE: f32 = 0.24;
/// Limit of the collectors on it.
const MAX_COLLECTORS: usize = 2_000;

/// Draws the minimap with the camera's view, unless the camera shows the whole arena.
pub(crate) fn draw(layout: &Layout, rig: &CameraRig, view: &View) {
    if !rig.shows_part(view, layout) {
        return;
    }
    let area = area(layout);
    draw_box(area, theme::OVERLAY, faded(theme::BORDER, 0.8), 1.5);
    let camera = Camera::new(area, view.world_half_extent, layout.palette);
    for stash in &view.stashes {
        let (point, half) = (camera.point(stash.position), camera.px(stash.half_extent).max(1.5));
        let color = faded(layout.palette.color(stash.player), 0.5);
        draw_rectangle(point.x - half, point.y - half, 2.0 * half, 2.0 * half, color);
    }
    for mine in view.mines.iter().filter(|mine| mine.arms_in_seconds <= 0.0 && !view.is_here(mine.owner)) {
        let (point, half) = (camera.point(mine.position), 1.5 * layout.scale);
        draw_rectangle(point.x - half, point.y - half, 2.0 * half, 2.0 * half, theme::ALARM);
    }
    if let Some(rush) = view.gold_rush {
        let size = if rush.appears_in_seconds > 0.0 { 4.5 } else { 6.5 } * layout.scale;
        gold::fill_diamond(camera.point(rush.position), size, theme::GOLD);
    }
    for collector in view.collectors.iter().take(MAX_COLLECTORS) {
        let radius = if view.is_here(collector.player) { 3.5 } else { 2.0 } * layout.scale;
        let point = camera.point(collector.position);
        draw_circle(point.x, point.y, radius, layout.palette.color(collector.player));
    }
    let shown = rig.camera(layout, view).shown().map(|corner| camera.point(corner));
    let low = shown[0].max(Point::new(area.x, area.y));
    let size = shown[1].min(Point::new(area.right(), area.bottom())) - low;
    draw_rectangle_lines(low.x, low.y, size.x, size.y, line_px(3.0), theme::TEXT);
    if let Some(label) = rig.label(view) {
        let style = Style::new(9.0 * layout.scale, theme::TEXT).align(Align::Right);
        let label = text::fitting(&label, 9.0 * layout.scale, area.w);
        let y = if is_wide(layout) && layout.hand != Hand::Touch {
            area.y - 10.0 * layout.scale
        } else {
            area.bottom() + 10.0 * layout.scale
        };
        text::draw(label, area.right(), y, style);
    }
}

/// A press on the minimap looks there; one on the arena grabs it.
pub(crate) fn take_press(rig: &mut CameraRig, layout: &Layout, view: &View, pointer: Point) {
    let area = area(layout);
    if rig.shows_part(view, layout) && area.contains(pointer) {
        rig.look_at(Camera::new(area, view.world_half_extent, layout.palette).place(pointer), view);
    } else {
        rig.grab(pointer);
    }
}

/// In the lower right corner of a wide window; in a tall one in the upper right corner, beside the score. For fingers
/// it is there in any window, below the buttons: the right thumb has the lower corner.
pub(super) fn area(layout: &Layout) -> Rect {
    let (world, side) = (layout.world, layout.world.w.min(layout.world.h) * SIDE_SHARE);
    let margin = MARGIN * layout.scale;
    let top = if is_wide(layout) && layout.hand != Hand::Touch {
        world.bottom() - side - margin
    } else {
        world.y + margin + touch_buttons::height_above(layout)
    };
    Rect::new(world.right() - side - margin, top, side, side)
}

fn is_wide(layout: &Layout) -> bool {
    layout.world.w >= layout.world.h
}
