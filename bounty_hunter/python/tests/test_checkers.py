"""The environments pass the checkers of the libraries."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test, parallel_seed_test, render_test

import bounty_hunter

MODES = ["classic", "power-ups", "spells", "survival", "brawl"]


@pytest.mark.parametrize("mode", MODES)
def test_parallel_environment_passes_the_checker_in_every_mode(mode):
    environment = bounty_hunter.ParallelEnv(mode=mode, players=4, play_seconds=5)
    parallel_api_test(environment, num_cycles=400)


def test_parallel_environment_repeats_a_seed():
    parallel_seed_test(lambda: bounty_hunter.ParallelEnv(players=3, play_seconds=5), num_cycles=50)


def test_parallel_environment_draws_pictures():
    make = lambda render_mode=None: bounty_hunter.ParallelEnv(render_mode=render_mode, players=4, size=100)
    environment = make("rgb_array")
    environment.reset(seed=1)
    picture = environment.render()
    assert picture.shape == (100, 100, 3) and picture.dtype == np.uint8 and len(np.unique(picture.reshape(-1, 3), axis=0)) > 8


@pytest.mark.parametrize("actions", ["discrete", "goals", "continuous"])
def test_environment_of_one_agent_passes_the_checker(actions):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        environment = gymnasium.make("BountyHunter-v0", actions=actions, players=4, play_seconds=5, render_mode="rgb_array")
        check_env(environment.unwrapped, skip_render_check=False)


def test_vector_environment_equals_single_ones():
    # Stashes of prefabs, which nobody fills in two seconds, so that all matches end together.
    options = {"players": 3, "play_seconds": 2, "opponents": ["hard"], "rules": {"stash_sizes": []}}
    seeds = range(30, 34)
    vector = gymnasium.make_vec("BountyHunter-v0", num_envs=4, vectorization_mode="vector_entry_point", copy=True, **options)
    single = gymnasium.vector.SyncVectorEnv(
        [lambda: bounty_hunter.Env(**options)] * 4, autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP
    )
    assert vector.observation_space == single.observation_space and vector.action_space == single.action_space
    one, _ = vector.reset(seed=30)
    other, _ = single.reset(seed=list(seeds))
    assert np.array_equal(one, other)
    vector.action_space.seed(1)
    for _ in range(29):
        actions = vector.action_space.sample()
        one, other = vector.step(actions), single.step(actions)
        assert np.array_equal(one[0], other[0]) and np.allclose(one[1], other[1]) and not one[2].any()
    one, other = vector.step(actions), single.step(actions)
    assert one[2].all() and other[2].all()
    assert np.array_equal(one[4]["final_obs"], np.stack(other[4]["final_obs"]))
    assert [match["seed"] for match in one[4]["finished"]] == list(seeds)


def test_vector_environment_writes_into_the_same_arrays():
    environment = bounty_hunter.VectorEnv(num_worlds=2, agents=3, players=5)
    first, _ = environment.reset(seed=1)
    before = first.copy()
    second, rewards, terminations, truncations, _ = environment.step(np.zeros((6, 2), np.int32))
    assert second is first and not np.array_equal(first, before)
    assert second.shape == (6, bounty_hunter.OBSERVATION_LENGTH) and rewards.shape == terminations.shape == truncations.shape == (6,)
