//! Limits of memory that a program sets, so that a mistake ends in a sentence instead of using up the machine.
//!
//! What would go beyond a limit breaks off by unwinding from the place that asked for more: there is no other way out
//! of a loop that sends events for ever. The engine catches it where it catches panics of systems, goes on with the
//! frame, and returns [`Error::Limit`](crate::Error::Limit) at its end.

use std::fmt::{self, Display};
use std::panic::resume_unwind;

use crate::panic::{IS_REACHED, LIMIT_OF, Payload, is_limit, text_of};

/// How much an engine may hold; set by [`EngineBuilder::limits`](crate::EngineBuilder::limits). Default: no limits.
///
/// A command that would go beyond a limit is not carried out. A method that would ends there, by unwinding, and so do
/// the other methods of its system in the same phase: what it did before stays. The frame runs to its end, and
/// [`Engine::update`](crate::Engine::update) returns [`Error::Limit`](crate::Error::Limit), which names the first
/// system, the limit and what filled it; so does [`Engine::run`](crate::Engine::run). Direct calls such as
/// [`Engine::spawn`](crate::Engine::spawn), and programs that are built with `panic = "abort"`, panic with the same
/// words.
///
/// [`Engine::memory`](crate::Engine::memory) tells what there is and was at most. Where a parallel iteration goes
/// beyond a limit, how much of it was done may differ with the number of threads; the error does not. What an iterator
/// yields for a command is collected before it is counted.
///
/// # Example
/// ```
/// # use std::time::Duration;
/// # use ecs::prelude::*;
/// use ecs::engine::Limits;
///
/// struct Bullet;
///
/// fn shoot(mut commands: Commands) {
///     (0..300).for_each(|_| commands.spawn((Bullet,))); // They are never despawned.
/// }
///
/// let mut engine = Engine::builder().limits(Limits { entities: 1_000, ..Limits::default() }).build();
/// engine.add(shoot)?;
/// let told = (1..=100).find_map(|_| engine.update(Duration::ZERO).err()).expect("the fourth frame asks for too many");
/// assert_eq!(
///     told.to_string(),
///     "a command of system shoot was stopped: the limit of 1000 entities is reached, 1000 of (Bullet)"
/// );
/// assert_eq!(engine.entities().len(), 1_000); // Nothing is lost: the program can save, and go on.
/// # Ok::<(), ecs::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most entities at the same time, disabled ones and reserved ids included. It bounds the pools, which have at most
    /// one component of a type for each entity. Entities of a restored snapshot or a loaded save are always accepted.
    pub entities: usize,
    /// Most bytes of events that one system or function sends in one frame by a [`Sender`](crate::Sender), with a few
    /// for each change of their type; at least 1,024. Events from outside of systems or sent by the
    /// [`World`](crate::World), and those that tell of spawning, despawning and the like, are not counted.
    pub event_bytes: usize,
    /// Most commands of one system or function that wait. A command for many entities counts once.
    pub commands: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { entities: usize::MAX, event_bytes: usize::MAX, commands: usize::MAX }
    }
}

/// A [limit](Limits) was reached. What had been done stays.
#[derive(Clone, PartialEq, Eq)]
pub struct LimitError {
    /// The sentence: what was stopped, the limit, and what filled it.
    pub message: String,
}

impl Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

crate::sentence::impl_error!(LimitError);

/// Breaks off what would go beyond `limit`, as in "100 entities"; `filled_by` says what filled it. If an engine catches
/// it, nothing is printed.
#[cold]
#[inline(never)]
pub(crate) fn break_off(limit: impl Display, filled_by: impl Display, is_caught: bool) -> ! {
    let text = format!("{LIMIT_OF}{limit}{IS_REACHED}{filled_by}");
    if is_caught && cfg!(panic = "unwind") {
        resume_unwind(Box::new(text));
    }
    panic!("{text}")
}

/// The error of a panic, if a limit was reached. Other panics go on.
#[cold]
pub(crate) fn error_of(payload: Payload) -> LimitError {
    match text_of(&payload).filter(|_| is_limit(&payload)) {
        Some(text) => LimitError { message: text.replacen(" panicked", " was stopped", 1) },
        None => resume_unwind(payload),
    }
}

/// As [`error_of`], of a panic that does not say its place.
#[cold]
pub(crate) fn error_in(place: impl Display, payload: Payload) -> LimitError {
    let LimitError { message } = error_of(payload);
    LimitError { message: format!("{place} was stopped: {message}") }
}
