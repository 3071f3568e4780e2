//! The best stored match of the person at this screen: it is shown beside the present one.

use bounty_hunter::replay::{Playback, Replay};
use bounty_hunter::simulation::{MatchSetup, Seat};
use ecs::Engine;

use super::{Session, Storage};

impl Session {
    /// The best stored match of the person who plays this one alone that can be played and compared.
    pub(in crate::command_line::play::session) fn own_best(&self) -> Option<Playback> {
        let Storage { archive, assets, .. } = self.storage.as_ref()?;
        let about = self.recorder.about();
        let mode = assets.modes.get(&about.mode)?;
        // With lives a match lasts longer for a better player: stashes do not compare.
        if people(&about.setup) != 1 || mode.game.rules.lives.is_some() {
            return None;
        }
        let seconds = |setup: &MatchSetup| setup.play_seconds.unwrap_or(mode.game.play_seconds);
        let is_like_this = |replay: &Replay| {
            let setup = &replay.about().setup;
            let has_seed = !self.is_daily || setup.seed == about.setup.seed;
            has_seed && seconds(setup) == seconds(&about.setup) && people(setup) == 1 && replay.first_cheat().is_none()
        };
        let stored = archive.best_of_one_person(&about.mode, &about.level, about.setup.seats.len());
        let stored = stored.inspect_err(|error| tracing::warn!(target: "bounty_hunter::play", "own best: {error}"));
        let mut replays = stored.ok()?.into_iter().filter_map(|id| archive.replay(id).ok()).filter(is_like_this);
        // A match of other assets or of another version cannot be played.
        replays.find_map(|replay| Playback::new(replay, assets, Engine::builder()).ok())
    }
}

fn people(setup: &MatchSetup) -> usize {
    setup.seats.iter().filter(|seat| matches!(seat, Seat::Human { .. })).count()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{play_to_the_end, session, session_of_seed};
    use super::*;
    use crate::command_line::saves::archive::{Archive, MatchRecord};
    use crate::command_line::saves::test_directory::Directory;

    /// A finished match, in which the person has stashed so much, as far as the database knows.
    fn record(mode: &str, stashed: f64) -> MatchRecord {
        let mut session = session(mode, None);
        play_to_the_end(&mut session);
        let replay = session.replay();
        let mut record = MatchRecord::of(&session.simulation, replay).expect("it is over");
        record.details.standings.iter_mut().for_each(|player| player.stashed = stashed);
        record
    }

    #[test]
    fn fullest_stash_of_a_match_that_can_be_played_is_the_own_best() {
        let directory = Directory::new("own_best");
        let session = session("classic", Some(&directory));
        assert!(session.own_best().is_none(), "there is none yet");
        let mut archive = Archive::open(&directory.0).unwrap();
        let (good, better) = (record("classic", 20.0), record("classic", 40.0));
        archive.add_result(&good).unwrap();
        archive.add_result(&better).unwrap();
        archive.add_result(&record("power-ups", 900.0)).unwrap();
        let found = session.own_best().expect("there are two");
        assert_eq!((found.about(), found.last_hash()), (better.replay.about(), better.replay.last_hash()));
        // With other assets none of them can be played.
        let mut of_other_assets = self::session("classic", Some(&directory));
        let storage = of_other_assets.storage.as_mut().unwrap();
        storage.assets.modes.get_mut("classic").unwrap().game.least_bounties += 1;
        assert!(of_other_assets.own_best().is_none());
    }

    #[test]
    fn match_of_a_day_is_compared_with_the_tries_of_that_day_alone() {
        let directory = Directory::new("own_best_of_a_day");
        let mut archive = Archive::open(&directory.0).unwrap();
        archive.add_result(&record("classic", 20.0)).unwrap();
        let of_today = Session { is_daily: true, ..session("classic", Some(&directory)) };
        assert!(of_today.own_best().is_some(), "the same seed");
        let mut of_tomorrow = Session { is_daily: true, ..session("classic", Some(&directory)) };
        of_tomorrow.recorder = session_of_seed("classic", 6, None).recorder;
        assert!(of_tomorrow.own_best().is_none());
    }

    #[test]
    fn matches_with_lives_or_of_several_people_are_not_compared() {
        let directory = Directory::new("own_best_of_others");
        let mut archive = Archive::open(&directory.0).unwrap();
        archive.add_result(&record("survival", 20.0)).unwrap();
        assert!(session("survival", Some(&directory)).own_best().is_none());
        let mut of_two = record("classic", 20.0);
        of_two.details.summary.people = 2;
        archive.add_result(&of_two).unwrap();
        assert!(session("classic", Some(&directory)).own_best().is_none());
    }
}
