//! The tries of daily matches in a browser: a replay each, in the storage of the page.
//!
//! An entry without content is a try that has begun and not ended; it counts as well.

use std::path::Path;
use std::rc::Rc;

use bounty_hunter::assets::Assets;
use bounty_hunter::browser;
use bounty_hunter::client::{DailyMatch, DailyTries};
use bounty_hunter::daily::{Day, TRIES};
use bounty_hunter::replay::Replay;

use crate::command_line::Failure;
use crate::command_line::daily::today;

/// The tries of one day.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tries(Day);

/// The name of one try.
#[derive(Debug)]
pub(crate) struct Try(String);

impl Tries {
    /// The tries of today, in UTC.
    pub(crate) fn of_today(_: Option<&Path>) -> Option<Self> {
        today().map(Self)
    }

    /// The match of the day, for the title; `None` with assets that have not its mode.
    pub(crate) fn daily_match(self, assets: &Assets) -> Option<DailyMatch> {
        self.match_of_day(&Rc::new(assets.clone()))
    }

    fn match_of_day(self, assets: &Rc<Assets>) -> Option<DailyMatch> {
        let setup = self.0.setup(assets).ok()?;
        let mode = self.0.mode().to_owned();
        let tries = Rc::new(OfADay { tries: self, assets: Rc::clone(assets) });
        Some(DailyMatch { day: self.0.to_string(), mode, setup, tries })
    }

    fn left(self) -> u32 {
        self.free().count() as u32
    }

    fn free(self) -> impl Iterator<Item = Try> {
        (1..=TRIES)
            .map(move |number| Try(format!("{}-{number}.replay", self.0)))
            .filter(|one| !browser::has(&one.key()))
    }

    /// Begins a try.
    ///
    /// # Errors
    /// A sentence, if all tries are used or the storage refuses.
    pub(crate) fn begin(self) -> Result<Try, String> {
        let next = self.free().next().ok_or_else(|| self.are_used())?;
        browser::write(&next.key(), b"").map(|()| next)
    }

    /// # Errors
    /// - All tries are used.
    pub(crate) fn refuse_if_used(self) -> Result<(), Failure> {
        if self.left() > 0 { Ok(()) } else { Err(Failure::BadInput(self.are_used())) }
    }

    fn are_used(self) -> String {
        format!("all {TRIES} tries of {} are used: come back tomorrow", self.0)
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
        let day = today().filter(|today| *today != self.tries.0)?;
        Tries(day).match_of_day(&self.assets)
    }
}

impl Try {
    /// The name of its file.
    pub(crate) fn name(&self) -> String {
        self.0.clone()
    }

    fn key(&self) -> String {
        format!("daily/{}", self.0)
    }

    /// Keeps the replay; returns the name of its file.
    pub(crate) fn end(self, played: &Replay) -> Result<String, String> {
        browser::write(&self.key(), &played.to_bytes())?;
        Ok(self.0)
    }
}
