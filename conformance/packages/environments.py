"""Tasks of Gymnasium's kind, and those of Gymnasium itself."""


def follow(make):
    """Resets and steps an environment with random actions from its action space."""
    env = make()
    base = env.unwrapped

    def state():
        data = getattr(base, "data", None)
        return [] if data is None or not hasattr(data, "qpos") else [data.qpos.copy(), data.qvel.copy()]

    def reset():
        env.action_space.seed(0)
        return env.reset(seed=0)[0], state()

    def step(rng):
        observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            return env.reset(seed=0)[0], 0.0, state()
        return observation, float(reward), state()

    return reset, step


def tasks():
    import gymnasium

    for name in ("Ant HalfCheetah Hopper Humanoid HumanoidStandup InvertedPendulum InvertedDoublePendulum Pusher Reacher "
                 "Swimmer Walker2d").split():
        yield name + "-v5", lambda name=name: follow(lambda: gymnasium.make(name + "-v5"))
