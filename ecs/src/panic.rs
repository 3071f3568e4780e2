//! Panics of user code that are kept until what has to be done besides is done.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What somebody panicked with.
pub(crate) type Payload = Box<dyn Any + Send>;

/// Calls `act`; returns what it panicked with if it did.
///
/// What `act` had borrowed may be half changed: that is what systems are allowed to leave behind, and what the engine itself
/// keeps is changed outside of `act`, or by steps that each leave it whole.
pub(crate) fn catch<R>(act: impl FnOnce() -> R) -> Result<R, Payload> {
    catch_unwind(AssertUnwindSafe(act))
}

/// The first panic of several things that are all done, whether one of them panics or not.
#[derive(Default)]
pub(crate) struct FirstPanic(Option<Payload>);

impl FirstPanic {
    /// Calls `act`; returns what it does, or nothing if it panics.
    pub(crate) fn catch<R>(&mut self, act: impl FnOnce() -> R) -> Option<R> {
        catch(act).map_err(|payload| _ = self.0.get_or_insert(payload)).ok()
    }

    /// Goes on with the panic, if there was one.
    pub(crate) fn raise(self) {
        if let Some(payload) = self.0 {
            std::panic::resume_unwind(payload);
        }
    }
}
