//! Entities, components and queries against a map: random changes, at once and by command, and every query compared.

use std::collections::BTreeMap;
use std::time::Duration;

use ecs::{
    Commands, Engine, EntityId, IncludeDisabled, QueryFilter, ReadOnlyData, Res, ResMut, Setup, Spawner, System, With,
    Without,
};
use proptest::prelude::*;

/// Three component types: a small one, one that must be dropped, and a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct A(u8);
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct B(String);
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Tag;

/// A change; entities are named by the order of their births.
#[derive(Clone, Copy, Debug)]
enum Change {
    Spawn { a: Option<u8>, b: Option<u8>, tag: bool },
    Despawn(usize),
    InsertA(usize, u8),
    InsertB(usize, u8),
    InsertBoth(usize, u8),
    InsertTag(usize),
    Remove(usize, Kind),
    Toggle(usize, Kind, bool),
    Enable(usize, bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    A,
    B,
    Tag,
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![Just(Kind::A), Just(Kind::B), Just(Kind::Tag)]
}

fn change() -> impl Strategy<Value = Change> {
    let who = || 0..40_usize;
    prop_oneof![
        3 => (any::<Option<u8>>(), any::<Option<u8>>(), any::<bool>())
            .prop_map(|(a, b, tag)| Change::Spawn { a, b, tag }),
        2 => who().prop_map(Change::Despawn),
        2 => (who(), any::<u8>()).prop_map(|(who, value)| Change::InsertA(who, value)),
        2 => (who(), any::<u8>()).prop_map(|(who, value)| Change::InsertB(who, value)),
        1 => (who(), any::<u8>()).prop_map(|(who, value)| Change::InsertBoth(who, value)),
        1 => who().prop_map(Change::InsertTag),
        3 => (who(), kind()).prop_map(|(who, kind)| Change::Remove(who, kind)),
        4 => (who(), kind(), any::<bool>()).prop_map(|(who, kind, on)| Change::Toggle(who, kind, on)),
        3 => (who(), any::<bool>()).prop_map(|(who, on)| Change::Enable(who, on)),
    ]
}

/// A component and whether it is enabled by itself.
type Own<T> = Option<(T, bool)>;

#[derive(Clone, Debug)]
struct Individual {
    is_enabled: bool,
    a: Own<A>,
    b: Own<B>,
    tag: Own<Tag>,
}

#[derive(Default)]
struct Model {
    /// Every id ever, in the order of births.
    born: Vec<EntityId>,
    alive: BTreeMap<EntityId, Individual>,
}

fn put<T>(own: &mut Own<T>, value: T) {
    let is_on = own.as_ref().is_none_or(|(_, is_on)| *is_on);
    *own = Some((value, is_on));
}

fn toggle<T>(own: &mut Own<T>, on: bool) -> bool {
    own.as_mut().map(|(_, is_on)| *is_on = on).is_some()
}

impl Model {
    fn name(&self, who: usize) -> EntityId {
        self.born.get(who % self.born.len().max(1)).copied().unwrap_or_default()
    }

    /// Returns whether the change could be made. Births are told by [`Model::bear`].
    fn apply(&mut self, change: Change) -> bool {
        let who = match change {
            Change::Spawn { .. } => return true,
            Change::Despawn(who) | Change::InsertTag(who) | Change::InsertA(who, _) | Change::InsertB(who, _) => who,
            Change::InsertBoth(who, _) | Change::Remove(who, _) | Change::Toggle(who, ..) | Change::Enable(who, _) => {
                who
            }
        };
        let id = self.name(who);
        let Some(one) = self.alive.get_mut(&id) else { return false };
        match change {
            Change::Spawn { .. } => {}
            Change::Despawn(_) => drop(self.alive.remove(&id)),
            Change::InsertA(_, value) => put(&mut one.a, A(value)),
            Change::InsertB(_, value) => put(&mut one.b, B(value.to_string())),
            Change::InsertBoth(_, value) => {
                put(&mut one.a, A(value));
                put(&mut one.b, B(value.to_string()));
            }
            Change::InsertTag(_) => put(&mut one.tag, Tag),
            Change::Remove(_, Kind::A) => return one.a.take().is_some(),
            Change::Remove(_, Kind::B) => return one.b.take().is_some(),
            Change::Remove(_, Kind::Tag) => return one.tag.take().is_some(),
            Change::Toggle(_, Kind::A, on) => return toggle(&mut one.a, on),
            Change::Toggle(_, Kind::B, on) => return toggle(&mut one.b, on),
            Change::Toggle(_, Kind::Tag, on) => return toggle(&mut one.tag, on),
            Change::Enable(_, on) => one.is_enabled = on,
        }
        true
    }

    fn bear(&mut self, id: EntityId, a: Option<u8>, b: Option<u8>, tag: bool) {
        assert!(!self.born.contains(&id), "{id} was given out before");
        self.born.push(id);
        let own = Individual {
            is_enabled: true,
            a: a.map(|a| (A(a), true)),
            b: b.map(|b| (B(b.to_string()), true)),
            tag: tag.then_some((Tag, true)),
        };
        self.alive.insert(id, own);
    }
}

/// Changes at once, through the engine. Returns whether the change could be made.
fn change_at_once(engine: &mut Engine, model: &mut Model, change: Change) -> bool {
    let name = |who| model.name(who);
    match change {
        Change::Spawn { a, b, tag } => {
            let id = engine.spawn(());
            if let Some(a) = a {
                engine.insert(id, (A(a),)).unwrap();
            }
            if let Some(b) = b {
                engine.insert(id, (B(b.to_string()),)).unwrap();
            }
            if tag {
                engine.insert(id, (Tag,)).unwrap();
            }
            model.bear(id, a, b, tag);
            true
        }
        Change::Despawn(who) => engine.despawn(name(who)).is_ok(),
        Change::InsertA(who, value) => engine.insert(name(who), (A(value),)).is_ok(),
        Change::InsertB(who, value) => engine.insert(name(who), (B(value.to_string()),)).is_ok(),
        Change::InsertBoth(who, value) => engine.insert(name(who), (B(value.to_string()), A(value))).is_ok(),
        Change::InsertTag(who) => engine.insert(name(who), (Tag,)).is_ok(),
        Change::Remove(who, Kind::A) => engine.remove::<A>(name(who)).is_ok(),
        Change::Remove(who, Kind::B) => engine.remove::<B>(name(who)).is_ok(),
        Change::Remove(who, Kind::Tag) => engine.remove::<Tag>(name(who)).is_ok(),
        Change::Toggle(who, Kind::A, true) => engine.enable_component::<A>(name(who)).is_ok(),
        Change::Toggle(who, Kind::B, true) => engine.enable_component::<B>(name(who)).is_ok(),
        Change::Toggle(who, Kind::Tag, true) => engine.enable_component::<Tag>(name(who)).is_ok(),
        Change::Toggle(who, Kind::A, false) => engine.disable_component::<A>(name(who)).is_ok(),
        Change::Toggle(who, Kind::B, false) => engine.disable_component::<B>(name(who)).is_ok(),
        Change::Toggle(who, Kind::Tag, false) => engine.disable_component::<Tag>(name(who)).is_ok(),
        Change::Enable(who, true) => engine.enable(name(who)).is_ok(),
        Change::Enable(who, false) => engine.disable(name(who)).is_ok(),
    }
}

/// The changes that the system is to ask for, and who was born before.
#[derive(Default)]
struct Wishes(Vec<Change>, Vec<EntityId>);

/// The ids that were given out.
#[derive(Default)]
struct Births(Vec<EntityId>);

/// Asks for the changes by command.
struct Wisher;

impl System for Wisher {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::wish);
    }
}

impl Wisher {
    fn wish(&mut self, wishes: Res<Wishes>, mut births: ResMut<Births>, mut commands: Commands, mut spawner: Spawner) {
        let mut born = wishes.1.clone();
        for change in &wishes.0 {
            let count = born.len().max(1);
            let name = |who: usize| born.get(who % count).copied().unwrap_or_default();
            match *change {
                Change::Spawn { a, b, tag } => {
                    let id = spawner.spawn(());
                    a.inspect(|a| commands.insert(id, (A(*a),)));
                    b.inspect(|b| commands.insert(id, (B(b.to_string()),)));
                    if tag {
                        commands.insert(id, (Tag,));
                    }
                    born.push(id);
                    births.0.push(id);
                }
                Change::Despawn(who) => commands.despawn(name(who)),
                Change::InsertA(who, value) => commands.insert(name(who), (A(value),)),
                Change::InsertB(who, value) => commands.insert(name(who), (B(value.to_string()),)),
                Change::InsertBoth(who, value) => commands.insert(name(who), (B(value.to_string()), A(value))),
                Change::InsertTag(who) => commands.insert(name(who), (Tag,)),
                Change::Remove(who, Kind::A) => commands.remove::<A>(name(who)),
                Change::Remove(who, Kind::B) => commands.remove::<B>(name(who)),
                Change::Remove(who, Kind::Tag) => commands.remove::<Tag>(name(who)),
                Change::Toggle(who, Kind::A, true) => commands.enable_component::<A>(name(who)),
                Change::Toggle(who, Kind::B, true) => commands.enable_component::<B>(name(who)),
                Change::Toggle(who, Kind::Tag, true) => commands.enable_component::<Tag>(name(who)),
                Change::Toggle(who, Kind::A, false) => commands.disable_component::<A>(name(who)),
                Change::Toggle(who, Kind::B, false) => commands.disable_component::<B>(name(who)),
                Change::Toggle(who, Kind::Tag, false) => commands.disable_component::<Tag>(name(who)),
                Change::Enable(who, true) => commands.enable(name(who)),
                Change::Enable(who, false) => commands.disable(name(who)),
            }
        }
    }
}

/// Makes the changes by command, in one frame; returns how many could not be made.
fn change_by_command(engine: &mut Engine, model: &mut Model, changes: &[Change]) -> (usize, usize) {
    *engine.resource_mut::<Wishes>().unwrap() = Wishes(changes.to_vec(), model.born.clone());
    engine.update(Duration::from_millis(1)).unwrap();
    let births = std::mem::take(&mut engine.resource_mut::<Births>().unwrap().0);
    let mut births = births.into_iter();
    let mut refused = 0;
    for change in changes {
        match *change {
            Change::Spawn { a, b, tag } => model.bear(births.next().unwrap(), a, b, tag),
            change => refused += usize::from(!model.apply(change)),
        }
    }
    (engine.command_errors().len(), refused)
}

/// What a query yields, in a form that can be compared.
type Row = (EntityId, Option<A>, Option<B>);

/// Compares one query, read-only and for writing, in all its ways, with those individuals that `expect` yields a row for.
fn compare<D, F>(
    engine: &mut Engine,
    model: &Model,
    row: fn(D::Read<'_>) -> Row,
    expect: impl Fn(EntityId, &Individual) -> Option<Row>,
) where
    D: ReadOnlyData + 'static,
    F: QueryFilter + 'static,
{
    let expected: Vec<_> = model.alive.iter().filter_map(|(id, one)| expect(*id, one)).collect();
    let mut shared: Vec<Row> = Vec::new();
    engine.read_filtered::<D, F>().for_each(|item| shared.push(row(item)));
    let query = engine.query_filtered::<D, F>();
    let mut found: Vec<_> = query.iter().map(row).collect();
    assert_eq!(shared, found, "shared and exclusive access walk alike");
    assert_eq!((query.count(), query.is_empty()), (found.len(), found.is_empty()));
    assert_eq!(query.single().ok().map(row), (found.len() == 1).then(|| found[0].clone()));
    found.sort();
    assert_eq!(found, expected);
    for id in &model.born {
        let expected = model.alive.get(id).and_then(|one| expect(*id, one));
        assert_eq!(query.get(*id).map(row), expected);
        assert_eq!(query.contains(*id), expected.is_some());
    }
}

fn visible<T: Clone>(one: &Individual, own: &Own<T>) -> Option<T> {
    own.as_ref().filter(|(_, is_on)| *is_on && one.is_enabled).map(|(value, _)| value.clone())
}

fn value_of<T: Clone>(own: &Own<T>) -> Option<T> {
    own.as_ref().map(|(value, _)| value.clone())
}

fn compare_everything(engine: &mut Engine, model: &Model) {
    type Both<'a> = (EntityId, &'a A, &'a B);
    type Maybe<'a> = (EntityId, Option<&'a A>, Option<&'a B>);
    compare::<EntityId, ()>(engine, model, |id| (id, None, None), |id, one| one.is_enabled.then_some((id, None, None)));
    compare::<EntityId, IncludeDisabled>(engine, model, |id| (id, None, None), |id, _| Some((id, None, None)));
    compare::<(EntityId, &A), ()>(
        engine,
        model,
        |(id, a)| (id, Some(*a), None),
        |id, one| Some((id, Some(visible(one, &one.a)?), None)),
    );
    compare::<Both<'static>, ()>(
        engine,
        model,
        |(id, a, b)| (id, Some(*a), Some(b.clone())),
        |id, one| Some((id, Some(visible(one, &one.a)?), Some(visible(one, &one.b)?))),
    );
    compare::<Both<'static>, IncludeDisabled>(
        engine,
        model,
        |(id, a, b)| (id, Some(*a), Some(b.clone())),
        |id, one| Some((id, Some(value_of(&one.a)?), Some(value_of(&one.b)?))),
    );
    compare::<Maybe<'static>, ()>(
        engine,
        model,
        |(id, a, b)| (id, a.copied(), b.cloned()),
        |id, one| one.is_enabled.then(|| (id, visible(one, &one.a), visible(one, &one.b))),
    );
    compare::<Maybe<'static>, (With<Tag>, Without<A>)>(
        engine,
        model,
        |(id, a, b)| (id, a.copied(), b.cloned()),
        |id, one| {
            visible(one, &one.tag)?;
            visible(one, &one.a).is_none().then(|| (id, None, visible(one, &one.b)))
        },
    );
    compare::<Maybe<'static>, (Without<Tag>, IncludeDisabled)>(
        engine,
        model,
        |(id, a, b)| (id, a.copied(), b.cloned()),
        |id, one| one.tag.is_none().then(|| (id, value_of(&one.a), value_of(&one.b))),
    );
    compare::<(EntityId, &B), With<A>>(
        engine,
        model,
        |(id, b)| (id, None, Some(b.clone())),
        |id, one| {
            visible(one, &one.a)?;
            Some((id, None, Some(visible(one, &one.b)?)))
        },
    );
    for id in &model.born {
        let one = model.alive.get(id);
        assert_eq!(engine.contains(*id), one.is_some());
        assert_eq!(engine.get::<A>(*id).copied(), one.and_then(|one| value_of(&one.a)));
        assert_eq!(engine.get::<B>(*id).cloned(), one.and_then(|one| value_of(&one.b)));
        assert_eq!(engine.has::<Tag>(*id), one.is_some_and(|one| one.tag.is_some()));
        assert_eq!(engine.entities().is_enabled(*id), one.map(|one| one.is_enabled));
    }
    assert_eq!(engine.entities().len(), model.alive.len());
    for (a, b) in model.born.iter().zip(model.born.iter().rev()) {
        let mut query = engine.query::<(EntityId, &mut A)>();
        let both = query.get_pair_mut(*a, *b).map(|((a, _), (b, _))| (a, b));
        let has = |id| model.alive.get(&id).is_some_and(|one| visible(one, &one.a).is_some());
        assert_eq!(both, (a != b && has(*a) && has(*b)).then_some((*a, *b)));
    }
    let mut query = engine.query::<&mut A>();
    let owned: Vec<_> = query.owners().iter().copied().zip(query.values().iter().copied()).collect();
    assert!(query.values_mut().len() == owned.len());
    assert!(owned.iter().all(|(id, a)| query.get(*id) == Some(a)));
}

/// The order in which everything is walked, which two engines must agree on.
fn walk(engine: &mut Engine) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    rows.extend(engine.query_filtered::<(EntityId, &A), IncludeDisabled>().iter().map(|(id, a)| (id, Some(*a), None)));
    rows.extend(engine.query::<(EntityId, &A, &B)>().iter().map(|(id, a, b)| (id, Some(*a), Some(b.clone()))));
    rows.extend(engine.query::<EntityId>().iter().map(|id| (id, None, None)));
    rows
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.insert_resource(Wishes::default());
    engine.insert_resource(Births::default());
    engine.add(Wisher).unwrap();
    engine
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn world_behaves_like_a_map(steps in prop::collection::vec((any::<bool>(), prop::collection::vec(change(), 1..12)), 1..10)) {
        let (mut first, mut model) = (engine(), Model::default());
        let (mut second, mut other) = (engine(), Model::default());
        for (by_command, changes) in &steps {
            if *by_command {
                let (errors, refused) = change_by_command(&mut first, &mut model, changes);
                prop_assert_eq!(errors, refused, "every change that can not be made is reported");
                change_by_command(&mut second, &mut other, changes);
            } else {
                for &change in changes {
                    let done = change_at_once(&mut first, &mut model, change);
                    prop_assert_eq!(done, model.apply(change), "{:?}", change);
                    change_at_once(&mut second, &mut other, change);
                    other.apply(change);
                }
            }
            compare_everything(&mut first, &model);
            prop_assert_eq!(walk(&mut first), walk(&mut second), "two engines that were fed the same must agree");
        }
    }
}
