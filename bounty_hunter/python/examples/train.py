"""Trains an AI from nothing, writes it as a policy of the game, and lets it play 500 matches against `normal`.

    pip install "$(echo target/wheels/bounty_hunter-*.whl)[train]"
    python examples/train.py --minutes 25 --policy learned.ron --curve curve.csv

Proximal policy optimisation (Schulman and others 2017) on the CPU. Some agents play duels against `normal`; most play against each other
in matches of eight, which teach the same for less time. The policy sees what a person sees on the screen and
chooses a goal 15 times a second; see `OBSERVATION_FIELDS` and `GOAL_NAMES`. Rewards
are those of the match with two aids that add up to nothing over a life: for collecting, and for carrying a load towards the own stash.
"""

import argparse
import csv
import functools
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
import optax
from gymnasium.vector import AutoresetMode

import bounty_hunter
from bounty_hunter import GOALS, OBSERVATION_LENGTH, Policy, VectorEnv

REWARDS = {"stashed": 1.0, "collected": 0.3, "lost": -0.3, "died": -0.05, "homing": 0.3, "won": 0.5, "defeated": -0.5}
HIDDEN = 64
DISCOUNT, TRACE = 0.995, 0.95
CLIP, VALUE_WEIGHT = 0.2, 0.5
EPOCHS, MINIBATCHES = 2, 16


def network(key, outputs, last_scale):
    sizes = [OBSERVATION_LENGTH, HIDDEN, HIDDEN, outputs]
    keys = jax.random.split(key, 3)
    scales = [2.0**0.5, 2.0**0.5, last_scale]
    return [
        (jax.nn.initializers.orthogonal(scale)(key, (inputs, outputs)), jnp.zeros(outputs))
        for key, scale, inputs, outputs in zip(keys, scales, sizes, sizes[1:])
    ]


def apply(layers, hidden):
    for index, (weights, biases) in enumerate(layers):
        hidden = (jax.nn.relu(hidden) if index else hidden) @ weights + biases
    return hidden


def log_chances(params, observations):
    return jax.nn.log_softmax(apply(params["policy"], observations))


def chosen(logs, actions):
    return jnp.take_along_axis(logs, actions[..., None], -1)[..., 0]


@jax.jit
def act(params, observations, key):
    logs = log_chances(params, observations)
    actions = jax.random.categorical(key, logs)
    return actions.astype(jnp.int32), chosen(logs, actions)


def loss(params, batch, entropy_weight):
    observations, actions, old, advantages, returns = batch
    logs = log_chances(params, observations)
    ratio = jnp.exp(chosen(logs, actions) - old)
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    gain = jnp.minimum(ratio * advantages, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantages).mean()
    values = apply(params["value"], observations)[..., 0]
    entropy = -(jnp.exp(logs) * logs).sum(-1).mean()
    return -gain + VALUE_WEIGHT * ((values - returns) ** 2).mean() - entropy_weight * entropy, entropy


def trainer(optimizer):
    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def train(params, state, observations, actions, old, rewards, dones, key, entropy_weight):
        values = apply(params["value"], observations)[..., 0]
        going = 1.0 - dones

        def back(advantage, step):
            reward, going, value, next_value = step
            advantage = reward + DISCOUNT * going * next_value - value + DISCOUNT * TRACE * going * advantage
            return advantage, advantage

        steps = (rewards, going, values[:-1], values[1:])
        _, advantages = jax.lax.scan(back, jnp.zeros(rewards.shape[1]), steps, reverse=True)
        data = (observations[:-1], actions, old, advantages, advantages + values[:-1])
        data = jax.tree.map(lambda array: array.reshape(-1, *array.shape[2:]), data)
        count = data[2].shape[0]

        def epoch(carry, key):
            order = jax.random.permutation(key, count).reshape(MINIBATCHES, -1)

            def minibatch(carry, indices):
                params, state = carry
                batch = jax.tree.map(lambda array: array[indices], data)
                (_, entropy), gradient = jax.value_and_grad(loss, has_aux=True)(params, batch, entropy_weight)
                updates, state = optimizer.update(gradient, state, params)
                return (optax.apply_updates(params, updates), state), entropy

            return jax.lax.scan(minibatch, carry, order)

        (params, state), entropies = jax.lax.scan(epoch, (params, state), jax.random.split(key, EPOCHS))
        return params, state, entropies.mean()

    return train


def policy_of(params):
    return Policy([(np.asarray(weights), np.asarray(biases)) for weights, biases in params["policy"]])


def main():
    parser = argparse.ArgumentParser(description="Trains an AI that beats the AI `normal`.")
    parser.add_argument("--minutes", type=float, default=25.0, help="time to train")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--duels", type=int, default=16, help="worlds with an agent and `normal`")
    parser.add_argument("--crowds", type=int, default=28, help="worlds with eight agents")
    parser.add_argument("--steps", type=int, default=64, help="decisions of each agent between two updates")
    parser.add_argument("--rate", type=float, default=1e-3, help="rate of learning at the start")
    parser.add_argument("--policy", default="learned.ron", help="file of the policy")
    parser.add_argument("--curve", default="curve.csv", help="file of the learning curve")
    parser.add_argument("--matches", type=int, default=500, help="matches of the trained policy against `normal`")
    parser.add_argument("--at-least", type=float, default=0.0, help="fail if a smaller share of these matches is won")
    arguments = parser.parse_args()

    # A match that begins in the step in which the last one ended leaves no row of a rollout without a decision.
    common = {"rewards": REWARDS, "opponents": ["normal"], "actions": "goals", "autoreset_mode": AutoresetMode.SAME_STEP}
    environments = [
        VectorEnv(num_worlds=arguments.duels, agents=1, players=2, seed=1_000_000, **common),
        VectorEnv(num_worlds=arguments.crowds, agents=8, players=8, seed=2_000_000, **common),
    ]
    ends = np.cumsum([environment.num_envs for environment in environments])
    parts = [slice(end - environment.num_envs, end) for end, environment in zip(ends, environments)]
    steps, rows = arguments.steps, int(ends[-1])
    observations = np.zeros((steps + 1, rows, OBSERVATION_LENGTH), np.float32)
    actions = np.zeros((steps, rows), np.int32)
    old = np.zeros((steps, rows), np.float32)
    rewards = np.zeros((steps, rows), np.float32)
    dones = np.zeros((steps, rows), bool)
    for part, environment in zip(parts, environments):
        observations[0, part] = environment.reset()[0]

    key = jax.random.key(arguments.seed)
    key, one, other = jax.random.split(key, 3)
    params = {"policy": network(one, GOALS, 0.01), "value": network(other, 1, 1.0)}
    optimizer = optax.inject_hyperparams(
        lambda learning_rate: optax.chain(optax.clip_by_global_norm(0.5), optax.adam(learning_rate, eps=1e-5))
    )(learning_rate=arguments.rate)
    state = optimizer.init(params)
    train = trainer(optimizer)

    begun, simulated, decisions, update = time.monotonic(), 0.0, 0, 0
    results = []
    with open(arguments.curve, "w", newline="", encoding="utf-8") as file:
        curve = csv.writer(file)
        curve.writerow(["minutes", "decisions", "reward", "points", "wins", "entropy"])
        while (share := (time.monotonic() - begun) / (60 * arguments.minutes)) < 1:
            for step in range(steps):
                key, one = jax.random.split(key)
                chosen_actions, chances = act(params, observations[step], one)
                actions[step], old[step] = chosen_actions, chances
                before = time.monotonic()
                for part, environment in zip(parts, environments):
                    into = (observations[step + 1, part], rewards[step, part], dones[step, part])
                    finished = environment.step_into(actions[step, part], *into)
                    if environment is environments[0]:
                        results += [(match["winner"] == 0, match["stashes"][0]) for match in finished]
                simulated += time.monotonic() - before
            key, one = jax.random.split(key)
            state.hyperparams["learning_rate"] = arguments.rate * max(1 - share, 0.05)
            entropy_weight = 0.01 * (1 - share) + 0.001
            params, state, entropy = train(params, state, observations, actions, old, rewards, dones, one, entropy_weight)
            observations[0] = observations[-1]
            decisions += steps * rows
            update += 1
            if update % 10 == 0:
                results = results[-200:]
                minutes = (time.monotonic() - begun) / 60
                wins, points = np.mean(results, axis=0) if results else (0.0, 0.0)
                row = [minutes, decisions, rewards.sum(0).mean() / steps * 15, points, wins, float(entropy)]
                curve.writerow([f"{number:.4g}" if isinstance(number, float) else number for number in row])
                file.flush()
                print(
                    f"{minutes:5.1f} min, {decisions / 1e6:6.2f} million decisions, {decisions / minutes / 60:7.0f} a second "
                    f"({simulated / minutes / 60:.0%} of the time simulated), {points:4.0f} points, {wins:4.0%} of duels won",
                    flush=True,
                )
                policy_of(params).save(arguments.policy, "Trained by examples/train.py against the AI normal.")
    policy_of(params).save(arguments.policy, "Trained by examples/train.py against the AI normal.")
    if evaluate(arguments.policy, arguments.matches) < arguments.at_least:
        sys.exit(f"less than {arguments.at_least:.0%} of the duels are won")


def evaluate(path, matches):
    """Lets the game itself play the policy against `normal`, on seeds that no training has seen."""
    with open(path, encoding="utf-8") as file:
        files = {"policies/trained.ron": file.read()}
    records = bounty_hunter.play(range(1, matches + 1), players=2, opponents=["trained", "normal"], files=files)
    wins = sum(record["winner"] is not None and record["ais"][record["winner"]] == "trained" for record in records)
    draws = sum(record["winner"] is None for record in records)
    print(f"{wins} of {matches} duels against normal won ({wins / matches:.1%}), {draws} drawn")
    return wins / matches


if __name__ == "__main__":
    main()
