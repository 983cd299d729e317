"""Derivatives of inverse dynamics in closed form, compared with MuJoCo's finite differences."""

import mujoco
import numpy as np
import pytest
import sinew
from test_linear import CONTACT, SENSED

FREE = """<mujoco><option density="1.2" wind="1 0 0"/><worldbody><site name="w" pos="0 .4 .5"/>
  <body pos="0 0 1"><joint name="a" type="ball" damping=".1" stiffness="2"/><geom type="capsule" size=".05" fromto="0 0 0 .1 0 -.4"/>
    <body pos=".1 0 -.4" gravcomp=".6"><joint name="b" axis="0 1 1" armature=".1"/><geom type="box" size=".05 .1 .15"/><site name="s" pos="0 0 -.2"/></body></body>
  <body pos="1 0 1"><freejoint/><geom type="ellipsoid" size=".1 .2 .3" fluidshape="ellipsoid"/></body></worldbody>
<tendon><spatial name="t" stiffness="20" damping=".5"><site site="w"/><site site="s"/></spatial></tendon>
<actuator><position joint="b" kp="4" kv=".3"/><general tendon="t" gainprm="2" biastype="affine" biasprm="0 -1 -.2"/></actuator>
<sensor><accelerometer site="s"/><gyro site="s"/><tendonvel tendon="t"/></sensor></mujoco>"""


def pair(xml, discrete=False, integrator="mjINT_IMPLICITFAST", steps=120):
    """The same state and acceleration in both engines."""
    om = mujoco.MjModel.from_xml_string(xml)
    om.opt.tolerance = 0
    om.opt.integrator = int(getattr(mujoco.mjtIntegrator, integrator))
    if discrete:
        om.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_INVDISCRETE)
    od = mujoco.MjData(om)
    od.qvel[:], od.ctrl[:], od.act[:] = 0.1 * np.sin(1 + np.arange(om.nv)), 0.2, 0.3
    for _ in range(steps):
        mujoco.mj_step(om, od)
    mujoco.mj_forward(om, od)
    od.qacc[:] += 0.05 * np.cos(np.arange(om.nv))
    m = sinew.MjModel.from_xml_string(xml)
    m.opt.tolerance, m.opt.integrator, m.opt.enableflags = 0, om.opt.integrator, om.opt.enableflags
    d = sinew.MjData(m)
    for name in ("qpos", "qvel", "act", "ctrl", "qacc"):
        getattr(d, name)[:] = getattr(od, name)
    return m, d, om, od


def centred(m, d, actuation, eps=1e-6):
    sides = []
    for step in (eps, -eps):
        nv, ns = m.nv, m.nsensordata
        sides.append([np.zeros(s) for s in [(nv, nv)] * 3 + [(nv, ns)] * 3 + [(nv, m.nM)]])
        mujoco.mjd_inverseFD(m, d, step, actuation, *sides[-1])
    return [(p + q) / 2 for p, q in zip(*sides)]


@pytest.mark.parametrize("actuation", [False, True])
@pytest.mark.parametrize("xml, contact", [(FREE, False), (CONTACT, True), (SENSED, True)])
@pytest.mark.parametrize("discrete, integrator", [(False, "mjINT_EULER"), (True, "mjINT_EULER"), (True, "mjINT_IMPLICIT"), (True, "mjINT_IMPLICITFAST")])
def test_beside_mujoco(xml, contact, discrete, integrator, actuation):
    m, d, om, od = pair(xml, discrete, integrator, 60)
    assert (od.nefc > 0) == contact
    before = d.qpos.copy(), d.qacc.copy()
    found = sinew.inverse_derivatives(m, d, actuation=actuation, sensors=True, mass=True)
    assert np.array_equal(before[0], d.qpos) and np.array_equal(before[1], d.qacc)
    want = centred(om, od, actuation)
    # with actuation, MuJoCo's sensors report actuator forces of the previous perturbation
    lagging = [i for i in range(m.nsensor) if m.sensor_type[i] in
               (sinew.mjtSensor.mjSENS_ACTUATORFRC, sinew.mjtSensor.mjSENS_JOINTACTFRC)]
    for name, theirs, ours in zip(found._fields, want, found):
        if name.startswith("Ds"):
            for i in lagging:
                theirs[:, m.sensor_adr[i]] = ours[:, m.sensor_adr[i]]
        scale = np.abs(theirs).max(initial=1)
        assert np.abs(ours - theirs).max(initial=0) < 1e-5 * scale, name
    assert not found.differenced["accelerations"] or found.differenced["sensors"] == ["ray"]


def test_row_i_is_by_input_i():
    m, d, *_ = pair(FREE)
    found = sinew.inverse_derivatives(m, d)
    assert found.DsDq is None and found.DmDq is None and not any(found.differenced.values())
    dq = np.sin(np.arange(m.nv))

    def force(step):
        e = sinew.MjData(m)
        e.qpos[:], e.qvel[:], e.qacc[:], e.ctrl[:] = d.qpos, d.qvel, d.qacc, d.ctrl
        sinew.mj_integratePos(m, e.qpos, dq, step)
        sinew.mj_inverse(m, e)
        return e.qfrc_inverse.copy()

    assert np.allclose((force(1e-5) - force(-1e-5)) / 2e-5, found.DfDq.T @ dq, rtol=1e-6, atol=1e-6)
    M = np.zeros((m.nv, m.nv))
    sinew.mj_forward(m, d)
    sinew.mj_fullM(m, M, d.qM)
    assert np.allclose(found.DfDa, M, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("xml", [FREE, CONTACT, SENSED])
def test_smooth_forces_by_velocity(xml):
    m, d, *_ = pair(xml)
    found = sinew.smooth_vel(m, d)

    def force(i, step):
        e = sinew.MjData(m)
        e.qpos[:], e.qvel[:], e.act[:], e.ctrl[:] = d.qpos, d.qvel, d.act, d.ctrl
        e.qvel[i] += step
        sinew.mj_forward(m, e)
        return e.qfrc_passive + e.qfrc_actuator - e.qfrc_bias

    for i in range(m.nv):
        want = (force(i, 1e-5) - force(i, -1e-5)) / 2e-5
        assert np.abs(found[:, i] - want).max() < 1e-7 * max(1, np.abs(found).max()), i
    m.opt.disableflags |= int(sinew.mjtDisableBit.mjDSBL_CONSTRAINT)
    assert np.allclose(-sinew.inverse_derivatives(m, d, actuation=True).DfDv.T, found, rtol=1e-9, atol=1e-9)


def test_what_cannot_be():
    m, d, *_ = pair(CONTACT)
    with pytest.raises(ValueError, match="eps"):
        sinew.inverse_derivatives(m, d, eps=0)
    with pytest.raises(ValueError, match="none of 'fd'"):
        sinew.inverse_derivatives(m, d, "magic")
    assert sinew.inverse_derivatives(m, d, "fd").differenced["accelerations"] == ["step"]
    m.opt.noslip_iterations = 1
    with pytest.raises(sinew.FatalError, match="noslip"):
        sinew.inverse_derivatives(m, d)
