//! [`Changes`]: what a studio did to its subject, told to the program.

use ecs::inspect::Edit;

/// Limit of edits that wait to be taken.
const MAX_EDITS: usize = 10_000;

/// What a studio did to the subject between two frames.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// So many of the edits of earlier calls, the latest, were taken back. [`Changes::add_to`] removes them.
    pub taken_back: usize,
    /// Another moment was restored. A program that records its inputs drops those of later frames when the run goes on.
    pub moved: bool,
    /// Another branch was chosen: what the program has recorded belongs to the one before.
    /// [`Studio::recorded`](crate::Studio::recorded) and [`Studio::edits`](crate::Studio::edits) tell that of this one.
    pub is_another_branch: bool,
    /// The edits by hand, in their order. Going back to a frame also brings back its edits.
    pub edits: Vec<MadeEdit>,
    /// The inputs and these edits do not repeat the run: a saved moment was loaded, the subject was replaced, or there
    /// were too many edits that were not taken.
    pub is_incomplete: bool,
}

/// An edit and the frame after which it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeEdit {
    /// [`Time::frame`](ecs::Time::frame) at the edit.
    pub frame: u64,
    /// The edit.
    pub edit: Edit,
    /// It holds for the next frame only, as when a system runs alone. Remove it when that frame has run: going back to
    /// before the frame does not bring it back.
    pub for_one_frame: bool,
}

impl Changes {
    /// Brings a program's own list of all edits up to date.
    pub fn add_to(self, edits: &mut Vec<MadeEdit>) {
        edits.truncate(edits.len().saturating_sub(self.taken_back));
        edits.extend(self.edits);
    }

    pub(crate) fn add(&mut self, edit: MadeEdit) {
        match self.edits.len() < MAX_EDITS {
            true => self.edits.push(edit),
            false => self.is_incomplete = true,
        }
    }

    /// Takes back the last edits.
    pub(crate) fn take_back(&mut self, count: usize) {
        let waiting = count.min(self.edits.len());
        self.edits.truncate(self.edits.len() - waiting);
        self.taken_back += count - waiting;
    }

    /// The edits that wait belong to another branch.
    pub(crate) fn begin_another_branch(&mut self) {
        (self.edits, self.taken_back) = (Vec::new(), 0);
        (self.moved, self.is_another_branch) = (true, true);
    }

    /// Adds later changes.
    pub(crate) fn append(&mut self, later: Self) {
        if later.is_another_branch {
            self.begin_another_branch();
        }
        self.take_back(later.taken_back);
        self.moved |= later.moved;
        self.is_incomplete |= later.is_incomplete;
        later.edits.into_iter().for_each(|edit| self.add(edit));
    }
}
