//! The outputs of parallel iterations: each chunk of rows sends events and records commands into buffers of its own,
//! which are joined in the order of the rows.

use std::cell::RefCell;
use std::sync::Mutex;

use crate::commands::{CommandBuffer, Commands, MethodId};
use crate::event::{Cursor, Event, EventBuffer, EventTypeId, Sender};
use crate::panic::FirstPanic;

/// Where the closure of [`Query::par_for_each_with`](crate::Query::par_for_each_with) sends events and records
/// commands: `&mut Sender<E>`, `&mut Commands`, or a tuple of up to four of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an output of a parallel iteration",
    label = "expected `&mut Sender<E>`, `&mut Commands` or a tuple of up to 4 of these",
    note = "to use a `Spawner` or to write a resource, collect results with `par_map_collect`, and use them afterwards"
)]
pub trait ParOutput: Sealed {
    /// What the closure gets: a sender, commands, or a tuple of these.
    type Part<'p>;
    #[doc(hidden)]
    type Id: Copy + Send + Sync;
    #[doc(hidden)]
    fn id(&self) -> Self::Id;
    #[doc(hidden)]
    fn buffers(&self, key: Key) -> Buffers<'_>;
    #[doc(hidden)]
    fn part<'p>(id: Self::Id, buffers: Buffers<'p>) -> Self::Part<'p>;
    /// Sends the next events of `rest` if they are of a type of this output; returns whether they are.
    #[doc(hidden)]
    fn send_next(part: &Self::Part<'_>, rest: &mut Cursor) -> bool;
}

/// Only this crate implements [`ParOutput`].
pub trait Sealed {}

/// Restricts the buffers of an output to this crate: one engine's buffers with another's ids would produce events of
/// the wrong type.
pub struct Key(());

impl Key {
    pub(super) const fn new() -> Self {
        Self(())
    }
}

/// The buffers behind an output.
#[derive(Clone, Copy)]
pub struct Buffers<'p> {
    events: Option<&'p EventBuffer>,
    commands: Option<&'p RefCell<CommandBuffer>>,
    /// The method whose outputs they are.
    method: Option<MethodId>,
}

impl Buffers<'_> {
    /// # Panics
    /// If they are the outputs of two methods: of two engines, since a method of an engine ends before the next one
    /// begins.
    fn and(self, other: Self) -> Self {
        let is_one = self.method.zip(other.method).is_none_or(|(one, other)| one == other);
        assert!(is_one, "the outputs of a parallel iteration belong to two engines: give it those of one method");
        Self {
            events: self.events.or(other.events),
            commands: self.commands.or(other.commands),
            method: self.method.or(other.method),
        }
    }
}

const HAS_BUFFER: &str = "the buffers are those of the output";

impl<E: Event> Sealed for &mut Sender<'_, E> {}

impl<E: Event> ParOutput for &mut Sender<'_, E> {
    type Part<'p> = Sender<'p, E>;
    type Id = EventTypeId;

    fn id(&self) -> EventTypeId {
        self.event_type()
    }

    fn buffers(&self, _: Key) -> Buffers<'_> {
        Buffers { events: Some(self.buffer()), commands: None, method: Some(MethodId::of(self.buffer())) }
    }

    fn part<'p>(id: EventTypeId, buffers: Buffers<'p>) -> Sender<'p, E> {
        Sender::new(buffers.events.expect(HAS_BUFFER), id)
    }

    fn send_next(part: &Sender<'_, E>, rest: &mut Cursor) -> bool {
        part.send_next(rest)
    }
}

impl Sealed for &mut Commands<'_> {}

impl ParOutput for &mut Commands<'_> {
    type Part<'p> = Commands<'p>;
    type Id = ();

    fn id(&self) -> Self::Id {}

    fn buffers(&self, _: Key) -> Buffers<'_> {
        Buffers { events: None, commands: Some(self.buffer()), method: Some(self.method()) }
    }

    fn part<'p>((): (), buffers: Buffers<'p>) -> Commands<'p> {
        Commands::new(buffers.commands.expect(HAS_BUFFER), buffers.method.expect(HAS_BUFFER))
    }

    fn send_next(_: &Commands<'_>, _: &mut Cursor) -> bool {
        false
    }
}

macro_rules! output_tuple {
    ($($name:ident),*) => {
        impl<$($name: Sealed),*> Sealed for ($($name,)*) {}

        #[allow(non_snake_case)]
        impl<$($name: ParOutput),*> ParOutput for ($($name,)*) {
            type Part<'p> = ($($name::Part<'p>,)*);
            type Id = ($($name::Id,)*);

            fn id(&self) -> Self::Id {
                let ($($name,)*) = self;
                ($($name.id(),)*)
            }

            fn buffers(&self, _: Key) -> Buffers<'_> {
                let ($($name,)*) = self;
                Buffers { events: None, commands: None, method: None }$(.and($name.buffers(Key::new())))*
            }

            fn part<'p>(($($name,)*): Self::Id, buffers: Buffers<'p>) -> Self::Part<'p> {
                ($($name::part($name, buffers),)*)
            }

            fn send_next(($($name,)*): &Self::Part<'_>, rest: &mut Cursor) -> bool {
                false $(|| $name::send_next($name, rest))*
            }
        }
    };
}

output_tuple!(A);
output_tuple!(A, B);
output_tuple!(A, B, C);
output_tuple!(A, B, C, D);

/// The buffers of all chunks of an iteration. They are empty between iterations, and systems keep their memory.
pub(super) struct Parts {
    events: Vec<Mutex<EventBuffer>>,
    commands: Vec<Mutex<RefCell<CommandBuffer>>>,
    method: Option<MethodId>,
}

impl Parts {
    /// The parts of `buffers` for a number of chunks.
    pub(super) fn take(buffers: Buffers<'_>, chunks: usize) -> Self {
        Self {
            events: buffers.events.map_or_else(Vec::new, |events| events.take_parts(chunks)),
            commands: buffers.commands.map_or_else(Vec::new, |commands| commands.borrow_mut().take_parts(chunks)),
            method: buffers.method,
        }
    }

    /// Calls `visit` with the buffers of a chunk.
    pub(super) fn with(&self, chunk: usize, visit: impl FnOnce(Buffers<'_>)) {
        const VISITED_ONCE: &str = "each chunk is visited once";
        let events = self.events.get(chunk).map(|part| part.lock().expect(VISITED_ONCE));
        let commands = self.commands.get(chunk).map(|part| part.lock().expect(VISITED_ONCE));
        visit(Buffers { events: events.as_deref(), commands: commands.as_deref(), method: self.method });
    }

    /// Appends the parts to `buffers`, to which `whole` sends. If a chunk panicked, those behind it are dropped, as if
    /// a single thread had panicked there.
    pub(super) fn join<O: ParOutput>(mut self, buffers: Buffers<'_>, whole: &O::Part<'_>) {
        let mut panics = FirstPanic::default();
        if let Some(events) = buffers.events {
            // Each chunk was limited by itself; all together are below.
            let limit = events.set_limit(usize::MAX);
            for_each(&mut self.events, |part, is_kept| {
                if is_kept {
                    let mut rest = part.take();
                    while rest.left > 0 {
                        assert!(O::send_next(whole, &mut rest), "a part has events of its output only");
                    }
                }
                part.rewind(&mut panics);
            });
            events.set_limit(limit);
            events.keep_parts(self.events);
        }
        if let Some(commands) = buffers.commands {
            let mut commands = commands.borrow_mut();
            for_each(&mut self.commands, |part, is_kept| match is_kept {
                true => commands.append(part.get_mut()),
                false => part.get_mut().clear(&mut panics),
            });
            commands.keep_parts(self.commands);
        }
        panics.raise();
        buffers.events.iter().for_each(|events| events.check_limit("one of several"));
        buffers.commands.iter().for_each(|commands| commands.borrow().check_limit());
    }
}

/// Calls `act` with each part, and whether no chunk before it panicked.
fn for_each<T>(parts: &mut [Mutex<T>], mut act: impl FnMut(&mut T, bool)) {
    let mut is_kept = true;
    for part in parts {
        let panicked = part.is_poisoned();
        part.clear_poison();
        act(part.get_mut().expect("it is not poisoned any more"), is_kept);
        is_kept &= !panicked;
    }
}
