//! The one list of the files under `assets/` that are compiled in.

use super::source::{Source, Sources};

/// Path under `assets/` and text of every file.
const FILES: &[(&str, &str)] = &[
    ("game.ron", include_str!("../../../assets/game.ron")),
    ("keymap.ron", include_str!("../../../assets/keymap.ron")),
    ("prefabs/bounty.ron", include_str!("../../../assets/prefabs/bounty.ron")),
    ("prefabs/collector.ron", include_str!("../../../assets/prefabs/collector.ron")),
    ("prefabs/obstacles.ron", include_str!("../../../assets/prefabs/obstacles.ron")),
    ("prefabs/power_up.ron", include_str!("../../../assets/prefabs/power_up.ron")),
    ("prefabs/stash.ron", include_str!("../../../assets/prefabs/stash.ron")),
    ("prefabs/vast_stash.ron", include_str!("../../../assets/prefabs/vast_stash.ron")),
    ("prefabs/wall.ron", include_str!("../../../assets/prefabs/wall.ron")),
    ("levels/arena.ron", include_str!("../../../assets/levels/arena.ron")),
    ("levels/crossing.ron", include_str!("../../../assets/levels/crossing.ron")),
    ("levels/pit.ron", include_str!("../../../assets/levels/pit.ron")),
    ("modes/brawl.ron", include_str!("../../../assets/modes/brawl.ron")),
    ("modes/classic.ron", include_str!("../../../assets/modes/classic.ron")),
    ("modes/power-ups.ron", include_str!("../../../assets/modes/power-ups.ron")),
    ("modes/sandbox.ron", include_str!("../../../assets/modes/sandbox.ron")),
    ("modes/spells.ron", include_str!("../../../assets/modes/spells.ron")),
    ("modes/survival.ron", include_str!("../../../assets/modes/survival.ron")),
    ("ai/balanced.ron", include_str!("../../../assets/ai/balanced.ron")),
    ("ai/easy.ron", include_str!("../../../assets/ai/easy.ron")),
    ("ai/first.ron", include_str!("../../../assets/ai/first.ron")),
    ("ai/greedy.ron", include_str!("../../../assets/ai/greedy.ron")),
    ("ai/hard.ron", include_str!("../../../assets/ai/hard.ron")),
    ("ai/nearest.ron", include_str!("../../../assets/ai/nearest.ron")),
    ("ai/normal.ron", include_str!("../../../assets/ai/normal.ron")),
    ("ai/wanderer.ron", include_str!("../../../assets/ai/wanderer.ron")),
];

/// Whether a file with this path under `assets/` is compiled in.
pub(super) fn has(path: &str) -> bool {
    FILES.iter().any(|&(built_in, _)| built_in == path)
}

/// The texts of all compiled-in files.
pub(super) fn sources() -> Sources {
    FILES.iter().map(|&(path, text)| (path.to_owned(), Source::new(format!("assets/{path}"), text))).collect()
}
