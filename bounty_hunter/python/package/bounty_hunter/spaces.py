"""Spaces of observations and actions, and the actions that the core reads."""

from typing import Any

import numpy as np
from gymnasium import spaces

from ._core import DRIVES, GOALS, OBSERVATION_LENGTH, TURNS

SPELLS = ("none", "purge", "strike", "magnet")
LEAST, MOST = -1.0, 4.0


def observation_space() -> spaces.Box:
    """`OBSERVATION_LENGTH` numbers without unit, float32; `OBSERVATION_FIELDS` names them."""
    return spaces.Box(LEAST, MOST, (OBSERVATION_LENGTH,), np.float32)


def action_space(kind: str, choices: int) -> spaces.Space[Any]:
    """The space of one agent's actions; `choices` is 3 in matches with spells, otherwise 2."""
    check_kind(kind)
    if kind == "continuous":
        return spaces.Box(-1.0, 1.0, (2,), np.float32)
    if kind == "goals":
        return spaces.Discrete(GOALS)
    return spaces.MultiDiscrete(counts_of(kind, choices))


def check_kind(kind: Any) -> None:
    """Refuses actions of an unknown kind."""
    if not isinstance(kind, str) or kind not in ("discrete", "goals", "continuous"):
        raise ValueError(f"actions is {kind!r}, must be 'discrete', 'goals' or 'continuous'")


def counts_of(kind: str, choices: int) -> list[int]:
    """How many values each whole number of an action can have."""
    return [GOALS] if kind == "goals" else [len(DRIVES), len(TURNS), len(SPELLS)][:choices]


def dtype_of(kind: str) -> type[np.float32] | type[np.int32]:
    """The type of actions in the core."""
    return np.float32 if kind == "continuous" else np.int32


def check_type(subject: str, array: np.ndarray, kind: str) -> None:
    """Refuses actions that are no numbers, or not whole."""
    types = (np.integer, np.floating) if kind == "continuous" else (np.integer,)
    if not any(np.issubdtype(array.dtype, type_) for type_ in types):
        raise ValueError(f"{subject} must be {'numbers' if kind == 'continuous' else 'whole numbers'}, not {array.dtype}")


def flat_actions(actions: Any, kind: str, shape: tuple[int, ...]) -> np.ndarray:
    """The actions of all agents as the flat array that the core reads; a copy only where the type differs.

    Refuses another shape than that of their space, and another type than numbers. The core refuses numbers outside the space.
    """
    array = np.asarray(actions)
    check_type("actions", array, kind)
    if array.shape != shape:
        count = np.prod(shape, dtype=int)
        if array.size != count:
            raise ValueError(f"actions: {array.size} numbers, must be {count}, in the shape {shape}")
        raise ValueError(f"actions have the shape {array.shape}, must be {shape}")
    if kind != "continuous" and array.size and not np.can_cast(array.dtype, np.int32):
        # A larger number would wrap around and might become a valid index.
        least, most = int(array.min()), int(array.max())
        if least < -(2**31) or most >= 2**31:
            raise ValueError(f"actions are {least} to {most}, must be indices")
    # A number that is too large for the type is outside the space as well.
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(array, dtype_of(kind)).reshape(-1)


def check_action(agent: str, action: Any, kind: str, choices: int) -> np.ndarray:
    """The action of one agent as an array. Refuses another shape or type than those of its space, and numbers outside it."""
    array = np.asarray(action)
    subject = f"the action of {agent} is {action!r}, and"
    check_type(subject, array, kind)
    counts = counts_of(kind, choices)
    shape = () if kind == "goals" else (2,) if kind == "continuous" else (len(counts),)
    if array.shape != shape:
        raise ValueError(f"the action of {agent} has the shape {array.shape}, must be {shape}")
    if kind == "continuous":
        with np.errstate(over="ignore"):
            array = array.astype(np.float32)
        is_inside, limits = ((array >= -1) & (array <= 1)).all(), "from -1 to 1"
    else:
        is_inside = ((array >= 0) & (array < np.reshape(counts, shape))).all()
        limits = f"below {', '.join(map(str, counts))}, and at least 0"
    if not is_inside:
        raise ValueError(f"the action of {agent} is {np.asarray(action).tolist()}, must be {limits}")
    return array
