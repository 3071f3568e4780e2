//! State machines in files: the list of their states, the current one last.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, SerializeSeq, Serializer};

use super::{State, StateMachine};

impl<S: State + Serialize, const PAUSED: usize> Serialize for StateMachine<S, PAUSED> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        // Compact forms want to know beforehand how many there are.
        let mut list = serializer.serialize_seq(Some(self.paused.iter().flatten().count() + 1))?;
        for state in self.paused.iter().flatten().chain([&self.current]) {
            list.serialize_element(state)?;
        }
        list.end()
    }
}

impl<'de, S: State + Deserialize<'de>, const PAUSED: usize> Deserialize<'de> for StateMachine<S, PAUSED> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut states = Vec::<S>::deserialize(deserializer)?;
        let current = states.pop().ok_or_else(|| D::Error::custom("a state machine has at least one state"))?;
        let paused = states.len();
        Self::with_paused(current, &states)
            .ok_or_else(|| D::Error::custom(format!("{paused} states are paused, the machine has room for {PAUSED}")))
    }
}

impl<S: State, const PAUSED: usize> StateMachine<S, PAUSED> {
    /// A machine with these paused states, the oldest first; `None` if they are too many.
    pub(crate) fn with_paused(current: S, paused: &[S]) -> Option<Self> {
        let mut machine = Self::new(current);
        for (place, state) in machine.paused.get_mut(..paused.len())?.iter_mut().zip(paused) {
            *place = Some(*state);
        }
        Some(machine)
    }
}
