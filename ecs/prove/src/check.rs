//! [`Check`]: a way to run a frame once more, and how a program is brought to its beginning.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::inspect::{Comparison, Folding};
use ecs::snapshot::{Difference, DifferentValues, RecordedState, SaveError};
use ecs::{Engine, Snapshot};

use crate::{Program, Refuted};

/// A way to run a frame once more. All must end in the state in which the first run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    /// In an engine that ran the same frame just before.
    Again,
    OtherEngine,
    Loaded,
    Threads(usize),
    Order(u64),
    /// The rows of the entities in another order.
    Rows(u64),
    Process,
}

impl Check {
    pub(crate) fn says(self) -> String {
        format!("{self}, the frame ends in another state")
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Again => f.write_str("run again from its snapshot"),
            Self::OtherEngine => f.write_str("run from its snapshot in another engine"),
            Self::Loaded => f.write_str("saved, loaded and then run"),
            Self::Threads(threads) => write!(f, "run with {threads} threads"),
            Self::Process => f.write_str("run in a process of its own"),
            Self::Rows(seed) => write!(f, "with the rows of its entities shuffled (seed {seed})"),
            Self::Order(seed) => write!(f, "with systems without a declared order shuffled (seed {seed})"),
        }
    }
}

/// Calls code of a program. A panic is an error that says what was attempted, as an error of the program is.
pub(crate) fn attempt<R, E: Into<Box<dyn Error + Send + Sync>>>(
    attempt: &str,
    act: impl FnOnce() -> Result<R, E>,
) -> Result<R, Refuted> {
    match catch_unwind(AssertUnwindSafe(act)) {
        Ok(outcome) => outcome.map_err(Refuted::failed(attempt)),
        Err(payload) => Err(Refuted::failed(attempt)(panic_text(&*payload))),
    }
}

/// What a panic says.
pub(crate) fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("it panicked with a value that is not a text")
}

pub(crate) fn snapshot(engine: &mut Engine) -> Result<Snapshot, Refuted> {
    engine.snapshot().map_err(Refuted::failed("take a snapshot"))
}

pub(crate) fn compare(recorded: &Snapshot, engine: &mut Engine) -> Result<Option<Difference>, Refuted> {
    recorded.difference(engine).map_err(Refuted::failed("compare two states"))
}

impl Check {
    /// In what a program differs from how the first run ended. If its rows were shuffled, their order is no difference:
    /// values are compared by entity.
    pub(crate) fn difference(
        self,
        after: &Snapshot,
        first: &mut Engine,
        engine: &mut Engine,
    ) -> Result<Option<Difference>, Refuted> {
        if !matches!(self, Self::Rows(_)) {
            return compare(after, engine);
        }
        let dumps = [first, engine].map(|engine| engine.inspector().dump());
        let [first, other] = dumps.map(|dump| dump.map_err(Refuted::failed("show a state")));
        let differences = Comparison::of_states(&first?, &other?, &Folding::default()).differences;
        let Some(different) = differences.into_iter().next() else { return Ok(None) };
        let [recorded, now] =
            different.values.map(|value| value.map(|value| format!("{}{value}", told(&different.path))));
        let values = DifferentValues { entity: different.entity, recorded, now };
        Ok(Some(Difference { kind: different.kind, name: different.name.into(), values: Some(values) }))
    }
}

/// A field in front of its value.
fn told(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("{path} ") }
}

/// What is known of a state: its snapshot, and its save if it can be saved.
pub(crate) struct Beginning {
    pub(crate) snapshot: Snapshot,
    pub(crate) saved: Result<Vec<u8>, String>,
}

impl Beginning {
    pub(crate) fn of(program: &mut impl Program) -> Result<Self, Refuted> {
        let snapshot = snapshot(program.engine())?;
        let saved = match program.save() {
            Ok(bytes) => Ok(bytes),
            Err(error @ (SaveError::NotSaved { .. } | SaveError::Local { .. })) => Err(error.to_string()),
            Err(error) => return Err(Refuted::failed("save")(error)),
        };
        Ok(Self { snapshot, saved })
    }

    /// Brings another program into this state, as `check` does it. Returns what a save lost.
    pub(crate) fn put_into(&self, other: &mut impl Program, check: Check) -> Result<Option<Difference>, Refuted> {
        if let (Check::Loaded, Ok(bytes)) = (check, &self.saved) {
            other.load(bytes).map_err(Refuted::failed("load what was saved"))?;
            return compare(&self.snapshot, other.engine());
        }
        other.engine().restore(&self.snapshot).map_err(Refuted::failed("restore a snapshot"))?;
        if let Check::Rows(seed) = check {
            other.engine().inspector().shuffle_rows(seed);
        }
        Ok(None)
    }
}
