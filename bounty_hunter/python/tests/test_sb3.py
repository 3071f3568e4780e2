"""The environment for Stable-Baselines3."""

import subprocess
import sys

import numpy as np
import pytest
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor, VecNormalize, is_vecenv_wrapped
from stable_baselines3.common.vec_env import VecEnv as BaseVecEnv
from stable_baselines3.common.env_checker import check_env
import gymnasium

import bounty_hunter
from beside import SHORT, WORLDS, CountingEnv, actions_of
from bounty_hunter.sb3 import VecEnv


@pytest.mark.parametrize("max_episode_steps", [None, 13, 30])
def test_it_equals_what_the_library_makes_of_single_environments(max_episode_steps):
    def make():
        environment = CountingEnv(**SHORT)
        return environment if max_episode_steps is None else gymnasium.wrappers.TimeLimit(environment, max_episode_steps)

    ours, theirs = VecEnv(WORLDS, max_episode_steps=max_episode_steps, **SHORT), DummyVecEnv([make] * WORLDS)
    assert isinstance(ours, BaseVecEnv) and ours.num_envs == theirs.num_envs
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    assert ours.seed(30) == theirs.seed(30)
    assert np.array_equal(ours.reset(), theirs.reset())
    assert [info["seed"] for info in ours.reset_infos] == [info["seed"] for info in theirs.reset_infos] == [30, 31, 32]
    actions, ends = actions_of(ours.environment), 0
    for _ in range(65):
        given = next(actions)
        (one, rewards, dones, infos), (other, other_rewards, other_dones, other_infos) = ours.step(given), theirs.step(given)
        assert np.array_equal(one, other) and np.allclose(rewards, other_rewards) and np.array_equal(dones, other_dones)
        ends += dones.sum()
        for info, other_info in zip(infos, other_infos, strict=True):
            assert info.keys() == other_info.keys() - {"stashes"}
            assert all(np.allclose(info[name], other_info[name]) for name in info)
    assert ends >= 2 * WORLDS


def test_an_algorithm_learns_in_it():
    environment = VecMonitor(VecNormalize(VecEnv(num_worlds=2, actions="goals", agents=2, max_episode_steps=20, **SHORT)))
    model = PPO("MlpPolicy", environment, n_steps=16, batch_size=32, n_epochs=1, device="cpu", seed=1)
    model.learn(256)
    assert model.num_timesteps >= 256 and len(model.ep_info_buffer) > 0


def test_single_environment_passes_the_checker_of_the_library():
    check_env(bounty_hunter.Env(players=2, actions="goals"))


def test_attributes_and_methods_reach_the_rows_that_are_named():
    environment = VecEnv(num_worlds=3, players=2, render_mode="rgb_array", size=16)
    environment.seed(4)
    environment.reset()
    assert environment.get_attr("seed") == [4, 5, 6] and environment.get_attr("seed", 1) == [5]
    environment.set_attr("mine", 1)
    environment.set_attr("mine", [2, 3], indices=[0, 2])
    assert environment.get_attr("mine") == [[2, 3], 1, [2, 3]]
    assert environment.env_method("state_hash", indices=[2]) == [environment.environment.state_hash(2)]
    assert environment.env_is_wrapped(gymnasium.Wrapper) == [False] * 3 and not is_vecenv_wrapped(environment, VecMonitor)
    assert [picture.shape for picture in environment.get_images()] == [(16, 16, 3)] * 3
    assert environment.render("rgb_array").ndim == 3
    environment.close()
    with pytest.raises(gymnasium.error.ClosedEnvironmentError):
        environment.reset()


def test_observations_stay_what_they_were():
    environment = VecEnv(num_worlds=2, max_episode_steps=3, players=2)
    before, actions = environment.reset(), actions_of(environment.environment)
    for _ in range(10):
        kept = before.copy()
        after, _, _, infos = environment.step(next(actions))
        assert np.array_equal(before, kept) and not np.shares_memory(before, after) and not np.array_equal(before, after)
        for info in infos:
            assert "terminal_observation" not in info or not np.shares_memory(info["terminal_observation"], after)
        before = after


@pytest.mark.parametrize("name", ["copy", "autoreset_mode"])
def test_what_the_algorithms_decide_is_refused(name):
    with pytest.raises(TypeError, match=f"{name} is given, must be left out"):
        VecEnv(1, **{name: True})


def test_package_does_not_import_the_library():
    code = "import sys, bounty_hunter; assert not {'stable_baselines3', 'torch', 'pygame'} & sys.modules.keys()"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_missing_library_is_one_sentence():
    code = "import sys; sys.modules['stable_baselines3'] = None\nimport bounty_hunter.sb3"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stderr.splitlines()[-1] == "ImportError: bounty_hunter.sb3 needs Stable-Baselines3: install stable-baselines3"
