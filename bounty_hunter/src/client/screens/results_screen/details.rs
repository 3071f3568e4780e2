//! The page of one match: its players and its events.

use std::fmt::Display;

use macroquad::shapes::draw_rectangle;

use super::browser::Browser;
use super::counts;
use super::rows::{Rows, TABLE_ROWS};
use super::sheet::Sheet;
use crate::client::drawing::gauges::{draw_bar, share};
use crate::client::drawing::palette::Palette;
use crate::client::drawing::text::{Align, Style};
use crate::client::drawing::theme::{self, faded, mixed};
use crate::client::hud;
use crate::client::hud::standings::ordinal;
use crate::client::picture::bodies;
use crate::client::translation::{tr, tr_level, tr_mode, tr_number, tr_player, tr_with};
use bounty_hunter_simulation::results::{MatchDetails, MatchSummary, PlayerResult, has_won};

const LETTERS: f32 = 9.5;
const HEAD_LETTERS: f32 = 9.0;
/// Players on the left, events on the right, in shares of the width.
const PLAYERS: (f32, f32) = (0.0, 0.46);
const EVENTS: (f32, f32) = (0.51, 1.0);
/// Columns of the players, in shares of the width of the table.
const PLACE_RIGHT: f32 = 0.1;
const BADGE: f32 = 0.145;
const NAME: (f32, f32) = (0.185, 0.55);
const BAR: (f32, f32) = (0.575, 0.86);

pub(super) fn draw(sheet: &Sheet, browser: &Browser, open: &MatchDetails) {
    let (left, right) = sheet.inner();
    let summary = &open.summary;
    let (title, winner) = (sheet.at_share(0.55), sheet.at_share(0.4));
    let ink = Style::new(14.0, theme::TEXT).weight(1.1);
    sheet.write(&title_of(summary), left, sheet.top() + 26.0, title - left, ink);
    let (headline, color) = match summary.winner.zip(summary.winner_name.as_ref()) {
        // Some players' colours are too dark for text.
        Some((player, name)) => (
            match open.standings.iter().filter(|player| has_won(player, &open.standings, summary.winner)).count() {
                0 | 1 => tr_with("{name} wins", &[("name", &tr_player(name))]),
                _ => tr_with("{names} win", &[("names", name)]),
            },
            mixed(palette_of(&open.standings).color(player), theme::TEXT, 0.4),
        ),
        None => (tr("It is a draw").to_owned(), theme::ACCENT),
    };
    let ink = Style::new(14.0, color).align(Align::Right).weight(1.1);
    sheet.write(&headline, right, sheet.top() + 26.0, winner - left, ink);
    let (facts, color) = match &*summary.odd {
        [] => (facts_of(summary), theme::FAINT),
        // The command line names all of them.
        [first, more @ ..] => {
            let problem = format!("{first}{}", if more.is_empty() { "" } else { " …" });
            (tr_with("odd: {problem}", &[("problem", &problem)]), theme::ALARM)
        }
    };
    sheet.write(&facts, left, sheet.top() + 52.0, right - left, Style::new(9.0, color));
    sheet.rule(left, right, sheet.top() + 68.0);
    let rows = Rows::new(sheet, browser.longest_table());
    draw_players(sheet, rows, &open.standings, browser.first_of(open.standings.len()));
    counts::draw(sheet, rows, &open.events, EVENTS);
}

fn title_of(summary: &MatchSummary) -> String {
    let MatchSummary { mode, level, players, .. } = summary;
    let (mode, level) = (tr_mode(mode), tr_level(level));
    tr_with("{mode} · {level} · {players} players", &[("mode", &mode), ("level", &level), ("players", players)])
}

fn facts_of(summary: &MatchSummary) -> String {
    let MatchSummary { ended_at, seconds, ending, seed, version, .. } = summary;
    let played = hud::clock_text(*seconds as f32);
    let ending = reason_of(ending);
    tr_with(
        "{date} UTC · {ending} after {time} · seed {seed} · version {version}",
        &[("date", ended_at), ("ending", &ending), ("time", &played), ("seed", seed), ("version", version)],
    )
}

/// The reason of the end in words.
fn reason_of(ending: &str) -> &str {
    match ending {
        "time" => tr("the time was up"),
        "stash full" => tr("a stash was full"),
        "last standing" => tr("nobody else was left"),
        other => other,
    }
}

/// The colours of the players of a match.
fn palette_of(players: &[PlayerResult]) -> Palette {
    Palette::default().for_teams_of(players.iter().take_while(|player| player.team == Some(0)).count())
}

fn draw_players(sheet: &Sheet, rows: Rows, players: &[PlayerResult], first: usize) {
    let (left, right) = (sheet.at_share(PLAYERS.0), sheet.at_share(PLAYERS.1));
    let at = |share: f32| left + share * (right - left);
    let head = Style::new(HEAD_LETTERS, theme::FAINT);
    let y = rows.head();
    sheet.write(tr("Player"), at(NAME.0), y, at(NAME.1) - at(NAME.0), head);
    sheet.write(tr("Stash"), right, y, right - at(BAR.1), head.align(Align::Right));
    let palette = palette_of(players);
    let fullest = players.iter().map(|player| player.stashed).fold(0.0, f64::max) as f32;
    for (row, player) in players.iter().skip(first).take(TABLE_ROWS).enumerate() {
        let y = rows.middle(row);
        if player.is_person {
            let area = sheet.area(left, y - rows.height() / 2.0, right - left + 8.0, rows.height());
            draw_rectangle(area.x, area.y, area.w, area.h, faded(theme::ACCENT, 0.12));
        }
        let ink = Style::new(LETTERS, if player.is_person || player.place == 1 { theme::TEXT } else { theme::FAINT });
        sheet.write(&ordinal(player.place), at(PLACE_RIGHT), y, at(PLACE_RIGHT) - left, ink.align(Align::Right));
        bodies::draw_badge(&palette, player.player, sheet.pixels(at(BADGE), y), sheet.length(6.5));
        sheet.write(&tr_player(&player.name), at(NAME.0), y, at(NAME.1) - at(NAME.0), ink);
        let bar = sheet.area(at(BAR.0), y - 4.0, at(BAR.1) - at(BAR.0), 8.0);
        draw_bar(bar, share(player.stashed as f32, fullest), palette.color(player.player));
        sheet.write(&tr_number(player.stashed), right, y, right - at(BAR.1), ink.align(Align::Right));
    }
    let hidden = players.len().saturating_sub(first + TABLE_ROWS);
    if hidden > 0 || first > 0 {
        let last = players.len() - hidden;
        let values: [(&str, &dyn Display); 3] = [("first", &(first + 1)), ("last", &last), ("all", &players.len())];
        let range = tr_with("{first} to {last} of {all}", &values);
        let y = rows.bottom() + 10.0;
        sheet.write(&range, right, y, right - left, Style::new(8.0, theme::FAINT).align(Align::Right));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::sample::match_summary;

    #[test]
    fn page_shows_the_match_its_date_and_its_end() {
        let summary = match_summary(1);
        assert_eq!(title_of(&summary), "classic · Arena · 4 players");
        assert_eq!(facts_of(&summary), "2026-11-21 20:15:00 UTC · the time was up after 1:30 · seed 7 · version 0.1.0");
    }
}
