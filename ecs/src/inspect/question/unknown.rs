//! Why a question is unknown: it names a field that is not there, or takes as a number what is none.

use super::Question;
use super::compile::Node;
use super::evaluate::{At, candidates, with};
use super::field::Step;
use super::value::Value;
use crate::engine::Engine;
use crate::inspect::written;
use crate::types::{Walker, in_path};

/// Limit of the entities whose values are looked at.
const MOST_ENTITIES: usize = 1_000;

impl Question {
    /// Whether it holds or does not, for any entity if it is about entities. Otherwise it is unknown, and a search for
    /// it finds nothing whatever the values are.
    #[must_use]
    pub fn is_known(&self, engine: &Engine) -> bool {
        let is_known_of = |entity| self.at(engine, entity).holds(&self.node).is_some();
        let is_known_if = |truth| {
            let mut all = candidates(engine, &self.node, truth).into_iter();
            all.any(|entity| is_known_of(Some(entity)))
        };
        if self.is_about_entities { is_known_if(true) || is_known_if(false) } else { is_known_of(None) }
    }

    /// Why it is unknown, in half a sentence, as the values of this moment tell: it names a field that a struct does
    /// not have, or takes as a number what is none. `None` if it is neither of them.
    ///
    /// # Example
    /// ```
    /// use ecs::Engine;
    /// use ecs::inspect::Question;
    ///
    /// #[derive(Clone, serde::Serialize, serde::Deserialize)]
    /// struct Health { points: i32, most: i32 }
    ///
    /// let mut engine = Engine::new();
    /// engine.types_mut().component_by::<Health>("health", |health, hash| {
    ///     hash.add(&health.points);
    /// })?.save::<Health>(1)?;
    /// engine.spawn((Health { points: 3, most: 9 },));
    ///
    /// let question = Question::new("health.pints < 5", &engine)?;
    /// assert!(!question.is_known(&engine));
    /// assert_eq!(question.why_unknown(&engine).unwrap(), "`health` has no field `pints`: it has points, most");
    /// let question = Question::new("health < 5", &engine)?;
    /// assert_eq!(question.why_unknown(&engine).unwrap(), "`health` is no number: it has points, most");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn why_unknown(&self, engine: &Engine) -> Option<String> {
        self.why_unknown_node(engine, &self.node, false)
    }

    fn why_unknown_node(&self, engine: &Engine, node: &Node, is_number_needed: bool) -> Option<String> {
        let why = |node: &Node, is_number_needed| self.why_unknown_node(engine, node, is_number_needed);
        match node {
            Node::Component { component, is_saved, path } => {
                let entry = engine.types().components.of(*component)?;
                let codec = is_saved.then(|| entry.codec().ok()).flatten()?;
                let seen = with(engine, &[*component]).into_iter().take(MOST_ENTITIES).map(|entity| {
                    let look = |walker: &mut Walker<'_>| {
                        _ = written(walker, |show| entry.what.show_component(codec, engine, entity, show));
                    };
                    Seen::of(self.at(engine, Some(entity)), node, path, &look)
                });
                why_of_values(&entry.name, path, is_number_needed, seen)
            }
            Node::Resource { resource, path } => {
                let entry = engine.types().resources.of(*resource)?;
                let codec = entry.codec().ok()?;
                let look = |walker: &mut Walker<'_>| {
                    _ = written(walker, |show| entry.what.show_resource(codec, engine, show));
                };
                let seen = Seen::of(self.at(engine, None), node, path, &look);
                why_of_values(&entry.name, path, is_number_needed, [seen])
            }
            Node::System { name, readers, path } => {
                let system = readers.find(name, engine.systems())?;
                let look = |walker: &mut Walker<'_>| _ = written(walker, |show| readers.show(system, show));
                let seen = Seen::of(self.at(engine, None), node, path, &look);
                why_of_values(name, path, is_number_needed, [seen])
            }
            Node::Changed(place) => why(&self.remembered[*place].node, false),
            Node::Delta(place) => why(&self.remembered[*place].node, true),
            Node::Holds(inner) | Node::Count(inner) | Node::Not(inner) => why(inner, false),
            Node::Since(_, inner) | Node::Held(_, inner) => why(inner, false),
            Node::Negative(inner) => why(inner, true),
            Node::Fold(_, value, condition) => {
                why(value, true).or_else(|| condition.as_ref().and_then(|condition| why(condition, false)))
            }
            Node::And(sides) | Node::Or(sides) => sides.iter().find_map(|side| why(side, false)),
            Node::Compare(_, left, right) => why(left, right.is_number()).or_else(|| why(right, left.is_number())),
            Node::Calculate(_, left, right) => why(left, true).or_else(|| why(right, true)),
            Node::Value(_) | Node::Entity | Node::Frame | Node::Seconds | Node::Sent(_) => None,
        }
    }
}

impl Node {
    /// Whether its value is a number, if there is one.
    fn is_number(&self) -> bool {
        matches!(
            self,
            Self::Value(Value::Number(_))
                | Self::Frame
                | Self::Seconds
                | Self::Sent(_)
                | Self::Count(_)
                | Self::Fold(..)
                | Self::Delta(_)
                | Self::Calculate(..)
                | Self::Negative(_)
        )
    }
}

/// What is found where a question looks for a value.
struct Seen {
    value: Value,
    /// How many steps of the path there are, and the fields behind them, if a struct has no field as the path goes on.
    lacks: Option<(usize, Vec<&'static str>)>,
    /// The fields of the value, if it is a struct.
    fields: Vec<&'static str>,
}

impl Seen {
    fn of(at: At<'_>, node: &Node, path: &[Step], look: &dyn Fn(&mut Walker<'_>)) -> Self {
        let lacks = |path: &[Box<str>]| {
            let mut ignored = |_: &str, _| {};
            let mut walker = Walker::new(path, &mut ignored);
            look(&mut walker);
            walker.lacks()
        };
        let mut path: Vec<Box<str>> = path.iter().map(|step| step.name.clone()).collect();
        let lacking = lacks(&path);
        // No struct has a field without a name, so that one is asked for all its fields.
        path.push("".into());
        let fields = lacks(&path).filter(|(place, _)| *place + 1 == path.len());
        Self { value: at.value(node), lacks: lacking, fields: fields.map_or_else(Vec::new, |(_, fields)| fields) }
    }
}

/// Why no value fits a question; `None` if one does.
fn why_of_values(
    name: &str,
    path: &[Step],
    is_number_needed: bool,
    seen: impl IntoIterator<Item = Seen>,
) -> Option<String> {
    let text = |steps: usize| path[..steps].iter().fold(in_path(name), |text, step| text + "." + &in_path(&step.name));
    let quoted = |steps| match text(steps) {
        text if text.starts_with('`') && text.ends_with('`') => text,
        text => format!("`{text}`"),
    };
    let (mut lacks, mut fields, mut is_there) = (None, Vec::new(), false);
    for seen in seen {
        is_there |= seen.value != Value::Missing;
        if matches!(seen.value, Value::Number(_)) {
            return None;
        }
        lacks = lacks.or(seen.lacks);
        if fields.is_empty() {
            fields = seen.fields;
        }
    }
    match (lacks, is_there) {
        (Some((place, known)), false) => {
            let (whole, wanted) = (quoted(place), &path[place].name);
            Some(format!("{whole} has no field `{wanted}`: it has {}", known.join(", ")))
        }
        (_, true) if is_number_needed && fields.is_empty() => Some(format!("{} is no number", quoted(path.len()))),
        (_, true) if is_number_needed => {
            Some(format!("{} is no number: it has {}", quoted(path.len()), fields.join(", ")))
        }
        _ => None,
    }
}
