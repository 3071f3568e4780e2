//! What the numbers of the rule sets may be.

use super::error::AssetError;
use super::limits::{check_numbers, check_whole_numbers};
use super::source::Source;
use crate::data::config::{HealthRules, PowerUpRules, RulesConfig, SpellRules};
use crate::data::limits::{
    BOUNTIES, BOUNTIES_PER_PLAYER, DELAY_SECONDS, DURATION_SECONDS, LENGTH_M, POINTS, SPEED_MPS,
};

/// Where a rule set stands in a match: within the brackets of its `Some`.
const POWER_UPS: &str = "rules.power_ups.0.";
const SPELLS: &str = "rules.spells.0.";
const HEALTH: &str = "rules.health.0.";

/// Checks the rule sets of a match that stands at `within` in its file, as for [`check_game`](super::check::check_game).
pub(super) fn check_rule_sets(source: &Source, within: &str, rules: &RulesConfig) -> Result<(), AssetError> {
    if let Some(power_ups) = &rules.power_ups {
        check_power_ups(source, &format!("{within}{POWER_UPS}"), power_ups)?;
    }
    if let Some(spells) = &rules.spells {
        check_spells(source, &format!("{within}{SPELLS}"), spells)?;
    }
    if let Some(health) = &rules.health {
        check_health(source, &format!("{within}{HEALTH}"), health)?;
    }
    Ok(())
}

#[rustfmt::skip]
fn check_power_ups(source: &Source, within: &str, rules: &PowerUpRules) -> Result<(), AssetError> {
    check_whole_numbers(source, within, &[
        ("least_power_ups", rules.least_power_ups, BOUNTIES),
    ])?;
    check_numbers(source, within, &[
        ("power_ups_per_player", rules.power_ups_per_player, BOUNTIES_PER_PLAYER),
    ])
}

#[rustfmt::skip]
fn check_spells(source: &Source, within: &str, rules: &SpellRules) -> Result<(), AssetError> {
    check_numbers(source, within, &[
        ("purge_cooldown_seconds", rules.purge_cooldown_seconds, DURATION_SECONDS),
        ("strike_cooldown_seconds", rules.strike_cooldown_seconds, DURATION_SECONDS),
        ("magnet_cooldown_seconds", rules.magnet_cooldown_seconds, DURATION_SECONDS),
        ("magnet_seconds", rules.magnet_seconds, DURATION_SECONDS),
        ("magnet_range_m", rules.magnet_range_m, LENGTH_M),
        ("magnet_speed_mps", rules.magnet_speed_mps, SPEED_MPS),
    ])
}

#[rustfmt::skip]
fn check_health(source: &Source, within: &str, rules: &HealthRules) -> Result<(), AssetError> {
    check_numbers(source, within, &[
        ("most_health", rules.most_health, POINTS),
        ("damage", rules.damage, POINTS),
        ("grace_seconds", rules.grace_seconds, DELAY_SECONDS),
    ])
}
