"""Environments and their worlds are freed with the last reference, or when they are closed."""

import gc
import weakref

import numpy as np
import pytest

import bounty_hunter
from bounty_hunter import bounty_hunter_v0

KINDS = {
    "single": lambda: bounty_hunter.Env(players=2, render_mode="human", size=16),
    "parallel": lambda: bounty_hunter.ParallelEnv(players=3, render_mode="rgb_array", size=16),
    "vector": lambda: bounty_hunter.VectorEnv(num_worlds=3, players=2, render_mode="rgb_array", size=16),
    "views": lambda: bounty_hunter.VectorEnv(num_worlds=3, players=2, copy=False),
    "in turn": lambda: bounty_hunter_v0.env(players=2),
}


def core_of(environment):
    """The object of the core, which holds the worlds: it is freed with them."""
    environment = environment.unwrapped
    environment = getattr(environment, "env", environment)
    return environment._batch if isinstance(environment, bounty_hunter.VectorEnv) else environment._world


def use(environment):
    environment.reset(seed=1)
    if isinstance(environment, bounty_hunter.VectorEnv):
        environment.step(environment.action_space.sample())
        environment.call("state_hash")
        environment.restore_state(0, environment.clone_state(1))
    elif isinstance(environment, bounty_hunter.ParallelEnv):
        for agent in environment.possible_agents:
            environment.observation_space(agent), environment.action_space(agent)
        environment.step({agent: environment.action_space(agent).sample() for agent in environment.agents})
        environment.restore_state(environment.clone_state())
    elif isinstance(environment, bounty_hunter.Env):
        environment.step(environment.action_space.sample())
        environment.restore_state(environment.clone_state())
    else:
        for agent in environment.agent_iter(4):
            environment.observation_space(agent), environment.action_space(agent)
            environment.step(environment.action_space(agent).sample())
    environment.render()


@pytest.mark.parametrize("name", KINDS)
def test_environments_are_freed(name):
    environments, cores = [], []
    for _ in range(5):
        environment = KINDS[name]()
        use(environment)
        environments.append(weakref.ref(environment))
        cores.append(weakref.ref(core_of(environment)))
    del environment
    gc.collect()
    assert [reference() for reference in environments + cores] == [None] * 10


@pytest.mark.parametrize("name", ["single", "parallel", "vector", "views"])
def test_environment_is_freed_without_a_collection(name):
    gc.disable()
    try:
        environment = KINDS[name]()
        use(environment)
        reference = weakref.ref(environment)
        del environment
        assert reference() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("name", KINDS)
def test_closed_environment_has_no_worlds(name):
    environment = KINDS[name]()
    use(environment)
    core = weakref.ref(core_of(environment))
    environment.close()
    gc.collect()
    assert core() is None


def test_states_hold_no_environment():
    environment = bounty_hunter.Env(players=2)
    environment.reset(seed=1)
    state, core = environment.clone_state(), weakref.ref(environment._world)
    kept = weakref.ref(state)
    del environment
    gc.collect()
    assert core() is None and kept() is state
    del state
    assert kept() is None


def test_results_hold_no_environment():
    environment = bounty_hunter.VectorEnv(num_worlds=2, players=2, render_mode="rgb_array", size=16)
    results = [environment.reset(seed=1), environment.step(np.zeros((2, 2), int)), environment.render(), environment.finished]
    core = weakref.ref(environment._batch)
    del environment
    gc.collect()
    assert core() is None and len(results) == 4
