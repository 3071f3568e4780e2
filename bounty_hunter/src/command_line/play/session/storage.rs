//! Saves and results of a match in the window.

mod own_best;

use bounty_hunter::assets::Assets;
use bounty_hunter::client::{MatchHistory, Notice};
use bounty_hunter::feats::Feat;
use bounty_hunter::saved_match::SavedMatch;
use ecs::EngineBuilder;

use super::Session;
use crate::command_line::Failure;
use crate::command_line::arguments::PlayArguments;
use crate::command_line::saves::archive::{self, Archive, ArchiveError, MatchRecord};
use crate::command_line::saves::match_history::ArchivedMatches;

/// The place for saves, and the means to load one.
pub(in crate::command_line::play) struct Storage {
    archive: Archive,
    slot: String,
    assets: Assets,
    engine: EngineBuilder,
    /// Whether all modes allow rewinding.
    can_rewind: bool,
    results: Results,
}

/// Seconds of play between two attempts to store results.
const RETRY_SECONDS: u64 = 5;

/// The results of the matches in this session.
#[derive(Default)]
struct Results {
    /// The step after which each match ended, and its result.
    stored: Vec<(u64, StoredResult)>,
    /// Ids of results to delete, because their matches were rewound.
    withdrawn: Vec<i64>,
}

enum StoredResult {
    Waiting(Box<MatchRecord>),
    /// In the database under this id.
    At(i64),
}

impl StoredResult {
    fn id(&self) -> Option<i64> {
        match self {
            Self::Waiting(_) => None,
            Self::At(id) => Some(*id),
        }
    }
}

impl Results {
    fn is_waiting(&self) -> bool {
        !self.withdrawn.is_empty() || self.stored.iter().any(|(_, stored)| stored.id().is_none())
    }

    /// Keeps results that are not stored yet and forgets stored ones, so that a rewind cannot withdraw those.
    fn settle(&mut self) {
        self.stored.retain(|(_, stored)| stored.id().is_none());
        self.stored.iter_mut().for_each(|(step, _)| *step = 0);
    }

    /// Deletes and inserts results, up to the first error.
    fn write(&mut self, archive: &mut Archive) -> Result<(), ArchiveError> {
        while let Some(id) = self.withdrawn.last() {
            // It may have been deleted already.
            archive.delete_result_if_any(*id)?;
            self.withdrawn.pop();
        }
        for (_, stored) in &mut self.stored {
            if let StoredResult::Waiting(record) = stored {
                *stored = StoredResult::At(archive.add_result(record)?);
            }
        }
        Ok(())
    }
}

/// The stored matches, for the results screen.
pub(in crate::command_line::play) fn match_history(
    assets: &Assets,
    arguments: &PlayArguments,
    engine: EngineBuilder,
) -> Option<Box<dyn MatchHistory>> {
    Some(Box::new(ArchivedMatches::new(arguments.data.as_deref(), assets.clone(), engine)))
}

impl Storage {
    /// The place for saves and results. Without `--data`, a demonstration stores nothing, and the game also runs on a
    /// platform without a place for data.
    pub(in crate::command_line::play) fn open(
        assets: &Assets,
        arguments: &PlayArguments,
        engine: EngineBuilder,
    ) -> Result<Option<Self>, Failure> {
        let is_asked_for = arguments.data.is_some() || arguments.load.is_some();
        if !is_asked_for && (arguments.demo || arguments.frames.frames.is_some()) {
            return Ok(None);
        }
        let opened = archive::directory(arguments.data.as_deref())
            .map_err(Failure::Machine)
            .and_then(|directory| Ok(Archive::open(&directory)?));
        match opened {
            Ok(archive) => {
                let (slot, can_rewind) = (arguments.slot.clone(), arguments.rewind);
                Ok(Some(Self {
                    archive,
                    slot,
                    assets: assets.clone(),
                    engine,
                    can_rewind,
                    results: Results::default(),
                }))
            }
            Err(failure) if is_asked_for => Err(failure),
            Err(failure) => {
                tracing::warn!(target: "bounty_hunter::play", "matches are not saved: {}", failure.sentence());
                Ok(None)
            }
        }
    }
}

impl Storage {
    /// The feats of a match that no stored match has.
    fn new_feats(&self, record: &MatchRecord) -> Vec<Feat> {
        let Ok(known) = self.archive.feats() else { return Vec::new() };
        let mut new: Vec<Feat> = Vec::new();
        for name in record.details.standings.iter().flat_map(|player| &player.feats) {
            let is_known = known.iter().any(|record| record.feat == *name);
            new.extend(name.parse().ok().filter(|feat| !is_known && !new.contains(feat)));
        }
        new
    }
}

impl Session {
    /// Continues the save with this name, if there is a name.
    pub(in crate::command_line::play) fn loading(mut self, slot: Option<&str>) -> Result<Self, String> {
        slot.map_or(Ok(()), |slot| self.load_slot(slot))?;
        Ok(self)
    }

    /// Takes the storage for the next match, with results that are still to be stored.
    pub(in crate::command_line::play) fn into_storage(self) -> Option<Storage> {
        let mut storage = self.storage?;
        storage.results.settle();
        Some(storage)
    }

    /// Adds the result of a finished match with people.
    pub(super) fn add_result(&mut self) {
        let replay = self.replay();
        let record = MatchRecord::of(&self.simulation, replay);
        let record = record.filter(|record| record.details.summary.people > 0);
        if let (Some(storage), Some(record)) = (&mut self.storage, record) {
            let new = storage.new_feats(&record);
            storage.results.stored.push((self.simulation.tick(), StoredResult::Waiting(Box::new(record))));
            if !new.is_empty() {
                self.tell(Notice::new_feats(&new));
            }
            self.store_or_tell();
        }
    }

    /// Withdraws the results of matches that are no longer over after a rewind.
    pub(super) fn withdraw_results(&mut self) {
        let Some(Storage { results, .. }) = &mut self.storage else { return };
        while let Some((_, stored)) = results.stored.pop_if(|(step, _)| *step > self.simulation.tick()) {
            results.withdrawn.extend(stored.id());
        }
        self.store_or_tell();
    }

    /// Retries every few seconds; another program may have locked the database.
    pub(super) fn retry_results(&mut self) {
        let steps = RETRY_SECONDS * u64::from(self.simulation.steps_per_second());
        let is_waiting = self.storage.as_ref().is_some_and(|storage| storage.results.is_waiting());
        if is_waiting && self.simulation.tick().is_multiple_of(steps) {
            self.store_or_tell();
        }
    }

    /// Stores the results, and shows a notice if that fails.
    fn store_or_tell(&mut self) {
        if let Err(error) = self.store_results() {
            self.tell(Notice::problem("the result is not stored yet: {problem}", &[("problem", &error)]));
        }
    }

    /// Writes all changes of the results to the database.
    pub(in crate::command_line::play) fn store_results(&mut self) -> Result<(), String> {
        let Some(Storage { archive, results, .. }) = &mut self.storage else { return Ok(()) };
        results.write(archive).map_err(|error| error.to_string())
    }

    pub(super) fn save(&mut self) {
        let replay = self.whole_replay();
        let Some(Storage { archive, slot, .. }) = &mut self.storage else {
            return self.tell(Notice::problem("not saved: there is no directory for saves, set one with --data", &[]));
        };
        let saved = match self.simulation.save() {
            Ok(state) => archive.save(slot, &SavedMatch { replay, state }).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let notice = match saved {
            Ok(()) => Notice::success("saved as {name}", &[("name", slot)]),
            Err(error) => Notice::problem("not saved: {problem}", &[("problem", &error)]),
        };
        self.tell(notice);
    }

    pub(super) fn load(&mut self) -> bool {
        let Some(storage) = &self.storage else {
            self.tell(Notice::problem("not loaded: there is no directory for saves, set one with --data", &[]));
            return false;
        };
        let slot = storage.slot.clone();
        let loaded = self.load_slot(&slot);
        if let Err(error) = &loaded {
            self.tell(Notice::problem("not loaded: {problem}", &[("problem", error)]));
        }
        loaded.is_ok()
    }

    /// Continues a save of any mode.
    fn load_slot(&mut self, slot: &str) -> Result<(), String> {
        let Some(Storage { archive, assets, engine, can_rewind, .. }) = &self.storage else { return Ok(()) };
        let saved = archive.load(slot).map_err(|error| error.to_string())?;
        let (assets, engine, can_rewind) = (assets.clone(), *engine, *can_rewind);
        let (simulation, recorder) = saved.resume(&assets, engine)?;
        *self = Self::new(simulation, recorder, &assets, can_rewind).with_storage(self.storage.take());
        // A rewind does not withdraw results from before the load.
        self.storage.iter_mut().for_each(|storage| storage.results.settle());
        self.tell(Notice::success("loaded {name}", &[("name", &slot)]));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::time::Duration;

    use bounty_hunter::client::Game;
    use bounty_hunter::daily;
    use bounty_hunter::input::{Cheat, Command, Inputs, Intent};
    use bounty_hunter::replay::{Playback, Recorder};
    use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
    use bounty_hunter::view::GameState;
    use ecs::Engine;
    use rusqlite::Connection;

    use super::*;
    use crate::command_line::arguments::SimulateArguments;
    use crate::command_line::play::SharedSession;
    use crate::command_line::progress::Progress;
    use crate::command_line::saves::test_directory::Directory;
    use crate::command_line::simulate::{simulate, simulate_match};
    use crate::command_line::tries::Tries;
    use crate::command_line::workers::Job;

    impl Directory {
        fn results(&self) -> Vec<MatchRecord> {
            let archive = Archive::open(&self.0).unwrap();
            let ids = archive.results().unwrap().into_iter().map(|summary| summary.id);
            let record = |id| MatchRecord { details: archive.result(id).unwrap(), replay: archive.replay(id).unwrap() };
            ids.map(record).collect()
        }
    }

    /// Short matches, with fewer steps per second in the sandbox.
    pub(super) fn assets() -> Assets {
        let mut assets = Assets::built_in();
        for (name, mode) in &mut assets.modes {
            mode.game.countdown_seconds = 0.2;
            mode.game.play_seconds = 3.0;
            mode.game.stash_sizes.clear();
            mode.game.steps_per_second = if name == "sandbox" { 30 } else { 60 };
        }
        assets
    }

    pub(super) fn session(mode: &str, directory: Option<&Directory>) -> Session {
        session_of_seed(mode, 5, directory)
    }

    pub(super) fn session_of_seed(mode: &str, seed: u64, directory: Option<&Directory>) -> Session {
        let all = assets();
        let assets = all.clone().in_mode(mode).unwrap();
        let mut setup = MatchSetup::of_ais(seed, 3, "normal");
        setup.seats[0] = Seat::Human { person: 0 };
        let simulation = Simulation::new(&assets, &setup).unwrap();
        let recorder = Recorder::new(mode, &assets, &setup).unwrap();
        let storage = directory.map(|directory| Storage {
            archive: Archive::open(&directory.0).unwrap(),
            slot: "quick".to_owned(),
            assets: all,
            engine: Engine::builder(),
            can_rewind: false,
            results: Results::default(),
        });
        Session::new(simulation, recorder, &assets, mode == "sandbox").with_storage(storage)
    }

    pub(super) fn play_to_the_end(session: &mut Session) {
        while session.simulation.state() == GameState::GameOver {
            session.step(&Inputs::none().with(Command::Restart));
        }
        while session.simulation.state() != GameState::GameOver {
            session.step(&Inputs::none());
        }
    }

    fn notice(session: &Session) -> String {
        session.notice.as_ref().expect("there is one").0.in_english()
    }

    #[test]
    fn result_of_a_rewound_match_is_stored_once() {
        let directory = Directory::new("played_taken_back");
        let mut session = session("sandbox", Some(&directory));
        play_to_the_end(&mut session);
        let first = directory.results();
        assert_eq!(first.len(), 1);
        assert!(session.go_back(40));
        assert_eq!(directory.results(), [], "the match is not over");
        play_to_the_end(&mut session);
        let mut again = directory.results();
        assert_eq!(again.len(), 1);
        assert_eq!(again[0].details.events["GameOver"], 1);
        let then = &first[0].details.summary;
        (again[0].details.summary.id, again[0].details.summary.ended_at) = (then.id, then.ended_at.clone());
        assert_eq!(again, first, "the match repeats");
    }

    #[test]
    fn each_match_of_a_session_has_its_own_result() {
        let directory = Directory::new("played_one_after_the_other");
        let mut session = session("classic", Some(&directory));
        (0..3).for_each(|_| play_to_the_end(&mut session));
        let results = directory.results();
        let begins: Vec<u64> = results.iter().rev().map(|result| result.replay.about().begin).collect();
        assert_eq!(begins.len(), 3);
        assert!(begins[0] == 0 && begins.is_sorted_by(|one, next| one + 180 < *next), "{begins:?}");
        for result in results {
            assert_eq!((result.details.events["GameStarted"], result.details.events["GameOver"]), (1, 1));
            assert!((2.9..3.1).contains(&result.details.summary.seconds));
            Playback::new(result.replay, &assets(), Engine::builder()).unwrap().verify().unwrap();
        }
    }

    #[test]
    fn next_match_stores_what_the_last_one_could_not() {
        let directory = Directory::new("played_in_turn");
        let mut first = session("classic", Some(&directory));
        first.storage.as_mut().unwrap().archive.set_busy_timeout(Duration::ZERO).unwrap();
        let other = Connection::open(directory.0.join("bounty_hunter.sqlite3")).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        play_to_the_end(&mut first);
        other.execute_batch("COMMIT").unwrap();
        assert_eq!(directory.results(), []);
        let mut second = session("sandbox", None).with_storage(first.into_storage());
        (0..2).for_each(|_| _ = second.step(&Inputs::none()));
        assert!(second.go_back(1), "which withdraws no result of another match");
        play_to_the_end(&mut second);
        let modes: Vec<_> = directory.results().into_iter().map(|result| result.replay.about().mode.clone()).collect();
        assert_eq!(modes, ["sandbox", "classic"], "the latest first");
    }

    #[test]
    fn loaded_match_has_the_same_result() {
        let directory = Directory::new("played_loaded");
        let mut first = session("classic", Some(&directory));
        (0..100).for_each(|_| _ = first.step(&Inputs::none()));
        first.save();
        play_to_the_end(&mut first);
        let mut second = session("classic", Some(&directory));
        second.load_slot("quick").unwrap();
        play_to_the_end(&mut second);
        let [later, earlier] = <[MatchRecord; 2]>::try_from(directory.results()).unwrap();
        let (how_later, how_earlier) = (&later.details, &earlier.details);
        assert_eq!(
            (how_later.summary.seconds, how_later.summary.winner),
            (how_earlier.summary.seconds, how_earlier.summary.winner)
        );
        assert_eq!((&how_later.standings, &how_later.events), (&how_earlier.standings, &how_earlier.events));
        assert_eq!(
            (later.replay.about(), later.replay.last_hash()),
            (earlier.replay.about(), earlier.replay.last_hash())
        );
    }

    #[test]
    fn save_of_another_mode_continues_in_that_mode() {
        let directory = Directory::new("played_another_mode");
        let mut sandbox = session("sandbox", Some(&directory));
        (0..40).for_each(|_| _ = sandbox.step(&Inputs::none()));
        sandbox.save();
        let mut classic = session("classic", Some(&directory));
        assert_eq!((classic.simulation.steps_per_second(), classic.steps_back()), (60, None));
        assert!(classic.load(), "{}", notice(&classic));
        assert_eq!((classic.simulation.steps_per_second(), classic.steps_back()), (30, Some(0)));
        (0..9).for_each(|_| _ = classic.step(&Inputs::none()));
        assert!(classic.go_back(4));
        assert_eq!(classic.simulation.tick(), 45);
    }

    #[test]
    fn match_saved_during_a_pause_while_a_person_drives_is_simulated_to_its_end() {
        let directory = Directory::new("played_paused");
        let mut session = session("classic", Some(&directory));
        (0..50).for_each(|_| _ = session.step(&Inputs::none()));
        session.step(&Inputs::none().intent(0, Intent { drive: 1.0, turn: 0.0 }));
        session.step(&Inputs::none().with(Command::Pause));
        assert_eq!(session.simulation.state(), GameState::Paused);
        session.save();
        let arguments = SimulateArguments {
            data: Some(directory.0.clone()),
            load: Some("quick".to_owned()),
            // The match ends before this step, unless it stays paused.
            ticks: Some(300),
            matches: 1,
            ..SimulateArguments::default()
        };
        let play = |assets: &Assets, arguments: &SimulateArguments, seed: u64, job: &Job<'_>| {
            let report = simulate_match(assets, arguments, seed, job)?;
            assert!(report.ending.is_some() && report.ticks < 300, "{report:?}");
            Ok(report)
        };
        simulate(&assets(), &arguments, 1, Progress::start(1), play, &mut Vec::new()).unwrap();
        let [result] = <[MatchRecord; 1]>::try_from(directory.results()).unwrap();
        let mut playback = Playback::new(result.replay, &assets(), Engine::builder()).unwrap();
        playback.verify().unwrap();
        assert_eq!(playback.simulation().view().players[0].intent, Intent::IDLE);
    }

    #[test]
    fn result_is_stored_when_the_database_is_free_again() {
        let directory = Directory::new("played_later");
        let mut session = session("sandbox", Some(&directory));
        session.storage.as_mut().unwrap().archive.set_busy_timeout(Duration::ZERO).unwrap();
        let other = Connection::open(directory.0.join("bounty_hunter.sqlite3")).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        play_to_the_end(&mut session);
        assert!(notice(&session).starts_with("the result is not stored yet: "), "{}", notice(&session));
        assert!(session.store_results().unwrap_err().contains("another program is writing to it"));
        other.execute_batch("COMMIT").unwrap();
        assert_eq!(directory.results(), []);
        (0..=RETRY_SECONDS * 30).for_each(|_| _ = session.step(&Inputs::none()));
        assert_eq!(directory.results().len(), 1);
        // A withdrawn result.
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        assert!(session.go_back(60));
        other.execute_batch("COMMIT").unwrap();
        assert_eq!(directory.results().len(), 1, "not deleted yet");
        session.store_results().unwrap();
        assert_eq!(directory.results(), []);
        // A result that another program has deleted.
        play_to_the_end(&mut session);
        other.execute_batch("PRAGMA foreign_keys = true; DELETE FROM results").unwrap();
        assert!(session.go_back(60));
        assert!(!session.storage.as_ref().unwrap().results.is_waiting());
        play_to_the_end(&mut session);
        assert_eq!(directory.results().len(), 1);
    }

    #[test]
    fn match_that_ends_in_the_step_of_a_restart_has_a_result() {
        let directory = Directory::new("played_restarted_at_the_end");
        let mut last = session("classic", None);
        play_to_the_end(&mut last);
        let mut session = session("classic", Some(&directory));
        while session.simulation.tick() + 1 < last.simulation.tick() {
            session.step(&Inputs::none());
        }
        (0..2).for_each(|_| _ = session.step(&Inputs::none().with(Command::Restart)));
        play_to_the_end(&mut session);
        let results = directory.results();
        assert_eq!(results.len(), 2);
        let once = |result: &MatchRecord| ["GameStarted", "GameOver"].map(|event| result.details.events[event]);
        assert!(results.iter().all(|result| once(result) == [1; 2]), "{results:?}");
        assert!(results[0].replay.about().begin > 0 && results[1].replay.about().begin == 0);
    }

    #[test]
    fn quick_save_and_load_are_told_as_a_success() {
        let directory = Directory::new("played_told");
        let mut session = session("classic", Some(&directory));
        let told = |session: &Session| {
            let (notice, _) = session.notice.as_ref().expect("there is one");
            (notice.in_english(), notice.is_success())
        };
        assert!(!session.load());
        assert!(told(&session).0.starts_with("not loaded: ") && !told(&session).1, "{:?}", told(&session));
        session.save();
        assert_eq!(told(&session), ("saved as quick".to_owned(), true));
        assert!(session.load());
        assert_eq!(told(&session), ("loaded quick".to_owned(), true));
    }

    #[test]
    fn match_of_the_day_takes_no_cheats_and_no_new_beginning() {
        let directory = Directory::new("played_today");
        let tries = Tries::of_today(Some(&directory.0)).unwrap();
        let mut session = session("classic", None).of_the_day(tries.begin().unwrap());
        (0..50).for_each(|_| _ = session.step(&Inputs::none()));
        let told = "the match of the day has no cheats and is not begun again";
        for (command, state) in [
            (Command::Cheat(Cheat::KillCollectors), GameState::Running),
            (Command::TakeSeat(1), GameState::Running),
            (Command::Pause, GameState::Paused),
            (Command::Restart, GameState::Paused),
            (Command::Resume, GameState::Running),
        ] {
            session.notice = None;
            session.step(&Inputs::none().with(command));
            assert_eq!(
                (session.simulation.state(), session.notice.is_none()),
                (state, daily::is_fair(&Inputs::none().with(command)))
            );
            assert!(session.notice.as_ref().is_none_or(|(notice, _)| notice.in_english() == told));
        }
        assert_eq!(session.whole_replay().first_refused(daily::is_fair), None, "nothing of it is in the try");
        assert!(session.simulation.view().collectors.len() > 1);
    }

    #[test]
    fn result_of_the_day_is_a_line_to_share() {
        let directory = Directory::new("shared_today");
        let tries = Tries::of_today(Some(&directory.0)).unwrap();
        let daily = tries.daily_match(&Assets::built_in()).unwrap();
        let assets = Assets::built_in().in_mode(&daily.mode).unwrap();
        let simulation = Simulation::new(&assets, &daily.setup).unwrap();
        let recorder = Recorder::new(&daily.mode, &assets, &daily.setup).unwrap();
        let mut session = Session::new(simulation, recorder, &assets, false).of_the_day(tries.begin().unwrap());
        while session.simulation.state() != GameState::GameOver {
            session.step(&Inputs::none());
        }
        let session = Rc::new(RefCell::new(Some(session)));
        let mut game = SharedSession { session, assets, engine: Engine::builder(), films: None };
        let line = game.result_line().unwrap();
        assert!(line.starts_with("BountyHunter ") && line.contains(" points, place "), "{line}");
        assert_eq!(game.notice().unwrap().in_english(), format!("copied: {line}"));
    }

    #[test]
    fn session_without_storage_says_so() {
        let mut session = session("classic", None);
        session.save();
        assert_eq!(notice(&session), "not saved: there is no directory for saves, set one with --data");
        assert!(!session.load());
        assert_eq!(notice(&session), "not loaded: there is no directory for saves, set one with --data");
    }
}
