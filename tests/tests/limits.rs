//! Numbers at and beyond their limits, by every way into a match: each ends in one sentence or in a match that can be
//! played.

use bounty_hunter::assets::{AssetEditor, Assets};
use bounty_hunter::input::Inputs;
use bounty_hunter::replay::{Playback, Recorder, Replay};
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use ecs::Engine;
use ecs::prefab::RonText;
use ecs::random::RandomStream;
use tests::play_within_limits;

/// Random matches; more in a deep run.
fn matches() -> u64 {
    std::env::var("MATCHES_WITHIN_LIMITS").ok().and_then(|text| text.parse().ok()).unwrap_or(10)
}

#[test]
fn match_within_its_limits_is_refused_in_a_sentence_or_can_be_played_and_saved() {
    for seed in 0..matches() {
        let mut random = RandomStream::new(seed, "test");
        play_within_limits(&mut || random.unit());
    }
}

/// The built-in assets with parts of files replaced; each file must contain its part.
fn changed(changes: &[(&str, &str, &str)]) -> Result<Assets, String> {
    let mut editor = AssetEditor::new(None, None).unwrap();
    for (file, part, by) in changes {
        assert!(editor.text(file).unwrap().text().contains(part), "{part}");
        let change = |text: &RonText| Ok(RonText::new(text.name(), text.text().replacen(part, by, 1)));
        editor.change(file, change).unwrap();
    }
    editor.assets().map_err(|error| error.to_string())
}

/// Why a match of these players and this length is refused.
fn refusal(assets: &Assets, players: usize, play_seconds: Option<f32>) -> String {
    let setup = MatchSetup { seed: 1, seats: vec![Seat::Script; players], play_seconds };
    Simulation::new(assets, &setup).err().expect("it is refused").to_string()
}

/// A stash of 100,000 points for each second.
const RICH: (&str, &str, &str) = ("game.ron", "points_per_second: 6.6", "points_per_second: 100000.0");

#[test]
fn files_whose_numbers_do_not_fit_together_are_refused_with_their_place() {
    let refusal = |changes: &[(&str, &str, &str)]| changed(changes).expect_err("it is refused");
    let stash = ("game.ron", "points_per_second: 4.4", "points_per_second: 100000.0");
    assert_eq!(
        refusal(&[stash]),
        "assets/game.ron:122:5: the points_per_second of stash_sizes and play_seconds, 90, give a stash of 9000000 points, must be at \
         most 1000000"
    );
    let crowd = ("game.ron", "players: 16,\n    // The AI", "players: 10000,\n    // The AI");
    let bounties = ("game.ron", "bounties_per_player: 0.75", "bounties_per_player: 100.0");
    assert_eq!(
        refusal(&[crowd, bounties]),
        "assets/game.ron:16:5: bounties_per_player, deals, power_ups and chain give 1000000 objects for 10000 players, must be at most 100000"
    );
    let level = ("levels/arena.ron", "world_half_extent_m: 75.0", "world_half_extent_m: 10000.0");
    assert_eq!(
        refusal(&[level]),
        "assets/game.ron:10:5: the world_half_extent_m of level \"arena\", grown for 16 players, and the walls beyond its edges, \"edge\", \
         reach 10003.75 m from the centre, must be at most 10000 m"
    );
    let tiny = ("prefabs/collector.ron", "Triangle(half_extent_m: 1.5)", "Triangle(half_extent_m: 0.01)");
    let fast = ("prefabs/collector.ron", "max_speed_mps: 25.0", "max_speed_mps: 1000.0");
    let sentence = refusal(&[tiny, fast]);
    let expected = "the max_speed_mps and max_turn_radps of \"collector\" give its corners a speed of 1000.08";
    assert!(sentence.contains(expected) && sentence.starts_with("assets/game.ron:20:"), "{sentence}");
    let small = ("prefabs/bounty.ron", "half_extent_m: (0.75, 2.25)", "half_extent_m: (0.01, 2.25)");
    let pull = ("modes/spells.ron", "magnet_speed_mps: 12.0", "magnet_speed_mps: 200.0");
    let sentence = refusal(&[small, pull]);
    assert!(sentence.starts_with("assets/modes/spells.ron:23:"), "{sentence}");
    assert!(
        sentence.ends_with("magnet_speed_mps is 200, must be at most 100 for the half_extent_m of \"bounty\", 0.01")
    );
}

#[test]
fn dash_that_is_dealt_as_an_object_counts_for_the_speed_of_collectors() {
    let deals = "deals: [(prefab: \"golden bounty\", objects_per_player: 0.1, least_objects: 1)]";
    let changes = |deals_instead: &'static str| {
        let fast = ("prefabs/collector.ron", "max_speed_mps: 25.0", "max_speed_mps: 900.0");
        let dash = ("prefabs/power_up.ron", "factor: 1.5", "factor: 10.0");
        changed(&[
            fast,
            dash,
            ("modes/power-ups.ron", "                    \"dash power-up\",\n", ""),
            ("modes/power-ups.ron", deals, deals_instead),
        ])
    };
    let sentence =
        changes("deals: [(prefab: \"dash power-up\", objects_per_player: 0.1, least_objects: 1)]").unwrap_err();
    assert!(sentence.contains(", 10 times as fast by a power-up, give its corners a speed of 9"), "{sentence}");
    changes("deals: []").expect("without the dash it is slow enough");
}

#[test]
fn set_up_that_does_not_fit_to_the_files_is_refused() {
    // For 16 players, as in the file, the stash is small.
    let assets = changed(&[RICH]).unwrap();
    assert_eq!(
        refusal(&assets, 2, None),
        "the points_per_second of stash_sizes and play_seconds, 90, give a stash of 9000000 points, must be at most 1000000"
    );
    let mut assets = Assets::built_in();
    assert!(
        refusal(&assets, 2, Some(1e30)).starts_with("play_seconds is 1000000000000000000000000000000, must be at most")
    );
    assets.game.countdown_seconds = f32::INFINITY;
    assert!(refusal(&assets, 2, None).starts_with("countdown_seconds is too large a number, must be at most "));
    assets = Assets::built_in();
    assets.game.steps_per_second = 0;
    assert_eq!(refusal(&assets, 2, None), "steps_per_second is 0, must be positive");
    assets = Assets::built_in();
    assets.game.bounties_per_player = 20.0;
    assert!(refusal(&assets, 10_000, None).contains("give 200000 objects for 10000 players"));
    // A level that is chosen for a match need not be one of its mode.
    for (half_m, named) in [(1.0, "\"collector\" is 1.5 m"), (8.0, "\"stash\" is ")] {
        assets = Assets::built_in();
        assets.levels.get_mut("arena").unwrap().world_half_extent_m = half_m;
        let sentence = refusal(&assets, 2, None);
        assert!(sentence.starts_with(&format!("half the side of {named}")), "{sentence}");
        assert!(sentence.ends_with("to fit into the level \"arena\" where it is put"), "{sentence}");
    }
}

/// A replay of a match in classic with another description.
fn forged(change: impl FnOnce(&mut serde_json::Value)) -> Result<Replay, String> {
    let assets = Assets::built_in().in_mode("classic").unwrap();
    let setup = MatchSetup::of_ais(1, 2, "normal");
    let mut simulation = Simulation::new(&assets, &setup).unwrap();
    let recorder = Recorder::new("classic", &assets, &setup).unwrap();
    let mut fields = serde_json::to_value(recorder.replay(&mut simulation)).unwrap();
    change(&mut fields);
    serde_json::from_value(fields).map_err(|error| error.to_string())
}

fn played(replay: Replay) -> String {
    let replay = match Replay::from_bytes(&replay.to_bytes()) {
        Ok(replay) => replay,
        Err(error) => return error.to_string(),
    };
    match Playback::new(replay, &Assets::built_in(), Engine::builder()) {
        Err(error) => error.to_string(),
        Ok(_) => "it is played".to_owned(),
    }
}

#[test]
fn replay_out_of_bounds_is_refused() {
    assert_eq!(played(forged(|_| ()).unwrap()), "it is played");
    let seconds = forged(|fields| fields["about"]["setup"]["play_seconds"] = 1e30.into()).unwrap();
    assert!(played(seconds).starts_with("play_seconds is 1000000"));
    let nobody = forged(|fields| fields["about"]["setup"]["seats"] = serde_json::json!([])).unwrap();
    assert_eq!(played(nobody), "a match has 1 to 10000 players, not 0");
    for steps in [0_u32, 1_001, u32::MAX] {
        let replay = forged(|fields| fields["about"]["steps_per_second"] = steps.into()).unwrap();
        assert_eq!(played(replay), "it is damaged: its steps, or those of a second, are out of bounds");
    }
    let replay = forged(|fields| fields["about"]["steps_per_second"] = 30.into()).unwrap();
    assert_eq!(played(replay), "it is damaged: its steps per second are not those of its match");
}

#[test]
fn world_of_the_greatest_size_can_be_saved_and_loaded() {
    let wide = ("levels/pit.ron", "world_half_extent_m: 36.0", "world_half_extent_m: 9996.0");
    let assets = changed(&[wide]).unwrap().in_level("pit").unwrap();
    let setup = MatchSetup::of_ais(1, 2, "normal");
    let mut simulation = Simulation::new(&assets, &setup).unwrap();
    (0..10).for_each(|_| _ = simulation.step(&Inputs::none()));
    let saved = simulation.save().unwrap();
    let mut loaded = Simulation::new(&assets, &setup).unwrap();
    loaded.load(&saved).unwrap();
    assert_eq!(loaded.state_hash(), simulation.state_hash());
}
