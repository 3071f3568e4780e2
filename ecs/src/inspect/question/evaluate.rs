//! Evaluates the compiled parts of a question.

use std::any::TypeId;

use super::compile::{Fold, Node};
use super::field::{Field, Step};
use super::value::Value;
use super::{Question, Remembered};
use crate::component::ComponentMask;
use crate::engine::Engine;
use crate::entity::EntityId;
use crate::inspect::written;
use crate::query::MaskQuery;

/// What a node is evaluated for.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) engine: &'a Engine,
    pub(super) question: &'a Question,
    pub(super) entity: Option<EntityId>,
}

impl At<'_> {
    pub(super) fn value(self, node: &Node) -> Value {
        match node {
            Node::Value(value) => value.clone(),
            Node::Entity => self.entity.map_or(Value::Missing, Value::Entity),
            Node::Frame => Value::Number(self.engine.time().frame() as f64),
            Node::Seconds => Value::Number(self.engine.time().elapsed().as_secs_f64()),
            Node::Component { component, is_saved, path } => self.component(*component, *is_saved, path),
            Node::Resource { resource, path } => self.resource(*resource, path),
            Node::System { name, readers, path } => {
                let node = readers.find(name, self.engine.systems());
                node.and_then(|node| written(Field(path), |show| readers.show(node, show)).ok())
                    .unwrap_or(Value::Missing)
            }
            Node::Sent(place) => {
                let (event, before) = &self.question.events[*place];
                before.map_or(Value::Missing, |before| {
                    Value::Number(self.engine.events().sent(*event).saturating_sub(before) as f64)
                })
            }
            Node::Holds(inner) => Value::Flag(!matches!(self.value(inner), Value::Missing | Value::Flag(false))),
            Node::Count(condition) => {
                let all = candidates(self.engine, condition, true);
                let holding = all.into_iter().filter(|entity| self.of(*entity).holds(condition) == Some(true));
                Value::Number(holding.count() as f64)
            }
            Node::Fold(fold, value, condition) => self.fold(*fold, value, condition.as_deref()),
            Node::Changed(place) => {
                let known = &self.question.remembered[*place];
                match known.before(self.entity).map(|before| (before, self.value(&known.node))) {
                    None | Some((Value::Missing, Value::Missing)) => Value::Missing,
                    Some((before, value)) => Value::Flag(!before.is_same(&value)),
                }
            }
            Node::Delta(place) => {
                let known = &self.question.remembered[*place];
                let change = known
                    .before(self.entity)
                    .and_then(|before| Some(self.value(&known.node).number()? - before.number()?));
                change.map_or(Value::Missing, Value::Number)
            }
            Node::Since(place, condition) if self.holds(condition) == Some(true) => {
                let frame = self.engine.time().frame();
                let before = self.question.remembered[*place].before(self.entity);
                let since = before.filter(|_| !self.question.has_gap_before(frame)).and_then(|since| since.number());
                Value::Number(since.map_or(frame as f64, |since| since.min(frame as f64)))
            }
            Node::Since(..) => Value::Missing,
            Node::Held(frames, since) => self.held(*frames, since),
            Node::Not(inner) => self.holds(inner).map_or(Value::Missing, |holds| Value::Flag(!holds)),
            Node::And(sides) => self.decided(sides, false),
            Node::Or(sides) => self.decided(sides, true),
            Node::Compare(comparison, left, right) => self.value(left).compare(*comparison, &self.value(right)),
            Node::Calculate(operation, left, right) => self.value(left).calculate(*operation, &self.value(right)),
            Node::Negative(inner) => self.value(inner).number().map_or(Value::Missing, |number| Value::Number(-number)),
        }
    }

    /// The value as people read it; of a `changed`, that of its name now and in the frame before.
    pub(super) fn shown(self, node: &Node) -> String {
        let Node::Changed(place) = node else { return self.value(node).to_string() };
        let known = &self.question.remembered[*place];
        let now = self.value(&known.node);
        known.before(self.entity).map_or_else(|| now.to_string(), |before| format!("{now} (was {before})"))
    }

    /// Whether a condition holds, if that is known.
    pub(super) fn holds(self, node: &Node) -> Option<bool> {
        self.value(node).truth()
    }

    fn of(self, entity: EntityId) -> Self {
        Self { entity: Some(entity), ..self }
    }

    /// One side that is `by` decides; otherwise one that is unknown.
    fn decided(self, sides: &[Node], by: bool) -> Value {
        let mut value = Value::Flag(!by);
        for side in sides {
            match self.holds(side) {
                Some(holds) if holds == by => return Value::Flag(by),
                Some(_) => {}
                None => value = Value::Missing,
            }
        }
        value
    }

    /// It is unknown as long as the frames that were ended are too few to tell.
    fn held(self, frames: u32, since: &Node) -> Value {
        let Node::Since(place, condition) = since else { return Value::Missing };
        let now = self.engine.time().frame();
        if let Some(since) = self.value(since).number()
            && now as f64 - since + 1.0 >= f64::from(frames)
        {
            return Value::Flag(true);
        }
        let back = u64::from(self.question.remembered[*place].frames);
        let is_known = self.question.ended.is_some_and(|(first, _)| first + back <= now);
        let is_known = is_known && !self.question.has_gap_before(now);
        match is_known || self.holds(condition) == Some(false) {
            true => Value::Flag(false),
            false => Value::Missing,
        }
    }

    fn component(self, component: TypeId, is_saved: bool, path: &[Step]) -> Value {
        let (Some(entity), Some(entry)) = (self.entity, self.engine.types().components.of(component)) else {
            return Value::Missing;
        };
        match entry.codec() {
            Ok(codec) if is_saved => {
                let shown = written(Field(path), |show| entry.what.show_component(codec, self.engine, entity, show));
                shown.unwrap_or(Value::Missing)
            }
            _ => {
                let components = self.engine.components();
                let (id, info) = (components.id_by_type(component), components.info_of(entity));
                match info.is_some_and(|info| info.components.iter().any(|own| Some(own.id) == id)) {
                    true => Value::Whole { name: None, hash: 0 },
                    false => Value::Missing,
                }
            }
        }
    }

    fn resource(self, resource: TypeId, path: &[Step]) -> Value {
        let entry = self.engine.types().resources.of(resource);
        let Some((entry, codec)) = entry.and_then(|entry| Some((entry, entry.codec().ok()?))) else {
            return Value::Missing;
        };
        written(Field(path), |show| entry.what.show_resource(codec, self.engine, show)).unwrap_or(Value::Missing)
    }

    fn fold(self, fold: Fold, value: &Node, condition: Option<&Node>) -> Value {
        let mut components = Vec::new();
        needed(value, true, &mut components);
        if let Some(condition) = condition {
            needed(condition, true, &mut components);
        }
        let mut result = None;
        for entity in with(self.engine, &components) {
            let at = self.of(entity);
            if condition.is_some_and(|condition| at.holds(condition) != Some(true)) {
                continue;
            }
            if let Some(number) = at.value(value).number() {
                result = Some(result.map_or(number, |before: f64| match fold {
                    Fold::Sum => before + number,
                    Fold::Least => before.min(number),
                    Fold::Most => before.max(number),
                }));
            }
        }
        match (result, fold) {
            (Some(number), _) => Value::Number(number),
            (None, Fold::Sum) => Value::Number(0.0),
            (None, Fold::Least | Fold::Most) => Value::Missing,
        }
    }
}

/// The entities for which a condition can be `truth`, by their ids.
pub(super) fn candidates(engine: &Engine, condition: &Node, truth: bool) -> Vec<EntityId> {
    let mut components = Vec::new();
    needed(condition, truth, &mut components);
    let mut found = with(engine, &components);
    found.sort_unstable();
    found
}

/// The entities with all of these components, enabled or disabled.
pub(super) fn with(engine: &Engine, components: &[TypeId]) -> Vec<EntityId> {
    let mut mask = ComponentMask::default();
    for component in components {
        // A type without an id was never used.
        let Some(id) = engine.components().id_by_type(*component) else { return Vec::new() };
        mask.insert(id);
    }
    match mask.is_empty() {
        true => engine.entities().iter().collect(),
        false => engine.matching(&MaskQuery::new(mask).include_disabled()),
    }
}

/// Adds components without which a node is not `truth`, or has no value.
fn needed(node: &Node, truth: bool, into: &mut Vec<TypeId>) {
    match node {
        Node::Component { component, .. } => into.push(*component),
        // Without the value it does not hold.
        Node::Holds(inner) if truth => needed(inner, truth, into),
        Node::Not(inner) => needed(inner, !truth, into),
        Node::And(sides) | Node::Or(sides) => {
            let all = sides.iter().map(|side| {
                let mut own = Vec::new();
                needed(side, truth, &mut own);
                own
            });
            // All sides of an `and` hold, and none of an `or` that does not hold.
            let are_all = matches!(node, Node::And(_)) == truth;
            let joined = all.reduce(|mut one, other| {
                match are_all {
                    true => one.extend(other),
                    false => one.retain(|component| other.contains(component)),
                }
                one
            });
            into.extend(joined.unwrap_or_default());
        }
        Node::Compare(_, left, right) | Node::Calculate(_, left, right) => {
            // A condition may be false without its components.
            [left, right].into_iter().filter(|side| !side.is_condition()).for_each(|side| needed(side, true, into));
        }
        Node::Negative(inner) | Node::Since(_, inner) => needed(inner, true, into),
        Node::Held(_, since) if truth => needed(since, true, into),
        _ => {}
    }
}

/// Whether a node has another value for each entity.
pub(super) fn is_of_an_entity(node: &Node, remembered: &[Remembered]) -> bool {
    match node {
        Node::Entity | Node::Component { .. } => true,
        Node::Changed(place) | Node::Delta(place) => remembered[*place].is_of_entities,
        Node::Since(_, inner) | Node::Held(_, inner) => is_of_an_entity(inner, remembered),
        Node::Holds(inner) | Node::Not(inner) | Node::Negative(inner) => is_of_an_entity(inner, remembered),
        Node::And(sides) | Node::Or(sides) => sides.iter().any(|side| is_of_an_entity(side, remembered)),
        Node::Compare(_, left, right) | Node::Calculate(_, left, right) => {
            is_of_an_entity(left, remembered) || is_of_an_entity(right, remembered)
        }
        Node::Value(_) | Node::Frame | Node::Seconds | Node::Resource { .. } => false,
        Node::System { .. } | Node::Sent(_) => false,
        Node::Count(_) | Node::Fold(..) => false,
    }
}

impl Remembered {
    pub(super) fn new(node: Node, frames: u32, others: &[Self]) -> Self {
        let is_of_entities = is_of_an_entity(&node, others);
        Self { node, is_of_entities, frames, before: None }
    }

    /// The value in the frame before. That of an entity that was there without it is missing.
    fn before(&self, entity: Option<EntityId>) -> Option<Value> {
        let before = self.before.as_ref()?;
        let entity = if self.is_of_entities { entity? } else { EntityId::default() };
        let found = before.binary_search_by_key(&entity, |(entity, _)| *entity);
        Some(found.map_or(Value::Missing, |place| before[place].1.clone()))
    }
}

/// The values of a node for all entities that have one, or its only value.
pub(super) fn values(at: At<'_>, known: &Remembered) -> Vec<(EntityId, Value)> {
    if !known.is_of_entities {
        return vec![(EntityId::default(), at.value(&known.node))];
    }
    let all = candidates(at.engine, &known.node, true).into_iter();
    all.map(|entity| (entity, at.of(entity).value(&known.node))).collect()
}
