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

/// The place of a system in a phase. The systems of one wave may run at the same time, if the engine has threads; a wave begins when
/// the one before it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceInPhase {
    /// Name of the phase.
    pub phase: &'static str,
    /// Its wave, from 1: the first one behind those of all that it conflicts with.
    pub wave: usize,
    /// How many waves the phase has.
    pub waves: usize,
    /// The others of its wave, in the order of their registration.
    pub beside: Vec<&'static str>,
    /// The systems before it in the work order of the phase that it conflicts with, in that order.
    pub conflicts: Vec<EarlierSystem>,
}

/// A system that comes first in work order, and must be done before another one begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierSystem {
    /// Name of the system.
    pub system: &'static str,
    /// Its wave in the phase, from 1.
    pub wave: usize,
    /// All that keeps the two apart.
    pub reasons: Vec<Conflict>,
}

/// What keeps two systems from running at the same time; `Display` tells it in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// At least one of them writes components of this type.
    Component(&'static str),
    /// At least one of them writes this resource.
    Resource(&'static str),
    /// One of them hands out ids of entities, and the other one does so, too, or looks at all entities.
    EntityIds,
    /// Both switch subscriptions.
    Subscriptions,
    /// At least one of them takes the whole world.
    World,
    /// One was declared to run after the other, directly or by others.
    DeclaredOrder,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Component(name) => write!(f, "component {name}"),
            Self::Resource(name) => write!(f, "resource {name}"),
            Self::EntityIds => f.write_str("entity ids"),
            Self::Subscriptions => f.write_str("subscriptions"),
            Self::World => f.write_str("the whole world"),
            Self::DeclaredOrder => f.write_str("the declared order"),
        }
    }
}

impl PlaceInPhase {
    /// One line for the wave, and one for all those that are kept apart by the same.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { phase, wave, waves, beside, conflicts } = self;
        write!(f, "       wave {wave} of {waves} in {phase}")?;
        match beside.as_slice() {
            [] => writeln!(f, ", alone")?,
            beside => writeln!(f, ", may run beside {}", beside.join(", "))?,
        }
        let mut left: Vec<_> = conflicts.iter().collect();
        while let [first, ..] = left[..] {
            let (same, others): (Vec<_>, Vec<_>) =
                left.into_iter().partition(|earlier| earlier.reasons == first.reasons);
            let systems: Vec<_> =
                same.iter().map(|EarlierSystem { system, wave, .. }| format!("{system} (wave {wave})")).collect();
            let reasons: Vec<_> = first.reasons.iter().map(Conflict::to_string).collect();
            writeln!(f, "       conflicts with {}: {}", systems.join(", "), reasons.join(", "))?;
            left = others;
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
                phase.write(f)?;
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
