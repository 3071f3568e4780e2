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
    /// Its place in each phase in which it runs.
    pub phases: Vec<PlaceInPhase>,
    /// Event types that it listens to.
    pub listens: Vec<&'static str>,
    /// Event types that it sends.
    pub sends: Vec<&'static str>,
    /// Owning groups that its queries walk.
    pub groups: Vec<String>,
}

/// The place of a system in a phase. Systems of one wave may run at the same time; a wave begins when the one before it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceInPhase {
    /// Name of the phase.
    pub phase: &'static str,
    /// Its wave, from 1.
    pub wave: usize,
    /// How many waves the phase has.
    pub waves: usize,
    /// The others of its wave, in the order of their registration.
    pub beside: Vec<&'static str>,
    /// The earlier systems of the phase that it never runs beside, in work order, and all that keeps the two apart. Of two such
    /// systems only the later one tells of the other.
    pub apart: Vec<(&'static str, Vec<String>)>,
}

impl PlaceInPhase {
    /// Those that the same things keep apart, together: names, and what keeps them apart.
    fn apart_by_reason(&self) -> Vec<(Vec<&'static str>, &[String])> {
        let mut together: Vec<(Vec<&'static str>, &[String])> = Vec::new();
        for (system, reasons) in &self.apart {
            match together.iter_mut().find(|(_, same)| same == reasons) {
                Some((systems, _)) => systems.push(system),
                None => together.push((vec![system], reasons)),
            }
        }
        together
    }
}

impl fmt::Display for PlaceInPhase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { phase, wave, waves, beside, .. } = self;
        write!(f, "       wave {wave} of {waves} in {phase}")?;
        match beside.as_slice() {
            [] => writeln!(f, ", alone")?,
            beside => writeln!(f, ", beside {}", beside.join(", "))?,
        }
        for (systems, reasons) in self.apart_by_reason() {
            writeln!(f, "       never beside {} in {phase}: {}", systems.join(", "), reasons.join(", "))?;
        }
        Ok(())
    }
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
                [] => writeln!(f, "       after nobody, as far as declared")?,
                after => writeln!(f, "       after {}, as declared", after.join(", "))?,
            }
            match place.ahead_of {
                Some((other, Reason::Priority)) => writeln!(f, "       ahead of {other}: its priority is higher")?,
                Some((other, Reason::AddedEarlier)) => {
                    writeln!(f, "       ahead of {other}: the priorities are equal and it was added earlier")?;
                }
                None => writeln!(f, "       nobody else was ready")?,
            }
            for phase in &place.phases {
                write!(f, "{phase}")?;
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
