//! Collects what a query needs while its state is made.

use crate::component::{Component, ComponentId, ComponentManager, ComponentMask, refusal};
use crate::system::Access;

/// What the parts of a query ask for, added up. [`QueryData::state`](super::QueryData::state) fills it in.
#[doc(hidden)]
pub struct Needs<'a> {
    components: Components<'a>,
    access: &'a mut Access,
    pub(super) required: ComponentMask,
    pub(super) excluded: ComponentMask,
    /// The components whose changes it sees.
    pub(super) tracked: ComponentMask,
}

enum Components<'a> {
    /// New component types are registered.
    Exclusive(&'a mut ComponentManager),
    /// A component type that is not registered has no components.
    Shared(&'a ComponentManager),
}

impl<'a> Needs<'a> {
    pub(super) fn exclusive(components: &'a mut ComponentManager, access: &'a mut Access) -> Self {
        Self::new(Components::Exclusive(components), access)
    }

    pub(super) fn shared(components: &'a ComponentManager, access: &'a mut Access) -> Self {
        Self::new(Components::Shared(components), access)
    }

    fn new(components: Components<'a>, access: &'a mut Access) -> Self {
        let (required, excluded, tracked) = Default::default();
        Self { components, access, required, excluded, tracked }
    }

    fn id<T: Component>(&mut self) -> Option<(ComponentId, &'static str)> {
        let components = match &mut self.components {
            Components::Exclusive(components) => {
                if let (None, Some(refusal)) = (components.id_of::<T>(), refusal::<T>()) {
                    self.access.refuse(refusal);
                    return None;
                }
                components.register::<T>();
                &**components
            }
            Components::Shared(components) => components,
        };
        let id = components.id_of::<T>()?;
        Some((id, components.name(id)))
    }

    /// Requires a component and reads it.
    pub(super) fn read<T: Component>(&mut self) -> Option<ComponentId> {
        let (id, name) = self.id::<T>()?;
        self.access.read_component(id, name);
        self.required.insert(id);
        Some(id)
    }

    /// Requires a component and writes to it.
    pub(super) fn write<T: Component>(&mut self) -> Option<ComponentId> {
        let (id, name) = self.id::<T>()?;
        self.access.write_component(id, name);
        self.required.insert(id);
        Some(id)
    }

    /// Tracks when components of a type are added and changed.
    pub(super) fn track<T: Component>(&mut self) {
        if let (Some((id, _)), Components::Exclusive(components)) = (self.id::<T>(), &mut self.components) {
            components.track(id);
            self.tracked.insert(id);
        }
    }

    /// Requires a component and reads when it was added and changed, which another part of the query may write to.
    pub(super) fn observe<T: Component>(&mut self) -> Option<ComponentId> {
        self.track::<T>();
        let (id, _) = self.id::<T>()?;
        self.access.observe_component(id);
        self.required.insert(id);
        Some(id)
    }

    /// Requires a component and does not touch its values.
    pub(super) fn require<T: Component>(&mut self) -> Option<ComponentId> {
        let (id, _) = self.id::<T>()?;
        self.required.insert(id);
        Some(id)
    }

    /// Requires that a component is missing.
    pub(super) fn exclude<T: Component>(&mut self) -> Option<ComponentId> {
        let (id, _) = self.id::<T>()?;
        self.excluded.insert(id);
        Some(id)
    }

    /// Calls `ask`, and requires nothing of what it asks for.
    pub(super) fn optional<S>(&mut self, ask: impl FnOnce(&mut Self) -> S) -> S {
        let required = self.required.clone();
        let state = ask(self);
        self.required = required;
        state
    }
}
