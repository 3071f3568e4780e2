//! `play --watch`: a match that reloads its prefabs when their files change, for developing kinds of entity.

use std::path::{Path, PathBuf};

use bounty_hunter::assets::Assets;
use bounty_hunter::client::{Game, Notice};
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{Simulation, StepReport};
use bounty_hunter::view::View;
use ecs::prefab::PrefabFolder;

/// How long a refusal is shown.
const REFUSAL_SECONDS: u32 = 3;

/// A simulation that reloads a folder of prefabs between steps.
struct WatchedGame {
    simulation: Simulation,
    folder: PrefabFolder,
    assets: PathBuf,
    /// The mistake in the current files.
    mistake: Option<String>,
    /// The reason for refusing a request, and the steps left to show it.
    refusal: Option<(Notice, u32)>,
}

/// A match that follows `prefabs/` in a directory of assets, and loads the current files at once.
pub(super) fn following(simulation: Simulation, assets: &Path) -> Result<Box<dyn Game>, String> {
    let mut game = WatchedGame::new(simulation, assets)?;
    game.reload();
    Ok(Box::new(game))
}

impl WatchedGame {
    /// Follows the files from their next change on.
    fn new(simulation: Simulation, assets: &Path) -> Result<Self, String> {
        let folder = PrefabFolder::watch(assets.join("prefabs")).map_err(|error| error.to_string())?;
        Ok(Self { simulation, folder, assets: assets.to_owned(), mistake: None, refusal: None })
    }

    fn refuse(&mut self, notice: Notice) {
        self.refusal = Some((notice, REFUSAL_SECONDS * self.simulation.steps_per_second()));
    }

    /// Loads the files. After a mistake the match continues with the prefabs that it has.
    fn reload(&mut self) {
        self.mistake = self.try_reload().err();
        if let Some(mistake) = &self.mistake {
            tracing::warn!(target: "bounty_hunter::watch", "{mistake}");
        }
    }

    fn try_reload(&mut self) -> Result<(), String> {
        // All assets are checked as at the start of a match.
        let assets = Assets::load(&self.assets).map_err(|error| error.to_string())?;
        let reloaded = self.simulation.replace_prefabs(assets.prefabs).map_err(|error| error.to_string())?;
        if !reloaded.prefabs.is_empty() {
            let (prefabs, entities) = (reloaded.prefabs.join(", "), reloaded.entities);
            tracing::info!(target: "bounty_hunter::watch", prefabs, entities, "reloaded");
        }
        Ok(())
    }
}

impl Game for WatchedGame {
    fn step(&mut self, inputs: &Inputs) -> StepReport {
        if self.folder.take_changes() {
            self.reload();
        }
        self.refusal = self.refusal.take().and_then(|(notice, left)| Some((notice, left.checked_sub(1)?)));
        self.simulation.step(inputs)
    }

    fn view_into(&self, view: &mut View) {
        self.simulation.view_into(view);
    }

    fn steps_per_second(&self) -> u32 {
        self.simulation.steps_per_second()
    }

    fn save(&mut self) {
        self.refuse(Notice::problem("not saved: a match with --watch cannot be saved", &[]));
    }

    fn load(&mut self) -> bool {
        self.refuse(Notice::problem("not loaded: a match with --watch cannot load a save", &[]));
        false
    }

    fn notice(&self) -> Option<Notice> {
        let refusal = self.refusal.as_ref().map(|(notice, _)| notice.clone());
        refusal.or_else(|| self.mistake.clone().map(Notice::foreign))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, Instant};

    use bounty_hunter::simulation::MatchSetup;
    use bounty_hunter::view::GameState;

    use super::*;

    /// Waits for a change of the folder, and takes a step.
    fn follow(game: &mut WatchedGame) {
        assert!(game.folder.wait(Duration::from_secs(30)), "the change was noticed");
        game.step(&Inputs::none());
    }

    #[test]
    fn changed_file_is_reloaded_and_a_wrong_one_is_not() {
        let directory = std::env::temp_dir().join(format!("bounty_hunter_watch_{}", std::process::id()));
        let file = directory.join("prefabs/stash.ron");
        let stash = |points: &str| {
            let text = format!(
                r#"{{ "stash": (components: {{ "shape": Square(half_extent_m: 2), "game object": (kind: Stash),
                "body": (category: Stash, mobility: Fixed), "capacity": (points: {points}) }}) }}"#
            );
            // Moved, so that the reader never sees half a file.
            let beside = directory.join("beside");
            fs::write(&beside, text).unwrap();
            fs::rename(beside, &file).unwrap();
        };
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        stash("100");
        let mut assets = Assets::load(&directory).unwrap();
        // Otherwise the rules set the capacity.
        assets.game.stash_sizes.clear();
        let simulation = Simulation::new(&assets, &MatchSetup::of_ais(1, 2, "normal")).unwrap();
        let mut game = WatchedGame::new(simulation, &directory).unwrap();
        while game.step(&Inputs::none()).state != GameState::Started {}
        stash("300");
        follow(&mut game);
        assert_eq!((game.simulation.view().stash_capacity, game.notice()), (300.0, None));
        stash("-1");
        follow(&mut game);
        let mistake = game.notice().expect("there is a mistake").in_english();
        assert!(mistake.ends_with("`capacity.points` is refused: it is -1, must be positive"), "{mistake}");
        assert!(mistake.starts_with(&format!("{}:2:", file.display())), "{mistake}");
        assert_eq!(game.simulation.view().stash_capacity, 300.0, "the match continues with the old prefab");
        // What editors leave beside it is no prefab.
        for name in ["prefabs/.#stash.ron", "prefabs/stash.ron~", "prefabs/.stash.ron.swp", "prefabs/4913"] {
            fs::write(directory.join(name), "{").unwrap();
        }
        stash("200");
        follow(&mut game);
        assert_eq!((game.simulation.view().stash_capacity, game.notice()), (200.0, None));
        // A file that was probably meant to be one is named although nothing else changes.
        let misspelt = directory.join("prefabs/rocket.roon");
        fs::write(&misspelt, "{}").unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        while game.notice().is_none() && Instant::now() < deadline {
            game.step(&Inputs::none());
        }
        let mistake = game.notice().expect("the misspelt file is named").in_english();
        assert!(
            mistake.ends_with("rocket.roon: is no asset file, must end in .ron: `rocket.ron` may be meant"),
            "{mistake}"
        );
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn missing_folder_is_named() {
        let simulation = Simulation::new(&Assets::built_in(), &MatchSetup::of_ais(1, 2, "normal")).unwrap();
        let error = WatchedGame::new(simulation, Path::new("no/such/place")).err().unwrap();
        assert!(error.starts_with("no/such/place/prefabs cannot be watched"), "{error}");
    }
}
