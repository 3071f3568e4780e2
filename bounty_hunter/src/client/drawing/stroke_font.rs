//! The stroke font: letters as strokes on a small grid, sharp at every size.

/// Space between two letters, in grid units.
pub(crate) const GAP_UNITS: f32 = 1.7;
/// Height of a capital letter above the baseline, in grid units.
pub(crate) const HEIGHT_UNITS: f32 = 6.0;
/// Height of the baseline above the lowest point of the grid, in grid units.
const BASELINE: f32 = 2.0;
const SPACE_UNITS: f32 = 2.0;
const DIGIT_UNITS: f32 = 4.0;

/// Calls `line` for each straight line of a character, with both ends in grid units: x to the right from the left edge
/// of the character, y up from the baseline.
pub(crate) fn for_each_line(character: char, mut line: impl FnMut((f32, f32), (f32, f32))) {
    let glyph = Glyph::of(character);
    let left = glyph.edges(character).0;
    for stroke in glyph.strokes() {
        let points = stroke.map(|(x, y)| (x - left, y - BASELINE));
        points.clone().zip(points.skip(1)).for_each(|(from, to)| line(from, to));
    }
}

/// Width of a character without the gap after it, in grid units. All digits have the same width, so a changing number
/// does not wobble.
pub(crate) fn width_units(character: char) -> f32 {
    let (left, right) = Glyph::of(character).edges(character);
    right - left
}

/// A crossed box.
const UNKNOWN: &str = "0208484202 0248 0842";

/// Whether a character has a shape of its own.
pub(crate) fn has_strokes(character: char) -> bool {
    Glyph::of(character).letter != UNKNOWN
}

/// The strokes of a character: those of a letter, and those of a mark above or below it.
struct Glyph {
    letter: &'static str,
    /// In the middle of 0 to 4.
    mark: &'static str,
    /// To the middle of the letter.
    mark_shift: f32,
    /// A tall letter is lower under a mark.
    letter_scale: f32,
}

impl Glyph {
    fn of(character: char) -> Self {
        let plain = Self { letter: strokes(character), mark: "", mark_shift: 0.0, letter_scale: 1.0 };
        if plain.letter != UNKNOWN {
            return plain;
        }
        let Some((letter, mark)) = letter_and_mark(character) else { return plain };
        let plain = Self { letter: strokes(letter), ..plain };
        let (left, right) = plain.edges(letter);
        let top = plain.strokes().flatten().fold(0.0, |top: f32, (_, y)| top.max(y));
        let is_above = mark.bytes().any(|digit| digit >= b'7');
        let letter_scale = if is_above && top > 6.0 { 0.7 } else { 1.0 };
        Self { mark, mark_shift: (left + right) / 2.0 - 2.0, letter_scale, ..plain }
    }

    /// Each stroke as its points on the grid.
    fn strokes(&self) -> impl Iterator<Item = impl Iterator<Item = (f32, f32)> + Clone> {
        let scale = self.letter_scale;
        let letter = self.letter.split(' ').map(move |stroke| (stroke, 0.0, scale));
        let mark = self.mark.split(' ').map(|stroke| (stroke, self.mark_shift, 1.0));
        letter.chain(mark).filter(|(stroke, ..)| !stroke.is_empty()).map(|(stroke, shift, scale)| {
            let digit = |digit: u8| f32::from(digit - b'0');
            let point = move |point: &[u8]| (digit(point[0]) + shift, BASELINE + (digit(point[1]) - BASELINE) * scale);
            stroke.as_bytes().chunks_exact(2).map(point)
        })
    }

    /// The left and the right edge on the grid.
    fn edges(&self, character: char) -> (f32, f32) {
        if self.letter.is_empty() {
            return (0.0, SPACE_UNITS);
        }
        if character.is_ascii_digit() {
            return (0.0, DIGIT_UNITS);
        }
        let columns = || self.strokes().flatten().map(|(x, _)| x);
        (columns().fold(f32::INFINITY, f32::min), columns().fold(0.0, f32::max))
    }
}

/// Letters with a mark: the letters, what they are without it, and the strokes of the mark.
const MARKED: [(&str, &str, &str); 14] = [
    ("ÁÉÍÓÚÝĆĹŃŔŚŹáéíóúýćĺńŕśźģǴ", "AEIOUYCLNRSZaeıouyclnrszgG", "1738"),
    ("ÀÈÌÒÙàèìòù", "AEIOUaeıou", "1837"),
    ("ÂÊÎÔÛĈĜĤĴŜŴŶâêîôûĉĝĥĵŝŵŷ", "AEIOUCGHJSWYaeıoucghjswy", "172837"),
    ("ÃÑÕĨŨãñõĩũ", "ANOIUanoıu", "07183748"),
    ("ËÏŸëïÿ", "EIYeıy", "1818 3838"),
    ("ÅŮåů", "AUau", "1718383717"),
    ("ČĎĚĽŇŘŠŤŽčďěľňřšťžǍǎ", "CDELNRSTZcdelnrstzAa", "182738"),
    ("ĀĒĪŌŪāēīōū", "AEIOUaeıou", "1737"),
    ("ĂĔĞĬŎŬăĕğĭŏŭ", "AEGIOUaegıou", "18173738"),
    ("ĊĖĠİŻċėġż", "CEGIZcegz", "2828"),
    ("ŐŰőű", "OUou", "0718 3748"),
    ("ĄĘĮŲąęįų", "AEIUaeiu", "222130"),
    ("ÇĶĻŅŖŞŢçķļņŗşţ", "CKLNRSTcklnrst", "222110"),
    ("ĢȘȚșț", "GSTst", "2110"),
];

/// The marks as characters that follow their letter, in the order of [`MARKED`].
const COMBINING: [char; MARKED.len()] = [
    '\u{301}', '\u{300}', '\u{302}', '\u{303}', '\u{308}', '\u{30a}', '\u{30c}', '\u{304}', '\u{306}', '\u{307}',
    '\u{30b}', '\u{328}', '\u{327}', '\u{326}',
];

/// The character for a letter and a mark that follows it, if this font has one.
pub(crate) fn composed(letter: char, mark: char) -> Option<char> {
    const DIAERESIS: [(char, char); 6] = [('a', 'ä'), ('o', 'ö'), ('u', 'ü'), ('A', 'Ä'), ('O', 'Ö'), ('U', 'Ü')];
    let (marked, letters, _) = MARKED[COMBINING.iter().position(|other| *other == mark)?];
    let of_letter = |wanted: char| letters.chars().position(|other| other == wanted);
    let index = of_letter(letter).or_else(|| of_letter('ı').filter(|_| letter == 'i'));
    let of_diaeresis = || DIAERESIS.iter().find(|(plain, _)| mark == '\u{308}' && *plain == letter);
    index.and_then(|index| marked.chars().nth(index)).or_else(|| of_diaeresis().map(|(_, marked)| *marked))
}

fn letter_and_mark(character: char) -> Option<(char, &'static str)> {
    MARKED.iter().find_map(|(marked, letters, mark)| {
        let index = marked.chars().position(|other| other == character)?;
        Some((letters.chars().nth(index)?, *mark))
    })
}

/// The strokes of a character, separated by spaces: points `xy` with x 0 to 4 to the right and y 0 to 8 up, capitals
/// from 2 to 8. A point twice is a dot. An unknown character is a crossed box.
#[rustfmt::skip]
fn strokes(character: char) -> &'static str {
    match character {
        ' ' | '\u{a0}' | '\u{202f}' => "",
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
        '"' => "1816 2826",
        '&' => "4216172837360403122244",
        '@' => "32120307183847443436262434",
        '$' => "46371706153544331304 2822",
        ';' => "2626 2312",
        '[' => "38282232",
        ']' => "18282212",
        '\\' => "0842",
        '^' => "162836",
        '`' => "1827",
        '{' => "38272615242332",
        '}' => "18272635242312",
        '|' => "2821",
        '~' => "04163446",
        'Æ' => "022848 282242 1424 2535",
        'æ' => "06162523 2414031223 2444453625 233242",
        'Œ' => "481807031242 2822 2545",
        'œ' => "231203051625 2523 2444453625 233242",
        'Ø' => "030718384743321203 0248",
        'ø' => "120305162635332212 0236",
        'Ð' | 'Đ' => "02083847433202 0525",
        'ð' => "120305162635332212 3518 1738",
        'đ' => "3832 3526160503122233 2747",
        'Ħ' => "0208 4248 0545 0747",
        'ħ' => "0802 0516263532 0727",
        'Þ' => "0208 073746453404",
        'þ' => "0800 0516263533221203",
        'Ł' => "080242 0426",
        'ł' => "080312 0416",
        'ı' => "0602",
        'ẞ' => "02071838472544433222",
        '¡' => "2626 2420",
        '¿' => "4130100102132324 2626",
        '«' => "260422 462442",
        '»' => "062402 264422",
        '‹' => "260422",
        '›' => "062402",
        '‘' => "1827",
        '’' => "2817",
        '‚' => "2312",
        '“' => "0817 2837",
        '”' => "1807 3827",
        '„' => "1302 3322",
        '€' => "4738180703123243 0636 0434",
        '£' => "47382722 0242 0535",
        '¥' => "082548 2522 1434 1333",
        '¢' => "3526160503122233 2721",
        '©' => "030718384743321203 3626152434",
        '°' => "1718282717",
        '±' => "0545 2327 0242",
        '¹' => "072825",
        '²' => "0818170525",
        '³' => "0828162505",
        'µ' | 'μ' => "0600 03122233 3632",
        '÷' => "0545 2727 2323",
        '•' => "1526352415",
        '−' => "0545",
        '≤' => "370533 0343",
        '≥' => "073503 0343",
        '✓' => "042248",
        _ => UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stroke_stays_on_the_grid() {
        for character in '\u{20}'..='\u{2fff}' {
            let glyph = Glyph::of(character);
            for stroke in glyph.letter.split(' ').chain(glyph.mark.split(' ')).filter(|stroke| !stroke.is_empty()) {
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
        let all: Vec<char> = ('A'..='Z').chain('a'..='z').chain('1'..='9').chain(['\u{fffd}']).collect();
        for (index, first) in all.iter().enumerate() {
            for second in &all[index + 1..] {
                assert_ne!(strokes(*first), strokes(*second), "{first} and {second}");
            }
        }
    }

    #[test]
    fn characters_of_a_keyboard_differ() {
        let all: Vec<char> = (' '..='~').filter(|character| !"O0".contains(*character)).collect();
        for (index, first) in all.iter().enumerate() {
            assert!(has_strokes(*first), "the font lacks {first}");
            for second in &all[index + 1..] {
                assert_ne!(strokes(*first), strokes(*second), "{first} and {second}");
            }
        }
    }

    #[test]
    fn letters_of_european_languages_have_strokes_and_their_marks_are_clear_of_them() {
        let letters = "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿœßąćęłńśźżčďěňřšťůžğışőűășțāēīūģķļņđħ¿¡";
        for letter in letters.chars().chain(letters.to_uppercase().chars()) {
            assert!(has_strokes(letter), "the font lacks {letter}");
        }
        let top = |character| {
            let mut top = 0.0_f32;
            for_each_line(character, |from, to| top = top.max(from.1).max(to.1));
            top
        };
        for letter in "ÉÑÅŠŐéñåšő".chars() {
            assert!((top(letter) - HEIGHT_UNITS).abs() < 0.01, "{letter} is as high as a capital");
        }
        assert!(width_units('ı') < width_units('í') && width_units('í') < width_units('m'));
    }

    #[test]
    fn digits_have_one_width() {
        assert!(('0'..='9').all(|digit| width_units(digit) == DIGIT_UNITS));
        assert!(width_units('i') < width_units('n') && width_units('n') < width_units('M'));
    }
}
