"""Newton, CG, PGS and noslip with contacts, against MuJoCo."""

from itertools import product

import mujoco
import numpy as np
import pytest
import sinew
from contact_models import pile
from oracle import copy_state
from test_contact_rows import close, pair

CONES, STORAGE = ("pyramidal", "elliptic"), ("dense", "sparse")
STEPS = 8


def run(xml, tol, check=lambda *_: None):
    om, od, m, d = pair(xml)
    for _ in range(STEPS):
        copy_state(d, od)
        mujoco.mj_forward(om, od)
        sinew.mj_forward(m, d)
        assert od.nefc > 8
        for name in ("qacc", "qfrc_constraint", "efc_force"):
            close(getattr(d, name), getattr(od, name), tol, name)
        assert np.abs(np.asarray(d.solver_niter) - np.asarray(od.solver_niter)).max() <= 1
        check(om, od, d)
        mujoco.mj_step(om, od)


@pytest.mark.parametrize("island", ("enable", "disable"))
@pytest.mark.parametrize("cone, jacobian, condim", list(product(CONES, STORAGE, (1, 3, 6))))
def test_newton(cone, jacobian, condim, island):
    def check(om, od, d):
        assert list(d.solver_nnz) == list(od.solver_nnz)
        if island == "disable":
            close(d.efc_state, od.efc_state, 0, "efc_state")
            n = od.solver_niter[0]
            for name in ("improvement", "gradient", "lineslope", "nactive", "nchange", "neval", "nupdate"):
                close(getattr(d.solver, name)[:n], [getattr(od.solver[i], name) for i in range(n)], 1e-5, name)

    run(pile(cone=cone, jacobian=jacobian, condim=condim, island=island, impratio=2), 1e-7, check)


@pytest.mark.parametrize("cone, jacobian", list(product(CONES, STORAGE)))
def test_cg(cone, jacobian):
    run(pile(cone=cone, jacobian=jacobian, solver="CG"), 1e-5)


@pytest.mark.parametrize("cone, jacobian, condim", list(product(CONES, STORAGE, (1, 3, 4, 6))))
def test_pgs(cone, jacobian, condim):
    def check(om, od, d):
        assert d.solver_nnz[0] == od.solver_nnz[0]
        n = od.solver_niter[0]
        close(d.solver.improvement[:n], [od.solver[i].improvement for i in range(n)], 1e-7, "improvement")

    run(pile(cone=cone, jacobian=jacobian, condim=condim, solver="PGS", iterations=40), 1e-7, check)


@pytest.mark.parametrize("solver", ("Newton", "CG", "PGS"))
@pytest.mark.parametrize("cone, jacobian, condim", list(product(CONES, STORAGE, (3, 6))))
def test_noslip(cone, jacobian, condim, solver):
    run(pile(cone=cone, jacobian=jacobian, condim=condim, solver=solver, noslip=6, iterations=30), 1e-5)


@pytest.mark.parametrize("solver", ("Newton", "CG", "PGS"))
@pytest.mark.parametrize("warmstart", ("enable", "disable"))
@pytest.mark.parametrize("iterations", (0, 1, 3))
def test_few_iterations(solver, warmstart, iterations):
    """Results before convergence depend on the initial point and on each step."""
    for cone in ("pyramidal", "elliptic"):
        run(pile(cone=cone, solver=solver, warmstart=warmstart, iterations=iterations, island="disable"), 1e-7)


@pytest.mark.parametrize("cone", ("pyramidal", "elliptic"))
@pytest.mark.parametrize("integrator", ("Euler", "implicit", "implicitfast"))
def test_inverse(cone, integrator):
    om, od, m, d = pair(pile(cone=cone, integrator=integrator, condim=4))
    for flags in (0, mujoco.mjtEnableBit.mjENBL_INVDISCRETE):
        om.opt.enableflags = m.opt.enableflags = int(flags)
        for _ in range(3):
            mujoco.mj_step(om, od)
        mujoco.mj_forward(om, od)
        copy_state(d, od)
        d.qacc[:] = od.qacc
        mujoco.mj_inverse(om, od)
        sinew.mj_inverse(m, d)
        for name in ("qfrc_inverse", "efc_force", "efc_state", "qfrc_constraint"):
            close(getattr(d, name), getattr(od, name), 1e-8, name)


def test_forward_and_inverse_are_compared():
    om, od, m, d = pair(pile(cone="elliptic", condim=4, iterations=3))
    om.opt.enableflags = m.opt.enableflags = int(mujoco.mjtEnableBit.mjENBL_FWDINV)
    for _ in range(4):
        copy_state(d, od)
        mujoco.mj_step(om, od)
        sinew.mj_step(m, d)
        assert od.solver_fwdinv[0] > 0
        close(d.solver_fwdinv, od.solver_fwdinv, 1e-6)


CONTRADICTION = """
<mujoco>
  <option solver="{0}" jacobian="{1}"/>
  <worldbody><body name="b" pos="0 0 1"><joint name="x" type="slide" axis="1 0 0"/><joint name="y" axis="0 1 0"/>
    <geom size=".1" pos="0 0 .2"/></body>
    <body name="c" pos="0 0 1"><joint name="z" type="slide" axis="1 0 0"/><geom size=".1" contype="0"/></body></worldbody>
  <equality><joint joint1="x" polycoef="1 0 0 0 0"/><joint joint1="x" polycoef="-1 0 0 0 0"/>
    <joint joint1="x" joint2="z"/><joint joint1="x" joint2="z" polycoef="1 1 0 0 0"/></equality>
</mujoco>
"""


@pytest.mark.parametrize("solver", ("Newton", "CG", "PGS"))
@pytest.mark.parametrize("jacobian", ("dense", "sparse"))
def test_contradictory_equalities(solver, jacobian):
    om, od, m, d = pair(CONTRADICTION.format(solver, jacobian))
    for _ in range(20):
        copy_state(d, od)
        mujoco.mj_step(om, od)
        sinew.mj_step(m, d)
        close(d.qacc, od.qacc, 1e-5)


@pytest.mark.parametrize("solver", ("Newton", "CG", "PGS"))
def test_not_a_number(solver):
    """A NaN force is detected and counted, and the simulation is reset."""
    om, od, m, d = pair(pile(solver=solver))
    for data, module, model in ((od, mujoco, om), (d, sinew, m)):
        module.mj_step(model, data)
        data.qfrc_applied[7] = np.nan
        module.mj_step(model, data)
    for w in range(len(od.warning)):
        assert d.warning[w].number == od.warning[w].number, w
    close(d.qpos, od.qpos, 1e-9)


def test_thousands_of_rows():
    rows = "".join(
        f'<body pos="{x} {y} .049"><freejoint/><geom type="box" size=".05 .05 .05"/></body>'
        for x in np.arange(0, 3, 0.15)
        for y in np.arange(0, 1.5, 0.15)
    )
    for cone in ("pyramidal", "elliptic"):
        xml = f"""<mujoco><option cone="{cone}"/><size memory="200M"/>
          <worldbody><geom type="plane" size="9 9 1"/>{rows}</worldbody></mujoco>"""
        om, od, m, d = pair(xml)
        copy_state(d, od)
        mujoco.mj_forward(om, od)
        sinew.mj_forward(m, d)
        assert d.nefc == od.nefc > 2000
        close(d.qacc, od.qacc, 1e-6)
        assert np.abs(np.asarray(d.solver_niter) - np.asarray(od.solver_niter)).max() <= 1
