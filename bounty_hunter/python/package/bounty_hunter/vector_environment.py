"""Many worlds at once, on all cores, as a Gymnasium vector environment."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.error import ClosedEnvironmentError
from gymnasium.vector import AutoresetMode, VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from . import options as all_options
from ._core import ENDINGS, OBSERVATION_LENGTH, Batch, State
from .checks import check_autoreset_mode, check_buffer, check_render_mode, check_reset_mask, check_size, flag, whole, whole_seed
from .one_world import ending_of
from .row import Row
from .spaces import action_space, check_kind, flat_actions, observation_space

Arrays = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


class VectorEnv(GymnasiumVectorEnv[np.ndarray, Any, np.ndarray]):
    """`num_worlds` matches of which each has `agents` agents (1 by default) in rows one after the other: `num_envs` is their product.

    What begins the next match of a world is chosen by `autoreset_mode`, as in Gymnasium: with `NEXT_STEP`, the default, the step after the
    end; with `SAME_STEP` the step of the end, whose infos have `final_obs` and `final_info`; with `DISABLED` only
    `reset(options={"reset_mask": mask})`. A match is truncated after `max_episode_steps` decisions if that is given. An agent that loses its
    last life keeps its row, without effect, until its match ends; its `defeated` is paid in the step in which it loses that life.

    The first match of world i has the seed `seed` + i, and each further one of a world has its last seed plus `num_worlds`. Without `seed` the
    first one is drawn at random.

    `step` returns new arrays each time: observations (num_envs, `OBSERVATION_LENGTH`) float32, rewards (num_envs,) float32, terminations and
    truncations (num_envs,) bool. With `copy=False` they are the same arrays each time, which the next step overwrites. `threads` is the number of
    threads, all cores by default; it changes no result. The interpreter's lock is released while they work. Other arguments are those of `Env`.

    The infos have what those of `Env` have, as arrays with a number for each row: `seed`, `steps`, `stash`, and at the end of a match `winner` and
    `ending`. `finished` lists the matches that ended in the last step: world, seed, winner's seat, ending, points in all stashes, steps.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 15, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int | None = None,
        num_worlds: int | None = None,
        threads: int | None = None,
        seed: int | None = None,
        copy: bool = True,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        actions: str = "discrete",
        size: int = 400,
        **options: Any,
    ) -> None:
        agents = options["agents"] = whole("agents", options.get("agents", 1))
        if num_envs is not None:
            num_envs = whole("num_envs", num_envs)
        if num_worlds is None:
            num_worlds, rest = divmod(agents if num_envs is None else num_envs, agents)
            if rest:
                raise ValueError(f"num_envs is {num_envs}, must be a multiple of {agents}, the agents of a world")
        num_worlds = whole("num_worlds", num_worlds)
        if num_envs is not None and num_envs != num_worlds * agents:
            raise ValueError(f"num_envs is {num_envs}, must be {num_worlds * agents}, {num_worlds} worlds of {agents} agents")
        threads = all_options.cores() if threads is None else whole("threads", threads, 1, 1024)
        self.autoreset_mode = check_autoreset_mode(autoreset_mode)
        self.max_episode_steps = None if max_episode_steps is None else whole("max_episode_steps", max_episode_steps)
        self.render_mode, self._size = check_render_mode(render_mode, ("rgb_array",)), check_size(size)
        self._copy = flag("copy", copy)
        check_kind(actions)
        seed = int(self.np_random.integers(2**63)) if seed is None else whole_seed(seed)
        text = all_options.to_json(options)
        batch = Batch(text, num_worlds, threads, seed, self.autoreset_mode.value, self.max_episode_steps)
        self._batch: Batch | None = batch
        self._has_begun = False
        self.num_worlds, self.num_envs, self.agents_per_world = num_worlds, batch.rows, agents
        self.frame_skip, self._kind, self._choices = batch.frame_skip, actions, batch.choices
        pictures_per_second = batch.steps_per_second / batch.frame_skip
        # Of this environment alone: wrappers add modes of their own.
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": pictures_per_second, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = observation_space()
        self.single_action_space = action_space(actions, self._choices)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._action_shape = self.action_space.shape or (self.num_envs,)
        self.finished: list[dict[str, Any]] = []
        # What `copy=False` hands out, and a buffer for the core.
        self._views: Arrays | None = None if self._copy else self._new_arrays()
        self._final = np.zeros((self.num_envs, OBSERVATION_LENGTH), np.float32)
        self._rows: list[Row] = []

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | np.ndarray | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins new matches in all worlds, or in those that `options["reset_mask"]` marks, a NumPy array with a bool for each row.

        With a number the world i has the seed `seed` + i. A list has a seed for each world. A world without a seed, or with `None` in the list,
        goes on with its next one.
        """
        batch = self._open()
        seeds = self._seeds(seed)
        mask = check_reset_mask(options, self.num_envs, self.agents_per_world)
        first = next((one for one in seeds if one is not None), None)
        if first is not None:
            super().reset(seed=first)
        mask = np.ones(self.num_worlds, bool) if mask is None else mask
        observations = self._arrays()[0]
        batch.reset(seeds, mask.tolist(), observations.reshape(-1))
        self._has_begun, self.finished = True, []
        return observations, self._about(np.repeat(mask, self.agents_per_world))

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Takes one decision of each agent: `frame_skip` steps of the simulation. Actions outside the space are refused."""
        arrays = observations, rewards, terminated, truncated = self._arrays()
        self._step(actions, *arrays)
        infos = self._about(np.ones(self.num_envs, bool))
        if self.finished and self.autoreset_mode == AutoresetMode.SAME_STEP:
            have_ended = terminated | truncated
            infos["final_obs"] = np.where(have_ended[:, None], self._final, np.float32(0.0))
            infos["final_info"] = self._final_info()
            infos["_final_obs"], infos["_final_info"] = have_ended, have_ended.copy()
        elif self.finished:
            infos.update(self._endings())
        return observations, rewards, terminated, truncated, infos

    def step_into(
        self,
        actions: Any,
        observations: np.ndarray,
        rewards: np.ndarray,
        terminated: np.ndarray,
        truncated: np.ndarray | None = None,
    ) -> list[dict[str, Any]]:
        """As `step`, but writes into the arrays given, such as rows of a rollout; returns the list of finished matches.

        The arrays must be contiguous in C order, of the shapes and types that `step` returns; others are refused with a `ValueError`.
        `truncated` can be left out without `max_episode_steps`.
        """
        rows = self.num_envs
        check_buffer("observations", observations, (rows, OBSERVATION_LENGTH), np.float32)
        check_buffer("rewards", rewards, (rows,), np.float32)
        check_buffer("terminated", terminated, (rows,), bool)
        if truncated is not None:
            check_buffer("truncated", truncated, (rows,), bool)
        elif self.max_episode_steps is not None:
            raise ValueError("truncated is missing: with max_episode_steps, pass an array for it")
        self._step(actions, observations, rewards, terminated, np.empty(rows, bool) if truncated is None else truncated)
        return self.finished

    def render(self) -> tuple[np.ndarray, ...] | None:
        """A picture for each row, (size, size, 3) bytes; those of the agents of a world are equal."""
        batch = self._open()
        if self.render_mode is None:
            return None
        shape = (self._size, self._size, 3)
        pictures = (batch.draw(world, self._size).reshape(shape) for world in range(self.num_worlds))
        return tuple(one for picture in pictures for one in (picture, *(picture.copy() for _ in range(self.agents_per_world - 1))))

    def close_extras(self, **kwargs: Any) -> None:
        """Frees all matches."""
        self._batch, self._rows, self._has_begun = None, [], False

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """An attribute of each row, such as `seed`, `steps` or one that `set_attr` has set; see `Row`."""
        return tuple(getattr(row, name) for row in self._all_rows())

    def set_attr(self, name: str, values: Any, rows: Sequence[int] | None = None) -> None:
        """Sets an attribute of these rows, all by default: to an element of a list or tuple, or to the same value.

        What a match is made of cannot be set.
        """
        chosen = self._all_rows() if rows is None else [self._all_rows()[row] for row in rows]
        if not isinstance(values, (list, tuple)):
            values = [values] * len(chosen)
        if len(values) != len(chosen):
            raise ValueError(f"values has {len(values)} values, must have {len(chosen)}, one for each row")
        for row, value in zip(chosen, values):
            setattr(row, name, value)

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """What a method of each row returns, such as `state_hash` or `render`; for an attribute that is no method its values."""
        attributes = self.get_attr(name)
        return tuple(attribute(*args, **kwargs) if callable(attribute) else attribute for attribute in attributes)

    def state_hash(self, world: int) -> int:
        """The hash of the whole state of a world."""
        return self._open().state_hash(whole("world", world, 0))

    def clone_state(self, world: int) -> State:
        """A copy of the whole state of a world."""
        return self._open().clone_state(whole("world", world, 0))

    def restore_state(self, world: int, state: State) -> None:
        """Goes back to a copy in a world."""
        self._open().restore_state(whole("world", world, 0), state)

    def observe(self) -> np.ndarray:
        """Looks again, such as after `restore_state`."""
        batch, observations = self._open(), self._arrays()[0]
        batch.observe(observations.reshape(-1))
        return observations

    @property
    def simulation_wall_seconds(self) -> float:
        """Time that passed in the simulation, added up over all worlds, seconds.

        It is no processor time: on a busy machine it has the time in which a thread waited for a processor.
        """
        return self._open().simulation_wall_seconds

    def _open(self) -> Batch:
        if self._batch is None:
            raise ClosedEnvironmentError("the environment is closed: create another one")
        return self._batch

    def _all_rows(self) -> list[Row]:
        batch = self._open()
        if not self._rows:
            worlds = np.repeat(np.arange(self.num_worlds), self.agents_per_world).tolist()
            parts = (self._kind, self._choices, self._size, self.render_mode)
            self._rows = [Row(batch, world, row, *parts) for row, world in enumerate(worlds)]
        return self._rows

    def _seeds(self, seed: Any) -> list[int | None]:
        """The seed of each world."""
        if seed is None:
            return [None] * self.num_worlds
        if isinstance(seed, np.ndarray) and seed.ndim > 0:
            seed = seed.tolist()
        if not isinstance(seed, Sequence) or isinstance(seed, (str, bytes)):
            first = whole_seed(seed)
            return [(first + world) % 2**64 for world in range(self.num_worlds)]
        if len(seed) != self.num_worlds:
            raise ValueError(f"seed has {len(seed)} seeds, must have {self.num_worlds}, one for each world")
        return [None if one is None else whole_seed(one) for one in seed]

    def _new_arrays(self) -> Arrays:
        rows = self.num_envs
        observations = np.empty((rows, OBSERVATION_LENGTH), np.float32)
        return observations, np.empty(rows, np.float32), np.empty(rows, bool), np.empty(rows, bool)

    def _arrays(self) -> Arrays:
        """The arrays that a step or a reset writes and hands out. None of them is read: a wrapper may have written anything into them."""
        return self._new_arrays() if self._views is None else self._views

    def _step(self, actions: Any, observations: np.ndarray, rewards: np.ndarray, terminated: np.ndarray, truncated: np.ndarray) -> None:
        batch = self._open()
        if not self._has_begun:
            raise RuntimeError("no match has begun: call reset first")
        flat = flat_actions(actions, self._kind, self._action_shape)
        flags = terminated, truncated
        self.finished = batch.step(flat, self._kind == "goals", observations.reshape(-1), rewards, *flags, self._final.reshape(-1))

    def _about(self, mask: np.ndarray) -> dict[str, Any]:
        """The infos of the rows in the mask."""
        seeds, steps, stashes = self._open().rows_about()
        return masked({"seed": seeds, "steps": steps, "stash": stashes}, mask)

    def _endings(self) -> dict[str, Any]:
        """What is known only at the end of a match; of a truncated one there is nothing."""
        winner, ending = np.full((2, self.num_envs), -1)
        mask = np.zeros(self.num_envs, bool)
        for match in self.finished:
            if match["ending"] in ENDINGS:
                about, rows = ending_of(match["winner"], match["ending"]), self._rows_of(match)
                winner[rows], ending[rows], mask[rows] = about["winner"], about["ending"], True
        return masked({"winner": winner, "ending": ending}, mask) if mask.any() else {}

    def _final_info(self) -> dict[str, Any]:
        """The infos of the last step of matches whose worlds have begun another one."""
        seeds, steps = np.zeros(self.num_envs, np.uint64), np.zeros(self.num_envs, np.int64)
        stashes, mask = np.zeros(self.num_envs, np.float32), np.zeros(self.num_envs, bool)
        for match in self.finished:
            rows = self._rows_of(match)
            seeds[rows], steps[rows], mask[rows] = match["seed"], match["steps"], True
            stashes[rows] = match["stashes"][: self.agents_per_world]
        return {**masked({"seed": seeds, "steps": steps, "stash": stashes}, mask), **self._endings()}

    def _rows_of(self, match: dict[str, Any]) -> slice:
        first = match["world"] * self.agents_per_world
        return slice(first, first + self.agents_per_world)


def masked(arrays: dict[str, np.ndarray], mask: np.ndarray) -> dict[str, np.ndarray]:
    """Each array with the mask of the rows that it has something for, as Gymnasium names it."""
    names_and_arrays = ((name, array if mask.all() else np.where(mask, array, array.dtype.type(0))) for name, array in arrays.items())
    return {key: value for name, array in names_and_arrays for key, value in ((name, array), (f"_{name}", mask.copy()))}
