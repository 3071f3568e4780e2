//! The best result of a game, in a file.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::{fmt, fs};

/// The best result, or one sentence that says why the file has none. A file of something else stays as it is.
pub struct HighScore {
    path: PathBuf,
    points: Result<u32, String>,
}

impl HighScore {
    /// Reads the file; without one, the best result is 0.
    #[must_use]
    pub fn read(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref().to_owned();
        let mut text = String::new();
        // A foreign file may be long.
        let read = fs::File::open(&path).and_then(|file| file.take(20).read_to_string(&mut text));
        let points = match read {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
            Err(error) if error.kind() != ErrorKind::InvalidData => Err(format!("{}: {error}", path.display())),
            _ => text.trim().parse().map_err(|_| format!("{} is no high score: move it away", path.display())),
        };
        Self { path, points }
    }

    /// Writes the result of a match, if it is better.
    pub fn offer(&mut self, points: u32) {
        if self.points.as_ref().is_ok_and(|best| points > *best) {
            // The old file stays whole until the new one is.
            let draft = self.path.with_extension("new");
            let written = fs::write(&draft, points.to_string()).and_then(|()| fs::rename(draft, &self.path));
            self.points = written.map(|()| points).map_err(|error| format!("{}: {error}", self.path.display()));
        }
    }
}

impl fmt::Display for HighScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.points {
            Ok(points) => write!(f, "high score: {points}"),
            Err(problem) => f.write_str(problem),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::HighScore;
    use std::fs;

    #[test]
    fn damaged_or_foreign_file_costs_the_score_only_and_stays() {
        let path = std::env::temp_dir().join(format!("high_score_{}", std::process::id()));
        let mut score = HighScore::read(&path);
        assert_eq!(score.to_string(), "high score: 0");
        [30, 70, 50].into_iter().for_each(|points| score.offer(points));
        assert_eq!(HighScore::read(&path).to_string(), "high score: 70");
        for foreign in [&b"a diary"[..], b"", b"-3", b"99999999999", b"\xff\xfe\x00", &[b'7'; 100_000]] {
            fs::write(&path, foreign).unwrap();
            let mut score = HighScore::read(&path);
            score.offer(100);
            assert_eq!(score.to_string(), format!("{} is no high score: move it away", path.display()));
            assert_eq!(fs::read(&path).unwrap(), foreign);
        }
        fs::remove_file(&path).unwrap();
        let mut in_no_folder = HighScore::read(path.join("none"));
        in_no_folder.offer(1);
        assert!(in_no_folder.to_string().contains("none: "), "{in_no_folder}");
    }
}
