//! Times only the work of a contestant.

use std::time::{Duration, Instant};

/// Times a round of one contestant. The contestant decides which calls are timed.
pub(crate) struct Stopwatch {
    repetitions: usize,
    elapsed: Duration,
}

/// Runs one round: repeats the work as the stopwatch tells, and returns the checksum of the result.
pub(crate) type Runner = Box<dyn FnMut(&mut Stopwatch) -> u64>;

impl Stopwatch {
    pub(crate) fn new(repetitions: usize) -> Self {
        Self { repetitions, elapsed: Duration::ZERO }
    }

    /// Nanoseconds per repetition.
    pub(crate) fn nanos(&self) -> f64 {
        self.elapsed.as_nanos() as f64 / self.repetitions as f64
    }

    fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.elapsed += start.elapsed();
        result
    }
}

/// Work on one world; all repetitions are timed together.
pub(crate) fn repeated<W: 'static>(
    mut world: W,
    mut work: impl FnMut(&mut W) + 'static,
    checksum: impl Fn(&mut W) -> u64 + 'static,
) -> Runner {
    Box::new(move |watch| {
        let repetitions = watch.repetitions;
        watch.time(|| (0..repetitions).for_each(|_| work(&mut world)));
        checksum(&mut world)
    })
}

/// Two steps of work, the second of which undoes the first. The checksum includes the state between them, so that
/// neither can be left out.
pub(crate) fn there_and_back<W: 'static>(
    mut world: W,
    mut there: impl FnMut(&mut W) + 'static,
    mut back: impl FnMut(&mut W) + 'static,
    checksum: impl Fn(&mut W) -> u64 + 'static,
) -> Runner {
    Box::new(move |watch| {
        let repetitions = watch.repetitions;
        watch.time(|| {
            for _ in 0..repetitions {
                there(&mut world);
                back(&mut world);
            }
        });
        there(&mut world);
        let between = checksum(&mut world);
        back(&mut world);
        between.rotate_left(32).wrapping_add(checksum(&mut world))
    })
}

/// Work on a new world in each repetition. Making and dropping the world are not timed.
pub(crate) fn on_new<W: 'static>(
    make: impl Fn() -> W + 'static,
    mut work: impl FnMut(&mut W) + 'static,
    checksum: impl Fn(&mut W) -> u64 + 'static,
) -> Runner {
    Box::new(move |watch| {
        let mut sum = 0;
        for _ in 0..watch.repetitions {
            let mut world = make();
            watch.time(|| work(&mut world));
            sum = checksum(&mut world);
        }
        sum
    })
}
