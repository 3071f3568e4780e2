//! The people at this screen, as pictures of their match show them.

use crate::client::unlocks::Look;

/// Names and looks of people, by their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct People {
    /// An empty name is the usual one.
    pub(crate) names: Vec<String>,
    /// The looks of their ships.
    pub(crate) looks: Vec<Look>,
}

impl People {
    /// The same people under their usual names.
    pub(crate) fn without_names(self) -> Self {
        Self { names: Vec::new(), ..self }
    }
}
