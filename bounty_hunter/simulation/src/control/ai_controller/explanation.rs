//! [`explain`]: what an AI sees, what each choice is worth to it, and what it does, in words.

use ecs::{Engine, EntityId, EntityLists, Query, Res};

use super::{
    AiAgent, AiController, AiControllers, AiWorld, AiWorldParams, BountyRadar, CollectorAvoider, Found, Profiles,
};
use crate::ai::{BrainState, choose_bounty, is_late, score_of, wants_home};
use crate::data::arena::wrapped_delta;
use crate::data::config::{AiProfile, MatchRules};
use crate::objects::capacity::Capacity;
use crate::objects::collector::{Collector, Drive, Pocket};
use crate::objects::game_object::Transform;
use crate::objects::ghost::Ghost;
use crate::objects::hunger::Hunger;
use crate::objects::team::Team;
use crate::physics::Shape;

/// A target that an AI sees: a bounty, a power-up, or a collector that it would ram.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The target.
    pub entity: EntityId,
    /// The target in words.
    pub name: String,
    /// Its value to the AI, points.
    pub value: f32,
    /// Its distance by the shortest way around the world, metres.
    pub distance_m: f32,
    /// What the AI's strategy makes of it: the highest score is chosen. Each strategy has its own unit.
    pub score: f32,
}

/// The decision of an AI at this moment.
#[derive(Clone, Debug, PartialEq)]
pub struct AiExplanation {
    /// Its state.
    pub state: BrainState,
    /// The target that it goes to.
    pub target: Option<EntityId>,
    /// The target in words.
    pub target_name: String,
    /// What it would choose from if it chose now, as its radar has it: the longest seen first.
    pub choices: Vec<Choice>,
    /// Index of the choice that it would make now.
    pub best: Option<usize>,
    /// Collectors that it avoids.
    pub threats: usize,
    /// The load of its pocket, 0 to 1.
    pub pocket_fullness: f32,
    /// The load at which it goes home, 0 to 1.
    pub stash_threshold: f32,
    /// Whether the clock leaves no time for more than the way home.
    pub is_late: bool,
    /// Whether it would go home now.
    pub wants_home: bool,
    /// A person has taken over.
    pub is_relieved: bool,
}

impl AiExplanation {
    /// The decision in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let load = format!("{:.0} % of its pocket is full", 100.0 * self.pocket_fullness);
        if self.is_relieved {
            return "A person drives it.".to_owned();
        }
        let mut sentence = match (self.state, self.target) {
            (BrainState::Spawned, _) => "It has just appeared.".to_owned(),
            (BrainState::StashBounty, _) if self.is_late => format!("It goes home, for time runs short; {load}."),
            (BrainState::StashBounty, _) => {
                let threshold = 100.0 * self.stash_threshold;
                format!("It goes home: {load}, and it turns back at {threshold:.0} %.")
            }
            (BrainState::MoveToBounty | BrainState::BountyCollected, Some(_)) => {
                format!("It goes to {}; {load}.", self.target_name)
            }
            (BrainState::Wander, _) => format!("It wanders, for it saw nothing that it wants; {load}."),
            _ => format!("It chooses a target; {load}."),
        };
        if self.threats > 0 {
            let others =
                if self.threats == 1 { "collector".to_owned() } else { format!("{} collectors", self.threats) };
            sentence.push_str(&format!(" But first it turns away from the {others} ahead."));
        }
        sentence
    }
}

/// What a collector's AI decides, computed from the state as it is; `None` if no AI drives it or it is dead. The match
/// is not changed.
#[must_use]
#[allow(clippy::type_complexity)]
pub fn explain(engine: &mut Engine, entity: EntityId) -> Option<AiExplanation> {
    let mut scratch = AiControllers::default();
    let find = |found: Found<'_>, entity_lists: EntityLists, rules: Res<MatchRules>| {
        scratch.find_collectors(found, entity_lists, rules);
    };
    engine.run(find).ok()?;
    let explain = |controllers: Query<(
        (&AiController, &Pocket, &BountyRadar, &CollectorAvoider, Option<&Ghost>, Option<&Hunger>),
        (&Collector, &Transform, &Drive, &Capacity, &Shape, Option<&Team>),
    )>,
                   profiles: Res<Profiles>,
                   around: AiWorldParams<'_>| {
        let around = AiWorld::of(&around);
        let ((ai, pocket, radar, avoider, ghost, hunger), (collector, transform, drive, capacity, shape, team)) =
            controllers.get(entity)?;
        let profile: &AiProfile = profiles.0.get(ai.profile)?;
        scratch.find_objects(&around);
        let me = AiAgent {
            entity,
            // It looks around as if it chose now.
            state: BrainState::FindBounty,
            target: ai.brain.target,
            home: ai.home,
            senses: (radar, avoider),
            is_ghost: ghost.is_some(),
            load: (pocket, capacity),
            hunger,
            team,
            body: (collector, transform, drive, shape),
        };
        let senses = scratch.sense(profile, &me, &around);
        let target = ai.brain.target.map(|target| EntityId::from_bits(target.key));
        let name_of = |target: EntityId| {
            let player = around.players.0.iter().position(|player| player.collector == target);
            match (around.bounties.get(target), player) {
                (Some((bounty, _)), _) => format!("a bounty of {:.0} points", bounty.value),
                (None, Some(player)) => format!("the collector of player #{player}, to ram it"),
                (None, None) if around.power_ups.contains(target) => "a power-up".to_owned(),
                (None, None) => "where a bounty was".to_owned(),
            }
        };
        let choices = senses.seen_bounties.iter().map(|seen| Choice {
            entity: EntityId::from_bits(seen.key),
            name: name_of(EntityId::from_bits(seen.key)),
            value: seen.value,
            distance_m: wrapped_delta(senses.me.position, seen.position, around.rules.world_half_extent_m).length(),
            score: score_of(profile, &senses, seen),
        });
        Some(AiExplanation {
            state: ai.brain.state.current(),
            target,
            target_name: target.map(name_of).unwrap_or_default(),
            choices: choices.collect(),
            best: choose_bounty(profile, &senses),
            threats: senses.threats.len(),
            pocket_fullness: senses.pocket_fullness,
            stash_threshold: profile.stash_threshold,
            is_late: is_late(profile, &senses),
            wants_home: wants_home(profile, &senses),
            is_relieved: ai.is_relieved,
        })
    };
    engine.run(explain).ok()?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::Assets;
    use crate::data::input::Inputs;
    use crate::gameplay::player::Players;
    use crate::simulation::{MatchSetup, Simulation};

    #[test]
    fn explanation_names_the_choice_that_the_ai_makes_and_changes_nothing() {
        for profile in ["hard", "normal"] {
            let setup = MatchSetup::of_ais(7, 4, profile);
            let mut explained = Simulation::new(&Assets::built_in(), &setup).unwrap();
            let mut alone = Simulation::new(&Assets::built_in(), &setup).unwrap();
            let mut foretold = 0;
            for _ in 0..400 {
                let players = explained.engine().resource::<Players>().map(|players| players.0.clone());
                let mut expected = Vec::new();
                for player in players.unwrap_or_default() {
                    let Some(explanation) = explain(explained.engine_mut(), player.collector) else { continue };
                    assert!(explanation.sentence().ends_with('.'));
                    if explanation.state == BrainState::FindBounty && !explanation.wants_home {
                        let best = explanation.best.map(|best| explanation.choices[best].entity);
                        expected.push((player.collector, best));
                    }
                }
                explained.step(&Inputs::none());
                alone.step(&Inputs::none());
                for (collector, best) in expected {
                    let Some(explanation) = explain(explained.engine_mut(), collector) else { continue };
                    // What the AI looks at moves within the step, so the foretold choice is seldom another one.
                    foretold += if explanation.target == best { 1 } else { -20 };
                }
            }
            assert!(foretold > 5, "{profile}: {foretold}");
            assert_eq!(explained.state_hash(), alone.state_hash());
        }
    }

    #[test]
    fn what_no_ai_drives_has_no_explanation() {
        let mut simulation = Simulation::new(&Assets::built_in(), &MatchSetup::of_ais(7, 2, "normal")).unwrap();
        (0..5).for_each(|_| _ = simulation.step(&Inputs::none()));
        assert_eq!(explain(simulation.engine_mut(), EntityId::default()), None);
        let stash = simulation.engine().resource::<Players>().unwrap().0[0].stash;
        assert_eq!(explain(simulation.engine_mut(), stash), None);
    }
}
