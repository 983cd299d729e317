"""Python programs in the documents run as they are written."""

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


def programs():
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for i, code in enumerate(re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.S)):
            yield pytest.param(code, id=f"{path.name}-{i}")


def test_there_are_programs():
    assert len(list(programs())) >= 6


@pytest.mark.parametrize("code", list(programs()))
def test_runs(code):
    for package in ("dm_control", "torch", "jax", "ray"):
        if re.search(rf"import (sinew\.)?{package}|from {package}", code):
            pytest.importorskip(package, reason=f"{package} is not installed: a program that needs it is not run")
    done = subprocess.run([sys.executable, "-W", "error::RuntimeWarning", "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
