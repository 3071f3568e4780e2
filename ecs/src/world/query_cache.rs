//! The states of queries that were made outside of systems, so that a repeated query looks up no ids.

use std::any::{Any, TypeId};

use crate::type_map::TypeMap;

/// One state for each type of query that was made in a world. Its size depends on the program, not on how long it runs.
#[derive(Default)]
pub(crate) struct QueryCache {
    states: Vec<Box<dyn Any + Send + Sync>>,
    by_type: TypeMap<usize>,
    /// The type of the last query, which is usually that of the next one.
    last: Option<(TypeId, usize)>,
}

impl QueryCache {
    /// The state of type `S`, which `make` makes the first time.
    #[inline]
    pub(crate) fn state<S: Any + Send + Sync>(&mut self, make: impl FnOnce() -> S) -> &S {
        let place = match self.last {
            Some((last, place)) if last == TypeId::of::<S>() => place,
            _ => self.look_up(make),
        };
        self.states[place].downcast_ref().expect("each type has its own place")
    }

    fn look_up<S: Any + Send + Sync>(&mut self, make: impl FnOnce() -> S) -> usize {
        let place = self.by_type.get(&TypeId::of::<S>()).copied().unwrap_or_else(|| {
            self.states.push(Box::new(make()));
            self.by_type.insert(TypeId::of::<S>(), self.states.len() - 1);
            self.states.len() - 1
        });
        self.last = Some((TypeId::of::<S>(), place));
        place
    }
}
