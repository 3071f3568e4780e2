//! Which components were given for one entity and not by its prefab, kept once for all entities that are alike in that.

use std::any::TypeId;
use std::sync::Arc;

/// The sets of component types that were met so far; few, since there are as many as kinds of overrides in the program.
#[derive(Debug, Default)]
pub(crate) struct OverriddenSets {
    met: Vec<Arc<[TypeId]>>,
    /// Where the next set is put together.
    next: Vec<TypeId>,
}

impl OverriddenSets {
    /// Begins a set with these types.
    pub(super) fn begin(&mut self, types: impl Iterator<Item = TypeId>) {
        self.next.clear();
        self.next.extend(types);
    }

    /// Adds a type to the set that was begun.
    pub(super) fn add(&mut self, component: TypeId) {
        self.next.push(component);
    }

    /// The set that was begun. O(number of sets).
    pub(super) fn end(&mut self) -> Arc<[TypeId]> {
        let known = self.met.iter().find(|types| ***types == *self.next);
        known.cloned().unwrap_or_else(|| {
            let types: Arc<[TypeId]> = Arc::from(&*self.next);
            self.met.push(Arc::clone(&types));
            types
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_are_kept_once() {
        let (number, text) = (TypeId::of::<u32>(), TypeId::of::<String>());
        let mut sets = OverriddenSets::default();
        let mut set = |types: &[TypeId]| {
            sets.begin(types.iter().copied().take(1));
            types.iter().skip(1).for_each(|component| sets.add(*component));
            sets.end()
        };
        let (both, none) = (set(&[number, text]), set(&[]));
        assert!(Arc::ptr_eq(&set(&[number, text]), &both) && Arc::ptr_eq(&set(&[]), &none));
        assert_eq!((&*both, none.len()), (&[number, text][..], 0));
        assert_eq!(*set(&[text]), [text]);
    }
}
