//! Bounties: squares that lie in the arena for a while, worth the more the larger and redder they are.

use ecs::{IncludeDisabled, Query, Res, ResMut, Setup, System};

use crate::config::BountyPrefab;
use crate::events::GameObjectSpawned;
use crate::game_object::{RigidBody, Shape};
use crate::lifetime::Lifetime;
use crate::physics::Physics;
use crate::random::{Purpose, RandomStream};
use crate::rules::MatchRules;

/// Component: a bounty and what it is worth in this life.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounty {
    /// Points.
    pub value: f32,
    /// Where its value lies between the least (0) and the highest (1); its size and colour follow.
    pub worth: f32,
}

impl Bounty {
    /// The bounty whose value lies at `worth` between the least and the highest.
    #[must_use]
    pub fn of_worth(worth: f32, prefab: &BountyPrefab) -> Self {
        let (least, highest) = prefab.value;
        Self { value: least + worth * (highest - least), worth }
    }

    /// Half the side of its square, metres.
    #[must_use]
    pub fn half_extent_m(self, prefab: &BountyPrefab) -> f32 {
        let (smallest, largest) = prefab.half_extent_m;
        smallest + self.worth * (largest - smallest)
    }
}

/// Deals every bounty that comes to life a new value, size and life span.
#[derive(Clone, Debug)]
pub struct DealBounties {
    values: RandomStream,
    lifetimes: RandomStream,
}

impl DealBounties {
    /// Deals with streams of random numbers of its own, for the `index`-th match.
    #[must_use]
    pub fn new(seed: u64, index: u64) -> Self {
        Self {
            values: RandomStream::new(seed, Purpose::BountyValue, index),
            lifetimes: RandomStream::new(seed, Purpose::BountyLifetime, index),
        }
    }

    /// Where the streams stand, for the hash of the whole state.
    #[must_use]
    pub fn streams(&self) -> [&RandomStream; 2] {
        [&self.values, &self.lifetimes]
    }

    fn on_spawned(
        &mut self,
        event: &GameObjectSpawned,
        mut bounties: Query<(&mut Bounty, &mut Shape, &mut Lifetime, &RigidBody), IncludeDisabled>,
        rules: Res<MatchRules>,
        mut physics: ResMut<Physics>,
    ) {
        let Some((bounty, shape, lifetime, body)) = bounties.get_mut(event.entity) else { return };
        *bounty = Bounty::of_worth(self.values.unit(), &rules.bounty);
        let half_extent_m = bounty.half_extent_m(&rules.bounty);
        *shape = Shape::Square(half_extent_m);
        physics.resize_bounty(body.0, half_extent_m);
        let (shortest, longest) = rules.bounty.lifetime_seconds;
        *lifetime = Lifetime::lasting(self.lifetimes.between(shortest, longest), shortest);
    }
}

impl System for DealBounties {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_spawned);
    }
}
