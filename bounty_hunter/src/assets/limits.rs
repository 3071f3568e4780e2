//! Table-like checks of the numbers in an asset.

use std::fmt::Display;

use super::error::AssetError;
use super::source::Source;
use crate::data::limits::Limits;

/// Checks each number of a struct: `(field, value, limits)`. The struct stands at `within`, which is the start of a path and
/// empty for that of the whole file.
pub(super) fn check_numbers(source: &Source, within: &str, rows: &[(&str, f32, Limits)]) -> Result<(), AssetError> {
    rows.iter().try_for_each(|&(field, value, limits)| {
        check_number(source, &format!("{within}{field}"), last_name(field), value, limits)
    })
}

/// Checks each whole number of a struct, as [`check_numbers`] does.
pub(super) fn check_whole_numbers(
    source: &Source,
    within: &str,
    rows: &[(&str, u32, Limits)],
) -> Result<(), AssetError> {
    rows.iter().try_for_each(|&(field, value, limits)| {
        check_number(source, &format!("{within}{field}"), last_name(field), value, limits)
    })
}

/// The field that a path leads to.
fn last_name(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

pub(super) fn check_number(
    source: &Source,
    path: &str,
    name: &str,
    value: impl Into<f64> + Display + Copy,
    limits: Limits,
) -> Result<(), AssetError> {
    match limits.remedy(value.into()) {
        Some(remedy) => Err(source.error(path, format!("{name} is {value}, {remedy}"))),
        None => Ok(()),
    }
}
