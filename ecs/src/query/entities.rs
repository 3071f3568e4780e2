//! The parameter for looking at entities of any kind.

use super::{MaskQuery, Matching};
use crate::component::{Component, ComponentId, ComponentManager, ComponentMask, ComponentNameError};
use crate::entity::{EntityId, EntityInfo, GlobalId, GlobalIds};

/// Looks at entities of any kind: whether they exist, what components they have, which match a mask; a parameter of
/// systems and listeners.
///
/// It reads no components, so it conflicts only with [`Spawner`](crate::Spawner).
///
/// # Example
/// ```
/// # use ecs::{Commands, Engine, Entities, Setup, System, query::MaskQuery};
/// struct Fragile;
///
/// /// Despawns all entities that match.
/// struct Sweeper {
///     targets: MaskQuery,
/// }
///
/// impl System for Sweeper {
///     fn setup(setup: &mut Setup<Self>) {
///         setup.update(Self::sweep);
///     }
/// }
///
/// impl Sweeper {
///     fn sweep(&mut self, entities: Entities, mut commands: Commands) {
///         commands.despawn_many(entities.matching(&self.targets));
///     }
/// }
///
/// let mut engine = Engine::new();
/// let (glass, iron) = (engine.spawn((Fragile,)), engine.spawn(()));
/// let targets = engine.mask_of::<(Fragile,)>().into();
/// engine.add(Sweeper { targets })?.update(std::time::Duration::ZERO)?;
/// assert!(!engine.contains(glass) && engine.contains(iron));
/// # Ok::<(), ecs::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Entities<'w> {
    components: &'w ComponentManager,
    global_ids: &'w GlobalIds,
}

impl<'w> Entities<'w> {
    pub(crate) fn new(components: &'w ComponentManager, global_ids: &'w GlobalIds) -> Self {
        Self { components, global_ids }
    }

    /// The entities that match `query`, in a deterministic order.
    ///
    /// # Example
    /// See [`Entities`].
    #[must_use]
    pub fn matching<'q>(&self, query: &'q MaskQuery) -> Matching<'q>
    where
        'w: 'q,
    {
        Matching::new(query, self.components)
    }

    /// Whether `entity` exists. O(1).
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// let (ada, ghost) = (engine.spawn(("Ada",)), engine.spawn(("ghost",)));
    /// engine.disable(ghost)?;
    /// engine.run(move |entities: Entities| {
    ///     assert!(entities.contains(ada) && entities.contains(ghost));
    ///     assert_eq!((entities.is_enabled(ada), entities.is_enabled(ghost)), (Some(true), Some(false)));
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contains(&self, entity: EntityId) -> bool {
        self.components.entities.contains(entity)
    }

    /// Whether `entity` is enabled; `None` if it does not exist. O(1).
    ///
    /// # Example
    /// See [`Entities::contains`].
    #[must_use]
    pub fn is_enabled(&self, entity: EntityId) -> Option<bool> {
        self.components.entities.is_enabled(entity)
    }

    /// The set of components that `entity` has, disabled ones included; `None` if it does not exist. O(1).
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// let ada = engine.spawn(("Ada", 36_u32));
    /// engine.run(move |entities: Entities| {
    ///     let age = entities.component_id::<u32>().expect("there is one");
    ///     assert!(entities.mask(ada).unwrap().contains(age));
    /// })?;
    /// # Ok::<(), ecs::Error>(())
    /// ```
    #[must_use]
    pub fn mask(&self, entity: EntityId) -> Option<&'w ComponentMask> {
        self.components.entities.mask(entity)
    }

    /// The components of `entity` by name; `None` if it does not exist. Their values are not shown, since other systems
    /// may write them meanwhile.
    ///
    /// # Example
    /// See [`World::inspect`](crate::World::inspect).
    #[must_use]
    pub fn inspect(&self, entity: EntityId) -> Option<EntityInfo> {
        self.components.info_of(entity)
    }

    /// The global id of `entity`, if it has one. O(1).
    ///
    /// # Example
    /// See [`World::global_id`](crate::World::global_id).
    #[must_use]
    pub fn assigned_global_id(&self, entity: EntityId) -> Option<GlobalId> {
        self.global_ids.of(entity)
    }

    /// The entity with `global_id`; `None` if it is not in this engine. O(1).
    ///
    /// # Example
    /// See [`World::global_id`](crate::World::global_id).
    #[must_use]
    pub fn by_global_id(&self, global_id: GlobalId) -> Option<EntityId> {
        self.global_ids.entity(global_id)
    }

    /// The id of a component type; `None` if the engine does not know it. O(1).
    ///
    /// # Example
    /// See [`Entities::mask`].
    #[must_use]
    pub fn component_id<T: Component>(&self) -> Option<ComponentId> {
        self.components.id_of::<T>()
    }

    /// The set of the component types with these names.
    ///
    /// # Errors
    /// As [`ComponentManager::mask_by_names`].
    ///
    /// # Example
    /// See [`ComponentManager::mask_by_names`].
    pub fn mask_by_names<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<ComponentMask, ComponentNameError> {
        self.components.mask_by_names(names)
    }
}
