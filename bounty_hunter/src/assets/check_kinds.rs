//! Whether the prefabs that a match names are there, have what they need, and fit into its world.

use ecs::prefab::Prefabs;

use super::error::AssetError;
use super::source::Source;
use crate::data::config::GameConfig;
use crate::data::level::Level;
use crate::data::limits::LENGTH_M;
use crate::objects::role::{Role, half_extent_m};

/// Checks the prefabs that a match names, which stands at `within` in its file, as for
/// [`check_game`](super::check::check_game).
pub(super) fn check_kinds(
    source: &Source,
    within: &str,
    game: &GameConfig,
    prefabs: &Prefabs,
) -> Result<(), AssetError> {
    for (path, role, name) in game.prefabs() {
        if let Some(refusal) = role.refusal(prefabs, name).or_else(|| game.refusal_by_rules(prefabs, name)) {
            return Err(source.error(&format!("{within}{path}"), refusal));
        }
    }
    Ok(())
}

/// Whether the rules of a match know all that lies in its level, whose objects were checked by themselves.
pub(super) fn check_rules_of_places(
    source: &Source,
    within: &str,
    game: &GameConfig,
    prefabs: &Prefabs,
    level: &Level,
) -> Result<(), AssetError> {
    let refusals = level.places.iter().map(|place| game.refusal_by_rules(prefabs, &place.prefab));
    match (1..).zip(refusals).find_map(|(number, refusal)| Some((number, refusal?))) {
        Some((number, refusal)) => {
            let problem = format!("level is {:?}, of which object {number} is refused: {refusal}", game.level);
            Err(source.error(&format!("{within}level"), problem))
        }
        None => Ok(()),
    }
}

/// Half the longer sides of what is in every match, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sizes {
    pub(super) collector_m: f32,
    pub(super) stash_m: f32,
    pub(super) bounty_m: f32,
}

impl Sizes {
    /// Those of a match whose kinds were checked.
    pub(super) fn of(game: &GameConfig, prefabs: &Prefabs) -> Self {
        let size_m = |name| half_extent_m(prefabs, name).unwrap_or(0.0);
        let kinds = &game.kinds;
        Self { collector_m: size_m(&kinds.collector), stash_m: size_m(&kinds.stash), bounty_m: size_m(&kinds.bounty) }
    }
}

/// Whether what is in every match fits into the world of its level. What is too large for the level that all are played in unless
/// somebody asks for another is too large; for any other it is the level that is too small.
pub(super) fn check_sizes(game: &GameConfig, prefabs: &Prefabs, level: &Level) -> Result<(), AssetError> {
    let (world_half_m, kinds) = (level.world_half_extent_m, &game.kinds);
    for (kind, component) in [(&kinds.collector, "shape"), (&kinds.bounty, "worth"), (&kinds.stash, "shape")] {
        let half_m = half_extent_m(prefabs, kind).unwrap_or(0.0);
        if LENGTH_M.allow(world_half_m) && half_m >= world_half_m {
            let problem = format!(
                "half the side of {kind:?} is {half_m} m, must be less than world_half_extent_m in levels/{}.ron, {world_half_m}",
                game.level
            );
            return Err(prefabs.error_in(kind, component, problem).into());
        }
    }
    Ok(())
}

/// Whether what a match deals fits into the world of its level: it appears where bounties do.
pub(super) fn check_fit(
    source: &Source,
    within: &str,
    game: &GameConfig,
    prefabs: &Prefabs,
    level: &Level,
) -> Result<(), AssetError> {
    let most_m = (1.0 - level.bounty_region_share) * level.world_half_extent_m;
    for (path, role, name) in game.prefabs() {
        let half_m = half_extent_m(prefabs, name).filter(|_| matches!(role, Role::Object | Role::PowerUp));
        if let Some(half_m) = half_m.filter(|half_m| *half_m > most_m) {
            let problem = format!(
                "half the side of {name:?} is {half_m} m, must be at most {most_m} m to fit in where bounties appear"
            );
            return Err(source.error(&format!("{within}{path}"), problem));
        }
    }
    Ok(())
}
