"""Bad input is one clear sentence."""

import numpy as np
import pytest

import bounty_hunter


# Those about agents, cycles, recordings and pictures are of `ParallelEnv` alone.
WRONG_OPTIONS = [
    ({"mood": "classic"}, TypeError, "there is no option 'mood'"),
    ({"mode": "golf"}, ValueError, 'there is no mode "golf", there are brawl'),
    ({"level": "moon"}, ValueError, 'there is no level "moon"'),
    ({"players": 0}, ValueError, "players is 0, must be 1 to 10000"),
    ({"players": -1}, ValueError, "invalid value: integer `-1`"),
    ({"players": 2, "agents": 3}, ValueError, "agents is 3, must be at most 2"),
    ({"agents": 2, "opponents": ["nobody"]}, ValueError, 'there is no AI profile "nobody"'),
    ({"rules": {"rules": {"lifes": 1}}}, ValueError, "rules: unknown field `lifes`"),
    ({"rules": {"play_seconds": -1}}, ValueError, "rules: it is -1, must be positive"),
    ({"rewards": {"fun": 1}}, ValueError, "unknown field `fun`"),
    ({"rewards": {"won": float("nan")}}, ValueError, "an option is not finite"),
    ({"frame_skip": 0}, ValueError, "frame_skip is 0, must be 1 to 1000"),
    ({"files": {"ai/x.ron": "("}}, ValueError, "ai/x.ron:1"),
    ({"actions": "fuzzy"}, ValueError, "actions is 'fuzzy', must be 'discrete', 'goals' or 'continuous'"),
    ({"render_mode": "ansi"}, ValueError, "render_mode is 'ansi', must be 'rgb_array', 'human' or None"),
    ({"record": "yes"}, ValueError, "record is 'yes', must be True or False"),
    ({"max_cycles": 0}, ValueError, "max_cycles is 0, must be a whole number from 1"),
    ({"rules": {"bounties_per_player": {1, 2}}}, TypeError, "the option rules has a value that no option can have: {1, 2} is a set"),
    ({"players": 1j}, TypeError, "the option players has a value that no option can have"),
    ({"rewards": np.array([np.inf])}, ValueError, "an option is not finite: rewards"),
    ({"rewards": {"won": np.float32("nan")}}, ValueError, "an option is not finite: rewards"),
]
KINDS = [bounty_hunter.Env, bounty_hunter.ParallelEnv, bounty_hunter.VectorEnv]


@pytest.mark.parametrize(
    ("kind", "options", "error", "sentence"),
    [
        (kind, *row)
        for row in WRONG_OPTIONS
        for kind in KINDS
        if kind is bounty_hunter.ParallelEnv or not {"agents", "max_cycles", "record", "render_mode"} & row[0].keys()
    ],
)
def test_wrong_option_is_one_sentence_when_an_environment_is_made(kind, options, error, sentence):
    with pytest.raises(error) as refusal:
        kind(**options)
    assert sentence in str(refusal.value) and "\n" not in str(refusal.value)


def test_option_that_contains_itself_is_refused():
    rules = {}
    rules["rules"] = rules
    with pytest.raises(ValueError, match="the option rules contains itself"):
        bounty_hunter.Env(rules=rules)
    for _ in range(100_000):
        rules = {"rules": rules}
    with pytest.raises(ValueError, match="the option rules (is nested too deeply|contains itself)"):
        bounty_hunter.Env(rules=rules)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"agents": 0}, "agents is 0, must be a whole number from 1"),
        ({"agents": None}, "agents is None, must be a whole number from 1"),
        ({"num_envs": 0}, "num_envs is 0, must be a whole number from 1"),
        ({"num_envs": 3, "agents": 2, "players": 2}, "num_envs is 3, must be a multiple of 2"),
        ({"num_envs": 3, "num_worlds": 2}, "num_envs is 3, must be 2, 2 worlds of 1 agents"),
        ({"num_worlds": -1}, "num_worlds is -1, must be a whole number from 1"),
        ({"num_worlds": 1.5}, "num_worlds is 1.5, must be a whole number from 1"),
        ({"num_worlds": 2**40}, f"num_worlds is {2**40}, must be a whole number from 1"),
        ({"threads": 0}, "threads is 0, must be a whole number from 1 to 1024"),
        ({"threads": -1}, "threads is -1, must be a whole number from 1 to 1024"),
        ({"play_seconds": 1e30}, "play_seconds is 1e30, must be 0.01 to 86400"),
    ],
)
def test_wrong_size_of_a_vector_is_one_sentence(options, sentence):
    with pytest.raises(ValueError) as refusal:
        bounty_hunter.VectorEnv(**options)
    assert sentence in str(refusal.value) and "\n" not in str(refusal.value)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.9, True, "7"])
def test_wrong_seed_of_a_match_is_one_sentence(seed):
    with pytest.raises(ValueError, match="must be a whole number from 0 to"):
        bounty_hunter.play([seed], players=2)


def test_number_of_threads_of_matches_is_checked():
    with pytest.raises(ValueError, match="threads is -1, must be a whole number from 1 to 1024"):
        bounty_hunter.play([1], threads=-1, players=2)


def test_environments_refuse_the_same_continuous_actions_and_ask_for_a_reset():
    alone = bounty_hunter.Env(actions="continuous", players=2)
    alone.reset(seed=1)
    before = alone.state_hash()
    with pytest.raises(ValueError, match="must be from -1 to 1"):
        alone.step(np.array([2.0, 0.0], np.float32))
    assert alone.state_hash() == before
    for environment in [bounty_hunter.Env(players=2), bounty_hunter.ParallelEnv(players=2)]:
        with pytest.raises(RuntimeError, match="call reset first"):
            environment.step({} if isinstance(environment, bounty_hunter.ParallelEnv) else np.zeros(2, int))


def test_wrong_actions_are_refused_and_change_nothing():
    environment = bounty_hunter.VectorEnv(num_worlds=1, agents=2, players=2)
    environment.reset(seed=1)
    before = environment.state_hash(0)
    for actions, sentence in [
        (np.zeros((3, 2), int), "actions: 6 numbers, must be 4"),
        (np.full((2, 2), 7), "the action of row 0 is [7, 7], must be indices below 4, 7"),
        (np.zeros((2, 2)), "actions must be whole numbers, not float64"),
    ]:
        with pytest.raises(ValueError) as refusal:
            environment.step(actions)
        assert sentence in str(refusal.value)
    assert environment.state_hash(0) == before


@pytest.mark.parametrize("kind", [bounty_hunter.Env, bounty_hunter.ParallelEnv, bounty_hunter.VectorEnv])
@pytest.mark.parametrize("size", [0, -1, 4097, 2**32, 2**63, 2**70, 40.5, "big", None])
def test_size_of_pictures_is_checked_by_constructors(kind, size):
    with pytest.raises(ValueError, match="must be a whole number from 1 to 4096"):
        kind(size=size, players=2)


def test_arrays_that_would_lose_results_are_refused():
    environment = bounty_hunter.VectorEnv(num_worlds=2)
    environment.reset(seed=1)
    before = environment.state_hash(0)
    length = bounty_hunter.OBSERVATION_LENGTH
    good = lambda: [np.zeros((2, length), np.float32), np.zeros(2, np.float32), np.zeros(2, bool)]
    read_only = np.zeros(2, np.float32)
    read_only.flags.writeable = False
    for place, array, sentence in [
        (0, np.zeros((length, 2), np.float32).T, "observations must be contiguous in C order"),
        (0, np.zeros((2, 3, length), np.float32)[:, 1], "observations must be contiguous in C order"),
        (0, np.zeros(2 * length, np.float32), f"observations has the shape ({2 * length},)"),
        (0, np.zeros((2, length)), "the type float64, must be"),
        (0, [[0.0] * length] * 2, "observations is a list, must be a NumPy array"),
        (1, np.zeros(4, np.float32)[::2], "rewards must be contiguous in C order"),
        (1, read_only, "rewards must be contiguous in C order and writeable"),
        (1, np.zeros(2), "rewards has the shape (2,) and the type float64"),
        (2, np.zeros(2, np.uint8), "terminated has the shape (2,) and the type uint8, must be (2,) and bool"),
        (2, np.zeros(3, bool), "terminated has the shape (3,)"),
    ]:
        arrays = good()
        arrays[place] = array
        with pytest.raises(ValueError) as refusal:
            environment.step_into(np.zeros((2, 2), int), *arrays)
        assert sentence in str(refusal.value)
    assert environment.state_hash(0) == before
    rollout = np.zeros((3, 2, length), np.float32)
    environment.step_into(np.zeros((2, 2), int), rollout[1], *good()[1:])
    assert rollout[1].any() and np.array_equal(rollout[1], environment.observe())


@pytest.mark.parametrize(
    ("kind", "action", "sentence"),
    [
        ("discrete", [0.6, 3.0], "must be whole numbers"),
        ("discrete", [True, False], "must be whole numbers"),
        ("discrete", ["a", "b"], "must be whole numbers"),
        ("discrete", 1, "has the shape (), must be (2,)"),
        ("discrete", [1], "has the shape (1,), must be (2,)"),
        ("discrete", [1, 2, 0], "has the shape (3,), must be (2,)"),
        ("discrete", [4, 0], "is [4, 0], must be below 4, 7, and at least 0"),
        ("discrete", [0, -1], "is [0, -1], must be below 4, 7, and at least 0"),
        ("discrete", np.array([2**32, 0]), "is [4294967296, 0], must be below 4, 7"),
        ("goals", [1], "has the shape (1,), must be ()"),
        ("goals", 2.0, "must be whole numbers"),
        ("goals", bounty_hunter.GOALS, f"must be below {bounty_hunter.GOALS}"),
        ("continuous", 0.5, "has the shape (), must be (2,)"),
        ("continuous", [0.5, float("nan")], "must be from -1 to 1"),
        ("continuous", [1.5, 0.0], "is [1.5, 0.0], must be from -1 to 1"),
    ],
)
def test_parallel_environment_refuses_wrong_actions_and_changes_nothing(kind, action, sentence):
    environment = bounty_hunter.ParallelEnv(players=2, actions=kind)
    environment.reset(seed=1)
    before = environment.state_hash()
    good = environment.action_space("collector_0").sample()
    with pytest.raises(ValueError) as refusal:
        environment.step({"collector_0": good, "collector_1": action})
    assert "the action of collector_1" in str(refusal.value) and sentence in str(refusal.value)
    with pytest.raises(ValueError, match="there is no agent 'collector_2', there are collector_0 to collector_1"):
        environment.step({"collector_2": good})
    assert environment.state_hash() == before
    environment.step({"collector_0": good, "collector_1": np.asarray(good).tolist()})
    assert environment.state_hash() != before


def test_large_index_does_not_wrap_around():
    environment = bounty_hunter.Env(players=2)
    environment.reset(seed=1)
    with pytest.raises(ValueError, match="is .4294967296, 0., must be below 4, 7, and at least 0"):
        environment.step(np.array([2**32, 0]))


@pytest.mark.parametrize(
    "seed", [[], (), -1, 2**64, 1.5, "1", True, [-1, 0], [1], [1, 2, 3], [1, 2.5], [True, 1], ["1", "2"], np.array([1.5, 2.5]), np.True_]
)
def test_wrong_seed_of_vector_environment_is_one_sentence(seed):
    environment = bounty_hunter.VectorEnv(num_worlds=2)
    with pytest.raises(ValueError, match="^seeds? .*must .*") as refusal:
        environment.reset(seed=seed)
    assert "\n" not in str(refusal.value)
    with pytest.raises(ValueError, match="must be a whole number"):
        bounty_hunter.VectorEnv(num_worlds=2, seed=seed)
    environment.reset(seed=[5, 6])
    assert environment._batch.seed(0) == 5


NUMBERS = [np.int64, np.uint8, np.int32, lambda number: np.array(number), lambda number: np.array(number, np.uint16)]


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_of_numpy_are_numbers(number):
    half = np.float32(0.5)
    common = {"players": number(3), "frame_skip": number(4), "play_seconds": np.array(2.0), "rewards": {"step": half, "won": number(2)}}
    common |= {"rules": {"bounties_per_player": half, "rules": {"lives": number(3)}}, "opponents": np.array(["hard", "easy"])}
    plain = {"players": 3, "frame_skip": 4, "play_seconds": 2.0, "rewards": {"step": 0.5, "won": 2}}
    plain |= {"rules": {"bounties_per_player": 0.5, "rules": {"lives": 3}}, "opponents": ["hard", "easy"]}
    for kind in (bounty_hunter.Env, bounty_hunter.ParallelEnv, bounty_hunter.VectorEnv):
        agents = {} if kind is bounty_hunter.Env else {"agents": number(1)}
        one, other = kind(size=number(20), render_mode="rgb_array", **agents, **common), kind(size=20, agents=1, **plain)
        results = [environment.reset(seed=seed) for environment, seed in ((one, number(7)), (other, 7))]
        observations = [result[0]["collector_0"] if kind is bounty_hunter.ParallelEnv else result[0] for result in results]
        assert np.array_equal(*observations)
        world = [number(0)] if kind is bounty_hunter.VectorEnv else []
        assert one.state_hash(*world) == other.state_hash(*([0] if world else []))
    many = bounty_hunter.VectorEnv(num_envs=number(2), threads=number(1), seed=number(5), max_episode_steps=number(3), players=2)
    assert many.reset()[1]["seed"].tolist() == [5, 6]
    assert bounty_hunter.play([number(3)], threads=number(1), players=number(2), play_seconds=number(1)) == bounty_hunter.play(
        [3], players=2, play_seconds=1
    )


@pytest.mark.parametrize("value", [np.bool_(True), np.array(True), np.float32(2.0), np.array([2]), np.array("2"), True, 2.0, "2", None])
def test_what_is_no_whole_number_is_refused_everywhere(value):
    for call in (
        lambda: bounty_hunter.VectorEnv(num_worlds=value if value is not None else 0.0),
        lambda: bounty_hunter.Env(size=value),
        lambda: bounty_hunter.Env(agents=value),
        lambda: bounty_hunter.play([value], players=2),
        lambda: bounty_hunter.play([1], players=2, agents=value),
    ):
        with pytest.raises(ValueError, match="must be a whole number from"):
            call()


@pytest.mark.parametrize("action", [np.int64(2), 2, np.array(2), np.uint8(2), np.array(2, np.int16)])
def test_numbers_of_numpy_are_actions(action):
    hashes = set()
    for environment in (bounty_hunter.Env(players=2, actions="goals"), bounty_hunter.ParallelEnv(players=2, agents=1, actions="goals")):
        environment.reset(seed=1)
        environment.step({"collector_0": action} if isinstance(environment, bounty_hunter.ParallelEnv) else action)
        hashes.add(environment.state_hash())
    assert len(hashes) == 1


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64, ">i4", list, tuple])
def test_actions_of_any_type_of_whole_numbers_are_the_same(dtype):
    def given(action):
        return dtype(action) if dtype in (list, tuple) else np.array(action, dtype)

    hashes = set()
    for convert in (given, np.array):
        environment = bounty_hunter.ParallelEnv(players=3)
        environment.reset(seed=1)
        for step in range(4):
            environment.step({agent: convert([step % 4, (step + seat) % 7]) for seat, agent in enumerate(environment.agents)})
        hashes.add(environment.state_hash())
    assert len(hashes) == 1


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64, list])
def test_continuous_actions_of_any_type_are_the_same(dtype):
    hashes = set()
    for convert in (lambda action: list(action) if dtype is list else np.array(action, dtype), lambda action: np.array(action, np.float32)):
        environment = bounty_hunter.ParallelEnv(players=3, actions="continuous")
        environment.reset(seed=1)
        for step in range(4):
            environment.step({agent: convert([1, -1 if step % 2 else 0]) for agent in environment.agents})
        hashes.add(environment.state_hash())
    assert len(hashes) == 1


@pytest.mark.parametrize("actions", [[0, 1], None, np.zeros((2, 2)), "ab"])
def test_actions_that_are_no_dictionary_are_refused(actions):
    environment = bounty_hunter.ParallelEnv(players=2)
    environment.reset(seed=1)
    with pytest.raises(ValueError, match="must be a dictionary of actions by agent"):
        environment.step(actions)


def test_spaces_of_unknown_agents_are_refused():
    environment = bounty_hunter.ParallelEnv(players=2)
    for space in (environment.observation_space, environment.action_space):
        with pytest.raises(ValueError, match="there is no agent 'collector_2', there are collector_0 to collector_1"):
            space("collector_2")


def test_step_before_reset_says_what_to_do():
    with pytest.raises(RuntimeError, match="call reset first"):
        bounty_hunter.Env().step([0, 3])
