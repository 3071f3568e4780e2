//! A log of events in order: a resource that systems write and tests read.

use std::time::Duration;

use ecs::{Engine, EntityId};

/// The length of a frame; no test depends on it.
pub(crate) const FRAME: Duration = Duration::from_millis(10);

/// Entries in order.
#[derive(Default)]
pub(crate) struct Log(Vec<String>);

impl Log {
    pub(crate) fn note(&mut self, entry: impl ToString) {
        self.0.push(entry.to_string());
    }
}

/// An engine with an empty log.
pub(crate) fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.insert_resource(Log::default());
    engine
}

/// Runs a frame that must succeed; returns the entries since the last call, joined by spaces.
pub(crate) fn frame(engine: &mut Engine) -> String {
    engine.update(FRAME).unwrap();
    logged(engine)
}

/// The entries since the last call, joined by spaces.
pub(crate) fn logged(engine: &mut Engine) -> String {
    std::mem::take(&mut engine.resource_mut::<Log>().unwrap().0).join(" ")
}

/// The index of an entity, which is short in a log.
pub(crate) fn index(entity: EntityId) -> String {
    entity.to_string().split('v').next().unwrap().to_owned()
}
