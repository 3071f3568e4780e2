//! Gold rushes: the gold outshines everything else, and a mark shows where it will appear.

use macroquad::color::Color;
use macroquad::math::{Vec2 as Point, vec2};
use macroquad::shapes::{draw_circle, draw_line, draw_triangle};

use crate::client::drawing::camera::Camera;
use crate::client::drawing::gauges::line_px;
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, faded};
use bounty_hunter_simulation::simulation::view::{BountyView, GoldRushView};

/// The rays of the gold, how far they reach in half extents, and how fast they turn.
const RAYS: u16 = 8;
const RAY_REACH: f32 = 3.4;
const RAY_RADPS: f32 = 0.7;
/// Half the diagonal of the mark where it will appear, metres, and its least size in pixels.
const MARK_M: f32 = 5.0;
const MIN_MARK_PX: f32 = 14.0;
/// It is never drawn smaller than this, half its side, pixels.
const MIN_PX: f32 = 7.0;

/// Draws the rays and the bright core of the gold over its bounty, and in the light as well.
pub(crate) fn draw(camera: &Camera, gold: &BountyView, clock_seconds: f32) {
    let (center, half) = (camera.point(gold.position), camera.px(gold.half_extent).max(MIN_PX));
    let color = faded(theme::GOLD, gold.alpha);
    for radius in [2.6, 1.9] {
        draw_circle(center.x, center.y, half * radius, faded(color, 0.10));
    }
    for ray in 0..RAYS {
        let angle = std::f32::consts::TAU * f32::from(ray) / f32::from(RAYS) + clock_seconds * RAY_RADPS;
        // Every other ray is shorter.
        let reach = half * if ray % 2 == 0 { RAY_REACH } else { 0.7 * RAY_REACH };
        let along = vec2(libm::cosf(angle), libm::sinf(angle));
        let across = vec2(-along.y, along.x) * half * 0.22;
        draw_triangle(center + across, center + along * reach, center - across, faded(color, 0.55));
    }
    fill_diamond(center, half * 1.35, color);
    fill_diamond(center, half * 0.95, faded(theme::WHITE, gold.alpha));
}

/// Draws where the gold will appear: diamonds that close in, once a second, and the seconds that are left.
pub(crate) fn draw_coming(camera: &Camera, rush: &GoldRushView) {
    let (center, size) = (camera.point(rush.position), camera.px(MARK_M).max(MIN_MARK_PX));
    let seconds = rush.appears_in_seconds;
    draw_diamond(center, size, faded(theme::GOLD, 0.9));
    draw_diamond(center, size * (1.0 + 1.2 * seconds.fract()), faded(theme::GOLD, 0.9 * (1.0 - seconds.fract())));
    let style = Style::new((size * 0.8).max(10.0), theme::GOLD).align(Align::Center).weight(1.3);
    let number = format!("{:.0}", seconds.ceil());
    text::draw(&number, center.x, center.y, Style { color: faded(theme::BACKGROUND, 0.9), weight: 2.8, ..style });
    text::draw(&number, center.x, center.y, style);
}

/// The gold of a rush among the bounties of the picture, once it is there.
pub(crate) fn find<'a>(rush: Option<&GoldRushView>, bounties: &'a [BountyView]) -> Option<&'a BountyView> {
    let rush = rush.filter(|rush| rush.appears_in_seconds <= 0.0)?;
    bounties.iter().find(|bounty| bounty.key == rush.key)
}

/// Fills a diamond around a point; `size` is half its diagonal in pixels.
pub(crate) fn fill_diamond(center: Point, size: f32, color: Color) {
    let [top, right, bottom, left] = corners(center, size);
    draw_triangle(top, right, bottom, color);
    draw_triangle(top, bottom, left, color);
}

fn draw_diamond(center: Point, size: f32, color: Color) {
    let corners = corners(center, size);
    for (index, from) in corners.iter().enumerate() {
        let to = corners[(index + 1) % corners.len()];
        draw_line(from.x, from.y, to.x, to.y, line_px(2.5), color);
    }
}

fn corners(center: Point, size: f32) -> [Point; 4] {
    [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)].map(|(x, y)| center + vec2(x, y) * size)
}

/// How far the gold reaches beyond its place, metres.
pub(crate) fn reach_m(half_extent_m: f32) -> f32 {
    half_extent_m * RAY_REACH
}
