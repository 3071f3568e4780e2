//! Which page of the results is open, what is selected on it, and what keys do to that.

use super::counts::lines_of;
use super::rows::TABLE_ROWS;
use crate::archive::results::{MatchDetails, MatchSummary, MatchTotals};
use crate::client::match_history::MatchHistory;
use crate::data::input::Key;

/// Rows of the list that are shown at once.
pub(super) const LIST_ROWS: usize = 14;

const NOTHING_YET: &str = "No matches yet. Play one to its end, and you find it here.";
const NOT_BUILT: &str = "This program keeps no results: it was built without the feature \"saves\".";

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Page {
    /// The list.
    Matches,
    /// Sums over all.
    Totals,
    /// One match of the list.
    Details,
}

/// What the player asks for that is not on these pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// To go back to where the results were opened from.
    Leave,
    /// To watch the replay of a match.
    Watch(i64),
}

/// What is shown of the matches that are kept.
pub(super) struct Browser<'a> {
    match_history: Option<&'a dyn MatchHistory>,
    page: Page,
    matches: Vec<MatchSummary>,
    selected: usize,
    /// The first line of the list that is shown.
    top: usize,
    /// Lines that the tables of the other pages are moved up by.
    scroll: usize,
    details: Option<MatchDetails>,
    totals: Option<MatchTotals>,
    problem: Option<String>,
}

impl<'a> Browser<'a> {
    /// The list of what is kept, with the latest match selected; without anything that keeps matches, a sentence.
    pub(super) fn new(match_history: Option<&'a dyn MatchHistory>) -> Self {
        let (matches, problem) = match match_history.map(MatchHistory::list) {
            Some(Ok(matches)) => (matches, None),
            Some(Err(problem)) => (Vec::new(), Some(problem)),
            None => (Vec::new(), Some(NOT_BUILT.to_owned())),
        };
        let page = Page::Matches;
        Self { match_history, page, matches, selected: 0, top: 0, scroll: 0, details: None, totals: None, problem }
    }

    pub(super) fn page(&self) -> Page {
        self.page
    }

    /// All matches, the latest first.
    pub(super) fn matches(&self) -> &[MatchSummary] {
        &self.matches
    }

    /// The lines of the list that are shown, each with its number and whether it is selected.
    pub(super) fn shown(&self) -> impl Iterator<Item = (usize, &MatchSummary, bool)> {
        let lines = self.matches.iter().enumerate().skip(self.top).take(LIST_ROWS);
        lines.map(|(index, summary)| (index, summary, index == self.selected))
    }

    /// Number of the first line of the list that is shown.
    pub(super) fn top(&self) -> usize {
        self.top
    }

    /// Number of the selected line.
    pub(super) fn selected(&self) -> usize {
        self.selected
    }

    /// The first line to show of a table of so many: it moves up until its last line is seen.
    pub(super) fn first_of(&self, lines: usize) -> usize {
        self.scroll.min(lines.saturating_sub(TABLE_ROWS))
    }

    /// The match that is open.
    pub(super) fn details(&self) -> Option<&MatchDetails> {
        self.details.as_ref()
    }

    pub(super) fn totals(&self) -> Option<&MatchTotals> {
        self.totals.as_ref()
    }

    /// What is wrong.
    pub(super) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// What to say instead of a list that has no lines.
    pub(super) fn instead_of_list(&self) -> Option<&str> {
        self.matches.is_empty().then(|| self.problem().unwrap_or(NOTHING_YET))
    }

    /// Says what is wrong, until the next key.
    pub(super) fn tell(&mut self, problem: String) {
        tracing::warn!(target: "bounty_hunter::client", "results: {problem}");
        self.problem = Some(problem);
    }

    /// Does what a key asks for.
    pub(super) fn press(&mut self, key: Key) -> Option<Request> {
        if !self.matches.is_empty() {
            self.problem = None;
        }
        match (self.page, key) {
            (Page::Details, Key::Escape) => self.page = Page::Matches,
            (_, Key::Escape) => return Some(Request::Leave),
            (Page::Details, Key::Enter | Key::Space) => {
                return self.details().map(|open| Request::Watch(open.summary.id));
            }
            (Page::Details, Key::Left) => self.open(self.selected.saturating_sub(1)),
            (Page::Details, Key::Right) => self.open(self.selected + 1),
            (Page::Matches, Key::Left | Key::Right) => self.sum_up(),
            (Page::Totals, Key::Left | Key::Right) => self.page = Page::Matches,
            (Page::Matches, Key::Up) => self.select(self.selected.saturating_sub(1)),
            (Page::Matches, Key::Down) => self.select(self.selected + 1),
            (Page::Matches, Key::Enter | Key::Space) => self.open(self.selected),
            (_, Key::Up) => self.scroll = self.scroll.saturating_sub(1),
            (_, Key::Down) => self.scroll = (self.scroll + 1).min(self.most_scroll()),
            _ => {}
        }
        None
    }

    /// Selects a line of the list, or the last, and brings it into sight.
    pub(super) fn select(&mut self, index: usize) {
        self.selected = index.min(self.matches.len().saturating_sub(1));
        self.top = self.top.clamp((self.selected + 1).saturating_sub(LIST_ROWS), self.selected);
    }

    /// Opens a line of the list.
    fn open(&mut self, index: usize) {
        self.select(index);
        let Some((match_history, line)) = self.match_history.zip(self.matches.get(self.selected)) else { return };
        match match_history.details(line.id) {
            Ok(details) => {
                tracing::info!(target: "bounty_hunter::client", id = line.id, players = details.standings.len(), "result");
                (self.details, self.page, self.scroll) = (Some(details), Page::Details, 0);
            }
            Err(problem) => {
                self.page = Page::Matches;
                self.tell(problem);
            }
        }
    }

    /// Goes to the sums, if there is anything to sum up.
    fn sum_up(&mut self) {
        let Some(match_history) = self.match_history.filter(|_| !self.matches.is_empty()) else { return };
        match match_history.totals() {
            Ok(totals) => {
                tracing::info!(target: "bounty_hunter::client", matches = totals.matches, "totals");
                (self.totals, self.page, self.scroll) = (Some(totals), Page::Totals, 0);
            }
            Err(problem) => self.tell(problem),
        }
    }

    /// How far the longest table of the page can be moved up.
    fn most_scroll(&self) -> usize {
        self.longest_table().saturating_sub(TABLE_ROWS)
    }

    /// Lines of the longest table of the page.
    pub(super) fn longest_table(&self) -> usize {
        let (details, totals) = (self.details.as_ref(), self.totals.as_ref());
        match self.page {
            Page::Matches => 0,
            Page::Totals => totals.map_or(0, |totals| lines_of(&totals.events)),
            Page::Details => details.map_or(0, |open| open.standings.len().max(lines_of(&open.events))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::sample::{SampleMatches, match_summary};

    fn press(browser: &mut Browser, keys: &[Key]) -> Option<Request> {
        keys.iter().fold(None, |_, key| browser.press(*key))
    }

    fn shown(browser: &Browser) -> Vec<usize> {
        browser.shown().map(|(index, ..)| index).collect()
    }

    #[test]
    fn latest_match_is_selected_first_and_enter_opens_it() {
        let match_history = SampleMatches::of(3);
        let mut browser = Browser::new(Some(&match_history));
        assert_eq!((browser.page(), browser.matches()[0].id, browser.instead_of_list()), (Page::Matches, 3, None));
        assert_eq!(press(&mut browser, &[Key::Enter]), None);
        assert_eq!((browser.page(), browser.details().unwrap().summary.id), (Page::Details, 3));
        assert_eq!(press(&mut browser, &[Key::Enter]), Some(Request::Watch(3)));
        assert_eq!(press(&mut browser, &[Key::Escape]), None);
        assert_eq!(browser.page(), Page::Matches);
        assert_eq!(press(&mut browser, &[Key::Escape]), Some(Request::Leave));
    }

    #[test]
    fn selected_line_is_always_in_sight_and_stops_at_both_ends() {
        let match_history = SampleMatches::of(40);
        let mut browser = Browser::new(Some(&match_history));
        press(&mut browser, &[Key::Up]);
        assert_eq!((browser.selected(), shown(&browser)), (0, (0..LIST_ROWS).collect()));
        for line in 1..40 {
            press(&mut browser, &[Key::Down]);
            assert_eq!(browser.selected(), line);
            assert!(shown(&browser).contains(&line) && shown(&browser).len() == LIST_ROWS);
        }
        press(&mut browser, &[Key::Down]);
        assert_eq!((browser.selected(), shown(&browser)), (39, (40 - LIST_ROWS..40).collect()));
        press(&mut browser, &[Key::Up, Key::Up]);
        assert_eq!((browser.selected(), browser.top()), (37, 40 - LIST_ROWS), "the list stays as long as it can");
    }

    #[test]
    fn arrows_lead_from_match_to_match_and_the_list_follows() {
        let match_history = SampleMatches::of(30);
        let mut browser = Browser::new(Some(&match_history));
        press(&mut browser, &[Key::Enter, Key::Left]);
        assert_eq!(browser.details().unwrap().summary.id, 30, "there is none before the first");
        press(&mut browser, &[Key::Right; 20]);
        assert_eq!(browser.details().unwrap().summary.id, 10);
        press(&mut browser, &[Key::Escape]);
        assert_eq!(browser.selected(), 20);
        assert!(shown(&browser).contains(&20));
        press(&mut browser, &[&[Key::Enter][..], &[Key::Right; 30]].concat());
        assert_eq!(browser.details().unwrap().summary.id, 1, "there is none behind the last");
    }

    #[test]
    fn arrows_lead_from_the_list_to_the_totals_and_back() {
        let match_history = SampleMatches::of(2);
        for key in [Key::Left, Key::Right] {
            let mut browser = Browser::new(Some(&match_history));
            press(&mut browser, &[Key::Down, key]);
            assert_eq!((browser.page(), browser.totals().unwrap().matches), (Page::Totals, 2));
            assert_eq!(press(&mut browser, &[Key::Enter, key]), None);
            assert_eq!((browser.page(), browser.selected()), (Page::Matches, 1));
            assert_eq!(press(&mut browser, &[key, Key::Escape]), Some(Request::Leave));
        }
    }

    #[test]
    fn tables_move_up_until_their_last_lines_are_seen() {
        let match_history = SampleMatches { players: 30, events: 100, ..SampleMatches::of(1) };
        let mut browser = Browser::new(Some(&match_history));
        press(&mut browser, &[&[Key::Enter][..], &[Key::Down; 12]].concat());
        assert_eq!((browser.first_of(30), browser.first_of(50), browser.first_of(5)), (10, 12, 0));
        press(&mut browser, &[Key::Down; 99]);
        assert_eq!((browser.first_of(30), browser.first_of(50)), (10, 30));
        press(&mut browser, &[Key::Up]);
        assert_eq!(browser.first_of(50), 29, "keys that led nowhere need not be taken back");
        press(&mut browser, &[Key::Escape, Key::Right]);
        assert_eq!(browser.first_of(50), 0, "another page begins at its top");
        press(&mut browser, &[Key::Down; 99]);
        assert_eq!(browser.first_of(50), 30);
    }

    #[test]
    fn nothing_that_is_kept_yet_is_a_friendly_sentence() {
        let match_history = SampleMatches::of(0);
        let mut browser = Browser::new(Some(&match_history));
        for key in [Key::Up, Key::Down, Key::Enter, Key::Right, Key::Left, Key::Space] {
            assert_eq!(press(&mut browser, &[key]), None);
            assert_eq!((browser.page(), browser.selected(), browser.problem()), (Page::Matches, 0, None));
            assert_eq!(browser.instead_of_list(), Some(NOTHING_YET));
        }
        assert_eq!(press(&mut browser, &[Key::Escape]), Some(Request::Leave));
    }

    #[test]
    fn program_that_keeps_nothing_says_so() {
        let mut browser = Browser::new(None);
        press(&mut browser, &[Key::Enter, Key::Right, Key::Down]);
        assert_eq!((browser.page(), browser.instead_of_list()), (Page::Matches, Some(NOT_BUILT)));
    }

    #[test]
    fn what_can_not_be_opened_is_told_in_its_own_sentence() {
        let match_history = SampleMatches { broken: Some("it is damaged"), ..SampleMatches::of(3) };
        let mut browser = Browser::new(Some(&match_history));
        press(&mut browser, &[Key::Enter, Key::Down]);
        assert_eq!((browser.page(), browser.instead_of_list()), (Page::Matches, Some("it is damaged")));
    }

    #[test]
    fn match_that_is_gone_by_now_is_told_and_the_list_stays() {
        let match_history = SampleMatches { gone: Some(1), ..SampleMatches::of(2) };
        let mut browser = Browser::new(Some(&match_history));
        press(&mut browser, &[Key::Down, Key::Enter]);
        assert_eq!((browser.page(), browser.problem()), (Page::Matches, Some("there is no match 1")));
        assert_eq!(browser.instead_of_list(), None);
        press(&mut browser, &[Key::Up]);
        assert_eq!((browser.problem(), browser.matches()[browser.selected()].clone()), (None, match_summary(2)));
    }
}
