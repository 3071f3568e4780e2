//! The camera: from metres to pixels.

use glam::Vec2;
use macroquad::math::{Rect, Vec2 as Point, vec2};

use super::palette::Palette;

/// Margin around the world, as a share of the square.
const MARGIN_SHARE: f32 = 0.028;

/// Shows the whole world in a square of the window, +y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    square: Rect,
    px_per_m: f32,
    pub(crate) palette: Palette,
}

impl Camera {
    /// A camera for a world of this half extent, centred in `square`.
    pub(crate) fn new(square: Rect, world_half_extent_m: f32, palette: Palette) -> Self {
        let side = square.w.min(square.h) * (1.0 - 2.0 * MARGIN_SHARE);
        let half_extent = if world_half_extent_m > 0.0 { world_half_extent_m } else { 1.0 };
        Self { square, px_per_m: side / (2.0 * half_extent), palette }
    }

    /// The pixel of a place in the world.
    pub(crate) fn point(&self, place: Vec2) -> Point {
        self.square.center() + vec2(place.x, -place.y) * self.px_per_m
    }

    pub(crate) fn px(&self, metres: f32) -> f32 {
        metres * self.px_per_m
    }

    /// Moves the middle of something this wide sideways, so that it lies inside the square.
    pub(crate) fn kept_inside(&self, middle_px: f32, width_px: f32) -> f32 {
        let (least, most) = (self.square.x + width_px / 2.0, self.square.right() - width_px / 2.0);
        if least < most { middle_px.clamp(least, most) } else { self.square.center().x }
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
