"""Runs the tasks of one package and writes what they show: `python record.py PACKAGE OUT [PATTERN OF NAMES [SEED]]`.

`python -m sinew record.py …` does the same with sinew as mujoco. One line of JSON per task: what the reset and the first
steps have shown, whether all numbers are finite, or the error. An episode is followed for 200 steps, ends included. With a
seed masses differ by some 1e-14 parts, which shows how much rounding counts."""

import gc
import importlib
import json
import os
import pathlib
import re
import sys
import time
import traceback

os.environ.setdefault("MUJOCO_GL", "disable")

import numpy as np  # noqa: E402

STEPS = 200
SHOWN = 5


def numbers(tree):
    """All numbers of nested dictionaries and lists, in a fixed order."""
    if isinstance(tree, dict):
        return [x for key in sorted(tree, key=str) for x in numbers(tree[key])]
    if isinstance(tree, (list, tuple)):
        return [x for part in tree for x in numbers(part)]
    array = np.asarray(tree)
    if array.dtype.kind not in "fiub":
        return []
    return array.astype(float).ravel().tolist()


def follow(start):
    """`start` makes the task and gives a function that resets and one that steps; both return what is shown."""
    reset, step = start()
    shown, finite = [numbers(reset())], True
    rng = np.random.default_rng(0)
    for i in range(STEPS):
        values = numbers(step(rng))
        finite = finite and bool(np.isfinite(values).all())
        if i < SHOWN:
            shown.append(values)
    return {"shown": shown, "finite": finite}


def nudge(seed):
    """Models are slightly others from here on."""
    import mujoco

    rng = np.random.default_rng(seed)

    def nudged(make):
        def made(*args, **kwargs):
            model = make(*args, **kwargs)
            model.body_mass *= 1 + 1e-14 * rng.standard_normal(model.nbody)
            return model
        return made

    for name in ("from_xml_path", "from_xml_string", "from_binary_path"):
        setattr(mujoco.MjModel, name, staticmethod(nudged(getattr(mujoco.MjModel, name))))
    mujoco.MjSpec.compile = nudged(mujoco.MjSpec.compile)


def main(package, out, pattern="", seed=""):
    if seed:
        nudge(int(seed))
    module = importlib.import_module(package)
    with open(out, "w", encoding="utf-8") as file:
        for name, start in module.tasks():
            if not re.search(pattern, name):
                continue
            np.random.seed(0)
            begin = time.process_time()
            try:
                found = follow(start)
            except Exception:  # noqa: BLE001 - the next task may work
                found = {"error": traceback.format_exc()}
            file.write(json.dumps({"task": name, "seconds": time.process_time() - begin, **found}) + "\n")
            file.flush()
            gc.collect()  # environments refer to themselves, and hold pictures


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    main(*sys.argv[1:])
