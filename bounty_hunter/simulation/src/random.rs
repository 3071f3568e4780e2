//! Seeded, portable, serialisable streams of random numbers: one per purpose and owner.
//!
//! Streams are independent: one more draw for wandering moves no bounty.

use std::fmt;

use rand_core::Rng;
use rand_pcg::Pcg32;
use serde::{Deserialize, Serialize};

/// The purpose of a stream. The numbers are part of every seed: they never change and are never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Purpose {
    /// Wandering AIs; the owner is the player.
    Wander = 1,
    /// Positions of bounties.
    BountyPlace = 2,
    /// Values of bounties.
    BountyValue = 3,
    /// Lifetimes of bounties.
    BountyLifetime = 4,
    /// First positions of power-ups.
    PowerUpPlace = 5,
    /// Lifetimes of power-ups.
    PowerUpLifetime = 6,
    /// Positions of other dealt objects; the owner is the index of the entry in the mode's `deals`.
    DealtPlace = 12,
    /// The place of the first seat.
    FirstPlace = 13,
}

/// A stream of random numbers: the same on every platform, and after saving and loading.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomStream(Pcg32);

/// Prints the next 64 bits: the generator hides its state, and different streams must print differently.
impl fmt::Debug for RandomStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RandomStream({:016x}…)", self.0.clone().next_u64())
    }
}

impl RandomStream {
    /// The stream of a purpose and an owner, such as a player's index (0 for a single owner).
    #[must_use]
    pub fn new(seed: u64, purpose: Purpose, index: u64) -> Self {
        // Neighbouring states and sequences of PCG are correlated, so both are scrambled.
        let sequence = scramble(scramble(purpose as u64).wrapping_add(index));
        Self(Pcg32::new(scramble(scramble(seed) ^ sequence), sequence))
    }

    /// Draws uniformly from `0.0..1.0`, in steps of 2⁻²⁴.
    pub fn unit(&mut self) -> f32 {
        const STEP: f32 = 1.0 / (1_u32 << 24) as f32;
        (self.0.next_u32() >> 8) as f32 * STEP
    }

    /// Draws uniformly from `low` to `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Returns `true` with `probability`: never at 0 or below, always from 1 on.
    pub fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }
}

/// The output function of `SplitMix64` (Steele, Lea and Flood 2014): one changed bit flips half of the result.
const fn scramble(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_bits(mut stream: RandomStream, count: usize) -> Vec<u32> {
        (0..count).map(|_| stream.unit().to_bits()).collect()
    }

    #[test]
    fn stream_draws_the_same_bits_on_every_platform() {
        let golden = [0x3f62_b609, 0x3ef7_6a08, 0x3f74_79ba, 0x3f6a_e521];
        assert_eq!(first_bits(RandomStream::new(42, Purpose::Wander, 7), 4), golden);
    }

    #[test]
    fn streams_with_different_futures_print_differently() {
        let stream = RandomStream::new(42, Purpose::Wander, 7);
        let mut drawn = stream.clone();
        assert_eq!(format!("{stream:?}"), format!("{drawn:?}"));
        drawn.unit();
        assert_ne!(format!("{stream:?}"), format!("{drawn:?}"));
    }

    #[test]
    fn scramble_equals_splitmix64() {
        // The first two outputs of the published generator with seed 0.
        assert_eq!(scramble(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(scramble(0x9e37_79b9_7f4a_7c15), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn each_seed_purpose_and_index_has_its_own_stream() {
        let all = [Purpose::Wander, Purpose::BountyPlace, Purpose::BountyValue, Purpose::BountyLifetime];
        let mut starts = Vec::new();
        for seed in 0..10 {
            for purpose in all {
                starts.extend((0..10).map(|index| first_bits(RandomStream::new(seed, purpose, index), 2)));
            }
        }
        starts.sort_unstable();
        starts.dedup();
        assert_eq!(starts.len(), 400);
    }

    #[test]
    fn neighbouring_streams_are_uncorrelated() {
        let mut left = RandomStream::new(1, Purpose::Wander, 0);
        let mut right = RandomStream::new(1, Purpose::Wander, 1);
        let agreed = (0..10_000).filter(|_| left.chance(0.5) == right.chance(0.5)).count();
        assert!((4_800..5_200).contains(&agreed), "{agreed} of 10000");
    }

    #[test]
    fn draws_are_uniform_and_in_range() {
        let mut stream = RandomStream::new(3, Purpose::BountyValue, 0);
        let mut tenths = [0; 10];
        for _ in 0..10_000 {
            let unit = stream.unit();
            assert!((0.0..1.0).contains(&unit));
            tenths[(unit * 10.0) as usize] += 1;
            assert!((5.0..=30.0).contains(&stream.between(5.0, 30.0)));
        }
        assert!(tenths.iter().all(|count| (850..1_150).contains(count)), "{tenths:?}");
    }

    #[test]
    fn chance_is_never_at_0_and_always_at_1() {
        let mut stream = RandomStream::new(4, Purpose::Wander, 0);
        assert!((0..1_000).all(|_| !stream.chance(0.0) && stream.chance(1.0) && !stream.chance(f32::NAN)));
    }

    #[test]
    fn loaded_stream_continues_the_saved_one() {
        let mut stream = RandomStream::new(5, Purpose::BountyPlace, 1);
        stream.unit();
        let saved = serde_json::to_string(&stream).unwrap();
        let loaded: RandomStream = serde_json::from_str(&saved).unwrap();
        assert_eq!(first_bits(loaded, 100), first_bits(stream, 100));
    }
}
