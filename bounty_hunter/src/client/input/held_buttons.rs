//! Events of gamepads from the buttons that a page of a browser says are held.

use super::pad_button::{MAX_PADS, PadButton, PadEvent};

/// The buttons that were held in the last frame, a bit for each.
#[derive(Debug, Default)]
pub(super) struct HeldButtons([u32; MAX_PADS]);

impl HeldButtons {
    /// Adds the events of a person since the last call.
    pub(super) fn take(&mut self, person: usize, held: u32, events: &mut Vec<PadEvent>) {
        let before = std::mem::replace(&mut self.0[person], held);
        for (bit, button) in PadButton::ALL.into_iter().enumerate() {
            if (held ^ before) >> bit & 1 == 1 {
                events.push(PadEvent { person, button, is_down: held >> bit & 1 == 1 });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_of_a_bit_is_one_event() {
        let mut pads = HeldButtons::default();
        let mut events = Vec::new();
        for (person, held) in [(0, 0b1), (0, 0b1), (1, 1 << 10), (0, 0b10), (0, 0)] {
            pads.take(person, held, &mut events);
        }
        let seen: Vec<_> = events.iter().map(|event| (event.person, event.button, event.is_down)).collect();
        let expected = [
            (0, PadButton::Up, true),
            (1, PadButton::Start, true),
            (0, PadButton::Up, false),
            (0, PadButton::Down, true),
            (0, PadButton::Down, false),
        ];
        assert_eq!(seen, expected);
    }
}
