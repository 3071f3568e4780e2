//! The display: camera, full screen and debug drawing.

use ecs::{ResMut, Sender, Setup, System};
use serde::{Deserialize, Serialize};

use crate::events::{
    EnterFullscreenMode, EnterWindowMode, ToggleDebugDraw, ToggleFullscreen, WindowMinimized, WindowRestored,
};

/// Component of the camera: the visible part of the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TabletopCamera {
    /// Half the shorter side of the visible part, metres.
    pub half_extent_m: f32,
}

/// Resource: the requested state of the window. Written by [`Display`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisplayState {
    /// Full screen.
    pub is_fullscreen: bool,
    /// Show radars, avoiders, targets and hit boxes.
    pub is_debug_drawn: bool,
    /// The window is minimized.
    pub is_minimized: bool,
}

/// Updates [`DisplayState`].
#[derive(Debug)]
pub struct Display;

impl System for Display {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(Self::on_toggle_fullscreen)
            .listen(Self::on_toggle_debug_draw)
            .listen(Self::on_window_minimized)
            .listen(Self::on_window_restored);
    }
}

impl Display {
    fn on_toggle_fullscreen(
        &mut self,
        _: &ToggleFullscreen,
        mut display: ResMut<DisplayState>,
        mut fullscreen: Sender<EnterFullscreenMode>,
        mut window: Sender<EnterWindowMode>,
    ) {
        display.is_fullscreen = !display.is_fullscreen;
        if display.is_fullscreen { fullscreen.send(EnterFullscreenMode) } else { window.send(EnterWindowMode) }
    }

    fn on_toggle_debug_draw(&mut self, _: &ToggleDebugDraw, mut display: ResMut<DisplayState>) {
        display.is_debug_drawn = !display.is_debug_drawn;
    }

    fn on_window_minimized(&mut self, _: &WindowMinimized, mut display: ResMut<DisplayState>) {
        display.is_minimized = true;
    }

    fn on_window_restored(&mut self, _: &WindowRestored, mut display: ResMut<DisplayState>) {
        display.is_minimized = false;
    }
}
