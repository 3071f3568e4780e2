//! The brain of an AI: six states, their actions and transitions.

use ecs::random::RandomStream;
use ecs::state_machine::{Hook, Next, State, StateMachine};
use glam::Vec2;
use serde::{Deserialize, Serialize};

use self::BrainState::{BountyCollected, FindBounty, MoveToBounty, Spawned, StashBounty, Wander};
use super::detour::Surroundings;
use super::foresight::{choose_ahead, score_ahead};
use super::lure::Rival;
use super::perception::{Seen, Threat};
use super::steering::{Agility, avoid, seek, wander};
use super::strategy::{choose, score};
use crate::data::arena::{Pose, wrapped_delta};
use crate::data::config::{AiProfile, Strategy};
use crate::data::input::Intent;

/// The distance at which an AI has arrived.
const ARRIVED_M: f32 = 0.57;

/// The state of an AI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BrainState {
    /// It has just spawned.
    #[default]
    Spawned,
    /// It chooses a bounty.
    FindBounty,
    /// It sees no bounty and wanders.
    Wander,
    /// It goes to a bounty.
    MoveToBounty,
    /// The bounty is gone.
    BountyCollected,
    /// It goes home to unload.
    StashBounty,
}

impl State for BrainState {
    const TRANSITIONS: &'static [(Self, Self)] = &[
        (Spawned, FindBounty),
        (FindBounty, Wander),
        (FindBounty, MoveToBounty),
        (FindBounty, StashBounty),
        (Wander, FindBounty),
        (MoveToBounty, BountyCollected),
        (BountyCollected, FindBounty),
        (BountyCollected, StashBounty),
        (StashBounty, FindBounty),
    ];
}

/// The bounty that an AI has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// Its key.
    pub key: u64,
    /// Where it was last seen, metres.
    pub position: Vec2,
}

/// What an AI remembers from step to step; the default is that of a spawned one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Brain {
    /// Its state.
    pub state: StateMachine<BrainState>,
    /// Its target; only in [`BrainState::MoveToBounty`] and the step after.
    pub target: Option<Target>,
    /// Its intent in the last step.
    pub last_intent: Intent,
}

/// All that an AI knows in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Senses<'a> {
    /// The pose of its collector.
    pub me: Pose,
    /// The top speeds of its collector.
    pub agility: Agility,
    /// The solid walls and the size of the world.
    pub surroundings: Surroundings<'a>,
    /// The load of its collector as a share of the capacity.
    pub pocket_fullness: f32,
    /// The position of its stash, metres.
    pub home: Vec2,
    /// The distance at which its collector can touch its stash: half the diagonals of both.
    pub home_reach_m: f32,
    /// Bounties in its radar, longest-seen first.
    pub seen_bounties: &'a [Seen],
    /// Collectors in its avoider.
    pub threats: &'a [Threat],
    /// Other collectors in its radar; only while it chooses a bounty.
    pub rivals: &'a [Rival],
    /// What its pocket can still take, points.
    pub room: f32,
    /// Whether the bounty of [`Brain::target`] still exists; ignored without a target.
    pub target_is_there: bool,
    /// Seconds left to deliver: until the clock stands still, or the collector starves.
    pub clock_seconds: f32,
}

impl Brain {
    /// Where it is going, if anywhere; for debug drawing.
    #[must_use]
    pub fn goal(&self, home: Vec2) -> Option<Vec2> {
        if self.state.current() == StashBounty { Some(home) } else { self.target.map(|target| target.position) }
    }

    /// Changes the state.
    ///
    /// # Panics
    /// If the table of transitions forbids the change; the message names both states.
    fn step(&mut self, next: Next<BrainState>) {
        for hook in self.state.step(next).unwrap_or_else(|error| panic!("invalid state of an AI: {error}")) {
            if let Hook::Left(Spawned | BountyCollected) = hook {
                self.target = None;
            }
        }
    }
}

/// Runs one step: acts by the state and changes it for the next step.
///
/// States that only decide last one step, in which the collector keeps its last intent.
pub fn think(brain: &mut Brain, profile: &AiProfile, senses: &Senses<'_>, random: &mut RandomStream) -> Intent {
    let (intent, next) = match brain.state.current() {
        Spawned => (Intent::IDLE, Next::Change(FindBounty)),
        FindBounty => find_bounty(brain, profile, senses),
        Wander => {
            let is_staying = random.chance(profile.wander_chance) && !wants_home(profile, senses);
            let is_left = random.chance(0.5);
            let next = if is_staying { Next::Stay } else { Next::Change(FindBounty) };
            let wandering = || wander(profile, brain.last_intent.turn, is_left);
            (past_threats(profile, senses).unwrap_or_else(wandering), next)
        }
        MoveToBounty => move_to_bounty(brain, profile, senses),
        BountyCollected => {
            let next = if wants_home(profile, senses) { StashBounty } else { FindBounty };
            (past_threats(profile, senses).unwrap_or(brain.last_intent), Next::Change(next))
        }
        StashBounty => {
            let is_done = senses.pocket_fullness <= 0.0 || senses.distance_m(senses.home) <= ARRIVED_M;
            let next = if is_done { Next::Change(FindBounty) } else { Next::Stay };
            (go_to(profile, senses, senses.home), next)
        }
    };
    brain.step(next);
    brain.last_intent = intent.clamped();
    brain.last_intent
}

/// The index of the seen bounty that the profile's strategy chooses.
#[must_use]
pub fn choose_bounty(profile: &AiProfile, senses: &Senses<'_>) -> Option<usize> {
    let &Senses { me, agility, surroundings, seen_bounties, rivals, room, .. } = senses;
    match profile.strategy {
        Strategy::Foresight => choose_ahead(me, agility, room, seen_bounties, rivals, &surroundings),
        strategy => choose(strategy, me.position, seen_bounties, surroundings.half_extent_m),
    }
}

/// How much the profile's strategy wants a seen bounty, for explanations; see [`score`].
#[must_use]
pub fn score_of(profile: &AiProfile, senses: &Senses<'_>, bounty: &Seen) -> f32 {
    let &Senses { me, agility, surroundings, rivals, room, .. } = senses;
    match profile.strategy {
        Strategy::Foresight => score_ahead(me, agility, room, bounty, rivals, &surroundings),
        strategy => score(strategy, me.position, bounty, surroundings.half_extent_m),
    }
}

fn find_bounty(brain: &mut Brain, profile: &AiProfile, senses: &Senses<'_>) -> (Intent, Next<BrainState>) {
    let found = choose_bounty(profile, senses);
    let next = if wants_home(profile, senses) {
        StashBounty
    } else if let Some(bounty) = found.and_then(|index| senses.seen_bounties.get(index)) {
        brain.target = Some(Target { key: bounty.key, position: bounty.position });
        MoveToBounty
    } else {
        Wander
    };
    (past_threats(profile, senses).unwrap_or(brain.last_intent), Next::Change(next))
}

fn move_to_bounty(brain: &mut Brain, profile: &AiProfile, senses: &Senses<'_>) -> (Intent, Next<BrainState>) {
    let Some(target) = &mut brain.target else { return (brain.last_intent, Next::Change(BountyCollected)) };
    if let Some(seen) = senses.seen_bounties.iter().find(|seen| seen.key == target.key) {
        target.position = seen.position;
    }
    let place = target.position;
    // At the remembered position without a bounty: it has moved.
    let is_over = !senses.target_is_there || senses.distance_m(place) <= ARRIVED_M;
    let gives_up = is_over || (is_late(profile, senses) && can_stash(senses));
    let next = if gives_up { Next::Change(BountyCollected) } else { Next::Stay };
    (go_to(profile, senses, place), next)
}

fn go_to(profile: &AiProfile, senses: &Senses<'_>, place: Vec2) -> Intent {
    past_threats(profile, senses)
        .unwrap_or_else(|| seek(profile, senses.agility, senses.me, place, senses.surroundings.half_extent_m))
}

fn past_threats(profile: &AiProfile, senses: &Senses<'_>) -> Option<Intent> {
    avoid(profile, senses.me, senses.threats, senses.surroundings.half_extent_m)
}

/// Whether to go home: the load is enough, or there is no time for more.
#[must_use]
pub fn wants_home(profile: &AiProfile, senses: &Senses<'_>) -> bool {
    (senses.pocket_fullness >= profile.stash_threshold || is_late(profile, senses)) && can_stash(senses)
}

/// Whether the clock leaves at most the way home and the profile's margin.
#[must_use]
pub fn is_late(profile: &AiProfile, senses: &Senses<'_>) -> bool {
    let way_home_seconds = senses.distance_m(senses.home) / senses.agility.max_speed_mps;
    senses.clock_seconds <= way_home_seconds + profile.hurry_home_seconds
}

/// Whether it carries anything and is away from its stash: it can unload only at a new contact.
fn can_stash(senses: &Senses<'_>) -> bool {
    senses.pocket_fullness > 0.0 && senses.distance_m(senses.home) > senses.home_reach_m
}

impl Senses<'_> {
    fn distance_m(&self, place: Vec2) -> f32 {
        wrapped_delta(self.me.position, place, self.surroundings.half_extent_m).length()
    }
}

#[cfg(test)]
mod tests;
