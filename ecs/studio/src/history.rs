//! [`History`]: snapshots of the last frames, dense for the latest and sparse for older ones.

use std::collections::VecDeque;

/// Frames of which each has a snapshot.
const DENSE_FRAMES: usize = 120;
/// Of older snapshots, the first of so many frames is kept.
const SPARSE_STEP: u64 = 15;
/// Limit of snapshots. With the numbers above it holds two minutes at 60 frames a second.
const MOST_SNAPSHOTS: usize = 600;

/// Snapshots by their frames, the oldest first.
pub(crate) struct History<S> {
    snapshots: VecDeque<(u64, S)>,
    /// Snapshots that are used again.
    spare: Vec<S>,
}

impl<S> Default for History<S> {
    fn default() -> Self {
        Self { snapshots: VecDeque::new(), spare: Vec::new() }
    }
}

impl<S: Default> History<S> {
    /// A snapshot to be written to.
    pub(crate) fn spare(&mut self) -> S {
        self.spare.pop().unwrap_or_default()
    }

    /// Adds the snapshot of the latest frame, and drops what is no longer kept.
    pub(crate) fn push(&mut self, frame: u64, snapshot: S) {
        self.forget_from(frame);
        self.snapshots.push_back((frame, snapshot));
        let bucket = |place: usize| self.snapshots[place].0 / SPARSE_STEP;
        // The oldest one stays.
        if let Some(place) = self.snapshots.len().checked_sub(DENSE_FRAMES + 1).filter(|place| *place > 0)
            && bucket(place) == bucket(place - 1)
        {
            let dropped = self.snapshots.remove(place);
            self.spare.extend(dropped.map(|(_, snapshot)| snapshot));
        }
        if self.snapshots.len() > MOST_SNAPSHOTS {
            self.spare.extend(self.snapshots.pop_front().map(|(_, snapshot)| snapshot));
        }
    }

    /// Drops the snapshots of a frame and of all later ones.
    pub(crate) fn forget_from(&mut self, frame: u64) {
        while let Some((_, snapshot)) = self.snapshots.pop_back_if(|(kept, _)| *kept >= frame) {
            self.spare.push(snapshot);
        }
    }

    /// The latest snapshot that is not younger than a frame, or else the oldest.
    pub(crate) fn at(&self, frame: u64) -> Option<(u64, &S)> {
        let behind = self.snapshots.partition_point(|(kept, _)| *kept <= frame);
        let (frame, snapshot) = self.snapshots.get(behind.saturating_sub(1))?;
        Some((*frame, snapshot))
    }

    /// The first snapshot that is younger than a frame.
    pub(crate) fn after(&self, frame: u64) -> Option<u64> {
        self.snapshots.get(self.snapshots.partition_point(|(kept, _)| *kept <= frame)).map(|(frame, _)| *frame)
    }

    /// The frames that are kept up to one, the latest first.
    pub(crate) fn frames_until(&self, frame: u64) -> impl Iterator<Item = u64> {
        self.snapshots.iter().rev().map(|(kept, _)| *kept).filter(move |kept| *kept <= frame)
    }

    /// The frames of the oldest and of the latest snapshot.
    pub(crate) fn range(&self) -> Option<(u64, u64)> {
        Some((self.snapshots.front()?.0, self.snapshots.back()?.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latest_frames_are_dense_and_older_ones_sparse() {
        let mut history = History::<u64>::default();
        for frame in 1..=20_000 {
            let mut snapshot = history.spare();
            snapshot = snapshot.max(frame);
            history.push(frame, snapshot);
        }
        assert_eq!(history.snapshots.len(), MOST_SNAPSHOTS);
        assert!(history.spare.len() <= 1, "memory is used again");
        assert_eq!(history.at(19_999), Some((19_999, &19_999)));
        assert_eq!(history.at(19_881), Some((19_881, &19_881)), "the oldest of the dense ones");
        assert_eq!(history.at(19_880), Some((19_875, &19_875)));
        assert_eq!(history.after(19_880), Some(19_881));
        let (oldest, latest) = history.range().unwrap();
        assert_eq!((latest, oldest % SPARSE_STEP), (20_000, 0));
        assert_eq!(history.at(0), Some((oldest, &oldest)));
    }

    #[test]
    fn frames_that_come_three_at_a_time_are_kept_as_long() {
        let mut history = History::<u64>::default();
        (1..20_000).step_by(3).for_each(|frame| history.push(frame, frame));
        assert_eq!(history.snapshots.len(), MOST_SNAPSHOTS);
        let frames: Vec<u64> = history.snapshots.iter().map(|(frame, _)| *frame).collect();
        assert!(frames.windows(2).all(|pair| pair[1] - pair[0] <= 15), "{frames:?}");
    }

    #[test]
    fn another_course_replaces_later_frames() {
        let mut history = History::<&str>::default();
        (1..=9).for_each(|frame| history.push(frame, "first"));
        history.push(6, "second");
        assert_eq!(history.range(), Some((1, 6)));
        assert_eq!((history.at(9), history.at(5)), (Some((6, &"second")), Some((5, &"first"))));
    }
}
