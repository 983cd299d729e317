"""Bitwise equal results, however a simulation is run: a short run of `conformance/determinism.py`."""

import pathlib
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "conformance" / "determinism.py"


def test_every_way_has_the_same_bits():
    command = [sys.executable, str(SCRIPT), "--steps", "100", "--only", "humanoid,RK4,cones,islands,cloth"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 of 6 models have the same bits every way" in done.stdout
