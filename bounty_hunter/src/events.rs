//! Index of all events of the game: what each says.
//!
//! Who sends and who hears each one is printed from the running engine by `bounty_hunter systems`. Events say what
//! happened; requests say what somebody wants and are granted or not.

use ecs::EntityId;
use serde::{Deserialize, Serialize};

use crate::control::input::Key;
use crate::data::arena::Pose;
use crate::gameplay::spell::{Refusal, Spell};
use crate::objects::game_object::GameObjectKind;
use crate::physics::Category;

// The course of the game

/// The systems are there and the first match can be built.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameInitialized;

/// The old match is cleared away.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRestarted;

/// The arena is built and the countdown begins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameStarted;

/// Everything stands still and a menu is open.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GamePaused;

/// The game goes on after a pause, or is left from it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameResumed;

/// The match has ended; its result stands in the game flow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameOver;

/// The program ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameQuit;

/// Wish: pause.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PauseGame;

/// Wish: go on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResumeGame;

/// Wish: begin anew, from the menu.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RestartGame;

/// Wish: end the program, from the menu.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct QuitGame;

// The keyboard and the mouse

/// A key went down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeyDown {
    /// Which key.
    pub key: Key,
}

/// A key came up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeyUp {
    /// Which key.
    pub key: Key,
}

/// A key that is held reported itself again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeyPressed {
    /// Which key.
    pub key: Key,
}

/// The left button went down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeftButtonDown {
    /// Pixels from the left.
    pub x: i32,
    /// Pixels from the top.
    pub y: i32,
}

/// The left button came up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeftButtonUp {
    /// Pixels from the left.
    pub x: i32,
    /// Pixels from the top.
    pub y: i32,
}

/// The left button is held.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeftButtonPressed {
    /// Pixels from the left.
    pub x: i32,
    /// Pixels from the top.
    pub y: i32,
}

/// The right button went down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RightButtonDown {
    /// Pixels from the left.
    pub x: i32,
    /// Pixels from the top.
    pub y: i32,
}

/// The right button came up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RightButtonUp {
    /// Pixels from the left.
    pub x: i32,
    /// Pixels from the top.
    pub y: i32,
}

/// The right button is held.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RightButtonPressed {
    /// Pixels from the left.
    pub x: i32,
    /// Pixels from the top.
    pub y: i32,
}

// The window

/// Wish: switch between window and full screen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToggleFullscreen;

/// The window is to fill the screen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnterFullscreenMode;

/// The window is to be one among others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnterWindowMode;

/// The window is no longer shown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WindowMinimized;

/// The window is shown again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WindowRestored;

/// The window has a new size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WindowResized {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
}

/// There is a camera.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CameraCreated {
    /// The camera.
    pub camera: EntityId,
}

/// A camera is gone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CameraDestroyed {
    /// The id that the camera had.
    pub camera: EntityId,
}

/// Wish: switch debug drawing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToggleDebugDraw;

// Game objects

/// A game object came into the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameObjectCreated {
    /// The object.
    pub entity: EntityId,
    /// What it is.
    pub kind: GameObjectKind,
}

/// A game object left the world for good.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameObjectDestroyed {
    /// The id that the object had.
    pub entity: EntityId,
    /// What it was.
    pub kind: GameObjectKind,
}

/// A game object came to life, for the first time or again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameObjectSpawned {
    /// The object.
    pub entity: EntityId,
    /// Where it appeared.
    pub pose: Pose,
}

/// A game object died.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameObjectKilled {
    /// The object, which may come back.
    pub entity: EntityId,
}

/// Wish: let it die. Granted once for each life.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KillGameObject {
    /// The object.
    pub entity: EntityId,
}

/// Wish: let it come to life.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpawnGameObject {
    /// The object.
    pub entity: EntityId,
    /// Where it is to appear.
    pub pose: Pose,
}

// Players, stashes and collisions

/// A player takes part.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerJoined {
    /// Seat number.
    pub player: u32,
}

/// A player no longer takes part.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerLeft {
    /// Seat number.
    pub player: u32,
}

/// A player has lost the last life and is out of the match. Sent under the rule of limited lives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerEliminated {
    /// Seat number.
    pub player: u32,
}

/// A collector took a bounty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BountyCollected {
    /// Who took it.
    pub collector: EntityId,
    /// What was taken.
    pub bounty: EntityId,
    /// What it was worth.
    pub value: f32,
}

/// A collector emptied its pocket into a stash.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BountyStashed {
    /// Who brought it.
    pub collector: EntityId,
    /// Where it went.
    pub stash: EntityId,
    /// What the pocket held.
    pub value: f32,
}

/// A collector took a power-up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PowerUpTaken {
    /// Who took it.
    pub collector: EntityId,
    /// What was taken.
    pub power_up: EntityId,
}

/// Wish: cast a spell. Sent by keys, AIs and scripts, heard where the match has spells.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CastSpell {
    /// The collector that is to cast it.
    pub caster: EntityId,
    /// Which one.
    pub spell: Spell,
}

/// A spell was cast.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpellCast {
    /// The collector that cast it.
    pub caster: EntityId,
    /// Which one.
    pub spell: Spell,
}

/// A spell was asked for and not cast.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpellRefused {
    /// The collector that was to cast it.
    pub caster: EntityId,
    /// Which one.
    pub spell: Spell,
    /// Why not.
    pub reason: Refusal,
}

/// A collector was hurt by one that it touches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DamageTaken {
    /// Who was hurt.
    pub entity: EntityId,
    /// By whom.
    pub by: EntityId,
    /// Points of health; it may have had fewer left.
    pub points: f32,
}

/// A stash holds as much as it can.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StashFull {
    /// Which one.
    pub stash: EntityId,
}

/// Two parts of two objects began to touch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CollisionBegin {
    /// The object of the lower category, or the lower key.
    pub a: EntityId,
    /// The other object.
    pub b: EntityId,
    /// Which part of `a`.
    pub category_a: Category,
    /// Which part of `b`.
    pub category_b: Category,
}

/// Two parts of two objects no longer touch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CollisionEnd {
    /// The object of the lower category, or the lower key.
    pub a: EntityId,
    /// The other object.
    pub b: EntityId,
    /// Which part of `a`.
    pub category_a: Category,
    /// Which part of `b`.
    pub category_b: Category,
}
