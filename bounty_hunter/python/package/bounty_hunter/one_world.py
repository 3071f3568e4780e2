"""What the environments of a single match have in common."""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.error import ClosedEnvironmentError

from . import options as all_options
from ._core import ENDINGS, GOAL_NAMES, OBSERVATION_LENGTH, State, World
from .checks import RENDER_MODES, check_render_mode, check_size, flag
from .spaces import check_action, check_kind, dtype_of
from .window import Window


class OneWorld:
    """An environment with one world, which is freed when it is closed."""

    metadata: dict[str, Any]
    render_mode: str | None

    def _make(self, render_mode: Any, actions: Any, record: Any, size: Any, options: Mapping[str, Any]) -> World:
        """Checks all arguments and makes the world, whose first match begins with the first reset."""
        self.render_mode, self._size = check_render_mode(render_mode, RENDER_MODES), check_size(size)
        check_kind(actions)
        world = World(all_options.to_json(options), flag("record", record))
        self._world: World | None = world
        self._has_begun = False
        self._window: Window | None = None
        pictures_per_second = world.steps_per_second / world.frame_skip
        # Of this environment alone: wrappers add modes of their own.
        self.metadata = {**type(self).metadata, "render_modes": list(RENDER_MODES), "render_fps": pictures_per_second}
        self._kind, self._choices = actions, world.choices
        idle = {"discrete": [2, 3, 0][: world.choices], "goals": [GOAL_NAMES.index("stand")], "continuous": [0.0, 0.0]}[actions]
        # Buffers for the core, of which nothing is handed out.
        self._idle: np.ndarray = np.tile(np.array(idle, dtype_of(actions)), world.agents)
        self._actions = self._idle.copy()
        self._rewards = np.zeros(world.agents, np.float32)
        self._terminated = np.zeros(world.agents, bool)
        return world

    def _open(self) -> World:
        if self._world is None:
            raise ClosedEnvironmentError("the environment is closed: create another one")
        return self._world

    def _match(self) -> World:
        world = self._open()
        if not self._has_begun:
            raise RuntimeError("no match has begun: call reset first")
        return world

    def _begin(self, seed: int) -> np.ndarray:
        """Begins a match, and returns the observations, (agents, `OBSERVATION_LENGTH`)."""
        self._open().reset(seed)
        self._has_begun = True
        observations = self._observe()
        self._show()
        return observations

    def _observe(self) -> np.ndarray:
        world = self._match()
        observations = np.empty((world.agents, OBSERVATION_LENGTH), np.float32)
        world.observe(observations.reshape(-1))
        return observations

    def _decide(self, actions: dict[str, Any], seats: dict[str, int]) -> np.ndarray:
        """Takes a decision; agents without an action stand still. Returns the observations, and fills the buffers."""
        world, are_goals = self._match(), self._kind == "goals"
        self._actions[:] = self._idle
        # Actions that are not simply arrays in their space: in another form, or wrong.
        for agent in world.gather(actions, seats, are_goals, self._actions):
            if agent not in seats:
                names = list(seats)
                raise ValueError(f"there is no agent {agent!r}, there are {names[0]} to {names[-1]}")
            action = check_action(agent, actions[agent], self._kind, self._choices)
            self._actions.reshape(world.agents, -1)[seats[agent]] = action
        observations = np.empty((world.agents, OBSERVATION_LENGTH), np.float32)
        world.step(self._actions, are_goals, observations.reshape(-1), self._rewards, self._terminated)
        self._show()
        return observations

    def _ending(self) -> dict[str, Any]:
        """What is known only at the end of a match."""
        result = self._match().result()
        return {} if result is None else ending_of(*result)

    def render(self) -> Any:
        """The match as an array of (size, size, 3) bytes: red, green and blue. With "human" `reset` and `step` show it, and this is `None`."""
        return self._picture() if self.render_mode == "rgb_array" else None

    def _picture(self) -> np.ndarray:
        return self._match().draw(self._size).reshape(self._size, self._size, 3)

    def _show(self) -> None:
        if self.render_mode == "human":
            if self._window is None:
                self._window = Window(self._size)
            self._window.show(self._picture(), self.metadata["render_fps"])

    def close(self) -> None:
        """Frees the match and closes the window; nothing else can be called afterwards."""
        self._world = None
        if self._window is not None:
            self._window.close()
            self._window = None

    def state_hash(self) -> int:
        """The hash of the whole state, which `simulate` and `replay` of the program print in hexadecimal digits."""
        return self._match().state_hash()

    def save_replay(self, path: str | os.PathLike[str]) -> None:
        """Writes the match so far as a file for `bounty_hunter replay`. Needs `record=True`."""
        content = self._match().replay()
        if content is None:
            raise ValueError("the match was not recorded: create the environment with record=True, and restore only states of such ones")
        with open(path, "wb") as file:
            file.write(content)

    def _clone(self) -> State:
        return self._match().clone_state()


def ending_of(winner: int | None, ending: str) -> dict[str, Any]:
    """The winner's seat, -1 for a draw, and the index in `ENDINGS` why the match ended: numbers, as wrappers expect them in infos."""
    return {"winner": -1 if winner is None else winner, "ending": ENDINGS.index(ending)}
