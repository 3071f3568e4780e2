//! The magnet: pulls nearby bounties towards its caster for a while.

use ecs::{Commands, EntityId, IncludeDisabled, Query, Res, ResMut, Setup, System, Time, With};
use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::data::arena::wrapped_delta;
use crate::data::config::MatchRules;
use crate::events::GameObjectKilled;
use crate::objects::bounty::Bounty;
use crate::objects::game_object::{RigidBody, Transform};
use crate::objects::motion::Motion;
use crate::physics::Physics;

/// Component of a collector that pulls bounties; removed when its time is over or its collector dies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Magnet {
    /// Seconds left.
    pub left_seconds: f32,
}

/// Pulls bounties and removes expired magnets.
///
/// A bounty moves to the nearest magnet in range, by the shortest way around the world. It moves by its velocity, so
/// solid walls stop it, and it stops when no magnet pulls it.
#[derive(Debug, Default)]
pub struct Magnets {
    /// Positions of the magnets; rebuilt in each step, keeps its memory.
    centers: Vec<Vec2>,
}

impl System for Magnets {
    fn setup(setup: &mut Setup<Self>) {
        setup.before_type::<Motion>().update(Self::pull).update(Self::count_down).listen(Self::on_killed);
    }
}

impl Magnets {
    fn pull(
        &mut self,
        time: Time,
        magnets: Query<&Transform, With<Magnet>>,
        bounties: Query<(&Transform, &RigidBody), With<Bounty>>,
        rules: Res<MatchRules>,
        mut physics: ResMut<Physics>,
    ) {
        let Some(spells) = &rules.options.spells else { return };
        self.centers.clear();
        self.centers.extend(magnets.iter().map(|transform| transform.pose.position));
        for (transform, body) in &bounties {
            let ways = self
                .centers
                .iter()
                .map(|center| wrapped_delta(transform.pose.position, *center, rules.world_half_extent_m));
            let way = shortest(ways).filter(|way| way.length() <= spells.magnet_range_m);
            let velocity = way.map_or(Vec2::ZERO, |way| pull_mps(way, spells.magnet_speed_mps, time.delta_seconds()));
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
        mut magnets: Query<&mut Magnet, IncludeDisabled>,
        mut commands: Commands,
    ) {
        if let Some(magnet) = magnets.get_mut(event.entity).filter(|magnet| magnet.left_seconds > 0.0) {
            magnet.left_seconds = 0.0;
            commands.remove::<Magnet>(event.entity);
        }
    }
}

/// The shortest vector; the first one of a tie.
fn shortest(ways: impl Iterator<Item = Vec2>) -> Option<Vec2> {
    ways.min_by(|one, other| one.length_squared().total_cmp(&other.length_squared()))
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
    fn first_of_equal_vectors_is_the_shortest() {
        let ways = [Vec2::new(9.0, 0.0), Vec2::new(0.0, 2.0), Vec2::new(2.0, 0.0)];
        assert_eq!(shortest(ways.into_iter()), Some(Vec2::new(0.0, 2.0)));
        assert_eq!(shortest([].into_iter()), None);
    }
}
