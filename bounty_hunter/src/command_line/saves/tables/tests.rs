//! Tables of saves: asked, changed, damaged.

use std::fs;
use std::path::PathBuf;

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::replay::{Playback, Recorder, ReplayError};
use bounty_hunter::saved_match::SavedMatch;
use bounty_hunter::simulation::view::PlayerView;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use ecs::Engine;
use rusqlite::Connection;

use super::super::test_directory::Directory;
use super::cells::Cell;
use super::{read_back, write};
use crate::command_line::Failure;

/// A match in which bounties are carried and stashed.
fn saved(mode: &str, level: Option<&str>) -> SavedMatch {
    let assets = Assets::built_in().in_mode(mode).unwrap();
    let assets = level.map_or(assets.clone(), |level| assets.in_level(level).unwrap());
    let setup = MatchSetup::of_ais(7, 4, "normal");
    let mut simulation = Simulation::new(&assets, &setup).unwrap();
    let mut recorder = Recorder::new(mode, &assets, &setup).unwrap();
    for _ in 0..1_500 {
        simulation.step(&Inputs::none());
        recorder.note(&Inputs::none(), &mut simulation);
    }
    SavedMatch { replay: recorder.replay(&mut simulation), state: simulation.save().unwrap() }
}

struct File {
    directory: Directory,
    path: PathBuf,
}

impl File {
    fn of(name: &str, saved: &SavedMatch) -> Self {
        let directory = Directory::new(&format!("tables_{name}"));
        fs::create_dir_all(&directory.0).unwrap();
        let path = directory.0.join("tables.sqlite3");
        write(name, saved, &Assets::built_in(), &path).unwrap();
        Self { directory, path }
    }

    fn connection(&self) -> Connection {
        Connection::open(&self.path).unwrap()
    }

    fn change(&self, sql: &str) {
        let connection = self.connection();
        connection.pragma_update(None, "foreign_keys", true).unwrap();
        assert!(connection.execute(sql, []).unwrap() > 0, "{sql} changes nothing");
    }

    fn text(&self, sql: &str) -> String {
        let sql = format!("SELECT CAST(({sql}) AS TEXT)");
        self.connection().query_row(&sql, [], |row| row.get::<_, Option<String>>(0)).unwrap().unwrap_or_default()
    }

    fn refusal(&self) -> String {
        match read_back(&self.path, &Assets::built_in(), false) {
            Err(Failure::BadInput(problem)) => {
                problem.strip_prefix(&format!("the tables {}: ", self.path.display())).unwrap().to_owned()
            }
            other => panic!("it was accepted: {:?}", other.map(|(_, changes)| changes)),
        }
    }
}

fn resumed(saved: &SavedMatch) -> Simulation {
    saved.resume(&Assets::built_in(), Engine::builder()).unwrap().0
}

#[test]
fn tables_that_nobody_changed_are_the_save_itself() {
    for (mode, level) in [("classic", None), ("spells", None), ("survival", None), ("classic", Some("vault"))] {
        let saved = saved(mode, level);
        let file = File::of(&format!("same_{mode}_{}", level.unwrap_or("default")), &saved);
        let (back, changes) = read_back(&file.path, &Assets::built_in(), false).unwrap();
        assert_eq!((changes, &back.state), (0, &saved.state), "{mode}");
        assert!(!file.text("SELECT value FROM about WHERE name = 'without a table'").contains("transform"));
    }
}

#[test]
fn what_was_changed_is_in_the_match_and_its_replay_holds() {
    let saved = saved("classic", None);
    let file = File::of("changed", &saved);
    let ship = file.text("SELECT collector FROM players WHERE player = 2");
    let gone = file.text("SELECT entity FROM bounties WHERE is_alive ORDER BY value LIMIT 1");
    file.change(&format!("UPDATE pocket SET carried = 33 WHERE entity = '{ship}'"));
    file.change("UPDATE stash SET stashed = stashed + 100.5 WHERE player = 1");
    file.change(&format!("UPDATE transform SET pose_position_0 = 1.5, pose_position_1 = -20 WHERE entity = '{ship}'"));
    file.change("UPDATE resource_game_flow SET clock_ticks = 600");
    file.change(&format!("DELETE FROM entities WHERE entity = '{gone}'"));
    let before = resumed(&saved);
    let stashed = |simulation: &Simulation| simulation.view().players[1].stashed;
    let (back, changes) = read_back(&file.path, &Assets::built_in(), false).unwrap();
    assert_eq!(changes, 5);
    let mut simulation = resumed(&back);
    assert_eq!(simulation.tick(), before.tick() + 1, "the changes are inputs of one further step");
    let view = simulation.view();
    assert!((view.players[2].pocket - 33.0).abs() < 1.0, "{}", view.players[2].pocket);
    assert!((stashed(&simulation) - stashed(&before) - 100.5).abs() < 0.01);
    let at = view.collectors.iter().find(|collector| collector.player == 2).unwrap().position;
    assert!((at.x - 1.5).abs() < 1.0 && (at.y + 20.0).abs() < 1.0, "its body went along: {at}");
    assert_eq!(simulation.engine_mut().entities().len(), resumed(&saved).engine_mut().entities().len() - 1);
    // A stranger's replay with changes is played only when that is asked for.
    let steps = back.replay.about().steps;
    let refused = Playback::new(back.replay.clone(), &Assets::built_in(), Engine::builder()).map(|_| ());
    assert!(matches!(refused, Err(ReplayError::Edited { step }) if step == steps));
    assert_eq!(back.replay.first_cheat(), Some(steps), "its result gives no feats");
    let mut playback = Playback::with_edits(back.replay.clone(), &Assets::built_in(), Engine::builder()).unwrap();
    playback.verify().unwrap();
    // Written as tables once more, it is the same match, which needs `--edits`.
    let again = File::of("changed_again", &back);
    let sentence =
        format!("its match was changed by hand before step {steps}: if you trust who made it, import it with --edits");
    assert_eq!(again.refusal(), sentence);
    assert_eq!(read_back(&again.path, &Assets::built_in(), true).unwrap().1, 0);
    assert_eq!(
        again.text("SELECT count(*) FROM bounties"),
        (file.text("SELECT count(*) FROM bounties").parse::<i32>().unwrap()).to_string()
    );
}

#[test]
fn values_that_cannot_be_are_refused_with_their_place() {
    let saved = saved("classic", None);
    let mut case = 0;
    let mut refusal = |sql: &str| {
        case += 1;
        let file = File::of(&format!("refused_{case}"), &saved);
        file.change(sql);
        file.refusal()
    };
    let ship = {
        let file = File::of("ship", &saved);
        file.text("SELECT collector FROM players WHERE player = 2")
    };
    let at = |sql: &str| format!("{sql} WHERE entity = '{ship}'");
    for (sql, expected) in [
        (
            at("UPDATE pocket SET carried = 'much'"),
            format!("pocket.carried, row {ship}: it must be a number, not \"much\""),
        ),
        (at("UPDATE pocket SET carried = 9e999"), format!("pocket.carried, row {ship}: it must be a number, not inf")),
        (at("UPDATE pocket SET carried = 1e300"), format!("pocket, row {ship}: carried cannot be 1")),
        (at("UPDATE pocket SET links = 1.5"), format!("pocket.links, row {ship}: it must be a whole number, not 1.5")),
        (
            at("UPDATE transform SET pose_position_0 = 1e6"),
            format!("transform of {ship}: a value lies outside of what the match allows"),
        ),
        (at("UPDATE life SET is_alive = 2"), format!("life.is_alive, row {ship}: it must be 0 or 1, not 2")),
        (at("UPDATE respawn SET spawn = 'there'"), format!("respawn.spawn, row {ship}: it must be an id such as 3v7")),
        (at("UPDATE pocket SET is_enabled = 5"), format!("pocket, row {ship}: is_enabled must be 0 or 1")),
        (at("UPDATE pocket SET carried = x'00'"), "pocket.carried holds bytes, which no field does".into()),
        (at("UPDATE game_object SET kind = 'Dragon'"), format!("game_object, row {ship}: kind: unknown variant")),
        (
            at("UPDATE shape SET rectangle_half_height_m = 2.0"),
            format!("shape.rectangle_half_height_m, row {ship}: the row has no such field"),
        ),
        ("INSERT INTO entities VALUES ('99v1', 1)".into(), "entities: there are more rows than the match has".into()),
        (
            "INSERT INTO ghost (entity, is_enabled) SELECT entity, 1 FROM stash LIMIT 1".into(),
            "ghost: there are more rows than the match has, 0".into(),
        ),
        (
            "UPDATE resource_players SET name = char(27) || '[2J' WHERE row = 1".into(),
            "resource_players.name, row 1: it has the character U+001B, which cannot be shown: leave it out".into(),
        ),
        (
            "UPDATE resource_players SET name = hex(zeroblob(5000000)) WHERE row = 1".into(),
            "resource_players.name, row 1: it may have at most 100 characters".into(),
        ),
        (
            "UPDATE resource_players SET possessed_by = 9e999 WHERE row = 1".into(),
            "resource_players.possessed_by, row 1: it must be a finite number".into(),
        ),
        (
            "UPDATE resource_players SET possessed_by = 'null' WHERE row = 1".into(),
            "resource_players.possessed_by, row 1: it must be empty (NULL), or a value".into(),
        ),
        (
            "DELETE FROM resource_players WHERE row = 3".into(),
            "resource_players: the row 3 is gone: it cannot be removed".into(),
        ),
        ("UPDATE save SET state = x'00'".into(), "the save cannot be loaded: ".into()),
        ("UPDATE save SET replay = x'0011'".into(), "the replay in the table save: it is not a replay".into()),
    ] {
        let sentence = refusal(&sql);
        assert!(sentence.starts_with(&expected), "{sql}: {sentence}");
    }
    assert_eq!(case, 20);
}

#[test]
fn other_databases_are_refused_and_not_replaced() {
    let saved = saved("classic", None);
    let file = File::of("others", &saved);
    for (sql, expected) in [
        ("DROP TABLE pocket", "the table pocket is missing: export again"),
        // A view in its place may never end.
        (
            "DROP TABLE pocket; CREATE VIEW pocket AS WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT * FROM n",
            "the table pocket is missing: export again",
        ),
        ("ALTER TABLE pocket RENAME COLUMN carried TO c", "the column pocket.carried is missing: export again"),
        (
            "CREATE TABLE p AS SELECT * FROM pocket; DROP TABLE pocket; ALTER TABLE p RENAME TO pocket; \
             INSERT INTO pocket SELECT * FROM pocket LIMIT 1",
            "pocket: the row ",
        ),
        (
            "CREATE TABLE p (entity TEXT, is_enabled INTEGER, carried ANY, links ANY AS (abs(1))); DROP TABLE pocket; \
             ALTER TABLE p RENAME TO pocket",
            "pocket.links is computed: export again",
        ),
        ("DELETE FROM save", "the table save has no row: export again"),
        ("PRAGMA user_version = 9", "they have format 9, this version reads format 1"),
        ("PRAGMA application_id = 1", "it is not a save in tables, as `saves export --tables` writes it"),
    ] {
        fs::remove_file(&file.path).unwrap();
        write("others", &saved, &Assets::built_in(), &file.path).unwrap();
        file.connection()
            .execute_batch(&format!("DROP VIEW players; DROP VIEW objects; DROP VIEW bounties; {sql}"))
            .unwrap();
        let refusal = file.refusal();
        assert!(refusal.starts_with(expected), "{sql}: {refusal}");
    }
    let kept = fs::read(&file.path).unwrap();
    let refused = write("others", &saved, &Assets::built_in(), &file.path).map_err(|failure| failure.sentence());
    assert!(refused.unwrap_err().ends_with("so it is not replaced"));
    assert_eq!(fs::read(&file.path).unwrap(), kept);
    fs::write(
        &file.path,
        "a letter to a friend, which is long enough to be read as the header of a database, if it were one",
    )
    .unwrap();
    assert_eq!(file.refusal(), "it is not a database");
    fs::remove_file(&file.path).unwrap();
    assert_eq!(file.refusal(), "it cannot be opened: check its name and permissions");
    let names: Vec<_> = fs::read_dir(&file.directory.0).unwrap().collect();
    assert_eq!(names.len(), 0, "nothing is left behind: {names:?}");
    fs::create_dir(&file.path).unwrap();
    assert_eq!(file.refusal(), "it is a directory");
}

#[test]
fn what_lies_beside_the_tables_is_left_alone() {
    let saved = saved("classic", None);
    let file = File::of("beside", &saved);
    let beside = |end: &str| file.directory.0.join(format!("tables.sqlite3{end}"));
    fs::write(beside(".new"), "precious").unwrap();
    write("beside", &saved, &Assets::built_in(), &file.path).unwrap();
    assert_eq!(fs::read_to_string(beside(".new")).unwrap(), "precious");
    fs::write(beside("-wal"), "what waits").unwrap();
    let kept = fs::read(&file.path).unwrap();
    assert!(write("beside", &saved, &Assets::built_in(), &file.path).is_err());
    assert_eq!(fs::read(&file.path).unwrap(), kept);
    fs::remove_file(beside("-wal")).unwrap();
    // A link is followed, and a name that looks like an address is a name.
    #[cfg(unix)]
    {
        let link = file.directory.0.join("link.sqlite3");
        std::os::unix::fs::symlink(&file.path, &link).unwrap();
        write("beside", &saved, &Assets::built_in(), &link).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }
    // What other tools write with fewer digits is no change.
    file.change("UPDATE transform SET pose_position_0 = CAST(printf('%.9g', pose_position_0) AS REAL)");
    file.change("UPDATE pocket SET carried = 0 WHERE carried = 0.0 OR 1 = 1 AND entity = ''");
    assert_eq!(read_back(&file.path, &Assets::built_in(), false).unwrap().1, 0);
}

/// The cells of a row, numbers with four digits after the point.
fn printed(row: &rusqlite::Row<'_>, columns: usize) -> String {
    let cell = |index| match Cell::of(row.get_ref(index).unwrap()).unwrap() {
        Cell::Real(number) => format!("{number:.4}"),
        Cell::Text(text) => text,
        cell => cell.to_string(),
    };
    (0..columns).map(cell).collect::<Vec<_>>().join(" ")
}

/// What the match itself answers to the questions of the page, in their order; the entities of the seventh are left
/// out.
fn answers(simulation: &mut Simulation) -> Vec<Vec<String>> {
    let view = simulation.view();
    let names: Vec<&str> = view.players.iter().map(|player| &*player.name).collect();
    let ship = |player: usize| view.collectors.iter().find(|ship| ship.player as usize == player);
    let mut by_pocket: Vec<_> = view.players.iter().filter(|player| ship(player.index as usize).is_some()).collect();
    by_pocket.sort_by(|one, two| two.pocket.total_cmp(&one.pocket));
    let pocket = |player: &&PlayerView| {
        let at = ship(player.index as usize).unwrap().position;
        format!("{} {:.4} {:.4} {:.4}", player.name, player.pocket, at.x, at.y)
    };
    let mut by_stash: Vec<_> = view.players.iter().collect();
    by_stash.sort_by(|one, two| two.stashed.total_cmp(&one.stashed));
    let dead = view.players.iter().filter(|player| ship(player.index as usize).is_none());
    let near = |player: usize| {
        let at = ship(player)?.position;
        let distances = view.bounties.iter().map(|bounty| (bounty.position.distance_squared(at), bounty.value));
        let (distance, value) = distances.min_by(|one, two| one.0.total_cmp(&two.0))?;
        Some(format!("{} {value:.4} {distance:.4}", names[player]))
    };
    let home = view.stashes.iter().find(|stash| stash.player == by_stash[0].index).unwrap().position;
    let around = view.bounties.iter().filter(|bounty| (bounty.position - home).abs().max_element() < 40.0);
    vec![
        by_pocket.iter().take(3).map(pocket).collect(),
        by_stash.iter().map(|player| format!("{} {:.4}", player.name, player.stashed)).collect(),
        dead.map(|player| format!("{} {:.4}", player.name, player.respawn_seconds)).collect(),
        vec![format!(
            "{} {:.4}",
            view.bounties.len(),
            view.bounties.iter().map(|bounty| f64::from(bounty.value)).sum::<f64>()
        )],
        (0..names.len()).filter_map(near).collect(),
        vec![format!("Wall {}", view.walls.len())],
        around.map(|bounty| format!("{:.4}", bounty.value)).collect(),
        view.players.iter().map(|it| format!("{} {:.4}", it.name, view.pocket_capacity - it.pocket)).collect(),
        Vec::new(),
        vec![format!("{:.4}", view.clock_seconds)],
    ]
}

/// Whether texts are equal, and numbers up to a thousandth.
fn are_near(rows: &[String], expected: &[String]) -> bool {
    let is_near = |(one, two): (&str, &str)| match (one.parse::<f64>(), two.parse::<f64>()) {
        (Ok(one), Ok(two)) => (one - two).abs() <= 1e-3 * two.abs().max(1.0),
        _ => one == two,
    };
    let near = |(one, two): (&String, &String)| one.split(' ').zip(two.split(' ')).all(is_near);
    rows.len() == expected.len() && rows.iter().zip(expected).all(near)
}

#[test]
fn questions_of_the_page_are_answered() {
    let page = include_str!("../../../../SAVES.md");
    let questions: Vec<&str> = page.split("```sql\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(questions.len(), 10);
    for (mode, level) in [("classic", None), ("spells", None), ("survival", None), ("classic", Some("vault"))] {
        let saved = saved(mode, level);
        let case = format!("{mode} {}", level.unwrap_or_default());
        let file = File::of(&format!("questions_{case}"), &saved);
        let (connection, mut simulation) = (file.connection(), resumed(&saved));
        for (index, (sql, expected)) in questions.iter().zip(answers(&mut simulation)).enumerate() {
            let mut statement = connection.prepare(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
            let columns = statement.column_count();
            let rows = statement.query_map([], |row| Ok(printed(row, columns))).unwrap();
            let mut rows: Vec<String> = rows.map(Result::unwrap).collect();
            match index {
                5 => assert!(rows.contains(&expected[0]), "{case}: {rows:?}"),
                6 => {
                    let mut expected = expected;
                    rows.iter_mut().for_each(|row| *row = row.split(' ').next_back().unwrap().to_owned());
                    rows.sort();
                    expected.sort();
                    assert_eq!(rows, expected, "{case}: {sql}");
                }
                // The distances are those of 32 bits there.
                4 => assert!(are_near(&rows, &expected), "{case}: {sql}: {rows:?}, {expected:?}"),
                8 => assert_eq!(rows.len(), 4, "{case}: {rows:?}"),
                _ => assert_eq!(rows, expected, "{case}: {sql}"),
            }
        }
    }
}
