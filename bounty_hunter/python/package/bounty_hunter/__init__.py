"""BountyHunter as a learning environment.

`ParallelEnv` is a PettingZoo environment in which each collector is an agent, `Env` a Gymnasium environment with one agent against
AIs, and `VectorEnv` many of them at once, on all cores. `play` plays whole matches of AIs.

`bounty_hunter.bounty_hunter_v0` has the functions that PettingZoo expects of a module, and `bounty_hunter.sb3` an environment for
Stable-Baselines3, which is imported only there.

All take the same options; see `bounty_hunter.options`. Seeds are exact: the same seed and the same actions give the same match, bit for
bit, as in the program.
"""

import gymnasium

from ._core import (
    DRIVES,
    ENDINGS,
    GOAL_NAMES,
    GOALS,
    OBSERVATION_FIELDS,
    OBSERVATION_LENGTH,
    OBSERVATION_VERSION,
    TURNS,
    VERSION,
)
from .environment import Env
from .matches import describe, play
from .parallel_environment import ParallelEnv
from .policy import Policy
from .vector_environment import VectorEnv

__version__ = VERSION
__all__ = [
    "DRIVES",
    "ENDINGS",
    "GOALS",
    "GOAL_NAMES",
    "OBSERVATION_FIELDS",
    "OBSERVATION_LENGTH",
    "OBSERVATION_VERSION",
    "TURNS",
    "Env",
    "ParallelEnv",
    "Policy",
    "VectorEnv",
    "describe",
    "play",
]

gymnasium.register(
    id="BountyHunter-v0", entry_point="bounty_hunter:Env", vector_entry_point="bounty_hunter:VectorEnv"
)
