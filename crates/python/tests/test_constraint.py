"""Constraint rows without contacts, their solution, and length ranges, against MuJoCo."""

import mujoco
import numpy as np
import pytest
import sinew
from models import INLINE, ROOT
from oracle import copy_state, model_from_mujoco
from test_position import close, dense

LIMITS = """
<mujoco>
  <option jacobian="%s"/>
  <worldbody>
    <body pos="0 0 1"><joint name="ball" type="ball" limited="true" range="0 20" margin=".1" frictionloss=".3"/>
      <geom size=".1" pos=".2 0 0"/><site name="p" pos=".3 0 0"/>
      <body pos=".4 0 0"><joint name="a" axis="0 1 0" range="-30 10" solimplimit=".8 .95 .2 .3 3" frictionloss=".2"/>
        <geom size=".1" pos=".1 0 0"/><site name="q" pos=".2 .1 0"/></body>
    </body>
    <body pos="1 0 1"><joint name="s" type="slide" axis="1 0 0" range="-.1 .1" solreflimit="-500 -20"/>
      <joint name="h" axis="0 0 1" frictionloss="1"/><geom size=".1" pos="0 .1 0"/><site name="r"/></body>
    <body name="free" pos="0 1 1"><freejoint/><geom type="box" size=".1 .2 .1"/></body>
    <body name="still" pos="0 0 2"><geom size=".1"/></body>
    <body name="floor"><geom size=".1"/></body>
  </worldbody>
  <tendon>
    <spatial name="ps" limited="true" range=".2 .6" frictionloss=".5" margin=".02"><site site="p"/><site site="r"/></spatial>
    <fixed name="sum" limited="true" range="-.1 .1"><joint joint="a" coef="1"/><joint joint="h" coef="2"/></fixed>
  </tendon>
  <equality>
    <joint joint1="a" joint2="h" polycoef=".1 .5 -.2 .3 .1"/>
    <joint joint1="s"/>
    <tendon tendon1="ps" tendon2="sum" polycoef="0 1 0 0 0"/>
    <connect body1="free" anchor=".1 0 0"/>
    <weld body1="free" body2="still" torquescale=".5"/>
    <connect site1="q" site2="r"/>
    <weld site1="p" site2="r" active="false"/>
    <weld body1="still" body2="floor"/>
  </equality>
</mujoco>
"""

ROWS = (
    "efc_type efc_id efc_pos efc_margin efc_frictionloss efc_diagApprox efc_D efc_R efc_KBIP efc_vel efc_aref efc_b "
    "tendon_efcadr"
).split()

MODELS = {
    "limits, dense": LIMITS % "dense",
    "limits, sparse": LIMITS % "sparse",
    **{name: xml for name, xml in INLINE.items() if "tendons" in name or name == "joints"},
}


def jacobian(om, d):
    if mujoco.mj_isSparse(om):
        return dense(om, d.nefc, d.efc_J, d.efc_J_rownnz, d.efc_J_rowadr, d.efc_J_colind)
    return np.ravel(d.efc_J)[: d.nefc * om.nv].reshape(d.nefc, om.nv)


@pytest.fixture(params=[*MODELS, "humanoid"])
def model(request):
    if request.param == "humanoid":
        return mujoco.MjModel.from_xml_path(str(ROOT / "models" / "humanoid.xml"))
    return mujoco.MjModel.from_xml_string(MODELS[request.param])


@pytest.mark.parametrize("solver, tol", [("NEWTON", 1e-8), ("CG", 1e-4)])  # CG stops when progress does
def test_rows_and_their_solution(model, solver, tol):
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    model.opt.solver = getattr(mujoco.mjtSolver, "mjSOL_" + solver)
    model.opt.tolerance = 1e-14
    model.opt.iterations = 1000
    cm = model_from_mujoco(model)
    od, cd = mujoco.MjData(model), sinew.MjData(cm)
    rng = np.random.default_rng(3)
    seen = 0
    for kick in (0.0, 0.3, 0.8):
        qpos = np.array(od.qpos)
        mujoco.mj_integratePos(model, qpos, kick * rng.standard_normal(model.nv), 1.0)
        od.qpos[:] = qpos
        od.qvel[:] = rng.standard_normal(model.nv)
        od.qacc_warmstart[:] = rng.standard_normal(model.nv)
        copy_state(cd, od)
        mujoco.mj_forward(model, od)
        sinew.mj_forward(cm, cd)
        counts = [[d.ne, d.nf, d.nl, d.nefc] for d in (cd, od)]
        assert counts[0] == counts[1]
        seen += od.nefc
        if not od.nefc:
            continue
        for name in ROWS:
            close(name, getattr(cd, name), getattr(od, name), 1e-9)
        close("efc_J", jacobian(model, cd), jacobian(model, od))
        for name in ("qacc", "qfrc_constraint", "efc_force"):
            close(name, getattr(cd, name), getattr(od, name), tol)
    assert seen


@pytest.mark.parametrize("flag", ["CONSTRAINT", "EQUALITY", "FRICTIONLOSS", "LIMIT", "REFSAFE", "WARMSTART"])
def test_disable_flags(flag):
    om = mujoco.MjModel.from_xml_string(MODELS["limits, dense"])
    om.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | getattr(mujoco.mjtDisableBit, "mjDSBL_" + flag)
    om.opt.timestep = 0.02
    cm = model_from_mujoco(om)
    od, cd = mujoco.MjData(om), sinew.MjData(cm)
    mujoco.mj_forward(om, od)
    sinew.mj_forward(cm, cd)
    assert [cd.ne, cd.nf, cd.nl] == [od.ne, od.nf, od.nl]
    close("efc_aref", cd.efc_aref, od.efc_aref)
    close("qacc", cd.qacc, od.qacc, 1e-6)


def length_range_options(module, **changes):
    opt = module.MjLROpt()
    values = dict(mode=3, accel=20, timeconst=1, timestep=0.01, inttotal=10, interval=2, tolrange=0.05)
    for name, value in {**values, **changes}.items():
        setattr(opt, name, value)
    return opt


ARM = """
<mujoco>
  <option timestep=".01"><flag gravity="disable" contact="disable" actuation="disable"/></option>
  <worldbody>
    <site name="o" pos="0 0 .3"/>
    <body><joint name="a" axis="0 1 0" range="-60 60"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
      <site name="m" pos=".2 0 .05"/>
      <body pos=".3 0 0"><joint name="b" axis="0 1 0" range="-100 0"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
        <site name="e" pos=".2 0 .03"/></body>
    </body>
    <body pos="0 1 0"><joint name="loose" type="slide" axis="1 0 0"/><geom size=".1"/></body>
  </worldbody>
  <tendon>
    <spatial name="one"><site site="o"/><site site="m"/></spatial>
    <spatial name="two" limited="true" range=".1 .9"><site site="o"/><site site="m"/><site site="e"/></spatial>
  </tendon>
  <actuator><muscle tendon="one"/><motor tendon="two"/><muscle joint="b"/><motor joint="loose"/></actuator>
</mujoco>
"""


def outcome(module, m, d, i, **changes):
    try:
        module.mj_setLengthRange(m, d, i, length_range_options(module, **changes))
    except Exception as e:  # the two modules raise different types
        return str(e).split(":")[0]
    return None


@pytest.mark.parametrize("changes", [{}, {"mode": 1}, {"maxforce": 0.5}, {"uselimit": 1}, {"useexisting": 1}, {"mode": 0}])
def test_length_ranges(changes):
    om = mujoco.MjModel.from_xml_string(ARM.replace('<motor joint="loose"/>', ""))
    om.actuator_lengthrange[:] = 0
    om.actuator_lengthrange[1] = 0.2, 0.3
    cm = model_from_mujoco(om)
    od, cd = mujoco.MjData(om), sinew.MjData(cm)
    for i in range(om.nu):
        assert outcome(sinew, cm, cd, i, **changes) == outcome(mujoco, om, od, i, **changes)
    close("actuator_lengthrange", cm.actuator_lengthrange, om.actuator_lengthrange, 1e-9)


def test_divergence_ends():
    """A muscle without a range pulls with a NaN force."""
    om = mujoco.MjModel.from_xml_string(ARM)
    om.opt.disableflags &= ~int(mujoco.mjtDisableBit.mjDSBL_ACTUATION)
    om.actuator_lengthrange[:] = 0
    cm = model_from_mujoco(om)
    assert outcome(sinew, cm, sinew.MjData(cm), 0) == "Unstable lengthrange simulation in actuator 0"


def test_unlimited_actuator_has_no_range():
    om = mujoco.MjModel.from_xml_string(ARM)
    cm = model_from_mujoco(om)
    want = outcome(mujoco, om, mujoco.MjData(om), 3)
    assert want and outcome(sinew, cm, sinew.MjData(cm), 3) == want
