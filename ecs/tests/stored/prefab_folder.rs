//! A real folder of prefab files that change while entities live.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use ecs::{
    Engine, EntityId,
    prefab::{PrefabError, PrefabFolder, Prefabs, Reloaded},
};
use serde::Deserialize;

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Speed {
    mps: f32,
}

/// A folder for this test with two files, and an engine with a hare.
struct Game {
    path: PathBuf,
    folder: PrefabFolder,
    engine: Engine,
    hare: EntityId,
}

impl Game {
    fn new(test: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
        // Remove the files of an earlier run.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("base.ron"), r#"{ "animal": (components: { "speed": (mps: 1) }) }"#).unwrap();
        fs::write(path.join("hares.ron"), r#"{ "hare": (like: "animal") }"#).unwrap();
        fs::write(path.join("notes.txt"), "no prefabs").unwrap();
        let folder = PrefabFolder::watch(&path).unwrap();
        let mut prefabs = Prefabs::default();
        prefabs.register::<Speed>("speed").unwrap().load_all(folder.read().unwrap()).unwrap();
        let mut engine = Engine::new();
        engine.insert_resource(prefabs);
        let hare = engine.spawn_prefab("hare").unwrap();
        Self { path, folder, engine, hare }
    }

    fn write(&self, name: &str, text: &str) {
        // Write elsewhere and rename, as careful editors do, so no reader sees half a file.
        fs::write(self.path.join("beside"), text).unwrap();
        fs::rename(self.path.join("beside"), self.path.join(name)).unwrap();
    }

    /// Applies changes until `outcome` returns true; fails after a generous time.
    fn apply_until(
        &mut self,
        is_wished: impl Fn(&Result<Reloaded, PrefabError>) -> bool,
    ) -> Result<Reloaded, PrefabError> {
        let mut seen = Vec::new();
        for _ in 0..300 {
            if self.folder.wait(Duration::from_millis(100)) {
                let outcome = self.folder.apply(&mut self.engine).expect("there is something to apply");
                if is_wished(&outcome) {
                    return outcome;
                }
                seen.push(outcome);
            }
        }
        panic!("only these came: {seen:?}");
    }

    fn mps(&self) -> f32 {
        self.engine.get::<Speed>(self.hare).unwrap().mps
    }
}

fn has_changed(outcome: &Result<Reloaded, PrefabError>) -> bool {
    outcome.as_ref().is_ok_and(|reloaded| !reloaded.prefabs.is_empty())
}

#[test]
fn changed_file_changes_living_entities_when_it_is_applied() {
    let mut game = Game::new("changes");
    assert_eq!(game.folder.apply(&mut game.engine), None, "nothing has happened");
    game.write("base.ron", r#"{ "animal": (components: { "speed": (mps: 2) }) }"#);
    assert_eq!(game.mps(), 1.0, "the change is not applied yet");
    let reloaded = game.apply_until(has_changed).unwrap();
    assert_eq!(reloaded, Reloaded { prefabs: vec!["animal".into(), "hare".into()], entities: 1 });
    assert_eq!(game.mps(), 2.0);
}

#[test]
fn file_with_an_error_is_refused_until_it_is_corrected() {
    let mut game = Game::new("mistake");
    game.write("hares.ron", "{\n  \"hare\": (like: \"animal\", components: { \"speed\": (mph: 3) }) }");
    let error = game.apply_until(Result::is_err).unwrap_err();
    assert_eq!(error.file(), game.path.join("hares.ron").to_str());
    assert_eq!(error.line_and_column(), Some((2, 52)));
    assert_eq!(game.mps(), 1.0);
    game.write("hares.ron", r#"{ "hare": (like: "animal", components: { "speed": (mps: 3) }) }"#);
    game.apply_until(has_changed).unwrap();
    assert_eq!(game.mps(), 3.0);
}

#[test]
fn dependent_changes_of_two_files_may_arrive_one_by_one() {
    let mut game = Game::new("together");
    game.write("hares.ron", r#"{ "hare": (like: "creature") }"#);
    game.apply_until(Result::is_err).unwrap_err();
    game.write("base.ron", r#"{ "creature": (components: { "speed": (mps: 4) }) }"#);
    game.apply_until(has_changed).unwrap();
    assert_eq!(game.mps(), 4.0);
}

#[test]
fn files_are_added_and_removed_and_other_files_are_ignored() {
    let mut game = Game::new("come_and_go");
    fs::write(game.path.join("notes.txt"), "{ still no prefabs").unwrap();
    game.write("tortoises.ron", r#"{ "tortoise": (like: "animal") }"#);
    let reloaded = game.apply_until(has_changed).unwrap();
    assert_eq!(reloaded.prefabs, ["tortoise"]);
    fs::remove_file(game.path.join("tortoises.ron")).unwrap();
    let reloaded = game.apply_until(has_changed).unwrap();
    assert_eq!(reloaded.prefabs, ["tortoise"]);
    assert!(game.engine.spawn_prefab("tortoise").is_err());
}

#[test]
fn files_that_editors_leave_are_ignored_and_their_encodings_are_read() {
    let mut game = Game::new("editors");
    for name in [".#hares.ron", "._hares.ron", "hares.ron~", "#hares.ron#", ".hares.ron.swp", "4913", "hares.ron.tmp"] {
        fs::write(game.path.join(name), "{ no prefabs").unwrap();
    }
    // Emacs locks a file with a link that leads nowhere.
    #[cfg(unix)]
    std::os::unix::fs::symlink("somebody@somewhere.1:2", game.path.join(".#base.ron")).unwrap();
    game.write("hares.ron", "\u{feff}{\r\n \"hare\": (like: \"animal\", components: { \"speed\": (mps: 5) }) }\r\n");
    game.apply_until(has_changed).unwrap();
    assert_eq!(game.mps(), 5.0);
    assert_eq!(game.folder.read().unwrap().len(), 2);
    fs::write(game.path.join("beside"), b"\xff\xfe{\0}\0").unwrap();
    fs::rename(game.path.join("beside"), game.path.join("hares.ron")).unwrap();
    let error = game.apply_until(Result::is_err).unwrap_err().to_string();
    assert!(error.ends_with("hares.ron:1:1: is UTF-16 text, must be UTF-8: save it as UTF-8 in its editor"), "{error}");
    fs::write(game.path.join("beside"), vec![b' '; (16 << 20) + 1]).unwrap();
    fs::rename(game.path.join("beside"), game.path.join("hares.ron")).unwrap();
    let error = game.apply_until(Result::is_err).unwrap_err().to_string();
    assert!(error.ends_with("hares.ron has more than 16777216 bytes: split it"), "{error}");
}

#[test]
fn missing_folder_is_an_error() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no such folder");
    let error = PrefabFolder::watch(&path).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{} cannot be watched: ", path.display())), "{error}");
}

#[test]
fn take_changes_reports_each_change_once() {
    let mut game = Game::new("take_changes");
    game.folder.take_changes();
    game.write("hares.ron", r#"{ "hare": (like: "animal", components: { "speed": (mps: 2) }) }"#);
    assert!(game.folder.wait(Duration::from_secs(30)));
    // The operating system may report one change as several events.
    while game.folder.take_changes() || game.folder.wait(Duration::from_millis(200)) {}
    assert!(game.folder.apply(&mut game.engine).is_none());
    assert_eq!(game.engine.get(game.hare), Some(&Speed { mps: 1.0 }));
}

#[test]
fn wait_ignores_changes_of_other_files() {
    let mut game = Game::new("other_files");
    let path = game.path.clone();
    let writer = std::thread::spawn(move || {
        for note in 0..1000 {
            fs::write(path.join("notes.txt"), format!("note {note}")).unwrap();
        }
        fs::write(path.join("base.ron"), r#"{ "animal": (components: { "speed": (mps: 2) }) }"#).unwrap();
    });
    assert!(game.folder.wait(Duration::from_secs(30)));
    writer.join().unwrap();
}
