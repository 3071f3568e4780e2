//! Component masks, built at run time, and the entities that match them.

use ecs::{
    Commands, Engine, Entities, EntityId, Error, IncludeDisabled, Query, Setup, Spawner, System, With, Without, World,
    component::{ComponentMask, ComponentNameError},
    query::MaskQuery,
    system::SetupError,
};

use super::FRAME;

#[derive(Debug, PartialEq)]
struct Position(i32);
#[derive(Clone)]
struct Velocity;
#[derive(Clone)]
struct Frozen;

mod render {
    #[derive(Clone)]
    pub(super) struct Position;
}

/// One of many component types.
struct Kind<const N: usize>;

/// Calls `$visit` with each of 300 types.
macro_rules! ten_kinds {
    ($visit:ident, $into:expr, $($tens:literal)*) => {
        $(
            $visit::<{ $tens * 10 }>($into); $visit::<{ $tens * 10 + 1 }>($into); $visit::<{ $tens * 10 + 2 }>($into);
            $visit::<{ $tens * 10 + 3 }>($into); $visit::<{ $tens * 10 + 4 }>($into); $visit::<{ $tens * 10 + 5 }>($into);
            $visit::<{ $tens * 10 + 6 }>($into); $visit::<{ $tens * 10 + 7 }>($into); $visit::<{ $tens * 10 + 8 }>($into);
            $visit::<{ $tens * 10 + 9 }>($into);
        )*
    };
}

/// An engine with one entity per component type, for 300 types. Entity `n` has the types from number `n` on.
fn staircase() -> (Engine, Vec<EntityId>, Vec<ComponentMask>) {
    let mut engine = Engine::new();
    let ids: Vec<_> = (0..300).map(|_| engine.spawn(())).collect();
    let mut masks = Vec::new();
    fn give<const N: usize>((engine, ids, masks): (&mut Engine, &[EntityId], &mut Vec<ComponentMask>)) {
        engine.insert_many(ids[N..].iter().map(|id| (*id, (Kind::<N>,)))).unwrap();
        masks.push(engine.mask_of::<(Kind<N>,)>());
    }
    ten_kinds!(give, (&mut engine, &ids, &mut masks), 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29);
    (engine, ids, masks)
}

#[test]
fn masks_hold_more_than_256_component_types() {
    let (engine, ids, masks) = staircase();
    let of = |at: usize| engine.entities().mask(ids[at]).unwrap().clone();
    assert_eq!((of(63).len(), of(64).len(), of(255).len(), of(299).len()), (64, 65, 256, 300));
    for (smaller, larger) in [(0, 63), (63, 64), (64, 255), (255, 256), (256, 299)] {
        assert!(of(smaller).is_subset(&of(larger)) && !of(larger).is_subset(&of(smaller)));
        assert!(of(larger).contains(masks[larger].iter().next().unwrap()));
        assert!(of(smaller).is_disjoint(&masks[larger]) && !of(larger).is_disjoint(&masks[smaller]));
        assert_eq!((&of(larger) - &of(smaller)).len(), larger - smaller);
        assert_eq!(&of(larger) & &of(smaller), of(smaller));
        assert_eq!(&of(larger) | &of(smaller), of(larger));
    }
}

#[test]
fn entities_are_found_by_types_beyond_the_256th() {
    let (engine, ids, masks) = staircase();
    for (has, has_not) in [(0, 1), (63, 64), (64, 128), (200, 256), (256, 299)] {
        let query = MaskQuery::new(masks[has].clone()).without(&masks[has_not]);
        assert_eq!(engine.matching(&query), ids[has..has_not]);
    }
    assert_eq!(engine.matching(&MaskQuery::new(&masks[298] | &masks[7])), ids[298..]);
    let last = &engine.inspect(ids[299]).unwrap().components[299];
    assert!(last.name.starts_with("Kind<299"), "{}", last.name);
}

/// Three moving entities, of which the second is frozen and the third disabled, and one that does not move.
fn crowd() -> (Engine, [EntityId; 4]) {
    let mut engine = Engine::new();
    let free = engine.spawn((Position(0), Velocity));
    let frozen = engine.spawn((Position(1), Velocity, Frozen));
    let away = engine.spawn((Position(2), Velocity));
    let still = engine.spawn((Position(3),));
    engine.disable(away).unwrap();
    (engine, [free, frozen, away, still])
}

#[test]
fn mask_of_a_query_names_what_it_requires_and_excludes() {
    let (mut engine, [free, frozen, away, _]) = crowd();
    type Filter = (Without<Frozen>, With<Velocity>);
    let query = engine.mask_query::<(EntityId, &mut Position, Option<&String>), Filter>();
    assert_eq!(query.names(engine.components()).to_string(), "all of {Position, Velocity}, none of {Frozen}");
    assert_eq!(engine.matching(&query), [free]);
    let all = engine.mask_query::<&Velocity, IncludeDisabled>();
    assert_eq!(format!("{:?}", all.names(engine.components())), "all of {Velocity}, disabled ones too");
    assert_eq!(engine.matching(&all), [free, away, frozen], "kind by kind");
    assert!(query.required.is_subset(engine.entities().mask(away).unwrap()));
}

#[test]
fn matching_skips_disabled_entities_unless_included() {
    let (mut engine, [free, frozen, away, still]) = crowd();
    let moving = MaskQuery::new(engine.mask_of::<(Velocity, Position)>());
    assert_eq!(engine.matching(&moving), [free, frozen]);
    assert_eq!(engine.matching(&moving.clone().include_disabled()), [free, away, frozen]);
    engine.disable_component::<Velocity>(free).unwrap();
    assert_eq!(engine.matching(&moving), [frozen]);
    let resting = MaskQuery::new(engine.mask_of::<(Position,)>()).without(&moving.required);
    assert!(engine.matching(&resting).is_empty(), "all have one of the excluded components");
    let resting = MaskQuery::new(engine.mask_of::<(Position,)>()).without(&engine.mask_of::<(Velocity,)>());
    assert_eq!(engine.matching(&resting), [still, free], "disabled components count as absent");
    assert_eq!(engine.matching(&resting.include_disabled()), [still]);
}

#[test]
fn query_without_required_components_matches_all() {
    let (engine, [free, frozen, away, still]) = crowd();
    assert_eq!(engine.matching(&MaskQuery::default()), [free, frozen, still]);
    assert_eq!(engine.matching(&MaskQuery::default().include_disabled()), [free, away, frozen, still]);
}

#[test]
fn mask_of_an_unused_type_matches_nothing() {
    let (mut engine, _) = crowd();
    let query = MaskQuery::new(engine.mask_of::<(String, Position)>());
    assert!(engine.matching(&query).is_empty());
    let (_, _, masks) = staircase();
    assert!(
        engine.matching(&masks[299].clone().into()).is_empty(),
        "a mask of another engine names types that are unknown here"
    );
}

#[test]
fn masks_are_built_from_ids_and_names() {
    let (mut engine, [_, frozen, ..]) = crowd();
    let types = engine.mask_of::<(Velocity, Frozen)>();
    let components = engine.components();
    let ids = [components.id_of::<Frozen>().unwrap(), components.id_of::<Velocity>().unwrap()];
    assert_eq!(ids.into_iter().collect::<ComponentMask>(), types);
    assert_eq!(components.mask_by_names(["Frozen", "Velocity"]), Ok(types.clone()));
    assert_eq!(engine.matching(&types.clone().into()), [frozen]);
    assert_eq!(types.names(components).to_string(), "{Velocity, Frozen}");
    assert_eq!(types.names(components).iter().collect::<Vec<_>>(), ["Velocity", "Frozen"]);
}

#[test]
fn unknown_or_ambiguous_component_name_is_an_error() {
    let (mut engine, [.., still]) = crowd();
    let unknown = engine.components().mask_by_names(["Position", "Positon"]).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "no component is named Positon: write its registered name or its type, which the engine must have met before"
    );
    engine.insert(still, (render::Position,)).unwrap();
    let ambiguous = engine.components().id_by_name("Position").unwrap_err();
    assert_eq!(
        ambiguous.to_string(),
        "several components are named Position: write world::designs::masks::Position or world::designs::masks::render::Position, or register them under names of their own"
    );
    let ComponentNameError::Ambiguous { paths, .. } = ambiguous else { panic!("{ambiguous}") };
    assert_eq!(engine.components().id_by_name(paths[1]), Ok(engine.components().id_of::<render::Position>().unwrap()));
    engine.types_mut().component_by::<render::Position>("pixel", |_, _| {}).unwrap();
    let pixel = engine.components().id_of::<render::Position>().unwrap();
    assert_eq!(engine.components().id_by_name("pixel"), Ok(pixel));
}

#[test]
fn registered_name_takes_precedence_over_a_type_of_that_name() {
    let (mut engine, _) = crowd();
    let types = engine.mask_of::<(Velocity, Position)>();
    assert_eq!(types.names(engine.components()).to_string(), "{Position, Velocity}");
    engine.types_mut().component_by::<Velocity>("Position", |_, _| {}).unwrap();
    let components = engine.components();
    assert_eq!(components.id_by_name("Position"), Ok(components.id_of::<Velocity>().unwrap()));
    engine.types_mut().component_by::<Frozen>("frozen", |_, _| {}).unwrap();
    assert!(engine.components().mask_by_names(["frozen", "Frozen"]).is_ok(), "its type is a name as well");
    // Of a type that is registered and that the engine has not met.
    engine.types_mut().component_by::<u8>("age", |_, _| {}).unwrap();
    assert!(engine.components().id_by_name("age").is_err());
    let aged = engine.spawn((1_u8,));
    let age = engine.components().mask_by_names(["age"]).unwrap();
    assert_eq!(engine.matching(&age.into()), [aged]);
}

/// Despawns all matching entities and counts them.
struct Sweeper(MaskQuery, usize);

impl System for Sweeper {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::sweep).update_exclusive(Self::count);
    }
}

impl Sweeper {
    fn sweep(&mut self, entities: Entities, mut commands: Commands, _positions: Query<&mut Position>) {
        commands.despawn_many(entities.matching(&self.0));
        for entity in entities.matching(&self.0) {
            let mask = entities.mask(entity).unwrap();
            assert!(self.0.required.is_subset(mask) && entities.contains(entity));
            assert_eq!(entities.is_enabled(entity), Some(true));
        }
    }

    fn count(&mut self, world: &mut World) {
        self.1 = world.matching(&self.0).len();
    }
}

#[test]
fn systems_query_entities_by_mask() {
    let (mut engine, [free, frozen, away, still]) = crowd();
    let moving = MaskQuery::new(engine.mask_of::<(Velocity,)>());
    engine.add(Sweeper(moving, 0)).unwrap().update(FRAME).unwrap();
    assert_eq!(engine.system::<Sweeper>().unwrap().1, 2);
    assert!(!engine.contains(free) && !engine.contains(frozen));
    assert!(engine.contains(away) && engine.contains(still));
}

#[test]
fn method_with_entities_and_spawner_is_refused() {
    fn both(_: Entities, _: Spawner) {}
    let error = Engine::new().run(both).unwrap_err();
    assert!(matches!(error, Error::Setup(SetupError::Conflict { .. })), "{error}");
}

#[test]
fn matches_are_in_the_order_of_the_shortest_pool() {
    let mut engine = Engine::new();
    let ids = engine.spawn_many((0..6).map(|n| (Position(n),)));
    for at in [4, 1, 3] {
        engine.insert(ids[at], (Velocity,)).unwrap();
    }
    let query = engine.mask_query::<(&Position, &Velocity), ()>();
    assert_eq!(engine.matching(&query), [ids[4], ids[1], ids[3]]);
    let typed: Vec<_> = engine.query::<(EntityId, &Position, &Velocity)>().iter().map(|(id, ..)| id).collect();
    assert_eq!(engine.matching(&query), typed);
}

#[test]
fn order_of_matches_does_not_depend_on_the_order_in_which_types_were_met() {
    struct Late<const N: usize>;
    let matches = |meet: fn(&mut Engine)| {
        let mut engine = Engine::new();
        meet(&mut engine);
        let ids: Vec<_> = (0..4).map(|n| engine.spawn((Position(n),))).collect();
        for entity in &ids {
            engine.insert(*entity, (Late::<0>,)).unwrap();
        }
        for entity in ids.iter().rev() {
            engine.insert(*entity, (Late::<1>,)).unwrap();
        }
        let both = engine.mask_of::<(Late<0>, Late<1>)>();
        engine.matching(&MaskQuery::new(both))
    };
    let one = matches(|engine| _ = engine.mask_of::<(Late<0>, Late<1>)>());
    let other = matches(|engine| _ = engine.mask_of::<(Late<1>, Late<0>)>());
    assert_eq!(one, other);
}
