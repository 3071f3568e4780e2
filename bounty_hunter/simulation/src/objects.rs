//! The objects in the arena: components, systems, and how prefabs become objects.

pub mod appearance;
pub(crate) mod bounds;
pub mod bounty;
pub mod capacity;
pub mod collector;
pub mod game_object;
pub mod ghost;
pub mod gold;
pub mod gravity;
pub mod health;
pub mod hunger;
pub mod life_cycle;
pub mod lifetime;
pub mod mine;
pub mod motion;
pub mod power_up;
pub mod powers;
pub mod prefabs;
pub mod respawn;
pub mod role;
pub mod scale;
pub mod stash;
pub mod switch;
pub mod touch;
pub mod wall;
