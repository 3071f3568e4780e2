//! What a snapshot can do with the state of a system.

use std::any::Any;

use super::hash::StateHasher;
use crate::system::{SetupError, SystemNode, Timing};
use crate::world::World;

/// How the state of a system is copied and hashed.
pub(crate) struct SystemType<S> {
    clone: fn(&S) -> S,
    copy: fn(&mut S, &S),
    hash: fn(&S, &mut StateHasher),
    /// How a plain function comes back that is not there any more.
    make: Option<Box<MakeFunction>>,
}

type MakeFunction = dyn Fn(Timing, &mut World) -> Result<SystemNode, SetupError> + Send + Sync;

impl<S: Clone> SystemType<S> {
    pub(super) fn new(hash: fn(&S, &mut StateHasher)) -> Self {
        Self { clone: S::clone, copy: S::clone_from, hash, make: None }
    }

    /// The state is a plain function, for which `make` makes a system.
    pub(super) fn of_function(
        make: impl Fn(Timing, &mut World) -> Result<SystemNode, SetupError> + Send + Sync + 'static,
    ) -> Self {
        Self { make: Some(Box::new(make)), ..Self::new(|_, _| {}) }
    }
}

/// The same without knowing the type.
pub(crate) trait AnySystemType: Any + Send + Sync {
    fn copy_out(&self, state: &dyn Any, slot: &mut Option<Box<dyn Any + Send>>);
    fn copy_in(&self, state: &mut dyn Any, copy: &dyn Any);
    fn hash(&self, state: &dyn Any, hash: &mut StateHasher);
    /// Makes a system of a plain function; `None` if it is none, or could not be added to an engine.
    fn make(&self, timing: Timing, world: &mut World) -> Option<SystemNode>;
}

const BY_TYPE: &str = "states are found by the type of their system";

impl<S: Send + 'static> AnySystemType for SystemType<S> {
    fn copy_out(&self, state: &dyn Any, slot: &mut Option<Box<dyn Any + Send>>) {
        let state = state.downcast_ref().expect(BY_TYPE);
        match slot.as_mut().and_then(|copy| copy.downcast_mut()) {
            Some(copy) => (self.copy)(copy, state),
            None => *slot = Some(Box::new((self.clone)(state))),
        }
    }

    fn copy_in(&self, state: &mut dyn Any, copy: &dyn Any) {
        (self.copy)(state.downcast_mut().expect(BY_TYPE), copy.downcast_ref().expect(BY_TYPE));
    }

    fn hash(&self, state: &dyn Any, hash: &mut StateHasher) {
        (self.hash)(state.downcast_ref().expect(BY_TYPE), hash);
    }

    fn make(&self, timing: Timing, world: &mut World) -> Option<SystemNode> {
        self.make.as_ref()?(timing, world).ok()
    }
}
