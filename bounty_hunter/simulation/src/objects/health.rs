//! Health: a collision costs health, and what has none left dies.
//!
//! With the rule set, collectors have health and deal damage; any kind has and deals what its prefab says. An object
//! takes damage from each object with [`Damage`] that it touches, but not during the grace period after damage. It
//! gains health as long as it touches an object with [`Healing`]. What respawns has full health.

use ecs::{EntityId, IncludeDisabled, Query, Res, ResMut, Sender, Setup, System, Time};
use serde::{Deserialize, Serialize};

use crate::data::config::MatchRules;
use crate::data::limits;
use crate::events::{DamageTaken, GameObjectSpawned, KillGameObject, MineExploded};
use crate::gameplay::statistics::{Statistics, add_one};
use crate::objects::collector::Collector;
use crate::objects::game_object::Life;
use crate::objects::motion::Motion;
use crate::objects::powers::Powers;
use crate::objects::touch::Touching;

/// Component: the health of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Toughness {
    /// Health when it comes to life, points.
    #[serde(deserialize_with = "limits::read::points")]
    pub points: f32,
    /// How long further damage is ignored after damage.
    #[serde(default, deserialize_with = "limits::read::delay_seconds")]
    pub grace_seconds: f32,
}

/// Component: the health of an object. Written by [`DealDamage`] and [`React`](crate::gameplay::reactions::React).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Health {
    /// Points left; at 0 the object dies.
    pub left: f32,
    /// Points at its spawn.
    pub most: f32,
    /// Seconds left of the grace period.
    pub grace_left_seconds: f32,
}

impl Health {
    /// Full health of `most` points.
    #[must_use]
    pub fn full(most: f32) -> Self {
        Self { left: most, most, grace_left_seconds: 0.0 }
    }

    /// The points left as a share of all, 0 to 1.
    #[must_use]
    pub fn share(self) -> f32 {
        (self.left / self.most).clamp(0.0, 1.0)
    }

    /// Takes damage and starts a grace period, unless one runs. Returns whether damage was taken.
    pub fn take(&mut self, damage: Damage, grace_seconds: f32) -> bool {
        if self.grace_left_seconds > 0.0 || self.left <= 0.0 {
            return false;
        }
        self.left = (self.left - damage.points).max(0.0);
        self.grace_left_seconds = grace_seconds;
        true
    }

    /// Gives back points, up to all.
    pub fn heal(&mut self, points: f32) {
        self.left = (self.left + points).min(self.most);
    }
}

/// Component: the damage that an object deals to others that touch it. Constant during a match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Damage {
    /// Points of health.
    #[serde(deserialize_with = "limits::read::points")]
    pub points: f32,
}

/// Component: the health that an object gives to others as long as they touch it. Constant during a match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Healing {
    /// Points of health per second.
    #[serde(deserialize_with = "limits::read::points")]
    pub points_per_second: f32,
}

/// The seconds without further damage after damage.
pub(crate) fn grace_seconds(toughness: Option<&Toughness>, rules: &MatchRules) -> f32 {
    let by_rules = rules.options.health.as_ref().map_or(0.0, |health| health.grace_seconds);
    toughness.map_or(by_rules, |toughness| toughness.grace_seconds)
}

/// Applies damage and healing between touching objects, and kills those without health.
///
/// It runs before the contacts of a step are found, so a collector that it kills neither collects nor unloads in that
/// step.
#[derive(Debug, Default)]
pub struct DealDamage;

impl System for DealDamage {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .before_type::<Motion>()
            .update(Self::count_down)
            .update(Self::deal)
            .listen(Self::on_spawned)
            .listen(Self::on_damage_taken);
    }
}

impl DealDamage {
    fn count_down(&mut self, time: Time, mut healths: Query<&mut Health>) {
        for health in &mut healths {
            health.grace_left_seconds = (health.grace_left_seconds - time.delta_seconds()).max(0.0);
        }
    }

    fn deal(
        &mut self,
        (contacts, time): (Query<&Touching>, Time),
        (damages, healings): (Query<&Damage>, Query<&Healing>),
        mut victims: Query<VictimItem<'_>>,
        rules: Res<MatchRules>,
        mut taken: Sender<DamageTaken>,
        mut kills: Sender<KillGameObject>,
    ) {
        for &Touching { a, b } in &contacts {
            for (entity, by) in [(a, b), (b, a)] {
                let Some(mut victim) = victims.get_mut(entity) else { continue };
                let (health, life, ..) = &mut victim;
                // What has no health left dies in this step: nothing heals it.
                if let Some(healing) = healings.get(by).filter(|_| life.is_alive && health.left > 0.0) {
                    health.heal(healing.points_per_second * time.delta_seconds());
                }
                if let Some(damage) = damages.get(by) {
                    hurt((entity, victim), (by, *damage), &rules, &mut taken, &mut kills);
                }
            }
        }
    }

    fn on_spawned(&mut self, event: &GameObjectSpawned, mut healths: Query<&mut Health, IncludeDisabled>) {
        if let Some(health) = healths.get_mut(event.entity) {
            *health = Health::full(health.most);
        }
    }

    fn on_damage_taken(
        &mut self,
        event: &DamageTaken,
        collectors: Query<&Collector, IncludeDisabled>,
        mut statistics: ResMut<Statistics>,
    ) {
        let DamageTaken { entity, by, points } = *event;
        tracing::debug!(target: "bounty_hunter::match", %entity, %by, points, "hurt");
        statistics.note(&collectors, entity, |player| add_one(&mut player.hits));
    }
}

/// Lets mines deal the damage of collectors, in matches with both.
#[derive(Debug, Default)]
pub struct DealMineDamage;

impl System for DealMineDamage {
    fn setup(setup: &mut Setup<Self>) {
        setup.after_type::<DealDamage>().before_type::<Motion>().listen(Self::on_exploded);
    }
}

impl DealMineDamage {
    fn on_exploded(
        &mut self,
        event: &MineExploded,
        mut victims: Query<VictimItem<'_>>,
        rules: Res<MatchRules>,
        mut taken: Sender<DamageTaken>,
        mut kills: Sender<KillGameObject>,
    ) {
        let &MineExploded { mine: by, victim: entity, .. } = event;
        let damage = rules.options.health.as_ref().map(|health| Damage { points: health.damage });
        let Some((victim, damage)) = victims.get_mut(entity).zip(damage) else { return };
        hurt((entity, victim), (by, damage), &rules, &mut taken, &mut kills);
    }
}

/// What damage needs to know of its victim.
type VictimItem<'q> = (&'q mut Health, &'q Life, Option<&'q Toughness>, Option<&'q mut Powers>);

/// Lets a living object take damage; a shield takes it instead.
fn hurt(
    (entity, (health, life, toughness, powers)): (EntityId, VictimItem<'_>),
    (by, damage): (EntityId, Damage),
    rules: &MatchRules,
    taken: &mut Sender<DamageTaken>,
    kills: &mut Sender<KillGameObject>,
) {
    if !life.is_alive {
        return;
    }
    let grace_seconds = grace_seconds(toughness, rules);
    if health.grace_left_seconds <= 0.0 && powers.is_some_and(Powers::break_shield) {
        health.grace_left_seconds = grace_seconds;
    } else if health.take(damage, grace_seconds) {
        taken.send(DamageTaken { entity, by, points: damage.points });
        if health.left <= 0.0 {
            kills.send(KillGameObject { entity });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_taken_once_per_grace_period_and_health_stays_above_zero() {
        let (mut health, damage) = (Health::full(100.0), Damage { points: 60.0 });
        assert!(health.take(damage, 0.5));
        assert!(!health.take(damage, 0.5), "grace period");
        assert_eq!(health, Health { left: 40.0, most: 100.0, grace_left_seconds: 0.5 });
        health.grace_left_seconds = 0.0;
        assert!(health.take(damage, 0.5));
        assert_eq!((health.left, health.share()), (0.0, 0.0));
        health.grace_left_seconds = 0.0;
        assert!(!health.take(damage, 0.5), "no health left");
        health.heal(30.0);
        assert_eq!(health.left, 30.0);
        health.heal(300.0);
        assert_eq!(health.left, 100.0);
    }
}
