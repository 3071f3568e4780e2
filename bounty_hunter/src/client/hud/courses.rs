//! What became of the people at this screen: what took their last lives, their best loads, and their places.

use std::fmt::Display;

use super::standings::{ordinal, rank_of};
use crate::client::picture::spells;
use crate::client::translation::{tr, tr_with};
use bounty_hunter_simulation::simulation::view::{
    CollectorView, GameState, MineView, PlayerStatistics, PlayerView, View,
};
use bounty_hunter_simulation::spell::Spell;

/// How far apart two collectors that crash can be between two steps, in shares of their half extents.
const NEAR: f32 = 3.0;
/// How far from a mine that explodes its victim can be between two steps, in shares of their half extents.
const NEAR_MINE: f32 = 4.0;
/// Who starves has less than this left in the step before, seconds.
const STARVED_SECONDS: f32 = 0.05;

/// What took the life of a collector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    Crash {
        with: u32,
    },
    Struck {
        by: u32,
    },
    Mined {
        by: u32,
    },
    Starved,
    /// A wall, an obstacle, or what the picture does not show.
    Hit,
}

impl Cause {
    fn sentence(self, view: &View) -> String {
        let name = |player: u32| view.players.get(player as usize).map_or("?", |player| player.name.as_str());
        match self {
            Self::Crash { with } => tr_with("You crashed with {name}", &[("name", &name(with))]),
            Self::Struck { by } => tr_with("{name} struck you", &[("name", &name(by))]),
            Self::Mined { by } => tr_with("You hit the mine of {name}", &[("name", &name(by))]),
            Self::Starved => tr("You starved").to_owned(),
            Self::Hit => tr("You hit an obstacle").to_owned(),
        }
    }
}

/// The course of a match for one player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Course {
    cause: Option<Cause>,
    best_load: f32,
    /// The lowest place since somebody has delivered.
    lowest_rank: u32,
}

/// The courses of the people at this screen, by player.
#[derive(Clone, Debug, Default)]
pub(crate) struct Courses {
    by_player: Vec<Course>,
}

impl Courses {
    /// Follows a step of a match.
    pub(crate) fn follow(&mut self, previous: &View, current: &View) {
        if matches!(current.state, GameState::Restarted | GameState::Started) {
            self.by_player.clear();
        }
        self.by_player.resize(current.players.len(), Course::default());
        if current.state != GameState::Running || previous.players.len() != current.players.len() {
            return;
        }
        for (player, course) in self.by_player.iter_mut().enumerate() {
            let now = &current.players[player];
            if !now.is_here() {
                continue;
            }
            course.best_load = course.best_load.max(now.pocket);
            if current.leader.is_some() {
                course.lowest_rank = course.lowest_rank.max(rank_of(&current.players, player));
            }
            course.cause = cause(previous, current, player as u32).or(course.cause);
        }
    }

    /// What took the last life of a player, in a sentence; `None` before the first death.
    pub(crate) fn last_death(&self, view: &View, player: u32) -> Option<String> {
        self.by_player.get(player as usize)?.cause.map(|cause| cause.sentence(view))
    }

    /// What the first person at this screen has done in a finished match, and can be proud of.
    pub(crate) fn summary(&self, view: &View) -> Option<String> {
        let player = view.players.iter().find(|player| player.is_here())?;
        let PlayerStatistics { bounties, deliveries, deaths, .. } = player.statistics;
        let counts: [(&str, &dyn Display); 3] =
            [("bounties", &bounties), ("deliveries", &deliveries), ("deaths", &deaths)];
        let counts = tr_with("Bounties {bounties} · deliveries {deliveries} · deaths {deaths}", &counts);
        match self.pride(view, player) {
            Some(pride) => Some(format!("{counts} · {pride}")),
            None => (bounties + deaths > 0).then_some(counts),
        }
    }

    /// The best load of a player, and the places gained; `None` without a load.
    fn pride(&self, view: &View, player: &PlayerView) -> Option<String> {
        let course = self.by_player.get(player.index as usize).filter(|course| course.best_load >= 0.5)?;
        let load = format!("{:.0}", course.best_load);
        let rank = rank_of(&view.players, player.index as usize);
        if rank < course.lowest_rank {
            let (from, to) = (ordinal(course.lowest_rank), ordinal(rank));
            let values: [(&str, &dyn Display); 3] = [("load", &load), ("from", &from), ("to", &to)];
            return Some(tr_with("best load {load} · from {from} to {to} place", &values));
        }
        Some(tr_with("best load {load}", &[("load", &load)]))
    }
}

/// What took the life of a player's collector between two steps; `None` if it lives, or was dead.
fn cause(previous: &View, current: &View, player: u32) -> Option<Cause> {
    let find = |view: &View| view.collectors.iter().find(|collector| collector.player == player).copied();
    let died = find(previous).filter(|_| find(current).is_none())?;
    if died.starves_in_seconds.is_some_and(|seconds| seconds <= STARVED_SECONDS) {
        return Some(Cause::Starved);
    }
    let is_near = |mine: &&MineView| {
        mine.position.distance(died.position) <= NEAR_MINE * (mine.half_extent + died.half_extent) / 2.0
    };
    let is_gone = |mine: &&MineView| current.mines.iter().all(|still| still.key != mine.key);
    let others = previous.mines.iter().filter(|mine| mine.owner != player);
    if let Some(mine) = others.filter(is_near).find(is_gone) {
        return Some(Cause::Mined { by: mine.owner });
    }
    let distance = |other: &CollectorView| other.position.distance(died.position);
    let others = previous.collectors.iter().filter(|other| other.player != player);
    let near = others.filter(|other| distance(other) <= NEAR * (other.half_extent + died.half_extent) / 2.0);
    if let Some(other) = near.min_by(|one, other| distance(one).total_cmp(&distance(other))) {
        return Some(Cause::Crash { with: other.player });
    }
    let mut pairs = previous.players.iter().zip(&current.players).filter(|(_, now)| now.index != player);
    let caster = pairs.find(|(before, now)| spells::is_cast(before, now, Spell::Strike));
    Some(caster.map_or(Cause::Hit, |(_, by)| Cause::Struck { by: by.index }))
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::client::sample::{collector, mine, person_here, player};
    use bounty_hunter_simulation::simulation::view::SpellView;

    fn view(others: &[(f32, f32)]) -> View {
        let mut view = View { state: GameState::Running, ..View::empty() };
        view.players = vec![person_here(0)];
        view.collectors = vec![collector(0)];
        for (index, (x, y)) in (1..).zip(others) {
            view.players.push(player(index));
            let position = Vec2::new(*x, *y);
            view.collectors.push(CollectorView { player: index, position, ..collector(u64::from(index)) });
        }
        view
    }

    fn dead(view: &View) -> View {
        let mut dead = view.clone();
        dead.collectors.remove(0);
        dead
    }

    #[test]
    fn death_is_told_with_the_nearest_other_or_its_cause() {
        let near = view(&[(2.5, 0.0), (2.0, 0.0)]);
        assert_eq!(cause(&near, &dead(&near), 0), Some(Cause::Crash { with: 2 }));
        assert_eq!(cause(&near, &near, 0), None);
        let alone = view(&[(40.0, 0.0)]);
        assert_eq!(cause(&alone, &dead(&alone), 0), Some(Cause::Hit));
        let mut starving = view(&[(2.0, 0.0)]);
        starving.collectors[0].starves_in_seconds = Some(0.01);
        assert_eq!(cause(&starving, &dead(&starving), 0), Some(Cause::Starved));
    }

    #[test]
    fn owner_of_a_mine_is_named() {
        let mut before = view(&[(2.5, 0.0), (40.0, 0.0)]);
        before.mines = vec![MineView { owner: 2, ..mine(9) }];
        let mut after = dead(&before);
        assert_eq!(cause(&before, &after, 0), Some(Cause::Crash { with: 1 }), "the mine is still there");
        after.mines.clear();
        assert_eq!(cause(&before, &after, 0), Some(Cause::Mined { by: 2 }));
        let mut courses = Courses::default();
        courses.follow(&before, &after);
        assert_eq!(courses.last_death(&after, 0).as_deref(), Some("You hit the mine of Player 2"));
    }

    #[test]
    fn who_has_cast_a_strike_is_named() {
        let ready = SpellView { left_seconds: 0.0, cooldown_seconds: 9.0 };
        let mut before = view(&[(40.0, 0.0)]);
        before.players[1].spells = Some([ready; Spell::COUNT]);
        let mut after = dead(&before);
        after.players[1].spells.as_mut().expect("there are spells")[Spell::Strike.index()].left_seconds = 9.0;
        assert_eq!(cause(&before, &after, 0), Some(Cause::Struck { by: 1 }));
        let mut courses = Courses::default();
        courses.follow(&before, &after);
        assert_eq!(courses.last_death(&after, 0).as_deref(), Some("Player 1 struck you"));
        assert_eq!(courses.last_death(&after, 1), None, "only people at this screen are told");
    }

    #[test]
    fn summary_has_the_best_load_and_the_places_gained() {
        let step = |own: f32, other: f32, pocket: f32| {
            let mut view = view(&[(40.0, 0.0)]);
            view.players[0] = PlayerView { stashed: own, pocket, ..person_here(0) };
            view.players[1].stashed = other;
            view.leader = (own != other).then_some(u32::from(own < other));
            view
        };
        let steps = [step(0.0, 0.0, 5.0), step(0.0, 9.0, 42.0), step(42.0, 9.0, 0.0)];
        let mut courses = Courses::default();
        steps.windows(2).for_each(|pair| courses.follow(&pair[0], &pair[1]));
        let summary = courses.summary(&steps[2]);
        let counts = "Bounties 0 · deliveries 0 · deaths 0";
        assert_eq!(summary, Some(format!("{counts} · best load 42 · from 2nd to 1st place")));
        courses.follow(&steps[2], &View { state: GameState::Restarted, ..steps[0].clone() });
        assert_eq!(courses.summary(&steps[0]), None, "a new match begins anew");
        let mut unlucky = steps[0].clone();
        unlucky.players[0].statistics.deaths = 2;
        assert_eq!(courses.summary(&unlucky).as_deref(), Some("Bounties 0 · deliveries 0 · deaths 2"));
    }
}
