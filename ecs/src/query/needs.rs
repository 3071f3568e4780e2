//! Collects what a query needs while its state is made.

use std::any::type_name;

use super::query_access::{Case, QueryAccess};
use super::{QueryData, QueryFilter};
use crate::component::{Component, ComponentId, ComponentManager, refusal};
use crate::relation::{Links, Relation};

/// What the parts of a query ask for, added up. [`QueryData::state`](super::QueryData::state) fills it in.
#[doc(hidden)]
pub struct Needs<'a> {
    components: Components<'a>,
    access: QueryAccess,
}

enum Components<'a> {
    /// New component types are registered.
    Exclusive(&'a mut ComponentManager),
    /// A component type that is not registered has no components.
    Shared(&'a ComponentManager),
}

impl<'a> Needs<'a> {
    pub(super) fn exclusive(components: &'a mut ComponentManager) -> Self {
        Self { components: Components::Exclusive(components), access: QueryAccess::default() }
    }

    pub(super) fn shared(components: &'a ComponentManager) -> Self {
        Self { components: Components::Shared(components), access: QueryAccess::default() }
    }

    /// The states of a query, and its access.
    pub(super) fn of<D: QueryData, F: QueryFilter>(mut self) -> (D::State, F::State, QueryAccess) {
        let (data, filter) = (D::state(&mut self), F::state(&mut self));
        let types = [type_name::<D>(), type_name::<F>()];
        (data, filter, QueryAccess { types, includes_disabled: F::INCLUDES_DISABLED, ..self.access })
    }

    fn components(&self) -> &ComponentManager {
        match &self.components {
            Components::Exclusive(components) => components,
            Components::Shared(components) => components,
        }
    }

    fn id<T: Component>(&mut self) -> Option<ComponentId> {
        match &mut self.components {
            Components::Exclusive(components) => {
                if let (None, Some(refusal)) = (components.id_of::<T>(), refusal::<T>()) {
                    self.access.refuse(refusal);
                    return None;
                }
                Some(components.register::<T>())
            }
            Components::Shared(components) => components.id_of::<T>(),
        }
    }

    /// Requires a component and reads it.
    pub(super) fn read<T: Component>(&mut self) -> Option<ComponentId> {
        let id = self.id::<T>()?;
        self.access.read(id);
        self.access.required.insert(id);
        Some(id)
    }

    /// Requires a component and writes to it.
    pub(super) fn write<T: Component>(&mut self) -> Option<ComponentId> {
        let id = self.id::<T>()?;
        if let Some(problem) = self.components().refuses_writers(id) {
            self.access.refuse(problem);
        }
        self.write_values(id)
    }

    /// Requires links and writes their data.
    pub(super) fn write_links<R: Relation>(&mut self) -> Option<ComponentId> {
        let id = self.id::<Links<R>>()?;
        self.write_values(id)
    }

    fn write_values(&mut self, id: ComponentId) -> Option<ComponentId> {
        self.access.write(id);
        self.access.required.insert(id);
        Some(id)
    }

    /// Tracks when components of a type are added and changed.
    pub(super) fn track<T: Component>(&mut self) -> Option<ComponentId> {
        let id = self.id::<T>()?;
        if let Components::Exclusive(components) = &mut self.components {
            components.track(id);
            self.access.tracked.insert(id);
        }
        Some(id)
    }

    /// Requires a component and looks at when it was added and changed, which another part of the query may write to.
    pub(super) fn require_tracked<T: Component>(&mut self) -> Option<ComponentId> {
        let id = self.track::<T>()?;
        self.access.required.insert(id);
        Some(id)
    }

    /// Requires a component and does not touch its values.
    pub(super) fn require<T: Component>(&mut self) -> Option<ComponentId> {
        let id = self.id::<T>()?;
        self.access.required.insert(id);
        Some(id)
    }

    /// Requires that a component is missing. Other queries rely on this as well as on what is required.
    pub(super) fn exclude<T: Component>(&mut self) -> Option<ComponentId> {
        let id = self.id::<T>()?;
        self.access.excluded.insert(id);
        Some(id)
    }

    /// The id of a component whose presence is looked at; neither required nor excluded.
    pub(super) fn observe<T: Component>(&mut self) -> Option<ComponentId> {
        self.id::<T>()
    }

    /// Calls `ask`, and requires and excludes nothing of what it asks for.
    pub(super) fn optional<S>(&mut self, ask: impl FnOnce(&mut Self) -> S) -> S {
        self.apart(ask).0
    }

    /// Calls `ask` for one condition of an `Or`, and adds what its matches have and lack to `cases`.
    pub(super) fn case<S>(&mut self, cases: &mut Vec<Case>, ask: impl FnOnce(&mut Self) -> S) -> S {
        let (state, all, inner) = self.apart(ask);
        match inner.is_empty() {
            true => cases.push(all),
            false => cases.extend(inner.iter().map(|case| case.and(&all))),
        }
        state
    }

    /// Each match is one of these cases.
    pub(super) fn either(&mut self, cases: &[Case]) {
        self.access.either(cases);
    }

    /// Calls `ask`, and returns what it requires, excludes and combines by `Or`, instead of adding it up.
    fn apart<S>(&mut self, ask: impl FnOnce(&mut Self) -> S) -> (S, Case, Vec<Case>) {
        let required = std::mem::take(&mut self.access.required);
        let excluded = std::mem::take(&mut self.access.excluded);
        let cases = std::mem::take(&mut self.access.cases);
        let state = ask(self);
        let required = std::mem::replace(&mut self.access.required, required);
        let excluded = std::mem::replace(&mut self.access.excluded, excluded);
        let cases = std::mem::replace(&mut self.access.cases, cases);
        (state, Case { required, excluded }, cases)
    }
}
