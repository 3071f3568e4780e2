//! Ghosts: collectors that pass through other collectors for a while.
//!
//! In a match with power-ups each collector has a [`Ghost`] component. It is disabled; a power-up enables it until its
//! time is over or the collector dies. While it is enabled, the physics drops all contacts between the collector and
//! the entities that it ignores: they neither collide nor see each other in their avoiders.
//!
//! A ghost that ends inside another collector collides with it as usual.

use ecs::{
    Commands, Engine, Entities, EntityId, IncludeDisabled, Query, ResMut, Setup, System, Time,
    component::ComponentMask, query::MaskQuery,
};
use serde::{Deserialize, Serialize};

use crate::events::{GameObjectKilled, PowerUpTaken};
use crate::objects::collector::Collector;
use crate::objects::game_object::RigidBody;
use crate::objects::power_up::PowerUp;
use crate::physics::{BodyKey, CollisionFilter, Physics};

/// Component of a collector; enabled while it is a ghost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ghost {
    /// Seconds left; 0 while it is no ghost.
    pub left_seconds: f32,
    /// It passes through entities that have all of these components.
    // Not saved: a mask depends on the engine's numbering of component types.
    #[serde(skip)]
    pub ignores: ComponentMask,
}

impl Ghost {
    /// The mask of the entities that ghosts pass through.
    pub(crate) fn ignored(engine: &mut Engine) -> ComponentMask {
        engine.mask_of::<(Collector,)>()
    }

    /// Sets the masks of all ghosts after loading.
    pub(crate) fn complete_loaded(engine: &mut Engine) {
        let ignored = Self::ignored(engine);
        let mut ghosts = engine.query_filtered::<&mut Self, IncludeDisabled>();
        ghosts.iter_mut().for_each(|ghost| ghost.ignores.clone_from(&ignored));
    }
}

/// Enables and disables ghosts, and updates the physics' collision filters.
#[derive(Debug, Default)]
pub struct Ghosts {
    /// The mask of each filter. Both lists are rebuilt in each step and keep their memory.
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
    /// Groups the ghosts by mask and collects the ignored entities of each group.
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

    /// A further power-up restarts the time.
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
        if let PowerUp::Ghost { seconds } = *power_up {
            ghost.left_seconds = seconds;
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
