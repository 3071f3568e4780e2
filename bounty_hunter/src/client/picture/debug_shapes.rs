//! Debug drawing: the perception and the ways of AIs, contacts, and hit boxes.

use glam::Vec2;
use macroquad::color::Color;
use macroquad::math::Vec2 as Point;
use macroquad::shapes::{draw_circle_lines, draw_line, draw_triangle};

use crate::client::drawing::camera::{Camera, placed};
use crate::client::drawing::gauges::line_px;
use crate::client::drawing::theme::faded;
use bounty_hunter_simulation::simulation::view::DebugShape;

const RADAR: Color = Color::new(0.35, 0.75, 1.0, 1.0);
const AVOIDER: Color = Color::new(0.75, 0.55, 1.0, 1.0);
const THREAT: Color = Color::new(1.0, 0.3, 0.3, 1.0);
const TARGET: Color = Color::new(0.45, 1.0, 0.55, 1.0);
const CONTACT: Color = Color::new(1.0, 0.85, 0.2, 1.0);
const HIT_BOX: Color = Color::new(1.0, 1.0, 1.0, 1.0);

/// Number of lines in the arc of a radar.
const ARC_PARTS: u8 = 16;

pub(crate) fn draw(camera: &Camera, shape: &DebugShape) {
    match *shape {
        DebugShape::Radar { position, heading, range, half_angle } => {
            draw_sector(camera, position, heading, range, half_angle);
        }
        DebugShape::Avoider { corners } => draw_loop(camera, &corners, faded(AVOIDER, 0.7)),
        DebugShape::Threat { from, to } => draw_arrow(camera, from, to, THREAT),
        DebugShape::Way { from, to } => line(camera.point(from), camera.point(to), faded(TARGET, 0.8)),
        DebugShape::Contact { at } => {
            let at = camera.point(at);
            draw_circle_lines(at.x, at.y, line_px(10.0), line_px(2.5), CONTACT);
        }
        DebugShape::Target { from, to } => draw_arrow(camera, from, to, TARGET),
        DebugShape::HitBox { corners } => draw_loop(camera, &corners, faded(HIT_BOX, 0.8)),
    }
}

fn draw_sector(camera: &Camera, apex: Vec2, heading: f32, range: f32, half_angle: f32) {
    let at = |part: u8| {
        let angle = heading - half_angle + 2.0 * half_angle * f32::from(part) / f32::from(ARC_PARTS);
        camera.point(placed(apex, angle, Vec2::new(0.0, range)))
    };
    let apex = camera.point(apex);
    for part in 0..ARC_PARTS {
        let (from, to) = (at(part), at(part + 1));
        draw_triangle(apex, from, to, faded(RADAR, 0.07));
        line(from, to, faded(RADAR, 0.45));
    }
    line(apex, at(0), faded(RADAR, 0.45));
    line(apex, at(ARC_PARTS), faded(RADAR, 0.45));
}

fn draw_loop(camera: &Camera, corners: &[Vec2; 4], color: Color) {
    for index in 0..4 {
        line(camera.point(corners[index]), camera.point(corners[(index + 1) % 4]), color);
    }
}

fn draw_arrow(camera: &Camera, from: Vec2, to: Vec2, color: Color) {
    let (from, to) = (camera.point(from), camera.point(to));
    line(from, to, faded(color, 0.8));
    draw_circle_lines(to.x, to.y, line_px(6.0), line_px(1.5), color);
}

fn line(from: Point, to: Point, color: Color) {
    draw_line(from.x, from.y, to.x, to.y, line_px(1.5), color);
}
