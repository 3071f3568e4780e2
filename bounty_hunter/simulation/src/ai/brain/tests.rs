//! Each state in isolation: its action and the next state.

use super::super::original::{AGILITY, profile};
use super::*;
use ecs::random::RandomStream;

const TARGET: Target = Target { key: 7, position: Vec2::new(0.0, 20.0) };
const BOUNTY: Seen = Seen { key: 7, position: Vec2::new(0.0, 20.0), value: 10.0 };
const LAST_INTENT: Intent = Intent { drive: 0.3, turn: 0.2 };
const THREAT: Threat = Threat { position: Vec2::new(0.0, 10.0), heading: std::f32::consts::PI };

fn senses() -> Senses<'static> {
    Senses {
        me: Pose::new(Vec2::ZERO, 0.0),
        agility: AGILITY,
        surroundings: Surroundings { walls: &[], collector_half_extent_m: 1.5, half_extent_m: 75.0 },
        pocket_fullness: 0.0,
        home: Vec2::new(0.0, -60.0),
        home_reach_m: 5.0,
        seen_bounties: &[],
        threats: &[],
        rivals: &[],
        room: 100.0,
        target_is_there: true,
        clock_seconds: 60.0,
    }
}

/// The brain after a step that began in `state`, with `TARGET` where the state has a target.
fn after(state: BrainState, profile: &AiProfile, senses: &Senses<'_>) -> Brain {
    let has_target = matches!(state, MoveToBounty | BountyCollected);
    let mut brain = Brain { state: state.into(), target: has_target.then_some(TARGET), last_intent: LAST_INTENT };
    let mut random = RandomStream::new(1, "test");
    let intent = think(&mut brain, profile, senses, &mut random);
    assert_eq!(intent, brain.last_intent);
    brain
}

fn next(state: BrainState, senses: &Senses<'_>) -> BrainState {
    after(state, &profile(), senses).state.current()
}

#[test]
fn spawned_ai_stands_still_for_a_step_and_forgets() {
    let mut brain = Brain { target: Some(TARGET), ..Brain::default() };
    let intent = think(&mut brain, &profile(), &senses(), &mut RandomStream::new(1, "test"));
    assert_eq!((intent, brain.state.current(), brain.target), (Intent::IDLE, FindBounty, None));
}

#[test]
fn find_bounty_chooses_or_wanders_and_keeps_the_last_intent() {
    let found = after(FindBounty, &profile(), &Senses { seen_bounties: &[BOUNTY], ..senses() });
    assert_eq!((found.state.current(), found.target, found.last_intent), (MoveToBounty, Some(TARGET), LAST_INTENT));
    let lost = after(FindBounty, &profile(), &senses());
    assert_eq!((lost.state.current(), lost.target, lost.last_intent), (Wander, None, LAST_INTENT));
}

#[test]
fn wanderer_drives_at_full_speed_also_when_it_stops_wandering() {
    for (wander_chance, expected) in [(0.0, FindBounty), (1.0, Wander)] {
        let brain = after(Wander, &AiProfile { wander_chance, ..profile() }, &senses());
        assert_eq!((brain.state.current(), brain.last_intent.drive), (expected, 1.0));
    }
}

#[test]
fn each_step_of_wandering_draws_twice() {
    for wander_chance in [0.0, 1.0] {
        let mut random = RandomStream::new(1, "test");
        let mut expected = random.clone();
        let mut brain = Brain { state: Wander.into(), ..Brain::default() };
        think(&mut brain, &AiProfile { wander_chance, ..profile() }, &senses(), &mut random);
        expected.unit();
        expected.unit();
        assert_eq!(random, expected);
    }
}

#[test]
fn target_is_sought_until_it_is_gone() {
    let hunting = after(MoveToBounty, &profile(), &senses());
    assert_eq!((hunting.state.current(), hunting.last_intent), (MoveToBounty, Intent { drive: 1.0, turn: 0.0 }));
    assert_eq!(next(MoveToBounty, &Senses { target_is_there: false, ..senses() }), BountyCollected);
}

#[test]
fn pushed_target_is_followed_while_it_is_seen() {
    let pushed = Seen { position: Vec2::new(3.0, 20.0), ..BOUNTY };
    let hunting = after(MoveToBounty, &profile(), &Senses { seen_bounties: &[pushed], ..senses() });
    assert_eq!(hunting.target, Some(Target { position: pushed.position, ..TARGET }));
    assert!(hunting.last_intent.turn < 0.0);
}

#[test]
fn target_is_given_up_on_arrival_without_a_bounty() {
    let arrived = Pose::new(TARGET.position + Vec2::new(0.0, -0.5), 0.0);
    assert_eq!(next(MoveToBounty, &Senses { me: arrived, ..senses() }), BountyCollected);
}

#[test]
fn full_pocket_goes_home_after_a_bounty() {
    for (pocket_fullness, expected) in [(0.0, FindBounty), (0.79, FindBounty), (0.8, StashBounty), (1.0, StashBounty)] {
        let brain = after(BountyCollected, &profile(), &Senses { pocket_fullness, ..senses() });
        assert_eq!(
            (brain.state.current(), brain.target, brain.last_intent),
            (expected, None, LAST_INTENT),
            "{pocket_fullness}"
        );
    }
}

#[test]
fn late_ai_with_a_load_goes_home_from_any_state() {
    // The way of 60 m takes 1.6 s, and the profile's margin is 2 s.
    let late = Senses { pocket_fullness: 0.1, clock_seconds: 3.5, ..senses() };
    let in_time = Senses { clock_seconds: 3.7, ..late };
    let empty = Senses { pocket_fullness: 0.0, ..late };
    let stays = AiProfile { wander_chance: 1.0, ..profile() };
    for (state, late_state, other_state) in [
        (FindBounty, StashBounty, Wander),
        (Wander, FindBounty, Wander),
        (MoveToBounty, BountyCollected, MoveToBounty),
        (BountyCollected, StashBounty, FindBounty),
    ] {
        assert_eq!(after(state, &stays, &late).state.current(), late_state, "late in {state:?}");
        assert_eq!(after(state, &stays, &in_time).state.current(), other_state, "in time in {state:?}");
        assert_eq!(after(state, &stays, &empty).state.current(), other_state, "with nothing in {state:?}");
    }
}

#[test]
fn ai_that_touches_its_stash_does_not_go_home() {
    let at_home = Senses { home: Vec2::new(4.9, 0.0), pocket_fullness: 1.0, clock_seconds: 1.0, ..senses() };
    assert_eq!(next(FindBounty, &at_home), Wander);
    assert_eq!(next(BountyCollected, &at_home), FindBounty);
    assert_eq!(next(MoveToBounty, &at_home), MoveToBounty);
}

#[test]
fn way_home_ends_with_an_empty_pocket_or_on_arrival() {
    let loaded = Senses { pocket_fullness: 0.9, ..senses() };
    let brain = after(StashBounty, &profile(), &loaded);
    assert_eq!((brain.state.current(), brain.last_intent.turn.abs()), (StashBounty, 1.0));
    assert_eq!(next(StashBounty, &Senses { pocket_fullness: 0.0, ..senses() }), FindBounty);
    assert_eq!(next(StashBounty, &Senses { home: Vec2::new(0.5, 0.0), ..loaded }), FindBounty);
}

#[test]
fn threat_takes_precedence_in_every_state() {
    let threatened = Senses { threats: &[THREAT], pocket_fullness: 0.9, ..senses() };
    let evasion = avoid(&profile(), threatened.me, &[THREAT], 75.0).unwrap();
    for state in [FindBounty, Wander, MoveToBounty, BountyCollected, StashBounty] {
        assert_eq!(after(state, &profile(), &threatened).last_intent, evasion, "{state:?}");
    }
}

#[test]
fn transitions_follow_the_table() {
    assert!(Spawned.may_become(FindBounty) && MoveToBounty.may_become(BountyCollected));
    assert!(!FindBounty.may_become(Spawned) && !MoveToBounty.may_become(StashBounty) && !Wander.may_become(Wander));
}

#[test]
#[should_panic(
    expected = "invalid state of an AI: `StashBounty` may not follow `Wander`: allowed after `Wander` are `FindBounty`"
)]
fn forbidden_transition_panics_with_both_states() {
    Brain { state: Wander.into(), ..Brain::default() }.step(Next::Change(StashBounty));
}

#[test]
fn brain_is_printed_and_saved_with_its_state() {
    let brain = Brain { state: Wander.into(), ..Brain::default() };
    assert!(format!("{brain:?}").starts_with("Brain { state: Wander, target: None"));
    let text = ron::to_string(&brain).unwrap();
    assert_eq!(ron::from_str(&text), Ok(brain), "{text}");
}

#[test]
fn goal_is_the_target_or_home() {
    let home = Vec2::new(1.0, 2.0);
    let goal = |state, target| Brain { state: StateMachine::new(state), target, ..Brain::default() }.goal(home);
    assert_eq!(goal(MoveToBounty, Some(TARGET)), Some(TARGET.position));
    assert_eq!(goal(StashBounty, None), Some(home));
    assert_eq!(goal(Wander, None), None);
}
