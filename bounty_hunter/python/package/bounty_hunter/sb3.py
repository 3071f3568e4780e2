"""Many worlds for Stable-Baselines3."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from .vector_environment import VectorEnv

try:
    from stable_baselines3.common.vec_env import VecEnv as BaseVecEnv
except ImportError as error:
    raise ImportError("bounty_hunter.sb3 needs Stable-Baselines3: install stable-baselines3") from error


class VecEnv(BaseVecEnv):
    """A `VectorEnv` in the form that the algorithms of Stable-Baselines3 take.

        from stable_baselines3 import PPO
        from bounty_hunter.sb3 import VecEnv

        model = PPO("MlpPolicy", VecEnv(num_worlds=16, actions="goals", players=4))

    The arguments are those of `VectorEnv`, except `autoreset_mode` and `copy`, which the algorithms decide.
    """

    def __init__(self, num_envs: int | None = None, **arguments: Any) -> None:
        for name in ("autoreset_mode", "copy"):
            if name in arguments:
                raise TypeError(f"{name} is given, must be left out: Stable-Baselines3 expects a restart in the same step, and new arrays")
        self.environment = VectorEnv(num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **arguments)
        self._actions: Any = None
        spaces = self.environment.single_observation_space, self.environment.single_action_space
        super().__init__(self.environment.num_envs, *spaces)

    def reset(self) -> np.ndarray:
        """Begins new matches in all worlds. `seed` before gives the seeds of the rows; a world takes that of its first row."""
        agents = self.environment.agents_per_world
        observations, infos = self.environment.reset(seed=self._seeds[::agents])
        self.reset_infos = self._infos_of_rows(infos)
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Keeps the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Takes one decision of each agent."""
        observations, rewards, terminated, truncated, infos = self.environment.step(self._actions)
        of_rows = self._infos_of_rows({key: value for key, value in infos.items() if not key.endswith(("final_obs", "final_info"))})
        have_ended = terminated | truncated
        if have_ended.any():
            last_infos = self._infos_of_rows(infos["final_info"])
            for row in np.flatnonzero(have_ended).tolist():
                of_rows[row] = {**last_infos[row], "terminal_observation": infos["final_obs"][row].copy()}
        for row, info in enumerate(of_rows):
            info["TimeLimit.truncated"] = bool(truncated[row] and not terminated[row])
        return observations, rewards, have_ended, of_rows

    def close(self) -> None:
        """Frees all matches."""
        self.environment.close()

    def get_images(self) -> Sequence[np.ndarray | None]:
        """A picture for each row."""
        pictures = self.environment.render()
        return [None] * self.num_envs if pictures is None else pictures

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of these rows, all by default."""
        values = self.environment.get_attr(attr_name)
        return [values[row] for row in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets an attribute of these rows, all by default."""
        rows = list(self._get_indices(indices))
        self.environment.set_attr(attr_name, [value] * len(rows), rows)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """What a method of these rows, all by default, returns."""
        return [method(*method_args, **method_kwargs) for method in self.get_attr(method_name, indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No row has a wrapper of its own."""
        return [False for _ in self._get_indices(indices)]

    def _infos_of_rows(self, infos: dict[str, Any]) -> list[dict[str, Any]]:
        """A dictionary for each row with what its mask says is there."""
        names: Iterable[str] = [name for name in infos if not name.startswith("_")]
        masks = {name: infos[f"_{name}"] for name in names}
        return [{name: infos[name][row].item() for name in names if masks[name][row]} for row in range(self.num_envs)]
