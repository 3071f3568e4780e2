//! The highlight of a match: the few seconds in which most happens.

use ecs::Error;

use super::replay::{Playback, Seeker};
use crate::simulation::view::{GameState, PlayerView, View};

/// The length of a highlight, seconds.
pub const SECONDS: f32 = 8.0;
/// What moves a match, in points: a new leader, the victory, and a full pocket that is delivered or lost.
const NEW_LEADER: f32 = 0.8;
const VICTORY: f32 = 1.0;
const FULL_DELIVERED: f32 = 1.0;
const FULL_LOST: f32 = 0.7;
/// The factor of what happens to people.
const OF_PEOPLE: f32 = 1.5;

/// A part of a match, and the player whom it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// The first step that is shown.
    pub from: u64,
    /// The last step that is shown.
    pub to: u64,
    /// The player to follow.
    pub player: u32,
}

/// What one step has of a highlight: points by player.
type Points = Vec<(u32, f32)>;

/// Finds the highlight of a replay: the 8 seconds (or the whole match, if that is shorter) with most new leaders, loads
/// and victories, and the player with most of them. Plays the match to its end, and keeps one short list for each step
/// in which something happens.
///
/// Returns `None` for a match in which nothing of that happens.
///
/// # Errors
/// The replay cannot be played on: see [`Seeker::step`].
pub fn find(playback: Playback) -> Result<(Option<Highlight>, Seeker), Error> {
    let mut search = Search::new(playback)?;
    while search.step()? {}
    Ok(search.end())
}

/// The search of [`find`], a step at a time, for a program that does something else meanwhile.
pub struct Search {
    seeker: Seeker,
    previous: View,
    current: View,
    moments: Vec<(u64, Points)>,
}

impl Search {
    /// A search before its first step.
    ///
    /// # Errors
    /// The engine holds a value of an unregistered type: see [`Seeker::new`].
    pub fn new(playback: Playback) -> Result<Self, Error> {
        let seeker = Seeker::new(playback)?;
        Ok(Self { seeker, previous: View::empty(), current: View::empty(), moments: Vec::new() })
    }

    /// Plays the next step of the match; returns whether there was one.
    ///
    /// # Errors
    /// The replay cannot be played on: see [`Seeker::step`].
    pub fn step(&mut self) -> Result<bool, Error> {
        let Self { seeker, previous, current, moments } = self;
        let begin = seeker.playback().about().begin;
        if seeker.step()?.is_none() {
            return Ok(false);
        }
        let step = seeker.playback().simulation().tick();
        // Before are other matches of the same recording.
        if step >= begin {
            std::mem::swap(previous, current);
            seeker.playback().simulation().view_into(current);
        }
        let points = if step > begin { points(previous, current) } else { Points::new() };
        if !points.is_empty() {
            moments.push((step, points));
        }
        Ok(true)
    }

    /// How much of the match is played, 0 to 1.
    #[must_use]
    pub fn progress(&self) -> f32 {
        let playback = self.seeker.playback();
        playback.simulation().tick() as f32 / playback.about().steps.max(1) as f32
    }

    /// What was found in the steps so far.
    #[must_use]
    pub fn end(self) -> (Option<Highlight>, Seeker) {
        let about = self.seeker.playback().about();
        let (begin, length) = (about.begin, (SECONDS * about.steps_per_second as f32) as u64);
        let end = self.seeker.playback().simulation().tick();
        (best(&self.moments, begin, end, length), self.seeker)
    }
}

/// The best part of this length. What happens should be near its end, so that one sees how it came about.
fn best(moments: &[(u64, Points)], begin: u64, end: u64, length: u64) -> Option<Highlight> {
    // The points of all moments before each, and of all.
    let mut before = vec![0.0_f64];
    for (_, points) in moments {
        let here: f64 = points.iter().map(|(_, points)| f64::from(*points)).sum();
        before.push(before.last().copied().unwrap_or_default() + here);
    }
    let sum = |from: u64, to: u64| {
        let first = moments.partition_point(|(step, _)| *step < from);
        let end = moments.partition_point(|(step, _)| *step <= to);
        before[end] - before[first]
    };
    let after = length / 6;
    let parts = moments.iter().map(|(step, _)| {
        let to = (step + after).min(end);
        (to.saturating_sub(length).max(begin), to)
    });
    let (from, to) = parts.max_by(|one, other| sum(one.0, one.1).total_cmp(&sum(other.0, other.1)))?;
    let mut by_player: Points = Vec::new();
    for (_, points) in moments.iter().filter(|(step, _)| (from..=to).contains(step)) {
        for (player, points) in points {
            match by_player.iter_mut().find(|(known, _)| known == player) {
                Some((_, sum)) => *sum += points,
                None => by_player.push((*player, *points)),
            }
        }
    }
    let (player, _) = by_player.into_iter().max_by(|one, other| one.1.total_cmp(&other.1))?;
    Some(Highlight { from, to, player })
}

/// What happened between two views.
fn points(previous: &View, current: &View) -> Points {
    if previous.players.len() != current.players.len() {
        return Points::new();
    }
    let mut points = Points::new();
    let mut add = |player: &PlayerView, value: f32| {
        if value > 0.0 {
            points.push((player.index, value * if player.is_person() { OF_PEOPLE } else { 1.0 }));
        }
    };
    let full = |load: f32| if current.pocket_capacity > 0.0 { load / current.pocket_capacity } else { 0.0 };
    let player = |player: Option<u32>| player.and_then(|player| current.players.get(player as usize));
    if current.state == GameState::Running {
        if let (Some(_), Some(leader)) = (previous.leader, player(current.leader))
            && previous.leader.is_none_or(|before| !current.are_of_one_side(before, leader.index))
        {
            add(leader, NEW_LEADER);
        }
        for (before, now) in previous.players.iter().zip(&current.players) {
            let delivered = full((now.stashed - before.stashed).min(before.pocket));
            let lost =
                if now.respawn_seconds > before.respawn_seconds { full(before.pocket - now.pocket) } else { 0.0 };
            add(now, delivered * FULL_DELIVERED + lost.max(0.0) * FULL_LOST);
        }
    }
    let is_over = current.state == GameState::GameOver && previous.state != GameState::GameOver;
    if let Some(winner) = player(current.result.as_ref().and_then(|result| result.winner)).filter(|_| is_over) {
        add(winner, VICTORY);
    }
    points
}

#[cfg(test)]
mod tests {
    use ecs::Engine;

    use super::*;
    use crate::assets::Assets;
    use crate::data::input::Inputs;
    use crate::simulation::{MatchSetup, Simulation};
    use replay::Recorder;

    use super::super::replay;

    #[test]
    fn best_part_holds_most_points_with_the_time_before_them() {
        let moments = [(100, vec![(0, 1.0)]), (900, vec![(1, 0.9)]), (1_000, vec![(1, 0.4), (0, 0.2)])];
        let best = |begin, end| best(&moments, begin, end, 480);
        assert_eq!(best(0, 2_000), Some(Highlight { from: 600, to: 1_080, player: 1 }));
        assert_eq!(best(0, 1_010), Some(Highlight { from: 530, to: 1_010, player: 1 }), "to the end at most");
        assert_eq!(best(900, 1_010).map(|found| found.from), Some(900), "and not before the match");
        assert_eq!(super::best(&[], 0, 2_000, 480), None);
    }

    #[test]
    fn highlight_of_a_replay_has_a_delivery_of_its_player() {
        let (assets, setup) = (Assets::built_in(), MatchSetup::of_ais(7, 8, "normal"));
        let mut simulation = Simulation::new(&assets, &setup).expect("the match can be set up");
        let mut recorder = Recorder::new("classic", &assets, &setup).expect("it can be recorded");
        for _ in 0..1_800 {
            simulation.step(&Inputs::none());
            recorder.note(&Inputs::none(), &mut simulation);
        }
        let playback = Playback::new(recorder.replay(&mut simulation), &assets, Engine::builder());
        let (found, mut seeker) = find(playback.expect("it plays")).expect("it can be sought in");
        let found = found.expect("much happens in half a minute");
        assert!(found.to <= 1_800 && found.to - found.from <= 480, "{found:?}");
        let mut stashed = |step| {
            seeker.seek(step, u64::MAX).expect("it can be sought");
            seeker.playback().simulation().view().players[found.player as usize].stashed
        };
        assert!(stashed(found.to) > stashed(found.from), "{found:?}");
    }
}
