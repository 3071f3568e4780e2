//! The camera: from metres to pixels.

use glam::Vec2;
use macroquad::math::{Rect, Vec2 as Point, vec2};

use super::palette::Palette;

/// Margin around the world, as a share of the shorter side of the area.
const MARGIN_SHARE: f32 = 0.028;

/// Shows a part of the world in an area of the window, +y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    area: Rect,
    /// What is in the middle of the area.
    center: Vec2,
    px_per_m: f32,
    /// Half the side of the arena at whose edges the world wraps around, metres; `None` without an arena.
    world_half_m: Option<f32>,
    pub(crate) palette: Palette,
}

impl Camera {
    /// A camera for a world of this half extent, around the middle of the world. It fits into the shorter side of the
    /// area.
    pub(crate) fn new(area: Rect, world_half_extent_m: f32, palette: Palette) -> Self {
        let side = area.w.min(area.h) * (1.0 - 2.0 * MARGIN_SHARE);
        let half_extent = if world_half_extent_m > 0.0 { world_half_extent_m } else { 1.0 };
        let px_per_m = side / (2.0 * half_extent);
        Self { area, center: Vec2::ZERO, px_per_m, world_half_m: None, palette }
    }

    /// The same camera for an arena at whose edges the world wraps around.
    pub(crate) fn in_world(self, world_half_m: f32) -> Self {
        Self { world_half_m: Some(world_half_m), ..self }
    }

    /// The arena in pixels, if there is one.
    pub(crate) fn arena(&self) -> Option<Rect> {
        let (middle, half) = (self.point(Vec2::ZERO), self.px(self.world_half_m?));
        Some(Rect::new(middle.x - half, middle.y - half, 2.0 * half, 2.0 * half))
    }

    /// The pixel of a place in the world.
    pub(crate) fn point(&self, place: Vec2) -> Point {
        let from_center = place - self.center;
        self.area.center() + vec2(from_center.x, -from_center.y) * self.px_per_m
    }

    /// The place in the world at a pixel.
    pub(crate) fn place(&self, point: Point) -> Vec2 {
        let from_center = (point - self.area.center()) / self.px_per_m;
        self.center + Vec2::new(from_center.x, -from_center.y)
    }

    /// The places in the upper left and in the lower right corner.
    pub(crate) fn shown(&self) -> [Vec2; 2] {
        let area = self.area;
        [vec2(area.x, area.y), vec2(area.right(), area.bottom())].map(|corner| self.place(corner))
    }

    /// The same camera around another place.
    pub(crate) fn looking_at(self, center: Vec2) -> Self {
        Self { center, ..self }
    }

    /// Whether something at a place, with this radius in metres, may be seen.
    pub(crate) fn sees(&self, place: Vec2, radius_m: f32) -> bool {
        self.shows(self.point(place), self.px(radius_m))
    }

    /// Whether something around a pixel, with this radius in pixels, may be seen.
    pub(crate) fn shows(&self, point: Point, radius: f32) -> bool {
        let (beside, above) = ((point.x - self.area.center().x).abs(), (point.y - self.area.center().y).abs());
        beside <= self.area.w / 2.0 + radius && above <= self.area.h / 2.0 + radius
    }

    /// A length that is so many pixels in a window with 720 lines (or columns, if they are fewer).
    pub(crate) fn of_720_lines(&self, px: f32) -> f32 {
        px * self.area.w.min(self.area.h) / 720.0
    }

    pub(crate) fn px(&self, metres: f32) -> f32 {
        metres * self.px_per_m
    }

    /// Moves the middle of something this wide sideways, so that it lies inside the area.
    pub(crate) fn kept_inside(&self, middle_px: f32, width_px: f32) -> f32 {
        let (least, most) = (self.area.x + width_px / 2.0, self.area.right() - width_px / 2.0);
        if least < most { middle_px.clamp(least, most) } else { self.area.center().x }
    }
}

/// Converts a point from the coordinates of a body at `center`, turned by `heading`, to the world.
pub(crate) fn placed(center: Vec2, heading: f32, local: Vec2) -> Vec2 {
    center + Vec2::new(libm::cosf(heading), libm::sinf(heading)).rotate(local)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn world_fits_into_its_square_with_up_above() {
        let camera = Camera::new(Rect::new(100.0, 50.0, 400.0, 400.0), 75.0, Palette::default());
        assert_eq!(camera.point(Vec2::ZERO), vec2(300.0, 250.0));
        let top_right = camera.point(Vec2::new(75.0, 75.0));
        assert!(top_right.x < 500.0 && top_right.x > 480.0 && top_right.y > 50.0 && top_right.y < 70.0);
    }

    #[test]
    fn only_what_is_in_the_square_is_seen() {
        let camera = Camera::new(Rect::new(0.0, 0.0, 400.0, 400.0), 20.0, Palette::default());
        let camera = camera.looking_at(Vec2::new(50.0, 0.0));
        assert!(camera.sees(Vec2::new(60.0, 10.0), 0.0) && !camera.sees(Vec2::ZERO, 1.0));
        assert!(camera.sees(Vec2::new(72.0, 0.0), 3.0) && !camera.sees(Vec2::new(75.0, 0.0), 3.0));
        assert!((camera.place(camera.point(Vec2::new(3.0, 4.0))) - Vec2::new(3.0, 4.0)).length() < 1e-3);
    }

    #[test]
    fn heading_turns_counter_clockwise_from_plus_y() {
        let nose = placed(Vec2::new(1.0, 0.0), std::f32::consts::FRAC_PI_2, Vec2::Y);
        assert!(nose.distance(Vec2::ZERO) < 1e-6, "{nose}");
    }

    #[test]
    fn name_at_the_edge_is_moved_inside() {
        let camera = Camera::new(Rect::new(100.0, 0.0, 400.0, 400.0), 75.0, Palette::default());
        assert_eq!(camera.kept_inside(480.0, 60.0), 470.0);
        assert_eq!(camera.kept_inside(110.0, 60.0), 130.0);
        assert_eq!(camera.kept_inside(300.0, 60.0), 300.0);
        assert_eq!(camera.kept_inside(110.0, 900.0), 300.0);
    }

    #[test]
    fn world_without_size_does_not_divide_by_zero() {
        assert!(Camera::new(Rect::new(0.0, 0.0, 100.0, 100.0), 0.0, Palette::default()).point(Vec2::ONE).is_finite());
    }
}
