"""dm_control's tasks run with `mujoco` replaced, and give the same observations as with MuJoCo."""

import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("dm_control")
SCRIPT = pathlib.Path(__file__).with_name("dm_control_twice.py")


def run(engine):
    done = subprocess.run([sys.executable, SCRIPT, engine], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_drop_in():
    mine, theirs = run("sinew"), run("mujoco")
    assert len(mine) == len(theirs) == 28
    for task, steps in theirs.items():
        for a, b in zip(mine[task], steps, strict=True):
            assert a["reward"] == pytest.approx(b["reward"], abs=1e-6), task
            assert a["observation"].keys() == b["observation"].keys(), task
            for name, values in b["observation"].items():
                assert np.allclose(a["observation"][name], values, rtol=1e-6, atol=1e-6), (task, name)
