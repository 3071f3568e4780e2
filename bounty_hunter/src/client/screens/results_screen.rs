//! The results screen: a list of matches, the details of one match, and totals.

use std::fmt::Display;

mod browser;
mod counts;
mod details;
mod feats;
mod list;
mod rows;
mod sheet;
mod totals;

use macroquad::input::mouse_position;
use macroquad::math::{Vec2, vec2};
use macroquad::window::{clear_background, next_frame, screen_height, screen_width};

use self::browser::{Browser, PAGES, Page, Request};
use self::sheet::Sheet;
use super::replay_screen::{Leaving, ReplayScreen};
use crate::client::devices::Devices;
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme;
use crate::client::input::keys::MouseButton;
use crate::client::input::reader::WindowEvent;
use crate::client::match_history::MatchHistory;
use crate::client::translation::{tr, tr_with};
use crate::client::{ClientError, WatchOptions};
use bounty_hunter_simulation::keymap::Key;

/// Heights of the title and of the keys, in units of the sheet.
const NAME_LINE: f32 = 50.0;
const FOOT_LINE: f32 = 690.0;

/// The results in the window.
pub(crate) struct ResultsScreen<'a> {
    match_history: Option<&'a dyn MatchHistory>,
    browser: Browser<'a>,
}

impl<'a> ResultsScreen<'a> {
    /// The list of matches; without a history, a sentence that says so.
    pub(crate) fn new(match_history: Option<&'a dyn MatchHistory>) -> Self {
        Self { match_history, browser: Browser::new(match_history) }
    }

    /// Shows the results and replays until the player leaves.
    ///
    /// # Errors
    /// - [`ClientError::Match`] if seeking in a replay fails.
    pub(crate) async fn run(mut self, devices: &mut Devices) -> Result<Leaving, ClientError> {
        let (matches, problem) = (self.browser.matches().len(), self.browser.problem());
        tracing::info!(target: "bounty_hunter::client", matches, problem, "results");
        loop {
            let window = vec2(screen_width(), screen_height());
            let mut request = None;
            for window_event in devices.reader.read() {
                if *window_event == WindowEvent::CloseRequested {
                    return Ok(Leaving::Closed);
                }
                request = self.take_input(*window_event, &Sheet::new(window));
                if request.is_some() {
                    break;
                }
            }
            match request {
                Some(Request::Leave) => return Ok(Leaving::Back),
                Some(Request::Watch(id)) if self.watch(id, devices).await? == Leaving::Closed => {
                    return Ok(Leaving::Closed);
                }
                _ => {}
            }
            draw(&self.browser, window);
            next_frame().await;
        }
    }

    /// Shows the replay of a match, or the problem with it.
    async fn watch(&mut self, id: i64, devices: &mut Devices) -> Result<Leaving, ClientError> {
        let Some(match_history) = self.match_history else { return Ok(Leaving::Back) };
        match match_history.replay(id) {
            Ok(playback) => {
                let options = WatchOptions { frames: None, screenshot: None };
                let screen = ReplayScreen::new(playback, options)?.with_people(devices.people());
                let leaving = screen.run(devices).await;
                devices.sound.rest();
                tracing::info!(target: "bounty_hunter::client", id, "watched");
                leaving
            }
            Err(problem) => {
                self.browser.tell(problem);
                Ok(Leaving::Back)
            }
        }
    }

    fn take_input(&mut self, window_event: WindowEvent, sheet: &Sheet) -> Option<Request> {
        match window_event {
            WindowEvent::KeyDown(key)
            | WindowEvent::KeyRepeated(key @ (Key::Up | Key::Down | Key::Left | Key::Right)) => self.browser.press(key),
            WindowEvent::PointerMoved(..) => {
                self.point(sheet);
                None
            }
            WindowEvent::ButtonDown(MouseButton::Left) if self.point(sheet) => self.browser.press(Key::Enter),
            WindowEvent::ButtonDown(MouseButton::Left) => {
                let page = tab_at(sheet, &self.browser, mouse_position().into())?;
                self.browser.show(page);
                None
            }
            _ => None,
        }
    }

    /// Selects the line of the list under the pointer; returns whether it exists.
    fn point(&mut self, sheet: &Sheet) -> bool {
        if self.browser.page() != Page::Matches {
            return false;
        }
        let found = list::line_at(sheet, &self.browser, mouse_position().into());
        found.inspect(|line| self.browser.select(*line)).is_some()
    }
}

fn draw(browser: &Browser, window: Vec2) {
    clear_background(theme::BACKGROUND);
    let sheet = Sheet::new(window);
    let (left, right) = sheet.inner();
    let name = Style::new(26.0, theme::ACCENT).weight(1.1);
    sheet.write(tr("Results"), left, NAME_LINE, right - left, name);
    sheet.draw_box();
    match (browser.page(), browser.details(), browser.totals()) {
        (Page::Details, Some(open), _) => details::draw(&sheet, browser, open),
        (Page::Totals, _, Some(totals)) => totals::draw(&sheet, browser, totals),
        (Page::Feats, ..) => feats::draw(&sheet, browser.feats().unwrap_or_default()),
        _ => match browser.instead_of_list() {
            Some(sentence) => {
                let color = if browser.problem().is_some() { theme::ALARM } else { theme::TEXT };
                draw_lines(&sheet, sentence, (sheet.top() + sheet.bottom()) / 2.0, Style::new(12.0, color));
            }
            None => list::draw(&sheet, browser),
        },
    }
    draw_tabs(&sheet, browser);
    match browser.problem().filter(|_| browser.instead_of_list().is_none()) {
        // A problem is shown until the next key.
        Some(problem) => draw_lines(&sheet, problem, FOOT_LINE, Style::new(9.0, theme::ALARM)),
        None => draw_lines(&sheet, keys_of(browser), FOOT_LINE, Style::new(9.0, theme::FAINT)),
    }
}

/// Draws a sentence in several lines around a height.
fn draw_lines(sheet: &Sheet, sentence: &str, middle: f32, ink: Style) {
    let room = sheet.inner_width() * 0.9;
    let lines = text::wrapped(sentence, sheet.length(ink.height), sheet.length(room));
    for (index, line) in lines.iter().enumerate() {
        let y = middle + (index as f32 - (lines.len() as f32 - 1.0) / 2.0) * ink.height * 2.0;
        sheet.write(line, sheet.center(), y, room, ink.align(Align::Center));
    }
}

/// The size of the tabs in units of the sheet.
const LETTERS: f32 = 12.0;
const TAB_WIDTH: f32 = 110.0;

/// The page whose tab is at a point in pixels; none while there are no tabs.
fn tab_at(sheet: &Sheet, browser: &Browser, point: Vec2) -> Option<Page> {
    let has_tabs = !browser.matches().is_empty() && browser.page() != Page::Details;
    let right = sheet.inner().1;
    let is_at = |(index, page): (usize, Page)| {
        let left = right - (index + 1) as f32 * TAB_WIDTH;
        sheet.area(left, NAME_LINE - LETTERS, TAB_WIDTH, 2.0 * LETTERS).contains(point).then_some(page)
    };
    PAGES.into_iter().rev().enumerate().find_map(is_at).filter(|_| has_tabs)
}

/// Draws the names of the pages, the open one bright, or the number of the open match.
fn draw_tabs(sheet: &Sheet, browser: &Browser) {
    let (_, right) = sheet.inner();
    if browser.matches().is_empty() {
        return;
    }
    if let Some(open) = browser.details().filter(|_| browser.page() == Page::Details) {
        // The commands use the same id.
        let (place, all) = (browser.selected() + 1, browser.matches().len());
        let values: [(&str, &dyn Display); 3] = [("id", &open.summary.id), ("place", &place), ("all", &all)];
        let which = tr_with("Match {id} · {place} of {all}", &values);
        let ink = Style::new(LETTERS, theme::FAINT).align(Align::Right);
        sheet.write(&which, right, NAME_LINE, 3.0 * TAB_WIDTH, ink);
        return;
    }
    for (index, page) in PAGES.into_iter().rev().enumerate() {
        let name = match page {
            Page::Totals => tr("Totals"),
            Page::Feats => tr("Feats"),
            Page::Matches | Page::Details => tr("Matches"),
        };
        let is_open = browser.page() == page;
        let color = if is_open { theme::ACCENT } else { theme::FAINT };
        let ink = Style::new(LETTERS, color).align(Align::Right).weight(if is_open { 1.15 } else { 1.0 });
        sheet.write(name, right - index as f32 * TAB_WIDTH, NAME_LINE, TAB_WIDTH, ink);
    }
}

fn keys_of(browser: &Browser) -> &'static str {
    match browser.page() {
        Page::Matches if browser.matches().is_empty() => tr("Esc back"),
        Page::Matches => tr("↑ ↓ select · Enter opens the match · ← → other pages · Esc back"),
        Page::Totals => tr("↑ ↓ move · ← → other pages · Esc back"),
        Page::Feats => tr("← → other pages · Esc back"),
        Page::Details => tr("Enter shows the replay · ← → later and earlier matches · ↑ ↓ move · Esc back"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::sample::SampleMatches;

    #[test]
    fn tabs_are_found_where_they_are_drawn_and_only_while_they_are() {
        let matches = SampleMatches::of(3);
        let mut browser = Browser::new(Some(&matches));
        for window in [vec2(1280.0, 720.0), vec2(400.0, 900.0)] {
            let sheet = Sheet::new(window);
            let at = |from_right: f32| sheet.pixels(sheet.inner().1 - from_right, NAME_LINE);
            for (tabs, page) in (0_u8..).zip([Some(Page::Feats), Some(Page::Totals), Some(Page::Matches), None]) {
                assert_eq!(tab_at(&sheet, &browser, at(f32::from(tabs) * TAB_WIDTH + 10.0)), page);
            }
        }
        let (sheet, totals) = (Sheet::new(vec2(1280.0, 720.0)), SampleMatches::of(0));
        let place = sheet.pixels(sheet.inner().1 - 10.0, NAME_LINE);
        assert_eq!(tab_at(&sheet, &Browser::new(Some(&totals)), place), None);
        browser.press(Key::Enter);
        assert_eq!(tab_at(&sheet, &browser, place), None);
    }
}
