"""The tests that MuJoCo ships for its own Python module, run on sinew."""

import pathlib
import re
import subprocess
import sys

import mujoco

# Expected failures, with reasons.
EXPECTED = {
    "test_can_raise_error": "there is no stack to fill",
    "test_docstrings": "words of our own",
    "test_xml_dependencies": "reads a file that MuJoCo's wheel does not have",
}

SETUP = """
import sinew
sinew.as_mujoco()
"""


def test_mujocos_own(tmp_path):
    source = (pathlib.Path(mujoco.__file__).parent / "bindings_test.py").read_text(encoding="utf-8")
    (tmp_path / "conftest.py").write_text(SETUP)
    (tmp_path / "bindings_test.py").write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "bindings_test.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    failed = set(re.findall(r"^FAILED bindings_test\.py::\w+::(\w+)", done.stdout, re.M))
    assert failed == set(EXPECTED), (failed ^ set(EXPECTED), done.stdout[-3000:])
    assert int(re.search(r"(\d+) passed", done.stdout).group(1)) > 90
