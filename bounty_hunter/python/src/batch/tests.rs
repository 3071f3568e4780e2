//! Tests of batches.

use super::*;
use crate::options::Options;

struct Memory {
    observations: Vec<f32>,
    rewards: Vec<f32>,
    terminated: Vec<bool>,
    last: Vec<f32>,
}

fn batch(json: &str, worlds: usize, threads: usize) -> (Batch, Memory) {
    let config = MatchConfig::new(&Options::from_json(json).unwrap()).unwrap();
    let mut batch = Batch::new(config, worlds, threads, 40).unwrap();
    let (rows, numbers) = (batch.rows(), batch.rows() * OBSERVATION_LENGTH);
    let mut observations = vec![f32::NAN; numbers];
    batch.reset(Some(40), &mut observations).unwrap();
    let memory =
        Memory { observations, rewards: vec![0.0; rows], terminated: vec![false; rows], last: vec![0.0; numbers] };
    (batch, memory)
}

fn step(batch: &mut Batch, memory: &mut Memory, actions: Actions<'_>) -> Result<Vec<Finished>, String> {
    let Memory { observations, rewards, terminated, last } = memory;
    batch.step(actions, Buffers { observations, rewards, terminated, final_observations: last })
}

/// Matches of two seconds, with stashes that nobody fills in this time.
const SHORT: &str =
    r#"{"players": 3, "agents": 2, "play_seconds": 2, "rules": {"countdown_seconds": 0.1, "stash_sizes": []}}"#;

#[test]
fn number_of_threads_changes_nothing() {
    let played = |threads| {
        let (mut batch, mut memory) = batch(SHORT, 5, threads);
        let (mut finished, mut rewards) = (Vec::new(), Vec::new());
        for decision in 0..90 {
            let actions: Vec<i32> =
                (0..batch.rows() as i32).flat_map(|row| [row % 3, (row + decision / 5) % 7]).collect();
            finished.extend(step(&mut batch, &mut memory, Actions::Discrete(&actions)).unwrap());
            rewards.extend_from_slice(&memory.rewards);
        }
        let hashes: Vec<u64> = (0..5).map(|world| batch.world_mut(world).unwrap().state_hash()).collect();
        (finished, rewards, memory.observations, hashes)
    };
    let alone = played(1);
    assert!(alone.0.len() >= 10, "{} matches", alone.0.len());
    assert_eq!(played(2), alone);
    assert_eq!(played(7), alone);
}

#[test]
fn finished_world_begins_the_match_with_the_next_seed() {
    let (mut batch, mut memory) = batch(SHORT, 2, 1);
    let actions = vec![0; 2 * batch.rows()];
    let mut seeds = Vec::new();
    for _ in 0..70 {
        let finished = step(&mut batch, &mut memory, Actions::Discrete(&actions)).unwrap();
        let is_over = !finished.is_empty();
        assert_eq!(memory.terminated, [is_over; 4], "all matches have the same length");
        if is_over {
            assert_ne!(memory.last, memory.observations, "the last observation, and the first one of the next match");
        }
        seeds.extend(finished.iter().map(|over| over.seed));
    }
    assert_eq!(seeds, [40, 41, 42, 43]);
}

#[test]
fn reset_repeats_the_matches_of_a_seed() {
    let (mut batch, mut memory) = batch(SHORT, 2, 2);
    let first = memory.observations.clone();
    let actions = vec![0.5; 2 * batch.rows()];
    for _ in 0..9 {
        step(&mut batch, &mut memory, Actions::Continuous(&actions)).unwrap();
    }
    assert_ne!(memory.observations, first);
    batch.reset(None, &mut memory.observations).unwrap();
    assert_ne!(memory.observations, first, "the next seeds");
    batch.reset(Some(40), &mut memory.observations).unwrap();
    assert_eq!(memory.observations, first);
}

#[test]
fn wrong_actions_are_refused_before_anything_happens() {
    let (mut batch, mut memory) = batch(SHORT, 1, 1);
    let hash = batch.world_mut(0).unwrap().state_hash();
    let mut refusal = |actions: Actions<'_>| step(&mut batch, &mut memory, actions).unwrap_err();
    assert_eq!(refusal(Actions::Discrete(&[0, 0, 0])), "actions: 3 numbers, must be 4");
    assert_eq!(refusal(Actions::Discrete(&[0, 0, 0, 7])), "the action of row 1 is [0, 7], must be indices below 4, 7");
    assert_eq!(
        refusal(Actions::Discrete(&[0, -1, 0, 0])),
        "the action of row 0 is [0, -1], must be indices below 4, 7"
    );
    assert!(refusal(Actions::Continuous(&[0.0, 0.0, f32::NAN, 0.0])).starts_with("the action of row 1 is not finite"));
    assert_eq!(batch.world_mut(0).unwrap().state_hash(), hash);
}

#[test]
fn spells_are_a_third_choice_where_the_rules_have_them() {
    let (mut batch, mut memory) = batch(r#"{"mode": "spells", "players": 2}"#, 1, 1);
    assert_eq!(batch.choices(), 3);
    step(&mut batch, &mut memory, Actions::Discrete(&[0, 3, 0, 0, 3, 3])).unwrap();
    let refusal = step(&mut batch, &mut memory, Actions::Discrete(&[0, 3, 4, 0, 3, 0])).unwrap_err();
    assert_eq!(refusal, "the action of row 0 is [0, 3, 4], must be indices below 4, 7 and 4");
}
