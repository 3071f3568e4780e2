//! The magnet: pulls nearby bounties towards its caster for a while.

use ecs::{Commands, EntityId, IncludeDisabled, Query, Res, ResMut, Setup, System, Time, With};
use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::data::arena::wrapped_delta;
use crate::data::config::MatchRules;
use crate::events::{GameObjectKilled, GameObjectSpawned};
use crate::objects::bounty::Bounty;
use crate::objects::game_object::{RigidBody, Transform};
use crate::objects::motion::Motion;
use crate::physics::Physics;

/// Component of a collector that pulls bounties; removed when its time is over or its collector dies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Magnet {
    /// Seconds left.
    pub left_seconds: f32,
    /// How far it reaches, metres.
    pub range_m: f32,
    /// How fast it pulls, metres per second.
    pub speed_mps: f32,
}

/// Pulls bounties and removes expired magnets.
///
/// A bounty moves to the nearest magnet that reaches it, by the shortest way around the world. It moves by its
/// velocity, so solid walls stop it, and it stops when no magnet pulls it.
#[derive(Debug, Default)]
pub struct Magnets {
    /// The magnets and their positions; rebuilt in each step, keeps its memory.
    magnets: Vec<(Magnet, Vec2)>,
}

impl System for Magnets {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .before_type::<Motion>()
            .update(Self::pull)
            .update(Self::count_down)
            .listen(Self::on_killed)
            .listen(Self::on_spawned);
    }
}

impl Magnets {
    fn pull(
        &mut self,
        time: Time,
        magnets: Query<(&Magnet, &Transform)>,
        bounties: Query<(&Transform, &RigidBody), With<Bounty>>,
        rules: Res<MatchRules>,
        mut physics: ResMut<Physics>,
    ) {
        self.magnets.clear();
        self.magnets.extend(magnets.iter().map(|(magnet, transform)| (*magnet, transform.pose.position)));
        for (transform, body) in &bounties {
            let ways = self.magnets.iter().map(|(magnet, center)| {
                (magnet, wrapped_delta(transform.pose.position, *center, rules.world_half_extent_m))
            });
            let nearest = nearest_in_range(ways);
            let velocity =
                nearest.map_or(Vec2::ZERO, |(magnet, way)| pull_mps(way, magnet.speed_mps, time.delta_seconds()));
            let is_moving = physics.velocity(body.0).is_some_and(|now| now.linear != Vec2::ZERO || now.angular != 0.0);
            if is_moving || velocity != Vec2::ZERO {
                physics.set_velocity(body.0, velocity, 0.0);
            }
        }
    }

    fn count_down(&mut self, time: Time, mut magnets: Query<(EntityId, &mut Magnet)>, mut commands: Commands) {
        for (entity, magnet) in &mut magnets {
            // Without time left it is already being removed.
            if magnet.left_seconds <= 0.0 {
                continue;
            }
            magnet.left_seconds = (magnet.left_seconds - time.delta_seconds()).max(0.0);
            if magnet.left_seconds == 0.0 {
                commands.remove::<Magnet>(entity);
            }
        }
    }

    /// A killed collector respawns without its magnet.
    fn on_killed(
        &mut self,
        event: &GameObjectKilled,
        magnets: Query<&mut Magnet, IncludeDisabled>,
        commands: Commands,
    ) {
        end(event.entity, magnets, commands);
    }

    /// Nor does it keep one that it took in the step in which it died.
    fn on_spawned(
        &mut self,
        event: &GameObjectSpawned,
        magnets: Query<&mut Magnet, IncludeDisabled>,
        commands: Commands,
    ) {
        end(event.entity, magnets, commands);
    }
}

fn end(collector: EntityId, mut magnets: Query<&mut Magnet, IncludeDisabled>, mut commands: Commands) {
    if let Some(magnet) = magnets.get_mut(collector).filter(|magnet| magnet.left_seconds > 0.0) {
        magnet.left_seconds = 0.0;
        commands.remove::<Magnet>(collector);
    }
}

/// The nearest magnet that reaches so far, and the way to it; the first one of a tie.
fn nearest_in_range<'a>(ways: impl Iterator<Item = (&'a Magnet, Vec2)>) -> Option<(&'a Magnet, Vec2)> {
    ways.filter(|(magnet, way)| way.length() <= magnet.range_m)
        .min_by(|(_, one), (_, other)| one.length_squared().total_cmp(&other.length_squared()))
}

/// The velocity along `way`, capped to reach its end within a step.
fn pull_mps(way: Vec2, speed_mps: f32, step_seconds: f32) -> Vec2 {
    way.clamp_length_max(speed_mps * step_seconds) / step_seconds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pull_is_at_full_speed_and_never_overshoots() {
        assert_eq!(pull_mps(Vec2::new(0.0, 10.0), 5.0, 0.5), Vec2::new(0.0, 5.0));
        assert_eq!(pull_mps(Vec2::new(-1.0, 0.0), 5.0, 0.5), Vec2::new(-2.0, 0.0));
        assert_eq!(pull_mps(Vec2::ZERO, 5.0, 0.5), Vec2::ZERO);
    }

    #[test]
    fn nearest_magnet_that_reaches_so_far_pulls_and_the_first_of_a_tie() {
        let magnet = |range_m| Magnet { left_seconds: 1.0, range_m, speed_mps: 5.0 };
        let (short, long) = (magnet(1.0), magnet(9.0));
        let ways = [(&long, Vec2::new(9.0, 0.0)), (&long, Vec2::new(0.0, 2.0)), (&long, Vec2::new(2.0, 0.0))];
        let found =
            |ways: &[(&Magnet, Vec2)]| nearest_in_range(ways.iter().map(|(one, way)| (*one, *way))).map(|it| it.1);
        assert_eq!(found(&ways), Some(Vec2::new(0.0, 2.0)));
        assert_eq!(found(&[(&short, Vec2::new(2.0, 0.0)), (&long, Vec2::new(3.0, 0.0))]), Some(Vec2::new(3.0, 0.0)));
        assert_eq!((found(&[(&short, Vec2::new(2.0, 0.0))]), found(&[])), (None, None));
    }
}
