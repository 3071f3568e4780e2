//! How an AI thinks, in pure functions: what it senses goes in, the same [`Intent`](crate::data::input::Intent) comes out
//! that a keyboard yields.
//!
//! | module | question |
//! |---|---|
//! | `perception` | what does it know? |
//! | `strategy` | which bounty does it want? |
//! | `steering` | how does it get there, past others, or about? |
//! | `detour` | how does it get around solid walls? |
//! | `brain` | what is it up to, and what next? |
//! | `lure` | does it go for a power-up, where there are power-ups? |
//! | `spellcraft` | which spell does it cast, where there are spells? |
//!
//! # In a sentence
//! It looks for bounty, goes for one, brings home what it carries when that is enough or the time is short, and keeps
//! clear of other collectors all the while.
//!
//! # In a step
//! [`think`] is called once a step for each AI that is alive, with its [`Brain`], its profile, its [`Senses`] and its own
//! random stream. The state of the brain says what is done now, and which state it has in the next step:
//!
//! | state | what it does | next |
//! |---|---|---|
//! | `Spawned` | forgets its target, stands still | `FindBounty` |
//! | `FindBounty` | chooses, goes on as before | home → `StashBounty`, picked one → `MoveToBounty`, else → `Wander` |
//! | `Wander` | full speed, in a random curve | home, or by chance → `FindBounty` |
//! | `MoveToBounty` | seeks the place that it remembers | bounty gone, not there, or late → `BountyCollected` |
//! | `BountyCollected` | forgets its target, goes on as before | home → `StashBounty`, else → `FindBounty` |
//! | `StashBounty` | seeks its home | pocket empty, or arrived → `FindBounty` |
//!
//! *Home* is wanted when it carries enough, or when it is *late*: it carries anything and the clock runs short.
//! In every state but the first, a threat in the avoider comes before all else. Otherwise a target is sought, a wanderer
//! wanders, and the states that only decide go on with what was done before, for their one step.
//!
//! # In depth
//! *What it knows.* No more than its two sensors tell: the radar, a cone ahead, and the avoider, a box ahead. Besides, it
//! knows where it is, what it carries, where home is, what the clock says, and whether the bounty that it remembers still
//! lies there. It remembers where it last saw that bounty: if it lies elsewhere, the AI arrives, finds nothing, and
//! chooses anew. Directions and distances are those of a world that wraps around ([`wrapped_delta`]); but the sensors of
//! the game are shapes in the physics, which end at the edge: who is just beyond it is not seen until it has crossed.
//!
//! *What it wants.* A [`Strategy`] is nothing but a score; the highest wins, and of equal ones the one seen for longest. A
//! choice stands until the bounty is gone, so an AI never wavers between two.
//!
//! *When it goes home.* With a pocket as full as its profile asks for; or, whatever it carries, as soon as the clock leaves
//! only the way home and a margin. A stash takes a load when it is touched, not while it is touched: an AI that carries
//! something and stands on its stash leaves it first. It does not spare the stashes of others: who drives across
//! one leaves its load there, AIs as well as people.
//!
//! *How it drives.* A speed and a turning speed are all that it decides, as shares of what its collector can do. Slow
//! when the target lies aside, full speed when it lies ahead; inside its own turning circle it slows down instead of
//! circling its target ([`seek`]). Two that meet head-on both turn right; who crosses is let through and passed behind;
//! who is followed is passed on the left ([`avoid`]). The nearer, the slower, and at last backwards: in a crowd of 16 that
//! leaves about 2 crashes in a match, where the original's law had 70. Only the nearest threat counts, and who comes from
//! the side, outside the box, is not seen.
//!
//! *How it gets around walls.* Where a level has solid walls and one of them cuts the way to where an AI is going, it makes for
//! the corner by which the way is shortest; a wanderer turns away from a wall ahead. A threat comes before a wall: whoever
//! runs into one stops, and takes no harm.
//!
//! *What makes it repeatable.* The functions are pure and allocate nothing, trigonometry comes from `libm`, and chance from
//! the AI's own stream: two draws in a step of wandering, none in any other, whatever the other AIs do.
//!
//! [`wrapped_delta`]: crate::data::arena::wrapped_delta
//! [`Strategy`]: crate::data::config::Strategy

mod brain;
mod detour;
mod lure;
mod perception;
mod spellcraft;
mod steering;
mod strategy;

#[cfg(test)]
mod behaviour_tests;
#[cfg(test)]
mod test_world;

pub use brain::{Brain, BrainState, Senses, Target, think};
pub use detour::{Surroundings, around_walls};
pub use lure::{looks_for_power_ups, sight_power_up};
pub use perception::{
    Seen, SightKey, SightList, Sighting, Threat, USUAL_SIGHTINGS, avoider_corners, is_in_avoider, is_in_radar,
};
pub use spellcraft::{Situation, choose_spell};
pub use steering::{Agility, avoid, seek, wander};
pub use strategy::choose;
