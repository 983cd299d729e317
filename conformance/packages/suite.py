"""dm_control's control suite, all tasks; one of them rendered."""

import numpy as np


def tasks():
    from dm_control import suite

    for domain, task in suite.ALL_TASKS:
        yield f"{domain}-{task}", lambda domain=domain, task=task: start(suite, domain, task)
    yield "cartpole-balance, pixels", lambda: start(suite, "cartpole", "balance", pixels=True)


def seen(physics):
    """Shapes of a colour and a depth image, and which objects are visible."""
    colours, depth, objects = (physics.render(48, 64, camera_id=0, **mode) for mode in ({}, {"depth": True}, {"segmentation": True}))
    return colours.shape, depth.shape, np.unique(objects[..., 0])


def start(suite, domain, task, pixels=False):
    env = suite.load(domain, task, task_kwargs={"random": 1})
    spec = env.action_spec()
    low, high = np.maximum(spec.minimum, -1), np.minimum(spec.maximum, 1)

    def shown(timestep):
        picture = seen(env.physics) if pixels else ()
        return timestep.observation, timestep.reward or 0.0, env.physics.get_state(), picture

    def step(rng):
        timestep = env.step(rng.uniform(low, high))
        return shown(env.reset() if timestep.last() else timestep)

    return lambda: shown(env.reset()), step
