//! The match screen: inputs, steps and drawing.

use ecs::StepClock;
use macroquad::input::mouse_position;
use macroquad::math::Vec2;
use macroquad::miniquad::{date, window::clipboard_set};
use macroquad::time::get_frame_time;
use macroquad::window::{clear_background, next_frame, screen_height, screen_width, set_fullscreen};

use super::highlight_film::HighlightFilm;
use super::last_moments::LastMoments;
use super::menu::{Menu, MenuChoice, MenuOptions};
use super::menu_screen;
use super::own_best::OwnBest;
use super::replay_screen::{Leaving, ReplayScreen};
use super::settings_screen;
use super::tutorial::Tutorial;
use crate::client::devices::Devices;
use crate::client::drawing::layout::Layout;
use crate::client::drawing::light::Light;
use crate::client::drawing::theme;
use crate::client::hud::{Score, minimap, touch_buttons};
use crate::client::input::bindings::{Action, Bindings};
use crate::client::input::hand::{Controls, Hand};
use crate::client::input::keys::MouseButton;
use crate::client::input::pad_button::PadButton;
use crate::client::input::queue::{InputQueue, Switch};
use crate::client::input::reader::WindowEvent;
use crate::client::input::stick::Stick;
use crate::client::people::People;
use crate::client::picture::Picture;
use crate::client::picture::camera_rig::CameraRig;
use crate::client::picture::finale::{self, Finale};
use crate::client::picture::ground;
use crate::client::settings::Settings;
use crate::client::window::clock::{due_steps, step_clock};
use crate::client::window::frame_times::FrameTimes;
use crate::client::window::screenshot;
use crate::client::window::tempo::{self, Tempo};
use crate::client::{ClientError, Game, NetworkRole, PlayOptions, WatchOptions, hud};
use bounty_hunter_simulation::input::{Command, Inputs};
use bounty_hunter_simulation::keymap::Key;
use bounty_hunter_simulation::simulation::view::{GameState, PlayerView, View};

/// Limit of steps to end the match after the window was closed.
const STEPS_TO_CLOSE: u32 = 30;

/// Frames after a switch of full screen in which losing the focus does not pause the match.
const FRAMES_TO_SWITCH_SCREEN: u32 = 30;

/// How long a menu is shown before a finger can choose: one that steers may come down just then.
const SECONDS_BEFORE_TOUCH: f32 = 0.4;

/// Speed of a rewind as a multiple of normal speed.
const REWIND_SPEED: u32 = 2;

/// A match in the window.
pub(crate) struct MatchScreen {
    game: Box<dyn Game>,
    options: PlayOptions,
    picture: Picture,
    clock: StepClock,
    queue: InputQueue,
    inputs: Inputs,
    /// Under a finger that steers.
    stick: Option<Stick>,
    hand: Hand,
    menu: Menu,
    /// How long it is shown.
    menu_seconds: f32,
    frame_times: FrameTimes,
    bindings: Bindings,
    tutorial: Option<Tutorial>,
    is_fullscreen: bool,
    /// The window is in the background, and silent.
    is_hidden: bool,
    rig: CameraRig,
    tempo: Tempo,
    finale: Finale,
    last_moments: LastMoments,
    film: HighlightFilm,
    own_best: Option<OwnBest>,
    frames_to_switch_screen: u32,
    steps_until_closed: Option<u32>,
    /// The choice of the menu that the window carries out before the next step.
    chosen: Option<MenuChoice>,
}

impl MatchScreen {
    pub(crate) fn new(game: Box<dyn Game>, options: PlayOptions, devices: &Devices) -> Self {
        let settings = &devices.file.settings;
        let picture = Picture::new(game.as_ref()).with_people(people(game.as_ref(), devices));
        Self {
            clock: step_clock(game.steps_per_second()),
            queue: InputQueue::default(),
            inputs: Inputs::none(),
            stick: None,
            hand: Hand::default(),
            menu_seconds: 0.0,
            menu: Menu::new(MenuOptions {
                network_role: game.network_role(),
                is_recorded: game.is_recorded(),
                can_film: game.is_recorded() && game.film_file().is_some(),
                can_restart: game.can_restart(),
                can_download: game.can_download(),
            }),
            frame_times: FrameTimes::new(),
            bindings: Bindings::new(settings.keymap.as_ref(), &options.keymap),
            tutorial: None,
            is_fullscreen: settings.is_fullscreen,
            is_hidden: false,
            rig: CameraRig::beginning_with(settings.camera),
            tempo: Tempo::default(),
            finale: Finale::default(),
            last_moments: LastMoments::new(game.steps_per_second()),
            film: HighlightFilm::default(),
            own_best: None,
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
            let hand = devices.reader.hand();
            let layout = devices.file.settings.layout(screen_width(), screen_height(), hand);
            let layout = layout.for_match(self.picture.view());
            for window_event in devices.reader.read_with_fingers() {
                self.take_input(*window_event, &layout);
            }
            self.hand = hand;
            self.stick = self.stick.filter(|_| self.is_played());
            self.queue.push(self.stick.map(|stick| stick.push()));
            match self.chosen.take() {
                Some(MenuChoice::Settings) => self.show_settings(devices).await,
                Some(MenuChoice::Download) => self.game.download(),
                Some(MenuChoice::CopyResult) => {
                    self.game.result_line().iter().for_each(|line| clipboard_set(line));
                }
                Some(MenuChoice::WatchReplay) => self.show_replay(devices).await?,
                Some(MenuChoice::FilmHighlight) => {
                    self.film.begin(self.game.as_mut(), &layout, self.picture.people().clone());
                }
                Some(MenuChoice::FirstMatch) => return Ok(Leaving::ToFirstMatch),
                _ => {}
            }
            self.frames_to_switch_screen = self.frames_to_switch_screen.saturating_sub(1);
            let frame_seconds = f64::from(get_frame_time());
            let (steps, alpha) = match frames_left {
                Some(_) => (1, 1.0),
                None => {
                    let seconds = match self.game.network_role() {
                        NetworkRole::Alone => self.tempo.seconds(self.picture.view(), frame_seconds),
                        NetworkRole::Host | NetworkRole::Guest => frame_seconds,
                    };
                    (due_steps(&mut self.clock, seconds), self.clock.overstep_fraction())
                }
            };
            let rig_seconds = match frames_left {
                Some(_) => 1.0 / self.game.steps_per_second() as f32,
                None => frame_seconds as f32,
            };
            if frames_left.is_some() {
                self.finale.end();
            } else if self.finale.follow(self.picture.view().state, frame_seconds as f32) {
                self.rig.follow_winner(finale::winner(self.picture.view()));
                self.last_moments.seconds().into_iter().for_each(|seconds| self.finale.take(seconds));
            }
            self.last_moments.advance(frame_seconds as f32);
            let shown = shown_view(&self.picture, &self.last_moments, &self.finale);
            self.rig.advance(shown, &layout, rig_seconds.min(0.1));
            let shows_menu = self.menu.is_open() && !self.finale.is_on(self.picture.view().state);
            self.menu_seconds = if shows_menu { self.menu_seconds + frame_seconds as f32 } else { 0.0 };
            let before = date::now();
            if self.is_rewinding() {
                self.go_back(steps);
                devices.sound.rest();
            } else if self.step(steps, devices) == GameState::Terminated {
                return Ok(if self.steps_until_closed.is_some() { Leaving::Closed } else { Leaving::Back });
            }
            self.own_best = self.own_best.take().and_then(|best| best.accompany(&mut self.picture, alpha));
            let before_drawing = date::now();
            self.frame_times.record(frame_seconds, before_drawing - before);
            devices.light.note_frame(if frames_left.is_some() { 0.0 } else { frame_seconds as f32 });
            if self.picture.view().state == GameState::GameOver {
                self.film.work(frame_seconds);
            } else {
                self.film = HighlightFilm::default();
            }
            self.draw(&layout, &mut devices.light, alpha);
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
        self.release_all();
        let was_fullscreen = devices.file.settings.is_fullscreen;
        if settings_screen::run(devices, &self.options.keymap).await == Leaving::Closed {
            self.close();
        }
        let settings = &devices.file.settings;
        if settings.is_fullscreen != was_fullscreen {
            self.is_fullscreen = settings.is_fullscreen;
        }
        self.bindings = Bindings::new(settings.keymap.as_ref(), &self.options.keymap);
        self.picture.set_people(people(self.game.as_ref(), devices));
        self.clock = step_clock(self.game.steps_per_second());
    }

    /// Shows the replay of a finished match in place of its result.
    async fn show_replay(&mut self, devices: &mut Devices) -> Result<(), ClientError> {
        self.release_all();
        let Some(playback) = self.game.replay() else { return Ok(()) };
        let playback = playback.map_err(ClientError::Match)?;
        let screen = ReplayScreen::new(playback, WatchOptions { frames: None, screenshot: None })?;
        let screen = screen.with_people(self.picture.people().clone());
        if screen.run(devices).await? == Leaving::Closed {
            self.close();
        }
        self.clock = step_clock(self.game.steps_per_second());
        Ok(())
    }

    fn take_input(&mut self, window_event: WindowEvent, layout: &Layout) {
        match window_event {
            WindowEvent::KeyDown(key) if self.menu.is_open() && self.press_in_menu(key) => {}
            WindowEvent::KeyDown(key) => {
                if let Some(action) = self.bindings.action(key) {
                    self.press(Switch::Key(key), action);
                }
            }
            WindowEvent::KeyRepeated(_) | WindowEvent::Typed(_) | WindowEvent::Paste | WindowEvent::Resized(..) => {}
            WindowEvent::KeyUp(key) => self.queue.release(Switch::Key(key)),
            WindowEvent::PadDown(person, button) => self.press_pad(person, button),
            WindowEvent::PadUp(person, button) => self.queue.release(Switch::Pad(person, button)),
            WindowEvent::FingerDown(finger, place) => self.touch(finger, place, layout),
            WindowEvent::FingerMoved(finger, place) => match &mut self.stick {
                Some(stick) if stick.is_of(finger) => stick.follow(place),
                Some(_) => {}
                None => self.take_input(window_event.of_pointer(), layout),
            },
            WindowEvent::FingerUp(finger) => {
                self.stick = self.stick.filter(|stick| !stick.is_of(finger));
                self.queue.release(Switch::Finger(finger));
                self.rig.release();
            }
            WindowEvent::PointerMoved(..) => {
                self.point(layout);
                self.rig.drag(mouse_position().into(), layout, self.picture.view());
            }
            WindowEvent::ButtonDown(MouseButton::Left) if self.finale.is_on(self.picture.view().state) => {
                self.finale.end();
            }
            WindowEvent::ButtonDown(MouseButton::Left) if self.point(layout) => self.choose(self.menu.chosen()),
            WindowEvent::ButtonDown(MouseButton::Left) => {
                let (view, pointer) = (self.picture.view(), mouse_position().into());
                self.game.mark(self.rig.camera(layout, view).place(pointer));
                minimap::take_press(&mut self.rig, layout, view, pointer);
            }
            WindowEvent::ButtonDown(MouseButton::Right) => {}
            WindowEvent::ButtonUp(_) => self.rig.release(),
            WindowEvent::Wheel(notches) => {
                self.rig.zoom(notches, mouse_position().into(), layout, self.picture.view());
            }
            WindowEvent::Hidden => {
                self.release_all();
                // A demonstration is the same each time, and a match over a network goes on in the other windows.
                let is_own = self.options.frames.is_none() && self.game.network_role() == NetworkRole::Alone;
                if is_own && self.frames_to_switch_screen == 0 {
                    self.is_hidden = true;
                    self.queue.command(Command::Pause);
                }
            }
            WindowEvent::Shown => {
                self.clock = step_clock(self.game.steps_per_second());
                self.is_hidden = false;
            }
            WindowEvent::CloseRequested => self.close(),
        }
    }

    /// A finger presses a button, takes the stick, or is a pointer: in a menu, and where no person plays.
    fn touch(&mut self, finger: u64, place: Vec2, layout: &Layout) {
        if !self.is_played() {
            let chooses = self.menu_seconds >= SECONDS_BEFORE_TOUCH || !self.menu.is_open();
            if chooses || self.finale.is_on(self.picture.view().state) {
                self.take_input(WindowEvent::FingerDown(finger, place).of_pointer(), layout);
            }
            return;
        }
        let view = self.picture.view();
        match touch_buttons::action_at(&touch_buttons::buttons(layout, view, self.can_rewind()), place) {
            Some(action) => self.press(Switch::Finger(finger), action),
            None if touch_buttons::has_first_person(view) => {
                self.stick.get_or_insert_with(|| Stick::new(finger, place));
            }
            None => self.take_input(WindowEvent::FingerDown(finger, place).of_pointer(), layout),
        }
    }

    /// Whether no menu and no end is over the match.
    fn is_played(&self) -> bool {
        !self.menu.is_open() && !self.finale.is_on(self.picture.view().state)
    }

    fn can_rewind(&self) -> bool {
        self.game.steps_back().is_some()
    }

    /// Releases all keys, buttons and fingers.
    fn release_all(&mut self) {
        self.queue.release_all();
        self.stick = None;
    }

    /// Ends the match, which has some steps to do so.
    fn close(&mut self) {
        self.queue.command(Command::Close);
        self.steps_until_closed.get_or_insert(STEPS_TO_CLOSE);
    }

    /// A pad drives, and chooses in an open menu.
    fn press_pad(&mut self, person: usize, button: PadButton) {
        let action = button.action(person);
        if self.menu.is_open() && action != Action::Pause {
            button.menu_key().into_iter().for_each(|key| _ = self.press_in_menu(key));
            return;
        }
        self.press(Switch::Pad(person, button), action);
    }

    /// Leaves to the match what concerns it, and does what concerns the window itself.
    fn press(&mut self, switch: Switch, action: Action) {
        let state = if self.game.has_ended() { GameState::GameOver } else { self.picture.view().state };
        if !self.queue.press(switch, action, state) {
            return;
        }
        match action {
            Action::Camera => {
                self.rig.next_aim(self.picture.view());
                tracing::info!(target: "bounty_hunter::client", aim = ?self.rig.aim(), "camera");
            }
            Action::Inspector => self.game.open_inspector(),
            Action::FrameTimes => self.frame_times.is_shown = !self.frame_times.is_shown,
            Action::DebugDraw => self.picture.toggle_debug_draw(),
            Action::Fullscreen => {
                self.is_fullscreen = !self.is_fullscreen;
                self.frames_to_switch_screen = FRAMES_TO_SWITCH_SCREEN;
                set_fullscreen(self.is_fullscreen);
            }
            Action::QuickSave => self.game.save(),
            Action::QuickLoad if self.game.load() => {
                self.picture.begin_again(self.game.as_ref());
                // It belongs to another match.
                self.own_best = None;
                self.clock = step_clock(self.game.steps_per_second());
                self.menu.follow(self.picture.view().state);
            }
            _ => {}
        }
    }

    /// Plays the best recorded match of the own beside this one, if it is wanted and there is one. Demonstrations are
    /// the same each time.
    fn look_for_own_best(&mut self, settings: &Settings) {
        let is_wanted = settings.has_own_best && self.tutorial.is_none() && self.options.frames.is_none();
        self.picture.set_shade(None);
        let playback = if is_wanted { self.game.own_best() } else { None };
        self.own_best = playback.and_then(|playback| OwnBest::new(playback).ok().flatten());
    }

    fn is_rewinding(&self) -> bool {
        self.queue.holds(Action::Rewind) && !self.queue.is_closing() && self.game.steps_back().is_some()
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

    /// Carries out a choice of the menu: commands the match, or leaves it to the window.
    fn choose(&mut self, choice: Option<MenuChoice>) {
        match choice.and_then(MenuChoice::command) {
            Some(command) => self.queue.command(command),
            None => self.chosen = choice,
        }
    }

    /// Rewinds the match. Keys pressed meanwhile do not reach it.
    fn go_back(&mut self, steps: u32) {
        self.queue.forget_presses();
        if steps > 0 && self.game.go_back(steps * REWIND_SPEED) {
            self.picture.go_back(self.game.as_ref());
            self.menu.follow(self.picture.view().state);
        }
    }

    fn step(&mut self, steps: u32, devices: &mut Devices) -> GameState {
        let mut state = self.picture.view().state;
        for _ in 0..steps {
            self.queue.take_into(&mut self.inputs, self.picture.view());
            state = self.game.step(&self.inputs).state;
            if self.game.take_jump() {
                self.picture.begin_again(self.game.as_ref());
            } else {
                self.picture.advance(self.game.as_ref());
            }
            self.last_moments.follow(self.picture.view());
            if state == GameState::Restarted {
                self.look_for_own_best(&devices.file.settings);
            }
            let (previous, current) = self.picture.views();
            if self.is_hidden {
                devices.sound.rest()
            } else {
                devices.sound.hear(previous, current, self.rig.ear(current))
            }
            if has_person_crashed(previous, current) {
                self.tempo.stop();
                if devices.file.settings.has_screen_shake {
                    self.rig.shake();
                }
            }
            if let Some(tutorial) = &mut self.tutorial {
                let step_seconds = 1.0 / self.game.steps_per_second() as f32;
                tutorial.follow(previous, current, step_seconds, self.bindings.own());
                if (tutorial.is_over() || state == GameState::GameOver) && self.menu.offer_first_match() {
                    tracing::info!(target: "bounty_hunter::client", "learned");
                    self.queue.command(Command::Pause);
                }
            }
            self.log_people();
            self.steps_until_closed = self.steps_until_closed.map(|left| left.saturating_sub(1));
            if state == GameState::Terminated || self.steps_until_closed == Some(0) {
                return GameState::Terminated;
            }
        }
        self.menu.follow(state);
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

    fn draw(&mut self, layout: &Layout, light: &mut Light, alpha: f32) {
        clear_background(theme::BACKGROUND);
        let camera = self.rig.camera(layout, shown_view(&self.picture, &self.last_moments, &self.finale));
        let is_finale = self.finale.is_on(self.picture.view().state);
        let (picture, alpha) = match self.last_moments.picture().filter(|_| is_finale) {
            Some(again) => again,
            None => (&mut self.picture, alpha),
        };
        picture.draw(&camera, light, alpha);
        picture.draw_names(&camera, layout.scale);
        picture.draw_pointers(layout, &camera);
        if let Some((place, half_extent_m)) = self.game.marked() {
            ground::draw_mark_of_inspector(&camera, place, half_extent_m);
        }
        let view = self.picture.view();
        minimap::draw(layout, &self.rig, view);
        hud::draw_countdown(layout, view);
        let score = if self.tutorial.is_some() { Score::None } else { self.rig.score(view, layout) };
        let controls = Controls { hand: self.hand, keymap: self.bindings.own() };
        hud::draw_score(layout, view, score, Some(controls), self.can_rewind());
        if let Some(announcement) = self.picture.announcement() {
            hud::draw_announcement(layout, announcement);
        }
        let own = view.players.iter().find(|player| player.is_here()).map(|player| player.stashed);
        let best = self.own_best.as_ref().and_then(|best| best.stashed(view));
        if let Some((best, own)) = best.zip(own).filter(|_| view.state == GameState::Running) {
            hud::draw_own_best(layout, best, own);
        }
        if let Some(tutorial) = &self.tutorial {
            let (lesson, sentence) = tutorial.sentence(controls);
            hud::draw_lesson(layout, lesson, Tutorial::LESSONS, &sentence);
        }
        if let (true, Some(steps)) = (self.is_rewinding(), self.game.steps_back()) {
            hud::draw_rewind(layout, steps as f32 / self.game.steps_per_second() as f32);
        }
        let hurries = self.game.network_role() == NetworkRole::Alone && tempo::hurries(view);
        hud::draw_absences(layout, view, self.picture.courses(), hurries);
        if is_finale {
            self.finale.draw(layout, &camera, view, shown_view(&self.picture, &self.last_moments, &self.finale));
        } else {
            menu_screen::draw(layout, view, self.picture.courses(), &self.menu, controls);
        }
        if self.is_played() {
            touch_buttons::draw(&touch_buttons::buttons(layout, view, self.can_rewind()));
            touch_buttons::draw_stick(layout, view, self.stick.as_ref());
        }
        let of_game = || self.game.notice().map(|notice| (notice.in_the_language(), notice.is_success()));
        if let Some((sentence, is_success)) = self.film.sentence().or_else(of_game) {
            let has_minimap = self.rig.shows_part(view, layout) && !self.menu.is_open();
            let color = if is_success { theme::SUCCESS } else { theme::ALARM };
            hud::draw_notice(layout, &sentence, color, has_minimap);
        }
        self.frame_times.draw(|| self.game.line_report(), layout.scale);
    }
}

/// What of a match is in the picture: during the finale its last moments once more.
fn shown_view<'a>(picture: &'a Picture, last_moments: &'a LastMoments, finale: &Finale) -> &'a View {
    let now = picture.view();
    last_moments.view().filter(|_| finale.is_on(now.state)).unwrap_or(now)
}

/// The people at this window. Over a network they have the names that they have told the others.
fn people(game: &dyn Game, devices: &Devices) -> People {
    match game.network_role() {
        NetworkRole::Alone => devices.people(),
        NetworkRole::Host | NetworkRole::Guest => devices.people().without_names(),
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
