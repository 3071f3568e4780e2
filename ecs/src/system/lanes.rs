//! Which listeners wait for each other: lanes, computed when systems change.
//!
//! A listener can observe the order of its own events, and of what it touches and another listener writes. Listeners
//! for which that order matters share a lane, which delivers to them event by event. Lanes do not wait for each other.

use crate::event::IN_LINE;
use crate::query::{Access, Used};
use crate::steps::count;

/// The lanes of listening systems.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Lanes {
    /// For each system its lane; [`IN_LINE`] for those without one.
    pub(crate) of_systems: Vec<u32>,
    /// Number of lanes.
    pub(crate) len: usize,
}

impl Lanes {
    /// The lane of a system, if it has one.
    pub(crate) fn of(&self, system: usize) -> Option<u32> {
        self.of_systems.get(system).copied().filter(|lane| *lane != IN_LINE)
    }
}

/// What the systems touch: the first one that touches it, and whether one of them writes it.
#[derive(Clone, Copy, Default)]
struct Users {
    first: Option<usize>,
    is_written: bool,
}

/// The users of each component, of each resource, and of the entity ids.
#[derive(Default)]
struct Uses {
    components: Vec<Users>,
    resources: Vec<Users>,
    entity_ids: Users,
}

impl Uses {
    fn of(&mut self, used: Used) -> &mut Users {
        let (list, index) = match used {
            Used::Component(id) => (&mut self.components, id.0 as usize),
            Used::Resource(id) => (&mut self.resources, id.0 as usize),
            Used::EntityIds => return &mut self.entity_ids,
        };
        if list.len() <= index {
            list.resize(index + 1, Users::default());
        }
        &mut list[index]
    }
}

/// Sets of systems that share a lane: each system leads to an earlier one of its lane, or to itself.
struct Joined(Vec<usize>);

impl Joined {
    fn first_of(&mut self, mut system: usize) -> usize {
        while self.0[system] != system {
            self.0[system] = self.0[self.0[system]];
            system = self.0[system];
        }
        system
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first_of(one), self.first_of(other));
        self.0[one.max(other)] = one.min(other);
    }
}

/// The lanes of systems, each with what its listeners touch, or `None` if they keep the order of all events or there
/// are none.
///
/// # Complexity
/// O(n + a α(n)) for n systems with a accesses, where α is the inverse of Ackermann's function.
pub(crate) fn lanes<'a, L>(systems: &[Option<L>]) -> Lanes
where
    L: Iterator<Item = &'a Access> + Clone,
{
    let all = || {
        let systems = systems.iter().enumerate().filter_map(|(system, accesses)| Some((system, accesses.clone()?)));
        systems.flat_map(|(system, accesses)| accesses.flat_map(Access::uses).map(move |used| (system, used)))
    };
    let mut uses = Uses::default();
    for (_, (used, writes)) in all() {
        count(1);
        uses.of(used).is_written |= writes;
    }
    let mut joined = Joined((0..systems.len()).collect());
    for (system, (used, _)) in all() {
        count(1);
        let users = uses.of(used);
        if users.is_written {
            joined.join(*users.first.get_or_insert(system), system);
        }
    }
    let mut lanes = Lanes { of_systems: vec![IN_LINE; systems.len()], len: 0 };
    for (system, accesses) in systems.iter().enumerate() {
        if accesses.is_some() {
            // It is in a lane already, unless it is the system itself.
            let first = joined.first_of(system);
            if first == system {
                lanes.of_systems[system] = lanes.len as u32;
                lanes.len += 1;
            }
            lanes.of_systems[system] = lanes.of_systems[first];
        }
    }
    lanes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::component::ComponentId;
    use crate::resources::ResourceId;

    /// An access as it is, and whether the system is in line.
    fn any_listener() -> impl Strategy<Value = (Access, bool)> {
        let some = || prop::collection::btree_set(0_u32..9, 0..2);
        let rarely = || prop::bool::weighted(0.1);
        ((some(), some()), (some(), some()), (rarely(), rarely(), rarely())).prop_map(
            |((reads, writes), (resource_reads, resource_writes), (spawns, reads_entities, is_in_line))| {
                let mut access = Access::new();
                access.reads = reads.into_iter().map(ComponentId).collect();
                access.writes = writes.into_iter().map(ComponentId).collect();
                access.resource_reads = resource_reads.into_iter().map(ResourceId).collect();
                access.resource_writes = resource_writes.into_iter().map(ResourceId).collect();
                (access.spawns, access.reads_entities) = (spawns, reads_entities);
                (access, is_in_line)
            },
        )
    }

    proptest! {
        /// Two share a lane if, and only if, a chain of clashes leads from one to the other.
        #[test]
        fn lanes_are_the_parts_that_clash(listeners in prop::collection::vec(any_listener(), 0..12)) {
            let systems: Vec<_> = listeners.iter().map(|(access, is_in_line)| (!is_in_line).then(|| [access].into_iter())).collect();
            let lanes = lanes(&systems);
            let mut expected: Vec<usize> = (0..listeners.len()).collect();
            for _ in &listeners {
                for one in 0..listeners.len() {
                    for other in 0..listeners.len() {
                        let are_laned = !listeners[one].1 && !listeners[other].1;
                        if are_laned && listeners[one].0.clashes(&listeners[other].0).next().is_some() {
                            let first = expected[one].min(expected[other]);
                            (expected[one], expected[other]) = (first, first);
                        }
                    }
                }
            }
            for one in 0..listeners.len() {
                prop_assert_eq!(lanes.of_systems[one] == IN_LINE, listeners[one].1);
                prop_assert!(listeners[one].1 || (lanes.of_systems[one] as usize) < lanes.len);
                for other in 0..listeners.len() {
                    if !listeners[one].1 && !listeners[other].1 {
                        let share = lanes.of_systems[one] == lanes.of_systems[other];
                        prop_assert_eq!(share, expected[one] == expected[other], "{} and {}", one, other);
                    }
                }
            }
        }
    }
}
