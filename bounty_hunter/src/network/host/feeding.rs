//! What members need to follow the match: a saved state in pieces, and the inputs of confirmed steps.

use std::rc::Rc;

use super::{Host, STEPS_FROM_THE_START};
use crate::network::download::Upload;
use crate::network::packet::{Feed, Packet};

/// A saved state is sent to all that join within this many steps.
const STEPS_TO_SHARE_A_STATE: u64 = 300;
/// The bytes of inputs in a datagram for those that watch.
const FEED_BYTES: usize = 1_000;

/// Pieces are sent only to a member that has answered within this time, so that a silent one costs little.
const STEPS_TO_ANSWER: u32 = 60;
/// Steps between two datagrams with inputs.
const STEPS_BETWEEN_FEEDS: u32 = 2;

impl Host {
    /// Sends each member that does not take part in the round what it needs next.
    pub(super) fn feed_members(&mut self) {
        let (Some(timeline), Some(round)) = (&mut self.timeline, &self.round) else { return };
        let confirmed = timeline.confirmed();
        for member in self.members.iter_mut().filter(|member| member.is_here) {
            let Some(status) = &member.status else { continue };
            // It is still to send the state that differs.
            if member.deviation.is_some() {
                continue;
            }
            if let Some(upload) = &mut member.upload {
                if status.loaded != upload.offer().number {
                    if self.clock.wrapping_sub(member.heard) > STEPS_TO_ANSWER {
                        continue;
                    }
                    for piece in upload.pieces(status.received.unwrap_or_default(), self.clock) {
                        self.transport.send(member.address, &Packet::Piece(piece).to_bytes(member.token));
                    }
                    continue;
                }
                (member.upload, member.must_reload) = (None, false);
            }
            let plays = status.round == round.number && round.seated.iter().any(|seated| seated.member == member.id);
            if plays && !member.must_reload {
                continue;
            }
            let needs_state = match status.confirmed {
                None => confirmed > STEPS_FROM_THE_START,
                Some(tick) => tick < confirmed && timeline.inputs_after(tick).is_none(),
            };
            if needs_state || member.must_reload {
                let is_old = |(tick, _): &(u64, Rc<[u8]>)| *tick + STEPS_TO_SHARE_A_STATE < confirmed;
                if self.saved.as_ref().is_none_or(is_old) {
                    self.saved = Some((confirmed, timeline.save_confirmed().into()));
                }
                if let Some((tick, bytes)) = &self.saved {
                    self.offers += 1;
                    member.upload = Some(Upload::new(self.offers, *tick, Rc::clone(bytes)));
                }
                continue;
            }
            let Some(after) = status.confirmed.filter(|_| self.clock.is_multiple_of(STEPS_BETWEEN_FEEDS)) else {
                continue;
            };
            let Some(inputs) = timeline.inputs_after(after) else { continue };
            let mut bytes = 0;
            let fitting = inputs.take_while(|inputs| {
                bytes += postcard::experimental::serialized_size(inputs).unwrap_or(FEED_BYTES);
                bytes <= FEED_BYTES
            });
            let feed = Feed { after, inputs: fitting.cloned().collect() };
            if !feed.inputs.is_empty() {
                self.transport.send(member.address, &Packet::Feed(feed).to_bytes(member.token));
            }
        }
    }
}
