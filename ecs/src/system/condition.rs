//! Run conditions: functions that decide, once in each frame, whether a system or the systems of a set run, and before
//! each event, whether a listening function gets it.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

pub use super::states::{InState, in_state};
use super::{Param, RunContext};
use crate::component::Component;
use crate::query::{Access, Query};
use crate::resources::{LastAsked, Res, ResourceId};
use crate::system::SetupError;
use crate::type_map::short_name;
use crate::types::AnyLocalState;
use crate::world::World;

/// A function that reads the world and returns a `bool`; [`Setup::run_if`](crate::Setup::run_if) takes it. Its
/// parameters are up to eight [`Param`]s that only read: `Query<&T>`, `Res<T>`, `Option<Res<T>>`, `Entities`,
/// `EntityLists`, `Hierarchy`, `Time`.
///
/// Conditions are checked once in each frame, after step 1 and before all phases, on the calling thread. So a system
/// has one answer for all its phases, and all systems of a set have the same answer. Those of a listening function are
/// checked before each of its events. The condition of a function or
/// system may have [private state](crate::Local), which snapshots contain; that of a set may not.
#[diagnostic::on_unimplemented(
    message = "this is not a condition",
    label = "a condition returns `bool`; its parameters only read, up to 8: `Query`, `Res`, `Entities`, `EntityLists`, `Hierarchy`, `Local`, `Random`, `Time`"
)]
pub trait Condition<Marker>: Sized + Send + Sync + 'static {
    #[doc(hidden)]
    type Params: Param;
    #[doc(hidden)]
    fn holds(&self, params: <Self::Params as Param>::Item<'_>) -> bool;
    #[doc(hidden)]
    fn name(&self) -> String {
        short_name::<Self>().to_owned()
    }

    /// Holds when both conditions hold. The resources of both must be there.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// fn is_even(time: Time) -> bool {
    ///     time.frame() % 2 == 0
    /// }
    ///
    /// fn is_late(time: Time) -> bool {
    ///     time.frame() > 2
    /// }
    ///
    /// fn write(time: Time, mut frames: ResMut<Vec<u64>>) {
    ///     frames.push(time.frame());
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(Vec::<u64>::new());
    /// engine.add((write.run_if(is_even.or(is_late)), write.run_if(is_even.and(not(is_late)))))?;
    /// (0..4).try_for_each(|_| engine.update(Duration::ZERO))?;
    /// assert_eq!(*engine.resource::<Vec<u64>>().unwrap(), [2, 2, 3, 4]);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    fn and<M, C: Condition<M>>(self, other: C) -> And<Self, C> {
        And(self, other)
    }

    /// Holds when one of the conditions holds, or both. The resources of both must be there.
    ///
    /// # Example
    /// See [`Condition::and`].
    fn or<M, C: Condition<M>>(self, other: C) -> Or<Self, C> {
        Or(self, other)
    }
}

// The first bound infers the types of the parameters, the second allows any lifetimes.
macro_rules! conditions {
    ($($name:ident),*) => {
        #[allow(non_snake_case, unused_variables, clippy::too_many_arguments)]
        impl<Func, $($name: Param),*> Condition<fn($($name),*) -> bool> for Func
        where
            Func: Fn($($name),*) -> bool + Fn($($name::Item<'_>),*) -> bool + Send + Sync + 'static,
        {
            type Params = ($($name,)*);

            fn holds(&self, ($($name,)*): <Self::Params as Param>::Item<'_>) -> bool {
                fn pass<$($name),*>(condition: impl Fn($($name),*) -> bool, $($name: $name),*) -> bool {
                    condition($($name),*)
                }
                pass(self, $($name),*)
            }
        }
    };
}

conditions!();
conditions!(P0);
conditions!(P0, P1);
conditions!(P0, P1, P2);
conditions!(P0, P1, P2, P3);
conditions!(P0, P1, P2, P3, P4);
conditions!(P0, P1, P2, P3, P4, P5);
conditions!(P0, P1, P2, P3, P4, P5, P6);
conditions!(P0, P1, P2, P3, P4, P5, P6, P7);

/// Both of two conditions; made by [`Condition::and`].
#[derive(Clone, Copy, Debug)]
pub struct And<C, D>(C, D);

impl<M, N, C: Condition<M>, D: Condition<N>> Condition<And<M, N>> for And<C, D> {
    type Params = (C::Params, D::Params);

    fn holds(&self, (first, second): <Self::Params as Param>::Item<'_>) -> bool {
        self.0.holds(first) && self.1.holds(second)
    }

    fn name(&self) -> String {
        format!("({} and {})", self.0.name(), self.1.name())
    }
}

/// One of two conditions; made by [`Condition::or`].
#[derive(Clone, Copy, Debug)]
pub struct Or<C, D>(C, D);

impl<M, N, C: Condition<M>, D: Condition<N>> Condition<Or<M, N>> for Or<C, D> {
    type Params = (C::Params, D::Params);

    fn holds(&self, (first, second): <Self::Params as Param>::Item<'_>) -> bool {
        self.0.holds(first) || self.1.holds(second)
    }

    fn name(&self) -> String {
        format!("({} or {})", self.0.name(), self.1.name())
    }
}

/// The opposite of a condition; made by [`not`].
#[derive(Clone, Copy, Debug)]
pub struct Not<C>(C);

impl<M, C: Condition<M>> Condition<Not<M>> for Not<C> {
    type Params = C::Params;

    fn holds(&self, params: <Self::Params as Param>::Item<'_>) -> bool {
        !self.0.holds(params)
    }

    fn name(&self) -> String {
        format!("not {}", self.0.name())
    }
}

/// Holds when `condition` does not.
pub fn not<M, C: Condition<M>>(condition: C) -> Not<C> {
    Not(condition)
}

/// Holds while there is a resource of type `T`: `setup.run_if(resource_exists::<Score>)`.
///
/// A system with this condition may ask for `Res<T>`; it does not run while the resource is missing.
#[must_use]
pub fn resource_exists<T: Send + Sync + 'static>(resource: Option<Res<T>>) -> bool {
    resource.is_some()
}

/// Holds if the resource of type `T` was inserted, replaced or written since this condition was last checked:
/// `draw.run_if(resource_changed::<Score>)`. Does not hold while there is none.
#[must_use]
pub fn resource_changed<T: Send + Sync + 'static>(resource: Option<Res<T>>) -> bool {
    resource.is_some_and(|resource| resource.is_changed())
}

/// Holds while an entity has an enabled component of type `T`: `setup.run_if(any_with::<Enemy>)`.
#[must_use]
pub fn any_with<T: Component>(entities: Query<&T>) -> bool {
    !entities.is_empty()
}

/// A condition of any type, with its name.
#[derive(Clone)]
pub(crate) struct RunIf {
    pub(crate) name: String,
    condition: Arc<dyn Prepare>,
}

impl RunIf {
    pub(super) fn new<M: 'static, C: Condition<M>>(condition: C) -> Self {
        let name = condition.name();
        Self { name, condition: Arc::new(Unprepared(Arc::new(condition), PhantomData)) }
    }

    /// Prepares the condition of the system or set `of`.
    ///
    /// # Errors
    /// [`SetupError::Condition`] if the condition does not only read.
    pub(super) fn prepare(&self, world: &mut World, of: &'static str) -> Result<Box<dyn Check>, SetupError> {
        let mut access = Access::new();
        let check = self.condition.prepare(world, &mut access);
        let problem = match access.conflict() {
            Some(conflict) => conflict,
            None if access.sees_changes() => {
                "it has no last run, since which something could have changed: ask for changes in the system"
            }
            None if access.only_reads() => return Ok(check),
            None => "a condition only reads: take `&T` and `Res`, not `&mut T`, `ResMut`, `Sender` or `Commands`",
        };
        Err(self.refused(of, problem.to_owned()))
    }

    /// The error that this condition of the system or set `of` has a problem.
    pub(super) fn refused(&self, of: &'static str, problem: String) -> SetupError {
        SetupError::Condition { system: of, condition: self.name.clone(), problem }
    }
}

/// By name: two engines with the same set-up have the same conditions.
impl PartialEq for RunIf {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for RunIf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// A condition that has not seen a world.
trait Prepare: Send + Sync {
    fn prepare(&self, world: &mut World, access: &mut Access) -> Box<dyn Check>;
}

struct Unprepared<C, M>(Arc<C>, PhantomData<fn(M)>);

impl<M: 'static, C: Condition<M>> Prepare for Unprepared<C, M> {
    fn prepare(&self, world: &mut World, access: &mut Access) -> Box<dyn Check> {
        let params = C::Params::prepare(world, access);
        let (resources, locals) = (access.resource_reads.clone(), access.locals.clone());
        let last_asked = access.last_asked.clone();
        Box::new(Prepared::<C, M> { condition: self.0.clone(), params, resources, last_asked, locals })
    }
}

/// A condition with its parameters.
pub(crate) trait Check: Send + Sync {
    /// Name of a missing resource.
    fn missing(&self, world: &World) -> Option<&'static str>;
    fn holds(&self, context: &RunContext<'_>) -> bool;
    /// The resources that it reads.
    fn resources(&self) -> &[ResourceId];
    /// When it last asked for changes of each.
    fn last_asked(&self) -> &[Arc<LastAsked>];
    /// Its private state.
    fn locals(&self) -> &[Arc<dyn AnyLocalState>];
}

/// The answers of conditions were not used.
pub(super) fn take_back(checks: &[Box<dyn Check>]) {
    checks.iter().flat_map(|check| check.last_asked()).for_each(|asked| asked.take_back());
}

struct Prepared<C: Condition<M>, M> {
    condition: Arc<C>,
    params: <C::Params as Param>::State,
    resources: Vec<ResourceId>,
    last_asked: Vec<Arc<LastAsked>>,
    locals: Vec<Arc<dyn AnyLocalState>>,
}

impl<M, C: Condition<M>> Check for Prepared<C, M> {
    fn missing(&self, world: &World) -> Option<&'static str> {
        C::Params::missing(&self.params, world)
    }

    fn holds(&self, context: &RunContext<'_>) -> bool {
        let mut guard = C::Params::guard(&self.params, context);
        self.condition.holds(C::Params::item(&mut guard))
    }

    fn resources(&self) -> &[ResourceId] {
        &self.resources
    }

    fn last_asked(&self) -> &[Arc<LastAsked>] {
        &self.last_asked
    }

    fn locals(&self) -> &[Arc<dyn AnyLocalState>] {
        &self.locals
    }
}
