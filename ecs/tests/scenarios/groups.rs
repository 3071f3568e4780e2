//! Owning groups: declared, iterated by queries, returned as slices, proposed by the engine.

use ecs::{Engine, EntityId, Error, Query, Setup, System, With, Without, component::GroupError, query::NotGrouped};

use super::log::FRAME;

#[derive(Clone)]
struct Position(f32);
#[derive(Clone)]
struct Velocity(f32);
#[derive(Clone)]
struct Mass(#[allow(dead_code)] f32);
struct Frozen;

struct Movement;

impl System for Movement {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update);
    }
}

impl Movement {
    fn update(&mut self, mut movers: Query<(&mut Position, &Velocity)>, frozen: Query<&Frozen>) {
        movers.iter_mut().for_each(|(position, velocity)| position.0 += velocity.0);
        assert_eq!(frozen.count(), 0);
    }
}

struct Gravity;

impl System for Gravity {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::update);
    }
}

impl Gravity {
    fn update(&mut self, falling: Query<(&Velocity, &Mass)>, all: Query<(&Position, &Velocity), With<Mass>>) {
        assert_eq!(falling.iter().count(), 10);
        assert_eq!(all.iter().count(), 0);
    }
}

/// Each pool is filled in the reverse order of the others, so all rows but one need a look-up.
fn world(engine: &mut Engine) {
    let movers = engine.spawn_many((0..100).map(|_| (Position(0.0),)));
    movers.iter().rev().enumerate().for_each(|(n, mover)| engine.insert(*mover, (Velocity(n as f32),)).unwrap());
    let falling = engine.spawn_many((0..10).map(|n| (Velocity(n as f32),)));
    falling.iter().rev().for_each(|stone| engine.insert(*stone, (Mass(1.0),)).unwrap());
}

#[test]
fn engine_proposes_groups_for_its_queries() {
    let mut engine = Engine::new();
    engine.add(Movement).unwrap().add(Gravity).unwrap();
    assert_eq!(
        engine.propose_groups().unwrap().to_string(),
        "no frame was measured yet: run some before asking for groups\n"
    );
    world(&mut engine);
    (0..4).for_each(|_| engine.update(FRAME).unwrap());
    assert_eq!(
        engine.propose_groups().unwrap().to_string(),
        "groups that would help, measured in 4 frames\n  \
         engine.group::<(Position, Velocity)>()?: up to 109 look-ups less in a frame\n       \
         owns the pools of Position, Velocity; iterated together by Movement, Gravity\n  \
         engine.group::<(Position, Velocity, Mass)>()?: up to 10 look-ups less in a frame\n       \
         owns the pools of Position, Velocity, Mass; iterated together by Gravity\n  \
         not (Velocity, Mass), up to 9 look-ups in a frame of Gravity:\n       \
         it shares a pool with group (Position, Velocity), and neither contains the other\n"
    );
}

#[test]
fn restored_frames_are_measured_as_well() {
    let mut engine = Engine::new();
    engine.add(Movement).unwrap();
    engine.types_mut().component_by::<Position>("position", |_, _| ()).unwrap();
    engine.types_mut().component_by::<Velocity>("velocity", |_, _| ()).unwrap();
    engine.types_mut().component_by::<Mass>("mass", |_, _| ()).unwrap();
    world(&mut engine);
    let begin = engine.snapshot().unwrap();
    (0..4).for_each(|_| engine.update(FRAME).unwrap());
    let before = engine.propose_groups().unwrap();
    engine.restore(&begin).unwrap();
    assert_eq!(engine.propose_groups().unwrap(), before);
    (0..4).for_each(|_| engine.update(FRAME).unwrap());
    let after = engine.propose_groups().unwrap();
    assert_eq!((after.frames, after.proposals), (8, before.proposals));
}

#[test]
fn aligned_pools_need_no_group() {
    let mut engine = Engine::new();
    engine.add(Movement).unwrap();
    engine.spawn_many((0..100).map(|n| (Position(0.0), Velocity(n as f32))));
    let saved = |engine: &mut Engine| {
        engine.update(FRAME).unwrap();
        let proposals = engine.propose_groups().unwrap();
        let saved = proposals.proposals.iter().map(|proposal| proposal.lookups_saved_per_frame).sum::<u64>();
        saved * proposals.frames
    };
    // The first iteration has no cached alignment.
    assert_eq!([(); 3].map(|()| saved(&mut engine)), [100, 100, 99]);
    engine.spawn((Position(0.0), Velocity(0.0)));
    assert_eq!([(); 3].map(|()| saved(&mut engine)), [200, 200, 198]);
}

#[test]
fn declared_group_is_used_and_no_longer_proposed() {
    let mut engine = Engine::new();
    engine.add(Movement).unwrap().group::<(Position, Velocity)>().unwrap();
    world(&mut engine);
    (0..4).for_each(|_| engine.update(FRAME).unwrap());
    let proposals = engine.propose_groups().unwrap();
    assert_eq!(proposals.to_string(), "no further group would help: no query looked anything up in 4 frames\n");
    let explanation = engine.explain().unwrap();
    assert_eq!(explanation.systems[0].groups, ["(Position, Velocity)"]);
    assert!(explanation.to_string().contains("       iterates group (Position, Velocity)\n"), "{explanation}");
}

#[test]
fn group_members_are_in_front_of_all_pools_in_one_order() {
    let mut engine = Engine::new();
    let lone = engine.spawn((Velocity(9.0),));
    let both = engine.spawn((Position(1.0), Velocity(2.0)));
    engine.group::<(Position, Velocity)>().unwrap();
    let late = engine.spawn((Position(3.0),));
    engine.insert(late, (Velocity(4.0),)).unwrap();
    let query = engine.query::<(EntityId, &Position, &Velocity)>();
    let (ids, positions, velocities) = query.slices().unwrap();
    assert_eq!(ids, [both, late]);
    let values: Vec<_> =
        positions.iter().zip(velocities).map(|(position, velocity)| (position.0, velocity.0)).collect();
    assert_eq!(values, [(1.0, 2.0), (3.0, 4.0)]);
    assert_eq!(engine.components().groups().collect::<Vec<_>>(), [("(Position, Velocity)", 2)]);
    assert_eq!(engine.components().pool::<Velocity>().unwrap().owners(), [both, late, lone]);

    engine.disable_component::<Position>(both).unwrap();
    assert_eq!(engine.query::<(EntityId, &Position, &Velocity)>().slices().unwrap().0, [late]);
    engine.disable(late).unwrap();
    engine.enable_component::<Position>(both).unwrap();
    assert_eq!(engine.query::<(EntityId, &Position, &Velocity)>().slices().unwrap().0, [both]);
    engine.enable(late).unwrap();
    assert_eq!(engine.query::<(EntityId, &Position, &Velocity)>().slices().unwrap().0, [both, late]);
}

#[test]
fn slices_without_a_group_are_an_error_with_the_remedy() {
    let mut engine = Engine::new();
    engine.group::<(Position, Velocity)>().unwrap();
    let error = engine.query::<(&Position, &Mass)>().slices().map(drop).unwrap_err();
    assert!(matches!(error, NotGrouped { .. }));
    let text = error.to_string();
    assert!(
        text.ends_with(
            "declare a group of exactly the components that it requires, with Engine::group, and exclude nothing"
        ),
        "{text}"
    );
    assert!(
        engine.query_filtered::<(&Position, &Velocity), Without<Frozen>>().slices().is_err(),
        "whether Frozen exists or not"
    );
    assert!(engine.query_filtered::<(&Position, &Velocity), With<Mass>>().slices().is_err());
    assert!(engine.query_filtered::<&Position, With<Velocity>>().slices().is_ok_and(<[Position]>::is_empty));
    assert!(
        engine.query::<&mut Mass>().slices_mut().is_ok_and(|masses| masses.is_empty()),
        "one component needs no group"
    );
}

#[test]
fn wider_query_iterates_the_group_first() {
    let mut engine = Engine::new();
    engine.group::<(Position, Velocity)>().unwrap();
    let ids = engine.spawn_many((0..6).map(|n| (Position(n as f32), Velocity(0.0))));
    [4, 1].iter().for_each(|&at| engine.insert(ids[at], (Mass(at as f32), Frozen)).unwrap());
    let query = engine.query_filtered::<(EntityId, &Position, &Velocity, &Mass), With<Frozen>>();
    let mut seen: Vec<_> = query.iter().map(|(id, position, ..)| (id, position.0)).collect();
    seen.sort_by_key(|(id, _)| *id);
    assert_eq!(seen, [(ids[1], 1.0), (ids[4], 4.0)]);
    assert!(query.get(ids[0]).is_none() && query.get(ids[4]).is_some());
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
    let flat: &mut [f32] = Force::peel_slice_mut(forces.slices_mut().unwrap()).as_flattened_mut();
    flat.iter_mut().for_each(|number| *number *= 2.0);
    assert_eq!(flat, [2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
}

#[test]
fn overlapping_groups_are_refused_with_the_remedy() {
    let mut engine = Engine::new();
    engine.group::<(Position, Velocity)>().unwrap().group::<(Mass, Frozen)>().unwrap();
    let error = engine.group::<(Velocity, Force)>().map(drop).unwrap_err();
    assert_eq!(
        error.to_string(),
        "group (Velocity, Force) cannot own Velocity: group (Position, Velocity) owns it, and neither group contains the other; \
         remove one of them, or leave Velocity out of one, whose queries then look it up"
    );
    assert!(matches!(error, Error::Group(GroupError::Conflict { .. })));
    let error = engine.group::<(Velocity, Velocity)>().map(drop).unwrap_err();
    assert!(error.to_string().starts_with("the bundle (Velocity, Velocity) has Velocity twice"), "{error}");
}
