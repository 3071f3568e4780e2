//! The collectors of people at this screen: brighter than all others, and never too small to be found.

use glam::Vec2;
use macroquad::color::Color;
use macroquad::math::{Vec2 as Point, vec2};
use macroquad::shapes::{draw_line, draw_triangle};

use super::bodies;
use super::ghosts;
use crate::client::drawing::camera::{Camera, placed};
use crate::client::drawing::gauges::line_px;
use crate::client::drawing::theme::{self, faded, mixed};
use crate::client::unlocks::ShipShape;
use bounty_hunter_simulation::simulation::view::CollectorView;

/// The least side of the triangle, in pixels of a window with 720 lines.
const LEAST_PX: f32 = 28.0;
/// The triangle that is hit, in shares of the half extent.
const HIT: [(f32, f32); 3] = [(-1.0, -1.0), (0.0, 1.0), (1.0, -1.0)];
/// From this factor on, what is hit is marked in a ship that is drawn larger than it is.
const MUCH_LARGER: f32 = 1.2;

/// A triangle in shares of the half extent, the nose towards +y.
type Triangle = [(f32, f32); 3];

/// The white edge around the triangle that is hit, as triangles that overlap.
fn edge(shape: ShipShape) -> &'static [Triangle] {
    const DART: Triangle = [(-1.25, -1.18), (0.0, 1.5), (1.25, -1.18)];
    match shape {
        ShipShape::Dart => &[DART],
        ShipShape::Arrow => {
            &[[(-1.95, -1.75), (0.0, 1.6), (0.0, -0.9)], [(1.95, -1.75), (0.0, 1.6), (0.0, -0.9)], DART]
        }
        ShipShape::Kite => &[DART, [(-0.75, -1.1), (0.0, -2.6), (0.75, -1.1)]],
        ShipShape::Fork => {
            &[DART, [(-1.5, -1.18), (-1.15, 1.7), (-0.3, -1.18)], [(1.5, -1.18), (1.15, 1.7), (0.3, -1.18)]]
        }
        ShipShape::Manta => &[DART, [(-2.3, -0.2), (0.0, 0.9), (0.0, -1.18)], [(2.3, -0.2), (0.0, 0.9), (0.0, -1.18)]],
        ShipShape::Star => &[DART, [(-1.4, 0.75), (0.0, -2.1), (1.4, 0.75)]],
    }
}

/// Draws the shape of a ship with its nose up, as in a list; `size` is its half extent in pixels.
pub(crate) fn draw_sign(shape: ShipShape, center: Point, size: f32, color: Color) {
    let point = |(x, y): (f32, f32)| center + vec2(x, -y) * size;
    for [a, b, c] in edge(shape) {
        draw_triangle(point(*a), point(*b), point(*c), theme::WHITE);
    }
    let [a, b, c] = HIT.map(point);
    draw_triangle(a, b, c, color);
}

/// The collector as large as it is drawn: as it is, or larger where it would be too small.
pub(crate) fn shown(camera: &Camera, collector: &CollectorView) -> CollectorView {
    let least_m = camera.of_720_lines(LEAST_PX / 2.0) / camera.px(1.0);
    CollectorView { half_extent: collector.half_extent.max(least_m), ..*collector }
}

/// Draws a collector: filled, with a white edge in its shape. Where it is drawn much larger than it is, a dark line in
/// it is the edge of what is hit.
pub(crate) fn draw(camera: &Camera, collector: &CollectorView, shape: ShipShape) {
    let shown = shown(camera, collector);
    let opacity = ghosts::opacity(collector.ghost_seconds);
    let color = faded(mixed(camera.palette.color(collector.player), theme::WHITE, 0.18), opacity);
    for triangle in edge(shape) {
        let [a, b, c] = triangle.map(|place| corner(camera, &shown, place));
        draw_triangle(a, b, c, faded(theme::WHITE, opacity));
    }
    let [a, b, c] = HIT.map(|place| corner(camera, &shown, place));
    draw_triangle(a, b, c, color);
    if shown.half_extent > MUCH_LARGER * collector.half_extent {
        let hit = HIT.map(|place| corner(camera, collector, place));
        for (from, to) in [(hit[0], hit[1]), (hit[1], hit[2]), (hit[2], hit[0])] {
            draw_line(from.x, from.y, to.x, to.y, line_px(1.2), faded(theme::BACKGROUND, opacity));
        }
    }
    bodies::draw_mark_of(camera, &shown, theme::BACKGROUND);
}

/// A point of the shape of a collector, in shares of the half extent.
fn corner(camera: &Camera, collector: &CollectorView, (x, y): (f32, f32)) -> Point {
    camera.point(placed(collector.position, collector.heading, Vec2::new(x, y) * collector.half_extent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::drawing::layout::{Layout, TextSize};
    use crate::client::drawing::palette::Palette;
    use crate::client::input::hand::Hand;
    use crate::client::picture::camera_rig::{CameraRig, FirstAim};
    use crate::client::sample::{collector, person_here};
    use bounty_hunter_simulation::simulation::view::View;

    /// The side of the first person's triangle in pixels, as large as it is and as large as it is drawn.
    fn sides(places: &[(f32, f32)], world_half_extent: f32, window: (f32, f32), first_aim: FirstAim) -> (f32, f32) {
        let of = |(index, (x, y)): (usize, &(f32, f32))| CollectorView {
            player: index as u32,
            position: Vec2::new(*x, *y) * world_half_extent,
            half_extent: 1.5,
            ..collector(index as u64)
        };
        let collectors: Vec<_> = places.iter().enumerate().map(of).collect();
        let players = (0..places.len() as u32).map(person_here).collect();
        let view = View { players, collectors, world_half_extent, ..View::empty() };
        let layout = Layout::new(window.0, window.1, TextSize::Usual, Palette::default(), Hand::default());
        let mut rig = CameraRig::beginning_with(first_aim);
        (0..300).for_each(|_| rig.advance(&view, &layout, 1.0 / 60.0));
        let camera = rig.camera(&layout, &view);
        let side = |collector: &CollectorView| 2.0 * camera.px(collector.half_extent);
        (side(&view.collectors[0]), side(&shown(&camera, &view.collectors[0])))
    }

    #[test]
    fn own_ship_is_at_least_28_pixels_large_however_far_apart_people_are() {
        let places = [(-0.9, -0.9), (0.9, 0.9), (-0.9, 0.9), (0.9, -0.9)];
        for (people, half_m) in (1..=4).flat_map(|people| [75.0, 120.0, 600.0].map(|half_m| (people, half_m))) {
            for first_aim in FirstAim::ALL {
                let (_, drawn) = sides(&places[..people], half_m, (1280.0, 720.0), first_aim);
                assert!(drawn >= 27.99, "{drawn} px, {people} people, {half_m} m, {first_aim:?}");
                let (_, larger) = sides(&places[..people], half_m, (3840.0, 2160.0), first_aim);
                assert!(larger >= 83.9, "{larger} px in a window of 2160 lines");
            }
        }
        let (real, drawn) = sides(&places, 75.0, (1280.0, 720.0), FirstAim::Players);
        assert!(real < 14.0 && drawn > 27.9, "{real} {drawn}");
    }

    /// Whether a point lies in a triangle, on either side of its corners' order.
    fn lies_in(point: (f32, f32), triangle: &Triangle) -> bool {
        let side = |(ax, ay): (f32, f32), (bx, by): (f32, f32)| (bx - ax) * (point.1 - ay) - (by - ay) * (point.0 - ax);
        let [a, b, c] = *triangle;
        let sides = [side(a, b), side(b, c), side(c, a)];
        sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0)
    }

    #[test]
    fn every_shape_encloses_the_triangle_that_is_hit_and_differs_from_the_others() {
        let is_in = |shape: ShipShape, point| edge(shape).iter().any(|triangle| lies_in(point, triangle));
        let steps = || (-26..=26).map(|step| step as f32 / 10.0);
        let points = || steps().flat_map(|x| steps().map(move |y| (x, y)));
        for shape in ShipShape::ALL {
            let missed = points().find(|point| lies_in(*point, &HIT) && !is_in(shape, *point));
            assert_eq!(missed, None, "{shape:?}");
            for other in ShipShape::ALL.into_iter().filter(|other| *other != shape) {
                let different = points().filter(|point| is_in(shape, *point) != is_in(other, *point)).count();
                assert!(different > 60, "{shape:?} and {other:?} differ in {different} of 2809 points");
            }
        }
    }

    #[test]
    fn ship_that_is_large_enough_is_drawn_as_large_as_it_is() {
        let (real, drawn) = sides(&[(0.1, 0.0)], 75.0, (1280.0, 720.0), FirstAim::Person);
        assert!(real > 28.0 && drawn == real, "{real} {drawn}");
    }
}
