//! A system in the list of its manager: methods, place in the order, and buffers for events and commands.

use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

use super::condition::{Check, RunIf};
use super::function::BoundTo;
use super::named::Cancelled;
use super::states::{StateMethod, TransitionHook};
use super::timer::{Due, RunState, Timer};
use super::work::AnySystemMethods;
use super::{Priority, Setup, SystemInfo, Timing};
use crate::commands::CommandBuffer;
use crate::component::ComponentManager;
use crate::event::{EventBuffer, EventTypeId};
use crate::ids::FunctionKey;
use crate::query::{Access, QueryStats};
use crate::resources::LastAsked;
use crate::time::RunTimes;
use crate::type_map::short_name;
use crate::types::{AnyLocalState, AnySystemType};
use crate::world::World;

/// The parts of a frame in which systems run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    PreUpdate,
    Update,
    PostUpdate,
}

impl Phase {
    pub(crate) const ALL: [Self; 3] = [Self::PreUpdate, Self::Update, Self::PostUpdate];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::PreUpdate => "pre-update",
            Self::Update => "update",
            Self::PostUpdate => "post-update",
        }
    }
}

/// What is named in a declaration: a system or a set by its type, all functions of a type, or one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) system: TypeId,
    /// The only function that is meant.
    pub(crate) function: Option<FunctionKey>,
    pub(crate) name: &'static str,
}

impl Dependency {
    pub(super) fn of<T: 'static>() -> Self {
        Self { system: TypeId::of::<T>(), function: None, name: short_name::<T>() }
    }
}

/// Which kinds of methods a system has in one phase.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PhaseMethods {
    pub(crate) shared: bool,
    pub(crate) exclusive: bool,
    /// The shared methods may send events, record commands or return an error.
    pub(crate) fills_buffers: bool,
    /// The number of shared methods with queries, each of which needs ticks.
    pub(crate) with_queries: u32,
}

impl PhaseMethods {
    pub(crate) fn is_any(self) -> bool {
        self.shared || self.exclusive
    }
}

/// A system in the execution order of a phase. It has a copy of the methods' kinds, so that a frame reads them side by
/// side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PhaseEntry {
    pub(crate) system: usize,
    pub(crate) methods: PhaseMethods,
}

/// What delivering events to it touches comes first, in few lines of memory.
#[repr(C)]
pub(crate) struct SystemNode {
    pub(crate) work: Box<dyn AnySystemMethods>,
    /// The tick of the method that runs; before the first one, the tick before.
    pub(crate) tick: Cell<u64>,
    pub(crate) run_state: RunState,
    pub(crate) name: &'static str,
    pub(crate) system: TypeId,
    /// The type by which others name it: that of the system or of the plain function.
    pub(crate) label: TypeId,
    /// The key of a plain function.
    pub(crate) function: Option<FunctionKey>,
    /// It is a function that was added before the first frame.
    pub(crate) is_of_setup: bool,
    /// It is a system that a command added: it comes and goes with snapshots.
    pub(crate) is_by_command: bool,
    /// It was added with settings beside those that it declares.
    pub(crate) has_more_settings: bool,
    /// The entity with which a listening function ends.
    pub(crate) ends_with: Option<BoundTo>,
    /// How a listening function is copied to snapshots.
    pub(crate) own_type: Option<Arc<dyn AnySystemType>>,
    pub(crate) priority: Priority,
    pub(crate) after: Vec<Dependency>,
    pub(crate) before: Vec<Dependency>,
    pub(crate) sets: Vec<Dependency>,
    /// The places of its sets, direct and indirect, valid while the systems are ordered.
    pub(super) set_places: Vec<usize>,
    pub(crate) conditions: Vec<RunIf>,
    /// Only the calling thread runs it.
    pub(crate) is_pinned: bool,
    pub(super) checks: Vec<Box<dyn Check>>,
    /// Whether its phases have conditions, its own or those of a set that it is in, valid while the systems are
    /// ordered.
    pub(super) is_conditional: bool,
    /// A set that begins disabled has disabled it.
    pub(super) has_begun_disabled: bool,
    /// The change counter of the resources when its methods had all that they need.
    pub(super) resources_checked: Option<u64>,
    pub(crate) times: RunTimes,
    pub(crate) methods: [PhaseMethods; 3],
    /// The access of each method with its phase; `None` for a listener.
    pub(crate) accesses: Vec<(Option<Phase>, Access)>,
    /// The joined access of each phase. Boxed, because a frame rarely reads it.
    pub(crate) phase_access: Box<[Access; 3]>,
    /// Event type of each listener, and whether it begins subscribed.
    pub(crate) listens: Vec<(EventTypeId, bool)>,
    /// When each of its state methods is called.
    pub(super) state_methods: Vec<StateMethod>,
    pub(crate) buffer: EventBuffer,
    pub(crate) commands: RefCell<CommandBuffer>,
}

impl SystemNode {
    /// Whether it has methods for transitions of state machines.
    pub(crate) fn has_state_methods(&self) -> bool {
        !self.state_methods.is_empty()
    }

    /// Whether it is a function that listens. Its conditions are checked for each event instead of once a frame.
    pub(super) fn is_listening_function(&self) -> bool {
        self.own_type.is_some()
    }

    /// Whether its conditions are checked for each event.
    pub(super) fn is_conditional_listener(&self) -> bool {
        self.is_listening_function() && !self.checks.is_empty()
    }

    /// What each of its listeners touches, in their order.
    pub(super) fn listening_accesses(&self) -> impl Iterator<Item = &Access> + Clone {
        self.accesses.iter().filter(|(phase, _)| phase.is_none()).map(|(_, access)| access)
    }

    /// Whether it has a method in one of so many phases.
    pub(super) fn has_begun(&self, phases_begun: usize) -> bool {
        self.methods[..phases_begun].iter().any(|methods| methods.is_any())
    }

    /// What each of its methods reads and writes, in a fixed order.
    pub(crate) fn all_accesses(&self) -> impl Iterator<Item = &Access> {
        let methods = self.accesses.iter().map(|(_, access)| access);
        methods.chain(self.state_methods.iter().map(|method| &method.access))
    }

    /// Its queries that see changes, in a fixed order.
    pub(crate) fn tracking_queries(&self) -> impl Iterator<Item = &Arc<QueryStats>> {
        self.all_accesses().flat_map(|access| &access.queries).filter(|query| !query.tracked.is_empty())
    }

    /// What the parameters of its methods and conditions know of resources, in a fixed order.
    pub(crate) fn last_asked(&self) -> impl Iterator<Item = &Arc<LastAsked>> {
        let of_methods = self.all_accesses().flat_map(|access| &access.last_asked);
        of_methods.chain(self.checks.iter().flat_map(|check| check.last_asked()))
    }

    /// The private state of its methods and conditions, in a fixed order.
    pub(crate) fn locals(&self) -> impl Iterator<Item = &Arc<dyn AnyLocalState>> {
        let of_methods = self.all_accesses().flat_map(|access| &access.locals);
        of_methods.chain(self.checks.iter().flat_map(|check| check.locals()))
    }

    /// Reserves a tick for each call of its shared methods with queries in a phase.
    #[inline]
    pub(crate) fn reserve_ticks(&self, phase: Phase, due: Due, components: &mut ComponentManager) {
        let calls = due.runs().wrapping_mul(u64::from(self.methods[phase as usize].with_queries));
        self.tick.set(components.reserve_ticks(calls));
    }

    pub(crate) fn info(&self) -> SystemInfo {
        SystemInfo {
            name: self.name,
            priority: self.priority,
            is_enabled: self.run_state.is_enabled(),
            runs: self.times.runs,
            run_time: self.times.running,
            listen_time: self.times.listening,
            allocations: self.times.allocations,
        }
    }

    pub(crate) fn timing(&self) -> Timing {
        Timing {
            timer: self.run_state.timer(),
            catch_up: self.run_state.catch_up(),
            priority: self.priority,
            after: self.after.clone(),
            before: self.before.clone(),
            sets: self.sets.clone(),
            conditions: self.conditions.clone(),
            phase: self.first_phase(),
            is_pinned: self.is_pinned,
            hook: self.hook().cloned(),
            ends_with: self.ends_with,
        }
    }

    /// The first phase in which it runs: the only one of a function.
    pub(crate) fn first_phase(&self) -> Phase {
        Phase::ALL.into_iter().find(|phase| self.methods[*phase as usize].is_any()).unwrap_or(Phase::Update)
    }

    /// The transition that calls it, if it is a function.
    pub(crate) fn hook(&self) -> Option<&TransitionHook> {
        self.state_methods.first().filter(|_| self.function.is_some()).map(|method| &method.hook)
    }

    /// The event types that it sends.
    pub(super) fn sends(&self) -> impl Iterator<Item = EventTypeId> + '_ {
        self.all_accesses().flat_map(|access| &access.sends).copied()
    }

    /// Takes the contents of a function that was cancelled. What is left does nothing, and keeps only what others still
    /// ask for: its place, its key, what it listens to, and its events and commands that wait.
    pub(crate) fn take_contents(&mut self, world: &mut World) -> Self {
        let label = Dependency { system: self.label, function: None, name: self.name };
        let left = Setup::of_nothing(Cancelled, label, Timing::new(Timer::over()), world);
        let mut taken = std::mem::replace(self, left);
        self.function = taken.function;
        self.listens.clone_from(&taken.listens);
        std::mem::swap(&mut self.buffer, &mut taken.buffer);
        std::mem::swap(&mut self.commands, &mut taken.commands);
        taken
    }

    /// Whether it is a function that never runs again.
    pub(crate) fn has_ended(&self) -> bool {
        self.function.is_some() && self.run_state.timer().is_over()
    }
}
