"""The vector environment keeps the contract of Gymnasium, as its own vector environments do."""

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError
from gymnasium.vector import AutoresetMode

import bounty_hunter
from beside import MODES, SHORT, WORLDS, actions_of, assert_equal_infos, of_gymnasium, play, vector


@pytest.mark.parametrize("max_episode_steps", [None, 13, 30])
@pytest.mark.parametrize("mode", MODES)
def test_vector_environment_equals_what_gymnasium_makes_of_single_ones(mode, max_episode_steps):
    ours, theirs = vector(mode, max_episode_steps), of_gymnasium(mode, max_episode_steps)
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"]
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.single_action_space == theirs.single_action_space
    runs = [play(environment, mode, 65, actions_of(ours)) for environment in (ours, theirs)]
    ends = 0
    for (one, _), (other, _) in zip(*runs, strict=True):
        for one_part, other_part in zip(one[:-1], other[:-1], strict=True):
            assert one_part.shape == other_part.shape and np.allclose(one_part, other_part)
        assert_equal_infos(one[-1], other[-1])
        ends += sum(int(flags.sum()) for flags in one[2:4]) if len(one) == 5 else 0
    assert ends >= 2 * WORLDS


@pytest.mark.parametrize("mode", MODES)
def test_rows_of_a_world_end_together(mode):
    environment = bounty_hunter.VectorEnv(num_worlds=2, autoreset_mode=mode, agents=2, max_episode_steps=5, **SHORT)
    results = play(environment, mode, 12, actions_of(environment))
    flags = np.array([result[3] for result, mask in results if len(result) == 5])
    assert flags.any() and (flags[:, ::2] == flags[:, 1::2]).all()
    with pytest.raises(ValueError, match="reset_mask parts the agents of a world, must mark all 2 rows"):
        environment.reset(options={"reset_mask": np.array([True, False, False, False])})


def test_final_information_is_that_of_the_match_that_ended():
    environment = vector(AutoresetMode.SAME_STEP)
    environment.reset(seed=[5, 9, 5])
    actions = actions_of(environment)
    for _ in range(29):
        *_, infos = environment.step(next(actions))
        assert "final_obs" not in infos and "final_info" not in infos and environment.finished == []
    observations, _, terminated, _, infos = environment.step(next(actions))
    assert terminated.all() and infos["_final_obs"].all() and infos["_final_info"].all()
    assert infos["final_info"]["seed"].tolist() == [5, 9, 5] and infos["seed"].tolist() == [8, 12, 8]
    assert infos["final_info"]["steps"].tolist() == [120] * 3 and infos["steps"].tolist() == [0] * 3
    assert not np.array_equal(infos["final_obs"], observations)
    winners = [-1 if match["winner"] is None else match["winner"] for match in environment.finished]
    assert infos["final_info"]["winner"].tolist() == winners
    assert [bounty_hunter.ENDINGS[ending] for ending in infos["final_info"]["ending"]] == ["time"] * 3


@pytest.mark.parametrize("mode", [*MODES, *(mode.value for mode in MODES)])
def test_mode_is_chosen_when_the_environment_is_made(mode):
    environment = gymnasium.make_vec("BountyHunter-v0", num_envs=2, autoreset_mode=mode, players=2)
    assert environment.metadata["autoreset_mode"] is AutoresetMode(mode)


def test_default_mode_is_that_of_gymnasium():
    assert gymnasium.make_vec("BountyHunter-v0", players=2).metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"autoreset_mode": "next_step"}, "autoreset_mode is 'next_step', must be a gymnasium.vector.AutoresetMode, or one of 'NextStep', "),
        ({"autoreset_mode": None}, "autoreset_mode is None, must be"),
        ({"max_episode_steps": 0}, "max_episode_steps is 0, must be a whole number from 1"),
        ({"max_episode_steps": 2.5}, "max_episode_steps is 2.5, must be a whole number"),
        ({"copy": "no"}, "copy is 'no', must be True or False"),
        ({"render_mode": "human"}, "render_mode is 'human', must be 'rgb_array' or None"),
        ({"agents": True}, "agents is True, must be a whole number"),
        ({"opponents": ["nobody"], "players": 2}, 'there is no AI profile "nobody"'),
        ({"actions": ["discrete"]}, "actions is ['discrete'], must be 'discrete', 'goals' or 'continuous'"),
    ],
)
def test_wrong_argument_is_one_sentence(arguments, sentence):
    with pytest.raises(ValueError) as refusal:
        bounty_hunter.VectorEnv(**arguments)
    assert sentence in str(refusal.value) and "\n" not in str(refusal.value)


def test_episodes_of_make_vec_are_truncated():
    environment = gymnasium.make_vec("BountyHunter-v0", num_envs=2, max_episode_steps=3, players=2)
    environment.reset(seed=1)
    actions = np.zeros((2, 2), int)
    flags = [environment.step(actions)[2:4] for _ in range(8)]
    assert [truncated.tolist() for _, truncated in flags] == [[is_cut] * 2 for is_cut in [False, False, True, False] * 2]
    assert not np.array([terminated for terminated, _ in flags]).any()


@pytest.mark.parametrize("options", [{"players": 2}, {"players": 2, "agents": 2}])
def test_each_world_has_its_seed_of_a_list(options):
    environment = bounty_hunter.VectorEnv(num_worlds=3, **options)
    for seeds in ([5, 2, 5], (7, 1, 2**64 - 1), np.array([3, 1, 2]), [np.int64(4), np.array(5), 6]):
        _, infos = environment.reset(seed=seeds)
        assert infos["seed"][:: environment.agents_per_world].tolist() == [int(seed) for seed in seeds]
    one = environment.reset(seed=[5, 2, 5])[0].reshape(3, -1)
    assert np.array_equal(one[0], one[2]) and not np.array_equal(one[0], one[1])
    _, infos = environment.reset(seed=[None, 40, None])
    assert infos["seed"][:: environment.agents_per_world].tolist() == [8, 40, 8]


def test_resets_without_a_seed_differ():
    seeds = []
    for _ in range(3):
        environment = gymnasium.make_vec("BountyHunter-v0", num_envs=2, players=2)
        for _ in range(3):
            seeds += environment.reset()[1]["seed"].tolist()
    assert len(set(seeds)) == len(seeds)
    again = []
    for _ in range(2):
        first = environment.reset(seed=3)[0]
        again.append((first, environment.reset()[0]))
    assert np.array_equal(*(run[0] for run in again)) and np.array_equal(*(run[1] for run in again))
    assert not np.array_equal(*again[0])


@pytest.mark.parametrize("kind", [bounty_hunter.Env, bounty_hunter.ParallelEnv])
def test_single_environments_without_a_seed_differ(kind):
    def seeds():
        environment = kind(players=2)
        infos = [environment.reset()[1] for _ in range(3)]
        return [info["seed"] if kind is bounty_hunter.Env else info["collector_0"]["seed"] for info in infos]

    drawn = seeds() + seeds()
    assert len(set(drawn)) == 6


def test_mask_resets_some_rows_and_is_not_changed():
    environment = vector(AutoresetMode.NEXT_STEP)
    environment.reset(seed=1)
    actions = actions_of(environment)
    for _ in range(4):
        observations, *_ = environment.step(next(actions))
    hashes = environment.call("state_hash")
    mask = np.array([True, False, False])
    options = {"reset_mask": mask, "other": 1}
    again, infos = environment.reset(seed=[77, 88, None], options=options)
    assert options == {"reset_mask": mask, "other": 1} and mask.tolist() == [True, False, False]
    assert np.array_equal(again[1:], observations[1:]) and not np.array_equal(again[0], observations[0])
    assert environment.call("state_hash")[1:] == hashes[1:]
    assert infos["_seed"].tolist() == mask.tolist() and infos["seed"].tolist() == [77, 0, 0]


@pytest.mark.parametrize(
    ("mask", "error", "sentence"),
    [
        ([True, False, False], TypeError, "reset_mask is a list, must be a NumPy array of bool"),
        (np.ones(3, int), TypeError, "reset_mask is an array of int64, must be a NumPy array of bool"),
        (np.ones(2, bool), ValueError, "reset_mask has the shape (2,), must be (3,)"),
        (np.zeros(3, bool), ValueError, "reset_mask marks nothing"),
    ],
)
def test_wrong_mask_is_refused_and_changes_nothing(mask, error, sentence):
    environment = vector(AutoresetMode.DISABLED)
    environment.reset(seed=1)
    before = environment.call("state_hash")
    with pytest.raises(error) as refusal:
        environment.reset(options={"reset_mask": mask})
    assert sentence in str(refusal.value) and environment.call("state_hash") == before


def test_match_that_is_over_is_not_stepped_without_a_reset():
    environment = vector(AutoresetMode.DISABLED, max_episode_steps=2)
    environment.reset(seed=1)
    actions = actions_of(environment)
    environment.step(next(actions))
    environment.step(next(actions))
    with pytest.raises(ValueError, match="the match of world 0 is over: begin its next one with reset.options="):
        environment.step(next(actions))
    environment.reset(options={"reset_mask": np.ones(3, bool)})
    environment.step(next(actions))


def test_attributes_of_rows_are_read_set_and_called():
    environment = vector(AutoresetMode.NEXT_STEP, render_mode="rgb_array", size=24)
    environment.reset(seed=4)
    assert environment.get_attr("seed") == (4, 5, 6) and environment.call("seed") == (4, 5, 6)
    assert environment.call("state_hash") == tuple(environment.state_hash(world) for world in range(3))
    assert [picture.shape for picture in environment.call("render")] == [(24, 24, 3)] * 3
    spaces = environment.get_attr("action_space")
    assert spaces[0] == environment.single_action_space and spaces[0] is not spaces[1]
    assert environment.get_attr("action_space")[1] is spaces[1]
    environment.set_attr("difficulty", [1, 2, 3])
    assert environment.get_attr("difficulty") == (1, 2, 3)
    environment.set_attr("difficulty", 7)
    assert environment.get_attr("difficulty") == (7, 7, 7)
    states = environment.call("clone_state")
    assert len(states) == 3
    for name in ("frame_skip", "seed", "render_mode"):
        with pytest.raises(AttributeError):
            environment.set_attr(name, 3)
    with pytest.raises(AttributeError, match="nothing"):
        environment.get_attr("nothing")
    with pytest.raises(ValueError, match="values has 2 values, must have 3"):
        environment.set_attr("difficulty", [1, 2])


def test_row_of_several_agents_has_the_stash_of_its_agent():
    environment = bounty_hunter.VectorEnv(num_worlds=2, agents=2, players=3)
    _, infos = environment.reset(seed=1)
    assert environment.get_attr("world") == (0, 0, 1, 1) and environment.get_attr("stash") == tuple(infos["stash"].tolist())


def test_pictures_are_one_for_each_row():
    environment = bounty_hunter.VectorEnv(num_worlds=2, agents=2, players=3, render_mode="rgb_array", size=20)
    environment.reset(seed=1)
    pictures = environment.render()
    assert len(pictures) == 4 and np.array_equal(pictures[0], pictures[1]) and not np.array_equal(pictures[0], pictures[2])
    assert not np.shares_memory(pictures[0], pictures[1])


def calls_of(environment):
    """Everything that needs a match, by name."""
    is_vector = isinstance(environment, bounty_hunter.VectorEnv)
    arguments = {"clone_state": (0,), "state_hash": (0,)} if is_vector else {"save_replay": ("x.replay",)}
    actions = {} if isinstance(environment, bounty_hunter.ParallelEnv) else environment.action_space.sample()
    names = ["reset", "render", "clone_state", "state_hash"]
    names += ["observe", "call", "get_attr", "set_attr"] if is_vector else ["save_replay"]
    names += ["state"] if isinstance(environment, bounty_hunter.ParallelEnv) else []
    arguments |= {"call": ("state_hash",), "get_attr": ("seed",), "set_attr": ("x", 1)}
    return {"step": lambda: environment.step(actions)} | {
        name: lambda name=name: getattr(environment, name)(*arguments.get(name, ())) for name in names
    }


@pytest.mark.parametrize("kind", [bounty_hunter.Env, bounty_hunter.ParallelEnv, bounty_hunter.VectorEnv])
@pytest.mark.parametrize("has_begun", [True, False])
def test_closed_environment_refuses_everything(kind, has_begun, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    environment = kind(players=2, render_mode="rgb_array")
    state = None
    if has_begun:
        environment.reset(seed=1)
        state = environment.clone_state(*([0] if kind is bounty_hunter.VectorEnv else []))
    environment.close()
    environment.close()
    for name, call in calls_of(environment).items():
        with pytest.raises(ClosedEnvironmentError, match="the environment is closed"):
            call()
            pytest.fail(f"{name} is not refused")
    if has_begun:
        with pytest.raises(ClosedEnvironmentError):
            environment.restore_state(*([0, state] if kind is bounty_hunter.VectorEnv else [state]))
    assert not list(tmp_path.iterdir())


def test_step_before_the_first_reset_is_refused():
    environment = bounty_hunter.VectorEnv(num_worlds=2)
    with pytest.raises(RuntimeError, match="call reset first"):
        environment.step(np.zeros((2, 2), int))


@pytest.mark.parametrize(
    ("kind", "actions", "sentence"),
    [
        ("continuous", [[0.0, 1.5], [0.0, 0.0]], "the action of row 0 is [0.0, 1.5], must be a drive and a turn from -1 to 1"),
        ("continuous", [[0.0, 0.0], [-1.0001, 0.0]], "the action of row 1 is [-1.0001, 0.0], must be"),
        ("continuous", [[0.0, 0.0], [0.0, 1e300]], "the action of row 1 is not finite, must be"),
        ("continuous", [[0.0, 0.0], [0.0, float("nan")]], "the action of row 1 is not finite, must be"),
        ("continuous", [0.0, 0.0, 0.0, 0.0], "actions have the shape (4,), must be (2, 2)"),
        ("continuous", [["a", "b"], ["c", "d"]], "actions must be numbers"),
        ("continuous", [[True, False], [True, False]], "actions must be numbers"),
        ("discrete", [[4, 0], [0, 0]], "the action of row 0 is [4, 0], must be indices below 4, 7"),
        ("discrete", [[0, 0], [0, -1]], "the action of row 1 is [0, -1], must be indices"),
        ("discrete", [0, 0, 0, 0], "actions have the shape (4,), must be (2, 2)"),
        ("discrete", [[0, 0, 0, 0]], "actions have the shape (1, 4), must be (2, 2)"),
        ("discrete", [[0.0, 0.0], [0.0, 0.0]], "actions must be whole numbers, not float64"),
        ("discrete", [[0, 2**32], [0, 0]], "must be indices"),
        ("goals", [0, bounty_hunter.GOALS], f"the action of row 1 is {bounty_hunter.GOALS}, must be the index of a goal"),
        ("goals", [[0], [0]], "actions have the shape (2, 1), must be (2,)"),
        ("goals", 0, "actions: 1 numbers, must be 2"),
    ],
)
def test_actions_outside_the_space_are_refused_and_change_nothing(kind, actions, sentence):
    environment = bounty_hunter.VectorEnv(num_worlds=2, players=2, actions=kind)
    environment.reset(seed=1)
    before = environment.call("state_hash")
    for given in (actions, np.array(actions)):
        with pytest.raises(ValueError) as refusal:
            environment.step(given)
        assert sentence in str(refusal.value)
    assert environment.call("state_hash") == before
    environment.step(environment.action_space.sample())
    assert environment.call("state_hash") != before


def test_step_into_tells_truncations():
    environment = vector(AutoresetMode.SAME_STEP, max_episode_steps=2)
    environment.reset(seed=1)
    arrays = np.zeros((3, bounty_hunter.OBSERVATION_LENGTH), np.float32), np.zeros(3, np.float32), np.zeros(3, bool)
    actions = np.zeros((3, 2), int)
    with pytest.raises(ValueError, match="truncated is missing: with max_episode_steps, pass an array for it"):
        environment.step_into(actions, *arrays)
    truncated = np.ones(3, bool)
    assert environment.step_into(actions, *arrays, truncated) == [] and not truncated.any()
    finished = environment.step_into(actions, *arrays, truncated)
    assert truncated.all() and [match["ending"] for match in finished] == ["truncated"] * 3
