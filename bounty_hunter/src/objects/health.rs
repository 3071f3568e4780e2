//! Health: with this rule set a collision costs health instead of a life, and who has none left dies.
//!
//! Whoever is touched by something with [`Damage`] takes it, and then no more for a grace period; who goes on pushing takes it
//! again after that. Death and return are those of every collector: it loses its load, waits, and comes back, with full health.

use ecs::{IncludeDisabled, Query, Res, Sender, Setup, System, Time};
use serde::{Deserialize, Serialize};

use crate::data::config::MatchRules;
use crate::events::{DamageTaken, GameObjectSpawned, KillGameObject};
use crate::objects::collector::Pocket;
use crate::objects::game_object::Life;
use crate::objects::motion::Motion;
use crate::objects::touch::Touching;

/// Component: how much damage a collector can still take. Written by [`DealDamage`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Health {
    /// Points left; it dies at 0.
    pub left: f32,
    /// Points that it comes to life with.
    pub most: f32,
    /// Seconds for which nothing hurts it.
    pub grace_left_seconds: f32,
}

impl Health {
    /// So many points, all of them left.
    #[must_use]
    pub fn full(most: f32) -> Self {
        Self { left: most, most, grace_left_seconds: 0.0 }
    }

    /// What is left, as a share of all, 0 to 1.
    #[must_use]
    pub fn share(self) -> f32 {
        (self.left / self.most).clamp(0.0, 1.0)
    }

    /// Takes damage unless there is grace, which then begins; returns whether it hurt.
    pub fn take(&mut self, damage: Damage, grace_seconds: f32) -> bool {
        if self.grace_left_seconds > 0.0 || self.left <= 0.0 {
            return false;
        }
        self.left = (self.left - damage.points).max(0.0);
        self.grace_left_seconds = grace_seconds;
        true
    }
}

/// Component: what it costs the others to touch a collector. Nobody writes it while a match runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Damage {
    /// Points of health.
    pub points: f32,
}

/// Lets those who touch hurt each other, and kills whose health is used up.
///
/// It works before the contacts of a step are found, so who dies by it neither takes nor brings anything in that step.
#[derive(Debug, Default)]
pub struct DealDamage;

impl System for DealDamage {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .before::<Motion>()
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
        contacts: Query<&Touching>,
        damages: Query<&Damage>,
        mut victims: Query<(&mut Health, &mut Pocket, &Life)>,
        rules: Res<MatchRules>,
        mut taken: Sender<DamageTaken>,
        mut kills: Sender<KillGameObject>,
    ) {
        let Some(options) = &rules.options.health else { return };
        for &Touching { a, b } in &contacts {
            for (entity, by) in [(a, b), (b, a)] {
                let Some((health, pocket, life)) = victims.get_mut(entity) else { continue };
                let Some(damage) = damages.get(by).filter(|_| life.is_alive) else { continue };
                if health.take(*damage, options.grace_seconds) {
                    taken.send(DamageTaken { entity, by, points: damage.points });
                    if health.left <= 0.0 {
                        pocket.carried = 0.0;
                        kills.send(KillGameObject { entity });
                    }
                }
            }
        }
    }

    fn on_spawned(&mut self, event: &GameObjectSpawned, mut healths: Query<&mut Health, IncludeDisabled>) {
        if let Some(health) = healths.get_mut(event.entity) {
            *health = Health::full(health.most);
        }
    }

    fn on_damage_taken(&mut self, event: &DamageTaken) {
        tracing::debug!(target: "bounty_hunter::health", "{event:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_taken_once_in_a_grace_period_and_never_below_zero() {
        let (mut health, damage) = (Health::full(100.0), Damage { points: 60.0 });
        assert!(health.take(damage, 0.5));
        assert!(!health.take(damage, 0.5), "there is grace");
        assert_eq!(health, Health { left: 40.0, most: 100.0, grace_left_seconds: 0.5 });
        health.grace_left_seconds = 0.0;
        assert!(health.take(damage, 0.5));
        assert_eq!((health.left, health.share()), (0.0, 0.0));
        health.grace_left_seconds = 0.0;
        assert!(!health.take(damage, 0.5), "there is nothing left to take");
    }
}
