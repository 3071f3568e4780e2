//! What every value of the game, the prefabs and the AI profiles must be; in tables, with one row for each field.

use std::f32::consts::TAU;

use super::check_rules::check_rule_sets;
use super::error::AssetError;
use super::limits::{Limits, check_numbers, check_ranges, check_whole_numbers};
use super::source::{Source, Sources};
use crate::config::{AiProfile, BountyPrefab, CollectorPrefab, GameConfig, Prefabs, StashPrefab, WallPrefab};

// The physics works in 32-bit floats: what is much smaller or larger than this loses its precision, or its shape.
pub(super) const LENGTH_M: Limits = Limits::new(0.01, 10_000.0);
const GAP_M: Limits = Limits::new(0.0, 10_000.0);
pub(super) const SPEED_MPS: Limits = Limits::new(0.01, 1_000.0);
const TURN_RADPS: Limits = Limits::new(0.01, 100.0);
const ANGLE_RAD: Limits = Limits::new(0.01, TAU);
const DENSITY: Limits = Limits::new(0.000_001, 1_000_000.0);
/// A time that has to pass.
pub(super) const DURATION_SECONDS: Limits = Limits::new(0.01, 86_400.0);
/// A time that may also be nothing.
pub(super) const DELAY_SECONDS: Limits = Limits::new(0.0, 86_400.0);
pub(super) const POINTS: Limits = Limits::new(0.01, 1_000_000.0);
pub(super) const SHARE: Limits = Limits::new(0.0, 1.0);
const STEPS_PER_SECOND: Limits = Limits::new(1.0, 1_000.0);
pub(super) const PLAYERS: Limits = Limits::new(1.0, 10_000.0);
const LIVES: Limits = Limits::new(1.0, 1_000.0);
pub(super) const BOUNTIES: Limits = Limits::new(0.0, 10_000.0);
pub(super) const BOUNTIES_PER_PLAYER: Limits = Limits::new(0.0, 100.0);

/// Checks the match and the rules, which stand at `within` in their file: the start of a path, or empty for all of it.
#[rustfmt::skip]
pub(super) fn check_game(source: &Source, within: &str, game: &GameConfig) -> Result<(), AssetError> {
    check_whole_numbers(source, within, &[
        ("steps_per_second", game.steps_per_second, STEPS_PER_SECOND),
        ("players", game.players, PLAYERS),
        ("least_bounties", game.least_bounties, BOUNTIES),
        ("rules.lives", game.rules.lives.unwrap_or(1), LIVES),
    ])?;
    check_numbers(source, within, &[
        ("play_seconds", game.play_seconds, DURATION_SECONDS),
        ("countdown_seconds", game.countdown_seconds, DELAY_SECONDS),
        ("bounties_per_player", game.bounties_per_player, BOUNTIES_PER_PLAYER),
    ])?;
    check_rule_sets(source, within, &game.rules)
}

pub(super) fn check_prefabs(sources: &Sources, prefabs: &Prefabs) -> Result<(), AssetError> {
    check_collector(sources.file("prefabs/collector.ron"), &prefabs.collector)?;
    check_bounty(sources.file("prefabs/bounty.ron"), &prefabs.bounty)?;
    check_stash(sources.file("prefabs/stash.ron"), &prefabs.stash)?;
    check_wall(sources.file("prefabs/wall.ron"), &prefabs.wall)
}

#[rustfmt::skip]
fn check_collector(source: &Source, collector: &CollectorPrefab) -> Result<(), AssetError> {
    check_numbers(source, "", &[
        ("half_extent_m", collector.half_extent_m, LENGTH_M),
        ("max_speed_mps", collector.max_speed_mps, SPEED_MPS),
        ("max_turn_radps", collector.max_turn_radps, TURN_RADPS),
        ("pocket_capacity", collector.pocket_capacity, POINTS),
        ("respawn_seconds", collector.respawn_seconds, DELAY_SECONDS),
        ("density", collector.density, DENSITY),
    ])
}

#[rustfmt::skip]
fn check_bounty(source: &Source, bounty: &BountyPrefab) -> Result<(), AssetError> {
    check_ranges(source, "", &[
        ("value", bounty.value, POINTS),
        ("half_extent_m", bounty.half_extent_m, LENGTH_M),
        ("lifetime_seconds", bounty.lifetime_seconds, DURATION_SECONDS),
    ])?;
    check_numbers(source, "", &[
        ("respawn_seconds", bounty.respawn_seconds, DELAY_SECONDS),
        ("density", bounty.density, DENSITY),
    ])
}

#[rustfmt::skip]
fn check_stash(source: &Source, stash: &StashPrefab) -> Result<(), AssetError> {
    check_numbers(source, "", &[
        ("half_extent_m", stash.half_extent_m, LENGTH_M),
        ("capacity", stash.capacity, POINTS),
    ])
}

#[rustfmt::skip]
fn check_wall(source: &Source, wall: &WallPrefab) -> Result<(), AssetError> {
    check_numbers(source, "", &[
        ("half_thickness_m", wall.half_thickness_m, LENGTH_M),
        ("gap_m", wall.gap_m, GAP_M),
    ])
}

#[rustfmt::skip]
pub(super) fn check_ai(source: &Source, ai: &AiProfile) -> Result<(), AssetError> {
    check_numbers(source, "", &[
        ("radar_angle_rad", ai.radar_angle_rad, ANGLE_RAD),
        ("radar_range_m", ai.radar_range_m, LENGTH_M),
        ("avoider_range_m", ai.avoider_range_m, LENGTH_M),
        ("avoider_half_width_m", ai.avoider_half_width_m, LENGTH_M),
        ("wander_chance", ai.wander_chance, SHARE),
        ("wander_steering", ai.wander_steering, SHARE),
        ("target_steering", ai.target_steering, SHARE),
        ("avoid_steering", ai.avoid_steering, SHARE),
        ("stash_threshold", ai.stash_threshold, SHARE),
        ("hurry_home_seconds", ai.hurry_home_seconds, DELAY_SECONDS),
    ])
}
