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
use crate::client::input::keys;
use bounty_hunter_simulation::keymap::Keymap;
use bounty_hunter_simulation::simulation::view::{GameState, View};

/// Heights in units of the layout; the head is the one of a paused match.
const OPTION_HEIGHT: f32 = 34.0;
const HEAD_HEIGHT: f32 = 84.0;
const FOOT_HEIGHT: f32 = 16.0;

/// Draws the open menu, if any; over a finished match with the summary of a person.
pub(crate) fn draw(layout: &Layout, view: &View, courses: &Courses, menu: &Menu, keymap: &Keymap) {
    if !menu.is_open() {
        return;
    }
    let Layout { world, scale, .. } = *layout;
    draw_rectangle(world.x, world.y, world.w, world.h, faded(theme::BACKGROUND, 0.62));
    let area = box_area(layout, view, menu);
    draw_box(area, theme::OVERLAY, theme::BORDER, 2.0);
    if view.state == GameState::GameOver {
        let above = Rect { h: area.h - options_height(menu, scale), ..area };
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
        let key = keymap.menu_options.get(index).map_or_else(String::new, |key| keys::label(*key));
        let (y, height) = (area.center().y, 12.0 * scale);
        text::draw(&key, area.x + 14.0 * scale, y, Style::new(height, faded(color, 0.7)));
        text::draw(choice.label(), area.x + 46.0 * scale, y, Style::new(height, color));
    }
}

/// The option at a point in pixels.
pub(crate) fn option_at(layout: &Layout, view: &View, menu: &Menu, point: Vec2) -> Option<usize> {
    (0..menu.choices().len()).find(|index| option_area(layout, view, menu, *index).contains(point))
}

fn options_height(menu: &Menu, scale: f32) -> f32 {
    (menu.choices().len() as f32 * OPTION_HEIGHT + FOOT_HEIGHT) * scale
}

fn box_area(layout: &Layout, view: &View, menu: &Menu) -> Rect {
    let Layout { world, scale, .. } = *layout;
    let (width, head) =
        if view.state == GameState::GameOver { (440.0, result::height(view)) } else { (280.0, HEAD_HEIGHT) };
    let (width, height) = ((width * scale).min(world.w), head * scale + options_height(menu, scale));
    Rect::new(world.center().x - width / 2.0, world.center().y - height / 2.0, width, height)
}

fn option_area(layout: &Layout, view: &View, menu: &Menu, index: usize) -> Rect {
    let area = box_area(layout, view, menu);
    let margin = 24.0 * layout.scale;
    let top = area.bottom() - options_height(menu, layout.scale) + index as f32 * OPTION_HEIGHT * layout.scale;
    Rect::new(area.x + margin, top, area.w - 2.0 * margin, OPTION_HEIGHT * layout.scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::screens::menu::MenuOptions;

    #[test]
    fn every_option_is_found_in_the_middle_of_its_line() {
        let layout = crate::client::settings::Settings::default().layout(1280.0, 720.0);
        for (state, count) in [(GameState::Paused, 4), (GameState::GameOver, 4), (GameState::Running, 0)] {
            let view = View { state, ..View::empty() };
            let options =
                MenuOptions { is_recorded: true, can_film: true, can_restart: true, ..MenuOptions::default() };
            let mut menu = Menu::new(options);
            menu.follow(state);
            assert_eq!(menu.choices().len(), count);
            for index in 0..count {
                let middle = option_area(&layout, &view, &menu, index).center();
                assert_eq!(option_at(&layout, &view, &menu, middle), Some(index));
            }
            assert_eq!(option_at(&layout, &view, &menu, Vec2::new(1.0, 1.0)), None);
        }
    }
}
