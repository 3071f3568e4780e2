//! The shape of an object, both drawn and hit.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::data::arena::{Pose, forward};
use crate::data::limits::LENGTH_M;

/// Component: the shape that is drawn and that is the hit box.
///
/// In prefabs: `Square(half_extent_m: 1.0)`, `Triangle(half_extent_m: 1.0)` or
/// `Rectangle(half_width_m: 2.0, half_height_m: 1.0)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked", into = "Unchecked")]
pub enum Shape {
    /// A square, by half its side, metres.
    Square(f32),
    /// An isosceles triangle, by half its width and height, metres.
    Triangle(f32),
    /// A rectangle, by half its width and half its height, metres.
    Rectangle(f32, f32),
}

impl Shape {
    /// The same shape with all lengths multiplied by `factor`.
    #[must_use]
    pub fn scaled(self, factor: f32) -> Self {
        match self {
            Self::Square(half) => Self::Square(half * factor),
            Self::Triangle(half) => Self::Triangle(half * factor),
            Self::Rectangle(width, height) => Self::Rectangle(width * factor, height * factor),
        }
    }

    /// Why a length is out of its limits, as a sentence; `None` if all are within.
    #[must_use]
    pub(crate) fn refusal(self) -> Option<String> {
        Self::try_from(Unchecked::from(self)).err()
    }

    /// Half its longer side, metres.
    #[must_use]
    pub fn half_extent_m(self) -> f32 {
        match self {
            Self::Square(half) | Self::Triangle(half) => half,
            Self::Rectangle(width, height) => width.max(height),
        }
    }

    /// Its area, square metres.
    #[must_use]
    pub fn area_m2(self) -> f32 {
        match self {
            Self::Square(half) => 4.0 * half * half,
            Self::Triangle(half) => 2.0 * half * half,
            Self::Rectangle(width, height) => 4.0 * width * height,
        }
    }

    /// Whether it contains a point of the world, at this pose; the border is outside.
    #[must_use]
    pub fn contains(self, pose: Pose, point: Vec2) -> bool {
        let corners = self.corners(pose);
        (0..4).all(|index| {
            let (from, to) = (corners[index], corners[(index + 1) % 4]);
            // A triangle repeats its last corner.
            from == to || (to - from).perp_dot(point - from) > 0.0
        })
    }

    /// Its corners in the world, counter-clockwise; a triangle repeats its last one.
    #[must_use]
    pub fn corners(self, pose: Pose) -> [Vec2; 4] {
        let up = forward(pose.heading);
        let right = -up.perp();
        let local = match self {
            Self::Square(half) => [(-half, -half), (half, -half), (half, half), (-half, half)],
            Self::Rectangle(x, y) => [(-x, -y), (x, -y), (x, y), (-x, y)],
            Self::Triangle(half) => [(-half, -half), (half, -half), (0.0, half), (0.0, half)],
        };
        local.map(|(x, y)| pose.position + right * x + up * y)
    }
}

/// The form in prefabs, before its lengths are checked.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Shape", deny_unknown_fields)]
enum Unchecked {
    Square { half_extent_m: f32 },
    Triangle { half_extent_m: f32 },
    Rectangle { half_width_m: f32, half_height_m: f32 },
}

impl From<Shape> for Unchecked {
    fn from(shape: Shape) -> Self {
        match shape {
            Shape::Square(half_extent_m) => Self::Square { half_extent_m },
            Shape::Triangle(half_extent_m) => Self::Triangle { half_extent_m },
            Shape::Rectangle(half_width_m, half_height_m) => Self::Rectangle { half_width_m, half_height_m },
        }
    }
}

impl TryFrom<Unchecked> for Shape {
    type Error = String;

    fn try_from(shape: Unchecked) -> Result<Self, String> {
        let check = |name: &str, value| LENGTH_M.check(value).map_err(|problem| problem.replacen("it", name, 1));
        Ok(match shape {
            Unchecked::Square { half_extent_m } => Self::Square(check("half_extent_m", half_extent_m)?),
            Unchecked::Triangle { half_extent_m } => Self::Triangle(check("half_extent_m", half_extent_m)?),
            Unchecked::Rectangle { half_width_m, half_height_m } => {
                Self::Rectangle(check("half_width_m", half_width_m)?, check("half_height_m", half_height_m)?)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_inside_at_any_heading() {
        let pose = Pose::new(Vec2::new(10.0, 0.0), std::f32::consts::FRAC_PI_2);
        let inside = |shape: Shape, x: f32, y: f32| shape.contains(pose, Vec2::new(x, y));
        assert!(inside(Shape::Rectangle(2.0, 1.0), 10.9, 1.9) && !inside(Shape::Rectangle(2.0, 1.0), 11.1, 0.0));
        // It points to the left.
        assert!(inside(Shape::Triangle(2.0), 8.2, 0.0) && !inside(Shape::Triangle(2.0), 8.2, 0.5));
        assert!(inside(Shape::Triangle(2.0), 11.9, 1.8));
    }

    #[test]
    fn corners_turn_with_the_heading() {
        let pose = Pose::new(Vec2::new(10.0, 0.0), std::f32::consts::FRAC_PI_2);
        let corners = Shape::Rectangle(2.0, 1.0).corners(pose);
        let expected = [(11.0, -2.0), (11.0, 2.0), (9.0, 2.0), (9.0, -2.0)].map(Vec2::from);
        assert!(corners.iter().zip(expected).all(|(found, wanted)| found.distance(wanted) < 1e-5), "{corners:?}");
    }
}
