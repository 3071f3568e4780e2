//! The lane of one sender: a linear arena that events of all types are written to, one behind the other.
//!
//! A system sends without asking anybody: its lane is its own, so that systems may run side by side. What it sent is a
//! log of [`Segment`]s, each a run of events of one type. The event manager notes in work order which parts of which log were
//! sent, listeners read them, and at the end of the frame the lane is rewound. A log stays where it was written: where the
//! type changes with each event it is as long as the events themselves, and copying it would cost as much as sending them.
//!
//! # Invariants
//! 1. A segment points to `count` events of its type, initialised and aligned, in a chunk that `arena` owns.
//! 2. Chunks neither move nor are freed between two calls of [`Lane::rewind`].
//! 3. Segments are read between two rewinds only: the event manager forgets all of them before it rewinds the lanes. Those
//!    that were adopted from another lane lead into that lane, which lives as long.
//! 4. `open_end` is behind the last event of the open segment, at a multiple of its alignment, and never behind `chunk_end`.
#![allow(unsafe_code)]

use std::alloc::Layout;
use std::cell::{Cell, Ref, RefCell};
use std::ops::Range;
use std::ptr::NonNull;

use bumpalo::Bump;

use super::EventTypeId;

/// Bytes of the first chunk of a lane.
const FIRST_CHUNK: usize = 1024;
/// Chunks begin at a multiple of this; events that want more are aligned within.
const CHUNK_ALIGNMENT: usize = 16;

/// A run of events of one type that were sent one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    first: NonNull<u8>,
    /// Half as wide as a length may be, so that a segment takes 16 bytes; longer ones are divided.
    count: u32,
    pub(crate) event_type: EventTypeId,
}

// SAFETY: a segment is an address; the events behind it are `Send` and, once collected, only read (invariant 3).
unsafe impl Send for Segment {}
// SAFETY: as above; shared access to a segment gives shared access to events at most.
unsafe impl Sync for Segment {}

impl Segment {
    /// How many events it has.
    #[inline]
    pub(crate) fn len(self) -> usize {
        self.count as usize
    }

    /// The events of the segment.
    ///
    /// # Safety
    /// `E` is the type that `event_type` stands for, and the lane was not rewound since the segment was collected.
    pub(crate) unsafe fn events<'a, E>(self) -> &'a [E] {
        // SAFETY: invariants 1 and 2; the caller vouches for the type and the time.
        unsafe { std::slice::from_raw_parts(self.first.cast::<E>().as_ptr(), self.len()) }
    }
}

pub struct Lane {
    arena: Bump,
    /// Size of the next chunk.
    chunk_bytes: Cell<usize>,
    chunks: Cell<usize>,
    open_type: Cell<EventTypeId>,
    open_first: Cell<*mut u8>,
    open_end: Cell<*mut u8>,
    open_count: Cell<usize>,
    chunk_end: Cell<*mut u8>,
    /// What was sent since the lane was rewound, without the open segment.
    log: RefCell<Vec<Segment>>,
    /// Segments of the log that were collected.
    collected: usize,
    /// Events in the segments of the log that were not collected.
    logged_count: Cell<usize>,
    /// Most bytes that were in use when the lane was rewound.
    high_water: Cell<usize>,
}

// SAFETY: the pointers lead into `arena`, which the lane owns, to events, which are `Send`.
unsafe impl Send for Lane {}

impl Lane {
    /// No `Default`, which could be called where the type is only inferred: lanes are made by the engine alone.
    pub(crate) fn new() -> Self {
        Self {
            arena: Bump::new(),
            chunk_bytes: Cell::new(FIRST_CHUNK),
            chunks: Cell::new(0),
            open_type: Cell::new(EventTypeId::NONE),
            open_first: Cell::new(std::ptr::null_mut()),
            open_end: Cell::new(std::ptr::null_mut()),
            open_count: Cell::new(0),
            chunk_end: Cell::new(std::ptr::null_mut()),
            log: RefCell::new(Vec::new()),
            collected: 0,
            logged_count: Cell::new(0),
            high_water: Cell::new(0),
        }
    }

    /// A lane whose first chunk has room for `bytes`.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        let lane = Self::new();
        lane.chunk_bytes.set(bytes.next_power_of_two().max(FIRST_CHUNK));
        lane
    }

    /// Writes an event behind the last one. `event_type` must stand for `E`.
    #[inline]
    pub(crate) fn push<E: Send + 'static>(&self, event_type: EventTypeId, event: E) {
        let end = self.open_end.get();
        if self.open_type.get() != event_type || (self.chunk_end.get() as usize) - (end as usize) < size_of::<E>() {
            self.push_in_new_segment(event_type, event);
            return;
        }
        // SAFETY: the open segment holds events of this type, so `end` is aligned, and there is room (invariant 4).
        unsafe {
            end.cast::<E>().write(event);
            self.open_end.set(end.add(size_of::<E>()));
        }
        self.open_count.set(self.open_count.get() + 1);
    }

    #[inline(never)]
    fn push_in_new_segment<E: Send + 'static>(&self, event_type: EventTypeId, event: E) {
        let first = self.open_segment(event_type, Layout::new::<E>());
        // SAFETY: `first` is aligned and has room for one event.
        unsafe { first.cast::<E>().write(event) };
    }

    /// Opens a segment that counts one event of `layout`; returns where it is to be written.
    #[inline]
    fn open_segment(&self, event_type: EventTypeId, layout: Layout) -> *mut u8 {
        self.close();
        let padding = self.open_end.get().align_offset(layout.align());
        let room = self.chunk_end.get() as usize - self.open_end.get() as usize;
        let first = if self.open_end.get().is_null() || padding.saturating_add(layout.size()) > room {
            self.open_chunk(layout)
        } else {
            // SAFETY: `padding` plus the event fit into what is left of the chunk.
            unsafe { self.open_end.get().add(padding) }
        };
        self.open_type.set(event_type);
        self.open_first.set(first);
        // SAFETY: there is room for one event behind `first`, by either branch above.
        self.open_end.set(unsafe { first.add(layout.size()) });
        self.open_count.set(1);
        first
    }

    /// Starts a chunk that takes at least one event of `layout`; returns where it goes.
    #[cold]
    fn open_chunk(&self, layout: Layout) -> *mut u8 {
        let bytes = self.chunk_bytes.get().max((layout.size() + layout.align()).next_power_of_two());
        let chunk = Layout::from_size_align(bytes, CHUNK_ALIGNMENT).expect("a chunk is smaller than the address space");
        let start = self.arena.alloc_layout(chunk).as_ptr();
        self.chunk_bytes.set(bytes * 2);
        self.chunks.set(self.chunks.get() + 1);
        // SAFETY: the chunk has `bytes` bytes, and `align_offset` of at most `align` leaves room for the event.
        unsafe {
            self.chunk_end.set(start.add(bytes));
            start.add(start.align_offset(layout.align()))
        }
    }

    /// Ends the open segment, so that nothing more is added to it.
    #[inline]
    fn close(&self) {
        let count = self.open_count.replace(0);
        let Some(first) = NonNull::new(self.open_first.get()) else { return };
        if count == 0 {
            return;
        }
        let event_type = self.open_type.replace(EventTypeId::NONE);
        self.logged_count.set(self.logged_count.get() + count);
        match u32::try_from(count) {
            Ok(count) => self.log.borrow_mut().push(Segment { first, count, event_type }),
            Err(_) => self.log_divided(first, count, event_type),
        }
    }

    /// Logs a segment of more events than one can count.
    #[cold]
    fn log_divided(&self, mut first: NonNull<u8>, mut left: usize, event_type: EventTypeId) {
        let value_bytes = (self.open_end.get() as usize - first.as_ptr() as usize) / left;
        while left > 0 {
            let count = u32::try_from(left).unwrap_or(u32::MAX);
            self.log.borrow_mut().push(Segment { first, count, event_type });
            left -= count as usize;
            // SAFETY: `count` events follow at `first`, each of which takes `value_bytes`, and no more than `left` are behind.
            first = unsafe { first.add(count as usize * value_bytes) };
        }
    }

    /// Bytes on the heap.
    pub(crate) fn held_bytes(&self) -> usize {
        self.arena.allocated_bytes() + self.log.borrow().capacity() * size_of::<Segment>()
    }

    /// Most bytes of the arena that were used in one frame.
    pub(crate) fn high_water(&self) -> usize {
        self.high_water.get().max(self.used_bytes())
    }

    fn used_bytes(&self) -> usize {
        let left = self.chunk_end.get() as usize - self.open_end.get() as usize;
        if self.chunks.get() == 0 { 0 } else { self.arena.allocated_bytes() - left }
    }

    /// Gives back all memory, if nothing waits in it.
    pub(crate) fn shrink(&mut self) {
        if self.chunks.get() == 0 && self.is_empty() && self.log.get_mut().is_empty() {
            let high_water = self.high_water.get();
            *self = Self::new();
            self.high_water.set(high_water);
        }
    }

    /// Whether nothing was sent since the lane was last collected.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// How many events were sent since the lane was last collected.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.open_count.get() + self.logged_count.get()
    }

    /// The part of the log that was sent since the last call; its segments can be read until the lane is rewound.
    pub(crate) fn collect(&mut self) -> Range<usize> {
        self.close();
        self.logged_count.set(0);
        let begin = std::mem::replace(&mut self.collected, self.log.get_mut().len());
        begin..self.collected
    }

    /// A part of the log.
    #[inline]
    pub(crate) fn logged(&self, segments: Range<usize>) -> Ref<'_, [Segment]> {
        Ref::map(self.log.borrow(), |log| &log[segments])
    }

    /// Logs what was sent to `other` and was not collected there, which must not be rewound before this lane is.
    pub(crate) fn adopt(&mut self, other: &mut Self) {
        self.close();
        self.logged_count.set(self.count() + other.count());
        let segments = other.collect();
        self.log.get_mut().extend_from_slice(&other.logged(segments));
    }

    /// Forgets all events and starts again at the beginning of the arena, whose memory is kept.
    ///
    /// Every segment that was collected from the lane is dangling afterwards.
    pub(crate) fn rewind(&mut self) {
        self.log.get_mut().clear();
        self.collected = 0;
        self.logged_count.set(0);
        if self.chunks.get() == 0 {
            return;
        }
        self.high_water.set(self.high_water());
        // If one chunk had room for all, the next one has its size, so that the arena takes it from what it keeps. Otherwise the
        // next chunk is twice the last one, which is more than all of them together.
        if self.chunks.replace(0) == 1 {
            self.chunk_bytes.set(self.chunk_bytes.get() / 2);
        }
        self.arena.reset();
        self.open_type.set(EventTypeId::NONE);
        self.open_first.set(std::ptr::null_mut());
        self.open_end.set(std::ptr::null_mut());
        self.chunk_end.set(std::ptr::null_mut());
        self.open_count.set(0);
    }
}
