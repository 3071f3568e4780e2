//! [`Search`]: looks for the next frame, or the last one before, in which a question holds.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use ecs::Engine;
use ecs::inspect::{Found, Question};
use serde_json::{Value, json};

use super::{NO_FRAME, Pace, Watched};
use crate::subject::Subject;
use crate::values::name_of;

/// The time of a look through the history between two frames of the program, and while it is paused.
const SLICE: Duration = Duration::from_millis(4);
const SLICE_OF_A_PAUSE: Duration = Duration::from_millis(100);

/// A question whose frame is looked for, a few checkpoints at a time, while the program goes on.
pub(crate) struct Search {
    question: Question,
    is_backward: bool,
    /// The frame it begins at, which is left out.
    from: u64,
    /// The frames between `from` and this one were looked at. Backward, the later end of what is left.
    looked_to: u64,
    /// In one of these frames it held or did not; otherwise it was unknown.
    is_known: bool,
    /// What the question names that is not there, if so.
    why_unknown: Option<String>,
    stage: Stage,
}

enum Stage {
    /// Runs frames of the history again.
    InHistory,
    /// No frame of the history is left: the frames that the program runs are looked at.
    Ahead,
    Found(Found),
    /// The first frame of the history was reached.
    Nowhere,
    Failed(String),
}

impl Search {
    fn is_in_history(&self) -> bool {
        matches!(self.stage, Stage::InHistory)
    }

    /// For the page. When the program is over, no frame comes.
    pub(crate) fn status(&self, pace: &Pace, is_over: bool) -> Value {
        let Self { question, is_backward, from, looked_to, stage, .. } = self;
        let entity = match stage {
            Stage::Found(found) => found.entity.map(name_of),
            _ => None,
        };
        let (stage, frame, sentence) = match stage {
            Stage::Ahead if is_over && from == looked_to => {
                ("nowhere", None, "no frame comes after this one".to_owned())
            }
            Stage::Ahead if is_over => {
                let unknown = self.told_unknown();
                let frames = format!("no frame after {from}, up to the end in frame {looked_to}");
                ("nowhere", None, format!("it holds in {frames}{unknown}"))
            }
            Stage::InHistory => ("searching", None, String::new()),
            Stage::Ahead if *pace == Pace::Running => {
                let but = self.why_unknown.as_ref().filter(|_| !self.is_known);
                let but = but.map_or_else(String::new, |why| format!(", but {why}"));
                ("ahead", None, format!("the program runs until a frame comes in which this holds{but}"))
            }
            Stage::Ahead => ("ahead", None, "this waits until the program runs".to_owned()),
            Stage::Found(found) => ("found", Some(found.frame), found.to_string()),
            Stage::Nowhere if from == looked_to => ("nowhere", None, format!("no frame before {from} is kept")),
            Stage::Nowhere => {
                let unknown = self.told_unknown();
                ("nowhere", None, format!("it held in no frame before {from}, back to frame {looked_to}{unknown}"))
            }
            Stage::Failed(problem) => ("failed", None, problem.clone()),
        };
        json!({
            "question": question.text(), "backward": is_backward, "from": from, "looked_to": looked_to, "stage": stage,
            "frame": frame, "sentence": sentence, "entity": entity,
        })
    }

    /// Of frames in none of which it held.
    fn told_unknown(&self) -> String {
        match &self.why_unknown {
            _ if self.is_known => String::new(),
            None => ": it was unknown in each of them".to_owned(),
            Some(why) => format!(": it was unknown in each of them, since {why}"),
        }
    }

    /// Asks of a frame.
    fn ask(&mut self, engine: &Engine) -> Option<Found> {
        let found = self.question.first(engine);
        self.is_known = self.is_known || found.is_some() || self.question.is_known(engine);
        found
    }

    /// Looks why it is unknown in the shown frame, unless it was known in one.
    fn look_why_unknown(&mut self, engine: &Engine) {
        if !self.is_known && self.why_unknown.is_none() {
            self.why_unknown = self.question.why_unknown(engine);
        }
    }
}

/// Refuses a question that names a field that is not there, as far as the values of this moment tell.
pub(crate) fn check_fields(question: &Question, engine: &Engine) -> Result<(), String> {
    match question.why_unknown(engine) {
        Some(why) if !question.is_known(engine) => Err(why),
        _ => Ok(()),
    }
}

/// A condition that can be asked of a frame.
fn condition(engine: &Engine, text: &str) -> Result<Question, String> {
    let question = Question::new(text, engine).map_err(|error| error.to_string())?;
    match question.is_condition() {
        true => Ok(question),
        false => Err("this is a value and no condition: compare it, as in `… > 0`".to_owned()),
    }
}

impl<S: Subject> Watched<S> {
    /// Begins to look for the last frame before the shown one, or for the next one behind it.
    pub(crate) fn begin_search(&mut self, subject: &mut S, text: &str, is_backward: bool) -> Result<(), String> {
        self.check_whole_frame()?;
        let question = condition(subject.engine(), text)?;
        check_fields(&question, subject.engine())?;
        let from = subject.engine().time().frame();
        // One that looks back needs the frames before, too.
        let is_ahead = !is_backward && self.past.is_none() && question.frames_back() <= 1;
        let stage = if is_ahead { Stage::Ahead } else { Stage::InHistory };
        let (is_known, why_unknown) = (false, None);
        let search = Search { question, is_backward, from, looked_to: from, is_known, why_unknown, stage };
        self.search = Some(search);
        // What was told of an earlier search.
        self.notice.clear();
        match is_ahead {
            true => self.run_to_the_found_frame(subject),
            false => Ok(()),
        }
    }

    /// Looks on through the history; called between two frames.
    pub(crate) fn go_on_searching(&mut self, subject: &mut S) {
        if !self.search.as_ref().is_some_and(Search::is_in_history) || self.partial.is_some() {
            return;
        }
        let Some(mut search) = self.search.take() else { return };
        let slice = if self.pace == Pace::Paused { SLICE_OF_A_PAUSE } else { SLICE };
        if let Err(problem) = self.search_for(subject, &mut search, slice) {
            search.stage = Stage::Failed(problem);
        }
        let shown = match &search.stage {
            Stage::Found(found) => {
                let sentence = format!("frame {}: {found}", found.frame);
                self.seek(subject, found.frame).map(|()| self.notice = sentence)
            }
            Stage::Ahead => self.run_to_the_found_frame(subject),
            Stage::InHistory | Stage::Nowhere | Stage::Failed(_) => Ok(()),
        };
        if let Err(problem) = shown {
            search.stage = Stage::Failed(problem);
        }
        // Another frame may be shown now.
        if !search.is_in_history() {
            search.look_why_unknown(subject.engine());
        }
        self.search = Some(search);
    }

    /// Lets the program run on from the present, unless it is over.
    fn run_to_the_found_frame(&mut self, subject: &mut S) -> Result<(), String> {
        if !self.is_over() {
            self.return_to_the_present(subject)?;
            self.let_run(Pace::Running);
        }
        Ok(())
    }

    fn search_for(&mut self, subject: &mut S, search: &mut Search, slice: Duration) -> Result<(), String> {
        self.keep_the_present(subject)?;
        let begun = Instant::now();
        let mut looked = Ok(());
        while looked.is_ok() && search.is_in_history() && begun.elapsed() < slice {
            looked = match search.is_backward {
                true => self.look_through_frames_before(subject, search),
                false => self.look_through_frames_behind(subject, search),
            };
        }
        let (_, latest) = self.history.range().ok_or(NO_FRAME)?;
        let shown = self.go(subject, self.past.unwrap_or(latest));
        looked.and(shown).map(drop)
    }

    /// From the checkpoint before the frames that are left, the last one in which it held.
    fn look_through_frames_before(&mut self, subject: &mut S, search: &mut Search) -> Result<(), String> {
        let (oldest, _) = self.history.range().ok_or(NO_FRAME)?;
        let Some(last) = search.looked_to.checked_sub(1).filter(|last| *last >= oldest) else {
            search.stage = Stage::Nowhere;
            return Ok(());
        };
        let first = self.first_of_span(&search.question, last, oldest);
        let mut found = None;
        // The first frame is asked about with those before it, so that it has a frame before; the oldest has none.
        let asks_of_first = first == oldest;
        self.ask_through(subject, search, first, last, asks_of_first, |here| {
            found = Some(here);
            true
        })?;
        search.looked_to = if asks_of_first { oldest } else { first + 1 };
        if let Some(found) = found {
            search.looked_to = found.frame;
            search.stage = Stage::Found(found);
        } else if asks_of_first {
            search.stage = Stage::Nowhere;
        }
        Ok(())
    }

    /// The first frame up to the next checkpoint in which it holds.
    fn look_through_frames_behind(&mut self, subject: &mut S, search: &mut Search) -> Result<(), String> {
        let (_, latest) = self.history.range().ok_or(NO_FRAME)?;
        let first = search.looked_to;
        if first >= latest {
            search.stage = Stage::Ahead;
            return self.remember_frames(subject, &mut [&mut search.question], first);
        }
        let back = u64::from(search.question.frames_back());
        let last = self.checkpoint_behind((first + back).saturating_sub(1).max(first)).min(latest);
        let mut found = None;
        self.ask_through(subject, search, first, last, false, |here| {
            found.get_or_insert(here);
            false
        })?;
        search.looked_to = last;
        if let Some(found) = found {
            search.looked_to = found.frame;
            search.stage = Stage::Found(found);
        }
        Ok(())
    }

    /// The frame of the last checkpoint before a frame, or the oldest one.
    pub(crate) fn checkpoint_before(&self, frame: u64) -> u64 {
        let before = frame.saturating_sub(1);
        let owner = self.history.owner(before).or_else(|| self.history.owner(frame));
        owner.map_or(frame, |branch| branch.around(branch.position_of(before)).0.at.frame)
    }

    /// The frame of a checkpoint from which frames up to `last` are asked about: at least as many as the question looks
    /// back, since those before it are run again, too.
    pub(crate) fn first_of_span(&self, question: &Question, last: u64, oldest: u64) -> u64 {
        let back = u64::from(question.frames_back().max(1));
        self.checkpoint_before((last + 1).saturating_sub(back).max(oldest))
    }

    /// The frame of the next checkpoint behind a frame, in the branch that has the next frame.
    pub(crate) fn checkpoint_behind(&self, frame: u64) -> u64 {
        let owner = self.history.owner(frame);
        let next = owner.and_then(|branch| Some(branch.around(branch.position_of(frame)).1?.at.frame));
        let end = self.history.owner(frame + 1).map_or(frame + 1, |branch| branch.begin);
        let next = next.unwrap_or(frame + 1).max(frame + 1);
        if end > frame { next.min(end) } else { next }
    }

    /// Asks a question of the frames from `first`, of that one only if it `asks_of_first`, to `last`. Calls `found` for
    /// those in which it holds, until that returns `false`.
    fn ask_through(
        &mut self,
        subject: &mut S,
        search: &mut Search,
        first: u64,
        last: u64,
        asks_of_first: bool,
        found: impl FnMut(Found) -> bool,
    ) -> Result<(), String> {
        self.remember_frames(subject, &mut [&mut search.question], first)?;
        let (mut begin, mut asks_of_begin, mut seen) = (first, asks_of_first, Vec::new());
        loop {
            let end = self.checkpoint_behind(begin).min(last);
            self.ask_between_checkpoints(subject, search, begin..=end, asks_of_begin, &mut seen)?;
            if end == last {
                _ = seen.into_iter().all(found);
                return Ok(());
            }
            (begin, asks_of_begin) = (end, false);
        }
    }

    fn ask_between_checkpoints(
        &mut self,
        subject: &mut S,
        search: &mut Search,
        frames: RangeInclusive<u64>,
        asks_of_first: bool,
        seen: &mut Vec<Found>,
    ) -> Result<(), String> {
        let (first, last) = frames.into_inner();
        let ask = |search: &mut Search, seen: &mut Vec<Found>, engine: &Engine, frame: u64| {
            if frame > first || asks_of_first {
                seen.extend(search.ask(engine));
            }
            search.question.end_frame(engine);
        };
        let (before, was_known, seen_before) = (search.question.clone(), search.is_known, seen.len());
        let mut look = |subject: &mut S, frame| ask(search, seen, subject.engine(), frame);
        if self.look_while_checking(subject, first, last, &mut look)? {
            return Ok(());
        }
        (search.question, search.is_known) = (before, was_known);
        seen.truncate(seen_before);
        let mut look = |subject: &mut S, frame| ask(search, seen, subject.engine(), frame);
        let shown = self.go_through(subject, first, last, &mut look)?;
        match &self.inexact {
            Some(why) if shown < last => Err(why.clone()),
            _ => Ok(()),
        }
    }

    /// The question that is asked of the frames that the program runs.
    pub(crate) fn question_ahead(&mut self) -> Option<&mut Question> {
        let ahead = self.search.as_mut().filter(|search| matches!(search.stage, Stage::Ahead));
        ahead.map(|search| &mut search.question)
    }

    /// Asks of the frame that has just run; pauses the program if it is the one that is looked for.
    pub(crate) fn search_ahead(&mut self, subject: &mut S, frame: u64) {
        let search = self.search.as_mut().filter(|search| matches!(search.stage, Stage::Ahead));
        let Some(search) = search else { return };
        search.looked_to = frame;
        if let Some(found) = search.ask(subject.engine()) {
            (self.pace, self.notice) = (Pace::Paused, format!("stopped at frame {frame}: {found}"));
            search.stage = Stage::Found(found);
        }
    }
}
