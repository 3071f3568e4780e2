//! Gravity: what pulls objects that nobody drives, in the whole world or in a region.

use ecs::{Query, ResMut, Setup, System, Time, Without};
use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::data::limits;
use crate::objects::collector::{Drive, DriveCollectors};
use crate::objects::game_object::{Life, RigidBody, Transform};
use crate::objects::motion::Motion;
use crate::physics::{Physics, Shape};

/// Gravity accelerates no object beyond this speed along its pull, metres per second, so that what falls around the
/// world for a whole match does not become faster and faster.
const MAX_FALL_MPS: f32 = 50.0;

/// Component of a trigger box: it pulls the objects whose centres are in it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gravity {
    /// The acceleration, metres per second squared, x to the right and y up.
    #[serde(deserialize_with = "limits::read::acceleration_mps2")]
    pub mps2: (f32, f32),
}

/// Component of an object that moves: how much gravity counts for it. Without it, all.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weight {
    /// 0 for none; negative numbers let it rise.
    #[serde(deserialize_with = "limits::read::weight")]
    pub factor: f32,
}

/// Pulls objects that move and that nobody drives.
#[derive(Clone, Debug)]
pub struct Pull {
    /// The gravity of the whole world, metres per second squared.
    pub world_mps2: Vec2,
}

impl System for Pull {
    fn setup(setup: &mut Setup<Self>) {
        setup.after_type::<DriveCollectors>().before_type::<Motion>().update(Self::pull);
    }
}

impl Pull {
    fn pull(
        &mut self,
        time: Time,
        regions: Query<(&Gravity, &Shape, &Transform)>,
        objects: Query<(&RigidBody, &Transform, Option<&Weight>, &Life), Without<Drive>>,
        mut physics: ResMut<Physics>,
    ) {
        for (body, transform, weight, _) in &objects {
            let here = transform.pose.position;
            let pulling = regions.iter().filter(|(_, shape, region)| shape.contains(region.pose, here));
            let mps2 = pulling.fold(self.world_mps2, |sum, (gravity, ..)| sum + Vec2::from(gravity.mps2));
            let change_mps = mps2 * weight.map_or(1.0, |weight| weight.factor) * time.delta_seconds();
            let Some(velocity) = physics.velocity(body.0) else { continue };
            if change_mps != Vec2::ZERO && velocity.linear.dot(change_mps.normalize_or_zero()) < MAX_FALL_MPS {
                physics.set_velocity(body.0, velocity.linear + change_mps, velocity.angular);
            }
        }
    }
}
