//! [`Question`]: one line that is asked of an engine: which entities, whether, or how much.

mod compile;
mod evaluate;
mod field;
mod invariants;
mod nearness;
mod syntax;
mod unknown;
mod value;

use std::any::TypeId;
use std::fmt;

use self::compile::{Compiler, Node};
use self::evaluate::{At, candidates, values};
pub use self::invariants::{Breach, Invariants};
use self::value::Value;
use crate::engine::Engine;
use crate::entity::EntityId;

/// A question that was read and whose names are resolved. The guide has a page about the language.
///
/// It is asked of the engine that it was compiled for, or of another one with the same types.
///
/// # Example
/// ```
/// use ecs::Engine;
/// use ecs::inspect::Question;
///
/// #[derive(Clone, serde::Serialize, serde::Deserialize)]
/// struct Health { points: i32 }
///
/// let mut engine = Engine::new();
/// engine.types_mut().component_by::<Health>("health", |health, hash| {
///     hash.add(&health.points);
/// })?.save::<Health>(1)?;
/// let hurt = engine.spawn((Health { points: 3 },));
/// engine.spawn((Health { points: 9 },));
///
/// let question = Question::new("health.points < 5", &engine)?;
/// assert_eq!(question.entities(&engine), [hurt]);
/// assert_eq!(Question::new("sum(health.points) / count(health)", &engine)?.number(&engine), Some(6.0));
/// let error = Question::new("helth.points < 5", &engine).unwrap_err();
/// assert_eq!(error.to_string(), "column 1: no component, resource or system is registered as `helth`: `health` may be meant");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Question {
    text: Box<str>,
    node: Node,
    is_about_entities: bool,
    /// The names and functions whose values explain an answer, as they are written.
    shown: Vec<(String, Node)>,
    remembered: Vec<Remembered>,
    /// The first frame and the last one that were ended.
    ended: Option<(u64, u64)>,
    /// Events that are counted, and how many were sent up to the frame before.
    events: Vec<(TypeId, Option<u64>)>,
}

/// What `changed` and `delta` compare with, and since when the condition of a `held` holds.
#[derive(Clone, Debug)]
struct Remembered {
    node: Node,
    is_of_entities: bool,
    /// How many frames before the present one the value depends on.
    frames: u32,
    /// The values of the frame before, by entity; `None` if there was none.
    before: Option<Vec<(EntityId, Value)>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    Different,
    Less,
    LessOrEqual,
    More,
    MoreOrEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Plus,
    Minus,
    Times,
    By,
    Remainder,
}

/// An entity, or a frame, for which a question holds or does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// [`Time::frame`](crate::Time::frame) of the frame.
    pub frame: u64,
    /// The entity; `None` if the question is about the frame.
    pub entity: Option<EntityId>,
    /// For how many more entities it holds or does not.
    pub others: usize,
    /// The names in the question and their values, as people read them. One that is asked about by `changed` has the
    /// value of the frame before, too.
    pub values: Vec<(String, String)>,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.entity {
            Some(entity) if self.others > 0 => write!(f, "entity {entity} (and {} more) has ", self.others)?,
            Some(entity) => write!(f, "entity {entity} has ")?,
            // It has no names, such as `1 = 2`.
            None if self.values.is_empty() => return f.write_str("in every frame"),
            None => {}
        }
        for (place, (name, value)) in self.values.iter().enumerate() {
            write!(f, "{}{name} = {value}", if place > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

/// Why a text is no question: one sentence.
#[derive(Clone, PartialEq, Eq)]
pub struct QuestionError {
    sentence: String,
}

impl QuestionError {
    fn new(sentence: String) -> Self {
        Self { sentence }
    }

    /// At a byte of the text.
    fn at(text: &str, at: usize, problem: String) -> Self {
        let column = text.get(..at).map_or(0, |before| before.chars().count()) + 1;
        Self { sentence: format!("column {column}: {problem}") }
    }
}

impl fmt::Display for QuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

crate::sentence::impl_error!(QuestionError);

impl Question {
    /// Reads a question, and resolves its names among the types that `engine` knows.
    ///
    /// # Errors
    /// - The text does not follow the grammar, or is longer than 1,000 bytes.
    /// - A name is that of no component, resource, event or function.
    /// - A field is asked for of a type that is not registered for saving.
    pub fn new(text: &str, engine: &Engine) -> Result<Self, QuestionError> {
        Compiler::new(text, engine).compile(&syntax::parse(text)?)
    }

    fn empty(text: &str) -> Self {
        let node = Node::Value(Value::Missing);
        let (shown, remembered, events) = (Vec::new(), Vec::new(), Vec::new());
        Self { text: text.into(), node, is_about_entities: false, shown, remembered, ended: None, events }
    }

    fn remember_node(&mut self, node: Node, frames: u32) {
        let remembered = Remembered::new(node, frames, &self.remembered);
        self.remembered.push(remembered);
    }

    /// The text that it was read from.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is about each entity; otherwise it is about the frame.
    #[must_use]
    pub fn is_about_entities(&self) -> bool {
        self.is_about_entities
    }

    /// Whether it holds or does not; otherwise it is a value.
    #[must_use]
    pub fn is_condition(&self) -> bool {
        self.node.is_condition()
    }

    /// The component and the path of a question that is nothing but the name of a part of one, as in `mood.Hunting`.
    #[must_use]
    pub fn part<'a>(&'a self, engine: &'a Engine) -> Option<(&'a str, Vec<&'a str>)> {
        let Node::Holds(inner) = &self.node else { return None };
        let Node::Component { component, path, .. } = &**inner else { return None };
        let entry = engine.types().components.of(*component).filter(|_| !path.is_empty())?;
        Some((&entry.name, path.iter().map(|step| &*step.name).collect()))
    }

    /// For how many frames before the one that it is asked of [`Question::end_frame`] must have been called: 0 for one
    /// about the frame alone, 1 with `changed`, `delta` or `sent`, more with `held`. Until then it is unknown.
    #[must_use]
    pub fn frames_back(&self) -> u32 {
        self.frames_back_since(0, 0)
    }

    /// Of the parts with what was remembered, and with events, from these places on.
    fn frames_back_since(&self, remembered: usize, events: usize) -> u32 {
        let remembered = self.remembered[remembered..].iter().map(|known| known.frames);
        remembered.chain(self.events[events..].iter().map(|_| 1)).max().unwrap_or(0)
    }

    /// The entities for which it holds, by their ids; all of them if it is about the frame, which holds.
    ///
    /// # Complexity
    /// O(n) for the n entities with the components that it cannot hold without.
    #[must_use]
    pub fn entities(&self, engine: &Engine) -> Vec<EntityId> {
        let mut found = self.candidates(engine);
        found.retain(|entity| self.holds_for(engine, *entity));
        found
    }

    /// Whether it holds for an entity. False if that is unknown, or if it is no condition.
    #[must_use]
    pub fn holds_for(&self, engine: &Engine, entity: EntityId) -> bool {
        self.is_condition() && self.at(engine, Some(entity)).holds(&self.node) == Some(true)
    }

    /// The first entity for which it holds, or the frame; `None` if there is none.
    #[must_use]
    pub fn first(&self, engine: &Engine) -> Option<Found> {
        self.first_with(engine, true)
    }

    /// The first entity for which it does not hold, or the frame. What is unknown is left out.
    #[must_use]
    pub fn first_breach(&self, engine: &Engine) -> Option<Found> {
        self.first_with(engine, false)
    }

    /// One number: that of a question about the frame, 1 or 0 for a condition about it, or the number of entities for
    /// which it holds. `None` if it is unknown, or a value of each entity.
    #[must_use]
    pub fn number(&self, engine: &Engine) -> Option<f64> {
        match (self.is_condition(), self.is_about_entities) {
            (true, true) => Some(self.entities(engine).len() as f64),
            (true, false) => self.at(engine, None).holds(&self.node).map(f64::from),
            (false, true) => None,
            (false, false) => self.at(engine, None).value(&self.node).number(),
        }
    }

    /// Ends a frame: keeps what `changed`, `delta`, `sent` and `held` need in the next one. A frame that is ended again
    /// counts once; one that does not follow the last that was ended begins again.
    pub fn end_frame(&mut self, engine: &Engine) {
        let frame = engine.time().frame();
        if self.has_gap_before(frame) || self.ended.is_some_and(|(_, last)| frame < last) {
            self.begin_again();
        }
        let is_again = self.ended.is_some_and(|(_, last)| frame == last);
        self.ended = Some((self.ended.map_or(frame, |(first, _)| first), frame));
        let all: Vec<_> = self.remembered.iter().map(|known| values(self.at(engine, None), known)).collect();
        for (known, values) in self.remembered.iter_mut().zip(all) {
            // Compared with the frame itself, what looks back is otherwise.
            let looks_back = known.frames > 1 || matches!(known.node, Node::Since(..));
            if !(is_again && looks_back) {
                known.before = Some(values);
            }
        }
        for (event, before) in &mut self.events {
            *before = Some(engine.events().sent(*event));
        }
    }

    /// Whether frames right before this one were not ended: what held in them is unknown.
    fn has_gap_before(&self, frame: u64) -> bool {
        self.ended.is_some_and(|(_, last)| last + 1 < frame)
    }

    /// Forgets the frames before, unless the one that was ended last is that before the present one.
    fn begin_again_unless_next(&mut self, engine: &Engine) {
        let frame = engine.time().frame();
        if self.ended.is_some_and(|(_, last)| last + 1 != frame) {
            self.begin_again();
        }
    }

    /// Forgets the frames before, since another moment was restored.
    pub fn begin_again(&mut self) {
        self.ended = None;
        self.remembered.iter_mut().for_each(|known| known.before = None);
        self.events.iter_mut().for_each(|(_, before)| *before = None);
    }

    pub(super) fn candidates(&self, engine: &Engine) -> Vec<EntityId> {
        candidates(engine, &self.node, true)
    }

    fn at<'a>(&'a self, engine: &'a Engine, entity: Option<EntityId>) -> At<'a> {
        At { engine, question: self, entity }
    }

    fn first_with(&self, engine: &Engine, truth: bool) -> Option<Found> {
        if !self.is_condition() {
            return None;
        }
        let is_it = |entity| self.at(engine, entity).holds(&self.node) == Some(truth);
        let (entity, others) = match self.is_about_entities {
            true => {
                let all = candidates(engine, &self.node, truth).into_iter();
                let mut all = all.filter(|entity| is_it(Some(*entity)));
                (Some(all.next()?), all.count())
            }
            false => is_it(None).then_some((None, 0))?,
        };
        let values = self.shown.iter().map(|(name, node)| (name.clone(), self.at(engine, entity).shown(node)));
        Some(Found { frame: engine.time().frame(), entity, others, values: values.collect() })
    }
}
