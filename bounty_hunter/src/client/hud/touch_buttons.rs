//! The buttons of a match on a screen for fingers: those that the match has, and none in its menus.

use macroquad::math::{Rect, Vec2};
use macroquad::shapes::draw_circle;

use crate::client::drawing::gauges::{draw_box, draw_ring};
use crate::client::drawing::layout::{Layout, MARGIN};
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, faded};
use crate::client::input::bindings::Action;
use crate::client::input::hand::Hand;
use crate::client::input::stick::{RADIUS_PX, Stick};
use crate::client::picture::spells;
use crate::client::translation::tr;
use bounty_hunter_simulation::simulation::view::{SpellView, View};
use bounty_hunter_simulation::spell::Spell;

/// Sizes in pixels, those of a thumb.
const SPELL_SIZE_PX: (f32, f32) = (104.0, 54.0);
const SIZE_PX: (f32, f32) = (84.0, 40.0);
const GAP_PX: f32 = 8.0;
const LETTERS_PX: f32 = 12.0;

/// A button of the first person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TouchButton {
    pub(crate) action: Action,
    area: Rect,
    /// The cool-down of a spell.
    spell: Option<(Spell, SpellView)>,
}

/// The buttons of a match, unless something else than fingers is in hand.
pub(crate) fn buttons(layout: &Layout, view: &View, can_rewind: bool) -> Vec<TouchButton> {
    if layout.hand != Hand::Touch {
        return Vec::new();
    }
    let plain = [Some(Action::Pause), Some(Action::Camera), can_rewind.then_some(Action::Rewind)];
    let plain = plain.into_iter().flatten().enumerate();
    let plain = plain.map(|(place, action)| TouchButton { action, area: plain_area(layout, place), spell: None });
    let cast = |spell: Spell, state: SpellView| TouchButton {
        action: Action::casting(spell, 0),
        area: spell_area(layout, spell.index()),
        spell: Some((spell, state)),
    };
    let spells = spells_of_first(view).into_iter().flat_map(|spells| Spell::ALL.map(|spell| (spell, spells)));
    plain.chain(spells.map(|(spell, spells)| cast(spell, spells[spell.index()]))).collect()
}

/// The action of the button at a point in pixels.
pub(crate) fn action_at(buttons: &[TouchButton], point: Vec2) -> Option<Action> {
    buttons.iter().find(|button| button.area.contains(point)).map(|button| button.action)
}

/// Draws the buttons: a spell fills up while it cools down, and shows the seconds that are left.
pub(crate) fn draw(buttons: &[TouchButton]) {
    for button in buttons {
        let name = button.action.name();
        match button.spell {
            Some((spell, state)) => spells::draw_chip(button.area, spell, state, &chip_label(&name, state), LETTERS_PX),
            None => draw_plain(button.area, &name),
        }
    }
}

/// Draws a button that has nothing but a name.
pub(crate) fn draw_plain(area: Rect, name: &str) {
    draw_box(area, theme::OVERLAY, faded(theme::BORDER, 0.9), 1.0);
    let style = Style::new(text::shrunk(name, LETTERS_PX, area.w - 10.0), theme::TEXT).align(Align::Center);
    text::draw(name, area.center().x, area.center().y, style);
}

/// Draws the stick under a finger; without one a hint, while nothing moves yet.
pub(crate) fn draw_stick(layout: &Layout, view: &View, stick: Option<&Stick>) {
    if layout.hand != Hand::Touch {
        return;
    }
    if let Some(stick) = stick {
        let (base, tip) = (stick.base(), stick.tip());
        draw_circle(base.x, base.y, RADIUS_PX, faded(theme::BACKGROUND, 0.35));
        draw_ring(base, RADIUS_PX, 1.5, faded(theme::TEXT, 0.45));
        draw_circle(tip.x, tip.y, 0.45 * RADIUS_PX, faded(theme::ACCENT, 0.55));
    } else if view.countdown_seconds > 0.0 && has_first_person(view) {
        let hint = tr("Drag anywhere: your collector drives that way");
        let room = layout.world.w - 2.0 * MARGIN * layout.scale;
        let style = Style::new(text::shrunk(hint, 13.0 * layout.scale, room), theme::ACCENT).align(Align::Center);
        let (x, y) = (layout.world.center().x, layout.world.y + 0.72 * layout.world.h);
        text::draw(hint, x, y, Style { color: faded(theme::BACKGROUND, 0.9), weight: 2.6, ..style });
        text::draw(hint, x, y, style);
    }
}

/// Whether the first person at this screen plays: the stick and the buttons are theirs.
pub(crate) fn has_first_person(view: &View) -> bool {
    view.players.iter().any(|player| player.person == Some(0))
}

/// The height that the buttons take at the lower edge, pixels: the spells, in a tall window.
pub(crate) fn height_below(layout: &Layout, view: &View) -> f32 {
    let has_row = layout.hand == Hand::Touch && !is_wide(layout) && spells_of_first(view).is_some();
    if has_row { SPELL_SIZE_PX.1 + GAP_PX } else { 0.0 }
}

/// The height that buttons take at the upper right corner, pixels.
pub(crate) fn height_above(layout: &Layout) -> f32 {
    match layout.hand {
        Hand::Touch if is_wide(layout) => SIZE_PX.1 + GAP_PX,
        Hand::Touch => 2.0 * (SIZE_PX.1 + GAP_PX),
        _ => 0.0,
    }
}

/// The width that buttons take at the upper right corner of a wide window, pixels, without a rewind.
pub(crate) fn width_above(layout: &Layout) -> f32 {
    2.0 * (SIZE_PX.0 + GAP_PX) + MARGIN * layout.scale
}

fn chip_label(name: &str, state: SpellView) -> String {
    match state.left_seconds {
        left if left > 0.0 => format!("{name} {:.0}", left.ceil()),
        _ => name.to_owned(),
    }
}

fn spells_of_first(view: &View) -> Option<[SpellView; Spell::COUNT]> {
    view.players.iter().find(|player| player.person == Some(0))?.spells
}

/// Beside each other at the upper edge of a wide window; below each other, at the right edge of a tall one.
fn plain_area(layout: &Layout, place: usize) -> Rect {
    let (world, margin, (w, h)) = (layout.world, MARGIN * layout.scale, SIZE_PX);
    let (along, down) = if is_wide(layout) { (place as f32, 0.0) } else { (0.0, place as f32) };
    Rect::new(world.right() - margin - w - along * (w + GAP_PX), world.y + margin + down * (h + GAP_PX), w, h)
}

/// Below each other in the lower right corner of a wide window, for a thumb; beside each other below a tall one.
fn spell_area(layout: &Layout, place: usize) -> Rect {
    let (world, margin, (w, h)) = (layout.world, MARGIN * layout.scale, SPELL_SIZE_PX);
    let (place, count) = (place as f32, Spell::COUNT as f32);
    if is_wide(layout) {
        let below = (count - place) * (h + GAP_PX) - GAP_PX;
        return Rect::new(world.right() - margin - w, world.bottom() - margin - below, w, h);
    }
    let w = (world.w - 2.0 * margin + GAP_PX) / count - GAP_PX;
    Rect::new(world.x + margin + place * (w + GAP_PX), world.bottom() - margin - h, w, h)
}

fn is_wide(layout: &Layout) -> bool {
    layout.world.w >= layout.world.h
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::hud::minimap;
    use crate::client::sample::{person_here, player};
    use crate::client::settings::Settings;

    const PHONES: [(f32, f32); 4] = [(390.0, 844.0), (844.0, 390.0), (360.0, 640.0), (640.0, 360.0)];

    fn view(has_spells: bool) -> View {
        let mut person = person_here(0);
        person.spells = has_spells.then_some([SpellView { left_seconds: 0.0, cooldown_seconds: 20.0 }; Spell::COUNT]);
        View { players: vec![person, player(1)], ..View::empty() }
    }

    #[test]
    fn there_are_the_buttons_that_the_match_has_and_only_for_fingers() {
        let layout = |hand| Settings::default().layout(390.0, 844.0, hand);
        let actions = |hand, has_spells, can_rewind| -> Vec<Action> {
            buttons(&layout(hand), &view(has_spells), can_rewind).iter().map(|button| button.action).collect()
        };
        assert_eq!(actions(Hand::Touch, false, false), [Action::Pause, Action::Camera]);
        assert_eq!(actions(Hand::Touch, false, true)[2], Action::Rewind);
        let spells = [Action::Purge(0), Action::Strike(0), Action::Magnet(0)];
        assert_eq!(actions(Hand::Touch, true, false)[2..], spells);
        assert!(actions(Hand::Keys, true, true).is_empty() && actions(Hand::Pad, true, true).is_empty());
    }

    #[test]
    fn buttons_lie_apart_in_the_window_and_are_as_large_as_a_thumb() {
        for (width, height) in PHONES {
            let layout = Settings::default().layout(width, height, Hand::Touch);
            let buttons = buttons(&layout, &view(true), false);
            let areas: Vec<Rect> = buttons.iter().map(|button| button.area).chain([minimap::area(&layout)]).collect();
            for (index, area) in areas.iter().enumerate() {
                assert!(area.x >= 0.0 && area.y >= 0.0 && area.right() <= width && area.bottom() <= height, "{area:?}");
                assert!(area.w >= 40.0 && area.h >= 40.0, "{area:?} in {width} x {height}");
                for other in &areas[index + 1..] {
                    assert!(!area.overlaps(other), "{area:?} and {other:?} in {width} x {height}");
                }
            }
            for button in &buttons {
                assert_eq!(action_at(&buttons, button.area.center()), Some(button.action));
            }
            assert_eq!(action_at(&buttons, layout.world.center()), None);
        }
    }

    #[test]
    fn spell_says_how_many_seconds_it_cools_down() {
        let label = |left_seconds| chip_label("Strike", SpellView { left_seconds, cooldown_seconds: 20.0 });
        assert_eq!([12.3, 0.2, 0.0].map(label), ["Strike 13", "Strike 1", "Strike"]);
    }
}
