//! Circles around places of the arena. The world wraps around: what of a circle reaches over an edge of the arena is
//! drawn again at the opposite edge, as far as it lies in the arena.

use glam::Vec2;
use macroquad::color::Color;
use macroquad::math::{Rect, Vec2 as Point};
use macroquad::shapes::{draw_arc, draw_circle, draw_triangle};

use super::camera::Camera;
use super::gauges::line_px;

/// A part of the line of a circle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    /// The sides of the whole circle.
    pub(crate) sides: u8,
    /// Where it begins: degrees from +x, clockwise on the screen.
    pub(crate) from_degrees: f32,
    pub(crate) degrees: f32,
    /// From the radius outwards.
    pub(crate) width_px: f32,
}

/// Draws a filled circle.
pub(crate) fn fill(camera: &Camera, place: Vec2, radius_px: f32, color: Color) {
    let center = camera.point(place);
    if camera.shows(center, radius_px) {
        draw_circle(center.x, center.y, radius_px, color);
    }
    for (image, arena) in images(camera, place, radius_px) {
        fill_polygon(&clipped(disc(image, radius_px), arena), color);
    }
}

/// Draws the line of a circle with enough sides for its size; the thickness is that in a window of 720 lines.
pub(crate) fn ring(camera: &Camera, place: Vec2, radius_px: f32, thickness: f32, color: Color) {
    let whole = Arc { sides: sides(radius_px), from_degrees: 0.0, degrees: 360.0, width_px: line_px(thickness) };
    arc(camera, place, radius_px, whole, color);
}

/// Draws a part of the line of a circle.
pub(crate) fn arc(camera: &Camera, place: Vec2, radius_px: f32, arc: Arc, color: Color) {
    let Arc { sides, from_degrees, degrees, width_px } = arc;
    let center = camera.point(place);
    if camera.shows(center, radius_px + width_px) {
        draw_arc(center.x, center.y, sides, radius_px, from_degrees, width_px, degrees, color);
    }
    for (image, arena) in images(camera, place, radius_px + width_px) {
        for part in parts(image, radius_px, arc) {
            fill_polygon(&clipped(part.to_vec(), arena), color);
        }
    }
}

/// Whether a circle may be seen around its place or at an opposite edge.
pub(crate) fn are_seen(camera: &Camera, place: Vec2, radius_px: f32) -> bool {
    camera.shows(camera.point(place), radius_px) || images(camera, place, radius_px).next().is_some()
}

/// The pixels at which a circle is drawn again, one arena away, and the arena into which it reaches from there. Those
/// outside of the window are left out.
fn images(camera: &Camera, place: Vec2, radius_px: f32) -> impl Iterator<Item = (Point, Rect)> {
    camera.arena().into_iter().flat_map(move |arena| {
        let center = camera.point(place);
        let middles = shifts(arena, center, radius_px).map(move |shift| center + shift);
        middles.filter(move |middle| camera.shows(*middle, radius_px)).map(move |middle| (middle, arena))
    })
}

/// The ways by whole arenas on which a circle gets to where it reaches into the arena, except no way.
fn shifts(arena: Rect, center: Point, radius_px: f32) -> impl Iterator<Item = Point> {
    let beyond = |low: f32, high: f32, middle: f32| {
        let reaches = |shift: f32| middle + shift + radius_px > low && middle + shift - radius_px < high;
        [-1.0, 0.0, 1.0].map(|side| Some(side * (high - low)).filter(|shift| reaches(*shift)))
    };
    let across = beyond(arena.x, arena.right(), center.x);
    let along = beyond(arena.y, arena.bottom(), center.y);
    let shifts = across.into_iter().flatten().flat_map(move |x| along.into_iter().flatten().map(move |y| (x, y)));
    shifts.map(|(x, y)| Point::new(x, y)).filter(|shift| *shift != Point::ZERO)
}

fn sides(radius_px: f32) -> u8 {
    (8.0 + radius_px).min(20.0 + radius_px * 0.2).min(96.0) as u8
}

/// The corners of a filled circle.
fn disc(center: Point, radius_px: f32) -> Vec<Point> {
    let sides = sides(radius_px).max(20);
    let angle = |side: u8| std::f32::consts::TAU * f32::from(side) / f32::from(sides);
    (0..sides).map(|side| center + radius_px * Point::from_angle(angle(side))).collect()
}

/// The parts of an arc between two corners each.
fn parts(center: Point, radius_px: f32, arc: Arc) -> impl Iterator<Item = [Point; 4]> {
    let Arc { sides, from_degrees, degrees, width_px } = arc;
    let count = (f32::from(sides) * degrees / 360.0).ceil().max(1.0);
    let at = move |part: f32, radius: f32| {
        center + radius * Point::from_angle((from_degrees + degrees * part / count).to_radians())
    };
    let part = move |part: u16| {
        let (from, to, outer) = (f32::from(part), f32::from(part + 1), radius_px + width_px);
        [at(from, radius_px), at(from, outer), at(to, outer), at(to, radius_px)]
    };
    (0..count as u16).map(part)
}

/// The part of a convex polygon that lies in an area; empty if nothing of it does. Cuts off what is beyond each of the
/// four sides in turn (Sutherland and Hodgman).
fn clipped(mut corners: Vec<Point>, area: Rect) -> Vec<Point> {
    let inside: [&dyn Fn(Point) -> f32; 4] =
        [&|p| p.x - area.x, &|p| area.right() - p.x, &|p| p.y - area.y, &|p| area.bottom() - p.y];
    for inside in inside {
        let before = corners.iter().cycle().skip(corners.len().saturating_sub(1));
        let mut kept = Vec::with_capacity(corners.len() + 1);
        for (from, to) in before.zip(&corners) {
            let (of_from, of_to) = (inside(*from), inside(*to));
            if (of_from > 0.0) != (of_to > 0.0) {
                kept.push(from.lerp(*to, of_from / (of_from - of_to)));
            }
            if of_to > 0.0 {
                kept.push(*to);
            }
        }
        corners = kept;
    }
    corners
}

fn fill_polygon(corners: &[Point], color: Color) {
    let Some((first, others)) = corners.split_first() else { return };
    others.windows(2).for_each(|pair| draw_triangle(*first, pair[0], pair[1], color));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::drawing::palette::Palette;

    const HALF_M: f32 = 75.0;

    fn camera() -> Camera {
        Camera::new(Rect::new(200.0, 0.0, 700.0, 700.0), HALF_M, Palette::default()).in_world(HALF_M)
    }

    fn area(corners: &[Point]) -> f32 {
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).map(|(one, next)| one.perp_dot(*next)).sum::<f32>().abs() / 2.0
    }

    /// Places all over the arena, at its edges and in its corners.
    fn places() -> impl Iterator<Item = Vec2> {
        let steps = [-1.0, -0.97, -0.6, 0.0, 0.3, 0.8, 0.99];
        steps.into_iter().flat_map(move |x| steps.map(|y| Vec2::new(x, y) * HALF_M))
    }

    #[test]
    fn whole_circle_lies_in_the_arena_wherever_its_middle_is() {
        let camera = camera();
        let arena = camera.arena().expect("the camera knows it");
        for (place, radius_px) in places().flat_map(|place| [4.0, 30.0, 250.0].map(|radius_px| (place, radius_px))) {
            let images = images(&camera, place, radius_px).map(|(image, _)| image);
            let middles = std::iter::once(camera.point(place)).chain(images);
            let pieces: Vec<_> = middles.map(|middle| clipped(disc(middle, radius_px), arena)).collect();
            let (shown, whole) =
                (pieces.iter().map(|piece| area(piece)).sum::<f32>(), area(&disc(Point::ZERO, radius_px)));
            assert!((shown - whole).abs() < 0.002 * whole, "{shown} of {whole} around {place} are shown");
            let corner = |corner: &Point| {
                let grown = Rect::new(arena.x - 0.1, arena.y - 0.1, arena.w + 0.2, arena.h + 0.2);
                assert!(grown.contains(*corner), "{corner} around {place} is outside");
            };
            pieces.iter().flatten().for_each(corner);
        }
    }

    #[test]
    fn circle_is_drawn_once_unless_it_reaches_over_an_edge() {
        let camera = camera();
        let count = |x: f32, y: f32, metres: f32| images(&camera, Vec2::new(x, y), camera.px(metres)).count();
        assert_eq!([count(0.0, 0.0, 20.0), count(60.0, 0.0, 10.0), count(60.0, -60.0, 14.9)], [0; 3]);
        assert_eq!((count(60.0, 0.0, 30.0), count(60.0, -60.0, 30.0)), (1, 3));
        let (opposite, _) = images(&camera, Vec2::new(60.0, 10.0), camera.px(30.0)).next().expect("it is drawn again");
        assert!((camera.place(opposite) - Vec2::new(-90.0, 10.0)).length() < 0.01);
    }

    #[test]
    fn camera_that_knows_no_arena_draws_each_circle_once() {
        let camera = Camera::new(Rect::new(0.0, 0.0, 700.0, 700.0), HALF_M, Palette::default());
        assert_eq!(images(&camera, Vec2::new(74.0, 74.0), 300.0).count(), 0);
    }

    #[test]
    fn circle_at_the_far_edge_is_seen_where_the_near_one_is_shown() {
        let area = Rect::new(0.0, 0.0, 700.0, 700.0);
        let camera = Camera::new(area, 30.0, Palette::default()).in_world(HALF_M).looking_at(Vec2::new(-60.0, 0.0));
        let far = |metres: f32| are_seen(&camera, Vec2::new(74.0, 0.0), camera.px(metres));
        assert!(far(8.0) && !far(0.5), "{:?}", camera.shown());
        assert!(!are_seen(&camera, Vec2::ZERO, camera.px(8.0)));
    }

    #[test]
    fn parts_of_an_arc_join_from_its_beginning_to_its_end() {
        let arc = Arc { sides: 48, from_degrees: -90.0, degrees: 90.0, width_px: 2.0 };
        let parts: Vec<_> = parts(Point::ZERO, 10.0, arc).collect();
        assert_eq!(parts.len(), 12);
        assert!((parts[0][0] - Point::new(0.0, -10.0)).length() < 1e-4, "{:?}", parts[0]);
        assert!((parts[11][2] - Point::new(12.0, 0.0)).length() < 1e-4, "{:?}", parts[11]);
        assert!(parts.windows(2).all(|two| two[0][3] == two[1][0]));
    }
}
