"""Many worlds at once, on all cores, as a Gymnasium vector environment."""

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from . import options as all_options
from ._core import OBSERVATION_LENGTH, Batch
from .spaces import action_space, check_buffer, check_size, flat_actions, observation_space, whole, whole_seed


class VectorEnv(GymnasiumVectorEnv):
    """`num_worlds` matches of which each has `agents` agents (1 by default) in rows one after the other: `num_envs` is their product.

    A match that is over restarts in the same step (`AutoresetMode.SAME_STEP`): the observation is the first one of the next match, and
    `infos["final_obs"]` has the last one of the old match. `infos["finished"]` lists the matches that are over: world, seed, winner's seat,
    ending, points in the stashes, steps. The first match of world i has the seed `seed` + i; each further one of a world has its last seed
    plus `num_worlds`. An agent that loses its last life keeps its row, without effect, until its match ends; its `defeated` is paid in the step
    in which it loses that life.

    `step` returns the same arrays each time, without copies, unless `copy=True`: observations (num_envs, `OBSERVATION_LENGTH`) float32,
    rewards (num_envs,) float32, terminations and truncations (num_envs,) bool. `threads` is the number of threads, all cores by default; it
    changes no result. `seed` is the seed of the first match, 0 by default: two environments without it play the same matches. The interpreter's lock is released while they work. Other arguments are those of `Env`.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 15, "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        num_envs=None,
        num_worlds=None,
        threads=None,
        seed=0,
        copy=False,
        render_mode=None,
        actions="discrete",
        size=400,
        **options,
    ):
        agents = options["agents"] = whole("agents", options.get("agents", 1))
        if num_worlds is None:
            num_worlds, rest = divmod(agents if num_envs is None else whole("num_envs", num_envs), agents)
            if rest:
                raise ValueError(f"num_envs is {num_envs}, must be a multiple of {agents}, the agents of a world")
        num_worlds = whole("num_worlds", num_worlds)
        if num_envs is not None and num_envs != num_worlds * agents:
            raise ValueError(f"num_envs is {num_envs}, must be {num_worlds * agents}, {num_worlds} worlds of {agents} agents")
        threads = all_options.cores() if threads is None else whole("threads", threads, 1024)
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode is {render_mode!r}, must be 'rgb_array' or None")
        self._batch = Batch(all_options.to_json(options), num_worlds, threads, whole_seed(seed))
        self.num_worlds, self.num_envs, self.agents_per_world = num_worlds, self._batch.rows, agents
        self.frame_skip = options.get("frame_skip") or 4
        self.render_mode, self._size, self._kind, self._copy = render_mode, check_size(size), actions, copy
        self.single_observation_space = observation_space()
        self.single_action_space = action_space(actions, self._batch.choices)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        rows = self.num_envs
        self._observations = np.zeros((rows, OBSERVATION_LENGTH), np.float32)
        self._final = np.zeros((rows, OBSERVATION_LENGTH), np.float32)
        self._rewards = np.zeros(rows, np.float32)
        self._terminated = np.zeros(rows, bool)
        self._truncated = np.zeros(rows, bool)

    def reset(self, *, seed=None, options=None):
        """Begins new matches in all worlds. A list of seeds must count up from the first.

        Without a seed the worlds go on with their next seeds; the first matches have those of the argument `seed`, which is 0 by default.
        """
        if isinstance(seed, (list, tuple)):
            if not seed:
                raise ValueError("seed is an empty list, must be a whole number from 0 to 2**64 - 1")
            seeds = [whole_seed(one) for one in seed]
            if seeds != list(range(seeds[0], seeds[0] + len(seeds))):
                raise ValueError("seeds must count up from the first: pass the first one alone")
            seed = seeds[0]
        seed = None if seed is None else whole_seed(seed)
        super().reset(seed=seed)
        self._batch.reset(self._observations.reshape(-1), seed)
        return self._given(self._observations), {}

    def step(self, actions):
        """Takes one decision of each agent: `frame_skip` steps of the simulation."""
        finished = self.step_into(actions, self._observations, self._rewards, self._terminated)
        infos = {}
        if finished:
            infos = {"final_obs": self._final.copy(), "_final_obs": self._terminated.copy(), "finished": finished}
        given = self._given
        return given(self._observations), given(self._rewards), given(self._terminated), given(self._truncated), infos

    def step_into(self, actions, observations, rewards, terminated):
        """As `step`, but writes into the arrays given, such as rows of a rollout; returns the list of finished matches.

        The arrays must be contiguous in C order, of the shapes and types that `step` returns; others are refused with a `ValueError`.
        """
        rows = self.num_envs
        check_buffer("observations", observations, (rows, OBSERVATION_LENGTH), np.float32)
        check_buffer("rewards", rewards, (rows,), np.float32)
        check_buffer("terminated", terminated, (rows,), bool)
        flat = flat_actions(actions, self._kind)
        final = self._final.reshape(-1)
        return self._batch.step(flat, self._kind == "goals", observations.reshape(-1), rewards, terminated, final)

    def render(self):
        """One picture for each world, (size, size, 3) bytes."""
        if self.render_mode is None:
            return None
        shape = (self._size, self._size, 3)
        return tuple(self._batch.draw(world, self._size).reshape(shape) for world in range(self.num_worlds))

    def state_hash(self, world):
        """The hash of the whole state of a world."""
        return self._batch.state_hash(world)

    def clone_state(self, world):
        """A copy of the whole state of a world."""
        return self._batch.clone_state(world)

    def restore_state(self, world, state):
        """Goes back to a copy in a world."""
        self._batch.restore_state(world, state)

    def observe(self):
        """Looks again, such as after `restore_state`."""
        self._batch.observe(self._observations.reshape(-1))
        return self._given(self._observations)

    @property
    def simulated_seconds(self):
        """Processor time spent in the simulation by all threads, seconds."""
        return self._batch.simulated_seconds

    def _given(self, array):
        return array.copy() if self._copy else array
