//! Which systems of a phase run side by side: waves, computed when systems change.
//!
//! A system is in the first wave after the waves of all systems that it must wait for: earlier systems in execution
//! order that it was declared to follow, or whose access clashes with its own. Within a wave no system touches what
//! another one writes, so running side by side gives the same world as running one after the other. Events and commands
//! are collected in execution order in both cases.

use super::order::Candidate;
use crate::query::{Access, Clash};
use crate::steps::count;

/// Systems that may run at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wave {
    /// Indices of systems, ascending.
    pub(crate) systems: Vec<usize>,
    /// Its only system takes the whole world.
    pub(crate) is_exclusive: bool,
}

/// A system of a phase, with its access in that phase.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member<'a> {
    pub(crate) system: usize,
    pub(crate) access: &'a Access,
}

/// The waves of `members`, which are in execution order. `candidates` holds the declared order.
///
/// # Complexity
/// O(n + a + d) for n systems with a accesses and d dependencies.
pub(crate) fn plan(members: &[Member<'_>], candidates: &[Candidate]) -> Vec<Wave> {
    let mut waves: Vec<Wave> = Vec::new();
    let mut declared = DeclaredOrder { candidates, first_waves: vec![None; candidates.len()], left: Vec::new() };
    let mut last_uses = LastUses::default();
    for Member { system, access } in members {
        let wave = declared.first_wave(*system).max(last_uses.first_wave(access));
        declared.first_waves[*system] = Some(wave + 1);
        last_uses.note(access, wave + 1);
        if waves.len() == wave {
            waves.push(Wave { systems: Vec::new(), is_exclusive: false });
        }
        waves[wave].systems.push(*system);
        waves[wave].is_exclusive |= access.is_exclusive;
    }
    waves.iter_mut().for_each(|wave| wave.systems.sort_unstable());
    waves
}

/// The wave behind those of all systems that a system was declared to run after, through systems of other phases and
/// borders.
struct DeclaredOrder<'a> {
    candidates: &'a [Candidate],
    /// For each candidate the first wave in which one that follows it can be, if it is known.
    first_waves: Vec<Option<usize>>,
    /// Candidates to be visited, kept for its memory.
    left: Vec<usize>,
}

impl DeclaredOrder<'_> {
    /// The first wave in which a system can be, when the systems before it have theirs.
    fn first_wave(&mut self, system: usize) -> usize {
        self.left.push(system);
        while let Some(&next) = self.left.last() {
            let after = &self.candidates[next].after;
            count(1 + after.len());
            let before = self.left.len();
            self.left.extend(after.iter().filter(|earlier| self.first_waves[**earlier].is_none()));
            if self.left.len() == before {
                let waves = after.iter().filter_map(|earlier| self.first_waves[*earlier]);
                self.first_waves[next] = Some(waves.max().unwrap_or(0));
                self.left.pop();
            }
        }
        self.first_waves[system].unwrap_or(0)
    }
}

/// For everything that systems touch, the first wave behind its uses so far.
#[derive(Default)]
struct LastUses {
    components: Uses,
    resources: Uses,
    entity_ids: Use,
    subscriptions: Use,
    world: Use,
}

/// The first waves behind the systems that read, and behind those that write.
#[derive(Clone, Copy, Default)]
struct Use {
    read: usize,
    written: usize,
}

impl Use {
    fn first_wave(self, writes: bool) -> usize {
        if writes { self.read.max(self.written) } else { self.written }
    }

    fn note(&mut self, writes: bool, behind: usize) {
        let last = if writes { &mut self.written } else { &mut self.read };
        *last = behind.max(*last);
    }
}

/// The uses of components or of resources, by their index.
#[derive(Default)]
struct Uses(Vec<Use>);

impl Uses {
    fn first_wave(&self, reads: impl Iterator<Item = u32>, writes: impl Iterator<Item = u32>) -> usize {
        let first_wave = |id: u32, writes| self.0.get(id as usize).map_or(0, |last| last.first_wave(writes));
        let (reads, writes) =
            (reads.map(|id| first_wave(id, false)).max(), writes.map(|id| first_wave(id, true)).max());
        reads.max(writes).unwrap_or(0)
    }

    fn note(&mut self, ids: impl Iterator<Item = u32>, writes: bool, behind: usize) {
        for id in ids {
            count(1);
            let id = id as usize;
            if self.0.len() <= id {
                self.0.resize(id + 1, Use::default());
            }
            self.0[id].note(writes, behind);
        }
    }
}

impl LastUses {
    /// The wave behind those of all systems so far that clash with `access`.
    fn first_wave(&self, access: &Access) -> usize {
        let Access { reads, writes, resource_reads, resource_writes, .. } = access;
        let components = self.components.first_wave(reads.iter().map(|id| id.0), writes.iter().map(|id| id.0));
        let resources =
            self.resources.first_wave(resource_reads.iter().map(|id| id.0), resource_writes.iter().map(|id| id.0));
        let looks_at_ids = access.spawns || access.reads_entities;
        let ids = if looks_at_ids { self.entity_ids.first_wave(access.spawns) } else { 0 };
        let subscriptions = if access.changes_subscriptions { self.subscriptions.written } else { 0 };
        [components, resources, ids, subscriptions, self.world.first_wave(access.is_exclusive)]
            .into_iter()
            .max()
            .unwrap_or(0)
    }

    /// Notes what a system uses, when the next wave is `behind` its own.
    fn note(&mut self, access: &Access, behind: usize) {
        self.components.note(access.reads.iter().map(|id| id.0), false, behind);
        self.components.note(access.writes.iter().map(|id| id.0), true, behind);
        self.resources.note(access.resource_reads.iter().map(|id| id.0), false, behind);
        self.resources.note(access.resource_writes.iter().map(|id| id.0), true, behind);
        if access.spawns || access.reads_entities {
            self.entity_ids.note(access.spawns, behind);
        }
        self.subscriptions.note(access.changes_subscriptions, behind);
        self.world.note(access.is_exclusive, behind);
    }
}

/// All reasons why `later` cannot run beside `earlier`, which comes first in execution order. `follows(a, b)` tells
/// whether `a` was declared to run after `b`, directly or indirectly.
pub(crate) fn clashes<'a, F: Fn(usize, usize) -> bool>(
    later: Member<'a>,
    earlier: Member<'a>,
    follows: F,
) -> impl Iterator<Item = Clash> + use<'a, F> {
    let order = follows(later.system, earlier.system).then_some(Clash::Order);
    later.access.clashes(earlier.access).chain(order)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::component::ComponentId;
    use crate::query::{Access, Clash};
    use crate::resources::ResourceId;
    use crate::system::Priority;

    fn access(reads: &[u32], writes: &[u32]) -> Access {
        let set = |ids: &[u32]| ids.iter().map(|&id| ComponentId(id)).collect();
        let mut access = Access::new();
        (access.reads, access.writes) = (set(reads), set(writes));
        access
    }

    fn members(accesses: &[Access]) -> Vec<Member<'_>> {
        accesses.iter().enumerate().map(|(system, access)| Member { system, access }).collect()
    }

    /// Candidates of which each follows some others.
    fn candidates(count: usize, follows: impl Fn(usize, usize) -> bool) -> Vec<Candidate> {
        let after = |later| (0..later).filter(|earlier| follows(later, *earlier)).collect();
        let candidate = |later| {
            let mut candidate = Candidate::new(Priority::NORMAL);
            candidate.after = after(later);
            candidate
        };
        (0..count).map(candidate).collect()
    }

    fn waves(plan: &[Wave]) -> Vec<Vec<usize>> {
        plan.iter().map(|wave| wave.systems.clone()).collect()
    }

    #[test]
    fn readers_share_a_wave_and_a_writer_waits() {
        let accesses = [access(&[1], &[]), access(&[1], &[2]), access(&[], &[1]), access(&[9], &[])];
        let members = members(&accesses);
        assert_eq!(waves(&plan(&members, &candidates(4, |_, _| false))), [vec![0, 1, 3], vec![2]]);
        let clashes = |later: usize, earlier: usize| clashes(members[later], members[earlier], |_, _| false);
        assert!(clashes(2, 0).eq([Clash::Component(ComponentId(1))]));
        assert!(clashes(3, 2).eq([]));
    }

    #[test]
    fn declared_order_is_kept_without_a_clash() {
        let accesses = [access(&[], &[]), access(&[], &[])];
        let members = members(&accesses);
        assert_eq!(waves(&plan(&members, &candidates(2, |_, _| true))), [vec![0], vec![1]]);
    }

    #[test]
    fn declared_order_is_kept_through_systems_of_other_phases() {
        let accesses = [access(&[], &[]), access(&[], &[])];
        let members = [Member { system: 0, access: &accesses[0] }, Member { system: 5, access: &accesses[1] }];
        let candidates = candidates(6, |later, earlier| later == earlier + 1);
        assert_eq!(waves(&plan(&members, &candidates)), [vec![0], vec![5]]);
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
            let members = members(&accesses);
            let follows = |later: usize, earlier: usize| declared.contains(&(later, earlier));
            let waves = plan(&members, &candidates(members.len(), follows));
            let wave_of = |system: usize| waves.iter().position(|wave| wave.systems.contains(&system)).unwrap();
            for later in &members {
                let mut earliest = 0;
                for earlier in &members[..later.system] {
                    let mut expected = expected(later.access, earlier.access);
                    expected.extend(follows(later.system, earlier.system).then_some(Clash::Order));
                    let told: Vec<_> = clashes(*later, *earlier, follows).collect();
                    prop_assert!(expected.iter().all(|clash| told.contains(clash)), "{:?}, {:?}", told, expected);
                    prop_assert_eq!(told.len(), expected.len());
                    if !expected.is_empty() {
                        earliest = earliest.max(wave_of(earlier.system) + 1);
                    }
                }
                prop_assert_eq!(wave_of(later.system), earliest);
            }
            prop_assert_eq!(waves.iter().map(|wave| wave.systems.len()).sum::<usize>(), members.len());
            for wave in &waves {
                let is_exclusive = wave.systems.iter().any(|&system| members[system].access.is_exclusive);
                prop_assert_eq!(wave.is_exclusive, is_exclusive);
                prop_assert!(!is_exclusive || wave.systems.len() == 1);
            }
        }
    }
}
