//! Other kinds of entity for a test: variants of those that there are.

use bounty_hunter::assets::Assets;
use bounty_hunter::config::KindNames;

/// Collectors that can neither go nor turn.
pub const STANDING: &str = r#""drive": (max_speed_mps: 0.0, max_turn_radps: 0.0)"#;
/// Stashes that hold so much that none is ever full.
pub const BOTTOMLESS: &str = r#""capacity": (points: 1000000.0)"#;

/// Adds a variant of a prefab that has these components differently; returns its name.
///
/// # Panics
/// If it can not be read.
pub fn add_variant(assets: &mut Assets, like: &str, components: &str) -> String {
    let variant = format!("{like}'");
    let text = format!("{{ {variant:?}: (like: {like:?}, components: {{ {components} }}) }}");
    assets.prefabs.load(format!("{variant}.ron"), text).expect("a test has no mistake in its variant");
    variant
}

/// Plays with a variant of a kind instead.
fn vary(assets: &mut Assets, name: fn(&mut KindNames) -> &mut String, components: &str) {
    let like = name(&mut assets.game.kinds).clone();
    *name(&mut assets.game.kinds) = add_variant(assets, &like, components);
}

/// Plays with collectors that have these components differently.
pub fn vary_collectors(assets: &mut Assets, components: &str) {
    vary(assets, |kinds| &mut kinds.collector, components);
}

/// Plays with stashes that have these components differently.
pub fn vary_stashes(assets: &mut Assets, components: &str) {
    vary(assets, |kinds| &mut kinds.stash, components);
}

/// Plays with bounties that have these components differently.
pub fn vary_bounties(assets: &mut Assets, components: &str) {
    vary(assets, |kinds| &mut kinds.bounty, components);
}

/// Plays with power-ups that have these components differently, where the rules have power-ups.
///
/// # Panics
/// If they have none.
pub fn vary_power_ups(assets: &mut Assets, components: &str) {
    let like = assets.game.rules.power_ups.as_ref().expect("power-ups are on").prefab.clone();
    let prefab = add_variant(assets, &like, components);
    assets.game.rules.power_ups.as_mut().expect("power-ups are on").prefab = prefab;
}
