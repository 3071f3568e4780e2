//! Lists of entities: which are wanted, in which order, with which values.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use ecs::inspect::{Inspector, Question};
use ecs::{Engine, EntityId};
use serde_json::{Value, json};

use crate::budget::Budget;
use crate::values::{Answer, entity_named, has_text, limited, name_of, rows, values_of};

const MAX_COLUMNS: usize = 16;
/// Limit of the bytes of values in a table. Rows beyond it are left out.
const MAX_TABLE_BYTES: usize = 1 << 22;

/// Which entities are listed, and how.
pub(crate) struct Wanted<'a> {
    pub(crate) with: &'a [Criterion],
    pub(crate) without: &'a [String],
    pub(crate) search: &'a str,
    pub(crate) columns: &'a [String],
    /// A component, or a part of it such as `pocket/carried`; entities are listed by id if it is empty.
    pub(crate) sort: &'a str,
    pub(crate) descending: bool,
    pub(crate) by_label: bool,
    /// Each entity follows its parent, in place of an order.
    pub(crate) tree: bool,
    /// The number of rows to leave out.
    pub(crate) skip: usize,
    pub(crate) limit: Option<usize>,
}

/// What the wanted entities have, or what holds for them.
pub(crate) enum Criterion {
    /// The name of a component.
    Component(String),
    Question {
        question: Question,
        /// The component and the path, if it is nothing but the name of a part of one.
        part: Option<(String, Vec<String>)>,
    },
}

impl Criterion {
    /// The name of a component, or a question such as `pocket.carried > 5`.
    pub(crate) fn read(engine: &mut Engine, text: &str) -> Result<Self, String> {
        let inspector = engine.inspector();
        if inspector.component_names().any(|name| name == text) {
            return Ok(Self::Component(text.to_owned()));
        }
        let question = inspector.question(text).map_err(|error| error.to_string())?;
        match question.is_condition() {
            true => {
                let owned =
                    |(name, path): (&str, Vec<&str>)| (name.to_owned(), path.into_iter().map(str::to_owned).collect());
                let part = question.part(engine).map(owned);
                Ok(Self::Question { question, part })
            }
            false => Err(format!("`{text}` is a value and no condition: compare it, as in `… > 0`")),
        }
    }

    pub(crate) fn question_mut(&mut self) -> Option<&mut Question> {
        match self {
            Self::Component(_) => None,
            Self::Question { question, .. } => Some(question),
        }
    }
}

/// Whether the component is there, and an option on the way to this part of it is empty. Such a part has no value, but
/// a cell in the table.
fn is_empty(inspector: &Inspector<'_>, entity: EntityId, part: Option<&(String, Vec<String>)>) -> bool {
    let Some((component, path)) = part else { return false };
    let Ok(whole) = limited(|to| inspector.component(entity, component, to)) else { return false };
    let mut value = Some(&whole);
    for step in path {
        value = value.and_then(|value| match value {
            Value::Array(items) => items.get(step.parse::<usize>().ok()?),
            value => value.get(step),
        });
        if value.is_some_and(Value::is_null) {
            return true;
        }
    }
    false
}

fn part_of(inspector: &Inspector<'_>, entity: EntityId, component: &str, path: &str) -> Option<Value> {
    let value = limited(|to| inspector.component(entity, component, to)).ok()?;
    value.pointer(path).cloned()
}

/// Numbers before texts before everything else, also if each kind is in descending order.
fn order_of(one: Option<&Value>, other: Option<&Value>, is_descending: bool) -> Ordering {
    let key = |value: Option<&Value>| match value {
        Some(Value::Number(_)) => 0,
        Some(Value::String(_)) => 1,
        Some(_) => 2,
        None => 3,
    };
    let number = |value: Option<&Value>| value.and_then(Value::as_f64).unwrap_or_default();
    let text = |value: Option<&Value>| value.map(Value::to_string).unwrap_or_default();
    let within = number(one).total_cmp(&number(other)).then_with(|| text(one).cmp(&text(other)));
    key(one).cmp(&key(other)).then(if is_descending { within.reverse() } else { within })
}

pub(crate) fn entities(inspector: &Inspector<'_>, wanted: &Wanted<'_>) -> Answer {
    let mut columns: Vec<&String> = wanted.columns.iter().take(MAX_COLUMNS + 1).collect();
    columns.sort_unstable();
    columns.dedup();
    if columns.len() > MAX_COLUMNS {
        return Err(format!("a table has at most {MAX_COLUMNS} columns"));
    }
    let (mut with, mut questions) = (Vec::new(), Vec::new());
    for criterion in wanted.with {
        match criterion {
            Criterion::Component(name) => with.push(name.as_str()),
            Criterion::Question { question, part } => questions.push((question, part.as_ref())),
        }
    }
    let (sorted_by, path) = wanted.sort.split_at(wanted.sort.find('/').unwrap_or(wanted.sort.len()));
    // Also for names that are not registered.
    let named = columns.iter().copied().chain(wanted.without).map(String::as_str);
    let named = named.chain(Some(sorted_by).filter(|name| !name.is_empty()));
    inspector.entities_with(named).map_err(|error| error.to_string())?;
    let mut found = inspector.entities_with(with).map_err(|error| error.to_string())?;
    found.sort_unstable();
    for (question, _) in &questions {
        let may_hold = inspector.may_hold(question);
        found.retain(|entity| may_hold.binary_search(entity).is_ok());
    }

    let exact = entity_named(wanted.search).ok();
    let (budget, count, mut looked_at) = (Budget::begin(), found.len(), 0);
    let needs_values = !wanted.search.is_empty() || !questions.is_empty();
    found.retain(|entity| {
        // What needs values stops at the end of the time; an entity whose id is searched for is found all the same.
        if needs_values && Some(*entity) != exact && budget.is_spent() {
            return false;
        }
        looked_at += 1;
        is_wanted(inspector, *entity, wanted)
            && questions
                .iter()
                .all(|(question, part)| inspector.holds(question, *entity) || is_empty(inspector, *entity, *part))
    });
    let total = found.len();
    let mut sorted = total;
    if wanted.by_label || !sorted_by.is_empty() {
        let key = |entity: EntityId| match wanted.by_label {
            true => Some(Value::from(inspector.label(entity))),
            false => part_of(inspector, entity, sorted_by, path),
        };
        let budget = Budget::begin();
        let keys = found.iter().map_while(|entity| (!budget.is_spent()).then(|| (key(*entity), *entity)));
        let mut keys: Vec<(Option<Value>, EntityId)> = keys.collect();
        sorted = keys.len();
        keys.sort_by(|(one, _), (other, _)| order_of(one.as_ref(), other.as_ref(), wanted.descending));
        found = keys.into_iter().map(|(_, entity)| entity).collect();
    }
    let found: Vec<(EntityId, usize)> = match wanted.tree {
        true => in_a_tree(inspector, &found),
        false => found.into_iter().map(|entity| (entity, 0)).collect(),
    };
    let (mut bytes, mut listed) = (0, Vec::new());
    for (entity, depth) in found.into_iter().skip(wanted.skip).take(rows(wanted.limit)) {
        if bytes >= MAX_TABLE_BYTES {
            break;
        }
        let value = |column: &String| limited(|to| inspector.component(entity, column, to)).unwrap_or_default();
        let values: serde_json::Map<_, _> = columns.iter().map(|column| ((*column).clone(), value(column))).collect();
        bytes += if columns.is_empty() { 0 } else { Value::from(values.clone()).to_string().len() };
        let components = inspector.components(entity).unwrap_or_default();
        let names: Vec<_> = components.iter().map(|known| known.name.as_deref().unwrap_or(known.rust_name)).collect();
        listed.push(json!({
            "entity": name_of(entity),
            "label": inspector.label(entity),
            "parent": inspector.world().parent(entity).map(name_of),
            "depth": depth,
            "enabled": inspector.world().entities().is_enabled(entity),
            "components": names,
            "values": values,
        }));
    }
    Ok(json!({
        "entities": listed, "total": total, "skip": wanted.skip, "is_search_cut": looked_at < count, "searched": looked_at,
        "is_sort_cut": sorted < total,
    }))
}

/// Each entity behind its parent, with its depth. One whose parent is not among them is a root.
fn in_a_tree(inspector: &Inspector<'_>, sorted: &[EntityId]) -> Vec<(EntityId, usize)> {
    let mut children: BTreeMap<EntityId, Vec<EntityId>> = BTreeMap::new();
    let mut roots = Vec::new();
    for &entity in sorted {
        match inspector.world().parent(entity).filter(|parent| sorted.binary_search(parent).is_ok()) {
            Some(parent) => children.entry(parent).or_default().push(entity),
            None => roots.push(entity),
        }
    }
    let mut waiting: Vec<(EntityId, usize)> = roots.into_iter().rev().map(|root| (root, 0)).collect();
    let mut tree = Vec::with_capacity(sorted.len());
    while let Some((entity, depth)) = waiting.pop() {
        tree.push((entity, depth));
        waiting.extend(children.remove(&entity).into_iter().flatten().rev().map(|child| (child, depth + 1)));
    }
    tree
}

fn is_wanted(inspector: &Inspector<'_>, entity: EntityId, wanted: &Wanted<'_>) -> bool {
    let &Wanted { without, search, .. } = wanted;
    if without.is_empty() && search.is_empty() {
        return true;
    }
    let components = inspector.components(entity).unwrap_or_default();
    let is_unwanted = |name: &str| without.iter().any(|of| of == name);
    if components.iter().any(|known| known.name.as_deref().is_some_and(is_unwanted)) {
        return false;
    }
    search.is_empty()
        || name_of(entity) == search
        || inspector.label(entity).contains(search)
        || components.iter().any(|known| known.name.as_deref().unwrap_or(known.rust_name).contains(search))
        || values_of(inspector, entity).values().any(|value| has_text(value, search))
}
