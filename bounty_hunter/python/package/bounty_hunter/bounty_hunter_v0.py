"""The environment as a module of PettingZoo: `env` and `raw_env` for agents in turn, `parallel_env` for all at once."""

from typing import Any

from pettingzoo.utils import parallel_to_aec

from .parallel_environment import ParallelEnv


def parallel_env(**options: Any) -> ParallelEnv:
    """The environment in which all agents act at once; the arguments are those of `ParallelEnv`."""
    return ParallelEnv(**options)


def env(**options: Any) -> Any:
    """The environment in which the agents act in turn; it complains about calls in a wrong order."""
    return parallel_to_aec(parallel_env(**options))


raw_env = env
