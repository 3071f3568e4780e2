//! Snapshots in stored form: that loading one changes nothing of what comes, what becomes of older ones, and what is refused.

mod broken;
mod engines;
mod form;
mod law;
mod limits;
mod listeners;
mod registering;
mod relay;
mod versions;
use crate::snapshots::world;
