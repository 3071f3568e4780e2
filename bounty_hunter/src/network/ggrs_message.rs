//! The messages of `ggrs`, whose content it does not show: this form has the same bytes.
//!
//! Only inputs and their acknowledgements go over the network, as a [`Frames`](super::packet::Frames). From those a peer makes the
//! messages for its own session, with nothing in them that the sender could have forged to harm it.

use ggrs::Message;
use serde::{Deserialize, Serialize};

use super::net_input::NetInput;

/// The mark in the messages of every remote peer.
const MAGIC: u16 = 1;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Connection {
    disconnected: bool,
    last_frame: i32,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Body {
    SyncRequest(u32),
    SyncReply(u32),
    Input { connections: Vec<Connection>, disconnect_requested: bool, start: i32, ack: i32, bytes: Vec<u8> },
    InputAck(i32),
    QualityReport(i16, u128),
    QualityReply(u128),
    ChecksumReport(u128, i32),
    KeepAlive,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Form {
    magic: u16,
    body: Body,
}

/// A message of the own session.
#[derive(Debug, PartialEq)]
pub(super) enum Outgoing {
    /// A question of the handshake, with a random number.
    SyncRequest(u32),
    /// Compressed inputs of the frames from `start` on; `ack` is the last frame received, −1 for none.
    Inputs { start: i32, ack: i32, bytes: Vec<u8> },
    /// The last frame received.
    Ack(i32),
    /// Anything else, which is not sent.
    Other,
}

/// Reads a message of the own session.
pub(super) fn read(message: &Message) -> Outgoing {
    let bytes = postcard::to_allocvec(message).expect("messages hold numbers and bytes only");
    match postcard::from_bytes(&bytes) {
        Ok(Form { body: Body::SyncRequest(random), .. }) => Outgoing::SyncRequest(random),
        Ok(Form { body: Body::Input { start, ack, bytes, .. }, .. }) => Outgoing::Inputs { start, ack, bytes },
        Ok(Form { body: Body::InputAck(ack), .. }) => Outgoing::Ack(ack),
        _ => Outgoing::Other,
    }
}

/// The answer to a question of the handshake. Peers know each other before a session begins, so each answers itself.
pub(super) fn sync_reply(random: u32) -> Message {
    write(Body::SyncReply(random))
}

/// Inputs of another peer, for a session of `players`.
pub(super) fn inputs(players: usize, start: i32, ack: i32, bytes: Vec<u8>) -> Message {
    let connections = (0..players).map(|_| Connection { disconnected: false, last_frame: -1 }).collect();
    write(Body::Input { connections, disconnect_requested: false, start, ack, bytes })
}

/// The acknowledgement of another peer.
pub(super) fn ack(frame: i32) -> Message {
    write(Body::InputAck(frame))
}

fn write(body: Body) -> Message {
    let bytes = postcard::to_allocvec(&Form { magic: MAGIC, body }).expect("messages hold numbers and bytes only");
    postcard::from_bytes(&bytes).expect("the form has the bytes of this version of ggrs, which Cargo.toml fixes")
}

/// The most frames that compressed inputs hold; `None` if they cannot be decompressed. Each frame has a length of 2 bytes and an
/// input.
///
/// The compression is a sequence of runs: a number, whose lowest bit tells repeated bytes (its other bits, without the second, are
/// how many) from literal ones (its other bits are how many; they follow).
pub(super) fn most_frames(bytes: &[u8]) -> Option<usize> {
    /// Far more than 128 frames.
    const MOST_DECODED: usize = 4_096;
    let (mut at, mut decoded) = (0, 0_usize);
    while at < bytes.len() {
        let mut number = 0_usize;
        let mut shift = 0;
        loop {
            let byte = *bytes.get(at)?;
            at += 1;
            number |= usize::from(byte & 127) << shift;
            shift += 7;
            match byte & 128 {
                0 => break,
                _ if shift > 14 => return None,
                _ => {}
            }
        }
        let run = if number & 1 == 1 { number >> 2 } else { number >> 1 };
        decoded += run;
        if number & 1 == 0 {
            at += run;
        }
        if decoded > MOST_DECODED {
            return None;
        }
    }
    (at == bytes.len()).then_some(decoded / (2 + NetInput::BYTES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_has_the_bytes_of_the_message() {
        let written = inputs(2, 5, 3, vec![1, 2, 3]);
        assert_eq!(read(&written), Outgoing::Inputs { start: 5, ack: 3, bytes: vec![1, 2, 3] });
        assert_eq!(
            format!("{written:?}"),
            "Message { header: MessageHeader { magic: 1 }, body: Input(Input { peer_connect_status: [ConnectionStatus \
             { disconnected: false, last_frame: -1 }, ConnectionStatus { disconnected: false, last_frame: -1 }], \
             disconnect_requested: false, start_frame: 5, ack_frame: 3, bytes: 0x010203 }) }"
        );
        assert_eq!(read(&ack(7)), Outgoing::Ack(7));
        assert!(format!("{:?}", sync_reply(9)).contains("SyncReply(SyncReply { random_reply: 9 })"));
    }

    #[test]
    fn runs_that_end_early_or_decode_to_much_are_refused() {
        for bytes in
            [&[0x80][..], &[0xff, 0xff, 0xff, 0xff, 0x7f], &[0x04, 1], &[0x81, 0x80, 0x04], &[0xfd, 0xff, 0x7f]]
        {
            assert_eq!(most_frames(bytes), None, "{bytes:?}");
        }
        // Two frames: 12 literal bytes; 48 repeated ones are eight frames.
        assert_eq!(most_frames(&[24, 4, 0, 1, 2, 3, 4, 4, 0, 1, 2, 3, 4]), Some(2));
        assert_eq!(most_frames(&[0xc1, 0x01]), Some(8));
        assert_eq!(most_frames(&[]), Some(0));
    }
}
