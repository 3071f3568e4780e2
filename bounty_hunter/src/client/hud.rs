//! The score, the notices and the countdown over the arena.

pub(crate) mod announcements;
mod cards;
pub(crate) mod courses;
pub(crate) mod minimap;
pub(crate) mod result;
mod score;
pub(crate) mod standings;
pub(crate) mod touch_buttons;

use macroquad::color::Color;
use macroquad::math::Rect;
use macroquad::shapes::draw_rectangle;

use self::announcements::Announcement;
pub(crate) use self::cards::factor_text;
use self::courses::Courses;
pub(crate) use self::score::clock_text;
use crate::client::drawing::gauges::draw_box;
use crate::client::drawing::layout::{Layout, MARGIN};
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, faded, mixed};
use crate::client::input::bindings::Action;
use crate::client::input::hand::{Controls, Hand};
use crate::client::translation::{tr, tr_number, tr_with};
use bounty_hunter_simulation::simulation::view::{GameState, View};

/// Heights in units of the layout.
const PADDING: f32 = 16.0;
const HINT_HEIGHT: f32 = 22.0;
/// Heights of a further line of a lesson, of the letters and the lines of a notice, and the most lines of that.
const LESSON_LINE: f32 = 22.0;
const NOTICE_LETTERS: f32 = 13.0;
const NOTICE_LINE: f32 = 24.0;
const MAX_NOTICE_LINES: usize = 5;

/// How much of the score is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Score {
    /// None, in the tutorial: it has no clock and no goal.
    None,
    /// The clock, the first players and those at this screen.
    Slim,
    /// The clock and the table of all players.
    Whole,
}

/// Draws the score, the cards of the people at this screen, and what the controls do for the window, if there are any:
/// the rewind only where that is possible.
pub(crate) fn draw_score(layout: &Layout, view: &View, score: Score, controls: Option<Controls<'_>>, can_rewind: bool) {
    let scale = layout.scale;
    let is_waiting = score == Score::Whole || view.countdown_seconds > 0.0 || view.state == GameState::Paused;
    let mut bottom = layout.cards().bottom();
    if controls.is_some() {
        bottom -= touch_buttons::height_below(layout, view);
    }
    if let Some(hint) = controls.filter(|_| is_waiting).and_then(|controls| hint(controls, can_rewind)) {
        draw_hint(layout, &hint);
        bottom -= HINT_HEIGHT * scale;
    }
    let bottom = cards::draw(layout, view, controls, bottom);
    match score {
        Score::None => {}
        Score::Slim => score::draw_slim(layout, view),
        Score::Whole => score::draw_whole(layout, view, bottom - MARGIN * scale),
    }
}

/// What the keys or the buttons of a pad do for the window; buttons on the screen say so themselves.
fn hint(controls: Controls<'_>, can_rewind: bool) -> Option<String> {
    let label = |action| controls.label(action);
    let hint = match controls.hand {
        Hand::Keys => tr_with(
            "{quit} menu · {pause} pause · {camera} camera · {full_screen} full screen",
            &[
                ("quit", &label(Action::Quit)),
                ("pause", &label(Action::Pause)),
                ("camera", &label(Action::Camera)),
                ("full_screen", &label(Action::Fullscreen)),
            ],
        ),
        Hand::Pad => tr_with("{pause} menu", &[("pause", &label(Action::Pause))]),
        Hand::Touch => return None,
    };
    if !can_rewind {
        return Some(hint);
    }
    let rewind = label(Action::Rewind);
    Some(tr_with("{rewind} rewind · {other_keys}", &[("rewind", &rewind), ("other_keys", &hint)]))
}

/// Draws what the keys do for the window, at the lower left corner.
fn draw_hint(layout: &Layout, hint: &str) {
    let (area, scale) = (layout.cards(), layout.scale);
    let y = area.bottom() - HINT_HEIGHT * 0.4 * scale;
    let height = text::shrunk(hint, 9.0 * scale, layout.world.w - 2.0 * area.x);
    let shadow = Style::new(height, faded(theme::BACKGROUND, 0.9)).weight(2.6);
    text::draw(hint, area.x, y, shadow);
    text::draw(hint, area.x, y, Style::new(height, theme::FAINT));
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
    let right = if has_minimap && world.w >= world.h { minimap::area(layout).x } else { world.right() };
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
    let about = announcement.player.map_or(theme::GOLD, |player| palette.color(player));
    let color = mixed(about, theme::TEXT, 0.35);
    let style = Style::new(height, faded(color, announcement.opacity())).align(Align::Center);
    let shadow = Style { color: faded(theme::BACKGROUND, 0.9 * announcement.opacity()), weight: 2.6, ..style };
    let y = announcements_y(layout);
    text::draw(sentence, world.center().x, y, shadow);
    text::draw(sentence, world.center().x, y, style);
}

/// Draws what the best match of the own had at this moment, and what the present one has, below the announcements.
pub(crate) fn draw_own_best(layout: &Layout, best: f32, present: f32) {
    let Layout { world, scale, .. } = *layout;
    let number = |points: f32| format!("{points:.0}");
    let line = tr_with("best {best} / you {present}", &[("best", &number(best)), ("present", &number(present))]);
    let color = if present >= best { theme::SUCCESS } else { theme::TEXT };
    let style = Style::new(11.0 * scale, faded(color, 0.9)).align(Align::Center);
    let y = announcements_y(layout) + 22.0 * scale;
    text::draw(&line, world.center().x, y, Style { color: faded(theme::BACKGROUND, 0.9), weight: 2.6, ..style });
    text::draw(&line, world.center().x, y, style);
}

/// The middle of the announcements.
fn announcements_y(layout: &Layout) -> f32 {
    let &Layout { world, scale, hand, .. } = layout;
    match hand {
        _ if world.w >= world.h => 1.5 * PADDING * scale,
        Hand::Touch => (world.h * 0.22).max(minimap::area(layout).bottom() + 1.5 * HINT_HEIGHT * scale),
        _ => world.h * 0.22,
    }
}

/// Draws a sentence of the tutorial at the upper edge of the arena.
pub(crate) fn draw_lesson(layout: &Layout, lesson: usize, lessons: usize, sentence: &str) {
    let scale = layout.scale;
    let area = lesson_area(layout);
    let room = area.w - 2.0 * PADDING * scale;
    // On a narrow screen a sentence takes several lines, and never small letters.
    let (letters, lines) = match layout.hand {
        Hand::Touch => (13.0 * scale, text::wrapped(sentence, 13.0 * scale, room)),
        _ => (text::shrunk(sentence, 17.0 * scale, room), vec![sentence]),
    };
    let below = (lines.len() as f32 - 1.0) * LESSON_LINE * scale;
    let area = Rect { h: area.h + below, ..area };
    draw_box(area, theme::OVERLAY, theme::ACCENT, 1.5);
    let number = Style::new(9.0 * scale, theme::FAINT).align(Align::Center);
    text::draw(
        &tr_with("{lesson} of {lessons}", &[("lesson", &lesson), ("lessons", &lessons)]),
        area.center().x,
        area.y + 14.0 * scale,
        number,
    );
    let style = Style::new(letters, theme::ACCENT).align(Align::Center);
    for (index, line) in lines.iter().enumerate() {
        text::draw(line, area.center().x, area.y + (38.0 + index as f32 * LESSON_LINE) * scale, style);
    }
}

/// The place of a lesson of one line: beside or below the buttons for fingers and the minimap.
fn lesson_area(layout: &Layout) -> Rect {
    let (area, map) = (layout.lesson(), minimap::area(layout));
    if layout.hand != Hand::Touch {
        return area;
    }
    let Layout { world, scale, .. } = *layout;
    if world.w < world.h {
        return Rect { y: map.bottom() + 1.5 * HINT_HEIGHT * scale, ..area };
    }
    let width = world.w - 2.0 * touch_buttons::width_above(layout);
    Rect { x: world.center().x - width / 2.0, w: width, ..area }
}

/// Draws the label of a rewind with the seconds left, below the score.
pub(crate) fn draw_rewind(layout: &Layout, seconds_left: f32) {
    let (x, y, scale) = (layout.cards().x, layout.world.center().y, layout.scale);
    let left = tr_with("<< Rewind  {seconds} s left", &[("seconds", &tr_number(seconds_left))]);
    text::draw(&left, x, y, Style::new(14.0 * scale, theme::ACCENT));
}

/// Draws, for each person at this screen without a collector, what happened and when the next one comes.
pub(crate) fn draw_absences(layout: &Layout, view: &View, courses: &Courses, hurries: bool) {
    if view.state != GameState::Running {
        return;
    }
    let Layout { world, scale, ref palette, .. } = *layout;
    let mut y = world.y + 0.66 * world.h;
    let mut line = |text: &str, units: f32, color: Color| {
        let height = text::shrunk(text, units * scale, world.w - 2.0 * PADDING * scale);
        let style = Style::new(height, color).align(Align::Center).weight(1.1);
        text::draw(text, world.center().x, y, Style { color: faded(theme::BACKGROUND, 0.9), weight: 2.6, ..style });
        text::draw(text, world.center().x, y, style);
        y += 1.7 * height;
    };
    for player in view.players.iter().filter(|player| player.is_here()) {
        let Some(absence) = cards::absence_text(player) else { continue };
        let color = mixed(palette.color(player.index), theme::TEXT, 0.35);
        line(&absence, 18.0, color);
        if let Some(death) = courses.last_death(view, player.index) {
            line(&death, 11.0, theme::TEXT);
        }
    }
    if hurries {
        line(tr("The match hurries to its end"), 11.0, theme::ACCENT);
    }
}

/// Draws the countdown before a match, and its last seconds, in the middle of the arena.
pub(crate) fn draw_countdown(layout: &Layout, view: &View) {
    let center = layout.world.center();
    let size = layout.world.h.min(layout.world.w);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::drawing::layout::TextSize;
    use crate::client::drawing::palette::Palette;
    use crate::client::input::hand::Hand;
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
                let layout = Layout::new(1280.0, 720.0, size, Palette::default(), Hand::default());
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
}
