//! The match screen: inputs, steps and drawing.

use macroquad::input::mouse_position;
use macroquad::miniquad::date;
use macroquad::time::get_frame_time;
use macroquad::window::{clear_background, next_frame, screen_height, screen_width, set_fullscreen};

use super::menu::{Menu, MenuChoice};
use super::menu_screen;
use super::replay_screen::{Leaving, ReplayScreen};
use super::settings_screen;
use super::tutorial::Tutorial;
use crate::client::devices::Devices;
use crate::client::drawing::layout::Layout;
use crate::client::drawing::theme;
use crate::client::hud::minimap;
use crate::client::input::bindings::{Action, Bindings};
use crate::client::input::pad_button::PadButton;
use crate::client::input::queue::InputQueue;
use crate::client::input::reader::{WindowEvent, window_size_px};
use crate::client::picture::Picture;
use crate::client::picture::camera_rig::CameraRig;
use crate::client::picture::ground;
use crate::client::settings::Settings;
use crate::client::window::clock::FixedClock;
use crate::client::window::frame_times::FrameTimes;
use crate::client::window::screenshot;
use crate::client::{ClientError, Game, NetworkRole, PlayOptions, WatchOptions, hud};
use crate::data::input::{InputEvent, Inputs, Key, MouseButton};
use crate::simulation::view::{GameState, PlayerView, View};

/// Limit of steps to end the match after the window was closed.
const STEPS_TO_CLOSE: u32 = 30;

/// Frames after a switch of full screen in which losing the focus does not pause the match.
const FRAMES_TO_SWITCH_SCREEN: u32 = 30;

/// Speed of a rewind as a multiple of normal speed.
const REWIND_SPEED: u32 = 2;

/// A match in the window.
pub(crate) struct MatchScreen {
    game: Box<dyn Game>,
    options: PlayOptions,
    picture: Picture,
    clock: FixedClock,
    queue: InputQueue,
    inputs: Inputs,
    menu: Menu,
    frame_times: FrameTimes,
    bindings: Bindings,
    /// By person.
    names: Vec<String>,
    tutorial: Option<Tutorial>,
    is_fullscreen: bool,
    /// Full screen in the last view. The window follows changes by steps, not by loading or rewinding.
    wants_fullscreen: bool,
    rig: CameraRig,
    is_rewinding: bool,
    frames_to_switch_screen: u32,
    steps_until_closed: Option<u32>,
    /// The choice of the menu that the window carries out before the next step.
    chosen: Option<MenuChoice>,
}

impl MatchScreen {
    pub(crate) fn new(game: Box<dyn Game>, options: PlayOptions, settings: &Settings) -> Self {
        let names = names(game.as_ref(), settings);
        let picture = Picture::new(game.as_ref()).with_names(names.clone());
        Self {
            clock: FixedClock::new(game.steps_per_second()),
            queue: InputQueue::default(),
            inputs: Inputs::none(),
            menu: Menu::new(game.network_role(), game.is_recorded()),
            frame_times: FrameTimes::new(),
            bindings: Bindings::new(settings.keymap.as_ref(), &options.keymap),
            names,
            tutorial: None,
            is_fullscreen: settings.is_fullscreen,
            wants_fullscreen: picture.view().is_fullscreen,
            rig: CameraRig::beginning_with(settings.camera),
            is_rewinding: false,
            frames_to_switch_screen: 0,
            steps_until_closed: None,
            chosen: None,
            picture,
            game,
            options,
        }
    }

    /// Teaches the first person to play, and ends after the last lesson.
    pub(crate) fn teaching(self) -> Self {
        Self { tutorial: Some(Tutorial::default()), ..self }
    }

    /// Plays until the player leaves the match, or to the last frame of a demonstration, which closes the window.
    ///
    /// # Errors
    /// - [`ClientError::Screenshot`] if the picture cannot be written.
    /// - [`ClientError::Match`] if the replay of the match cannot be watched.
    pub(crate) async fn run(mut self, devices: &mut Devices) -> Result<Leaving, ClientError> {
        let mut frames_left = self.options.frames;
        loop {
            let layout = devices.file.settings.layout(screen_width(), screen_height());
            let layout = if self.tutorial.is_some() { layout.with_lesson() } else { layout };
            for window_event in devices.reader.read() {
                self.take_input(*window_event, &layout);
            }
            match self.chosen.take() {
                Some(MenuChoice::Settings) => self.show_settings(devices).await,
                Some(MenuChoice::WatchReplay) => self.show_replay(devices).await?,
                _ => {}
            }
            self.frames_to_switch_screen = self.frames_to_switch_screen.saturating_sub(1);
            let frame_seconds = f64::from(get_frame_time());
            let (steps, alpha) = match frames_left {
                Some(_) => (1, 1.0),
                None => (self.clock.add(frame_seconds), self.clock.alpha()),
            };
            let rig_seconds = match frames_left {
                Some(_) => 1.0 / self.game.steps_per_second() as f32,
                None => frame_seconds as f32,
            };
            self.rig.advance(self.picture.view(), rig_seconds.min(0.1));
            let before = date::now();
            if self.is_rewinding && self.game.steps_back().is_some() {
                self.go_back(steps);
                devices.sound.rest();
            } else if self.step(steps, devices) == GameState::Terminated {
                return Ok(if self.steps_until_closed.is_some() { Leaving::Closed } else { Leaving::Back });
            }
            let before_drawing = date::now();
            self.frame_times.record(frame_seconds, before_drawing - before);
            self.draw(&layout, alpha);
            if self.picture.view().tick.is_multiple_of(u64::from(self.game.steps_per_second())) {
                // Without the graphics card or its driver, which work when the frame is shown.
                let draw_ms = (date::now() - before_drawing) * 1_000.0;
                tracing::debug!(target: "bounty_hunter::client", tick = self.picture.view().tick, draw_ms, "frame");
            }
            if let Some(left) = &mut frames_left {
                *left = left.saturating_sub(1);
                if *left == 0 {
                    self.options.screenshot.as_deref().map_or(Ok(()), screenshot::write)?;
                    return Ok(Leaving::Closed);
                }
            }
            next_frame().await;
        }
    }

    /// Shows the settings in place of a paused match, and applies those that a match holds.
    async fn show_settings(&mut self, devices: &mut Devices) {
        // The other screen hears of their releases.
        self.queue.release_all();
        let was_fullscreen = devices.file.settings.is_fullscreen;
        let size_px = window_size_px();
        if settings_screen::run(devices, &self.options.keymap).await == Leaving::Closed {
            self.close();
        }
        let settings = &devices.file.settings;
        if settings.is_fullscreen != was_fullscreen {
            self.is_fullscreen = settings.is_fullscreen;
        }
        let (width, height) = window_size_px();
        if size_px != (width, height) {
            self.queue.push(InputEvent::WindowResized(width, height));
        }
        self.bindings = Bindings::new(settings.keymap.as_ref(), &self.options.keymap);
        self.names = names(self.game.as_ref(), settings);
        self.picture.set_names(self.names.clone());
        self.clock.reset();
    }

    /// Shows the replay of a finished match in place of its result.
    async fn show_replay(&mut self, devices: &mut Devices) -> Result<(), ClientError> {
        self.queue.release_all();
        let Some(playback) = self.game.replay() else { return Ok(()) };
        let playback = playback.map_err(ClientError::Match)?;
        let screen = ReplayScreen::new(playback, WatchOptions { frames: None, screenshot: None })?;
        let screen = screen.with_names(self.names.clone());
        if screen.run(devices).await? == Leaving::Closed {
            self.close();
        }
        self.clock.reset();
        Ok(())
    }

    fn take_input(&mut self, window_event: WindowEvent, layout: &Layout) {
        match window_event {
            WindowEvent::KeyDown(key) if self.menu.is_open() && self.press_in_menu(key) => {}
            WindowEvent::KeyDown(key) => {
                if let Some(key) = self.bindings.translate(key) {
                    self.queue.key_down(key);
                }
                self.press(key);
                self.is_rewinding |= self.bindings.own().rewind.contains(&key);
            }
            WindowEvent::KeyRepeated(_) => {}
            WindowEvent::KeyUp(key) => {
                if let Some(key) = self.bindings.translate(key) {
                    self.queue.key_up(key);
                }
                self.is_rewinding &= !self.bindings.own().rewind.contains(&key);
            }
            WindowEvent::PadDown(person, button) => self.press_pad(person, button),
            WindowEvent::PadUp(person, button) => {
                let action = button.action(person);
                self.is_rewinding &= action != Action::Rewind;
                if let Some(key) = self.bindings.key_of(action) {
                    self.queue.key_up(key);
                }
            }
            WindowEvent::PointerMoved(x, y) => {
                self.queue.pointer_moved(x, y);
                self.point(layout);
                self.rig.drag(mouse_position().into(), layout.world, self.picture.view());
            }
            WindowEvent::ButtonDown(button) => {
                self.queue.button_down(button);
                if button == MouseButton::Left {
                    if self.point(layout) {
                        self.choose(self.menu.chosen());
                    } else {
                        let (view, pointer) = (self.picture.view(), mouse_position().into());
                        self.game.mark(self.rig.camera(layout.world, view, layout.palette).place(pointer));
                        minimap::take_press(&mut self.rig, layout, view, pointer);
                    }
                }
            }
            WindowEvent::ButtonUp(button) => {
                self.queue.button_up(button);
                self.rig.release();
            }
            WindowEvent::Wheel(notches) => {
                self.rig.zoom(notches, mouse_position().into(), layout.world, self.picture.view());
            }
            WindowEvent::Hidden => {
                self.queue.release_all();
                self.is_rewinding = false;
                if self.frames_to_switch_screen == 0 {
                    self.push_window_event(InputEvent::WindowMinimized);
                }
            }
            WindowEvent::Shown => {
                self.clock.reset();
                self.push_window_event(InputEvent::WindowRestored);
            }
            WindowEvent::Resized(width, height) => self.queue.push(InputEvent::WindowResized(width, height)),
            WindowEvent::CloseRequested => self.close(),
        }
    }

    /// Ends the match, which has some steps to do so.
    fn close(&mut self) {
        self.queue.push(InputEvent::QuitRequested);
        self.steps_until_closed.get_or_insert(STEPS_TO_CLOSE);
    }

    /// Adds an event, except in a demonstration, which is the same each time.
    fn push_window_event(&mut self, event: InputEvent) {
        if self.options.frames.is_none() {
            self.queue.push(event);
        }
    }

    /// A pad drives, and chooses in an open menu.
    fn press_pad(&mut self, person: usize, button: PadButton) {
        let action = button.action(person);
        if self.menu.is_open() && action != Action::Pause {
            button.menu_key().into_iter().for_each(|key| _ = self.press_in_menu(key));
            return;
        }
        self.is_rewinding |= action == Action::Rewind;
        if let Some(key) = self.bindings.key_of(action) {
            self.queue.key_down(key);
        }
    }

    /// Keys of the window itself.
    fn press(&mut self, key: Key) {
        if self.bindings.means(key, Action::Camera) {
            self.rig.next_aim(self.picture.view());
            tracing::info!(target: "bounty_hunter::client", aim = ?self.rig.aim(), "camera");
        }
        if self.bindings.means(key, Action::Inspector) {
            self.game.open_inspector();
        }
        if self.options.keymap.toggle_frame_times.contains(&key) {
            self.frame_times.is_shown = !self.frame_times.is_shown;
        }
        if self.bindings.means(key, Action::QuickSave) {
            self.game.save();
        }
        if self.bindings.means(key, Action::QuickLoad) && self.game.load() {
            self.picture = Picture::new(self.game.as_ref()).with_names(self.names.clone());
            self.clock = FixedClock::new(self.game.steps_per_second());
            self.follow_another_moment();
        }
    }

    /// A key of the open menu; returns whether it is one.
    fn press_in_menu(&mut self, key: Key) -> bool {
        let keymap = &self.options.keymap;
        let of_choice = keymap.menu_options.iter().position(|of_choice| *of_choice == key);
        match key {
            Key::Up => self.menu.up(),
            Key::Down => self.menu.down(),
            Key::Enter => self.choose(self.menu.chosen()),
            // The keys that open the menu also close it.
            _ if keymap.quit.contains(&key) => self.choose(self.menu.closing()),
            _ => {
                let Some(place) = of_choice else { return false };
                self.choose(self.menu.choices().get(place).copied());
            }
        }
        true
    }

    /// Selects the option under the pointer; returns whether there is one.
    fn point(&mut self, layout: &Layout) -> bool {
        let found = menu_screen::option_at(layout, self.picture.view(), &self.menu, mouse_position().into());
        found.inspect(|option| self.menu.select(*option)).is_some()
    }

    /// Carries out a choice of the menu: taps the key by which the match knows it, or leaves it to the window.
    fn choose(&mut self, choice: Option<MenuChoice>) {
        let place = choice.and_then(|choice| choice.place_in_match(self.picture.view().state));
        match place.and_then(|place| self.options.keymap.menu_options.get(place)) {
            Some(key) => self.queue.tap(*key),
            None => self.chosen = choice,
        }
    }

    /// Rewinds the match. Keys pressed meanwhile do not reach it.
    fn go_back(&mut self, steps: u32) {
        if steps == 0 {
            return;
        }
        self.queue.forget_keys();
        self.is_rewinding &= !self.queue.is_closing();
        if self.is_rewinding && self.game.go_back(steps * REWIND_SPEED) {
            self.picture.go_back(self.game.as_ref());
            self.follow_another_moment();
        }
    }

    /// Follows a view that no step has led to.
    fn follow_another_moment(&mut self) {
        let view = self.picture.view();
        self.menu.follow(view.state);
        self.wants_fullscreen = view.is_fullscreen;
    }

    fn step(&mut self, steps: u32, devices: &mut Devices) -> GameState {
        let mut state = self.picture.view().state;
        for _ in 0..steps {
            self.queue.take_into(&mut self.inputs);
            state = self.game.step(&self.inputs).state;
            if self.game.take_jump() {
                self.picture = Picture::new(self.game.as_ref()).with_names(self.names.clone());
            } else {
                self.picture.advance(self.game.as_ref());
            }
            let (previous, current) = self.picture.views();
            devices.sound.hear(previous, current);
            if devices.file.settings.has_screen_shake && has_person_crashed(previous, current) {
                self.rig.shake();
            }
            if let Some(tutorial) = &mut self.tutorial {
                tutorial.follow(previous, current, 1.0 / self.game.steps_per_second() as f32);
                if tutorial.is_over() || state == GameState::GameOver {
                    return GameState::Terminated;
                }
            }
            self.log_people();
            self.steps_until_closed = self.steps_until_closed.map(|left| left.saturating_sub(1));
            if state == GameState::Terminated || self.steps_until_closed == Some(0) {
                return GameState::Terminated;
            }
        }
        self.menu.follow(state);
        let wants_fullscreen = self.picture.view().is_fullscreen;
        if wants_fullscreen != self.wants_fullscreen {
            self.wants_fullscreen = wants_fullscreen;
            self.is_fullscreen = !self.is_fullscreen;
            self.frames_to_switch_screen = FRAMES_TO_SWITCH_SCREEN;
            set_fullscreen(self.is_fullscreen);
        }
        state
    }

    /// Logs the places of people once a second.
    fn log_people(&self) {
        let view = self.picture.view();
        if view.tick.is_multiple_of(u64::from(self.game.steps_per_second())) {
            for collector in &view.collectors {
                let (player, [x, y]) = (collector.player, collector.position.to_array());
                let heading = collector.heading;
                if view.players.get(player as usize).is_some_and(PlayerView::is_person) {
                    tracing::debug!(target: "bounty_hunter::client", tick = view.tick, player, x, y, heading, "person");
                }
            }
        }
    }

    fn draw(&mut self, layout: &Layout, alpha: f32) {
        clear_background(theme::BACKGROUND);
        let camera = self.rig.camera(layout.world, self.picture.view(), layout.palette);
        self.picture.draw(&camera, alpha);
        self.picture.draw_names(&camera, layout.scale);
        if let Some((place, half_extent_m)) = self.game.marked() {
            ground::draw_mark_of_inspector(&camera, place, half_extent_m);
        }
        layout.draw_surroundings(theme::BACKGROUND);
        let view = self.picture.view();
        minimap::draw(layout, &self.rig, view);
        hud::draw_countdown(layout, view);
        hud::draw_panel(layout, view, Some(self.bindings.own()), self.game.steps_back().is_some());
        if let Some(announcement) = self.picture.announcement() {
            hud::draw_announcement(layout, announcement);
        }
        if let Some(tutorial) = &self.tutorial {
            let (lesson, sentence) = tutorial.sentence(self.bindings.own());
            hud::draw_lesson(layout, lesson, Tutorial::LESSONS, &sentence);
        }
        if let (true, Some(steps)) = (self.is_rewinding, self.game.steps_back()) {
            hud::draw_rewind(layout, steps as f32 / self.game.steps_per_second() as f32);
        }
        menu_screen::draw(layout, view, &self.menu, self.bindings.own());
        if let Some(notice) = self.game.notice() {
            let has_minimap = self.rig.part(view).is_some() && !self.menu.is_open();
            let color = if notice.is_success() { theme::SUCCESS } else { theme::ALARM };
            hud::draw_notice(layout, &notice.in_the_language(), color, has_minimap);
        }
        self.frame_times.draw(|| self.game.line_report(), layout.scale);
    }
}

/// The names of the people at this window. Over a network they have those that they have told the others.
fn names(game: &dyn Game, settings: &Settings) -> Vec<String> {
    match game.network_role() {
        NetworkRole::Alone => settings.names(),
        NetworkRole::Host | NetworkRole::Guest => Vec::new(),
    }
}

/// Whether the collector of a person at this screen has died.
fn has_person_crashed(previous: &View, current: &View) -> bool {
    let pairs = previous.players.iter().zip(&current.players);
    let is_gone = |seconds: f32| seconds > 0.0;
    let mut people = pairs.filter(|(_, now)| now.is_here());
    current.state == GameState::Running
        && people.any(|(before, now)| !is_gone(before.respawn_seconds) && is_gone(now.respawn_seconds))
}
