//! Learned AIs: a small neural network maps what a player sees to what it does.
//!
//! | module | contents |
//! |---|---|
//! | `scene` | the objects of a match, listed once for all learned players |
//! | `observation` | a player's view of the scene as numbers, in its own frame |
//! | `choices` | the goals between which a network chooses, and how they are steered to |
//! | `policy` | the network, from `assets/policies/*.ron` |
//!
//! The learning environment for Python and the game use the same functions, so a policy plays in the game as it was
//! trained.

mod choices;
mod observation;
mod policy;
mod scene;

pub use choices::{DRIVES, GOALS, TURNS, goal_names, intent_of_choice, intent_of_goal};
pub use observation::{OBSERVATION_LENGTH, OBSERVATION_VERSION, observation_fields, observe};
pub use policy::{Layer, Policy, Scratch};
pub use scene::{Observer, Scene, SeenBounty, SeenCollector, SeenStash};
