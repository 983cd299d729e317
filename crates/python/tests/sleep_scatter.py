"""When trees fall asleep in free runs: sinew compared with MuJoCo, and MuJoCo with a perturbed run of itself.

    python sleep_scatter.py MODEL.xml|LIST.txt ... [--steps 1000]

Prints, for models where the number of sleeping trees differs, the first step where it does, and the first step at which
positions differ by more than 1e-12; then the same for MuJoCo with velocities scaled by 1 + nudge at the third step.
"""

import argparse
import os

import mujoco
import numpy as np
import sinew


def run(module, m, steps, nudge=0.0):
    d = module.MjData(m)
    asleep, qpos = [], []
    for t in range(steps):
        if t == 2:
            d.qvel[:] *= 1 + nudge
        module.mj_step(m, d)
        asleep.append(int(np.sum(np.asarray(d.tree_asleep) >= 0)))
        qpos.append(np.array(d.qpos))
    return np.array(asleep), np.array(qpos)


def first(where):
    return int(np.argmax(where)) if np.any(where) else None


def compare(a, b):
    apart = np.max(np.abs(a[1] - b[1]), axis=1)
    return f"asleep from step {first(a[0] != b[0])}, in {int(np.sum(a[0] != b[0]))} steps; positions from step {first(apart > 1e-12)}"


def files(paths):
    for path in paths:
        if path.endswith(".txt"):
            here = os.path.dirname(os.path.abspath(path))
            yield from (os.path.join(here, line.strip()) for line in open(path) if line.strip())
        else:
            yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--steps", type=int, default=1000)
    args = parser.parse_args()
    for path in files(args.paths):
        om, cm = mujoco.MjModel.from_xml_path(path), sinew.MjModel.from_xml_path(path)
        want, got = run(mujoco, om, args.steps), run(sinew, cm, args.steps)
        if np.array_equal(want[0], got[0]):
            continue
        print(path, f"\n  sinew: {compare(want, got)}")
        for nudge in (1e-15, 1e-14, 1e-13):
            print(f"  MuJoCo, nudged by {nudge:g}: {compare(want, run(mujoco, om, args.steps, nudge))}")


if __name__ == "__main__":
    main()
