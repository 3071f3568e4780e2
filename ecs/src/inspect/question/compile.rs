//! Resolves the names of a question: what is left are types, paths and numbers.

use std::any::TypeId;
use std::cell::OnceCell;
use std::sync::Arc;

use super::field::Step;
use super::syntax::{Place, Syntax};
use super::value::Value;
use super::{Comparison, Operation, Question, QuestionError};
use crate::engine::Engine;
use crate::near_name::{may_be_meant, nearest_name};
use crate::system::{NoSuchPart, StateReaders};
use crate::types::in_path;

/// The functions, of which an unknown one may be meant.
const FUNCTIONS: [&str; 8] = ["changed", "count", "delta", "held", "least", "most", "sent", "sum"];
/// Limit of the frames of a `held`: so many are run again before each span of a search.
const MOST_FRAMES: u32 = 1_000;
/// Names that the engine fills.
const BUILT_IN: [&str; 3] = ["entity", "frame", "seconds"];

/// A compiled part of a question.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Value(Value),
    /// The entity that is asked about.
    Entity,
    Frame,
    Seconds,
    Component {
        component: TypeId,
        /// Whether its fields are known.
        is_saved: bool,
        path: Box<[Step]>,
    },
    Resource {
        resource: TypeId,
        path: Box<[Step]>,
    },
    System {
        /// The name of the system.
        name: Box<str>,
        readers: Arc<StateReaders>,
        path: Box<[Step]>,
    },
    /// How many events were sent since the frame before, by the place in [`Question::events`].
    Sent(usize),
    /// Whether a value is there and not `false`.
    Holds(Box<Node>),
    Count(Box<Node>),
    Fold(Fold, Box<Node>, Option<Box<Node>>),
    /// By the place in [`Question::remembered`].
    Changed(usize),
    Delta(usize),
    /// Since which frame a condition holds, by the place in [`Question::remembered`].
    Since(usize, Box<Node>),
    /// Whether the condition of a `Since` held in so many frames, up to the present one.
    Held(u32, Box<Node>),
    Not(Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
    Compare(Comparison, Box<Node>, Box<Node>),
    Calculate(Operation, Box<Node>, Box<Node>),
    Negative(Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    Sum,
    Least,
    Most,
}

impl Node {
    /// Whether it is a value of the program.
    fn is_place(&self) -> bool {
        matches!(self, Self::Component { .. } | Self::Resource { .. } | Self::System { .. })
    }

    /// Whether it holds or does not.
    pub(super) fn is_condition(&self) -> bool {
        matches!(
            self,
            Self::Value(Value::Flag(_))
                | Self::Holds(_)
                | Self::Changed(_)
                | Self::Held(..)
                | Self::Not(_)
                | Self::And(_)
                | Self::Or(_)
                | Self::Compare(..)
        )
    }
}

/// What a sentence about an unknown name ends with, if another one is near: as it is written in a question.
fn meant_in_a_question<'a>(name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    let meant = may_be_meant(name, known.clone());
    let is_quoted = nearest_name(name, known).is_some_and(|name| in_path(name) != name);
    if is_quoted { meant + ", with its backquotes" } else { meant }
}

/// Resolves the names of a question among the types that the engine knows.
pub(super) struct Compiler<'e> {
    pub(super) text: &'e str,
    pub(super) engine: &'e Engine,
    pub(super) question: Question,
    /// Made for the first name that may be that of a system.
    readers: OnceCell<Arc<StateReaders>>,
    /// Within a function over all entities.
    is_inside: bool,
}

impl<'e> Compiler<'e> {
    pub(super) fn new(text: &'e str, engine: &'e Engine) -> Self {
        Self { text, engine, question: Question::empty(text), readers: OnceCell::new(), is_inside: false }
    }

    /// The question; one that is nothing but a name is a condition if it is `true` of an entity.
    pub(super) fn compile(mut self, syntax: &Syntax) -> Result<Question, QuestionError> {
        let node = self.node(syntax)?;
        self.question.node = match node {
            node if node.is_place() && matches!(syntax, Syntax::Place(_)) => Node::Holds(Box::new(node)),
            node => node,
        };
        Ok(self.question)
    }

    fn error(&self, at: usize, problem: String) -> QuestionError {
        QuestionError::at(self.text, at, problem)
    }

    fn boxed(&mut self, syntax: &Syntax) -> Result<Box<Node>, QuestionError> {
        self.node(syntax).map(Box::new)
    }

    fn node(&mut self, syntax: &Syntax) -> Result<Node, QuestionError> {
        Ok(match syntax {
            Syntax::Number(number) => Node::Value(Value::Number(*number)),
            Syntax::Text(text) => Node::Value(Value::Text(text.as_str().into())),
            Syntax::Flag(flag) => Node::Value(Value::Flag(*flag)),
            Syntax::Entity { index, version } => {
                let (entity, id) = (Value::entity(*index, *version), format!("{index}v{version}"));
                if entity.to_string() != id {
                    return Err(QuestionError::new(format!("`{id}` is the id of no entity: its version is odd")));
                }
                Node::Value(entity)
            }
            Syntax::Place(place) => self.place(place)?,
            Syntax::Call { at, name, arguments } => self.call(*at, name, arguments)?,
            Syntax::Not(inner) => Node::Not(Box::new(self.condition(inner, 0)?)),
            Syntax::And(sides) => Node::And(self.conditions(sides)?),
            Syntax::Or(sides) => Node::Or(self.conditions(sides)?),
            Syntax::Compare(comparison, left, right) => {
                let left = self.boxed(left)?;
                let is_equality = matches!(comparison, Comparison::Equal | Comparison::Different);
                let right = match &**right {
                    // A word that names nothing.
                    Syntax::Place(Place { name, fields, .. })
                        if is_equality && fields.is_empty() && !self.is_known(name) =>
                    {
                        Box::new(Node::Value(Value::Text(name.as_str().into())))
                    }
                    right => self.boxed(right)?,
                };
                Node::Compare(*comparison, left, right)
            }
            Syntax::Calculate(operation, left, right) => {
                Node::Calculate(*operation, self.boxed(left)?, self.boxed(right)?)
            }
            Syntax::Negative(inner) => Node::Negative(self.boxed(inner)?),
        })
    }

    fn conditions(&mut self, sides: &[(Syntax, usize)]) -> Result<Vec<Node>, QuestionError> {
        sides.iter().map(|(side, at)| self.condition(side, *at)).collect()
    }

    /// What holds or does not. A name holds if its value is there.
    fn condition(&mut self, syntax: &Syntax, at: usize) -> Result<Node, QuestionError> {
        match self.node(syntax)? {
            node if node.is_condition() => Ok(node),
            node if node.is_place() => Ok(Node::Holds(Box::new(node))),
            _ => Err(self.error(at, "this is a value and no condition: compare it, as in `… > 0`".to_owned())),
        }
    }

    /// Whether a word is the name of a value. That of a system alone is none, so that a system never changes what a
    /// word means.
    fn is_known(&self, name: &str) -> bool {
        let types = self.engine.types();
        BUILT_IN.contains(&name) || types.components.named(name).is_some() || types.resources.named(name).is_some()
    }

    fn place(&mut self, place: &Place) -> Result<Node, QuestionError> {
        let step = |name: &String| Step { name: name.as_str().into(), index: name.parse().ok() };
        let path: Box<[Step]> = place.fields.iter().map(step).collect();
        let types = self.engine.types();
        let not_saved = |rust_name: &str| {
            let problem =
                format!("`{}` ({rust_name}) is not registered for saving: its fields are unknown", place.name);
            self.error(place.at, problem)
        };
        let node = if let Some(entry) = types.components.named(&place.name) {
            let is_saved = entry.codec.is_some();
            if !is_saved && !path.is_empty() {
                return Err(not_saved(entry.rust_name));
            }
            Node::Component { component: entry.type_id, is_saved, path }
        } else if let Some(entry) = types.resources.named(&place.name) {
            if entry.codec.is_none() {
                return Err(not_saved(entry.rust_name));
            }
            Node::Resource { resource: entry.type_id, path }
        } else {
            match (&*place.name, place.fields.is_empty()) {
                ("entity", true) => Node::Entity,
                ("frame", true) => Node::Frame,
                ("seconds", true) => Node::Seconds,
                _ => self.system(place, path)?,
            }
        };
        if !self.is_inside {
            self.question.is_about_entities |= matches!(node, Node::Component { .. } | Node::Entity);
            if !self.question.shown.iter().any(|(text, _)| *text == place.text) {
                self.question.shown.push((place.text.clone(), node.clone()));
            }
        }
        Ok(node)
    }

    /// The state of a system, or a part of it.
    fn system(&self, place: &Place, path: Box<[Step]>) -> Result<Node, QuestionError> {
        let readers = self.readers();
        let node = readers.find(&place.name, self.engine.systems()).ok_or_else(|| self.unknown_name(place))?;
        match readers.check_path(node, place.fields.iter().map(String::as_str)) {
            Ok(()) => Ok(Node::System { name: (*place.name).into(), readers: Arc::clone(readers), path }),
            Err(NoSuchPart::Unknown) => {
                let problem = format!("`{}` is not registered for saving: its fields are unknown", place.name);
                Err(self.error(place.at, problem))
            }
            Err(NoSuchPart::Among(known)) => {
                let (name, wanted) = (&place.name, &place.fields[0]);
                let problem = format!("`{name}` has no field `{wanted}`: it has {}", known.join(", "));
                Err(self.error(place.at, problem))
            }
        }
    }

    fn readers(&self) -> &Arc<StateReaders> {
        self.readers.get_or_init(|| Arc::new(StateReaders::of(self.engine.types())))
    }

    fn unknown_name(&self, place: &Place) -> QuestionError {
        let types = self.engine.types();
        let components = types.components.by_name().map(|entry| &*entry.name);
        let systems = self.readers().named(self.engine.systems());
        let systems = systems.iter().map(|(name, _)| &**name);
        let known = components.chain(types.resources.by_name().map(|entry| &*entry.name)).chain(systems);
        let known: Vec<&str> = known.chain(BUILT_IN).collect();
        let meant = meant_in_a_question(&place.name, known);
        self.error(place.at, format!("no component, resource or system is registered as `{}`{meant}", place.name))
    }

    fn call(&mut self, at: usize, name: &str, arguments: &[(Syntax, usize)]) -> Result<Node, QuestionError> {
        if !FUNCTIONS.contains(&name) {
            return Err(self.error(at, format!("there is no function `{name}`{}", may_be_meant(name, FUNCTIONS))));
        }
        let (first, first_at) = &arguments[0];
        let most = if ["held", "sum", "least", "most"].contains(&name) { 2 } else { 1 };
        if let Some((_, at)) = arguments.get(most) {
            return Err(self.error(*at, format!("`{name}` takes {most} of these, not {}", arguments.len())));
        }
        match name {
            "sent" => self.sent(at, first),
            "changed" | "delta" => {
                if name == "changed" && !matches!(first, Syntax::Place(_)) {
                    return Err(
                        self.error(*first_at, "`changed` takes a name, as in `changed(ball.height_m)`".to_owned())
                    );
                }
                let shown = self.question.shown.len();
                let (inner, back) = self.with_frames_back(|compiler| compiler.node(first))?;
                let place = self.question.remembered.len();
                let frames = 1 + back;
                self.question.remember_node(inner, frames);
                let node = if name == "changed" { Node::Changed(place) } else { Node::Delta(place) };
                match first {
                    _ if self.is_inside => {}
                    // Its name is told with the value before.
                    Syntax::Place(first) if name == "changed" => {
                        let known = self.question.shown.iter_mut().find(|(text, _)| *text == first.text);
                        known.into_iter().for_each(|(_, shown)| *shown = node.clone());
                    }
                    _ => self.show_call(at, name, &node, shown),
                }
                Ok(node)
            }
            "held" => self.held(at, arguments),
            _ => {
                if std::mem::replace(&mut self.is_inside, true) {
                    return Err(self.error(at, format!("`{name}` stands within another function over all entities")));
                }
                let node = match name {
                    "count" => self.condition(first, *first_at).map(|inner| Node::Count(Box::new(inner))),
                    _ => self.fold(name, arguments),
                };
                self.is_inside = false;
                let node = node?;
                self.show_call(at, name, &node, self.question.shown.len());
                Ok(node)
            }
        }
    }

    /// A node, and how many frames it looks back.
    fn with_frames_back(
        &mut self,
        compile: impl FnOnce(&mut Self) -> Result<Node, QuestionError>,
    ) -> Result<(Node, u32), QuestionError> {
        let (remembered, events) = (self.question.remembered.len(), self.question.events.len());
        let node = compile(self)?;
        Ok((node, self.question.frames_back_since(remembered, events)))
    }

    fn held(&mut self, at: usize, arguments: &[(Syntax, usize)]) -> Result<Node, QuestionError> {
        let (condition, condition_at) = &arguments[0];
        let problem = || format!("`held` takes a condition and a whole number of frames, from 1 to {MOST_FRAMES}");
        let frames = match arguments.get(1) {
            Some((Syntax::Number(frames), at)) => {
                let is_allowed = frames.fract() == 0.0 && (1.0..=f64::from(MOST_FRAMES)).contains(frames);
                is_allowed.then_some(*frames as u32).ok_or_else(|| self.error(*at, problem()))?
            }
            Some((_, at)) => return Err(self.error(*at, problem())),
            None => return Err(self.error(at, problem())),
        };
        let (condition, back) = self.with_frames_back(|compiler| compiler.condition(condition, *condition_at))?;
        let back = frames - 1 + back;
        let since = Node::Since(self.question.remembered.len(), Box::new(condition));
        self.question.remember_node(since.clone(), back);
        Ok(Node::Held(frames, Box::new(since)))
    }

    fn fold(&mut self, name: &str, arguments: &[(Syntax, usize)]) -> Result<Node, QuestionError> {
        let kind = match name {
            "sum" => Fold::Sum,
            "least" => Fold::Least,
            _ => Fold::Most,
        };
        let value = self.boxed(&arguments[0].0)?;
        let condition = arguments.get(1).map(|(condition, at)| self.condition(condition, *at)).transpose()?;
        Ok(Node::Fold(kind, value, condition.map(Box::new)))
    }

    /// The value of a function is told beside those of the names, behind so many of them.
    fn show_call(&mut self, at: usize, name: &str, node: &Node, behind: usize) {
        let inner = &self.text[at..];
        let mut depth = 0;
        let end = inner.char_indices().find(|(_, letter)| {
            depth += i32::from(*letter == '(') - i32::from(*letter == ')');
            depth == 0 && *letter == ')'
        });
        let text = end.map_or(name, |(place, _)| &inner[..=place]);
        if !self.question.shown.iter().any(|(known, _)| known == text) {
            self.question.shown.insert(behind, (text.to_owned(), node.clone()));
        }
    }

    fn sent(&mut self, at: usize, event: &Syntax) -> Result<Node, QuestionError> {
        let Syntax::Place(place) = event else {
            return Err(self.error(at, "`sent` takes the name of an event, as in `sent(bounced)`".to_owned()));
        };
        let (registered, known) = (&self.engine.types().events, &self.engine.events().types);
        // A name of several words stands between backquotes.
        let name = if place.fields.is_empty() { &place.name } else { &place.text };
        let by_name = registered.named(name).map(|entry| entry.type_id);
        let by_type = || known.iter().find(|event| event.name == name).map(|event| event.type_id);
        // One that was never sent or listened to is no type that the engine knows.
        let unsent = || registered.by_name().find(|entry| entry.rust_name == name).map(|entry| entry.type_id);
        let Some(event_type) = by_name.or_else(by_type).or_else(unsent) else {
            let names: Vec<&str> = registered.by_name().map(|entry| &*entry.name).collect();
            let mut meant = meant_in_a_question(name, names);
            if meant.is_empty() {
                meant = may_be_meant(name, known.iter().map(|event| event.name));
            }
            return Err(self.error(place.at, format!("there is no event `{name}`{meant}")));
        };
        self.question.events.push((event_type, None));
        let node = Node::Sent(self.question.events.len() - 1);
        self.show_call(at, "sent", &node, self.question.shown.len());
        Ok(node)
    }
}
