//! A match in the studio: the whole simulation goes back in time, not only its engine.

use std::time::Duration;

use ecs::prefab::Prefabs;
use ecs::{Engine, EntityId, Error};
use ecs_studio::{Edit, Subject};

use super::{Simulation, SimulationSnapshot};
use crate::data::input::Inputs;
use crate::objects::role::Role;
use crate::physics::Physics;

/// About how many bytes a body and its collider take in a snapshot of the physics.
const BYTES_OF_A_BODY: usize = 2_048;

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

    fn after_edit(&mut self, edit: &Edit) {
        self.move_body(edit);
    }

    fn spawn_prefab(&mut self, name: &str, arguments: &str) -> Result<EntityId, String> {
        self.spawn_by_hand(name, arguments)
    }

    fn save(&mut self) -> Result<Vec<u8>, String> {
        Self::save(self).map_err(|error| error.to_string())
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), String> {
        Self::load(self, bytes).map_err(|error| error.to_string())
    }
}
