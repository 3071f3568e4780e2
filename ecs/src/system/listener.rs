//! Plain functions as listeners: of every event of a type, of the events of one entity, or of entities that match a
//! filter.

use std::marker::PhantomData;
use std::sync::Arc;

use super::function::OfFunction;
use super::method::IfCalled;
use super::named::factory;
use super::node::{Dependency, SystemNode};
use super::{ListenerMethod, MethodOutput, Param, Setup, SetupError, Timing};
use crate::entity::EntityId;
use crate::event::{EntityEvent, Event};
use crate::query::{Query, QueryFilter};
use crate::types::{AnySystemType, SystemType};
use crate::world::World;

/// A function `fn(&E, …)` that listens to events of type `E`; the other parameters are [`Param`]s.
/// [`Engine::listen`](crate::Engine::listen) adds it.
///
/// It is `Clone`, so that snapshots can copy it: a closure is, if all that it captures is.
#[diagnostic::on_unimplemented(
    message = "this is not a function that can listen",
    label = "a listener takes the event by reference and up to 8 parameters: `Query`, `Res`, `ResMut`, `Sender`, `Commands`, `Spawner`, `Entities`, `EntityLists`, `Hierarchy`, `Subscriptions`, `Local`, `Random`, `Time`, or a tuple of these; it returns nothing or a `Result<(), E>`; what it captures is `Clone + Send + Sync`"
)]
pub trait ListenerFunction<Marker>: Clone + Send + Sync + 'static {
    /// The type of the events.
    type Event: Event;
    #[doc(hidden)]
    type Params: Param;
    /// What the function returns.
    type Output: MethodOutput;
    #[doc(hidden)]
    fn call(&mut self, event: &Self::Event, params: <Self::Params as Param>::Item<'_>) -> Self::Output;
}

// The first bound infers the types of the parameters, the second allows any lifetimes.
macro_rules! listener_functions {
    ($($name:ident),*) => {
        #[allow(non_snake_case, unused_variables, clippy::too_many_arguments)]
        impl<E: Event, R: MethodOutput, Func, $($name: Param),*> ListenerFunction<fn(E, $($name),*) -> R> for Func
        where
            Func: FnMut(&E, $($name),*) -> R + FnMut(&E, $($name::Item<'_>),*) -> R + Clone + Send + Sync + 'static,
        {
            type Event = E;
            type Params = ($($name,)*);
            type Output = R;

            #[inline]
            fn call(&mut self, event: &E, ($($name,)*): <Self::Params as Param>::Item<'_>) -> R {
                fn pass<E, R, $($name),*>(
                    mut listener: impl FnMut(&E, $($name),*) -> R,
                    event: &E,
                    $($name: $name),*
                ) -> R {
                    listener(event, $($name),*)
                }
                pass(self, event, $($name),*)
            }
        }
    };
}

listener_functions!();
listener_functions!(P0);
listener_functions!(P0, P1);
listener_functions!(P0, P1, P2);
listener_functions!(P0, P1, P2, P3);
listener_functions!(P0, P1, P2, P3, P4);
listener_functions!(P0, P1, P2, P3, P4, P5);
listener_functions!(P0, P1, P2, P3, P4, P5, P6);
listener_functions!(P0, P1, P2, P3, P4, P5, P6, P7);

/// The state of a system that is a listening function. `S` names the events that it gets.
pub(crate) struct ListenerState<F, S> {
    function: F,
    scope: PhantomData<fn(S)>,
}

impl<F: Clone, S> Clone for ListenerState<F, S> {
    fn clone(&self) -> Self {
        Self::new(self.function.clone())
    }
}

impl<F, S> ListenerState<F, S> {
    fn new(function: F) -> Self {
        Self { function, scope: PhantomData }
    }
}

/// The only listener of a system with state [`ListenerState`].
struct Every;

/// As [`Every`], for the events of one entity, which are the only ones that it gets.
struct OfEntity;

/// As [`Every`], for the events of entities that match the filter `S`.
struct Matching<S>(PhantomData<fn(S)>);

impl<F, M: 'static> ListenerMethod<ListenerState<F, Every>, OfFunction<M>> for Every
where
    F: ListenerFunction<M>,
{
    type Event = F::Event;
    type Params = F::Params;
    type Output = F::Output;

    #[inline]
    fn call(
        &self,
        state: &mut ListenerState<F, Every>,
        event: &F::Event,
        params: <F::Params as Param>::Item<'_>,
    ) -> F::Output {
        state.function.call(event, params)
    }
}

impl<F, M: 'static> ListenerMethod<ListenerState<F, OfEntity>, OfFunction<M>> for OfEntity
where
    F: ListenerFunction<M, Event: EntityEvent>,
{
    type Event = F::Event;
    type Params = F::Params;
    type Output = F::Output;

    #[inline]
    fn call(
        &self,
        state: &mut ListenerState<F, OfEntity>,
        event: &F::Event,
        params: <F::Params as Param>::Item<'_>,
    ) -> F::Output {
        state.function.call(event, params)
    }
}

impl<F, S: QueryFilter + 'static, M: 'static> ListenerMethod<ListenerState<F, Matching<S>>, OfFunction<M>>
    for Matching<S>
where
    F: ListenerFunction<M, Event: EntityEvent>,
{
    type Event = F::Event;
    type Params = (Query<'static, EntityId, S>, F::Params);
    type Output = IfCalled<F::Output>;

    #[inline]
    fn call(
        &self,
        state: &mut ListenerState<F, Matching<S>>,
        event: &F::Event,
        (query, params): <Self::Params as Param>::Item<'_>,
    ) -> Self::Output {
        let is_match = event.entities().into_iter().any(|entity| query.contains(entity));
        IfCalled(is_match.then(|| state.function.call(event, params)))
    }
}

/// Makes a system of a listening function again, in an engine that lost it.
type RebuildListener<F> = fn(F, Timing, &mut World) -> Result<SystemNode, SetupError>;

/// A system that listens to every event of a type.
pub(crate) fn listener<M: 'static, F>(function: F, timing: Timing, world: &mut World) -> Result<SystemNode, SetupError>
where
    F: ListenerFunction<M>,
{
    node::<Every, OfFunction<M>, F, _>(function, Every, timing, world, listener::<M, F>)
}

/// A system that listens to the events of the entity that `timing` names.
pub(crate) fn observer<M: 'static, F>(function: F, timing: Timing, world: &mut World) -> Result<SystemNode, SetupError>
where
    F: ListenerFunction<M, Event: EntityEvent>,
{
    world.events.observe::<F::Event>();
    node::<OfEntity, OfFunction<M>, F, _>(function, OfEntity, timing, world, observer::<M, F>)
}

/// A system that listens to the events of entities that match `S`.
pub(crate) fn filtered<S, M: 'static, F>(
    function: F,
    timing: Timing,
    world: &mut World,
) -> Result<SystemNode, SetupError>
where
    S: QueryFilter + 'static,
    F: ListenerFunction<M, Event: EntityEvent>,
{
    node::<Matching<S>, OfFunction<M>, F, _>(function, Matching(PhantomData), timing, world, filtered::<S, M, F>)
}

fn node<S: 'static, M: 'static, F, L>(
    function: F,
    method: L,
    timing: Timing,
    world: &mut World,
    again: RebuildListener<F>,
) -> Result<SystemNode, SetupError>
where
    F: Clone + Send + Sync + 'static,
    L: ListenerMethod<ListenerState<F, S>, M>,
{
    let copy = function.clone();
    let own_type = SystemType::<ListenerState<F, S>>::of_function::<F>(factory(move |timing, world| {
        again(copy.clone(), timing, world)
    }));
    let own_type: Arc<dyn AnySystemType> = Arc::new(own_type);
    Setup::of_listener(ListenerState::<F, S>::new(function), Dependency::of::<F>(), method, timing, own_type, world)
}
