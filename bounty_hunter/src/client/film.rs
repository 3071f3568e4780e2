//! Films: moving pictures of a part of a replay, as GIF files.

use std::path::Path;

use gif::{Encoder, Frame, Repeat};
use macroquad::texture::get_screen_data;
use macroquad::window::{clear_background, next_frame, screen_height, screen_width};

use crate::client::ClientError;
use crate::client::devices::Devices;
use crate::client::drawing::light::Light;
use crate::client::drawing::theme;
use crate::client::hud::{self, Score};
use crate::client::input::hand::Hand;
use crate::client::picture::Picture;
use crate::client::picture::camera_rig::CameraRig;
use bounty_hunter_simulation::highlight::Highlight;
use bounty_hunter_simulation::replay::Seeker;
use bounty_hunter_simulation::whole_file;

/// Pictures a second.
const PICTURES_PER_SECOND: u32 = 12;
/// The most bytes of a file, which messengers and forums take.
const MAX_BYTES: usize = 3_000_000;
/// The widths to try, the largest first, pixels.
const WIDTHS: [usize; 4] = [640, 480, 400, 320];
/// Colours of a film; one more stands for "as before".
const COLORS: usize = 255;
/// Of so many pixels one is looked at for the colours.
const SAMPLED: usize = 499;
/// Steps of the camera before the first picture, in which it finds its player.
const SETTLING_STEPS: u32 = 60;

/// A picture of three bytes a pixel.
struct Shot {
    width: usize,
    height: usize,
    rgb: Vec<u8>,
}

/// Draws a part of a replay and writes it as a GIF file that repeats: 12 pictures a second, 640 pixels wide or less,
/// 3 MB at most.
///
/// # Errors
/// - [`ClientError::Match`] if seeking fails, or the film is too large at any size.
/// - [`ClientError::Film`] if the file cannot be written.
pub(super) async fn shoot(
    mut seeker: Seeker,
    highlight: Highlight,
    devices: &Devices,
    file: &Path,
) -> Result<(), ClientError> {
    let failed = |error: ecs::Error| ClientError::Match(error.to_string());
    seeker.seek(highlight.from, u64::MAX).map_err(failed)?;
    let mut picture = Picture::new(seeker.playback());
    let mut rig = CameraRig::default();
    rig.follow(highlight.player);
    // Flat colours make small files.
    let mut light = Light::new(false);
    let steps_per_second = seeker.playback().about().steps_per_second.max(1);
    let layout = devices.file.settings.layout(screen_width(), screen_height(), Hand::default());
    for _ in 0..SETTLING_STEPS {
        rig.advance(picture.view(), &layout, 1.0 / 60.0);
    }
    let mut shots = Vec::new();
    for step in 0..highlight.to - highlight.from {
        if step > 0 {
            seeker.step().map_err(failed)?;
            picture.advance(seeker.playback());
            rig.advance(picture.view(), &layout, 1.0 / steps_per_second as f32);
        }
        let pictures = |steps: u64| steps * u64::from(PICTURES_PER_SECOND) / u64::from(steps_per_second);
        if step > 0 && pictures(step) == pictures(step - 1) {
            continue;
        }
        clear_background(theme::BACKGROUND);
        let camera = rig.camera(&layout, picture.view());
        picture.draw(&camera, &mut light, 1.0);
        picture.draw_names(&camera, layout.scale);
        hud::draw_score(&layout, picture.view(), Score::Slim, None, false);
        if let Some(announcement) = picture.announcement() {
            hud::draw_announcement(&layout, announcement);
        }
        let screen = get_screen_data();
        let size = (usize::from(screen.width), usize::from(screen.height));
        shots.push(shrunk(&screen.bytes, size, WIDTHS[0].min(size.0)));
        next_frame().await;
    }
    let bytes = encoded(&shots).ok_or_else(|| ClientError::Match("the film is too large".to_owned()))?;
    whole_file::write(file, &bytes)
        .map_err(|error| ClientError::Film { path: file.to_owned(), reason: error.to_string() })
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
