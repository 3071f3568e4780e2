//! The same run, bit for bit, at any number of threads: random systems in random schedules over random worlds.

mod drops;
pub(crate) mod panics;
mod pinned;
mod schedule;
mod workers;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use self::schedule::{Schedule, Trace, any_schedule, engine};
use self::workers::{Elsewhere, WORKERS};

/// The number of random schedules. Use fewer under slow tools: `SCHEDULES=50 cargo test`.
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
    // Thousands of systems ran in parallel, and in a hundred large worlds queries were split. Each time workers were
    // woken first, and in one of 16 runs and at one of 128 rows the calling thread yields to them. On two busy cores
    // workers take some 4,000 runs and 200,000 rows; much less means that workers do not assist.
    if schedules() >= 1000 {
        elsewhere.assert_at_least(10, 100);
    }
}

#[test]
fn large_world_gives_the_same_run_on_several_threads() {
    let elsewhere = Elsewhere::new();
    let schedule = Schedule::of(0..WORKERS.len(), 6_000);
    let serial = Trace::of(1, &schedule, &elsewhere);
    assert!(serial.entities > 3_000, "the world is not empty");
    for threads in [2, 4] {
        assert_eq!(Trace::of(threads, &schedule, &elsewhere).difference(&serial), None, "{threads} threads");
    }
    // As above: 24 split queries yield at about 30 rows each.
    elsewhere.assert_at_least(0, 1);
}

#[test]
fn explanation_lists_systems_that_may_run_in_parallel() {
    let mut engine = engine(2, &Schedule::of([0, 2, 5], 0), &Elsewhere::new());
    let explanation = engine.explain().unwrap().to_string();
    assert!(explanation.contains("may run beside"), "{explanation}");
}
