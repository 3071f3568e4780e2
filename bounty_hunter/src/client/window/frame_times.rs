//! The overlay with the times of frames and steps.

use macroquad::math::Rect;
use macroquad::shapes::{draw_line, draw_rectangle};

use crate::client::drawing::text::{self, Style};
use crate::client::drawing::theme::{self, faded};

/// Number of frames in the graph.
const SHOWN: usize = 120;
/// Number of the longest frames, which stand out.
const WORST: usize = 3;
/// Height of a line of text in units of the layout.
const LINE_HEIGHT: f32 = 15.0;
/// Frame time at the top of the graph.
const TOP_MS: f32 = 40.0;

#[derive(Clone, Debug)]
pub(crate) struct FrameTimes {
    pub(crate) is_shown: bool,
    frames_ms: [f32; SHOWN],
    steps_ms: [f32; SHOWN],
    next: usize,
    recorded: usize,
}

impl FrameTimes {
    pub(crate) fn new() -> Self {
        Self { is_shown: false, frames_ms: [0.0; SHOWN], steps_ms: [0.0; SHOWN], next: 0, recorded: 0 }
    }

    /// Records the time of one frame and of its simulation steps.
    pub(crate) fn record(&mut self, frame_seconds: f64, steps_seconds: f64) {
        self.frames_ms[self.next] = (frame_seconds * 1000.0) as f32;
        self.steps_ms[self.next] = (steps_seconds * 1000.0) as f32;
        self.next = (self.next + 1) % SHOWN;
        self.recorded = (self.recorded + 1).min(SHOWN);
    }

    /// Mean frame time and mean step time of the recorded frames, milliseconds.
    pub(crate) fn means_ms(&self) -> (f32, f32) {
        let count = self.recorded.max(1) as f32;
        let mean = |times: &[f32]| times.iter().sum::<f32>() / count;
        (mean(&self.frames_ms), mean(&self.steps_ms))
    }

    /// The times of the longest frames, the longest first, milliseconds.
    pub(crate) fn worst_ms(&self) -> [f32; WORST] {
        let mut sorted = self.frames_ms;
        sorted.sort_unstable_by(|one, other| other.total_cmp(one));
        [sorted[0], sorted[1], sorted[2]]
    }

    /// What stands over the graph: the times, then lines about other things.
    fn lines(&self, others: Vec<String>) -> Vec<String> {
        let ((frame, step), [first, second, third]) = (self.means_ms(), self.worst_ms());
        let fps = if frame > 0.0 { 1000.0 / frame } else { 0.0 };
        let own = [
            format!("{fps:.0} fps {frame:.1} ms, steps {step:.2} ms"),
            format!("worst {first:.1} {second:.1} {third:.1} ms"),
        ];
        own.into_iter().chain(others).collect()
    }

    /// Draws the overlay in the top left corner, if it is shown, with other lines below its own.
    pub(crate) fn draw(&self, others: impl FnOnce() -> Vec<String>, scale: f32) {
        if !self.is_shown {
            return;
        }
        let lines = self.lines(others());
        let [.., third] = self.worst_ms();
        let height = (66.0 + LINE_HEIGHT * lines.len() as f32) * scale;
        let area = Rect::new(8.0, 8.0, 2.0 * SHOWN as f32 * scale, height);
        draw_rectangle(area.x, area.y, area.w, area.h, faded(theme::BACKGROUND, 0.85));
        for (index, line) in lines.iter().enumerate() {
            let y = area.y + (12.0 + LINE_HEIGHT * index as f32) * scale;
            text::draw(line, area.x + 6.0 * scale, y, Style::new(8.0 * scale, theme::TEXT));
        }
        let (floor, reach) = (area.bottom() - 2.0, 58.0 * scale);
        let full_speed = floor - reach * (1000.0 / 60.0) / TOP_MS;
        draw_line(area.x, full_speed, area.right(), full_speed, 1.0, faded(theme::FAINT, 0.6));
        for index in 0..SHOWN {
            let slot = (self.next + index) % SHOWN;
            let x = area.x + (index as f32 + 0.5) * 2.0 * scale;
            let of_frame = if self.frames_ms[slot] >= third { theme::ALARM } else { theme::BORDER };
            for (ms, color) in [(self.frames_ms[slot], of_frame), (self.steps_ms[slot], theme::ACCENT)] {
                let rise = reach * (ms / TOP_MS).min(1.0);
                draw_line(x, floor, x, floor - rise, 1.5 * scale, color);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summary_covers_only_what_was_recorded() {
        let mut times = FrameTimes::new();
        assert_eq!((times.means_ms(), times.worst_ms()), ((0.0, 0.0), [0.0; WORST]));
        times.record(0.010, 0.001);
        times.record(0.030, 0.003);
        let ((frame, step), [first, second, third]) = (times.means_ms(), times.worst_ms());
        assert!((frame - 20.0).abs() < 1e-3 && (step - 2.0).abs() < 1e-3);
        assert!((first - 30.0).abs() < 1e-3 && (second - 10.0).abs() < 1e-3 && third == 0.0);
    }

    #[test]
    fn old_frames_are_forgotten() {
        let mut times = FrameTimes::new();
        times.record(5.0, 5.0);
        (0..SHOWN).for_each(|_| times.record(0.010, 0.0));
        assert!((times.worst_ms()[0] - 10.0).abs() < 1e-3);
    }
}
