//! [`PanelContext`]: what the panels of the game work with.

use std::path::Path;

use bounty_hunter::assets::{AssetEditor, Assets};
use bounty_hunter::replay::About;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use ecs::EngineBuilder;
use ecs::prefab::PrefabError;

use super::report::Report;

/// What the panels of the game work with.
pub(super) struct PanelContext {
    engine: EngineBuilder,
    pub(super) editor: AssetEditor,
    /// The edited assets when they were valid last.
    pub(super) valid: Assets,
    /// The assets of the next matches, once the edited ones were played.
    pub(super) played: Option<Assets>,
    /// The present match.
    pub(super) present: Option<About>,
    pub(super) report: Report,
}

impl PanelContext {
    /// `directory` is that of the assets; without one, the built-in ones are edited, with drafts in the folder
    /// `drafts`.
    pub(super) fn open(
        directory: Option<&Path>,
        drafts: Option<&Path>,
        engine: EngineBuilder,
    ) -> Result<Self, PrefabError> {
        let editor = AssetEditor::new(directory, drafts)?;
        let valid = editor.assets().unwrap_or_else(|_| Assets::built_in());
        Ok(Self { engine, editor, valid, played: None, present: None, report: Report::default() })
    }

    /// Gives the present match the edited prefabs, and its objects what has changed in theirs; it goes on.
    pub(super) fn reload(&mut self, simulation: &mut Simulation) -> Result<(), String> {
        let assets = self.editor.assets().map_err(|error| error.to_string())?;
        simulation.replace_prefabs(assets.prefabs).map(drop).map_err(|error| error.to_string())
    }

    /// Begins the present match again with the edited assets, in a level if one is named.
    pub(super) fn play(&mut self, simulation: &mut Simulation, level: Option<&str>) -> Result<(), String> {
        let About { mode, level: present_level, setup, .. } = self.present.clone().ok_or("no match is played yet")?;
        let assets = self.editor.assets().map_err(|error| error.to_string())?;
        let level = level.unwrap_or(&present_level).to_owned();
        let assets = assets.in_level(&level).map_err(|error| error.to_string())?;
        let of_mode = assets.clone().in_mode(&mode).map_err(|error| error.to_string())?;
        let most = of_mode.levels.get(&of_mode.game.level).and_then(|level| level.most_players());
        let mut seats = setup.seats.clone();
        seats.truncate(most.unwrap_or(usize::MAX));
        let setup = MatchSetup { seats, ..setup };
        *simulation = Simulation::with_engine(&of_mode, &setup, self.engine).map_err(|error| error.to_string())?;
        self.played = Some(assets);
        if let Some(about) = &mut self.present {
            about.level = level;
        }
        Ok(())
    }
}
