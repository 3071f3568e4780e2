//! The state of the results screen: the open page, the selection, and the effects of keys.

use super::counts::lines_of;
use super::rows::TABLE_ROWS;
use crate::client::match_history::MatchHistory;
use crate::client::translation::{tr, tr_later};
use bounty_hunter_simulation::keymap::Key;
use bounty_hunter_simulation::results::{FeatRecord, MatchDetails, MatchSummary, MatchTotals};

/// Rows of the list that are shown at once.
pub(super) const LIST_ROWS: usize = 14;

const NOTHING_YET: &str = tr_later("No matches yet. Play one to its end to see it here.");
const NOT_BUILT: &str = tr_later("This program stores no results: it was built without the feature saves.");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Page {
    Matches,
    Totals,
    Feats,
    Details,
}

/// The pages beside each other, from the left.
pub(super) const PAGES: [Page; 3] = [Page::Matches, Page::Totals, Page::Feats];

/// A request to leave these pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Leave,
    /// Watch the replay of the match with this id.
    Watch(i64),
}

/// The stored matches and the open page.
pub(super) struct Browser<'a> {
    match_history: Option<&'a dyn MatchHistory>,
    page: Page,
    matches: Vec<MatchSummary>,
    selected: usize,
    /// Index of the first shown line of the list.
    top: usize,
    /// Number of lines by which the tables of the other pages are scrolled.
    scroll: usize,
    details: Option<MatchDetails>,
    totals: Option<MatchTotals>,
    feats: Option<Vec<FeatRecord>>,
    problem: Option<String>,
}

impl<'a> Browser<'a> {
    /// The list with the latest match selected; without a history, a sentence.
    pub(super) fn new(match_history: Option<&'a dyn MatchHistory>) -> Self {
        let (matches, problem) = match match_history.map(MatchHistory::list) {
            Some(Ok(matches)) => (matches, None),
            Some(Err(problem)) => (Vec::new(), Some(problem)),
            None => (Vec::new(), Some(tr(NOT_BUILT).to_owned())),
        };
        let page = Page::Matches;
        let (details, totals, feats) = (None, None, None);
        Self { match_history, page, matches, selected: 0, top: 0, scroll: 0, details, totals, feats, problem }
    }

    pub(super) fn page(&self) -> Page {
        self.page
    }

    /// All matches, the latest first.
    pub(super) fn matches(&self) -> &[MatchSummary] {
        &self.matches
    }

    /// The shown lines of the list, each with its index and whether it is selected.
    pub(super) fn shown(&self) -> impl Iterator<Item = (usize, &MatchSummary, bool)> {
        let lines = self.matches.iter().enumerate().skip(self.top).take(LIST_ROWS);
        lines.map(|(index, summary)| (index, summary, index == self.selected))
    }

    pub(super) fn top(&self) -> usize {
        self.top
    }

    pub(super) fn selected(&self) -> usize {
        self.selected
    }

    /// The first line to show of a table with this many lines; scrolling stops at its last line.
    pub(super) fn first_of(&self, lines: usize) -> usize {
        self.scroll.min(lines.saturating_sub(TABLE_ROWS))
    }

    pub(super) fn details(&self) -> Option<&MatchDetails> {
        self.details.as_ref()
    }

    pub(super) fn totals(&self) -> Option<&MatchTotals> {
        self.totals.as_ref()
    }

    pub(super) fn feats(&self) -> Option<&[FeatRecord]> {
        self.feats.as_deref()
    }

    pub(super) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// The sentence instead of an empty list.
    pub(super) fn instead_of_list(&self) -> Option<&str> {
        self.matches.is_empty().then(|| self.problem().unwrap_or_else(|| tr(NOTHING_YET)))
    }

    /// Shows a problem until the next key.
    pub(super) fn tell(&mut self, problem: String) {
        tracing::warn!(target: "bounty_hunter::client", "results: {problem}");
        self.problem = Some(problem);
    }

    /// Applies a key.
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
            (_, Key::Left) => self.turn(PAGES.len() - 1),
            (_, Key::Right) => self.turn(1),
            (Page::Matches, Key::Up) => self.select(self.selected.saturating_sub(1)),
            (Page::Matches, Key::Down) => self.select(self.selected + 1),
            (Page::Matches, Key::Enter | Key::Space) => self.open(self.selected),
            (_, Key::Up) => self.scroll = self.scroll.saturating_sub(1),
            (_, Key::Down) => self.scroll = (self.scroll + 1).min(self.most_scroll()),
            _ => {}
        }
        None
    }

    /// Selects a line of the list, at most the last, and scrolls to it.
    pub(super) fn select(&mut self, index: usize) {
        self.selected = index.min(self.matches.len().saturating_sub(1));
        self.top = self.top.clamp((self.selected + 1).saturating_sub(LIST_ROWS), self.selected);
    }

    /// Opens the details of a line.
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

    /// Turns to the page this many tabs further to the right; the first follows the last.
    fn turn(&mut self, tabs: usize) {
        let now = PAGES.iter().position(|page| *page == self.page).unwrap_or_default();
        self.show(PAGES[(now + tabs) % PAGES.len()]);
    }

    /// Shows one of [`PAGES`], if there are matches.
    pub(super) fn show(&mut self, page: Page) {
        let Some(match_history) = self.match_history.filter(|_| !self.matches.is_empty()) else { return };
        let loaded = match page {
            Page::Totals => match_history.totals().map(|totals| self.totals = Some(totals)),
            Page::Feats => match_history.feats().map(|feats| self.feats = Some(feats)),
            Page::Matches | Page::Details => Ok(()),
        };
        match loaded {
            Ok(()) => {
                tracing::info!(target: "bounty_hunter::client", ?page, matches = self.matches.len(), "results page");
                (self.page, self.scroll) = (page, 0);
            }
            Err(problem) => self.tell(problem),
        }
    }

    /// Limit of scrolling for the longest table of the page.
    fn most_scroll(&self) -> usize {
        self.longest_table().saturating_sub(TABLE_ROWS)
    }

    /// Lines of the longest table of the page.
    pub(super) fn longest_table(&self) -> usize {
        let (details, totals) = (self.details.as_ref(), self.totals.as_ref());
        match self.page {
            Page::Matches | Page::Feats => 0,
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
    fn selected_line_stays_visible_and_stops_at_both_ends() {
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
        assert_eq!((browser.selected(), browser.top()), (37, 40 - LIST_ROWS), "the list scrolls only if it must");
    }

    #[test]
    fn arrows_open_the_next_match_and_the_list_follows() {
        let match_history = SampleMatches::of(30);
        let mut browser = Browser::new(Some(&match_history));
        press(&mut browser, &[Key::Enter, Key::Left]);
        assert_eq!(browser.details().unwrap().summary.id, 30, "no match before the first");
        press(&mut browser, &[Key::Right; 20]);
        assert_eq!(browser.details().unwrap().summary.id, 10);
        press(&mut browser, &[Key::Escape]);
        assert_eq!(browser.selected(), 20);
        assert!(shown(&browser).contains(&20));
        press(&mut browser, &[&[Key::Enter][..], &[Key::Right; 30]].concat());
        assert_eq!(browser.details().unwrap().summary.id, 1, "no match after the last");
    }

    #[test]
    fn arrows_turn_the_pages_in_a_ring() {
        let match_history = SampleMatches::of(2);
        let pages = |browser: &mut Browser, key: Key| {
            [0; 4].map(|_| {
                press(browser, &[key]);
                browser.page()
            })
        };
        let mut browser = Browser::new(Some(&match_history));
        press(&mut browser, &[Key::Down]);
        let ring = pages(&mut browser, Key::Right);
        assert_eq!(ring, [Page::Totals, Page::Feats, Page::Matches, Page::Totals]);
        assert_eq!((browser.totals().unwrap().matches, browser.feats().unwrap().len(), browser.selected()), (2, 3, 1));
        assert_eq!(pages(&mut browser, Key::Left), [Page::Matches, Page::Feats, Page::Totals, Page::Matches]);
        browser.show(Page::Feats);
        assert_eq!((browser.page(), press(&mut browser, &[Key::Escape])), (Page::Feats, Some(Request::Leave)));
    }

    #[test]
    fn tables_scroll_to_their_last_lines() {
        let match_history = SampleMatches { players: 50, ..SampleMatches::of(1) };
        let mut browser = Browser::new(Some(&match_history));
        press(&mut browser, &[&[Key::Enter][..], &[Key::Down; 12]].concat());
        assert_eq!((browser.first_of(30), browser.first_of(50), browser.first_of(5)), (10, 12, 0));
        press(&mut browser, &[Key::Down; 99]);
        assert_eq!((browser.first_of(30), browser.first_of(50)), (10, 30));
        press(&mut browser, &[Key::Up]);
        assert_eq!(browser.first_of(50), 29, "keys beyond the end have no effect");
        press(&mut browser, &[Key::Escape, Key::Right]);
        assert_eq!(browser.first_of(50), 0, "another page starts at its top");
    }

    #[test]
    fn empty_history_is_a_friendly_sentence() {
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
    fn build_without_a_history_says_so() {
        let mut browser = Browser::new(None);
        press(&mut browser, &[Key::Enter, Key::Right, Key::Down]);
        assert_eq!((browser.page(), browser.instead_of_list()), (Page::Matches, Some(NOT_BUILT)));
    }

    #[test]
    fn broken_history_shows_its_sentence() {
        let match_history = SampleMatches { broken: Some("it is damaged"), ..SampleMatches::of(3) };
        let mut browser = Browser::new(Some(&match_history));
        press(&mut browser, &[Key::Enter, Key::Down]);
        assert_eq!((browser.page(), browser.instead_of_list()), (Page::Matches, Some("it is damaged")));
    }

    #[test]
    fn deleted_match_is_reported_and_the_list_stays() {
        let match_history = SampleMatches { gone: Some(1), ..SampleMatches::of(2) };
        let mut browser = Browser::new(Some(&match_history));
        press(&mut browser, &[Key::Down, Key::Enter]);
        assert_eq!((browser.page(), browser.problem()), (Page::Matches, Some("there is no match 1")));
        assert_eq!(browser.instead_of_list(), None);
        press(&mut browser, &[Key::Up]);
        assert_eq!((browser.problem(), browser.matches()[browser.selected()].clone()), (None, match_summary(2)));
    }
}
