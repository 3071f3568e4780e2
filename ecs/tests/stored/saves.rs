//! Saved snapshots: a loaded engine continues as the saved one, older saves are converted, invalid ones are refused.

mod broken;
mod controls;
mod engines;
mod format;
mod forms;
mod functions;
mod law;
mod limits;
mod links;
mod listeners;
mod registering;
mod relay;
mod states;
mod user_code;
mod versions;
use crate::snapshots::world;
