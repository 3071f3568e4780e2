//! Sentences about the match: for everybody, a new leader, a stash that is nearly full and a gold rush; for people at
//! this screen, their hunger.

use std::fmt::Display;

use super::standings::names_of_side;
use crate::client::translation::{tr, tr_later, tr_with};
use bounty_hunter_simulation::simulation::view::{GameState, GoldRushView, HUNGRY_SECONDS, PlayerView, View};

/// How long a sentence is shown.
const SHOWN_SECONDS: f32 = 2.5;
/// The share of its capacity from which a stash is nearly full.
const NEARLY_FULL: f32 = 0.85;
/// With more players, only leads that people, at any screen, take or lose are announced.
const MAX_PLAYERS: usize = 24;

/// The last player that led alone, or with its team.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lead(Option<u32>);

impl Lead {
    /// Follows a step. Returns the player that had the lead, if one of another side has it now.
    pub(crate) fn follow(&mut self, view: &View) -> Option<u32> {
        if matches!(view.state, GameState::Restarted | GameState::Started) {
            self.0 = None;
        }
        let leader = view.leader?;
        self.0.replace(leader).filter(|before| !view.are_of_one_side(*before, leader))
    }
}

/// A sentence about a player, or about gold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Announcement {
    /// `None` if it is about gold in the arena.
    pub(crate) player: Option<u32>,
    pub(crate) sentence: String,
    seconds_left: f32,
}

impl Announcement {
    /// Its opacity: it fades in its last second.
    pub(crate) fn opacity(&self) -> f32 {
        self.seconds_left.clamp(0.0, 1.0)
    }
}

/// Finds what to announce.
#[derive(Clone, Debug, Default)]
pub(crate) struct Announcer {
    lead: Lead,
    shown: Option<Announcement>,
}

impl Announcer {
    /// The announcement to show now.
    pub(crate) fn shown(&self) -> Option<&Announcement> {
        self.shown.as_ref()
    }

    /// Follows a step of the match.
    pub(crate) fn follow(&mut self, previous: &View, current: &View, step_seconds: f32) {
        let before = self.lead.follow(current);
        if current.state != GameState::Running || previous.players.len() != current.players.len() {
            self.shown = None;
            return;
        }
        if let Some(shown) = &mut self.shown {
            shown.seconds_left -= step_seconds;
        }
        self.shown.take_if(|shown| shown.seconds_left <= 0.0);
        let is_person = |player: u32| current.players.get(player as usize).is_some_and(PlayerView::is_person);
        let is_told = |player| current.players.len() <= MAX_PLAYERS || is_person(player);
        if let (Some(before), Some(leader)) = (before, current.leader)
            && (is_told(before) || is_told(leader))
        {
            let of_team = tr_later("{names} take the lead");
            self.announce_side(current, leader, (tr_later("{name} takes the lead"), of_team));
        }
        let limit = current.stash_capacity * NEARLY_FULL;
        let mut players = previous.players.iter().zip(&current.players);
        let nearly_full = players.find(|(before, now)| before.score() < limit && now.score() >= limit);
        if let Some((_, player)) = nearly_full.filter(|_| current.full_stash_ends_match) {
            let of_team = tr_later("{names} have almost won: their stashes are nearly full");
            let of_one = tr_later("{name} has almost won: the stash is nearly full");
            self.announce_side(current, player.index, (of_one, of_team));
        }
        self.tell_of_gold(previous, current);
        self.warn_of_hunger(previous, current);
    }

    /// Announces gold, its appearance, and the player whose collector took it.
    fn tell_of_gold(&mut self, previous: &View, current: &View) {
        let (before, now) = (previous.gold_rush, current.gold_rush);
        let is_there = |rush: &GoldRushView| rush.appears_in_seconds <= 0.0;
        if let Some(rush) = now.filter(|rush| !is_there(rush) && before.is_none_or(|before| is_there(&before))) {
            let (points, seconds) = (format!("{:.0}", rush.value), format!("{:.0}", rush.appears_in_seconds.ceil()));
            let values: [(&str, &dyn Display); 2] = [("points", &points), ("seconds", &seconds)];
            self.show(None, tr_with("Gold rush: {points} points appear in {seconds} s", &values));
        } else if now.is_some_and(|rush| is_there(&rush)) && before.is_some_and(|before| !is_there(&before)) {
            self.show(None, tr("The gold is there").to_owned());
        }
        let mut players = previous.players.iter().zip(&current.players);
        if let Some((_, taker)) = players.find(|(before, now)| now.statistics.gold > before.statistics.gold) {
            self.announce(current, taker.index, tr_later("{name} has the gold"));
        }
    }

    /// Warns a person at this screen whose collector gets hungry.
    fn warn_of_hunger(&mut self, previous: &View, current: &View) {
        let is_hungry = |view: &View, player| {
            let mut hungry = view.collectors.iter().filter(|collector| collector.player == player);
            hungry.any(|collector| collector.starves_in_seconds.is_some_and(|seconds| seconds < HUNGRY_SECONDS))
        };
        let mut here = current.players.iter().map(|player| player.index).filter(|player| current.is_here(*player));
        let warned = here.rfind(|player| is_hungry(current, *player) && !is_hungry(previous, *player));
        if let Some(player) = warned {
            self.announce(current, player, tr_later("{name} starves: bring bounty to the stash"));
        }
    }

    fn announce(&mut self, view: &View, player: u32, sentence: &'static str) {
        let Some(about) = view.players.get(player as usize) else { return };
        self.show(Some(player), tr_with(sentence, &[("name", &about.name)]));
    }

    /// Announces something about a player, or about its team.
    fn announce_side(&mut self, view: &View, player: u32, (of_one, of_team): (&'static str, &'static str)) {
        match names_of_side(view, player).as_slice() {
            [] | [_] => self.announce(view, player, of_one),
            names => self.show(Some(player), tr_with(of_team, &[("names", &names.join(" & "))])),
        }
    }

    fn show(&mut self, player: Option<u32>, sentence: String) {
        self.shown = Some(Announcement { player, sentence, seconds_left: SHOWN_SECONDS });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::sample::{collector, person_elsewhere, person_here, player};
    use bounty_hunter_simulation::simulation::view::CollectorView;

    /// A running match with these stashes, of which a full one ends it.
    fn view(stashes: &[f32]) -> View {
        let player = |(index, stashed): (u32, &f32)| PlayerView { stashed: *stashed, ..player(index) };
        let players: Vec<_> = (0..).zip(stashes).map(player).collect();
        let most = stashes.iter().copied().fold(0.0, f32::max);
        let leaders: Vec<_> = players.iter().filter(|player| player.stashed == most).collect();
        let leader = (leaders.len() == 1).then(|| leaders[0].index);
        let (state, stash_capacity) = (GameState::Running, 100.0);
        View { players, leader, state, stash_capacity, full_stash_ends_match: true, ..View::empty() }
    }

    /// What is shown after each step between two views.
    fn shown(views: &[View]) -> Vec<Option<String>> {
        let mut announcer = Announcer::default();
        let follow = |pair: &[View]| {
            announcer.follow(&pair[0], &pair[1], 0.1);
            announcer.shown().map(|shown| shown.sentence.clone())
        };
        views.windows(2).map(follow).collect()
    }

    #[test]
    fn lead_is_announced_when_another_player_takes_it() {
        let stashes = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [10.0, 20.0]];
        let seen = shown(&stashes.map(|stashes| view(&stashes)));
        assert_eq!(seen, [None, None, Some("Player 1 takes the lead".to_owned())]);
    }

    #[test]
    fn among_very_many_only_people_are_told_of() {
        let many = |first: f32, second: f32, people: usize| {
            let mut stashes = vec![0.0; 100];
            (stashes[0], stashes[1]) = (first, second);
            let mut view = view(&stashes);
            for (index, player) in (0..).zip(view.players.iter_mut().take(people)) {
                *player = PlayerView { stashed: player.stashed, ..person_elsewhere(index) };
            }
            view
        };
        let seen = |people| shown(&[many(0.0, 0.0, people), many(9.0, 0.0, people), many(9.0, 12.0, people)]);
        assert_eq!(seen(0), [None, None]);
        assert!(seen(1)[1].is_some(), "a person has lost the lead");
    }

    #[test]
    fn stash_that_is_nearly_full_is_announced_once_where_it_decides_the_match() {
        let views = [80.0, 90.0, 95.0].map(|stashed| view(&[stashed, 0.0]));
        assert!(shown(&views)[0].as_deref().is_some_and(|sentence| sentence.contains("nearly full")));
        let mut announcer = Announcer::default();
        announcer.follow(&views[1], &views[2], 0.1);
        assert_eq!(announcer.shown(), None, "it was so before");
        let without = views.map(|view| View { full_stash_ends_match: false, ..view });
        assert_eq!(shown(&without), [None, None]);
    }

    #[test]
    fn person_at_this_screen_is_warned_once_before_its_collector_starves() {
        let at = |seconds, is_here: bool| {
            let starving = CollectorView { starves_in_seconds: Some(seconds), ..collector(1) };
            let first = if is_here { person_here(0) } else { person_elsewhere(0) };
            let mut view = View { collectors: vec![starving], ..view(&[0.0, 0.0]) };
            view.players[0] = first;
            view
        };
        let warned = |is_here| {
            let mut announcer = Announcer::default();
            let seconds = [6.2, 5.9, 5.6];
            let views = seconds.map(|seconds| at(seconds, is_here));
            announcer.follow(&views[0], &views[1], 0.1);
            let first = announcer.shown().cloned();
            let mut later = Announcer::default();
            later.follow(&views[1], &views[2], 0.1);
            (first.map(|shown| shown.sentence), later.shown().is_some())
        };
        assert_eq!(warned(true), (Some("Player 0 starves: bring bounty to the stash".to_owned()), false));
        assert_eq!(warned(false), (None, false));
    }

    #[test]
    fn gold_is_announced_before_it_appears_when_it_is_there_and_when_somebody_has_it() {
        let rush = |appears_in_seconds| {
            Some(GoldRushView { key: 5, position: glam::Vec2::ZERO, appears_in_seconds, value: 100.0 })
        };
        let mut views = [None, rush(4.0), rush(0.1), rush(0.0), rush(0.0), None]
            .map(|gold_rush| View { gold_rush, ..view(&[0.0, 0.0]) });
        views[5].players[1].statistics.gold = 1;
        let seen = shown(&views);
        assert_eq!(seen[0].as_deref(), Some("Gold rush: 100 points appear in 4 s"));
        assert_eq!((&seen[0], &seen[2]), (&seen[1], &seen[3]), "each is said once");
        assert_eq!(seen[2].as_deref(), Some("The gold is there"));
        assert_eq!(seen[4].as_deref(), Some("Player 1 has the gold"));
    }

    #[test]
    fn announcement_ends_by_itself_and_with_the_match() {
        let (before, after) = (view(&[80.0, 0.0]), view(&[90.0, 0.0]));
        let mut announcer = Announcer::default();
        announcer.follow(&before, &after, 0.1);
        (0..40).for_each(|_| announcer.follow(&after, &after, 0.1));
        assert_eq!(announcer.shown(), None);
        announcer.follow(&before, &after, 0.1);
        announcer.follow(&after, &View { state: GameState::GameOver, ..after.clone() }, 0.1);
        assert_eq!(announcer.shown(), None);
    }
}
