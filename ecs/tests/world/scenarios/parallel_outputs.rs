//! Parallel iterations that send events and record commands: as if a single thread had visited one row after the other.

use std::sync::Arc;
use std::time::Duration;

use ecs::hierarchy::ChildOf;
use ecs::relation::Relation;
use ecs::{Commands, Despawned, Engine, EntityId, Query, ResMut, Sender, Spawned, Time, Without};

use super::log::{FRAME, Log, frame, index, logged};
use crate::panics;

#[derive(Clone, Copy)]
struct Hit(u32);

#[derive(Clone, Copy)]
struct Missed(u32, [u64; 5]);

struct Hidden;
struct Knows(u32);
impl Relation for Knows {}

/// What a row does in a frame: a number without a pattern.
fn deed(row: u32, frame: u64) -> u64 {
    ((u64::from(row) + frame * 1_000_003).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) % 16
}

/// Sends and records whatever can be recorded. Between the other events of one type, so that they make runs.
fn act(
    (hits, misses, commands): &mut (Sender<'_, Hit>, Sender<'_, Missed>, Commands<'_>),
    (entity, number): (EntityId, &u32),
    frame: u64,
) {
    let n = *number;
    match deed(n, frame) {
        0..3 => hits.send(Hit(n)),
        3 => misses.send(Missed(n, [u64::from(n); 5])),
        4 => commands.spawn((n + 1, n.to_string())),
        5 => commands.insert(entity, (n.to_string(), 'i')),
        6 => commands.remove::<String>(entity),
        7 => commands.spawn_many((0..3).map(|k| (n + k,))),
        8 => commands.join("list", entity),
        9 => commands.spawn_child(entity, (n,)),
        10 => commands.relate(entity, entity, Knows(n)),
        11 => commands.run(move |mut log: ResMut<Log>| log.note(format!("run {n}"))),
        12 if n.is_multiple_of(3) => commands.despawn(entity),
        13 => commands.insert_many([(entity, (u64::from(n),)), (EntityId::default(), (0,))]),
        14 => (0..20).for_each(|_| hits.send(Hit(n))),
        _ => {}
    }
}

fn in_parallel(
    time: Time,
    mut rows: Query<(EntityId, &u32), Without<Hidden>>,
    (mut hits, mut misses, mut commands): (Sender<Hit>, Sender<Missed>, Commands),
) {
    let frame = time.frame();
    hits.send(Hit(0));
    commands.spawn(('x',));
    rows.par_for_each_with((&mut hits, &mut misses, &mut commands), |outputs, item| act(outputs, item, frame));
    misses.send(Missed(1, [1; 5]));
    rows.par_for_each_with(&mut hits, |hits, (_, n)| hits.send(Hit(*n)));
    rows.par_for_each_with((&mut commands,), |(commands,), (entity, _)| commands.insert(entity, (7_u8,)));
}

fn one_by_one(
    time: Time,
    rows: Query<(EntityId, &u32), Without<Hidden>>,
    (mut hits, misses, mut commands): (Sender<Hit>, Sender<Missed>, Commands),
) {
    hits.send(Hit(0));
    commands.spawn(('x',));
    let mut outputs = (hits, misses, commands);
    rows.iter().for_each(|item| act(&mut outputs, item, time.frame()));
    outputs.1.send(Missed(1, [1; 5]));
    rows.iter().for_each(|(_, n)| outputs.0.send(Hit(*n)));
    rows.iter().for_each(|(entity, _)| outputs.2.insert(entity, (7_u8,)));
}

fn listening_engine(threads: usize) -> Engine {
    let mut engine = Engine::builder().threads(threads).parallel_threshold(1).build();
    engine.insert_resource(Log::default());
    engine.listen(|hit: &Hit, mut log: ResMut<Log>| log.note(format!("h{}", hit.0))).unwrap();
    // Runs show: each listener gets a whole run before the next one does.
    engine.listen(|hit: &Hit, mut log: ResMut<Log>| log.note(format!("H{}", hit.0))).unwrap();
    engine
        .listen(|Missed(n, all): &Missed, mut log: ResMut<Log>| {
            assert_eq!(*all, [u64::from(*n); 5]);
            log.note(format!("m{n}"));
        })
        .unwrap();
    engine.listen(|event: &Spawned, mut log: ResMut<Log>| log.note(format!("+{}", event.entity))).unwrap();
    engine.listen(|event: &Despawned, mut log: ResMut<Log>| log.note(format!("-{}", event.entity))).unwrap();
    engine
}

/// What listeners, command errors and queries tell about some frames.
fn story(threads: usize, rows: u32, is_parallel: bool) -> Vec<String> {
    let mut engine = listening_engine(threads);
    match is_parallel {
        true => engine.every(Duration::ZERO, in_parallel).unwrap(),
        false => engine.every(Duration::ZERO, one_by_one).unwrap(),
    };
    let ids = engine.spawn_many((0..rows).map(|n| (n,)));
    ids.iter().step_by(5).for_each(|id| engine.insert(*id, (Hidden,)).unwrap());
    let mut story = Vec::new();
    for _ in 0..4 {
        story.push(frame(&mut engine));
        story.extend(engine.command_errors().iter().map(|error| format!("{} {}", error.command, error.failure)));
    }
    let all = engine.query::<(EntityId, Option<&u32>, Option<&String>, Option<&u64>, Option<&ChildOf>)>();
    story.extend(all.iter().map(|(entity, a, b, c, d)| format!("{entity} {a:?} {b:?} {c:?} {}", d.is_some())));
    let known = ids.iter().filter_map(|id| Some(engine.relation::<Knows>(*id, *id)?.0.to_string()));
    story.extend(known);
    story.extend(engine.entity_lists().members("list").map(index));
    story
}

#[test]
fn events_and_commands_are_those_of_a_single_thread() {
    for rows in [0, 1, 64, 65, 200, 3_000] {
        let expected = story(1, rows, false);
        for threads in [1, 2, 4] {
            let found = story(threads, rows, true);
            let differs = expected.iter().zip(&found).position(|(a, b)| a != b);
            assert!(found == expected, "{rows} rows on {threads} threads: line {differs:?}");
        }
    }
}

#[test]
fn what_was_sent_and_recorded_up_to_a_panic_is_kept() {
    let dropped = Arc::new(());
    let run = |threads| {
        let mut engine = listening_engine(threads);
        engine.spawn_many((0..3_000_u32).map(|n| (n,)));
        let value = Arc::clone(&dropped);
        let fall = move |mut rows: Query<&u32>, mut hits: Sender<Hit>, mut commands: Commands| {
            rows.par_for_each_with((&mut hits, &mut commands), |(hits, commands), n| {
                assert!(n % 1_000 < 900, "row {n}");
                hits.send(Hit(*n));
                commands.spawn((u64::from(*n), Arc::clone(&value)));
            });
        };
        engine.after(Duration::ZERO, fall).unwrap();
        assert!(panics(|| engine.update(FRAME)));
        engine.update(FRAME).unwrap();
        assert_eq!(engine.query::<&u64>().count(), 900);
        logged(&mut engine)
    };
    let expected = run(1);
    assert!(expected.contains("h899") && !expected.contains("h900"), "{expected}");
    for threads in [2, 4] {
        assert!(run(threads) == expected, "{threads} threads");
    }
    assert_eq!(Arc::strong_count(&dropped), 1, "each value was dropped once");
}

#[test]
fn iteration_after_a_panic_begins_with_empty_buffers() {
    let mut engine = listening_engine(4);
    engine.spawn_many((0..3_000_u32).map(|n| (n,)));
    let visit = |time: Time, mut rows: Query<&u32>, mut hits: Sender<Hit>, mut commands: Commands| {
        let is_first = time.frame() == 1;
        rows.par_for_each_with((&mut hits, &mut commands), |(hits, commands), n| {
            hits.send(Hit(*n));
            commands.spawn((u64::from(*n),));
            assert!(!is_first || *n < 10, "row {n}");
        });
    };
    engine.every(Duration::ZERO, visit).unwrap();
    assert!(panics(|| engine.update(FRAME)));
    engine.update(FRAME).unwrap();
    assert_eq!(engine.query::<&u64>().count(), 11 + 3_000);
    assert_eq!(logged(&mut engine).matches('h').count(), 11 + 3_000);
}

#[test]
fn outputs_of_two_engines_are_refused() {
    let mut other = Engine::new();
    let mut engine = Engine::new();
    engine.spawn((1_u32,));
    let refused = engine.run(|mut rows: Query<&u32>, mut mine: Sender<Hit>| {
        panics(|| other.run(|mut theirs: Sender<Hit>| rows.par_for_each_with((&mut mine, &mut theirs), |_, _| {})))
    });
    assert!(refused.unwrap());
}

#[test]
fn memory_report_counts_the_buffers_of_chunks_and_shrinking_frees_them() {
    let mut engine = listening_engine(2);
    engine.spawn_many((0..3_000_u32).map(|n| (n,)));
    let before = engine.memory().held_bytes();
    let sending =
        engine.every(Duration::ZERO, |mut rows: Query<&u32>, mut hits: Sender<Hit>, mut commands: Commands| {
            rows.par_for_each_with((&mut hits, &mut commands), |(hits, commands), n| {
                hits.send(Hit(*n));
                commands.run(|| {});
            });
        });
    engine.update(FRAME).unwrap();
    let _ = logged(&mut engine);
    let after = engine.memory().held_bytes();
    assert!(after > before + 64 * 1_024, "{before} {after}");
    engine.shrink();
    assert!(engine.memory().held_bytes() < after - 64 * 1_024);
    assert!(engine.cancel(sending.unwrap()));
}

#[test]
fn outputs_of_two_engines_are_refused_at_any_number_of_threads() {
    for threads in [1, 2] {
        let engine = || {
            let mut engine = Engine::builder().threads(threads).parallel_threshold(1).build();
            engine.spawn_many((0..5_000_u32).map(|n| (n,)));
            engine
        };
        let (mut one, mut other) = (engine(), engine());
        let mut refusals = Vec::new();
        one.run(|mut hits: Sender<Hit>, mut misses: Sender<Missed>, mut commands: Commands| {
            other
                .run(|mut rows: Query<&u32>, mut own_hits: Sender<Hit>, mut own_commands: Commands| {
                    let mut refuse = |run: &mut dyn FnMut()| {
                        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_err();
                        refusals.push(*panic.downcast_ref::<&str>().unwrap());
                    };
                    refuse(&mut || rows.par_for_each_with((&mut hits, &mut own_commands), |_, _| {}));
                    refuse(&mut || rows.par_for_each_with((&mut commands, &mut own_hits), |_, _| {}));
                    refuse(&mut || rows.par_for_each_with((&mut misses, &mut own_hits), |_, _| {}));
                    refuse(&mut || rows.par_for_each_with((&mut commands, &mut own_commands), |_, _| {}));
                    refuse(&mut || rows.par_for_each_with(((&mut own_hits,), (&mut commands,)), |_, _| {}));
                    // The outputs of one engine are accepted, whichever the query is of.
                    rows.par_for_each_with((&mut hits, &mut commands), |(hits, _), n| hits.send(Hit(*n)));
                })
                .unwrap();
        })
        .unwrap();
        assert_eq!(
            refusals,
            ["the outputs of a parallel iteration belong to two engines: give it those of one method"; 5]
        );
        one.update(FRAME).unwrap();
        assert_eq!(one.events().counters::<Hit>().unwrap().sent, 5_000);
    }
}
