//! Mines: a power-up lays one, and any other collector that touches it crashes, except those of partners.
//!
//! A crash into a mine is like one into a collector: the load is lost, a shield holds it off, ghosts pass, and with
//! health it costs health. The mine is gone afterwards, also under a shield. It lies until the end of its lifetime,
//! even if its owner dies. No mine is laid near a stash: it would shut off the stash and the place of a respawn.

use ecs::{EntityId, IncludeDisabled, Query, Res, ResMut, Sender, Setup, System, Time, With};

use crate::data::arena::wrapped_delta;
use crate::data::config::MatchRules;
use crate::events::{GameObjectKilled, GameObjectSpawned, KillGameObject, MineExploded, PowerUpTaken, SpawnGameObject};
use crate::gameplay::statistics::{Statistics, add_one};
use crate::gameplay::use_powers::UsePowers;
use crate::objects::collector::{Collector, DriveCollectors};
use crate::objects::game_object::{Life, Transform};
use crate::objects::ghost::Ghost;
use crate::objects::health::Health;
use crate::objects::mine::{CarriedMine, Fuse, Mine, MineLayer};
use crate::objects::motion::Motion;
use crate::objects::power_up::PowerUp;
use crate::objects::powers::Powers;
use crate::objects::stash::Stash;
use crate::objects::team::{Team, are_partners};
use crate::physics::Physics;

/// Lays mines, arms them and lets them explode.
///
/// Like damage, an explosion comes before the contacts of a step, so a collector that it kills neither collects nor
/// unloads in that step. All collectors that touch the mine then are hit.
#[derive(Debug, Default)]
pub struct Mines;

impl System for Mines {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .after_type::<UsePowers>()
            .after_type::<DriveCollectors>()
            .before_type::<Motion>()
            .update(Self::lay)
            .update(Self::arm)
            .update(Self::explode)
            .listen(Self::on_taken)
            .listen(Self::on_spawned)
            .listen(Self::on_killed)
            .listen(Self::on_exploded);
    }
}

/// What a mine needs to know of a collector that touches it.
type VictimItem<'q> =
    ((&'q Collector, &'q Life, Option<&'q Team>), Option<&'q Ghost>, Option<&'q Health>, Option<&'q mut Powers>);

impl Mines {
    #[allow(clippy::too_many_arguments)]
    fn lay(
        &mut self,
        time: Time,
        mut layers: Query<(&mut MineLayer, &Transform)>,
        stashes: Query<&Transform, With<Stash>>,
        mines: Query<&Mine>,
        rules: Res<MatchRules>,
        mut kills: Sender<KillGameObject>,
        mut spawns: Sender<SpawnGameObject>,
    ) {
        for (layer, transform) in &mut layers {
            let Some(carried) = &mut layer.carried else { continue };
            carried.left_seconds = (carried.left_seconds - time.delta_seconds()).max(0.0);
            let distance_m = |stash: &Transform| {
                let from = transform.pose.position;
                wrapped_delta(from, stash.pose.position, rules.world_half_extent_m).length()
            };
            let is_clear = || stashes.iter().all(|stash| distance_m(stash) >= carried.stash_clearance_m);
            if carried.left_seconds > 0.0 || !is_clear() {
                continue;
            }
            layer.carried = None;
            if mines.contains(layer.mine) {
                kills.send(KillGameObject { entity: layer.mine });
            }
            spawns.send(SpawnGameObject { entity: layer.mine, pose: transform.pose });
        }
    }

    fn arm(&mut self, time: Time, mut mines: Query<&mut Mine>) {
        for mine in &mut mines {
            mine.arms_in_seconds = (mine.arms_in_seconds - time.delta_seconds()).max(0.0);
        }
    }

    fn explode(
        &mut self,
        physics: Res<Physics>,
        mines: Query<(&Mine, &Life, Option<&Team>)>,
        mut collectors: Query<VictimItem<'_>>,
        mut exploded: Sender<MineExploded>,
        mut kills: Sender<KillGameObject>,
    ) {
        for (collector, sensor) in physics.sensor_contacts() {
            let (victim, entity) = (EntityId::from_bits(collector.0), EntityId::from_bits(sensor.0));
            let Some((mine, mine_life, mine_team)) = mines.get(entity) else { continue };
            let Some(((collector, life, team), ghost, health, powers)) = collectors.get_mut(victim) else { continue };
            let is_hit = mine.is_dangerous_to(collector.player) && ghost.is_none() && !are_partners(team, mine_team);
            if !(is_hit && mine_life.is_alive && life.is_alive) {
                continue;
            }
            // With health, the shield takes the damage: `objects/health.rs`.
            if health.is_some() || !powers.is_some_and(Powers::break_shield) {
                exploded.send(MineExploded { mine: entity, owner: mine.owner, victim });
            }
            kills.send(KillGameObject { entity });
        }
    }

    fn on_taken(
        &mut self,
        event: &PowerUpTaken,
        mut layers: Query<&mut MineLayer, IncludeDisabled>,
        power_ups: Query<&PowerUp, IncludeDisabled>,
    ) {
        if let Some(layer) = layers.get_mut(event.collector)
            && let Some(&PowerUp::Mine { lay_seconds, stash_clearance_m }) = power_ups.get(event.power_up)
        {
            layer.carried = Some(CarriedMine { left_seconds: lay_seconds, stash_clearance_m });
        }
    }

    /// A mine that was laid is armed later. A collector respawns without a mine that it took in the step of its death.
    fn on_spawned(
        &mut self,
        event: &GameObjectSpawned,
        mut mines: Query<(&mut Mine, &Fuse), IncludeDisabled>,
        mut layers: Query<&mut MineLayer, IncludeDisabled>,
    ) {
        if let Some((mine, fuse)) = mines.get_mut(event.entity) {
            mine.arms_in_seconds = fuse.arming_seconds;
            tracing::debug!(target: "bounty_hunter::match", player = mine.owner, mine = %event.entity, "laid a mine");
        }
        if let Some(layer) = layers.get_mut(event.entity) {
            layer.carried = None;
        }
    }

    /// A killed collector loses the mine that it carries.
    fn on_killed(&mut self, event: &GameObjectKilled, mut layers: Query<&mut MineLayer, IncludeDisabled>) {
        if let Some(layer) = layers.get_mut(event.entity) {
            layer.carried = None;
        }
    }

    /// Without health, the explosion kills.
    fn on_exploded(
        &mut self,
        event: &MineExploded,
        collectors: Query<&Collector, IncludeDisabled>,
        healths: Query<&Health>,
        mut statistics: ResMut<Statistics>,
        mut kills: Sender<KillGameObject>,
    ) {
        let MineExploded { owner, victim, .. } = *event;
        if let Some(statistics) = statistics.players.get_mut(owner as usize) {
            add_one(&mut statistics.mined);
        }
        let player = collectors.get(victim).map(|collector| collector.player);
        tracing::info!(target: "bounty_hunter::match", player, owner, "hit a mine");
        if !healths.contains(victim) {
            kills.send(KillGameObject { entity: victim });
        }
    }
}
