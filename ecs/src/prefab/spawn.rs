//! Spawns entities from resolved prefabs. Everything that can fail happens before the first one is spawned.

use std::sync::Arc;

use super::blueprint::Blueprint;
use super::from_prefab::FromPrefab;
use super::library::Prefabs;
use super::order::SpawnRequest;
use crate::component::{Bundle, Tuples};
use crate::entity::EntityId;
use crate::error::PrefabError;
use crate::panic::FirstPanic;
use crate::relation::Parent;
use crate::world::World;

impl World {
    fn planned(&self, order: &SpawnRequest<'_>) -> Result<(Arc<str>, Arc<Blueprint>), PrefabError> {
        let Some(prefabs) = self.resource::<Prefabs>() else {
            let problem = format!("prefab `{}` needs the resource Prefabs, which is not there: insert it", order.name);
            return Err(PrefabError::new(problem));
        };
        prefabs.blueprint(&order.name, &order.texts)
    }

    /// Spawns an order. `fill` inserts the bundle given for the entity; it is not called if the order is refused.
    pub(crate) fn spawn_prefab<B: Bundle>(
        &mut self,
        order: &SpawnRequest<'_>,
        fill: impl FnOnce(&mut Self, EntityId),
    ) -> Result<EntityId, PrefabError> {
        let (prefab, blueprint) = self.planned(order)?;
        self.check_names()?;
        self.components.check_bundle::<B>();
        self.check_given_once::<B>(order)?;
        // Nothing is spawned if there is no room for all.
        self.entities().check_room(blueprint.len());
        let mut panics = FirstPanic::default();
        let entity = self.spawn_bare();
        panics.catch(|| fill(self, entity));
        let mut overridden = std::mem::take(&mut self.overridden);
        if let (Some(given), Some(prefabs)) = (self.entities().mask(entity), self.resource::<Prefabs>()) {
            // Reloading cannot change unregistered components anyway.
            overridden
                .begin(prefabs.names_of(given.iter().filter_map(|id| Some(self.components.find(id)?.value_type()))));
        }
        self.overridden = overridden;
        self.build(entity, &prefab, false, &blueprint, &mut panics);
        panics.catch(|| drop(blueprint));
        panics.raise();
        Ok(entity)
    }

    /// Refuses component types that prefabs call otherwise than snapshots, saves, masks and inspectors. O(1) unless one
    /// was registered since the last time.
    fn check_names(&mut self) -> Result<(), PrefabError> {
        let Some(prefabs) = self.resource::<Prefabs>() else { return Ok(()) };
        let (registry, own) = (prefabs.registry(), &self.components.stable_names);
        let counts = (registry.len(), own.len());
        if self.names_checked != counts {
            if let Some((component, name, other)) = registry.named_otherwise(|component| own.of(component)) {
                return Err(PrefabError::new(format!(
                    "component {component} is called `{name}` in prefabs and `{other}` in snapshots and saves: give it one name"
                )));
            }
            drop(prefabs);
            self.names_checked = counts;
        }
        Ok(())
    }

    /// Refuses components that are given both by a text and in the bundle, one of which would be dropped silently.
    fn check_given_once<B: Bundle>(&mut self, order: &SpawnRequest<'_>) -> Result<(), PrefabError> {
        if order.texts.is_empty() {
            return Ok(());
        }
        let given = B::Tuples::register(&mut self.components);
        let Some(prefabs) = self.resource::<Prefabs>() else { return Ok(()) };
        let types = given.iter().filter_map(|id| Some(self.components.find(*id)?.value_type()));
        let mut names = prefabs.names_of(types);
        match names.find(|name| order.texts.iter().any(|(path, _)| **path == **name)) {
            Some(name) => Err(PrefabError::new(format!(
                "override of {}/{name}: it is given as a value as well, leave one of the two out",
                order.name
            ))),
            None => Ok(()),
        }
    }

    /// Spawns the last child of an existing parent.
    pub(super) fn spawn_child_of_prefab(
        &mut self,
        prefab: &Arc<str>,
        (parent, name): (EntityId, &Arc<str>),
        blueprint: &Blueprint,
        panics: &mut FirstPanic,
    ) -> EntityId {
        let child = self.spawn_bare();
        self.add_source::<Parent>(parent, child);
        self.build_child(child, prefab, (parent, name), blueprint, panics);
        child
    }

    /// Gives a new child, which its parent has already, everything else.
    fn build_child(
        &mut self,
        child: EntityId,
        prefab: &Arc<str>,
        (parent, name): (EntityId, &Arc<str>),
        blueprint: &Blueprint,
        panics: &mut FirstPanic,
    ) {
        self.put_child_of(child, parent, Arc::clone(name));
        self.overridden.begin(std::iter::empty());
        self.build(child, prefab, true, blueprint, panics);
    }

    /// Inserts the missing components, then spawns the children. The set of overridden components must be started.
    ///
    /// A component that panics when it is cloned is left out; the entity is announced with the rest.
    fn build(
        &mut self,
        entity: EntityId,
        prefab: &Arc<str>,
        is_child: bool,
        blueprint: &Blueprint,
        panics: &mut FirstPanic,
    ) {
        for planned in &blueprint.components {
            let value = &planned.value.component;
            if !value.is_in(self, entity) {
                let inserted = panics.catch(|| value.insert(self, entity));
                if inserted.is_some() && planned.is_override {
                    self.overridden.add(Arc::clone(&planned.name));
                }
            }
        }
        let overridden = self.overridden.end();
        let inserted = self.insert(entity, (FromPrefab { prefab: Arc::clone(prefab), is_child, overridden },));
        debug_assert!(inserted.is_ok(), "an entity that was just spawned exists");
        let children: Vec<EntityId> = blueprint.children.iter().map(|_| self.spawn_bare()).collect();
        children.iter().for_each(|child| self.add_source::<Parent>(entity, *child));
        panics.catch(|| self.add_needs(entity));
        self.announce_spawned(entity);
        for ((name, blueprint), child) in blueprint.children.iter().zip(children) {
            self.build_child(child, prefab, (entity, name), blueprint, panics);
        }
    }
}
