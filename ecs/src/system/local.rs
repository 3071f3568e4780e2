//! The parameter for private state.

use std::marker::{PhantomData, PhantomPinned};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use atomic_refcell::AtomicRefMut;

use super::{Param, RunContext};
use crate::query::Access;
use crate::types::LocalState;
use crate::world::World;

/// Private state: a value that one function, method, listener or condition keeps from call to call. It begins as
/// `T::default()`. A function that was added twice has two, and two parameters of one function are two.
///
/// Snapshots and hashes contain it: name its type once by
/// [`TypeRegistry::local`](crate::snapshot::TypeRegistry::local). Until then, a snapshot is an error that names the
/// type. Saves cannot contain it: what a save must keep is a resource, or the state of a [`System`](crate::System).
///
/// # Example
/// ```
/// # use std::time::Duration;
/// # use ecs::prelude::*;
/// /// Notes every third frame.
/// fn note(mut calls: Local<u32>, time: Time, mut noted: ResMut<Vec<u64>>) {
///     *calls += 1;
///     if *calls % 3 == 0 {
///         noted.push(time.frame());
///     }
/// }
///
/// let mut engine = Engine::new();
/// engine.insert_resource(Vec::<u64>::new());
/// engine.types_mut().local::<u32>("calls")?.resource::<Vec<u64>>("noted")?;
/// engine.add(note)?;
/// (0..4).try_for_each(|_| engine.update(Duration::ZERO))?;
/// let before = engine.snapshot()?;
/// (0..2).try_for_each(|_| engine.update(Duration::ZERO))?;
/// engine.restore(&before)?;
/// (0..2).try_for_each(|_| engine.update(Duration::ZERO))?;
/// assert_eq!(*engine.resource::<Vec<u64>>().unwrap(), [3, 6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Local<'w, T>(&'w mut T);

// Never, so that it is no event: see `Event`.
impl<T> Unpin for Local<'_, T> where (PhantomPinned, PhantomData<T>): Unpin {}

impl<T> Deref for Local<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0
    }
}

impl<T> DerefMut for Local<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0
    }
}

impl<T: Default + Send + Sync + 'static> Param for Local<'_, T> {
    type State = Arc<LocalState<T>>;
    type Guard<'w> = AtomicRefMut<'w, T>;
    type Item<'g> = Local<'g, T>;

    fn prepare(_: &mut World, access: &mut Access) -> Self::State {
        let state = Arc::new(LocalState::new());
        access.locals.push(Arc::clone(&state) as _);
        state
    }

    #[inline]
    fn guard<'w>(state: &'w Self::State, _: &'w RunContext<'w>) -> Self::Guard<'w> {
        state.0.borrow_mut()
    }

    #[inline]
    fn item<'g>(value: &'g mut Self::Guard<'_>) -> Local<'g, T> {
        Local(value)
    }
}
