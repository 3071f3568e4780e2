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

#[test]
fn forged_links_are_refused_with_the_entities_at_fault() {
    let (text, _) = saved();
    println!("{text}");
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} is not in {text}");
        let mut engine = empty();
        let error = engine.load_text(&text.replacen(from, to, 1)).expect_err("it is forged").to_string();
        assert!(engine.entities().is_empty(), "a refused save changes nothing");
        error
    };
    let _ = refused;
}
