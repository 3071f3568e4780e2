//! The sheet of the results screen: units that are independent of the size of the window.

use macroquad::math::{Rect, Vec2, vec2};
use macroquad::shapes::{draw_line, draw_rectangle};

use crate::client::drawing::gauges::{draw_box, line_px};
use crate::client::drawing::text::{self, Style};
use crate::client::drawing::theme::{self, faded};

/// Height of the sheet, and range of its width, in its units.
const HEIGHT: f32 = 720.0;
const WIDTH: (f32, f32) = (900.0, 1_180.0);
/// Margin around the box of the page, and padding inside it.
const MARGIN: f32 = 20.0;
const PADDING: f32 = 24.0;
/// Top and bottom of the box.
const BOX: (f32, f32) = (92.0, 656.0);
/// Text that does not fit shrinks down to this share before it is cut.
const MIN_SHARE: f32 = 0.7;

/// A sheet; all coordinates are in its units from its top left corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sheet {
    origin: Vec2,
    unit: f32,
    width: f32,
}

impl Sheet {
    /// The sheet in the middle of a window of this size in pixels.
    pub(super) fn new(window: Vec2) -> Self {
        let unit = (window.x / WIDTH.0).min(window.y / HEIGHT).max(0.1);
        let width = (window.x / unit).clamp(WIDTH.0, WIDTH.1);
        Self { origin: (window - vec2(width, HEIGHT) * unit) / 2.0, unit, width }
    }

    /// Left and right edge inside the box.
    pub(super) fn inner(&self) -> (f32, f32) {
        (MARGIN + PADDING, self.width - MARGIN - PADDING)
    }

    /// The width inside the box.
    pub(super) fn inner_width(&self) -> f32 {
        let (left, right) = self.inner();
        right - left
    }

    /// The x of a share of the inner width.
    pub(super) fn at_share(&self, share: f32) -> f32 {
        self.inner().0 + share * self.inner_width()
    }

    pub(super) fn top(&self) -> f32 {
        BOX.0
    }

    pub(super) fn bottom(&self) -> f32 {
        BOX.1
    }

    pub(super) fn center(&self) -> f32 {
        self.width / 2.0
    }

    /// Converts a point to pixels.
    pub(super) fn pixels(&self, x: f32, y: f32) -> Vec2 {
        self.origin + vec2(x, y) * self.unit
    }

    /// Converts a length to pixels.
    pub(super) fn length(&self, units: f32) -> f32 {
        units * self.unit
    }

    /// Converts an area to pixels.
    pub(super) fn area(&self, x: f32, y: f32, width: f32, height: f32) -> Rect {
        let corner = self.pixels(x, y);
        Rect::new(corner.x, corner.y, self.length(width), self.length(height))
    }

    /// Writes a line of text at most `room` wide, with all lengths in units; `y` is the middle of its letters.
    pub(super) fn write(&self, line: &str, x: f32, y: f32, room: f32, style: Style) {
        let (height, room) = (self.length(style.height), self.length(room));
        let height = text::shrunk(line, height, room).max(height * MIN_SHARE);
        let place = self.pixels(x, y);
        // Rounding must not cut the last letter.
        let line = text::fitting(line, height, room + 0.5);
        text::draw(line, place.x, place.y, Style { height, ..style });
    }

    /// Draws a thin line from left to right.
    pub(super) fn rule(&self, left: f32, right: f32, y: f32) {
        let (from, to) = (self.pixels(left, y), self.pixels(right, y));
        draw_line(from.x, from.y, to.x, to.y, line_px(1.0), faded(theme::FAINT, 0.5));
    }

    /// Draws the box that holds the page.
    pub(super) fn draw_box(&self) {
        let area = self.area(MARGIN, BOX.0, self.width - 2.0 * MARGIN, BOX.1 - BOX.0);
        draw_box(area, theme::PANEL, faded(theme::BORDER, 0.8), 2.0);
    }

    /// Draws the scroll bar between `top` and `bottom`, unless all lines are shown.
    pub(super) fn draw_scroll_bar(&self, top: f32, bottom: f32, first: usize, shown: usize, all: usize) {
        if all <= shown {
            return;
        }
        let x = self.inner().1 + PADDING * 0.45;
        let share = |lines: usize| lines as f32 / all as f32 * (bottom - top);
        let trough = self.area(x, top, 4.0, bottom - top);
        draw_rectangle(trough.x, trough.y, trough.w, trough.h, theme::TROUGH);
        let bar = self.area(x, top + share(first), 4.0, share(shown).max(8.0));
        draw_rectangle(bar.x, bar.y, bar.w, bar.h, faded(theme::ACCENT, 0.8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheet_lies_within_windows_of_all_shapes() {
        for (width, height) in [(1280.0, 720.0), (800.0, 600.0), (400.0, 900.0), (2560.0, 600.0), (1920.0, 1080.0)] {
            let sheet = Sheet::new(vec2(width, height));
            let (start, end) = (sheet.pixels(0.0, 0.0), sheet.pixels(sheet.width, HEIGHT));
            assert!(start.min_element() >= -0.1, "{start} in {width} x {height}");
            assert!(end.x <= width + 0.1 && end.y <= height + 0.1, "{end} in {width} x {height}");
            assert!(sheet.inner_width() >= WIDTH.0 - 2.0 * (MARGIN + PADDING) - 0.1);
        }
    }
}
