//! Levels made from a seed: fair by symmetry, open everywhere, and the same on every machine.

use std::collections::BTreeSet;
use std::f32::consts::{FRAC_PI_2, SQRT_2};

use bounty_hunter::arena::Block;
use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::level::{Level, StashPlaces};
use bounty_hunter::reaction::{Action, When};
use bounty_hunter::replay::{Playback, Recorder, ReplayError};
use bounty_hunter::role::half_extent_m;
use bounty_hunter::seeded_level::{SEEDED_SEATS, seeded_level, seeded_name};
use bounty_hunter::simulation::{MatchSetup, Simulation, check_match};
use bounty_hunter::view::GameState;
use ecs::Engine;
use ecs::snapshot::StateHasher;
use glam::Vec2;
use tests::match_in;

const SEEDS: u64 = 1_000;
/// Within this distance all stashes see the same.
const SAME_FOR_ALL_M: f32 = 14.5;
/// Coordinates are whole half metres, so a sixteenth of a turn is exact to this.
const ROUNDED_M: f32 = 1.0;
/// Half the side of the world, metres: as many squares of a metre.
const HALF_M: usize = 75;

fn levels() -> impl Iterator<Item = (u64, Level)> {
    (0..SEEDS).map(|seed| (seed, seeded_level(seed)))
}

fn stashes(level: &Level) -> Vec<Vec2> {
    let StashPlaces::Places { at_m } = &level.stashes else { panic!("it has places") };
    at_m.iter().map(|place| Vec2::from(*place)).collect()
}

/// All walls and things, also those that can be pushed or driven through; squares at any heading.
fn blocks(assets: &Assets, level: &Level) -> Vec<Block> {
    let square = |prefab: &str, scale: f32| {
        Vec2::splat(half_extent_m(&assets.prefabs, prefab).expect("it has a size") * scale * SQRT_2)
    };
    let walls = level.walls.iter().map(|wall| Block::from(*wall));
    let places = level
        .places
        .iter()
        .map(|place| Block { center: place.at_m.into(), half_extents_m: square(&place.prefab, place.scale) });
    walls.chain(places).collect()
}

/// The radius of the largest ship at any heading.
fn largest_ship_m(assets: &Assets) -> f32 {
    let ships =
        ["collector", "heavy collector"].map(|ship| half_extent_m(&assets.prefabs, ship).expect("it has a size"));
    ships[0].max(ships[1]) * SQRT_2
}

/// The squares of a metre into which the middle of something with this radius does not fit.
fn blocked(blocks: &[Block], radius_m: f32) -> Vec<bool> {
    let side = 2 * HALF_M;
    let mut squares = vec![false; side * side];
    // The squares from the first on whose middle is beyond a coordinate.
    let index = |metres: f32| (metres + HALF_M as f32 + 0.5).clamp(0.0, side as f32) as usize;
    for block in blocks.iter().map(|block| block.grown(radius_m)) {
        let (least, most) = (block.center - block.half_extents_m, block.center + block.half_extents_m);
        for row in index(least.y)..index(most.y) {
            squares[row * side + index(least.x)..row * side + index(most.x)].fill(true);
        }
    }
    squares
}

fn square_of(point: Vec2) -> usize {
    let index = |metres: f32| (metres + HALF_M as f32) as usize;
    index(point.y) * 2 * HALF_M + index(point.x)
}

/// The squares that can be reached from one of them, around the edges of the world as well.
fn reached(blocked: &[bool], from: usize) -> Vec<bool> {
    let side = 2 * HALF_M;
    let (mut reached, mut open) = (vec![false; blocked.len()], vec![from]);
    while let Some(square) = open.pop() {
        if !blocked[square] && !std::mem::replace(&mut reached[square], true) {
            let (row, column) = (square / side, square % side);
            for (down, right) in [(1, 0), (side - 1, 0), (0, 1), (0, side - 1)] {
                open.push((row + down) % side * side + (column + right) % side);
            }
        }
    }
    reached
}

/// What a level consists of, as texts that can be compared: each thing after a change of its coordinates.
fn things(level: &Level, change: impl Fn(Vec2) -> Vec2) -> BTreeSet<String> {
    let show = |point: Vec2| {
        let point = change(point) + Vec2::ZERO;
        format!("{:?}", (point.x, point.y))
    };
    let stashes = stashes(level).into_iter().map(|stash| format!("stash {}", show(stash)));
    let walls = level.walls.iter().map(|wall| {
        let half = change(wall.half_extents_m.into()).abs();
        format!("wall {} {half}", show(wall.at_m.into()))
    });
    let leads_to = |name: &Option<String>| {
        let is_of = |when: &When| matches!(when, When::Touched(touched) if Some(touched) == name.as_ref());
        let reaction = level.reactions.iter().find(|reaction| is_of(&reaction.when));
        reaction.map(|reaction| match reaction.action {
            Action::Teleport { at_m, .. } => show(at_m.into()),
            ref other => panic!("{other:?}"),
        })
    };
    let places = level.places.iter().map(|place| {
        // All of them are squares, which a quarter turn leaves as they are.
        let direction = change(Vec2::from_angle(place.heading_rad));
        let heading = (direction.to_angle().rem_euclid(FRAC_PI_2) * 1_000.0).round() as i32 % 1_571;
        format!("{} {} {heading} {} {:?}", place.prefab, show(place.at_m.into()), place.scale, leads_to(&place.name))
    });
    stashes.chain(walls).chain(places).collect()
}

fn mirrored(point: Vec2) -> Vec2 {
    Vec2::new(point.x, -point.y)
}

#[test]
fn quarter_turn_leaves_each_level_as_it_is_and_mirrors_leave_half_of_them() {
    let mut symmetric = 0;
    for (seed, level) in levels() {
        let as_it_is = things(&level, |point| point);
        assert_eq!(things(&level, Vec2::perp), as_it_is, "seed {seed}");
        symmetric += usize::from(things(&level, mirrored) == as_it_is);
        let parts = level.walls.len() + level.places.len() + level.most_players().unwrap_or(0);
        assert_eq!(as_it_is.len(), parts, "seed {seed} has two things in one place");
    }
    assert!((400..600).contains(&symmetric), "{symmetric} of {SEEDS} levels are their mirror images");
}

/// What stands near a stash as a collector sees it that drives home: kinds and places.
fn neighbourhood(level: &Level, stash: Vec2) -> Vec<(String, Vec2)> {
    let outwards = stash.normalize();
    let seen = |at: Vec2| Vec2::new(outwards.x, -outwards.y).rotate(at - stash);
    let all = level.places.iter().map(|place| (format!("{} {}", place.prefab, place.scale), seen(place.at_m.into())));
    let mut near: Vec<(String, Vec2)> = all.filter(|(_, at)| at.length() < SAME_FOR_ALL_M).collect();
    near.sort_by(|one, other| one.1.y.total_cmp(&other.1.y));
    near
}

#[test]
fn all_stashes_are_as_far_from_the_centre_and_have_the_same_neighbourhood() {
    let (assets, mut guarded) = (Assets::built_in(), 0);
    for (seed, level) in levels() {
        let (stashes, blocks) = (stashes(&level), blocks(&assets, &level));
        assert_eq!(stashes.len() as u32, SEEDED_SEATS);
        let first = neighbourhood(&level, stashes[0]);
        guarded += usize::from(!first.is_empty());
        let nearest_m = |stash: Vec2| {
            let gaps = blocks.iter().map(|block| ((stash - block.center).abs() - block.half_extents_m).max(Vec2::ZERO));
            gaps.map(Vec2::length).fold(f32::INFINITY, f32::min)
        };
        for (player, stash) in stashes.iter().enumerate() {
            let case = format!("seed {seed}, stash {player}");
            assert!((stash.length() - stashes[0].length()).abs() < ROUNDED_M, "{case}");
            let own = neighbourhood(&level, *stash);
            assert_eq!(own.len(), first.len(), "{case}");
            for (own, first) in own.iter().zip(&first) {
                assert!(own.0 == first.0 && own.1.distance(first.1) < ROUNDED_M, "{case}: {own:?}, not {first:?}");
            }
            // Each four players in turn have places that a quarter turn maps to each other.
            let alike = stashes[player / 4 * 4];
            assert!((nearest_m(*stash) - nearest_m(alike)).abs() < 1e-4, "{case}");
            assert!(nearest_m(*stash) > 8.0, "{case}: something is {} m away", nearest_m(*stash));
        }
    }
    assert!((200..600).contains(&guarded), "{guarded} of {SEEDS} levels have something between the stashes");
}

#[test]
fn largest_ship_reaches_each_stash_and_bounties_have_room() {
    let assets = Assets::built_in();
    let (ship_m, bounty_m) =
        (largest_ship_m(&assets), half_extent_m(&assets.prefabs, "bounty").expect("it has a size"));
    for (seed, level) in levels() {
        let (stashes, blocks) = (stashes(&level), blocks(&assets, &level));
        let narrow = blocked(&blocks, ship_m);
        let reached = reached(&narrow, square_of(stashes[0]));
        for (player, stash) in stashes.iter().enumerate() {
            assert!(reached[square_of(*stash)], "seed {seed}: stash {player} cannot be reached");
        }
        assert!((0..narrow.len()).all(|square| narrow[square] || reached[square]), "seed {seed} has a closed place");
        let blocked = blocked(&blocks, bounty_m);
        let radius_m = level.bounty_region_share * level.world_half_extent_m;
        let middle = |square: usize| {
            Vec2::new((square % (2 * HALF_M)) as f32, (square / (2 * HALF_M)) as f32) + 0.5 - HALF_M as f32
        };
        let region: Vec<usize> = (0..blocked.len()).filter(|square| middle(*square).length() < radius_m).collect();
        let free = region.iter().filter(|square| !blocked[**square]).count();
        assert!(free * 5 > region.len() * 2, "seed {seed}: {free} of {} squares are free", region.len());
    }
}

#[test]
fn wall_across_the_world_would_be_found() {
    let wall = |x: f32| Block { center: Vec2::new(x, 0.0), half_extents_m: Vec2::new(1.0, 75.0) };
    let across = |walls: &[Block]| {
        reached(&blocked(walls, 2.5), square_of(Vec2::new(50.0, 0.0)))[square_of(Vec2::new(-50.0, 0.0))]
    };
    assert!(across(&[wall(0.0)]), "around the edge of the world");
    assert!(!across(&[wall(0.0), wall(-70.0)]));
}

#[test]
fn levels_pass_the_checks_of_files_and_fit_each_mode_for_few_players() {
    let mut assets = Assets::built_in();
    for seed in 0..SEEDS {
        assets = assets.in_level(&seeded_name(seed)).unwrap_or_else(|error| panic!("{error}"));
        let level = &assets.levels[&seeded_name(seed)];
        let fixed = level.walls.len() + level.places.iter().filter(|place| place.prefab == "rock").count();
        assert!((8..=31).contains(&fixed), "seed {seed} has {fixed} obstacles");
    }
    for mode in Assets::built_in().modes.keys() {
        let of_mode = assets.clone().in_mode(mode).expect("it is built in");
        assert_eq!(of_mode.game.level, "seed:999");
        for players in [2, 16] {
            check_match(&of_mode, &MatchSetup::of_ais(1, players, "normal")).unwrap_or_else(|error| panic!("{error}"));
        }
    }
    let error = check_match(&assets, &MatchSetup::of_ais(1, 17, "normal")).unwrap_err();
    assert_eq!(error.to_string(), "the level \"seed:999\" has places for 16 players, not for 17");
}

#[test]
fn equal_seeds_give_equal_levels_and_others_do_not() {
    let printed: BTreeSet<String> = levels().map(|(_, level)| format!("{level:?}")).collect();
    assert_eq!(printed.len() as u64, SEEDS);
    assert_eq!(seeded_level(u64::MAX), seeded_level(u64::MAX));
    let count = |has: fn(&Level) -> bool| levels().filter(|(_, level)| has(level)).count();
    for (what, times) in [
        ("portals", count(|level| !level.reactions.is_empty())),
        ("nothing but walls", count(|level| level.places.is_empty())),
        ("no wall", count(|level| level.walls.is_empty())),
        ("boulders", count(|level| level.places.iter().any(|place| place.prefab == "boulder"))),
        ("more than 20 obstacles", count(|level| level.walls.len() + level.places.len() > 20)),
    ] {
        assert!((5..900).contains(&times), "{times} of {SEEDS} levels have {what}");
    }
}

/// A replay names its level by its seed alone, so a change of these levels makes recorded matches on them unplayable.
#[test]
fn levels_are_those_of_every_other_version() {
    let hash = |levels: &[Level]| StateHasher::default().printed(&levels).finish();
    let few = [0, 7, u64::MAX].map(|seed| hash(&[seeded_level(seed)]));
    let all: Vec<Level> = levels().map(|(_, level)| level).collect();
    let expected = [1_021_137_903_650_393_607, 14_903_028_563_864_755_456, 4_909_437_500_299_599_917];
    assert_eq!((few, hash(&all)), (expected, 5_318_196_591_061_638_423));
}

#[test]
fn ais_bring_bounties_home_in_levels_from_seeds_and_drive_through_no_wall() {
    let mut assets = Assets::built_in();
    for seed in 0..6 {
        assets = assets.in_level(&seeded_name(seed)).expect("there is one of each seed");
        let setup = MatchSetup { play_seconds: Some(30.0), ..MatchSetup::of_ais(seed, 8, "normal") };
        let mut simulation = match_in(&assets, &setup, GameState::Running);
        let walls: Vec<Block> = assets.levels[&seeded_name(seed)].walls.iter().map(|wall| (*wall).into()).collect();
        while simulation.step(&Inputs::none()).state != GameState::GameOver {
            if simulation.tick().is_multiple_of(60) {
                for collector in &simulation.view().collectors {
                    assert!(!walls.iter().any(|wall| wall.contains(collector.position)), "seed {seed}: {collector:?}");
                }
            }
        }
        let stashed: f32 = simulation.stashes().iter().sum();
        assert!(stashed > 150.0, "seed {seed}: {:?}", simulation.stashes());
    }
}

#[test]
fn replay_of_a_level_from_a_seed_verifies_and_a_changed_level_is_told() {
    let setup = MatchSetup::of_ais(3, 6, "normal");
    let record = |assets: &Assets| {
        let mut simulation = Simulation::new(assets, &setup).expect("the match can be set up");
        let mut recorder = Recorder::new("classic", assets, &setup).expect("the match can be set up");
        for _ in 0..400 {
            simulation.step(&Inputs::none());
            recorder.note(&Inputs::none(), &mut simulation);
        }
        recorder.replay(&mut simulation)
    };
    let assets = Assets::built_in().in_level("seed:007").expect("there is one of each seed");
    let replay = record(&assets);
    assert_eq!(replay.about().level, "seed:7");
    let mut playback = Playback::new(replay, &Assets::built_in(), Engine::builder()).expect("it is of this version");
    playback.verify().unwrap_or_else(|difference| panic!("{difference}"));
    // As a version would record it that makes another level of the seed.
    let mut other = assets;
    other.levels.get_mut("seed:7").expect("it was chosen").walls.pop();
    let refusal = Playback::new(record(&other), &Assets::built_in(), Engine::builder()).err();
    assert!(matches!(refusal, Some(ReplayError::Configuration)), "{refusal:?}");
}

#[test]
fn wrong_seeds_and_assets_without_their_prefabs_are_one_sentence() {
    for name in ["seed:", "seed:x", "seed:-1", "seed:18446744073709551616"] {
        let error = Assets::built_in().in_level(name).unwrap_err().to_string();
        let problem = "the seed after \"seed:\" must be a whole number from 0 to 18446744073709551615";
        assert_eq!(error, format!("there is no level {name:?}: {problem}"));
    }
    let text = "(world_half_extent_m: 75.0, stashes: Places(at_m: [(0.0, 0.0)]), bounty_region_share: 0.5)";
    let error = Assets::with_texts([("levels/seed:7.ron", text)]).unwrap_err().to_string();
    let sentence = "names that begin with \"seed:\" are of levels from a seed: rename it";
    assert_eq!(error, format!("levels/seed:7.ron: {sentence}"));
    let prefabs = r##"{
        "rock": (components: { "shape": Square(half_extent_m: 1.5), "body": () }),
        "boulder": (like: "rock", components: { "shape": Square(half_extent_m: 14.0) }),
    }"##;
    let flat = [("levels/crossing.ron", text), ("prefabs/obstacles.ron", prefabs)];
    let assets = Assets::with_texts(flat).expect("no file has what does not fit");
    let error = assets.in_level("seed:3").unwrap_err().to_string();
    let problem = "object 9 reaches 75.5 m from the centre, must stay within world_half_extent_m, 75";
    assert_eq!(error, format!("there is no level \"seed:3\": {problem}"));
}
