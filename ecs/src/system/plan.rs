//! Which systems of a phase run side by side: waves, worked out when systems change and not while they run.
//!
//! A system is in the first wave in which everybody is done whom it must wait for: earlier systems in work order that it
//! was declared to follow, or that touch something in a way that clashes. Within a wave nobody touches what another one
//! writes, so that running side by side gives the same world as running one after the other; what is sent and asked for is
//! joined in work order in either case.

use super::access::{Access, Clash};

/// Systems that may run at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wave {
    /// Places in the list of systems, ascending.
    pub(crate) systems: Vec<usize>,
    /// A system that takes the whole world, and is alone.
    pub(crate) is_exclusive: bool,
}

/// A system of the phase, as the plan sees it.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) system: usize,
    pub(crate) access: Access,
}

/// The waves of a phase.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) waves: Vec<Wave>,
    /// For each member the earlier one that it waits for last, and what keeps the two apart.
    pub(crate) waits: Vec<(usize, usize, Clash)>,
}

/// Works out the waves of `members`, which stand in work order. `follows(a, b)` tells whether `a` was declared to run after
/// `b`, directly or by others. O(n²) for n members.
pub(crate) fn plan(members: &[Member], follows: impl Fn(usize, usize) -> bool) -> Plan {
    let mut plan = Plan::default();
    let mut levels: Vec<usize> = Vec::with_capacity(members.len());
    for (index, member) in members.iter().enumerate() {
        let mut level = 0;
        let mut waits = None;
        for (earlier, other) in members[..index].iter().enumerate() {
            let clash = member.access.clash(&other.access);
            let clash = clash.or_else(|| follows(member.system, other.system).then_some(Clash::Order));
            if let Some(clash) = clash
                && levels[earlier] + 1 > level
            {
                level = levels[earlier] + 1;
                waits = Some((member.system, other.system, clash));
            }
        }
        levels.push(level);
        plan.waits.extend(waits);
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
    use proptest::prelude::*;

    use super::*;
    use crate::component::ComponentId;

    fn member(system: usize, reads: &[u32], writes: &[u32]) -> Member {
        let set = |ids: &[u32]| ids.iter().map(|&id| ComponentId(id)).collect();
        let mut access = Access::default();
        (access.reads, access.writes) = (set(reads), set(writes));
        Member { system, access }
    }

    fn waves(plan: &Plan) -> Vec<Vec<usize>> {
        plan.waves.iter().map(|wave| wave.systems.clone()).collect()
    }

    #[test]
    fn readers_share_a_wave_and_a_writer_waits() {
        let members = [member(0, &[1], &[]), member(1, &[1], &[2]), member(2, &[], &[1]), member(3, &[9], &[])];
        let plan = plan(&members, |_, _| false);
        assert_eq!(waves(&plan), [vec![0, 1, 3], vec![2]]);
        assert_eq!(plan.waits, [(2, 0, Clash::Component(ComponentId(1)))]);
    }

    #[test]
    fn declared_order_is_kept_without_a_clash() {
        let members = [member(5, &[], &[]), member(4, &[], &[])];
        assert_eq!(waves(&plan(&members, |a, b| (a, b) == (4, 5))), [vec![5], vec![4]]);
    }

    proptest! {
        /// Random systems: nobody clashes within a wave, and who clashes keeps the work order.
        #[test]
        fn waves_are_sound(systems in prop::collection::vec((prop::collection::vec(0_u32..6, 0..3), prop::collection::vec(0_u32..6, 0..2)), 1..25)) {
            let members: Vec<_> = systems.iter().enumerate().map(|(at, (reads, writes))| member(at, reads, writes)).collect();
            let plan = plan(&members, |_, _| false);
            let wave_of = |system: usize| plan.waves.iter().position(|wave| wave.systems.contains(&system)).unwrap();
            for a in &members {
                for b in &members[..a.system] {
                    if a.access.clash(&b.access).is_some() {
                        prop_assert!(wave_of(b.system) < wave_of(a.system));
                    }
                }
            }
            prop_assert_eq!(plan.waves.iter().map(|wave| wave.systems.len()).sum::<usize>(), members.len());
        }
    }
}
