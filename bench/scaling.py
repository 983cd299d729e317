#!/usr/bin/env python3
"""Collision time by number of free bodies, against MuJoCo's; writes a plot.

    scaling.py [--counts 100 300 1000 3000 10000] [--plot docs/img/scaling.svg]

Boxes, spheres and capsules lie at constant density on a plane, so the number of contacts grows in proportion to the
number of bodies. The dashed line is n log n through the first point. Needs matplotlib for the plot.
"""
import argparse, sys
import numpy as np
import mujoco, sinew
from common import cpu_seconds, figure, in_turn

COUNTS = (100, 300, 1000, 3000, 10000)

SHAPES = ('type="box" size=".1 .08 .06"', 'type="sphere" size=".1"', 'type="capsule" size=".06 .08"')


def scene(count):
    rng = np.random.default_rng(1)
    side = int(np.ceil(np.sqrt(count)))
    bodies = []
    for i in range(count):
        x, y = 0.2 * (i % side) + 0.05 * rng.standard_normal(), 0.2 * (i // side) + 0.05 * rng.standard_normal()
        q = rng.standard_normal(4)
        bodies.append(f'<body pos="{x} {y} {rng.uniform(.05, .1)}" quat="{" ".join(map(str, q))}"><freejoint/>'
                      f'<geom {SHAPES[i % 3]}/></body>')
    return (f'<mujoco><size memory="1G"/><worldbody><geom type="plane" size="1 1 1"/>{"".join(bodies)}'
            '</worldbody></mujoco>')


def measure(count, repeat=7):
    """Number of contacts, and microseconds of MuJoCo and of sinew."""
    xml, calls = scene(count), max(1, 30000 // count)

    def prepare(module):
        m = module.MjModel.from_xml_string(xml)
        d = module.MjData(m)
        module.mj_kinematics(m, d)
        module.mj_comPos(m, d)

        def work():
            for _ in range(calls):
                module.mj_collision(m, d)
        return d, work

    (od, theirs), (sd, ours) = prepare(mujoco), prepare(sinew)
    times = in_turn([theirs, ours], repeat, cpu_seconds)
    assert od.ncon == sd.ncon, "the engines find different contacts"
    return sd.ncon, *(1e6 / calls * np.median(times, axis=0))


def plot(path, rows):
    n = np.array([r[0] for r in rows], float)
    law = n * np.log(n)

    def draw(ax):
        for k, name in ((2, "MuJoCo 3.5.0"), (3, "sinew")):
            ax.loglog(n, [r[k] for r in rows], "o-", label=name)
        ax.loglog(n, law / law[0] * rows[0][3], "k--", lw=1, label="n log n")
        ax.set(xlabel="free bodies", ylabel="collision, µs")
        ax.legend()
        ax.grid(alpha=0.3)

    figure(path, draw)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--counts", type=int, nargs="+", default=COUNTS)
    ap.add_argument("--plot")
    a = ap.parse_args()
    rows = []
    print(f"{'bodies':>7s} {'contacts':>9s} {'mujoco us':>11s} {'sinew us':>11s} {'ratio':>6s}")
    for count in a.counts:
        contacts, o, s = measure(count)
        rows.append((count, contacts, o, s))
        print(f"{count:7d} {contacts:9d} {o:11.1f} {s:11.1f} {o / s:6.2f}", flush=True)
    if a.plot:
        plot(a.plot, rows)


if __name__ == "__main__":
    sys.exit(main())
