//! Changes of many entities at once against the same changes one after the other: ids, pools, groups and events are equal.

use std::time::Duration;

use ecs::{Added, Commands, Despawned, Engine, EntityId, Removed, Setup, Spawned, System};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq)]
struct A(u32);
#[derive(Clone, Debug, PartialEq)]
struct B(String);
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tag;

#[derive(Clone, Debug)]
enum Change {
    Spawn(u32, u32),
    SpawnTwins(u32),
    SpawnColumns(u32, u32),
    SpawnTagged(u32),
    Despawn(Vec<usize>),
    InsertA(Vec<usize>, u32),
    InsertBoth(Vec<usize>, u32),
    RemoveA(Vec<usize>),
    RemoveTag(Vec<usize>),
    DisableB(usize),
    Disable(usize),
    Enable(usize),
}

fn change() -> impl Strategy<Value = Change> {
    let who = || prop::collection::vec(0..60_usize, 0..20);
    prop_oneof![
        4 => (0..12_u32, any::<u32>()).prop_map(|(count, first)| Change::Spawn(count, first % 1000)),
        1 => (0..5_u32).prop_map(Change::SpawnTwins),
        3 => (0..12_u32, any::<u32>()).prop_map(|(count, first)| Change::SpawnColumns(count, first % 1000)),
        2 => (0..9_u32).prop_map(Change::SpawnTagged),
        3 => who().prop_map(Change::Despawn),
        2 => (who(), any::<u32>()).prop_map(|(who, value)| Change::InsertA(who, value)),
        2 => (who(), any::<u32>()).prop_map(|(who, value)| Change::InsertBoth(who, value)),
        2 => who().prop_map(Change::RemoveA),
        2 => who().prop_map(Change::RemoveTag),
        2 => (0..60_usize).prop_map(Change::DisableB),
        2 => (0..60_usize).prop_map(Change::Disable),
        1 => (0..60_usize).prop_map(Change::Enable),
    ]
}

/// Writes down what it hears.
#[derive(Default)]
struct Ear(Vec<String>);

impl System for Ear {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_spawned).listen(Self::on_despawned).listen(Self::on_added).listen(Self::on_removed);
    }
}

impl Ear {
    fn on_spawned(&mut self, event: &Spawned) {
        self.0.push(format!("{event:?}"));
    }

    fn on_despawned(&mut self, event: &Despawned) {
        self.0.push(format!("{event:?}"));
    }

    fn on_added(&mut self, event: &Added<Tag>) {
        self.0.push(format!("added {}", event.entity));
    }

    fn on_removed(&mut self, event: &Removed<A>) {
        self.0.push(format!("{event:?}"));
    }
}

fn a_and_b(n: u32) -> (A, B) {
    (A(n), B(n.to_string()))
}

/// Those of the entities that are meant.
fn named(who: &[usize], ids: &[EntityId]) -> Vec<EntityId> {
    who.iter().filter_map(|who| ids.get(who % ids.len().max(1)).copied()).collect()
}

/// Makes a change with the operations for many; what came of it as a text.
fn at_once(engine: &mut Engine, change: &Change, ids: &mut Vec<EntityId>) -> String {
    match change {
        Change::Spawn(count, first) => ids.extend(engine.spawn_many((*first..first + count).map(a_and_b))),
        Change::SpawnTwins(count) => ids.extend(engine.spawn_many((0..*count).map(|n| (A(n), Tag, A(n + 1))))),
        Change::SpawnColumns(count, first) => {
            let (a, b): (Vec<A>, Vec<B>) = (*first..first + count).map(a_and_b).unzip();
            ids.extend(engine.spawn_columns((b, a, vec![Tag; *count as usize])).unwrap());
        }
        Change::SpawnTagged(count) => ids.extend(engine.spawn_many((0..*count).map(|_| (Tag,)))),
        Change::Despawn(who) => return came_of(engine.despawn_many(named(who, ids))),
        Change::InsertA(who, value) => {
            return came_of(engine.insert_many(named(who, ids).into_iter().map(|id| (id, (A(*value),)))));
        }
        Change::InsertBoth(who, value) => {
            return came_of(engine.insert_many(named(who, ids).into_iter().map(|id| (id, a_and_b(*value)))));
        }
        Change::RemoveA(who) => return came_of(engine.remove_many::<A>(named(who, ids))),
        Change::RemoveTag(who) => return came_of(engine.remove_many::<Tag>(named(who, ids))),
        Change::DisableB(who) => named(&[*who], ids).into_iter().for_each(|id| _ = engine.disable_component::<B>(id)),
        Change::Disable(who) => named(&[*who], ids).into_iter().for_each(|id| _ = engine.disable(id)),
        Change::Enable(who) => named(&[*who], ids).into_iter().for_each(|id| _ = engine.enable(id)),
    }
    DONE.to_owned()
}

/// What came of a change that nothing can be wrong with.
const DONE: &str = "done";

fn came_of<E: std::fmt::Display>(outcome: Result<(), E>) -> String {
    outcome.map_or_else(|error| error.to_string(), |()| DONE.to_owned())
}

/// The first failure, when all was tried.
fn first_failure<E: std::fmt::Display>(outcomes: impl Iterator<Item = Result<(), E>>) -> String {
    came_of(outcomes.fold(Ok(()), Result::and))
}

/// Makes the same change by one command where there is one for it.
fn by_command(engine: &mut Engine, change: &Change, ids: &mut Vec<EntityId>) -> String {
    use Change::{Despawn, InsertA, InsertBoth, RemoveA, RemoveTag};
    if !matches!(change, Despawn(_) | InsertA(..) | InsertBoth(..) | RemoveA(_) | RemoveTag(_)) {
        return at_once(engine, change, ids);
    }
    let (change, known) = (change.clone(), ids.clone());
    let asked = move |mut commands: Commands| match &change {
        Change::Despawn(who) => commands.despawn_many(named(who, &known)),
        Change::InsertA(who, value) => {
            commands.insert_many(named(who, &known).into_iter().map(|id| (id, (A(*value),))));
        }
        Change::InsertBoth(who, value) => {
            commands.insert_many(named(who, &known).into_iter().map(|id| (id, a_and_b(*value))));
        }
        Change::RemoveA(who) => commands.remove_many::<A>(named(who, &known)),
        Change::RemoveTag(who) => commands.remove_many::<Tag>(named(who, &known)),
        other => unreachable!("{other:?} has no command for many"),
    };
    came_of(engine.run(asked))
}

/// Makes the same change one entity after the other.
fn one_by_one(engine: &mut Engine, change: &Change, ids: &mut Vec<EntityId>) -> String {
    match change {
        Change::Spawn(count, first) => (*first..first + count).for_each(|n| ids.push(engine.spawn(a_and_b(n)))),
        Change::SpawnTwins(count) => (0..*count).for_each(|n| ids.push(engine.spawn((A(n), Tag, A(n + 1))))),
        Change::SpawnColumns(count, first) => (*first..first + count).for_each(|n| {
            let (a, b) = a_and_b(n);
            ids.push(engine.spawn((b, a, Tag)));
        }),
        Change::SpawnTagged(count) => (0..*count).for_each(|_| ids.push(engine.spawn((Tag,)))),
        Change::Despawn(who) => return first_failure(named(who, ids).into_iter().map(|id| engine.despawn(id))),
        Change::InsertA(who, value) => {
            return first_failure(named(who, ids).into_iter().map(|id| engine.insert(id, (A(*value),))));
        }
        Change::InsertBoth(who, value) => {
            return first_failure(named(who, ids).into_iter().map(|id| engine.insert(id, a_and_b(*value))));
        }
        Change::RemoveA(who) => {
            return first_failure(named(who, ids).into_iter().map(|id| engine.remove::<A>(id).map(drop)));
        }
        Change::RemoveTag(who) => {
            return first_failure(named(who, ids).into_iter().map(|id| engine.remove::<Tag>(id).map(drop)));
        }
        other => return at_once(engine, other, ids),
    }
    DONE.to_owned()
}

/// Everything that can be seen: entities, owners and values in their order, groups.
fn picture(engine: &Engine) -> String {
    let components = engine.components();
    let mut picture = format!("{:?}", engine.entities().iter().collect::<Vec<_>>());
    if let Some(pool) = components.pool::<A>() {
        picture += &format!("A {:?} {:?} of {}", pool.owners(), pool.values(), pool.len());
    }
    if let Some(pool) = components.pool::<B>() {
        picture += &format!("B {:?} {:?} of {}", pool.owners(), pool.values(), pool.len());
    }
    if let Some(pool) = components.pool::<Tag>() {
        picture += &format!("Tag {:?} of {}", pool.owners(), pool.len());
    }
    picture + &format!("{:?}", components.groups().collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn many_at_once_is_the_same_as_one_by_one(
        is_heard in any::<bool>(),
        groups in 0..4,
        changes in prop::collection::vec(change(), 1..60),
    ) {
        let mut engines = [Engine::new(), Engine::new(), Engine::new()];
        let mut ids = [Vec::new(), Vec::new(), Vec::new()];
        for engine in &mut engines {
            // So that both meet the types in the same order, also where there is nothing to spawn.
            engine.query::<(&A, &B, &Tag)>();
            if groups & 1 != 0 {
                engine.group::<(A, B)>().unwrap();
            }
            if groups & 2 != 0 {
                engine.group::<(A, B, Tag)>().unwrap();
            }
            if is_heard {
                engine.add(Ear::default()).unwrap();
            }
        }
        let [many, asked, single] = &mut engines;
        for change in &changes {
            let came_of_it = one_by_one(single, change, &mut ids[0]);
            prop_assert_eq!(at_once(many, change, &mut ids[1]), &*came_of_it, "{:?}", change);
            prop_assert_eq!(by_command(asked, change, &mut ids[2]), &*came_of_it, "{:?}", change);
            prop_assert_eq!(&ids[0], &ids[1]);
            prop_assert_eq!(&ids[0], &ids[2]);
            prop_assert_eq!(picture(many), picture(single));
            prop_assert_eq!(picture(asked), picture(single));
        }
        if is_heard {
            for engine in &mut engines {
                engine.update(Duration::ZERO).unwrap();
            }
            let [many, asked, single] = engines.each_ref().map(|engine| &engine.system::<Ear>().unwrap().0);
            prop_assert_eq!(many, single);
            prop_assert_eq!(asked, single);
        }
    }
}
