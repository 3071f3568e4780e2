//! Queries by type, queries by mask and `IncludeDisabled` agree with each other and with a model after random toggles.

use std::collections::{BTreeMap, BTreeSet};

use ecs::{Component, Engine, EntityId, IncludeDisabled, With, Without, component::ComponentMask, query::MaskQuery};
use proptest::prelude::*;

struct A;
struct B(#[allow(dead_code)] String);
struct C(#[allow(dead_code)] u8);

/// A change of one entity, which is named by its number in the order of spawning.
#[derive(Clone, Copy, Debug)]
enum Change {
    Spawn,
    Despawn(usize),
    Toggle(usize),
    Insert(usize, usize),
    Remove(usize, usize),
    ToggleComponent(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let (entity, component) = (0_usize..40, 0_usize..3);
    prop_oneof![
        3 => Just(Change::Spawn),
        1 => entity.clone().prop_map(Change::Despawn),
        3 => entity.clone().prop_map(Change::Toggle),
        6 => (entity.clone(), component.clone()).prop_map(|(entity, component)| Change::Insert(entity, component)),
        1 => (entity.clone(), component.clone()).prop_map(|(entity, component)| Change::Remove(entity, component)),
        5 => (entity, component).prop_map(|(entity, component)| Change::ToggleComponent(entity, component)),
    ]
}

#[derive(Default)]
struct Model {
    spawned: Vec<EntityId>,
    /// Whether each entity is enabled, and whether each of its components is; `None` for components that it lacks.
    entities: BTreeMap<EntityId, (bool, [Option<bool>; 3])>,
}

impl Model {
    fn has(&self, entity: EntityId, component: usize, with_disabled: bool) -> bool {
        let (is_enabled, components) = self.entities[&entity];
        components[component].is_some_and(|on| with_disabled || on && is_enabled)
    }

    /// The entities with all components in `required` and none in `excluded`.
    fn matching(&self, required: &[usize], excluded: &[usize], with_disabled: bool) -> BTreeSet<EntityId> {
        let all = self.entities.iter().filter(|(_, (is_enabled, _))| *is_enabled || with_disabled);
        let all = all.map(|(entity, _)| *entity);
        all.filter(|entity| required.iter().all(|at| self.has(*entity, *at, with_disabled)))
            .filter(|entity| !excluded.iter().any(|at| self.has(*entity, *at, with_disabled)))
            .collect()
    }
}

fn toggle<T: Component>(engine: &mut Engine, entity: EntityId, on: bool) {
    let toggled = if on { engine.enable_component::<T>(entity) } else { engine.disable_component::<T>(entity) };
    toggled.unwrap();
}

fn apply(change: Change, engine: &mut Engine, model: &mut Model) {
    let at = match change {
        Change::Spawn => {
            let entity = engine.spawn(());
            model.spawned.push(entity);
            model.entities.insert(entity, (true, [None; 3]));
            return;
        }
        Change::Despawn(at) | Change::Toggle(at) => at,
        Change::Insert(at, _) | Change::Remove(at, _) | Change::ToggleComponent(at, _) => at,
    };
    let Some(entity) = model.spawned.get(at).copied() else { return };
    let Some((is_enabled, components)) = model.entities.get_mut(&entity) else { return };
    match change {
        Change::Spawn => {}
        Change::Despawn(_) => {
            engine.despawn(entity).unwrap();
            model.entities.remove(&entity);
        }
        Change::Toggle(_) => {
            *is_enabled = !*is_enabled;
            if *is_enabled { engine.enable(entity) } else { engine.disable(entity) }.unwrap();
        }
        Change::Insert(_, component) => {
            match component {
                0 => engine.insert(entity, (A,)),
                1 => engine.insert(entity, (B("b".to_owned()),)),
                _ => engine.insert(entity, (C(1),)),
            }
            .unwrap();
            components[component].get_or_insert(true);
        }
        Change::Remove(_, component) => {
            let removed = match component {
                0 => engine.remove::<A>(entity),
                1 => engine.remove::<B>(entity),
                _ => engine.remove::<C>(entity),
            };
            assert_eq!(removed.is_ok(), components[component].take().is_some());
        }
        Change::ToggleComponent(_, component) => {
            let Some(on) = &mut components[component] else { return };
            *on = !*on;
            [toggle::<A>, toggle::<B>, toggle::<C>][component](engine, entity, *on);
        }
    }
}

fn set(entities: impl IntoIterator<Item = EntityId>) -> BTreeSet<EntityId> {
    entities.into_iter().collect()
}

proptest! {
    #[test]
    fn queries_and_masks_agree_after_random_toggles(changes in prop::collection::vec(change(), 0..150)) {
        let mut engine = Engine::new();
        let kinds = [engine.mask_of::<(A,)>(), engine.mask_of::<(B,)>(), engine.mask_of::<(C,)>()];
        let mut model = Model::default();
        for change in changes {
            apply(change, &mut engine, &mut model);
        }
        let mask = |at: &[usize]| at.iter().fold(ComponentMask::default(), |mask, at| &mask | &kinds[*at]);
        for choice in 0..27_usize {
            let part = |wanted: usize| (0..3).filter(|at| choice / 3_usize.pow(*at) % 3 == wanted).map(|at| at as usize).collect::<Vec<_>>();
            let (required, excluded) = (part(1), part(2));
            let query = MaskQuery::new(mask(&required)).without(&mask(&excluded));
            let found = engine.matching(&query);
            prop_assert_eq!(set(found.iter().copied()), model.matching(&required, &excluded, false));
            prop_assert_eq!(found.len(), set(found.iter().copied()).len(), "an entity is returned twice");
            let found = engine.matching(&query.include_disabled());
            prop_assert_eq!(set(found.iter().copied()), model.matching(&required, &excluded, true));
            prop_assert_eq!(found.len(), set(found.iter().copied()).len(), "an entity is returned twice");
        }
        prop_assert_eq!(set(engine.query_filtered::<EntityId, (With<A>, With<B>)>().iter()), model.matching(&[0, 1], &[], false));
        prop_assert_eq!(set(engine.query_filtered::<EntityId, (With<A>, Without<C>)>().iter()), model.matching(&[0], &[2], false));
        prop_assert_eq!(set(engine.query_filtered::<EntityId, (With<C>, Without<B>, IncludeDisabled)>().iter()), model.matching(&[2], &[1], true));
        for (entity, (is_enabled, components)) in &model.entities {
            let info = engine.inspect(*entity).unwrap();
            prop_assert_eq!(info.is_enabled, *is_enabled);
            let toggles: Vec<_> = info.components.iter().map(|component| (component.name, component.is_enabled)).collect();
            let expected = ["A", "B", "C"].into_iter().zip(components).filter_map(|(name, on)| Some((name, (*on)?)));
            prop_assert_eq!(toggles, expected.collect::<Vec<_>>());
        }
    }
}
