//! States that are sent in pieces, because they do not fit into a datagram.

use std::rc::Rc;

use super::packet::{Offer, Piece, Received};

/// The bytes of a piece.
const PIECE: usize = 1_024;
/// The most bytes of a state; that of the largest match over a network has less than half.
const MAX_STATE_BYTES: u32 = 2 << 20;
/// Pieces that are sent in a step, which makes 360 kB/s.
const PIECES_IN_A_STEP: usize = 6;
/// Steps after which a piece without an answer is sent again.
const STEPS_TO_REPEAT: u32 = 20;
/// The pieces after the first missing one that a [`Received`] tells about.
const WINDOW: u32 = 64;

/// A state on its way to a member.
pub(super) struct Upload {
    number: u32,
    pub(super) tick: u64,
    bytes: Rc<[u8]>,
    /// When each piece was last sent; `None` for those that are not sent or have arrived long ago.
    sent: Vec<Option<u32>>,
}

impl Upload {
    pub(super) fn new(number: u32, tick: u64, bytes: Rc<[u8]>) -> Self {
        let sent = vec![None; bytes.len().div_ceil(PIECE)];
        Self { number, tick, bytes, sent }
    }

    /// The number of its offer.
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    pub(super) fn offer(&self) -> Offer {
        Offer { number: self.number, tick: self.tick, bytes: self.bytes.len() as u32 }
    }

    /// The next pieces, given what has arrived.
    pub(super) fn pieces(&mut self, key: u64, received: Received, now: u32) -> Vec<Piece> {
        let received = if received.tick == self.tick { received } else { Received::default() };
        let mut pieces = Vec::new();
        for ahead in 0..=WINDOW {
            let index = received.missing.saturating_add(ahead);
            let has_arrived = ahead > 0 && received.beyond & 1 << (ahead - 1) != 0;
            let Some(sent) = self.sent.get_mut(index as usize).filter(|_| !has_arrived) else { continue };
            if sent.is_some_and(|sent| now.wrapping_sub(sent) < STEPS_TO_REPEAT) {
                continue;
            }
            *sent = Some(now);
            let begin = index as usize * PIECE;
            let bytes = self.bytes[begin..self.bytes.len().min(begin + PIECE)].to_vec();
            pieces.push(Piece { key, tick: self.tick, whole: self.bytes.len() as u32, index, bytes });
            if pieces.len() == PIECES_IN_A_STEP {
                break;
            }
        }
        pieces
    }
}

/// A state that arrives.
#[derive(Default)]
pub(super) struct Download {
    number: u32,
    tick: u64,
    bytes: Vec<u8>,
    has_arrived: Vec<bool>,
}

impl Download {
    /// Expects a state. Reserves its memory; `None` if that is more than a state has.
    pub(super) fn new(offer: Offer) -> Option<Self> {
        let count = (offer.bytes as usize).div_ceil(PIECE);
        let is_possible = (1..=MAX_STATE_BYTES).contains(&offer.bytes);
        is_possible.then(|| Self {
            number: offer.number,
            tick: offer.tick,
            bytes: vec![0; offer.bytes as usize],
            has_arrived: vec![false; count],
        })
    }

    /// The number of the offer.
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    pub(super) fn tick(&self) -> u64 {
        self.tick
    }

    /// Takes a piece; one that does not fit is dropped.
    pub(super) fn take(&mut self, piece: &Piece) {
        let begin = piece.index as usize * PIECE;
        let end = self.bytes.len().min(begin.saturating_add(PIECE));
        if piece.tick != self.tick || piece.whole as usize != self.bytes.len() || begin >= end {
            return;
        }
        if piece.bytes.len() == end - begin {
            self.bytes[begin..end].copy_from_slice(&piece.bytes);
            self.has_arrived[piece.index as usize] = true;
        }
    }

    pub(super) fn received(&self) -> Received {
        let missing = self.has_arrived.iter().position(|arrived| !arrived).unwrap_or(self.has_arrived.len());
        let after = self.has_arrived.iter().skip(missing + 1).take(WINDOW as usize);
        let beyond = after.enumerate().fold(0, |bits, (bit, arrived)| bits | u64::from(*arrived) << bit);
        Received { tick: self.tick, missing: missing as u32, beyond }
    }

    /// The share that has arrived.
    pub(super) fn share(&self) -> f32 {
        self.has_arrived.iter().filter(|arrived| **arrived).count() as f32 / self.has_arrived.len().max(1) as f32
    }

    /// The whole, once all pieces have arrived.
    pub(super) fn whole(&self) -> Option<&[u8]> {
        self.has_arrived.iter().all(|arrived| *arrived).then_some(&self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_arrives_although_every_third_piece_is_lost() {
        let bytes: Rc<[u8]> = (0..200_000_u32).map(|byte| (byte / 3) as u8).collect();
        let mut upload = Upload::new(1, 9, Rc::clone(&bytes));
        let mut download = Download::new(upload.offer()).unwrap();
        let mut sent = 0;
        for now in 0..1_000 {
            for piece in upload.pieces(1, download.received(), now) {
                sent += 1;
                if sent % 3 != 0 {
                    download.take(&piece);
                }
            }
        }
        assert_eq!(download.whole(), Some(&bytes[..]));
        assert!(sent < 400, "196 pieces in {sent} datagrams");
    }

    #[test]
    fn pieces_and_offers_of_an_enemy_are_dropped() {
        for bytes in [0, MAX_STATE_BYTES + 1, u32::MAX] {
            assert!(Download::new(Offer { number: 1, tick: 1, bytes }).is_none());
        }
        let mut download = Download::new(Offer { number: 1, tick: 1, bytes: 1_500 }).unwrap();
        let piece = Piece { key: 0, tick: 1, whole: 1_500, index: 1, bytes: vec![1; 476] };
        let bad = [
            Piece { tick: 2, ..piece.clone() },
            Piece { whole: 1_501, ..piece.clone() },
            Piece { index: u32::MAX, ..piece.clone() },
            Piece { bytes: vec![1; 477], ..piece.clone() },
        ];
        bad.iter().for_each(|piece| download.take(piece));
        assert_eq!(download.received(), Received { tick: 1, missing: 0, beyond: 0 });
        download.take(&piece);
        assert_eq!(download.received(), Received { tick: 1, missing: 0, beyond: 1 });
        let strange = Received { tick: 9, missing: u32::MAX, beyond: u64::MAX };
        assert!(Upload::new(1, 9, Rc::from([1, 2, 3])).pieces(1, strange, 0).is_empty());
    }
}
