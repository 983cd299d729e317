"""loco-mujoco: its robots and the humanoids driven by torques and muscles, without motion data sets."""

import numpy as np

NAMES = "Atlas HumanoidMuscle HumanoidTorque Talos UnitreeA1 UnitreeG1 UnitreeH1".split()


def tasks():
    from loco_mujoco import environments

    for name in NAMES:
        yield name, lambda name=name: start(getattr(environments, name))


def start(kind):
    env = kind(random_start=False)
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
