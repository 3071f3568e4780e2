//! Requests for spells from AIs.

use ecs::{EntityId, Query, Res, Sender, Setup, System, With};

use crate::ai::{Situation, choose_spell};
use crate::control::ai_controller::AiController;
use crate::control::senses::{BountyRadar, CollectorAvoider};
use crate::events::CastSpell;
use crate::gameplay::match_flow::GameFlow;
use crate::gameplay::spell::{Spell, SpellCaster, Spells};
use crate::objects::capacity::Capacity;
use crate::objects::collector::{Collector, Pocket};
use crate::objects::stash::Stash;
use crate::objects::team::{Side, Team, list_sides};

/// An AI considers its spells once in this many steps.
const STEPS_TO_CONSIDER: u32 = 30;
/// Offset in steps between neighbouring seats; coprime to [`STEPS_TO_CONSIDER`], so the seats spread evenly.
const STEPS_BETWEEN_SEATS: u32 = 7;

/// Lets AIs request spells.
#[derive(Clone, Debug, Default)]
pub struct AiSpellRequests {
    /// Listed again in each step; the memory is kept.
    sides: Vec<Side>,
}

impl System for AiSpellRequests {
    fn setup(setup: &mut Setup<Self>) {
        setup.after_type::<Spells>().update(Self::consider);
    }
}

impl AiSpellRequests {
    #[allow(clippy::type_complexity)]
    fn consider(
        &mut self,
        controllers: Query<(
            EntityId,
            &AiController,
            (&Collector, Option<&Team>),
            &SpellCaster,
            (&Pocket, &Capacity),
            &BountyRadar,
            &CollectorAvoider,
        )>,
        pockets: Query<&Pocket, With<Collector>>,
        stashes: Query<(&Stash, Option<&Team>)>,
        capacities: Query<&Capacity, With<Stash>>,
        flow: Res<GameFlow>,
        mut requests: Sender<CastSpell>,
    ) {
        let (_, clock_ticks) = flow.ticks_left();
        list_sides(stashes.iter(), &mut self.sides);
        // All stashes of a match are of one kind.
        let stash_points = capacities.iter().next().map_or(f32::INFINITY, |capacity| capacity.points);
        for (caster, ai_controller, (collector, team), spells, (pocket, capacity), radar, avoider) in &controllers {
            let turn = clock_ticks.wrapping_add(collector.player.wrapping_mul(STEPS_BETWEEN_SEATS));
            if ai_controller.is_relieved || turn % STEPS_TO_CONSIDER != 0 {
                continue;
            }
            let carried = |other: EntityId| pockets.get(other).map_or(0.0, |pocket| pocket.carried);
            let ahead = avoider.collectors.as_slice().iter();
            let is_own = |side: &&Side| match team {
                Some(_) => side.team.as_ref() == team,
                None => side.best == collector.player,
            };
            let fullness = |side: &Side| side.stashed / stash_points;
            let situation = Situation {
                is_ready: Spell::ALL.map(|spell| spells.is_ready(spell)),
                pocket_fullness: pocket.carried / capacity.points,
                seen_bounties: radar.bounties.as_slice().len(),
                fullness_ahead: ahead.map(|threat| carried(*threat)).sum::<f32>() / capacity.points,
                stash_fullness: self.sides.iter().find(is_own).map_or(0.0, fullness),
                rival_stash_fullness: self.sides.iter().filter(|side| !is_own(side)).map(fullness).fold(0.0, f32::max),
            };
            if let Some(spell) = choose_spell(&situation) {
                requests.send(CastSpell { caster, spell });
            }
        }
    }
}
