//! The sensors of AI collectors: bounties in the radar, other collectors in the avoider.

use ecs::{EntityId, IncludeDisabled, Query, Setup, System};
use serde::{Deserialize, Serialize};

use crate::events::{CollisionBegin, CollisionEnd, GameObjectKilled};
use crate::objects::game_object::Transform;
use crate::physics::Category;

/// Initial capacity of each list of sightings, so that it hardly ever grows in a match.
pub const USUAL_SIGHTINGS: usize = 16;

/// The entities that a sensor detects, each once, in the order of detection. The list is short, so it is searched linearly.
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

/// Updates radars and avoiders from contacts.
#[derive(Debug, Default)]
pub struct Senses;

impl System for Senses {
    fn setup(setup: &mut Setup<Self>) {
        setup.listen(Self::on_begin).listen(Self::on_end).listen(Self::on_killed);
    }
}

impl Senses {
    fn on_begin(
        &mut self,
        event: &CollisionBegin,
        mut radars: Query<&mut BountyRadar, IncludeDisabled>,
        mut avoiders: Query<&mut CollectorAvoider, IncludeDisabled>,
        transforms: Query<&Transform>,
    ) {
        // A sensor always has the higher category.
        let (owner, sighted) = (event.b, event.a);
        if !transforms.contains(sighted) {
            return;
        }
        match event.category_b {
            Category::Radar => radars.get_mut(owner).map(|radar| radar.bounties.add(sighted)),
            Category::Avoider => avoiders.get_mut(owner).map(|avoider| avoider.collectors.add(sighted)),
            _ => None,
        };
    }

    fn on_end(
        &mut self,
        event: &CollisionEnd,
        mut radars: Query<&mut BountyRadar, IncludeDisabled>,
        mut avoiders: Query<&mut CollectorAvoider, IncludeDisabled>,
    ) {
        let (owner, sighted) = (event.b, event.a);
        match event.category_b {
            Category::Radar => radars.get_mut(owner).map(|radar| radar.bounties.remove(sighted)),
            Category::Avoider => avoiders.get_mut(owner).map(|avoider| avoider.collectors.remove(sighted)),
            _ => None,
        };
    }

    /// A killed collector forgets its detections.
    fn on_killed(
        &mut self,
        event: &GameObjectKilled,
        mut sensors: Query<(&mut BountyRadar, &mut CollectorAvoider), IncludeDisabled>,
    ) {
        if let Some((radar, avoider)) = sensors.get_mut(event.entity) {
            radar.bounties.0.clear();
            avoider.collectors.0.clear();
        }
    }
}
