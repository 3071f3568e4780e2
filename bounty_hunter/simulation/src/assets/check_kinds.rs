//! Checks of the prefabs of a match: they exist, have the components of their roles, and fit into its world.

use ecs::prefab::{PrefabError, Prefabs, RonText};

use crate::data::config::GameConfig;
use crate::data::level::Level;
use crate::objects::role::{Role, half_extent_m};

/// Checks that each prefab of a match can take its role. `within` is as for
/// [`check_names`](super::check_mode::check_names).
pub(super) fn check_kinds(
    source: &RonText,
    within: &str,
    game: &GameConfig,
    prefabs: &Prefabs,
) -> Result<(), PrefabError> {
    for (path, role, name) in game.prefabs() {
        if let Some(refusal) = role.refusal(prefabs, name).or_else(|| game.refusal_by_rules(prefabs, name)) {
            return Err(source.error_at(&format!("{within}{path}"), refusal));
        }
    }
    Ok(())
}

/// Checks that the rules of a match support every object of its level.
pub(super) fn check_rules_of_places(
    source: &RonText,
    within: &str,
    game: &GameConfig,
    prefabs: &Prefabs,
    level: &Level,
) -> Result<(), PrefabError> {
    let refusals = level.places.iter().map(|place| game.refusal_by_rules(prefabs, &place.prefab));
    match (1..).zip(refusals).find_map(|(number, refusal)| Some((number, refusal?))) {
        Some((number, refusal)) => {
            let problem = format!("level is {:?}, of which object {number} is refused: {refusal}", game.level);
            Err(source.error_at(&format!("{within}level"), problem))
        }
        None => Ok(()),
    }
}

/// Half the longer sides of the objects in every match, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sizes {
    pub(super) collector_m: f32,
    pub(super) stash_m: f32,
    pub(super) bounty_m: f32,
}

impl Sizes {
    /// The sizes in a match whose kinds were checked.
    pub(super) fn of(game: &GameConfig, prefabs: &Prefabs) -> Self {
        let size_m = |name| half_extent_m(prefabs, name).unwrap_or(0.0);
        let kinds = &game.kinds;
        Self { collector_m: size_m(&kinds.collector), stash_m: size_m(&kinds.stash), bounty_m: size_m(&kinds.bounty) }
    }
}

/// Checks that the objects of every match fit into the default level. For other levels, `check_level` reports the error
/// at the level.
pub(super) fn check_sizes(game: &GameConfig, prefabs: &Prefabs, level: &Level) -> Result<(), PrefabError> {
    let (world_half_m, kinds) = (level.world_half_extent_m, &game.kinds);
    for (kind, component) in [(&kinds.collector, "shape"), (&kinds.bounty, "worth"), (&kinds.stash, "shape")] {
        let half_m = half_extent_m(prefabs, kind).unwrap_or(0.0);
        if half_m >= world_half_m {
            let problem = format!(
                "half the side of {kind:?} is {half_m} m, must be less than world_half_extent_m in levels/{}.ron, {world_half_m}",
                game.level
            );
            return Err(prefabs.error_in(kind, component, problem));
        }
    }
    Ok(())
}

/// Checks that the dealt objects of a match fit into the bounty region of its level.
pub(super) fn check_fit(
    source: &RonText,
    within: &str,
    game: &GameConfig,
    prefabs: &Prefabs,
    level: &Level,
) -> Result<(), PrefabError> {
    let most_m = (1.0 - level.bounty_region_share) * level.world_half_extent_m;
    for (path, role, name) in game.prefabs() {
        let half_m = half_extent_m(prefabs, name).filter(|_| matches!(role, Role::Object | Role::PowerUp | Role::Gold));
        if let Some(half_m) = half_m.filter(|half_m| *half_m > most_m) {
            let problem = format!(
                "half the side of {name:?} is {half_m} m, must be at most {most_m} m to fit in where bounties appear"
            );
            return Err(source.error_at(&format!("{within}{path}"), problem));
        }
    }
    Ok(())
}
