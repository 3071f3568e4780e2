//! Respawning: a killed object waits, then reappears at its spawn.

use ecs::random::RandomStream;
use ecs::{EntityId, IncludeDisabled, Query, Random, Res, Sender, Setup, System, Time};
use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::data::arena::{Pose, sample_bounty_position};
use crate::data::limits;
use crate::events::{GameObjectKilled, SpawnGameObject};
use crate::objects::lifetime::Lifetimes;
use crate::objects::wall::SolidWalls;
use crate::random::RespawnPlaces;

/// Draws of a position before one inside a wall is accepted.
const MAX_TRIES: u32 = 32;

/// Component: the time that a kind waits to respawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RespawnDelay {
    /// Seconds from death to respawn.
    #[serde(deserialize_with = "limits::read::delay_seconds")]
    pub delay_seconds: f32,
}

/// Component: where a kind respawns, in place of its [`Spawn`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RespawnAt {
    /// The position.
    #[serde(deserialize_with = "limits::read::coordinate_m")]
    pub at_m: (f32, f32),
    /// The heading.
    #[serde(default, deserialize_with = "limits::read::heading_rad")]
    pub heading_rad: f32,
}

/// Component: the respawn of an object; effective while it has a [`RespawnDelay`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Respawn {
    /// Seconds from its latest death to its respawn; before the first death, from its [`RespawnDelay`].
    pub delay_seconds: f32,
    /// The entity with its [`Spawn`].
    pub spawn: EntityId,
    /// Seconds until it respawns; `None` while it is alive.
    pub left_seconds: Option<f32>,
}

/// Component of a spawn: where objects appear.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Spawn {
    /// A fixed pose.
    Point(Pose),
    /// A disc of this radius in metres around the centre, denser towards the rim.
    Region(f32),
}

impl Spawn {
    /// The next pose, outside of walls if one can be found.
    #[must_use]
    pub fn pose_clear_of(self, walls: &SolidWalls, random: &mut RandomStream) -> Pose {
        self.pose_with_room(walls, walls.clearance_m, random)
    }

    /// The next pose that is so far outside of walls, if one can be found.
    #[must_use]
    pub fn pose_with_room(self, walls: &SolidWalls, clearance_m: f32, random: &mut RandomStream) -> Pose {
        // Levels leave room nearly everywhere; after so many draws a position inside a wall is accepted.
        self.try_pose_with_room(walls, clearance_m, random).unwrap_or_else(|pose| pose)
    }

    /// The next pose outside of walls.
    ///
    /// # Errors
    /// - The last pose drawn, if all were inside walls.
    pub fn try_pose_clear_of(self, walls: &SolidWalls, random: &mut RandomStream) -> Result<Pose, Pose> {
        self.try_pose_with_room(walls, walls.clearance_m, random)
    }

    fn try_pose_with_room(self, walls: &SolidWalls, clearance_m: f32, random: &mut RandomStream) -> Result<Pose, Pose> {
        let mut pose = self.pose(random);
        for _ in 1..MAX_TRIES {
            if walls.leave_room_within(pose.position, clearance_m) {
                return Ok(pose);
            }
            pose = self.pose(random);
        }
        if walls.leave_room_within(pose.position, clearance_m) { Ok(pose) } else { Err(pose) }
    }

    /// The next pose, ignoring walls.
    #[must_use]
    pub fn pose(self, random: &mut RandomStream) -> Pose {
        match self {
            Self::Point(pose) => pose,
            Self::Region(half_extent_m) => {
                let (u1, u2) = (random.unit(), random.unit());
                Pose::new(sample_bounty_position(u1, u2, half_extent_m), 0.0)
            }
        }
    }
}

/// Counts down to the respawns of killed objects and requests them.
#[derive(Debug, Default)]
pub struct Respawns;

type Respawning<'q> = (EntityId, &'q mut Respawn, Option<&'q RespawnDelay>, Option<&'q RespawnAt>);

impl Respawns {
    fn on_killed(
        &mut self,
        event: &GameObjectKilled,
        mut waiting: Query<(&mut Respawn, Option<&RespawnDelay>), IncludeDisabled>,
    ) {
        if let Some((respawn, delay)) = waiting.get_mut(event.entity) {
            respawn.delay_seconds = delay.map_or(respawn.delay_seconds, |delay| delay.delay_seconds);
            respawn.left_seconds = Some(respawn.delay_seconds);
        }
    }

    fn count_down(
        &mut self,
        time: Time,
        mut waiting: Query<Respawning<'_>, IncludeDisabled>,
        spawns: Query<&Spawn>,
        walls: Res<SolidWalls>,
        mut random: Random<RespawnPlaces>,
        mut spawned: Sender<SpawnGameObject>,
    ) {
        for (entity, respawn, delay, place) in &mut waiting {
            // A reloaded prefab may lose its delay while an object waits.
            let Some(left_seconds) = respawn.left_seconds.as_mut().filter(|_| delay.is_some()) else { continue };
            *left_seconds -= time.delta_seconds();
            if *left_seconds <= 0.0 {
                respawn.left_seconds = None;
                if let Some(&RespawnAt { at_m: (x, y), heading_rad }) = place {
                    spawned.send(SpawnGameObject { entity, pose: Pose::new(Vec2::new(x, y), heading_rad) });
                } else if let Some(spawn) = spawns.get(respawn.spawn) {
                    spawned.send(SpawnGameObject { entity, pose: spawn.pose_clear_of(&walls, &mut random) });
                }
            }
        }
    }
}

impl System for Respawns {
    fn setup(setup: &mut Setup<Self>) {
        setup.after_type::<Lifetimes>().update(Self::count_down).listen(Self::on_killed);
    }
}
