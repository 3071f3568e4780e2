//! Every number of the game, as it stands in `assets/`, with its unit in its name.

mod kinds;
mod rule_sets;

use serde::{Deserialize, Serialize};

pub use self::kinds::{Deal, KindNames};
pub use self::rule_sets::{HealthRules, PowerUpRules, SpellRules};
use crate::control::input::Key;

/// `assets/game.ron`: the match and the rules. A mode may change any of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameConfig {
    /// Simulation steps per second.
    pub steps_per_second: u32,
    /// Players of a match, unless somebody asks for another number.
    pub players: u32,
    /// The AI profile that plays where nobody else does, unless somebody asks for another one.
    pub ai: String,
    /// The level that is played in.
    pub level: String,
    /// Length of a match after its countdown.
    pub play_seconds: f32,
    /// Time before a match in which nobody moves.
    pub countdown_seconds: f32,
    /// Bounties for each player, rounded up.
    pub bounties_per_player: f32,
    /// Bounties at least.
    pub least_bounties: u32,
    /// Which prefabs are played with.
    pub kinds: KindNames,
    /// What else appears where bounties do.
    #[serde(default)]
    pub deals: Vec<Deal>,
    /// Rules that a match can be played with or without.
    pub rules: RulesConfig,
}

/// Options of the rules. A rule set that is `None` is switched off, and nothing of it exists in the match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesConfig {
    /// Only one's own stash accepts what a collector carries.
    pub only_own_stash_accepts: bool,
    /// A stash that is full ends the match.
    #[serde(default = "yes")]
    pub full_stash_ends_match: bool,
    /// How often a player's collector may die; who has lost the last life is out of the match, which ends when no more than
    /// one is left in it. `None` for any number.
    #[serde(default)]
    pub lives: Option<u32>,
    /// Power-ups, which make ghosts of their holders.
    #[serde(default)]
    pub power_ups: Option<PowerUpRules>,
    /// Spells, which collectors cast.
    #[serde(default)]
    pub spells: Option<SpellRules>,
    /// Health, which collisions cost instead of lives.
    #[serde(default)]
    pub health: Option<HealthRules>,
}

fn yes() -> bool {
    true
}

/// How an AI picks the bounty that it goes for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Strategy {
    /// Never picks one: wanders.
    None,
    /// The one it has seen for the longest time.
    First,
    /// The nearest one.
    Nearest,
    /// The most valuable one.
    MostValuable,
    /// The most value per distance.
    BestValuePerDistance,
}

/// `assets/ai/*.ron`: one AI profile, named after its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AiProfile {
    /// How it picks a bounty.
    pub strategy: Strategy,
    /// Opening angle of its radar, whole.
    pub radar_angle_rad: f32,
    /// Reach of its radar.
    pub radar_range_m: f32,
    /// Reach of the box in which it looks out for other collectors.
    pub avoider_range_m: f32,
    /// Half the width of that box.
    pub avoider_half_width_m: f32,
    /// Chance in a step that it goes on wandering instead of looking for bounty, 0 to 1.
    pub wander_chance: f32,
    /// Share of the top turning speed when wandering, 0 to 1.
    pub wander_steering: f32,
    /// Share of the top turning speed when it has a target, 0 to 1.
    pub target_steering: f32,
    /// Share of the top turning speed when it avoids somebody, 0 to 1.
    pub avoid_steering: f32,
    /// Fullness of the pocket from which it brings its load home, 0 to 1.
    pub stash_threshold: f32,
    /// It brings home what it has when no more than this is left on the clock beyond the way home.
    pub hurry_home_seconds: f32,
}

/// `assets/keymap.ron`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keymap {
    /// The keys of the people who share the keyboard, first person first.
    pub people: Vec<PersonKeys>,
    /// Pauses and resumes.
    pub pause: Vec<Key>,
    /// Ends a paused or finished match; while one runs, pauses it.
    pub quit: Vec<Key>,
    /// Starts the match anew from the menu.
    pub restart: Vec<Key>,
    /// While held, goes back in the match, where that is switched on.
    pub rewind: Vec<Key>,
    /// Saves the match.
    pub quick_save: Vec<Key>,
    /// Goes on from where the match was saved.
    pub quick_load: Vec<Key>,
    /// Switches between window and full screen.
    pub toggle_fullscreen: Vec<Key>,
    /// Switches debug drawing.
    pub toggle_debug_draw: Vec<Key>,
    /// Switches the frame-time overlay.
    pub toggle_frame_times: Vec<Key>,
    /// The menu options of a paused or finished match, first option first.
    pub menu_options: Vec<Key>,
    /// Cheat: take over the first collector that an AI drives.
    pub cheat_possess: Vec<Key>,
    /// Cheat: give it back.
    pub cheat_release: Vec<Key>,
    /// Cheat: take over the next one.
    pub cheat_next: Vec<Key>,
    /// Cheat: take over the previous one.
    pub cheat_previous: Vec<Key>,
    /// Cheat: kill all collectors.
    pub cheat_kill_collectors: Vec<Key>,
    /// Cheat: kill all bounties.
    pub cheat_kill_bounties: Vec<Key>,
    /// Cheat: write all bodies to the log.
    pub cheat_dump_physics: Vec<Key>,
}

/// The keys with which one person drives and, where there are spells, casts them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonKeys {
    /// Full speed ahead while held.
    pub forward: Vec<Key>,
    /// Reverse at half speed while held.
    pub reverse: Vec<Key>,
    /// Turns left while held.
    pub left: Vec<Key>,
    /// Turns right while held.
    pub right: Vec<Key>,
    /// Casts the spell that destroys every bounty.
    #[serde(default)]
    pub purge: Vec<Key>,
    /// Casts the spell that kills every other collector.
    #[serde(default)]
    pub strike: Vec<Key>,
    /// Casts the spell that pulls bounties.
    #[serde(default)]
    pub magnet: Vec<Key>,
}
