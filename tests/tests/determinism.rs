//! The same seed and the same inputs give the same world, bit for bit; others give another one.

use bounty_hunter::ai_controller::AiController;
use bounty_hunter::arena::Pose;
use bounty_hunter::assets::Assets;
use bounty_hunter::bounty::Bounty;
use bounty_hunter::collector::{Collector, Controls, Pocket};
use bounty_hunter::game_object::{GameObject, GameObjectKind, Life, RigidBody, Transform};
use bounty_hunter::input::Intent;
use bounty_hunter::input::{Cheat, Command, Inputs};
use bounty_hunter::lifetime::Lifetime;
use bounty_hunter::match_flow::{GameFlow, Request};
use bounty_hunter::physics::Physics;
use bounty_hunter::physics::Shape;
use bounty_hunter::player::Players;
use bounty_hunter::player_control::SeatIntents;
use bounty_hunter::random::RespawnPlaces;
use bounty_hunter::respawn::{Respawn, Spawn};
use bounty_hunter::senses::{BountyRadar, CollectorAvoider};
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::stash::Stash;
use bounty_hunter::view::GameState;
use bounty_hunter::wall::Wall;
use ecs::{Component, Engine, EntityId, IncludeDisabled, Random};
use tests::ai;

/// The hashes of the final states of [`golden_matches`], equal in debug and release builds.
///
/// After a change of the rules the failing test prints the new hashes, in both builds.
const GOLDEN: &str = include_str!("determinism/golden_hashes.txt");

fn start(setup: &MatchSetup) -> Simulation {
    Simulation::new(&Assets::built_in(), setup).expect("the match can be set up")
}

/// Ten matches of 2 to 64 players at all levels, of 20 s each.
fn golden_matches() -> [MatchSetup; 10] {
    let profiles = ["easy", "normal", "hard", "first", "nearest", "greedy", "balanced", "wanderer"];
    [2, 3, 5, 8, 12, 16, 24, 32, 48, 64].map(|players| {
        let seats = (0..players).map(|seat| Seat::Ai { profile: profiles[(seat + players) % 8].to_owned() });
        MatchSetup { seed: 1_000 + players as u64, seats: seats.collect(), play_seconds: Some(20.0) }
    })
}

#[test]
fn ten_matches_have_their_golden_hashes_in_debug_and_release() {
    let mut found = String::new();
    for setup in golden_matches() {
        let (mut one, mut other) = (start(&setup), start(&setup));
        while one.state() != GameState::GameOver {
            assert_eq!(one.step(&Inputs::none()), other.step(&Inputs::none()));
            assert_eq!(one.state_hash(), other.state_hash(), "{} players, tick {}", setup.seats.len(), one.tick());
        }
        assert_eq!((one.stashes(), one.event_counts()), (other.stashes(), other.event_counts()));
        found += &format!("{} players: {:016x}\n", setup.seats.len(), one.state_hash());
    }
    assert!(found == GOLDEN, "the game has changed, its hashes now are\n{found}");
}

#[test]
fn equal_inputs_give_equal_matches_and_other_inputs_do_not() {
    let seats = vec![Seat::Human { person: 0 }, Seat::Human { person: 1 }, ai("hard")];
    let setup = MatchSetup { seed: 11, seats, play_seconds: Some(30.0) };
    let cheats = [Cheat::Possess, Cheat::Next, Cheat::KillCollectors, Cheat::KillBounties].map(Command::Cheat);
    let commands = [&[Command::Pause, Command::Resume][..], &cheats[..]].concat();
    let play = |drive_of_step_700: f32| {
        let mut simulation = start(&setup);
        let hashes: Vec<u64> = (0..1_500_usize)
            .map(|tick| {
                let drive = if tick == 700 { drive_of_step_700 } else { (tick % 3) as f32 / 2.0 };
                let intent = Intent { drive, turn: (tick % 5) as f32 / 2.0 - 1.0 };
                let inputs = Inputs::none().intent((tick * tick / 7) as u32 % 3, intent);
                let commands = commands.get(tick / 7 % 40).filter(|_| tick % 7 == 0);
                let inputs = commands.into_iter().fold(inputs, |inputs, command| inputs.with(*command));
                simulation.step(&inputs);
                simulation.state_hash()
            })
            .collect();
        hashes
    };
    let (one, other, different) = (play(1.0), play(1.0), play(-1.0));
    assert!(one == other);
    assert!(one[..700] == different[..700] && one[700..] != different[700..]);
}

#[test]
fn order_of_inputs_of_different_players_does_not_matter() {
    let seats = vec![Seat::Script, Seat::Human { person: 0 }, Seat::Script, Seat::Human { person: 1 }];
    let setup = MatchSetup { seed: 2, seats, play_seconds: None };
    let drive = |turn| Intent { drive: 1.0, turn };
    let one = Inputs::none().intent(0, drive(0.1)).intent(2, drive(-0.2)).intent(1, drive(0.3)).intent(3, drive(0.4));
    let other = Inputs::none().intent(3, drive(0.4)).intent(1, drive(0.3)).intent(2, drive(-0.2)).intent(0, drive(0.1));
    let play = |inputs: &Inputs| {
        let mut simulation = start(&setup);
        for _ in 0..600 {
            simulation.step(inputs);
        }
        simulation.state_hash()
    };
    assert_eq!(play(&one), play(&other));
}

#[test]
fn other_seeds_and_players_give_other_matches() {
    let mut hashes = Vec::new();
    for seed in 0..8 {
        for players in [2, 3] {
            for profile in ["easy", "hard"] {
                let mut simulation = start(&MatchSetup::of_ais(seed, players, profile));
                for _ in 0..300 {
                    simulation.step(&Inputs::none());
                }
                hashes.push(simulation.state_hash());
            }
        }
    }
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), 32);
}

#[test]
fn simulations_side_by_side_do_not_disturb_each_other() {
    let setups = [MatchSetup::of_ais(1, 6, "hard"), MatchSetup::of_ais(2, 9, "easy")];
    let alone = setups.each_ref().map(|setup| {
        let mut simulation = start(setup);
        for _ in 0..900 {
            simulation.step(&Inputs::none());
        }
        simulation.state_hash()
    });
    let mut both = setups.each_ref().map(start);
    for _ in 0..900 {
        for simulation in &mut both {
            simulation.step(&Inputs::none());
        }
    }
    assert_eq!(both.each_mut().map(Simulation::state_hash), alone);
}

#[test]
fn matches_on_concurrent_threads_are_equal() {
    let run = || {
        let mut simulation = start(&MatchSetup::of_ais(3, 8, "normal"));
        for _ in 0..600 {
            simulation.step(&Inputs::none());
        }
        simulation.state_hash()
    };
    let expected = run();
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(run)).collect();
    for thread in threads {
        assert_eq!(thread.join().expect("the match is played to its end"), expected);
    }
}

#[test]
fn reading_changes_nothing() {
    let play = |looks: bool| {
        let mut simulation = start(&MatchSetup::of_ais(4, 8, "normal"));
        for _ in 0..600 {
            simulation.step(&Inputs::none());
            if looks {
                let _ = (simulation.view(), simulation.stashes(), simulation.event_counts());
                let _ = simulation.engine_mut().event_graph();
            }
        }
        simulation.state_hash()
    };
    assert_eq!(play(true), play(false));
}

// What the hash covers

/// A match after 400 steps.
fn busy() -> Simulation {
    let seats = [vec![Seat::Script], vec![ai("normal"); 7]].concat();
    let mut simulation = start(&MatchSetup { seed: 6, seats, play_seconds: None });
    while simulation.step(&Inputs::none()).state != GameState::Running {}
    for _ in 0..400 {
        simulation.step(&Inputs::none());
    }
    simulation
}

fn first_with<T: Component>(engine: &Engine) -> EntityId {
    let mut first = None;
    engine.read_filtered::<(EntityId, &T), IncludeDisabled>().for_each(|(entity, _)| first = first.or(Some(entity)));
    first.expect("something has this component")
}

/// Whether `change` changes the hash.
fn is_covered(change: impl FnOnce(&mut Engine)) -> bool {
    let mut simulation = busy();
    let before = simulation.state_hash();
    change(simulation.engine_mut());
    before != simulation.state_hash()
}

/// Whether a change of the first component of a type changes the hash.
fn is_covered_in<T: Component>(change: impl FnOnce(&mut T)) -> bool {
    is_covered(|engine| {
        let entity = first_with::<T>(engine);
        change(engine.get_mut(entity).expect("it has this component"));
    })
}

#[test]
fn hash_of_an_unchanged_state_is_equal() {
    assert!(!is_covered(|_| {}));
    assert_eq!(busy().state_hash(), busy().state_hash());
}

#[test]
fn hash_covers_every_component() {
    assert!(is_covered_in::<GameObject>(|object| object.kind = GameObjectKind::Bounty));
    assert!(is_covered_in::<Transform>(|transform| transform.pose.position.y += 1e-3));
    assert!(is_covered_in::<Transform>(|transform| transform.pose.heading += 1e-3));
    assert!(is_covered_in::<Shape>(|shape| *shape = Shape::Square(0.1)));
    assert!(is_covered_in::<Life>(|life| life.is_alive = !life.is_alive));
    assert!(is_covered_in::<Collector>(|collector| collector.player += 1));
    assert!(is_covered_in::<Pocket>(|pocket| pocket.carried += 1.0));
    assert!(is_covered_in::<Controls>(|controls| controls.intent.drive += 0.5));
    assert!(is_covered_in::<Controls>(|controls| controls.intent.turn += 0.5));
    assert!(is_covered_in::<Stash>(|stash| stash.stashed += 1.0));
    assert!(is_covered_in::<Stash>(|stash| stash.player += 1));
    assert!(is_covered_in::<Bounty>(|bounty| bounty.value += 1.0));
    assert!(is_covered_in::<Bounty>(|bounty| bounty.worth += 0.1));
    assert!(is_covered_in::<Lifetime>(|lifetime| lifetime.left_seconds += 0.1));
    assert!(is_covered_in::<Lifetime>(|lifetime| lifetime.fading_seconds += 0.1));
    assert!(is_covered_in::<Respawn>(|respawn| respawn.left_seconds = Some(0.5)));
    assert!(is_covered_in::<Respawn>(|respawn| respawn.delay_seconds += 0.5));
    assert!(is_covered_in::<Spawn>(|spawn| *spawn = Spawn::Point(Pose::at(1.0, 2.0))));
    assert!(is_covered_in::<Wall>(|wall| wall.half_extents_m.x += 0.1));
    assert!(is_covered_in::<AiController>(|ai_controller| ai_controller.brain.last_intent.turn += 0.5));
    assert!(is_covered_in::<AiController>(|ai_controller| ai_controller.is_relieved = true));
    let entity = EntityId::from_bits(77);
    assert!(is_covered_in::<BountyRadar>(|radar| radar.bounties.add(entity)));
    assert!(is_covered_in::<CollectorAvoider>(|avoider| avoider.collectors.add(entity)));
}

#[test]
fn hash_covers_existing_and_enabled_entities() {
    assert!(is_covered(|engine| {
        let wall = first_with::<Wall>(engine);
        engine.despawn(wall).expect("the wall is there");
    }));
    assert!(is_covered(|engine| engine.disable(first_with::<Stash>(engine)).expect("the stash is there")));
    assert!(is_covered(|engine| engine.remove::<Pocket>(first_with::<Pocket>(engine)).expect("there is a pocket")));
    assert!(is_covered(|engine| _ = engine.spawn((Pocket::default(),))));
}

#[test]
fn hash_covers_every_resource_of_a_match() {
    assert!(is_covered(|engine| {
        let body = engine.get::<RigidBody>(first_with::<Collector>(engine)).expect("it has a body").0;
        let physics = engine.resource_mut::<Physics>().expect("there is physics");
        physics.set_velocity(body, glam::Vec2::new(0.0, 1e-3), 0.0);
    }));
    assert!(is_covered(|engine| engine.resource_mut::<GameFlow>().expect("there is a flow").request(Request::Pause)));
    assert!(is_covered(|engine| engine.resource_mut::<Players>().expect("they are there").0[1].possessed_by = Some(0)));
    assert!(is_covered(|engine| {
        engine.resource_mut::<SeatIntents>().expect("they are there").0[0] = Intent { drive: 0.5, turn: 0.0 };
    }));
    assert!(is_covered(|engine| engine.run(|mut random: Random<RespawnPlaces>| _ = random.unit()).expect("it draws")));
}

#[test]
fn hash_covers_inputs_before_they_take_effect() {
    let hash_after = |inputs: Inputs| {
        let mut simulation = busy();
        simulation.step(&inputs);
        simulation.state_hash()
    };
    let nothing = hash_after(Inputs::none());
    assert_ne!(nothing, hash_after(Inputs::none().with(Command::Pause)));
    assert_ne!(nothing, hash_after(Inputs::none().intent(0, Intent { drive: 0.1, turn: 0.0 })));
    assert_eq!(nothing, hash_after(Inputs::none().intent(3, Intent::IDLE)), "no script drives this seat");
}
