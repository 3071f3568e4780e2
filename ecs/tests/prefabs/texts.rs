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
        ("(inner: (flog: false))", "top:1:10: `inner` has no field `flog`, must be `flag` or `pair`"),
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
    assert_eq!(RonText::from_utf8("x.ron", b"(\n \xff)").unwrap_err().to_string(), "x.ron:2:2: is not UTF-8 text");
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
