//! Matches whose numbers are within their limits: the bytes choose the numbers.

use crate::within_limits::play_within_limits;

/// Seeds: bytes of every kind of number.
#[must_use]
pub fn limit_seeds() -> Vec<Vec<u8>> {
    (1..=8_u32).map(|seed| (0..1_024_u32).map(|index| ((index * seed * 40_503) >> 7) as u8).collect()).collect()
}

/// A match whose numbers are drawn by the bytes is refused in a sentence, or can be played and saved.
///
/// # Panics
/// If the check fails.
pub fn check_limits(bytes: &[u8]) {
    let mut pairs = bytes.chunks_exact(2);
    play_within_limits(&mut || {
        pairs.next().map_or(0.5, |pair| f32::from(u16::from_le_bytes([pair[0], pair[1]])) / 65_536.0)
    });
}
