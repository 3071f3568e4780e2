//! Events of many types in one stream, delivered in the order in which they were sent and counted by type.

use std::hint::black_box;

use crate::events::{Hit, TYPES};
use crate::stopwatch::{Runner, repeated};

/// The listener and the counters of a type.
#[derive(Clone, Copy)]
struct Type {
    listener: fn(&mut u64, &Hit),
    sent: u64,
    delivered: u64,
}

#[inline(never)]
fn listen(total: &mut u64, event: &Hit) {
    *total = total.wrapping_add(event.value());
}

/// Runs of events. Each is a number with the type and the count, followed by the events.
#[derive(Default)]
struct Stream {
    words: Vec<u64>,
    /// The type of the last run, and its start.
    open: Option<(u32, usize)>,
}

impl Stream {
    #[inline]
    fn send(&mut self, event_type: u32, event: Hit) {
        match self.open {
            Some((open, at)) if open == event_type => {
                self.words[at] += 1;
                self.words.extend_from_slice(&[event.target, event.amount]);
            }
            _ => {
                self.open = Some((event_type, self.words.len()));
                let header = u64::from(event_type) << 32 | 1;
                self.words.extend_from_slice(&[header, event.target, event.amount]);
            }
        }
    }

    fn deliver(&mut self, types: &mut [Type], total: &mut u64) {
        let mut rest = &self.words[..];
        while let Some((header, behind)) = rest.split_first() {
            let count = *header as u32 as usize;
            let (events, behind) = behind.split_at(count * 2);
            let of_type = &mut types[(*header >> 32) as usize];
            of_type.sent += count as u64;
            for event in events.chunks_exact(2) {
                (of_type.listener)(total, &Hit { target: event[0], amount: event[1] });
                of_type.delivered += 1;
            }
            rest = behind;
        }
        self.words.clear();
        self.open = None;
    }
}

pub(super) fn events_of_many_types(count: usize) -> Runner {
    let types = black_box(vec![Type { listener: listen, sent: 0, delivered: 0 }; TYPES]);
    repeated(
        (Stream::default(), types, 0),
        move |(stream, types, total)| {
            for n in 0..count {
                (0..TYPES as u32).for_each(|event_type| stream.send(event_type, Hit::new(n)));
            }
            stream.deliver(types, total);
        },
        |(.., total)| *total,
    )
}
