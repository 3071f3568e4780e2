//! A match in the studio: the whole simulation goes back in time, not only its engine; and edits are inputs of its
//! replay.

use std::time::Duration;

use ecs::prefab::Prefabs;
use ecs::{Engine, EntityId, Error};
use ecs_studio::{Edit, Subject};
use glam::Vec2;
use serde::Deserialize;

use super::{Simulation, SimulationSnapshot};
use crate::data::arena::{Pose, wrap};
use crate::data::input::Inputs;
use crate::objects::prefabs::place;
use crate::objects::role::Role;
use crate::physics::Physics;

/// About how many bytes a body and its collider take in a snapshot of the physics.
const BYTES_OF_A_BODY: usize = 2_048;

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
            let made = postcard::from_bytes::<Edit>(edit).map_err(|error| error.to_string());
            if let Err(problem) = made.and_then(|edit| edit.apply(self)) {
                tracing::warn!(target: "bounty_hunter::studio", "an edit of the replay is left out: {problem}");
            }
        }
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

impl Subject for Simulation {
    type Snapshot = SimulationSnapshot;
    type Inputs = Inputs;

    fn engine(&mut self) -> &mut Engine {
        self.engine_mut()
    }

    fn inputs(&mut self, _: Duration) -> Option<Inputs> {
        Some(self.entered.clone())
    }

    fn run_again(&mut self, inputs: &Inputs) {
        self.step(inputs);
    }

    fn input_bytes(Inputs { commands, edits, intents, casts }: &Inputs) -> usize {
        let edit_bytes: usize = edits.iter().map(|edit| size_of_val(edit) + edit.len()).sum();
        size_of::<Inputs>() + size_of_val(&**commands) + edit_bytes + size_of_val(&**intents) + size_of_val(&**casts)
    }

    fn snapshot_into(&mut self, snapshot: &mut SimulationSnapshot) -> Result<(), Error> {
        Self::snapshot_into(self, snapshot)
    }

    fn restore(&mut self, snapshot: &SimulationSnapshot) -> Result<(), Error> {
        Self::restore(self, snapshot)
    }

    fn snapshot_bytes(&mut self) -> usize {
        let bodies = self.engine.resource::<Physics>().map_or(0, |physics| physics.body_count());
        self.engine.memory().held_bytes() + bodies * BYTES_OF_A_BODY
    }

    fn prefabs(&mut self) -> Vec<String> {
        let Some(prefabs) = self.engine().resource::<Prefabs>() else { return Vec::new() };
        let is_object = |name: &&str| Role::Object.refusal(&prefabs, name).is_none();
        prefabs.names().filter(is_object).map(str::to_owned).collect()
    }

    fn spawn_prefab(&mut self, name: &str, arguments: &str) -> Result<EntityId, String> {
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

    fn save(&mut self) -> Result<Vec<u8>, String> {
        Self::save(self).map_err(|error| error.to_string())
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), String> {
        Self::load(self, bytes).map_err(|error| error.to_string())
    }
}
