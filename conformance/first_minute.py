#!/usr/bin/env python3
"""Simulates the first minute of a new user who has only a wheel.

    first_minute.py [WHEEL] [--limit 60]

In a folder outside of the project: a fresh virtual environment, `pip install` of the wheel (the newest of target/wheels
that fits this machine if none is given), the README's first Python program, an image and a video of the humanoid. Fails
if any of these fails, or if the total time exceeds the limit. Afterwards, not timed: all builds of the module in the
wheel that this processor can run must give bitwise equal results, and the licences must be present.
"""
import argparse
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
DRAW = """
import sinew
print("level", sinew.level())
m = sinew.MjModel.from_xml_path("models/humanoid.xml")
d = sinew.MjData(m)
frames = []
with sinew.Renderer(m, 240, 320) as renderer:
    while d.time < 2:
        sinew.mj_step(m, d, 8)
        renderer.update_scene(d, camera="side")
        frames.append(renderer.render())
sinew.write_picture("humanoid.png", frames[20])
sinew.write_video("humanoid.mp4", frames, fps=25)
"""

BITS = """
import hashlib, sinew
m = sinew.MjModel.from_xml_path("models/humanoid.xml")
d = sinew.MjData(m)
sinew.mj_step(m, d, 1000)
print(sinew.level(), hashlib.sha256(d.qpos.tobytes() + d.sensordata.tobytes()).hexdigest()[:16])
"""


def newest(machine):
    """The newest wheel for an architecture."""
    found = sorted((ROOT / "target" / "wheels").glob(f"sinew-*{machine}*.whl"), key=os.path.getmtime)
    if not found:
        sys.exit(f"no wheel for {machine} in target/wheels: `cargo xtask wheel` builds one")
    return found[-1]


def first_program():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.search(r"```python\n(.*?)```", readme, re.S)[1]


def builds(wheel, python, folder, environment):
    """Runs the builds in the wheel, each selected by name; a refusal for any reason other than the processor is an
    error."""
    names = zipfile.ZipFile(wheel).namelist()
    assert any(n.endswith("licenses/LICENSE") for n in names), "the licence is not in the wheel"
    levels = ["x86-64", "x86-64-v3"] if any(n.startswith("sinew/_sinew_v3.") for n in names) else [None]
    prints = set()
    for level in levels:
        asked = {**environment, "SINEW_LEVEL": level} if level else environment
        done = subprocess.run([python, "-c", BITS], cwd=folder, env=asked, capture_output=True, text=True)
        if "lacks AVX2" in done.stderr:
            print(f"{level}: not tried, this processor lacks AVX2")
            continue
        assert done.returncode == 0 and (not level or done.stdout.startswith(f"{level} ")), f"{level}: {done.stdout}{done.stderr}"
        print(done.stdout.strip())
        prints.add(done.stdout.split()[-1])
    assert len(prints) == 1, "the builds of the module give other bits"


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("wheel", nargs="?", type=pathlib.Path)
    ap.add_argument("--limit", type=float, default=60, help="seconds")
    args = ap.parse_args()
    wheel = (args.wheel or newest(platform.machine())).resolve()
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    total = 0.0
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "models", f"{folder}/models")
        python = f"{folder}/venv/Scripts/python.exe" if os.name == "nt" else f"{folder}/venv/bin/python"
        for what, command in {
            "virtual environment": [sys.executable, "-m", "venv", "venv"],
            "pip install": [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)],
            "README's first program": [python, "-c", first_program()],
            "picture and film": [python, "-c", DRAW],
        }.items():
            start = time.perf_counter()
            subprocess.run(command, cwd=folder, env=environment, check=True)
            took = time.perf_counter() - start
            total += took
            print(f"{what:24s} {took:5.1f} s")
        for name, least in (("humanoid.png", 10_000), ("humanoid.mp4", 20_000)):
            assert (pathlib.Path(folder) / name).stat().st_size > least, f"{name} is too small to be right"
        builds(wheel, python, folder, environment)
    print(f"{'all':24s} {total:5.1f} s")
    return total > args.limit


if __name__ == "__main__":
    sys.exit(main())
