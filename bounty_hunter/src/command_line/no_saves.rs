//! A build without saves: it keeps nothing, and [`Arguments`](super::arguments::Arguments) refuses what asks for more.

use std::io::Write;

use bounty_hunter::assets::Assets;
use bounty_hunter::replay::{Recorder, Replay};
use bounty_hunter::simulation::Simulation;
use ecs::EngineBuilder;

use super::Failure;
use super::arguments::{ResultsArguments, SavesArguments, SimulateArguments};

pub(crate) fn saves(_: &SavesArguments, _: &mut impl Write) -> Result<(), Failure> {
    Err(Failure::BadInput("this build lacks the feature `saves`".to_owned()))
}

pub(crate) fn results(_: &ResultsArguments, _: &mut impl Write) -> Result<(), Failure> {
    Err(Failure::BadInput("this build lacks the feature `saves`".to_owned()))
}

#[cfg(all(feature = "client", target_arch = "wasm32"))]
#[path = "page_try_store.rs"]
pub(crate) mod try_store;

/// No tries of daily matches are kept.
#[cfg(all(feature = "client", not(target_arch = "wasm32")))]
pub(crate) mod try_store {
    use std::path::Path;

    use bounty_hunter::replay::Replay;

    #[derive(Clone, Debug)]
    pub(crate) enum TryStore {}

    pub(crate) enum Try {}

    impl TryStore {
        pub(crate) fn open(_: Option<&Path>) -> Option<Self> {
            None
        }

        pub(crate) fn has(&self, _: &str) -> bool {
            match *self {}
        }

        pub(crate) fn begin(&self, _: String) -> Result<Option<Try>, String> {
            match *self {}
        }
    }

    impl Try {
        pub(crate) fn name(&self) -> String {
            match *self {}
        }

        pub(crate) fn end(self, _: &Replay) -> Result<String, String> {
            match self {}
        }
    }
}

pub(crate) type Ended = ();

pub(crate) struct Results;

impl Results {
    pub(crate) fn open(_: &SimulateArguments) -> Result<Self, Failure> {
        Ok(Self)
    }

    pub(crate) fn keep(&mut self, (): &Ended) -> Result<(), Failure> {
        Ok(())
    }
}

pub(crate) struct Storage;

impl Storage {
    pub(crate) fn open(_: &SimulateArguments) -> Result<Self, Failure> {
        Ok(Self)
    }

    pub(crate) fn needs_recording(&self) -> bool {
        false
    }

    pub(crate) fn load(&mut self, _: &Assets, _: EngineBuilder) -> Result<Option<(Simulation, Recorder)>, Failure> {
        Ok(None)
    }

    pub(crate) fn after_step(&mut self, _: &mut Simulation, _: &Recorder) -> Result<(), Failure> {
        Ok(())
    }

    pub(crate) fn after_match(&mut self, _: &mut Simulation, _: &Replay) -> Result<Ended, Failure> {
        Ok(())
    }
}
