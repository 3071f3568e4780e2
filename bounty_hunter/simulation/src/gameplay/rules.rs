//! The rules: the consequences of collisions.

use ecs::{EntityId, Query, Res, Sender, Setup, System};
use serde::{Deserialize, Serialize};

use crate::data::config::MatchRules;
use crate::events::{BountyCollected, BountyStashed, CollisionBegin, KillGameObject, StashFull};
use crate::objects::bounty::Bounty;
use crate::objects::capacity::Capacity;
use crate::objects::collector::{Collector, Pocket};
use crate::objects::game_object::Life;
use crate::objects::life_cycle::GameObjects;
use crate::objects::powers::Powers;
use crate::objects::team::{StashItem, Team, are_partners, put_in};
use crate::physics::Category;

/// Applies the consequences of collisions, one after the other.
///
/// A collector that was killed in this step neither collects nor unloads, and a bounty is collected once. [`Life`]
/// changes only when the request to kill is granted, so the system keeps a list of its own until then.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Rules {
    killed_this_step: Vec<EntityId>,
}

/// What the rules need to know of a collector.
type CollectorItem<'q> =
    ((&'q Collector, &'q mut Pocket, &'q Capacity, &'q Life, Option<&'q Team>), Option<&'q mut Powers>);

impl System for Rules {
    fn setup(setup: &mut Setup<Self>) {
        setup.before_type::<GameObjects>().pre_update(Self::begin_step).listen(Self::on_collision);
    }
}

impl Rules {
    fn begin_step(&mut self) {
        self.killed_this_step.clear();
    }

    #[allow(clippy::too_many_arguments)]
    fn on_collision(
        &mut self,
        event: &CollisionBegin,
        rules: Res<MatchRules>,
        mut collectors: Query<CollectorItem<'_>>,
        bounties: Query<(&Bounty, &Life)>,
        mut stashes: Query<StashItem<'_>>,
        mut kills: Sender<KillGameObject>,
        mut collected: Sender<BountyCollected>,
        mut stashed: Sender<BountyStashed>,
        mut full: Sender<StashFull>,
    ) {
        let &CollisionBegin { a, b, category_a, category_b } = event;
        match (category_a, category_b) {
            // With health, a collision deals damage instead: `objects/health.rs`.
            (Category::Collector, Category::Collector) if rules.options.health.is_some() => {}
            (Category::Collector, Category::Collector) => {
                for collector in [a, b] {
                    let Some((_, powers)) = collectors.get_mut(collector) else { continue };
                    if !powers.is_some_and(Powers::break_shield) {
                        self.kill(collector, &mut kills);
                    }
                }
            }
            (Category::Collector, Category::Bounty) => {
                let Some(((_, pocket, capacity, life, _), powers)) = collectors.get_mut(a) else { return };
                let Some((bounty, bounty_life)) = bounties.get(b) else { return };
                if life.is_alive && bounty_life.is_alive && !self.is_killed_this_step(a) && !self.is_killed_this_step(b)
                {
                    let chain = rules.options.chain.as_ref();
                    let factor = powers.map_or(1.0, |powers| powers.value_factor());
                    let value = bounty.value * factor * chain.map_or(1.0, |chain| chain.factor(pocket.links));
                    let lost = (pocket.carried + value - capacity.points).max(0.0);
                    pocket.carried = (pocket.carried + value).min(capacity.points);
                    pocket.links = pocket.links.saturating_add(1);
                    collected.send(BountyCollected { collector: a, bounty: b, value, lost });
                    self.kill(b, &mut kills);
                }
            }
            (Category::Collector, Category::Stash) => {
                let Some(((collector, pocket, _, life, team), _)) = collectors.get_mut(a) else { return };
                let Some((stash, _, owner_team)) = stashes.get(b) else { return };
                let player = stash.player;
                let is_own = player == collector.player || are_partners(team, owner_team);
                let is_accepted = !rules.options.only_own_stash_accepts || is_own;
                if is_accepted && life.is_alive && !self.is_killed_this_step(a) && pocket.carried > 0.0 {
                    let value = std::mem::take(pocket).carried;
                    stashed.send(BountyStashed { collector: a, stash: b, value });
                    if put_in(b, value, &mut stashes) {
                        tracing::info!(target: "bounty_hunter::match", player, "stash full");
                        full.send(StashFull { stash: b });
                    }
                }
            }
            _ => {}
        }
    }

    fn kill(&mut self, entity: EntityId, kills: &mut Sender<KillGameObject>) {
        if !self.is_killed_this_step(entity) {
            self.killed_this_step.push(entity);
            kills.send(KillGameObject { entity });
        }
    }

    fn is_killed_this_step(&self, entity: EntityId) -> bool {
        self.killed_this_step.contains(&entity)
    }
}
