"""Constraint islands and their solution, against MuJoCo."""

import mujoco
import numpy as np
import pytest
import sinew
from oracle import copy_state, model_from_mujoco

JOINTS = """
<mujoco>
  <option jacobian="{jacobian}" solver="{solver}" cone="{cone}"><flag contact="disable"/></option>
  <worldbody>
    <body name="a"><joint axis="0 1 0" range="-10 10"/><geom size=".1" pos=".3 0 0"/>
      <body pos=".5 0 0"><joint axis="0 1 0" frictionloss=".3"/><geom size=".1" pos=".2 0 .1"/></body></body>
    <body pos="0 2 0"><freejoint/><geom size=".1"/></body>
    <body pos="1 0 0"><joint type="ball" range="0 20"/><geom size=".1" pos=".1 .2 .3"/></body>
    <body name="c" pos="2 0 0"><freejoint/><geom type="box" size=".1 .2 .1"/></body>
    <body name="d" pos="2.5 0 0"><freejoint/><geom type="box" size=".1 .2 .1"/></body>
    <body pos="3 0 0"><joint name="e" axis="1 0 0"/><geom size=".1" pos="0 .3 0"/></body>
    <body pos="4 0 0"><joint name="f" axis="1 0 0" damping=".1"/><geom size=".1" pos="0 .3 0"/></body>
    <body pos="5 0 0"><joint name="g" axis="1 0 0"/><geom size=".1" pos="0 .3 0"/></body>
    <body pos="6 0 0"><joint name="h" axis="1 0 0"/><geom size=".1" pos="0 .3 0"/></body>
  </worldbody>
  <equality>
    <connect body1="d" body2="a" anchor="0 0 0"/><weld body1="c"/><joint joint1="e" joint2="h" polycoef="0 1 0 0 0"/>
  </equality>
  <tendon>
    <fixed limited="true" range="-.1 .1"><joint joint="f" coef="1"/><joint joint="g" coef="1"/></fixed>
    <fixed frictionloss=".5"><joint joint="f" coef="1"/></fixed>
  </tendon>
</mujoco>
"""

PILES = """
<mujoco>
  <option jacobian="{jacobian}" solver="{solver}" cone="{cone}" impratio="3"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="3 0 .3"><freejoint/><geom size=".1" condim="6"/></body>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".2 .2 .1"/></body>
    <body pos="1 0 .5"><joint type="slide" axis="0 0 1" frictionloss="1"/><geom size=".1"/></body>
    <body pos=".05 0 .3"><freejoint/><geom type="box" size=".1 .15 .1" condim="4"/></body>
    <body pos="2 0 .1"><freejoint/><geom size=".1" condim="1"/></body>
    <body pos="0 2 3"><freejoint/><geom size=".1"/></body>
    <body pos="1 0 .09"><freejoint/><geom type="capsule" size=".1 .2" euler="0 90 0"/></body>
  </worldbody>
</mujoco>
"""

NUMBERS = "tree_island map_itree2tree dof_island map_dof2idof map_idof2dof".split()
SIZES = "island_ntree island_itreeadr island_nv island_idofadr island_dofadr island_ne island_nf island_nefc".split()
ROWS = "efc_island map_efc2iefc map_iefc2efc iefc_type iefc_id island_iefcadr".split()
SPARSE = "iefc_J_rownnz iefc_J_rowadr iefc_J_rowsuper iefc_J_colind".split()
REALS = (
    "ifrc_smooth iacc_smooth iLDiagInv iacc iefc_frictionloss iefc_D iefc_R iefc_aref iefc_force ifrc_constraint "
    "qacc qfrc_constraint efc_force"
).split()


def packed(od, d, name):
    """The valid part of a field."""
    value = np.ravel(getattr(d, name))
    if name in ("iM", "iLD", "iM_colind"):
        return value[: od.iM_rowadr[-1] + od.iM_rownnz[-1]]
    return value


def blocks(om, od, d):
    """The Jacobian of each island."""
    if mujoco.mj_isSparse(om):
        return [d.iefc_J]
    starts = [od.nidof * adr for adr in od.island_iefcadr]
    sizes = od.island_nv * od.island_nefc
    return [np.ravel(d.iefc_J)[start : start + size] for start, size in zip(starts, sizes)]


def compare(om, od, d, tolerance):
    assert (d.nisland, d.nidof) == (od.nisland, od.nidof)
    if not od.nisland:
        assert (d.tree_island == -1).all()
        return
    sparse = SPARSE if mujoco.mj_isSparse(om) else []
    for name in NUMBERS + SIZES + ROWS + sparse + ["iM_rownnz", "iM_rowadr", "iefc_state", "efc_state"]:
        assert np.array_equal(getattr(d, name), getattr(od, name)), name
    assert np.array_equal(packed(od, d, "iM_colind"), packed(od, od, "iM_colind"))
    for name in REALS + ["iM", "iLD"]:
        want, got = packed(od, od, name), packed(od, d, name)
        assert np.abs(got - want).max(initial=0) <= tolerance * max(1, np.abs(want).max(initial=0)), name
    for want, got in zip(blocks(om, od, od), blocks(om, od, d)):
        assert np.abs(got - want).max() < 1e-12


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("solver", ["Newton", "CG"])
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("xml", [JOINTS, PILES], ids=["joints", "piles"])
def test_islands(xml, jacobian, solver, cone):
    om = mujoco.MjModel.from_xml_string(xml.format(jacobian=jacobian, solver=solver, cone=cone))
    # CG amplifies rounding errors with each iteration; the first ones are comparable
    om.opt.iterations = 100 if solver == "Newton" else 4
    od = mujoco.MjData(om)
    m = model_from_mujoco(om)
    d = sinew.MjData(m)
    random = np.random.default_rng(0)
    seen, iterations = set(), 0
    for step in range(150):
        if step % 25 == 0:
            od.qvel[:] = random.normal(size=om.nv)
        copy_state(d, od)
        mujoco.mj_forward(om, od)
        sinew.mj_forward(m, d)
        compare(om, od, d, 1e-7)
        iterations += np.count_nonzero(d.solver_niter != od.solver_niter)
        seen.add(int(od.nisland))
        mujoco.mj_step(om, od)
    assert max(seen) > 2
    # the last iteration may end on either side of the tolerance
    assert iterations <= 2


@pytest.mark.parametrize("solver, noslip", [("PGS", 0), ("Newton", 5)])
def test_solvers_without_islands(solver, noslip):
    """Islands are found but not used."""
    xml = PILES.format(jacobian="dense", solver=solver, cone="pyramidal")
    om = mujoco.MjModel.from_xml_string(xml)
    om.opt.noslip_iterations = noslip
    od = mujoco.MjData(om)
    m = model_from_mujoco(om)
    d = sinew.MjData(m)
    for _ in range(60):
        copy_state(d, od)
        mujoco.mj_forward(om, od)
        sinew.mj_forward(m, d)
        assert d.nisland == od.nisland and np.array_equal(d.solver_niter, od.solver_niter)
        assert np.abs(d.qacc - od.qacc).max() < 1e-7 * max(1, np.abs(od.qacc).max())
        mujoco.mj_step(om, od)
    assert od.nisland > 2


def test_disabled():
    om = mujoco.MjModel.from_xml_string(PILES.format(jacobian="dense", solver="Newton", cone="elliptic"))
    m = model_from_mujoco(om)
    d = sinew.MjData(m)
    sinew.mj_step(m, d, 50)
    assert d.nisland > 1
    m.opt.disableflags |= int(sinew.mjtDisableBit.mjDSBL_ISLAND)
    sinew.mj_forward(m, d)
    assert d.nisland == 0 and d.nidof == 0 and d.nefc > 0 and np.count_nonzero(d.solver_niter) <= 1
