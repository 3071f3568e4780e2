//! Lists of entities: which are wanted, in which order, with which values.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use ecs::EntityId;
use ecs::hierarchy::ChildOf;
use ecs::inspect::Inspector;
use serde_json::{Value, json};

use crate::budget::Budget;
use crate::values::{Answer, has_text, limited, name_of, printed, rows, values_of};

const MAX_COLUMNS: usize = 16;
/// Limit of the bytes of values in a table. Rows beyond it are left out.
const MAX_TABLE_BYTES: usize = 1 << 22;
/// Component of entities from a prefab, if the engine has prefabs.
const FROM_PREFAB: &str = "ecs from prefab";
/// Comparisons in the text of a [`Condition`]; those of two characters first.
const COMPARISONS: [&str; 6] = ["<=", ">=", "!=", "<", ">", "="];

/// Which entities are listed, and how.
pub(crate) struct Wanted<'a> {
    /// Names of components, or conditions such as `pocket.carried > 5`.
    pub(crate) with: &'a [String],
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

/// Compares a part of a component with a value.
#[derive(Debug, PartialEq)]
struct Condition<'a> {
    component: &'a str,
    /// RFC 6901.
    path: String,
    comparison: &'static str,
    value: &'a str,
}

impl<'a> Condition<'a> {
    /// The condition in a text; `None` if it is only a name.
    fn read(text: &'a str) -> Option<Self> {
        let (at, comparison) = COMPARISONS
            .into_iter()
            .filter_map(|comparison| Some((text.find(comparison)?, comparison)))
            .min_by_key(|(at, _)| *at)?;
        let (place, value) = (text[..at].trim(), text[at + comparison.len()..].trim());
        let (component, fields) = place.split_once('.').unwrap_or((place, ""));
        let path = fields.split('.').filter(|field| !field.is_empty()).map(|field| format!("/{field}")).collect();
        Some(Self { component, path, comparison, value })
    }

    fn holds(&self, inspector: &Inspector<'_>, entity: EntityId) -> bool {
        let Some(found) = part_of(inspector, entity, self.component, &self.path) else { return false };
        // Only numbers are compared with a number.
        let order = match self.value.parse::<f64>() {
            Ok(value) => found.as_f64().and_then(|found| found.partial_cmp(&value)),
            Err(_) => {
                Some(found.as_str().map_or_else(|| printed(&found), str::to_owned).trim_matches('"').cmp(self.value))
            }
        };
        order.is_some_and(|order| match self.comparison {
            "<" => order.is_lt(),
            "<=" => order.is_le(),
            ">" => order.is_gt(),
            ">=" => order.is_ge(),
            "!=" => order.is_ne(),
            _ => order.is_eq(),
        })
    }
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
    let (mut with, mut conditions) = (Vec::new(), Vec::new());
    for text in wanted.with {
        let condition = Condition::read(text);
        with.push(condition.as_ref().map_or(text.as_str(), |condition| condition.component));
        conditions.extend(condition);
    }
    let (sorted_by, path) = wanted.sort.split_at(wanted.sort.find('/').unwrap_or(wanted.sort.len()));
    // Also for names that are not registered.
    let named = columns.iter().copied().chain(wanted.without).map(String::as_str);
    let named = named.chain(Some(sorted_by).filter(|name| !name.is_empty()));
    inspector.entities_with(named).map_err(|error| error.to_string())?;
    let mut found = inspector.entities_with(with).map_err(|error| error.to_string())?;
    found.sort_unstable();

    let (budget, count, mut looked_at) = (Budget::begin(), found.len(), 0);
    let needs_values = !wanted.search.is_empty() || !conditions.is_empty();
    found.retain(|entity| {
        // What needs values stops at the end of the time.
        if needs_values && budget.is_spent() {
            return false;
        }
        looked_at += 1;
        is_wanted(inspector, *entity, wanted) && conditions.iter().all(|condition| condition.holds(inspector, *entity))
    });
    let total = found.len();
    let mut sorted = total;
    if wanted.by_label || !sorted_by.is_empty() {
        let key = |entity: EntityId| match wanted.by_label {
            true => Some(Value::from(label(inspector, entity))),
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
            "label": label(inspector, entity),
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
        || label(inspector, entity).contains(search)
        || components.iter().any(|known| known.name.as_deref().unwrap_or(known.rust_name).contains(search))
        || values_of(inspector, entity).values().any(|value| has_text(value, search))
}

/// The name of an entity below its parent, or of its prefab; empty if it has none.
pub(crate) fn label(inspector: &Inspector<'_>, entity: EntityId) -> String {
    let prefab = || {
        let value = limited(|to| inspector.component(entity, FROM_PREFAB, to)).ok()?;
        let name = value.get("prefab").and_then(Value::as_str)?;
        Some(name.to_owned())
    };
    let name = inspector.world().get::<ChildOf>(entity).and_then(ChildOf::name).map(str::to_owned);
    name.or_else(prefab).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_have_a_component_a_path_and_a_value() {
        let read = |text| Condition::read(text).map(|it| (it.component, it.path.clone(), it.comparison, it.value));
        assert_eq!(read("pocket.carried > 5"), Some(("pocket", "/carried".to_owned(), ">", "5")));
        assert_eq!(read("score<=-1.5"), Some(("score", String::new(), "<=", "-1.5")));
        assert_eq!(read("a b.c.0!=x"), Some(("a b", "/c/0".to_owned(), "!=", "x")));
        assert_eq!((read("pocket"), read("ecs from prefab")), (None, None));
    }
}
