//! Mines: a power-up lays one, and every other collector crashes into it. One test per rule.

use bounty_hunter::assets::Assets;
use bounty_hunter::config::ChainRules;
use bounty_hunter::events::{MineExploded, PowerUpTaken};
use bounty_hunter::ghost::Ghost;
use bounty_hunter::mine::{CarriedMine, Mine, MineLayer};
use bounty_hunter::physics::Pose;
use bounty_hunter::powers::Powers;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::{GameState, MineView};
use ecs::EntityId;
use glam::Vec2;
use tests::{Game, Scenario, add_variant, ai, match_in, scenario, steps};

const HERE: Pose = Pose::at(0.0, 0.0);
const AWAY: Pose = Pose::at(0.0, 30.0);

fn with_mines(picture: &str) -> Scenario {
    scenario(picture).with_power_up("Mine(lay_seconds: 0.5, stash_clearance_m: 5.0)")
}

fn mines(game: &Game) -> Vec<MineView> {
    game.simulation().view().mines
}

/// Lets player 0 lay its mine in the middle; it is armed at the end, and its owner far away.
fn lay(game: &mut Game) -> EntityId {
    let own = game.collector(0);
    let carried = Some(CarriedMine { left_seconds: 0.0, stash_clearance_m: 0.0 });
    game.component_mut::<MineLayer>(own).carried = carried;
    game.put(own, HERE).step(2).put(own, AWAY).step(steps(1.1));
    assert_eq!(mines(game).iter().map(|mine| (mine.owner, mine.arms_in_seconds)).collect::<Vec<_>>(), [(0, 0.0)]);
    game.component::<MineLayer>(own).mine
}

/// Two collectors, of which player 0 has laid its mine in the middle.
fn laid() -> Game {
    let mut game = with_mines("").players(2).begin();
    lay(&mut game);
    game
}

/// Puts a collector onto the mine.
fn meet(game: &mut Game, player: usize) {
    let collector = game.collector(player);
    game.put(collector, HERE).step(3);
}

#[test]
fn power_up_lays_a_mine_where_its_holder_is_after_a_while() {
    let mut game = with_mines(">..p").begin();
    game.drive(0, 1.0, 0.0).step_until(20, |game| game.count::<PowerUpTaken>() == 1);
    game.step(1);
    assert!(game.simulation().view().collectors[0].carries_mine && mines(&game).is_empty());
    let waited = game.step_until(steps(1.0), |game| !mines(game).is_empty());
    assert!((25..=31).contains(&waited), "{waited} steps");
    let (mine, own) = (mines(&game)[0], game.pose(game.collector(0)).position);
    assert!(mine.position.distance(own) < 1.0 && mine.position.x > 3.0, "{mine:?} and {own}");
    assert!(!game.simulation().view().collectors[0].carries_mine);
    assert!(mine.arms_in_seconds > 0.9, "{mine:?}");
    let armed = game.step_until(steps(1.5), |game| mines(game)[0].arms_in_seconds == 0.0);
    assert!((55..=61).contains(&armed), "{armed} steps");
}

#[test]
fn owner_passes_over_its_mine() {
    let mut game = laid();
    meet(&mut game, 0);
    assert_eq!((game.is_alive(0), mines(&game).len(), game.count::<MineExploded>()), (true, 1, 0));
}

#[test]
fn other_collector_crashes_loses_its_load_and_counts_for_the_owner() {
    let mut game = laid();
    game.carry(1, 40.0);
    meet(&mut game, 1);
    assert_eq!((game.is_alive(0), game.is_alive(1), game.pocket(1)), (true, false, 0.0));
    assert_eq!((mines(&game).len(), game.count::<MineExploded>()), (0, 1));
    let statistics = [0, 1].map(|player| game.simulation().statistics().of(player));
    assert_eq!(statistics.map(|player| (player.mined, player.deaths)), [(1, 0), (0, 1)]);
    let waited = game.step_until(steps(4.0), |game| game.is_alive(1));
    assert!(waited > steps(2.5), "{waited} steps");
}

#[test]
fn load_spills_at_a_mine_where_loads_spill() {
    let chain = ChainRules {
        growth_share: 0.0,
        most_links: 0,
        near_miss_m: 4.0,
        near_miss_mps: 20.0,
        spill_share: 0.5,
        spilled_bounties: 2,
        spilled_points: 10.0,
    };
    let mut game = with_mines("").players(2).with_rules(|rules| rules.chain = Some(chain)).begin();
    lay(&mut game);
    game.carry(1, 40.0);
    meet(&mut game, 1);
    let values: Vec<f32> = game.bounties().iter().map(|bounty| bounty.value).collect();
    assert_eq!(values, [10.0, 10.0]);
}

#[test]
fn mine_that_is_not_armed_is_harmless_until_it_is() {
    let mut game = with_mines("").players(2).begin();
    let mine = lay(&mut game);
    game.component_mut::<Mine>(mine).arms_in_seconds = 0.5;
    meet(&mut game, 1);
    game.step(steps(0.3));
    assert!(game.is_alive(1));
    game.step(steps(0.3));
    assert!(!game.is_alive(1), "it stands on the mine that is armed now");
}

#[test]
fn ghost_passes_until_it_is_solid_again() {
    let mut game = laid();
    game.make_ghost(1, 60.0);
    meet(&mut game, 1);
    assert!(game.is_alive(1) && mines(&game).len() == 1);
    let collector = game.collector(1);
    game.component_mut::<Ghost>(collector).left_seconds = 0.01;
    game.step(5);
    assert!(!game.is_alive(1) && mines(&game).is_empty());
}

#[test]
fn shield_holds_and_the_mine_is_gone() {
    let mut game = laid();
    let collector = game.collector(1);
    game.component_mut::<Powers>(collector).shield_seconds = 60.0;
    meet(&mut game, 1);
    assert_eq!((game.is_alive(1), mines(&game).len()), (true, 0));
    assert_eq!(game.component::<Powers>(collector).shield_seconds, 0.0);
    assert_eq!((game.count::<MineExploded>(), game.simulation().statistics().of(0).mined), (0, 0));
}

#[test]
fn mine_costs_health_where_crashes_do() {
    let mut game = with_mines("").with_health().players(2).begin();
    lay(&mut game);
    meet(&mut game, 1);
    let health = |game: &Game| game.simulation().view().players[1].health;
    assert_eq!((game.is_alive(1), health(&game), mines(&game).len()), (true, Some(0.6), 0));
    let statistics = game.simulation().statistics().of(1);
    assert_eq!(statistics.hits, 1);
    let collector = game.collector(1);
    game.component_mut::<Powers>(collector).shield_seconds = 60.0;
    game.put(collector, Pose::at(20.0, 0.0)).step(steps(0.6));
    lay(&mut game);
    meet(&mut game, 1);
    assert_eq!((health(&game), game.component::<Powers>(collector).shield_seconds), (Some(0.6), 0.0));
}

#[test]
fn mine_ends_by_its_lifetime_and_not_with_its_owner() {
    let mut game = laid();
    let own = game.collector(0);
    game.kill(own).step(steps(10.0));
    assert_eq!(mines(&game).len(), 1);
    let waited = game.step_until(steps(12.0), |game| mines(game).is_empty());
    assert!(waited > steps(7.0), "{waited} steps");
    meet(&mut game, 1);
    assert!(game.is_alive(1));
}

#[test]
fn mine_that_is_carried_is_lost_with_its_holder() {
    let mut game = with_mines(">..p").begin();
    game.drive(0, 1.0, 0.0).step_until(20, |game| game.count::<PowerUpTaken>() == 1);
    let own = game.collector(0);
    game.kill(own).step(steps(4.0));
    assert!(game.is_alive(0) && mines(&game).is_empty());
    assert_eq!(game.component::<MineLayer>(own).carried, None);
}

#[test]
fn mine_is_laid_in_some_distance_from_every_stash() {
    let mut game = with_mines(">p.1").begin();
    game.drive(0, 0.5, 0.0).step_until(60, |game| game.count::<PowerUpTaken>() == 1);
    game.step_until(steps(4.0), |game| !mines(game).is_empty());
    let (mine, stash) = (mines(&game)[0].position, game.pose(game.stash_of(1)).position);
    let distance_m = mine.distance(stash);
    assert!((5.0..5.5).contains(&distance_m) && mine.x > stash.x, "{distance_m} m behind the stash");
}

#[test]
fn collector_has_one_mine_and_lays_it_again() {
    let mut game = laid();
    let (own, mine) = (game.collector(0), mines(&game)[0]);
    let carried = Some(CarriedMine { left_seconds: 0.0, stash_clearance_m: 0.0 });
    game.component_mut::<MineLayer>(own).carried = carried;
    game.step(2);
    let again = mines(&game);
    assert_eq!((again.len(), again[0].key), (1, mine.key));
    assert!(again[0].position.distance(AWAY.position) < 0.1 && again[0].arms_in_seconds > 0.9, "{again:?}");
    meet(&mut game, 1);
    assert!(game.is_alive(1), "there is none in the middle");
}

#[test]
fn snapshot_and_save_between_laying_and_exploding_go_on_alike() {
    let play = |game: &mut Game, between: &dyn Fn(&mut Game)| {
        let own = game.collector(0);
        let carried = Some(CarriedMine { left_seconds: 0.2, stash_clearance_m: 0.0 });
        game.component_mut::<MineLayer>(own).carried = carried;
        game.put(own, HERE).step(5);
        between(game);
        game.step(30).put(own, AWAY).step(20);
        between(game);
        game.step(40);
        meet(game, 1);
        game.simulation_mut().state_hash()
    };
    let begin = || with_mines("").players(2).begin();
    let usual = play(&mut begin(), &|_| {});
    let with_snapshots = play(&mut begin(), &|game| {
        let snapshot = game.simulation_mut().snapshot().expect("it can be taken");
        game.step(50);
        game.simulation_mut().restore(&snapshot).expect("it is of this match");
    });
    let with_saves = play(&mut begin(), &|game| {
        let saved = game.simulation_mut().save().expect("it can be saved");
        game.step(50);
        game.simulation_mut().load(&saved).expect("it is of this match");
    });
    assert_eq!((with_snapshots, with_saves), (usual, usual));
}

#[test]
fn hash_covers_mines() {
    let mut game = laid();
    let own = game.collector(0);
    let (mine, before) = (game.component::<MineLayer>(own).mine, game.simulation_mut().state_hash());
    game.component_mut::<Mine>(mine).owner = 1;
    let other_owner = game.simulation_mut().state_hash();
    game.component_mut::<Mine>(mine).owner = 0;
    game.component_mut::<MineLayer>(own).carried = Some(CarriedMine { left_seconds: 1.0, stash_clearance_m: 0.0 });
    assert!(before != other_owner && before != game.simulation_mut().state_hash());
}

/// Where an AI is that drives up to a bounty behind a mine of player 0, until it has the bounty or is dead.
fn way_past_a_mine(profile: &str, owner: u32) -> (bool, Vec<Vec2>) {
    let mut game = with_mines("").players(2).seat(1, ai(profile)).bounty_at(0.0, 16.0, 10.0).begin();
    let driver = game.collector(1);
    game.put(driver, Pose::at(0.0, -40.0));
    let mine = lay(&mut game);
    let own = game.collector(0);
    game.put(own, Pose::at(0.0, -70.0));
    game.component_mut::<Mine>(mine).owner = owner;
    game.put(driver, Pose::at(0.2, -12.0));
    let mut way = Vec::new();
    for _ in 0..steps(5.0) {
        game.step(1);
        way.push(game.pose(driver).position);
        if !game.is_alive(1) || game.pocket(1) > 0.0 {
            break;
        }
    }
    (game.pocket(1) > 0.0, way)
}

#[test]
fn ais_drive_around_armed_mines_of_others_and_over_their_own() {
    for profile in ["hard", "normal", "nearest"] {
        let nearest = |way: &[Vec2]| way.iter().map(|place| place.length()).fold(f32::INFINITY, f32::min);
        let (has_bounty, way) = way_past_a_mine(profile, 0);
        assert!(has_bounty && nearest(&way) > 2.0, "{profile}: {has_bounty}, {} m", nearest(&way));
        let (has_bounty, way) = way_past_a_mine(profile, 1);
        assert!(has_bounty && nearest(&way) < 1.0, "{profile}: {} m", nearest(&way));
    }
}

#[test]
fn ai_leaves_a_bounty_beside_a_mine_of_another() {
    let take = |owner: u32| {
        let mut game = with_mines("").players(2).seat(1, ai("normal")).bounty_at(0.0, 2.8, 10.0).begin();
        let driver = game.collector(1);
        game.put(driver, Pose::at(0.0, -40.0));
        let mine = lay(&mut game);
        game.component_mut::<Mine>(mine).owner = owner;
        game.put(driver, Pose::at(0.0, -14.0)).step(steps(8.0));
        (game.pocket(1), game.is_alive(1))
    };
    assert_eq!((take(0), take(1)), ((0.0, true), (10.0, true)));
}

#[test]
fn mines_are_laid_in_a_match_of_the_mode() {
    let assets = Assets::built_in().in_mode("power-ups").expect("the mode is built in");
    let mut game = Game::playing(match_in(&assets, &MatchSetup::of_ais(3, 12, "normal"), GameState::Running));
    game.step_until(steps(60.0), |game| !mines(game).is_empty());
    let mine = mines(&game)[0];
    let far = game.simulation().view().stashes.iter().all(|stash| stash.position.distance(mine.position) >= 10.0);
    assert!(far, "{mine:?}");
}

#[test]
fn mines_that_do_not_fit_together_are_one_sentence() {
    let refusal = |change: &dyn Fn(&mut Assets)| {
        let mut assets = Assets::built_in().in_mode("power-ups").expect("the mode is built in");
        change(&mut assets);
        Simulation::new(&assets, &MatchSetup::of_ais(1, 2, "normal")).err().expect("it is refused").to_string()
    };
    let mine = |assets: &mut Assets, name: Option<String>| assets.game.rules.power_ups.as_mut().unwrap().mine = name;
    assert_eq!(
        refusal(&|assets| mine(assets, None)),
        "prefab \"mine power-up\" lays a mine, which needs `mine` in the rule set `power_ups`"
    );
    assert_eq!(
        refusal(&|assets| mine(assets, Some("rock".into()))),
        "prefab \"rock\" has no `fuse`, which a mine needs"
    );
    let moving = |assets: &mut Assets| {
        let name = add_variant(assets, "mine", "\"body\": (mobility: Moving)");
        mine(assets, Some(name));
    };
    assert_eq!(refusal(&moving), "prefab \"mine'\" has Moving as `body.mobility`, a mine needs Fixed");
    let text = r#"{ "odd": (like: "mine power-up", components: { "power-up": Mine(lay_seconds: -1.0, stash_clearance_m: 5.0) }) }"#;
    let late = Assets::with_texts([("prefabs/odd.ron", text)]).unwrap_err().to_string();
    assert!(late.starts_with("prefabs/odd.ron:1:") && late.ends_with("it is -1, must not be negative"), "{late}");
}
