//! The work queue on which work is offered to helpers.
//!
//! # Invariants
//! A task lies on the stack of who offers it, and an offer holds a pointer to it. A helper looks at the task only between joining
//! the offer and leaving it. Joining is one step of the offer's state, and only an open offer can be joined; who offers closes the
//! offer and then waits until nobody is left in it, before the task ends. So whoever looks at a task finds it there.
//!
//! Who joins sees what was written before the offer was opened (it acquires what opening released), and who offers sees what helpers
//! wrote (it acquires what leaving released). Numbers of pieces are handed out once each, so no two calls have the same.
#![allow(unsafe_code)]

use std::ptr;

use self::sync::{AtomicPtr, AtomicUsize, Condvar, Mutex, Ordering, lock, pause, wait};
use super::task::{Kind, Task};

pub(super) mod sync {
    //! The same things from `std`, and from loom where it tries all interleavings.

    #[cfg(all(test, loom))]
    use loom::sync as from;
    #[cfg(not(all(test, loom)))]
    use std::sync as from;
    use std::sync::PoisonError;

    pub(crate) use from::atomic::{AtomicPtr, AtomicUsize, Ordering};
    pub(crate) use from::{Condvar, Mutex, MutexGuard};

    /// Nobody panics while one of these is locked.
    pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn wait<'m, T>(news: &Condvar, guard: MutexGuard<'m, T>) -> MutexGuard<'m, T> {
        news.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }

    /// How often who has nothing to do looks for work before it sleeps: to be woken takes longer than many a step of a frame.
    #[cfg(not(all(test, loom)))]
    pub(crate) const LOOKS_BEFORE_SLEEP: usize = 32;
    #[cfg(all(test, loom))]
    pub(crate) const LOOKS_BEFORE_SLEEP: usize = 0;

    /// Lets others work between two looks.
    pub(crate) fn pause() {
        #[cfg(not(all(test, loom)))]
        std::thread::yield_now();
    }
}

/// An offer nobody makes.
const FREE: usize = 0;
/// Somebody makes it.
const TAKEN: usize = 1;
/// It can be joined.
const OPEN: usize = 2;
/// One helper in it.
const HELPER: usize = 4;

/// Where a task can be offered.
struct Offer {
    /// [`FREE`], or [`TAKEN`] with [`OPEN`] as long as there may be something left to do, and [`HELPER`] for each that is in it.
    state: AtomicUsize,
    task: AtomicPtr<Task<'static>>,
}

impl Offer {
    fn new() -> Self {
        Self { state: AtomicUsize::new(FREE), task: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Takes the place if it is free.
    fn take(&self) -> bool {
        self.state.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    fn open(&self, task: &Task<'_>) {
        // The lifetime is that of the offer, by the invariants above.
        self.task.store(ptr::from_ref(task).cast_mut().cast(), Ordering::Relaxed);
        self.state.store(TAKEN | OPEN, Ordering::Release);
    }

    /// Lets nobody join any more.
    fn close(&self) {
        self.state.fetch_and(!OPEN, Ordering::Relaxed);
    }

    /// Whether helpers are in it.
    fn is_joined(&self) -> bool {
        self.state.load(Ordering::Acquire) >= HELPER
    }

    fn free(&self) {
        self.state.store(FREE, Ordering::Release);
    }

    /// Joins it, if it is open.
    fn join(&self) -> bool {
        let join = |state| (state & OPEN != 0).then_some(state + HELPER);
        self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, join).is_ok()
    }

    /// Takes pieces of a task of one of these kinds, if that is what is offered; returns whether it was.
    fn help(&self, kinds: &[Kind], work_queue: &WorkQueue) -> bool {
        if !self.join() {
            return false;
        }
        // SAFETY: it is there until this leaves, by the invariants above.
        let task = unsafe { &*self.task.load(Ordering::Relaxed) };
        let is_wanted = kinds.contains(&task.kind);
        if is_wanted {
            task.help();
            self.close();
        }
        // The task may be gone from here on.
        if self.state.fetch_sub(HELPER, Ordering::Release) == TAKEN + HELPER {
            work_queue.wake_waiters();
        }
        is_wanted
    }
}

/// Who sleeps, and what those must know who are about to.
struct Rest {
    sleepers: usize,
    /// Those of them that wait for others to leave an offer.
    waiters: usize,
    /// Offers that were ever opened.
    opened: u64,
    is_over: bool,
}

/// Offers, and helpers that look for some.
pub(super) struct WorkQueue {
    offers: Box<[Offer]>,
    rest: Mutex<Rest>,
    /// Something is offered, somebody has left a closed offer, or it is over.
    news: Condvar,
}

impl WorkQueue {
    /// A work queue for so many offers at the same time.
    pub(super) fn with_offers(count: usize) -> Self {
        let offers = (0..count).map(|_| Offer::new()).collect();
        Self {
            offers,
            rest: Mutex::new(Rest { sleepers: 0, waiters: 0, opened: 0, is_over: false }),
            news: Condvar::new(),
        }
    }

    /// Helps with all that is offered, until it is over.
    pub(super) fn help_to_the_end(&self) {
        self.help_until(false, &[Kind::Systems, Kind::Walk], |rest| rest.is_some_and(|rest| rest.is_over));
    }

    /// Sends all helpers home.
    pub(super) fn end(&self) {
        lock(&self.rest).is_over = true;
        self.news.notify_all();
    }

    /// See [`ThreadPool::divide`](super::ThreadPool::divide).
    pub(super) fn divide(&self, kind: Kind, pieces: usize, work: &(dyn Fn(usize) + Sync)) {
        let task = Task::new(kind, pieces, work);
        // Who finds no place to offer work does it alone.
        let offer = if pieces > 1 { self.offers.iter().find(|offer| offer.take()) } else { None };
        if let Some(offer) = offer {
            offer.open(&task);
            self.announce(pieces - 1);
        }
        // It does not unwind, so the offer is closed before the task ends, and nobody is in it then.
        task.help();
        if let Some(offer) = offer {
            offer.close();
            let kinds: &[Kind] = if kind == Kind::Systems { &[Kind::Walk] } else { &[] };
            self.help_until(true, kinds, |_| !offer.is_joined());
            offer.free();
        }
        task.raise();
    }

    /// Wakes as many as there are pieces for.
    fn announce(&self, pieces: usize) {
        let mut rest = lock(&self.rest);
        rest.opened += 1;
        let Rest { sleepers, waiters, .. } = *rest;
        drop(rest);
        // Who waits may have no use for what one of several is woken for.
        if sleepers > pieces && waiters == 0 {
            (0..pieces).for_each(|_| self.news.notify_one());
        } else if sleepers > 0 {
            self.news.notify_all();
        }
    }

    fn wake_waiters(&self) {
        if lock(&self.rest).waiters > 0 {
            self.news.notify_all();
        }
    }

    /// Helps with tasks of these kinds until `is_done`, which is asked also without the lock. A waiter is woken when somebody leaves an
    /// offer.
    fn help_until(&self, is_waiter: bool, kinds: &[Kind], is_done: impl Fn(Option<&Rest>) -> bool) {
        let mut looks = 0;
        let mut opened = None;
        while !is_done(None) {
            if self.offers.iter().any(|offer| offer.help(kinds, self)) {
                (looks, opened) = (0, None);
            } else if looks < sync::LOOKS_BEFORE_SLEEP {
                looks += 1;
                pause();
            } else {
                let mut rest = lock(&self.rest);
                if is_done(Some(&rest)) {
                    return;
                }
                // What was opened since the last look but one may not have been seen.
                if opened == Some(rest.opened) {
                    rest.sleepers += 1;
                    rest.waiters += usize::from(is_waiter);
                    rest = wait(&self.news, rest);
                    rest.sleepers -= 1;
                    rest.waiters -= usize::from(is_waiter);
                    looks = 0;
                }
                opened = Some(rest.opened);
            }
        }
    }
}

/// Elements that several threads have, each its own.
struct Elements<T>(*mut T);

// SAFETY: each element is lent to one call at a time, so this sends elements to other threads, and shares none.
unsafe impl<T: Send> Sync for Elements<T> {}

impl<T> Elements<T> {
    /// # Safety
    /// The place is one of the elements', and nobody has what is there.
    #[allow(clippy::mut_from_ref)]
    unsafe fn at(&self, place: usize) -> &mut T {
        // SAFETY: said above.
        unsafe { &mut *self.0.add(place) }
    }
}

/// See [`ThreadPool::for_each_of`](super::ThreadPool::for_each_of).
pub(super) fn for_each_of<T: Send>(
    work_queue: &WorkQueue,
    kind: Kind,
    all: &mut [T],
    picked: &[usize],
    work: impl Fn(usize, &mut T) + Sync,
) {
    assert!(picked.is_sorted_by(|place, next| place < next), "places {picked:?} do not ascend");
    assert!(picked.last().is_none_or(|last| *last < all.len()), "places {picked:?} of {}", all.len());
    let all = Elements(all.as_mut_ptr());
    work_queue.divide(kind, picked.len(), &|piece| {
        let place = picked[piece];
        // SAFETY: the place is below the length, no place is picked twice, and each piece is done once.
        work(place, unsafe { all.at(place) });
    });
}
