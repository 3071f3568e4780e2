//! What becomes of a collector's load when it dies: it is lost, or with the rule set `chain` a part of it spills, for
//! others to grab.

use std::f32::consts::TAU;

use ecs::prefab::{Prefab, PrefabError};
use ecs::{Engine, EntityId, IncludeDisabled, Query, Res, ResMut, Sender, Setup, System, With};
use serde::{Deserialize, Serialize};

use crate::data::arena::{Pose, forward};
use crate::data::config::MatchRules;
use crate::events::{GameObjectKilled, SpawnGameObject};
use crate::objects::bounty::Spilled;
use crate::objects::collector::Pocket;
use crate::objects::game_object::Transform;
use crate::objects::life_cycle::GameObjects;
use crate::objects::prefabs;
use crate::objects::wall::SolidWalls;

/// Distance of spilled bounties from the wreck, metres.
const SPILL_M: f32 = 3.0;

/// Resource: the bounties that loads spill as, while they are not in the arena. Written by [`LoseLoads`] and
/// [`RushForGold`](crate::gameplay::gold_rush::RushForGold).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpillPool(Vec<EntityId>);

impl SpillPool {
    /// Builds `count` bounties of this prefab, and leaves them out of the arena.
    ///
    /// # Errors
    /// - [`PrefabError`] if the prefab does not exist.
    pub(crate) fn build(engine: &mut Engine, count: u32, bounty: &str) -> Result<Self, PrefabError> {
        let mut pool = Vec::new();
        for _ in 0..count {
            let bounty = Prefab::named(bounty).with((Spilled::default(),));
            pool.push(prefabs::create_absent(engine, bounty)?);
        }
        Ok(Self(pool))
    }

    /// Spills so many bounties of this value, points, in a circle of this radius, metres, as far as some are waiting.
    /// Those that would lie in a wall lie in the middle.
    pub(crate) fn spill(
        &mut self,
        (count, value): (u32, f32),
        (middle, radius_m): (Pose, f32),
        walls: &SolidWalls,
        mut bounties: Query<&mut Spilled, IncludeDisabled>,
        mut spawns: Sender<SpawnGameObject>,
    ) {
        let Pose { position, heading } = middle;
        for index in 0..count {
            let Some(entity) = self.0.pop() else { return };
            let Some(spilled) = bounties.get_mut(entity) else { continue };
            spilled.value = value;
            let place = position + radius_m * forward(heading + TAU * (index as f32 + 0.5) / count as f32);
            let place = if walls.leave_room_at(place) { place } else { position };
            spawns.send(SpawnGameObject { entity, pose: Pose::new(place, heading) });
        }
    }
}

/// Empties the pocket of each killed collector. With the rule set `chain`, the load spills as bounties.
#[derive(Debug, Default)]
pub struct LoseLoads;

impl System for LoseLoads {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .after_type::<GameObjects>()
            .listen_filtered::<(With<Spilled>, IncludeDisabled), _>(Self::take_back)
            .listen(Self::on_killed);
    }
}

impl LoseLoads {
    /// A spilled bounty that is gone waits for the next load.
    fn take_back(&mut self, event: &GameObjectKilled, mut pool: ResMut<SpillPool>) {
        pool.0.push(event.entity);
    }

    #[allow(clippy::too_many_arguments)]
    fn on_killed(
        &mut self,
        event: &GameObjectKilled,
        mut pockets: Query<(&mut Pocket, &Transform), IncludeDisabled>,
        bounties: Query<&mut Spilled, IncludeDisabled>,
        mut pool: ResMut<SpillPool>,
        rules: Res<MatchRules>,
        walls: Res<SolidWalls>,
        spawns: Sender<SpawnGameObject>,
    ) {
        let Some((pocket, transform)) = pockets.get_mut(event.entity) else { return };
        let lost = std::mem::take(pocket).carried;
        tracing::debug!(target: "bounty_hunter::match", entity = %event.entity, lost_points = lost, "lost its load");
        let Some(chain) = rules.options.chain.as_ref().filter(|_| lost > 0.0) else { return };
        pool.spill(chain.spill(lost), (transform.pose, SPILL_M), &walls, bounties, spawns);
    }
}
