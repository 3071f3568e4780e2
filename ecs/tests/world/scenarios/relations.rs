//! Typed links between entities.

use ecs::query::LinksMut;
use ecs::relation::{Cleanup, LinkedFrom, Links, Related, Relation, Unrelated};
use ecs::{Changed, CommandFailure, Commands, Despawned, Engine, EntityId, Query, ResMut, Setup, System};

use super::log::{Log, engine, frame, index};
use crate::panics;

#[derive(Clone, Debug, PartialEq)]
struct Likes(u8);
impl Relation for Likes {}

#[derive(Clone, Debug, PartialEq)]
struct DockedAt {
    berth: u8,
}
impl Relation for DockedAt {
    const EXCLUSIVE: bool = true;
}

/// A source goes with any of its targets.
struct Needs;
impl Relation for Needs {
    const ON_TARGET_DESPAWN: Cleanup = Cleanup::DespawnSource;
}

struct Listener;

impl System for Listener {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(|_: &mut Self, event: &Despawned, mut log: ResMut<Log>| {
            log.note(format!("-{}", index(event.entity)))
        });
        setup.listen(|_: &mut Self, event: &Related<Likes>, mut log: ResMut<Log>| {
            log.note(format!("{}->{}", index(event.source), index(event.target)));
        });
        setup.listen(|_: &mut Self, event: &Unrelated<Likes>, mut log: ResMut<Log>| {
            log.note(format!("{}x{}", index(event.source), index(event.target)));
        });
    }
}

fn spawn<const N: usize>(engine: &mut Engine) -> [EntityId; N] {
    [(); N].map(|()| engine.spawn(()))
}

fn liked(engine: &Engine, source: EntityId) -> Vec<(EntityId, u8)> {
    engine.related::<Likes>(source).map(|(target, likes)| (target, likes.0)).collect()
}

#[test]
fn links_are_found_from_both_ends_in_the_order_in_which_they_were_made() {
    let mut engine = Engine::new();
    let [a, b, c, d] = spawn(&mut engine);
    for (source, target, likes) in [(a, c, 1), (a, b, 2), (d, c, 3), (a, d, 4), (b, c, 5), (a, a, 6)] {
        engine.relate(source, target, Likes(likes)).unwrap();
    }
    assert_eq!(liked(&engine, a), [(c, 1), (b, 2), (d, 4), (a, 6)]);
    assert_eq!(engine.related_to::<Likes>(c), [a, d, b]);
    engine.relate(a, c, Likes(9)).unwrap();
    assert_eq!(liked(&engine, a)[0], (c, 9), "new data, same place");
    assert_eq!(engine.related_to::<Likes>(c), [a, d, b]);
    engine.relation_mut::<Likes>(a, b).unwrap().0 += 1;
    assert_eq!(engine.relation::<Likes>(a, b), Some(&Likes(3)));
    engine.unrelate::<Likes>(a, c).unwrap();
    assert_eq!(liked(&engine, a), [(b, 3), (d, 4), (a, 6)]);
    assert_eq!(engine.related_to::<Likes>(c), [d, b]);
    assert_eq!(engine.unrelate::<Likes>(a, c).unwrap_err().to_string(), "entity 1v1 has no link Likes to entity 3v1");
    engine.despawn(a).unwrap();
    assert!(!engine.has::<LinkedFrom<Likes>>(b) && !engine.has::<Links<Likes>>(a));
}

#[test]
fn exclusive_link_replaces_the_one_before() {
    let mut engine = Engine::new();
    let [ship, porto, faro] = spawn(&mut engine);
    engine.relate(ship, porto, DockedAt { berth: 1 }).unwrap();
    engine.relate(ship, faro, DockedAt { berth: 2 }).unwrap();
    assert_eq!(engine.get::<Links<DockedAt>>(ship).unwrap().first(), (faro, &DockedAt { berth: 2 }));
    assert!(!engine.has::<LinkedFrom<DockedAt>>(porto));
    let error = engine.snapshot().err().unwrap().to_string();
    assert!(error.contains("relation::<") && error.contains("DockedAt>(\"…\")"), "{error}");
    engine.despawn(faro).unwrap();
    assert!(!engine.has::<Links<DockedAt>>(ship) && engine.contains(ship));
}

#[test]
fn sources_can_go_with_any_of_their_targets() {
    let mut engine = Engine::new();
    let [lamp, cable, plant, other] = spawn(&mut engine);
    for (source, target) in [(lamp, cable), (lamp, plant), (cable, plant), (plant, plant)] {
        engine.relate(source, target, Needs).unwrap();
    }
    engine.relate(other, lamp, Likes(1)).unwrap();
    engine.despawn(plant).unwrap();
    assert!(engine.entities().iter().eq([other]));
    assert!(!engine.has::<Links<Likes>>(other));
}

#[test]
fn each_link_is_announced_once_at_its_begin_and_its_end() {
    let mut engine = engine();
    engine.add(Listener).unwrap();
    let [a, b, c] = spawn(&mut engine);
    engine
        .run(move |mut commands: Commands| {
            commands.relate(a, b, Likes(1));
            commands.relate(a, b, Likes(2));
            commands.relate(a, c, Likes(3));
            commands.relate(c, a, Likes(4));
            commands.relate(b, b, Likes(5));
            commands.unrelate::<Likes>(a, b);
            commands.relate(a, b, Likes(6));
        })
        .unwrap();
    assert_eq!(frame(&mut engine), "1->2 1->3 3->1 2->2 1x2 1->2");
    let missing = engine.run(move |mut commands: Commands| commands.unrelate::<Likes>(b, a));
    assert!(matches!(missing, Err(ecs::Error::Command(CommandFailure::NotRelated { relation: "Likes", .. }))));
    engine.despawn(a).unwrap();
    assert_eq!(frame(&mut engine), "1x3 1x2 3x1 -1");
    engine.remove::<LinkedFrom<Likes>>(b).unwrap();
    engine.despawn(b).unwrap();
    assert_eq!(frame(&mut engine), "2x2 -2");
}

#[test]
fn removing_a_component_of_links_ends_them() {
    let mut engine = Engine::new();
    let [a, b, c] = spawn(&mut engine);
    for (source, target) in [(a, b), (a, c), (b, c), (a, a)] {
        engine.relate(source, target, Likes(0)).unwrap();
    }
    engine.remove::<LinkedFrom<Likes>>(c).unwrap();
    assert_eq!((liked(&engine, a), engine.has::<Links<Likes>>(b)), (vec![(b, 0), (a, 0)], false));
    engine.remove::<Links<Likes>>(a).unwrap();
    assert_eq!(engine.query::<&LinkedFrom<Likes>>().count() + engine.query::<&Links<Likes>>().count(), 0);
    assert_eq!(engine.entities().len(), 3);
    assert!(panics(|| engine.query::<&mut Links<Likes>>().count()));
}

#[test]
fn queries_read_both_ends() {
    let mut engine = Engine::new();
    let [a, b, c] = spawn(&mut engine);
    engine.relate(a, c, Likes(3)).unwrap();
    engine.relate(b, c, Likes(4)).unwrap();
    let sum = engine.run(|targets: Query<&LinkedFrom<Likes>>, sources: Query<&Links<Likes>>| {
        let of = |source: &EntityId| sources.get(*source).map_or(0, |links| links.first().1.0);
        targets.iter().flatten().map(of).sum::<u8>()
    });
    assert_eq!(sum.unwrap(), 7);
}

type LikingPeople<'q> = (EntityId, LinksMut<'q, Likes>, Option<&'q LinkedFrom<Likes>>);

#[test]
fn query_writes_the_data_of_links() {
    let mut engine = Engine::new();
    let [a, b, c, d] = spawn(&mut engine);
    for (source, target, likes) in [(a, b, 1), (a, c, 2), (b, c, 3), (c, d, 4)] {
        engine.relate(source, target, Likes(likes)).unwrap();
    }
    engine.disable(c).unwrap();
    let counted = engine.run(move |mut people: Query<LikingPeople<'_>>| {
        for (source, mut links, _) in &mut people {
            let (first, likes) = links.first_mut();
            likes.0 += 10;
            assert_eq!(first, links.first().0);
            links.iter_mut().for_each(|(_, likes)| likes.0 += 20);
            if let Some(likes) = links.get_mut(c) {
                likes.0 += if source == a { 40 } else { 80 };
            }
            assert_eq!(links.get(a), None);
            for (target, likes) in links {
                likes.0 += u8::from(target == b);
            }
        }
        people.iter().map(|(_, links, _)| links.len()).sum::<usize>()
    });
    assert_eq!((counted.unwrap(), liked(&engine, a)), (3, vec![(b, 32), (c, 62)]));
    assert_eq!((liked(&engine, b), liked(&engine, c)), (vec![(c, 113)], vec![(d, 4)]), "one of them is disabled");
    assert_eq!(engine.related_to::<Likes>(c), [a, b], "the other end is as before");
}

#[test]
fn written_links_count_as_changed_and_conflict_as_written_components_do() {
    let mut engine = Engine::new();
    let [a, b, c] = spawn(&mut engine);
    engine.relate(a, c, Likes(1)).unwrap();
    engine.relate(b, c, Likes(2)).unwrap();
    let changed =
        |engine: &mut Engine| engine.query_filtered::<EntityId, Changed<Links<Likes>>>().iter().collect::<Vec<_>>();
    changed(&mut engine);
    engine.update(std::time::Duration::ZERO).unwrap();
    assert!(changed(&mut engine).is_empty());
    engine.query::<LinksMut<Likes>>().get_mut(b).unwrap().first_mut().1.0 = 9;
    assert_eq!(changed(&mut engine), [b]);

    let twice = engine.run(|_: Query<LinksMut<Likes>>, _: Query<&Links<Likes>>| {}).unwrap_err().to_string();
    assert!(twice.contains("may find component Links<") && twice.contains("Without<X>"), "{twice}");
    assert!(panics(|| engine.query::<(LinksMut<Likes>, &Links<Likes>)>().count()));
}

#[test]
fn links_are_written_in_parallel_with_the_same_result() {
    let run = |threads| {
        let mut engine = Engine::builder().threads(threads).parallel_threshold(1).build();
        let all: Vec<_> = (0..200).map(|_| engine.spawn(())).collect();
        for (at, source) in all.iter().enumerate() {
            (0..at % 4).for_each(|n| engine.relate(*source, all[(at * 7 + n) % 200], Likes(n as u8)).unwrap());
        }
        let fade = |mut people: Query<LinksMut<Likes>>| {
            people.par_for_each(|links| links.into_iter().for_each(|(_, likes)| likes.0 = likes.0 * 3 + 1));
        };
        engine.every(std::time::Duration::ZERO, fade).unwrap();
        (0..3).for_each(|_| engine.update(std::time::Duration::ZERO).unwrap());
        all.iter().map(|source| liked(&engine, *source)).collect::<Vec<_>>()
    };
    let alone = run(1);
    assert_eq!(alone[3].iter().map(|(_, likes)| *likes).collect::<Vec<_>>(), [13, 40, 67]);
    assert_eq!((run(2), run(4)), (alone.clone(), alone));
}

#[test]
fn data_that_panics_when_dropped_leaves_no_half_link() {
    struct Mine;
    impl Relation for Mine {}
    impl Drop for Mine {
        fn drop(&mut self) {
            panic!("bang");
        }
    }
    let mut engine = Engine::new();
    let [a, b, c, d] = spawn(&mut engine);
    for (source, target) in [(a, b), (a, c), (b, c), (d, c), (a, d)] {
        engine.relate(source, target, Mine).unwrap();
    }
    assert!(panics(|| engine.unrelate::<Mine>(a, b)));
    assert!(panics(|| engine.despawn(c)));
    assert_eq!((engine.related::<Mine>(a).count(), engine.related_to::<Mine>(d)), (1, &[a][..]));
    assert_eq!(engine.query::<&Links<Mine>>().count() + engine.query::<&LinkedFrom<Mine>>().count(), 2);
    assert!(panics(|| engine.despawn(a)));
    assert_eq!((engine.entities().len(), engine.query::<&LinkedFrom<Mine>>().count()), (2, 0));
}
