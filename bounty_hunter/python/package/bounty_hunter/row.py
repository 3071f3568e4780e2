"""A row of a vector environment as if it were an environment by itself."""

from typing import Any

import numpy as np
from gymnasium import spaces

from ._core import Batch, State
from .spaces import action_space, observation_space


class Row:
    """What `get_attr`, `set_attr` and `call` of a vector environment reach: an agent and its world.

    Any other attribute can be set; those of the match cannot. It does not hold the environment, which could not be freed otherwise.
    """

    def __init__(self, batch: Batch, world: int, row: int, kind: str, choices: int, size: int, render_mode: str | None) -> None:
        self._batch, self._world, self._size, self._render_mode = batch, world, size, render_mode
        self._spaces = observation_space(), action_space(kind, choices)
        self._row = row

    @property
    def world(self) -> int:
        """The index of its world."""
        return self._world

    @property
    def observation_space(self) -> spaces.Box:
        return self._spaces[0]

    @property
    def action_space(self) -> spaces.Space[Any]:
        return self._spaces[1]

    @property
    def render_mode(self) -> str | None:
        return self._render_mode

    @property
    def frame_skip(self) -> int:
        return self._batch.frame_skip

    @property
    def seed(self) -> int:
        """The seed of the match."""
        return self._batch.seed(self._world)

    @property
    def steps(self) -> int:
        """Steps of the simulation in which agents could act."""
        return int(self._batch.rows_about()[1][self._row])

    @property
    def stash(self) -> float:
        """The points in the stash of the agent."""
        return float(self._batch.rows_about()[2][self._row])

    @property
    def unwrapped(self) -> "Row":
        return self

    def state_hash(self) -> int:
        """The hash of the whole state of the world."""
        return self._batch.state_hash(self._world)

    def clone_state(self) -> State:
        """A copy of the whole state of the world."""
        return self._batch.clone_state(self._world)

    def restore_state(self, state: State) -> None:
        """Goes back to a copy."""
        self._batch.restore_state(self._world, state)

    def render(self) -> np.ndarray | None:
        """A picture of the match, (size, size, 3) bytes."""
        if self._render_mode is None:
            return None
        return self._batch.draw(self._world, self._size).reshape(self._size, self._size, 3)
