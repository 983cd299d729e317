"""Gymnasium's MuJoCo tasks as vector environments whose physics runs natively and in parallel.

    envs = sinew.gym.VectorEnv("Ant", num_envs=64)
    observations, infos = envs.reset(seed=0)
    observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())

Needs the package `gymnasium` (`pip install sinew[gym]`), not `mujoco`.
"""

from .tasks import TASKS
from .vector import VectorEnv

__all__ = ["TASKS", "VectorEnv"]
