"""The package is typed: its source passes the strictest checks, its stubs are those of the core, and users see its types."""

import os
import pathlib
import subprocess
import sys

import bounty_hunter

PACKAGE = pathlib.Path(bounty_hunter.__file__).parent
SETTINGS = pathlib.Path(__file__).parents[1] / "pyproject.toml"


def run(*arguments, cwd):
    environment = {**os.environ, "MYPY_CACHE_DIR": str(cwd / "cache")}
    return subprocess.run([sys.executable, "-m", *arguments], cwd=cwd, env=environment, capture_output=True, text=True)


def test_package_passes_strict_checks(tmp_path):
    outcome = run("mypy", "--config-file", str(SETTINGS), "--package", "bounty_hunter", cwd=tmp_path)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


def test_stubs_are_those_of_the_core(tmp_path):
    outcome = run("mypy.stubtest", "bounty_hunter._core", cwd=tmp_path)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


def test_user_sees_types(tmp_path):
    (tmp_path / "good.py").write_text(
        "import bounty_hunter\n"
        "environment = bounty_hunter.VectorEnv(num_worlds=2, players=2)\n"
        "hash_: int = environment.state_hash(0)\n"
        "first: tuple[float, ...] = bounty_hunter.DRIVES\n"
    )
    (tmp_path / "wrong.py").write_text("import bounty_hunter\nbounty_hunter.VectorEnv(num_worlds='two')\nx: str = bounty_hunter.Env().state_hash()\n")
    assert (PACKAGE / "py.typed").exists()
    assert run("mypy", "--strict", "good.py", cwd=tmp_path).returncode == 0
    outcome = run("mypy", "--strict", "wrong.py", cwd=tmp_path)
    assert outcome.returncode == 1 and "[arg-type]" in outcome.stdout and "[assignment]" in outcome.stdout, outcome.stdout
