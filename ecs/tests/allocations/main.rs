//! A warm frame allocates nothing, and neither does a warm ring of snapshots. An allocator counts the heap operations
//! of the test's thread.
#![allow(unsafe_code)]

mod frames;
mod growth;
mod links;
mod snapshots;

use std::alloc::{GlobalAlloc, Layout, System as Heap};
use std::cell::Cell;
use std::time::Duration;

const FRAME: Duration = Duration::from_millis(10);

thread_local! {
    static TOUCHES: Cell<u64> = const { Cell::new(0) };
    /// Bytes that this thread has allocated.
    static BYTES: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

fn touch(bytes: isize) {
    // The counters of a thread that ends may be gone.
    let _ = TOUCHES.try_with(|touches| touches.set(touches.get() + 1));
    let _ = BYTES.try_with(|held| held.set(held.get() + bytes));
}

// SAFETY: all calls are forwarded to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        touch(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { Heap.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        touch(-(layout.size() as isize));
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { Heap.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        touch(size as isize - layout.size() as isize);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { Heap.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Heap operations in 50 calls of `frame`, after `warm_up` calls. Its argument is the number of the call.
fn touches_after(warm_up: usize, mut frame: impl FnMut(usize)) -> u64 {
    (0..warm_up).for_each(&mut frame);
    let before = TOUCHES.get();
    (warm_up..warm_up + 50).for_each(frame);
    TOUCHES.get() - before
}

#[test]
fn counter_counts_heap_operations() {
    assert!(touches_after(10, |_| drop(std::hint::black_box(Box::new(1_u8)))) >= 100);
}
