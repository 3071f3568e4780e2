//! Every kind of error in a RON text, with its exact message.

use crate::prefabs::kit::prefabs;

/// A prefab that broken ones refer to.
const BASE: &str = r#"{ "base": (components: { "speed": (mps: 1), "solid": () }, children: { "arm": (components: { "solid": () }) }) }"#;

/// Contents of `bad.ron`, loaded together with `base.ron`, and the error. Each text has lines of its own, so that line
/// and column are easy to count.
const BROKEN: &[(&str, &str)] = &[
    // The text itself.
    ("", "bad.ron:1:1: the prefabs of a file must be in brackets `{…}`"),
    ("(a: 1)", "bad.ron:1:1: the prefabs of a file must be in brackets `{…}`"),
    ("{ \"a\": (\n  components: {", "bad.ron:2:16: the text ends too early, a closing bracket may be missing"),
    ("{ \"a\": ()\n  \"b\": () }", "bad.ron:2:3: expected a comma or a closing bracket"),
    ("{ \"a\": ()\n} ]", "bad.ron:2:3: the text must end here: what follows does not belong to it"),
    ("{ \"a\" () }", "bad.ron:1:7: expected colon"),
    (
        "{ \"a\": (components: { \"shape\": § }) }",
        "bad.ron:1:32: `§` has no meaning here: delete it, or write a text in double quotes, `\"`",
    ),
    ("{ /* ä \"a\": () }", "bad.ron:1:6: unclosed block comment"),
    ("#![enable(unwrap_newtypes)]\n{ \"a\": () }", "bad.ron:1:1: only the extension implicit_some can be enabled"),
    // Near misses.
    ("{ \"a\": (components: { \"speed\": (mps: 1,5) }) }", "bad.ron:1:38: `1,5` has a decimal comma: write `1.5`"),
    ("{ \"a\": (like = \"base\") }", "bad.ron:1:14: a name and its value are separated by `:`, not by `=`"),
    ("{ \"a\": (like: „base“) }", "bad.ron:1:15: a text is in straight double quotes, `\"`, not in `„`"),
    (
        "\u{feff}\u{feff}{}",
        "bad.ron:1:1: the invisible character U+FEFF has no meaning here: delete it, or write a blank",
    ),
    // Names.
    ("{ 5: () }", "bad.ron:1:3: the name of a prefab must be a text in quotes"),
    ("{\n  \"\": () }", "bad.ron:2:3: `` cannot be the name of a prefab: it must not be empty and have no `/`"),
    ("{ \"a/b\": () }", "bad.ron:1:3: `a/b` cannot be the name of a prefab: it must not be empty and have no `/`"),
    ("{ \"a\": (),\n  \"a\": () }", "bad.ron:2:3: there are two of the prefab `a`, the first is at bad.ron:1:3"),
    ("{ \"base\": () }", "bad.ron:1:3: there are two of the prefab `base`, the first is at base.ron:1:3"),
    (
        "{ \"a\": (components: {\n  \"solid\": (),\n  \"solid\": () }) }",
        "bad.ron:3:3: there are two of the component `solid`, the first is at bad.ron:2:3",
    ),
    (
        "{ \"a\": (children: { \"x\": (), \"x\": () }) }",
        "bad.ron:1:30: there are two of the child `x`, the first is at bad.ron:1:21",
    ),
    // The fields of a prefab.
    ("{ \"a\": [] }", "bad.ron:1:8: prefab `a` must be in brackets `(…)`"),
    (
        "{ \"a\": (component: {}) }",
        "bad.ron:1:9: prefab `a` has no field `component`, must be `like`, `components`, `without`, `children`, `without_children` or `requires`: `components` may be meant",
    ),
    ("{ \"a\": (like: \"base\",\n  like: \"base\") }", "bad.ron:2:3: prefab `a` has the field `like` twice"),
    ("{ \"a\": (like: 5) }", "bad.ron:1:15: `like` of prefab `a` must be a text in quotes"),
    ("{ \"a\": (components: []) }", "bad.ron:1:21: `components` of prefab `a` must be in brackets `{…}`"),
    ("{ \"a\": (without: \"solid\") }", "bad.ron:1:18: `without` of prefab `a` must be a list in `[…]`"),
    ("{ \"a\": (without: [solid]) }", "bad.ron:1:19: what is in `without` of prefab `a` must be a text in quotes"),
    (
        "{ \"a\": (like: \"base\", without: [\"solid\", \"solid\"]) }",
        "bad.ron:1:42: `without` of prefab `a` has `solid` twice",
    ),
    (
        "{ \"a\": (children: { \"x\": (comp: {}) }) }",
        "bad.ron:1:27: child `x` has no field `comp`, must be `like`, `components`, `without`, `children`, `without_children` or `requires`",
    ),
    // References between prefabs.
    ("{ \"a\": (\n  like: \"bass\") }", "bad.ron:2:9: unknown prefab `bass`: `base` may be meant"),
    ("{ \"a\": (like: \"nothing\") }", "bad.ron:1:15: unknown prefab `nothing`: known are `a` and `base`"),
    ("{ \"a\": (children: { \"x\": (like: \"bse\") }) }", "bad.ron:1:33: unknown prefab `bse`: `base` may be meant"),
    ("{ \"a\": (like: \"a\") }", "bad.ron:1:15: prefab `a` would consist of itself: a → a"),
    (
        "{ \"a\": (), \"b\": (like: [\"a\",\n\"c\"]), \"c\": (like: [\"b\"]) }",
        "bad.ron:2:21: prefab `b` would consist of itself: b → c → b",
    ),
    ("{ \"a\": (like: [\"b\"]) }", "bad.ron:1:16: unknown prefab `b`: known are `a` and `base`"),
    ("{ \"a\": (), \"b\": (like: [\"a\", \"a\"]) }", "bad.ron:1:30: `like` of prefab `b` has `a` twice"),
    ("{ \"a\": (like: [1]) }", "bad.ron:1:16: what is in `like` of prefab `a` must be a text in quotes"),
    ("{ \"a\": (like: 1) }", "bad.ron:1:15: `like` of prefab `a` must be a text in quotes"),
    (
        "{ \"a\": (like: \"b\"),\n  \"b\": (like: \"c\"),\n  \"c\": (like: \"a\") }",
        "bad.ron:3:15: prefab `a` would consist of itself: a → b → c → a",
    ),
    (
        "{ \"a\": (children: { \"x\": (like: \"b\") }),\n  \"b\": (like: \"a\") }",
        "bad.ron:2:15: prefab `a` would consist of itself: a → b → a",
    ),
    (
        "{ \"a\": (like: \"base\", without: [\"speeds\"]) }",
        "bad.ron:1:33: unknown component to do without `speeds`: `speed` may be meant",
    ),
    ("{ \"a\": (without: [\"solid\"]) }", "bad.ron:1:19: unknown component to do without `solid`: none is known"),
    (
        "{ \"a\": (like: \"base\", without_children: [\"leg\"]) }",
        "bad.ron:1:42: unknown child to do without `leg`: known are `arm`",
    ),
    // Requirements.
    ("{ \"a\": (requires: []) }", "bad.ron:1:19: `requires` of prefab `a` must be in brackets `{…}`"),
    ("{ \"a\": (requires: { \"solid\": [] }) }", "bad.ron:1:30: what `solid` requires must be in brackets `{…}`"),
    (
        "{ \"a\": (requires: { \"solid\": { \"sped\": (mps: 1) } }) }",
        "bad.ron:1:32: unknown component `sped`: `speed` may be meant",
    ),
    (
        "{ \"a\": (requires: { \"solidd\": { \"speed\": (mps: 1) } }) }",
        "bad.ron:1:21: unknown component `solidd`: `solid` may be meant",
    ),
    ("{ \"a\": (requires: { \"solid\": {\n\"solid\": () } }) }", "bad.ron:2:1: `solid` cannot require itself"),
    (
        "{ \"a\": (components: { \"solid\": () }, requires: { \"solid\": {\n\"speed\": (mps: x) } }) }",
        "bad.ron:2:16: `speed.mps` must be a number",
    ),
    (
        "{ \"a\": (components: { \"solid\": () }, requires: { \"solid\": { \"health\": 1 } }),\n  \"b\": (like: \"a\", without: [\"health\"]) }",
        "bad.ron:2:30: `health` is required by `solid`: do without that one",
    ),
    // Components.
    (
        "{ \"a\": (components: {\n  \"sped\": (mps: 1) }) }",
        "bad.ron:2:3: unknown component `sped`: `speed` may be meant",
    ),
    (
        "{ \"a\": (components: { \"colour\": Red }) }",
        "bad.ron:1:23: unknown component `colour`: known are `body`, `health`, `place`, `pocket`, `shape`, `solid` and `speed`",
    ),
    ("{ \"a\": (components: { \"speed\": () }) }", "bad.ron:1:32: `speed` lacks the field `mps`"),
    (
        "{ \"a\": (components: { \"speed\": (\n  mps: 1, mph: 2) }) }",
        "bad.ron:2:11: `speed` has no field `mph`, must be `mps` or `radps`: `mps` may be meant",
    ),
    (
        "{ \"a\": (like: \"base\", components: { \"speed\": (mps: 1,\n  mps: 2) }) }",
        "bad.ron:2:3: `speed` has the field `mps` twice",
    ),
    (
        "{ \"a\": (like: \"base\", components: {\n  \"speed\": (mps: \"fast\") }) }",
        "bad.ron:2:18: `speed.mps` must be a number",
    ),
    ("{ \"a\": (components: { \"speed\": 5 }) }", "bad.ron:1:32: `speed` must be in brackets `(…)`"),
    (
        "{ \"a\": (components: { \"speed\": Sped(mps: 1) }) }",
        "bad.ron:1:32: `speed` must be of type `Speed`, which may be left out, but says `Sped`",
    ),
    (
        "{ \"a\": (components: { \"pocket\": (capacity: 1.5) }) }",
        "bad.ron:1:44: `pocket.capacity` must be a whole number",
    ),
    (
        "{ \"a\": (components: { \"pocket\": (capacity: 5000000000) }) }",
        "bad.ron:1:44: `pocket.capacity` must be a whole number from 0 to 4294967295, not 5000000000",
    ),
    (
        "{ \"a\": (components: { \"pocket\": (capacity: -1) }) }",
        "bad.ron:1:44: `pocket.capacity` must be a whole number from 0 to 4294967295, not -1",
    ),
    (
        "{ \"a\": (components: { \"shape\": Trangle(1.5) }) }",
        "bad.ron:1:32: `shape` cannot be `Trangle`, must be `Circle`, `Triangle` or `Box`: `Triangle` may be meant",
    ),
    ("{ \"a\": (components: { \"shape\": Triangle(true) }) }", "bad.ron:1:41: `shape` must be a number"),
    ("{ \"a\": (components: { \"shape\": Box(width_m: 1) }) }", "bad.ron:1:46: `shape` lacks the field `height_m`"),
    (
        "{ \"a\": (components: { \"body\": (\n  size: (width_m: 1, height_m: 'x'), tags: [], mass_kg: None) }) }",
        "bad.ron:2:32: `body.size.height_m` must be a number",
    ),
    (
        "{ \"a\": (components: { \"body\": (\n  size: (width_m: 1), tags: [], mass_kg: None) }) }",
        "bad.ron:2:9: `body.size` lacks the field `height_m`",
    ),
    (
        "{ \"a\": (components: { \"body\": (size: (width_m: 1, height_m: 2), tags: [\"x\", 5], mass_kg: None) }) }",
        "bad.ron:1:77: `body.tags` must be a text in quotes",
    ),
    (
        "{ \"a\": (components: { \"body\": (size: (width_m: 1, height_m: 2), tags: [], mass_kg: heavy) }) }",
        "bad.ron:1:84: `body.mass_kg` must be a number",
    ),
    (
        "{ \"a\": (components: { \"place\": (1) }) }",
        "bad.ron:1:34: `place` must be tuple struct Place with 2 elements, but the number of its values is 1",
    ),
    (
        "{ \"a\": (components: { \"place\": (1, 2, 3) }) }",
        "bad.ron:1:39: `place` has too many values, or lacks a closing `)`",
    ),
    ("{ \"a\": (components: { \"health\": -5 }) }", "bad.ron:1:33: `health` is refused: -5 is not above 0"),
    ("{ \"a\": (components: { \"solid\": 5 }) }", "bad.ron:1:32: `solid` must be `()`"),
    ("{ \"a\": (components: { \"solid\": (5) }) }", "bad.ron:1:32: `solid` must be `()`"),
    ("{ \"a\": (components: { \"speed\": (mps: (1)) }) }", "bad.ron:1:38: `speed.mps` must be a number"),
    (
        "{ \"a\": (components: { \"shape\": Circle(1) }) }",
        "bad.ron:1:38: `shape` must end here: what follows does not belong to it",
    ),
    (
        "{ \"a\": (like: \"base\", children: { \"arm\": (components: {\n  \"speed\": (radps: 1) }) }) }",
        "bad.ron:2:12: `speed` lacks the field `mps`",
    ),
];

#[test]
fn every_error_is_one_sentence_with_file_line_and_column() {
    let mut wrong = Vec::new();
    for (text, expected) in BROKEN {
        let mut prefabs = prefabs();
        let sentence = match prefabs.load_all([("bad.ron", *text), ("base.ron", BASE)]) {
            Ok(_) => "it was loaded".to_owned(),
            Err(error) => error.to_string(),
        };
        // If two files define a name, the error is in the one that is loaded later.
        let swapped = prefabs.load("base.ron", BASE).and_then(|prefabs| prefabs.load("bad.ron", *text));
        let alone = swapped.map_or_else(|error| error.to_string(), |_| "it was loaded".to_owned());
        if alone != *expected || (sentence != *expected && !text.contains("\"base\": ()")) {
            wrong.push(format!("{text}\n  expected {expected}\n  got      {sentence}\n  alone    {alone}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn prefabs_with_too_many_children_are_refused() {
    let mut text = String::from("{ \"p0\": ()");
    for level in 1..30 {
        text +=
            &format!(",\n\"p{level}\": (children: {{ \"a\": (like: \"p{0}\"), \"b\": (like: \"p{0}\") }})", level - 1);
    }
    let error = prefabs().load("bad.ron", text + "}").unwrap_err();
    assert_eq!(error.problem(), "prefab `p13` consists of more than 10000 entities");
    assert_eq!(error.line_and_column(), Some((14, 1)));
}

#[test]
fn truncated_texts_are_refused_without_a_panic() {
    let text = "{ \"a\": (like: r#\"base\"#, /* ü */ components: { \"shape\": Box(width_m: 1, height_m: 2) }, // x\n without: [\"solid\"]) }";
    let mut whole = prefabs();
    whole.load("base.ron", BASE).unwrap().load("a.ron", text).unwrap();
    for (end, _) in text.char_indices() {
        let mut prefabs = prefabs();
        let cut = prefabs.load("base.ron", BASE).unwrap().load("a.ron", &text[..end]);
        assert!(cut.is_err(), "{}", &text[..end]);
    }
    for (at, letter) in text.char_indices() {
        let damaged = format!("{}{}", &text[..at], &text[at + letter.len_utf8()..]);
        // Some are still valid; what matters is that nothing panics.
        let _ = prefabs().load("base.ron", BASE).unwrap().load("a.ron", damaged);
    }
}

#[test]
fn too_deeply_nested_children_are_refused() {
    let nested =
        |depth: usize| format!("{{ \"a\": ({}{}) }}", "children: { \"x\": (".repeat(depth), ") }".repeat(depth));
    let problem =
        "the nesting is too deep, at most 16 levels of children: make prefabs of the inner ones and use `like`";
    assert!(prefabs().load("deep.ron", nested(16)).is_ok());
    for depth in [17, 32, 60, 100, 20_000] {
        let error = prefabs().load("deep.ron", nested(depth)).unwrap_err();
        assert_eq!(error.problem(), problem, "at {depth}");
        assert!(error.line_and_column().is_some());
    }
}
