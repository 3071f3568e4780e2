//! The daily match: each day has one match that is the same for everybody, and a result that anyone can verify.
//!
//! The date gives the mode and the seed. A try is a replay; [`verify`] plays it again and refuses one that is not a
//! match of a day, was altered, was cheated in, or did not end. It cannot prove that a person pressed the keys, nor
//! that the person had no further tries.

use std::fmt;
use std::str::FromStr;

use ecs::Engine;
use ecs::random::RandomStream;

use crate::archive::replay::{Difference, Playback, Replay, ReplayError};
use crate::assets::{Assets, UnknownName};
use crate::data::input::{Command, Inputs};
use crate::gameplay::match_flow::{Ending, GameState, MatchResult};
use crate::objects::stash::Stash;
use crate::simulation::{MatchSetup, Seat};

/// Tries of a day.
pub const TRIES: u32 = 3;
/// The modes of the days, in turn.
pub const MODES: [&str; 5] = ["classic", "spells", "power-ups", "brawl", "survival"];
/// The day before the first one, as days since 1970-01-01: the last of 2025.
const BEFORE_THE_FIRST: u64 = 20_453;
/// Days that have a match.
const DAYS: u64 = 36_524;
/// The seat of the person.
const PERSON: u32 = 0;
const SECONDS_PER_DAY: u64 = 86_400;

/// A day with a match, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    /// From 0, the 1st of January 2026.
    number: u64,
}

impl Day {
    /// The day at a time in seconds since 1970-01-01 00:00 UTC; the first or the last day with a match, if that one has
    /// none.
    #[must_use]
    pub fn at(unix_seconds: u64) -> Self {
        let since_1970 = unix_seconds / SECONDS_PER_DAY;
        Self { number: since_1970.saturating_sub(BEFORE_THE_FIRST + 1).min(DAYS - 1) }
    }

    /// The mode of its match.
    #[must_use]
    pub fn mode(self) -> &'static str {
        MODES[self.number as usize % MODES.len()]
    }

    /// The set-up of its match: a person, and AIs of the mode in all other seats.
    ///
    /// # Errors
    /// - [`UnknownName`] if the assets lack the mode.
    pub fn setup(self, assets: &Assets) -> Result<MatchSetup, UnknownName> {
        let game = assets.clone().in_mode(self.mode())?.game;
        let ai = Seat::Ai { profile: game.ai.clone() };
        let mut seats = vec![ai; game.players.max(1) as usize];
        seats[PERSON as usize] = Seat::Human { person: 0 };
        Ok(MatchSetup { seed: self.seed(), seats, play_seconds: Some(game.play_seconds) })
    }

    fn seed(self) -> u64 {
        RandomStream::new(self.number, "daily match").next_u64()
    }

    /// The day whose match has this seed. O(number of days).
    fn of_seed(seed: u64) -> Option<Self> {
        (0..DAYS).map(|number| Self { number }).find(|day| day.seed() == seed)
    }

    /// Year, month and day of the month, by the algorithm `civil_from_days` of Howard Hinnant (2013) for dates after
    /// 2000-03-01.
    fn civil(self) -> (u64, u64, u64) {
        const TO_MARCH_2000: u64 = 11_017;
        const DAYS_OF_400_YEARS: u64 = 146_097;
        let day = (self.number + BEFORE_THE_FIRST + 1 - TO_MARCH_2000) % DAYS_OF_400_YEARS;
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let of_year = day - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let of_month = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        (2_000 + year + u64::from(month <= 2), month, of_month)
    }
}

/// As `2026-11-28`.
impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.civil();
        write!(f, "{year}-{month:02}-{day:02}")
    }
}

/// Reads what [`Day`] displays.
impl FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut days = (0..DAYS).map(|number| Self { number });
        let found = days.find(|day| day.to_string() == text);
        found.ok_or_else(|| {
            let [first, last] = [0, DAYS - 1].map(|number| Self { number });
            format!("{text:?} is no day with a match, must be like {first}, at most {last}")
        })
    }
}

/// What a person reached in the match of a day.
#[derive(Clone, Debug, PartialEq)]
pub struct DailyResult {
    /// The day of the match.
    pub day: Day,
    /// Points in the own stash at the end.
    pub points: f32,
    /// The place by points, from 1.
    pub place: usize,
    /// The number of players.
    pub players: usize,
    /// Whether the person won. A player that has no lives left does not win, whatever its points.
    pub won: bool,
    /// How the match ended.
    pub ending: Ending,
    /// The hash of the state after its last step.
    pub hash: u64,
}

/// One line of text to share.
impl fmt::Display for DailyResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { day, points, place, players, won, hash, .. } = self;
        let won = if *won { ", won" } else { "" };
        write!(
            f,
            "BountyHunter {day}, {}: {points:.0} points, place {place} of {players}{won} [{hash:016x}]",
            day.mode()
        )
    }
}

/// Why a replay is no try of a day.
#[derive(Debug)]
pub enum DailyError {
    /// The replay cannot be played.
    Replay(ReplayError),
    /// The assets lack the mode of its day.
    Assets(UnknownName),
    /// It is another match than that of a day.
    AnotherMatch,
    /// A later match of the same session.
    LaterMatch,
    /// An input that [`is_fair`] refuses, such as a cheat.
    Cheated {
        /// The step in which it was first used, from 1.
        step: u64,
    },
    /// It lasts longer than a day, with its pauses.
    TooLong,
    /// It lacks hashes of states between its beginning and its end.
    WithoutHashes,
    /// It went another way.
    Altered(Difference),
    /// It stops before the end of the match.
    NotEnded,
}

impl fmt::Display for DailyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replay(ReplayError::Configuration) => {
                f.write_str("it was recorded with other assets or another version of the game")
            }
            Self::Replay(error) => write!(f, "the replay cannot be played: {error}"),
            Self::Assets(error) => write!(f, "{error}"),
            Self::AnotherMatch => {
                f.write_str("it is not the match of any day: another mode, level, seed, length or other seats")
            }
            Self::LaterMatch => f.write_str("it was played after another match, only the first one of a try counts"),
            Self::Cheated { step } => write!(f, "somebody cheated in step {step}"),
            Self::TooLong => f.write_str("it lasts longer than a day"),
            Self::WithoutHashes => f.write_str("it was altered: it lacks hashes"),
            Self::Altered(difference) => write!(f, "it was altered: {difference}"),
            Self::NotEnded => f.write_str("it stops before the end of the match"),
        }
    }
}

impl std::error::Error for DailyError {}

/// Whether all inputs are those of the person in the match of a day: driving, casting, pausing and leaving.
#[must_use]
pub fn is_fair(inputs: &Inputs) -> bool {
    let Inputs { commands, edits, intents, casts } = inputs;
    commands.iter().all(is_fair_command)
        && edits.is_empty()
        && intents.iter().all(|(player, _)| *player == PERSON)
        && casts.iter().all(|(player, _)| *player == PERSON)
}

fn is_fair_command(command: &Command) -> bool {
    matches!(command, Command::Pause | Command::Resume | Command::Quit | Command::Close)
}

/// What of these inputs is fair.
#[must_use]
pub fn fair_part(inputs: &Inputs) -> Inputs {
    let mut fair = Inputs::none();
    fair.intents.extend(inputs.intents.iter().filter(|(player, _)| *player == PERSON).copied());
    fair.casts.extend(inputs.casts.iter().filter(|(player, _)| *player == PERSON).copied());
    fair.commands.extend(inputs.commands.iter().filter(|command| is_fair_command(command)).copied());
    fair
}

/// Plays a try again, and returns its result.
///
/// # Errors
/// - [`DailyError`] if it is no try of a day, or was altered.
pub fn verify(replay: Replay, assets: &Assets) -> Result<DailyResult, DailyError> {
    let about = replay.about();
    let day = Day::of_seed(about.setup.seed).ok_or(DailyError::AnotherMatch)?;
    let setup = day.setup(assets).map_err(DailyError::Assets)?;
    let level = assets.clone().in_mode(day.mode()).map_err(DailyError::Assets)?.game.level;
    if about.setup != setup || about.mode != day.mode() || about.level != level {
        return Err(DailyError::AnotherMatch);
    }
    if about.begin != 0 {
        return Err(DailyError::LaterMatch);
    }
    if about.steps > SECONDS_PER_DAY * u64::from(about.steps_per_second) {
        return Err(DailyError::TooLong);
    }
    if let Some(step) = replay.first_refused(is_fair) {
        return Err(DailyError::Cheated { step });
    }
    if !replay.has_all_hashes() {
        return Err(DailyError::WithoutHashes);
    }
    let mut playback = Playback::new(replay, assets, Engine::builder()).map_err(DailyError::Replay)?;
    playback.verify().map_err(DailyError::Altered)?;
    let hash = playback.state_hash();
    let simulation = playback.simulation();
    // After a restart the match is in another state, or began later.
    match simulation.result().filter(|_| simulation.state() == GameState::GameOver && simulation.begin() == 0) {
        Some(MatchResult { ending, winner }) => {
            let mut points = vec![0.0; setup.seats.len()];
            simulation.engine().read_filtered::<&Stash, ecs::IncludeDisabled>().for_each(|stash| {
                if let Some(points) = points.get_mut(stash.player as usize) {
                    *points = stash.stashed;
                }
            });
            let own = points[PERSON as usize];
            let place = 1 + points.iter().filter(|points| **points > own).count();
            let (players, won) = (points.len(), winner == Some(PERSON));
            Ok(DailyResult { day, points: own, place, players, won, ending, hash })
        }
        None => Err(DailyError::NotEnded),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        let day = |seconds| Day::at(seconds).to_string();
        assert_eq!(day(1_767_225_600), "2026-01-01");
        assert_eq!((day(1_767_225_599), day(0)), ("2026-01-01".to_owned(), "2026-01-01".to_owned()));
        assert_eq!((day(1_795_824_000 - 1), day(1_795_824_000)), ("2026-11-27".to_owned(), "2026-11-28".to_owned()));
        assert_eq!((day(1_835_395_200), day(1_835_481_600)), ("2028-02-29".to_owned(), "2028-03-01".to_owned()));
        assert_eq!((day(4_107_542_399), day(4_107_542_400)), ("2100-02-28".to_owned(), "2100-03-01".to_owned()));
        assert_eq!(day(u64::MAX), "2125-12-31");
    }

    #[test]
    fn days_are_read_as_they_are_written() {
        for text in ["2026-01-01", "2026-12-31", "2028-02-29", "2125-12-31"] {
            assert_eq!(text.parse::<Day>().map(|day| day.to_string()).as_deref(), Ok(text));
        }
        for text in ["", "2025-12-31", "2026-1-1", "2027-02-29", "2026-11-31", "tomorrow"] {
            let refusal = text.parse::<Day>().unwrap_err();
            assert_eq!(
                refusal,
                format!("{text:?} is no day with a match, must be like 2026-01-01, at most 2125-12-31")
            );
        }
    }

    #[test]
    fn each_day_has_a_seed_of_its_own_and_the_modes_take_turns() {
        let days: Vec<Day> = (0..10).map(|number| Day { number }).collect();
        assert!(days.iter().all(|day| Day::of_seed(day.seed()) == Some(*day)));
        let modes: Vec<&str> = days.iter().map(|day| day.mode()).collect();
        assert_eq!(modes, [MODES, MODES].concat());
        assert_eq!(Day::of_seed(7), None);
    }
}
