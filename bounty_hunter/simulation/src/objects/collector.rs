//! Collectors: triangles that carry bounty in a pocket, and the system that applies their players' intents.

use ecs::{Query, ResMut, Setup, System};
use serde::{Deserialize, Serialize};

use crate::data::input::Intent;
use crate::data::limits;
use crate::objects::game_object::RigidBody;
use crate::objects::powers::Powers;
use crate::physics::Physics;

/// Component: a collector and its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collector {
    /// Seat number.
    pub player: u32,
}

/// Component: the top speeds of a driven object.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drive {
    /// Top speed, metres per second.
    #[serde(deserialize_with = "limits::read::speed_mps")]
    pub max_speed_mps: f32,
    /// Top turning speed, radians per second.
    #[serde(deserialize_with = "limits::read::turn_radps")]
    pub max_turn_radps: f32,
}

/// Component: the load of a collector. Written by the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pocket {
    /// Points, 0 to its [`Capacity`](crate::objects::capacity::Capacity).
    pub carried: f32,
    /// Links of its chain: bounties and near misses since it was empty.
    pub links: u32,
}

/// Component: the intent of a collector's player. Written by its controller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Controls {
    /// The intent for this step.
    pub intent: Intent,
}

/// Converts intents to velocities.
#[derive(Debug, Default)]
pub struct DriveCollectors;

impl System for DriveCollectors {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::drive);
    }
}

impl DriveCollectors {
    fn drive(
        &mut self,
        collectors: Query<(&Controls, &Drive, &RigidBody, Option<&Powers>)>,
        mut physics: ResMut<Physics>,
    ) {
        for (controls, can, body, powers) in &collectors {
            let Intent { drive, turn } = controls.intent.clamped();
            let Some(forward) = physics.forward(body.0) else { continue };
            let linear = forward * (drive * can.max_speed_mps * powers.map_or(1.0, Powers::speed_factor));
            physics.set_velocity(body.0, linear, turn * can.max_turn_radps);
        }
    }
}
