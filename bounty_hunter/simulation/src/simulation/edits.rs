//! Changes by hand, in the studio or in the tables of a save: inputs of a replay.

use ecs::EntityId;
use ecs::inspect::Edit;
use ecs::prefab::Prefabs;
use glam::Vec2;
use serde::Deserialize;

use super::Simulation;
use crate::data::arena::{Pose, wrap};
use crate::objects::game_object::{RigidBody, Transform};
use crate::objects::prefabs::place;
use crate::objects::role::Role;
use crate::physics::Physics;

/// The stable name of [`Transform`].
const TRANSFORM: &str = "transform";

/// An edit as an input of a replay.
///
/// # Panics
/// Never: an edit has a saved form.
#[must_use]
pub fn input_of(edit: &Edit) -> Vec<u8> {
    postcard::to_allocvec(edit).expect("the length of every part is known")
}

impl Simulation {
    /// Makes edits of a replay. One that cannot be decoded or does not fit is left out, and the hashes of the replay
    /// will differ.
    pub(super) fn repeat_edits(&mut self, edits: &[Vec<u8>]) {
        for edit in edits {
            let decoded = postcard::from_bytes::<Edit>(edit).map_err(|error| error.to_string());
            if let Err(problem) = decoded.and_then(|edit| self.edit(&edit)) {
                tracing::warn!(target: "bounty_hunter::simulation", "an edit of the replay is left out: {problem}");
            }
        }
    }

    /// Makes a change by hand between two steps; an object that gets another place takes its body along.
    ///
    /// # Errors
    /// A sentence that says what does not fit; nothing was changed.
    pub fn edit(&mut self, edit: &Edit) -> Result<(), String> {
        match edit {
            Edit::Prefab { name, arguments } => self.spawn_by_hand(name, arguments).map(|_| ()),
            _ => {
                self.engine.inspector().make(edit).map_err(|error| error.to_string())?;
                self.move_body(edit);
                Ok(())
            }
        }
    }

    /// Moves the body of an object whose place was changed. A place outside of the world becomes one in it.
    pub(super) fn move_body(&mut self, edit: &Edit) {
        let Edit::Component { entity, name, .. } = edit else { return };
        let Some(&Transform { pose, .. }) = self.engine.get(*entity).filter(|_| name == TRANSFORM) else { return };
        let body = self.engine.get::<RigidBody>(*entity).copied();
        let physics = self.engine.resource::<Physics>();
        let now = body.zip(physics.as_ref()).and_then(|(body, physics)| physics.pose(body.0)).unwrap_or_default();
        drop(physics);
        // The edges of the world lie outside of it.
        let most = now.position.abs().max(Vec2::splat(self.plan.rules.world_half_extent_m));
        let finite = |number: f32| if number.is_finite() { number } else { 0.0 };
        let position = Vec2::new(finite(pose.position.x), finite(pose.position.y)).clamp(-most, most);
        let pose = Pose::new(position, finite(pose.heading));
        if let Some(transform) = self.engine.get_mut::<Transform>(*entity) {
            transform.pose = pose;
        }
        if let (Some(body), Some(physics)) = (body, self.engine.resource_mut::<Physics>()) {
            physics.set_pose(body.0, pose);
        }
    }

    /// Spawns an object of a prefab.
    ///
    /// # Errors
    /// A sentence; nothing was changed.
    pub(super) fn spawn_by_hand(&mut self, name: &str, arguments: &str) -> Result<EntityId, String> {
        let arguments: Arguments = serde_json::from_str(arguments)
            .map_err(|error| format!(r#"say where, such as {{ "at_m": [10.0, 5.0], "heading_rad": 0.0 }}: {error}"#))?;
        let half_extent_m = self.plan.rules.world_half_extent_m;
        let at = Vec2::from(arguments.at_m);
        if !(at.abs().max_element() <= half_extent_m && arguments.heading_rad.is_finite()) {
            return Err(format!("at_m must lie in the world, -{half_extent_m} to {half_extent_m}"));
        }
        let refusal = {
            let prefabs = self.engine.resource::<Prefabs>().ok_or("no match is played")?;
            let by_role = Role::Object.refusal(&prefabs, name);
            by_role.or_else(|| self.plan.config.refusal_by_rules(&prefabs, name))
        };
        if let Some(refusal) = refusal {
            return Err(refusal);
        }
        let pose = Pose::new(wrap(at, half_extent_m).unwrap_or(at), arguments.heading_rad);
        place(&mut self.engine, name, pose).map_err(|error| error.to_string())
    }
}

/// Where an object of a prefab is spawned.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    at_m: (f32, f32),
    #[serde(default)]
    heading_rad: f32,
}
