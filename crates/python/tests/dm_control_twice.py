"""Steps dm_control's tasks with one engine and prints observations as JSON: `python dm_control_twice.py ENGINE`."""

import importlib
import json
import os
import sys

os.environ["MUJOCO_GL"] = "disable"
sys.modules["mujoco"] = importlib.import_module(sys.argv[1])

import numpy as np  # noqa: E402
from dm_control import suite  # noqa: E402


def shown(timestep):
    observation = {name: np.ravel(value).tolist() for name, value in timestep.observation.items()}
    return {"reward": timestep.reward, "observation": observation}


found = {}
for domain, task in suite.BENCHMARKING:
    env = suite.load(domain, task, task_kwargs={"random": 1})
    spec = env.action_spec()
    rng = np.random.default_rng(0)
    low, high = np.maximum(spec.minimum, -1), np.minimum(spec.maximum, 1)
    steps = [env.reset()] + [env.step(rng.uniform(low, high)) for _ in range(3)]
    found[f"{domain}-{task}"] = [shown(step) for step in steps]
json.dump(found, sys.stdout)
