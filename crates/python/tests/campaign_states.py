"""Extreme states, compared with MuJoCo: sinew survives a step that MuJoCo survives, and resets where MuJoCo does."""

import warnings

import mujoco
import numpy as np
import sinew
from campaign import survives
from campaign_models import stepped
from random_models import model
from tolerances import SINGULAR

EDGES = (0.0, -0.0, 5e-324, -1e-310, 1e-16, 1.0, -1.0, np.pi, 1e6, -1e9, 1e11, 1e150, np.nan, np.inf)
# a few models at a time, each with this many states
STATES = 60
STEPS = 3
# warnings for bad states
BAD = [int(getattr(mujoco.mjtWarning, f"mjWARN_BAD{x}")) for x in ("QPOS", "QVEL", "QACC", "CTRL")]


def run(watch, seed):
    warnings.simplefilter("ignore")  # warnings about bad states
    rng = np.random.default_rng(seed)
    number = 10**6 * seed
    while watch.goes_on():
        number += 1
        text = model(number)
        if not survives(lambda: stepped(text)):
            continue
        try:
            om, cm = mujoco.MjModel.from_xml_string(text), sinew.MjModel.from_xml_string(text)
        except ValueError:
            continue
        # both must report resets at the same step
        datas = mujoco.MjData(om), sinew.MjData(cm)
        for _ in range(STATES):
            state = draw(rng, om)
            what = "\n".join([text, *(f"{k} = {v.tolist()}" for k, v in state.items())])
            watch.run(what, lambda: one((mujoco, sinew), (om, cm), datas, state))
            watch.steps += STEPS
            if not watch.goes_on():
                return


def draw(rng, m):
    """Draws mostly ordinary states with a few extreme values; zero quaternions, collinear bodies."""
    state = {"qpos": np.array(m.qpos0), "qvel": np.zeros(m.nv), "ctrl": np.zeros(m.nu), "qfrc_applied": np.zeros(m.nv)}
    if rng.random() < 0.3:
        state["qpos"][:] = 0.0  # everything at the origin, invalid quaternions
    for values in state.values():
        if values.size and rng.random() < 0.6:
            for _ in range(rng.integers(1, 4)):
                values[rng.integers(values.size)] = EDGES[rng.integers(len(EDGES))]
    return state


def one(modules, models, datas, state):
    finite, warned = [], []
    for module, m, d in zip(modules, models, datas):
        module.mj_resetData(m, d)
        for name, values in state.items():
            getattr(d, name)[:] = values
        try:
            for _ in range(STEPS):
                module.mj_step(m, d)
        except mujoco.FatalError:
            return "MuJoCo stops"
        finite.append(bool(np.isfinite(d.qpos).all() and np.isfinite(d.qvel).all() and np.isfinite(d.qacc).all()))
        warned.append([int(d.warning[w].number) > 0 for w in BAD])
    if finite[0] and not finite[1]:
        if huge(datas[0]) or any(warned[0]):
            return "bad in both"  # MuJoCo has reset it, or will do so at the next step
        if singular(models[0], datas[0]):
            return "singular"
    assert finite[1] or not finite[0], f"MuJoCo is finite, sinew is not; warnings {warned}"
    if warned[0] != warned[1]:
        return "one of the two resets"
    return "reset by both" if any(warned[0]) else "finite in both"


def huge(d):
    """Whether MuJoCo considers a state unstable."""
    return max(np.max(np.abs(x), initial=0) for x in (d.qpos, d.qvel, d.qacc)) > mujoco.mjMAXVAL


def singular(m, d):
    """Whether rounding decides a pivot of implicitfast's matrix: it may be zero in one engine only."""
    if m.opt.integrator != mujoco.mjtIntegrator.mjINT_IMPLICITFAST:
        return False
    diagonal = d.M[m.M_rowadr + m.M_rownnz - 1] - m.opt.timestep * d.qDeriv[m.D_rowadr + m.D_diag]
    return bool(np.any(np.abs(1 / d.qHDiagInv) < SINGULAR * np.abs(diagonal)))
