//! The leader: once a second the collector of the fullest stash is tagged; it wears the crown. With teams, the fullest
//! stash of the leading team counts.

use std::time::Duration;

use ecs::{Commands, EntityId, EntityLists, IncludeDisabled, Query, Res, ResMut, Sender, Setup, System, With};

use crate::data::config::MatchRules;
use crate::events::{CollisionBegin, CrownClaimed, DamageTaken, StashFull};
use crate::gameplay::player::Players;
use crate::gameplay::rules::Rules;
use crate::gameplay::statistics::{Statistics, add_one};
use crate::objects::collector::{Collector, Pocket};
use crate::objects::health::Health;
use crate::objects::powers::Powers;
use crate::objects::stash::Stash;
use crate::objects::team::{Side, StashItem, Team, leading, list_sides, put_in};
use crate::physics::Category;

/// The tag of the leading collector.
pub const LEADER: &str = "leader";

/// Tags the leading collector. While two sides tie there is no leader.
#[derive(Clone, Debug, Default)]
pub struct Crown {
    /// Listed again each time; the memory is kept.
    sides: Vec<Side>,
}

impl System for Crown {
    fn setup(setup: &mut Setup<Self>) {
        setup.every(Duration::from_secs(1)).update(Self::crown);
    }
}

impl Crown {
    fn crown(
        &mut self,
        stashes: Query<(&Stash, Option<&Team>)>,
        players: Res<Players>,
        entity_lists: EntityLists,
        mut commands: Commands,
    ) {
        list_sides(stashes.iter(), &mut self.sides);
        let leading = leading(&self.sides).and_then(|side| Some(players.0.get(side.best as usize)?.collector));
        match (entity_lists.tagged(LEADER), leading) {
            (crowned, leading) if crowned == leading => {}
            (_, Some(collector)) => {
                tracing::info!(target: "bounty_hunter::match", %collector, "leads");
                commands.tag(LEADER, collector);
            }
            (Some(collector), None) => commands.leave(LEADER, collector),
            (None, None) => {}
        }
    }
}

/// With the rule set `crown`, gives a part of the leader's load to the stash of a collector that crashes into it, even
/// if that collector dies as well.
///
/// Two that hit it in one step are both paid, as far as the load suffices. With health, the hit that kills is paid.
#[derive(Debug, Default)]
pub struct PayHunters;

impl System for PayHunters {
    fn setup(setup: &mut Setup<Self>) {
        // Before a shield breaks.
        setup.before_type::<Rules>().listen(Self::on_collision).listen(Self::on_damage).listen(Self::on_claimed);
    }
}

impl PayHunters {
    fn on_collision(
        &mut self,
        event: &CollisionBegin,
        entity_lists: EntityLists,
        rules: Res<MatchRules>,
        pockets: Query<&Pocket, With<Collector>>,
        powers: Query<&Powers>,
        mut claimed: Sender<CrownClaimed>,
    ) {
        let &CollisionBegin { a, b, category_a, category_b } = event;
        let is_crash = (category_a, category_b) == (Category::Collector, Category::Collector);
        let Some(leader) = entity_lists.tagged(LEADER).filter(|leader| is_crash && [a, b].contains(leader)) else {
            return;
        };
        let is_shielded = powers.get(leader).is_some_and(|powers| powers.shield_seconds > 0.0);
        if rules.options.health.is_none() && !is_shielded {
            claim(if leader == a { b } else { a }, leader, &rules, &pockets, &mut claimed);
        }
    }

    fn on_damage(
        &mut self,
        event: &DamageTaken,
        entity_lists: EntityLists,
        rules: Res<MatchRules>,
        pockets: Query<&Pocket, With<Collector>>,
        healths: Query<&Health>,
        mut claimed: Sender<CrownClaimed>,
    ) {
        let is_dead = healths.get(event.entity).is_some_and(|health| health.left <= 0.0);
        if is_dead && entity_lists.tagged(LEADER) == Some(event.entity) {
            claim(event.by, event.entity, &rules, &pockets, &mut claimed);
        }
    }

    fn on_claimed(
        &mut self,
        event: &CrownClaimed,
        mut pockets: Query<&mut Pocket, IncludeDisabled>,
        collectors: Query<&Collector, IncludeDisabled>,
        players: Res<Players>,
        mut stashes: Query<StashItem<'_>>,
        (mut statistics, mut full): (ResMut<Statistics>, Sender<StashFull>),
    ) {
        let hunter = collectors.get(event.hunter).and_then(|hunter| players.0.get(hunter.player as usize));
        let Some((hunter, pocket)) = hunter.zip(pockets.get_mut(event.leader)) else { return };
        let value = event.value.min(pocket.carried);
        pocket.carried -= value;
        // The leader may have unloaded since the crash.
        if value > 0.0 {
            statistics.note(&collectors, event.hunter, |player| add_one(&mut player.crowns));
        }
        if put_in(hunter.stash, value, &mut stashes) {
            full.send(StashFull { stash: hunter.stash });
        }
    }
}

/// Sends what a collector that has crashed into the leader has earned, if the leader carries a load.
fn claim(
    hunter: EntityId,
    leader: EntityId,
    rules: &MatchRules,
    pockets: &Query<&Pocket, With<Collector>>,
    claimed: &mut Sender<CrownClaimed>,
) {
    let share = rules.options.crown.as_ref().map_or(0.0, |crown| crown.reward_share);
    let Some(pocket) = pockets.get(leader) else { return };
    let value = share * pocket.carried;
    if value > 0.0 && pockets.contains(hunter) {
        claimed.send(CrownClaimed { hunter, leader, value });
    }
}
