//! Learned AIs that control collectors: every few steps they look at the match and pick an intent.

use std::sync::Arc;

use ecs::{Engine, EntityId, IncludeDisabled, Query, Res, Setup, System, With};
use serde::{Deserialize, Serialize};

use crate::ai::learned::{
    OBSERVATION_LENGTH, Observer, Policy, Scene, Scratch, SeenBounty, SeenCollector, SeenStash, goal_names, observe,
};
use crate::control::ai_controller::AiControllers;
use crate::data::arena::Pose;
use crate::data::config::{MatchRules, SpellRules};
use crate::data::spell::Spell;
use crate::gameplay::lives::Lives;
use crate::gameplay::match_flow::GameFlow;
use crate::gameplay::player::Players;
use crate::gameplay::spell::SpellCaster;
use crate::objects::bounty::Bounty;
use crate::objects::capacity::Capacity;
use crate::objects::collector::{Collector, Controls, DriveCollectors, Pocket};
use crate::objects::game_object::{Life, Transform};
use crate::objects::ghost::Ghost;
use crate::objects::health::Health;
use crate::objects::lifetime::Lifetime;
use crate::objects::power_up::PowerUp;
use crate::objects::respawn::Respawn;
use crate::objects::stash::Stash;
use crate::objects::team::Team;
use crate::objects::wall::SolidWalls;

/// Component of a collector that a policy drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LearnedController {
    /// Index into the [`Policies`].
    pub policy: usize,
    /// Steps until it decides again.
    pub wait_steps: u32,
}

/// Resource: the policies of this match. Constant while a match runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policies(pub Vec<Arc<Policy>>);

/// Runs the policies and sets the intents of their collectors. It exists only in matches with learned AIs.
#[derive(Clone, Debug, Default)]
pub struct LearnedControllers {
    scene: Scene,
    numbers: Vec<f32>,
    scratch: Scratch,
}

impl System for LearnedControllers {
    fn setup(setup: &mut Setup<Self>) {
        // What changes what an AI sees waits for the other AIs, and so for these.
        setup.before_type::<AiControllers>().before_type::<DriveCollectors>().update(Self::decide);
    }
}

/// What a bounty is listed by.
type BountyItem<'q> = (EntityId, &'q Bounty, &'q Transform, &'q Lifetime);
type CollectorItem<'q> = (EntityId, &'q Collector, &'q Transform, &'q Pocket, &'q Capacity, Option<&'q Team>);
type StashItem<'q> = (&'q Stash, &'q Capacity, &'q Transform);
/// What a player knows of itself.
type ObserverItem<'q> = (
    (&'q Collector, &'q Transform, &'q Pocket, &'q Capacity, &'q Life, Option<&'q Team>),
    (Option<&'q Respawn>, Option<&'q Lives>, Option<&'q Health>, Option<&'q Ghost>, Option<&'q SpellCaster>),
);

impl LearnedControllers {
    #[allow(clippy::type_complexity, clippy::too_many_arguments)]
    fn decide(
        &mut self,
        mut minds: Query<(EntityId, &mut LearnedController, &mut Controls), IncludeDisabled>,
        observers: Query<ObserverItem<'_>, IncludeDisabled>,
        bounties: Query<BountyItem<'_>>,
        collectors: Query<CollectorItem<'_>>,
        stashes: Query<StashItem<'_>>,
        power_ups: Query<(EntityId, &Transform), With<PowerUp>>,
        (policies, players): (Res<Policies>, Res<Players>),
        (rules, flow, walls): (Res<MatchRules>, Res<GameFlow>, Res<SolidWalls>),
    ) {
        let mut is_listed = false;
        for (entity, mind, controls) in &mut minds {
            if mind.wait_steps > 0 {
                mind.wait_steps -= 1;
                continue;
            }
            let Some((policy, item)) = policies.0.get(mind.policy).zip(observers.get(entity)) else { continue };
            mind.wait_steps = policy.steps_per_decision - 1;
            let me = observer(item, rules.options.spells.as_ref());
            // A person who has taken over drives it.
            if players.0.get(me.player as usize).is_some_and(|player| !player.is_driven_by_ai()) {
                continue;
            }
            if !is_listed {
                self.scene.clear();
                // The clock has been counted down for this step already; the policy decides on the state after the last
                // one.
                self.scene.clock_seconds = flow.ticks_left().1.saturating_add(1) as f32 / flow.steps_per_second;
                self.scene.half_extent_m = rules.world_half_extent_m;
                self.scene.bounties.extend(bounties.iter().map(seen_bounty));
                self.scene.collectors.extend(collectors.iter().map(seen_collector));
                self.scene.stashes.extend(stashes.iter().map(seen_stash));
                self.scene.power_ups.extend(power_ups.iter().map(seen_power_up));
                self.scene.walls.extend_from_slice(&walls.blocks);
                self.scene.complete();
                is_listed = true;
            }
            self.numbers.resize(OBSERVATION_LENGTH, 0.0);
            observe(&self.scene, &me, &mut self.numbers);
            controls.intent = policy.decide(&self.numbers, &mut self.scratch).clamped();
        }
    }
}

/// The goals between which the policy of a collector chooses at this moment, each with its score, the best first;
/// `None` if no policy drives it, or it is dead. Scores have no unit: only their differences count. The match is not
/// changed.
#[must_use]
pub fn explain_learned(engine: &Engine, entity: EntityId) -> Option<Vec<(String, f32)>> {
    let policy = engine.get::<LearnedController>(entity)?.policy;
    let policy = Arc::clone(engine.resource::<Policies>()?.0.get(policy)?);
    let player = engine.get::<Collector>(entity)?.player;
    let (mut scene, mut all) = (Scene::default(), Vec::new());
    look_around(engine, &mut scene);
    observers(engine, &mut all);
    let me = all.iter().find(|observer| observer.player == player && observer.is_alive)?;
    let mut numbers = vec![0.0; OBSERVATION_LENGTH];
    observe(&scene, me, &mut numbers);
    let mut scratch = Scratch::default();
    let mut goals: Vec<_> =
        goal_names().into_iter().zip(policy.scores(&numbers, &mut scratch).iter().copied()).collect();
    goals.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    Some(goals)
}

/// Lists the objects of a match after a step, as learned AIs see them before the next one.
pub fn look_around(engine: &Engine, scene: &mut Scene) {
    scene.clear();
    if let Some((flow, rules)) = engine.resource::<GameFlow>().zip(engine.resource::<MatchRules>()) {
        scene.clock_seconds = flow.clock_seconds();
        scene.half_extent_m = rules.world_half_extent_m;
    }
    engine.read::<BountyItem<'_>>().for_each(|item| scene.bounties.push(seen_bounty(item)));
    engine.read::<CollectorItem<'_>>().for_each(|item| scene.collectors.push(seen_collector(item)));
    engine.read::<StashItem<'_>>().for_each(|item| scene.stashes.push(seen_stash(item)));
    let power_ups = engine.read_filtered::<(EntityId, &Transform), With<PowerUp>>();
    power_ups.for_each(|item| scene.power_ups.push(seen_power_up(item)));
    if let Some(walls) = engine.resource::<SolidWalls>() {
        scene.walls.extend_from_slice(&walls.blocks);
    }
    scene.complete();
}

/// What each player knows of itself after a step, by seat.
pub fn observers(engine: &Engine, observers: &mut Vec<Observer>) {
    observers.clear();
    let Some(rules) = engine.resource::<MatchRules>() else { return };
    let spells = rules.options.spells.as_ref();
    let items = engine.read_filtered::<ObserverItem<'_>, IncludeDisabled>();
    items.for_each(|item| observers.push(observer(item, spells)));
    observers.sort_unstable_by_key(|observer| observer.player);
}

fn seen_bounty((entity, bounty, transform, lifetime): BountyItem<'_>) -> SeenBounty {
    let (value, left_seconds) = (bounty.value, lifetime.left_seconds);
    SeenBounty { key: entity.bits(), position: transform.pose.position, value, left_seconds }
}

fn seen_collector((entity, collector, transform, pocket, capacity, team): CollectorItem<'_>) -> SeenCollector {
    let team = team.map(|team| team.number);
    let load = pocket.carried / capacity.points;
    SeenCollector { team, ..SeenCollector::new(entity.bits(), collector.player, transform.pose, load) }
}

fn seen_stash((stash, capacity, transform): StashItem<'_>) -> SeenStash {
    let fullness = stash.stashed / capacity.points;
    SeenStash { player: stash.player, position: transform.pose.position, fullness }
}

fn seen_power_up((entity, transform): (EntityId, &Transform)) -> (u64, glam::Vec2) {
    (entity.bits(), transform.pose.position)
}

fn observer(item: ObserverItem<'_>, spells: Option<&SpellRules>) -> Observer {
    let ((collector, transform, pocket, capacity, life, team), (respawn, lives, health, ghost, caster)) = item;
    let Pose { position, heading } = transform.pose;
    Observer {
        player: collector.player,
        team: team.map(|team| team.number),
        pose: Pose::new(position, heading),
        is_alive: life.is_alive,
        load: pocket.carried / capacity.points,
        respawn_seconds: respawn.and_then(|respawn| respawn.left_seconds).unwrap_or(0.0).max(0.0),
        health: health.map_or(1.0, |health| health.share()),
        lives: lives.map(|lives| lives.left),
        ghost_seconds: ghost.map_or(0.0, |ghost| ghost.left_seconds.max(0.0)),
        spells: caster.zip(spells).map(|(caster, rules)| {
            Spell::ALL.map(|spell| {
                let share = caster.left_seconds[spell.index()] / spell.cooldown_seconds(rules);
                1.0 - share.clamp(0.0, 1.0)
            })
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ai::learned::intent_of_goal;
    use crate::assets::Assets;
    use crate::data::input::Inputs;
    use crate::simulation::{MatchSetup, Simulation};

    #[test]
    fn explanation_names_the_goal_that_the_policy_takes_and_changes_nothing() {
        let setup = MatchSetup::of_ais(7, 3, "learned");
        let mut explained = Simulation::new(&Assets::built_in(), &setup).unwrap();
        let mut alone = Simulation::new(&Assets::built_in(), &setup).unwrap();
        let mut foretold = 0;
        for _ in 0..400 {
            let collectors: Vec<EntityId> = explained
                .engine()
                .resource::<Players>()
                .map(|players| players.0.iter().map(|player| player.collector).collect())
                .unwrap_or_default();
            let mut expected = Vec::new();
            for collector in collectors {
                let decides =
                    explained.engine().get::<LearnedController>(collector).is_some_and(|mind| mind.wait_steps == 0);
                let Some(goals) = explain_learned(explained.engine(), collector).filter(|_| decides) else { continue };
                assert!(goals.is_sorted_by(|(_, one), (_, other)| one >= other) && goals.len() == goal_names().len());
                expected.push((collector, goals[0].0.clone()));
            }
            explained.step(&Inputs::none());
            alone.step(&Inputs::none());
            for (collector, best) in expected {
                let goal = goal_names().iter().position(|name| *name == best).unwrap();
                // These goals are the same intent wherever the collector is.
                if let Some(controls) =
                    explained.engine().get::<Controls>(collector).filter(|_| goal >= goal_names().len() - 2)
                {
                    let intent = intent_of_goal(goal, &vec![0.0; OBSERVATION_LENGTH]).unwrap();
                    assert_eq!(controls.intent, intent.clamped());
                }
                foretold += 1;
            }
        }
        assert!(foretold > 50, "{foretold}");
        assert_eq!(explained.state_hash(), alone.state_hash());
        let stash = explained.engine().resource::<Players>().unwrap().0[0].stash;
        assert_eq!(explain_learned(explained.engine(), stash), None);
    }
}
