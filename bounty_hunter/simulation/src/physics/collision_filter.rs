//! Collision filters: bodies that pass through others, and groups of bodies that pass through each other. Their
//! contacts are dropped before they take effect.

use rapier2d::geometry::SolverFlags;
use rapier2d::pipeline::{PairFilterContext, PhysicsHooks};

use super::body::{BodyHandle, BodyKey};
use super::contacts::Label;

/// Some bodies (ghosts), and the bodies that each of them passes through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollisionFilter {
    /// The ghosts, in any order.
    pub ghosts: Vec<(BodyKey, BodyHandle)>,
    /// The bodies they pass through, in any order; ghosts may be among them.
    pub ignored: Vec<BodyKey>,
}

impl CollisionFilter {
    /// Empties the filter; keeps its memory.
    pub fn clear(&mut self) {
        self.ghosts.clear();
        self.ignored.clear();
    }

    /// Sorts both lists for binary search.
    pub(super) fn sort(&mut self) {
        self.ghosts.sort_unstable();
        self.ignored.sort_unstable();
    }

    /// Whether `body` is a ghost of this filter; the lists must be sorted. O(log n).
    fn has_ghost(&self, body: BodyKey) -> bool {
        self.ghosts.binary_search_by_key(&body, |(ghost, _)| *ghost).is_ok()
    }

    fn lets_through(&self, body: BodyKey, other: BodyKey) -> bool {
        self.has_ghost(body) && self.ignored.binary_search(&other).is_ok()
    }
}

/// A body of a group, the members of which pass through each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupMember {
    /// The body, as contacts name it.
    pub key: BodyKey,
    /// The body, as the physics finds it.
    pub body: BodyHandle,
    /// Bodies with the same number pass through each other.
    pub group: u32,
}

/// All filters of a step. Rapier asks them about pairs in which one collider has active hooks.
#[derive(Clone, Default)]
pub(super) struct CollisionFilters {
    pub(super) lists: Vec<CollisionFilter>,
    /// Sorted, so by key.
    pub(super) members: Vec<GroupMember>,
}

impl CollisionFilters {
    /// Whether rapier must ask about a body. O(log n) for each list.
    pub(super) fn concern(&self, body: BodyKey) -> bool {
        self.group_of(body).is_some() || self.lists.iter().any(|filter| filter.has_ghost(body))
    }

    /// All bodies about which rapier must ask.
    pub(super) fn concerned(&self) -> impl Iterator<Item = (BodyKey, BodyHandle)> + '_ {
        let ghosts = self.lists.iter().flat_map(|filter| &filter.ghosts).copied();
        ghosts.chain(self.members.iter().map(|member| (member.key, member.body)))
    }

    fn group_of(&self, body: BodyKey) -> Option<u32> {
        let index = self.members.binary_search_by_key(&body, |member| member.key).ok()?;
        Some(self.members[index].group)
    }

    fn group_both(&self, one: BodyKey, other: BodyKey) -> bool {
        self.group_of(one).is_some_and(|group| self.group_of(other) == Some(group))
    }

    /// Whether one of two bodies passes through the other.
    pub(super) fn let_through(&self, one: BodyKey, other: BodyKey) -> bool {
        let by_list = |filter: &CollisionFilter| filter.lets_through(one, other) || filter.lets_through(other, one);
        self.lists.iter().any(by_list) || self.group_both(one, other)
    }
}

impl PhysicsHooks for CollisionFilters {
    fn filter_contact_pair(&self, context: &PairFilterContext) -> Option<SolverFlags> {
        let key = |handle| Some(Label::unpack(context.colliders.get(handle)?.user_data).key);
        let is_let_through =
            key(context.collider1).zip(key(context.collider2)).is_some_and(|(one, other)| self.let_through(one, other));
        (!is_let_through).then(SolverFlags::default)
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::super::{Category, ContactKind, Physics, Pose};
    use super::*;

    const GHOST: BodyKey = BodyKey(7);
    const OTHER: BodyKey = BodyKey(3);
    const STASH: BodyKey = BodyKey(9);

    /// A collector that drives towards another one with a stash behind it, with the filters of each step. Returns the
    /// final positions of both and their contacts.
    fn drive(
        steps: usize,
        mut filters: impl FnMut(usize, BodyHandle) -> Vec<CollisionFilter>,
    ) -> ([Vec2; 2], Vec<ContactKind>) {
        let mut physics = Physics::new(1.0 / 60.0);
        let ghost = physics.add_collector(GHOST, Pose::at(0.0, 0.0), 1.0, 1.0);
        let other = physics.add_collector(OTHER, Pose::at(0.0, 4.0), 1.0, 1.0);
        physics.add_stash(STASH, Pose::at(0.0, 9.0), 1.0);
        let mut met = Vec::new();
        for step in 0..steps {
            physics.set_velocity(ghost, Vec2::new(0.0, 6.0), 0.0);
            physics.exchange_filters(&mut filters(step, ghost));
            physics.step();
            met.extend(physics.contacts().iter().filter(|contact| contact.a == OTHER).map(|contact| contact.kind));
        }
        ([ghost, other].map(|body| physics.pose(body).expect("the body is there").position), met)
    }

    fn through(ghost: BodyHandle, ignored: &[BodyKey]) -> Vec<CollisionFilter> {
        vec![CollisionFilter { ghosts: vec![(GHOST, ghost)], ignored: ignored.to_vec() }]
    }

    #[test]
    fn solid_body_pushes_the_other_away() {
        let ([_, other], met) = drive(90, |_, _| Vec::new());
        assert_eq!(met.first(), Some(&ContactKind::Begin));
        assert!(other.y > 5.0);
    }

    #[test]
    fn ghost_neither_touches_nor_pushes_nor_slows_down() {
        let ([ghost, other], met) = drive(90, |_, ghost| through(ghost, &[STASH, GHOST, OTHER]));
        assert_eq!(met, []);
        assert_eq!(other, Vec2::new(0.0, 4.0));
        assert!((ghost.y - 9.0).abs() < 1e-3);
    }

    #[test]
    fn filter_works_for_both_bodies_of_a_pair() {
        let mut physics = Physics::new(1.0 / 60.0);
        let still = physics.add_collector(OTHER, Pose::at(0.0, 1.0), 1.0, 1.0);
        let mover = physics.add_collector(GHOST, Pose::at(0.0, 0.0), 1.0, 1.0);
        for (key, body, other) in [(OTHER, still, GHOST), (GHOST, mover, OTHER)] {
            physics.exchange_filters(&mut vec![CollisionFilter { ghosts: vec![(key, body)], ignored: vec![other] }]);
            physics.step();
            assert_eq!(physics.contacts(), []);
        }
    }

    #[test]
    fn bodies_of_one_group_pass_through_each_other_only_and_a_group_can_end() {
        let mut physics = Physics::new(1.0 / 60.0);
        let keys = [1, 2, 3, 4].map(BodyKey);
        let bodies = keys.map(|key| physics.add_collector(key, Pose::at(0.0, 0.0), 1.0, 1.0));
        let member = |index: usize, group| GroupMember { key: keys[index], body: bodies[index], group };
        // The fourth one is in no group.
        physics.exchange_groups(&mut vec![member(2, 8), member(1, 7), member(0, 7)]);
        physics.step();
        let met = |physics: &Physics, kind| {
            let met = physics.contacts().iter().filter(|contact| contact.kind == kind);
            met.map(|contact| (contact.a.0, contact.b.0)).collect::<Vec<_>>()
        };
        assert_eq!(met(&physics, ContactKind::Begin), [(1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]);
        for (body, x) in bodies.into_iter().zip([0.0, 0.5, 90.0, 120.0]) {
            physics.set_pose(body, Pose::at(x, 0.0));
        }
        physics.exchange_groups(&mut Vec::new());
        physics.step();
        assert_eq!(met(&physics, ContactKind::Begin), [(1, 2)]);
    }

    #[test]
    fn ghost_touches_bodies_that_it_does_not_ignore() {
        let mut physics = Physics::new(1.0 / 60.0);
        let ghost = physics.add_collector(GHOST, Pose::at(0.0, 0.0), 1.0, 1.0);
        physics.add_stash(STASH, Pose::at(0.0, 0.0), 1.0);
        physics.exchange_filters(&mut through(ghost, &[OTHER]));
        physics.step();
        assert_eq!(physics.contacts().iter().map(|contact| contact.category_b).collect::<Vec<_>>(), [Category::Stash]);
    }

    #[test]
    fn contact_ends_with_a_filter_and_begins_again_without_it() {
        let (_, met) =
            drive(24, |step, ghost| if (22..23).contains(&step) { through(ghost, &[OTHER]) } else { vec![] });
        assert_eq!(met, [ContactKind::Begin, ContactKind::End, ContactKind::Begin]);
    }
}
