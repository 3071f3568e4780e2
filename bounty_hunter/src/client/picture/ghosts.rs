//! Power-ups and ghosts.

use macroquad::color::Color;
use macroquad::math::{Vec2, vec2};
use macroquad::shapes::{draw_arc, draw_circle, draw_circle_lines, draw_line, draw_rectangle, draw_rectangle_lines};

use crate::client::drawing::camera::Camera;
use crate::client::drawing::circles::{self, Arc};
use crate::client::drawing::gauges::line_px;
use crate::client::drawing::theme::{self, faded};
use crate::client::translation::tr;
use bounty_hunter_simulation::arena::forward;
use bounty_hunter_simulation::simulation::view::{CollectorView, PowerUp, PowerUpView};

/// Speed of the pulse of a ghost, and in its last second.
const PULSE_RADPS: f32 = 5.0;
const LAST_PULSE_RADPS: f32 = 25.0;

/// The opacity of a collector: 1, or less in waves for a ghost.
pub(crate) fn opacity(ghost_seconds: f32) -> f32 {
    if ghost_seconds <= 0.0 {
        return 1.0;
    }
    // Flickers before the ghost becomes solid.
    let speed_radps = if ghost_seconds < 1.0 { LAST_PULSE_RADPS } else { PULSE_RADPS };
    0.38 + 0.17 * libm::cosf(ghost_seconds * speed_radps)
}

/// The seconds of a full ring around a ghost.
const RING_SECONDS: f32 = 5.0;
/// Dashes of the ring of a ghost, and the share of each that is drawn.
const DASHES: u16 = 12;
const DASH_SHARE: f32 = 0.55;

/// Draws what marks a ghost: a dashed ring, unlike every other, which loses a dash for each part of its time.
pub(crate) fn draw_ghost(camera: &Camera, collector: &CollectorView) {
    if collector.ghost_seconds <= 0.0 {
        return;
    }
    let (place, radius) = (collector.position, camera.px(collector.half_extent) * 1.8);
    let color = faded(theme::GHOST, opacity(collector.ghost_seconds) + 0.3);
    circles::fill(camera, place, radius, faded(theme::GHOST, 0.14));
    let degrees = 360.0 / f32::from(DASHES);
    for dash in 0..dashes(collector.ghost_seconds) {
        let from_degrees = -90.0 + f32::from(dash) * degrees;
        let arc = Arc { sides: 48, from_degrees, degrees: degrees * DASH_SHARE, width_px: line_px(3.0) };
        circles::arc(camera, place, radius, arc, color);
    }
}

/// The dashes of a ghost with this time left; at least one.
fn dashes(ghost_seconds: f32) -> u16 {
    (f32::from(DASHES) * (ghost_seconds / RING_SECONDS)).ceil().clamp(1.0, f32::from(DASHES)) as u16
}

/// Draws the halo of a power-up where there is no light.
pub(crate) fn draw_halo(camera: &Camera, power_up: &PowerUpView) {
    let (center, half) = (camera.point(power_up.position), camera.px(power_up.half_extent));
    for radius in [2.6, 2.0, 1.6] {
        draw_circle(center.x, center.y, half * radius, faded(theme::GHOST, 0.07 * power_up.alpha));
    }
}

/// Draws a power-up: a pale square with a ring, fading with age.
pub(crate) fn draw_power_up(camera: &Camera, power_up: &PowerUpView) {
    let color = faded(theme::GHOST, power_up.alpha);
    let (center, half) = (camera.point(power_up.position), camera.px(power_up.half_extent));
    draw_rectangle(center.x - half, center.y - half, 2.0 * half, 2.0 * half, faded(color, 0.28));
    draw_rectangle_lines(center.x - half, center.y - half, 2.0 * half, 2.0 * half, line_px(3.0), color);
    draw_sign(&power_up.power_up, center, half * 0.5, color);
}

/// Draws what a power-up does: a ring for a ghost, two arrow heads for speed, a disc for a shield, a horseshoe for a
/// magnet, two squares for the double worth, a disc with spikes for a mine.
fn draw_sign(power_up: &PowerUp, center: Vec2, size: f32, color: Color) {
    let width = (size * 0.36).max(1.5);
    match power_up {
        PowerUp::Ghost { .. } => draw_circle_lines(center.x, center.y, size, width, color),
        PowerUp::Shield { .. } => draw_circle(center.x, center.y, size, color),
        PowerUp::Dash { .. } => {
            for left in [-0.8, 0.1] {
                let (back, tip) = (center.x + left * size, center.x + (left + 0.8) * size);
                draw_line(back, center.y - size * 0.8, tip, center.y, width, color);
                draw_line(back, center.y + size * 0.8, tip, center.y, width, color);
            }
        }
        PowerUp::Magnet { .. } => {
            draw_arc(center.x, center.y, 24, size * 0.75, 0.0, width, 180.0, color);
            for side in [-0.75, 0.75] {
                let x = center.x + side * size;
                draw_line(x, center.y - size, x, center.y, width, color);
            }
        }
        PowerUp::Double { .. } => {
            for shift in [-0.45, 0.45] {
                let (x, y) = (center.x + shift * size, center.y + shift * size);
                draw_rectangle_lines(x - size * 0.5, y - size * 0.5, size, size, width, color);
            }
        }
        PowerUp::Mine { .. } => {
            draw_circle(center.x, center.y, size * 0.6, color);
            for (x, y) in [(1.0, 0.0), (0.0, 1.0), (0.7, 0.7), (0.7, -0.7)] {
                let spike = vec2(x, y) * (size * 1.15);
                let (from, to) = (center - spike, center + spike);
                draw_line(from.x, from.y, to.x, to.y, width * 0.8, color);
            }
        }
    }
}

/// Draws what power-ups have given a collector: a closed ring for a shield, arrow heads behind it for speed, and
/// squares beside it while bounties are worth twice as much. Each flickers before it ends.
pub(crate) fn draw_powers(camera: &Camera, collector: &CollectorView) {
    let (center, size) = (camera.point(collector.position), camera.px(collector.half_extent));
    let strength = |left_seconds: f32| if left_seconds < 1.0 { opacity(left_seconds) + 0.2 } else { 0.85 };
    if collector.shield_seconds > 0.0 {
        let color = faded(theme::TEXT, strength(collector.shield_seconds));
        circles::ring(camera, collector.position, size * 1.6, 3.0, color);
        circles::fill(camera, collector.position, size * 1.6, faded(theme::TEXT, 0.08));
    }
    if collector.dash_seconds > 0.0 {
        let ahead = forward(collector.heading);
        let (back, side) = (vec2(-ahead.x, ahead.y), vec2(ahead.y, ahead.x));
        let color = faded(theme::ACCENT, strength(collector.dash_seconds));
        for place in [1.3, 1.8, 2.3] {
            let tip = center + back * (size * place);
            for side in [side, -side] {
                let end = tip + (back + side) * (size * 0.45);
                draw_line(tip.x, tip.y, end.x, end.y, line_px(2.5), color);
            }
        }
    }
    if collector.double_seconds > 0.0 {
        let color = faded(theme::ACCENT, strength(collector.double_seconds));
        let beside = center + vec2(size * 1.7, -size * 1.7);
        draw_sign(&PowerUp::Double { seconds: collector.double_seconds }, beside, (size * 0.5).max(4.0), color);
    }
}

/// The shown name of a power-up.
pub(crate) fn name(power_up: &PowerUp) -> &'static str {
    match power_up {
        PowerUp::Ghost { .. } => tr("Ghost"),
        PowerUp::Dash { .. } => tr("Dash"),
        PowerUp::Shield { .. } => tr("Shield"),
        PowerUp::Magnet { .. } => tr("Magnet"),
        PowerUp::Double { .. } => tr("Double"),
        PowerUp::Mine { .. } => tr("Mine"),
    }
}

/// Draws what of a power-up shines.
pub(crate) fn draw_core(camera: &Camera, power_up: &PowerUpView) {
    let (center, half) = (camera.point(power_up.position), camera.px(power_up.half_extent));
    draw_rectangle(center.x - half, center.y - half, 2.0 * half, 2.0 * half, faded(theme::GHOST, 0.7 * power_up.alpha));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ghosts_are_translucent_and_never_invisible() {
        assert_eq!(opacity(0.0), 1.0);
        assert!((1..1_000).all(|step| (0.2..0.6).contains(&opacity(step as f32 / 100.0))));
    }

    #[test]
    fn ring_of_a_ghost_shows_the_time_left() {
        assert_eq!([9.0, 5.0, 2.5, 0.4, 0.01].map(dashes), [12, 12, 6, 1, 1]);
    }

    #[test]
    fn ghost_flickers_before_it_ends() {
        let turns = |from: f32| {
            let levels: Vec<f32> = (0..60).map(|step| opacity(from - step as f32 / 60.0)).collect();
            levels.windows(3).filter(|three| (three[1] - three[0]) * (three[2] - three[1]) < 0.0).count()
        };
        assert!(turns(0.99) > 2 * turns(3.0));
    }
}
