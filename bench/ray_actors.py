#!/usr/bin/env python3
"""Throughput of worlds and rollouts on a local Ray cluster, by number of actors; writes a table and a plot.

    ray_actors.py [MODEL.xml] [--actors 1 2 4 8] [--worlds 512] [--plot docs/img/ray.svg]

Every actor has one thread, as if it were a node with one core. They are compared with `sinew.BatchSim` in this process
with the same number of threads. Runs are interleaved and medians count. Needs ray; matplotlib for the plot.
"""
import argparse
import logging
import os

import numpy as np
import ray
import sinew
import sinew.ray
import sinew.rollout
from common import ROOT, figure, in_turn, load, state


def sides(m, d, actors, args):
    """The calls to time: a local batch, a batch over actors, and rollouts over actors, with the number of steps of
    each."""
    ctrl = np.random.default_rng(0).uniform(-0.3, 0.3, (args.worlds, m.nu))
    start = np.tile(state(sinew, m, d, "FULLPHYSICS"), (args.worlds, 1))
    here = sinew.BatchSim(m, args.worlds, actors, nstep=args.nstep)
    far = sinew.ray.BatchSim(m, args.worlds, actors, 1, nstep=args.nstep)
    pool = sinew.ray.Rollout(num_actors=actors, num_threads=1)
    long = np.repeat(ctrl[:, None], args.calls * args.nstep, axis=1)

    def batch(sim):
        def work():
            sim.reset()
            for _ in range(args.calls):
                sim.step(ctrl)
        return work

    return [batch(here), batch(far), lambda: pool.rollout(m, start, long)], (far, pool)


def measure(m, d, actors, args):
    """Steps per second of each call."""
    works, open_ = sides(m, d, actors, args)
    in_turn(works, 1)
    times = np.median(in_turn(works, args.repeat), axis=0)
    for side in open_:
        side.close()
    return args.worlds * args.nstep * args.calls / times


def plot(path, found, label):
    def draw(ax):
        actors = sorted(found)
        for k, name in enumerate(("BatchSim, one process", "sinew.ray.BatchSim", "sinew.ray.Rollout")):
            ax.plot(actors, [found[n][k] for n in actors], "o-", label=name)
        first = found[actors[0]][0] / actors[0]
        ax.plot(actors, [first * n for n in actors], "k--", lw=1, label="in proportion")
        ax.set(xlabel="actors, or threads, of one core each", ylabel="steps per second", title=label)
        ax.legend()
        ax.grid(alpha=0.3)

    figure(path, draw)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", default=os.path.join(ROOT, "models", "humanoid.xml"))
    parser.add_argument("--actors", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--worlds", type=int, default=512)
    parser.add_argument("--nstep", type=int, default=5, help="steps per call")
    parser.add_argument("--calls", type=int, default=20)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--plot")
    args = parser.parse_args()
    ray.init(num_cpus=max(args.actors), include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    m, d = load(sinew, args.model)
    found = {}
    print("| actors | `BatchSim`, threads in one process | `sinew.ray.BatchSim` | share | `sinew.ray.Rollout` | share |")
    print("|---:|---:|---:|---:|---:|---:|")
    for actors in args.actors:
        here, far, rolled = found[actors] = measure(m, d, actors, args)
        print(f"| {actors} | {here:,.0f} | {far:,.0f} | {far / here:.0%} | {rolled:,.0f} | {rolled / here:.0%} |", flush=True)
    if args.plot:
        plot(args.plot, found, os.path.basename(args.model))


if __name__ == "__main__":
    main()
