//! The parameters for resources, which tell whether their resource changed.

use std::marker::{PhantomData, PhantomPinned};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};

use atomic_refcell::{AtomicRef, AtomicRefMut};

use super::{ResourceId, Tracked};

/// When a resource was inserted and last changed: numbers that rise with each change, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Revisions {
    pub(crate) inserted: u64,
    pub(crate) changed: u64,
}

impl Revisions {
    /// Of a resource that nothing has asked about.
    #[cfg(feature = "serde")]
    pub(crate) const FIRST: Self = Self { inserted: 1, changed: 1 };

    pub(super) fn write(&mut self) {
        self.changed += 1;
    }

    /// The last change was that it was inserted where none was.
    pub(super) fn note_insertion(&mut self) {
        self.inserted = self.changed;
    }

    /// Whether it was inserted and whether it changed since a revision; both if that is 0.
    pub(crate) fn since(self, asked: u64) -> (bool, bool) {
        // A resource that stayed when a snapshot was restored may have fewer revisions than before.
        (self.inserted > asked, self.changed != asked)
    }
}

/// When a parameter last asked whether its resource had changed.
#[doc(hidden)]
#[derive(Debug)]
pub struct LastAsked {
    pub(crate) resource: ResourceId,
    /// The revision of the resource then; 0 if it has never asked.
    revision: AtomicU64,
    /// What `revision` was when the condition was last checked.
    before: AtomicU64,
}

impl LastAsked {
    pub(crate) fn new(resource: ResourceId) -> Self {
        Self { resource, revision: AtomicU64::new(0), before: AtomicU64::new(0) }
    }

    /// A condition is about to ask.
    pub(crate) fn note(&self) {
        self.before.store(self.revision(), Ordering::Relaxed);
    }

    /// The answer was not used: it will be the same the next time.
    pub(crate) fn take_back(&self) {
        self.set(self.before.load(Ordering::Relaxed));
    }

    #[inline]
    pub(crate) fn revision(&self) -> u64 {
        self.revision.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn set(&self, revision: u64) {
        self.revision.store(revision, Ordering::Relaxed);
    }
}

/// Reads a resource; a parameter of systems and listeners. `Option<Res<T>>` is for one that may be missing.
///
/// # Example
/// ```
/// # use std::time::Duration;
/// # use ecs::prelude::*;
/// struct Score(u32);
/// #[derive(Default)]
/// struct Shown(Vec<u32>);
///
/// fn show(score: Res<Score>, mut shown: ResMut<Shown>) {
///     if score.is_changed() {
///         shown.0.push(score.0);
///     }
/// }
///
/// let mut engine = Engine::new();
/// engine.insert_resource(Score(1));
/// engine.insert_resource(Shown::default());
/// engine.add(show)?;
/// engine.update(Duration::ZERO)?; // The first question sees what there is.
/// engine.update(Duration::ZERO)?;
/// engine.resource_mut::<Score>().unwrap().0 = 8;
/// engine.update(Duration::ZERO)?;
/// assert_eq!(engine.resource::<Shown>().unwrap().0, [1, 8]);
/// # Ok::<(), ecs::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Res<'w, T> {
    value: &'w T,
    revisions: Revisions,
    /// The revision at which it had last asked before this call.
    asked: u64,
    last_asked: &'w LastAsked,
}

impl<T> Res<'_, T> {
    /// Whether the resource was inserted, replaced or written since this parameter last asked; `true` if it never
    /// has. Asked again in the same call, the answer is the same. O(1).
    ///
    /// Writing means mutable access, as by `*score` in an assignment or by
    /// [`Engine::resource_mut`](crate::World::resource_mut); a change through `&T`, as of an atomic number, does not
    /// count. Snapshots and saves contain what is needed for the same answers.
    ///
    /// # Example
    /// See [`Res`].
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.last_asked.set(self.revisions.changed);
        self.revisions.since(self.asked).1
    }

    /// Whether the resource was inserted where none was, since this parameter last asked; `true` if it never has. O(1).
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// engine.insert_resource(7_u32);
    /// engine.run(|hour: Res<u32>| assert!(hour.is_added()))?; // This parameter asks for the first time.
    /// # Ok::<(), ecs::Error>(())
    /// ```
    #[must_use]
    pub fn is_added(&self) -> bool {
        self.last_asked.set(self.revisions.changed);
        self.revisions.since(self.asked).0
    }
}

// Never, so that it is no event: see `Event`.
impl<T> Unpin for Res<'_, T> where (PhantomPinned, PhantomData<T>): Unpin {}

// Never.
impl<T> Unpin for ResMut<'_, T> where (PhantomPinned, PhantomData<T>): Unpin {}

impl<T> Deref for Res<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.value
    }
}

/// Writes a resource; a parameter of systems and listeners. `Option<ResMut<T>>` is for one that may be missing.
///
/// The resource counts as changed once it is borrowed for writing, even if nothing is assigned.
pub struct ResMut<'w, T> {
    value: &'w mut T,
    changed: &'w mut u64,
    /// The revisions before this call.
    before: Revisions,
    /// The revision at which it had last asked before this call.
    asked: u64,
    last_asked: &'w LastAsked,
}

impl<T> ResMut<'_, T> {
    /// As [`Res::is_changed`]. What this parameter wrote itself does not count.
    ///
    /// # Example
    /// See [`Res`].
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.last_asked.set(*self.changed);
        self.before.since(self.asked).1
    }

    /// As [`Res::is_added`].
    ///
    /// # Example
    /// See [`Res::is_added`].
    #[must_use]
    pub fn is_added(&self) -> bool {
        self.last_asked.set(*self.changed);
        self.before.since(self.asked).0
    }

    /// The resource for writing; it does not count as changed.
    ///
    /// # Example
    /// See [`ResMut::set_if_neq`].
    pub fn bypass_change_detection(&mut self) -> &mut T {
        self.value
    }

    /// Writes `value` if it differs from the resource; returns whether it does.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// engine.insert_resource(7_u32);
    /// engine.run(|mut hour: ResMut<u32>| {
    ///     assert!(!hour.set_if_neq(7)); // counts as no change
    ///     *hour.bypass_change_detection() = 8; // nor does this
    ///     assert!(hour.set_if_neq(9));
    /// })?;
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn set_if_neq(&mut self, value: T) -> bool
    where
        T: PartialEq,
    {
        let differs = *self.value != value;
        if differs {
            **self = value;
        }
        differs
    }
}

impl<T> Deref for ResMut<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T> DerefMut for ResMut<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // The same number each time, so that a loop stores it once.
        *self.changed = self.before.changed + 1;
        self.value
    }
}

/// A resource borrowed for reading by a method, and what its parameter knows.
#[doc(hidden)]
pub struct ResGuard<'w, T> {
    tracked: AtomicRef<'w, Tracked<T>>,
    last_asked: &'w LastAsked,
}

impl<'w, T> ResGuard<'w, T> {
    #[inline]
    pub(crate) fn new(tracked: AtomicRef<'w, Tracked<T>>, last_asked: &'w LastAsked) -> Self {
        Self { tracked, last_asked }
    }

    /// The parameter for a call, if the resource is present.
    #[inline]
    pub(crate) fn item(&self) -> Option<Res<'_, T>> {
        let Self { tracked, last_asked } = self;
        let value = tracked.value.as_ref()?;
        Some(Res { value, revisions: tracked.revisions, asked: last_asked.revision(), last_asked })
    }
}

/// A resource borrowed for writing by a method, and what its parameter knows.
#[doc(hidden)]
pub struct ResMutGuard<'w, T> {
    tracked: AtomicRefMut<'w, Tracked<T>>,
    last_asked: &'w LastAsked,
    /// The revision before it was borrowed: later changes are the method's own.
    borrowed: u64,
}

impl<'w, T> ResMutGuard<'w, T> {
    #[inline]
    pub(crate) fn new(tracked: AtomicRefMut<'w, Tracked<T>>, last_asked: &'w LastAsked) -> Self {
        let borrowed = tracked.revisions.changed;
        Self { tracked, last_asked, borrowed }
    }

    /// The parameter for a call, if the resource is present.
    #[inline]
    pub(crate) fn item(&mut self) -> Option<ResMut<'_, T>> {
        self.pass_over_own_changes();
        let Self { tracked, last_asked, .. } = self;
        let Tracked { value, revisions } = &mut **tracked;
        let (before, asked) = (*revisions, last_asked.revision());
        Some(ResMut { value: value.as_mut()?, changed: &mut revisions.changed, before, asked, last_asked })
    }

    /// If the parameter knows of all changes of others, then its own are none.
    #[inline]
    fn pass_over_own_changes(&self) {
        let asked = self.last_asked.revision();
        if asked != 0 && asked >= self.borrowed {
            self.last_asked.set(self.tracked.revisions.changed);
        }
    }
}

impl<T> Drop for ResMutGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.pass_over_own_changes();
    }
}
