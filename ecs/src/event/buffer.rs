//! The buffer of one sender: a linear arena that holds events of all types in the order of sending.
//!
//! Each system has a buffer of its own, so systems may send side by side. A buffer is a stream of runs, each a
//! [`Header`] and the events of one type behind it, so sending events of many types in turn writes to one place. The
//! event manager collects the streams of all buffers in execution order, reads them by [`Cursor`], and rewinds the
//! buffers at the end of the frame.
//!
//! # Invariants
//! 1. A cursor that is not at its end points, apart from padding, to a header in a chunk of `arena`, or to a jump to
//!    one.
//! 2. Behind a header, at the next multiple of the alignment of its type, are `count` initialised events, [`stride`]
//!    bytes apart. The next header or jump follows them, as long as the cursor has events left.
//! 3. Chunks neither move nor are freed between two calls of [`EventBuffer::rewind`].
//! 4. Cursors and segments are read between two rewinds only: the event manager drops all of them before it rewinds the
//!    buffers. Only the event manager, [`EventBuffer::stage`] and [`Sender::send_next`] read cursors, with the layouts
//!    of the types that the events were pushed as.
//! 5. If `open_type` names a type, `open` is the header of the last run, `end` is behind its last event, aligned for
//!    one more, and the header gets `open_count` before anything is collected. Otherwise `open_count` is zero.
//! 6. `end` is never behind `chunk_end`, and there is room for a jump behind `chunk_end`.
//! 7. `owned` names each run whose events need dropping, once, and the run's header has the number of events that the
//!    buffer still owns, except while the run is open. Events are moved out only by [`Cursor::take_next`], which sets
//!    that number to zero, and by [`EventBuffer::take`], which clears `owned`.
//! 8. No chunk is larger than 2^30 bytes unless a single event is, and an event takes at least one byte, so 32 bits
//!    count any run.
#![allow(unsafe_code)]

mod parts;

use std::alloc::Layout;
use std::cell::Cell;
use std::marker::PhantomData;
use std::mem::needs_drop;
use std::ptr::{NonNull, null, null_mut};

use bumpalo::Bump;

use self::parts::EventPart;
use super::{Event, EventTypeId};
use crate::limits::break_off;
use crate::panic::{FirstPanic, within};
use crate::type_map::short_name;

/// Bytes of the first chunk of a buffer.
const FIRST_CHUNK: usize = 1024;
/// Chunks do not grow beyond this unless an event is larger, so 32 bits count the events of a run.
const LARGEST_CHUNK: usize = 1 << 30;
/// Alignment of chunks; events with a larger alignment are aligned within.
const CHUNK_ALIGNMENT: usize = 16;
/// Most bytes of a jump: padding, a header without a type, and the address of the next chunk.
const JUMP_BYTES: usize = align_of::<Header>() + size_of::<Header>() + size_of::<*const u8>();

/// Stands in front of a run.
#[derive(Clone, Copy)]
#[repr(C)]
struct Header {
    event_type: EventTypeId,
    count: u32,
}

/// A run of events that are dropped with their buffer.
struct OwnedRun {
    header: *mut Header,
    drop: DropRun,
}

/// [`drop_run`] of a type.
type DropRun = unsafe fn(*mut Header, &mut FirstPanic);

/// Drops all events of a run, also if some of them panic.
///
/// # Safety
/// `header` is that of a closed run of events of type `E`, which are owned and not used again.
unsafe fn drop_run<E>(header: *mut Header, panics: &mut FirstPanic) {
    let layout = Layout::new::<E>();
    // SAFETY: the caller vouches for the header.
    let count = unsafe { (*header).count } as usize;
    let first = aligned(header.wrapping_add(1).cast(), layout.align()).cast_mut();
    let mut next = 0;
    while next < count {
        let place = format_args!("the `Drop` of event {} panicked", short_name::<E>());
        panics.catch(|| {
            within(place, || {
                while next < count {
                    let event = first.wrapping_add(stride(layout) * next).cast::<E>();
                    next += 1;
                    // SAFETY: invariant 2; each event is dropped once, since `next` goes up before.
                    unsafe { event.drop_in_place() };
                }
            });
        });
    }
}

/// Events of one type that lie side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    first: NonNull<u8>,
    count: u32,
    pub(crate) event_type: EventTypeId,
}

// SAFETY: a segment is an address; the events behind it are `Send` and, once collected, only read (invariant 4).
unsafe impl Send for Segment {}
// SAFETY: as above; shared access to a segment gives shared access to events at most.
unsafe impl Sync for Segment {}

impl Segment {
    #[inline]
    pub(crate) fn len(self) -> usize {
        self.count as usize
    }

    /// Takes the first `count` events away; `layout` is that of their type.
    ///
    /// # Panics
    /// If the segment has fewer events.
    pub(crate) fn take(&mut self, count: usize, layout: Layout) -> Self {
        assert!(count <= self.len(), "the segment has {} events", self.len());
        let taken = Self { count: count as u32, ..*self };
        let rest = self.first.as_ptr().wrapping_add(layout.size() * count);
        self.first = NonNull::new(rest).expect("an event is not at address zero");
        self.count -= taken.count;
        taken
    }

    /// Moves the events of the segment out.
    ///
    /// # Safety
    /// As [`Segment::events`], and the buffer does not own the events any more (invariant 7). They are moved out once.
    pub(crate) unsafe fn take_events<E>(self) -> impl Iterator<Item = E> {
        // SAFETY: the caller vouches for it; each event is read once.
        (0..self.len()).map(move |at| unsafe { self.first.cast::<E>().add(at).read() })
    }

    /// The events of the segment.
    ///
    /// # Safety
    /// `E` is the type that `event_type` stands for, and the buffer was not rewound since the segment was collected.
    pub(crate) unsafe fn events<'a, E>(self) -> &'a [E] {
        // SAFETY: invariants 2 and 3; the caller vouches for the type and the time.
        unsafe { std::slice::from_raw_parts(self.first.cast::<E>().as_ptr(), self.len()) }
    }
}

/// A place in the stream of a buffer, and the number of collected events behind it.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    at: *const u8,
    pub(crate) left: usize,
}

// SAFETY: as for segments.
unsafe impl Send for Cursor {}
// SAFETY: as for segments.
unsafe impl Sync for Cursor {}

impl Cursor {
    /// No events.
    pub(crate) const END: Self = Self { at: null(), left: 0 };

    /// The next header and its address. There must be events left.
    #[inline]
    fn header(self) -> (*const u8, Header) {
        debug_assert!(self.left > 0, "no event is left");
        let at = aligned(self.at, align_of::<Header>());
        // SAFETY: invariant 1, since events are left.
        let header = unsafe { at.cast::<Header>().read() };
        if header.event_type == EventTypeId::NONE { Self::behind_jump(at) } else { (at, header) }
    }

    #[cold]
    fn behind_jump(at: *const u8) -> (*const u8, Header) {
        // SAFETY: a header without a type is followed by the address of a chunk, which begins with a header.
        unsafe {
            let next = at.add(size_of::<Header>()).cast::<*const u8>().read_unaligned();
            (next, next.cast::<Header>().read())
        }
    }

    /// The type of the next events. There must be events left.
    #[inline]
    pub(crate) fn next_type(self) -> EventTypeId {
        self.header().1.event_type
    }

    /// Reads the next segment. There must be events left; `layout` gives the layout of a type.
    #[inline]
    pub(crate) fn next(&mut self, layout: impl FnOnce(EventTypeId) -> Layout) -> Segment {
        let (at, Header { event_type, count }) = self.header();
        let layout = layout(event_type);
        let first = aligned(at.wrapping_add(size_of::<Header>()), layout.align());
        self.at = first.wrapping_add(stride(layout) * count as usize);
        self.left -= count as usize;
        // SAFETY: `first` is behind a header in a chunk.
        let first = unsafe { NonNull::new_unchecked(first.cast_mut()) };
        Segment { first, count, event_type }
    }

    /// As [`Cursor::next`]; the caller gets the events, which the buffer will not drop. They must not be read by
    /// another cursor.
    pub(crate) fn take_next(&mut self, layout: impl FnOnce(EventTypeId) -> Layout) -> Segment {
        let (at, header) = self.header();
        let segment = self.next(layout);
        // SAFETY: invariant 1, since events were left; all that is read later is the number of owned events.
        unsafe { at.cast_mut().cast::<Header>().write(Header { count: 0, ..header }) };
        segment
    }
}

/// Bytes from one event to the next. Events without a size take their alignment, so that a chunk holds at most as many
/// events as it has bytes.
#[inline]
fn stride(layout: Layout) -> usize {
    layout.size().max(layout.align())
}

/// The next multiple of `alignment`, which is a power of two.
#[inline]
fn aligned(at: *const u8, alignment: usize) -> *const u8 {
    at.wrapping_add((at as usize).wrapping_neg() & (alignment - 1))
}

fn chunk_layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes, CHUNK_ALIGNMENT).expect("a chunk is smaller than the address space")
}

/// Sends events of one type; a parameter of systems and listeners.
///
/// Events that a system sends in a phase are delivered after the phases; events that a listener sends join the end of
/// the queue.
pub struct Sender<'w, E> {
    buffer: &'w EventBuffer,
    event_type: EventTypeId,
    event: PhantomData<fn(E)>,
}

impl<'w, E: Event> Sender<'w, E> {
    pub(crate) fn new(buffer: &'w EventBuffer, event_type: EventTypeId) -> Self {
        Self { buffer, event_type, event: PhantomData }
    }

    pub(crate) fn buffer(&self) -> &EventBuffer {
        self.buffer
    }

    pub(crate) fn event_type(&self) -> EventTypeId {
        self.event_type
    }

    /// Sends the next events of `rest`, which is not at its end, if they are of this type; returns whether they are.
    /// `rest` is what is left of [`EventBuffer::take`].
    pub(crate) fn send_next(&self, rest: &mut Cursor) -> bool {
        let is_own = rest.next_type() == self.event_type;
        if is_own {
            let segment = rest.next(|_| Layout::new::<E>());
            // SAFETY: the engine gives one id to each event type, the caller has not rewound the buffer (invariant 4),
            // and took all events out of it; the cursor moves on.
            let events = unsafe { segment.take_events::<E>() };
            events.for_each(|event| self.buffer.push(self.event_type, event));
        }
        is_own
    }

    /// Sends `event`: a store into the system's own arena. O(1). It is dropped at the end of the frame in which it is
    /// delivered.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// struct Rang(u32);
    /// # struct Guest(Vec<u32>);
    /// # impl System for Guest {
    /// #     fn setup(setup: &mut Setup<Self>) {
    /// #         setup.listen(|guest: &mut Self, rang: &Rang| guest.0.push(rang.0));
    /// #     }
    /// # }
    ///
    /// # let mut engine = Engine::new();
    /// # engine.add(Guest(Vec::new()))?;
    /// engine.after(Duration::ZERO, |mut bell: Sender<Rang>| (1..=3).for_each(|n| bell.send(Rang(n))))?;
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.system::<Guest>().unwrap().0, [1, 2, 3]); // The listener keeps the numbers.
    /// # Ok::<(), ecs::Error>(())
    /// ```
    #[inline]
    pub fn send(&mut self, event: E) {
        self.buffer.push(self.event_type, event);
    }
}

pub struct EventBuffer {
    arena: Bump,
    /// Size of the next chunk.
    chunk_bytes: Cell<usize>,
    chunks: Cell<usize>,
    open_type: Cell<EventTypeId>,
    open: Cell<*mut Header>,
    end: Cell<*mut u8>,
    chunk_end: Cell<*mut u8>,
    /// The first event that was not collected.
    first: Cell<*const u8>,
    /// Events of the open run. The header gets the count when the run ends, so that sending an event writes to few
    /// places.
    open_count: Cell<u32>,
    /// Events of closed runs that were not collected.
    count: Cell<usize>,
    /// Most bytes that were in use when the buffer was rewound.
    peak: Cell<usize>,
    /// Most bytes that a frame may use. The ends of chunks that no event fitted in do not count, so that what fits does
    /// not depend on the sizes of chunks.
    limit: Cell<usize>,
    /// Bytes in use in the chunks before the last one, which begins at `chunk_start`.
    used_before: Cell<usize>,
    chunk_start: Cell<*mut u8>,
    /// The runs whose events need dropping.
    owned: Cell<Vec<OwnedRun>>,
    /// Empty buffers for the chunks of parallel iterations.
    parts: Cell<Vec<EventPart>>,
}

// SAFETY: the pointers lead into `arena`, which the buffer owns, to events, which are `Send`.
unsafe impl Send for EventBuffer {}

impl EventBuffer {
    /// An empty buffer. There is no `Default`, because the type is reachable by inference and only the engine makes
    /// buffers.
    pub(crate) fn new() -> Self {
        Self {
            arena: Bump::new(),
            chunk_bytes: Cell::new(FIRST_CHUNK),
            chunks: Cell::new(0),
            open_type: Cell::new(EventTypeId::NONE),
            open: Cell::new(null_mut()),
            end: Cell::new(null_mut()),
            chunk_end: Cell::new(null_mut()),
            first: Cell::new(null()),
            open_count: Cell::new(0),
            count: Cell::new(0),
            peak: Cell::new(0),
            limit: Cell::new(usize::MAX),
            used_before: Cell::new(0),
            chunk_start: Cell::new(null_mut()),
            owned: Cell::default(),
            parts: Cell::default(),
        }
    }

    /// A buffer for at most `bytes` of events a frame; at least one chunk.
    pub(crate) fn limited(bytes: usize) -> Self {
        let buffer = Self::new();
        buffer.limit.set(bytes.max(FIRST_CHUNK));
        buffer
    }

    /// Sets the most bytes of a frame; returns the value before.
    pub(crate) fn set_limit(&self, bytes: usize) -> usize {
        self.limit.replace(bytes)
    }

    /// A buffer that has room for `bytes`.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        let mut buffer = Self::new();
        let bytes = bytes.saturating_add(JUMP_BYTES).min(LARGEST_CHUNK);
        buffer.chunk_bytes.set(bytes.next_power_of_two().max(FIRST_CHUNK));
        buffer.make_room();
        buffer
    }

    /// Allocates the next chunk in advance, outside of a frame. The buffer must be empty.
    fn make_room(&mut self) {
        let bytes = self.chunk_bytes.get();
        if self.arena.chunk_capacity() < bytes {
            self.arena.alloc_layout(chunk_layout(bytes));
            self.arena.reset();
        }
    }

    /// Appends an event. `event_type` must be the id of `E`.
    #[inline]
    pub(crate) fn push<E: Send + 'static>(&self, event_type: EventTypeId, event: E) {
        let stride = stride(Layout::new::<E>());
        let end = self.end.get();
        if self.open_type.get() != event_type || (self.chunk_end.get() as usize) - (end as usize) < stride {
            self.push_in_new_run(event_type, event);
            return;
        }
        self.open_count.set(self.open_count.get() + 1);
        // SAFETY: the open run holds events of this type (invariant 5), and there is room (invariant 6).
        unsafe {
            end.cast::<E>().write(event);
            self.end.set(end.add(stride));
        }
    }

    #[inline(never)]
    fn push_in_new_run<E: Send + 'static>(&self, event_type: EventTypeId, event: E) {
        let first = self.open_run(event_type, Layout::new::<E>(), short_name::<E>);
        // SAFETY: it is aligned for an `E`, and there is room for one.
        unsafe { first.cast::<E>().write(event) };
        // A constant, so that nothing is compiled for events that own nothing.
        if const { needs_drop::<E>() } {
            self.own_run(drop_run::<E>);
        }
    }

    /// Starts a run and returns the place of its first event, which the caller must write. Compiled once for all types
    /// of events.
    fn open_run(&self, event_type: EventTypeId, layout: Layout, name: fn() -> &'static str) -> *mut u8 {
        self.close();
        let places = |end: *const u8| {
            let header = aligned(end, align_of::<Header>());
            (header, aligned(header.wrapping_add(size_of::<Header>()), layout.align()))
        };
        let (mut header, mut first) = places(self.end.get());
        // Without a chunk both ends are null, so there is no room.
        if first as usize + stride(layout) > self.chunk_end.get() as usize {
            self.open_chunk(layout, name);
            (header, first) = places(self.end.get());
        }
        self.open_type.set(event_type);
        self.open.set(header.cast_mut().cast());
        self.end.set(first.cast_mut().wrapping_add(stride(layout)));
        self.open_count.set(1);
        // SAFETY: it is aligned, and there is room for it and the first event.
        unsafe { self.open.get().write(Header { event_type, count: 1 }) };
        first.cast_mut()
    }

    /// Notes that the events of the open run must be dropped.
    fn own_run(&self, drop: DropRun) {
        let mut owned = self.owned.take();
        owned.push(OwnedRun { header: self.open.get(), drop });
        self.owned.set(owned);
    }

    /// Ends the open run, if there is one.
    #[inline]
    fn close(&self) {
        let count = self.open_count.replace(0);
        self.count.set(self.count.get() + count as usize);
        if count > 1 {
            // SAFETY: a run that has events is open (invariant 5).
            unsafe { (*self.open.get()).count = count };
        }
        self.open_type.set(EventTypeId::NONE);
    }

    /// Starts a chunk with room for at least one event of `layout` and its header, and writes a jump to it into the
    /// last one.
    ///
    /// # Panics
    /// If there would be more bytes in the frame than the limit. Nothing has changed then.
    fn open_chunk(&self, layout: Layout, name: fn() -> &'static str) {
        let least = size_of::<Header>() + layout.align() + stride(layout) + JUMP_BYTES;
        let used = self.used_bytes();
        let left = self.limit.get().saturating_sub(used);
        if size_of::<Header>() + stride(layout) > left {
            self.reach_limit(name());
        }
        let padding = layout.align().max(align_of::<Header>());
        let most = left.saturating_add(padding);
        let wanted = self.chunk_bytes.get().max(least.next_power_of_two());
        // No more than the limit can fill.
        let bytes = wanted.min(least.max(most.saturating_add(JUMP_BYTES)));
        let start = self.arena.alloc_layout(chunk_layout(bytes)).as_ptr();
        self.chunk_bytes.set((wanted * 2).min(LARGEST_CHUNK).max(bytes));
        self.chunks.set(self.chunks.get() + 1);
        if self.end.get().is_null() {
            self.first.set(start);
        } else {
            let jump = aligned(self.end.get(), align_of::<Header>()).cast_mut();
            // SAFETY: behind `chunk_end`, which `end` is not behind, there is room for a jump (invariant 6).
            unsafe {
                jump.cast::<Header>().write(Header { event_type: EventTypeId::NONE, count: 0 });
                jump.add(size_of::<Header>()).cast::<*const u8>().write_unaligned(start);
            }
        }
        self.used_before.set(used);
        self.chunk_start.set(start);
        self.end.set(start);
        self.chunk_end.set(start.wrapping_add((bytes - JUMP_BYTES).min(most)));
    }

    /// Stops a method that would use more bytes than the limit.
    #[cold]
    fn reach_limit(&self, next: &str) -> ! {
        let limit = format_args!("{} bytes of events in a frame", self.limit.get());
        match self.count() {
            0 => break_off(limit, format_args!("and the next is {next}"), true),
            count => break_off(limit, format_args!("{count} events wait, and the next is {next}"), true),
        }
    }

    /// # Panics
    /// If more bytes are in use than the limit allows.
    pub(crate) fn check_limit(&self, next: &str) {
        if self.used_bytes() > self.limit.get() {
            self.reach_limit(next);
        }
    }

    /// Bytes on the heap.
    pub(crate) fn held_bytes(&self) -> usize {
        let owned = self.owned.take();
        let bytes = owned.capacity() * size_of::<OwnedRun>();
        self.owned.set(owned);
        self.arena.allocated_bytes() + bytes + self.held_bytes_of_parts()
    }

    /// Most bytes of the arena that were used in one frame.
    pub(crate) fn peak(&self) -> usize {
        self.peak.get().max(self.used_bytes())
    }

    fn used_bytes(&self) -> usize {
        self.used_before.get() + (self.end.get() as usize - self.chunk_start.get() as usize)
    }

    /// Frees all memory, if the buffer is empty.
    pub(crate) fn shrink(&mut self) {
        if self.chunks.get() == 0 {
            let (peak, limit) = (self.peak.get(), self.limit.get());
            *self = Self::limited(limit);
            self.peak.set(peak);
        }
    }

    /// Whether no event was sent since the last collection.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Events sent since the last collection.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.count.get() + self.open_count.get() as usize
    }

    /// Takes the events that were sent since the last collection; they can be read until the buffer is rewound.
    pub(crate) fn collect(&mut self) -> Cursor {
        self.close();
        Cursor { at: self.first.replace(self.end.get()), left: self.count.replace(0) }
    }

    /// As [`EventBuffer::collect`]; the caller moves the events elsewhere before the buffer is rewound.
    pub(crate) fn take(&mut self) -> Cursor {
        self.owned.get_mut().clear();
        self.collect()
    }

    /// Replaces all events by one that does not go through the queue. Its segment dangles after the next call. Only for
    /// buffers whose events are all staged.
    pub(crate) fn stage<E: Event + Copy>(&mut self, event_type: EventTypeId, event: E) -> Segment {
        self.rewind_arena();
        self.push(event_type, event);
        self.collect().next(|_| Layout::new::<E>())
    }

    /// Drops all events and keeps the memory. Every segment that was collected from the buffer dangles afterwards.
    pub(crate) fn rewind(&mut self, panics: &mut FirstPanic) {
        self.drop_events(panics);
        self.rewind_arena();
    }

    /// Drops the events that need it. They must not be read afterwards.
    #[inline]
    fn drop_events(&mut self, panics: &mut FirstPanic) {
        if !self.owned.get_mut().is_empty() {
            self.drop_owned(panics);
        }
    }

    #[inline(never)]
    fn drop_owned(&mut self, panics: &mut FirstPanic) {
        self.close();
        for run in self.owned.get_mut().drain(..) {
            // SAFETY: the function is that of the run's type; the run was just closed, and is forgotten (invariant 7).
            unsafe { (run.drop)(run.header, panics) };
        }
    }

    fn rewind_arena(&mut self) {
        if self.chunks.get() == 0 {
            return;
        }
        self.peak.set(self.peak());
        // If one chunk was enough, the next one has its size, so the arena reuses its memory. Otherwise the next chunk
        // is twice the last one, which is more than all together, and is allocated here, between frames.
        let fitted = self.chunks.replace(0) == 1;
        self.arena.reset();
        if fitted {
            self.chunk_bytes.set(self.chunk_bytes.get() / 2);
        } else {
            self.make_room();
        }
        self.open_type.set(EventTypeId::NONE);
        self.open.set(null_mut());
        self.end.set(null_mut());
        self.chunk_end.set(null_mut());
        self.first.set(null());
        self.open_count.set(0);
        self.count.set(0);
        self.used_before.set(0);
        self.chunk_start.set(null_mut());
    }
}

impl Drop for EventBuffer {
    fn drop(&mut self) {
        let mut panics = FirstPanic::default();
        self.drop_events(&mut panics);
        panics.raise_unless_panicking();
    }
}
