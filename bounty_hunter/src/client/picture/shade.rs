//! The shade of a collector: where it was in another match at the same moment.

use glam::Vec2;
use macroquad::math::Vec2 as Point;
use macroquad::shapes::{draw_line, draw_triangle};

use crate::client::drawing::camera::{Camera, placed};
use crate::client::drawing::gauges::line_px;
use crate::client::drawing::theme::{self, faded};

/// The least size, in pixels of a window with 720 lines.
const LEAST_PX: f32 = 22.0;

/// A collector of another match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shade {
    pub(crate) position: Vec2,
    pub(crate) heading: f32,
    pub(crate) half_extent_m: f32,
}

impl Shade {
    /// Draws it: a hollow kite with a cross, pale and translucent, unlike every collector.
    pub(crate) fn draw(&self, camera: &Camera) {
        let half_m = self.half_extent_m.max(camera.of_720_lines(LEAST_PX / 2.0) / camera.px(1.0));
        if !camera.sees(self.position, 2.0 * half_m) {
            return;
        }
        let at =
            |x: f32, y: f32| -> Point { camera.point(placed(self.position, self.heading, Vec2::new(x, y) * half_m)) };
        let [nose, left, tail, right] = [at(0.0, 1.5), at(-0.95, 0.1), at(0.0, -1.3), at(0.95, 0.1)];
        let (fill, line) = (faded(theme::TEXT, 0.14), faded(theme::TEXT, 0.55));
        draw_triangle(nose, left, tail, fill);
        draw_triangle(nose, tail, right, fill);
        let sides = [(nose, left), (left, tail), (tail, right), (right, nose), (nose, tail), (left, right)];
        for (from, to) in sides {
            draw_line(from.x, from.y, to.x, to.y, line_px(1.5), line);
        }
    }
}
