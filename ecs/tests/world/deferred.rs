//! Commands that fail are errors that name the system that recorded them.

mod conflicts;
mod missing;
mod model;
