//! Spells: requests, cool-downs and effects.
//!
//! | module | contents |
//! |---|---|
//! | `cast` | casting between frames: [`cast_spells`] and the effects |
//! | `magnet` | the magnet, whose effect lasts |
//!
//! People, AIs and scripts request a spell by [`CastSpell`]; [`Spells`] records it in the [`SpellCaster`] of the
//! collector. After the frame, if the match still runs, [`cast_spells`] casts the recorded spells in the order of
//! seats; their events are delivered at the start of the next frame. All spells of one step take effect together: two
//! collectors that strike each other both die.

mod cast;
mod magnet;

use ecs::{IncludeDisabled, Query, ResMut, Setup, System, Time};
use serde::{Deserialize, Serialize};

pub use self::cast::cast_spells;
pub use self::magnet::{Magnet, Magnets};
use crate::data::config::SpellRules;
pub use crate::data::spell::{Refusal, Spell};
use crate::events::{CastSpell, SpellCast, SpellRefused};
use crate::gameplay::statistics::{Statistics, add_one};
use crate::objects::collector::Collector;

impl Spell {
    /// Seconds from a cast until it can be cast again.
    #[must_use]
    pub const fn cooldown_seconds(self, rules: &SpellRules) -> f32 {
        match self {
            Self::Purge => rules.purge_cooldown_seconds,
            Self::Strike => rules.strike_cooldown_seconds,
            Self::Magnet => rules.magnet_cooldown_seconds,
        }
    }
}

/// Component of a collector that can cast spells; both arrays are indexed by [`Spell::index`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpellCaster {
    /// Spells requested in this step.
    pub is_asked_for: [bool; Spell::COUNT],
    /// Seconds left of each cool-down.
    pub left_seconds: [f32; Spell::COUNT],
}

impl SpellCaster {
    /// All cool-downs at their start, as at the start of a match.
    #[must_use]
    pub fn exhausted(rules: &SpellRules) -> Self {
        let left_seconds = Spell::ALL.map(|spell| spell.cooldown_seconds(rules));
        Self { is_asked_for: [false; Spell::COUNT], left_seconds }
    }

    /// Whether a spell can be cast now.
    #[must_use]
    pub fn is_ready(&self, spell: Spell) -> bool {
        self.left_seconds[spell.index()] <= 0.0
    }
}

/// Records requests and counts cool-downs down, of dead collectors too.
#[derive(Debug, Default)]
pub struct Spells;

impl System for Spells {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::cool_down).listen(Self::on_request).listen(Self::on_cast).listen(Self::on_refused);
    }
}

impl Spells {
    fn cool_down(&mut self, time: Time, mut casters: Query<&mut SpellCaster, IncludeDisabled>) {
        for caster in &mut casters {
            for left_seconds in &mut caster.left_seconds {
                *left_seconds = (*left_seconds - time.delta_seconds()).max(0.0);
            }
        }
    }

    fn on_request(&mut self, event: &CastSpell, mut casters: Query<&mut SpellCaster, IncludeDisabled>) {
        if let Some(caster) = casters.get_mut(event.caster) {
            caster.is_asked_for[event.spell.index()] = true;
        }
    }

    fn on_cast(
        &mut self,
        event: &SpellCast,
        collectors: Query<&Collector, IncludeDisabled>,
        mut statistics: ResMut<Statistics>,
    ) {
        if let Some((player, _)) = statistics.note(&collectors, event.caster, |player| add_one(&mut player.spells)) {
            tracing::info!(target: "bounty_hunter::match", player, spell = ?event.spell, "cast");
        }
    }

    fn on_refused(
        &mut self,
        event: &SpellRefused,
        collectors: Query<&Collector, IncludeDisabled>,
        mut statistics: ResMut<Statistics>,
    ) {
        if let Some((player, _)) =
            statistics.note(&collectors, event.caster, |player| add_one(&mut player.refused_spells))
        {
            let SpellRefused { spell, reason, .. } = event;
            tracing::debug!(target: "bounty_hunter::match", player, ?spell, ?reason, "refused");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spells_stand_at_their_index_in_all_arrays() {
        assert_eq!(Spell::ALL.map(Spell::index), [0, 1, 2]);
    }
}
