#!/usr/bin/env python3
"""Time of every stage against MuJoCo's, on identical states.

    stages.py MODEL.xml|LIST.txt ... [--warm 200] [--repeat 15] [--json out.json]

Both engines are brought to the state that MuJoCo reaches after `--warm` steps; then each stage function is called many
times, interleaved, and the median of the CPU times counts. The ratio is MuJoCo's time over sinew's: above 1 sinew is
faster. Calls go through Python in both engines, so for stages of less than a microsecond the bindings dominate.
"""
import argparse, json, sys
import numpy as np
import mujoco, sinew
from common import cpu_seconds, expand, in_turn, label, load, state

CALLS = 200  # maximum number of calls without a reset
TREE = """
forward
  fwdPosition
    kinematics
    comPos
    camlight
    tendon
    makeM
    factorM
    collision
    makeConstraint
    island
    projectConstraint
    transmission
  sensorPos
  fwdVelocity
    comVel
    passive
    referenceConstraint
  sensorVel
  fwdActuation
  fwdAcceleration
  fwdConstraint
  sensorAcc
"""


def prepare(path, warm):
    """Both engines with model and simulation, in the state that MuJoCo reaches."""
    om, od = load(mujoco, path)
    sm, sd = load(sinew, path)
    mujoco.mj_step(om, od, warm)
    sinew.mj_setState(sm, sd, state(mujoco, om, od, "INTEGRATION"), sinew.mjtState.mjSTATE_INTEGRATION)
    mujoco.mj_forward(om, od)
    sinew.mj_forward(sm, sd)
    return (mujoco, om, od), (sinew, sm, sd)


def microseconds(side, stage, calls):
    module, m, d = side
    call = getattr(module, "mj_" + stage)
    module.mj_forward(m, d)  # some stages allocate from MuJoCo's arena, and only this frees it; hence CALLS

    def work():
        for _ in range(calls):
            call(m, d)
    return 1e6 / calls * cpu_seconds(work)


def measure(sides, repeat):
    """Stages as a tree, with indented names, and microseconds of MuJoCo and of sinew."""
    for line in TREE.split("\n")[1:-1]:
        stage = line.strip()
        calls = int(np.clip(5000 / microseconds(sides[0], stage, 3), 1, CALLS))
        times = in_turn(sides, repeat, lambda side: microseconds(side, stage, calls))
        yield line, *np.median(times, axis=0)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("paths", nargs="+")
    ap.add_argument("--warm", type=int, default=200, help="steps before the state that is timed")
    ap.add_argument("--repeat", type=int, default=15)
    ap.add_argument("--json")
    a = ap.parse_args()
    out = {}
    for path in expand(a.paths):
        sides = prepare(path, a.warm)
        print(f"{label(path)}: {sides[0][2].ncon} contacts, {sides[0][2].nefc} rows")
        print(f"  {'stage':22s} {'mujoco us':>10s} {'sinew us':>10s} {'ratio':>6s}")
        rows = out[label(path)] = {}
        for line, o, c in measure(sides, a.repeat):
            rows[line.strip()] = dict(mujoco_us=o, sinew_us=c, ratio=o / c)
            print(f"  {line:22s} {o:10.2f} {c:10.2f} {o / c:6.2f}", flush=True)
    if a.json:
        json.dump(out, open(a.json, "w"), indent=1)


if __name__ == "__main__":
    sys.exit(main())
