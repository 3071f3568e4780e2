//! Prefabs, by scenario.

mod broken;
mod deferred;
mod kit;
mod lifecycle;
mod loading;
mod looking;
mod panics;
mod parts;
mod random;
mod reloading;
mod spawning;
mod texts;
mod variants;
