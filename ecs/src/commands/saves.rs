//! Commands that wait for the next frame, in and out of saved snapshots.

use std::any::TypeId;

use super::entity_lists::change_named;
use super::loaded::{LoadedBundle, LoadedQueue, insert_several, spawn_several};
use super::{Command, CommandBuffer, ComponentChange};
use crate::snapshot::TypeKind;
use crate::snapshot::saved::{LoadError, Loading, SaveError, SavedCommand, SavedSwitch, SavedValue, Table};
use crate::system::Switch;

type SavedBundles = Vec<Vec<Vec<SavedValue>>>;

/// Changes nothing: in the place of what is for something that is gone.
const NOTHING: Command = Command::DespawnMany { count: 0 };

impl CommandBuffer {
    /// How many commands wait.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// All commands, and what they carry by queues.
    pub(crate) fn save(
        &self,
        table: &mut Table<'_>,
        switch: &dyn Fn(Switch) -> Option<SavedSwitch>,
    ) -> Result<(Vec<SavedCommand>, SavedBundles), SaveError> {
        #[cfg(feature = "prefabs")]
        if !self.prefabs.waiting.is_empty() {
            return Err(SaveError::PrefabWaits);
        }
        let mut bundles = Vec::new();
        for (_, queue) in &self.queues {
            let bundle = |at| {
                let mut values = Vec::new();
                queue.visit(at, &mut |value| values.push(table.component_value(value)));
                values.into_iter().collect::<Result<Vec<_>, _>>()
            };
            bundles.push((0..queue.len()).map(bundle).collect::<Result<Vec<_>, _>>()?);
        }
        let mut named = self.named.waiting.iter().copied();
        let mut first_named = |count| named.by_ref().take(count).collect();
        let mut names = self.names.iter().copied();
        let mut commands = Vec::new();
        for command in &self.order {
            commands.push(match *command {
                Command::Spawn { index } => SavedCommand::Spawn { bundles: index as u32 },
                Command::SpawnMany { index, count, .. } => {
                    SavedCommand::SpawnMany { bundles: index as u32, count: count as u64 }
                }
                Command::SpawnReserved { entity, index } => {
                    SavedCommand::SpawnReserved { entity, bundles: index as u32 }
                }
                Command::Despawn { entity } => SavedCommand::Despawn { entity },
                Command::DespawnMany { count } => SavedCommand::DespawnMany { entities: first_named(count) },
                Command::Insert { entity, index } => SavedCommand::Insert { entity, bundles: index as u32 },
                Command::InsertMany { index, count, .. } => {
                    SavedCommand::InsertMany { entities: first_named(count), bundles: index as u32 }
                }
                Command::RemoveMany { count, removal } => {
                    SavedCommand::RemoveMany { entities: first_named(count), of: table.component(removal.component)? }
                }
                Command::SetEnabled { entity, enabled } => SavedCommand::SetEnabled { entity, enabled },
                Command::Component(ComponentChange { entity, component, change, .. }) => {
                    SavedCommand::Component { entity, of: table.component(component)?, change: change.to_owned() }
                }
                Command::EntityList { entity, change, name_bytes, .. } => {
                    let entity_list = String::from_utf8(names.by_ref().take(name_bytes).collect());
                    let entity_list = entity_list.expect("the bytes were those of a `&str`");
                    SavedCommand::EntityList { entity, change: change.to_owned(), entity_list }
                }
                Command::Switch(asked) => match switch(asked) {
                    Some(switch) => SavedCommand::Switch(switch),
                    None => SavedCommand::DespawnMany { entities: Vec::new() },
                },
            });
        }
        Ok((commands, bundles))
    }

    pub(crate) fn load(
        commands: &[SavedCommand],
        bundles: &[Vec<Vec<SavedValue>>],
        loading: &mut Loading<'_>,
    ) -> Result<Self, LoadError> {
        let invalid = |problem: String| LoadError::invalid("commands", problem);
        let mut buffer = Self::default();
        for queue in bundles {
            let waiting = queue.iter().map(|bundle| load_bundle(bundle, loading)).collect::<Result<_, _>>()?;
            buffer.queues.push((TypeId::of::<LoadedQueue>(), Box::new(LoadedQueue { waiting })));
        }
        let mut left: Vec<usize> = bundles.iter().map(Vec::len).collect();
        let mut index = |queue: u32, count: u64| {
            let at = queue as usize;
            let left = left.get_mut(at).filter(|left| **left as u64 >= count);
            *left.ok_or_else(|| invalid(format!("queue {queue} has too few bundles")))? -= count as usize;
            Ok::<_, LoadError>(at)
        };
        for command in commands {
            let command = match command {
                SavedCommand::Spawn { bundles } => Command::Spawn { index: index(*bundles, 1)? },
                SavedCommand::SpawnMany { bundles, count } => {
                    let index = index(*bundles, *count)?;
                    Command::SpawnMany { index, count: *count as usize, spawn: spawn_several }
                }
                SavedCommand::SpawnReserved { entity, bundles } => {
                    Command::SpawnReserved { entity: *entity, index: index(*bundles, 1)? }
                }
                SavedCommand::Despawn { entity } => Command::Despawn { entity: *entity },
                SavedCommand::DespawnMany { entities } => {
                    buffer.named.waiting.extend(entities);
                    Command::DespawnMany { count: entities.len() }
                }
                SavedCommand::Insert { entity, bundles } => {
                    Command::Insert { entity: *entity, index: index(*bundles, 1)? }
                }
                SavedCommand::InsertMany { entities, bundles } => {
                    buffer.named.waiting.extend(entities);
                    let (index, count) = (index(*bundles, entities.len() as u64)?, entities.len());
                    Command::InsertMany { index, count, insert: insert_several }
                }
                SavedCommand::RemoveMany { entities, of } => match loading.known(*of, TypeKind::Component)?.type_id {
                    Some(component) => {
                        let known = loading.types.components.of(component);
                        let removal = known.map(|known| known.what.removal());
                        let removal = removal.ok_or_else(|| invalid("a change is unknown".to_owned()))?;
                        buffer.named.waiting.extend(entities);
                        Command::RemoveMany { count: entities.len(), removal }
                    }
                    None => NOTHING,
                },
                SavedCommand::SetEnabled { entity, enabled } => {
                    Command::SetEnabled { entity: *entity, enabled: *enabled }
                }
                SavedCommand::Component { entity, of, change } => {
                    match loading.known(*of, TypeKind::Component)?.type_id {
                        Some(component) => {
                            let known = loading.types.components.of(component);
                            let change = known.and_then(|known| known.what.change(change, *entity));
                            Command::Component(change.ok_or_else(|| invalid("a change is unknown".to_owned()))?)
                        }
                        None => NOTHING,
                    }
                }
                SavedCommand::EntityList { entity, change, entity_list } => {
                    let (change, apply) =
                        change_named(change).ok_or_else(|| invalid("a change is unknown".to_owned()))?;
                    buffer.names.extend(entity_list.as_bytes());
                    Command::EntityList { entity: *entity, change, name_bytes: entity_list.len(), apply }
                }
                SavedCommand::Switch(switch) => loading.switch(*switch)?.map_or(NOTHING, Command::Switch),
            };
            buffer.order.push_back(command);
        }
        buffer.noted = buffer.order.len();
        match left.iter().all(|left| *left == 0) {
            true => Ok(buffer),
            false => Err(invalid("bundles wait that no command names".to_owned())),
        }
    }
}

fn load_bundle(bundle: &[SavedValue], loading: &mut Loading<'_>) -> Result<LoadedBundle, LoadError> {
    let mut components = Vec::new();
    for SavedValue { of, value } in bundle {
        let known = loading.known(*of, TypeKind::Component)?;
        match known.type_id.and_then(|component| loading.types.components.of(component)) {
            Some(entry) => {
                let value = entry.what.load_value(known.version, value);
                components.push(value.map_err(|problem| Loading::invalid_value(known, problem))?);
            }
            None => loading.drop_all(*of, 1),
        }
    }
    Ok(components)
}
