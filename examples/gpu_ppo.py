"""Trains a policy with PPO on the device of the worlds: on a GPU no data leaves it, on the CPU sinew's threads step the
worlds.

    pip install "crates/python[gym,torch]"
    python examples/gpu_ppo.py --task Ant --envs 4096 --steps 50000000 --curve ant.csv --plot ant.svg
    python examples/gpu_ppo.py --task Ant --back-end cpu --envs 64 --steps 1000000 --curve ant_cpu.csv
    python examples/gpu_ppo.py --task Ant --fallback cpu     # on the CPU, after a line, where there is no GPU

Prints one line per update: environment steps, seconds, mean return of the episodes that ended in it. `--curve` writes
these to a file, `--plot` plots them, together with other files given by `--beside`.
"""

import argparse
import csv
import sys
import time

import torch
from torch import nn


class CpuTensors:
    """`sinew.gym.VectorEnv` with PyTorch tensors."""

    def __init__(self, task, envs):
        import sinew.gym

        self.env, self.device = sinew.gym.VectorEnv(task, envs), torch.device("cpu")

    def reset(self, seed):
        return torch.as_tensor(self.env.reset(seed=seed)[0], dtype=torch.float32)

    def step(self, actions):
        seen, rewards, over, cut, _ = self.env.step(actions.numpy())
        return (torch.as_tensor(seen, dtype=torch.float32), torch.as_tensor(rewards, dtype=torch.float32),
                torch.as_tensor(over), torch.as_tensor(cut))


class GpuTensors:
    """`sinew.gpu.VectorEnv`, whose tensors are on its device."""

    def __init__(self, task, envs, device):
        import sinew.gpu

        self.env = sinew.gpu.VectorEnv(task, envs, device=device)
        self.device = torch.device("cpu" if device == "emulated" else f"cuda:{device}")

    def reset(self, seed):
        return self.env.reset(seed=seed)[0].float()

    def step(self, actions):
        seen, rewards, over, cut, _ = self.env.step(actions)
        return seen.float(), rewards.float(), over, cut


class Scale:
    """Running mean and variance."""

    def __init__(self, size, device):
        self.mean, self.var = torch.zeros(size, device=device), torch.ones(size, device=device)
        self.count = torch.tensor(1e-4, device=device)

    def update(self, rows):
        var, mean = torch.var_mean(rows, 0, correction=0)
        total = self.count + len(rows)
        delta = mean - self.mean
        self.var = (self.var * self.count + var * len(rows) + delta**2 * self.count * len(rows) / total) / total
        self.mean = self.mean + delta * len(rows) / total
        self.count = total

    def __call__(self, rows):
        return ((rows - self.mean) / (self.var + 1e-8).sqrt()).clamp(-10, 10)


class Policy(nn.Module):
    def __init__(self, seen, actions, width=256):
        super().__init__()
        layers = lambda out: nn.Sequential(nn.Linear(seen, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, out))
        self.mean, self.value = layers(actions), layers(1)
        self.log_std = nn.Parameter(torch.full((actions,), -0.5))

    def forward(self, seen):
        return torch.distributions.Normal(self.mean(seen), self.log_std.exp()), self.value(seen).squeeze(-1)


def collect(env, policy, scale, seen, fresh, steps, low, high):
    """Steps of all environments, and the running returns of their episodes."""
    rows = []
    with torch.no_grad():
        for _ in range(steps):
            scale.update(seen)
            x = scale(seen)
            by, value = policy(x)
            action = by.sample()
            seen, reward, over, cut = env.step(torch.max(torch.min(action, high), low))
            # the step after the end of an episode starts the next one and is excluded from training
            rows.append((x, action, by.log_prob(action).sum(-1), value, reward, over, over | cut, fresh))
            fresh = over | cut
        last = policy(scale(seen))[1]
    return seen, fresh, [torch.stack(column) for column in zip(*rows)], last


def advantages(value, reward, over, done, last, gamma=0.99, trace=0.95):
    out, ahead, follow = torch.zeros_like(value), torch.zeros_like(last), last
    for k in reversed(range(len(value))):
        delta = reward[k] + gamma * follow * ~over[k] - value[k]
        ahead = delta + gamma * trace * ahead * ~done[k]
        out[k], follow = ahead, value[k]
    return out


def improve(policy, optimizer, columns, advantage, epochs=4, parts=8):
    x, action, log_prob, value, _, _, _, fresh = (column.flatten(0, 1) for column in columns)
    advantage, target = advantage.flatten(), (advantage + columns[3]).flatten()
    kept = (~fresh).nonzero().squeeze(-1)
    advantage = (advantage - advantage[kept].mean()) / (advantage[kept].std() + 1e-8)
    for _ in range(epochs):
        for chosen in kept[torch.randperm(len(kept), device=kept.device)].chunk(parts):
            by, guess = policy(x[chosen])
            ratio = (by.log_prob(action[chosen]).sum(-1) - log_prob[chosen]).exp()
            gain = torch.min(ratio * advantage[chosen], ratio.clamp(0.8, 1.2) * advantage[chosen]).mean()
            loss = -gain + 0.5 * (guess - target[chosen]).square().mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()


def train(env, steps, horizon, seed, rate):
    torch.manual_seed(seed)
    seen = env.reset(seed)
    space = env.env.single_action_space
    low, high = (torch.as_tensor(x, device=env.device) for x in (space.low, space.high))
    policy = Policy(seen.shape[1], len(low)).to(env.device)
    optimizer, scale = torch.optim.Adam(policy.parameters(), lr=rate, eps=1e-5), Scale(seen.shape[1], env.device)
    fresh, running = torch.zeros(len(seen), dtype=torch.bool, device=env.device), torch.zeros(len(seen), device=env.device)
    start, taken, curve = time.perf_counter(), 0, []
    while taken < steps:
        seen, fresh, columns, last = collect(env, policy, scale, seen, fresh, horizon, low, high)
        _, _, _, value, reward, over, done, _ = columns
        improve(policy, optimizer, columns, advantages(value, 0.1 * reward, over, done, last))
        finished = []
        for k in range(horizon):
            running = running + reward[k]
            finished.append(running[done[k]])
            running = running * ~done[k]
        taken += horizon * len(seen)
        finished = torch.cat(finished)
        curve.append((taken, time.perf_counter() - start, finished.mean().item() if len(finished) else float("nan")))
        print("steps {:>11,}  {:8.1f} s  return {:8.1f}".format(*curve[-1]), flush=True)
    return policy, curve


def made(args):
    """Creates the environments that the arguments select."""
    if args.back_end == "cpu":
        return CpuTensors(args.task, args.envs)
    import sinew.gpu

    if args.device != "emulated" and args.fallback == "cpu" and not sinew.gpu.available():
        print(f"there is no GPU: stepping {args.envs} environments on the CPU", file=sys.stderr)
        return CpuTensors(args.task, args.envs)
    return GpuTensors(args.task, args.envs, args.device if args.device == "emulated" else int(args.device))


def write(curve, file):
    with open(file, "w", newline="") as out:
        csv.writer(out).writerows([("steps", "seconds", "return"), *curve])


def plot(files, image):
    """Plots returns over time of several runs."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(9, 3.5), sharey=True)
    for file in files:
        with open(file) as text:
            rows = [[float(x) for x in row.values()] for row in csv.DictReader(text)]
        for axis, by in zip(axes, (1, 0)):
            axis.plot([row[by] for row in rows], [row[2] for row in rows], label=file.rsplit("/", 1)[-1].rsplit(".", 1)[0])
    for axis, what in zip(axes, ("seconds", "steps of environments")):
        axis.set(xlabel=what, xscale="log")
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("mean return")
    axes[0].legend()
    figure.tight_layout()
    figure.savefig(image)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="Ant")
    parser.add_argument("--back-end", choices=("gpu", "cpu"), default="gpu")
    parser.add_argument("--device", default="0", help="number of the GPU, or 'emulated'")
    parser.add_argument("--envs", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=50_000_000)
    parser.add_argument("--horizon", type=int, default=32, help="steps of each environment an update")
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fallback", choices=("cpu",), help="what to do where there is no GPU")
    parser.add_argument("--curve", help="file for steps, seconds and returns")
    parser.add_argument("--plot", help="picture of the curve; needs matplotlib and --curve")
    parser.add_argument("--beside", nargs="*", default=(), help="curves of other runs for the picture")
    args = parser.parse_args()
    if args.plot and not args.curve:
        parser.error("--plot draws the file of --curve")
    _, curve = train(made(args), args.steps, args.horizon, args.seed, args.rate)
    if args.curve:
        write(curve, args.curve)
    if args.plot:
        plot((args.curve, *args.beside), args.plot)


if __name__ == "__main__":
    main()
