//! Other targets than bounties: a power-up, and a rival that carries so much that a crash pays. An AI treats both like
//! bounties.

use glam::Vec2;

use super::brain::BrainState;
use super::foresight::meeting_point;
use super::perception::{Radar, Seen};
use super::steering::Agility;
use crate::data::arena::Pose;
use crate::data::config::{AiProfile, Strategy};

/// The value of a power-up to an AI, points.
const POWER_UP_VALUE: f32 = 15.0;
/// How far an AI goes for gold, in ranges of its radar.
const GOLD_RANGE: f32 = 1.5;
/// What the crown is worth: the others chase the leader, and the leader takes care.
pub const CROWN_STAKE: f32 = 20.0;
/// What the last life is worth to an AI in a match of limited lives or health, points. One of several is worth as many
/// times less, so an AI takes more care the fewer it has left.
const LIFE_STAKE: f32 = 100.0;
/// Least value of a crash, points.
const MIN_CRASH_VALUE: f32 = 15.0;

/// A living collector, as AIs see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rival {
    /// The caller's key of the collector.
    pub key: u64,
    /// Its pose.
    pub pose: Pose,
    /// What it would lose in a crash, points: its load, and [`CROWN_STAKE`] if it leads.
    pub stake: f32,
    /// Its lives and the share of its health; `None` in a match without limits on both.
    pub strength: Option<f32>,
    /// The number of its team; `None` in a match without teams.
    pub team: Option<u32>,
}

/// Whether an AI considers power-ups: while it chooses a target and is no ghost.
#[must_use]
pub fn looks_for_power_ups(state: BrainState, is_ghost: bool) -> bool {
    state == BrainState::FindBounty && !is_ghost
}

/// Whether an AI goes for the gold of a gold rush at this distance: it need not see it, since all know where it is.
#[must_use]
pub fn is_gold_near(profile: &AiProfile, distance_m: f32) -> bool {
    profile.strategy != Strategy::None && distance_m <= GOLD_RANGE * profile.radar_range_m
}

/// Whether an AI with gold near wants nothing else. The one with foresight reckons what it is worth, and one without a
/// strategy wants no bounty at all.
#[must_use]
pub fn goes_for_gold(profile: &AiProfile) -> bool {
    !matches!(profile.strategy, Strategy::Foresight | Strategy::None)
}

/// The power-up as a target, if it lies in the radar's cone.
#[must_use]
pub fn sight_power_up(radar: &Radar, key: u64, position: Vec2) -> Option<Seen> {
    radar.contains(position).then_some(Seen { key, position, value: POWER_UP_VALUE })
}

/// The rival as a target, if it is no partner, lies in the radar's cone and a crash pays: the rival would lose more
/// than this AI, of which a life is a part where lives or health are limited. With foresight the target is the place
/// to meet it.
#[must_use]
pub fn sight_rival(profile: &AiProfile, agility: Agility, radar: &Radar, me: &Rival, rival: &Rival) -> Option<Seen> {
    let care = me.strength.map_or(0.0, |lives| LIFE_STAKE / lives);
    let value = profile.aggression * (rival.stake - me.stake - care);
    let position = rival.pose.position;
    let is_partner = me.team.is_some() && me.team == rival.team;
    if rival.key == me.key || is_partner || value < MIN_CRASH_VALUE || !radar.contains(position) {
        return None;
    }
    let position = match profile.strategy {
        Strategy::Foresight => meeting_point(me.pose.position, agility, rival.pose, radar.half_extent_m)?,
        _ => position,
    };
    Some(Seen { key: rival.key, position, value })
}

#[cfg(test)]
mod tests {
    use super::super::original::{AGILITY, profile};
    use super::*;

    #[test]
    fn power_ups_are_considered_when_choosing_and_not_as_a_ghost() {
        let [choosing, going] = [BrainState::FindBounty, BrainState::MoveToBounty];
        assert!(looks_for_power_ups(choosing, false));
        assert!(!looks_for_power_ups(choosing, true) && !looks_for_power_ups(going, false));
    }

    #[test]
    fn gold_lures_as_far_as_an_ai_sees_and_half_as_far_again() {
        let profile = AiProfile { radar_range_m: 20.0, ..profile() };
        assert!(is_gold_near(&profile, 30.0) && !is_gold_near(&profile, 30.1) && goes_for_gold(&profile));
        let without = AiProfile { strategy: Strategy::None, ..profile.clone() };
        assert!(!is_gold_near(&without, 1.0) && !goes_for_gold(&without));
        let reckons = AiProfile { strategy: Strategy::Foresight, ..profile };
        assert!(is_gold_near(&reckons, 30.0) && !goes_for_gold(&reckons));
    }

    #[test]
    fn power_up_is_seen_only_in_the_radar() {
        let radar = Radar::new(&profile(), Pose::new(Vec2::ZERO, 0.0), 75.0);
        let sight = |x, y| sight_power_up(&radar, 7, Vec2::new(x, y));
        assert_eq!(sight(0.0, 20.0), Some(Seen { key: 7, position: Vec2::new(0.0, 20.0), value: POWER_UP_VALUE }));
        assert_eq!((sight(0.0, 30.0), sight(0.0, -5.0)), (None, None));
    }

    const ME: Rival = Rival { key: 1, pose: Pose::at(0.0, 0.0), stake: 10.0, strength: None, team: None };

    fn value_of(profile: &AiProfile, me: &Rival, rival: Rival) -> Option<f32> {
        sight_rival(profile, AGILITY, &Radar::new(profile, me.pose, 75.0), me, &rival).map(|seen| seen.value)
    }

    #[test]
    fn rival_is_a_target_if_it_has_more_to_lose() {
        let profile = AiProfile { aggression: 0.5, ..profile() };
        let at = |y: f32, stake: f32| {
            value_of(&profile, &ME, Rival { key: 7, pose: Pose::at(0.0, y), stake, strength: None, team: None })
        };
        assert_eq!(at(20.0, 90.0), Some(40.0));
        assert_eq!(at(20.0, 30.0), None, "too little to win");
        assert_eq!((at(30.0, 90.0), at(-5.0, 90.0)), (None, None), "out of sight");
        assert_eq!(
            value_of(&AiProfile { aggression: 0.0, ..profile.clone() }, &ME, Rival { key: 7, stake: 90.0, ..ME }),
            None
        );
        assert_eq!(value_of(&profile, &ME, Rival { stake: 90.0, ..ME }), None, "itself");
    }

    #[test]
    fn partner_is_no_target_and_a_rival_of_another_team_is_one() {
        let profile = AiProfile { aggression: 1.0, ..profile() };
        let rival = Rival { key: 7, pose: Pose::at(0.0, 20.0), stake: 90.0, ..ME };
        let of = |mine, theirs| value_of(&profile, &Rival { team: mine, ..ME }, Rival { team: theirs, ..rival });
        assert_eq!((of(Some(1), Some(1)), of(Some(1), Some(2)), of(None, None)), (None, Some(80.0), Some(80.0)));
    }

    #[test]
    fn where_lives_count_an_ai_spares_the_last_ones() {
        let profile = AiProfile { aggression: 1.0, ..profile() };
        let with = |lives| {
            let rival = Rival { key: 7, pose: Pose::at(0.0, 20.0), stake: 90.0, strength: Some(5.0), team: None };
            value_of(&profile, &Rival { strength: lives, ..ME }, rival)
        };
        assert_eq!([None, Some(4.0), Some(2.0), Some(1.0)].map(with), [Some(80.0), Some(55.0), Some(30.0), None]);
    }

    #[test]
    fn weak_rival_without_a_load_is_no_target() {
        let profile = AiProfile { aggression: 1.0, ..profile() };
        let me = Rival { strength: Some(4.0), ..ME };
        let weak = Rival { key: 7, pose: Pose::at(0.0, 20.0), stake: 10.0, strength: Some(1.0), team: None };
        assert_eq!(value_of(&profile, &me, weak), None);
    }

    #[test]
    fn foresight_meets_a_rival_or_leaves_it() {
        let profile = AiProfile { aggression: 1.0, strategy: Strategy::Foresight, ..profile() };
        let aim = |heading| {
            let rival = Rival {
                key: 7,
                pose: Pose::new(Vec2::new(0.0, 20.0), heading),
                stake: 90.0,
                strength: None,
                team: None,
            };
            sight_rival(&profile, AGILITY, &Radar::new(&profile, ME.pose, 75.0), &ME, &rival).map(|seen| seen.position)
        };
        assert!(aim(std::f32::consts::PI).unwrap().distance(Vec2::new(0.0, 10.0)) < 1e-4);
        assert_eq!(aim(0.0), None);
    }
}
