#!/usr/bin/env python3
"""Step time of position-based cloth against the number of vertices.

    deformables.py [--sides 32 100 250] [--steps 30] [--material "cotton substeps=5"] [--threads 2]

A square cloth of side × side vertices, which collides with itself, falls on a ball and the floor. Steps are 1/60 s: a
step that takes less than 16.7 ms runs in real time at 60 frames per second. Times are medians, starting from the state
after `--settle` steps, when folds touch each other: CPU time of one thread or, with `--threads`, wall time with that
many threads on one cloth. The third column from the right is the time per vertex relative to that of the first side.
"""
import argparse
import time

import numpy as np
import sinew


def cloth(side, material):
    spacing = 1.0 / (side - 1)
    return f"""<mujoco><option timestep="{1 / 60}"/><worldbody><geom type="plane" size="5 5 1"/><geom size=".25" pos=".1 .05 .35"/>
      <flexcomp name="cloth" type="grid" dim="2" count="{side} {side} 1" spacing="{spacing} {spacing} {spacing}" pos="0 0 .65"
        mass=".2" radius="{0.3 * spacing}"/></worldbody>
      <custom><text name="sinew:deformable:cloth" data="{material}"/></custom></mujoco>"""


def measure(side, material, settle, steps, threads):
    """Milliseconds per step, the final maximum speed, and the number of dropped contacts, which batches do not
    report."""
    m = sinew.MjModel.from_xml_string(cloth(side, material))
    if threads == 1:
        d, now = sinew.MjData(m), time.process_time
        step = lambda: sinew.mj_step(m, d)
    else:
        # one world on all threads of a batch
        d, now = sinew.BatchSim(m, 1, num_threads=threads), time.perf_counter
        step = d.step
    spent = []
    for _ in range(settle + steps):
        begin = now()
        step()
        spent.append(now() - begin)
    full = d.warning[sinew.mjtWarning.mjWARN_CONTACTFULL].number if threads == 1 else "-"
    return np.median(spent[settle:]) * 1e3, np.abs(d.qvel).max(), full


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--sides", type=int, nargs="+", default=[32, 100, 250])
    ap.add_argument("--settle", type=int, default=60)
    ap.add_argument("--steps", type=int, default=30)
    ap.add_argument("--material", default="cotton substeps=5 damping=1")
    ap.add_argument("--threads", type=int, default=1)
    args = ap.parse_args()
    first = None
    print("vertices   ms/step   frames/s   per vertex   fastest   refused")
    for side in args.sides:
        ms, fastest, full = measure(side, args.material, args.settle, args.steps, args.threads)
        first = first or ms / side**2
        print(f"{side**2:8d} {ms:9.2f} {1e3 / ms:10.0f} {ms / side**2 / first:12.2f} {fastest:9.2f} {full:>9}")


if __name__ == "__main__":
    main()
