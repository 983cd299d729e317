"""Notebooks run from top to bottom."""

import json
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks():
    assert len(BOOKS) >= 3


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_runs(path):
    pytest.importorskip("PIL", reason="pillow is not installed: notebooks that show pictures are not run")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    program = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    done = subprocess.run([sys.executable, "-W", "error::RuntimeWarning", "-"], input=program, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
