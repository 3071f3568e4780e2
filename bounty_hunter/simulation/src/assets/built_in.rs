//! The one list of the files under `assets/` that are compiled in.

use ecs::prefab::RonText;

use super::asset_texts::AssetTexts;

/// Pairs each path under `assets/` with the text of that file.
macro_rules! files {
    ($($path:literal),+ $(,)?) => {
        &[$(($path, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/", $path)))),+]
    };
}

/// Path under `assets/` and text of every file.
const FILES: &[(&str, &str)] = files![
    "game.ron",
    "keymap.ron",
    "sounds.ron",
    "prefabs/bounty.ron",
    "prefabs/collector.ron",
    "prefabs/gold.ron",
    "prefabs/materials.ron",
    "prefabs/mechanisms.ron",
    "prefabs/mine.ron",
    "prefabs/obstacles.ron",
    "prefabs/power_up.ron",
    "prefabs/stash.ron",
    "prefabs/vast_stash.ron",
    "prefabs/wall.ron",
    "languages/de.ron",
    "levels/arena.ron",
    "levels/crossing.ron",
    "levels/falls.ron",
    "levels/pit.ron",
    "levels/springs.ron",
    "levels/vault.ron",
    "modes/brawl.ron",
    "modes/classic.ron",
    "modes/gold-rush.ron",
    "modes/power-ups.ron",
    "modes/sandbox.ron",
    "modes/spells.ron",
    "modes/survival.ron",
    "modes/teams.ron",
    "ai/balanced.ron",
    "ai/circling.ron",
    "ai/easy.ron",
    "ai/first.ron",
    "ai/greedy.ron",
    "ai/hard.ron",
    "ai/idle.ron",
    "ai/nearest.ron",
    "ai/normal.ron",
    "ai/wanderer.ron",
    "policies/learned.ron",
];

/// Whether a file with this path under `assets/` is compiled in.
pub(super) fn has(path: &str) -> bool {
    FILES.iter().any(|&(built_in, _)| built_in == path)
}

/// The texts of all compiled-in files.
pub(super) fn sources() -> AssetTexts {
    FILES.iter().map(|&(path, text)| (path.to_owned(), RonText::new(format!("assets/{path}"), text))).collect()
}
