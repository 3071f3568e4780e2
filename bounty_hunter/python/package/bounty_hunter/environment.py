"""One agent against AIs, as a Gymnasium environment."""

import gymnasium
import numpy as np

from . import options as all_options
from ._core import OBSERVATION_LENGTH, World, describe
from .one_world import OneWorld
from .spaces import action_space, check_action, check_size, flat_actions, observation_space, seed_of


class Env(OneWorld, gymnasium.Env):
    """One agent against AIs.

    Observations are arrays of `OBSERVATION_LENGTH` float32; see `OBSERVATION_FIELDS`. An episode is a match and terminates with it; it is
    never truncated. The agent that dies respawns after three seconds, in which its actions have no effect; where lives are limited, the
    episode terminates with the last one. `reset(seed=7)` begins the match with the seed 7.

    `actions` is "discrete", "goals" or "continuous", `record=True` keeps the inputs for `save_replay`, and `size` is the side of rendered pictures
    in pixels, 1 to 4096. All other arguments are the options in `bounty_hunter.options`, except `agents`, which is 1.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 15}

    def __init__(self, render_mode=None, actions="discrete", record=False, size=400, **options):
        if options.setdefault("agents", 1) != 1:
            raise ValueError(f"agents is {options['agents']}, must be 1: use ParallelEnv or VectorEnv for more")
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode is {render_mode!r}, must be 'rgb_array' or None")
        self.render_mode, self._size, self._kind, self._record = render_mode, check_size(size), actions, record
        self._options = all_options.to_json(options)
        about = describe(self._options)
        self.metadata = {**self.metadata, "render_fps": about["steps_per_second"] / (options.get("frame_skip") or 4)}
        self._world = None
        self.observation_space = observation_space()
        self.action_space = action_space(actions, 3 if about["has_spells"] else 2)
        self._rewards = np.zeros(1, np.float32)

    def reset(self, *, seed=None, options=None):
        """Begins a match; returns the observation after its countdown, and information."""
        super().reset(seed=seed)
        seed = seed_of(seed, self.np_random)
        if self._world is None:
            self._world = World(self._options, seed, self._record)
        else:
            self._world.reset(seed)
        observation = np.empty(OBSERVATION_LENGTH, np.float32)
        self._world.observe(observation)
        return observation, self._info()

    def step(self, action):
        """Takes a decision: `frame_skip` steps of the simulation."""
        self._require_match()
        observation = np.empty(OBSERVATION_LENGTH, np.float32)
        action = check_action("the agent", action, self._kind, self.action_space)
        is_over = self._world.step(flat_actions(action, self._kind), self._kind == "goals", observation, self._rewards)
        is_over = is_over or self._world.is_out(0)
        return observation, float(self._rewards[0]), is_over, False, self._info()

    def render(self):
        """The match as an array of (size, size, 3) bytes: red, green and blue."""
        if self.render_mode is None or self._world is None:
            return None
        return self._world.draw(self._size).reshape(self._size, self._size, 3)

    def clone_state(self):
        """A copy of the whole state, for tree search. Any environment with the same options can restore it, any number of times."""
        self._require_match()
        return self._world.clone_state()

    def restore_state(self, state):
        """Goes back to a copy, and returns the observation there."""
        self._require_match()
        self._world.restore_state(state)
        observation = np.empty(OBSERVATION_LENGTH, np.float32)
        self._world.observe(observation)
        return observation

    def _info(self):
        info = {"seed": self._world.seed, "steps": self._world.steps, "stashes": self._world.stashes()}
        result = self._world.result()
        if result is not None:
            info["winner"], info["ending"] = result
        return info
