//! The score over the arena: the clock and the table of players.

use macroquad::color::Color;
use macroquad::math::{Rect, Vec2, vec2};
use macroquad::shapes::{draw_circle, draw_line, draw_rectangle};

use super::cards::absence_text;
use super::standings::{Standing, is_after_gap, leading, shown, standings};
use crate::client::drawing::gauges::{draw_bar, draw_gap, line_px, share};
use crate::client::drawing::layout::{Layout, MARGIN};
use crate::client::drawing::palette::Palette;
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, faded};
use crate::client::picture::{bodies, spells};
use crate::client::translation::{tr, tr_with};
use bounty_hunter_simulation::simulation::view::{GameState, PlayerView, View};

/// Limit of lines in the whole table, and of the first players in the slim one.
const MAX_ROWS: usize = 16;
const FIRST_ROWS: usize = 3;
/// Heights in units of the layout.
const HEAD_HEIGHT: f32 = 60.0;
const ROW_HEIGHT: f32 = 40.0;
const MIN_ROW_HEIGHT: f32 = 24.0;
const SLIM_ROW_HEIGHT: f32 = 25.0;
/// Heights of letters in a row, as shares of it: in a high one, and in the lowest one.
const ROW_LETTERS: (f32, f32) = (0.30, 0.40);
/// Limit of the dots for lives.
const MAX_DOTS: u32 = 12;
/// The clock is red during these last seconds.
const HURRY_SECONDS: f32 = 10.0;
/// The opacity of the box behind the score.
const BOX_OPACITY: f32 = 0.62;

/// Draws the clock, the first players and those at this screen.
pub(super) fn draw_slim(layout: &Layout, view: &View) {
    let scale = layout.scale;
    // Two teams of two.
    let first_rows = FIRST_ROWS + usize::from(view.players.iter().any(|player| player.team.is_some()));
    let table = leading(&standings(&view.players), &view.players, first_rows, MAX_ROWS);
    let height = (HEAD_HEIGHT + table.len() as f32 * SLIM_ROW_HEIGHT + 0.5 * MARGIN) * scale;
    let area = Rect { h: height.min(layout.score.h), ..layout.slim_score() };
    let inner = draw_head(area, view, scale);
    for (place, standing) in table.iter().enumerate() {
        let top = inner.y + place as f32 * SLIM_ROW_HEIGHT * scale;
        let row = Rect::new(inner.x, top, inner.w, SLIM_ROW_HEIGHT * scale);
        draw_slim_row(row, standing, &view.players[standing.index], view, &layout.palette);
        if is_after_gap(&table, place) {
            draw_gap(row.x, row.right(), row.y, scale);
        }
    }
}

/// Draws the clock and the table of all players, as many as there is room for above `bottom`.
pub(super) fn draw_whole(layout: &Layout, view: &View, bottom: f32) {
    let scale = layout.scale;
    let most = Rect { h: (bottom - layout.score.y).min(layout.score.h), ..layout.score };
    let room = (most.h / scale - HEAD_HEIGHT - 0.5 * MARGIN).max(0.0);
    let fit = (room / MIN_ROW_HEIGHT).max(1.0) as usize;
    let table = shown(&standings(&view.players), &view.players, MAX_ROWS.min(fit));
    let row_height = (room / table.len().max(1) as f32).min(ROW_HEIGHT) * scale;
    let rows = table.len() as f32 * row_height;
    let inner = draw_head(Rect { h: (HEAD_HEIGHT + 0.5 * MARGIN) * scale + rows, ..most }, view, scale);
    for (place, standing) in table.iter().enumerate() {
        let row = Rect::new(inner.x, inner.y + place as f32 * row_height, inner.w, row_height);
        draw_row(row, standing, &view.players[standing.index], view, &layout.palette, scale);
        if is_after_gap(&table, place) {
            draw_gap(row.x, row.right(), row.y, scale);
        }
    }
}

/// Minutes and seconds, rounded up, so it reads 0:00 only at the end.
pub(crate) fn clock_text(seconds: f32) -> String {
    // Steps of 1/60 s do not add up to whole seconds exactly, so a millisecond more than 90 s is still 1:30.
    let whole = (seconds - 1e-3).max(0.0).ceil() as u32;
    format!("{}:{:02}", whole / 60, whole % 60)
}

/// Draws the box of the score and the clock in it. Returns the room below the clock.
fn draw_head(area: Rect, view: &View, scale: f32) -> Rect {
    draw_rectangle(area.x, area.y, area.w, area.h, faded(theme::PANEL, BOX_OPACITY));
    let margin = 0.8 * MARGIN * scale;
    let head = Rect::new(area.x + margin, area.y, area.w - 2.0 * margin, HEAD_HEIGHT * scale);
    draw_clock(head, view, scale);
    Rect { y: head.bottom(), h: area.bottom() - head.bottom(), ..head }
}

fn draw_clock(area: Rect, view: &View, scale: f32) {
    let is_late = view.state == GameState::Running && view.clock_seconds <= HURRY_SECONDS;
    let color = if is_late { theme::ALARM } else { theme::TEXT };
    let time = clock_text(view.clock_seconds);
    let height = 30.0 * scale;
    let y = area.y + 26.0 * scale;
    text::draw(&time, area.x, y, Style::new(height, color).weight(1.1));
    let (label, color) = match view.state {
        GameState::Paused => (tr("Paused"), theme::ACCENT),
        GameState::GameOver => (tr("Game over"), theme::ACCENT),
        _ if view.countdown_seconds > 0.0 => (tr("Get ready"), theme::ACCENT),
        _ => (tr("Time left"), theme::FAINT),
    };
    let small = 9.5 * scale;
    text::draw(label, area.right(), y - height * 0.3, Style::new(small, color).align(Align::Right));
    if view.full_stash_ends_match {
        let goal = tr_with("Goal {points}", &[("points", &format_args!("{:.0}", view.stash_capacity))]);
        text::draw(&goal, area.right(), y + height * 0.3, Style::new(small, theme::FAINT).align(Align::Right));
    }
    draw_line(area.x, area.bottom() - 6.0, area.right(), area.bottom() - 6.0, line_px(1.0), faded(theme::FAINT, 0.4));
}

/// Draws a low row: rank, name and points over a bar of the stash.
fn draw_slim_row(row: Rect, standing: &Standing, player: &PlayerView, view: &View, palette: &Palette) {
    let (color, middle, height) = (palette.color(player.index), row.center().y, row.h * 0.42);
    let line = Rect::new(row.x, row.y + 1.0, row.w, row.h - 2.0);
    draw_rectangle(line.x, line.y, line.w, line.h, faded(color, if is_of_person(player, view) { 0.20 } else { 0.07 }));
    let filled = line.w * share(player.score(), view.stash_capacity);
    draw_rectangle(line.x, line.y, filled, line.h, faded(color, 0.34));
    let absence = absence_text(player);
    let ink = if absence.is_some() { theme::FAINT } else { theme::TEXT };
    let rank = Style::new(height * 0.85, theme::FAINT).align(Align::Right);
    text::draw(&standing.rank.to_string(), row.x + row.w * 0.08, middle, rank);
    bodies::draw_badge(palette, player.index, vec2(row.x + row.w * 0.135, middle), row.h * 0.26);
    let points = format!("{:.0}", player.score());
    let note = absence.unwrap_or_default();
    let points_left = row.right() - 0.3 * row.h - text::width(&points, height);
    let note_left = points_left - text::width(&note, height * 0.8) - 0.3 * row.h;
    let name_left = row.x + row.w * 0.19;
    let name = text::fitting(&name_text(player, view), height, note_left - name_left).to_owned();
    text::draw(&name, name_left, middle, Style::new(height, ink));
    text::draw(&note, note_left, middle, Style::new(height * 0.8, theme::ALARM));
    text::draw(&points, points_left, middle, Style::new(height, theme::TEXT));
}

fn draw_row(row: Rect, standing: &Standing, player: &PlayerView, view: &View, palette: &Palette, scale: f32) {
    let color = palette.color(player.index);
    let absence = absence_text(player);
    let (middle, height) = (row.center().y, (ROW_LETTERS.0 * ROW_HEIGHT * scale).min(ROW_LETTERS.1 * row.h));
    if is_of_person(player, view) {
        draw_rectangle(row.x - 6.0, row.y + 1.0, row.w + 12.0, row.h - 2.0, faded(color, 0.14));
    }
    let rank = Style::new(height * 0.85, theme::FAINT).align(Align::Right);
    text::draw(&standing.rank.to_string(), row.x + row.w * 0.065, middle, rank);
    bodies::draw_badge(palette, player.index, vec2(row.x + row.w * 0.115, middle), row.h * 0.26);
    let ink = if absence.is_some() { faded(theme::FAINT, 0.8) } else { theme::TEXT };
    let (name_left, bar_left, bar_right) = (row.x + row.w * 0.17, row.x + row.w * 0.50, row.x + row.w * 0.86);
    let name_width = bar_left - name_left - 6.0;
    let name = name_text(player, view);
    let name_height = text::shrunk(&name, height, name_width).max(height * 0.75);
    let name = text::fitting(&name, name_height, name_width);
    let lives = player.lives.filter(|_| player.out_at_clock_seconds.is_none());
    let name_middle = if lives.is_some() { middle - row.h * 0.1 } else { middle };
    text::draw(name, name_left, name_middle, Style::new(name_height, ink));
    let stash = Rect::new(bar_left, middle - row.h * 0.26, bar_right - bar_left, row.h * 0.28);
    draw_stash_bar(stash, player, view, color);
    if let Some(lives) = lives {
        draw_lives(vec2(name_left, middle + row.h * 0.36), row.h * 0.07, lives, color);
    }
    if let Some(absence) = absence {
        text::draw(&absence, bar_left, middle + row.h * 0.24, Style::new(row.h * 0.26, theme::ALARM));
    } else {
        let pocket = Rect::new(bar_left, middle + row.h * 0.13, bar_right - bar_left, row.h * 0.13);
        draw_bar(pocket, share(player.pocket, view.pocket_capacity), theme::ACCENT);
        if let Some(health) = player.health {
            let area = Rect::new(pocket.x, middle + row.h * 0.31, pocket.w, row.h * 0.08);
            draw_bar(area, health, theme::health(health));
        }
    }
    spells::draw_lamps(vec2(row.right(), middle + row.h * 0.36), row.h * 0.07, player);
    let score = Style::new(height * 1.05, theme::TEXT).align(Align::Right);
    text::draw(&format!("{:.0}", player.score()), row.right(), middle, score);
}

/// Draws what a player has stashed; with teams, in front of what its partners have.
pub(super) fn draw_stash_bar(area: Rect, player: &PlayerView, view: &View, color: Color) {
    draw_bar(area, share(player.score(), view.stash_capacity), color);
    if player.team.is_some() {
        // A notch between the own part and that of the partners.
        let own = area.w * share(player.stashed, view.stash_capacity);
        let width = line_px(2.0).min(own);
        draw_rectangle(area.x + own - width, area.y, width, area.h, theme::BACKGROUND);
    }
}

/// Whether a player or a partner of it is at this screen.
fn is_of_person(player: &PlayerView, view: &View) -> bool {
    player.is_here() || is_partner_of_person(player, view)
}

/// Whether a player is not at this screen, and a partner is.
fn is_partner_of_person(player: &PlayerView, view: &View) -> bool {
    let mut here = view.players.iter().filter(|other| other.is_here());
    !player.is_here() && here.any(|person| view.are_partners(person.index, player.index))
}

/// The name of a player, with a sign for a partner of a person at this screen.
fn name_text(player: &PlayerView, view: &View) -> String {
    if is_partner_of_person(player, view) { format!("+ {}", player.name) } else { player.name.clone() }
}

/// Draws a dot for each life, from a place to the right.
fn draw_lives(first: Vec2, radius: f32, lives: u32, color: Color) {
    for life in 0..lives.min(MAX_DOTS) {
        draw_circle(first.x + radius + 3.0 * radius * life as f32, first.y, radius, color);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_reads_zero_only_at_the_end() {
        assert_eq!(clock_text(90.0), "1:30");
        assert_eq!(clock_text(0.01), "0:01");
        assert_eq!(clock_text(90.00001), "1:30");
        assert_eq!(clock_text(0.0), "0:00");
        assert_eq!(clock_text(59.2), "1:00");
        assert_eq!(clock_text(-3.0), "0:00");
    }
}
