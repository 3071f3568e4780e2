//! Changes of resources in snapshots: what the parameters that ask for them would be told.

use std::any::TypeId;
use std::sync::Arc;

use super::take::at;
use super::{ResourceCopy, Snapshot};
use crate::resources::{LastAsked, Resources};
use crate::stable_hash::StateHasher;
use crate::system::Sets;

/// When a parameter for a resource last asked whether it had changed.
#[derive(Clone, Copy)]
pub(super) struct AskedCopy {
    pub(super) resource: TypeId,
    /// The revision of the resource then. 0 if it has never asked, or there is no such resource: it sees everything.
    pub(super) revision: u64,
}

impl AskedCopy {
    /// Of a parameter that has never asked.
    #[cfg(feature = "serde")]
    pub(super) const NEVER: Self = Self { resource: TypeId::of::<()>(), revision: 0 };
}

/// What the conditions of a set know of resources, in their order.
pub(super) struct SetAsked {
    pub(super) set: TypeId,
    /// For saves.
    #[cfg_attr(not(feature = "serde"), expect(dead_code, reason = "only saves read it"))]
    pub(super) name: &'static str,
    pub(super) asked: Vec<AskedCopy>,
}

/// Copies what the conditions of sets know.
pub(super) fn take_sets(copies: &mut Vec<SetAsked>, sets: &Sets, in_snapshot: &[ResourceCopy], resources: &Resources) {
    let mut count = 0;
    for (set, name, all) in sets.last_asked() {
        let new = || SetAsked { set, name, asked: Vec::new() };
        let copy = at(copies, count, |copy| copy.set == set, new);
        take(&mut copy.asked, all, in_snapshot, resources);
        count += 1;
    }
    copies.truncate(count);
}

/// Restores what the conditions of sets know, by set: a program may have others than the one of the snapshot.
pub(super) fn put_sets(copies: &[SetAsked], sets: &Sets, stays: impl Fn(TypeId) -> bool, resources: &Resources) {
    for (place, (set, _, all)) in sets.last_asked().enumerate() {
        let copy =
            copies.get(place).filter(|copy| copy.set == set).or_else(|| copies.iter().find(|copy| copy.set == set));
        put(copy.map_or(&[], |copy| &copy.asked), all, &stays, resources);
    }
}

/// Copies what parameters know of the resources in a snapshot.
pub(super) fn take<'a>(
    copies: &mut Vec<AskedCopy>,
    all: impl Iterator<Item = &'a Arc<LastAsked>>,
    in_snapshot: &[ResourceCopy],
    resources: &Resources,
) {
    copies.clear();
    copies.extend(all.map(|last_asked| {
        let resource = resources.type_of(last_asked.resource);
        let is_known = last_asked.revision() != 0 && in_snapshot.iter().any(|copy| copy.resource == resource);
        AskedCopy { resource, revision: if is_known { last_asked.revision() } else { 0 } }
    }));
}

/// Restores what parameters know; those of resources that stay as they are do so, too. Parameters of a method with
/// others than in the snapshot see everything.
pub(super) fn put<'a>(
    copies: &[AskedCopy],
    all: impl Iterator<Item = &'a Arc<LastAsked>>,
    stays: impl Fn(TypeId) -> bool,
    resources: &Resources,
) {
    for (at, last_asked) in all.enumerate() {
        let resource = resources.type_of(last_asked.resource);
        if !stays(resource) {
            let copy = copies.get(at).filter(|copy| copy.resource == resource);
            last_asked.set(copy.map_or(0, |copy| copy.revision));
        }
    }
}

impl Snapshot {
    /// What all parameters of systems, and then of the conditions of sets, know of resources.
    pub(super) fn all_asked(&self) -> impl Iterator<Item = &AskedCopy> {
        self.systems.iter().flat_map(|copy| &copy.asked).chain(self.sets_asked.iter().flat_map(|set| &set.asked))
    }

    /// Adds the answer for each parameter that has asked.
    pub(super) fn hash_resource_changes(&self, hash: &mut StateHasher) {
        for (at, asked) in self.all_asked().enumerate().filter(|(_, asked)| asked.revision != 0) {
            let copy = self.resources.iter().find(|copy| copy.resource == asked.resource);
            let Some(copy) = copy else { continue };
            hash.number(at as u64).add(&*copy.name).add(&copy.revisions.since(asked.revision));
        }
    }
}
