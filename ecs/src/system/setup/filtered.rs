//! Listeners of systems that are called only for the entities that match a filter.

use std::marker::PhantomData;

use super::Setup;
use crate::entity::EntityId;
use crate::event::EntityEvent;
use crate::query::{Query, QueryFilter};
use crate::system::method::{IfCalled, ListenerMethod, ListenerShape};
use crate::system::{Param, System};
use crate::type_map::short_name;

/// A listener for the events of entities that match `F`.
struct Filtered<F, L> {
    listener: L,
    filter: PhantomData<fn(F)>,
}

impl<S, F, M, L> ListenerMethod<S, (F, M)> for Filtered<F, L>
where
    F: QueryFilter + 'static,
    L: ListenerMethod<S, M, Event: EntityEvent>,
{
    type Event = L::Event;
    type Params = (Query<'static, EntityId, F>, L::Params);
    type Output = IfCalled<L::Output>;

    #[inline]
    fn call(
        &self,
        state: &mut S,
        event: &L::Event,
        (query, params): <Self::Params as Param>::Item<'_>,
    ) -> Self::Output {
        let is_match = event.entities().into_iter().any(|entity| query.contains(entity));
        IfCalled(is_match.then(|| self.listener.call(state, event, params)))
    }
}

impl<S: System> Setup<'_, S> {
    /// Calls `listener` with each event that concerns an entity, or one of several, that matches the filter `F`:
    /// `setup.listen_filtered::<With<Player>, _>(Self::on_hit)`. As in queries, disabled entities do not match, unless
    /// the filter says so.
    ///
    /// The filter is checked when the event is delivered, as in
    /// [`Engine::listen_filtered`](crate::Engine::listen_filtered). A listener that needs a component of the entity
    /// looks it up in its own query and needs no filter: two look-ups take longer than one.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// struct Player;
    ///
    /// #[derive(Default)]
    /// struct Arrivals(u32);
    ///
    /// impl System for Arrivals {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.listen_filtered::<With<Player>, _>(|arrivals: &mut Self, _: &Spawned| arrivals.0 += 1);
    ///     }
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.add(Arrivals::default())?;
    /// engine.spawn((Player,));
    /// engine.spawn(());
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.system::<Arrivals>().unwrap().0, 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn listen_filtered<F, M>(
        &mut self,
        listener: impl ListenerShape<S, M> + ListenerMethod<S, M, Event: EntityEvent>,
    ) -> &mut Self
    where
        F: QueryFilter + 'static,
        M: 'static,
    {
        let name = name_of(&listener);
        self.add_listener::<(F, M), _>(Filtered { listener, filter: PhantomData::<fn(F)> }, name, true)
    }
}

/// The name of a function.
fn name_of<F>(_: &F) -> &'static str {
    short_name::<F>()
}
