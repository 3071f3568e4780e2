//! Hooks: a function of a component type that is called with each value which leaves, so that what the value stands for
//! can be released.

use std::ops::DerefMut;

use super::manager::PoolEntry;
use super::pool::{Column, PoolRows};
use super::{Bundle, BundleNews, Component, ComponentId, ComponentManager, Tuples};
use crate::entity::EntityId;
use crate::error::SetupError;
use crate::event::{EventBuffer, EventTypeId, Removed, Replaced};
use crate::panic::{FirstPanic, within};
use crate::resources::{ResourceRef, Resources};
use crate::type_map::short_name;

/// What a change of structure reaches besides entities and components: events, and the resources that hooks use.
#[derive(Clone, Copy)]
pub(crate) struct Effects<'a> {
    pub(crate) buffer: &'a EventBuffer,
    pub(crate) resources: &'a Resources,
}

/// What happens to a value that leaves, if its type has a hook or listeners.
#[derive(Clone, Copy)]
pub(super) struct Leaving<'a> {
    /// The event type of `Removed`, if the value was removed and there are listeners.
    pub(super) removed: Option<EventTypeId>,
    /// The event type of `Replaced`, if the value was replaced and there are listeners.
    pub(super) replaced: Option<EventTypeId>,
    pub(super) effects: Effects<'a>,
}

/// A component that leaves its entity, for [`Engine::on_remove`](crate::Engine::on_remove).
///
/// It gives access to resources, but not to entities and components, which are in the middle of a change.
pub struct Removal<'a, T> {
    /// The entity. It may be gone already.
    pub entity: EntityId,
    /// The value. It is dropped next, or goes to the listeners of [`Removed`] or [`Replaced`].
    pub value: &'a mut T,
    resources: &'a Resources,
}

impl<T> Removal<'_, T> {
    /// A resource for reading; `None` if there is none of this type. O(1).
    ///
    /// # Panics
    /// If the hook has it for writing.
    #[must_use]
    pub fn resource<R: Send + Sync + 'static>(&self) -> Option<ResourceRef<'_, R>> {
        self.resources.find()
    }

    /// A resource for writing; `None` if there is none of this type. O(1).
    ///
    /// # Panics
    /// If the hook has it already.
    #[must_use]
    pub fn resource_mut<R: Send + Sync + 'static>(&self) -> Option<impl DerefMut<Target = R> + '_> {
        self.resources.find_mut()
    }
}

/// The hook of a component type.
pub(super) type Hook<T> = Box<dyn Fn(Removal<'_, T>) + Send + Sync>;

/// Calls the hook with a value that leaves, and sends the value in its event or drops it.
#[cold]
pub(super) fn release<T: Component>(hook: Option<&Hook<T>>, mut value: T, entity: EntityId, leaving: Leaving<'_>) {
    let Leaving { removed, replaced, effects: Effects { buffer, resources } } = leaving;
    if let Some(hook) = hook {
        let mut panics = FirstPanic::default();
        panics.catch(|| call(hook, Removal { entity, value: &mut value, resources }));
        if panics.is_there() {
            panics.catch(|| drop(value));
            return panics.raise();
        }
    }
    match (removed, replaced) {
        (Some(event_type), _) => buffer.push(event_type, Removed { entity, value: Some(value) }),
        (None, Some(event_type)) => buffer.push(event_type, Replaced { entity, old: value }),
        (None, None) => {}
    }
}

impl PoolEntry {
    /// What happens to a component that is removed.
    #[inline]
    pub(super) fn on_removal<'a>(&self, effects: Effects<'a>) -> Option<Leaving<'a>> {
        self.on_leaving(self.events.removed, None, effects)
    }

    /// What happens to a component that is replaced.
    #[inline]
    pub(super) fn on_replacement<'a>(&self, effects: Effects<'a>) -> Option<Leaving<'a>> {
        self.on_leaving(None, self.events.replaced, effects)
    }

    /// What happens to a component that found no entity.
    #[inline]
    pub(super) fn on_discard<'a>(&self, effects: Effects<'a>) -> Option<Leaving<'a>> {
        self.on_leaving(None, None, effects)
    }

    #[inline]
    fn on_leaving<'a>(
        &self,
        removed: Option<EventTypeId>,
        replaced: Option<EventTypeId>,
        effects: Effects<'a>,
    ) -> Option<Leaving<'a>> {
        (self.is_hooked || removed.or(replaced).is_some()).then_some(Leaving { removed, replaced, effects })
    }
}

/// Calls a hook; the message of a panic names it.
fn call<T>(hook: &Hook<T>, removal: Removal<'_, T>) {
    within(format_args!("the hook of component {} panicked", short_name::<T>()), || hook(removal));
}

impl<T: Component> Column<T> {
    /// Calls the hook with all values, before they are replaced.
    pub(super) fn show_all(&mut self, rows: PoolRows<'_>, resources: &Resources, panics: &mut FirstPanic) {
        let (values, hook) = self.values_and_hook();
        let Some(hook) = hook else { return };
        for row in rows.iter() {
            let value = values.at_mut(row.place);
            panics.catch(|| call(hook, Removal { entity: row.owner, value, resources }));
        }
    }
}

impl ComponentManager {
    /// Sets the hook of a component type.
    ///
    /// # Errors
    /// - [`SetupError::Hook`] if the type has one, or only the engine changes it.
    pub(crate) fn set_hook<T: Component>(&mut self, hook: Hook<T>) -> Result<(), SetupError> {
        let id = self.register::<T>();
        let entry = &mut self.pools[id.index()];
        if entry.is_link {
            return Err(SetupError::Hook {
                component: entry.name,
                problem: "only the engine removes it: listen to `Unrelated`",
            });
        }
        if entry.is_hooked {
            return Err(SetupError::Hook {
                component: entry.name,
                problem: "it has one already: do both in one function",
            });
        }
        entry.is_hooked = true;
        entry.pool.set_hook(hook);
        self.note_bundles();
        Ok(())
    }

    /// Whether a component type has a hook.
    pub(crate) fn is_hooked(&self, id: ComponentId) -> bool {
        self.pools[id.index()].is_hooked
    }

    /// Calls the hook of a type with all its values, before they are replaced.
    pub(crate) fn show_all(&mut self, id: ComponentId, resources: &Resources, panics: &mut FirstPanic) {
        self.pools[id.index()].pool.show_all(self.entities.table(), id, resources, panics);
    }

    /// Drops the components of a bundle, after their hooks were called.
    #[cold]
    pub(crate) fn discard<B: Bundle>(&mut self, entity: EntityId, bundle: B, effects: Effects<'_>) {
        let (bundle, place) = (bundle.into_tuples(), self.bundle_place::<B::Tuples>());
        let ids = &self.bundles[place].ids;
        let news = BundleNews { entity, ids, pools: &self.pools, effects, is_replacement: false };
        let mut panics = FirstPanic::default();
        B::Tuples::discard(news, bundle.into_replaced(), &mut panics);
        panics.raise();
    }
}
