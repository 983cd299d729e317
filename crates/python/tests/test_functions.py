"""Functions whose arguments depend on one another or on a model, against MuJoCo."""

import pickle

import mujoco
import numpy as np
import oracle
import pytest
import sinew

BOTH = (mujoco, sinew)


def agree(values, rtol=1e-12, atol=1e-13):
    want, got = values
    assert np.allclose(got, want, rtol=rtol, atol=atol, equal_nan=True), (got, want)


# ------------------------------------------------------------------------------------------------ numbers


@pytest.mark.parametrize("shape", [(6, 3, 2), (5, 5, 0), (4, 1, 0), (5, 2, 5), (7, 4, 1)])
def test_band_matrices(shape):
    n, nband, ndense = shape
    rng = np.random.default_rng(1)
    square = rng.standard_normal((n, n))
    square = square @ square.T + n * np.eye(n)
    size = (n - ndense) * nband + ndense * n
    band = []
    for mod in BOTH:
        b = np.zeros(size)
        mod.mju_dense2Band(b, square, *shape)
        band.append(b)
    agree(band)
    for sym in (0, 1):
        dense = [np.zeros((n, n)) for _ in BOTH]
        [mod.mju_band2Dense(out, band[0], *shape, sym) for mod, out in zip(BOTH, dense)]
        agree(dense)
        vec, products = rng.standard_normal((n, 1)), [np.zeros(n) for _ in BOTH]
        [mod.mju_bandMulMatVec(out, band[0].reshape(1, -1), vec, *shape, 1, sym) for mod, out in zip(BOTH, products)]
        agree(products)
    assert [mujoco.mju_bandDiag(i, *shape) for i in range(n)] == [sinew.mju_bandDiag(i, *shape) for i in range(n)]
    for add, mul in ((0, 0), (0.1, 0.2), (-1e6, 0)):
        factor = [band[0].copy() for _ in BOTH]
        agree([mod.mju_cholFactorBand(f, *shape, add, mul) for mod, f in zip(BOTH, factor)])
        if add >= 0:
            agree(factor)
            x, rhs = [np.zeros(n) for _ in BOTH], rng.standard_normal(n)
            [mod.mju_cholSolveBand(out, f, rhs, *shape) for mod, f, out in zip(BOTH, factor, x)]
            agree(x)


def test_cholesky_update():
    rng = np.random.default_rng(2)
    for plus in (1, 0):
        square = rng.standard_normal((5, 5))
        factor = np.linalg.cholesky(square @ square.T + 9 * np.eye(5))
        mats, xs = [factor.copy() for _ in BOTH], [0.5 * np.ones(5) for _ in BOTH]
        assert len({mod.mju_cholUpdate(m, x, plus) for mod, m, x in zip(BOTH, mats, xs)}) == 1
        agree([np.tril(m) for m in mats])


def test_sparse_and_dense():
    rng = np.random.default_rng(3)
    dense = rng.standard_normal((4, 6)) * (rng.random((4, 6)) < 0.5)
    for room in (24, 5, 0):
        outs = []
        for mod in BOTH:
            res, nnz, adr, col = np.zeros(room), np.zeros(4, np.int32), np.zeros(4, np.int32), np.zeros(room, np.int32)
            full = mod.mju_dense2sparse(res, dense, nnz, adr, col)
            outs.append(np.concatenate([[full], res, nnz, adr, col]))
        agree(outs)
    back = [np.ones((4, 6)) for _ in BOTH]
    res, nnz, adr, col = np.zeros(24), np.zeros(4, np.int32), np.zeros(4, np.int32), np.zeros(24, np.int32)
    sinew.mju_dense2sparse(res, dense, nnz, adr, col)
    [mod.mju_sparse2dense(out, res, nnz, adr, col) for mod, out in zip(BOTH, back)]
    agree(back)
    assert np.array_equal(back[1], dense)


def test_box_qp():
    rng = np.random.default_rng(4)
    n, kinds = 6, set()
    for k in range(60):
        square = rng.standard_normal((n, n))
        H, g = square @ square.T + 0.1 * np.eye(n), 3 * rng.standard_normal(n)
        if k % 7 == 0:
            H -= 20 * np.eye(n)
        bounds = [(None, None), (-np.ones(n), None), (None, np.ones(n)), (-np.ones(n), np.ones(n))][k % 4]
        outs = []
        for mod in BOTH:
            res, R, index = np.full(n, 0.3), np.zeros((n, n + 7)), np.zeros(n, np.int32)
            free = mod.mju_boxQP(res, R, index, H, g, *bounds)
            kinds.add(free)
            lower = [R.ravel()[i * free : i * free + i + 1] for i in range(free)] if free > 0 else []
            outs.append(np.concatenate([[free], res if free >= 0 else [], index[: max(free, 0)], *lower]))
        agree(outs, rtol=1e-8, atol=1e-9)
    assert -1 in kinds and n in kinds and len(kinds) > 3


def test_conversions_and_sorting():
    x = np.random.default_rng(5).standard_normal(9)
    for mod in BOTH:
        single, double = np.zeros(9, np.float32), np.zeros(9)
        mod.mju_n2f(single, x)
        assert np.array_equal(single, x.astype(np.float32))
        mod.mju_f2n(double, single)
        assert np.array_equal(double, single.astype(float))
        ints = (10 * x).astype(np.int32)
        want = np.sort(ints)
        mod.mju_insertionSortInt(ints)
        assert np.array_equal(ints, want)


def test_pyramids():
    rng = np.random.default_rng(6)
    for n in (2, 3, 5):
        mu, pyramid, force = rng.random(n) + 0.1, rng.random(2 * n), rng.random(n + 1)
        forces, pyramids = [np.zeros(n + 1) for _ in BOTH], [np.zeros(2 * n) for _ in BOTH]
        [mod.mju_decodePyramid(out, pyramid, mu) for mod, out in zip(BOTH, forces)]
        [mod.mju_encodePyramid(out, force, mu) for mod, out in zip(BOTH, pyramids)]
        agree(forces)
        agree(pyramids)


def test_muscle_curves():
    lengths, speeds = np.linspace(0.05, 2.2, 60), np.linspace(-2.5, 2.5, 21)
    prms = [
        (0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2),
        (0.6, 1.2, 300, 1, 0.4, 1.8, 3.0, 0.8, 1.4),
        (0.9, 0.9, 10, 1, 0.5, 1.6, 1.5, 1.3, 1.0),
    ]
    for prm in map(np.array, prms):
        for lengthrange in ((0.2, 0.9), (-1.0, 1.0), (0.5, 0.5)):
            for acc0 in (0.0, 0.4, 30.0):
                span = np.array(lengthrange)
                agree([[mod.mju_muscleBias(x, span, acc0, prm) for x in lengths] for mod in BOTH])
                grid = [(x, v) for x in lengths[::3] for v in speeds]
                agree([[mod.mju_muscleGain(x, v, span, acc0, prm) for x, v in grid] for mod in BOTH])
    grid = [(c, a) for c in np.linspace(-0.5, 1.5, 15) for a in np.linspace(-0.2, 1.2, 15)]
    for tau in ((0.01, 0.04, 0), (0.02, 0.1, 0.3), (0.01, 0.04, 2.0), (0.0, 0.0, 0.0)):
        agree([[mod.mju_muscleDynamics(c, a, np.array(tau)) for c, a in grid] for mod in BOTH])


def test_rays_to_shapes():
    rng = np.random.default_rng(8)
    hits = 0
    for kind in (0, 2, 3, 4, 5, 6):
        for _ in range(40):
            mat, size = np.zeros(9), rng.random(3) + 0.2
            mujoco.mju_quat2Mat(mat, rng.standard_normal(4))
            pnt, vec = rng.standard_normal(3), rng.standard_normal(3)
            outs = []
            for mod in BOTH:
                normal = np.zeros(3)
                dist = mod.mju_rayGeom(np.zeros(3), mat, size, pnt, vec, kind, normal)
                outs.append(np.append(normal, dist))
            agree(outs, rtol=1e-9)
            hits += outs[0][3] >= 0
    assert hits > 10
    with pytest.raises(sinew.FatalError):
        sinew.mju_rayGeom(np.zeros(3), np.eye(3).ravel(), np.ones(3), np.ones(3), np.ones(3), 7)


def test_texts():
    for i in range(-1, 30):
        assert sinew.mju_type2Str(i) == mujoco.mju_type2Str(i), i
    for name in ("body", "xbody", "dof", "nothing", "", "model", "camera"):
        assert sinew.mju_str2Type(name) == mujoco.mju_str2Type(name), name
    for n in (0, 1, 1000, 1024, 3 << 20, 1 << 40, (1 << 30) + 1, 5 << 60):
        assert sinew.mju_writeNumBytes(n) == mujoco.mju_writeNumBytes(n)


# ------------------------------------------------------------------------------------------------ derivatives

ARM = """
<mujoco>
  <option integrator="{integrator}"/>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body pos="0 0 1"><joint type="ball" damping=".1"/><geom type="capsule" fromto="0 0 0 0 0 -.4" size=".05"/>
      <body pos="0 0 -.4"><joint name="knee" axis="0 1 0" damping=".2" range="-100 20" limited="true"/>
        <geom type="capsule" fromto="0 0 0 .3 0 -.2" size=".04"/><site name="tip" pos=".3 0 -.2"/></body></body>
    <body pos=".6 0 .14"><freejoint/><geom size=".15"/></body>
  </worldbody>
  <actuator>
    <motor joint="knee" ctrlrange="-1 1" ctrllimited="true"/><position joint="knee" kp="20" kv="2"/>
    <general joint="knee" gaintype="affine" gainprm="1 .2 -.5" dyntype="filter" dynprm=".05"/>
    <muscle joint="knee" lengthrange="-1 1"/>
  </actuator>
  <sensor><jointpos joint="knee"/><jointvel joint="knee"/><accelerometer site="tip"/><actuatorfrc actuator="{first}"/></sensor>
</mujoco>""".replace('actuator="{first}"', 'actuator="m"').replace("<motor ", '<motor name="m" ')


def pair(xml, ctrl=None):
    om = mujoco.MjModel.from_xml_string(xml)
    m = oracle.model_from_mujoco(om)
    rng = np.random.default_rng(9)
    od, d = mujoco.MjData(om), sinew.MjData(m)
    od.qvel[:] = 0.5 * rng.standard_normal(om.nv)
    od.ctrl[:] = 0.3 if ctrl is None else ctrl
    for _ in range(30):
        mujoco.mj_step(om, od)
    oracle.copy_state(d, od)
    return (om, od), (m, d)


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
@pytest.mark.parametrize("centered", [0, 1])
@pytest.mark.parametrize("ctrl", [0.3, 1.0, -1.0, 2.0])
def test_transition(integrator, centered, ctrl):
    sides = pair(ARM.format(integrator=integrator), ctrl)
    outs = []
    for mod, (m, d) in zip(BOTH, sides):
        n = 2 * m.nv + m.na
        mats = [np.zeros(s) for s in ((n, n), (n, m.nu), (m.nsensordata, n), (m.nsensordata, m.nu))]
        before = d.qpos.copy()
        mod.mjd_transitionFD(m, d, 1e-6, centered, *mats)
        assert np.array_equal(d.qpos, before)
        outs.append(mats)
    for want, got in zip(*outs):
        assert np.abs(want - got).max() < 1e-4 * (1 + np.abs(want).max()), np.abs(want - got).max()
        assert np.abs(want).max() > 0


def test_transition_of_parts():
    for mod, (m, d) in zip(BOTH, pair(ARM.format(integrator="Euler"))):
        full, part = np.zeros((2 * m.nv + m.na, m.nu)), np.zeros((2 * m.nv + m.na, m.nu))
        mod.mjd_transitionFD(m, d, 1e-6, 0, None, full, None, None)
        mod.mjd_transitionFD(m, d, 1e-6, 0, np.zeros((2 * m.nv + m.na,) * 2), part, None, None)
        assert np.allclose(full, part, rtol=1e-5, atol=1e-5) and np.abs(full).max() > 0
    m, d = pair(ARM.format(integrator="RK4"))[1]
    with pytest.raises(sinew.FatalError, match="RK4"):
        sinew.mjd_transitionFD(m, d, 1e-6, 0, None, None, None, None)
    with pytest.raises(TypeError):
        sinew.mjd_transitionFD(m, d, 1e-6, 0, np.zeros((2, 2)), None, None, None)


@pytest.mark.parametrize("actuation", [0, 1])
def test_inverse_derivatives(actuation):
    sides = pair(ARM.format(integrator="implicitfast"))
    outs = []
    for mod, (m, d) in zip(BOTH, sides):
        mod.mj_forward(m, d)
        nv, ns = m.nv, m.nsensordata
        mats = [np.zeros(s) for s in [(nv, nv)] * 3 + [(nv, ns)] * 3 + [(nv, m.nM)]]
        mod.mjd_inverseFD(m, d, 1e-6, actuation, *mats)
        outs.append(mats)
    for want, got in zip(*outs):
        assert np.abs(want - got).max() < 1e-4 * (1 + np.abs(want).max()), np.abs(want - got).max()
    # the derivative with respect to acceleration is the mass matrix, where no constraint is active
    m, d = sides[1]
    M = np.zeros((m.nv, m.nv))
    sinew.mj_fullM(m, M, d.qM)
    assert np.abs(outs[1][2][4:, :4]).max() < 1e-3 and np.abs(M[4:, :4]).max() == 0


def test_quaternion_derivatives():
    rng = np.random.default_rng(10)
    for k in range(40):
        qa, qb = rng.standard_normal(4), rng.standard_normal(4)
        qa, qb = qa / np.linalg.norm(qa), qb / np.linalg.norm(qb)
        if k % 5 == 0:
            qb = qa.copy()
        outs = []
        for mod in BOTH:
            a, b = np.zeros((3, 3)), np.zeros((3, 3))
            mod.mjd_subQuat(qa, qb, a, b)
            mod.mjd_subQuat(qa, qb, None, None)
            outs.append([a, b])
        agree(outs)
        vel, scale = rng.standard_normal(3) * (1e-3 if k % 3 == 0 else 1), rng.random()
        outs = []
        for mod in BOTH:
            parts = [np.zeros(9), np.zeros(9), np.zeros(3)]
            mod.mjd_quatIntegrate(vel, scale, *parts)
            outs.append(np.concatenate(parts))
        agree(outs)


# ------------------------------------------------------------------------------------------------ models


def test_mass_and_frames():
    (om, od), (m, d) = pair(ARM.format(integrator="Euler"))
    for mod, model in zip(BOTH, (om, m)):
        mod.mj_setTotalmass(model, 7.5)
        assert abs(mod.mj_getTotalmass(model) - 7.5) < 1e-12
    agree([om.body_mass, m.body_mass])
    agree([om.body_inertia, m.body_inertia])
    [mod.mj_forward(*side) for mod, side in zip(BOTH, ((om, od), (m, d)))]
    for same in range(5):
        outs = []
        for mod, data in zip(BOTH, (od, d)):
            pos, mat = np.zeros(3), np.zeros(9)
            mod.mj_local2Global(data, pos, mat, np.array([0.1, 0.2, 0.3]), np.array([0.5, 0.5, 0.5, 0.5]), 2, same)
            outs.append(np.append(pos, mat))
        agree(outs)


def test_inverse_stages():
    (om, od), (m, d) = pair(ARM.format(integrator="Euler"))
    for mod, side in zip(BOTH, ((om, od), (m, d))):
        mod.mj_invPosition(*side)
        mod.mj_invVelocity(*side)
    for name in "xpos cinert M qLD efc_J efc_aref cvel qfrc_bias qfrc_passive actuator_length actuator_moment".split():
        agree([np.ravel(getattr(od, name)), np.ravel(getattr(d, name))], rtol=1e-8, atol=1e-9)


def test_add_mass_matrix():
    outs = []
    for mod, (m, d) in zip(BOTH, pair(ARM.format(integrator="Euler"))):
        mod.mj_forward(m, d)
        dst = np.ones(m.nM)
        colind = np.zeros(m.nM, np.int32)
        colind[: m.nC] = m.M_colind
        mod.mj_addM(m, d, dst, m.M_rownnz.copy(), m.M_rowadr.copy(), colind)
        outs.append(dst)
    agree(outs)


def test_add_contact():
    counts = []
    for mod, (m, d) in zip(BOTH, pair(ARM.format(integrator="Euler"))):
        mod.mj_forward(m, d)
        assert d.ncon > 0 and d.nefc > 0
        first, before = d.contact[0].pos.copy(), d.ncon
        con = mod.MjContact()
        con.pos[:] = first + 1
        con.frame[:] = np.eye(3).ravel()
        con.dist, con.dim, con.geom[:] = -0.01, 3, (0, 1)
        con.friction[:], con.solref[:], con.solimp[:] = 1, (0.02, 1), (0.9, 0.95, 0.001, 0.5, 2)
        con.flex[:] = con.elem[:] = con.vert[:] = -1
        assert mod.mj_addContact(m, d, con) == 0
        assert d.ncon == before + 1 and d.nefc == 0
        assert np.array_equal(d.contact[before].pos, first + 1) and d.contact[before].dist == -0.01
        mod.mj_makeConstraint(m, d)
        counts.append(d.nefc)
    assert counts[0] == counts[1] > 0


RAYS = """
<mujoco>
  <asset>
    <mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="hills" nrow="4" ncol="5" size="2 2 .5 .2" elevation="0 1 0 1 2 1 3 1 0 2 1 1 0 0 2 3 1 2 1 0"/>
  </asset>
  <worldbody><geom type="mesh" mesh="tet" pos="0 0 2"/><geom type="hfield" hfield="hills"/><geom size=".1"/></worldbody>
</mujoco>"""


def test_rays_to_one_geom():
    (om, od), (m, d) = pair(RAYS)
    [mod.mj_forward(*side) for mod, side in zip(BOTH, ((om, od), (m, d)))]
    rng, hits = np.random.default_rng(11), 0
    for _ in range(80):
        pnt, vec = 2 * rng.standard_normal(3), rng.standard_normal(3)
        for name, geom in (("mj_rayMesh", 0), ("mj_rayHfield", 1)):
            outs = []
            for mod, (model, data) in zip(BOTH, ((om, od), (m, d))):
                normal = np.zeros(3)
                dist = getattr(mod, name)(model, data, geom, pnt, vec, normal)
                outs.append(np.append(normal, dist))
            agree(outs, rtol=1e-9)
            hits += outs[0][3] >= 0
    assert hits > 10
    with pytest.raises(sinew.FatalError):
        sinew.mj_rayMesh(m, d, 2, pnt, vec)


DELAYED = """
<mujoco>
  <worldbody><body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".1 0 0"/></body></worldbody>
  <actuator><motor joint="j" nsample="5" delay=".006"/><motor joint="j"/></actuator>
  <sensor><jointpos joint="j" nsample="4" delay=".005"/><jointvel joint="j"/></sensor>
</mujoco>"""


def test_histories():
    sides = pair(DELAYED)
    outs = []
    for mod, (m, d) in zip(BOTH, sides):
        values = []
        for step in range(8):
            d.ctrl[:] = np.sin(step), np.cos(step)
            mod.mj_step(m, d)
        for interp in (-1, 0, 1, 2):
            for back in (0.0, 0.0013, 0.004, 0.1):
                values += [mod.mj_readCtrl(m, d, i, d.time - back, interp) for i in (0, 1)]
                for i in (0, 1):
                    result = np.zeros(1)
                    values.append(float(np.ravel(mod.mj_readSensor(m, d, i, d.time - back, result, interp))[0]))
        mod.mj_initCtrlHistory(m, d, 0, np.arange(5) * 0.1, np.arange(5) * 2.0)
        mod.mj_initSensorHistory(m, d, 0, np.arange(4) * 0.2, np.arange(4.0).reshape(4, 1), 0.25)
        outs.append(np.concatenate([values, d.history]))
    agree(outs, rtol=1e-9)
    m, d = sides[1]
    with pytest.raises(sinew.FatalError, match="no history"):
        sinew.mj_initCtrlHistory(m, d, 1, None, np.zeros(0))

def test_histories_need_time_to_advance():
    for mod, (m, d) in zip(BOTH, pair(DELAYED)):
        m.opt.timestep = -0.01
        with pytest.raises(mod.FatalError):
            mod.mj_resetData(m, d)
    m, d = pair(DELAYED)[1]
    for timestep in (-0.01, 0.0, np.nan):
        m.opt.timestep = timestep
        with pytest.raises(sinew.StepError, match="positive timestep"):
            sinew.step_strict(m, d)
        with pytest.raises(sinew.FatalError, match="positive timestep"):
            sinew.mj_resetData(m, d)
        sinew.mj_step(m, d)


def test_default_option():
    for mod in BOTH:
        m = mod.MjModel.from_xml_string("<mujoco><option timestep='.5' gravity='1 2 3' iterations='7'/></mujoco>")
        mod.mj_defaultOption(m.opt)
        assert m.opt.timestep == 0.002 and m.opt.iterations == 100 and list(m.opt.gravity) == [0, 0, -9.81]


# ------------------------------------------------------------------------------------------------ timers

# collision phases are not timed separately, and inverse dynamics projects its constraints
SKIPPED = {"mjTIMER_COL_BROAD", "mjTIMER_COL_NARROW", "mjTIMER_POS_PROJECT"}


def test_timers_count_and_measure():
    ticks = [0.0]

    def clock():
        ticks[0] += 1.0
        return ticks[0]

    counts = []
    try:
        for mod, (m, d) in zip(BOTH, pair(ARM.format(integrator="Euler"))):
            mod.mj_resetData(m, d)
            mod.mj_step(m, d)
            mod.mj_step(m, d, 3)
            mod.mj_inverse(m, d)
            counts.append({t.name: d.timer[int(t)].number for t in mod.mjtTimer.__members__.values() if int(t) < 15})
            assert sum(t.duration for t in d.timer) > 0
            mod.mj_resetData(m, d)
            mod.set_mjcb_time(clock)
            mod.mj_step(m, d)
            step, forward = d.timer[0].duration, d.timer[1].duration
            assert step > forward > d.timer[3].duration > d.timer[8].duration > 0
            mod.set_mjcb_time(None)
            mod.mj_resetData(m, d)
            assert all(t.number == 0 for t in d.timer)
    finally:
        [mod.set_mjcb_time(None) for mod in BOTH]
    theirs, mine = counts
    assert {k: v for k, v in mine.items() if k not in SKIPPED} == {k: v for k, v in theirs.items() if k not in SKIPPED}


def test_reset_callbacks():
    calls = []
    sinew.set_mjcb_control(lambda m, d: calls.append(1))
    sinew.set_mjcb_time(lambda: 0.0)
    sinew.mj_resetCallbacks()
    assert sinew.get_mjcb_control() is None and sinew.get_mjcb_time() is None
    m = sinew.MjModel.from_xml_string("<mujoco/>")
    sinew.mj_step(m, sinew.MjData(m))
    assert not calls


def test_broken_clock_is_told():
    m = sinew.MjModel.from_xml_string("<mujoco/>")
    try:
        sinew.set_mjcb_time(lambda: "late")
        with pytest.raises(TypeError, match="mjcb_time"):
            sinew.mj_step(m, sinew.MjData(m))
    finally:
        sinew.set_mjcb_time(None)


def test_statistics_are_records():
    for mod, (m, d) in zip(BOTH, pair(ARM.format(integrator="Euler"))):
        mod.mj_forward(m, d)
        assert len(d.solver) == 4000 and len(d.warning) == 8 and len(d.timer) == 15
        assert d.solver[0].neval >= 0 and d.warning[0].number == 0
        assert d.solver.improvement.shape == (4000,)
    pickle.dumps(d)
