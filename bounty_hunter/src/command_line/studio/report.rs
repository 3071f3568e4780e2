//! The panel `Report`: the match up to the shown moment as a replay.

use serde::Deserialize;
use serde_json::{Value, json};

/// A request of the page. The match itself makes the replay, before its next step, since it has the inputs.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Request {
    Make {},
    /// The replay; null while it is not made yet.
    Take {},
}

/// A replay that the page asks for.
#[derive(Debug, Default)]
pub(super) enum Report {
    #[default]
    Nothing,
    Wanted,
    /// The number of its steps and its bytes, or why there is none.
    Made(Result<(u64, Vec<u8>), String>),
}

impl Report {
    pub(super) fn answer(&mut self, request: &Request) -> Result<Value, String> {
        match (request, &self) {
            (Request::Make {}, _) => *self = Self::Wanted,
            (Request::Take {}, Self::Nothing) => return Err("make the replay first".to_owned()),
            (Request::Take {}, Self::Wanted) => {}
            (Request::Take {}, Self::Made(_)) => {
                let Self::Made(made) = std::mem::take(self) else { return Ok(Value::Null) };
                let (steps, bytes) = made?;
                let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                return Ok(json!({ "steps": steps, "bytes": digits }));
            }
        }
        Ok(Value::Null)
    }
}
