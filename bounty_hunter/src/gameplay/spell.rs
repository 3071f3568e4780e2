//! Spells: what a collector can cast, who asked for what, and how long it takes until it can be cast again.
//!
//! | module | what lives there |
//! |---|---|
//! | `cast` | casting, between two frames: [`cast_spells`] and the table of what each spell does |
//! | `magnet` | the spell that lasts |
//!
//! People, AIs and scripts ask alike, by a [`CastSpell`]; [`Spells`] notes it in the [`SpellCaster`] of the collector. When the
//! frame is over and the match still runs, [`cast_spells`] runs the functions of what was asked for, in the order of seats; what
//! they send is heard when the next frame begins. So all that is cast in one step takes effect together: two who strike each
//! other both die.

mod cast;
mod magnet;

use ecs::{IncludeDisabled, Query, Setup, System, Time};
use serde::{Deserialize, Serialize};

pub use self::cast::{Effect, TABLE, cast_spells};
pub use self::magnet::{Magnet, Magnets};
use crate::data::config::{PersonKeys, SpellRules};
use crate::data::input::Key;
pub use crate::data::spell::{Refusal, Spell};
use crate::events::{CastSpell, SpellCast, SpellRefused};

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

    /// The keys with which a person asks for it.
    #[must_use]
    pub fn keys(self, person: &PersonKeys) -> &[Key] {
        match self {
            Self::Purge => &person.purge,
            Self::Strike => &person.strike,
            Self::Magnet => &person.magnet,
        }
    }
}

/// Component of a collector that can cast spells; both lists go by [`Spell::index`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpellCaster {
    /// What its player, AI or script asked for in this step.
    pub is_asked_for: [bool; Spell::COUNT],
    /// Seconds until each spell can be cast.
    pub left_seconds: [f32; Spell::COUNT],
}

impl SpellCaster {
    /// One that has just cast everything, as at the beginning of a match: nobody is struck before he has moved.
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

/// Notes what is asked for, and counts cool-downs down, also those of the dead.
#[derive(Debug, Default)]
pub struct Spells;

impl System for Spells {
    fn setup(setup: &mut Setup<Self>) {
        setup.update(Self::cool_down).listen(Self::on_asked).listen(Self::on_cast).listen(Self::on_refused);
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

    fn on_asked(&mut self, event: &CastSpell, mut casters: Query<&mut SpellCaster, IncludeDisabled>) {
        if let Some(caster) = casters.get_mut(event.caster) {
            caster.is_asked_for[event.spell.index()] = true;
        }
    }

    fn on_cast(&mut self, event: &SpellCast) {
        tracing::debug!(target: "bounty_hunter::spell", "{event:?}");
    }

    fn on_refused(&mut self, event: &SpellRefused) {
        tracing::debug!(target: "bounty_hunter::spell", "{event:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spells_stand_at_their_index_in_every_list() {
        for (index, spell) in Spell::ALL.into_iter().enumerate() {
            assert_eq!((spell.index(), TABLE[index].spell), (index, spell));
        }
    }
}
