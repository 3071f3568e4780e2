//! Motion: steps the physics, sends its contacts as events, reads the poses back and wraps them around the world.

use ecs::{EntityId, Query, Res, ResMut, Sender, Setup, System};

use crate::data::arena::{Pose, wrap};
use crate::data::config::MatchRules;
use crate::events::{CollisionBegin, CollisionEnd};
use crate::objects::collector::DriveCollectors;
use crate::objects::game_object::{Life, RigidBody, Transform};
use crate::physics::{Contact, ContactKind, Physics};

/// Steps the physics and moves the objects.
#[derive(Debug, Default)]
pub struct Motion;

impl System for Motion {
    fn setup(setup: &mut Setup<Self>) {
        setup.after_type::<DriveCollectors>().update(Self::step).update(Self::read_back);
    }
}

impl Motion {
    /// Contacts come sorted by entity, independent of the order in which the physics found them.
    fn step(
        &mut self,
        rules: Res<MatchRules>,
        mut physics: ResMut<Physics>,
        mut begins: Sender<CollisionBegin>,
        mut ends: Sender<CollisionEnd>,
    ) {
        physics.step_within(rules.world_half_extent_m);
        for &Contact { a, b, category_a, category_b, kind } in physics.contacts() {
            let (a, b) = (EntityId::from_bits(a.0), EntityId::from_bits(b.0));
            match kind {
                ContactKind::Begin => begins.send(CollisionBegin { a, b, category_a, category_b }),
                ContactKind::End => ends.send(CollisionEnd { a, b, category_a, category_b }),
            }
        }
    }

    /// Copies the poses of the bodies. A body that left the world on one side re-enters on the other.
    fn read_back(
        &mut self,
        mut moving: Query<(&RigidBody, &mut Transform, &Life)>,
        rules: Res<MatchRules>,
        mut physics: ResMut<Physics>,
    ) {
        for (body, transform, _) in &mut moving {
            let Some(pose) = physics.pose(body.0) else { continue };
            let half_extent_m = rules.world_half_extent_m;
            let wrapped = wrap(pose.position, half_extent_m);
            let pose = wrapped.map_or(pose, |position| Pose::new(position, pose.heading));
            if wrapped.is_some() {
                physics.set_pose(body.0, pose);
            }
            // A fast body may have wrapped around within the step.
            let is_teleported = (pose.position - transform.pose.position).abs().max_element() > half_extent_m;
            *transform = Transform { pose, is_teleported };
        }
    }
}
