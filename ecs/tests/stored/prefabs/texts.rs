//! [`RonText`]: an application's own files, read by the rules of prefabs.

use ecs::prefab::RonText;
use serde::Deserialize;

#[derive(Debug, PartialEq, Deserialize)]
struct Outer {
    number: f32,
    word: String,
    inner: Inner,
    perhaps: Option<Inner>,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Inner {
    flag: bool,
    pair: (f32, u32),
}

#[derive(Debug, PartialEq, Deserialize)]
enum Kind {
    Plain,
    Sized { width: f32, height: f32 },
}

const INNER: Inner = Inner { flag: true, pair: (0.1, 7) };
const BASE: &str = "// All.
    (number: 1.1, word: \"below\", inner: (flag: true, pair: (0.1, 7)), perhaps: Some((flag: true, pair: (0.1, 7))),
    kind: Sized(width: 0.3, height: 1.0)) // The end.";

fn base() -> Outer {
    let kind = Kind::Sized { width: 0.3, height: 1.0 };
    Outer { number: 1.1, word: "below".to_owned(), inner: INNER, perhaps: Some(INNER), kind }
}

fn over_base(text: &str) -> Result<Outer, String> {
    RonText::new("top", text).read_over(&RonText::new("base", BASE)).map_err(|error| error.to_string())
}

#[test]
fn missing_fields_come_from_the_base_text() {
    assert_eq!(RonText::new("base", BASE).read(), Ok(base()));
    assert_eq!(over_base("()"), Ok(base()));
    assert_eq!(over_base("(word: \"above\")"), Ok(Outer { word: "above".to_owned(), ..base() }));
}

#[test]
fn structs_are_overlaid_at_any_depth_and_other_values_replaced() {
    let flagless = Inner { flag: false, ..INNER };
    assert_eq!(over_base("(inner: (flag: false))"), Ok(Outer { inner: flagless.clone(), ..base() }));
    assert_eq!(over_base("(perhaps: Some((flag: false)))"), Ok(Outer { perhaps: Some(flagless.clone()), ..base() }));
    assert_eq!(over_base("(perhaps: (flag: false))"), Ok(Outer { perhaps: Some(flagless), ..base() }));
    assert_eq!(over_base("(perhaps: None)"), Ok(Outer { perhaps: None, ..base() }));
    assert_eq!(over_base("(kind: Plain)"), Ok(Outer { kind: Kind::Plain, ..base() }));
    assert!(over_base("(kind: Sized(width: 2.0))").unwrap_err().contains("`height`"));
    assert!(over_base("(inner: (pair: (1.0)))").is_err());
}

#[test]
fn some_over_none_takes_no_fields_from_the_base_text() {
    let (below, top) = (RonText::new("below", "(perhaps: None)"), RonText::new("top", "(perhaps: Some((flag: true)))"));
    #[derive(Debug, PartialEq, Deserialize)]
    struct Perhaps {
        perhaps: Option<Inner>,
    }
    assert_eq!(top.read_over::<Perhaps>(&below).unwrap_err().to_string(), "top:1:16: `perhaps` lacks the field `pair`");
}

#[test]
fn text_can_be_the_base_of_one_field() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Around {
        title: String,
        outer: Outer,
    }
    let below = RonText::new("base", BASE).as_field("outer");
    let around = RonText::new("top", "(title: \"x\", outer: (number: 2))").read_over::<Around>(&below);
    assert_eq!(around, Ok(Around { title: "x".to_owned(), outer: Outer { number: 2.0, ..base() } }));
}

#[test]
fn errors_have_line_column_and_path_in_the_top_text() {
    for (text, sentence) in [
        (
            "(inner: (flog: false))",
            "top:1:10: `inner` has no field `flog`, must be `flag` or `pair`: `flag` may be meant",
        ),
        ("(number: 1,\n number: 2)", "top:2:2: the file has the field `number` twice"),
        ("(word: 3)", "top:1:8: `word` must be a text in quotes"),
        ("(perhaps: (flag: 3))", "top:1:18: `perhaps.flag` must be true or false"),
        ("(inner: (pair: (1, -1)))", "top:1:21: `inner.pair` is too large or too small for its type"),
        ("(word: \"x\"", "top:1:11: the file ends too early, a closing bracket may be missing"),
        ("() 5", "top:1:4: the file must end here: what follows does not belong to it"),
        ("[]", "top:1:1: the file must be in brackets `(…)`"),
    ] {
        assert_eq!(over_base(text), Err(sentence.to_owned()), "{text}");
    }
    let sentence = "x.ron:2:2: is not UTF-8 text: save it as UTF-8 in its editor";
    assert_eq!(RonText::from_utf8("x.ron", b"(\n \xff)").unwrap_err().to_string(), sentence);
}

/// A text as different editors store it.
fn stored(text: &str) -> Vec<String> {
    let line_ends = ["\n", "\r\n", "\r"];
    line_ends.iter().flat_map(|end| ["", "\u{feff}"].map(|mark| mark.to_owned() + &text.replace('\n', end))).collect()
}

#[test]
fn byte_order_mark_and_line_ends_change_neither_values_nor_places() {
    let text = "// All.\n(\n  // A comment.\n  word: \"two\nlines\", number: 2,\n  inner: (flag: false),\n)\n";
    let expected = over_base(text).unwrap();
    assert_eq!((&*expected.word, expected.number), ("two\nlines", 2.0));
    let wrong = text.replace("false", "7");
    for (stored, wrong) in stored(text).into_iter().zip(stored(&wrong)) {
        assert_eq!(over_base(&stored).as_ref(), Ok(&expected), "{stored:?}");
        let from_bytes = RonText::from_utf8("top", stored.as_bytes()).unwrap();
        assert_eq!((from_bytes.text(), from_bytes.file_text()), (text, stored));
        assert_eq!(over_base(&wrong), Err("top:6:17: `inner.flag` must be true or false".to_owned()), "{wrong:?}");
    }
    // Of mixed line ends the first counts.
    assert_eq!(RonText::new("mixed", "(\r\n a: 1,\n)\r").file_text(), "(\r\n a: 1,\r\n)\r\n");
}

#[test]
fn texts_in_other_encodings_are_refused_with_a_remedy() {
    let utf_16 = |mark: &[u16], swap: bool| -> Vec<u8> {
        let units = mark.iter().copied().chain("(word: \"x\")".encode_utf16());
        units.flat_map(|unit| if swap { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    };
    for (bytes, sentence) in [
        (utf_16(&[0xfeff], false), "x.ron:1:1: is UTF-16 text, must be UTF-8: save it as UTF-8 in its editor"),
        (utf_16(&[0xfeff], true), "x.ron:1:1: is UTF-16 text, must be UTF-8: save it as UTF-8 in its editor"),
        (
            utf_16(&[], false),
            "x.ron:1:2: has zero bytes, as UTF-16 text has, must be UTF-8: save it as UTF-8 in its editor",
        ),
        (
            utf_16(&[], true),
            "x.ron:1:1: has zero bytes, as UTF-16 text has, must be UTF-8: save it as UTF-8 in its editor",
        ),
        (b"(word: \"x\0\")".to_vec(), "x.ron:1:10: has a zero byte, must be text: save it as UTF-8 in its editor"),
        (b"(\r\n\rw\xf6rd)".to_vec(), "x.ron:3:2: is not UTF-8 text: save it as UTF-8 in its editor"),
    ] {
        assert_eq!(RonText::from_utf8("x.ron", &bytes).unwrap_err().to_string(), sentence);
    }
}

#[test]
fn near_misses_have_sentences_of_their_own() {
    let mut wrong = Vec::new();
    for (text, sentence) in [
        ("(number: 1,5)", "top:1:10: `1,5` has a decimal comma: write `1.5`"),
        ("(word: \"x\",\r\n number: -1,25,\r\n)", "top:2:10: `-1,25` has a decimal comma: write `-1.25`"),
        (
            "(inner: (pair: (1,5, 2)))",
            "top:1:22: `inner.pair` has too many values, or lacks a closing `)`: the decimal sign is `.`, not `,`",
        ),
        (
            "(number: 5s)",
            "top:1:10: `5` is followed by `s`: write the number alone, the name of the field tells the unit",
        ),
        (
            "(number: 2.5 m)",
            "top:1:10: `2.5` is followed by `m`: write the number alone, the name of the field tells the unit",
        ),
        ("(number: 1, 5)", "top:1:10: `1, 5` has a decimal comma: write `1.5`"),
        ("(number: 1,000.5)", "top:1:10: `1,000.5` has a comma among its digits: write `1000.5`"),
        (
            "(number: 1.000.000)",
            "top:1:10: a number has one point, before its decimals: its digits are grouped by `_`, or not at all",
        ),
        ("(number: 1e)", "top:1:10: `1e` has no digits behind its `e`"),
        ("(number: - 5)", "top:1:10: behind this `-` there is no number: write both without a blank"),
        ("(number: １５)", "top:1:10: `１` is no digit here: write the digits `0` to `9`"),
        (
            "(number: 1/2)",
            "top:1:11: `/` has no meaning here: a comment begins with `//`, and numbers are not computed",
        ),
        ("(number: 5, -- five\n)", "top:1:13: a comment begins with `//`, not with `--`"),
        (
            "(number: 1,\n 5)",
            "top:2:2: the file has `5` where a name belongs, which consists of letters, digits and `_`",
        ),
        ("((number: 1))", "top:1:2: the file lacks a name here"),
        ("(number = 1)", "top:1:9: a name and its value are separated by `:`, not by `=`"),
        ("(number: 1; word: \"x\")", "top:1:11: values are separated by `,`, not by `;`"),
        ("(word: “x”)", "top:1:8: a text is in straight double quotes, `\"`, not in `“`"),
        ("(word: 'xy')", "top:1:8: a text is in double quotes, `\"`, not in `'`"),
        ("(word: below)", "top:1:8: `word` must be a text in quotes, not `below`"),
        ("(word: two words)", "top:1:8: a text of several words is in double quotes, `\"`"),
        ("(word: \"x)\n", "top:1:8: the text that begins here has no closing quote"),
        ("(word: \"x,\n kind: \"Plain\")", "top:1:8: the text that begins here has no closing quote in its line"),
        ("(inner: (flag: True))", "top:1:16: `inner.flag` must be true or false, not `True`"),
        ("(inner: (flag: yes))", "top:1:16: `inner.flag` must be true or false, not `yes`"),
        ("(number 1)", "top:1:9: between `number` and its value a `:` is missing"),
        ("(number: 1 word: \"x\")", "top:1:12: the file lacks a comma or a closing bracket"),
        ("(number: 1,, word: \"x\")", "top:1:12: there is no value before this comma"),
        ("# All.\n()", "top:1:1: a comment begins with `//`, not with `#`"),
        ("(inner: (pair: [1, 2))", "top:1:21: `)` does not close the `[` of line 1: `]` is missing"),
        (
            "(number:\u{a0}1)",
            "top:1:9: the invisible character U+00A0 has no meaning here: delete it, or write a blank",
        ),
        ("(number: −1)", "top:1:10: `−` has no meaning here: write `-`"),
        ("(kind: Kind::Plain)", "top:1:13: `::` has no place here: write only the last name"),
    ] {
        let found = over_base(text);
        if found != Err(sentence.to_owned()) {
            wrong.push(format!("{text}\n  expected {sentence}\n  got      {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Asserts that the error at `path` points at the `§` in `text`, which is removed first.
#[track_caller]
fn assert_marked(text: &str, path: &str) {
    let (before, after) = text.split_once('§').expect("the text of a test has a mark");
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let place = (1 + before.matches('\n').count(), 1 + before[line_start..].chars().count());
    let error = RonText::new("", format!("{before}{after}")).error_at(path, "");
    assert_eq!(error.line_and_column(), Some(place), "{path} in {text}");
}

#[test]
fn errors_point_at_fields_and_elements() {
    assert_marked("(\n  radius_m_old: 1,\n  // radius_m: 2\n  §radius_m: -1,\n)", "radius_m");
    assert_marked("Wall( old: radius_m, §radius_m: -1)", "radius_m");
    assert_marked("(a: \"), x: 1 \\\" (\", /* x: 2 /* ) */ ( */ §x: 3)", "x");
    assert_marked("(a: r#\"x: 1, \") \"#, b: ')', c: '\\'', §x: 3)", "x");
    assert_marked("(a: br##\"\"#)\"##, b: b\"(\", §x: 3)", "x");
    assert_marked("(a: 1 // ) x: 2\n, §x: 3)", "x");
    assert_marked("(a: (x: 1, b: [(x: 2)]), §x: 3)", "x");
    assert_marked("(a: Some((x: 1)), b: {\"x\": (x: 2)}, §x: 3)", "x");
    assert_marked("(a: Some((§x: 1)))", "a.0.x");
    assert_marked("(value: (1.5, §-2))", "value.1");
    assert_marked("(people: [(up: [A]), Keys(\n\tup: [B, §C,],)], p: [C])", "people.1.up.1");
    assert_marked("[[1, 2], [3, [4, §(5)]]]", "1.1.1");
    assert_marked("#![enable(implicit_some)]\n(§x: 3)", "x");
    assert_marked("(a: \"äöü\", /* – */ §x: 3)", "x");
}

#[test]
fn errors_at_missing_values_point_at_their_parent() {
    assert_marked("// first\n§(a: 1)", "x");
    assert_marked("(a: 1, §b: [2])", "b.7");
    assert_marked("§", "a");
    let broken = "(a: [\"\\\" ), 'x /* /* ü */ (b: r##\"ä\"#, §x: #![)]}";
    for (start, _) in broken.char_indices() {
        for (end, _) in broken.char_indices().filter(|(end, _)| *end >= start) {
            let _ = RonText::new("", &broken[start..end]).error_at("a.0.x", "");
        }
    }
}
