//! The decisions of AIs, as pure functions: senses in, an [`Intent`](crate::data::input::Intent) out, as from a
//! keyboard.
//!
//! | module | decides |
//! |---|---|
//! | `perception` | what the AI sees |
//! | `strategy` | which bounty it wants |
//! | `steering` | how it gets there, avoids others, or wanders |
//! | `detour` | how it gets around solid walls |
//! | `brain` | its state and the next one |
//! | `lure` | whether it goes for a power-up, or rams a rival |
//! | `foresight` | what the hard AI does better than the others: all of it |
//! | `spellcraft` | which spell it casts |
//! | [`learned`] | what an AI does that was trained instead of written |
//!
//! # Overview
//! An AI looks for bounties, collects them, goes home when it carries enough or time runs short, and keeps clear of
//! other collectors, except those that it rams: a crash costs both their loads, so it pays for the one that carries
//! less.
//!
//! [`think`] runs once per step for each living AI with its [`Brain`], profile, [`Senses`] and random stream. The state
//! of the brain decides what it does in this step and the state of the next one:
//!
//! | state | action | next state |
//! |---|---|---|
//! | `Spawned` | forgets its target, stands still | `FindBounty` |
//! | `FindBounty` | chooses, keeps its last intent | home → `StashBounty`, chosen → `MoveToBounty`, else → `Wander` |
//! | `Wander` | full speed, in a random curve | home, or by chance → `FindBounty` |
//! | `MoveToBounty` | seeks the remembered position | bounty gone, not there, or late → `BountyCollected` |
//! | `BountyCollected` | forgets its target, keeps its last intent | home → `StashBounty`, else → `FindBounty` |
//! | `StashBounty` | seeks its home | pocket empty, or arrived → `FindBounty` |
//!
//! It goes *home* when it carries enough, or when it is *late*: it carries anything and the clock runs short. In every
//! state except `Spawned`, a threat in the avoider takes precedence over the state's action.
//!
//! # Details
//! **Knowledge.** The AI sees bounties in the radar, a cone ahead, and collectors in the avoider, a box ahead. It also
//! knows its own pose and load, its home, the clock, and whether its target still exists. It remembers where it last
//! saw the target; if the target has moved, the AI arrives, finds nothing and chooses again. Sight, directions and
//! distances wrap around the world ([`wrapped_delta`]).
//!
//! **Choice.** A [`Strategy`] is a score; the highest wins, and the one seen for longest wins a tie. A choice stands
//! until the bounty is gone, so an AI never wavers between two.
//!
//! **Attack.** An AI with aggression treats a rival in its radar like a bounty if the rival carries much more than it
//! does, wears the crown, or, where lives or health are limited, is no stronger. It gives up when the rival leaves its
//! radar or unloads.
//!
//! **Foresight.** The AI with this strategy counts seconds instead of metres, leaves bounties that a rival reaches
//! first, attacks only where it can meet a rival on its way, and drives around walls by A*.
//!
//! **Going home.** It goes home with a pocket as full as its profile demands, or with any load when the clock leaves
//! only the way home and a margin. A stash takes a load when a contact begins, so a loaded AI that touches its stash
//! leaves it first. An AI that crosses a foreign stash unloads there, as a person does.
//!
//! **Driving.** Speed and turning speed are shares of the collector's top values. It slows down for targets to the side
//! and inside its turning circle, where it would circle them ([`seek`]). Head-on collectors both turn right; it lets a
//! crossing one through and passes behind it; it passes a slower one on the left ([`avoid`]). It brakes with proximity,
//! at last backwards. Only the nearest threat counts. `docs/BALANCE.md` tells how often AIs crash.
//!
//! **Walls.** If a solid wall cuts the way, the AI heads for the corner of the shorter side of this wall; a wanderer
//! turns away from a wall ahead. Threats take precedence over walls, since running into a wall does no harm.
//!
//! **Determinism.** The functions are pure and allocate nothing, trigonometry comes from `libm`, and randomness from
//! the AI's own stream: two draws per step of wandering, none in other states.
//!
//! [`wrapped_delta`]: crate::data::arena::wrapped_delta
//! [`Strategy`]: crate::data::config::Strategy

mod brain;
mod detour;
mod foresight;
pub mod learned;
mod lure;
mod perception;
mod spellcraft;
mod steering;
mod strategy;

pub use brain::{Brain, BrainState, Senses, Target, choose_bounty, is_late, score_of, think, wants_home};
pub use detour::{Surroundings, around_walls, next_turn};
pub use foresight::{choose_ahead, meeting_point, next_corner, score_ahead};
pub use lure::{CROWN_STAKE, Rival, goes_for_gold, is_gold_near, looks_for_power_ups, sight_power_up, sight_rival};
pub use perception::{Area, Radar, Seen, Threat, avoider_corners};
pub use spellcraft::{Situation, choose_spell};
pub use steering::{Agility, avoid, seek, wander};
pub use strategy::{choose, score};

/// The AI of the original game, for tests.
#[cfg(test)]
mod original {
    use super::Agility;
    use crate::data::config::AiProfile;

    pub(super) const AGILITY: Agility = Agility { max_speed_mps: 37.5, max_turn_radps: std::f32::consts::TAU };

    pub(super) fn profile() -> AiProfile {
        ron::from_str(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/ai/first.ron")))
            .expect("the profile can be read")
    }
}
