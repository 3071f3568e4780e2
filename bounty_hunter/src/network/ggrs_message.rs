//! The messages of `ggrs`, whose content it does not show: this form has the same bytes.
//!
//! Only inputs and their acknowledgements go over the network, as a [`Frames`](super::packet::Frames). From those a
//! peer makes the messages for its own session, with nothing in them that the sender could have forged to harm it. The
//! inputs in a message are each a length and the bits that differ from the input before; then runs of equal bytes are
//! shortened, of which one run of different bytes is enough.

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

/// The random number of a message that is a question of the handshake.
pub(super) fn sync_request(message: &Message) -> Option<u32> {
    let bytes = postcard::to_allocvec(message).expect("messages hold numbers and bytes only");
    match postcard::from_bytes(&bytes) {
        Ok(Form { body: Body::SyncRequest(random), .. }) => Some(random),
        _ => None,
    }
}

/// The answer to a question of the handshake. Peers know each other before a session begins, so each answers itself.
pub(super) fn sync_reply(random: u32) -> Message {
    write(Body::SyncReply(random))
}

/// Inputs of another peer from the frame `start` on, for a session of `players`; `before` is its input in the frame
/// before.
pub(super) fn inputs(players: usize, start: i32, ack: i32, before: NetInput, inputs: &[NetInput]) -> Message {
    let connections = (0..players).map(|_| Connection { disconnected: false, last_frame: -1 }).collect();
    let mut before = before.to_bytes();
    let mut content = Vec::new();
    for input in inputs.iter().map(|input| input.to_bytes()) {
        content.extend((input.len() as u16).to_le_bytes());
        content.extend(input.iter().zip(before).map(|(byte, before)| byte ^ before));
        before = input;
    }
    // One run of literal bytes.
    let mut bytes = Vec::new();
    let mut number = content.len() << 1;
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes.extend(content);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_has_the_bytes_of_the_message() {
        let input = NetInput::default().pausing();
        let written = inputs(2, 5, 3, NetInput::default(), &[input, input]);
        assert_eq!(
            format!("{written:?}"),
            "Message { header: MessageHeader { magic: 1 }, body: Input(Input { peer_connect_status: [ConnectionStatus \
             { disconnected: false, last_frame: -1 }, ConnectionStatus { disconnected: false, last_frame: -1 }], \
             disconnect_requested: false, start_frame: 5, ack_frame: 3, bytes: 0x18040000000001040000000000 }) }"
        );
        assert!(format!("{:?}", ack(7)).contains("InputAck(InputAck { ack_frame: 7 })"));
        assert!(format!("{:?}", sync_reply(9)).contains("SyncReply(SyncReply { random_reply: 9 })"));
        assert_eq!(sync_request(&write(Body::SyncRequest(4))), Some(4));
        assert_eq!(sync_request(&ack(4)), None);
    }
}
