//! Mutation of parts of the bytes, by means of the fuzzer.

use crate::Basic;

/// A generator of random numbers.
pub(crate) struct Choice(u64);

impl Choice {
    pub(crate) fn new(seed: u32) -> Self {
        let mut choice = Self(u64::from(seed) ^ 0x9E37_79B9_7F4A_7C15);
        choice.below(2);
        choice
    }

    /// A number below `end`; 0 if `end` is 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Mutates one part, which may grow by `room`.
pub(crate) fn change_bytes(part: &mut Vec<u8>, room: usize, basic: Basic<'_>) {
    let size = part.len();
    if size == 0 {
        return;
    }
    part.resize(size + room.min(64 + size), 0);
    let changed = basic(part, size);
    part.truncate(changed);
}

/// Replaces all bytes by `whole` and returns its size. If it does not fit, mutates the bytes instead.
pub(crate) fn put(whole: &[u8], bytes: &mut [u8], size: usize, basic: Basic<'_>) -> usize {
    match bytes.get_mut(..whole.len()) {
        Some(place) => {
            place.copy_from_slice(whole);
            whole.len()
        }
        None => basic(bytes, size),
    }
}

/// Mutates one part; sometimes removes, copies or swaps parts.
pub(crate) fn change_parts(parts: &mut Vec<Vec<u8>>, choice: &mut Choice, room: usize, basic: Basic<'_>) {
    if parts.is_empty() {
        return;
    }
    let (at, other) = (choice.below(parts.len()), choice.below(parts.len()));
    match choice.below(24) {
        0 => _ = parts.remove(at),
        1 => parts.insert(other, parts[at].clone()),
        2 => parts.swap(at, other),
        _ => change_bytes(&mut parts[at], room, basic),
    }
}
