//! The text form: all parts as one RON text.

use serde::{Deserialize, Serialize};

use super::FORMAT;
use super::error::{LoadError, SaveError};
use super::part::Part;
use crate::text_form::TextForm;
use crate::types::{DEPTH, DEPTH_OF_PARTS, Form};

#[derive(Serialize, Deserialize)]
struct Text {
    format: u32,
    parts: Vec<Part>,
}

/// Read first, to tell another format from a mistake.
#[derive(Deserialize)]
struct Head {
    format: u32,
}

pub(super) fn write(parts: Vec<Part>) -> Result<String, SaveError> {
    let pretty = ron::ser::PrettyConfig::new().depth_limit(4).new_line("\n");
    let text = ron::ser::to_string_pretty(&Text { format: FORMAT, parts }, pretty);
    text.map_err(|error| SaveError::part("text", Form::Text, &error.to_string()))
}

pub(super) fn read(text: &str) -> Result<Vec<Part>, LoadError> {
    let text = &*TextForm::remove(text).0;
    let options = ron::Options::default().with_recursion_limit(DEPTH + DEPTH_OF_PARTS);
    match options.from_str::<Head>(text) {
        Ok(Head { format: 0 }) => return Err(LoadError::NotASave),
        Ok(Head { format }) if format != FORMAT => {
            return Err(LoadError::OtherFormat { found: format, known: FORMAT });
        }
        // Mistakes after the format are reported below, with their place.
        Err(_) if !text.contains("format:") => return Err(LoadError::NotASave),
        _ => {}
    }
    let text: Text = options.from_str(text).map_err(|error| {
        let (place, problem) = (error.span.start, error.code);
        LoadError::Invalid { part: format!("line {}, column {}", place.line, place.col), problem: problem.to_string() }
    })?;
    Ok(text.parts)
}
