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

fn has_command(change: &Change) -> bool {
    use Change::{Despawn, InsertA, InsertBoth, RemoveA, RemoveTag};
    matches!(change, Despawn(_) | InsertA(..) | InsertBoth(..) | RemoveA(_) | RemoveTag(_))
}

fn ask(change: &Change, known: &[EntityId], mut commands: Commands) {
    match change {
        Change::Despawn(who) => commands.despawn_many(named(who, known)),
        Change::InsertA(who, value) => {
            commands.insert_many(named(who, known).into_iter().map(|id| (id, (A(*value),))));
        }
        Change::InsertBoth(who, value) => {
            commands.insert_many(named(who, known).into_iter().map(|id| (id, a_and_b(*value))));
        }
        Change::RemoveA(who) => commands.remove_many::<A>(named(who, known)),
        Change::RemoveTag(who) => commands.remove_many::<Tag>(named(who, known)),
        other => unreachable!("{other:?} has no command for many"),
    }
}

/// Makes the same change by one command where there is one for it.
fn by_command(engine: &mut Engine, change: &Change, ids: &mut Vec<EntityId>) -> String {
    if !has_command(change) {
        return at_once(engine, change, ids);
    }
    let (change, known) = (change.clone(), ids.clone());
    came_of(engine.run(move |commands: Commands| ask(&change, &known, commands)))
}

/// Asks for a change of many, in the next frame.
#[derive(Default)]
struct Asking(Option<(Change, Vec<EntityId>)>);

impl System for Asking {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|own: &mut Self, commands: Commands| {
            if let Some((change, known)) = own.0.take() {
                ask(&change, &known, commands);
            }
        });
    }
}

#[derive(Clone, Copy)]
struct Beside;

/// Asks for something else, so that several ask for something.
struct AskingBeside(EntityId);

impl System for AskingBeside {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(|own: &mut Self, mut commands: Commands| commands.insert(own.0, (Beside, 'x')));
    }
}

/// Makes the same change by one command in a frame in which another system inserts something else.
fn by_command_beside_another(engine: &mut Engine, change: &Change, ids: &mut Vec<EntityId>) -> String {
    if !has_command(change) {
        return at_once(engine, change, ids);
    }
    engine.system_mut::<Asking>().unwrap().0 = Some((change.clone(), ids.clone()));
    engine.update(Duration::ZERO).unwrap();
    engine.command_errors().first().map_or(DONE.to_owned(), |error| error.failure.to_string())
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

/// Everything that can be seen: entities with what they have, disabled or not, owners and values in their order, groups.
fn picture(engine: &Engine) -> String {
    let components = engine.components();
    let mut picture = String::new();
    for entity in engine.entities().iter() {
        let has_tag = engine.has::<Tag>(entity);
        let (a, b, enabled) = (engine.get::<A>(entity), engine.get::<B>(entity), engine.entities().is_enabled(entity));
        picture += &format!("{entity} {a:?} {b:?} {has_tag} {enabled:?} ");
    }
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
        let mut engines = [Engine::new(), Engine::new(), Engine::new(), Engine::new()];
        let mut ids = [const { Vec::new() }; 4];
        for (number, engine) in engines.iter_mut().enumerate() {
            // So that all meet the types in the same order, also where there is nothing to spawn.
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
            let beside = engine.spawn(());
            if number == 3 {
                engine.add(Asking::default()).unwrap().add(AskingBeside(beside)).unwrap();
            }
        }
        let [single, many, asked, asked_beside] = &mut engines;
        for change in &changes {
            let came_of_it = one_by_one(single, change, &mut ids[0]);
            prop_assert_eq!(at_once(many, change, &mut ids[1]), &*came_of_it, "{:?}", change);
            prop_assert_eq!(by_command(asked, change, &mut ids[2]), &*came_of_it, "{:?}", change);
            prop_assert_eq!(by_command_beside_another(asked_beside, change, &mut ids[3]), &*came_of_it, "{:?}", change);
            let expected = picture(single);
            for (engine, other) in [(&*many, &ids[1]), (&*asked, &ids[2]), (&*asked_beside, &ids[3])] {
                prop_assert_eq!(&ids[0], other);
                prop_assert_eq!(picture(engine), &*expected);
            }
        }
        if is_heard {
            for engine in &mut engines {
                engine.update(Duration::ZERO).unwrap();
            }
            let [single, others @ ..] = engines.each_ref().map(|engine| &engine.system::<Ear>().unwrap().0);
            prop_assert_eq!(others, [single; 3]);
        }
    }
}
