//! The replay screen: the match, and below it the time line with the keys.

use macroquad::input::mouse_position;
use macroquad::math::{Rect, Vec2};
use macroquad::miniquad::date;
use macroquad::shapes::draw_rectangle;
use macroquad::time::get_frame_time;
use macroquad::window::{clear_background, next_frame, screen_height, screen_width};

use super::replay_player::{Opening, ReplayPlayer};
use crate::client::devices::Devices;
use crate::client::drawing::gauges::{draw_bar, share};
use crate::client::drawing::layout::Layout;
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme;
use crate::client::hud::{minimap, touch_buttons};
use crate::client::input::hand::Hand;
use crate::client::input::keys;
use crate::client::input::keys::MouseButton;
use crate::client::input::reader::WindowEvent;
use crate::client::people::People;
use crate::client::picture::Picture;
use crate::client::picture::camera_rig::CameraRig;
use crate::client::settings::Settings;
use crate::client::sound::Sound;
use crate::client::translation::{tr, tr_with};
use crate::client::window::screenshot;
use crate::client::{ClientError, Game, WatchOptions, hud};
use bounty_hunter_simulation::input::Inputs;
use bounty_hunter_simulation::keymap::Key;
use bounty_hunter_simulation::replay::{Playback, Seeker};
use bounty_hunter_simulation::simulation::StepReport;
use bounty_hunter_simulation::simulation::view::View;

/// Limit of steps that are shown one by one; longer distances are seeks.
const MAX_STEPS_SHOWN: u64 = 400;
/// Limit for the steps of one frame, so the window stays responsive. A longer seek continues in the next frame.
const MAX_SECONDS_PER_FRAME: f64 = 0.02;
/// Height of the strip with the time line, as a share of the window.
const STRIP_SHARE: f32 = 0.07;
/// Heights for fingers, pixels: the strip, and the buttons in it.
const TOUCH_STRIP_PX: f32 = 112.0;
const TOUCH_BUTTON_PX: f32 = 50.0;
/// What the buttons in the strip do, as keys.
const TOUCH_KEYS: [TouchKey; 5] = [
    TouchKey::Press(Key::Escape),
    TouchKey::Press(Key::Space),
    TouchKey::Press(Key::Down),
    TouchKey::Press(Key::Up),
    TouchKey::Camera,
];

/// A button in the strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TouchKey {
    Press(Key),
    Camera,
}

/// The way to leave a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaving {
    /// Back to the previous screen.
    Back,
    /// From the tutorial to a match.
    ToFirstMatch,
    /// The window was closed.
    Closed,
}

/// A replay in the window.
pub(crate) struct ReplayScreen {
    seeker: Seeker,
    options: WatchOptions,
    picture: Picture,
    player: ReplayPlayer,
    /// Until the start is found; a demonstration shows the whole match.
    opening: Option<Opening>,
    is_scrubbing: bool,
    rig: CameraRig,
    camera_keys: Vec<Key>,
    /// Target of a seek that takes several frames.
    seek: Option<u64>,
    /// Estimated number of seek steps per frame.
    steps_per_frame: u64,
    /// Where the viewer wants to go, from where.
    sought: Option<(u64, u64)>,
    hand: Hand,
}

impl ReplayScreen {
    /// A replay before its first step.
    ///
    /// # Errors
    /// - [`ClientError::Match`] if seeking fails.
    pub(crate) fn new(playback: Playback, options: WatchOptions) -> Result<Self, ClientError> {
        let seeker = Seeker::new(playback).map_err(failed)?;
        let about = seeker.playback().about();
        let player = ReplayPlayer::new(about.begin, about.steps, about.steps_per_second);
        let picture = Picture::new(seeker.playback());
        let opening = options.frames.is_none().then(Opening::default);
        Ok(Self {
            opening,
            seeker,
            options,
            picture,
            player,
            is_scrubbing: false,
            rig: CameraRig::default(),
            camera_keys: Vec::new(),
            seek: None,
            steps_per_frame: 30,
            sought: None,
            hand: Hand::default(),
        })
    }

    /// The same screen with names and looks for the people of a match that was played here.
    pub(crate) fn with_people(self, people: People) -> Self {
        Self { picture: self.picture.with_people(people), ..self }
    }

    /// Shows the replay until the viewer leaves, or to the last frame of a demonstration.
    ///
    /// # Errors
    /// - [`ClientError::Screenshot`] if the picture cannot be written.
    /// - [`ClientError::Match`] if seeking fails.
    pub(crate) async fn run(mut self, devices: &mut Devices) -> Result<Leaving, ClientError> {
        let mut frames_left = self.options.frames;
        self.camera_keys = devices.camera_keys();
        tracing::info!(target: "bounty_hunter::client", steps = self.player.steps(), "replay");
        let mut was_running = self.player.is_running();
        loop {
            let window = Vec2::new(screen_width(), screen_height());
            self.hand = devices.reader.hand();
            for window_event in devices.reader.read() {
                if let Some(leaving) = self.take_input(*window_event, window, &devices.file.settings) {
                    return Ok(leaving);
                }
            }
            let frame_seconds = match frames_left {
                Some(_) => 1.0 / f64::from(self.seeker.playback().about().steps_per_second) + 1e-9,
                None => f64::from(get_frame_time()),
            };
            let layout = layout(window, &devices.file.settings, self.hand);
            self.rig.advance(self.picture.view(), &layout, frame_seconds.min(0.1) as f32);
            let before = self.now();
            let wanted = self.player.advance(before, frame_seconds);
            if self.opening.is_some() && before >= self.player.begin() {
                self.look_for_start()?;
            } else {
                self.go_towards(wanted, &mut devices.sound)?;
            }
            let (tick, speed, is_running) = (self.now(), self.player.speed(), self.player.is_running());
            if tick != before || is_running != was_running {
                tracing::debug!(target: "bounty_hunter::client", tick, speed, is_running, "replayed");
            }
            was_running = is_running;
            if let Some((from, to)) = self.sought.filter(|(_, to)| tick == *to) {
                tracing::debug!(target: "bounty_hunter::client", from, to, "sought");
                self.sought = None;
            }
            if !is_running {
                devices.sound.rest();
            }
            self.draw(&layout, window, devices);
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

    /// Takes steps until the start is found, as many as there is time for in a frame.
    fn look_for_start(&mut self) -> Result<(), ClientError> {
        let (Some(mut opening), about) = (self.opening, self.seeker.playback().about().clone()) else { return Ok(()) };
        let (before, mut view) = (date::now(), View::empty());
        while date::now() - before < MAX_SECONDS_PER_FRAME {
            let is_over = self.seeker.step().map_err(failed)?.is_none();
            self.seeker.playback().view_into(&mut view);
            let start = opening.follow(self.now(), &view, about.steps_per_second);
            if start.is_some() || is_over {
                tracing::info!(target: "bounty_hunter::client", start, "replay starts");
                self.player.start_at(start.unwrap_or(about.begin));
                self.opening = None;
                return Ok(());
            }
        }
        self.opening = Some(opening);
        Ok(())
    }

    fn now(&self) -> u64 {
        self.seeker.playback().simulation().tick()
    }

    /// Returns the way to leave, if the viewer does.
    fn take_input(&mut self, window_event: WindowEvent, window: Vec2, settings: &Settings) -> Option<Leaving> {
        let layout = layout(window, settings, self.hand);
        let pointer: Vec2 = mouse_position().into();
        match window_event {
            WindowEvent::CloseRequested => return Some(Leaving::Closed),
            WindowEvent::KeyDown(Key::Escape) => return Some(Leaving::Back),
            WindowEvent::KeyDown(key) if self.camera_keys.contains(&key) && !ReplayPlayer::takes(key) => {
                self.rig.next_aim(self.picture.view())
            }
            WindowEvent::KeyDown(key) => {
                // After a key, the start stays where the person has put it.
                self.opening = None;
                self.press(key);
            }
            WindowEvent::KeyRepeated(key @ (Key::Left | Key::Right)) => self.press(key),
            WindowEvent::ButtonDown(MouseButton::Left) if touch_key_at(window, self.hand, pointer).is_some() => {
                match touch_key_at(window, self.hand, pointer)? {
                    TouchKey::Press(key) => return self.take_input(WindowEvent::KeyDown(key), window, settings),
                    TouchKey::Camera => self.rig.next_aim(self.picture.view()),
                }
            }
            WindowEvent::ButtonDown(MouseButton::Left) => {
                self.is_scrubbing = strip(window, self.hand).contains(pointer);
                self.scrub(pointer.x, window);
                minimap::take_press(&mut self.rig, &layout, self.picture.view(), pointer);
            }
            WindowEvent::PointerMoved(..) => {
                self.scrub(pointer.x, window);
                self.rig.drag(pointer, &layout, self.picture.view());
            }
            WindowEvent::ButtonUp(MouseButton::Left) => {
                self.is_scrubbing = false;
                self.rig.release();
            }
            WindowEvent::Wheel(notches) => self.rig.zoom(notches, pointer, &layout, self.picture.view()),
            _ => {}
        }
        None
    }

    fn press(&mut self, key: Key) {
        let now = self.now();
        let from = self.player.target().unwrap_or(now);
        self.player.press(key, now);
        if let Some(to) = self.player.target() {
            self.sought = Some((self.sought.map_or(from, |(from, _)| from), to));
        }
    }

    fn scrub(&mut self, x: f32, window: Vec2) {
        if self.is_scrubbing {
            self.opening = None;
            let line = time_line(window, self.hand);
            self.player.point((x - line.x) / line.w);
        }
    }

    /// Goes to a step, or a part of the way if it is far.
    fn go_towards(&mut self, wanted: u64, sound: &mut Sound) -> Result<(), ClientError> {
        let (now, begin) = (self.now(), date::now());
        if wanted < now || wanted > now + MAX_STEPS_SHOWN || self.seek == Some(wanted) {
            let taken = self.seeker.seek(wanted, self.steps_per_frame).map_err(failed)?;
            self.steps_per_frame = steps_of_a_frame(taken, date::now() - begin).unwrap_or(self.steps_per_frame);
            self.seek = (self.now() != wanted).then_some(wanted);
            if self.seek.is_none() {
                self.picture.begin_again(self.seeker.playback());
            }
            sound.rest();
            return Ok(());
        }
        self.seek = None;
        for _ in now..wanted {
            if self.seeker.step().map_err(failed)?.is_none() {
                break;
            }
            self.picture.advance(self.seeker.playback());
            let (previous, current) = self.picture.views();
            sound.hear(previous, current, self.rig.ear(current));
            if date::now() - begin > MAX_SECONDS_PER_FRAME {
                break;
            }
        }
        Ok(())
    }

    fn draw(&mut self, layout: &Layout, window: Vec2, devices: &mut Devices) {
        clear_background(theme::BACKGROUND);
        let camera = self.rig.camera(layout, self.picture.view());
        self.picture.draw(&camera, &mut devices.light, self.player.alpha());
        self.picture.draw_names(&camera, layout.scale);
        self.picture.draw_pointers(layout, &camera);
        minimap::draw(layout, &self.rig, self.picture.view());
        hud::draw_countdown(layout, self.picture.view());
        let score = self.rig.score(self.picture.view(), layout);
        hud::draw_score(layout, self.picture.view(), score, None, false);
        if let Some(announcement) = self.picture.announcement() {
            hud::draw_announcement(layout, announcement);
        }
        self.draw_strip(window);
    }

    /// What is written on a button for fingers.
    fn name(&self, key: TouchKey) -> &'static str {
        match key {
            TouchKey::Press(Key::Escape) => tr("Back"),
            TouchKey::Press(Key::Space) if self.player.is_running() => tr("Pause"),
            TouchKey::Press(Key::Space) => tr("Play"),
            TouchKey::Press(Key::Down) => tr("Slower"),
            TouchKey::Press(_) => tr("Faster"),
            TouchKey::Camera => tr("Camera"),
        }
    }

    fn draw_strip(&self, window: Vec2) {
        let strip = strip(window, self.hand);
        let about = self.seeker.playback().about();
        draw_rectangle(strip.x, strip.y, strip.w, strip.h, theme::PANEL);
        let line = time_line(window, self.hand);
        // The match alone, without earlier ones of its session.
        let of_match = |step: u64| step.saturating_sub(about.begin);
        let (now, all) = (of_match(self.now()), of_match(self.player.steps()));
        draw_bar(line, share(now as f32, all as f32), theme::ACCENT);
        let seconds = |steps: u64| hud::clock_text(steps as f32 / about.steps_per_second as f32);
        let is_touched = self.hand == Hand::Touch;
        let height = if is_touched { 11.0 } else { strip.h * 0.22 };
        let y = if is_touched { line.bottom() + 14.0 } else { strip.y + strip.h * 0.70 };
        let state = match self.player.is_running() {
            true => format!("{}x", self.player.speed()),
            false => tr("Paused").to_owned(),
        };
        let (time, length) = (seconds(now), seconds(all));
        let place = tr_with(
            "{time} of {length} · step {step} of {steps} · {state}",
            &[("time", &time), ("length", &length), ("step", &now), ("steps", &all), ("state", &state)],
        );
        text::draw(&place, line.x, y, Style::new(text::shrunk(&place, height, line.w), theme::TEXT));
        if is_touched {
            for (index, key) in TOUCH_KEYS.into_iter().enumerate() {
                touch_buttons::draw_plain(touch_area(window, index), self.name(key));
            }
            return;
        }
        let room = line.w - text::width(&place, height) - 4.0 * height;
        let help = tr_with(
            "Space pause · ← → seek, or step while paused · ↑ ↓ speed · {camera} camera · Esc leave",
            &[("camera", &keys::first_label(&self.camera_keys))],
        );
        let keys = text::fitting(&help, height, room);
        text::draw(keys, line.right(), y, Style::new(height, theme::FAINT).align(Align::Right));
    }
}

/// The button for fingers at a point in pixels.
fn touch_key_at(window: Vec2, hand: Hand, point: Vec2) -> Option<TouchKey> {
    let mut keys = TOUCH_KEYS.into_iter().enumerate().filter(|_| hand == Hand::Touch);
    keys.find(|(index, _)| touch_area(window, *index).contains(point)).map(|(_, key)| key)
}

fn touch_area(window: Vec2, index: usize) -> Rect {
    let (strip, width) = (strip(window, Hand::Touch), window.x / TOUCH_KEYS.len() as f32);
    let top = strip.bottom() - TOUCH_BUTTON_PX - 4.0;
    Rect::new(index as f32 * width + 3.0, top, width - 6.0, TOUCH_BUTTON_PX)
}

/// The number of steps that fit into a frame, from a measurement; `None` if it says nothing.
fn steps_of_a_frame(steps: u64, seconds: f64) -> Option<u64> {
    let fitting = steps as f64 * MAX_SECONDS_PER_FRAME / seconds;
    (steps > 0 && seconds > 0.0).then(|| (fitting as u64).clamp(1, MAX_STEPS_SHOWN))
}

fn failed(error: ecs::Error) -> ClientError {
    ClientError::Match(error.to_string())
}

impl Game for Playback {
    /// Runs the next recorded step; the inputs are ignored.
    fn step(&mut self, _: &Inputs) -> StepReport {
        let at_end = StepReport { tick: self.simulation().tick(), state: self.simulation().state() };
        Self::step(self).unwrap_or(at_end)
    }

    fn view_into(&self, view: &mut View) {
        self.simulation().view_into(view);
    }

    fn steps_per_second(&self) -> u32 {
        self.about().steps_per_second
    }
}

/// The layout of the window above the time line.
fn layout(window: Vec2, settings: &Settings, hand: Hand) -> Layout {
    settings.layout(window.x, window.y - strip(window, hand).h, hand)
}

/// The area of the time line and the text below it.
fn strip(window: Vec2, hand: Hand) -> Rect {
    let height = if hand == Hand::Touch { TOUCH_STRIP_PX } else { (window.y * STRIP_SHARE).max(24.0) };
    Rect::new(0.0, window.y - height, window.x, height)
}

fn time_line(window: Vec2, hand: Hand) -> Rect {
    let strip = strip(window, hand);
    if hand == Hand::Touch {
        return Rect::new(strip.x + 12.0, strip.y + 8.0, strip.w - 24.0, 22.0);
    }
    Rect::new(strip.x + strip.w * 0.02, strip.y + strip.h * 0.2, strip.w * 0.96, strip.h * 0.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seek_takes_as_many_steps_in_a_frame_as_there_is_time_for() {
        // 30 steps of a crowd that take a quarter of a second, and of a small match that take 1 ms.
        assert_eq!((steps_of_a_frame(30, 0.25), steps_of_a_frame(30, 0.001)), (Some(2), Some(400)));
        assert_eq!(
            (steps_of_a_frame(1, 9.0), steps_of_a_frame(0, 0.1), steps_of_a_frame(5, 0.0)),
            (Some(1), None, None)
        );
    }

    #[test]
    fn time_line_lies_within_its_strip_in_windows_of_all_shapes() {
        for window in [Vec2::new(1280.0, 720.0), Vec2::new(300.0, 900.0), Vec2::new(200.0, 100.0)] {
            let (strip, line) = (strip(window, Hand::Keys), time_line(window, Hand::Keys));
            assert!(strip.bottom() <= window.y + 0.1 && strip.h < window.y / 2.0);
            assert!(strip.contains(line.point()) && line.right() < strip.right() && line.bottom() < strip.bottom());
        }
    }
    #[test]
    fn buttons_for_fingers_lie_beside_each_other_below_the_time_line() {
        for window in [Vec2::new(390.0, 844.0), Vec2::new(844.0, 390.0)] {
            let line = time_line(window, Hand::Touch);
            for (index, key) in TOUCH_KEYS.into_iter().enumerate() {
                let area = touch_area(window, index);
                assert_eq!(touch_key_at(window, Hand::Touch, area.center()), Some(key));
                assert_eq!(touch_key_at(window, Hand::Keys, area.center()), None);
                assert!(area.w >= 44.0 && area.h >= 44.0 && area.y > line.bottom() && area.bottom() <= window.y);
            }
            assert_eq!(touch_key_at(window, Hand::Touch, line.center()), None);
        }
    }
}
