//! The archive keeps its contents after every error, and reports the error.

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::replay::Recorder;
use bounty_hunter::saved_match::SavedMatch;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use ecs::Engine;

use super::*;
use crate::command_line::saves::test_directory::Directory;

/// A match after this many steps as a save, and its simulation.
fn saved(steps: u64) -> (SavedMatch, Simulation) {
    let mut assets = Assets::built_in();
    assets.game.countdown_seconds = 0.1;
    assets.game.stash_sizes.clear();
    let setup = MatchSetup { play_seconds: Some(2.0), ..MatchSetup::of_ais(5, 3, "normal") };
    let mut simulation = Simulation::new(&assets, &setup).unwrap();
    let mut recorder = Recorder::new("classic", &assets, &setup).unwrap();
    for _ in 0..steps {
        simulation.step(&Inputs::none());
        recorder.note(&Inputs::none(), &mut simulation);
    }
    let saved = SavedMatch { replay: recorder.replay(&mut simulation), state: simulation.save().unwrap() };
    (saved, simulation)
}

fn steps_in(archive: &Archive, slot: &str) -> u64 {
    archive.load(slot).unwrap().replay.about().steps
}

#[test]
fn reopened_save_continues_the_match_unchanged() {
    let directory = Directory::new("archive_again");
    let mut assets = Assets::built_in();
    for mode in assets.modes.values_mut() {
        mode.game.countdown_seconds = 0.1;
        mode.game.stash_sizes.clear();
    }
    let (saved, mut simulation) = saved(70);
    Archive::open(&directory.0).unwrap().save("one", &saved).unwrap();
    let archive = Archive::open(&directory.0).unwrap();
    let (mut later, recorder) = archive.load("one").unwrap().resume(&assets, Engine::builder()).unwrap();
    assert_eq!(recorder.about().steps, 70);
    for _ in 0..100 {
        simulation.step(&Inputs::none());
        later.step(&Inputs::none());
        assert_eq!(later.state_hash(), simulation.state_hash(), "step {}", later.tick());
    }
}

#[test]
fn slots_are_listed_replaced_copied_and_deleted() {
    let directory = Directory::new("archive_slots");
    let mut archive = Archive::open(&directory.0).unwrap();
    archive.save("quick", &saved(10).0).unwrap();
    archive.save("quick", &saved(20).0).unwrap();
    archive.copy_save("quick", "friday").unwrap();
    archive.save("quick", &saved(30).0).unwrap();
    let names: Vec<(String, i64)> = archive.saves().unwrap().into_iter().map(|save| (save.name, save.ticks)).collect();
    assert_eq!(names.len(), 2);
    assert!(names.contains(&("friday".to_owned(), 20)) && names.contains(&("quick".to_owned(), 30)), "{names:?}");
    let line = archive.save_line("friday").unwrap();
    assert_eq!(
        (line.mode.as_str(), line.level.as_str(), line.players, line.seed.as_str()),
        ("classic", "arena", 3, "5")
    );
    archive.delete_save("friday").unwrap();
    let sentence = |error: ArchiveError| error.to_string().split(": ").nth(1).unwrap().to_owned();
    assert_eq!(sentence(archive.load("friday").unwrap_err()), "there is no save \"friday\", only quick");
    assert_eq!(sentence(archive.delete_save("x").unwrap_err()), "there is no save \"x\", only quick");
    assert_eq!(sentence(archive.copy_save("x", "y").unwrap_err()), "there is no save \"x\", only quick");
}

#[test]
fn result_is_stored_and_deleted_with_its_standings_events_and_replay() {
    let directory = Directory::new("archive_results");
    let mut archive = Archive::open(&directory.0).unwrap();
    let (saved, simulation) = saved(200);
    let record = MatchRecord::of(&simulation, saved.replay).expect("the match is over");
    let details = &record.details;
    assert_eq!((details.summary.ending.as_str(), details.standings.len(), details.summary.seconds), ("time", 3, 2.0));
    assert_eq!((details.events["GameStarted"], details.events["GameOver"]), (1, 1));
    let id = archive.add_result(&record).unwrap();
    let second = archive.add_result(&record).unwrap();
    let kept = archive.result(id).unwrap();
    assert_eq!((&kept.standings, &kept.events), (&details.standings, &details.events));
    assert_eq!(archive.replay(id).unwrap(), record.replay);
    assert!(kept.events["GameOver"] == 1 && !kept.summary.ended_at.is_empty());
    let totals = archive.totals().unwrap();
    assert_eq!((totals.matches, totals.with_people, totals.modes["classic"]), (2, 0, 2));
    assert_eq!(totals.events["GameOver"], 2);
    archive.delete_result(id).unwrap();
    assert_eq!(archive.results().unwrap().iter().map(|line| line.id).collect::<Vec<_>>(), [second]);
    let left: i64 = archive.connection.query_row("SELECT count(*) FROM standings", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 3, "the standings of the other result are deleted");
    assert!(
        archive
            .result(id)
            .unwrap_err()
            .to_string()
            .ends_with("there is no result 1: `bounty_hunter results` lists them")
    );
}

/// A record in which the last player is a person with feats.
fn with_feats(feats: &[&str]) -> MatchRecord {
    let (saved, simulation) = saved(200);
    let mut record = MatchRecord::of(&simulation, saved.replay).expect("the match is over");
    let player = record.details.standings.last_mut().expect("there are three");
    assert_eq!(player.feats, [""; 0], "an AI has none");
    (player.is_person, player.feats) = (true, feats.iter().map(|feat| (*feat).to_owned()).collect());
    record
}

fn listed(archive: &Archive) -> Vec<(String, i64, i64)> {
    archive.feats().unwrap().into_iter().map(|record| (record.feat, record.times, record.first)).collect()
}

#[test]
fn feats_are_counted_over_all_results_and_go_with_them() {
    let directory = Directory::new("archive_feats");
    let mut archive = Archive::open(&directory.0).unwrap();
    assert_eq!(listed(&archive), []);
    for feats in [&["harvest", "medal/classic/hard/2"][..], &["of a later version", "harvest"]] {
        let record = with_feats(feats);
        let id = archive.add_result(&record).unwrap();
        let mut kept = archive.result(id).unwrap().standings.pop().unwrap().feats;
        kept.sort_by_key(|feat| record.details.standings[2].feats.iter().position(|other| other == feat));
        assert_eq!(kept, feats);
    }
    let found = [("harvest", 2, 1), ("medal/classic/hard/2", 1, 1), ("of a later version", 1, 2)];
    assert_eq!(listed(&archive), found.map(|(feat, times, first)| (feat.to_owned(), times, first)));
    archive.delete_result(1).unwrap();
    let found = [("harvest", 1, 2), ("of a later version", 1, 2)];
    assert_eq!(listed(&archive), found.map(|(feat, times, first)| (feat.to_owned(), times, first)));
    // A row that another program has made odd.
    loosen(&archive, "feats");
    archive.connection.execute_batch("UPDATE feats SET feat = 7 WHERE feat = 'harvest'").unwrap();
    assert_eq!(listed(&archive).len(), 1);
    assert_eq!(archive.result(2).unwrap().summary.odd, ["feat is no text"]);
}

#[test]
fn archive_of_an_older_format_keeps_its_contents() {
    const WITHOUT_TEAMS: &str = "ALTER TABLE standings DROP COLUMN team; PRAGMA user_version = 3";
    const WITHOUT_FEATS: &str = "DROP TABLE feats; PRAGMA user_version = 2";
    for (format, older) in [(3, vec![WITHOUT_TEAMS]), (2, vec![WITHOUT_TEAMS, WITHOUT_FEATS])] {
        let directory = Directory::new(&format!("archive_format_{format}"));
        let mut archive = Archive::open(&directory.0).unwrap();
        archive.save("quick", &saved(10).0).unwrap();
        archive.add_result(&with_feats(&[])).unwrap();
        older.iter().for_each(|sql| archive.connection.execute_batch(sql).unwrap());
        drop(archive);
        for _ in 0..2 {
            let mut archive = Archive::open(&directory.0).unwrap();
            assert_eq!((steps_in(&archive, "quick"), archive.result(1).unwrap().summary.odd), (10, Vec::new()));
            archive.add_result(&with_feats(&["harvest"])).unwrap();
        }
        assert_eq!(listed(&Archive::open(&directory.0).unwrap()), [("harvest".to_owned(), 2, 2)]);
    }
}

#[test]
fn team_that_has_won_is_named_and_counts_once_for_its_people() {
    let directory = Directory::new("archive_teams");
    let mut archive = Archive::open(&directory.0).unwrap();
    let mut record = with_feats(&[]);
    let details = &mut record.details;
    for (player, team) in details.standings.iter_mut().zip([0, 1, 1]) {
        (player.team, player.is_person) = (Some(team), true);
    }
    (details.summary.winner, details.summary.people) = (Some(1), 3);
    let names = details.standings[1..].iter().map(|player| player.name.clone()).collect::<Vec<_>>().join(" & ");
    let id = archive.add_result(&record).unwrap();
    let kept = archive.result(id).unwrap();
    assert_eq!(kept.standings.iter().map(|player| player.team).collect::<Vec<_>>(), [Some(0), Some(1), Some(1)]);
    assert_eq!(kept.standings.iter().map(|player| player.place).collect::<Vec<_>>(), [2, 1, 1]);
    assert_eq!(kept.summary.winner_name, Some(names));
    assert_eq!(archive.totals().unwrap().won_by_people, 1);
}

#[test]
fn unfinished_match_has_no_result() {
    let (saved, simulation) = saved(50);
    assert_eq!(MatchRecord::of(&simulation, saved.replay), None);
}

#[test]
fn full_disk_changes_nothing() {
    let directory = Directory::new("archive_full");
    let mut archive = Archive::open(&directory.0).unwrap();
    archive.save("quick", &saved(10).0).unwrap();
    let pages: i64 = archive.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    archive.connection.pragma_update(None, "max_page_count", pages).unwrap();
    let error = archive.save("another", &saved(20).0).unwrap_err();
    assert!(error.to_string().ends_with("the disk is full: nothing was changed"), "{error}");
    let archive = Archive::open(&directory.0).unwrap();
    assert_eq!((archive.saves().unwrap().len(), steps_in(&archive, "quick")), (1, 10));
}

#[test]
fn read_only_archive_is_read_and_not_written() {
    let directory = Directory::new("archive_read_only");
    let mut archive = Archive::open(&directory.0).unwrap();
    archive.save("quick", &saved(10).0).unwrap();
    archive.connection.pragma_update(None, "query_only", true).unwrap();
    let error = archive.save("quick", &saved(20).0).unwrap_err();
    assert!(error.to_string().contains("it is read-only"), "{error}");
    assert_eq!(steps_in(&archive, "quick"), 10);
}

#[test]
fn two_programs_take_turns_and_a_long_lock_is_an_error() {
    let directory = Directory::new("archive_two");
    let (mut one, mut other) = (Archive::open(&directory.0).unwrap(), Archive::open(&directory.0).unwrap());
    one.save("quick", &saved(10).0).unwrap();
    other.save("quick", &saved(20).0).unwrap();
    assert_eq!(steps_in(&one, "quick"), 20);
    other.set_busy_timeout(Duration::ZERO).unwrap();
    one.connection.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let error = other.save("quick", &saved(30).0).unwrap_err();
    assert!(
        error.to_string().ends_with("another program is writing to it: try again when that has finished"),
        "{error}"
    );
    one.connection.execute_batch("COMMIT").unwrap();
    assert_eq!(steps_in(&other, "quick"), 20);
}

#[test]
fn several_programs_create_the_same_archive_at_once() {
    for round in 0..40 {
        let directory = Directory::new(&format!("archive_at_once_{round}"));
        std::thread::scope(|scope| {
            let open = || scope.spawn(|| Archive::open(&directory.0).map(|_| ()));
            let threads = [(); 8].map(|()| open());
            threads.into_iter().for_each(|thread| thread.join().unwrap().unwrap());
        });
    }
}

#[test]
fn foreign_files_are_refused_and_unchanged() {
    let directory = Directory::new("archive_foreign");
    let file = directory.0.join(FILE);
    fs::create_dir_all(&directory.0).unwrap();
    let refusal = || Archive::open(&directory.0).unwrap_err().to_string();
    fs::write(
        &file,
        b"not a database, but long enough to be looked at as one, and with text throughout it. ".repeat(20),
    )
    .unwrap();
    assert!(refusal().ends_with("it is not a database: move the file away to start a new one"), "{}", refusal());
    assert!(fs::read(&file).unwrap().starts_with(b"not a database"));
    fs::remove_file(&file).unwrap();
    Connection::open(&file).unwrap().execute_batch("CREATE TABLE bookmarks (url TEXT)").unwrap();
    assert!(refusal().ends_with("it is the database of another program"), "{}", refusal());
    fs::remove_file(&file).unwrap();
    drop(Archive::open(&directory.0).unwrap());
    Connection::open(&file).unwrap().pragma_update(None, "user_version", 7).unwrap();
    assert!(
        refusal().ends_with("a newer version of the game wrote it in format 7, this version reads formats up to 4")
    );
    Connection::open(&file).unwrap().pragma_update(None, "user_version", 1).unwrap();
    assert!(refusal().contains("it has the unknown format 1: "), "{}", refusal());
}

/// Replaces a table by one that takes every value in every column.
fn loosen(archive: &Archive, table: &str) {
    let columns: Vec<String> = {
        let mut found = archive.connection.prepare(&format!("SELECT name FROM pragma_table_info('{table}')")).unwrap();
        found.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    let columns = columns.join(", ");
    let sql = format!(
        "PRAGMA foreign_keys = false; CREATE TABLE loose ({columns}); INSERT INTO loose SELECT * FROM {table};
        DROP TABLE {table}; ALTER TABLE loose RENAME TO {table}"
    );
    archive.connection.execute_batch(&sql).unwrap();
}

#[test]
fn odd_save_is_told_and_hides_no_other() {
    let directory = Directory::new("archive_odd_saves");
    let mut archive = Archive::open(&directory.0).unwrap();
    archive.save("quick", &saved(10).0).unwrap();
    loosen(&archive, "saves");
    for (value, problem) in [
        ("saved_at = 9223372036854775807", "saved_at is 9223372036854775807, 0 to 253402300799 are possible"),
        ("saved_at = -1e300", "saved_at is no whole number but Real"),
        ("saved_at = NULL", "saved_at is no whole number but Null"),
        ("ticks = -1", "ticks is -1, 0 to 10000000000 are possible"),
        ("ticks = 'many'", "ticks is no whole number but Text"),
        ("players = 5000000000", "players is 5000000000, 0 to 10000 are possible"),
        ("mode = NULL", "mode is no text"),
        ("mode = CAST(x'ff' AS TEXT)", "mode is not UTF-8"),
        ("level = char(27) || '[2J'", "level has the character U+001B, which cannot be shown: leave it out"),
        ("version = printf('%.*c', 500, 'v')", "version has 500 characters, at most 100 are usual"),
        ("state = NULL", "bytes is no whole number but Null"),
    ] {
        archive.copy_save("quick", "odd").unwrap();
        archive.connection.execute_batch(&format!("UPDATE saves SET {value} WHERE name = 'odd'")).unwrap();
        let mut lines = archive.saves().unwrap();
        lines.sort_by(|one, other| one.name.cmp(&other.name));
        assert_eq!(lines.iter().map(|line| &*line.name).collect::<Vec<_>>(), ["odd", "quick"], "{value}");
        assert_eq!((&*lines[0].odd, lines[1].odd.is_empty()), (&[problem.to_owned()][..], true), "{value}");
        assert_eq!(steps_in(&archive, "quick"), 10);
        archive.delete_save("odd").unwrap();
    }
    for (value, problem) in [
        ("state = NULL", "its state is no blob of bytes"),
        ("replay = 7", "its replay is no blob of bytes"),
        (
            "replay = zeroblob(20000000)",
            "its replay has more than 16777216 bytes, the most of a replay: it is damaged or no replay",
        ),
    ] {
        archive.copy_save("quick", "odd").unwrap();
        archive.connection.execute_batch(&format!("UPDATE saves SET {value} WHERE name = 'odd'")).unwrap();
        let error = archive.load("odd").unwrap_err().to_string();
        assert!(error.ends_with(&format!("the save \"odd\" cannot be loaded: {problem}")), "{error}");
        archive.delete_save("odd").unwrap();
    }
}

#[test]
fn odd_result_is_told_and_hides_no_other() {
    let directory = Directory::new("archive_odd_results");
    let mut archive = Archive::open(&directory.0).unwrap();
    let (saved, simulation) = saved(200);
    let record = MatchRecord::of(&simulation, saved.replay).expect("the match is over");
    (0..2).for_each(|_| _ = archive.add_result(&record).unwrap());
    ["results", "standings", "events"].iter().for_each(|table| loosen(&archive, table));
    for (value, problem) in [
        ("ended_at = 9223372036854775807", "ended_at is 9223372036854775807, 0 to 253402300799 are possible"),
        ("seconds = 9e999", "seconds is inf, 0 to 10000000 are possible"),
        ("seconds = -1.0", "seconds is -1e0, 0 to 10000000 are possible"),
        ("seconds = NULL", "seconds is no number but Null"),
        ("players = -4", "players is -4, 0 to 10000 are possible"),
        ("winner = -4", "winner is -4, 0 to 10000 are possible"),
        ("ending = x'00'", "ending is no text"),
    ] {
        archive
            .connection
            .execute_batch(
                "DELETE FROM results WHERE id = 2; INSERT INTO results SELECT 2, ended_at, mode, level, seed, \
            players, people, seconds, ending, winner, version, replay FROM results WHERE id = 1",
            )
            .unwrap();
        archive.connection.execute_batch(&format!("UPDATE results SET {value} WHERE id = 2")).unwrap();
        let lines = archive.results().unwrap();
        assert_eq!(lines.iter().map(|line| (line.id, line.odd.len())).collect::<Vec<_>>(), [(2, 1), (1, 0)], "{value}");
        assert_eq!(lines[0].odd, [problem], "{value}");
        assert_eq!(archive.result(2).unwrap().summary.odd, [problem], "{value}");
        let totals = archive.totals().unwrap();
        assert_eq!((totals.matches, totals.odd), (2, 1), "{value}");
        assert!(totals.seconds.is_finite() && totals.seconds >= 2.0, "{value}");
    }
    let details = archive.result(1).unwrap();
    archive
        .connection
        .execute_batch(
            "UPDATE standings SET stashed = 'all', name = NULL WHERE result = 2 AND player = 1; \
        UPDATE events SET sent = 9223372036854775807 WHERE event = 'GameOver'; \
        UPDATE events SET sent = 'often' WHERE result = 2 AND event = 'GameStarted'",
        )
        .unwrap();
    let odd = archive.result(2).unwrap();
    assert_eq!(odd.standings.len(), details.standings.len());
    let told = &odd.summary.odd[1..];
    assert_eq!(
        told,
        [
            "name is no text (of player 1)",
            "stashed is no number but Text (of player 1)",
            "sent is no whole number but Text"
        ]
    );
    assert_eq!(archive.totals().unwrap().events["GameOver"], i64::MAX, "the sum has no more room");
    #[cfg(feature = "client")]
    assert_eq!(archive.results_with_people().unwrap().len(), 2);
    // A standing of no match.
    archive
        .connection
        .execute_batch(
            "UPDATE results SET people = 1; INSERT INTO standings SELECT NULL, 7, name, 1, 4.0, NULL, NULL FROM standings",
        )
        .unwrap();
    assert_eq!(archive.totals().unwrap().matches, 2);
    #[cfg(feature = "client")]
    assert_eq!(archive.results_with_people().unwrap().len(), 2);
}

#[test]
fn columns_that_another_program_adds_do_not_matter() {
    let directory = Directory::new("archive_columns");
    let mut archive = Archive::open(&directory.0).unwrap();
    for table in ["saves", "results", "standings", "events", "feats"] {
        archive.connection.execute_batch(&format!("ALTER TABLE {table} ADD COLUMN note TEXT")).unwrap();
    }
    let (saved, simulation) = saved(200);
    archive.save("quick", &saved).unwrap();
    archive.copy_save("quick", "friday").unwrap();
    let id = archive.add_result(&MatchRecord::of(&simulation, saved.replay).expect("the match is over")).unwrap();
    assert_eq!((archive.saves().unwrap().len(), archive.result(id).unwrap().summary.odd), (2, Vec::new()));
}

#[test]
fn sentence_about_a_missing_save_names_a_few_others() {
    let directory = Directory::new("archive_many");
    let mut archive = Archive::open(&directory.0).unwrap();
    archive.save("a", &saved(10).0).unwrap();
    for name in "bcdefghijkl".chars() {
        archive.copy_save("a", &name.to_string()).unwrap();
    }
    let error = archive.load("x").unwrap_err().to_string();
    assert!(
        error.ends_with("only a, b, c, d, e, f, g, h, i, j and 2 more: `bounty_hunter saves` lists them"),
        "{error}"
    );
}

#[test]
fn archive_with_wrong_tables_is_damaged() {
    let directory = Directory::new("archive_tables");
    let archive = Archive::open(&directory.0).unwrap();
    archive.connection.execute_batch("ALTER TABLE results DROP COLUMN version; DROP TABLE saves").unwrap();
    for error in [archive.results().map(|_| ()).unwrap_err(), archive.saves().map(|_| ()).unwrap_err()] {
        let sentence = error.to_string();
        assert!(sentence.contains(": it is damaged: restore a copy, or move the file away"), "{sentence}");
        assert!(!sentence.contains("SELECT"), "{sentence}");
    }
}

#[test]
fn truncated_archive_is_refused_in_a_sentence() {
    let directory = Directory::new("archive_truncated");
    let mut archive = Archive::open(&directory.0).unwrap();
    archive.save("quick", &saved(10).0).unwrap();
    drop(archive);
    let file = directory.0.join(FILE);
    let whole = fs::read(&file).unwrap();
    for length in (0..whole.len()).step_by(1_777) {
        fs::write(&file, &whole[..length]).unwrap();
        // An empty file is a new archive without the save; other lengths are refused.
        let outcome = Archive::open(&directory.0).and_then(|archive| archive.load("quick").map(|_| ()));
        assert!(outcome.is_err(), "{length} bytes");
        assert!(!outcome.unwrap_err().to_string().contains('\n'));
    }
}

#[test]
fn save_with_a_byte_changed_is_refused() {
    let directory = Directory::new("archive_flipped");
    let mut archive = Archive::open(&directory.0).unwrap();
    let (mut saved, _) = saved(10);
    let middle = saved.state.len() / 2;
    saved.state[middle] ^= 1;
    archive.save("quick", &saved).unwrap();
    let error = archive.load("quick").unwrap().resume(&Assets::built_in(), Engine::builder()).map(|_| ()).unwrap_err();
    assert!(error.starts_with("the save cannot be loaded: "), "{error}");
}

#[test]
fn impossible_directory_is_refused_with_its_name() {
    let directory = Directory::new("archive_nowhere");
    fs::create_dir_all(&directory.0).unwrap();
    let file = directory.0.join("file");
    fs::write(&file, "").unwrap();
    let error = Archive::open(&file.join("below")).unwrap_err().to_string();
    assert!(error.starts_with("saves and results in ") && error.contains("file"), "{error}");
    assert!(Archive::open_existing(&directory.0).unwrap().is_none());
}
