//! Applying commands with a trace: what they change, and which entities.

use super::{Applied, Command, CommandBuffer, spawn_bare_for};
use crate::component::InsertConflicts;
use crate::entity::EntityId;
use crate::panic::FirstPanic;
use crate::world::World;

/// The change that a command made.
#[derive(Default)]
pub(crate) struct TracedCommand {
    pub(crate) change: &'static str,
    /// The changed entities. None if it failed or changes no entity. After a panic, the entities that the command
    /// targeted.
    pub(crate) entities: Vec<EntityId>,
}

impl CommandBuffer {
    /// As [`CommandBuffer::apply_first`], and fills in `traced`, even if it panics.
    pub(crate) fn apply_first_traced(
        &mut self,
        world: &mut World,
        conflicts: Option<&mut InsertConflicts>,
        traced: &mut TracedCommand,
    ) -> Option<Applied> {
        *traced = self.describe_first();
        let entities = &mut traced.entities;
        match self.order.front() {
            Some(&Command::Spawn { index }) => {
                self.pop_first();
                let bundle = &mut self.queues[index].1;
                let entity = spawn_bare_for(&mut **bundle, world);
                entities.push(entity);
                Some(Applied::of("spawn", world.fill_new(entity, |world| bundle.unpack_first(entity, world))))
            }
            Some(Command::SpawnMany { .. } | Command::SpawnChild { .. }) => {
                let applied = self.apply_first(world, conflicts);
                entities.extend(world.last_spawned().iter());
                applied
            }
            Some(&Command::InsertMany { index, count, insert }) => {
                self.pop_first();
                entities.retain(|entity| world.entities().contains(*entity));
                let mut refused = Vec::new();
                let mut panics = FirstPanic::default();
                let refuse = &mut |entity| refused.push(entity);
                let applied = panics.catch(|| insert(self, index, count, world, conflicts, refuse));
                refused.sort_unstable();
                entities.retain(|entity| refused.binary_search(entity).is_err());
                panics.raise();
                applied
            }
            Some(Command::DespawnMany { .. }) => {
                entities.retain(|entity| world.entities().contains(*entity));
                self.apply_first(world, conflicts)
            }
            Some(Command::RemoveMany { finds, .. }) => {
                entities.retain(|entity| finds(world, *entity));
                self.apply_first(world, conflicts)
            }
            _ => {
                let applied = self.apply_first(world, conflicts);
                if let Some(Applied::Nothing | Applied::Failed(..) | Applied::Conflict(_)) = applied {
                    entities.clear();
                }
                applied
            }
        }
    }

    fn pop_first(&mut self) {
        self.order.pop_front();
        self.noted -= 1;
    }

    fn first_named(&self, count: usize) -> Vec<EntityId> {
        self.named.waiting.iter().take(count).copied().collect()
    }

    /// The change that the first command asks for, with its entities if they are known.
    fn describe_first(&self) -> TracedCommand {
        let (change, entities) = match self.order.front() {
            None => ("nothing", Vec::new()),
            Some(Command::Spawn { .. } | Command::SpawnMany { .. } | Command::SpawnChild { .. }) => {
                ("spawn", Vec::new())
            }
            Some(Command::SpawnReserved { entity, .. }) => ("spawn", vec![*entity]),
            Some(Command::Despawn { entity, .. }) => ("despawn", vec![*entity]),
            Some(Command::DespawnMany { count }) => ("despawn", self.first_named(*count)),
            Some(Command::InsertMany { count, .. }) => ("insert", self.first_named(*count)),
            Some(Command::RemoveMany { count, .. }) => ("remove", self.first_named(*count)),
            Some(Command::Insert { entity, .. }) => ("insert", vec![*entity]),
            Some(Command::SetEnabled { entity, enabled: true }) => ("enable", vec![*entity]),
            Some(Command::SetEnabled { entity, enabled: false }) => ("disable", vec![*entity]),
            Some(Command::Component { entity, change, .. } | Command::EntityList { entity, change, .. }) => {
                (*change, vec![*entity])
            }
            Some(Command::Move { from, to, .. }) => ("move a component", vec![*from, *to]),
            Some(Command::Call) => (self.calls.front().map_or("run a function", |call| call.name), Vec::new()),
            Some(Command::Relate { pair: [source, _], .. }) => ("relate", vec![*source]),
            Some(Command::Pair { pair: [source, _], change, .. }) => (*change, vec![*source]),
            Some(Command::Switch(switch)) => (switch.name(), Vec::new()),
            Some(Command::Fail) => ("report an error", Vec::new()),
        };
        TracedCommand { change, entities }
    }
}
