//! Drawing tools: text, colours, bars, the camera and the layout of the window.

pub(crate) mod camera;
pub(crate) mod circles;
pub(crate) mod fallback_font;
pub(crate) mod gauges;
pub(crate) mod hangul;
pub(crate) mod layout;
pub(crate) mod letter;
pub(crate) mod light;
pub(crate) mod palette;
pub(crate) mod stroke_font;
pub(crate) mod text;
pub(crate) mod theme;
pub(crate) mod touch_lines;
