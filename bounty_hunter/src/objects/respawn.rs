//! Coming back: who died waits, then appears at its spawn.

use ecs::{EntityId, IncludeDisabled, Query, Res, Sender, Setup, System, Time};
use serde::{Deserialize, Serialize};

use crate::data::arena::{Pose, sample_bounty_position};
use crate::data::limits;
use crate::events::{GameObjectKilled, SpawnGameObject};
use crate::objects::lifetime::Lifetimes;
use crate::objects::wall::SolidWalls;
use crate::random::{Purpose, RandomStream};

/// How often a place is drawn anew that lies in a wall.
const MOST_TRIES: u32 = 32;

/// Component: how long objects of a kind wait for their return.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RespawnDelay {
    /// Seconds from death to return.
    #[serde(deserialize_with = "limits::read::delay_seconds")]
    pub delay_seconds: f32,
}

/// Component: an object comes back some time after its death, for as long as it has a [`RespawnDelay`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Respawn {
    /// Seconds from its latest death to its return; before the first, what its [`RespawnDelay`] said.
    pub delay_seconds: f32,
    /// The entity whose [`Spawn`] says where it appears.
    pub spawn: EntityId,
    /// Seconds left until it returns; `None` while it lives.
    pub left_seconds: Option<f32>,
}

/// Component of a spawn: where objects appear.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Spawn {
    /// Always in the same place.
    Point(Pose),
    /// Anywhere within this half extent of the centre, metres, denser towards the rim.
    Region(f32),
}

impl Spawn {
    /// Where the next object appears: not in a wall, if a place can be found.
    #[must_use]
    pub fn pose_clear_of(self, walls: &SolidWalls, random: &mut RandomStream) -> Pose {
        // A level leaves room nearly everywhere, or nobody could play in it. Whoever is unlucky that often stays in a wall.
        self.try_pose_clear_of(walls, random).unwrap_or_else(|pose| pose)
    }

    /// Where the next object appears: not in a wall.
    ///
    /// # Errors
    /// The last place that was tried if all were in walls.
    pub fn try_pose_clear_of(self, walls: &SolidWalls, random: &mut RandomStream) -> Result<Pose, Pose> {
        let mut pose = self.pose(random);
        for _ in 1..MOST_TRIES {
            if walls.leave_room_at(pose.position) {
                return Ok(pose);
            }
            pose = self.pose(random);
        }
        if walls.leave_room_at(pose.position) { Ok(pose) } else { Err(pose) }
    }

    /// Where the next object appears if there are no walls.
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

/// Lets the dead wait and come back.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Respawns {
    random: RandomStream,
}

impl Respawns {
    /// Draws places from a stream of random numbers of its own, for the `index`-th match.
    #[must_use]
    pub fn new(seed: u64, index: u64) -> Self {
        // Of each match's streams of places the first is drawn from here, the second when the arena is built.
        Self { random: RandomStream::new(seed, Purpose::BountyPlace, index << 32) }
    }

    /// Where the stream stands, for the hash of the whole state.
    #[must_use]
    pub fn random(&self) -> &RandomStream {
        &self.random
    }

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
        mut waiting: Query<(EntityId, &mut Respawn, Option<&RespawnDelay>), IncludeDisabled>,
        spawns: Query<&Spawn>,
        walls: Res<SolidWalls>,
        mut spawned: Sender<SpawnGameObject>,
    ) {
        for (entity, respawn, delay) in &mut waiting {
            // Kinds can lose their delay while one of them waits.
            let Some(left_seconds) = respawn.left_seconds.as_mut().filter(|_| delay.is_some()) else { continue };
            *left_seconds -= time.delta_seconds();
            if *left_seconds <= 0.0 {
                respawn.left_seconds = None;
                if let Some(spawn) = spawns.get(respawn.spawn) {
                    spawned.send(SpawnGameObject { entity, pose: spawn.pose_clear_of(&walls, &mut self.random) });
                }
            }
        }
    }
}

impl System for Respawns {
    fn setup(setup: &mut Setup<Self>) {
        setup.after::<Lifetimes>().update(Self::count_down).listen(Self::on_killed);
    }
}
