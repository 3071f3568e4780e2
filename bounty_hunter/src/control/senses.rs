//! What the sensors of AI collectors feel: bounty in the radar, other collectors in the avoider.

use ecs::{IncludeDisabled, Query, Setup, System};
use serde::{Deserialize, Serialize};

use crate::ai::{Seen, SightList, Threat};
use crate::events::{CollisionBegin, CollisionEnd, GameObjectKilled};
use crate::objects::bounty::Bounty;
use crate::objects::game_object::Transform;
use crate::physics::Category;

/// Component of an AI's collector: the bounties in its radar, in the order in which they were detected.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BountyRadar {
    /// What it sees.
    pub bounties: SightList<Seen>,
}

/// Component of an AI's collector: the other collectors in the box ahead.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CollectorAvoider {
    /// Whom it sees.
    pub collectors: SightList<Threat>,
}

/// Keeps radars and avoiders up to date; the only system that writes them.
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
        // The sensor is always the part of the higher category.
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

    /// Who dies forgets what it saw; it begins anew when it comes back.
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
