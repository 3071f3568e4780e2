//! The drawing of the menu, and the option under the pointer.

use macroquad::math::{Rect, Vec2};
use macroquad::shapes::draw_rectangle;

use super::menu::Menu;
use crate::client::drawing::gauges::draw_box;
use crate::client::drawing::layout::Layout;
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, faded};
use crate::client::hud::courses::Courses;
use crate::client::hud::result;
use crate::client::input::hand::{Controls, Hand};
use crate::client::input::keys;
use bounty_hunter_simulation::simulation::view::{GameState, View};

/// Heights in units of the layout; the head is the one of a paused match.
const OPTION_HEIGHT: f32 = 34.0;
const HEAD_HEIGHT: f32 = 84.0;
const FOOT_HEIGHT: f32 = 16.0;
/// The height of an option for fingers, pixels, and the width of one in a row of them, units.
const TOUCH_OPTION_PX: f32 = 48.0;
const TOUCH_OPTION_WIDTH: f32 = 170.0;

/// Draws the open menu, if any; over a finished match with the summary of a person.
pub(crate) fn draw(layout: &Layout, view: &View, courses: &Courses, menu: &Menu, controls: Controls<'_>) {
    if !menu.is_open() {
        return;
    }
    let Layout { world, scale, .. } = *layout;
    draw_rectangle(world.x, world.y, world.w, world.h, faded(theme::BACKGROUND, 0.62));
    let area = box_area(layout, view, menu);
    draw_box(area, theme::OVERLAY, theme::BORDER, 2.0);
    if view.state == GameState::GameOver {
        let above = Rect { h: area.h - options_height(layout, menu), ..area };
        result::draw(above, view, courses.summary(view).as_deref(), &layout.palette, scale);
    } else {
        let style = Style::new(24.0 * scale, theme::ACCENT).align(Align::Center).weight(1.1);
        text::draw(menu.heading(), area.center().x, area.y + HEAD_HEIGHT * 0.5 * scale, style);
    }
    for (index, choice) in menu.choices().iter().enumerate() {
        let area = option_area(layout, view, menu, index);
        let is_selected = index == menu.selected();
        if is_selected {
            draw_rectangle(area.x, area.y, area.w, area.h, faded(theme::ACCENT, 0.16));
        }
        let color = if is_selected { theme::ACCENT } else { theme::TEXT };
        let (y, height) = (area.center().y, 12.0 * scale);
        if controls.hand == Hand::Touch {
            let button = Rect { x: area.x + 4.0, y: area.y + 3.0, w: area.w - 8.0, h: area.h - 6.0 };
            draw_box(button, faded(theme::PANEL, 0.6), faded(color, 0.8), 1.0);
            let letters = text::shrunk(choice.label(), 13.0 * scale, button.w - 20.0);
            let style = Style::new(letters, color).align(Align::Center);
            text::draw(choice.label(), button.center().x, y, style);
            continue;
        }
        let key = controls.keymap.menu_options.get(index).filter(|_| controls.hand == Hand::Keys);
        let key = key.map_or_else(String::new, |key| keys::label(*key));
        text::draw(&key, area.x + 14.0 * scale, y, Style::new(height, faded(color, 0.7)));
        text::draw(choice.label(), area.x + 46.0 * scale, y, Style::new(height, color));
    }
}

/// The option at a point in pixels.
pub(crate) fn option_at(layout: &Layout, view: &View, menu: &Menu, point: Vec2) -> Option<usize> {
    (0..menu.choices().len()).find(|index| option_area(layout, view, menu, *index).contains(point))
}

/// Whether the options are beside each other, as fingers have them in a wide window.
fn is_row(layout: &Layout) -> bool {
    layout.hand == Hand::Touch && layout.world.w >= layout.world.h
}

fn option_height(layout: &Layout) -> f32 {
    if layout.hand == Hand::Touch { TOUCH_OPTION_PX } else { OPTION_HEIGHT * layout.scale }
}

fn options_height(layout: &Layout, menu: &Menu) -> f32 {
    let lines = if is_row(layout) { 1 } else { menu.choices().len() };
    lines as f32 * option_height(layout) + FOOT_HEIGHT * layout.scale
}

fn box_area(layout: &Layout, view: &View, menu: &Menu) -> Rect {
    let Layout { world, scale, .. } = *layout;
    let options = options_height(layout, menu);
    let (width, head): (f32, f32) = match view.state {
        GameState::GameOver => (440.0, result::height(view, world.h / scale - options / scale)),
        _ => (280.0, HEAD_HEIGHT),
    };
    let row = if is_row(layout) { menu.choices().len() as f32 * TOUCH_OPTION_WIDTH } else { 0.0 };
    let (width, height) = ((width.max(row) * scale).min(world.w), head * scale + options);
    Rect::new(world.center().x - width / 2.0, world.center().y - height / 2.0, width, height)
}

fn option_area(layout: &Layout, view: &View, menu: &Menu, index: usize) -> Rect {
    let area = box_area(layout, view, menu);
    let (top, height) = (area.bottom() - options_height(layout, menu), option_height(layout));
    if is_row(layout) {
        let margin = 8.0 * layout.scale;
        let width = (area.w - 2.0 * margin) / menu.choices().len().max(1) as f32;
        return Rect::new(area.x + margin + index as f32 * width, top, width, height);
    }
    let margin = 24.0 * layout.scale;
    Rect::new(area.x + margin, top + index as f32 * height, area.w - 2.0 * margin, height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::input::hand::Hand;
    use crate::client::sample::player;
    use crate::client::screens::menu::MenuOptions;

    #[test]
    fn every_option_is_found_in_the_middle_of_its_line() {
        let windows = [(1280.0, 720.0, Hand::Keys), (390.0, 844.0, Hand::Touch), (844.0, 390.0, Hand::Touch)];
        for (width, height, hand) in windows {
            let layout = crate::client::settings::Settings::default().layout(width, height, hand);
            for (state, count) in [(GameState::Paused, 4), (GameState::GameOver, 4), (GameState::Running, 0)] {
                let players = (0..10).map(player).collect();
                let view = View { state, players, ..View::empty() };
                let options =
                    MenuOptions { is_recorded: true, can_film: true, can_restart: true, ..MenuOptions::default() };
                let mut menu = Menu::new(options);
                menu.follow(state);
                assert_eq!(menu.choices().len(), count);
                for index in 0..count {
                    let area = option_area(&layout, &view, &menu, index);
                    assert_eq!(option_at(&layout, &view, &menu, area.center()), Some(index));
                    assert!(
                        hand != Hand::Touch || area.w >= 44.0 && area.h >= 44.0,
                        "{area:?} is too small for a thumb"
                    );
                    assert!(area.x >= 0.0 && area.right() <= width && area.bottom() <= height, "{area:?}");
                }
                let whole = box_area(&layout, &view, &menu);
                assert!(whole.y >= 0.0 && whole.bottom() <= height, "{whole:?} in {width} x {height}");
                assert_eq!(option_at(&layout, &view, &menu, Vec2::new(1.0, 1.0)), None);
            }
        }
    }
}
