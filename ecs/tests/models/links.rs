//! Random changes of hierarchies and relations, compared with lists of links: both ends, events, snapshots and saves.

use std::time::Duration;

use ecs::hierarchy::{ChildOf, Children, Parent};
use ecs::relation::{Cleanup, LinkedFrom, Links, Related, Relation, Unrelated};
use ecs::snapshot::{StableHash, StateHasher};
use ecs::{Commands, Despawned, Engine, EntityId, ResMut, Setup, System};
use proptest::prelude::*;

/// Relation `N`: 1 is for many targets, 2 exclusive, and 3 takes its sources along. 0 is that of the hierarchy.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Link<const N: usize>(u32);

impl<const N: usize> Relation for Link<N> {
    const EXCLUSIVE: bool = N == 2;
    const ON_TARGET_DESPAWN: Cleanup = if N == 3 { Cleanup::DespawnSource } else { Cleanup::Remove };
}

impl<const N: usize> StableHash for Link<N> {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(&self.0);
    }
}

#[derive(Clone, Debug)]
enum Change {
    Spawn,
    Relate {
        relation: usize,
        source: usize,
        target: usize,
        data: u32,
    },
    Unrelate {
        relation: usize,
        source: usize,
        target: usize,
    },
    RemoveLinks {
        relation: usize,
        source: usize,
    },
    RemoveLinkedFrom {
        relation: usize,
        target: usize,
    },
    Despawn(usize),
    DespawnMany(Vec<usize>),
    SetEnabled(usize, bool),
    /// Runs a frame.
    Frame,
    /// Goes on in another engine: from a snapshot, or from a save.
    Move {
        saves: bool,
    },
}

fn change() -> impl Strategy<Value = Change> {
    let (relation, entity) = (|| 0..4_usize, || 0..25_usize);
    prop_oneof![
        5 => Just(Change::Spawn),
        12 => (relation(), entity(), entity(), 0..9_u32)
            .prop_map(|(relation, source, target, data)| Change::Relate { relation, source, target, data }),
        3 => (relation(), entity(), entity())
            .prop_map(|(relation, source, target)| Change::Unrelate { relation, source, target }),
        1 => (relation(), entity()).prop_map(|(relation, source)| Change::RemoveLinks { relation, source }),
        1 => (relation(), entity()).prop_map(|(relation, target)| Change::RemoveLinkedFrom { relation, target }),
        2 => entity().prop_map(Change::Despawn),
        1 => prop::collection::vec(entity(), 0..4).prop_map(Change::DespawnMany),
        1 => (entity(), any::<bool>()).prop_map(|(entity, enabled)| Change::SetEnabled(entity, enabled)),
        2 => Just(Change::Frame),
        1 => any::<bool>().prop_map(|saves| Change::Move { saves }),
    ]
}

/// Events in the order of delivery.
#[derive(Clone, Default)]
struct Log(Vec<String>);

struct Listener;

impl System for Listener {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|_: &mut Self, event: &Despawned, mut log: ResMut<Log>| log.0.push(format!("-{}", event.entity)));
        listen::<Parent, 0>(setup);
        listen::<Link<1>, 1>(setup);
        listen::<Link<2>, 2>(setup);
        listen::<Link<3>, 3>(setup);
    }
}

fn listen<R: Relation, const N: usize>(setup: &mut Setup<Listener>) {
    setup.listen(|_: &mut Listener, event: &Related<R>, mut log: ResMut<Log>| {
        log.0.push(format!("{N}: {}->{}", event.source, event.target));
    });
    setup.listen(|_: &mut Listener, event: &Unrelated<R>, mut log: ResMut<Log>| {
        log.0.push(format!("{N}: {}x{}", event.source, event.target));
    });
}

fn empty(threads: usize) -> Engine {
    let mut engine = Engine::builder().threads(threads).parallel_threshold(0).build();
    engine.add(Listener).unwrap();
    engine.insert_resource(Log::default());
    let types = engine.types_mut();
    types.resource_by("log", |log: &Log, hash| _ = hash.add(&log.0)).unwrap();
    types.relation::<Link<1>>("one").unwrap().relation::<Link<2>>("two").unwrap().relation::<Link<3>>("three").unwrap();
    #[cfg(feature = "serde")]
    {
        types.leave_out_of_saves::<Log>();
        types.save_relation::<Link<1>>(1).unwrap().save_relation::<Link<2>>(1).unwrap();
        types.save_relation::<Link<3>>(1).unwrap();
    }
    engine
}

/// The links of all relations, in the order in which they were made.
#[derive(Default)]
struct Model {
    entities: Vec<EntityId>,
    links: [Vec<(EntityId, EntityId, u32)>; 4],
    log: Vec<String>,
}

impl Model {
    fn relate(&mut self, relation: usize, source: EntityId, target: EntityId, data: u32) -> bool {
        if relation == 0 {
            let parent = |of: &EntityId| self.links[0].iter().find(|link| link.0 == *of).map(|link| link.1);
            if std::iter::successors(Some(target), parent).any(|ancestor| ancestor == source) {
                return false;
            }
        }
        let links = &mut self.links[relation];
        if let Some(link) = links.iter_mut().find(|link| (link.0, link.1) == (source, target)) {
            link.2 = data;
            return true;
        }
        if relation.is_multiple_of(2)
            && let Some(at) = links.iter().position(|link| link.0 == source)
        {
            self.log.push(format!("{relation}: {source}x{}", links.remove(at).1));
        }
        links.push((source, target, data));
        self.log.push(format!("{relation}: {source}->{target}"));
        true
    }

    /// Ends the links for which `ends` holds, in order; returns whether there was one.
    fn end(&mut self, relation: usize, ends: impl Fn(EntityId, EntityId) -> bool) -> bool {
        let before = self.links[relation].len();
        let log = &mut self.log;
        self.links[relation].retain(|(source, target, _)| {
            if ends(*source, *target) {
                log.push(format!("{relation}: {source}x{target}"));
            }
            !ends(*source, *target)
        });
        self.links[relation].len() < before
    }

    fn despawn(&mut self, entity: EntityId) {
        let Some(at) = self.entities.iter().position(|other| *other == entity) else { return };
        let mut doomed = Vec::new();
        for relation in 0..4 {
            self.end(relation, |source, _| source == entity);
            if relation == 0 || relation == 3 {
                let sources = self.links[relation].iter().filter(|link| link.1 == entity);
                doomed.extend(sources.map(|link| link.0));
            } else {
                self.end(relation, |_, target| target == entity);
            }
        }
        self.entities.remove(at);
        self.log.push(format!("-{entity}"));
        doomed.into_iter().for_each(|source| self.despawn(source));
    }
}

/// Compares one relation from both ends.
fn compare<R: Relation>(engine: &mut Engine, model: &Model, relation: usize, data: impl Fn(&R) -> Option<u32>) {
    let links = &model.links[relation];
    for entity in &model.entities {
        let targets: Vec<(EntityId, Option<u32>)> =
            engine.related::<R>(*entity).map(|(target, relation)| (target, data(relation))).collect();
        let own = links.iter().filter(|link| link.0 == *entity);
        let expected: Vec<_> = own.map(|link| (link.1, (relation > 0).then_some(link.2))).collect();
        assert_eq!(targets, expected);
        assert_eq!(engine.has::<Links<R>>(*entity), !targets.is_empty());
        let expected: Vec<_> = links.iter().filter(|link| link.1 == *entity).map(|link| link.0).collect();
        assert_eq!(engine.related_to::<R>(*entity), expected);
        assert_eq!(engine.has::<LinkedFrom<R>>(*entity), !expected.is_empty());
    }
}

/// Calls the method for a relation by its number.
macro_rules! of_relation {
    ($relation:expr, $subject:ident.$method:ident($($argument:expr),*)) => {
        match $relation {
            1 => $subject.$method::<Link<1>>($($argument),*),
            2 => $subject.$method::<Link<2>>($($argument),*),
            3 => $subject.$method::<Link<3>>($($argument),*),
            _ => $subject.$method::<Parent>($($argument),*),
        }
    };
}

/// The same change by a command, or by the engine; returns whether it was made.
fn apply(engine: &mut Engine, change: &Change, ids: &[EntityId], by_command: bool) -> bool {
    let id = |at: usize| ids[at % ids.len()];
    match *change {
        Change::Relate { relation, source, target, data } => {
            let (source, target) = (id(source), id(target));
            if by_command {
                let command = move |mut commands: Commands| match relation {
                    0 => commands.set_parent(source, target),
                    1 => commands.relate(source, target, Link::<1>(data)),
                    2 => commands.relate(source, target, Link::<2>(data)),
                    _ => commands.relate(source, target, Link::<3>(data)),
                };
                return engine.run(command).is_ok();
            }
            match relation {
                0 => engine.set_parent(source, target).is_ok(),
                1 => engine.relate(source, target, Link::<1>(data)).is_ok(),
                2 => engine.relate(source, target, Link::<2>(data)).is_ok(),
                _ => engine.relate(source, target, Link::<3>(data)).is_ok(),
            }
        }
        Change::Unrelate { relation, source, target } => {
            let (source, target) = (id(source), id(target));
            match by_command {
                true => engine
                    .run(move |mut commands: Commands| of_relation!(relation, commands.unrelate(source, target)))
                    .is_ok(),
                false => of_relation!(relation, engine.unrelate(source, target)).is_ok(),
            }
        }
        Change::RemoveLinks { relation, source } => {
            let source = id(source);
            match relation {
                0 => engine.remove::<ChildOf>(source).is_ok(),
                1 => engine.remove_many::<Links<Link<1>>>([source]).is_ok(),
                2 => engine.remove::<Links<Link<2>>>(source).is_ok(),
                _ => engine.remove::<Links<Link<3>>>(source).is_ok(),
            }
        }
        Change::RemoveLinkedFrom { relation, target } => {
            let target = id(target);
            match relation {
                0 => engine.remove::<Children>(target).is_ok(),
                1 => engine.remove_many::<LinkedFrom<Link<1>>>([target]).is_ok(),
                2 => engine.remove::<LinkedFrom<Link<2>>>(target).is_ok(),
                _ => engine.remove::<LinkedFrom<Link<3>>>(target).is_ok(),
            }
        }
        Change::Despawn(entity) if by_command => {
            let entity = id(entity);
            engine.run(move |mut commands: Commands| commands.despawn(entity)).is_ok()
        }
        Change::Despawn(entity) => engine.despawn(id(entity)).is_ok(),
        Change::DespawnMany(ref entities) => engine.despawn_many(entities.iter().map(|at| id(*at))).is_ok(),
        Change::SetEnabled(entity, enabled) => {
            if enabled {
                engine.enable(id(entity)).is_ok()
            } else {
                engine.disable(id(entity)).is_ok()
            }
        }
        _ => unreachable!("it is applied to the engine as a whole"),
    }
}

fn run(changes: &[(Change, bool)], threads: usize) -> u64 {
    let mut engine = empty(threads);
    let mut model = Model::default();
    for (relation, [source, target]) in [[1, 0]; 4].iter().enumerate() {
        // The first use of each relation sets their order.
        if model.entities.is_empty() {
            model.entities = (0..2).map(|_| engine.spawn(())).collect();
        }
        let ids = model.entities.clone();
        apply(&mut engine, &Change::Relate { relation, source: *source, target: *target, data: 0 }, &ids, false);
        model.relate(relation, ids[*source], ids[*target], 0);
    }
    // Ids that are gone are used as well.
    let mut ids = model.entities.clone();
    for (change, by_command) in changes {
        let id = |at: usize| ids[at % ids.len()];
        let exist = |all: &[EntityId]| all.iter().all(|entity| model.entities.contains(entity));
        match *change {
            Change::Spawn => {
                ids.push(engine.spawn(()));
                model.entities.extend(ids.last());
                continue;
            }
            Change::Frame => {
                engine.update(Duration::from_millis(1)).unwrap();
                let log = std::mem::take(&mut engine.resource_mut::<Log>().unwrap().0);
                assert_eq!(log, std::mem::take(&mut model.log));
                continue;
            }
            Change::Move { saves } => {
                let mut other = empty(threads);
                let hash = engine.state_hash().unwrap();
                if saves && cfg!(feature = "serde") {
                    #[cfg(feature = "serde")]
                    {
                        let mut bytes = Vec::new();
                        engine.save(&mut bytes).unwrap();
                        other.load(&mut bytes.as_slice()).unwrap();
                        let text = engine.save_text().unwrap();
                        engine.load_text(&text).unwrap();
                    }
                } else {
                    other.restore(&engine.snapshot().unwrap()).unwrap();
                }
                assert_eq!(other.state_hash().unwrap(), hash);
                engine = other;
                continue;
            }
            Change::Relate { relation, source, target, data } => {
                let (source, target) = (id(source), id(target));
                let is_ok = exist(&[source, target]) && model.relate(relation, source, target, data);
                assert_eq!(apply(&mut engine, change, &ids, *by_command), is_ok);
            }
            Change::Unrelate { relation, source, target } => {
                let is_ok = model.end(relation, |from, to| (from, to) == (id(source), id(target)));
                assert_eq!(apply(&mut engine, change, &ids, *by_command), is_ok);
            }
            Change::RemoveLinks { relation, source } => {
                let is_ok = model.end(relation, |from, _| from == id(source));
                assert_eq!(apply(&mut engine, change, &ids, *by_command), is_ok);
            }
            Change::RemoveLinkedFrom { relation, target } => {
                let is_ok = model.end(relation, |_, to| to == id(target));
                assert_eq!(apply(&mut engine, change, &ids, *by_command), is_ok);
            }
            Change::Despawn(entity) => {
                let is_ok = exist(&[id(entity)]);
                model.despawn(id(entity));
                assert_eq!(apply(&mut engine, change, &ids, *by_command), is_ok);
            }
            Change::DespawnMany(ref entities) => {
                let mut is_ok = true;
                for at in entities {
                    is_ok &= model.entities.contains(&id(*at));
                    model.despawn(id(*at));
                }
                assert_eq!(apply(&mut engine, change, &ids, *by_command), is_ok);
            }
            Change::SetEnabled(entity, _) => {
                assert_eq!(apply(&mut engine, change, &ids, *by_command), exist(&[id(entity)]));
            }
        }
        assert!(model.entities.iter().all(|entity| engine.contains(*entity)));
        assert_eq!(engine.entities().len(), model.entities.len());
        compare::<Parent>(&mut engine, &model, 0, |_| None);
        compare(&mut engine, &model, 1, |link: &Link<1>| Some(link.0));
        compare(&mut engine, &model, 2, |link: &Link<2>| Some(link.0));
        compare(&mut engine, &model, 3, |link: &Link<3>| Some(link.0));
    }
    engine.state_hash().unwrap().whole
}

proptest! {
    #[test]
    fn links_equal_those_of_plain_lists(changes in prop::collection::vec((change(), any::<bool>()), 0..120)) {
        let serial = run(&changes, 1);
        prop_assert_eq!(run(&changes, 2), serial);
        prop_assert_eq!(run(&changes, 4), serial);
    }
}

/// What happens to the links between one entity and many others.
#[derive(Clone, Debug)]
enum ManyLinks {
    /// Ends the link at this place, if there are so many.
    End(usize),
    Make,
    Read,
    Despawn(usize),
    /// Goes on in another engine, from a snapshot.
    Copy,
}

fn many_links() -> impl Strategy<Value = ManyLinks> {
    prop_oneof![
        12 => (0..300_usize).prop_map(ManyLinks::End),
        3 => Just(ManyLinks::Make),
        1 => Just(ManyLinks::Read),
        2 => (0..300_usize).prop_map(ManyLinks::Despawn),
        1 => Just(ManyLinks::Copy),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// More links than are searched from both ends.
    #[test]
    fn many_links_of_one_entity_keep_their_order(
        is_source in any::<bool>(),
        changes in prop::collection::vec(many_links(), 1..400),
    ) {
        type R = Link<1>;
        let mut engine = empty(1);
        let one = engine.spawn(());
        let ends = |other| if is_source { (one, other) } else { (other, one) };
        let mut made = 0;
        let mut make = |engine: &mut Engine| {
            let other = engine.spawn(());
            let (source, target) = ends(other);
            engine.relate(source, target, Link::<1>(made)).unwrap();
            made += 1;
            (other, made - 1)
        };
        let mut expected: Vec<_> = (0..250).map(|_| make(&mut engine)).collect();
        let check = |engine: &Engine, expected: &[(EntityId, u32)]| {
            let others: Vec<_> = expected.iter().map(|(other, _)| *other).collect();
            if is_source {
                let found: Vec<_> = engine.related::<R>(one).map(|(target, link)| (target, link.0)).collect();
                prop_assert_eq!(&found, expected);
            } else {
                prop_assert_eq!(engine.related_to::<R>(one), &*others);
                prop_assert_eq!(engine.get::<LinkedFrom<R>>(one).map_or(0, LinkedFrom::len), expected.len());
            }
            for (other, data) in expected {
                let (source, target) = ends(*other);
                prop_assert_eq!(engine.relation::<R>(source, target), Some(&Link::<1>(*data)));
            }
            Ok(())
        };
        for change in changes {
            match change {
                ManyLinks::End(at) if at < expected.len() => {
                    let (other, _) = expected.remove(at);
                    let (source, target) = ends(other);
                    engine.unrelate::<R>(source, target).unwrap();
                }
                ManyLinks::Despawn(at) if at < expected.len() => engine.despawn(expected.remove(at).0).unwrap(),
                ManyLinks::Make => expected.push(make(&mut engine)),
                ManyLinks::Copy => {
                    let snapshot = engine.snapshot().unwrap();
                    engine = empty(1);
                    engine.restore(&snapshot).unwrap();
                    check(&engine, &expected)?;
                }
                ManyLinks::Read => check(&engine, &expected)?,
                ManyLinks::End(_) | ManyLinks::Despawn(_) => {}
            }
        }
        check(&engine, &expected)?;
    }
}
