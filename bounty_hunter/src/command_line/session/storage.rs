//! What a match that is played keeps in the archive: saves, and how it ended.

use bounty_hunter::assets::Assets;
use ecs::EngineBuilder;

use super::{Session, history};
use crate::command_line::archive::{Archive, ArchiveError, MatchRecord, SavedMatch};

/// Where a match is saved, and what it takes to load one.
pub(in crate::command_line) struct Storage {
    pub(in crate::command_line) archive: Archive,
    pub(in crate::command_line) slot: String,
    pub(in crate::command_line) assets: Assets,
    pub(in crate::command_line) engine: EngineBuilder,
    /// Whether matches can be taken back of modes that do not say so.
    pub(in crate::command_line) can_rewind: bool,
}

/// How many seconds of play lie between two trials to keep what could not be kept.
const TRY_AGAIN_SECONDS: u64 = 5;

/// The results of a match that is played, and of those that were played before it.
#[derive(Default)]
pub(super) struct Results {
    /// After which step they were known, and what became of them.
    stored: Vec<(u64, StoredResult)>,
    /// Numbers of those that were taken back, and are still in the archive.
    gone: Vec<i64>,
}

/// What became of a result.
enum StoredResult {
    Waiting(Box<MatchRecord>),
    /// It is in the archive, under this number.
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
        !self.gone.is_empty() || self.stored.iter().any(|(_, stored)| stored.id().is_none())
    }

    /// Writes what waits, up to the first thing that goes wrong.
    fn write(&mut self, archive: &mut Archive) -> Result<(), ArchiveError> {
        while let Some(id) = self.gone.last() {
            // Whoever has deleted it meanwhile has done what was to be done.
            archive.forget_result(*id)?;
            self.gone.pop();
        }
        for (_, stored) in &mut self.stored {
            if let StoredResult::Waiting(record) = stored {
                *stored = StoredResult::At(archive.add_result(record)?);
            }
        }
        Ok(())
    }
}

impl Session {
    /// The same going on from a save, if one is named.
    pub(in crate::command_line) fn loading(mut self, slot: Option<&str>) -> Result<Self, String> {
        slot.map_or(Ok(()), |slot| self.load_slot(slot))?;
        Ok(self)
    }

    /// Keeps how the match ended, if people had a part in it.
    pub(super) fn keep_result(&mut self) {
        let record = MatchRecord::of(&self.simulation, self.replay());
        let record = record.filter(|record| record.details.summary.people > 0);
        if let (Some(_), Some(record)) = (&self.storage, record) {
            self.results.stored.push((self.simulation.tick(), StoredResult::Waiting(Box::new(record))));
            self.keep_results();
        }
    }

    /// Forgets the results of matches that have not ended, now that they were taken back.
    pub(super) fn take_results_back(&mut self) {
        while let Some((_, stored)) = self.results.stored.pop_if(|(step, _)| *step > self.simulation.tick()) {
            self.results.gone.extend(stored.id());
        }
        self.keep_results();
    }

    /// Tries every few seconds what could not be done before, since another program was writing.
    pub(super) fn try_again_to_keep_results(&mut self) {
        let steps = TRY_AGAIN_SECONDS * u64::from(self.simulation.steps_per_second());
        if self.results.is_waiting() && self.simulation.tick().is_multiple_of(steps) {
            self.keep_results();
        }
    }

    /// Brings the archive into line with the matches that have ended, and says what is wrong if that can not be.
    fn keep_results(&mut self) {
        if let Err(error) = self.keep_what_waits() {
            self.tell(format!("the result is not kept yet: {error}"));
        }
    }

    /// Brings the archive into line with the matches that have ended.
    pub(in crate::command_line) fn keep_what_waits(&mut self) -> Result<(), String> {
        let Some(Storage { archive, .. }) = &mut self.storage else { return Ok(()) };
        self.results.write(archive).map_err(|error| error.to_string())
    }

    pub(super) fn save(&mut self) {
        let replay = self.replay();
        let Some(Storage { archive, slot, .. }) = &mut self.storage else {
            return self.tell("not saved: there is no place for saves, name one with --data");
        };
        let saved = match self.simulation.save() {
            Ok(state) => archive.save(slot, &SavedMatch { replay, state }).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let notice = match saved {
            Ok(()) => format!("saved as {slot:?}"),
            Err(error) => format!("not saved: {error}"),
        };
        self.tell(notice);
    }

    pub(super) fn load(&mut self) -> bool {
        let Some(storage) = &self.storage else {
            self.tell("not loaded: there is no place for saves, name one with --data");
            return false;
        };
        let slot = storage.slot.clone();
        let loaded = self.load_slot(&slot);
        if let Err(error) = &loaded {
            self.tell(error);
        }
        loaded.is_ok()
    }

    /// Goes on from a save, of whatever mode.
    fn load_slot(&mut self, slot: &str) -> Result<(), String> {
        let Some(Storage { archive, assets, engine, can_rewind, .. }) = &self.storage else { return Ok(()) };
        let saved = archive.load(slot).map_err(|error| error.to_string())?;
        (self.simulation, self.recorder) = saved.resume(assets, *engine)?;
        let mode = assets.modes.get(&self.recorder.about().mode);
        self.history = history(&self.simulation, *can_rewind || mode.is_some_and(|mode| mode.rewind));
        self.has_gone_back = true;
        // What ended before this was loaded has ended.
        self.results.stored.retain(|(_, stored)| stored.id().is_none());
        self.results.stored.iter_mut().for_each(|(step, _)| *step = 0);
        self.tell(format!("loaded {slot:?}"));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bounty_hunter::input::{Inputs, Key};
    use bounty_hunter::keyboard::HeldKeys;
    use bounty_hunter::replay::{Playback, Recorder};
    use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
    use bounty_hunter::view::GameState;
    use ecs::Engine;
    use rusqlite::Connection;

    use super::*;
    use crate::command_line::arguments::SimulateArguments;
    use crate::command_line::progress::Progress;
    use crate::command_line::simulate::{simulate, simulate_match};
    use crate::command_line::test_directory::Directory;
    use crate::command_line::workers::Job;

    impl Directory {
        fn results(&self) -> Vec<MatchRecord> {
            let archive = Archive::open(&self.0).unwrap();
            let ids = archive.results().unwrap().into_iter().map(|summary| summary.id);
            let record = |id| MatchRecord { details: archive.result(id).unwrap(), replay: archive.replay(id).unwrap() };
            ids.map(record).collect()
        }
    }

    /// Short matches; those of the sandbox have fewer steps per second.
    fn assets() -> Assets {
        let mut assets = Assets::built_in();
        for (name, mode) in &mut assets.modes {
            mode.game.countdown_seconds = 0.2;
            mode.game.play_seconds = 3.0;
            mode.game.steps_per_second = if name == "sandbox" { 30 } else { 60 };
        }
        assets
    }

    fn session(mode: &str, directory: Option<&Directory>) -> Session {
        let all = assets();
        let assets = all.clone().in_mode(mode).unwrap();
        let mut setup = MatchSetup::of_ais(5, 3, "normal");
        setup.seats[0] = Seat::Human { keys: 0 };
        let simulation = Simulation::new(&assets, &setup).unwrap();
        let recorder = Recorder::new(mode, &assets, &setup).unwrap();
        let storage = directory.map(|directory| Storage {
            archive: Archive::open(&directory.0).unwrap(),
            slot: "quick".to_owned(),
            assets: all,
            engine: Engine::builder(),
            can_rewind: false,
        });
        Session::new(simulation, recorder, mode == "sandbox").with_storage(storage)
    }

    fn play_to_the_end(session: &mut Session) {
        while session.simulation.state() == GameState::GameOver {
            session.step(&Inputs::none().key_down(Key::R).key_up(Key::R));
        }
        while session.simulation.state() != GameState::GameOver {
            session.step(&Inputs::none());
        }
    }

    fn notice(session: &Session) -> &str {
        &session.notice.as_ref().expect("there is one").0
    }

    #[test]
    fn result_of_a_match_that_is_taken_back_is_kept_once() {
        let directory = Directory::new("played_taken_back");
        let mut session = session("sandbox", Some(&directory));
        play_to_the_end(&mut session);
        let first = directory.results();
        assert_eq!(first.len(), 1);
        assert!(session.go_back(40));
        assert_eq!(directory.results(), [], "it has not ended");
        play_to_the_end(&mut session);
        let mut again = directory.results();
        assert_eq!(again.len(), 1);
        assert_eq!(again[0].details.events["GameOver"], 1);
        let then = &first[0].details.summary;
        (again[0].details.summary.id, again[0].details.summary.ended_at) = (then.id, then.ended_at.clone());
        assert_eq!(again, first, "it went the same way, as if nothing had been taken back");
    }

    #[test]
    fn results_of_matches_one_after_the_other_are_each_of_one() {
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
    fn match_that_is_loaded_has_the_result_that_it_would_have_had() {
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
    fn save_of_another_mode_is_played_on_as_that_mode_is() {
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
    fn match_that_was_saved_in_a_pause_and_with_keys_held_is_simulated_to_its_end() {
        let directory = Directory::new("played_paused");
        let mut session = session("classic", Some(&directory));
        (0..50).for_each(|_| _ = session.step(&Inputs::none()));
        session.step(&Inputs::none().key_down(Key::W));
        session.step(&Inputs::none().key_down(Key::P).key_up(Key::P));
        assert_eq!(session.simulation.state(), GameState::Paused);
        session.save();
        let arguments = SimulateArguments {
            data: Some(directory.0.clone()),
            load: Some("quick".to_owned()),
            // It ends before, if it goes on.
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
        assert_eq!(playback.simulation().engine().resource::<HeldKeys>().unwrap().keys(), []);
    }

    #[test]
    fn result_that_can_not_be_kept_now_is_kept_later() {
        let directory = Directory::new("played_later");
        let mut session = session("sandbox", Some(&directory));
        session.storage.as_mut().unwrap().archive.be_patient(Duration::ZERO).unwrap();
        let other = Connection::open(directory.0.join("bounty_hunter.sqlite3")).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        play_to_the_end(&mut session);
        assert!(notice(&session).starts_with("the result is not kept yet: "), "{}", notice(&session));
        assert!(session.keep_what_waits().unwrap_err().contains("another program is writing to it"));
        other.execute_batch("COMMIT").unwrap();
        assert_eq!(directory.results(), []);
        (0..=TRY_AGAIN_SECONDS * 30).for_each(|_| _ = session.step(&Inputs::none()));
        assert_eq!(directory.results().len(), 1);
        // The same with one that is taken back.
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        assert!(session.go_back(60));
        other.execute_batch("COMMIT").unwrap();
        assert_eq!(directory.results().len(), 1, "it is still there");
        session.keep_what_waits().unwrap();
        assert_eq!(directory.results(), []);
        // And with one that somebody else has deleted.
        play_to_the_end(&mut session);
        other.execute_batch("PRAGMA foreign_keys = true; DELETE FROM results").unwrap();
        assert!(session.go_back(60));
        assert!(!session.results.is_waiting());
        play_to_the_end(&mut session);
        assert_eq!(directory.results().len(), 1);
    }

    #[test]
    fn match_that_ends_as_somebody_restarts_it_has_ended() {
        let directory = Directory::new("played_restarted_at_the_end");
        let mut last = session("classic", None);
        play_to_the_end(&mut last);
        let mut session = session("classic", Some(&directory));
        while session.simulation.tick() + 1 < last.simulation.tick() {
            session.step(&Inputs::none());
        }
        (0..2).for_each(|_| _ = session.step(&Inputs::none().key_down(Key::R).key_up(Key::R)));
        play_to_the_end(&mut session);
        let results = directory.results();
        assert_eq!(results.len(), 2);
        let once = |result: &MatchRecord| {
            ["GameStarted", "GameOver", "GameRestarted"].map(|event| result.details.events[event])
        };
        assert!(results.iter().all(|result| once(result) == [1; 3]), "{results:?}");
        assert!(results[0].replay.about().begin > 0 && results[1].replay.about().begin == 0);
    }

    #[test]
    fn match_that_can_not_be_saved_anywhere_says_so() {
        let mut session = session("classic", None);
        session.save();
        assert_eq!(notice(&session), "not saved: there is no place for saves, name one with --data");
        assert!(!session.load());
        assert_eq!(notice(&session), "not loaded: there is no place for saves, name one with --data");
    }
}
