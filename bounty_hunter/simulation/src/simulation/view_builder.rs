//! Fills a view from the engine.

use std::collections::BTreeMap;

use ecs::{Engine, EntityId};

use super::Simulation;
use crate::ai::{BrainState, Surroundings, avoider_corners, next_turn};
use crate::control::ai_controller::{AiController, Profiles};
use crate::control::player_control::SeatIntents;
use crate::control::senses::CollectorAvoider;
use crate::data::arena::{Pose, wrapped_delta};
use crate::data::config::MatchRules;
use crate::gameplay::gold_rush::GoldRush;
use crate::gameplay::leader::LEADER;
use crate::gameplay::lives::Lives;
use crate::gameplay::match_flow::GameFlow;
use crate::gameplay::player::{Player, Players, Seat};
use crate::gameplay::spell::{Magnet, Spell, SpellCaster};
use crate::objects::appearance::Appearance;
use crate::objects::bounty::{Bounty, Worth};
use crate::objects::capacity::Capacity;
use crate::objects::collector::{Collector, Pocket};
use crate::objects::game_object::{GameObject, GameObjectKind, Transform};
use crate::objects::ghost::Ghost;
use crate::objects::health::Health;
use crate::objects::hunger::Hunger;
use crate::objects::lifetime::Lifetime;
use crate::objects::mine::{Mine, MineLayer};
use crate::objects::passes::Passes;
use crate::objects::power_up::PowerUp;
use crate::objects::powers::Powers;
use crate::objects::respawn::Respawn;
use crate::objects::scene_camera::{Follows, MAX_CAMERAS, SceneCamera};
use crate::objects::sound_source::SoundSource;
use crate::objects::stash::Stash;
use crate::objects::switch::Switch;
use crate::objects::team::Team;
use crate::objects::touch::Touching;
use crate::objects::wall::{SolidWalls, Wall};
use crate::physics::{Body, ContactKind, Physics, Shape};
use crate::simulation::view::{
    BountyView, CameraView, CollectorView, DebugShape, Face, GoldRushView, MineView, Mood, ObjectView, PlayedBy,
    PlayerView, PowerUpView, SourceView, SpellView, StashView, TeamView, View, WallView,
};

pub(super) fn build(simulation: &Simulation, view: &mut View) {
    let engine = &simulation.engine;
    view.tick = simulation.tick;
    view.ground = simulation.plan.config.ground;
    if let Some(flow) = engine.resource::<GameFlow>() {
        view.state = flow.state();
        view.countdown_seconds = flow.countdown_seconds();
        view.clock_seconds = flow.clock_seconds();
        view.result = flow.result().cloned();
    }
    if let Some(rules) = engine.resource::<MatchRules>() {
        view.world_half_extent = rules.world_half_extent_m;
        view.full_stash_ends_match = rules.options.full_stash_ends_match;
    }
    build_players(simulation, view);
    build_objects(simulation, view);
    build_sources(engine, view);
    build_cameras(engine, view);
    view.debug.clear();
    if view.is_debug_drawn {
        build_debug_shapes(simulation, view);
    }
}

fn build_players(simulation: &Simulation, view: &mut View) {
    let engine = &simulation.engine;
    view.players.clear();
    let Some(players) = engine.resource::<Players>() else { return };
    let spells = simulation.plan.rules.options.spells;
    // All collectors of a match are of one kind, and so are all stashes.
    let capacity = |object: Option<EntityId>| object.and_then(|object| engine.get::<Capacity>(object));
    let first = players.0.first();
    view.pocket_capacity = capacity(first.map(|player| player.collector)).map_or(0.0, |capacity| capacity.points);
    view.stash_capacity = capacity(first.map(|player| player.stash)).map_or(0.0, |capacity| capacity.points);
    let leader = engine.entity_lists().tagged(LEADER).and_then(|collector| engine.get::<Collector>(collector));
    view.leader = leader.map(|collector| collector.player);
    let steps_per_second = simulation.plan.config.steps_per_second as f32;
    let intents = engine.resource::<SeatIntents>();
    let intents = intents.as_deref();
    let statistics = simulation.statistics();
    view.awards = statistics.awards;
    view.paused_seconds = statistics.paused_ticks as f32 / steps_per_second;
    for (index, player) in (0..).zip(&players.0) {
        let lives = engine.get::<Lives>(player.collector);
        let out_at_clock_ticks = lives.and_then(|lives| lives.out_at_clock_ticks);
        view.players.push(PlayerView {
            index,
            name: player.name.clone(),
            played_by: played_by(player, simulation.plan.seats.get(index as usize).map(|(seat, _)| seat)),
            team: engine.get::<Team>(player.collector).map(|team| TeamView {
                number: team.number,
                stashed: 0.0,
                out_at_clock_seconds: None,
            }),
            stashed: engine.get::<Stash>(player.stash).map_or(0.0, |stash| stash.stashed),
            pocket: engine.get::<Pocket>(player.collector).map_or(0.0, |pocket| pocket.carried),
            respawn_seconds: engine
                .get::<Respawn>(player.collector)
                .and_then(|respawn| respawn.left_seconds)
                .unwrap_or(0.0),
            lives: lives.map(|lives| lives.left),
            out_at_clock_seconds: out_at_clock_ticks.map(|ticks| ticks as f32 / steps_per_second),
            person: player.person(),
            intent: intents.and_then(|intents| intents.0.get(index as usize)).copied().unwrap_or_default(),
            health: engine.get::<Health>(player.collector).map(|health| health.share()),
            statistics: statistics.of(index),
            spells: engine.get::<SpellCaster>(player.collector).zip(spells).map(|(caster, rules)| {
                Spell::ALL.map(|spell| SpellView {
                    left_seconds: caster.left_seconds[spell.index()],
                    cooldown_seconds: spell.cooldown_seconds(&rules),
                })
            }),
        });
    }
    sum_up_teams(&mut view.players);
}

/// Gives the players of each team the sum of their stashes and their latest exit.
fn sum_up_teams(players: &mut [PlayerView]) {
    let mut teams: BTreeMap<u32, TeamView> = BTreeMap::new();
    for player in &*players {
        let Some(team) = player.team else { continue };
        let out_at_clock_seconds = player.out_at_clock_seconds;
        let team = teams.entry(team.number).or_insert(TeamView { out_at_clock_seconds, ..team });
        team.stashed += player.stashed;
        let last = team.out_at_clock_seconds.zip(out_at_clock_seconds);
        team.out_at_clock_seconds = last.map(|(one, other)| one.min(other));
    }
    for player in players {
        player.team = player.team.and_then(|team| teams.get(&team.number).copied());
    }
}

/// Who plays a player whose seat in the set-up is this one. A script there is none of a person, but one in the seat of
/// an AI is: a person has taken the seat over a network.
fn played_by(player: &Player, of_setup: Option<&Seat>) -> PlayedBy {
    let has_taken_over = player.seat == Seat::Script && of_setup != Some(&Seat::Script);
    if player.person().is_some() || has_taken_over { PlayedBy::Person } else { PlayedBy::Ai }
}

fn build_objects(simulation: &Simulation, view: &mut View) {
    let engine = &simulation.engine;
    view.collectors.clear();
    let chain = simulation.plan.rules.options.chain;
    let players = engine.resource::<Players>();
    let shown = engine.read::<(
        (EntityId, &Collector, &Transform, &Shape, &Pocket, &Capacity),
        (Option<&Ghost>, Option<&Powers>, Option<&Magnet>, Option<&Health>, Option<&Hunger>),
        (Option<&AiController>, Option<&CollectorAvoider>, Option<&MineLayer>),
    )>();
    shown.for_each(
        |(
            (entity, collector, transform, shape, pocket, capacity),
            (ghost, powers, magnet, health, hunger),
            (ai, avoider, layer),
        )| {
            let player = players.as_ref().and_then(|players| players.0.get(collector.player as usize));
            let habit = player.filter(|player| player.is_driven_by_ai()).and_then(|player| player.habit);
            let hull = habit.and_then(|habit| simulation.plan.config.habits.get(habit)).map(|habit| habit.hull);
            let powers = powers.copied().unwrap_or_default();
            view.collectors.push(CollectorView {
                key: entity.bits(),
                player: collector.player,
                position: transform.pose.position,
                heading: transform.pose.heading,
                half_extent: shape.half_extent_m(),
                fullness: pocket.carried / capacity.points,
                chain_factor: chain.map_or(1.0, |chain| chain.factor(pocket.links)),
                ghost_seconds: ghost.map_or(0.0, |ghost| ghost.left_seconds),
                health: health.map(|health| health.share()),
                starves_in_seconds: hunger.map(|hunger| hunger.left_seconds),
                dash_seconds: powers.dash_seconds,
                shield_seconds: powers.shield_seconds,
                double_seconds: powers.double_seconds,
                magnet_range: magnet.map_or(0.0, |magnet| magnet.range_m),
                face: hull.map(|hull| Face { hull, mood: mood(engine, (ai, avoider)) }),
                carries_mine: layer.is_some_and(|layer| layer.carried.is_some()),
                teleported: transform.is_teleported,
            });
        },
    );
    view.collectors.sort_by_key(|collector| collector.key);
    view.bounties.clear();
    engine.read::<(EntityId, &Bounty, &Transform, &Shape, &Lifetime, Option<&Appearance>)>().for_each(
        |(entity, bounty, transform, shape, lifetime, appearance)| {
            view.bounties.push(BountyView {
                key: entity.bits(),
                position: transform.pose.position,
                heading: transform.pose.heading,
                half_extent: shape.half_extent_m(),
                value: bounty.value,
                worth: bounty.worth,
                alpha: lifetime.alpha(),
                color: appearance.map(|appearance| appearance.color),
                teleported: transform.is_teleported,
            });
        },
    );
    view.bounties.sort_by_key(|bounty| bounty.key);
    view.power_ups.clear();
    engine.read::<(EntityId, &PowerUp, &Transform, &Shape, &Lifetime)>().for_each(
        |(entity, power_up, transform, shape, lifetime)| {
            view.power_ups.push(PowerUpView {
                key: entity.bits(),
                position: transform.pose.position,
                half_extent: shape.half_extent_m(),
                alpha: lifetime.alpha(),
                power_up: power_up.clone(),
            });
        },
    );
    view.power_ups.sort_by_key(|power_up| power_up.key);
    build_mines(engine, view);
    view.gold_rush = gold_rush(engine);
    build_other_objects(engine, view);
    view.stashes.clear();
    let score = |stash: &Stash| view.players.get(stash.player as usize).map_or(stash.stashed, PlayerView::score);
    engine.read::<(&Stash, &Capacity, &Transform, &Shape)>().for_each(|(stash, capacity, transform, shape)| {
        view.stashes.push(StashView {
            player: stash.player,
            position: transform.pose.position,
            half_extent: shape.half_extent_m(),
            // The stashes of a team fill together.
            fullness: score(stash) / capacity.points,
        });
    });
    view.stashes.sort_by_key(|stash| stash.player);
    view.walls.clear();
    engine.read::<(&Wall, &Transform)>().for_each(|(wall, transform)| {
        let (position, half_extents) = (transform.pose.position, wall.half_extents_m);
        view.walls.push(WallView { position, half_extents, is_solid: wall.is_solid });
    });
}

/// What an AI is up to: what it does about others comes before what it does with its load.
fn mood(engine: &Engine, (controller, avoider): (Option<&AiController>, Option<&CollectorAvoider>)) -> Mood {
    let Some(brain) = controller.map(|controller| &controller.brain) else { return Mood::Calm };
    let target = brain.target.map(|target| EntityId::from_bits(target.key));
    let is_hunting = target.is_some_and(|target| engine.has::<Collector>(target));
    let threats = avoider.map_or(&[][..], |avoider| avoider.collectors.as_slice());
    match brain.state.current() {
        _ if threats.iter().any(|threat| Some(*threat) != target) => Mood::Wary,
        _ if is_hunting => Mood::Hunting,
        BrainState::StashBounty => Mood::Homeward,
        _ => Mood::Calm,
    }
}

fn build_mines(engine: &Engine, view: &mut View) {
    view.mines.clear();
    engine.read::<(EntityId, &Mine, &Transform, &Shape, &Lifetime)>().for_each(
        |(entity, mine, transform, shape, lifetime)| {
            view.mines.push(MineView {
                key: entity.bits(),
                owner: mine.owner,
                position: transform.pose.position,
                half_extent: shape.half_extent_m(),
                arms_in_seconds: mine.arms_in_seconds,
                left_seconds: lifetime.left_seconds,
            });
        },
    );
    view.mines.sort_by_key(|mine| mine.key);
}

/// The gold in the arena, or the one that is announced.
fn gold_rush(engine: &Engine) -> Option<GoldRushView> {
    let (rush, rules) = (engine.resource::<GoldRush>()?, engine.resource::<MatchRules>()?);
    let (gold, options) = (rush.gold, rules.options.gold_rush.as_ref()?);
    let key = gold.bits();
    if engine.entities().is_enabled(gold) == Some(true) {
        let (bounty, transform) = (engine.get::<Bounty>(gold)?, engine.get::<Transform>(gold)?);
        let position = transform.pose.position;
        return Some(GoldRushView { key, position, appears_in_seconds: 0.0, value: bounty.value });
    }
    let next = rush.next.filter(|next| next.in_seconds <= options.announce_seconds)?;
    let value = engine.get::<Worth>(gold)?.value.1;
    Some(GoldRushView { key, position: next.at.position, appears_in_seconds: next.in_seconds, value })
}

/// The opacity of what stops nothing: trigger boxes and open doors.
const PASSABLE_ALPHA: f32 = 0.3;

/// Fills in the objects of kind `Other`.
fn build_other_objects(engine: &Engine, view: &mut View) {
    view.objects.clear();
    engine
        .read::<(
            (EntityId, &GameObject, &Transform, &Shape),
            (Option<&Appearance>, Option<&Lifetime>, Option<&Body>, Option<&Switch>, Option<&Passes>),
        )>()
        .for_each(|((entity, object, transform, shape), (appearance, lifetime, body, switch, passes))| {
            if object.kind == GameObjectKind::Other {
                let is_passable = body.is_some_and(|body| body.category.is_sensor())
                    || switch.is_some_and(|switch| switch.is_open)
                    || passes.is_some_and(Passes::let_collectors_through);
                view.objects.push(ObjectView {
                    key: entity.bits(),
                    position: transform.pose.position,
                    heading: transform.pose.heading,
                    shape: *shape,
                    color: appearance.map(|appearance| appearance.color),
                    alpha: lifetime.map_or(1.0, |lifetime| lifetime.alpha())
                        * if is_passable { PASSABLE_ALPHA } else { 1.0 },
                    teleported: transform.is_teleported,
                });
            }
        });
    view.objects.sort_by_key(|object| object.key);
}

/// Fills in what can be heard.
fn build_sources(engine: &Engine, view: &mut View) {
    view.sources.clear();
    engine.read::<(EntityId, &SoundSource, &Transform, Option<&Switch>)>().for_each(
        |(entity, sound, transform, switch)| {
            view.sources.push(SourceView {
                key: entity.bits(),
                position: transform.pose.position,
                sound: sound.clone(),
                is_open: switch.is_some_and(|switch| switch.is_open),
                is_touched: false,
            });
        },
    );
    view.sources.sort_by_key(|source| source.key);
    let Some(physics) = engine.resource::<Physics>().filter(|_| !view.sources.is_empty()) else { return };
    for contact in physics.contacts().iter().filter(|contact| contact.kind == ContactKind::Begin) {
        for key in [contact.a.0, contact.b.0] {
            if let Ok(index) = view.sources.binary_search_by_key(&key, |source| source.key) {
                view.sources[index].is_touched = true;
            }
        }
    }
}

/// Fills in the cameras of the level.
fn build_cameras(engine: &Engine, view: &mut View) {
    view.cameras.clear();
    let players = engine.resource::<Players>();
    engine.read::<(EntityId, &SceneCamera, &Transform)>().for_each(|(entity, camera, own)| {
        let followed = match &camera.follows {
            Follows::Itself => None,
            Follows::Player(number) => {
                let player = players.as_ref().and_then(|players| players.0.get(*number as usize - 1));
                player.map(|player| player.collector)
            }
            Follows::Place(place) => engine.entity_lists().tagged(place.tag()),
        };
        let place = followed.and_then(|followed| engine.get::<Transform>(followed)).unwrap_or(own);
        let (position, half_height) = (place.pose.position, camera.half_height_m);
        view.cameras.push(CameraView { key: entity.bits(), position, half_height, order: camera.order });
    });
    view.cameras.sort_by_key(|camera| (camera.order, camera.key));
    view.cameras.truncate(MAX_CAMERAS);
}

/// The most corners that are shown of an AI's way.
const MAX_SHOWN_TURNS: usize = 8;

fn build_debug_shapes(simulation: &Simulation, view: &mut View) {
    let engine = &simulation.engine;
    let half_extent_m = view.world_half_extent;
    let (Some(profiles), Some(walls)) = (engine.resource::<Profiles>(), engine.resource::<SolidWalls>()) else {
        return;
    };
    let shapes = &mut view.debug;
    let ais = engine.read::<(&AiController, &Transform, &Shape, &CollectorAvoider)>();
    ais.for_each(|(ai_controller, transform, shape, avoider)| {
        let Some(profile) = profiles.0.get(ai_controller.profile).filter(|_| !ai_controller.is_relieved) else {
            return;
        };
        let Pose { position, heading } = transform.pose;
        let (range, half_angle) = (profile.radar_range_m, profile.radar_angle_rad / 2.0);
        shapes.push(DebugShape::Radar { position, heading, range, half_angle });
        shapes.push(DebugShape::Avoider { corners: avoider_corners(profile, transform.pose) });
        for threat in avoider.collectors.as_slice() {
            if let Some(other) = engine.get::<Transform>(*threat) {
                let to = position + wrapped_delta(position, other.pose.position, half_extent_m);
                shapes.push(DebugShape::Threat { from: position, to });
            }
        }
        if let Some(goal) = ai_controller.brain.goal(ai_controller.home) {
            let collector_half_extent_m = shape.half_extent_m();
            let surroundings = Surroundings { walls: &walls.blocks, collector_half_extent_m, half_extent_m };
            let mut from = position;
            for _ in 0..MAX_SHOWN_TURNS {
                let Some(corner) = next_turn(from, goal, profile.strategy, &surroundings) else { break };
                let to = from + wrapped_delta(from, corner, half_extent_m);
                shapes.push(DebugShape::Way { from, to });
                from = to;
            }
            let to = from + wrapped_delta(from, goal, half_extent_m);
            shapes.push(DebugShape::Target { from, to });
        }
    });
    engine.read::<&Touching>().for_each(|touching| {
        let place = |collector| engine.get::<Transform>(collector).map(|transform| transform.pose.position);
        if let (Some(one), Some(other)) = (place(touching.a), place(touching.b)) {
            shapes.push(DebugShape::Contact { at: one + wrapped_delta(one, other, half_extent_m) / 2.0 });
        }
    });
    if let Some(physics) = engine.resource::<Physics>() {
        shapes.extend(physics.contact_points().map(|at| DebugShape::Contact { at }));
    }
    engine.read::<(&Shape, &Transform)>().for_each(|(shape, transform)| {
        shapes.push(DebugShape::HitBox { corners: shape.corners(transform.pose) });
    });
}
