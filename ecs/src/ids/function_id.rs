//! The ids of plain functions.

use std::fmt;
use std::hash::{Hash, Hasher};

slotmap::new_key_type! {
    pub(crate) struct FunctionKey;
}

/// Identifies a timed or listening function, as returned by [`Engine::every`](crate::Engine::every),
/// [`Engine::after`](crate::Engine::after) and [`Engine::listen`](crate::Engine::listen).
///
/// It becomes stale when the function is cancelled, has run for the last time, or its observed entity is gone. It is
/// not reused.
#[derive(Clone, Copy)]
pub struct FunctionId {
    pub(crate) key: FunctionKey,
    pub(crate) name: &'static str,
}

impl FunctionId {
    /// The name of the function, without the path of its module; "function" if the id was read by serde.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }
}

// By the key alone, because a stored id has lost its name.
impl PartialEq for FunctionId {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for FunctionId {}

impl Hash for FunctionId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl fmt::Debug for FunctionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the name, so that a stored id prints the same.
        write!(f, "function {:?}", slotmap::Key::data(&self.key))
    }
}
