"""The environments pass every checker that the libraries offer."""

import sys
import warnings

import gymnasium
import numpy as np
import pettingzoo.test
import pytest
from gymnasium.utils import env_checker
from gymnasium.utils.env_match import check_environments_match
from gymnasium.utils.performance import benchmark_init, benchmark_render, benchmark_step
from pettingzoo.utils.conversions import parallel_to_aec_wrapper

import bounty_hunter
from bounty_hunter import bounty_hunter_v0

MODES = ["classic", "gold-rush", "power-ups", "spells", "survival", "brawl", "teams"]


@pytest.mark.parametrize("mode", MODES)
def test_parallel_environment_passes_the_checker_in_every_mode(mode):
    environment = bounty_hunter.ParallelEnv(mode=mode, players=4, play_seconds=5)
    pettingzoo.test.parallel_api_test(environment, num_cycles=400)


def test_parallel_environment_that_is_cut_off_passes_the_checker():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        environment = bounty_hunter.ParallelEnv(mode="survival", players=4, rules={"rules": {"lives": 1}})
        pettingzoo.test.parallel_api_test(environment, num_cycles=40)


def test_parallel_environment_repeats_a_seed():
    pettingzoo.test.parallel_seed_test(lambda: bounty_hunter.ParallelEnv(players=3, play_seconds=5), num_cycles=50)


def turns(**options):
    return bounty_hunter_v0.env(**{"players": 3, "play_seconds": 2, "size": 16, **options})


class OneThatReturnsObservations(parallel_to_aec_wrapper):
    """`bombardment_test` takes what a step returns for an observation; the steps of PettingZoo's own environments return nothing."""

    def step(self, action):
        agent = self.agent_selection
        super().step(action)
        return self.observe(agent)


def run_performance_benchmark(monkeypatch):
    """For 200 cycles instead of five seconds."""
    benchmark = sys.modules["pettingzoo.test.performance_benchmark"]
    clock = iter(range(10_000))
    monkeypatch.setattr(benchmark, "time", type("Clock", (), {"time": staticmethod(lambda: next(clock) / 40)}))
    environment = turns()
    benchmark.performance_benchmark(environment)
    assert next(clock) > 200


# What PettingZoo offers, and how each is run.
CHECKERS = {
    "api_test": lambda check, _: [check(turns(mode=mode), num_cycles=100) for mode in MODES],
    "bombardment_test": lambda check, _: check(OneThatReturnsObservations(bounty_hunter.ParallelEnv(players=2)), cycles=20),
    "collect_render_results": lambda check, _: check(turns(render_mode="rgb_array")),
    "max_cycles_test": lambda check, _: check(bounty_hunter_v0),
    "parallel_api_test": lambda check, _: check(bounty_hunter_v0.parallel_env(players=3, play_seconds=5), num_cycles=100),
    "parallel_seed_test": lambda check, _: check(lambda: bounty_hunter.ParallelEnv(players=3, play_seconds=5), num_cycles=50),
    "performance_benchmark": lambda _, monkeypatch: run_performance_benchmark(monkeypatch),
    "render_test": lambda check, _: check(turns),
    "seed_test": lambda check, _: check(turns, num_cycles=30),
    "state_test": lambda check, _: check(turns(), bounty_hunter.ParallelEnv(players=3)),
    # It saves only observations that are images, and says so of others.
    "test_save_obs": lambda check, _: check(turns()),
}
# It needs an environment that people play by its `manual_control`, and a keyboard.
NOT_OFFERED = {"manual_control_test"}


def test_no_checker_of_pettingzoo_is_forgotten():
    offered = {name for name, value in vars(pettingzoo.test).items() if callable(value)}
    assert offered == {*CHECKERS, *NOT_OFFERED}


@pytest.mark.parametrize("name", CHECKERS)
def test_environment_passes_the_checker_of_pettingzoo(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Said of every action space that is neither of two kinds.
        warnings.filterwarnings("ignore", "Action space for each agent probably should be")
        CHECKERS[name](getattr(pettingzoo.test, name), monkeypatch)


def test_most_cycles_are_counted_in_decisions():
    environment = bounty_hunter.ParallelEnv(players=3, max_cycles=np.int64(4))
    environment.reset(seed=1)
    for cycle in range(1, 5):
        *_, terminations, truncations, _ = environment.step({})
        assert not any(terminations.values()) and set(truncations.values()) == {cycle == 4}
    assert environment.agents == [] and environment.step({}) == ({}, {}, {}, {}, {})
    environment.reset()
    assert len(environment.agents) == 3


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
        env_checker.check_env(environment.unwrapped, skip_render_check=False)


def test_environment_matches_itself():
    make = lambda: gymnasium.make("BountyHunter-v0", players=3, play_seconds=2, render_mode="rgb_array", size=16)
    check_environments_match(make(), make(), num_steps=40, seed=5)


def test_benchmarks_of_gymnasium_run():
    make = lambda render_mode=None: gymnasium.make("BountyHunter-v0", players=2, play_seconds=2, render_mode=render_mode, size=16)
    assert benchmark_step(make(), target_duration=0.01, seed=1) > 0
    assert benchmark_init(make, target_duration=0.01, seed=1) > 0
    environment = make("rgb_array")
    environment.reset(seed=1)
    assert benchmark_render(environment, target_duration=0.01) > 0


@pytest.mark.parametrize("kind", [gymnasium.vector.SyncVectorEnv, gymnasium.vector.AsyncVectorEnv])
def test_vector_environments_of_gymnasium_take_it(kind):
    environment = kind([lambda: bounty_hunter.Env(players=2, play_seconds=1)] * 2)
    environment.reset(seed=[3, 4])
    for _ in range(20):
        *_, infos = environment.step(environment.action_space.sample())
    assert infos["stashes"].shape == (2, 2) and infos["_seed"].all()
    environment.close()


def test_human_render_mode_shows_each_step_and_returns_nothing():
    import pygame

    for environment in (
        gymnasium.make("BountyHunter-v0", players=2, render_mode="human", size=32).unwrapped,
        bounty_hunter.ParallelEnv(players=2, render_mode="human", size=32),
    ):
        environment.reset(seed=1)
        first = pygame.surfarray.array3d(pygame.display.get_surface())
        # A turn at full speed changes so small a picture at once.
        drive = np.array([2, 0])
        is_parallel = isinstance(environment, bounty_hunter.ParallelEnv)
        environment.step(dict.fromkeys(environment.agents, drive) if is_parallel else drive)
        second = pygame.surfarray.array3d(pygame.display.get_surface())
        assert environment.render() is None and first.any() and not np.array_equal(first, second)
        environment.close()
        assert not pygame.display.get_init()


