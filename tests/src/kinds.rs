//! Variants of built-in prefabs.

use bounty_hunter::assets::Assets;
use bounty_hunter::config::KindNames;

/// Collectors that can neither drive nor turn.
pub const STANDING: &str = r#""drive": (max_speed_mps: 0.0, max_turn_radps: 0.0)"#;
/// Stashes that never become full.
pub const BOTTOMLESS: &str = r#""capacity": (points: 1000000.0)"#;

/// Adds a variant of a prefab with other components; returns its name.
///
/// # Panics
/// If it cannot be read.
pub fn add_variant(assets: &mut Assets, like: &str, components: &str) -> String {
    let variant = format!("{like}'");
    let text = format!("{{ {variant:?}: (like: {like:?}, components: {{ {components} }}) }}");
    assets.prefabs.load(format!("{variant}.ron"), text).expect("the variant is valid");
    variant
}

/// Replaces a kind by a variant.
fn vary(assets: &mut Assets, name: fn(&mut KindNames) -> &mut String, components: &str) {
    let like = name(&mut assets.game.kinds).clone();
    *name(&mut assets.game.kinds) = add_variant(assets, &like, components);
}

/// Replaces collectors by a variant.
pub fn vary_collectors(assets: &mut Assets, components: &str) {
    vary(assets, |kinds| &mut kinds.collector, components);
}

/// Replaces stashes by a variant, whose capacity counts at any number of players.
pub fn vary_stashes(assets: &mut Assets, components: &str) {
    assets.game.stash_sizes.clear();
    vary(assets, |kinds| &mut kinds.stash, components);
}

/// Replaces bounties by a variant.
pub fn vary_bounties(assets: &mut Assets, components: &str) {
    vary(assets, |kinds| &mut kinds.bounty, components);
}

/// Replaces power-ups by a variant.
///
/// # Panics
/// If the rules have no power-ups.
pub fn vary_power_ups(assets: &mut Assets, components: &str) {
    let like = assets.game.rules.power_ups.as_ref().expect("power-ups are on").prefabs[0].clone();
    let prefab = add_variant(assets, &like, components);
    assets.game.rules.power_ups.as_mut().expect("power-ups are on").prefabs = vec![prefab];
}
