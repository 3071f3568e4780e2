//! The last moments of a match, seen again slowly once it is over. The clock is seen to run out, and slows the match
//! down before; a full stash and the last crash come suddenly.

use std::collections::VecDeque;

use crate::client::picture::Picture;
use bounty_hunter_simulation::simulation::view::{Ending, GameState, View};

/// How much of the match is seen again, its tempo, and the time after it in which the sparks fly on.
const SECONDS: f32 = 0.8;
const TEMPO: f32 = 0.45;
const AFTER_SECONDS: f32 = 0.6;
/// Steps before them, for the trails.
const STEPS_OF_TRAILS: usize = 44;
/// With more players nothing is kept: a copy of each step would cost too much.
const MAX_PLAYERS: usize = 64;

/// Keeps the last views of a running match, and shows them again.
pub(crate) struct LastMoments {
    /// Views of the last steps, the oldest first.
    kept: VecDeque<View>,
    /// The step that was followed last, and whether the match has ended.
    tick: Option<u64>,
    has_ended: bool,
    step_seconds: f32,
    again: Option<Again>,
}

struct Again {
    picture: Picture,
    /// The next of the kept views, and the share of a step for which the one before has been shown.
    next: usize,
    share: f32,
}

impl LastMoments {
    pub(crate) fn new(steps_per_second: u32) -> Self {
        let step_seconds = 1.0 / steps_per_second.max(1) as f32;
        Self { kept: VecDeque::new(), tick: None, has_ended: false, step_seconds, again: None }
    }

    /// Follows a step of the match.
    pub(crate) fn follow(&mut self, view: &View) {
        let is_next = self.tick.replace(view.tick).is_some_and(|last| last + 1 == view.tick);
        match view.state {
            GameState::Running => {
                if !is_next || self.has_ended {
                    self.forget();
                }
                self.keep(view);
            }
            GameState::GameOver if !self.has_ended => {
                self.has_ended = true;
                if is_next {
                    self.keep(view);
                    self.begin();
                }
            }
            GameState::GameOver | GameState::Paused => {}
            _ => self.forget(),
        }
    }

    fn keep(&mut self, view: &View) {
        if view.players.len() > MAX_PLAYERS {
            return;
        }
        let most = (SECONDS / self.step_seconds) as usize + STEPS_OF_TRAILS;
        let mut kept = if self.kept.len() < most { View::empty() } else { self.kept.pop_front().unwrap_or_default() };
        kept.clone_from(view);
        // The match is over whenever this is seen.
        kept.state = GameState::GameOver;
        self.kept.push_back(kept);
    }

    fn forget(&mut self) {
        self.kept.clear();
        (self.has_ended, self.again) = (false, None);
    }

    fn begin(&mut self) {
        let ending = self.kept.back().and_then(|last| last.result.as_ref()).map(|result| result.ending);
        if ending.is_none_or(|ending| ending == Ending::Time) {
            return;
        }
        let Some(first) = self.kept.front() else { return };
        let mut picture = Picture::of(first.clone(), self.step_seconds);
        let before = self.kept.len().saturating_sub((SECONDS / self.step_seconds) as usize).max(1);
        self.kept.iter().take(before).skip(1).for_each(|view| picture.advance_to(view));
        self.again = Some(Again { picture, next: before, share: 0.0 });
    }

    /// How long it takes to see them again, seconds; `None` if there is nothing to see.
    pub(crate) fn seconds(&self) -> Option<f32> {
        let again = self.again.as_ref()?;
        Some((self.kept.len() - again.next) as f32 * self.step_seconds / TEMPO + AFTER_SECONDS)
    }

    /// Goes on by the time of a frame. Once the last view is reached, it stays, and the effects go on.
    pub(crate) fn advance(&mut self, frame_seconds: f32) {
        let Some(Again { picture, next, share }) = &mut self.again else { return };
        *share += frame_seconds.clamp(0.0, 0.25) * TEMPO / self.step_seconds;
        while *share >= 1.0 {
            *share -= 1.0;
            if let Some(view) = self.kept.get(*next).or(self.kept.back()) {
                picture.advance_to(view);
            }
            *next += 1;
        }
    }

    /// The picture to show in place of that of the match, and the share of a step between its views.
    pub(crate) fn picture(&mut self) -> Option<(&mut Picture, f32)> {
        self.again.as_mut().map(|again| (&mut again.picture, again.share))
    }

    /// The view to show in place of that of the match.
    pub(crate) fn view(&self) -> Option<&View> {
        self.again.as_ref().map(|again| again.picture.view())
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::client::sample::{collector, player};
    use bounty_hunter_simulation::simulation::view::{CollectorView, MatchResult};

    /// A match of two, in which the first one has driven so many centimetres as there were steps.
    fn view(tick: u64) -> View {
        let place = |index: u32| Vec2::new(if index == 0 { tick as f32 / 100.0 } else { 0.0 }, 0.0);
        let of = |index| CollectorView { player: index, position: place(index), ..collector(u64::from(index)) };
        let (players, collectors) = ((0..2).map(player).collect(), (0..2).map(of).collect());
        View { tick, state: GameState::Running, players, collectors, ..View::empty() }
    }

    fn over(tick: u64, ending: Ending) -> View {
        let result = Some(MatchResult { ending, winner: Some(0) });
        View { state: GameState::GameOver, result, ..view(tick) }
    }

    fn played_until(tick: u64, ending: Ending) -> LastMoments {
        let mut moments = LastMoments::new(60);
        (1..tick).for_each(|tick| moments.follow(&view(tick)));
        moments.follow(&over(tick, ending));
        moments
    }

    fn seen(moments: &LastMoments) -> Option<u64> {
        moments.view().map(|view| view.tick)
    }

    #[test]
    fn last_moments_are_seen_again_slowly_after_a_sudden_end() {
        for ending in [Ending::StashFull, Ending::LastStanding] {
            let mut moments = played_until(500, ending);
            let seconds = moments.seconds().expect("they are seen");
            assert!((2.2..2.6).contains(&seconds), "{seconds}");
            assert_eq!(seen(&moments), Some(452));
            // Half a second of a slow match are a quarter of its steps.
            (0..30).for_each(|_| moments.advance(1.0 / 60.0));
            assert_eq!(seen(&moments), Some(465));
            (0..120).for_each(|_| moments.advance(1.0 / 60.0));
            assert_eq!(seen(&moments), Some(500), "the end stays");
            // Steps of the finished match change nothing.
            moments.follow(&over(501, ending));
            assert_eq!(seen(&moments), Some(500));
        }
    }

    #[test]
    fn clock_that_has_run_out_was_seen_slowly_before() {
        assert_eq!(seen(&played_until(500, Ending::Time)), None);
    }

    #[test]
    fn pause_shortly_before_the_end_takes_nothing_away() {
        let mut moments = LastMoments::new(60);
        (1..100).for_each(|tick| moments.follow(&view(tick)));
        (100..300).for_each(|tick| moments.follow(&View { state: GameState::Paused, ..view(tick) }));
        moments.follow(&view(300));
        moments.follow(&over(301, Ending::StashFull));
        assert_eq!((seen(&moments), moments.kept.len()), (Some(53), 48 + STEPS_OF_TRAILS));
    }

    #[test]
    fn next_match_and_a_rewind_show_nothing_again() {
        let mut moments = played_until(500, Ending::StashFull);
        moments.follow(&View { state: GameState::Started, ..view(502) });
        assert_eq!((seen(&moments), moments.kept.len()), (None, 0));
        let mut moments = played_until(500, Ending::StashFull);
        moments.follow(&view(300));
        moments.follow(&view(301));
        assert_eq!((seen(&moments), moments.kept.len()), (None, 2));
        moments.follow(&over(302, Ending::StashFull));
        assert_eq!(seen(&moments), Some(300), "as much as there is");
    }

    #[test]
    fn few_views_are_kept_and_none_of_a_crowd() {
        let moments = played_until(5_000, Ending::StashFull);
        assert_eq!(moments.kept.len(), 48 + STEPS_OF_TRAILS);
        let mut crowd = LastMoments::new(60);
        let of = |tick| View { players: (0..100).map(player).collect(), ..view(tick) };
        (0..99).for_each(|tick| crowd.follow(&of(tick)));
        assert_eq!(crowd.kept.len(), 0);
    }
}
