"""Gymnasium's MuJoCo tasks twice in one process: with MuJoCo and with sinew. For tests only."""

import importlib
import sys

import mujoco
import sinew

PACKAGE = "gymnasium.envs.mujoco"
TASKS = {
    "Ant": "ant_v5.AntEnv",
    "HalfCheetah": "half_cheetah_v5.HalfCheetahEnv",
    "Hopper": "hopper_v5.HopperEnv",
    "Humanoid": "humanoid_v5.HumanoidEnv",
    "HumanoidStandup": "humanoidstandup_v5.HumanoidStandupEnv",
    "InvertedPendulum": "inverted_pendulum_v5.InvertedPendulumEnv",
    "InvertedDoublePendulum": "inverted_double_pendulum_v5.InvertedDoublePendulumEnv",
    "Pusher": "pusher_v5.PusherEnv",
    "Reacher": "reacher_v5.ReacherEnv",
    "Swimmer": "swimmer_v5.SwimmerEnv",
    "Walker2d": "walker2d_v5.Walker2dEnv",
}


def _take():
    """Removes Gymnasium's MuJoCo modules from `sys.modules`."""
    return {name: sys.modules.pop(name) for name in list(sys.modules) if name.startswith(PACKAGE)}


class Tasks:
    """All tasks with one engine, which their modules imported as mujoco."""

    def __init__(self, engine):
        self.engine = engine
        self.modules = {}
        with self:
            for place in TASKS.values():
                importlib.import_module(f"{PACKAGE}.{place.split('.')[0]}")

    def __enter__(self):
        self.others = _take(), sys.modules["mujoco"]
        sys.modules.update(self.modules)
        sys.modules["mujoco"] = self.engine

    def __exit__(self, *_):
        self.modules = _take()
        sys.modules.update(self.others[0])
        sys.modules["mujoco"] = self.others[1]

    def make(self, task, **options):
        module, name = TASKS[task].split(".")
        with self:
            return getattr(sys.modules[f"{PACKAGE}.{module}"], name)(**options)


MUJOCO = Tasks(mujoco)
SINEW = Tasks(sinew)
