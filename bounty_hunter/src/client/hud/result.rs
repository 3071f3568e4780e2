//! The result of a finished match.

use std::collections::BTreeSet;
use std::fmt::Display;

use macroquad::color::Color;
use macroquad::math::{Rect, vec2};
use macroquad::shapes::draw_line;

use super::score::draw_stash_bar;
use super::standings::{is_after_gap, names_of_side, ordinal, shown, sides, standings};
use crate::client::drawing::gauges::{draw_gap, line_px};
use crate::client::drawing::palette::Palette;
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, faded};
use crate::client::picture::bodies;
use crate::client::translation::{tr, tr_later, tr_with};
use bounty_hunter_simulation::simulation::view::{Award, Awards, Ending, PlayerView, View};

/// Limit of players in the table.
const MAX_ROWS: usize = 10;
/// Heights in units of the layout.
const HEAD_HEIGHT: f32 = 122.0;
const ROW_HEIGHT: f32 = 27.0;
const FOOT_HEIGHT: f32 = 18.0;
const AWARDS_HEIGHT: f32 = 20.0;

/// The height of the result of a match with as many rows as fit into a room, both in units of the layout.
pub(crate) fn height(view: &View, room: f32) -> f32 {
    let without_rows = HEAD_HEIGHT + awards_height(view) + FOOT_HEIGHT;
    let fitting = ((room - without_rows) / ROW_HEIGHT).max(1.0) as usize;
    without_rows + view.players.len().min(MAX_ROWS).min(fitting) as f32 * ROW_HEIGHT
}

fn awards_height(view: &View) -> f32 {
    if awards_text(view).is_some() { AWARDS_HEIGHT } else { 0.0 }
}

/// Draws the winner, the reason of the end, the summary of a person, the table and the awards.
pub(crate) fn draw(area: Rect, view: &View, summary: Option<&str>, palette: &Palette, scale: f32) {
    let (headline, color) = headline(view, palette);
    let width = area.w - 40.0 * scale;
    // A long name shrinks its line.
    let letters = text::shrunk(&headline, 20.0 * scale, width);
    let style = Style::new(letters, color).align(Align::Center).weight(1.15);
    text::draw(&headline, area.center().x, area.y + 42.0 * scale, style);
    let reason = reason_text(view);
    // The places of several people take two lines.
    let lines = text::wrapped(&reason, 10.0 * scale, width);
    let lines: &[&str] = if lines.len() <= 2 { &lines } else { &[&reason] };
    for (index, line) in lines.iter().enumerate() {
        let style = Style::new(text::shrunk(line, 10.0 * scale, width), theme::TEXT).align(Align::Center);
        let y = area.y + (74.0 + (index as f32 - (lines.len() as f32 - 1.0) / 2.0) * 16.0) * scale;
        text::draw(line, area.center().x, y, style);
    }
    if let Some(summary) = summary {
        let style = Style::new(text::shrunk(summary, 10.0 * scale, width), theme::ACCENT).align(Align::Center);
        text::draw(summary, area.center().x, area.y + 98.0 * scale, style);
    }
    let (left, right) = (area.x + 30.0 * scale, area.right() - 30.0 * scale);
    let line = area.y + (HEAD_HEIGHT - 10.0) * scale;
    draw_line(left, line, right, line, line_px(1.0), faded(theme::FAINT, 0.5));

    let rows = ((area.h / scale - HEAD_HEIGHT - awards_height(view) - FOOT_HEIGHT) / ROW_HEIGHT).round();
    let table = shown(&standings(&view.players), &view.players, MAX_ROWS.min(rows.max(1.0) as usize));
    for (place, standing) in table.iter().enumerate() {
        if is_after_gap(&table, place) {
            draw_gap(left, right, area.y + (HEAD_HEIGHT + place as f32 * ROW_HEIGHT) * scale, scale);
        }
        let player = &view.players[standing.index];
        let y = area.y + (HEAD_HEIGHT + (place as f32 + 0.5) * ROW_HEIGHT) * scale;
        let height = 10.0 * scale;
        let ink = if player.is_here() || standing.rank == 1 { theme::TEXT } else { theme::FAINT };
        text::draw(&standing.rank.to_string(), left, y, Style::new(height, ink));
        bodies::draw_badge(palette, player.index, vec2(left + 40.0 * scale, y), 8.0 * scale);
        let name = text::fitting(&player.name, height, 130.0 * scale);
        text::draw(name, left + 58.0 * scale, y, Style::new(height, ink));
        let bar = Rect::new(left + 200.0 * scale, y - 5.0 * scale, (right - left) - 250.0 * scale, 10.0 * scale);
        draw_stash_bar(bar, player, view, palette.color(player.index));
        let score = Style::new(height, ink).align(Align::Right);
        text::draw(&format!("{:.0}", player.score()), right, y, score);
    }
    if let Some(awards) = awards_text(view) {
        let style = Style::new(text::shrunk(&awards, 9.0 * scale, width), theme::FAINT).align(Align::Center);
        let y = area.y + (HEAD_HEIGHT + table.len() as f32 * ROW_HEIGHT + AWARDS_HEIGHT * 0.6) * scale;
        text::draw(&awards, area.center().x, y, style);
    }
}

/// The awards in one line; `None` without any.
fn awards_text(view: &View) -> Option<String> {
    let Awards { most_bounties, best_delivery, fewest_deaths } = view.awards;
    let awards = [
        (most_bounties, tr_later("Most bounties: {name} ({amount})")),
        (best_delivery, tr_later("Largest delivery: {name} ({amount})")),
        (fewest_deaths, tr_later("Fewest deaths: {name} ({amount})")),
    ];
    let sentence = |(award, sentence): (Option<Award>, &'static str)| {
        let Award { player, amount } = award?;
        let name = &view.players.get(player as usize)?.name;
        Some(tr_with(sentence, &[("name", name), ("amount", &amount.round())]))
    };
    let awards: Vec<String> = awards.into_iter().filter_map(sentence).collect();
    (!awards.is_empty()).then(|| awards.join(" · "))
}

/// The winner, or the players of the team that has won, in its colour.
fn headline(view: &View, palette: &Palette) -> (String, Color) {
    match view.result.as_ref().map(|result| result.winner) {
        Some(Some(winner)) => {
            let sentence = match names_of_side(view, winner).as_slice() {
                [] => tr_with("{name} wins", &[("name", &tr("nobody"))]),
                [name] => tr_with("{name} wins", &[("name", name)]),
                names => tr_with("{names} win", &[("names", &names.join(" & "))]),
            };
            (sentence, palette.color(winner))
        }
        Some(None) => (tr("It is a draw").into(), theme::ACCENT),
        None => (tr("Game over").into(), theme::ACCENT),
    }
}

/// The reason of the end, and for a draw the number of first places.
fn reason_text(view: &View) -> String {
    let Some(result) = &view.result else { return String::new() };
    let reason = match result.ending {
        Ending::Time => tr("The time is up"),
        Ending::StashFull if view.players.iter().any(|player| player.team.is_some()) => {
            tr("The stashes of a team are full")
        }
        Ending::StashFull => tr("A stash is full"),
        Ending::LastStanding if view.players.iter().any(|player| player.out_at_clock_seconds.is_none()) => {
            tr("Nobody else is left")
        }
        Ending::LastStanding => tr("Nobody is left"),
    };
    let reason = match view.paused_seconds {
        seconds if seconds >= 1.0 => {
            let time = super::clock_text(seconds);
            tr_with("{reason}, {time} in pauses", &[("reason", &reason), ("time", &time)])
        }
        _ => reason.to_owned(),
    };
    if result.winner.is_some() {
        return format!("{reason}{}", places_text(view));
    }
    let table = standings(&view.players);
    let first = table.iter().filter(|standing| standing.rank == 1).map(|standing| &view.players[standing.index]);
    let sentence = if view.players.iter().any(|player| player.team.is_some()) {
        tr_later("{reason} · {count} teams share the first place")
    } else {
        tr_later("{reason} · {count} players share the first place")
    };
    let tied = first.map(PlayerView::side).collect::<BTreeSet<_>>().len();
    tr_with(sentence, &[("reason", &reason), ("count", &tied)])
}

/// The places of people at this screen who have not won, such as " · Person 1 came 3rd of 8".
fn places_text(view: &View) -> String {
    let table = standings(&view.players);
    let of_people = table.iter().map(|standing| (standing.rank, &view.players[standing.index]));
    let places = of_people.filter(|(_, player)| player.is_here() && !view.has_won(player.index));
    let came = |(rank, player): (u32, &PlayerView)| {
        let of: [(&str, &dyn Display); 2] = [("name", &player.name), ("place", &ordinal(rank))];
        format!(" · {}", tr_with("{name} came {place}", &of))
    };
    let text: String = places.map(came).collect();
    if text.is_empty() {
        return text;
    }
    tr_with("{places} of {count}", &[("places", &text), ("count", &sides(&view.players))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::sample;
    use bounty_hunter_simulation::simulation::view::{MatchResult, PlayedBy, TeamView};

    fn view(winner: Option<u32>) -> View {
        let player = |index: u32| PlayerView { stashed: if index < 2 { 30.0 } else { 5.0 }, ..sample::player(index) };
        let result = Some(MatchResult { ending: Ending::Time, winner });
        View { players: (0..4).map(player).collect(), result, ..View::empty() }
    }

    #[test]
    fn headline_names_the_winner_in_its_color() {
        assert_eq!(
            headline(&view(Some(3)), &Palette::default()),
            ("Player 3 wins".into(), Palette::default().color(3))
        );
    }

    fn with_teams(mut view: View, stashed: [f32; 2]) -> View {
        for player in &mut view.players {
            let number = player.index / 2;
            let stashed = stashed[number as usize];
            player.team = Some(TeamView { number, stashed, out_at_clock_seconds: None });
        }
        view
    }

    #[test]
    fn team_that_has_won_is_named_and_its_players_share_its_place() {
        let mut won = with_teams(view(Some(3)), [60.0, 70.0]);
        won.result = Some(MatchResult { ending: Ending::StashFull, winner: Some(3) });
        assert_eq!(headline(&won, &Palette::default()).0, "Player 2 & Player 3 win");
        assert_eq!(reason_text(&won), "The stashes of a team are full");
        won.players[1].person = Some(0);
        assert_eq!(reason_text(&won), "The stashes of a team are full · Player 1 came 2nd of 2");
        won.players[1].person = None;
        won.players[2].person = Some(0);
        assert_eq!(reason_text(&won), "The stashes of a team are full", "its partner has the fuller stash");
        let draw = with_teams(view(None), [60.0, 60.0]);
        assert_eq!(headline(&draw, &Palette::default()).0, "It is a draw");
        assert_eq!(reason_text(&draw), "The time is up · 2 teams share the first place");
    }

    #[test]
    fn draw_says_so_and_how_many_share_it() {
        assert_eq!(headline(&view(None), &Palette::default()).0, "It is a draw");
        assert_eq!(reason_text(&view(None)), "The time is up · 2 players share the first place");
        assert_eq!(reason_text(&view(Some(1))), "The time is up");
    }

    #[test]
    fn people_read_which_place_they_took() {
        let mut view = view(Some(0));
        view.players[3].person = Some(0);
        view.players[2].played_by = PlayedBy::Person;
        assert_eq!(reason_text(&view), "The time is up · Player 3 came 3rd of 4", "others are at other screens");
        view.players[3].person = None;
        view.players[0].person = Some(0);
        assert_eq!(reason_text(&view), "The time is up", "the headline says that a person has won");
    }

    #[test]
    fn awards_and_pauses_are_told_where_there_are_any() {
        let mut view = view(Some(0));
        assert_eq!((awards_text(&view), reason_text(&view).as_str()), (None, "The time is up"));
        let height_without = height(&view, 500.0);
        view.awards.most_bounties = Some(Award { player: 3, amount: 12.0 });
        view.awards.fewest_deaths = Some(Award { player: 1, amount: 0.0 });
        view.paused_seconds = 75.2;
        assert_eq!(awards_text(&view).unwrap(), "Most bounties: Player 3 (12) · Fewest deaths: Player 1 (0)");
        assert_eq!(reason_text(&view), "The time is up, 1:16 in pauses");
        assert!(height(&view, 500.0) > height_without);
    }

    #[test]
    fn last_survivor_and_no_survivor_have_different_sentences() {
        let mut view = view(Some(1));
        view.result = Some(MatchResult { ending: Ending::LastStanding, winner: Some(1) });
        for player in [0, 2, 3] {
            view.players[player].out_at_clock_seconds = Some(9.0);
        }
        assert_eq!(reason_text(&view), "Nobody else is left");
        view.players[1].out_at_clock_seconds = Some(8.0);
        assert_eq!(reason_text(&view), "Nobody is left");
    }

    #[test]
    fn low_window_has_fewer_rows() {
        let view = View { players: (0..10).map(sample::player).collect(), ..View::empty() };
        let most = height(&view, 1_000.0);
        assert_eq!(most, HEAD_HEIGHT + FOOT_HEIGHT + 10.0 * ROW_HEIGHT);
        let low = height(&view, 300.0);
        assert!(low <= 300.0 && low > 300.0 - ROW_HEIGHT, "{low}");
        assert_eq!(height(&view, 0.0), HEAD_HEIGHT + FOOT_HEIGHT + ROW_HEIGHT, "a row is left in any window");
    }

    #[test]
    fn winner_who_does_not_exist_does_not_panic() {
        assert_eq!(headline(&view(Some(77)), &Palette::default()).0, "nobody wins");
    }
}
