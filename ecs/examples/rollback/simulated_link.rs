//! A line that delays messages, loses each seventh, and can be cut, in place of a network.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use ggrs::{Message, NonBlockingSocket};

/// Frames of a message on its way.
const DELAY: u64 = 4;

#[derive(Default)]
pub(crate) struct Wire {
    pub(crate) frame: u64,
    sent: u64,
    pub(crate) loses: bool,
    pub(crate) is_cut: bool,
    /// By receiver: when a message arrives, its sender, and itself.
    on_their_way: [VecDeque<(u64, usize, Message)>; 2],
}

pub(crate) struct Line {
    pub(crate) own: usize,
    pub(crate) wire: Rc<RefCell<Wire>>,
}

impl NonBlockingSocket<usize> for Line {
    fn send_to(&mut self, message: &Message, to: &usize) {
        let mut wire = self.wire.borrow_mut();
        wire.sent += 1;
        let is_lost = wire.is_cut || wire.loses && wire.sent.is_multiple_of(7);
        let arrival = wire.frame + DELAY;
        if !is_lost {
            wire.on_their_way[*to].push_back((arrival, self.own, message.clone()));
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(usize, Message)> {
        let mut wire = self.wire.borrow_mut();
        let now = wire.frame;
        let count = wire.on_their_way[self.own].partition_point(|(arrival, ..)| *arrival <= now);
        wire.on_their_way[self.own].drain(..count).map(|(_, from, message)| (from, message)).collect()
    }
}
