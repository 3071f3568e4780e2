//! Worker threads that run numbered jobs; the results arrive in the order of the jobs.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Jobs in flight per worker: enough that a long job does not block the others, few enough that results do not pile up.
const AHEAD: usize = 2;

/// A running job, seen by its worker.
pub(crate) struct Job<'a> {
    /// Number of the job, from 0.
    pub(crate) index: u64,
    steps: &'a AtomicU64,
    is_over: &'a AtomicBool,
}

impl Job<'_> {
    /// Reports the number of steps done. Returns whether to continue; otherwise the result is no longer needed.
    pub(crate) fn go_on(&self, steps: u64) -> bool {
        self.steps.store(steps, Ordering::Relaxed);
        !self.is_over.load(Ordering::Relaxed)
    }
}

/// WorkerMessage for the receiver of results.
pub(crate) enum WorkerMessage<R> {
    /// The next result is not ready: the number of its job, and the steps done.
    Waiting(u64, u64),
    /// The next result.
    Result(R),
}

/// A job in the queue.
struct QueuedJob<R> {
    index: u64,
    steps: Arc<AtomicU64>,
    result: Sender<R>,
}

/// Runs the jobs 0 to `jobs` on up to `workers` threads, and calls `hear` with each result in the order of the jobs.
///
/// While a result is not ready, `hear` is called after each `between_news`. The first error of `hear` ends all jobs.
///
/// # Panics
/// If `work` panics.
pub(crate) fn work_off<R: Send, E>(
    jobs: u64,
    workers: usize,
    between_news: Duration,
    work: impl Fn(&Job<'_>) -> R + Sync,
    hear: impl FnMut(WorkerMessage<R>) -> Result<(), E>,
) -> Result<(), E> {
    let workers = workers.max(1).min(usize::try_from(jobs).unwrap_or(usize::MAX));
    let is_over = AtomicBool::new(false);
    let (orders, inbox) = channel::<QueuedJob<R>>();
    let inbox = Mutex::new(inbox);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(QueuedJob { index, steps, result }) = next(&inbox) {
                    if !is_over.load(Ordering::Relaxed) {
                        // The receiver is gone if the result is too late.
                        let _ = result.send(work(&Job { index, steps: &steps, is_over: &is_over }));
                    }
                }
            });
        }
        let outcome = hand_over(jobs, workers * AHEAD, orders, between_news, hear);
        is_over.store(true, Ordering::Relaxed);
        outcome
    })
}

/// Sends the jobs, with up to `most` in flight, and receives their results in order. Returning drops `orders`, which
/// ends the workers.
fn hand_over<R, E>(
    jobs: u64,
    most: usize,
    orders: Sender<QueuedJob<R>>,
    between_news: Duration,
    mut hear: impl FnMut(WorkerMessage<R>) -> Result<(), E>,
) -> Result<(), E> {
    let mut ordered = 0..jobs;
    let mut waiting = VecDeque::new();
    for index in 0..jobs {
        while waiting.len() < most
            && let Some(index) = ordered.next()
        {
            let (result, receiver) = channel();
            let steps = Arc::new(AtomicU64::new(0));
            waiting.push_back((receiver, Arc::clone(&steps)));
            orders.send(QueuedJob { index, steps, result }).expect("the inbox outlives the workers");
        }
        let (result, steps) = waiting.pop_front().expect("a job is ordered before its result is waited for");
        loop {
            match result.recv_timeout(between_news) {
                Ok(result) => break hear(WorkerMessage::Result(result))?,
                Err(RecvTimeoutError::Timeout) => hear(WorkerMessage::Waiting(index, steps.load(Ordering::Relaxed)))?,
                // Its worker has panicked; the scope panics when the other workers have ended.
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }
    Ok(())
}

/// The next job; `None` after the last.
fn next<R>(inbox: &Mutex<Receiver<QueuedJob<R>>>) -> Option<QueuedJob<R>> {
    inbox.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    const MOMENT: Duration = Duration::from_millis(1);

    /// [`work_off`] for results only, until `take` returns `false`.
    fn results<R: Send>(
        jobs: u64,
        workers: usize,
        work: impl Fn(&Job<'_>) -> R + Sync,
        mut take: impl FnMut(R) -> bool,
    ) -> Result<(), &'static str> {
        work_off(jobs, workers, MOMENT, work, |news| match news {
            WorkerMessage::Result(result) => take(result).then_some(()).ok_or("enough"),
            WorkerMessage::Waiting(..) => Ok(()),
        })
    }

    #[test]
    fn results_come_in_order_from_any_number_of_workers() {
        for (jobs, workers) in [(200, 0), (200, 1), (200, 2), (200, 7), (3, 100), (0, 3)] {
            let mut next = 0;
            let outcome = results(
                jobs,
                workers,
                |job| job.index,
                |index| {
                    next += 1;
                    index == next - 1
                },
            );
            assert_eq!((outcome, next), (Ok(()), jobs), "{workers} workers");
        }
    }

    #[test]
    fn workers_work_at_the_same_time() {
        // The barrier opens only for three threads at once.
        let barrier = Barrier::new(3);
        assert_eq!(results(6, 3, |_| barrier.wait(), |_| true), Ok(()));
    }

    #[test]
    fn only_a_few_results_wait_to_be_received() {
        let begun = AtomicU64::new(0);
        let mut taken = 0;
        let count = |_: &Job<'_>| begun.fetch_add(1, Ordering::SeqCst);
        let outcome = results(500, 2, count, |_| {
            taken += 1;
            begun.load(Ordering::SeqCst) < taken + 2 * AHEAD as u64
        });
        assert_eq!((outcome, taken), (Ok(()), 500));
    }

    #[test]
    fn first_error_stops_long_jobs_at_their_next_step() {
        let mut taken = 0;
        // Only the first two jobs end by themselves.
        let work = |job: &Job<'_>| while job.index > 1 && job.go_on(0) {};
        let outcome = results(100, 3, work, |()| {
            taken += 1;
            taken < 2
        });
        assert_eq!((outcome, taken), (Err("enough"), 2));
    }

    #[test]
    fn receiver_hears_the_progress_of_the_next_result() {
        let (is_told, mut told) = (AtomicBool::new(false), None);
        let work = |job: &Job<'_>| while job.go_on(7) && !is_told.load(Ordering::Relaxed) {};
        let outcome: Result<(), ()> = work_off(1, 1, MOMENT, work, |news| {
            if let WorkerMessage::Waiting(index, steps) = news {
                told = Some((index, steps));
                is_told.store(steps == 7, Ordering::Relaxed);
            }
            Ok(())
        });
        assert_eq!((outcome, told), (Ok(()), Some((0, 7))));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn panic_of_a_worker_is_propagated() {
        let _ = results(50, 2, |job| assert_ne!(job.index, 3, "as wanted"), |()| true);
    }
}
