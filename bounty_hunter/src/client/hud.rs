//! The score beside the arena, and the notices and the countdown over it.

pub(crate) mod announcements;
pub(crate) mod minimap;
pub(crate) mod result;
pub(crate) mod standings;

use macroquad::color::Color;
use macroquad::math::{Rect, Vec2, vec2};
use macroquad::shapes::{draw_circle, draw_line, draw_rectangle};

use self::announcements::Announcement;
use self::standings::{Standing, is_after_gap, shown, standings};
use crate::client::drawing::gauges::{draw_bar, draw_box, draw_gap, line_px, share};
use crate::client::drawing::layout::Layout;
use crate::client::drawing::palette::Palette;
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, faded, mixed};
use crate::client::input::keys;
use crate::client::picture::{bodies, spells};
use crate::client::translation::{tr, tr_number, tr_with};
use bounty_hunter_simulation::keymap::Keymap;
use bounty_hunter_simulation::simulation::view::{GameState, PlayerView, View};

/// Limit of lines in the score table.
const MAX_ROWS: usize = 16;
/// Heights in the panel, in units of the layout.
const PADDING: f32 = 16.0;
const HEAD_HEIGHT: f32 = 112.0;
const CARD_HEIGHT: f32 = 56.0;
const SPELLS_HEIGHT: f32 = 26.0;
const HINT_HEIGHT: f32 = 30.0;
const TABLE_GAP: f32 = 8.0;
const ROW_HEIGHT: f32 = 40.0;
const MIN_ROW_HEIGHT: f32 = 24.0;
/// Heights of letters in a row, as shares of it: in a high one, and in the lowest one.
const ROW_LETTERS: (f32, f32) = (0.30, 0.40);
/// Heights of the letters and the lines of a notice, and the most lines.
const NOTICE_LETTERS: f32 = 13.0;
const NOTICE_LINE: f32 = 24.0;
const MAX_NOTICE_LINES: usize = 5;
/// Limit of the dots for lives.
const MAX_DOTS: u32 = 12;
/// The clock is red during these last seconds.
const HURRY_SECONDS: f32 = 10.0;

/// The time at the head of the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    OfMatch,
    /// A match without a clock and a goal: the tutorial.
    None,
}

/// Draws the clock, the score table, the cards of the people at this screen, and the keys if there is a keymap: that
/// for rewinding only where that is possible.
pub(crate) fn draw_panel(layout: &Layout, view: &View, clock: Clock, keymap: Option<&Keymap>, can_rewind: bool) {
    let Layout { panel, scale, ref palette, .. } = *layout;
    draw_rectangle(panel.x, panel.y, panel.w, panel.h, theme::PANEL);
    let inner = Rect::new(panel.x + PADDING * scale, panel.y, panel.w - 2.0 * PADDING * scale, panel.h);
    let is_tall = panel.h > 440.0 * scale;
    let head = if is_tall { HEAD_HEIGHT } else { HEAD_HEIGHT * 0.62 };
    let at_head = Rect { h: head * scale, ..inner };
    match clock {
        Clock::OfMatch => draw_clock(at_head, view),
        Clock::None => {
            let height = text::shrunk(tr("How to play"), at_head.h * 0.24, at_head.w);
            let style = Style::new(height, theme::ACCENT).weight(1.1);
            text::draw(tr("How to play"), at_head.x, at_head.y + at_head.h * 0.42, style);
        }
    }

    let people: Vec<&PlayerView> = view.players.iter().filter(|player| player.is_here()).take(4).collect();
    let hinted = keymap.filter(|_| is_tall);
    let hints = if hinted.is_some() { HINT_HEIGHT * scale } else { 0.0 };
    let has_spells = people.iter().any(|person| person.spells.is_some());
    let card_height = CARD_HEIGHT + if has_spells { SPELLS_HEIGHT } else { 0.0 };
    let cards_top = panel.bottom() - hints - people.len() as f32 * card_height * scale;
    let table_height = cards_top - panel.y - (head + TABLE_GAP) * scale;
    let table = Rect::new(inner.x, panel.y + head * scale, inner.w, table_height);
    draw_table(table, view, palette, scale);
    for (place, person) in people.iter().enumerate() {
        let top = cards_top + place as f32 * card_height * scale;
        let card = Rect::new(inner.x, top, inner.w, (CARD_HEIGHT - 8.0) * scale);
        draw_card(card, person, view, palette, scale);
        let below = Rect::new(card.x, card.bottom() + 3.0 * scale, card.w, (SPELLS_HEIGHT - 6.0) * scale);
        spells::draw_readiness(below, person, keymap, scale);
    }
    if let Some(keymap) = hinted {
        let mut hint = tr_with(
            "{quit} menu · {pause} pause · {camera} camera · {full_screen} full screen",
            &[
                ("quit", &keys::first_label(&keymap.quit)),
                ("pause", &keys::first_label(&keymap.pause)),
                ("camera", &keys::first_label(&keymap.camera)),
                ("full_screen", &keys::first_label(&keymap.toggle_fullscreen)),
            ],
        );
        if can_rewind {
            let rewind = keys::first_label(&keymap.rewind);
            hint = tr_with("{rewind} rewind · {other_keys}", &[("rewind", &rewind), ("other_keys", &hint)]);
        }
        let y = panel.bottom() - hints * 0.5;
        let height = text::shrunk(&hint, 8.0 * scale, inner.w);
        text::draw(&hint, inner.x, y, Style::new(height, theme::FAINT));
    }
}

/// Draws a sentence at the lower edge of the arena, left of the minimap if there is one.
pub(crate) fn draw_notice(layout: &Layout, notice: &str, color: Color, has_minimap: bool) {
    let (area, lines) = notice_lines(layout, notice, has_minimap);
    draw_rectangle(area.x, area.y, area.w, area.h, theme::OVERLAY);
    let (x, letters) = (area.x + PADDING * layout.scale, NOTICE_LETTERS * layout.scale);
    for (index, line) in lines.iter().enumerate() {
        let y = area.y + (index as f32 + 0.5) * NOTICE_LINE * layout.scale;
        text::draw(line, x, y, Style::new(letters, color));
    }
}

/// The place of a notice and its lines. A long one takes more of them, and never smaller letters.
fn notice_lines<'a>(layout: &Layout, notice: &'a str, has_minimap: bool) -> (Rect, Vec<&'a str>) {
    let Layout { world, scale, .. } = *layout;
    let right = if has_minimap { minimap::area(layout).x } else { world.right() };
    let width = right - world.x;
    let mut lines = text::wrapped(notice, NOTICE_LETTERS * scale, width - 2.0 * PADDING * scale);
    lines.truncate(MAX_NOTICE_LINES);
    let height = lines.len() as f32 * NOTICE_LINE * scale;
    (Rect::new(world.x, world.bottom() - height, width, height), lines)
}

/// Draws an announcement at the upper edge of the arena.
pub(crate) fn draw_announcement(layout: &Layout, announcement: &Announcement) {
    let Layout { world, scale, ref palette, .. } = *layout;
    let sentence = &announcement.sentence;
    let height = text::shrunk(sentence, 13.0 * scale, world.w - 2.0 * PADDING * scale);
    let color = mixed(palette.color(announcement.player), theme::TEXT, 0.35);
    let style = Style::new(height, faded(color, announcement.opacity())).align(Align::Center);
    let shadow = Style { color: faded(theme::BACKGROUND, 0.9 * announcement.opacity()), weight: 2.6, ..style };
    let y = world.y + 1.5 * PADDING * scale;
    text::draw(sentence, world.center().x, y, shadow);
    text::draw(sentence, world.center().x, y, style);
}

/// Draws a sentence of the tutorial above the arena of [`Layout::with_lesson`].
pub(crate) fn draw_lesson(layout: &Layout, lesson: usize, lessons: usize, sentence: &str) {
    let scale = layout.scale;
    let area = layout.lesson();
    let height = text::shrunk(sentence, 17.0 * scale, area.w - 2.0 * PADDING * scale);
    draw_box(area, theme::OVERLAY, theme::ACCENT, 1.5);
    let number = Style::new(9.0 * scale, theme::FAINT).align(Align::Center);
    text::draw(
        &tr_with("{lesson} of {lessons}", &[("lesson", &lesson), ("lessons", &lessons)]),
        area.center().x,
        area.y + 14.0 * scale,
        number,
    );
    let style = Style::new(height, theme::ACCENT).align(Align::Center);
    text::draw(sentence, area.center().x, area.y + 38.0 * scale, style);
}

/// Draws the label of a rewind with the seconds left.
pub(crate) fn draw_rewind(layout: &Layout, seconds_left: f32) {
    let Layout { world, scale, .. } = *layout;
    let (x, y) = (world.x + PADDING * scale, world.y + 1.5 * PADDING * scale);
    let left = tr_with("<< Rewind  {seconds} s left", &[("seconds", &tr_number(seconds_left))]);
    text::draw(&left, x, y, Style::new(14.0 * scale, theme::ACCENT));
}

/// Draws the countdown before a match, and its last seconds, in the middle of the arena.
pub(crate) fn draw_countdown(layout: &Layout, view: &View) {
    let center = layout.world.center();
    let size = layout.world.h;
    if view.state == GameState::Running && view.countdown_seconds <= 0.0 {
        if view.clock_seconds > 0.0 && view.clock_seconds <= 5.0 {
            let number = format!("{:.0}", view.clock_seconds.ceil());
            let style = Style::new(size * 0.3, faded(theme::ALARM, 0.22)).align(Align::Center);
            text::draw(&number, center.x, center.y, style);
        }
    } else if matches!(view.state, GameState::Running | GameState::Started) && view.countdown_seconds > 0.0 {
        let whole = view.countdown_seconds.ceil();
        let freshness = 1.0 - (whole - view.countdown_seconds);
        let height = size * (0.13 + 0.09 * freshness * freshness);
        let style = Style::new(height, theme::ACCENT).align(Align::Center);
        let number = format!("{whole:.0}");
        let shadow = Style { color: faded(theme::BACKGROUND, 0.8), weight: 1.9, ..style };
        text::draw(&number, center.x, center.y, shadow);
        text::draw(&number, center.x, center.y, style);
        let ready = Style::new(size * 0.03, theme::TEXT).align(Align::Center);
        text::draw(tr("Get ready"), center.x, center.y + size * 0.16, ready);
    }
}

/// Minutes and seconds, rounded up, so it reads 0:00 only at the end.
pub(crate) fn clock_text(seconds: f32) -> String {
    // Steps of 1/60 s do not add up to whole seconds exactly, so a millisecond more than 90 s is still 1:30.
    let whole = (seconds - 1e-3).max(0.0).ceil() as u32;
    format!("{}:{:02}", whole / 60, whole % 60)
}

fn draw_clock(area: Rect, view: &View) {
    let is_late = view.state == GameState::Running && view.clock_seconds <= HURRY_SECONDS;
    let color = if is_late { theme::ALARM } else { theme::TEXT };
    let time = clock_text(view.clock_seconds);
    let height = area.h * 0.38;
    let y = area.y + area.h * 0.42;
    text::draw(&time, area.x, y, Style::new(height, color).weight(1.1));
    let (label, color) = match view.state {
        GameState::Paused => (tr("Paused"), theme::ACCENT),
        GameState::GameOver => (tr("Game over"), theme::ACCENT),
        _ if view.countdown_seconds > 0.0 => (tr("Get ready"), theme::ACCENT),
        _ => (tr("Time left"), theme::FAINT),
    };
    let small = area.h * 0.10;
    text::draw(label, area.right(), y - height * 0.3, Style::new(small, color).align(Align::Right));
    if view.full_stash_ends_match {
        let goal = tr_with("Goal {points}", &[("points", &format_args!("{:.0}", view.stash_capacity))]);
        text::draw(&goal, area.right(), y + height * 0.3, Style::new(small, theme::FAINT).align(Align::Right));
    }
    draw_line(area.x, area.bottom() - 6.0, area.right(), area.bottom() - 6.0, line_px(1.0), faded(theme::FAINT, 0.4));
}

fn draw_table(area: Rect, view: &View, palette: &Palette, scale: f32) {
    let fit = (area.h / (MIN_ROW_HEIGHT * scale)).max(1.0) as usize;
    let table = shown(&standings(&view.players), &view.players, MAX_ROWS.min(fit));
    if table.is_empty() || area.h <= 0.0 {
        return;
    }
    let row_height = (area.h / table.len() as f32).min(ROW_HEIGHT * scale);
    for (place, standing) in table.iter().enumerate() {
        let row = Rect::new(area.x, area.y + place as f32 * row_height, area.w, row_height);
        draw_row(row, standing, &view.players[standing.index], view, palette, scale);
        if is_after_gap(&table, place) {
            draw_gap(row.x, row.right(), row.y, scale);
        }
    }
}

fn draw_row(row: Rect, standing: &Standing, player: &PlayerView, view: &View, palette: &Palette, scale: f32) {
    let color = palette.color(player.index);
    let absence = absence_text(player);
    let (middle, height) = (row.center().y, (ROW_LETTERS.0 * ROW_HEIGHT * scale).min(ROW_LETTERS.1 * row.h));
    if player.is_here() {
        draw_rectangle(row.x - 6.0, row.y + 1.0, row.w + 12.0, row.h - 2.0, faded(color, 0.14));
    }
    let rank = Style::new(height * 0.85, theme::FAINT).align(Align::Right);
    text::draw(&standing.rank.to_string(), row.x + row.w * 0.065, middle, rank);
    bodies::draw_badge(palette, player.index, vec2(row.x + row.w * 0.115, middle), row.h * 0.26);
    let ink = if absence.is_some() { faded(theme::FAINT, 0.8) } else { theme::TEXT };
    let (name_left, bar_left, bar_right) = (row.x + row.w * 0.17, row.x + row.w * 0.50, row.x + row.w * 0.86);
    let name_width = bar_left - name_left - 6.0;
    let name_height = text::shrunk(&player.name, height, name_width).max(height * 0.75);
    let name = text::fitting(&player.name, name_height, name_width);
    let lives = player.lives.filter(|_| player.out_at_clock_seconds.is_none());
    let name_middle = if lives.is_some() { middle - row.h * 0.1 } else { middle };
    text::draw(name, name_left, name_middle, Style::new(name_height, ink));
    let stash = Rect::new(bar_left, middle - row.h * 0.26, bar_right - bar_left, row.h * 0.28);
    draw_bar(stash, share(player.stashed, view.stash_capacity), color);
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
    text::draw(&format!("{:.0}", player.stashed), row.right(), middle, score);
}

/// Draws the card of a person at this screen: the pocket, or the time to the respawn.
fn draw_card(area: Rect, player: &PlayerView, view: &View, palette: &Palette, scale: f32) {
    let color = palette.color(player.index);
    draw_box(area, faded(color, 0.10), faded(color, 0.8), 1.5);
    let (left, right) = (area.x + 12.0 * scale, area.right() - 12.0 * scale);
    let line = area.y + 13.0 * scale;
    bodies::draw_badge(palette, player.index, vec2(left + 5.0 * scale, line), 6.0 * scale);
    let height = 10.0 * scale;
    let name = text::fitting(&player.name, height, (right - left) * 0.5);
    text::draw(name, left + 18.0 * scale, line, Style::new(height, theme::TEXT));
    let gauge = Rect::new(left, area.bottom() - 21.0 * scale, right - left, 12.0 * scale);
    if let Some(absence) = absence_text(player) {
        text::draw(&absence, right, line, Style::new(height, theme::ALARM).align(Align::Right));
        draw_bar(gauge, 0.0, color);
        return;
    }
    let filled = share(player.pocket, view.pocket_capacity);
    let is_full = filled >= 1.0;
    let label = if is_full {
        tr("Pocket full").to_owned()
    } else {
        let (carried, capacity) = (format!("{:.0}", player.pocket), format!("{:.0}", view.pocket_capacity));
        tr_with("Pocket {carried}/{capacity}", &[("carried", &carried), ("capacity", &capacity)])
    };
    let label = player.lives.map_or_else(|| label.clone(), |lives| format!("{label} · {}", lives_text(lives)));
    let ink = if is_full { theme::ALARM } else { theme::FAINT };
    text::draw(&label, right, line, Style::new(height * 0.9, ink).align(Align::Right));
    if let Some(health) = player.health {
        let area = Rect::new(left, gauge.bottom() + 2.5 * scale, right - left, 4.0 * scale);
        draw_bar(area, health, theme::health(health));
    }
    draw_bar(gauge, filled, mixed(theme::ACCENT, theme::ALARM, filled * filled));
}

/// Draws a dot for each life, from a place to the right.
fn draw_lives(first: Vec2, radius: f32, lives: u32, color: Color) {
    for life in 0..lives.min(MAX_DOTS) {
        draw_circle(first.x + radius + 3.0 * radius * life as f32, first.y, radius, color);
    }
}

/// "Out", or the time to the respawn; `None` for a player whose collector is alive.
fn absence_text(player: &PlayerView) -> Option<String> {
    if player.out_at_clock_seconds.is_some() {
        return Some(tr("Out").to_owned());
    }
    let seconds = player.respawn_seconds;
    (seconds > 0.0).then(|| tr_with("Back in {seconds} s", &[("seconds", &tr_number(seconds))]))
}

fn lives_text(lives: u32) -> String {
    match lives {
        1 => tr("1 life").to_owned(),
        _ => tr_with("{lives} lives", &[("lives", &lives)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::drawing::layout::TextSize;
    use bounty_hunter_simulation::assets::Assets;

    #[test]
    fn notice_is_in_words_of_usual_size_within_the_arena_in_each_text_size_and_language() {
        let in_words = |text: &str| text.replace("{name}", "A name of twenty-four!!");
        let languages = Assets::built_in().languages;
        let english = "{name} is gone: an AI plays on in this seat".to_owned();
        let several = format!("The host does not answer · {english} · {english}");
        let translated = languages.values().map(|language| language.texts[english.as_str()].repeat(3));
        for notice in [several, english.clone()].into_iter().chain(translated) {
            let notice = in_words(&notice);
            for (size, has_minimap) in [(TextSize::Usual, false), (TextSize::Larger, true), (TextSize::Larger, false)] {
                let layout = Layout::new(1280.0, 720.0, size, Palette::default());
                let (area, lines) = notice_lines(&layout, &notice, has_minimap);
                assert_eq!(lines.join(" "), notice, "the whole sentence is shown");
                assert!(NOTICE_LETTERS * layout.scale >= 12.0);
                let room = area.w - 2.0 * PADDING * layout.scale;
                assert!(lines.iter().all(|line| text::width(line, NOTICE_LETTERS * layout.scale) <= room + 0.1));
                assert!(area.y > layout.world.center().y && area.bottom() <= layout.world.bottom() + 0.1, "{area:?}");
                assert!(!has_minimap || area.right() <= minimap::area(&layout).x + 0.1);
            }
        }
    }

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
