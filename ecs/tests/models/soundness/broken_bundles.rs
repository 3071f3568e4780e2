//! A bundle that panics when it is taken apart changes nothing: no row is left without its values.

use ecs::Engine;
use ecs::component::{Bundle, StructOfComponents};

use crate::panics;

struct Broken;

impl StructOfComponents for Broken {
    type Parts = (String,);

    fn into_parts(self) -> (String,) {
        panic!("it broke")
    }
}

#[test]
fn a_bundle_that_panics_when_it_is_taken_apart_changes_nothing() {
    let mut engine = Engine::new();
    let whole = engine.spawn(("whole".to_owned(),));
    let [bare, numbered] = [engine.spawn(()), engine.spawn((1_u8,))];
    assert!(panics(|| engine.spawn(Broken)));
    assert!(panics(|| engine.spawn((2_u8,).and(Broken))));
    assert!(panics(|| engine.spawn_many([Broken])));
    assert!(panics(|| engine.spawn_many([(3_u8,).and(Broken)])));
    for entity in [whole, bare, numbered] {
        assert!(panics(|| engine.insert(entity, Broken)));
        assert!(panics(|| engine.insert(entity, (4_u16,).and(Broken))));
    }
    assert!(panics(|| engine.run(move |mut commands: ecs::Commands| {
        commands.spawn(Broken);
        commands.insert(bare, Broken);
    })));
    let after = engine.spawn(("after".to_owned(),));
    assert_eq!(engine.query::<&String>().iter().collect::<Vec<_>>(), ["whole", "after"]);
    assert_eq!(engine.query::<&u8>().iter().collect::<Vec<_>>(), [&1]);
    assert_eq!(engine.query::<&u16>().iter().count(), 0);
    engine.despawn_many([whole, bare, numbered, after]).unwrap();
    assert!(engine.entities().is_empty());
}
