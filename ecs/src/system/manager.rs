//! The systems of an engine: added, ordered, enabled and disabled.

mod copies;

use std::any::TypeId;
#[cfg(feature = "serde")]
use std::collections::BTreeMap;
use std::time::Duration;

pub(crate) use self::copies::Origin;

use slotmap::SlotMap;

#[cfg(feature = "serde")]
use super::Timing;
use super::condition::{Check, take_back};
use super::into_systems::Item;
use super::lanes::{Lanes, lanes};
use super::node::{Dependency, Phase, PhaseEntry, SystemNode};
use super::order::{Placed, Schedule, schedule};
use super::plan::{Member, Wave, plan};
use super::set::{SetNode, Sets};
use super::states::Machines;
use super::timer::Timer;
use super::{Priority, SetSetup, SetupError, System, Systems, WorkState};
use crate::entity::EntityId;
use crate::error::Error;
use crate::event::{Subscriber, SubscriberNeeds};
use crate::ids::FunctionKey;
use crate::query::Access;
use crate::resources::ResourceId;
use crate::steps::count;
use crate::type_map::{TypeMap, short_name};
use crate::types::TypeRegistry;
use crate::world::World;

/// A system or a function, as [`SystemManager::iter`] reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SystemInfo {
    /// Name of the system.
    pub name: &'static str,
    /// Its priority.
    pub priority: Priority,
    /// Whether it is enabled.
    pub is_enabled: bool,
    /// Number of phases in which it ran since it was added. Zero, like the rest, unless the engine was built with a
    /// [clock](crate::EngineBuilder::clock) or a [counter of allocations](crate::EngineBuilder::count_allocations).
    pub runs: u64,
    /// Time that its methods took in these phases.
    pub run_time: Duration,
    /// Time that its listeners took; part of the [`handler_time`](crate::event::EventCounters::handler_time) of the
    /// events.
    pub listen_time: Duration,
    /// Allocations of its methods and listeners. Those of other threads that help in
    /// [`Query::par_for_each`](crate::Query::par_for_each) are not counted.
    pub allocations: u64,
}

/// All systems of an engine, in the order of registration and in execution order.
#[derive(Default)]
pub struct SystemManager {
    pub(crate) nodes: Vec<SystemNode>,
    pub(super) by_type: TypeMap<usize>,
    /// Indices of the functions in `nodes`.
    pub(super) functions: SlotMap<FunctionKey, usize>,
    /// The types of all functions that were ever added: one that has ended may still be named.
    known_functions: TypeMap<()>,
    /// Their names, in the order of adding.
    function_names: Vec<(TypeId, &'static str)>,
    /// The settings of the functions of the set-up that have ended: a save from before has them again.
    #[cfg(feature = "serde")]
    pub(super) ended_of_setup: BTreeMap<FunctionKey, (TypeId, Timing)>,
    /// A frame has begun, so functions that are added now do not belong to the set-up.
    pub(super) has_begun: bool,
    pub(super) order: Vec<Placed>,
    /// For each phase the systems with a method in it, in execution order.
    pub(crate) phases: [Vec<PhaseEntry>; 3],
    /// For each phase its waves.
    pub(crate) plans: [Vec<Wave>; 3],
    pub(crate) sets: Sets,
    pub(crate) machines: Machines,
    is_ordered: bool,
    /// The seed of the order among systems of which none was declared; `None`: the order of registration.
    pub(super) shuffled_by: Option<u64>,
    /// How often an order was computed.
    pub(crate) orders: u64,
    /// The systems that conditions decide on, valid while the systems are ordered.
    pub(super) conditional: Vec<usize>,
    /// The sets with members, outer ones first, valid while the systems are ordered.
    pub(super) sets_outer_first: Vec<usize>,
    /// The systems with timers, valid if `are_timed_known`; no other system ends by itself.
    pub(super) timed: Vec<usize>,
    /// The listeners that end with an entity, valid as those with timers.
    pub(super) bound: Vec<(usize, EntityId)>,
    are_timed_known: bool,
    /// Which listeners wait for each other, valid while the systems are ordered.
    pub(super) lanes: Lanes,
    /// For each state machine the systems with methods for its transitions, in execution order.
    state_systems: Vec<Vec<usize>>,
    /// The change counter of the resources at the last successful check.
    resources_checked: Option<u64>,
}

impl SystemManager {
    /// The systems in execution order, without those added since the last frame.
    pub fn iter(&self) -> impl Iterator<Item = SystemInfo> + '_ {
        let nodes = self.order.iter().map(|placed| &self.nodes[placed.system]);
        nodes.filter(|node| !node.has_ended()).map(SystemNode::info)
    }

    /// Number of systems, including functions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len() - self.cancelled()
    }

    /// Whether there are no systems.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds systems and functions that all pass `check`, or none.
    pub(crate) fn add(
        &mut self,
        systems: Systems,
        world: &mut World,
        types: &mut TypeRegistry,
        check: fn(&SystemNode, &World) -> Result<(), SetupError>,
    ) -> Result<(), SetupError> {
        let mut made: Vec<(Item, SystemNode)> = Vec::with_capacity(systems.items.len());
        for mut item in systems.items {
            let label = item.label;
            let is_same = |(other, _): &(Item, SystemNode)| other.is_system && other.label == label;
            if self.by_type.contains_key(&label.system) || made.iter().any(is_same) {
                return Err(SetupError::AlreadyAdded { system: label.name });
            }
            let node = item.make(world, types)?;
            check(&node, world)?;
            made.push((item, node));
        }
        let mut added: Vec<Dependency> = Vec::with_capacity(made.len());
        for (Item { label, is_system, follows, .. }, mut node) in made {
            node.after.extend(follows.iter().map(|place| added[*place]));
            node.has_more_settings |= !follows.is_empty();
            let function = match is_system {
                true => {
                    self.by_type.insert(label.system, self.nodes.len());
                    self.push_listening(node, world);
                    None
                }
                false => Some(self.add_function(node, world).key),
            };
            added.push(Dependency { function, ..label });
        }
        Ok(())
    }

    /// As [`SystemManager::push`], for a system that may listen.
    pub(super) fn push_listening(&mut self, node: SystemNode, world: &mut World) {
        for (event_type, _) in &node.listens {
            if world.events.note_listener(*event_type) {
                world.components.announce(world.events.event_type(*event_type).type_id, *event_type);
            }
        }
        self.push(node);
    }

    /// Notes the event types with listeners, after systems that listen were removed or rearranged.
    pub(crate) fn note_listeners(&self, world: &mut World) {
        count(self.nodes.len() + world.events.types.len());
        let listens = self.nodes.iter().flat_map(|node| &node.listens);
        world.events.note_listeners(listens.map(|(event_type, _)| *event_type));
        world.components.announce_to(world.events.heard_types());
    }

    pub(super) fn push(&mut self, node: SystemNode) {
        if node.function.is_some() && self.known_functions.insert(node.label, ()).is_none() {
            self.function_names.push((node.label, node.name));
        }
        tracing::debug!(target: "ecs::system", system = node.name, "added");
        node.sets.iter().for_each(|set| _ = self.sets.meet(*set));
        self.nodes.push(node);
        self.note_change();
    }

    /// The names of the functions that were added and have all ended, in the order of adding.
    #[cfg(feature = "serde")]
    pub(crate) fn ended_functions(&self) -> Vec<&'static str> {
        let here: TypeMap<()> = self.nodes.iter().map(|node| (node.label, ())).collect();
        let ended = self.function_names.iter().filter(|(label, _)| !here.contains_key(label));
        ended.map(|(_, name)| *name).collect()
    }

    /// Systems were added, removed or moved: all that was computed from their places is invalid.
    pub(crate) fn note_change(&mut self) {
        self.is_ordered = false;
        self.are_timed_known = false;
        self.resources_checked = None;
    }

    pub(crate) fn state<S: System>(&self) -> Option<&S> {
        self.nodes[*self.by_type.get(&TypeId::of::<S>())?].work.system().state().downcast_ref()
    }

    pub(crate) fn state_mut<S: System>(&mut self) -> Option<&mut S> {
        self.nodes[*self.by_type.get(&TypeId::of::<S>())?].work.system_mut().state_mut().downcast_mut()
    }

    pub(crate) fn find_mut(&mut self, system: TypeId) -> Option<&mut SystemNode> {
        self.by_type.get(&system).map(|index| &mut self.nodes[*index])
    }

    pub(crate) fn find(&self, system: TypeId) -> Option<(usize, &SystemNode)> {
        self.by_type.get(&system).map(|index| (*index, &self.nodes[*index]))
    }

    /// Enables or disables a system. Returns whether there is one.
    pub(crate) fn set_enabled(&mut self, system: TypeId, is_enabled: bool) -> bool {
        let Some(index) = self.by_type.get(&system) else { return false };
        self.set_node_enabled(*index, is_enabled);
        true
    }

    pub(super) fn set_node_enabled(&mut self, system: usize, is_enabled: bool) {
        let node = &mut self.nodes[system];
        if node.run_state.is_enabled() != is_enabled {
            node.run_state.set_enabled(is_enabled);
            let what = if is_enabled { "enabled" } else { "disabled" };
            tracing::debug!(target: "ecs::system", system = node.name, "{what}");
            self.resources_checked = None;
        }
    }

    pub(crate) fn set_timer<S: System>(&mut self, timer: Timer) -> Result<(), SetupError> {
        let (system, _) = self.find(TypeId::of::<S>()).ok_or(SetupError::NotAdded { system: short_name::<S>() })?;
        self.set_node_timer(system, timer);
        Ok(())
    }

    pub(super) fn set_node_timer(&mut self, system: usize, timer: Timer) {
        self.nodes[system].run_state.set_timer(timer);
        self.are_timed_known = false;
    }

    pub(crate) fn set_priority<S: System>(&mut self, priority: Priority) -> Result<(), SetupError> {
        let node = self.find_mut(TypeId::of::<S>()).ok_or(SetupError::NotAdded { system: short_name::<S>() })?;
        node.priority = priority;
        self.is_ordered = false;
        Ok(())
    }

    /// The parameters for resources see everything that there is as changed.
    pub(crate) fn forget_resource_changes(&self) {
        let of_systems = self.nodes.iter().flat_map(SystemNode::last_asked);
        of_systems.chain(self.sets.last_asked().flat_map(|(_, _, all)| all)).for_each(|last_asked| last_asked.set(0));
    }

    /// The name of a system or set that touches a resource.
    pub(crate) fn user_of(&self, resource: ResourceId) -> Option<&'static str> {
        let touches =
            |access: &Access| access.resource_reads.contains(&resource) || access.resource_writes.contains(&resource);
        let asks = |checks: &[Box<dyn Check>]| checks.iter().any(|check| check.resources().contains(&resource));
        let uses = |node: &&SystemNode| node.all_accesses().any(touches) || asks(&node.checks);
        let system = self.nodes.iter().find(uses).map(|node| node.name);
        system.or_else(|| self.sets.nodes.iter().find(|set| asks(&set.checks)).map(|set| set.name))
    }

    pub(crate) fn work_state(&self) -> WorkState {
        let systems = self.nodes.iter().filter(|node| node.function.is_none());
        WorkState {
            systems: systems.map(|node| (node.system, node.name, node.run_state.is_enabled())).collect(),
            functions: self.function_states().collect(),
        }
    }

    /// Checks that all resources of enabled systems exist, unless nothing changed since the last check.
    pub(crate) fn check_resources(&mut self, world: &mut World) -> Result<(), Error> {
        if self.resources_checked == Some(world.resources.changes()) {
            return Ok(());
        }
        self.machines.prepare(world);
        for node in self.nodes.iter().filter(|node| node.run_state.is_enabled()) {
            // The phases of a system with conditions are checked when these hold.
            let missing =
                if node.is_conditional { node.work.missing_outside_phases(world) } else { node.work.missing(world) };
            let of_listener = || {
                let checks = node.checks.iter().filter(|_| node.is_listening_function());
                checks.filter_map(|check| check.missing(world)).next()
            };
            if let Some(resource) = missing.or_else(of_listener) {
                return Err(Error::MissingResource { system: node.name, resource });
            }
        }
        self.resources_checked = Some(world.resources.changes());
        Ok(())
    }

    /// Rebuilds the execution order, the waves and the listeners of events, if systems changed.
    pub(crate) fn order(&mut self, world: &mut World) -> Result<(), SetupError> {
        if self.order_without_listeners()? {
            self.lanes = self.lanes_of_listeners();
            self.connect(world);
        }
        Ok(())
    }

    /// The execution order, if there is one and all state machines exist that are named.
    pub(super) fn checked_schedule(&self) -> Result<Schedule, SetupError> {
        self.nodes.iter().try_for_each(|node| self.machines.check(node.name, &node.state_methods))?;
        self.schedule()
    }

    /// Rebuilds the execution order and the waves, if systems changed; returns whether they did.
    pub(crate) fn order_without_listeners(&mut self) -> Result<bool, SetupError> {
        if self.is_ordered {
            return Ok(false);
        }
        let Schedule { order, candidates, .. } = self.checked_schedule()?;
        self.order = order;
        self.join_sets();
        self.find_state_systems();
        for phase in Phase::ALL {
            let entries = self.order.iter().map(|&Placed { system, .. }| {
                let methods = self.nodes[system].methods[phase as usize];
                PhaseEntry { system, methods }
            });
            self.phases[phase as usize] = entries.filter(|entry| entry.methods.is_any()).collect();
        }
        self.plans = Phase::ALL.map(|phase| plan(&self.members(phase), &candidates));
        self.is_ordered = true;
        self.orders += 1;
        if tracing::enabled!(target: "ecs::system", tracing::Level::DEBUG) {
            let order: Vec<_> = self.iter().map(|system| system.name).collect();
            tracing::debug!(target: "ecs::system", order = order.join(" → "), "execution order");
        }
        Ok(true)
    }

    fn find_state_systems(&mut self) {
        self.state_systems.iter_mut().for_each(Vec::clear);
        self.state_systems.resize_with(self.machines.all.len(), Vec::new);
        for placed in &self.order {
            for method in &self.nodes[placed.system].state_methods {
                let machine = self.machines.find(method).expect("the methods were checked");
                let systems = &mut self.state_systems[machine];
                if systems.last() != Some(&placed.system) {
                    systems.push(placed.system);
                }
            }
        }
    }

    /// The systems with methods for the transitions of a machine, in execution order.
    pub(super) fn state_systems(&self, machine: usize) -> &[usize] {
        self.state_systems.get(machine).map_or(&[], Vec::as_slice)
    }

    /// Systems were removed: `place` is the new place of one that is left.
    pub(super) fn move_state_systems(&mut self, place: impl Fn(usize) -> Option<usize>) {
        for systems in &mut self.state_systems {
            systems.retain_mut(|system| place(*system).map(|place| *system = place).is_some());
        }
    }

    pub(super) fn schedule(&self) -> Result<Schedule, SetupError> {
        schedule(&self.nodes.iter().collect::<Vec<_>>(), &self.sets, &self.known_functions, self.shuffled_by)
    }

    /// As [`Inspector::shuffle_order`](crate::inspect::Inspector::shuffle_order).
    #[cfg(feature = "inspect")]
    pub(crate) fn shuffle_order(&mut self, seed: Option<u64>) {
        self.shuffled_by = seed;
        self.is_ordered = false;
    }

    /// Computes the places of sets, and disables new members of sets that begin disabled.
    fn join_sets(&mut self) {
        for set in 0..self.sets.nodes.len() {
            self.sets.nodes[set].around = self.sets.closure(&self.sets.nodes[set].within);
        }
        self.conditional.clear();
        let mut are_used = vec![false; self.sets.nodes.len()];
        for system in 0..self.nodes.len() {
            let node = &mut self.nodes[system];
            node.set_places = self.sets.closure(&node.sets);
            node.set_places.iter().for_each(|set| are_used[*set] = true);
            let mut sets = node.set_places.iter().map(|set| &self.sets.nodes[*set]);
            node.is_conditional = !node.is_listening_function()
                && (!node.checks.is_empty() || sets.clone().any(|set| !set.checks.is_empty()));
            if node.is_conditional {
                self.conditional.push(system);
            }
            let begins_disabled = sets.any(|set| set.begins_disabled);
            if begins_disabled && !std::mem::replace(&mut node.has_begun_disabled, true) {
                self.set_node_enabled(system, false);
            }
        }
        self.sets_outer_first = (0..are_used.len()).filter(|set| are_used[*set]).collect();
        // A set within another one has more sets around it.
        self.sets_outer_first.sort_by_key(|set| self.sets.nodes[*set].around.len());
    }

    /// Changes the settings of a set.
    ///
    /// # Errors
    /// [`SetupError::Condition`]
    pub(crate) fn configure_set<Label: 'static>(
        &mut self,
        world: &mut World,
        declare: impl FnOnce(&mut SetSetup) -> &mut SetSetup,
    ) -> Result<(), SetupError> {
        self.sets.configure::<Label>(world, declare)?;
        self.note_change();
        Ok(())
    }

    /// Enables or disables the systems of a set, direct and indirect. Returns whether there is such a set. The systems
    /// must be ordered.
    pub(crate) fn set_members_enabled(&mut self, set: TypeId, is_enabled: bool) -> bool {
        let Some(set) = self.sets.find(set) else { return false };
        for system in 0..self.nodes.len() {
            if self.nodes[system].set_places.contains(&set) {
                self.set_node_enabled(system, is_enabled);
            }
        }
        true
    }

    /// The places of all systems, in execution order.
    #[cfg(feature = "inspect")]
    pub(crate) fn in_order(&self) -> impl Iterator<Item = usize> {
        self.order.iter().map(|placed| placed.system)
    }

    /// The systems of a phase in execution order.
    pub(super) fn members(&self, phase: Phase) -> Vec<Member<'_>> {
        let access = |system: usize| &self.nodes[system].phase_access[phase as usize];
        let systems = self.phases[phase as usize].iter().map(|entry| entry.system);
        systems.map(|system| Member { system, access: access(system) }).collect()
    }

    /// The lanes of systems with listeners that need not receive their events in line with all others.
    fn lanes_of_listeners(&self) -> Lanes {
        let has_lane = |node: &SystemNode| {
            !node.listens.is_empty()
                && !node.ends_with.is_some_and(|owner| owner.is_observed)
                && !node.is_pinned
                && !node.is_conditional_listener()
                && !node.listening_accesses().any(|access| access.changes_subscriptions || access.is_exclusive)
        };
        let listening = self.nodes.iter().map(|node| has_lane(node).then(|| node.listening_accesses()));
        lanes(&listening.collect::<Vec<_>>())
    }

    /// Sets the listeners and senders of all event types.
    fn connect(&self, world: &mut World) {
        let wanted = self.order.iter().flat_map(|placed| {
            let node = &self.nodes[placed.system];
            let listeners = node.listens.iter().zip(node.listening_accesses()).enumerate();
            listeners.map(move |(listener, ((event_type, is_subscribed), access))| {
                let needs = SubscriberNeeds {
                    fills_buffers: access.fills_buffers(),
                    has_query: !access.queries.is_empty(),
                    is_conditional: node.is_conditional_listener(),
                    lane: self.lanes.of_systems[placed.system],
                };
                (
                    *event_type,
                    node.ends_with.filter(|owner| owner.is_observed).map(|owner| owner.entity),
                    Subscriber::new((node.system, node.function), placed.system, listener, needs, *is_subscribed),
                )
            })
        });
        world.events.set_subscribers(wanted);
        for event_type in &mut world.events.types {
            event_type.senders.clear();
        }
        for placed in &self.order {
            let node = &self.nodes[placed.system];
            for sent in node.sends() {
                let senders = &mut world.events.event_type_mut(sent).senders;
                if senders.last() != Some(&node.name) {
                    senders.push(node.name);
                }
            }
        }
        self.warn_of_listeners_to_components(world);
    }

    /// A listener of a component compiles, and is never called: its author meant a query.
    fn warn_of_listeners_to_components(&self, world: &mut World) {
        for event_type in &mut world.events.types {
            let is_sent = !event_type.senders.is_empty() || event_type.comes_from_outside;
            let Some(listener) = event_type.subscribers.first().filter(|_| !is_sent) else { continue };
            if !event_type.is_warned_of && world.components.id_by_type(event_type.type_id).is_some() {
                let (listener, event) = (self.nodes[listener.system].name, event_type.name);
                tracing::warn!(target: "ecs::event", listener, event, "nobody sends what it listens to, a component: a query was meant");
                event_type.is_warned_of = true;
            }
        }
    }

    /// Lists the systems with timers and the listeners that end with an entity.
    ///
    /// # Complexity
    /// O(1) unless systems were added, removed or got another timer since the last call; then O(n) for n systems.
    pub(super) fn list_what_ends(&mut self) {
        if std::mem::replace(&mut self.are_timed_known, true) {
            return;
        }
        count(self.nodes.len());
        self.timed.clear();
        self.bound.clear();
        for (system, node) in self.nodes.iter().enumerate() {
            if node.run_state.waits_for_ticks() {
                self.timed.push(system);
            }
            self.bound.extend(node.ends_with.map(|owner| (system, owner.entity)));
        }
    }

    /// Advances the timers of enabled systems by `delta`.
    ///
    /// # Errors
    /// [`SetupError::TooManyRuns`] for the first one that would run too often; those stand still.
    pub(crate) fn tick(&mut self, delta: Duration) -> Result<(), SetupError> {
        let mut result = Ok(());
        self.has_begun = true;
        self.list_what_ends();
        for &system in &self.timed {
            let node = &mut self.nodes[system];
            if let (Err(runs), Ok(())) = (node.run_state.tick(delta), &result) {
                let runs = u64::try_from(runs).unwrap_or(u64::MAX);
                result = Err(SetupError::TooManyRuns { system: node.name, runs });
            }
        }
        result
    }

    /// The timers of systems with conditions stand still in this frame, because it ends before the conditions are
    /// checked.
    pub(crate) fn hold_conditional(&mut self) {
        for &system in &self.conditional {
            self.nodes[system].run_state.set_holds(false);
        }
        for &set in &self.sets_outer_first {
            let SetNode { checks, around, .. } = &self.sets.nodes[set];
            let is_conditional = |set: &usize| !self.sets.nodes[*set].checks.is_empty();
            self.sets.nodes[set].holds = checks.is_empty() && !around.iter().any(is_conditional);
        }
    }

    /// A panic ended the frame after `phases_begun` phases: a system that was due only for later ones is due in the
    /// next frame.
    pub(crate) fn defer(&mut self, phases_begun: usize) {
        self.ask_again(phases_begun);
        for node in &mut self.nodes {
            if !node.has_begun(phases_begun) {
                node.run_state.defer();
            }
        }
    }

    /// A panic ended the frame after `phases_begun` phases: what the conditions of systems that did not run have asked
    /// is asked again in the next frame.
    pub(crate) fn ask_again(&self, phases_begun: usize) {
        for node in self.conditional.iter().map(|system| &self.nodes[*system]) {
            if node.run_state.holds() && !node.has_begun(phases_begun) {
                take_back(&node.checks);
                node.set_places.iter().for_each(|set| take_back(&self.sets.nodes[*set].checks));
            }
        }
    }
}
