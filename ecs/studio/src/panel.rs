//! [`Panels`]: tabs that a program adds to the page, with their script and their requests.

use serde_json::Value;

/// The answer of a panel to a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PanelAnswer {
    /// What the script gets.
    pub value: Value,
    /// The subject was replaced by another one, so what was recorded is forgotten.
    pub is_new_subject: bool,
}

impl From<Value> for PanelAnswer {
    fn from(value: Value) -> Self {
        Self { value, is_new_subject: false }
    }
}

type Handler<S> = Box<dyn FnMut(&mut S, Value) -> Result<PanelAnswer, String>>;

/// The panels of a program, by name.
pub(crate) struct Panels<S> {
    handlers: Vec<(String, Handler<S>)>,
    /// The scripts of all panels.
    pub(crate) script: String,
}

impl<S> Default for Panels<S> {
    fn default() -> Self {
        Self { handlers: Vec::new(), script: String::new() }
    }
}

impl<S> Panels<S> {
    pub(crate) fn add(&mut self, name: &str, script: &str, handler: Handler<S>) {
        self.handlers.push((name.to_owned(), handler));
        self.script.push_str(script);
    }

    pub(crate) fn answer(&mut self, subject: &mut S, name: &str, request: Value) -> Result<PanelAnswer, String> {
        let mut handlers = self.handlers.iter_mut();
        let (_, handler) =
            handlers.find(|(known, _)| known == name).ok_or_else(|| format!("there is no panel {name:?}"))?;
        handler(subject, request)
    }
}
