"""Builds of the native module for several processors: one is chosen, and all give identical results."""

import os
import subprocess
import sys
import types

import pytest
import sinew
from sinew import _build

HUMANOID = os.path.join(os.path.dirname(__file__), "..", "..", "..", "models", "humanoid.xml")
PLAIN, NEWER = "x86-64", "x86-64-v3"

needs_both = pytest.mark.skipif(_build._file("_sinew_v3") is None or sinew.level() != NEWER,
                                reason="one build only: `cargo xtask venv` makes another where the processor has AVX2")

# a heap of boxes and capsules with every solver, then a falling humanoid
STEPS = f"""
import hashlib, sinew
bodies = "".join(f'<body pos="{{.04 * (i % 3)}} {{.03 * (i % 2)}} {{.3 + .2 * i}}"><freejoint/><geom type="{{kind}}" size=".1 .08 .06"/></body>'
                 for i, kind in enumerate(["box", "capsule", "ellipsoid", "cylinder", "sphere"] * 2))
xml = '<mujoco><option solver="{{}}" cone="{{}}"/><worldbody><geom type="plane" size="1 1 .1"/>' + bodies + '</worldbody></mujoco>'
models = [sinew.MjModel.from_xml_string(xml.format(*choice)) for choice in
          (("Newton", "pyramidal"), ("Newton", "elliptic"), ("CG", "elliptic"), ("PGS", "pyramidal"))]
models.append(sinew.MjModel.from_xml_path({HUMANOID!r}))
found = hashlib.sha256()
for m in models:
    d = sinew.MjData(m)
    sinew.mj_step(m, d, 400)
    assert d.ncon > 4
    for field in (d.qpos, d.qvel, d.qacc, d.sensordata, d.xipos):
        found.update(field.tobytes())
print(sinew.level(), found.hexdigest())
"""


def run(level, code):
    """Output words of a program in a separate process, and its error if it fails."""
    env = {k: v for k, v in os.environ.items() if k != "SINEW_LEVEL"} | ({"SINEW_LEVEL": level} if level else {})
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    return done.stdout.split(), done.stderr


def test_a_level_is_named():
    assert sinew.level() in (PLAIN, NEWER) or not sinew.level().startswith("x86")
    assert sinew._sinew is sys.modules["sinew._sinew"] and sinew._sinew._level == sinew.level()


def test_an_unknown_level_is_refused():
    _, said = run("sse9", "import sinew")
    assert "ImportError: SINEW_LEVEL=sse9: there are x86-64 and x86-64-v3" in said


@needs_both
def test_levels_give_the_same_bits():
    (plain, *plain_bits), (newer, *newer_bits) = run(PLAIN, STEPS)[0], run(NEWER, STEPS)[0]
    assert (plain, newer) == (PLAIN, NEWER)
    assert plain_bits == newer_bits


@needs_both
def test_the_fastest_is_chosen():
    assert run(None, "import sinew; print(sinew.level())")[0] == [NEWER]


def test_a_build_that_does_not_fit_is_left(monkeypatch):
    plain = types.SimpleNamespace(_level=PLAIN, _has_v3=True, _sources="new")
    monkeypatch.setattr(_build, "_load", lambda path: types.SimpleNamespace(_level=NEWER, _sources="old"))
    monkeypatch.setattr(_build.importlib, "import_module", lambda name: plain)
    monkeypatch.setattr(_build, "_file", lambda name: name)
    assert _build._choose(None) is plain
    with pytest.raises(ImportError, match="other sources"):
        _build._choose(NEWER)
    plain._has_v3 = False
    with pytest.raises(ImportError, match="AVX2"):
        _build._choose(NEWER)
    monkeypatch.setattr(_build, "_file", lambda name: None)
    with pytest.raises(ImportError, match="not installed"):
        _build._choose(NEWER)
    assert _build._choose(PLAIN) is plain
