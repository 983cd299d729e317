"""Steps per second of many worlds by number of threads: sinew's batches and rollouts against MuJoCo's rollouts,
interleaved.

    python bench/batch_speed.py [MODEL.xml ...] [--threads 1,2] [--worlds 256] [--nstep 1] [--read xpos,cvel]
                                [--repeat 5] [--plot FILE.svg]

Worlds start from the model's first keyframe, or its initial state, with random velocities, under the same random
controls, held for the `nstep` steps of one call of a batch; `--read` names fields that are read after every call. The
best of the repeats counts. `scaling` is the batch's speed relative to that with the first number of threads and needs a
quiet machine. `by CPU` compares CPU times instead. It is an upper bound: it misses waiting for the slowest thread, and
contention for memory unless threads run at the same time.
"""
import argparse
import os

import mujoco
import mujoco.rollout
import numpy as np
import sinew
import sinew.rollout
from common import ROOT, cpu_seconds, figure, in_turn, label, load, seconds, state

HUMANOID = os.path.join(ROOT, "models", "humanoid.xml")


def both_clocks(work):
    wall = []
    cpu = cpu_seconds(lambda: wall.append(seconds(work)))
    return wall[0], cpu


def batch(m, threads, start, controls, nstep, read):
    sim = sinew.BatchSim(m, len(start), threads, nstep)
    qpos, qvel = start[:, 1 : 1 + m.nq], start[:, 1 + m.nq : 1 + m.nq + m.nv]
    arrays = {name: sim.gather(name) for name in read}

    def work():
        sim.reset()
        sim.set_state(None, qpos, qvel)
        for t in range(controls.shape[1]):
            sim.step(controls[:, t])
            for name, array in arrays.items():
                sim.gather(name, array)

    return work, sim.nbytes


def rollout(module, m, threads, start, controls):
    pool = [module.MjData(m) for _ in range(threads)]
    runner = module.rollout.Rollout(nthread=threads)
    return lambda: runner.rollout(m, pool, start, controls)


def measure(path, worlds, threads, steps=50, repeat=5, nstep=1, read=()):
    """Bytes per world; steps per second of batch, rollout and MuJoCo's rollout by number of threads; the batch's
    scaling by CPU time."""
    rng = np.random.default_rng(0)
    m, d = load(sinew, path)
    om = mujoco.MjModel.from_xml_path(path)
    start = np.tile(state(sinew, m, d, "FULLPHYSICS"), (worlds, 1))
    start[:, 1 + m.nq : 1 + m.nq + m.nv] += 0.1 * rng.standard_normal((worlds, m.nv))
    calls = max(1, steps // nstep)
    controls, steps = 0.3 * rng.standard_normal((worlds, calls, m.nu)), calls * nstep
    batches, sizes = zip(*(batch(m, n, start, controls, nstep, read) for n in threads))
    held = np.repeat(controls, nstep, axis=1)
    rollouts = [rollout(*side, n, start, held) for side in ((sinew, m), (mujoco, om)) for n in threads]
    times = in_turn([*batches, *rollouts], repeat, both_clocks).min(axis=0).reshape(3, len(threads), 2)
    cpu = times[0, :, 1]
    return sizes[0], worlds * steps / times[:, :, 0], np.array(threads) / threads[0] * cpu[0] / cpu


def report(path, worlds, threads, *how):
    """Prints the results of `measure`; returns the speeds."""
    size, speeds, by_cpu = measure(path, worlds, threads, *how)
    print(f"{label(path)}: {worlds} worlds of {size / 1024:.0f} KiB")
    print("threads  BatchSim  scaling  by CPU   rollout    MuJoCo  BatchSim / rollout  / MuJoCo")
    for k, n in enumerate(threads):
        own, ours, theirs = speeds[:, k]
        scaling = own / speeds[0, 0]
        print(f"{n:7} {own:9.0f} {scaling:8.2f} {by_cpu[k]:7.2f} {ours:9.0f} {theirs:9.0f} {own / ours:19.3f} {own / theirs:9.2f}")
    return speeds


def plot(path, worlds, threads, speeds):
    def draw(ax):
        for k, n in enumerate(threads):
            for side, name, style in ((0, "BatchSim", "o-"), (2, "MuJoCo rollout", "s--")):
                ax.plot(worlds, [s[side, k] for s in speeds], style, label=f"{name}, {n} thread{'s'[:n > 1]}")
        ax.set_xscale("log", base=2)
        ax.set_ylim(bottom=0)
        ax.set(xlabel="worlds", ylabel="steps per second")
        ax.legend()
        ax.grid(alpha=0.3)

    figure(path, draw)


def main():
    def numbers(text):
        return [int(n) for n in text.split(",")]

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=[HUMANOID])
    parser.add_argument("--threads", type=numbers, default=[1, 2])
    parser.add_argument("--worlds", type=numbers, default=[256])
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--nstep", type=int, default=1)
    parser.add_argument("--read", type=lambda text: text.split(","), default=[])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--plot", help="an SVG file of the last model's speed by number of worlds")
    args = parser.parse_args()
    for path in args.models:
        how = args.steps, args.repeat, args.nstep, args.read
        speeds = [report(path, worlds, args.threads, *how) for worlds in args.worlds]
    if args.plot:
        plot(args.plot, args.worlds, args.threads, speeds)


if __name__ == "__main__":
    main()
