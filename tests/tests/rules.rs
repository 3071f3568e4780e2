//! Collisions: pockets, stashes, deaths and respawns. One test per rule.

use std::f32::consts::PI;

use bounty_hunter::arena::{Pose, forward};
use bounty_hunter::events::{
    BountyCollected, BountyStashed, CollisionBegin, GameObjectKilled, GameObjectSpawned, SpawnGameObject, StashFull,
};
use bounty_hunter::game_object::Life;
use glam::Vec2;
use tests::{Game, scenario, steps};

/// Drives player 0 straight ahead.
fn drive_through(game: &mut Game, steps: u32) {
    game.drive(0, 1.0, 0.0).step(steps);
}

// Bounty and pocket

#[test]
fn collector_that_touches_a_bounty_takes_it() {
    let mut game = scenario(">..b").begin();
    drive_through(&mut game, 10);
    assert_eq!((game.pocket(0), game.bounties().len()), (10.0, 0));
    assert_eq!((game.count::<BountyCollected>(), game.count::<GameObjectKilled>()), (1, 1));
}

#[test]
fn collector_that_passes_beside_a_bounty_leaves_it() {
    let mut game = scenario(
        ">....
         .....
         ...b.",
    )
    .begin();
    drive_through(&mut game, 30);
    assert_eq!((game.pocket(0), game.bounties().len()), (0.0, 1));
}

#[test]
fn pocket_adds_up_its_bounties() {
    let mut game = scenario(">..b..b").worth(7.0).begin();
    drive_through(&mut game, 30);
    assert_eq!((game.pocket(0), game.count::<BountyCollected>()), (14.0, 2));
}

#[test]
fn pocket_holds_100() {
    let mut game = scenario(">..b").worth(30.0).begin();
    game.carry(0, 95.0);
    drive_through(&mut game, 10);
    assert_eq!(game.pocket(0), 100.0);
}

#[test]
fn bounty_is_destroyed_on_a_full_pocket() {
    let mut game = scenario(">..b").begin();
    game.carry(0, 100.0);
    drive_through(&mut game, 10);
    assert_eq!((game.pocket(0), game.bounties().len()), (100.0, 0));
}

#[test]
fn first_seat_is_paid_if_two_collectors_touch_a_bounty_in_one_step() {
    let mut game = scenario(">..b..<").begin();
    game.drive(0, 1.0, 0.0).drive(1, 1.0, 0.0);
    game.step_until(30, |game| game.bounties().is_empty());
    assert_eq!(game.count::<CollisionBegin>(), 2, "both touched it in the same step");
    assert_eq!((game.pocket(0), game.pocket(1)), (10.0, 0.0));
    assert_eq!((game.count::<BountyCollected>(), game.count::<GameObjectKilled>()), (1, 1));
}

#[test]
fn dead_collector_takes_nothing() {
    let mut game = scenario(">..b").begin();
    let collector = game.collector(0);
    game.kill(collector).step(1);
    let bounty = game.bounty_entities()[0];
    let grave = game.pose(collector);
    game.put(bounty, grave).step(10);
    assert_eq!((game.pocket(0), game.bounties().len(), game.count::<BountyCollected>()), (0.0, 1, 0));
}

#[test]
fn collector_killed_in_the_step_of_its_touch_is_not_paid() {
    // All three touch each other in the first step.
    let mut game =
        scenario("").collector_at(0, 0.0, 0.0, 0.0).collector_at(1, 2.0, 0.0, 0.0).bounty_at(-1.0, 0.0, 10.0).begin();
    game.step(1);
    assert_eq!((game.is_alive(0), game.is_alive(1)), (false, false));
    assert_eq!((game.count::<CollisionBegin>(), game.count::<BountyCollected>(), game.pocket(0)), (2, 0, 0.0));
    game.step(steps(3.0) + 5);
    assert_eq!((game.is_alive(0), game.pocket(0), game.stashed(0)), (true, 0.0, 0.0));
}

// Stashes

#[test]
fn touching_a_stash_empties_the_pocket_into_it() {
    let mut game = scenario(">..0").begin();
    game.carry(0, 60.0);
    drive_through(&mut game, 10);
    assert_eq!((game.pocket(0), game.stashed(0), game.count::<BountyStashed>()), (0.0, 60.0, 1));
}

#[test]
fn touching_a_foreign_stash_scores_for_its_owner() {
    let mut game = scenario(">..1").begin();
    game.carry(0, 60.0);
    drive_through(&mut game, 10);
    assert_eq!((game.pocket(0), game.stashed(0), game.stashed(1)), (0.0, 0.0, 60.0));
}

#[test]
fn option_only_own_stash_accepts_refuses_foreign_stashes() {
    let own_only = |picture| scenario(picture).with_assets(|assets| assets.game.rules.only_own_stash_accepts = true);
    let mut game = own_only(">..1..0").begin();
    game.carry(0, 60.0);
    drive_through(&mut game, 15);
    assert_eq!((game.pocket(0), game.stashed(1)), (60.0, 0.0));
    drive_through(&mut game, 15);
    assert_eq!((game.pocket(0), game.stashed(0), game.stashed(1)), (0.0, 60.0, 0.0));
}

#[test]
fn empty_pocket_sends_no_event() {
    let mut game = scenario(">..0").begin();
    drive_through(&mut game, 10);
    assert_eq!((game.stashed(0), game.count::<BountyStashed>()), (0.0, 0));
}

#[test]
fn bounty_collected_on_the_stash_is_unloaded_at_the_next_touch() {
    let mut game = scenario(">").bounty_at(3.0, 0.0, 10.0).begin();
    let stash = game.stash_of(0);
    game.put(stash, Pose::at(0.0, 0.0));
    drive_through(&mut game, 2);
    game.drive(0, 0.0, 0.0).step(30);
    assert_eq!((game.pocket(0), game.stashed(0)), (10.0, 0.0), "it is still on its stash");
    drive_through(&mut game, 30);
    assert_eq!((game.pocket(0), game.stashed(0)), (10.0, 0.0), "it has left its stash");
    game.drive(0, -1.0, 0.0).step(30);
    assert_eq!((game.pocket(0), game.stashed(0)), (0.0, 10.0));
}

#[test]
fn stash_holds_no_more_than_its_capacity() {
    let mut game = scenario(">..0").begin();
    game.carry(0, 100.0).store(0, 200.0);
    drive_through(&mut game, 10);
    assert_eq!((game.pocket(0), game.stashed(0), game.count::<StashFull>()), (0.0, 250.0, 1));
}

// Deaths and respawns

#[test]
fn colliding_collectors_die_and_lose_their_loads() {
    let mut game = scenario(">....<").begin();
    game.carry(0, 40.0).carry(1, 50.0).drive(0, 1.0, 0.0).drive(1, 1.0, 0.0);
    game.step_until(30, |game| game.living() == 0);
    assert_eq!((game.pocket(0), game.pocket(1), game.stashed(0), game.stashed(1)), (0.0, 0.0, 0.0, 0.0));
    assert_eq!(game.count::<GameObjectKilled>(), 2);
}

#[test]
fn standing_collector_dies_in_a_collision_too() {
    let mut game = scenario(">....^").begin();
    drive_through(&mut game, 30);
    assert_eq!((game.is_alive(0), game.is_alive(1)), (false, false));
}

#[test]
fn collector_respawns_on_its_stash_after_3_seconds_and_faces_the_centre() {
    for player in 0..5 {
        let mut game = scenario("").players(5).begin();
        let (collector, home) = (game.collector(player), game.pose(game.stash_of(player)));
        game.put(collector, Pose::at(10.0, 10.0)).kill(collector).step(1);
        assert!(!game.is_alive(player));
        let waited = game.step_until(steps(4.0), |game| game.is_alive(player));
        assert!((steps(3.0)..=steps(3.0) + 1).contains(&waited), "{waited} steps");
        let pose = game.pose(collector);
        assert_eq!(pose.position, home.position);
        let to_centre = -pose.position.normalize();
        assert!(forward(pose.heading).distance(to_centre) < 1e-5, "player {player} faces {}", pose.heading);
    }
}

#[test]
fn respawned_collector_stands_still_and_can_drive() {
    let mut game = scenario(">....<").begin();
    game.drive(0, 1.0, 0.0).drive(1, 1.0, 0.0);
    game.step_until(30, |game| game.living() == 0);
    game.drive(0, 0.0, 0.0).drive(1, 0.0, 0.0).step_until(steps(4.0), |game| game.living() == 2);
    let place = game.pose(game.collector(0));
    game.step(5);
    assert_eq!(game.pose(game.collector(0)), place, "it has lost its speed");
    game.carry(0, 1.0).drive(0, 1.0, 0.0).step(20);
    assert!(game.pose(game.collector(0)).position.x < place.position.x - 5.0, "and drives towards the centre");
}

#[test]
fn three_colliding_collectors_die_once_each() {
    let mut game = scenario("")
        .collector_at(0, -1.0, 0.0, 0.0)
        .collector_at(1, 1.0, 0.0, 0.0)
        .collector_at(2, 0.0, 1.0, PI)
        .begin();
    game.carry(0, 1.0).carry(1, 2.0).carry(2, 3.0).step(1);
    assert_eq!((game.living(), game.count::<CollisionBegin>()), (0, 3));
    assert_eq!(game.count::<GameObjectKilled>(), 3);
    let spawned = game.count::<GameObjectSpawned>();
    game.step(steps(4.0));
    assert_eq!((game.living(), game.count::<GameObjectSpawned>() - spawned), (3, 3));
    assert_eq!([0, 1, 2].map(|player| game.pocket(player)), [0.0; 3]);
}

#[test]
fn two_requests_in_a_step_are_one_death() {
    let mut game = scenario(">..b").begin();
    let victims = [game.collector(0), game.bounty_entities()[0]];
    let spawned = game.count::<GameObjectSpawned>();
    for victim in victims {
        game.kill(victim).kill(victim);
    }
    game.step(1);
    assert_eq!((game.count::<GameObjectKilled>(), game.living()), (2, 0));
    for victim in victims {
        game.kill(victim);
    }
    game.step(steps(4.0));
    assert_eq!(game.count::<GameObjectKilled>(), 2, "a dead object does not die again");
    assert_eq!(game.count::<GameObjectSpawned>() - spawned, 2, "each respawns once");
}

#[test]
fn collectors_respawn_in_the_order_of_their_deaths() {
    let mut game = scenario("").players(4).begin();
    let [a, b, c, d] = [0, 1, 2, 3].map(|player| game.collector(player));
    game.kill(c).step(10).kill(d).kill(a).step(10).kill(b).step(1);
    let mut returns = [0; 4];
    for step in 0..steps(4.0) {
        for (player, returned) in returns.iter_mut().enumerate() {
            if *returned == 0 && game.is_alive(player) {
                *returned = step;
            }
        }
        game.step(1);
    }
    let [a, b, c, d] = returns;
    assert!(c < d && d == a && a < b, "{returns:?}");
    assert_eq!((d - c, b - a), (10, 10));
}

#[test]
fn respawned_collector_has_no_shield() {
    let mut game = scenario("").players(2).begin();
    let (home, other) = (game.pose(game.stash_of(0)), game.collector(1));
    let collector = game.collector(0);
    game.kill(collector).step(1).put(other, home).step(steps(3.0) + 10);
    assert_eq!((game.is_alive(0), game.is_alive(1)), (false, false));
    assert_eq!(game.count::<GameObjectKilled>(), 3);
}

#[test]
fn living_object_does_not_spawn_again() {
    let mut game = scenario(">..b").begin();
    let (entity, pose) = (game.collector(0), Pose::at(20.0, 20.0));
    let (place, spawned) = (game.pose(entity), game.count::<GameObjectSpawned>());
    game.simulation_mut().engine_mut().send(SpawnGameObject { entity, pose });
    game.step(1);
    assert_eq!((game.pose(entity), game.count::<GameObjectSpawned>()), (place, spawned));
}

// Counting

#[test]
fn every_life_begins_and_ends_with_one_event() {
    let mut game = scenario("b.b.b").players(6).mortal_bounties().begin();
    for index in 0..12 {
        let collector = game.collector(index % 6);
        game.kill(collector).step(37);
    }
    let (spawned, killed) = (game.count::<GameObjectSpawned>(), game.count::<GameObjectKilled>());
    assert!(killed > 12, "{killed}: the bounties expire too");
    assert_eq!(spawned - killed, (game.living() + game.bounties().len()) as u64);
}

#[test]
fn killed_bounty_respawns_elsewhere_after_2_seconds() {
    let mut game = scenario(">..b").begin();
    let bounty = game.bounty_entities()[0];
    let place = game.pose(bounty).position;
    game.kill(bounty).step(1);
    assert!(!game.component::<Life>(bounty).is_alive && game.bounties().is_empty());
    let waited = game.step_until(steps(3.0), |game| game.bounties().len() == 1);
    assert!((steps(2.0)..=steps(2.0) + 1).contains(&waited), "{waited} steps");
    assert_ne!(game.pose(bounty).position, place);
    assert!(game.pose(bounty).position.length() <= 0.75 * 75.0 && place == Vec2::new(3.0, 0.0));
}
