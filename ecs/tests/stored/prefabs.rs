//! Prefabs, by scenario.

mod broken;
mod children;
mod deferred;
mod kit;
mod lifecycle;
mod loading;
mod panics;
mod random;
mod reading;
mod reloading;
mod requirements;
mod spawning;
mod texts;
mod variants;
