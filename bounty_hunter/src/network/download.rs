//! States that are sent in pieces, because they do not fit into a datagram.

use std::rc::Rc;

use super::packet::{Offer, Piece, Received, secret_number};

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

/// The hash by which the two sides know that they mean the same bytes.
fn hash_of(bytes: &[u8]) -> u64 {
    secret_number(0, 6, bytes)
}

/// A state on its way to another peer.
pub(super) struct Upload {
    offer: Offer,
    bytes: Rc<[u8]>,
    /// When each piece was last sent; `None` for those that are not sent or have arrived long ago.
    sent: Vec<Option<u32>>,
}

impl Upload {
    pub(super) fn new(number: u32, tick: u64, bytes: Rc<[u8]>) -> Self {
        let sent = vec![None; bytes.len().div_ceil(PIECE)];
        let offer = Offer { number, tick, bytes: bytes.len() as u32, hash: hash_of(&bytes) };
        Self { offer, bytes, sent }
    }

    pub(super) fn offer(&self) -> Offer {
        self.offer
    }

    /// The next pieces, given what has arrived.
    pub(super) fn pieces(&mut self, received: Received, now: u32) -> Vec<Piece> {
        let whole = self.offer.hash;
        let received = if received.whole == whole { received } else { Received::default() };
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
            pieces.push(Piece { whole, index, bytes });
            if pieces.len() == PIECES_IN_A_STEP {
                break;
            }
        }
        pieces
    }
}

/// A state that arrives.
pub(super) struct Download {
    offer: Offer,
    bytes: Vec<u8>,
    has_arrived: Vec<bool>,
    is_whole: bool,
}

impl Download {
    /// Expects a state. Reserves its memory; `None` if that is more than a state has.
    pub(super) fn new(offer: Offer) -> Option<Self> {
        let count = (offer.bytes as usize).div_ceil(PIECE);
        let is_possible = (1..=MAX_STATE_BYTES).contains(&offer.bytes);
        is_possible.then(|| Self {
            offer,
            bytes: vec![0; offer.bytes as usize],
            has_arrived: vec![false; count],
            is_whole: false,
        })
    }

    pub(super) fn offer(&self) -> Offer {
        self.offer
    }

    /// Takes a piece; one that does not fit is dropped. If the whole is not what was offered, all pieces are expected
    /// again.
    pub(super) fn take(&mut self, piece: &Piece) {
        let begin = piece.index as usize * PIECE;
        let end = self.bytes.len().min(begin.saturating_add(PIECE));
        if piece.whole != self.offer.hash || begin >= end || piece.bytes.len() != end - begin || self.is_whole {
            return;
        }
        self.bytes[begin..end].copy_from_slice(&piece.bytes);
        self.has_arrived[piece.index as usize] = true;
        if self.has_arrived.iter().all(|arrived| *arrived) {
            self.is_whole = hash_of(&self.bytes) == self.offer.hash;
            self.has_arrived.fill(self.is_whole);
        }
    }

    pub(super) fn received(&self) -> Received {
        let missing = self.has_arrived.iter().position(|arrived| !arrived).unwrap_or(self.has_arrived.len());
        let after = self.has_arrived.iter().skip(missing + 1).take(WINDOW as usize);
        let beyond = after.enumerate().fold(0, |bits, (bit, arrived)| bits | u64::from(*arrived) << bit);
        Received { whole: self.offer.hash, missing: missing as u32, beyond }
    }

    /// The share that has arrived.
    pub(super) fn share(&self) -> f32 {
        self.has_arrived.iter().filter(|arrived| **arrived).count() as f32 / self.has_arrived.len().max(1) as f32
    }

    /// The whole, once all pieces have arrived.
    pub(super) fn whole(&self) -> Option<&[u8]> {
        self.is_whole.then_some(&self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends a state, as changed on the way; returns the number of pieces sent.
    fn sent_until_whole(bytes: &Rc<[u8]>, mut arrives: impl FnMut(usize, Piece) -> Option<Piece>) -> usize {
        let mut upload = Upload::new(1, 9, Rc::clone(bytes));
        let mut download = Download::new(upload.offer()).unwrap();
        let mut sent = 0;
        for now in 0..1_000 {
            for piece in upload.pieces(download.received(), now) {
                sent += 1;
                if let Some(piece) = arrives(sent, piece) {
                    download.take(&piece);
                }
            }
        }
        assert_eq!(download.whole(), Some(&bytes[..]));
        sent
    }

    #[test]
    fn state_arrives_although_every_third_piece_is_lost() {
        let bytes: Rc<[u8]> = (0..200_000_u32).map(|byte| (byte / 3) as u8).collect();
        let sent = sent_until_whole(&bytes, |sent, piece| (sent % 3 != 0).then_some(piece));
        assert!(sent < 400, "196 pieces in {sent} datagrams");
    }

    #[test]
    fn state_with_a_damaged_piece_arrives_again() {
        let bytes: Rc<[u8]> = (0..20_000_u32).map(|byte| (byte / 3) as u8).collect();
        let damage = |sent, mut piece: Piece| {
            piece.bytes[3] ^= u8::from(sent == 7);
            Some(piece)
        };
        assert_eq!(sent_until_whole(&bytes, damage), 40, "20 pieces, twice");
    }

    #[test]
    fn pieces_and_offers_of_an_enemy_are_dropped() {
        for bytes in [0, MAX_STATE_BYTES + 1, u32::MAX] {
            assert!(Download::new(Offer { number: 1, tick: 1, bytes, hash: 5 }).is_none());
        }
        let mut download = Download::new(Offer { number: 1, tick: 1, bytes: 1_500, hash: 5 }).unwrap();
        let piece = Piece { whole: 5, index: 1, bytes: vec![1; 476] };
        let bad = [
            Piece { whole: 6, ..piece.clone() },
            Piece { index: u32::MAX, ..piece.clone() },
            Piece { bytes: vec![1; 477], ..piece.clone() },
        ];
        bad.iter().for_each(|piece| download.take(piece));
        assert_eq!(download.received(), Received { whole: 5, missing: 0, beyond: 0 });
        download.take(&piece);
        assert_eq!(download.received(), Received { whole: 5, missing: 0, beyond: 1 });
        let mut upload = Upload::new(1, 9, Rc::from([1, 2, 3]));
        let strange = Received { whole: upload.offer().hash, missing: u32::MAX, beyond: u64::MAX };
        assert!(upload.pieces(strange, 0).is_empty());
    }
}
