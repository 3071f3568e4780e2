//! `bounty_hunter systems`: the work order of the game, explained.

/// The systems of the game in work order with the reason for each place, as text that ends with a new line.
pub(crate) fn describe_systems() -> Result<String, String> {
    Err("not connected yet".to_owned())
}
