//! [`TypeRegistry`]: the types that an engine knows by stable names.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::component_type::{AnyComponentType, ComponentType};
use super::event_type::{AnyEventType, EventKind};
use super::relation_type::RelationType;
use super::resource_type::{AnyResourceType, ResourceType};
use super::saved::{Codec, Saving};
use super::system_type::{AnySystemType, SystemType};
use crate::component::{Component, StableNames, refusal};
use crate::error::{SnapshotError, TypeKind};
use crate::event::{Added, Despawned, Disabled, Enabled, Event, Removed, Replaced, Spawned};
use crate::relation::Parent;
use crate::stable_hash::{StableHash, StateHasher};
use crate::type_map::{TypeMap, short_name};

pub(crate) struct Entry<V: ?Sized> {
    pub(crate) name: Arc<str>,
    pub(crate) rust_name: &'static str,
    pub(crate) type_id: TypeId,
    pub(crate) what: Box<V>,
    /// How its values are saved; `None` if it is not registered for saving.
    pub(crate) codec: Option<Box<Codec>>,
}

/// The types of one kind.
pub(crate) struct Named<V: ?Sized> {
    kind: TypeKind,
    entries: Vec<Entry<V>>,
    by_type: TypeMap<usize>,
    by_name: BTreeMap<Arc<str>, usize>,
}

impl<V: ?Sized> Named<V> {
    fn new(kind: TypeKind) -> Self {
        Self { kind, entries: Vec::new(), by_type: TypeMap::default(), by_name: BTreeMap::new() }
    }

    pub(crate) fn add<T: 'static>(&mut self, name: &str, what: Box<V>) -> Result<(), SnapshotError> {
        self.add_entry(name, TypeId::of::<T>(), short_name::<T>(), what)
    }

    /// As [`Named::add`], compiled once for all types of a kind.
    fn add_entry(
        &mut self,
        name: &str,
        type_id: TypeId,
        rust_name: &'static str,
        what: Box<V>,
    ) -> Result<(), SnapshotError> {
        let kind = self.kind;
        if let Some(known) = self.of(type_id) {
            return match &*known.name == name {
                true => Ok(()),
                false => Err(SnapshotError::NamedTwice { kind, rust_name, names: [known.name.clone(), name.into()] }),
            };
        }
        if let Some(known) = self.named(name) {
            let rust_names = [known.rust_name, rust_name];
            return Err(SnapshotError::NameTaken { kind, name: name.into(), rust_names });
        }
        let name: Arc<str> = name.into();
        self.by_type.insert(type_id, self.entries.len());
        self.by_name.insert(name.clone(), self.entries.len());
        self.entries.push(Entry { name, rust_name, type_id, what, codec: None });
        Ok(())
    }

    pub(crate) fn of_mut(&mut self, type_id: TypeId) -> Option<&mut Entry<V>> {
        self.by_type.get(&type_id).map(|at| &mut self.entries[*at])
    }

    pub(crate) fn of(&self, type_id: TypeId) -> Option<&Entry<V>> {
        self.by_type.get(&type_id).map(|at| &self.entries[*at])
    }

    /// As [`Named::of`], but a type that is not registered is an error.
    pub(crate) fn known(&self, type_id: TypeId, rust_name: &'static str) -> Result<&Entry<V>, SnapshotError> {
        self.of(type_id).ok_or_else(|| SnapshotError::not_registered(self.kind, rust_name))
    }

    pub(crate) fn named(&self, name: &str) -> Option<&Entry<V>> {
        self.by_name.get(name).map(|at| &self.entries[*at])
    }

    /// The type to which a snapshot refers by name.
    pub(crate) fn meant(&self, name: &Arc<str>, type_id: TypeId) -> Result<&Entry<V>, SnapshotError> {
        let kind = self.kind;
        let entry = self.named(name).ok_or_else(|| SnapshotError::UnknownName { kind, name: name.clone() })?;
        match entry.type_id == type_id {
            true => Ok(entry),
            false => Err(SnapshotError::OtherType { kind, name: name.clone(), rust_name: entry.rust_name }),
        }
    }

    /// All types in the order of their names.
    pub(crate) fn by_name(&self) -> impl Iterator<Item = &Entry<V>> {
        self.by_name.values().map(|at| &self.entries[*at])
    }
}

/// The entry of type `T`, downcast to `W`.
pub(super) fn find<T: 'static, W: 'static, V: ?Sized>(
    named: &mut Named<V>,
    as_any: fn(&mut V) -> &mut dyn Any,
) -> Option<&mut W> {
    let entry = named.of_mut(TypeId::of::<T>())?;
    Some(as_any(&mut entry.what).downcast_mut().expect("entries are found by their type"))
}

/// The types that an engine knows by stable names, for [snapshots](crate::Snapshot) and [hashes](crate::StateHash).
/// Register them through [`Engine::types_mut`](crate::Engine::types_mut).
///
/// A snapshot requires that the types of everything in the world are registered: components, resources, systems with a
/// state (those without fields need no name), and waiting events. The engine's own events, such as [`Spawned`], are
/// registered already. Registering a type twice under the same name does nothing. Registration does not change the
/// course of a run.
///
/// A type is hashed by its [`StableHash`], or by the function given to a method ending in `_by`; a function that adds
/// nothing leaves the type out of the hash. Values must not change behind a shared reference (atomics, locks, cells):
/// the engine would treat them as unchanged.
///
/// Values are copied by `clone_from`. Implement it by hand for types that own memory: the one from `#[derive(Clone)]`
/// allocates, instead of reusing the memory.
///
/// # Example
/// ```
/// use ecs::Engine;
///
/// #[derive(Clone)]
/// struct Energy(f32);
///
/// let mut engine = Engine::new();
/// engine.types_mut().component::<u32>("score")?.component_by("energy", |energy: &Energy, hash| {
///     hash.add(&energy.0);
/// })?;
/// let collector = engine.spawn((7_u32, Energy(1.0)));
/// let before = engine.snapshot()?;
/// engine.despawn(collector)?;
/// engine.restore(&before)?;
/// assert_eq!(engine.get::<u32>(collector), Some(&7));
/// # Ok::<(), ecs::Error>(())
/// ```
pub struct TypeRegistry {
    pub(crate) components: Named<dyn AnyComponentType>,
    /// The names of `components`, shared with the pools of the engine.
    pub(crate) component_names: StableNames,
    pub(crate) resources: Named<dyn AnyResourceType>,
    pub(crate) events: Named<dyn AnyEventType>,
    pub(crate) systems: Named<dyn AnySystemType>,
    /// The types of private state.
    pub(crate) locals: Named<dyn AnySystemType>,
    /// Resources and systems that are not part of snapshots.
    left_out: TypeMap<()>,
    pub(crate) relations: Vec<RelationType>,
    pub(super) saving: Saving,
}

impl Default for TypeRegistry {
    fn default() -> Self {
        let mut types = Self {
            components: Named::new(TypeKind::Component),
            component_names: StableNames::default(),
            resources: Named::new(TypeKind::Resource),
            events: Named::new(TypeKind::Event),
            systems: Named::new(TypeKind::System),
            locals: Named::new(TypeKind::Local),
            left_out: TypeMap::default(),
            relations: Vec::new(),
            saving: Saving::default(),
        };
        let known = types.event::<Spawned>("ecs spawned").and_then(|types| types.event::<Despawned>("ecs despawned"));
        let known = known.and_then(|types| types.event::<Enabled>("ecs enabled")?.event::<Disabled>("ecs disabled"));
        let known = known.and_then(|types| types.add_relation::<Parent>(["ecs child of", "ecs children"]));
        debug_assert!(known.is_ok(), "in a new registry, all names are free");
        types.save_own_types();
        types
    }
}

/// A type that declares its stable name and the version of its saved form; [`TypeRegistry::add`] registers it.
///
/// `#[derive(Saved)]` (feature `derive`) implements it. The attribute says what the type is (`component`, which is the
/// default, `resource`, `event` or `system`), its name, and the version that [`TypeRegistry::save`] gets. Without a
/// version, or without the feature `serde`, the type is in snapshots only.
///
#[cfg_attr(all(feature = "derive", feature = "serde"), doc = "```")]
#[cfg_attr(not(all(feature = "derive", feature = "serde")), doc = "```ignore")]
/// use ecs::snapshot::{Saved, StableHash};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Debug, PartialEq, StableHash, Saved, Serialize, Deserialize)]
/// #[saved(name = "height", version = 2)]
/// struct Height { metres: f32 }
///
/// #[derive(Clone, StableHash, Saved)]
/// #[saved(resource, name = "wind")]
/// struct Wind(f32);
///
/// let mut engine = ecs::Engine::new();
/// engine.types_mut().add::<Height>()?.add::<Wind>()?;
/// let balloon = engine.spawn((Height { metres: 8.0 },));
/// let mut saved = Vec::new();
/// engine.save(&mut saved)?;
/// # let mut again = ecs::Engine::new();
/// # again.types_mut().add::<Height>()?.add::<Wind>()?;
/// again.load(&mut saved.as_slice())?;
/// assert_eq!(again.get(balloon), Some(&Height { metres: 8.0 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` brings no stable name along",
    label = "derive it: `#[derive(Saved)] #[saved(name = \"…\")]`, or register the type with `component`, `resource`, `event` or `system`"
)]
pub trait Saved: Sized + 'static {
    /// The stable name.
    const NAME: &'static str;
    /// Registers the type.
    ///
    /// # Errors
    /// As [`TypeRegistry::component`] and [`TypeRegistry::save`].
    fn register(types: &mut TypeRegistry) -> Result<&mut TypeRegistry, SnapshotError>;
}

impl TypeRegistry {
    /// Registers a type by the name that it declares.
    ///
    /// # Errors
    /// As [`Saved::register`].
    pub fn add<T: Saved>(&mut self) -> Result<&mut Self, SnapshotError> {
        T::register(self)
    }

    /// Registers a component type.
    ///
    /// # Errors
    /// - [`SnapshotError::NameTaken`] if another type has the name.
    /// - [`SnapshotError::NamedTwice`] if the type has another name.
    /// - [`SnapshotError::Refused`] if the type cannot be a component.
    pub fn component<T: Component + Clone + StableHash>(&mut self, name: &str) -> Result<&mut Self, SnapshotError> {
        self.component_by(name, T::stable_hash)
    }

    /// As [`TypeRegistry::component`], with a function that hashes it.
    ///
    /// # Errors
    /// As [`TypeRegistry::component`].
    pub fn component_by<T: Component + Clone>(
        &mut self,
        name: &str,
        hash: fn(&T, &mut StateHasher),
    ) -> Result<&mut Self, SnapshotError> {
        if let Some(reason) = refusal::<T>() {
            return Err(SnapshotError::Refused { reason });
        }
        self.add_component(name, ComponentType::<T>::new(hash))?;
        let hash_removed = move |removed: &Removed<T>, into: &mut StateHasher| match &removed.value {
            Some(value) => hash(value, into.add(&removed.entity)),
            None => _ = into.add(&removed.entity),
        };
        let hash_replaced =
            move |replaced: &Replaced<T>, into: &mut StateHasher| hash(&replaced.old, into.add(&replaced.entity));
        self.events.add::<Removed<T>>(&format!("ecs removed {name}"), Box::new(EventKind::new(hash_removed)))?;
        self.events.add::<Replaced<T>>(&format!("ecs replaced {name}"), Box::new(EventKind::new(hash_replaced)))?;
        Ok(self)
    }

    /// Registers a component type whose removal is not an event.
    pub(super) fn add_component<T: Component>(
        &mut self,
        name: &str,
        what: ComponentType<T>,
    ) -> Result<&mut Self, SnapshotError> {
        let before = self.components.entries.len();
        self.components.add::<T>(name, Box::new(what))?;
        if let Some(new) = self.components.entries.get(before) {
            self.component_names.add(new.type_id, &new.name);
        }
        self.events.add::<Added<T>>(&format!("ecs added {name}"), Box::new(EventKind::new(Added::<T>::stable_hash)))?;
        Ok(self)
    }

    /// Registers a resource type.
    ///
    /// # Errors
    /// As [`TypeRegistry::component`].
    pub fn resource<T: Send + Sync + Clone + StableHash + 'static>(
        &mut self,
        name: &str,
    ) -> Result<&mut Self, SnapshotError> {
        self.resource_by(name, T::stable_hash)
    }

    /// As [`TypeRegistry::resource`], with a function that hashes it.
    ///
    /// # Errors
    /// As [`TypeRegistry::component`].
    pub fn resource_by<T: Send + Sync + Clone + 'static>(
        &mut self,
        name: &str,
        hash: fn(&T, &mut StateHasher),
    ) -> Result<&mut Self, SnapshotError> {
        self.resources.add::<T>(name, Box::new(ResourceType::<T>::new(hash)))?;
        Ok(self)
    }

    /// Leaves a resource type out of snapshots: it is not copied, and restoring does not change it. For resources
    /// without influence on the state, such as a cache or a connection.
    pub fn leave_out_resource<T: Send + Sync + 'static>(&mut self) -> &mut Self {
        self.left_out.insert(TypeId::of::<T>(), ());
        self
    }

    /// Registers a type of private state, for [`Local`](crate::Local).
    ///
    /// # Errors
    /// As [`TypeRegistry::component`].
    pub fn local<T: Default + Send + Sync + Clone + StableHash + 'static>(
        &mut self,
        name: &str,
    ) -> Result<&mut Self, SnapshotError> {
        self.local_by(name, T::stable_hash)
    }

    /// As [`TypeRegistry::local`], with a function that hashes a value.
    ///
    /// # Errors
    /// As [`TypeRegistry::component`].
    pub fn local_by<T: Default + Send + Sync + Clone + 'static>(
        &mut self,
        name: &str,
        hash: fn(&T, &mut StateHasher),
    ) -> Result<&mut Self, SnapshotError> {
        self.locals.add::<T>(name, Box::new(SystemType::<T>::new(hash)))?;
        Ok(self)
    }

    /// Registers an event type. Snapshots clone the events of the type that wait; saves write them.
    ///
    /// # Errors
    /// As [`TypeRegistry::component`].
    pub fn event<E: Event + Clone + StableHash>(&mut self, name: &str) -> Result<&mut Self, SnapshotError> {
        self.event_by(name, E::stable_hash)
    }

    /// As [`TypeRegistry::event`], with a function that hashes it.
    ///
    /// # Errors
    /// As [`TypeRegistry::component`].
    pub fn event_by<E: Event + Clone>(
        &mut self,
        name: &str,
        hash: fn(&E, &mut StateHasher),
    ) -> Result<&mut Self, SnapshotError> {
        self.events.add::<E>(name, Box::new(EventKind::new(hash)))?;
        Ok(self)
    }

    /// Makes a [`Difference`](crate::snapshot::Difference) show values of a registered component, resource or system
    /// type by `Debug`.
    ///
    /// # Errors
    /// [`SnapshotError::Nameless`] if the type is not registered.
    pub fn show<T: Component + fmt::Debug>(&mut self) -> Result<&mut Self, SnapshotError> {
        let show: fn(&T) -> String = |value| format!("{value:?}");
        let mut is_named = false;
        if let Some(component) = find::<T, ComponentType<T>, _>(&mut self.components, |what| what) {
            (component.show, is_named) = (Some(show), true);
        }
        if let Some(resource) = find::<T, ResourceType<T>, _>(&mut self.resources, |what| what) {
            (resource.show, is_named) = (Some(show), true);
        }
        for systems in [&mut self.systems, &mut self.locals] {
            if let Some(system) = find::<T, SystemType<T>, _>(systems, |what| what) {
                (system.show, is_named) = (Some(show), true);
            }
        }
        is_named.then_some(self).ok_or_else(|| SnapshotError::Nameless { rust_name: short_name::<T>() })
    }

    pub(crate) fn leave_out<T: 'static>(&mut self) {
        self.left_out.insert(TypeId::of::<T>(), ());
    }

    pub(crate) fn is_left_out(&self, type_id: TypeId) -> bool {
        self.left_out.contains_key(&type_id)
    }
}
