//! The hash of the whole state of a simulation.

use std::hash::Hasher;

use ecs::{EntityId, IncludeDisabled};

use super::Simulation;
use crate::control::ai_controller::AiController;
use crate::control::display::{DisplayState, TabletopCamera};
use crate::control::keyboard::HeldKeys;
use crate::control::player_control::ScriptedIntents;
use crate::control::senses::{BountyRadar, CollectorAvoider};
use crate::gameplay::lives::Lives;
use crate::gameplay::match_flow::GameFlow;
use crate::gameplay::player::Players;
use crate::gameplay::spell::{Magnet, SpellCaster};
use crate::objects::bounty::{Bounty, DealBounties};
use crate::objects::collector::{Collector, Controls, Pocket};
use crate::objects::game_object::{GameObject, Life, RigidBody, Transform};
use crate::objects::ghost::Ghost;
use crate::objects::health::{Damage, Health};
use crate::objects::lifetime::Lifetime;
use crate::objects::power_up::{PowerUp, PowerUps};
use crate::objects::respawn::{Respawn, Respawns, Spawn};
use crate::objects::stash::Stash;
use crate::objects::touch::Touching;
use crate::objects::wall::Wall;
use crate::physics::{Physics, Shape};

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
    fn floats(&mut self, values: &[f32]) {
        values.iter().for_each(|value| self.write(&value.to_bits().to_le_bytes()));
    }

    fn entities(&mut self, entities: &[EntityId]) {
        self.number(entities.len() as u64);
        entities.iter().for_each(|entity| self.number(entity.bits()));
    }

    fn number(&mut self, value: u64) {
        self.write(&value.to_le_bytes());
    }

    /// Hashes the printed form, which shows every field.
    fn printed(&mut self, value: &impl std::fmt::Debug) {
        struct Sink<'a>(&'a mut Fnv);
        impl std::fmt::Write for Sink<'_> {
            fn write_str(&mut self, text: &str) -> std::fmt::Result {
                self.0.write(text.as_bytes());
                Ok(())
            }
        }
        std::fmt::write(&mut Sink(self), format_args!("{value:?}")).expect("hashing text cannot fail");
    }
}

type All<'a, T> = (EntityId, &'a T);

/// Hashes each component with its owner, in the order of its pool, which is part of the state; then the resources and systems that a
/// match changes.
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
            hash.floats(&transform.pose.position.to_array());
            hash.floats(&[transform.pose.heading]);
            hash.number(u64::from(transform.is_teleported));
        };
        RigidBody: |body, hash| hash.printed(body);
        Shape: |shape, hash| hash.printed(shape);
        Wall: |wall, hash| hash.floats(&wall.half_extents_m.to_array());
        Spawn: |spawn, hash| hash.printed(spawn);
        TabletopCamera: |camera, hash| hash.floats(&[camera.half_extent_m, camera.aspect]);
        Life: |life, hash| hash.number(u64::from(life.is_alive));
        Collector: |collector, hash| hash.number(u64::from(collector.player));
        Pocket: |pocket, hash| hash.floats(&[pocket.carried]);
        Controls: |controls, hash| hash.floats(&[controls.intent.drive, controls.intent.turn]);
        Stash: |stash, hash| { hash.number(u64::from(stash.player)); hash.floats(&[stash.stashed]) };
        Bounty: |bounty, hash| hash.floats(&[bounty.value, bounty.worth]);
        PowerUp: |power_up, hash| hash.printed(power_up);
        Ghost: |ghost, hash| { hash.floats(&[ghost.left_seconds]); hash.printed(&ghost.ignores) };
        Health: |health, hash| hash.printed(health);
        Damage: |damage, hash| hash.floats(&[damage.points]);
        Touching: |touching, hash| hash.printed(touching);
        SpellCaster: |caster, hash| hash.printed(caster);
        Magnet: |magnet, hash| hash.floats(&[magnet.left_seconds]);
        Lifetime: |lifetime, hash| hash.floats(&[lifetime.left_seconds, lifetime.fading_seconds]);
        Lives: |lives, hash| hash.printed(lives);
        Respawn: |respawn, hash| hash.printed(respawn);
        AiController: |controller, hash| {
            // Recorded hashes contain its former name.
            hash.write(format!("{controller:?}").replacen("AiController", "Pilot", 1).as_bytes());
        };
        BountyRadar: |radar, hash| hash.entities(radar.bounties.as_slice());
        CollectorAvoider: |avoider, hash| hash.entities(avoider.collectors.as_slice());
    }
    if let Some(physics) = engine.resource::<Physics>() {
        physics.hash_into(&mut |bytes| hash.write(bytes));
    }
    macro_rules! resources {
        ($($resource:ty),+) => {
            $(if let Some(resource) = engine.resource::<$resource>() {
                hash.printed(&*resource);
            })+
        };
    }
    resources!(GameFlow, Players, HeldKeys, ScriptedIntents, DisplayState);
    hash.printed(&engine.system::<DealBounties>().map(DealBounties::streams));
    hash.printed(&engine.system::<Respawns>().map(Respawns::random));
    // A match without power-ups lacks this system.
    if let Some(power_ups) = engine.system::<PowerUps>() {
        hash.printed(power_ups.random());
    }
    hash.finish()
}
