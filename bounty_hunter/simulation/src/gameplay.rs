//! How a match is played: states, rules, players, lives, spells, the leader and the statistics.

pub mod gold_rush;
pub mod leader;
pub mod lives;
pub mod load;
pub mod match_flow;
pub mod mines;
pub mod near_miss;
pub mod player;
pub mod reactions;
pub mod rules;
pub mod spell;
pub mod statistics;
pub mod use_powers;
