//! The cards of the people at this screen: the pocket or the time to the respawn, and the spells.

use macroquad::math::{Rect, vec2};
use macroquad::shapes::draw_rectangle;

use super::standings::ordinal;
use crate::client::drawing::gauges::{draw_bar, draw_box, share};
use crate::client::drawing::layout::Layout;
use crate::client::drawing::palette::Palette;
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, faded, mixed};
use crate::client::input::hand::{Controls, Hand};
use crate::client::picture::{bodies, spells};
use crate::client::translation::{tr, tr_number, tr_with};
use bounty_hunter_simulation::simulation::view::{PlayerView, View};

/// The most people at one screen.
const MAX_CARDS: usize = 4;
/// Heights in units of the layout.
const CARD_HEIGHT: f32 = 54.0;
const SPELLS_HEIGHT: f32 = 26.0;
const GAP: f32 = 6.0;

/// Draws the cards of the people at this screen above `bottom`, one above the other. Returns the top of the highest.
pub(super) fn draw(layout: &Layout, view: &View, controls: Option<Controls<'_>>, bottom: f32) -> f32 {
    let (column, scale) = (layout.cards(), layout.scale);
    let people: Vec<&PlayerView> = view.players.iter().filter(|player| player.is_here()).take(MAX_CARDS).collect();
    // The first person has buttons for fingers.
    let shows_spells = |person: &PlayerView| {
        person.spells.is_some() && !(layout.hand == Hand::Touch && controls.is_some() && person.person == Some(0))
    };
    let has_spells = people.iter().any(|person| shows_spells(person));
    let height = (CARD_HEIGHT + GAP + if has_spells { SPELLS_HEIGHT } else { 0.0 }) * scale;
    let top = bottom - people.len() as f32 * height;
    for (place, person) in people.iter().enumerate() {
        let card = Rect::new(column.x, top + place as f32 * height + GAP * scale, column.w, CARD_HEIGHT * scale);
        draw_card(card, person, view, &layout.palette, scale);
        let below = Rect::new(card.x, card.bottom() + 3.0 * scale, card.w, (SPELLS_HEIGHT - 6.0) * scale);
        if shows_spells(person) {
            spells::draw_readiness(below, person, controls, scale);
        }
    }
    top
}

/// Draws the card of a person at this screen: the pocket, or the time to the respawn.
fn draw_card(area: Rect, player: &PlayerView, view: &View, palette: &Palette, scale: f32) {
    let color = palette.color(player.index);
    draw_rectangle(area.x, area.y, area.w, area.h, faded(theme::PANEL, 0.62));
    draw_box(area, faded(color, 0.10), faded(color, 0.8), 1.5);
    let (left, right) = (area.x + 12.0 * scale, area.right() - 12.0 * scale);
    let line = area.y + 13.0 * scale;
    bodies::draw_badge(palette, player.index, vec2(left + 5.0 * scale, line), 6.0 * scale);
    let height = 10.0 * scale;
    let draw_name = |note_width: f32| {
        let name_left = left + 18.0 * scale;
        let name = text::fitting(&player.name, height, right - note_width - 8.0 * scale - name_left);
        text::draw(name, name_left, line, Style::new(height, theme::TEXT));
    };
    let gauge = Rect::new(left, area.bottom() - 21.0 * scale, right - left, 12.0 * scale);
    if let Some(absence) = absence_text(player) {
        draw_name(text::width(&absence, height));
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
    let collector = view.collectors.iter().find(|collector| collector.player == player.index);
    let label = match collector.map_or(1.0, |collector| collector.chain_factor) {
        factor if factor > 1.0 => format!("{label} · {}", factor_text(factor)),
        _ => label,
    };
    let label = player.lives.map_or_else(|| label.clone(), |lives| format!("{label} · {}", lives_text(lives)));
    let ink = if is_full { theme::ALARM } else { theme::FAINT };
    draw_name(text::width(&label, height * 0.9));
    text::draw(&label, right, line, Style::new(height * 0.9, ink).align(Align::Right));
    if let Some(health) = player.health {
        let area = Rect::new(left, gauge.bottom() + 2.5 * scale, right - left, 4.0 * scale);
        draw_bar(area, health, theme::health(health));
    }
    draw_bar(gauge, filled, mixed(theme::ACCENT, theme::ALARM, filled * filled));
}

/// "Out", or the time to the respawn; `None` for a player whose collector is alive.
pub(super) fn absence_text(player: &PlayerView) -> Option<String> {
    if player.out_at_clock_seconds.is_some() {
        return Some(match player.statistics.out_as {
            Some(place) => format!("{} · {}", tr("Out"), ordinal(place)),
            None => tr("Out").to_owned(),
        });
    }
    let seconds = player.respawn_seconds;
    (seconds > 0.0).then(|| tr_with("Back in {seconds} s", &[("seconds", &tr_number(seconds))]))
}

/// How many times its value the next bounty is worth, as "×1.4".
pub(crate) fn factor_text(factor: f32) -> String {
    format!("×{}", tr_number(factor))
}

fn lives_text(lives: u32) -> String {
    match lives {
        1 => tr("1 life").to_owned(),
        _ => tr_with("{lives} lives", &[("lives", &lives)]),
    }
}
