//! Questions about the shown frame.

use ecs::inspect::Question;

use crate::listing::Criterion;
use crate::subject::Subject;
use crate::watched::{NO_FRAME, Watched, check_fields};

impl<S: Subject> Watched<S> {
    /// Reads names of components and questions about the shown frame. What they compare with the frame before is looked
    /// up there.
    pub(crate) fn criteria(&mut self, subject: &mut S, texts: &[String]) -> Result<Vec<Criterion>, String> {
        let criteria = texts.iter().map(|text| Criterion::read(subject.engine(), text));
        let mut criteria = criteria.collect::<Result<Vec<_>, _>>()?;
        let questions: Vec<_> = criteria.iter_mut().filter_map(Criterion::question_mut).collect();
        questions.iter().try_for_each(|question| check_fields(question, subject.engine()))?;
        let questions = questions.into_iter();
        let looking_back: Vec<_> = questions.filter(|question| question.frames_back() > 0).collect();
        if !looking_back.is_empty() {
            self.look_back(subject, looking_back)?;
        }
        Ok(criteria)
    }

    /// Ends the frames before the shown one for these questions, as far as they are kept.
    fn look_back(&mut self, subject: &mut S, mut questions: Vec<&mut Question>) -> Result<(), String> {
        self.check_whole_frame()?;
        self.keep_the_present(subject)?;
        let (frame, Some((oldest, latest))) = (subject.engine().time().frame(), self.history.range()) else {
            return Ok(());
        };
        let Some(before) = frame.checked_sub(1).filter(|before| *before >= oldest) else { return Ok(()) };
        let remembered = self.remember_frames(subject, &mut questions, before);
        // Run on from there, so that the events of the shown frame are counted.
        let looked = remembered.and_then(|()| {
            self.go_through(subject, before, frame, |subject, at| {
                if at == before {
                    questions.iter_mut().for_each(|question| question.end_frame(subject.engine()));
                }
            })
        });
        let shown = self.go(subject, self.past.unwrap_or(latest));
        looked.and(shown).map(drop)
    }

    /// Ends the frames before this one for these questions, as many as they look back, as far as they are kept.
    pub(crate) fn remember_frames(
        &mut self,
        subject: &mut S,
        questions: &mut [&mut Question],
        frame: u64,
    ) -> Result<(), String> {
        questions.iter_mut().for_each(|question| question.begin_again());
        let (oldest, _) = self.history.range().ok_or(NO_FRAME)?;
        let back = questions.iter().map(|question| question.frames_back()).max().unwrap_or(0).max(1);
        let first = (frame + 1).saturating_sub(back.into()).max(oldest);
        if first == frame {
            return Ok(());
        }
        let are_all = self.go_through_checkpoints(subject, first, frame, |subject, _| {
            questions.iter_mut().for_each(|question| question.end_frame(subject.engine()));
        })?;
        match &self.inexact {
            Some(why) if !are_all => Err(why.clone()),
            _ => Ok(()),
        }
    }
}
