//! Feats: what a player can be proud of after a match. Challenges, and medals by mode and level of the AIs.
//!
//! They follow from the match as its replay plays it: [`performances`] and [`of`] read them from its state at the end.
//! A match that was rewound or loaded from a save counts; one with cheats does not.

use std::fmt;
use std::str::FromStr;

use crate::archive::results::{PlayerResult, side_of, side_results, standings};
use crate::assets::AI_LEVELS;
use crate::gameplay::match_flow::Ending;
use crate::gameplay::player::Seat;
use crate::gameplay::statistics::PlayerStatistics;
use crate::simulation::{MatchSetup, Simulation};

/// The fewest players, or teams, of a match that gives medals.
pub const MEDAL_PLAYERS: u32 = 4;
/// The last place that has a medal.
const LAST_MEDAL: u32 = 3;

/// What one player made of a finished match.
#[derive(Clone, Debug, PartialEq)]
pub struct Performance {
    /// The player, with its place.
    pub player: PlayerResult,
    /// What it has done in the match: bounties, deliveries, deaths and so on.
    pub statistics: PlayerStatistics,
    /// The mode of the match.
    pub mode: String,
    /// The weakest AI in the match, as an index into [`AI_LEVELS`]; `None` without AIs, or with one that is no level.
    pub level: Option<usize>,
    /// The number of players.
    pub players: u32,
    /// The number of teams, or of players without teams.
    pub sides: u32,
    /// Whether the player won.
    pub has_won: bool,
    /// How the match ended.
    pub ending: Ending,
    /// The points by which the stash is ahead of the fullest stash of another player, with teams the stashes of its
    /// team of those of another team; negative if it is behind.
    pub ahead: f64,
    /// The part of the time of play that was left at the end, 0 to 1.
    pub time_left_share: f64,
}

impl Performance {
    fn has_won_in(&self, mode: &str) -> bool {
        self.has_won && self.mode == mode
    }

    fn has_beaten(&self, level: &str, players: u32) -> bool {
        let least = AI_LEVELS.iter().position(|name| *name == level);
        self.has_won && self.players >= players && self.level.is_some() && self.level >= least
    }
}

/// Something to achieve in one match.
#[derive(Debug)]
pub struct Challenge {
    /// Its name where it is stored, which never changes.
    pub name: &'static str,
    /// Its shown name, in English.
    pub title: &'static str,
    /// What to do, in English.
    pub task: &'static str,
    is_done: fn(&Performance) -> bool,
}

/// All challenges, the easier ones of each kind first.
pub const CHALLENGES: [Challenge; 25] = [
    challenge("first-victory", "First victory", "Win a match", |it| it.has_won),
    challenge("harvest", "Harvest", "Collect 25 bounties in a match", |it| it.statistics.bounties >= 25),
    challenge("plenty", "Plenty", "Collect 100 bounties in a match", |it| it.statistics.bounties >= 100),
    challenge("regular", "Regular customer", "Deliver 10 times in a match", |it| it.statistics.deliveries >= 10),
    challenge("one-haul", "In one haul", "Deliver 100 points at once", |it| it.statistics.best_delivery >= 100.0),
    challenge("rich", "Four digits", "Bring home 1000 points in a match", |it| it.player.stashed >= 1_000.0),
    challenge("clean-hands", "Clean hands", "Bring home 90 points without dying", |it| {
        it.player.stashed >= 90.0 && it.statistics.deaths == 0
    }),
    challenge("untouched", "Untouched", "Win without dying", |it| it.has_won && it.statistics.deaths == 0),
    challenge("full-house", "Full house", "Win by a full stash", |it| it.has_won && it.ending == Ending::StashFull),
    challenge("in-a-hurry", "In a hurry", "Win with a third of the time left", |it| {
        it.has_won && it.time_left_share >= 1.0 / 3.0
    }),
    challenge("photo-finish", "Photo finish", "Win by at most 10 points when the time is up", |it| {
        it.has_won && it.ending == Ending::Time && it.ahead <= 10.0
    }),
    challenge("landslide", "Landslide", "Win 200 points ahead of all others", |it| it.has_won && it.ahead >= 200.0),
    challenge("crowd", "Out of the crowd", "Win among 16 or more", |it| it.has_won && it.players >= 16),
    challenge("hard-duel", "Duel", "Beat a hard AI", |it| it.has_beaten("hard", 2)),
    challenge("hard-eight", "Pack leader", "Beat seven hard AIs", |it| it.has_beaten("hard", 8)),
    challenge("master", "Master of masters", "Beat three masters", |it| it.has_beaten("learned", 4)),
    challenge("survivor", "Survivor", "Win survival as the last one", |it| {
        it.has_won_in("survival") && it.ending == Ending::LastStanding
    }),
    challenge("one-life", "One life", "Win survival without dying", |it| {
        it.has_won_in("survival") && it.statistics.deaths == 0
    }),
    challenge("unhurt", "Not a scratch", "Win a brawl with at most 2 hits", |it| {
        it.has_won_in("brawl") && it.statistics.hits <= 2
    }),
    challenge("sorcerer", "Sorcerer", "Cast 12 spells in a match", |it| it.statistics.spells >= 12),
    challenge("no-magic", "No magic", "Win a match of spells without a spell", |it| {
        it.has_won_in("spells") && it.statistics.spells == 0
    }),
    challenge("long-chain", "Long chain", "Reach a chain of 10 without unloading", |it| {
        it.statistics.longest_chain >= 10
    }),
    challenge("hair-s-breadth", "A hair's breadth", "Five near misses in a match", |it| it.statistics.near_misses >= 5),
    challenge("bounty-hunter", "Bounty hunter", "Take a part of the leader's load", |it| it.statistics.crowns > 0),
    challenge("well-equipped", "Well equipped", "Take 6 power-ups in a match", |it| it.statistics.power_ups >= 6),
];

const fn challenge(
    name: &'static str,
    title: &'static str,
    task: &'static str,
    is_done: fn(&Performance) -> bool,
) -> Challenge {
    Challenge { name, title, task, is_done }
}

/// One of the first three places of a match.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Medal {
    /// The name of the mode of the match.
    pub mode: String,
    /// The weakest AI in the match, one of [`AI_LEVELS`].
    pub level: &'static str,
    /// The place: 1 is gold, 2 silver, 3 bronze.
    pub place: u32,
}

/// What a match adds to the collection of a person.
#[derive(Clone, Debug)]
pub enum Feat {
    /// A challenge was done.
    Challenge(&'static Challenge),
    /// A medal was won.
    Medal(Medal),
}

/// Equal feats have equal names.
impl PartialEq for Feat {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Challenge(one), Self::Challenge(other)) => one.name == other.name,
            (Self::Medal(one), Self::Medal(other)) => one == other,
            _ => false,
        }
    }
}

const MEDAL: &str = "medal";

/// The name under which it is stored, such as `untouched` or `medal/classic/hard/1`.
impl fmt::Display for Feat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Challenge(challenge) => f.write_str(challenge.name),
            Self::Medal(Medal { mode, level, place }) => write!(f, "{MEDAL}/{mode}/{level}/{place}"),
        }
    }
}

/// Reads what [`Feat`] displays.
impl FromStr for Feat {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let parts: Vec<&str> = name.split('/').collect();
        let found = match parts[..] {
            [name] => CHALLENGES.iter().find(|challenge| challenge.name == name).map(Self::Challenge),
            [MEDAL, mode, level, place] if !mode.is_empty() => {
                let level = AI_LEVELS.into_iter().find(|known| *known == level);
                let place = place.parse().ok().filter(|place| (1..=LAST_MEDAL).contains(place));
                level.zip(place).map(|(level, place)| Self::Medal(Medal { mode: mode.to_owned(), level, place }))
            }
            _ => None,
        };
        found.ok_or_else(|| format!("{name:?} is no feat of this version"))
    }
}

/// The feats of a performance.
pub fn of(performance: &Performance) -> impl Iterator<Item = Feat> {
    let challenges = CHALLENGES.iter().filter(|challenge| (challenge.is_done)(performance)).map(Feat::Challenge);
    challenges.chain(medal(performance).map(Feat::Medal))
}

fn medal(performance: &Performance) -> Option<Medal> {
    let Performance { player, mode, level, sides, has_won, .. } = performance;
    // The first ones of a draw have not won.
    let place = if player.place == 1 && !has_won { 2 } else { player.place };
    let has_medal = *sides >= MEDAL_PLAYERS && place <= LAST_MEDAL;
    level.filter(|_| has_medal).map(|level| Medal { mode: mode.clone(), level: AI_LEVELS[level], place })
}

/// What each player made of a match; none before its end.
#[must_use]
pub fn performances(simulation: &Simulation, mode: &str, setup: &MatchSetup) -> Vec<Performance> {
    let Some(result) = simulation.result() else { return Vec::new() };
    let players = standings(simulation);
    let statistics = simulation.statistics();
    let level = level_of(setup);
    let time_left_share = 1.0 - simulation.played_seconds() / simulation.play_seconds();
    let count = players.len() as u32;
    let sides = side_results(&players, result.winner);
    // The most points of a side, and the second most.
    let [mut first, mut second] = [f64::NEG_INFINITY; 2];
    for side in &sides {
        (first, second) = (first.max(side.stashed), second.max(first.min(side.stashed)));
    }
    let ahead = |player: &PlayerResult| {
        let own = sides.binary_search_by_key(&side_of(player), |side| side.side);
        let own = own.map_or(player.stashed, |index| sides[index].stashed);
        own - if own == first { second } else { first }
    };
    let performance = |player: PlayerResult| Performance {
        statistics: statistics.of(player.player),
        mode: mode.to_owned(),
        level,
        players: count,
        sides: sides.len() as u32,
        has_won: simulation.has_won(player.player),
        ending: result.ending,
        ahead: ahead(&player),
        time_left_share,
        player,
    };
    players.into_iter().map(performance).collect()
}

/// The weakest AI of a match, as an index into [`AI_LEVELS`].
fn level_of(setup: &MatchSetup) -> Option<usize> {
    let mut weakest = None;
    for seat in &setup.seats {
        if let Seat::Ai { profile } = seat {
            let level = AI_LEVELS.iter().position(|name| name == profile)?;
            weakest = Some(weakest.map_or(level, |weakest: usize| weakest.min(level)));
        }
    }
    weakest
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn performance(place: u32, players: u32, has_won: bool) -> Performance {
        let player = PlayerResult {
            place,
            player: 0,
            name: "Ada".to_owned(),
            is_person: true,
            team: None,
            stashed: 9.0,
            out_at: None,
            feats: Vec::new(),
        };
        let (mode, statistics) = ("classic".to_owned(), PlayerStatistics { deaths: 1, ..PlayerStatistics::default() });
        let (ending, ahead, time_left_share) = (Ending::LastStanding, 5.0, 0.0);
        let (level, sides) = (Some(0), players);
        Performance { player, statistics, mode, level, players, sides, has_won, ending, ahead, time_left_share }
    }

    fn names(performance: &Performance) -> Vec<String> {
        of(performance).map(|feat| feat.to_string()).collect()
    }

    #[test]
    fn names_are_read_as_they_are_written_and_others_are_refused() {
        let medal = Medal { mode: "power-ups".to_owned(), level: "learned", place: 3 };
        let feats: Vec<Feat> = CHALLENGES.iter().map(Feat::Challenge).chain([Feat::Medal(medal)]).collect();
        let written: BTreeSet<String> = feats.iter().map(Feat::to_string).collect();
        assert_eq!(written.len(), feats.len(), "each has a name of its own");
        assert!(written.contains("medal/power-ups/learned/3"));
        for feat in feats {
            assert_eq!(feat.to_string().parse(), Ok(feat));
        }
        for name in
            ["", "glory", "medal", "medal/classic/hard/4", "medal/classic/hard/0", "medal//hard/1", "medal/a/b/1"]
        {
            assert_eq!(name.parse::<Feat>(), Err(format!("{name:?} is no feat of this version")));
        }
    }

    #[test]
    fn first_three_of_four_or_more_have_medals() {
        assert_eq!(names(&performance(1, 4, true)), ["first-victory", "medal/classic/easy/1"]);
        assert_eq!(names(&performance(3, 8, false)), ["medal/classic/easy/3"]);
        assert_eq!(names(&performance(4, 8, false)), [""; 0]);
        assert_eq!(names(&performance(1, 3, true)), ["first-victory"]);
        assert_eq!(names(&performance(1, 4, false)), ["medal/classic/easy/2"], "a draw has no gold");
        assert_eq!(names(&Performance { level: None, ..performance(2, 4, false) }), [""; 0], "no AI of a level");
    }

    #[test]
    fn level_is_that_of_the_weakest_ai() {
        let level = |profiles: &[&str]| {
            let ai = |profile: &&str| Seat::Ai { profile: (*profile).to_owned() };
            let seats = std::iter::once(Seat::Human { person: 0 }).chain(profiles.iter().map(ai)).collect();
            level_of(&MatchSetup { seed: 1, seats, play_seconds: None })
        };
        assert_eq!((level(&["learned", "normal", "hard"]), level(&["learned"])), (Some(1), Some(3)));
        assert_eq!((level(&[]), level(&["hard", "circling"])), (None, None));
    }
}
