//! Prefabs, scenario by scenario, through the public API only.

mod deferred;
mod kit;
mod lifecycle;
mod loading;
mod parts;
mod spawning;
mod variants;
