//! Which systems of a phase run side by side: waves, computed when systems change.
//!
//! A system is in the first wave after the waves of all systems that it must wait for: earlier systems in execution order that it was
//! declared to follow, or whose access clashes with its own. Within a wave no system touches what another one writes, so
//! running side by side gives the same world as running one after the other. Events and commands are collected in execution order
//! in both cases.

use std::ops::Range;

use crate::query::{Access, Clash};

/// Systems that may run at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wave {
    /// Indices of systems, ascending.
    pub(crate) systems: Vec<usize>,
    /// Its only system takes the whole world.
    pub(crate) is_exclusive: bool,
}

/// A system of a phase, with its access in that phase.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) system: usize,
    pub(crate) access: Access,
}

/// The waves of a phase.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) waves: Vec<Wave>,
    /// The sets with a fixed step, in execution order.
    pub(crate) blocks: Vec<Block>,
}

/// The systems of a set with a fixed step in one phase. No other system is in their waves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) set: usize,
    /// Its place in the execution order of the phase.
    pub(crate) systems: Range<usize>,
    /// Its place in the waves of the phase.
    pub(crate) waves: Range<usize>,
}

/// The waves of `members` as [`plan`], with those of each block apart. `block_of` returns the set with a fixed step of a system.
pub(crate) fn plan_with_blocks(
    members: &[Member],
    follows: impl Fn(usize, usize) -> bool,
    block_of: impl Fn(usize) -> Option<usize>,
) -> Plan {
    let mut all = Plan::default();
    let mut begin = 0;
    for part in members.chunk_by(|one, next| block_of(one.system) == block_of(next.system)) {
        let first_wave = all.waves.len();
        all.waves.extend(plan(part, &follows).waves);
        let systems = begin..begin + part.len();
        begin = systems.end;
        if let Some(set) = block_of(part[0].system) {
            all.blocks.push(Block { set, systems, waves: first_wave..all.waves.len() });
        }
    }
    all
}

/// All reasons why `later` cannot run beside `earlier`, which comes first in execution order. For `follows` see [`plan`].
pub(crate) fn clashes<'a, F: Fn(usize, usize) -> bool>(
    later: &'a Member,
    earlier: &'a Member,
    follows: F,
) -> impl Iterator<Item = Clash> + use<'a, F> {
    let order = follows(later.system, earlier.system).then_some(Clash::Order);
    later.access.clashes(&earlier.access).chain(order)
}

/// The waves of `members`, which are in execution order. `follows(a, b)` tells whether `a` was declared to run after `b`, directly
/// or indirectly. O(n²) for n members.
pub(crate) fn plan(members: &[Member], follows: impl Fn(usize, usize) -> bool) -> Plan {
    let mut plan = Plan::default();
    let mut levels: Vec<usize> = Vec::with_capacity(members.len());
    for (index, member) in members.iter().enumerate() {
        let earlier = members[..index].iter().zip(&levels);
        let waited_for = earlier.filter(|(other, _)| clashes(member, other, &follows).next().is_some());
        let level = waited_for.map(|(_, level)| level + 1).max().unwrap_or(0);
        levels.push(level);
        if plan.waves.len() == level {
            plan.waves.push(Wave { systems: Vec::new(), is_exclusive: false });
        }
        plan.waves[level].systems.push(member.system);
        plan.waves[level].is_exclusive |= member.access.is_exclusive;
    }
    for wave in &mut plan.waves {
        wave.systems.sort_unstable();
    }
    plan
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::component::ComponentId;
    use crate::query::{Access, Clash};
    use crate::resources::ResourceId;

    fn member(system: usize, reads: &[u32], writes: &[u32]) -> Member {
        let set = |ids: &[u32]| ids.iter().map(|&id| ComponentId(id)).collect();
        let mut access = Access::new();
        (access.reads, access.writes) = (set(reads), set(writes));
        Member { system, access }
    }

    fn waves(plan: &Plan) -> Vec<Vec<usize>> {
        plan.waves.iter().map(|wave| wave.systems.clone()).collect()
    }

    #[test]
    fn readers_share_a_wave_and_a_writer_waits() {
        let members = [member(0, &[1], &[]), member(1, &[1], &[2]), member(2, &[], &[1]), member(3, &[9], &[])];
        assert_eq!(waves(&plan(&members, |_, _| false)), [vec![0, 1, 3], vec![2]]);
        let clashes = |later: usize, earlier: usize| clashes(&members[later], &members[earlier], |_, _| false);
        assert!(clashes(2, 0).eq([Clash::Component(ComponentId(1))]));
        assert!(clashes(3, 2).eq([]));
    }

    #[test]
    fn declared_order_is_kept_without_a_clash() {
        let members = [member(5, &[], &[]), member(4, &[], &[])];
        assert_eq!(waves(&plan(&members, |a, b| (a, b) == (4, 5))), [vec![5], vec![4]]);
    }

    fn any_access() -> impl Strategy<Value = Access> {
        let some = |most| prop::collection::btree_set(0_u32..6, 0..most);
        let rarely = || prop::bool::weighted(0.1);
        let components = (some(3), some(3));
        let resources = (some(3), some(3));
        (components, resources, (rarely(), rarely(), rarely(), prop::bool::weighted(0.05))).prop_map(
            |((reads, writes), (resource_reads, resource_writes), (spawns, reads_entities, subscribes, exclusive))| {
                let components = |ids: BTreeSet<u32>| ids.into_iter().map(ComponentId).collect();
                let resources = |ids: BTreeSet<u32>| ids.into_iter().map(ResourceId).collect();
                let mut access = if exclusive { Access::exclusive() } else { Access::new() };
                access.reads = components(reads);
                access.writes = components(writes);
                access.resource_reads = resources(resource_reads);
                access.resource_writes = resources(resource_writes);
                (access.spawns, access.reads_entities) = (spawns, reads_entities);
                access.changes_subscriptions = subscribes;
                access
            },
        )
    }

    /// The expected clashes, by the rule that one writes what the other touches.
    fn expected(a: &Access, b: &Access) -> Vec<Clash> {
        if a.is_exclusive || b.is_exclusive {
            return vec![Clash::World];
        }
        let one_way = |writer: &Access, other: &Access, clash: Clash| match clash {
            Clash::Component(id) => {
                writer.writes.contains(id) && (other.reads.contains(id) || other.writes.contains(id))
            }
            Clash::Resource(id) => {
                let of_other = [&other.resource_reads, &other.resource_writes];
                writer.resource_writes.contains(&id) && of_other.into_iter().any(|list| list.contains(&id))
            }
            Clash::EntityIds => writer.spawns && (other.spawns || other.reads_entities),
            Clash::Subscriptions => writer.changes_subscriptions && other.changes_subscriptions,
            Clash::World | Clash::Order => false,
        };
        let components = (0..6).map(|id| Clash::Component(ComponentId(id)));
        let resources = (0..6).map(|id| Clash::Resource(ResourceId(id)));
        let all = components.chain(resources).chain([Clash::EntityIds, Clash::Subscriptions]);
        all.filter(|clash| one_way(a, b, *clash) || one_way(b, a, *clash)).collect()
    }

    proptest! {
        /// Each system is in the first possible wave, and each reason is told once.
        #[test]
        fn waves_are_sound_and_as_early_as_can_be(
            accesses in prop::collection::vec(any_access(), 1..25),
            declared in prop::collection::btree_set((0_usize..25, 0_usize..25), 0..20),
        ) {
            let members: Vec<_> =
                accesses.into_iter().enumerate().map(|(system, access)| Member { system, access }).collect();
            let follows = |later: usize, earlier: usize| declared.contains(&(later, earlier));
            let plan = plan(&members, follows);
            let wave_of = |system: usize| plan.waves.iter().position(|wave| wave.systems.contains(&system)).unwrap();
            for later in &members {
                let mut earliest = 0;
                for earlier in &members[..later.system] {
                    let mut expected = expected(&later.access, &earlier.access);
                    expected.extend(follows(later.system, earlier.system).then_some(Clash::Order));
                    let told: Vec<_> = clashes(later, earlier, follows).collect();
                    prop_assert!(expected.iter().all(|clash| told.contains(clash)), "{:?}, {:?}", told, expected);
                    prop_assert_eq!(told.len(), expected.len());
                    if !expected.is_empty() {
                        earliest = earliest.max(wave_of(earlier.system) + 1);
                    }
                }
                prop_assert_eq!(wave_of(later.system), earliest);
            }
            prop_assert_eq!(plan.waves.iter().map(|wave| wave.systems.len()).sum::<usize>(), members.len());
            for wave in &plan.waves {
                let is_exclusive = wave.systems.iter().any(|&system| members[system].access.is_exclusive);
                prop_assert_eq!(wave.is_exclusive, is_exclusive);
                prop_assert!(!is_exclusive || wave.systems.len() == 1);
            }
        }
    }
}
