//! Sensors: fixed bodies that only detect, such as stashes.
//!
//! Their bodies have no collider in rapier, whose cost grows with all colliders, also with those that never move.
//! Instead each moving body looks for them in a grid before each step, at the moment at which rapier looks for
//! contacts.

use rapier2d::geometry::{Aabb, Collider, SharedShape};
use rapier2d::math::Pose as RapierPose;
use rapier2d::parry::bounding_volume::BoundingVolume;
use rapier2d::parry::query::intersection_test;
use rapier2d::pipeline::PhysicsWorld;
use serde::{Deserialize, Serialize};

use super::body::{BodyHandle, BodyKey};
use super::categories::Category;
use super::collision_filter::CollisionFilters;
use super::contacts::{Contact, ContactKind, Label};
use crate::data::grid::{Disc, Grid};

/// Larger sensors, such as the walls beyond the edges, are not sorted by the grid: every search would become as wide as
/// they are.
const LARGE_M: f32 = 10.0;

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Sensor {
    body: BodyHandle,
    pub(super) label: Label,
    pub(super) shape: SharedShape,
}

/// All sensors, and what they touch.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Sensors {
    /// By handle.
    pub(super) all: Vec<Sensor>,
    /// The moving body and the sensor of each contact, sorted.
    touching: Vec<(Label, Label)>,
    /// Ends that the next step reports.
    ended: Vec<Contact>,
    /// The pairs of this step; its memory is kept.
    #[serde(skip)]
    found: Vec<(Label, Label)>,
    #[serde(skip)]
    places: Places,
}

/// Where the enabled sensors are; found again after each change of one.
#[derive(Default)]
struct Places {
    are_known: bool,
    sensors: Vec<Placed>,
    /// Small sensors; the keys are indices into `sensors`.
    grid: Grid,
    /// For each category, whether it meets a small sensor, and whether a large one.
    meets: [[bool; 2]; Category::ALL.len()],
    /// The bounds of large sensors, and their indices in `sensors`.
    large: Vec<(Aabb, usize)>,
    /// The small sensors before they are sorted; the memory is kept.
    discs: Vec<Disc>,
}

struct Placed {
    label: Label,
    pose: RapierPose,
    shape: SharedShape,
    bounds: Aabb,
}

impl Sensors {
    /// Adds the sensor of a body, replacing an existing one.
    pub(super) fn insert(&mut self, body: BodyHandle, label: Label, shape: SharedShape) {
        let sensor = Sensor { body, label, shape };
        match self.all.binary_search_by_key(&body, |sensor| sensor.body) {
            Ok(index) => self.all[index] = sensor,
            Err(index) => self.all.insert(index, sensor),
        }
        self.places.are_known = false;
    }

    /// Removes the sensor of a body, if it has one.
    pub(super) fn remove(&mut self, body: BodyHandle) {
        if let Ok(index) = self.all.binary_search_by_key(&body, |sensor| sensor.body) {
            self.all.remove(index);
            self.places.are_known = false;
        }
    }

    /// A sensor was moved, enabled or disabled.
    pub(super) fn note_change(&mut self) {
        self.places.are_known = false;
    }

    /// Ends all contacts of a body, whose shape changes.
    pub(super) fn end_contacts(&mut self, key: BodyKey) {
        let Self { touching, ended, .. } = self;
        touching.retain(|&(mover, sensor)| {
            let stays = mover.key != key && sensor.key != key;
            if !stays {
                ended.push(Contact::between(ContactKind::End, mover, sensor));
            }
            stays
        });
    }

    /// The keys of each moving body and sensor that touched in the last step, sorted.
    pub(super) fn contacts(&self) -> impl Iterator<Item = (BodyKey, BodyKey)> + '_ {
        self.touching.iter().map(|(mover, sensor)| (mover.key, sensor.key))
    }

    /// Ends that the next step reports.
    pub(super) fn ended_mut(&mut self) -> &mut Vec<Contact> {
        &mut self.ended
    }

    /// Finds all contacts, and appends those that began or ended to `contacts`.
    pub(super) fn detect(&mut self, world: &PhysicsWorld, filters: &CollisionFilters, contacts: &mut Vec<Contact>) {
        if !self.places.are_known {
            self.places.find_sensors(&self.all, world);
        }
        self.found.clear();
        for (_, collider) in world.colliders.iter() {
            self.places.find_contacts(world, collider, filters, &mut self.found);
        }
        self.found.sort_unstable();
        contacts.append(&mut self.ended);
        let is_in = |pairs: &[(Label, Label)], pair: &(Label, Label)| pairs.binary_search(pair).is_ok();
        let ended = self.touching.iter().filter(|pair| !is_in(&self.found, pair));
        contacts.extend(ended.map(|&(mover, sensor)| Contact::between(ContactKind::End, mover, sensor)));
        let begun = self.found.iter().filter(|pair| !is_in(&self.touching, pair));
        contacts.extend(begun.map(|&(mover, sensor)| Contact::between(ContactKind::Begin, mover, sensor)));
        std::mem::swap(&mut self.touching, &mut self.found);
    }
}

impl Clone for Sensors {
    /// Copies the state only.
    fn clone(&self) -> Self {
        let Self { all, touching, ended, .. } = self;
        Self { all: all.clone(), touching: touching.clone(), ended: ended.clone(), ..Self::default() }
    }
}

impl Places {
    fn find_sensors(&mut self, all: &[Sensor], world: &PhysicsWorld) {
        self.are_known = true;
        self.sensors.clear();
        self.large.clear();
        self.discs.clear();
        self.meets = Default::default();
        let mut farthest_m = 1.0_f32;
        for Sensor { body, label, shape } in all {
            let Some(body) = world.bodies.get(body.to_rapier()).filter(|body| body.is_enabled()) else { continue };
            let (index, pose) = (self.sensors.len(), *body.position());
            let bounds = shape.compute_aabb(&pose);
            let (position, radius_m) = (bounds.center(), bounds.half_extents().max_element());
            if !(position.is_finite() && radius_m.is_finite()) {
                continue;
            }
            let is_large = radius_m > LARGE_M;
            if is_large {
                self.large.push((bounds, index));
            } else {
                self.discs.push(Disc { key: index as u64, position, radius_m });
                farthest_m = farthest_m.max(position.abs().max_element());
            }
            for (category, meets) in Category::ALL.into_iter().zip(&mut self.meets) {
                meets[usize::from(is_large)] |= category.meets(label.category);
            }
            self.sensors.push(Placed { label: *label, pose, shape: shape.clone(), bounds });
        }
        // The grid wraps around, so it also finds sensors across an edge, which then turn out to be elsewhere.
        self.grid.fill(farthest_m, self.discs.drain(..));
    }

    /// Adds the contacts of a hit box, if it moves.
    fn find_contacts(
        &self,
        world: &PhysicsWorld,
        hit_box: &Collider,
        filters: &CollisionFilters,
        found: &mut Vec<(Label, Label)>,
    ) {
        let label = Label::unpack(hit_box.user_data);
        let [meets_small, meets_large] = self.meets[label.category as usize];
        if !(meets_small || meets_large) {
            return;
        }
        let Some(body) = hit_box.parent().and_then(|body| world.bodies.get(body)) else { return };
        if body.is_fixed() || !body.is_enabled() {
            return;
        }
        let (pose, shape) = (body.position(), hit_box.shape());
        let bounds = shape.compute_aabb(pose);
        let mut look_at = |index: usize| {
            let sensor = &self.sensors[index];
            if bounds.intersects(&sensor.bounds)
                && label.category.meets(sensor.label.category)
                && intersection_test(pose, shape, &sensor.pose, &*sensor.shape).is_ok_and(|found| found.intersecting)
                && !filters.let_through(label.key, sensor.label.key)
            {
                found.push((label, sensor.label));
            }
        };
        if meets_large {
            let near = self.large.iter().filter(|(large, _)| bounds.intersects(large));
            near.for_each(|&(_, index)| look_at(index));
        }
        if meets_small {
            self.grid.visit_near(bounds.center(), bounds.half_extents(), |disc| look_at(disc.key as usize));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use glam::Vec2;

    use super::*;
    use crate::data::arena::Pose;
    use crate::physics::{Body, Category, Physics, Shape};
    use ecs::random::RandomStream;

    const STASH: Body = Body::fixed(Category::Stash);

    fn any_pose(random: &mut RandomStream) -> Pose {
        Pose::new(Vec2::new(random.between(-30.0, 30.0), random.between(-30.0, 30.0)), random.between(-3.0, 3.0))
    }

    fn any_shape(random: &mut RandomStream) -> Shape {
        let size_m = random.between(0.5, 3.0);
        match (random.unit() * 4.0) as u32 {
            0 => Shape::Square(size_m),
            1 => Shape::Triangle(size_m),
            2 => Shape::Rectangle(size_m, 0.5),
            _ => Shape::Rectangle(0.75, 25.0),
        }
    }

    /// All pairs of an enabled collector and an enabled sensor that overlap, found by looking at each pair.
    fn search(physics: &Physics) -> BTreeSet<(BodyKey, BodyKey)> {
        let mut found = BTreeSet::new();
        for (_, hit_box) in physics.world.colliders.iter() {
            let body = &physics.world.bodies[hit_box.parent().expect("it has a body")];
            for sensor in &physics.sensors.all {
                let place = &physics.world.bodies[sensor.body.to_rapier()];
                let touch = intersection_test(body.position(), hit_box.shape(), place.position(), &*sensor.shape);
                if body.is_enabled() && place.is_enabled() && touch.is_ok_and(|touch| touch.intersecting) {
                    found.insert((Label::unpack(hit_box.user_data).key, sensor.label.key));
                }
            }
        }
        found
    }

    #[test]
    fn contacts_with_sensors_are_those_that_a_look_at_each_pair_finds() {
        let (mut begun, mut random) = (0, RandomStream::new(1, "test"));
        for _ in 0..20 {
            let mut physics = Physics::new(1.0 / 60.0);
            let mut bodies = Vec::new();
            for key in 0..30 {
                let (pose, shape) = (any_pose(&mut random), any_shape(&mut random));
                let body = if key < 10 { Body::moving(Category::Collector, 1.0) } else { STASH };
                let shape = if key < 10 { Shape::Triangle(1.5) } else { shape };
                bodies.push((physics.add_body(BodyKey(key), pose, shape, body), body));
            }
            let mut touching = BTreeSet::new();
            for _ in 0..120 {
                let (index, new_key) = ((random.unit() * 30.0) as usize, 100 + (random.unit() * 1e6) as u64);
                let (handle, body) = bodies[index];
                match (random.unit() * 8.0) as u32 {
                    0 => _ = physics.set_enabled(handle, random.chance(0.5)),
                    1 | 2 => _ = physics.set_pose(handle, any_pose(&mut random)),
                    3 if index >= 10 => _ = physics.refit(handle, any_shape(&mut random), body),
                    4 if index >= 10 => {
                        physics.remove(handle);
                        let (pose, shape) = (any_pose(&mut random), any_shape(&mut random));
                        bodies[index].0 = physics.add_body(BodyKey(new_key), pose, shape, STASH);
                    }
                    _ => {}
                }
                for &(collector, _) in &bodies[..10] {
                    let linear = Vec2::new(random.between(-25.0, 25.0), random.between(-25.0, 25.0));
                    physics.set_velocity(collector, linear, random.between(-6.0, 6.0));
                }
                let expected = search(&physics);
                physics.step();
                for contact in physics.contacts().iter().filter(|contact| contact.category_b == Category::Stash) {
                    let is_news = match contact.kind {
                        ContactKind::Begin => touching.insert((contact.a, contact.b)),
                        ContactKind::End => touching.remove(&(contact.a, contact.b)),
                    };
                    assert!(is_news, "{contact:?}");
                    begun += u32::from(contact.kind == ContactKind::Begin);
                }
                assert_eq!(touching, expected);
            }
        }
        assert!(begun > 500, "{begun} contacts");
    }

    #[test]
    fn refitted_sensor_ends_its_contacts_and_begins_new_ones() {
        let mut physics = Physics::new(1.0 / 60.0);
        physics.add_collector(BodyKey(1), Pose::default(), 1.5, 1.0);
        let stash = physics.add_stash(BodyKey(2), Pose::default(), 2.0);
        physics.step();
        assert!(physics.refit(stash, Shape::Square(3.0), STASH));
        physics.step();
        let kinds: Vec<_> = physics.contacts().iter().map(|contact| contact.kind).collect();
        assert_eq!(kinds, [ContactKind::End, ContactKind::Begin]);
    }

    #[test]
    fn sensor_of_a_large_world_is_found_far_from_the_middle() {
        let mut physics = Physics::new(1.0 / 60.0);
        for key in 0..50 {
            physics.add_stash(BodyKey(key), Pose::at(100.0 * key as f32, -3_000.0), 2.0);
        }
        physics.add_collector(BodyKey(99), Pose::at(4_900.0, -3_000.0), 1.5, 1.0);
        physics.step();
        assert_eq!(physics.contacts().iter().map(|contact| contact.b).collect::<Vec<_>>(), [BodyKey(49)]);
    }
}
