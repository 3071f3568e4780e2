//! Power-ups: squares in the arena that help the collector that touches them for a while.
//!
//! What they do is in `objects/ghost.rs`, `gameplay/use_powers.rs` and `gameplay/mines.rs`.

use ecs::{EntityId, IncludeDisabled, Query, Random, Sender, Setup, System, With};
use serde::{Deserialize, Serialize};

use crate::data::limits;
use crate::events::{CollisionBegin, GameObjectSpawned, KillGameObject, PowerUpTaken};
use crate::objects::collector::Collector;
use crate::objects::game_object::Life;
use crate::objects::life_cycle::GameObjects;
use crate::objects::lifetime::{Lifespan, Lifetime};
use crate::objects::passes::Passes;
use crate::physics::Category;
use crate::random::PowerUpLifetimes;

/// Component: a power-up, by what it does for its holder. A further one of the same kind restarts the time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum PowerUp {
    /// Its holder passes through other collectors, or what else is listed.
    Ghost {
        /// For so long, seconds.
        #[serde(deserialize_with = "limits::read::duration_seconds")]
        seconds: f32,
        /// What it passes through.
        #[serde(default = "Passes::collectors")]
        passes: Passes,
    },
    /// Its holder drives faster.
    Dash {
        /// For so long, seconds.
        #[serde(deserialize_with = "limits::read::duration_seconds")]
        seconds: f32,
        /// Its top speed, as a multiple of that of its kind.
        #[serde(deserialize_with = "limits::read::dash_factor")]
        factor: f32,
    },
    /// Its holder survives the next crash, which ends the shield.
    Shield {
        /// For so long at most, seconds.
        #[serde(deserialize_with = "limits::read::duration_seconds")]
        seconds: f32,
    },
    /// Its holder pulls bounties.
    Magnet {
        /// For so long, seconds.
        #[serde(deserialize_with = "limits::read::duration_seconds")]
        seconds: f32,
        /// From so far, metres.
        #[serde(deserialize_with = "limits::read::length_m")]
        range_m: f32,
        /// So fast, metres per second.
        #[serde(deserialize_with = "limits::read::speed_mps")]
        speed_mps: f32,
    },
    /// Bounties are worth twice as much to its holder.
    Double {
        /// For so long, seconds.
        #[serde(deserialize_with = "limits::read::duration_seconds")]
        seconds: f32,
    },
    /// Its holder lays its mine. A further one lays the same mine elsewhere.
    Mine {
        /// After so long, where its holder is then, seconds.
        #[serde(deserialize_with = "limits::read::delay_seconds")]
        lay_seconds: f32,
        /// No stash is nearer than this, from centre to centre, metres; its holder keeps the mine until then.
        #[serde(deserialize_with = "limits::read::gap_m")]
        stash_clearance_m: f32,
    },
}

/// Lets collectors pick up power-ups, and gives each spawned power-up a lifetime.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PowerUps {
    /// Power-ups taken in this step; their [`Life`] changes only when the request to kill is granted.
    taken: Vec<EntityId>,
}

impl PowerUps {
    fn begin_step(&mut self) {
        self.taken.clear();
    }

    fn on_spawned(
        &mut self,
        event: &GameObjectSpawned,
        mut power_ups: Query<(&Lifespan, &mut Lifetime), (With<PowerUp>, IncludeDisabled)>,
        mut lifetimes: Random<PowerUpLifetimes>,
    ) {
        if let Some((lifespan, lifetime)) = power_ups.get_mut(event.entity) {
            *lifetime = lifespan.deal(&mut lifetimes);
        }
    }

    /// If two collectors touch one in the same step, the one that was created first takes it.
    fn on_collision(
        &mut self,
        event: &CollisionBegin,
        collectors: Query<&Life, With<Collector>>,
        power_ups: Query<&Life, With<PowerUp>>,
        mut kills: Sender<KillGameObject>,
        mut taken: Sender<PowerUpTaken>,
    ) {
        let &CollisionBegin { a, b, category_a, category_b } = event;
        if (category_a, category_b) != (Category::Collector, Category::PowerUp) || self.taken.contains(&b) {
            return;
        }
        let is_alive = |life: Option<&Life>| life.is_some_and(|life| life.is_alive);
        if is_alive(collectors.get(a)) && is_alive(power_ups.get(b)) {
            self.taken.push(b);
            tracing::debug!(target: "bounty_hunter::match", collector = %a, power_up = %b, "power-up taken");
            taken.send(PowerUpTaken { collector: a, power_up: b });
            kills.send(KillGameObject { entity: b });
        }
    }
}

impl System for PowerUps {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .before_type::<GameObjects>()
            .pre_update(Self::begin_step)
            .listen(Self::on_spawned)
            .listen(Self::on_collision);
    }
}
