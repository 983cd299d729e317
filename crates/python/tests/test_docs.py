"""Programs and commands in the documents: Python code runs as written, shell commands name things that exist."""

import os
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
TASKS = re.findall(r'^        "(\w+)" =>', (ROOT / "xtask" / "src" / "main.rs").read_text(encoding="utf-8"), re.M)
# checks of the arguments of these cargo options
CARGO = {"--path": lambda w: (ROOT / w).is_dir(), "-p": lambda w: (ROOT / "crates" / w.removeprefix("sinew-")).is_dir()}
# other commands that are allowed
TOOLS = {"pip", "export", "RUSTFLAGS", "rustup", "node", "ulimit", "cd", "git", "apt-get", "zig"}


def blocks(language):
    for path in PAGES:
        for i, text in enumerate(re.findall(rf"```{language}\n(.*?)```", path.read_text(encoding="utf-8"), re.S)):
            yield pytest.param(text, id=f"{path.stem}-{i}")


def test_there_are_programs():
    assert len(list(blocks("python"))) >= 40 and len(list(blocks("sh"))) >= 15


def test_all_blocks_are_tested():
    """Rust is compared with examples by `crates/sinew/tests/readme.rs`, XML is compiled here; the rest is output."""
    for path in PAGES:
        for language in re.findall(r"^```(\w+)", path.read_text(encoding="utf-8"), re.M):
            assert language in ("python", "sh", "rust", "xml", "text"), f"{path}: a block of {language}"


@pytest.mark.parametrize("code", list(blocks("python")))
def test_runs(code, tmp_path):
    for package in ("dm_control", "torch", "jax", "ray"):
        if re.search(rf"import (sinew\.)?{package}|from {package}", code):
            pytest.importorskip(package, reason=f"{package} is not installed: a program that needs it is not run")
    (tmp_path / "models").symlink_to(ROOT / "models")  # files written by programs stay out of the project
    quiet = {**os.environ, "SINEW_VIEWER_OPEN": "0"}
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, env=quiet, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def options(words, text):
    """Long options of a command that are missing in its source."""
    return [w for w in words if w.startswith("--") and w.split("=")[0] not in text]


def unknown(words):
    """Names in a command that do not exist."""
    match words:
        case ["cargo", "xtask", task, *_]:
            return [] if task in TASKS else [task]
        case ["cargo", *rest]:
            return [word for flag, word in zip(rest, rest[1:]) if flag in CARGO and not CARGO[flag](word)]
        case ["python", "-m", *_] | ["sinew", *_]:  # other modules; the command is parsed by its own tests
            return []
        case ["python", script, *rest]:
            path = next((p for p in (ROOT / script, ROOT.parent / "shared" / "bench" / script) if p.is_file()), None)
            return [script] if path is None else options(rest, path.read_text(encoding="utf-8"))
        case [tool, *_]:
            return [] if tool.split("=")[0] in TOOLS else [tool]


@pytest.mark.parametrize("text", list(blocks("sh")))
def test_commands_exist(text):
    for line in text.replace("\\\n", " ").splitlines():
        for command in re.split(r"&&|\|", line):
            words = shlex.split(command, comments=True)
            while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):  # environment variables
                words = words[1:]
            assert not words or not unknown(words), f"{line}: {unknown(words)}"


@pytest.mark.parametrize("text", list(blocks("xml")))
def test_models_compile(text):
    """Whole models compile; fragments are at least well-formed."""
    import xml.etree.ElementTree as tree

    import sinew

    if tree.fromstring(text).tag == "mujoco":
        sinew.MjModel.from_xml_string(text)
