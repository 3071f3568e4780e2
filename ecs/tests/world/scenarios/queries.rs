//! Queries: which entities they match, and what they return.

use ecs::query::{GetManyError, Has, Or, SingleError};
use ecs::{Engine, EntityId, IncludeDisabled, Query, With, Without, World};

#[derive(Debug, PartialEq, Clone, Copy)]
struct Position(i32);
#[derive(Debug, PartialEq, Clone, Copy)]
struct Speed(i32);
struct Frozen;

fn crowd() -> (Engine, Vec<EntityId>) {
    let mut engine = Engine::new();
    let all = (0..6)
        .map(|n| match n % 3 {
            0 => engine.spawn((Position(n),)),
            1 => engine.spawn((Position(n), Speed(n))),
            _ => engine.spawn((Position(n), Speed(n), Frozen)),
        })
        .collect();
    (engine, all)
}

#[test]
fn query_matches_entities_with_all_required_components() {
    let (mut engine, all) = crowd();
    let query = engine.query::<(EntityId, &Position, &Speed)>();
    let mut found: Vec<_> = query.iter().map(|(id, position, speed)| (id, position.0, speed.0)).collect();
    found.sort();
    assert_eq!(found, [1, 2, 4, 5].map(|n| (all[n], n as i32, n as i32)));
    assert_eq!(query.count(), 4);
}

#[test]
fn filters_restrict_matches_without_access() {
    let (mut engine, all) = crowd();
    let ids = |query: Query<EntityId, (With<Speed>, Without<Frozen>)>| query.iter().collect::<Vec<_>>();
    assert_eq!(ids(engine.query_filtered()), [all[1], all[4]]);
    assert_eq!(engine.query_filtered::<&Position, With<Frozen>>().iter().map(|p| p.0).collect::<Vec<_>>(), [2, 5]);
    assert_eq!(engine.query_filtered::<&Position, Without<Position>>().count(), 0);
    assert_eq!(engine.query_filtered::<EntityId, Without<Speed>>().iter().collect::<Vec<_>>(), [all[0], all[3]]);
}

#[test]
fn writing_changes_exactly_the_matches() {
    let (mut engine, all) = crowd();
    for (position, speed) in &mut engine.query_filtered::<(&mut Position, &Speed), Without<Frozen>>() {
        position.0 += 100 * speed.0;
    }
    let positions: Vec<_> = all.iter().map(|id| engine.get::<Position>(*id).unwrap().0).collect();
    assert_eq!(positions, [0, 101, 2, 3, 404, 5]);
}

#[test]
fn optional_parts_do_not_restrict_matches() {
    let (mut engine, all) = crowd();
    let mut query = engine.query::<(EntityId, Option<&mut Speed>, Option<&Frozen>)>();
    assert_eq!(query.count(), 6);
    for (_, speed, frozen) in &mut query {
        if let (Some(speed), None) = (speed, frozen) {
            speed.0 = -1;
        }
    }
    assert_eq!(engine.get::<Speed>(all[1]), Some(&Speed(-1)));
    assert_eq!(engine.get::<Speed>(all[2]), Some(&Speed(2)));
}

#[test]
fn options_nest_and_group() {
    let (mut engine, all) = crowd();
    let query = engine.query::<(&Position, Option<(&Speed, &Frozen)>)>();
    assert!(query.get(all[1]).unwrap().1.is_none(), "it lacks one component of the option");
    assert_eq!(query.get(all[2]).unwrap().1.unwrap().0, &Speed(2));
}

#[test]
fn access_by_id_is_limited_to_matches() {
    let (mut engine, all) = crowd();
    let mut query = engine.query_filtered::<(&mut Position, &Speed), Without<Frozen>>();
    assert_eq!(query.get(all[0]), None);
    assert_eq!(query.get(all[2]), None);
    assert_eq!(query.get(all[1]), Some((&Position(1), &Speed(1))));
    query.get_mut(all[4]).unwrap().0.0 = 44;
    assert!(query.contains(all[4]) && !query.contains(all[5]));
    assert_eq!(engine.get::<Position>(all[4]), Some(&Position(44)));
}

#[test]
fn get_many_mut_names_the_entity_that_is_missing_or_named_twice() {
    let (mut engine, all) = crowd();
    let mut query = engine.query::<&mut Position>();
    let [a, b] = query.get_many_mut([all[3], all[1]]).unwrap();
    assert_eq!((a.0, b.0), (3, 1));
    std::mem::swap(a, b);
    let (twice, gone) = (GetManyError::Duplicate(all[3]), EntityId::default());
    assert_eq!(query.get_many_mut([all[1], all[3], all[3]]), Err(twice));
    assert_eq!(twice.to_string(), format!("entity {} is named twice: name each entity once", all[3]));
    assert_eq!(query.get_many_mut([all[3], gone]), Err(GetManyError::NoMatch(gone)));
    assert_eq!(query.get_many([all[3], gone, all[1]]), Err(GetManyError::NoMatch(gone)));
    assert_eq!(query.get_many([all[3], all[3], all[1]]), Ok([&Position(1), &Position(1), &Position(3)]));
    assert!(query.get_many_mut([]).unwrap().is_empty());
    let filtered = engine.query_filtered::<&mut Position, Without<Frozen>>().get_many_mut([all[0], all[2]]).err();
    assert_eq!(filtered, Some(GetManyError::NoMatch(all[2])));
}

#[test]
fn world_lends_many_components_of_one_type() {
    let (mut engine, all) = crowd();
    engine.disable_component::<Speed>(all[4]).unwrap();
    let [a, b] = engine.get_many_mut::<Speed, 2>([all[4], all[1]]).unwrap();
    std::mem::swap(a, b);
    assert_eq!((engine.get::<Speed>(all[1]), engine.get::<Speed>(all[4])), (Some(&Speed(4)), Some(&Speed(1))));
    assert_eq!(engine.get_many_mut::<Speed, 2>([all[1], all[0]]), Err(GetManyError::NoMatch(all[0])));
    assert_eq!(engine.get_many_mut::<Speed, 2>([all[1], all[1]]), Err(GetManyError::Duplicate(all[1])));
    assert_eq!(engine.get_many_mut::<char, 1>([all[1]]), Err(GetManyError::NoMatch(all[1])));
    assert_eq!(engine.get_many_mut::<char, 0>([]), Ok([]));
}

#[test]
fn shared_world_is_read_by_id_and_for_as_long_as_it_is_borrowed() {
    fn position(engine: &Engine, entity: EntityId) -> Option<&Position> {
        engine.read::<&Position>().get(entity)
    }
    fn frozen(engine: &Engine) -> impl Iterator<Item = &Position> {
        engine.read_filtered::<&Position, With<Frozen>>().into_iter()
    }
    let (mut engine, all) = crowd();
    assert_eq!(position(&engine, all[3]), Some(&Position(3)));
    assert_eq!(frozen(&engine).map(|position| position.0).collect::<Vec<_>>(), [2, 5]);
    engine.despawn(all[3]).unwrap();
    assert_eq!(position(&engine, all[3]), None);
    let moving = engine.read::<(EntityId, &Speed)>();
    assert!(moving.contains(all[1]) && !moving.contains(all[0]) && !moving.is_empty());
    assert_eq!((moving.count(), moving.single()), (4, Err(SingleError::Several)));
    let by_iter: Vec<_> = moving.iter().map(|(id, _)| id).collect();
    let mut by_loop = Vec::new();
    for (id, _) in &moving {
        by_loop.push(id);
    }
    assert_eq!(by_iter, by_loop);
    assert_eq!(engine.read::<&Speed>().slices().flatten().count(), 4);
}

#[test]
fn or_passes_what_one_of_its_filters_passes() {
    type Slow = Or<(Without<Speed>, With<Frozen>)>;
    let (mut engine, all) = crowd();
    let ids = |query: Query<EntityId, Slow>| query.iter().collect::<Vec<_>>();
    assert_eq!(ids(engine.query_filtered()), [all[0], all[3], all[2], all[5]], "kind by kind");
    let query = engine.query_filtered::<&Position, Slow>();
    let mut folded = Vec::new();
    query.iter().for_each(|position| folded.push(position.0));
    assert_eq!(folded, [0, 3, 2, 5]);
    assert!(query.contains(all[0]) && query.contains(all[2]) && !query.contains(all[1]));
    let sliced = query.slices().flatten().map(|position| position.0);
    assert_eq!(sliced.collect::<Vec<_>>(), folded);
    engine.disable_component::<Frozen>(all[2]).unwrap();
    let nested = engine.query_filtered::<&Position, (With<Speed>, Or<((With<Speed>, With<Frozen>), With<char>)>)>();
    assert_eq!(nested.iter().map(|position| position.0).collect::<Vec<_>>(), [5]);
    let with_disabled = engine.query_filtered::<&Position, (Or<(With<Frozen>, With<char>)>, IncludeDisabled)>();
    assert_eq!(with_disabled.iter().map(|position| position.0).collect::<Vec<_>>(), [2, 5]);
}

#[test]
fn has_says_whether_there_is_an_enabled_component() {
    let (mut engine, all) = crowd();
    engine.disable_component::<Frozen>(all[5]).unwrap();
    let query = engine.query::<(&mut Speed, Has<Frozen>, Has<Speed>, Has<char>)>();
    let mut folded = Vec::new();
    query.iter().for_each(|(speed, frozen, moves, letter)| folded.push((speed.0, frozen, moves, letter)));
    assert_eq!(
        folded,
        [(1, false, true, false), (4, false, true, false), (5, false, true, false), (2, true, true, false)]
    );
    let with_disabled = engine.query_filtered::<(&Speed, Has<Frozen>), IncludeDisabled>();
    assert_eq!(with_disabled.get(all[5]), Some((&Speed(5), true)));
    assert_eq!(engine.query::<(EntityId, Has<Speed>)>().iter().filter(|(_, moves)| *moves).count(), 4);
    let grouped = engine.query::<(&Position, &Speed, Has<Position>, Has<Frozen>)>();
    let frozen = |(p, _, has, is_frozen): (&Position, &Speed, bool, bool)| (has && is_frozen).then_some(p.0);
    assert_eq!(grouped.iter().filter_map(frozen).collect::<Vec<_>>(), [2]);
    assert_eq!(engine.run(|_: Query<&mut Frozen>, all: Query<Has<Frozen>>| all.count()), Ok(6), "it reads no values");
}

#[test]
fn single_requires_exactly_one_match() {
    let (mut engine, all) = crowd();
    assert_eq!(engine.query::<&Position>().single(), Err(SingleError::Several));
    assert_eq!(engine.query::<&char>().single(), Err(SingleError::None));
    engine.insert(all[0], ('x',)).unwrap();
    assert_eq!(engine.query::<(EntityId, &char)>().single(), Ok((all[0], &'x')));
    *engine.query::<&mut char>().single_mut().unwrap() = 'y';
    assert_eq!(engine.get::<char>(all[0]), Some(&'y'));
    assert_eq!(SingleError::Several.to_string(), "the query matches several entities instead of exactly one");
}

#[test]
fn read_only_iterations_can_be_nested() {
    let (mut engine, _) = crowd();
    let query = engine.query::<&mut Position>();
    let pairs = query.iter().flat_map(|a| query.iter().map(move |b| (a.0, b.0))).filter(|(a, b)| a < b).count();
    assert_eq!(pairs, 15);
}

#[test]
fn mutable_items_can_be_collected() {
    let (mut engine, all) = crowd();
    let mut query = engine.query::<(EntityId, &mut Position)>();
    let mut items: Vec<_> = query.iter_mut().collect();
    items.reverse();
    for (at, (_, position)) in items.iter_mut().enumerate() {
        position.0 = at as i32;
    }
    let positions: Vec<_> = all.iter().map(|id| engine.get::<Position>(*id).unwrap().0).collect();
    assert_eq!(positions, [5, 3, 1, 4, 2, 0], "in reverse, kind by kind");
}

#[test]
fn query_over_eight_components_and_over_more_in_groups() {
    let mut engine = Engine::new();
    let entity = engine.spawn((1_u8, 2_u16, 3_u32, 4_u64, 5_i8, 6_i16, 7_i32, 8_i64));
    engine.insert(entity, ('x', true, 1.5_f32, 2.5_f64)).unwrap();
    engine.spawn((1_u8, 2_u16, 3_u32, 4_u64, 5_i8, 6_i16, 7_i32));
    let mut eight = engine.query::<(&u8, &mut u16, &u32, &mut u64, &i8, &i16, &i32, &mut i64)>();
    let (a, b, c, d, e, f, g, h) = eight.single_mut().unwrap();
    assert_eq!((*a, *b, *c, *d, *e, *f, *g, *h), (1, 2, 3, 4, 5, 6, 7, 8));
    *h += 1;
    let twelve = engine.query::<((&u8, &u16, &u32, &u64, &i8, &i16), (&i32, &i64, &char, &bool, &f32, &f64))>();
    let ((one, ..), (_, nine, letter, ..)) = twelve.single().unwrap();
    assert_eq!((*one, *nine, *letter), (1, 9, 'x'));
}

#[test]
fn query_of_an_unused_type_matches_nothing() {
    let mut engine = Engine::new();
    engine.spawn((Position(1),));
    assert!(engine.query::<&Speed>().is_empty());
    assert!(engine.query::<&mut Speed>().slices_mut().next().is_none());
    let shared = &engine;
    assert_eq!(shared.read::<&char>().count(), 0);
    assert_eq!(shared.read::<(&Position, Option<&char>)>().count(), 1);
    assert_eq!(shared.read_filtered::<&Position, Without<char>>().count(), 1);
    assert_eq!(shared.read_filtered::<&Position, With<char>>().count(), 0);
}

#[test]
fn query_iterates_in_the_order_of_the_rarest_component() {
    let (mut engine, all) = crowd();
    let (a, b) = (all[4], all[1]);
    engine.insert(a, ('a',)).unwrap();
    engine.insert(b, ('b',)).unwrap();
    let order: Vec<_> = engine.query::<(EntityId, &Position, &char)>().iter().map(|(id, ..)| id).collect();
    assert_eq!(order, [a, b]);
    let order: Vec<_> = engine.query_filtered::<EntityId, With<char>>().iter().collect();
    assert_eq!(order, [a, b]);
}

#[test]
fn size_hint_bounds_the_number_of_items() {
    let (mut engine, _) = crowd();
    let query = engine.query::<(&Position, &Speed)>();
    let items = query.iter();
    let (low, high) = items.size_hint();
    let count = items.count();
    assert!(low <= count && count <= high.unwrap());
}

#[test]
#[should_panic(
    expected = "`Query<(&mut Position, Option<&Position>)>` asks for component Position for writing and a second"
)]
fn query_with_a_component_twice_is_refused() {
    Engine::new().query::<(&mut Position, Option<&Position>)>();
}

#[test]
fn two_queries_of_one_system_may_read_the_same() {
    let (mut engine, _) = crowd();
    fn count(all: Query<&Position>, moving: Query<(&Position, &Speed)>) -> (usize, usize) {
        (all.count(), moving.count())
    }
    assert_eq!(engine.run(count), Ok((6, 4)));
}

#[test]
fn engine_dereferences_to_its_world() {
    let (mut engine, all) = crowd();
    let world: &mut World = &mut engine;
    assert_eq!(world.get::<Speed>(all[1]), Some(&Speed(1)));
    world.get_mut::<Speed>(all[1]).unwrap().0 = 9;
    assert!(world.has::<Speed>(all[1]) && !world.has::<Speed>(all[0]));
    assert_eq!(world.query::<(&Position, &mut Speed)>().count(), 4);
    assert_eq!(world.query_filtered::<&Position, With<Frozen>>().count(), 2);
    let world: &World = &engine;
    assert_eq!(world.read::<&Speed>().count(), 4);
    assert_eq!(world.read_filtered::<&Speed, Without<Frozen>>().get(all[1]), Some(&Speed(9)));
}

#[test]
fn query_over_fragmented_pools_yields_each_entity_once() {
    let mut engine = Engine::new();
    let ids = engine.spawn_many((0..5_000_u32).map(|n| (n, u64::from(n))));
    // Gaps of all kinds: some entities lose one component, some get it back at the end, some never had the other.
    engine.remove_many::<u64>(ids.iter().copied().step_by(97)).unwrap();
    engine.insert_many(ids.iter().step_by(97 * 2).map(|id| (*id, (7_u64,)))).unwrap();
    engine.spawn_many((0..1_000_u64).map(|n| (n,)));
    ids[3_000..3_020].iter().for_each(|id| engine.disable_component::<u32>(*id).unwrap());
    let expected: Vec<u32> =
        (0..5_000).filter(|n| (n % 97 != 0 || n % (97 * 2) == 0) && !(3_000..3_020).contains(n)).collect();
    let mut seen = Vec::new();
    engine.query::<(&mut u32, &u64)>().iter_mut().for_each(|(n, large)| {
        assert!(u64::from(*n) == *large || (*large == 7 && *n % (97 * 2) == 0), "{n} with {large}");
        seen.push(*n);
    });
    seen.sort_unstable();
    assert_eq!(seen, expected);
    let mut by_next: Vec<u32> = Vec::new();
    for (n, _) in &engine.query::<(&u32, &u64)>() {
        by_next.push(*n);
    }
    by_next.sort_unstable();
    assert_eq!(by_next, expected);
}
