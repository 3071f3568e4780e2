//! Gold rushes: with this rule set one bounty of great worth appears from time to time, is announced before, and drives
//! through the arena until a collector takes it or it fades.
//!
//! It drives on a curve and bounces off whatever stops it. What does not fit into the pocket of its collector spills as
//! usual bounties.

use std::f32::consts::PI;

use ecs::{EntityId, IncludeDisabled, Query, Random, Res, ResMut, Sender, Setup, System, Time, With};
use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::data::arena::{Pose, forward, heading_along};
use crate::data::config::MatchRules;
use crate::events::{BountyCollected, GameObjectSpawned, SpawnGameObject};
use crate::gameplay::load::{LoseLoads, SpillPool};
use crate::gameplay::statistics::{Statistics, add_one};
use crate::objects::bounty::{DealBounties, Spilled, Worth};
use crate::objects::collector::{Collector, DriveCollectors};
use crate::objects::game_object::{Life, RigidBody, Transform};
use crate::objects::gold::Gold;
use crate::objects::lifetime::Lifetime;
use crate::objects::motion::Motion;
use crate::objects::respawn::Spawn;
use crate::objects::wall::SolidWalls;
use crate::physics::Physics;
use crate::random::GoldRushes;

/// The gold fades in its last seconds only.
const FADING_SECONDS: f32 = 3.0;
/// Distance of what spills from the collector, metres: out of its reach for a moment.
const SPILL_M: f32 = 7.0;
/// Something has stopped the gold if less than this share of its speed is left.
const STOPPED_SHARE: f32 = 0.9;

/// Resource: the gold of a match and its next rush. Written by [`RushForGold`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GoldRush {
    /// The gold, in the arena or not.
    pub gold: EntityId,
    /// It appears at most so far from the centre, metres.
    pub region_m: f32,
    /// The next rush; `None` while the gold is in the arena, and before the first step of a match.
    pub next: Option<NextRush>,
    /// The direction in which the gold drives, radians.
    pub heading: f32,
    /// How fast it turns, radians per second.
    pub turn_radps: f32,
    /// Whether it has driven since it appeared.
    pub is_driven: bool,
}

/// A gold rush to come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NextRush {
    /// Seconds until the gold appears.
    pub in_seconds: f32,
    /// The pose in which the gold appears.
    pub at: Pose,
}

/// Lets the gold appear, drives it, and spills what a pocket cannot hold of it.
#[derive(Debug, Default)]
pub struct RushForGold;

impl System for RushForGold {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .after_type::<DriveCollectors>()
            .after_type::<DealBounties>()
            .after_type::<LoseLoads>()
            .before_type::<Motion>()
            .pre_update(Self::bounce)
            .update(Self::wait)
            .update(Self::drive)
            .listen(Self::on_spawned)
            .listen(Self::on_collected);
    }
}

impl RushForGold {
    /// Turns the gold where something has stopped it in the last step.
    fn bounce(
        &mut self,
        gold: Query<&RigidBody, With<Gold>>,
        rules: Res<MatchRules>,
        physics: Res<Physics>,
        mut rush: ResMut<GoldRush>,
    ) {
        let Some(options) = &rules.options.gold_rush else { return };
        let velocity = gold.get(rush.gold).and_then(|body| physics.velocity(body.0));
        if let Some(velocity) = velocity.filter(|_| rush.is_driven) {
            rush.heading = bounced(rush.heading, options.speed_mps, velocity.linear);
        }
    }

    /// Counts down to the next rush while the gold is not in the arena.
    fn wait(
        &mut self,
        time: Time,
        absent: Query<(&Worth, &Life), (With<Gold>, IncludeDisabled)>,
        (rules, walls): (Res<MatchRules>, Res<SolidWalls>),
        mut rush: ResMut<GoldRush>,
        mut random: Random<GoldRushes>,
        mut spawns: Sender<SpawnGameObject>,
    ) {
        let Some(options) = &rules.options.gold_rush else { return };
        let Some((worth, _)) = absent.get(rush.gold).filter(|(_, life)| !life.is_alive) else { return };
        let mut next = rush.next.unwrap_or_else(|| {
            let (shortest, longest) = options.wait_seconds;
            let place = Spawn::Region(rush.region_m);
            NextRush {
                in_seconds: random.between(shortest, longest),
                at: place.pose_with_room(&walls, worth.half_extent_m.1, &mut random),
            }
        });
        next.in_seconds -= time.delta_seconds();
        rush.next = Some(next).filter(|next| next.in_seconds > 0.0);
        if rush.next.is_none() {
            rush.heading = random.between(-PI, PI);
            rush.turn_radps = random.between(-options.most_turn_radps, options.most_turn_radps);
            rush.is_driven = false;
            spawns.send(SpawnGameObject { entity: rush.gold, pose: next.at });
        }
    }

    fn drive(
        &mut self,
        time: Time,
        gold: Query<&RigidBody, With<Gold>>,
        rules: Res<MatchRules>,
        mut rush: ResMut<GoldRush>,
        mut physics: ResMut<Physics>,
    ) {
        let Some((options, body)) = rules.options.gold_rush.as_ref().zip(gold.get(rush.gold)) else { return };
        rush.heading = turned(rush.heading, rush.turn_radps * time.delta_seconds());
        rush.is_driven = physics.set_velocity(body.0, forward(rush.heading) * options.speed_mps, 0.0);
    }

    fn on_spawned(&mut self, event: &GameObjectSpawned, mut gold: Query<&mut Lifetime, (With<Gold>, IncludeDisabled)>) {
        if let Some(lifetime) = gold.get_mut(event.entity) {
            lifetime.fading_seconds = lifetime.fading_seconds.min(FADING_SECONDS);
            tracing::info!(target: "bounty_hunter::match", seconds = lifetime.left_seconds, "gold");
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn on_collected(
        &mut self,
        event: &BountyCollected,
        gold: Query<&Gold, IncludeDisabled>,
        collectors: Query<&Collector, IncludeDisabled>,
        places: Query<&Transform, With<Collector>>,
        bounties: Query<&mut Spilled, IncludeDisabled>,
        (rules, walls): (Res<MatchRules>, Res<SolidWalls>),
        (mut pool, mut statistics): (ResMut<SpillPool>, ResMut<Statistics>),
        spawns: Sender<SpawnGameObject>,
    ) {
        let BountyCollected { collector, bounty, value, lost } = *event;
        if !gold.contains(bounty) {
            return;
        }
        let noted = statistics.note(&collectors, collector, |player| add_one(&mut player.gold));
        let player = noted.map(|(player, _)| player);
        tracing::info!(target: "bounty_hunter::match", player, points = value, spilled_points = lost, "took the gold");
        if let Some((options, transform)) = rules.options.gold_rush.as_ref().zip(places.get(collector)) {
            pool.spill(options.spill(lost), (transform.pose, SPILL_M), &walls, bounties, spawns);
        }
    }
}

/// The direction after a step in which the gold drove along `heading` and `left_mps` was left of its velocity: the part
/// that it lost is turned around.
fn bounced(heading: f32, speed_mps: f32, left_mps: Vec2) -> f32 {
    let wanted_mps = forward(heading) * speed_mps;
    let is_free = left_mps.dot(wanted_mps) >= STOPPED_SHARE * speed_mps * speed_mps;
    if is_free { heading } else { heading_along(2.0 * left_mps - wanted_mps) }
}

/// A direction after a turn, from -π to π.
fn turned(heading: f32, by: f32) -> f32 {
    heading_along(forward(heading + by))
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_4;

    use super::*;

    #[test]
    fn gold_bounces_off_what_stops_it_and_drives_on_along_what_it_grazes() {
        let after = |heading: f32, left: Vec2| bounced(heading, 8.0, left);
        assert_eq!(after(0.3, forward(0.3) * 8.0), 0.3, "nothing was in its way");
        assert_eq!(after(0.3, forward(0.35) * 7.9), 0.3, "hardly anything");
        assert!((after(0.0, Vec2::ZERO).abs() - PI).abs() < 1e-6, "head-on");
        // Up and to the left, against a wall above.
        let along = Vec2::new(-8.0 * FRAC_PI_4.sin(), 0.0);
        assert!((after(FRAC_PI_4, along) - 3.0 * FRAC_PI_4).abs() < 1e-5);
    }
}
