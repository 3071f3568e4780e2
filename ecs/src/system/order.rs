//! The execution order: dependencies first; among the ready systems, the higher priority first; then the order of
//! registration, or a shuffled one.

use std::any::TypeId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

use super::node::Dependency;
use super::set::Sets;
use super::{Reason, SetupError, SystemNode};
use crate::ids::FunctionKey;
use crate::stable_hash::StateHasher;
use crate::steps::count;
use crate::type_map::{FixedMap, TypeMap};

/// The priority of a system: among systems whose dependencies have run, the higher priority runs first. Any number is
/// allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority(pub u16);

impl Priority {
    /// 0
    pub const LOWEST: Self = Self(0);
    /// 100
    pub const LOW: Self = Self(100);
    /// 200, the default
    pub const NORMAL: Self = Self(200);
    /// 300
    pub const MEDIUM: Self = Self(300);
    /// 400
    pub const HIGH: Self = Self(400);
    /// 65535
    pub const HIGHEST: Self = Self(u16::MAX);
}

impl Default for Priority {
    fn default() -> Self {
        Self::NORMAL
    }
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match *self {
            Self::LOWEST => "lowest",
            Self::LOW => "low",
            Self::NORMAL => "normal",
            Self::MEDIUM => "medium",
            Self::HIGH => "high",
            Self::HIGHEST => "highest",
            Self(number) => return write!(f, "{number}"),
        };
        f.write_str(name)
    }
}

/// A system to be ordered, or a border of a set. Its index in the list is its order of registration.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) priority: Priority,
    /// Indices of the candidates that must come before.
    pub(crate) after: Vec<usize>,
    /// Decides among equal priorities before the order of registration: 0, or a random number in a shuffled order.
    pub(crate) tie: u64,
    /// The begin or the end of a set: placed as soon as it can be, so that it delays no system.
    is_border: bool,
}

impl Candidate {
    pub(crate) fn new(priority: Priority) -> Self {
        Self { priority, after: Vec::new(), tie: 0, is_border: false }
    }
}

/// A candidate in the order, and the next system that was ready at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) system: usize,
    pub(crate) ahead_of: Option<(usize, Reason)>,
}

/// The order of all candidates, or a cycle among them: each one runs before the next, and the last before the first.
///
/// O((n + d) log n) for n systems with d dependencies.
pub(crate) fn execution_order(candidates: &[Candidate]) -> Result<Vec<Placed>, Vec<usize>> {
    let mut waits_for = vec![0_usize; candidates.len()];
    let mut releases = vec![Vec::new(); candidates.len()];
    for (system, candidate) in candidates.iter().enumerate() {
        count(1 + candidate.after.len());
        for &dependency in &candidate.after {
            waits_for[system] += 1;
            releases[dependency].push(system);
        }
    }
    let rank = |system: usize| {
        let Candidate { is_border, priority, tie, .. } = candidates[system];
        (is_border, priority, tie, Reverse(system))
    };
    let mut ready: BinaryHeap<_> = (0..candidates.len()).filter(|&s| waits_for[s] == 0).map(rank).collect();
    let mut order = Vec::with_capacity(candidates.len());
    while let Some((.., Reverse(system))) = ready.pop() {
        let ahead_of = ready.peek().map(|&(_, priority, _, Reverse(second))| {
            let is_higher = candidates[system].priority > priority;
            (second, if is_higher { Reason::Priority } else { Reason::AddedEarlier })
        });
        order.push(Placed { system, ahead_of });
        count(releases[system].len());
        for &released in &releases[system] {
            waits_for[released] -= 1;
            if waits_for[released] == 0 {
                ready.push(rank(released));
            }
        }
    }
    if order.len() == candidates.len() { Ok(order) } else { Err(find_cycle(candidates, &waits_for)) }
}

/// For each system, which systems it follows, directly or indirectly. O(n²) for n systems: for explanations alone.
pub(crate) fn closure(candidates: &[Candidate], systems: usize) -> Vec<Vec<bool>> {
    let order = execution_order(candidates).expect("the systems were ordered before");
    let mut follows = vec![Vec::new(); candidates.len()];
    for placed in order {
        for &earlier in &candidates[placed.system].after {
            let inherited = follows[earlier].clone();
            let own = &mut follows[placed.system];
            own.resize(candidates.len(), false);
            own.iter_mut().zip(inherited).for_each(|(own, inherited)| *own |= inherited);
            own[earlier] = true;
        }
    }
    follows.truncate(systems);
    follows
}

/// Whether a system must follow another one, by what [`closure`] returned.
pub(crate) fn is_after(follows: &[Vec<bool>], later: usize, earlier: usize) -> bool {
    follows[later].get(earlier).is_some_and(|follows| *follows)
}

/// Follows unmet dependencies from a system that waits until a system repeats.
fn find_cycle(candidates: &[Candidate], waits_for: &[usize]) -> Vec<usize> {
    let still_waits = |system: usize| waits_for[system] > 0;
    let mut path: Vec<usize> = Vec::new();
    let mut places = vec![None; candidates.len()];
    let mut current = (0..candidates.len()).find(|&s| still_waits(s)).expect("a system waits, since there is no order");
    loop {
        if let Some(start) = places[current].replace(path.len()) {
            let mut cycle = path.split_off(start);
            // Dependencies were followed backwards. Begin with the system that was registered first.
            cycle.reverse();
            let first = (0..cycle.len()).min_by_key(|&at| cycle[at]).unwrap_or(0);
            cycle.rotate_left(first);
            return cycle;
        }
        path.push(current);
        let unmet = candidates[current].after.iter().copied().find(|&dependency| still_waits(dependency));
        current = unmet.expect("a waiting system has a waiting dependency");
    }
}

/// The execution order of systems.
pub(crate) struct Schedule {
    pub(crate) order: Vec<Placed>,
    /// The systems, and behind them the borders of groups.
    pub(crate) candidates: Vec<Candidate>,
    /// The names of the groups: the sets, and behind them the functions that are named in declarations.
    groups: Vec<&'static str>,
}

/// The execution order of the systems in `nodes`, where the seed `shuffled_by` decides among equal priorities, if there
/// is one. O((n + d) log n) for n systems and sets with d dependencies.
///
/// # Errors
/// [`SetupError::UnknownDependency`] and [`SetupError::Cycle`]
pub(super) fn schedule(
    nodes: &[&SystemNode],
    sets: &Sets,
    known_functions: &TypeMap<()>,
    shuffled_by: Option<u64>,
) -> Result<Schedule, SetupError> {
    let Candidates { mut candidates, groups } = candidates(nodes, sets, known_functions)?;
    if let Some(seed) = shuffled_by {
        for (system, candidate) in candidates.iter_mut().enumerate().take(nodes.len()) {
            candidate.tie = StateHasher::default().number(seed).number(system as u64).finish();
        }
    }
    let mut order = execution_order(&candidates).map_err(|cycle| {
        let mut systems: Vec<_> = cycle.into_iter().map(|index| name_of(index, nodes, &groups)).collect();
        // A cycle through a group passes its begin and its end.
        systems.dedup();
        if systems.len() > 1 && systems.first() == systems.last() {
            systems.pop();
        }
        SetupError::Cycle { systems }
    })?;
    order.retain(|placed| placed.system < nodes.len());
    Ok(Schedule { order, candidates, groups })
}

fn name_of(index: usize, nodes: &[&SystemNode], groups: &[&'static str]) -> &'static str {
    nodes.get(index).map_or_else(|| groups[group_of(index, nodes.len())], |node| node.name)
}

impl Schedule {
    /// The names of the systems, sets and functions that a system was declared to run after.
    pub(super) fn declared_before(&self, system: usize, nodes: &[&SystemNode]) -> Vec<&'static str> {
        let mut after = self.candidates[system].after.clone();
        after.sort_unstable();
        after.dedup();
        // The begins of its own groups are no systems or sets before it.
        let is_own = |index: usize| index >= nodes.len() && (index - nodes.len()).is_multiple_of(2);
        after.into_iter().filter(|index| !is_own(*index)).map(|index| name_of(index, nodes, &self.groups)).collect()
    }
}

/// The index of a group's start node, which follows the nodes of the `systems` systems. The group's end node is the
/// next one.
fn begin_of(group: usize, systems: usize) -> usize {
    systems + 2 * group
}

/// The group of a border.
fn group_of(border: usize, systems: usize) -> usize {
    (border - systems) / 2
}

/// The systems and the borders of groups, with their dependencies as indices.
struct Candidates {
    candidates: Vec<Candidate>,
    groups: Vec<&'static str>,
}

/// # Errors
/// [`SetupError::UnknownDependency`]
fn candidates(nodes: &[&SystemNode], sets: &Sets, known_functions: &TypeMap<()>) -> Result<Candidates, SetupError> {
    let systems = nodes.iter().enumerate().filter(|(_, node)| node.function.is_none());
    let by_type: TypeMap<usize> = systems.map(|(index, node)| (node.system, index)).collect();
    let mut groups: Vec<_> = sets.nodes.iter().map(|set| set.name).collect();
    let functions = named_functions(nodes, sets, &mut groups);
    // The first and the last candidate of a system, of a set, or of functions. A type may be a system and a set.
    let ends = |label: Dependency| {
        let (system, group) = match label.function {
            Some(function) => (functions.by_key.get(&function), None),
            None => (by_type.get(&label.system), sets.find(label.system).or(functions.find(label.system))),
        };
        let borders = group.map(|group| begin_of(group, nodes.len())).map(|begin| (begin, begin + 1));
        system.map(|index| (*index, *index)).into_iter().chain(borders)
    };
    // A function that has ended does not delay others.
    let has_ended = |label: &Dependency| label.function.is_some() || known_functions.contains_key(&label.system);
    let mut candidates: Vec<_> = nodes.iter().map(|node| Candidate::new(node.priority)).collect();
    let border = Candidate { is_border: true, ..Candidate::new(Priority::HIGHEST) };
    candidates.resize(begin_of(groups.len(), nodes.len()), border);
    for group in 0..groups.len() {
        let begin = begin_of(group, nodes.len());
        candidates[begin + 1].after.push(begin);
    }
    let members = nodes.iter().enumerate().filter(|(_, node)| node.function.is_some());
    for (index, group) in members.filter_map(|(index, node)| Some((index, functions.find(node.label)?))) {
        let begin = begin_of(group, nodes.len());
        candidates[index].after.push(begin);
        candidates[begin + 1].after.push(index);
    }
    let of_systems =
        nodes.iter().enumerate().map(|(index, node)| (node.name, index, index, &node.after, &node.before, &node.sets));
    let of_sets = sets.nodes.iter().enumerate().map(|(set, node)| {
        let begin = begin_of(set, nodes.len());
        (node.name, begin, begin + 1, &node.after, &node.before, &node.within)
    });
    for (system, begin, end, after, before, within) in of_systems.chain(of_sets) {
        let unknown =
            |relation, label: &Dependency| SetupError::UnknownDependency { system, relation, dependency: label.name };
        let check = |relation, label: &Dependency| {
            let is_known = ends(*label).next().is_some() || has_ended(label);
            if is_known { Ok(()) } else { Err(unknown(relation, label)) }
        };
        for label in after {
            check("after", label)?;
            candidates[begin].after.extend(ends(*label).map(|(_, last)| last));
        }
        for label in before {
            check("before", label)?;
            ends(*label).for_each(|(first, _)| candidates[first].after.push(end));
        }
        for label in within {
            let set = sets.find(label.system).ok_or_else(|| unknown("in", label))?;
            let outer = begin_of(set, nodes.len());
            candidates[begin].after.push(outer);
            candidates[outer + 1].after.push(end);
        }
    }
    Ok(Candidates { candidates, groups })
}

/// The functions that declarations name.
#[derive(Default)]
struct NamedFunctions {
    /// Single functions by their keys.
    by_key: FixedMap<FunctionKey, usize>,
    /// The groups of functions by their types.
    groups: TypeMap<usize>,
}

impl NamedFunctions {
    fn find(&self, label: TypeId) -> Option<usize> {
        self.groups.get(&label).copied()
    }
}

/// Finds the functions that declarations name, and adds their groups to those of the sets.
fn named_functions(nodes: &[&SystemNode], sets: &Sets, groups: &mut Vec<&'static str>) -> NamedFunctions {
    let mut functions = NamedFunctions::default();
    let of_systems = nodes.iter().flat_map(|node| node.after.iter().chain(&node.before));
    let of_sets = sets.nodes.iter().flat_map(|set| set.after.iter().chain(&set.before));
    let mut types = TypeMap::default();
    let mut has_keys = false;
    for label in of_systems.chain(of_sets) {
        has_keys |= label.function.is_some();
        types.insert(label.system, ());
    }
    if types.is_empty() {
        return functions;
    }
    for (index, node) in nodes.iter().enumerate() {
        count(1);
        let Some(key) = node.function else { continue };
        if has_keys {
            functions.by_key.insert(key, index);
        }
        if types.contains_key(&node.label) {
            functions.groups.entry(node.label).or_insert_with(|| {
                groups.push(node.name);
                groups.len() - 1
            });
        }
    }
    functions
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn candidate(priority: u16, after: &[usize]) -> Candidate {
        Candidate { after: after.to_vec(), ..Candidate::new(Priority(priority)) }
    }

    fn systems(order: &[Placed]) -> Vec<usize> {
        order.iter().map(|placed| placed.system).collect()
    }

    #[test]
    fn priority_decides_among_the_ready_ones_only() {
        let order = execution_order(&[candidate(1, &[]), candidate(9, &[0]), candidate(5, &[])]).unwrap();
        assert_eq!(systems(&order), [2, 0, 1]);
        assert_eq!(order[0].ahead_of, Some((0, Reason::Priority)));
        assert_eq!(order[2].ahead_of, None);
    }

    #[test]
    fn cycle_is_found_and_begins_with_the_first() {
        let cycle = execution_order(&[candidate(0, &[2]), candidate(0, &[0]), candidate(0, &[1]), candidate(0, &[0])]);
        assert_eq!(cycle, Err(vec![0, 1, 2]));
        assert_eq!(execution_order(&[candidate(0, &[0])]), Err(vec![0]));
    }

    proptest! {
        /// Random graphs: every dependency is kept, and no system runs before a ready one that ranks higher.
        #[test]
        fn order_is_the_one_that_was_specified(
            priorities in prop::collection::vec(0_u16..4, 1..30),
            edges in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..60),
        ) {
            let mut candidates: Vec<_> = priorities.iter().map(|&p| candidate(p, &[])).collect();
            for (a, b) in edges {
                let (a, b) = (a.index(candidates.len()), b.index(candidates.len()));
                if a != b {
                    candidates[a].after.push(b);
                }
            }
            match execution_order(&candidates) {
                Ok(order) => {
                    let order = systems(&order);
                    let mut done = vec![false; candidates.len()];
                    for &system in &order {
                        let is_ready = |s: usize| !done[s] && candidates[s].after.iter().all(|&d| done[d]);
                        prop_assert!(is_ready(system));
                        let best = (0..candidates.len()).filter(|&s| is_ready(s)).max_by_key(|&s| (candidates[s].priority, Reverse(s)));
                        prop_assert_eq!(Some(system), best);
                        done[system] = true;
                    }
                    prop_assert_eq!(order.len(), candidates.len());
                }
                Err(cycle) => {
                    prop_assert!(!cycle.is_empty());
                    for (at, &system) in cycle.iter().enumerate() {
                        let next = cycle[(at + 1) % cycle.len()];
                        prop_assert!(candidates[next].after.contains(&system), "{} must wait for {}", next, system);
                    }
                }
            }
        }
    }
}
