//! [`Panels`]: tabs that a program adds to the page, with their script and their requests.

use std::fmt;

use serde_json::Value;

/// The answer of a panel to a request.
pub enum PanelAnswer<S> {
    /// What the script gets.
    Value(Value),
    /// As [`PanelAnswer::change`].
    Change(Change<S>),
}

/// A change of a subject as a whole, and what the script gets then.
type Change<S> = Box<dyn FnOnce(&mut S) -> Result<Value, String>>;

impl<S> PanelAnswer<S> {
    /// Changes the subject in another way than by an [`Edit`](crate::Edit), or replaces it, and returns what the script
    /// gets. It is called with the present, also while the past or the middle of a frame is shown. What was recorded is
    /// forgotten then, unless it fails, which must change nothing.
    pub fn change(change: impl FnOnce(&mut S) -> Result<Value, String> + 'static) -> Self {
        Self::Change(Box::new(change))
    }
}

impl<S> fmt::Debug for PanelAnswer<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(value) => f.debug_tuple("Value").field(value).finish(),
            Self::Change(_) => f.write_str("Change"),
        }
    }
}

impl<S> From<Value> for PanelAnswer<S> {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

type Handler<S> = Box<dyn FnMut(&mut S, Value) -> Result<PanelAnswer<S>, String>>;

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

    pub(crate) fn answer(&mut self, subject: &mut S, name: &str, request: Value) -> Result<PanelAnswer<S>, String> {
        let mut handlers = self.handlers.iter_mut();
        let (_, handler) =
            handlers.find(|(known, _)| known == name).ok_or_else(|| format!("there is no panel {name:?}"))?;
        handler(subject, request)
    }
}
