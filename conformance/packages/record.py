"""Records observations of one package's tasks: `python record.py PACKAGE OUT [PATTERN OF NAMES [SEED]]`.

`python -m sinew record.py …` does the same with sinew as mujoco. One line of JSON per task: the observations of the
reset and the first steps, whether all values are finite, or the error. A task runs for 200 steps, including episode
ends. With a seed, masses are perturbed by about 1e-14, which shows the effect of rounding."""

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
    """All values of nested dictionaries and lists, in a fixed order."""
    if isinstance(tree, dict):
        return [x for key in sorted(tree, key=str) for x in numbers(tree[key])]
    if isinstance(tree, (list, tuple)):
        return [x for part in tree for x in numbers(part)]
    array = np.asarray(tree)
    if array.dtype.kind not in "fiub":
        return []
    return array.astype(float).ravel().tolist()


def follow(start):
    """`start` creates the task and returns a function that resets and one that steps; both return observations."""
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
    """Perturbs all models from now on."""
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
            gc.collect()  # environments have reference cycles, and hold images


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    main(*sys.argv[1:])
