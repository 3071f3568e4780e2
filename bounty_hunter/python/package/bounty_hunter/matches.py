"""Whole matches of AIs."""

from collections.abc import Iterable
from typing import Any

from . import options as all_options
from ._core import describe as describe_match
from ._core import play as play_matches
from .checks import flag, whole, whole_seed


def play(seeds: Iterable[int], threads: int | None = None, death_places: bool = False, **options: Any) -> list[dict[str, Any]]:
    """Plays the matches with these seeds to their ends; returns a dictionary for each, in the order of the seeds.

    All players are AIs: `opponents` in turn, beginning with another one for each seed, as `simulate --ai` of the program. The keys are
    `seed`, `ticks` (steps of the simulation), `seconds`, `ending`, `winner` (a seat, or `None` for a draw), `ais`, `stashes` (points), `deaths`,
    `lead_changes`, `death_places` (metres from the centre, if asked for) and `hash`, all as `simulate --json` prints them.
    """
    if whole("agents", options.setdefault("agents", 0), 0) != 0:
        raise ValueError(f"agents is {options['agents']}, must be 0: all players are AIs")
    seeds = [whole_seed(seed) for seed in seeds]
    threads = all_options.cores() if threads is None else whole("threads", threads, 1, 1024)
    return play_matches(all_options.to_json(options), seeds, threads, flag("death_places", death_places))


def describe(**options: Any) -> dict[str, Any]:
    """What the match with these options is like, as a dictionary.

    The keys are `level`, `world_half_extent_m` (metres from the centre to each edge), `players`, `agents`, `steps_per_second`, `has_spells`, and the
    names to choose from: `modes`, `levels` and `ais`.
    """
    return describe_match(all_options.to_json(options))
