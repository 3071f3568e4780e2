//! The queue of tasks that are offered to workers.
//!
//! # Invariants
//! A task lies on the stack of the thread that offers it, and an offer holds a pointer to it. A worker accesses the
//! task only between joining the offer and leaving it. Joining is one atomic step, and only an open offer can be
//! joined. The offering thread closes the offer and waits until no worker is left in it before the task ends, so a
//! worker never sees a dead task.
//!
//! A worker that joins sees all writes from before the offer was opened (acquire on join, release on open), and the
//! offering thread sees the writes of the workers (acquire on wait, release on leave). Each chunk number is handed out
//! once.
#![allow(unsafe_code)]

use std::ptr;

use self::sync::{AtomicPtr, AtomicUsize, Condvar, Mutex, Ordering, lock, pause, wait};
use super::task::{Kind, Task};

pub(super) mod sync {
    //! Atomics and locks from `std`, or from loom in its tests.

    #[cfg(all(test, loom))]
    use loom::sync as from;
    #[cfg(not(all(test, loom)))]
    use std::sync as from;
    use std::sync::PoisonError;

    pub(crate) use from::atomic::{AtomicPtr, AtomicUsize, Ordering};
    pub(crate) use from::{Condvar, Mutex, MutexGuard};

    /// No thread panics while it holds one of these locks.
    pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn wait<'m, T>(news: &Condvar, guard: MutexGuard<'m, T>) -> MutexGuard<'m, T> {
        news.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }

    /// Polls of the queue before an idle worker sleeps: waking takes longer than many a step of a frame.
    #[cfg(not(all(test, loom)))]
    pub(crate) const POLLS_BEFORE_SLEEP: usize = 32;
    #[cfg(all(test, loom))]
    pub(crate) const POLLS_BEFORE_SLEEP: usize = 0;

    /// Yields between two polls.
    pub(crate) fn pause() {
        #[cfg(not(all(test, loom)))]
        std::thread::yield_now();
    }
}

/// No thread uses the slot.
const FREE: usize = 0;
/// A thread offers a task in the slot.
const TAKEN: usize = 1;
/// Workers can join the offer.
const OPEN: usize = 2;
/// One worker has joined; the upper bits count workers.
const WORKER: usize = 4;

/// A slot in which a thread offers a task to workers.
struct Offer {
    /// [`FREE`], or [`TAKEN`] plus [`OPEN`] while chunks may be left, plus [`WORKER`] for each worker in it.
    state: AtomicUsize,
    task: AtomicPtr<Task<'static>>,
}

impl Offer {
    fn new() -> Self {
        Self { state: AtomicUsize::new(FREE), task: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Takes the slot if it is free.
    fn take(&self) -> bool {
        self.state.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    fn open(&self, task: &Task<'_>) {
        // The pointer is used only while the offer is joined, by the invariants above.
        self.task.store(ptr::from_ref(task).cast_mut().cast(), Ordering::Relaxed);
        self.state.store(TAKEN | OPEN, Ordering::Release);
    }

    /// Prevents further joins.
    fn close(&self) {
        self.state.fetch_and(!OPEN, Ordering::Relaxed);
    }

    /// Whether any worker has joined and not left.
    fn is_joined(&self) -> bool {
        self.state.load(Ordering::Acquire) >= WORKER
    }

    fn free(&self) {
        self.state.store(FREE, Ordering::Release);
    }

    /// Joins it, if it is open.
    fn join(&self) -> bool {
        let join = |state| (state & OPEN != 0).then_some(state + WORKER);
        self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, join).is_ok()
    }

    /// Takes chunks of the offered task if it is of one of these kinds; returns whether it was.
    fn help(&self, kinds: &[Kind], work_queue: &WorkQueue) -> bool {
        if !self.join() {
            return false;
        }
        // SAFETY: the task lives until this worker leaves, by the invariants above.
        let task = unsafe { &*self.task.load(Ordering::Relaxed) };
        let is_wanted = kinds.contains(&task.kind);
        if is_wanted {
            task.help();
            self.close();
        }
        // The task may be gone from here on.
        if self.state.fetch_sub(WORKER, Ordering::Release) == TAKEN + WORKER {
            work_queue.wake_waiters();
        }
        is_wanted
    }
}

/// The state of sleeping threads, and what a thread checks before it sleeps.
struct IdleState {
    sleepers: usize,
    /// The sleepers that wait for workers to leave their offer.
    waiters: usize,
    /// Number of offers that were opened so far.
    opened: u64,
    is_over: bool,
}

/// The offers of all threads.
pub(super) struct WorkQueue {
    offers: Box<[Offer]>,
    rest: Mutex<IdleState>,
    /// Signals a new offer, an abandoned closed offer, or the end.
    news: Condvar,
}

impl WorkQueue {
    /// A queue with `count` slots.
    pub(super) fn with_offers(count: usize) -> Self {
        let offers = (0..count).map(|_| Offer::new()).collect();
        Self {
            offers,
            rest: Mutex::new(IdleState { sleepers: 0, waiters: 0, opened: 0, is_over: false }),
            news: Condvar::new(),
        }
    }

    /// Runs a worker: assists with all offers until [`WorkQueue::end`].
    pub(super) fn run_worker(&self) {
        self.help_until(false, &[Kind::Systems, Kind::Iteration], |rest| rest.is_some_and(|rest| rest.is_over));
    }

    pub(super) fn end(&self) {
        lock(&self.rest).is_over = true;
        self.news.notify_all();
    }

    /// See [`ThreadPool::divide`](super::ThreadPool::divide).
    pub(super) fn divide(&self, kind: Kind, chunks: usize, work: &(dyn Fn(usize) + Sync)) {
        let task = Task::new(kind, chunks, work);
        // If no slot is free, this thread does the work alone.
        let offer = if chunks > 1 { self.offers.iter().find(|offer| offer.take()) } else { None };
        if let Some(offer) = offer {
            offer.open(&task);
            self.announce(chunks - 1);
        }
        // `work` on a task does not unwind, so the offer is closed and empty before the task ends.
        task.help();
        if let Some(offer) = offer {
            offer.close();
            let kinds: &[Kind] = if kind == Kind::Systems { &[Kind::Iteration] } else { &[] };
            self.help_until(true, kinds, |_| !offer.is_joined());
            offer.free();
        }
        task.raise();
    }

    /// Wakes at most as many threads as there are chunks.
    fn announce(&self, chunks: usize) {
        let mut rest = lock(&self.rest);
        rest.opened += 1;
        let IdleState { sleepers, waiters, .. } = *rest;
        drop(rest);
        // A waiter may be unable to run this task, so all are woken.
        if sleepers > chunks && waiters == 0 {
            (0..chunks).for_each(|_| self.news.notify_one());
        } else if sleepers > 0 {
            self.news.notify_all();
        }
    }

    fn wake_waiters(&self) {
        if lock(&self.rest).waiters > 0 {
            self.news.notify_all();
        }
    }

    /// Assists with tasks of these kinds until `is_done`, which is called with and without the lock. A waiter is woken
    /// also when the last worker leaves an offer.
    fn help_until(&self, is_waiter: bool, kinds: &[Kind], is_done: impl Fn(Option<&IdleState>) -> bool) {
        let mut polls = 0;
        let mut opened = None;
        while !is_done(None) {
            if self.offers.iter().any(|offer| offer.help(kinds, self)) {
                (polls, opened) = (0, None);
            } else if polls < sync::POLLS_BEFORE_SLEEP {
                polls += 1;
                pause();
            } else {
                let mut rest = lock(&self.rest);
                if is_done(Some(&rest)) {
                    return;
                }
                // An offer that was opened since the previous check may have been missed: poll again before sleeping.
                if opened == Some(rest.opened) {
                    rest.sleepers += 1;
                    rest.waiters += usize::from(is_waiter);
                    rest = wait(&self.news, rest);
                    rest.sleepers -= 1;
                    rest.waiters -= usize::from(is_waiter);
                    polls = 0;
                }
                opened = Some(rest.opened);
            }
        }
    }
}

/// The elements of a slice, each lent to one thread at a time.
struct Elements<T>(*mut T);

// SAFETY: each element is lent to one call at a time, so elements are sent to other threads and never shared.
unsafe impl<T: Send> Sync for Elements<T> {}

impl<T> Elements<T> {
    /// # Safety
    /// The index is in bounds, and the element is not borrowed.
    #[allow(clippy::mut_from_ref)]
    unsafe fn at(&self, place: usize) -> &mut T {
        // SAFETY: by the contract of this function.
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
    work_queue.divide(kind, picked.len(), &|chunk| {
        let place = picked[chunk];
        // SAFETY: the index is in bounds, no index is picked twice, and each chunk runs once.
        work(place, unsafe { all.at(place) });
    });
}

/// The elements of a slice that have one owner.
pub(crate) struct Owned<'a, T> {
    all: &'a Elements<T>,
    owner_of: &'a [u32],
    owner: usize,
}

impl<T> Owned<'_, T> {
    /// The owner.
    #[cfg(all(test, loom))]
    pub(super) fn owner(&self) -> usize {
        self.owner
    }

    /// An element.
    ///
    /// # Panics
    /// If it has another owner.
    pub(crate) fn get_mut(&mut self, index: usize) -> &mut T {
        assert!(self.owner_of[index] as usize == self.owner, "{index} is not of the owner {}", self.owner);
        // SAFETY: `owner_of` is as long as the slice. There is one `Owned` for each owner, made by `for_each_owner`,
        // and each element has one owner; it is lent by a method that takes `&mut self`.
        unsafe { self.all.at(index) }
    }
}

/// See [`ThreadPool::for_each_owner`](super::ThreadPool::for_each_owner).
pub(super) fn for_each_owner<O: Send, T: Send>(
    work_queue: Option<&WorkQueue>,
    kind: Kind,
    (owners, picked): (&mut [O], &[usize]),
    (all, owner_of): (&mut [T], &[u32]),
    work: impl Fn(&mut O, &mut Owned<'_, T>) + Sync,
) {
    assert_eq!(all.len(), owner_of.len(), "each element has an owner");
    let all = Elements(all.as_mut_ptr());
    let work = |owner: usize, state: &mut O| work(state, &mut Owned { all: &all, owner_of, owner });
    match work_queue {
        Some(work_queue) => for_each_of(work_queue, kind, owners, picked, work),
        None => picked.iter().for_each(|owner| work(*owner, &mut owners[*owner])),
    }
}
