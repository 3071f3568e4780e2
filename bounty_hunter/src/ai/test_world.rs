//! A world without physics for tests of AIs: points that drive, collect, unload and crash.

use glam::Vec2;

use super::{Agility, Brain, BrainState, Seen, Senses, SightKey, SightList, Threat, is_in_avoider, is_in_radar, think};
use crate::data::arena::{Pose, forward, heading_along, wrap, wrapped_delta};
use crate::data::config::{AiProfile, Strategy};
use crate::data::input::Intent;
use crate::random::{Purpose, RandomStream};

pub(super) const AGILITY: Agility = Agility { max_speed_mps: 37.5, max_turn_radps: std::f32::consts::TAU };
pub(super) const STEP_SECONDS: f32 = 1.0 / 60.0;
/// Half the side of a collector; two collide below twice this distance.
const COLLECTOR_M: f32 = 1.5;
const BOUNTY_M: f32 = 0.75;
const STASH_M: f32 = 1.875;
const POCKET: f32 = 100.0;

/// The profile of the original game.
pub(super) fn profile() -> AiProfile {
    ron::from_str(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/ai/first.ron")))
        .expect("the profile can be read")
}

pub(super) struct TestBounty {
    pub(super) position: Vec2,
    pub(super) value: f32,
    pub(super) is_there: bool,
}

pub(super) struct TestCollector {
    pub(super) profile: AiProfile,
    pub(super) pose: Pose,
    pub(super) home: Vec2,
    pub(super) pocket: f32,
    pub(super) stashed: f32,
    pub(super) crashes: u32,
    pub(super) longest_idle_steps: u32,
    pub(super) brain: Brain,
    idle_steps: u32,
    dead_seconds: f32,
    touches_home: bool,
    random: RandomStream,
    seen: SightList<Seen>,
    threats: SightList<Threat>,
}

pub(super) struct TestWorld {
    pub(super) half_m: f32,
    pub(super) clock_seconds: f32,
    pub(super) bounties: Vec<TestBounty>,
    pub(super) collectors: Vec<TestCollector>,
    /// The transitions that happened, each once.
    pub(super) changes: Vec<(BrainState, BrainState)>,
}

impl TestWorld {
    pub(super) fn new() -> Self {
        Self { half_m: 75.0, clock_seconds: 90.0, bounties: vec![], collectors: vec![], changes: vec![] }
    }

    pub(super) fn bounty(mut self, x: f32, y: f32, value: f32) -> Self {
        self.bounties.push(TestBounty { position: Vec2::new(x, y), value, is_there: true });
        self
    }

    /// Adds a collector that faces the centre.
    pub(super) fn collector(mut self, profile: AiProfile, at: (f32, f32), home: (f32, f32)) -> Self {
        let position = Vec2::from(at);
        self.collectors.push(TestCollector {
            profile,
            pose: Pose::new(position, heading_along(-position)),
            home: Vec2::from(home),
            pocket: 0.0,
            stashed: 0.0,
            crashes: 0,
            longest_idle_steps: 0,
            brain: Brain::default(),
            idle_steps: 0,
            dead_seconds: 0.0,
            touches_home: at == home,
            random: RandomStream::new(1, Purpose::Wander, self.collectors.len() as u64),
            seen: SightList::default(),
            threats: SightList::default(),
        });
        self
    }

    /// Steps until `is_done` and returns the elapsed seconds; `None` if the clock ran out before.
    pub(super) fn run_until(&mut self, is_done: impl Fn(&Self) -> bool) -> Option<f32> {
        let start_seconds = self.clock_seconds;
        while !is_done(self) {
            if self.clock_seconds <= 0.0 {
                return None;
            }
            self.step();
        }
        Some(start_seconds - self.clock_seconds)
    }

    pub(super) fn step(&mut self) {
        self.perceive();
        let intents: Vec<Intent> = (0..self.collectors.len()).map(|i| self.think(i)).collect();
        for (collector, intent) in self.collectors.iter_mut().zip(intents) {
            if !collector.is_alive() {
                collector.dead_seconds -= STEP_SECONDS;
                continue;
            }
            collector.drive(intent, self.half_m);
            for bounty in self.bounties.iter_mut().filter(|bounty| bounty.is_there) {
                let gap = wrapped_delta(collector.pose.position, bounty.position, self.half_m);
                if gap.length() < COLLECTOR_M + BOUNTY_M {
                    bounty.is_there = false;
                    collector.pocket = (collector.pocket + bounty.value).min(POCKET);
                }
            }
            let gap = wrapped_delta(collector.pose.position, collector.home, self.half_m);
            let touches_home = gap.length() < COLLECTOR_M + STASH_M;
            if touches_home && !collector.touches_home {
                collector.stashed += std::mem::take(&mut collector.pocket);
            }
            collector.touches_home = touches_home;
        }
        self.crash();
        self.clock_seconds -= STEP_SECONDS;
    }

    fn perceive(&mut self) {
        let others: Vec<(Pose, bool)> = self.collectors.iter().map(|other| (other.pose, other.is_alive())).collect();
        for (me, collector) in self.collectors.iter_mut().enumerate() {
            for (key, bounty) in (0..).zip(&self.bounties) {
                let TestBounty { position, value, is_there } = *bounty;
                if is_there && is_in_radar(&collector.profile, collector.pose, position, self.half_m) {
                    collector.seen.add(Seen { key, position, value });
                } else {
                    collector.seen.remove(key);
                }
            }
            for (key, &(other, is_alive)) in others.iter().enumerate().filter(|(key, _)| *key != me) {
                let key = key as SightKey;
                collector.threats.remove(key);
                if is_alive
                    && is_in_avoider(&collector.profile, collector.pose, other.position, COLLECTOR_M, self.half_m)
                {
                    collector.threats.add(Threat { key, position: other.position, heading: other.heading });
                }
            }
        }
    }

    fn think(&mut self, index: usize) -> Intent {
        let collector = &mut self.collectors[index];
        if !collector.is_alive() {
            return Intent::IDLE;
        }
        let target = collector.brain.target;
        let senses = Senses {
            me: collector.pose,
            agility: AGILITY,
            half_extent_m: self.half_m,
            pocket_fullness: collector.pocket / POCKET,
            home: collector.home,
            home_reach_m: std::f32::consts::SQRT_2 * (COLLECTOR_M + STASH_M),
            seen_bounties: collector.seen.as_slice(),
            threats: collector.threats.as_slice(),
            target_is_there: target.is_some_and(|target| self.bounties[target.key as usize].is_there),
            clock_seconds: self.clock_seconds,
        };
        let before = collector.brain.state.current();
        let intent = think(&mut collector.brain, &collector.profile, &senses, &mut collector.random);
        let change = (before, collector.brain.state.current());
        if change.0 != change.1 && !self.changes.contains(&change) {
            self.changes.push(change);
        }
        intent
    }

    fn crash(&mut self) {
        for i in 0..self.collectors.len() {
            for j in 0..i {
                let (a, b) = (&self.collectors[i], &self.collectors[j]);
                let gap = wrapped_delta(a.pose.position, b.pose.position, self.half_m);
                if a.is_alive() && b.is_alive() && gap.length() < 2.0 * COLLECTOR_M {
                    for crashed in [i, j] {
                        let collector = &mut self.collectors[crashed];
                        collector.crashes += 1;
                        collector.pocket = 0.0;
                        collector.brain = Brain::default();
                        collector.dead_seconds = 3.0;
                        collector.pose = Pose::new(collector.home, heading_along(-collector.home));
                    }
                }
            }
        }
    }
}

impl TestCollector {
    fn is_alive(&self) -> bool {
        self.dead_seconds <= 0.0
    }

    fn drive(&mut self, intent: Intent, half_m: f32) {
        assert_eq!(intent, intent.clamped());
        self.pose.position += forward(self.pose.heading) * intent.drive * AGILITY.max_speed_mps * STEP_SECONDS;
        self.pose.position = wrap(self.pose.position, half_m).unwrap_or(self.pose.position);
        self.pose.heading += intent.turn * AGILITY.max_turn_radps * STEP_SECONDS;
        self.idle_steps = if intent == Intent::IDLE { self.idle_steps + 1 } else { 0 };
        self.longest_idle_steps = self.longest_idle_steps.max(self.idle_steps);
    }
}

/// All strategies that pick bounties.
pub(super) const HUNTING: [Strategy; 4] =
    [Strategy::First, Strategy::Nearest, Strategy::MostValuable, Strategy::BestValuePerDistance];
