//! What an agent is rewarded for: a weighted sum over what happened since the last decision.

use bounty_hunter::arena::wrapped_delta;
use glam::Vec2;
use serde::Deserialize;

/// The weights of a reward. Points are in units of 100, the capacity of a pocket in the classic rules.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rewards {
    /// For 100 points that came into the own stash.
    pub stashed: f32,
    /// For 100 points that were collected.
    pub collected: f32,
    /// For 100 points that left the pocket and did not come into the own stash: by a death, or into another stash.
    pub lost: f32,
    /// For a death.
    pub died: f32,
    /// For a won match; a draw gives nothing.
    pub won: f32,
    /// For a match that another player won. An agent that loses its last life gets it in that step, and not again at
    /// the end.
    pub defeated: f32,
    /// For each step of the simulation.
    pub step: f32,
    /// For 100 points carried 75 m closer to the own stash. It sums up to nothing over a way that ends where it began.
    pub homing: f32,
}

impl Default for Rewards {
    fn default() -> Self {
        Self { stashed: 1.0, collected: 0.0, lost: 0.0, died: 0.0, won: 1.0, defeated: -1.0, step: 0.0, homing: 0.0 }
    }
}

impl Rewards {
    /// # Errors
    /// One sentence that names a weight that is not finite.
    pub fn check(&self) -> Result<(), String> {
        let Self { stashed, collected, lost, died, won, defeated, step, homing } = *self;
        let weights = [
            ("stashed", stashed),
            ("collected", collected),
            ("lost", lost),
            ("died", died),
            ("won", won),
            ("defeated", defeated),
            ("step", step),
            ("homing", homing),
        ];
        match weights.iter().find(|(_, weight)| !weight.is_finite()) {
            Some((name, _)) => Err(format!("the reward {name} is not a finite number")),
            None => Ok(()),
        }
    }
}

/// The state of an agent that rewards compare.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Account {
    /// Load, points.
    pub(crate) carried: f32,
    /// Content of its stash, points.
    pub(crate) stashed: f32,
    /// Whether it is alive.
    pub(crate) is_alive: bool,
    /// Whether it has lost its last life.
    pub(crate) is_out: bool,
    /// Where its collector and its stash are, metres.
    pub(crate) place: Vec2,
    pub(crate) home: Vec2,
}

const POINTS: f32 = 100.0;
const WAY_M: f32 = 75.0;

impl Account {
    /// The way home, metres.
    fn home_m(&self, half_extent_m: f32) -> f32 {
        wrapped_delta(self.place, self.home, half_extent_m).length()
    }
}

impl Rewards {
    /// The reward of a step that led from one account to the next.
    pub(crate) fn of_step(&self, before: &Account, after: &Account, half_extent_m: f32) -> f32 {
        let gain = (after.stashed - before.stashed).max(0.0);
        let change = after.carried - before.carried;
        let lost = (-change - gain).max(0.0);
        let mut reward =
            self.step + (self.stashed * gain + self.collected * change.max(0.0) + self.lost * lost) / POINTS;
        if before.is_alive && !after.is_alive {
            reward += self.died;
        }
        if self.homing != 0.0 && after.carried > 0.0 && before.is_alive && after.is_alive && change == 0.0 {
            let closer_m = before.home_m(half_extent_m) - after.home_m(half_extent_m);
            reward += self.homing * (after.carried / POINTS) * closer_m / WAY_M;
        }
        reward
    }

    /// The reward of the end of a match for a player that has won, alone or with its team, or not; `None` for a draw.
    pub(crate) fn of_end(&self, has_won: Option<bool>) -> f32 {
        match has_won {
            Some(true) => self.won,
            Some(false) => self.defeated,
            None => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEIGHTS: Rewards = Rewards {
        stashed: 10.0,
        collected: 1.0,
        lost: -2.0,
        died: -0.5,
        won: 3.0,
        defeated: -3.0,
        step: 0.0,
        homing: 4.0,
    };

    #[test]
    fn each_event_has_its_weight() {
        let at = |carried, stashed, home_m| {
            let (place, home) = (Vec2::new(home_m, 0.0), Vec2::ZERO);
            Account { carried, stashed, is_alive: true, is_out: false, place, home }
        };
        let reward = |before, after| WEIGHTS.of_step(&before, &after, 100.0);
        assert_eq!(reward(at(0.0, 0.0, 9.0), at(50.0, 0.0, 9.0)), 0.5, "collected");
        assert_eq!(reward(at(50.0, 0.0, 9.0), at(0.0, 50.0, 9.0)), 5.0, "brought home");
        assert_eq!(reward(at(50.0, 0.0, 9.0), at(0.0, 0.0, 9.0)), -1.0, "given away");
        let dead = Account { carried: 0.0, is_alive: false, ..at(0.0, 0.0, 9.0) };
        assert_eq!(reward(at(50.0, 0.0, 9.0), dead), -1.5, "killed with a load");
        assert_eq!(reward(at(50.0, 0.0, 75.0), at(50.0, 0.0, 0.0)), 2.0, "carried home");
        assert_eq!([Some(true), Some(false), None].map(|has_won| WEIGHTS.of_end(has_won)), [3.0, -3.0, 0.0]);
    }
}
