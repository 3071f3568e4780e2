//! The colours without a player.

use macroquad::color::Color;

use super::palette;
use bounty_hunter_simulation::appearance;

pub(crate) const BACKGROUND: Color = Color::new(0.027, 0.035, 0.063, 1.0);
/// What is mixed into the dark parts of objects.
pub(crate) const GROUND: Color = Color::new(0.043, 0.055, 0.098, 1.0);
/// The edges of boxes.
pub(crate) const BORDER: Color = Color::new(0.42, 0.56, 0.95, 0.9);
/// Boxes behind text.
pub(crate) const PANEL: Color = Color::new(0.055, 0.071, 0.122, 1.0);
/// Boxes over the arena.
pub(crate) const OVERLAY: Color = Color::new(0.035, 0.047, 0.086, 0.93);
/// The empty part of a bar.
pub(crate) const TROUGH: Color = Color::new(1.0, 1.0, 1.0, 0.09);
pub(crate) const WHITE: Color = Color::new(1.0, 1.0, 1.0, 1.0);
pub(crate) const TEXT: Color = Color::new(0.90, 0.93, 1.0, 1.0);
/// Less important text.
pub(crate) const FAINT: Color = Color::new(0.53, 0.59, 0.74, 1.0);
/// Selected options, and the name of the game.
pub(crate) const ACCENT: Color = Color::new(1.0, 0.80, 0.27, 1.0);
/// The gold of a gold rush: the brightest colour besides white.
pub(crate) const GOLD: Color = Color::new(1.0, 0.91, 0.45, 1.0);
/// Power-ups and ghosts.
pub(crate) const GHOST: Color = Color::new(0.62, 0.95, 1.0, 1.0);
pub(crate) const HEALTH: Color = Color::new(0.45, 0.90, 0.50, 1.0);
pub(crate) const PURGE: Color = Color::new(1.0, 0.62, 0.20, 1.0);
pub(crate) const STRIKE: Color = Color::new(1.0, 0.33, 0.42, 1.0);
pub(crate) const MAGNET: Color = Color::new(0.72, 0.56, 1.0, 1.0);
/// Urgent text.
pub(crate) const SUCCESS: Color = Color::new(0.45, 0.90, 0.50, 1.0);
pub(crate) const ALARM: Color = Color::new(1.0, 0.36, 0.30, 1.0);

/// The colours of the ground of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ground {
    /// Where there is least light.
    pub(crate) base: Color,
    /// Where there is most light.
    pub(crate) glow: Color,
    /// Its lines, and every fifth of them.
    pub(crate) grid: Color,
    pub(crate) grid_strong: Color,
    /// The edge of the arena, and the walls.
    pub(crate) border: Color,
}

impl Ground {
    /// The ground in shades of a colour.
    pub(crate) fn of(color: appearance::Color) -> Self {
        let hue = palette::of_kind(color);
        let dark = |share: f32| mixed(BACKGROUND, hue, share);
        let border = mixed(hue, WHITE, 0.25);
        Self {
            base: dark(0.24),
            glow: dark(0.36),
            grid: faded(border, 0.09),
            grid_strong: faded(border, 0.20),
            border: faded(border, 0.9),
        }
    }
}

/// Multiplies the opacity.
pub(crate) fn faded(color: Color, opacity: f32) -> Color {
    Color { a: color.a * opacity.clamp(0.0, 1.0), ..color }
}

pub(crate) fn mixed(from: Color, to: Color, share: f32) -> Color {
    let mix = |a: f32, b: f32| a + (b - a) * share;
    Color::new(mix(from.r, to.r), mix(from.g, to.g), mix(from.b, to.b), mix(from.a, to.a))
}

/// The colour of health, from red (0) to green (1).
pub(crate) fn health(share: f32) -> Color {
    mixed(ALARM, HEALTH, share.clamp(0.0, 1.0))
}

/// The colour of a bounty by its worth, from a dull red (0) over orange to a bright yellow (1): the more it is worth,
/// the more light, so that also who sees no difference between red and green sees which one to go for.
pub(crate) fn bounty(worth: f32) -> Color {
    let worth = worth.clamp(0.0, 1.0);
    Color::new(0.80 + 0.20 * worth, 0.24 + 0.72 * worth, 0.20 + 0.30 * worth * worth, 1.0)
}

/// The heart of a bounty, by its value in shares of the best one so far: its colour, and its side in shares of that of
/// the bounty. The heart of the best bounty is white and large, so that nothing in the arena has more light, whatever
/// colour its kind has.
pub(crate) fn bounty_heart(color: Color, share_of_best: f32) -> (Color, f32) {
    let share = share_of_best.clamp(0.0, 1.0);
    (mixed(color, WHITE, 0.36 + 0.64 * share * share), 0.62 + 0.2 * share * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of a colour in sRGB (WCAG 2).
    fn luminance(color: Color) -> f32 {
        let linear = |c: f32| if c <= 0.04045 { c / 12.92 } else { libm::powf((c + 0.055) / 1.055, 2.4) };
        0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b)
    }

    #[test]
    fn bounty_that_is_worth_more_has_more_light() {
        let lights: Vec<f32> = (0..=20).map(|step| luminance(bounty(step as f32 / 20.0))).collect();
        assert!(lights.windows(2).all(|pair| pair[1] > pair[0]), "{lights:?}");
        assert!(lights[20] > 4.0 * lights[0], "{lights:?}");
    }
}
