//! What random numbers are drawn for. Each purpose has a stream of its own: one more draw for wandering moves no
//! bounty.

use ecs::random::{Purpose, RandomStream};

macro_rules! purposes {
    ($($(#[$doc:meta])* $purpose:ident = $name:literal,)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $purpose;

        impl Purpose for $purpose {
            const NAME: &'static str = $name;
        }
    )*};
}

// The names are part of every seed.
purposes! {
    /// Where an AI turns that has no target.
    Wandering = "wandering",
    /// First positions of bounties.
    BountyPlaces = "bounty places",
    /// Positions of what respawns.
    RespawnPlaces = "respawn places",
    /// Values of bounties.
    BountyValues = "bounty values",
    /// Lifetimes of bounties.
    BountyLifetimes = "bounty lifetimes",
    /// First positions of power-ups.
    PowerUpPlaces = "power-up places",
    /// Lifetimes of power-ups.
    PowerUpLifetimes = "power-up lifetimes",
    /// When and where gold rushes begin, and how the gold drives.
    GoldRushes = "gold rushes",
    /// Positions of other dealt objects, a stream for each entry in the mode's `deals`.
    DealtPlaces = "dealt places",
    /// The place of the first seat.
    FirstPlace = "first place",
    /// Names and habits of AIs.
    CharacterDeal = "character deal",
}

/// The seed of the `index`-th match of a series.
pub(crate) fn match_seed(seed: u64, index: u64) -> u64 {
    RandomStream::new(seed, "match").split(index).next_u64()
}

/// The stream of a purpose for the set-up of a match, before its systems run.
pub(crate) fn set_up_stream<P: Purpose>(match_seed: u64) -> RandomStream {
    RandomStream::new(match_seed, P::NAME)
}
