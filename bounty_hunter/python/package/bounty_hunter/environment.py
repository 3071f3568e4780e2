"""One agent against AIs, as a Gymnasium environment."""

from typing import Any

import gymnasium
import numpy as np

from ._core import State
from .checks import seed_of, whole, whole_seed
from .one_world import OneWorld
from .spaces import action_space, observation_space

AGENT = "the agent"


class Env(OneWorld, gymnasium.Env[np.ndarray, Any]):
    """One agent against AIs.

    Observations are arrays of `OBSERVATION_LENGTH` float32; see `OBSERVATION_FIELDS`. An episode is a match and terminates with it; it is
    never truncated. The agent that dies respawns after three seconds, in which its actions have no effect; where lives are limited, the
    episode terminates with the last one. `reset(seed=7)` begins the match with the seed 7.

    Each info has `seed`, `steps` of the simulation, `stash` and `stashes`, the points of the agent and of all players; at the end of a match
    also `winner`, a seat or -1 for a draw, and `ending`, an index in `ENDINGS`.

    `actions` is "discrete", "goals" or "continuous", `record=True` keeps the inputs for `save_replay`, and `size` is the side of rendered pictures
    in pixels, 1 to 4096. `render_mode` is "rgb_array", or "human" for a window, which needs pygame. All other arguments are the options in
    `bounty_hunter.options`, except `agents`, which is 1.
    """

    metadata = {"render_modes": ["rgb_array", "human"], "render_fps": 15}

    def __init__(
        self,
        render_mode: str | None = None,
        actions: str = "discrete",
        record: bool = False,
        size: int = 400,
        **options: Any,
    ) -> None:
        if whole("agents", options.setdefault("agents", 1), 0) != 1:
            raise ValueError(f"agents is {options['agents']}, must be 1: use ParallelEnv or VectorEnv for more")
        world = self._make(render_mode, actions, record, size, options)
        self.observation_space = observation_space()
        self.action_space = action_space(actions, world.choices)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins a match; returns the observation after its countdown, and information."""
        self._open()
        super().reset(seed=None if seed is None else whole_seed(seed))
        return self._begin(seed_of(seed, self.np_random))[0], self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Takes a decision: `frame_skip` steps of the simulation. An action outside the space is refused, and nothing has happened then."""
        observations = self._decide({AGENT: action}, {AGENT: 0})
        return observations[0], float(self._rewards[0]), bool(self._terminated[0]), False, self._info()

    def clone_state(self) -> State:
        """A copy of the whole state, for tree search. Any environment with the same options can restore it, any number of times."""
        return self._clone()

    def restore_state(self, state: State) -> np.ndarray:
        """Goes back to a copy, and returns the observation there."""
        self._match().restore_state(state)
        observation: np.ndarray = self._observe()[0]
        return observation

    def _info(self) -> dict[str, Any]:
        world = self._match()
        stashes = world.stashes()
        return {"seed": world.seed, "steps": world.steps, "stash": float(stashes[0]), "stashes": stashes, **self._ending()}
