//! A cascade: listeners that keep causing events.

use std::fmt;

use super::EventManager;

/// Listeners caused events, by sending them or by commands, until the budget of the dispatch was spent.
#[derive(Clone, PartialEq, Eq)]
pub struct CascadeError {
    /// The event types that caused each other: a listener of each one sent the next, or recorded a command that caused
    /// it. Without events: the functions or systems that recorded commands.
    pub cycle: Vec<&'static str>,
    /// Whether the last type caused the first. If not, `cycle` is the whole chain of causes.
    pub is_circle: bool,
    /// Rounds that were dispatched.
    pub rounds: usize,
    /// Events that listeners caused.
    pub sent: u64,
    /// Events that were not delivered, or commands that were not applied.
    pub dropped: usize,
}

impl fmt::Display for CascadeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rounds, sent, dropped, .. } = self;
        match sent {
            0 => write!(f, "functions kept recording commands, in {rounds} rounds: ")?,
            _ => write!(f, "listeners kept causing events, {sent} in {rounds} rounds: ")?,
        }
        f.write_str(&self.cycle.join(" → "))?;
        if let (true, Some(first)) = (self.is_circle, self.cycle.first()) {
            write!(f, " → {first}")?;
        }
        let stop = if *sent == 0 { "function" } else { "listener" };
        write!(f, "; {dropped} of them were dropped: let a {stop} stop, or raise the budget of a dispatch")
    }
}

crate::sentence::impl_error!(CascadeError);

/// Drops the events that wait, of which there is at least one, and names the event types that caused each other.
pub(crate) fn cascade(rounds: usize, sent: u64, events: &mut EventManager) -> CascadeError {
    let EventManager { queue, delivered, .. } = &*events;
    let dropped = events.queued();
    let mut chain = Vec::new();
    let mut is_circle = false;
    let mut current = Some((events.next_type(), delivered.batch));
    while let Some((event_type, batch)) = current {
        if let Some(start) = chain.iter().position(|&seen| seen == event_type) {
            chain.drain(..start);
            is_circle = true;
            break;
        }
        chain.push(event_type);
        current = queue[batch].cause.map(|cause| (cause.event_type, cause.batch));
    }
    // The causes were followed backwards.
    chain.reverse();
    let mut cycle: Vec<_> = chain.into_iter().map(|id| events.event_type(id).name).collect();
    if is_circle {
        // Begin with the first by name, so that the same cycle always reads the same.
        let first = (0..cycle.len()).min_by_key(|&at| cycle[at]).unwrap_or(0);
        cycle.rotate_left(first);
    }
    events.drop_queued();
    CascadeError { cycle, is_circle, rounds, sent, dropped }
}
