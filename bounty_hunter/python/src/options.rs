//! The options of an environment, and the match that they describe.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use bounty_hunter::assets::Assets;
use bounty_hunter::config::GameConfig;
use bounty_hunter::mode::DEFAULT_MODE;
use bounty_hunter::simulation::{MAX_PLAYERS, MatchSetup, PLAY_SECONDS, Seat, configuration_hash};
use ecs::prefab::may_be_meant;
use serde::Deserialize;
use serde_json::Value;

use crate::rewards::Rewards;

/// The most simulation steps of a decision.
const MAX_FRAME_SKIP: u32 = 1000;

/// What an environment is made of; every field has a default.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// A mode, a file in `modes/` of the assets.
    pub mode: String,
    /// A level, a file in `levels/` of the assets; `None` for the one of the mode.
    pub level: Option<String>,
    /// A directory that replaces assets, as `--assets` of the program does.
    pub assets: Option<PathBuf>,
    /// Texts that replace assets, by path, such as `ai/normal.ron`.
    pub files: BTreeMap<String, String>,
    /// Changes of the match of the mode, as the fields of `game.ron`.
    pub rules: Value,
    /// Players of a match; `None` for the number of the mode.
    pub players: Option<u32>,
    /// How many of them are agents, from the first seat on; `None` for all.
    pub agents: Option<u32>,
    /// The AIs of the other seats, in turn; empty for the one of the mode.
    pub opponents: Vec<String>,
    /// The length of a match; `None` for the one of the mode.
    pub play_seconds: Option<f32>,
    /// Simulation steps of one decision; the action stays in between.
    pub frame_skip: u32,
    /// What agents are rewarded for.
    pub rewards: Rewards,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mode: DEFAULT_MODE.to_owned(),
            level: None,
            assets: None,
            files: BTreeMap::new(),
            rules: Value::Null,
            players: None,
            agents: None,
            opponents: Vec::new(),
            play_seconds: None,
            frame_skip: 4,
            rewards: Rewards::default(),
        }
    }
}

impl Options {
    /// Reads options in JSON.
    ///
    /// # Errors
    /// One sentence, if the text is not JSON, or a field is unknown or has a wrong type.
    pub fn from_json(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| without_place(&error))
    }
}

/// All that a match is made of, except its seed; shared by the worlds of a batch.
#[derive(Clone, Debug)]
pub struct MatchConfig {
    /// The name of the mode.
    pub mode: String,
    /// The assets, with the changed rules.
    pub assets: Assets,
    /// The AIs that take the other seats in turn.
    pub ais: Vec<String>,
    /// The seats; the agents come first.
    pub seats: Vec<Seat>,
    /// The number of agents.
    pub agents: usize,
    /// The length of a match; `None` for the one of the mode.
    pub play_seconds: Option<f32>,
    /// Simulation steps of one decision.
    pub frame_skip: u32,
    /// What agents are rewarded for.
    pub rewards: Rewards,
    /// See [`MatchConfig::identity`].
    identity: OnceLock<u64>,
}

impl MatchConfig {
    /// The match that the options describe.
    ///
    /// # Errors
    /// One sentence, if a name is unknown, a number is out of its limits, or an asset has a mistake.
    pub fn new(options: &Options) -> Result<Self, String> {
        let mut assets = match (&options.assets, options.files.is_empty()) {
            (Some(_), false) => return Err("assets and files cannot be used together, choose one of them".to_owned()),
            (Some(directory), true) => Assets::load(directory).map_err(|error| error.to_string())?,
            (None, false) => {
                let files = options.files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
                Assets::with_texts(files).map_err(|error| error.to_string())?
            }
            (None, true) => Assets::built_in(),
        };
        assets = assets.in_mode(&options.mode).map_err(|error| error.to_string())?;
        if let Some(level) = &options.level {
            assets = assets.in_level(level).map_err(|error| error.to_string())?;
        }
        assets.game = with_changes(&assets.game, &options.rules)?;
        let players = options.players.unwrap_or(assets.game.players) as usize;
        if !(1..=MAX_PLAYERS).contains(&players) {
            return Err(format!("players is {players}, must be 1 to {MAX_PLAYERS}"));
        }
        let agents = options.agents.map_or(players, |agents| agents as usize);
        if agents > players {
            return Err(format!("agents is {agents}, must be at most {players}, the number of players"));
        }
        if !(1..=MAX_FRAME_SKIP).contains(&options.frame_skip) {
            return Err(format!("frame_skip is {}, must be 1 to {MAX_FRAME_SKIP}", options.frame_skip));
        }
        let [least, most] = PLAY_SECONDS;
        if let Some(seconds) = options.play_seconds.filter(|seconds| !(least..=most).contains(seconds)) {
            return Err(format!("play_seconds is {seconds:?}, must be {least} to {most}"));
        }
        options.rewards.check()?;
        let ais = if options.opponents.is_empty() { vec![assets.game.ai.clone()] } else { options.opponents.clone() };
        let others = ais.iter().cycle().map(|profile| Seat::Ai { profile: profile.clone() });
        let seats = std::iter::repeat_n(Seat::Script, agents).chain(others).take(players).collect();
        let Options { play_seconds, frame_skip, rewards, .. } = *options;
        let (mode, identity) = (options.mode.clone(), OnceLock::new());
        let config = Self { mode, assets, ais, seats, agents, play_seconds, frame_skip, rewards, identity };
        // What no match can be made of is refused here.
        config.identity()?;
        Ok(config)
    }

    /// A hash of all that decides the course of a match besides its seed and its actions. Environments of which it is
    /// equal can exchange states; rewards and `frame_skip` are not part of it.
    pub(crate) fn identity(&self) -> Result<u64, String> {
        if let Some(identity) = self.identity.get() {
            return Ok(*identity);
        }
        let hash = configuration_hash(&self.assets, &self.setup(0)).map_err(|error| error.to_string())?;
        Ok(*self.identity.get_or_init(|| hash))
    }

    /// The set-up of the match with a seed.
    #[must_use]
    pub fn setup(&self, seed: u64) -> MatchSetup {
        MatchSetup { seed, seats: self.seats.clone(), play_seconds: self.play_seconds }
    }
}

/// The match with some fields changed; fields within fields keep what is not named.
fn with_changes(game: &GameConfig, changes: &Value) -> Result<GameConfig, String> {
    if changes.is_null() {
        return Ok(game.clone());
    }
    let mut fields = serde_json::to_value(game).map_err(|error| error.to_string())?;
    merge(&mut fields, changes);
    serde_json::from_value(fields).map_err(|error| format!("rules: {}", without_place(&error)))
}

fn merge(below: &mut Value, above: &Value) {
    match (below, above) {
        (Value::Object(below), Value::Object(above)) => {
            for (name, value) in above {
                merge(below.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (below, above) => *below = above.clone(),
    }
}

/// The sentence of an error without line and column, which say nothing about arguments of Python. With an unknown name
/// comes the one that is probably meant.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let sentence = text.split(" at line ").next().unwrap_or_default();
    let mut quoted = sentence.split('`').skip(1).step_by(2);
    let meant = match quoted.next() {
        Some(unknown) if sentence.starts_with("unknown ") => may_be_meant(unknown, quoted),
        _ => String::new(),
    };
    format!("{sentence}{meant}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(json: &str) -> String {
        let config = Options::from_json(json).and_then(|options| MatchConfig::new(&options));
        config.expect_err("the options are refused")
    }

    #[test]
    fn options_describe_the_match_of_the_mode_by_default() {
        let config = MatchConfig::new(&Options::default()).unwrap();
        assert_eq!((config.seats.len(), config.agents, config.assets.game.level.as_str()), (16, 16, "arena"));
        let json =
            r#"{"mode": "survival", "players": 4, "agents": 1, "opponents": ["hard", "easy"], "level": "crossing"}"#;
        let config = MatchConfig::new(&Options::from_json(json).unwrap()).unwrap();
        let ai = |name: &str| Seat::Ai { profile: name.to_owned() };
        assert_eq!(config.seats, [Seat::Script, ai("hard"), ai("easy"), ai("hard")]);
        assert_eq!((config.assets.game.level.as_str(), config.assets.game.rules.lives), ("crossing", Some(4)));
    }

    #[test]
    fn rules_change_single_fields_exactly() {
        let json = r#"{"rules": {"bounties_per_player": 1.5, "rules": {"lives": 2}}}"#;
        let changed = MatchConfig::new(&Options::from_json(json).unwrap()).unwrap().assets.game;
        let mut expected = Assets::built_in().in_mode("classic").unwrap().game;
        (expected.bounties_per_player, expected.rules.lives) = (1.5, Some(2));
        assert_eq!(changed, expected);
    }

    #[test]
    fn mistakes_are_sentences() {
        assert!(refusal(r#"{"mood": "classic"}"#).starts_with("unknown field `mood`, expected one of `mode`"));
        assert!(refusal(r#"{"mode": "golf"}"#).starts_with("there is no mode \"golf\", there are brawl"));
        assert_eq!(refusal(r#"{"players": 2, "agents": 3}"#), "agents is 3, must be at most 2, the number of players");
        assert_eq!(refusal(r#"{"frame_skip": 0}"#), "frame_skip is 0, must be 1 to 1000");
        let meant = [
            (r#"{"mood": "classic"}"#, "`mode`"),
            (r#"{"mode": "clasic"}"#, "`classic`"),
            (r#"{"level": "areena"}"#, "`arena`"),
            (r#"{"agents": 1, "opponents": ["hrad"]}"#, "`hard`"),
            (r#"{"rewards": {"wno": 1}}"#, "`won`"),
            (r#"{"rules": {"paly_seconds": 1}}"#, "`play_seconds`"),
        ];
        for (options, name) in meant {
            let refused = refusal(options);
            assert!(refused.ends_with(&format!(": {name} may be meant")), "{refused}");
        }
        assert!(refusal(r#"{"rules": {"bounties": 1}}"#).starts_with("rules: unknown field `bounties`"));
        assert_eq!(refusal(r#"{"rules": {"play_seconds": -1}}"#), "rules: it is -1, must be positive");
        let rich = r#"{"play_seconds": 600, "rules": {"stash_sizes": [{"players": 2, "points_per_second": 1000000}]}}"#;
        assert!(
            refusal(rich).starts_with("the points_per_second of stash_sizes and play_seconds, 600, give a stash of")
        );
        assert_eq!(refusal(r#"{"rewards": {"won": 1e40}}"#), "the reward won is not a finite number");
    }
}
