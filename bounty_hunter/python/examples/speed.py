"""Measures how many agents act per second, beside environments of PettingZoo in the same run.

    pip install "$(echo target/wheels/bounty_hunter-*.whl)[test]"
    python examples/speed.py
"""

import argparse
import functools
import importlib
import os
import time

import numpy as np

from bounty_hunter import ParallelEnv, VectorEnv
from bounty_hunter.options import cores


def measured(players, worlds, frame_skip, threads, seconds):
    """Agent steps per second and per second of processor time, and the share of time outside the simulation (of one thread)."""
    environment = VectorEnv(num_worlds=worlds, agents=players, players=players, frame_skip=frame_skip, threads=threads)
    environment.reset(seed=1)
    rng = np.random.default_rng(1)
    actions = [rng.integers(0, [3, 7], (environment.num_envs, 2)).astype(np.int32) for _ in range(16)]
    for step in range(32):
        environment.step(actions[step % 16])
    begun, worked, simulated, steps = time.perf_counter(), time.process_time(), environment.simulation_wall_seconds, 0
    while time.perf_counter() - begun < seconds:
        environment.step(actions[steps % 16])
        steps += 1
    elapsed, worked = time.perf_counter() - begun, time.process_time() - worked
    # With several threads on a busy machine the time in which one waits for the other would count as outside.
    outside = 1 - (environment.simulation_wall_seconds - simulated) / elapsed if threads == 1 else None
    agent_steps = steps * environment.num_envs * frame_skip
    return agent_steps / elapsed, agent_steps / worked, outside


def measured_parallel(environment, seconds):
    """Decisions of agents per second, and per second of processor time, of a parallel environment of PettingZoo.

    The actions are drawn before, since drawing them takes longer than most environments.
    """
    environment.reset(seed=1)
    spaces = {agent: environment.action_space(agent) for agent in environment.possible_agents}
    actions = [{agent: space.sample() for agent, space in spaces.items()} for _ in range(32)]
    begun, worked, steps = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - begun < seconds:
        for drawn in actions:
            if not environment.agents:
                environment.reset()
            agents = environment.agents
            environment.step(drawn if len(agents) == len(drawn) else {agent: drawn[agent] for agent in agents})
            steps += len(agents)
    return steps / (time.perf_counter() - begun), steps / (time.process_time() - worked)


def others():
    """Environments of PettingZoo, as far as they are installed: name, and how they are made."""
    from mpe2 import simple_spread_v3, simple_tag_v3

    yield "mpe2 simple_spread", lambda: simple_spread_v3.parallel_env(N=16)
    yield "mpe2 simple_tag", lambda: simple_tag_v3.parallel_env(num_good=4, num_adversaries=12)
    for name, module, options in [
        ("sisl pursuit", "pettingzoo.sisl.pursuit_v5", {"n_pursuers": 16}),
        ("butterfly knights_archers_zombies", "pettingzoo.butterfly.knights_archers_zombies_v11", {}),
        ("butterfly pistonball", "pettingzoo.butterfly.pistonball_v6", {}),
    ]:
        try:
            make = importlib.import_module(module).parallel_env
        except ImportError as error:
            print(f"({name} is not installed: {error})")
        else:
            yield name, functools.partial(make, **options)


def main():
    parser = argparse.ArgumentParser(description="Measures agent steps per second.")
    parser.add_argument("--seconds", type=float, default=5.0, help="time of each measurement")
    parser.add_argument("--worlds", type=int, default=32)
    arguments = parser.parse_args()
    print(f"{cores()} cores, load {os.getloadavg()[0]:.1f} at the start")
    print("| environment | agents | agent steps a second | a second of one processor | outside the simulation |")
    print("|---|---|---|---|---|")
    for players, frame_skip, threads in [(16, 1, cores()), (16, 4, cores()), (16, 1, 1), (16, 4, 1), (2, 4, 1)]:
        steps, by_processor, outside = measured(players, arguments.worlds, frame_skip, threads, arguments.seconds)
        name = f"bounty_hunter, {frame_skip} steps a decision, {threads} threads"
        share = "" if outside is None else f"{outside:.0%}"
        print(f"| {name} | {players} | {steps:,.0f} | {by_processor:,.0f} | {share} |", flush=True)
    for kind in ("discrete", "goals", "continuous"):
        steps, by_processor = measured_parallel(ParallelEnv(players=16, actions=kind), arguments.seconds)
        print(f"| bounty_hunter `ParallelEnv`, {kind}, decisions | 16 | {steps:,.0f} | {by_processor:,.0f} | |", flush=True)
    for name, make in others():
        environment = make()
        steps, by_processor = measured_parallel(environment, arguments.seconds)
        print(f"| {name} | {len(environment.possible_agents)} | {steps:,.0f} | {by_processor:,.0f} | |", flush=True)
    print(f"load {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
