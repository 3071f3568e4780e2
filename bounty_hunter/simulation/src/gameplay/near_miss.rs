//! Near misses: with the rule set `chain`, two collectors that pass each other closely and fast earn a link each.

use ecs::{EntityId, Query, Res, Sender, Setup, System, With};
use glam::Vec2;

use crate::data::arena::wrapped_delta;
use crate::data::config::{ChainRules, MatchRules};
use crate::data::grid::{Disc, Grid};
use crate::events::NearMissed;
use crate::objects::collector::{Collector, Pocket};
use crate::objects::game_object::{Life, RigidBody, Transform};
use crate::objects::ghost::Ghost;
use crate::objects::motion::Motion;
use crate::physics::Physics;

/// Finds near misses after each step, and adds the links.
#[derive(Clone, Debug, Default)]
pub struct NearMisses {
    /// Solid collectors; the list and the grid are rebuilt in each step and keep their memory.
    fliers: Vec<Flier>,
    near: Grid,
}

type FlierItem<'q> = (EntityId, &'q Transform, &'q RigidBody, &'q Life, Option<&'q Ghost>);

#[derive(Clone, Copy, Debug)]
struct Flier {
    entity: EntityId,
    position: Vec2,
    velocity_mps: Vec2,
}

impl System for NearMisses {
    fn setup(setup: &mut Setup<Self>) {
        setup.after_type::<Motion>().update(Self::find).listen(Self::on_missed);
    }
}

impl NearMisses {
    fn find(
        &mut self,
        time: ecs::Time,
        rules: Res<MatchRules>,
        physics: Res<Physics>,
        collectors: Query<FlierItem<'_>, With<Collector>>,
        mut missed: Sender<NearMissed>,
    ) {
        let Some(chain) = &rules.options.chain else { return };
        let Self { fliers, near } = self;
        fliers.clear();
        for (entity, transform, body, life, ghost) in &collectors {
            let Some(velocity) = physics.velocity(body.0) else { continue };
            if life.is_alive && ghost.is_none() {
                fliers.push(Flier { entity, position: transform.pose.position, velocity_mps: velocity.linear });
            }
        }
        let half_extent_m = rules.world_half_extent_m;
        let discs = (0..).zip(&*fliers).map(|(key, flier)| Disc { key, position: flier.position, radius_m: 0.0 });
        near.fill(half_extent_m, discs);
        // Within the step, both have driven on from the place where they were nearest.
        let fastest_mps = fliers.iter().map(|flier| flier.velocity_mps.length()).fold(0.0, f32::max);
        let reach_m = chain.near_miss_m + 2.0 * fastest_mps * time.delta_seconds();
        for (index, one) in (0_u64..).zip(&*fliers) {
            near.visit_near(one.position, Vec2::splat(reach_m), |disc| {
                let other = &fliers[disc.key as usize];
                let delta = wrapped_delta(one.position, other.position, half_extent_m);
                let velocity_mps = other.velocity_mps - one.velocity_mps;
                if disc.key > index && is_near_miss(chain, delta, velocity_mps, time.delta_seconds()) {
                    let (a, b) = (one.entity.min(other.entity), one.entity.max(other.entity));
                    missed.send(NearMissed { a, b });
                }
            });
        }
    }

    fn on_missed(&mut self, event: &NearMissed, mut pockets: Query<(&mut Pocket, &Life)>) {
        for collector in [event.a, event.b] {
            if let Some((pocket, life)) = pockets.get_mut(collector)
                && life.is_alive
                && pocket.carried > 0.0
            {
                pocket.links = pocket.links.saturating_add(1);
            }
        }
    }
}

/// Whether two collectors were nearest to each other in the step that has just ended, near enough and fast enough.
/// `delta` is the way from one to the other at its end, metres.
fn is_near_miss(chain: &ChainRules, delta: Vec2, velocity_mps: Vec2, step_seconds: f32) -> bool {
    let speed_mps = velocity_mps.length();
    if speed_mps < chain.near_miss_mps || speed_mps <= 0.0 {
        return false;
    }
    let since_seconds = delta.dot(velocity_mps) / (speed_mps * speed_mps);
    let nearest_m = (delta - velocity_mps * since_seconds).length();
    (0.0..step_seconds).contains(&since_seconds) && nearest_m <= chain.near_miss_m
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAIN: ChainRules = ChainRules::SAMPLE;

    #[test]
    fn collectors_that_pass_each_other_miss_once() {
        let step_seconds = 1.0 / 60.0;
        let misses = |gap_m: f32, speed_mps: f32| {
            let velocity = Vec2::new(0.0, -speed_mps);
            let at = |step: i32| Vec2::new(gap_m, 20.1) + velocity * (step as f32 * step_seconds);
            (0..240).filter(|step| is_near_miss(&CHAIN, at(*step), velocity, step_seconds)).count()
        };
        assert_eq!((misses(3.9, 50.0), misses(-3.9, 50.0), misses(0.0, 20.0)), (1, 1, 1));
        assert_eq!((misses(4.1, 50.0), misses(3.9, 19.0), misses(3.9, 0.0)), (0, 0, 0));
    }
}
