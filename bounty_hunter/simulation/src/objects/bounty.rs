//! Bounties: squares that lie in the arena for a while; larger and brighter ones are worth more.

use ecs::{IncludeDisabled, Query, Random, ResMut, Setup, System, Without};
use serde::{Deserialize, Serialize};

use crate::data::limits;
use crate::events::GameObjectSpawned;
use crate::objects::game_object::RigidBody;
use crate::objects::lifetime::{Lifespan, Lifetime};
use crate::objects::power_up::PowerUp;
use crate::physics::{Physics, Shape};
use crate::random::{BountyLifetimes, BountyValues};

/// Component: the range of values of a kind of bounty. Values are uniform; the size follows the value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Worth {
    /// Least and greatest value, points.
    #[serde(deserialize_with = "limits::read::points_range")]
    pub value: (f32, f32),
    /// Half the side of the square at the least and at the greatest value, metres.
    #[serde(deserialize_with = "limits::read::length_range_m")]
    pub half_extent_m: (f32, f32),
}

/// Component: the value of a bounty in its present life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bounty {
    /// Points.
    pub value: f32,
    /// Its value as a share of the range, 0 to 1; size and colour follow it.
    pub worth: f32,
}

impl Bounty {
    /// The bounty at share `worth` of the range of values.
    #[must_use]
    pub fn of_worth(worth: f32, kind: &Worth) -> Self {
        let (least, highest) = kind.value;
        Self { value: least + worth * (highest - least), worth }
    }

    /// The bounty of this value; outside of the range of values it looks like the nearest one.
    #[must_use]
    pub fn of_value(value: f32, kind: &Worth) -> Self {
        let (least, highest) = kind.value;
        let range = (highest - least).max(f32::EPSILON);
        Self { value, worth: ((value - least) / range).clamp(0.0, 1.0) }
    }

    /// Half the side of its square, metres.
    #[must_use]
    pub fn half_extent_m(self, kind: &Worth) -> f32 {
        let (smallest, largest) = kind.half_extent_m;
        smallest + self.worth * (largest - smallest)
    }
}

/// Component of a bounty that a lost load spills as. Written by [`LoseLoads`](crate::gameplay::load::LoseLoads) and
/// [`RushForGold`](crate::gameplay::gold_rush::RushForGold).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spilled {
    /// Its value in its present life, points.
    pub value: f32,
}

/// Gives each spawned bounty a new value and size, and each spawned object with a [`Lifespan`] a new lifetime.
/// Power-ups get theirs from [`PowerUps`](crate::objects::power_up::PowerUps).
#[derive(Debug, Default)]
pub struct DealBounties;

impl DealBounties {
    fn on_spawned(
        &mut self,
        event: &GameObjectSpawned,
        mut bounties: Query<(&mut Bounty, &Worth, &mut Shape, &RigidBody, Option<&Spilled>), IncludeDisabled>,
        mut mortals: Query<(&Lifespan, &mut Lifetime), (Without<PowerUp>, IncludeDisabled)>,
        mut physics: ResMut<Physics>,
        (mut values, mut lifetimes): (Random<BountyValues>, Random<BountyLifetimes>),
    ) {
        if let Some((bounty, worth, shape, body, spilled)) = bounties.get_mut(event.entity) {
            *bounty = match spilled {
                Some(spilled) => Bounty::of_value(spilled.value, worth),
                None => Bounty::of_worth(values.unit(), worth),
            };
            let half_extent_m = bounty.half_extent_m(worth);
            *shape = Shape::Square(half_extent_m);
            physics.resize_bounty(body.0, half_extent_m);
        }
        if let Some((lifespan, lifetime)) = mortals.get_mut(event.entity) {
            *lifetime = lifespan.deal(&mut lifetimes);
        }
    }
}

impl System for DealBounties {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_spawned);
    }
}
