//! Korean syllables, put together from the strokes of their letters.

use super::stroke_font::HEIGHT_UNITS;

/// Strokes of consonants by Latin letters that stand for them, `o` for the silent one: points `xy` on a grid of 0 to 4,
/// x to the right and y up, as in the stroke font.
const CONSONANTS: [(char, &str); 14] = [
    ('g', "044440"),
    ('n', "040040"),
    ('d', "44040040"),
    ('l', "044442020040"),
    ('m', "0444400004"),
    ('b', "04004044 0242"),
    ('s', "2400 2340"),
    ('o', "143443413010010314"),
    ('j', "0444 2400 2340"),
    ('c', "1434 0343 2300 2240"),
    ('k', "044440 0242"),
    ('t', "44040040 0242"),
    ('p', "0444 0040 1410 3430"),
    ('h', "1434 0343 1232301012"),
];

/// The consonants before and after the vowel, in the order of Unicode; two are side by side.
const INITIALS: [&str; 19] =
    ["g", "gg", "n", "d", "dd", "l", "m", "b", "bb", "s", "ss", "o", "j", "jj", "c", "k", "t", "p", "h"];
const FINALS: [&str; 28] = [
    "", "g", "gg", "gs", "n", "nj", "nh", "d", "l", "lg", "lm", "lb", "ls", "lt", "lp", "lh", "m", "b", "bs", "s",
    "ss", "o", "j", "c", "k", "t", "p", "h",
];

/// The vowels in the order of Unicode: the strokes of the part below the consonant, and of the part to the right of it.
const VOWELS: [(&str, &str); 21] = [
    ("", "2420 2242"),
    ("", "1410 1232 3430"),
    ("", "2420 2343 2141"),
    ("", "1410 1333 1131 3430"),
    ("", "2420 0222"),
    ("", "1410 0212 3430"),
    ("", "2420 0323 0121"),
    ("", "1410 0313 0111 3430"),
    ("0141 2124", ""),
    ("0141 2124", "2420 2242"),
    ("0141 2124", "1410 1232 3430"),
    ("0141 2124", "2420"),
    ("0141 1114 3134", ""),
    ("0343 2320", ""),
    ("0343 2320", "2420 0222"),
    ("0343 2320", "1410 0212 3430"),
    ("0343 2320", "2420"),
    ("0343 1310 3330", ""),
    ("0242", ""),
    ("0242", "2420"),
    ("", "2420"),
];

const FIRST: u32 = 0xac00;
/// The width of a syllable, in grid units of the stroke font.
pub(crate) const WIDTH_UNITS: f32 = 6.0;
/// The height of the consonants below the vowel, and the space above them.
const FINAL_UNITS: (f32, f32) = (1.8, 0.6);

/// Whether a character is a syllable that can be put together.
pub(crate) fn is_syllable(character: char) -> bool {
    ('가'..='힣').contains(&character)
}

/// An area of a syllable: left, bottom, width and height.
type Area = (f32, f32, f32, f32);

/// Calls `line` for each line of a syllable, as [`for_each_line`](super::stroke_font::for_each_line) does.
pub(crate) fn for_each_line(syllable: char, mut line: impl FnMut((f32, f32), (f32, f32))) {
    let index = (syllable as u32 - FIRST) as usize;
    let (initial, vowel, last) = (index / (21 * 28), index / 28 % 21, index % 28);
    let (below, beside) = VOWELS[vowel];
    let bottom = if last == 0 { 0.0 } else { FINAL_UNITS.0 + FINAL_UNITS.1 };
    let height = HEIGHT_UNITS - bottom;
    let left_width = if beside.is_empty() { WIDTH_UNITS } else { WIDTH_UNITS * 0.58 };
    let below_height = if below.is_empty() { 0.0 } else { height * 0.42 };
    let gap = if below.is_empty() { 0.0 } else { 0.3 };
    let margin = if beside.is_empty() { 0.8 } else { 0.0 };
    let first: Area = (margin, bottom + below_height + gap, left_width - 2.0 * margin, height - below_height - gap);
    consonants(INITIALS[initial], first, &mut line);
    strokes(below, (0.0, bottom, left_width, below_height), &mut line);
    strokes(beside, (left_width + 0.4, bottom, WIDTH_UNITS - left_width - 0.4, height), &mut line);
    consonants(FINALS[last], (0.8, 0.0, WIDTH_UNITS - 1.6, FINAL_UNITS.0), &mut line);
}

/// Draws one or two consonants side by side into an area.
fn consonants(letters: &str, (left, bottom, width, height): Area, line: &mut impl FnMut((f32, f32), (f32, f32))) {
    const GAP: f32 = 0.5;
    let count = letters.chars().count() as f32;
    let each = (width - (count - 1.0) * GAP) / count;
    for (place, letter) in letters.chars().enumerate() {
        let (_, drawn) = CONSONANTS.iter().find(|(other, _)| *other == letter).expect("the tables name these only");
        strokes(drawn, (left + place as f32 * (each + GAP), bottom, each, height), line);
    }
}

fn strokes(drawn: &str, (left, bottom, width, height): Area, line: &mut impl FnMut((f32, f32), (f32, f32))) {
    for stroke in drawn.split(' ').filter(|stroke| !stroke.is_empty()) {
        let place = |point: &[u8]| {
            let share = |digit: u8| f32::from(digit - b'0') / 4.0;
            (left + share(point[0]) * width, bottom + share(point[1]) * height)
        };
        let points = stroke.as_bytes().chunks_exact(2).map(place);
        points.clone().zip(points.skip(1)).for_each(|(from, to)| line(from, to));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_syllables_differ_and_stay_on_the_grid() {
        let mut pictures = BTreeSet::new();
        let syllables = ('가'..='힣').inspect(|syllable| {
            let mut picture = Vec::new();
            for_each_line(*syllable, |from, to| {
                for (x, y) in [from, to] {
                    assert!((-0.01..=WIDTH_UNITS + 0.01).contains(&x), "{syllable}: {x}");
                    assert!((-0.01..=HEIGHT_UNITS + 0.01).contains(&y), "{syllable}: {y}");
                }
                picture.push([from.0, from.1, to.0, to.1].map(|at| (at * 1_000.0) as i32));
            });
            pictures.insert(picture);
        });
        assert_eq!(syllables.count(), 11_172);
        assert_eq!(pictures.len(), 11_172);
    }

    #[test]
    fn syllables_are_those_of_unicode() {
        let parts = |syllable: char| {
            let index = (syllable as u32 - FIRST) as usize;
            (INITIALS[index / (21 * 28)], index / 28 % 21, FINALS[index % 28])
        };
        assert_eq!((parts('한'), parts('국'), parts('어')), (("h", 0, "n"), ("g", 13, "g"), ("o", 4, "")));
        assert_eq!((parts('까'), parts('닭')), (("gg", 0, ""), ("d", 0, "lg")));
        assert!(is_syllable('힣') && !is_syllable('\u{3131}') && !is_syllable('a'));
    }
}
