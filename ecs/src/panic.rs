//! Panics of user code, kept until the rest of the work is done.

use std::any::Any;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The payload of a panic.
pub(crate) type Payload = Box<dyn Any + Send>;

/// Limit of drops if each payload panics with another one; then the last payload is leaked.
const MAX_DROPS: usize = 8;

/// What the panic of a limit says. A program that panics with these words itself gets an error for it, too; nothing
/// else depends on them.
pub(crate) const LIMIT_OF: &str = "the limit of ";
pub(crate) const IS_REACHED: &str = " is reached, ";

/// Whether a panic is that of a limit.
pub(crate) fn is_limit(payload: &Payload) -> bool {
    text_of(payload).is_some_and(|text| text.contains(LIMIT_OF) && text.contains(IS_REACHED))
}

/// Calls `act`; returns the payload if it panics.
///
/// Values that `act` borrowed may be half changed. This is accepted for systems; the engine changes its own values
/// outside of `act`, or repairs them after the catch.
pub(crate) fn catch<R>(act: impl FnOnce() -> R) -> Result<R, Payload> {
    catch_unwind(AssertUnwindSafe(act))
}

/// The message of a payload, if it is a string.
pub(crate) fn text_of(payload: &Payload) -> Option<&str> {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied())
}

/// The payload with `place` in front of its text: it says what panicked, as in "system A panicked in update". Other
/// values stay.
pub(crate) fn placed(place: impl Display, payload: Payload) -> Payload {
    match text_of(&payload) {
        Some(text) => Box::new(format!("{place}: {text}")),
        None => payload,
    }
}

/// Calls `act`; a panic goes on with `place` in front of its text.
pub(crate) fn within<R>(place: impl Display, act: impl FnOnce() -> R) -> R {
    catch(act).unwrap_or_else(|payload| resume_unwind(placed(place, payload)))
}

/// Calls `act`; a panic is an error that begins with `place`.
#[cfg(any(feature = "serde", feature = "prefabs"))]
pub(crate) fn told<R>(place: impl Display, act: impl FnOnce() -> R) -> Result<R, String> {
    catch(act).map_err(|payload| {
        let problem = match text_of(&payload) {
            Some(text) => format!("{place}: {text}"),
            None => format!("{place}, with a value that is not a text"),
        };
        discard(payload);
        problem
    })
}

/// Drops a payload, which may panic as well, and never unwinds.
pub(crate) fn discard(payload: Payload) {
    let mut left = Some(payload);
    for _ in 0..MAX_DROPS {
        left = catch(|| drop(left)).err();
        if left.is_none() {
            return;
        }
    }
    std::mem::forget(left);
}

/// Logs a panic that is not the first one.
#[cold]
fn log(payload: Payload) {
    let text = text_of(&payload).unwrap_or("a value that is not a text");
    if !is_limit(&payload) {
        tracing::error!(target: "ecs::panic", text, "another panic after the first");
    }
    discard(payload);
}

/// Calls `act` until it returns without a panic, so that each value is dropped even if the drop of another one panics.
/// Then it raises the first panic. Later ones are logged: a second one while the thread unwinds would end the program.
pub(crate) fn to_the_end(act: impl FnMut()) {
    let mut rest = Rest(act);
    (rest.0)();
    // Nothing is left for the destructor, which has its price.
    std::mem::forget(rest);
}

/// What is left behind a panic.
struct Rest<F: FnMut()>(F);

impl<F: FnMut()> Drop for Rest<F> {
    #[cold]
    fn drop(&mut self) {
        to_the_end_in_drop(&mut self.0);
    }
}

/// As [`to_the_end`], for destructors, which may be called by a panic. Compiled once.
pub(crate) fn to_the_end_in_drop(act: &mut dyn FnMut()) {
    let mut panics = FirstPanic::default();
    while panics.catch(&mut *act).is_none() {}
    panics.raise_unless_panicking();
}

/// Drops values one by one, to the end.
pub(crate) fn drop_each<T>(values: impl IntoIterator<Item = T>) {
    let mut values = values.into_iter();
    if std::mem::needs_drop::<T>() {
        to_the_end(|| values.by_ref().for_each(drop));
    }
}

/// Keeps the first panic of several actions, all of which are carried out. Later panics are logged.
#[derive(Default)]
#[doc(hidden)]
pub struct FirstPanic(Option<Payload>);

impl FirstPanic {
    /// Calls `act`; returns its result, or `None` if it panics.
    pub(crate) fn catch<R>(&mut self, act: impl FnOnce() -> R) -> Option<R> {
        let (mut act, mut result) = (Some(act), None);
        self.call(&mut || result = act.take().map(|act| act()));
        result
    }

    /// As [`FirstPanic::catch`], compiled once for all actions.
    fn call(&mut self, act: &mut dyn FnMut()) {
        if let Err(payload) = catch(act) {
            self.keep(payload);
        }
    }

    #[cold]
    fn keep(&mut self, payload: Payload) {
        match &self.0 {
            None => self.0 = Some(payload),
            // A limit is an error, so the first other panic goes before it.
            Some(first) if is_limit(first) && !is_limit(&payload) => self.0 = Some(payload),
            Some(_) => log(payload),
        }
    }

    /// The panic, if there was one.
    pub(crate) fn take(&mut self) -> Option<Payload> {
        self.0.take()
    }

    /// Whether anything panicked.
    pub(crate) fn is_there(&self) -> bool {
        self.0.is_some()
    }

    /// Logs the panic, if there was one, and goes on.
    #[cfg(feature = "inspect")]
    pub(crate) fn log(self) {
        if let Some(payload) = self.0 {
            let text = text_of(&payload).unwrap_or("a value that is not a text");
            tracing::error!(target: "ecs::panic", text, "panicked");
            discard(payload);
        }
    }

    /// As [`FirstPanic::raise`], for destructors: while the thread panics, a second panic would end the program, so it
    /// is logged.
    pub(crate) fn raise_unless_panicking(self) {
        match self.0 {
            Some(payload) if std::thread::panicking() => log(payload),
            Some(payload) => resume_unwind(payload),
            None => {}
        }
    }

    /// Resumes the panic, if there was one.
    pub(crate) fn raise(self) {
        if let Some(payload) = self.0 {
            resume_unwind(payload);
        }
    }
}
