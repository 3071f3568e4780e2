//! Ghosts: collectors that pass through others for a while.
//!
//! Each collector has a [`Ghost`] from the beginning of a match with power-ups. It is disabled, is enabled when a power-up
//! is taken, and disables itself when its time is over or its collector dies. While it is enabled, the physics drops every
//! contact between its collector and what it ignores before anything comes of it: nobody is killed, nothing is pushed,
//! and neither sees the other in its avoider.
//!
//! A ghost that ends inside somebody else is solid there: that is a collision like any other.

use ecs::{
    Commands, ComponentMask, Engine, Entities, EntityId, IncludeDisabled, MaskQuery, Query, ResMut, Setup, System, Time,
};
use serde::{Deserialize, Serialize};

use crate::events::{GameObjectKilled, PowerUpTaken};
use crate::objects::collector::Collector;
use crate::objects::game_object::RigidBody;
use crate::objects::power_up::PowerUp;
use crate::physics::{BodyKey, CollisionFilter, Physics};

/// Component of a collector, disabled but for the time in which it is a ghost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ghost {
    /// Seconds left; 0 while it is none.
    pub left_seconds: f32,
    /// It passes through whatever has all of these components.
    // A mask numbers component types as its engine met them; who loads a ghost gives it its mask.
    #[serde(skip)]
    pub ignores: ComponentMask,
}

impl Ghost {
    /// What the ghosts of a match pass through.
    pub(crate) fn ignored(engine: &mut Engine) -> ComponentMask {
        engine.mask_of::<(Collector,)>()
    }

    /// Gives all ghosts their masks, which are not saved.
    pub(crate) fn complete_loaded(engine: &mut Engine) {
        let ignored = Self::ignored(engine);
        let mut ghosts = engine.query_filtered::<&mut Self, IncludeDisabled>();
        ghosts.iter_mut().for_each(|ghost| ghost.ignores.clone_from(&ignored));
    }
}

/// Enables and disables ghosts, and tells the physics who passes through whom.
#[derive(Debug, Default)]
pub struct Ghosts {
    /// What the ghosts of each filter ignore. Both lists are filled anew in each step and kept for their memory.
    masks: Vec<ComponentMask>,
    filters: Vec<CollisionFilter>,
}

impl System for Ghosts {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .pre_update(Self::tell_physics)
            .update(Self::count_down)
            .listen(Self::on_power_up_taken)
            .listen(Self::on_killed);
    }
}

impl Ghosts {
    /// Sorts ghosts by what they ignore, and looks up who that is.
    fn tell_physics(
        &mut self,
        entities: Entities,
        ghosts: Query<(EntityId, &Ghost, &RigidBody)>,
        mut physics: ResMut<Physics>,
    ) {
        let Self { masks, filters } = self;
        masks.clear();
        filters.iter_mut().for_each(CollisionFilter::clear);
        for (entity, ghost, body) in &ghosts {
            let index = masks.iter().position(|mask| *mask == ghost.ignores).unwrap_or_else(|| {
                masks.push(ghost.ignores.clone());
                masks.len() - 1
            });
            if index == filters.len() {
                filters.push(CollisionFilter::default());
            }
            filters[index].ghosts.push((BodyKey(entity.bits()), body.0));
        }
        for (mask, filter) in masks.iter().zip(filters.iter_mut()) {
            let ignored = MaskQuery::new(mask.clone());
            filter.ignored.extend(entities.matching(&ignored).map(|entity| BodyKey(entity.bits())));
        }
        physics.exchange_filters(filters);
    }

    fn count_down(&mut self, time: Time, mut ghosts: Query<(EntityId, &mut Ghost)>, mut commands: Commands) {
        for (entity, ghost) in &mut ghosts {
            ghost.left_seconds -= time.delta_seconds();
            if ghost.left_seconds <= 0.0 {
                ghost.left_seconds = 0.0;
                commands.disable_component::<Ghost>(entity);
            }
        }
    }

    /// Who takes another one meanwhile has its full time again.
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
        ghost.left_seconds = power_up.ghost_seconds;
        commands.enable_component::<Ghost>(event.collector);
    }

    /// Who dies comes back solid.
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
