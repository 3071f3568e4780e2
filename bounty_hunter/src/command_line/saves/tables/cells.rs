//! The fields of a value as the cells of a row, and back.

use bounty_hunter::name;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use serde_json::{Map, Value, json};

/// The column of a value without fields.
const WHOLE: &str = "value";

/// The content of one column of a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    Null,
    Whole(i64),
    Real(f64),
    Text(String),
}

impl Cell {
    /// The content of a column; `None` for bytes and text that is not UTF-8.
    pub(super) fn of(value: ValueRef<'_>) -> Option<Self> {
        Some(match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Whole(number),
            ValueRef::Real(number) => Self::Real(number),
            ValueRef::Text(text) => Self::Text(std::str::from_utf8(text).ok()?.to_owned()),
            ValueRef::Blob(_) => return None,
        })
    }

    /// Whether both stand for the same value, if numbers may be of any type and have the accuracy of `f32`: other tools
    /// write fewer digits.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Whole(one), Self::Whole(two)) => one == two,
            _ => match (self.number(), other.number()) {
                (Some(one), Some(two)) => one as f32 == two as f32 && one.is_finite() == two.is_finite(),
                _ => self == other,
            },
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Self::Whole(number) => Some(*number as f64),
            Self::Real(number) => Some(*number),
            Self::Null | Self::Text(_) => None,
        }
    }
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Whole(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Null => f.write_str("NULL"),
            Self::Whole(number) => number.fmt(f),
            Self::Real(number) => number.fmt(f),
            Self::Text(text) => write!(f, "{:?}", shortened(text)),
        }
    }
}

/// The most characters of a text from a table in a sentence.
const MOST_SHOWN: usize = 100;
/// The most characters of a text in a cell, and of a list in JSON.
const MOST_OF_TEXT: usize = 100;
const MOST_OF_LIST: usize = 100_000;

pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A name as that of a column or table: lower case, and `_` for all but letters and digits.
pub(super) fn column(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' }).collect()
}

/// The columns of a value, each with its cell: a field of a field is named by both, and so are the two numbers of a
/// pair. An id is a text such as `3v7`; another list is a text in JSON.
pub(super) fn fields(value: &Value) -> Vec<(String, Cell)> {
    let mut fields = Vec::new();
    // Nothing is changed.
    walk(&mut value.clone(), "", &mut |column, leaf| fields.push((column.to_owned(), cell(leaf))));
    fields
}

/// The value with another cell in one column.
///
/// # Errors
/// A sentence: the value has no such field, or the field cannot hold the cell.
pub(super) fn with(value: &Value, at: &str, new: &Cell) -> Result<Value, String> {
    let mut changed = value.clone();
    let mut result = Err("the row has no such field: it belongs to another kind of value".to_owned());
    walk(&mut changed, "", &mut |column, leaf| {
        if column == at {
            result = put(leaf, new);
        }
    });
    result.map(|()| changed)
}

fn walk(value: &mut Value, path: &str, visit: &mut impl FnMut(&str, &mut Value)) {
    let below = |name: &str| if path.is_empty() { column(name) } else { format!("{path}_{}", column(name)) };
    match value {
        Value::Object(object) if !object.is_empty() && id_of(object).is_none() => {
            object.iter_mut().for_each(|(name, field)| walk(field, &below(name), visit));
        }
        Value::Array(pair) if pair.len() == 2 && pair.iter().all(Value::is_number) => {
            pair.iter_mut().enumerate().for_each(|(index, number)| walk(number, &below(&index.to_string()), visit));
        }
        _ if path.is_empty() => visit(WHOLE, value),
        _ => visit(path, value),
    }
}

/// The id that an object is.
fn id_of(object: &Map<String, Value>) -> Option<String> {
    let part = |name| object.get(name).and_then(Value::as_u64);
    (object.len() == 2).then_some(())?;
    Some(format!("{}v{}", part("idx")?, part("version")?))
}

fn id_from(text: &str) -> Option<Value> {
    let (index, version) = text.split_once('v')?;
    Some(json!({ "idx": index.parse::<u32>().ok()?, "version": version.parse::<u32>().ok()? }))
}

fn cell(leaf: &Value) -> Cell {
    match leaf {
        Value::Null => Cell::Null,
        Value::Bool(is_true) => Cell::Whole(i64::from(*is_true)),
        Value::Number(number) => match (number.as_i64(), number.is_f64()) {
            (Some(whole), _) => Cell::Whole(whole),
            (None, true) => Cell::Real(number.as_f64().unwrap_or_default()),
            (None, false) => Cell::Text(number.to_string()),
        },
        Value::String(text) => Cell::Text(text.clone()),
        Value::Object(object) => Cell::Text(id_of(object).unwrap_or_else(|| leaf.to_string())),
        Value::Array(_) => Cell::Text(leaf.to_string()),
    }
}

/// Puts a cell in place of a field of the same kind.
fn put(leaf: &mut Value, new: &Cell) -> Result<(), String> {
    let refused = |needed: &str| Err(format!("it must be {needed}, not {new}"));
    *leaf = match (&*leaf, new) {
        (_, Cell::Null) => Value::Null,
        (Value::Bool(_), Cell::Whole(number @ (0 | 1))) => Value::Bool(*number == 1),
        (Value::Bool(_), _) => return refused("0 or 1"),
        (Value::Number(old), _) if old.is_f64() => match new.number().filter(|number| number.is_finite()) {
            Some(number) => json!(number),
            None => return refused("a number"),
        },
        (Value::Number(_), Cell::Whole(number)) => json!(number),
        (Value::Number(_), Cell::Text(digits)) => match digits.parse::<u64>() {
            Ok(number) => json!(number),
            Err(_) => return refused("a whole number"),
        },
        (Value::Number(_), _) => return refused("a whole number"),
        (Value::String(_) | Value::Null, Cell::Text(text)) if name::problem_in(text).is_some() => {
            return Err(format!("it {}", name::problem_in(text).unwrap_or_default()));
        }
        (Value::String(_), Cell::Text(text)) if text.chars().count() > MOST_OF_TEXT => {
            return Err(format!("it may have at most {MOST_OF_TEXT} characters"));
        }
        (_, Cell::Text(text)) if text.len() > MOST_OF_LIST => {
            return Err(format!("it may have at most {MOST_OF_LIST} bytes"));
        }
        (Value::String(_), Cell::Text(text)) => json!(text),
        (Value::String(_), _) => return refused("a text"),
        (Value::Object(_), Cell::Text(text)) => match id_from(text) {
            Some(id) => id,
            None => return refused("an id such as 3v7"),
        },
        (Value::Array(_), Cell::Text(text)) => match serde_json::from_str(text) {
            Ok(list @ Value::Array(_)) => list,
            _ => return refused("a list in JSON"),
        },
        (Value::Object(_) | Value::Array(_), _) => return refused("a text"),
        (Value::Null, Cell::Whole(number)) => json!(number),
        (Value::Null, Cell::Real(number)) if number.is_finite() => json!(number),
        (Value::Null, Cell::Real(_)) => return refused("a finite number"),
        (Value::Null, Cell::Text(text)) => match id_from(text).or_else(|| serde_json::from_str(text).ok()) {
            Some(Value::Null) => return refused("empty (NULL), or a value"),
            Some(value) => value,
            None => json!(text),
        },
    };
    Ok(())
}
