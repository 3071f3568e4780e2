//! AIs that control collectors. They know only what they see, and yield an intent, as a keyboard does.

use ecs::{EntityId, Query, Res, Setup, System};
use serde::{Deserialize, Serialize};

use crate::ai::{
    Agility, Brain, Seen, Senses as Sensed, Surroundings, Threat, around_walls, looks_for_power_ups, sight_power_up,
    think,
};
use crate::control::senses::{BountyRadar, CollectorAvoider, USUAL_SIGHTINGS};
use crate::data::config::{AiProfile, MatchRules};
use crate::data::grid::{Disc, Grid};
use crate::events::GameObjectSpawned;
use crate::gameplay::match_flow::GameFlow;
use crate::gameplay::player::Players;
use crate::objects::bounty::Bounty;
use crate::objects::capacity::Capacity;
use crate::objects::collector::{Collector, Controls, Drive, DriveCollectors, Pocket};
use crate::objects::game_object::Transform;
use crate::objects::ghost::Ghost;
use crate::objects::power_up::PowerUp;
use crate::objects::wall::SolidWalls;
use crate::physics::Shape;
use crate::random::RandomStream;

/// Component of a collector that an AI drives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AiController {
    /// Index into the [`Profiles`].
    pub profile: usize,
    /// Its memory.
    pub brain: Brain,
    /// Its random stream.
    pub random: RandomStream,
    /// Position of its stash, metres.
    pub home: glam::Vec2,
    /// A person has taken over the control.
    pub is_relieved: bool,
}

/// Resource: the AI profiles of this match. Constant while a match runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Profiles(pub Vec<AiProfile>);

/// Runs the AIs and sets the intents of their collectors.
#[derive(Clone, Debug)]
pub struct AiControllers {
    seen: Vec<Seen>,
    threats: Vec<Threat>,
    power_ups: Grid,
}

impl Default for AiControllers {
    fn default() -> Self {
        let (seen, threats) = (Vec::with_capacity(USUAL_SIGHTINGS), Vec::with_capacity(USUAL_SIGHTINGS));
        Self { seen, threats, power_ups: Grid::default() }
    }
}

impl System for AiControllers {
    fn setup(setup: &mut Setup<Self>) {
        setup.before::<DriveCollectors>().update(Self::think).listen(Self::on_spawned);
    }
}

impl AiControllers {
    #[allow(clippy::type_complexity, clippy::too_many_arguments)]
    fn think(
        &mut self,
        mut controllers: Query<(
            (&mut AiController, &mut Controls, &Pocket, &BountyRadar, &CollectorAvoider, Option<&Ghost>),
            (&Collector, &Transform, &Drive, &Capacity, &Shape),
        )>,
        bounties: Query<(&Bounty, &Transform)>,
        power_ups: Query<(EntityId, &Transform), ecs::With<PowerUp>>,
        objects: Query<(&Transform, &Shape)>,
        (profiles, players): (Res<Profiles>, Res<Players>),
        rules: Res<MatchRules>,
        flow: Res<GameFlow>,
        walls: Res<SolidWalls>,
    ) {
        let half_extent_m = rules.world_half_extent_m;
        self.power_ups.fill(
            half_extent_m,
            power_ups.iter().map(|(entity, place)| Disc {
                key: entity.bits(),
                position: place.pose.position,
                radius_m: 0.0,
            }),
        );
        for ((ai_controller, controls, pocket, radar, avoider, ghost), (collector, transform, can, capacity, shape)) in
            &mut controllers
        {
            let Some(profile) = profiles.0.get(ai_controller.profile).filter(|_| !ai_controller.is_relieved) else {
                continue;
            };
            let agility = Agility { max_speed_mps: can.max_speed_mps, max_turn_radps: can.max_turn_radps };
            let stash = players.0.get(collector.player as usize).and_then(|player| objects.get(player.stash));
            let stash_half_m = stash.map_or(0.0, |(_, shape)| shape.half_extent_m());
            let surroundings =
                Surroundings { walls: &walls.blocks, collector_half_extent_m: shape.half_extent_m(), half_extent_m };
            // A bounty that has died stays in the radar until the AI looks again.
            self.seen.clear();
            self.seen.extend(radar.bounties.as_slice().iter().filter_map(|seen| {
                let (bounty, place) = bounties.get(*seen)?;
                Some(Seen { key: seen.bits(), position: place.pose.position, value: bounty.value })
            }));
            if looks_for_power_ups(ai_controller.brain.state.current(), ghost.is_some()) {
                let (first, reach) = (self.seen.len(), glam::Vec2::splat(profile.radar_range_m));
                self.power_ups.visit_near(transform.pose.position, reach, |disc| {
                    let power_up = (disc.key, disc.position);
                    self.seen.extend(sight_power_up(profile, transform.pose, power_up, half_extent_m));
                });
                self.seen[first..].sort_unstable_by_key(|seen| seen.key);
            }
            self.threats.clear();
            self.threats.extend(avoider.collectors.as_slice().iter().filter_map(|threat| {
                let pose = objects.get(*threat)?.0.pose;
                Some(Threat { position: pose.position, heading: pose.heading })
            }));
            let target = ai_controller.brain.target;
            let senses = Sensed {
                me: transform.pose,
                agility,
                half_extent_m,
                pocket_fullness: pocket.carried / capacity.points,
                home: ai_controller.home,
                home_reach_m: std::f32::consts::SQRT_2 * (shape.half_extent_m() + stash_half_m),
                seen_bounties: &self.seen,
                threats: &self.threats,
                target_is_there: target.is_some_and(|target| {
                    let entity = EntityId::from_bits(target.key);
                    bounties.contains(entity) || power_ups.contains(entity)
                }),
                clock_seconds: flow.clock_seconds(),
            };
            let goal = ai_controller.brain.goal(ai_controller.home);
            let intent = think(&mut ai_controller.brain, profile, &senses, &mut ai_controller.random);
            controls.intent = if self.threats.is_empty() {
                around_walls(intent, profile, agility, transform.pose, goal, &surroundings)
            } else {
                intent
            };
        }
    }

    /// A respawned collector starts with a fresh memory.
    fn on_spawned(
        &mut self,
        event: &GameObjectSpawned,
        mut controllers: Query<&mut AiController, ecs::IncludeDisabled>,
    ) {
        if let Some(ai_controller) = controllers.get_mut(event.entity) {
            ai_controller.brain = Brain::default();
        }
    }
}
