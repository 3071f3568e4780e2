//! Cues: the sounds that begin between two views.

use glam::Vec2;

use super::sources::Sources;
use super::synthesizer::render;
use crate::client::hud::announcements::Lead;
use crate::client::picture::interpolate::Merge;
use crate::client::picture::spells::is_cast;
use bounty_hunter_simulation::simulation::view::{CollectorView, GameState, PlayerView, View};
use bounty_hunter_simulation::sounds::{Sounds, Tone};
use bounty_hunter_simulation::spell::Spell;

/// The last seconds of the clock that are heard.
const LAST_SECONDS: f32 = 10.0;
/// A mine with less time left has not exploded, seconds.
const MINE_END_SECONDS: f32 = 0.1;
/// The sounds in one step of players who are not at this screen, AIs and people; more are dropped.
const MAX_OF_OTHERS: usize = 4;
/// The loudness of those players where people at this screen play, and where they only watch.
const LOUDNESS_OF_OTHERS: f32 = 0.25;
const LOUDNESS_OF_WATCHED: f32 = 0.5;
/// How far a sound at the edge of the arena is to one side.
pub(super) const WIDEST: f32 = 0.7;

/// An effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cue {
    PickUp,
    Stash,
    Crash,
    OwnCrash,
    Hurt,
    PowerUp,
    MineLaid,
    MineBlast,
    GoldRush,
    Gold,
    Purge,
    Strike,
    Magnet,
    Refused,
    Countdown,
    Go,
    LastSecond,
    LeadChange,
    End,
    Won,
    Lost,
    /// A further effect, by its number among all effects.
    OfKind(usize),
}

impl Cue {
    /// The effects of the game, in the order of the fields of [`Effects`](bounty_hunter_simulation::sounds::Effects).
    pub(super) const OF_GAME: [Self; 21] = [
        Self::PickUp,
        Self::Stash,
        Self::Crash,
        Self::OwnCrash,
        Self::Hurt,
        Self::PowerUp,
        Self::MineLaid,
        Self::MineBlast,
        Self::GoldRush,
        Self::Gold,
        Self::Purge,
        Self::Strike,
        Self::Magnet,
        Self::Refused,
        Self::Countdown,
        Self::Go,
        Self::LastSecond,
        Self::LeadChange,
        Self::End,
        Self::Won,
        Self::Lost,
    ];

    /// The cue of an effect by its number among all effects, of which those of the game come first.
    pub(super) fn of_number(number: usize) -> Self {
        Self::OF_GAME.get(number).copied().unwrap_or(Self::OfKind(number))
    }

    /// The number of its effect among all effects.
    pub(super) fn number(self) -> usize {
        match self {
            Self::OfKind(number) => number,
            cue => Self::OF_GAME.iter().position(|other| *other == cue).expect("the list has all others"),
        }
    }

    /// How long an effect is heard.
    pub(super) fn length_seconds(effect: &[Tone]) -> f32 {
        effect.iter().map(|tone| tone.begin_seconds + tone.length_seconds).fold(0.0, f32::max)
    }

    /// The samples of all effects, by their numbers.
    pub(super) fn samples(sounds: &Sounds) -> Vec<Vec<f32>> {
        sounds.all_effects().map(|(_, tones)| render(tones, 1.0)).collect()
    }
}

/// An effect that begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Heard {
    pub(crate) cue: Cue,
    /// 0 to 1.
    pub(crate) loudness: f32,
    /// From -1, left, to 1, right.
    pub(crate) side: f32,
    /// The factor of all its pitches.
    pub(crate) pitch: f32,
}

impl Heard {
    /// The loudness at the left and at the right, 0 to 1.
    pub(super) fn loudness_of_sides(self) -> (f32, f32) {
        (self.loudness * (1.0 - self.side).min(1.0), self.loudness * (1.0 + self.side).min(1.0))
    }
}

/// Finds the cues of a match.
#[derive(Clone, Debug)]
pub(crate) struct Listener {
    lead: Lead,
    sources: Sources,
    heard: Vec<Heard>,
    heard_of_others: usize,
    /// Of the next cues.
    pitch: f32,
}

impl Default for Listener {
    fn default() -> Self {
        Self { lead: Lead::default(), sources: Sources::default(), heard: Vec::new(), heard_of_others: 0, pitch: 1.0 }
    }
}

impl Listener {
    /// A listener in matches with these effects.
    pub(crate) fn with(sounds: &Sounds) -> Self {
        Self { sources: Sources::with(sounds), ..Self::default() }
    }

    /// The cues of one step. `ear` is where the sounds of kinds are heard.
    pub(crate) fn listen(&mut self, previous: &View, current: &View, ear: Vec2) -> &[Heard] {
        self.heard.clear();
        self.heard_of_others = 0;
        self.listen_to_the_match(previous, current);
        if current.state == GameState::Running && previous.players.len() == current.players.len() {
            self.listen_to_players(previous, current);
            self.listen_to_collectors(previous, current);
            self.listen_to_mines(previous, current);
        }
        self.sources.listen(previous, current, ear, &mut self.heard);
        &self.heard
    }

    fn listen_to_the_match(&mut self, previous: &View, current: &View) {
        let whole = |seconds: f32| seconds.max(0.0).ceil();
        let (before, now) = (previous.countdown_seconds, current.countdown_seconds);
        if now > 0.0 && whole(before) != whole(now) {
            self.everywhere(Cue::Countdown);
        } else if before > 0.0 && now <= 0.0 && current.state == GameState::Running {
            self.everywhere(Cue::Go);
        }
        let (before, now) = (previous.clock_seconds, current.clock_seconds);
        let is_late = current.state == GameState::Running && (0.0..=LAST_SECONDS).contains(&now) && now > 0.0;
        if is_late && whole(before) != whole(now) {
            self.everywhere(Cue::LastSecond);
        }
        match current.state {
            GameState::GameOver if previous.state != GameState::GameOver => self.everywhere(cue_of_end(current)),
            _ => {}
        }
        if self.lead.follow(current).is_some() {
            self.everywhere(Cue::LeadChange);
        }
        let is_coming = |view: &View| view.gold_rush.is_some_and(|rush| rush.appears_in_seconds > 0.0);
        if current.state == GameState::Running && is_coming(current) && !is_coming(previous) {
            self.everywhere(Cue::GoldRush);
        }
    }

    fn listen_to_players(&mut self, previous: &View, current: &View) {
        for (before, now) in previous.players.iter().zip(&current.players) {
            if now.stashed > before.stashed {
                self.of_player(Cue::Stash, now.index, current);
            }
            if now.pocket > before.pocket {
                self.pitch = pitch_of_pick_up(now, current);
                self.of_player(Cue::PickUp, now.index, current);
                self.pitch = 1.0;
            }
            if now.statistics.gold > before.statistics.gold {
                self.of_player(Cue::Gold, now.index, current);
            }
            if now.statistics.refused_spells > before.statistics.refused_spells && now.is_here() {
                self.of_player(Cue::Refused, now.index, current);
            }
            for spell in Spell::ALL.into_iter().filter(|spell| is_cast(before, now, *spell)) {
                // Spells concern everybody.
                self.everywhere(match spell {
                    Spell::Purge => Cue::Purge,
                    Spell::Strike => Cue::Strike,
                    Spell::Magnet => Cue::Magnet,
                });
            }
        }
    }

    fn listen_to_collectors(&mut self, previous: &View, current: &View) {
        let key = |collector: &CollectorView| collector.key;
        for (still, before) in Merge::new(&current.collectors, &previous.collectors, key) {
            let Some(now) = still else {
                let cue = if current.is_here(before.player) { Cue::OwnCrash } else { Cue::Crash };
                self.of_player_at(cue, before.player, before.position.x, current);
                continue;
            };
            let has_more = |of: fn(&CollectorView) -> f32| of(now) > of(before);
            let powers: [fn(&CollectorView) -> f32; 4] =
                [|it| it.ghost_seconds, |it| it.dash_seconds, |it| it.shield_seconds, |it| it.double_seconds];
            // A magnet without spells is a power-up.
            let has_magnet =
                has_more(|it| it.magnet_range) && current.players.iter().all(|player| player.spells.is_none());
            if has_magnet || powers.into_iter().any(has_more) {
                self.of_player_at(Cue::PowerUp, now.player, now.position.x, current);
            }
            if now.health < before.health {
                self.of_player_at(Cue::Hurt, now.player, now.position.x, current);
            }
        }
    }

    /// A mine that is laid, again or for the first time, and one that is gone before its end.
    fn listen_to_mines(&mut self, previous: &View, current: &View) {
        for (before, mine) in Merge::new(&previous.mines, &current.mines, |mine| mine.key) {
            if before.is_none_or(|before| mine.arms_in_seconds > before.arms_in_seconds) {
                self.of_player_at(Cue::MineLaid, mine.owner, mine.position.x, current);
            }
        }
        for (still, mine) in Merge::new(&current.mines, &previous.mines, |mine| mine.key) {
            if still.is_none() && mine.left_seconds > MINE_END_SECONDS {
                self.of_player_at(Cue::MineBlast, mine.owner, mine.position.x, current);
            }
        }
    }

    fn everywhere(&mut self, cue: Cue) {
        self.heard.push(Heard { cue, loudness: 1.0, side: 0.0, pitch: self.pitch });
    }

    /// Adds the cue of a player where its collector is.
    fn of_player(&mut self, cue: Cue, player: u32, view: &View) {
        if self.heard_of_others < MAX_OF_OTHERS || view.is_here(player) {
            let collector = view.collectors.iter().find(|collector| collector.player == player);
            self.of_player_at(cue, player, collector.map_or(0.0, |collector| collector.position.x), view);
        }
    }

    fn of_player_at(&mut self, cue: Cue, player: u32, x: f32, view: &View) {
        let is_here = view.is_here(player);
        if !is_here {
            if self.heard_of_others == MAX_OF_OTHERS {
                return;
            }
            self.heard_of_others += 1;
        }
        let anybody_is_here = || view.players.iter().any(PlayerView::is_here);
        let loudness = match is_here {
            true => 1.0,
            false if anybody_is_here() => LOUDNESS_OF_OTHERS,
            false => LOUDNESS_OF_WATCHED,
        };
        let side = WIDEST * x / view.world_half_extent;
        self.heard.push(Heard { cue, loudness, side, pitch: self.pitch });
    }
}

/// The pitch of a bounty that a player has taken. It rises with the chain, by an octave while bounties become worth
/// twice as much; without a chain with the pocket, by an octave until it is full.
fn pitch_of_pick_up(player: &PlayerView, view: &View) -> f32 {
    let collector = view.collectors.iter().find(|collector| collector.player == player.index);
    let octaves = match collector.map_or(1.0, |collector| collector.chain_factor) {
        factor if factor > 1.0 => factor - 1.0,
        _ if view.pocket_capacity > 0.0 => player.pocket / view.pocket_capacity,
        _ => 0.0,
    };
    libm::exp2f(octaves.clamp(0.0, 1.0))
}

/// The cue of the end of a match: a person at this screen has won or lost, or only watches.
fn cue_of_end(view: &View) -> Cue {
    let winner = view.result.as_ref().and_then(|result| result.winner);
    let mut here = view.players.iter().filter(|player| player.is_here());
    match winner {
        Some(_) if here.any(|player| view.has_won(player.index)) => Cue::Won,
        Some(_) if view.players.iter().any(PlayerView::is_here) => Cue::Lost,
        _ => Cue::End,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::sample::{collector, mine, person_elsewhere, person_here, player};
    use bounty_hunter_simulation::simulation::view::{Ending, GoldRushView, MatchResult, MineView};

    fn running() -> View {
        let players = (0..3).map(player).collect();
        let collectors = (0..3).map(|index| CollectorView { player: index, ..collector(u64::from(index)) }).collect();
        View {
            state: GameState::Running,
            clock_seconds: 60.0,
            world_half_extent: 50.0,
            players,
            collectors,
            ..View::empty()
        }
    }

    fn cues(previous: &View, current: &View) -> Vec<Cue> {
        Listener::default().listen(previous, current, Vec2::ZERO).iter().map(|heard| heard.cue).collect()
    }

    /// The cues after a change of a running match.
    fn after(change: impl Fn(&mut View)) -> Vec<Cue> {
        let mut current = running();
        change(&mut current);
        cues(&running(), &current)
    }

    #[test]
    fn each_change_has_its_sound() {
        assert_eq!(after(|_| {}), []);
        assert_eq!(after(|view| view.players[1].pocket = 10.0), [Cue::PickUp]);
        assert_eq!(after(|view| view.players[1].stashed = 10.0), [Cue::Stash]);
        assert_eq!(after(|view| _ = view.collectors.remove(2)), [Cue::Crash]);
        assert_eq!(after(|view| view.collectors[0].ghost_seconds = 5.0), [Cue::PowerUp]);
        assert_eq!(after(|view| view.collectors[0].shield_seconds = 5.0), [Cue::PowerUp]);
        assert_eq!(after(|view| view.state = GameState::GameOver), [Cue::End]);
        assert_eq!(after(|view| view.clock_seconds = 59.0), []);
    }

    #[test]
    fn mines_are_heard_when_they_are_laid_and_when_they_explode() {
        let with = |mines: &[MineView]| View { mines: mines.to_vec(), ..running() };
        let (armed, fresh) = (mine(7), MineView { arms_in_seconds: 1.0, ..mine(7) });
        assert_eq!(cues(&with(&[]), &with(&[fresh])), [Cue::MineLaid]);
        assert_eq!(cues(&with(&[armed]), &with(&[fresh])), [Cue::MineLaid], "elsewhere");
        assert_eq!(cues(&with(&[fresh]), &with(&[armed])), []);
        assert_eq!(cues(&with(&[armed]), &with(&[])), [Cue::MineBlast]);
        assert_eq!(cues(&with(&[MineView { left_seconds: 0.01, ..armed }]), &with(&[])), [], "it ended by itself");
    }

    #[test]
    fn gold_is_heard_when_it_is_announced_and_when_it_is_taken() {
        let rush = |appears_in_seconds| {
            let rush = GoldRushView { key: 5, position: Vec2::ZERO, appears_in_seconds, value: 100.0 };
            View { gold_rush: Some(rush), ..running() }
        };
        assert_eq!(cues(&running(), &rush(4.0)), [Cue::GoldRush]);
        assert_eq!((cues(&rush(4.0), &rush(3.9)), cues(&rush(0.1), &rush(0.0))), (vec![], vec![]));
        let mut taken = running();
        taken.players[1].statistics.gold = 1;
        assert_eq!(cues(&rush(0.0), &taken), [Cue::Gold]);
    }

    #[test]
    fn refused_spell_is_heard_by_its_person_only() {
        let refused_for = |change: fn(&mut View)| {
            let mut previous = running();
            change(&mut previous);
            let mut current = previous.clone();
            current.players[0].statistics.refused_spells += 1;
            cues(&previous, &current)
        };
        assert_eq!(refused_for(|view| view.players[0] = person_here(0)), [Cue::Refused]);
        assert_eq!(refused_for(|view| view.players[0] = person_elsewhere(0)), []);
        assert_eq!(refused_for(|_| {}), [], "an AI");
    }

    #[test]
    fn countdown_and_last_seconds_tick_once_a_second() {
        let at =
            |state, countdown_seconds, clock_seconds| View { state, countdown_seconds, clock_seconds, ..running() };
        let (started, running) = (GameState::Started, GameState::Running);
        let ready = |seconds| at(started, seconds, 60.0);
        assert_eq!(cues(&ready(0.0), &ready(3.0)), [Cue::Countdown]);
        assert_eq!(cues(&ready(3.0), &ready(2.99)), []);
        assert_eq!(cues(&ready(2.01), &ready(1.99)), [Cue::Countdown]);
        assert_eq!(cues(&ready(0.01), &at(running, 0.0, 60.0)), [Cue::Go]);
        assert_eq!(cues(&at(running, 0.0, 10.01), &at(running, 0.0, 9.99)), [Cue::LastSecond]);
        assert_eq!(cues(&at(running, 0.0, 9.99), &at(running, 0.0, 9.9)), []);
    }

    #[test]
    fn new_leader_is_heard_and_the_first_is_not() {
        let led_by = |leader| View { leader, ..running() };
        let mut listener = Listener::default();
        let mut heard = |from, to| listener.listen(&led_by(from), &led_by(to), Vec2::ZERO).to_vec();
        assert_eq!(heard(None, Some(1)), []);
        assert_eq!(heard(Some(1), None), [], "a tie changes nothing");
        assert_eq!(heard(None, Some(1)), []);
        assert_eq!(heard(Some(1), Some(2)).len(), 1);
    }

    #[test]
    fn people_at_this_screen_are_louder_than_others_and_heard_from_their_side() {
        let mut previous = running();
        (previous.players[0], previous.players[1]) = (person_here(0), person_elsewhere(1));
        previous.collectors[0].position = Vec2::new(50.0, 0.0);
        previous.collectors[1].position = Vec2::new(-25.0, 0.0);
        let mut current = previous.clone();
        current.players[0].pocket = 5.0;
        current.players[1].pocket = 5.0;
        let mut listener = Listener::default();
        let heard = listener.listen(&previous, &current, Vec2::ZERO);
        assert_eq!(heard[0], Heard { cue: Cue::PickUp, loudness: 1.0, side: 0.7, pitch: 1.0 });
        assert_eq!(heard[1], Heard { cue: Cue::PickUp, loudness: 0.25, side: -0.35, pitch: 1.0 });
    }

    #[test]
    fn pick_ups_rise_by_an_octave_until_the_pocket_is_full() {
        let mut previous = View { pocket_capacity: 100.0, ..running() };
        let mut pitches = Vec::new();
        for pocket in [25.0, 50.0, 100.0] {
            let mut current = previous.clone();
            current.players[1].pocket = pocket;
            pitches.extend(Listener::default().listen(&previous, &current, Vec2::ZERO).iter().map(|heard| heard.pitch));
            previous = current;
        }
        assert!(pitches.windows(2).all(|pair| pair[1] > pair[0]) && pitches[2] == 2.0, "{pitches:?}");
    }

    #[test]
    fn pick_ups_of_a_chain_rise_with_it_whatever_is_in_the_pocket() {
        let pitch = |chain_factor: f32, pocket: f32| {
            let previous = View { pocket_capacity: 100.0, ..running() };
            let mut current = previous.clone();
            (current.collectors[1].chain_factor, current.players[1].pocket) = (chain_factor, pocket);
            Listener::default().listen(&previous, &current, Vec2::ZERO)[0].pitch
        };
        let pitches = [1.1, 1.2, 1.5, 2.0].map(|factor| pitch(factor, 90.0));
        assert!(pitches[0] > 1.0 && pitches.windows(2).all(|pair| pair[1] > pair[0]), "{pitches:?}");
        assert_eq!((pitches[3], pitch(1.5, 10.0), pitch(3.0, 10.0)), (2.0, pitches[2], 2.0));
    }

    #[test]
    fn own_crash_and_own_victory_differ_from_those_of_others() {
        let mut previous = running();
        previous.players[2] = person_here(2);
        let with = |change: &dyn Fn(&mut View)| {
            let mut current = previous.clone();
            change(&mut current);
            cues(&previous, &current)
        };
        assert_eq!(with(&|view| _ = view.collectors.remove(2)), [Cue::OwnCrash]);
        assert_eq!(with(&|view| _ = view.collectors.remove(1)), [Cue::Crash]);
        let won_by = |winner| {
            with(&|view| {
                view.state = GameState::GameOver;
                view.result = Some(MatchResult { ending: Ending::Time, winner });
            })
        };
        assert_eq!([won_by(Some(2)), won_by(Some(0)), won_by(None)], [[Cue::Won], [Cue::Lost], [Cue::End]]);
    }

    #[test]
    fn crowd_is_no_louder_than_a_few() {
        let mut previous = running();
        previous.players = (0..500).map(player).collect();
        let mut current = previous.clone();
        current.players.iter_mut().for_each(|player| player.pocket = 1.0);
        current.players[400].person = Some(0);
        assert_eq!(cues(&previous, &current).len(), MAX_OF_OTHERS + 1, "and a person here is always heard");
    }
}
