//! Bulk changes compared with the same changes one by one: ids, pools and events are equal.

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
    let targets = || prop::collection::vec(0..60_usize, 0..20);
    prop_oneof![
        4 => (0..12_u32, any::<u32>()).prop_map(|(count, first)| Change::Spawn(count, first % 1000)),
        3 => (0..12_u32, any::<u32>()).prop_map(|(count, first)| Change::SpawnColumns(count, first % 1000)),
        2 => (0..9_u32).prop_map(Change::SpawnTagged),
        3 => targets().prop_map(Change::Despawn),
        2 => (targets(), any::<u32>()).prop_map(|(targets, value)| Change::InsertA(targets, value)),
        2 => (targets(), any::<u32>()).prop_map(|(targets, value)| Change::InsertBoth(targets, value)),
        2 => targets().prop_map(Change::RemoveA),
        2 => targets().prop_map(Change::RemoveTag),
        2 => (0..60_usize).prop_map(Change::DisableB),
        2 => (0..60_usize).prop_map(Change::Disable),
        1 => (0..60_usize).prop_map(Change::Enable),
    ]
}

/// Logs the events that it receives.
#[derive(Default)]
struct Listener(Vec<String>);

impl System for Listener {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_spawned).listen(Self::on_despawned).listen(Self::on_added).listen(Self::on_removed);
    }
}

impl Listener {
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

/// The entities with the given indices.
fn targeted(targets: &[usize], ids: &[EntityId]) -> Vec<EntityId> {
    targets.iter().filter_map(|targets| ids.get(targets % ids.len().max(1)).copied()).collect()
}

/// Makes a change with bulk operations; returns the result as text.
fn in_bulk(engine: &mut Engine, change: &Change, ids: &mut Vec<EntityId>) -> String {
    match change {
        Change::Spawn(count, first) => ids.extend(engine.spawn_many((*first..first + count).map(a_and_b))),
        Change::SpawnColumns(count, first) => {
            let (a, b): (Vec<A>, Vec<B>) = (*first..first + count).map(a_and_b).unzip();
            ids.extend(engine.spawn_columns((b, a, vec![Tag; *count as usize])).unwrap());
        }
        Change::SpawnTagged(count) => ids.extend(engine.spawn_many((0..*count).map(|_| (Tag,)))),
        Change::Despawn(targets) => return outcome_of(engine.despawn_many(targeted(targets, ids))),
        Change::InsertA(targets, value) => {
            return outcome_of(engine.insert_many(targeted(targets, ids).into_iter().map(|id| (id, (A(*value),)))));
        }
        Change::InsertBoth(targets, value) => {
            return outcome_of(engine.insert_many(targeted(targets, ids).into_iter().map(|id| (id, a_and_b(*value)))));
        }
        Change::RemoveA(targets) => return outcome_of(engine.remove_many::<A>(targeted(targets, ids))),
        Change::RemoveTag(targets) => return outcome_of(engine.remove_many::<Tag>(targeted(targets, ids))),
        Change::DisableB(targets) => {
            targeted(&[*targets], ids).into_iter().for_each(|id| _ = engine.disable_component::<B>(id))
        }
        Change::Disable(targets) => targeted(&[*targets], ids).into_iter().for_each(|id| _ = engine.disable(id)),
        Change::Enable(targets) => targeted(&[*targets], ids).into_iter().for_each(|id| _ = engine.enable(id)),
    }
    DONE.to_owned()
}

/// The result of a change that cannot fail.
const DONE: &str = "done";

fn outcome_of<E: std::fmt::Display>(outcome: Result<(), E>) -> String {
    outcome.map_or_else(|error| error.to_string(), |()| DONE.to_owned())
}

/// Runs all changes and returns the first failure.
fn first_failure<E: std::fmt::Display>(outcomes: impl Iterator<Item = Result<(), E>>) -> String {
    outcome_of(outcomes.fold(Ok(()), Result::and))
}

fn has_command(change: &Change) -> bool {
    use Change::{Despawn, InsertA, InsertBoth, RemoveA, RemoveTag};
    matches!(change, Despawn(_) | InsertA(..) | InsertBoth(..) | RemoveA(_) | RemoveTag(_))
}

fn record(change: &Change, known: &[EntityId], mut commands: Commands) {
    match change {
        Change::Despawn(targets) => commands.despawn_many(targeted(targets, known)),
        Change::InsertA(targets, value) => {
            commands.insert_many(targeted(targets, known).into_iter().map(|id| (id, (A(*value),))));
        }
        Change::InsertBoth(targets, value) => {
            commands.insert_many(targeted(targets, known).into_iter().map(|id| (id, a_and_b(*value))));
        }
        Change::RemoveA(targets) => commands.remove_many::<A>(targeted(targets, known)),
        Change::RemoveTag(targets) => commands.remove_many::<Tag>(targeted(targets, known)),
        other => unreachable!("{other:?} has no command for many"),
    }
}

/// Makes the same change by one command, if it has one.
fn by_command(engine: &mut Engine, change: &Change, ids: &mut Vec<EntityId>) -> String {
    if !has_command(change) {
        return in_bulk(engine, change, ids);
    }
    let (change, known) = (change.clone(), ids.clone());
    outcome_of(engine.run(move |commands: Commands| record(&change, &known, commands)))
}

/// Records a bulk command for the next frame.
#[derive(Default)]
struct Commander(Option<(Change, Vec<EntityId>)>);

impl System for Commander {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|own: &mut Self, commands: Commands| {
            if let Some((change, known)) = own.0.take() {
                record(&change, &known, commands);
            }
        });
    }
}

#[derive(Clone, Copy)]
struct Beside;

/// A second source of commands, so conflicts are tracked.
struct SecondCommander(EntityId);

impl System for SecondCommander {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|own: &mut Self, mut commands: Commands| commands.insert(own.0, (Beside, 'x')));
    }
}

/// Makes the same change by one command, in a frame in which another system inserts something else.
fn by_command_beside_another_system(engine: &mut Engine, change: &Change, ids: &mut Vec<EntityId>) -> String {
    if !has_command(change) {
        return in_bulk(engine, change, ids);
    }
    engine.system_mut::<Commander>().unwrap().0 = Some((change.clone(), ids.clone()));
    engine.update(Duration::ZERO).unwrap();
    engine.command_errors().first().map_or(DONE.to_owned(), |error| error.failure.to_string())
}

/// Makes the same change entity by entity.
fn one_by_one(engine: &mut Engine, change: &Change, ids: &mut Vec<EntityId>) -> String {
    match change {
        Change::Spawn(count, first) => (*first..first + count).for_each(|n| ids.push(engine.spawn(a_and_b(n)))),
        Change::SpawnColumns(count, first) => (*first..first + count).for_each(|n| {
            let (a, b) = a_and_b(n);
            ids.push(engine.spawn((b, a, Tag)));
        }),
        Change::SpawnTagged(count) => (0..*count).for_each(|_| ids.push(engine.spawn((Tag,)))),
        Change::Despawn(targets) => {
            return first_failure(targeted(targets, ids).into_iter().map(|id| engine.despawn(id)));
        }
        Change::InsertA(targets, value) => {
            return first_failure(targeted(targets, ids).into_iter().map(|id| engine.insert(id, (A(*value),))));
        }
        Change::InsertBoth(targets, value) => {
            return first_failure(targeted(targets, ids).into_iter().map(|id| engine.insert(id, a_and_b(*value))));
        }
        Change::RemoveA(targets) => {
            return first_failure(targeted(targets, ids).into_iter().map(|id| engine.remove::<A>(id).map(drop)));
        }
        Change::RemoveTag(targets) => {
            return first_failure(targeted(targets, ids).into_iter().map(|id| engine.remove::<Tag>(id).map(drop)));
        }
        other => return in_bulk(engine, other, ids),
    }
    DONE.to_owned()
}

/// All visible state: entities with their components, disabled or not, owners and values in order.
fn dump(engine: &Engine) -> String {
    let components = engine.components();
    let mut dump = String::new();
    for entity in engine.entities().iter() {
        let has_tag = engine.has::<Tag>(entity);
        let (a, b, enabled) = (engine.get::<A>(entity), engine.get::<B>(entity), engine.entities().is_enabled(entity));
        dump += &format!("{entity} {a:?} {b:?} {has_tag} {enabled:?} ");
    }
    if let Some(pool) = components.pool::<A>() {
        dump += &format!("A {:?} {:?} of {}", pool.len(), pool.iter().collect::<Vec<_>>(), pool.iter().count());
    }
    if let Some(pool) = components.pool::<B>() {
        dump += &format!("B {:?} {:?} of {}", pool.len(), pool.iter().collect::<Vec<_>>(), pool.iter().count());
    }
    if let Some(pool) = components.pool::<Tag>() {
        dump += &format!("Tag {:?} of {}", pool.iter().map(|(owner, _)| owner).collect::<Vec<_>>(), pool.len());
    }
    dump
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn bulk_changes_equal_single_changes(
        is_heard in any::<bool>(),
        changes in prop::collection::vec(change(), 1..60),
    ) {
        let mut engines = [Engine::new(), Engine::new(), Engine::new(), Engine::new()];
        let mut ids = [const { Vec::new() }; 4];
        for (number, engine) in engines.iter_mut().enumerate() {
            // All engines register the types in the same order, even if nothing is spawned.
            engine.query::<(&A, &B, &Tag)>();
            if is_heard {
                engine.add(Listener::default()).unwrap();
            }
            let beside = engine.spawn(());
            if number == 3 {
                engine.add(Commander::default()).unwrap().add(SecondCommander(beside)).unwrap();
            }
        }
        let [single, many, asked, asked_beside] = &mut engines;
        for change in &changes {
            let came_of_it = one_by_one(single, change, &mut ids[0]);
            prop_assert_eq!(in_bulk(many, change, &mut ids[1]), &*came_of_it, "{:?}", change);
            prop_assert_eq!(by_command(asked, change, &mut ids[2]), &*came_of_it, "{:?}", change);
            prop_assert_eq!(by_command_beside_another_system(asked_beside, change, &mut ids[3]), &*came_of_it, "{:?}", change);
            let expected = dump(single);
            for (engine, other) in [(&*many, &ids[1]), (&*asked, &ids[2]), (&*asked_beside, &ids[3])] {
                prop_assert_eq!(&ids[0], other);
                prop_assert_eq!(dump(engine), &*expected);
            }
        }
        if is_heard {
            for engine in &mut engines {
                engine.update(Duration::ZERO).unwrap();
            }
            let [single, others @ ..] = engines.each_ref().map(|engine| &engine.system::<Listener>().unwrap().0);
            prop_assert_eq!(others, [single; 3]);
        }
    }
}
