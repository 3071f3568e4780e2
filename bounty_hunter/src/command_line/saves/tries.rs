//! The tries of daily matches: a replay each, in a directory beside the saves.
//!
//! A file without content is a try that has begun and not ended; it counts as well.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use bounty_hunter::assets::Assets;
use bounty_hunter::client::{DailyMatch, DailyTries};
use bounty_hunter::daily::{Day, TRIES};
use bounty_hunter::replay::Replay;

use super::archive;
use crate::command_line::daily::today;
use crate::command_line::{Failure, replay};

/// The tries of one day.
#[derive(Clone, Debug)]
pub(in crate::command_line) struct Tries {
    /// The directory, or the reason why there is none.
    directory: Result<PathBuf, String>,
    day: Day,
}

/// The file of one try.
#[derive(Debug)]
pub(in crate::command_line) struct Try(PathBuf);

impl Tries {
    /// The tries of today, in UTC.
    pub(in crate::command_line) fn of_today(data: Option<&Path>) -> Option<Self> {
        today().map(|today| Self::of(today, data))
    }

    fn of(day: Day, data: Option<&Path>) -> Self {
        Self { directory: archive::directory(data).map(|directory| directory.join("daily")), day }
    }

    /// The match of the day, for the title; `None` with assets that have not its mode.
    pub(in crate::command_line) fn daily_match(&self, assets: &Assets) -> Option<DailyMatch> {
        self.match_of_day(&Rc::new(assets.clone()))
    }

    fn match_of_day(&self, assets: &Rc<Assets>) -> Option<DailyMatch> {
        let setup = self.day.setup(assets).ok()?;
        let mode = self.day.mode().to_owned();
        let tries = Rc::new(OfADay { tries: self.clone(), assets: Rc::clone(assets) });
        Some(DailyMatch { day: self.day.to_string(), mode, setup, tries })
    }

    fn left(&self) -> u32 {
        let Ok(directory) = &self.directory else { return 0 };
        (1..=TRIES).filter(|number| !self.file(directory, *number).exists()).count() as u32
    }

    /// Begins a try.
    ///
    /// # Errors
    /// A sentence, if all tries are used or the file cannot be written.
    pub(in crate::command_line) fn begin(&self) -> Result<Try, String> {
        let directory = self.directory.as_deref()?;
        let refuse = |file: &Path, error: std::io::Error| format!("{} cannot be written: {error}", file.display());
        fs::create_dir_all(directory).map_err(|error| refuse(directory, error))?;
        for number in 1..=TRIES {
            let file = self.file(directory, number);
            match File::create_new(&file) {
                Ok(_) => return Ok(Try(file)),
                Err(_) if file.exists() => {}
                Err(error) => return Err(refuse(&file, error)),
            }
        }
        Err(self.are_used())
    }

    /// # Errors
    /// - All tries are used.
    pub(in crate::command_line) fn refuse_if_used(&self) -> Result<(), Failure> {
        if self.left() > 0 { Ok(()) } else { Err(Failure::BadInput(self.are_used())) }
    }

    fn are_used(&self) -> String {
        format!("all {TRIES} tries of {} are used: come back tomorrow", self.day)
    }

    fn file(&self, directory: &Path, number: u32) -> PathBuf {
        directory.join(format!("{}-{number}.replay", self.day))
    }
}

/// The tries of a day, for the title.
#[derive(Debug)]
struct OfADay {
    tries: Tries,
    assets: Rc<Assets>,
}

impl DailyTries for OfADay {
    fn left(&self) -> u32 {
        self.tries.left()
    }

    fn of_another_day(&self) -> Option<DailyMatch> {
        let day = today().filter(|today| *today != self.tries.day)?;
        Tries { day, ..self.tries.clone() }.match_of_day(&self.assets)
    }
}

impl Try {
    /// The name of its file, without the directory.
    pub(in crate::command_line) fn name(&self) -> String {
        self.0.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Writes the replay; returns the name of its file.
    pub(in crate::command_line) fn end(self, played: &Replay) -> Result<String, String> {
        let written = replay::write(&self.0, played);
        written.map_err(|failure| failure.sentence())?;
        Ok(self.0.display().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::saves::test_directory::Directory;

    #[test]
    fn day_has_three_tries_and_each_has_a_file_of_its_own() {
        let directory = Directory::new("tries_of_a_day");
        let [today, tomorrow] =
            ["2026-11-28", "2026-11-29"].map(|day| Tries::of(day.parse().unwrap(), Some(&directory.0)));
        for left in [3, 2, 1] {
            assert_eq!(today.left(), left);
            let file = today.begin().unwrap().0;
            assert_eq!(fs::read(&file).unwrap(), b"");
        }
        assert_eq!((today.left(), tomorrow.left()), (0, 3));
        assert_eq!(today.begin().unwrap_err(), "all 3 tries of 2026-11-28 are used: come back tomorrow");
        assert!(today.refuse_if_used().is_err() && tomorrow.refuse_if_used().is_ok());
        fs::remove_file(directory.0.join("daily/2026-11-28-2.replay")).unwrap();
        assert_eq!(today.left(), 1);
        let again = today.begin().unwrap();
        assert_eq!(again.name(), "2026-11-28-2.replay");
        assert!(again.0.ends_with(again.name()));
    }

    #[test]
    fn title_that_stays_open_past_midnight_has_the_match_of_the_new_day() {
        let directory = Directory::new("tries_of_yesterday");
        let yesterday = Tries::of("2026-01-01".parse().unwrap(), Some(&directory.0));
        (0..TRIES).for_each(|_| _ = yesterday.begin().unwrap());
        let shown = yesterday.daily_match(&Assets::built_in()).unwrap();
        let renewed = shown.tries.of_another_day().expect("that day has passed");
        assert_eq!((shown.tries.left(), renewed.tries.left()), (0, TRIES));
        assert_eq!(renewed.day, today().unwrap().to_string());
        assert!(renewed.tries.of_another_day().is_none());
    }

    #[test]
    fn directory_that_cannot_be_written_is_refused_in_a_sentence() {
        let directory = Directory::new("tries_in_a_file");
        fs::create_dir_all(&directory.0).unwrap();
        fs::write(directory.0.join("daily"), "").unwrap();
        let tries = Tries::of("2026-11-28".parse().unwrap(), Some(&directory.0));
        let refusal = tries.begin().unwrap_err();
        assert!(refusal.contains("daily") && refusal.contains("cannot be written: "), "{refusal}");
    }
}
