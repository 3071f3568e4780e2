"""Plays matches of AIs over a grid of rules on a Ray cluster, and writes them as Parquet files.

    pip install "$(echo target/wheels/bounty_hunter-*.whl)[sweep]"
    python examples/ray_sweep.py --matches 1000000 --out sweep            # on this machine
    python examples/ray_sweep.py --matches 1000000 --out sweep --address auto   # on the cluster that this machine belongs to

A match is known by its point in the grid and its seed. Points and seeds are cut into parts; a part is one task and one file. A task whose
worker dies is run again somewhere else, at most five times, and gives the same matches, since a seed is all that a match depends on. A file gets its name only
when it is complete, and the program skips the parts that it finds, so after any interruption the same command continues. At the end it
counts that no match is missing and none is there twice.

Every machine of the cluster needs the same wheel with `[sweep]`, Ray and PyArrow included, and the same version of Python.
"""

import argparse
import itertools
import json
import os
import pathlib
import socket
import time

import pyarrow
import pyarrow.parquet
import ray

import bounty_hunter

GRID = {"bounties_per_player": [0.5, 0.75, 1.0, 1.5], "countdown_seconds": [0.0]}


# A part that ends its worker each time, such as for want of memory, must not run forever.
@ray.remote(num_cpus=1, max_retries=5)
def play_part(point, options, first_seed, count):
    """Plays the matches of a part on one core; returns a table with a row for each."""
    import bounty_hunter

    records = bounty_hunter.play(range(first_seed, first_seed + count), threads=1, **options)
    columns = {"point": [point] * count}
    for name in ("seed", "ticks", "seconds", "ending", "winner", "ais", "stashes", "deaths", "lead_changes", "hash"):
        columns[name] = [record[name] for record in records]
    types = {"seed": pyarrow.uint64(), "winner": pyarrow.int32(), "point": pyarrow.int32()}
    return pyarrow.table({name: pyarrow.array(values, types.get(name)) for name, values in columns.items()})


def points_of(grid):
    """The points of a grid, each as a dictionary of rules."""
    return [dict(zip(grid, values)) for values in itertools.product(*grid.values())]


def parts_of(points, matches, size):
    """All parts as (point, first seed, number of matches); the matches are spread evenly over the points."""
    for point in range(points):
        seeds = matches // points + (point < matches % points)
        for first in range(0, seeds, size):
            yield point, first + 1, min(size, seeds - first)


def path_of(out, part):
    point, first, count = part
    return out / f"point-{point:04}-seed-{first:09}-{count}.parquet"


def write_whole(path, write):
    """Calls `write` with a temporary name that no other process uses, then gives the complete file its name."""
    unfinished = path.with_name(f"{path.name}.{socket.gethostname()}-{os.getpid()}.unfinished")
    try:
        write(unfinished)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def keep_plan(out, plan):
    """Writes the plan of a new sweep. Stops the program if the folder has another sweep, or one of another version of the game."""
    kept = out / "plan.json"
    plan = {**plan, "version": bounty_hunter.VERSION}
    if not kept.exists():
        write_whole(kept, lambda unfinished: unfinished.write_text(json.dumps(plan)))
        return
    found = json.loads(kept.read_text())
    version = found.get("version")
    if version != plan["version"]:
        raise SystemExit(
            f"{out} has a sweep of version {version or 'unknown'} of bounty_hunter, this is {plan['version']}: "
            "choose another folder, or install that version"
        )
    if found != plan:
        raise SystemExit(f"{out} has another sweep: choose another folder, or continue it with the arguments in {kept}")


def sweep(out, grid, matches, size, options, progress=lambda done, all_parts: None):
    """Plays all parts whose files are missing, and writes their files. Returns the number of matches played."""
    out.mkdir(parents=True, exist_ok=True)
    points = points_of(grid)
    plan = {"grid": grid, "matches": matches, "size": size, "options": options}
    keep_plan(out, json.loads(json.dumps(plan)))
    parts = list(parts_of(len(points), matches, size))
    missing = iter([part for part in parts if not path_of(out, part).exists()])
    running, played = {}, 0
    while True:
        # Few tasks wait in the cluster, so that their tables do not fill its memory.
        room = 4 * max(int(ray.cluster_resources().get("CPU", 1)), 1) - len(running)
        for point, first, count in itertools.islice(missing, max(room, 0)):
            task = play_part.remote(point, {**options, "rules": points[point]}, first, count)
            running[task] = (point, first, count)
        if not running:
            return played
        for task in ray.wait(list(running), num_returns=1)[0]:
            part = running.pop(task)
            table = ray.get(task)
            write_whole(path_of(out, part), lambda unfinished: pyarrow.parquet.write_table(table, unfinished))
            played += part[2]
            progress(sum(path_of(out, part).exists() for part in parts) if len(parts) < 1000 else played // size, len(parts))


def verify(out, grid, matches, size):
    """Whether each match of the sweep is there once."""
    expected = {
        (point, seed)
        for point, first, count in parts_of(len(points_of(grid)), matches, size)
        for seed in range(first, first + count)
    }
    keys = []
    for file in sorted(out.glob("*.parquet")):
        found = pyarrow.parquet.read_table(file, columns=["point", "seed"])
        keys += zip(found["point"].to_pylist(), found["seed"].to_pylist())
    return len(keys) == len(expected) and set(keys) == expected


def main():
    parser = argparse.ArgumentParser(description="Plays matches of AIs over a grid of rules on a Ray cluster.")
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--part", type=int, default=200, help="matches of a task")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--mode", default="classic")
    parser.add_argument("--ai", default="normal", help="AIs of the seats in turn, with commas between them")
    parser.add_argument("--grid", type=json.loads, default=GRID, help="lists of values by rule, in JSON")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("sweep"))
    parser.add_argument("--address", help="address of a cluster, or auto; starts a local one by default")
    arguments = parser.parse_args()

    ray.init(address=arguments.address, log_to_driver=False)
    options = {"mode": arguments.mode, "players": arguments.players, "opponents": arguments.ai.split(",")}
    begun = time.monotonic()

    def progress(done, all_parts):
        print(f"\r{done} of {all_parts} parts, {time.monotonic() - begun:.0f} s", end="", flush=True)

    played = sweep(arguments.out, arguments.grid, arguments.matches, arguments.part, options, progress)
    seconds = time.monotonic() - begun
    print(f"\n{played} matches in {seconds:.1f} s, {played / seconds:.2f} a second")
    if not verify(arguments.out, arguments.grid, arguments.matches, arguments.part):
        raise SystemExit("the files lack matches or repeat some")
    print(f"{arguments.matches} matches are there, each once")


if __name__ == "__main__":
    main()
