//! Registers the types of the game by stable names, for snapshots, state hashes and saves.

use ecs::snapshot::{SnapshotError, TypeRegistry};

use crate::control::ai_controller::{AiController, AiControllers, Profiles};
use crate::control::display::{DisplayState, TabletopCamera};
use crate::control::keyboard::HeldKeys;
use crate::control::learned_controller::{LearnedController, LearnedControllers, Policies};
use crate::control::player_control::ScriptedIntents;
use crate::control::senses::{BountyRadar, CollectorAvoider, Senses};
use crate::control::spell_requests::AiSpellRequests;
use crate::data::config::{Keymap, MatchRules};
use crate::events;
use crate::gameplay::lives::Lives;
use crate::gameplay::match_flow::GameFlow;
use crate::gameplay::player::Players;
use crate::gameplay::rules::Rules;
use crate::gameplay::spell::{Magnet, Magnets, SpellCaster};
use crate::objects::appearance::Appearance;
use crate::objects::bounty::{Bounty, DealBounties, Worth};
use crate::objects::capacity::Capacity;
use crate::objects::collector::{Collector, Controls, Drive, Pocket};
use crate::objects::game_object::{GameObject, Life, RigidBody, Transform};
use crate::objects::ghost::{Ghost, Ghosts};
use crate::objects::health::{Damage, Health};
use crate::objects::lifetime::{Lifespan, Lifetime};
use crate::objects::power_up::{PowerUp, PowerUps};
use crate::objects::respawn::{Respawn, RespawnAt, RespawnDelay, Respawns, Spawn};
use crate::objects::stash::Stash;
use crate::objects::touch::Touching;
use crate::objects::wall::{Edge, SolidWalls, Wall};
use crate::physics::{Body, Matter, Physics, Shape};
use crate::simulation::event_log::EventLog;

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
        "ai controller" = AiController,
        "appearance" = Appearance,
        "body" = Body,
        "bounty" = Bounty,
        "bounty radar" = BountyRadar,
        "camera" = TabletopCamera,
        "capacity" = Capacity,
        "collector" = Collector,
        "collector avoider" = CollectorAvoider,
        "controls" = Controls,
        "damage" = Damage,
        "drive" = Drive,
        "edge" = Edge,
        "game object" = GameObject,
        "ghost" = Ghost,
        "health" = Health,
        "learned controller" = LearnedController,
        "life" = Life,
        "lifetime" = Lifetime,
        "lifespan" = Lifespan,
        "lives" = Lives,
        "magnet" = Magnet,
        "matter" = Matter,
        "pocket" = Pocket,
        "power-up" = PowerUp,
        "respawn" = Respawn,
        "respawn at" = RespawnAt,
        "respawn delay" = RespawnDelay,
        "rigid body" = RigidBody,
        "shape" = Shape,
        "spawn" = Spawn,
        "spell caster" = SpellCaster,
        "stash" = Stash,
        "touching" = Touching,
        "transform" = Transform,
        "wall" = Wall,
        "worth" = Worth,
    }
    shown! { resource_by:
        "display" = DisplayState,
        "game flow" = GameFlow,
        "held keys" = HeldKeys,
        "players" = Players,
        "profiles" = Profiles,
        "scripted intents" = ScriptedIntents,
        "solid walls" = SolidWalls,
    }
    // `Ghost::complete_loaded` sets their masks.
    types.completed_after_loading::<Ghost>()?;
    // Equal in all matches of one configuration, so not saved.
    by_print! { resource_by:
        "keymap" = Keymap,
        "policies" = Policies,
        "rules" = MatchRules,
    }
    types.leave_out_of_saves::<Keymap>().leave_out_of_saves::<Policies>().leave_out_of_saves::<MatchRules>();
    types.resource::<Physics>("physics")?.save::<Physics>(1)?;
    shown! { system_by:
        "deal bounties" = DealBounties,
        "power-ups" = PowerUps,
        "respawns" = Respawns,
        "rules" = Rules,
    }
    // The state of these systems is rebuilt in each step.
    types
        .leave_out_system::<AiControllers>()
        .leave_out_system::<AiSpellRequests>()
        .leave_out_system::<EventLog>()
        .leave_out_system::<Ghosts>()
        .leave_out_system::<LearnedControllers>()
        .leave_out_system::<Magnets>()
        .leave_out_system::<Senses>();
    saved! { event_by:
        "bounty collected" = events::BountyCollected,
        "bounty stashed" = events::BountyStashed,
        "camera created" = events::CameraCreated,
        "camera destroyed" = events::CameraDestroyed,
        "cast spell" = events::CastSpell,
        "collision begin" = events::CollisionBegin,
        "collision end" = events::CollisionEnd,
        "damage taken" = events::DamageTaken,
        "enter fullscreen mode" = events::EnterFullscreenMode,
        "enter window mode" = events::EnterWindowMode,
        "game initialized" = events::GameInitialized,
        "game object created" = events::GameObjectCreated,
        "game object destroyed" = events::GameObjectDestroyed,
        "game object killed" = events::GameObjectKilled,
        "game object spawned" = events::GameObjectSpawned,
        "game over" = events::GameOver,
        "game paused" = events::GamePaused,
        "game quit" = events::GameQuit,
        "game restarted" = events::GameRestarted,
        "game resumed" = events::GameResumed,
        "game started" = events::GameStarted,
        "key down" = events::KeyDown,
        "key pressed" = events::KeyPressed,
        "key up" = events::KeyUp,
        "kill game object" = events::KillGameObject,
        "left button down" = events::LeftButtonDown,
        "left button pressed" = events::LeftButtonPressed,
        "left button up" = events::LeftButtonUp,
        "pause game" = events::PauseGame,
        "player eliminated" = events::PlayerEliminated,
        "player joined" = events::PlayerJoined,
        "player left" = events::PlayerLeft,
        "power-up taken" = events::PowerUpTaken,
        "quit game" = events::QuitGame,
        "restart game" = events::RestartGame,
        "resume game" = events::ResumeGame,
        "right button down" = events::RightButtonDown,
        "right button pressed" = events::RightButtonPressed,
        "right button up" = events::RightButtonUp,
        "spawn game object" = events::SpawnGameObject,
        "spell cast" = events::SpellCast,
        "spell refused" = events::SpellRefused,
        "stash full" = events::StashFull,
        "toggle debug draw" = events::ToggleDebugDraw,
        "toggle fullscreen" = events::ToggleFullscreen,
        "window minimized" = events::WindowMinimized,
        "window resized" = events::WindowResized,
        "window restored" = events::WindowRestored,
    }
    Ok(())
}
