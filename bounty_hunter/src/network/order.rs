//! The order of what one peer says to another, although datagrams overtake each other.

/// Steps of the own clock after which the newest word may have carried a wrong clock: then any other one counts.
const STEPS_TO_DOUBT: u32 = 60;

/// Steps of the own clock without a word after which a farewell counts.
const STEPS_TO_BELIEVE: u32 = 30;

/// The newest word of a peer, and whether it was the last.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Order {
    /// The clock of the peer in it, and the own clock when it arrived.
    newest: Option<(u32, u32)>,
    /// The own clock when the peer said that it goes.
    farewell: Option<u32>,
}

impl Order {
    /// Whether a word with this clock of the peer is newer than all before it; if so, it is the newest from now on.
    pub(super) fn advance(&mut self, time: u32, now: u32) -> bool {
        let is_newer = self.newest.is_none_or(|(newest, since)| {
            (1..u32::MAX / 2).contains(&time.wrapping_sub(newest)) || now.wrapping_sub(since) > STEPS_TO_DOUBT
        });
        if is_newer {
            self.newest = Some((time, now));
            // What arrives just after a farewell was sent before it.
            self.farewell = self.farewell.filter(|since| now.wrapping_sub(*since) <= STEPS_TO_DOUBT);
        }
        is_newer
    }

    /// The clock of the peer in its newest word; 0 before the first one.
    pub(super) fn time(&self) -> u32 {
        self.newest.map_or(0, |(time, _)| time)
    }

    /// Takes a farewell of the peer, which may be forged.
    pub(super) fn say_farewell(&mut self, now: u32) {
        self.farewell = self.farewell.or(Some(now));
    }

    /// Whether the peer has said that it goes, and nothing since.
    pub(super) fn has_left(&self, now: u32) -> bool {
        let is_past = |since: u32| now.wrapping_sub(since) > STEPS_TO_BELIEVE;
        self.farewell.is_some_and(is_past) && self.newest.is_none_or(|(_, since)| is_past(since))
    }

    pub(super) fn forget_farewell(&mut self) {
        self.farewell = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_words_are_dropped_and_an_absurd_clock_counts_for_a_second() {
        let mut order = Order::default();
        assert_eq!([5, 8, 6, 8, 9].map(|time| order.advance(time, 1)), [true, true, false, false, true]);
        assert_eq!(order.time(), 9);
        assert!(order.advance(1 << 30, 2));
        let later = [(12, 3), (69, 60), (72, 63), (75, 64)];
        assert_eq!(later.map(|(time, now)| order.advance(time, now)), [false, false, true, true]);
        let mut order = Order::default();
        assert!(order.advance(u32::MAX, 1) && order.advance(3, 2), "a clock begins again at 0 after its last number");
    }

    #[test]
    fn farewell_counts_only_if_nothing_follows() {
        let mut order = Order::default();
        order.advance(1, 1);
        order.say_farewell(2);
        // One that was on its way.
        order.advance(3, 5);
        assert_eq!([30, 35, 36].map(|now| order.has_left(now)), [false, false, true]);
        let mut forged = Order::default();
        forged.say_farewell(2);
        (1..100).for_each(|now| assert!(forged.advance(now, now) && !forged.has_left(now)));
        assert!(!forged.has_left(200), "a silence much later is something else");
    }
}
