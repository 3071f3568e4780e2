//! The fallback font: pixels for letters that the stroke font lacks, and the codes of letters that it lacks, too.
//!
//! `bounty_hunter/fonts/README.md` says where its letters come from and how the file is made.

use super::stroke_font::{self, HEIGHT_UNITS};

/// A number of glyphs; for each its character and its place, ordered by character; and the glyphs. Numbers have three
/// bytes, the lowest first. A glyph has the height of a capital of its font, its own width and height, the height of
/// its lowest row above the baseline, all in pixels, and a bit for each pixel, by rows from the top.
const GLYPHS: &[u8] = include_bytes!("../../../fonts/fallback.glyphs");
const NUMBER_BYTES: usize = 3;
const ENTRY_BYTES: usize = 2 * NUMBER_BYTES;
const HEAD_BYTES: usize = 4;

/// The picture of a letter, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Glyph {
    head: &'static [u8],
    bits: &'static [u8],
}

impl Glyph {
    /// The picture of a character; `None` if the font lacks it.
    pub(crate) fn of(character: char) -> Option<Self> {
        let count = number(0);
        let entry = |index: usize| NUMBER_BYTES + index * ENTRY_BYTES;
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = (low + high) / 2;
            if number(entry(middle)) < character as usize { low = middle + 1 } else { high = middle }
        }
        if low == count || number(entry(low)) != character as usize {
            return None;
        }
        let at = entry(count) + number(entry(low) + NUMBER_BYTES);
        let (head, bits) = GLYPHS[at..].split_at(HEAD_BYTES);
        Some(Self { head, bits })
    }

    /// Grid units of the stroke font for a pixel.
    fn unit(&self) -> f32 {
        HEIGHT_UNITS / f32::from(self.head[0])
    }

    fn columns(&self) -> usize {
        usize::from(self.head[1])
    }

    fn rows(&self) -> usize {
        usize::from(self.head[2])
    }

    /// Its width, in grid units of the stroke font.
    pub(crate) fn width_units(&self) -> f32 {
        self.columns() as f32 * self.unit()
    }

    /// Calls `bar` for each row of neighbouring pixels: its left end, its lower edge above the baseline, its width and
    /// its height, in grid units of the stroke font.
    pub(crate) fn for_each_bar(&self, mut bar: impl FnMut(f32, f32, f32, f32)) {
        let (unit, bottom) = (self.unit(), f32::from(self.head[3] as i8));
        let is_set = |row: usize, column: usize| {
            let bit = row * self.columns() + column;
            self.bits[bit / 8] >> (bit % 8) & 1 == 1
        };
        for row in 0..self.rows() {
            let y = bottom + (self.rows() - 1 - row) as f32;
            let mut column = 0;
            while column < self.columns() {
                let length = (column..self.columns()).take_while(|column| is_set(row, *column)).count();
                if length > 0 {
                    bar(column as f32 * unit, y * unit, length as f32 * unit, unit);
                }
                column += length + 1;
            }
        }
    }
}

fn number(at: usize) -> usize {
    GLYPHS[at..at + NUMBER_BYTES].iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

/// The size of the digits of a code, as a share of usual ones, and the space around and between them, grid units.
const CODE_SCALE: f32 = 0.46;
const CODE_GAP_UNITS: f32 = 0.7;

/// The width of a box with the code of a character, in grid units of the stroke font.
pub(crate) fn code_width_units(character: char) -> f32 {
    let columns = code(character).len().div_ceil(2) as f32;
    columns * (DIGIT_UNITS * CODE_SCALE + CODE_GAP_UNITS) + CODE_GAP_UNITS
}

/// The widest digit of a code, and the space below a row of digits, grid units.
const DIGIT_UNITS: f32 = 4.0;
const MARGIN_UNITS: f32 = (HEIGHT_UNITS / 2.0 - HEIGHT_UNITS * CODE_SCALE) / 2.0;

/// Calls `line` for each line of a box with the code of a character, its digits in two rows, as
/// [`stroke_font::for_each_line`] does.
pub(crate) fn for_each_line_of_code(character: char, mut line: impl FnMut((f32, f32), (f32, f32))) {
    let (width, code) = (code_width_units(character), code(character));
    let corners = [(0.0, 0.0), (width, 0.0), (width, HEIGHT_UNITS), (0.0, HEIGHT_UNITS), (0.0, 0.0)];
    corners.windows(2).for_each(|pair| line(pair[0], pair[1]));
    let per_row = code.len().div_ceil(2);
    for (index, digit) in code.chars().enumerate() {
        let column = (index % per_row) as f32;
        let left = CODE_GAP_UNITS + column * (DIGIT_UNITS * CODE_SCALE + CODE_GAP_UNITS);
        let bottom = if index < per_row { HEIGHT_UNITS / 2.0 } else { 0.0 } + MARGIN_UNITS;
        let place = |(x, y): (f32, f32)| (left + x * CODE_SCALE, bottom + y * CODE_SCALE);
        stroke_font::for_each_line(digit, |from, to| line(place(from), place(to)));
    }
}

/// The number of a character in Unicode.
fn code(character: char) -> String {
    format!("{:04X}", character as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pixels of a character, by rows.
    fn picture(character: char) -> Vec<String> {
        let glyph = Glyph::of(character).unwrap_or_else(|| panic!("the font lacks {character}"));
        let mut picture = vec![vec!['.'; glyph.columns()]; glyph.rows()];
        let (unit, bottom) = (glyph.unit(), f32::from(glyph.head[3] as i8));
        glyph.for_each_bar(|x, y, width, height| {
            assert_eq!(height, unit);
            let row = glyph.rows() - 1 - (y / unit - bottom).round() as usize;
            let left = (x / unit).round() as usize;
            (left..left + (width / unit).round() as usize).for_each(|column| picture[row][column] = '#');
        });
        picture.into_iter().map(|row| row.into_iter().collect()).collect()
    }

    #[test]
    fn letters_look_as_they_should() {
        assert_eq!(picture('ש'), ["#.#.#", "#.#.#", "#.#.#", "###.#", "#...#", "####."]);
        assert_eq!(
            picture('カ'),
            [
                "...#....", "...#....", "########", "...#...#", "...#...#", "..#....#", "..#....#", ".#..#..#",
                "#....##."
            ]
        );
    }

    #[test]
    fn letters_of_many_scripts_differ() {
        let hebrew: Vec<char> = ('א'..='ת').collect();
        let kana: Vec<char> = ('ぁ'..='ん').chain('ァ'..='ヶ').collect();
        let kanji: Vec<char> = "日本語東京小明愛猫狩人賞金学生山川田中鈴木佐藤高橋".chars().collect();
        let emoji: Vec<char> = "😀😂😎👍🔥🎮🚀🐱🌈💎👑⭐👻🎯".chars().collect();
        let others: Vec<char> = ('а'..='я').chain('α'..='ω').chain('ء'..='ي').filter(|it| *it != 'ς').collect();
        let all = [hebrew, kana, kanji, emoji].concat();
        for (index, first) in all.iter().enumerate() {
            let picture_of_first = picture(*first);
            assert!(picture_of_first.iter().any(|row| row.contains('#')), "{first} is empty");
            for second in &all[index + 1..] {
                assert!(picture_of_first != picture(*second), "{first} and {second} look the same");
            }
        }
        let is_letter = |character: &&char| !('\u{63b}'..='\u{640}').contains(*character);
        others.iter().filter(is_letter).for_each(|character| assert!(Glyph::of(*character).is_some(), "{character}"));
    }

    #[test]
    fn every_glyph_of_the_file_can_be_drawn_within_two_lines() {
        let mut glyphs = 0;
        for glyph in ('\u{100}'..=char::MAX).filter_map(Glyph::of) {
            glyphs += 1;
            let width = glyph.width_units();
            glyph.for_each_bar(|x, y, length, height| {
                assert!(x >= 0.0 && x + length <= width + 1e-3 && length > 0.0);
                assert!(y >= -HEIGHT_UNITS && y + height <= 2.0 * HEIGHT_UNITS, "{y} {height}");
            });
        }
        assert_eq!(glyphs, number(0));
    }

    #[test]
    fn other_letters_are_boxes_with_their_codes() {
        assert_eq!((code('ก'), code('\u{1f9ff}')), ("0E01".to_owned(), "1F9FF".to_owned()));
        for character in ['ก', 'क', '\u{1f9ff}', '\u{10000}'] {
            let (width, mut lines) = (code_width_units(character), 0);
            for_each_line_of_code(character, |from, to| {
                lines += 1;
                for (x, y) in [from, to] {
                    assert!((0.0..=width).contains(&x) && (0.0..=HEIGHT_UNITS).contains(&y), "{character} {x} {y}");
                }
            });
            assert!(lines > 8, "{character}");
        }
        assert!(code_width_units('\u{1f9ff}') > code_width_units('ก'));
    }
}
