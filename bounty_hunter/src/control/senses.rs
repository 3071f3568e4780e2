//! The sensors of AI collectors: bounties in the radar, other collectors in the avoider.

use ecs::{IncludeDisabled, Query, Setup, System};
use serde::{Deserialize, Serialize};

use crate::ai::{Seen, SightList, Threat};
use crate::events::{CollisionBegin, CollisionEnd, GameObjectKilled};
use crate::objects::bounty::Bounty;
use crate::objects::game_object::Transform;
use crate::physics::Category;

/// Component of an AI's collector: the bounties in its radar, in order of detection.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BountyRadar {
    /// The detected bounties.
    pub bounties: SightList<Seen>,
}

/// Component of an AI's collector: the other collectors in its avoider, the box ahead.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CollectorAvoider {
    /// The detected collectors.
    pub collectors: SightList<Threat>,
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
        bounties: Query<(&Bounty, &Transform)>,
        transforms: Query<&Transform>,
    ) {
        // A sensor always has the higher category.
        let (owner, sighted) = (event.b, event.a);
        match event.category_b {
            Category::Radar => {
                let found = radars.get_mut(owner).zip(bounties.get(sighted));
                if let Some((radar, (bounty, transform))) = found {
                    let (key, position) = (sighted.bits(), transform.pose.position);
                    radar.bounties.add(Seen { key, position, value: bounty.value });
                }
            }
            Category::Avoider => {
                if let Some((avoider, transform)) = avoiders.get_mut(owner).zip(transforms.get(sighted)) {
                    let pose = transform.pose;
                    let (key, position, heading) = (sighted.bits(), pose.position, pose.heading);
                    avoider.collectors.add(Threat { key, position, heading });
                }
            }
            _ => {}
        }
    }

    fn on_end(
        &mut self,
        event: &CollisionEnd,
        mut radars: Query<&mut BountyRadar, IncludeDisabled>,
        mut avoiders: Query<&mut CollectorAvoider, IncludeDisabled>,
    ) {
        let (owner, sighted) = (event.b, event.a.bits());
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
            radar.bounties.clear();
            avoider.collectors.clear();
        }
    }
}
