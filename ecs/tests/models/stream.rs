//! Events of every size and alignment, compared with a plain list: events of any number, in any order, arrive
//! unchanged, also at the ends of chunks.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ecs::{Engine, Res, ResMut, Sender, Setup, System, event::EventCounters};
use proptest::prelude::*;

/// Zero-sized.
#[derive(Clone, Copy)]
struct Nothing;
/// Smaller than the alignment of a header.
#[derive(Clone, Copy)]
struct Byte(u8);
#[derive(Clone, Copy)]
struct Three([u8; 3]);
#[derive(Clone, Copy)]
struct Word(u64);
/// Aligned more strictly than chunks.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line(u8);
/// Larger than the first chunk of a buffer.
#[derive(Clone, Copy)]
struct Page([u16; 700]);

/// Events to send: type, count and a number.
struct Letters(Vec<(usize, usize, u8)>);
#[derive(Default)]
struct Received(Vec<(usize, u8)>);

struct Post;

impl System for Post {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::send);
    }
}

impl Post {
    #[allow(clippy::too_many_arguments)]
    fn send(
        &mut self,
        letters: Res<Letters>,
        mut nothing: Sender<Nothing>,
        mut byte: Sender<Byte>,
        mut three: Sender<Three>,
        mut word: Sender<Word>,
        mut line: Sender<Line>,
        mut page: Sender<Page>,
    ) {
        for (kind, count, number) in &letters.0 {
            for _ in 0..*count {
                match kind {
                    0 => nothing.send(Nothing),
                    1 => byte.send(Byte(*number)),
                    2 => three.send(Three([*number; 3])),
                    3 => word.send(Word(u64::from(*number) << 40)),
                    4 => line.send(Line(*number)),
                    _ => page.send(Page([u16::from(*number); 700])),
                }
            }
        }
    }
}

/// If fragile, panics after some of the bytes and words.
#[derive(Default)]
struct Reader {
    is_fragile: bool,
}

impl System for Reader {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_nothing).listen(Self::on_byte).listen(Self::on_three);
        setup.listen(Self::on_word).listen(Self::on_line).listen(Self::on_page);
    }
}

impl Reader {
    fn on_nothing(&mut self, _: &Nothing, mut received: ResMut<Received>) {
        received.0.push((0, 0));
    }

    fn on_byte(&mut self, event: &Byte, mut received: ResMut<Received>) {
        received.0.push((1, event.0));
        assert!(!self.is_fragile || !event.0.is_multiple_of(8), "the reader is fragile");
    }

    fn on_three(&mut self, event: &Three, mut received: ResMut<Received>) {
        assert!(event.0.iter().all(|byte| *byte == event.0[0]));
        received.0.push((2, event.0[0]));
    }

    fn on_word(&mut self, event: &Word, mut received: ResMut<Received>) {
        received.0.push((3, (event.0 >> 40) as u8));
        assert!(!self.is_fragile || !(event.0 >> 40).is_multiple_of(8), "the reader is fragile");
    }

    fn on_line(&mut self, event: &Line, mut received: ResMut<Received>) {
        assert_eq!(std::ptr::from_ref(event).addr() % 64, 0);
        received.0.push((4, event.0));
    }

    fn on_page(&mut self, event: &Page, mut received: ResMut<Received>) {
        assert!(event.0.iter().all(|number| *number == event.0[0]));
        received.0.push((5, event.0[0] as u8));
    }
}

/// Mostly small counts, so the type changes often.
fn letters() -> impl Strategy<Value = Vec<(usize, usize, u8)>> {
    let count = prop_oneof![8 => 1..3_usize, 1 => 200..2_000_usize];
    prop::collection::vec((0..6_usize, count, any::<u8>()), 0..60)
}

/// The values that listeners log for these letters.
fn read(letters: &[(usize, usize, u8)]) -> Vec<(usize, u8)> {
    let each = |(kind, count, number): &(usize, usize, u8)| {
        std::iter::repeat_n((*kind, if *kind == 0 { 0 } else { *number }), *count)
    };
    letters.iter().flat_map(each).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn events_of_every_size_arrive_unchanged_and_in_order(frames in prop::collection::vec(letters(), 1..4)) {
        let mut engine = Engine::new();
        engine.insert_resource(Received::default());
        engine.insert_resource(Letters(Vec::new()));
        engine.add(Post).unwrap().add(Reader::default()).unwrap();
        let mut bytes = 0;
        for letters in frames {
            let expected = read(&letters);
            let sizes = [0, 1, 3, 8, 64, 1_400];
            bytes += expected.iter().map(|(kind, _)| sizes[*kind]).sum::<u64>();
            engine.resource_mut::<Letters>().unwrap().0 = letters;
            engine.update(Duration::from_millis(1)).unwrap();
            let received = std::mem::take(&mut engine.resource_mut::<Received>().unwrap().0);
            prop_assert_eq!(received, expected);
            prop_assert_eq!(engine.events().waiting(), 0);
            prop_assert_eq!(engine.events().iter().map(|(_, counters)| counters.bytes).sum::<u64>(), bytes);
        }
    }

    #[test]
    fn events_are_delivered_once_and_in_order_if_the_listener_panics(
        letters in prop::collection::vec((0..6_usize, 1..4_usize, any::<u8>()), 0..60),
    ) {
        let mut engine = Engine::new();
        engine.insert_resource(Received::default());
        let expected = read(&letters);
        engine.insert_resource(Letters(letters));
        engine.add(Post).unwrap().add(Reader { is_fragile: true }).unwrap();
        let mut panics = 0;
        while catch_unwind(AssertUnwindSafe(|| engine.update(Duration::from_millis(1)).unwrap())).is_err() {
            panics += 1;
            engine.resource_mut::<Letters>().unwrap().0.clear();
        }
        let is_fatal = |(kind, number): &&(usize, u8)| [1, 3].contains(kind) && number % 8 == 0;
        prop_assert_eq!(panics, expected.iter().filter(is_fatal).count());
        prop_assert_eq!(&engine.resource::<Received>().unwrap().0, &expected);
        let counted = |count: fn(&EventCounters) -> u64| engine.events().iter().map(|(_, of)| count(&of)).sum::<u64>();
        prop_assert_eq!(counted(|of| of.sent), expected.len() as u64);
        prop_assert_eq!(counted(|of| of.delivered), expected.len() as u64);
    }
}
