//! What every value of the game and the AI profiles must be; in tables, with one row for each field.

use super::check_rules::check_rule_sets;
use super::error::AssetError;
use super::limits::{check_numbers, check_whole_numbers};
use super::source::Source;
use crate::data::config::{AiProfile, Deal, GameConfig};
use crate::data::limits::{
    ANGLE_RAD, BOUNTIES, BOUNTIES_PER_PLAYER, DELAY_SECONDS, DURATION_SECONDS, LENGTH_M, LIVES, PLAYERS, SHARE,
    STEPS_PER_SECOND,
};

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
    check_deals(source, within, &game.deals)?;
    check_rule_sets(source, within, &game.rules)
}

fn check_deals(source: &Source, within: &str, deals: &[Deal]) -> Result<(), AssetError> {
    for (index, deal) in deals.iter().enumerate() {
        let within = format!("{within}deals.{index}.");
        check_whole_numbers(source, &within, &[("least_objects", deal.least_objects, BOUNTIES)])?;
        check_numbers(source, &within, &[("objects_per_player", deal.objects_per_player, BOUNTIES_PER_PLAYER)])?;
    }
    Ok(())
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
