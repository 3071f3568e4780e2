//! Panics of user code that are kept until what has to be done besides is done.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// What somebody panicked with.
pub(crate) type Payload = Box<dyn Any + Send>;

/// How often what a panic was dropped with is dropped in turn, before it is left alone.
const MOST_DROPS: usize = 8;

/// Calls `act`; returns what it panicked with if it did.
///
/// What `act` had borrowed may be half changed: that is what systems are allowed to leave behind, and what the engine itself
/// keeps is changed outside of `act`, by steps that each leave it whole, or made whole by whoever catches.
pub(crate) fn catch<R>(act: impl FnOnce() -> R) -> Result<R, Payload> {
    catch_unwind(AssertUnwindSafe(act))
}

/// The text of a panic, if it is one.
pub(crate) fn text_of(payload: &Payload) -> Option<&str> {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied())
}

/// Drops what somebody panicked with, which may panic as well, and never unwinds.
pub(crate) fn discard(payload: Payload) {
    let mut left = Some(payload);
    for _ in 0..MOST_DROPS {
        left = catch(|| drop(left)).err();
        if left.is_none() {
            return;
        }
    }
    std::mem::forget(left);
}

/// The first panic of several things that are all done, whether one of them panics or not. Others are logged.
#[derive(Default)]
pub(crate) struct FirstPanic(Option<Payload>);

impl FirstPanic {
    /// Calls `act`; returns what it does, or nothing if it panics.
    pub(crate) fn catch<R>(&mut self, act: impl FnOnce() -> R) -> Option<R> {
        catch(act).map_err(|payload| self.keep(payload)).ok()
    }

    #[cold]
    fn keep(&mut self, payload: Payload) {
        if self.0.is_none() {
            self.0 = Some(payload);
        } else {
            let text = text_of(&payload).unwrap_or("a value that is not a text");
            tracing::error!(target: "ecs::panic", "a panic behind another one: {text}");
            discard(payload);
        }
    }

    /// Whether anything panicked.
    pub(crate) fn is_there(&self) -> bool {
        self.0.is_some()
    }

    /// Goes on with the panic, if there was one.
    pub(crate) fn raise(self) {
        if let Some(payload) = self.0 {
            resume_unwind(payload);
        }
    }
}
