"""RLlib takes the parallel environment by its own wrapper. Its trainers need torch, which is not installed for this."""

import numpy as np
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv

import bounty_hunter


def test_environment_of_rllib_plays_the_same_match():
    options = {"players": 3, "play_seconds": 2}
    wrapped, alone = ParallelPettingZooEnv(bounty_hunter.ParallelEnv(**options)), bounty_hunter.ParallelEnv(**options)
    assert isinstance(wrapped, MultiAgentEnv) and sorted(wrapped.possible_agents) == sorted(alone.possible_agents)
    one, _ = wrapped.reset(seed=7)
    other, _ = alone.reset(seed=7)
    random, steps, is_over = np.random.default_rng(1), 0, False
    while not is_over:
        assert all(np.array_equal(one[agent], other[agent]) for agent in alone.possible_agents)
        actions = {agent: random.integers(0, [3, 7]).astype(np.int32) for agent in sorted(one)}
        one, rewards, terminations, truncations, _ = wrapped.step(actions)
        other, others, *_ = alone.step(actions)
        assert rewards == others
        steps, is_over = steps + 1, terminations["__all__"] or truncations["__all__"]
    assert steps == 30 and wrapped.par_env.state_hash() == alone.state_hash()
