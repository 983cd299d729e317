"""Checks whether CG, which stops before convergence, leaves both engines equally far from the solution."""

import contextlib

import mujoco
import numpy as np
import sinew
from oracle import copy_state
from tolerances import CG_FARTHER, ROUNDED

# more iterations than Newton's method needs
MOST = 500


@contextlib.contextmanager
def options(models, **values):
    """Sets options of the models temporarily."""
    kept = [{name: getattr(m.opt, name) for name in values} for m in models]
    try:
        for m in models:
            for name, value in values.items():
                setattr(m.opt, name, value)
        yield
    finally:
        for m, before in zip(models, kept):
            for name, value in before.items():
                setattr(m.opt, name, value)


def both(cm, om, state, call):
    """Data of both engines after calling the named function, from a MuJoCo state."""
    cd, od = sinew.MjData(cm), mujoco.MjData(om)
    for module, m, d in ((sinew, cm, cd), (mujoco, om, od)):
        copy_state(d, state)
        getattr(module, call)(m, d)
    return cd, od


def solutions(cm, om, state, call):
    """Solutions of Newton's method, iterated until it makes no more progress."""
    with options((cm, om), solver=int(mujoco.mjtSolver.mjSOL_NEWTON), tolerance=0, iterations=MOST):
        return both(cm, om, state, call)


def cost(om, od, jacobian, qacc):
    """The objective of the constraint solver."""
    apart, inertial, rows = np.asarray(qacc) - od.qacc_smooth, np.zeros(om.nv), np.zeros(1)
    mujoco.mj_mulM(om, od, inertial, apart)
    mujoco.mj_constraintUpdate(om, od, jacobian @ qacc - od.efc_aref, rows, 0)
    return 0.5 * apart @ inertial + rows[0]


def unit(om, od):
    """Cost improvement below which iterations end, for all islands together."""
    if not od.nisland:
        return om.opt.tolerance * om.stat.meaninertia * om.nv
    return om.opt.tolerance * float(np.sum(od.qM[om.dof_Madr]))


def equally_far(cm, om, state, jacobian):
    """Whether sinew's cost exceeds the minimum by at most MuJoCo's excess, one unit or rounding, times `CG_FARTHER`."""
    # noslip runs after the iterations
    with options((cm, om), noslip_iterations=0):
        cd, od = both(cm, om, state, "mj_forward")
        exact = solutions(cm, om, state, "mj_forward")
    rows = jacobian(mujoco, om, od)
    ours, theirs, *others = (cost(om, od, rows, d.qacc) for d in (cd, od, *exact))
    least = min(ours, theirs, *others)
    return ours - least <= CG_FARTHER * max(theirs - least, unit(om, od), ROUNDED * abs(least))


def stopped(cm, om, state, stage, agree, jacobian):
    """Whether the engines differ after a stage only by where the iterations stopped: same solution, similar distance
    from it."""
    # later Runge-Kutta stages have separate costs
    late = stage == "step" and om.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4
    if om.opt.solver != mujoco.mjtSolver.mjSOL_CG or late:
        return False
    try:
        return agree(*solutions(cm, om, state, "mj_step" if stage == "step" else "mj_forward")) and equally_far(cm, om, state, jacobian)
    except mujoco.FatalError:
        return False
