"""Trains a policy on one of Gymnasium's MuJoCo tasks with Stable-Baselines3's PPO; sinew steps the environments.

    pip install "crates/python[train]"
    python examples/train_ppo.py --task HalfCheetah --steps 1000000 --plot docs/img/learning_curve.svg

With --check the policy is also evaluated in Gymnasium's own environment, which runs on MuJoCo.
"""
import argparse
import time

import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv, VecMonitor, VecNormalize

import sinew.gym


class SinewVecEnv(VecEnv):
    """`sinew.gym.VectorEnv` with the interface of Stable-Baselines3: environments whose episode ended are reset in the
    same step."""

    def __init__(self, task, num_envs, seed):
        self.env = sinew.gym.VectorEnv(task, num_envs)
        self.first_seed = seed
        super().__init__(num_envs, self.env.single_observation_space, self.env.single_action_space)

    def reset(self):
        seed, self.first_seed = self.first_seed, None
        return self.env.reset(seed=seed)[0]

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, _ = self.env.step(self.actions)
        done, infos = terminated | truncated, [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(done):
            cut = bool(truncated[i] and not terminated[i])
            infos[i] = {"terminal_observation": observations[i], "TimeLimit.truncated": cut}
        if done.any():
            observations = self.env.reset(options={"reset_mask": done})[0]
        return observations, rewards, done, infos

    def close(self):
        self.env.close()

    def get_attr(self, attr_name, indices=None):
        return [getattr(self.env, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name, value, indices=None):
        raise NotImplementedError("the environments share their attributes")

    def env_method(self, method_name, *args, indices=None, **options):
        raise NotImplementedError("the environments are stepped together")

    def env_is_wrapped(self, wrapper_class, indices=None):
        return [False] * len(list(self._get_indices(indices)))


def train(task, steps, num_envs, seed):
    """The trained model and, for every finished episode, the step at which it ended and its return."""
    torch.set_num_threads(1)
    env = VecNormalize(VecMonitor(SinewVecEnv(task, num_envs, seed)))
    model = PPO("MlpPolicy", env, seed=seed, n_steps=4096 // num_envs, batch_size=512, learning_rate=5e-4, device="cpu")
    episodes = []

    def note(variables, _):
        ended = [info["episode"]["r"] for info in variables["infos"] if "episode" in info]
        episodes.extend((model.num_timesteps, r) for r in ended)
        return True

    model.learn(steps, callback=note)
    return model, np.array(episodes)


def play(model, env, episodes=10):
    """Returns of episodes with the mean action of the policy."""
    normalize, returns = model.get_vec_normalize_env(), []
    for seed in range(episodes):
        observation, total, ended = env.reset(seed=seed)[0], 0.0, False
        while not ended:
            action = model.predict(normalize.normalize_obs(observation), deterministic=True)[0]
            observation, reward, terminated, truncated, _ = env.step(action)
            total, ended = total + reward, terminated or truncated
        returns.append(total)
    return np.array(returns)


def plot(path, task, episodes, bins=40):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "sinew", "svg.fonttype": "none"})  # same values, same small file
    import matplotlib.pyplot as plt

    parts = [p for p in np.array_split(episodes, bins) if len(p)]
    x, mean, spread = (np.array([f(p) for p in parts]) for f in (
        lambda p: p[:, 0].mean(), lambda p: p[:, 1].mean(), lambda p: p[:, 1].std()))
    fig, ax = plt.subplots(figsize=(6, 3.5))
    ax.fill_between(x, mean - spread, mean + spread, alpha=0.25, lw=0)
    ax.plot(x, mean)
    ax.set(xlabel="environment steps", ylabel="return of an episode", title=f"PPO on {task}-v5, stepped by sinew")
    ax.grid(alpha=0.3)
    fig.tight_layout()
    fig.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="HalfCheetah", help="name of a task without its version")
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--envs", type=int, default=32)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plot", help="an SVG file for the learning curve")
    parser.add_argument("--check", action="store_true", help="play ten episodes on MuJoCo at the end")
    args = parser.parse_args()
    start = time.perf_counter()
    model, episodes = train(args.task, args.steps, args.envs, args.seed)
    elapsed = time.perf_counter() - start
    first, last = episodes[: args.envs, 1].mean(), episodes[-args.envs :, 1].mean()
    print(f"{args.task}: {model.num_timesteps} steps in {elapsed:.0f} s; return {first:.0f} at first, {last:.0f} last")
    if args.plot:
        plot(args.plot, args.task, episodes)
    if args.check:
        import gymnasium

        returns = play(model, gymnasium.make(f"{args.task}-v5"))
        print(f"on MuJoCo: return {returns.mean():.0f} ± {returns.std():.0f} over {len(returns)} episodes")


if __name__ == "__main__":
    main()
