//! Tests of batches.

use super::*;
use crate::options::Options;

struct Memory {
    observations: Vec<f32>,
    rewards: Vec<f32>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    last: Vec<f32>,
}

fn config(json: &str) -> MatchConfig {
    MatchConfig::new(&Options::from_json(json).unwrap()).unwrap()
}

fn batch(json: &str, worlds: usize, threads: usize) -> (Batch, Memory) {
    batch_with(json, worlds, threads, Autoreset::SameStep, None)
}

fn batch_with(
    json: &str,
    worlds: usize,
    threads: usize,
    autoreset: Autoreset,
    max_decisions: Option<u64>,
) -> (Batch, Memory) {
    let mut batch = Batch::new(config(json), worlds, threads, 40, autoreset, max_decisions).unwrap();
    let (rows, numbers) = (batch.rows(), batch.rows() * OBSERVATION_LENGTH);
    let mut memory = Memory {
        observations: vec![f32::NAN; numbers],
        rewards: vec![f32::NAN; rows],
        terminated: vec![true; rows],
        truncated: vec![true; rows],
        last: vec![0.0; numbers],
    };
    reset(&mut batch, &mut memory, Some(40));
    (batch, memory)
}

/// Begins new matches in all worlds, with seeds that count up from this one.
fn reset(batch: &mut Batch, memory: &mut Memory, seed: Option<u64>) {
    let worlds = batch.worlds().len();
    let seeds: Vec<Option<u64>> = (0..worlds as u64).map(|world| Some(seed? + world)).collect();
    batch.reset(&seeds, &vec![true; worlds], &mut memory.observations).unwrap();
}

fn seeds_of(batch: &Batch) -> Vec<u64> {
    batch.worlds().iter().map(World::seed).collect()
}

fn step(batch: &mut Batch, memory: &mut Memory, actions: Actions<'_>) -> Result<Vec<Finished>, String> {
    let Memory { observations, rewards, terminated, truncated, last } = memory;
    batch.step(actions, Buffers { observations, rewards, terminated, truncated, final_observations: last })
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
    reset(&mut batch, &mut memory, None);
    assert_ne!(memory.observations, first, "the next seeds");
    reset(&mut batch, &mut memory, Some(40));
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
    assert_eq!(
        refusal(Actions::Continuous(&[0.0, 0.0, 0.5, -1.5])),
        "the action of row 1 is [0.5, -1.5], must be a drive and a turn from -1 to 1"
    );
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

#[test]
fn first_matches_of_a_new_batch_are_those_of_its_seed() {
    let mut batch = Batch::new(config(SHORT), 2, 1, 7, Autoreset::NextStep, None).unwrap();
    let mut observations = vec![f32::NAN; batch.rows() * OBSERVATION_LENGTH];
    let mut seeds = Vec::new();
    for _ in 0..3 {
        batch.reset(&[None; 2], &[true; 2], &mut observations).unwrap();
        seeds.push(seeds_of(&batch));
    }
    assert_eq!(seeds, [[7, 8], [9, 10], [11, 12]], "each reset begins other matches, also without a step in between");
}

#[test]
fn worlds_outside_the_mask_go_on() {
    let (mut batch, mut memory) = batch(SHORT, 3, 2);
    let actions = vec![0.5; 2 * batch.rows()];
    for _ in 0..5 {
        step(&mut batch, &mut memory, Actions::Continuous(&actions)).unwrap();
    }
    let hash = batch.world_mut(0).unwrap().state_hash();
    let observed = memory.observations.clone();
    memory.observations.fill(f32::NAN);
    batch.reset(&[Some(1), Some(90), None], &[false, true, true], &mut memory.observations).unwrap();
    assert_eq!((seeds_of(&batch), batch.world_mut(0).unwrap().state_hash()), (vec![40, 90, 45], hash));
    let size = 2 * OBSERVATION_LENGTH;
    assert_eq!(memory.observations[..size], observed[..size], "the observations of all worlds are written");
    assert!(memory.observations[size..].iter().all(|number| number.is_finite()));
    batch.reset(&[None; 3], &[true; 3], &mut memory.observations).unwrap();
    assert_eq!(seeds_of(&batch), [43, 93, 48], "each world goes on from its own last seed");
}

/// Plays to the first end, and returns the number of decisions until then.
fn play_to_the_end(batch: &mut Batch, memory: &mut Memory) -> usize {
    let actions = vec![0; 2 * batch.rows()];
    (1..)
        .find(|_| {
            step(batch, memory, Actions::Discrete(&actions)).unwrap();
            memory.terminated.iter().chain(&memory.truncated).any(|has_ended| *has_ended)
        })
        .unwrap()
}

#[test]
fn next_step_after_the_end_takes_no_decision_and_gives_nothing() {
    let json = SHORT.replace("\"agents\": 2", "\"agents\": 2, \"rewards\": {\"step\": 1}");
    let (mut batch, mut memory) = batch_with(&json, 2, 1, Autoreset::NextStep, None);
    assert_eq!(play_to_the_end(&mut batch, &mut memory), 30);
    assert_eq!((seeds_of(&batch), &memory.terminated[..]), (vec![40, 41], &[true; 4][..]));
    assert_eq!(memory.last, vec![0.0; memory.last.len()], "the observation is the last one itself");
    let actions = vec![0; 8];
    assert!(step(&mut batch, &mut memory, Actions::Discrete(&actions)).unwrap().is_empty());
    assert_eq!((seeds_of(&batch), &memory.rewards[..]), (vec![42, 43], &[0.0; 4][..]));
    assert!(!memory.terminated.contains(&true) && batch.worlds().iter().all(|world| world.steps() == 0));
    step(&mut batch, &mut memory, Actions::Discrete(&actions)).unwrap();
    assert_eq!(memory.rewards, [4.0; 4]);
}

#[test]
fn ended_match_is_stepped_no_further_without_a_reset() {
    let (mut batch, mut memory) = batch_with(SHORT, 2, 1, Autoreset::Disabled, None);
    play_to_the_end(&mut batch, &mut memory);
    let hash = batch.world_mut(1).unwrap().state_hash();
    let actions = vec![0; 8];
    let refusal = step(&mut batch, &mut memory, Actions::Discrete(&actions)).unwrap_err();
    assert!(refusal.starts_with("the match of world 0 is over"), "{refusal}");
    batch.reset(&[None; 2], &[true, false], &mut memory.observations).unwrap();
    let refusal = step(&mut batch, &mut memory, Actions::Discrete(&actions)).unwrap_err();
    assert!(refusal.starts_with("the match of world 1 is over"), "{refusal}");
    assert_eq!((batch.worlds()[0].steps(), batch.world_mut(1).unwrap().state_hash()), (0, hash));
    batch.reset(&[None; 2], &[false, true], &mut memory.observations).unwrap();
    step(&mut batch, &mut memory, Actions::Discrete(&actions)).unwrap();
}

#[test]
fn match_is_cut_off_after_the_most_decisions() {
    for autoreset in [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled] {
        let (mut batch, mut memory) = batch_with(SHORT, 2, 1, autoreset, Some(12));
        for _ in 0..2 {
            assert_eq!(play_to_the_end(&mut batch, &mut memory), 12, "{autoreset:?}");
            assert!(!memory.terminated.contains(&true) && !memory.truncated.contains(&false));
            match autoreset {
                Autoreset::NextStep => assert!(step(&mut batch, &mut memory, Actions::Discrete(&[0; 8])).is_ok()),
                Autoreset::SameStep => assert_ne!(memory.last, memory.observations),
                Autoreset::Disabled => reset(&mut batch, &mut memory, None),
            }
        }
        assert_eq!(seeds_of(&batch), [44, 45]);
    }
}

#[test]
fn end_and_cut_in_the_same_decision_are_both_told() {
    let (mut batch, mut memory) = batch_with(SHORT, 1, 1, Autoreset::NextStep, Some(30));
    assert_eq!(play_to_the_end(&mut batch, &mut memory), 30);
    assert_eq!((&memory.terminated[..], &memory.truncated[..]), (&[true; 2][..], &[true; 2][..]));
}

#[test]
fn dropped_batch_frees_its_worlds() {
    let (mut batch, mut memory) = batch(SHORT, 3, 2);
    let state = batch.world_mut(1).unwrap().snapshot().unwrap();
    let alive = Arc::downgrade(&batch.config);
    assert_eq!(alive.strong_count(), 1 + 3, "the batch and each world");
    play_to_the_end(&mut batch, &mut memory);
    batch.world_mut(2).unwrap().restore(&state).unwrap();
    assert_eq!(alive.strong_count(), 1 + 3, "matches that began later are in the same worlds");
    drop(batch);
    assert_eq!(alive.strong_count(), 0);
}
