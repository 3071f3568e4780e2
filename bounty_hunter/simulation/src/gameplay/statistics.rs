//! Statistics: what each player has made of the match.
//!
//! Nothing depends on them, so they are not part of the state hash. [`Simulation`](crate::simulation::Simulation) keeps
//! them in its snapshots and saves.

use ecs::{EntityId, IncludeDisabled, Query, Res, ResMut, Setup, System, Time};
use serde::{Deserialize, Serialize};

use crate::events::{
    BountyCollected, BountyStashed, GameObjectKilled, GameOver, GamePaused, GameResumed, GameStarted, PlayerEliminated,
};
use crate::gameplay::match_flow::{GameFlow, MatchResult};
use crate::gameplay::player::Players;
use crate::objects::collector::{Collector, Pocket};

/// What one player has made of the match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerStatistics {
    /// Bounties collected.
    pub bounties: u32,
    /// Times that its collector emptied its pocket into a stash.
    pub deliveries: u32,
    /// The points of its largest delivery.
    pub best_delivery: f32,
    /// Deaths of its collector.
    pub deaths: u32,
    /// Times that its collector lost health.
    pub hits: u32,
    /// Spells cast.
    pub spells: u32,
    /// Spells that were requested too early, or while its collector was dead.
    pub refused_spells: u32,
    /// Times that its collector took a power-up.
    pub power_ups: u32,
    /// Near misses, with the rule set `chain`.
    pub near_misses: u32,
    /// The most links of its chain: bounties, and with the rule set `chain` near misses, since its pocket was empty.
    pub longest_chain: u32,
    /// Times that it was paid for a crash into the leader, with the rule set `crown`.
    pub crowns: u32,
    /// Times that others hit its mines.
    pub mined: u32,
    /// Times that it took the gold of a gold rush.
    pub gold: u32,
    /// Its place when it went out of the match: the number of players that were in, with itself.
    pub out_as: Option<u32>,
}

/// A player that was better than all others in one respect.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Award {
    /// Seat number.
    pub player: u32,
    /// What the award is for: a count, or points.
    pub amount: f32,
}

/// The awards of a finished match; a tie has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Awards {
    /// The most bounties collected.
    pub most_bounties: Option<Award>,
    /// The largest delivery, points.
    pub best_delivery: Option<Award>,
    /// The fewest deaths.
    pub fewest_deaths: Option<Award>,
}

impl Awards {
    fn of(players: &[PlayerStatistics]) -> Self {
        let amounts = |amount: fn(&PlayerStatistics) -> f32| players.iter().map(amount);
        Self {
            most_bounties: best(amounts(|player| player.bounties as f32)).filter(|award| award.amount > 0.0),
            best_delivery: best(amounts(|player| player.best_delivery)).filter(|award| award.amount > 0.0),
            fewest_deaths: best(amounts(|player| -(player.deaths as f32)))
                .map(|award| Award { amount: -award.amount, ..award }),
        }
    }
}

/// The highest of several amounts; `None` if two are the highest, or if there is only one.
fn best(amounts: impl ExactSizeIterator<Item = f32>) -> Option<Award> {
    let is_contest = amounts.len() > 1;
    let mut best: Option<Award> = None;
    let mut is_tie = false;
    for (player, amount) in (0..).zip(amounts) {
        let highest = best.map_or(f32::NEG_INFINITY, |award| award.amount);
        is_tie = amount == highest || is_tie && amount < highest;
        if amount > highest {
            best = Some(Award { player, amount });
        }
    }
    best.filter(|_| is_contest && !is_tie)
}

/// Resource: the statistics of the match.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// By seat.
    pub players: Vec<PlayerStatistics>,
    /// Steps in which the match stood still, without those of a pause that lasts.
    pub paused_ticks: u64,
    /// The awards; none before the end of the match.
    pub awards: Awards,
    /// The frame in which the present pause began.
    paused_at: Option<u64>,
}

impl Statistics {
    /// The statistics of a player.
    #[must_use]
    pub fn of(&self, player: u32) -> PlayerStatistics {
        self.players.get(player as usize).copied().unwrap_or_default()
    }

    /// Changes the statistics of a collector's player, and returns both.
    pub(crate) fn note(
        &mut self,
        collectors: &Query<&Collector, IncludeDisabled>,
        entity: EntityId,
        change: impl FnOnce(&mut PlayerStatistics),
    ) -> Option<(u32, PlayerStatistics)> {
        let player = collectors.get(entity)?.player;
        let statistics = self.players.get_mut(player as usize)?;
        change(statistics);
        Some((player, *statistics))
    }
}

/// Counts. A forged save may hold the highest number, which then stays.
pub(crate) fn add_one(count: &mut u32) {
    *count = count.saturating_add(1);
}

/// Keeps the [`Statistics`]. The systems of spells, health, power-ups, mines, chain, crown and gold rushes add what
/// happens by them.
#[derive(Debug, Default)]
pub struct KeepStatistics;

impl System for KeepStatistics {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .listen(Self::on_started)
            .listen(Self::on_paused)
            .listen(Self::on_resumed)
            .listen(Self::on_over)
            .listen(Self::on_collected)
            .listen(Self::on_stashed)
            .listen(Self::on_killed)
            .listen(Self::on_eliminated);
    }
}

impl KeepStatistics {
    fn on_started(&mut self, _: &GameStarted, players: Res<Players>, mut statistics: ResMut<Statistics>) {
        tracing::info!(target: "bounty_hunter::match", players = players.0.len(), "started");
        *statistics = Statistics::default();
        statistics.players.resize(players.0.len(), PlayerStatistics::default());
    }

    fn on_paused(&mut self, _: &GamePaused, time: Time, mut statistics: ResMut<Statistics>) {
        statistics.paused_at = Some(time.frame());
        tracing::info!(target: "bounty_hunter::match", "paused");
    }

    fn on_resumed(&mut self, _: &GameResumed, time: Time, mut statistics: ResMut<Statistics>) {
        let paused_at = statistics.paused_at.take();
        let ticks = paused_at.map_or(0, |frame| time.frame().saturating_sub(frame));
        statistics.paused_ticks = statistics.paused_ticks.saturating_add(ticks);
        tracing::info!(target: "bounty_hunter::match", ticks, "resumed");
    }

    fn on_over(&mut self, _: &GameOver, flow: Res<GameFlow>, mut statistics: ResMut<Statistics>) {
        statistics.awards = Awards::of(&statistics.players);
        if let Some(MatchResult { ending, winner }) = flow.result() {
            tracing::info!(target: "bounty_hunter::match", ending = ending.name(), winner, "over");
        }
    }

    fn on_collected(
        &mut self,
        event: &BountyCollected,
        collectors: Query<&Collector, IncludeDisabled>,
        pockets: Query<&Pocket, IncludeDisabled>,
        mut statistics: ResMut<Statistics>,
    ) {
        let links = pockets.get(event.collector).map_or(0, |pocket| pocket.links);
        let noted = statistics.note(&collectors, event.collector, |player| {
            add_one(&mut player.bounties);
            player.longest_chain = player.longest_chain.max(links);
        });
        if let Some((player, PlayerStatistics { bounties, .. })) = noted {
            let (bounty, points) = (event.bounty, event.value);
            tracing::debug!(target: "bounty_hunter::match", player, %bounty, points, bounties, "collected");
        }
    }

    fn on_stashed(
        &mut self,
        event: &BountyStashed,
        collectors: Query<&Collector, IncludeDisabled>,
        mut statistics: ResMut<Statistics>,
    ) {
        let noted = statistics.note(&collectors, event.collector, |player| {
            add_one(&mut player.deliveries);
            player.best_delivery = player.best_delivery.max(event.value);
        });
        if let Some((player, PlayerStatistics { deliveries, .. })) = noted {
            let (stash, points) = (event.stash, event.value);
            tracing::info!(target: "bounty_hunter::match", player, %stash, points, deliveries, "delivered");
        }
    }

    fn on_killed(
        &mut self,
        event: &GameObjectKilled,
        collectors: Query<&Collector, IncludeDisabled>,
        mut statistics: ResMut<Statistics>,
    ) {
        let noted = statistics.note(&collectors, event.entity, |player| add_one(&mut player.deaths));
        match noted {
            Some((player, PlayerStatistics { deaths, .. })) => {
                tracing::info!(target: "bounty_hunter::match", player, deaths, "died");
            }
            None => tracing::debug!(target: "bounty_hunter::match", entity = %event.entity, "killed"),
        }
    }

    fn on_eliminated(&mut self, event: &PlayerEliminated, mut statistics: ResMut<Statistics>) {
        let players_in = statistics.players.iter().filter(|player| player.out_as.is_none()).count() as u32;
        if let Some(player) = statistics.players.get_mut(event.player as usize) {
            player.out_as = Some(players_in);
            tracing::info!(target: "bounty_hunter::match", player = event.player, place = players_in, "out");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn award_needs_one_player_that_is_better_than_all_others() {
        let of = |amounts: &[f32]| best(amounts.iter().copied()).map(|award| (award.player, award.amount));
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[9.0]), None, "alone");
        assert_eq!(of(&[2.0, 9.0, 3.0]), Some((1, 9.0)));
        assert_eq!(of(&[9.0, 2.0, 9.0, 3.0]), None, "a tie");
        assert_eq!(of(&[2.0, 2.0, 3.0]), Some((2, 3.0)), "a tie of others");
        assert_eq!(of(&[f32::NAN, f32::NAN]), None);
    }
}
