//! Options for tests.

use super::{ModeChoice, PlayOptions};
use crate::config::{Keymap, PersonKeys};
use crate::input::Key;

/// A match of four, one of them a person, for a keyboard that two can share.
pub(super) fn options() -> PlayOptions {
    PlayOptions {
        seed: 1,
        modes: vec![mode("calm", 4, "sharp", 90.0), mode("wild", 200, "dull", 45.0)],
        players: 4,
        humans: 1,
        ai_profiles: vec!["sharp".into(), "dull".into()],
        play_seconds: 90.0,
        play_seconds_choices: vec![45.0, 180.0],
        demo: false,
        skip_title: false,
        frames: None,
        screenshot: None,
        keymap: keymap(2),
    }
}

/// A mode of that name for so many players.
fn mode(name: &str, players: u32, ai: &str, play_seconds: f32) -> ModeChoice {
    let (name, ai) = (name.to_owned(), ai.to_owned());
    let (title, description) = (name.to_uppercase(), format!("It is {name}."));
    ModeChoice { name, title, description, players, most_players: None, ai, play_seconds, steps_per_second: 60 }
}

/// A keymap that this many people share, all with the same keys.
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
