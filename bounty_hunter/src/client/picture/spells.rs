//! Spells: their readiness, and the range of a magnet.

use macroquad::color::Color;
use macroquad::math::{Rect, Vec2};
use macroquad::shapes::draw_circle;

use crate::client::drawing::camera::Camera;
use crate::client::drawing::circles;
use crate::client::drawing::gauges::{draw_bar, draw_box, share};
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, faded};
use crate::client::input::bindings::Action;
use crate::client::input::hand::Controls;
use crate::client::translation::tr;
use bounty_hunter_simulation::simulation::view::{CollectorView, PlayerView, SpellView};
use bounty_hunter_simulation::spell::Spell;

/// Rings of a magnet at the same time, and the steps of each.
const MAGNET_RINGS: u64 = 3;
const RING_STEPS: u64 = 60;

pub(crate) fn color(spell: Spell) -> Color {
    match spell {
        Spell::Purge => theme::PURGE,
        Spell::Strike => theme::STRIKE,
        Spell::Magnet => theme::MAGNET,
    }
}

/// Whether a spell was cast between two views: its cool-down rose.
pub(crate) fn is_cast(before: &PlayerView, now: &PlayerView, spell: Spell) -> bool {
    let left = |player: &PlayerView| player.spells.map(|spells| spells[spell.index()].left_seconds);
    left(before).zip(left(now)).is_some_and(|(before, now)| now > before)
}

/// The readiness of a spell, 0 to 1.
fn readiness(spell: SpellView) -> f32 {
    1.0 - share(spell.left_seconds, spell.cooldown_seconds)
}

/// Draws the spells of a person side by side: key, name, and a bar that fills up to readiness.
pub(crate) fn draw_readiness(area: Rect, player: &PlayerView, controls: Option<Controls<'_>>, scale: f32) {
    let Some(spells) = player.spells else { return };
    let (gap, count) = (5.0 * scale, Spell::COUNT as f32);
    let width = (area.w - gap * (count - 1.0)) / count;
    for spell in Spell::ALL {
        let left = area.x + spell.index() as f32 * (width + gap);
        let chip = Rect::new(left, area.y, width, area.h);
        let person = player.person.zip(controls);
        let key = person
            .map_or_else(String::new, |(person, controls)| controls.label(Action::casting(spell, usize::from(person))));
        let label = format!("{key} {}", tr(spell.name()));
        draw_chip(chip, spell, spells[spell.index()], label.trim_start(), 7.5 * scale);
    }
}

/// Draws a spell: a bar that fills up to readiness, and a label.
pub(crate) fn draw_chip(area: Rect, spell: Spell, state: SpellView, label: &str, letters_px: f32) {
    let is_ready = state.left_seconds <= 0.0;
    let color = color(spell);
    draw_bar(area, readiness(state), faded(color, if is_ready { 0.38 } else { 0.20 }));
    draw_box(area, faded(color, 0.0), faded(color, if is_ready { 0.95 } else { 0.35 }), 1.0);
    let ink = if is_ready { theme::TEXT } else { theme::FAINT };
    let label = text::fitting(label, letters_px, area.w - letters_px);
    text::draw(label, area.center().x, area.center().y, Style::new(letters_px, ink).align(Align::Center));
}

/// Draws a lamp for each spell, right-aligned at a point; a lamp is bright if the spell is ready.
pub(crate) fn draw_lamps(right: Vec2, radius: f32, player: &PlayerView) {
    let Some(spells) = player.spells else { return };
    for spell in Spell::ALL {
        let state = spells[spell.index()];
        let x = right.x - radius - (Spell::COUNT - 1 - spell.index()) as f32 * radius * 3.2;
        let opacity = if state.left_seconds <= 0.0 { 1.0 } else { 0.12 + 0.25 * readiness(state) };
        draw_circle(x, right.y, radius, faded(color(spell), opacity));
    }
}

/// Draws the range of a magnet: a circle, and rings that run inwards.
pub(crate) fn draw_magnet(camera: &Camera, collector: &CollectorView, tick: u64) {
    if collector.magnet_range <= 0.0 {
        return;
    }
    let (place, radius) = (collector.position, camera.px(collector.magnet_range));
    circles::fill(camera, place, radius, faded(theme::MAGNET, 0.06));
    circles::ring(camera, place, radius, 1.5, faded(theme::MAGNET, 0.5));
    for ring in 0..MAGNET_RINGS {
        let age = ((tick + ring * RING_STEPS / MAGNET_RINGS) % RING_STEPS) as f32 / RING_STEPS as f32;
        circles::ring(camera, place, radius * (1.0 - age), 1.5, faded(theme::MAGNET, 0.45 * age));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readiness_rises_from_0_to_1() {
        let at = |left_seconds| readiness(SpellView { left_seconds, cooldown_seconds: 20.0 });
        assert_eq!([20.0, 5.0, 0.0].map(at), [0.0, 0.75, 1.0]);
    }
}
