"""MyoSuite: all registered tasks."""

import environments


def tasks():
    import myosuite
    from myosuite.utils import gym as registry

    for name in sorted(set(myosuite.myosuite_env_suite)):
        yield name, lambda name=name: follow(registry, name)


def follow(registry, name):
    env = registry.make(name)
    base = env.unwrapped
    base.seed(0)  # `reset` does not seed
    reset, step = environments.follow(lambda: env)

    def state():
        return [base.mj_data.qpos.copy(), base.mj_data.qvel.copy(), base.mj_data.act.copy()]

    return lambda: (reset(), state()), lambda rng: (step(rng), state())
