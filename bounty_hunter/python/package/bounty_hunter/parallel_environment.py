"""Each collector an agent, as a PettingZoo parallel environment."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import ParallelEnv as PettingZooEnv

from ._core import OBSERVATION_LENGTH, State
from .checks import seed_of, whole, whole_seed
from .one_world import OneWorld
from .spaces import LEAST, MOST, action_space, observation_space


class ParallelEnv(OneWorld, PettingZooEnv):  # type: ignore[misc]  # PettingZoo has no types.
    """A match in which the first `agents` players are agents, `collector_0`, `collector_1`, …; AIs play the other seats.

    Observations are arrays of `OBSERVATION_LENGTH` float32; see `OBSERVATION_FIELDS`. All agents terminate with the match, and one without
    lives before it; they are truncated after `max_cycles` decisions if that is given. `reset(seed=7)` begins the match with the seed 7. At the
    end of a match the infos have `winner`, a seat or -1 for a draw, and `ending`, an index in `ENDINGS`.

    `actions` is "discrete", "goals" or "continuous", `record=True` keeps the inputs for `save_replay`, and `size` is the side of rendered pictures
    in pixels, 1 to 4096. `render_mode` is "rgb_array", or "human" for a window, which needs pygame. All other arguments are the options in
    `bounty_hunter.options`.
    """

    metadata = {"name": "bounty_hunter_v0", "render_modes": ["rgb_array", "human"], "render_fps": 15, "is_parallelizable": True}

    def __init__(
        self,
        render_mode: str | None = None,
        actions: str = "discrete",
        record: bool = False,
        size: int = 400,
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        self.max_cycles = max_cycles
        world = self._make(render_mode, actions, record, size, options)
        self._names = tuple(f"collector_{seat}" for seat in range(world.agents))
        self._seats = {agent: seat for seat, agent in enumerate(self._names)}
        self._alive: tuple[str, ...] = ()
        self._observation_spaces: dict[str, spaces.Box] = {}
        self._action_spaces: dict[str, spaces.Space[Any]] = {}
        self._state_space: spaces.Box | None = None
        self._rng: np.random.Generator | None = None

    @property
    def possible_agents(self) -> list[str]:
        """The names of all agents."""
        return list(self._names)

    @property
    def agents(self) -> list[str]:
        """The names of the agents for which the match goes on; none before the first reset."""
        return list(self._alive)

    @property
    def max_cycles(self) -> int | None:
        """The most decisions of a match; `None` if none is cut off."""
        return self._max_cycles

    @max_cycles.setter
    def max_cycles(self, max_cycles: Any) -> None:
        self._max_cycles = None if max_cycles is None else whole("max_cycles", max_cycles)

    def observation_space(self, agent: str) -> spaces.Box:
        """`OBSERVATION_LENGTH` numbers from -1 to 4; the same object each time."""
        if agent not in self._observation_spaces:
            self._check_agent(agent)
            self._observation_spaces[agent] = observation_space()
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same object each time; each agent has a generator of its own."""
        if agent not in self._action_spaces:
            self._check_agent(agent)
            self._action_spaces[agent] = action_space(self._kind, self._choices)
        return self._action_spaces[agent]

    @property
    def state_space(self) -> spaces.Box:
        """The space of `state`."""
        if self._state_space is None:
            self._state_space = spaces.Box(LEAST, MOST, (len(self._names) * OBSERVATION_LENGTH,), np.float32)
        return self._state_space

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Begins a match; returns the observations after its countdown, and information, by agent."""
        self._open()
        if seed is not None or self._rng is None:
            self._rng, _ = seeding.np_random(None if seed is None else whole_seed(seed))
        seed = seed_of(seed, self._rng)
        observations = self._begin(seed)
        self._alive = self._names
        return dict(zip(self._alive, observations, strict=True)), {agent: {"seed": seed} for agent in self._alive}

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, np.ndarray], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Takes a decision of all agents: `frame_skip` steps of the simulation. An agent without an action stands still.

        Actions outside the space of an agent are refused with a `ValueError`; nothing has happened then.
        """
        world = self._match()
        if not isinstance(actions, Mapping):
            raise ValueError(f"actions is a {type(actions).__name__}, must be a dictionary of actions by agent")
        agents = self._alive
        if not agents:
            return {}, {}, {}, {}, {}
        observations = self._decide(actions if type(actions) is dict else dict(actions), self._seats)
        is_cut = self._max_cycles is not None and world.decisions >= self._max_cycles
        rewards, terminated, taken = self._rewards.tolist(), self._terminated.tolist(), list(observations)
        if len(agents) < len(self._names):
            seats = [self._seats[agent] for agent in agents]
            rewards, terminated, taken = ([all_[seat] for seat in seats] for all_ in (rewards, terminated, taken))
        about = self._ending()
        if is_cut:
            self._alive = ()
        elif True in terminated:
            self._alive = tuple(agent for agent, is_out in zip(agents, terminated) if not is_out)
        return (
            dict(zip(agents, taken)),
            dict(zip(agents, rewards)),
            dict(zip(agents, terminated)),
            dict.fromkeys(agents, is_cut),
            {agent: about.copy() for agent in agents},
        )

    def state(self) -> np.ndarray:
        """The observations of all possible agents, one after the other, float32."""
        return self._observe().reshape(-1)

    def close(self) -> None:
        """Frees the match and closes the window; nothing else can be called afterwards."""
        self._alive = ()
        super().close()

    def clone_state(self) -> tuple[State, tuple[str, ...]]:
        """A copy of the whole state, for tree search. Any environment with the same options can restore it, any number of times."""
        return self._clone(), self._alive

    def restore_state(self, state: tuple[State, tuple[str, ...]]) -> dict[str, np.ndarray]:
        """Goes back to a copy, and returns the observations there, by agent."""
        copy, agents = state
        self._match().restore_state(copy)
        self._alive = tuple(agents)
        observations = self._observe()
        return {agent: observations[self._seats[agent]] for agent in self._alive}

    def _check_agent(self, agent: str) -> None:
        if agent not in self._seats:
            raise ValueError(f"there is no agent {agent!r}, there are {self._names[0]} to {self._names[-1]}")
