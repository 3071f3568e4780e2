"""A `VectorEnv`, and what Gymnasium makes of single environments that play the same matches."""

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import bounty_hunter

WORLDS = 3
MODES = list(AutoresetMode)
# Matches of 30 decisions, with stashes of prefabs, which nobody fills in that time.
SHORT = {"players": 3, "play_seconds": 2, "opponents": ["hard"], "rules": {"stash_sizes": []}}


class CountingEnv(bounty_hunter.Env):
    """An environment whose matches without a seed have those of a world of a `VectorEnv`."""

    last_seed = None

    def reset(self, *, seed=None, options=None):
        self.last_seed = self.last_seed + WORLDS if seed is None else seed
        return super().reset(seed=self.last_seed, options=options)


def vector(mode, max_episode_steps=None, **options):
    return bounty_hunter.VectorEnv(num_envs=WORLDS, autoreset_mode=mode, max_episode_steps=max_episode_steps, **{**SHORT, **options})


def of_gymnasium(mode, max_episode_steps=None, **options):
    def make():
        environment = CountingEnv(**{**SHORT, **options})
        return environment if max_episode_steps is None else gymnasium.wrappers.TimeLimit(environment, max_episode_steps)

    return SyncVectorEnv([make] * WORLDS, autoreset_mode=mode)


def play(environment, mode, steps, actions):
    """The results of a reset and of these steps; with `DISABLED` worlds whose match is over are reset by a mask."""
    results = [(environment.reset(seed=30), None)]
    for _ in range(steps):
        result = environment.step(next(actions))
        results.append((result, None))
        have_ended = np.asarray(result[2]) | np.asarray(result[3])
        if mode == AutoresetMode.DISABLED and have_ended.any():
            results.append((environment.reset(options={"reset_mask": have_ended.copy()}), have_ended))
    return results


def actions_of(environment, seed=1):
    space = environment.action_space
    space.seed(seed)
    while True:
        yield space.sample()


def assert_equal_infos(one, other, names=None):
    """Equal where the masks say that there is something, except `stashes`, which only single environments have."""
    assert {name for name in one if "stashes" not in name} == {name for name in other if "stashes" not in name}
    for name, mask in ((name, one[f"_{name}"]) for name in one if not name.startswith("_") and name not in ("stashes", "episode")):
        assert mask.dtype == bool and np.array_equal(mask, other[f"_{name}"]), name
        if isinstance(one[name], dict):
            assert_equal_infos(one[name], other[name])
        else:
            for row in np.flatnonzero(mask):
                assert np.allclose(one[name][row], other[name][row]), name
