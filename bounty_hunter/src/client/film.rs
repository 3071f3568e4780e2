//! Films: moving pictures of the highlight of a replay, as GIF files. A film is made while the window shows something
//! else: a part in each frame, and the file in a thread of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::thread;

use gif::{Encoder, Frame, Repeat};
use macroquad::camera::{Camera2D, set_camera, set_default_camera};
use macroquad::math::Rect;
use macroquad::miniquad::date;
use macroquad::texture::{FilterMode, RenderTarget, render_target};
use macroquad::window::{clear_background, next_frame, screen_height, screen_width};

use crate::client::ClientError;
use crate::client::devices::Devices;
use crate::client::drawing::layout::Layout;
use crate::client::drawing::light::Light;
use crate::client::drawing::theme;
use crate::client::hud::{self, Score};
use crate::client::input::hand::Hand;
use crate::client::people::People;
use crate::client::picture::Picture;
use crate::client::picture::camera_rig::CameraRig;
use crate::client::translation::tr_with;
use bounty_hunter_simulation::highlight::{Highlight, Search};
use bounty_hunter_simulation::replay::{Playback, Seeker};
use bounty_hunter_simulation::whole_file;

/// Pictures a second.
const PICTURES_PER_SECOND: u32 = 12;
/// The most bytes of a file, which messengers and forums take.
const MAX_BYTES: usize = 3_000_000;
/// The widths to try, the largest first, pixels.
const WIDTHS: [usize; 4] = [640, 480, 400, 320];
/// The colours of a film. A pixel with the index behind them is as in the picture before.
const COLORS: usize = 255;
/// Of so many pixels one is looked at for the colours.
const SAMPLED: usize = 499;
/// Steps of the camera before the first picture, in which it finds its player.
const SETTLING_STEPS: u32 = 60;
/// Pictures that wait for the thread that makes them smaller.
const WAITING_SHOTS: usize = 2;
/// Steps of a seek between two looks at the time.
const SOUGHT_STEPS: u64 = 20;
/// The shares of the work: looking for the highlight, and drawing it.
const FINDING_SHARE: f32 = 0.5;
const SHOOTING_SHARE: f32 = 0.4;

/// A picture of three bytes a pixel.
struct Shot {
    width: usize,
    height: usize,
    rgb: Vec<u8>,
}

/// A film of the highlight of a replay, which becomes a GIF file that repeats: 12 pictures a second, 640 pixels wide or
/// less, 3 MB at most.
pub(crate) struct Filming {
    file: PathBuf,
    /// The film has the size and the colours of the window in which it was begun.
    layout: Layout,
    people: People,
    stage: Stage,
}

enum Stage {
    Finding(Box<Search>),
    Seeking(Box<(Seeker, Highlight)>),
    Shooting(Box<Shooting>),
    Writing(Receiver<Result<(), ClientError>>),
    /// The outcome has been told.
    Done,
}

/// The drawing of the pictures.
struct Shooting {
    seeker: Seeker,
    /// The last step, and whether a picture of the present one is due.
    to: u64,
    is_due: bool,
    picture: Picture,
    rig: CameraRig,
    light: Light,
    target: RenderTarget,
    /// To the thread that writes the file; `None` is the end of the film. And what waits until the thread takes it.
    shots: SyncSender<Option<Pixels>>,
    order: Option<Option<Pixels>>,
    written: Receiver<Result<(), ClientError>>,
}

/// The pixels of a picture and its size.
type Pixels = (Vec<u8>, (usize, usize));

/// The progress of a film in one frame.
enum Progress {
    /// More can be done in this frame.
    More(Stage),
    /// The next frame goes on.
    Enough(Stage),
    Ended,
}

impl Filming {
    /// A film of the highlight of a match.
    ///
    /// # Errors
    /// - [`ClientError::Match`] if seeking in the replay fails.
    pub(crate) fn of(playback: Playback, file: &Path, layout: Layout, people: People) -> Result<Self, ClientError> {
        let search = Search::new(playback).map_err(of_match)?;
        Ok(Self { file: file.to_owned(), layout, people, stage: Stage::Finding(Box::new(search)) })
    }

    /// Works for about so many seconds. Returns the outcome, once: the file, or why there is none.
    pub(crate) fn work(&mut self, seconds: f64) -> Option<Result<PathBuf, ClientError>> {
        let begun = date::now();
        loop {
            match self.go_on() {
                Ok(Progress::More(stage)) => self.stage = stage,
                Ok(Progress::Enough(stage)) => {
                    self.stage = stage;
                    return None;
                }
                Ok(Progress::Ended) => return Some(Ok(self.file.clone())),
                Err(error) => return Some(Err(error)),
            }
            if date::now() - begun > seconds {
                return None;
            }
        }
    }

    /// How much of the film is made, 0 to 1.
    pub(crate) fn progress(&self) -> f32 {
        match &self.stage {
            Stage::Finding(search) => FINDING_SHARE * search.progress(),
            Stage::Seeking(_) => FINDING_SHARE,
            Stage::Shooting(shooting) => FINDING_SHARE + SHOOTING_SHARE * shooting.progress(),
            Stage::Writing(_) => FINDING_SHARE + SHOOTING_SHARE,
            Stage::Done => 1.0,
        }
    }

    fn go_on(&mut self) -> Result<Progress, ClientError> {
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Finding(mut search) => {
                if search.step().map_err(of_match)? {
                    return Ok(Progress::More(Stage::Finding(search)));
                }
                let (highlight, seeker) = search.end();
                let highlight = highlight.ok_or_else(|| ClientError::Match("nothing happens in this match".into()))?;
                Ok(Progress::More(Stage::Seeking(Box::new((seeker, highlight)))))
            }
            Stage::Seeking(mut found) => {
                let (seeker, highlight) = &mut *found;
                seeker.seek(highlight.from, SOUGHT_STEPS).map_err(of_match)?;
                if seeker.playback().simulation().tick() != highlight.from {
                    return Ok(Progress::More(Stage::Seeking(found)));
                }
                let (seeker, highlight) = *found;
                let shooting = Shooting::begin(seeker, highlight, &self.file, &self.layout, &self.people);
                Ok(Progress::Enough(Stage::Shooting(Box::new(shooting))))
            }
            Stage::Shooting(mut shooting) => Ok(match shooting.go_on(&self.layout)? {
                Outcome::Taken => Progress::More(Stage::Shooting(shooting)),
                Outcome::Waits => Progress::Enough(Stage::Shooting(shooting)),
                Outcome::WasLast => Progress::Enough(Stage::Writing(shooting.written)),
            }),
            Stage::Writing(written) => match written.try_recv() {
                Ok(outcome) => outcome.map(|()| Progress::Ended),
                Err(TryRecvError::Empty) => Ok(Progress::Enough(Stage::Writing(written))),
                Err(TryRecvError::Disconnected) => Err(ClientError::Match("the film was given up".into())),
            },
            Stage::Done => Ok(Progress::Enough(Stage::Done)),
        }
    }
}

/// What became of a picture.
enum Outcome {
    /// It was drawn, or a step to the next one was taken.
    Taken,
    /// The thread has not taken those before.
    Waits,
    WasLast,
}

impl Shooting {
    fn begin(seeker: Seeker, highlight: Highlight, file: &Path, layout: &Layout, people: &People) -> Self {
        let picture = Picture::new(seeker.playback()).with_people(people.clone());
        let mut rig = CameraRig::default();
        rig.follow(highlight.player);
        (0..SETTLING_STEPS).for_each(|_| rig.advance(picture.view(), layout, 1.0 / 60.0));
        let target = render_target(layout.world.w as u32, layout.world.h as u32);
        target.texture.set_filter(FilterMode::Linear);
        let (shots, taken) = sync_channel(WAITING_SHOTS);
        let (tell, written) = sync_channel(1);
        let file = file.to_owned();
        thread::spawn(move || {
            // A film that was given up has no receiver.
            let _ = tell.send(write(&taken, &file));
        });
        // Flat colours make small files.
        let light = Light::new(false);
        Self { seeker, to: highlight.to, is_due: true, picture, rig, light, target, shots, order: None, written }
    }

    fn progress(&self) -> f32 {
        let now = self.seeker.playback().simulation().tick();
        let left = self.to.saturating_sub(now) as f32 / self.seeker.playback().about().steps_per_second.max(1) as f32;
        1.0 - (left / bounty_hunter_simulation::highlight::SECONDS).clamp(0.0, 1.0)
    }

    /// Takes the picture that is due, or the steps to the next one.
    fn go_on(&mut self, layout: &Layout) -> Result<Outcome, ClientError> {
        if std::mem::take(&mut self.is_due) {
            self.order = Some(Some(self.draw(layout)));
        }
        if let Some(order) = self.order.take() {
            let is_last = order.is_none();
            return Ok(match self.shots.try_send(order) {
                Ok(()) if !is_last => Outcome::Taken,
                Err(TrySendError::Full(order)) => {
                    self.order = Some(order);
                    Outcome::Waits
                }
                // If the thread has ended too early, it says why in `written`.
                Ok(()) | Err(TrySendError::Disconnected(_)) => Outcome::WasLast,
            });
        }
        let steps_per_second = self.seeker.playback().about().steps_per_second.max(1);
        let pictures = |step: u64| step * u64::from(PICTURES_PER_SECOND) / u64::from(steps_per_second);
        let before = self.seeker.playback().simulation().tick();
        if before >= self.to || self.seeker.step().map_err(of_match)?.is_none() {
            self.order = Some(None);
            return Ok(Outcome::Taken);
        }
        self.picture.advance(self.seeker.playback());
        self.rig.advance(self.picture.view(), layout, 1.0 / steps_per_second as f32);
        self.is_due = pictures(before + 1) != pictures(before);
        Ok(Outcome::Taken)
    }

    /// Draws a picture beside the window.
    fn draw(&mut self, layout: &Layout) -> Pixels {
        let camera = Camera2D::from_display_rect(Rect::new(0.0, 0.0, layout.world.w, layout.world.h));
        set_camera(&Camera2D { render_target: Some(self.target.clone()), ..camera });
        clear_background(theme::BACKGROUND);
        let camera = self.rig.camera(layout, self.picture.view());
        self.picture.draw(&camera, &mut self.light, 1.0);
        self.picture.draw_names(&camera, layout.scale);
        hud::draw_score(layout, self.picture.view(), Score::Slim, None, false);
        if let Some(announcement) = self.picture.announcement() {
            hud::draw_announcement(layout, announcement);
        }
        set_default_camera();
        let image = self.target.texture.get_texture_data();
        (image.bytes, (usize::from(image.width), usize::from(image.height)))
    }
}

/// Makes pictures smaller until the last one, and writes the film.
fn write(taken: &Receiver<Option<Pixels>>, file: &Path) -> Result<(), ClientError> {
    let mut shots = Vec::new();
    while let Some((pixels, size)) = taken.recv().map_err(|_| ClientError::Match("the film was given up".into()))? {
        shots.push(shrunk(&pixels, size, WIDTHS[0].min(size.0)));
    }
    let bytes = encoded(&shots).ok_or_else(|| ClientError::Match("the film is too large".into()))?;
    let written = file.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| whole_file::write(file, &bytes));
    written.map_err(|error| ClientError::Film { path: file.to_owned(), reason: error.to_string() })
}

fn of_match(error: ecs::Error) -> ClientError {
    ClientError::Match(error.to_string())
}

/// Makes a film, and shows how far it is.
///
/// # Errors
/// - [`ClientError::Match`] if seeking fails, nothing happens in the match, or the film is too large at any size.
/// - [`ClientError::Film`] if the file cannot be written.
pub(super) async fn shoot(playback: Playback, devices: &Devices, file: &Path) -> Result<(), ClientError> {
    let layout = devices.file.settings.layout(screen_width(), screen_height(), Hand::default());
    let mut filming = Filming::of(playback, file, layout, People::default())?;
    loop {
        if let Some(outcome) = filming.work(0.1) {
            return outcome.map(drop);
        }
        clear_background(theme::BACKGROUND);
        hud::draw_notice(&layout, &progress_text(&filming), theme::TEXT, false);
        next_frame().await;
    }
}

/// How far a film is, for the viewer.
pub(crate) fn progress_text(filming: &Filming) -> String {
    tr_with("the highlight is filmed: {percent} %", &[("percent", &format_args!("{:.0}", 100.0 * filming.progress()))])
}

/// The bytes of a film in the largest size in which it has few enough.
fn encoded(shots: &[Shot]) -> Option<Vec<u8>> {
    let first = shots.first()?;
    let widths = WIDTHS.into_iter().filter(|width| *width <= first.width);
    widths.map(|width| gif(&shots.iter().map(|shot| narrowed(shot, width)).collect::<Vec<_>>())).find_map(|film| {
        let bytes = film.ok()?;
        (bytes.len() <= MAX_BYTES).then_some(bytes)
    })
}

/// A picture of four bytes a pixel, the last line first, as one of another width, the first line first.
fn shrunk(rgba: &[u8], (width, height): (usize, usize), to_width: usize) -> Shot {
    let rows = rgba.chunks(4 * width).take(height).rev();
    let rgb = rows.flat_map(|row| row.chunks(4).flat_map(|pixel| pixel[..3].to_vec())).collect();
    narrowed(&Shot { width, height, rgb }, to_width)
}

/// A picture of a smaller width: each pixel is the mean of those that it covers.
fn narrowed(shot: &Shot, width: usize) -> Shot {
    let height = (shot.height * width / shot.width).max(1);
    let mut rgb = Vec::with_capacity(3 * width * height);
    for y in 0..height {
        let rows = y * shot.height / height..((y + 1) * shot.height / height).max(y * shot.height / height + 1);
        for x in 0..width {
            let columns = x * shot.width / width..((x + 1) * shot.width / width).max(x * shot.width / width + 1);
            let count = (rows.len() * columns.len()) as u32;
            let mut sum = [0_u32; 3];
            for row in rows.clone() {
                for column in columns.clone() {
                    let pixel = &shot.rgb[3 * (row * shot.width + column)..][..3];
                    sum.iter_mut().zip(pixel).for_each(|(sum, channel)| *sum += u32::from(*channel));
                }
            }
            rgb.extend(sum.map(|sum| (sum / count) as u8));
        }
    }
    Shot { width, height, rgb }
}

/// A film of pictures of one size, with one palette, in which pixels that stay are left out.
fn gif(shots: &[Shot]) -> Result<Vec<u8>, gif::EncodingError> {
    let (width, height) = (shots[0].width as u16, shots[0].height as u16);
    let pixels = || shots.iter().flat_map(|shot| shot.rgb.chunks_exact(3));
    let sampled: Vec<u8> = pixels().step_by(SAMPLED).flat_map(|rgb| [rgb[0], rgb[1], rgb[2], u8::MAX]).collect();
    let colors = color_quant::NeuQuant::new(10, COLORS, &sampled);
    let mut palette = colors.color_map_rgb();
    let unchanged = (palette.len() / 3) as u8;
    palette.extend([0; 3]);
    let mut known = std::collections::HashMap::new();
    let mut index_of = |rgb: &[u8]| {
        let rgb = [rgb[0], rgb[1], rgb[2]];
        *known.entry(rgb).or_insert_with(|| colors.index_of(&[rgb[0], rgb[1], rgb[2], u8::MAX]) as u8)
    };
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height, &palette)?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut before: Vec<u8> = Vec::new();
    for shot in shots {
        let now: Vec<u8> = shot.rgb.chunks_exact(3).map(&mut index_of).collect();
        let changed = |(index, color): (usize, &u8)| if before.get(index) == Some(color) { unchanged } else { *color };
        let buffer: Vec<u8> = now.iter().enumerate().map(changed).collect();
        let delay = (100 / PICTURES_PER_SECOND) as u16;
        let frame =
            Frame { width, height, delay, transparent: Some(unchanged), buffer: buffer.into(), ..Frame::default() };
        encoder.write_frame(&frame)?;
        before = now;
    }
    drop(encoder);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The colour at a place, in shares of the picture.
    fn pixel(shot: &Shot, x: f32, y: f32) -> [u8; 3] {
        let (x, y) = ((x * shot.width as f32) as usize, (y * shot.height as f32) as usize);
        let at = 3 * (y * shot.width + x);
        [shot.rgb[at], shot.rgb[at + 1], shot.rgb[at + 2]]
    }

    /// A window, the last line first, whose left half is red above, blue below, and whose right half is black.
    fn window() -> Vec<u8> {
        let color = |x: usize, y: usize| match (x < 64, y < 36) {
            (true, true) => [0, 0, 200, 9],
            (true, false) => [200, 0, 0, 9],
            (false, _) => [0, 0, 0, 9],
        };
        (0..72).flat_map(|y| (0..128).flat_map(move |x| color(x, y))).collect()
    }

    #[test]
    fn picture_is_made_smaller_with_its_first_line_above() {
        let shot = shrunk(&window(), (128, 72), 48);
        assert_eq!((shot.width, shot.height, shot.rgb.len()), (48, 27, 3 * 48 * 27));
        assert_eq!(pixel(&shot, 0.1, 0.1), [200, 0, 0]);
        assert_eq!(pixel(&shot, 0.1, 0.9), [0, 0, 200]);
        assert_eq!(pixel(&shot, 0.9, 0.5), [0, 0, 0]);
    }

    #[test]
    fn film_can_be_read_back_and_pixels_that_stay_cost_little() {
        let still = || shrunk(&window(), (128, 72), 128);
        let mut moved = still();
        moved.rgb[..300].fill(90);
        let film = gif(&[still(), still(), moved]).expect("it is encoded");
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(&film[..]).expect("it is a film");
        assert_eq!((decoder.width(), decoder.height()), (128, 72));
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().expect("each picture is whole") {
            frames.push((frame.buffer.to_vec(), frame.transparent, frame.delay));
        }
        assert_eq!(frames.len(), 3);
        let (second, transparent, delay) = &frames[1];
        assert!(second.iter().all(|index| Some(*index) == *transparent) && *delay == 8);
        assert!(frames[2].0[..100].iter().all(|index| Some(*index) != frames[2].1), "what moved is drawn");
        assert!(encoded(&[still()]).is_none_or(|bytes| bytes.len() <= MAX_BYTES));
    }
}
