#!/usr/bin/env python3
"""Time of the derivatives of a step against MuJoCo's, interleaved in one run.

    derivatives.py [MODEL.xml ...] [--settle 200] [--repeat 7] [--inverse] [--adjoint]

MuJoCo: `mjd_transitionFD`, one-sided, its fastest setting. sinew: `transition(method="hybrid")`, the same matrices `A`
and `B`. Both start from the state that MuJoCo reaches after some steps; the median of the repeats counts. `--inverse`:
the derivatives of inverse dynamics instead, `mjd_inverseFD` against `inverse_derivatives`, with respect to position,
velocity and acceleration.

`--adjoint` times the gradient of a loss over 100 steps of the humanoid relative to those steps, and compares it with
finite differences along random directions of all controls.
"""
import argparse
import os
import time

import mujoco
import numpy as np
import sinew

CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "shared", "corpus")
MODELS = [
    "mujoco_model/humanoid/humanoid.xml", "menagerie/unitree_g1/scene.xml", "menagerie/franka_emika_panda/scene.xml",
    "menagerie/unitree_go2/scene.xml", "menagerie/agility_cassie/scene.xml", "menagerie/shadow_hand/scene_right.xml",
    "myo_sim/hand/myohand.xml", "mujoco_model/humanoid/22_humanoids.xml",
]


def calls(m, d, om, od, inverse):
    """The calls to time for both engines, and pairs of matrices to compare."""
    nx = 2 * om.nv + om.na
    if inverse:
        om.opt.noslip_iterations = m.opt.noslip_iterations = 0  # noslip has no inverse
        mujoco.mj_forward(om, od)
        d.qacc[:] = od.qacc
        want = [np.zeros((om.nv, om.nv)) for _ in range(3)]
        return (lambda: mujoco.mjd_inverseFD(om, od, 1e-6, 0, *want, None, None, None, None)), (lambda: sinew.inverse_derivatives(m, d)), want
    want = [np.zeros((nx, nx)), np.zeros((nx, om.nu))]
    return (lambda: mujoco.mjd_transitionFD(om, od, 1e-6, 0, *want, None, None)), (lambda: sinew.transition(m, d)), want


def measure(path, settle, repeat, inverse):
    om, m = mujoco.MjModel.from_xml_path(path), sinew.MjModel.from_xml_path(path)
    od, d = mujoco.MjData(om), sinew.MjData(m)
    if om.nkey:
        mujoco.mj_resetDataKeyframe(om, od, 0)
    for _ in range(settle):
        mujoco.mj_step(om, od)
    d.qpos[:], d.qvel[:], d.act[:], d.ctrl[:], d.qacc_warmstart[:] = od.qpos, od.qvel, od.act, od.ctrl, od.qacc_warmstart
    their, own, want = calls(m, d, om, od, inverse)
    theirs, ours = [], []
    found = own()
    for _ in range(repeat):
        t = time.perf_counter()
        their()
        theirs.append(time.perf_counter() - t)
        # turns of equal duration, so that caches are equally warm for both
        n = max(1, int(theirs[-1] / ours[-1])) if ours else 1
        t = time.perf_counter()
        for _ in range(n):
            found = own()
        ours.append((time.perf_counter() - t) / n)
    terms = sorted({x for v in found.differenced.values() for x in v})
    off = max(np.abs(f - w).max(initial=0) for f, w in zip(found, want)) / max(np.abs(w).max(initial=1e-300) for w in want)
    return om, od, np.median(theirs), np.median(ours), off, terms


def rollout(m, start, ctrl):
    """The final state of a rollout."""
    d = start.__copy__()
    for row in ctrl:
        d.ctrl[:] = row
        sinew.mj_step(m, d)
    return d


def adjoint(repeat, steps=100, eps=1e-6):
    m = sinew.MjModel.from_xml_path(os.path.join(CORPUS, MODELS[0]))
    start, rng = sinew.MjData(m), np.random.default_rng(0)
    sinew.mj_resetDataKeyframe(m, start, 0)
    ctrl = 0.1 * rng.standard_normal((steps, m.nu))
    # the loss is a sum of the final velocities with random weights
    weights, loss = rng.standard_normal(m.nv), np.zeros((steps, 2 * m.nv + m.na))
    loss[-1, m.nv : 2 * m.nv] = weights
    spent = np.empty((repeat, 2))
    for row in spent:
        begin = time.perf_counter()
        rollout(m, start, ctrl)
        middle = time.perf_counter()
        _, gradient = sinew.rollout_vjp(m, start, ctrl, loss)
        row[:] = middle - begin, time.perf_counter() - middle
    errors = []
    for _ in range(5):
        way = rng.standard_normal(ctrl.shape)
        ends = [weights @ rollout(m, start, ctrl + s * eps * way).qvel for s in (1, -1)]
        want = (ends[0] - ends[1]) / (2 * eps)
        errors.append(abs((gradient * way).sum() - want) / abs(want))
    steps_ms, back_ms = 1e3 * np.median(spent, 0)
    print(f"{steps} steps {steps_ms:.2f} ms, their gradient {back_ms:.2f} ms: {back_ms / steps_ms:.2f} times; off by {max(errors):.1e}")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("paths", nargs="*")
    ap.add_argument("--settle", type=int, default=200)
    ap.add_argument("--repeat", type=int, default=7)
    ap.add_argument("--inverse", action="store_true")
    ap.add_argument("--adjoint", action="store_true")
    a = ap.parse_args()
    if a.adjoint:
        adjoint(a.repeat)
        return
    ratios = []
    print(f"{'model':40s} {'nv':>4s} {'rows':>5s} {'MuJoCo us':>11s} {'sinew us':>10s} {'ratio':>6s} {'apart':>8s}  differenced")
    for path in a.paths or [os.path.join(CORPUS, x) for x in MODELS]:
        om, od, theirs, ours, off, terms = measure(path, a.settle, a.repeat, a.inverse)
        ratios.append(theirs / ours)
        name = "/".join(path.split(os.sep)[-2:])
        print(f"{name:40s} {om.nv:4d} {od.nefc:5d} {theirs * 1e6:11.0f} {ours * 1e6:10.0f} {ratios[-1]:6.1f} {off:8.1e}  {', '.join(terms)}")
    print(f"geometric mean {np.exp(np.mean(np.log(ratios))):.1f}, least {min(ratios):.1f}")


if __name__ == "__main__":
    main()
