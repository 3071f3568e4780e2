//! Hunger: with this rule set a collector that brings nothing to a stash for a while starves, sooner the longer the
//! match lasts.
//!
//! A starved collector loses its load and respawns as usual. So neither hiding nor circling pays. A reward of the
//! rule set `crown` counts as a delivery.

use ecs::{EntityId, IncludeDisabled, Query, Res, Sender, Setup, System, Time};
use serde::{Deserialize, Serialize};

use crate::data::config::MatchRules;
use crate::events::{BountyStashed, CrownClaimed, GameObjectSpawned, KillGameObject};
use crate::gameplay::match_flow::GameFlow;
use crate::objects::motion::Motion;

/// Component: the hunger of a collector. Written by [`Starve`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hunger {
    /// Seconds until it starves.
    pub left_seconds: f32,
}

/// Counts the hunger of living collectors, and kills those that starve.
///
/// Like damage, it comes before the contacts of a step, so a collector that starves neither collects nor unloads in
/// that step.
#[derive(Debug, Default)]
pub struct Starve;

impl System for Starve {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .before_type::<Motion>()
            .update(Self::count_down)
            .listen(Self::on_stashed)
            .listen(Self::on_claimed)
            .listen(Self::on_spawned);
    }
}

impl Starve {
    fn count_down(
        &mut self,
        time: Time,
        mut hungry: Query<(EntityId, &mut Hunger)>,
        mut kills: Sender<KillGameObject>,
    ) {
        for (entity, hunger) in &mut hungry {
            hunger.left_seconds -= time.delta_seconds();
            if hunger.left_seconds <= 0.0 {
                tracing::debug!(target: "bounty_hunter::match", %entity, "starved");
                kills.send(KillGameObject { entity });
            }
        }
    }

    fn on_stashed(
        &mut self,
        event: &BountyStashed,
        hungry: Query<&mut Hunger, IncludeDisabled>,
        flow: Res<GameFlow>,
        rules: Res<MatchRules>,
    ) {
        feed(event.collector, hungry, &flow, &rules);
    }

    fn on_claimed(
        &mut self,
        event: &CrownClaimed,
        hungry: Query<&mut Hunger, IncludeDisabled>,
        flow: Res<GameFlow>,
        rules: Res<MatchRules>,
    ) {
        feed(event.hunter, hungry, &flow, &rules);
    }

    fn on_spawned(
        &mut self,
        event: &GameObjectSpawned,
        hungry: Query<&mut Hunger, IncludeDisabled>,
        flow: Res<GameFlow>,
        rules: Res<MatchRules>,
    ) {
        feed(event.entity, hungry, &flow, &rules);
    }
}

/// Gives a collector all the time that there is at this point of the match.
fn feed(collector: EntityId, mut hungry: Query<&mut Hunger, IncludeDisabled>, flow: &GameFlow, rules: &MatchRules) {
    let Some(hunger) = hungry.get_mut(collector) else { return };
    if let Some(options) = &rules.options.hunger {
        hunger.left_seconds = options.seconds_at(flow.clock_seconds() / rules.play_seconds);
    }
}
