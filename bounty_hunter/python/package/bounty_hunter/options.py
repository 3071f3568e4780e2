"""The options that all environments share.

| option | meaning | default |
|---|---|---|
| `mode` | a mode of the game, such as `"survival"` | `"classic"` |
| `level` | a level, such as `"crossing"` | that of the mode |
| `players` | players of a match, 1 to 10,000 | those of the mode, 16 in classic |
| `agents` | how many of them are agents, from the first seat on | all; 1 in `Env` and `VectorEnv` |
| `opponents` | names of the AIs of the other seats, in turn | the AI of the mode |
| `play_seconds` | length of a match, seconds | that of the mode, 90 in classic |
| `frame_skip` | simulation steps of one decision, 1/60 s each; the action stays in between | 4 |
| `rewards` | weights of rewards by name, see below | `{"stashed": 1, "won": 1, "defeated": -1}` |
| `rules` | changes of the match as a dictionary of fields of `game.ron`, such as `{"bounties_per_player": 1.5}` | none |
| `assets` | a directory that replaces assets, as `--assets` of the program | none |
| `files` | texts that replace assets, by path, such as `{"ai/normal.ron": "(…)"}` | none |

A reward is a sum over the simulation steps of a decision:

| weight | for | default |
|---|---|---|
| `stashed` | 100 points that came into the own stash | 1 |
| `collected` | 100 points collected | 0 |
| `lost` | 100 points that left the pocket and did not come into the own stash | 0 |
| `died` | a death | 0 |
| `won`, `defeated` | the end of a match that the agent, or another player, won; `defeated` also for the last life, and then not at the end | 1, -1 |
| `step` | each simulation step | 0 |
| `homing` | 100 points carried 75 m closer to the own stash | 0 |

Actions are whole numbers by default (`actions="discrete"`): the index of a drive in `DRIVES` and of a turn in `TURNS`, and in matches with
spells a spell: 0 for none, 1 purge, 2 strike, 3 magnet. With `actions="goals"` an action is the index of a goal in
`GOAL_NAMES`: a bounty of the observation, the own stash, or a manoeuvre; the game steers to it. With `actions="continuous"` they are a drive and a turn, each from -1 to 1 (reverse
to forward, right to left), and no spells can be cast.
"""

import json
import os
from collections.abc import Mapping
from typing import Any

NAMES = (
    "mode",
    "level",
    "players",
    "agents",
    "opponents",
    "play_seconds",
    "frame_skip",
    "rewards",
    "rules",
    "assets",
    "files",
)


def to_json(options: Mapping[str, Any]) -> str:
    """The options as the text that the core reads. Raises `TypeError` for an unknown name, and for a value that no option can have.

    Numbers and arrays of NumPy are numbers and lists.
    """
    for name in options:
        if name not in NAMES:
            raise TypeError(f"there is no option {name!r}, there are {', '.join(NAMES)}")
    given = {name: value for name, value in options.items() if value is not None}
    if isinstance(given.get("opponents"), str):
        given["opponents"] = [given["opponents"]]
    if "assets" in given:
        given["assets"] = os.fspath(given["assets"])
    return f"{{{', '.join(f'{json.dumps(name)}: {_text(name, value)}' for name, value in given.items())}}}"


def _text(name: str, value: Any) -> str:
    try:
        return json.dumps(value, allow_nan=False, default=_plain)
    except TypeError as error:
        raise TypeError(f"the option {name} has a value that no option can have: {error}") from None
    except RecursionError:
        raise ValueError(f"the option {name} is nested too deeply") from None
    except ValueError as error:
        if "Circular" in str(error):
            raise ValueError(f"the option {name} contains itself") from None
        raise ValueError(f"an option is not finite: {name}: {error}") from None


def _plain(value: Any) -> Any:
    """A value of another library as one of Python's own."""
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{value!r} is a {type(value).__name__}")


def cores() -> int:
    """The number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
