//! The work order in words: who runs where, and why there.

use std::fmt;

use super::Priority;

/// Why a system stands before another one that was ready at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its priority is higher.
    Priority,
    /// Its priority is the same, and it was added earlier.
    AddedEarlier,
}

/// A system in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of the system.
    pub system: &'static str,
    /// Its priority.
    pub priority: Priority,
    /// Whether it is enabled.
    pub is_enabled: bool,
    /// The phases in which it runs, and how often.
    pub runs: String,
    /// The systems that must have run before.
    pub after: Vec<&'static str>,
    /// The one that was ready too and comes later, and why.
    pub ahead_of: Option<(&'static str, Reason)>,
    /// The systems that may run at the same time in some phase.
    pub beside: Vec<&'static str>,
    /// Whom it waits for in a phase, and what keeps the two apart.
    pub waits: Vec<(&'static str, String)>,
    /// Event types that it listens to.
    pub listens: Vec<&'static str>,
    /// Event types that it sends.
    pub sends: Vec<&'static str>,
    /// Owning groups that its queries walk.
    pub groups: Vec<String>,
}

/// The work order with its reasons; [`Engine::explain`](crate::Engine::explain) makes it, `Display` prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The systems in work order.
    pub places: Vec<Place>,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "work order of {} systems", self.places.len())?;
        for (index, place) in self.places.iter().enumerate() {
            let Place { system, priority, runs, .. } = place;
            let state = if place.is_enabled { "" } else { ", disabled" };
            writeln!(f, "{:>3}. {system} (priority {priority}, {runs}{state})", index + 1)?;
            match place.after.as_slice() {
                [] => writeln!(f, "       waits for nobody")?,
                after => writeln!(f, "       after {}, as declared", after.join(", "))?,
            }
            match place.ahead_of {
                Some((other, Reason::Priority)) => writeln!(f, "       ahead of {other}: its priority is higher")?,
                Some((other, Reason::AddedEarlier)) => {
                    writeln!(f, "       ahead of {other}: the priorities are equal and it was added earlier")?;
                }
                None => writeln!(f, "       nobody else was ready")?,
            }
            if !place.beside.is_empty() {
                writeln!(f, "       may run beside {}", place.beside.join(", "))?;
            }
            for (other, what) in &place.waits {
                writeln!(f, "       never beside {other}: {what} keeps them apart")?;
            }
            for group in &place.groups {
                writeln!(f, "       walks group {group}")?;
            }
            if !place.listens.is_empty() {
                writeln!(f, "       listens to {}", place.listens.join(", "))?;
            }
            if !place.sends.is_empty() {
                writeln!(f, "       sends {}", place.sends.join(", "))?;
            }
        }
        Ok(())
    }
}
