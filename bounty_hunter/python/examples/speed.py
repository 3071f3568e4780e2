"""Measures how many agents act per second, beside environments of PettingZoo in the same run.

    pip install bounty_hunter[test]
    python examples/speed.py
"""

import argparse
import os
import time

import numpy as np

from bounty_hunter import VectorEnv
from bounty_hunter.options import cores


def measured(players, worlds, frame_skip, threads, seconds):
    """Agent decisions and simulation steps of agents per second, and the share of time outside the simulation."""
    environment = VectorEnv(num_worlds=worlds, agents=players, players=players, frame_skip=frame_skip, threads=threads)
    environment.reset(seed=1)
    rng = np.random.default_rng(1)
    actions = [rng.integers(0, [3, 7], (environment.num_envs, 2)).astype(np.int32) for _ in range(16)]
    for step in range(32):
        environment.step(actions[step % 16])
    begun, simulated, steps = time.perf_counter(), environment.simulated_seconds, 0
    while time.perf_counter() - begun < seconds:
        environment.step(actions[steps % 16])
        steps += 1
    elapsed = time.perf_counter() - begun
    outside = 1 - (environment.simulated_seconds - simulated) / (elapsed * threads)
    return steps * environment.num_envs / elapsed, steps * environment.num_envs * frame_skip / elapsed, outside


def measured_parallel(environment, seconds):
    """Agent steps per second of a parallel environment of PettingZoo."""
    environment.reset(seed=1)
    spaces = {agent: environment.action_space(agent) for agent in environment.possible_agents}
    begun, steps = time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        if not environment.agents:
            environment.reset()
        environment.step({agent: spaces[agent].sample() for agent in environment.agents})
        steps += len(spaces)
    return steps / (time.perf_counter() - begun)


def main():
    parser = argparse.ArgumentParser(description="Measures agent steps per second.")
    parser.add_argument("--seconds", type=float, default=5.0, help="time of each measurement")
    parser.add_argument("--worlds", type=int, default=32)
    arguments = parser.parse_args()
    print(f"{cores()} cores, load {os.getloadavg()[0]:.1f} at the start")
    print("| environment | agents | agent steps a second | outside the simulation |\n|---|---|---|---|")
    for players, frame_skip, threads in [(16, 1, cores()), (16, 1, 1), (16, 4, cores()), (2, 1, cores())]:
        decisions, steps, outside = measured(players, arguments.worlds, frame_skip, threads, arguments.seconds)
        name = f"bounty_hunter, {frame_skip} steps a decision, {threads} threads"
        extra = f" ({decisions:,.0f} decisions)" if frame_skip > 1 else ""
        print(f"| {name} | {players} | {steps:,.0f}{extra} | {outside:.0%} |", flush=True)
    from mpe2 import simple_spread_v3, simple_tag_v3

    others = {
        "mpe2 simple_spread": (simple_spread_v3.parallel_env, {"N": 16}),
        "mpe2 simple_tag": (simple_tag_v3.parallel_env, {"num_good": 4, "num_adversaries": 12}),
    }
    try:
        from pettingzoo.sisl import multiwalker_v9, pursuit_v4

        others["sisl pursuit"] = (pursuit_v4.parallel_env, {"n_pursuers": 16})
        others["sisl multiwalker"] = (multiwalker_v9.parallel_env, {})
    except ImportError as error:
        print(f"(sisl is not installed: {error})")
    for name, (make, options) in others.items():
        try:
            environment = make(**options)
        except Exception as error:  # An environment of another library that lacks something is named, and left out.
            print(f"({name} cannot be made: {error})")
            continue
        steps = measured_parallel(environment, arguments.seconds)
        print(f"| {name} | {len(environment.possible_agents)} | {steps:,.0f} | |", flush=True)
    print(f"load {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
