//! Saved hierarchies and relations; forged ones are refused.

use ecs::relation::Relation;
use ecs::snapshot::{StableHash, StateHasher};
use ecs::{Engine, EntityId};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
struct DockedAt {
    berth: u8,
}

impl Relation for DockedAt {
    const EXCLUSIVE: bool = true;
}

impl StableHash for DockedAt {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(&self.berth);
    }
}

fn empty() -> Engine {
    let mut engine = Engine::new();
    engine.types_mut().relation::<DockedAt>("docked at").unwrap().save_relation::<DockedAt>(2).unwrap();
    engine
        .types_mut()
        .convert_relation(1, |berth: String| {
            berth.parse().map(|berth| DockedAt { berth }).map_err(|_| "no number".to_owned())
        })
        .unwrap();
    engine
}

/// A port with two ships, one of which has a boat on board.
fn saved() -> (String, [EntityId; 4]) {
    let mut engine = empty();
    let [port, ship, other, boat] = [(); 4].map(|()| engine.spawn(()));
    engine.relate(ship, port, DockedAt { berth: 7 }).unwrap();
    engine.relate(other, port, DockedAt { berth: 8 }).unwrap();
    engine.set_parent(boat, ship).unwrap();
    (engine.save_text().unwrap(), [port, ship, other, boat])
}

#[test]
fn links_are_loaded_with_their_data_and_cleaned_up_later() {
    let (text, [port, ship, other, boat]) = saved();
    let mut engine = empty();
    engine.load_text(&text).unwrap();
    assert_eq!(engine.related_to::<DockedAt>(port), [ship, other]);
    assert_eq!(engine.relation::<DockedAt>(other, port).unwrap().berth, 8);
    engine.despawn(ship).unwrap();
    assert!(!engine.contains(boat));
    engine.despawn_many([port]).unwrap();
    assert_eq!(engine.related::<DockedAt>(other).count(), 0);
}

/// Replaces the first `from` behind `behind`.
fn replaced(text: &str, behind: &str, from: &str, to: &str) -> String {
    let start = text.find(behind).unwrap_or_else(|| panic!("{behind} is not in {text}"));
    assert!(text[start..].contains(from), "{from} is not in {text}");
    format!("{}{}", &text[..start], text[start..].replacen(from, to, 1))
}

#[track_caller]
fn assert_refused(text: &str, reason: &str) {
    let mut engine = empty();
    let error = engine.load_text(text).expect_err("it is forged").to_string();
    assert!(error.contains(reason), "{error}");
    assert!(engine.entities().is_empty(), "a refused save changes nothing");
}

#[test]
fn forged_links_are_refused_with_the_entities_at_fault() {
    let (text, _) = saved();
    let one = |from: &str, to: &str| replaced(&text, "docked at", from, to);
    assert_refused(
        &one("[(idx:2,version:1),(idx:3,version:1)]", "[(idx:2,version:1)]"),
        "the link DockedAt from entity 3v1 to 1v1 is at its source only",
    );
    assert_refused(
        &one("((idx:1,version:1),(berth:8))", "((idx:9,version:1),(berth:8))"),
        "the link DockedAt from entity 3v1 to 1v1 is at its target only",
    );
    assert_refused(&one("[((idx:2,version:1),\"\")]", "[]"), "it has no link");
    let twice = "((idx:1,version:1),(berth:8)),((idx:2,version:1),(berth:8))";
    assert_refused(&one("((idx:1,version:1),(berth:8))", twice), "it has 2 links of DockedAt, which is exclusive");
    let twice = "[(idx:2,version:1),(idx:2,version:1)]";
    assert_refused(&one("[(idx:2,version:1),(idx:3,version:1)]", twice), "it has two links with entity 2v1");
}

#[test]
fn forged_circles_of_parents_are_refused() {
    let (text, _) = saved();
    let own_parent = replaced(&text, "ecs child of", "[((idx:2,version:1)", "[((idx:4,version:1)");
    let own_parent = replaced(&own_parent, "Owners(", "(idx: 2, version: 1)", "(idx: 4, version: 1)");
    assert_refused(&own_parent, "entity 4v1 is its own ancestor");
}

#[test]
fn data_of_an_older_version_is_converted() {
    let (text, [port, ship, ..]) = saved();
    let older = replaced(&text, "docked at", "version: 2", "version: 1");
    let older = older.replace("(berth:7)", "\"7\"").replace("(berth:8)", "\"8\"");
    let mut engine = empty();
    assert_eq!(engine.load_text(&older).unwrap().converted.len(), 1);
    assert_eq!(engine.relation::<DockedAt>(ship, port).unwrap().berth, 7);
    assert_refused(&older.replace("\"8\"", "\"many\""), "no number");
}
