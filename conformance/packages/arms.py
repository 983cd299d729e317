"""robosuite: every task with one or two arms, without cameras."""

TWO = ("TwoArm",)


def tasks():
    import robosuite

    for name in sorted(robosuite.ALL_ENVIRONMENTS):
        robots = ["Panda", "Panda"] if name.startswith(TWO) else "Panda"
        yield name, lambda name=name, robots=robots: start(robosuite, name, robots)
    for robot in ("Sawyer", "IIWA", "Jaco", "Kinova3", "UR5e", "Baxter", "GR1FixedLowerBody", "SpotWithArmFloating"):
        yield f"Lift, {robot}", lambda robot=robot: start(robosuite, "Lift", robot)


def start(robosuite, name, robots):
    env = robosuite.make(name, robots=robots, has_renderer=False, has_offscreen_renderer=False, use_camera_obs=False,
                         reward_shaping=True, control_freq=20, horizon=1000, seed=0)
    low, high = env.action_spec

    def state():
        return [env.sim.data.qpos.copy(), env.sim.data.qvel.copy()]

    def step(rng):
        observation, reward, done, _ = env.step(rng.uniform(low, high))
        return (env.reset(), 0.0, state()) if done else (observation, reward, state())

    return lambda: (env.reset(), state()), step
