//! Updates living entities when prefabs change.

use std::sync::Arc;

use super::blueprint::{Blueprint, BlueprintComponent};
use super::from_prefab::FromPrefab;
use super::library::Prefabs;
use crate::entity::EntityId;
use crate::error::PrefabError;
use crate::panic::FirstPanic;
use crate::relation::Parent;
use crate::world::World;

/// The report of a reload.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reloaded {
    /// The names of added, removed and changed prefabs, sorted.
    pub prefabs: Vec<String>,
    /// The number of changed entities, children included.
    pub entities: usize,
}

impl World {
    /// Replaces the texts of files, all or none, and updates the entities spawned from them.
    pub(crate) fn reload_prefabs(&mut self, files: Vec<(String, Option<String>)>) -> Result<Reloaded, PrefabError> {
        let Some(prefabs) = self.resource_mut::<Prefabs>() else {
            let problem = "reloading needs the resource Prefabs, which is not there: insert it";
            return Err(PrefabError::new(problem));
        };
        let new = prefabs.with(files)?;
        Ok(self.replace_prefabs(new))
    }

    /// Replaces all prefabs, and updates the entities spawned from them.
    pub(crate) fn replace_prefabs(&mut self, new: Prefabs) -> Reloaded {
        let old = self.resource::<Prefabs>().map(|prefabs| prefabs.clone()).unwrap_or_default();
        let new = new.instead_of(&old);
        self.resources.replace(Some(new.clone()));
        let mut reloaded = Reloaded { prefabs: changed(&old, &new), entities: 0 };
        // After a panic, the other entities are still updated.
        let mut panics = FirstPanic::default();
        for (entity, name) in self.spawned_from(&reloaded.prefabs) {
            if let (Some(old), Some(new)) = (old.last_blueprint(&name), new.blueprints().get(&name)) {
                reloaded.entities += self.follow(entity, &name, old, new, &mut panics);
            }
        }
        panics.catch(|| drop(old));
        panics.raise();
        tracing::info!(target: "ecs::prefab", prefabs = ?reloaded.prefabs, entities = reloaded.entities, "reloaded");
        reloaded
    }

    /// The root entities spawned from some prefabs, which are sorted, in the order of their indices.
    fn spawned_from(&self, prefabs: &[String]) -> Vec<(EntityId, Arc<str>)> {
        let Some(origins) = self.components.pool::<FromPrefab>() else { return Vec::new() };
        let origins = self.entities().iter().filter_map(|entity| Some((entity, origins.get(entity)?)));
        let roots = origins.filter(|(_, origin)| !origin.is_child);
        let origins = roots.map(|(entity, origin)| (entity, Arc::clone(&origin.prefab)));
        origins.filter(|(_, name)| prefabs.binary_search_by(|changed| changed.as_str().cmp(name)).is_ok()).collect()
    }

    /// Updates an entity and its children; returns the number of changed entities.
    fn follow(
        &mut self,
        entity: EntityId,
        prefab: &Arc<str>,
        old: &Blueprint,
        new: &Blueprint,
        panics: &mut FirstPanic,
    ) -> usize {
        let Some(origin) = self.get::<FromPrefab>(entity) else { return 0 };
        let overridden = origin.overridden.clone();
        let mut is_changed = false;
        let find = |blueprint: &'_ Blueprint, name: &str| -> Option<BlueprintComponent> {
            blueprint.components.iter().find(|planned| *planned.name == *name).cloned()
        };
        for gone in &old.components {
            let value = &gone.value.component;
            if find(new, &gone.name).is_none() && value.is_in(self, entity) && !overridden.contains(&gone.name) {
                panics.catch(|| value.remove(self, entity));
                is_changed = true;
            }
        }
        for planned in &new.components {
            let value = &planned.value.component;
            let is_wanted = match find(old, &planned.name) {
                // A component that was removed since spawning is not inserted again.
                Some(old) => old.value.resolved != planned.value.resolved && value.is_in(self, entity),
                None => !value.is_in(self, entity),
            };
            if is_wanted && !overridden.contains(&planned.name) {
                panics.catch(|| value.insert(self, entity));
                is_changed = true;
            }
        }
        if is_changed {
            panics.catch(|| self.add_needs(entity));
        }
        let (children_changed, changed_descendants) = self.follow_children(entity, prefab, old, new, panics);
        usize::from(is_changed || children_changed) + changed_descendants
    }

    /// Returns whether children were added or removed, and the number of changed entities among the other children.
    fn follow_children(
        &mut self,
        parent: EntityId,
        prefab: &Arc<str>,
        old: &Blueprint,
        new: &Blueprint,
        panics: &mut FirstPanic,
    ) -> (bool, usize) {
        let before = self.named_children(parent);
        let named =
            |name: &str| before.iter().find(|(other, _)| other.as_deref() == Some(name)).map(|(_, child)| *child);
        let mut changed = 0;
        for (name, child_entity) in &before {
            let is_gone = name.as_ref().is_some_and(|name| new.child(name).is_none());
            if is_gone && panics.catch(|| self.despawn(*child_entity)).is_some_and(|gone| gone.is_ok()) {
                changed += 1;
            }
        }
        let mut after = Vec::new();
        for (name, child) in &new.children {
            match (named(name), old.child(name)) {
                (Some(child_entity), Some(old)) => {
                    changed += self.follow(child_entity, prefab, old, child, panics);
                    after.push(child_entity);
                }
                (Some(child_entity), None) => after.push(child_entity),
                // A child that was despawned or moved away since spawning is not spawned again.
                (None, Some(_)) => {}
                (None, None) if panics.catch(|| self.entities().check_room(child.len())).is_none() => {}
                (None, None) => {
                    changed += child.len();
                    after.push(self.spawn_child_of_prefab(prefab, (parent, name), child, panics));
                }
            }
        }
        self.put_sources_first::<Parent>(parent, &after);
        (!before.iter().map(|(_, child)| child).eq(self.children(parent)), changed)
    }
}

impl Blueprint {
    fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|(other, _)| **other == *name).map(|(_, child)| child)
    }

    /// Whether both consist of the same prefabs, and entities spawned from both have equal components and children.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let pairs = self.components.iter().zip(&other.components);
        let children = self.children.iter().zip(&other.children);
        self.lineage == other.lineage
            && self.components.len() == other.components.len()
            && self.children.len() == other.children.len()
            && pairs.into_iter().all(|(a, b)| a.name == b.name && a.value.resolved == b.value.resolved)
            && children.into_iter().all(|((a, child), (b, other))| a == b && child.is_like(other))
    }
}

/// The names of the prefabs that differ.
fn changed(old: &Prefabs, new: &Prefabs) -> Vec<String> {
    let (old, new) = (old.blueprints(), new.blueprints());
    let gone = old.keys().filter(|name| !new.contains_key(*name));
    let other = new.iter().filter(|(name, blueprint)| !old.get(*name).is_some_and(|old| old.is_like(blueprint)));
    let mut names: Vec<String> = gone.chain(other.map(|(name, _)| name)).map(|name| (**name).to_owned()).collect();
    names.sort_unstable();
    names
}
