//! The same calls give the same bodies and contacts, bit for bit.

use std::collections::BTreeSet;
use std::f32::consts::TAU;

use ecs::snapshot::StateHasher;
use glam::Vec2;

use super::{Body, BodyHandle, BodyKey, Category, Contact, ContactKind, Physics, Pose, Shape};

const HALF_WORLD_M: f32 = 40.0;

pub(super) fn state_hash(physics: &Physics) -> u64 {
    StateHasher::default().add(physics).finish()
}

/// A crowd that collides, wraps around, is disabled, enabled, resized and replaced, driven by one random stream.
#[derive(Clone)]
struct Crowd {
    physics: Physics,
    random: u64,
    collectors: Vec<BodyHandle>,
    bounties: Vec<BodyHandle>,
}

impl Crowd {
    fn new(seed: u64) -> Self {
        let physics = Physics::new(1.0 / 60.0);
        let mut crowd = Self { physics, random: seed, collectors: Vec::new(), bounties: Vec::new() };
        for key in 0..24 {
            let pose = crowd.random_pose();
            let body = crowd.physics.add_collector(BodyKey(key), pose, 1.5, 1.0);
            crowd.collectors.push(body);
            let pose = crowd.random_pose();
            crowd.bounties.push(crowd.physics.add_bounty(BodyKey(100 + key), pose, 1.0, 0.0001));
            crowd.physics.add_stash(BodyKey(200 + key), pose, 1.875);
        }
        crowd
    }

    fn share(&mut self) -> f32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 40) as f32 / (1 << 24) as f32
    }

    fn random_pose(&mut self) -> Pose {
        let position = Vec2::new(self.share() - 0.5, self.share() - 0.5) * 2.0 * HALF_WORLD_M;
        Pose::new(position, self.share() * TAU)
    }

    fn step(&mut self) {
        for i in 0..self.collectors.len() {
            let body = self.collectors[i];
            let (pose, forward) = self.physics.pose(body).zip(self.physics.forward(body)).expect("it was not removed");
            if pose.position.abs().max_element() > HALF_WORLD_M {
                self.physics.set_pose(body, Pose::new(pose.position * -0.95, pose.heading));
            }
            let turn = (self.share() - 0.5) * TAU;
            self.physics.set_velocity(body, forward * 25.0, turn);
        }
        let (one, other) = (self.share(), self.share());
        let collector = self.collectors[(one * self.collectors.len() as f32) as usize];
        self.physics.set_enabled(collector, other < 0.7);
        let index = (other * self.bounties.len() as f32) as usize;
        match (one * 10.0) as u32 {
            0 => {
                let (key, pose) = (BodyKey(1000 + index as u64), self.random_pose());
                self.physics.remove(self.bounties[index]);
                self.bounties[index] = self.physics.add_bounty(key, pose, 1.0, 0.0001);
            }
            1 => _ = self.physics.resize_bounty(self.bounties[index], 0.5 + other),
            2 | 3 => _ = self.physics.set_enabled(self.bounties[index], other < 0.5),
            4 | 5 => {
                let body = Body::moving(Category::Collector, 1.0);
                self.physics.refit(self.collectors[index], Shape::Triangle(1.0 + other), body);
            }
            _ => {}
        }
        self.physics.step();
    }

    fn state(&self) -> (u64, &[Contact]) {
        (state_hash(&self.physics), self.physics.contacts())
    }
}

#[test]
fn same_calls_give_the_same_state_and_contacts_in_every_step() {
    let (mut one, mut other, mut contacts) = (Crowd::new(1), Crowd::new(1), 0);
    for step in 0..600 {
        one.step();
        other.step();
        assert_eq!(one.state(), other.state(), "step {step}");
        contacts += one.physics.contacts().len();
    }
    assert!(contacts > 500, "only {contacts} contacts: too few to prove anything");
    assert_ne!(one.state().0, Crowd::new(2).state().0);
}

#[test]
fn beginnings_and_ends_of_contacts_alternate() {
    for seed in 1..=4 {
        let (mut crowd, mut touching, mut ended) = (Crowd::new(seed), BTreeSet::new(), 0);
        for step in 0..1500 {
            crowd.step();
            for contact in crowd.physics.contacts() {
                let pair = (contact.a, contact.b, contact.category_a, contact.category_b);
                let is_news = match contact.kind {
                    ContactKind::Begin => touching.insert(pair),
                    ContactKind::End => touching.remove(&pair),
                };
                assert!(is_news, "seed {seed}, step {step}: {contact:?}");
                ended += u32::from(contact.kind == ContactKind::End);
            }
        }
        assert!(ended > 500, "only {ended} contacts ended");
    }
}

/// Debug and release builds and all platforms must agree. The hash changes with rapier's version and our settings.
#[test]
fn state_after_300_steps_is_the_same_on_every_platform() {
    let mut crowd = Crowd::new(7);
    for _ in 0..300 {
        crowd.step();
    }
    assert_eq!(format!("{:016x}", state_hash(&crowd.physics)), "9eed8ad12497e07d");
}

#[test]
fn clone_continues_like_the_original() {
    let mut crowd = Crowd::new(3);
    for round in 0..20 {
        for _ in 0..7 {
            crowd.step();
        }
        // Clones between a change and the step that reports it.
        crowd.physics.remove(crowd.bounties[round]);
        let pose = crowd.random_pose();
        crowd.bounties[round] = crowd.physics.add_bounty(BodyKey(500 + round as u64), pose, 1.0, 0.0001);
        let mut copy = crowd.clone();
        for step in 0..40 {
            let mut original = crowd.clone();
            original.step();
            copy.step();
            crowd.step();
            assert_eq!(original.state(), crowd.state(), "round {round}, step {step}, a clone of each step");
            assert_eq!(copy.state(), crowd.state(), "round {round}, step {step}, a clone that continues");
        }
    }
}

#[test]
fn serialised_physics_continues_like_the_original() {
    let mut crowd = Crowd::new(5);
    for _ in 0..60 {
        crowd.step();
    }
    // Serialises between a change and the step that reports it.
    crowd.physics.set_enabled(crowd.collectors[0], false);
    crowd.physics.remove(crowd.bounties[0]);
    crowd.bounties[0] = crowd.physics.add_bounty(BodyKey(999), Pose::at(0.0, 0.0), 1.0, 0.0001);
    let text = serde_json::to_string(&crowd.physics).expect("physics can be written");
    let mut restored = crowd.clone();
    restored.physics = serde_json::from_str(&text).expect("what was written can be read");
    assert_eq!(restored.state(), crowd.state());
    for step in 0..300 {
        crowd.step();
        restored.step();
        assert_eq!(restored.state(), crowd.state(), "step {step}");
    }
}

#[test]
fn clone_leaves_the_original_unchanged() {
    let crowd = Crowd::new(4);
    let before = crowd.state().0;
    let mut copy = crowd.clone();
    copy.step();
    assert_eq!(crowd.state().0, before);
    assert_ne!(copy.state().0, before);
}

/// Contacts of collectors that circle among stashes without meeting each other, each with its step.
fn encounters(keys: impl Iterator<Item = u64>) -> Vec<(Contact, i32)> {
    let mut physics = Physics::new(1.0 / 60.0);
    let mut collectors = Vec::new();
    for key in keys {
        let at = Pose::new(Vec2::new((key % 8) as f32 * 9.0, (key / 8) as f32 * 18.0), key as f32);
        if key % 2 == 0 {
            collectors.push(physics.add_collector(BodyKey(key), at, 1.5, 1.0));
        } else {
            physics.add_stash(BodyKey(key), at, 2.5);
        }
    }
    let mut encounters = Vec::new();
    for step in 0..3_000 {
        for &body in &collectors {
            let forward = physics.forward(body).expect("it was not removed");
            physics.set_velocity(body, forward * 9.0, 3.0);
        }
        physics.step();
        assert!(physics.contacts().is_sorted_by(|one, next| one < next), "each once and in order");
        encounters.extend(physics.contacts().iter().map(|&contact| (contact, step)));
    }
    encounters
}

#[test]
fn contacts_are_independent_of_the_order_of_adding_bodies() {
    let (forwards, backwards) = (encounters(0..60), encounters((0..60).rev()));
    let first_step = |encounters: &[(Contact, i32)]| encounters.partition_point(|&(_, step)| step == 0);
    assert_eq!(forwards[..first_step(&forwards)], backwards[..first_step(&backwards)]);
    assert!(forwards.len() > 500, "only {} contacts", forwards.len());

    // Rapier computes positions relative to the body added first, so a grazing contact can be found a step earlier or
    // later; nothing else may differ.
    let [forwards, backwards] = [forwards, backwards].map(|mut encounters| {
        encounters.sort();
        encounters
    });
    assert_eq!(forwards.len(), backwards.len());
    let mut shifted = 0;
    for ((one, step), (other, other_step)) in forwards.iter().zip(&backwards) {
        assert!(one == other && step.abs_diff(*other_step) <= 1, "{one:?} in step {step}, {other:?} in {other_step}");
        shifted += usize::from(step != other_step);
    }
    assert!(shifted * 100 < forwards.len(), "{shifted} of {} contacts came a step apart", forwards.len());
}

#[test]
fn hash_detects_every_kind_of_change() {
    let mut physics = Physics::new(1.0 / 60.0);
    let me = physics.add_collector(BodyKey(1), Pose::at(1.0, 2.0), 1.5, 1.0);
    let square = physics.add_bounty(BodyKey(2), Pose::at(9.0, 2.0), 1.0, 0.0001);
    type Change<'a> = (&'a str, &'a dyn Fn(&mut Physics));
    let changes: [Change<'_>; 8] = [
        ("position", &|physics| _ = physics.set_pose(me, Pose::at(1.0, 2.000_000_2))),
        ("heading", &|physics| _ = physics.set_pose(me, Pose::new(Vec2::new(1.0, 2.0), 1e-6))),
        ("speed", &|physics| _ = physics.set_velocity(me, Vec2::new(1e-9, 0.0), 0.0)),
        ("turning speed", &|physics| _ = physics.set_velocity(me, Vec2::ZERO, 1e-9)),
        ("disabled", &|physics| _ = physics.set_enabled(me, false)),
        ("shape", &|physics| {
            _ = physics.refit(me, Shape::Triangle(2.0), Body::moving(Category::Collector, 1.0));
        }),
        ("size", &|physics| _ = physics.resize_bounty(square, 1.5)),
        ("removed", &|physics| _ = physics.remove(square)),
    ];
    let before = state_hash(&physics);
    for (name, change) in changes {
        let mut changed = physics.clone();
        change(&mut changed);
        assert_ne!(state_hash(&changed), before, "{name}");
    }
}
