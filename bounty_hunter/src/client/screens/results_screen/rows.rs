//! The rows of the tables on the pages of details and totals.

use super::sheet::Sheet;

/// Rows of a table that are shown at once.
pub(super) const TABLE_ROWS: usize = 20;
/// Heights of the column names and of the first row, from the top of the box.
const HEAD: f32 = 86.0;
const FIRST_ROW: f32 = 102.0;
/// Range of the height of a row: as large as the page allows.
const HEIGHT: (f32, f32) = (22.0, 30.0);

/// Rows as high as a page allows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    head: f32,
    top: f32,
    height: f32,
}

impl Rows {
    /// The rows of a page whose longest table has this many rows.
    pub(super) fn new(sheet: &Sheet, lines: usize) -> Self {
        let room = TABLE_ROWS as f32 * HEIGHT.0;
        let height = (room / lines.max(1) as f32).clamp(HEIGHT.0, HEIGHT.1);
        Self { head: sheet.top() + HEAD, top: sheet.top() + FIRST_ROW, height }
    }

    /// The middle of the column names.
    pub(super) fn head(&self) -> f32 {
        self.head
    }

    /// The middle of a row.
    pub(super) fn middle(&self, row: usize) -> f32 {
        self.top + (row as f32 + 0.5) * self.height
    }

    pub(super) fn height(&self) -> f32 {
        self.height
    }

    /// The bottom of the last possible row.
    pub(super) fn bottom(&self) -> f32 {
        self.top + TABLE_ROWS as f32 * HEIGHT.0
    }
}

#[cfg(test)]
mod tests {
    use macroquad::math::vec2;

    use super::*;

    #[test]
    fn any_number_of_rows_ends_inside_the_box() {
        let sheet = Sheet::new(vec2(1280.0, 720.0));
        for lines in [0, 1, 8, 15, 16, 19, 20, 21, 1_000] {
            let rows = Rows::new(&sheet, lines);
            let last = rows.middle(lines.min(TABLE_ROWS).saturating_sub(1)) + rows.height() / 2.0;
            assert!(last <= rows.bottom() + 0.1 && rows.bottom() + 20.0 <= sheet.bottom(), "{lines} lines");
        }
    }
}
