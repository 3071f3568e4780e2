//! The methods and functions that an engine can call, with parameters inferred from their signatures.

use std::error::Error;

use super::Param;
use crate::entity::EntityId;
use crate::event::Event;

/// What a method of a system or a function that an engine calls returns: nothing, or a `Result<(), E>` with any error
/// `E`, for `?` in its body. An error is reported as the [`ErrorPolicy`](super::ErrorPolicy) says.
#[diagnostic::on_unimplemented(
    message = "a method of a system, or a function that an engine calls, cannot return `{Self}`",
    label = "it returns nothing, or a `Result<(), E>` whose error `E` becomes a `Box<dyn Error>`: end the body with a `;` or `Ok(())`"
)]
pub trait MethodOutput {
    #[doc(hidden)]
    const CAN_FAIL: bool;
    /// The text of the error.
    #[doc(hidden)]
    fn into_error(self) -> Option<String>;
}

impl MethodOutput for () {
    const CAN_FAIL: bool = false;

    #[inline(always)]
    fn into_error(self) -> Option<String> {
        None
    }
}

/// The type `!` of a closure that only panics, which stable Rust cannot name in another way.
type Never = <fn() -> ! as Returns>::Output;

trait Returns {
    type Output;
}

impl<R> Returns for fn() -> R {
    type Output = R;
}

#[allow(private_interfaces)]
impl MethodOutput for Never {
    const CAN_FAIL: bool = false;

    fn into_error(self) -> Option<String> {
        self
    }
}

impl<E: Into<Box<dyn Error>>> MethodOutput for Result<(), E> {
    const CAN_FAIL: bool = true;

    #[inline]
    fn into_error(self) -> Option<String> {
        self.err().map(|error| error.into().to_string())
    }
}

/// What a function returned, if it was called.
pub(crate) struct IfCalled<R>(pub(super) Option<R>);

impl<R: MethodOutput> MethodOutput for IfCalled<R> {
    const CAN_FAIL: bool = R::CAN_FAIL;

    #[inline(always)]
    fn into_error(self) -> Option<String> {
        self.0.and_then(R::into_error)
    }
}

/// The first parameter of a [`SystemMethod`] and the number of the others, whatever their types are. It is matched
/// first, so that the compiler reports the type that is no parameter instead of the whole method.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this is not a method of a system `{S}`",
    label = "expected `fn(&mut self, …)` with up to 8 parameters",
    note = "the first parameter is `&mut self`, not `&self` or `self`; as a closure, `|own: &mut {S}, …|` with the types of all parameters",
    note = "the others are `Query`, `Res`, `ResMut`, `Sender`, `Commands`, `Spawner`, `Entities`, `EntityLists`, `Subscriptions`, `Local`, `Random`, `Time`, `Hierarchy`, a tuple of these, or a struct with `#[derive(Param)]`, which can hold more; `&mut World` stands alone, with `update_exclusive`",
    note = "it returns nothing, or a `Result<(), E>` whose error `E` becomes a `Box<dyn Error>`"
)]
pub trait MethodShape<S, Marker> {}

/// As [`MethodShape`], for a [`ListenerMethod`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this is not a listener of a system `{S}`",
    label = "expected `fn(&mut self, &Event, …)` with up to 8 parameters more",
    note = "the first parameter is `&mut self`, not `&self` or `self`; as a closure, `|own: &mut {S}, event: &Event, …|` with the types of all parameters",
    note = "the second is a reference to the event, whose type is `Send + Sync + 'static`",
    note = "the others are `Query`, `Res`, `ResMut`, `Sender`, `Commands`, `Spawner`, `Entities`, `EntityLists`, `Subscriptions`, `Local`, `Random`, `Time`, `Hierarchy`, a tuple of these, or a struct with `#[derive(Param)]`, which can hold more",
    note = "it returns nothing, or a `Result<(), E>` whose error `E` becomes a `Box<dyn Error>`"
)]
pub trait ListenerShape<S, Marker> {}

/// A method `fn(&mut S, …)` of a system; the other parameters are [`Param`]s.
#[diagnostic::on_unimplemented(
    message = "this is not a method of a system `{S}`",
    label = "it cannot be called with `&mut {S}` and parameters"
)]
pub trait SystemMethod<S, Marker>: Send + Sync + 'static {
    #[doc(hidden)]
    type Params: Param;
    #[doc(hidden)]
    type Output: MethodOutput;
    #[doc(hidden)]
    fn call(&self, state: &mut S, params: <Self::Params as Param>::Item<'_>) -> Self::Output;
}

/// A method `fn(&mut S, &E, …)` of a system that listens to events of type `E`; the other parameters are [`Param`]s.
#[diagnostic::on_unimplemented(
    message = "this is not a listener of a system `{S}`",
    label = "it cannot be called with `&mut {S}`, an event and parameters"
)]
pub trait ListenerMethod<S, Marker>: Send + Sync + 'static {
    #[doc(hidden)]
    type Event: Event;
    #[doc(hidden)]
    type Params: Param;
    #[doc(hidden)]
    type Output: MethodOutput;
    #[doc(hidden)]
    fn call(&self, state: &mut S, event: &Self::Event, params: <Self::Params as Param>::Item<'_>) -> Self::Output;
}

/// A function whose parameters are [`Param`]s. [`Engine::run`](crate::Engine::run) calls it at once,
/// [`Engine::after`](crate::Engine::after) once in a later frame.
#[diagnostic::on_unimplemented(
    message = "this is not a function that an engine can run",
    label = "it takes up to 8 parameters: `Query`, `Hierarchy`, `Res`, `ResMut`, `Sender`, `Commands`, `Spawner`, `Entities`, `EntityLists`, `Subscriptions`, `Local`, `Random`, `Time`, or a tuple of these"
)]
pub trait Function<Marker> {
    /// What the function returns.
    type Output;
    #[doc(hidden)]
    type Params: Param;
    #[doc(hidden)]
    fn call(self, params: <Self::Params as Param>::Item<'_>) -> Self::Output;
}

/// A function whose parameters are [`Param`]s and that can be called repeatedly, as
/// [`Engine::every`](crate::Engine::every) does.
#[diagnostic::on_unimplemented(
    message = "this is not a function that an engine can run repeatedly",
    label = "it can be called more than once, returns nothing or a `Result<(), E>`, and takes up to 8 parameters: `Query`, `Hierarchy`, `Res`, `ResMut`, `Sender`, `Commands`, `Spawner`, `Entities`, `EntityLists`, `Subscriptions`, `Local`, `Random`, `Time`, or a tuple of these"
)]
pub trait RepeatableFunction<Marker>: Send + 'static {
    #[doc(hidden)]
    type Params: Param;
    /// What the function returns.
    type Output: MethodOutput;
    #[doc(hidden)]
    fn call(&mut self, params: <Self::Params as Param>::Item<'_>) -> Self::Output;
}

/// A function of an entity whose further parameters are [`Param`]s;
/// [`Engine::run_for_each`](crate::Engine::run_for_each) calls it for each entity that matches.
#[diagnostic::on_unimplemented(
    message = "this is not a function that an engine can run over entities",
    label = "it takes an `EntityId`, returns nothing and takes up to 8 parameters more: `Query`, `Hierarchy`, `Entities`, `EntityLists`, `Res`, `ResMut`, `Sender`, `Commands`, `Spawner`, `Subscriptions`, `Local`, `Random`, `Time`, or a tuple of these"
)]
pub trait EntityFunction<Marker> {
    #[doc(hidden)]
    type Params: Param;
    #[doc(hidden)]
    fn call(&mut self, entity: EntityId, params: <Self::Params as Param>::Item<'_>);
}

// The first bound infers the types of the parameters, the second allows any lifetimes.
macro_rules! callables {
    ($($name:ident),*) => {
        impl<S, R, Func, $($name),*> MethodShape<S, fn($($name),*) -> R> for Func where Func: Fn(&mut S, $($name),*) -> R {}

        impl<S, E, R, Func, $($name),*> ListenerShape<S, fn(E, $($name),*) -> R> for Func where
            Func: Fn(&mut S, &E, $($name),*) -> R
        {
        }

        #[allow(non_snake_case, unused_variables, clippy::too_many_arguments)]
        impl<S, R: MethodOutput, Func, $($name: Param),*> SystemMethod<S, fn($($name),*) -> R> for Func
        where
            Func: Fn(&mut S, $($name),*) -> R + Fn(&mut S, $($name::Item<'_>),*) -> R + Send + Sync + 'static,
        {
            type Params = ($($name,)*);
            type Output = R;

            fn call(&self, state: &mut S, ($($name,)*): <Self::Params as Param>::Item<'_>) -> R {
                fn pass<S, R, $($name),*>(
                    method: impl Fn(&mut S, $($name),*) -> R,
                    state: &mut S,
                    $($name: $name),*
                ) -> R {
                    method(state, $($name),*)
                }
                pass(self, state, $($name),*)
            }
        }

        #[allow(non_snake_case, unused_variables, clippy::too_many_arguments)]
        impl<S, E: Event, R: MethodOutput, Func, $($name: Param),*> ListenerMethod<S, fn(E, $($name),*) -> R> for Func
        where
            Func: Fn(&mut S, &E, $($name),*) -> R + Fn(&mut S, &E, $($name::Item<'_>),*) -> R + Send + Sync + 'static,
        {
            type Event = E;
            type Params = ($($name,)*);
            type Output = R;

            #[inline]
            fn call(&self, state: &mut S, event: &E, ($($name,)*): <Self::Params as Param>::Item<'_>) -> R {
                fn pass<S, E, R, $($name),*>(
                    listener: impl Fn(&mut S, &E, $($name),*) -> R,
                    state: &mut S,
                    event: &E,
                    $($name: $name),*
                ) -> R {
                    listener(state, event, $($name),*)
                }
                pass(self, state, event, $($name),*)
            }
        }

        #[allow(non_snake_case, unused_variables, clippy::too_many_arguments)]
        impl<R, Func, $($name: Param),*> Function<fn($($name),*) -> R> for Func
        where
            Func: FnOnce($($name),*) -> R + FnOnce($($name::Item<'_>),*) -> R,
        {
            type Output = R;
            type Params = ($($name,)*);

            fn call(self, ($($name,)*): <Self::Params as Param>::Item<'_>) -> R {
                fn pass<R, $($name),*>(function: impl FnOnce($($name),*) -> R, $($name: $name),*) -> R {
                    function($($name),*)
                }
                pass(self, $($name),*)
            }
        }

        #[allow(non_snake_case, unused_variables, clippy::too_many_arguments)]
        impl<R: MethodOutput, Func, $($name: Param),*> RepeatableFunction<fn($($name),*) -> R> for Func
        where
            Func: FnMut($($name),*) -> R + FnMut($($name::Item<'_>),*) -> R + Send + 'static,
        {
            type Output = R;
            type Params = ($($name,)*);

            fn call(&mut self, ($($name,)*): <Self::Params as Param>::Item<'_>) -> R {
                fn pass<R, $($name),*>(mut function: impl FnMut($($name),*) -> R, $($name: $name),*) -> R {
                    function($($name),*)
                }
                pass(self, $($name),*)
            }
        }

        #[allow(non_snake_case, unused_variables, clippy::too_many_arguments)]
        impl<Func, $($name: Param),*> EntityFunction<fn(EntityId, $($name),*)> for Func
        where
            Func: FnMut(EntityId, $($name),*) + FnMut(EntityId, $($name::Item<'_>),*),
        {
            type Params = ($($name,)*);

            fn call(&mut self, entity: EntityId, ($($name,)*): <Self::Params as Param>::Item<'_>) {
                fn pass<$($name),*>(mut function: impl FnMut(EntityId, $($name),*), entity: EntityId, $($name: $name),*) {
                    function(entity, $($name),*);
                }
                pass(self, entity, $($name),*);
            }
        }
    };
}

callables!();
callables!(P0);
callables!(P0, P1);
callables!(P0, P1, P2);
callables!(P0, P1, P2, P3);
callables!(P0, P1, P2, P3, P4);
callables!(P0, P1, P2, P3, P4, P5);
callables!(P0, P1, P2, P3, P4, P5, P6);
callables!(P0, P1, P2, P3, P4, P5, P6, P7);
