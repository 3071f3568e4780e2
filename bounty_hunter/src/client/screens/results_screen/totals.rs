//! The page of totals.

use super::browser::Browser;
use super::counts;
use super::rows::Rows;
use super::sheet::Sheet;
use crate::client::drawing::gauges::{draw_bar, share};
use crate::client::drawing::text::{Align, Style};
use crate::client::drawing::theme;
use crate::client::translation::{tr, tr_mode, tr_number, tr_with};
use bounty_hunter_simulation::results::MatchTotals;

/// Sums on the left, events on the right, in shares of the width.
const SUMS: (f32, f32) = (0.0, 0.44);
const EVENTS: (f32, f32) = (0.5, 1.0);
const SUM_HEIGHT: f32 = 38.0;
const MODE_HEIGHT: f32 = 24.0;
/// Limit of modes, those with the most matches.
const MAX_MODES: usize = 10;

pub(super) fn draw(sheet: &Sheet, browser: &Browser, totals: &MatchTotals) {
    let (left, right) = (sheet.at_share(SUMS.0), sheet.at_share(SUMS.1));
    let (inner_left, inner_right) = sheet.inner();
    sheet.write(tr("All matches"), left, sheet.top() + 26.0, right - left, Style::new(14.0, theme::TEXT).weight(1.1));
    sheet.write(&summary(totals), left, sheet.top() + 52.0, inner_right - left, Style::new(9.0, theme::FAINT));
    sheet.rule(inner_left, inner_right, sheet.top() + 68.0);
    let mut y = sheet.top() + 98.0;
    for (number, what) in sums(totals) {
        let ink = Style::new(18.0, theme::ACCENT).align(Align::Right).weight(1.1);
        let middle = left + (right - left) * 0.36;
        sheet.write(&number, middle, y, middle - left, ink);
        sheet.write(what, middle + 18.0, y + 2.0, right - middle - 18.0, Style::new(10.0, theme::TEXT));
        y += SUM_HEIGHT;
    }
    y += 6.0;
    sheet.rule(left, right, y - 16.0);
    let most = totals.modes.values().copied().max().unwrap_or(0);
    for (mode, count) in most_played(totals) {
        let at = |share: f32| left + (right - left) * share;
        sheet.write(&tr_mode(mode), left, y, at(0.34) - left, Style::new(10.0, theme::TEXT));
        let bar = sheet.area(at(0.36), y - 4.0, at(0.84) - at(0.36), 8.0);
        draw_bar(bar, share(count as f32, most as f32), theme::BORDER);
        let number = Style::new(10.0, theme::ACCENT).align(Align::Right);
        sheet.write(&count.to_string(), right, y, right - at(0.85), number);
        y += MODE_HEIGHT;
    }
    let rows = Rows::new(sheet, browser.longest_table());
    counts::draw(sheet, rows, &totals.events, EVENTS);
}

fn summary(totals: &MatchTotals) -> String {
    let matches = match totals.matches {
        1 => tr("1 match").to_owned(),
        count => tr_with("{count} matches", &[("count", &count)]),
    };
    let modes = match totals.modes.len() {
        1 => tr("1 mode").to_owned(),
        count => tr_with("{count} modes", &[("count", &count)]),
    };
    tr_with("{matches} in {modes}, with all replays", &[("matches", &matches), ("modes", &modes)])
}

/// The numbers with their labels.
fn sums(totals: &MatchTotals) -> Vec<(String, &'static str)> {
    let mut sums = vec![
        (totals.matches.to_string(), tr("played to the end")),
        (tr_number(totals.seconds / 60.0), tr("minutes of play")),
        (totals.with_people.to_string(), tr("with people")),
        (totals.won_by_people.to_string(), tr("of them won by people")),
    ];
    sums.extend(totals.best_stash.map(|stash| (tr_number(stash), tr("the fullest stash of a person"))));
    sums
}

/// The modes with the most matches first.
fn most_played(totals: &MatchTotals) -> Vec<(&str, i64)> {
    let mut modes: Vec<(&str, i64)> = totals.modes.iter().map(|(mode, count)| (mode.as_str(), *count)).collect();
    modes.sort_by_key(|(_, count)| -count);
    modes.truncate(MAX_MODES);
    modes
}

#[cfg(test)]
mod tests {
    use macroquad::math::vec2;

    use super::*;

    #[test]
    fn sums_equal_those_of_the_command() {
        let totals =
            MatchTotals { matches: 12, with_people: 5, won_by_people: 2, seconds: 90.0, ..MatchTotals::default() };
        let numbers = |totals: &MatchTotals| sums(totals).into_iter().map(|(number, _)| number).collect::<Vec<_>>();
        assert_eq!(numbers(&totals), ["12", "1.5", "5", "2"]);
        assert_eq!(numbers(&MatchTotals { best_stash: Some(30.04), ..totals }).last().unwrap(), "30.0");
    }

    #[test]
    fn most_played_modes_come_first_and_fit_into_the_box() {
        let modes = (0..30).map(|mode| (format!("mode {mode:02}"), mode % 7)).collect();
        let totals = MatchTotals { modes, ..MatchTotals::default() };
        let shown = most_played(&totals);
        assert_eq!((shown.len(), shown[0]), (MAX_MODES, ("mode 06", 6)));
        let sheet = Sheet::new(vec2(1280.0, 720.0));
        let end = sheet.top() + 104.0 + 5.0 * SUM_HEIGHT + MAX_MODES as f32 * MODE_HEIGHT;
        assert!(end < sheet.bottom());
    }
}
