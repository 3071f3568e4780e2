//! Disabled entities and components are skipped everywhere unless included.

use ecs::query::{GetManyError, SingleError};
use ecs::{Engine, EntityId, IncludeDisabled, Query, With, Without};

use super::log::{self, FRAME, Log};
use ecs::{Commands, ResMut, Setup, System};

#[derive(Debug, PartialEq, Clone, Copy)]
struct A(i32);
#[derive(Debug, PartialEq, Clone, Copy)]
struct B(i32);

/// Three entities with both components: the first enabled, the second with `B` disabled, the third disabled.
fn three() -> (Engine, [EntityId; 3]) {
    let mut engine = Engine::new();
    let all = [0, 1, 2].map(|n| engine.spawn((A(n), B(n))));
    engine.disable_component::<B>(all[1]).unwrap();
    engine.disable(all[2]).unwrap();
    (engine, all)
}

fn sorted(ids: impl Iterator<Item = EntityId>) -> Vec<EntityId> {
    let mut ids: Vec<_> = ids.collect();
    ids.sort();
    ids
}

#[test]
fn queries_skip_disabled_entities_and_components() {
    let (mut engine, [plain, b_off, _off]) = three();
    let owners = |engine: &mut Engine| sorted(engine.query::<(EntityId, &A)>().iter().map(|(id, _)| id));
    assert_eq!(owners(&mut engine), [plain, b_off]);
    assert_eq!(sorted(engine.query::<(EntityId, &B)>().iter().map(|(id, _)| id)), [plain]);
    assert_eq!(sorted(engine.query::<(EntityId, &A, &mut B)>().iter_mut().map(|(id, ..)| id)), [plain]);
    assert_eq!(sorted(engine.query::<EntityId>().iter()), [plain, b_off]);
}

#[test]
fn optional_components_are_none_while_disabled() {
    let (mut engine, [plain, b_off, off]) = three();
    let query = engine.query::<(EntityId, Option<&B>)>();
    let mut seen: Vec<_> = query.iter().map(|(id, b)| (id, b.copied())).collect();
    seen.sort_by_key(|(id, _)| *id);
    assert_eq!(seen, [(plain, Some(B(0))), (b_off, None)]);
    assert_eq!(query.get(off), None);
    assert_eq!(query.get(b_off), Some((b_off, None)));
}

#[test]
fn with_and_without_see_disabled_components_as_absent() {
    let (mut engine, [plain, b_off, _off]) = three();
    assert_eq!(sorted(engine.query_filtered::<EntityId, With<B>>().iter()), [plain]);
    assert_eq!(sorted(engine.query_filtered::<EntityId, Without<B>>().iter()), [b_off]);
    assert_eq!(engine.query_filtered::<&A, Without<B>>().single(), Ok(&A(1)));
    assert_eq!(engine.query_filtered::<&A, With<B>>().single(), Ok(&A(0)));
}

#[test]
fn include_disabled_yields_all() {
    let (mut engine, all) = three();
    assert_eq!(sorted(engine.query_filtered::<EntityId, IncludeDisabled>().iter()), all);
    assert_eq!(sorted(engine.query_filtered::<EntityId, (With<B>, IncludeDisabled)>().iter()), all);
    assert!(engine.query_filtered::<EntityId, (IncludeDisabled, Without<B>)>().is_empty());
    let query = engine.query_filtered::<(EntityId, &A, Option<&B>), IncludeDisabled>();
    assert!(query.iter().all(|(_, a, b)| b.is_some_and(|b| b.0 == a.0)));
    assert_eq!(query.count(), 3);
    assert_eq!(query.get(all[2]), Some((all[2], &A(2), Some(&B(2)))));
}

#[test]
fn query_get_skips_disabled() {
    let (mut engine, [plain, b_off, off]) = three();
    let mut query = engine.query::<&mut B>();
    assert!(query.contains(plain) && !query.contains(b_off) && !query.contains(off));
    assert_eq!(query.get_mut(b_off), None);
    assert_eq!(query.get_mut(off), None);
    assert_eq!(query.get_many_mut([plain, b_off]), Err(GetManyError::NoMatch(b_off)));
    assert_eq!(query.get_many_mut([off, plain]), Err(GetManyError::NoMatch(off)));
}

#[test]
fn engine_get_returns_disabled_components() {
    let (mut engine, [_, b_off, off]) = three();
    assert_eq!(engine.get::<B>(b_off), Some(&B(1)));
    assert_eq!(engine.get_mut::<A>(off), Some(&mut A(2)));
    assert!(engine.has::<B>(b_off) && engine.has::<B>(off) && engine.contains(off));
}

#[test]
fn single_counts_only_enabled() {
    let (mut engine, [plain, ..]) = three();
    assert_eq!(engine.query::<&B>().single(), Ok(&B(0)));
    assert_eq!(engine.query_filtered::<&B, IncludeDisabled>().single(), Err(SingleError::Several));
    engine.disable(plain).unwrap();
    assert_eq!(engine.query::<&mut B>().single_mut(), Err(SingleError::None));
}

#[test]
fn slices_hold_enabled_rows_and_disabled_ones_behind_them_if_included() {
    let (mut engine, [plain, b_off, off]) = three();
    let query = engine.query::<&B>();
    assert!(query.slices().flatten().eq([&B(0)]));
    let mut query = engine.query_filtered::<(EntityId, &mut B), IncludeDisabled>();
    let mut owners = Vec::new();
    for (ids, values) in query.slices_mut() {
        owners.extend(ids);
        values.iter_mut().for_each(|b| b.0 += 10);
    }
    assert_eq!(owners[0], plain);
    assert_eq!(sorted(owners.into_iter()), [plain, b_off, off]);
    assert_eq!(engine.get::<B>(off), Some(&B(12)));
}

#[test]
fn disabled_component_stays_disabled_when_its_entity_is_enabled() {
    let (mut engine, [_, b_off, off]) = three();
    engine.disable(b_off).unwrap();
    engine.disable_component::<A>(off).unwrap();
    engine.enable(b_off).unwrap();
    engine.enable(off).unwrap();
    assert!(!engine.query::<&B>().contains(b_off), "it was disabled before its entity");
    assert!(engine.query::<&A>().contains(b_off));
    assert!(!engine.query::<&A>().contains(off), "it was disabled while its entity was disabled");
    assert!(engine.query::<&B>().contains(off));
    engine.enable_component::<B>(b_off).unwrap();
    assert!(engine.query::<&B>().contains(b_off));
}

#[test]
fn component_enabled_in_a_disabled_entity_is_visible_once_the_entity_is_enabled() {
    let (mut engine, [_, _, off]) = three();
    engine.disable_component::<B>(off).unwrap();
    engine.enable_component::<B>(off).unwrap();
    assert!(!engine.query::<&B>().contains(off));
    engine.enable(off).unwrap();
    assert!(engine.query::<&B>().contains(off));
}

#[test]
fn replaced_component_stays_disabled_and_a_reinserted_one_is_enabled() {
    let (mut engine, [_, b_off, off]) = three();
    engine.insert(b_off, (B(8),)).unwrap();
    assert_eq!(engine.get::<B>(b_off), Some(&B(8)));
    assert!(!engine.query::<&B>().contains(b_off));
    engine.remove::<B>(b_off).unwrap();
    engine.insert(b_off, (B(9),)).unwrap();
    assert_eq!(engine.query::<&B>().get(b_off), Some(&B(9)));
    engine.insert(off, ('x',)).unwrap();
    assert!(!engine.query::<&char>().contains(off), "a component inserted into a disabled entity is disabled with it");
    engine.enable(off).unwrap();
    assert!(engine.query::<&char>().contains(off));
}

#[test]
fn toggling_twice_is_no_error_and_changes_nothing() {
    let (mut engine, [plain, ..]) = three();
    for _ in 0..2 {
        engine.disable(plain).unwrap();
        engine.disable_component::<A>(plain).unwrap();
    }
    assert_eq!(engine.entities().is_enabled(plain), Some(false));
    for _ in 0..2 {
        engine.enable(plain).unwrap();
        engine.enable_component::<A>(plain).unwrap();
    }
    assert_eq!(engine.query::<(&A, &B)>().get(plain), Some((&A(0), &B(0))));
}

#[test]
fn despawn_of_a_disabled_entity_keeps_the_others() {
    let (mut engine, [plain, b_off, off]) = three();
    engine.despawn(off).unwrap();
    engine.despawn(b_off).unwrap();
    assert_eq!(engine.query::<(EntityId, &A, &B)>().single(), Ok((plain, &A(0), &B(0))));
    assert_eq!(engine.query_filtered::<&A, IncludeDisabled>().count(), 1);
}

#[test]
fn read_only_queries_follow_the_same_rules() {
    let (engine, [plain, b_off, off]) = three();
    let mut enabled = Vec::new();
    engine.read::<(EntityId, &A)>().for_each(|(id, _)| enabled.push(id));
    assert_eq!(sorted(enabled.into_iter()), [plain, b_off]);
    let all = engine.read_filtered::<&A, IncludeDisabled>();
    assert_eq!(all.get(off), Some(&A(2)));
    assert_eq!(all.count(), 3);
}

struct Toggler(EntityId);

impl System for Toggler {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::disable).post_update(Self::count);
    }
}

impl Toggler {
    fn disable(&mut self, mut commands: Commands) {
        commands.disable(self.0);
        commands.disable_component::<B>(self.0);
    }

    fn count(&mut self, enabled: Query<&A>, mut log: ResMut<Log>) {
        log.note(enabled.contains(self.0));
    }
}

#[test]
fn toggling_by_command_takes_effect_at_the_end_of_the_frame() {
    let mut engine = log::engine();
    let entity = engine.spawn((A(1), B(1)));
    engine.add(Toggler(entity)).unwrap();
    assert_eq!(log::frame(&mut engine), "true");
    assert_eq!(log::frame(&mut engine), "false");
    engine.disable_system::<Toggler>().unwrap();
    engine.enable(entity).unwrap();
    engine.update(FRAME).unwrap();
    assert!(engine.query::<&A>().contains(entity) && !engine.query::<&B>().contains(entity));
}
