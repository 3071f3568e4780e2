//! Interpolation of moving objects between the last two steps.

use std::f32::consts::{PI, TAU};

use glam::Vec2;

use bounty_hunter_simulation::simulation::view::{BountyView, CollectorView, ObjectView, View};

/// The moving objects at a moment between two steps. Reuses its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blend {
    pub(crate) collectors: Vec<CollectorView>,
    pub(crate) bounties: Vec<BountyView>,
    pub(crate) objects: Vec<ObjectView>,
}

impl Blend {
    /// Takes the objects of `current`, placed between `previous` (`alpha` 0) and `current` (`alpha` 1). New and
    /// teleported objects have the place in `current`. Both views must be sorted by key.
    pub(crate) fn update(&mut self, previous: &View, current: &View, alpha: f32) {
        let place =
            |from: (Vec2, f32), to: (Vec2, f32)| (from.0.lerp(to.0, alpha), between_angles(from.1, to.1, alpha));
        let share = |from: f32, to: f32| from + (to - from) * alpha;
        self.collectors.clear();
        let pairs = Merge::new(&previous.collectors, &current.collectors, |collector| collector.key);
        self.collectors.extend(pairs.map(|(from, to)| {
            let Some(from) = from.filter(|_| !to.teleported) else { return *to };
            let (position, heading) = place((from.position, from.heading), (to.position, to.heading));
            CollectorView { position, heading, fullness: share(from.fullness, to.fullness), ..*to }
        }));
        self.bounties.clear();
        let pairs = Merge::new(&previous.bounties, &current.bounties, |bounty| bounty.key);
        self.bounties.extend(pairs.map(|(from, to)| {
            let Some(from) = from.filter(|_| !to.teleported) else { return *to };
            let (position, heading) = place((from.position, from.heading), (to.position, to.heading));
            BountyView { position, heading, alpha: share(from.alpha, to.alpha), ..*to }
        }));
        self.objects.clear();
        let pairs = Merge::new(&previous.objects, &current.objects, |object| object.key);
        self.objects.extend(pairs.map(|(from, to)| {
            let Some(from) = from.filter(|_| !to.teleported) else { return *to };
            let (position, heading) = place((from.position, from.heading), (to.position, to.heading));
            ObjectView { position, heading, alpha: share(from.alpha, to.alpha), ..*to }
        }));
    }
}

/// Pairs each item of `current` with the item of `previous` that has the same key; both are sorted by key.
pub(crate) struct Merge<'a, T, K> {
    previous: &'a [T],
    current: std::slice::Iter<'a, T>,
    key: K,
}

impl<'a, T, K: Fn(&T) -> u64> Merge<'a, T, K> {
    pub(crate) fn new(previous: &'a [T], current: &'a [T], key: K) -> Self {
        Self { previous, current: current.iter(), key }
    }
}

impl<'a, T, K: Fn(&T) -> u64> Iterator for Merge<'a, T, K> {
    type Item = (Option<&'a T>, &'a T);

    fn next(&mut self) -> Option<Self::Item> {
        let to = self.current.next()?;
        let key = (self.key)(to);
        while self.previous.first().is_some_and(|from| (self.key)(from) < key) {
            self.previous = &self.previous[1..];
        }
        Some((self.previous.first().filter(|from| (self.key)(from) == key), to))
    }
}

/// Interpolates two angles along the shorter way.
pub(crate) fn between_angles(from: f32, to: f32, alpha: f32) -> f32 {
    let turn = (to - from + PI).rem_euclid(TAU) - PI;
    from + turn * alpha
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::sample;

    fn collector(key: u64, x: f32, heading: f32) -> CollectorView {
        CollectorView { position: Vec2::new(x, 0.0), heading, ..sample::collector(key) }
    }

    fn view(collectors: &[CollectorView]) -> View {
        View { collectors: collectors.to_vec(), ..View::empty() }
    }

    fn blended(previous: &View, current: &View, alpha: f32) -> Vec<CollectorView> {
        let mut blend = Blend::default();
        blend.update(previous, current, alpha);
        blend.collectors
    }

    #[test]
    fn collector_is_drawn_between_its_two_places() {
        let drawn = blended(&view(&[collector(1, 2.0, 0.0)]), &view(&[collector(1, 6.0, 1.0)]), 0.25);
        assert_eq!(drawn[0].position.x, 3.0);
        assert!((drawn[0].heading - 0.25).abs() < 1e-6);
    }

    #[test]
    fn alpha_0_and_1_are_the_two_views() {
        let (previous, current) = (view(&[collector(1, 2.0, 0.5)]), view(&[collector(1, 6.0, 0.75)]));
        assert_eq!(blended(&previous, &current, 0.0), previous.collectors);
        assert_eq!(blended(&previous, &current, 1.0), current.collectors);
    }

    #[test]
    fn teleported_collector_stands_at_its_new_place() {
        let jumped = CollectorView { teleported: true, ..collector(1, 70.0, 0.0) };
        let drawn = blended(&view(&[collector(1, -70.0, 0.0)]), &view(&[jumped]), 0.5);
        assert_eq!(drawn[0].position.x, 70.0);
    }

    #[test]
    fn objects_are_paired_by_key_when_some_come_and_go() {
        let previous = view(&[collector(1, 0.0, 0.0), collector(3, 10.0, 0.0), collector(7, 20.0, 0.0)]);
        let current = view(&[collector(2, 5.0, 0.0), collector(3, 12.0, 0.0), collector(7, 22.0, 0.0)]);
        let drawn: Vec<(u64, f32)> =
            blended(&previous, &current, 0.5).iter().map(|drawn| (drawn.key, drawn.position.x)).collect();
        assert_eq!(drawn, [(2, 5.0), (3, 11.0), (7, 21.0)]);
    }

    #[test]
    fn heading_turns_the_shorter_way_across_half_a_turn() {
        let drawn = blended(&view(&[collector(1, 0.0, 3.0)]), &view(&[collector(1, 0.0, -3.0)]), 0.5);
        assert!((drawn[0].heading.abs() - PI).abs() < 1e-3, "heading is {}", drawn[0].heading);
    }

    #[test]
    fn headings_many_turns_apart_still_take_the_shorter_way() {
        assert!((between_angles(0.1, 0.3 + 4.0 * TAU, 0.5) - 0.2).abs() < 1e-4);
        assert!((between_angles(0.1, -0.1 - 2.0 * TAU, 0.5)).abs() < 1e-4);
    }
}
