"""gymnasium-robotics: hands, arms, mazes, a kitchen; the newest version of each task, and Gymnasium's own tasks."""

import re

import environments


def tasks():
    import gymnasium
    import gymnasium_robotics

    yield from environments.tasks()
    gymnasium.register_envs(gymnasium_robotics)
    newest = {}
    for name, spec in gymnasium.registry.items():
        found = re.fullmatch(r"(.+)-v(\d+)", name)
        # some old tasks need a binding that no longer exists
        ours = str(spec.entry_point).startswith("gymnasium_robotics") and ".envs.mujoco" not in str(spec.entry_point)
        if ours and found and "Dense" not in name:
            newest[found[1]] = max(newest.get(found[1], 0), int(found[2]))
    for name, version in sorted(newest.items()):
        # some variants of the hand differ only in the reward
        if not re.search(r"_(Boolean|Continuous)Touch", name) or "BlockRotateZ_" in name:
            yield f"{name}-v{version}", lambda n=f"{name}-v{version}": environments.follow(lambda: gymnasium.make(n))
    from gymnasium_robotics import mamujoco_v1

    for scenario, parts in (("Ant", "4x2"), ("HalfCheetah", "6x1"), ("Humanoid", "9|8"), ("Walker2d", "2x3")):
        yield f"MaMuJoCo {scenario} {parts}", lambda s=scenario, p=parts: several(mamujoco_v1.parallel_env(s, p))


def several(env):
    """Several agents in one world."""

    def reset():
        for i, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(i)
        return env.reset(seed=0)[0]

    def step(rng):
        observation, reward, terminated, truncated, _ = env.step({a: env.action_space(a).sample() for a in env.agents})
        ended = any(terminated.values()) or any(truncated.values())
        return env.reset(seed=0)[0] if ended else (observation, reward)

    return reset, step
