//! Bundles in bundles, and structs of components.

use ecs::component::Bundle;
use ecs::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Health(i32);

/// More components than a tuple has.
#[derive(Bundle)]
struct Fleet<T>(T, N<1>, N<2>, N<3>, N<4>, N<5>, N<6>, N<7>, N<8>, N<9>, N<10>, N<11>, N<12>, #[bundle] Flag);

#[derive(Clone, Copy, Debug, PartialEq)]
struct N<const NUMBER: usize>(u32);

#[derive(Bundle)]
struct Flag {
    colour: &'static str,
    height: u64,
}

#[derive(Bundle)]
struct Nothing;

fn fleet(n: u32) -> Fleet<Health> {
    let flag = Flag { colour: "red", height: u64::from(n) };
    Fleet(Health(7), N(n), N(n), N(n), N(n), N(n), N(n), N(n), N(n), N(n), N(n), N(n), N(n), flag)
}

#[test]
fn a_struct_of_any_length_with_another_one_inside_is_a_bundle() {
    let mut engine = Engine::new();
    let one = engine.spawn(fleet(1));
    let many = engine.spawn_many((2..5).map(fleet));
    for (entity, n) in std::iter::once(one).chain(many).zip(1..) {
        assert_eq!(engine.get(entity), Some(&Health(7)));
        assert_eq!((engine.get::<N<1>>(entity).unwrap().0, engine.get::<N<12>>(entity).unwrap().0), (n, n));
        assert_eq!((engine.get(entity), engine.get(entity)), (Some(&"red"), Some(&u64::from(n))));
    }
    engine.insert(one, fleet(9)).unwrap();
    assert_eq!((engine.get::<N<5>>(one), engine.get::<u64>(one)), (Some(&N(9)), Some(&9)));
    let bare = engine.spawn(Nothing);
    engine.run(move |mut commands: Commands| commands.insert(bare, fleet(4).and((1_u8,)).and((2_u16,)))).unwrap();
    assert_eq!((engine.get::<u16>(bare), engine.get::<N<12>>(bare)), (Some(&2), Some(&N(4))));
}

#[test]
#[should_panic(expected = "has &str twice: an entity has one component of a type, so leave one out")]
fn a_type_that_is_in_two_parts_of_a_bundle_is_refused() {
    Engine::new().spawn(Flag { colour: "red", height: 1 }.and(("blue",)));
}
