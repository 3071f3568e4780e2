"""Spaces of observations and actions, and the arrays that carry them to the core."""

import numpy as np
from gymnasium import spaces

from ._core import DRIVES, GOALS, OBSERVATION_LENGTH, TURNS

SPELLS = ("none", "purge", "strike", "magnet")


def observation_space():
    """`OBSERVATION_LENGTH` numbers without unit, float32; `OBSERVATION_FIELDS` names them."""
    return spaces.Box(-1.0, 4.0, (OBSERVATION_LENGTH,), np.float32)


def action_space(kind, choices):
    """The space of one agent's actions; `choices` is 3 in matches with spells, otherwise 2."""
    if kind == "continuous":
        return spaces.Box(-1.0, 1.0, (2,), np.float32)
    if kind == "discrete":
        return spaces.MultiDiscrete([len(DRIVES), len(TURNS), len(SPELLS)][:choices])
    if kind == "goals":
        return spaces.Discrete(GOALS)
    raise ValueError(f"actions is {kind!r}, must be 'discrete', 'goals' or 'continuous'")


def flat_actions(actions, kind):
    """The actions as one flat array of the type that the core reads; a copy only where the type differs."""
    dtype = np.float32 if kind == "continuous" else np.int32
    flat = np.ascontiguousarray(actions)
    if kind != "continuous" and not np.issubdtype(flat.dtype, np.integer):
        raise ValueError(f"actions must be whole numbers, not {flat.dtype}")
    if dtype is np.int32 and flat.size and not np.can_cast(flat.dtype, dtype):
        # A larger number would wrap around and might become a valid index.
        least, most = int(flat.min()), int(flat.max())
        if least < -(2**31) or most >= 2**31:
            raise ValueError(f"actions are {least} to {most}, must be indices")
    return flat.astype(dtype, copy=False).reshape(-1)


def check_action(agent, action, kind, space):
    """The action of one agent as an array. Refuses another shape or type than those of its space, and numbers outside it."""
    array = np.asarray(action)
    types = (np.integer, np.floating) if kind == "continuous" else (np.integer,)
    if not any(np.issubdtype(array.dtype, type_) for type_ in types):
        raise ValueError(f"the action of {agent} is {action!r}, must be {'numbers' if kind == 'continuous' else 'whole numbers'}")
    if array.shape != space.shape:
        raise ValueError(f"the action of {agent} has the shape {array.shape}, must be {space.shape}")
    if kind == "continuous":
        least, most, range_ = -1.0, 1.0, "from -1 to 1"
    else:
        counts = space.nvec if kind == "discrete" else space.n
        least, most, range_ = 0, counts - 1, f"below {', '.join(map(str, np.ravel(counts)))}, and at least 0"
    if not ((array >= least) & (array <= most)).all():
        raise ValueError(f"the action of {agent} is {array.tolist()}, must be {range_}")
    return array


MOST_SIZE = 4096


def check_size(size):
    """The side of a picture in pixels."""
    if not isinstance(size, (int, np.integer)) or not 1 <= size <= MOST_SIZE:
        raise ValueError(f"size is {size!r}, must be a whole number from 1 to {MOST_SIZE}, in pixels")
    return int(size)


def check_buffer(name, array, shape, dtype):
    """Refuses an array that the core cannot write into without a copy."""
    if not isinstance(array, np.ndarray):
        raise ValueError(f"{name} is a {type(array).__name__}, must be a NumPy array")
    if array.shape != shape or array.dtype != dtype:
        raise ValueError(f"{name} has the shape {array.shape} and the type {array.dtype}, must be {shape} and {np.dtype(dtype)}")
    if not (array.flags.c_contiguous and array.flags.writeable):
        raise ValueError(f"{name} must be contiguous in C order and writeable: pass whole rows of such an array")


def seed_of(seed, rng):
    """The seed of a match: the given one, or one drawn from the generator."""
    if seed is None:
        return int(rng.integers(2**63))
    return whole_seed(seed)


def whole(name, number, most=2**31 - 1):
    """A number of things, at least one."""
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or not 1 <= number <= most:
        raise ValueError(f"{name} is {number!r}, must be a whole number from 1 to {most}")
    return int(number)


def whole_seed(seed):
    """A seed that the core can read."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**64:
        raise ValueError(f"seed is {seed!r}, must be a whole number from 0 to 2**64 - 1")
    return int(seed)
