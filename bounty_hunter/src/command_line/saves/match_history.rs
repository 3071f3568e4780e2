//! The stored matches, for the results screen of the window.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bounty_hunter::assets::Assets;
use bounty_hunter::client::MatchHistory;
use bounty_hunter::replay::Playback;
use bounty_hunter::results::{FeatRecord, MatchDetails, MatchSummary, MatchTotals, PlayerResult, assign_places};
use ecs::EngineBuilder;

use super::archive::results::{STANDING, best_person, player_result, result_of};
use super::archive::{self, Archive, ArchiveError};

/// An archive that is opened for each query, so it may be created, moved or repaired while the window is open.
pub(in crate::command_line) struct ArchivedMatches {
    /// The directory, or the reason why there is none.
    directory: Result<PathBuf, String>,
    assets: Assets,
    engine: EngineBuilder,
}

impl ArchivedMatches {
    /// The archive in `directory` or in the default one. Replays use these assets.
    pub(in crate::command_line) fn new(directory: Option<&Path>, assets: Assets, engine: EngineBuilder) -> Self {
        Self { directory: archive::directory(directory), assets, engine }
    }

    /// Queries the archive; a missing archive is empty.
    fn query<T: Default>(&self, query: impl FnOnce(&Archive) -> Result<T, ArchiveError>) -> Result<T, String> {
        let archive = Archive::open_existing(self.directory.as_deref()?).map_err(|error| error.to_string())?;
        archive.as_ref().map_or_else(|| Ok(T::default()), query).map_err(|error| error.to_string())
    }

    /// Queries the archive about one match.
    fn query_match<T>(&self, id: i64, query: impl FnOnce(&Archive) -> Result<T, ArchiveError>) -> Result<T, String> {
        let answer = self.query(|archive| query(archive).map(Some))?;
        answer.ok_or_else(|| format!("match {id} does not exist any more: the results were deleted"))
    }
}

impl MatchHistory for ArchivedMatches {
    fn list(&self) -> Result<Vec<MatchSummary>, String> {
        self.query(Archive::results_with_people)
    }

    fn details(&self, id: i64) -> Result<MatchDetails, String> {
        let mut details = self.query_match(id, |archive| archive.result(id))?;
        details.standings.sort_by_key(|player| player.place);
        Ok(details)
    }

    fn totals(&self) -> Result<MatchTotals, String> {
        self.query(Archive::totals)
    }

    fn feats(&self) -> Result<Vec<FeatRecord>, String> {
        self.query(Archive::feats)
    }

    fn replay(&self, id: i64) -> Result<Playback, String> {
        let replay = self.query_match(id, |archive| archive.replay(id))?;
        Playback::with_edits(replay, &self.assets, self.engine)
            .map_err(|error| format!("the replay of match {id} cannot be played: {error}"))
    }
}

impl Archive {
    /// All results, the latest first, with the best person of each.
    pub(super) fn results_with_people(&self) -> Result<Vec<MatchSummary>, ArchiveError> {
        let read = || -> rusqlite::Result<_> {
            let sql = format!(
                "SELECT {STANDING}, result FROM standings JOIN results ON result = id WHERE people > 0 ORDER BY result, player"
            );
            let mut by_result: BTreeMap<i64, Vec<PlayerResult>> = BTreeMap::new();
            let mut found = self.connection.prepare(&sql)?;
            let mut rows = found.query([])?;
            while let Some(row) = rows.next()? {
                if let Some(result) = result_of(row) {
                    by_result.entry(result).or_default().push(player_result(row).0);
                }
            }
            Ok(by_result)
        };
        let mut by_result = read().map_err(|error| self.failed(&error))?;
        let mut results = self.results()?;
        for summary in &mut results {
            if let Some(standings) = by_result.get_mut(&summary.id) {
                assign_places(standings, summary.winner);
                summary.best_person = best_person(standings);
            }
        }
        Ok(results)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use bounty_hunter::input::Inputs;
    use bounty_hunter::replay::{Recorder, Seeker};
    use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
    use bounty_hunter::view::GameState;
    use ecs::Engine;

    use super::*;
    use crate::command_line::arguments::{OutputArguments, ResultsArguments, ResultsCommand};
    use crate::command_line::saves::archive::MatchRecord;
    use crate::command_line::saves::test_directory::Directory;
    use crate::command_line::{Failure, saves};

    impl Directory {
        fn match_history(&self) -> ArchivedMatches {
            ArchivedMatches::new(Some(&self.0), assets(), Engine::builder())
        }

        /// The output of `bounty_hunter results`.
        fn printed(&self, command: Option<ResultsCommand>) -> Result<String, String> {
            let output = OutputArguments { data: Some(self.0.clone()), json: false };
            let arguments = ResultsArguments { output, command };
            let mut out = Vec::new();
            match saves::results(&arguments, &mut out) {
                Ok(()) => Ok(String::from_utf8(out).unwrap()),
                Err(Failure::BadInput(sentence)) => Err(sentence),
                Err(error) => panic!("{error:?}"),
            }
        }
    }

    fn assets() -> Assets {
        let mut assets = Assets::built_in();
        assets.modes.values_mut().for_each(|mode| mode.game.countdown_seconds = 0.1);
        assets
    }

    /// Plays a short match of four to its end and stores it; a person takes the first seat if there is one.
    fn play(directory: &Directory, mode: &str, seed: u64, has_person: bool) -> MatchRecord {
        let assets = assets().in_mode(mode).unwrap();
        let mut setup = MatchSetup { play_seconds: Some(5.0), ..MatchSetup::of_ais(seed, 4, "normal") };
        if has_person {
            setup.seats[0] = Seat::Human { person: 0 };
        }
        let mut simulation = Simulation::new(&assets, &setup).unwrap();
        let mut recorder = Recorder::new(mode, &assets, &setup).unwrap();
        while simulation.state() != GameState::GameOver {
            simulation.step(&Inputs::none());
            recorder.note(&Inputs::none(), &mut simulation);
        }
        let replay = recorder.replay(&mut simulation);
        let record = MatchRecord::of(&simulation, replay).unwrap();
        Archive::open(&directory.0).unwrap().add_result(&record).unwrap();
        record
    }

    #[test]
    fn latest_match_is_listed_first_with_the_best_person() {
        let directory = Directory::new("kept_listed");
        let records = [play(&directory, "classic", 3, false), play(&directory, "survival", 4, true)];
        let list = directory.match_history().list().unwrap();
        assert_eq!(list.iter().map(|summary| summary.id).collect::<Vec<_>>(), [2, 1]);
        for (summary, record) in list.iter().rev().zip(&records) {
            assert_eq!(
                (&summary.mode, &summary.level, summary.players),
                (&record.details.summary.mode, &record.details.summary.level, 4)
            );
            assert_eq!(summary.winner, record.details.summary.winner);
            let name = |player: u32| record.details.standings[player as usize].name.clone();
            assert_eq!(summary.winner_name, record.details.summary.winner.map(name));
            assert!(summary.ended_at.starts_with("20") && summary.seconds > 0.0);
        }
        assert_eq!(list[1].best_person, None, "only AIs played");
        let person = list[0].best_person.clone().unwrap();
        assert_eq!((person.player, person.name.as_str()), (0, "BountyHunter"));
        assert_eq!(person.stashed, records[1].details.standings[0].stashed);
    }

    #[test]
    fn details_and_totals_equal_the_output_of_the_command() {
        let directory = Directory::new("kept_opened");
        let record = play(&directory, "classic", 5, true);
        play(&directory, "classic", 6, true);
        let match_history = directory.match_history();
        let details = match_history.details(1).unwrap();
        assert_eq!(details.summary, match_history.list().unwrap()[1]);
        assert_eq!((details.events.clone(), details.standings.len()), (record.details.events, 4));
        let printed = directory.printed(Some(ResultsCommand::Show { id: 1 })).unwrap();
        for player in &details.standings {
            assert!(printed.contains(&player.name) && printed.contains(&format!("{:.1}", player.stashed)), "{printed}");
        }
        let (totals, printed) =
            (match_history.totals().unwrap(), directory.printed(Some(ResultsCommand::Totals)).unwrap());
        assert!(printed.starts_with(&format!("{} matches, {:.1} minutes", totals.matches, totals.seconds / 60.0)));
        assert_eq!((totals.matches, totals.with_people, &totals.modes["classic"]), (2, 2, &2));
        assert!(printed.contains(&format!("held {:.1}", totals.best_stash.unwrap())), "{printed}");
        assert!(match_history.details(9).unwrap_err().contains("there is no result 9"));
    }

    #[test]
    fn odd_match_is_told_by_the_command_and_hides_no_other() {
        let directory = Directory::new("kept_odd");
        (5..7).for_each(|seed| _ = play(&directory, "classic", seed, true));
        let connection = rusqlite::Connection::open(directory.0.join("bounty_hunter.sqlite3")).unwrap();
        connection.execute_batch("UPDATE results SET ended_at = -9, seconds = 9e99 WHERE id = 1").unwrap();
        let printed = directory.printed(None).unwrap();
        let lines: Vec<&str> = printed.lines().collect();
        assert!(lines[2].split_whitespace().take(2).eq(["1", "?"]) && lines.len() == 5, "{printed}");
        assert_eq!(lines[3], "  odd: ended_at is -9, 0 to 253402300799 are possible");
        assert_eq!(lines[4], "  odd: seconds is 9e99, 0 to 10000000 are possible");
        let totals = directory.printed(Some(ResultsCommand::Totals)).unwrap();
        assert!(totals.starts_with("2 matches, ") && totals.contains("odd matches: 1; "), "{totals}");
        let list = directory.match_history().list().unwrap();
        assert!(list[1].is_odd("seconds") && !list[1].is_odd("players") && list[0].odd.is_empty());
        assert!(list[1].best_person.is_some(), "the rest of the row is there");
    }

    #[test]
    fn replay_ends_in_the_last_state_of_the_match() {
        let directory = Directory::new("kept_replayed");
        let record = play(&directory, "survival", 7, true);
        let mut seeker = Seeker::new(directory.match_history().replay(1).unwrap()).unwrap();
        seeker.seek(u64::MAX, u64::MAX).unwrap();
        assert_eq!(seeker.state_hash(), record.replay.last_hash());
        // Other assets would lead to another match.
        let other = ArchivedMatches::new(Some(&directory.0), Assets::built_in(), Engine::builder());
        let sentence = other.replay(1).err().unwrap();
        assert!(sentence.starts_with("the replay of match 1 cannot be played: "), "{sentence}");
    }

    #[test]
    fn missing_archive_is_empty_and_not_created() {
        let directory = Directory::new("kept_empty");
        let match_history = directory.match_history();
        assert_eq!((match_history.list(), match_history.totals()), (Ok(vec![]), Ok(MatchTotals::default())));
        assert!(match_history.details(1).is_err() && match_history.replay(1).is_err());
        assert!(!directory.0.exists());
        // A match that is played while the window is open is listed.
        play(&directory, "classic", 8, true);
        assert_eq!(match_history.list().unwrap().len(), 1);
    }

    #[test]
    fn foreign_file_is_refused_with_the_sentence_of_the_command_and_unchanged() {
        let directory = Directory::new("kept_broken");
        fs::create_dir_all(&directory.0).unwrap();
        let file = directory.0.join("bounty_hunter.sqlite3");
        fs::write(&file, "this is a letter, and no database, however long it may get to be in the end").unwrap();
        let before = fs::read(&file).unwrap();
        let sentence = directory.match_history().list().unwrap_err();
        assert_eq!(Err(sentence), directory.printed(None));
        assert!(directory.match_history().totals().is_err() && directory.match_history().details(1).is_err());
        assert_eq!(fs::read(&file).unwrap(), before);
    }
}
