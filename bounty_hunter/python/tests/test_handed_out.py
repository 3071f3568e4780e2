"""What was handed out stays what it was, and what is written into it never comes back."""

import copy

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

import bounty_hunter
from bounty_hunter import bounty_hunter_v0
from beside import MODES, actions_of, vector

DECISIONS = 40
SHORT = {"players": 3, "play_seconds": 2}


def spoil(value):
    """Writes nonsense into everything that can be written into."""
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            [spoil(element) for element in value]
        value[...] = True if value.dtype == bool else 77
    elif isinstance(value, dict):
        [spoil(element) for element in value.values()]
        value.clear()
        value["spoilt"] = True
    elif isinstance(value, list):
        [spoil(element) for element in value]
        value.clear()
    elif isinstance(value, tuple):
        [spoil(element) for element in value]


def arrays_in(value):
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, dict):
        yield from (array for element in value.values() for array in arrays_in(element))
    elif isinstance(value, (list, tuple)):
        yield from (array for element in value for array in arrays_in(element))


def run_of_vector(environment):
    """Every result of the environment, as a generator that goes on when the result was used."""
    actions, mask = actions_of(environment), np.zeros(environment.num_envs, bool)
    mask[0] = True
    yield environment.reset(seed=3)
    for step in range(DECISIONS):
        if environment.autoreset_mode is not MODES[2] or step < 13:
            yield environment.step(next(actions))
        if step % 12 == 11:
            yield environment.reset(options={"reset_mask": mask.copy()})
            yield environment.observe()
            yield environment.render()
            yield environment.finished
            yield environment.get_attr("steps")


def run_of_env(environment):
    environment.action_space.seed(1)
    yield environment.reset(seed=3)
    for step in range(DECISIONS):
        yield environment.step(environment.action_space.sample())
        yield environment.render()
        if step == 20:
            state = environment.clone_state()
    yield environment.restore_state(state)
    yield environment.reset()


def run_of_parallel_env(environment):
    rng = np.random.default_rng(1)
    yield environment.possible_agents
    yield environment.reset(seed=3)
    for step in range(DECISIONS):
        agents = environment.agents
        yield environment.step({agent: rng.integers(0, [4, 7]) for agent in agents})
        yield environment.agents
        yield environment.state()
        yield environment.render()
        if step == 20:
            state = environment.clone_state()
    yield environment.restore_state(state)
    yield environment.agents


def run_of_turns(environment):
    rng = np.random.default_rng(1)
    environment.reset(seed=3)
    for agent in environment.agent_iter():
        observation, reward, termination, truncation, _ = environment.last()
        # Its infos are those of PettingZoo's conversion, which hands out its own.
        yield observation, reward, termination, truncation
        environment.step(None if termination or truncation else rng.integers(0, [4, 7]))


RUNS = {
    **{f"vector, {mode.value}": (lambda mode=mode: vector(mode, render_mode="rgb_array", size=16), run_of_vector) for mode in MODES},
    **{
        f"vector, {mode.value}, cut off": (lambda mode=mode: vector(mode, 13, render_mode="rgb_array", size=16), run_of_vector)
        for mode in MODES[:2]
    },
    "single": (lambda: bounty_hunter.Env(render_mode="rgb_array", size=16, **SHORT), run_of_env),
    "parallel": (lambda: bounty_hunter.ParallelEnv(render_mode="rgb_array", size=16, **SHORT), run_of_parallel_env),
    "parallel, lives": (
        lambda: bounty_hunter.ParallelEnv(mode="survival", render_mode="rgb_array", size=16, rules={"rules": {"lives": 1}}, **SHORT),
        run_of_parallel_env,
    ),
    "in turn": (lambda: bounty_hunter_v0.env(**SHORT), run_of_turns),
}


def containers_in(value):
    """All dictionaries, lists and arrays in a value, and itself."""
    elements = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    own = [value] if isinstance(value, (dict, list, np.ndarray)) else []
    return own + [container for element in elements for container in containers_in(element)]


def equal(one, other):
    return data_equivalence(one, other, exact=True)


@pytest.mark.parametrize("name", RUNS)
def test_results_stay_what_they_were(name):
    make, run = RUNS[name]
    kept = [(result, copy.deepcopy(result)) for result in run(make())]
    assert len(kept) > 13
    for result, then in kept:
        assert equal(result, then)
    # Each results shares nothing with the next ones.
    results = [result for result, _ in kept]
    for distance in (1, 2, 3):
        for one, other in zip(results, results[distance:]):
            assert not {id(each) for each in containers_in(one)} & {id(each) for each in containers_in(other)}
            assert not any(np.shares_memory(a, b) for a in arrays_in(one) for b in arrays_in(other))


@pytest.mark.parametrize("name", RUNS)
def test_what_is_written_into_a_result_never_comes_back(name):
    make, run = RUNS[name]
    expected = [copy.deepcopy(result) for result in run(make())]
    count = 0
    for result, other in zip(run(make()), expected, strict=True):
        assert equal(result, other), count
        spoil(result)
        count += 1


@pytest.mark.parametrize("mode", MODES)
def test_what_is_written_into_a_view_never_comes_back(mode):
    make = lambda: vector(mode, 13, copy=False, render_mode="rgb_array", size=16)
    expected = [copy.deepcopy(result) for result in run_of_vector(make())]
    for result, other in zip(run_of_vector(make()), expected, strict=True):
        assert equal(result, other)
        spoil(result)


def test_replay_buffer_keeps_both_observations():
    environment = gymnasium.make_vec("BountyHunter-v0", num_envs=2, players=4)
    observations, _ = environment.reset(seed=1)
    actions, buffer = actions_of(environment), []
    for _ in range(50):
        before, (observations, *_) = observations, environment.step(next(actions))
        buffer.append((before, observations))
    assert not any(np.array_equal(before, after) for before, after in buffer)


def test_views_are_the_same_arrays_each_time():
    environment = bounty_hunter.VectorEnv(num_worlds=2, agents=3, players=5, copy=False)
    first, _ = environment.reset(seed=1)
    before = first.copy()
    second, rewards, terminations, truncations, infos = environment.step(np.zeros((6, 2), np.int32))
    assert second is first and not np.array_equal(first, before)
    assert second.shape == (6, bounty_hunter.OBSERVATION_LENGTH) and rewards.shape == terminations.shape == truncations.shape == (6,)
    again = environment.step(np.zeros((6, 2), np.int32))
    assert all(one is other for one, other in zip(again[:4], (second, rewards, terminations, truncations)))
    assert again[4] is not infos


def test_agents_of_a_world_share_no_memory():
    environment = bounty_hunter.ParallelEnv(players=3)
    observations, infos = environment.reset(seed=1)
    for result in (observations, environment.step({})[0]):
        kept = copy.deepcopy(result)
        result["collector_0"][:] = 9
        assert all(np.array_equal(result[agent], kept[agent]) for agent in ("collector_1", "collector_2"))
    infos["collector_0"]["mine"] = 1
    assert "mine" not in infos["collector_1"]


def test_environments_share_no_spaces_and_no_metadata():
    for kind in (bounty_hunter.Env, bounty_hunter.VectorEnv, bounty_hunter.ParallelEnv):
        one, other = kind(players=2), kind(players=2)
        one.metadata["render_modes"].append("mine")
        one.metadata["mine"] = 1
        assert "mine" not in other.metadata and "mine" not in other.metadata["render_modes"]
        assert "mine" not in kind(players=2).metadata["render_modes"]
        if kind is bounty_hunter.ParallelEnv:
            spaces = [environment.observation_space(agent) for environment in (one, other) for agent in environment.possible_agents]
        else:
            spaces = [one.observation_space, other.observation_space]
            spaces += [one.single_observation_space, other.single_observation_space] if kind is bounty_hunter.VectorEnv else []
        for index, space in enumerate(spaces):
            assert not any(np.shares_memory(space.low, later.low) for later in spaces[index + 1 :])


def test_changed_space_changes_no_check():
    environment = bounty_hunter.Env(players=2)
    environment.reset(seed=1)
    environment.action_space.nvec[:] = 100
    with pytest.raises(ValueError, match="must be below 4, 7"):
        environment.step(np.array([50, 0]))
    environment = bounty_hunter.ParallelEnv(players=2)
    environment.reset(seed=1)
    environment.action_space("collector_0").nvec[:] = 100
    with pytest.raises(ValueError, match="must be below 4, 7"):
        environment.step({"collector_0": np.array([50, 0])})


def test_constants_cannot_be_changed():
    for name in ("DRIVES", "TURNS", "GOAL_NAMES", "OBSERVATION_FIELDS", "ENDINGS"):
        assert isinstance(getattr(bounty_hunter, name), tuple)


def test_policy_does_not_change_with_the_arrays_that_it_was_made_of():
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(bounty_hunter.OBSERVATION_LENGTH, bounty_hunter.GOALS)).astype(np.float32)
    biases = np.zeros(bounty_hunter.GOALS, np.float32)
    policy = bounty_hunter.Policy([(weights, biases)])
    observations = rng.normal(size=(5, bounty_hunter.OBSERVATION_LENGTH)).astype(np.float32)
    scores = policy.scores(observations)
    kept = scores.copy()
    weights[:], biases[:] = 0, 1
    assert np.array_equal(policy.scores(observations), kept)
    scores[:] = 0
    assert np.array_equal(policy.scores(observations), kept)


def test_recorded_actions_are_those_that_were_given(tmp_path):
    """The arrays of actions are the caller's: what is written into them after a step changes nothing."""
    hashes = []
    for overwrite in (False, True):
        environment = bounty_hunter.VectorEnv(num_worlds=2, players=2)
        environment.reset(seed=1)
        actions = np.zeros((2, 2), np.int32)
        for step in range(5):
            actions[:] = step % 4
            given = actions.copy()
            environment.step(actions)
            assert np.array_equal(actions, given)
            if overwrite:
                actions[:] = 1
        hashes.append(environment.call("state_hash"))
    assert hashes[0] == hashes[1]
