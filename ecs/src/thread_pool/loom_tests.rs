//! Divides work in all interleavings with a few switches between threads: `RUSTFLAGS="--cfg loom" cargo test -p
//! lockstep_ecs --release --lib loom`
//!
//! The tests write and read relaxed atomics, so a model sees an old value unless the work queue itself orders the
//! threads. Loom reports a lost wake-up as a deadlock.
#![cfg(loom)]

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering::Relaxed};
use loom::thread::{self, JoinHandle};

use super::task::Kind;
use super::work_queue::{WorkQueue, for_each_of, for_each_owner};

fn start(offers: usize) -> (Arc<WorkQueue>, JoinHandle<()>) {
    let work_queue = Arc::new(WorkQueue::with_offers(offers));
    let shared = Arc::clone(&work_queue);
    (work_queue, thread::spawn(move || shared.run_worker()))
}

fn end(work_queue: &WorkQueue, worker: JoinHandle<()>) {
    work_queue.end();
    worker.join().unwrap();
}

/// Models with more switches take too long.
fn model(most_switches: usize, check: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(most_switches);
    builder.check(check);
}

#[test]
fn chunks_see_earlier_writes_and_the_divider_sees_theirs() {
    model(3, || {
        let (work_queue, worker) = start(1);
        let cells = [AtomicU32::new(0), AtomicU32::new(0)];
        for round in 0..2 {
            cells.iter().for_each(|cell| cell.store(10 + round, Relaxed));
            work_queue.divide(Kind::Iteration, 2, &|chunk| {
                assert_eq!(cells[chunk].load(Relaxed), 10 + round, "of this round, and once");
                cells[chunk].store(20 + round, Relaxed);
            });
            assert!(cells.iter().all(|cell| cell.load(Relaxed) == 20 + round));
        }
        end(&work_queue, worker);
    });
}

#[test]
fn elements_are_lent_once_each() {
    model(3, || {
        let (work_queue, worker) = start(1);
        let mut elements = [loom::cell::Cell::new(1), loom::cell::Cell::new(1), loom::cell::Cell::new(1)];
        for_each_of(&work_queue, Kind::Systems, &mut elements, &[0, 2], |_, element| element.set(element.get() + 1));
        assert_eq!(elements.map(|element| element.get()), [2, 1, 2]);
        end(&work_queue, worker);
    });
}

#[test]
fn panic_of_a_chunk_comes_back_and_the_next_task_is_done() {
    model(2, || {
        let (work_queue, worker) = start(1);
        let divided = catch_unwind(AssertUnwindSafe(|| {
            work_queue.divide(Kind::Iteration, 2, &|chunk| {
                if chunk == 1 {
                    resume_unwind(Box::new(7_u8));
                }
            });
        }));
        assert_eq!(divided.unwrap_err().downcast_ref(), Some(&7_u8));
        let done = AtomicU32::new(0);
        work_queue.divide(Kind::Iteration, 2, &|_| _ = done.fetch_add(1, Relaxed));
        assert_eq!(done.load(Relaxed), 2);
        end(&work_queue, worker);
    });
}

#[test]
fn worker_ends_without_work() {
    model(4, || {
        let (work_queue, worker) = start(1);
        end(&work_queue, worker);
    });
}

/// Divides work into two chunks that wait for each other, so it ends only if a worker takes one of them.
fn meet(work_queue: &WorkQueue) {
    let begun = AtomicU32::new(0);
    work_queue.divide(Kind::Iteration, 2, &|_| {
        begun.fetch_add(1, Relaxed);
        while begun.load(Relaxed) < 2 {
            thread::yield_now();
        }
    });
}

#[test]
fn worker_is_awake_whenever_there_is_work() {
    // At any point of falling asleep.
    model(2, || {
        let (work_queue, worker) = start(1);
        meet(&work_queue);
        end(&work_queue, worker);
    });
}

#[test]
fn chunk_may_divide_its_own_work() {
    model(2, || {
        let (work_queue, worker) = start(2);
        let done = AtomicU32::new(0);
        work_queue.divide(Kind::Systems, 2, &|_| {
            work_queue.divide(Kind::Iteration, 2, &|_| _ = done.fetch_add(1, Relaxed));
        });
        assert_eq!(done.load(Relaxed), 4);
        end(&work_queue, worker);
    });
}

#[test]
fn two_threads_divide_at_the_same_time_with_one_slot() {
    model(2, || {
        let (work_queue, worker) = start(1);
        let there = Arc::clone(&work_queue);
        let divide = |work_queue: &WorkQueue| {
            let done = AtomicU32::new(0);
            work_queue.divide(Kind::Iteration, 2, &|_| _ = done.fetch_add(1, Relaxed));
            assert_eq!(done.load(Relaxed), 2);
        };
        let other = thread::spawn(move || divide(&there));
        divide(&work_queue);
        other.join().unwrap();
        end(&work_queue, worker);
    });
}

#[test]
fn one_of_two_workers_is_woken_for_two_chunks() {
    model(2, || {
        let (work_queue, worker) = start(1);
        let there = Arc::clone(&work_queue);
        let other = thread::spawn(move || there.run_worker());
        meet(&work_queue);
        work_queue.end();
        worker.join().unwrap();
        other.join().unwrap();
    });
}

#[test]
fn first_of_two_panics_is_raised() {
    model(2, || {
        let (work_queue, worker) = start(1);
        let divided = catch_unwind(AssertUnwindSafe(|| {
            work_queue.divide(Kind::Iteration, 3, &|chunk| {
                if chunk > 0 {
                    resume_unwind(Box::new(chunk));
                }
            });
        }));
        assert_eq!(divided.unwrap_err().downcast_ref(), Some(&1_usize));
        end(&work_queue, worker);
    });
}

#[test]
fn owners_get_their_elements_once_each() {
    model(3, || {
        let (work_queue, worker) = start(1);
        let mut elements = [1, 1, 1, 1].map(loom::cell::Cell::new);
        let mut owners = [loom::cell::Cell::new(0), loom::cell::Cell::new(0), loom::cell::Cell::new(0)];
        let owner_of = [2, 0, 2, u32::MAX];
        for_each_owner(
            Some(&work_queue),
            Kind::Systems,
            (&mut owners, &[0, 2]),
            (&mut elements, &owner_of),
            |owner, elements| {
                owner.set(owner.get() + 1);
                let own: &[usize] = if elements.owner() == 0 { &[1] } else { &[0, 2] };
                own.iter().for_each(|index| elements.get_mut(*index).set(10));
            },
        );
        assert_eq!(elements.map(|element| element.get()), [10, 10, 10, 1]);
        assert_eq!(owners.map(|owner| owner.get()), [1, 0, 1]);
        end(&work_queue, worker);
    });
}
