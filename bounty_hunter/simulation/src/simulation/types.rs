//! Registers the types of the game by stable names, for snapshots, state hashes and saves.

use ecs::snapshot::{SnapshotError, TypeRegistry};

use crate::control::ai_controller::{AiController, AiControllers, Profiles};
use crate::control::learned_controller::{LearnedController, LearnedControllers, Policies};
use crate::control::player_control::SeatIntents;
use crate::control::senses::{BountyRadar, CollectorAvoider, Senses};
use crate::control::spell_requests::AiSpellRequests;
use crate::data::config::MatchRules;
use crate::data::reaction::Reaction;
use crate::events;
use crate::gameplay::gold_rush::GoldRush;
use crate::gameplay::leader::Crown;
use crate::gameplay::lives::Lives;
use crate::gameplay::load::SpillPool;
use crate::gameplay::match_flow::GameFlow;
use crate::gameplay::near_miss::NearMisses;
use crate::gameplay::player::Players;
use crate::gameplay::reactions::{ActsOn, Progress, React, Watches};
use crate::gameplay::rules::Rules;
use crate::gameplay::spell::{Magnet, Magnets, SpellCaster};
use crate::gameplay::statistics::Statistics;
use crate::objects::appearance::Appearance;
use crate::objects::bounty::{Bounty, Spilled, Worth};
use crate::objects::capacity::Capacity;
use crate::objects::collector::{Collector, Controls, Drive, Pocket};
use crate::objects::game_object::{GameObject, Life, RigidBody, Transform};
use crate::objects::ghost::Ghost;
use crate::objects::gold::Gold;
use crate::objects::gravity::{Gravity, Pull, Weight};
use crate::objects::health::{Damage, Healing, Health, Toughness};
use crate::objects::hunger::Hunger;
use crate::objects::lifetime::{Lifespan, Lifetime};
use crate::objects::mine::{Fuse, Mine, MineLayer};
use crate::objects::passes::{LetThrough, Passes};
use crate::objects::power_up::{PowerUp, PowerUps};
use crate::objects::powers::Powers;
use crate::objects::respawn::{Respawn, RespawnAt, RespawnDelay, Spawn};
use crate::objects::scale::{PlaceScale, Scale};
use crate::objects::scene_camera::SceneCamera;
use crate::objects::sound_source::SoundSource;
use crate::objects::stash::Stash;
use crate::objects::switch::Switch;
use crate::objects::team::Team;
use crate::objects::touch::Touching;
use crate::objects::wall::{Edge, SolidWalls, Wall};
use crate::physics::{Body, Matter, Physics, Shape};

/// Registers all types that the world of a match can hold between two frames. Types without fields need no name.
pub(super) fn register(types: &mut TypeRegistry) -> Result<(), SnapshotError> {
    /// Registers types, hashed by their printed form, which shows every field.
    macro_rules! by_print {
        ($register:ident: $($name:literal = $type:ty),+ $(,)?) => {
            $(types.$register::<$type>($name, |value, hash| {
                hash.printed(value);
            })?;)+
        };
    }
    /// As `by_print`; the types are part of saves.
    macro_rules! saved {
        ($register:ident: $($name:literal = $type:ty),+ $(,)?) => {
            by_print! { $register: $($name = $type),+ }
            $(types.save::<$type>(1)?;)+
        };
    }
    /// As `saved`; the types are printed where two states differ.
    macro_rules! shown {
        ($register:ident: $($name:literal = $type:ty),+ $(,)?) => {
            saved! { $register: $($name = $type),+ }
            $(types.show::<$type>()?;)+
        };
    }
    shown! { component_by:
        "appearance" = Appearance,
        "body" = Body,
        "bounty" = Bounty,
        "bounty radar" = BountyRadar,
        "camera" = SceneCamera,
        "capacity" = Capacity,
        "collector" = Collector,
        "collector avoider" = CollectorAvoider,
        "controls" = Controls,
        "damage" = Damage,
        "drive" = Drive,
        "edge" = Edge,
        "fuse" = Fuse,
        "game object" = GameObject,
        "gold" = Gold,
        "gravity" = Gravity,
        "healing" = Healing,
        "health" = Health,
        "hunger" = Hunger,
        "learned controller" = LearnedController,
        "life" = Life,
        "lifetime" = Lifetime,
        "lifespan" = Lifespan,
        "lives" = Lives,
        "magnet" = Magnet,
        "matter" = Matter,
        "mine" = Mine,
        "mine layer" = MineLayer,
        "passes" = Passes,
        "pocket" = Pocket,
        "powers" = Powers,
        "progress of reaction" = Progress,
        "reaction" = Reaction,
        "respawn" = Respawn,
        "respawn at" = RespawnAt,
        "respawn delay" = RespawnDelay,
        "rigid body" = RigidBody,
        "scale" = Scale,
        "scale of place" = PlaceScale,
        "shape" = Shape,
        "sound" = SoundSource,
        "spawn" = Spawn,
        "spell caster" = SpellCaster,
        "spilled" = Spilled,
        "stash" = Stash,
        "switch" = Switch,
        "team" = Team,
        "touching" = Touching,
        "toughness" = Toughness,
        "transform" = Transform,
        "wall" = Wall,
        "weight" = Weight,
        "worth" = Worth,
    }
    by_print! { component_by: "ai controller" = AiController, "ghost" = Ghost, "power-up" = PowerUp }
    by_print! { system_by: "power-ups" = PowerUps }
    types.save::<AiController>(2)?.show::<AiController>()?.save::<PowerUps>(2)?.show::<PowerUps>()?;
    types.save::<Ghost>(2)?.show::<Ghost>()?.save::<PowerUp>(2)?.show::<PowerUp>()?;
    shown! { resource_by:
        "game flow" = GameFlow,
        "gold rush" = GoldRush,
        "players" = Players,
        "profiles" = Profiles,
        "seat intents" = SeatIntents,
        "solid walls" = SolidWalls,
        "spill pool" = SpillPool,
    }
    types.relation::<Watches>("watches")?.save_relation::<Watches>(1)?;
    types.relation::<ActsOn>("acts on")?.save_relation::<ActsOn>(1)?;
    // Equal in all matches of one configuration, so not saved.
    by_print! { resource_by:
        "policies" = Policies,
        "rules" = MatchRules,
    }
    types.leave_out_of_saves::<Policies>().leave_out_of_saves::<MatchRules>();
    // Without influence on a match: `Simulation` keeps them in its snapshots and saves. The name is for the studio.
    by_print! { resource_by:
        "statistics" = Statistics,
    }
    types.leave_out_resource::<Statistics>();
    types.resource::<Physics>("physics")?.save::<Physics>(1)?;
    shown! { system_by:
        "rules" = Rules,
    }
    // The state of these systems is rebuilt in each step, or constant.
    types
        .leave_out_system::<AiControllers>()
        .leave_out_system::<AiSpellRequests>()
        .leave_out_system::<Crown>()
        .leave_out_system::<LearnedControllers>()
        .leave_out_system::<LetThrough>()
        .leave_out_system::<Magnets>()
        .leave_out_system::<NearMisses>()
        .leave_out_system::<Pull>()
        .leave_out_system::<React>()
        .leave_out_system::<Senses>();
    saved! { event_by:
        "bounty collected" = events::BountyCollected,
        "bounty stashed" = events::BountyStashed,
        "cast spell" = events::CastSpell,
        "collision begin" = events::CollisionBegin,
        "collision end" = events::CollisionEnd,
        "crown claimed" = events::CrownClaimed,
        "damage taken" = events::DamageTaken,
        "game object killed" = events::GameObjectKilled,
        "game object spawned" = events::GameObjectSpawned,
        "game over" = events::GameOver,
        "game paused" = events::GamePaused,
        "game resumed" = events::GameResumed,
        "game started" = events::GameStarted,
        "kill game object" = events::KillGameObject,
        "mine exploded" = events::MineExploded,
        "near missed" = events::NearMissed,
        "pause game" = events::PauseGame,
        "player eliminated" = events::PlayerEliminated,
        "power-up taken" = events::PowerUpTaken,
        "quit game" = events::QuitGame,
        "restart game" = events::RestartGame,
        "resume game" = events::ResumeGame,
        "spawn game object" = events::SpawnGameObject,
        "signal sent" = events::SignalSent,
        "spell cast" = events::SpellCast,
        "spell refused" = events::SpellRefused,
        "stash full" = events::StashFull,
        "use cheat" = events::UseCheat,
    }
    Ok(())
}
