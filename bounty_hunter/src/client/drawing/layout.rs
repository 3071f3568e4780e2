//! The layout of the window: the arena and the score.

use macroquad::math::Rect;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layout {
    /// The square of the arena.
    pub(crate) world: Rect,
    /// The score: beside the arena in a wide window, below it in a tall one.
    pub(crate) panel: Rect,
    /// Pixels per unit of the score; a usual line of text is 12 units high.
    pub(crate) scale: f32,
}

impl Layout {
    /// The layout for a window of this size in pixels.
    pub(crate) fn new(width: f32, height: f32) -> Self {
        let (width, height) = (width.max(64.0), height.max(64.0));
        if width >= height {
            let panel_width = (width - height).clamp(width * 0.27, width * 0.36);
            let side = (width - panel_width).min(height);
            let left = (width - panel_width - side) / 2.0;
            Self {
                world: Rect::new(left, (height - side) / 2.0, side, side),
                panel: Rect::new(width - panel_width, 0.0, panel_width, height),
                scale: (panel_width / 380.0).min(height / 720.0).max(0.35),
            }
        } else {
            let panel_height = (height - width).clamp(height * 0.30, height * 0.45);
            let side = (height - panel_height).min(width);
            Self {
                world: Rect::new((width - side) / 2.0, (height - panel_height - side) / 2.0, side, side),
                panel: Rect::new(0.0, height - panel_height, width, panel_height),
                scale: (width / 380.0).min(panel_height / 420.0).max(0.35),
            }
        }
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
            let Layout { world, panel, .. } = Layout::new(width, height);
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
        assert_eq!(Layout::new(1280.0, 720.0).world.h, 720.0);
        assert_eq!(Layout::new(1920.0, 1080.0).world.h, 1080.0);
    }

    #[test]
    fn window_without_size_has_a_layout_too() {
        assert!(Layout::new(0.0, 0.0).world.w > 0.0);
    }
}
