//! What AIs see: equal everywhere in the world, reported by events, and forgotten at death.

use std::collections::BTreeSet;
use std::f32::consts::{FRAC_PI_2, PI};

use bounty_hunter::ai::Area;
use bounty_hunter::ai_controller::{AiController, Profiles};
use bounty_hunter::arena::{forward, wrapped_delta};
use bounty_hunter::assets::Assets;
use bounty_hunter::bounty::Bounty;
use bounty_hunter::collector::Collector;
use bounty_hunter::events::{CollisionBegin, CollisionEnd, GameObjectKilled, GameObjectSpawned};
use bounty_hunter::game_object::Transform;
use bounty_hunter::input::Inputs;
use bounty_hunter::physics::{Category, Shape};
use bounty_hunter::senses::{BountyRadar, CollectorAvoider};
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::GameState;
use ecs::random::RandomStream;
use ecs::{Component, Engine, EntityId, IncludeDisabled, Setup, System, With};
use glam::Vec2;
use tests::{Game, STANDING, ai, match_in, scenario, vary_collectors};

const HALF_M: f32 = 75.0;

/// The position on the other side of the edge, if it is outside.
fn on_torus(position: Vec2) -> Vec2 {
    Vec2::new(position.x + HALF_M, position.y + HALF_M).map(|coordinate| coordinate.rem_euclid(2.0 * HALF_M) - HALF_M)
}

/// A standing AI at `place` among bounties and other collectors, which stand relative to it.
fn scene(place: Vec2, heading: f32, bounties: &[Vec2], others: &[Vec2]) -> Game {
    let at = |relative: Vec2| on_torus(place + relative);
    let mut scene =
        scenario("").seat(0, ai("first")).players(1 + others.len()).collector_at(0, place.x, place.y, heading);
    scene = scene.with_assets(|assets| {
        vary_collectors(assets, STANDING);
    });
    for &relative in bounties {
        scene = scene.bounty_at(at(relative).x, at(relative).y, 10.0);
    }
    for (player, &relative) in others.iter().enumerate() {
        scene = scene.collector_at(player + 1, at(relative).x, at(relative).y, 0.0);
    }
    let mut game = scene.begin();
    game.step(1);
    game
}

/// The bounties and the collectors that the AI of player 0 sees, by their places in the scene.
fn seen(game: &Game) -> (Vec<usize>, Vec<usize>) {
    let index = |entities: &[EntityId], seen: &EntityId| entities.iter().position(|entity| entity == seen);
    let (bounties, me) = (game.bounty_entities(), game.collector(0));
    let collectors: Vec<EntityId> = (0..game.players().0.len()).map(|player| game.collector(player)).collect();
    let radar = game.component::<BountyRadar>(me).bounties.as_slice().iter();
    let avoider = game.component::<CollectorAvoider>(me).collectors.as_slice().iter();
    (
        radar.filter_map(|seen| index(&bounties, seen)).collect(),
        avoider.filter_map(|seen| index(&collectors, seen)).collect(),
    )
}

#[test]
fn ai_sees_across_all_edges_and_corners() {
    for (x, y, heading) in [
        (70.0, 10.0, -FRAC_PI_2),
        (-70.0, 10.0, FRAC_PI_2),
        (10.0, 70.0, 0.0),
        (10.0, -70.0, PI),
        (72.0, 72.0, -PI / 4.0),
        (-72.0, -72.0, 0.75 * PI),
    ] {
        let ahead = forward(heading);
        let game = scene(Vec2::new(x, y), heading, &[ahead * 20.0, -ahead * 20.0], &[ahead * 15.0, -ahead * 15.0]);
        assert_eq!(seen(&game), (vec![0], vec![1]), "at ({x}, {y})");
    }
}

#[test]
fn ai_sees_the_same_everywhere_in_the_world() {
    let mut random = RandomStream::new(1, "test");
    // Multiples of a quarter of a metre, so that a shift rounds nothing.
    let mut quarters = |most_m: f32| (random.between(-most_m, most_m) * 4.0).round() / 4.0;
    let (mut bounties_seen, mut others_seen) = (0, 0);
    for _ in 0..12 {
        let heading = quarters(3.0);
        let [bounties, others] =
            [28.0, 20.0].map(|most_m| [(); 6].map(|()| Vec2::new(quarters(most_m), quarters(most_m))));
        // No collector touches the AI or another one, which would kill both.
        let others: Vec<Vec2> = others.iter().copied().filter(|other| other.length() > 5.0).take(2).collect();
        if others.len() == 2 && others[0].distance(others[1]) < 5.0 {
            continue;
        }
        let expected = seen(&scene(Vec2::ZERO, heading, &bounties, &others));
        for place in [(75.0, 0.0), (-75.0, 0.0), (0.0, 75.0), (0.0, -75.0), (74.75, -74.75), (-60.0, 66.5)] {
            assert_eq!(seen(&scene(Vec2::from(place), heading, &bounties, &others)), expected, "at {place:?}");
        }
        bounties_seen += expected.0.len();
        others_seen += expected.1.len();
    }
    assert!(bounties_seen > 10 && others_seen > 1, "{bounties_seen} bounties, {others_seen} collectors");
}

/// A running match of many AIs in a small world, in which collectors die often.
fn crowd(seed: u64) -> Simulation {
    let assets = Assets::built_in().in_mode("brawl").expect("there is this mode");
    let seats = (0..24).map(|seat| ai(["easy", "normal", "hard"][seat % 3])).collect();
    match_in(&assets, &MatchSetup { seed, seats, play_seconds: Some(600.0) }, GameState::Running)
}

/// Keeps what is seen, by the events.
#[derive(Default)]
struct Witness {
    /// The AI's collector, its sense, and what it sees.
    sees: BTreeSet<(EntityId, Category, EntityId)>,
    ends: usize,
}

impl System for Witness {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_begin).listen(Self::on_end);
    }
}

impl Witness {
    fn on_begin(&mut self, event: &CollisionBegin) {
        if matches!(event.category_b, Category::Radar | Category::Avoider) {
            assert!(self.sees.insert((event.b, event.category_b, event.a)), "it begins once: {event:?}");
        }
    }

    fn on_end(&mut self, event: &CollisionEnd) {
        if matches!(event.category_b, Category::Radar | Category::Avoider) {
            assert!(self.sees.remove(&(event.b, event.category_b, event.a)), "it had begun: {event:?}");
            self.ends += 1;
        }
    }
}

#[test]
fn events_tell_all_that_ais_see_and_dead_ones_see_nothing() {
    let mut simulation = crowd(3);
    simulation.engine_mut().add(Witness::default()).expect("no other system has this name");
    // All begin with nothing seen, as the witness does.
    let everybody: Vec<EntityId> = with::<Collector>(simulation.engine());
    for &entity in &everybody {
        *simulation.engine_mut().get_mut(entity).expect("it is an AI") = BountyRadar::default();
        *simulation.engine_mut().get_mut(entity).expect("it is an AI") = CollectorAvoider::default();
    }
    let mut dead = 0;
    for step in 0..1_200 {
        simulation.step(&Inputs::none());
        let engine = simulation.engine();
        let mut sees = BTreeSet::new();
        for &me in &everybody {
            let (radar, avoider) =
                (engine.get::<BountyRadar>(me).unwrap(), engine.get::<CollectorAvoider>(me).unwrap());
            sees.extend(radar.bounties.as_slice().iter().map(|seen| (me, Category::Radar, *seen)));
            sees.extend(avoider.collectors.as_slice().iter().map(|seen| (me, Category::Avoider, *seen)));
            if engine.entities().is_enabled(me) == Some(false) {
                dead += 1;
                assert!(!sees.iter().any(|(other, ..)| *other == me), "step {step}: {me} is dead");
            }
        }
        let witness = engine.system::<Witness>().expect("it is there");
        assert_eq!(witness.sees, sees, "step {step}");
    }
    let ends = simulation.engine().system::<Witness>().map_or(0, |witness| witness.ends);
    assert!(dead > 100 && ends > 1_000, "{dead} steps of dead collectors, {ends} ends");
}

/// All entities with a component.
fn with<T: Component>(engine: &Engine) -> Vec<EntityId> {
    let mut entities = Vec::new();
    engine.read_filtered::<EntityId, (With<T>, IncludeDisabled)>().for_each(|entity| entities.push(entity));
    entities
}

/// What an AI sees of the living entities with a component, by looking at each.
fn look_at_each<T: Component>(engine: &Engine, me: EntityId, area: Area) -> Vec<EntityId> {
    let pose = engine.get::<Transform>(me).unwrap().pose;
    let mut seen = Vec::new();
    engine.read_filtered::<(EntityId, &Transform, &Shape), With<T>>().for_each(|(entity, transform, shape)| {
        let delta = wrapped_delta(pose.position, transform.pose.position, half_extent_m(engine));
        if entity != me && area.touches(forward(pose.heading), delta, shape.half_extent_m()) {
            seen.push(entity);
        }
    });
    seen.sort_unstable();
    seen
}

fn half_extent_m(engine: &Engine) -> f32 {
    engine.resource::<bounty_hunter::config::MatchRules>().unwrap().world_half_extent_m
}

#[test]
fn ais_see_what_a_look_at_each_object_finds() {
    let mut simulation = crowd(5);
    let (mut compared, mut seen) = (0, 0);
    for step in 0..900 {
        let births_and_deaths = |simulation: &Simulation| {
            let events = simulation.engine().events();
            let sent = [events.counters::<GameObjectSpawned>(), events.counters::<GameObjectKilled>()];
            sent.map(|counters| counters.map_or(0, |counters| counters.sent))
        };
        let before = births_and_deaths(&simulation);
        simulation.step(&Inputs::none());
        // Those that died or spawned at the end of this step are seen in the next one.
        if births_and_deaths(&simulation) != before {
            continue;
        }
        compared += 1;
        let engine = simulation.engine();
        for me in with::<AiController>(engine) {
            if engine.entities().is_enabled(me) != Some(true) {
                continue;
            }
            let profiles = engine.resource::<Profiles>().unwrap();
            let profile = &profiles.0[engine.get::<AiController>(me).unwrap().profile];
            let mut radar = engine.get::<BountyRadar>(me).unwrap().bounties.as_slice().to_vec();
            let mut avoider = engine.get::<CollectorAvoider>(me).unwrap().collectors.as_slice().to_vec();
            radar.sort_unstable();
            avoider.sort_unstable();
            assert_eq!(radar, look_at_each::<Bounty>(engine, me, Area::radar(profile)), "step {step}");
            assert_eq!(avoider, look_at_each::<Collector>(engine, me, Area::avoider(profile)), "step {step}");
            seen += radar.len() + avoider.len();
        }
    }
    assert!(compared > 300 && seen > 1_000, "{compared} steps, {seen} seen");
}
