//! The execution order in words: the place of each system and its reasons.

use std::collections::BTreeSet;
use std::fmt;

use super::node::{Dependency, Phase, SystemNode};
use super::order::{closure, is_after};
use super::plan::{Member, clashes};
use super::set::SetNode;
use super::timer::{CatchUp, Timer};
use super::{Conflict, Priority, SystemManager};
use crate::entity::EntityId;
use crate::event::EventTypeId;
use crate::ids::ComponentId;
use crate::resources::ResourceId;
use crate::world::World;

/// Why a system runs before another one that was ready at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its priority is higher.
    Priority,
    /// Its priority is the same, and it was added earlier.
    AddedEarlier,
}

/// A system in the execution order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledSystem {
    /// Name of the system.
    pub system: &'static str,
    /// Its priority.
    pub priority: Priority,
    /// Whether it is enabled.
    pub is_enabled: bool,
    /// The phases in which it runs, and how often.
    pub runs: String,
    /// The systems and sets that it was declared to run after.
    pub after: Vec<&'static str>,
    /// The sets that it joined.
    pub sets: Vec<&'static str>,
    /// Its conditions, by the names of their functions.
    pub conditions: Vec<String>,
    /// The next system that was ready at the same time, and why it runs later.
    pub ahead_of: Option<(&'static str, Reason)>,
    /// Its place in each phase in which it runs.
    pub phases: Vec<SystemInPhase>,
    /// Event types that it listens to.
    pub listens: Vec<&'static str>,
    /// The systems that it waits for while events are delivered, in execution order: an event reaches one of them when
    /// all events before it have reached the others. `None`: all systems with listeners.
    pub listens_with: Option<Vec<&'static str>>,
    /// Event types that it sends.
    pub sends: Vec<&'static str>,
    /// What its methods read and none of them writes, such as `component ScheduledSystem` and `resource Score`, sorted.
    pub reads: Vec<String>,
    /// What its methods write, in the same words; commands are not among it.
    pub writes: Vec<String>,
    /// Required components of its queries that some entities got after they were spawned. Each of these costs a
    /// look-up.
    pub extras: Vec<&'static str>,
}

/// The entities that were made with the same components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindInfo {
    /// The names of the components.
    pub components: Vec<&'static str>,
    /// The number of entities.
    pub entities: usize,
    /// How many of them have, or have had, other components too.
    pub with_extras: usize,
}

/// A set of systems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledSet {
    /// Name of the set.
    pub set: &'static str,
    /// The systems and sets that it was declared to run after.
    pub after: Vec<&'static str>,
    /// The systems and sets that it was declared to run before.
    pub before: Vec<&'static str>,
    /// The sets that contain it.
    pub sets: Vec<&'static str>,
    /// Its conditions, by the names of their functions.
    pub conditions: Vec<String>,
    /// Its systems in execution order, including those of the sets in it.
    pub systems: Vec<&'static str>,
}

impl ScheduledSet {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { set, after, before, sets, conditions, systems } = self;
        match systems.as_slice() {
            [] => writeln!(f, "set {set} without systems")?,
            systems => writeln!(f, "set {set}: {}", systems.join(", "))?,
        }
        for (relation, names) in [("in set", sets), ("after", after), ("before", before)] {
            if !names.is_empty() {
                writeln!(f, "       {relation} {}", names.join(", "))?;
            }
        }
        if !conditions.is_empty() {
            writeln!(f, "       runs if {}", conditions.join(", "))?;
        }
        Ok(())
    }
}

/// The place of a system in a phase. The systems of one wave may run at the same time, if the engine has threads; a
/// wave begins when the previous one is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemInPhase {
    /// Name of the phase.
    pub phase: &'static str,
    /// Its wave, from 1: the first one after the waves of all systems that it conflicts with.
    pub wave: usize,
    /// Number of waves in the phase.
    pub waves: usize,
    /// The other systems of its wave, in the order of their registration.
    pub beside: Vec<&'static str>,
    /// The earlier systems that it conflicts with, in execution order.
    pub conflicts: Vec<EarlierSystem>,
}

/// A system that must be done before another one begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierSystem {
    /// Name of the system.
    pub system: &'static str,
    /// Its wave in the phase, from 1.
    pub wave: usize,
    /// The reasons.
    pub reasons: Vec<Conflict>,
}

impl SystemInPhase {
    /// One line for the wave, and one for each set of reasons.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { phase, wave, waves, beside, conflicts } = self;
        write!(f, "       wave {wave} of {waves} in {phase}")?;
        match beside.as_slice() {
            [] => writeln!(f, ", alone")?,
            beside => writeln!(f, ", may run beside {}", beside.join(", "))?,
        }
        let mut left: Vec<_> = conflicts.iter().collect();
        while let [first, ..] = left[..] {
            let (same, others): (Vec<_>, Vec<_>) =
                left.into_iter().partition(|earlier| earlier.reasons == first.reasons);
            let systems: Vec<_> =
                same.iter().map(|EarlierSystem { system, wave, .. }| format!("{system} (wave {wave})")).collect();
            let reasons: Vec<_> = first.reasons.iter().map(Conflict::to_string).collect();
            writeln!(f, "       conflicts with {}: {}", systems.join(", "), reasons.join(", "))?;
            left = others;
        }
        Ok(())
    }
}

/// The execution order with its reasons; [`Engine::explain`](crate::Engine::explain) makes it, `Display` prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The systems in execution order.
    pub systems: Vec<ScheduledSystem>,
    /// The sets, in the order in which they were first named.
    pub sets: Vec<ScheduledSet>,
    /// The kinds of entities, in the order of every iteration.
    pub kinds: Vec<KindInfo>,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "execution order of {} systems", self.systems.len())?;
        for (index, place) in self.systems.iter().enumerate() {
            let ScheduledSystem { system, priority, runs, .. } = place;
            let state = if place.is_enabled { "" } else { ", disabled" };
            writeln!(f, "{:>3}. {system} (priority {priority}, {runs}{state})", index + 1)?;
            if !place.after.is_empty() {
                writeln!(f, "       after {}, as declared", place.after.join(", "))?;
            }
            if !place.sets.is_empty() {
                writeln!(f, "       in set {}", place.sets.join(", "))?;
            }
            if !place.conditions.is_empty() {
                writeln!(f, "       runs if {}", place.conditions.join(", "))?;
            }
            match place.ahead_of {
                Some((other, Reason::Priority)) => writeln!(f, "       ahead of {other}: its priority is higher")?,
                Some((other, Reason::AddedEarlier)) => {
                    writeln!(f, "       ahead of {other}: the priorities are equal and it was added earlier")?;
                }
                None => {}
            }
            for phase in &place.phases {
                phase.write(f)?;
            }
            if !place.extras.is_empty() {
                writeln!(f, "       looks up {}, which entities got after they were spawned", place.extras.join(", "))?;
            }
            if !place.listens.is_empty() {
                write!(f, "       listens to {}", place.listens.join(", "))?;
                match place.listens_with.as_deref() {
                    None => writeln!(f, ", in line with all listeners")?,
                    Some([]) => writeln!(f)?,
                    Some(others) => writeln!(f, ", in line with {}", others.join(", "))?,
                }
            }
            if !place.sends.is_empty() {
                writeln!(f, "       sends {}", place.sends.join(", "))?;
            }
        }
        self.sets.iter().try_for_each(|set| set.write(f))?;
        for KindInfo { components, entities, with_extras } in &self.kinds {
            let entities = if *entities == 1 { "1 entity".to_owned() } else { format!("{entities} entities") };
            write!(f, "kind ({}): {entities}", components.join(", "))?;
            if *with_extras > 0 {
                write!(f, ", {with_extras} with extras")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl SystemManager {
    /// The systems must be ordered.
    pub(crate) fn explain(&self, world: &World) -> Explanation {
        let schedule = self.schedule().expect("the systems are ordered");
        let follows = closure(&schedule.candidates, self.nodes.len());
        let nodes: Vec<_> = self.nodes.iter().collect();
        let members = Phase::ALL.map(|phase| self.members(phase));
        let waves = Phase::ALL.map(|phase| self.waves_of_systems(phase));
        let places = self.order.iter().map(|placed| {
            let node = &self.nodes[placed.system];
            let event_name = |id: EventTypeId| world.events.event_type(id).name;
            let mut sends: Vec<_> = node.sends().map(event_name).collect();
            sends.sort_unstable();
            sends.dedup();
            let phases = Phase::ALL.into_iter().zip(&members).filter_map(|(phase, members)| {
                let at = members.iter().position(|member| member.system == placed.system)?;
                let follows = |later: usize, earlier: usize| is_after(&follows, later, earlier);
                Some(self.place_in(phase, &members[..=at], &waves[phase as usize], follows, world))
            });
            let (reads, writes) = touched(node, world);
            ScheduledSystem {
                system: node.name,
                priority: node.priority,
                is_enabled: node.run_state.is_enabled(),
                runs: runs(node),
                after: schedule.declared_before(placed.system, &nodes),
                sets: node.sets.iter().map(|set| set.name).collect(),
                conditions: node.conditions.iter().map(|condition| condition.name.clone()).collect(),
                ahead_of: placed.ahead_of.map(|(second, reason)| (self.nodes[second].name, reason)),
                phases: phases.collect(),
                listens: node.listens.iter().map(|(id, _)| event_name(*id)).collect(),
                listens_with: self.listens_with(placed.system),
                sends,
                reads,
                writes,
                extras: extras(node, world),
            }
        });
        let systems = places.collect();
        let sets = self.sets.nodes.iter().map(|set| self.explain_set(set)).collect();
        Explanation { systems, sets, kinds: kinds(world) }
    }

    /// The systems with listeners that share the lane of a system; `None` if it has listeners without a lane.
    fn listens_with(&self, system: usize) -> Option<Vec<&'static str>> {
        let listens = |system: &usize| !self.nodes[*system].listens.is_empty();
        if !listens(&system) {
            return Some(Vec::new());
        }
        let lane = self.lanes.of(system)?;
        let others = self.order.iter().map(|placed| placed.system).filter(listens);
        let others = others.filter(|other| *other != system && self.lanes.of(*other) == Some(lane));
        Some(others.map(|other| self.nodes[other].name).collect())
    }

    fn explain_set(&self, set: &SetNode) -> ScheduledSet {
        let names = |labels: &[Dependency]| labels.iter().map(|label| label.name).collect();
        let place = self.sets.find(set.label);
        let is_in = |system: usize| self.nodes[system].set_places.iter().any(|set| Some(*set) == place);
        let members = self.order.iter().map(|placed| placed.system).filter(|system| is_in(*system));
        ScheduledSet {
            set: set.name,
            after: names(&set.after),
            before: names(&set.before),
            sets: names(&set.within),
            conditions: set.conditions.iter().map(|condition| condition.name.clone()).collect(),
            systems: members.map(|system| self.nodes[system].name).collect(),
        }
    }

    /// The wave of each system that is in a phase.
    fn waves_of_systems(&self, phase: Phase) -> Vec<usize> {
        let mut wave_of = vec![0; self.nodes.len()];
        for (number, wave) in self.plans[phase as usize].iter().enumerate() {
            wave.systems.iter().for_each(|system| wave_of[*system] = number);
        }
        wave_of
    }

    /// The place of the last of `members` in a phase.
    fn place_in(
        &self,
        phase: Phase,
        members: &[Member<'_>],
        wave_of: &[usize],
        follows: impl Fn(usize, usize) -> bool,
        world: &World,
    ) -> SystemInPhase {
        let (member, earlier) = members.split_last().expect("the system is among them");
        let name = |system: usize| self.nodes[system].name;
        let waves = &self.plans[phase as usize];
        let wave = wave_of[member.system];
        let others = waves[wave].systems.iter().filter(|other| **other != member.system);
        let conflicts = earlier.iter().filter_map(|other| {
            let reasons: Vec<_> = clashes(*member, *other, &follows)
                .map(|clash| clash.named(&world.components, &world.resources))
                .collect();
            let wave = wave_of[other.system] + 1;
            (!reasons.is_empty()).then(|| EarlierSystem { system: name(other.system), wave, reasons })
        });
        SystemInPhase {
            phase: phase.name(),
            wave: wave + 1,
            waves: waves.len(),
            beside: others.map(|&other| name(other)).collect(),
            conflicts: conflicts.collect(),
        }
    }
}

/// The phases of a system and its timer.
fn runs(node: &SystemNode) -> String {
    let has_methods = |phase: &Phase| node.methods[*phase as usize].is_any();
    let phases: Vec<_> = Phase::ALL.into_iter().filter(has_methods).map(Phase::name).collect();
    let runs = match (phases.is_empty(), node.listens.is_empty() && node.has_state_methods()) {
        (false, _) => phases.join(" and "),
        (true, false) => "listens only".to_owned(),
        (true, true) => "called by transitions only".to_owned(),
    };
    let timer = match node.run_state.timer() {
        Timer::EveryFrame => String::new(),
        Timer::Every { interval, .. } if node.run_state.catch_up() == CatchUp::EachInterval => {
            format!(" every {interval:?}, once for each interval")
        }
        Timer::Every { interval, .. } => format!(" every {interval:?}"),
        Timer::OnceAfter { left: Some(left), .. } => format!(" once, in {left:?}"),
        Timer::OnceAfter { left: None, .. } => " once, which is over".to_owned(),
    };
    let thread = if node.is_pinned { " on the calling thread" } else { "" };
    runs + &timer + thread
}

/// What the methods of a system only read, and what they write.
fn touched(node: &SystemNode, world: &World) -> (Vec<String>, Vec<String>) {
    let (mut reads, mut writes) = (BTreeSet::new(), BTreeSet::new());
    let component = |id| Conflict::Component(world.components.name(id));
    let resource = |id: &ResourceId| Conflict::Resource(world.resources.name(*id));
    for access in node.all_accesses() {
        reads.extend(access.reads.iter().map(component).map(|what| what.to_string()));
        reads.extend(access.resource_reads.iter().map(resource).map(|what| what.to_string()));
        reads.extend(access.reads_entities.then(|| Conflict::EntityIds.to_string()));
        writes.extend(access.writes.iter().map(component).map(|what| what.to_string()));
        writes.extend(access.resource_writes.iter().map(resource).map(|what| what.to_string()));
        writes.extend(access.spawns.then(|| Conflict::EntityIds.to_string()));
        writes.extend(access.changes_subscriptions.then(|| Conflict::Subscriptions.to_string()));
        writes.extend(access.is_exclusive.then(|| Conflict::World.to_string()));
    }
    (reads.difference(&writes).cloned().collect(), writes.into_iter().collect())
}

/// The required components of the queries of a system that are extras of some entities.
fn extras(node: &SystemNode, world: &World) -> Vec<&'static str> {
    let queries = node.accesses.iter().flat_map(|(_, access)| &access.queries);
    let required = queries.flat_map(|query| query.required.iter());
    let are_extras = |id: &ComponentId| world.components.find(*id).is_some_and(|pool| pool.index().len() > 0);
    let mut names: Vec<_> = required.filter(are_extras).map(|id| world.components.name(id)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The kinds with entities, in their order.
fn kinds(world: &World) -> Vec<KindInfo> {
    let table = world.entities().table();
    let info = |kind: &u32| {
        let kind = table.kinds().get(*kind as usize);
        let has_extras = |owner: &&EntityId| table.location(**owner).is_some_and(|location| location.has_extras);
        KindInfo {
            components: kind.ids.iter().map(|id| world.components.name(*id)).collect(),
            entities: kind.owners.len(),
            with_extras: kind.owners.iter().filter(has_extras).count(),
        }
    };
    table.kinds().order().iter().map(info).collect()
}
