//! Copying, hashing and saving the state of a system of a registered type.

use std::any::Any;

use super::different_values::shown;
use super::inspected::InspectState;
use crate::stable_hash::StateHasher;

/// How the state of a system is copied and hashed.
pub(crate) struct SystemType<S> {
    clone: fn(&S) -> S,
    copy: fn(&mut S, &S),
    pub(super) hash: fn(&S, &mut StateHasher),
    pub(super) show: Option<fn(&S) -> String>,
    recipe: Option<Recipe>,
    /// It is a plain function that captures values.
    owns_values: bool,
}

/// Recreates what the engine no longer has. Only the folder `system` knows the types within.
pub(crate) enum Recipe {
    Function(Box<dyn Any + Send + Sync>),
    System(Box<dyn Any + Send + Sync>),
}

impl<S: Clone> SystemType<S> {
    pub(crate) fn new(hash: fn(&S, &mut StateHasher)) -> Self {
        Self { clone: S::clone, copy: S::clone_from, hash, show: None, recipe: None, owns_values: false }
    }

    /// For a system.
    pub(crate) fn of_system(hash: fn(&S, &mut StateHasher), recipe: Recipe) -> Self {
        Self { recipe: Some(recipe), ..Self::new(hash) }
    }

    /// For a plain function of type `F`.
    pub(crate) fn of_function<F>(recipe: Recipe) -> Self {
        Self { recipe: Some(recipe), owns_values: size_of::<F>() > 0, ..Self::new(|_, _| {}) }
    }
}

/// [`SystemType`] with its type erased.
pub(crate) trait AnySystemType: Any + Send + Sync + InspectState {
    fn copy_out(&self, state: &dyn Any, slot: &mut Option<Box<dyn Any + Send>>);
    fn copy_in(&self, state: &mut dyn Any, copy: &dyn Any);
    fn hash(&self, state: &dyn Any, hash: &mut StateHasher);
    /// A state as text.
    fn show(&self, state: &dyn Any) -> String;
    /// Whether it is a plain function.
    fn is_function(&self) -> bool;
    /// Whether it is a plain function that captures nothing.
    fn is_stateless(&self) -> bool;
    /// How it is recreated; `None` for private state.
    fn recipe(&self) -> Option<&Recipe>;
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

    fn show(&self, state: &dyn Any) -> String {
        shown(state.downcast_ref().expect(BY_TYPE), self.show, self.hash)
    }

    fn recipe(&self) -> Option<&Recipe> {
        self.recipe.as_ref()
    }

    fn is_function(&self) -> bool {
        matches!(self.recipe, Some(Recipe::Function(_)))
    }

    fn is_stateless(&self) -> bool {
        self.is_function() && !self.owns_values
    }
}
