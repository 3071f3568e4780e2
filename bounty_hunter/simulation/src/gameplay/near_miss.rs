//! Near misses: with the rule set `chain`, two collectors that pass each other closely and fast earn a link each,
//! unless they are partners.

use ecs::{EntityId, IncludeDisabled, Query, Res, ResMut, Sender, Setup, System, With};
use glam::Vec2;

use crate::data::arena::wrapped_delta;
use crate::data::config::{ChainRules, MatchRules};
use crate::data::grid::{Disc, Grid};
use crate::events::NearMissed;
use crate::gameplay::statistics::{Statistics, add_one};
use crate::objects::collector::{Collector, Pocket};
use crate::objects::game_object::{Life, RigidBody, Transform};
use crate::objects::ghost::Ghost;
use crate::objects::motion::Motion;
use crate::objects::team::{Team, are_partners};
use crate::physics::{Physics, Velocity};

/// Finds near misses after each step, and adds the links.
#[derive(Clone, Debug, Default)]
pub struct NearMisses {
    /// Solid collectors; the list and the grid are rebuilt in each step and keep their memory.
    fliers: Vec<Flier>,
    near: Grid,
}

type FlierItem<'q> = (EntityId, &'q Transform, &'q RigidBody, &'q Life, Option<&'q Ghost>, Option<&'q Team>);

#[derive(Clone, Copy, Debug)]
struct Flier {
    entity: EntityId,
    position: Vec2,
    velocity: Velocity,
    team: Option<Team>,
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
        for (entity, transform, body, life, ghost, team) in &collectors {
            let Some(velocity) = physics.velocity(body.0) else { continue };
            if life.is_alive && ghost.is_none() {
                fliers.push(Flier { entity, position: transform.pose.position, velocity, team: team.copied() });
            }
        }
        let half_extent_m = rules.world_half_extent_m;
        let discs = (0..).zip(&*fliers).map(|(key, flier)| Disc { key, position: flier.position, radius_m: 0.0 });
        near.fill(half_extent_m, discs);
        // Within the step, both have driven on from the place where they were nearest.
        let fastest_mps = fliers.iter().map(|flier| flier.velocity.linear.length()).fold(0.0, f32::max);
        let reach_m = chain.near_miss_m + 2.0 * fastest_mps * time.delta_seconds();
        for (index, one) in (0_u64..).zip(&*fliers) {
            near.visit_near(one.position, Vec2::splat(reach_m), |disc| {
                let other = &fliers[disc.key as usize];
                let delta = wrapped_delta(one.position, other.position, half_extent_m);
                let velocities = [one.velocity, other.velocity];
                let are_rivals = !are_partners(one.team.as_ref(), other.team.as_ref());
                if disc.key > index && are_rivals && is_near_miss(chain, delta, velocities, time.delta_seconds()) {
                    let (a, b) = (one.entity.min(other.entity), one.entity.max(other.entity));
                    missed.send(NearMissed { a, b });
                }
            });
        }
    }

    fn on_missed(
        &mut self,
        event: &NearMissed,
        mut pockets: Query<(&mut Pocket, &Life)>,
        collectors: Query<&Collector, IncludeDisabled>,
        mut statistics: ResMut<Statistics>,
    ) {
        for collector in [event.a, event.b] {
            statistics.note(&collectors, collector, |player| add_one(&mut player.near_misses));
            if let Some((pocket, life)) = pockets.get_mut(collector)
                && life.is_alive
                && pocket.carried > 0.0
            {
                pocket.links = pocket.links.saturating_add(1);
            }
        }
    }
}

/// Whether two collectors came nearest to each other in the step that has just ended, near enough and fast enough: they
/// approached before the step and recede after it, as they drive on curves. `delta` is the way from the first to the
/// second at its end, metres.
fn is_near_miss(chain: &ChainRules, delta: Vec2, velocities: [Velocity; 2], step_seconds: f32) -> bool {
    let [now, before] = [0.0, -step_seconds].map(|since_seconds| {
        let [one, other] = velocities.map(|velocity| turned(velocity.linear, velocity.angular * since_seconds));
        other - one
    });
    let speed_mps = now.length();
    if speed_mps < chain.near_miss_mps || speed_mps <= 0.0 {
        return false;
    }
    let delta_before = delta - now * step_seconds;
    let is_past = delta_before.dot(before) < 0.0 && delta.dot(now) >= 0.0;
    let since_seconds = (delta.dot(now) / (speed_mps * speed_mps)).clamp(0.0, step_seconds);
    let nearest_m = (delta - now * since_seconds).length();
    is_past && nearest_m <= chain.near_miss_m
}

/// A vector that is turned by a small angle, radians; the same on all platforms.
fn turned(vector: Vec2, angle_rad: f32) -> Vec2 {
    let (sin, cos) = (libm::sinf(angle_rad), libm::cosf(angle_rad));
    Vec2::new(cos * vector.x - sin * vector.y, sin * vector.x + cos * vector.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAIN: ChainRules = ChainRules::SAMPLE;

    const STEP_SECONDS: f32 = 1.0 / 60.0;

    /// The misses of a collector that flies from a place with this speed and turning speed, past one that stands still
    /// at the centre.
    fn misses(mut place: Vec2, speed_mps: f32, turn_radps: f32, steps: u32) -> usize {
        let mut linear = Vec2::new(0.0, -speed_mps);
        let fly = |_| {
            linear = turned(linear, turn_radps * STEP_SECONDS);
            place += linear * STEP_SECONDS;
            let [standing, flying] =
                [(Vec2::ZERO, 0.0), (linear, turn_radps)].map(|(linear, angular)| Velocity { linear, angular });
            is_near_miss(&CHAIN, place, [standing, flying], STEP_SECONDS)
        };
        (0..steps).map(fly).filter(|is_miss| *is_miss).count()
    }

    #[test]
    fn collectors_that_pass_each_other_miss_once() {
        let straight = |gap_m: f32, speed_mps: f32| misses(Vec2::new(gap_m, 20.1), speed_mps, 0.0, 240);
        assert_eq!((straight(3.9, 50.0), straight(-3.9, 50.0), straight(0.0, 20.0)), (1, 1, 1));
        assert_eq!((straight(4.1, 50.0), straight(3.9, 19.0), straight(3.9, 0.0)), (0, 0, 0));
    }

    #[test]
    fn whoever_turns_while_it_passes_misses_once() {
        for turn_radps in [-1.5, -0.7, 0.3, 1.1, 1.5] {
            for hundredths in 0..100_u8 {
                let place = Vec2::new(1.0 + f32::from(hundredths) / 100.0, 4.0 + f32::from(hundredths) / 50.0);
                // A part of a turn, which does not come back.
                assert_eq!(misses(place, 25.0, turn_radps, 40), 1, "{turn_radps} rad/s from {place}");
            }
        }
    }

    #[test]
    fn circle_around_a_collector_is_no_near_miss() {
        let (speed_mps, turn_radps) = (25.0, 2.0 * std::f32::consts::PI);
        let radius_m = speed_mps / turn_radps;
        assert!(radius_m < CHAIN.near_miss_m);
        // The end of a chord of the circle.
        let place = Vec2::new(radius_m, -0.5 * speed_mps * STEP_SECONDS);
        assert_eq!(misses(place, speed_mps, -turn_radps, 240), 0, "around the centre");
        // Off the centre it comes nearest once in each turn.
        let aside = misses(Vec2::new(radius_m - 0.3, 0.0), speed_mps, -turn_radps, 240);
        assert!((3..=5).contains(&aside), "{aside} in four turns");
    }
}
