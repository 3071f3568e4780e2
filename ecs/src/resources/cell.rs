//! The cells of resources: borrowed by systems for reading or writing, and checked as by `RefCell`.
//!
//! # Invariants
//! 1. `borrows` of a cell is [`WRITTEN`] while a [`WriteGuard`] of it exists, which is then its only guard, and otherwise the number of
//!    its [`ReadGuard`]s.
//! 2. From the making of [`Threads::one`] to the end of the borrows that were begun with it, one thread has the world. So it may count
//!    them by loads and stores, which take a fraction of the time of atomic changes.
//! 3. `cell` of a [`TypedCell`] is a `ResourceCell<T>` for the `T` whose `TypeId` is `value_type`: both are set by [`TypedCell::new`] and
//!    never again.
#![allow(unsafe_code)]

use std::any::TypeId;
use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// On how many threads the world is used.
#[derive(Clone, Copy)]
pub(crate) struct Threads {
    is_one: bool,
}

impl Threads {
    /// Any number.
    pub(crate) const ANY: Self = Self { is_one: false };

    /// One thread.
    ///
    /// # Safety
    /// No other thread uses the world until the last borrow that is begun with the result has ended.
    pub(crate) unsafe fn one() -> Self {
        Self { is_one: true }
    }
}

/// Stands for one borrow for writing.
const WRITTEN: usize = usize::MAX / 2 + 1;

pub(super) struct ResourceCell<T> {
    value: UnsafeCell<Option<T>>,
    borrows: AtomicUsize,
    /// Dirty flag: the resource was borrowed for writing since the last snapshot.
    is_changed: AtomicBool,
}

// SAFETY: a shared cell gives out shared values to several threads, or an exclusive one to a single thread (invariant 1).
unsafe impl<T: Send + Sync> Sync for ResourceCell<T> {}

impl<T> ResourceCell<T> {
    fn new() -> Self {
        Self { value: UnsafeCell::new(None), borrows: AtomicUsize::new(0), is_changed: AtomicBool::new(true) }
    }

    /// The value, and the dirty flag.
    pub(super) fn get_mut(&mut self) -> (&mut Option<T>, &mut bool) {
        (self.value.get_mut(), self.is_changed.get_mut())
    }

    /// `None` if the value is borrowed for writing.
    #[inline]
    pub(super) fn read(&self, threads: Threads) -> Option<ReadGuard<'_, T>> {
        let borrow = Borrow { borrows: &self.borrows, threads };
        let before =
            borrow.change(|borrows| borrows.wrapping_add(1), |borrows| borrows.fetch_add(1, Ordering::Acquire));
        if before >= WRITTEN {
            borrow.change(|borrows| borrows.wrapping_sub(1), |borrows| borrows.fetch_sub(1, Ordering::Release));
            return None;
        }
        // SAFETY: a cell has an address.
        let value = unsafe { NonNull::new_unchecked(self.value.get()) };
        Some(ReadGuard { value, borrow, of: PhantomData })
    }

    /// `None` if the value is borrowed.
    #[inline]
    pub(super) fn write(&self, threads: Threads) -> Option<WriteGuard<'_, T>> {
        self.is_changed.store(true, Ordering::Relaxed);
        let begins = match threads.is_one {
            true => self.borrows.load(Ordering::Relaxed) == 0,
            false => self.borrows.compare_exchange(0, WRITTEN, Ordering::Acquire, Ordering::Relaxed).is_ok(),
        };
        if !begins {
            return None;
        }
        self.borrows.store(WRITTEN, Ordering::Relaxed);
        // SAFETY: a cell has an address.
        let value = unsafe { NonNull::new_unchecked(self.value.get()) };
        Some(WriteGuard { value, borrows: &self.borrows, of: PhantomData })
    }
}

struct Borrow<'a> {
    borrows: &'a AtomicUsize,
    threads: Threads,
}

impl Borrow<'_> {
    /// Changes the number of borrows; returns the number before.
    #[inline(always)]
    fn change(&self, plain: fn(usize) -> usize, atomic: fn(&AtomicUsize) -> usize) -> usize {
        if !self.threads.is_one {
            return atomic(self.borrows);
        }
        let before = self.borrows.load(Ordering::Relaxed);
        self.borrows.store(plain(before), Ordering::Relaxed);
        before
    }
}

/// A borrow for reading.
pub struct ReadGuard<'a, T> {
    value: NonNull<Option<T>>,
    borrow: Borrow<'a>,
    of: PhantomData<&'a Option<T>>,
}

impl<T> Deref for ReadGuard<'_, T> {
    type Target = Option<T>;

    #[inline]
    fn deref(&self) -> &Option<T> {
        // SAFETY: nothing writes to the value while it is borrowed for reading (invariant 1).
        unsafe { self.value.as_ref() }
    }
}

impl<T> Drop for ReadGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.borrow.change(|borrows| borrows.wrapping_sub(1), |borrows| borrows.fetch_sub(1, Ordering::Release));
    }
}

/// A borrow for writing.
pub struct WriteGuard<'a, T> {
    value: NonNull<Option<T>>,
    borrows: &'a AtomicUsize,
    of: PhantomData<&'a mut Option<T>>,
}

impl<T> Deref for WriteGuard<'_, T> {
    type Target = Option<T>;

    #[inline]
    fn deref(&self) -> &Option<T> {
        // SAFETY: this is the only borrow (invariant 1).
        unsafe { self.value.as_ref() }
    }
}

impl<T> DerefMut for WriteGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Option<T> {
        // SAFETY: this is the only borrow (invariant 1).
        unsafe { self.value.as_mut() }
    }
}

impl<T> Drop for WriteGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.borrows.store(0, Ordering::Release);
    }
}

/// A cell of any type.
trait AnyCell: Send + Sync {
    fn is_there(&mut self) -> bool;
    fn clear(&mut self);
}

impl<T: Send + Sync + 'static> AnyCell for ResourceCell<T> {
    fn is_there(&mut self) -> bool {
        self.get_mut().0.is_some()
    }

    fn clear(&mut self) {
        let (value, is_changed) = self.get_mut();
        *is_changed = true;
        *value = None;
    }
}

/// A cell with its type.
pub(super) struct TypedCell {
    value_type: TypeId,
    cell: Box<dyn AnyCell>,
}

impl TypedCell {
    pub(super) fn new<T: Send + Sync + 'static>() -> Self {
        Self { value_type: TypeId::of::<T>(), cell: Box::new(ResourceCell::<T>::new()) }
    }

    pub(super) fn value_type(&self) -> TypeId {
        self.value_type
    }

    pub(super) fn is_there(&mut self) -> bool {
        self.cell.is_there()
    }

    pub(super) fn clear(&mut self) {
        self.cell.clear();
    }

    /// # Panics
    /// If `T` is not the type of the value.
    #[inline]
    pub(super) fn typed<T: Send + Sync + 'static>(&self) -> &ResourceCell<T> {
        assert!(self.value_type == TypeId::of::<T>(), "the id was given out for this type");
        // SAFETY: invariant 3: the type was just compared.
        unsafe { &*ptr::from_ref(&*self.cell).cast::<ResourceCell<T>>() }
    }

    /// # Panics
    /// As [`TypedCell::typed`].
    pub(super) fn typed_mut<T: Send + Sync + 'static>(&mut self) -> &mut ResourceCell<T> {
        assert!(self.value_type == TypeId::of::<T>(), "the id was given out for this type");
        // SAFETY: invariant 3: the type was just compared.
        unsafe { &mut *ptr::from_mut(&mut *self.cell).cast::<ResourceCell<T>>() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_written_by_one_or_read_by_several() {
        // SAFETY: the cell is used by this thread alone.
        for threads in [Threads::ANY, unsafe { Threads::one() }] {
            let mut cell = TypedCell::new::<String>();
            assert!(!cell.is_there());
            *cell.typed_mut::<String>().get_mut().1 = false;
            {
                let cell = cell.typed::<String>();
                let mut write = cell.write(threads).unwrap();
                *write = Some("one".to_owned());
                assert!(cell.write(threads).is_none() && cell.read(threads).is_none());
                write.as_mut().unwrap().push('!');
                assert_eq!(write.as_deref(), Some("one!"));
            }
            {
                let cell = cell.typed::<String>();
                let reads = [cell.read(threads).unwrap(), cell.read(threads).unwrap()];
                assert!(cell.write(threads).is_none());
                let [first, second] = reads;
                drop(first);
                assert!(cell.write(threads).is_none());
                assert_eq!(second.as_deref(), Some("one!"));
                drop(second);
                assert!(cell.write(threads).is_some());
            }
            assert!(*cell.typed_mut::<String>().get_mut().1 && cell.is_there());
            cell.clear();
            assert!(cell.typed::<String>().read(threads).unwrap().is_none());
        }
    }

    #[test]
    #[should_panic = "the id was given out for this type"]
    fn a_cell_of_another_type_is_refused() {
        TypedCell::new::<u32>().typed::<i32>();
    }
}
