//! Questions about the shown frame.

use ecs::inspect::Question;

use crate::listing::Criterion;
use crate::subject::Subject;
use crate::watched::Watched;

impl<S: Subject> Watched<S> {
    /// Reads names of components and questions about the shown frame. What they compare with the frame before is looked
    /// up there.
    pub(crate) fn criteria(&mut self, subject: &mut S, texts: &[String]) -> Result<Vec<Criterion>, String> {
        let inspector = subject.engine().inspector();
        let criteria = texts.iter().map(|text| Criterion::read(&inspector, text));
        let mut criteria = criteria.collect::<Result<Vec<_>, _>>()?;
        let questions = criteria.iter_mut().filter_map(Criterion::question_mut);
        let looking_back: Vec<_> = questions.filter(|question| question.looks_back()).collect();
        if !looking_back.is_empty() {
            self.look_back(subject, looking_back)?;
        }
        Ok(criteria)
    }

    /// Ends the frame before the shown one for these questions, if it is kept.
    fn look_back(&mut self, subject: &mut S, mut questions: Vec<&mut Question>) -> Result<(), String> {
        self.check_whole_frame()?;
        self.keep_the_present(subject)?;
        let (frame, Some((oldest, latest))) = (subject.engine().time().frame(), self.history.range()) else {
            return Ok(());
        };
        let Some(before) = frame.checked_sub(1).filter(|before| *before >= oldest) else { return Ok(()) };
        // Run on from there, so that the events of the shown frame are counted.
        let looked = self.go_through(subject, before, frame, |subject, at| {
            if at == before {
                questions.iter_mut().for_each(|question| question.end_frame(subject.engine()));
            }
        });
        let shown = self.go(subject, self.past.unwrap_or(latest));
        looked.and(shown).map(drop)
    }
}
