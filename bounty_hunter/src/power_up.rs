//! Power-ups: squares that lie in the arena as bounties do, and make a [`Ghost`](crate::ghost::Ghost) of the collector that
//! touches them.

use ecs::{EntityId, IncludeDisabled, Query, Res, Sender, Setup, System, With};

use crate::collector::Collector;
use crate::events::{CollisionBegin, GameObjectSpawned, KillGameObject, PowerUpTaken};
use crate::game_object::{GameObjects, Life};
use crate::lifetime::Lifetime;
use crate::physics::Category;
use crate::random::{Purpose, RandomStream};
use crate::rules::MatchRules;

/// Component: it is a power-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PowerUp;

/// Lets collectors take power-ups, and deals every one that comes to life a life span.
#[derive(Clone, Debug)]
pub struct PowerUps {
    lifetimes: RandomStream,
    /// What was taken in this step: as with bounties, [`Life`] says so only when the wish to kill is granted.
    taken: Vec<EntityId>,
}

impl PowerUps {
    /// Deals with a stream of random numbers of its own, for the `index`-th match.
    #[must_use]
    pub fn new(seed: u64, index: u64) -> Self {
        Self { lifetimes: RandomStream::new(seed, Purpose::PowerUpLifetime, index), taken: Vec::new() }
    }

    /// Where the stream stands, for the hash of the whole state.
    #[must_use]
    pub fn random(&self) -> &RandomStream {
        &self.lifetimes
    }

    fn begin_step(&mut self) {
        self.taken.clear();
    }

    fn on_spawned(
        &mut self,
        event: &GameObjectSpawned,
        mut power_ups: Query<&mut Lifetime, (With<PowerUp>, IncludeDisabled)>,
        rules: Res<MatchRules>,
    ) {
        let Some((lifetime, options)) = power_ups.get_mut(event.entity).zip(rules.options.power_ups) else { return };
        let (shortest, longest) = options.lifetime_seconds;
        *lifetime = Lifetime::lasting(self.lifetimes.between(shortest, longest), shortest);
    }

    /// Of two collectors that touch one in the same step the one that was created first takes it.
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
            taken.send(PowerUpTaken { collector: a, power_up: b });
            kills.send(KillGameObject { entity: b });
        }
    }
}

impl System for PowerUps {
    fn setup(setup: &mut Setup<Self>) {
        setup.before::<GameObjects>().pre_update(Self::begin_step).listen(Self::on_spawned).listen(Self::on_collision);
    }
}
