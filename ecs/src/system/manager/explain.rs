//! The work order in words.

use super::SystemManager;
use crate::system::explain::{EarlierSystem, Explanation, Place, PlaceInPhase, Reason};
use crate::system::node::{Phase, SystemNode};
use crate::system::order::closure;
use crate::system::plan::{Member, clashes};
use crate::system::timer::{CatchUp, Timer};
use crate::world::World;

impl SystemManager {
    /// The systems must have been put in order.
    pub(crate) fn explain(&self, world: &World) -> Explanation {
        let candidates = self.candidates().expect("the systems were put in order");
        let follows = closure(&candidates, &self.order);
        let members = Phase::ALL.map(|phase| self.members(phase));
        let places = self.order.iter().map(|placed| {
            let node = &self.nodes[placed.system];
            let mut after = candidates[placed.system].after.clone();
            after.sort_unstable();
            after.dedup();
            let event_name = |id: &crate::event::EventTypeId| world.events.event_type(*id).name;
            let mut sends: Vec<_> =
                node.accesses.iter().flat_map(|(_, access)| &access.sends).map(event_name).collect();
            sends.sort_unstable();
            sends.dedup();
            let phases = Phase::ALL.into_iter().zip(&members).filter_map(|(phase, members)| {
                let at = members.iter().position(|member| member.system == placed.system)?;
                let follows = |later: usize, earlier: usize| follows[later][earlier];
                Some(self.place_in(phase, &members[..at], &members[at], follows, world))
            });
            Place {
                system: node.name,
                priority: node.priority,
                is_enabled: node.turn.is_enabled(),
                runs: runs(node),
                after: after.into_iter().map(|system| self.nodes[system].name).collect(),
                ahead_of: placed.ahead_of.map(|second| {
                    let is_higher = node.priority > self.nodes[second].priority;
                    (self.nodes[second].name, if is_higher { Reason::Priority } else { Reason::AddedEarlier })
                }),
                phases: phases.collect(),
                listens: node.listens.iter().map(|(id, _)| event_name(id)).collect(),
                sends,
                groups: groups(node, world),
            }
        });
        Explanation { places: places.collect() }
    }

    /// Where `member` stands in a phase, in which `earlier` ones come before it.
    fn place_in(
        &self,
        phase: Phase,
        earlier: &[Member],
        member: &Member,
        follows: impl Fn(usize, usize) -> bool,
        world: &World,
    ) -> PlaceInPhase {
        let name = |system: usize| self.nodes[system].name;
        let waves = &self.plans[phase as usize].waves;
        let wave_of = |system| waves.iter().position(|wave| wave.systems.contains(&system));
        let wave_of = |system| wave_of(system).expect("each system of a phase has a wave");
        let wave = wave_of(member.system);
        let others = waves[wave].systems.iter().filter(|other| **other != member.system);
        let conflicts = earlier.iter().filter_map(|other| {
            let reasons: Vec<_> = clashes(member, other, &follows).map(|clash| clash.named(world)).collect();
            let wave = wave_of(other.system) + 1;
            (!reasons.is_empty()).then(|| EarlierSystem { system: name(other.system), wave, reasons })
        });
        PlaceInPhase {
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
    let has_methods = |phase: &Phase| node.methods[*phase as usize].are_there();
    let phases: Vec<_> = Phase::ALL.into_iter().filter(has_methods).map(Phase::name).collect();
    let runs = if phases.is_empty() { "listens only".to_owned() } else { phases.join(" and ") };
    let timer = match node.turn.timer() {
        Timer::EveryFrame => String::new(),
        Timer::Every { interval, .. } if node.turn.catch_up() == CatchUp::EachInterval => {
            format!(" every {interval:?}, once for each interval")
        }
        Timer::Every { interval, .. } => format!(" every {interval:?}"),
        Timer::OnceAfter { left: Some(left), .. } => format!(" once, in {left:?}"),
        Timer::OnceAfter { left: None, .. } => " once, which is over".to_owned(),
    };
    runs + &timer
}

/// The groups that the queries of a system walk.
fn groups(node: &SystemNode, world: &World) -> Vec<String> {
    let queries = node.accesses.iter().flat_map(|(_, access)| &access.queries).filter(|query| !query.with_disabled);
    let mut names: Vec<_> = queries
        .filter_map(|query| world.components.group_within(&query.required))
        .map(|group| group.name.clone())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}
