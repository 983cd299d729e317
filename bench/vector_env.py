"""Steps per second of vector environments for all of Gymnasium's MuJoCo tasks, interleaved in one run.

    python bench/vector_env.py [TASK ...] [--envs 64] [--threads 1] [--seconds 0.1] [--repeat 11] [--cpu]

Compares `sinew.gym.VectorEnv` with Gymnasium's `SyncVectorEnv` over MuJoCo and over sinew, and with EnvPool if it is
installed, with the same number of threads. Actions are random and the same for all; medians count. The last columns are
ratios to `sinew.gym.VectorEnv`: above 1 it is faster. With `--cpu` CPU time counts, for a machine under load. Prints a
table in Markdown.
"""
import argparse
import os
import sys

import gymnasium
import numpy as np
import sinew.gym
from common import ROOT, cpu_seconds, in_turn, seconds

sys.path.insert(0, os.path.join(ROOT, "crates", "python", "tests"))
from gymnasium_twice import MUJOCO, SINEW, TASKS  # noqa: E402

try:
    import envpool
except ImportError:
    envpool = None


def sync(engine, task, envs):
    limit = gymnasium.spec(task + "-v5").max_episode_steps
    return gymnasium.vector.SyncVectorEnv([lambda: gymnasium.wrappers.TimeLimit(engine.make(task), limit)] * envs)


def measure(task, args):
    sides = [sync(MUJOCO, task, args.envs), sync(SINEW, task, args.envs)]
    sides.append(sinew.gym.VectorEnv(task, args.envs, args.threads))
    if envpool:
        sides.append(envpool.make_gymnasium(task + "-v5", num_envs=args.envs, num_threads=args.threads))
    for env in sides:
        env.reset()
    space = sides[0].single_action_space
    actions = np.random.default_rng(0).uniform(space.low, space.high, (1000, args.envs, *space.shape))
    actions = list(actions.astype(space.dtype))

    def work(env, steps):
        def steps_of_env():
            for t in range(steps):
                env.step(actions[t % len(actions)])
        return steps_of_env

    clock = cpu_seconds if args.cpu else seconds
    trial = in_turn([work(env, 10) for env in sides], 3)[1:].mean(axis=0) / 10
    steps = [max(10, int(args.seconds / t)) for t in trial]
    times = in_turn([work(env, n) for env, n in zip(sides, steps)], args.repeat, clock)
    return args.envs * np.array(steps) / np.median(times, axis=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", default=list(TASKS))
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--threads", type=int, default=1, help="of sinew's VectorEnv and of EnvPool")
    parser.add_argument("--seconds", type=float, default=0.1, help="aimed length of one timed run")
    parser.add_argument("--repeat", type=int, default=11)
    parser.add_argument("--cpu", action="store_true", help="processor time instead of the clock")
    args = parser.parse_args()
    others = ["Sync, MuJoCo", "Sync, sinew"] + (["EnvPool"] if envpool else [])
    print("| task | " + " | ".join(others) + " | VectorEnv | over " + " | over ".join(others) + " |")
    print("|---" * (2 + 2 * len(others)) + "|")
    ratios = []
    for task in args.tasks:
        speeds = measure(task, args)
        own, rest = speeds[2], np.delete(speeds, 2)
        ratios.append(own / rest)
        cells = [f"{v:,.0f}" for v in (*rest, own)] + [f"{r:.2f}" for r in ratios[-1]]
        print(f"| {task} | " + " | ".join(cells) + " |", flush=True)
    means = [f"{r:.2f}" for r in np.exp(np.mean(np.log(ratios), axis=0))]
    print("| geometric mean |" + " |" * len(others) + " | " + " | ".join(means) + " |")


if __name__ == "__main__":
    main()
