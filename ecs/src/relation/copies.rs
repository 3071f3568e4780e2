//! Links in snapshots.

use std::collections::VecDeque;

use super::{LinkedFrom, Links, Relation};
use crate::stable_hash::{StableHash, StateHasher};

/// A component of links. It is no [`Clone`], so that users cannot have one of their own.
pub(crate) trait CopyLinks: Sized {
    fn copy(&self) -> Self;
    /// As [`CopyLinks::copy`], in the memory of `self`.
    fn copy_from(&mut self, from: &Self);
}

/// Copies a pool, reusing the memory of the values.
#[allow(clippy::ptr_arg)] // It stands for `Vec::clone_from`.
pub(crate) fn copy_all<T: CopyLinks>(into: &mut Vec<T>, from: &Vec<T>) {
    into.truncate(from.len());
    let (known, new) = from.split_at(into.len());
    into.iter_mut().zip(known).for_each(|(into, from)| into.copy_from(from));
    into.extend(new.iter().map(T::copy));
}

impl<R: Clone> CopyLinks for Links<R> {
    fn copy(&self) -> Self {
        let mut copy = Self::with(self.first.clone(), VecDeque::new());
        copy.copy_more_from(self);
        copy
    }

    fn copy_from(&mut self, from: &Self) {
        self.first.clone_from(&from.first);
        self.copy_more_from(from);
    }
}

impl<R> CopyLinks for LinkedFrom<R> {
    fn copy(&self) -> Self {
        Self::new(self.to_vec())
    }

    fn copy_from(&mut self, from: &Self) {
        self.copy_sources_from(from);
    }
}

impl<R: Relation + StableHash> StableHash for Links<R> {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.number(self.len() as u64);
        self.iter().for_each(|(target, relation)| _ = hash.add(&target).add(relation));
    }
}

impl<R> StableHash for LinkedFrom<R> {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(&**self);
    }
}
