"""The linear system about a step."""

import mujoco
import numpy as np
import pytest
import sinew

XML = """<mujoco><worldbody>
  <body><joint name="a" axis="0 1 0" damping=".1"/><geom size=".05" pos="0 0 -.3"/>
    <body pos="0 0 -.3"><joint name="b" axis="1 0 0"/><geom size=".04" pos=".1 0 -.2"/></body></body>
</worldbody>
<actuator><motor joint="a"/><motor name="limited" joint="b" ctrlrange="-1 1"/><general joint="b" dyntype="filter" dynprm=".1"/></actuator>
<sensor><jointactuatorfrc joint="a"/><jointactuatorfrc joint="b"/><jointvel joint="b"/><actuatorfrc actuator="limited"/></sensor>
</mujoco>"""


def pair():
    found = []
    for engine in (sinew, mujoco):
        m = engine.MjModel.from_xml_string(XML)
        d = engine.MjData(m)
        d.qpos[:], d.qvel[:], d.ctrl[:] = [0.3, -0.2], [0.5, 1], [0.2, 1, 0.4]
        found.append((m, d))
    return found


def roll(m, d, start, ctrl):
    """Steps from a state, with one row of controls per step."""
    sinew.mj_setState(m, d, start, sinew.mjtState.mjSTATE_INTEGRATION)
    for row in ctrl:
        d.ctrl[:] = row
        sinew.mj_step(m, d)


@pytest.mark.parametrize("method", ["fd", "hybrid", "analytic"])
@pytest.mark.parametrize("centered", [False, True])
def test_matrices(centered, method):
    (m, d), (om, od) = pair()
    found = sinew.transition(m, d, method, centered=centered, sensors=True)
    nx = 2 * m.nv + m.na
    want = [np.zeros(s) for s in ((nx, nx), (nx, m.nu), (m.nsensordata, nx), (m.nsensordata, m.nu))]
    mujoco.mjd_transitionFD(om, od, 1e-6, centered, *want)
    for name, theirs in zip("ABC", want):
        assert np.allclose(getattr(found, name), theirs, atol=1e-6), name
    assert found.D.shape == want[3].shape and found.differenced["positions"] == (["step", "sensors"] if method == "fd" else [])
    # sensors follow controls directly: the sign is correct for all finite differences; MuJoCo's centred one is wrong
    assert np.allclose(found.D[0, 0], 1) and np.allclose(found.D[1, 1], 1) and np.allclose(found.D[3, 1], 1)


SENSED = """<mujoco><option magnetic=".1 .2 .9"/><worldbody><geom name="floor" type="plane" size="2 2 .1"/>
  <body name="base" pos="0 0 .0993"><freejoint/><geom type="box" size=".3 .2 .1"/><site name="imu" pos=".1 0 .1" euler="0 20 30"/>
    <body name="arm" pos="0 0 .1"><joint name="a" axis="0 1 0" stiffness="3"/><geom name="rod" type="capsule" size=".03" fromto="0 0 0 0 0 .4"/>
      <body name="hand" pos="0 0 .4"><joint name="b" type="ball" damping=".1"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 .1"/><site name="tip" pos=".2 0 .1"/></body></body></body>
</worldbody>
<tendon><spatial name="t"><site site="imu"/><site site="tip"/></spatial></tendon>
<actuator><position joint="a" kp="5" kv=".3"/><general name="g" tendon="t" gainprm="2" biastype="affine" biasprm="0 -1 -.2" dyntype="filter" dynprm=".1"/></actuator>
<sensor><accelerometer site="tip"/><gyro site="tip"/><velocimeter site="imu"/><force site="tip"/><torque site="tip"/><magnetometer site="tip"/>
  <touch site="imu"/><jointpos joint="a"/><jointvel joint="a"/><ballquat joint="b"/><ballangvel joint="b"/><tendonpos tendon="t"/><tendonvel tendon="t"/>
  <actuatorpos actuator="g"/><actuatorvel actuator="g"/><actuatorfrc actuator="g"/><jointactuatorfrc joint="a"/>
  <framepos objtype="geom" objname="rod" reftype="site" refname="tip"/><framequat objtype="body" objname="hand"/><framexaxis objtype="site" objname="tip"/>
  <framelinvel objtype="site" objname="tip" reftype="geom" refname="rod"/><frameangvel objtype="site" objname="tip"/><framelinacc objtype="body" objname="hand"/><frameangacc objtype="site" objname="tip"/>
  <subtreecom body="arm"/><subtreelinvel body="base"/><subtreeangmom body="arm"/><e_potential/><rangefinder name="ray" site="imu"/></sensor></mujoco>"""


def test_sensors():
    found = []
    for engine in (sinew, mujoco):
        m = engine.MjModel.from_xml_string(SENSED)
        m.opt.tolerance = 0
        d = engine.MjData(m)
        d.qvel[:], d.ctrl[:], d.act[:] = 0.2 * np.sin(1 + np.arange(m.nv)), [0.3, -0.2], 0.4
        found.append((m, d))
    (m, d), (om, od) = found
    t = sinew.transition(m, d, sensors=True)
    assert t.differenced["sensors"] == ["ray"]
    nx = 2 * m.nv + m.na
    C, D = np.zeros((m.nsensordata, nx)), np.zeros((m.nsensordata, m.nu))
    mujoco.mjd_transitionFD(om, od, 1e-6, True, None, None, C, None)
    mujoco.mjd_transitionFD(om, od, 1e-6, False, None, None, None, D)
    for i in range(m.nsensor):
        rows = slice(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i])
        for ours, theirs in ((t.C, C), (t.D, D)):
            scale = max(1, np.abs(theirs[rows]).max())
            assert np.abs(ours[rows] - theirs[rows]).max() < 1e-5 * scale, (m.sensor(i).name, m.sensor_type[i])
    with pytest.raises(ValueError, match="sensors has no closed derivative"):
        sinew.transition(m, d, "analytic", sensors=True)


def test_derivatives_can_be_checked():
    (m, d), _ = pair()
    found = sinew.check_transition(m, d, sensors=True)
    assert max(found.errors.values()) < 1e-8 and max(found.differences.values()) < 1e-6
    # finite differences with the largest allowed step are inaccurate, and report so
    coarse = sinew.check_transition(m, d, eps=1e-2)
    assert set(coarse.errors) == set("AB") and coarse.errors["A"] > 1e-8
    assert abs(coarse.errors["A"] - coarse.differences["A"]) < 0.02 * coarse.errors["A"]
    assert sinew.check_transition(m, d, "fd").errors["A"] > 0


def test_sizes_that_give_no_derivative():
    (m, d), _ = pair()
    for eps in (0, -1e-6, float("nan"), 0.011, float("inf")):
        with pytest.raises(ValueError, match="eps"):
            sinew.transition(m, d, eps=eps)
    sinew.transition(m, d, eps=1e-2)


def test_methods():
    (m, d), _ = pair()
    with pytest.raises(ValueError, match="none of 'fd'"):
        sinew.transition(m, d, "magic")
    assert sinew.transition(m, d).C is None
    m.opt.integrator = int(sinew.mjtIntegrator.mjINT_RK4)
    assert not any(sinew.transition(m, d, "analytic").differenced.values())
    m.opt.noslip_iterations = 2
    assert sinew.transition(m, d).differenced["controls"] == ["step"]
    with pytest.raises(ValueError, match="no closed derivative"):
        sinew.transition(m, d, "analytic")


def test_callbacks_are_differenced():
    (m, d), _ = pair()
    plain = sinew.transition(m, d)

    def drag(m, d):
        d.qfrc_passive[:] -= d.qvel

    sinew.set_mjcb_passive(drag)
    try:
        found = sinew.transition(m, d)
    finally:
        sinew.set_mjcb_passive(None)
    assert found.differenced["velocities"] == ["step"]
    assert np.abs(found.A - plain.A).max() > 1e-3


CONTACT = """<mujoco><worldbody><geom type="plane" size="2 2 .1"/>
  <body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .15 .05"/>
    <body pos=".1 0 0"><joint name="a" axis="0 1 0" range="-60 60"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 -.2"/></body>
    <body pos="-.1 0 0"><joint name="b" axis="0 1 0" damping=".1"/><geom type="capsule" size=".03" fromto="0 0 0 -.2 0 -.2"/></body></body>
</worldbody><actuator><motor joint="a"/><position joint="b" kp="5"/></actuator></mujoco>"""


def test_products_and_gradients_under_contact():
    m = sinew.MjModel.from_xml_string(CONTACT)
    m.opt.tolerance = 0
    d = sinew.MjData(m)
    d.ctrl[:] = 0.1, -0.2
    for _ in range(150):
        sinew.mj_step(m, d)
    assert d.ncon > 0
    t = sinew.transition(m, d)
    assert t.differenced["positions"] == ["contact geometry"]
    rng = np.random.default_rng(3)
    nx = 2 * m.nv
    dx, du, w = rng.normal(size=nx), rng.normal(size=m.nu), rng.normal(size=nx)
    assert np.allclose(sinew.jvp(m, d, dx, du), t.A @ dx + t.B @ du, rtol=1e-9, atol=1e-9)
    by_x, by_u = sinew.vjp(m, d, w)
    assert np.allclose(by_x, t.A.T @ w, rtol=1e-9, atol=1e-9) and np.allclose(by_u, t.B.T @ w, rtol=1e-9, atol=1e-9)
    with pytest.raises(ValueError, match="next has"):
        sinew.vjp(m, d, w[1:])

    steps = 12
    ctrl = 0.1 * rng.normal(size=(steps, m.nu))
    loss = np.zeros((steps, nx))
    loss[-1] = w
    _, found = sinew.rollout_vjp(m, d, ctrl, loss)
    assert np.array_equal(found, sinew.rollout_vjp(m, d, ctrl, loss, checkpoint=1)[1])
    start = np.zeros(sinew.mj_stateSize(m, sinew.mjtState.mjSTATE_INTEGRATION))
    sinew.mj_getState(m, d, start, sinew.mjtState.mjSTATE_INTEGRATION)
    e = sinew.MjData(m)

    def end(u):
        roll(m, e, start, u)
        return e.qpos.copy(), e.qvel.copy()

    for k in [(0, 0), (5, 1), (steps - 1, 0)]:
        plus, minus = ctrl.copy(), ctrl.copy()
        plus[k] += 1e-6
        minus[k] -= 1e-6
        (q1, v1), (q0, v0) = end(plus), end(minus)
        dq = np.zeros(m.nv)
        sinew.mj_differentiatePos(m, dq, 1, q0, q1)
        want = (np.concatenate([dq, v1 - v0]) / 2e-6) @ w
        assert abs(found[k] - want) < 1e-4 * (1 + abs(want)), k


DELAYED = """<mujoco><option timestep=".01"/><worldbody><body><joint name="a" axis="0 1 0" damping=".1"/><geom size=".05" pos="0 0 -.3"/>
  <body pos="0 0 -.3"><joint name="b" axis="1 0 0"/><geom size=".04" pos=".1 0 -.2"/></body></body></worldbody><actuator>
  <motor joint="a" delay=".03" nsample="6"/><motor joint="b" delay=".025" nsample="6" interp="linear" ctrlrange="-1 1"/>
  <general joint="a" delay=".042" nsample="8" interp="cubic" dyntype="filter" dynprm=".1" gainprm="2"/><motor joint="b"/></actuator></mujoco>"""


@pytest.mark.parametrize("integrator", ["mjINT_EULER", "mjINT_IMPLICIT"])
def test_delayed_controls_count_where_they_were_given(integrator):
    m = sinew.MjModel.from_xml_string(DELAYED)
    m.opt.integrator = int(getattr(sinew.mjtIntegrator, integrator))
    d = sinew.MjData(m)
    d.qpos[:], d.ctrl[:] = 0.3, 0.5
    for _ in range(10):
        sinew.mj_step(m, d)
    start = np.zeros(sinew.mj_stateSize(m, sinew.mjtState.mjSTATE_INTEGRATION))
    sinew.mj_getState(m, d, start, sinew.mjtState.mjSTATE_INTEGRATION)
    rng = np.random.default_rng(4)
    ctrl, loss = 0.4 * rng.normal(size=(12, m.nu)), np.zeros((12, 2 * m.nv + m.na))
    loss[-1] = rng.normal(size=loss.shape[1])
    ctrl[3, 1] = 1.7  # beyond its range
    _, found = sinew.rollout_vjp(m, d, ctrl, loss, checkpoint=5)
    e = sinew.MjData(m)

    def end(u):
        roll(m, e, start, u)
        return np.concatenate([e.qpos, e.qvel, e.act]) @ loss[-1]

    for k in np.ndindex(ctrl.shape):
        plus, minus = ctrl.copy(), ctrl.copy()
        plus[k] += 1e-6
        minus[k] -= 1e-6
        assert abs((end(plus) - end(minus)) / 2e-6 - found[k]) < 1e-7, k
    assert found[2, 0] != 0 and not found[-2:, :3].any() and found[-1, 3] != 0
    m.opt.integrator = int(sinew.mjtIntegrator.mjINT_RK4)
    with pytest.raises(sinew.FatalError, match="delays"):
        sinew.rollout_vjp(m, d, ctrl, loss)


def batch(xml, worlds=5):
    m = sinew.MjModel.from_xml_string(xml)
    sim = sinew.BatchSim(m, worlds, num_threads=2)
    rng = np.random.default_rng(1)
    for _ in range(60):
        sim.step(0.3 * rng.normal(size=(worlds, m.nu)))
    return m, sim, rng


def put(m, sim, i):
    """A simulation in the state of world `i`."""
    d = sinew.MjData(m)
    for name in ("qpos", "qvel", "act", "ctrl", "qacc_warmstart"):
        getattr(d, name)[:] = sim.gather(name)[i]
    return d


@pytest.mark.parametrize("xml", [CONTACT, SENSED])
def test_batches(xml):
    m, sim, rng = batch(xml)
    found = sim.transition(sensors=True)
    nx = 2 * m.nv + m.na
    dx, du, w = rng.normal(size=(5, nx)), rng.normal(size=(5, m.nu)), rng.normal(size=(5, nx))
    along, (by_x, by_u) = sim.jvp(dx, du), sim.vjp(w)
    for i in range(5):
        d = put(m, sim, i)
        t = sinew.transition(m, d, sensors=True)
        for name in "ABCD":
            assert np.array_equal(getattr(t, name), getattr(found, name)[i]), name
        assert found.differenced[i] == t.differenced
        assert np.array_equal(sinew.jvp(m, d, dx[i], du[i]), along[i])
        assert np.array_equal(sinew.vjp(m, d, w[i])[0], by_x[i]) and np.array_equal(sinew.vjp(m, d, w[i])[1], by_u[i])
    assert any(found.differenced[0].values()) and sim.transition().C is None
    with pytest.raises(ValueError, match="next has"):
        sim.vjp(w[1:])
    with pytest.raises(ValueError, match="dx has"):
        sim.jvp(dx[1:], du)


def test_roll_outs_of_batches():
    m, sim, rng = batch(CONTACT, 3)
    ctrl, loss = 0.1 * rng.normal(size=(3, 7, m.nu)), rng.normal(size=(3, 7, 2 * m.nv))
    by_x, by_u = sim.rollout_vjp(ctrl, loss)
    assert by_u.shape == ctrl.shape
    for i in range(3):
        x, u = sinew.rollout_vjp(m, put(m, sim, i), ctrl[i], loss[i])
        assert np.array_equal(x, by_x[i]) and np.array_equal(u, by_u[i])
    with pytest.raises(ValueError, match="loss has"):
        sim.rollout_vjp(ctrl, loss[:, 1:])
    with pytest.raises(ValueError, match="ctrl should be of shape"):
        sim.rollout_vjp(ctrl[0], loss)
