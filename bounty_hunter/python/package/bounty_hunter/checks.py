"""Checks of arguments. Each refuses what does not fit with one sentence."""

import operator
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

MOST_SIZE = 4096
RENDER_MODES = ("rgb_array", "human")


def whole(name: str, number: Any, least: int = 1, most: int = 2**31 - 1) -> int:
    """A whole number in these limits. Those of NumPy are numbers as well, also arrays without dimensions; truth values are none."""
    try:
        value = None if isinstance(number, bool) else operator.index(number)
    except TypeError:
        value = None
    if value is None or not least <= value <= most:
        raise ValueError(f"{name} is {number!r}, must be a whole number from {least} to {'2**64 - 1' if most == 2**64 - 1 else most}")
    return value


def whole_seed(seed: Any) -> int:
    """A seed that the core can read."""
    return whole("seed", seed, 0, 2**64 - 1)


def seed_of(seed: Any, rng: np.random.Generator) -> int:
    """The seed of a match: the given one, or one drawn from the generator."""
    return int(rng.integers(2**63)) if seed is None else whole_seed(seed)


def check_size(size: Any) -> int:
    """The side of a picture in pixels."""
    return whole("size", size, 1, MOST_SIZE)


def flag(name: str, value: Any) -> bool:
    """A truth value."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} is {value!r}, must be True or False")
    return bool(value)


def check_render_mode(render_mode: Any, modes: tuple[str, ...]) -> str | None:
    """One of these modes, or `None`."""
    if not (render_mode is None or isinstance(render_mode, str) and render_mode in modes):
        raise ValueError(f"render_mode is {render_mode!r}, must be {', '.join(map(repr, modes))} or None")
    return render_mode


def check_autoreset_mode(mode: Any) -> AutoresetMode:
    """A mode of Gymnasium's, or its value."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        values = ", ".join(repr(mode.value) for mode in AutoresetMode)
        raise ValueError(f"autoreset_mode is {mode!r}, must be a gymnasium.vector.AutoresetMode, or one of {values}") from None


def check_buffer(name: str, array: Any, shape: tuple[int, ...], dtype: Any) -> None:
    """Refuses an array that the core cannot write into without a copy."""
    if not isinstance(array, np.ndarray):
        raise ValueError(f"{name} is a {type(array).__name__}, must be a NumPy array")
    if array.shape != shape or array.dtype != dtype:
        raise ValueError(f"{name} has the shape {array.shape} and the type {array.dtype}, must be {shape} and {np.dtype(dtype)}")
    if not (array.flags.c_contiguous and array.flags.writeable):
        raise ValueError(f"{name} must be contiguous in C order and writeable: pass whole rows of such an array")


def check_reset_mask(options: Any, num_envs: int, agents: int) -> np.ndarray | None:
    """`options["reset_mask"]` as a mask of worlds that have `agents` rows each; `None` if there is none."""
    if options is None or "reset_mask" not in options:
        return None
    mask = options["reset_mask"]
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        found = f"an array of {mask.dtype}" if isinstance(mask, np.ndarray) else f"a {type(mask).__name__}"
        raise TypeError(f"reset_mask is {found}, must be a NumPy array of bool")
    if mask.shape != (num_envs,):
        raise ValueError(f"reset_mask has the shape {mask.shape}, must be {(num_envs,)}")
    if not mask.any():
        raise ValueError("reset_mask marks nothing, must mark at least one row")
    worlds = mask.reshape(-1, agents)
    if (worlds != worlds[:, :1]).any():
        raise ValueError(f"reset_mask parts the agents of a world, must mark all {agents} rows of a world or none")
    return worlds[:, 0].copy()
