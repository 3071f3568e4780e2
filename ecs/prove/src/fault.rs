//! [`Fault`]: what a check found, and [`Refuted`], the error of a run.

use std::error::Error;
use std::fmt;

use ecs::snapshot::Difference;

/// A system without which the fault does not occur.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blamed {
    /// The name, as in [`SystemInfo::name`](ecs::system::SystemInfo::name).
    pub system: String,
    /// The phases in which it has methods.
    pub phases: Vec<String>,
    /// The events that it listens to.
    pub events: Vec<String>,
}

/// Two runs of one frame that ended in different states.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The number of the frame.
    pub frame: u64,
    /// How the second run differed from the first, such as "run again".
    pub check: String,
    /// The first value that differs.
    pub difference: Difference,
    /// The field that differs, with both values, if the values show one by `Debug`.
    pub field: Option<(String, String, String)>,
    /// What wrote the value last in each of the two runs, with method and event, as
    /// [`Write`](ecs::inspect::Write) is told; `None` if nothing did, or if the type is not registered for saving.
    pub writers: [Option<String>; 2],
    /// It did not come again when the frame was repeated, so no smallest cause is known.
    pub comes_seldom: bool,
    /// The smallest cause: systems that show the fault together, and not if one of them is disabled. Empty if
    /// the fault remains without systems.
    pub systems: Vec<Blamed>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "frame {}: {}", self.frame, self.check)?;
        write!(f, "  ")?;
        match self.difference.kind {
            Some(kind) => write!(f, "{kind} \"{}\"", self.difference.name)?,
            None => write!(f, "{}", self.difference.name)?,
        }
        let values = self.difference.values.as_ref();
        if let Some(entity) = values.and_then(|values| values.entity) {
            write!(f, " of entity {entity}")?;
        }
        match (&self.field, values) {
            (Some((field, first, other)), _) => write!(f, ", field {field}: {first} at first, {other} then")?,
            (None, Some(values)) => {
                let [first, other] =
                    [&values.recorded, &values.now].map(|value| value.as_deref().unwrap_or("not there"));
                write!(f, ": {first} at first, {other} then")?;
            }
            (None, None) => write!(f, " differs")?,
        }
        for (run, writer) in ["at first", "then"].into_iter().zip(&self.writers) {
            if let Some(writer) = writer {
                write!(f, "\n  written {run}: {writer}")?;
            }
        }
        if self.comes_seldom {
            return write!(
                f,
                "\n  it comes only sometimes, so no smallest cause is known: look for a static, a clock or a draw in what \
                 wrote it"
            );
        }
        if self.systems.is_empty() {
            return write!(
                f,
                "\n  smallest cause: no system; look at the snapshot or save of this type, at the step, and at `make`"
            );
        }
        write!(f, "\n  smallest cause:")?;
        for Blamed { system, phases, events } in &self.systems {
            write!(f, "\n    system {system}")?;
            if !phases.is_empty() {
                write!(f, ", phase {}", phases.join(", "))?;
            }
            if !events.is_empty() {
                write!(f, ", event {}", events.join(", "))?;
            }
        }
        Ok(())
    }
}

/// Why there is no proof.
pub enum Refuted {
    /// Two runs of one frame ended in different states.
    Fault(Box<Fault>),
    /// The program could not be made, run, copied or saved.
    Failed {
        /// What could not be done, as in "cannot take a snapshot".
        attempt: String,
        /// Why it could not be done.
        error: Box<dyn Error + Send + Sync>,
    },
}

impl Refuted {
    pub(crate) fn failed<E: Into<Box<dyn Error + Send + Sync>>>(attempt: &str) -> impl FnOnce(E) -> Self + use<'_, E> {
        move |error| Self::Failed { attempt: attempt.to_owned(), error: error.into() }
    }

    /// The fault, if two runs differ.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Fault(fault) => Some(fault),
            Self::Failed { .. } => None,
        }
    }
}

/// The sentence, as `main` prints it.
impl fmt::Debug for Refuted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Refuted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => fault.fmt(f),
            Self::Failed { attempt, error } => write!(f, "cannot {attempt}: {error}"),
        }
    }
}

impl Error for Refuted {}

impl From<Fault> for Refuted {
    fn from(fault: Fault) -> Self {
        Self::Fault(Box::new(fault))
    }
}
