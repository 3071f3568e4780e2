"""Every vector wrapper of Gymnasium does over a `VectorEnv` what it does over Gymnasium's own vector environments, in every mode."""

import re

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from gymnasium import spaces, wrappers
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as vector_wrappers

import bounty_hunter
from beside import MODES, actions_of, assert_equal_infos, of_gymnasium, play, vector

LENGTH = bounty_hunter.OBSERVATION_LENGTH
IMAGE = spaces.Box(0, 255, (4, 5, 3), np.uint8)


def as_images(environment):
    """The first numbers of an observation as colours, for the wrappers of images."""
    to_image = lambda observation: ((observation[:60] + 1) * 50).astype(np.uint8).reshape(4, 5, 3)
    kind = vector_wrappers.VectorizeTransformObservation
    return kind(environment, wrappers.TransformObservation, func=to_image, observation_space=IMAGE)


def as_dictionaries(environment):
    parts = spaces.Dict({"all": environment.single_observation_space, "first": spaces.Box(-1.0, 4.0, (1,), np.float32)})
    kind, func = vector_wrappers.VectorizeTransformObservation, lambda all_: {"all": all_, "first": all_[:1]}
    return kind(environment, wrappers.TransformObservation, func=func, observation_space=parts)


def half(numbers):
    return numbers * np.float32(0.5)


def in_a_window(environment):
    # As fast as it can: a test does not wait for pictures to be seen.
    environment.metadata["render_fps"] = 10_000
    return vector_wrappers.HumanRendering(environment)


# How each wrapper is put around an environment with continuous actions.
WRAPPERS = {
    "VectorizeTransformObservation": lambda kind, env: kind(
        env, wrappers.TransformObservation, func=half, observation_space=env.single_observation_space
    ),
    "VectorizeTransformAction": lambda kind, env: kind(
        env, wrappers.TransformAction, func=half, action_space=env.single_action_space
    ),
    "VectorizeTransformReward": lambda kind, env: kind(env, wrappers.TransformReward, func=half),
    "DictInfoToList": lambda kind, env: kind(env),
    "TransformObservation": lambda kind, env: kind(env, half),
    "FilterObservation": lambda kind, env: kind(as_dictionaries(env), ["first"]),
    "FlattenObservation": lambda kind, env: kind(as_images(env)),
    "GrayscaleObservation": lambda kind, env: kind(as_images(env)),
    "ResizeObservation": lambda kind, env: kind(as_images(env), shape=(8, 6)),
    "ReshapeObservation": lambda kind, env: kind(env, shape=(LENGTH, 1)),
    "RescaleObservation": lambda kind, env: kind(env, min_obs=np.float32(0.0), max_obs=np.float32(1.0)),
    "DtypeObservation": lambda kind, env: kind(env, np.float64),
    "NormalizeObservation": lambda kind, env: kind(env),
    "TransformAction": lambda kind, env: kind(env, half),
    "ClipAction": lambda kind, env: kind(env),
    "RescaleAction": lambda kind, env: kind(env, min_action=np.float32(-0.5), max_action=np.float32(0.5)),
    "TransformReward": lambda kind, env: kind(env, half),
    "ClipReward": lambda kind, env: kind(env, -0.25, 0.25),
    "NormalizeReward": lambda kind, env: kind(env),
    "RecordEpisodeStatistics": lambda kind, env: kind(env),
    "RecordVideo": lambda kind, env: kind(env, "videos", video_length=3),
    "HumanRendering": lambda kind, env: in_a_window(env),
}
# How each wrapper for arrays of other libraries is put around an environment, and the type of the arrays that it returns.
CONVERSIONS = {
    "ArrayConversion": (lambda kind, env: kind(env, env_xp=np, target_xp=jnp), jnp.ndarray, jnp.asarray),
    "JaxToNumpy": (lambda kind, env: kind(to_jax(env)), np.ndarray, np.asarray),
    "JaxToTorch": (lambda kind, env: kind(to_jax(env)), torch.Tensor, torch.tensor),
    "NumpyToTorch": (lambda kind, env: kind(env), torch.Tensor, torch.tensor),
}


def to_jax(environment):
    return vector_wrappers.ArrayConversion(environment, env_xp=np, target_xp=jnp)


def test_no_wrapper_is_forgotten():
    assert set(vector_wrappers.__all__) == {*WRAPPERS, *CONVERSIONS}


def assert_equal(one, other):
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        [assert_equal(one[name], other[name]) for name in one]
    else:
        assert one.shape == other.shape and one.dtype == other.dtype and np.allclose(one, other, atol=1e-5)


def assert_equal_lists(one, other):
    """Infos for each row: numbers, except those of rows that only single environments have."""
    for ours, theirs in zip(one, other, strict=True):
        assert ours.keys() == theirs.keys() - {"stashes"}
        for name, value in ours.items():
            assert_equal_lists([value], [theirs[name]]) if isinstance(value, dict) else np.testing.assert_allclose(value, theirs[name])


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@pytest.mark.parametrize("name", WRAPPERS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_wrapper_does_what_it_does_over_environments_of_gymnasium(name, mode, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kind, put = getattr(vector_wrappers, name), WRAPPERS[name]
    options = {"actions": "continuous", "render_mode": "rgb_array", "size": 32, "max_episode_steps": 13}
    make = [lambda: vector(mode, **options), lambda: of_gymnasium(mode, **options)]
    try:
        theirs = put(kind, make[1]())
    except (ValueError, AssertionError) as refusal:
        # The wrapper does not take this mode, from nobody.
        with pytest.raises(type(refusal), match=re.escape(str(refusal))):
            put(kind, make[0]())
        assert mode is not AutoresetMode.NEXT_STEP
        return
    ours = put(kind, make[0]())
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    try:
        runs = [play(environment, mode, 34, actions_of(ours)) for environment in (theirs, ours)]
    except ValueError as refusal:
        assert "does not support partial resets" in str(refusal) and mode is AutoresetMode.DISABLED
        return
    for (other, _), (one, _) in zip(*runs, strict=True):
        for one_part, other_part in zip(one[:-1], other[:-1], strict=True):
            # Rewards are float32, and those of Gymnasium's float64.
            one_part = one_part.astype(other_part.dtype) if isinstance(one_part, np.ndarray) else one_part
            assert_equal(one_part, other_part)
        if isinstance(one[-1], list):
            assert_equal_lists(one[-1], other[-1])
        else:
            assert_equal_infos(one[-1], other[-1])
        if "episode" in one[-1]:
            for key in ("r", "l"):
                assert np.allclose(one[-1]["episode"][key], other[-1]["episode"][key])
    ours.close()
    theirs.close()
    if name == "RecordVideo":
        assert list(tmp_path.glob("videos/*.mp4"))
    if name == "RecordEpisodeStatistics":
        assert list(ours.length_queue) == list(theirs.length_queue) and len(ours.length_queue) >= 6


def numbers_of(value):
    if isinstance(value, dict):
        return {name: numbers_of(element) for name, element in value.items()}
    return np.asarray(value)


@pytest.mark.parametrize("actions", ["continuous", "discrete", "goals"])
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@pytest.mark.parametrize("name", CONVERSIONS)
def test_conversion_returns_the_same_numbers_in_other_arrays(name, mode, actions):
    put, kind, convert = CONVERSIONS[name]
    plain, wrapped = vector(mode, 13, actions=actions), put(getattr(vector_wrappers, name), vector(mode, 13, actions=actions))
    all_actions = actions_of(plain)
    expected, result = plain.reset(seed=30), wrapped.reset(seed=30)
    ends = 0
    for _ in range(34):
        for one, other in zip(result[:-1], expected[:-1], strict=True):
            assert isinstance(one, kind) and np.allclose(np.asarray(one), other)
        assert set(result[-1]) == set(expected[-1])
        for key, value in expected[-1].items():
            if not isinstance(value, dict):
                assert isinstance(result[-1][key], kind)
                assert np.allclose(np.asarray(result[-1][key]).astype(float), value.astype(float)), key
        given = next(all_actions)
        expected, result = plain.step(given), wrapped.step(convert(given))
        have_ended = expected[2] | expected[3]
        ends += have_ended.sum()
        if mode is AutoresetMode.DISABLED and have_ended.any():
            mask = {"reset_mask": have_ended}
            expected = plain.reset(options=mask)
            result = wrapped.reset(options={"reset_mask": convert(have_ended)})
    assert ends >= 6
