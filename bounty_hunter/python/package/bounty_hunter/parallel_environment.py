"""Each collector an agent, as a PettingZoo parallel environment."""

import functools

import numpy as np
from gymnasium.utils import seeding
from pettingzoo import ParallelEnv as PettingZooEnv

from . import options as all_options
from ._core import GOAL_NAMES, OBSERVATION_LENGTH, World, describe
from .one_world import OneWorld
from .spaces import action_space, check_action, check_size, flat_actions, observation_space, seed_of


class ParallelEnv(OneWorld, PettingZooEnv):
    """A match in which the first `agents` players are agents, `collector_0`, `collector_1`, …; AIs play the other seats.

    Observations are arrays of `OBSERVATION_LENGTH` float32; see `OBSERVATION_FIELDS`. All agents terminate with the match, and one without
    lives before it; nothing is truncated. `reset(seed=7)` begins the match with the seed 7.

    `actions` is "discrete", "goals" or "continuous", `record=True` keeps the inputs for `save_replay`, and `size` is the side of rendered pictures
    in pixels, 1 to 4096. All other arguments are the options in `bounty_hunter.options`.
    """

    metadata = {"name": "bounty_hunter_v0", "render_modes": ["rgb_array"], "render_fps": 15, "is_parallelizable": True}

    def __init__(self, render_mode=None, actions="discrete", record=False, size=400, **options):
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode is {render_mode!r}, must be 'rgb_array' or None")
        self.render_mode, self._size, self._kind, self._record = render_mode, check_size(size), actions, record
        self._options = all_options.to_json(options)
        about = describe(self._options)
        self._choices = 3 if about["has_spells"] else 2
        self._space = action_space(actions, self._choices)
        self.possible_agents = [f"collector_{seat}" for seat in range(about["agents"])]
        if not self.possible_agents:
            raise ValueError("agents is 0, must be at least 1")
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents = []
        self._world, self._rng = None, None
        self._rewards = np.zeros(len(self.possible_agents), np.float32)
        idle = {"discrete": [2, 3, 0][: self._choices], "goals": GOAL_NAMES.index("stand"), "continuous": [0.0, 0.0]}[actions]
        self._idle = np.array(idle, np.float32 if actions == "continuous" else np.int32)
        self._actions = np.stack([self._idle] * len(self._seats))

    @functools.lru_cache(maxsize=None)
    def observation_space(self, agent):
        """The same for all agents: `OBSERVATION_LENGTH` numbers from -1 to 4."""
        return observation_space()

    @functools.lru_cache(maxsize=None)
    def action_space(self, agent):
        """The same for all agents; each has a generator of its own."""
        return action_space(self._kind, self._choices)

    def reset(self, seed=None, options=None):
        """Begins a match; returns the observations after its countdown, and information, by agent."""
        if seed is not None or self._rng is None:
            self._rng, _ = seeding.np_random(seed)
        seed = seed_of(seed, self._rng)
        if self._world is None:
            self._world = World(self._options, seed, self._record)
        else:
            self._world.reset(seed)
        self.agents = list(self.possible_agents)
        observations = self._observe()
        infos = {agent: {"seed": seed} for agent in self.agents}
        return {agent: observations[self._seats[agent]] for agent in self.agents}, infos

    def step(self, actions):
        """Takes a decision of all agents: `frame_skip` steps of the simulation. An agent without an action stands still.

        Actions outside the space of an agent are refused with a `ValueError`; nothing has happened then.
        """
        self._require_match()
        if not self.agents:
            return {}, {}, {}, {}, {}
        self._actions[:] = self._idle
        for agent, action in actions.items():
            if agent not in self._seats:
                raise ValueError(f"there is no agent {agent!r}, there are {self.possible_agents[0]} to {self.possible_agents[-1]}")
            self._actions[self._seats[agent]] = check_action(agent, action, self._kind, self._space)
        observations = np.empty((len(self._seats), OBSERVATION_LENGTH), np.float32)
        is_over = self._world.step(flat_actions(self._actions, self._kind), self._kind == "goals", observations.reshape(-1), self._rewards)
        taken, terminations = {}, {}
        for agent in self.agents:
            taken[agent] = observations[self._seats[agent]]
            terminations[agent] = is_over or self._world.is_out(self._seats[agent])
        rewards = {agent: float(self._rewards[self._seats[agent]]) for agent in self.agents}
        truncations = dict.fromkeys(self.agents, False)
        result = self._world.result()
        about = {} if result is None else {"winner": result[0], "ending": result[1]}
        infos = {agent: dict(about) for agent in self.agents}
        self.agents = [agent for agent in self.agents if not terminations[agent]]
        return taken, rewards, terminations, truncations, infos

    def state(self):
        """The observations of all possible agents, (agents, `OBSERVATION_LENGTH`) float32."""
        return self._observe()

    def render(self):
        """The match as an array of (size, size, 3) bytes: red, green and blue."""
        if self.render_mode is None or self._world is None:
            return None
        return self._world.draw(self._size).reshape(self._size, self._size, 3)

    def close(self):
        """Frees the match."""
        self._world, self.agents = None, []

    def clone_state(self):
        """A copy of the whole state, for tree search. Any environment with the same options can restore it, any number of times."""
        self._require_match()
        return self._world.clone_state(), tuple(self.agents)

    def restore_state(self, state):
        """Goes back to a copy, and returns the observations there, by agent."""
        self._require_match()
        copy, agents = state
        self._world.restore_state(copy)
        self.agents = list(agents)
        observations = self._observe()
        return {agent: observations[self._seats[agent]] for agent in self.agents}

    def _observe(self):
        self._require_match()
        observations = np.empty((len(self._seats), OBSERVATION_LENGTH), np.float32)
        self._world.observe(observations.reshape(-1))
        return observations
