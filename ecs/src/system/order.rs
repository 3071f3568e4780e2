//! The work order: dependencies first; among the ready systems, the higher priority first; then the order of registration.

use std::any::TypeId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

use super::{SetupError, SystemNode};

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

/// A system to be ordered. Its index in the list is its order of registration.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) priority: Priority,
    /// Indices of the systems that must run before.
    pub(crate) after: Vec<usize>,
}

/// A system in the order, and the next system that was ready at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) system: usize,
    pub(crate) ahead_of: Option<usize>,
}

/// The order of all candidates, or a cycle among them: each one runs before the next, and the last before the first.
///
/// O((n + d) log n) for n systems with d dependencies.
pub(crate) fn work_order(candidates: &[Candidate]) -> Result<Vec<Placed>, Vec<usize>> {
    let mut waits_for = vec![0_usize; candidates.len()];
    let mut releases = vec![Vec::new(); candidates.len()];
    for (system, candidate) in candidates.iter().enumerate() {
        for &dependency in &candidate.after {
            waits_for[system] += 1;
            releases[dependency].push(system);
        }
    }
    let rank = |system: usize| (candidates[system].priority, Reverse(system));
    let mut ready: BinaryHeap<_> = (0..candidates.len()).filter(|&s| waits_for[s] == 0).map(rank).collect();
    let mut order = Vec::with_capacity(candidates.len());
    while let Some((_, Reverse(system))) = ready.pop() {
        order.push(Placed { system, ahead_of: ready.peek().map(|&(_, Reverse(second))| second) });
        for &released in &releases[system] {
            waits_for[released] -= 1;
            if waits_for[released] == 0 {
                ready.push(rank(released));
            }
        }
    }
    if order.len() == candidates.len() { Ok(order) } else { Err(find_cycle(candidates, &waits_for)) }
}

/// For each system, the systems that it must follow, directly or indirectly. `order` is the work order of the candidates.
pub(crate) fn closure(candidates: &[Candidate], order: &[Placed]) -> Vec<Vec<bool>> {
    let mut follows = vec![vec![false; candidates.len()]; candidates.len()];
    for placed in order {
        for &earlier in &candidates[placed.system].after {
            let inherited = follows[earlier].clone();
            let own = &mut follows[placed.system];
            own.iter_mut().zip(inherited).for_each(|(own, inherited)| *own |= inherited);
            own[earlier] = true;
        }
    }
    follows
}

/// Follows unmet dependencies from a system that waits until a system repeats.
fn find_cycle(candidates: &[Candidate], waits_for: &[usize]) -> Vec<usize> {
    let still_waits = |system: usize| waits_for[system] > 0;
    let mut path: Vec<usize> = Vec::new();
    let mut current = (0..candidates.len()).find(|&s| still_waits(s)).expect("a system waits, since there is no order");
    loop {
        if let Some(start) = path.iter().position(|&seen| seen == current) {
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

/// The systems with their dependencies as indices; `find` returns the index of a type.
///
/// # Errors
/// [`SetupError::UnknownDependency`]
pub(super) fn candidates(
    nodes: &[&SystemNode],
    find: impl Fn(TypeId) -> Option<usize>,
) -> Result<Vec<Candidate>, SetupError> {
    let mut candidates: Vec<_> =
        nodes.iter().map(|node| Candidate { priority: node.priority, after: Vec::new() }).collect();
    for (index, node) in nodes.iter().enumerate() {
        let unknown = |relation, dependency| SetupError::UnknownDependency { system: node.name, relation, dependency };
        for dependency in &node.after {
            let earlier = find(dependency.system).ok_or_else(|| unknown("after", dependency.name))?;
            candidates[index].after.push(earlier);
        }
        for dependency in &node.before {
            let later = find(dependency.system).ok_or_else(|| unknown("before", dependency.name))?;
            candidates[later].after.push(index);
        }
    }
    Ok(candidates)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn candidate(priority: u16, after: &[usize]) -> Candidate {
        Candidate { priority: Priority(priority), after: after.to_vec() }
    }

    fn systems(order: &[Placed]) -> Vec<usize> {
        order.iter().map(|placed| placed.system).collect()
    }

    #[test]
    fn priority_decides_among_the_ready_ones_only() {
        let order = work_order(&[candidate(1, &[]), candidate(9, &[0]), candidate(5, &[])]).unwrap();
        assert_eq!(systems(&order), [2, 0, 1]);
        assert_eq!(order[0].ahead_of, Some(0));
        assert_eq!(order[2].ahead_of, None);
    }

    #[test]
    fn cycle_is_found_and_begins_with_the_first() {
        let cycle = work_order(&[candidate(0, &[2]), candidate(0, &[0]), candidate(0, &[1]), candidate(0, &[0])]);
        assert_eq!(cycle, Err(vec![0, 1, 2]));
        assert_eq!(work_order(&[candidate(0, &[0])]), Err(vec![0]));
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
            match work_order(&candidates) {
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
