//! Snapshots in stored form: that loading one changes nothing of what comes, what becomes of older ones, and what is refused.

mod broken;
mod engines;
mod form;
mod law;
mod limits;
mod listeners;
mod panics;
mod registering;
mod relay;
mod versions;
mod waiting;
use crate::snapshots::world;
