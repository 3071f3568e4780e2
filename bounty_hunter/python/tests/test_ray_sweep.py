"""A sweep on a Ray cluster survives the death of a node, and continues after an interruption."""

import json
import pathlib
import sys

import pytest

ray = pytest.importorskip("ray")
pytest.importorskip("pyarrow")
from ray.cluster_utils import Cluster  # noqa: E402

sys.path.append(str(pathlib.Path(__file__).parents[1] / "examples"))
import ray_sweep  # noqa: E402

GRID = {"bounties_per_player": [0.5, 1.5]}
OPTIONS = {"mode": "classic", "players": 2, "opponents": ["normal"], "play_seconds": 20}
MATCHES, SIZE = 240, 10


def test_plan_of_another_sweep_or_version_is_refused(tmp_path, monkeypatch):
    plan = {"grid": GRID, "matches": MATCHES, "size": SIZE, "options": OPTIONS}
    ray_sweep.keep_plan(tmp_path, plan)
    ray_sweep.keep_plan(tmp_path, plan)
    assert [path.name for path in tmp_path.iterdir()] == ["plan.json"]
    before = (tmp_path / "plan.json").read_text()
    assert json.loads(before)["version"] == ray_sweep.bounty_hunter.VERSION
    with pytest.raises(SystemExit, match="has another sweep"):
        ray_sweep.keep_plan(tmp_path, {**plan, "matches": MATCHES + 1})
    monkeypatch.setattr(ray_sweep.bounty_hunter, "VERSION", "99.0.0")
    with pytest.raises(SystemExit, match="this is 99.0.0"):
        ray_sweep.keep_plan(tmp_path, plan)
    assert (tmp_path / "plan.json").read_text() == before


def test_file_that_is_not_complete_gets_no_name(tmp_path):
    def fail(unfinished):
        unfinished.write_text("half")
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        ray_sweep.write_whole(tmp_path / "part.parquet", fail)
    assert not list(tmp_path.iterdir())
    names = []
    ray_sweep.write_whole(tmp_path / "part.parquet", lambda path: (names.append(path.name), path.write_text("whole")))
    assert (tmp_path / "part.parquet").read_text() == "whole"
    assert ray_sweep.socket.gethostname() in names[0] and f"-{ray_sweep.os.getpid()}." in names[0]


@pytest.fixture
def cluster():
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    workers = [cluster.add_node(num_cpus=1) for _ in range(2)]
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster, workers
    ray.shutdown()
    cluster.shutdown()


def test_sweep_loses_and_repeats_no_match_when_a_node_is_killed(cluster, tmp_path):
    cluster, workers = cluster
    killed = []

    def progress(done, all_parts):
        if done >= 5 and not killed:
            killed.append(done)
            cluster.remove_node(workers[1], allow_graceful=False)

    played = ray_sweep.sweep(tmp_path, GRID, MATCHES, SIZE, OPTIONS, progress)
    assert killed and played == MATCHES
    assert ray_sweep.verify(tmp_path, GRID, MATCHES, SIZE)

    # An interruption: some files are missing, and one was being written.
    files = sorted(tmp_path.glob("*.parquet"))
    for file in files[3:6]:
        file.unlink()
    (tmp_path / "point-0000-seed-000000031-10.unfinished").write_bytes(b"half a file")
    assert not ray_sweep.verify(tmp_path, GRID, MATCHES, SIZE)
    assert ray_sweep.sweep(tmp_path, GRID, MATCHES, SIZE, OPTIONS) == 3 * SIZE
    assert ray_sweep.verify(tmp_path, GRID, MATCHES, SIZE)
