//! What a type expects: the names of an enum, and the limits of a number.

use ecs::inspect::Inspector;
use serde_json::{Value, json};

use crate::edits::Place;
use crate::values::{Answer, limited};

/// What the type of a value expects at a place in it, as its `Deserialize` tells when it gets something else.
pub(crate) fn expected(inspector: &Inspector<'_>, place: &Place, path: &str) -> Answer {
    let whole = match place {
        Place::Component(entity, name) => limited(|to| inspector.component(*entity, name, to)),
        Place::Resource(name) => limited(|to| inspector.resource(name, to)),
        Place::Entity(_) | Place::System(_) => return Err("it has no value".to_owned()),
    };
    let mut whole = whole.map_err(|error| error.to_string())?;
    let present = whole.pointer(path).cloned().ok_or_else(|| format!("the value has no part {path:?}"))?;
    let mut refusal = |part: Value| {
        *whole.pointer_mut(path)? = part;
        let checked = match place {
            Place::Resource(name) => inspector.check_resource(name, &whole),
            Place::Component(_, name) => inspector.check_component(name, &whole),
            Place::Entity(_) | Place::System(_) => Ok(()),
        };
        checked.err().map(|error| error.to_string())
    };
    let (mut choices, mut limits) = (Vec::new(), Vec::new());
    if let Value::Number(number) = &present {
        let far = if number.is_f64() { [json!(1e30), json!(-1e30)] } else { [json!(i64::MAX), json!(i64::MIN)] };
        for sentence in far.into_iter().filter_map(&mut refusal) {
            let limit = sentence.split_once("must be ").or_else(|| sentence.split_once("expected "));
            limits.extend(limit.map(|(_, limit)| limit.to_owned()));
        }
        limits.dedup();
    } else if let Some(names) = refusal("\u{1}".into()).as_deref().and_then(names_in) {
        choices = names;
    }
    let is_option = present.is_null() || refusal(Value::Null).is_none();
    Ok(json!({ "choices": choices, "limits": limits, "option": is_option }))
}

/// The names of an enum in the sentence with which an unknown one is refused.
fn names_in(sentence: &str) -> Option<Vec<String>> {
    let (_, expected) = sentence.split_once("unknown variant")?.1.split_once(", expected")?;
    Some(expected.split('`').skip(1).step_by(2).map(str::to_owned).collect())
}
