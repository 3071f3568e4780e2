//! A game that follows its prefabs' files while it is played: for making kinds of entity, and not for matches that count.

use std::path::{Path, PathBuf};

use bounty_hunter::assets::Assets;
use bounty_hunter::client::Game;
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{Simulation, StepReport};
use bounty_hunter::view::View;
use ecs::prefab::PrefabFolder;

/// How long a refusal is shown.
const REFUSAL_SECONDS: u32 = 3;

/// A simulation, and the folder of prefabs that it follows between two steps.
pub(super) struct WatchedGame {
    simulation: Simulation,
    folder: PrefabFolder,
    assets: PathBuf,
    /// What is wrong with the files as they are.
    mistake: Option<String>,
    /// Why something is not done that was asked for, and for how many steps more that is shown.
    refusal: Option<(&'static str, u32)>,
}

impl WatchedGame {
    /// Lets a simulation that is about to begin follow `prefabs/` in a directory of assets, from what the files say now.
    pub(super) fn following(simulation: Simulation, assets: &Path) -> Result<Self, String> {
        let mut game = Self::new(simulation, assets)?;
        game.take_in();
        Ok(game)
    }

    /// Lets a simulation follow the files from their next change on.
    fn new(simulation: Simulation, assets: &Path) -> Result<Self, String> {
        let folder = PrefabFolder::watch(assets.join("prefabs")).map_err(|error| error.to_string())?;
        Ok(Self { simulation, folder, assets: assets.to_owned(), mistake: None, refusal: None })
    }

    fn refuse(&mut self, sentence: &'static str) {
        self.refusal = Some((sentence, REFUSAL_SECONDS * self.simulation.steps_per_second()));
    }

    /// Takes in what the files say, or notes what is wrong with them and plays on with what was there.
    fn take_in(&mut self) {
        self.mistake = self.exchange().err();
        if let Some(mistake) = &self.mistake {
            tracing::warn!(target: "bounty_hunter::watch", "{mistake}");
        }
    }

    fn exchange(&mut self) -> Result<(), String> {
        // The whole set is checked as at the start, so nothing gets in that no match could be played with.
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
            self.take_in();
        }
        self.refusal = self.refusal.and_then(|(sentence, left)| Some((sentence, left.checked_sub(1)?)));
        self.simulation.step(inputs)
    }

    fn view_into(&self, view: &mut View) {
        self.simulation.view_into(view);
    }

    fn steps_per_second(&self) -> u32 {
        self.simulation.steps_per_second()
    }

    fn save(&mut self) {
        self.refuse("not saved: a match that follows its files is not the one that began");
    }

    fn load(&mut self) -> bool {
        self.refuse("not loaded: a match that follows its files goes on with none that was saved");
        false
    }

    fn notice(&self) -> Option<String> {
        let refusal = self.refusal.map(|(sentence, _)| sentence.to_owned());
        refusal.or_else(|| self.mistake.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use bounty_hunter::simulation::MatchSetup;
    use bounty_hunter::view::GameState;

    use super::*;

    /// Waits for the folder to tell of a change, and takes a step.
    fn follow(game: &mut WatchedGame) {
        assert!(game.folder.wait(Duration::from_secs(30)), "the change was noticed");
        game.step(&Inputs::none());
    }

    #[test]
    fn game_follows_a_file_and_keeps_what_it_has_if_that_is_wrong() {
        let directory = std::env::temp_dir().join(format!("bounty_hunter_watch_{}", std::process::id()));
        let file = directory.join("prefabs/stash.ron");
        let stash = |points: &str| {
            let text = format!(
                r#"{{ "stash": (components: {{ "shape": Square(half_extent_m: 2), "object": (kind: Stash),
                "body": (category: Stash, mobility: Fixed), "capacity": (points: {points}) }}) }}"#
            );
            // Moved there, so that nobody sees half a file.
            let beside = directory.join("beside");
            fs::write(&beside, text).unwrap();
            fs::rename(beside, &file).unwrap();
        };
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        stash("100");
        let assets = Assets::load(&directory).unwrap();
        let simulation = Simulation::new(&assets, &MatchSetup::of_ais(1, 2, "normal")).unwrap();
        let mut game = WatchedGame::new(simulation, &directory).unwrap();
        while game.step(&Inputs::none()).state != GameState::Started {}
        stash("300");
        follow(&mut game);
        assert_eq!((game.simulation.view().stash_capacity, game.notice()), (300.0, None));
        stash("-1");
        follow(&mut game);
        let mistake = game.notice().expect("there is a mistake");
        assert!(mistake.ends_with("`capacity.points` is refused: it is -1, must be positive"), "{mistake}");
        assert!(mistake.starts_with(&format!("{}:2:", file.display())), "{mistake}");
        assert_eq!(game.simulation.view().stash_capacity, 300.0, "it plays on with what was there");
        stash("200");
        follow(&mut game);
        assert_eq!((game.simulation.view().stash_capacity, game.notice()), (200.0, None));
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn folder_that_is_missing_is_named() {
        let simulation = Simulation::new(&Assets::built_in(), &MatchSetup::of_ais(1, 2, "normal")).unwrap();
        let error = WatchedGame::new(simulation, Path::new("no/such/place")).err().unwrap();
        assert!(error.starts_with("no/such/place/prefabs cannot be watched"), "{error}");
    }
}
