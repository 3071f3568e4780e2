//! Sets of components, and the entities that match them.

use std::fmt;

use super::World;
use crate::component::{Bundle, Component, ComponentMask};
use crate::entity::{EntityId, EntityInfo};

impl World {
    /// The set of the component types of `B`, a tuple of up to 12.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// let ada = engine.spawn(("Ada", 36_u32));
    /// let mask = engine.mask_of::<(u32, &str)>();
    /// assert_eq!(engine.entities().mask(ada), Some(&mask));
    /// ```
    pub fn mask_of<B: Bundle>(&mut self) -> ComponentMask {
        self.components.mask_of::<B>()
    }

    /// The components of `entity` by name, which of them are disabled, and the values of the types that are
    /// [shown](crate::Engine::show); `None` if it does not exist.
    ///
    /// # Example
    /// ```
    /// struct Ghost;
    ///
    /// let mut engine = ecs::Engine::new();
    /// let collector = engine.spawn((1.5_f32, Ghost));
    /// engine.disable_component::<Ghost>(collector)?;
    /// assert_eq!(engine.inspect(collector).unwrap().to_string(), "1v1: f32, Ghost (disabled)");
    /// # Ok::<(), ecs::CommandFailure>(())
    /// ```
    #[must_use]
    pub fn inspect(&self, entity: EntityId) -> Option<EntityInfo> {
        let mut info = self.components.info_of(entity)?;
        for component in &mut info.components {
            let shown = self.shown.iter().find(|(id, _)| *id == component.id);
            component.value = shown.and_then(|(_, show)| show(self, entity));
        }
        Some(info)
    }

    /// Lets [`World::inspect`] show the values of a type.
    pub(crate) fn show<T: Component + fmt::Debug>(&mut self) {
        let id = self.components.register::<T>();
        if self.shown.iter().all(|(known, _)| *known != id) {
            self.shown.push((id, |world, entity| world.get::<T>(entity).map(|value| format!("{value:?}"))));
        }
    }
}
