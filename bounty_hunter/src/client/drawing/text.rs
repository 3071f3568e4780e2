//! Text in the stroke font and its fallback: drawing and measuring.

use macroquad::color::Color;
use macroquad::math::{Vec2, vec2};
use macroquad::shapes::{draw_circle, draw_line, draw_rectangle};

use super::fallback_font::for_each_line_of_code;
use super::hangul;
use super::letter::{Letter, from_left_to_right, is_over_another, is_plain, room_units};
use super::stroke_font::{GAP_UNITS, HEIGHT_UNITS, for_each_line};
use bounty_hunter_simulation::name::is_mark;

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
    let with_gaps: f32 = from_left_to_right(text).chars().map(room_units).sum();
    (with_gaps - GAP_UNITS).max(0.0) * height / HEIGHT_UNITS
}

/// The longest beginning of a text that fits into a width in pixels.
pub(crate) fn fitting(text: &str, height: f32, width_px: f32) -> &str {
    let room = width_px * HEIGHT_UNITS / height;
    let mut used = 0.0;
    for (start, character) in text.char_indices() {
        if !is_plain(character) {
            return fitting_with_marks(text, height, width_px);
        }
        let with_gap = room_units(character);
        if used + with_gap - GAP_UNITS > room {
            return text[..start].trim_end();
        }
        used += with_gap;
    }
    text
}

/// As [`fitting`], for a text in which characters belong to those before them: it is cut before a letter, not a mark.
fn fitting_with_marks(text: &str, height: f32, width_px: f32) -> &str {
    let ends = text.char_indices().filter(|(_, character)| !is_mark(*character)).map(|(start, _)| start);
    let beginnings = ends.chain([text.len()]).map(|end| &text[..end]);
    let fitting = beginnings.take_while(|beginning| width(beginning, height) <= width_px).last();
    fitting.map_or("", |fitting| if fitting.len() == text.len() { text } else { fitting.trim_end() })
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
    let baseline = y + style.height / 2.0;
    let mut origin = vec2(left, baseline);
    let mut room_before = 0.0;
    for character in from_left_to_right(text).chars() {
        let letter = Letter::of(character);
        if is_over_another(character) {
            // In the middle of the letter before it.
            let middle = (room_before + GAP_UNITS) / 2.0;
            draw_letter(letter, origin - vec2((middle + letter.width_units() / 2.0) * unit, 0.0), unit, style);
        } else {
            draw_letter(letter, origin, unit, style);
            room_before = room_units(character);
            origin.x += room_before * unit;
        }
    }
}

/// Draws a letter; `origin` is the left end of its baseline.
fn draw_letter(letter: Letter, origin: Vec2, unit: f32, style: Style) {
    let thickness = (unit * 0.72 * style.weight).max(1.1);
    let line = |from, to| stroke(on_screen(origin, unit, from), on_screen(origin, unit, to), thickness, style.color);
    match letter {
        Letter::Strokes(character) => for_each_line(character, line),
        Letter::Syllable(character) => hangul::for_each_line(character, line),
        Letter::Code(character) => {
            let line = |from, to| stroke(on_screen(origin, unit, from), on_screen(origin, unit, to), 1.0, style.color);
            for_each_line_of_code(character, line);
        }
        Letter::Pixels(glyph) => {
            // A heavy letter, as in a shadow, is wider all around.
            let more = (style.weight - 1.0).max(0.0) * unit * 0.36;
            glyph.for_each_bar(|x, y, width, height| {
                let corner = on_screen(origin, unit, (x, y + height));
                let (width, height) = (width * unit + 2.0 * more, height * unit + 2.0 * more);
                draw_rectangle(corner.x - more, corner.y - more, width, height, style.color);
            });
        }
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
    fn text_in_any_script_is_measured_and_cut_between_its_letters() {
        for name in
            ["שָׁלוֹם עולם", "さくら日本太郎", "😀🎮🚀👻", "한국어", "e\u{301}te\u{301} Zo\u{308}e", "محمد علي", "ขึ้นไป"]
        {
            let whole = width(name, 12.0);
            assert!(whole > 5.0 && fitting(name, 12.0, whole + 0.1) == name, "{name}");
            let cut = fitting(name, 12.0, whole * 0.6);
            assert!(name.starts_with(cut) && !cut.is_empty() && cut.len() < name.len(), "{cut} of {name}");
            assert!(width(cut, 12.0) <= whole * 0.6 + 0.1);
            assert!(!name[cut.len()..].starts_with(is_mark), "{cut} has lost a mark of {name}");
            assert!(width(name, shrunk(name, 12.0, whole / 2.0)) <= whole / 2.0 + 0.1);
        }
        assert_eq!(width("e\u{301}", 12.0), width("é", 12.0));
        assert_eq!(width("שָׁ", 12.0), width("ש", 12.0), "points take no room");
    }

    #[test]
    fn text_is_cut_between_letters_of_many_bytes() {
        assert_eq!(fitting("→→→→", 6.0, 10.0), "→→");
    }
}
