//! Which spell an AI casts.

use crate::gameplay::spell::Spell;

/// Least number of bounties in the radar for a magnet.
const BOUNTIES_FOR_A_MAGNET: usize = 2;
/// Greatest pocket fullness for a magnet.
const FULLEST_POCKET_FOR_A_MAGNET: f32 = 0.5;
/// Least load ahead for a strike, in full pockets.
const LOADS_FOR_A_STRIKE: f32 = 0.5;
/// Greatest pocket fullness at which an AI risks a strike.
const EMPTY_POCKET: f32 = 0.1;
/// Stash fullness from which a rival is about to win.
const STASH_OF_A_WINNER: f32 = 0.8;

/// What an AI knows when it considers its spells: its sensors, and the fullness of all stashes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Situation {
    /// Whether each spell is ready, by [`Spell::index`].
    pub is_ready: [bool; Spell::COUNT],
    /// The load of its collector as a share of the capacity.
    pub pocket_fullness: f32,
    /// Bounties in its radar.
    pub seen_bounties: usize,
    /// The load of all collectors in its avoider, in full pockets.
    pub fullness_ahead: f32,
    /// Fullness of its own stash, 0 to 1.
    pub stash_fullness: f32,
    /// Fullness of the fullest other stash, 0 to 1.
    pub rival_stash_fullness: f32,
}

/// The spell that helps most, or none.
///
/// - Strike with an empty pocket, against a rival about to win or against loaded collectors ahead.
/// - Purge against a rival about to win, if the AI sees no bounty itself.
/// - Magnet if it sees several bounties and has room for them.
#[must_use]
pub fn choose_spell(situation: &Situation) -> Option<Spell> {
    let Situation { is_ready, pocket_fullness, seen_bounties, fullness_ahead, .. } = *situation;
    let is_losing = situation.rival_stash_fullness >= STASH_OF_A_WINNER
        && situation.rival_stash_fullness > situation.stash_fullness;
    let has_nothing_to_lose = pocket_fullness <= EMPTY_POCKET;
    let has_room = pocket_fullness <= FULLEST_POCKET_FOR_A_MAGNET;
    let candidates = [
        (Spell::Strike, has_nothing_to_lose && (is_losing || fullness_ahead >= LOADS_FOR_A_STRIKE)),
        (Spell::Purge, is_losing && seen_bounties == 0),
        (Spell::Magnet, has_room && seen_bounties >= BOUNTIES_FOR_A_MAGNET),
    ];
    candidates.into_iter().find(|(spell, is_wanted)| *is_wanted && is_ready[spell.index()]).map(|(spell, _)| spell)
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: Situation = Situation {
        is_ready: [true; Spell::COUNT],
        pocket_fullness: 0.0,
        seen_bounties: 1,
        fullness_ahead: 0.0,
        stash_fullness: 0.3,
        rival_stash_fullness: 0.5,
    };

    #[test]
    fn each_spell_is_chosen_only_when_it_helps() {
        #[rustfmt::skip]
        let table = [
            ("nothing happens", QUIET, None),
            ("loads ahead", Situation { fullness_ahead: 0.6, ..QUIET }, Some(Spell::Strike)),
            ("a small load ahead", Situation { fullness_ahead: 0.4, ..QUIET }, None),
            ("loads ahead, but a load of its own", Situation { fullness_ahead: 0.9, pocket_fullness: 0.3, ..QUIET }, None),
            ("many bounties", Situation { seen_bounties: 4, ..QUIET }, Some(Spell::Magnet)),
            ("many bounties, half a load", Situation { seen_bounties: 4, pocket_fullness: 0.4, ..QUIET }, Some(Spell::Magnet)),
            ("many bounties and no room", Situation { seen_bounties: 4, pocket_fullness: 0.7, ..QUIET }, None),
            ("rival about to win", Situation { rival_stash_fullness: 0.9, ..QUIET }, Some(Spell::Strike)),
            ("rival about to win, a load, nothing in sight",
                Situation { rival_stash_fullness: 0.9, pocket_fullness: 0.3, seen_bounties: 0, ..QUIET }, Some(Spell::Purge)),
            ("rival about to win, a load, bounty in sight",
                Situation { rival_stash_fullness: 0.9, pocket_fullness: 0.3, ..QUIET }, None),
            ("about to win itself",
                Situation { rival_stash_fullness: 0.85, stash_fullness: 0.9, seen_bounties: 0, ..QUIET }, None),
        ];
        for (case, situation, expected) in table {
            assert_eq!(choose_spell(&situation), expected, "{case}");
        }
    }

    #[test]
    fn next_best_spell_is_chosen_during_a_cool_down() {
        let threatened = Situation { rival_stash_fullness: 0.9, seen_bounties: 0, ..QUIET };
        assert_eq!(choose_spell(&Situation { is_ready: [true, false, true], ..threatened }), Some(Spell::Purge));
        assert_eq!(choose_spell(&Situation { is_ready: [false, false, true], ..threatened }), None);
        let rich = Situation { seen_bounties: 5, fullness_ahead: 1.0, ..QUIET };
        assert_eq!(choose_spell(&Situation { is_ready: [true, false, true], ..rich }), Some(Spell::Magnet));
        assert_eq!(choose_spell(&Situation { is_ready: [false; Spell::COUNT], ..rich }), None);
    }
}
