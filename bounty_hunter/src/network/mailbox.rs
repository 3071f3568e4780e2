//! The socket of a session of `ggrs`: it finds the messages of other peers here. Its own are not sent: see
//! [`Frames`](super::packet::Frames).

use std::cell::RefCell;
use std::rc::Rc;

use ggrs::{Message, NonBlockingSocket};

use super::ggrs_message::{sync_reply, sync_request};

/// The messages for a session, each with its sender.
pub(super) type Mailbox = Rc<RefCell<Vec<(u8, Message)>>>;

/// The end of a [`Mailbox`] that a session holds.
pub(super) struct Socket(pub(super) Mailbox);

impl NonBlockingSocket<u8> for Socket {
    fn send_to(&mut self, message: &Message, to: &u8) {
        if let Some(random) = sync_request(message) {
            self.0.borrow_mut().push((*to, sync_reply(random)));
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(u8, Message)> {
        std::mem::take(&mut self.0.borrow_mut())
    }
}
