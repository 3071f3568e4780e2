//! [`OverriddenSets`]: sets of names of components, shared by all entities with equal sets.

use std::sync::Arc;

/// All sets so far. There are few: one for each combination of overrides in the program.
#[derive(Debug, Default)]
pub(crate) struct OverriddenSets {
    met: Vec<Arc<[Arc<str>]>>,
    /// The set being built.
    next: Vec<Arc<str>>,
}

impl OverriddenSets {
    /// Starts a set with these names.
    pub(crate) fn begin(&mut self, names: impl Iterator<Item = Arc<str>>) {
        self.next.clear();
        self.next.extend(names);
    }

    /// Adds a name to the started set.
    pub(crate) fn add(&mut self, name: Arc<str>) {
        self.next.push(name);
    }

    /// Finishes the started set. O(number of sets).
    pub(crate) fn end(&mut self) -> Arc<[Arc<str>]> {
        let known = self.met.iter().find(|names| ***names == *self.next);
        known.cloned().unwrap_or_else(|| {
            let names: Arc<[Arc<str>]> = Arc::from(&*self.next);
            self.met.push(Arc::clone(&names));
            names
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_are_kept_once() {
        let mut sets = OverriddenSets::default();
        let mut set = |names: &[&str]| {
            sets.begin(names.iter().map(|name| Arc::from(*name)).take(1));
            names.iter().skip(1).for_each(|name| sets.add(Arc::from(*name)));
            sets.end()
        };
        let (both, none) = (set(&["speed", "name"]), set(&[]));
        assert!(Arc::ptr_eq(&set(&["speed", "name"]), &both) && Arc::ptr_eq(&set(&[]), &none));
        assert_eq!((&*both[1], both.len(), none.len()), ("name", 2, 0));
        assert_eq!(&*set(&["name"])[0], "name");
    }
}
