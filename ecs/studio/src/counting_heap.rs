//! [`CountingHeap`]: a global allocator that counts.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Needs neither an allocation nor a destructor, so that the allocator may use it at any time.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<isize> = const { Cell::new(0) };
}

/// The allocator of the system, which counts how often each thread allocates or reallocates, and how many bytes. Pass
/// its counter to [`EngineBuilder::count_allocations`](ecs::EngineBuilder::count_allocations) to measure the
/// [`allocations`](ecs::system::SystemInfo::allocations) of systems.
///
/// # Example
/// ```
/// use std::time::Duration;
/// use ecs::prelude::*;
/// use ecs_studio::CountingHeap;
///
/// #[global_allocator]
/// static HEAP: CountingHeap = CountingHeap;
///
/// struct Hoarder(Vec<Box<u32>>);
///
/// impl System for Hoarder {
///     fn setup(setup: &mut Setup<Self>) {
///         setup.update(|hoarder: &mut Self| hoarder.0.push(Box::new(7)));
///     }
/// }
///
/// let mut engine = Engine::builder().count_allocations(CountingHeap::of_this_thread).build();
/// engine.add(Hoarder(Vec::with_capacity(8)))?;
/// engine.update(Duration::ZERO)?;
/// assert_eq!(engine.systems().iter().next().unwrap().allocations, 1);
/// # Ok::<(), ecs::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingHeap;

impl CountingHeap {
    /// How often the calling thread has allocated or reallocated, if this is the global allocator; 0 otherwise.
    #[must_use]
    pub fn of_this_thread() -> u64 {
        ALLOCATIONS.get()
    }

    /// The bytes that the calling thread has allocated, less those that it has freed, if this is the global allocator;
    /// 0 otherwise. The difference before and after some work is what that work keeps, if no other thread frees it.
    #[must_use]
    pub fn bytes_of_this_thread() -> isize {
        BYTES.get()
    }
}

fn count(bytes: usize) {
    ALLOCATIONS.set(ALLOCATIONS.get().wrapping_add(1));
    BYTES.set(BYTES.get().wrapping_add_unsigned(bytes));
}

fn count_free(bytes: usize) {
    BYTES.set(BYTES.get().wrapping_sub_unsigned(bytes));
}

// SAFETY: every method passes its arguments on to the allocator of the system, which keeps the contract; counting does
// not allocate.
unsafe impl GlobalAlloc for CountingHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count_free(layout.size());
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size);
        count_free(layout.size());
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}
