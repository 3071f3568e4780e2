//! The layout of the window: the arena fills it, the score lies over it.

use macroquad::math::Rect;

use super::palette::Palette;
use crate::client::input::hand::Hand;
use bounty_hunter_simulation::simulation::view::View;

/// The size of the text over the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextSize {
    Usual,
    Larger,
}

/// How much larger large text is.
const LARGER: f32 = 1.25;
/// Sizes in units of the layout.
pub(crate) const MARGIN: f32 = 12.0;
const COLUMN_WIDTH: f32 = 276.0;
const LESSON_WIDTH: f32 = 640.0;
const LESSON_HEIGHT: f32 = 66.0;
/// The size of the window, in units, for which one unit is as large as it can be.
const WIDE_UNITS: (f32, f32) = (960.0, 720.0);
const TALL_UNITS: (f32, f32) = (500.0, 860.0);
/// The same on a screen for fingers: a phone is small, and is held close.
const WIDE_TOUCH_UNITS: (f32, f32) = (720.0, 430.0);
const TALL_TOUCH_UNITS: (f32, f32) = (430.0, 740.0);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layout {
    /// The arena: the whole window.
    pub(crate) world: Rect,
    /// The part of it that the score leaves free while the whole arena and the whole table are shown: right of the
    /// table in a wide window, below it in a tall one.
    pub(crate) free: Rect,
    /// The score over the arena, at most: a column in a wide window, a band in a tall one.
    pub(crate) score: Rect,
    /// Pixels per unit; a usual line of text is 12 units high.
    pub(crate) scale: f32,
    pub(crate) palette: Palette,
    /// What the people have in hand: fingers need room and large buttons.
    pub(crate) hand: Hand,
}

impl Layout {
    /// The same layout with the colours of the players of a match.
    pub(crate) fn for_match(self, view: &View) -> Self {
        Self { palette: self.palette.for_match(&view.players), ..self }
    }

    /// The layout for a window of this size in pixels.
    pub(crate) fn new(width: f32, height: f32, text: TextSize, palette: Palette, hand: Hand) -> Self {
        let larger = if text == TextSize::Larger { LARGER } else { 1.0 };
        let (width, height) = (width.max(64.0), height.max(64.0));
        let is_wide = width >= height;
        let units = match (hand, is_wide) {
            (Hand::Touch, true) => WIDE_TOUCH_UNITS,
            (Hand::Touch, false) => TALL_TOUCH_UNITS,
            (_, true) => WIDE_UNITS,
            (_, false) => TALL_UNITS,
        };
        let scale = (width / units.0).min(height / units.1).max(0.35) * larger;
        let margin = MARGIN * scale;
        let world = Rect::new(0.0, 0.0, width, height);
        let (free, score) = if is_wide {
            let column = (COLUMN_WIDTH * scale).min(width * 0.36);
            let taken = column + 2.0 * margin;
            (Rect::new(taken, 0.0, width - taken, height), Rect::new(margin, margin, column, height - 2.0 * margin))
        } else {
            let band = (height - width).clamp(height * 0.25, height * 0.45);
            (
                Rect::new(0.0, band, width, height - band),
                Rect::new(margin, margin, width - 2.0 * margin, band - 2.0 * margin),
            )
        };
        Self { world, free, score, scale, palette, hand }
    }

    /// The score while a part of the arena is shown: as wide as a column in any window.
    pub(crate) fn slim_score(&self) -> Rect {
        Rect { w: self.score.w.min(COLUMN_WIDTH * self.scale), ..self.score }
    }

    /// The column of the people at this screen, above the lower left corner.
    pub(crate) fn cards(&self) -> Rect {
        let most = if self.hand == Hand::Touch { 0.65 } else { 0.5 };
        let width = (COLUMN_WIDTH * self.scale).min(self.world.w * most);
        let margin = MARGIN * self.scale;
        Rect::new(margin, margin, width, self.world.h - 2.0 * margin)
    }

    /// A lesson of the tutorial, at the upper edge.
    pub(crate) fn lesson(&self) -> Rect {
        let (world, margin) = (self.world, MARGIN * self.scale);
        let width = (LESSON_WIDTH * self.scale).min(world.w - 2.0 * margin);
        Rect::new(world.center().x - width / 2.0, margin, width, (LESSON_HEIGHT * self.scale).min(world.h * 0.5))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [(f32, f32); 9] = [
        (1280.0, 720.0),
        (1920.0, 1080.0),
        (3840.0, 2160.0),
        (800.0, 800.0),
        (800.0, 600.0),
        (600.0, 1000.0),
        (2560.0, 600.0),
        (300.0, 2000.0),
        (200.0, 150.0),
    ];

    fn layouts() -> impl Iterator<Item = Layout> {
        let sizes = SIZES.into_iter().flat_map(|size| [(size, TextSize::Usual), (size, TextSize::Larger)]);
        sizes.map(|((width, height), text)| Layout::new(width, height, text, Palette::default(), Hand::default()))
    }

    #[test]
    fn arena_fills_the_window_and_the_score_leaves_most_of_it_free() {
        for layout in layouts() {
            let Layout { world, free, score, .. } = layout;
            let beside = score.right() <= free.left() + 0.1 || score.bottom() <= free.top() + 0.1;
            assert!(beside, "{score:?} and {free:?} overlap in {world:?}");
            for part in [free, score, layout.slim_score(), layout.cards(), layout.lesson()] {
                assert!(part.x >= -0.1 && part.right() <= world.w + 0.1, "{part:?} leaves {world:?}");
                assert!(part.y >= -0.1 && part.bottom() <= world.h + 0.1, "{part:?} leaves {world:?}");
                assert!(part.w > 0.0 && part.h > 0.0, "{part:?} in {world:?}");
            }
            assert!(free.w * free.h >= 0.5 * world.w * world.h, "{free:?} of {world:?}");
        }
    }

    #[test]
    fn slim_score_leaves_three_quarters_of_the_width_of_a_wide_window() {
        for (width, height) in [(1280.0, 720.0), (1920.0, 1080.0), (3840.0, 2160.0)] {
            let layout = Layout::new(width, height, TextSize::Usual, Palette::default(), Hand::default());
            assert!(layout.slim_score().right() <= 0.25 * width);
        }
    }

    #[test]
    fn larger_text_is_larger() {
        let scale = |text| Layout::new(1280.0, 720.0, text, Palette::default(), Hand::default()).scale;
        assert!(scale(TextSize::Larger) > 1.15 * scale(TextSize::Usual));
    }

    #[test]
    fn window_without_size_has_a_layout_too() {
        assert!(Layout::new(0.0, 0.0, TextSize::Usual, Palette::default(), Hand::default()).free.w > 0.0);
    }
}
