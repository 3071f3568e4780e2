//! The socket of a session of `ggrs`: it leaves messages here, and finds those of other peers.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use ggrs::{Message, NonBlockingSocket};

use super::ggrs_message::{Outgoing, read, sync_reply};

/// What a session has to tell one other peer. It is sent in every step until it is acknowledged.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Letter {
    /// The frame of the first input.
    pub(super) start: i32,
    /// Compressed inputs.
    pub(super) bytes: Vec<u8>,
    /// The last frame received plus 1; 0 for none.
    pub(super) received: i32,
}

/// The messages of a session on their way.
#[derive(Default)]
pub(super) struct Mailbox {
    incoming: Vec<(u8, Message)>,
    outgoing: BTreeMap<u8, Letter>,
}

impl Mailbox {
    /// Adds a message of the member `from`.
    pub(super) fn put(&mut self, from: u8, message: Message) {
        self.incoming.push((from, message));
    }

    /// What the session has to tell each peer.
    pub(super) fn letters(&self) -> impl Iterator<Item = (u8, &Letter)> {
        self.outgoing.iter().map(|(to, letter)| (*to, letter))
    }
}

/// The end of a [`Mailbox`] that a session holds.
pub(super) struct Socket(pub(super) Rc<RefCell<Mailbox>>);

impl NonBlockingSocket<u8> for Socket {
    fn send_to(&mut self, message: &Message, to: &u8) {
        let mut mailbox = self.0.borrow_mut();
        match read(message) {
            Outgoing::SyncRequest(random) => mailbox.put(*to, sync_reply(random)),
            Outgoing::Inputs { start, ack, bytes } => {
                let letter = mailbox.outgoing.entry(*to).or_default();
                (letter.start, letter.bytes) = (start, bytes);
                letter.received = letter.received.max(ack + 1);
            }
            Outgoing::Ack(ack) => {
                let letter = mailbox.outgoing.entry(*to).or_default();
                letter.received = letter.received.max(ack + 1);
            }
            Outgoing::Other => {}
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(u8, Message)> {
        std::mem::take(&mut self.0.borrow_mut().incoming)
    }
}
