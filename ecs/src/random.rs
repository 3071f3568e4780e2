//! Random numbers in seeded streams: the same on every platform, at any number of threads, and after a restore.
//!
//! A system draws from the stream of a [`Purpose`] by the parameter [`Random`](crate::Random). Streams are independent:
//! one more draw for the weather moves no treasure.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::stable_hash::{StableHash, StateHasher, scramble};
use crate::store::Store;

/// What random numbers are drawn for: a type that names a stream.
///
/// # Example
/// ```
/// use ecs::random::Purpose;
///
/// /// Where treasures lie.
/// struct Treasures;
///
/// impl Purpose for Treasures {
///     const NAME: &'static str = "treasures";
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a purpose of random numbers",
    label = "implement `ecs::random::Purpose` for it, with a `NAME`"
)]
pub trait Purpose: 'static {
    /// The name of the stream. With the seed it decides all draws, so another name is another stream; a type can be
    /// renamed and moved.
    const NAME: &'static str;
}

/// A stream of random numbers. It is a value: a clone draws the same numbers.
///
/// The numbers are those of `SplitMix64` (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
/// They are not for secrets.
///
/// # Example
/// ```
/// use ecs::random::RandomStream;
///
/// let mut dice = RandomStream::new(42, "dice");
/// let throws: Vec<u32> = (0..3).map(|_| 1 + dice.below(6)).collect();
/// assert_eq!(throws, [3, 2, 4]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RandomStream {
    key: u64,
    /// The number of draws.
    drawn: u64,
}

/// The step of the state of `SplitMix64`.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl RandomStream {
    /// The stream of this name for a seed, at its start.
    #[must_use]
    pub fn new(seed: u64, name: &str) -> Self {
        let mut hash = StateHasher::default();
        hash.add(&seed).add(name);
        Self { key: hash.finish(), drawn: 0 }
    }

    /// A stream of its own for each number, which also depends on how much was drawn here. It draws nothing here.
    #[must_use]
    pub fn split(&self, number: u64) -> Self {
        let key = scramble(self.key.wrapping_add(self.drawn.wrapping_mul(STEP)) ^ scramble(number.wrapping_add(STEP)));
        Self { key, drawn: 0 }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.drawn = self.drawn.wrapping_add(1);
        scramble(self.key.wrapping_add(self.drawn.wrapping_mul(STEP)))
    }

    /// The next 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// A number from `0.0..1.0`, in steps of 2⁻²⁴.
    pub fn unit(&mut self) -> f32 {
        const STEP: f32 = 1.0 / (1_u32 << 24) as f32;
        (self.next_u32() >> 8) as f32 * STEP
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// A whole number below `count`, each as often as the others; 0 if `count` is 0.
    // D. Lemire: Fast random integer generation in an interval, 2019.
    pub fn below(&mut self, count: u32) -> u32 {
        let mut product = u64::from(self.next_u32()) * u64::from(count);
        let rest = count.wrapping_neg().checked_rem(count).unwrap_or(0);
        while (product as u32) < rest {
            product = u64::from(self.next_u32()) * u64::from(count);
        }
        (product >> 32) as u32
    }

    /// `true` with `probability`: never at 0 or below, always from 1 on.
    pub fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    /// One of the values, each as often as the others; `None` if there is none. It draws from the first 2³² of them.
    pub fn pick<'v, T>(&mut self, values: &'v [T]) -> Option<&'v T> {
        let count = u32::try_from(values.len()).unwrap_or(u32::MAX);
        values.get(self.below(count) as usize)
    }

    /// Brings the values into a random order, each as often as the others; at most the first 2³² of them.
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for count in (2..=u32::try_from(values.len()).unwrap_or(u32::MAX)).rev() {
            values.swap(count as usize - 1, self.below(count) as usize);
        }
    }
}

impl StableHash for RandomStream {
    fn stable_hash(&self, hash: &mut StateHasher) {
        let Self { key, drawn } = self;
        hash.add(key).add(drawn);
    }
}

/// The streams of a world by their names.
#[derive(Default)]
pub(crate) struct RandomStreams {
    seed: u64,
    streams: Vec<Stream>,
    /// Dirty flag.
    is_changed: AtomicBool,
}

struct Stream {
    name: Cow<'static, str>,
    /// The type whose purpose it is; `None` if only a snapshot has named it.
    purpose: Option<std::any::TypeId>,
    key: u64,
    drawn: AtomicU64,
}

/// The streams in a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct RandomCopy {
    pub(crate) seed: u64,
    /// Each name with the number of draws.
    pub(crate) streams: Vec<(Cow<'static, str>, u64)>,
}

impl RandomStreams {
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// Restarts all streams with a seed.
    pub(crate) fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
        *self.is_changed.get_mut() = true;
        for stream in &mut self.streams {
            stream.key = RandomStream::new(seed, &stream.name).key;
            *stream.drawn.get_mut() = 0;
        }
    }

    /// The place of the stream of a purpose.
    ///
    /// # Errors
    /// If another type has the name.
    pub(crate) fn register<P: Purpose>(&mut self) -> Result<usize, String> {
        let of_type = std::any::TypeId::of::<P>();
        let place = self.streams.iter().position(|stream| stream.name == P::NAME);
        let place = place.unwrap_or_else(|| self.add(Cow::Borrowed(P::NAME), 0));
        match self.streams[place].purpose.replace(of_type) {
            Some(other) if other != of_type => {
                self.streams[place].purpose = Some(other);
                Err(format!("two purposes of random numbers have the name {:?}: give each its own", P::NAME))
            }
            _ => Ok(place),
        }
    }

    fn add(&mut self, name: Cow<'static, str>, drawn: u64) -> usize {
        *self.is_changed.get_mut() = true;
        let key = RandomStream::new(self.seed, &name).key;
        self.streams.push(Stream { name, purpose: None, key, drawn: AtomicU64::new(drawn) });
        self.streams.len() - 1
    }

    /// Borrows a stream: no other system may have it meanwhile, which the accesses of systems rule out.
    pub(crate) fn borrow(&self, place: usize) -> BorrowedStream<'_> {
        let Stream { key, drawn, .. } = &self.streams[place];
        let stream = RandomStream { key: *key, drawn: drawn.load(Ordering::Relaxed) };
        BorrowedStream { stream, drawn, is_changed: &self.is_changed }
    }

    pub(crate) fn held_bytes(&self) -> usize {
        self.streams.capacity() * size_of::<Stream>()
    }
}

/// A stream of a world; what is drawn is kept when this is dropped.
#[doc(hidden)]
pub struct BorrowedStream<'w> {
    pub(crate) stream: RandomStream,
    drawn: &'w AtomicU64,
    is_changed: &'w AtomicBool,
}

impl Drop for BorrowedStream<'_> {
    fn drop(&mut self) {
        if self.stream.drawn != self.drawn.load(Ordering::Relaxed) {
            self.drawn.store(self.stream.drawn, Ordering::Relaxed);
            self.is_changed.store(true, Ordering::Relaxed);
        }
    }
}

impl RandomCopy {
    /// Adds the streams to a hash. Their order does not count: engines may have met them in different ones.
    pub(crate) fn hash(&self, hash: &mut StateHasher) {
        let of_stream = |(name, drawn): &(Cow<'static, str>, u64)| {
            let mut hash = StateHasher::default();
            hash.add(&**name).add(drawn);
            hash.finish()
        };
        let drawn = self.streams.iter().filter(|(_, drawn)| *drawn > 0);
        hash.add(&self.seed).add(&drawn.map(of_stream).fold(0, u64::wrapping_add));
    }

    /// Whether nothing was seeded or drawn.
    pub(crate) fn is_unused(&self) -> bool {
        self.seed == 0 && self.streams.iter().all(|(_, drawn)| *drawn == 0)
    }
}

impl Store for RandomStreams {
    type Copy = RandomCopy;

    fn is_changed(&self) -> bool {
        self.is_changed.load(Ordering::Relaxed)
    }

    fn note_copy(&mut self) {
        *self.is_changed.get_mut() = false;
    }

    fn copy_to(&self, copy: &mut RandomCopy) {
        copy.seed = self.seed;
        copy.streams.clear();
        let drawn = |stream: &Stream| (stream.name.clone(), stream.drawn.load(Ordering::Relaxed));
        copy.streams.extend(self.streams.iter().map(drawn));
    }

    fn copy_from(&mut self, copy: &RandomCopy) {
        self.set_seed(copy.seed);
        for (name, drawn) in &copy.streams {
            match self.streams.iter_mut().find(|stream| stream.name == *name) {
                Some(stream) => *stream.drawn.get_mut() = *drawn,
                None => _ = self.add(name.clone(), *drawn),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RandomStream;

    #[test]
    fn numbers_are_those_of_splitmix64() {
        // The first outputs of the published generator with seed 0.
        let mut stream = RandomStream { key: 0, drawn: 0 };
        let numbers = [stream.next_u64(), stream.next_u64(), stream.next_u64()];
        assert_eq!(numbers, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
    }

    #[test]
    fn draws_are_uniform_and_in_range() {
        let mut stream = RandomStream::new(3, "test");
        let (mut tenths, mut sixths) = ([0; 10], [0; 6]);
        for _ in 0..60_000 {
            let unit = stream.unit();
            assert!((0.0..1.0).contains(&unit) && (5.0..=30.0).contains(&stream.between(5.0, 30.0)));
            tenths[(unit * 10.0) as usize] += 1;
            sixths[stream.below(6) as usize] += 1;
        }
        assert!(tenths.iter().all(|count| (5_700..6_300).contains(count)), "{tenths:?}");
        assert!(sixths.iter().all(|count| (9_600..10_400).contains(count)), "{sixths:?}");
    }

    #[test]
    fn neighbouring_streams_are_uncorrelated() {
        let parent = RandomStream::new(1, "test");
        for (mut left, mut right) in [
            (parent.split(0), parent.split(1)),
            (RandomStream::new(1, "a"), RandomStream::new(1, "b")),
            (RandomStream::new(1, "a"), RandomStream::new(2, "a")),
        ] {
            let agreed = (0..10_000).filter(|_| left.chance(0.5) == right.chance(0.5)).count();
            assert!((4_800..5_200).contains(&agreed), "{agreed} of 10000");
        }
    }

    #[test]
    fn edges_of_draws() {
        let mut stream = RandomStream::new(4, "test");
        assert!((0..1_000).all(|_| !stream.chance(0.0) && stream.chance(1.0) && !stream.chance(f32::NAN)));
        assert_eq!((stream.below(0), stream.below(1), stream.pick::<u8>(&[])), (0, 0, None));
        let mut order: Vec<u32> = (0..100).collect();
        stream.shuffle(&mut order);
        assert!(!order.is_sorted());
        order.sort_unstable();
        assert!(order.iter().copied().eq(0..100));
    }
}
