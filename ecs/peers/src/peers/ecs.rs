//! This framework.

mod events;
mod iteration;
mod kinds;
mod pasture;
mod structure;
mod systems;

use std::time::Duration;

use ecs::Engine;

use self::kinds::Aged;
use crate::cases::Work;
use crate::stopwatch::Runner;

const FRAME: Duration = Duration::from_millis(16);

pub(super) fn runner(work: Work, count: usize) -> Option<Runner> {
    iteration::runner(work, count)
        .or_else(|| crate::kinds::runner(Aged(Engine::new()), work, count))
        .or_else(|| pasture::runner(work, count))
        .or_else(|| structure::runner(work, count))
        .or_else(|| events::runner(work, count))
        .or_else(|| systems::runner(work, count))
}
