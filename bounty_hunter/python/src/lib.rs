//! A learning environment: many matches at once, stepped by actions, observed as arrays.
//!
//! | module | contents |
//! |---|---|
//! | `options` | what an environment is made of: mode, level, rules, seats, rewards |
//! | `world` | one match with its agents |
//! | `batch` | many worlds on many threads, which restart by themselves if asked to |
//! | `rewards` | what an agent is rewarded for |
//! | `matches` | whole matches of AIs, for sweeps over parameters |
//! | `picture` | a picture of a match, drawn without a window |
//! | `module` | all of that for Python (feature `module`) |
//!
//! Agents are seats of [`Seat::Script`](bounty_hunter::simulation::Seat::Script), so the same seed and the same actions
//! give the same match, bit for bit, as in the program.

mod batch;
mod matches;
#[cfg(feature = "module")]
mod module;
mod options;
mod picture;
mod rewards;
mod world;

pub use batch::{Actions, Autoreset, Batch, Buffers, Finished};
pub use matches::{ENDINGS, MatchRecord, play_match, play_matches};
pub use options::{MatchConfig, Options};
pub use picture::{check_size, draw};
pub use rewards::Rewards;
pub use world::{World, WorldState};
