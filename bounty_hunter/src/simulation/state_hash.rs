//! The hash of the whole state of a simulation.

use std::hash::Hasher;

use ecs::{EntityId, IncludeDisabled};

use super::Simulation;
use crate::bounty::{Bounty, DealBounties};
use crate::collector::{Collector, Controls, Pocket};
use crate::game_object::{GameObject, Life, Transform};
use crate::lifetime::Lifetime;
use crate::match_flow::GameFlow;
use crate::physics::Physics;
use crate::pilot::Pilot;
use crate::respawn::{Respawn, Respawns};
use crate::senses::{BountyRadar, CollectorAvoider};
use crate::stash::Stash;

/// FNV-1a, 64 bits (Fowler, Noll, Vo): the same on every platform.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

impl Fnv {
    fn float(&mut self, value: f32) {
        self.write(&value.to_bits().to_le_bytes());
    }

    fn number(&mut self, value: u64) {
        self.write(&value.to_le_bytes());
    }

    /// By its printed form, which shows every field; for what is small and has no bytes of its own.
    fn printed(&mut self, value: &impl std::fmt::Debug) {
        struct Sink<'a>(&'a mut Fnv);
        impl std::fmt::Write for Sink<'_> {
            fn write_str(&mut self, text: &str) -> std::fmt::Result {
                self.0.write(text.as_bytes());
                Ok(())
            }
        }
        std::fmt::write(&mut Sink(self), format_args!("{value:?}")).expect("hashing text can not fail");
    }
}

type All<'a, T> = (EntityId, &'a T);

/// Every component with its owner, in the order in which the pool holds them, which is part of the state.
pub(super) fn of(simulation: &Simulation) -> u64 {
    let engine = &simulation.engine;
    let mut hash = Fnv::default();
    hash.number(simulation.tick);
    macro_rules! components {
        ($($component:ty: |$value:ident, $hash:ident| $write:expr;)+) => {
            $(engine.read_filtered::<All<$component>, IncludeDisabled>().for_each(|(entity, $value)| {
                let $hash = &mut hash;
                $hash.number(entity.bits());
                $hash.number(u64::from(engine.entities().is_enabled(entity) == Some(true)));
                $write;
            });)+
        };
    }
    components! {
        GameObject: |object, hash| hash.number(object.kind as u64);
        Transform: |transform, hash| {
            hash.float(transform.pose.position.x);
            hash.float(transform.pose.position.y);
            hash.float(transform.pose.heading);
        };
        Life: |life, hash| hash.number(u64::from(life.is_alive));
        Collector: |collector, hash| hash.number(u64::from(collector.player));
        Pocket: |pocket, hash| hash.float(pocket.carried);
        Controls: |controls, hash| { hash.float(controls.intent.drive); hash.float(controls.intent.turn) };
        Stash: |stash, hash| hash.float(stash.stashed);
        Bounty: |bounty, hash| hash.float(bounty.value);
        Lifetime: |lifetime, hash| hash.float(lifetime.left_seconds);
        Respawn: |respawn, hash| hash.float(respawn.left_seconds.unwrap_or(-1.0));
        Pilot: |pilot, hash| hash.printed(pilot);
        BountyRadar: |radar, hash| radar.bounties.as_slice().iter().for_each(|seen| hash.number(seen.key));
        CollectorAvoider: |avoider, hash| avoider.collectors.as_slice().iter().for_each(|seen| hash.number(seen.key));
    }
    if let Some(physics) = engine.resource::<Physics>() {
        physics.hash_into(&mut |bytes| hash.write(bytes));
    }
    if let Some(flow) = engine.resource::<GameFlow>() {
        hash.printed(&(flow.state(), flow.ticks_left(), flow.result()));
    }
    hash.printed(&engine.system::<DealBounties>().map(DealBounties::streams));
    hash.printed(&engine.system::<Respawns>().map(Respawns::random));
    hash.finish()
}
