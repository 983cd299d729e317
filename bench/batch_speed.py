"""Steps per second of many worlds: sinew's batches and roll-outs beside MuJoCo's roll-outs, interleaved in one run.

    python bench/batch_speed.py [MODEL.xml ...] [--threads 1,2] [--worlds 64] [--steps 100] [--repeat 3]

Worlds start from the model's first keyframe, or its initial state, with random velocities, under random controls that are
the same for all; the best of the repeats counts. Above 1 in the last column sinew is faster.
"""
import argparse
import os
import time

import mujoco
import mujoco.rollout
import numpy as np
import sinew
import sinew.rollout

HUMANOID = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "models", "humanoid.xml")
FULL = int(sinew.mjtState.mjSTATE_FULLPHYSICS)


def problem(path, worlds, steps):
    rng = np.random.default_rng(0)
    m = sinew.MjModel.from_xml_path(path)
    d = sinew.MjData(m)
    if m.nkey:
        sinew.mj_resetDataKeyframe(m, d, 0)
    start = np.zeros(sinew.mj_stateSize(m, FULL))
    sinew.mj_getState(m, d, start, FULL)
    states = np.tile(start, (worlds, 1))
    states[:, 1 + m.nq : 1 + m.nq + m.nv] += 0.1 * rng.standard_normal((worlds, m.nv))
    return m, states, 0.3 * rng.standard_normal((worlds, steps, m.nu))


def timed(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(path, threads, args):
    m, states, controls = problem(path, args.worlds, args.steps)
    om = mujoco.MjModel.from_xml_path(path)
    sim = sinew.BatchSim(m, args.worlds, threads)
    qpos, qvel = states[:, 1 : 1 + m.nq], states[:, 1 + m.nq : 1 + m.nq + m.nv]

    def batch():
        sim.reset()
        sim.set_state(None, qpos, qvel)
        for t in range(args.steps):
            sim.step(controls[:, t])

    def rollout(module, model):
        pool = [module.MjData(model) for _ in range(threads)]
        with module.rollout.Rollout(nthread=threads) as r:
            return timed(lambda: r.rollout(model, pool, states, controls))

    best = [float("inf")] * 3
    for _ in range(args.repeat):
        once = timed(batch), rollout(sinew, m), rollout(mujoco, om)
        best = [min(a, b) for a, b in zip(best, once)]
    return [args.worlds * args.steps / b for b in best]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=[HUMANOID])
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    print(f"{'model':40} threads   BatchSim    rollout     MuJoCo  rollout / MuJoCo")
    for path in args.models:
        for threads in map(int, args.threads.split(",")):
            batch, ours, theirs = measure(path, threads, args)
            name = os.path.basename(path)
            print(f"{name:40} {threads:7} {batch:10.0f} {ours:10.0f} {theirs:10.0f} {ours / theirs:17.2f}", flush=True)


if __name__ == "__main__":
    main()
