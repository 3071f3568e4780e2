//! Situations drawn as pictures: the places of objects at the start of a match.

use std::f32::consts::{FRAC_PI_2, PI};

use bounty_hunter::arena::Pose;
use bounty_hunter::assets::Assets;
use bounty_hunter::bounty::Bounty;
use bounty_hunter::config::{GoldRushRules, HealthRules, HungerRules, PowerUpRules, RulesConfig, SpellRules};
use bounty_hunter::game_object::{RigidBody, Transform};
use bounty_hunter::input::Inputs;
use bounty_hunter::lifetime::Lifespan;
use bounty_hunter::physics::Physics;
use bounty_hunter::player::Players;
use bounty_hunter::prefabs;
use bounty_hunter::respawn::Spawn;
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::view::GameState;
use ecs::{Engine, EntityId};
use glam::Vec2;

use crate::{Game, LONG_PLAY_SECONDS, add_variant, vary_bounties};

/// The side of a cell of a picture, metres.
pub const CELL_M: f32 = 2.0;
/// Half the side of the bounties of a scenario, metres.
const BOUNTY_HALF_EXTENT_M: f32 = 1.0;
/// The default value of a bounty of a scenario.
const BOUNTY_VALUE: f32 = 10.0;
/// Long enough for all objects to spawn before the match.
const COUNTDOWN_SECONDS: f32 = 4.0 / 60.0;

/// The description of a situation; [`begin`](Self::begin) starts it.
pub struct Scenario {
    assets: Assets,
    seats: Vec<Seat>,
    seed: u64,
    play_seconds: f32,
    collectors: Vec<(usize, Pose)>,
    stashes: Vec<(usize, Vec2)>,
    bounties: Vec<(Vec2, f32)>,
    power_ups: Vec<Vec2>,
}

/// Draws a situation. The middle of the picture is the middle of the world; a cell is [`CELL_M`] wide.
///
/// | symbol | meaning |
/// |---|---|
/// | `> < ^ v` | a collector that faces this way; the first one in reading order is player 0's, and so on |
/// | `0` to `9` | the stash of this player |
/// | `b` | a bounty, worth 10 |
/// | `p` | a power-up, if the rules have power-ups |
/// | `.` | nothing |
///
/// Scripts drive all collectors, which stand still at first, and the match lasts an hour. The arena holds only the
/// drawn bounties and power-ups, and stashes hold 250. Collectors and stashes that are not drawn stand at their usual
/// places, far out.
///
/// # Panics
/// If the picture has an unknown symbol.
#[must_use]
pub fn scenario(picture: &str) -> Scenario {
    let mut assets = Assets::built_in();
    assets.game.countdown_seconds = COUNTDOWN_SECONDS;
    (assets.game.bounties_per_player, assets.game.least_bounties) = (0.0, 0);
    assets.game.stash_sizes.clear();
    // Bounties have one size and do not expire, unless a scenario is about their lifetimes.
    let half_m = BOUNTY_HALF_EXTENT_M;
    vary_bounties(
        &mut assets,
        &format!("\"worth\": (half_extent_m: ({half_m}, {half_m})), {}", lasting(LONG_PLAY_SECONDS)),
    );
    let mut scenario = Scenario {
        assets,
        seats: Vec::new(),
        seed: 1,
        play_seconds: LONG_PLAY_SECONDS,
        collectors: Vec::new(),
        stashes: Vec::new(),
        bounties: Vec::new(),
        power_ups: Vec::new(),
    };
    scenario.draw(picture);
    scenario
}

impl Scenario {
    fn draw(&mut self, picture: &str) {
        let rows: Vec<&str> = picture.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
        let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let mut players = 1;
        for (row, line) in rows.iter().enumerate() {
            for (column, symbol) in line.chars().enumerate() {
                let cells = Vec2::new(column as f32, -(row as f32));
                let middle = Vec2::new(width as f32 - 1.0, 1.0 - rows.len() as f32) / 2.0;
                let place = (cells - middle) * CELL_M;
                let mut collector = |heading| self.collectors.push((self.collectors.len(), Pose::new(place, heading)));
                match symbol {
                    '^' => collector(0.0),
                    '<' => collector(FRAC_PI_2),
                    'v' => collector(PI),
                    '>' => collector(-FRAC_PI_2),
                    'b' => self.bounties.push((place, BOUNTY_VALUE)),
                    'p' => self.power_ups.push(place),
                    '.' => {}
                    _ => {
                        let player = symbol.to_digit(10).expect("a picture has only known symbols") as usize;
                        self.stashes.push((player, place));
                        players = players.max(player + 1);
                    }
                }
            }
        }
        self.seats = vec![Seat::Script; players.max(self.collectors.len())];
    }

    /// Changes the assets.
    #[must_use]
    pub fn with_assets(mut self, change: impl FnOnce(&mut Assets)) -> Self {
        change(&mut self.assets);
        self
    }

    /// Changes the options of the rules.
    #[must_use]
    pub fn with_rules(self, change: impl FnOnce(&mut RulesConfig)) -> Self {
        self.with_assets(|assets| change(&mut assets.game.rules))
    }

    /// Switches power-ups on; only drawn ones exist. They do not expire and make ghosts for `ghost_seconds`.
    #[must_use]
    pub fn with_power_ups(self, ghost_seconds: f32) -> Self {
        self.with_power_up(&format!("Ghost(seconds: {ghost_seconds:?})"))
    }

    /// Switches power-ups on that do this, as a prefab says it; only drawn ones exist, and they do not expire.
    #[must_use]
    pub fn with_power_up(self, power_up: &str) -> Self {
        let half_m = BOUNTY_HALF_EXTENT_M;
        let components = format!(
            r#""shape": Square(half_extent_m: {half_m}), "power-up": {power_up},
            "respawn delay": (delay_seconds: {LONG_PLAY_SECONDS}), {}"#,
            lasting(LONG_PLAY_SECONDS)
        );
        self.with_assets(|assets| {
            let prefab = add_variant(assets, "ghost power-up", &components);
            let mine = power_up.starts_with("Mine").then(|| "mine".to_owned());
            let rules = PowerUpRules { prefabs: vec![prefab], power_ups_per_player: 0.0, least_power_ups: 0, mine };
            assets.game.rules.power_ups = Some(rules);
        })
    }

    /// Switches spells on. They cool down for 10, 20 and 30 seconds; a magnet lasts 3 s, reaches 20 m and pulls at 10
    /// m/s.
    #[must_use]
    pub fn with_spells(self) -> Self {
        self.with_rules(|rules| {
            rules.spells = Some(SpellRules {
                purge_cooldown_seconds: 10.0,
                strike_cooldown_seconds: 20.0,
                magnet_cooldown_seconds: 30.0,
                magnet_seconds: 3.0,
                magnet_range_m: 20.0,
                magnet_speed_mps: 10.0,
            });
        })
    }

    /// Switches health on: 100 points, 40 points of damage, a grace period of half a second.
    #[must_use]
    pub fn with_health(self) -> Self {
        self.with_rules(|rules| {
            rules.health = Some(HealthRules { most_health: 100.0, damage: 40.0, grace_seconds: 0.5 });
        })
    }

    /// Switches hunger on: collectors starve after so many seconds without a delivery, at any time of the match.
    #[must_use]
    pub fn with_hunger(self, starve_seconds: f32) -> Self {
        self.with_rules(|rules| rules.hunger = Some(HungerRules { starve_seconds: (starve_seconds, starve_seconds) }))
    }

    /// Switches gold rushes on: the gold is announced after one second, appears in the middle one second later and
    /// stands still. It is worth 100, and what does not fit into a pocket spills as up to 4 bounties of 10.
    #[must_use]
    pub fn with_gold_rush(self) -> Self {
        self.with_rules(|rules| {
            rules.gold_rush = Some(GoldRushRules {
                prefab: "gold".to_owned(),
                wait_seconds: (2.0, 2.0),
                announce_seconds: 1.0,
                region_share: 0.0,
                speed_mps: 0.0,
                most_turn_radps: 0.0,
                spilled_bounties: 4,
                spilled_points: 10.0,
            });
        })
    }

    /// Adds players until there are at least `players`.
    #[must_use]
    pub fn players(mut self, players: usize) -> Self {
        self.seats.resize(players.max(self.seats.len()), Seat::Script);
        self
    }

    /// Sets what controls a seat.
    #[must_use]
    pub fn seat(mut self, player: usize, seat: Seat) -> Self {
        self.seats[player] = seat;
        self
    }

    /// Puts a collector at a place in metres with a heading.
    #[must_use]
    pub fn collector_at(mut self, player: usize, x: f32, y: f32, heading: f32) -> Self {
        self.collectors.push((player, Pose::new(Vec2::new(x, y), heading)));
        self.players(player + 1)
    }

    /// Adds a bounty at a place in metres.
    #[must_use]
    pub fn bounty_at(mut self, x: f32, y: f32, value: f32) -> Self {
        self.bounties.push((Vec2::new(x, y), value));
        self
    }

    /// Adds a power-up at a place in metres.
    #[must_use]
    pub fn power_up_at(mut self, x: f32, y: f32) -> Self {
        self.power_ups.push(Vec2::new(x, y));
        self
    }

    /// Sets the value of all bounties added so far.
    #[must_use]
    pub fn worth(mut self, value: f32) -> Self {
        self.bounties.iter_mut().for_each(|(_, worth)| *worth = value);
        self
    }

    /// Gives bounties their usual lifetimes.
    #[must_use]
    pub fn mortal_bounties(self) -> Self {
        let built_in = Assets::built_in();
        let usual = built_in.prefabs.component::<Lifespan>("bounty").expect("bounties have a lifespan");
        let lifespan = format!("\"lifespan\": (lifetime_seconds: {:?})", usual.lifetime_seconds);
        self.with_assets(|assets| vary_bounties(assets, &lifespan))
    }

    /// Sets the seed.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets the length of the match.
    #[must_use]
    pub fn lasting(mut self, play_seconds: f32) -> Self {
        self.play_seconds = play_seconds;
        self
    }

    /// Starts the match; no step of play was taken yet.
    ///
    /// # Panics
    /// If the match cannot be set up.
    #[must_use]
    pub fn begin(self) -> Game {
        let Self { assets, seats, seed, play_seconds, collectors, stashes, bounties, power_ups } = self;
        let game = &assets.game;
        let (bounty, power_up) = (&game.kinds.bounty, game.rules.power_ups.as_ref().map(|rules| &rules.prefabs[0]));
        let setup = MatchSetup { seed, seats, play_seconds: Some(play_seconds) };
        let mut simulation = Simulation::new(&assets, &setup).expect("the scenario can be set up");
        while simulation.step(&Inputs::none()).state != GameState::Started {}
        simulation.step(&Inputs::none());
        let engine = simulation.engine_mut();
        let bounties: Vec<_> = bounties.into_iter().map(|(place, value)| (add(engine, bounty, place), value)).collect();
        simulation.step(&Inputs::none());
        let engine = simulation.engine_mut();
        for (bounty, value) in bounties {
            engine.get_mut::<Bounty>(bounty).expect("the bounty was just added").value = value;
        }
        for place in power_ups {
            add(engine, power_up.expect("a scenario with power-ups has rules for them"), place);
        }
        let players = engine.resource::<Players>().expect("there are players").clone();
        for (player, pose) in collectors {
            put(engine, players.0[player].collector, pose);
        }
        for (player, place) in stashes {
            put(engine, players.0[player].stash, Pose::new(place, 0.0));
        }
        while simulation.step(&Inputs::none()).state != GameState::Running {}
        Game::playing(simulation)
    }
}

/// Adds an object that respawns in the region of bounties.
fn add(engine: &mut Engine, kind: &str, place: Vec2) -> EntityId {
    let region = region(engine);
    prefabs::place_at(engine, kind, Pose::new(place, 0.0), region).expect("the kind exists")
}

/// A `lifespan` of `seconds`.
fn lasting(seconds: f32) -> String {
    format!("\"lifespan\": (lifetime_seconds: ({seconds}, {seconds}))")
}

/// The region in which bounties spawn.
fn region(engine: &Engine) -> EntityId {
    let mut region = None;
    engine.read::<(EntityId, &Spawn)>().for_each(|(entity, spawn)| {
        if matches!(spawn, Spawn::Region(_)) {
            region = Some(entity);
        }
    });
    region.expect("an arena has a region of bounties")
}

/// Moves an object at once.
pub(crate) fn put(engine: &mut Engine, object: EntityId, pose: Pose) {
    let body = engine.get::<RigidBody>(object).expect("the object has a body").0;
    engine.resource_mut::<Physics>().expect("there is physics").set_pose(body, pose);
    *engine.get_mut::<Transform>(object).expect("the object has a place") = Transform::at(pose);
}
