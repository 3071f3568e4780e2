//! [`History`]: a tree of branches, each with what its frames were run with and with checkpoints to run them again
//! from.

use std::collections::VecDeque;
use std::rc::Rc;

use ecs::snapshot::WaitingEvents;

use crate::changes::MadeEdit;

/// Frames between two checkpoints of a program whose frames can be run again.
pub(crate) const CHECKPOINT_FRAMES: u64 = 300;
/// Limit of checkpoints, so that the search for the one that is thinned stays short.
const MAX_CHECKPOINTS: usize = 4_096;
/// The memory of all checkpoints and inputs, unless the program sets another limit.
const DEFAULT_BYTES: usize = 1 << 30;
/// What a frame and an edit take besides their inputs and values.
const BYTES_OF_A_FRAME: usize = 16;
const BYTES_OF_AN_EDIT: usize = 128;

/// A place in a branch: after a frame, and after so many of the branch's edits, of which the first ones may be gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) frame: u64,
    pub(crate) edits: usize,
}

/// What a frame was run with.
pub(crate) struct FrameInputs<I> {
    pub(crate) inputs: I,
    /// The events that waited for it.
    pub(crate) waiting: Option<WaitingEvents>,
    /// About how much memory they take.
    pub(crate) bytes: usize,
}

/// A frame of a branch.
enum Frame<I> {
    /// What it was run with is not known, so it cannot be run again.
    Unknown,
    Inputs(Rc<FrameInputs<I>>),
    /// It was run together with the frame before: there was no moment between them.
    Joined,
}

/// A state of a branch.
pub(crate) struct Checkpoint<S> {
    pub(crate) at: Position,
    pub(crate) snapshot: S,
    bytes: usize,
    /// The frames since the checkpoint before were run again, and led to this state.
    pub(crate) is_checked: bool,
}

pub(crate) struct Branch<I, S> {
    pub(crate) id: u64,
    pub(crate) name: String,
    /// The branch that it goes on from, and the frame there.
    pub(crate) from: Option<(u64, u64)>,
    /// The frame of its first checkpoint.
    pub(crate) begin: u64,
    /// The frames after `begin`.
    frames: VecDeque<Frame<I>>,
    /// The edits by hand, in the order of their frames.
    edits: VecDeque<MadeEdit>,
    /// How many edits came before these, and are gone with their frames.
    gone_edits: usize,
    /// At least one, in the order of their places.
    checkpoints: VecDeque<Checkpoint<S>>,
    /// A frame after the last checkpoint cannot be run again.
    has_gap: bool,
}

pub(crate) struct History<I, S> {
    /// In the order of their ids.
    branches: Vec<Branch<I, S>>,
    current: u64,
    next_id: u64,
    /// A snapshot that is used again.
    spare: Option<S>,
    most_bytes: usize,
    checkpoint_bytes: usize,
    input_bytes: usize,
}

impl<I, S> Default for History<I, S> {
    fn default() -> Self {
        Self {
            branches: Vec::new(),
            current: 0,
            next_id: 1,
            spare: None,
            most_bytes: DEFAULT_BYTES,
            checkpoint_bytes: 0,
            input_bytes: 0,
        }
    }
}

impl<I, S> Branch<I, S> {
    /// Its latest frame.
    pub(crate) fn latest(&self) -> u64 {
        self.begin + self.frames.len() as u64
    }

    /// After its latest frame and all edits.
    pub(crate) fn tip(&self) -> Position {
        Position { frame: self.latest(), edits: self.gone_edits + self.edits.len() }
    }

    /// After a frame and the edits that were made then. Those that hold for the next frame only come later.
    pub(crate) fn position_of(&self, frame: u64) -> Position {
        let of_earlier = self.edits.partition_point(|made| made.frame < frame);
        let own = self.edits.iter().skip(of_earlier).take_while(|made| made.frame == frame && !made.for_one_frame);
        Position { frame, edits: self.gone_edits + of_earlier + own.count() }
    }

    fn frame(&self, frame: u64) -> Option<&Frame<I>> {
        let place = frame.checked_sub(self.begin + 1)?;
        self.frames.get(usize::try_from(place).ok()?)
    }

    /// What a frame was run with; `None` if that is not known, or if it was run together with the frame before.
    pub(crate) fn inputs(&self, frame: u64) -> Option<&FrameInputs<I>> {
        match self.frame(frame)? {
            Frame::Inputs(inputs) => Some(inputs),
            Frame::Unknown | Frame::Joined => None,
        }
    }

    /// Whether a frame can be run again after the one before.
    pub(crate) fn is_known(&self, frame: u64) -> bool {
        matches!(self.frame(frame), Some(Frame::Inputs(_) | Frame::Joined))
    }

    /// Whether there was no moment after a frame: the next one was run together with it.
    pub(crate) fn is_within_a_step(&self, frame: u64) -> bool {
        matches!(self.frame(frame + 1), Some(Frame::Joined))
    }

    /// The edits before a place that are kept.
    pub(crate) fn edits_until(&self, at: Position) -> impl DoubleEndedIterator<Item = &MadeEdit> {
        self.edits.range(..at.edits - self.gone_edits)
    }

    /// The edit after so many.
    pub(crate) fn edit_after(&self, edits: usize) -> Option<&MadeEdit> {
        self.edits.get(edits.checked_sub(self.gone_edits)?)
    }

    /// The checkpoint at a place or the closest one before, and the next one.
    pub(crate) fn around(&self, at: Position) -> (&Checkpoint<S>, Option<&Checkpoint<S>>) {
        let behind = self.checkpoints.partition_point(|kept| kept.at <= at).max(1);
        (&self.checkpoints[behind - 1], self.checkpoints.get(behind))
    }

    fn last_checkpoint(&self) -> &Checkpoint<S> {
        &self.checkpoints[self.checkpoints.len() - 1]
    }
}

impl<I, S: Default> History<I, S> {
    /// A snapshot to be written to.
    pub(crate) fn spare(&mut self) -> S {
        self.spare.take().unwrap_or_default()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.branches.is_empty()
    }

    /// All branches, the oldest first.
    pub(crate) fn branches(&self) -> &[Branch<I, S>] {
        &self.branches
    }

    pub(crate) fn branch(&self, id: u64) -> Option<&Branch<I, S>> {
        self.branches.iter().find(|branch| branch.id == id)
    }

    fn branch_mut(&mut self, id: u64) -> Option<&mut Branch<I, S>> {
        self.branches.iter_mut().find(|branch| branch.id == id)
    }

    /// The branch that goes on.
    pub(crate) fn current(&self) -> Option<&Branch<I, S>> {
        self.branch(self.current)
    }

    /// Begins a branch at a frame, which becomes the current one.
    pub(crate) fn begin(
        &mut self,
        name: Option<String>,
        from: Option<(u64, u64)>,
        frame: u64,
        snapshot: S,
        bytes: usize,
    ) {
        let (id, at) = (self.next_id, Position { frame, edits: 0 });
        let name = name.unwrap_or_else(|| if id == 1 { "main".to_owned() } else { format!("branch {id}") });
        let checkpoints = [Checkpoint { at, snapshot, bytes, is_checked: true }].into();
        let (frames, edits) = (VecDeque::new(), VecDeque::new());
        let (begin, gone_edits, has_gap) = (frame, 0, false);
        self.branches.push(Branch { id, name, from, begin, frames, edits, gone_edits, checkpoints, has_gap });
        self.checkpoint_bytes += bytes;
        (self.current, self.next_id) = (id, id + 1);
        self.shrink();
    }

    /// Makes another branch the current one; returns whether there is one with this number.
    pub(crate) fn choose(&mut self, id: u64) -> bool {
        let is_there = self.branch(id).is_some();
        if is_there {
            self.current = id;
        }
        is_there
    }

    /// Gives a branch another name; returns whether there is one with this number.
    pub(crate) fn rename(&mut self, id: u64, name: String) -> bool {
        self.branch_mut(id).map(|branch| branch.name = name).is_some()
    }

    /// Notes what the next frame of the current branch was run with, if that is known.
    pub(crate) fn push_frame(&mut self, inputs: Option<FrameInputs<I>>)
    where
        I: PartialEq,
    {
        let Some(branch) = self.branches.iter_mut().find(|branch| branch.id == self.current) else { return };
        let is_same = |new: &FrameInputs<I>, last: &Rc<FrameInputs<I>>| {
            new.waiting.is_none() && last.waiting.is_none() && new.inputs == last.inputs
        };
        self.input_bytes += BYTES_OF_A_FRAME;
        branch.has_gap |= inputs.is_none();
        branch.frames.push_back(match (inputs, branch.frames.back()) {
            (None, _) => Frame::Unknown,
            // Equal inputs are kept once.
            (Some(new), Some(Frame::Inputs(last))) if is_same(&new, last) => Frame::Inputs(Rc::clone(last)),
            (Some(new), _) => {
                self.input_bytes += new.bytes;
                Frame::Inputs(Rc::new(new))
            }
        });
        self.shrink();
    }

    /// Notes that the next frame was run together with the last one, which `is_known`.
    pub(crate) fn join_frame(&mut self, is_known: bool) {
        if let Some(branch) = self.branches.iter_mut().find(|branch| branch.id == self.current) {
            self.input_bytes += BYTES_OF_A_FRAME;
            branch.frames.push_back(if is_known { Frame::Joined } else { Frame::Unknown });
        }
    }

    /// Notes an edit at the end of the current branch.
    pub(crate) fn push_edit(&mut self, made: MadeEdit) {
        if let Some(branch) = self.branches.iter_mut().find(|branch| branch.id == self.current) {
            self.input_bytes += bytes_of(&made);
            branch.edits.push_back(made);
            self.shrink();
        }
    }

    /// Takes back the last edits of the current branch, and the checkpoints that have them.
    pub(crate) fn take_back_edits(&mut self, count: usize) {
        let Some(branch) = self.branches.iter_mut().find(|branch| branch.id == self.current) else { return };
        let left = branch.edits.len().saturating_sub(count);
        self.input_bytes -= branch.edits.drain(left..).map(|made| bytes_of(&made)).sum::<usize>();
        while branch.checkpoints.len() > 1
            && let Some(kept) = branch.checkpoints.pop_back_if(|kept| kept.at.edits > branch.gone_edits + left)
        {
            self.checkpoint_bytes -= kept.bytes;
            self.spare = Some(kept.snapshot);
        }
    }

    /// Keeps the state at the end of the current branch.
    pub(crate) fn keep(&mut self, snapshot: S, bytes: usize) {
        let Some(branch) = self.branches.iter_mut().find(|branch| branch.id == self.current) else { return };
        let at = branch.tip();
        self.checkpoint_bytes += bytes;
        branch.has_gap = false;
        match branch.checkpoints.back_mut().filter(|last| last.at == at) {
            // What waits for the next frame may have changed.
            Some(last) => {
                self.checkpoint_bytes -= std::mem::replace(&mut last.bytes, bytes);
                self.spare = Some(std::mem::replace(&mut last.snapshot, snapshot));
            }
            None => branch.checkpoints.push_back(Checkpoint { at, snapshot, bytes, is_checked: false }),
        }
        self.shrink();
    }

    /// How many frames the current branch has after its last checkpoint, and whether one of them cannot be run again.
    pub(crate) fn since_the_last_checkpoint(&self) -> (u64, bool) {
        self.current()
            .map_or((0, false), |branch| (branch.latest() - branch.last_checkpoint().at.frame, branch.has_gap))
    }

    /// The branch to which a frame of the current line belongs: the current one, or one that it goes on from.
    pub(crate) fn owner(&self, frame: u64) -> Option<&Branch<I, S>> {
        self.line().find(|branch| branch.begin <= frame).filter(|branch| frame <= branch.latest())
    }

    /// The current branch, the one that it goes on from, and so on.
    pub(crate) fn line(&self) -> impl Iterator<Item = &Branch<I, S>> {
        self.line_of(self.current)
    }

    fn line_of(&self, id: u64) -> impl Iterator<Item = &Branch<I, S>> {
        std::iter::successors(self.branch(id), |branch| self.before(branch))
    }

    /// The branch that one goes on from, if the frame at which it does is still there.
    fn before(&self, branch: &Branch<I, S>) -> Option<&Branch<I, S>> {
        let (id, frame) = branch.from?;
        self.branch(id).filter(|before| before.begin <= frame)
    }

    /// The last frame that the current line has in common with that of another branch.
    pub(crate) fn common_frame(&self, id: u64) -> Option<u64> {
        let ends = |id: u64| {
            let mut end = u64::MAX;
            self.line_of(id)
                .map(move |branch| (branch.id, std::mem::replace(&mut end, branch.begin).min(branch.latest())))
        };
        ends(id)
            .find_map(|(shared, end)| ends(self.current).find(|(own, _)| *own == shared).map(|(_, own)| own.min(end)))
    }

    /// The oldest and the latest frame of the current line.
    pub(crate) fn range(&self) -> Option<(u64, u64)> {
        Some((self.line().last()?.begin, self.current()?.latest()))
    }

    /// Notes that the frames between two checkpoints were run again and led to the state of the later one.
    pub(crate) fn note_checked(&mut self, id: u64, at: Position) {
        let checkpoints = self.branch_mut(id).map(|branch| &mut branch.checkpoints);
        if let Some(kept) = checkpoints.and_then(|kept| kept.iter_mut().find(|kept| kept.at == at)) {
            kept.is_checked = true;
        }
    }

    /// Forgets what the frames between two frames of a branch were run with, since they lead to another state.
    pub(crate) fn forget_inputs(&mut self, id: u64, after: u64, until: u64) {
        let Some(branch) = self.branches.iter_mut().find(|branch| branch.id == id) else { return };
        let range = (after - branch.begin) as usize..(until - branch.begin) as usize;
        let gone = branch.frames.range_mut(range).map(|frame| std::mem::replace(frame, Frame::Unknown));
        self.input_bytes -= gone.map(own_bytes).sum::<usize>();
    }

    /// Limits the bytes of all checkpoints and inputs.
    pub(crate) fn limit(&mut self, bytes: usize) {
        self.most_bytes = bytes;
        self.shrink();
    }

    pub(crate) fn limit_bytes(&self) -> usize {
        self.most_bytes
    }

    /// The bytes of all checkpoints and inputs.
    pub(crate) fn bytes(&self) -> usize {
        self.checkpoint_bytes + self.input_bytes
    }

    fn shrink(&mut self) {
        let count = |history: &Self| history.branches.iter().map(|branch| branch.checkpoints.len()).sum::<usize>();
        while self.bytes() > self.most_bytes || count(self) > MAX_CHECKPOINTS {
            // As long as most of it are checkpoints, all frames stay.
            let are_inputs_few = self.input_bytes <= self.most_bytes / 2;
            if !((are_inputs_few && self.thin()) || self.drop_branch() || self.drop_oldest() || self.thin()) {
                break;
            }
        }
    }

    /// Drops the checkpoint that costs least: where the square of the frames to run again is small for the age. So
    /// twice as old frames have checkpoints that are 1.4 times as far apart. The first and the last one of a branch
    /// stay.
    fn thin(&mut self) -> bool {
        let now = self.branches.iter().map(Branch::latest).max().unwrap_or(0);
        let mut least: Option<(f64, usize, usize)> = None;
        for (number, branch) in self.branches.iter().enumerate() {
            for place in 1..branch.checkpoints.len().saturating_sub(1) {
                let frame = |place: usize| branch.checkpoints[place].at.frame;
                let gap = (frame(place + 1) - frame(place - 1)) as f64;
                let cost = gap * gap / (now - frame(place) + 1) as f64;
                if least.is_none_or(|(of_least, ..)| cost < of_least) {
                    least = Some((cost, number, place));
                }
            }
        }
        let Some((_, number, place)) = least else { return false };
        let branch = &mut self.branches[number];
        let Some(dropped) = branch.checkpoints.remove(place) else { return false };
        branch.checkpoints[place].is_checked &= dropped.is_checked;
        self.checkpoint_bytes -= dropped.bytes;
        self.spare = Some(dropped.snapshot);
        true
    }

    /// Drops the oldest branch that none goes on from, except for the current one.
    fn drop_branch(&mut self) -> bool {
        let goes_on = |id| self.branches.iter().any(|other| self.before(other).is_some_and(|before| before.id == id));
        let leaf = self.branches.iter().position(|branch| branch.id != self.current && !goes_on(branch.id));
        leaf.map(|place| self.remove(place)).is_some()
    }

    fn remove(&mut self, place: usize) {
        let mut branch = self.branches.remove(place);
        self.forget_frames(&mut branch, usize::MAX, usize::MAX);
        self.checkpoint_bytes -= branch.checkpoints.iter().map(|kept| kept.bytes).sum::<usize>();
    }

    /// Subtracts the first frames and edits of a branch.
    fn forget_frames(&mut self, branch: &mut Branch<I, S>, frames: usize, edits: usize) {
        for frame in branch.frames.drain(..frames.min(branch.frames.len())) {
            self.input_bytes -= BYTES_OF_A_FRAME + own_bytes(frame);
        }
        let edits = branch.edits.drain(..edits.min(branch.edits.len()));
        self.input_bytes -= edits.map(|made| bytes_of(&made)).sum::<usize>();
    }

    /// Drops the oldest frames of the current line, up to the next checkpoint. The present and a moment before it stay.
    fn drop_oldest(&mut self) -> bool {
        let Some(oldest) = self.line().last().map(|branch| branch.id) else { return false };
        let Some(place) = self.branches.iter().position(|branch| branch.id == oldest) else { return false };
        let is_current = oldest == self.current;
        match self.branches[place].checkpoints.len() {
            1 | 2 if is_current => false,
            1 => {
                self.remove(place);
                true
            }
            _ => {
                let mut branch = self.branches.remove(place);
                if let Some(dropped) = branch.checkpoints.pop_front() {
                    self.checkpoint_bytes -= dropped.bytes;
                    self.spare = Some(dropped.snapshot);
                }
                let next = branch.checkpoints[0].at;
                let frames = (next.frame - branch.begin) as usize;
                let edits = next.edits - branch.gone_edits;
                self.forget_frames(&mut branch, frames, edits);
                (branch.begin, branch.gone_edits) = (next.frame, next.edits);
                self.branches.insert(place, branch);
                true
            }
        }
    }
}

/// What the inputs of a frame take that no other frame has.
fn own_bytes<I>(frame: Frame<I>) -> usize {
    match frame {
        Frame::Inputs(inputs) => Rc::into_inner(inputs).map_or(0, |inputs| inputs.bytes),
        Frame::Unknown | Frame::Joined => 0,
    }
}

fn bytes_of(made: &MadeEdit) -> usize {
    BYTES_OF_AN_EDIT + made.edit.value_bytes()
}
