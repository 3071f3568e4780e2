//! Children of a snapshot that are shared with other snapshots for as long as nothing changes.

use std::any::Any;
use std::sync::{Arc, Weak};

/// A copy of something, never changed while more than one snapshot has it.
pub(crate) type Image = Arc<dyn Any + Send + Sync>;

/// What an engine remembers of the last copy of one thing.
pub(crate) struct Latest {
    /// The copy that equals the thing as it was when its mark of changes was taken away; gone with the last snapshot that has it.
    image: Weak<dyn Any + Send + Sync>,
    /// Copies that no snapshot needs any more, kept for their memory: never more than were made here, so that those of another
    /// engine, with which a ring of snapshots is shared, do not pile up.
    spares: Vec<Image>,
    /// How many copies were made in new memory.
    made: usize,
}

impl Default for Latest {
    fn default() -> Self {
        Self { image: Weak::<()>::new(), spares: Vec::new(), made: 0 }
    }
}

impl Latest {
    /// Puts a copy into `slot`: the last one if nothing changed since, otherwise one that `copy` makes in memory that was used
    /// before. If `copy` panics, the slot is left empty.
    pub(crate) fn copy_out<T: Any + Default + Send + Sync>(
        &mut self,
        is_changed: &mut bool,
        slot: &mut Option<Image>,
        copy: impl FnOnce(&mut T),
    ) {
        if let (false, Some(latest)) = (*is_changed, self.image.upgrade()) {
            if let Some(old) = slot.replace(latest) {
                self.keep(old);
            }
            return;
        }
        // Who is to be written to is known to nobody else, not even to this engine.
        self.image = Weak::<()>::new();
        let own = slot.take().filter(|image| image.is::<T>()).and_then(unshared);
        let mut image = own.or_else(|| self.spares.pop()).unwrap_or_else(|| {
            self.made += 1;
            Arc::new(T::default())
        });
        let target = Arc::get_mut(&mut image).and_then(|image| image.downcast_mut());
        copy(target.expect("the copy is of this type, and nobody else has it"));
        self.image = Arc::downgrade(&image);
        *slot = Some(image);
        *is_changed = false;
    }

    /// Whether the thing is as `image` says already.
    pub(crate) fn equals(&self, is_changed: bool, image: &Image) -> bool {
        !is_changed && std::ptr::addr_eq(self.image.as_ptr(), Arc::as_ptr(image))
    }

    /// Notes that the thing is as `image` says now.
    pub(crate) fn set(&mut self, image: &Image) {
        self.image = Arc::downgrade(image);
    }

    /// Gives back the memory for copies to come.
    pub(crate) fn shrink(&mut self) {
        self.spares = Vec::new();
    }

    fn keep(&mut self, image: Image) {
        if self.spares.len() < self.made {
            self.spares.extend(unshared(image));
        }
    }
}

/// The image if nobody else has it.
fn unshared(mut image: Image) -> Option<Image> {
    Arc::get_mut(&mut image).is_some().then_some(image)
}
