//! The stroke font: letters as strokes on a small grid, sharp at every size.

/// Space between two letters, in grid units.
pub(crate) const GAP_UNITS: f32 = 1.7;
/// Height of a capital letter above the baseline, in grid units.
pub(crate) const HEIGHT_UNITS: f32 = 6.0;
/// Height of the baseline above the lowest point of the grid, in grid units.
const BASELINE: f32 = 2.0;
const SPACE_UNITS: f32 = 2.0;
const DIGIT_UNITS: f32 = 4.0;

/// Calls `line` for each straight line of a character, with both ends in grid units: x to the right from the left edge of
/// the character, y up from the baseline.
pub(crate) fn for_each_line(character: char, mut line: impl FnMut((f32, f32), (f32, f32))) {
    let left = edges(character).0;
    for stroke in strokes(character).split(' ').filter(|stroke| !stroke.is_empty()) {
        let digits = stroke.as_bytes();
        let point = |index: usize| {
            (f32::from(digits[2 * index] - b'0') - left, f32::from(digits[2 * index + 1] - b'0') - BASELINE)
        };
        for index in 1..digits.len() / 2 {
            line(point(index - 1), point(index));
        }
    }
}

/// Width of a character without the gap after it, in grid units. All digits have the same width, so a changing number does
/// not wobble.
pub(crate) fn width_units(character: char) -> f32 {
    let (left, right) = edges(character);
    right - left
}

fn edges(character: char) -> (f32, f32) {
    if character == ' ' {
        return (0.0, SPACE_UNITS);
    }
    if character.is_ascii_digit() {
        return (0.0, DIGIT_UNITS);
    }
    let columns =
        || strokes(character).split(' ').flat_map(|stroke| stroke.bytes().step_by(2)).map(|x| f32::from(x - b'0'));
    (columns().fold(f32::INFINITY, f32::min), columns().fold(0.0, f32::max))
}

/// A crossed box.
const UNKNOWN: &str = "0208484202 0248 0842";

/// Whether a character has a shape of its own.
#[cfg(test)]
pub(crate) fn has_strokes(character: char) -> bool {
    strokes(character) != UNKNOWN
}

/// The strokes of a character, separated by spaces: points `xy` with x 0 to 4 to the right and y 0 to 8 up, capitals from 2
/// to 8. A point twice is a dot. An unknown character is a crossed box.
#[rustfmt::skip]
fn strokes(character: char) -> &'static str {
    match character {
        ' ' => "",
        'A' => "0206284642 0444",
        'B' => "02083847463505 3544433202",
        'C' => "4738180703123243",
        'D' => "02083847433202",
        'E' => "48080242 0535",
        'F' => "480802 0535",
        'G' => "47381807031232434525",
        'H' => "0208 4248 0545",
        'I' => "2228 1232 1838",
        'J' => "0312324348",
        'K' => "0208 480542",
        'L' => "080242",
        'M' => "0208254842",
        'N' => "02084248",
        'O' => "030718384743321203",
        'P' => "02083847463505",
        'Q' => "030718384743321203 2442",
        'R' => "02083847463505 2542",
        'S' => "473818070615354443321203",
        'T' => "0848 2228",
        'U' => "080312324348",
        'V' => "082248",
        'W' => "0812253248",
        'X' => "0248 0842",
        'Y' => "082548 2522",
        'Z' => "08480242",
        'a' => "3632 3526160503122233",
        'b' => "0802 0516263533221203",
        'c' => "3526160503122233",
        'd' => "3832 3526160503122233",
        'e' => "043435261605031232",
        'f' => "281712 0626",
        'g' => "3631201001 3526160503122233",
        'h' => "0802 0516263532",
        'i' => "0602 0808",
        'j' => "161100 1818",
        'k' => "0802 3603 1432",
        'l' => "080312",
        'm' => "0602 05162522 25364542",
        'n' => "0602 0516263532",
        'o' => "120305162635332212",
        'p' => "0600 0516263533221203",
        'q' => "3630 3526160503122233",
        'r' => "0602 051626",
        's' => "3616051424332202",
        't' => "181322 0626",
        'u' => "0603122233 3632",
        'v' => "062246",
        'w' => "0612253246",
        'x' => "0632 3602",
        'y' => "0622 4610",
        'z' => "06360232",
        '0' => "030718384743321203",
        '1' => "172822 1232",
        '2' => "0718384746020242",
        '3' => "0718384746354443321203 1535",
        '4' => "32380444",
        '5' => "480806364543321203",
        '6' => "4738180703123243443505",
        '7' => "084812",
        '8' => "15060718384746351504031232434435",
        '9' => "0312324347381807061545",
        '-' => "1535",
        '–' => "1535",
        '—' => "0545",
        '+' => "0545 2327",
        '.' => "2222",
        ':' => "2323 2626",
        ',' => "2312",
        '!' => "2824 2222",
        '?' => "0718384746352524 2222",
        '/' => "0248",
        '(' => "38272332",
        ')' => "18272312",
        '%' => "0248 0708181707 3233434232",
        '\'' => "2826",
        '_' => "0242",
        '=' => "0444 0646",
        '<' => "371533",
        '>' => "173513",
        '#' => "1218 3238 0444 0646",
        '*' => "1337 3317 2327",
        '·' => "2525",
        '×' => "1337 1733",
        '↑' => "2228 062846",
        '↓' => "2822 042244",
        '←' => "0545 270523",
        '→' => "0545 274523",
        'ä' => "3632 3526160503122233 1818 3838",
        'ö' => "120305162635332212 1818 2828",
        'ü' => "0603122233 3632 1818 2828",
        'Ä' => "0205264542 0343 0808 4848",
        'Ö' => "030516364543321203 1818 3838",
        'Ü' => "070312324347 1818 3838",
        'ß' => "0207182837362534332212",
        '…' => "0202 2222 4242",
        _ => UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stroke_stays_on_the_grid() {
        for character in (' '..='~').chain("–—·×↑↓←→äöüÄÖÜß…¿".chars()) {
            for stroke in strokes(character).split(' ').filter(|stroke| !stroke.is_empty()) {
                assert!(stroke.len() >= 4 && stroke.len() % 2 == 0, "{character:?} has the stroke {stroke}");
            }
            let width = width_units(character);
            for_each_line(character, |(x0, y0), (x1, y1)| {
                let inside = |x: f32, y: f32| (0.0..=width).contains(&x) && (-BASELINE..=HEIGHT_UNITS).contains(&y);
                assert!(inside(x0, y0) && inside(x1, y1), "{character:?} leaves the grid");
            });
        }
    }

    #[test]
    fn letters_and_digits_differ_except_capital_o_and_zero() {
        let all: Vec<char> = ('A'..='Z').chain('a'..='z').chain('1'..='9').chain(['¿']).collect();
        for (index, first) in all.iter().enumerate() {
            for second in &all[index + 1..] {
                assert_ne!(strokes(*first), strokes(*second), "{first} and {second}");
            }
        }
    }

    #[test]
    fn digits_have_one_width() {
        assert!(('0'..='9').all(|digit| width_units(digit) == DIGIT_UNITS));
        assert!(width_units('i') < width_units('n') && width_units('n') < width_units('M'));
    }
}
