//! Times the work of a contestant and nothing else.

use std::time::{Duration, Instant};

/// What times a round of one contestant, who decides what belongs to the work.
pub(crate) struct Stopwatch {
    repetitions: usize,
    elapsed: Duration,
}

/// Plays one round: repeats the work as often as the stopwatch says, and returns the checksum of what came of it.
pub(crate) type Runner = Box<dyn FnMut(&mut Stopwatch) -> u64>;

impl Stopwatch {
    pub(crate) fn new(repetitions: usize) -> Self {
        Self { repetitions, elapsed: Duration::ZERO }
    }

    /// Nanoseconds that one repetition took.
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

/// Work on a world that stays; all repetitions are timed as one.
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

/// Work that ends as it began, in two steps: what there is between them counts besides, so that nobody can leave the work out.
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

/// Work on a new world each time; only the work is timed, not the making and the dropping.
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
