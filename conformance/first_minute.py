#!/usr/bin/env python3
"""The first minute of somebody who has a wheel and nothing else.

    first_minute.py [WHEEL] [--limit 60]

In a folder outside of the project: a fresh virtual environment, `pip install` of the wheel (the newest of target/wheels that fits this
machine if none is given), the README's first Python program, a picture and a film of the humanoid. Fails if something does, or if
all of it takes longer than the limit.
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


def newest():
    """The newest wheel for this machine."""
    found = sorted((ROOT / "target" / "wheels").glob(f"sinew-*{platform.machine()}*.whl"), key=os.path.getmtime)
    if not found:
        sys.exit("no wheel in target/wheels: `cargo xtask wheel` builds one")
    return found[-1]


def first_program():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.search(r"```python\n(.*?)```", readme, re.S)[1]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("wheel", nargs="?", type=pathlib.Path)
    ap.add_argument("--limit", type=float, default=60, help="seconds")
    args = ap.parse_args()
    wheel = (args.wheel or newest()).resolve()
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
    print(f"{'all':24s} {total:5.1f} s")
    return total > args.limit


if __name__ == "__main__":
    sys.exit(main())
