//! Limited lifetimes of objects.

use ecs::random::RandomStream;
use ecs::{EntityId, Query, Sender, Setup, System, Time};
use serde::{Deserialize, Serialize};

use crate::data::limits;
use crate::events::KillGameObject;
use crate::objects::motion::Motion;

/// Component: the range of lifetimes of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lifespan {
    /// Shortest and longest lifetime, seconds.
    #[serde(deserialize_with = "limits::read::duration_range_seconds")]
    pub lifetime_seconds: (f32, f32),
}

impl Lifespan {
    /// Draws a lifetime. The object fades while less than the shortest lifetime is left.
    pub fn deal(self, random: &mut RandomStream) -> Lifetime {
        let (shortest, longest) = self.lifetime_seconds;
        Lifetime::lasting(random.between(shortest, longest), shortest)
    }
}

/// Component: the remaining lifetime of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lifetime {
    /// Seconds left.
    pub left_seconds: f32,
    /// It fades while at most this many seconds are left.
    pub fading_seconds: f32,
}

impl Lifetime {
    /// A lifetime of `seconds`; the object fades during the last `fading_seconds`.
    #[must_use]
    pub fn lasting(seconds: f32, fading_seconds: f32) -> Self {
        Self { left_seconds: seconds, fading_seconds }
    }

    /// The object's opacity: 1, then falling to 0 at the end of its lifetime.
    #[must_use]
    pub fn alpha(self) -> f32 {
        (self.left_seconds / self.fading_seconds).clamp(0.0, 1.0)
    }
}

/// Counts lifetimes down and kills objects at their end.
#[derive(Debug, Default)]
pub struct Lifetimes;

impl System for Lifetimes {
    fn setup(setup: &mut Setup<Self>) {
        setup.after_type::<Motion>().update(Self::count_down);
    }
}

impl Lifetimes {
    fn count_down(
        &mut self,
        time: Time,
        mut lifetimes: Query<(EntityId, &mut Lifetime)>,
        mut kills: Sender<KillGameObject>,
    ) {
        for (entity, lifetime) in &mut lifetimes {
            lifetime.left_seconds -= time.delta_seconds();
            if lifetime.left_seconds <= 0.0 {
                kills.send(KillGameObject { entity });
            }
        }
    }
}
