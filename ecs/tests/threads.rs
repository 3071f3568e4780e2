//! The same run, bit for bit, at any number of threads: random systems in random schedules over random worlds.

mod drops;
mod panics;
mod schedule;
mod workers;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use self::schedule::{Schedule, Trace, any_schedule, engine};
use self::workers::{Elsewhere, WORKERS};

/// How many random schedules are tried: fewer where each step is checked, `SCHEDULES=50 cargo test`.
fn schedules() -> u32 {
    std::env::var("SCHEDULES").map_or(1000, |number| number.parse().expect("SCHEDULES is a number"))
}

#[test]
fn any_number_of_threads_gives_the_same_run() {
    let elsewhere = Elsewhere::new();
    let config = ProptestConfig { source_file: Some(file!()), ..ProptestConfig::with_cases(schedules()) };
    let tried = TestRunner::new(config).run(&any_schedule(), |schedule| {
        let serial = Trace::of(1, &schedule, &elsewhere);
        for threads in [2, 4, 16] {
            let difference = Trace::of(threads, &schedule, &elsewhere).difference(&serial);
            prop_assert_eq!(difference, None, "{} threads", threads);
        }
        Ok(())
    });
    if let Err(error) = tried {
        panic!("{error}");
    }
    // Thousands of systems have run side by side, and in a hundred large worlds walks were divided. Each time helpers were woken
    // first, and in one of 16 runs and at one of 128 rows the caller lets them work. On two busy cores some 4,000 runs and
    // 200,000 rows are theirs; fewer than these are so only if helpers do not help.
    if schedules() >= 1000 {
        elsewhere.assert_at_least(10, 100);
    }
}

#[test]
fn a_large_world_is_the_same_on_threads() {
    let elsewhere = Elsewhere::new();
    let schedule = Schedule::of(0..WORKERS.len(), 6_000);
    let serial = Trace::of(1, &schedule, &elsewhere);
    assert!(serial.entities > 3_000, "the world is not empty");
    for threads in [2, 4] {
        assert_eq!(Trace::of(threads, &schedule, &elsewhere).difference(&serial), None, "{threads} threads");
    }
    // As above: 24 divided walks let others work at about 30 rows each.
    elsewhere.assert_at_least(0, 1);
}

#[test]
fn systems_that_do_not_conflict_are_shown_side_by_side() {
    let mut engine = engine(2, &Schedule::of([0, 2, 5], 0), &Elsewhere::new());
    let explanation = engine.explain().unwrap().to_string();
    assert!(explanation.contains("may run beside"), "{explanation}");
}
