//! Ghosts: collectors that pass through others, or through what else their power-up names, for a while.
//!
//! In a match with power-ups each collector has a [`Ghost`] component. It is disabled; a power-up enables it until its
//! time is over or the collector dies. While it is enabled, the collector passes through what its list names:
//! [`LetThrough`](crate::objects::passes::LetThrough) tells the physics.
//!
//! A ghost that ends inside another collector collides with it as usual.

use ecs::{Commands, EntityId, IncludeDisabled, Query, Setup, System, Time};
use serde::{Deserialize, Serialize};

use crate::events::{GameObjectKilled, PowerUpTaken};
use crate::objects::passes::Passes;
use crate::objects::power_up::PowerUp;

/// Component of a collector; enabled while it is a ghost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ghost {
    /// Seconds left; 0 while it is no ghost.
    pub left_seconds: f32,
    /// What it passes through: that of its last power-up.
    pub passes: Passes,
}

/// Enables and disables ghosts.
#[derive(Debug, Default)]
pub struct Ghosts;

impl System for Ghosts {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::count_down).listen(Self::on_power_up_taken).listen(Self::on_killed);
    }
}

impl Ghosts {
    fn count_down(&mut self, time: Time, mut ghosts: Query<(EntityId, &mut Ghost)>, mut commands: Commands) {
        for (entity, ghost) in &mut ghosts {
            ghost.left_seconds -= time.delta_seconds();
            if ghost.left_seconds <= 0.0 {
                ghost.left_seconds = 0.0;
                commands.disable_component::<Ghost>(entity);
            }
        }
    }

    /// A further power-up restarts the time, and its list counts.
    fn on_power_up_taken(
        &mut self,
        event: &PowerUpTaken,
        mut ghosts: Query<&mut Ghost, IncludeDisabled>,
        power_ups: Query<&PowerUp, IncludeDisabled>,
        mut commands: Commands,
    ) {
        let Some((ghost, power_up)) = ghosts.get_mut(event.collector).zip(power_ups.get(event.power_up)) else {
            return;
        };
        if let PowerUp::Ghost { seconds, passes } = power_up {
            *ghost = Ghost { left_seconds: *seconds, passes: passes.clone() };
            commands.enable_component::<Ghost>(event.collector);
        }
    }

    /// A killed collector respawns solid.
    fn on_killed(
        &mut self,
        event: &GameObjectKilled,
        mut ghosts: Query<&mut Ghost, IncludeDisabled>,
        mut commands: Commands,
    ) {
        if let Some(ghost) = ghosts.get_mut(event.entity).filter(|ghost| ghost.left_seconds > 0.0) {
            ghost.left_seconds = 0.0;
            commands.disable_component::<Ghost>(event.entity);
        }
    }
}
