//! [`History`]: snapshots of the last frames, dense for the latest and sparse for older ones.

use std::collections::VecDeque;

/// Limit of snapshots. It holds two minutes at 60 frames a second.
const MAX_SNAPSHOTS: usize = 600;
/// One in so many snapshots is for the latest frames, all of which are kept.
const DENSE_SHARE: usize = 5;
/// Of older frames, one in so many is kept.
const SPARSE_STEP: u64 = 15;

/// Snapshots by their frames, the oldest first.
pub(crate) struct History<S> {
    snapshots: VecDeque<(u64, S)>,
    /// A snapshot that is used again.
    spare: Option<S>,
    /// Limit of snapshots, by the memory that they may take.
    most: usize,
}

impl<S> Default for History<S> {
    fn default() -> Self {
        Self { snapshots: VecDeque::new(), spare: None, most: MAX_SNAPSHOTS }
    }
}

impl<S: Default> History<S> {
    /// A snapshot to be written to.
    pub(crate) fn spare(&mut self) -> S {
        self.spare.take().unwrap_or_default()
    }

    /// Sets how many bytes all snapshots may take if one takes `each`. The present and an earlier moment are always
    /// kept.
    pub(crate) fn limit(&mut self, bytes: usize, each: usize) {
        self.most = (bytes / each.max(1)).clamp(2, MAX_SNAPSHOTS);
    }

    /// Adds the snapshot of the latest frame, and drops what is no longer kept.
    pub(crate) fn push(&mut self, frame: u64, snapshot: S) {
        self.forget_from(frame);
        self.snapshots.push_back((frame, snapshot));
        let bucket = |place: usize| self.snapshots[place].0 / SPARSE_STEP;
        let dense = (self.most / DENSE_SHARE).max(1);
        // The oldest one stays.
        if let Some(place) = self.snapshots.len().checked_sub(dense + 1).filter(|place| *place > 0)
            && bucket(place) == bucket(place - 1)
        {
            self.spare = self.snapshots.remove(place).map(|(_, snapshot)| snapshot);
        }
        while self.snapshots.len() > self.most {
            self.spare = self.snapshots.pop_front().map(|(_, snapshot)| snapshot);
        }
    }

    /// Drops the snapshots of a frame and of all later ones.
    pub(crate) fn forget_from(&mut self, frame: u64) {
        while let Some((_, snapshot)) = self.snapshots.pop_back_if(|(kept, _)| *kept >= frame) {
            self.spare = Some(snapshot);
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
        assert_eq!(history.snapshots.len(), MAX_SNAPSHOTS);
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
        assert_eq!(history.snapshots.len(), MAX_SNAPSHOTS);
        let frames: Vec<u64> = history.snapshots.iter().map(|(frame, _)| *frame).collect();
        assert!(frames.windows(2).all(|pair| pair[1] - pair[0] <= 15), "{frames:?}");
    }

    #[test]
    fn large_snapshots_are_fewer() {
        let mut history = History::<u64>::default();
        (1..=1_000).for_each(|frame| history.push(frame, frame));
        history.limit(1_000, 40);
        (1_001..=2_000).for_each(|frame| history.push(frame, frame));
        let frames: Vec<u64> = history.snapshots.iter().map(|(frame, _)| *frame).collect();
        assert_eq!((frames.len(), &frames[20..]), (25, &[1_996, 1_997, 1_998, 1_999, 2_000][..]), "{frames:?}");
        assert!(frames[0] < 1_750, "older ones are sparse: {frames:?}");
        history.limit(1_000, usize::MAX);
        history.push(2_001, 2_001);
        assert_eq!(history.range(), Some((1_999, 2_001)), "the present, and one to go back to");
        assert_eq!(history.snapshots.len(), 2);
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
