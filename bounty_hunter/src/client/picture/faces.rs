//! Faces of AIs: the hull that their habit has, and eyes that show what they are up to.

use macroquad::color::Color;
use macroquad::math::Vec2 as Point;
use macroquad::shapes::{draw_circle, draw_line, draw_triangle};

use super::bodies::corner;
use super::ghosts;
use crate::client::drawing::camera::Camera;
use crate::client::drawing::theme::{self, faded, mixed};
use bounty_hunter_simulation::simulation::view::{CollectorView, Face, Hull, Mood};

/// Half the extent of the smallest collector that has eyes, pixels.
const MIN_EYED_PX: f32 = 9.0;

/// Draws what a hull has beside the triangle of its collector.
pub(crate) fn draw_hull(camera: &Camera, collector: &CollectorView, hull: Hull) {
    let opacity = ghosts::opacity(collector.ghost_seconds);
    let color = faded(mixed(theme::GROUND, camera.palette.color(collector.player), 0.75), opacity);
    let half_px = camera.px(collector.half_extent);
    for side in [-1.0, 1.0] {
        let at = |x: f32, y: f32| corner(camera, collector, side * x, y);
        let triangle = |one: Point, two: Point, three: Point| draw_triangle(one, two, three, color);
        match hull {
            Hull::Plain => {}
            Hull::Podded => {
                let pod = at(1.0, -0.62);
                draw_circle(pod.x, pod.y, half_px * 0.42, color);
            }
            Hull::Finned => triangle(at(0.0, -0.8), at(0.5, -1.75), at(0.0, -1.25)),
            Hull::Horned => triangle(at(0.95, -0.75), at(0.95, 0.75), at(0.45, 0.1)),
        }
    }
}

/// Draws the eyes of an AI in its mood. Collectors that are too small have none.
pub(crate) fn draw_eyes(camera: &Camera, collector: &CollectorView, face: Face) {
    let half_px = camera.px(collector.half_extent);
    if half_px < MIN_EYED_PX {
        return;
    }
    let opacity = ghosts::opacity(collector.ghost_seconds);
    let dot = |x: f32, y: f32, radius: f32, color: Color| {
        let place = corner(camera, collector, x, y);
        draw_circle(place.x, place.y, half_px * radius, faded(color, opacity));
    };
    for side in [-1.0, 1.0] {
        let (x, y) = (side * 0.3, 0.02);
        let (size, pupil, ahead) = match face.mood {
            Mood::Calm | Mood::Homeward => (0.2, 0.1, 0.05),
            Mood::Hunting => (0.22, 0.1, 0.1),
            Mood::Wary => (0.27, 0.09, 0.0),
        };
        dot(x, y, size, theme::WHITE);
        dot(x, y + ahead, pupil, theme::BACKGROUND);
        let lid = match face.mood {
            // A brow that falls towards the nose of the face, and a lid that half closes the eye.
            Mood::Hunting => Some(((0.58, -0.2), (0.1, 0.12), theme::ALARM)),
            Mood::Homeward => Some(((0.52, 0.14), (0.1, 0.14), theme::ACCENT)),
            Mood::Calm | Mood::Wary => None,
        };
        if let Some(((from_x, from_y), (to_x, to_y), color)) = lid {
            let (from, to) = (
                corner(camera, collector, side * from_x, from_y + y),
                corner(camera, collector, side * to_x, to_y + y),
            );
            draw_line(from.x, from.y, to.x, to.y, (half_px * 0.14).max(1.5), faded(color, opacity));
        }
    }
}
