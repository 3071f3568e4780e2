//! What a window hears and sees of kinds: sounds and cameras, from files alone.

use bounty_hunter::arena::Pose;
use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::match_setup::place_tag;
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::view::{CameraView, GameState, SourceView};
use ecs::EntityId;
use tests::{Game, match_in};

/// The files in RON of a section of the guide, in their order.
fn files_of_the_guide(section: &str) -> Vec<&'static str> {
    let guide = include_str!("../../bounty_hunter/GUIDE.md");
    let (_, rest) = guide.split_once(&format!("### {section}\n")).expect("the guide has this section");
    let text = rest.split_once("\n### ").map_or(rest, |(text, _)| text);
    text.split("```ron\n").skip(1).filter_map(|block| Some(block.split_once("```")?.0)).collect()
}

fn begin(texts: &[(&str, &str)], level: &str) -> Game {
    let assets = Assets::with_texts(texts.iter().copied()).expect("the files are valid");
    let assets = assets.in_level(level).expect("it is there");
    let setup = MatchSetup { seats: vec![Seat::Script; 2], ..MatchSetup::of_ais(1, 0, "") };
    Game::playing(match_in(&assets, &setup, GameState::Running))
}

fn named(simulation: &Simulation, name: &str) -> EntityId {
    simulation.engine().entity_lists().tagged(&place_tag(name)).expect("a place has this name")
}

fn sources(game: &Game) -> Vec<SourceView> {
    game.simulation().view().sources
}

fn cameras(game: &Game) -> Vec<CameraView> {
    game.simulation().view().cameras
}

fn refusal(texts: &[(&str, &str)]) -> String {
    Assets::with_texts(texts.iter().copied()).unwrap_err().to_string()
}

const BELFRY: &str = r#"(
    world_half_extent_m: 50.0,
    stashes: Places(at_m: [(-30.0, -30.0), (30.0, -30.0)]),
    bounty_region_share: 0.1,
    places: [(name: "bell", prefab: "bell", at_m: (20.0, 0.0)), (prefab: "brook", at_m: (-20.0, 30.0))],
    reactions: [
        (when: At(seconds: 1.0), do: Open, to: "bell"),
        (when: At(seconds: 2.0), do: Disable, to: "bell"),
    ],
)"#;

#[test]
fn sounds_of_the_guide_are_in_the_view_with_what_happens_to_them() {
    let kinds = files_of_the_guide("Sounds of kinds")[0];
    let mut game = begin(&[("prefabs/belfry.ron", kinds), ("levels/belfry.ron", BELFRY)], "belfry");
    let [bell, brook] = &sources(&game)[..] else { panic!("two can be heard") };
    assert_eq!(
        (bell.position.to_array(), bell.sound.effect.as_str(), bell.sound.reach_m),
        ([20.0, 0.0], "chime", 40.0)
    );
    assert_eq!((brook.position.to_array(), brook.sound.loudness_share), ([-20.0, 30.0], 0.4));
    assert!(game.simulation().view().objects.len() == 1, "what is only heard is not seen");
    // It is touched in the step in which a collector comes to it, and in no other.
    let collector = game.collector(0);
    game.put(collector, Pose::new((12.0, 0.0).into(), -std::f32::consts::FRAC_PI_2)).drive(0, 1.0, 0.0);
    let mut touched = 0;
    for _ in 0..40 {
        game.step(1);
        touched += usize::from(sources(&game)[0].is_touched);
    }
    assert_eq!(touched, 1);
    game.drive(0, 0.0, 0.0).step_until(60, |game| sources(game)[0].is_open);
    game.step_until(120, |game| sources(game).len() == 1);
}

#[test]
fn sounds_change_no_match_and_are_in_saves() {
    let level = BELFRY.replace("prefab: \"brook\"", "prefab: \"rock\"");
    let silent = r#"{ "bell": (components: { "shape": Square(half_extent_m: 2.0), "body": () }) }"#;
    let loud = silent.replace("\"body\": ()", "\"body\": (), \"sound\": (effect: \"hum\", reach_m: 9.0)");
    let play = |kinds: &str| {
        let mut game = begin(&[("prefabs/belfry.ron", kinds), ("levels/belfry.ron", &level)], "belfry");
        game.drive(0, 1.0, 0.3).drive(1, 1.0, -0.2).step(300);
        game
    };
    let (one, mut other) = (play(silent), play(&loud));
    let poses = |game: &Game| [0, 1].map(|player| game.pose(game.collector(player)));
    assert_eq!(poses(&one), poses(&other));
    let saved = other.simulation_mut().save().expect("all types have names");
    let before = other.simulation().view();
    other.step(10);
    other.simulation_mut().load(&saved).expect("it is of this match");
    assert_eq!(other.simulation().view().sources, before.sources);
}

#[test]
fn wrong_sounds_are_refused_with_their_place() {
    let kind = |sound: &str| format!("{{ \"bell\": (components: {{\n\"sound\": {sound} }}) }}");
    let refused = |sound: &str| refusal(&[("prefabs/bell.ron", &kind(sound))]);
    let unknown = refused("(effect: \"chim\", reach_m: 9)");
    assert!(
        unknown.starts_with("prefabs/bell.ron:2:10: there is no effect \"chim\", there are pick_up, "),
        "{unknown}"
    );
    assert!(unknown.ends_with(": `chime` may be meant"), "{unknown}");
    let silent = refused("(effect: \"chime\", reach_m: 0)");
    assert_eq!(silent, "prefabs/bell.ron:2:37: `sound.reach_m` is refused: it is 0, must be positive");
    let sounds = include_str!("../../assets/sounds.ron");
    let renamed = |name: &str| refusal(&[("sounds.ron", &sounds.replace("\"click\"", name))]);
    let place = sounds.lines().position(|line| line.contains("more_effects")).unwrap() + 1;
    assert_eq!(
        renamed("\"crash\""),
        format!("sounds.ron:{place}:5: the effect \"crash\" is one of `effects` already: give it another name")
    );
    assert!(renamed("\" click\"").contains("has a blank at an end"), "{}", renamed("\" click\""));
}

#[test]
fn cameras_of_the_guide_are_in_their_order_and_follow() {
    let files = files_of_the_guide("Cameras");
    let mut game = begin(&[("prefabs/ferry.ron", files[0]), ("levels/ferry.ron", files[1])], "ferry");
    game.step(3);
    let half_heights: Vec<f32> = cameras(&game).iter().map(|camera| camera.half_height).collect();
    assert_eq!(half_heights, [20.0, 15.0], "the tower is taken away");
    let (collector, ferry) = (game.collector(1), named(game.simulation(), "ferry"));
    let at = |game: &Game| cameras(game).iter().map(|camera| camera.position).collect::<Vec<_>>();
    let places = [game.pose(ferry).position, game.pose(collector).position];
    assert_eq!(at(&game), places);
    game.put(ferry, Pose::at(5.0, 25.0)).drive(1, 1.0, 0.0).step(30);
    let moved = [game.pose(ferry).position, game.pose(collector).position];
    assert!(at(&game) == moved && moved[0] != places[0] && moved[1] != places[1], "{moved:?}");
    // A killed collector is looked at where it was killed.
    game.kill(collector).step(2);
    assert_eq!(at(&game)[1], game.pose(collector).position);
    let (driver, plate) = (game.collector(0), named(game.simulation(), "plate"));
    let place = game.pose(plate);
    game.put(driver, place).step(4);
    let tower = cameras(&game)[0];
    assert_eq!((tower.position.to_array(), tower.half_height, cameras(&game).len()), ([20.0, 20.0], 25.0, 3));
}

#[test]
fn vault_has_a_camera_and_a_match_without_cameras_none() {
    let setup = MatchSetup::of_ais(1, 2, "normal");
    let count = |assets: &Assets| match_in(assets, &setup, GameState::Running).view().cameras.len();
    assert_eq!(count(&Assets::built_in().in_level("vault").expect("it is built in")), 1);
    assert_eq!(count(&Assets::built_in()), 0);
}

#[test]
fn cameras_are_in_snapshots_and_saves() {
    let files = files_of_the_guide("Cameras");
    let mut game = begin(&[("prefabs/ferry.ron", files[0]), ("levels/ferry.ron", files[1])], "ferry");
    game.step(30);
    let simulation = game.simulation_mut();
    let (saved, hash, seen) = (simulation.save().unwrap(), simulation.state_hash(), simulation.view().cameras);
    (0..30).for_each(|_| _ = simulation.step(&Inputs::none()));
    simulation.load(&saved).unwrap();
    assert_eq!((simulation.state_hash(), simulation.view().cameras), (hash, seen));
}

#[test]
fn wrong_cameras_are_refused_with_their_place() {
    let level = |places: &str, reactions: &str| {
        format!(
            "(world_half_extent_m: 50, stashes: Places(at_m: [(0, 0)]), bounty_region_share: 0.1,\nplaces: [{places}],\nreactions: [{reactions}])"
        )
    };
    let refused = |places: &str, reactions: &str| {
        let kinds = r#"{ "spy": (components: { "camera": (half_height_m: 20, follows: Place("rft")) }) }"#;
        refusal(&[("prefabs/spy.ron", kinds), ("levels/spy.ron", &level(places, reactions))])
    };
    let raft = r#"(name: "raft", prefab: "boulder", at_m: (20, 20)), "#;
    let nowhere = refused(&format!("{raft}(prefab: \"spy\", at_m: (1, 1))"), "");
    let sentence =
        "the camera of prefab \"spy\" follows nothing: there is no place \"rft\", there are raft: `raft` may be meant";
    assert_eq!(nowhere, format!("levels/spy.ron:2:62: {sentence}"));
    let many = refused(&"(prefab: \"camera\", at_m: (1, 1)), ".repeat(17), "");
    assert!(many.ends_with("object 17 is one camera more than 16, the most of a level"), "{many}");
    let camera = r#"(name: "eye", prefab: "camera", at_m: (20, 20))"#;
    let touched = refused(camera, r#"(when: Touched("eye"), do: Kill)"#);
    assert_eq!(touched, "levels/spy.ron:3:14: nothing touches \"eye\": its prefab \"camera\" has no `body`");
    let opened = refused(camera, r#"(when: At(seconds: 1), do: Open, to: "eye")"#);
    assert!(opened.ends_with("Open cannot act on \"eye\": its prefab \"camera\" has no `body`"), "{opened}");
    let small = r#"{ "spy": (components: { "camera": (half_height_m: 2) }) }"#;
    assert_eq!(
        refusal(&[("prefabs/spy.ron", small)]),
        "prefabs/spy.ron:1:51: `camera.half_height_m` is refused: it is 2, must be at least 5"
    );
}
