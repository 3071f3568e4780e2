//! The parameters of systems: how each is prepared, what it accesses and how it is fetched.

use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

use super::Subscriptions;
use super::work::Delivery;
use crate::commands::{CommandBuffer, Commands, MethodId, Spawner};
use crate::entity::EntityManager;
use crate::entity_lists::{EntityListTable, EntityLists};
use crate::error::TIME_AS_RESOURCE;
use crate::event::{Event, EventBuffer, EventTypeId, Sender};
use crate::query::{Access, Entities, Query, QueryData, QueryFilter, QueryGuard, QueryState};
use crate::resources::{LastAsked, Res, ResGuard, ResMut, ResMutGuard, ResourceId, Resources};
use crate::time::Time;
use crate::type_map::short_name;
use crate::world::World;

/// The world, and the buffers of a system for events and commands.
#[doc(hidden)]
pub struct RunContext<'w> {
    pub(crate) world: &'w World,
    pub(crate) buffer: &'w EventBuffer,
    pub(crate) commands: &'w RefCell<CommandBuffer>,
    pub(crate) time: &'w Time,
    /// The events of a listener.
    pub(crate) delivery: Option<Delivery<'w>>,
    /// The tick of the present call: see `component/ticks.rs`.
    pub(crate) tick: &'w Cell<u64>,
}

impl RunContext<'_> {
    /// Begins the next call, with a tick of its own.
    #[inline]
    pub(super) fn begin_call(&self) {
        self.tick.set(self.tick.get() + 1);
    }
}

/// A parameter of a function, or of a method of a system. Either takes up to eight, in any order:
///
/// | parameter | what it is |
/// |---|---|
/// | [`Query<D, F>`](crate::Query) | entities with certain components |
/// | [`Entities`] | entities by a mask, and their components |
/// | [`EntityLists`] | named lists of entities |
/// | [`Hierarchy`](crate::hierarchy::Hierarchy) | parents and children |
/// | [`Res<T>`](crate::Res), [`ResMut<T>`](crate::ResMut) | a resource; `Option<…>` of it if it may be missing |
/// | [`Sender<E>`](crate::Sender) | sends events |
/// | [`Commands`], [`Spawner`] | record changes of structure |
/// | [`Subscriptions`] | subscribes and unsubscribes listeners |
/// | [`Local`](super::Local)`<T>` | private state that it keeps from call to call |
/// | [`Local<T>`](crate::Local) | private state |
/// | [`Random<P>`](crate::Random) | random numbers for a purpose |
/// | [`Time`] | the length of the frame |
/// | a tuple of up to eight of these | for more than eight parameters; tuples can be nested |
///
/// A method of a phase may instead take `&mut World` alone.
///
/// A struct of parameters is one too with `#[derive(Param)]` (feature `derive`): it has named fields, of which each is
/// a parameter. So parameters that belong together get a name and methods, and a method takes more than eight. Queries
/// in it name their components with `'static`.
///
#[cfg_attr(feature = "derive", doc = "```")]
#[cfg_attr(not(feature = "derive"), doc = "```ignore")]
/// use ecs::prelude::*;
///
/// struct Health(i32);
/// #[derive(Clone, Copy)]
/// struct Hit { target: EntityId }
///
/// #[derive(ecs::Param)]
/// struct Combat<'w> {
///     healths: Query<'w, &'static mut Health>,
///     hits: Sender<'w, Hit>,
/// }
///
/// impl Combat<'_> {
///     fn hit(&mut self, target: EntityId) {
///         if let Some(health) = self.healths.get_mut(target) {
///             health.0 -= 1;
///             self.hits.send(Hit { target });
///         }
///     }
/// }
///
/// let mut engine = Engine::new();
/// let target = engine.spawn((Health(3),));
/// engine.run(move |mut combat: Combat| combat.hit(target))?;
/// assert_eq!(engine.get::<Health>(target).unwrap().0, 2);
/// # Ok::<(), ecs::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a parameter of a system",
    label = "`Query`, `Entities`, `EntityLists`, `Hierarchy`, `Res`, `ResMut`, `Sender`, `Commands`, `Spawner`, `Subscriptions`, `Local`, `Random` or `Time`",
    note = "a `Sender` is one if its event is `Send + Sync + 'static`; a struct of parameters derives `Param`; `&mut World` stands alone, in a method for `update_exclusive`",
    note = "an event comes first and by reference, as in `fn hear(hit: &Hit, …)`; an `EventReader` belongs to the application, or into a field of a system; a filter is the second argument of a query, as in `Query<&Position, With<Rock>>`"
)]
pub trait Param {
    #[doc(hidden)]
    type State: Send + Sync + 'static;
    #[doc(hidden)]
    type Guard<'w>;
    /// The parameter as a method gets it.
    type Item<'g>;
    /// Whether it is or contains a query, which needs a tick for each call.
    #[doc(hidden)]
    const HAS_QUERY: bool = false;
    /// Whether it is or contains [`Subscriptions`].
    #[doc(hidden)]
    const CHANGES_SUBSCRIPTIONS: bool = false;

    #[doc(hidden)]
    fn prepare(world: &mut World, access: &mut Access) -> Self::State;
    /// Name of a missing resource.
    #[doc(hidden)]
    fn missing(_state: &Self::State, _world: &World) -> Option<&'static str> {
        None
    }
    #[doc(hidden)]
    fn guard<'w>(state: &'w Self::State, context: &'w RunContext<'w>) -> Self::Guard<'w>;
    #[doc(hidden)]
    fn item<'g>(guard: &'g mut Self::Guard<'_>) -> Self::Item<'g>;
}

impl<D: QueryData + 'static, F: QueryFilter + 'static> Param for Query<'_, D, F> {
    type State = QueryState<D, F>;
    type Guard<'w> = QueryGuard<'w, D, F>;
    type Item<'g> = Query<'g, D, F>;
    const HAS_QUERY: bool = true;

    fn prepare(world: &mut World, access: &mut Access) -> Self::State {
        if !QueryState::<D, F>::HAS_LEAD {
            access.read_entities();
        }
        QueryState::of_system(&mut world.components, access)
    }

    fn guard<'w>(state: &'w Self::State, context: &'w RunContext<'w>) -> Self::Guard<'w> {
        context.world.query_guard(state, context.tick)
    }

    fn item<'g>(guard: &'g mut Self::Guard<'_>) -> Self::Item<'g> {
        guard.query()
    }
}

/// A parameter that is made of others; `#[derive(Param)]` implements it.
///
/// Nothing in it can get around the check that parameters do not exclude each other: its fields are prepared and
/// fetched as a tuple.
#[doc(hidden)]
pub trait DerivedParam {
    /// The fields as tuples of up to eight.
    type Fields: Param;
    /// The struct with this lifetime.
    type This<'g>;
    fn from_fields<'g>(fields: <Self::Fields as Param>::Item<'g>) -> Self::This<'g>;
}

#[diagnostic::do_not_recommend]
impl<P: DerivedParam> Param for P {
    type State = <P::Fields as Param>::State;
    type Guard<'w> = <P::Fields as Param>::Guard<'w>;
    type Item<'g> = P::This<'g>;
    const HAS_QUERY: bool = P::Fields::HAS_QUERY;
    const CHANGES_SUBSCRIPTIONS: bool = P::Fields::CHANGES_SUBSCRIPTIONS;

    fn prepare(world: &mut World, access: &mut Access) -> Self::State {
        P::Fields::prepare(world, access)
    }

    fn missing(state: &Self::State, world: &World) -> Option<&'static str> {
        P::Fields::missing(state, world)
    }

    #[inline]
    fn guard<'w>(state: &'w Self::State, context: &'w RunContext<'w>) -> Self::Guard<'w> {
        P::Fields::guard(state, context)
    }

    #[inline]
    fn item<'g>(guard: &'g mut Self::Guard<'_>) -> Self::Item<'g> {
        P::from_fields(P::Fields::item(guard))
    }
}

const CHECKED: &str = "missing resources are found before a frame begins";

/// The name of a resource that is not present.
fn missing_resource<T: Send + Sync + 'static>(id: ResourceId, resources: &Resources) -> Option<&'static str> {
    let is_time = TypeId::of::<T>() == TypeId::of::<Time>();
    (!resources.has::<T>(id)).then(|| if is_time { TIME_AS_RESOURCE } else { short_name::<T>() })
}

impl<T: Send + Sync + 'static> Param for Res<'_, T> {
    type State = Arc<LastAsked>;
    type Guard<'w> = ResGuard<'w, T>;
    type Item<'g> = Res<'g, T>;

    fn prepare(world: &mut World, access: &mut Access) -> Self::State {
        access.read_resource(world.resources.register::<T>(), short_name::<T>())
    }

    fn missing(state: &Self::State, world: &World) -> Option<&'static str> {
        missing_resource::<T>(state.resource, &world.resources)
    }

    #[inline]
    fn guard<'w>(state: &'w Self::State, context: &'w RunContext<'w>) -> Self::Guard<'w> {
        ResGuard::new(context.world.resources.read(state.resource), state)
    }

    #[inline]
    fn item<'g>(guard: &'g mut Self::Guard<'_>) -> Res<'g, T> {
        guard.item().expect(CHECKED)
    }
}

impl<T: Send + Sync + 'static> Param for ResMut<'_, T> {
    type State = Arc<LastAsked>;
    type Guard<'w> = ResMutGuard<'w, T>;
    type Item<'g> = ResMut<'g, T>;

    fn prepare(world: &mut World, access: &mut Access) -> Self::State {
        access.write_resource(world.resources.register::<T>(), short_name::<T>())
    }

    fn missing(state: &Self::State, world: &World) -> Option<&'static str> {
        missing_resource::<T>(state.resource, &world.resources)
    }

    #[inline]
    fn guard<'w>(state: &'w Self::State, context: &'w RunContext<'w>) -> Self::Guard<'w> {
        ResMutGuard::new(context.world.resources.write(state.resource), state)
    }

    #[inline]
    fn item<'g>(guard: &'g mut Self::Guard<'_>) -> ResMut<'g, T> {
        guard.item().expect(CHECKED)
    }
}

impl<T: Send + Sync + 'static> Param for Option<Res<'_, T>> {
    type State = Arc<LastAsked>;
    type Guard<'w> = ResGuard<'w, T>;
    type Item<'g> = Option<Res<'g, T>>;

    fn prepare(world: &mut World, access: &mut Access) -> Self::State {
        <Res<T> as Param>::prepare(world, access)
    }

    fn guard<'w>(state: &'w Self::State, context: &'w RunContext<'w>) -> Self::Guard<'w> {
        <Res<T> as Param>::guard(state, context)
    }

    fn item<'g>(guard: &'g mut Self::Guard<'_>) -> Self::Item<'g> {
        guard.item()
    }
}

impl<T: Send + Sync + 'static> Param for Option<ResMut<'_, T>> {
    type State = Arc<LastAsked>;
    type Guard<'w> = ResMutGuard<'w, T>;
    type Item<'g> = Option<ResMut<'g, T>>;

    fn prepare(world: &mut World, access: &mut Access) -> Self::State {
        <ResMut<T> as Param>::prepare(world, access)
    }

    fn guard<'w>(state: &'w Self::State, context: &'w RunContext<'w>) -> Self::Guard<'w> {
        <ResMut<T> as Param>::guard(state, context)
    }

    fn item<'g>(guard: &'g mut Self::Guard<'_>) -> Self::Item<'g> {
        guard.item()
    }
}

impl Param for Entities<'_> {
    type State = ();
    type Guard<'w> = &'w World;
    type Item<'g> = Entities<'g>;

    fn prepare(_: &mut World, access: &mut Access) {
        access.read_entities();
    }

    fn guard<'w>((): &'w (), context: &'w RunContext<'w>) -> Self::Guard<'w> {
        context.world
    }

    fn item<'g>(world: &'g mut Self::Guard<'_>) -> Entities<'g> {
        Entities::new(&world.components, &world.global_ids)
    }
}

impl Param for EntityLists<'_> {
    type State = ();
    type Guard<'w> = &'w EntityListTable;
    type Item<'g> = EntityLists<'g>;

    fn prepare(_: &mut World, _: &mut Access) {}

    fn guard<'w>((): &'w (), context: &'w RunContext<'w>) -> Self::Guard<'w> {
        &context.world.entity_lists
    }

    fn item<'g>(table: &'g mut Self::Guard<'_>) -> EntityLists<'g> {
        EntityLists::new(table)
    }
}

impl<E: Event> Param for Sender<'_, E> {
    type State = EventTypeId;
    type Guard<'w> = (&'w EventBuffer, EventTypeId);
    type Item<'g> = Sender<'g, E>;

    fn prepare(world: &mut World, access: &mut Access) -> EventTypeId {
        let id = world.events.register::<E>();
        access.sends.push(id);
        id
    }

    fn guard<'w>(id: &'w EventTypeId, context: &'w RunContext<'w>) -> Self::Guard<'w> {
        (context.buffer, *id)
    }

    fn item<'g>((buffer, id): &'g mut Self::Guard<'_>) -> Sender<'g, E> {
        Sender::new(buffer, *id)
    }
}

impl Param for Commands<'_> {
    type State = ();
    type Guard<'w> = (&'w RefCell<CommandBuffer>, MethodId);
    type Item<'g> = Commands<'g>;

    fn prepare(_: &mut World, access: &mut Access) {
        access.commands = true;
    }

    fn guard<'w>((): &'w (), context: &'w RunContext<'w>) -> Self::Guard<'w> {
        (context.commands, MethodId::of(context.buffer))
    }

    fn item<'g>((commands, method): &'g mut Self::Guard<'_>) -> Commands<'g> {
        Commands::new(commands, *method)
    }
}

impl Param for Spawner<'_> {
    type State = ();
    type Guard<'w> = (&'w EntityManager, &'w RefCell<CommandBuffer>);
    type Item<'g> = Spawner<'g>;

    fn prepare(_: &mut World, access: &mut Access) {
        access.spawn();
    }

    fn guard<'w>((): &'w (), context: &'w RunContext<'w>) -> Self::Guard<'w> {
        (context.world.entities(), context.commands)
    }

    fn item<'g>((entities, commands): &'g mut Self::Guard<'_>) -> Spawner<'g> {
        Spawner::new(entities, commands)
    }
}

impl Param for Subscriptions<'_> {
    type State = ();
    type Guard<'w> = &'w RunContext<'w>;
    type Item<'g> = Subscriptions<'g>;
    const CHANGES_SUBSCRIPTIONS: bool = true;

    fn prepare(_: &mut World, access: &mut Access) {
        access.changes_subscriptions = true;
    }

    fn guard<'w>((): &'w (), context: &'w RunContext<'w>) -> Self::Guard<'w> {
        context
    }

    fn item<'g>(context: &'g mut Self::Guard<'_>) -> Subscriptions<'g> {
        Subscriptions::new(&context.world.events, context.delivery.as_ref().map(|delivery| &delivery.sequence))
    }
}

impl Param for Time {
    type State = ();
    type Guard<'w> = Time;
    type Item<'g> = Time;

    fn prepare(_: &mut World, _: &mut Access) {}

    fn guard<'w>((): &'w (), context: &'w RunContext<'w>) -> Time {
        *context.time
    }

    fn item(time: &mut Time) -> Time {
        *time
    }
}

macro_rules! param_tuple {
    ($($name:ident),*) => {
        #[allow(non_snake_case, unused_variables, clippy::unused_unit)]
        impl<$($name: Param),*> Param for ($($name,)*) {
            type State = ($($name::State,)*);
            type Guard<'w> = ($($name::Guard<'w>,)*);
            type Item<'g> = ($($name::Item<'g>,)*);
            const HAS_QUERY: bool = false $(|| $name::HAS_QUERY)*;
            const CHANGES_SUBSCRIPTIONS: bool = false $(|| $name::CHANGES_SUBSCRIPTIONS)*;

            fn prepare(world: &mut World, access: &mut Access) -> Self::State {
                ($($name::prepare(world, access),)*)
            }

            fn missing(($($name,)*): &Self::State, world: &World) -> Option<&'static str> {
                let missing = None;
                $(let missing = missing.or_else(|| $name::missing($name, world));)*
                missing
            }

            #[inline]
            fn guard<'w>(($($name,)*): &'w Self::State, context: &'w RunContext<'w>) -> Self::Guard<'w> {
                ($($name::guard($name, context),)*)
            }

            #[inline]
            fn item<'g>(($($name,)*): &'g mut Self::Guard<'_>) -> Self::Item<'g> {
                ($($name::item($name),)*)
            }
        }
    };
}

param_tuple!();
param_tuple!(P0);
param_tuple!(P0, P1);
param_tuple!(P0, P1, P2);
param_tuple!(P0, P1, P2, P3);
param_tuple!(P0, P1, P2, P3, P4);
param_tuple!(P0, P1, P2, P3, P4, P5);
param_tuple!(P0, P1, P2, P3, P4, P5, P6);
param_tuple!(P0, P1, P2, P3, P4, P5, P6, P7);
