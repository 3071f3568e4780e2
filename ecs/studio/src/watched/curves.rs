//! [`Curves`]: the numbers of questions over all frames of the history, for the page to draw.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ecs::Engine;
use ecs::inspect::Question;
use serde_json::json;

use super::{NO_FRAME, Watched};
use crate::subject::Subject;
use crate::values::Answer;

/// Limit of the curves that are kept. The one that was not asked for longest goes first.
const MAX_CURVES: usize = 4;
/// So long after its last request a curve is still filled.
const PATIENCE: Duration = Duration::from_secs(10);
/// The time of a look through the history between two frames of the program.
const SLICE: Duration = Duration::from_millis(4);
/// Limit of the columns of an answer.
const MAX_COLUMNS: usize = 2_000;

/// The numbers of a question by frame.
struct Curve {
    question: Question,
    /// The question knows the frames before the next one.
    remembers: bool,
    /// The branch whose line they belong to.
    branch: u64,
    /// The frame of the first value.
    begin: u64,
    /// NaN where the question has no number.
    values: VecDeque<f32>,
    /// Why earlier frames cannot be looked at, if so.
    problem: Option<String>,
    asked: Instant,
}

/// The curves that a page draws.
#[derive(Default)]
pub(crate) struct Curves {
    all: Vec<Curve>,
}

impl Curve {
    fn number(&self, engine: &Engine) -> f32 {
        self.question.number(engine).map_or(f32::NAN, |number| number as f32)
    }

    /// The frame behind the last value.
    fn end(&self) -> u64 {
        self.begin + self.values.len() as u64
    }

    /// Begins again with the frame behind `latest`.
    fn begin_again(&mut self, branch: u64, latest: u64) {
        (self.branch, self.begin, self.problem) = (branch, latest + 1, None);
        self.remembers = self.question.frames_back() <= 1;
        self.values.clear();
    }

    /// The least and the greatest value of each of so many spans of frames.
    fn columns(&self, oldest: u64, latest: u64, count: usize) -> Vec<Option<[f32; 2]>> {
        let frames = latest.saturating_sub(oldest) + 1;
        let count = count.clamp(1, MAX_COLUMNS).min(usize::try_from(frames).unwrap_or(MAX_COLUMNS));
        let mut columns = vec![None; count];
        for (frame, value) in (self.begin..).zip(&self.values) {
            if value.is_nan() || !(oldest..=latest).contains(&frame) {
                continue;
            }
            let column = ((frame - oldest) as u128 * count as u128 / u128::from(frames)) as usize;
            let [least, most] = columns[column].unwrap_or([*value; 2]);
            columns[column] = Some([value.min(least), value.max(most)]);
        }
        columns
    }
}

impl<S: Subject> Watched<S> {
    /// The curve of a question so far, over all frames of the shown line. Asking for it begins it.
    pub(crate) fn curve(&mut self, subject: &mut S, text: &str, columns: usize) -> Answer {
        let (oldest, latest) = self.history.range().ok_or(NO_FRAME)?;
        let branch = self.history.current().map_or(0, |branch| branch.id);
        let known = self.curves.all.iter().position(|curve| curve.question.text() == text);
        let place = match known {
            Some(place) => place,
            None => {
                let question = Question::new(text, subject.engine()).map_err(|error| error.to_string())?;
                if question.is_about_entities() && !question.is_condition() {
                    return Err(
                        "a curve has one number in each frame: take `sum`, `count`, `least` or `most`".to_owned()
                    );
                }
                let (remembers, begin, values) = (false, latest + 1, VecDeque::new());
                let asked = Instant::now();
                let mut curve = Curve { question, remembers, branch, begin, values, problem: None, asked };
                curve.begin_again(branch, latest);
                self.curves.all.push(curve);
                if self.curves.all.len() > MAX_CURVES {
                    let all = self.curves.all.iter().enumerate();
                    let oldest = all.min_by_key(|(_, curve)| curve.asked).map_or(0, |(place, _)| place);
                    self.curves.all.remove(oldest);
                }
                self.curves.all.len() - 1
            }
        };
        let curve = &mut self.curves.all[place];
        curve.asked = Instant::now();
        let begin = curve.begin.max(oldest);
        Ok(json!({
            "question": text, "oldest": oldest, "latest": latest, "looked_from": begin, "problem": curve.problem,
            "columns": curve.columns(oldest, latest, columns),
        }))
    }

    /// Keeps what questions about the frame that runs next compare it with. The frames that are run again between two
    /// frames of the program send events, too, so that is done right before it.
    pub(crate) fn end_frame_before(&mut self, subject: &mut S) {
        self.question_ahead().into_iter().for_each(|question| question.end_frame(subject.engine()));
        for curve in &mut self.curves.all {
            curve.question.end_frame(subject.engine());
        }
    }

    /// Adds the frame that has just run.
    pub(crate) fn draw_on(&mut self, subject: &mut S, frame: u64) {
        let branch = self.history.current().map_or(0, |branch| branch.id);
        for curve in &mut self.curves.all {
            if curve.branch != branch || curve.end() != frame {
                curve.begin_again(branch, frame.saturating_sub(1));
            }
            if curve.remembers {
                let number = curve.number(subject.engine());
                curve.values.push_back(number);
            } else {
                curve.begin = frame + 1;
            }
        }
    }

    /// Fills in earlier frames of the curves that are asked for; called between two frames.
    pub(crate) fn fill_curves(&mut self, subject: &mut S) {
        let (Some((oldest, latest)), None) = (self.history.range(), &self.partial) else { return };
        let branch = self.history.current().map_or(0, |branch| branch.id);
        let begun = Instant::now();
        let mut curves = std::mem::take(&mut self.curves);
        for curve in &mut curves.all {
            if curve.branch != branch || curve.end() != latest + 1 {
                curve.begin_again(branch, latest);
            }
            while curve.begin < oldest && curve.values.pop_front().is_some() {
                curve.begin += 1;
            }
        }
        let is_due =
            |curve: &Curve| curve.begin > oldest && curve.problem.is_none() && curve.asked.elapsed() < PATIENCE;
        if curves.all.iter().any(is_due) && self.keep_the_present(subject).is_ok() {
            for curve in curves.all.iter_mut().filter(|curve| is_due(curve)) {
                if !std::mem::replace(&mut curve.remembers, true) {
                    curve.problem = self.remember_frames(subject, &mut [&mut curve.question], latest).err();
                }
                while is_due(curve) && begun.elapsed() < SLICE {
                    curve.problem = self.fill_frames_before(subject, curve).err();
                }
            }
            // The present was kept, so it comes back.
            _ = self.go(subject, self.past.unwrap_or(latest));
        }
        self.curves = curves;
    }

    fn fill_frames_before(&mut self, subject: &mut S, curve: &mut Curve) -> Result<(), String> {
        let (oldest, _) = self.history.range().ok_or(NO_FRAME)?;
        let last = curve.begin - 1;
        let first = self.first_of_span(&curve.question, last, oldest);
        // The first one has a frame before only in the next look, unless there is none.
        let asked_from = if first == oldest { first } else { first + 1 };
        let mut values = vec![f32::NAN; (last + 1 - asked_from) as usize];
        // The other one is compared with the present.
        let mut question = curve.question.clone();
        self.remember_frames(subject, &mut [&mut question], first)?;
        self.go_through_checkpoints(subject, first, last, |subject, frame| {
            if let Some(value) = frame.checked_sub(asked_from).and_then(|place| values.get_mut(place as usize)) {
                *value = question.number(subject.engine()).map_or(f32::NAN, |number| number as f32);
            }
            question.end_frame(subject.engine());
        })?;
        values.into_iter().rev().for_each(|value| curve.values.push_front(value));
        curve.begin = asked_from;
        Ok(())
    }
}
