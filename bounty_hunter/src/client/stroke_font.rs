//! The letters of the game: strokes on a grid of 5 by 7 points, so that text is sharp at every size.

/// Width of a letter with the gap after it, in grid units.
pub(super) const ADVANCE_UNITS: f32 = 5.8;
/// Width of a letter, in grid units.
pub(super) const WIDTH_UNITS: f32 = 4.0;
/// Height of a letter, in grid units.
pub(super) const HEIGHT_UNITS: f32 = 6.0;

/// Calls `line` for each straight line of a character, with both ends in grid units.
pub(super) fn for_each_line(character: char, mut line: impl FnMut((f32, f32), (f32, f32))) {
    for stroke in strokes(character).split(' ').filter(|stroke| !stroke.is_empty()) {
        let digits = stroke.as_bytes();
        let point = |index: usize| (f32::from(digits[2 * index] - b'0'), f32::from(digits[2 * index + 1] - b'0'));
        for index in 1..digits.len() / 2 {
            line(point(index - 1), point(index));
        }
    }
}

/// The strokes of a character: point pairs `xy` (x 0 to 4 rightwards, y 0 to 6 upwards), strokes apart by spaces.
///
/// Small letters look like capitals; an unknown character is a crossed box. A stroke of one point twice is a dot.
#[rustfmt::skip]
fn strokes(character: char) -> &'static str {
    match character.to_ascii_uppercase() {
        ' ' => "",
        'A' => "0004264440 0242",
        'B' => "00063645443303 3342413000",
        'C' => "4536160501103041",
        'D' => "00063645413000",
        'E' => "46060040 0333",
        'F' => "460600 0333",
        'G' => "45361605011030414323",
        'H' => "0006 4046 0343",
        'I' => "2026 1030 1636",
        'J' => "0110304146",
        'K' => "0006 460340",
        'L' => "060040",
        'M' => "0006234640",
        'N' => "00064046",
        'O' => "010516364541301001",
        'P' => "00063645443303",
        'Q' => "010516364541301001 2240",
        'R' => "00063645443303 2340",
        'S' => "453616050413334241301001",
        'T' => "0646 2026",
        'U' => "060110304146",
        'V' => "062046",
        'W' => "0610233046",
        'X' => "0046 0640",
        'Y' => "062346 2320",
        'Z' => "06460040",
        '0' => "010516364541301001",
        '1' => "152620 1030",
        '2' => "0516364544000040",
        '3' => "0516364544334241301001 1333",
        '4' => "30360242",
        '5' => "460604344341301001",
        '6' => "4536160501103041423303",
        '7' => "064610",
        '8' => "13040516364544331302011030414233",
        '9' => "0110304145361605041343",
        '-' => "1333",
        '–' => "1333",
        '—' => "0343",
        '+' => "0343 2125",
        '.' => "2020",
        ':' => "2121 2424",
        ',' => "2110",
        '!' => "2622 2020",
        '?' => "0516364544332322 2020",
        '/' => "0046",
        '(' => "36252130",
        ')' => "16252110",
        '%' => "0046 0606 4040",
        '\'' => "2624",
        '_' => "0040",
        '=' => "0242 0444",
        '<' => "351331",
        '>' => "153311",
        '#' => "1016 3036 0242 0444",
        '*' => "1135 3115 2125",
        '·' => "2323",
        '×' => "1135 1531",
        '↑' => "2026 042644",
        '↓' => "2620 022042",
        '←' => "0343 250321",
        '→' => "0343 254321",
        _ => "0006464000 0046 0640",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stroke_stays_on_the_grid() {
        for character in (' '..='~').chain("–—·×↑↓←→¿".chars()) {
            for stroke in strokes(character).split(' ').filter(|stroke| !stroke.is_empty()) {
                assert!(stroke.len() >= 4 && stroke.len() % 2 == 0, "{character:?} has the stroke {stroke}");
            }
            for_each_line(character, |(x0, y0), (x1, y1)| {
                let inside = |x: f32, y: f32| (0.0..=WIDTH_UNITS).contains(&x) && (0.0..=HEIGHT_UNITS).contains(&y);
                assert!(inside(x0, y0) && inside(x1, y1), "{character:?} leaves the grid");
            });
        }
    }

    #[test]
    fn letters_and_digits_all_look_different_but_o_and_zero() {
        let all: Vec<char> = ('A'..='Z').chain('1'..='9').chain(['¿']).collect();
        for (index, first) in all.iter().enumerate() {
            for second in &all[index + 1..] {
                assert_ne!(strokes(*first), strokes(*second), "{first} and {second}");
            }
        }
    }

    #[test]
    fn small_letters_look_like_capitals() {
        assert_eq!(strokes('q'), strokes('Q'));
    }
}
