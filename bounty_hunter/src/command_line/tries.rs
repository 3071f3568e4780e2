//! The tries of daily matches: a replay each, where [`TryStore`] keeps them.
//!
//! A try without content has begun and not ended; it counts as well.

use std::path::Path;
use std::rc::Rc;

use bounty_hunter::assets::Assets;
use bounty_hunter::client::{DailyMatch, DailyTries};
use bounty_hunter::daily::{Day, TRIES};

use super::Failure;
use super::daily::today;
use super::saves::try_store::{Try, TryStore};

/// The tries of one day.
#[derive(Clone, Debug)]
pub(super) struct Tries {
    store: TryStore,
    day: Day,
}

impl Tries {
    /// The tries of today, in UTC; `None` where none are kept.
    pub(super) fn of_today(data: Option<&Path>) -> Option<Self> {
        Self::of(today()?, data)
    }

    fn of(day: Day, data: Option<&Path>) -> Option<Self> {
        TryStore::open(data).map(|store| Self { store, day })
    }

    /// The match of the day, for the title; `None` with assets that have not its mode.
    pub(super) fn daily_match(&self, assets: &Assets) -> Option<DailyMatch> {
        self.match_of_day(&Rc::new(assets.clone()))
    }

    fn match_of_day(&self, assets: &Rc<Assets>) -> Option<DailyMatch> {
        let setup = self.day.setup(assets).ok()?;
        let mode = self.day.mode().to_owned();
        let tries = Rc::new(OfADay { tries: self.clone(), assets: Rc::clone(assets) });
        Some(DailyMatch { day: self.day.to_string(), mode, setup, tries })
    }

    fn left(&self) -> u32 {
        self.names().filter(|name| !self.store.has(name)).count() as u32
    }

    /// Begins a try.
    ///
    /// # Errors
    /// A sentence, if all tries are used or the store cannot be written.
    pub(super) fn begin(&self) -> Result<Try, String> {
        for name in self.names() {
            if let Some(begun) = self.store.begin(name)? {
                return Ok(begun);
            }
        }
        Err(self.are_used())
    }

    /// # Errors
    /// - All tries are used.
    pub(super) fn refuse_if_used(&self) -> Result<(), Failure> {
        if self.left() > 0 { Ok(()) } else { Err(Failure::BadInput(self.are_used())) }
    }

    fn are_used(&self) -> String {
        format!("all {TRIES} tries of {} are used: come back tomorrow", self.day)
    }

    /// The names of the files of all tries.
    fn names(&self) -> impl Iterator<Item = String> {
        (1..=TRIES).map(|number| format!("{}-{number}.replay", self.day))
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

#[cfg(feature = "saves")]
#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::command_line::saves::test_directory::Directory;

    #[test]
    fn day_has_three_tries_and_each_has_a_file_of_its_own() {
        let directory = Directory::new("tries_of_a_day");
        let [today, tomorrow] =
            ["2026-11-28", "2026-11-29"].map(|day| Tries::of(day.parse().unwrap(), Some(&directory.0)).unwrap());
        for left in [3, 2, 1] {
            assert_eq!(today.left(), left);
            let file = directory.0.join("daily").join(today.begin().unwrap().name());
            assert_eq!(fs::read(&file).unwrap(), b"");
        }
        assert_eq!((today.left(), tomorrow.left()), (0, 3));
        assert_eq!(today.begin().unwrap_err(), "all 3 tries of 2026-11-28 are used: come back tomorrow");
        assert!(today.refuse_if_used().is_err() && tomorrow.refuse_if_used().is_ok());
        fs::remove_file(directory.0.join("daily/2026-11-28-2.replay")).unwrap();
        assert_eq!(today.left(), 1);
        let again = today.begin().unwrap();
        assert_eq!(again.name(), "2026-11-28-2.replay");
    }

    #[test]
    fn title_that_stays_open_past_midnight_has_the_match_of_the_new_day() {
        let directory = Directory::new("tries_of_yesterday");
        let yesterday = Tries::of("2026-01-01".parse().unwrap(), Some(&directory.0)).unwrap();
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
        let tries = Tries::of("2026-11-28".parse().unwrap(), Some(&directory.0)).unwrap();
        let refusal = tries.begin().unwrap_err();
        assert!(refusal.contains("daily") && refusal.contains("cannot be written: "), "{refusal}");
    }
}
