//! A match in the studio, by the requests of the page.

use bounty_hunter::replay::Playback;
use bounty_hunter::simulation::MatchSetup;
use bounty_hunter::simulation::view::View;
use glam::Vec2;

use super::*;

fn game(setup: &MatchSetup) -> StudioGame {
    let assets = Assets::built_in();
    let simulation = Simulation::new(&assets, setup).unwrap();
    let studio = GameStudio::new(None, None, ecs::Engine::builder()).unwrap();
    let recorder = Recorder::new("classic", &assets, setup).unwrap();
    StudioGame::new(simulation, recorder, Rc::new(studio))
}

fn ask(game: &StudioGame, request: &str) -> serde_json::Value {
    let answer = game.with(|studio, present| studio.answer(&mut present.simulation, request));
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer.get("error"), None, "{request}");
    answer
}

fn refusal(game: &StudioGame, request: &str) -> String {
    let answer = game.with(|studio, present| studio.answer(&mut present.simulation, request));
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    answer["error"].as_str().unwrap_or_else(|| panic!("{request} is not refused: {answer}")).to_owned()
}

/// What the panel `Editor` answers.
fn editor(game: &StudioGame, request: &str) -> serde_json::Value {
    ask(game, &format!(r#"{{ "op": "panel", "panel": "Editor", "request": {request} }}"#))["value"].clone()
}

fn hash(game: &StudioGame) -> u64 {
    game.with(|_, present| present.simulation.state_hash())
}

fn steps(game: &mut StudioGame, count: u32) {
    (0..count).for_each(|_| _ = game.step(&Inputs::none()));
}

fn first_with(game: &StudioGame, component: &str) -> String {
    let found = ask(game, &format!(r#"{{ "op": "entities", "with": ["{component}"], "limit": 1 }}"#));
    found["entities"][0]["entity"].as_str().unwrap().to_owned()
}

fn set_pocket(game: &StudioGame, points: f32) {
    let id = first_with(game, "pocket");
    ask(
        game,
        &format!(
            r#"{{ "op": "set_component", "entity": "{id}", "component": "pocket", "path": "/carried", "value": {points:?} }}"#
        ),
    );
}

#[test]
fn inspected_match_is_the_same_as_one_that_is_not() {
    let setup = MatchSetup::of_ais(7, 4, "normal");
    let mut alone = Simulation::new(&Assets::built_in(), &setup).unwrap();
    let mut game = game(&setup);
    ask(&game, r#"{ "op": "status" }"#);
    for n in 1..600_u32 {
        alone.step(&Inputs::none());
        game.step(&Inputs::none());
        if n.is_multiple_of(60) {
            ask(&game, r#"{ "op": "entities", "search": "collector", "columns": ["pocket", "transform"] }"#);
            ask(&game, r#"{ "op": "systems" }"#);
            ask(&game, r#"{ "op": "panel", "panel": "AIs", "request": {} }"#);
            ask(&game, r#"{ "op": "seek", "frame": 30 }"#);
            assert!(game.step(&Inputs::none()).tick < 40, "it shows the past");
            assert!(game.take_jump() && game.notice().is_some());
            ask(&game, r#"{ "op": "run" }"#);
            assert!(game.notice().is_none());
        }
    }
    assert_eq!(hash(&game), alone.state_hash());
    set_pocket(&game, 60.0);
    game.step(&Inputs::none());
    let mut view = View::empty();
    game.view_into(&mut view);
    assert!(view.players.iter().any(|player| player.pocket == 60.0), "the edit is seen in the view");
    ask(&game, r#"{ "op": "undo" }"#);
    let collector = view.collectors[0].position;
    game.mark(collector + Vec2::new(0.1, 0.1));
    assert!(game.marked().is_some_and(|(place, _)| place.distance(collector) < 2.0), "it is marked by a click");
    game.mark(Vec2::new(1e6, 0.0));
    assert!(game.marked().is_some(), "a click beside all objects marks nothing else");
}

#[test]
fn value_out_of_its_limits_is_refused_and_changes_nothing() {
    let mut game = game(&MatchSetup::of_ais(7, 2, "normal"));
    steps(&mut game, 10);
    let (id, before) = (first_with(&game, "capacity"), hash(&game));
    let set = |points: &str| {
        format!(
            r#"{{ "op": "set_component", "entity": "{id}", "component": "capacity", "path": "/points", "value": {points} }}"#
        )
    };
    assert_eq!(refusal(&game, &set("2000000.0")), "it is 2000000, must be at most 1000000");
    assert_eq!(hash(&game), before);
    let expected = format!(r#"{{ "op": "expected", "entity": "{id}", "component": "capacity", "path": "/points" }}"#);
    assert_eq!(ask(&game, &expected)["limits"], serde_json::json!(["at most 1000000", "positive"]));
    ask(&game, &set("999999.0"));
    assert_ne!(hash(&game), before);
}

#[test]
fn replay_with_edits_verifies() {
    let setup = MatchSetup::of_ais(7, 4, "normal");
    let mut game = game(&setup);
    steps(&mut game, 250);
    set_pocket(&game, 60.0);
    steps(&mut game, 100);
    let spawned = ask(&game, r#"{ "op": "spawn", "prefab": "rock", "arguments": { "at_m": [5.0, 5.0] } }"#);
    ask(&game, r#"{ "op": "enable_system", "system": "Lifetimes", "enabled": false }"#);
    steps(&mut game, 60);
    // Another course of the match from an edited frame: its edits stay, later ones are gone.
    let frame = ask(&game, r#"{ "op": "status" }"#)["frame"].as_u64().unwrap();
    set_pocket(&game, 10.0);
    steps(&mut game, 30);
    ask(&game, &format!(r#"{{ "op": "despawn", "entity": {} }}"#, spawned["entity"]));
    steps(&mut game, 10);
    ask(&game, &format!(r#"{{ "op": "seek", "frame": {frame} }}"#));
    ask(&game, r#"{ "op": "run", "from_here": true }"#);
    steps(&mut game, 200);
    set_pocket(&game, 33.0);
    ask(&game, r#"{ "op": "pause" }"#);
    ask(&game, r#"{ "op": "step_system" }"#);
    steps(&mut game, 1);
    assert_eq!(game.notice().unwrap().in_english(), "the studio shows the middle of a frame");
    let replay = Replay::from_bytes(&game.studio.replay().unwrap().to_bytes()).unwrap();
    assert_eq!(game.with(|_, present| present.edit_count()), 5, "that of the other course is gone");
    let mut playback = Playback::with_edits(replay, &Assets::built_in(), ecs::Engine::builder()).unwrap();
    playback.verify().unwrap_or_else(|difference| panic!("{difference}"));
    assert_eq!(playback.state_hash(), hash(&game));
    let rock = spawned["entity"].as_str().unwrap();
    let rocks = playback.simulation().engine().entities().iter().filter(|entity| entity.to_string() == rock);
    assert_eq!(rocks.count(), 1, "it was despawned only in the other course");
}

#[test]
fn object_that_is_moved_by_hand_takes_its_body_along() {
    let setup = MatchSetup::of_ais(7, 4, "normal");
    let mut game = game(&setup);
    steps(&mut game, 250);
    let mut before = View::empty();
    game.view_into(&mut before);
    let ship = first_with(&game, "collector");
    let path = "/pose/position";
    ask(
        &game,
        &format!(
            r#"{{ "op": "set_component", "entity": "{ship}", "component": "transform", "path": "{path}", "value": [1.5, -20.0] }}"#
        ),
    );
    // The edges of the world lie outside of it, and stay where they are.
    let edge = first_with(&game, "edge");
    ask(
        &game,
        &format!(
            r#"{{ "op": "set_component", "entity": "{edge}", "component": "transform", "path": "/is_teleported", "value": false }}"#
        ),
    );
    steps(&mut game, 1);
    let mut view = View::empty();
    game.view_into(&mut view);
    assert!(
        view.collectors.iter().any(|ship| ship.position.distance(Vec2::new(1.5, -20.0)) < 1.0),
        "{:?}",
        view.collectors
    );
    let edges = |view: &View| view.walls.iter().map(|wall| wall.position).collect::<Vec<_>>();
    assert_eq!(edges(&view), edges(&before));
    steps(&mut game, 100);
    let replay = Replay::from_bytes(&game.studio.replay().unwrap().to_bytes()).unwrap();
    let mut playback = Playback::with_edits(replay, &Assets::built_in(), ecs::Engine::builder()).unwrap();
    playback.verify().unwrap_or_else(|difference| panic!("{difference}"));
}

/// A request of a random kind.
fn random_request(next: &mut impl FnMut(u32) -> u32, frame: u64) -> String {
    let kinds = [
        r#"{ "op": "pause" }"#,
        r#"{ "op": "run" }"#,
        r#"{ "op": "run", "from_here": true }"#,
        r#"{ "op": "step", "frames": 3 }"#,
        r#"{ "op": "step_system" }"#,
        r#"{ "op": "run_once", "system": "Lifetimes" }"#,
        r#"{ "op": "spawn", "prefab": "rock", "arguments": { "at_m": [5.0, NUMBER.0] } }"#,
        r#"{ "op": "set_component", "entity": "ENTITY", "component": "pocket", "path": "/carried", "value": NUMBER.0 }"#,
        r#"{ "op": "set_component", "entity": "ENTITY", "component": "pocket", "path": "/carried", "value": NUMBER.5 }"#,
        r#"{ "op": "enable_component", "entity": "ENTITY", "component": "pocket", "enabled": true }"#,
        r#"{ "op": "enable_entity", "entity": "ENTITY", "enabled": true }"#,
        r#"{ "op": "enable_system", "system": "Lifetimes", "enabled": false }"#,
        r#"{ "op": "despawn", "entity": "ENTITY" }"#,
        r#"{ "op": "undo" }"#,
        r#"{ "op": "redo" }"#,
        r#"{ "op": "seek", "frame": FRAME }"#,
        r#"{ "op": "seek", "frame": FRAME }"#,
        r#"{ "op": "compare", "from": FRAME, "to": NUMBER }"#,
        r#"{ "op": "why_value", "entity": "ENTITY", "component": "pocket" }"#,
        r#"{ "op": "branch", "branch": NUMBER }"#,
        r#"{ "op": "branch", "branch": NUMBER, "frame": FRAME }"#,
        r#"{ "op": "branch", "branch": 1 }"#,
        r#"{ "op": "branch", "branch": 2 }"#,
    ];
    let kind = kinds[next(kinds.len() as u32) as usize];
    let (entity, number) = (format!("{}v1", 1 + next(40)), (1 + next(20)).to_string());
    let past = frame.saturating_sub(u64::from(next(60))).to_string();
    kind.replace("ENTITY", &entity).replace("NUMBER", &number).replace("FRAME", &past)
}

#[test]
fn replay_verifies_whatever_was_done_in_the_studio() {
    let mut made = 0;
    for seed in 1..=12 {
        let mut state: u64 = seed;
        let mut next = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005_u64).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32 % below
        };
        let mut game = game(&MatchSetup::of_ais(seed, 2, "normal"));
        ask(&game, r#"{ "op": "status" }"#);
        steps(&mut game, 30);
        for _ in 0..80 {
            let frame = game.with(|_, present| present.simulation.engine().time().frame());
            let request = random_request(&mut next, frame);
            // What does not fit is refused, and changes nothing.
            game.with(|studio, present| studio.answer(&mut present.simulation, &request));
            steps(&mut game, next(4));
            if next(20) == 0 {
                game.studio.context.borrow_mut().report = Report::Wanted;
            }
        }
        let replay = Replay::from_bytes(&game.studio.replay().unwrap().to_bytes()).unwrap();
        made += game.with(|_, present| present.edit_count());
        let mut playback = Playback::with_edits(replay, &Assets::built_in(), ecs::Engine::builder()).unwrap();
        playback.verify().unwrap_or_else(|difference| panic!("seed {seed}: {difference}"));
        assert_eq!(playback.state_hash(), hash(&game), "seed {seed}");
    }
    assert!(made > 12, "edits were made: {made}");
}

#[test]
fn match_that_cannot_be_repeated_is_not_recorded() {
    let mut game = game(&MatchSetup::of_ais(7, 2, "normal"));
    steps(&mut game, 10);
    let moment = ask(&game, r#"{ "op": "save" }"#)["moment"].clone();
    steps(&mut game, 10);
    ask(&game, &format!(r#"{{ "op": "load", "moment": {moment} }}"#));
    steps(&mut game, 10);
    let Err(Failure::BadInput(refusal)) = game.studio.replay() else { panic!("it is recorded") };
    assert!(refusal.starts_with("the match is not recorded: a moment was loaded"), "{refusal}");
}

#[test]
fn edited_level_is_played_at_once_and_in_the_next_match() {
    let mut game = game(&MatchSetup::of_ais(7, 20, "normal"));
    steps(&mut game, 10);
    const CROSSING: &str = r#""file": "levels/crossing.ron""#;
    editor(
        &game,
        &format!(r#"{{ "do": "set", {CROSSING}, "path": "walls.4.half_extents_m", "value": "(6.0, 6.0)" }}"#),
    );
    editor(
        &game,
        &format!(
            r#"{{ "do": "add", {CROSSING}, "path": "places", "value": "(prefab: \"rock\", at_m: (30.0, 0.0))" }}"#
        ),
    );
    let shown = editor(&game, &format!(r#"{{ "do": "play", {CROSSING} }}"#));
    assert_eq!(
        (&shown["error"], shown["level"]["places"].as_array().map(Vec::len)),
        (&serde_json::Value::Null, Some(7))
    );
    steps(&mut game, 10);
    let mut view = View::empty();
    game.view_into(&mut view);
    assert!(view.walls.iter().any(|wall| wall.half_extents == Vec2::splat(6.0)), "the wall is the edited one");
    assert_eq!((view.objects.len(), view.players.len()), (7, 16), "the level has 16 places");
    let assets = game.studio.assets(&Assets::built_in());
    assert_eq!(assets.levels["crossing"].walls[4].half_extents_m, (6.0, 6.0));

    // What a value must be is known before it is changed.
    for (file, path, expected) in [
        (
            "game.ron",
            "steps_per_second",
            serde_json::json!(["a whole number from 0 to 4294967295", "positive", "at most 1000"]),
        ),
        ("game.ron", "play_seconds", serde_json::json!(["positive", "at most 86400"])),
        ("game.ron", "nothing", serde_json::json!([])),
        (
            "prefabs/collector.ron",
            "collector.components.shape",
            serde_json::json!(["`Square`, `Triangle` or `Rectangle`"]),
        ),
        ("prefabs/collector.ron", "collector.components.drive.max_speed_mps", serde_json::json!(["at most 1000"])),
    ] {
        let request = format!(r#"{{ "do": "expected", "file": "{file}", "path": "{path}" }}"#);
        assert_eq!(editor(&game, &request), expected, "{path}");
    }

    // A wall in the way of a stash is refused at its place, and not played.
    let wrong =
        editor(&game, &format!(r#"{{ "do": "set", {CROSSING}, "path": "walls.4.at_m", "value": "(66.0, 12.0)" }}"#));
    let line = wrong["error"]["position"][0].as_u64().unwrap() as usize;
    assert!(wrong["text"].as_str().unwrap().lines().nth(line - 1).unwrap().contains("(66.0, 12.0)"));
    let request = format!(r#"{{ "op": "panel", "panel": "Editor", "request": {{ "do": "play", {CROSSING} }} }}"#);
    assert!(refusal(&game, &request).contains("crossing.ron:"));
    assert_eq!(editor(&game, &format!(r#"{{ "do": "undo", {CROSSING} }}"#))["error"], serde_json::Value::Null);
}

/// The replay that the panel `Report` makes of the shown moment.
fn report(game: &mut StudioGame) -> Replay {
    let panel = |game: &StudioGame, what: &str| {
        ask(game, &format!(r#"{{ "op": "panel", "panel": "Report", "request": {{ "do": "{what}" }} }}"#))["value"]
            .clone()
    };
    panel(game, "make");
    assert!(panel(game, "take").is_null(), "it is not made before the next step");
    game.step(&Inputs::none());
    let made = panel(game, "take");
    let digits = made["bytes"].as_str().unwrap().as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    let replay = Replay::from_bytes(&digits.chunks(2).map(byte).collect::<Vec<_>>()).unwrap();
    assert_eq!(made["steps"], replay.about().steps);
    replay
}

#[test]
fn report_replays_the_match_up_to_the_shown_moment_and_leaves_it_alone() {
    let setup = MatchSetup::of_ais(7, 3, "normal");
    let (mut game, mut unreported) = (game(&setup), game(&setup));
    for game in [&mut game, &mut unreported] {
        ask(game, r#"{ "op": "status" }"#);
        steps(game, 200);
        set_pocket(game, 40.0);
        steps(game, 100);
        ask(game, r#"{ "op": "pause" }"#);
    }
    let verify = |replay: Replay| {
        let mut playback = Playback::with_edits(replay, &Assets::built_in(), ecs::Engine::builder()).unwrap();
        playback.verify().unwrap();
        playback.last_hash()
    };
    let present = report(&mut game);
    assert_eq!((present.about().steps, verify(present)), (300, hash(&game)));
    // An edit that no step has seen needs another step.
    set_pocket(&game, 50.0);
    let edited = report(&mut game);
    assert_eq!(edited.about().steps, 301);
    verify(edited);
    ask(&game, r#"{ "op": "undo" }"#);
    ask(&game, r#"{ "op": "seek", "frame": 250 }"#);
    game.step(&Inputs::none());
    let past = report(&mut game);
    assert_eq!((past.about().steps, verify(past)), (250, hash(&game)));
    ask(&game, r#"{ "op": "run" }"#);
    ask(&unreported, r#"{ "op": "run" }"#);
    steps(&mut game, 50);
    steps(&mut unreported, 50);
    assert_eq!(hash(&game), hash(&unreported));
    let whole = game.studio.replay().unwrap();
    assert_eq!((whole.about().steps, verify(whole)), (350, hash(&game)));
    assert!(refusal(&game, r#"{ "op": "panel", "panel": "Report", "request": { "do": "take" } }"#).contains("first"));
}

#[test]
fn replay_is_inspected_from_a_step_on_and_waits_at_its_end() {
    let setup = MatchSetup::of_ais(9, 3, "hard");
    let mut recorded = game(&setup);
    ask(&recorded, r#"{ "op": "status" }"#);
    steps(&mut recorded, 200);
    set_pocket(&recorded, 40.0);
    steps(&mut recorded, 100);
    let (end, replay) = (hash(&recorded), report(&mut recorded));
    let replay = Replay::from_bytes(&replay.to_bytes()).unwrap();
    assert_eq!(replay.about().steps, 300);
    let assets = Assets::built_in();
    let open = |at| {
        let studio = Rc::new(GameStudio::new(None, None, ecs::Engine::builder()).unwrap());
        let playback = Playback::with_edits(replay.clone(), &assets, ecs::Engine::builder()).unwrap();
        replayed::game(playback, &assets, at, studio).unwrap()
    };
    let mut opened = open(Some(250));
    assert_eq!(opened.tick(), 250);
    // The steps before are in its history.
    let mut plain = Playback::with_edits(replay.clone(), &assets, ecs::Engine::builder()).unwrap();
    for step in 1..=210 {
        plain.step();
        if [1, 60, 199, 200, 201, 210].contains(&step) {
            ask(&opened, &format!(r#"{{ "op": "seek", "frame": {step} }}"#));
            assert_eq!((opened.tick(), hash(&opened)), (step, plain.state_hash()));
        }
    }
    opened = open(Some(250));
    steps(&mut opened, 30);
    assert!(opened.notice().unwrap().in_english().starts_with("the replay waits at the step"));
    ask(&opened, r#"{ "op": "status" }"#);
    steps(&mut opened, 3);
    ask(&opened, r#"{ "op": "run" }"#);
    steps(&mut opened, 300);
    assert_eq!((hash(&opened), opened.is_at_the_end()), (end, true), "it waits there");
    let status = ask(&opened, r#"{ "op": "status" }"#);
    assert_eq!((&status["paused"], &status["notice"]), (&true.into(), &"the replay has ended".into()));
    // Going back and on from there takes the same inputs again, with the edit, and an edit of its own.
    ask(&opened, r#"{ "op": "seek", "frame": 260 }"#);
    ask(&opened, r#"{ "op": "run", "from_here": true }"#);
    steps(&mut opened, 300);
    assert_eq!(hash(&opened), end);
    ask(&opened, r#"{ "op": "seek", "frame": 260 }"#);
    ask(&opened, r#"{ "op": "run", "from_here": true }"#);
    set_pocket(&opened, 10.0);
    steps(&mut opened, 300);
    assert_ne!(hash(&opened), end);
    let edited = report(&mut opened);
    assert_eq!(edited.about().steps, 300);
    Playback::with_edits(edited, &assets, ecs::Engine::builder()).unwrap().verify().unwrap();
    // Without a step to wait at, it runs at once.
    let mut at_once = open(None);
    steps(&mut at_once, 400);
    assert_eq!(hash(&at_once), end);
}

#[test]
fn replay_of_a_match_that_was_left_stays_open_at_its_end() {
    use bounty_hunter::input::Command;
    let assets = Assets::built_in();
    let mut recorded = game(&MatchSetup::of_ais(7, 2, "normal"));
    steps(&mut recorded, 200);
    recorded.step(&Inputs::none().with(Command::Pause));
    recorded.step(&Inputs::none());
    let left = (0..4).map(|_| recorded.step(&Inputs::none().with(Command::Quit))).last().unwrap();
    assert_eq!(left.state, GameState::Terminated);
    let playback = Playback::with_edits(report(&mut recorded), &assets, ecs::Engine::builder()).unwrap();
    let studio = Rc::new(GameStudio::new(None, None, ecs::Engine::builder()).unwrap());
    let mut opened = replayed::game(playback, &assets, Some(u64::MAX), studio).unwrap();
    assert!(opened.is_at_the_end());
    let mut view = View::empty();
    opened.view_into(&mut view);
    assert_eq!((view.state, opened.step(&Inputs::none()).state), (GameState::GameOver, GameState::GameOver));
}

#[test]
fn match_goes_on_with_changed_prefabs() {
    let mut game = game(&MatchSetup::of_ais(7, 2, "normal"));
    ask(&game, r#"{ "op": "status" }"#);
    steps(&mut game, 100);
    const COLLECTOR: &str = r#""file": "prefabs/collector.ron", "path": "collector.components.drive.max_speed_mps""#;
    editor(&game, &format!(r#"{{ "do": "set", {COLLECTOR}, "value": "7.5" }}"#));
    editor(&game, r#"{ "do": "reload", "file": "prefabs/collector.ron" }"#);
    ask(&game, r#"{ "op": "status" }"#);
    let collector = first_with(&game, "drive");
    let speed = || ask(&game, &format!(r#"{{ "op": "entity", "entity": "{collector}" }}"#)).to_string();
    assert!(speed().contains(r#""max_speed_mps":7.5"#), "{}", speed());
    assert_eq!(game.step(&Inputs::none()).tick, 101, "it goes on");
    assert!(game.studio.replay().is_err(), "its inputs do not repeat it");
}

#[test]
fn prefabs_are_applied_to_the_present_also_from_the_middle_of_a_frame() {
    let mut game = game(&MatchSetup::of_ais(7, 2, "normal"));
    ask(&game, r#"{ "op": "status" }"#);
    steps(&mut game, 300);
    let enabled = |game: &StudioGame| {
        game.with(|_, present| present.simulation.engine().systems().iter().filter(|it| it.is_enabled).count())
    };
    let before = enabled(&game);
    ask(&game, r#"{ "op": "pause" }"#);
    ask(&game, r#"{ "op": "step_system" }"#);
    steps(&mut game, 1);
    assert!(enabled(&game) < before);
    let reload = r#"{ "do": "reload", "file": "prefabs/stash.ron" }"#;
    editor(&game, reload);
    assert_eq!(enabled(&game), before);
    assert!(game.is_watched(), "the page is still open, so that a replay without a window does not end");
    ask(&game, r#"{ "op": "run" }"#);
    steps(&mut game, 5);
    let nothing = r#"{ "op": "panel", "panel": "Editor", "request": { "do": "play", "file": "nothing.ron" } }"#;
    assert_eq!(refusal(&game, nothing), "there is no asset file \"nothing.ron\"");
    ask(&game, r#"{ "op": "seek", "frame": 301 }"#);
    editor(&game, reload);
    assert_eq!(game.with(|_, present| present.simulation.tick()), 305, "it is the present, not the past");
    ask(&game, r#"{ "op": "run" }"#);
    assert_eq!(game.step(&Inputs::none()).tick, 306);
}

#[test]
fn match_that_goes_on_from_before_a_system_ran_alone_verifies() {
    let mut game = game(&MatchSetup::of_ais(7, 3, "normal"));
    ask(&game, r#"{ "op": "status" }"#);
    steps(&mut game, 150);
    ask(&game, r#"{ "op": "pause" }"#);
    ask(&game, r#"{ "op": "run_once", "system": "Motion" }"#);
    steps(&mut game, 2);
    ask(&game, r#"{ "op": "seek", "frame": 150 }"#);
    ask(&game, r#"{ "op": "run", "from_here": true }"#);
    steps(&mut game, 60);
    let replay = report(&mut game);
    Playback::with_edits(replay, &Assets::built_in(), ecs::Engine::builder()).unwrap().verify().unwrap();
}

#[test]
fn edit_at_the_step_of_a_recorded_edit_is_repeated_before_it() {
    let assets = Assets::built_in();
    let mut recorded = game(&MatchSetup::of_ais(9, 3, "hard"));
    ask(&recorded, r#"{ "op": "status" }"#);
    steps(&mut recorded, 200);
    ask(&recorded, r#"{ "op": "pause" }"#);
    ask(&recorded, r#"{ "op": "spawn", "prefab": "rock", "arguments": { "at_m": [5.0, 5.0] } }"#);
    ask(&recorded, r#"{ "op": "run" }"#);
    steps(&mut recorded, 50);
    let playback = Playback::with_edits(report(&mut recorded), &assets, ecs::Engine::builder()).unwrap();
    let studio = Rc::new(GameStudio::new(None, None, ecs::Engine::builder()).unwrap());
    let mut opened = replayed::game(playback, &assets, Some(200), studio).unwrap();
    ask(&opened, r#"{ "op": "spawn", "prefab": "rock", "arguments": { "at_m": [-5.0, 5.0] } }"#);
    ask(&opened, r#"{ "op": "run" }"#);
    steps(&mut opened, 40);
    let twice = report(&mut opened);
    Playback::with_edits(twice, &assets, ecs::Engine::builder()).unwrap().verify().unwrap();
}

#[test]
fn middle_of_a_frame_is_not_reported() {
    let mut game = game(&MatchSetup::of_ais(7, 2, "normal"));
    ask(&game, r#"{ "op": "status" }"#);
    steps(&mut game, 100);
    ask(&game, r#"{ "op": "pause" }"#);
    ask(&game, r#"{ "op": "step_system" }"#);
    steps(&mut game, 1);
    ask(&game, r#"{ "op": "panel", "panel": "Report", "request": { "do": "make" } }"#);
    steps(&mut game, 1);
    let refused = refusal(&game, r#"{ "op": "panel", "panel": "Report", "request": { "do": "take" } }"#);
    assert_eq!(refused, "the middle of a frame is shown: finish the frame first");
}

#[test]
fn state_that_no_match_comes_to_does_not_stop_the_program() {
    let mut game = game(&MatchSetup::of_ais(7, 2, "normal"));
    steps(&mut game, 100);
    let set = |path: &str, value: &str| {
        format!(r#"{{ "op": "set_resource", "resource": "game flow", "path": "{path}", "value": {value} }}"#)
    };
    ask(&game, &set("/state/0", r#""Paused""#));
    ask(&game, &set("/requests", r#"["Resume"]"#));
    steps(&mut game, 50);
}

#[test]
fn balance_is_that_of_the_edited_rules_beside_the_run_before() {
    let game = game(&MatchSetup::of_ais(7, 2, "normal"));
    let balance = |request: &str| {
        ask(&game, &format!(r#"{{ "op": "panel", "panel": "Balance", "request": {request} }}"#))["value"].clone()
    };
    let finished = || loop {
        let shown = balance(r#"{ "do": "show" }"#);
        if shown["present"]["is_over"] == true {
            break shown;
        }
        std::thread::yield_now();
    };
    balance(r#"{ "do": "run", "mode": "classic", "matches": 3, "players": 2 }"#);
    let first = finished();
    assert_eq!((&first["present"]["finished"], &first["before"]), (&3.into(), &serde_json::Value::Null));
    ask(
        &game,
        r#"{ "op": "panel", "panel": "Editor", "request": { "do": "set", "file": "game.ron", "path": "play_seconds", "value": "5.0" } }"#,
    );
    balance(r#"{ "do": "run", "mode": "classic", "matches": 2, "players": 2 }"#);
    let second = finished();
    assert_eq!(second["present"]["lengths"], serde_json::json!([2]), "both take at most 5 s");
    assert_eq!(second["before"]["lengths"], first["present"]["lengths"]);
    let request = r#"{ "op": "panel", "panel": "Balance", "request": { "do": "run", "mode": "classic", "matches": 0, "players": 2 } }"#;
    assert!(refusal(&game, request).starts_with("play 1 to 100000 matches"));
}

#[test]
fn replay_is_that_of_the_chosen_branch() {
    let mut game = game(&MatchSetup::of_ais(7, 4, "normal"));
    steps(&mut game, 200);
    set_pocket(&game, 60.0);
    steps(&mut game, 200);
    let main = hash(&game);
    ask(&game, r#"{ "op": "seek", "frame": 150 }"#);
    ask(&game, r#"{ "op": "run", "from_here": true }"#);
    steps(&mut game, 30);
    set_pocket(&game, 5.0);
    steps(&mut game, 40);
    let second = hash(&game);
    for (branch, end, count) in [(1, main, 400), (2, second, 220), (1, main, 400)] {
        ask(&game, &format!(r#"{{ "op": "branch", "branch": {branch} }}"#));
        game.step(&Inputs::none());
        assert_eq!(hash(&game), end);
        let replay = report(&mut game);
        assert_eq!(replay.about().steps, count);
        let mut playback = Playback::with_edits(replay, &Assets::built_in(), ecs::Engine::builder()).unwrap();
        playback.verify().unwrap_or_else(|difference| panic!("branch {branch}: {difference}"));
        assert_eq!(playback.state_hash(), end);
    }
    // It goes on from there.
    ask(&game, r#"{ "op": "run" }"#);
    steps(&mut game, 20);
    Playback::with_edits(report(&mut game), &Assets::built_in(), ecs::Engine::builder()).unwrap().verify().unwrap();
}

#[test]
fn history_of_a_match_stays_after_its_end() {
    use bounty_hunter::input::Command;
    let mut game = game(&MatchSetup::of_ais(7, 2, "normal"));
    let (mut frames, mut hashes) = (vec![0], vec![hash(&game)]);
    let mut step = |game: &mut StudioGame, inputs: &Inputs| {
        let report = game.step(inputs);
        frames.push(game.with(|_, present| present.simulation.engine().time().frame()));
        hashes.push(hash(game));
        (report.state, frames.clone(), hashes.clone())
    };
    (0..200).for_each(|_| _ = step(&mut game, &Inputs::none()));
    step(&mut game, &Inputs::none().with(Command::Pause));
    step(&mut game, &Inputs::none());
    let (state, ..) = (0..4).map(|_| step(&mut game, &Inputs::none().with(Command::Quit))).last().unwrap();
    assert_eq!(state, GameState::Terminated);
    let (_, frames, hashes) = step(&mut game, &Inputs::none());
    assert!(frames.windows(2).any(|pair| pair[1] == pair[0] + 2), "a last step runs two frames: {frames:?}");
    for (frame, expected) in frames.iter().zip(&hashes).rev() {
        ask(&game, &format!(r#"{{ "op": "seek", "frame": {frame} }}"#));
        assert_eq!(hash(&game), *expected, "frame {frame}");
    }
    // Steps go from moment to moment, also over the frames of one step.
    let mut known: Vec<_> = frames.iter().zip(&hashes).collect();
    known.dedup();
    for (frame, expected) in &known[1..] {
        ask(&game, r#"{ "op": "step" }"#);
        assert_eq!(hash(&game), **expected, "frame {frame}");
    }
}
