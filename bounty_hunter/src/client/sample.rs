//! Options, views and stored matches for tests.

use std::collections::BTreeMap;
use std::rc::Rc;

use glam::Vec2;

use crate::client::match_history::MatchHistory;
use crate::client::{DailyMatch, DailyTries, DeviceOptions, LevelChoice, ModeChoice, PlayOptions};
use bounty_hunter_simulation::assets::Assets;
use bounty_hunter_simulation::input::Intent;
use bounty_hunter_simulation::keymap::{Key, Keymap, PersonKeys};
use bounty_hunter_simulation::replay::Playback;
use bounty_hunter_simulation::results::{FeatRecord, MatchDetails, MatchSummary, MatchTotals, PlayerResult};
use bounty_hunter_simulation::simulation::MatchSetup;
use bounty_hunter_simulation::simulation::view::{
    CollectorView, MineView, PlayedBy, PlayerStatistics, PlayerView, PowerUp, PowerUpView,
};

/// A match of one person and three AIs, with keys for two people.
pub(super) fn options() -> PlayOptions {
    PlayOptions {
        seed: 1,
        modes: vec![
            ModeChoice {
                levels: vec![level("crossing", Some(6)), level("deep_wood", None)],
                ..mode("calm", 4, "sharp", 90.0)
            },
            ModeChoice { level: "crossing".into(), ..mode("wild", 200, "dull", 45.0) },
        ],
        players: 4,
        humans: 1,
        ai_profiles: vec!["sharp".into(), "dull".into()],
        ai: "sharp".into(),
        play_seconds: 90.0,
        play_seconds_choices: vec![45.0, 180.0],
        keeps_choices: true,
        demo: false,
        skip_title: false,
        daily: None,
        begins_daily: false,
        frames: None,
        screenshot: None,
        keymap: keymap(2),
        devices: DeviceOptions {
            sounds: Assets::built_in().sounds,
            languages: BTreeMap::new(),
            mode_titles: BTreeMap::new(),
            camera_keys: vec![Key::E],
            window_size_px: None,
            feats: Vec::new(),
            settings: None,
        },
    }
}

/// The match of a day with so many tries left.
pub(super) fn daily(left: u32) -> DailyMatch {
    #[derive(Debug)]
    struct Left(u32);

    impl DailyTries for Left {
        fn left(&self) -> u32 {
            self.0
        }

        fn of_another_day(&self) -> Option<DailyMatch> {
            None
        }
    }

    let setup = MatchSetup::of_ais(1, 4, "sharp");
    DailyMatch { day: "2026-11-28".to_owned(), mode: "wild".to_owned(), setup, tries: Rc::new(Left(left)) }
}

fn mode(name: &str, players: u32, ai: &str, play_seconds: f32) -> ModeChoice {
    let (name, ai) = (name.to_owned(), ai.to_owned());
    let (title, description) = (name.to_uppercase(), format!("It is {name}."));
    let (level, levels) = ("meadow".to_owned(), Vec::new());
    ModeChoice {
        name,
        title,
        description,
        players,
        level,
        most_players: None,
        levels,
        ai,
        play_seconds,
        has_spells: false,
    }
}

fn level(name: &str, most_players: Option<u32>) -> LevelChoice {
    LevelChoice { name: name.to_owned(), most_players }
}

/// A keymap for this many people, all with the same keys.
pub(super) fn keymap(people: usize) -> Keymap {
    let person = PersonKeys {
        forward: vec![Key::W],
        reverse: vec![Key::S],
        left: vec![Key::A],
        right: vec![Key::D],
        purge: vec![],
        strike: vec![],
        magnet: vec![],
    };
    Keymap {
        people: vec![person; people],
        pause: vec![Key::P],
        quit: vec![Key::Escape],
        restart: vec![Key::R],
        rewind: vec![Key::Tab],
        quick_save: vec![Key::F4],
        quick_load: vec![Key::F12],
        toggle_fullscreen: vec![Key::F1],
        toggle_debug_draw: vec![Key::F2],
        toggle_frame_times: vec![Key::F3],
        camera: vec![Key::E],
        inspector: vec![Key::Y],
        menu_options: vec![Key::Digit1, Key::Digit2, Key::Digit3],
        cheat_possess: vec![],
        cheat_release: vec![],
        cheat_next: vec![],
        cheat_previous: vec![],
        cheat_kill_collectors: vec![],
        cheat_kill_bounties: vec![],
        cheat_dump_physics: vec![],
    }
}

/// A player without points.
pub(crate) fn player(index: u32) -> PlayerView {
    PlayerView {
        index,
        name: format!("Player {index}"),
        played_by: PlayedBy::Ai,
        team: None,
        stashed: 0.0,
        pocket: 0.0,
        respawn_seconds: 0.0,
        lives: None,
        out_at_clock_seconds: None,
        person: None,
        intent: Intent::IDLE,
        spells: None,
        health: None,
        statistics: PlayerStatistics::default(),
    }
}

/// A player whose person is at this screen.
pub(crate) fn person_here(index: u32) -> PlayerView {
    PlayerView { played_by: PlayedBy::Person, person: Some(index as u8), ..player(index) }
}

/// A player whose person is at another screen of a match over a network.
pub(crate) fn person_elsewhere(index: u32) -> PlayerView {
    PlayerView { played_by: PlayedBy::Person, ..player(index) }
}

/// A power-up in the middle of the world.
pub(crate) fn power_up(key: u64) -> PowerUpView {
    PowerUpView { key, position: Vec2::ZERO, half_extent: 1.0, alpha: 1.0, power_up: PowerUp::Shield { seconds: 5.0 } }
}

/// An armed mine of player 1 in the middle of the world.
pub(crate) fn mine(key: u64) -> MineView {
    MineView { key, owner: 1, position: Vec2::ZERO, half_extent: 1.0, arms_in_seconds: 0.0, left_seconds: 9.0 }
}

/// A collector of player 0 in the middle of the world.
pub(crate) fn collector(key: u64) -> CollectorView {
    CollectorView {
        key,
        player: 0,
        position: Vec2::ZERO,
        heading: 0.0,
        half_extent: 1.0,
        fullness: 0.0,
        chain_factor: 1.0,
        ghost_seconds: 0.0,
        dash_seconds: 0.0,
        shield_seconds: 0.0,
        double_seconds: 0.0,
        magnet_range: 0.0,
        carries_mine: false,
        health: None,
        starves_in_seconds: None,
        face: None,
        teleported: false,
    }
}

/// Stored matches with ids from 1.
pub(super) struct SampleMatches {
    pub(super) matches: i64,
    pub(super) players: u32,
    /// The error of all calls.
    pub(super) broken: Option<&'static str>,
    /// Id of a match that was deleted after the list was made.
    pub(super) gone: Option<i64>,
}

impl SampleMatches {
    pub(super) fn of(matches: i64) -> Self {
        Self { matches, players: 4, broken: None, gone: None }
    }

    fn check(&self) -> Result<(), String> {
        self.broken.map_or(Ok(()), |problem| Err(problem.to_owned()))
    }

    fn counts() -> BTreeMap<String, i64> {
        [("BountyCollected", 90), ("BountyStashed", 30), ("CollisionBegin", 300)]
            .map(|(event, sent)| (event.to_owned(), sent))
            .into()
    }
}

/// The match with this id.
pub(super) fn match_summary(id: i64) -> MatchSummary {
    MatchSummary {
        id,
        ended_at: "2026-11-21 20:15:00".into(),
        mode: "classic".into(),
        level: "arena".into(),
        seed: "7".into(),
        players: 4,
        people: 1,
        seconds: 90.0,
        ending: "time".into(),
        winner: Some(0),
        version: "0.1.0".into(),
        winner_name: Some("BountyHunter".into()),
        best_person: Some(player_result(0)),
        odd: Vec::new(),
    }
}

fn player_result(player: u32) -> PlayerResult {
    let (place, name) = (player + 1, format!("Player #{player}"));
    let stashed = 1_000.0 - f64::from(player);
    PlayerResult { place, player, name, is_person: player == 0, team: None, stashed, out_at: None, feats: Vec::new() }
}

impl MatchHistory for SampleMatches {
    fn list(&self) -> Result<Vec<MatchSummary>, String> {
        self.check().map(|()| (1..=self.matches).rev().map(match_summary).collect())
    }

    fn details(&self, id: i64) -> Result<MatchDetails, String> {
        if self.gone == Some(id) {
            return Err(format!("there is no match {id}"));
        }
        let standings = (0..self.players).map(player_result).collect();
        Ok(MatchDetails { summary: match_summary(id), standings, events: Self::counts() })
    }

    fn totals(&self) -> Result<MatchTotals, String> {
        Ok(MatchTotals { matches: self.matches, events: Self::counts(), ..MatchTotals::default() })
    }

    fn feats(&self) -> Result<Vec<FeatRecord>, String> {
        let record = |feat: &str| FeatRecord { feat: feat.to_owned(), times: 2, first: 1 };
        Ok(vec![record("untouched"), record("medal/classic/hard/2"), record("of a later version")])
    }

    fn replay(&self, id: i64) -> Result<Playback, String> {
        Err(format!("there is no replay of match {id}"))
    }
}
