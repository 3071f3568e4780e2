"""Bad input is one clear sentence."""

import numpy as np
import pytest

import bounty_hunter


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
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
        ({"render_mode": "human"}, ValueError, "render_mode is 'human', must be 'rgb_array' or None"),
    ],
)
def test_wrong_option_is_one_sentence(options, error, sentence):
    with pytest.raises(error) as refusal:
        bounty_hunter.ParallelEnv(**options).reset(seed=1)
    assert sentence in str(refusal.value) and "\n" not in str(refusal.value)


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


def test_step_before_reset_says_what_to_do():
    with pytest.raises(RuntimeError, match="call reset first"):
        bounty_hunter.Env().step([0, 3])
