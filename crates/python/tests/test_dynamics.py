"""Smooth dynamics against MuJoCo: forces, sensors and steps of models without active constraints."""

import mujoco
import numpy as np
import pytest
import sinew
from dynamics_models import DYNAMICS
from models import CORPUS, INLINE, corpus_files
from oracle import copy_state, model_from_mujoco

SMOOTH = (
    "cvel cdof_dot ten_velocity actuator_velocity flexedge_velocity qfrc_bias qfrc_spring qfrc_damper qfrc_gravcomp "
    "qfrc_fluid qfrc_passive act_dot actuator_force qfrc_actuator qfrc_smooth qacc_smooth qacc"
).split()
STATE = "time qpos qvel act history qacc_warmstart".split()
INTEGRATORS = ("EULER", "RK4", "IMPLICIT", "IMPLICITFAST")
# distances and contacts are compared in the tests of geometry
ELSEWHERE = {
    int(getattr(mujoco.mjtSensor, "mjSENS_" + n))
    for n in "TOUCH GEOMDIST GEOMNORMAL GEOMFROMTO CONTACT TACTILE PLUGIN".split()
}


def close(name, got, want, tol=1e-9):
    got, want = np.asarray(got, float).ravel(), np.asarray(want, float).ravel()
    assert got.shape == want.shape, name
    scale = max(1.0, np.nanmax(np.abs(want), initial=0.0))
    np.testing.assert_allclose(got, want, rtol=0, atol=tol * scale, err_msg=name)


def controls(om, rng):
    low, high = np.where(om.actuator_ctrllimited[:, None] != 0, om.actuator_ctrlrange, [-1.5, 1.5]).T
    return rng.uniform(low - 0.2, high + 0.2)


def disturb(om, od, rng, kick):
    """A random state near the present one."""
    if om.nv:
        qpos = np.array(od.qpos)
        mujoco.mj_integratePos(om, qpos, 0.3 * kick * rng.standard_normal(om.nv), 1.0)
        od.qpos[:] = qpos
        od.qvel[:] += kick * rng.standard_normal(om.nv)
        od.qfrc_applied[:] = kick * rng.standard_normal(om.nv)
        od.xfrc_applied[1:] = kick * rng.standard_normal((om.nbody - 1, 6))
    if om.nu:
        od.ctrl[:] = controls(om, rng)
    if om.na:
        od.act[:] = rng.uniform(-0.1, 1.1, om.na)


def compare_sensors(om, od, cd, note):
    late = om.opt.enableflags & mujoco.mjtEnableBit.mjENBL_ENERGY
    for i in range(om.nsensor):
        if late and om.sensor_type[i] == mujoco.mjtSensor.mjSENS_E_KINETIC:
            continue  # see test_kinetic_energy_is_not_late
        if om.sensor_type[i] not in ELSEWHERE:
            at = slice(om.sensor_adr[i], om.sensor_adr[i] + om.sensor_dim[i])
            kind = mujoco.mjtSensor(om.sensor_type[i]).name
            close(f"{kind} {i} {note}", cd.sensordata[at], od.sensordata[at], 1e-8)
    close("energy " + note, cd.energy, od.energy, 1e-8)


def start(om, od):
    mujoco.mj_resetData(om, od)
    if om.nkey:
        mujoco.mj_resetDataKeyframe(om, od, 0)


def check_forward(om):
    om.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    cm = model_from_mujoco(om)
    od, cd = mujoco.MjData(om), sinew.MjData(cm)
    rng = np.random.default_rng(3)
    start(om, od)
    for kick in (0.0, 0.3, 1.0):
        if kick:
            disturb(om, od, rng, kick)
        mujoco.mj_forward(om, od)  # a first call removes MuJoCo's dependence on the previous state
        copy_state(cd, od)
        mujoco.mj_forward(om, od)
        sinew.mj_forward(cm, cd)
        for name in SMOOTH:
            close(f"{name} {kick}", getattr(cd, name), getattr(od, name))
        compare_sensors(om, od, cd, f"{kick}")


def check_steps(om, integrator, nstep=12):
    om.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    om.opt.integrator = int(getattr(mujoco.mjtIntegrator, "mjINT_" + integrator))
    cm = model_from_mujoco(om)
    od, cd = mujoco.MjData(om), sinew.MjData(cm)
    rng = np.random.default_rng(4)
    start(om, od)
    disturb(om, od, rng, 0.3)
    for t in range(nstep):
        if om.nu and t % 3 == 0:
            od.ctrl[:] = controls(om, rng)
        copy_state(cd, od)
        mujoco.mj_step(om, od)
        if od.time < cd.time or np.max(np.abs(od.qacc), initial=0) > 1e8:
            break  # MuJoCo itself became unstable
        sinew.mj_step(cm, cd)
        for name in STATE + ["qacc", "qDeriv"]:
            close(f"{name} {integrator} t={t}", getattr(cd, name), getattr(od, name), 1e-8)
        compare_sensors(om, od, cd, f"t={t}")


@pytest.fixture(params=[*DYNAMICS, *INLINE])
def model(request):
    return mujoco.MjModel.from_xml_string((DYNAMICS | INLINE)[request.param])


def test_forward(model):
    check_forward(model)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_steps(model, integrator):
    check_steps(model, integrator)


def check_inverse(om, discrete, tol=1e-9):
    om.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    if discrete:
        om.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_INVDISCRETE
    cm = model_from_mujoco(om)
    od, cd = mujoco.MjData(om), sinew.MjData(cm)
    rng = np.random.default_rng(5)
    start(om, od)
    disturb(om, od, rng, 0.5)
    copy_state(cd, od)
    od.qacc[:] = cd.qacc[:] = rng.standard_normal(om.nv)
    mujoco.mj_inverse(om, od)
    sinew.mj_inverse(cm, cd)
    for name in "qfrc_inverse qfrc_constraint qacc".split():
        close(name, getattr(cd, name), getattr(od, name), tol)
    compare_sensors(om, od, cd, "inverse")


@pytest.mark.parametrize("integrator", ("EULER", "IMPLICIT", "IMPLICITFAST"))
@pytest.mark.parametrize("discrete", (False, True))
def test_inverse(model, integrator, discrete):
    model.opt.integrator = int(getattr(mujoco.mjtIntegrator, "mjINT_" + integrator))
    check_inverse(model, discrete)


def test_discrete_inverse_refuses_runge_kutta():
    om = mujoco.MjModel.from_xml_string(DYNAMICS["chain RK4"])
    om.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_INVDISCRETE
    cm = model_from_mujoco(om)
    with pytest.raises(sinew.FatalError, match="Runge"):
        sinew.mj_inverse(cm, sinew.MjData(cm))


def test_forward_and_inverse_agree():
    om = mujoco.MjModel.from_xml_string(INLINE["joints"])
    om.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    om.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_FWDINV
    cm = model_from_mujoco(om)
    od, cd = mujoco.MjData(om), sinew.MjData(cm)
    for _ in range(5):
        mujoco.mj_step(om, od)
        sinew.mj_step(cm, cd)
    assert cd.nefc == od.nefc > 0
    assert np.max(np.abs(cd.solver_fwdinv)) < 1e-3 * np.linalg.norm(od.qfrc_constraint)
    close("qpos", cd.qpos, od.qpos, 1e-6)


def test_free_run_stays_together():
    """Without copying the state: 200 steps of a smooth system."""
    om = mujoco.MjModel.from_xml_string(DYNAMICS["chain RK4"])
    cm = model_from_mujoco(om)
    od, cd = mujoco.MjData(om), sinew.MjData(cm)
    od.ctrl[:] = 0.3
    copy_state(cd, od)
    mujoco.mj_step(om, od, 200)
    sinew.mj_step(cm, cd, 200)
    close("qpos", cd.qpos, od.qpos, 1e-8)


def test_two_phases_are_one_step():
    om = mujoco.MjModel.from_xml_string(DYNAMICS["actuators"])
    cm = model_from_mujoco(om)
    od, cd = mujoco.MjData(om), sinew.MjData(cm)
    for t in range(5):
        mujoco.mj_step1(om, od)
        sinew.mj_step1(cm, cd)
        od.ctrl[:] = cd.ctrl[:] = 0.1 * t
        mujoco.mj_step2(om, od)
        sinew.mj_step2(cm, cd)
    for name in STATE:
        close(name, getattr(cd, name), getattr(od, name))


def test_forward_skip():
    om = mujoco.MjModel.from_xml_string(DYNAMICS["sensors"])
    cm = model_from_mujoco(om)
    od, cd = mujoco.MjData(om), sinew.MjData(cm)
    rng = np.random.default_rng(0)
    disturb(om, od, rng, 0.5)
    copy_state(cd, od)
    for stage, sensor in ((0, 0), (1, 0), (2, 1), (2, 0), (1, 1)):
        od.qvel[:] *= 1.5
        od.ctrl[:] = controls(om, rng)
        copy_state(cd, od)
        mujoco.mj_forwardSkip(om, od, stage, sensor)
        sinew.mj_forwardSkip(cm, cd, stage, sensor)
        for name in SMOOTH + ["sensordata"]:
            close(f"{name} {stage} {sensor}", getattr(cd, name), getattr(od, name))


def test_kinetic_energy_is_not_late():
    om = mujoco.MjModel.from_xml_string(DYNAMICS["sensors with energy"])
    cm = model_from_mujoco(om)
    od, cd = mujoco.MjData(om), sinew.MjData(cm)
    at = om.sensor_adr[list(om.sensor_type).index(mujoco.mjtSensor.mjSENS_E_KINETIC)]
    disturb(om, od, np.random.default_rng(0), 0.5)
    copy_state(cd, od)
    late = 0.0
    for t in range(4):
        sinew.mj_step(cm, cd)
        mujoco.mj_step(om, od)
        close("now", cd.sensordata[at], cd.energy[1])
        if t:
            close("MuJoCo's", od.sensordata[at], late)
        late = od.energy[1]


@pytest.mark.parametrize("energy", ("enable", "disable"))
def test_sampled_energies(energy):
    """Sampled energies belong to the integrator's last stage, with all inputs: poses, springs, velocities."""
    xml = f"""<mujoco><option integrator="RK4" timestep=".01"><flag energy="{energy}"/></option><worldbody>
      <body pos="0 0 1"><joint axis="0 1 0" stiffness="20" springref="40"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
      <sensor><e_potential nsample="5" delay=".03"/><e_kinetic nsample="4" delay=".02"/></sensor></mujoco>"""
    om = mujoco.MjModel.from_xml_string(xml)
    cm = model_from_mujoco(om)
    od, cd = mujoco.MjData(om), sinew.MjData(cm)
    od.qvel[:] = cd.qvel[:] = 1
    for _ in range(6):
        mujoco.mj_step(om, od)
        sinew.mj_step(cm, cd)
        close("history", cd.history, od.history)
        close("sensors", cd.sensordata, od.sensordata)


BAD = {"qpos": (0, np.nan), "qvel": (1, 1e11), "qfrc_applied": (0, 1e30), "ctrl": (0, np.inf)}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("field", BAD)
@pytest.mark.parametrize("reset", (True, False))
def test_bad_numbers_warn_and_reset(field, reset):
    om = mujoco.MjModel.from_xml_string(DYNAMICS["actuators, not clamped"])
    if not reset:
        om.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    cm = model_from_mujoco(om)
    od, cd = mujoco.MjData(om), sinew.MjData(cm)
    mujoco.mj_step(om, od, 3)
    index, value = BAD[field]
    getattr(od, field)[index] = value
    copy_state(cd, od)
    mujoco.mj_step(om, od)
    sinew.mj_step(cm, cd)
    for name in STATE:
        close(name, getattr(cd, name), getattr(od, name))
    for w in range(mujoco.mjtWarning.mjNWARNING):
        assert (cd.warning[w].number, cd.warning[w].lastinfo) == (od.warning[w].number, od.warning[w].lastinfo), w


@pytest.mark.parametrize("path", corpus_files(), ids=lambda p: str(p.relative_to(CORPUS)))
def test_corpus(path):
    om = mujoco.MjModel.from_xml_path(str(path))
    check_forward(om)
    check_steps(om, INTEGRATORS[om.opt.integrator], nstep=6)
    if om.nv:
        check_inverse(om, False)


def test_split_steps_have_fresh_accelerations():
    """In mj_step2, MuJoCo computes accelerometers from body accelerations of an earlier step; in mj_step it does
    not."""
    xml = '''<mujoco><worldbody><body><joint name="a" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/>
        <site name="s" pos=".3 0 0"/></body></worldbody><actuator><motor joint="a"/></actuator>
        <sensor><accelerometer site="s"/><force site="s"/><jointactuatorfrc joint="a"/></sensor></mujoco>'''

    def run(engine, split):
        m = engine.MjModel.from_xml_string(xml)
        d = engine.MjData(m)
        shown = []
        for i in range(5):
            if split:
                engine.mj_step1(m, d)
            d.ctrl[0] = i
            (engine.mj_step2 if split else engine.mj_step)(m, d)
            shown.append(d.sensordata.copy())
        return np.array(shown), d.qpos.copy()

    (whole, end), (split, split_end), (oracle, oracle_end) = run(sinew, False), run(sinew, True), run(mujoco, False)
    assert np.array_equal(whole, split) and np.array_equal(end, split_end)
    assert np.allclose(whole, oracle, atol=1e-12) and np.allclose(end, oracle_end)
    stale, stale_end = run(mujoco, True)
    assert np.allclose(stale_end, end) and np.abs(stale - whole).max() > 1
