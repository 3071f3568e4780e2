//! Copies of stores, shared between snapshots while nothing changes.

use std::any::{Any, TypeId};
use std::sync::{Arc, Weak};

/// A copy of a store; not changed while more than one snapshot has it.
pub(crate) type SharedCopy = Arc<dyn Any + Send + Sync>;

/// The controls that are held as far as an engine was told by a [`StepLoop`](crate::StepLoop).
#[derive(Clone)]
pub(crate) struct HeldControls {
    /// The type of the inputs, an event, and its name.
    #[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "only saves ask for it"))]
    pub(crate) event: (TypeId, &'static str),
    /// How many are held.
    #[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "only saves ask for it"))]
    pub(crate) count: usize,
    /// A `Vec` of inputs that press them.
    pub(crate) presses: SharedCopy,
}

/// A store that snapshots copy as a whole.
pub(crate) trait Store {
    type Copy: Default + Send + Sync + 'static;

    /// Whether it may differ from the last copy.
    fn is_changed(&self) -> bool;
    /// Clears the dirty flag: there is a copy of the present state.
    fn note_copy(&mut self);
    /// Copies the state, reusing the memory of an older copy.
    fn copy_to(&self, copy: &mut Self::Copy);
    /// Takes the state of a copy, reusing memory.
    fn copy_from(&mut self, copy: &Self::Copy);
}

/// The last copy that an engine made of a store.
pub(crate) struct CopyCache {
    /// The copy made when the dirty flag was last cleared; it is dropped with the last snapshot that shares it.
    image: Weak<dyn Any + Send + Sync>,
    /// Copies that no snapshot needs any more, kept for their memory. Their number is limited to the copies made here:
    /// a ring of snapshots may be shared with another engine, whose copies must not pile up.
    spares: Vec<SharedCopy>,
    /// Number of copies in new memory.
    made: usize,
}

impl Default for CopyCache {
    fn default() -> Self {
        Self { image: Weak::<()>::new(), spares: Vec::new(), made: 0 }
    }
}

impl CopyCache {
    /// Puts a copy of a store into `slot`.
    pub(crate) fn take<S: Store>(&mut self, store: &mut S, slot: &mut Option<SharedCopy>) {
        let mut is_changed = store.is_changed();
        self.copy_out(&mut is_changed, slot, |copy| store.copy_to(copy));
        store.note_copy();
    }

    /// Brings a store into the state of a copy.
    pub(crate) fn put_back<S: Store>(&mut self, store: &mut S, image: &SharedCopy) {
        if !self.equals(store.is_changed(), image) {
            store.copy_from(image.downcast_ref().expect("a copy is kept in the slot of its store"));
            self.set(image);
            store.note_copy();
        }
    }

    /// Puts a copy into `slot`: the last one if nothing changed since, otherwise a new one that `copy` writes, in
    /// reused memory if possible. If `copy` panics, the slot stays empty.
    pub(crate) fn copy_out<T: Any + Default + Send + Sync>(
        &mut self,
        is_changed: &mut bool,
        slot: &mut Option<SharedCopy>,
        mut copy: impl FnMut(&mut T),
    ) {
        let mut copy = |into: &mut dyn Any| copy(into.downcast_mut().expect("the copy is of this type"));
        self.copy_out_by(is_changed, slot, TypeId::of::<T>(), || Arc::new(T::default()), &mut copy);
    }

    /// As [`CopyCache::copy_out`], compiled once for all types.
    fn copy_out_by(
        &mut self,
        is_changed: &mut bool,
        slot: &mut Option<SharedCopy>,
        type_id: TypeId,
        new: fn() -> SharedCopy,
        copy: &mut dyn FnMut(&mut dyn Any),
    ) {
        if let (false, Some(latest)) = (*is_changed, self.image.upgrade()) {
            if let Some(old) = slot.replace(latest) {
                self.keep(old);
            }
            return;
        }
        // The target of the copy must not be shared, so it is not the latest copy of this engine either.
        self.image = Weak::<()>::new();
        let own = slot.take().filter(|image| (**image).type_id() == type_id).and_then(unshared);
        let mut image = own.or_else(|| self.spares.pop()).unwrap_or_else(|| {
            self.made += 1;
            new()
        });
        copy(Arc::get_mut(&mut image).expect("the copy is not shared"));
        self.image = Arc::downgrade(&image);
        *slot = Some(image);
        *is_changed = false;
    }

    /// Whether the store equals `image` already.
    pub(crate) fn equals(&self, is_changed: bool, image: &SharedCopy) -> bool {
        !is_changed && std::ptr::addr_eq(self.image.as_ptr(), Arc::as_ptr(image))
    }

    /// Records that the store equals `image`.
    pub(crate) fn set(&mut self, image: &SharedCopy) {
        self.image = Arc::downgrade(image);
    }

    /// Frees the memory kept for later copies.
    pub(crate) fn shrink(&mut self) {
        self.spares = Vec::new();
    }

    fn keep(&mut self, image: SharedCopy) {
        if self.spares.len() < self.made {
            self.spares.extend(unshared(image));
        }
    }
}

/// The copy, unless it is shared.
fn unshared(mut image: SharedCopy) -> Option<SharedCopy> {
    Arc::get_mut(&mut image).is_some().then_some(image)
}
