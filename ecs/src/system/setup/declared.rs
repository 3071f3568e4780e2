//! [`Declared`]: what a system or function declares, and the node that is made of it.

use std::any::TypeId;
use std::cell::{Cell, RefCell};

use crate::commands::CommandBuffer;
use crate::error::SnapshotError;
use crate::event::{EventBuffer, EventTypeId};
use crate::query::Access;
use crate::system::function::Settings;
use crate::system::node::{Dependency, Phase, PhaseMethods, SystemNode};
use crate::system::states::StateMethod;
use crate::system::timer::{RunState, Timer};
use crate::system::work::AnySystemMethods;
use crate::system::{SetupError, Timing};
use crate::time::RunTimes;
use crate::types::TypeRegistry;
use crate::world::World;

/// The declarations without the type of the system: their code is compiled once, not for each system.
pub(super) struct Declared<'w> {
    pub(super) world: &'w mut World,
    /// `None` for functions, which name no types.
    pub(super) types: Option<&'w mut TypeRegistry>,
    /// The error of the first type that could not be named.
    pub(super) refused: Option<SnapshotError>,
    pub(super) listens: Vec<(EventTypeId, bool)>,
    pub(super) accesses: Vec<(Option<Phase>, Access)>,
    pub(super) state_methods: Vec<StateMethod>,
    pub(super) timing: Timing,
    pub(super) is_enabled: bool,
}

impl<'w> Declared<'w> {
    pub(super) fn new(timing: Timing, world: &'w mut World) -> Self {
        Self {
            world,
            types: None,
            refused: None,
            listens: Vec::new(),
            accesses: Vec::new(),
            state_methods: Vec::new(),
            timing,
            is_enabled: true,
        }
    }

    /// Puts the settings of [`Systems`](crate::system::Systems) over what a system declared.
    pub(super) fn set_over(&mut self, settings: Settings, system: &'static str) -> Result<(), SetupError> {
        if let Some(error) = self.refused.take() {
            return Err(SetupError::Types { system, error });
        }
        let declared = std::mem::replace(&mut self.timing, Timing::new(Timer::EveryFrame));
        self.timing = settings.over(declared);
        Ok(())
    }

    /// Gives all methods the name of the function that they are.
    pub(super) fn name_methods(&mut self, name: &'static str) {
        let of_state_methods = self.state_methods.iter_mut().map(|method| &mut method.access);
        let accesses = self.accesses.iter_mut().map(|(_, access)| access).chain(of_state_methods);
        accesses.for_each(|access| access.method = name);
    }

    /// The node of a system. `shared` says which phases have methods that share the world.
    pub(super) fn into_node(
        self,
        label: Dependency,
        system: TypeId,
        shared: [bool; 3],
        is_exclusive: bool,
        work: Box<dyn AnySystemMethods>,
    ) -> Result<SystemNode, SetupError> {
        let name = label.name;
        let state_methods = self.state_methods;
        let accesses = self.accesses.iter().map(|(_, access)| access);
        accesses.chain(state_methods.iter().map(|method| &method.access)).try_for_each(|access| access.check(name))?;
        let phase_access = Phase::ALL.map(|phase| {
            let mut access = Access::new();
            let methods = self.accesses.iter().filter(|(of, _)| *of == Some(phase));
            methods.for_each(|(_, method)| access.join(method));
            access
        });
        let count_with_queries = |phase| {
            let with_queries =
                self.accesses.iter().filter(|(of, access)| *of == Some(phase) && !access.queries.is_empty());
            with_queries.count() as u32
        };
        let methods = Phase::ALL.map(|phase| PhaseMethods {
            shared: shared[phase as usize],
            exclusive: phase == Phase::Update && is_exclusive,
            fills_buffers: phase_access[phase as usize].fills_buffers(),
            with_queries: count_with_queries(phase),
        });
        let Timing {
            timer,
            catch_up,
            priority,
            after,
            before,
            sets,
            conditions,
            ends_with,
            is_pinned,
            phase: _,
            hook: _,
        } = self.timing;
        let checks =
            conditions.iter().map(|condition| condition.prepare(self.world, name)).collect::<Result<_, _>>()?;
        Ok(SystemNode {
            name,
            system,
            label: label.system,
            function: None,
            is_of_setup: false,
            is_by_command: false,
            has_more_settings: false,
            ends_with,
            own_type: None,
            priority,
            after,
            before,
            sets,
            set_places: Vec::new(),
            conditions,
            is_pinned,
            checks,
            is_conditional: false,
            has_begun_disabled: false,
            resources_checked: None,
            run_state: RunState::new(timer, catch_up, self.is_enabled),
            times: RunTimes::default(),
            methods,
            phase_access: Box::new(phase_access),
            accesses: self.accesses,
            listens: self.listens,
            state_methods,
            work,
            buffer: EventBuffer::limited(self.world.limits.event_bytes),
            commands: RefCell::new(CommandBuffer::limited(self.world.limits.commands)),
            tick: Cell::new(0),
        })
    }
}
