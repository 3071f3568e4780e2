//! What `Engine::add` takes: systems, functions, functions that listen, and tuples of these, with their settings.

mod configure;

use std::any::TypeId;
use std::marker::PhantomData;
use std::ops::Range;
use std::time::Duration;

pub use self::configure::Configure;
use super::function::Settings;
use super::node::Dependency;
use super::{ListenerFunction, RepeatableFunction, Setup, SetupError, System, SystemNode, Timing, listener, repeated};
use crate::type_map::short_name;
use crate::types::TypeRegistry;
use crate::world::World;

/// A system, a function, a function that listens, or a tuple of up to 12 of these: what
/// [`Engine::add`](crate::Engine::add) takes. [`Configure`] has their settings.
///
/// - **A function** runs in the update phase of each frame. Its parameters say what it reads and writes; see
///   [`Param`](crate::Param). It returns nothing or a `Result<(), E>`.
/// - **A function whose first parameter is `&Event`** listens: it is called with each event of this type. What it
///   captures is `Clone`.
/// - **A system** is a struct with `impl` [`System`], for state with several methods.
/// - **A tuple** applies its settings to each of its elements. [`chain`](Configure::chain) orders them.
///
/// A function may be added more than once; each time is a system of its own. Where a function is named, as in
/// `draw.after(steer)`, all that were added of it are meant. A closure has no name, but may be bound to a variable
/// first. A function pointer stands for all functions that were added as pointers of its type.
///
/// # Example
/// ```
/// use std::time::Duration;
/// use ecs::prelude::*;
///
/// #[derive(Clone, Copy)]
/// struct Ticked(u64);
///
/// fn tick(time: Time, mut ticked: Sender<Ticked>) {
///     ticked.send(Ticked(time.frame()));
/// }
///
/// fn write(ticked: &Ticked, mut log: ResMut<Vec<String>>) {
///     log.push(format!("tick {}", ticked.0));
/// }
///
/// fn wind_up(mut log: ResMut<Vec<String>>) {
///     log.push("wind up".to_owned());
/// }
///
/// fn is_running(frame: Time) -> bool {
///     frame.frame() < 3
/// }
///
/// let mut engine = Engine::new();
/// engine.insert_resource(Vec::<String>::new());
/// engine.add((wind_up.every(Duration::from_secs(2)), tick.run_if(is_running)).chain())?.add(write)?;
/// for _ in 0..4 {
///     engine.update(Duration::from_secs(1))?;
/// }
/// assert_eq!(*engine.resource::<Vec<String>>().unwrap(), ["tick 1", "wind up", "tick 2", "wind up"]);
/// # Ok::<(), ecs::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this is neither a system, nor a function that an engine can call, nor a tuple of up to 12 of these",
    label = "expected a struct with `impl System`, a function with up to 8 parameters, or one with an `&Event` and up to 8 more",
    note = "the parameters are `Query`, `Res`, `ResMut`, `Sender`, `Commands`, `Spawner`, `Entities`, `EntityLists`, `Hierarchy`, `Subscriptions`, `Local`, `Random`, `Time`, a tuple of these, or a struct with `#[derive(Param)]`: by value, so `Query<…>`, not `&Query<…>`",
    note = "only the event of a function that listens comes by reference, first; it is `Send + Sync + 'static`, and what the function captures is `Clone + Send + Sync`",
    note = "a function returns nothing or a `Result<(), E>`; as a closure, it names the types of its parameters",
    note = "sets, and systems that have no value at hand, are named by their types: `after_type::<T>()`, `before_type::<T>()`"
)]
pub trait IntoSystems<Marker>: Configure<Marker> {
    /// The systems with no settings yet. For code that is generic: [`Engine::add`](crate::Engine::add) takes the
    /// result.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// fn add_late<M>(engine: &mut Engine, systems: impl IntoSystems<M>) -> Result<(), ecs::Error> {
    ///     engine.add(systems.into_systems().priority(Priority::LOW))?;
    ///     Ok(())
    /// }
    ///
    /// let mut engine = Engine::new();
    /// add_late(&mut engine, |_: Time| {})?;
    /// assert_eq!(engine.systems().len(), 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    fn into_systems(self) -> Systems;
}

/// Systems and functions with their settings, for [`Engine::add`](crate::Engine::add); made by the methods of
/// [`IntoSystems`].
#[must_use = "systems do nothing until they are added"]
pub struct Systems {
    pub(super) items: Vec<Item>,
    /// The places of the elements of a tuple among the items.
    groups: Vec<Range<usize>>,
}

/// A system or function that waits to be added, with its settings.
pub(super) struct Item {
    /// The name by which others run before or after it.
    pub(super) label: Dependency,
    pub(super) is_system: bool,
    settings: Settings,
    /// The items of the same call that it runs after; all are before it.
    pub(super) follows: Vec<usize>,
    /// Taken when it is made.
    make: Option<MakeNode>,
}

impl Item {
    pub(super) fn make(&mut self, world: &mut World, types: &mut TypeRegistry) -> Result<SystemNode, SetupError> {
        let make = self.make.take().expect("an item is made once");
        make(std::mem::take(&mut self.settings), world, types)
    }
}

type MakeNode = Box<dyn FnOnce(Settings, &mut World, &mut TypeRegistry) -> Result<SystemNode, SetupError> + Send>;

impl Systems {
    fn one<T: 'static>(
        is_system: bool,
        make: impl FnOnce(Settings, &mut World, &mut TypeRegistry) -> Result<SystemNode, SetupError> + Send + 'static,
    ) -> Self {
        Self::of_item(Dependency::of::<T>(), is_system, Box::new(make))
    }

    /// As [`Systems::one`], compiled once for all types.
    fn of_item(label: Dependency, is_system: bool, make: MakeNode) -> Self {
        let item = Item { label, is_system, settings: Settings::default(), follows: Vec::new(), make: Some(make) };
        Self { items: vec![item], groups: std::iter::once(0..1).collect() }
    }

    fn with(mut self, mut change: impl FnMut(&mut Settings)) -> Self {
        self.items.iter_mut().for_each(|item| change(&mut item.settings));
        self
    }

    /// Whether a system of this type is among them.
    pub(super) fn have(&self, system: TypeId) -> bool {
        self.items.iter().any(|item| item.is_system && item.label.system == system)
    }

    /// The names of its systems and functions.
    pub(super) fn labels(&self) -> impl Iterator<Item = Dependency> {
        self.items.iter().map(|item| item.label)
    }

    /// Adds an element of a tuple.
    fn push(&mut self, element: Self) {
        let start = self.items.len();
        self.items.extend(element.items);
        let group = start..self.items.len();
        self.items[group.clone()].iter_mut().flat_map(|item| &mut item.follows).for_each(|place| *place += start);
        self.groups.push(group);
    }
}

/// Distinguishes systems from functions.
#[doc(hidden)]
pub struct OfSystem;
/// Distinguishes functions of phases and transitions from those that listen.
#[doc(hidden)]
pub struct OfPhase<M>(PhantomData<fn(M)>);
/// Distinguishes functions that listen.
#[doc(hidden)]
pub struct OfEvents<M>(PhantomData<fn(M)>);

impl Configure<()> for Systems {}

impl IntoSystems<()> for Systems {
    fn into_systems(self) -> Systems {
        self
    }
}

impl<S: System> Configure<OfSystem> for S {}

impl<S: System> IntoSystems<OfSystem> for S {
    fn into_systems(self) -> Systems {
        Systems::one::<S>(true, |settings, world, types| {
            settings.check_system(short_name::<S>())?;
            Setup::of(self, settings, world, types)
        })
    }
}

impl<M: 'static, F: RepeatableFunction<M> + Configure<OfPhase<M>>> IntoSystems<OfPhase<M>> for F {
    fn into_systems(self) -> Systems {
        Systems::one::<F>(false, |settings, world, _| repeated(self, settings.of_function(short_name::<F>())?, world))
    }
}

impl<M: 'static, F: ListenerFunction<M> + Configure<OfEvents<M>>> IntoSystems<OfEvents<M>> for F {
    fn into_systems(self) -> Systems {
        Systems::one::<F>(false, |settings, world, _| listener(self, settings.of_listener(short_name::<F>())?, world))
    }
}

macro_rules! functions {
    ($($name:ident),*) => {
        impl<F, R, $($name),*> Configure<OfPhase<fn($($name),*) -> R>> for F where F: FnMut($($name),*) -> R {}

        impl<F, E, R, $($name),*> Configure<OfEvents<fn(E, $($name),*) -> R>> for F where
            F: FnMut(&E, $($name),*) -> R
        {
        }
    };
}

functions!();
functions!(P0);
functions!(P0, P1);
functions!(P0, P1, P2);
functions!(P0, P1, P2, P3);
functions!(P0, P1, P2, P3, P4);
functions!(P0, P1, P2, P3, P4, P5);
functions!(P0, P1, P2, P3, P4, P5, P6);
functions!(P0, P1, P2, P3, P4, P5, P6, P7);

macro_rules! tuples {
    ($($name:ident $marker:ident),+) => {
        #[diagnostic::do_not_recommend]
        impl<$($name: Configure<$marker>, $marker),+> Configure<($($marker,)+)> for ($($name,)+) {}

        #[diagnostic::do_not_recommend]
        #[allow(non_snake_case)]
        impl<$($name: IntoSystems<$marker>, $marker),+> IntoSystems<($($marker,)+)> for ($($name,)+) {
            fn into_systems(self) -> Systems {
                let ($($name,)+) = self;
                let mut systems = Systems { items: Vec::new(), groups: Vec::new() };
                $(systems.push($name.into_systems());)+
                systems
            }
        }
    };
}

tuples!(S0 M0);
tuples!(S0 M0, S1 M1);
tuples!(S0 M0, S1 M1, S2 M2);
tuples!(S0 M0, S1 M1, S2 M2, S3 M3);
tuples!(S0 M0, S1 M1, S2 M2, S3 M3, S4 M4);
tuples!(S0 M0, S1 M1, S2 M2, S3 M3, S4 M4, S5 M5);
tuples!(S0 M0, S1 M1, S2 M2, S3 M3, S4 M4, S5 M5, S6 M6);
tuples!(S0 M0, S1 M1, S2 M2, S3 M3, S4 M4, S5 M5, S6 M6, S7 M7);
tuples!(S0 M0, S1 M1, S2 M2, S3 M3, S4 M4, S5 M5, S6 M6, S7 M7, S8 M8);
tuples!(S0 M0, S1 M1, S2 M2, S3 M3, S4 M4, S5 M5, S6 M6, S7 M7, S8 M8, S9 M9);
tuples!(S0 M0, S1 M1, S2 M2, S3 M3, S4 M4, S5 M5, S6 M6, S7 M7, S8 M8, S9 M9, S10 M10);
tuples!(S0 M0, S1 M1, S2 M2, S3 M3, S4 M4, S5 M5, S6 M6, S7 M7, S8 M8, S9 M9, S10 M10, S11 M11);

impl Settings {
    fn has_timer(&self) -> bool {
        self.timer.is_some() || self.catch_up.is_some()
    }

    fn check_system(&self, name: &'static str) -> Result<(), SetupError> {
        let reason = "it is a system: its `setup` names the phases and transitions of its methods";
        let refused = [(self.phase.is_some(), "it has a phase"), (!self.hooks.is_empty(), "it has a transition")];
        refuse(name, reason, &refused)
    }

    fn of_function(self, name: &'static str) -> Result<Timing, SetupError> {
        if !self.hooks.is_empty() {
            let reason = "it is called by one transition of a state machine: add it once more for anything else";
            let refused = [
                (self.hooks.len() > 1, "it has two transitions"),
                (self.has_timer(), "it has a timer"),
                (!self.conditions.is_empty(), "it has a condition"),
                (self.phase.is_some(), "it has a phase"),
            ];
            refuse(name, reason, &refused)?;
        }
        Ok(self.over(Timing::every(Duration::ZERO)))
    }

    fn of_listener(self, name: &'static str) -> Result<Timing, SetupError> {
        let reason = "it listens, so events call it at any time: let a condition or its body decide";
        let refused = [
            (self.has_timer(), "it has a timer"),
            (self.phase.is_some(), "it has a phase"),
            (!self.hooks.is_empty(), "it has a transition"),
        ];
        refuse(name, reason, &refused)?;
        Ok(self.over(Timing::every(Duration::ZERO)))
    }
}

/// # Errors
/// [`SetupError::Settings`] with the first of the settings that is there.
fn refuse(system: &'static str, reason: &str, settings: &[(bool, &str)]) -> Result<(), SetupError> {
    match settings.iter().find(|(is_there, _)| *is_there) {
        Some((_, setting)) => Err(SetupError::Settings { system, problem: format!("{setting}, but {reason}") }),
        None => Ok(()),
    }
}
