//! Dividing work in all interleavings of a few switches between threads: `RUSTFLAGS="--cfg loom" cargo test -p lockstep_ecs --release --lib loom`
//!
//! What is written and read are relaxed atomics: a model sees an old value unless the work queue itself orders what the threads do. A
//! wake-up that is lost is a deadlock, or work without end, which loom reports.
#![cfg(loom)]

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering::Relaxed};
use loom::thread::{self, JoinHandle};

use super::task::Kind;
use super::work_queue::{WorkQueue, for_each_of};

fn start(offers: usize) -> (Arc<WorkQueue>, JoinHandle<()>) {
    let work_queue = Arc::new(WorkQueue::with_offers(offers));
    let shared = Arc::clone(&work_queue);
    (work_queue, thread::spawn(move || shared.help_to_the_end()))
}

fn end(work_queue: &WorkQueue, helper: JoinHandle<()>) {
    work_queue.end();
    helper.join().unwrap();
}

/// Models with more switches than these take too long.
fn model(most_switches: usize, check: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(most_switches);
    builder.check(check);
}

#[test]
fn pieces_see_what_was_written_before_and_who_divides_what_they_wrote() {
    model(3, || {
        let (work_queue, helper) = start(1);
        let cells = [AtomicU32::new(0), AtomicU32::new(0)];
        for round in 0..2 {
            cells.iter().for_each(|cell| cell.store(10 + round, Relaxed));
            work_queue.divide(Kind::Walk, 2, &|piece| {
                assert_eq!(cells[piece].load(Relaxed), 10 + round, "of this round, and once");
                cells[piece].store(20 + round, Relaxed);
            });
            assert!(cells.iter().all(|cell| cell.load(Relaxed) == 20 + round));
        }
        end(&work_queue, helper);
    });
}

#[test]
fn elements_are_lent_once_each() {
    model(3, || {
        let (work_queue, helper) = start(1);
        let mut elements = [loom::cell::Cell::new(1), loom::cell::Cell::new(1), loom::cell::Cell::new(1)];
        for_each_of(&work_queue, Kind::Systems, &mut elements, &[0, 2], |_, element| element.set(element.get() + 1));
        assert_eq!(elements.map(|element| element.get()), [2, 1, 2]);
        end(&work_queue, helper);
    });
}

#[test]
fn panic_of_a_piece_comes_back_and_the_next_task_is_done() {
    model(2, || {
        let (work_queue, helper) = start(1);
        let divided = catch_unwind(AssertUnwindSafe(|| {
            work_queue.divide(Kind::Walk, 2, &|piece| {
                if piece == 1 {
                    resume_unwind(Box::new(7_u8));
                }
            });
        }));
        assert_eq!(divided.unwrap_err().downcast_ref(), Some(&7_u8));
        let done = AtomicU32::new(0);
        work_queue.divide(Kind::Walk, 2, &|_| _ = done.fetch_add(1, Relaxed));
        assert_eq!(done.load(Relaxed), 2);
        end(&work_queue, helper);
    });
}

#[test]
fn helper_ends_without_work() {
    model(4, || {
        let (work_queue, helper) = start(1);
        end(&work_queue, helper);
    });
}

/// Divides work into two pieces that wait for each other, which no frame has: it ends only if a helper takes one of them.
fn meet(work_queue: &WorkQueue) {
    let begun = AtomicU32::new(0);
    work_queue.divide(Kind::Walk, 2, &|_| {
        begun.fetch_add(1, Relaxed);
        while begun.load(Relaxed) < 2 {
            thread::yield_now();
        }
    });
}

#[test]
fn helper_is_awake_whenever_there_is_work() {
    // However it was about to fall asleep.
    model(2, || {
        let (work_queue, helper) = start(1);
        meet(&work_queue);
        end(&work_queue, helper);
    });
}

#[test]
fn piece_may_divide_its_own_work() {
    model(2, || {
        let (work_queue, helper) = start(2);
        let done = AtomicU32::new(0);
        work_queue.divide(Kind::Systems, 2, &|_| {
            work_queue.divide(Kind::Walk, 2, &|_| _ = done.fetch_add(1, Relaxed));
        });
        assert_eq!(done.load(Relaxed), 4);
        end(&work_queue, helper);
    });
}

#[test]
fn two_may_divide_at_the_same_time_though_only_one_can_offer() {
    model(2, || {
        let (work_queue, helper) = start(1);
        let there = Arc::clone(&work_queue);
        let divide = |work_queue: &WorkQueue| {
            let done = AtomicU32::new(0);
            work_queue.divide(Kind::Walk, 2, &|_| _ = done.fetch_add(1, Relaxed));
            assert_eq!(done.load(Relaxed), 2);
        };
        let other = thread::spawn(move || divide(&there));
        divide(&work_queue);
        other.join().unwrap();
        end(&work_queue, helper);
    });
}

#[test]
fn one_of_two_helpers_is_woken_for_two_pieces() {
    model(2, || {
        let (work_queue, helper) = start(1);
        let there = Arc::clone(&work_queue);
        let other = thread::spawn(move || there.help_to_the_end());
        meet(&work_queue);
        work_queue.end();
        helper.join().unwrap();
        other.join().unwrap();
    });
}

#[test]
fn first_of_two_pieces_that_panic_is_told_of() {
    model(2, || {
        let (work_queue, helper) = start(1);
        let divided = catch_unwind(AssertUnwindSafe(|| {
            work_queue.divide(Kind::Walk, 3, &|piece| {
                if piece > 0 {
                    resume_unwind(Box::new(piece));
                }
            });
        }));
        assert_eq!(divided.unwrap_err().downcast_ref(), Some(&1_usize));
        end(&work_queue, helper);
    });
}
