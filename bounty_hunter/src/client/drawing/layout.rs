//! The layout of the window: the arena and the score.

use macroquad::color::Color;
use macroquad::math::Rect;
use macroquad::shapes::draw_rectangle;

use super::palette::Palette;

/// The size of the text beside and over the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextSize {
    Usual,
    Larger,
}

/// How much larger large text is.
const LARGER: f32 = 1.25;
/// Height of a lesson of the tutorial in units of the score.
const LESSON_HEIGHT: f32 = 66.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layout {
    /// The square of the arena.
    pub(crate) world: Rect,
    /// The score: beside the arena in a wide window, below it in a tall one.
    pub(crate) panel: Rect,
    /// Pixels per unit of the score; a usual line of text is 12 units high.
    pub(crate) scale: f32,
    pub(crate) palette: Palette,
}

impl Layout {
    /// The layout for a window of this size in pixels.
    pub(crate) fn new(width: f32, height: f32, text: TextSize, palette: Palette) -> Self {
        let larger = if text == TextSize::Larger { LARGER } else { 1.0 };
        let (width, height) = (width.max(64.0), height.max(64.0));
        if width >= height {
            let panel_width = (width - height).clamp(width * 0.27 * larger, width * 0.36);
            let side = (width - panel_width).min(height);
            let left = (width - panel_width - side) / 2.0;
            Self {
                world: Rect::new(left, (height - side) / 2.0, side, side),
                panel: Rect::new(width - panel_width, 0.0, panel_width, height),
                scale: (panel_width / 380.0).min(height / 720.0 * larger).max(0.35),
                palette,
            }
        } else {
            let panel_height = (height - width).clamp(height * 0.30, height * 0.45);
            let side = (height - panel_height).min(width);
            Self {
                world: Rect::new((width - side) / 2.0, (height - panel_height - side) / 2.0, side, side),
                panel: Rect::new(0.0, height - panel_height, width, panel_height),
                scale: (width / 380.0).min(panel_height / 420.0 * larger).max(0.35),
                palette,
            }
        }
    }
}

impl Layout {
    /// The same layout with room for a lesson above a smaller arena.
    pub(crate) fn with_lesson(self) -> Self {
        let (world, height) = (self.world, (LESSON_HEIGHT * self.scale).min(self.world.h * 0.5));
        let side = world.h - height;
        Self { world: Rect::new(world.center().x - side / 2.0, world.y + height, side, side), ..self }
    }

    /// The room above the arena of [`with_lesson`](Self::with_lesson).
    pub(crate) fn lesson(&self) -> Rect {
        let (world, height) = (self.world, (LESSON_HEIGHT * self.scale).min(self.world.h));
        let width = world.w + height;
        Rect::new(world.center().x - width / 2.0, world.y - height, width, height)
    }

    /// Covers what lies around the arena, which is drawn beyond its square while only a part of it is shown.
    pub(crate) fn draw_surroundings(&self, color: Color) {
        let (world, far) = (self.world, 4.0 * self.world.w.max(self.panel.w + self.panel.h));
        draw_rectangle(world.x - far, world.y - far, far, far * 3.0, color);
        draw_rectangle(world.right(), world.y - far, far, far * 3.0, color);
        draw_rectangle(world.x - far, world.y - far, far * 3.0, far, color);
        draw_rectangle(world.x - far, world.bottom(), far * 3.0, far, color);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [(f32, f32); 7] = [
        (1280.0, 720.0),
        (1920.0, 1080.0),
        (800.0, 800.0),
        (600.0, 1000.0),
        (2560.0, 600.0),
        (300.0, 2000.0),
        (200.0, 150.0),
    ];

    #[test]
    fn world_is_a_square_beside_the_panel_within_the_window() {
        for (width, height) in SIZES {
            let Layout { world, panel, .. } = Layout::new(width, height, TextSize::Usual, Palette::default());
            assert_eq!(world.w, world.h);
            let beside = world.right() <= panel.left() + 0.1 || world.bottom() <= panel.top() + 0.1;
            assert!(beside, "{world:?} and {panel:?} overlap in {width} x {height}");
            for part in [world, panel] {
                assert!(part.x >= -0.1 && part.right() <= width + 0.1, "{part:?} leaves {width} x {height}");
                assert!(part.y >= -0.1 && part.bottom() <= height + 0.1, "{part:?} leaves {width} x {height}");
            }
        }
    }

    #[test]
    fn world_takes_the_full_height_of_a_wide_screen() {
        assert_eq!(Layout::new(1280.0, 720.0, TextSize::Usual, Palette::default()).world.h, 720.0);
        assert_eq!(Layout::new(1920.0, 1080.0, TextSize::Usual, Palette::default()).world.h, 1080.0);
    }

    #[test]
    fn larger_text_is_larger_beside_an_arena_that_still_fits() {
        let layout = |width, height, text| Layout::new(width, height, text, Palette::default());
        for (width, height) in SIZES {
            let (usual, larger) = (
                Layout::new(width, height, TextSize::Usual, Palette::default()),
                layout(width, height, TextSize::Larger),
            );
            assert!(larger.scale >= usual.scale && larger.world.w >= usual.world.w * 0.8, "{width} x {height}");
        }
        let scale = |text| layout(1280.0, 720.0, text).scale;
        assert!(scale(TextSize::Larger) > 1.15 * scale(TextSize::Usual));
    }

    #[test]
    fn lesson_stands_above_the_arena_within_the_window() {
        for (width, height) in SIZES {
            let usual = Layout::new(width, height, TextSize::Usual, Palette::default());
            let layout = usual.with_lesson();
            let (world, lesson) = (layout.world, layout.lesson());
            assert!((world.w - world.h).abs() < 0.1 && world.w > 0.0, "{world:?}");
            assert!((lesson.bottom() - world.y).abs() < 0.1 && world.bottom() <= usual.world.bottom() + 0.1);
            for edges in [(lesson.x, usual.world.x), (lesson.y, usual.world.y), (lesson.w, usual.world.w)] {
                assert!((edges.0 - edges.1).abs() < 0.1, "{lesson:?} in {:?}", usual.world);
            }
        }
    }

    #[test]
    fn window_without_size_has_a_layout_too() {
        assert!(Layout::new(0.0, 0.0, TextSize::Usual, Palette::default()).world.w > 0.0);
    }
}
