"""A sweep on a Ray cluster survives the death of a node, and continues after an interruption."""

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
