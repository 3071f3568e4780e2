//! The collectors of people at this screen: brighter than all others, and never too small to be found.

use glam::Vec2;
use macroquad::math::Vec2 as Point;
use macroquad::shapes::{draw_line, draw_triangle};

use super::bodies;
use super::ghosts;
use crate::client::drawing::camera::{Camera, placed};
use crate::client::drawing::gauges::line_px;
use crate::client::drawing::theme::{self, faded, mixed};
use bounty_hunter_simulation::simulation::view::CollectorView;

/// The least side of the triangle, in pixels of a window with 720 lines.
const LEAST_PX: f32 = 28.0;
/// From this factor on, what is hit is marked in a ship that is drawn larger than it is.
const MUCH_LARGER: f32 = 1.2;

/// The collector as large as it is drawn: as it is, or larger where it would be too small.
pub(crate) fn shown(camera: &Camera, collector: &CollectorView) -> CollectorView {
    let least_m = camera.of_720_lines(LEAST_PX / 2.0) / camera.px(1.0);
    CollectorView { half_extent: collector.half_extent.max(least_m), ..*collector }
}

/// Draws a collector: filled, with a white edge. Where it is drawn much larger than it is, a dark line in it is the edge
/// of what is hit.
pub(crate) fn draw(camera: &Camera, collector: &CollectorView) {
    let shown = shown(camera, collector);
    let opacity = ghosts::opacity(collector.ghost_seconds);
    let color = faded(mixed(camera.palette.color(collector.player), theme::WHITE, 0.18), opacity);
    let corner = |x: f32, y: f32| corner(camera, &shown, x, y);
    let edge = [corner(-1.25, -1.18), corner(0.0, 1.5), corner(1.25, -1.18)];
    draw_triangle(edge[0], edge[1], edge[2], faded(theme::WHITE, opacity));
    draw_triangle(corner(-1.0, -1.0), corner(0.0, 1.0), corner(1.0, -1.0), color);
    if shown.half_extent > MUCH_LARGER * collector.half_extent {
        let hit = [(-1.0, -1.0), (0.0, 1.0), (1.0, -1.0)].map(|(x, y)| self::corner(camera, collector, x, y));
        for (from, to) in [(hit[0], hit[1]), (hit[1], hit[2]), (hit[2], hit[0])] {
            draw_line(from.x, from.y, to.x, to.y, line_px(1.2), faded(theme::BACKGROUND, opacity));
        }
    }
    bodies::draw_mark_of(camera, &shown, theme::BACKGROUND);
}

/// A point of the shape of a collector, in shares of the half extent.
fn corner(camera: &Camera, collector: &CollectorView, x: f32, y: f32) -> Point {
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

    #[test]
    fn ship_that_is_large_enough_is_drawn_as_large_as_it_is() {
        let (real, drawn) = sides(&[(0.1, 0.0)], 75.0, (1280.0, 720.0), FirstAim::Person);
        assert!(real > 28.0 && drawn == real, "{real} {drawn}");
    }
}
