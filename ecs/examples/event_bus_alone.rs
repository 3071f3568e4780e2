//! The event bus and its arena without an engine: a parser sends what it reads, and listeners count it. No entities, no
//! frames.
//!
//! `cargo run -p lockstep_ecs --example event_bus_alone`

use ecs::event::{EventBus, FrameArena, Outbox};
use ecs::system::CascadeError;

#[derive(Clone, Copy)]
struct Word {
    letters: usize,
}

#[derive(Clone, Copy)]
struct LineEnded {
    line: usize,
}

/// A line had more than three words.
#[derive(Clone, Copy)]
struct LongLine {
    line: usize,
}

/// What the listeners share.
#[derive(Default)]
struct Statistics {
    words_in_line: usize,
    letters: usize,
    long_lines: Vec<usize>,
}

fn bus() -> EventBus<Statistics> {
    let mut bus = EventBus::new();
    bus.listen(|statistics: &mut Statistics, word: &Word, _: &mut Outbox| {
        statistics.words_in_line += 1;
        statistics.letters += word.letters;
    });
    bus.listen(|statistics: &mut Statistics, end: &LineEnded, outbox: &mut Outbox| {
        if std::mem::take(&mut statistics.words_in_line) > 3 {
            outbox.send(LongLine { line: end.line });
        }
    });
    bus.listen(|statistics: &mut Statistics, long: &LongLine, _: &mut Outbox| statistics.long_lines.push(long.line));
    bus
}

pub(crate) fn main() -> Result<(), CascadeError> {
    let text = "the quick brown fox\njumps over\nthe very lazy old dog";
    let mut bus = bus();
    let mut statistics = Statistics::default();
    for (line, words) in text.lines().enumerate() {
        for word in words.split(' ') {
            bus.send(Word { letters: word.len() });
        }
        bus.send(LineEnded { line });
    }
    // Fourteen events from here, and two that listeners sent.
    assert_eq!(bus.dispatch(&mut statistics)?, 16);
    println!("{} letters, long lines: {:?}", statistics.letters, statistics.long_lines);
    assert_eq!((statistics.letters, statistics.long_lines), (42, vec![0, 2]));
    assert_eq!(bus.counters::<Word>().unwrap().sent, 11);

    // An endless exchange of events is an error that names its cycle.
    let mut echo = EventBus::<()>::with_rounds(10);
    echo.listen(|(): &mut (), word: &Word, outbox: &mut Outbox| outbox.send(*word));
    echo.send(Word { letters: 1 });
    let endless = echo.dispatch(&mut ()).unwrap_err();
    println!("{endless}");
    assert_eq!(endless.cycle, ["Word"]);

    // The arena alone: values of any `Copy` types, freed in one step. From the second frame on it allocates nothing.
    let mut arena = FrameArena::new();
    for frame in 0..3_usize {
        for word in text.split_whitespace() {
            arena.store(word);
            arena.store(word.len() + frame);
        }
        assert_eq!(arena.iter::<&str>().next(), Some(&"the"));
        assert_eq!(arena.iter::<usize>().sum::<usize>(), 42 + 11 * frame);
        arena.clear();
    }
    Ok(())
}
