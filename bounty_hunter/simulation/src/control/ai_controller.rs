//! AIs that control collectors. They know only what they see, and yield an intent, as a keyboard does.

mod explanation;
mod minefield;

use ecs::{EntityId, EntityLists, Query, Random, Res, Setup, System, With};
use serde::{Deserialize, Serialize};
use slotmap::SecondaryMap;

use self::minefield::Minefield;

use crate::ai::{
    Agility, Brain, BrainState, CROWN_STAKE, Radar, Rival, Seen, Senses as Sensed, Surroundings, Target, Threat,
    around_walls, goes_for_gold, is_gold_near, looks_for_power_ups, sight_power_up, sight_rival, think,
};
use crate::control::senses::{BountyRadar, CollectorAvoider, USUAL_SIGHTINGS};
use crate::data::arena::wrapped_delta;
use crate::data::config::{AiProfile, MatchRules, Strategy};
use crate::data::grid::{Disc, Grid};
use crate::data::input::Intent;
use crate::events::GameObjectSpawned;
use crate::gameplay::leader::LEADER;
use crate::gameplay::lives::Lives;
use crate::gameplay::match_flow::GameFlow;
use crate::gameplay::player::Players;
use crate::objects::bounty::Bounty;
use crate::objects::capacity::Capacity;
use crate::objects::collector::{Collector, Controls, Drive, DriveCollectors, Pocket};
use crate::objects::game_object::Transform;
use crate::objects::ghost::Ghost;
use crate::objects::gold::Gold;
use crate::objects::health::Health;
use crate::objects::hunger::Hunger;
use crate::objects::mine::Mine;
use crate::objects::power_up::PowerUp;
use crate::objects::stash::Stash;
use crate::objects::team::Team;
use crate::objects::wall::SolidWalls;
use crate::physics::Shape;
use crate::random::Wandering;

pub use self::explanation::{AiExplanation, Choice, explain};

/// Component of a collector that an AI drives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AiController {
    /// Index into the [`Profiles`].
    pub profile: usize,
    /// Its memory.
    pub brain: Brain,
    /// Position of its stash, metres; with teams, that of the nearest stash of its team.
    pub home: glam::Vec2,
    /// A person has taken over the control.
    pub is_relieved: bool,
}

/// Resource: the AI profiles of this match. Constant while a match runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Profiles(pub Vec<AiProfile>);

/// Runs the AIs and sets the intents of their collectors.
#[derive(Clone, Debug)]
pub struct AiControllers {
    seen: Vec<Seen>,
    threats: Vec<Threat>,
    power_ups: Grid,
    mines: Minefield,
    /// All living collectors that are no ghosts.
    collectors: Vec<Rival>,
    /// Where each is in that list.
    indices: SecondaryMap<EntityId, usize>,
    /// Their indices in that list, by place.
    places: Grid,
    /// Those in the radar of one AI.
    rivals: Vec<Rival>,
    /// The places of the stashes of all teams, by team.
    homes: Vec<(Team, glam::Vec2)>,
}

impl Default for AiControllers {
    fn default() -> Self {
        Self {
            seen: Vec::with_capacity(USUAL_SIGHTINGS),
            threats: Vec::with_capacity(USUAL_SIGHTINGS),
            power_ups: Grid::default(),
            mines: Minefield::default(),
            collectors: Vec::with_capacity(USUAL_SIGHTINGS),
            indices: SecondaryMap::new(),
            places: Grid::default(),
            rivals: Vec::with_capacity(USUAL_SIGHTINGS),
            homes: Vec::new(),
        }
    }
}

impl System for AiControllers {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .before_type::<DriveCollectors>()
            .update(Self::find_collectors)
            .update(Self::go_to_nearest_stash)
            .update(Self::think)
            .listen(Self::on_spawned);
    }
}

type Found<'q> = Query<
    'q,
    (
        EntityId,
        &'static Collector,
        &'static Transform,
        &'static Pocket,
        Option<&'static Ghost>,
        Option<&'static Lives>,
        Option<&'static Health>,
        Option<&'static Team>,
    ),
>;

impl AiControllers {
    /// Lists the collectors that AIs may attack or must reckon with.
    fn find_collectors(&mut self, found: Found<'_>, entity_lists: EntityLists, rules: Res<MatchRules>) {
        let crowned = entity_lists.tagged(LEADER);
        self.collectors.clear();
        let solid = found.iter().filter(|(.., ghost, _, _, _)| ghost.is_none());
        self.collectors.extend(solid.map(|(entity, _, transform, pocket, _, lives, health, team)| {
            let limits = [lives.map(|lives| lives.left as f32), health.map(|health| health.share())];
            let strength = limits.into_iter().flatten().reduce(|lives, health| lives + health);
            let stake = pocket.carried + if Some(entity) == crowned { CROWN_STAKE } else { 0.0 };
            let team = team.map(|team| team.number);
            Rival { key: entity.bits(), pose: transform.pose, stake, strength, team }
        }));
        self.indices.clear();
        for (index, collector) in (0..).zip(&self.collectors) {
            self.indices.insert(EntityId::from_bits(collector.key), index);
        }
        let places = self.collectors.iter().enumerate();
        let places = places.map(|(index, collector)| point(index as u64, collector.pose.position));
        self.places.fill(rules.world_half_extent_m, places);
        // Room for all of them, so that a warm step allocates nothing.
        self.rivals.clear();
        self.rivals.reserve(self.collectors.len());
        self.seen.clear();
        self.seen.reserve(USUAL_SIGHTINGS + self.collectors.len());
    }

    /// In a match of teams, an AI unloads at the nearest stash of its team.
    fn go_to_nearest_stash(
        &mut self,
        mut controllers: Query<(&mut AiController, &Team, &Transform)>,
        stashes: Query<(&Team, &Transform), With<Stash>>,
        rules: Res<MatchRules>,
    ) {
        self.homes.clear();
        self.homes.extend(stashes.iter().map(|(team, transform)| (*team, transform.pose.position)));
        // Stable: of two equally near stashes, that of the first seat is taken.
        self.homes.sort_by_key(|(team, _)| *team);
        for (ai_controller, team, transform) in &mut controllers {
            let first = self.homes.partition_point(|(other, _)| other < team);
            let homes = self.homes[first..].iter().take_while(|(other, _)| other == team);
            let distance_m =
                |place: glam::Vec2| wrapped_delta(transform.pose.position, place, rules.world_half_extent_m).length();
            let nearest = homes.min_by(|(_, one), (_, other)| distance_m(*one).total_cmp(&distance_m(*other)));
            if let Some((_, home)) = nearest {
                ai_controller.home = *home;
            }
        }
    }

    #[allow(clippy::type_complexity)]
    fn think(
        &mut self,
        mut controllers: Query<(
            (
                &mut AiController,
                &mut Controls,
                &Pocket,
                &BountyRadar,
                &CollectorAvoider,
                Option<&Ghost>,
                Option<&Hunger>,
            ),
            (EntityId, (&Collector, Option<&Team>), &Transform, &Drive, &Capacity, &Shape),
        )>,
        profiles: Res<Profiles>,
        random: Random<Wandering>,
        around: AiWorldParams<'_>,
    ) {
        let around = AiWorld::of(&around);
        self.find_objects(&around);
        for (
            (ai_controller, controls, pocket, radar, avoider, ghost, hunger),
            (entity, (collector, team), transform, drive, capacity, shape),
        ) in &mut controllers
        {
            let Some(profile) = profiles.0.get(ai_controller.profile).filter(|_| !ai_controller.is_relieved) else {
                continue;
            };
            if let Some((drive, turn)) = profile.holds {
                controls.intent = Intent { drive, turn };
                continue;
            }
            let brain = ai_controller.brain;
            let me = AiAgent {
                entity,
                state: brain.state.current(),
                target: brain.target,
                home: ai_controller.home,
                senses: (radar, avoider),
                is_ghost: ghost.is_some(),
                load: (pocket, capacity),
                hunger,
                team,
                body: (collector, transform, drive, shape),
            };
            let senses = self.sense(profile, &me, &around);
            let goal = brain.goal(ai_controller.home);
            // By seat, so that a match is the same in a fresh engine and in one that has played before.
            let mut random = random.split(u64::from(collector.player));
            let intent = think(&mut ai_controller.brain, profile, &senses, &mut random);
            controls.intent = if senses.threats.is_empty() {
                around_walls(intent, profile, senses.agility, transform.pose, goal, &senses.surroundings)
            } else {
                intent
            };
        }
    }

    /// Lists the power-ups and the mines.
    fn find_objects(&mut self, around: &AiWorld<'_, '_>) {
        let half_extent_m = around.rules.world_half_extent_m;
        let places = around.power_ups.iter().map(|(entity, place)| point(entity.bits(), place.pose.position));
        self.power_ups.fill(half_extent_m, places);
        let walls = &around.walls.blocks;
        self.mines.fill(
            half_extent_m,
            walls,
            around.mines.iter().map(|(mine, place, shape, team)| (*mine, place.pose, *shape, team.copied())),
        );
    }

    /// What an AI knows in this step.
    fn sense<'s>(&'s mut self, profile: &AiProfile, me: &AiAgent<'_>, around: &AiWorld<'s, '_>) -> Sensed<'s> {
        let half_extent_m = around.rules.world_half_extent_m;
        let ((radar, avoider), (pocket, capacity)) = (me.senses, me.load);
        let (collector, transform, drive, shape) = me.body;
        let agility = Agility { max_speed_mps: drive.max_speed_mps, max_turn_radps: drive.max_turn_radps };
        let stash = around.players.0.get(collector.player as usize).and_then(|player| around.objects.get(player.stash));
        let stash_half_m = stash.map_or(0.0, |(_, shape)| shape.half_extent_m());
        // A ghost passes over mines.
        let looks_out = (!me.is_ghost).then(|| Radar::new(profile, transform.pose, half_extent_m));
        let body = (transform.pose.position, shape.half_extent_m());
        self.mines.look(looks_out.as_ref(), (collector.player, me.team), body, &around.walls.blocks);
        // A bounty that has died stays in the radar until the AI looks again.
        self.seen.clear();
        self.seen.extend(radar.bounties.as_slice().iter().filter_map(|seen| {
            let (bounty, place) = around.bounties.get(*seen)?;
            Some(Seen { key: seen.bits(), position: place.pose.position, value: bounty.value })
        }));
        if looks_for_power_ups(me.state, me.is_ghost) {
            let (first, radar) = (self.seen.len(), Radar::new(profile, transform.pose, half_extent_m));
            let (center, half_extents_m) = radar.bounds();
            self.power_ups.visit_near(center, half_extents_m, |disc| {
                self.seen.extend(sight_power_up(&radar, disc.key, disc.position));
            });
            self.seen[first..].sort_unstable_by_key(|seen| seen.key);
        }
        self.look_for_gold(profile, transform.pose.position, around);
        self.seen.retain(|seen| !self.mines.cover(seen.position));
        let gold = around.gold().map(|(entity, ..)| entity.bits());
        let rushes = goes_for_gold(profile) && self.seen.iter().any(|seen| Some(seen.key) == gold);
        if rushes {
            self.seen.retain(|seen| Some(seen.key) == gold);
        }
        let is_object = me.target.is_some_and(|target| {
            let entity = EntityId::from_bits(target.key);
            let is_there = around.bounties.contains(entity) || around.power_ups.contains(entity);
            is_there && !self.mines.cover(target.position) && (!rushes || Some(target.key) == gold)
        });
        let hunted = match is_object {
            true => None,
            false => self.look_for_rivals(profile, agility, me, half_extent_m),
        };
        let walls = self.mines.with_walls().unwrap_or(&around.walls.blocks);
        let surroundings = Surroundings { walls, collector_half_extent_m: shape.half_extent_m(), half_extent_m };
        self.threats.clear();
        let threats = avoider.collectors.as_slice().iter().filter(|threat| hunted != Some(threat.bits()));
        self.threats.extend(threats.filter_map(|threat| {
            let pose = around.objects.get(*threat)?.0.pose;
            Some(Threat { position: pose.position, heading: pose.heading })
        }));
        Sensed {
            me: transform.pose,
            agility,
            surroundings,
            pocket_fullness: pocket.carried / capacity.points,
            home: me.home,
            home_reach_m: std::f32::consts::SQRT_2 * (shape.half_extent_m() + stash_half_m),
            seen_bounties: &self.seen,
            threats: &self.threats,
            rivals: &self.rivals,
            room: capacity.points - pocket.carried,
            target_is_there: is_object || hunted.is_some(),
            clock_seconds: me
                .hunger
                .map_or(f32::INFINITY, |hunger| hunger.left_seconds)
                .min(around.flow.clock_seconds()),
        }
    }

    /// Adds the gold of a gold rush, of which all know where it is, if it is near.
    fn look_for_gold(&mut self, profile: &AiProfile, place: glam::Vec2, around: &AiWorld<'_, '_>) {
        let Some((entity, bounty, transform)) = around.gold() else { return };
        let (key, position) = (entity.bits(), transform.pose.position);
        let distance_m = wrapped_delta(place, position, around.rules.world_half_extent_m).length();
        if is_gold_near(profile, distance_m) && self.seen.iter().all(|seen| seen.key != key) {
            self.seen.push(Seen { key, position, value: bounty.value });
        }
    }

    /// Adds the rivals that are worth a crash to what the AI sees: all in its radar while it chooses a target, later
    /// only the one that it hunts. Returns the key of the latter if it is still worth it.
    fn look_for_rivals(
        &mut self,
        profile: &AiProfile,
        agility: Agility,
        ai: &AiAgent<'_>,
        half_extent_m: f32,
    ) -> Option<u64> {
        self.rivals.clear();
        let is_choosing = ai.state == BrainState::FindBounty;
        let needs_rivals = profile.aggression > 0.0 || profile.strategy == Strategy::Foresight;
        if !needs_rivals || !(is_choosing || ai.target.is_some()) {
            return None;
        }
        let me = *self.collector(ai.entity.bits())?;
        let radar = Radar::new(profile, me.pose, half_extent_m);
        if is_choosing {
            let (center, half_extents_m) = radar.bounds();
            self.places.visit_near(center, half_extents_m, |disc| {
                let rival = self.collectors[disc.key as usize];
                if rival.key != me.key && radar.contains(rival.pose.position) {
                    self.rivals.push(rival);
                }
            });
            self.rivals.sort_unstable_by_key(|rival| rival.key);
            let Self { seen, rivals, .. } = self;
            let prey = rivals.iter().filter_map(|rival| sight_rival(profile, agility, &radar, &me, rival));
            seen.extend(prey);
            return None;
        }
        let target = ai.target?;
        let hunted = self.collector(target.key)?;
        let sighted = sight_rival(profile, agility, &radar, &me, hunted)?;
        self.seen.push(sighted);
        Some(target.key)
    }

    fn collector(&self, key: u64) -> Option<&Rival> {
        let index = *self.indices.get(EntityId::from_bits(key))?;
        self.collectors.get(index)
    }

    /// A respawned collector starts with a fresh memory.
    fn on_spawned(
        &mut self,
        event: &GameObjectSpawned,
        mut controllers: Query<&mut AiController, ecs::IncludeDisabled>,
    ) {
        if let Some(ai_controller) = controllers.get_mut(event.entity) {
            ai_controller.brain = Brain::default();
        }
    }
}

type Bounties<'q> = Query<'q, (&'static Bounty, &'static Transform)>;
type GoldInArena<'q> = Query<'q, (EntityId, &'static Bounty, &'static Transform), ecs::With<Gold>>;
type PowerUps<'q> = Query<'q, (EntityId, &'static Transform), ecs::With<PowerUp>>;
type MinesInArena<'q> = Query<'q, (&'static Mine, &'static Transform, &'static Shape, Option<&'static Team>)>;
type Objects<'q> = Query<'q, (&'static Transform, &'static Shape)>;

/// What all AIs look at, as parameters of a system.
type AiWorldParams<'w> = (
    (Bounties<'w>, GoldInArena<'w>),
    PowerUps<'w>,
    MinesInArena<'w>,
    Objects<'w>,
    Res<'w, Players>,
    Res<'w, MatchRules>,
    Res<'w, GameFlow>,
    Res<'w, SolidWalls>,
);

/// What all AIs look at.
struct AiWorld<'a, 'w> {
    bounties: &'a Bounties<'w>,
    gold: &'a GoldInArena<'w>,
    power_ups: &'a PowerUps<'w>,
    mines: &'a MinesInArena<'w>,
    objects: &'a Objects<'w>,
    players: &'a Players,
    rules: &'a MatchRules,
    flow: &'a GameFlow,
    walls: &'a SolidWalls,
}

impl<'a, 'w> AiWorld<'a, 'w> {
    fn of(params: &'a AiWorldParams<'w>) -> Self {
        let ((bounties, gold), power_ups, mines, objects, players, rules, flow, walls) = params;
        Self { bounties, gold, power_ups, mines, objects, players, rules, flow, walls }
    }

    /// The gold of a gold rush, if it is in the arena.
    fn gold(&self) -> Option<(EntityId, &Bounty, &Transform)> {
        self.gold.iter().next()
    }
}

/// An AI and its collector.
struct AiAgent<'a> {
    entity: EntityId,
    state: BrainState,
    target: Option<Target>,
    home: glam::Vec2,
    senses: (&'a BountyRadar, &'a CollectorAvoider),
    is_ghost: bool,
    load: (&'a Pocket, &'a Capacity),
    hunger: Option<&'a Hunger>,
    team: Option<&'a Team>,
    body: (&'a Collector, &'a Transform, &'a Drive, &'a Shape),
}

fn point(key: u64, position: glam::Vec2) -> Disc {
    Disc { key, position, radius_m: 0.0 }
}
