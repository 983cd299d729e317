#!/usr/bin/env python3
"""Time of every stage beside MuJoCo's, on identical states.

    stages.py MODEL.xml|LIST.txt ... [--warm 200] [--repeat 5] [--json out.json]

Both engines are brought to the state that MuJoCo reaches after `--warm` steps; then each stage function is called
many times in turn. The figure is MuJoCo's time over sinew's: above 1 sinew is faster. Calls go through Python in both
engines, so stages of less than a microsecond show the bindings more than the engines.
"""
import argparse, json, os, sys, time
import numpy as np
import mujoco, sinew

STAGES = ("kinematics comPos camlight tendon crb makeM factorM collision makeConstraint island projectConstraint transmission "
          "fwdVelocity comVel passive referenceConstraint fwdActuation fwdAcceleration fwdConstraint "
          "sensorPos sensorVel sensorAcc forward").split()


def expand(paths):
    for p in paths:
        if p.endswith(".txt"):
            base = os.path.dirname(os.path.abspath(p))
            yield from (os.path.join(base, l.split("#")[0].strip()) for l in open(p) if l.split("#")[0].strip())
        else:
            yield p


def prepare(path, warm):
    om, sm = mujoco.MjModel.from_xml_path(path), sinew.MjModel.from_xml_path(path)
    od, sd = mujoco.MjData(om), sinew.MjData(sm)
    if om.nkey:
        mujoco.mj_resetDataKeyframe(om, od, 0)
    mujoco.mj_step(om, od, warm)
    spec = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(om, spec))
    mujoco.mj_getState(om, od, state, spec)
    sinew.mj_setState(sm, sd, state, int(spec))
    mujoco.mj_forward(om, od)
    sinew.mj_forward(sm, sd)
    return (mujoco, om, od), (sinew, sm, sd)


def microseconds(side, stage, calls):
    module, m, d = side
    call = getattr(module, "mj_" + stage)
    start = time.perf_counter()
    for _ in range(calls):
        call(m, d)
    return (time.perf_counter() - start) / calls * 1e6


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("paths", nargs="+")
    ap.add_argument("--warm", type=int, default=200, help="steps before the state that is timed")
    ap.add_argument("--repeat", type=int, default=5)
    ap.add_argument("--json")
    a = ap.parse_args()
    out = {}
    for path in expand(a.paths):
        name = "/".join(path.split(os.sep)[-2:])
        sides = prepare(path, a.warm)
        print(f"{name}: {sides[0][2].ncon} contacts, {sides[0][2].nefc} rows")
        print(f"  {'stage':22s} {'mujoco us':>10s} {'sinew us':>10s} {'ratio':>6s}")
        rows = {}
        for stage in STAGES:
            if not all(hasattr(side[0], "mj_" + stage) for side in sides):
                continue
            calls = max(3, int(2e4 / microseconds(sides[0], stage, 3)))
            times = np.array([[microseconds(s, stage, min(calls, 5000)) for s in sides] for _ in range(a.repeat)])
            o, c = np.median(times, axis=0)
            rows[stage] = dict(mujoco_us=o, sinew_us=c, ratio=o / c)
            print(f"  {stage:22s} {o:10.2f} {c:10.2f} {o / c:6.2f}", flush=True)
        out[name] = rows
    if a.json:
        json.dump(out, open(a.json, "w"), indent=1)


if __name__ == "__main__":
    sys.exit(main())
