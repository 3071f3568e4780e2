//! [`is_text_file`]: which files of a folder are read.

/// Whether a file of this name is a text in RON to read: its name ends in `.ron`, and it is no hidden or temporary
/// file.
///
/// Editors and systems leave such files beside the real ones: locks (`.#x.ron`), copies (`x.ron~`, `#x.ron#`,
/// `~$x.ron`), parts (`x.ron.tmp`, `.x.ron.swp`) and properties (`._x.ron`).
///
/// ```
/// use ecs::prefab::is_text_file;
///
/// assert!(is_text_file("wall.ron"));
/// assert!(!is_text_file(".#wall.ron") && !is_text_file("wall.ron~"));
/// ```
#[must_use]
pub fn is_text_file(name: &str) -> bool {
    name.strip_suffix(".ron").is_some_and(|stem| !stem.is_empty()) && !name.starts_with(['.', '#', '~'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_editors_and_systems_leave_are_not_read() {
        for name in [
            ".#x.ron",
            "._x.ron",
            "x.ron~",
            "#x.ron#",
            "~$x.ron",
            "x.ron.swp",
            ".x.ron.swp",
            ".x.ron.swo",
            "4913",
            "x.ron.tmp",
            "x.ron.part",
            "x.ron.bak",
            ".DS_Store",
            "Thumbs.db",
            ".ron",
            "x.RON",
            "ron",
            "",
        ] {
            assert!(!is_text_file(name), "{name}");
        }
        assert!(is_text_file("x.ron") && is_text_file("power-ups 2.ron") && is_text_file("a.b.ron"));
    }
}
