//! Power-ups and ghosts.

use macroquad::shapes::{draw_circle, draw_circle_lines, draw_rectangle, draw_rectangle_lines};

use crate::client::drawing::camera::Camera;
use crate::client::drawing::gauges::line_px;
use crate::client::drawing::theme::{self, faded};
use bounty_hunter_simulation::simulation::view::{CollectorView, PowerUpView};

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

/// Draws the shroud around a ghost.
pub(crate) fn draw_shroud(camera: &Camera, collector: &CollectorView) {
    if collector.ghost_seconds > 0.0 {
        let (center, radius) = (camera.point(collector.position), camera.px(collector.half_extent) * 1.7);
        let color = faded(theme::GHOST, opacity(collector.ghost_seconds));
        draw_circle(center.x, center.y, radius, faded(color, 0.25));
        draw_circle_lines(center.x, center.y, radius, line_px(2.0), color);
    }
}

/// Draws a power-up: a pale square with a ring, fading with age.
pub(crate) fn draw_power_up(camera: &Camera, power_up: &PowerUpView) {
    let color = faded(theme::GHOST, power_up.alpha);
    let (center, half) = (camera.point(power_up.position), camera.px(power_up.half_extent));
    for radius in [2.6, 2.0, 1.6] {
        draw_circle(center.x, center.y, half * radius, faded(color, 0.07));
    }
    draw_rectangle(center.x - half, center.y - half, 2.0 * half, 2.0 * half, faded(color, 0.28));
    draw_rectangle_lines(center.x - half, center.y - half, 2.0 * half, 2.0 * half, line_px(3.0), color);
    draw_circle_lines(center.x, center.y, half * 0.5, (half * 0.18).max(1.5), color);
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
    fn ghost_flickers_before_it_ends() {
        let turns = |from: f32| {
            let levels: Vec<f32> = (0..60).map(|step| opacity(from - step as f32 / 60.0)).collect();
            levels.windows(3).filter(|three| (three[1] - three[0]) * (three[2] - three[1]) < 0.0).count()
        };
        assert!(turns(0.99) > 2 * turns(3.0));
    }
}
