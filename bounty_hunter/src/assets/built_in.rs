//! The one list of the files under `assets/` that are compiled in.

use super::source::{Source, Sources};

/// Path under `assets/` and text of every file.
const FILES: &[(&str, &str)] = &[
    ("game.ron", include_str!("../../../assets/game.ron")),
    ("keymap.ron", include_str!("../../../assets/keymap.ron")),
    ("prefabs/bounty.ron", include_str!("../../../assets/prefabs/bounty.ron")),
    ("prefabs/collector.ron", include_str!("../../../assets/prefabs/collector.ron")),
    ("prefabs/stash.ron", include_str!("../../../assets/prefabs/stash.ron")),
    ("prefabs/wall.ron", include_str!("../../../assets/prefabs/wall.ron")),
    ("ai/normal.ron", include_str!("../../../assets/ai/normal.ron")),
];

/// The texts of all compiled-in files.
pub(super) fn sources() -> Sources {
    FILES.iter().map(|&(path, text)| (path.to_owned(), Source::new(format!("assets/{path}"), text))).collect()
}
