//! The private state of a function, a method or a condition: one value of one parameter.

use std::any::{Any, TypeId};
use std::fmt;

use atomic_refcell::AtomicRefCell;

use crate::type_map::short_name;

/// The value of one `Local`.
#[doc(hidden)]
pub struct LocalState<T>(pub(crate) AtomicRefCell<T>);

impl<T: Default> LocalState<T> {
    pub(crate) fn new() -> Self {
        Self(AtomicRefCell::new(T::default()))
    }
}

/// [`LocalState`] with its type erased.
pub(crate) trait AnyLocalState: Send + Sync {
    fn value_type(&self) -> TypeId;
    fn name(&self) -> &'static str;
    fn look(&self, look: &mut dyn FnMut(&dyn Any));
    fn change(&self, change: &mut dyn FnMut(&mut dyn Any));
    /// Makes it as new.
    fn reset(&self);
}

impl<T: Default + Send + Sync + 'static> AnyLocalState for LocalState<T> {
    fn value_type(&self) -> TypeId {
        TypeId::of::<T>()
    }

    fn name(&self) -> &'static str {
        short_name::<T>()
    }

    fn look(&self, look: &mut dyn FnMut(&dyn Any)) {
        look(&*self.0.borrow());
    }

    fn change(&self, change: &mut dyn FnMut(&mut dyn Any)) {
        change(&mut *self.0.borrow_mut());
    }

    fn reset(&self) {
        *self.0.borrow_mut() = T::default();
    }
}

impl fmt::Debug for dyn AnyLocalState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
