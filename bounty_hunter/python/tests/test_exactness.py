"""Seeds, actions and copies give the same matches as the program."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import bounty_hunter

PROGRAM = os.environ.get("BOUNTY_HUNTER")
needs_program = pytest.mark.skipif(not PROGRAM, reason="set BOUNTY_HUNTER to the path of the program")


def drive(environment, decisions, seed=3):
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        actions = {agent: rng.integers(environment.action_space(agent).nvec) for agent in environment.agents}
        if not actions:
            break
        environment.step(actions)


@needs_program
def test_matches_of_ais_have_the_hashes_that_the_program_prints():
    arguments = ["simulate", "--seed", "5", "--matches", "4", "--players", "6", "--ai", "hard,normal,easy", "--json"]
    lines = subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True).stdout.splitlines()
    expected = [json.loads(line) for line in lines]
    records = bounty_hunter.play(range(5, 9), players=6, opponents=["hard", "normal", "easy"])
    for record, line in zip(records, expected, strict=True):
        assert record["hash"] == line["hash"] and record["ticks"] == line["ticks"] and record["winner"] == line["winner"]
        assert record["deaths"] == line["deaths"] and record["lead_changes"] == line["lead_changes"]


@needs_program
@pytest.mark.parametrize("mode", ["classic", "survival", "spells"])
def test_program_repeats_a_match_of_agents_to_the_same_hash(mode, tmp_path):
    environment = bounty_hunter.ParallelEnv(mode=mode, players=5, agents=3, play_seconds=8, record=True)
    environment.reset(seed=12)
    drive(environment, 200)
    environment.save_replay(tmp_path / "match.replay")
    arguments = ["replay", str(tmp_path / "match.replay"), "--verify", "--json"]
    line = subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True).stdout
    verdict = json.loads(line)
    assert verdict["agrees"] and verdict["hash"] == f"{environment.state_hash():016x}"


def test_restored_copy_repeats_what_followed_in_any_environment():
    options = {"mode": "power-ups", "players": 6}
    environment, other = bounty_hunter.ParallelEnv(**options), bounty_hunter.ParallelEnv(**options)
    environment.reset(seed=4)
    other.reset(seed=9)
    drive(environment, 50)
    copy = environment.clone_state()
    hash_then = environment.state_hash()
    drive(environment, 80, seed=1)
    expected = environment.state_hash()
    for again in (environment, other, environment):
        again.restore_state(copy)
        assert again.state_hash() == hash_then
        drive(again, 80, seed=1)
        assert again.state_hash() == expected


def test_restored_copy_repeats_what_followed_for_one_agent():
    environment = bounty_hunter.Env(players=4)
    environment.reset(seed=8)
    actions = np.random.default_rng(5).integers(0, [4, 7], (90, 2))
    for action in actions[:30]:
        environment.step(action)
    copy, runs = environment.clone_state(), []
    for _ in range(2):
        seen = [environment.restore_state(copy)]
        rewards = []
        for action in actions[30:]:
            observation, reward, *_ = environment.step(action)
            seen.append(observation)
            rewards.append(reward)
        runs.append((np.array(seen).tobytes(), rewards, environment.state_hash()))
    assert runs[0] == runs[1]


def test_restored_copy_repeats_what_followed_in_another_world():
    environment = bounty_hunter.VectorEnv(num_worlds=3, agents=2, players=4)
    environment.reset(seed=7)
    actions = np.random.default_rng(5).integers(0, [4, 7], (60, 2, 2))

    def step_all(actions):
        for action in actions:
            environment.step(np.tile(action, (3, 1)))

    step_all(actions[:20])
    copy = environment.clone_state(0)
    hash_then = environment.state_hash(0)
    step_all(actions[20:])
    expected = environment.state_hash(0)
    assert environment.state_hash(2) != expected
    environment.restore_state(2, copy)
    environment.observe()
    assert environment.state_hash(2) == hash_then
    step_all(actions[20:])
    assert environment.state_hash(2) == expected
    with pytest.raises(ValueError, match="there is no world 3, there are 3"):
        environment.clone_state(3)


def test_learned_ai_of_the_game_beats_normal_in_more_than_60_percent_of_duels():
    records = bounty_hunter.play(range(1, 501), players=2, opponents=["learned", "normal"])
    wins = sum(record["winner"] is not None and record["ais"][record["winner"]] == "learned" for record in records)
    assert wins > 300, f"{wins} of 500"


def test_description_names_what_options_choose():
    about = bounty_hunter.describe(mode="spells", level="pit", players=5)
    assert about["world_half_extent_m"] == 36.0 and about["players"] == 5 and about["has_spells"]
    assert "crossing" in about["levels"] and "classic" in about["modes"] and "learned" in about["ais"]


def test_other_threads_run_while_the_core_works():
    counted, is_over = [0], threading.Event()

    def count():
        while not is_over.is_set():
            counted[0] += 1
            time.sleep(0)  # It gives the lock away by itself.

    thread = threading.Thread(target=count)
    environment = bounty_hunter.VectorEnv(num_worlds=8, agents=16, players=16, threads=1, frame_skip=100)
    environment.reset(seed=1)
    actions = np.zeros((environment.num_envs, 2), int)
    interval = sys.getswitchinterval()
    # Only a lock that is given away lets the other thread run so soon.
    sys.setswitchinterval(3600.0)
    try:
        thread.start()
        before = counted[0]
        environment.step(actions)
        assert counted[0] - before > 10
    finally:
        is_over.set()
        sys.setswitchinterval(interval)
        thread.join()


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="sends a signal to itself")
def test_long_run_of_matches_is_interrupted():
    # A program that a shell has started in the background ignores it otherwise.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.5, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
    begun = time.monotonic()
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            bounty_hunter.play(range(2_000), players=16)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_number_of_threads_changes_nothing(threads):
    environment = bounty_hunter.VectorEnv(num_worlds=6, agents=2, players=4, threads=threads, play_seconds=3)
    environment.reset(seed=7)
    rng = np.random.default_rng(2)
    total = np.zeros(12)
    for _ in range(100):
        _, rewards, *_ = environment.step(rng.integers(0, [4, 7], (12, 2)))
        total += rewards
    hashes = [environment.state_hash(world) for world in range(6)]
    reference = test_number_of_threads_changes_nothing.__dict__.setdefault("reference", (hashes, total.tolist()))
    assert (hashes, total.tolist()) == reference


def test_policy_scores_as_in_python_and_survives_its_file(tmp_path):
    rng = np.random.default_rng(1)
    sizes = [bounty_hunter.OBSERVATION_LENGTH, 16, bounty_hunter.GOALS]
    layers = [(rng.normal(size=(i, o)).round(3), rng.normal(size=o).round(3)) for i, o in zip(sizes, sizes[1:])]
    policy = bounty_hunter.Policy(layers)
    policy.save(tmp_path / "policy.ron")
    again = bounty_hunter.Policy.load(tmp_path / "policy.ron")
    observations = rng.normal(size=(50, sizes[0])).astype(np.float32)
    assert np.array_equal(policy.act(observations), again.act(observations))
    files = {"policies/mine.ron": (tmp_path / "policy.ron").read_text()}
    record, = bounty_hunter.play([1], players=2, play_seconds=2, opponents=["mine"], files=files)
    assert record["ais"] == ["mine", "mine"]


def test_policy_plays_in_the_game_as_in_the_environment(tmp_path):
    rng = np.random.default_rng(6)
    sizes = [bounty_hunter.OBSERVATION_LENGTH, 24, bounty_hunter.GOALS]
    layers = [(rng.normal(size=(i, o)).round(3), rng.normal(size=o).round(3)) for i, o in zip(sizes, sizes[1:])]
    policy = bounty_hunter.Policy(layers)
    policy.save(tmp_path / "policy.ron")
    files = {"policies/mine.ron": (tmp_path / "policy.ron").read_text()}
    environment = bounty_hunter.Env(actions="goals", players=4, opponents=["normal"], play_seconds=20)
    for seed in range(4, 12, 4):
        observation, _ = environment.reset(seed=seed)
        is_over = False
        while not is_over:
            observation, _, is_over, _, info = environment.step(policy.act(observation))
        record, = bounty_hunter.play([seed], players=4, play_seconds=20, opponents=["mine", "normal", "normal", "normal"], files=files)
        assert record["ais"][0] == "mine" and record["stashes"] == info["stashes"].tolist()
        assert info["winner"] == (-1 if record["winner"] is None else record["winner"]) and info["stash"] == record["stashes"][0]
