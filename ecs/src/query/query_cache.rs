//! What was worked out for the types of queries that were asked outside of systems, so that a query that is asked again and again
//! looks nothing up.

use std::any::{Any, TypeId};

use crate::type_map::TypeMap;

/// One state for each type of query that a world has met: it grows with the program and not with its run.
#[derive(Default)]
pub(crate) struct QueryCache {
    states: Vec<Box<dyn Any + Send + Sync>>,
    by_type: TypeMap<usize>,
    /// The type that was looked up last: the next query is mostly of the same.
    last: Option<(TypeId, usize)>,
}

impl QueryCache {
    /// The place of the state of type `S`; `None` if there is none yet.
    #[inline]
    pub(super) fn place_of<S: Any>(&mut self) -> Option<usize> {
        match self.last {
            Some((last, at)) if last == TypeId::of::<S>() => Some(at),
            _ => self.look_up(TypeId::of::<S>()),
        }
    }

    fn look_up(&mut self, state: TypeId) -> Option<usize> {
        let at = self.by_type.get(&state).copied()?;
        self.last = Some((state, at));
        Some(at)
    }

    /// Notes the state of a type that has none; returns its place.
    pub(super) fn note<S: Any + Send + Sync>(&mut self, state: S) -> usize {
        self.states.push(Box::new(state));
        self.by_type.insert(TypeId::of::<S>(), self.states.len() - 1);
        self.states.len() - 1
    }

    /// The state of type `S` at its place.
    #[inline]
    pub(super) fn state<S: Any>(&self, place: usize) -> &S {
        self.states[place].downcast_ref().expect("each type has its own place")
    }
}
