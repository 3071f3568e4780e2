//! [`CheckedPlan`]: the only way from a set-up to a match, so that no number of a match is out of its bounds, wherever
//! the set-up is from.

use std::ops::Deref;
use std::sync::Arc;

use ecs::prefab::Prefabs;

use super::error::SimulationError;
use super::match_setup::{MatchPlan, SeatAi};
use super::{MAX_PLAYERS, MatchSetup};
use crate::ai::learned::Policy;
use crate::assets::{Assets, UnknownName};
use crate::data::config::{GameConfig, MatchRules};
use crate::data::level::Level;
use crate::data::limits::{DELAY_SECONDS, DURATION_SECONDS, STEPS_PER_SECOND};
use crate::gameplay::player::{MAX_PEOPLE, Seat};
use crate::objects::bounds::{check_bounds, check_room};
use crate::objects::role::{Role, size_refusal};

/// A plan whose numbers, and what follows from them, are within their bounds: a match can be built from it and played.
#[derive(Clone)]
pub struct CheckedPlan(MatchPlan);

impl Deref for CheckedPlan {
    type Target = MatchPlan;

    fn deref(&self) -> &MatchPlan {
        &self.0
    }
}

impl CheckedPlan {
    /// The plan of a match.
    ///
    /// # Errors
    /// - [`SimulationError`] if the set-up and the assets do not fit together, or a number is out of its bounds.
    pub fn new(assets: &Assets, setup: &MatchSetup) -> Result<Self, SimulationError> {
        let players = setup.seats.len();
        if !(1..=MAX_PLAYERS).contains(&players) {
            return Err(SimulationError::Players(players));
        }
        let config = assets.game.clone();
        let unknown = || UnknownName::new("level", &config.level, assets.levels.keys());
        let level = assets.levels.get(&config.level).ok_or_else(unknown)?;
        if let Some(places) = level.most_players().filter(|places| *places < players) {
            return Err(SimulationError::Places { level: config.level, places, players });
        }
        let play_seconds = setup.play_seconds.unwrap_or(config.play_seconds);
        let out_of_bounds = SimulationError::OutOfBounds;
        DURATION_SECONDS.check_named("play_seconds", play_seconds).map_err(out_of_bounds)?;
        DELAY_SECONDS.check_named("countdown_seconds", config.countdown_seconds).map_err(out_of_bounds)?;
        STEPS_PER_SECOND.check_named("steps_per_second", config.steps_per_second as f32).map_err(out_of_bounds)?;
        let mut policies = Vec::new();
        let seats = setup.seats.iter().map(|seat| check_seat(seat, assets, &mut policies)).collect::<Result<_, _>>()?;
        let ticks = |seconds: f32| (seconds * config.steps_per_second as f32).round() as u32;
        let world_half_extent_m = level.half_extent_m(players as u32);
        let rules = MatchRules { world_half_extent_m, play_seconds, options: config.rules.clone() };
        let plan = Self(MatchPlan {
            seed: setup.seed,
            seats,
            profiles: assets.ai.values().cloned().collect(),
            policies,
            countdown_ticks: ticks(config.countdown_seconds),
            play_ticks: ticks(play_seconds).max(1),
            level: level.clone(),
            prefabs: assets.prefabs.clone(),
            rules,
            config,
        });
        plan.check_prefabs(&plan.prefabs)?;
        Ok(plan)
    }

    /// Checks that all prefabs that the match names exist, fit their roles, and keep its numbers within their bounds.
    pub(super) fn check_prefabs(&self, prefabs: &Prefabs) -> Result<(), SimulationError> {
        let MatchPlan { config, level, seats, .. } = &self.0;
        check_roles(prefabs, config, level).map_err(SimulationError::Prefab)?;
        let bounds = check_bounds(config, prefabs, level, seats.len() as u32, self.play_seconds())
            .and_then(|()| check_room(config, prefabs, level));
        bounds.map_err(|excess| SimulationError::OutOfBounds(excess.problem))
    }
}

/// Checks that all prefabs that a match names exist and fit their roles.
fn check_roles(prefabs: &Prefabs, config: &GameConfig, level: &Level) -> Result<(), String> {
    let places = level.places.iter().map(|place| (Role::Object, place.prefab.as_str()));
    let named = config.prefabs();
    let mut all = named.iter().map(|(_, role, name)| (*role, *name)).chain(places);
    let refusal =
        all.find_map(|(role, name)| role.refusal(prefabs, name).or_else(|| config.refusal_by_rules(prefabs, name)));
    let sizes = || level.places.iter().find_map(|place| size_refusal(prefabs, &place.prefab, place.scale));
    refusal.or_else(sizes).map_or(Ok(()), Err)
}

/// The seat, with its AI if it has one. The policy of a learned AI is added to `policies`, once for all its seats.
fn check_seat(
    seat: &Seat,
    assets: &Assets,
    policies: &mut Vec<Arc<Policy>>,
) -> Result<(Seat, Option<SeatAi>), SimulationError> {
    let mind = match seat {
        Seat::Human { person } if *person >= MAX_PEOPLE => return Err(SimulationError::Person(*person)),
        Seat::Script | Seat::Human { .. } => None,
        Seat::Ai { profile } => {
            let index = assets.ai.keys().position(|name| name == profile);
            match (index, assets.policies.get(profile)) {
                (Some(index), _) => Some(SeatAi::Profile(index)),
                (None, Some(policy)) => Some(SeatAi::Policy(index_of(policy, policies))),
                (None, None) => return Err(UnknownName::new("AI profile", profile, assets.ai_names()).into()),
            }
        }
    };
    Ok((seat.clone(), mind))
}

/// The index of a policy, which is added if it is missing.
fn index_of(policy: &Arc<Policy>, policies: &mut Vec<Arc<Policy>>) -> usize {
    policies.iter().position(|known| Arc::ptr_eq(known, policy)).unwrap_or_else(|| {
        policies.push(Arc::clone(policy));
        policies.len() - 1
    })
}
