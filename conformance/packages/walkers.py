"""loco-mujoco: its robots and muscle models as tasks of Gymnasium's kind, with its small data sets where there are any."""

import numpy as np


def tasks():
    from loco_mujoco import LocoEnv

    names = sorted({".".join(task.split(".")[:2]) for task in LocoEnv.get_all_task_names()})
    for name in names:
        yield name, lambda name=name: start(LocoEnv, name)


def start(LocoEnv, name):
    np.random.seed(0)
    env = LocoEnv.make(name, disable_arms=False) if False else LocoEnv.make(name)
    low, high = env.info.action_space.low, env.info.action_space.high

    def state():
        return [env._data.qpos.copy(), env._data.qvel.copy()]

    def reset():
        np.random.seed(0)
        return env.reset(), state()

    def step(rng):
        observation, reward, absorbing, _ = env.step(rng.uniform(low, high))
        return reset() if absorbing else (observation, reward, state())

    return reset, step
