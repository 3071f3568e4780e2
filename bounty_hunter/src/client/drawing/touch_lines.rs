//! The lines of a menu for fingers: as high as a thumb, and in up to three columns where the window is low.

use macroquad::math::Rect;

/// Heights of a line, pixels: below the least one, lines are divided into more columns if there is room.
const LEAST_PX: f32 = 38.0;
const MOST_PX: f32 = 48.0;
/// The most columns.
const MOST_COLUMNS: usize = 3;
/// Width of a column, pixels: the least of several, and the most.
const LEAST_WIDTH_PX: f32 = 270.0;
const MOST_WIDTH_PX: f32 = 480.0;
/// The width of a column for which letters have their full size.
const WHOLE_WIDTH_PX: f32 = 360.0;
/// Between the lines and the edge of their box.
const MARGIN_PX: f32 = 6.0;

/// Lines in a room of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TouchLines {
    /// The box around the lines.
    pub(crate) area: Rect,
    rows: usize,
    column_width: f32,
    row_height: f32,
}

impl TouchLines {
    /// So many lines at the top of a room.
    pub(crate) fn new(room: Rect, count: usize) -> Self {
        let (count, inner) = (count.max(1), room.h - 2.0 * MARGIN_PX);
        let height_in = |columns: usize| inner / count.div_ceil(columns) as f32;
        let fitting = (1..=MOST_COLUMNS).filter(|columns| *columns as f32 * (LEAST_WIDTH_PX + MARGIN_PX) <= room.w);
        let high = fitting.clone().find(|columns| height_in(*columns) >= LEAST_PX);
        let columns = high.or(fitting.max()).unwrap_or(1);
        let rows = count.div_ceil(columns);
        let column_width = ((room.w - 2.0 * MARGIN_PX) / columns as f32).min(MOST_WIDTH_PX);
        let row_height = (inner / rows as f32).clamp(1.0, MOST_PX);
        let (w, h) = (columns as f32 * column_width + 2.0 * MARGIN_PX, rows as f32 * row_height + 2.0 * MARGIN_PX);
        let area = Rect::new(room.center().x - w / 2.0, room.y, w, h);
        Self { area, rows, column_width, row_height }
    }

    /// The place of a line: down the first column, then down the next.
    pub(crate) fn line(&self, index: usize) -> Rect {
        let (column, row) = ((index / self.rows) as f32, (index % self.rows) as f32);
        let (left, top) = (self.area.x + MARGIN_PX, self.area.y + MARGIN_PX);
        let (x, y) = (left + column * self.column_width, top + row * self.row_height);
        Rect::new(x, y, self.column_width, self.row_height)
    }

    /// The height of the letters in a line, pixels.
    pub(crate) fn letters_px(&self) -> f32 {
        (0.36 * self.row_height).min(14.0) * (self.column_width / WHOLE_WIDTH_PX).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn lines_are_as_high_as_a_thumb_in_the_windows_of_phones() {
        for (room, count, columns) in [
            (Rect::new(0.0, 180.0, 390.0, 600.0), 12, 1),
            (Rect::new(0.0, 100.0, 844.0, 250.0), 12, 2),
            (Rect::new(0.0, 100.0, 844.0, 250.0), 5, 1),
            (Rect::new(0.0, 100.0, 844.0, 250.0), 15, 3),
        ] {
            let lines = TouchLines::new(room, count);
            let places: Vec<Rect> = (0..count).map(|index| lines.line(index)).collect();
            for (index, place) in places.iter().enumerate() {
                assert!(place.h >= 38.0 && place.w >= 270.0, "{place:?}");
                assert!(place.x >= lines.area.x && place.right() <= lines.area.right() + 0.1);
                assert!(place.y >= lines.area.y && place.bottom() <= lines.area.bottom() + 0.1);
                let inner = Rect::new(place.x + 0.1, place.y + 0.1, place.w - 0.2, place.h - 0.2);
                assert!(places[index + 1..].iter().all(|other| !inner.overlaps(other)));
            }
            assert!(lines.area.bottom() <= room.bottom() + 0.1 && lines.area.x >= room.x);
            let lefts: BTreeSet<i32> = places.iter().map(|place| place.x as i32).collect();
            assert_eq!(lefts.len(), columns);
        }
    }

    #[test]
    fn room_without_height_has_lines_too() {
        let lines = TouchLines::new(Rect::new(0.0, 0.0, 100.0, 0.0), 3);
        assert!(lines.line(2).h >= 1.0 && lines.letters_px() > 0.0);
        assert!(TouchLines::new(Rect::new(0.0, 0.0, 100.0, 100.0), 0).area.h > 0.0);
    }
}
