//! Replay files: written, verified and refused.

use std::fs;

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{MatchSetup, Simulation};

use super::run::{Directory, assert_failed, assert_refused, printed, program};

#[test]
fn recorded_match_goes_the_same_way_again() {
    let directory = Directory::empty("recorded");
    let file = &directory.0.join("seven.replay");
    let name = file.to_str().unwrap();
    let simulated =
        printed(&["simulate", "--seed", "7", "--players", "3", "--ticks", "250", "--json", "--record", name]);
    let (_, rest) = simulated.split_once("\"hash\":\"").unwrap();
    let hash = &rest[..16];
    for threads in ["0", "2"] {
        assert_eq!(
            printed(&["replay", name, "--verify", "--threads", threads]),
            format!(
                "seed 7, 3 players, mode classic, level arena: all 250 steps went the same way, to the hash {hash}\n"
            )
        );
    }
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        printed(&["replay", name, "--verify", "--json"]),
        format!(
            "{{\"mode\":\"classic\",\"level\":\"arena\",\"seed\":7,\"players\":3,\"version\":\"{version}\",\"ticks\":250,\
             \"hash\":\"{hash}\",\"agrees\":true,\"agrees_until\":null,\"differs_at\":null}}\n"
        )
    );
    assert_eq!(fs::read_dir(&directory.0).unwrap().count(), 1, "nothing is left beside the replay");
}

#[test]
fn replay_of_a_level_from_a_seed_needs_no_other_option() {
    let directory = Directory::empty("seeded");
    let file = directory.0.join("a.replay");
    let name = file.to_str().unwrap();
    let simulated = printed(&[
        "simulate",
        "--level",
        "seed:07",
        "--seed",
        "3",
        "--players",
        "4",
        "--ticks",
        "250",
        "--json",
        "--record",
        name,
    ]);
    assert!(simulated.contains("\"level\":\"seed:7\""), "{simulated}");
    let verified = printed(&["replay", name, "--verify"]);
    let beginning = "seed 3, 4 players, mode classic, level seed:7: all 250 steps went the same way";
    assert!(verified.starts_with(beginning), "{verified}");
}

#[test]
fn what_wrote_a_value_in_a_step_is_printed() {
    let directory = Directory::empty("why");
    let file = directory.0.join("a.replay");
    let name = file.to_str().unwrap();
    printed(&["simulate", "--seed", "7", "--players", "3", "--ticks", "250", "--record", name]);
    let why = |wanted: &[&str]| printed(&[&["replay", name, "--why"], wanted].concat());
    // The entity by a question, and by its id.
    let by_question = why(&["240", "collector.player = 2", "transform.pose.heading"]);
    let (entity, rest) =
        by_question.strip_prefix("transform.pose.heading of entity ").unwrap().split_once(' ').unwrap();
    assert!(
        rest.contains("\n  frame 240: Motion in update by `read_back` changed transform.pose.heading: "),
        "{by_question}"
    );
    assert_eq!(why(&["240", entity, "transform.pose.heading"]), by_question);
    assert_eq!(
        why(&["100", "game flow.countdown_ticks"]),
        "`game flow`.countdown_ticks (resource) was 83 and is 82\n  \
         frame 100: MatchFlow in pre-update by `count_down` changed `game flow`.countdown_ticks: 83 → 82\n    \
         nothing that it may read had this value: it was computed there\n"
    );
    // Nothing wrote it, so what did before is told, too.
    assert_eq!(
        why(&["240", entity, "pocket.carried"]),
        format!(
            "pocket.carried of entity {entity} is 0 and did not change\n  \
             Rules in its listener `on_collision` for CollisionBegin: no such event came\n  \
             LoseLoads in its listener `on_killed` for GameObjectKilled: no such event came\n\
             it last changed in step 2:\n\
             pocket.carried of entity {entity} was not there and is 0\n  \
             frame 2: the program, between frames, spawned the entity with pocket.carried: 0\n"
        )
    );
    let all = why(&["240", entity]);
    assert!(
        all.contains("Motion in update by `read_back` changed transform.pose")
            && all.contains("unchanged in step 240: "),
        "{all}"
    );
    for (wanted, sentence) in [
        (&["251", entity, "pocket"][..], "there is no step 251: the replay has the steps 1 to 250"),
        (&["x", entity], "\"x\" is no number of a step"),
        (&["9", entity, "pockt"], "no component is registered as `pockt`: `pocket` may be meant"),
        (&["9", entity, "pocket.caried"], "`pocket` has no field `caried`: `carried` may be meant"),
        (&["9", "999v1", "pocket"], "no entity is `999v1` before or after this step"),
        (
            &["9", "colector", "pocket"],
            "column 1: no component, resource or system is registered as `colector`: `collector` may be meant",
        ),
    ] {
        assert_refused(&mut program(&[&["replay", name, "--why"], wanted].concat()), sentence);
    }
}

#[test]
fn damaged_replays_are_refused() {
    let directory = Directory::empty("damaged");
    let file = directory.0.join("a.replay");
    let name = file.to_str().unwrap();
    printed(&["simulate", "--players", "200", "--ticks", "70", "--record", name]);
    let whole = fs::read(&file).unwrap();
    let refuse = |bytes: &[u8], reason: &str| {
        fs::write(&file, bytes).unwrap();
        let sentence = format!("the replay {name} cannot be played: {reason}");
        assert_refused(&mut program(&["replay", name, "--verify"]), &sentence);
    };
    let mut flipped = whole.clone();
    flipped[1_000] ^= 0x10;
    refuse(&flipped, "it is damaged: its checksum does not match its content");
    refuse(&whole[..1_000], &format!("it ends after 1000 of {} bytes", whole.len()));
    refuse(b"", "it is not a replay");
    let mut newer = whole.clone();
    newer[8] = 9;
    refuse(&newer, "a newer version wrote it in format 9, this version reads formats up to 7");
}

#[test]
fn replay_with_other_assets_is_refused() {
    let stash = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/prefabs/stash.ron"))
        .replace("points: 250.0", "points: 300.0");
    let directory = Directory::with("large_stash", "prefabs/stash.ron", &stash);
    let file = directory.0.join("a.replay");
    let name = file.to_str().unwrap();
    let assets = ["--assets", directory.name()];
    printed(&[&["simulate", "--players", "2", "--ticks", "20", "--record", name][..], &assets].concat());
    let reason = "it was recorded with other assets: name their directory with --assets";
    let sentence = format!("the replay {name} cannot be played: {reason}");
    assert_refused(&mut program(&["replay", name, "--verify"]), &sentence);
    assert!(printed(&[&["replay", name, "--verify"][..], &assets].concat()).contains("all 20 steps went the same way"));
}

#[test]
fn missing_and_unwritable_replays_are_refused() {
    let directory = Directory::empty("nowhere");
    let file = directory.0.join("missing/a.replay");
    let name = file.to_str().unwrap();
    let reason = "No such file or directory (os error 2)";
    let sentence = format!("the replay {name} cannot be written: {reason}");
    // Told before the match, which would take hours.
    assert_failed(&mut program(&["simulate", "--players", "10000", "--record", name]), &sentence);
    let sentence = format!("the replay {} cannot be written: it is a directory", directory.name());
    assert_refused(&mut program(&["simulate", "--ticks", "1", "--record", directory.name()]), &sentence);
    let sentence = format!("the replay {name} cannot be played: {reason}");
    assert_refused(&mut program(&["replay", name, "--verify"]), &sentence);
    #[cfg(unix)]
    assert_refused(
        &mut program(&["replay", "/dev/zero", "--verify"]),
        "the replay /dev/zero cannot be played: it is no file but a pipe or a device",
    );
    let sentence = "the argument '--matches <N>' cannot be used with '--record <FILE>'";
    assert_refused(&mut program(&["simulate", "--matches", "2", "--record", name]), sentence);
}

#[cfg(target_os = "linux")]
#[test]
fn only_a_plain_file_is_replaced_by_a_recording() {
    let directory = Directory::empty("no_plain_file");
    let device = directory.0.join("device");
    std::os::unix::fs::symlink("/dev/null", &device).unwrap();
    let name = device.to_str().unwrap();
    let sentence = format!("the replay {name} cannot be written: it is not a plain file");
    assert_refused(&mut program(&["simulate", "--ticks", "1", "--record", name]), &sentence);
    // A link to a file stays a link, and the recording goes to the file.
    let (file, link) = (directory.0.join("a.replay"), directory.0.join("link"));
    fs::write(&file, "what was there before").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    printed(&["simulate", "--players", "2", "--ticks", "1", "--record", link.to_str().unwrap()]);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(printed(&["replay", file.to_str().unwrap(), "--verify"]).contains("all 1 steps went the same way"));
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_leaves_the_earlier_replay_alone() {
    // Writing to this device fails as on a full disk.
    let directory = Directory::empty("full");
    let file = directory.0.join("a.replay");
    let name = file.to_str().unwrap();
    fs::write(&file, "what was there before").unwrap();
    std::os::unix::fs::symlink("/dev/full", directory.0.join("a.replay.part")).unwrap();
    let sentence = format!("the replay {name} cannot be written: No space left on device (os error 28)");
    assert_failed(&mut program(&["simulate", "--ticks", "1", "--record", name]), &sentence);
    assert_eq!(fs::read_to_string(&file).unwrap(), "what was there before");
}

#[test]
fn two_matches_are_compared_with_what_wrote_the_difference() {
    let directory = Directory::empty("compare");
    let [one, other] = ["one.replay", "other.replay"].map(|name| directory.0.join(name).to_str().unwrap().to_owned());
    printed(&["simulate", "--seed", "7", "--players", "3", "--ticks", "400", "--record", &one]);
    printed(&["simulate", "--seed", "7", "--players", "3", "--ticks", "300", "--record", &other]);
    let compared = printed(&["compare", &one, &other]);
    let mut lines = compared.lines();
    assert_eq!(lines.next().unwrap(), "all 300 steps are equal; only the first goes on");
    assert!(lines.next().unwrap().starts_with("the first is not over after 400 steps; stashes "), "{compared}");
    assert!(lines.next().unwrap().starts_with("the second is not over after 300 steps; stashes "), "{compared}");

    // The same inputs with an AI that turns less.
    let ai = include_str!("../../../assets/ai/normal.ron");
    let calmer = ai.replace("target_steering: 1.0", "target_steering: 0.9");
    assert_ne!(ai, calmer);
    let assets = Directory::with("compare_assets", "ai/normal.ron", &calmer);
    let with_other_assets =
        |more: &[&str]| printed(&[&["compare", &one, "--other-assets", assets.0.to_str().unwrap()], more].concat());
    let compared = with_other_assets(&[]);
    assert!(compared.contains("\n  resource profiles\n    "), "{compared}");
    assert!(compared.contains(".target_steering: 1.0 | 0.9\n"), "{compared}");
    let compared = with_other_assets(&["--fold", "profiles"]);
    for text in [
        " is the first in which they differ:\n  entity ",
        "\n    controls.intent.turn: -1.0 | -0.9\n",
        "\nfolded, from step 2 on: ",
        ".target_steering of resource profiles: 1.0 | 0.9\n",
        "AiControllers in update by `think` changed controls.intent.turn: ",
        "\nthe second is not over after 400 steps; stashes ",
    ] {
        assert!(compared.contains(text), "{text:?} is missing in {compared}");
    }
    let json: serde_json::Value = serde_json::from_str(&with_other_assets(&["--fold", "profiles", "--json"])).unwrap();
    let step = json["frame"].as_u64().unwrap();
    assert!(compared.starts_with(&format!("step {step} is the first")), "{compared}");
    assert_eq!(json["outcomes"][0]["steps"], 400);
    assert_eq!(json["folded"][0][1]["name"], "profiles");

    let program_path = env!("CARGO_BIN_EXE_bounty_hunter");
    assert_eq!(printed(&["compare", &one, "--with", program_path]).lines().next(), Some("all 400 steps are equal"));
    for (more, sentence) in [
        (
            &[][..],
            "name what it is compared with: another replay, another build of the game by --with, other assets by \
             --other-assets, or two states by --states"
                .to_owned(),
        ),
        (
            &["missing.replay"],
            "the replay missing.replay cannot be played: No such file or directory (os error 2)".to_owned(),
        ),
        (&["--with", "/nowhere"], "/nowhere cannot be started: No such file or directory (os error 2)".to_owned()),
        (&["--with", "/bin/true"], format!("/bin/true cannot play {one} to compare it: it ends without an answer")),
    ] {
        assert_refused(&mut program(&[&["compare", &one], more].concat()), &sentence);
    }
}

#[test]
fn two_states_of_a_match_are_compared_as_peers_write_them() {
    let directory = Directory::empty("states");
    let file = |name: &str| directory.0.join(name).to_str().unwrap().to_owned();
    let [replay, host, member, other] = ["match.replay", "host.save", "member.save", "other.save"].map(file);
    printed(&["simulate", "--seed", "7", "--players", "3", "--ticks", "300", "--record", &replay]);
    let at = |seed: u64| {
        let assets = Assets::built_in().in_mode("classic").unwrap();
        let mut simulation = Simulation::new(&assets, &MatchSetup::of_ais(seed, 3, &assets.game.ai)).unwrap();
        (0..250).for_each(|_| _ = simulation.step(&Inputs::none()));
        simulation
    };
    let mut simulation = at(7);
    fs::write(&host, simulation.save().unwrap()).unwrap();
    let pockets = simulation.engine_mut().inspector().entities_with(["pocket"]).unwrap();
    let mut inspector = simulation.engine_mut().inspector();
    let mut pocket = inspector.component(pockets[1], "pocket", serde_json::value::Serializer).unwrap();
    let before = pocket["carried"].clone();
    pocket["carried"] = 1.5.into();
    inspector.set_component(pockets[1], "pocket", pocket).unwrap();
    fs::write(&member, simulation.save().unwrap()).unwrap();
    fs::write(&other, at(8).save().unwrap()).unwrap();
    assert_eq!(
        printed(&["compare", &replay, "--states", &member, &host]),
        format!(
            "in step 250 these values differ:\n  entity {} (collector)\n    pocket.carried: 1.5 | {:?}\n\
             the replay, played here, leads to the second\n",
            pockets[1],
            before.as_f64().unwrap() as f32
        )
    );
    assert_eq!(
        printed(&["compare", &replay, "--states", &host, &host]),
        "no value differs in step 250\nthe replay, played here, leads to both\n"
    );
    let json = printed(&["compare", &replay, "--states", &member, &host, "--json"]);
    assert!(json.contains("\"path\":\"carried\""), "{json}");
    let refused = [
        (
            &other,
            format!(
                "the state {other} cannot be loaded: its match has another set-up or other assets: load it with those"
            ),
        ),
        (&replay, format!("the state {replay} cannot be loaded: it is not a saved match")),
    ];
    for (state, sentence) in refused {
        assert_refused(&mut program(&["compare", &replay, "--states", &host, state]), &sentence);
    }
}

#[cfg(unix)]
#[test]
fn other_programs_that_complain_without_end_or_fall_silent_hang_no_comparison() {
    let directory = Directory::empty("strangers");
    let replay = directory.0.join("one.replay").to_str().unwrap().to_owned();
    printed(&["simulate", "--seed", "7", "--players", "2", "--ticks", "100", "--record", &replay]);
    let script = |name: &str, text: &str| {
        let file = directory.0.join(name);
        fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        file.to_str().unwrap().to_owned()
    };
    // More than a pipe holds, as a build that warns in each step.
    let game = env!("CARGO_BIN_EXE_bounty_hunter");
    let noisy = script("noisy", &format!("head -c 1000000 /dev/zero | tr '\\0' x >&2\nexec {game} \"$@\""));
    assert_eq!(printed(&["compare", &replay, "--with", &noisy]).lines().next(), Some("all 100 steps are equal"));
    // One that closes its output and lives on.
    let silent = script("silent", "exec >&-\nexec sleep 1000");
    assert_refused(
        &mut program(&["compare", &replay, "--with", &silent]),
        &format!("{silent} cannot play {replay} to compare it: it ends without an answer"),
    );
    let garbled = script("garbled", "read request\necho hello");
    assert_refused(
        &mut program(&["compare", &replay, "--with", &garbled]),
        &format!("{garbled} cannot play {replay} to compare it: expected value at line 1 column 1"),
    );
}
