//! Text in the stroke font: drawing and measuring.

use macroquad::color::Color;
use macroquad::math::{Vec2, vec2};
use macroquad::shapes::{draw_circle, draw_line};

use super::stroke_font::{GAP_UNITS, HEIGHT_UNITS, for_each_line, width_units};

/// The position of the given point on a line of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Center,
    Right,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Style {
    /// Height of capital letters, pixels.
    pub(crate) height: f32,
    pub(crate) color: Color,
    pub(crate) align: Align,
    /// Thickness of the strokes; 1 is the usual one.
    pub(crate) weight: f32,
}

impl Style {
    pub(crate) fn new(height: f32, color: Color) -> Self {
        Self { height, color, align: Align::Left, weight: 1.0 }
    }

    pub(crate) fn align(self, align: Align) -> Self {
        Self { align, ..self }
    }

    pub(crate) fn weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

/// Width of a line of text, pixels.
pub(crate) fn width(text: &str, height: f32) -> f32 {
    let with_gaps: f32 = text.chars().map(|character| width_units(character) + GAP_UNITS).sum();
    (with_gaps - GAP_UNITS).max(0.0) * height / HEIGHT_UNITS
}

/// The longest beginning of a text that fits into a width in pixels.
pub(crate) fn fitting(text: &str, height: f32, width_px: f32) -> &str {
    let room = width_px * HEIGHT_UNITS / height;
    let mut used = 0.0;
    for (start, character) in text.char_indices() {
        if used + width_units(character) > room {
            return text[..start].trim_end();
        }
        used += width_units(character) + GAP_UNITS;
    }
    text
}

/// The height at which a line of text fits into `width_px`, at most `height`.
pub(crate) fn shrunk(text: &str, height: f32, width_px: f32) -> f32 {
    height * (width_px / width(text, height).max(1.0)).min(1.0)
}

/// The lines of a text for a width, broken between words, or within a word that is wider than a line.
pub(crate) fn wrapped(text: &str, height: f32, width_px: f32) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let mut end = fitting(rest, height, width_px).len();
        let is_within_word = !rest[end..].is_empty() && !rest[end..].starts_with(' ');
        if is_within_word && let Some(space) = rest[..end].rfind(' ') {
            end = space;
        }
        // Each line takes at least one letter.
        let end = end.max(rest.chars().next().map_or(0, char::len_utf8));
        lines.push(rest[..end].trim_end());
        rest = rest[end..].trim_start();
    }
    lines
}

/// Draws a line of text; `y` is the middle of its capital letters.
pub(crate) fn draw(text: &str, x: f32, y: f32, style: Style) {
    let unit = style.height / HEIGHT_UNITS;
    let left = match style.align {
        Align::Left => x,
        Align::Center => x - width(text, style.height) / 2.0,
        Align::Right => x - width(text, style.height),
    };
    let thickness = (unit * 0.72 * style.weight).max(1.1);
    let baseline = y + style.height / 2.0;
    let mut origin = vec2(left, baseline);
    for character in text.chars() {
        for_each_line(character, |from, to| {
            stroke(on_screen(origin, unit, from), on_screen(origin, unit, to), thickness, style.color);
        });
        origin.x += (width_units(character) + GAP_UNITS) * unit;
    }
}

fn on_screen(origin: Vec2, unit: f32, point: (f32, f32)) -> Vec2 {
    origin + vec2(point.0, -point.1) * unit
}

/// A line with round ends if it is thick, otherwise square ones. Translucent lines have none, because overlaps would
/// show.
fn stroke(from: Vec2, to: Vec2, thickness: f32, color: Color) {
    let is_opaque = color.a > 0.95;
    let is_thick = thickness > 3.0;
    let reach = if is_opaque && !is_thick || from == to { thickness * 0.5 } else { 0.0 };
    let reach = (to - from).try_normalize().unwrap_or(Vec2::X) * reach;
    let (start, end) = (from - reach, to + reach);
    draw_line(start.x, start.y, end.x, end.y, thickness, color);
    if is_opaque && is_thick && from != to {
        for point in [from, to] {
            draw_circle(point.x, point.y, thickness * 0.5, color);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fitting_text_fits_and_one_more_letter_would_not() {
        let text = "Bounty hunters of the world";
        for width_px in [10.0, 55.0, 120.0, 200.0] {
            let cut = fitting(text, 12.0, width_px);
            assert!(width(cut, 12.0) <= width_px);
            let longer: String = text.chars().take(cut.chars().count() + 2).collect();
            assert!(width(&longer, 12.0) > width_px, "{cut:?} leaves room in {width_px}");
        }
    }

    #[test]
    fn shrunk_text_fits_and_short_text_keeps_its_height() {
        let height = shrunk("Bounty hunters", 12.0, 40.0);
        assert!((width("Bounty hunters", height) - 40.0).abs() < 1e-3);
        assert_eq!((shrunk("Ann", 12.0, 500.0), shrunk("", 12.0, 5.0)), (12.0, 12.0));
    }

    #[test]
    fn short_text_is_not_cut() {
        assert_eq!(fitting("Ann", 12.0, 500.0), "Ann");
        assert_eq!(fitting("", 12.0, 5.0), "");
    }

    #[test]
    fn wrapped_text_keeps_all_words_and_no_line_is_too_wide() {
        let text = "saves in /home/somebody/with/a/very/long/path: it is no database → move the file away";
        for width_px in [5.0, 60.0, 140.0, 333.0, 5_000.0] {
            let lines = wrapped(text, 9.0, width_px);
            let without_spaces = |text: &str| text.replace(' ', "");
            assert_eq!(without_spaces(&lines.concat()), without_spaces(text));
            assert!(lines.iter().all(|line| width(line, 9.0) <= width_px.max(9.0)), "{lines:?}");
        }
        assert_eq!(wrapped("one two", 6.0, width("one tw", 6.0)), ["one", "two"]);
        assert_eq!(wrapped("one two", 6.0, width("one two", 6.0)), ["one two"]);
        assert_eq!((wrapped("", 6.0, 9.0), wrapped("  ", 6.0, 9.0)), (vec![], Vec::<&str>::new()));
    }

    #[test]
    fn text_is_cut_between_letters_of_many_bytes() {
        assert_eq!(fitting("→→→→", 6.0, 10.0), "→→");
    }
}
