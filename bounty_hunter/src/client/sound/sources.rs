//! The sounds of kinds: which of them begin between two views, how loud, and on which side.

use std::collections::BTreeMap;

use glam::Vec2;

use super::cues::{Cue, Heard, WIDEST};
use crate::client::picture::interpolate::Merge;
use bounty_hunter_simulation::arena::wrapped_delta;
use bounty_hunter_simulation::simulation::view::{GameState, SourceView, View};
use bounty_hunter_simulation::sound_source::Occasion;
use bounty_hunter_simulation::sounds::Sounds;

/// The sounds of kinds at the same time; the quieter ones of a step are dropped.
const MAX_VOICES: usize = 16;

/// What begins, and for how long it is heard.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Begun {
    heard: Heard,
    seconds: f32,
}

/// Finds what is heard of the sources of a match.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources {
    /// Each effect: its cue and its length in seconds.
    effects: BTreeMap<String, (Cue, f32)>,
    /// Seconds until each source that is always heard begins again, by key.
    loops: Vec<(u64, f32)>,
    /// The same for the next step; keeps its memory.
    next_loops: Vec<(u64, f32)>,
    /// Seconds until each voice ends.
    voices: Vec<f32>,
    begun: Vec<Begun>,
}

impl Sources {
    /// The sources of matches with these effects.
    pub(super) fn with(sounds: &Sounds) -> Self {
        let effects = sounds.all_effects().enumerate();
        let effects =
            effects.map(|(at, (name, tones))| (name.to_owned(), (Cue::of_number(at), Cue::length_seconds(tones))));
        Self { effects: effects.collect(), ..Self::default() }
    }

    /// Adds what begins in one step to `heard`, for a listener at this place.
    pub(super) fn listen(&mut self, previous: &View, current: &View, ear: Vec2, heard: &mut Vec<Heard>) {
        let is_running = previous.state == GameState::Running && current.state == GameState::Running;
        if !is_running || previous.sources.is_empty() && current.sources.is_empty() {
            return;
        }
        let seconds = (previous.clock_seconds - current.clock_seconds).max(0.0);
        self.voices.iter_mut().for_each(|left_seconds| *left_seconds -= seconds);
        self.voices.retain(|left_seconds| *left_seconds > 0.0);
        self.begun.clear();
        self.next_loops.clear();
        let half_m = current.world_half_extent;
        for (before, now) in Merge::new(&previous.sources, &current.sources, |source| source.key) {
            let begins = match now.sound.when {
                Occasion::Always => self.goes_on(now, seconds),
                Occasion::Touched => now.is_touched && current.tick != previous.tick,
                Occasion::Switched => before.is_some_and(|before| before.is_open != now.is_open),
                Occasion::Appeared => before.is_none(),
                Occasion::Vanished => false,
            };
            if begins {
                self.begin(now, ear, half_m);
            }
        }
        for (now, before) in Merge::new(&current.sources, &previous.sources, |source| source.key) {
            if now.is_none() && before.sound.when == Occasion::Vanished {
                self.begin(before, ear, half_m);
            }
        }
        std::mem::swap(&mut self.loops, &mut self.next_loops);
        self.begun.sort_by(|one, other| other.heard.loudness.total_cmp(&one.heard.loudness));
        self.begun.truncate(MAX_VOICES.saturating_sub(self.voices.len()));
        self.voices.extend(self.begun.iter().map(|begun| begun.seconds));
        heard.extend(self.begun.iter().map(|begun| begun.heard));
    }

    /// Lets time pass for a source that is always heard; returns whether it begins again.
    fn goes_on(&mut self, source: &SourceView, seconds: f32) -> bool {
        let Some((_, length_seconds)) = self.effects.get(source.sound.effect.as_str()) else { return false };
        let known = self.loops.binary_search_by_key(&source.key, |(key, _)| *key);
        let left_seconds = known.map_or(0.0, |at| self.loops[at].1 - seconds);
        let begins = left_seconds <= 0.0 && *length_seconds > 0.0;
        // What was late is made up for.
        let left_seconds = if begins { (left_seconds + length_seconds).max(0.0) } else { left_seconds };
        self.next_loops.push((source.key, left_seconds));
        begins
    }

    /// Begins the effect of a source, unless it is out of reach.
    fn begin(&mut self, source: &SourceView, ear: Vec2, world_half_m: f32) {
        let Some(&(cue, seconds)) = self.effects.get(source.sound.effect.as_str()) else { return };
        let way = wrapped_delta(ear, source.position, world_half_m) / source.sound.reach_m;
        let loudness = source.sound.loudness_share * (1.0 - way.length());
        if loudness > 0.0 {
            let heard = Heard { cue, loudness, side: WIDEST * way.x, pitch: 1.0 };
            self.begun.push(Begun { heard, seconds });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bounty_hunter_simulation::assets::Assets;
    use bounty_hunter_simulation::sound_source::SoundSource;

    fn sources() -> Sources {
        Sources::with(&Assets::built_in().sounds)
    }

    fn source(key: u64, x: f32, when: Occasion) -> SourceView {
        let effect = String::from("crash").into();
        let sound = SoundSource { effect, when, loudness_share: 0.8, reach_m: 20.0 };
        SourceView { key, position: Vec2::new(x, 0.0), sound, is_open: false, is_touched: false }
    }

    fn view(clock_seconds: f32, sources: Vec<SourceView>) -> View {
        let tick = (60.0 * clock_seconds) as u64;
        View { state: GameState::Running, tick, clock_seconds, world_half_extent: 100.0, sources, ..View::empty() }
    }

    fn heard(sources: &mut Sources, previous: &View, current: &View) -> Vec<Heard> {
        let mut heard = Vec::new();
        sources.listen(previous, current, Vec2::ZERO, &mut heard);
        heard
    }

    #[test]
    fn nearer_sources_are_louder_each_on_its_side_and_far_ones_are_silent() {
        let at = |x: f32| {
            let now = |key| SourceView { is_touched: true, ..source(key, x, Occasion::Touched) };
            heard(&mut sources(), &view(60.0, vec![source(1, x, Occasion::Touched)]), &view(59.9, vec![now(1)]))
        };
        assert_eq!(at(0.0), [Heard { cue: Cue::Crash, loudness: 0.8, side: 0.0, pitch: 1.0 }]);
        assert_eq!(at(-10.0), [Heard { cue: Cue::Crash, loudness: 0.4, side: -0.35, pitch: 1.0 }]);
        assert_eq!(at(20.0), []);
        // Two places at opposite edges are near each other.
        let mut sources = sources();
        let mut heard = Vec::new();
        let touched = SourceView { is_touched: true, ..source(1, -95.0, Occasion::Touched) };
        sources.listen(&view(60.0, vec![]), &view(59.9, vec![touched]), Vec2::new(95.0, 0.0), &mut heard);
        assert!((heard[0].loudness - 0.4).abs() < 1e-5 && heard[0].side > 0.3, "{heard:?}");
    }

    #[test]
    fn each_occasion_has_its_beginning() {
        use Occasion::{Appeared, Switched, Touched, Vanished};
        let count = |previous: Vec<SourceView>, current: Vec<SourceView>| {
            heard(&mut sources(), &view(60.0, previous), &view(59.9, current)).len()
        };
        let one = |when| vec![source(1, 0.0, when)];
        for when in [Touched, Switched, Appeared, Vanished] {
            assert_eq!(count(one(when), one(when)), 0, "{when:?}");
        }
        let open = || vec![SourceView { is_open: true, ..source(1, 0.0, Switched) }];
        assert_eq!([count(one(Switched), open()), count(open(), one(Switched))], [1, 1]);
        assert_eq!([count(vec![], one(Appeared)), count(one(Appeared), vec![])], [1, 0]);
        assert_eq!([count(vec![], one(Vanished)), count(one(Vanished), vec![])], [0, 1]);
        // A match that stands still repeats nothing.
        let touched = vec![SourceView { is_touched: true, ..source(1, 0.0, Touched) }];
        assert_eq!(heard(&mut sources(), &view(60.0, touched.clone()), &view(60.0, touched)), []);
    }

    #[test]
    fn source_that_always_sounds_begins_again_when_its_effect_is_over() {
        let mut sources = sources();
        let length_seconds = sources.effects["crash"].1;
        let mut begins = 0;
        for step in 0..600 {
            let at = |step: u16| view(60.0 - f32::from(step) / 60.0, vec![source(1, 0.0, Occasion::Always)]);
            begins += heard(&mut sources, &at(step), &at(step + 1)).len();
        }
        let expected = (10.0 / length_seconds).ceil();
        assert!((begins as f32 - expected).abs() <= 1.0, "{begins} times, and not {expected}");
    }

    #[test]
    fn voices_are_bounded_and_the_loudest_are_heard() {
        let all: Vec<SourceView> = (0..100).map(|at| source(at, 0.15 * at as f32, Occasion::Always)).collect();
        let mut sources = sources();
        let first = heard(&mut sources, &view(60.0, all.clone()), &view(59.99, all.clone()));
        assert_eq!(first.len(), MAX_VOICES);
        assert!(first.iter().all(|heard| heard.loudness > 0.7), "{first:?}");
        assert_eq!(heard(&mut sources, &view(59.99, all.clone()), &view(59.98, all)), [], "all voices are taken");
    }
}
