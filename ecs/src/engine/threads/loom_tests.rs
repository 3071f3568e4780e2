//! The hand-over in all interleavings: `RUSTFLAGS="--cfg loom" cargo test -p ecs --release --lib loom`
//!
//! What is lent and what comes back are relaxed atomics: a model sees an old value unless the hand-over itself orders what
//! the two threads do. A wake-up that is lost is a deadlock, which loom reports.
#![cfg(loom)]

use std::panic::resume_unwind;

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering::Relaxed};
use loom::thread::{self, JoinHandle};

use super::hand_over::{Lender, hand_over};

fn start() -> (Lender, JoinHandle<()>) {
    let (lender, driver) = hand_over();
    (lender, thread::spawn(|| driver.drive()))
}

/// Adds 1 to what it finds, which must be `expected`.
fn frame(lender: &mut Lender, world: &AtomicU32, expected: u32) {
    let mut runs = 0;
    let outcome = lender.lend(&mut || {
        assert_eq!(world.load(Relaxed), expected);
        world.store(expected + 1, Relaxed);
        runs += 1;
    });
    assert!(outcome.is_ok() && runs == 1);
    assert_eq!(world.load(Relaxed), expected + 1);
}

#[test]
fn frames_see_what_was_written_before_and_the_lender_what_they_wrote() {
    loom::model(|| {
        let world = Arc::new(AtomicU32::new(0));
        let (mut lender, driver) = start();
        world.store(5, Relaxed);
        frame(&mut lender, &world, 5);
        world.store(10, Relaxed);
        frame(&mut lender, &world, 10);
        drop(lender);
        driver.join().unwrap();
    });
}

#[test]
fn panic_comes_back_and_the_next_frame_runs() {
    loom::model(|| {
        let world = AtomicU32::new(0);
        let (mut lender, driver) = start();
        let panic = lender.lend(&mut || {
            world.store(1, Relaxed);
            resume_unwind(Box::new(7_u8));
        });
        assert_eq!(panic.unwrap_err().downcast_ref(), Some(&7_u8));
        frame(&mut lender, &world, 1);
        drop(lender);
        driver.join().unwrap();
    });
}

#[test]
fn driver_ends_without_a_frame_and_after_a_panic() {
    loom::model(|| {
        let (lender, driver) = start();
        drop(lender);
        driver.join().unwrap();
    });
    loom::model(|| {
        let (mut lender, driver) = start();
        assert!(lender.lend(&mut || resume_unwind(Box::new(()))).is_err());
        drop(lender);
        driver.join().unwrap();
    });
}

#[test]
fn lender_may_move_to_another_thread_between_frames() {
    loom::model(|| {
        let world = Arc::new(AtomicU32::new(0));
        let (mut lender, driver) = start();
        frame(&mut lender, &world, 0);
        let there = world.clone();
        let mover = thread::spawn(move || {
            frame(&mut lender, &there, 1);
            drop(lender);
        });
        driver.join().unwrap();
        mover.join().unwrap();
        assert_eq!(world.load(Relaxed), 2);
    });
}
