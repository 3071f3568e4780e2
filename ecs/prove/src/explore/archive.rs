//! [`Archive`]: the states that lead on.

use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::str::FromStr;

use ecs::random::RandomStream;

use super::player::{Moment, Segment, Trail};
use crate::Refuted;

/// Limit of the states. The one that was gone on from most goes first.
const MOST_STATES: usize = 2_000;
/// So many are the newest ones.
const NEWEST_STATES: u32 = 8;
/// What is left on the way to a condition must become so much less before its state is kept.
const LEAST_PROGRESS: f32 = 0.985;
/// Limit of the steps of a segment in a file.
const MOST_STEPS: usize = 1 << 20;

/// A state to go on from.
pub(super) struct State {
    /// With what the invariants remember: they hold from frame to frame, wherever a run goes on.
    pub(super) moment: Moment,
    pub(super) trail: Trail,
    /// How often a run has gone on from here.
    visits: u32,
}

pub(super) struct Archive {
    /// The first one is the beginning.
    states: Vec<State>,
    /// Their indices, from the oldest to the newest.
    newest: Vec<usize>,
    /// For each condition that must be seen sometimes and was not: the state that is nearest to it.
    nearest: Vec<Option<(usize, f32)>>,
}

impl Archive {
    pub(super) fn new(beginning: Moment) -> Self {
        let states = vec![State { moment: beginning, trail: Trail::default(), visits: 0 }];
        Self { states, newest: vec![0], nearest: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn state(&self, index: usize) -> &State {
        &self.states[index]
    }

    /// The steps from the beginning to a state.
    pub(super) fn length(&self, index: usize) -> usize {
        self.states[index].trail.steps()
    }

    /// A state to go on from: one that is nearest to what was not seen yet, one of the newest, or one that was seldom
    /// gone on from.
    pub(super) fn choose(&mut self, random: &mut RandomStream) -> usize {
        let wanted: Vec<usize> = self.nearest.iter().flatten().map(|(index, _)| *index).collect();
        let index = match random.pick(&wanted) {
            Some(index) if random.chance(0.5) => *index,
            _ => {
                let count = u32::try_from(self.states.len()).unwrap_or(u32::MAX);
                let among = if random.chance(0.5) { count.min(NEWEST_STATES) } else { count };
                let drawn = [(); 3].map(|()| self.newest[self.newest.len() - 1 - random.below(among) as usize]);
                drawn.into_iter().min_by_key(|index| self.states[*index].visits).unwrap_or(0)
            }
        };
        self.states[index].visits += 1;
        index
    }

    pub(super) fn segment(&self, random: &mut RandomStream, steps: usize) -> Segment {
        Segment { seed: random.next_u64(), steps }
    }

    /// Keeps a state; when there are too many, in the place of the one from which most runs went on.
    pub(super) fn keep(&mut self, moment: Moment, trail: Trail) -> usize {
        let state = State { moment, trail, visits: 0 };
        if self.states.len() < MOST_STATES {
            self.newest.push(self.states.len());
            self.states.push(state);
            return self.states.len() - 1;
        }
        let places = 1..self.states.len();
        let index = places.max_by_key(|index| self.states[*index].visits).unwrap_or(0);
        self.states[index] = state;
        self.newest.retain(|known| *known != index);
        self.newest.push(index);
        self.nearest.iter_mut().for_each(|nearest| *nearest = nearest.filter(|(known, _)| *known != index));
        index
    }

    /// Whether a condition was never so near, by at least a share of what is left.
    pub(super) fn is_nearer(&self, condition: usize, nearness: f32) -> bool {
        let left = |nearness: f32| 1.0 / nearness - 1.0;
        match self.nearest.get(condition).copied().flatten() {
            Some((_, known)) => nearness > known && left(nearness) <= LEAST_PROGRESS * left(known),
            None => nearness > 0.0,
        }
    }

    /// Notes the state that is nearest to a condition; no state if it was seen.
    pub(super) fn note_nearest(&mut self, condition: usize, nearest: Option<(usize, f32)>) {
        if self.nearest.len() <= condition {
            self.nearest.resize(condition + 1, None);
        }
        self.nearest[condition] = nearest;
    }

    /// How all states but the beginning are reached, without those on the way to others; the newest first.
    pub(super) fn into_trails(self) -> Vec<Trail> {
        let all: Vec<&Trail> = self.newest.iter().rev().map(|index| &self.states[*index].trail).collect();
        let mut on_the_way = HashSet::new();
        for trail in &all {
            let segments = trail.segments();
            on_the_way.extend((0..segments.len()).map(|count| &segments[..count]));
        }
        let ends = all.into_iter().filter(|trail| !on_the_way.contains(trail.segments()));
        ends.cloned().collect()
    }
}

/// One trail a line: its segments, each a seed and a number of steps.
pub(super) fn written_trails(trails: &[Trail]) -> String {
    let mut text = String::new();
    for trail in trails {
        for Segment { seed, steps } in trail.segments() {
            // A string takes all.
            _ = write!(text, "{seed:x}:{steps} ");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// Reads what [`written_trails`] wrote; nothing if there is no such file.
pub(super) fn read_trails(file: &Path) -> Result<Vec<Trail>, Refuted> {
    let attempt = format!("read {}", file.display());
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Refuted::failed(&attempt)(error)),
    };
    let segment = |written: &str| {
        let (seed, steps) = written.split_once(':')?;
        let steps = usize::from_str(steps).ok().filter(|steps| *steps <= MOST_STEPS)?;
        Some(Segment { seed: u64::from_str_radix(seed, 16).ok()?, steps })
    };
    let mut trails = Vec::new();
    for (line, written) in (1..).zip(text.lines().filter(|line| !line.trim().is_empty())) {
        let segments: Option<Vec<Segment>> = written.split_whitespace().map(segment).collect();
        let segments = segments.ok_or_else(|| {
            let sentence = format!("line {line} is not a list of seeds and steps, such as `1f:16 9c:4`");
            Refuted::failed(&attempt)(sentence)
        })?;
        trails.push(Trail::of(segments));
    }
    Ok(trails)
}
