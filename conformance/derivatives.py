#!/usr/bin/env python3
"""Derivatives of a step against MuJoCo's finite differences, model by model.

    derivatives.py LIST.txt|MODEL.xml ... [--smooth] [--inverse] [--method hybrid] [--tolerance 1e-5] [--worst 10] [--own]

Every model is put into a moving state under random controls. sinew's `A` and `B` are compared with MuJoCo's centred
differences, `mjd_transitionFD(eps=1e-6)`, or with differences of its step if that function refuses the model
(Runge–Kutta, delays). The error is relative to the largest entry of the matrix. `--smooth` disables constraints.
`--own` compares with differences of sinew's own step instead, extrapolated to zero perturbation. `--inverse` compares
the derivatives of inverse dynamics with MuJoCo's centred differences, the mean of forward and backward `mjd_inverseFD`,
each relative to its largest entry. `--columns 12` uses a random selection of columns of the state, for models too large
for all, and differences of MuJoCo's steps.

With constraints, results count only if the active set stays the same: models whose one-sided differences disagree are
excluded and counted as `switching`.
"""
import argparse
import os
import sys

import mujoco
import numpy as np
import sinew


def expand(paths):
    for p in paths:
        if p.endswith(".txt"):
            base = os.path.dirname(os.path.abspath(p))
            yield from (os.path.join(base, x) for line in open(p) if (x := line.split("#")[0].strip()))
        else:
            yield p


def state(m, seed, settle):
    """A state that can be set in all engines: positions, velocities, activations, controls."""
    rng = np.random.default_rng(seed)
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    v = rng.uniform(-1, 1, m.nv)
    if not settle:
        mujoco.mj_integratePos(m, d.qpos, v, 0.1)
        mujoco.mj_normalizeQuat(m, d.qpos)
    d.qvel[:] = 0.3 * rng.uniform(-1, 1, m.nv) * (0.1 if settle else 1)
    for i in range(m.nu):
        lo, hi = m.actuator_ctrlrange[i] if m.actuator_ctrllimited[i] else (-1, 1)
        d.ctrl[i] = lo + (hi - lo) * rng.uniform(0.3, 0.7)
    for i in range(m.nu):
        for a in range(m.actuator_actadr[i], m.actuator_actadr[i] + max(m.actuator_actnum[i], 0)):
            lo, hi = m.actuator_actrange[i] if m.actuator_actlimited[i] else (0, 1)
            d.act[a] = lo + (hi - lo) * rng.uniform(0.2, 0.8)
    if settle:
        for _ in range(settle):
            mujoco.mj_step(m, d)
    return d.qpos.copy(), d.qvel.copy(), d.act.copy(), d.ctrl.copy(), d.qacc_warmstart.copy()


def put(mod, m, d, x):
    d.qpos[:], d.qvel[:], d.act[:], d.ctrl[:], d.qacc_warmstart[:] = x


def stepped(mod, m, x, eps, ahead=False, columns=None):
    """Finite differences of whole steps, centred or forward: `A` and `B`, or selected columns of both, as one
    matrix."""
    nx, nv, nq = 2 * m.nv + m.na, m.nv, m.nq
    d = mod.MjData(m)

    def outcome(y):
        mod.mj_resetData(m, d)
        put(mod, m, d, y)
        mod.mj_step(m, d)
        return np.concatenate([d.qpos, d.qvel, d.act])

    def change(a, b, h):
        dq = np.zeros(nv)
        mod.mj_differentiatePos(m, dq, h, a[:nq], b[:nq])
        return np.concatenate([dq, (b[nq:] - a[nq:]) / h])

    def nudged(k, h):
        q, v, act, u, w = [p.copy() for p in x]
        if k < nv:
            e = np.zeros(nv)
            e[k] = 1
            mod.mj_integratePos(m, q, e, h)
        elif k < 2 * nv:
            v[k - nv] += h
        elif k < nx:
            act[k - 2 * nv] += h
        else:
            u[k - nx] += h
        return outcome((q, v, act, u, w))

    back = 0 if ahead else -eps
    cols = [change(nudged(k, back), nudged(k, eps), eps - back) for k in (range(nx + m.nu) if columns is None else columns)]
    if columns is not None:
        return np.array(cols).T
    full = np.array(cols).T.reshape(nx, nx + m.nu)
    return full[:, :nx], full[:, nx:]


def reference(m, d, eps, centered):
    nx = 2 * m.nv + m.na
    A, B = np.zeros((nx, nx)), np.zeros((nx, m.nu))
    mujoco.mjd_transitionFD(m, d, eps, centered, A, B, None, None)
    return A, B


def inverse_differences(m, d, eps):
    """`DfDq`, `DfDv` and `DfDa` by forward differences with `eps`, or backward ones if that is negative."""
    found = [np.zeros((m.nv, m.nv)) for _ in range(3)]
    mujoco.mjd_inverseFD(m, d, eps, False, *found, None, None, None, None)
    return found


def compare_inverse(m, d, om, od, a):
    """The largest error of three matrices, whether forward and backward differences disagree, and which terms used
    differences."""
    for model in (om, m):
        if model.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:
            model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER  # MuJoCo refuses RK4 even here
        model.opt.noslip_iterations = 0
    mujoco.mj_forward(om, od)
    od.qacc[:] += 0.1 * np.random.default_rng(2).uniform(-1, 1, om.nv)
    d.qacc[:] = od.qacc
    found = sinew.inverse_derivatives(m, d, method=a.method)
    ahead, behind = inverse_differences(om, od, 1e-6), inverse_differences(om, od, -1e-6)
    want = [(p + q) / 2 for p, q in zip(ahead, behind)]
    # a zero matrix has the noise of differences of forces that cancel
    inertial = np.zeros(om.nv)
    mujoco.mj_mulM(om, od, inertial, od.qacc)
    floor = 1e-3 * max(np.abs(f).max() for f in (inertial, od.qfrc_bias, od.qfrc_passive))

    def worst(these):
        return max(np.abs(p - q).max() / max(np.abs(q).max(), floor) for p, q in zip(these, want))

    switching = not a.smooth and worst(ahead) > a.tolerance
    return worst(found[:3]), "switching" if switching else "", found.differenced


def richardson(m, x):
    """Differences of sinew's own step with the second-order error removed."""
    coarse, fine = stepped(sinew, m, x, 2e-4), stepped(sinew, m, x, 1e-4)
    return [(4 * f - c) / 3 for f, c in zip(fine, coarse)]


def error(found, want):
    scale = max((np.abs(w).max() for w in want if w.size), default=0.0)
    off = max((np.abs(f - w).max() for f, w in zip(found, want) if w.size), default=0.0)
    return off / scale if scale else off


def compare(path, a):
    om, m = mujoco.MjModel.from_xml_path(path), sinew.MjModel.from_xml_path(path)
    if om.nv == 0:
        return 0.0, "no dofs", {}
    for model in (om, m):
        if a.smooth:
            model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
        elif model.nv and not model.opt.disableflags & int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT):
            # derivatives are those of the exact solution, so the solver must converge
            model.opt.tolerance, model.opt.iterations, model.opt.ls_iterations = 0, 200, 50
            model.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    x = state(om, 1, 0 if a.smooth else a.settle)
    od, d = mujoco.MjData(om), sinew.MjData(m)
    put(mujoco, om, od, x)
    put(sinew, m, d, x)
    if a.inverse:
        return compare_inverse(m, d, om, od, a)
    t = sinew.transition(m, d, method=a.method)
    kind = ""
    if a.columns:
        nx = 2 * m.nv + m.na
        chosen = np.random.default_rng(3).choice(nx, min(a.columns, nx), replace=False)
        want, ahead = (stepped(mujoco, om, x, 1e-6, side, chosen) for side in (False, True))
        kind = "switching" if not a.smooth and error([ahead], [want]) > a.tolerance else ""
        return error([t.A[:, chosen]], [want]), kind, t.differenced
    if a.own:
        want = richardson(m, x)
    elif om.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4 or om.nhistory:
        want, kind = stepped(mujoco, om, x, 1e-6), "of steps"
        if not a.smooth and error(stepped(mujoco, om, x, 1e-6, ahead=True), want) > a.tolerance:
            kind = "switching"
    else:
        want = reference(om, od, 1e-6, True)
        if not a.smooth:
            put(mujoco, om, od, x)
            if error(reference(om, od, 1e-6, False), want) > a.tolerance:
                kind = "switching"
    return error((t.A, t.B), want), kind, t.differenced


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("paths", nargs="+")
    ap.add_argument("--smooth", action="store_true")
    ap.add_argument("--own", action="store_true")
    ap.add_argument("--inverse", action="store_true")
    ap.add_argument("--columns", type=int, default=0, help="compare only so many columns")
    ap.add_argument("--smallest", type=int, default=0, help="models with fewer dofs are left out")
    ap.add_argument("--every", type=int, default=1, help="take only every n-th model")
    ap.add_argument("--method", default="hybrid")
    ap.add_argument("--tolerance", type=float, default=1e-5)
    ap.add_argument("--settle", type=int, default=20, help="steps before the state is taken, with constraints")
    ap.add_argument("--worst", type=int, default=10)
    ap.add_argument("--largest", type=int, default=150, help="models with more dofs are left out")
    a = ap.parse_args()
    rows, failed, large = [], [], 0
    for path in list(expand(a.paths))[:: a.every]:
        name = "/".join(path.split(os.sep)[-3:])
        try:
            nv = mujoco.MjModel.from_xml_path(path).nv
            if not a.smallest <= nv <= a.largest:
                large += nv > a.largest
                continue
            e, kind, differenced = compare(path, a)
            rows.append((e if np.isfinite(e) else np.inf, name, kind, differenced))
        except Exception as e:  # noqa: BLE001
            failed.append((name, f"{type(e).__name__}: {str(e)[:90]}"))
    rows.sort(key=lambda r: -r[0])
    steady = [r for r in rows if r[2] != "switching"]
    good = sum(r[0] <= a.tolerance for r in steady)
    for e, name, kind, differenced in rows[: a.worst]:
        terms = sorted({t for v in differenced.values() for t in v}) if differenced else []
        print(f"{e:9.1e}  {name:70s} {kind} {', '.join(terms)}")
    for name, why in failed:
        print(f"   failed  {name:70s} {why}")
    print(f"{good} of {len(steady)} within {a.tolerance:g}; {len(rows) - len(steady)} switching, {large} too large, {len(failed)} failed")
    return 0 if good == len(steady) and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
