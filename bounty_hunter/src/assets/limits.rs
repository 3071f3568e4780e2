//! What a number in an asset may be, and the table-like checks that are made of it.

use std::fmt::Display;

use super::error::AssetError;
use super::source::Source;

/// The least and the most that a number may be; what is not a number, or infinite, never is.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    least: f32,
    most: f32,
}

impl Limits {
    pub(super) const fn new(least: f32, most: f32) -> Self {
        Self { least, most }
    }

    /// Whether `value` may be what it is.
    pub(super) fn allow(self, value: f32) -> bool {
        self.remedy(f64::from(value)).is_none()
    }

    /// What `value` must be instead, or `None` if it may be what it is.
    fn remedy(self, value: f64) -> Option<String> {
        let Self { least, most } = self;
        match value {
            value if !value.is_finite() => Some("must be a finite number".to_owned()),
            value if value <= 0.0 && least > 0.0 => Some("must be positive".to_owned()),
            value if value < 0.0 && least == 0.0 => Some("must not be negative".to_owned()),
            value if value < f64::from(least) => Some(format!("must be at least {least}")),
            value if value > f64::from(most) => Some(format!("must be at most {most}")),
            _ => None,
        }
    }
}

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

/// Checks each range of a struct, which must be in order: `(field, (least, most), limits of both)`, as [`check_numbers`] does.
pub(super) fn check_ranges(
    source: &Source,
    within: &str,
    rows: &[(&str, (f32, f32), Limits)],
) -> Result<(), AssetError> {
    rows.iter().try_for_each(|&(field, range, limits)| {
        check_range(source, &format!("{within}{field}"), last_name(field), range, limits)
    })
}

fn check_range(
    source: &Source,
    path: &str,
    name: &str,
    (least, most): (f32, f32),
    limits: Limits,
) -> Result<(), AssetError> {
    check_number(source, &format!("{path}.0"), &format!("the lower end of {name}"), least, limits)?;
    check_number(source, &format!("{path}.1"), &format!("the upper end of {name}"), most, limits)?;
    if least > most {
        return Err(source.error(path, format!("{name} is ({least}, {most}), must be (least, most)")));
    }
    Ok(())
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
