#!/usr/bin/env python3
"""Time of a step of cloth that moves by positions, against the number of vertices.

    deformables.py [--sides 32 100 250] [--steps 30] [--material "cotton substeps=5"] [--stages]

A square cloth of side × side vertices, which collides with itself, falls on a ball and the floor. Steps are 1/60 s: a step that takes
less than 16.7 ms runs in real time at 60 frames per second. Times are processor time of one thread, from the state after `--settle`
steps, when folds touch each other. The last column is the time per vertex, against that of the first side.
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


def measure(side, material, settle, steps):
    m = sinew.MjModel.from_xml_string(cloth(side, material))
    d = sinew.MjData(m)
    sinew.mj_step(m, d, settle)
    spent = []
    for _ in range(steps):
        begin = time.process_time()
        sinew.mj_step(m, d)
        spent.append(time.process_time() - begin)
    full = d.warning[sinew.mjtWarning.mjWARN_CONTACTFULL].number
    return m, d, np.median(spent) * 1e3, full


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--sides", type=int, nargs="+", default=[32, 100, 250])
    ap.add_argument("--settle", type=int, default=60)
    ap.add_argument("--steps", type=int, default=30)
    ap.add_argument("--material", default="cotton substeps=5 damping=1")
    args = ap.parse_args()
    first = None
    print("vertices   ms/step   frames/s   per vertex   fastest   refused")
    for side in args.sides:
        _, d, ms, full = measure(side, args.material, args.settle, args.steps)
        first = first or ms / side**2
        print(f"{side**2:8d} {ms:9.2f} {1e3 / ms:10.0f} {ms / side**2 / first:12.2f} {np.abs(d.qvel).max():9.2f} {full:9d}")


if __name__ == "__main__":
    main()
