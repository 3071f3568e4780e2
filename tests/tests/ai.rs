//! AIs in matches: each collects by its strategy and brings bounty home.

use std::collections::BTreeSet;
use std::f32::consts::{FRAC_PI_2, PI};

use bounty_hunter::ai::BrainState;
use bounty_hunter::ai::learned::{OBSERVATION_LENGTH, Scene, Scratch, observe};
use bounty_hunter::ai_controller::AiController;
use bounty_hunter::arena::Pose;
use bounty_hunter::assets::Assets;
use bounty_hunter::bounty::Bounty;
use bounty_hunter::collector::{Collector, Controls};
use bounty_hunter::config::{AiProfile, Strategy};
use bounty_hunter::events::{BountyCollected, BountyStashed};
use bounty_hunter::game_object::Transform;
use bounty_hunter::input::{Cheat, Inputs, Intent};
use bounty_hunter::learned_controller::{look_around, observers};
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::view::GameState;
use ecs::{EntityId, state_machine::State};
use tests::{BOTTOMLESS, Game, STANDING, ai, match_in, scenario, steps, vary_collectors, vary_stashes};

fn match_of(profile: &str, players: usize, seed: u64) -> Game {
    let setup = MatchSetup::of_ais(seed, players, profile);
    Game::playing(Simulation::new(&Assets::built_in(), &setup).expect("the match can be set up"))
}

/// Moves the stash of a player, and tells its AI.
fn send_home(game: &mut Game, player: usize, home: Pose) {
    let (stash, collector) = (game.stash_of(player), game.collector(player));
    game.put(stash, home).component_mut::<AiController>(collector).home = home.position;
}

/// The pick of a standing AI among bounties of `(x, y, value)`.
fn pick(strategy: Strategy, bounties: &[(f32, f32, f32)]) -> Option<usize> {
    let mut scene = scenario("^").seat(0, ai("normal")).with_assets(|assets| {
        vary_collectors(assets, STANDING);
        let profile = &assets.ai["normal"];
        assets.ai.insert("normal".to_owned(), AiProfile { strategy, ..profile.clone() });
    });
    for (x, y, value) in bounties {
        scene = scene.bounty_at(*x, *y, *value);
    }
    let mut game = scene.begin();
    let entities = game.bounty_entities();
    for _ in 0..60 {
        game.step(1);
        if let Some(target) = game.component::<AiController>(game.collector(0)).brain.target {
            return entities.iter().position(|entity| entity.bits() == target.key);
        }
    }
    None
}

#[test]
fn each_strategy_picks_the_bounty_of_its_name() {
    // The best value per distance, the nearest, the most valuable.
    let bounties = [(3.0, 9.0, 15.0), (-2.0, 6.0, 5.0), (2.0, 20.0, 30.0)];
    assert_eq!(pick(Strategy::None, &bounties), None);
    assert_eq!(pick(Strategy::Nearest, &bounties), Some(1));
    assert_eq!(pick(Strategy::MostValuable, &bounties), Some(2));
    assert_eq!(pick(Strategy::BestValuePerDistance, &bounties), Some(0));
    assert_eq!(pick(Strategy::First, &bounties), Some(0), "of those seen in one step, the first entity");
}

#[test]
fn first_strategy_picks_the_longest_seen_bounty() {
    let mut game = scenario("^")
        .seat(0, ai("first"))
        .with_assets(|assets| {
            vary_collectors(assets, STANDING);
        })
        .bounty_at(0.0, 50.0, 10.0)
        .bounty_at(0.0, 10.0, 10.0)
        .begin();
    let bounties = game.bounty_entities();
    game.step(5).put(bounties[0], Pose::at(0.0, 5.0)).step(20).kill(bounties[1]).step(1);
    let target = |game: &Game| game.component::<AiController>(game.collector(0)).brain.target.map(|target| target.key);
    game.step_until(60, |game| target(game) == Some(bounties[0].bits()));
}

#[test]
fn radar_sees_no_bounty_beside_or_behind() {
    assert_eq!(pick(Strategy::First, &[(0.0, -10.0, 30.0), (20.0, 1.0, 30.0), (-15.0, -5.0, 30.0)]), None);
    assert_eq!(pick(Strategy::First, &[(0.0, 40.0, 30.0)]), None, "too far away");
}

#[test]
fn ais_of_every_profile_score_and_keep_moving_and_peaceful_ones_seldom_crash() {
    for profile in ["first", "nearest", "greedy", "balanced", "easy", "normal", "hard", "learned"] {
        let mut game = match_of(profile, 12, 21);
        game.step_until(300, |game| game.state() == GameState::Running);
        let (mut idle_steps, mut crashes, mut were_alive) = ([0; 12], 0, [true; 12]);
        while game.step(1).state() != GameState::GameOver {
            for player in 0..12 {
                let is_alive = game.is_alive(player);
                crashes += u32::from(were_alive[player] && !is_alive);
                were_alive[player] = is_alive;
                let is_idle = is_alive && game.component::<Controls>(game.collector(player)).intent == Intent::IDLE;
                idle_steps[player] = if is_idle { idle_steps[player] + 1 } else { 0 };
                // In the first step of a life it may keep the intent of one that ended at once.
                assert!(idle_steps[player] <= 3, "{profile}: player {player} stands still");
            }
        }
        let (collected, stashed) = (game.count::<BountyCollected>(), game.count::<BountyStashed>());
        assert!(collected > 40 && stashed > 6, "{profile}: {collected} collected, {stashed} times brought home");
        let is_peaceful = Assets::built_in().ai.get(profile).is_some_and(|profile| profile.aggression == 0.0);
        assert!(!is_peaceful || crashes < 15, "{profile}: {crashes} deaths");
    }
}

/// A policy plays in the game as where it was trained: as a script that is driven by what it decides on the same state.
#[test]
fn learned_ai_drives_as_its_policy_decides_on_what_it_sees() {
    let assets = Assets::built_in();
    let policy = &assets.policies["learned"];
    let begin = |seat: Seat| {
        let setup = MatchSetup { seed: 8, seats: vec![seat, ai("normal"), ai("hard")], play_seconds: None };
        match_in(&assets, &setup, GameState::Running)
    };
    let (mut learned, mut scripted) = (begin(ai("learned")), begin(Seat::Script));
    let (mut scene, mut scratch) = (Scene::default(), Scratch::default());
    let (mut players, mut seen) = (Vec::new(), [0.0; OBSERVATION_LENGTH]);
    for step in 0..3_000 {
        let mut inputs = Inputs::none();
        if step % policy.steps_per_decision == 0 {
            look_around(scripted.engine(), &mut scene);
            observers(scripted.engine(), &mut players);
            observe(&scene, &players[0], &mut seen);
            inputs = inputs.intent(0, policy.decide(&seen, &mut scratch));
        }
        learned.step(&Inputs::none());
        scripted.step(&inputs);
        let [learned, scripted] = [&learned, &scripted].map(|simulation| {
            let mut collectors = simulation.view().collectors;
            collectors.iter_mut().for_each(|collector| collector.face = None);
            collectors
        });
        assert_eq!(learned, scripted, "step {step}: a script has no face");
    }
    assert!(learned.stashes()[0] > 0.0, "it brings bounty home");
}

#[test]
fn person_takes_over_a_learned_ai_and_gives_it_back() {
    let setup = MatchSetup { seed: 8, seats: vec![ai("learned"), Seat::Script], play_seconds: None };
    let mut game = Game::playing(match_in(&Assets::built_in(), &setup, GameState::Running));
    let intent = |game: &Game| game.component::<Controls>(game.collector(0)).intent;
    game.cheat(Cheat::Possess).step(10);
    assert_eq!(intent(&game), Intent::IDLE, "the person presses no key");
    game.cheat(Cheat::Release).step(10);
    assert_ne!(intent(&game), Intent::IDLE);
}

#[test]
fn every_strategy_clears_the_bounties_ahead_and_brings_them_home() {
    for profile in ["first", "nearest", "greedy", "balanced"] {
        let mut scene = scenario("").seat(0, ai(profile)).collector_at(0, 0.0, -20.0, 0.0);
        for (i, value) in [30.0, 10.0, 25.0, 20.0].into_iter().enumerate() {
            scene = scene.bounty_at(2.0 * i as f32 - 3.0, -12.0 + 5.0 * i as f32, value);
        }
        let mut game = scene.begin();
        game.step_until(steps(30.0), |game| game.stashed(0) >= 85.0);
    }
}

#[test]
fn late_ai_brings_its_load_home() {
    let mut scene = scenario("").seat(0, ai("first")).lasting(12.0).collector_at(0, 0.0, 10.0, PI);
    // A trail of bounties that leads away from home.
    for i in 0..12 {
        scene = scene.bounty_at(5.0 * i as f32, 5.0, 5.0);
    }
    let mut game = scene.begin();
    send_home(&mut game, 0, Pose::at(0.0, -60.0));
    game.step_until(steps(12.0), |game| game.pocket(0) > 0.0);
    game.step_until(steps(12.0), |game| game.state() == GameState::GameOver);
    assert!(game.stashed(0) > 0.0, "{} in its pocket", game.pocket(0));
}

#[test]
fn loaded_ai_on_its_own_stash_leaves_it_and_returns() {
    let mut game = scenario("").seat(0, ai("first")).begin();
    game.step(1).carry(0, 100.0);
    game.step_until(steps(5.0), |game| game.stashed(0) == 100.0);
}

#[test]
fn wanderers_have_no_target_and_bring_accidental_bounty_home() {
    let mut game = match_of("wanderer", 8, 3);
    game.step_until(300, |game| game.state() == GameState::Running);
    let mut stashed = 0;
    for _ in 0..5_400 {
        game.step(1);
        for player in 0..8 {
            let brain = game.component::<AiController>(game.collector(player)).brain;
            assert!(brain.target.is_none() && brain.state.current() != BrainState::MoveToBounty);
        }
        stashed = game.count::<BountyStashed>();
    }
    assert!(stashed > 0);
}

#[test]
fn all_six_states_are_visited_and_only_along_the_table() {
    let seats = (0..8).map(|seat| ai(if seat % 2 == 0 { "normal" } else { "wanderer" })).collect();
    let setup = MatchSetup { seed: 4, seats, play_seconds: None };
    let mut assets = Assets::built_in();
    // Bottomless stashes let the match last to the end of the clock, when wanderers go home.
    vary_stashes(&mut assets, BOTTOMLESS);
    let mut game = Game::playing(Simulation::new(&assets, &setup).expect("the match can be set up"));
    game.step_until(300, |game| game.state() == GameState::Running);
    let state =
        |game: &Game, player: usize| game.component::<AiController>(game.collector(player)).brain.state.current();
    let mut changes = BTreeSet::new();
    let mut before: Vec<_> = (0..8).map(|player| state(&game, player)).collect();
    for _ in 0..5_400 {
        game.step(1);
        for (player, before) in before.iter_mut().enumerate() {
            let now = state(&game, player);
            // A respawned AI starts with `Spawned` from any state.
            if now != *before && now != BrainState::Spawned {
                assert!(before.may_become(now), "{before:?} to {now:?}");
                changes.insert((*before as u8, now as u8));
            }
            *before = now;
        }
    }
    let expected: BTreeSet<_> = BrainState::TRANSITIONS.iter().map(|(from, to)| (*from as u8, *to as u8)).collect();
    assert_eq!(changes, expected, "a match has every transition of the table");
}

#[test]
fn ai_takes_the_short_way_across_the_edge_of_the_world() {
    let mut game = scenario("").seat(0, ai("normal")).collector_at(0, 0.0, 70.0, 3.0).begin();
    send_home(&mut game, 0, Pose::at(0.0, -60.0));
    game.step(1).carry(0, 90.0);
    let steps = game.step_until(240, |game| game.stashed(0) == 90.0);
    assert!(steps < 130, "20 m, a turn and a look around: {steps} steps");
}

#[test]
fn two_ais_that_meet_head_on_get_past_each_other() {
    for x in [-1.4, -0.7, 0.0, 0.7, 1.4] {
        let scene = scenario("").players(2).seat(0, ai("normal")).seat(1, ai("normal"));
        let mut game = scene.collector_at(0, x, -25.0, 0.0).collector_at(1, 0.0, 25.0, PI).begin();
        for (player, y) in [(0, 60.0), (1, -60.0)] {
            send_home(&mut game, player, Pose::at(0.0, y));
            game.step(1).carry(player, 90.0);
        }
        game.step_until(900, |game| game.stashed(0) == 90.0 && game.stashed(1) == 90.0);
    }
}

/// A collector ahead of an AI, which carries `load` and drives to the right.
fn prey(profile: &str, load: f32) -> Game {
    let scene = scenario("").players(2).seat(0, ai(profile));
    let mut game = scene.collector_at(0, 0.0, -10.0, 0.0).collector_at(1, -16.0, 6.0, -FRAC_PI_2).begin();
    for (player, y) in [(0, 70.0), (1, -70.0)] {
        let stash = game.stash_of(player);
        game.put(stash, Pose::at(60.0, y));
    }
    game.carry(1, load).drive(1, 0.5, 0.0);
    game
}

#[test]
fn ai_rams_a_rival_that_carries_much_more() {
    for profile in ["normal", "hard"] {
        let mut game = prey(profile, 90.0);
        game.step_until(steps(4.0), |game| !game.is_alive(1));
        assert!(!game.is_alive(0) && game.pocket(1) == 0.0, "{profile}: both die, and the load is lost");
    }
    for (profile, load) in [("normal", 10.0), ("hard", 10.0), ("easy", 90.0)] {
        let mut game = prey(profile, load);
        game.step(steps(4.0));
        assert!(game.is_alive(0) && game.is_alive(1), "{profile} with {load}");
    }
}

#[test]
fn target_of_an_ai_is_an_existing_bounty_or_a_rival() {
    let mut game = match_of("hard", 6, 9);
    game.step_until(300, |game| game.state() == GameState::Running);
    let mut targets = 0;
    for _ in 0..1_800 {
        game.step(1);
        for player in 0..6 {
            let Some(target) = game.component::<AiController>(game.collector(player)).brain.target else { continue };
            let entity = EntityId::from_bits(target.key);
            let engine = game.simulation().engine();
            // A bounty, or a rival that it will meet elsewhere.
            assert!(engine.has::<Bounty>(entity) || engine.has::<Collector>(entity));
            let place = game.component::<Transform>(entity).pose.position;
            targets += usize::from(place.distance(target.position) < 1.0);
        }
    }
    assert!(targets > 1_000, "{targets}");
}
