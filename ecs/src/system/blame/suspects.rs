//! Why a method that may write a field did not change it.

use super::field::{Field, Owner, Readers};
use super::watch::{Method, Ran};
use super::{Suspect, WhyNot, in_listener, in_phase};
use crate::entity::EntityId;
use crate::ids::ComponentId;
use crate::query::{Access, QueryAccess};
use crate::system::node::{Phase, SystemNode};
use crate::system::{SystemManager, timer};
use crate::world::World;

/// Whether a method of a system may write a field, by its access.
pub(super) fn writes(node: &SystemNode, access: &Access, field: &Field, readers: &Readers, world: &World) -> bool {
    match field.owner {
        // Nothing else can.
        Owner::System(key) => key.is_of(node) && readers.states.may_write(node, access, &field.path),
        _ if access.is_exclusive => true,
        Owner::Component(_, component) => {
            world.components().id_by_type(component).is_some_and(|id| access.writes.contains(id))
        }
        Owner::Resource(resource) => access.resource_writes.iter().any(|id| world.resources.type_of(*id) == resource),
    }
}

/// Why no query of a method that writes the field's component matches its entity; `None` if one does.
pub(super) fn mismatch(access: &Access, field: &Field, world: &World) -> Option<String> {
    let Owner::Component(entity, component) = field.owner else { return None };
    let id = world.components().id_by_type(component)?;
    if access.is_exclusive {
        return None;
    }
    let mut first = None;
    for query in access.queries_that_write(id) {
        first.get_or_insert(unmatched_term(query, entity, id, world)?);
    }
    first
}

/// The term of a query that an entity does not match.
fn unmatched_term(query: &QueryAccess, entity: EntityId, component: ComponentId, world: &World) -> Option<String> {
    let Some(info) = world.components().info_of(entity) else {
        return Some(format!("{query} does not match: there is no entity {entity}"));
    };
    if !info.is_enabled && !query.includes_disabled {
        return Some(format!("{query} does not match: the entity is disabled"));
    }
    let has = |id: ComponentId| {
        let own = info.components.iter().find(|own| own.id == id)?;
        Some(own.is_enabled || query.includes_disabled)
    };
    let name = |id: ComponentId| world.components().name(id);
    for id in query.required.iter().chain([component]) {
        match has(id) {
            Some(true) => {}
            Some(false) => return Some(format!("{query} does not match: {} is disabled", name(id))),
            None => return Some(format!("{query} does not match: the entity has no {}", name(id))),
        }
    }
    if let Some(id) = query.excluded.iter().find(|id| has(*id) == Some(true)) {
        return Some(format!("{query} does not match: the entity has {}", name(id)));
    }
    let has_all = |id: ComponentId| has(id) == Some(true);
    (!query.has_case(has_all)).then(|| format!("{query} does not match: no side of its `Or` holds"))
}

/// All methods that may write a field, with the reason why each did not change it, in execution order.
pub(super) fn suspects(
    field: &Field,
    ran: &[Ran],
    readers: &Readers,
    systems: &SystemManager,
    world: &World,
) -> Vec<Suspect> {
    let mut found = Vec::new();
    for system in systems.in_order() {
        let node = &systems.nodes[system];
        for method in Method::all(node) {
            let may_write = || method.accesses(node).any(|access| writes(node, access, field, readers, world));
            if node.has_ended() || !may_write() {
                continue;
            }
            let own = ran.iter().find(|ran| (ran.system, ran.method) == (system, method));
            let reason = match own {
                Some(Ran { calls: 1.., mismatch: Some(sentence), .. }) => WhyNot::NoMatch(sentence.clone()),
                Some(Ran { calls: calls @ 1.., .. }) => WhyNot::SameValue { calls: *calls },
                Some(_) => WhyNot::Condition(conditions(node, systems)),
                None => not_called(node, method, systems, world),
            };
            let writes = |access: &Access| writes(node, access, field, readers, world);
            found.push(Suspect { system: node.name, place: method.place(node, world, writes), reason });
        }
    }
    found
}

fn conditions(node: &SystemNode, systems: &SystemManager) -> Vec<String> {
    let own = node.conditions.iter().map(|condition| condition.name.clone());
    let sets = node.set_places.iter().map(|set| &systems.sets.nodes[*set]);
    own.chain(sets.flat_map(|set| set.conditions.iter().map(|condition| condition.name.clone()))).collect()
}

/// Why a method was not called in the frame that ends.
fn not_called(node: &SystemNode, method: Method, systems: &SystemManager, world: &World) -> WhyNot {
    if !node.run_state.is_enabled() {
        return WhyNot::Disabled;
    }
    match method {
        Method::Phase(_) if !node.run_state.holds() => {
            let false_sets = node.set_places.iter().map(|set| &systems.sets.nodes[*set]).filter(|set| !set.holds);
            let names: Vec<_> = false_sets.map(|set| format!("that of set {}", set.name)).collect();
            WhyNot::Condition(if names.is_empty() { conditions(node, systems) } else { names })
        }
        Method::Phase(_) if node.run_state.timer() != timer::Timer::EveryFrame => WhyNot::NotDue,
        Method::Phase(_) => WhyNot::NotReached,
        Method::Transition(_) => WhyNot::NoTransition,
        Method::Listener(listener) => {
            let is_own = |own: &&crate::event::Subscriber| {
                (own.system_type, own.listener) == (node.system, listener) && own.is_of(node.function)
            };
            let subscribers = &world.events.event_type(node.listens[listener].0).subscribers;
            match subscribers.iter().find(is_own) {
                Some(own) if !own.is_subscribed() => WhyNot::NotSubscribed,
                _ => WhyNot::NoEvent,
            }
        }
    }
}

impl Method {
    /// All methods of a system.
    pub(super) fn all(node: &SystemNode) -> impl Iterator<Item = Self> {
        let phases = Phase::ALL.into_iter().filter(|phase| node.methods[*phase as usize].is_any());
        let listeners = (0..node.listens.len()).map(Self::Listener);
        let transitions = (0..node.state_methods.len()).map(Self::Transition);
        phases.map(Self::Phase).chain(listeners).chain(transitions)
    }

    /// What it reads and writes: of a phase, all its methods.
    pub(super) fn accesses(self, node: &SystemNode) -> impl Iterator<Item = &Access> + Clone {
        let of_phases = node.accesses.iter().filter(move |(phase, _)| match (self, phase) {
            (Self::Phase(own), Some(phase)) => own == *phase,
            _ => false,
        });
        let listeners = node.accesses.iter().filter(|(phase, _)| phase.is_none()).enumerate();
        let of_listener = listeners.filter(move |(at, _)| self == Self::Listener(*at)).map(|(_, access)| access);
        let transitions = node.state_methods.iter().enumerate();
        let of_transition = transitions.filter(move |(at, _)| self == Self::Transition(*at));
        let of_phases = of_phases.chain(of_listener).map(|(_, access)| access);
        of_phases.chain(of_transition.map(|(_, method)| &method.access))
    }

    /// The names of its functions that do something by their access; none of a plain function, which is the system, and
    /// of a closure.
    pub(super) fn names(self, node: &SystemNode, does: impl Fn(&Access) -> bool) -> Vec<&'static str> {
        let all = self.accesses(node).filter(|access| does(access)).map(|access| access.method);
        all.filter(|name| *name != node.name && !name.is_empty() && !name.contains("{{closure}}")).collect()
    }

    /// In words.
    fn place(self, node: &SystemNode, world: &World, writes: impl Fn(&Access) -> bool) -> String {
        match self {
            Self::Phase(phase) => in_phase(phase.name(), &self.names(node, writes)),
            Self::Listener(listener) => {
                let event = world.events.event_type(node.listens[listener].0).name;
                in_listener(self.names(node, |_| true).first().copied(), event)
            }
            Self::Transition(method) => format!("called by a transition of {}", node.state_methods[method].states()),
        }
    }
}
