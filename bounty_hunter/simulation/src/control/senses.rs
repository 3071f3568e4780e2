//! The senses of AIs: bounties in the radar, other collectors in the avoider.

use ecs::prefab::{FromPrefab, Prefabs};
use ecs::{EntityId, IncludeDisabled, Query, Res, Sender, Setup, System, With};
use serde::{Deserialize, Serialize};

use crate::ai::Area;
use crate::control::ai_controller::{AiController, Profiles};
use crate::data::arena::{forward, wrapped_delta};
use crate::data::config::MatchRules;
use crate::data::grid::{Disc, Grid};
use crate::events::{CollisionBegin, CollisionEnd, GameObjectKilled};
use crate::objects::bounty::Bounty;
use crate::objects::collector::Collector;
use crate::objects::game_object::{Life, Transform};
use crate::objects::ghost::Ghost;
use crate::objects::motion::Motion;
use crate::objects::passes::Passes;
use crate::objects::team::{Team, are_partners};
use crate::physics::{Body, Category, Shape};

/// Initial capacity of each list of sightings, so that it hardly ever grows in a match.
pub const USUAL_SIGHTINGS: usize = 16;

/// The entities that a sense detects, each once, in the order of detection. The list is short, so it is searched
/// linearly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sightings(Vec<EntityId>);

impl Default for Sightings {
    fn default() -> Self {
        Self(Vec::with_capacity(USUAL_SIGHTINGS))
    }
}

impl Sightings {
    /// Adds an entity unless it is in the list.
    pub fn add(&mut self, entity: EntityId) {
        if !self.0.contains(&entity) {
            self.0.push(entity);
        }
    }

    /// Removes an entity if it is in the list.
    pub fn remove(&mut self, entity: EntityId) {
        self.0.retain(|known| *known != entity);
    }

    /// The entities, longest-detected first.
    #[must_use]
    pub fn as_slice(&self) -> &[EntityId] {
        &self.0
    }
}

/// Component of an AI's collector: the bounties in its radar.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BountyRadar {
    /// The detected bounties.
    pub bounties: Sightings,
}

/// Component of an AI's collector: the other collectors in its avoider, the box ahead.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CollectorAvoider {
    /// The detected collectors.
    pub collectors: Sightings,
}

/// Looks around for each AI after the objects have moved, and updates its lists.
///
/// What enters or leaves a radar or an avoider is reported like a contact, by [`CollisionBegin`] and [`CollisionEnd`]:
/// `b` is the AI's collector, with [`Category::Radar`] or [`Category::Avoider`], and `a` is what it sees. What an AI
/// begins to see in one step comes in the order of the entities.
#[derive(Clone, Debug)]
pub struct Senses {
    bounties: Grid,
    collectors: Grid,
    /// Radar and avoider of each profile.
    areas: Vec<[Area; 2]>,
    /// What one sense of one AI sees.
    seen: Vec<EntityId>,
}

impl Default for Senses {
    fn default() -> Self {
        let (bounties, collectors) = (Grid::default(), Grid::default());
        Self { bounties, collectors, areas: Vec::new(), seen: Vec::with_capacity(USUAL_SIGHTINGS) }
    }
}

impl System for Senses {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .after_type::<Motion>()
            .update(Self::look)
            .listen(Self::on_begin)
            .listen(Self::on_end)
            .listen(Self::on_killed);
    }
}

impl Senses {
    #[allow(clippy::type_complexity, clippy::too_many_arguments)]
    fn look(
        &mut self,
        ais: Query<(EntityId, &AiController, &Transform, &Life, &BountyRadar, &CollectorAvoider)>,
        bounties: Query<(EntityId, &Transform, &Shape, &Life), With<Bounty>>,
        collectors: Query<(EntityId, &Transform, &Shape, &Life), With<Collector>>,
        (ghosts, passing, teams): (Query<&Ghost>, Query<&Passes>, Query<&Team>),
        (bodies, prefabs): (Query<(&Body, &FromPrefab)>, Res<Prefabs>),
        (profiles, rules): (Res<Profiles>, Res<MatchRules>),
        mut begins: Sender<CollisionBegin>,
        mut ends: Sender<CollisionEnd>,
    ) {
        let half_extent_m = rules.world_half_extent_m;
        // A killed object is disabled only at the end of the step.
        let disc = |(entity, transform, shape, life): (EntityId, &Transform, &Shape, &Life)| {
            let (position, radius_m) = (transform.pose.position, shape.half_extent_m());
            life.is_alive.then_some(Disc { key: entity.bits(), position, radius_m })
        };
        self.bounties.fill(half_extent_m, bounties.iter().filter_map(disc));
        self.collectors.fill(half_extent_m, collectors.iter().filter_map(disc));
        self.areas.clear();
        self.areas.extend(profiles.0.iter().map(|profile| [Area::radar(profile), Area::avoider(profile)]));
        // What passes, and what it passes through, do not see each other; nor do partners.
        let passes = |one: EntityId, other: EntityId| {
            let lists = [ghosts.get(one).map(|ghost| &ghost.passes), passing.get(one)];
            lists.into_iter().flatten().any(|list| {
                let thing = bodies.get(other);
                thing.is_some_and(|(body, kind)| list.contain(body.category, kind.name(), &prefabs))
            })
        };
        for (me, ai_controller, transform, life, radar, avoider) in &ais {
            let Some(areas) = self.areas.get(ai_controller.profile).filter(|_| life.is_alive) else { continue };
            let (position, ahead) = (transform.pose.position, forward(transform.pose.heading));
            let senses = [
                (&self.bounties, &radar.bounties, Category::Bounty, Category::Radar),
                (&self.collectors, &avoider.collectors, Category::Collector, Category::Avoider),
            ];
            for (area, (grid, known, category_a, category_b)) in areas.iter().zip(senses) {
                self.seen.clear();
                let (center, half_extents_m) = area.bounds(ahead);
                grid.visit_near(position + center, half_extents_m, |disc| {
                    let (delta, other) = (wrapped_delta(position, disc.position, half_extent_m), disc.key);
                    if area.touches(ahead, delta, disc.radius_m) && other != me.bits() {
                        self.seen.push(EntityId::from_bits(other));
                    }
                });
                self.seen.retain(|other| !passes(me, *other) && !passes(*other, me));
                self.seen.retain(|other| !are_partners(teams.get(me), teams.get(*other)));
                self.seen.sort_unstable();
                for &a in known.as_slice().iter().filter(|known| !self.seen.contains(known)) {
                    ends.send(CollisionEnd { a, b: me, category_a, category_b });
                }
                for &a in self.seen.iter().filter(|seen| !known.as_slice().contains(seen)) {
                    begins.send(CollisionBegin { a, b: me, category_a, category_b });
                }
            }
        }
    }

    fn on_begin(
        &mut self,
        event: &CollisionBegin,
        mut radars: Query<&mut BountyRadar, IncludeDisabled>,
        mut avoiders: Query<&mut CollectorAvoider, IncludeDisabled>,
    ) {
        match event.category_b {
            Category::Radar => radars.get_mut(event.b).map(|radar| radar.bounties.add(event.a)),
            Category::Avoider => avoiders.get_mut(event.b).map(|avoider| avoider.collectors.add(event.a)),
            _ => None,
        };
    }

    fn on_end(
        &mut self,
        event: &CollisionEnd,
        mut radars: Query<&mut BountyRadar, IncludeDisabled>,
        mut avoiders: Query<&mut CollectorAvoider, IncludeDisabled>,
    ) {
        match event.category_b {
            Category::Radar => radars.get_mut(event.b).map(|radar| radar.bounties.remove(event.a)),
            Category::Avoider => avoiders.get_mut(event.b).map(|avoider| avoider.collectors.remove(event.a)),
            _ => None,
        };
    }

    /// A killed collector loses its detections.
    fn on_killed(
        &mut self,
        event: &GameObjectKilled,
        senses: Query<(&BountyRadar, &CollectorAvoider), IncludeDisabled>,
        mut ends: Sender<CollisionEnd>,
    ) {
        let Some((radar, avoider)) = senses.get(event.entity) else { return };
        let b = event.entity;
        for &a in radar.bounties.as_slice() {
            ends.send(CollisionEnd { a, b, category_a: Category::Bounty, category_b: Category::Radar });
        }
        for &a in avoider.collectors.as_slice() {
            ends.send(CollisionEnd { a, b, category_a: Category::Collector, category_b: Category::Avoider });
        }
    }
}
