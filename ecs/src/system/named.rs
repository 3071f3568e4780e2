//! Registers systems and plain functions for snapshots.

use std::any::{Any, TypeId};

use super::node::{Dependency, SystemNode};
use super::{
    Function, MethodOutput, Once, RepeatableFunction, Repeated, Setup, SetupError, System, Timing, once, repeated,
};
use crate::error::SnapshotError;
use crate::stable_hash::{StableHash, StateHasher};
use crate::type_map::short_name;
use crate::types::{AnySystemType, Recipe, SystemType, TypeRegistry};
use crate::world::World;

impl TypeRegistry {
    /// Registers a system type. A snapshot that was taken with the system can then be restored after it was removed:
    /// the system comes back as it was.
    ///
    /// # Errors
    /// As [`TypeRegistry::component`].
    pub fn system<S: System + Clone + StableHash>(&mut self, name: &str) -> Result<&mut Self, SnapshotError> {
        self.system_by(name, S::stable_hash)
    }

    /// As [`TypeRegistry::system`], with a function that hashes its state.
    ///
    /// # Errors
    /// As [`TypeRegistry::component`].
    pub fn system_by<S: System + Clone>(
        &mut self,
        name: &str,
        hash: fn(&S, &mut StateHasher),
    ) -> Result<&mut Self, SnapshotError> {
        let make: MakeSystem = Box::new(|state, timing, is_whole, world| {
            let state: &S = state.downcast_ref().expect("states are found by the type of their system");
            Setup::again(state.clone(), timing, is_whole, world)
        });
        let known = SystemType::<S>::of_system(hash, Recipe::System(Box::new(make)));
        self.systems.add::<S>(name, Box::new(known))?;
        Ok(self)
    }

    /// Registers a plain function that comes and goes: restoring a snapshot can then recreate it. Functions and systems
    /// share one set of names.
    ///
    /// A repeated function that captures nothing needs no name while it exists. Snapshots copy captured values.
    ///
    /// # Errors
    /// As [`TypeRegistry::component`].
    pub fn function<M: 'static, F>(&mut self, name: &str, function: F) -> Result<&mut Self, SnapshotError>
    where
        F: RepeatableFunction<M> + Function<M, Output: MethodOutput> + Clone + Sync,
    {
        let own = function.clone();
        let repeatedly = SystemType::<Repeated<F>>::of_function::<F>(factory(move |timing, world| {
            repeated(own.clone(), timing, world)
        }));
        self.systems.add::<Repeated<F>>(name, Box::new(repeatedly))?;
        let at_once = SystemType::<Once<F>>::of_function::<F>(factory(move |timing, world| {
            once(function.clone(), timing, world)
        }));
        self.systems.add::<Once<F>>(&format!("{name}, once"), Box::new(at_once))?;
        for known in [TypeId::of::<Repeated<F>>(), TypeId::of::<Once<F>>()] {
            if let Some(entry) = self.systems.of_mut(known) {
                entry.rust_name = short_name::<F>();
            }
        }
        Ok(self)
    }

    /// Leaves the state of a system out of snapshots: it is not copied, and restoring does not change it. For state
    /// without influence, such as statistics. Its timer and whether it is enabled are still part of snapshots.
    pub fn leave_out_system<S: System>(&mut self) -> &mut Self {
        self.leave_out::<S>();
        self
    }
}

/// What is left of a function that was cancelled while its events or commands waited.
#[derive(Clone)]
pub(super) struct Cancelled;

impl TypeRegistry {
    /// Registers what is left of cancelled functions.
    pub(crate) fn add_cancelled(&mut self) {
        let make = |timing, world: &mut World| {
            let label = Dependency { system: TypeId::of::<Cancelled>(), function: None, name: "cancelled function" };
            Ok(Setup::of_nothing(Cancelled, label, timing, world))
        };
        let known = SystemType::<Cancelled>::of_function::<Cancelled>(factory(make));
        let known = self.systems.add::<Cancelled>("ecs cancelled function", Box::new(known));
        debug_assert!(known.is_ok(), "in a new registry, all names are free");
    }
}

/// Makes a system from its state; the timing may be whole.
type MakeSystem = Box<dyn Fn(&dyn Any, Timing, bool, &mut World) -> Result<SystemNode, SetupError> + Send + Sync>;

/// Makes a system of a plain function.
type MakeFunction = Box<dyn Fn(Timing, &mut World) -> Result<SystemNode, SetupError> + Send + Sync>;

pub(super) fn factory(
    make: impl Fn(Timing, &mut World) -> Result<SystemNode, SetupError> + Send + Sync + 'static,
) -> Recipe {
    let make: MakeFunction = Box::new(make);
    Recipe::Function(Box::new(make))
}

/// A system for a plain function that has a name; `None` if it is a system, or cannot be added to an engine.
pub(crate) fn make_function(known: &dyn AnySystemType, timing: Timing, world: &mut World) -> Option<SystemNode> {
    let Recipe::Function(make) = known.recipe()? else { return None };
    let make: &MakeFunction = make.downcast_ref().expect(MADE_HERE);
    make(timing, world).ok()
}

/// A system of a registered type, with a timing that may be whole; `None` if it is a function, or cannot be added to an
/// engine.
pub(crate) fn make_system(
    known: &dyn AnySystemType,
    state: &dyn Any,
    timing: Timing,
    is_whole: bool,
    world: &mut World,
) -> Option<SystemNode> {
    let Recipe::System(make) = known.recipe()? else { return None };
    let make: &MakeSystem = make.downcast_ref().expect(MADE_HERE);
    make(state, timing, is_whole, world).ok()
}

const MADE_HERE: &str = "recipes are made here";
