//! [`EarlierJournal`]: the events of a frame that ran before the journal began.

use super::{NO_FRAME, TRACED_FRAMES, Watched};
use crate::journal::Journal;
use crate::subject::Subject;

/// What was traced while a frame was run again that ran before the journal began.
#[derive(Default)]
pub(crate) struct EarlierJournal {
    /// The branch and the frame up to which it goes.
    of: Option<(u64, u64)>,
    journal: Journal,
}

impl EarlierJournal {
    pub(crate) fn journal(&self) -> &Journal {
        &self.journal
    }
}

impl<S: Subject> Watched<S> {
    /// The journal with a frame. If it ran before the journal begins, it is run again with those between it and the
    /// checkpoint before it; of a program that cannot do that nothing is on record.
    pub(crate) fn journal_with(&mut self, subject: &mut S, frame: u64) -> &Journal {
        let range = self.history.range().filter(|_| self.partial.is_none());
        let Some((oldest, latest)) = range.filter(|_| !self.journal.covers(frame)) else { return &self.journal };
        let frame = frame.min(latest);
        let Some(before) = frame.checked_sub(1).filter(|before| *before >= oldest) else { return &self.journal };
        let of = self.history.owner(frame).map(|branch| (branch.id, frame));
        if self.earlier.of != of {
            let (begin, journal) = (self.checkpoint_before(frame), Journal::default());
            self.earlier = EarlierJournal { of, journal };
            if self.run_for_journal(subject, before, frame).is_err() {
                self.earlier.journal = Journal::begin(frame);
            }
            self.earlier.journal.begin_later(begin.max(frame.saturating_sub(TRACED_FRAMES as u64)));
        }
        &self.earlier.journal
    }

    fn run_for_journal(&mut self, subject: &mut S, before: u64, frame: u64) -> Result<(), String> {
        self.keep_the_present(subject)?;
        let (_, latest) = self.history.range().ok_or(NO_FRAME)?;
        let shown = self.past.unwrap_or(latest);
        self.go(subject, self.checkpoint_before(frame))?;
        let ran = self.go_through(subject, before, frame, |_, _| ());
        if ran == Ok(frame) {
            let inspector = subject.engine().inspector();
            _ = self.earlier.journal.take(&inspector, frame);
        }
        self.go(subject, shown)?;
        ran.map(drop)
    }
}
