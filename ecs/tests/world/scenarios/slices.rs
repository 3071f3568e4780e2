//! Slices: what lies side by side, kind by kind, and one by one what was inserted later.

use ecs::{Engine, EntityId, IncludeDisabled, With, Without};

struct Position(f32);
struct Velocity(f32);
struct Mass;
struct Frozen;

/// The lengths of the slices, and the entities in their order.
fn cut(slices: impl Iterator<Item = Vec<EntityId>>) -> (Vec<usize>, Vec<EntityId>) {
    let slices: Vec<_> = slices.collect();
    (slices.iter().map(Vec::len).collect(), slices.concat())
}

#[test]
fn entities_of_a_kind_are_one_slice_whatever_died_between_them() {
    let mut engine = Engine::new();
    let movers = engine.spawn_many((0..6).map(|n| (Position(n as f32), Velocity(1.0))));
    let heavy = engine.spawn_many((0..3).map(|n| (Velocity(2.0), Mass, Position(n as f32))));
    engine.spawn((Position(0.0),));
    engine.despawn(movers[0]).unwrap();
    let query = engine.query::<(EntityId, &Position, &Velocity)>();
    let (lengths, entities) = cut(query.slices().map(|(ids, ..)| ids.to_vec()));
    assert_eq!(lengths, [5, 3]);
    assert_eq!(entities[..5], [movers[5], movers[1], movers[2], movers[3], movers[4]]);
    assert_eq!(entities[5..], heavy);
    for (ids, positions, velocities) in query.slices() {
        assert_eq!((positions.len(), velocities.len()), (ids.len(), ids.len()));
        for ((entity, position), velocity) in ids.iter().zip(positions).zip(velocities) {
            let expected = query.get(*entity).unwrap();
            assert!(std::ptr::eq(position, expected.1) && std::ptr::eq(velocity, expected.2));
            assert!((0.0..6.0).contains(&position.0) && velocity.0 > 0.0);
        }
    }
}

#[test]
fn what_was_inserted_later_comes_one_by_one() {
    let mut engine = Engine::new();
    let movers = engine.spawn_many((0..3).map(|n| (Position(n as f32), Velocity(1.0))));
    let late = engine.spawn_many((3..5).map(|n| (Position(n as f32),)));
    late.iter().for_each(|entity| engine.insert(*entity, (Velocity(5.0),)).unwrap());
    for (positions, velocities) in engine.query::<(&mut Position, &Velocity)>().slices_mut() {
        positions.iter_mut().zip(velocities).for_each(|(position, velocity)| position.0 += velocity.0);
    }
    let query = engine.query::<(EntityId, &Position, &Velocity)>();
    let (lengths, entities) = cut(query.slices().map(|(ids, ..)| ids.to_vec()));
    assert_eq!((lengths, entities), (vec![3, 1, 1], [&movers[..], &late].concat()));
    let moved: Vec<_> = query.iter().map(|(_, position, _)| position.0).collect();
    assert_eq!(moved, [1.0, 2.0, 3.0, 8.0, 9.0]);
}

#[test]
fn filters_cut_slices() {
    let mut engine = Engine::new();
    let ids = engine.spawn_many((0..7).map(|n| (Position(n as f32), Velocity(0.0))));
    [2, 3, 6].iter().for_each(|&at| engine.insert(ids[at], (Frozen,)).unwrap());
    let free = engine.query_filtered::<(EntityId, &Position), Without<Frozen>>();
    assert_eq!(cut(free.slices().map(|(ids, _)| ids.to_vec())), (vec![2, 2], vec![ids[0], ids[1], ids[4], ids[5]]));
    let frozen = engine.query_filtered::<EntityId, (With<Frozen>, With<Position>)>();
    assert_eq!(cut(frozen.slices().map(<[EntityId]>::to_vec)), (vec![1, 1, 1], vec![ids[2], ids[3], ids[6]]));
    engine.disable(ids[0]).unwrap();
    assert_eq!(engine.query::<&Position>().slices().map(<[Position]>::len).sum::<usize>(), 6);
    let all = engine.query_filtered::<&Position, IncludeDisabled>();
    assert_eq!(all.slices().map(<[Position]>::len).collect::<Vec<_>>(), [7]);
    assert!(engine.query::<&mut Mass>().slices_mut().next().is_none());
}

/// Like a SIMD component: a slice of it can be cast to plain numbers.
#[derive(Clone, Copy, bytemuck::TransparentWrapper)]
#[repr(transparent)]
struct Force([f32; 3]);

#[test]
fn slices_of_arrays_can_be_cast_to_numbers() {
    use bytemuck::TransparentWrapper;
    let mut engine = Engine::new();
    engine.spawn_many([(Force([1.0, 2.0, 3.0]),), (Force([4.0, 5.0, 6.0]),)]);
    let mut forces = engine.query::<&mut Force>();
    for forces in forces.slices_mut() {
        let flat: &mut [f32] = Force::peel_slice_mut(forces).as_flattened_mut();
        flat.iter_mut().for_each(|number| *number *= 2.0);
        assert_eq!(flat, [2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
    }
}
