//! Lends work to another thread and waits until that thread is done with it.
//!
//! # Invariant
//! Work that is lent is borrowed by the lender's caller for as long as [`Lender::lend`] runs, and no longer. `lend` does not
//! unwind, and it returns only after it has found an outcome; the driver puts an outcome only after it has let go of the
//! work. One lender and one driver share a slot, and `lend` borrows the lender exclusively, so the outcome that it finds is
//! that of its own work.
#![allow(unsafe_code)]

use std::any::Any;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;

#[cfg(all(test, loom))]
use loom::sync::{Arc, Condvar, Mutex, MutexGuard};
#[cfg(not(all(test, loom)))]
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// What work came to: nothing, or what it panicked with.
pub(super) type Outcome<R = ()> = Result<R, Box<dyn Any + Send>>;

type Work<'a> = &'a mut (dyn FnMut() + Send);

enum Slot {
    /// The driver waits for work, or works.
    Empty,
    Lent(Work<'static>),
    Done(Outcome),
    /// There will be no more work.
    End,
}

struct HandOver {
    slot: Mutex<Slot>,
    /// The driver waits here for work.
    lent: Condvar,
    /// The lender waits here for the outcome.
    done: Condvar,
}

impl HandOver {
    fn lock(&self) -> MutexGuard<'_, Slot> {
        // Nobody panics while it is locked.
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, content: Slot, news: &Condvar) {
        *self.lock() = content;
        news.notify_one();
    }

    /// Takes out what `wanted` finds in the slot, once it is there; what it does not want it gives back.
    fn take<T>(&self, news: &Condvar, wanted: impl Fn(Slot) -> Result<T, Slot>) -> T {
        let mut slot = self.lock();
        loop {
            match wanted(mem::replace(&mut *slot, Slot::Empty)) {
                Ok(found) => return found,
                Err(other) => *slot = other,
            }
            slot = news.wait(slot).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The end that has work. Dropping it ends the driver.
pub(super) struct Lender(Arc<HandOver>);

/// The end that does the work.
pub(super) struct Driver(Arc<HandOver>);

/// The two ends of a hand-over. The driver must be driven, or the lender waits for ever.
pub(super) fn hand_over() -> (Lender, Driver) {
    let shared = Arc::new(HandOver { slot: Mutex::new(Slot::Empty), lent: Condvar::new(), done: Condvar::new() });
    (Lender(shared.clone()), Driver(shared))
}

impl Lender {
    /// Lets the driver do `work` and waits until it has.
    pub(super) fn lend(&mut self, work: Work<'_>) -> Outcome {
        // SAFETY: the driver has let go of the work before this call ends, by the invariant above.
        let work = unsafe { mem::transmute::<Work<'_>, Work<'static>>(work) };
        self.0.put(Slot::Lent(work), &self.0.lent);
        self.0.take(&self.0.done, |slot| match slot {
            Slot::Done(outcome) => Ok(outcome),
            other => Err(other),
        })
    }
}

impl Drop for Lender {
    fn drop(&mut self) {
        self.0.put(Slot::End, &self.0.lent);
    }
}

impl Driver {
    /// Does all work that is lent, until the lender is dropped.
    pub(super) fn drive(self) {
        let next = || {
            self.0.take(&self.0.lent, |slot| match slot {
                Slot::Lent(work) => Ok(Some(work)),
                Slot::End => Ok(None),
                other => Err(other),
            })
        };
        while let Some(work) = next() {
            let outcome = catch_unwind(AssertUnwindSafe(work));
            self.0.put(Slot::Done(outcome), &self.0.done);
        }
    }
}
