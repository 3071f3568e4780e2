//! Tests of worlds.

use bounty_hunter::assets::Assets;
use bounty_hunter::replay::{Playback, Replay};

use super::*;
use crate::options::Options;

fn config(json: &str) -> Arc<MatchConfig> {
    Arc::new(MatchConfig::new(&Options::from_json(json).unwrap()).unwrap())
}

/// Drives all agents around: faster and slower, left and right.
fn drive(world: &mut World, decisions: usize) -> Vec<f32> {
    let agents = world.config.agents;
    let mut sums = vec![0.0; agents];
    for decision in 0..decisions {
        let turn = if decision % 20 < 13 { 0.0 } else { 0.6 };
        let intents: Vec<Intent> =
            (0..agents).map(|agent| Intent { drive: 1.0, turn: turn - 0.05 * agent as f32 }).collect();
        let mut rewards = vec![0.0; agents];
        let is_over = world.step(&intents, &vec![None; agents], &mut rewards);
        sums.iter_mut().zip(&rewards).for_each(|(sum, reward)| *sum += reward);
        if is_over {
            break;
        }
    }
    sums
}

#[test]
fn recorded_match_is_repeated_by_the_game_to_the_same_hash() {
    let config = config(r#"{"players": 6, "agents": 3, "play_seconds": 6}"#);
    let mut world = World::new(&config, 11, true).unwrap();
    drive(&mut world, 1_000);
    assert!(world.is_over() && world.result().is_some());
    let replay = Replay::from_bytes(&world.replay().unwrap()).unwrap();
    let mut playback = Playback::new(replay, &Assets::built_in(), Engine::builder().threads(1)).unwrap();
    playback.verify().unwrap();
    assert_eq!(playback.state_hash(), world.state_hash());
}

#[test]
fn restored_copy_repeats_what_followed() {
    let config = config(r#"{"mode": "power-ups", "players": 8, "agents": 4}"#);
    let mut world = World::new(&config, 5, false).unwrap();
    drive(&mut world, 60);
    let state = world.snapshot().unwrap();
    let rewards = drive(&mut world, 100);
    let hash = world.state_hash();
    world.restore(&state).unwrap();
    assert_eq!((drive(&mut world, 100), world.state_hash()), (rewards.clone(), hash));
    let mut other = World::new(&config, 6, false).unwrap();
    other.restore(&state).unwrap();
    assert_eq!((drive(&mut other, 100), other.state_hash()), (rewards, hash), "in a world of another seed");
}

#[test]
fn state_of_other_options_is_refused_and_changes_nothing() {
    let base = r#"{"mode": "survival", "players": 4, "agents": 2, "opponents": ["hard"]}"#;
    let mut world = World::new(&config(base), 5, false).unwrap();
    drive(&mut world, 10);
    let hash = world.state_hash();
    let players = "the state has 5 players and 2 agents, must have 4 and 2, as this environment";
    let agents = "the state has 4 players and 3 agents, must have 4 and 2, as this environment";
    let options = "the state is of an environment with other options";
    for (from, to, sentence) in [
        ("\"players\": 4", "\"players\": 5", players),
        ("\"agents\": 2", "\"agents\": 3", agents),
        ("hard", "easy", options),
        ("survival", "classic", options),
        ("}", r#", "level": "crossing"}"#, options),
        ("}", r#", "play_seconds": 5}"#, options),
        ("}", r#", "rules": {"bounties_per_player": 1.5}}"#, options),
    ] {
        let mut other = World::new(&config(&base.replace(from, to)), 6, false).unwrap();
        let refusal = world.restore(&other.snapshot().unwrap()).expect_err(to);
        assert!(refusal.starts_with(sentence), "{refusal}");
        assert_eq!((world.state_hash(), world.seed()), (hash, 5), "{to}");
    }
    let rewarded = base.replace('}', r#", "frame_skip": 1, "rewards": {"won": 7}}"#);
    let mut other = World::new(&config(&rewarded), 6, false).unwrap();
    let state = other.snapshot().unwrap();
    world.restore(&state).expect("rewards and the length of a decision are no part of a state");
    assert_eq!(world.state_hash(), other.state_hash());
}

#[test]
fn recording_goes_on_after_a_state_without_one() {
    let config = config(r#"{"players": 3, "play_seconds": 5}"#);
    let mut plain = World::new(&config, 8, false).unwrap();
    let mut recorded = World::new(&config, 9, true).unwrap();
    let with_recording = recorded.snapshot().unwrap();
    recorded.restore(&plain.snapshot().unwrap()).unwrap();
    assert!(recorded.replay().is_none(), "the beginning of this match is not known");
    recorded.reset(10).unwrap();
    drive(&mut recorded, 1_000);
    let replay = Replay::from_bytes(&recorded.replay().unwrap()).unwrap();
    Playback::new(replay, &Assets::built_in(), Engine::builder().threads(1)).unwrap().verify().unwrap();
    plain.restore(&with_recording).unwrap();
    assert!(plain.replay().is_none());
    recorded.restore(&with_recording).unwrap();
    assert!(recorded.replay().is_some());
}

#[test]
fn agents_are_rewarded_for_what_they_bring_home_and_for_winning() {
    let json = r#"{"players": 2, "agents": 2, "play_seconds": 40, "rewards": {"collected": 1, "stashed": 0, "won": 0, "defeated": 0}}"#;
    let mut world = World::new(&config(json), 3, false).unwrap();
    let collected = drive(&mut world, 10_000);
    assert!(collected.iter().any(|sum| *sum > 0.05), "{collected:?}");
    let json = json.replace("\"collected\": 1", "\"collected\": 0").replace("\"won\": 0", "\"won\": 5");
    let mut world = World::new(&config(&json), 3, false).unwrap();
    let won = drive(&mut world, 10_000);
    let winner = world.result().unwrap().winner;
    let expected = (0..2).map(|player| if winner == Some(player) { 5.0 } else { 0.0 });
    assert_eq!(won, expected.collect::<Vec<f32>>());
}

#[test]
fn defeat_is_paid_once_in_the_step_that_takes_the_last_life() {
    let json = r#"{"mode": "survival", "players": 6, "play_seconds": 25, "frame_skip": 1, "rules": {"rules": {"lives": 1}},
        "rewards": {"stashed": 0, "won": 8, "defeated": -1}}"#;
    let config = config(json);
    let (mut early, mut last) = (0, 0);
    for seed in 0..3 {
        let mut world = World::new(&config, seed, false).unwrap();
        let (mut sums, mut is_over) = ([0.0; 6], false);
        while !is_over {
            let were_out: Vec<bool> = (0..6).map(|agent| world.is_out(agent)).collect();
            // To the nearest bounty, then to the own stash.
            let goal = if world.steps() % 240 < 160 { 0 } else { 6 };
            let (intents, mut rewards) = (world.intents_of(&[goal; 6]), [0.0; 6]);
            is_over = world.step(&intents, &[None; 6], &mut rewards);
            sums.iter_mut().zip(&rewards).for_each(|(sum, reward)| *sum += reward);
            let winner = world.result().and_then(|result| result.winner);
            for (agent, was_out) in were_out.into_iter().enumerate() {
                let is_defeated = if is_over { winner.is_some() } else { world.is_out(agent) };
                let expected = match (was_out, is_over && winner == Some(agent as u32)) {
                    (true, _) => 0.0,
                    (false, true) => 8.0,
                    (false, false) => -f32::from(u8::from(is_defeated)),
                };
                assert_eq!(rewards[agent], expected, "agent {agent} of the match {seed}");
                early += usize::from(rewards[agent] == -1.0 && !is_over);
                last += usize::from(rewards[agent] == -1.0 && is_over);
            }
        }
        let winner = world.result().unwrap().winner;
        let most = (0..).zip(sums).map(|(agent, sum)| (winner == Some(agent), sum));
        assert!(most.clone().all(|(won, sum)| if won { sum == 8.0 } else { (-1.0..=0.0).contains(&sum) }));
    }
    assert!(early > 0 && last > 0, "{early} before the end, {last} at the end");
}

#[test]
fn steps_after_the_end_give_nothing_and_change_nothing() {
    let json = r#"{"players": 2, "agents": 2, "play_seconds": 1, "rewards": {"won": 5, "defeated": -5, "step": 1}}"#;
    let mut world = World::new(&config(json), 3, false).unwrap();
    drive(&mut world, 1_000);
    let (hash, steps) = (world.state_hash(), world.steps());
    for _ in 0..3 {
        let mut rewards = [7.0; 2];
        assert!(world.step(&[Intent { drive: 1.0, turn: 0.0 }; 2], &[None; 2], &mut rewards));
        assert_eq!((rewards, world.state_hash(), world.steps()), ([0.0; 2], hash, steps));
    }
}

#[test]
fn agent_without_lives_is_out() {
    let config = config(r#"{"mode": "survival", "players": 4, "rules": {"rules": {"lives": 1}}}"#);
    let mut world = World::new(&config, 2, false).unwrap();
    assert!((0..4).all(|agent| !world.is_out(agent)));
    drive(&mut world, 10_000);
    assert!(world.is_over());
    assert!((0..4).filter(|agent| world.is_out(*agent)).count() >= 1 || world.result().unwrap().winner.is_none());
}
